// SPDX-License-Identifier: MIT
// Bodies: type, enabled, user data, colliders; and which ignore each other.
#include "base/assert.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/sleep.h"

#include <math.h>

// The body of an id, or why not.
static joResult find( const joWorld* world, joBodyId id, uint32_t* body )
{
    *body = world != NULL ? joWorld_FindBody( world, id ) : JO_NULL_INDEX;
    return world == NULL ? jo_errorNullArgument : *body == JO_NULL_INDEX ? jo_errorStaleId : jo_success;
}

joResult joWorld_SetBodyType( joWorld* world, joBodyId body, joBodyType type )
{
    uint32_t index;
    joResult result = find( world, body, &index );
    if ( result == jo_success && (unsigned)type >= jo_bodyTypeCount )
    {
        result = jo_errorBadDef;
    }
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    joSleep_Wake( world, index );
    joBody* record = joWorld_Body( world, index );
    record->type = (uint8_t)type;
    // One that is static now leaves after the next step, which ends what it touches; the others stay.
    if ( record->isEnabled && type != jo_staticBody )
    {
        joSleep_Enlist( world, index );
    }
    return jo_success;
}

joResult joWorld_SetBodyAwake( joWorld* world, joBodyId body, bool isAwake )
{
    uint32_t index;
    const joResult result = find( world, body, &index );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    if ( isAwake )
    {
        joSleep_Wake( world, index );
    }
    else
    {
        joWorld_Body( world, index )->restTime = INFINITY;
    }
    return jo_success;
}

// Puts those colliders of a body that are enabled into the broad phase.
static joResult place( joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    joResult result = joProxies_Reserve( world, record->colliderCount );
    uint32_t count = 0;
    joFloatEnv env = joFloatEnv_Enter();
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX && result == jo_success;
          i = joWorld_Collider( world, i )->next )
    {
        if ( joWorld_Collider( world, i )->isEnabled )
        {
            joProxies_PutAt( world, count++, i, joWorld_BodyPose( world, body ) );
        }
    }
    joFloatEnv_Leave( env );
    result = result ? result : joProxies_Add( world, joMotionOf( record->type == jo_staticBody ), count );
    if ( result == jo_success )
    {
        joProxies_WritePoses( world, count );
    }
    return result;
}

static joResult displace( joWorld* world, uint32_t body )
{
    joResult result = joWorld_ReserveKeys( world, joWorld_Body( world, body )->colliderCount );
    return result ? result : joProxies_Remove( world, joColliders_ListPlaced( world, body, 0 ) );
}

static void setPlaced( joWorld* world, joBody* record )
{
    record->placedCount = 0;
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        joCollider* collider = joWorld_Collider( world, i );
        collider->isPlaced = record->isEnabled && collider->isEnabled;
        record->placedCount += collider->isPlaced ? 1 : 0;
    }
}

joResult joWorld_SetBodyEnabled( joWorld* world, joBodyId body, bool isEnabled )
{
    uint32_t index;
    joResult result = find( world, body, &index );
    joBody* record = result ? NULL : joWorld_Body( world, index );
    if ( result != jo_success || record->isEnabled == isEnabled )
    {
        return joReport( result );
    }
    result = isEnabled ? place( world, index ) : displace( world, index );
    if ( result != jo_success )
    {
        return joReport( result );
    }
    joSleep_Wake( world, index ); // while it is enabled yet: what it touched will end
    record->isEnabled = isEnabled;
    record->isParked = record->type == jo_staticBody;
    setPlaced( world, record );
    if ( !isEnabled )
    {
        joWorld_RemoveAwake( world, index );
    }
    else if ( record->type != jo_staticBody || world->sleepingCount > 0 )
    {
        joSleep_Enlist( world, index );
    }
    return jo_success;
}

joResult joWorld_SetBodyUserData( joWorld* world, joBodyId body, uint64_t userData )
{
    uint32_t index;
    const joResult result = find( world, body, &index );
    if ( result == jo_success )
    {
        joWorld_Body( world, index )->userData = userData;
    }
    return joReport( result );
}

