// SPDX-License-Identifier: MIT
// The check behind --verify must itself see every fault: it is compared with lists that are right but for
// one.
#include "jostle/math.h"
#include "pair_check.h"
#include "reference/reference_pairs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_BOXES 300

static uint64_t seed = 1;

static float boxes[MAX_BOXES * JO_BOX_FLOATS];
static joPair* pairs;
static uint64_t pairCount;

// Random boxes on a coarse raster, so that many touch, and their pairs by the oracle. Room for two pairs
// more.
static void makeScene( joRandom* random, uint32_t count, int axisCount )
{
    refObject objects[MAX_BOXES];
    memset( objects, 0, sizeof objects );
    uint32_t side = 1 + joRandom_Below( random, 12 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        refObject* object = &objects[i];
        for ( int axis = 0; axis < 3; ++axis )
        {
            float lower = (float)joRandom_Below( random, side ) - 4.0f;
            float upper = lower + (float)joRandom_Below( random, 3 );
            lower = joRandom_Below( random, 40 ) == 0 ? -INFINITY : lower;
            boxes[i * 6 + (uint32_t)axis] = lower;
            boxes[i * 6 + 3 + (uint32_t)axis] = upper;
            object->lower[axis] = (double)lower;
            object->upper[axis] = (double)upper;
        }
        object->key = i;
        object->layer = object->mask = UINT64_MAX;
        object->motion = ref_moving;
    }
    refPairs found = { 0 };
    refFindPairsByAll( objects, count, axisCount, &found );
    free( pairs );
    pairs = calloc( found.count + 2, sizeof( joPair ) );
    assert_non_null( pairs );
    pairCount = found.count;
    for ( size_t i = 0; i < found.count; ++i )
    {
        pairs[i] = ( joPair ){ found.data[i].a, found.data[i].b };
    }
    refFreePairs( &found );
}

static joPairCheck check( uint32_t count, int axisCount )
{
    joPairCheck result = { 0 };
    assert_int_equal(
        joCheckPairs( boxes, count, axisCount, pairs, pairCount, NULL, NULL, &result ), jo_success );
    return result;
}

static void assertCheck( uint32_t count, int axisCount, uint64_t missed, uint64_t extra, uint64_t doubled )
{
    joPairCheck result = check( count, axisCount );
    assert_int_equal( result.missed, missed );
    assert_int_equal( result.extra, extra );
    assert_int_equal( result.doubled, doubled );
}

static void insertPair( uint64_t at, joPair pair )
{
    memmove( pairs + at + 1, pairs + at, (size_t)( pairCount - at ) * sizeof( joPair ) );
    pairs[at] = pair;
    pairCount += 1;
}

static void removePair( uint64_t at )
{
    pairCount -= 1;
    memmove( pairs + at, pairs + at + 1, (size_t)( pairCount - at ) * sizeof( joPair ) );
}

static void rightListsPassAndEveryFaultIsCounted( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    for ( int round = 0; round < 400; ++round )
    {
        uint32_t count = joRandom_Below( &random, round % 10 == 0 ? MAX_BOXES : 80 ) + 1;
        int axisCount = 2 + round % 2;
        makeScene( &random, count, axisCount );
        assertCheck( count, axisCount, 0, 0, 0 );
        assert_false( check( count, axisCount ).unsorted );
        if ( pairCount == 0 )
        {
            continue;
        }
        uint64_t at = joRandom_Below( &random, (uint32_t)pairCount );
        joPair pair = pairs[at];
        removePair( at );
        assertCheck( count, axisCount, 1, 0, 0 );
        insertPair( at, pair );
        insertPair( at, pair );
        assertCheck( count, axisCount, 0, 0, 1 );
        insertPair( at, pair );
        assertCheck( count, axisCount, 0, 0, 2 );
        removePair( at );
        // b before a is another pair.
        pairs[at] = ( joPair ){ pair.b, pair.a };
        assertCheck( count, axisCount, 0, 1, 0 );
    }
}

static void pairsThatDoNotOverlapAreExtra( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    makeScene( &random, 50, 3 );
    // Names of boxes that do not exist, and a box with itself.
    insertPair( pairCount, ( joPair ){ 60, 70 } );
    assertCheck( 50, 3, 0, 1, 0 );
    insertPair( pairCount, ( joPair ){ 60, 70 } );
    assertCheck( 50, 3, 0, 1, 1 );
    pairCount -= 2;
    insertPair( 0, ( joPair ){ 0, 0 } );
    assertCheck( 50, 3, 0, 1, 0 );
    pairCount = 0;
    insertPair( 0, ( joPair ){ 0, 0 } );
    boxes[0] = boxes[3] = boxes[6] = boxes[9] = 1000.0f;
    boxes[9] = 1001.0f;
    boxes[1] = boxes[4] = boxes[7] = boxes[10] = 5.0f;
    boxes[2] = boxes[5] = boxes[8] = boxes[11] = 5.0f;
    // Touching counts: 0 and 1 overlap and are missed.
    assertCheck( 2, 3, 1, 1, 0 );
    boxes[6] = nextafterf( 1000.0f, 2000.0f );
    assertCheck( 2, 3, 0, 1, 0 );
}

static void anEmptyListMissesAll( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    makeScene( &random, 130, 2 );
    uint64_t all = pairCount;
    assert_true( all > 0 );
    pairCount = 0;
    assertCheck( 130, 2, all, 0, 0 );
}

static void aListOutOfOrderIsSeenAndStillCompared( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    makeScene( &random, 100, 2 );
    assert_true( pairCount > 3 );
    joPair first = pairs[0];
    pairs[0] = pairs[pairCount - 1];
    pairs[pairCount - 1] = first;
    assertCheck( 100, 2, 0, 0, 0 );
    assert_true( check( 100, 2 ).unsorted );
    pairCount -= 1;
    assertCheck( 100, 2, 1, 0, 0 );
}

static void thirdAxisIsIgnoredWithTwo( void** state )
{
    (void)state;
    const float apart[2 * 6] = { 0, 0, 0, 1, 1, 1, 0, 0, 5, 1, 1, 6 };
    memcpy( boxes, apart, sizeof apart );
    pairCount = 0;
    assertCheck( 2, 3, 0, 0, 0 );
    assertCheck( 2, 2, 1, 0, 0 );
}

int main( int argc, char** argv )
{
    if ( argc > 1 )
    {
        seed = strtoull( argv[1], NULL, 10 );
    }
    printf( "seed %llu\n", (unsigned long long)seed );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( rightListsPassAndEveryFaultIsCounted ),
        cmocka_unit_test( pairsThatDoNotOverlapAreExtra ),
        cmocka_unit_test( anEmptyListMissesAll ),
        cmocka_unit_test( aListOutOfOrderIsSeenAndStillCompared ),
        cmocka_unit_test( thirdAxisIsIgnoredWithTwo ),
    };
    int failed = cmocka_run_group_tests( tests, NULL, NULL );
    free( pairs );
    return failed;
}
