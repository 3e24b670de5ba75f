// SPDX-License-Identifier: MIT
// Pairs between two sets: small buffers, misuse, limits, and memory that fails or is not there.
#include "support/two_sets_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void aSmallBufferGetsTheFirstPairs( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[3], 2, NULL );
    twoSetsFill( &a, 60, 10.0, 0.0, 0.5, 1 );
    twoSetsFill( &b, 200, 10.0, 0.0, 0.5, 2 );
    refPairs expected = { 0 };
    refFindPairsBetween( a.objects, a.count, b.objects, b.count, 2, &expected );
    assert_true( expected.count > 20 && expected.count < 2000 );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    joTwoSets* twoSets = twoSetsCreate( &def );
    joPair pairs[2001];
    uint64_t count, copied, viewed;
    const uint64_t rooms[] = { 0, 1, expected.count - 1, expected.count, expected.count + 1 };
    for ( uint32_t k = 0; k < 5; ++k )
    {
        memset( pairs, 0xAB, sizeof pairs );
        kitRequire( joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, pairs, rooms[k], &count ),
            "FindPairs" );
        assert_int_equal( count, expected.count );
        uint64_t given = rooms[k] < count ? rooms[k] : count;
        if ( given > 0 )
            assert_memory_equal( pairs, expected.data, given * sizeof( joPair ) );
        assert_int_equal( pairs[given].a, 0xABABABABu );
        // The rest, without finding again.
        kitRequire( joTwoSets_GetPairs( twoSets, given, pairs + given, 2000 - given, &copied ), "GetPairs" );
        assert_int_equal( copied, count - given );
        twoSetsRequire( pairs, given + copied, &expected, "in two parts" );
    }
    kitRequire( joTwoSets_GetPairs( twoSets, count, pairs, 5, &copied ), "GetPairs" );
    assert_int_equal( copied, 0 );
    // A count keeps nothing.
    kitRequire( joTwoSets_CountPairs( twoSets, a.broadPhase, b.broadPhase, &count ), "CountPairs" );
    kitRequire( joTwoSets_GetPairs( twoSets, 0, pairs, 5, &copied ), "GetPairs" );
    assert_int_equal( copied, 0 );
    assert_null( joTwoSets_ViewPairs( twoSets, &viewed ) );
    assert_int_equal( viewed, 0 );
    joDestroyTwoSets( twoSets );
    // Unsorted: the same pairs.
    def.sortPairs = false;
    twoSets = twoSetsCreate( &def );
    kitRequire(
        joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, pairs, 2000, &count ), "FindPairs" );
    refPairs found = { malloc( sizeof pairs ), count, 2001 };
    memcpy( found.data, pairs, count * sizeof( joPair ) );
    refSortPairs( &found );
    twoSetsRequire( (const joPair*)(void*)found.data, count, &expected, "unsorted" );
    refFreePairs( &found );
    refFreePairs( &expected );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

static void misuseIsRefused( void** state )
{
    (void)state;
    kitScene flat = kitBegin( &kitVariants[3], 2, NULL ), solid = kitBegin( &kitVariants[3], 3, NULL );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    joTwoSets* twoSets = twoSetsCreate( &def );
    uint64_t count = 77, copied;
    joPair pair;
    assert_int_equal( joTwoSets_FindPairs( twoSets, flat.broadPhase, solid.broadPhase, NULL, 0, &count ),
        jo_errorWrongDimension );
    assert_int_equal( count, 0 );
    assert_int_equal(
        joTwoSets_CountPairs( twoSets, solid.broadPhase, solid.broadPhase, &count ), jo_errorWrongDimension );
    assert_int_equal( joTwoSets_FindPairs( NULL, flat.broadPhase, flat.broadPhase, NULL, 0, &count ),
        jo_errorNullArgument );
    assert_int_equal(
        joTwoSets_FindPairs( twoSets, NULL, flat.broadPhase, NULL, 0, &count ), jo_errorNullArgument );
    assert_int_equal(
        joTwoSets_FindPairs( twoSets, flat.broadPhase, NULL, NULL, 0, &count ), jo_errorNullArgument );
    assert_int_equal( joTwoSets_FindPairs( twoSets, flat.broadPhase, flat.broadPhase, NULL, 1, &count ),
        jo_errorNullArgument );
    assert_int_equal( joTwoSets_FindPairs( twoSets, flat.broadPhase, flat.broadPhase, &pair, 1, NULL ),
        jo_errorNullArgument );
    assert_int_equal(
        joTwoSets_CountPairs( NULL, flat.broadPhase, flat.broadPhase, &count ), jo_errorNullArgument );
    assert_int_equal( joTwoSets_GetPairs( NULL, 0, &pair, 1, &copied ), jo_errorNullArgument );
    assert_int_equal( joTwoSets_GetPairs( twoSets, 0, NULL, 1, &copied ), jo_errorNullArgument );
    assert_null( joTwoSets_ViewPairs( NULL, &count ) );
    assert_int_equal( joTwoSets_GetStats( NULL ).memoryBytes, 0 );
    joDestroyTwoSets( twoSets );
    joDestroyTwoSets( NULL );

    twoSets = NULL;
    joTwoSetsDef bad[6];
    for ( int k = 0; k < 6; ++k )
        bad[k] = def;
    bad[0].internalCookie = 0;
    bad[1].dimension = 4;
    bad[2].pairLimit = 0;
    bad[3].smallReserve = UINT32_MAX;
    bad[4].largeReserve = UINT32_MAX;
    bad[5].allocator.deallocate = NULL;
    for ( int k = 0; k < 6; ++k )
    {
        assert_int_equal( joCreateTwoSets( &bad[k], &twoSets ), jo_errorBadDef );
        assert_null( twoSets );
    }
    assert_int_equal( joCreateTwoSets( NULL, &twoSets ), jo_errorNullArgument );
    assert_int_equal( joCreateTwoSets( &def, NULL ), jo_errorNullArgument );
    twoSetsEndFirst( &solid );
    kitEnd( &flat );
}

