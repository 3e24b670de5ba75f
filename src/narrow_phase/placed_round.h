// SPDX-License-Identifier: MIT
// Round shapes placed in the world, ready for kernels, and two of them without the way through a kernel.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_2d.h"
#include "simd/placed_rounds.h"

// Of a circle or a capsule. `shape` and `pose` have been checked.
joPlacedRound2 joPlaceRound2( const joShape2* shape, const joTransform2* pose );

// The tolerances that all kernels are given.
extern const joRoundTolerance joRoundTolerances;

// Of two round kinds, a <= b.
static inline joRoundCores joRoundCoresOf2( joShapeKind2 a, joShapeKind2 b )
{
    return a == jo_capsuleShape2 ? jo_bothCores : b == jo_capsuleShape2 ? jo_coreOfB : jo_noCores;
}

// Whether two placed shapes touch; and how, as joCollide2 says it. A manifold of two that do not is left as
// it is.
bool joOverlapRounds2( const joPlacedRound2* a, const joPlacedRound2* b, joRoundCores cores );
void joCollideRounds2( const joPlacedRound2* a, const joPlacedRound2* b, joRoundCores cores, float margin,
    joManifold2* manifold );
