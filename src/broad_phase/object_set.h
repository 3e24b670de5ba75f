// SPDX-License-Identifier: MIT
// The objects of one set, in slots: boxes, and where any object has them, circles and filters.
#pragma once

#include "base/float_env.h"
#include "structure.h"

// joBoxRecord.flags
#define JO_MOTION_MASK 3u // joMotion, as the caller sees it
#define JO_FLAG_UNTABLED                                                                                     \
    4u                     // still, lives in the moving set, its still pairs are not in the resting table yet
#define JO_FLAG_CHANGED 8u // stands in `changed`
#define JO_FLAG_FREE 16u   // free slot
#define JO_FLAG_MARK 32u   // scratch of one call

// A circle or sphere; radius negative: the object is a box.
typedef struct joRound
{
    float center[3];
    float radius;
} joRound;

typedef struct joFilter
{
    uint64_t layer;
    uint64_t mask;
} joFilter;

// One object on its way in.
typedef struct joObject
{
    joBoxRecord record;
    joRound round;
    joFilter filter;
} joObject;

typedef struct joObjectSet
{
    joMemory* memory;
    joArray records; // joBoxRecord
    joArray rounds;  // joRound, in use if hasRounds
    joArray filters; // joFilter, in use if hasFilters
    joArray changed; // uint32_t
    uint32_t count;  // slots, free ones included
    uint32_t liveCount;
    uint32_t freeHead; // free slots linked through record.key; JO_NULL_INDEX: none
    uint32_t changedCount;
    bool hasRounds;
    bool allRound; // hasRounds, and no object is a box
    bool hasFilters;
    bool allChanged;
    bool identityKeys; // no free slots, and the key of every slot is its number
} joObjectSet;

void joObjectSet_Init( joObjectSet* set, joMemory* memory );
void joObjectSet_Free( joObjectSet* set );
void joObjectSet_Clear( joObjectSet* set ); // keeps the memory

static inline joBoxRecord* joObjectSet_Records( const joObjectSet* set )
{
    return (joBoxRecord*)set->records.data;
}

static inline joRound* joObjectSet_Rounds( const joObjectSet* set )
{
    return (joRound*)set->rounds.data;
}

static inline joFilter* joObjectSet_Filters( const joObjectSet* set )
{
    return (joFilter*)set->filters.data;
}

// Makes room for `count` slots in all, and for circles and filters if they are, or are to be, in use.
joResult joObjectSet_Reserve( joObjectSet* set, uint32_t count, bool rounds, bool filters );

// Slots in all once `more` objects have been inserted: free ones are used first.
static inline uint32_t joObjectSet_CountWith( const joObjectSet* set, uint32_t more )
{
    uint32_t freeSlots = set->count - set->liveCount;
    return more > freeSlots ? set->count + ( more - freeSlots ) : set->count;
}

// Switches the optional columns on; room must be reserved.
void joObjectSet_UseColumns( joObjectSet* set, bool rounds, bool filters );

// Reads an object back, optional columns filled with their defaults.
joObject joObjectSet_Get( const joObjectSet* set, uint32_t slot );

// Writes an object over a slot and notes the change. Optional columns it needs must be in use.
void joObjectSet_Put( joObjectSet* set, uint32_t slot, const joObject* object );

// Puts it into a free slot or a new one; room must be reserved. Returns the slot.
uint32_t joObjectSet_Insert( joObjectSet* set, const joObject* object );

// Frees a slot.
void joObjectSet_Remove( joObjectSet* set, uint32_t slot );

// Notes that a slot's record was written.
void joObjectSet_NoteChanged( joObjectSet* set, uint32_t slot );

// Whether so many changes are so large a share of the slots that they are not named one by one.
bool joObjectSet_IsMostOf( const joObjectSet* set, uint32_t count );

// After the structure was built: nothing has changed since.
void joObjectSet_ForgetChanges( joObjectSet* set );

// What the structure sees.
joBoxSet joObjectSet_View( const joObjectSet* set );

// Whether two objects whose boxes overlap touch: by the squared distance of the cores (a centre, or a box)
// against the squared sum of the radii, where at least one is round. A null round: a box.
bool joRoundsTouch( const joBoxRecord* a, const joRound* roundA, const joBoxRecord* b, const joRound* roundB,
    uint32_t axisCount );

// The empty box of a free slot.
void joMakeFreeRecord( joBoxRecord* record, uint32_t nextFree );
