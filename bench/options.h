// SPDX-License-Identifier: MIT
// The command line of jostle-bench.
#pragma once

#include "box_scene.h"
#include "hull_scene.h"
#include "query_scene.h"
#include "workload.h"

#include "jostle/broad_phase.h"

#define BENCH_MAX_SIZES 16
#define BENCH_MAX_THREADS 8
// The crowd stands after the workloads of boxes. pairs-change, the last of them, is left out: the bench gives
// medians, and its halves have none in common. It is for `jostle tune`.
#define BENCH_CROWD ( (int)jo_pairsChange )
#define BENCH_TWO_SETS ( BENCH_CROWD + 1 )
#define BENCH_SLEEPERS ( BENCH_TWO_SETS + 1 )
// After it, those of queries: benchQueryWorkload.
#define BENCH_QUERIES ( BENCH_SLEEPERS + 1 )
// After them, those of pairs: the families of pair_scene.h.
#define BENCH_PAIR_RACES ( BENCH_QUERIES + (int)bench_queryWorkloadCount )
#define BENCH_BOXES BENCH_PAIR_RACES
#define BENCH_FLAT ( BENCH_BOXES + BENCH_BOX_WORKLOAD_COUNT )
#define BENCH_ROUND ( BENCH_FLAT + BENCH_FLAT_WORKLOAD_COUNT )
#define BENCH_HULLS ( BENCH_ROUND + BENCH_ROUND_WORKLOAD_COUNT )
#define BENCH_WORKLOAD_COUNT ( BENCH_HULLS + BENCH_HULL_WORKLOAD_COUNT )
// Brute force above this many is run only if it is asked for by name: it is quadratic.
#define BENCH_BRUTE_FORCE_LIMIT 20000

// A fault planted into the last contestant's answer of the first measured frame, to see that the race catches
// it.
typedef enum benchFault
{
    bench_noFault = 0,
    bench_faultDrop,     // a pair is missing
    bench_faultDouble,   // a pair is there twice
    bench_faultSwap,     // two pairs are in the wrong order: caught only if the contestant is jostle
    bench_faultOverlap,  // crowd: a disc is somewhere else
    bench_faultAllocate, // memory is allocated in the timed part
    bench_faultCount
} benchFault;

typedef struct benchOptions
{
    bool workloads[BENCH_WORKLOAD_COUNT];
    uint32_t sizes[BENCH_MAX_SIZES];
    uint32_t sizeCount; // 0: each workload's default
    uint32_t threads[BENCH_MAX_THREADS];
    uint32_t threadCount; // at least 1
    bool kinds[jo_broadPhaseKindCount];
    bool kindsNamed; // by --kind with names, so that none is left out for being slow
    bool peers;
    bool json;
    bool table;
    bool million;
    bool checkAllocations;
    benchFault fault;
    uint32_t frames;  // 0: chosen from the size
    uint32_t queries; // 0: the workload's default, and fewer for what is slow
    uint64_t seed;
    double budget; // seconds of measured frames for a row, when the frames are chosen
} benchOptions;

typedef enum benchParse
{
    bench_parsed = 0,
    bench_parsedHelp, // help was printed: nothing to do
    bench_parseFailed // a message stands on stderr
} benchParse;

benchParse benchParseOptions( int argumentCount, char** arguments, benchOptions* options );

// "pairs-a" .. "crowd", "rays-boxes" ..
const char* benchWorkloadText( int workload );
