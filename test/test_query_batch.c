// SPDX-License-Identifier: MIT
// Batches of queries: the answers of the single calls, whatever the threads, the buffers and the memory.
#include "query/query_batch.h"
#include "support/batch_rig.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

#define MAX_WORKERS 4u

// Objects of all sorts; a part of them is changed after the structures were built.
static void fillScene( kitScene* scene, uint32_t count, uint64_t stream )
{
    refRandom random = refMakeRandom( 77, stream );
    refSceneDef draw = { .distribution = ref_uniform,
        .axisCount = scene->dimension,
        .count = count,
        .cellSize = 1.0,
        .roundShare = 0.4,
        .neighbours = 3.0,
        .layerCount = 3 };
    refPrepareScene( &draw, &random );
    for ( uint32_t i = 0; i < count; ++i )
    {
        refObject object = { .key = i * 0x9E3779B1u, .motion = (refMotion)( i * 4 / count % 3 ) };
        refDrawShape( &draw, &random, &object );
        refDrawLayers( &draw, &random, &object );
        kitPush( scene, object );
    }
    kitAddFrom( scene, 0 );
}

static void changeScene( kitScene* scene )
{
    kitRequire( joBroadPhase_Update( scene->broadPhase ), "Update" );
    for ( uint32_t i = 0; i + 9 < scene->count; i += 9 )
    {
        refObject moved = scene->objects[i + 1];
        moved.key = scene->objects[i].key;
        moved.motion = scene->objects[i].motion;
        scene->objects[i] = moved;
        kitRequire( kitMove( scene->broadPhase, scene->dimension, &moved, 1 ), "Move" );
    }
}

static rigRow* drawRows( const kitScene* scene, uint32_t count, uint64_t stream )
{
    rigRow* rows = malloc( ( count + 1 ) * sizeof( rigRow ) );
    refRandom random = refMakeRandom( 78, stream );
    assert_non_null( rows );
    rigDrawRows( &random, scene->objects, scene->count, rows, count + 1, scene->dimension );
    return rows;
}

static void batchesAnswerAsSingleQueriesDo( void** state )
{
    const kitVariant* variant = *state;
    static const uint32_t counts[] = { 0, 1, 2, 63, 64, 65, 300, 1500 };
    for ( uint32_t k = KIT_TSAN ? 2 : 0; k < 4; ++k )
    {
        const int dimension = 2 + (int)( k & 1 );
        kitScene scene = kitBegin( variant, dimension, NULL );
        fillScene( &scene, kitQuick() ? 150 : 500, k );
        if ( k >= 2 )
        {
            changeScene( &scene );
        }
        joQueryBatch* batches[MAX_WORKERS];
        for ( uint32_t w = 0; w < MAX_WORKERS; ++w )
        {
            batches[w] = rigCreateBatch( kitJobs( w + 1 ) );
        }
        for ( uint32_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ) - ( kitQuick() ? 1 : 0 ); ++c )
        {
            rigRow* rows = drawRows( &scene, counts[c], k * 100 + c );
            for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
            {
                const uint32_t style =
                    counts[c] < 300 ? ( verb * 7 + c * 5 + k ) % rig_styleCount : rig_plain;
                const rigQuestions questions = { (rigVerb)verb, style, rows, counts[c], dimension };
                rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
                for ( uint32_t w = 0; w < MAX_WORKERS; ++w )
                {
                    rigCompare( batches[w], scene.broadPhase, &questions, &expected, variant->name );
                }
                rigFreeAnswers( &expected );
            }
            free( rows );
        }
        for ( uint32_t w = 0; w < MAX_WORKERS; ++w )
        {
            joDestroyQueryBatch( batches[w] );
        }
        kitEnd( &scene );
    }
}

static kitScene makeBvhScene( int dimension, uint32_t count )
{
    joBroadPhaseDef def = kitDef( &kitVariants[0], dimension );
    def.kind = jo_bvh;
    kitScene scene = kitBegin( &kitVariants[0], dimension, &def );
    fillScene( &scene, count, 5 );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    return scene;
}

// More than one segment of the order, with and without queries that are far out.
static void manyQueriesAreAnsweredInTheCallersOrder( void** state )
{
    (void)state;
    const uint32_t count = JO_ORDER_SEGMENT + 77;
    for ( int dimension = kitQuick() ? 3 : 2; dimension <= 3; ++dimension )
    {
        kitScene scene = makeBvhScene( dimension, 200 );
        rigRow* rows = drawRows( &scene, count, 9 );
        for ( uint32_t i = 1000; i < count && dimension == 3; i += 9000 )
        {
            rows[i].lower[0] = i % 2 != 0 ? -3.0e38f : -1.0e30f;
            rows[i].upper[0] = 3.0e38f;
        }
        rows[5].lower[1] = -INFINITY; // a box only
        static const rigVerb verbs[] = { rig_raysClosest, rig_overlapBoxes, rig_boxesAny };
        for ( uint32_t v = 0; v < ( kitQuick() ? 1 : 3 ); ++v )
        {
            rows[5].lower[1] = v == 0 ? 0.0f : -INFINITY;
            const rigQuestions questions = { verbs[v], rig_plain, rows, count, dimension };
            rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
            for ( uint32_t workers = 1; workers <= 4; workers += 3 )
            {
                joQueryBatch* batch = rigCreateBatch( kitJobs( workers ) );
                rigCompare( batch, scene.broadPhase, &questions, &expected, "many" );
                joDestroyQueryBatch( batch );
            }
            rigFreeAnswers( &expected );
        }
        free( rows );
        kitEnd( &scene );
    }
}

