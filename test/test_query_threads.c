// SPDX-License-Identifier: MIT
// Queries from many threads at once: the answers are those of one thread, bit for bit, whatever the host's
// floating-point mode in any of them. Run under the thread sanitizer too.
#include "support/query_kit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define OBJECTS 900
#define QUERIES 240

typedef struct Work
{
    kitScene scene;
    kitQuery* queries;
    kitForm* forms;
    uint64_t* rooms;
    uint32_t queryCount;
    kitAnswer* alone; // what one thread gets
} Work;

typedef struct Thread
{
    const Work* work;
    uint32_t number;
    uint32_t wrong; // the first query that was answered otherwise, or queryCount
    joResult result;
} Thread;

static bool areEqual( const kitAnswer* a, const kitAnswer* b )
{
    return a->count == b->count && a->present == b->present && a->isHit == b->isHit &&
           a->isOverrun == b->isOverrun &&
           ( a->present == 0 ||
               ( memcmp( a->keys, b->keys, a->present * sizeof( uint32_t ) ) == 0 &&
                   memcmp( a->distances, b->distances, a->present * sizeof( float ) ) == 0 ) );
}

// Every query, each thread in its own order.
static void* runThread( void* context )
{
    Thread* thread = context;
    const Work* work = thread->work;
    kitAnswer answer = { .flushesDenormals = thread->number % 2 };
    thread->wrong = work->queryCount;
    for ( uint32_t i = 0; i < work->queryCount && thread->wrong == work->queryCount; ++i )
    {
        uint32_t at = ( thread->number % 2 ? work->queryCount - 1 - i : i ) + thread->number * 101;
        at %= work->queryCount;
        thread->result = kitAsk( work->scene.broadPhase, work->scene.dimension, work->queries + at,
            work->forms[at], work->rooms[at], &answer );
        if ( thread->result != jo_success || areEqual( &answer, work->alone + at ) == false )
            thread->wrong = at;
    }
    kitFreeAnswer( &answer );
    return NULL;
}

static void runThreads( const Work* work, const char* when )
{
    pthread_t handles[THREADS];
    Thread threads[THREADS];
    for ( uint32_t t = 0; t < THREADS; ++t )
    {
        threads[t] = ( Thread ){ .work = work, .number = t };
        assert_int_equal( pthread_create( &handles[t], NULL, runThread, &threads[t] ), 0 );
    }
    for ( uint32_t t = 0; t < THREADS; ++t )
        pthread_join( handles[t], NULL );
    for ( uint32_t t = 0; t < THREADS; ++t )
    {
        if ( threads[t].wrong == work->queryCount )
            continue;
        kitPrintQuery( work->queries + threads[t].wrong, work->scene.dimension );
        fail_msg( "%s, %d axes, %s: thread %u gets another answer (%s)", work->scene.variant->name,
            work->scene.dimension, when, t, joResultText( threads[t].result ) );
    }
}

static void drawObjects( Work* work, const refSceneDef* draw, refRandom* random )
{
    for ( uint32_t i = 0; i < draw->count; ++i )
    {
        refObject object = { .key = i * 0x9E3779B1u, .motion = (refMotion)( i / 64 % 3 ) };
        refDrawShape( draw, random, &object );
        refDrawLayers( draw, random, &object );
        kitPush( &work->scene, object );
    }
    kitAddFrom( &work->scene, 0 );
}

// Asks all from this thread, and has it all compared with the reference.
static void askAlone( Work* work )
{
    for ( uint32_t i = 0; i < work->queryCount; ++i )
    {
        kitAnswer all = kitCheckQuery( &work->scene, work->queries + i, "alone" );
        work->rooms[i] = i % 3 ? all.count : all.count / 2;
        kitFreeAnswer( &all );
        kitRequire( kitAsk( work->scene.broadPhase, work->scene.dimension, work->queries + i, work->forms[i],
                        work->rooms[i], work->alone + i ),
            "a query" );
    }
}

static void runWork( const kitVariant* variant, int dimension, refDistribution distribution )
{
    refRandom random = refMakeRandom( 47, distribution );
    refSceneDef draw = { .distribution = distribution,
        .axisCount = dimension,
        .count = kitQuick() ? OBJECTS / 4 : OBJECTS,
        .cellSize = 1.0,
        .roundShare = 0.4,
        .neighbours = 2.0,
        .layerCount = 3 };
    refPrepareScene( &draw, &random );
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.jobs = kitJobs( 3 ); // structures that several workers have built are asked like others
    Work work = { .scene = kitBegin( variant, dimension, &def ) };
    work.queryCount = kitQuick() ? QUERIES / 4 : QUERIES;
    work.queries = calloc( work.queryCount, sizeof( kitQuery ) );
    work.forms = calloc( work.queryCount, sizeof( kitForm ) );
    work.rooms = calloc( work.queryCount, sizeof( uint64_t ) );
    work.alone = calloc( work.queryCount, sizeof( kitAnswer ) );
    assert_true( work.queries && work.forms && work.rooms && work.alone );
    drawObjects( &work, &draw, &random );
    for ( uint32_t i = 0; i < work.queryCount; ++i )
    {
        kitDrawQuery( &draw, &random, work.scene.objects, work.scene.count, work.queries + i );
        work.forms[i] = kitDrawForm( work.queries + i, &random );
    }
    askAlone( &work );
    runThreads( &work, "never updated" );
    kitUpdate( &work.scene );
    runThreads( &work, "up to date" );
    for ( uint32_t i = 0; i < work.scene.count; i += 23 ) // some changes, not yet taken in
    {
        refObject object = work.scene.objects[i];
        refJitter( &draw, &random, &object );
        work.scene.objects[i] = object;
        kitRequire( kitMove( work.scene.broadPhase, dimension, &object, 1 ), "Move" );
    }
    askAlone( &work );
    runThreads( &work, "some have moved" );
    for ( uint32_t i = 0; i < work.queryCount; ++i )
        kitFreeAnswer( work.alone + i );
    free( work.queries );
    free( work.forms );
    free( work.rooms );
    free( work.alone );
    kitEnd( &work.scene );
}

static void manyThreadsAskOneBroadPhase( void** state )
{
    static const refDistribution distributions[] = {
        ref_uniform, ref_integers, ref_denormal, ref_mixedSizes };
    for ( int k = 0; k < 4; ++k )
        runWork( *state, 2 + k % 2, distributions[k] );
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    struct CMUnitTest tests[KIT_VARIANT_COUNT];
    char names[KIT_VARIANT_COUNT][80];
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        snprintf( names[k], sizeof names[k], "%s answers four threads at once as it answers one",
            kitVariants[k].name );
        tests[k] = ( struct CMUnitTest ){ .name = names[k],
            .test_func = manyThreadsAskOneBroadPhase,
            .initial_state = (void*)(uintptr_t)( kitVariants + k ) };
    }
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
