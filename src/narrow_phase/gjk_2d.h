// SPDX-License-Identifier: MIT
// The distance of two convex sets of points in 2D (Gilbert, Johnson and Keerthi, "A Fast Procedure for
// Computing the Distance Between Complex Objects in Three-Dimensional Space", 1988), in double.
#pragma once

#include "base/float_env.h" // before any arithmetic: clang contracts what stands before it
#include "jostle/shapes_2d.h"

// The convex hull of these points, in any order.
typedef struct joPoints2
{
    double x[JO_MAX_POLYGON_VERTICES];
    double y[JO_MAX_POLYGON_VERTICES];
    uint32_t count; // at least 1
} joPoints2;

typedef struct joNearest2
{
    double distance;   // 0: they touch or overlap
    double a[2], b[2]; // the nearest points; one common point where the distance is 0
    double normal[2];  // unit, from A to B; zero where the distance is 0
    // Vertices whose segment, or which themselves, hold the nearest points: those of A in [0], of B in [1].
    uint32_t vertices[2][2];
    bool isComplete; // false: the iterations met their cap, and this is the best so far
} joNearest2;

// B is moved by (offsetX, offsetY) before.
joNearest2 joFindNearest2( const joPoints2* a, const joPoints2* b, double offsetX, double offsetY );

// The same, with its steps, directed from A to B.
struct joConvexSteps;
joNearest2 joTraceNearest2( const joPoints2* a, const joPoints2* b, struct joConvexSteps* steps );
