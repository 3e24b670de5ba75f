// SPDX-License-Identifier: MIT
// jostle pair difference: this frame's sorted pairs against the last frame's give enter, stay and exit.
#pragma once

#include "base.h"

JO_EXTERN_C_BEGIN

// A list of pairs in the caller's memory: gets the first min( capacity, count ) in order; count says how many
// there are. pairs may be null with capacity 0.
typedef struct joPairList
{
    joPair* pairs;
    uint64_t capacity;
    uint64_t count;
} joPairList;

// enter: in `current` only; stay: in both; exit: in `last` only. Each list (may be null) is in order.
// O(lastCount + currentCount), no memory, any threads. Inputs must be strictly ascending by a, then b:
// else jo_errorUnsorted, *errorIndex (may be null) gets the index of the first pair out of order (`last` is
// checked first; an index in `current` is given as lastCount + index), and the lists are not touched.
JO_API joResult joDiffPairs( const joPair* last, uint64_t lastCount, const joPair* current,
    uint64_t currentCount, joPairList* enter, joPairList* stay, joPairList* exit, uint64_t* errorIndex );

// Keeps the last frame's pairs, for callers who do not.
typedef struct joPairTrackerDef
{
    uint64_t pairReserve;
    bool fixedCapacity;
    joAllocator allocator;
    uint32_t internalCookie;
} joPairTrackerDef;

// What changed, in memory of the tracker, valid until its next call.
typedef struct joPairChanges
{
    const joPair* enters;
    const joPair* stays;
    const joPair* exits;
    uint64_t enterCount, stayCount, exitCount;
} joPairChanges;

typedef struct joPairTracker joPairTracker;

JO_API joPairTrackerDef joDefaultPairTrackerDef( void );
JO_API joResult joCreatePairTracker( const joPairTrackerDef* def, joPairTracker** tracker );
JO_API void joDestroyPairTracker( joPairTracker* tracker );

// Takes this frame's sorted pairs (copied) and says what changed since the last call. On an error
// (jo_errorUnsorted, jo_errorOutOfMemory, jo_errorCapacity) the last frame is still the last frame: no event
// is lost.
JO_API joResult joPairTracker_Update( joPairTracker* tracker, const joPair* pairs, uint64_t count,
    joPairChanges* changes, uint64_t* errorIndex );

JO_EXTERN_C_END
