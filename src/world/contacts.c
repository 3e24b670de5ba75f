// SPDX-License-Identifier: MIT
// Contacts from step to step. Both lists are sorted by bodies and colliders, so comparing them is a merge;
// but an index may have been given to another object since, so that two are the same only if their full ids
// are. Ids are looked at only after a step before which something was destroyed: contacts of what is
// destroyed become active at once and end in the next step, so that in any other step all indices are those
// they were.
#include "world/contacts.h"

// A pair of bodies: its contacts of the last step, and its touches of this one. Bounds of runs.
typedef struct Run
{
    uint64_t lastBegin, lastEnd;
    uint64_t nowBegin, nowEnd;
} Run;

static joTouch* touchAt( const joWorld* world, uint64_t i )
{
    return (joTouch*)world->touches.data + i;
}

static const joContact* lastAt( const joWorld* world, uint64_t i )
{
    return joWorld_Contact( world, joWorld_Active( world, i )->slot );
}

static uint8_t* lastChangesAt( const joWorld* world, uint64_t i )
{
    return (uint8_t*)world->lastChanges.data + i;
}

static bool isSamePair( const joWorld* world, const joContact* contact, const joTouch* touch )
{
    return !world->anyReplaced ||
           ( contact->colliders[0] ==
                   joWorld_ColliderIdAt( world, (uint32_t)( touch->colliderPair >> 32 ) ).bits &&
               contact->colliders[1] == joWorld_ColliderIdAt( world, (uint32_t)touch->colliderPair ).bits );
}

static bool areSameBodies( const joWorld* world, const joContact* contact, const joTouch* touch )
{
    return !world->anyReplaced ||
           ( contact->bodies[0] == joWorld_BodyIdAt( world, (uint32_t)( touch->bodyPair >> 32 ) ).bits &&
               contact->bodies[1] == joWorld_BodyIdAt( world, (uint32_t)touch->bodyPair ).bits );
}

// One pair of colliders; either may be null.
static void comparePair( joWorld* world, uint64_t last, bool hasLast, joTouch* touch )
{
    const joContact* contact = hasLast ? lastAt( world, last ) : NULL;
    const bool goesOn = contact != NULL && touch != NULL && isSamePair( world, contact, touch ) &&
                        touch->touch.depth >= -touch->leaveMargin;
    if ( touch != NULL )
    {
        const bool enters = !goesOn && touch->touch.depth >= -touch->contactMargin;
        // A trigger that is one no longer leaves one list of events and enters the other.
        const bool stays = goesOn && contact->isTrigger == touch->isTrigger;
        touch->slot = goesOn ? joWorld_Active( world, last )->slot : JO_NULL_INDEX;
        touch->changes = stays ? jo_colliderStays : goesOn || enters ? jo_colliderEnters : 0;
    }
    if ( contact != NULL )
    {
        const bool stays = goesOn && contact->isTrigger == touch->isTrigger;
        *lastChangesAt( world, last ) = stays    ? 0
                                        : goesOn ? jo_colliderExits
                                                 : jo_colliderExits | jo_contactEnds;
    }
}

static void comparePairs( joWorld* world, const Run* run )
{
    uint64_t i = run->lastBegin, k = run->nowBegin;
    while ( i < run->lastEnd || k < run->nowEnd )
    {
        const uint64_t last = i < run->lastEnd ? joWorld_Active( world, i )->colliderPair : UINT64_MAX;
        const uint64_t now = k < run->nowEnd ? touchAt( world, k )->colliderPair : UINT64_MAX;
        comparePair( world, i, last <= now, now <= last ? touchAt( world, k ) : NULL );
        i += last <= now ? 1 : 0;
        k += now <= last ? 1 : 0;
    }
}

