// SPDX-License-Identifier: MIT
// Batches of queries: create, destroy, answer.
//
// A batch is checked, put in order, and taken in blocks over the workers. One answer a query goes straight
// into the caller's array; lists go through the store.
#include "query_batch.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <string.h>

#define BATCH_COOKIE 0x6A6F5142u

// Blocks that a worker takes at a time when it makes streams of them.
#define STREAM_BLOCKS 4u

joQueryBatchDef joDefaultQueryBatchDef( void )
{
    return ( joQueryBatchDef ){ .internalCookie = BATCH_COOKIE };
}

static joResult reserveAll( joQueryBatch* batch, const joQueryBatchDef* def )
{
    joResult result = joReserveWorkers( batch, def->resultReserve );
    if ( result == jo_success && def->queryReserve > 0 )
    {
        result = joReserveOrder( batch, def->queryReserve );
        if ( result == jo_success )
        {
            result = joReserveLists( batch, def->queryReserve );
        }
        if ( result == jo_success )
        {
            result = joReserveStreams( batch );
        }
    }
    if ( result == jo_success && def->resultReserve > 0 )
    {
        result = joReserveStore( batch, def->resultReserve );
        if ( result == jo_success )
        {
            result = joArray_Reserve(
                &batch->view, &batch->memory, joStoreCapacity( batch ), sizeof( uint64_t ), 0 );
        }
    }
    return result;
}

static joResult initBatch( joQueryBatch* batch, const joQueryBatchDef* def )
{
    const size_t size = batch->workerCount * sizeof( joBatchWorker );
    batch->workers = joMemory_Allocate( &batch->memory, size );
    if ( batch->workers == NULL )
    {
        return joMemory_FailResult( &batch->memory );
    }
    memset( batch->workers, 0, size );
    const joResult result = reserveAll( batch, def );
    batch->memory.fixed = def->fixedCapacity;
    return result;
}

joResult joCreateQueryBatch( const joQueryBatchDef* def, joQueryBatch** batch )
{
    if ( def == NULL || batch == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *batch = NULL;
    if ( def->internalCookie != BATCH_COOKIE || def->queryReserve > JO_INDEX_MASK ||
         joAllocator_IsValid( &def->allocator ) == false )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joQueryBatch* made = joAllocateObject( &def->allocator, sizeof( joQueryBatch ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result == jo_success && pthread_mutex_init( &made->slabMutex, NULL ) != 0 )
    {
        joMemory_Destroy( &made->memory );
        result = jo_errorOutOfMemory;
    }
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joQueryBatch ) );
        return result;
    }
    made->jobs = def->jobs;
    made->workerCount = joJobs_GetWorkerCount( def->jobs );
    result = initBatch( made, def );
    if ( result != jo_success )
    {
        joDestroyQueryBatch( made );
        return result;
    }
    *batch = made;
    return jo_success;
}

void joDestroyQueryBatch( joQueryBatch* batch )
{
    if ( batch == NULL )
    {
        return;
    }
    joMemory* memory = &batch->memory;
    for ( uint32_t i = 0; i < batch->workerCount && batch->workers != NULL; ++i )
    {
        joArray_Free( &batch->workers[i].results, memory, sizeof( uint64_t ) );
    }
    joMemory_Free( memory, batch->workers, batch->workerCount * sizeof( joBatchWorker ) );
    joFreeStore( batch );
    joFreeStreams( batch );
    joArray_Free( &batch->order, memory, sizeof( uint32_t ) );
    joArray_Free( &batch->sortItems, memory, sizeof( joKeyValue ) );
    joArray_Free( &batch->places, memory, sizeof( uint64_t ) );
    joArray_Free( &batch->offsets, memory, sizeof( uint64_t ) );
    joArray_Free( &batch->view, memory, sizeof( uint64_t ) );
    const joAllocator allocator = memory->allocator;
    pthread_mutex_destroy( &batch->slabMutex );
    joMemory_Destroy( memory );
    joFreeObject( &allocator, batch, sizeof( joQueryBatch ) );
}

