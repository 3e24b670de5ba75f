// SPDX-License-Identifier: MIT
// Pairs between two sets against plain loops: kinds of every sort, whatever is up to date and whatever has
// changed, any number of threads, errors, and memory that fails.
#include "support/two_sets_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t keyFor( uint32_t style, uint32_t i )
{
    switch ( style )
    {
        case 1:
            return i * 0x9E3779B1u;
        case 2:
            return UINT32_MAX - i;
        case 3:
            return i << 16 | i >> 16; // equal low bits
        default:
            return i;
    }
}

typedef enum Freshness
{
    fresh_never, // structures were never built
    fresh_updated,
    fresh_changed, // and then some objects have moved, come and gone
    fresh_count
} Freshness;

static void addDrawn(
    kitScene* scene, const refSceneDef* draw, refRandom* random, uint32_t count, uint32_t keyStyle )
{
    const uint32_t first = scene->count;
    for ( uint32_t i = first; i < first + count; ++i )
    {
        refObject object = { .key = keyFor( keyStyle, i ), .motion = (refMotion)refBelow( random, 3 ) };
        refDrawShape( draw, random, &object );
        refDrawLayers( draw, random, &object );
        kitPush( scene, object );
    }
    if ( draw->layerCount == 0 )
        twoSetsAddPlain( scene, first );
    else
        kitAddFrom( scene, first );
}

static void disturb( kitScene* scene, const refSceneDef* draw, refRandom* random, uint32_t keyStyle )
{
    for ( uint32_t n = scene->count / 12; n > 0; --n )
    {
        uint32_t at = refBelow( random, scene->count );
        uint32_t key = scene->objects[at].key;
        if ( n % 3 == 0 )
        {
            scene->objects[at] = scene->objects[--scene->count];
            kitRequire( joBroadPhase_Remove( scene->broadPhase, &key, 1, NULL ), "Remove" );
            continue;
        }
        if ( n % 3 == 1 )
        {
            refDrawShape( draw, random, scene->objects + at );
            kitRequire( kitMove( scene->broadPhase, scene->dimension, scene->objects + at, 1 ), "Move" );
            continue;
        }
        joMotion motion = (joMotion)refBelow( random, 3 );
        scene->objects[at].motion = (refMotion)motion;
        kitRequire( joBroadPhase_SetMotion( scene->broadPhase, motion, &key, 1, NULL ), "SetMotion" );
    }
    refObject extra = { .key = keyFor( keyStyle, 100000 ), .motion = ref_static };
    refDrawShape( draw, random, &extra );
    refDrawLayers( draw, random, &extra );
    kitPush( scene, extra );
    kitAddFrom( scene, scene->count - 1 );
}

static uint32_t drawCount( refRandom* random )
{
    static const uint32_t edges[] = { 0, 1, 2, 7, 8, 15, 16, 17, 33, 64 };
    return refChance( random, 0.3 ) ? edges[refBelow( random, 10 )]
                                    : (uint32_t)pow( 600.0, refUnit( random ) );
}

static void runScene( uint64_t seed, uint32_t index )
{
    refRandom random = refMakeRandom( seed, index );
    const int dimension = refChance( &random, 0.5 ) ? 2 : 3;
    const uint32_t counts[2] = { drawCount( &random ), drawCount( &random ) };
    refSceneDef draw = { .distribution = (refDistribution)( index % ref_distributionCount ),
        .axisCount = dimension,
        .count = counts[0] + counts[1],
        .cellSize = 1.0,
        .roundShare = refChance( &random, 0.5 ) ? 0.0 : refUnit( &random ),
        .neighbours = 4.0,
        .layerCount = refChance( &random, 0.3 ) ? 3 : 0 };
    refPrepareScene( &draw, &random );
    kitScene sides[2];
    char what[160];
    const Freshness fresh = (Freshness)refBelow( &random, fresh_count );
    for ( int side = 0; side < 2; ++side )
    {
        const uint32_t keyStyle = refBelow( &random, 4 );
        sides[side] = kitBegin( kitVariants + refBelow( &random, KIT_VARIANT_COUNT ), dimension, NULL );
        addDrawn( &sides[side], &draw, &random, counts[side], keyStyle );
        if ( fresh != fresh_never )
            kitRequire( joBroadPhase_Update( sides[side].broadPhase ), "Update" );
        if ( fresh == fresh_changed && counts[side] > 0 )
            disturb( &sides[side], &draw, &random, keyStyle );
    }
    snprintf( what, sizeof what, "%s, freshness %d: JOSTLE_SEED=%llu JOSTLE_SCENE=%u",
        refDistributionText( draw.distribution ), (int)fresh, (unsigned long long)seed, index );
    joTwoSetsDef def = twoSetsDef( dimension, kitJobs( 1 + refBelow( &random, 3 ) ) );
    joTwoSets* twoSets = twoSetsCreate( &def );
    twoSetsCheck( twoSets, &sides[0], &sides[1], what );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &sides[1] );
    kitEnd( &sides[0] );
}

