// SPDX-License-Identifier: MIT
// The first stage of a step: bodies move, and so do their colliders in the broad phase. What was before is
// kept until the step has succeeded.
#pragma once

#include "world/world.h"

// The first proxy of number i of the awake bodies.
uint32_t joStep_FirstProxy( const joWorld* world, uint32_t i );

// On failure nothing has changed.
joResult joStep_Move( joWorld* world, float dt );
// Hands bounds on that have been changed since the bodies moved.
joResult joStep_MoveAgain( joWorld* world );
// After poses have changed again: bounds as they are.
joResult joStep_Settle( joWorld* world );
// Takes the move back.
void joStep_MoveBack( joWorld* world );

// The pose that number i of the awake bodies had before the step.
static inline const void* joStep_OldPose( const joWorld* world, uint32_t i )
{
    return joTable_At( &world->oldBodies, 0, i );
}
