// SPDX-License-Identifier: MIT
// Bodies: made, set and read in bulk. A call checks every element, makes room for everything, changes the
// broad phase, which may still fail, and only then writes.
#include "world/bodies.h"

#include "base/assert.h"
#include "base/column.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/sleep.h"
#include "world/slide.h"

#include <math.h>
#include <string.h>

static joResult checkFloats( const float* values, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( !isfinite( values[i] ) )
        {
            return isnan( values[i] ) ? jo_errorNotANumber : jo_errorBadVelocity;
        }
    }
    return jo_success;
}

static joResult checkFactors( float gravityScale, float linearDamping, float angularDamping )
{
    const float values[3] = { gravityScale, linearDamping, angularDamping };
    const joResult result = checkFloats( values, 3 );
    return result ? result : linearDamping < 0.0f || angularDamping < 0.0f ? jo_errorBadVelocity : jo_success;
}

static joResult checkResponse( joResponse response, float mass )
{
    if ( (unsigned)response >= jo_responseCount )
    {
        return jo_errorBadDef;
    }
    return isnan( mass )                     ? jo_errorNotANumber
           : mass > 0.0f && isfinite( mass ) ? jo_success
                                             : jo_errorBadMass;
}

// What stands in the columns for number i.
static joResult checkElement( const joWorld* world, const joBodyColumns* columns, uint32_t i )
{
    const joSpace* space = world->space;
    joResult result = jo_success;
    if ( columns->pose.data != NULL )
    {
        result = space->checkPose( joColumn_At( columns->pose, i ) );
    }
    if ( result == jo_success && columns->velocity.data != NULL )
    {
        result = checkFloats( joColumn_At( columns->velocity, i ), space->axisCount );
    }
    if ( result == jo_success && columns->angularVelocity.data != NULL )
    {
        result = checkFloats( joColumn_At( columns->angularVelocity, i ), space->angularCount );
    }
    if ( result == jo_success && columns->shape.data != NULL )
    {
        result = space->checkShape( joColumn_At( columns->shape, i ) );
    }
    return result;
}

joResult joCheckBodySetup( const joWorld* world, const joBodySetup* setup )
{
    if ( (unsigned)setup->type >= jo_bodyTypeCount )
    {
        return jo_errorBadDef;
    }
    joResult result = world->space->checkPose( setup->pose );
    result = result ? result
                    : checkFloats( setup->velocity, world->space->axisCount + world->space->angularCount );
    result =
        result ? result : checkFactors( setup->gravityScale, setup->linearDamping, setup->angularDamping );
    return result ? result : checkResponse( setup->response, setup->mass );
}

static const void* shapeFor( const joColliderSetup* setup, const joBodyColumns* columns, uint32_t i )
{
    return columns->shape.data != NULL ? joColumn_At( columns->shape, i ) : setup->shape;
}

static joResult checkCreate( const joWorld* world, const joBodySetup* setup,
    const joColliderSetup* colliderSetup, const joBodyColumns* columns, uint32_t* errorIndex )
{
    joResult result = joCheckBodySetup( world, setup );
    if ( result == jo_success && colliderSetup != NULL )
    {
        joColliderSetup whole = *colliderSetup;
        // A shape that no one gets need not be one.
        whole.shape = columns->shape.data != NULL ? NULL : whole.shape;
        result = joCheckColliderSetup( world, &whole );
    }
    for ( uint32_t i = 0; i < columns->count && result == jo_success; ++i )
    {
        result = checkElement( world, columns, i );
        *errorIndex = result ? i : JO_NULL_INDEX;
    }
    const bool hasShape = colliderSetup != NULL && setup->response == jo_slide;
    for ( uint32_t i = 0; i < columns->count && result == jo_success && hasShape; ++i )
    {
        result = joSlide_CheckShape( world, shapeFor( colliderSetup, columns, i ) );
        *errorIndex = result && columns->shape.data != NULL ? i : JO_NULL_INDEX;
    }
    return result;
}

static const void* poseFor( const joBodySetup* setup, const joBodyColumns* columns, uint32_t i )
{
    return columns->pose.data != NULL ? joColumn_At( columns->pose, i ) : setup->pose;
}

static joResult addProxies( joWorld* world, const joBodySetup* setup, const joColliderSetup* colliderSetup,
    const joBodyColumns* columns )
{
    const uint32_t* keys = world->keys.data;
    joFloatEnv env = joFloatEnv_Enter();
    for ( uint32_t i = 0; i < columns->count; ++i )
    {
        joProxies_Put( world, i, keys[i], &colliderSetup->filter, shapeFor( colliderSetup, columns, i ),
            colliderSetup->localPose, poseFor( setup, columns, i ) );
    }
    joFloatEnv_Leave( env );
    return joProxies_Add( world, joMotionOf( setup->type == jo_staticBody ), columns->count );
}

