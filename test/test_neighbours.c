// SPDX-License-Identifier: MIT
// Neighbours against plain loops: all kinds, all sorts of keys, any number of threads, changes, errors, and
// memory that fails.
#include "jostle/neighbours.h"
#include "reference/reference_neighbours.h"
#include "support/broad_phase_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum KeyStyle
{
    keys_index, // 0 .. count - 1
    keys_close, // with gaps, not from 0
    keys_scattered,
    keys_edges,       // both ends of the range, and little between
    keys_generations, // few indices below many high bits
    keys_styleCount
} KeyStyle;

static uint32_t keyFor( KeyStyle style, uint32_t i )
{
    switch ( style )
    {
        case keys_close:
            return 1000 + 2 * i - i % 2;
        case keys_scattered:
            return i * 0x9E3779B1u;
        case keys_edges:
            return i % 2 == 0 ? i / 2 : UINT32_MAX - i / 2;
        case keys_generations:
            return ( i % 251 ) << 24 | i / 251;
        default:
            return i;
    }
}

static void requireRows(
    const joNeighbours* rows, const refObject* objects, uint32_t count, int dimension, const char* what )
{
    refNeighbours expected = refFindNeighbours( objects, count, dimension );
    if ( rows->rowCount != count )
        fail_msg( "%s: %u rows of %u objects", what, rows->rowCount, count );
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint64_t length = rows->offsets[i + 1] - rows->offsets[i];
        uint64_t wanted = expected.offsets[i + 1] - expected.offsets[i];
        if ( rows->keys[i] != expected.keys[i] || length != wanted ||
             rows->offsets[i] != expected.offsets[i] ||
             ( wanted > 0 &&
                 memcmp( rows->neighbours + rows->offsets[i], expected.neighbours + expected.offsets[i],
                     wanted * sizeof( uint32_t ) ) != 0 ) )
            fail_msg( "%s: row %u of key %u (expected %u): %llu neighbours, expected %llu, or other ones",
                what, i, rows->keys[i], expected.keys[i], (unsigned long long)length,
                (unsigned long long)wanted );
        if ( joNeighbours_FindRow( rows, rows->keys[i] ) != i )
            fail_msg( "%s: key %u is not found in row %u", what, rows->keys[i], i );
    }
    refFreeNeighbours( &expected );
}

static void checkRows( kitScene* scene, const char* what )
{
    char text[160];
    snprintf( text, sizeof text, "%s, %dD, %s", scene->variant->name, scene->dimension, what );
    joNeighbours rows;
    kitRequire( joBroadPhase_FindNeighbours( scene->broadPhase, &rows ), text );
    requireRows( &rows, scene->objects, scene->count, scene->dimension, text );
}

static void drawScene( kitScene* scene, uint32_t count, refDistribution distribution, KeyStyle style,
    bool onlyMoving, uint32_t layerCount )
{
    refSceneDef draw = { .distribution = distribution,
        .axisCount = scene->dimension,
        .count = count,
        .cellSize = 1.0,
        .roundShare = 0.4,
        .neighbours = 5.0,
        .layerCount = layerCount };
    refRandom random = refMakeRandom( kitEnvironment( "JOSTLE_SEED", 20260301 ), count * 64 + style );
    refPrepareScene( &draw, &random );
    for ( uint32_t i = 0; i < count; ++i )
    {
        refObject object = { .key = keyFor( style, i ), .motion = ref_moving };
        object.motion = onlyMoving ? ref_moving : (refMotion)refBelow( &random, 3 );
        refDrawShape( &draw, &random, &object );
        refDrawLayers( &draw, &random, &object );
        kitPush( scene, object );
    }
    kitAddFrom( scene, 0 );
}

static void rowsAreThoseOfPlainLoops( void** state )
{
    (void)state;
    static const refDistribution distributions[] = {
        ref_uniform, ref_clumps, ref_mixedSizes, ref_halfSpaces, ref_integers, ref_points };
    const uint32_t counts[] = { 0, 1, 2, 33, 150 };
    const uint32_t last = kitQuick() ? 4 : 5;
    for ( uint32_t v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        for ( uint32_t run = 0; run < 6 * keys_styleCount * last; ++run )
        {
            joBroadPhaseDef def = kitDef( &kitVariants[v], run % 2 ? 2 : 3 );
            def.jobs = kitJobs( run % 3 + 1 );
            def.sortPairs = run % 7 != 0;
            kitScene scene = kitBegin( &kitVariants[v], def.dimension, &def );
            KeyStyle style = (KeyStyle)( run % keys_styleCount );
            drawScene( &scene, counts[run / ( 6 * keys_styleCount )], distributions[run % 6], style,
                run % 4 == 0, run % 5 == 1 ? 3 : 0 );
            checkRows( &scene, "added" );
            kitEnd( &scene );
        }
    }
}

