// SPDX-License-Identifier: MIT
// The slow reference for boxes in 3D: the separating axis test over all 15 axes in double precision, and a
// judge of normals and depths. Plain; shares no code with the library.
#pragma once

#include "jostle/shapes.h"

typedef struct SatBox
{
    double center[3];
    double axes[3][3]; // unit vectors in world space
    double half[3];
} SatBox;

typedef struct SatAnswer
{
    double depth;     // the least over all axes; negative: how far they are apart along the best axis
    double normal[3]; // of that axis, unit, from A to B
    bool isEdge;      // the axis is the cross product of two edges
    double second;    // the next least depth, of another axis
    // The sine of the least angle between an edge of A and one of B. Where it is small the cross product says
    // little about the direction.
    double leastSine;
} SatAnswer;

typedef struct SatVerdict
{
    double lengthError; // of the normal: | |n| - 1 |
    double left;        // how deep they still are when B was moved by depth along the normal; <= 0: apart
    double excess;      // how much farther than the least depth B was moved
} SatVerdict;

SatBox satMakeBox( const joBox3* box, const joTransform3* pose );
SatAnswer satTest( const SatBox* a, const SatBox* b );
SatVerdict satJudge( const SatBox* a, const SatBox* b, joVec3 normal, float depth );
// The overlap of the two along one direction, which need not be of unit length; negative: a gap.
double satOverlapAlong( const SatBox* a, const SatBox* b, const double direction[3] );
// How far a point is outside of a box; 0 inside.
double satDistanceToPoint( const SatBox* box, const double point[3] );
