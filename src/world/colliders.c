// SPDX-License-Identifier: MIT
// Colliders: rows of their table, in the list of their body in the order in which they were made.
#include "base/assert.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/sleep.h"
#include "world/slide.h"

#include <math.h>
#include <string.h>

static joResult find( const joWorld* world, joColliderId id, uint32_t* collider )
{
    *collider = world != NULL ? joWorld_FindCollider( world, id ) : JO_NULL_INDEX;
    return world == NULL ? jo_errorNullArgument : *collider == JO_NULL_INDEX ? jo_errorStaleId : jo_success;
}

static joResult checkLocalPose( const joWorld* world, const void* localPose )
{
    joResult result = world->space->checkPose( localPose );
    if ( result == jo_success )
    {
        // Positions stand in front, in poses of both dimensions.
        const float* position = localPose;
        for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
        {
            result = position[axis] > JO_MAX_SIZE || position[axis] < -JO_MAX_SIZE ? jo_errorBadPose : result;
        }
    }
    return result;
}

static joResult checkMaterial( const joMaterial* material )
{
    const float restitution = material->restitution;
    return isnan( restitution )                         ? jo_errorNotANumber
           : restitution >= 0.0f && restitution <= 1.0f ? jo_success
                                                        : jo_errorBadMaterial;
}

joResult joCheckColliderSetup( const joWorld* world, const joColliderSetup* setup )
{
    if ( setup->filter.layer >= JO_MAX_LAYERS )
    {
        return jo_errorBadDef;
    }
    joResult result = checkMaterial( &setup->material );
    if ( result == jo_success && setup->shape != NULL )
    {
        result = world->space->checkShape( setup->shape );
    }
    return result || setup->localPose == NULL ? result : checkLocalPose( world, setup->localPose );
}

static bool isIdentity( const joWorld* world, const void* localPose )
{
    return localPose == NULL || memcmp( localPose, world->space->identity, world->space->poseSize ) == 0;
}

joColliderId joColliders_Append(
    joWorld* world, uint32_t body, const joColliderSetup* setup, const void* shape )
{
    uint64_t id = 0;
    joIdPool_Create( &world->colliderIds, &world->memory, &id );
    const uint32_t collider = (uint32_t)id;
    const joSpace* space = world->space;
    joBody* owner = joWorld_Body( world, body );
    memcpy( joWorld_Shape( world, collider ), shape, space->shapeSize );
    memcpy( joWorld_LocalPose( world, collider ),
        setup->localPose != NULL ? setup->localPose : space->identity, space->poseSize );
    *joWorld_Collider( world, collider ) = ( joCollider ){ .userData = setup->userData,
        .filter = setup->filter,
        .material = setup->material,
        .body = body,
        .kind = (uint8_t)space->kindOf( shape ),
        .next = JO_NULL_INDEX,
        .prev = owner->lastCollider,
        .isTrigger = setup->isTrigger,
        .isEnabled = setup->isEnabled,
        .isPlaced = setup->isEnabled && owner->isEnabled,
        .hasLocalPose = !isIdentity( world, setup->localPose ) };
    if ( owner->lastCollider != JO_NULL_INDEX )
    {
        joWorld_Collider( world, owner->lastCollider )->next = collider;
    }
    else
    {
        owner->firstCollider = collider;
    }
    owner->lastCollider = collider;
    owner->colliderCount += 1;
    owner->placedCount += setup->isEnabled && owner->isEnabled ? 1 : 0;
    return joWorld_ColliderIdAt( world, collider );
}

void joColliders_Release( joWorld* world, uint32_t collider )
{
    joContacts_ForgetCollider( world, collider );
    const joCollider* record = joWorld_Collider( world, collider );
    joBody* owner = joWorld_Body( world, record->body );
    if ( record->prev != JO_NULL_INDEX )
    {
        joWorld_Collider( world, record->prev )->next = record->next;
    }
    else
    {
        owner->firstCollider = record->next;
    }
    if ( record->next != JO_NULL_INDEX )
    {
        joWorld_Collider( world, record->next )->prev = record->prev;
    }
    else
    {
        owner->lastCollider = record->prev;
    }
    owner->colliderCount -= 1;
    owner->placedCount -= record->isPlaced ? 1 : 0;
    world->anyReplaced = true;
    joIdPool_Destroy( &world->colliderIds, joIdPool_IdAt( &world->colliderIds, collider ) );
}

