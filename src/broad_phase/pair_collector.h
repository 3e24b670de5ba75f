// SPDX-License-Identifier: MIT
// Takes raw pairs of slots from structures, one sink per worker; gives sorted pairs of keys.
#pragma once

#include "base/array.h"
#include "jostle/jobs.h"
#include "simd/kernels.h"

typedef struct joPairCollector joPairCollector;

// One worker's sink. Not shared between threads.
typedef struct joPairSink
{
    joPairCollector* collector;
    joRawPairs raw;
    uint32_t setB; // raw.b are slots of the moving set (0), or of still[setB - 1] as given to findPairs; in
                   // two sets, see two_sets.h
    uint64_t candidatesTested; // structures add to it
    joResult result;           // first failure; sticky; a sink that failed drops what it gets
    // The rest is the collector's: pairs of keys in chunks of a fixed size.
    joArray chunks; // joPair*
    uint32_t chunkCount;
    uint32_t lastUsed;          // pairs in the last chunk
    uint32_t lowestA, highestA; // over kept pairs
    uint32_t unionB;            // or of all b
    uint64_t pairCount;         // found, kept or not
    uint64_t cutoff;            // pairs after this one (a << 32 | b) are counted, not kept
    joArray tablePairs;         // joPair
    uint64_t tablePairCount;
} joPairSink;

// The sink of a worker (index as given by joParallelFor). setB says what the b side of the following raw
// pairs is.
joPairSink* joPairCollector_BeginSink( joPairCollector* collector, uint32_t worker, uint32_t setB );

// Empties sink->raw through the filters. Call when the raw pairs are full; leftovers are flushed by the
// front.
void joPairSink_Flush( joPairSink* sink );

// Runs a join to its end into the sink and counts its candidates.
void joPairSink_Join( joPairSink* sink, const joKernels* kernels, uint32_t axisCount, joJoin* join );

// The same with the sides exchanged: join->a is of side b, and join->b of side a.
void joPairSink_JoinReversed( joPairSink* sink, const joKernels* kernels, uint32_t axisCount, joJoin* join );