static void pairsAreThoseOfPlainLoops( void** state )
{
    (void)state;
    uint64_t seed = kitEnvironment( "JOSTLE_SEED", 20260302 );
    uint32_t scenes = (uint32_t)kitEnvironment( "JOSTLE_SCENES", kitQuick() ? 200 : 4000 );
    uint32_t first = (uint32_t)kitEnvironment( "JOSTLE_SCENE", 0 );
    scenes = getenv( "JOSTLE_SCENE" ) ? first + 1 : scenes;
    print_message( "seed %llu, scenes %u to %u, %s\n", (unsigned long long)seed, first, scenes,
        joIsaText( joGetIsa() ) );
    for ( uint32_t index = first; index < scenes; ++index )
        runScene( seed, index );
}

// --- large scenes
// -------------------------------------------------------------------------------------------

typedef struct Field
{
    uint32_t count;
    double side, offset, radius;
} Field;

static void largeSetsInEveryProportion( void** state )
{
    (void)state;
    static const struct
    {
        Field a, b;
        int dimension;
    } cases[] = {
        { { 300, 100.0, 0.0, 0.2 }, { 12000, 100.0, 0.0, 0.3 }, 2 },        // few among many
        { { 300, 20.0, 0.0, 0.2 }, { 12000, 30.0, 0.0, 0.2 }, 3 },          //
        { { 2500, 60.0, 0.0, 0.3 }, { 3000, 60.0, 0.0, 0.3 }, 2 },          // alike
        { { 2500, 15.0, 0.0, 0.3 }, { 3000, 15.0, 0.0, 0.3 }, 3 },          //
        { { 1500, 60.0, 1e5, 0.3 }, { 9000, 60.0, 1e5, 0.3 }, 2 },          // far from the origin
        { { 1500, 60.0, -1e6, 0.3 }, { 9000, 60.0, -1e6 + 30.0, 0.3 }, 2 }, // beside each other
        { { 400, 0.0, 5.0, 0.3 }, { 9000, 60.0, 0.0, 0.3 }, 2 },            // all of one on one spot
        { { 400, 60.0, 0.0, 0.3 }, { 9000, 0.0, 70.0, 0.3 }, 2 },           // of the other, elsewhere
        { { 200, 60.0, 0.0, 0.0 }, { 9000, 60.0, 0.0, 0.0 }, 2 },           // points
        { { 20, 5000.0, 0.0, 300.0 }, { 9000, 5000.0, 0.0, 5.0 }, 2 },      // large among small
        { { 700, 5000.0, 0.0, 2.0 }, { 9000, 5000.0, 0.0, 100.0 }, 3 },     // small among large
    };
    const uint32_t caseCount = sizeof cases / sizeof *cases;
    for ( uint32_t k = KIT_TSAN ? 1 : 0; k < caseCount;
          k += KIT_TSAN ? 6 : 1 ) // there: two, over two workers
    {
        char what[40];
        snprintf( what, sizeof what, "case %u", k );
        kitScene a = kitBegin( &kitVariants[3], cases[k].dimension, NULL );
        kitScene b = kitBegin( &kitVariants[k % KIT_VARIANT_COUNT], cases[k].dimension, NULL );
        const Field *fieldA = &cases[k].a, *fieldB = &cases[k].b;
        twoSetsFill( &a, fieldA->count, fieldA->side, fieldA->offset, fieldA->radius, 3 );
        twoSetsFill( &b, fieldB->count, fieldB->side, fieldB->offset, fieldB->radius, 4 );
        joTwoSetsDef def = twoSetsDef( cases[k].dimension, kitJobs( 1 + k % 3 ) );
        joTwoSets* twoSets = twoSetsCreate( &def );
        twoSetsCheck( twoSets, &a, &b, what );
        kitRequire( joBroadPhase_Update( b.broadPhase ), "Update" );
        twoSetsCheck( twoSets, &a, &b, what );
        joDestroyTwoSets( twoSets );
        twoSetsEndFirst( &b );
        kitEnd( &a );
    }
}

