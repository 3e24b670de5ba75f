// SPDX-License-Identifier: MIT
// Faults that libraries of this field really had, each as a test of the whole kind of fault, over every kind
// of broad phase, on 2 and 3 axes. The case numbers are those of the list the project was given.
#include "support/broad_phase_kit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A square or cube about a centre; in 2D the third number is not used.
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

static void removeAt( kitScene* scene, uint32_t index )
{
    kitRequire( joBroadPhase_Remove( scene->broadPhase, &scene->objects[index].key, 1, NULL ), "Remove" );
    scene->objects[index] = scene->objects[--scene->count];
}

// --- 1, 2, 3, 5, 6, 7, 8 ----------------------------------------------------------------------------------

static void manyHalfSpaces( const kitVariant* variant, int dimension )
{
    for ( uint32_t sides = 1; sides < 64; sides += 3 )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 40; ++i )
        {
            refObject half = cube( i, (double)( i % 5 ), (double)( i % 7 ), (double)( i % 3 ), 0.5 );
            for ( uint32_t k = 0; k < 6; ++k )
            {
                if ( ( ( sides + i ) >> k & 1 ) == 0 )
                    continue;
                if ( k < 3 )
                    half.lower[k] = -HUGE_VAL;
                else
                    half.upper[k - 3] = HUGE_VAL;
            }
            half.motion = (refMotion)( i % 3 );
            kitPush( &scene, half );
        }
        for ( uint32_t i = 0; i < 100; ++i )
            kitPush( &scene,
                cube( 1000 + i, (double)i * 0.25 - 10.0, (double)( i % 11 ), (double)( i % 4 ), 0.25 ) );
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "half-spaces" );
        kitEnd( &scene );
    }
}

static void aLargeBoxSweepsOverSmallOnes( const kitVariant* variant, int dimension )
{
    static const double steps[] = { 0.37, 1.0, 7.5 };
    for ( uint32_t way = 0; way < 9; ++way )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 400; ++i )
        {
            refObject small = cube( i, (double)( i % 20 ), (double)( i / 20 ), (double)( i % 3 ), 0.25 );
            small.motion = (refMotion)( way % 3 );
            kitPush( &scene, small );
        }
        kitPush( &scene, cube( 1000, -8.0, 10.0, 1.0, 5.0 ) );
        kitAddFrom( &scene, 0 );
        for ( int step = 0; step < 24; ++step )
        {
            kitCheckScene( &scene, "swept over" );
            double x = -8.0 + steps[way / 3] * step;
            move( &scene, 400, cube( 1000, x, 10.0 + 0.25 * step, 1.0, 5.0 ) );
        }
        kitEnd( &scene );
    }
}

static void teleportedOntoAnother( const kitVariant* variant, int dimension )
{
    for ( uint32_t motion = 0; motion < 3; ++motion )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 50; ++i )
        {
            refObject object = cube( i, 100.0 * i, -50.0 * i, 10.0 * i, 0.5 );
            object.motion = i ? (refMotion)motion : ref_moving;
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        for ( uint32_t to = 1; to < 50; ++to )
        {
            refObject target = scene.objects[to];
            move( &scene, 0, target );
            kitCheckScene( &scene, "teleported onto another" );
        }
        move( &scene, 0, cube( 0, -1e6, 1e6, 0.0, 0.5 ) );
        kitCheckScene( &scene, "teleported away" );
        kitEnd( &scene );
    }
}

static void addedWhileTheRootChanges( const kitVariant* variant, int dimension )
{
    for ( uint32_t given = 0; given < 3; ++given )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        if ( given )
        {
            for ( int k = 0; k < 3; ++k )
            {
                def.rootBounds[k] = given == 1 ? -1.0f : 40.0f; // too small; or elsewhere
                def.rootBounds[k + 3] = given == 1 ? 1.0f : 41.0f;
            }
        }
        kitScene scene = kitBegin( variant, dimension, &def );
        for ( uint32_t i = 0; i < 64; ++i )
        {
            // Outward, to another side each time; each touches the last at a corner or covers it.
            double reach = ldexp( 1.0, (int)i / 3 );
            double sign = i % 2 ? 1.0 : -1.0, other = i % 4 < 2 ? 1.0 : -1.0;
            kitPush( &scene, cube( i, sign * reach, other * reach, sign * other * reach, 0.75 * reach ) );
            kitAddFrom( &scene, i );
            kitCheckScene( &scene, "the root grows" );
        }
        while ( scene.count > 0 )
        {
            removeAt( &scene, scene.count / 2 );
            if ( scene.count % 5 == 0 )
                kitCheckScene( &scene, "the root shrinks" );
        }
        kitEnd( &scene );
    }
}

