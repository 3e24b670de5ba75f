// SPDX-License-Identifier: MIT
// Faults of queries that libraries of this field really had, each as a test of the whole kind of fault, over
// every kind of broad phase, on 2 and 3 axes. The case numbers are those of the list the project was given;
// case 32, of rays, has test_query_rays.c.
#include "support/query_kit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static refObject cube( uint32_t key, double x, double y, double z, double half )
{
    return kitBox3( key, refFloat( x - half ), refFloat( y - half ), refFloat( z - half ),
        refFloat( x + half ), refFloat( y + half ), refFloat( z + half ) );
}

static void move( kitScene* scene, uint32_t index, refObject to )
{
    to.key = scene->objects[index].key;
    to.motion = scene->objects[index].motion;
    scene->objects[index] = to;
    kitRequire( kitMove( scene->broadPhase, scene->dimension, &to, 1 ), "Move" );
}

static const double alongX[3] = { 1.0, 0.0, 0.0 };
static const double alongY[3] = { 0.0, 1.0, 0.0 };

// --- 3, 4 -------------------------------------------------------------------------------------------------

static void teleportedOntoAnother( const kitVariant* variant, int dimension )
{
    for ( uint32_t motion = 0; motion < 3; ++motion )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 40; ++i )
        {
            refObject object = cube( i, 100.0 * i, -50.0 * i, 10.0 * i, 0.5 );
            object.motion = i ? (refMotion)motion : ref_moving;
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        kitUpdate( &scene );
        for ( uint32_t to = 1; to < 40; ++to )
        {
            double old[3], place[3] = { 100.0 * to, -50.0 * to, 10.0 * to };
            memcpy( old, scene.objects[0].lower, sizeof old );
            move( &scene, 0, scene.objects[to] );
            const uint32_t both[] = { 0, to };
            const float noDistance[] = { 0.0f, 0.0f };
            kitQuery query = kitAskNearest( place, 2, 10.0 );
            kitExpect( &scene, &query, "teleported: nearest", both, noDistance, 2 );
            kitExpectKeys( &scene, kitAskBox( place, place ), "teleported: box", both, 2 );
            kitExpectKeys( &scene, kitAskCircle( place, 1.0 ), "teleported: circle", both, 2 );
            kitExpectKeys( &scene, kitAskRay( place, alongX, 0.0 ), "teleported: ray", both, 2 );
            if ( to > 1 )
                kitExpectKeys( &scene, kitAskBox( old, old ), "what it left", ( uint32_t[] ){ to - 1 }, 1 );
            else
                kitExpectNothing( &scene, kitAskBox( old, old ), "what it left" );
            // One step finds the pair, and the queries see no difference.
            uint64_t pairCount = 0;
            joPair pair = { 0, 0 };
            kitRequire( joBroadPhase_FindPairs( scene.broadPhase, &pair, 1, &pairCount ), "FindPairs" );
            assert_int_equal( pairCount, 1 );
            assert_int_equal( pair.b, to );
            kitExpectKeys( &scene, kitAskBox( place, place ), "teleported and stepped", both, 2 );
        }
        kitEnd( &scene );
    }
}

