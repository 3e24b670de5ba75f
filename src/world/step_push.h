// SPDX-License-Identifier: MIT
// The last stage of a step: bodies that push (jo_push) part from what they overlap. Round bodies among
// themselves go through the passes of push apart (pusher.h); wherever one of two is not round, along the
// normal of their manifold.
//
// Neighbours are the step's own candidates. For that the bounds of a body that may be pushed are wider by how
// far it may be: its limit, which is half of pushMargin and the way that it moved in this step. So no two
// bodies that can come to overlap are left out, however many passes there are; and where the broad phase
// holds a body it is still after the push, which need not tell it.
#pragma once

#include "world/world.h"

#include <math.h>

// Whether a step may push the body. Who sleeps stands, and wakes by being pushed.
static inline bool joBody_IsMovable( const joBody* body )
{
    return body->type == jo_dynamicBody && body->response == jo_push && body->awakeIndex != JO_NULL_INDEX;
}

// Pushes; the candidates and their batch are those of this step. If it succeeds, which is all that may fail
// has, poses and velocities have changed. Errors: jo_errorOutOfMemory, jo_errorCapacity; then nothing has.
joResult joStep_Push( joWorld* world, uint32_t candidateCount, float dt );
// Wakes who was pushed asleep. After the events.
void joStep_WakePushed( joWorld* world );

// How far a body may be pushed in a step that moved it from one pose to another.
static inline float joPushLimit( const joWorld* world, const float* from, const float* to )
{
    double waySq = 0.0;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        const double way = (double)to[axis] - (double)from[axis];
        waySq += way * way;
    }
    return joKeepFinite( 0.5 * (double)world->def.pushMargin + sqrt( waySq ) );
}

// The awake bodies, for the push of this step: their places in the list are their slots. Room first; then
// each, after it and its colliders have moved.
joResult joPush_ReservePlaces( joWorld* world );
void joPush_Place( joWorld* world, uint32_t slot, uint32_t body, float limit );
// Room for so many pairs of round neighbours; there are none yet.
joResult joPush_BeginPairs( joWorld* world, uint64_t count );
// Takes two slots for neighbours if both are round and farther apart than leaveMargin, however that is
// rounded.
bool joPush_TakeApart( joWorld* world, joPair slots );
// Asks the memory for what TakeApart will read of a body.
void joPush_AskAhead( const joWorld* world, uint32_t body );
// The only collider of a body that is no trigger; JO_NULL_INDEX if there are more, or none.
uint32_t joPush_FindOnly( const joWorld* world, uint32_t body );

joResult joPushStage_Create( joWorld* world );
joResult joPushStage_Reserve( joWorld* world );
void joPushStage_Free( joWorld* world );

// Between the parts of the stage: what the velocities of bodies become (step_bounce.c).
// Lists what overlaps at the start, after joPusher_Measure. Cannot fail: there is room.
void joBounce_List( joWorld* world );
// Changes the velocities, after the passes, when all sums are 0 again.
void joBounce_Run( joWorld* world );
