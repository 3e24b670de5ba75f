// SPDX-License-Identifier: MIT
// Proxies: colliders on their way into the broad phase. A call fills a list of them (pose in the world,
// bounds wide enough for the margins), hands it on at once, and only if that succeeded writes the poses: so a
// call that fails leaves no trace.
#pragma once

#include "world/world.h"

joResult joProxies_Reserve( joWorld* world, uint64_t count );

// The pose in the world that a collider has on its body in a pose.
void joProxies_MakePose( const joWorld* world, uint32_t collider, const void* bodyPose, void* pose );

// Number i of the list: a collider, with a shape and poses that need not be the ones it has yet. localPose
// null: identity.
void joProxies_Put( joWorld* world, uint32_t i, uint32_t collider, const joColliderFilter* filter,
    const void* shape, const void* localPose, const void* bodyPose );
// Number i: a collider as it is, on its body in another pose.
void joProxies_PutAt( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose );
// The same, and writes its pose in the world at once: for steps, which can compute the old one again.
// `reach`: how far it may be pushed before it is put again.
void joProxies_PutInPlace( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose, float reach );

// Makes the bounds of number i hold also a collider as it is with its body in another pose.
void joProxies_Unite( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose );
// And so much more on each axis (>= 0).
void joProxies_Widen( joWorld* world, uint32_t i, const double lower[3], const double upper[3] );
// The largest side of the bounds of number i.
double joProxies_Size( const joWorld* world, uint32_t i );

// Hand the first `count` on. Move may change layers and masks, too.
joResult joProxies_Add( joWorld* world, joMotion motion, uint32_t count );
joResult joProxies_Move( joWorld* world, uint32_t count, bool withFilters );

// Writes the poses in the world of a body's colliders. The broad phase hears nothing of it.
void joProxies_PlaceColliders( joWorld* world, uint32_t body );

// Whether a collider's pose in the world is the one that its body gives it.
bool joProxies_IsPlacedRightly( const joWorld* world, uint32_t collider );
// Whether its box in the broad phase holds it.
bool joProxies_IsBounded( const joWorld* world, uint32_t collider );

// Writes the poses in the world of the first `count`.
void joProxies_WritePoses( joWorld* world, uint32_t count );

// Lists of keys, in world->keys.
joResult joProxies_Remove( joWorld* world, uint32_t count );
joResult joProxies_SetMotion( joWorld* world, joMotion motion, uint32_t count );