static void moveField( kitScene* scene, uint32_t frame )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        double turn = 6.283185307179586 * ( frame % 12 ) / 12.0 + i;
        scene->objects[i] = kitBall( i, i % 60 + 2.0 * cos( turn ), i / 60 + 2.0 * sin( turn ), 0.0, 0.4 );
    }
    kitRequire( kitSet( scene->broadPhase, scene->dimension, scene->objects, scene->count ), "Set" );
}

static void noFrameAllocatesAfterTheFirst( void** state )
{
    (void)state;
    for ( uint32_t run = 0; run < 6; ++run )
    {
        kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[6], 2, NULL );
        for ( uint32_t i = 0; i < 5000; ++i )
        {
            kitPush( &b, kitBall( i, 0.0, 0.0, 0.0, 1.0 ) );
            if ( i < ( run % 2 ? 3000u : 100u ) )
                kitPush( &a, kitBall( i, 0.0, 0.0, 0.0, 1.0 ) );
        }
        joTwoSetsDef def = twoSetsDef( 2, kitJobs( 1 + run / 2 ) );
        joTwoSets* twoSets = twoSetsCreate( &def );
        uint64_t before = 0;
        for ( uint32_t frame = 0; frame < 72; ++frame )
        {
            moveField( &a, frame );
            moveField( &b, 2 * frame + frame / 12 );
            // In some frames the larger side is up to date.
            if ( frame % 4 == 3 )
                kitRequire( joBroadPhase_Update( b.broadPhase ), "Update" );
            before = frame == 36 ? joTwoSets_GetStats( twoSets ).allocationCount : before;
            uint64_t count;
            kitRequire(
                joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, NULL, 0, &count ), "FindPairs" );
        }
        assert_int_equal( joTwoSets_GetStats( twoSets ).allocationCount, before );
        joDestroyTwoSets( twoSets );
        twoSetsEndFirst( &b );
        kitEnd( &a );
    }
}

static void fixedCapacityNeverAllocates( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[3], 2, NULL );
    twoSetsFill( &a, 300, 60.0, 0.0, 0.5, 1 );
    twoSetsFill( &b, 5000, 60.0, 0.0, 0.5, 2 );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    def.fixedCapacity = true;
    def.smallReserve = 300;
    def.largeReserve = 5000;
    def.pairReserve = 20000;
    joTwoSets* twoSets = twoSetsCreate( &def );
    uint64_t before = joTwoSets_GetStats( twoSets ).allocationCount;
    twoSetsCheck( twoSets, &a, &b, "fixed" );
    assert_int_equal( joTwoSets_GetStats( twoSets ).allocationCount, before );
    joDestroyTwoSets( twoSets );
    def.smallReserve = 299;
    twoSets = twoSetsCreate( &def );
    uint64_t count = 77;
    assert_int_equal(
        joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, NULL, 0, &count ), jo_errorCapacity );
    assert_int_equal( count, 0 );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

// The k-th allocation of create and three finds fails, for every k: the call says so, and the same works
// when there is memory again.
static void anAllocationThatFailsIsReported( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[6], 2, NULL );
    twoSetsFill( &a, 400, 40.0, 0.0, 0.5, 1 );
    twoSetsFill( &b, 4000, 40.0, 0.0, 0.5, 2 );
    const uint32_t workers = 2;
    uint32_t failures = 0;
    bool failed = true;
    for ( uint64_t k = 1; failed; ++k )
    {
        kitHeap heap = { 0 };
        joTwoSetsDef def = twoSetsDef( 2, kitJobs( workers ) );
        def.allocator = kitAllocator( &heap );
        def.pairReserve = k % 2 * 100;
        heap.failAt = k;
        joTwoSets* twoSets = NULL;
        joResult result = joCreateTwoSets( &def, &twoSets );
        for ( int call = 0; call < 3 && result == jo_success; ++call )
        {
            uint64_t count = 77;
            const joBroadPhase* first = call == 1 ? b.broadPhase : a.broadPhase;
            result = joTwoSets_FindPairs(
                twoSets, first, call == 2 ? a.broadPhase : b.broadPhase, NULL, 0, &count );
            assert_true( result == jo_success || count == 0 );
        }
        failed = heap.refused > 0;
        if ( result != jo_success )
        {
            assert_int_equal( result, jo_errorOutOfMemory );
            assert_true( failed );
            failures += 1;
        }
        heap.failAt = 0;
        if ( twoSets != NULL )
            twoSetsCheck( twoSets, &a, &b, "with memory again" );
        joDestroyTwoSets( twoSets );
        assert_int_equal( heap.liveBytes, 0 );
    }
    assert_true( failures > 20 );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( aSmallBufferGetsTheFirstPairs ),
        cmocka_unit_test( misuseIsRefused ),
        cmocka_unit_test( noFrameAllocatesAfterTheFirst ),
        cmocka_unit_test( fixedCapacityNeverAllocates ),
        cmocka_unit_test( anAllocationThatFailsIsReported ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