static void writeVelocity( joWorld* world, uint32_t body, const joBodyColumns* columns, uint32_t i )
{
    const joSpace* space = world->space;
    float* velocity = joWorld_BodyVelocity( world, body );
    if ( columns->velocity.data != NULL )
    {
        memcpy( velocity, joColumn_At( columns->velocity, i ), space->axisCount * sizeof( float ) );
    }
    if ( columns->angularVelocity.data != NULL )
    {
        memcpy( velocity + space->axisCount, joColumn_At( columns->angularVelocity, i ),
            space->angularCount * sizeof( float ) );
    }
}

// Room is there, and the broad phase knows.
static uint32_t appendBody(
    joWorld* world, const joBodySetup* setup, const joBodyColumns* columns, uint32_t i )
{
    uint64_t id = 0;
    joIdPool_Create( &world->bodyIds, &world->memory, &id );
    const uint32_t body = (uint32_t)id;
    const joSpace* space = world->space;
    memcpy( joWorld_BodyPose( world, body ), poseFor( setup, columns, i ), space->poseSize );
    memcpy( joWorld_BodyVelocity( world, body ), setup->velocity,
        ( space->axisCount + space->angularCount ) * sizeof( float ) );
    writeVelocity( world, body, columns, i );
    *joWorld_Body( world, body ) = ( joBody ){
        .userData = columns->userData.data != NULL ? *(const uint64_t*)joColumn_At( columns->userData, i )
                                                   : setup->userData,
        .firstCollider = JO_NULL_INDEX,
        .lastCollider = JO_NULL_INDEX,
        .awakeIndex = JO_NULL_INDEX,
        .slide = JO_NULL_INDEX,
        .gravityScale = setup->gravityScale,
        .linearDamping = setup->linearDamping,
        .angularDamping = setup->angularDamping,
        .mass = setup->mass,
        .pushSlot = JO_NULL_INDEX,
        .restTime = setup->isAwake ? 0.0f : INFINITY,
        .type = (uint8_t)setup->type,
        .response = (uint8_t)setup->response,
        .isEnabled = setup->isEnabled,
        .isParked = setup->type == jo_staticBody };
    joWorld_ContactHeads( world )[body] = JO_NULL_INDEX;
    joWorld_IgnoredHeads( world )[body] = JO_NULL_INDEX;
    if ( setup->response == jo_slide )
    {
        joSlide_Append( world, body );
    }
    if ( setup->isEnabled && ( setup->type != jo_staticBody || world->sleepingCount > 0 ) )
    {
        joSleep_Enlist( world, body );
    }
    return body;
}

joResult joBodies_Create( joWorld* world, const joBodySetup* setup, const joColliderSetup* colliderSetup,
    const joBodyColumns* columns, joBodyId* bodies, joColliderId* colliders, uint32_t* errorIndex )
{
    joResult result = checkCreate( world, setup, colliderSetup, columns, errorIndex );
    const uint32_t count = columns->count;
    const bool isPlaced = colliderSetup != NULL && colliderSetup->isEnabled && setup->isEnabled;
    result = result ? result : joWorld_ReserveBodies( world, count );
    result = result ? result : joSlide_Reserve( world, setup->response == jo_slide ? count : 0 );
    if ( result == jo_success && colliderSetup != NULL )
    {
        result = joWorld_ReserveColliders( world, count );
    }
    if ( result == jo_success && isPlaced )
    {
        result = joProxies_Reserve( world, count );
        result = result ? result : joWorld_ReserveKeys( world, count );
        if ( result == jo_success )
        {
            joIdPool_Peek( &world->colliderIds, count, world->keys.data );
            result = addProxies( world, setup, colliderSetup, columns );
        }
    }
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        const uint32_t body = appendBody( world, setup, columns, i );
        joColliderId collider = { 0 };
        if ( colliderSetup != NULL )
        {
            collider =
                joColliders_Append( world, body, colliderSetup, shapeFor( colliderSetup, columns, i ) );
        }
        if ( bodies != NULL )
        {
            bodies[i] = joWorld_BodyIdAt( world, body );
        }
        if ( colliders != NULL )
        {
            colliders[i] = collider;
        }
    }
    if ( result == jo_success && isPlaced )
    {
        joProxies_WritePoses( world, count );
    }
    return result;
}

