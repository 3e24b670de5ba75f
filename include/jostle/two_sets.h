// SPDX-License-Identifier: MIT
// jostle two sets: the pairs between the objects of two broad phases (bullets against enemies), without the
// pairs inside each.
//
// - Pairs are of a key of the first and a key of the second, which are separate name spaces: (7, 7) are two
//   objects. Each pair once, sorted by a, then b (unless sortPairs is off).
// - Boxes, circles and spheres, layers and masks as in broad_phase.h. Every object counts, however it takes
//   part: static with static, too, since only the caller knows whether the two sets stand still together.
// - The two are not changed, and need not be brought up to date: what was added, moved or removed a moment
//   ago counts at once. So a broad phase that is only asked for pairs with others never builds its structure.
//   But one whose structure is up to date, from a find of its own or joBroadPhase_Update, is searched by it
//   where that is faster: few objects against many.
// - The answer depends on the objects alone: not on kinds, threads, instruction set, structures or history.
#pragma once

#include "broad_phase.h"

JO_EXTERN_C_BEGIN

typedef struct joTwoSetsDef
{
    int dimension; // 2 or 3, that of both broad phases; default 3
    // Room made at create: objects of the smaller side, objects of the other, pairs. Default 0. A find needs
    // room on the other side for those near the smaller side's only, at most for all.
    uint32_t smallReserve, largeReserve;
    uint64_t pairReserve;
    // true: growth beyond the reserves fails with jo_errorCapacity. Default false.
    bool fixedCapacity;
    // At most this many pairs are kept inside (8 bytes each); of more, the first in order are kept and all
    // are counted. Default 2^27 (1 GiB).
    uint64_t pairLimit;
    // false: pairs come in no particular order. Default true.
    bool sortPairs;

    // Null (default): one thread. Borrowed: must outlive the object.
    joJobs* jobs;
    joAllocator allocator;
    // Set by joDefaultTwoSetsDef.
    uint32_t internalCookie;
} joTwoSetsDef;

// What the last find or count did.
typedef struct joTwoSetsStats
{
    uint64_t memoryBytes;      // all memory held
    uint64_t allocationCount;  // calls of the allocator's allocate since create
    uint64_t candidatesTested; // pairs of boxes compared
    uint64_t pairCount;
    uint32_t scannedCount;  // objects of the larger side that were looked at one by one
    uint32_t searchedCount; // objects of the larger side in structures that were searched instead
    uint32_t nearCount;     // of those looked at, near enough to the smaller side to be tested
} joTwoSetsStats;

// Finds pairs between two broad phases and keeps them. One serves any number of broad phases in turn.
typedef struct joTwoSets joTwoSets;

JO_API joTwoSetsDef joDefaultTwoSetsDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorOutOfMemory, jo_errorUnsupportedIsa. The def is
// copied.
JO_API joResult joCreateTwoSets( const joTwoSetsDef* def, joTwoSets** twoSets );

// Null is allowed.
JO_API void joDestroyTwoSets( joTwoSets* twoSets );

// Calls below: one thread at a time per joTwoSets. The broad phases are read only: any number of joTwoSets
// and of queries (query.h) may read them at the same time, but nothing may change them meanwhile.

// Finds all pairs between `a` and `b`. The first min( capacity, *pairCount ) in order go to `pairs` (null
// allowed with capacity 0); *pairCount gets how many there are, 64 bits. All are kept inside (up to
// pairLimit) until the next find or count: joTwoSets_GetPairs fetches them without finding again. `a` and `b`
// may be the same: then each object meets itself, too, and each pair comes both ways round.
// Expected O(s log s + l + pairs) for s objects on the smaller side and l on the other, like sizes: those of
// the larger side that are not near the smaller cost a few nanoseconds each; O(s log l + pairs) where the
// larger side's structure is up to date and s is far smaller.
// Errors: jo_errorNullArgument, jo_errorWrongDimension, jo_errorOutOfMemory, jo_errorCapacity (growth is
// forbidden); *pairCount is then 0. Also jo_errorCapacity, with the first pairs and the true *pairCount, if
// `pairs` had room for pairs that were beyond pairLimit.
JO_API joResult joTwoSets_FindPairs( joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b,
    joPair* pairs, uint64_t capacity, uint64_t* pairCount );

// Copies pairs [first, first + capacity) of the last find; *copied gets how many. O(copied).
// Errors: jo_errorCapacity if some of that range exist but were beyond pairLimit (those before are copied).
JO_API joResult joTwoSets_GetPairs(
    const joTwoSets* twoSets, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied );

// The kept pairs themselves, without a copy. Valid until the next find or count.
JO_API const joPair* joTwoSets_ViewPairs( const joTwoSets* twoSets, uint64_t* pairCount );

// As joTwoSets_FindPairs, but only counts: no memory for pairs, any number of them.
JO_API joResult joTwoSets_CountPairs(
    joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b, uint64_t* pairCount );

JO_API joTwoSetsStats joTwoSets_GetStats( const joTwoSets* twoSets );

JO_EXTERN_C_END
