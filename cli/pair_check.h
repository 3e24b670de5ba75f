// SPDX-License-Identifier: MIT
// Checks a list of pairs by a plain loop over all pairs of boxes that shares nothing with the library.
#pragma once

#include "box_array.h"

typedef struct joPairCheck
{
    uint64_t missed;  // pairs that overlap and are not in the list
    uint64_t extra;   // pairs in the list that do not overlap
    uint64_t doubled; // copies in the list of a pair that is there before
    bool unsorted;    // the list is not in order
} joPairCheck;

typedef void joPairCheckProgressFcn( uint32_t row, uint32_t rowCount, void* context );

// Adds what is wrong with `pairs` to *check. O(count^2). `progress` may be null. jo_errorOutOfMemory: *check
// is as it was.
joResult joCheckPairs( const float* boxes, uint32_t count, int axisCount, const joPair* pairs,
    uint64_t pairCount, joPairCheckProgressFcn* progress, void* context, joPairCheck* check );
