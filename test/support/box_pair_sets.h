// SPDX-License-Identifier: MIT
// Random pairs of boxes in 3D for the tests of the narrow phase, half extents 0.3 to 1.
#pragma once

#include "jostle/shapes.h"

typedef enum PairSet
{
    pairs_apart,   // 0 % overlap; half of them are within a hundredth of touching
    pairs_mixed,   // about 50 %
    pairs_within,  // 100 %
    pairs_resting, // one lies on the other's face, turned against it by up to 0.02 rad about any axis, and
                   // perhaps by quarter turns; in or above it by up to 0.02
    pairs_setCount
} PairSet;

typedef struct BoxPair3
{
    joBox3 a, b;
    joTransform3 poseA, poseB;
} BoxPair3;

extern const char* const pairSetNames[pairs_setCount];

float pairFloatIn( uint64_t* random, float lower, float upper );
joVec3 pairVectorIn( uint64_t* random, float size );
// Uniform over all rotations.
joQuat pairAnyRotation( uint64_t* random );
BoxPair3 makePairOfSet( PairSet set, uint64_t* random );
