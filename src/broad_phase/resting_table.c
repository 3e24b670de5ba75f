// SPDX-License-Identifier: MIT
// The resting table: pairs of still objects, found once and kept sorted until one of the two is touched.
#include "front.h"

#include "base/assert.h"

#include <string.h>

// Merges two sorted lists; `out` must not overlap them. Stops after `capacity`.
static uint64_t mergePairs( const joPair* left, uint64_t leftCount, const joPair* right, uint64_t rightCount,
    joPair* out, uint64_t capacity )
{
    uint64_t i = 0, j = 0, count = 0;
    while ( i < leftCount && j < rightCount && count < capacity )
    {
        // Without a branch: which list is next cannot be predicted.
        bool takeLeft = joPairOrder( left[i] ) < joPairOrder( right[j] );
        out[count++] = takeLeft ? left[i] : right[j];
        i += takeLeft;
        j += !takeLeft;
    }
    uint64_t rest = leftCount - i < capacity - count ? leftCount - i : capacity - count;
    for ( uint64_t k = 0; k < rest; ++k )
    {
        out[count++] = left[i + k];
    }
    rest = rightCount - j < capacity - count ? rightCount - j : capacity - count;
    for ( uint64_t k = 0; k < rest; ++k )
    {
        out[count++] = right[j + k];
    }
    return count;
}

// All still objects in the moving set have their still pairs found again.
static void untableAll( joBroadPhase* front )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    front->untabledCount = 0;
    for ( uint32_t i = 0; front->stillInMoving > 0 && i < moving->count; ++i )
    {
        joBoxRecord* record = joObjectSet_Records( moving ) + i;
        if ( ( record->flags & JO_FLAG_FREE ) == 0 && ( record->flags & JO_MOTION_MASK ) != jo_moving )
        {
            record->flags |= JO_FLAG_UNTABLED;
            front->untabledCount += 1;
        }
    }
}

// The pairs of the resting set, within and with the static set.
static joResult remakeTable( joBroadPhase* front )
{
    front->tableCount = 0;
    joKeyMap_Clear( &front->touched );
    untableAll( front );
    if ( front->sets[JO_SET_RESTING].liveCount > 0 )
    {
        joObjectSet* resting = &front->sets[JO_SET_RESTING];
        joCollectorSides sides = {
            resting, { resting, &front->sets[JO_SET_STATIC] }, true, jo_lowerKeyFirst };
        uint32_t stillCount = front->sets[JO_SET_STATIC].liveCount > 0 ? 1 : 0;
        joPairCollector_Begin( &front->collector, &sides, false );
        joResult result = front->kind->findPairs( front->structures[JO_SET_RESTING],
            &front->structures[JO_SET_STATIC], stillCount, &front->collector );
        joResult endResult = joPairCollector_End( &front->collector );
        result = result == jo_success ? endResult : result;
        front->candidatesTested += front->collector.candidatesTested;
        if ( result == jo_success )
        {
            result = joFront_ExtendTable( front );
        }
        if ( result != jo_success )
        {
            return result;
        }
    }
    front->tableDirty = false;
    return jo_success;
}

joResult joFront_PrepareTable( joBroadPhase* front )
{
    if ( front->tableDirty )
    {
        return remakeTable( front );
    }
    if ( front->touched.count == 0 )
    {
        return jo_success;
    }
    joPair* table = front->table.data;
    uint64_t kept = 0;
    for ( uint64_t i = 0; i < front->tableCount; ++i )
    {
        bool touched = joKeyMap_Find( &front->touched, table[i].a ) != JO_KEY_MAP_NONE ||
                       joKeyMap_Find( &front->touched, table[i].b ) != JO_KEY_MAP_NONE;
        table[kept] = table[i];
        kept += touched ? 0 : 1;
    }
    front->tableCount = kept;
    joKeyMap_Clear( &front->touched );
    return jo_success;
}

joResult joFront_ExtendTable( joBroadPhase* front )
{
    joPairCollector* collector = &front->collector;
    uint64_t added = collector->tableSortedCount;
    if ( added == 0 )
    {
        return jo_success;
    }
    uint64_t count = front->tableCount + added;
    joResult result =
        joArray_ReserveSlack( &front->table, &front->memory, count, sizeof( joPair ), front->tableCount );
    if ( result != jo_success )
    {
        return result;
    }
    // Merge in place from the back.
    joPair* table = front->table.data;
    const joPair* extra = collector->tableSorted.data;
    uint64_t i = front->tableCount, j = added, k = count;
    while ( j > 0 )
    {
        bool takeTable = i > 0 && joPairOrder( table[i - 1] ) > joPairOrder( extra[j - 1] );
        table[--k] = takeTable ? table[--i] : extra[--j];
    }
    front->tableCount = count;
    collector->tableSortedCount = 0;
    return jo_success;
}

joResult joFront_MergeAnswer( joBroadPhase* front )
{
    joPairCollector* collector = &front->collector;
    if ( front->tableCount == 0 )
    {
        front->answer = collector->sorted.data;
        front->answerCount = collector->sortedCount;
        return jo_success;
    }
    uint64_t count = collector->sortedCount + front->tableCount;
    count = count < front->def.pairLimit ? count : front->def.pairLimit;
    joResult result = joArray_ReserveSlack( &front->pairs, &front->memory, count, sizeof( joPair ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    front->answer = front->pairs.data;
    front->answerCount = mergePairs( collector->sorted.data, collector->sortedCount, front->table.data,
        front->tableCount, front->pairs.data, count );
    return jo_success;
}
