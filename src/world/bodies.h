// SPDX-License-Identifier: MIT
// Bodies and colliders as the calls of 2D and 3D hand them on: defs without a dimension. All results are
// those that the public headers name; after an error nothing has changed.
#pragma once

#include "world/world.h"

typedef struct joBodySetup
{
    const void* pose;
    float velocity[JO_MAX_VELOCITY];
    joBodyType type;
    bool isEnabled;
    bool isAwake;
    float gravityScale, linearDamping, angularDamping;
    joResponse response;
    float mass;
    uint64_t userData;
} joBodySetup;

typedef struct joColliderSetup
{
    const void* shape;
    const void* localPose;
    joColliderFilter filter;
    joMaterial material;
    bool isTrigger, isEnabled;
    uint64_t userData;
} joColliderSetup;

// The columns that are there, of a bulk call.
joResult joBodies_Create( joWorld* world, const joBodySetup* setup, const joColliderSetup* colliderSetup,
    const joBodyColumns* columns, joBodyId* bodies, joColliderId* colliders, uint32_t* errorIndex );
joResult joBodies_Set(
    joWorld* world, const joBodyId* bodies, const joBodyColumns* columns, uint32_t* errorIndex );
joResult joBodies_Get(
    const joWorld* world, const joBodyId* bodies, const joMutableBodyColumns* columns, uint32_t* errorIndex );
joBodySetup joBodies_GetSetup( const joWorld* world, uint32_t body );
// What the parts of a row say; `pose` is pointed to.
joBodySetup joMakeBodySetup(
    const joSpace* space, const joBody* record, const void* pose, const float* velocity );

joResult joColliders_Create(
    joWorld* world, joBodyId body, const joColliderSetup* setup, joColliderId* collider );
// Either may be null: that stays.
joResult joColliders_SetShape(
    joWorld* world, joColliderId collider, const void* shape, const void* localPose );
joColliderSetup joColliders_GetSetup( const joWorld* world, uint32_t collider );
joColliderSetup joMakeColliderSetup( const joCollider* record, const void* shape, const void* localPose );

joResult joCheckBodySetup( const joWorld* world, const joBodySetup* setup );
// shape null: is not looked at.
joResult joCheckColliderSetup( const joWorld* world, const joColliderSetup* setup );

// For a body that is there and a collider whose index is known; room is there. Gives the id.
joColliderId joColliders_Append(
    joWorld* world, uint32_t body, const joColliderSetup* setup, const void* shape );
// Frees the id, after what it touches has noted it. It is no longer in the broad phase.
void joColliders_Release( joWorld* world, uint32_t collider );
// Writes the keys of what the body has in the broad phase from `count` on; returns how many there are then.
uint32_t joColliders_ListPlaced( const joWorld* world, uint32_t body, uint32_t count );