bool joWorld_IsBodyAlive( const joWorld* world, joBodyId body )
{
    return world != NULL && joWorld_FindBody( world, body ) != JO_NULL_INDEX;
}

joResult joWorld_GetBodyIds( const joWorld* world, joBodyId* bodies, uint64_t capacity, uint64_t* count )
{
    if ( world == NULL || count == NULL || ( bodies == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *count = 0;
    for ( uint32_t i = 0; i < world->bodyIds.slotCount; ++i )
    {
        if ( joIdPool_IdAt( &world->bodyIds, i ) == 0 )
        {
            continue;
        }
        if ( *count < capacity )
        {
            bodies[*count] = joWorld_BodyIdAt( world, i );
        }
        *count += 1;
    }
    return jo_success;
}

joResult joWorld_GetColliders(
    const joWorld* world, joBodyId body, joColliderId* colliders, uint64_t capacity, uint64_t* count )
{
    uint32_t index;
    joResult result = find( world, body, &index );
    result = count == NULL || ( colliders == NULL && capacity > 0 ) ? jo_errorNullArgument : result;
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    *count = 0;
    uint32_t i = joWorld_Body( world, index )->firstCollider;
    for ( ; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( *count < capacity )
        {
            colliders[*count] = joWorld_ColliderIdAt( world, i );
        }
        *count += 1;
    }
    return jo_success;
}

// The edge in the list of a that leads to b; JO_NULL_INDEX if they do not ignore each other.
static uint32_t findIgnored( const joWorld* world, uint32_t a, uint32_t b )
{
    uint32_t edge = joWorld_IgnoredHeads( world )[a];
    while ( edge != JO_NULL_INDEX && joPairPool_Other( &world->ignored, edge ) != b )
    {
        edge = joPairPool_Next( &world->ignored, edge );
    }
    return edge;
}

bool joWorld_Ignore( const joWorld* world, uint32_t a, uint32_t b )
{
    return world->ignored.takenCount > 0 && joWorld_IgnoredHeads( world )[b] != JO_NULL_INDEX &&
           findIgnored( world, a, b ) != JO_NULL_INDEX;
}

static joResult findBoth( const joWorld* world, joBodyId a, joBodyId b, uint32_t* indexA, uint32_t* indexB )
{
    joResult result = find( world, a, indexA );
    result = result ? result : find( world, b, indexB );
    return result == jo_success && *indexA == *indexB ? jo_errorDuplicateKey : result;
}

joResult joWorld_SetIgnored( joWorld* world, joBodyId a, joBodyId b, bool isIgnored )
{
    uint32_t indexA, indexB;
    joResult result = findBoth( world, a, b, &indexA, &indexB );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    const uint32_t edge = findIgnored( world, indexA, indexB );
    if ( isIgnored && edge == JO_NULL_INDEX )
    {
        result = joPairPool_Reserve( &world->ignored, &world->memory, 1 );
        if ( result == jo_success )
        {
            joPairPool_Take( &world->ignored, joWorld_IgnoredHeads( world ), indexA, indexB );
        }
    }
    else if ( !isIgnored && edge != JO_NULL_INDEX )
    {
        joPairPool_Release( &world->ignored, joWorld_IgnoredHeads( world ), edge / 2 );
    }
    if ( result == jo_success )
    {
        joSleep_Wake( world, indexA );
        joSleep_Wake( world, indexB );
    }
    return result;
}

joResult joWorld_GetIgnored( const joWorld* world, joBodyId a, joBodyId b, bool* isIgnored )
{
    uint32_t indexA, indexB;
    joResult result = findBoth( world, a, b, &indexA, &indexB );
    result = isIgnored == NULL ? jo_errorNullArgument : result;
    if ( result == jo_success )
    {
        *isIgnored = findIgnored( world, indexA, indexB ) != JO_NULL_INDEX;
    }
    return joReport( result );
}
