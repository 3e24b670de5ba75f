// SPDX-License-Identifier: MIT
// Queries of a batch that have lists of results. A worker finds some queries' lists in memory of its own,
// where there is room to sort them, and puts them into the store together.
#include "query_batch.h"

#include <string.h>

// Queries that a worker takes at a time: at most, and at least, if there are workers enough.
#define BLOCK_MAXIMUM 256u
#define BLOCK_MINIMUM 16u
#define BLOCKS_PER_WORKER 8u

// Results that wait at a worker before they go into the store, and as many again for a list that comes then.
#define FLUSH_COUNT 4096u
#define WORKER_RESERVE ( 2 * FLUSH_COUNT )

uint32_t joBlockSize( const joQueryBatch* batch, uint32_t count )
{
    const uint32_t block = count / ( batch->workerCount * BLOCKS_PER_WORKER );
    return block < BLOCK_MINIMUM ? BLOCK_MINIMUM : block > BLOCK_MAXIMUM ? BLOCK_MAXIMUM : block;
}

joResult joReserveWorkers( joQueryBatch* batch, uint64_t largest )
{
    joResult result = jo_success;
    largest = largest > WORKER_RESERVE ? largest : WORKER_RESERVE;
    for ( uint32_t i = 0; i < batch->workerCount; ++i )
    {
        largest = batch->workers[i].largest > largest ? batch->workers[i].largest : largest;
    }
    for ( uint32_t i = 0; i < batch->workerCount && result == jo_success; ++i )
    {
        result =
            joArray_Reserve( &batch->workers[i].results, &batch->memory, largest, sizeof( uint64_t ), 0 );
    }
    return result;
}

joResult joReserveLists( joQueryBatch* batch, uint32_t queryCount )
{
    const uint64_t count = queryCount;
    const joResult result = joArray_Reserve( &batch->places, &batch->memory, count, sizeof( uint64_t ), 0 );
    return result != jo_success
               ? result
               : joArray_Reserve( &batch->offsets, &batch->memory, count + 1, sizeof( uint64_t ), 0 );
}

// A worker's block of queries under way.
typedef struct ListBlock
{
    const joBatchRun* run;
    joBatchWorker* worker;
    joQuery query;
    uint32_t firstWaiting; // the queries taken from this number on have their lists at the worker
} ListBlock;

// Puts the lists of the queries before number `end` into the store. False: no memory.
static bool flush( ListBlock* block, uint32_t end )
{
    joBatchWorker* worker = block->worker;
    joQueryBatch* batch = block->run->batch;
    uint64_t place = 0;
    if ( worker->used > 0 && !joStoreResults( batch, worker->results.data, worker->used, &place ) )
    {
        return false;
    }
    for ( uint32_t n = block->firstWaiting; n < end; ++n )
    {
        ( (uint64_t*)batch->places.data )[joQueryAt( block->run, n )] += place;
    }
    worker->used = 0;
    block->firstWaiting = end;
    return true;
}

// Empties the worker, but for queries from number `n` on, and makes room for a list of `count`. False: no
// memory.
static bool makeRoom( ListBlock* block, uint32_t n, uint64_t count )
{
    joBatchWorker* worker = block->worker;
    joMemory* memory = &block->run->batch->memory;
    if ( !flush( block, n ) ||
         joArray_Reserve( &worker->results, memory, count, sizeof( uint64_t ), 0 ) != jo_success )
    {
        return false;
    }
    worker->largest = count > worker->largest ? count : worker->largest;
    return true;
}

// Answers query i into the worker's free room. Returns how many results there are, or would be.
static uint64_t findList( ListBlock* block, uint32_t i )
{
    const joQueryColumns* columns = block->run->columns;
    const joQueryBatch* batch = block->run->batch;
    const uint64_t room = block->worker->results.capacity - block->worker->used;
    void* free = (char*)block->worker->results.data + block->worker->used * joResultSize( batch );
    joQuery_SetFrom( &block->query, columns, i );
    if ( batch->kept == jo_keptKeys )
    {
        block->query.results = joMakeKeyList( free, room );
    }
    else
    {
        const uint64_t wanted = columns->shape == jo_queryPoint ? joReadWanted( columns, i ) : UINT64_MAX;
        block->query.results = joMakeHitList( free, room, wanted );
    }
    joQuery_Run( &block->query );
    return block->query.results.count;
}

// Results that a nearest query may have. With room for fewer it could not drop what is too far: better make
// room beforehand, if it can be had.
static uint64_t expectedCount( const joBatchRun* run, uint32_t i )
{
    if ( run->columns->shape != jo_queryPoint )
    {
        return 0;
    }
    uint64_t objectCount = 0;
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        objectCount += run->front->sets[set].liveCount;
    }
    const uint64_t wanted = joReadWanted( run->columns, i );
    return wanted < objectCount ? wanted : objectCount;
}

// Answers the query that is taken n-th. False: no memory.
static bool listQuery( ListBlock* block, uint32_t n )
{
    joBatchWorker* worker = block->worker;
    joQueryBatch* batch = block->run->batch;
    const uint32_t i = joQueryAt( block->run, n );
    const uint64_t expected = expectedCount( block->run, i );
    if ( expected > worker->results.capacity - worker->used )
    {
        makeRoom( block, n, expected );
    }
    uint64_t count = findList( block, i );
    if ( count > worker->results.capacity - worker->used )
    {
        if ( !makeRoom( block, n, count ) )
        {
            return false;
        }
        count = findList( block, i );
    }
    ( (uint64_t*)batch->places.data )[i] = worker->used;
    ( (uint64_t*)batch->offsets.data )[i] = count;
    worker->used += count;
    worker->largest = count > worker->largest ? count : worker->largest;
    return true;
}

static void listBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joBatchRun* run = context;
    ListBlock block = { .run = run, .worker = &run->batch->workers[worker], .firstWaiting = begin };
    joQuery_Begin( &block.query, run->front, run->columns->shape );
    bool isGood = !atomic_load_explicit( &run->batch->failed, memory_order_relaxed );
    for ( uint32_t n = begin; n < end && isGood; ++n )
    {
        isGood = listQuery( &block, n ) && ( block.worker->used < FLUSH_COUNT || flush( &block, n + 1 ) );
    }
    if ( !isGood || !flush( &block, end ) )
    {
        block.worker->used = 0;
        atomic_store_explicit( &run->batch->failed, true, memory_order_relaxed );
    }
}

// Counts to offsets.
static void sumOffsets( joQueryBatch* batch )
{
    uint64_t* offsets = batch->offsets.data;
    uint64_t sum = 0;
    for ( uint32_t i = 0; i < batch->queryCount; ++i )
    {
        const uint64_t count = offsets[i];
        offsets[i] = sum;
        sum += count;
    }
    offsets[batch->queryCount] = sum;
}

joResult joListResults( joBatchRun* run )
{
    joQueryBatch* batch = run->batch;
    const uint32_t count = run->columns->count;
    atomic_store( &batch->used, 0 );
    atomic_store( &batch->failed, false );
    joResult result = joReserveLists( batch, count );
    if ( result == jo_success )
    {
        result = joReserveWorkers( batch, 0 );
    }
    if ( result == jo_success )
    {
        joParallelFor( batch->jobs, count, joBlockSize( batch, count ), listBlock, run );
        result = atomic_load( &batch->failed ) ? joMemory_FailResult( &batch->memory ) : jo_success;
    }
    batch->queryCount = count;
    if ( result == jo_success )
    {
        sumOffsets( batch );
    }
    return result;
}
