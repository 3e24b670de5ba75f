// SPDX-License-Identifier: MIT
// A checksum of bytes in memory. Four sums run side by side, so that one multiplication need not wait for
// the other; each step maps what a sum was, and what is read, one to one, so that a single change is never
// lost.
#include "base/checksum.h"

#include <string.h>

#define LANES 4

// An odd number with bits of no pattern: the fraction of the golden ratio.
#define FACTOR UINT64_C( 0x9E3779B97F4A7C15 )

static inline uint64_t mix( uint64_t sum, uint64_t word )
{
    const uint64_t mixed = ( sum ^ word ) * FACTOR;
    return mixed ^ mixed >> 29;
}

uint64_t joChecksum( const void* data, size_t size, uint64_t start )
{
    const unsigned char* bytes = data;
    uint64_t lanes[LANES] = { start, start + 1, start + 2, start + 3 };
    size_t at = 0;
    for ( ; size - at >= LANES * sizeof( uint64_t ); at += LANES * sizeof( uint64_t ) )
    {
        uint64_t words[LANES];
        memcpy( words, bytes + at, sizeof( words ) );
        for ( int i = 0; i < LANES; ++i )
        {
            lanes[i] = mix( lanes[i], words[i] );
        }
    }
    for ( int i = 0; at < size; ++i )
    {
        uint64_t word = 0;
        const size_t left = size - at < sizeof( word ) ? size - at : sizeof( word );
        memcpy( &word, bytes + at, left );
        lanes[i] = mix( lanes[i], word );
        at += left;
    }
    uint64_t sum = (uint64_t)size;
    for ( int i = 0; i < LANES; ++i )
    {
        sum = mix( sum, lanes[i] );
    }
    return sum;
}
