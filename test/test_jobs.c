// SPDX-License-Identifier: MIT
// Tests of the jobs: every item exactly once, workers apart, own task systems, pools that come and go.
// Assertions are made in the main thread only; workers count what they see.
#define _GNU_SOURCE // pthread_setattr_default_np

#include "test_support.h"

#include "base/float_env.h"
#include "jostle/jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

#define MAX_ITEMS 1000000u

static uint64_t s_seed;
static atomic_uchar s_visits[MAX_ITEMS];

static atomic_uint s_assertCount;

static bool countAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    atomic_fetch_add( &s_assertCount, 1 );
    return false;
}

static void sleepMilliseconds( long milliseconds )
{
    struct timespec time = { 0, milliseconds * 1000000 };
    nanosleep( &time, NULL );
}

static joJobs* makeJobs( uint32_t workerCount )
{
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = workerCount;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    assert_int_equal( joJobs_GetWorkerCount( jobs ), workerCount );
    return jobs;
}

// --- each item once, by workers apart ---

typedef struct Watch
{
    uint32_t count, block, workerCount;
    bool visit; // marks each item
    atomic_uint_least64_t items;
    atomic_uint calls;
    atomic_uint faults; // bad ranges, bad workers, two calls with one worker at once
    atomic_bool running[JO_MAX_WORKERS];
} Watch;

static void watchBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Watch* watch = context;
    atomic_fetch_add( &watch->calls, 1 );
    if ( worker >= watch->workerCount || atomic_exchange( &watch->running[worker], true ) )
    {
        atomic_fetch_add( &watch->faults, 1 );
        return;
    }
    bool whole = watch->block == 0 || ( begin % watch->block == 0 && end - begin <= watch->block );
    if ( begin >= end || end > watch->count || !whole )
    {
        atomic_fetch_add( &watch->faults, 1 );
    }
    for ( uint32_t i = begin; i < end && watch->visit; ++i )
    {
        atomic_fetch_add_explicit( &s_visits[i], 1, memory_order_relaxed );
    }
    atomic_fetch_add( &watch->items, end - begin );
    atomic_store( &watch->running[worker], false );
}

// Runs a loop and checks that each item was visited once. Returns how many calls there were.
static uint32_t checkLoop( joJobs* jobs, uint32_t count, uint32_t block )
{
    static Watch watch;
    memset( &watch, 0, sizeof( watch ) );
    watch.count = count;
    watch.block = block;
    watch.workerCount = joJobs_GetWorkerCount( jobs );
    watch.visit = count <= MAX_ITEMS;
    joParallelFor( jobs, count, block, watchBlock, &watch );
    assert_int_equal( atomic_load( &watch.faults ), 0 );
    assert_int_equal( atomic_load( &watch.items ), count );
    for ( uint32_t i = 0; i < count && watch.visit; ++i )
    {
        if ( atomic_load_explicit( &s_visits[i], memory_order_relaxed ) != 1 )
        {
            fail_msg( "item %" PRIu32 " of %" PRIu32 ", block %" PRIu32, i, count, block );
        }
        atomic_store_explicit( &s_visits[i], 0, memory_order_relaxed );
    }
    return atomic_load( &watch.calls );
}

static const uint32_t s_counts[] = { 0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 4097 };
#define COUNT_COUNT ( sizeof( s_counts ) / sizeof( s_counts[0] ) )
static const uint32_t s_blocks[] = { 0, 1, 2, 3, 7, 64, 65, 1000, 4096, UINT32_MAX };
#define BLOCK_COUNT ( sizeof( s_blocks ) / sizeof( s_blocks[0] ) )

static void checkManyLoops( joJobs* jobs )
{
    for ( uint32_t c = 0; c < COUNT_COUNT; ++c )
    {
        for ( uint32_t b = 0; b < BLOCK_COUNT; ++b )
        {
            uint32_t calls = checkLoop( jobs, s_counts[c], s_blocks[b] );
            if ( s_blocks[b] > 0 )
            {
                assert_int_equal( calls, ( (uint64_t)s_counts[c] + s_blocks[b] - 1 ) / s_blocks[b] );
            }
        }
    }
}