// The same for the pair of bodies: the first of its pairs of colliders of that kind speaks for it.
static void compareBodies( joWorld* world, const Run* run, bool isTrigger )
{
    uint64_t last = run->lastBegin, now = run->nowBegin;
    while ( last < run->lastEnd && joWorld_Active( world, last )->isTrigger != isTrigger )
    {
        ++last;
    }
    while ( now < run->nowEnd && ( touchAt( world, now )->isTrigger != isTrigger ||
                                     ( touchAt( world, now )->changes & jo_colliderTouches ) == 0 ) )
    {
        ++now;
    }
    const bool had = last < run->lastEnd, has = now < run->nowEnd;
    const bool stays = had && has && areSameBodies( world, lastAt( world, last ), touchAt( world, now ) );
    if ( had && !stays )
    {
        *lastChangesAt( world, last ) |= jo_bodyExits;
    }
    if ( has )
    {
        touchAt( world, now )->changes |= stays ? jo_bodyStays : jo_bodyEnters;
    }
}

static uint64_t endOfLast( const joWorld* world, uint64_t begin, uint64_t bodyPair )
{
    while ( begin < world->activeCount && joWorld_Active( world, begin )->bodyPair == bodyPair )
    {
        ++begin;
    }
    return begin;
}

static uint64_t endOfNow( const joWorld* world, uint64_t begin, uint64_t touchCount, uint64_t bodyPair )
{
    while ( begin < touchCount && touchAt( world, begin )->bodyPair == bodyPair )
    {
        ++begin;
    }
    return begin;
}

// Those that touch may be few among many, anywhere in memory: they are asked for some ahead of their turn.
#define AHEAD 24u

static void compareAll( joWorld* world, uint64_t touchCount )
{
    Run run = { 0 };
    while ( run.lastEnd < world->activeCount || run.nowEnd < touchCount )
    {
        if ( run.lastEnd + AHEAD < world->activeCount )
        {
            __builtin_prefetch( lastAt( world, run.lastEnd + AHEAD ) );
        }
        const uint64_t last =
            run.lastEnd < world->activeCount ? joWorld_Active( world, run.lastEnd )->bodyPair : UINT64_MAX;
        const uint64_t now = run.nowEnd < touchCount ? touchAt( world, run.nowEnd )->bodyPair : UINT64_MAX;
        const uint64_t bodyPair = last < now ? last : now;
        run.lastBegin = run.lastEnd;
        run.nowBegin = run.nowEnd;
        run.lastEnd = endOfLast( world, run.lastBegin, bodyPair );
        run.nowEnd = endOfNow( world, run.nowBegin, touchCount, bodyPair );
        comparePairs( world, &run );
        compareBodies( world, &run, false );
        compareBodies( world, &run, true );
    }
}

// How many events there will be in each list; and whether those per body are those per collider.
static void countEvents( const joWorld* world, uint64_t touchCount, joEventStore* counted )
{
    counted->areShared = true;
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        const uint8_t changes = *lastChangesAt( world, i ) & (uint8_t)~jo_contactEnds;
        const bool isTrigger = joWorld_Active( world, i )->isTrigger;
        counted->lists[isTrigger][jo_perCollider].counts[jo_exits] += ( changes & jo_colliderExits ) != 0;
        counted->lists[isTrigger][jo_perBody].counts[jo_exits] += ( changes & jo_bodyExits ) != 0;
        const bool isSame = changes == 0 || changes == ( jo_colliderExits | jo_bodyExits );
        counted->areShared = counted->areShared && isSame;
    }
    for ( uint64_t i = 0; i < touchCount; ++i )
    {
        const joTouch* touch = touchAt( world, i );
        const uint8_t changes = touch->changes;
        joEventLists* lists = counted->lists[touch->isTrigger];
        lists[jo_perCollider].counts[jo_enters] += ( changes & jo_colliderEnters ) != 0;
        lists[jo_perCollider].counts[jo_stays] += ( changes & jo_colliderStays ) != 0;
        lists[jo_perBody].counts[jo_enters] += ( changes & jo_bodyEnters ) != 0;
        lists[jo_perBody].counts[jo_stays] += ( changes & jo_bodyStays ) != 0;
        const bool isSame = changes == 0 || changes == ( jo_colliderEnters | jo_bodyEnters ) ||
                            changes == ( jo_colliderStays | jo_bodyStays );
        counted->areShared = counted->areShared && isSame;
    }
}