static void movedByHandAndARayCast( const kitVariant* variant, int dimension )
{
    for ( uint32_t way = 0; way < 6; ++way )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        uint32_t count = way < 3 ? 1 : 300; // alone, or one of many that stay
        for ( uint32_t i = 0; i < count; ++i )
        {
            refObject object = cube( i, 10.0, 5.0 * i, 0.0, 1.0 );
            object.motion = (refMotion)( way % 3 );
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        kitExpectHit(
            &scene, kitAskRay( ( double[3] ){ 0.0, 0.0, 0.0 }, alongX, 50.0 ), "just added", 0, 9.0 );
        kitUpdate( &scene );
        kitExpectHit( &scene, kitAskRay( ( double[3] ){ 0.0, 0.0, 0.0 }, alongX, 50.0 ), "updated", 0, 9.0 );
        move( &scene, 0, cube( 0, 30.0, -20.0, 0.0, 1.0 ) );
        kitQuery there = kitAskRay( ( double[3] ){ 0.0, -20.0, 0.0 }, alongX, 50.0 );
        kitQuery here = kitAskRay( ( double[3] ){ 0.0, 0.0, 0.0 }, alongX, 50.0 );
        kitExpectHit( &scene, there, "moved by hand", 0, 29.0 );
        kitExpectNothing( &scene, here, "moved by hand" );
        joMotion parked = way % 3 == 2 ? jo_resting : jo_moving;
        kitRequire(
            joBroadPhase_SetMotion( scene.broadPhase, parked, ( uint32_t[] ){ 0 }, 1, NULL ), "SetMotion" );
        kitExpectHit( &scene, there, "parked or woken", 0, 29.0 );
        move( &scene, 0, kitBall( 0, 10.0, 0.0, 0.0, 2.0 ) ); // and now it is round
        kitExpectHit( &scene, here, "made round", 0, 8.0 );
        kitRequire( joBroadPhase_Remove( scene.broadPhase, ( uint32_t[] ){ 0 }, 1, NULL ), "Remove" );
        scene.objects[0] = scene.objects[--scene.count];
        kitExpectNothing( &scene, here, "removed" );
        kitExpectNothing( &scene, there, "removed" );
        kitPush( &scene, cube( 7777, 10.0, 0.0, 0.0, 1.0 ) );
        kitAddFrom( &scene, scene.count - 1 );
        kitExpectHit( &scene, here, "another in its slot", 7777, 9.0 );
        kitEnd( &scene );
    }
}

static void setAnewAndARayCast( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t frame = 0; frame < 20; ++frame )
    {
        scene.count = 0;
        for ( uint32_t i = 0; i < 30; ++i )
            kitPush( &scene, cube( i, 10.0 * i + frame, 0.0, 0.0, 1.0 ) );
        kitRequire( kitSet( scene.broadPhase, dimension, scene.objects, scene.count ), "Set" );
        kitQuery query = kitAskRay( ( double[3] ){ -100.0, 1.0, 0.0 }, alongX, HUGE_VAL );
        kitAnswer answer = kitCheckQuery( &scene, &query, "set" );
        assert_int_equal( answer.count, 30 );
        assert_true( answer.distances[3] == 129.0f + (float)frame );
        kitFreeAnswer( &answer );
        if ( frame % 3 == 0 )
            kitUpdate( &scene );
    }
    joBroadPhase_Clear( scene.broadPhase );
    scene.count = 0;
    kitExpectNothing( &scene, kitAskRay( ( double[3] ){ -100.0, 1.0, 0.0 }, alongX, HUGE_VAL ), "cleared" );
    kitEnd( &scene );
}

// --- 6 ----------------------------------------------------------------------------------------------------

static void manyAddedOneByOneThenARay( const kitVariant* variant, int dimension )
{
    uint32_t side = kitQuick() ? 40 : 100;
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < side * side; ++i )
    {
        kitPush( &scene, cube( i, 2.0 * ( i % side ), 2.0 * ( i / side ), 0.0, 0.5 ) );
        kitAddFrom( &scene, i );
    }
    uint32_t* keys = malloc( side * sizeof( uint32_t ) );
    float* distances = malloc( side * sizeof( float ) );
    assert_true( keys && distances );
    for ( int round = 0; round < 2; ++round )
    {
        const char* when = round ? "added one by one, updated" : "added one by one";
        for ( uint32_t row = 0; row < side; row += 9 )
        {
            for ( uint32_t i = 0; i < side; ++i )
            {
                keys[i] = row * side + i;
                distances[i] = 2.0f * (float)i + 0.5f;
            }
            kitQuery query = kitAskRay( ( double[3] ){ -1.0, 2.0 * row, 0.0 }, alongX, HUGE_VAL );
            kitExpect( &scene, &query, when, keys, distances, side );
            kitCheckOnly( &scene, kitAskNearest( ( double[3] ){ 7.0, 2.0 * row, 0.5 }, 37, HUGE_VAL ), when );
            for ( uint32_t i = 0; i < side; ++i )
                keys[i] = i * side + row;
            query = kitAskRay( ( double[3] ){ 2.0 * row, -1.0, 0.0 }, alongY, HUGE_VAL );
            kitExpect( &scene, &query, when, keys, distances, side );
        }
        kitCheckOnly( &scene,
            kitAskRay( ( double[3] ){ -1.0, -1.0, -0.25 }, ( double[3] ){ 1.0, 1.0, 0.0 }, 1e6 ), when );
        kitUpdate( &scene );
    }
    free( keys );
    free( distances );
    kitEnd( &scene );
}

