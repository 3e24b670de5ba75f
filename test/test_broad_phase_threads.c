// SPDX-License-Identifier: MIT
// The same list, bit for bit, for any number of workers, any schedule and any host's floating-point mode. Run
// under the thread sanitizer too.
#include "support/broad_phase_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

// A task system that runs tasks late and in another order: whatever it does must not show.
typedef struct Scheduler
{
    joTaskFcn* task[JO_MAX_WORKERS];
    void* context[JO_MAX_WORKERS];
    bool done[JO_MAX_WORKERS];
    uint32_t count, finished;
    uint32_t manner; // 0: at once; 1: at finish, last first; 2: at finish, every one on its own
} Scheduler;

static void* enqueue( joTaskFcn* task, void* taskContext, void* userContext )
{
    Scheduler* scheduler = userContext;
    if ( scheduler->manner == 0 )
    {
        task( taskContext );
        return NULL;
    }
    uint32_t at = scheduler->count++;
    assert_true( at < JO_MAX_WORKERS );
    scheduler->task[at] = task;
    scheduler->context[at] = taskContext;
    scheduler->done[at] = false;
    return &scheduler->done[at];
}

static void finish( void* userTask, void* userContext )
{
    Scheduler* scheduler = userContext;
    for ( uint32_t k = scheduler->count; k > 0; --k )
    {
        bool wanted = scheduler->manner == 1 || (void*)&scheduler->done[k - 1] == userTask;
        if ( wanted == false || scheduler->done[k - 1] )
            continue;
        scheduler->done[k - 1] = true;
        scheduler->task[k - 1]( scheduler->context[k - 1] );
    }
    assert_true( *(bool*)userTask );
    scheduler->finished += 1;
    if ( scheduler->finished == scheduler->count )
        scheduler->count = scheduler->finished = 0;
}

static refSceneDef drawDef( refDistribution distribution, int dimension, uint32_t count )
{
    return ( refSceneDef ){ .distribution = distribution,
        .axisCount = dimension,
        .count = count,
        .cellSize = 1.0,
        .roundShare = distribution == ref_clumps ? 0.4 : 0.0,
        .neighbours = 5.0,
        .layerCount = distribution == ref_mixedSizes ? 3 : 0 };
}

static void drawObjects( kitScene* scene, refSceneDef draw, bool denseKeys )
{
    refRandom random = refMakeRandom( 31, draw.distribution );
    refPrepareScene( &draw, &random );
    for ( uint32_t i = 0; i < draw.count; ++i )
    {
        refObject object = { .key = denseKeys ? i : i * 0x9E3779B1u };
        object.motion = draw.distribution == ref_uniform ? ref_moving : (refMotion)( i / 200 % 3 );
        refDrawShape( &draw, &random, &object );
        refDrawLayers( &draw, &random, &object );
        kitPush( scene, object );
    }
}

typedef struct List
{
    joPair* pairs;
    uint64_t count;
} List;

static List takeList( joBroadPhase* broadPhase )
{
    List list = { 0 };
    kitRequire( joBroadPhase_FindPairs( broadPhase, NULL, 0, &list.count ), "FindPairs" );
    const joPair* pairs = joBroadPhase_ViewPairs( broadPhase, &list.count );
    list.pairs = malloc( ( list.count + 1 ) * sizeof( joPair ) );
    assert_non_null( list.pairs );
    if ( list.count )
        memcpy( list.pairs, pairs, list.count * sizeof( joPair ) );
    return list;
}