static void everyItemIsDoneOnce( void** state )
{
    (void)state;
    static const uint32_t workers[] = { 1, 2, 3, 4, 7, JO_MAX_WORKERS };
    for ( uint32_t w = 0; w < 6; ++w )
    {
        joJobs* jobs = makeJobs( workers[w] );
        checkManyLoops( jobs );
        joDestroyJobs( jobs );
    }
    checkManyLoops( NULL );
}

static void aMillionItemsWithOneWorkerAreAllDone( void** state )
{
    (void)state;
    // A million blocks: more than 16 bits can count.
    joJobs* jobs = makeJobs( 1 );
    assert_int_equal( checkLoop( jobs, MAX_ITEMS, 1 ), MAX_ITEMS );
    checkLoop( jobs, MAX_ITEMS, 0 );
    checkLoop( jobs, MAX_ITEMS, 15 );
    joDestroyJobs( jobs );
    assert_int_equal( checkLoop( NULL, MAX_ITEMS, 1 ), MAX_ITEMS );
    jobs = makeJobs( 3 );
    assert_int_equal( checkLoop( jobs, MAX_ITEMS, 1 ), MAX_ITEMS );
    joDestroyJobs( jobs );
}

static void countsUpTo32BitsDoNotOverflow( void** state )
{
    (void)state;
    static const uint32_t blocks[] = {
        0, 1u << 31, ( 1u << 31 ) + 1, UINT32_MAX - 1, UINT32_MAX, 0x10000000u };
    for ( uint32_t workers = 1; workers <= 3; ++workers )
    {
        joJobs* jobs = makeJobs( workers );
        for ( uint32_t b = 0; b < 6; ++b )
        {
            checkLoop( jobs, UINT32_MAX, blocks[b] );
            checkLoop( jobs, UINT32_MAX - 1, blocks[b] );
        }
        joDestroyJobs( jobs );
    }
}

// --- one worker: in order, in the calling thread ---

typedef struct Order
{
    pthread_t thread;
    uint32_t next;
    bool wrong;
} Order;

static void followOrder( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Order* order = context;
    order->wrong |= worker != 0 || begin != order->next || !pthread_equal( order->thread, pthread_self() );
    order->next = end;
}

static void oneWorkerGoesInOrderInTheCallingThread( void** state )
{
    (void)state;
    joJobs* jobs = makeJobs( 1 );
    for ( int i = 0; i < 2; ++i )
    {
        Order order = { pthread_self(), 0, false };
        joParallelFor( i == 0 ? jobs : NULL, 10007, 13, followOrder, &order );
        assert_false( order.wrong );
        assert_int_equal( order.next, 10007 );
    }
    joDestroyJobs( jobs );
    assert_int_equal( joJobs_GetWorkerCount( NULL ), 1 );
}

// --- what a loop wrote is seen by the caller, and by the next loop; plain memory, for the thread sanitizer
// ---

static void addOne( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    uint32_t* numbers = context;
    for ( uint32_t i = begin; i < end; ++i )
    {
        numbers[i] += 1;
    }
}

static void loopsInARowSeeEachOthersWork( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static uint32_t numbers[512];
    for ( uint32_t workers = 2; workers <= 5; ++workers )
    {
        joJobs* jobs = makeJobs( workers );
        memset( numbers, 0, sizeof( numbers ) );
        for ( uint32_t loop = 0; loop < 2000; ++loop )
        {
            joParallelFor( jobs, 512, 1 + randomBelow( &random, 200 ), addOne, numbers );
            assert_int_equal( numbers[randomBelow( &random, 512 )], loop + 1 );
        }
        for ( uint32_t i = 0; i < 512; ++i )
        {
            assert_int_equal( numbers[i], 2000 );
        }
        joDestroyJobs( jobs );
    }
}

static void sleepersWakeUp( void** state )
{
    (void)state;
    joJobs* jobs = makeJobs( 4 );
    for ( int i = 0; i < 60; ++i )
    {
        // Around the time after which an idle thread goes to sleep, and well past it.
        sleepMilliseconds( i % 4 );
        checkLoop( jobs, 100, 3 );
    }
    joDestroyJobs( jobs );
}

typedef struct Meeting
{
    atomic_uint arrived;
    uint32_t expected;
    atomic_bool gaveUp;
} Meeting;