static void sortedSquaresThenARay( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 300; ++i )
    {
        kitPush( &scene, cube( i, (double)i * 500.0 / 300.0, 0.0, 0.0, 0.9 ) );
        kitAddFrom( &scene, i );
        if ( i % 30 == 29 )
            kitUpdate( &scene );
        if ( i % 20 != 19 )
            continue;
        kitQuery query = kitAskRay( ( double[3] ){ 600.0, 0.5, 0.25 }, ( double[3] ){ -3.0, 0.0, 0.0 }, 1e4 );
        kitAnswer answer = kitCheckQuery( &scene, &query, "sorted squares" );
        assert_int_equal( answer.count, i + 1 );
        assert_int_equal( answer.keys[0], i );
        kitFreeAnswer( &answer );
        kitCheckOnly(
            &scene, kitAskNearest( ( double[3] ){ 250.0, 9.0, 0.0 }, 50, HUGE_VAL ), "sorted squares" );
    }
    kitEnd( &scene );
}

// Nests that are as deep as floats go, in trees that split as far as they may.
static void deepTreesThenARay( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.maxDepth = JO_MAX_TREE_DEPTH;
    def.leafCapacity = 1;
    kitScene scene = kitBegin( variant, dimension, &def );
    for ( uint32_t i = 0; i < 250; ++i )
    {
        double size = ldexp( 1.0, 110 - (int)i );
        kitPush( &scene, kitBox3( i, 0.5 * size, 0.5 * size, 0.5 * size, size, size, size ) );
    }
    kitAddFrom( &scene, 0 );
    for ( int round = 0; round < 2; ++round )
    {
        kitQuery query =
            kitAskRay( ( double[3] ){ 0.0, 0.0, 0.0 }, ( double[3] ){ 1.0, 1.0, 1.0 }, HUGE_VAL );
        kitAnswer answer = kitCheckQuery( &scene, &query, "deep nests" );
        assert_int_equal( answer.count, 250 );
        assert_int_equal( answer.keys[0], 249 );
        kitFreeAnswer( &answer );
        kitCheckOnly( &scene, kitAskNearest( ( double[3] ){ 0.0, 0.0, 0.0 }, 11, HUGE_VAL ), "deep nests" );
        kitCheckOnly(
            &scene, kitAskBox( ( double[3] ){ 0 }, ( double[3] ){ 1e-20, 1e-20, 1e-20 } ), "deep nests" );
        kitUpdate( &scene );
    }
    kitEnd( &scene );
}

// --- 9 ----------------------------------------------------------------------------------------------------

