// SPDX-License-Identifier: MIT
// An allocator for tests: fails from the k-th allocation on, or once, and checks that what is freed was given
// with that size and alignment. Not thread-safe: joMemory calls it under its lock.
#pragma once

#include "jostle/base.h"

typedef struct LimitedMemory
{
    uint64_t failAt;   // this allocation, counted from 0, fails; UINT64_MAX: none
    bool failOn;       // and all after it
    uint64_t attempts; // calls of allocate
    uint64_t liveBlocks;
    uint64_t liveBytes;
} LimitedMemory;

LimitedMemory makeLimitedMemory( uint64_t failAt );
joAllocator limitedAllocator( LimitedMemory* memory );