// All in one place, and all at no distance from each other on one axis.
static void queriesInOnePlaceAreAnswered( void** state )
{
    (void)state;
    kitScene scene = makeBvhScene( 3, 200 );
    rigRow* rows = drawRows( &scene, 500, 10 );
    joQueryBatch* batch = rigCreateBatch( NULL );
    for ( int all = 0; all < 2; ++all )
    {
        for ( uint32_t i = 1; i < 500; ++i )
        {
            memcpy( rows[i].lower, rows[0].lower, all ? sizeof( rows[0].lower ) : sizeof( float ) );
            for ( int axis = 0; axis < 3; ++axis )
            {
                rows[i].upper[axis] = rows[i].lower[axis] + 1.0f;
            }
        }
        for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
        {
            const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, 500, 3 };
            rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
            rigCompare( batch, scene.broadPhase, &questions, &expected, "one place" );
            rigFreeAnswers( &expected );
        }
    }
    joDestroyQueryBatch( batch );
    free( rows );
    kitEnd( &scene );
}

// The rest of a list is there whatever part of it the caller's buffer took.
static void smallBuffersGetTheFirstResultsAndTheRestIsKept( void** state )
{
    (void)state;
    const uint32_t asked = 1100; // more than one block of what is put in order
    kitScene scene = makeBvhScene( 2, 400 );
    rigRow* rows = drawRows( &scene, asked, 11 );
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        if ( !rigIsList( (rigVerb)verb ) )
        {
            continue;
        }
        const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, asked, 2 };
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        const bool areKeys = expected.size == sizeof( uint32_t );
        joQueryBatch* batch = rigCreateBatch( kitJobs( 3 ) );
        const uint64_t capacities[] = { 0, 1, expected.count / 2, expected.count - 1, expected.count + 5 };
        assert_true( expected.count > 100 );
        for ( uint32_t k = 0; k < 5; ++k )
        {
            const uint64_t written = capacities[k] < expected.count ? capacities[k] : expected.count;
            char* results = malloc( capacities[k] * expected.size + 1 );
            memset( results, 0x5A, capacities[k] * expected.size + 1 );
            uint64_t count = 0;
            kitRequire( rigAsk( batch, scene.broadPhase, &questions, NULL, k == 0 ? NULL : results,
                            capacities[k], &count, NULL ),
                rigVerbText[verb] );
            assert_int_equal( count, expected.count );
            assert_memory_equal( results, expected.results, written * expected.size );
            for ( uint64_t i = written * expected.size; i < capacities[k] * expected.size + 1; ++i )
            {
                assert_int_equal( results[i], 0x5A );
            }
            free( results );
            // In pieces, and from beyond the end.
            const uint64_t step = 1 + k * 37;
            joHit piece[200];
            for ( uint64_t first = 0; first < expected.count + 2 * step; first += step )
            {
                const uint64_t left = first < expected.count ? expected.count - first : 0;
                uint64_t copied = 1000;
                kitRequire( areKeys ? joQueryBatch_GetKeys( batch, first, (uint32_t*)piece, step, &copied )
                                    : joQueryBatch_GetHits( batch, first, piece, step, &copied ),
                    "Get" );
                assert_int_equal( copied, left < step ? left : step );
                assert_memory_equal(
                    piece, (char*)expected.results + first * expected.size, copied * expected.size );
            }
            for ( int twice = 0; twice < 2; ++twice )
            {
                uint64_t viewed = 0;
                const void* view = areKeys ? (const void*)joQueryBatch_ViewKeys( batch, &viewed )
                                           : (const void*)joQueryBatch_ViewHits( batch, &viewed );
                assert_int_equal( viewed, expected.count );
                assert_memory_equal( view, expected.results, viewed * expected.size );
            }
            uint32_t queryCount = 0;
            const uint64_t* offsets = joQueryBatch_ViewOffsets( batch, &queryCount );
            assert_int_equal( queryCount, asked );
            assert_memory_equal( offsets, expected.offsets, ( asked + 1 ) * sizeof( uint64_t ) );
        }
        joDestroyQueryBatch( batch );
        rigFreeAnswers( &expected );
    }
    free( rows );
    kitEnd( &scene );
}

static void requireNothingKept( joQueryBatch* batch, bool keys, bool hits )
{
    uint64_t count = 1;
    uint32_t queryCount = 1;
    joHit piece[1];
    if ( !keys )
    {
        assert_null( joQueryBatch_ViewKeys( batch, &count ) );
        assert_int_equal( count, 0 );
        count = 1;
        assert_int_equal( joQueryBatch_GetKeys( batch, 0, (uint32_t*)piece, 1, &count ), jo_success );
        assert_int_equal( count, 0 );
    }
    if ( !hits )
    {
        count = 1;
        assert_null( joQueryBatch_ViewHits( batch, &count ) );
        assert_int_equal( count, 0 );
        count = 1;
        assert_int_equal( joQueryBatch_GetHits( batch, 0, piece, 1, &count ), jo_success );
        assert_int_equal( count, 0 );
    }
    if ( !keys && !hits )
    {
        assert_null( joQueryBatch_ViewOffsets( batch, &queryCount ) );
        assert_int_equal( queryCount, 0 );
    }
}