static void rowsOfDefaultKeysAreTheObjects( void** state )
{
    (void)state;
    for ( uint32_t workers = 1; workers <= 3; ++workers )
    {
        joBroadPhaseDef def = kitDef( &kitVariants[3], 2 );
        def.jobs = kitJobs( workers );
        kitScene scene = kitBegin( &kitVariants[3], 2, &def );
        for ( uint32_t i = 0; i < 300; ++i )
            kitPush( &scene, kitBall( i, i % 20, i / 20, 0.0, i % 3 ? 0.6 : 0.4 ) );
        kitColumns columns = { 0 };
        kitFill( &columns, scene.objects, NULL, scene.count, 2, kit_noKeys );
        kitRequire( joBroadPhase_SetCircles( scene.broadPhase, &columns.circles, NULL ), "SetCircles" );
        checkRows( &scene, "default keys" );
        // A static object beside them, with a key far away and with one that is next.
        kitPush( &scene, kitBox2( workers == 2 ? 300 : 4000000000u, 3.0, 3.0, 4.0, 4.0 ) )->motion =
            ref_static;
        kitAddFrom( &scene, 300 );
        checkRows( &scene, "and a static one" );
        kitFreeColumns( &columns );
        kitEnd( &scene );
    }
}

// Enough pairs for several parts, and a row that most of them are in.
static void rowsAreTheSameForAnyNumberOfThreads( void** state )
{
    (void)state;
    const uint32_t count = kitQuick() ? 9000 : 30000;
    const uint32_t workerCounts[] = { 1, 2, 3, 8 };
    uint32_t* first = NULL;
    uint64_t total = 0;
    for ( uint32_t run = 0; run < 8; ++run )
    {
        joBroadPhaseDef def = kitDef( &kitVariants[3], 2 );
        def.jobs = kitJobs( workerCounts[run % 4] );
        kitScene scene = kitBegin( &kitVariants[3], 2, &def );
        for ( uint32_t i = 0; i < count; ++i )
        {
            double x = i % 200, y = i / 200;
            kitPush( &scene, kitBox2( run < 4 ? i : i * 3 * 0x9E3779B1u, x, y, x + 1.2, y + 1.2 ) );
        }
        kitPush( &scene, kitBox2( run < 4 ? count : 5, 0.0, 0.0, 200.0, 200.0 ) );
        kitAddFrom( &scene, 0 );
        joNeighbours rows;
        kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), "FindNeighbours" );
        assert_int_equal( rows.rowCount, count + 1 );
        uint64_t size = rows.offsets[rows.rowCount];
        if ( run % 4 == 0 )
        {
            total = size;
            first = malloc( total * sizeof( uint32_t ) );
            assert_non_null( first );
            memcpy( first, rows.neighbours, total * sizeof( uint32_t ) );
        }
        assert_int_equal( size, total );
        assert_memory_equal( first, rows.neighbours, total * sizeof( uint32_t ) );
        // Both sides of every pair, as the list of pairs says.
        uint64_t pairCount;
        const joPair* pairs = joBroadPhase_ViewPairs( scene.broadPhase, &pairCount );
        assert_int_equal( 2 * pairCount, total );
        uint64_t seen = 0;
        for ( uint32_t row = 0; row < rows.rowCount; ++row )
        {
            for ( uint64_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k )
            {
                if ( k > rows.offsets[row] && rows.neighbours[k - 1] >= rows.neighbours[k] )
                    fail_msg( "row %u is not ascending", row );
                if ( rows.neighbours[k] < rows.keys[row] )
                    continue;
                assert_int_equal( pairs[seen].a, rows.keys[row] );
                assert_int_equal( pairs[seen].b, rows.neighbours[k] );
                seen += 1;
            }
        }
        assert_int_equal( seen, pairCount );
        if ( run % 4 == 3 )
            free( first );
        kitEnd( &scene );
    }
}

static joNeighbourList emptyList( void )
{
    return ( joNeighbourList ){ NULL, NULL, 0, NULL, 0, 77, 77 };
}

