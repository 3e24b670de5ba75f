// SPDX-License-Identifier: MIT
// Growing array of elements of one size. Grows by half again, at least to what is asked, so that a new
// high-water mark costs O(1) amortised. Typed use: ( (float*)array.data )[i].
#pragma once

#include "memory.h"

typedef struct joArray
{
    void* data;        // JO_ALIGNMENT aligned; null until the first reserve
    uint64_t capacity; // elements
} joArray;

// Makes room for `count` elements of `elementSize` bytes and keeps the first `keep` elements; the others are
// not initialised. On failure (jo_errorOutOfMemory, jo_errorCapacity) the array is as before.
joResult joArray_Reserve(
    joArray* array, joMemory* memory, uint64_t count, size_t elementSize, uint64_t keep );
// For counts that change a little from frame to frame: where it must grow, it grows by a quarter more than
// asked, so that a steady state soon stops allocating.
static inline joResult joArray_ReserveSlack(
    joArray* array, joMemory* memory, uint64_t count, size_t elementSize, uint64_t keep )
{
    bool grows = count > array->capacity && !memory->fixed;
    return joArray_Reserve( array, memory, grows ? count + count / 4 : count, elementSize, keep );
}
void joArray_Free( joArray* array, joMemory* memory, size_t elementSize );
