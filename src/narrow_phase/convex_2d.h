// SPDX-License-Identifier: MIT
// Convex shapes in 2D as polygons of 1 to 16 vertices, grown by a radius, and pairs of them in double, in a
// frame about the middle of A.
#pragma once

#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/gjk_2d.h"

#include "math/rotation.h"

typedef struct joConvexPair2
{
    joPolygon2 ownA, ownB; // of shapes that are no polygons
    const joPolygon2* a;
    const joPolygon2* b;
    joPose2 frame; // in world space: the axes of A, around its centre
    joPose2 bInA;  // the axes of B around its centre, in that frame
    float size;    // of both; see tolerance.h
} joConvexPair2;

// Any shape as a polygon: its own, or one that is made in *own. With one vertex it is a point and has no
// normals, with two a segment, which has an edge on each side.
const joPolygon2* joToPolygon2( const joShape2* shape, joPolygon2* own );
// The pose of a body, around the centre of its shape.
joPose2 joPlaceCenter2( const joPolygon2* polygon, const joTransform2* body );

// `pair` must stay where it is.
void joPlaceConvexPair2( const joPlacedPair2* placed, joConvexPair2* pair );

void joMakePoints2( const joConvexPair2* pair, joPoints2* a, joPoints2* b );
