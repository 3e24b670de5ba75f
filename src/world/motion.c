// SPDX-License-Identifier: MIT
// The first stage of a step: motion.
#include "world/motion.h"

#include "base/assert.h"
#include "world/proxies.h"
#include "world/sleep.h"
#include "world/slide.h"
#include "world/step_push.h"

#include <math.h>

#define BODY_BLOCK 256u

// Columns of joWorld.oldBodies.
enum
{
    jo_oldPose,
    jo_oldVelocity,
    jo_oldFirstProxy
};

typedef struct Move
{
    joWorld* world;
    float dt;
    bool isBack;  // to where it was
    bool isSwept; // bounds hold all the way
} Move;

static uint32_t awakeAt( const joWorld* world, uint32_t i )
{
    return ( (const uint32_t*)world->awake.data )[i];
}

// What damping leaves of a velocity. Most is none.
static float factorOf( float damping, float dt )
{
    return damping == 0.0f ? 1.0f : (float)( 1.0 / ( 1.0 + (double)dt * (double)damping ) );
}

static void integrate( joWorld* world, uint32_t body, float dt )
{
    const joBody* record = joWorld_Body( world, body );
    joMotionStep step = { .linearFactor = 1.0f, .angularFactor = 1.0f, .dt = dt };
    if ( record->type == jo_dynamicBody )
    {
        for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
        {
            step.gravity[axis] =
                joKeepFinite( (double)world->def.gravity[axis] * (double)record->gravityScale );
        }
        step.linearFactor = factorOf( record->linearDamping, dt );
        step.angularFactor = factorOf( record->angularDamping, dt );
    }
    world->space->integrate( joWorld_BodyPose( world, body ), joWorld_BodyVelocity( world, body ), &step );
}

static bool isPushed( const joWorld* world, uint32_t body )
{
    return world->push.pusher != NULL && joBody_IsMovable( joWorld_Body( world, body ) );
}

// Bounds of number i of the awake bodies where it is, and as far as it may be pushed; from another pose on,
// if there is one.
static void putProxies( joWorld* world, uint32_t i, const void* from, float reach )
{
    const uint32_t body = awakeAt( world, i );
    const void* pose = joWorld_BodyPose( world, body );
    uint32_t proxy = joStep_FirstProxy( world, i );
    uint32_t collider = joWorld_Body( world, body )->firstCollider;
    for ( ; collider != JO_NULL_INDEX; collider = joWorld_Collider( world, collider )->next )
    {
        if ( joWorld_Collider( world, collider )->isPlaced )
        {
            joProxies_PutInPlace( world, proxy, collider, pose, reach );
            if ( from != NULL )
            {
                joProxies_Unite( world, proxy, collider, from );
            }
            proxy += 1;
        }
    }
}

// Rows of so many columns are read for a body that the processor does not see all of them coming: so some
// bodies ahead of their turn they are asked for.
#define AHEAD 6u

static inline void askAhead( const joWorld* world, uint32_t i, uint32_t end )
{
    if ( i + 2 * AHEAD < end )
    {
        const uint32_t far = awakeAt( world, i + 2 * AHEAD );
        __builtin_prefetch( joWorld_Body( world, far ) );
        __builtin_prefetch( joWorld_BodyPose( world, far ) );
        __builtin_prefetch( joWorld_BodyVelocity( world, far ) );
        const uint32_t collider = joWorld_Body( world, awakeAt( world, i + AHEAD ) )->firstCollider;
        if ( collider != JO_NULL_INDEX )
        {
            __builtin_prefetch( joWorld_Collider( world, collider ) );
            __builtin_prefetch( joWorld_Shape( world, collider ) );
            __builtin_prefetch( joWorld_ColliderPose( world, collider ), 1 );
        }
    }
}