static joResult reserveLists( joWorld* world, const joEventStore* counted )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < 4 * jo_eventListCount && result == jo_success; ++i )
    {
        const uint32_t kind = i / ( 2 * jo_eventListCount ), granularity = i / jo_eventListCount % 2;
        const uint32_t which = i % jo_eventListCount;
        // Where they are shared those per body stay empty.
        const bool isUsed = granularity == jo_perCollider || !counted->areShared;
        joEventLists* lists = &world->events.lists[kind][granularity];
        result = joArray_ReserveSlack( &lists->events[which], &world->memory,
            isUsed ? counted->lists[kind][granularity].counts[which] : 0, sizeof( joContactEvent ),
            lists->counts[which] );
    }
    return result;
}

// Slots of what ends are free before what is new takes some.
static joResult reserveContacts( joWorld* world, uint64_t touchCount )
{
    uint64_t entered = 0, ended = 0;
    for ( uint64_t i = 0; i < touchCount; ++i )
    {
        const joTouch* touch = touchAt( world, i );
        entered += touch->changes != 0 && touch->slot == JO_NULL_INDEX;
    }
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        ended += ( *lastChangesAt( world, i ) & jo_contactEnds ) != 0;
    }
    return joContacts_Reserve( world, entered > ended ? entered - ended : 0 );
}

joResult joContacts_Reserve( joWorld* world, uint64_t count )
{
    joMemory* memory = &world->memory;
    joResult result = joPairPool_Reserve( &world->contactSlots, memory, count );
    result = result ? result
                    : joArray_Reserve( &world->contacts, memory, world->contactSlots.slots.capacity,
                          sizeof( joContact ), world->contactSlots.slotCount );
    // Room for every slot: bodies that wake bring their contacts, and may not fail.
    return result ? result
                  : joArray_Reserve( &world->active, memory, world->contactSlots.slots.capacity,
                        sizeof( joActive ), world->activeCount );
}

// What bodies that woke brought stands at the end. An order that no one sees, so a step that fails may keep
// it.
static joResult sortActive( joWorld* world )
{
    const uint32_t count = (uint32_t)world->activeCount;
    joMemory* memory = &world->memory;
    joKeyValue* order = NULL;
    joResult result = joArray_ReserveSlack( &world->candidates[1], memory, count, sizeof( joCandidate ), 0 );
    // As much room as in the list itself, with which it changes places.
    result = result ? result
                    : joArray_Reserve(
                          &world->activeSpare, memory, world->active.capacity, sizeof( joActive ), 0 );
    joCandidate* pairs = world->candidates[1].data;
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        const joActive* active = joWorld_Active( world, i );
        pairs[i] = ( joCandidate ){ active->bodyPair, active->colliderPair, false };
    }
    result = result ? result : joStep_SortPairs( world, pairs, count, &order );
    if ( result != jo_success )
    {
        return result;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        ( (joActive*)world->activeSpare.data )[i] = *joWorld_Active( world, order[i].value );
    }
    const joArray unsorted = world->active;
    world->active = world->activeSpare;
    world->activeSpare = unsorted;
    world->isActiveSorted = true;
    return jo_success;
}

