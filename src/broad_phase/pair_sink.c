// SPDX-License-Identifier: MIT
// A worker's sink: raw pairs of slots go through the filters and become pairs of keys in chunks.
#include "base/float_env.h"
#include "pair_collector_internal.h"

joPairSink* joPairCollector_BeginSink( joPairCollector* collector, uint32_t worker, uint32_t setB )
{
    joPairSink* sink = collector->sinks + worker;
    if ( sink->setB != setB )
    {
        joPairSink_Flush( sink );
        sink->setB = setB;
    }
    return sink;
}

uint64_t joPairSink_KeptCount( const joPairSink* sink )
{
    return sink->chunkCount == 0 ? 0 : (uint64_t)( sink->chunkCount - 1 ) * JO_CHUNK_PAIRS + sink->lastUsed;
}

uint32_t joPairSink_ChunkUsed( const joPairSink* sink, uint32_t chunk )
{
    return chunk + 1 == sink->chunkCount ? sink->lastUsed : JO_CHUNK_PAIRS;
}

// One more chunk for a sink.
static bool openChunk( joPairSink* sink )
{
    joPairCollector* collector = sink->collector;
    joResult result = joArray_ReserveSlack(
        &sink->chunks, collector->memory, sink->chunkCount + 1, sizeof( joPair* ), sink->chunkCount );
    if ( result == jo_success )
    {
        pthread_mutex_lock( &collector->chunkMutex );
        if ( collector->freeChunkCount == 0 )
        {
            result = joPairCollector_GrowChunks( collector, collector->chunkCount / 2 + 8 );
        }
        if ( result == jo_success )
        {
            joPair** freeChunks = collector->freeChunks.data;
            ( (joPair**)sink->chunks.data )[sink->chunkCount++] = freeChunks[--collector->freeChunkCount];
            sink->lastUsed = 0;
        }
        pthread_mutex_unlock( &collector->chunkMutex );
    }
    sink->result = sink->result == jo_success ? result : sink->result;
    return result == jo_success;
}

// The order of the pair at place `rank` among all kept ones: a radix select, a byte a pass, without extra
// memory.
static uint64_t selectOrder( const joPairSink* sink, uint64_t rank )
{
    uint64_t prefix = 0;
    for ( int shift = 56; shift >= 0; shift -= 8 )
    {
        uint64_t counts[256] = { 0 };
        uint64_t high = shift == 56 ? 0 : UINT64_MAX << ( shift + 8 );
        for ( uint32_t c = 0; c < sink->chunkCount; ++c )
        {
            const joPair* pairs = ( (joPair**)sink->chunks.data )[c];
            uint32_t used = joPairSink_ChunkUsed( sink, c );
            for ( uint32_t i = 0; i < used; ++i )
            {
                uint64_t order = joPairOrder( pairs[i] );
                counts[( order >> shift ) & 255] += ( order & high ) == prefix ? 1 : 0;
            }
        }
        uint64_t digit = 0;
        while ( rank >= counts[digit] )
        {
            rank -= counts[digit++];
        }
        prefix |= digit << shift;
    }
    return prefix;
}

// Drops what is beyond the first pairLimit pairs in order.
static void dropBeyondLimit( joPairSink* sink )
{
    joPairCollector* collector = sink->collector;
    sink->cutoff = selectOrder( sink, collector->pairLimit - 1 );
    joPair** chunks = sink->chunks.data;
    uint64_t kept = 0;
    for ( uint32_t c = 0; c < sink->chunkCount; ++c )
    {
        uint32_t used = joPairSink_ChunkUsed( sink, c );
        for ( uint32_t i = 0; i < used; ++i )
        {
            joPair pair = chunks[c][i];
            if ( joPairOrder( pair ) <= sink->cutoff )
            {
                chunks[kept / JO_CHUNK_PAIRS][kept % JO_CHUNK_PAIRS] = pair;
                kept += 1;
            }
        }
    }
    uint32_t chunkCount = (uint32_t)( ( kept + JO_CHUNK_PAIRS - 1 ) / JO_CHUNK_PAIRS );
    pthread_mutex_lock( &collector->chunkMutex );
    while ( sink->chunkCount > chunkCount )
    {
        ( (joPair**)collector->freeChunks.data )[collector->freeChunkCount++] = chunks[--sink->chunkCount];
    }
    pthread_mutex_unlock( &collector->chunkMutex );
    sink->lastUsed = (uint32_t)( kept - (uint64_t)( chunkCount - 1 ) * JO_CHUNK_PAIRS );
}

static inline void keepPair( joPairSink* sink, joPair pair )
{
    if ( sink->lastUsed == JO_CHUNK_PAIRS && !openChunk( sink ) )
    {
        return;
    }
    ( (joPair**)sink->chunks.data )[sink->chunkCount - 1][sink->lastUsed++] = pair;
    sink->lowestA = pair.a < sink->lowestA ? pair.a : sink->lowestA;
    sink->highestA = pair.a > sink->highestA ? pair.a : sink->highestA;
    sink->unionB |= pair.b;
}