static void moveBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Move* move = context;
    joWorld* world = move->world;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        askAhead( world, i, end );
        const uint32_t body = awakeAt( world, i );
        void* pose = joWorld_BodyPose( world, body );
        float* velocity = joWorld_BodyVelocity( world, body );
        void* oldPose = joTable_At( &world->oldBodies, jo_oldPose, i );
        float* oldVelocity = joTable_At( &world->oldBodies, jo_oldVelocity, i );
        joSpace_CopyPose( world->space, move->isBack ? pose : oldPose, move->isBack ? oldPose : pose );
        joSpace_CopyVelocity(
            world->space, move->isBack ? velocity : oldVelocity, move->isBack ? oldVelocity : velocity );
        if ( !move->isBack && joWorld_Body( world, body )->type != jo_staticBody )
        {
            integrate( world, body, move->dt );
        }
        ( (uint8_t*)world->restless.data )[i] = joSleep_IsRestless( world, body ) ? 1 : 0;
        const bool isPushing = !move->isBack && world->push.anyMovable;
        const float reach = isPushing && isPushed( world, body ) ? joPushLimit( world, oldPose, pose ) : 0.0f;
        putProxies( world, i, move->isSwept ? oldPose : NULL, reach );
        if ( move->isSwept )
        {
            joSlide_HoldTurn( world, i, move->dt );
        }
        if ( isPushing )
        {
            joPush_Place( world, i, body, reach );
        }
    }
}

uint32_t joStep_FirstProxy( const joWorld* world, uint32_t awake )
{
    return *(const uint32_t*)joTable_At( &world->oldBodies, jo_oldFirstProxy, awake );
}

// Numbers the proxies, and sees whether any body may be pushed; returns how many proxies there are.
static uint32_t numberProxies( joWorld* world )
{
    uint32_t count = 0;
    world->push.anyMovable = false;
    for ( uint32_t i = 0; i < world->awakeCount; ++i )
    {
        __builtin_prefetch(
            joWorld_Body( world, awakeAt( world, i + 4 * AHEAD < world->awakeCount ? i + 4 * AHEAD : i ) ) );
        *(uint32_t*)joTable_At( &world->oldBodies, jo_oldFirstProxy, i ) = count;
        count += joWorld_Body( world, awakeAt( world, i ) )->placedCount;
        world->push.anyMovable = world->push.anyMovable || isPushed( world, awakeAt( world, i ) );
    }
    return count;
}

static void takeBack( joWorld* world )
{
    Move move = { world, 0.0f, true, false };
    joParallelFor( world->def.jobs, world->awakeCount, BODY_BLOCK, moveBlock, &move );
}

joResult joStep_Move( joWorld* world, float dt )
{
    joResult result = joTable_Reserve( &world->oldBodies, &world->memory, world->awakeCount, 0 );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->restless, &world->memory, world->awakeCount, sizeof( uint8_t ), 0 );
    const uint32_t count = result ? 0 : numberProxies( world );
    result = result ? result : joProxies_Reserve( world, count );
    result = result ? result : joSlide_ReserveRuns( world );
    result = result || !world->push.anyMovable ? result : joPush_ReservePlaces( world );
    if ( result != jo_success )
    {
        return result;
    }
    // What slides must meet also what was in its way for a moment.
    Move move = { world, dt, false, world->slideCount > 0 };
    joParallelFor( world->def.jobs, world->awakeCount, BODY_BLOCK, moveBlock, &move );
    world->restlessCount = world->awakeCount;
    joSlide_Predict( world, dt );
    result = joProxies_Move( world, count, false );
    if ( result != jo_success )
    {
        takeBack( world );
    }
    return result;
}

static void settleBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joWorld* world = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const uint32_t body = awakeAt( world, i );
        const void* oldPose = joStep_OldPose( world, i );
        const float reach =
            isPushed( world, body ) ? joPushLimit( world, oldPose, joWorld_BodyPose( world, body ) ) : 0.0f;
        putProxies( world, i, NULL, reach );
        if ( world->push.anyMovable )
        {
            joPush_Place( world, i, body, reach );
        }
    }
}

joResult joStep_MoveAgain( joWorld* world )
{
    return joProxies_Move( world, numberProxies( world ), false );
}

joResult joStep_Settle( joWorld* world )
{
    joParallelFor( world->def.jobs, world->awakeCount, BODY_BLOCK, settleBlock, world );
    return joStep_MoveAgain( world );
}

void joStep_MoveBack( joWorld* world )
{
    takeBack( world );
    // The broad phase has room for these very objects: it held them a moment ago.
    const joResult result = joProxies_Move( world, numberProxies( world ), false );
    JO_ASSERT( result == jo_success );
    (void)result;
}
