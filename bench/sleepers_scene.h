// SPDX-License-Identifier: MIT
// The workload sleepers: movers, and a thousand times as many bodies that sleep. Both are discs, each a crowd
// (cli/workload.h) stretched over the same square: sleepers stand at a packing of 0.3, movers fly straight
// on.
#pragma once

#include "workload.h"

#define BENCH_SLEEPERS_PER_MOVER 1000u
#define BENCH_LEAST_MOVERS 100u

typedef enum benchSleepersLayout
{
    bench_moversAlone = 0,
    bench_moversApart,  // all sleepers are elsewhere: the square is moved aside
    bench_moversNearby, // among those sleepers alone that are near the way of a mover
    bench_moversAmong,  // among all of them
    bench_sleepersLayoutCount
} benchSleepersLayout;

typedef struct benchSleepersScene
{
    joCrowd* sleepers;
    joCrowd* movers; // of a radius at which they touch 1.5 sleepers each
    bool* isNearby;  // of each sleeper
} benchSleepersScene;

// `frames`: as many steps of JO_CROWD_TIME_STEP will be made. Ends the program if there is no memory.
benchSleepersScene* benchCreateSleepersScene( uint32_t sleeperCount, uint32_t frames, uint64_t seed );
// Null is allowed.
void benchDestroySleepersScene( benchSleepersScene* scene );
// "alone", "apart", "nearby", "among"
const char* benchSleepersLayoutText( benchSleepersLayout layout );
// Whether the sleeper is there at all.
bool benchSleepersScene_Holds(
    const benchSleepersScene* scene, benchSleepersLayout layout, uint32_t sleeper );