static void manyAddedOneByOne( const kitVariant* variant, int dimension )
{
    uint32_t count = kitQuick() ? 1500 : 10000;
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < count; ++i )
    {
        kitPush(
            &scene, cube( i, (double)( i * 7919 % 1000 ) * 0.5, (double)i * 0.05, (double)( i % 10 ), 0.6 ) );
        kitAddFrom( &scene, i );
    }
    kitCheckScene( &scene, "added one by one" );
    kitEnd( &scene );

    // Sorted squares in a row, found after each: the worst order for a tree that is not balanced.
    scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 300; ++i )
    {
        kitPush( &scene, cube( i, (double)i * 500.0 / 300.0, 0.0, 0.0, 0.9 ) );
        kitAddFrom( &scene, i );
        if ( i % 20 == 19 )
            kitCheckScene( &scene, "sorted squares" );
    }
    kitCheckScene( &scene, "sorted squares" );
    kitEnd( &scene );
}

static void deepNests( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.maxDepth = JO_MAX_TREE_DEPTH;
    def.leafCapacity = 1;
    kitScene scene = kitBegin( variant, dimension, &def );
    // Each half as far from the corner and half as large as the last: down to denormals.
    for ( uint32_t i = 0; i < 290; ++i )
    {
        double size = ldexp( 1.0, 100 - (int)i ) < 0x1p-149 ? 0.0 : ldexp( 1.0, 100 - (int)i );
        kitPush( &scene, kitBox3( i, 0.5 * size, 0.5 * size, 0.5 * size, size, size, size ) );
        if ( size * 0.5 < 0x1p-149 )
            scene.objects[i].lower[0] = scene.objects[i].lower[1] = scene.objects[i].lower[2] = 0.0;
    }
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "deep nests" );
    kitEnd( &scene );
}

static void emptyBoxesAreRefused( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 100; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            refObject empty = kitBox3( i, HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL );
            if ( k == 1 ) // not inverted, but no place in space
                empty = kitBox3( i, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL );
            if ( k == 2 )
                empty = kitBox3( i, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL );
            joResult result = kitAdd( scene.broadPhase, dimension, jo_moving, &empty, 1 );
            assert_int_equal( result, jo_errorInvertedBox );
            assert_false( joBroadPhase_Contains( scene.broadPhase, i, NULL ) );
        }
    }
    kitCheckScene( &scene, "empty boxes" );
    kitEnd( &scene );
}

// Inside, a removed object's place may hold an empty box: it must not meet even the box of all space.
static void whatWasRemovedMeetsNotEvenAllOfSpace( const kitVariant* variant, int dimension )
{
    for ( uint32_t motion = 0; motion < 3; ++motion )
    {
        for ( uint32_t left = 0; left < 40; left += 13 )
        {
            kitScene scene = kitBegin( variant, dimension, NULL );
            for ( uint32_t i = 0; i < 40; ++i )
            {
                refObject object = cube( i, (double)i, 0.0, 0.0, 0.5 );
                object.motion = (refMotion)motion;
                kitPush( &scene, object );
            }
            kitPush( &scene, kitBox3( 500, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL ) );
            kitPush( &scene, kitBox3( 501, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL ) );
            kitAddFrom( &scene, 0 );
            kitCheckScene( &scene, "before removing" );
            for ( uint32_t i = 40; i > left; --i )
            {
                removeAt( &scene, i - 1 );
                uint64_t counted = 0;
                kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &counted ), "CountPairs" );
                refPairs expected = { 0 };
                refFindPairs( scene.objects, scene.count, dimension, &expected );
                if ( counted != expected.count )
                    fail_msg( "%s, %d axes: %u pairs counted after a removal, %zu expected", variant->name,
                        dimension, (uint32_t)counted, expected.count );
                refFreePairs( &expected );
                if ( i % 4 == 0 )
                    kitCheckScene( &scene, "after removing" );
            }
            kitEnd( &scene );
        }
    }
}