static void pairsAreTheSameForAnyNumberOfThreads( void** state )
{
    (void)state;
    const uint32_t workerCounts[] = { 1, 2, 3, 8 };
    for ( int fresh = 0; fresh < 2; ++fresh )
    {
        kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[6], 2, NULL );
        twoSetsFill( &a, fresh ? 500 : 12000, 300.0, 0.0, 0.8, 1 );
        twoSetsFill( &b, 60000, 300.0, 0.0, 0.8, 2 );
        if ( fresh )
            kitRequire( joBroadPhase_Update( b.broadPhase ), "Update" );
        joPair* first = NULL;
        uint64_t firstCount = 0;
        for ( uint32_t k = 0; k < 4; ++k )
        {
            joTwoSetsDef def = twoSetsDef( 2, kitJobs( workerCounts[k] ) );
            joTwoSets* twoSets = twoSetsCreate( &def );
            uint64_t count;
            kitRequire(
                joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, NULL, 0, &count ), "FindPairs" );
            assert_true( count > 1000 );
            assert_int_equal( joTwoSets_GetStats( twoSets ).searchedCount > 0, fresh );
            if ( k == 0 )
            {
                firstCount = count;
                first = malloc( count * sizeof( joPair ) );
                assert_non_null( first );
                memcpy( first, joTwoSets_ViewPairs( twoSets, &count ), count * sizeof( joPair ) );
            }
            assert_int_equal( count, firstCount );
            assert_memory_equal( first, joTwoSets_ViewPairs( twoSets, &count ), count * sizeof( joPair ) );
            joDestroyTwoSets( twoSets );
        }
        free( first );
        twoSetsEndFirst( &b );
        kitEnd( &a );
    }
}

// --- the two ways
// -------------------------------------------------------------------------------------------

static void whatIsUpToDateIsSearchedAndTheRestScanned( void** state )
{
    (void)state;
    for ( uint32_t v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        kitScene a = kitBegin( &kitVariants[0], 2, NULL ), b = kitBegin( &kitVariants[v], 2, NULL );
        twoSetsFill( &a, 8, 60.0, 0.0, 1.0, 1 );
        twoSetsFill( &b, 9000, 60.0, 0.0, 0.3, 2 );
        joTwoSetsDef def = twoSetsDef( 2, NULL );
        joTwoSets* twoSets = twoSetsCreate( &def );
        twoSetsCheck( twoSets, &a, &b, "not up to date" );
        joTwoSetsStats stats = joTwoSets_GetStats( twoSets );
        assert_int_equal( stats.scannedCount, 9000 );
        assert_int_equal( stats.searchedCount, 0 );
        assert_true( stats.nearCount > 0 && stats.nearCount < 3000 );
        // A broad phase that is asked by others is left as it was: nothing of it was built.
        assert_int_equal( joBroadPhase_GetStats( b.broadPhase ).cells, 0 );

        kitRequire( joBroadPhase_Update( b.broadPhase ), "Update" );
        twoSetsCheck( twoSets, &a, &b, "up to date" );
        stats = joTwoSets_GetStats( twoSets );
        if ( kitVariants[v].kind == jo_bvh || kitVariants[v].kind == jo_grid )
            assert_int_equal( stats.searchedCount, 9000 );
        assert_int_equal( stats.scannedCount, 9000 - stats.searchedCount );

        b.objects[100] = kitBall( 100, 30.0, 30.0, 0.0, 50.0 );
        kitRequire( kitMove( b.broadPhase, 2, b.objects + 100, 1 ), "Move" );
        uint32_t key = b.objects[200].key;
        kitRequire( joBroadPhase_Remove( b.broadPhase, &key, 1, NULL ), "Remove" );
        b.objects[200] = b.objects[--b.count];
        twoSetsCheck( twoSets, &a, &b, "changed" );
        stats = joTwoSets_GetStats( twoSets );
        if ( kitVariants[v].kind == jo_bvh || kitVariants[v].kind == jo_grid )
            assert_int_equal( stats.searchedCount, 8999 );
        assert_int_equal( stats.scannedCount, stats.searchedCount > 0 ? 2 : 9000 );
        joDestroyTwoSets( twoSets );
        twoSetsEndFirst( &b );
        kitEnd( &a );
    }
}