// Does not return until all blocks are being worked on at once.
static void meet( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)begin;
    (void)end;
    (void)worker;
    Meeting* meeting = context;
    atomic_fetch_add( &meeting->arrived, 1 );
    for ( int i = 0; i < 20000 && atomic_load( &meeting->arrived ) < meeting->expected; ++i )
    {
        sleepMilliseconds( 1 );
    }
    if ( atomic_load( &meeting->arrived ) < meeting->expected )
    {
        atomic_store( &meeting->gaveUp, true );
    }
}

static void allWorkersWorkAtOnce( void** state )
{
    (void)state;
    for ( uint32_t workers = 2; workers <= 6; workers += 2 )
    {
        joJobs* jobs = makeJobs( workers );
        for ( int i = 0; i < 3; ++i )
        {
            Meeting meeting = { .expected = workers };
            joParallelFor( jobs, workers, 1, meet, &meeting );
            assert_false( atomic_load( &meeting.gaveUp ) );
            sleepMilliseconds( i * 2 );
        }
        joDestroyJobs( jobs );
    }
}

static void anIdlePoolSleeps( void** state )
{
    (void)state;
    joJobs* jobs = makeJobs( 4 );
    checkLoop( jobs, 1000, 10 );
    sleepMilliseconds( 20 );
    clock_t start = clock();
    sleepMilliseconds( 100 );
    // Processor time of all threads: three that spin would take 100 ms or more.
    double seconds = (double)( clock() - start ) / CLOCKS_PER_SEC;
    joDestroyJobs( jobs );
    assert_true( seconds < 0.04 );
}

// --- pools come and go ---

static void poolsComeAndGo( void** state )
{
    (void)state;
    for ( int i = 0; i < 150; ++i )
    {
        joJobs* jobs = makeJobs( 1 + (uint32_t)i % 6 );
        joJobs* other = makeJobs( 3 );
        if ( i % 3 != 0 )
        {
            checkLoop( jobs, 500, 20 );
            checkLoop( other, 50, 20 );
        }
        joDestroyJobs( jobs );
        joDestroyJobs( other );
    }
    joDestroyJobs( NULL );
}

static void badDefsAreRefused( void** state )
{
    (void)state;
    joSetAssertFcn( countAssert );
    TestAllocator test = makeTestAllocator();
    joJobs* const untouched = (joJobs*)&test;
    joJobs* jobs = untouched;
    joJobsDef defs[6];
    for ( int i = 0; i < 6; ++i )
    {
        defs[i] = joDefaultJobsDef();
        defs[i].workerCount = 2;
    }
    defs[0].workerCount = 0;
    defs[1].workerCount = JO_MAX_WORKERS + 1;
    defs[2].internalCookie = 0;
    defs[3].enqueueTask = (joEnqueueTaskFcn*)(uintptr_t)1;
    defs[4].finishTask = (joFinishTaskFcn*)(uintptr_t)1;
    defs[5].allocator = toAllocator( &test );
    defs[5].allocator.deallocate = NULL;
    for ( int i = 0; i < 6; ++i )
    {
        assert_int_equal( joCreateJobs( &defs[i], &jobs ), jo_errorBadDef );
        assert_ptr_equal( jobs, untouched );
    }
    joJobsDef good = joDefaultJobsDef();
    assert_int_equal( joCreateJobs( NULL, &jobs ), jo_errorNullArgument );
    assert_int_equal( joCreateJobs( &good, NULL ), jo_errorNullArgument );
    assert_ptr_equal( jobs, untouched );
    assert_int_equal( test.calls, 0 );
    joSetAssertFcn( NULL );
}

static void memoryIsAskedForAtCreateOnly( void** state )
{
    (void)state;
    TestAllocator test = makeTestAllocator();
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = 3;
    def.allocator = toAllocator( &test );
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    uint64_t calls = test.calls;
    assert_true( calls > 0 );
    test.failAt = calls;
    checkLoop( jobs, 100000, 0 );
    checkLoop( jobs, 100000, 10 );
    assert_int_equal( test.calls, calls );
    joDestroyJobs( jobs );
    assertAllReturned( &test );
    for ( uint64_t failAt = 0; failAt < calls; ++failAt )
    {
        test = makeTestAllocator();
        test.failAt = failAt;
        jobs = NULL;
        assert_int_equal( joCreateJobs( &def, &jobs ), jo_errorOutOfMemory );
        assert_null( jobs );
        assertAllReturned( &test );
    }
}

