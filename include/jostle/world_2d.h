// SPDX-License-Identifier: MIT
// jostle world in 2D: bodies and colliders. What holds for all calls stands in world.h; in a world of another
// dimension they return jo_errorWrongDimension.
#pragma once

#include "shapes_2d.h"
#include "world.h"

JO_EXTERN_C_BEGIN

typedef struct joBodyDef2
{
    joTransform2 pose;
    joVec2 velocity;       // world units per second, finite
    float angularVelocity; // radians per second, counter-clockwise, finite
    joBodyType type;       // default jo_dynamicBody
    bool isEnabled;        // default true
    bool isAwake;          // false: falls asleep after the first step, if it is at rest; default true
    float gravityScale;    // finite; default 1
    float linearDamping;   // per second, finite, >= 0; default 0
    float angularDamping;  // per second, finite, >= 0; default 0
    joResponse response;   // default jo_detect
    float mass;            // > 0, finite; counts where it is pushed; default 1
    uint64_t userData;
    uint32_t internalCookie; // set by joDefaultBodyDef2
} joBodyDef2;

typedef struct joColliderDef2
{
    // Must be set. What it points to is borrowed, and must outlive the collider.
    joShape2 shape;
    joTransform2 localPose; // in the frame of the body; default identity
    joColliderFilter filter;
    joMaterial material;
    bool isTrigger; // reports what it touches in the trigger events; default false
    bool isEnabled; // default true
    uint64_t userData;
    uint32_t internalCookie; // set by joDefaultColliderDef2
} joColliderDef2;

JO_API joBodyDef2 joDefaultBodyDef2( void );
JO_API joColliderDef2 joDefaultColliderDef2( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, those of joCheckTransform2 and joCheckShape2,
// jo_errorBadVelocity, jo_errorBadMass, jo_errorBadMaterial, jo_errorStaleId, jo_errorOutOfMemory,
// jo_errorCapacity (also: more than JO_MAX_BODIES).
JO_API joResult joWorld_CreateBody2( joWorld* world, const joBodyDef2* def, joBodyId* body );
JO_API joResult joWorld_CreateCollider2(
    joWorld* world, joBodyId body, const joColliderDef2* def, joColliderId* collider );

// `columns->count` bodies like the def, each with a collider like the other def, if there is one (null:
// none); what differs stands in columns. The ids go to `bodies` and `colliders` (either may be null).
// O(count). Errors: those above, with *errorIndex for what stands in a column.
JO_API joResult joWorld_CreateBodies2( joWorld* world, const joBodyDef2* def,
    const joColliderDef2* colliderDef, const joBodyColumns* columns, joBodyId* bodies,
    joColliderId* colliders, uint32_t* errorIndex );

// Gives bodies the poses, velocities and user data of the columns that are there; a pose is a teleport. Each
// body at most once a call, else jo_errorDuplicateKey. O(count).
JO_API joResult joWorld_SetBodies2(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex );
// Writes them to the columns that are there. O(count).
JO_API joResult joWorld_GetBodies2(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex );

// One body.
JO_API joResult joWorld_SetPose2( joWorld* world, joBodyId body, const joTransform2* pose );
JO_API joResult joWorld_GetPose2( const joWorld* world, joBodyId body, joTransform2* pose );
JO_API joResult joWorld_SetVelocity2( joWorld* world, joBodyId body, joVec2 velocity );
JO_API joResult joWorld_SetAngularVelocity2( joWorld* world, joBodyId body, float angularVelocity );

// The shape and its place on the body. Null: that stays.
JO_API joResult joWorld_SetColliderShape2(
    joWorld* world, joColliderId collider, const joShape2* shape, const joTransform2* localPose );

// All there is of a body or a collider, as a def that would make it so again. `body` may be null.
JO_API joResult joWorld_GetBody2( const joWorld* world, joBodyId body, joBodyDef2* def );
JO_API joResult joWorld_GetCollider2(
    const joWorld* world, joColliderId collider, joColliderDef2* def, joBodyId* body );

JO_EXTERN_C_END
