// SPDX-License-Identifier: MIT
// What the three parts of push apart share: the calls (push_apart.c), the neighbours (push_neighbours.c), the
// passes (push_passes.c).
//
// Inside, bodies are named by slots: places in an order of our own, neighbours in space near each other in
// memory. The order is one array, kept for some frames, and may change only the speed: a body's corrections
// are added as whole numbers, which makes their sum the same in any order, and ties are broken by the
// caller's index.
#pragma once

#include "base/array.h"
#include "base/float_env.h"
#include "jostle/push_apart.h"

// What every pass reads of every body.
typedef struct joPushState
{
    float position[3]; // 2D: z is 0
    float radius;
} joPushState;

// What the pairs of a pass add up for a body. All 0 for one that had no contact since neighbours were found.
typedef struct joPushSum
{
    int64_t sum[3];       // correction, in quanta
    uint32_t contacts[2]; // [contactsNow]: of the last pass, which scale this one; the other: of this one
} joPushSum;

// Beside the number of contacts: one is so deep that it is worth finding neighbours again.
#define JO_PUSH_DEEP 0x80000000u

// A body that had a contact since neighbours were found, and so may have moved.
typedef struct joPushTrack
{
    uint32_t slot;
    float start[3];    // when neighbours were found
    float previous[3]; // before the last pass
} joPushTrack;

typedef struct joPushFilter
{
    uint64_t layer;
    uint64_t mask;
} joPushFilter;

// What one worker found (it works on a copy, for these share cache lines), joined by minimum, maximum, or and
// whole sums: the schedule cannot show.
typedef struct joPushTally
{
    double deepest;    // overlap
    double need;       // the longest way a body must go to leave one overlap
    double farthestSq; // way from where the neighbours were found
    uint64_t overlapCount;
    float largestRadius;
    bool held; // the limit stopped a body that overlaps
    bool anyStill;
    bool anyBad;
} joPushTally;

// Regions of slots for each worker: enough to even out unequal ones, few enough that pairs across are few.
#define JO_PUSH_REGIONS_PER_WORKER 8u
#define JO_PUSH_MAX_REGIONS ( JO_MAX_WORKERS * JO_PUSH_REGIONS_PER_WORKER )

typedef struct joPusher
{
    joMemory memory;
    joPusherDef def;
    joBroadPhase* broadPhase;
    uint32_t axisCount;
    uint32_t workerCount;

    uint32_t count;
    joArray order;    // uint32_t, the caller's index of each slot; not used while `inOrder`
    bool inOrder;     // slots are indices
    uint32_t ordered; // bodies that `order` was made for
    uint32_t orderAge;
    joArray sortItems[2]; // joKeyValue

    joArray states;        // joPushState
    joArray inverseMasses; // float
    joArray reaches;       // float, radius and half the margin
    joArray filters;       // joPushFilter, if some body stands still
    bool anyStill;
    float largestRadius;

    joArray sums;      // joPushSum
    joArray tracks;    // joPushTrack, in any order
    joArray isTracked; // uint8_t
    uint32_t trackCount;
    uint32_t contactsNow;
    double quantum; // corrections are whole multiples of 1 / quantum
    bool foundAgain;

    // Pairs within the margin, by slots: those of the broad phase, in any order, or with several workers
    // dealt into regions: pairs [regionStarts[r], regionStarts[r + 1]) are of two bodies of region r. What
    // comes after the last region is across regions.
    const joPair* pairs;
    uint32_t pairCount;
    joArray dealt;        // joPair
    joArray regionCounts; // uint32_t, of each region and part of the pairs
    uint32_t regionCount;
    uint32_t regionStarts[JO_PUSH_MAX_REGIONS + 1];

    // Those of the pairs that overlap, for each block of pairs from the same index on.
    joArray overlaps;      // joPair
    joArray overlapCounts; // uint32_t, of each block
    bool detected;         // overlaps are of the present positions

    // The pairs of the first find as the caller's indices; while !viewCopied they are still in the broad
    // phase.
    joArray view;        // joPair
    joArray viewScratch; // uint64_t
    uint64_t viewCount;
    bool viewCopied;
    bool viewSorted;

    joPushTally tallies[JO_MAX_WORKERS];
} joPusher;

static inline uint32_t joPusher_Index( const joPusher* pusher, uint32_t slot )
{
    return pusher->inOrder ? slot : ( (const uint32_t*)pusher->order.data )[slot];
}

void joPusher_ClearTallies( joPusher* pusher );
joPushTally joPusher_JoinTallies( const joPusher* pusher );

// Chooses the order for `count` bodies of the caller's. Cannot fail: room was made.
void joPusher_ChooseOrder( joPusher* pusher, const joPushBodies* bodies );

// Room for `pairCount` pairs to be pushed.
joResult joPusher_ReservePairs( joPusher* pusher, uint64_t pairCount );

// Forgets what bodies had contacts. Before any array of bodies is made anew.
void joPusher_ClearTracks( joPusher* pusher );

// Finds the neighbours of the present positions, and makes these the starts.
joResult joPusher_FindNeighbours( joPusher* pusher );

// Saves the pairs from the next find.
joResult joPusher_KeepView( joPusher* pusher );

// Measures overlaps and counts contacts, at the present positions. Once after neighbours were found.
joPushTally joPusher_Measure( joPusher* pusher );

// All passes. On success *left is the measure at the end.
joResult joPusher_Iterate( joPusher* pusher, joPushTally before, joPushTally* left );
