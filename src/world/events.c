// SPDX-License-Identifier: MIT
// Events: contacts as the caller sees them; what a body touches; and what outlives a body or collider.
#include "world/contacts.h"

#include "base/assert.h"

#include <string.h>

void joContacts_ForgetCollider( joWorld* world, uint32_t collider )
{
    const joCollider* record = joWorld_Collider( world, collider );
    const uint64_t id = joWorld_ColliderIdAt( world, collider ).bits;
    uint32_t edge = joWorld_ContactHeads( world )[record->body];
    for ( ; edge != JO_NULL_INDEX; edge = joPairPool_Next( &world->contactSlots, edge ) )
    {
        joContact* contact = joWorld_Contact( world, edge / 2 );
        if ( contact->colliders[edge & 1] == id )
        {
            contact->colliderUserData[edge & 1] = record->userData;
        }
    }
}

void joContacts_ForgetBody( joWorld* world, uint32_t body )
{
    uint32_t* heads = joWorld_ContactHeads( world );
    while ( heads[body] != JO_NULL_INDEX )
    {
        const uint32_t edge = heads[body], side = edge & 1;
        joContact* contact = joWorld_Contact( world, edge / 2 );
        contact->userData[side] = joWorld_Body( world, body )->userData;
        const uint32_t collider = joWorld_FindCollider( world, ( joColliderId ){ contact->colliders[side] } );
        if ( collider != JO_NULL_INDEX )
        {
            contact->colliderUserData[side] = joWorld_Collider( world, collider )->userData;
        }
        joPairPool_Detach( &world->contactSlots, heads, edge );
    }
}

// Those who are alive have the user data that they have now; an index alone does not say who it is.
static void findUserData(
    const joWorld* world, const joContact* contact, uint32_t side, uint64_t* ofBody, uint64_t* ofCollider )
{
    const uint32_t body = joWorld_FindBody( world, ( joBodyId ){ contact->bodies[side] } );
    const uint32_t collider = joWorld_FindCollider( world, ( joColliderId ){ contact->colliders[side] } );
    *ofBody = body != JO_NULL_INDEX ? joWorld_Body( world, body )->userData : contact->userData[side];
    *ofCollider = collider != JO_NULL_INDEX ? joWorld_Collider( world, collider )->userData
                                            : contact->colliderUserData[side];
}

joContactEvent joEvents_Make( const joWorld* world, const joContact* contact, bool areAlive )
{
    joContactEvent event = { .bodyA = { contact->bodies[0] },
        .bodyB = { contact->bodies[1] },
        .colliderA = { contact->colliders[0] },
        .colliderB = { contact->colliders[1] },
        .depth = contact->touch.depth,
        .time = contact->touch.time,
        .child = contact->touch.child,
        .sideA = contact->sides[0],
        .sideB = contact->sides[1],
        .isTrigger = contact->isTrigger };
    memcpy( event.normal, contact->touch.normal, sizeof( event.normal ) );
    memcpy( event.point, contact->touch.point, sizeof( event.point ) );
    if ( areAlive )
    {
        event.userDataA = joWorld_Body( world, (uint32_t)( contact->bodyPair >> 32 ) )->userData;
        event.userDataB = joWorld_Body( world, (uint32_t)contact->bodyPair )->userData;
        event.colliderUserDataA =
            joWorld_Collider( world, (uint32_t)( contact->colliderPair >> 32 ) )->userData;
        event.colliderUserDataB = joWorld_Collider( world, (uint32_t)contact->colliderPair )->userData;
    }
    else
    {
        findUserData( world, contact, 0, &event.userDataA, &event.colliderUserDataA );
        findUserData( world, contact, 1, &event.userDataB, &event.colliderUserDataB );
    }
    return event;
}

static joEventLists* listsAt( joWorld* world, uint32_t i )
{
    return &world->events.lists[i / 2][i % 2];
}

joResult joEvents_Reserve( joWorld* world, uint64_t count )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < 4 * jo_eventListCount && result == jo_success; ++i )
    {
        result = joArray_Reserve( &listsAt( world, i / jo_eventListCount )->events[i % jo_eventListCount],
            &world->memory, count, sizeof( joContactEvent ), 0 );
    }
    return result;
}

void joEvents_Clear( joWorld* world )
{
    for ( uint32_t i = 0; i < 4 * jo_eventListCount; ++i )
    {
        listsAt( world, i / jo_eventListCount )->counts[i % jo_eventListCount] = 0;
    }
}

