// SPDX-License-Identifier: MIT
// The workloads of convex hulls: hulls-QUESTION-VERTICES, as many pairs as the count, of hulls of 8, 32 or
// 128 vertices on ellipsoids with half axes 0.5 to 1. About half of the pairs overlap; a tenth are within a
// hundredth of touching. Asked are whether they touch, how far they are apart, or normal and depth; the pairs
// are the same.
#pragma once

#include "pair_scene.h"

JO_EXTERN_C_BEGIN

typedef enum benchHullQuestion
{
    bench_hullHits = 0,
    bench_hullDistances,
    bench_hullDepths,
    bench_hullQuestionCount
} benchHullQuestion;

#define BENCH_HULL_SIZES 3
#define BENCH_HULL_WORKLOAD_COUNT ( (int)bench_hullQuestionCount * BENCH_HULL_SIZES )

JO_EXTERN_C_END