static void resultsAreThoseOfTheLastCallOnly( void** state )
{
    (void)state;
    kitScene scene = makeBvhScene( 3, 200 );
    rigRow* rows = drawRows( &scene, 100, 12 );
    joQueryBatch* batch = rigCreateBatch( NULL );
    static joHit room[100];
    uint64_t count = 0;
    requireNothingKept( batch, false, false );
    rigQuestions questions = { rig_overlapBoxes, rig_plain, rows, 100, 3 };
    kitRequire( rigAsk( batch, scene.broadPhase, &questions, NULL, NULL, 0, &count, NULL ), "boxes" );
    assert_true( count > 0 );
    requireNothingKept( batch, true, false );
    questions.verb = rig_raysAll;
    kitRequire( rigAsk( batch, scene.broadPhase, &questions, NULL, NULL, 0, &count, NULL ), "all" );
    assert_true( count > 0 );
    requireNothingKept( batch, false, true );
    // The same sort, but other queries.
    for ( uint32_t first = 0; first < 60; first += 30 )
    {
        questions.rows = rows + first;
        questions.count = 30;
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        kitRequire( rigAsk( batch, scene.broadPhase, &questions, NULL, NULL, 0, &count, NULL ), "all" );
        const joHit* view = joQueryBatch_ViewHits( batch, &count );
        assert_int_equal( count, expected.count );
        assert_memory_equal( view, expected.results, count * sizeof( joHit ) );
        rigFreeAnswers( &expected );
    }
    questions.verb = rig_raysAny;
    kitRequire( rigAsk( batch, scene.broadPhase, &questions, NULL, room, 0, &count, NULL ), "any" );
    requireNothingKept( batch, false, false );
    joDestroyQueryBatch( batch );
    free( rows );
    kitEnd( &scene );
}

// Objects without layers are in all of them, but a query of none meets none, nor does one that looks for
// none.
static void queriesOfNoLayerMeetNothing( void** state )
{
    const kitVariant* variant = *state;
    kitScene scene = kitBegin( variant, 2, NULL );
    fillScene( &scene, 200, 6 );
    for ( uint32_t i = 0; i < scene.count; ++i )
    {
        scene.objects[i] = kitBall( i, scene.objects[i].round ? scene.objects[i].center[0] : 0.1 * i,
            scene.objects[i].round ? scene.objects[i].center[1] : 0.1 * i, 0.0, 1.0 );
    }
    joBroadPhase_Clear( scene.broadPhase );
    kitColumns columns = { 0 };
    kitFill( &columns, scene.objects, NULL, scene.count, 2, kit_noLayers | kit_noKeys );
    kitRequire( joBroadPhase_SetCircles( scene.broadPhase, &columns.circles, NULL ), "SetCircles" );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    rigRow* rows = drawRows( &scene, 200, 20 );
    for ( uint32_t i = 0; i < 200; ++i )
    {
        rows[i].layer = i % 3 == 0 ? 0 : 4;
        rows[i].mask = i % 3 == 1 ? 0 : 4;
    }
    joQueryBatch* batch = rigCreateBatch( NULL );
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, 200, 2 };
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        rigCompare( batch, scene.broadPhase, &questions, &expected, "no layer" );
        rigFreeAnswers( &expected );
    }
    joDestroyQueryBatch( batch );
    free( rows );
    kitFreeColumns( &columns );
    kitEnd( &scene );
}

// Lists far longer than what a worker has at first, over several slabs, among short ones.
static void longListsAreComplete( void** state )
{
    (void)state;
    enum
    {
        boxCount = 30000,
        maxQueryCount = 70
    };
    const uint32_t queryCount = kitQuick() ? 18 : maxQueryCount;
    kitScene scene = kitBegin( &kitVariants[1], 2, NULL );
    for ( uint32_t i = 0; i < boxCount; ++i )
    {
        kitPush( &scene, kitBox2( i * 7u, i * 0.5, 0.0, i * 0.5 + 0.25, 1.0 ) );
    }
    kitAddFrom( &scene, 0 );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    rigRow rows[maxQueryCount];
    for ( uint32_t i = 0; i < queryCount; ++i )
    {
        const float reach = i % 10 == 7 ? 20000.0f : i % 3 == 0 ? 2500.0f : 3.0f;
        rows[i] = ( rigRow ){ .lower = { -0.5f + (float)( i % 4 ), 0.5f },
            .upper = { reach, 0.75f },
            .direction = { 1.0f },
            .length = reach,
            .k = i % 10 == 7  ? boxCount + 5
                 : i % 3 == 0 ? 9000
                              : 3,
            .ignoredKey = 14,
            .layer = 1,
            .mask = 1 };
    }
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, queryCount, 2 };
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        for ( uint32_t workers = KIT_TSAN ? 2 : 1; workers <= 2; ++workers )
        {
            joQueryBatch* batch = rigCreateBatch( kitJobs( workers ) );
            rigCompare( batch, scene.broadPhase, &questions, &expected, "long lists" );
            rigCompare( batch, scene.broadPhase, &questions, &expected, "long lists again" );
            joDestroyQueryBatch( batch );
        }
        rigFreeAnswers( &expected );
    }
    kitEnd( &scene );
}

typedef struct Fault
{
    rigVerb verb;
    joResult result;
    void ( *plant )( rigRow* row );
} Fault;

