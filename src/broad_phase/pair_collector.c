// SPDX-License-Identifier: MIT
// From raw pairs of slots to sorted pairs of keys.
#include "base/float_env.h"
#include "pair_collector_internal.h"

#include <string.h>

#define RAW_CAPACITY 4096

typedef struct joChunkSlab
{
    joPair* pairs;
    uint32_t chunkCount;
} joChunkSlab;

joResult joPairCollector_Init(
    joPairCollector* collector, joMemory* memory, const joStructureContext* context )
{
    collector->memory = memory;
    collector->jobs = context->jobs;
    collector->kernels = context->kernels;
    collector->axisCount = context->axisCount;
    collector->workerCount = context->workerCount;
    pthread_mutex_init( &collector->chunkMutex, NULL );
    size_t size = collector->workerCount * sizeof( joPairSink );
    collector->sinks = joMemory_Allocate( memory, size );
    if ( collector->sinks == NULL )
    {
        return joMemory_FailResult( memory );
    }
    memset( collector->sinks, 0, size );
    uint64_t rawCount = (uint64_t)collector->workerCount * 2 * RAW_CAPACITY;
    joResult result = joArray_Reserve( &collector->rawMemory, memory, rawCount, sizeof( uint32_t ), 0 );
    for ( uint32_t i = 0; i < collector->workerCount && result == jo_success; ++i )
    {
        joPairSink* sink = collector->sinks + i;
        sink->collector = collector;
        sink->raw.a = (uint32_t*)collector->rawMemory.data + (size_t)i * 2 * RAW_CAPACITY;
        sink->raw.b = sink->raw.a + RAW_CAPACITY;
        sink->raw.capacity = RAW_CAPACITY;
    }
    return result;
}

void joPairCollector_Free( joPairCollector* collector )
{
    joMemory* memory = collector->memory;
    if ( memory == NULL )
    {
        return;
    }
    for ( uint32_t i = 0; i < collector->workerCount && collector->sinks != NULL; ++i )
    {
        joArray_Free( &collector->sinks[i].chunks, memory, sizeof( joPair* ) );
        joArray_Free( &collector->sinks[i].tablePairs, memory, sizeof( joPair ) );
    }
    if ( collector->sinks != NULL )
    {
        joMemory_Free( memory, collector->sinks, collector->workerCount * sizeof( joPairSink ) );
    }
    for ( uint32_t i = 0; i < collector->slabCount; ++i )
    {
        joChunkSlab* slab = (joChunkSlab*)collector->slabs.data + i;
        joMemory_Free( memory, slab->pairs, (size_t)slab->chunkCount * JO_CHUNK_PAIRS * sizeof( joPair ) );
    }
    joArray_Free( &collector->slabs, memory, sizeof( joChunkSlab ) );
    joArray_Free( &collector->freeChunks, memory, sizeof( joPair* ) );
    joArray_Free( &collector->rawMemory, memory, sizeof( uint32_t ) );
    joArray_Free( &collector->runs, memory, sizeof( joPairRun ) );
    joArray_Free( &collector->sorted, memory, sizeof( joPair ) );
    joArray_Free( &collector->histograms, memory, sizeof( uint64_t ) );
    joArray_Free( &collector->counters, memory, sizeof( uint32_t ) );
    joArray_Free( &collector->sortScratch, memory, sizeof( joPair ) );
    joArray_Free( &collector->tableSorted, memory, sizeof( joPair ) );
    pthread_mutex_destroy( &collector->chunkMutex );
}

joResult joPairCollector_GrowChunks( joPairCollector* collector, uint32_t chunkCount )
{
    joMemory* memory = collector->memory;
    joResult result = joArray_Reserve(
        &collector->slabs, memory, collector->slabCount + 1, sizeof( joChunkSlab ), collector->slabCount );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &collector->freeChunks, memory, collector->chunkCount + chunkCount,
            sizeof( joPair* ), collector->freeChunkCount );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joPair* pairs = joMemory_Allocate( memory, (size_t)chunkCount * JO_CHUNK_PAIRS * sizeof( joPair ) );
    if ( pairs == NULL )
    {
        return joMemory_FailResult( memory );
    }
    ( (joChunkSlab*)collector->slabs.data )[collector->slabCount++] = ( joChunkSlab ){ pairs, chunkCount };
    collector->chunkCount += chunkCount;
    joPair** freeChunks = collector->freeChunks.data;
    for ( uint32_t i = 0; i < chunkCount; ++i )
    {
        freeChunks[collector->freeChunkCount++] = pairs + (size_t)( chunkCount - 1 - i ) * JO_CHUNK_PAIRS;
    }
    return jo_success;
}