static void stillObjectsCountInAnyCombination( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[4], 2, NULL );
    for ( uint32_t i = 0; i < 900; ++i )
    {
        kitPush( &a, kitBall( i, i % 30, i / 30, 0.0, 0.6 ) )->motion = (refMotion)( i % 3 );
        kitPush( &b, kitBall( i, i % 30, i / 30, 0.0, 0.6 ) )->motion = (refMotion)( i / 3 % 3 );
    }
    kitAddFrom( &a, 0 );
    kitAddFrom( &b, 0 );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    joTwoSets* twoSets = twoSetsCreate( &def );
    twoSetsCheck( twoSets, &a, &b, "before any update" );
    kitCheckScene( &a, "by itself" );
    kitCheckScene( &b, "by itself" );
    twoSetsCheck( twoSets, &a, &b, "after finds" );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

// Case 17: pairs of keys that a careless hash takes for one; and keys that both sides have.
static void keysOfTheTwoAreSeparate( void** state )
{
    (void)state;
    static const uint32_t keys[] = { 141, 143, 194, 192, 0, UINT32_MAX, 7, 0x80000000u };
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[3], 2, NULL );
    for ( uint32_t i = 0; i < 8; ++i )
    {
        kitPush( &a, kitBall( keys[i], 0.0, 0.0, 0.0, 1.0 ) );
        kitPush( &b, kitBall( keys[7 - i], 1.0, 0.0, 0.0, 1.0 ) );
    }
    kitAddFrom( &a, 0 );
    kitAddFrom( &b, 0 );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    joTwoSets* twoSets = twoSetsCreate( &def );
    twoSetsCheck( twoSets, &a, &b, "all with all" );
    uint64_t count;
    kitRequire( joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, NULL, 0, &count ), "FindPairs" );
    assert_int_equal( count, 64 );
    // With itself: each object meets itself, and each pair comes both ways round.
    twoSetsCheck( twoSets, &a, &a, "with itself" );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

static void layersAndMasksHoldBothWays( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[1], 2, NULL ), b = kitBegin( &kitVariants[6], 2, NULL );
    for ( uint32_t i = 0; i < 256; ++i )
    {
        refObject* first = kitPush( &a, kitBall( i, 0.0, 0.0, 0.0, 1.0 ) );
        first->layer = i & 3;
        first->mask = i >> 2 & 3;
        refObject* second = kitPush( &b, kitBall( i, 0.5, 0.0, 0.0, 1.0 ) );
        second->layer = i >> 4 & 3;
        second->mask = i >> 6 & 3;
    }
    kitAddFrom( &a, 0 );
    kitAddFrom( &b, 0 );
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    joTwoSets* twoSets = twoSetsCreate( &def );
    twoSetsCheck( twoSets, &a, &b, "layers" );
    // Only one side has any.
    kitScene c = kitBegin( &kitVariants[3], 2, NULL );
    kitPush( &c, kitBox2( 5, -1.0, -1.0, 1.0, 1.0 ) );
    kitAddFrom( &c, 0 );
    twoSetsCheck( twoSets, &a, &c, "layers on one side" );
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &c );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

