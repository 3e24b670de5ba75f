// SPDX-License-Identifier: MIT
// The lists of results of a batch, in slabs that workers fill in any order, and the way back into the order
// of queries.
#include "query_batch.h"

#include <string.h>

#define GATHER_BLOCK 1024u

static uint64_t slabSize( uint32_t slab )
{
    return slab == 0 ? JO_FIRST_SLAB : (uint64_t)JO_FIRST_SLAB << ( slab - 1 );
}

// The slab that holds a place; it begins at *begin.
static uint32_t slabOf( uint64_t place, uint64_t* begin )
{
    const uint64_t firsts = place / JO_FIRST_SLAB;
    const uint32_t slab = firsts == 0 ? 0 : 64 - (uint32_t)__builtin_clzll( firsts );
    *begin = slab == 0 ? 0 : slabSize( slab );
    return slab;
}

// The slab's memory, made if need be; null: there is none. Any number of workers.
static char* openSlab( joQueryBatch* batch, uint32_t slab )
{
    if ( slab >= JO_MAX_SLABS )
    {
        return NULL;
    }
    void* memory = atomic_load_explicit( &batch->slabs[slab], memory_order_acquire );
    if ( memory == NULL )
    {
        pthread_mutex_lock( &batch->slabMutex );
        memory = atomic_load_explicit( &batch->slabs[slab], memory_order_relaxed );
        if ( memory == NULL && slabSize( slab ) <= SIZE_MAX / 2 / sizeof( uint64_t ) )
        {
            memory = joMemory_Allocate( &batch->memory, (size_t)slabSize( slab ) * sizeof( uint64_t ) );
            atomic_store_explicit( &batch->slabs[slab], memory, memory_order_release );
        }
        pthread_mutex_unlock( &batch->slabMutex );
    }
    return memory;
}

joResult joReserveStore( joQueryBatch* batch, uint64_t resultCount )
{
    uint64_t begin;
    const uint32_t slabCount = resultCount == 0 ? 0 : slabOf( resultCount - 1, &begin ) + 1;
    for ( uint32_t slab = 0; slab < slabCount; ++slab )
    {
        if ( openSlab( batch, slab ) == NULL )
        {
            return joMemory_FailResult( &batch->memory );
        }
    }
    return jo_success;
}

uint64_t joStoreCapacity( const joQueryBatch* batch )
{
    uint64_t count = 0;
    for ( uint32_t slab = 0; slab < JO_MAX_SLABS && batch->slabs[slab] != NULL; ++slab )
    {
        count += slabSize( slab );
    }
    return count;
}

void joFreeStore( joQueryBatch* batch )
{
    for ( uint32_t slab = 0; slab < JO_MAX_SLABS; ++slab )
    {
        joMemory_Free( &batch->memory, batch->slabs[slab], (size_t)slabSize( slab ) * sizeof( uint64_t ) );
    }
}

bool joStoreResults( joQueryBatch* batch, const void* results, uint64_t count, uint64_t* place )
{
    const size_t size = joResultSize( batch );
    *place = atomic_fetch_add_explicit( &batch->used, count, memory_order_relaxed );
    const char* from = results;
    for ( uint64_t at = *place; at < *place + count; )
    {
        uint64_t begin;
        const uint32_t slab = slabOf( at, &begin );
        char* memory = openSlab( batch, slab );
        if ( memory == NULL )
        {
            return false;
        }
        const uint64_t left = *place + count - at;
        const uint64_t room = begin + slabSize( slab ) - at;
        const uint64_t piece = left < room ? left : room;
        memcpy( memory + ( at - begin ) * size, from, piece * size );
        from += piece * size;
        at += piece;
    }
    return true;
}

// Results [place, place + count) of the store.
static void loadResults( const joQueryBatch* batch, uint64_t place, uint64_t count, char* to )
{
    const size_t size = joResultSize( batch );
    while ( count > 0 )
    {
        uint64_t begin;
        const uint32_t slab = slabOf( place, &begin );
        const char* memory = atomic_load_explicit( &batch->slabs[slab], memory_order_relaxed );
        const uint64_t room = begin + slabSize( slab ) - place;
        const uint64_t piece = count < room ? count : room;
        memcpy( to, memory + ( place - begin ) * size, piece * size );
        to += piece * size;
        place += piece;
        count -= piece;
    }
}

typedef struct GatherRun
{
    const joQueryBatch* batch;
    uint64_t first, last; // results
    uint32_t firstQuery;
    char* to;
} GatherRun;

static void gatherBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const GatherRun* run = context;
    const uint64_t* offsets = run->batch->offsets.data;
    const uint64_t* places = run->batch->places.data;
    const size_t size = joResultSize( run->batch );
    (void)worker;
    for ( uint32_t query = run->firstQuery + begin; query < run->firstQuery + end; ++query )
    {
        const uint64_t first = offsets[query] > run->first ? offsets[query] : run->first;
        const uint64_t last = offsets[query + 1] < run->last ? offsets[query + 1] : run->last;
        if ( first < last )
        {
            loadResults( run->batch, places[query] + ( first - offsets[query] ), last - first,
                run->to + ( first - run->first ) * size );
        }
    }
}

// The query that result `result` is of.
static uint32_t findQuery( const joQueryBatch* batch, uint64_t result )
{
    const uint64_t* offsets = batch->offsets.data;
    uint32_t low = 0;
    uint32_t high = batch->queryCount;
    while ( high - low > 1 )
    {
        const uint32_t middle = low + ( high - low ) / 2;
        if ( offsets[middle] <= result )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

void joGatherResults( const joQueryBatch* batch, uint64_t first, uint64_t count, void* to )
{
    if ( count == 0 )
    {
        return;
    }
    GatherRun run = { batch, first, first + count, findQuery( batch, first ), to };
    const uint32_t queryCount = findQuery( batch, first + count - 1 ) - run.firstQuery + 1;
    joParallelFor( batch->jobs, queryCount, GATHER_BLOCK, gatherBlock, &run );
}