static void atExactlyOnePosition( const kitVariant* variant, int dimension )
{
    static const double places[] = { 0.0, -0.0, 1.0, -1e6, 3e38, 0x1p-149 };
    for ( int place = 0; place < 6; ++place )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 37; ++i )
        {
            double p = places[place];
            kitPush(
                &scene, i % 3 ? kitBall( i, p, p, p, i % 2 ? 0.0 : 0.5 ) : kitBox3( i, p, p, p, p, p, p ) );
        }
        kitAddFrom( &scene, 0 );
        for ( int step = 0; step < 3; ++step )
        {
            kitCheckScene( &scene, "at one position" );
            move( &scene, 5, scene.objects[6] );
        }
        kitEnd( &scene );
    }
}

// --- 10 to 14 ---------------------------------------------------------------------------------------------

static void fallingForever( const kitVariant* variant, int dimension )
{
    for ( int round = 0; round < 2; ++round )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 60; ++i )
            kitPush( &scene, cube( i, (double)( i % 8 ), (double)( i / 8 ), 0.0, 0.5 ) );
        kitAddFrom( &scene, 0 );
        for ( int power = 0; power < 128; power += 3 )
        {
            double y = fmax( -ldexp( 1.0, power ), -(double)FLT_MAX );
            move( &scene, 3, round ? kitBall( 3, -y, y, y, 0.5 ) : cube( 3, -y, y, y, 0.5 ) );
            move( &scene, 4, round ? kitBall( 4, -y, y, y, 1e30 ) : cube( 4, 0.0, y, 0.0, 0.5 ) );
            kitCheckScene( &scene, "falling" );
        }
        // One step further there is no such place; what was stays.
        refObject gone =
            round ? kitBall( 3, HUGE_VAL, -HUGE_VAL, 0.0, 0.5 ) : kitBox3( 3, NAN, 0, 0, NAN, 0, 0 );
        joResult result = kitMove( scene.broadPhase, dimension, &gone, 1 );
        assert_int_equal( result, round ? jo_errorBadRadius : jo_errorNotANumber );
        kitCheckScene( &scene, "fallen out" );
        kitEnd( &scene );
    }
}

static void hugeBoxesAmongTinyCells( const kitVariant* variant, int dimension )
{
    static const double sizes[] = { 1e3, 1e6, 1e9, 1e20, 1e30, 3e38 };
    for ( int size = 0; size < 6; ++size )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.cellSize = 0.001f;
        kitScene scene = kitBegin( variant, dimension, &def );
        for ( uint32_t i = 0; i < 20; ++i )
        {
            refObject huge = cube( 900 + i, (double)i, (double)i, 0.0, sizes[size] );
            if ( i % 4 == 1 )
                huge.lower[0] = huge.upper[0] = (double)i; // a wall
            if ( i % 4 == 2 )
                huge.upper[1] = huge.lower[1] = (double)i;
            huge.motion = (refMotion)( i % 3 );
            kitPush( &scene, huge );
        }
        for ( uint32_t i = 0; i < 200; ++i )
            kitPush( &scene, cube( i, (double)i * 0.0007, (double)( i % 9 ), 0.0, 0.0005 ) );
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "huge boxes" );
        kitEnd( &scene );
    }
}

static void cellsOfEitherSign( const kitVariant* variant, int dimension )
{
    static const double cells[] = { 1.0, 0.1, 1000.0 };
    for ( int size = 0; size < 3; ++size )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.cellSize = (float)cells[size];
        kitScene scene = kitBegin( variant, dimension, &def );
        uint32_t key = 0;
        for ( int z = -2; z <= 2; ++z )
        {
            for ( int y = -3; y <= 3; ++y )
            {
                for ( int x = -3; x <= 3; ++x )
                {
                    double c = cells[size];
                    kitPush(
                        &scene, cube( key++, ( x + 0.5 ) * c, ( y + 0.5 ) * c, ( z + 0.5 ) * c, 0.4 * c ) );
                    if ( key % 3 == 0 )
                        kitPush( &scene, cube( key++, x * c, y * c, z * c, 0.3 * c ) );
                }
            }
        }
        // Cells whose numbers agree in their low 16 bits, or are far beyond an int.
        for ( int i = 1; i < 20; ++i )
        {
            double far = cells[size] * ldexp( 1.0, 16 + i );
            kitPush( &scene, cube( key++, far, -far, far, 0.4 * cells[size] ) );
            kitPush( &scene, cube( key++, far, -far, far, 0.2 * cells[size] ) );
            kitPush( &scene, cube( key++, -far, -far, far, 0.4 * cells[size] ) );
        }
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "cells of either sign" );
        kitEnd( &scene );
    }
}

