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
#include "jostle/push_apart.h"

// Doubled: one copy is read in a pass, the other written. What is overwritten is the pass before, which the
// acceleration needs.
typedef struct joPushState
{
    float position[3]; // 2D: z is 0
    float contacts;    // overlaps this body had in the last pass; 0 for one that stands still
} joPushState;

typedef struct joPushMass
{
    float radius;
    float inverseMass;
} joPushMass;

typedef struct joPushFilter
{
    uint64_t layer;
    uint64_t mask;
} joPushFilter;

// What one worker found (it works on a copy, for these share cache lines), joined by minimum, maximum, or and
// whole sums: the schedule cannot show.
typedef struct joPushTally
{
    double deepest;        // overlap
    double need;           // the longest way a body must go to leave one overlap
    double farthestSq;     // way from where the neighbours were found
    uint64_t overlapCount; // each counted from both sides
    uint32_t firstBad;
    joResult badResult;
    float largestRadius;
    bool held; // the limit stopped a body that overlaps
    bool anyStill;
} joPushTally;

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

    joArray states[2]; // joPushState
    uint32_t current;  // which of the two is read
    joArray starts;    // joPushState, at the last find
    joArray masses;    // joPushMass
    joArray reaches;   // float, radius and half the margin
    joArray filters;   // joPushFilter, if some body stands still
    bool anyStill;
    float largestRadius;

    // The neighbours of slot i are neighbours[offsets[i]] .. neighbours[offsets[i + 1] - 1].
    joArray offsets;
    joArray neighbours;
    joArray active; // uint32_t, slots that have neighbours
    uint32_t activeCount;
    double quantum; // corrections are whole multiples of 1 / quantum

    // The pairs of the first find as the caller's indices; while !viewCopied they are still in the broad
    // phase.
    joArray view;        // joPair
    joArray viewScratch; // uint64_t
    uint64_t viewCount;
    bool viewCopied;
    bool viewSorted;

    joPushTally tallies[JO_MAX_WORKERS];
} joPusher;

static inline joPushState* joPusher_State( const joPusher* pusher )
{
    return pusher->states[pusher->current].data;
}

static inline uint32_t joPusher_Index( const joPusher* pusher, uint32_t slot )
{
    return pusher->inOrder ? slot : ( (const uint32_t*)pusher->order.data )[slot];
}

void joPusher_ClearTallies( joPusher* pusher );
joPushTally joPusher_JoinTallies( const joPusher* pusher );

// Chooses the order for `count` bodies of the caller's. Cannot fail: room was made.
void joPusher_ChooseOrder( joPusher* pusher, const joPushBodies* bodies );

// Finds the neighbours of the present positions, and makes these the starts.
joResult joPusher_FindNeighbours( joPusher* pusher );

// Saves the pairs from the next find.
joResult joPusher_KeepView( joPusher* pusher );

// Counts contacts and measures overlaps, at the present positions, among neighbours.
joPushTally joPusher_Measure( joPusher* pusher );

// All passes. On success *left is the measure at the end.
joResult joPusher_Iterate( joPusher* pusher, joPushTally before, joPushTally* left );
