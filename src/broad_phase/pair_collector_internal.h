// SPDX-License-Identifier: MIT
// The collector's own view of itself; structures see pair_collector.h only.
#pragma once

#include "object_set.h"
#include "pair_collector.h"

#define JO_CHUNK_PAIRS 4096

// Which key of a pair comes first.
typedef enum joKeyOrder
{
    jo_lowerKeyFirst,
    jo_keyOfAFirst, // the sides are separate name spaces
    jo_keyOfBFirst
} joKeyOrder;

#define JO_SIDE_COUNT 4

// The sets that raw slots refer to: side a, and side b by setB.
typedef struct joCollectorSides
{
    const joObjectSet* a;
    const joObjectSet* b[JO_SIDE_COUNT];
    bool tableAll; // pairs of still objects all belong into the table
    joKeyOrder keyOrder;
} joCollectorSides;

struct joPairCollector
{
    joMemory* memory;
    joJobs* jobs;
    const joKernels* kernels;
    uint32_t axisCount;
    uint32_t workerCount;
    joPairSink* sinks;
    joArray rawMemory; // uint32_t: raw buffers of all sinks

    joCollectorSides sides;
    bool plain[JO_SIDE_COUNT];     // by setB: slots are keys, and nothing to filter but circles
    bool roundTest;                // plain pairs are of circles
    bool countsRaw[JO_SIDE_COUNT]; // by setB: every raw pair counts
    bool countOnly;                // keep no pairs (table pairs are kept all the same)
    bool sortPairs;
    uint64_t pairLimit;

    // Chunks of JO_CHUNK_PAIRS pairs, shared by the sinks. Slabs grow geometrically and stay.
    joArray slabs; // joChunkSlab
    uint32_t slabCount;
    uint32_t chunkCount; // in all slabs
    joArray freeChunks;  // joPair*
    uint32_t freeChunkCount;
    pthread_mutex_t chunkMutex;

    joArray runs;   // joPairRun
    joArray sorted; // joPair: the result
    uint64_t sortedCount;
    joArray histograms;  // uint64_t
    joArray counters;    // uint32_t
    joArray sortScratch; // joPair, one piece a worker
    joArray tableSorted; // joPair
    uint64_t tableSortedCount;
    uint64_t pairCount;
    uint64_t candidatesTested;
};

joResult joPairCollector_Init(
    joPairCollector* collector, joMemory* memory, const joStructureContext* context );
void joPairCollector_Free( joPairCollector* collector );
// Room for pairs, so that a find of that many does not allocate; `table`: wherever they fall, in the resting
// table too.
joResult joPairCollector_Reserve( joPairCollector* collector, uint64_t pairCount, bool table );

// Starts a find.
void joPairCollector_Begin( joPairCollector* collector, const joCollectorSides* sides, bool countOnly );
// Ends it: flushes, sorts into `sorted` and `tableSorted`, counts. On failure nothing is in them.
joResult joPairCollector_End( joPairCollector* collector );

// A run of pairs that lie together.
typedef struct joPairRun
{
    const joPair* pairs;
    uint32_t count;
} joPairRun;

// Room for sorting `count` pairs, however they lie. pair_sort.c.
joResult joReserveSort( joPairCollector* collector, uint64_t count );

// Adds a slab of that many chunks to the free ones.
joResult joPairCollector_GrowChunks( joPairCollector* collector, uint32_t chunkCount );

// Pairs that a sink keeps, in all and in one of its chunks.
uint64_t joPairSink_KeptCount( const joPairSink* sink );
uint32_t joPairSink_ChunkUsed( const joPairSink* sink, uint32_t chunk );

// Pairs as whole numbers of their order.
static inline uint64_t joPairOrder( joPair pair )
{
    return (uint64_t)pair.a << 32 | pair.b;
}

// What the sort must know of the keys: the range of a, and which bits any b has.
typedef struct joPairRange
{
    uint32_t lowestA;
    uint32_t highestA;
    uint32_t unionB;
} joPairRange;

joPairRange joMeasurePairs( const joPairRun* runs, uint32_t runCount );

// Sorts the pairs of all runs by a then b into `out` (room for all). pair_sort.c.
joResult joSortPairs( joPairCollector* collector, const joPairRun* runs, uint32_t runCount, joPairRange range,
    joPair* out, uint64_t count );
