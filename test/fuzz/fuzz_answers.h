// SPDX-License-Identifier: MIT
// What holds for the answers to any pair of shapes, whatever they are: finite, unit normals, the calls agree
// with each other, and with what they say when A and B are swapped. Answers of 2D and 3D are widened to one
// form, without padding, so that they can be compared byte by byte.
#pragma once

#include "jostle/collide_base.h"

typedef struct FuzzManifold
{
    joResult result;
    joCollideStatus status;
    double normal[3];
    double depth;
    uint64_t pointCount;
    double positions[4][3];
    double depths[4];
    uint32_t featureIds[4];
} FuzzManifold;

typedef struct FuzzClosest
{
    joResult result;
    joCollideStatus status;
    double distance;
    double pointA[3], pointB[3];
    double normal[3];
} FuzzClosest;

typedef struct FuzzHit
{
    joResult result;
    joCollideStatus status;
    double fraction;
    double normal[3];
    double point[3];
    double depth;
    uint64_t isHit;
} FuzzHit;

// All calls for one pair in one order.
typedef struct FuzzAnswers
{
    joResult overlapResult;
    uint32_t overlaps;
    FuzzManifold touching; // margin 0
    FuzzManifold near;     // with the margin
    FuzzClosest closest;
    FuzzHit hit;
} FuzzAnswers;

typedef struct FuzzCase
{
    joResult expected; // of the checks of both shapes and poses; the calls say the same
    bool isBadMargin;
    bool isBadMotion;
    double margin;
    uint32_t maxPoints;
    // What a depth or a distance may be wrong by. Above JO_MAX_SIZE nothing is compared.
    double tolerance;
    double motionLength;
} FuzzCase;

void checkAnswers( const FuzzCase* fuzzCase, const FuzzAnswers* answers );
// What is said of A and B against what is said of B and A.
void checkSwapped( const FuzzCase* fuzzCase, const FuzzAnswers* answers, const FuzzAnswers* swapped );
// From bounds of the shapes in their poses; infinite ones count as their finite ends.
double toleranceOfBounds( const double ( *lower )[3], const double ( *upper )[3], int axisCount );
