// SPDX-License-Identifier: MIT
// Checks every invariant of a broad phase, for tests and bug reports.
#include "front.h"

static bool validateSet(
    const joBroadPhase* front, int setIndex, uint32_t* stillCount, uint32_t* untabledCount )
{
    const joObjectSet* set = &front->sets[setIndex];
    uint32_t live = 0, freeCount = 0, changed = 0;
    for ( uint32_t i = 0; i < set->count; ++i )
    {
        const joBoxRecord* record = joObjectSet_Records( set ) + i;
        changed += ( record->flags & JO_FLAG_CHANGED ) != 0 ? 1 : 0;
        if ( ( record->flags & JO_FLAG_FREE ) != 0 )
        {
            freeCount += 1;
            continue;
        }
        live += 1;
        uint32_t motion = record->flags & JO_MOTION_MASK;
        *stillCount += setIndex == JO_SET_MOVING && motion != jo_moving ? 1 : 0;
        *untabledCount += ( record->flags & JO_FLAG_UNTABLED ) != 0 ? 1 : 0;
        if ( ( record->flags & JO_FLAG_MARK ) != 0 ||
             ( setIndex != JO_SET_MOVING && motion != (uint32_t)setIndex ) ||
             joFront_Find( front, record->key ) != JO_PLACE( setIndex, i ) )
        {
            return false;
        }
    }
    uint32_t listed = 0;
    for ( uint32_t slot = set->freeHead; slot != JO_NULL_INDEX && listed <= freeCount; ++listed )
    {
        if ( slot >= set->count || ( joObjectSet_Records( set )[slot].flags & JO_FLAG_FREE ) == 0 )
        {
            return false;
        }
        slot = joObjectSet_Records( set )[slot].key;
    }
    return live == set->liveCount && live + freeCount == set->count && listed == freeCount &&
           changed == set->changedCount;
}

bool joBroadPhase_Validate( const joBroadPhase* broadPhase )
{
    if ( broadPhase == NULL )
    {
        return false;
    }
    uint32_t stillCount = 0, untabledCount = 0;
    uint64_t mapped = 0;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        const joObjectSet* set = &broadPhase->sets[i];
        if ( !validateSet( broadPhase, i, &stillCount, &untabledCount ) )
        {
            return false;
        }
        mapped += set->identityKeys ? 0 : set->liveCount;
        joBoxSet view = joObjectSet_View( set );
        if ( !set->allChanged && set->changedCount == 0 &&
             !broadPhase->kind->validate( broadPhase->structures[i], &view ) )
        {
            return false;
        }
    }
    const joPair* table = broadPhase->table.data;
    for ( uint64_t i = 0; i < broadPhase->tableCount; ++i )
    {
        bool ascending = i == 0 || table[i - 1].a < table[i].a ||
                         ( table[i - 1].a == table[i].a && table[i - 1].b < table[i].b );
        if ( table[i].a >= table[i].b || !ascending )
        {
            return false;
        }
    }
    return stillCount == broadPhase->stillInMoving && untabledCount == broadPhase->untabledCount &&
           mapped == broadPhase->keys.count;
}