static void requireStale( kitScene* scene, const char* after )
{
    joNeighbourList list = emptyList();
    kitRequire( joBroadPhase_GetNeighbours( scene->broadPhase, &list ), after );
    if ( list.rowCount != 0 || list.neighbourCount != 0 )
        fail_msg( "rows of before %s are given out after it", after );
    checkRows( scene, after );
    kitRequire( joBroadPhase_GetNeighbours( scene->broadPhase, &list ), after );
    assert_int_equal( list.rowCount, scene->count );
}

static void rowsFollowEveryChange( void** state )
{
    (void)state;
    for ( uint32_t v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        kitScene scene = kitBegin( &kitVariants[v], 3, NULL );
        drawScene( &scene, 90, ref_uniform, keys_scattered, false, 0 );
        requireStale( &scene, "adding" );
        // What has been found by itself serves as well.
        kitCheckScene( &scene, "between" );
        checkRows( &scene, "after FindPairs" );
        uint64_t pairCount;
        kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &pairCount ), "CountPairs" );
        checkRows( &scene, "after CountPairs" );
        scene.objects[3] = kitBox3( scene.objects[3].key, -5.0, -5.0, -5.0, 90.0, 90.0, 90.0 );
        scene.objects[3].motion = ref_moving;
        uint32_t key = scene.objects[3].key;
        kitRequire( joBroadPhase_SetMotion( scene.broadPhase, jo_moving, &key, 1, NULL ), "SetMotion" );
        kitRequire( kitMove( scene.broadPhase, 3, scene.objects + 3, 1 ), "Move" );
        requireStale( &scene, "moving" );
        scene.objects[3].motion = ref_static;
        kitRequire( joBroadPhase_SetMotion( scene.broadPhase, jo_static, &key, 1, NULL ), "SetMotion" );
        requireStale( &scene, "freezing" );
        key = scene.objects[60].key;
        scene.objects[60] = scene.objects[--scene.count];
        kitRequire( joBroadPhase_Remove( scene.broadPhase, &key, 1, NULL ), "Remove" );
        requireStale( &scene, "removing" );
        joNeighbours rows;
        kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), "FindNeighbours" );
        assert_int_equal( joNeighbours_FindRow( &rows, key ), JO_NULL_INDEX );
        // As many objects as before, with another key.
        key = scene.objects[7].key;
        kitRequire( joBroadPhase_Remove( scene.broadPhase, &key, 1, NULL ), "Remove" );
        scene.objects[7] = scene.objects[--scene.count];
        kitPush( &scene, kitBall( 12345, 0.0, 0.0, 0.0, 9.0 ) );
        kitAddFrom( &scene, scene.count - 1 );
        requireStale( &scene, "exchanging" );
        joBroadPhase_Clear( scene.broadPhase );
        scene.count = 0;
        requireStale( &scene, "clearing" );
        kitEnd( &scene );
    }
}

static void aRefusedChangeChangesNothing( void** state )
{
    (void)state;
    kitScene scene = kitBegin( &kitVariants[3], 3, NULL );
    drawScene( &scene, 50, ref_uniform, keys_close, false, 0 );
    joNeighbours rows, again;
    kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), "FindNeighbours" );
    assert_int_not_equal( kitAdd( scene.broadPhase, 3, jo_moving, scene.objects, 1 ), jo_success );
    uint32_t unknown = 5;
    assert_int_equal( joBroadPhase_Remove( scene.broadPhase, &unknown, 1, NULL ), jo_errorUnknownKey );
    assert_int_equal(
        joBroadPhase_SetMotion( scene.broadPhase, jo_static, &unknown, 1, NULL ), jo_errorUnknownKey );
    uint64_t before = kitDefaultHeap.allocations;
    kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &again ), "FindNeighbours" );
    assert_ptr_equal( again.neighbours, rows.neighbours );
    assert_int_equal( kitDefaultHeap.allocations, before );
    requireRows( &again, scene.objects, scene.count, 3, "after refused calls" );
    kitEnd( &scene );
}

