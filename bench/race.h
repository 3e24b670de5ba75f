// SPDX-License-Identifier: MIT
// A race: the contestants run the same frames of a workload, each frame in turn, and their answers are
// compared.
#pragma once

#include "contestant.h"
#include "options.h"

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
    double ratio; // its median over that of jostle's best kind with as many threads; 0: there is none
    uint64_t hash;
    uint64_t pairs; // of the last measured frame
    bool countedAllocations;
    uint64_t allocations; // calls of malloc and its relatives in all measured frames
    uint64_t memory;      // bytes held; 0: not known
    double deepest;       // crowd: the deepest overlap left after any measured frame; else -1
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