joResult joPairCollector_Reserve( joPairCollector* collector, uint64_t pairCount, bool table )
{
    if ( pairCount == 0 )
    {
        return jo_success;
    }
    // Each worker may leave a chunk half full.
    uint64_t chunks = pairCount / JO_CHUNK_PAIRS + 1 + collector->workerCount;
    if ( chunks > UINT32_MAX / JO_CHUNK_PAIRS )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = chunks > collector->chunkCount
                          ? joPairCollector_GrowChunks( collector, (uint32_t)chunks - collector->chunkCount )
                          : jo_success;
    for ( uint32_t i = 0; i < collector->workerCount && result == jo_success; ++i )
    {
        result = joArray_Reserve( &collector->sinks[i].chunks, collector->memory, chunks, sizeof( joPair* ),
            collector->sinks[i].chunkCount );
        if ( result == jo_success && table )
        {
            result = joArray_Reserve(
                &collector->sinks[i].tablePairs, collector->memory, pairCount, sizeof( joPair ), 0 );
        }
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &collector->sorted, collector->memory, pairCount, sizeof( joPair ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &collector->runs, collector->memory, chunks, sizeof( joPairRun ), 0 );
    }
    if ( result == jo_success )
    {
        result = joReserveSort( collector, pairCount );
    }
    if ( result == jo_success && table )
    {
        result =
            joArray_Reserve( &collector->tableSorted, collector->memory, pairCount, sizeof( joPair ), 0 );
    }
    return result;
}

void joPairCollector_Begin( joPairCollector* collector, const joCollectorSides* sides, bool countOnly )
{
    collector->sides = *sides;
    collector->countOnly = countOnly;
    collector->roundTest = sides->a->hasRounds;
    collector->sortedCount = 0;
    collector->tableSortedCount = 0;
    collector->pairCount = 0;
    collector->candidatesTested = 0;
    for ( int i = 0; i < JO_SIDE_COUNT; ++i )
    {
        const joObjectSet* a = sides->a;
        const joObjectSet* b = sides->b[i];
        collector->plain[i] =
            b == a && a->identityKeys && a->hasRounds == a->allRound && !a->hasFilters && !sides->tableAll;
        // Between two sets no pair is left out for standing still; of one, only plain ones are known not to
        // be.
        collector->countsRaw[i] =
            b != NULL && !a->hasRounds && !b->hasRounds && !a->hasFilters && !b->hasFilters &&
            ( sides->keyOrder == jo_lowerKeyFirst ? collector->plain[i] : b->liveCount == b->count );
    }
    for ( uint32_t i = 0; i < collector->workerCount; ++i )
    {
        joPairSink* sink = collector->sinks + i;
        sink->raw.count = 0;
        sink->setB = 0;
        sink->candidatesTested = 0;
        sink->result = jo_success;
        sink->chunkCount = 0;
        sink->lastUsed = JO_CHUNK_PAIRS;
        sink->pairCount = 0;
        sink->lowestA = UINT32_MAX;
        sink->highestA = 0;
        sink->unionB = 0;
        sink->cutoff = UINT64_MAX;
        sink->tablePairCount = 0;
    }
}

// Gathers the runs of all sinks.
static uint32_t gatherRuns( joPairCollector* collector, joPairRun* runs )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < collector->workerCount; ++i )
    {
        const joPairSink* sink = collector->sinks + i;
        for ( uint32_t c = 0; c < sink->chunkCount; ++c )
        {
            runs[count++] =
                ( joPairRun ){ ( (joPair**)sink->chunks.data )[c], joPairSink_ChunkUsed( sink, c ) };
        }
    }
    return count;
}

static joResult sortFound( joPairCollector* collector, uint64_t kept )
{
    joResult result =
        joArray_ReserveSlack( &collector->sorted, collector->memory, kept, sizeof( joPair ), 0 );
    if ( result == jo_success )
    {
        // As many as there can be, whoever finds the pairs that have room: each worker leaves at most one
        // chunk half full.
        const uint64_t runLimit = collector->sorted.capacity / JO_CHUNK_PAIRS + collector->workerCount;
        result = joArray_Reserve( &collector->runs, collector->memory, runLimit, sizeof( joPairRun ), 0 );
    }
    if ( result != jo_success || kept == 0 )
    {
        return result;
    }
    joPairRun* runs = collector->runs.data;
    uint32_t runCount = gatherRuns( collector, runs );
    if ( collector->sortPairs )
    {
        joPairRange range = { UINT32_MAX, 0, 0 };
        for ( uint32_t i = 0; i < collector->workerCount; ++i )
        {
            const joPairSink* sink = collector->sinks + i;
            range.lowestA = sink->lowestA < range.lowestA ? sink->lowestA : range.lowestA;
            range.highestA = sink->highestA > range.highestA ? sink->highestA : range.highestA;
            range.unionB |= sink->unionB;
        }
        result = joSortPairs( collector, runs, runCount, range, collector->sorted.data, kept );
    }
    else
    {
        joPair* out = collector->sorted.data;
        for ( uint32_t i = 0; i < runCount; ++i )
        {
            memcpy( out, runs[i].pairs, runs[i].count * sizeof( joPair ) );
            out += runs[i].count;
        }
    }
    collector->sortedCount = kept < collector->pairLimit ? kept : collector->pairLimit;
    return result;
}