// What a call asks for.
typedef struct Wanted
{
    joKeptResults kept;
    joHit* hits;   // one a query
    bool* areHits; // one a query
    // Lists:
    uint64_t* offsets;
    void* results;
    uint64_t capacity;
    uint64_t* resultCount;
} Wanted;

static joResult checkCall( const joQueryBatch* batch, const joQueryColumns* columns, joResult made,
    const Wanted* wanted, uint32_t* errorIndex )
{
    *errorIndex = JO_NULL_INDEX;
    if ( wanted->resultCount != NULL )
    {
        *wanted->resultCount = 0;
    }
    if ( made != jo_success )
    {
        return made;
    }
    const bool isComplete =
        wanted->kept == jo_keptNone
            ? wanted->hits != NULL || wanted->areHits != NULL || columns->count == 0
            : wanted->resultCount != NULL && ( wanted->results != NULL || wanted->capacity == 0 );
    return batch == NULL || !isComplete ? jo_errorNullArgument
                                        : joCheckColumns( columns, batch->jobs, errorIndex );
}

static void castBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joBatchRun* run = context;
    (void)worker;
    joQuery query;
    joQuery_Begin( &query, run->front, run->columns->shape );
    for ( uint32_t n = begin; n < end; ++n )
    {
        const uint32_t i = joQueryAt( run, n );
        joQuery_SetFrom( &query, run->columns, i );
        query.results = run->hits != NULL ? joMakeClosest( &run->hits[i] ) : joMakeAny();
        joQuery_Run( &query );
        if ( run->areHits != NULL )
        {
            run->areHits[i] = query.results.count > 0;
        }
    }
}

static void copyLists( const joQueryBatch* batch, const Wanted* wanted )
{
    const uint64_t count = joResultCount( batch );
    if ( wanted->offsets != NULL )
    {
        memcpy(
            wanted->offsets, batch->offsets.data, ( (size_t)batch->queryCount + 1 ) * sizeof( uint64_t ) );
    }
    joGatherResults( batch, 0, count < wanted->capacity ? count : wanted->capacity, wanted->results );
    *wanted->resultCount = count;
}

// `made`: what became of making the columns.
static joResult answer( joQueryBatch* batch, const joBroadPhase* front, const joQueryColumns* columns,
    joResult made, const Wanted* wanted, uint32_t* errorIndex )
{
    uint32_t ignored;
    joResult result = checkCall( batch, columns, made, wanted, errorIndex != NULL ? errorIndex : &ignored );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    batch->kept = wanted->kept;
    batch->isViewed = false;
    joBatchRun run = { .batch = batch,
        .front = front,
        .columns = columns,
        .hits = wanted->hits,
        .areHits = wanted->areHits };
    const bool isStream = joCanStream( &run );
    result = joOrderQueries( &run, isStream );
    if ( result == jo_success && joMayStream( &run ) )
    {
        result = joReserveStreams( batch );
    }
    if ( result == jo_success && wanted->kept != jo_keptNone )
    {
        result = joListResults( &run );
    }
    if ( result != jo_success )
    {
        batch->kept = jo_keptNone;
        return result;
    }
    if ( wanted->kept != jo_keptNone )
    {
        copyLists( batch, wanted );
    }
    else
    {
        const uint32_t block = joBlockSize( batch, columns->count );
        joParallelFor( batch->jobs, columns->count, isStream ? STREAM_BLOCKS * block : block,
            isStream ? joStreamBlock : castBlock, &run );
    }
    return jo_success;
}

