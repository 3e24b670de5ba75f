// SPDX-License-Identifier: MIT
// Invariants of a world.
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/sleep.h"
#include "world/slide.h"

static bool areCollidersOf( const joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    uint32_t count = 0, placed = 0, last = JO_NULL_INDEX;
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( joIdPool_IdAt( &world->colliderIds, i ) == 0 || ++count > record->colliderCount )
        {
            return false;
        }
        const joCollider* collider = joWorld_Collider( world, i );
        joMotion motion = jo_moving;
        const bool isThere = joBroadPhase_Contains( world->broadPhase, i, &motion );
        const bool shouldBe = record->isEnabled && collider->isEnabled;
        if ( collider->body != body || collider->prev != last || collider->isPlaced != shouldBe ||
             isThere != shouldBe || ( isThere && motion != joMotionOf( record->isParked ) ) ||
             ( isThere && ( !joProxies_IsPlacedRightly( world, i ) || !joProxies_IsBounded( world, i ) ) ) )
        {
            return false;
        }
        placed += isThere ? 1 : 0;
        last = i;
    }
    return count == record->colliderCount && placed == record->placedCount && last == record->lastCollider;
}

// Who slides has a row that is its own, and never sleeps.
static bool isSlideGood( const joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    if ( record->slide == JO_NULL_INDEX )
    {
        return record->response != jo_slide;
    }
    return record->response == jo_slide && record->slide < world->slideCount &&
           joSlide_At( world, record->slide )->body == body && !joBody_Sleeps( record );
}

static bool isBodyGood( const joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    const uint32_t place = record->awakeIndex;
    const bool isListed = place < world->awakeCount && ( (const uint32_t*)world->awake.data )[place] == body;
    // Only who is listed may be awake in the broad phase, too; who has woken since the last step is not yet.
    const bool isParkedRightly = isListed || record->isParked || !record->isEnabled;
    const bool isKnown = !isListed || !record->isParked || world->anyParked;
    return isKnown && ( record->isEnabled || !isListed ) && ( isListed || place == JO_NULL_INDEX ) &&
           isParkedRightly && isSlideGood( world, body ) && !record->isMarked &&
           areCollidersOf( world, body );
}

// Sorted, taken, and in the list of each body that is still the one it was.
static bool areContactsGood( const joWorld* world )
{
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        const uint32_t slot = joWorld_Active( world, i )->slot;
        const joContact* contact = joWorld_Contact( world, slot );
        const joPairSlot* links = joPairPool_At( &world->contactSlots, slot );
        if ( slot >= world->contactSlots.slotCount || !links->isTaken || !contact->isActive )
        {
            return false;
        }
        if ( i > 0 && world->isActiveSorted )
        {
            const joContact* last = joWorld_Contact( world, joWorld_Active( world, i - 1 )->slot );
            if ( last->bodyPair > contact->bodyPair ||
                 ( last->bodyPair == contact->bodyPair && last->colliderPair >= contact->colliderPair ) )
            {
                return false;
            }
        }
        for ( uint32_t side = 0; side < 2; ++side )
        {
            const uint32_t body = joWorld_FindBody( world, ( joBodyId ){ contact->bodies[side] } );
            if ( links->owners[side] != body )
            {
                return false;
            }
        }
    }
    return true;
}

// Of those that are not active both bodies are there, and in no list.
static bool areStillContactsGood( const joWorld* world )
{
    uint64_t active = 0;
    for ( uint32_t i = 0; i < world->contactSlots.slotCount; ++i )
    {
        const joPairSlot* links = joPairPool_At( &world->contactSlots, i );
        active += links->isTaken && joWorld_Contact( world, i )->isActive ? 1 : 0;
        for ( uint32_t side = 0; side < 2 && links->isTaken && !joWorld_Contact( world, i )->isActive;
              ++side )
        {
            if ( links->owners[side] == JO_NULL_INDEX ||
                 joWorld_Body( world, links->owners[side] )->awakeIndex != JO_NULL_INDEX )
            {
                return false;
            }
        }
    }
    return active == world->activeCount;
}

bool joWorld_Validate( const joWorld* world )
{
    if ( world == NULL )
    {
        return false;
    }
    uint64_t slides = 0, bodies = 0, colliders = 0, placed = 0, awake = 0, sleeping = 0;
    for ( uint32_t i = 0; i < world->bodyIds.slotCount; ++i )
    {
        if ( joIdPool_IdAt( &world->bodyIds, i ) == 0 )
        {
            continue;
        }
        if ( !isBodyGood( world, i ) )
        {
            return false;
        }
        const joBody* record = joWorld_Body( world, i );
        bodies += 1;
        slides += record->slide != JO_NULL_INDEX ? 1 : 0;
        colliders += record->colliderCount;
        placed += record->placedCount;
        awake += record->awakeIndex != JO_NULL_INDEX ? 1 : 0;
        sleeping += joBody_Sleeps( record ) ? 1 : 0;
    }
    const joBroadPhaseStats stats = joBroadPhase_GetStats( world->broadPhase );
    const uint64_t objects = (uint64_t)stats.staticCount + stats.restingCount + stats.movingCount;
    return slides == world->slideCount && bodies == world->bodyIds.aliveCount &&
           colliders == world->colliderIds.aliveCount && placed == objects && awake == world->awakeCount &&
           sleeping == world->sleepingCount && areContactsGood( world ) && areStillContactsGood( world ) &&
           joPairPool_Validate(
               &world->contactSlots, joWorld_ContactHeads( world ), world->bodyIds.slotCount ) &&
           joPairPool_Validate( &world->ignored, joWorld_IgnoredHeads( world ), world->bodyIds.slotCount ) &&
           joBroadPhase_Validate( world->broadPhase );
}
