// SPDX-License-Identifier: MIT
// jostle world in 3D: bodies and colliders. What holds for all calls stands in world.h; in a world of another
// dimension they return jo_errorWrongDimension.
#pragma once

#include "shapes_3d.h"
#include "world.h"

JO_EXTERN_C_BEGIN

typedef struct joBodyDef3
{
    joTransform3 pose;
    joVec3 velocity;        // world units per second, finite
    joVec3 angularVelocity; // radians per second, about the axis that it points along, finite
    joBodyType type;        // default jo_dynamicBody
    bool isEnabled;         // default true
    bool isAwake;           // false: falls asleep after the first step, if it is at rest; default true
    float gravityScale;     // finite; default 1
    float linearDamping;    // per second, finite, >= 0; default 0
    float angularDamping;   // per second, finite, >= 0; default 0
    joResponse response;    // default jo_detect
    float mass;             // > 0, finite; counts where it is pushed; default 1
    uint64_t userData;
    uint32_t internalCookie; // set by joDefaultBodyDef3
} joBodyDef3;

typedef struct joColliderDef3
{
    // Must be set. What it points to is borrowed, and must outlive the collider.
    joShape3 shape;
    joTransform3 localPose; // in the frame of the body; default identity
    joColliderFilter filter;
    joMaterial material;
    bool isTrigger; // reports what it touches in the trigger events; default false
    bool isEnabled; // default true
    uint64_t userData;
    uint32_t internalCookie; // set by joDefaultColliderDef3
} joColliderDef3;

JO_API joBodyDef3 joDefaultBodyDef3( void );
JO_API joColliderDef3 joDefaultColliderDef3( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, those of joCheckTransform3 and joCheckShape3,
// jo_errorBadVelocity, jo_errorBadMass, jo_errorBadMaterial, jo_errorStaleId, jo_errorOutOfMemory,
// jo_errorCapacity (also: more than JO_MAX_BODIES).
JO_API joResult joWorld_CreateBody3( joWorld* world, const joBodyDef3* def, joBodyId* body );
JO_API joResult joWorld_CreateCollider3(
    joWorld* world, joBodyId body, const joColliderDef3* def, joColliderId* collider );

// `columns->count` bodies like the def, each with a collider like the other def, if there is one (null:
// none); what differs stands in columns. The ids go to `bodies` and `colliders` (either may be null).
// O(count). Errors: those above, with *errorIndex for what stands in a column.
JO_API joResult joWorld_CreateBodies3( joWorld* world, const joBodyDef3* def,
    const joColliderDef3* colliderDef, const joBodyColumns* columns, joBodyId* bodies,
    joColliderId* colliders, uint32_t* errorIndex );

// Gives bodies the poses, velocities and user data of the columns that are there; a pose is a teleport. Each
// body at most once a call, else jo_errorDuplicateKey. O(count).
JO_API joResult joWorld_SetBodies3(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex );
// Writes them to the columns that are there. O(count).
JO_API joResult joWorld_GetBodies3(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex );

// One body.
JO_API joResult joWorld_SetPose3( joWorld* world, joBodyId body, const joTransform3* pose );
JO_API joResult joWorld_GetPose3( const joWorld* world, joBodyId body, joTransform3* pose );
JO_API joResult joWorld_SetVelocity3( joWorld* world, joBodyId body, joVec3 velocity );
JO_API joResult joWorld_SetAngularVelocity3( joWorld* world, joBodyId body, joVec3 angularVelocity );

// The shape and its place on the body. Null: that stays.
JO_API joResult joWorld_SetColliderShape3(
    joWorld* world, joColliderId collider, const joShape3* shape, const joTransform3* localPose );

// All there is of a body or a collider, as a def that would make it so again. `body` may be null.
JO_API joResult joWorld_GetBody3( const joWorld* world, joBodyId body, joBodyDef3* def );
JO_API joResult joWorld_GetCollider3(
    const joWorld* world, joColliderId collider, joColliderDef3* def, joBodyId* body );

JO_EXTERN_C_END
