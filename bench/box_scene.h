// SPDX-License-Identifier: MIT
// The workloads of oriented boxes in 3D. Seeded: the same count and seed give the same bits everywhere.
//
// boxes-QUESTION-SET: as many pairs as the count, of boxes with half extents 0.3 to 1, each box in one pair.
// What is asked: whether they touch; normal and depth; contact points. Nothing moves. obb-all: boxes that
// move and spin at the density of pairs-a; all pairs are given. obb-world: the same, and pairs are to be
// found, too. Both ask for normal and depth.
#pragma once

#include "jostle/collide_3d.h"

JO_EXTERN_C_BEGIN

typedef enum benchBoxQuestion
{
    bench_askHits = 0,
    bench_askDepths,
    bench_askPoints,
    bench_boxQuestionCount
} benchBoxQuestion;

typedef enum benchBoxSet
{
    bench_boxesApart = 0, // none touch; half of them are within a hundredth of it
    bench_boxesMixed,     // about half do
    bench_boxesWithin,    // all do
    bench_boxesResting,   // one lies on the other, turned against it by up to 0.02, in or above it by up to
                          // 0.02
    bench_boxSetCount
} benchBoxSet;

// Pairs of boxes by question and set; then obb-all, obb-world.
#define BENCH_OBB_ALL ( bench_boxQuestionCount * bench_boxSetCount )
#define BENCH_OBB_WORLD ( BENCH_OBB_ALL + 1 )
#define BENCH_BOX_WORKLOAD_COUNT ( BENCH_OBB_WORLD + 1 )

typedef struct benchBoxScene
{
    int workload;
    benchBoxQuestion question;
    uint32_t count; // pairs of boxes; or, of obb, boxes
    uint32_t bodyCount;
    joShape3* shapes; // boxes around the origin of their bodies
    joTransform3* poses;
    joVec3* velocities; // obb: a frame's way; else null
    joQuat* spins;      // a frame's turn
    joPair* pairs;      // a < b, sorted; null where they are to be found
    uint32_t pairCount;
    float side; // obb: of the world, a cube from 0
} benchBoxScene;

const char* benchBoxWorkloadText( int workload );
// How many when the user does not say.
uint32_t benchDefaultBoxCount( int workload );

// Ends the program if there is no memory.
benchBoxScene* benchCreateBoxScene( int workload, uint32_t count, uint64_t seed );
void benchDestroyBoxScene( benchBoxScene* scene );
void benchStepBoxScene( benchBoxScene* scene );

// How deep two boxes are in each other along their best axis; negative: how far apart. Separating axes in
// double, that owe nothing to jostle. `normal` may be null.
double benchBoxDepth( const benchBoxScene* scene, uint32_t a, uint32_t b, double normal[3] );

JO_EXTERN_C_END
