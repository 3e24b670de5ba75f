// SPDX-License-Identifier: MIT
// The calls of a world in 3D: defs and columns on their way to what has no dimension.
#include "jostle/world_3d.h"

#include "base/assert.h"
#include "world/bodies.h"

#define BODY_COOKIE 0x6A6F4243u
#define COLLIDER_COOKIE 0x6A6F4343u

joBodyDef3 joDefaultBodyDef3( void )
{
    return ( joBodyDef3 ){ .pose = joMakeIdentity3(),
        .type = jo_dynamicBody,
        .isEnabled = true,
        .isAwake = true,
        .gravityScale = 1.0f,
        .mass = 1.0f,
        .internalCookie = BODY_COOKIE };
}

joColliderDef3 joDefaultColliderDef3( void )
{
    // A shape that is none: who forgets it is told.
    return ( joColliderDef3 ){ .shape = { .kind = jo_shapeKindCount3 },
        .localPose = joMakeIdentity3(),
        .filter = { .mask = UINT64_MAX },
        .isEnabled = true,
        .internalCookie = COLLIDER_COOKIE };
}

static joBodySetup bodySetupOf( const joBodyDef3* def )
{
    return ( joBodySetup ){ .pose = &def->pose,
        .velocity = { def->velocity.x, def->velocity.y, def->velocity.z, def->angularVelocity.x,
            def->angularVelocity.y, def->angularVelocity.z },
        .type = def->type,
        .isEnabled = def->isEnabled,
        .isAwake = def->isAwake,
        .gravityScale = def->gravityScale,
        .linearDamping = def->linearDamping,
        .angularDamping = def->angularDamping,
        .response = def->response,
        .mass = def->mass,
        .userData = def->userData };
}

static joColliderSetup colliderSetupOf( const joColliderDef3* def )
{
    return ( joColliderSetup ){ .shape = &def->shape,
        .localPose = &def->localPose,
        .filter = def->filter,
        .material = def->material,
        .isTrigger = def->isTrigger,
        .isEnabled = def->isEnabled,
        .userData = def->userData };
}