uint32_t joColliders_ListPlaced( const joWorld* world, uint32_t body, uint32_t count )
{
    uint32_t* keys = world->keys.data;
    for ( uint32_t i = joWorld_Body( world, body )->firstCollider; i != JO_NULL_INDEX;
          i = joWorld_Collider( world, i )->next )
    {
        if ( joWorld_Collider( world, i )->isPlaced )
        {
            keys[count++] = i;
        }
    }
    return count;
}

// Adds one collider that is not in the broad phase, moves one that is.
static joResult placeOne( joWorld* world, uint32_t collider, uint32_t body, const joColliderFilter* filter,
    const void* shape, const void* localPose, bool isNew )
{
    joResult result = joProxies_Reserve( world, 1 );
    if ( result == jo_success )
    {
        joFloatEnv env = joFloatEnv_Enter();
        joProxies_Put( world, 0, collider, filter, shape, localPose, joWorld_BodyPose( world, body ) );
        joFloatEnv_Leave( env );
        result = isNew ? joProxies_Add( world, joMotionOf( joWorld_Body( world, body )->isParked ), 1 )
                       : joProxies_Move( world, 1, true );
    }
    if ( result == jo_success )
    {
        joProxies_WritePoses( world, 1 );
    }
    return result;
}

joResult joColliders_Create(
    joWorld* world, joBodyId body, const joColliderSetup* setup, joColliderId* collider )
{
    const uint32_t owner = joWorld_FindBody( world, body );
    joResult result = owner == JO_NULL_INDEX ? jo_errorStaleId : joCheckColliderSetup( world, setup );
    if ( result == jo_success && joWorld_Body( world, owner )->slide != JO_NULL_INDEX )
    {
        result = joSlide_CheckShape( world, setup->shape );
    }
    result = result ? result : joWorld_ReserveColliders( world, 1 );
    if ( result == jo_success && setup->isEnabled && joWorld_Body( world, owner )->isEnabled )
    {
        uint32_t index;
        joIdPool_Peek( &world->colliderIds, 1, &index );
        result = placeOne( world, index, owner, &setup->filter, setup->shape, setup->localPose, true );
    }
    if ( result == jo_success )
    {
        *collider = joColliders_Append( world, owner, setup, setup->shape );
        joSleep_Wake( world, owner );
    }
    return result;
}

static joResult displaceOne( joWorld* world, uint32_t collider )
{
    joResult result = joWorld_ReserveKeys( world, 1 );
    if ( result == jo_success )
    {
        *(uint32_t*)world->keys.data = collider;
        result = joProxies_Remove( world, 1 );
    }
    return result;
}

joResult joWorld_DestroyCollider( joWorld* world, joColliderId collider )
{
    uint32_t index;
    joResult result = find( world, collider, &index );
    if ( result == jo_success && joWorld_Collider( world, index )->isPlaced )
    {
        result = displaceOne( world, index );
    }
    if ( result == jo_success )
    {
        joSleep_Wake( world, joWorld_Collider( world, index )->body );
        joColliders_Release( world, index );
    }
    return joReport( result );
}

bool joWorld_IsColliderAlive( const joWorld* world, joColliderId collider )
{
    return world != NULL && joWorld_FindCollider( world, collider ) != JO_NULL_INDEX;
}

joResult joWorld_SetColliderEnabled( joWorld* world, joColliderId collider, bool isEnabled )
{
    uint32_t index;
    joResult result = find( world, collider, &index );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    joCollider* record = joWorld_Collider( world, index );
    const bool isPlaced = isEnabled && joWorld_Body( world, record->body )->isEnabled;
    if ( isPlaced != record->isPlaced )
    {
        result = isPlaced
                     ? placeOne( world, index, record->body, &record->filter, joWorld_Shape( world, index ),
                           record->hasLocalPose ? joWorld_LocalPose( world, index ) : NULL, true )
                     : displaceOne( world, index );
    }
    if ( result == jo_success )
    {
        joWorld_Body( world, record->body )->placedCount += (uint32_t)isPlaced - (uint32_t)record->isPlaced;
        record->isEnabled = isEnabled;
        record->isPlaced = isPlaced;
        joSleep_Wake( world, record->body );
    }
    return joReport( result );
}

