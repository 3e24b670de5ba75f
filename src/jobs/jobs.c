// SPDX-License-Identifier: MIT
// Jobs: parallel for over a built-in pool, or the caller's task system.
//
// A loop is a counter of items given out so far; who is free takes the next block. The pool's threads need
// not take part in a loop: one that wakes too late finds it closed and is not waited for, so a short loop
// costs no more than its own work.
//
// One word, `gate`, says all about the present loop: a number that changes with each loop (so that no thread
// can mistake one for another), whether it is open to join, and how many pool threads are inside. The loop's
// description is written only while the gate is closed and nobody is inside.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "jostle/jobs.h"

#include "base/assert.h"
#include "base/float_env.h"
#include "base/memory.h"
#include "base/timer.h"

#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>

#define JOBS_COOKIE 0x6A6F6273u

#define GATE_INSIDE 0xFFFFu
#define GATE_OPEN 0x10000u
#define GATE_LOOP_SHIFT 32

// How long a thread looks for work, or the caller for the end of a loop, before it goes to sleep. Longer than
// the serial work between the loops of a frame mostly is, and too short to be noticed as load.
#define SPIN_NANOSECONDS 100000u
#define SPIN_PAUSES 64

// Blocks a worker gets when the caller leaves the size to us: enough to even out unequal blocks.
#define BLOCKS_PER_WORKER 8

typedef struct Worker
{
    joJobs* jobs;
    uint32_t index;
    pthread_t thread;
} Worker;

struct joJobs
{
    // The loop. Written by the caller's thread while nobody is inside.
    joParallelForFcn* function;
    void* context;
    uint32_t count;
    uint32_t block;

    joJobsDef def;
    bool hasPool;
    uint32_t threadCount; // started
    Worker workers[JO_MAX_WORKERS];
    atomic_bool busy;

    pthread_mutex_t mutex;
    pthread_cond_t wake; // pool threads: a new loop, or stop
    pthread_cond_t done; // the caller: nobody is inside

    // On lines of their own: `next` is hit by every block, `gate` is looked at by idle threads.
    alignas( JO_ALIGNMENT ) atomic_uint_least64_t next;
    alignas( JO_ALIGNMENT ) atomic_uint_least64_t gate;
    alignas( JO_ALIGNMENT ) atomic_uint sleepers;
    atomic_bool callerSleeps;
    atomic_bool stop;
};

static void pauseThread( void )
{
#if defined( __x86_64__ ) || defined( __i386__ )
    __builtin_ia32_pause();
#elif defined( __aarch64__ )
    __asm__ volatile( "yield" );
#endif
}

// One round of busy waiting. Returns false when it is time to sleep. *started is 0 before the first.
static bool spin( uint64_t* started )
{
    uint64_t now = joGetNanoseconds();
    if ( *started == 0 )
    {
        *started = now;
    }
    else if ( now - *started > SPIN_NANOSECONDS )
    {
        return false;
    }
    for ( int i = 0; i < SPIN_PAUSES; ++i )
    {
        pauseThread();
    }
    // There may be more threads than processors: the one waited for must get its turn.
    sched_yield();
    return true;
}

// Takes blocks until none is left.
static void runBlocks( joJobs* jobs, uint32_t worker )
{
    joFloatEnv env = joFloatEnv_Enter();
    uint64_t count = jobs->count;
    uint64_t block = jobs->block;
    for ( ;; )
    {
        // 64 bits: every worker overshoots once, by a block of up to 2^32 - 1.
        uint64_t begin = atomic_fetch_add_explicit( &jobs->next, block, memory_order_relaxed );
        if ( begin >= count )
        {
            break;
        }
        uint64_t end = begin + block < count ? begin + block : count;
        jobs->function( (uint32_t)begin, (uint32_t)end, worker, jobs->context );
    }
    joFloatEnv_Leave( env );
}

static void runInOrder( uint32_t count, uint32_t block, joParallelForFcn* function, void* context )
{
    joFloatEnv env = joFloatEnv_Enter();
    for ( uint64_t begin = 0; begin < count; begin += block )
    {
        uint64_t end = begin + block < count ? begin + block : count;
        function( (uint32_t)begin, (uint32_t)end, 0, context );
    }
    joFloatEnv_Leave( env );
}

// Pool thread: joins the loop in `gate` if it is still that one, still open.
static bool joinLoop( joJobs* jobs, uint64_t gate )
{
    while ( gate & GATE_OPEN )
    {
        uint64_t seen = gate;
        if ( atomic_compare_exchange_weak_explicit(
                 &jobs->gate, &seen, gate + 1, memory_order_acquire, memory_order_relaxed ) )
        {
            return true;
        }
        if ( seen >> GATE_LOOP_SHIFT != gate >> GATE_LOOP_SHIFT )
        {
            return false;
        }
        gate = seen;
    }
    return false;
}

