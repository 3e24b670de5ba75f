// SPDX-License-Identifier: MIT
// The inside of a hull's block, and of anything else that has vertices, edges and faces.
#pragma once

#include "base/float_env.h"
#include "jostle/hull_3d.h"

// The columns of vertices are filled up to a multiple of this with the first vertex.
#define JO_HULL_LANES 16

typedef struct joHullPlane
{
    float normal[3]; // unit, outwards
    float offset;    // no vertex lies higher along the normal
} joHullPlane;

// Edges are halves, one for each of two faces. The two of an edge are 2 i and 2 i + 1.
typedef struct joHullEdge
{
    uint16_t next; // counter-clockwise round the face
    uint8_t origin;
    uint8_t pad;
    uint16_t face;
} joHullEdge;

// The header of a block. Behind it, each where the one before ends: x, y and z of the vertices, the planes of
// the faces, the edges, one edge of each face, one edge of each vertex (starting there).
struct joHull3
{
    uint32_t magic;
    uint32_t byteCount;
    uint32_t vertexCount;
    uint32_t paddedCount;
    uint32_t faceCount;
    uint32_t edgeCount; // of halves
    float tolerance;
    float size; // the largest sum of the coordinates of a vertex (absolute)
    float volume;
    float center[3];          // of mass
    float inertiaDiagonal[3]; // of mass 1, about the centre
    float inertiaProducts[3]; // see joMassData3
    float pad[14];
};

#define JO_HULL_MAGIC 0x31486F6Au // "joH1": the version is in it

// Something convex with flat faces: pointers into a hull's block, or into the arrays of something that was
// given the form of a hull.
typedef struct joPolytope
{
    const float* x;
    const float* y;
    const float* z;
    const joHullPlane* planes;
    const joHullEdge* edges;
    const uint16_t* faceEdges;
    const uint16_t* vertexEdges;
    uint32_t vertexCount;
    uint32_t paddedCount;
    uint32_t faceCount;
    uint32_t edgeCount;
} joPolytope;

size_t joHullBytes( uint32_t vertexCount, uint32_t faceCount, uint32_t edgeCount );

static inline joPolytope joViewHull( const joHull3* hull )
{
    joPolytope view = { .vertexCount = hull->vertexCount,
        .paddedCount = hull->paddedCount,
        .faceCount = hull->faceCount,
        .edgeCount = hull->edgeCount };
    view.x = (const float*)(const void*)( hull + 1 );
    view.y = view.x + hull->paddedCount;
    view.z = view.y + hull->paddedCount;
    view.planes = (const joHullPlane*)(const void*)( view.z + hull->paddedCount );
    view.edges = (const joHullEdge*)(const void*)( view.planes + hull->faceCount );
    view.faceEdges = (const uint16_t*)(const void*)( view.edges + hull->edgeCount );
    view.vertexEdges = view.faceEdges + hull->faceCount;
    return view;
}

static inline void joPolytope_GetVertex( const joPolytope* polytope, uint32_t vertex, double point[3] )
{
    point[0] = (double)polytope->x[vertex];
    point[1] = (double)polytope->y[vertex];
    point[2] = (double)polytope->z[vertex];
}

// Volume, centre and inertia of a hull whose arrays are complete.
void joFillHullMass( joHull3* hull );
