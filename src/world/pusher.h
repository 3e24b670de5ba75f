// SPDX-License-Identifier: MIT
// What the parts of push apart share: the calls (push_apart.c), the neighbours (push_neighbours.c), the work
// on pairs and planes in a pass (push_passes.c, push_planes.c), the passes (push_iterate.c). The world's step
// uses all but the first two, with neighbours of its own (step_push.c).
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

// Two bodies of which one at least is not round: parted along the normal that they had when neighbours were
// found.
typedef struct joPushPlane
{
    uint32_t a, b;   // slots
    float normal[3]; // unit, from a to b
    // The overlap is this, less the way from a to b along the normal.
    double depth;
} joPushPlane;

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

// Pairs and tracks are in no order of memory: so far ahead of its turn, each is asked for.
#define JO_PUSH_AHEAD 12u

// Overlapping pairs are listed by blocks of so many pairs.
#define JO_PUSH_PAIR_BLOCK 1024u

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
    // float, how far each body may be pushed. Empty: all half the margin. Only the world's step has it.
    joArray limits;

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

    // Of the world's step only, as `limits` is.
    joArray planes; // joPushPlane
    uint32_t planeCount;

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

// What a pass does with the pairs.
typedef enum joPushWork
{
    jo_workMeasure, // overlaps only
    jo_workCount,   // and contacts
    jo_workPush
} joPushWork;

typedef struct joPushPass
{
    joPusher* pusher;
    joPushWork work;
    double weight; // of Chebyshev's step; 1: plain
    double limit;  // way a body may go from its start, if it has none of its own
} joPushPass;

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

// Room for so many bodies; keeps states, masses and limits of the first ones. Forgets what bodies had
// contacts.
joResult joPusher_ReserveBodies( joPusher* pusher, uint32_t count, uint32_t keep );

// How finely corrections are added up: as 64 bits allow for a body of so many contacts of so deep an overlap.
void joPusher_SetQuantum( joPusher* pusher, double deepest, uint64_t contacts );

// Without a broad phase, for bodies and neighbours of somebody else's. The def is a good one, with no
// reserves.
joResult joPusher_CreateBare( const joPusherDef* def, joPusher** pusher );

// Finds the neighbours of the present positions, and makes these the starts.
joResult joPusher_FindNeighbours( joPusher* pusher );

// Saves the pairs from the next find.
joResult joPusher_KeepView( joPusher* pusher );

// Measures overlaps and counts contacts, at the present positions. Once after neighbours were found.
joPushTally joPusher_Measure( joPusher* pusher );

// Work of a pass on all pairs, then on all planes. The tally is that of all bodies.
joPushTally joPusher_WorkOnPairs( const joPushPass* pass );
void joPusher_WorkOnPlanes( const joPushPass* pass );
// Whether a plane's bodies overlap so far that they are pushed; or those of a pair.
bool joPusher_IsPressed( const joPusher* pusher, const joPushPlane* plane );
// Moves one of a plane's bodies until they overlap no more.
void joPusher_LeavePlane( joPusher* pusher, const joPushPlane* plane, bool isA );
// Brings a body back within the limit of where it started.
void joPusher_HoldBack( joPushState* state, const float start[3], float limit );
bool joPusher_Overlaps( const joPusher* pusher, joPair pair );

// Passes without finding again: no body leaves its limit.
void joPusher_RunPasses( joPusher* pusher );

// All passes, with what finding again they need. On success *left is the measure at the end.
joResult joPusher_Iterate( joPusher* pusher, joPushTally before, joPushTally* left );
