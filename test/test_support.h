// SPDX-License-Identifier: MIT
// What the tests of the foundation share: a seed, an allocator that counts and fails, sentences as names.
#pragma once

#include "jostle/base.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A test with a sentence for a name.
#define TEST( sentence, function )                                                                           \
    {                                                                                                        \
        sentence, function, NULL, NULL, NULL                                                                 \
    }

// The seed of the randomised tests: the first argument, or JOSTLE_TEST_SEED, or 1. Printed.
static inline uint64_t readSeed( int argc, char** argv )
{
    const char* text = argc > 1 ? argv[1] : getenv( "JOSTLE_TEST_SEED" );
    uint64_t seed = text != NULL ? strtoull( text, NULL, 0 ) : 1;
    printf( "seed %" PRIu64 "\n", seed );
    return seed;
}

// Random numbers that owe nothing to the library (Steele, Lea and Flood, "SplitMix", 2014).
static inline uint64_t nextRandom( uint64_t* state )
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = ( z ^ z >> 30 ) * 0xBF58476D1CE4E5B9u;
    z = ( z ^ z >> 27 ) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint32_t randomBelow( uint64_t* state, uint32_t bound )
{
    return (uint32_t)( nextRandom( state ) % bound );
}

static inline uint64_t hashBytes( uint64_t hash, const void* data, size_t size )
{
    const unsigned char* bytes = data;
    for ( size_t i = 0; i < size; ++i )
    {
        hash = ( hash ^ bytes[i] ) * 0x100000001b3u;
    }
    return hash;
}

// An allocator that counts, can be told to fail, spoils what it gives, and checks that blocks come back with
// the size and alignment they were asked with.
typedef struct TestAllocator
{
    uint64_t calls;
    uint64_t failAt; // calls with this number and above fail; counted from 0
    bool failOnce;   // only the one call fails
    uint64_t liveBlocks;
    uint64_t liveBytes;
    uint64_t badFrees;
} TestAllocator;

typedef struct TestBlock
{
    size_t size;
    size_t alignment;
} TestBlock;

static inline void* testAllocate( size_t size, size_t alignment, void* context )
{
    TestAllocator* test = context;
    uint64_t call = test->calls++;
    if ( test->failOnce ? call == test->failAt : call >= test->failAt )
    {
        return NULL;
    }
    if ( alignment == 0 || alignment > 64 || ( alignment & ( alignment - 1 ) ) != 0 || size > SIZE_MAX / 2 )
    {
        return NULL;
    }
    char* memory = aligned_alloc( 64, ( size + 127 ) / 64 * 64 );
    if ( memory == NULL )
    {
        return NULL;
    }
    *(TestBlock*)memory = ( TestBlock ){ size, alignment };
    memset( memory + 64, 0xCD, size );
    test->liveBlocks += 1;
    test->liveBytes += size;
    return memory + 64;
}

static inline void testDeallocate( void* block, size_t size, size_t alignment, void* context )
{
    TestAllocator* test = context;
    char* memory = (char*)block - 64;
    const TestBlock* header = (const TestBlock*)memory;
    test->badFrees += header->size != size || header->alignment != alignment;
    test->liveBlocks -= 1;
    test->liveBytes -= size;
    free( memory );
}

static inline TestAllocator makeTestAllocator( void )
{
    return ( TestAllocator ){ .failAt = UINT64_MAX };
}

static inline joAllocator toAllocator( TestAllocator* test )
{
    return ( joAllocator ){ testAllocate, testDeallocate, test };
}

// Nothing was leaked, nothing was returned wrongly.
static inline void assertAllReturned( const TestAllocator* test )
{
    assert_int_equal( test->liveBlocks, 0 );
    assert_int_equal( test->liveBytes, 0 );
    assert_int_equal( test->badFrees, 0 );
}
