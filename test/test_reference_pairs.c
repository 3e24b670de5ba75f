// SPDX-License-Identifier: MIT
// The oracle itself: known answers, and its two ways against each other.
#include "reference/reference_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static refObject box( uint32_t key, double lx, double ly, double ux, double uy )
{
    return ( refObject ){ .lower = { lx, ly, 0.0 },
        .upper = { ux, uy, 0.0 },
        .key = key,
        .layer = UINT64_MAX,
        .mask = UINT64_MAX,
        .motion = ref_moving };
}

static refObject ball( uint32_t key, double x, double y, double radius )
{
    refObject object = box( key, 0.0, 0.0, 0.0, 0.0 );
    object.round = true;
    object.center[0] = x;
    object.center[1] = y;
    object.radius = radius;
    return object;
}

static void boxesThatShareABorderTouch( void** state )
{
    (void)state;
    refObject a = box( 0, 0.0, 0.0, 1.0, 1.0 );
    refObject side = box( 1, 1.0, 0.0, 2.0, 1.0 ), corner = box( 2, 1.0, 1.0, 2.0, 2.0 );
    refObject beside = box( 3, 1.0 + 0x1p-23, 0.0, 2.0, 1.0 ), below = box( 4, 0.0, -2.0, 1.0, -0x1p-149 );
    assert_true( refTouch( &a, &side, 2 ) && refTouch( &side, &a, 2 ) );
    assert_true( refTouch( &a, &corner, 2 ) && refTouch( &corner, &a, 2 ) );
    assert_false( refTouch( &a, &beside, 2 ) || refTouch( &beside, &a, 2 ) );
    assert_false( refTouch( &a, &below, 2 ) || refTouch( &below, &a, 2 ) );
    refObject all = box( 5, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL );
    assert_true( refTouch( &a, &all, 2 ) && refTouch( &all, &all, 2 ) );
    refObject high = a, higher = a;
    higher.lower[2] = higher.upper[2] = 1.0;
    assert_true( refTouch( &high, &higher, 2 ) );
    assert_false( refTouch( &high, &higher, 3 ) );
}

static void circlesTouchAtTheSumOfTheirRadii( void** state )
{
    (void)state;
    refObject a = ball( 0, 0.0, 0.0, 2.0 ), b = ball( 1, 3.0, 4.0, 3.0 );
    assert_true( refTouch( &a, &b, 2 ) && refTouch( &b, &a, 2 ) );
    b.radius = (double)nextafterf( 3.0f, 0.0f );
    assert_false( refTouch( &a, &b, 2 ) || refTouch( &b, &a, 2 ) );
    refObject corner = box( 2, 3.0, 4.0, 9.0, 9.0 );
    a.radius = 5.0;
    assert_true( refTouch( &a, &corner, 2 ) && refTouch( &corner, &a, 2 ) );
    a.radius = (double)nextafterf( 5.0f, 0.0f );
    assert_false( refTouch( &a, &corner, 2 ) || refTouch( &corner, &a, 2 ) );
    refObject around = box( 3, -9.0, -9.0, 9.0, 9.0 );
    a.radius = 0.0;
    assert_true( refTouch( &a, &around, 2 ) );
}

static void bothMustWantToMeetAndOneMustMove( void** state )
{
    (void)state;
    refObject a = box( 0, 0.0, 0.0, 1.0, 1.0 ), b = a;
    a.layer = 1;
    b.layer = 1ull << 63;
    a.mask = 1ull << 63;
    b.mask = 1;
    assert_true( refMeet( &a, &b ) );
    b.mask = 2;
    assert_false( refMeet( &a, &b ) || refMeet( &b, &a ) );
    b.mask = 1;
    a.motion = ref_static;
    assert_true( refMeet( &a, &b ) );
    b.motion = ref_resting;
    assert_true( refMeet( &a, &b ) );
    b.motion = ref_static;
    assert_false( refMeet( &a, &b ) );
}

static void pairsComeSortedWithTheLowerKeyFirst( void** state )
{
    (void)state;
    refObject objects[4] = { box( 9, 0.0, 0.0, 1.0, 1.0 ), box( 4, 1.0, 0.0, 2.0, 1.0 ),
        box( UINT32_MAX, 0.5, 0.5, 0.5, 0.5 ), box( 0, 7.0, 7.0, 8.0, 8.0 ) };
    refPairs pairs = { 0 };
    refFindPairsByAll( objects, 4, 2, &pairs );
    assert_int_equal( pairs.count, 2 );
    assert_true( pairs.data[0].a == 4 && pairs.data[0].b == 9 );
    assert_true( pairs.data[1].a == 9 && pairs.data[1].b == UINT32_MAX );
    refFreePairs( &pairs );
}

// Also shows that every distribution has both pairs that touch and pairs that do not.
static void sweepFindsWhatTryingAllFinds( void** state )
{
    (void)state;
    refPairs all = { 0 }, swept = { 0 };
    for ( uint32_t scene = 0; scene < 30 * ref_distributionCount; ++scene )
    {
        refRandom random = refMakeRandom( 5, scene );
        refSceneDef def = { .distribution = (refDistribution)( scene % ref_distributionCount ),
            .axisCount = 2 + (int)( scene & 1 ),
            .count = 1 + refBelow( &random, 600 ),
            .cellSize = 0.1,
            .roundShare = 0.3,
            .neighbours = 3.0,
            .layerCount = refBelow( &random, 4 ) };
        refPrepareScene( &def, &random );
        refObject* objects = calloc( def.count, sizeof( refObject ) );
        assert_non_null( objects );
        for ( uint32_t i = 0; i < def.count; ++i )
        {
            refDrawShape( &def, &random, objects + i );
            refDrawLayers( &def, &random, objects + i );
            objects[i].key = i * 0x9E3779B1u;
            objects[i].motion = (refMotion)refBelow( &random, 3 );
        }
        refFindPairsByAll( objects, def.count, def.axisCount, &all );
        refFindPairsBySweep( objects, def.count, def.axisCount, &swept );
        bool same = all.count == swept.count;
        for ( size_t i = 0; i < all.count && same; ++i )
            same = all.data[i].a == swept.data[i].a && all.data[i].b == swept.data[i].b;
        if ( same == false )
            fail_msg( "scene %u, %s: %zu pairs, %zu by sweep", scene, refDistributionText( def.distribution ),
                all.count, swept.count );
        if ( def.count > 300 && all.count == 0 )
            fail_msg( "scene %u, %s: no pair at all", scene, refDistributionText( def.distribution ) );
        free( objects );
    }
    refFreePairs( &all );
    refFreePairs( &swept );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( boxesThatShareABorderTouch ),
        cmocka_unit_test( circlesTouchAtTheSumOfTheirRadii ),
        cmocka_unit_test( bothMustWantToMeetAndOneMustMove ),
        cmocka_unit_test( pairsComeSortedWithTheLowerKeyFirst ),
        cmocka_unit_test( sweepFindsWhatTryingAllFinds ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
