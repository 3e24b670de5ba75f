// SPDX-License-Identifier: MIT
// Where objects live, and how they change places. See front.h.
#include "front.h"

// Still objects that gather in the moving set before their own structure is rebuilt: a share of those it
// holds.
#define SETTLE_FLOOR 64
#define SETTLE_SHARE 8

uint32_t joFront_Find( const joBroadPhase* front, uint32_t key )
{
    const joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( moving->identityKeys && key < moving->count )
    {
        return JO_PLACE( JO_SET_MOVING, key );
    }
    return joKeyMap_Find( &front->keys, key );
}

joResult joFront_MapKeys( joBroadPhase* front, uint32_t more )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    uint64_t room = (uint64_t)front->keys.count + more + ( moving->identityKeys ? moving->count : 0 );
    if ( room > JO_INDEX_MASK )
    {
        return jo_errorBadCount;
    }
    joResult result = joKeyMap_Reserve( &front->keys, &front->memory, (uint32_t)room );
    if ( result == jo_success && moving->identityKeys )
    {
        for ( uint32_t i = 0; i < moving->count; ++i )
        {
            joKeyMap_Set( &front->keys, i, JO_PLACE( JO_SET_MOVING, i ) );
        }
        moving->identityKeys = false;
    }
    return result;
}

// The pairs of a still object must leave the table. A table that is to be made anew needs no list.
static void noteTouched( joBroadPhase* front, uint32_t key )
{
    if ( !front->tableDirty )
    {
        joKeyMap_Set( &front->touched, key, 1 );
    }
}

void joFront_SetMovingFlags( joBroadPhase* front, joBoxRecord* record, joMotion motion )
{
    uint32_t flags = record->flags;
    if ( ( flags & JO_MOTION_MASK ) != jo_moving )
    {
        front->stillInMoving -= 1;
        front->untabledCount -= ( flags & JO_FLAG_UNTABLED ) != 0 ? 1 : 0;
        if ( ( flags & JO_FLAG_UNTABLED ) == 0 )
        {
            noteTouched( front, record->key );
        }
    }
    record->flags = ( flags & ~( JO_MOTION_MASK | JO_FLAG_UNTABLED ) ) | (uint32_t)motion;
    if ( motion != jo_moving )
    {
        record->flags |= JO_FLAG_UNTABLED;
        front->stillInMoving += 1;
        front->untabledCount += 1;
    }
}

void joFront_Detach( joBroadPhase* front, uint32_t place )
{
    joObjectSet* set = &front->sets[JO_PLACE_SET( place )];
    joBoxRecord* record = joObjectSet_Records( set ) + JO_PLACE_SLOT( place );
    if ( JO_PLACE_SET( place ) == JO_SET_MOVING )
    {
        joFront_SetMovingFlags( front, record, jo_moving );
    }
    else
    {
        noteTouched( front, record->key );
    }
    joKeyMap_Remove( &front->keys, record->key );
    joObjectSet_Remove( set, JO_PLACE_SLOT( place ) );
}

void joFront_Attach( joBroadPhase* front, const joObject* object )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    joMotion motion = (joMotion)( object->record.flags & JO_MOTION_MASK );
    uint32_t slot = joObjectSet_Insert( moving, object );
    joBoxRecord* record = joObjectSet_Records( moving ) + slot;
    record->flags = ( record->flags & ~( JO_MOTION_MASK | JO_FLAG_UNTABLED ) ) | jo_moving;
    joFront_SetMovingFlags( front, record, motion );
    joKeyMap_Set( &front->keys, object->record.key, JO_PLACE( JO_SET_MOVING, slot ) );
}

void joFront_SettleObject( joBroadPhase* front, const joObject* object )
{
    uint32_t setIndex = object->record.flags & JO_MOTION_MASK;
    joObjectSet* set = &front->sets[setIndex];
    uint32_t slot = joObjectSet_Insert( set, object );
    joObjectSet_Records( set )[slot].flags &= ~JO_FLAG_UNTABLED;
    joKeyMap_Set( &front->keys, object->record.key, JO_PLACE( setIndex, slot ) );
}

joResult joFront_OpenStillSet( joObjectSet* set, uint32_t more, bool rounds, bool filters )
{
    joResult result = joObjectSet_Reserve( set, joObjectSet_CountWith( set, more ), rounds, filters );
    if ( result == jo_success )
    {
        joObjectSet_UseColumns( set, rounds, filters );
        joObjectSet_ForgetChanges( set );
        set->allChanged = true;
    }
    return result;
}

bool joFront_IsEnoughToSettle( const joBroadPhase* front, uint32_t count )
{
    uint64_t settled = (uint64_t)front->sets[JO_SET_STATIC].liveCount + front->sets[JO_SET_RESTING].liveCount;
    return count > SETTLE_FLOOR + settled / SETTLE_SHARE;
}

joResult joFront_Settle( joBroadPhase* front, bool all )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( front->stillInMoving == 0 || ( !all && !joFront_IsEnoughToSettle( front, front->stillInMoving ) ) )
    {
        return jo_success;
    }
    uint32_t counts[JO_SET_COUNT] = { 0 };
    for ( uint32_t i = 0; i < moving->count; ++i )
    {
        uint32_t flags = joObjectSet_Records( moving )[i].flags;
        if ( ( flags & JO_FLAG_FREE ) == 0 )
        {
            counts[flags & JO_MOTION_MASK] += 1;
        }
    }
    for ( int i = JO_SET_STATIC; i <= JO_SET_RESTING; ++i )
    {
        if ( counts[i] > 0 )
        {
            joResult result =
                joFront_OpenStillSet( &front->sets[i], counts[i], moving->hasRounds, moving->hasFilters );
            if ( result != jo_success )
            {
                // They may as well stay where they are.
                return all ? result : jo_success;
            }
        }
    }
    for ( uint32_t i = 0; i < moving->count; ++i )
    {
        uint32_t flags = joObjectSet_Records( moving )[i].flags;
        if ( ( flags & JO_FLAG_FREE ) == 0 && ( flags & JO_MOTION_MASK ) != jo_moving )
        {
            joObject object = joObjectSet_Get( moving, i );
            joObjectSet_Remove( moving, i );
            joFront_SettleObject( front, &object );
        }
    }
    front->stillInMoving = 0;
    front->untabledCount = 0;
    front->tableDirty = true;
    return jo_success;
}

void joFront_Compact( joBroadPhase* front )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( moving->count - moving->liveCount <= SETTLE_FLOOR + moving->liveCount )
    {
        return;
    }
    joObjectSet_ForgetChanges( moving );
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < moving->count; ++i )
    {
        if ( ( joObjectSet_Records( moving )[i].flags & JO_FLAG_FREE ) != 0 )
        {
            continue;
        }
        joObject object = joObjectSet_Get( moving, i );
        joObjectSet_Records( moving )[kept] = object.record;
        if ( moving->hasRounds )
        {
            joObjectSet_Rounds( moving )[kept] = object.round;
        }
        if ( moving->hasFilters )
        {
            joObjectSet_Filters( moving )[kept] = object.filter;
        }
        joKeyMap_Set( &front->keys, object.record.key, JO_PLACE( JO_SET_MOVING, kept ) );
        kept += 1;
    }
    moving->count = kept;
    moving->freeHead = JO_NULL_INDEX;
    moving->allChanged = true;
}
