// SPDX-License-Identifier: MIT
// The workload two-sets: bullets against enemies, discs that all move each frame. Enemies are a crowd
// (cli/workload.h) that nobody pushes apart; there are fifty times as many as bullets, which are half as
// large and fly fifteen times as fast through the same square.
#pragma once

#include "workload.h"

#define BENCH_ENEMIES_PER_BULLET 50u

typedef struct benchTwoSets
{
    joCrowd* bullets;
    joCrowd* enemies;
    // Of each disc, lower x y z, upper x y z, z 0, rounded outwards: for libraries that know boxes only.
    float* bulletBoxes;
    float* enemyBoxes;
} benchTwoSets;

// Ends the program if there is no memory. `enemyCount` at least 1.
benchTwoSets* benchCreateTwoSets( uint32_t enemyCount, uint64_t seed );
// Null is allowed.
void benchDestroyTwoSets( benchTwoSets* twoSets );
void benchStepTwoSets( benchTwoSets* twoSets );

// Whether a bullet touches an enemy: by squares in double, as jostle decides.
static inline bool benchIsHit( const benchTwoSets* twoSets, uint32_t bullet, uint32_t enemy )
{
    const double x = (double)twoSets->bullets->x[bullet] - (double)twoSets->enemies->x[enemy];
    const double y = (double)twoSets->bullets->y[bullet] - (double)twoSets->enemies->y[enemy];
    const double reach = (double)twoSets->bullets->radius + (double)twoSets->enemies->radius;
    return x * x + y * y <= reach * reach;
}
