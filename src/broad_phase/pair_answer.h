// SPDX-License-Identifier: MIT
// Gives a sorted list of pairs to the caller, as much as fits.
#pragma once

#include "jostle/base.h"
#include "jostle/jobs.h"

typedef struct joPairAnswer
{
    const joPair* pairs;
    uint64_t keptCount;
    uint64_t foundCount; // beyond those kept, too
} joPairAnswer;

// The first ones go to `pairs`, over threads. jo_errorCapacity if there was room for some that were not kept.
joResult joPairAnswer_Give( const joPairAnswer* answer, joJobs* jobs, joPair* pairs, uint64_t capacity );

// Those from `first` on, *copied of them.
joResult joPairAnswer_Copy(
    const joPairAnswer* answer, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied );
