// SPDX-License-Identifier: MIT
#include "object_set.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// When more than this share of the slots changed, naming them one by one helps no structure.
#define CHANGED_SHARE 4

void joObjectSet_Init( joObjectSet* set, joMemory* memory )
{
    memset( set, 0, sizeof( *set ) );
    set->memory = memory;
    joObjectSet_Clear( set );
}

void joObjectSet_Free( joObjectSet* set )
{
    joArray_Free( &set->records, set->memory, sizeof( joBoxRecord ) );
    joArray_Free( &set->rounds, set->memory, sizeof( joRound ) );
    joArray_Free( &set->filters, set->memory, sizeof( joFilter ) );
    joArray_Free( &set->changed, set->memory, sizeof( uint32_t ) );
}

void joObjectSet_Clear( joObjectSet* set )
{
    set->count = 0;
    set->liveCount = 0;
    set->freeHead = JO_NULL_INDEX;
    set->changedCount = 0;
    set->hasRounds = false;
    set->allRound = false;
    set->hasFilters = false;
    set->allChanged = true;
    set->identityKeys = false;
}

joResult joObjectSet_Reserve( joObjectSet* set, uint32_t count, bool rounds, bool filters )
{
    joResult result = joArray_Reserve( &set->records, set->memory, count, sizeof( joBoxRecord ), set->count );
    if ( result == jo_success && ( rounds || set->hasRounds ) )
    {
        result = joArray_Reserve(
            &set->rounds, set->memory, count, sizeof( joRound ), set->hasRounds ? set->count : 0 );
    }
    if ( result == jo_success && ( filters || set->hasFilters ) )
    {
        result = joArray_Reserve(
            &set->filters, set->memory, count, sizeof( joFilter ), set->hasFilters ? set->count : 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve(
            &set->changed, set->memory, count / CHANGED_SHARE + 1, sizeof( uint32_t ), set->changedCount );
    }
    return result;
}

void joObjectSet_UseColumns( joObjectSet* set, bool rounds, bool filters )
{
    if ( rounds && !set->hasRounds )
    {
        set->hasRounds = true;
        for ( uint32_t i = 0; i < set->count; ++i )
        {
            joObjectSet_Rounds( set )[i] = ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
        }
    }
    if ( filters && !set->hasFilters )
    {
        set->hasFilters = true;
        for ( uint32_t i = 0; i < set->count; ++i )
        {
            joObjectSet_Filters( set )[i] = ( joFilter ){ UINT64_MAX, UINT64_MAX };
        }
    }
}

joObject joObjectSet_Get( const joObjectSet* set, uint32_t slot )
{
    joObject object;
    object.record = joObjectSet_Records( set )[slot];
    object.round =
        set->hasRounds ? joObjectSet_Rounds( set )[slot] : ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
    object.filter =
        set->hasFilters ? joObjectSet_Filters( set )[slot] : ( joFilter ){ UINT64_MAX, UINT64_MAX };
    return object;
}

bool joObjectSet_IsMostOf( const joObjectSet* set, uint32_t count )
{
    return count > set->count / CHANGED_SHARE;
}

void joObjectSet_NoteChanged( joObjectSet* set, uint32_t slot )
{
    joBoxRecord* record = joObjectSet_Records( set ) + slot;
    if ( set->allChanged || ( record->flags & JO_FLAG_CHANGED ) != 0 )
    {
        return;
    }
    if ( set->changedCount >= set->count / CHANGED_SHARE )
    {
        joObjectSet_ForgetChanges( set ); // takes the marks away
        set->allChanged = true;
        return;
    }
    record->flags |= JO_FLAG_CHANGED;
    ( (uint32_t*)set->changed.data )[set->changedCount++] = slot;
}

void joObjectSet_ForgetChanges( joObjectSet* set )
{
    const uint32_t* changed = set->changed.data;
    for ( uint32_t i = 0; i < set->changedCount; ++i )
    {
        joObjectSet_Records( set )[changed[i]].flags &= ~JO_FLAG_CHANGED;
    }
    set->changedCount = 0;
    set->allChanged = false;
}

void joObjectSet_Put( joObjectSet* set, uint32_t slot, const joObject* object )
{
    joBoxRecord* record = joObjectSet_Records( set ) + slot;
    uint32_t kept = record->flags & JO_FLAG_CHANGED;
    *record = object->record;
    record->flags = ( object->record.flags & ( JO_MOTION_MASK | JO_FLAG_UNTABLED ) ) | kept;
    if ( set->hasRounds )
    {
        joObjectSet_Rounds( set )[slot] = object->round;
        set->allRound = set->allRound && object->round.radius >= 0.0f;
    }
    if ( set->hasFilters )
    {
        joObjectSet_Filters( set )[slot] = object->filter;
    }
    joObjectSet_NoteChanged( set, slot );
}

uint32_t joObjectSet_Insert( joObjectSet* set, const joObject* object )
{
    uint32_t slot = set->freeHead;
    if ( slot != JO_NULL_INDEX )
    {
        set->freeHead = joObjectSet_Records( set )[slot].key;
    }
    else
    {
        slot = set->count++;
        JO_ASSERT( set->count <= set->records.capacity );
        joObjectSet_Records( set )[slot].flags = 0;
    }
    set->liveCount += 1;
    joObjectSet_Put( set, slot, object );
    return slot;
}

void joMakeFreeRecord( joBoxRecord* record, uint32_t nextFree )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        record->lower[axis] = INFINITY;
        record->upper[axis] = -INFINITY;
    }
    record->key = nextFree;
    record->flags = JO_FLAG_FREE;
}

void joObjectSet_Remove( joObjectSet* set, uint32_t slot )
{
    joBoxRecord* record = joObjectSet_Records( set ) + slot;
    uint32_t kept = record->flags & JO_FLAG_CHANGED;
    joMakeFreeRecord( record, set->freeHead );
    record->flags |= kept;
    set->freeHead = slot;
    set->liveCount -= 1;
    set->identityKeys = false;
    joObjectSet_NoteChanged( set, slot );
}

joBoxSet joObjectSet_View( const joObjectSet* set )
{
    joBoxSet view = {
        .records = set->records.data,
        .count = set->count,
        .liveCount = set->liveCount,
        .allChanged = set->allChanged,
        .changed = set->changed.data,
        .changedCount = set->changedCount,
    };
    return view;
}

// Distance along an axis between two closed intervals, in double: the difference of two floats is exact there
// or rounds once.
static inline double gapBetween( double lowerA, double upperA, double lowerB, double upperB )
{
    return lowerB > upperA ? lowerB - upperA : lowerA > upperB ? lowerA - upperB : 0.0;
}

bool joRoundsTouch( const joBoxRecord* a, const joRound* roundA, const joBoxRecord* b, const joRound* roundB,
    uint32_t axisCount )
{
    bool isRoundA = roundA != NULL && roundA->radius >= 0.0f;
    bool isRoundB = roundB != NULL && roundB->radius >= 0.0f;
    if ( !isRoundA && !isRoundB )
    {
        return true;
    }
    double sum = 0.0;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        double lowerA = (double)( isRoundA ? roundA->center[axis] : a->lower[axis] );
        double upperA = (double)( isRoundA ? roundA->center[axis] : a->upper[axis] );
        double lowerB = (double)( isRoundB ? roundB->center[axis] : b->lower[axis] );
        double upperB = (double)( isRoundB ? roundB->center[axis] : b->upper[axis] );
        double gap = gapBetween( lowerA, upperA, lowerB, upperB );
        sum += gap * gap;
    }
    double reach = ( isRoundA ? (double)roundA->radius : 0.0 ) + ( isRoundB ? (double)roundB->radius : 0.0 );
    return sum <= reach * reach;
}
