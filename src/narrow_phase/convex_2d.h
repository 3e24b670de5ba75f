// SPDX-License-Identifier: MIT
// A pair of convex shapes in 2D as the general algorithms see it: polygons of 1 to 16 vertices, grown by a
// radius, in a frame about the middle of A.
#pragma once

#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/gjk_2d.h"

#include "math/rotation.h"

// A polygon in the frame of a pair, in float. With one vertex it is a point and has no normals, with two a
// segment, which has an edge on each side.
typedef struct joCore2
{
    float x[JO_MAX_POLYGON_VERTICES];
    float y[JO_MAX_POLYGON_VERTICES];
    float normalX[JO_MAX_POLYGON_VERTICES];
    float normalY[JO_MAX_POLYGON_VERTICES];
    uint32_t count;
    float radius;
} joCore2;

typedef struct joConvexPair2
{
    joPolygon2 ownA, ownB; // of shapes that are no polygons
    const joPolygon2* a;
    const joPolygon2* b;
    joPose2 frame; // in world space: the axes of A, around its centre
    joPose2 bInA;  // the axes of B around its centre, in that frame
    float size;    // of both; see tolerance.h
} joConvexPair2;

// `pair` must stay where it is.
void joPlaceConvexPair2( const joPlacedPair2* placed, joConvexPair2* pair );

// In float, for separating axes; and in double, for distances.
void joMakeCores2( const joConvexPair2* pair, joCore2* a, joCore2* b );
void joMakePoints2( const joConvexPair2* pair, joPoints2* a, joPoints2* b );

joVec2 joToWorldPoint2( const joConvexPair2* pair, double x, double y );
// The result has unit length to the last place of a float.
joVec2 joToWorldNormal2( const joConvexPair2* pair, double x, double y );