void joEvents_Free( joWorld* world )
{
    for ( uint32_t i = 0; i < 4 * jo_eventListCount; ++i )
    {
        joArray_Free( &listsAt( world, i / jo_eventListCount )->events[i % jo_eventListCount], &world->memory,
            sizeof( joContactEvent ) );
    }
}

static joResult getEvents(
    const joWorld* world, bool isTrigger, joGranularity granularity, joContactEvents* events )
{
    if ( world == NULL || events == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( (unsigned)granularity > jo_perBody )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    const joEventLists* lists =
        &world->events.lists[isTrigger][world->events.areShared ? jo_perCollider : granularity];
    *events = ( joContactEvents ){ .enters = lists->events[jo_enters].data,
        .stays = lists->events[jo_stays].data,
        .exits = lists->events[jo_exits].data,
        .enterCount = lists->counts[jo_enters],
        .stayCount = lists->counts[jo_stays],
        .exitCount = lists->counts[jo_exits] };
    return jo_success;
}

joResult joWorld_GetContactEvents( const joWorld* world, joGranularity granularity, joContactEvents* events )
{
    return getEvents( world, false, granularity, events );
}

joResult joWorld_GetTriggerEvents( const joWorld* world, joGranularity granularity, joContactEvents* events )
{
    return getEvents( world, true, granularity, events );
}

// Whether a stands before b in the order of events.
static bool isBefore( const joContactEvent* a, const joContactEvent* b )
{
    const uint64_t keysA[4] = { a->bodyA.bits, a->bodyB.bits, a->colliderA.bits, a->colliderB.bits };
    const uint64_t keysB[4] = { b->bodyA.bits, b->bodyB.bits, b->colliderA.bits, b->colliderB.bits };
    for ( uint32_t i = 0; i < 4; ++i )
    {
        const uint32_t indexA = (uint32_t)keysA[i] & JO_ID_INDEX_MASK;
        const uint32_t indexB = (uint32_t)keysB[i] & JO_ID_INDEX_MASK;
        if ( indexA != indexB )
        {
            return indexA < indexB;
        }
    }
    return false;
}

// A heap with the last in order on top (Williams, "Heapsort", 1964).
static void sink( joContactEvent* heap, uint64_t count, uint64_t at )
{
    const joContactEvent moved = heap[at];
    for ( uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
    {
        if ( child + 1 < count && isBefore( heap + child, heap + child + 1 ) )
        {
            child += 1;
        }
        if ( !isBefore( &moved, heap + child ) )
        {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void sortEvents( joContactEvent* events, uint64_t count )
{
    for ( uint64_t last = count; last > 1; --last )
    {
        const joContactEvent top = events[0];
        events[0] = events[last - 1];
        events[last - 1] = top;
        sink( events, last - 1, 0 );
    }
}

static bool isWhole( const joWorld* world, const joContact* contact )
{
    return joWorld_IsColliderAlive( world, ( joColliderId ){ contact->colliders[0] } ) &&
           joWorld_IsColliderAlive( world, ( joColliderId ){ contact->colliders[1] } );
}

joResult joWorld_GetContacts(
    const joWorld* world, joBodyId body, joContactEvent* contacts, uint64_t capacity, uint64_t* count )
{
    if ( world == NULL || count == NULL || ( contacts == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint32_t index = joWorld_FindBody( world, body );
    if ( index == JO_NULL_INDEX )
    {
        return JO_MISUSE( jo_errorStaleId );
    }
    *count = 0;
    uint32_t edge = joWorld_ContactHeads( world )[index];
    for ( ; edge != JO_NULL_INDEX; edge = joPairPool_Next( &world->contactSlots, edge ) )
    {
        const joContact* contact = joWorld_Contact( world, edge / 2 );
        if ( !isWhole( world, contact ) )
        {
            continue;
        }
        const joContactEvent event = joEvents_Make( world, contact, true );
        if ( *count < capacity )
        {
            contacts[*count] = event;
        }
        *count += 1;
        // Once it is full it becomes a heap, which keeps the first ones.
        for ( uint64_t i = *count == capacity ? capacity / 2 : 0; i > 0; --i )
        {
            sink( contacts, capacity, i - 1 );
        }
        if ( *count > capacity && capacity > 0 && isBefore( &event, contacts ) )
        {
            contacts[0] = event;
            sink( contacts, capacity, 0 );
        }
    }
    const uint64_t written = *count < capacity ? *count : capacity;
    for ( uint64_t i = *count < capacity ? written / 2 : 0; i > 0; --i )
    {
        sink( contacts, written, i - 1 );
    }
    sortEvents( contacts, written );
    return jo_success;
}
