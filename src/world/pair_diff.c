// SPDX-License-Identifier: MIT
// Pair difference: a merge of two sorted lists. What stands only in the new one enters, only in the old one
// exits, in both stays. Pairs are compared in full as 64-bit numbers, never through a hash, so no two pairs
// can be taken for one another.
#include "jostle/pair_diff.h"

#include "base/array.h"
#include "base/assert.h"

#include <string.h>

static uint64_t pairOrder( joPair pair )
{
    return (uint64_t)pair.a << 32 | pair.b;
}

// Index of the first pair that is not above the one before it; count if there is none.
static uint64_t findUnsorted( const joPair* pairs, uint64_t count )
{
    for ( uint64_t i = 1; i < count; ++i )
    {
        if ( pairOrder( pairs[i - 1] ) >= pairOrder( pairs[i] ) )
        {
            return i;
        }
    }
    return count;
}

static void append( joPairList* list, joPair pair )
{
    if ( list->count < list->capacity )
    {
        list->pairs[list->count] = pair;
    }
    list->count += 1;
}

static void diffSorted( const joPair* last, uint64_t lastCount, const joPair* current, uint64_t currentCount,
    joPairList* enter, joPairList* stay, joPairList* exit )
{
    uint64_t i = 0;
    uint64_t j = 0;
    while ( i < lastCount && j < currentCount )
    {
        const uint64_t a = pairOrder( last[i] );
        const uint64_t b = pairOrder( current[j] );
        if ( a == b )
        {
            append( stay, current[j] );
            i += 1;
            j += 1;
        }
        else if ( a < b )
        {
            append( exit, last[i] );
            i += 1;
        }
        else
        {
            append( enter, current[j] );
            j += 1;
        }
    }
    for ( ; i < lastCount; ++i )
    {
        append( exit, last[i] );
    }
    for ( ; j < currentCount; ++j )
    {
        append( enter, current[j] );
    }
}

static bool isBadList( const joPairList* list )
{
    return list != NULL && list->pairs == NULL && list->capacity > 0;
}

// The list to append to: the caller's emptied, or one that only counts.
static joPairList* startList( joPairList* list, joPairList* counter )
{
    if ( list == NULL )
    {
        return counter;
    }
    list->count = 0;
    return list;
}