static void plantNan( rigRow* row )
{
    row->lower[1] = NAN;
}

static void plantNanLength( rigRow* row )
{
    row->length = NAN;
}

static void plantInverted( rigRow* row )
{
    row->upper[1] = row->lower[1] - 1.0f;
}

static void plantNegativeLength( rigRow* row )
{
    row->length = -1.0f;
}

static void plantInfiniteCenter( rigRow* row )
{
    row->lower[0] = INFINITY;
}

static void plantNoDirection( rigRow* row )
{
    row->length = 1.0f;
    memset( row->direction, 0, sizeof( row->direction ) );
}

static const Fault s_faults[] = {
    { rig_overlapBoxes, jo_errorNotANumber, plantNan },
    { rig_overlapBoxes, jo_errorInvertedBox, plantInverted },
    { rig_overlapCircles, jo_errorNotANumber, plantNanLength },
    { rig_overlapCircles, jo_errorBadRadius, plantNegativeLength },
    { rig_overlapCircles, jo_errorBadRadius, plantInfiniteCenter },
    { rig_raysClosest, jo_errorNotANumber, plantNan },
    { rig_raysAny, jo_errorBadRay, plantNegativeLength },
    { rig_raysAll, jo_errorBadRay, plantInfiniteCenter },
    { rig_raysClosest, jo_errorBadRay, plantNoDirection },
    { rig_boxesClosest, jo_errorInvertedBox, plantInverted },
    { rig_boxesAny, jo_errorNotANumber, plantNanLength },
    { rig_boxesAll, jo_errorBadRay, plantNoDirection },
    { rig_nearest, jo_errorNotANumber, plantNan },
    { rig_nearest, jo_errorBadRadius, plantNegativeLength },
};

static void theFirstBadQueryIsNamedAndNothingWritten( void** state )
{
    (void)state;
    enum
    {
        count = 20000
    };
    kitScene scene = makeBvhScene( 2, 100 );
    rigRow* rows = drawRows( &scene, count, 13 );
    static const uint32_t places[][2] = { { 0, 19999 }, { 4095, 4096 }, { 12000, 8500 }, { 19999, 19999 } };
    uint64_t offsets[2] = { 77, 77 };
    char results[64];
    for ( uint32_t f = 0; f < sizeof( s_faults ) / sizeof( s_faults[0] ); ++f )
    {
        const Fault* fault = &s_faults[f];
        joQueryBatch* batch = rigCreateBatch( kitJobs( 1 + f % 3 ) );
        // What the last call left.
        rigQuestions before = { rig_overlapBoxes, rig_plain, rows, 50, 2 };
        uint64_t kept = 0;
        kitRequire( rigAsk( batch, scene.broadPhase, &before, NULL, NULL, 0, &kept, NULL ), "before" );
        for ( uint32_t k = 0; k < 4; ++k )
        {
            const uint32_t first = places[k][0] < places[k][1] ? places[k][0] : places[k][1];
            const rigRow saved[2] = { rows[places[k][0]], rows[places[k][1]] };
            fault->plant( rows + places[k][0] );
            fault->plant( rows + places[k][1] );
            const rigQuestions questions = { fault->verb, rig_plain, rows, count, 2 };
            uint64_t resultCount = 77, viewed = 0;
            uint32_t errorIndex = 77;
            memset( results, 0x5A, sizeof( results ) );
            assert_int_equal(
                rigAsk( batch, scene.broadPhase, &questions, offsets, results, 4, &resultCount, &errorIndex ),
                fault->result );
            assert_int_equal( errorIndex, first );
            assert_int_equal( offsets[0], 77 );
            assert_int_equal( resultCount, rigIsList( fault->verb ) ? 0 : 77 );
            for ( uint32_t i = 0; i < sizeof( results ); ++i )
            {
                assert_int_equal( results[i], 0x5A );
            }
            joQueryBatch_ViewKeys( batch, &viewed );
            assert_int_equal( viewed, kept );
            rows[places[k][0]] = saved[0];
            rows[places[k][1]] = saved[1];
        }
        joDestroyQueryBatch( batch );
    }
    free( rows );
    kitEnd( &scene );
}

