// SPDX-License-Identifier: MIT
// Round shapes placed in the world, ready for kernels, and two of them without the way through a kernel.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_2d.h"
#include "jostle/collide_3d.h"
#include "simd/placed_rounds.h"

// Of a circle or a capsule. `shape` and `pose` have been checked.
joPlacedRound2 joPlaceRound2( const joShape2* shape, const joTransform2* pose );
// Of a sphere or a capsule.
joPlacedRound3 joPlaceRound3( const joShape3* shape, const joTransform3* pose );

// The tolerances that all kernels are given.
extern const joRoundTolerance joRoundTolerances;

// Of two round kinds, a <= b.
static inline joRoundCores joRoundCoresOf2( joShapeKind2 a, joShapeKind2 b )
{
    return a == jo_capsuleShape2 ? jo_bothCores : b == jo_capsuleShape2 ? jo_coreOfB : jo_noCores;
}

static inline joRoundCores joRoundCoresOf3( joShapeKind3 a, joShapeKind3 b )
{
    return a == jo_capsuleShape3 ? jo_bothCores : b == jo_capsuleShape3 ? jo_coreOfB : jo_noCores;
}

// How two placed shapes touch, as joCollide2 and joCollide3 say it. A manifold of two that do not is left as
// it is.
void joCollideRounds2( const joPlacedRound2* a, const joPlacedRound2* b, joRoundCores cores, float margin,
    joManifold2* manifold );
void joCollideRounds3( const joPlacedRound3* a, const joPlacedRound3* b, joRoundCores cores, float margin,
    joManifold3* manifold );