joResult joDiffPairs( const joPair* last, uint64_t lastCount, const joPair* current, uint64_t currentCount,
    joPairList* enter, joPairList* stay, joPairList* exit, uint64_t* errorIndex )
{
    uint64_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = UINT64_MAX;
    if ( ( last == NULL && lastCount > 0 ) || ( current == NULL && currentCount > 0 ) || isBadList( enter ) ||
         isBadList( stay ) || isBadList( exit ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint64_t badLast = findUnsorted( last, lastCount );
    if ( badLast < lastCount )
    {
        *errorIndex = badLast;
        return JO_MISUSE( jo_errorUnsorted );
    }
    const uint64_t badCurrent = findUnsorted( current, currentCount );
    if ( badCurrent < currentCount )
    {
        *errorIndex = lastCount + badCurrent;
        return JO_MISUSE( jo_errorUnsorted );
    }

    joPairList counters[3] = { { 0 } };
    diffSorted( last, lastCount, current, currentCount, startList( enter, &counters[0] ),
        startList( stay, &counters[1] ), startList( exit, &counters[2] ) );
    return jo_success;
}

#define PAIR_TRACKER_COOKIE 0x70747263u

struct joPairTracker
{
    joMemory memory;
    joArray last; // joPair, lastCount of them
    joArray next; // where this frame's pairs are copied to; becomes last
    joArray enters;
    joArray stays;
    joArray exits;
    uint64_t lastCount;
};

joPairTrackerDef joDefaultPairTrackerDef( void )
{
    return ( joPairTrackerDef ){ .internalCookie = PAIR_TRACKER_COOKIE };
}

static void freeTracker( joPairTracker* tracker )
{
    const joAllocator allocator = tracker->memory.allocator;
    joArray* arrays[] = {
        &tracker->last, &tracker->next, &tracker->enters, &tracker->stays, &tracker->exits };
    for ( size_t i = 0; i < sizeof( arrays ) / sizeof( arrays[0] ); ++i )
    {
        joArray_Free( arrays[i], &tracker->memory, sizeof( joPair ) );
    }
    joMemory_Destroy( &tracker->memory );
    joFreeObject( &allocator, tracker, sizeof( joPairTracker ) );
}

static joResult reserveAll( joPairTracker* tracker, uint64_t count )
{
    joArray* arrays[] = {
        &tracker->last, &tracker->next, &tracker->enters, &tracker->stays, &tracker->exits };
    for ( size_t i = 0; i < sizeof( arrays ) / sizeof( arrays[0] ); ++i )
    {
        const joResult result = joArray_Reserve( arrays[i], &tracker->memory, count, sizeof( joPair ), 0 );
        if ( result != jo_success )
        {
            return result;
        }
    }
    return jo_success;
}

joResult joCreatePairTracker( const joPairTrackerDef* def, joPairTracker** tracker )
{
    if ( def == NULL || tracker == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *tracker = NULL;
    if ( def->internalCookie != PAIR_TRACKER_COOKIE ||
         ( def->allocator.allocate == NULL ) != ( def->allocator.deallocate == NULL ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joPairTracker* made = joAllocateObject( &def->allocator, sizeof( joPairTracker ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joPairTracker ) );
        return result;
    }
    result = def->pairReserve > 0 ? reserveAll( made, def->pairReserve ) : jo_success;
    if ( result != jo_success )
    {
        freeTracker( made );
        return result;
    }
    made->memory.fixed = def->fixedCapacity;
    *tracker = made;
    return jo_success;
}

void joDestroyPairTracker( joPairTracker* tracker )
{
    if ( tracker != NULL )
    {
        freeTracker( tracker );
    }
}

// Room for every outcome of the difference, so that nothing can fail once it has begun.
static joResult reserveChanges( joPairTracker* tracker, uint64_t count )
{
    const uint64_t lastCount = tracker->lastCount;
    const uint64_t stayCount = count < lastCount ? count : lastCount;
    joResult result = joArray_Reserve( &tracker->enters, &tracker->memory, count, sizeof( joPair ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &tracker->stays, &tracker->memory, stayCount, sizeof( joPair ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &tracker->exits, &tracker->memory, lastCount, sizeof( joPair ), 0 );
    }
    return result;
}

joResult joPairTracker_Update( joPairTracker* tracker, const joPair* pairs, uint64_t count,
    joPairChanges* changes, uint64_t* errorIndex )
{
    uint64_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = UINT64_MAX;
    if ( tracker == NULL || changes == NULL || ( pairs == NULL && count > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint64_t unsorted = findUnsorted( pairs, count );
    if ( unsorted < count )
    {
        *errorIndex = unsorted;
        return JO_MISUSE( jo_errorUnsorted );
    }

    // Copied before the lists of changes grow: the caller may give back a list that we gave out.
    joResult result = joArray_Reserve( &tracker->next, &tracker->memory, count, sizeof( joPair ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    if ( count > 0 )
    {
        memcpy( tracker->next.data, pairs, count * sizeof( joPair ) );
    }
    result = reserveChanges( tracker, count );
    if ( result != jo_success )
    {
        return result;
    }

    joPairList enter = { tracker->enters.data, tracker->enters.capacity, 0 };
    joPairList stay = { tracker->stays.data, tracker->stays.capacity, 0 };
    joPairList exit = { tracker->exits.data, tracker->exits.capacity, 0 };
    diffSorted( tracker->last.data, tracker->lastCount, tracker->next.data, count, &enter, &stay, &exit );

    const joArray last = tracker->last;
    tracker->last = tracker->next;
    tracker->next = last;
    tracker->lastCount = count;
    *changes = ( joPairChanges ){ .enters = enter.pairs,
        .stays = stay.pairs,
        .exits = exit.pairs,
        .enterCount = enter.count,
        .stayCount = stay.count,
        .exitCount = exit.count };
    return jo_success;
}