#if defined( __SANITIZE_ADDRESS__ ) || defined( __SANITIZE_THREAD__ )
#define SANITIZED 1
#elif defined( __has_feature )
#if __has_feature( address_sanitizer ) || __has_feature( thread_sanitizer )
#define SANITIZED 1
#endif
#endif

static void aSystemWithoutThreadsIsAnError( void** state )
{
    (void)state;
#if defined( __GLIBC__ ) && !defined( SANITIZED )
    // Stacks so large that a few fill the address space: some threads start, then one is refused. (Sanitizers
    // shadow every stack, which here would take all memory.)
    pthread_attr_t large, before;
    assert_int_equal( pthread_getattr_default_np( &before ), 0 );
    assert_int_equal( pthread_attr_init( &large ), 0 );
    assert_int_equal( pthread_attr_setstacksize( &large, (size_t)1 << 45 ), 0 );
    assert_int_equal( pthread_setattr_default_np( &large ), 0 );
    TestAllocator test = makeTestAllocator();
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = 20;
    def.allocator = toAllocator( &test );
    joJobs* jobs = NULL;
    joResult result = joCreateJobs( &def, &jobs );
    assert_int_equal( pthread_setattr_default_np( &before ), 0 );
    pthread_attr_destroy( &large );
    pthread_attr_destroy( &before );
    assert_int_equal( result, jo_errorThreads );
    assert_null( jobs );
    assertAllReturned( &test );
#else
    skip();
#endif
}

// --- the caller's task system ---

typedef enum Manner
{
    run_atOnce,    // inside enqueue
    run_atFinish,  // only when waited for
    run_backwards, // all of them when the first is waited for, last first
    run_inThreads, // a thread for each
    mannerCount
} Manner;

typedef struct Task
{
    joTaskFcn* function;
    void* context;
    pthread_t thread;
    bool done;
} Task;

typedef struct TaskSystem
{
    Manner manner;
    Task tasks[JO_MAX_WORKERS];
    uint32_t enqueued, finished;
} TaskSystem;

static void* taskThread( void* argument )
{
    const Task* task = argument;
    task->function( task->context );
    return NULL;
}

static void runTask( Task* task )
{
    if ( task->done == false )
    {
        task->done = true;
        task->function( task->context );
    }
}

static void* enqueueTask( joTaskFcn* function, void* taskContext, void* userContext )
{
    TaskSystem* system = userContext;
    Task* task = &system->tasks[system->enqueued++];
    task->function = function;
    task->context = taskContext;
    task->done = false;
    if ( system->manner == run_atOnce )
    {
        runTask( task );
        return NULL;
    }
    if ( system->manner == run_inThreads && pthread_create( &task->thread, NULL, taskThread, task ) != 0 )
    {
        abort();
    }
    return task;
}

static void finishTask( void* userTask, void* userContext )
{
    TaskSystem* system = userContext;
    Task* task = userTask;
    system->finished += 1;
    if ( system->manner == run_inThreads )
    {
        pthread_join( task->thread, NULL );
    }
    for ( uint32_t i = system->enqueued; i-- > 0 && system->manner == run_backwards; )
    {
        runTask( &system->tasks[i] );
    }
    if ( system->manner == run_atFinish )
    {
        runTask( task );
    }
}

static void theCallersTaskSystemIsUsed( void** state )
{
    (void)state;
    static TaskSystem system;
    for ( int manner = 0; manner < (int)mannerCount; ++manner )
    {
        joJobsDef def = joDefaultJobsDef();
        def.workerCount = 4;
        def.enqueueTask = enqueueTask;
        def.finishTask = finishTask;
        def.userContext = &system;
        joJobs* jobs = NULL;
        assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
        for ( uint32_t c = 0; c < COUNT_COUNT; ++c )
        {
            for ( uint32_t b = 0; b < BLOCK_COUNT; b += 3 )
            {
                memset( &system, 0, sizeof( system ) );
                system.manner = (Manner)manner;
                checkLoop( jobs, s_counts[c], s_blocks[b] );
                // The calling thread works, too, and no task is asked for that would have no block.
                uint32_t blocks =
                    s_blocks[b] == 0 ? 4 : s_counts[c] / s_blocks[b] + ( s_counts[c] % s_blocks[b] != 0 );
                assert_true( s_blocks[b] == 0 ? system.enqueued <= 3
                                              : system.enqueued == ( blocks > 4     ? 3
                                                                       : blocks > 0 ? blocks - 1
                                                                                    : 0 ) );
                assert_int_equal( system.finished, manner == (int)run_atOnce ? 0 : system.enqueued );
            }
        }
        joDestroyJobs( jobs );
    }
}