static void farFromTheOrigin( const kitVariant* variant, int dimension )
{
    static const double fars[] = { 300.0, -300.0, 711.5, 1e4, -1e6, 16777216.0, -2147483648.0, 1e12, 3e38 };
    static const float cells[] = { 0.0f, 0.01f, 0.5f, 30.0f };
    for ( int far = 0; far < 9; ++far )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.cellSize = cells[far % 4];
        kitScene scene = kitBegin( variant, dimension, &def );
        double at = refFloat( fars[far] );
        double unit = fmax( fabs( at ) * 0x1p-20, 0.5 ); // some units in the last place
        for ( uint32_t i = 0; i < 60; ++i )
        {
            double x = at + 4.0 * unit * ( i % 6 ), y = -at + 4.0 * unit * ( i / 6 );
            refObject object = i % 4 ? cube( i, x, y, at, unit ) : kitBall( i, x, y, at, unit );
            object.motion = (refMotion)( i % 3 );
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        for ( int round = 0; round < 2; ++round )
        {
            for ( int row = -1; row < 11; ++row )
            {
                double y = refFloat( -at + 4.0 * unit * row ), x = refFloat( at - 9.0 * unit );
                kitQuery query = kitAskRay( ( double[3] ){ x, y, at }, alongX, 1e3 * unit );
                kitAnswer answer = kitCheckQuery( &scene, &query, "far out" );
                assert_int_equal( answer.count, row >= 0 && row < 10 ? 6 : 0 );
                kitFreeAnswer( &answer );
                double lower[3] = { x, y, at }, upper[3] = { refFloat( at + 8.0 * unit ), y, at };
                kitCheckOnly( &scene, kitAskBox( lower, upper ), "far out" );
                kitCheckOnly( &scene, kitAskCircle( lower, 20.0 * unit ), "far out" );
                kitCheckOnly( &scene, kitAskNearest( lower, 5, HUGE_VAL ), "far out" );
                kitCheckOnly( &scene, kitAskNearest( lower, 99, refFloat( 10.0 * unit ) ), "far out" );
                kitCheckOnly(
                    &scene, kitAskRay( ( double[3] ){ 0 }, lower, HUGE_VAL ), "from the origin, far out" );
            }
            kitUpdate( &scene );
        }
        kitEnd( &scene );
    }
}

// --- 14 ---------------------------------------------------------------------------------------------------

static void touchingOneAndNotTheNext( const kitVariant* variant, int dimension )
{
    for ( uint32_t count = 1; count < 70; count = 2 * count + 1 )
    {
        for ( uint32_t touched = 0; touched <= count; touched += 1 + count / 9 )
        {
            kitScene scene = kitBegin( variant, dimension, NULL );
            for ( uint32_t i = 0; i < count; ++i )
            {
                // All are in the box of what the query covers, or as good as, and all but one miss it.
                refObject object = cube( i, 4.0, 12.0 + 3.0 * i, 0.0, 1.0 );
                if ( i == touched )
                    object = i % 2 ? kitBall( i, 4.0, 1.0, 0.0, 1.0 ) : cube( i, 4.0, 1.0, 0.0, 1.0 );
                object.motion = (refMotion)( i % 3 );
                kitPush( &scene, object );
            }
            kitAddFrom( &scene, 0 );
            double origin[3] = { 0.0, 0.0, 0.0 }, upper[3] = { 4.0, 8.0, 0.0 };
            uint64_t met = touched < count;
            for ( int round = 0; round < 2; ++round )
            {
                kitExpectKeys( &scene, kitAskRay( origin, alongX, 9.0 ), "a ray", &touched, met );
                kitExpectKeys(
                    &scene, kitAskSweptBox( origin, upper, alongX, 9.0 ), "a swept box", &touched, met );
                kitExpectKeys( &scene, kitAskBox( origin, upper ), "a box", &touched, met );
                kitExpectKeys( &scene, kitAskCircle( origin, 4.25 ), "a circle", &touched, met );
                kitExpectKeys( &scene, kitAskNearest( origin, 9, 4.25 ), "nearest", &touched, met );
                kitUpdate( &scene );
            }
            kitEnd( &scene );
        }
    }
}

// --- 16 ---------------------------------------------------------------------------------------------------

