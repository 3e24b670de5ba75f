// SPDX-License-Identifier: MIT
// jostle jobs: parallel for over a built-in pool or the caller's own task system.
#pragma once

#include "base.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_WORKERS 64

// Work on items [begin, end). `worker` is in [0, joJobs_GetWorkerCount) and no two calls that run at the
// same time have the same one, so it may index scratch memory.
typedef void joParallelForFcn( uint32_t begin, uint32_t end, uint32_t worker, void* context );

// A task for the caller's task system: call task( taskContext ) once, on any thread.
typedef void joTaskFcn( void* taskContext );

// Start a task. Returns a handle for finishTask, or null if it was run to its end inside this call.
typedef void* joEnqueueTaskFcn( joTaskFcn* task, void* taskContext, void* userContext );

// Wait until the task has run to its end. May run other tasks meanwhile.
typedef void joFinishTaskFcn( void* userTask, void* userContext );

typedef struct joJobsDef
{
    // Workers that may run at once, the calling thread included. 1..JO_MAX_WORKERS, default 1.
    uint32_t workerCount;
    // The caller's task system: both or neither. Neither (default): a built-in pool of workerCount - 1
    // threads, started at create, asleep when idle.
    joEnqueueTaskFcn* enqueueTask;
    joFinishTaskFcn* finishTask;
    void* userContext;
    joAllocator allocator;
    // Set by joDefaultJobsDef.
    uint32_t internalCookie;
} joJobsDef;

typedef struct joJobs joJobs;

JO_API joJobsDef joDefaultJobsDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorOutOfMemory, jo_errorThreads.
JO_API joResult joCreateJobs( const joJobsDef* def, joJobs** jobs );

// Waits for the pool's threads to end. Null is allowed.
JO_API void joDestroyJobs( joJobs* jobs );

// 1 for null.
JO_API uint32_t joJobs_GetWorkerCount( const joJobs* jobs );

// Calls `function` for consecutive blocks of at most `block` items (0: chosen from count and workers) that
// together cover [0, count) exactly once, and returns when all are done. Which worker runs which block
// is not defined. `jobs` null, or one worker: runs in the calling thread, in order. `function` runs with the
// library's floating-point environment. Allocates nothing. One thread at a time per joJobs; must
// not be called from inside `function` with the same jobs.
JO_API void joParallelFor(
    joJobs* jobs, uint32_t count, uint32_t block, joParallelForFcn* function, void* context );

JO_EXTERN_C_END