// Runs three frames with the jobs given; the lists must be those of `first`, which it fills if it is empty.
static void runFrames( const kitVariant* variant, int dimension, refDistribution distribution, joJobs* jobs,
    List first[3], const char* what )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.jobs = jobs;
    kitScene scene = kitBegin( variant, dimension, &def );
    uint32_t count = kitQuick() ? 1200 : 4000;
    drawObjects( &scene, drawDef( distribution, dimension, count ), distribution == ref_uniform );
    kitAddFrom( &scene, 0 );
    for ( uint32_t frame = 0; frame < 3; ++frame )
    {
        kitCheckScene( &scene, what );
        List list = takeList( scene.broadPhase );
        if ( first[frame].pairs == NULL )
        {
            first[frame] = list;
        }
        else
        {
            assert_int_equal( list.count, first[frame].count );
            assert_memory_equal( list.pairs, first[frame].pairs, list.count * sizeof( joPair ) );
            free( list.pairs );
        }
        uint64_t counted = 0;
        kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &counted ), "CountPairs" );
        assert_int_equal( counted, first[frame].count );
        // The next frame: every object of a fifth lies where its neighbour lay.
        for ( uint32_t i = 0; i + 5 < scene.count; i += 5 )
        {
            refObject moved = scene.objects[i + 1];
            moved.key = scene.objects[i].key;
            moved.motion = scene.objects[i].motion;
            scene.objects[i] = moved;
            kitRequire( kitMove( scene.broadPhase, dimension, &moved, 1 ), "Move" );
        }
    }
    kitEnd( &scene );
}

static void freeLists( List lists[3] )
{
    for ( int k = 0; k < 3; ++k )
        free( lists[k].pairs );
}

static const refDistribution distributions[] = { ref_uniform, ref_clumps, ref_mixedSizes, ref_line };

static void anyNumberOfThreadsGivesTheSameList( void** state )
{
    const kitVariant* variant = *state;
    for ( uint32_t k = 0; k < 4; ++k )
    {
        int dimension = 2 + (int)( k & 1 );
        List first[3] = { 0 };
        for ( uint32_t workers = 1; workers <= 4; workers += KIT_TSAN ? 2 : 1 )
            runFrames( variant, dimension, distributions[k], kitJobs( workers ), first, "over threads" );
        freeLists( first );
    }
}

static void anyScheduleGivesTheSameList( void** state )
{
    const kitVariant* variant = *state;
    List first[3] = { 0 };
    for ( uint32_t manner = 0; manner < 3; ++manner )
    {
        Scheduler scheduler = { .manner = manner };
        joJobsDef jobsDef = joDefaultJobsDef();
        jobsDef.workerCount = 5;
        jobsDef.enqueueTask = enqueue;
        jobsDef.finishTask = finish;
        jobsDef.userContext = &scheduler;
        joJobs* jobs = NULL;
        kitRequire( joCreateJobs( &jobsDef, &jobs ), "joCreateJobs" );
        runFrames( variant, 3, ref_clumps, jobs, first, "over the caller's tasks" );
        joDestroyJobs( jobs );
    }
    runFrames( variant, 3, ref_clumps, NULL, first, "in one thread" );
    freeLists( first );
}

static void aLimitKeepsTheFirstPairsWhateverTheThreads( void** state )
{
    const kitVariant* variant = *state;
    uint32_t count = kitQuick() ? 150 : 500;
    static const uint64_t limits[] = { 1, 2, 1000, 4096, 5000, 20000, 200000 };
    for ( uint32_t k = 0; k < 7; ++k )
    {
        for ( uint32_t workers = 1; workers <= 4; workers += 3 )
        {
            joBroadPhaseDef def = kitDef( variant, 2 );
            def.jobs = kitJobs( workers );
            def.pairLimit = limits[k];
            kitScene scene = kitBegin( variant, 2, &def );
            for ( uint32_t i = 0; i < count; ++i )
                kitPush( &scene, kitBox2( i * 7919u, 0.001 * i, 0.0, 1.0 + 0.001 * i, 1.0 ) );
            for ( uint32_t i = 0; i < count; i += 3 )
                scene.objects[i].motion = ref_resting;
            kitAddFrom( &scene, 0 );
            refPairs expected = { 0 };
            refFindPairs( scene.objects, count, 2, &expected );
            uint64_t found = 0, viewed = 0, kept = expected.count < limits[k] ? expected.count : limits[k];
            kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &found ), "FindPairs" );
            assert_int_equal( found, expected.count );
            const joPair* pairs = joBroadPhase_ViewPairs( scene.broadPhase, &viewed );
            assert_int_equal( viewed, kept );
            assert_int_equal( kitFirstDifference( pairs, viewed, expected.data, kept ), kept );
            refFreePairs( &expected );
            kitEnd( &scene );
        }
    }
}

#if defined( __SSE__ )
#define BOX_COUNT 160
#define ROUND_COUNT 40

