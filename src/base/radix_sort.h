// SPDX-License-Identifier: MIT
// Stable radix sort, least significant digit first (Knuth, "The Art of Computer Programming", vol. 3, 5.2.5),
// with the digits fitted to the bits in which the keys differ. Sorted input is found out first and costs one
// pass.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct joKeyValue
{
    uint32_t key;
    uint32_t value;
} joKeyValue;

// Sorts ascending by key; equal keys keep their order. `scratch` has room for `count` items. The result is in
// one of the two, which is returned; the other holds rubbish. O(count * passes), at most 3 passes. Allocates
// nothing.
joKeyValue* joRadixSort_KeyValues( joKeyValue* items, joKeyValue* scratch, uint32_t count );

// The same for 64-bit keys; at most 6 passes. Pairs as a << 32 | b with keys below 2^22 need 4.
uint64_t* joRadixSort_Keys64( uint64_t* keys, uint64_t* scratch, uint64_t count );
