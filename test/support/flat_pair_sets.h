// SPDX-License-Identifier: MIT
// Random pairs of shapes in 2D for the tests of the narrow phase, of sizes about one.
#pragma once

#include "jostle/shapes_2d.h"

typedef enum FlatSet
{
    flat_mixed,   // about half of them overlap
    flat_near,    // within 0.02 of touching
    flat_resting, // the same, and two edges are parallel to within 0.02, half of them to within rounding
    flat_setCount
} FlatSet;

typedef struct FlatPair
{
    joPolygon2 polygonA, polygonB; // of those shapes that are polygons
    joShape2 a, b;
    joTransform2 poseA, poseB;
} FlatPair;

extern const char* const flatKindNames[jo_shapeKindCount2];

float flatFloatIn( uint64_t* random, float lower, float upper );
// Of 3 to 16 vertices, half of them with a radius.
joPolygon2 flatAnyPolygon( uint64_t* random );
// The shapes point into *pair.
void flatMakePair( joShapeKind2 kindA, joShapeKind2 kindB, FlatSet set, uint64_t* random, FlatPair* pair );
// Moves B along a direction until the separation is as given, if it comes that far apart.
void flatPlaceAt( FlatPair* pair, double directionX, double directionY, double separation );