static void denormalBoxes( kitScene* scene )
{
    for ( uint32_t i = 0; i < BOX_COUNT + ROUND_COUNT; ++i )
    {
        double unit = i % 2 ? 0x1p-149 : 0x1p-140;
        double x = unit * ( i % 20 ), y = unit * ( i / 20 );
        refObject box = kitBox3( i, x, y, -x, x + unit, y + unit, -x );
        kitPush( scene, i < BOX_COUNT ? box : kitBall( i, x, unit * ( i % 7 ), -x, unit ) );
    }
}

// A host that flushes denormals to zero, rounds up and has raised flags: the answer is the same, and the
// host's mode is its own again.
static void theHostsFloatingPointModeNeitherShowsNorIsLost( void** state )
{
    const kitVariant* variant = *state;
    static const uint32_t modes[] = { 0x9FC0u, 0x5F80u, 0xFFC0u, 0x1F80u, 0x1FBFu };
    for ( uint32_t k = 0; k < 5; ++k )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
        {
            joBroadPhaseDef def = kitDef( variant, dimension );
            def.jobs = kitJobs( k % 2 ? 3 : 1 );
            uint32_t before = _mm_getcsr();
            kitScene scene = kitBegin( variant, dimension, &def );
            denormalBoxes( &scene );
            refPairs expected = { 0 };
            refFindPairs( scene.objects, scene.count, dimension, &expected );
            uint64_t found = 0, counted = 0;
            // The columns are made in the usual mode: the flushed one would spoil them.
            kitColumns columns = { 0 }, rounds = { 0 };
            kitFill( &columns, scene.objects, NULL, BOX_COUNT, dimension, kit_rows );
            kitFill( &rounds, scene.objects + BOX_COUNT, NULL, ROUND_COUNT, dimension, kit_rows );
            joResult results[5];
            _mm_setcsr( modes[k] );
            results[3] = joBroadPhase_AddBoxes( scene.broadPhase, jo_moving, &columns.boxes, NULL );
            results[4] = joBroadPhase_AddCircles( scene.broadPhase, jo_moving, &rounds.circles, NULL );
            results[0] = joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &found );
            uint32_t after = _mm_getcsr();
            results[1] = joBroadPhase_CountPairs( scene.broadPhase, &counted );
            results[2] = joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &found );
            _mm_setcsr( before );
            for ( int r = 0; r < 5; ++r )
                kitRequire( results[r], "a find under another mode" );
            assert_int_equal( after & 0xFFC0u, modes[k] & 0xFFC0u );
            uint64_t viewed = 0;
            const joPair* pairs = joBroadPhase_ViewPairs( scene.broadPhase, &viewed );
            assert_int_equal( counted, expected.count );
            assert_int_equal( viewed, expected.count );
            assert_int_equal(
                kitFirstDifference( pairs, viewed, expected.data, expected.count ), expected.count );
            refFreePairs( &expected );
            kitFreeColumns( &columns );
            kitFreeColumns( &rounds );
            kitEnd( &scene );
        }
    }
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
    static const struct
    {
        const char* name;
        CMUnitTestFunction function;
    } all[] = {
        { "any number of threads gives the same list", anyNumberOfThreadsGivesTheSameList },
        { "any schedule gives the same list", anyScheduleGivesTheSameList },
        { "a limit keeps the first pairs whatever the threads", aLimitKeepsTheFirstPairsWhateverTheThreads },
#if defined( __SSE__ )
        { "the host's floating-point mode neither shows nor is lost",
            theHostsFloatingPointModeNeitherShowsNorIsLost }
#endif
    };
    enum
    {
        count = sizeof all / sizeof *all
    };
    static char names[KIT_VARIANT_COUNT * count][100];
    struct CMUnitTest tests[KIT_VARIANT_COUNT * count];
    size_t testCount = 0;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        for ( int k = 0; k < count; ++k )
        {
            snprintf( names[testCount], sizeof names[0], "%s: %s", kitVariants[v].name, all[k].name );
            tests[testCount] = ( struct CMUnitTest ){ .name = names[testCount],
                .test_func = all[k].function,
                .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
            testCount += 1;
        }
    }
    return _cmocka_run_group_tests( "threads", tests, testCount, NULL, freeJobs );
}