static void leaveLoop( joJobs* jobs )
{
    uint64_t gate = atomic_fetch_sub( &jobs->gate, 1 ) - 1;
    // Sequentially consistent against waitUntilEmpty: either it sees that nobody is inside, or we see it
    // asleep.
    if ( ( gate & ( GATE_INSIDE | GATE_OPEN ) ) == 0 && atomic_load( &jobs->callerSleeps ) )
    {
        pthread_mutex_lock( &jobs->mutex );
        pthread_cond_signal( &jobs->done );
        pthread_mutex_unlock( &jobs->mutex );
    }
}

// Returns the gate when its loop is not `lastLoop`, or when told to stop.
static uint64_t waitForLoop( joJobs* jobs, uint64_t lastLoop )
{
    uint64_t started = 0;
    do
    {
        uint64_t gate = atomic_load_explicit( &jobs->gate, memory_order_relaxed );
        if ( gate >> GATE_LOOP_SHIFT != lastLoop ||
             atomic_load_explicit( &jobs->stop, memory_order_relaxed ) )
        {
            return gate;
        }
    } while ( spin( &started ) );

    pthread_mutex_lock( &jobs->mutex );
    // Sequentially consistent against openLoop: either it sees the sleeper, or the sleeper sees the new loop.
    atomic_fetch_add( &jobs->sleepers, 1 );
    uint64_t gate = atomic_load( &jobs->gate );
    while ( gate >> GATE_LOOP_SHIFT == lastLoop && atomic_load( &jobs->stop ) == false )
    {
        pthread_cond_wait( &jobs->wake, &jobs->mutex );
        gate = atomic_load( &jobs->gate );
    }
    atomic_fetch_sub( &jobs->sleepers, 1 );
    pthread_mutex_unlock( &jobs->mutex );
    return gate;
}

static void* poolThread( void* argument )
{
    const Worker* worker = argument;
    joJobs* jobs = worker->jobs;
    uint64_t lastLoop = 0;
    for ( ;; )
    {
        uint64_t gate = waitForLoop( jobs, lastLoop );
        if ( atomic_load( &jobs->stop ) )
        {
            return NULL;
        }
        lastLoop = gate >> GATE_LOOP_SHIFT;
        if ( joinLoop( jobs, gate ) )
        {
            runBlocks( jobs, worker->index );
            leaveLoop( jobs );
        }
    }
}

// Opens the loop to the pool and wakes as many threads as there are blocks for.
static void openLoop( joJobs* jobs, uint64_t helpers )
{
    uint64_t loop = ( atomic_load( &jobs->gate ) >> GATE_LOOP_SHIFT ) + 1;
    atomic_store( &jobs->gate, loop << GATE_LOOP_SHIFT | GATE_OPEN );
    uint64_t sleepers = atomic_load( &jobs->sleepers );
    if ( sleepers == 0 )
    {
        return;
    }
    pthread_mutex_lock( &jobs->mutex );
    for ( uint64_t i = 0; i < helpers && i < sleepers; ++i )
    {
        pthread_cond_signal( &jobs->wake );
    }
    pthread_mutex_unlock( &jobs->mutex );
}

// Closes the loop to those who come late and waits for those inside.
static void waitUntilEmpty( joJobs* jobs )
{
    atomic_fetch_and( &jobs->gate, ~(uint64_t)GATE_OPEN );
    uint64_t started = 0;
    do
    {
        if ( ( atomic_load_explicit( &jobs->gate, memory_order_acquire ) & GATE_INSIDE ) == 0 )
        {
            return;
        }
    } while ( spin( &started ) );

    pthread_mutex_lock( &jobs->mutex );
    atomic_store( &jobs->callerSleeps, true );
    while ( ( atomic_load( &jobs->gate ) & GATE_INSIDE ) != 0 )
    {
        pthread_cond_wait( &jobs->done, &jobs->mutex );
    }
    atomic_store( &jobs->callerSleeps, false );
    pthread_mutex_unlock( &jobs->mutex );
}

static void userTask( void* taskContext )
{
    const Worker* worker = taskContext;
    runBlocks( worker->jobs, worker->index );
}

static void runUserTasks( joJobs* jobs, uint64_t helpers )
{
    void* tasks[JO_MAX_WORKERS];
    for ( uint64_t i = 1; i <= helpers; ++i )
    {
        tasks[i] = jobs->def.enqueueTask( userTask, &jobs->workers[i], jobs->def.userContext );
    }
    runBlocks( jobs, 0 );
    for ( uint64_t i = 1; i <= helpers; ++i )
    {
        if ( tasks[i] != NULL )
        {
            jobs->def.finishTask( tasks[i], jobs->def.userContext );
        }
    }
}

static void runLoop( joJobs* jobs, uint64_t helpers )
{
    if ( jobs->hasPool )
    {
        openLoop( jobs, helpers );
        runBlocks( jobs, 0 );
        waitUntilEmpty( jobs );
    }
    else
    {
        runUserTasks( jobs, helpers );
    }
}