// Finds all bodies of a call and checks that none stands there twice.
static joResult checkBodies( joWorld* world, const joBodyId* bodies, uint32_t count, uint32_t* errorIndex )
{
    joResult result = jo_success;
    uint32_t marked = 0;
    for ( ; marked < count; ++marked )
    {
        const uint32_t body = joWorld_FindBody( world, bodies[marked] );
        if ( body == JO_NULL_INDEX || joWorld_Body( world, body )->isMarked )
        {
            result = body == JO_NULL_INDEX ? jo_errorStaleId : jo_errorDuplicateKey;
            *errorIndex = marked;
            break;
        }
        joWorld_Body( world, body )->isMarked = true;
    }
    for ( uint32_t i = 0; i < marked; ++i )
    {
        joWorld_Body( world, joWorld_FindBody( world, bodies[i] ) )->isMarked = false;
    }
    return result;
}

// Of the bodies of a call, which are all there: how many colliders they have.
static uint64_t countColliders( const joWorld* world, const joBodyId* bodies, uint32_t count )
{
    uint64_t colliders = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        colliders += joWorld_Body( world, joWorld_FindBody( world, bodies[i] ) )->colliderCount;
    }
    return colliders;
}

static joResult moveBodies( joWorld* world, const joBodyId* bodies, const joBodyColumns* columns )
{
    joResult result = joProxies_Reserve( world, countColliders( world, bodies, columns->count ) );
    uint32_t moved = 0;
    joFloatEnv env = joFloatEnv_Enter();
    for ( uint32_t i = 0; i < columns->count && result == jo_success; ++i )
    {
        uint32_t collider = joWorld_Body( world, joWorld_FindBody( world, bodies[i] ) )->firstCollider;
        for ( ; collider != JO_NULL_INDEX; collider = joWorld_Collider( world, collider )->next )
        {
            if ( joWorld_Collider( world, collider )->isPlaced )
            {
                joProxies_PutAt( world, moved++, collider, joColumn_At( columns->pose, i ) );
            }
        }
    }
    joFloatEnv_Leave( env );
    result = result ? result : joProxies_Move( world, moved, false );
    if ( result == jo_success )
    {
        joProxies_WritePoses( world, moved );
    }
    return result;
}

joResult joBodies_Set(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex )
{
    joResult result = checkBodies( world, bodies, columns->count, errorIndex );
    for ( uint32_t i = 0; i < columns->count && result == jo_success; ++i )
    {
        result = checkElement( world, columns, i );
        *errorIndex = result ? i : JO_NULL_INDEX;
    }
    if ( result == jo_success && columns->pose.data != NULL )
    {
        result = moveBodies( world, bodies, columns );
    }
    for ( uint32_t i = 0; i < columns->count && result == jo_success; ++i )
    {
        const uint32_t body = joWorld_FindBody( world, bodies[i] );
        writeVelocity( world, body, columns, i );
        if ( columns->pose.data != NULL )
        {
            memcpy(
                joWorld_BodyPose( world, body ), joColumn_At( columns->pose, i ), world->space->poseSize );
        }
        if ( columns->userData.data != NULL )
        {
            joWorld_Body( world, body )->userData = *(const uint64_t*)joColumn_At( columns->userData, i );
        }
        if ( columns->pose.data != NULL || columns->velocity.data != NULL ||
             columns->angularVelocity.data != NULL )
        {
            joSleep_Wake( world, body );
        }
    }
    return result;
}

static void writeElement( joMutableColumn column, uint32_t i, const void* value, size_t size )
{
    if ( column.data != NULL )
    {
        memcpy( joMutableColumn_At( column, i ), value, size );
    }
}

joResult joBodies_Get(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex )
{
    const joSpace* space = world->space;
    for ( uint32_t i = 0; i < columns->count; ++i )
    {
        if ( joWorld_FindBody( world, bodies[i] ) == JO_NULL_INDEX )
        {
            *errorIndex = i;
            return jo_errorStaleId;
        }
    }
    for ( uint32_t i = 0; i < columns->count; ++i )
    {
        const uint32_t body = joWorld_FindBody( world, bodies[i] );
        const float* velocity = joWorld_BodyVelocity( world, body );
        writeElement( columns->pose, i, joWorld_BodyPose( world, body ), space->poseSize );
        writeElement( columns->velocity, i, velocity, space->axisCount * sizeof( float ) );
        writeElement(
            columns->angularVelocity, i, velocity + space->axisCount, space->angularCount * sizeof( float ) );
        writeElement( columns->userData, i, &joWorld_Body( world, body )->userData, sizeof( uint64_t ) );
    }
    return jo_success;
}