static void steadyCreateAndDelete( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    uint32_t next = 0;
    uint64_t warm = 0, allocations = 0;
    int frames = kitQuick() ? 300 : 1500;
    for ( int frame = 0; frame < frames; ++frame )
    {
        for ( int k = 0; k < 10; ++k )
        {
            uint32_t key = next++ * 0x9E3779B1u;
            uint32_t at = next % 997;
            refObject object = cube( key, at * 0.1, ( at * 7 % 31 ) * 1.0 + frame, 0.0, 0.6 );
            object.motion = (refMotion)( next % 3 );
            kitPush( &scene, object );
            kitAddFrom( &scene, scene.count - 1 );
        }
        while ( scene.count > 200 )
            removeAt( &scene, (uint32_t)( frame * 31 ) % scene.count );
        uint64_t counted = 0;
        kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &counted ), "CountPairs" );
        if ( frame % 50 == 0 )
            kitCheckScene( &scene, "steady create and delete" );
        joBroadPhaseStats stats = joBroadPhase_GetStats( scene.broadPhase );
        if ( frame == frames / 2 )
        {
            warm = stats.memoryBytes;
            allocations = stats.allocationCount;
        }
    }
    joBroadPhaseStats stats = joBroadPhase_GetStats( scene.broadPhase );
    // A new high-water mark may come late, but not one a frame.
    if ( stats.memoryBytes > warm + warm / 2 || stats.allocationCount > allocations + 12 )
        fail_msg( "%s: %llu bytes at half time, %llu at the end, %llu allocations between", variant->name,
            (unsigned long long)warm, (unsigned long long)stats.memoryBytes,
            (unsigned long long)( stats.allocationCount - allocations ) );
    kitEnd( &scene );
}

static void touchingOneAndNotTheNext( const kitVariant* variant, int dimension )
{
    // Every order of one that touches both, two that do not touch each other, and one apart.
    for ( uint32_t order = 0; order < 24; ++order )
    {
        uint32_t place[4] = { 0, 1, 2, 3 }, rest = order;
        for ( uint32_t k = 4; k > 1; --k )
        {
            uint32_t other = rest % k, kept = place[k - 1];
            rest /= k;
            place[k - 1] = place[other];
            place[other] = kept;
        }
        for ( int round = 0; round < 2; ++round )
        {
            kitScene scene = kitBegin( variant, dimension, NULL );
            static const double xs[4] = { 0.0, 2.0, -2.0, 4.5 };
            for ( uint32_t i = 0; i < 4; ++i )
            {
                double x = xs[place[i]];
                kitPush( &scene, round ? kitBall( i, x, 0.0, 0.0, 1.0 ) : cube( i, x, 0.0, 0.0, 1.0 ) );
                kitAddFrom( &scene, i );
                kitCheckScene( &scene, "touching one and not the next" );
            }
            kitEnd( &scene );
        }
    }
}

// --- 15 to 21 ---------------------------------------------------------------------------------------------

static void nothingIsDroppedAtACapacity( const kitVariant* variant, int dimension )
{
    uint32_t count = kitQuick() ? 120 : 600;
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < count; ++i )
        kitPush( &scene, cube( i, 0.0, 0.001 * i, 0.0, 0.5 ) );
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "piled" );
    refPairs expected = { 0 };
    refFindPairs( scene.objects, scene.count, dimension, &expected );
    joPair* pairs = malloc( ( expected.count + 1 ) * sizeof( joPair ) );
    assert_non_null( pairs );
    size_t capacities[] = { 0, 1, 2, 255, 256, 4095, 4096, 4097, expected.count - 1, expected.count };
    for ( size_t k = 0; k < sizeof capacities / sizeof *capacities; ++k )
    {
        size_t capacity = capacities[k] < expected.count ? capacities[k] : expected.count;
        joPair guard = { 123456789u, 987654321u };
        pairs[capacity] = guard;
        uint64_t pairCount = 0, copied = 0;
        kitRequire( joBroadPhase_FindPairs( scene.broadPhase, pairs, capacity, &pairCount ), "FindPairs" );
        assert_int_equal( pairCount, expected.count );
        assert_memory_equal( pairs + capacity, &guard, sizeof guard );
        kitRequire( joBroadPhase_GetPairs(
                        scene.broadPhase, capacity, pairs + capacity, expected.count - capacity, &copied ),
            "GetPairs" );
        assert_int_equal( copied, expected.count - capacity );
        assert_int_equal(
            kitFirstDifference( pairs, pairCount, expected.data, expected.count ), expected.count );
    }
    free( pairs );
    refFreePairs( &expected );
    kitEnd( &scene );
}