joResult joQueryBatch_OverlapBoxes( joQueryBatch* batch, const joBroadPhase* broadPhase, const joBoxes* boxes,
    uint64_t* offsets, uint32_t* keys, uint64_t capacity, uint64_t* resultCount, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeBoxColumns( &columns, boxes, broadPhase );
    const Wanted wanted = { jo_keptKeys, NULL, NULL, offsets, keys, capacity, resultCount };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_OverlapCircles( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joCircles* circles, uint64_t* offsets, uint32_t* keys, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeCircleColumns( &columns, circles, broadPhase );
    const Wanted wanted = { jo_keptKeys, NULL, NULL, offsets, keys, capacity, resultCount };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastRaysClosest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joRays* rays, joHit* hits, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeRayColumns( &columns, rays, broadPhase );
    const Wanted wanted = { .hits = hits };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastRaysAny( joQueryBatch* batch, const joBroadPhase* broadPhase, const joRays* rays,
    bool* areHits, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeRayColumns( &columns, rays, broadPhase );
    const Wanted wanted = { .areHits = areHits };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastRaysAll( joQueryBatch* batch, const joBroadPhase* broadPhase, const joRays* rays,
    uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeRayColumns( &columns, rays, broadPhase );
    const Wanted wanted = { jo_keptHits, NULL, NULL, offsets, hits, capacity, resultCount };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastBoxesClosest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, joHit* hits, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeSweptBoxColumns( &columns, boxes, broadPhase );
    const Wanted wanted = { .hits = hits };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastBoxesAny( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, bool* areHits, uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeSweptBoxColumns( &columns, boxes, broadPhase );
    const Wanted wanted = { .areHits = areHits };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_CastBoxesAll( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakeSweptBoxColumns( &columns, boxes, broadPhase );
    const Wanted wanted = { jo_keptHits, NULL, NULL, offsets, hits, capacity, resultCount };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

joResult joQueryBatch_FindNearest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joQueryPoints* points, uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex )
{
    joQueryColumns columns;
    const joResult made = joMakePointColumns( &columns, points, broadPhase );
    const Wanted wanted = { jo_keptHits, NULL, NULL, offsets, hits, capacity, resultCount };
    return answer( batch, broadPhase, &columns, made, &wanted, errorIndex );
}

static joResult getResults( const joQueryBatch* batch, joKeptResults kept, uint64_t first, void* results,
    uint64_t capacity, uint64_t* copied )
{
    if ( batch == NULL || copied == NULL || ( results == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint64_t count = batch->kept == kept ? joResultCount( batch ) : 0;
    const uint64_t left = first < count ? count - first : 0;
    *copied = left < capacity ? left : capacity;
    joGatherResults( batch, first, *copied, results );
    return jo_success;
}

joResult joQueryBatch_GetKeys(
    const joQueryBatch* batch, uint64_t first, uint32_t* keys, uint64_t capacity, uint64_t* copied )
{
    return getResults( batch, jo_keptKeys, first, keys, capacity, copied );
}

joResult joQueryBatch_GetHits(
    const joQueryBatch* batch, uint64_t first, joHit* hits, uint64_t capacity, uint64_t* copied )
{
    return getResults( batch, jo_keptHits, first, hits, capacity, copied );
}

const uint64_t* joQueryBatch_ViewOffsets( const joQueryBatch* batch, uint32_t* queryCount )
{
    if ( batch == NULL || queryCount == NULL )
    {
        return NULL;
    }
    *queryCount = batch->kept != jo_keptNone ? batch->queryCount : 0;
    return batch->kept != jo_keptNone ? batch->offsets.data : NULL;
}

static const void* viewResults( joQueryBatch* batch, joKeptResults kept, uint64_t* resultCount )
{
    if ( batch == NULL || resultCount == NULL )
    {
        return NULL;
    }
    *resultCount = batch->kept == kept ? joResultCount( batch ) : 0;
    if ( *resultCount > 0 && !batch->isViewed )
    {
        if ( joArray_Reserve( &batch->view, &batch->memory, *resultCount, sizeof( uint64_t ), 0 ) !=
             jo_success )
        {
            return NULL;
        }
        joGatherResults( batch, 0, *resultCount, batch->view.data );
        batch->isViewed = true;
    }
    return *resultCount > 0 ? batch->view.data : NULL;
}

const uint32_t* joQueryBatch_ViewKeys( joQueryBatch* batch, uint64_t* resultCount )
{
    return viewResults( batch, jo_keptKeys, resultCount );
}

const joHit* joQueryBatch_ViewHits( joQueryBatch* batch, uint64_t* resultCount )
{
    return viewResults( batch, jo_keptHits, resultCount );
}
