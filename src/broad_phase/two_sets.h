// SPDX-License-Identifier: MIT
// Pairs between two broad phases. Read this before two_sets.c.
//
// The smaller side is gathered into a set of its own. For each of the three sets of the larger side there are
// two ways, and a cost rule chooses (only the speed depends on it):
// - searched: its structure is up to date, and each object of the smaller side is looked up in it;
// - scanned: the cell filter (cell_filter.h) picks, in one pass, what may meet the smaller side at all, and
//   that is gathered into a second set. The two gathered sets are then joined: small ones by trying all,
//   others by two grids, whatever the kinds of the broad phases are: both have to be built, and the grid is
//   built fastest.
// What has changed since a searched structure was built is scanned.
//
// So neither broad phase is touched, and neither has to be up to date: who only asks for pairs between sets
// never has the structure of the large one built.
#pragma once

#include "box_columns.h"
#include "cell_filter.h"
#include "front.h"
#include "jostle/two_sets.h"

// What the collector knows sides by (joPairSink.setB): the sets of the larger side that are searched by their
// number, and what was gathered of it.
#define JO_SIDE_GATHERED JO_SET_COUNT

enum
{
    JO_GATHERED_SMALL,
    JO_GATHERED_LARGE,
    JO_GATHERED_COUNT
};

struct joTwoSets
{
    joMemory memory;
    joTwoSetsDef def;
    joBroadPhaseDef gridDef; // all at its default
    joStructureContext context;
    joObjectSet gathered[JO_GATHERED_COUNT];
    void* grids[JO_GATHERED_COUNT];
    joColumnStore columns[JO_GATHERED_COUNT]; // where all are tried
    joCellFilter filter;
    joArray slots;  // uint32_t: what a piece has picked, at the place of its block
    joArray counts; // uint32_t, of each block; then where it begins
    joPairCollector collector;
    bool holds; // the collector has an answer
    joTwoSetsStats stats;
};

// two_sets_gather.c
joResult joTwoSets_ReserveGather( joTwoSets* twoSets );
// For how many to make room when so many are needed: what is near wavers from frame to frame.
uint32_t joTwoSets_RoomFor( const joTwoSets* twoSets, uint32_t count, uint64_t capacity );
// All objects of a broad phase into a set, as moving ones, without gaps.
joResult joTwoSets_GatherAll( joTwoSets* twoSets, const joBroadPhase* front, joObjectSet* gathered );
// Those of one of its sets that pass the filter: of all slots, or of the `count` given. They are added to
// what has been gathered.
joResult joTwoSets_GatherNear( joTwoSets* twoSets, const joObjectSet* set, const uint32_t* slots,
    uint32_t count, joObjectSet* gathered );

// two_sets_search.c: looks all of the smaller side up in the structure of one set of the other.
void joTwoSets_Search( joTwoSets* twoSets, const joBroadPhase* front, uint32_t setIndex );