// A row in which each touches the next: as many pairs as objects less one, whatever the block counts.
static void aMillionWithOneWorker( const kitVariant* variant, int dimension )
{
    uint32_t count = kitQuick() ? 70000 : 1000000;
    if ( variant->kind == jo_bruteForce )
        count = kitQuick() ? 5000 : 66000;
    joBroadPhaseDef def = kitDef( variant, dimension );
    kitScene scene = kitBegin( variant, dimension, &def );
    float* lower = malloc( count * sizeof( float ) );
    float* upper = malloc( count * sizeof( float ) );
    assert_non_null( lower );
    assert_non_null( upper );
    for ( uint32_t i = 0; i < count; ++i )
    {
        lower[i] = (float)i;
        upper[i] = (float)( i + 1 );
    }
    float zero = 0.0f, one = 1.0f;
    joBoxes boxes = {
        { lower, 4 }, { &zero, 0 }, { &zero, 0 }, { upper, 4 }, { &one, 0 }, { &one, 0 }, .count = count };
    kitRequire( joBroadPhase_SetBoxes( scene.broadPhase, &boxes, NULL ), "SetBoxes" );
    uint64_t pairCount = 0;
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &pairCount ), "FindPairs" );
    const joPair* pairs = joBroadPhase_ViewPairs( scene.broadPhase, &pairCount );
    assert_int_equal( pairCount, count - 1 );
    for ( uint32_t i = 0; i + 1 < count; ++i )
    {
        if ( pairs[i].a != i || pairs[i].b != i + 1 )
            fail_msg( "%s: pair %u is (%u, %u)", variant->name, i, pairs[i].a, pairs[i].b );
    }
    free( lower );
    free( upper );
    kitEnd( &scene );
}

static void oddCountsAndTooMuchRoom( const kitVariant* variant, int dimension )
{
    for ( uint32_t count = 0; count < 70; ++count )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.objectReserve = count / 2;
        def.pairReserve = count;
        kitScene scene = kitBegin( variant, dimension, &def );
        for ( uint32_t i = 0; i < count; ++i )
            kitPush( &scene, cube( i, (double)( i % 9 ) * 0.8, (double)( i / 9 ) * 0.8, 0.0, 0.5 ) );
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "odd counts" );
        joPair pairs[600];
        memset( pairs, 0x5A, sizeof pairs );
        uint64_t pairCount = 0, copied = 99;
        kitRequire( joBroadPhase_FindPairs( scene.broadPhase, pairs, 600, &pairCount ), "FindPairs" );
        assert_true( pairCount < 600 );
        assert_int_equal( pairs[pairCount].a, 0x5A5A5A5A );
        kitRequire(
            joBroadPhase_GetPairs( scene.broadPhase, UINT64_MAX, pairs, UINT64_MAX, &copied ), "GetPairs" );
        assert_int_equal( copied, 0 );
        kitRequire( joBroadPhase_GetPairs( scene.broadPhase, pairCount, pairs, 600, &copied ), "GetPairs" );
        assert_int_equal( copied, 0 );
        kitRequire( joBroadPhase_GetPairs( scene.broadPhase, 0, pairs, UINT64_MAX, &copied ), "GetPairs" );
        assert_int_equal( copied, pairCount );
        kitEnd( &scene );
    }
}

static void pairsWhoseKeysHashAlike( const kitVariant* variant, int dimension )
{
    // All pairs of keys with equal sums, equal xors and equal low bits among them; parked and moving.
    for ( uint32_t motion = 1; motion < 3; ++motion )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        static const uint32_t scales[] = { 1, 65536, 0x01000193 };
        for ( uint32_t i = 0; i < 210; ++i )
        {
            refObject object = cube( ( 130 + i % 70 ) * scales[i / 70], 0.0, 0.0, 0.0, 0.5 );
            object.motion = (refMotion)motion;
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "keys that hash alike" );
        move( &scene, 141 - 130, cube( 0, 50.0, 0.0, 0.0, 0.5 ) );
        kitCheckScene( &scene, "one of them moved away" );
        move( &scene, 192 - 130, cube( 0, 50.0, 0.0, 0.0, 0.5 ) );
        kitCheckScene( &scene, "another moved to it" );
        for ( uint32_t i = 0; i < 40; ++i )
            removeAt( &scene, i );
        kitCheckScene( &scene, "some removed" );
        kitEnd( &scene );
    }
}

