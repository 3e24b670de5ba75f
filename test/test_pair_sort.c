// SPDX-License-Identifier: MIT
// The order of pairs, whatever the keys are: close together, far apart, over all of 32 bits; few and many.
#include "jostle/broad_phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MAX_BOXES 3000

typedef uint32_t KeyFcn( uint32_t index );

static uint32_t countedUp( uint32_t index )
{
    return index;
}

static uint32_t countedDown( uint32_t index )
{
    return MAX_BOXES - index;
}

// Multiplication by an odd number: a permutation of all 32-bit numbers.
static uint32_t scattered( uint32_t index )
{
    return index * 2654435761u;
}

static uint32_t atBothEnds( uint32_t index )
{
    return index % 2 == 0 ? index / 2 : UINT32_MAX - index / 2;
}

static uint32_t farUp( uint32_t index )
{
    return 0xFFFF0000u + index;
}

static uint32_t inFewBlocks( uint32_t index )
{
    return ( index % 7 << 29 | index % 5 << 14 ) + index;
}

static KeyFcn* const s_keys[] = { countedUp, countedDown, scattered, atBothEnds, farUp, inFewBlocks };
#define KEY_FUNCTIONS ( sizeof( s_keys ) / sizeof( s_keys[0] ) )

static int comparePairs( const void* left, const void* right )
{
    const joPair* a = left;
    const joPair* b = right;
    if ( a->a != b->a )
    {
        return a->a < b->a ? -1 : 1;
    }
    return a->b < b->b ? -1 : a->b > b->b;
}

// Boxes on a line, groups of `groupSize` on one spot: the pairs are known without testing boxes.
static uint64_t expectPairs( joPair** pairs, const uint32_t* keys, uint32_t count, uint32_t groupSize )
{
    *pairs = malloc( ( (size_t)count * groupSize + 1 ) * sizeof( joPair ) );
    assert_non_null( *pairs );
    uint64_t pairCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( uint32_t j = i + 1; j < count && j / groupSize == i / groupSize; ++j )
        {
            uint32_t low = keys[i] < keys[j] ? keys[i] : keys[j];
            ( *pairs )[pairCount++] = ( joPair ){ low, keys[i] ^ keys[j] ^ low };
        }
    }
    qsort( *pairs, (size_t)pairCount, sizeof( joPair ), comparePairs );
    return pairCount;
}

static void checkOrder( joJobs* jobs, KeyFcn* keyOf, uint32_t count, uint32_t groupSize )
{
    static uint32_t keys[MAX_BOXES];
    static float x[MAX_BOXES];
    for ( uint32_t i = 0; i < count; ++i )
    {
        keys[i] = keyOf( i );
        x[i] = (float)( i / groupSize );
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_bruteForce;
    def.dimension = 2;
    def.jobs = jobs;
    joBroadPhase* broadPhase = NULL;
    assert_int_equal( joCreateBroadPhase( &def, &broadPhase ), jo_success );
    const joColumn column = { x, sizeof( float ) };
    const joBoxes boxes = { .lowerX = column,
        .lowerY = column,
        .upperX = column,
        .upperY = column,
        .key = { keys, sizeof( uint32_t ) },
        .count = count };
    assert_int_equal( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), jo_success );
    uint64_t foundCount = 0;
    assert_int_equal( joBroadPhase_FindPairs( broadPhase, NULL, 0, &foundCount ), jo_success );
    const joPair* found = joBroadPhase_ViewPairs( broadPhase, &foundCount );

    joPair* expected = NULL;
    uint64_t expectedCount = expectPairs( &expected, keys, count, groupSize );
    assert_true( foundCount == expectedCount );
    for ( uint64_t i = 0; i < expectedCount; ++i )
    {
        assert_int_equal( found[i].a, expected[i].a );
        assert_int_equal( found[i].b, expected[i].b );
    }
    free( expected );
    joDestroyBroadPhase( broadPhase );
}

static void checkSizes( joJobs* jobs )
{
    static const uint32_t counts[] = { 2, 3, 4, 17, 100, 1000, MAX_BOXES };
    static const uint32_t groupSizes[] = { 2, 3, 20, 150 };
    for ( size_t k = 0; k < KEY_FUNCTIONS; ++k )
    {
        for ( size_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ); ++c )
        {
            for ( size_t g = 0; g < sizeof( groupSizes ) / sizeof( groupSizes[0] ); ++g )
            {
                checkOrder( jobs, s_keys[k], counts[c], groupSizes[g] );
            }
        }
    }
}

static void pairsOfAnyKeysAreSorted( void** state )
{
    (void)state;
    checkSizes( NULL );
}

static void pairsOfAnyKeysAreSortedOverThreads( void** state )
{
    (void)state;
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = 3;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    checkSizes( jobs );
    joDestroyJobs( jobs );
}

// The two keys of all that are farthest apart.
static void twoPairsAtBothEndsOfTheKeysAreSorted( void** state )
{
    (void)state;
    checkOrder( NULL, atBothEnds, 4, 2 );
    checkOrder( NULL, scattered, 4, 2 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( twoPairsAtBothEndsOfTheKeysAreSorted ),
        cmocka_unit_test( pairsOfAnyKeysAreSorted ),
        cmocka_unit_test( pairsOfAnyKeysAreSortedOverThreads ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
