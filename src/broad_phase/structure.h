// SPDX-License-Identifier: MIT
// What a broad-phase structure is to the rest: one table of functions. A new kind is one file with such a
// table and one entry in kinds.c.
//
// The front (broad_phase.c) owns the objects, in three sets (static, resting, moving). Each set has a
// structure of the kind. A structure finds raw pairs of slots whose boxes overlap; the collector tests
// circles, filters, turns slots into keys and sorts.
#pragma once

#include "base/array.h"
#include "jostle/broad_phase.h"
#include "pair_collector.h"
#include "probe.h"
#include "simd/kernels.h"

// An object's box in its set. A free slot holds the empty box (lower +inf, upper -inf). That overlaps no
// finite box, but one that is infinite on every axis: structures must leave free slots out (joIsLive in
// box_columns.h).
typedef struct joBoxRecord
{
    float lower[3]; // 2D: lower[2] = upper[2] = 0
    float upper[3];
    uint32_t key;
    uint32_t flags; // the front's
} joBoxRecord;

// Kernels read records as so many floats, and records are written four at a time.
_Static_assert( sizeof( joBoxRecord ) == JO_RECORD_FLOATS * sizeof( float ), "no gaps" );

typedef struct joBoxSet
{
    const joBoxRecord* records;
    uint32_t count; // slots, free ones included
    uint32_t liveCount;
    // What has changed since the structure's last build: every slot whose record was written, each once; or
    // everything.
    bool allChanged;
    const uint32_t* changed;
    uint32_t changedCount;
} joBoxSet;

// What a structure may use, valid for its life.
typedef struct joStructureContext
{
    joMemory* memory;
    joJobs* jobs;
    uint32_t workerCount;
    const joKernels* kernels;
    uint32_t axisCount;
    const joBroadPhaseDef* def;
} joStructureContext;

typedef struct joStructureKind
{
    const char* name;
    size_t size; // bytes of state; zeroed by the front before init
    void ( *init )( void* structure, const joStructureContext* context );
    void ( *destroy )( void* structure );
    // Makes room so that a build of up to `count` objects and a findPairs allocate nothing.
    joResult ( *reserve )( void* structure, uint32_t count );
    // Brings the structure up to date with the set. On failure the structure is empty or as before, and is
    // built anew (allChanged) next time.
    joResult ( *build )( void* structure, const joBoxSet* set );
    // Finds all pairs of slots within `moving`, each once, in any order (a, b), and between `moving` (a) and
    // each of `still` (b). Structures were built before. Runs in parallel over context->jobs; a worker uses
    // its own sink.
    joResult ( *findPairs )(
        void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector );
    // May be null. Once built, makes queries fast, by what would only cost where nobody asks. On failure
    // nothing is lost but that.
    joResult ( *prepare )( void* structure );
    // Hands the probe the slots of the last build that it may meet, those of changed slots too. Changes
    // nothing, needs no memory; any number of threads at once. Stops when the probe is done.
    void ( *query )( const void* structure, joProbe* probe );
    bool queryTakesBounds; // it looks at the probe's bounds, whatever the probe is
    // As query, for many rays at once; null: the structure takes them one by one.
    void ( *queryStream )( const void* structure, joRayStream* stream );
    // What a query by a small box costs as the structure is now, in nanoseconds or so. For choices only.
    float ( *queryCost )( const void* structure );
    void ( *addStats )( const void* structure, joBroadPhaseStats* stats );
    bool ( *validate )( const void* structure, const joBoxSet* set );
} joStructureKind;

// The table of a kind; null if there is none (jo_auto has none: it is one of the others).
const joStructureKind* joGetStructureKind( joBroadPhaseKind kind );
