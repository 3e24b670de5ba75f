// SPDX-License-Identifier: MIT
// Shapes as `jostle collide` looks at them to check the library: in double, plainly, sharing no code with it.
// A shape is all points within a radius of its core, and a core is the convex hull of points; or it is a
// half-space. 2D is 3D with z = 0. All is measured from the position of A's body.
#pragma once

#include "collide_scene.h"

#define JO_CORE_POINTS 255
#define JO_CORE_EDGES 759
#define JO_CORE_FACES 506
#define JO_CORE_LOOPS 1518

typedef struct joCore
{
    int dimension;
    // Its core has an inside, or is a box without size, which has the axes of one.
    bool isSolid;
    bool isHalfSpace; // all points p with dot( normals[0], p ) <= offset; it has no points
    double offset;
    double radius;

    double points[JO_CORE_POINTS][3];
    uint32_t pointCount;
    uint32_t edges[JO_CORE_EDGES][2]; // of points
    uint32_t edgeCount;
    // Unit normals of faces; in 2D of edges. Along them shapes may be parted.
    double normals[JO_CORE_FACES][3];
    uint32_t normalCount;
    // Edges point along these; without repetitions. None in 2D.
    double directions[JO_CORE_EDGES][3];
    uint32_t directionCount;
    // In 3D the points around face i, counter-clockwise, are loops[loopStarts[i]] to before
    // loops[loopStarts[i + 1]], and its normal is loopNormals[i].
    uint32_t loops[JO_CORE_LOOPS];
    uint32_t loopStarts[JO_CORE_FACES + 1];
    double loopNormals[JO_CORE_FACES][3];
    uint32_t loopCount;
} joCore;

// index 0: A, 1: B. `part`: of a mesh or a chain, which triangle or segment.
void joMakeCore( const joCollideScene* scene, int index, uint32_t part, joCore* core );

typedef struct joInterval
{
    double lower, upper;
} joInterval;

// Of the shape, radius and all, along a unit direction.
joInterval joCore_Project( const joCore* core, const double direction[3] );

// How far B moves; zero without a motion.
void joWidenMotion( const joCollideScene* scene, double motion[3] );

// Moves the whole shape.
void joCore_Move( joCore* core, const double motion[3] );