static void millionsOfPairsAreCountedWithoutMemory( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 3, NULL ), b = kitBegin( &kitVariants[3], 3, NULL );
    for ( uint32_t i = 0; i < 4000; ++i )
    {
        kitPush( &a, kitBox3( i, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0 ) );
        kitPush( &b, kitBox3( i, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0 ) );
    }
    twoSetsAddPlain( &a, 0 );
    twoSetsAddPlain( &b, 0 );
    joTwoSetsDef def = twoSetsDef( 3, NULL );
    def.pairLimit = 100;
    joTwoSets* twoSets = twoSetsCreate( &def );
    uint64_t count;
    kitRequire( joTwoSets_CountPairs( twoSets, a.broadPhase, b.broadPhase, &count ), "CountPairs" );
    assert_int_equal( count, 16000000 );
    assert_true( joTwoSets_GetStats( twoSets ).memoryBytes < 16000000 );
    // Of more than the limit the first in order are kept.
    joPair pairs[101];
    assert_int_equal(
        joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, pairs, 101, &count ), jo_errorCapacity );
    assert_int_equal( count, 16000000 );
    kitRequire( joTwoSets_FindPairs( twoSets, a.broadPhase, b.broadPhase, pairs, 100, &count ), "FindPairs" );
    for ( uint32_t i = 0; i < 100; ++i )
    {
        assert_int_equal( pairs[i].a, 0 );
        assert_int_equal( pairs[i].b, i );
    }
    joDestroyTwoSets( twoSets );
    twoSetsEndFirst( &b );
    kitEnd( &a );
}

// --- beside each other
// ----------------------------------------------------------------------------------------

typedef struct Crowd
{
    joTwoSets* twoSets[4];
    const kitScene* scenes[4];
    const kitScene* b;
    uint64_t counts[4];
} Crowd;

static void findBeside( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Crowd* crowd = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joTwoSets_CountPairs(
            crowd->twoSets[i], crowd->scenes[i]->broadPhase, crowd->b->broadPhase, &crowd->counts[i] );
    }
}

static void severalMayAskTheSameBroadPhaseAtOnce( void** state )
{
    (void)state;
    kitScene a = kitBegin( &kitVariants[3], 2, NULL ), b = kitBegin( &kitVariants[6], 2, NULL );
    twoSetsFill( &a, 100, 40.0, 0.0, 0.5, 1 );
    twoSetsFill( &b, 4000, 40.0, 0.0, 0.5, 2 );
    kitRequire( joBroadPhase_Update( b.broadPhase ), "Update" );
    uint32_t key = b.objects[7].key;
    kitRequire( joBroadPhase_Remove( b.broadPhase, &key, 1, NULL ), "Remove" );
    Crowd crowd = { .b = &b };
    joTwoSetsDef def = twoSetsDef( 2, NULL );
    for ( int i = 0; i < 4; ++i )
    {
        crowd.twoSets[i] = twoSetsCreate( &def );
        crowd.scenes[i] = i % 2 ? &b : &a;
    }
    joParallelFor( kitJobs( 4 ), 4, 1, findBeside, &crowd );
    for ( uint32_t i = 0; i < 4; ++i )
    {
        uint64_t alone;
        kitRequire(
            joTwoSets_CountPairs( crowd.twoSets[i], crowd.scenes[i]->broadPhase, b.broadPhase, &alone ),
            "CountPairs" );
        assert_int_equal( crowd.counts[i], alone );
        assert_true( alone > 0 );
        joDestroyTwoSets( crowd.twoSets[i] );
    }
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
        kit_test_without_threads( pairsAreThoseOfPlainLoops ),
        cmocka_unit_test( largeSetsInEveryProportion ),
        cmocka_unit_test( pairsAreTheSameForAnyNumberOfThreads ),
        kit_test_without_threads( whatIsUpToDateIsSearchedAndTheRestScanned ),
        kit_test_without_threads( stillObjectsCountInAnyCombination ),
        cmocka_unit_test( keysOfTheTwoAreSeparate ),
        cmocka_unit_test( layersAndMasksHoldBothWays ),
        kit_test_without_threads( millionsOfPairsAreCountedWithoutMemory ),
        cmocka_unit_test( severalMayAskTheSameBroadPhaseAtOnce ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