static void moreNearestThanThereAre( const kitVariant* variant, int dimension )
{
    for ( uint32_t count = 0; count < 40; count = 2 * count + 1 )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < count; ++i )
            kitPush( &scene, i % 2 ? kitBall( 100 - i, 3.0 * i, 1.0, 0.0, 0.5 )
                                   : cube( 100 - i, 3.0 * i, 1.0, 0.0, 0.5 ) );
        kitAddFrom( &scene, 0 );
        const uint32_t ks[] = {
            0, 1, 2, 3, 5, 7, count, count + 1, 2 * count + 3, UINT32_MAX - 1, UINT32_MAX };
        static const double reaches[] = { 0.0, 0.5, 1.0, 10.0, (double)FLT_MAX, HUGE_VAL };
        double point[3] = { -1.0, 1.0, 0.0 };
        for ( int round = 0; round < 2; ++round )
        {
            for ( uint32_t k = 0; k < sizeof ks / sizeof *ks; ++k )
            {
                for ( int reach = 0; reach < 6; ++reach )
                {
                    kitQuery query = kitAskNearest( point, ks[k], reaches[reach] );
                    kitAnswer answer = kitCheckQuery( &scene, &query, "k nearest" );
                    if ( reaches[reach] > 1e30 )
                        assert_int_equal( answer.count, ks[k] < count ? ks[k] : count );
                    if ( answer.count > 0 )
                    {
                        assert_int_equal( answer.keys[0], 100 );
                        assert_true( answer.distances[0] == 0.5f );
                    }
                    kitFreeAnswer( &answer );
                }
            }
            kitUpdate( &scene );
        }
        kitEnd( &scene );
    }
}

// All at one distance: the lowest keys are kept, whatever the order they are found in.
static void nearestAtOneDistance( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 60; ++i )
    {
        double side = i % 2 ? 3.0 : -3.0;
        refObject object =
            i % 4 < 2 ? cube( 59 - i, side, 0.0, 0.0, 1.0 ) : cube( 59 - i, 0.0, side, 0.0, 1.0 );
        object.motion = (refMotion)( i % 3 );
        kitPush( &scene, object );
    }
    kitAddFrom( &scene, 0 );
    for ( int round = 0; round < 2; ++round )
    {
        for ( uint32_t k = 0; k < 62; k += 3 )
        {
            kitQuery query = kitAskNearest( ( double[3] ){ 0.0, 0.0, 0.0 }, k, 2.0 );
            kitAnswer answer = kitCheckQuery( &scene, &query, "ties" );
            assert_int_equal( answer.count, k < 60 ? k : 60 );
            for ( uint32_t i = 0; i < answer.count; ++i )
                assert_int_equal( answer.keys[i], i );
            kitFreeAnswer( &answer );
        }
        kitUpdate( &scene );
    }
    kitEnd( &scene );
}

// --- all of them ------------------------------------------------------------------------------------------

typedef void CaseFcn( const kitVariant* variant, int dimension );

static const struct
{
    const char* name;
    CaseFcn* function;
} cases[] = {
    { "case 3: an object teleported onto another is there and no longer here", teleportedOntoAnother },
    { "case 4: a ray sees what was moved by hand before any step", movedByHandAndARayCast },
    { "case 4: a ray sees what was set anew before any step", setAnewAndARayCast },
    { "case 6: many boxes added one by one, then a ray: no hit is lost", manyAddedOneByOneThenARay },
    { "case 6: sorted squares in a row, then a ray", sortedSquaresThenARay },
    { "case 6: trees as deep as they may be, then a ray", deepTreesThenARay },
    { "case 9: queries far from the origin find what is there", farFromTheOrigin },
    { "case 14: touching one and not the next is still touching", touchingOneAndNotTheNext },
    { "case 16: k may be infinite, odd, none, or more than there are", moreNearestThanThereAre },
    { "case 16: of many at one distance the lowest keys are kept", nearestAtOneDistance },
};

#define CASE_COUNT ( sizeof cases / sizeof *cases )

static void everyKind( void** state )
{
    CaseFcn* function = cases[(uintptr_t)*state].function;
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
            function( kitVariants + k, dimension );
    }
}

int main( void )
{
    struct CMUnitTest tests[CASE_COUNT];
    for ( size_t k = 0; k < CASE_COUNT; ++k )
    {
        tests[k] = ( struct CMUnitTest ){
            .name = cases[k].name, .test_func = everyKind, .initial_state = (void*)(uintptr_t)k };
    }
    return cmocka_run_group_tests( tests, NULL, NULL );
}