static void aListGetsWhatItHasRoomFor( void** state )
{
    (void)state;
    kitScene scene = kitBegin( &kitVariants[1], 2, NULL );
    drawScene( &scene, 40, ref_uniform, keys_close, true, 0 );
    joNeighbours rows;
    kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), "FindNeighbours" );
    uint64_t total = rows.offsets[40];
    assert_true( total > 20 );
    uint32_t keys[42], neighbours[4000];
    uint64_t offsets[43];
    assert_true( total < 3999 );
    const uint32_t rowRoom[] = { 0, 1, 39, 40, 41 };
    const uint64_t room[] = { 0, 1, total - 1, total, total + 1 };
    for ( uint32_t k = 0; k < 5; ++k )
    {
        memset( keys, 0xAB, sizeof keys );
        memset( offsets, 0xAB, sizeof offsets );
        memset( neighbours, 0xAB, sizeof neighbours );
        joNeighbourList list = { keys, offsets, rowRoom[k], neighbours, room[k], 0, 0 };
        kitRequire( joBroadPhase_GetNeighbours( scene.broadPhase, &list ), "GetNeighbours" );
        assert_int_equal( list.rowCount, 40 );
        assert_int_equal( list.neighbourCount, total );
        uint32_t rowsGiven = rowRoom[k] < 40 ? rowRoom[k] : 40;
        uint64_t given = room[k] < total ? room[k] : total;
        if ( rowsGiven > 0 )
            assert_memory_equal( keys, rows.keys, rowsGiven * sizeof( uint32_t ) );
        assert_memory_equal( offsets, rows.offsets, ( rowsGiven + 1 ) * sizeof( uint64_t ) );
        if ( given > 0 )
            assert_memory_equal( neighbours, rows.neighbours, given * sizeof( uint32_t ) );
        assert_int_equal( keys[rowsGiven], 0xABABABABu );
        assert_int_equal( offsets[rowsGiven + 1], 0xABABABABABABABABu );
        assert_int_equal( neighbours[given], 0xABABABABu );
    }
    joNeighbourList none = emptyList();
    none.rowCapacity = 40;
    none.neighbourCapacity = total;
    kitRequire( joBroadPhase_GetNeighbours( scene.broadPhase, &none ), "GetNeighbours" );
    assert_int_equal( none.neighbourCount, total );
    kitEnd( &scene );
}

static void rowsThatWouldLackNeighboursAreRefused( void** state )
{
    (void)state;
    joBroadPhaseDef def = kitDef( &kitVariants[3], 2 );
    def.pairLimit = 9;
    kitScene scene = kitBegin( &kitVariants[3], 2, &def );
    for ( uint32_t i = 0; i < 5; ++i )
        kitPush( &scene, kitBall( i, 0.0, 0.0, 0.0, 1.0 ) );
    kitAddFrom( &scene, 0 );
    joNeighbours rows = { NULL, NULL, NULL, 3 };
    assert_int_equal( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), jo_errorCapacity );
    assert_int_equal( rows.rowCount, 0 );
    joNeighbourList list = emptyList();
    kitRequire( joBroadPhase_GetNeighbours( scene.broadPhase, &list ), "GetNeighbours" );
    assert_int_equal( list.neighbourCount, 0 );
    uint32_t key = scene.objects[--scene.count].key;
    kitRequire( joBroadPhase_Remove( scene.broadPhase, &key, 1, NULL ), "Remove" );
    checkRows( &scene, "at the limit" );
    kitEnd( &scene );
}

static void nullArgumentsAreRefused( void** state )
{
    (void)state;
    joNeighbours rows = { NULL, NULL, NULL, 3 };
    joNeighbourList list = emptyList();
    kitScene scene = kitBegin( &kitVariants[0], 2, NULL );
    assert_int_equal( joBroadPhase_FindNeighbours( NULL, &rows ), jo_errorNullArgument );
    assert_int_equal( rows.rowCount, 0 );
    assert_int_equal( joBroadPhase_FindNeighbours( scene.broadPhase, NULL ), jo_errorNullArgument );
    assert_int_equal( joBroadPhase_GetNeighbours( NULL, &list ), jo_errorNullArgument );
    assert_int_equal( joBroadPhase_GetNeighbours( scene.broadPhase, NULL ), jo_errorNullArgument );
    assert_int_equal( joNeighbours_FindRow( NULL, 0 ), JO_NULL_INDEX );
    assert_int_equal( joNeighbours_FindRow( &rows, 0 ), JO_NULL_INDEX );
    kitEnd( &scene );
}

static void moveAll( kitScene* scene, uint32_t frame )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        double x = i % 23 + 0.3 * ( ( frame + i ) % 5 ), y = i / 23 + 0.2 * ( ( frame + i ) % 3 );
        scene->objects[i] = kitBall( scene->objects[i].key, x, y, 0.0, 0.7 );
    }
    kitRequire( kitSet( scene->broadPhase, scene->dimension, scene->objects, scene->count ), "Set" );
}

