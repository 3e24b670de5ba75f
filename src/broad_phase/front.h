// SPDX-License-Identifier: MIT
// The front of every broad phase: objects, sets, keys, the resting table. The structure does the finding.
//
// Where an object lives: an object has a motion (static, resting, moving), which the caller sees, and lives
// in one of three sets. Moving objects always live in the moving set. A static or resting object that was
// added, moved or parked a moment ago lives in the moving set too, until enough have gathered to be worth
// rebuilding the structure of their own set (joFront_Settle). So parking or waking one object never rebuilds
// a large structure.
//
// The resting table: pairs of two still objects (not both static) are kept in a sorted table. They enter it
// when they are found with an object that is marked untabled, and leave it when one of the two is touched.
#pragma once

#include "auto.h"
#include "base/key_map.h"
#include "object_set.h"
#include "pair_collector_internal.h"

enum
{
    JO_SET_STATIC = jo_static,
    JO_SET_RESTING = jo_resting,
    JO_SET_MOVING = jo_moving,
    JO_SET_COUNT
};

// How a key finds its row.
typedef struct joRowOf
{
    const uint32_t* table; // of key - lowest; null: by the map, or, without one, the row is the key
    const joKeyMap* map;
    uint32_t lowest;
} joRowOf;

// The rows of neighbours.h, and what is needed to make them.
typedef struct joNeighbourStore
{
    joArray keys;       // uint32_t
    joArray offsets;    // uint64_t
    joArray neighbours; // uint32_t
    uint32_t rowCount;
    bool holds;       // nothing has changed since they were made
    joArray rowPairs; // joPair: the pairs as rows, where keys are not rows
    // Keys as the sets have them, unsorted: while they are the same, so are the sorted ones. 0: they are not
    // known.
    joArray gathered; // uint32_t
    uint32_t gatheredCount;
    joRowOf rowOf;
    joArray items;   // joKeyValue
    joArray rows;    // uint32_t: of keys that lie close together
    joKeyMap rowMap; // of others
} joNeighbourStore;

// jo_auto: when objects are measured, and what the choice is for now. See front_structures.c.
typedef struct joChooser
{
    bool isOpen; // jo_auto, and the kind may change
    bool hasMeasured;
    joSceneMeasures measures, lastMeasures; // of the choice in use; the last
    uint32_t traits;                        // of the choice in use
    joBroadPhaseKind wanted;                // by the last measuring
    joPlaces places;
    joWatch watch;
    uint32_t measuredCount;  // objects
    uint64_t measuredPairs;  // pairs last found then
    uint64_t pairCount;      // pairs last found
    uint32_t interval, wait; // updates from the last measuring, and from now, to the next
    uint32_t hold, nextHold; // updates that the kind is kept, and will be after the next change
    uint32_t changeCount;
} joChooser;

struct joBroadPhase
{
    joMemory memory;
    joBroadPhaseDef def;
    joBroadPhaseDef chosenDef; // as def; under jo_auto with the kind and parameters in use
    joChooser chooser;
    const joStructureKind* kind;
    joStructureContext context;
    joObjectSet sets[JO_SET_COUNT];
    void* structures[JO_SET_COUNT];
    joKeyMap keys; // key to set << 30 | slot; without the moving set's while that has identityKeys
    uint32_t stillInMoving;
    uint32_t untabledCount;

    joArray table; // joPair, sorted
    uint64_t tableCount;
    joKeyMap touched; // keys whose pairs must leave the table
    bool tableDirty;  // make the table anew

    joPairCollector collector;
    joArray pairs; // joPair: the answer, if it is not the collector's own list
    const joPair* answer;
    uint64_t answerCount; // kept
    uint64_t pairCount;   // found
    bool answerHolds;     // it was found, and nothing has changed since
    uint64_t candidatesTested;
    joNeighbourStore neighbours;
};

#define JO_PLACE( set, slot ) ( (uint32_t)( set ) << 30 | ( slot ) )
#define JO_PLACE_SET( place ) ( ( place ) >> 30 )
#define JO_PLACE_SLOT( place ) ( (place)&JO_INDEX_MASK )

// Where the object with this key lives; JO_KEY_MAP_NONE if there is none.
uint32_t joFront_Find( const joBroadPhase* front, uint32_t key );

// Puts the keys of the moving set into the map, so that it may be edited. Makes room for `more` keys.
joResult joFront_MapKeys( joBroadPhase* front, uint32_t more );

// Takes an object out of its set. Its pairs leave the resting table at the next find; room for its key in
// `touched` must have been reserved.
void joFront_Detach( joBroadPhase* front, uint32_t place );

// Puts an object into the moving set, key map included; room must have been reserved. Still objects become
// untabled.
void joFront_Attach( joBroadPhase* front, const joObject* object );

// An object that lives in the moving set gets another motion, or, with the one it has, is marked to have its
// still pairs found again.
void joFront_SetMovingFlags( joBroadPhase* front, joBoxRecord* record, joMotion motion );

// Whether so many still objects are worth rebuilding the structures of the still sets.
bool joFront_IsEnoughToSettle( const joBroadPhase* front, uint32_t count );

// Room in a still set for `more` objects with the optional columns given; its structure will be rebuilt.
joResult joFront_OpenStillSet( joObjectSet* set, uint32_t more, bool rounds, bool filters );

// Puts an object into its own still set, which must have been opened.
void joFront_SettleObject( joBroadPhase* front, const joObject* object );

// Moves still objects from the moving set to their own sets, if enough have gathered, or `all`.
joResult joFront_Settle( joBroadPhase* front, bool all );

// Closes gaps in the moving set when they outnumber the living. Never fails.
void joFront_Compact( joBroadPhase* front );

// Objects have changed: what was found holds no longer.
static inline void joFront_NoteChange( joBroadPhase* front )
{
    front->answerHolds = false;
    front->neighbours.holds = false;
}

// broad_phase.c: finds all pairs; the answer is empty if it fails.
joResult joFront_FindPairs( joBroadPhase* front );

// neighbours.c
joResult joNeighbourStore_Reserve(
    joNeighbourStore* store, joMemory* memory, uint32_t objectCount, uint64_t neighbourCount );
void joNeighbourStore_Free( joNeighbourStore* store, joMemory* memory );

// front_structures.c: structures of the def's kind, or of the first choice. On failure there are none.
joResult joFront_CreateStructures( joBroadPhase* front );
void joFront_DestroyStructures( joBroadPhase* front );
// Under jo_auto: measures the objects from time to time, and changes to the kind that suits them. Never
// fails: without memory for other structures the old ones stay.
void joFront_Choose( joBroadPhase* front );
// Brings the structures up to date: those of still sets only when they have changed.
joResult joFront_UpdateStructures( joBroadPhase* front );

// resting_table.c: drops the pairs of touched objects; makes the table anew where it is dirty.
joResult joFront_PrepareTable( joBroadPhase* front );
// Merges the collector's table pairs into the table.
joResult joFront_ExtendTable( joBroadPhase* front );
// Merges the collector's pairs and the table into the answer.
joResult joFront_MergeAnswer( joBroadPhase* front );
