// SPDX-License-Identifier: MIT
// The calls of a world in 2D: defs and columns on their way to what has no dimension.
#include "jostle/world_2d.h"

#include "base/assert.h"
#include "world/bodies.h"

#define BODY_COOKIE 0x6A6F4242u
#define COLLIDER_COOKIE 0x6A6F4342u

joBodyDef2 joDefaultBodyDef2( void )
{
    return ( joBodyDef2 ){ .pose = joMakeIdentity2(),
        .type = jo_dynamicBody,
        .isEnabled = true,
        .isAwake = true,
        .gravityScale = 1.0f,
        .mass = 1.0f,
        .internalCookie = BODY_COOKIE };
}

joColliderDef2 joDefaultColliderDef2( void )
{
    // A shape that is none: who forgets it is told.
    return ( joColliderDef2 ){ .shape = { .kind = jo_shapeKindCount2 },
        .localPose = joMakeIdentity2(),
        .filter = { .mask = UINT64_MAX },
        .isEnabled = true,
        .internalCookie = COLLIDER_COOKIE };
}

static joBodySetup bodySetupOf( const joBodyDef2* def )
{
    return ( joBodySetup ){ .pose = &def->pose,
        .velocity = { def->velocity.x, def->velocity.y, def->angularVelocity },
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

static joColliderSetup colliderSetupOf( const joColliderDef2* def )
{
    return ( joColliderSetup ){ .shape = &def->shape,
        .localPose = &def->localPose,
        .filter = def->filter,
        .material = def->material,
        .isTrigger = def->isTrigger,
        .isEnabled = def->isEnabled,
        .userData = def->userData };
}

joResult joWorld_CreateBodies2( joWorld* world, const joBodyDef2* def, const joColliderDef2* colliderDef,
    const joBodyColumns* columns, joBodyId* bodies, joColliderId* colliders, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = joWorld_CheckCall( world, 2, def != NULL && columns != NULL );
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

joResult joWorld_CreateBody2( joWorld* world, const joBodyDef2* def, joBodyId* body )
{
    const joBodyColumns one = { .count = 1 };
    if ( body == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_CreateBodies2( world, def, NULL, &one, body, NULL, NULL );
}

joResult joWorld_CreateCollider2(
    joWorld* world, joBodyId body, const joColliderDef2* def, joColliderId* collider )
{
    joResult result = joWorld_CheckCall( world, 2, def != NULL && collider != NULL );
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

joResult joWorld_SetBodies2(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result =
        joWorld_CheckCall( world, 2, columns != NULL && ( bodies != NULL || columns->count == 0 ) );
    result = result ? result : joBodies_Set( world, bodies, columns, &bad );
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_GetBodies2(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result =
        joWorld_CheckCall( world, 2, columns != NULL && ( bodies != NULL || columns->count == 0 ) );
    result = result ? result : joBodies_Get( world, bodies, columns, &bad );
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_SetPose2( joWorld* world, joBodyId body, const joTransform2* pose )
{
    const joBodyColumns one = { .pose = { pose, 0 }, .count = 1 };
    if ( pose == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_SetBodies2( world, &body, &one, NULL );
}

joResult joWorld_GetPose2( const joWorld* world, joBodyId body, joTransform2* pose )
{
    const joMutableBodyColumns one = { .pose = { pose, sizeof( *pose ) }, .count = 1 };
    if ( pose == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return joWorld_GetBodies2( world, &body, &one, NULL );
}

joResult joWorld_SetVelocity2( joWorld* world, joBodyId body, joVec2 velocity )
{
    const joBodyColumns one = { .velocity = { &velocity, 0 }, .count = 1 };
    return joWorld_SetBodies2( world, &body, &one, NULL );
}

joResult joWorld_SetAngularVelocity2( joWorld* world, joBodyId body, float angularVelocity )
{
    const joBodyColumns one = { .angularVelocity = { &angularVelocity, 0 }, .count = 1 };
    return joWorld_SetBodies2( world, &body, &one, NULL );
}

joResult joWorld_SetColliderShape2(
    joWorld* world, joColliderId collider, const joShape2* shape, const joTransform2* localPose )
{
    const joResult result = joWorld_CheckCall( world, 2, true );
    return joReport( result ? result : joColliders_SetShape( world, collider, shape, localPose ) );
}

joResult joWorld_GetBody2( const joWorld* world, joBodyId body, joBodyDef2* def )
{
    joResult result = joWorld_CheckCall( world, 2, def != NULL );
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
    *def = joDefaultBodyDef2();
    def->pose = *(const joTransform2*)setup.pose;
    def->velocity = ( joVec2 ){ setup.velocity[0], setup.velocity[1] };
    def->angularVelocity = setup.velocity[2];
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

joResult joWorld_GetCollider2(
    const joWorld* world, joColliderId collider, joColliderDef2* def, joBodyId* body )
{
    joResult result = joWorld_CheckCall( world, 2, def != NULL );
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
    *def = joDefaultColliderDef2();
    def->shape = *(const joShape2*)setup.shape;
    def->localPose = *(const joTransform2*)setup.localPose;
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
