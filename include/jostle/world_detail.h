// SPDX-License-Identifier: MIT
// jostle world detail: cheaper shapes for colliders that are far from all points of interest (cameras,
// players). Which shapes, and at which distances one gives way to the next, stands in a joDetailedShape2 or
// 3 (detail.h); which level each collider is at is the caller's, so that it can be saved with a snapshot.
#pragma once

#include "detail.h"
#include "world.h"

JO_EXTERN_C_BEGIN

// Columns of colliders, each at most once.
typedef struct joDetailedColliders
{
    joColumn collider;     // joColliderId
    joColumn shapes;       // joDetailedShape2 or joDetailedShape3, by distance; stride 0: the same for all
    joMutableColumn level; // uint32_t, which each one is at (JO_NULL_INDEX: none yet); is written
    uint32_t count;
} joDetailedColliders;

// Gives each collider the shape for the distance from the origin of its body to the nearest of `points`
// (joVec2 or joVec3, finite; `pointCount` 0: all are infinitely far). What a shape points to is borrowed, as
// ever. Only colliders whose shape becomes another one are touched: it is set as by
// joWorld_SetColliderShape2, which wakes the body; *changeCount (may be null) says how many. O(colliders * (
// points + levels )). Errors, with the world and the levels as they were: jo_errorNullArgument;
// jo_errorNotANumber, jo_errorBadPose (a point: *errorIndex is its index); and, with the index of the
// collider, jo_errorStaleId, jo_errorDuplicateKey, those of joCheckDetailedShape2, jo_errorBadDef also where
// a detail is by importance, jo_errorCannotSlide (one of its shapes, see world_slide.h); jo_errorOutOfMemory,
// jo_errorCapacity. `errorIndex` may be null.
JO_API joResult joWorld_PickDetails( joWorld* world, const joDetailedColliders* colliders,
    const joColumn* points, uint32_t pointCount, uint64_t* changeCount, uint32_t* errorIndex );

JO_EXTERN_C_END