static void wrongCallsAreRefused( void** state )
{
    (void)state;
    joQueryBatchDef def = joDefaultQueryBatchDef();
    joQueryBatch* batch = NULL;
    assert_int_equal( joCreateQueryBatch( NULL, &batch ), jo_errorNullArgument );
    assert_int_equal( joCreateQueryBatch( &def, NULL ), jo_errorNullArgument );
    def.internalCookie = 0;
    assert_int_equal( joCreateQueryBatch( &def, &batch ), jo_errorBadDef );
    def = joDefaultQueryBatchDef();
    def.allocator.allocate = kitAllocator( &kitDefaultHeap ).allocate;
    assert_int_equal( joCreateQueryBatch( &def, &batch ), jo_errorBadDef );
    assert_null( batch );
    joDestroyQueryBatch( NULL );

    kitScene scene = makeBvhScene( 3, 50 );
    rigRow* rows = drawRows( &scene, 10, 14 );
    batch = rigCreateBatch( NULL );
    uint64_t count = 0;
    joHit hits[10];
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        rigQuestions questions = { (rigVerb)verb, rig_plain, rows, 10, 3 };
        const bool isList = rigIsList( (rigVerb)verb );
        uint32_t errorIndex = 0;
        assert_int_equal( rigAsk( NULL, scene.broadPhase, &questions, NULL, hits, 10, &count, &errorIndex ),
            jo_errorNullArgument );
        assert_int_equal( errorIndex, JO_NULL_INDEX );
        assert_int_equal(
            rigAsk( batch, NULL, &questions, NULL, hits, 10, &count, NULL ), jo_errorNullArgument );
        assert_int_equal( rigAsk( batch, scene.broadPhase, &questions, NULL, NULL, 10, &count, NULL ),
            jo_errorNullArgument );
        if ( isList )
        {
            assert_int_equal( rigAsk( batch, scene.broadPhase, &questions, NULL, hits, 10, NULL, NULL ),
                jo_errorNullArgument );
        }
        // Columns that are needed: z in 3D.
        questions.dimension = 2;
        questions.style = rig_absentZ;
        assert_int_equal( rigAsk( batch, scene.broadPhase, &questions, NULL, hits, 10, &count, NULL ),
            jo_errorNullArgument );
        questions = ( rigQuestions ){ (rigVerb)verb, rig_plain, rows, 0x40000000u, 3 };
        assert_int_equal(
            rigAsk( batch, scene.broadPhase, &questions, NULL, hits, 10, &count, NULL ), jo_errorBadCount );
        questions.count = 0;
        uint64_t offset = 5;
        kitRequire(
            rigAsk( batch, scene.broadPhase, &questions, &offset, NULL, 0, &count, NULL ), "no queries" );
        assert_int_equal( offset, isList ? 0 : 5 );
    }
    const joQueryPoints noWanted = { { rows->lower, 0 }, { rows->lower, 0 }, { rows->lower, 0 }, .count = 1 };
    assert_int_equal(
        joQueryBatch_FindNearest( batch, scene.broadPhase, &noWanted, NULL, hits, 10, &count, NULL ),
        jo_errorNullArgument );
    assert_int_equal(
        joQueryBatch_CastRaysClosest( batch, scene.broadPhase, NULL, hits, NULL ), jo_errorNullArgument );
    assert_int_equal( joQueryBatch_GetHits( batch, 0, NULL, 1, &count ), jo_errorNullArgument );
    assert_int_equal( joQueryBatch_GetKeys( batch, 0, NULL, 0, NULL ), jo_errorNullArgument );
    assert_null( joQueryBatch_ViewOffsets( batch, NULL ) );
    assert_null( joQueryBatch_ViewHits( NULL, &count ) );
    joDestroyQueryBatch( batch );
    free( rows );
    kitEnd( &scene );
}

// Every allocation of a life fails once, and once all from it on; what was asked then is answered again.
static void anyAllocationMayFail( void** state )
{
    (void)state;
    enum
    {
        count = 600
    };
    kitScene scene = makeBvhScene( 2, 300 );
    rigRow* rows = drawRows( &scene, count, 15 );
    for ( uint32_t i = 0; i < count; i += 50 )
    {
        // All objects, again and again: more than the first slab, and views.
        rows[i].lower[0] = rows[i].lower[1] = -1000.0f;
        rows[i].upper[0] = rows[i].upper[1] = 1000.0f;
        rows[i].layer = rows[i].mask = UINT64_MAX;
        rows[i].length = 5000.0f;
        rows[i].k = 300;
    }
    const rigVerb verbs[] = { rig_raysClosest, rig_overlapBoxes, rig_nearest };
    rigAnswers expected[3];
    for ( uint32_t v = 0; v < 3; ++v )
    {
        const rigQuestions questions = { verbs[v], rig_plain, rows, count, 2 };
        expected[v] = rigAskOneByOne( scene.broadPhase, &questions );
    }
    kitHeap heap = { 0 };
    for ( uint32_t run = 0; run < 4; ++run )
    {
        bool wasReached = true;
        for ( uint64_t failing = 1; wasReached; ++failing )
        {
            heap = ( kitHeap ){ .failAt = run < 2 ? failing : 0, .failFrom = run < 2 ? 0 : failing };
            joQueryBatchDef def = joDefaultQueryBatchDef();
            def.allocator = kitAllocator( &heap );
            def.jobs = kitJobs( 1 + run % 2 );
            joQueryBatch* batch = NULL;
            if ( joCreateQueryBatch( &def, &batch ) != jo_success )
            {
                assert_null( batch );
                assert_int_equal( heap.liveBytes, 0 );
                heap.failAt = heap.failFrom = 0;
                kitRequire( joCreateQueryBatch( &def, &batch ), "joCreateQueryBatch" );
            }
            for ( uint32_t v = 0; v < 3; ++v )
            {
                const rigQuestions questions = { verbs[v], rig_plain, rows, count, 2 };
                static char results[1000000];
                uint64_t resultCount = 0, viewed = 0;
                assert_true( expected[v].count * expected[v].size < sizeof( results ) );
                memset( results, 0x5A, sizeof( results ) );
                const joResult result = rigAsk( batch, scene.broadPhase, &questions, NULL, results,
                    expected[v].count, &resultCount, NULL );
                if ( result == jo_success && v > 0 )
                {
                    const void* view = v == 1 ? (const void*)joQueryBatch_ViewKeys( batch, &viewed )
                                              : (const void*)joQueryBatch_ViewHits( batch, &viewed );
                    assert_int_equal( viewed, expected[v].count );
                    assert_true( view != NULL || heap.refused > 0 );
                }
                if ( result != jo_success )
                {
                    assert_int_equal( result, jo_errorOutOfMemory );
                    assert_int_equal( resultCount, 0 );
                    assert_int_equal( results[0], 0x5A );
                    requireNothingKept( batch, false, false );
                }
                if ( heap.refused > 0 )
                {
                    heap.failAt = heap.failFrom = 0;
                }
                rigCompare( batch, scene.broadPhase, &questions, &expected[v], "after a failure" );
            }
            wasReached = heap.refused > 0;
            joDestroyQueryBatch( batch );
            assert_int_equal( heap.liveBytes, 0 );
            assert_true( wasReached || failing > 8 );
        }
    }
    for ( uint32_t v = 0; v < 3; ++v )
    {
        rigFreeAnswers( &expected[v] );
    }
    free( rows );
    kitEnd( &scene );
}