// --- the same bits, whatever the number of threads ---

static void computeSeries( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    float* results = context;
    for ( uint32_t i = begin; i < end; ++i )
    {
        // Goes through denormals, which a host's flush to zero would lose.
        float x = 0x1.0p-120f;
        for ( uint32_t k = 0; k < 40; ++k )
        {
            x = x * 0.7f + 0x1.0p-147f / (float)( i + 1 );
        }
        results[i] = x;
    }
}

static void resultsDoNotDependOnThreadsOrHost( void** state )
{
    (void)state;
    static float expected[5000], results[5000];
    joParallelFor( NULL, 5000, 0, computeSeries, expected );
    assert_true( expected[0] != 0.0f );
    for ( uint32_t workers = 1; workers <= 6; ++workers )
    {
        joJobs* jobs = makeJobs( workers );
        for ( uint32_t block = 0; block < 300; block += 37 )
        {
            memset( results, 0xFF, sizeof( results ) );
#if defined( __SSE__ )
            unsigned before = _mm_getcsr();
            unsigned host = before | 0xE040u; // towards zero, flush to zero, denormals are zero
            _mm_setcsr( host );
            joParallelFor( jobs, 5000, block, computeSeries, results );
            unsigned after = _mm_getcsr();
            _mm_setcsr( before );
            assert_int_equal( after, host );
#else
            joParallelFor( jobs, 5000, block, computeSeries, results );
#endif
            assert_memory_equal( results, expected, sizeof( results ) );
        }
        joDestroyJobs( jobs );
    }
}

// --- misuse ---

typedef struct Nested
{
    joJobs* jobs;
    atomic_uint inner;
} Nested;

static void countItems( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    Nested* nested = context;
    atomic_fetch_add( &nested->inner, end - begin );
}

static void callAgain( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    Nested* nested = context;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joParallelFor( nested->jobs, 100, 7, countItems, nested );
    }
}

static void aForbiddenNestedCallIsReportedAndLosesNothing( void** state )
{
    (void)state;
    joSetAssertFcn( countAssert );
    atomic_store( &s_assertCount, 0 );
    Nested nested = { .jobs = makeJobs( 3 ) };
    joParallelFor( nested.jobs, 20, 1, callAgain, &nested );
    assert_int_equal( atomic_load( &nested.inner ), 2000 );
    checkLoop( nested.jobs, 1000, 10 );
    joDestroyJobs( nested.jobs );
    joSetAssertFcn( NULL );
#if defined( JO_DEBUG )
    assert_int_equal( atomic_load( &s_assertCount ), 20 );
#endif
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "every item is done once, by workers apart", everyItemIsDoneOnce ),
        TEST( "case 15: a million items with one worker are all done", aMillionItemsWithOneWorkerAreAllDone ),
        TEST( "counts up to 32 bits do not overflow", countsUpTo32BitsDoNotOverflow ),
        TEST( "one worker goes in order in the calling thread", oneWorkerGoesInOrderInTheCallingThread ),
        TEST( "loops in a row see each other's work", loopsInARowSeeEachOthersWork ),
        TEST( "sleepers wake up", sleepersWakeUp ),
        TEST( "all workers work at once", allWorkersWorkAtOnce ),
        TEST( "an idle pool sleeps", anIdlePoolSleeps ),
        TEST( "pools come and go", poolsComeAndGo ),
        TEST( "bad defs are refused", badDefsAreRefused ),
        TEST( "memory is asked for at create only", memoryIsAskedForAtCreateOnly ),
        TEST( "a system without threads is an error", aSystemWithoutThreadsIsAnError ),
        TEST( "the caller's task system is used", theCallersTaskSystemIsUsed ),
        TEST( "case 21: results do not depend on threads or host", resultsDoNotDependOnThreadsOrHost ),
        TEST( "a forbidden nested call is reported and loses nothing",
            aForbiddenNestedCallIsReportedAndLosesNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