static joResult sortTablePairs( joPairCollector* collector, uint64_t count )
{
    joResult result =
        joArray_ReserveSlack( &collector->tableSorted, collector->memory, count, sizeof( joPair ), 0 );
    if ( result == jo_success )
    {
        result = joArray_ReserveSlack(
            &collector->runs, collector->memory, collector->workerCount, sizeof( joPairRun ), 0 );
    }
    if ( result != jo_success || count == 0 )
    {
        return result;
    }
    joPairRun* runs = collector->runs.data;
    for ( uint32_t i = 0; i < collector->workerCount; ++i )
    {
        const joPairSink* sink = collector->sinks + i;
        runs[i] = ( joPairRun ){ sink->tablePairs.data, (uint32_t)sink->tablePairCount };
    }
    result = joSortPairs( collector, runs, collector->workerCount,
        joMeasurePairs( runs, collector->workerCount ), collector->tableSorted.data, count );
    collector->tableSortedCount = result == jo_success ? count : 0;
    return result;
}

// Largest number of table pairs for which every worker has room, whichever finds them.
#define MAX_TABLE_AHEAD 16384

// Room ahead, so that a frame with slightly more pairs than any before, or with the same pairs found by other
// workers, does not allocate: as much as the arrays of sorted pairs have, which grow by leaps. (By the pairs
// of this frame it would grow whenever their number wavers about some threshold.) Without memory for it, the
// next frame tries again where it must.
static void makeRoomAhead( joPairCollector* collector )
{
    const uint64_t kept = collector->sorted.capacity;
    uint64_t tableCount = collector->tableSorted.capacity;
    if ( collector->memory->fixed )
    {
        return;
    }
    // Each worker may leave a chunk half full.
    const uint64_t chunks = kept / JO_CHUNK_PAIRS + collector->workerCount + 1;
    if ( collector->chunkCount < chunks && chunks <= UINT32_MAX / JO_CHUNK_PAIRS )
    {
        joPairCollector_GrowChunks( collector, (uint32_t)chunks - collector->chunkCount );
    }
    tableCount = tableCount < MAX_TABLE_AHEAD ? tableCount : MAX_TABLE_AHEAD;
    for ( uint32_t i = 0; i < collector->workerCount && kept + tableCount > 0; ++i )
    {
        joPairSink* sink = collector->sinks + i;
        joArray_Reserve( &sink->chunks, collector->memory, chunks, sizeof( joPair* ), 0 );
        joArray_Reserve( &sink->tablePairs, collector->memory, tableCount, sizeof( joPair ), 0 );
    }
}

joResult joPairCollector_End( joPairCollector* collector )
{
    joResult result = jo_success;
    uint64_t kept = 0, tableCount = 0;
    for ( uint32_t i = 0; i < collector->workerCount; ++i )
    {
        joPairSink* sink = collector->sinks + i;
        joPairSink_Flush( sink );
        result = result == jo_success ? sink->result : result;
        kept += joPairSink_KeptCount( sink );
        tableCount += sink->tablePairCount;
        collector->pairCount += sink->pairCount;
        collector->candidatesTested += sink->candidatesTested;
    }
    if ( result == jo_success )
    {
        result = sortFound( collector, kept );
    }
    if ( result == jo_success )
    {
        result = sortTablePairs( collector, tableCount );
    }
    for ( uint32_t i = 0; i < collector->workerCount; ++i )
    {
        joPairSink* sink = collector->sinks + i;
        while ( sink->chunkCount > 0 )
        {
            joPair* chunk = ( (joPair**)sink->chunks.data )[--sink->chunkCount];
            ( (joPair**)collector->freeChunks.data )[collector->freeChunkCount++] = chunk;
        }
    }
    if ( result == jo_success )
    {
        makeRoomAhead( collector );
    }
    if ( result != jo_success )
    {
        collector->sortedCount = 0;
        collector->tableSortedCount = 0;
    }
    return result;
}