static void pointsThatAreAllEqual( const kitVariant* variant, int dimension )
{
    for ( uint32_t leaf = 1; leaf < 1025; leaf *= 32 )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.leafCapacity = leaf < 1024 ? leaf : 1024;
        def.maxDepth = JO_MAX_TREE_DEPTH;
        kitScene scene = kitBegin( variant, dimension, &def );
        for ( uint32_t i = 0; i < 300; ++i )
            kitPush( &scene, kitBox3( i, 3.7f, -1.3f, 0.1f, 3.7f, -1.3f, 0.1f ) );
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "equal points" );
        kitPush( &scene, kitBox3( 1000, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f ) );
        kitAddFrom( &scene, 300 );
        kitCheckScene( &scene, "equal points and one far" );
        kitEnd( &scene );
    }
    uint32_t count = kitQuick() ? 1000 : 5000;
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < count; ++i )
        kitPush( &scene, kitBall( i, 0.1f, 0.1f, 0.1f, 0.0 ) );
    kitAddFrom( &scene, 0 );
    uint64_t pairCount = 0;
    kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &pairCount ), "CountPairs" );
    assert_int_equal( pairCount, (uint64_t)count * ( count - 1 ) / 2 );
    kitEnd( &scene );
}

static void theCellSizeAskedForIsUsed( const kitVariant* variant, int dimension )
{
    static const float sizes[] = { 0.1f, 1.0f, 3.7f, 100.0f };
    if ( variant->kind != jo_grid )
        return;
    for ( int size = 0; size < 4; ++size )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.cellSize = sizes[size];
        def.levels = 1;
        kitScene scene = kitBegin( variant, dimension, &def );
        // Boxes whose borders are whole multiples of the cell, where a wrong floor shows.
        for ( int i = -20; i < 20; ++i )
        {
            float lower = (float)i * sizes[size], upper = (float)( i + 1 ) * sizes[size];
            kitPush( &scene, kitBox3( (uint32_t)( i + 20 ), (double)lower, (double)lower, 0.0, (double)upper,
                                 (double)upper, 0.0 ) );
        }
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "borders on whole cells" );
        float used = joBroadPhase_GetStats( scene.broadPhase ).cellSize;
        if ( used != sizes[size] )
            fail_msg( "%s: cell size %g was asked for, %g is used", variant->name, (double)sizes[size],
                (double)used );
        kitEnd( &scene );
    }
}

static void aLargeObjectBesideASmallOne( const kitVariant* variant, int dimension )
{
    static const float looseness[] = { 1.001f, 1.25f, 1.5f, 2.0f };
    for ( uint32_t way = 0; way < 32; ++way )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        if ( def.looseness > 1.0f )
            def.looseness = looseness[way % 4];
        def.maxDepth = 1 + way % 12;
        def.leafCapacity = 1;
        for ( int k = 0; k < 3 && way >= 16; ++k )
        {
            def.rootBounds[k] = -64.0f;
            def.rootBounds[k + 3] = 64.0f;
        }
        kitScene scene = kitBegin( variant, dimension, &def );
        static const double centers[] = { 0.0, 1.0, 15.999, 16.0, -16.001, 33.0, 63.9, -64.0 };
        static const double halves[] = { 1.0, 7.99, 8.0, 16.0, 31.0, 40.0 };
        uint32_t key = 0;
        double c = centers[way % 8], half = halves[way % 6];
        kitPush( &scene, cube( key++, c, -c, c, half ) );
        for ( int side = -1; side <= 1; side += 2 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                for ( int gap = -1; gap <= 1; ++gap )
                {
                    // Touches the large one's side, reaches into it, or stays just off it.
                    double center[3] = { c, -c, c };
                    center[k] += side * ( half + 0.125 + gap * 0x1p-6 );
                    kitPush( &scene, cube( key++, center[0], center[1], center[2], 0.125 ) );
                }
            }
        }
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "beside a large one" );
        kitEnd( &scene );
    }
}