void joParallelFor( joJobs* jobs, uint32_t count, uint32_t block, joParallelForFcn* function, void* context )
{
    if ( count == 0 )
    {
        return;
    }
    uint32_t workerCount = joJobs_GetWorkerCount( jobs );
    if ( block == 0 )
    {
        uint32_t blocks = workerCount == 1 ? 1 : workerCount * BLOCKS_PER_WORKER;
        block = count / blocks + ( count % blocks != 0 );
    }
    uint64_t helpers = ( (uint64_t)count + block - 1 ) / block - 1;
    helpers = helpers < workerCount - 1 ? helpers : workerCount - 1;
    if ( helpers == 0 )
    {
        runInOrder( count, block, function, context );
        return;
    }
    if ( atomic_exchange( &jobs->busy, true ) )
    {
        // A call from inside `function`, or from two threads: forbidden, but every item is still done once.
        JO_ASSERT( false && "joParallelFor is running already" );
        runInOrder( count, block, function, context );
        return;
    }
    jobs->function = function;
    jobs->context = context;
    jobs->count = count;
    jobs->block = block;
    atomic_store_explicit( &jobs->next, 0, memory_order_relaxed );
    runLoop( jobs, helpers );
    atomic_store( &jobs->busy, false );
}

static void stopPool( joJobs* jobs )
{
    pthread_mutex_lock( &jobs->mutex );
    atomic_store( &jobs->stop, true );
    pthread_cond_broadcast( &jobs->wake );
    pthread_mutex_unlock( &jobs->mutex );
    for ( uint32_t i = 1; i <= jobs->threadCount; ++i )
    {
        pthread_join( jobs->workers[i].thread, NULL );
    }
    pthread_cond_destroy( &jobs->done );
    pthread_cond_destroy( &jobs->wake );
    pthread_mutex_destroy( &jobs->mutex );
}

static joResult startThreads( joJobs* jobs )
{
    // The host's signals are for the host's threads; a new thread inherits the mask.
    sigset_t all, before;
    sigfillset( &all );
    pthread_sigmask( SIG_SETMASK, &all, &before );
    joResult result = jo_success;
    for ( uint32_t i = 1; i < jobs->def.workerCount && result == jo_success; ++i )
    {
        if ( pthread_create( &jobs->workers[i].thread, NULL, poolThread, &jobs->workers[i] ) == 0 )
        {
            jobs->threadCount = i;
        }
        else
        {
            result = jo_errorThreads;
        }
    }
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    return result;
}

static joResult startPool( joJobs* jobs )
{
    if ( pthread_mutex_init( &jobs->mutex, NULL ) != 0 )
    {
        return jo_errorThreads;
    }
    if ( pthread_cond_init( &jobs->wake, NULL ) != 0 )
    {
        pthread_mutex_destroy( &jobs->mutex );
        return jo_errorThreads;
    }
    if ( pthread_cond_init( &jobs->done, NULL ) != 0 )
    {
        pthread_cond_destroy( &jobs->wake );
        pthread_mutex_destroy( &jobs->mutex );
        return jo_errorThreads;
    }
    joResult result = startThreads( jobs );
    if ( result != jo_success )
    {
        stopPool( jobs );
    }
    return result;
}

joJobsDef joDefaultJobsDef( void )
{
    joJobsDef def = { 0 };
    def.workerCount = 1;
    def.internalCookie = JOBS_COOKIE;
    return def;
}

static bool isValidDef( const joJobsDef* def )
{
    return def->internalCookie == JOBS_COOKIE && def->workerCount >= 1 &&
           def->workerCount <= JO_MAX_WORKERS &&
           ( def->enqueueTask == NULL ) == ( def->finishTask == NULL ) &&
           joAllocator_IsValid( &def->allocator );
}

joResult joCreateJobs( const joJobsDef* def, joJobs** jobs )
{
    if ( def == NULL || jobs == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( isValidDef( def ) == false )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joJobs* created = joAllocateObject( &def->allocator, sizeof( joJobs ) );
    if ( created == NULL )
    {
        return jo_errorOutOfMemory;
    }
    created->def = *def;
    for ( uint32_t i = 0; i < JO_MAX_WORKERS; ++i )
    {
        created->workers[i].jobs = created;
        created->workers[i].index = i;
    }
    created->hasPool = def->enqueueTask == NULL && def->workerCount > 1;
    joResult result = created->hasPool ? startPool( created ) : jo_success;
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, created, sizeof( joJobs ) );
        return result;
    }
    *jobs = created;
    return jo_success;
}

void joDestroyJobs( joJobs* jobs )
{
    if ( jobs == NULL )
    {
        return;
    }
    if ( jobs->hasPool )
    {
        stopPool( jobs );
    }
    joAllocator allocator = jobs->def.allocator;
    joFreeObject( &allocator, jobs, sizeof( joJobs ) );
}

uint32_t joJobs_GetWorkerCount( const joJobs* jobs )
{
    return jobs == NULL ? 1 : jobs->def.workerCount;
}