joResult joWorld_SetColliderTrigger( joWorld* world, joColliderId collider, bool isTrigger )
{
    uint32_t index;
    const joResult result = find( world, collider, &index );
    if ( result == jo_success )
    {
        joWorld_Collider( world, index )->isTrigger = isTrigger;
        joSleep_Wake( world, joWorld_Collider( world, index )->body );
    }
    return joReport( result );
}

joResult joWorld_SetColliderUserData( joWorld* world, joColliderId collider, uint64_t userData )
{
    uint32_t index;
    const joResult result = find( world, collider, &index );
    if ( result == jo_success )
    {
        joWorld_Collider( world, index )->userData = userData;
    }
    return joReport( result );
}

joResult joWorld_SetColliderMaterial( joWorld* world, joColliderId collider, const joMaterial* material )
{
    uint32_t index;
    joResult result = find( world, collider, &index );
    result = material == NULL ? jo_errorNullArgument : result;
    result = result ? result : checkMaterial( material );
    if ( result == jo_success )
    {
        joWorld_Collider( world, index )->material = *material;
        joSleep_Wake( world, joWorld_Collider( world, index )->body );
    }
    return joReport( result );
}

joResult joWorld_SetColliderFilter( joWorld* world, joColliderId collider, const joColliderFilter* filter )
{
    uint32_t index;
    joResult result = find( world, collider, &index );
    result = filter == NULL ? jo_errorNullArgument : result;
    if ( result == jo_success && filter->layer >= JO_MAX_LAYERS )
    {
        result = jo_errorBadDef;
    }
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    joCollider* record = joWorld_Collider( world, index );
    if ( record->isPlaced )
    {
        result = placeOne( world, index, record->body, filter, joWorld_Shape( world, index ),
            record->hasLocalPose ? joWorld_LocalPose( world, index ) : NULL, false );
    }
    if ( result == jo_success )
    {
        record->filter = *filter;
        joSleep_Wake( world, record->body );
    }
    return joReport( result );
}

joResult joColliders_SetShape(
    joWorld* world, joColliderId collider, const void* shape, const void* localPose )
{
    const uint32_t index = joWorld_FindCollider( world, collider );
    if ( index == JO_NULL_INDEX )
    {
        return jo_errorStaleId;
    }
    joCollider* record = joWorld_Collider( world, index );
    shape = shape != NULL ? shape : joWorld_Shape( world, index );
    localPose = localPose != NULL ? localPose : joWorld_LocalPose( world, index );
    const joColliderSetup setup = { .shape = shape, .localPose = localPose, .filter = record->filter };
    const bool hasLocalPose = !isIdentity( world, localPose );
    joResult result = joCheckColliderSetup( world, &setup );
    if ( result == jo_success && joWorld_Body( world, record->body )->slide != JO_NULL_INDEX )
    {
        result = joSlide_CheckShape( world, shape );
    }
    if ( result == jo_success && record->isPlaced )
    {
        result = placeOne(
            world, index, record->body, &record->filter, shape, hasLocalPose ? localPose : NULL, false );
    }
    if ( result == jo_success )
    {
        // May be where they are already.
        memmove( joWorld_Shape( world, index ), shape, world->space->shapeSize );
        record->kind = (uint8_t)world->space->kindOf( joWorld_Shape( world, index ) );
        memmove( joWorld_LocalPose( world, index ), localPose, world->space->poseSize );
        record->hasLocalPose = hasLocalPose;
        joSleep_Wake( world, record->body );
    }
    return result;
}

joColliderSetup joMakeColliderSetup( const joCollider* record, const void* shape, const void* localPose )
{
    return ( joColliderSetup ){ .shape = shape,
        .localPose = localPose,
        .filter = record->filter,
        .material = record->material,
        .isTrigger = record->isTrigger,
        .isEnabled = record->isEnabled,
        .userData = record->userData };
}

joColliderSetup joColliders_GetSetup( const joWorld* world, uint32_t collider )
{
    return joMakeColliderSetup( joWorld_Collider( world, collider ), joWorld_Shape( world, collider ),
        joWorld_LocalPose( world, collider ) );
}