// Leaves the raw pairs of circles that touch, all being circles of one set. Without a branch: half of the raw
// pairs go.
static inline void keepTouching( joPairSink* sink, uint32_t axisCount )
{
    const joRound* rounds = joObjectSet_Rounds( sink->collector->sides.a );
    uint32_t* a = sink->raw.a;
    uint32_t* b = sink->raw.b;
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < sink->raw.count; ++i )
    {
        const joRound* roundA = rounds + ( a[i] & JO_INDEX_MASK );
        const joRound* roundB = rounds + ( b[i] & JO_INDEX_MASK );
        double sum = 0.0;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            // As joRoundsTouch: a difference and its opposite have the same square.
            double gap = (double)roundA->center[axis] - (double)roundB->center[axis];
            sum += gap * gap;
        }
        double reach = (double)roundA->radius + (double)roundB->radius;
        a[kept] = a[i];
        b[kept] = b[i];
        kept += sum <= reach * reach ? 1 : 0;
    }
    sink->raw.count = kept;
}

// Slots are keys and nothing is filtered.
static void flushPlain( joPairSink* sink )
{
    const uint32_t count = sink->raw.count;
    sink->pairCount += count;
    if ( sink->collector->countOnly )
    {
        return;
    }
    uint32_t done = 0;
    while ( done < count )
    {
        if ( sink->lastUsed == JO_CHUNK_PAIRS && !openChunk( sink ) )
        {
            return;
        }
        uint32_t room = JO_CHUNK_PAIRS - sink->lastUsed;
        uint32_t n = count - done < room ? count - done : room;
        joPair* out = ( (joPair**)sink->chunks.data )[sink->chunkCount - 1] + sink->lastUsed;
        const uint32_t* a = sink->raw.a + done;
        const uint32_t* b = sink->raw.b + done;
        uint32_t lowestA = sink->lowestA, highestA = sink->highestA, unionB = sink->unionB;
        for ( uint32_t i = 0; i < n; ++i )
        {
            uint32_t x = a[i] & JO_INDEX_MASK;
            uint32_t y = b[i] & JO_INDEX_MASK;
            uint32_t low = x < y ? x : y;
            uint32_t high = x < y ? y : x;
            out[i].a = low;
            out[i].b = high;
            lowestA = low < lowestA ? low : lowestA;
            highestA = low > highestA ? low : highestA;
            unionB |= high;
        }
        sink->lowestA = lowestA;
        sink->highestA = highestA;
        sink->unionB = unionB;
        sink->lastUsed += n;
        done += n;
    }
}

static void keepTablePair( joPairSink* sink, joPair pair )
{
    joResult result = joArray_Reserve( &sink->tablePairs, sink->collector->memory, sink->tablePairCount + 1,
        sizeof( joPair ), sink->tablePairCount );
    if ( result != jo_success )
    {
        sink->result = sink->result == jo_success ? result : sink->result;
        return;
    }
    ( (joPair*)sink->tablePairs.data )[sink->tablePairCount++] = pair;
}

// Raw pairs name objects all over their sets: they are asked for some pairs ahead.
#define FLUSH_AHEAD 16u

static inline void prefetchObject( const joObjectSet* set, const joRound* rounds, uint32_t slot )
{
    __builtin_prefetch( joObjectSet_Records( set ) + slot );
    if ( rounds != NULL )
    {
        __builtin_prefetch( rounds + slot );
    }
    if ( set->hasFilters )
    {
        __builtin_prefetch( joObjectSet_Filters( set ) + slot );
    }
}