static void anotherNumberOfThreads( const kitVariant* variant, int dimension )
{
    refSceneDef draw = { .distribution = ref_clumps,
        .axisCount = dimension,
        .count = kitQuick() ? 1500 : 6000,
        .cellSize = 1.0,
        .roundShare = 0.3,
        .neighbours = 4.0 };
    refRandom random = refMakeRandom( 21, (uint64_t)dimension );
    refPrepareScene( &draw, &random );
    kitScene scenes[4];
    for ( uint32_t threads = 1; threads <= 4; ++threads )
    {
        joBroadPhaseDef def = kitDef( variant, dimension );
        def.jobs = kitJobs( threads );
        scenes[threads - 1] = kitBegin( variant, dimension, &def );
        refRandom same = random;
        for ( uint32_t i = 0; i < draw.count; ++i )
        {
            refObject object = { .key = i * 0x9E3779B1u, .motion = (refMotion)( i / 500 % 3 ) };
            refDrawShape( &draw, &same, &object );
            refDrawLayers( &draw, &same, &object );
            kitPush( scenes + threads - 1, object );
        }
        kitAddFrom( scenes + threads - 1, 0 );
        kitCheckScene( scenes + threads - 1, "another number of threads" );
    }
    uint64_t counts[4];
    const joPair* first = joBroadPhase_ViewPairs( scenes[0].broadPhase, counts );
    for ( int k = 1; k < 4; ++k )
    {
        const joPair* pairs = joBroadPhase_ViewPairs( scenes[k].broadPhase, counts + k );
        assert_int_equal( counts[k], counts[0] );
        assert_memory_equal( pairs, first, counts[0] * sizeof( joPair ) );
    }
    for ( int k = 3; k >= 0; --k )
        kitEnd( scenes + k );
}

// --- the table --------------------------------------------------------------------------------------------

typedef void CaseFcn( const kitVariant* variant, int dimension );

static const struct
{
    const char* name;
    CaseFcn* function;
} cases[] = {
    { "case 1: many half-spaces and boxes lose no pair", manyHalfSpaces },
    { "case 2: a large box that sweeps over small ones misses none", aLargeBoxSweepsOverSmallOnes },
    { "case 3: an object teleported onto another meets it at once", teleportedOntoAnother },
    { "case 5: boxes added while the root changes are found", addedWhileTheRootChanges },
    { "case 6: many boxes added one by one overflow no stack", manyAddedOneByOne },
    { "case 6: nests as deep as floats go are found and freed", deepNests },
    { "case 7: empty boxes are refused", emptyBoxesAreRefused },
    { "case 7: what was removed meets not even all of space", whatWasRemovedMeetsNotEvenAllOfSpace },
    { "case 8: objects at exactly one position meet once each", atExactlyOnePosition },
    { "case 10: a body that falls forever is followed to the end of floats", fallingForever },
    { "case 11: huge boxes among tiny cells cost no enumeration", hugeBoxesAmongTinyCells },
    { "case 12: cells of either sign are not confused", cellsOfEitherSign },
    { "case 13: steady create and delete neither grows nor loops", steadyCreateAndDelete },
    { "case 14: touching one and not the next is still touching", touchingOneAndNotTheNext },
    { "case 15: nothing is dropped when a capacity is reached", nothingIsDroppedAtACapacity },
    { "case 15: a million objects with one worker are all looked at", aMillionWithOneWorker },
    { "case 16: odd counts and too much room are served", oddCountsAndTooMuchRoom },
    { "case 17: pairs whose keys hash alike stay apart", pairsWhoseKeysHashAlike },
    { "case 18: points that are all equal end a tree's splitting", pointsThatAreAllEqual },
    { "case 19: the cell size asked for is used", theCellSizeAskedForIsUsed },
    { "case 20: a large object is found by what lies beside it", aLargeObjectBesideASmallOne },
    { "case 21: another number of threads gives the same list", anotherNumberOfThreads },
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

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    struct CMUnitTest tests[CASE_COUNT];
    for ( size_t k = 0; k < CASE_COUNT; ++k )
    {
        tests[k] = ( struct CMUnitTest ){
            .name = cases[k].name, .test_func = everyKind, .initial_state = (void*)(uintptr_t)k };
    }
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