static void aFixedCapacityIsHeld( void** state )
{
    (void)state;
    enum
    {
        count = 400
    };
    kitScene scene = makeBvhScene( 2, 300 );
    rigRow* rows = drawRows( &scene, count, 16 );
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, count, 2 };
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        for ( uint32_t workers = 1; workers <= 2; ++workers )
        {
            kitHeap heap = { 0 };
            joQueryBatchDef def = joDefaultQueryBatchDef();
            def.queryReserve = count;
            def.resultReserve = expected.count;
            def.fixedCapacity = true;
            def.jobs = kitJobs( workers );
            def.allocator = kitAllocator( &heap );
            joQueryBatch* batch = NULL;
            kitRequire( joCreateQueryBatch( &def, &batch ), "joCreateQueryBatch" );
            const uint64_t before = heap.allocations;
            rigCompare( batch, scene.broadPhase, &questions, &expected, "within the reserve" );
            uint64_t viewed = 0;
            if ( rigIsList( (rigVerb)verb ) && expected.size == sizeof( joHit ) )
            {
                assert_non_null( joQueryBatch_ViewHits( batch, &viewed ) );
            }
            assert_int_equal( heap.allocations, before );
            rigQuestions larger = questions;
            larger.count = count + 1;
            char results[( count + 1 ) * sizeof( joHit )];
            uint64_t resultCount = 77;
            memset( results, 0x5A, sizeof( results ) );
            assert_int_equal(
                rigAsk( batch, scene.broadPhase, &larger, NULL, results, count + 1, &resultCount, NULL ),
                jo_errorCapacity );
            assert_int_equal( results[0], 0x5A );
            rigCompare( batch, scene.broadPhase, &questions, &expected, "within the reserve again" );
            assert_int_equal( heap.allocations, before );
            joDestroyQueryBatch( batch );
        }
        rigFreeAnswers( &expected );
    }
    free( rows );
    kitEnd( &scene );
}

// One query of more results than were reserved; and a k that is larger than any reserve.
static void aFixedCapacityOfResultsIsHeld( void** state )
{
    (void)state;
    enum
    {
        boxCount = 20000
    };
    kitScene scene = kitBegin( &kitVariants[1], 2, NULL );
    for ( uint32_t i = 0; i < boxCount; ++i )
    {
        kitPush( &scene, kitBox2( i, i, 0.0, i, 1.0 ) );
    }
    kitAddFrom( &scene, 0 );
    joQueryBatchDef def = joDefaultQueryBatchDef();
    def.queryReserve = 10;
    def.resultReserve = 100;
    def.fixedCapacity = true;
    joQueryBatch* batch = NULL;
    kitRequire( joCreateQueryBatch( &def, &batch ), "joCreateQueryBatch" );
    rigRow row = { .lower = { -1.0f }, .upper = { 20000.0f, 1.0f }, .length = 50.0f, .k = UINT32_MAX };
    rigQuestions questions = { rig_overlapBoxes, rig_noFilters | rig_noIgnored, &row, 1, 2 };
    uint64_t count = 77;
    assert_int_equal(
        rigAsk( batch, scene.broadPhase, &questions, NULL, NULL, 0, &count, NULL ), jo_errorCapacity );
    assert_int_equal( count, 0 );
    questions.verb = rig_nearest;
    rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
    assert_int_equal( expected.count, 50 );
    rigCompare( batch, scene.broadPhase, &questions, &expected, "the k nearest, of which few are near" );
    rigCompare( batch, scene.broadPhase, &questions, &expected, "the same again" );
    rigFreeAnswers( &expected );
    joDestroyQueryBatch( batch );
    kitEnd( &scene );
}

static void nothingIsAllocatedAfterWarmUp( void** state )
{
    (void)state;
    const uint32_t count = kitQuick() ? 1000 : 3000;
    kitScene scene = makeBvhScene( 3, 500 );
    rigRow* rows = drawRows( &scene, count, 17 );
    static char results[2000000];
    for ( uint32_t workers = 1; workers <= 4; ++workers )
    {
        kitHeap heap = { 0 };
        joQueryBatchDef def = joDefaultQueryBatchDef();
        def.jobs = kitJobs( workers );
        def.allocator = kitAllocator( &heap );
        joQueryBatch* batch = NULL;
        kitRequire( joCreateQueryBatch( &def, &batch ), "joCreateQueryBatch" );
        uint64_t before = 0;
        for ( uint32_t round = 0; round < 12; ++round )
        {
            before = round == 2 ? heap.allocations : before;
            for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
            {
                const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, count, 3 };
                uint64_t resultCount = 0, viewed;
                kitRequire(
                    rigAsk( batch, scene.broadPhase, &questions, NULL, results, count, &resultCount, NULL ),
                    rigVerbText[verb] );
                joQueryBatch_ViewKeys( batch, &viewed );
                joQueryBatch_ViewHits( batch, &viewed );
            }
        }
        assert_int_equal( heap.allocations, before );
        joDestroyQueryBatch( batch );
    }
    free( rows );
    kitEnd( &scene );
}

