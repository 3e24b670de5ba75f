// SPDX-License-Identifier: MIT
// The slow reference for convex shapes in 2D, in double: how far apart or how deep, by looking at all edges
// and vertices, and a judge of normals and depths. Plain; shares no code with the library.
#pragma once

#include "jostle/shapes_2d.h"

// A convex polygon of 1 to 16 vertices in world space, grown by a radius.
typedef struct FlatShape
{
    double x[JO_MAX_POLYGON_VERTICES];
    double y[JO_MAX_POLYGON_VERTICES];
    int count;
    double radius;
} FlatShape;

typedef struct FlatVerdict
{
    double lengthError; // of the normal: | |n| - 1 |
    double left;        // how deep they still are when B was moved by depth along the normal; <= 0: apart
    double excess;      // how much farther than the least depth B was moved
} FlatVerdict;

FlatShape flatMakeShape( const joShape2* shape, const joTransform2* pose );
void flatMove( FlatShape* shape, double x, double y );
// Positive: they are this far apart. Negative: the shortest way that parts them.
double flatSeparation( const FlatShape* a, const FlatShape* b );
FlatVerdict flatJudge( const FlatShape* a, const FlatShape* b, joVec2 normal, double depth );
// How far a point is outside of a shape; 0 inside.
double flatDistanceToPoint( const FlatShape* shape, double x, double y );