joResult joWorld_CreateBodies3( joWorld* world, const joBodyDef3* def, const joColliderDef3* colliderDef,
    const joBodyColumns* columns, joBodyId* bodies, joColliderId* colliders, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = joWorld_CheckCall( world, 3, def != NULL && columns != NULL );
    if ( result == jo_success &&
         ( def->internalCookie != BODY_COOKIE ||
             ( colliderDef != NULL && colliderDef->internalCookie != COLLIDER_COOKIE ) ) )
    {
        result = jo_errorBadDef;
    }
    if ( result == jo_success )
    {
        const joBodySetup setup = bodySetupOf( def );
        joColliderSetup colliderSetup;
        if ( colliderDef != NULL )
        {
            colliderSetup = colliderSetupOf( colliderDef );
        }
        result = joBodies_Create(
            world, &setup, colliderDef != NULL ? &colliderSetup : NULL, columns, bodies, colliders, &bad );
    }
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_CreateBody3( joWorld* world, const joBodyDef3* def, joBodyId* body )
{
    const joBodyColumns one = { .count = 1 };
    if ( body == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_CreateBodies3( world, def, NULL, &one, body, NULL, NULL );
}

joResult joWorld_CreateCollider3(
    joWorld* world, joBodyId body, const joColliderDef3* def, joColliderId* collider )
{
    joResult result = joWorld_CheckCall( world, 3, def != NULL && collider != NULL );
    if ( result == jo_success && def->internalCookie != COLLIDER_COOKIE )
    {
        result = jo_errorBadDef;
    }
    if ( result == jo_success )
    {
        const joColliderSetup setup = colliderSetupOf( def );
        result = joColliders_Create( world, body, &setup, collider );
    }
    return joReport( result );
}

joResult joWorld_SetBodies3(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result =
        joWorld_CheckCall( world, 3, columns != NULL && ( bodies != NULL || columns->count == 0 ) );
    result = result ? result : joBodies_Set( world, bodies, columns, &bad );
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_GetBodies3(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result =
        joWorld_CheckCall( world, 3, columns != NULL && ( bodies != NULL || columns->count == 0 ) );
    result = result ? result : joBodies_Get( world, bodies, columns, &bad );
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_SetPose3( joWorld* world, joBodyId body, const joTransform3* pose )
{
    const joBodyColumns one = { .pose = { pose, 0 }, .count = 1 };
    if ( pose == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_SetBodies3( world, &body, &one, NULL );
}

joResult joWorld_GetPose3( const joWorld* world, joBodyId body, joTransform3* pose )
{
    const joMutableBodyColumns one = { .pose = { pose, sizeof( *pose ) }, .count = 1 };
    if ( pose == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_GetBodies3( world, &body, &one, NULL );
}

joResult joWorld_SetVelocity3( joWorld* world, joBodyId body, joVec3 velocity )
{
    const joBodyColumns one = { .velocity = { &velocity, 0 }, .count = 1 };
    return joWorld_SetBodies3( world, &body, &one, NULL );
}

joResult joWorld_SetAngularVelocity3( joWorld* world, joBodyId body, joVec3 angularVelocity )
{
    const joBodyColumns one = { .angularVelocity = { &angularVelocity, 0 }, .count = 1 };
    return joWorld_SetBodies3( world, &body, &one, NULL );
}

joResult joWorld_SetColliderShape3(
    joWorld* world, joColliderId collider, const joShape3* shape, const joTransform3* localPose )
{
    const joResult result = joWorld_CheckCall( world, 3, true );
    return joReport( result ? result : joColliders_SetShape( world, collider, shape, localPose ) );
}

joResult joWorld_GetBody3( const joWorld* world, joBodyId body, joBodyDef3* def )
{
    joResult result = joWorld_CheckCall( world, 3, def != NULL );
    const uint32_t index = result ? JO_NULL_INDEX : joWorld_FindBody( world, body );
    if ( result == jo_success && index == JO_NULL_INDEX )
    {
        result = jo_errorStaleId;
    }
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    const joBodySetup setup = joBodies_GetSetup( world, index );
    *def = joDefaultBodyDef3();
    def->pose = *(const joTransform3*)setup.pose;
    def->velocity = ( joVec3 ){ setup.velocity[0], setup.velocity[1], setup.velocity[2] };
    def->angularVelocity = ( joVec3 ){ setup.velocity[3], setup.velocity[4], setup.velocity[5] };
    def->type = setup.type;
    def->isEnabled = setup.isEnabled;
    def->isAwake = setup.isAwake;
    def->gravityScale = setup.gravityScale;
    def->linearDamping = setup.linearDamping;
    def->angularDamping = setup.angularDamping;
    def->response = setup.response;
    def->mass = setup.mass;
    def->userData = setup.userData;
    return jo_success;
}

joResult joWorld_GetCollider3(
    const joWorld* world, joColliderId collider, joColliderDef3* def, joBodyId* body )
{
    joResult result = joWorld_CheckCall( world, 3, def != NULL );
    const uint32_t index = result ? JO_NULL_INDEX : joWorld_FindCollider( world, collider );
    if ( result == jo_success && index == JO_NULL_INDEX )
    {
        result = jo_errorStaleId;
    }
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    const joColliderSetup setup = joColliders_GetSetup( world, index );
    *def = joDefaultColliderDef3();
    def->shape = *(const joShape3*)setup.shape;
    def->localPose = *(const joTransform3*)setup.localPose;
    def->filter = setup.filter;
    def->material = setup.material;
    def->isTrigger = setup.isTrigger;
    def->isEnabled = setup.isEnabled;
    def->userData = setup.userData;
    if ( body != NULL )
    {
        *body = joWorld_BodyIdAt( world, joWorld_Collider( world, index )->body );
    }
    return jo_success;
}