static void noFrameAllocatesAfterTheFirst( void** state )
{
    (void)state;
    for ( uint32_t run = 0; run < 3 * keys_styleCount; ++run )
    {
        joBroadPhaseDef def = kitDef( &kitVariants[3], 2 );
        def.jobs = kitJobs( run / keys_styleCount + 1 );
        kitScene scene = kitBegin( &kitVariants[3], 2, &def );
        for ( uint32_t i = 0; i < 500; ++i )
            kitPush( &scene, kitBall( keyFor( (KeyStyle)( run % keys_styleCount ), i ), 0, 0, 0, 1 ) );
        uint64_t after = 0;
        for ( uint32_t frame = 0; frame < 60; ++frame )
        {
            moveAll( &scene, frame );
            joNeighbours rows;
            kitRequire( joBroadPhase_FindNeighbours( scene.broadPhase, &rows ), "FindNeighbours" );
            after = frame == 29 ? kitDefaultHeap.allocations : after;
        }
        if ( kitDefaultHeap.allocations != after )
            fail_msg(
                "%llu allocations in 30 frames", (unsigned long long)( kitDefaultHeap.allocations - after ) );
        checkRows( &scene, "in the last frame" );
        kitEnd( &scene );
    }
}

static void fixedCapacityNeedsRoomForNeighbours( void** state )
{
    (void)state;
    for ( uint32_t run = 0; run < 2 * keys_styleCount; ++run )
    {
        joBroadPhaseDef def = kitDef( &kitVariants[3], 2 );
        def.objectReserve = 200;
        def.pairReserve = 4000;
        def.neighbourReserve = run < keys_styleCount ? 8000 : 0;
        def.fixedCapacity = true;
        kitScene scene = kitBegin( &kitVariants[3], 2, &def );
        for ( uint32_t i = 0; i < 200; ++i )
            kitPush( &scene, kitBall( keyFor( (KeyStyle)( run % keys_styleCount ), i ), 0, 0, 0, 1 ) );
        moveAll( &scene, 0 );
        uint64_t before = kitDefaultHeap.allocations;
        joNeighbours rows;
        joResult result = joBroadPhase_FindNeighbours( scene.broadPhase, &rows );
        assert_int_equal( result, run < keys_styleCount ? jo_success : jo_errorCapacity );
        assert_int_equal( kitDefaultHeap.allocations, before );
        if ( result == jo_success )
            checkRows( &scene, "fixed" );
        kitEnd( &scene );
    }
}

// Every allocation that neighbours make fails once: the call says so and gives nothing, and works afterwards.
static void anAllocationThatFailsLosesNothing( void** state )
{
    (void)state;
    for ( uint32_t style = 0; style < keys_styleCount; ++style )
    {
        bool failed = true;
        uint32_t failures = 0;
        for ( uint64_t k = 1; failed; ++k )
        {
            kitScene scene = kitBegin( &kitVariants[3], 2, NULL );
            drawScene( &scene, 120, ref_clumps, (KeyStyle)style, false, 0 );
            kitDefaultHeap.failAt = kitDefaultHeap.allocations + k;
            kitDefaultHeap.refused = 0;
            joNeighbours rows;
            joResult result = joBroadPhase_FindNeighbours( scene.broadPhase, &rows );
            failed = kitDefaultHeap.refused > 0;
            kitDefaultHeap.failAt = 0;
            if ( result != jo_success )
            {
                assert_true( failed );
                assert_int_equal( result, jo_errorOutOfMemory );
                assert_int_equal( rows.rowCount, 0 );
                failures += 1;
                requireStale( &scene, "an allocation that failed" );
            }
            checkRows( &scene, "with memory again" );
            kitEnd( &scene );
        }
        assert_true( failures >= 3 );
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( rowsAreThoseOfPlainLoops ),
        cmocka_unit_test( rowsOfDefaultKeysAreTheObjects ),
        cmocka_unit_test( rowsAreTheSameForAnyNumberOfThreads ),
        cmocka_unit_test( rowsFollowEveryChange ),
        cmocka_unit_test( aRefusedChangeChangesNothing ),
        cmocka_unit_test( aListGetsWhatItHasRoomFor ),
        cmocka_unit_test( rowsThatWouldLackNeighboursAreRefused ),
        cmocka_unit_test( nullArgumentsAreRefused ),
        kit_test_without_threads( noFrameAllocatesAfterTheFirst ),
        cmocka_unit_test( fixedCapacityNeedsRoomForNeighbours ),
        kit_test_without_threads( anAllocationThatFailsLosesNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