typedef struct KeptTask
{
    joTaskFcn* task;
    void* context;
} KeptTask;

// A task system in which all is done by worker 1, at once, or all by worker 0, before the task is run.
static void* enqueueTask( joTaskFcn* task, void* taskContext, void* userContext )
{
    if ( *(const bool*)userContext )
    {
        task( taskContext );
        return NULL;
    }
    static KeptTask s_kept;
    s_kept = ( KeptTask ){ task, taskContext };
    return &s_kept;
}

static void finishTask( void* userTask, void* userContext )
{
    (void)userContext;
    const KeptTask* kept = userTask;
    kept->task( kept->context );
}

// Whichever worker met the longest list, afterwards all have room for it.
static void nothingIsAllocatedWhoeverMeetsTheLongestList( void** state )
{
    (void)state;
    enum
    {
        boxCount = 20000
    };
    kitScene scene = kitBegin( &kitVariants[1], 2, NULL );
    for ( uint32_t i = 0; i < boxCount; ++i )
    {
        kitPush( &scene, kitBox2( i, i, 0.0, i, 1.0 ) );
    }
    kitAddFrom( &scene, 0 );
    rigRow rows[40];
    for ( uint32_t i = 0; i < 40; ++i )
    {
        rows[i] = ( rigRow ){ .lower = { -1.0f }, .upper = { 10.0f, 1.0f }, .length = 30000.0f, .k = 5 };
    }
    rows[0].upper[0] = 12000.0f;
    rows[20].k = 15000;
    bool isFirst = true;
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = 2;
    jobsDef.enqueueTask = enqueueTask;
    jobsDef.finishTask = finishTask;
    jobsDef.userContext = &isFirst;
    joJobs* jobs = NULL;
    kitRequire( joCreateJobs( &jobsDef, &jobs ), "joCreateJobs" );
    for ( uint32_t k = 0; k < 2; ++k )
    {
        const rigVerb verb = k == 0 ? rig_overlapBoxes : rig_nearest;
        const rigQuestions questions = { verb, rig_noFilters | rig_noIgnored, rows, 40, 2 };
        rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
        assert_true( expected.count > 12000 );
        joQueryBatch* batch = rigCreateBatch( jobs );
        isFirst = true;
        rigCompare( batch, scene.broadPhase, &questions, &expected, "by worker 1" );
        rigCompare( batch, scene.broadPhase, &questions, &expected, "by worker 1 again" );
        const uint64_t before = kitDefaultHeap.allocations;
        isFirst = false;
        rigCompare( batch, scene.broadPhase, &questions, &expected, "by worker 0" );
        assert_int_equal( kitDefaultHeap.allocations, before );
        joDestroyQueryBatch( batch );
        rigFreeAnswers( &expected );
    }
    joDestroyJobs( jobs );
    kitEnd( &scene );
}

// A thread with a batch of its own.
typedef struct Asker
{
    pthread_t thread;
    const kitScene* scene;
    const rigRow* rows;
    uint32_t count;
    joQueryBatch* batch;
    const rigAnswers* expected; // by verb
    uint32_t wrong;
} Asker;

static void* askAll( void* context )
{
    Asker* asker = context;
    char* results = malloc( asker->count * 64 * sizeof( joHit ) );
    for ( uint32_t round = 0; round < 4; ++round )
    {
        for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
        {
            const rigQuestions questions = {
                (rigVerb)verb, rig_plain, asker->rows, asker->count, asker->scene->dimension };
            const rigAnswers* expected = asker->expected + verb;
            uint64_t count = expected->count;
            const joResult result = rigAsk( asker->batch, asker->scene->broadPhase, &questions, NULL, results,
                asker->count * 64, &count, NULL );
            asker->wrong += result != jo_success || count != expected->count ||
                            memcmp( results, expected->results, count * expected->size ) != 0;
        }
    }
    free( results );
    return NULL;
}

static void batchesOfSeveralThreadsAskOneBroadPhase( void** state )
{
    const kitVariant* variant = *state;
    const uint32_t count = kitQuick() ? 200 : 800;
    kitScene scene = kitBegin( variant, 3, NULL );
    fillScene( &scene, 300, 21 );
    changeScene( &scene );
    rigRow* rows = drawRows( &scene, count, 18 );
    rigAnswers expected[rig_verbCount];
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, count, 3 };
        expected[verb] = rigAskOneByOne( scene.broadPhase, &questions );
        assert_true( expected[verb].count < count * 64 );
    }
    Asker askers[4];
    for ( uint32_t i = 0; i < 4; ++i )
    {
        // Two with workers of their own.
        joQueryBatch* batch = rigCreateBatch( i < 2 ? kitJobs( 2 + i ) : NULL );
        askers[i] =
            ( Asker ){ .scene = &scene, .rows = rows, .count = count, .batch = batch, .expected = expected };
        assert_int_equal( pthread_create( &askers[i].thread, NULL, askAll, &askers[i] ), 0 );
    }
    for ( uint32_t i = 0; i < 4; ++i )
    {
        pthread_join( askers[i].thread, NULL );
        assert_int_equal( askers[i].wrong, 0 );
        joDestroyQueryBatch( askers[i].batch );
    }
    for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
    {
        rigFreeAnswers( &expected[verb] );
    }
    free( rows );
    kitEnd( &scene );
}

