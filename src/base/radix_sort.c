// SPDX-License-Identifier: MIT
// Stable radix sort.
//
// A first pass finds the bits in which the keys differ at all and whether they are sorted already. Digits of
// at most 11 bits are laid over the differing bits only, so the gap in the middle of a pair of small keys
// costs nothing. Each digit has its histogram counted right before it is used: a histogram for all digits at
// once would save reading the keys again, which is sequential and cheap, but fill the first-level cache.
#include "base/radix_sort.h"

#include <string.h>

// 2048 counters of 4 or 8 bytes leave room in the first-level cache for the lines being written.
#define MAX_DIGIT_BITS 11
#define MAX_DIGITS 6

typedef struct Digit
{
    uint32_t shift;
    uint32_t bits;
} Digit;

// Lays digits over the set bits of `differing`; returns how many, lowest first. A digit starts at a set bit
// and is as wide as allowed; digits that touch then share their bits evenly, as narrow digits scatter better.
static uint32_t planDigits( uint64_t differing, Digit digits[MAX_DIGITS] )
{
    uint32_t digitCount = 0;
    while ( differing != 0 )
    {
        uint32_t low = (uint32_t)__builtin_ctzll( differing );
        uint32_t end = low; // one above the highest set bit of the run of touching digits
        uint32_t runCount = 0;
        for ( uint32_t start = low; start < 64 && ( differing >> start & 1 || start == low );
              start += MAX_DIGIT_BITS )
        {
            uint64_t inDigit = differing >> start & ( ( 1u << MAX_DIGIT_BITS ) - 1 );
            end = start + 64 - (uint32_t)__builtin_clzll( inDigit );
            differing &= ~( inDigit << start );
            runCount += 1;
        }
        uint32_t bits = ( end - low + runCount - 1 ) / runCount;
        for ( uint32_t start = low; start < end; start += bits )
        {
            digits[digitCount++] = ( Digit ){ start, bits };
        }
    }
    return digitCount;
}

// Counts to places: offsets[d] becomes how many items have a smaller digit.
static void sumCounts32( uint32_t* offsets, uint32_t size )
{
    uint32_t sum = 0;
    for ( uint32_t i = 0; i < size; ++i )
    {
        uint32_t count = offsets[i];
        offsets[i] = sum;
        sum += count;
    }
}

static void sumCounts64( uint64_t* offsets, uint32_t size )
{
    uint64_t sum = 0;
    for ( uint32_t i = 0; i < size; ++i )
    {
        uint64_t count = offsets[i];
        offsets[i] = sum;
        sum += count;
    }
}

joKeyValue* joRadixSort_KeyValues( joKeyValue* items, joKeyValue* scratch, uint32_t count )
{
    uint32_t differing = 0;
    bool sorted = true;
    for ( uint32_t i = 1; i < count; ++i )
    {
        differing |= items[i].key ^ items[0].key;
        sorted &= items[i - 1].key <= items[i].key;
    }
    if ( sorted )
    {
        return items;
    }
    Digit digits[MAX_DIGITS];
    uint32_t digitCount = planDigits( differing, digits );
    uint32_t offsets[1u << MAX_DIGIT_BITS];
    for ( uint32_t d = 0; d < digitCount; ++d )
    {
        uint32_t shift = digits[d].shift;
        uint32_t size = 1u << digits[d].bits;
        memset( offsets, 0, size * sizeof( offsets[0] ) );
        for ( uint32_t i = 0; i < count; ++i )
        {
            offsets[items[i].key >> shift & ( size - 1 )] += 1;
        }
        sumCounts32( offsets, size );
        for ( uint32_t i = 0; i < count; ++i )
        {
            scratch[offsets[items[i].key >> shift & ( size - 1 )]++] = items[i];
        }
        joKeyValue* swap = items;
        items = scratch;
        scratch = swap;
    }
    return items;
}

uint64_t* joRadixSort_Keys64( uint64_t* keys, uint64_t* scratch, uint64_t count )
{
    uint64_t differing = 0;
    bool sorted = true;
    for ( uint64_t i = 1; i < count; ++i )
    {
        differing |= keys[i] ^ keys[0];
        sorted &= keys[i - 1] <= keys[i];
    }
    if ( sorted )
    {
        return keys;
    }
    Digit digits[MAX_DIGITS];
    uint32_t digitCount = planDigits( differing, digits );
    uint64_t offsets[1u << MAX_DIGIT_BITS];
    for ( uint32_t d = 0; d < digitCount; ++d )
    {
        uint32_t shift = digits[d].shift;
        uint32_t size = 1u << digits[d].bits;
        memset( offsets, 0, size * sizeof( offsets[0] ) );
        for ( uint64_t i = 0; i < count; ++i )
        {
            offsets[keys[i] >> shift & ( size - 1 )] += 1;
        }
        sumCounts64( offsets, size );
        for ( uint64_t i = 0; i < count; ++i )
        {
            scratch[offsets[keys[i] >> shift & ( size - 1 )]++] = keys[i];
        }
        uint64_t* swap = keys;
        keys = scratch;
        scratch = swap;
    }
    return keys;
}