static void flushFiltered( joPairSink* sink )
{
    const joPairCollector* collector = sink->collector;
    const joObjectSet* setA = collector->sides.a;
    const joObjectSet* setB = collector->sides.b[sink->setB];
    const joRound* roundsA = setA->hasRounds ? joObjectSet_Rounds( setA ) : NULL;
    const joRound* roundsB = setB->hasRounds ? joObjectSet_Rounds( setB ) : NULL;
    const joFilter all = { UINT64_MAX, UINT64_MAX };
    const joKeyOrder keyOrder = collector->sides.keyOrder;
    const bool filtered = setA->hasFilters || setB->hasFilters;
    for ( uint32_t i = 0; i < sink->raw.count; ++i )
    {
        if ( i + FLUSH_AHEAD < sink->raw.count )
        {
            prefetchObject( setA, roundsA, sink->raw.a[i + FLUSH_AHEAD] & JO_INDEX_MASK );
            prefetchObject( setB, roundsB, sink->raw.b[i + FLUSH_AHEAD] & JO_INDEX_MASK );
        }
        uint32_t slotA = sink->raw.a[i] & JO_INDEX_MASK;
        uint32_t slotB = sink->raw.b[i] & JO_INDEX_MASK;
        const joBoxRecord* a = joObjectSet_Records( setA ) + slotA;
        const joBoxRecord* b = joObjectSet_Records( setB ) + slotB;
        uint32_t motionA = a->flags & JO_MOTION_MASK;
        uint32_t motionB = b->flags & JO_MOTION_MASK;
        if ( ( ( a->flags | b->flags ) & JO_FLAG_FREE ) != 0 ||
             ( motionA == jo_static && motionB == jo_static ) )
        {
            continue;
        }
        if ( filtered )
        {
            joFilter filterA = setA->hasFilters ? joObjectSet_Filters( setA )[slotA] : all;
            joFilter filterB = setB->hasFilters ? joObjectSet_Filters( setB )[slotB] : all;
            if ( ( filterA.layer & filterB.mask ) == 0 || ( filterB.layer & filterA.mask ) == 0 )
            {
                continue;
            }
        }
        if ( ( roundsA != NULL || roundsB != NULL ) &&
             !joRoundsTouch( a, roundsA != NULL ? roundsA + slotA : NULL, b,
                 roundsB != NULL ? roundsB + slotB : NULL, collector->axisCount ) )
        {
            continue;
        }
        const bool isAFirst = keyOrder == jo_lowerKeyFirst ? a->key < b->key : keyOrder == jo_keyOfAFirst;
        joPair pair = { isAFirst ? a->key : b->key, isAFirst ? b->key : a->key };
        if ( motionA != jo_moving && motionB != jo_moving )
        {
            // The table has it, or gets it.
            if ( collector->sides.tableAll || ( ( a->flags | b->flags ) & JO_FLAG_UNTABLED ) != 0 )
            {
                keepTablePair( sink, pair );
            }
            continue;
        }
        sink->pairCount += 1;
        if ( !collector->countOnly && joPairOrder( pair ) <= sink->cutoff )
        {
            keepPair( sink, pair );
        }
    }
}

void joPairSink_Flush( joPairSink* sink )
{
    joPairCollector* collector = sink->collector;
    if ( sink->raw.count > 0 && sink->result == jo_success )
    {
        // The plain path knows no cutoff: it matters only when there are more pairs than the limit.
        if ( collector->plain[sink->setB] && sink->cutoff == UINT64_MAX )
        {
            if ( collector->roundTest )
            {
                collector->axisCount == 2 ? keepTouching( sink, 2 ) : keepTouching( sink, 3 );
            }
            flushPlain( sink );
        }
        else
        {
            flushFiltered( sink );
        }
        uint64_t slack = collector->pairLimit / 4 + JO_CHUNK_PAIRS;
        if ( sink->result == jo_success && joPairSink_KeptCount( sink ) > collector->pairLimit &&
             joPairSink_KeptCount( sink ) - collector->pairLimit > slack )
        {
            dropBeyondLimit( sink );
        }
    }
    sink->raw.count = 0;
}

static uint64_t joinCandidates( const joJoin* join )
{
    uint64_t count = 0;
    if ( join->begins == NULL && join->ends == NULL && !join->afterSelf )
    {
        uint64_t rows = join->last > join->first ? join->last - join->first : 0;
        return join->end > join->begin ? rows * ( join->end - join->begin ) : 0;
    }
    for ( uint32_t i = join->first; i < join->last; ++i )
    {
        uint32_t begin = join->afterSelf ? i + 1 : join->begins != NULL ? join->begins[i] : join->begin;
        uint32_t end = join->ends != NULL ? join->ends[i] : join->end;
        count += end > begin ? end - begin : 0;
    }
    return count;
}

void joPairSink_Join( joPairSink* sink, const joKernels* kernels, uint32_t axisCount, joJoin* join )
{
    sink->candidatesTested += joinCandidates( join );
    if ( sink->collector->countOnly && sink->collector->countsRaw[sink->setB] )
    {
        sink->pairCount += kernels->countJoin[axisCount - 2]( join );
        return;
    }
    while ( !kernels->join[axisCount - 2]( join, &sink->raw ) )
    {
        joPairSink_Flush( sink );
        if ( sink->result != jo_success )
        {
            return;
        }
    }
}

static void exchangeSides( joRawPairs* raw )
{
    uint32_t* a = raw->a;
    raw->a = raw->b;
    raw->b = a;
}

void joPairSink_JoinReversed( joPairSink* sink, const joKernels* kernels, uint32_t axisCount, joJoin* join )
{
    sink->candidatesTested += joinCandidates( join );
    for ( bool done = false; !done && sink->result == jo_success; )
    {
        exchangeSides( &sink->raw );
        done = kernels->join[axisCount - 2]( join, &sink->raw );
        exchangeSides( &sink->raw );
        if ( !done )
        {
            joPairSink_Flush( sink );
        }
    }
}