#if defined( __SSE__ )
static void theHostsFloatingPointModeNeitherShowsNorIsLost( void** state )
{
    (void)state;
    const uint32_t count = 300;
    joBroadPhaseDef def = kitDef( &kitVariants[0], 3 );
    def.kind = jo_bvh;
    kitScene scene = kitBegin( &kitVariants[0], 3, &def );
    for ( uint32_t i = 0; i < 40; ++i )
    {
        kitPush( &scene, kitBall( i, i * 0x1p-140, 0.0, 0.0, 0x1p-141 ) );
    }
    kitAddFrom( &scene, 0 );
    rigRow* rows = drawRows( &scene, count, 19 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            rows[i].lower[axis] *= 0x1p-140f;
            rows[i].upper[axis] = rows[i].lower[axis] + 0x1p-139f;
            rows[i].direction[axis] *= 0x1p-135f;
        }
        rows[i].length *= 0x1p-139f;
        rows[i].layer = rows[i].mask = UINT64_MAX;
    }
    const unsigned int before = _mm_getcsr();
    for ( uint32_t workers = 1; workers <= 2; ++workers )
    {
        joQueryBatch* batch = rigCreateBatch( kitJobs( workers ) );
        for ( uint32_t verb = 0; verb < rig_verbCount; ++verb )
        {
            const rigQuestions questions = { (rigVerb)verb, rig_plain, rows, count, 3 };
            rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
            _mm_setcsr( ( before | 0x8040u ) & ~0x3Fu ); // flush to zero, denormals are zero
            rigCompare( batch, scene.broadPhase, &questions, &expected, "under another mode" );
            const unsigned int after = _mm_getcsr();
            _mm_setcsr( before );
            assert_int_equal( after & 0xFFC0u, ( before | 0x8040u ) & 0xFFC0u );
            rigFreeAnswers( &expected );
        }
        joDestroyQueryBatch( batch );
    }
    free( rows );
    kitEnd( &scene );
}
#endif

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    static char names[3 * KIT_VARIANT_COUNT][100];
    struct CMUnitTest tests[3 * KIT_VARIANT_COUNT + 20] =
    {
        { .name = "many queries are answered in the caller's order",
            .test_func = manyQueriesAreAnsweredInTheCallersOrder },
        { .name = "queries in one place are answered", .test_func = queriesInOnePlaceAreAnswered },
        { .name = "small buffers get the first results, and the rest is kept",
            .test_func = smallBuffersGetTheFirstResultsAndTheRestIsKept },
        { .name = "results are those of the last call only", .test_func = resultsAreThoseOfTheLastCallOnly },
        { .name = "long lists are complete", .test_func = longListsAreComplete },
        { .name = "the first bad query is named, and nothing written",
            .test_func = theFirstBadQueryIsNamedAndNothingWritten },
        { .name = "wrong calls are refused", .test_func = wrongCallsAreRefused },
        { .name = "any allocation may fail", .test_func = KIT_WITHOUT_THREADS( anyAllocationMayFail ) },
        { .name = "a fixed capacity is held", .test_func = aFixedCapacityIsHeld },
        { .name = "a fixed capacity of results is held", .test_func = aFixedCapacityOfResultsIsHeld },
        { .name = "nothing is allocated after warm-up",
            .test_func = KIT_WITHOUT_THREADS( nothingIsAllocatedAfterWarmUp ) },
        { .name = "nothing is allocated, whoever meets the longest list",
            .test_func = nothingIsAllocatedWhoeverMeetsTheLongestList },
#if defined( __SSE__ )
        { .name = "the host's floating-point mode neither shows nor is lost",
            .test_func = theHostsFloatingPointModeNeitherShowsNorIsLost },
#endif
    };
    size_t count = 0;
    while ( tests[count].test_func != NULL )
    {
        count += 1;
    }
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        char* name = names[3 * v];
        snprintf( name, sizeof names[0], "%s: batches answer as single queries do", kitVariants[v].name );
        tests[count++] = ( struct CMUnitTest ){ .name = name,
            .test_func = batchesAnswerAsSingleQueriesDo,
            .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
        name = names[3 * v + 1];
        snprintf( name, sizeof names[0], "%s: batches of several threads ask one broad phase",
            kitVariants[v].name );
        tests[count++] = ( struct CMUnitTest ){ .name = name,
            .test_func = batchesOfSeveralThreadsAskOneBroadPhase,
            .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
        name = names[3 * v + 2];
        snprintf( name, sizeof names[0], "%s: queries of no layer meet nothing", kitVariants[v].name );
        tests[count++] = ( struct CMUnitTest ){ .name = name,
            .test_func = queriesOfNoLayerMeetNothing,
            .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
    }
    return _cmocka_run_group_tests( "query_batch", tests, count, NULL, freeJobs );
}
