// SPDX-License-Identifier: MIT
// The program's own task system under the library: two hooks, here over a few threads and a queue. The pairs
// are the same, in the same order, as with one thread.
#include "jostle/jostle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREAD_COUNT 3
#define TASK_COUNT 128
#define BOX_COUNT 20000

typedef struct Task
{
    joTaskFcn* function;
    void* context;
    int done;
} Task;

// A ring of tasks: [first, last) wait to be run, those before are run or running.
typedef struct TaskSystem
{
    pthread_mutex_t mutex;
    pthread_cond_t changed; // a task was added or done, or the end has come
    Task tasks[TASK_COUNT];
    unsigned first, last;
    unsigned unfinished;
    int end;
    pthread_t threads[THREAD_COUNT];
    int threadCount;
    unsigned long long enqueued;
} TaskSystem;

// Runs the oldest task that waits. The mutex is held before and after, not during.
static void runOne( TaskSystem* system )
{
    Task* task = &system->tasks[system->first++ % TASK_COUNT];
    pthread_mutex_unlock( &system->mutex );
    task->function( task->context );
    pthread_mutex_lock( &system->mutex );
    task->done = 1;
    pthread_cond_broadcast( &system->changed );
}

static void* threadMain( void* context )
{
    TaskSystem* system = context;
    pthread_mutex_lock( &system->mutex );
    while ( !system->end )
    {
        if ( system->first != system->last )
        {
            runOne( system );
        }
        else
        {
            pthread_cond_wait( &system->changed, &system->mutex );
        }
    }
    pthread_mutex_unlock( &system->mutex );
    return NULL;
}

static void* enqueueTask( joTaskFcn* function, void* taskContext, void* userContext )
{
    TaskSystem* system = userContext;
    pthread_mutex_lock( &system->mutex );
    system->enqueued += 1;
    if ( system->unfinished == TASK_COUNT )
    {
        // The ring is full: run it here and now, which null says.
        pthread_mutex_unlock( &system->mutex );
        function( taskContext );
        return NULL;
    }
    Task* task = &system->tasks[system->last++ % TASK_COUNT];
    *task = ( Task ){ function, taskContext, 0 };
    system->unfinished += 1;
    pthread_cond_broadcast( &system->changed );
    pthread_mutex_unlock( &system->mutex );
    return task;
}

static void finishTask( void* userTask, void* userContext )
{
    TaskSystem* system = userContext;
    const Task* task = userTask;
    pthread_mutex_lock( &system->mutex );
    while ( !task->done )
    {
        if ( system->first != system->last )
        {
            runOne( system ); // help, rather than wait
        }
        else
        {
            pthread_cond_wait( &system->changed, &system->mutex );
        }
    }
    // A place in the ring is free again when all are: the library finishes what it has begun before it begins
    // more.
    system->unfinished -= 1;
    pthread_mutex_unlock( &system->mutex );
}

static int startTaskSystem( TaskSystem* system )
{
    memset( system, 0, sizeof( *system ) );
    pthread_mutex_init( &system->mutex, NULL );
    pthread_cond_init( &system->changed, NULL );
    while ( system->threadCount < THREAD_COUNT )
    {
        if ( pthread_create( &system->threads[system->threadCount], NULL, threadMain, system ) != 0 )
        {
            return 0;
        }
        system->threadCount += 1;
    }
    return 1;
}

static void stopTaskSystem( TaskSystem* system )
{
    pthread_mutex_lock( &system->mutex );
    system->end = 1;
    pthread_cond_broadcast( &system->changed );
    pthread_mutex_unlock( &system->mutex );
    for ( int i = 0; i < system->threadCount; ++i )
    {
        pthread_join( system->threads[i], NULL );
    }
    pthread_cond_destroy( &system->changed );
    pthread_mutex_destroy( &system->mutex );
}

typedef struct Box
{
    float lower[3], upper[3];
} Box;

static Box s_boxes[BOX_COUNT];

// Pairs of all boxes, in memory of the caller; null on failure.
static joPair* findPairs( joJobs* jobs, uint64_t* pairCount )
{
    const size_t stride = sizeof( Box );
    const joBoxes boxes = { .lowerX = { &s_boxes->lower[0], stride },
        .lowerY = { &s_boxes->lower[1], stride },
        .lowerZ = { &s_boxes->lower[2], stride },
        .upperX = { &s_boxes->upper[0], stride },
        .upperY = { &s_boxes->upper[1], stride },
        .upperZ = { &s_boxes->upper[2], stride },
        .count = BOX_COUNT };
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.jobs = jobs;
    joBroadPhase* broadPhase = NULL;
    joPair* pairs = NULL;
    joResult result = joCreateBroadPhase( &def, &broadPhase );
    if ( result == jo_success )
    {
        result = joBroadPhase_SetBoxes( broadPhase, &boxes, NULL );
    }
    if ( result == jo_success )
    {
        result = joBroadPhase_FindPairs( broadPhase, NULL, 0, pairCount );
    }
    if ( result == jo_success )
    {
        pairs = malloc( ( *pairCount + 1 ) * sizeof( joPair ) );
        uint64_t copied = 0;
        result = pairs != NULL ? joBroadPhase_GetPairs( broadPhase, 0, pairs, *pairCount, &copied )
                               : jo_errorOutOfMemory;
    }
    if ( result != jo_success )
    {
        fprintf( stderr, "own_jobs: %s\n", joResultText( result ) );
        free( pairs );
        pairs = NULL;
    }
    joDestroyBroadPhase( broadPhase );
    return pairs;
}

static void makeBoxes( void )
{
    joRandom random = joMakeRandom( 3 );
    for ( int i = 0; i < BOX_COUNT; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            s_boxes[i].lower[axis] = joRandom_Range( &random, 0.0f, 34.0f );
            s_boxes[i].upper[axis] = s_boxes[i].lower[axis] + 1.0f;
        }
    }
}

int main( void )
{
    makeBoxes();
    static TaskSystem system;
    const int started = startTaskSystem( &system );

    joJobsDef def = joDefaultJobsDef();
    def.workerCount = THREAD_COUNT + 1; // the calling thread works too
    def.enqueueTask = enqueueTask;
    def.finishTask = finishTask;
    def.userContext = &system;
    joJobs* jobs = NULL;
    int same = 0;
    if ( started && joCreateJobs( &def, &jobs ) == jo_success )
    {
        uint64_t count = 0, countOfOne = 0;
        joPair* pairs = findPairs( jobs, &count );
        joPair* pairsOfOne = findPairs( NULL, &countOfOne );
        same = pairs != NULL && pairsOfOne != NULL && count == countOfOne &&
               memcmp( pairs, pairsOfOne, count * sizeof( joPair ) ) == 0;
        printf( "%llu pairs from %llu tasks on %d threads; %s as from one thread\n",
            (unsigned long long)count, system.enqueued, THREAD_COUNT + 1,
            same ? "the same" : "NOT the same" );
        free( pairs );
        free( pairsOfOne );
    }
    joDestroyJobs( jobs );
    stopTaskSystem( &system );
    return same ? 0 : 1;
}
