// SPDX-License-Identifier: MIT
// Two shapes through every call on pairs: with a cache of any content, and swapped. The same for 2D and 3D.
#pragma once

#include "fuzz_answers.h"
#include "fuzz_bytes.h"

#include "jostle/math.h"

// What a dimension does with a pair of its shapes in their poses; the first has index 0, the other 1.
typedef struct FuzzDimension
{
    int axisCount;
    uint32_t maxPoints; // of a manifold
    joResult ( *check )( const void* pair, int index );
    // Finite, and such that the size of the bounds tells of the tolerance.
    void ( *bound )( const void* pair, int index, double lower[3], double upper[3] );
    // All calls, with shape `a` as A. B moves.
    FuzzAnswers ( *ask )( const void* pair, int a, joVec3 motion, float margin, joCollideCache* cache );
    void ( *print )( const void* pair, int index );
} FuzzDimension;

void fuzzPair( const FuzzDimension* dimension, const void* pair, FuzzBytes* bytes );