joBodySetup joMakeBodySetup(
    const joSpace* space, const joBody* record, const void* pose, const float* velocity )
{
    joBodySetup setup = { .pose = pose,
        .type = (joBodyType)record->type,
        .isEnabled = record->isEnabled,
        .isAwake = !joBody_Sleeps( record ),
        .gravityScale = record->gravityScale,
        .linearDamping = record->linearDamping,
        .angularDamping = record->angularDamping,
        .response = (joResponse)record->response,
        .mass = record->mass,
        .userData = record->userData };
    memcpy( setup.velocity, velocity, ( space->axisCount + space->angularCount ) * sizeof( float ) );
    return setup;
}

joBodySetup joBodies_GetSetup( const joWorld* world, uint32_t body )
{
    return joMakeBodySetup( world->space, joWorld_Body( world, body ), joWorld_BodyPose( world, body ),
        joWorld_BodyVelocity( world, body ) );
}

static void releaseBody( joWorld* world, uint32_t body )
{
    joSleep_Wake( world, body );
    joContacts_ForgetBody( world, body );
    joBody* record = joWorld_Body( world, body );
    while ( record->firstCollider != JO_NULL_INDEX )
    {
        joColliders_Release( world, record->firstCollider );
    }
    uint32_t* heads = joWorld_IgnoredHeads( world );
    while ( heads[body] != JO_NULL_INDEX )
    {
        joPairPool_Release( &world->ignored, heads, heads[body] / 2 );
    }
    joWorld_RemoveAwake( world, body );
    joSlide_Remove( world, body );
    joIdPool_Destroy( &world->bodyIds, joIdPool_IdAt( &world->bodyIds, body ) );
}

static joResult destroyBodies( joWorld* world, const joBodyId* bodies, uint32_t count, uint32_t* errorIndex )
{
    joResult result = checkBodies( world, bodies, count, errorIndex );
    if ( result == jo_success )
    {
        result = joWorld_ReserveKeys( world, countColliders( world, bodies, count ) );
    }
    if ( result == jo_success )
    {
        uint32_t placed = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            placed = joColliders_ListPlaced( world, joWorld_FindBody( world, bodies[i] ), placed );
        }
        result = joProxies_Remove( world, placed );
    }
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        releaseBody( world, joWorld_FindBody( world, bodies[i] ) );
    }
    return result;
}

joResult joWorld_DestroyBodies( joWorld* world, const joBodyId* bodies, uint32_t count, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = world == NULL || ( bodies == NULL && count > 0 ) ? jo_errorNullArgument : jo_success;
    result = result ? result : destroyBodies( world, bodies, count, &bad );
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_DestroyBody( joWorld* world, joBodyId body )
{
    return joWorld_DestroyBodies( world, &body, 1, NULL );
}

joResult joWorld_SetBodyFactors(
    joWorld* world, joBodyId body, float gravityScale, float linearDamping, float angularDamping )
{
    if ( world == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint32_t index = joWorld_FindBody( world, body );
    const joResult result = index == JO_NULL_INDEX
                                ? jo_errorStaleId
                                : checkFactors( gravityScale, linearDamping, angularDamping );
    if ( result == jo_success )
    {
        joBody* record = joWorld_Body( world, index );
        record->gravityScale = gravityScale;
        record->linearDamping = linearDamping;
        record->angularDamping = angularDamping;
        joSleep_Wake( world, index );
    }
    return joReport( result );
}

joResult joWorld_SetBodyResponse( joWorld* world, joBodyId body, joResponse response, float mass )
{
    if ( world == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const uint32_t index = joWorld_FindBody( world, body );
    joResult result = index == JO_NULL_INDEX ? jo_errorStaleId : checkResponse( response, mass );
    const bool starts =
        result == jo_success && response == jo_slide && joWorld_Body( world, index )->slide == JO_NULL_INDEX;
    if ( starts )
    {
        result = joSlide_CheckShapes( world, index );
        result = result ? result : joSlide_Reserve( world, 1 );
    }
    if ( result == jo_success )
    {
        if ( starts )
        {
            joSlide_Append( world, index );
        }
        else if ( response != jo_slide )
        {
            joSlide_Remove( world, index );
        }
        joWorld_Body( world, index )->response = (uint8_t)response;
        joWorld_Body( world, index )->mass = mass;
        joSleep_Wake( world, index );
    }
    return joReport( result );
}
