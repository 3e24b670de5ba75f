// SPDX-License-Identifier: MIT
// Convex shapes in 2D as kernels read them, and what kernels tell of pairs of them.
#pragma once

#include "jostle/base.h"

#define JO_PLACED_VERTICES 16

// A polygon of 1 to 16 vertices in the world, grown by a radius. Vertices are turned, and about its position.
// An edge goes from each vertex to the next, with its normal; with two vertices there is one on each side,
// with one vertex, which is a point, an edge of no length and any normal: that of a direction that is as good
// as others, for no shape can be parted along it by less than it must.
typedef struct joPlacedPolygon
{
    float position[2];     // of its centre, as a float
    float positionRest[2]; // what the float leaves of it: both together are good to 48 bits
    float radius;
    float size; // of it, with its radius; see narrow_phase/tolerance.h
    uint32_t count;
    uint32_t padding;
    float last[4]; // of the last vertex, so that it stands before the first
    // x and y, and those of the normal. After the last of them all repeat the first.
    float vertices[JO_PLACED_VERTICES + 1][4];
} joPlacedPolygon;

_Static_assert( sizeof( joPlacedPolygon ) == 320, "five lines of the cache" );

// Floats before the vertices.
#define JO_PLACED_VERTICES_AT 12u

// Pairs that one call of a kernel takes at most.
#define JO_POLYGON_BLOCK 16

// See narrow_phase/tolerance.h.
typedef struct joPolygonTolerance
{
    float tie;
    float slop;
} joPolygonTolerance;

// What kernels find out about a block of pairs: a column each, and bits of what is true of a pair. Those that
// are apart have no meaningful numbers. The reference is the polygon whose edge has the largest gap to the
// other, which is incident.
typedef struct joPolygonBlock
{
    float depth[JO_POLYGON_BLOCK];
    float normal[2][JO_POLYGON_BLOCK]; // unit, from A to B
    // Ends of what the two edges have in common, the one at the start of the reference edge first; the first
    // stands for two vertices. Midway between the surfaces, in the world, about the position of A.
    float x[2][JO_POLYGON_BLOCK];
    float y[2][JO_POLYGON_BLOCK];
    float endDepth[2][JO_POLYGON_BLOCK];
    float
        common[JO_POLYGON_BLOCK]; // length that the edges have in common; not positive: no more than rounding
    uint32_t edge[JO_POLYGON_BLOCK];    // of the reference
    uint32_t support[JO_POLYGON_BLOCK]; // the vertex of the incident polygon that comes nearest to that edge
    uint32_t isReferenceB;
    uint32_t isBefore;      // the incident edge is the one before the support vertex, not after it
    uint32_t isIncident[2]; // an end is a vertex of the incident edge, not of the reference edge
    uint32_t isFace;        // edges lie over each other; else two vertices are nearest
    uint32_t isAtStart;     // of two vertices: that of the reference is the start of its edge
    uint32_t isFirst;       // that of the other is the start of the incident edge
    uint32_t isUnsure;      // rounding has left open what is nearest
} joPolygonBlock;

static inline void joClearPolygonBits( joPolygonBlock* block )
{
    block->isReferenceB = block->isBefore = block->isFace = block->isAtStart = block->isFirst = 0;
    block->isIncident[0] = block->isIncident[1] = block->isUnsure = 0;
}