joResult joStep_CompareTouches( joWorld* world, uint32_t touchCount )
{
    joResult result = world->isActiveSorted ? jo_success : sortActive( world );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->lastChanges, &world->memory, world->activeCount, sizeof( uint8_t ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    compareAll( world, touchCount );
    joEventStore counted = { 0 };
    countEvents( world, touchCount, &counted );
    world->sharesNext = counted.areShared;
    const joResult reserved = reserveContacts( world, touchCount );
    return reserved ? reserved : reserveLists( world, &counted );
}

static void writeContact( joWorld* world, joTouch* touch )
{
    const uint32_t bodies[2] = { (uint32_t)( touch->bodyPair >> 32 ), (uint32_t)touch->bodyPair };
    const uint32_t colliders[2] = { (uint32_t)( touch->colliderPair >> 32 ), (uint32_t)touch->colliderPair };
    if ( touch->slot == JO_NULL_INDEX )
    {
        touch->slot =
            joPairPool_Take( &world->contactSlots, joWorld_ContactHeads( world ), bodies[0], bodies[1] );
        joContact* made = joWorld_Contact( world, touch->slot );
        *made = ( joContact ){ .bodyPair = touch->bodyPair, .colliderPair = touch->colliderPair };
        for ( uint32_t side = 0; side < 2; ++side )
        {
            made->bodies[side] = joWorld_BodyIdAt( world, bodies[side] ).bits;
            made->colliders[side] = joWorld_ColliderIdAt( world, colliders[side] ).bits;
        }
    }
    joContact* contact = joWorld_Contact( world, touch->slot );
    contact->touch = touch->touch;
    contact->sides[0] = touch->sides[0];
    contact->sides[1] = touch->sides[1];
    contact->isTrigger = touch->isTrigger;
    contact->isActive = true;
}

static void append( joEventLists* lists, uint32_t which, const joContactEvent* event )
{
    ( (joContactEvent*)lists->events[which].data )[lists->counts[which]++] = *event;
}

static void appendFor( joEventStore* store, bool isTrigger, uint32_t which, bool perCollider, bool perBody,
    const joContactEvent* event )
{
    if ( perCollider )
    {
        append( &store->lists[isTrigger][jo_perCollider], which, event );
    }
    if ( perBody && !store->areShared )
    {
        append( &store->lists[isTrigger][jo_perBody], which, event );
    }
}

static void writeExits( joWorld* world )
{
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        const uint8_t changes = *lastChangesAt( world, i );
        if ( changes != 0 )
        {
            const joContact* contact = lastAt( world, i );
            const joContactEvent event = joEvents_Make( world, contact, false );
            appendFor( &world->events, contact->isTrigger, jo_exits, ( changes & jo_colliderExits ) != 0,
                ( changes & jo_bodyExits ) != 0, &event );
        }
    }
}

static void releaseEnded( joWorld* world )
{
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        if ( ( *lastChangesAt( world, i ) & jo_contactEnds ) != 0 )
        {
            joPairPool_Release(
                &world->contactSlots, joWorld_ContactHeads( world ), joWorld_Active( world, i )->slot );
        }
    }
}

static void askForRows( const joWorld* world, const joTouch* touch )
{
    const uint32_t bodies[2] = { (uint32_t)( touch->bodyPair >> 32 ), (uint32_t)touch->bodyPair };
    const uint32_t colliders[2] = { (uint32_t)( touch->colliderPair >> 32 ), (uint32_t)touch->colliderPair };
    for ( uint32_t side = 0; side < 2; ++side )
    {
        __builtin_prefetch( joWorld_Body( world, bodies[side] ) );
        __builtin_prefetch( joWorld_Collider( world, colliders[side] ) );
    }
    if ( touch->slot != JO_NULL_INDEX )
    {
        const char* contact = (const char*)joWorld_Contact( world, touch->slot );
        __builtin_prefetch( contact, 1 );
        __builtin_prefetch( contact + 64, 1 );
    }
}

void joStep_WriteEvents( joWorld* world, uint32_t touchCount )
{
    joEvents_Clear( world );
    world->events.areShared = world->sharesNext;
    world->anyReplaced = false;
    writeExits( world );
    releaseEnded( world );
    world->activeCount = 0;
    for ( uint64_t i = 0; i < touchCount; ++i )
    {
        askForRows( world, touchAt( world, i + AHEAD < touchCount ? i + AHEAD : i ) );
        joTouch* touch = touchAt( world, i );
        if ( touch->changes == 0 )
        {
            continue;
        }
        writeContact( world, touch );
        joWorld_AppendActive( world, touch->slot );
        const uint8_t changes = touch->changes;
        const joContactEvent event = joEvents_Make( world, joWorld_Contact( world, touch->slot ), true );
        appendFor( &world->events, touch->isTrigger,
            ( changes & jo_colliderEnters ) != 0 ? jo_enters : jo_stays, true, false, &event );
        if ( ( changes & ( jo_bodyEnters | jo_bodyStays ) ) != 0 )
        {
            appendFor( &world->events, touch->isTrigger,
                ( changes & jo_bodyEnters ) != 0 ? jo_enters : jo_stays, false, true, &event );
        }
    }
}
