// SPDX-License-Identifier: MIT
// The workloads of oriented boxes in 3D. Seeded: the same count and seed give the same bits everywhere.
//
// boxes-QUESTION-SET: as many pairs as the count, of boxes with half extents 0.3 to 1, each box in one pair.
// What is asked: whether they touch; normal and depth; contact points. Nothing moves. obb-all: boxes that
// move and spin at the density of pairs-a; all pairs are given. obb-world: the same, and pairs are to be
// found, too. Both ask for normal and depth.
#pragma once

#include "pair_scene.h"

JO_EXTERN_C_BEGIN

// The first three of benchQuestion.
#define BENCH_BOX_QUESTION_COUNT 3

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
#define BENCH_OBB_ALL ( BENCH_BOX_QUESTION_COUNT * bench_boxSetCount )
#define BENCH_OBB_WORLD ( BENCH_OBB_ALL + 1 )
#define BENCH_BOX_WORKLOAD_COUNT ( BENCH_OBB_WORLD + 1 )

// How deep two boxes are in each other along their best axis; negative: how far apart. Separating axes in
// double, that owe nothing to jostle. `normal` may be null.
double benchBoxDepth( const benchPairScene* scene, uint32_t a, uint32_t b, double normal[3] );

JO_EXTERN_C_END
