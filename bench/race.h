// SPDX-License-Identifier: MIT
// A race: the contestants run the same frames of a workload, each frame in turn, and their answers are
// compared.
#pragma once

#include "contestant.h"
#include "options.h"

// Medians of what joWorld_GetProfile says.
typedef struct benchStages
{
    uint64_t motionNs, pairsNs, contactsNs, eventsNs;
} benchStages;

typedef struct benchRow
{
    char library[16];
    char version[32];
    char kind[32];
    char isa[16];
    uint32_t threads;
    bool ours;
    uint32_t frames; // measured
    uint64_t medianNs;
    uint64_t minNs;
    double ratio;   // its median over that of jostle's best kind with as many threads; 0: there is none
    uint32_t items; // the time is of so many: objects, or queries
    uint64_t hash;
    uint64_t pairs; // of the last measured frame; of queries: how many answers; of sleepers: that touch
    bool countedAllocations;
    uint64_t allocations; // calls of malloc and its relatives in all measured frames
    uint64_t memory;      // bytes held; 0: not known
    uint64_t buildNs;     // queries: median of making the structure, which is no part of the times above
    benchStages stages;   // sleepers
    uint64_t closeCalls;  // queries: answers that differ as much as rounding makes them
    double deepest; // crowd: the deepest overlap left after any measured frame; boxes: the largest error
                    // of a depth; else -1
} benchRow;

typedef struct benchRace
{
    int workload;
    uint32_t count;
    benchRow rows[BENCH_MAX_CONTESTANTS];
    uint32_t rowCount;
    bool agreed; // all answers are the same, and jostle's lists sorted; if not, stderr says what
    bool failed; // a library failed; the rows mean nothing
} benchRace;

// `threads` as in options, or others if the table says so.
void benchRunRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options );
// The same for a workload of queries (query_race.c).
void benchRunQueryRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options );

// And for one of pairs of shapes (pair_race.c).
void benchRunPairRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options );

// And for that of sleepers (sleepers_race.c); ratios are to the movers alone of the same kind and threads.
void benchRunSleepersRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options );

// What they have in common (row.c).
// The finishing function of splitmix64 (Steele, Lea and Flood, 2014).
uint64_t benchMix( uint64_t value );
// Who it is.
benchRow benchMakeRow( const benchContestant* contestant );
// Sorts them. 0 of none.
uint64_t benchMedian( uint64_t* times, uint32_t count );
void benchSetTimes( benchRow* row, uint64_t* times, uint32_t count );
double benchNsPerItem( const benchRow* row );
void benchSetRatios( benchRace* race );
