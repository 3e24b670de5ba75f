// SPDX-License-Identifier: MIT
// Sleep: who leaves the list of awake bodies, and who comes back.
#include "world/sleep.h"

#include "world/bodies.h"
#include "world/proxies.h"

#include <math.h>
#include <string.h>

static void activateContacts( joWorld* world, uint32_t body )
{
    uint32_t edge = joWorld_ContactHeads( world )[body];
    for ( ; edge != JO_NULL_INDEX; edge = joPairPool_Next( &world->contactSlots, edge ) )
    {
        joContact* contact = joWorld_Contact( world, edge / 2 );
        if ( !contact->isActive )
        {
            contact->isActive = true;
            joWorld_AppendActive( world, edge / 2 ); // there is room for every slot
            world->isActiveSorted = false;
        }
    }
}

void joSleep_Enlist( joWorld* world, uint32_t body )
{
    if ( joWorld_Body( world, body )->awakeIndex == JO_NULL_INDEX )
    {
        joWorld_AddAwake( world, body );
        activateContacts( world, body );
    }
}

void joSleep_Wake( joWorld* world, uint32_t body )
{
    joBody* record = joWorld_Body( world, body );
    record->restTime = 0.0f;
    if ( !record->isEnabled || record->awakeIndex != JO_NULL_INDEX )
    {
        return;
    }
    if ( record->type != jo_staticBody )
    {
        world->sleepingCount -= 1;
    }
    else if ( world->sleepingCount == 0 )
    {
        return; // whatever it can touch is awake, and sees it
    }
    joSleep_Enlist( world, body );
}

static uint32_t awakeAt( const joWorld* world, uint32_t i )
{
    return ( (const uint32_t*)world->awake.data )[i];
}

joResult joStep_Unpark( joWorld* world )
{
    if ( !world->anyParked )
    {
        return jo_success;
    }
    uint64_t colliders = 0;
    for ( uint32_t i = 0; i < world->awakeCount; ++i )
    {
        const joBody* record = joWorld_Body( world, awakeAt( world, i ) );
        colliders += record->isParked ? record->placedCount : 0;
    }
    joResult result = joWorld_ReserveKeys( world, colliders );
    uint32_t count = 0;
    for ( uint32_t i = 0; i < world->awakeCount && result == jo_success; ++i )
    {
        if ( joWorld_Body( world, awakeAt( world, i ) )->isParked )
        {
            count = joColliders_ListPlaced( world, awakeAt( world, i ), count );
        }
    }
    result = result ? result : joProxies_SetMotion( world, jo_moving, count );
    for ( uint32_t i = 0; i < world->awakeCount && result == jo_success; ++i )
    {
        joWorld_Body( world, awakeAt( world, i ) )->isParked = false;
    }
    world->anyParked = result != jo_success;
    return result;
}

// What slides never is: what it stands on, or what comes up to it, may move.
static bool isAtRest( const joWorld* world, uint32_t body )
{
    if ( joWorld_Body( world, body )->slide != JO_NULL_INDEX )
    {
        return false;
    }
    const float* velocity = joWorld_BodyVelocity( world, body );
    float fastest = 0.0f;
    for ( uint32_t i = 0; i < world->space->axisCount + world->space->angularCount; ++i )
    {
        fastest = fabsf( velocity[i] ) > fastest ? fabsf( velocity[i] ) : fastest;
    }
    return fastest <= world->def.sleepSpeed;
}

bool joSleep_IsRestless( const joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    return record->restTime == 0.0f && record->type != jo_staticBody && !isAtRest( world, body );
}

static bool isLeaving( const joWorld* world, const joBody* body )
{
    return body->type == jo_staticBody || body->restTime >= world->def.sleepTime;
}

// Their keys, in world->keys. *bodyCount gets how many bodies leave.
static joResult listLeaving( joWorld* world, float dt, uint32_t* keyCount, uint32_t* bodyCount )
{
    const uint8_t* restless = world->restless.data;
    uint64_t colliders = 0;
    for ( uint32_t i = 0; i < world->awakeCount; ++i )
    {
        if ( i < world->restlessCount && restless[i] != 0 )
        {
            continue;
        }
        joBody* record = joWorld_Body( world, awakeAt( world, i ) );
        record->restTime = isAtRest( world, awakeAt( world, i ) ) ? record->restTime + dt : 0.0f;
        if ( isLeaving( world, record ) )
        {
            colliders += record->placedCount;
            *bodyCount += 1;
        }
    }
    const joResult result = joWorld_ReserveKeys( world, colliders );
    for ( uint32_t i = 0; i < world->awakeCount && result == jo_success && *bodyCount > 0; ++i )
    {
        if ( isLeaving( world, joWorld_Body( world, awakeAt( world, i ) ) ) )
        {
            *keyCount = joColliders_ListPlaced( world, awakeAt( world, i ), *keyCount );
        }
    }
    return result;
}

static void leave( joWorld* world, uint32_t body )
{
    joBody* record = joWorld_Body( world, body );
    record->awakeIndex = JO_NULL_INDEX;
    record->isParked = true;
    if ( record->type != jo_staticBody )
    {
        world->sleepingCount += 1;
        memset( joWorld_BodyVelocity( world, body ), 0,
            ( world->space->axisCount + world->space->angularCount ) * sizeof( float ) );
    }
}

static void stillContacts( joWorld* world )
{
    joActive* active = world->active.data;
    uint64_t kept = 0;
    for ( uint64_t i = 0; i < world->activeCount; ++i )
    {
        const joBody* a = joWorld_Body( world, (uint32_t)( active[i].bodyPair >> 32 ) );
        const joBody* b = joWorld_Body( world, (uint32_t)active[i].bodyPair );
        const bool isActive = a->awakeIndex != JO_NULL_INDEX || b->awakeIndex != JO_NULL_INDEX;
        if ( !isActive )
        {
            joWorld_Contact( world, active[i].slot )->isActive = false;
        }
        active[kept] = active[i];
        kept += isActive ? 1 : 0;
    }
    world->activeCount = kept;
}

void joStep_Sleep( joWorld* world, float dt )
{
    uint32_t keyCount = 0, bodyCount = 0;
    joResult result = listLeaving( world, dt, &keyCount, &bodyCount );
    result = result ? result : joProxies_SetMotion( world, jo_static, keyCount );
    if ( result != jo_success || bodyCount == 0 )
    {
        return;
    }
    // Who stays keeps the order, which most often is that in the broad phase: it is moved the faster for it.
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < world->awakeCount; ++i )
    {
        const uint32_t body = awakeAt( world, i );
        if ( isLeaving( world, joWorld_Body( world, body ) ) )
        {
            leave( world, body );
            continue;
        }
        joWorld_Body( world, body )->awakeIndex = kept;
        ( (uint32_t*)world->awake.data )[kept++] = body;
    }
    world->awakeCount = kept;
    stillContacts( world );
}
