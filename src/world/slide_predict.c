// SPDX-License-Identifier: MIT
// Where sliding bodies want to go in a step, and bounds that hold wherever they may get.
#include "world/motion.h"
#include "world/proxies.h"
#include "world/slide.h"

#include <string.h>

#define SLIDE_BLOCK 16u

typedef struct Stage
{
    joWorld* world;
    float dt;
} Stage;

static double hold( double x )
{
    return x > JO_MAX_SLIDE_MOTION    ? JO_MAX_SLIDE_MOTION
           : x < -JO_MAX_SLIDE_MOTION ? -JO_MAX_SLIDE_MOTION
                                      : x;
}

joWide3 joSlide_HoldMotion( joWide3 v )
{
    return ( joWide3 ){ hold( v.x ), hold( v.y ), hold( v.z ) };
}

// Where a body was at the start of the step.
const void* joSlide_StartPose( const joWorld* world, uint32_t body )
{
    const uint32_t awake = joWorld_Body( world, body )->awakeIndex;
    return awake != JO_NULL_INDEX ? joStep_OldPose( world, awake ) : joWorld_BodyPose( world, body );
}

void joSlide_MakeTurnedPose( const joWorld* world, const joSlideRun* run, void* pose )
{
    const void* turned =
        run->isTurned ? joWorld_BodyPose( world, run->body ) : joSlide_StartPose( world, run->body );
    memcpy( pose, turned, world->space->poseSize );
    joSlide_WritePosition( world, run->start, pose );
}

joWide3 joSlide_FindCarry( const joWorld* world, uint32_t ground, joWide3 point )
{
    const joBody* record = joWorld_Body( world, ground );
    joWide3 moved = { 0.0, 0.0, 0.0 };
    if ( record->awakeIndex != JO_NULL_INDEX && record->type != jo_staticBody )
    {
        const double from[3] = { point.x, point.y, point.z };
        double to[3];
        world->space->carry(
            joSlide_StartPose( world, ground ), joWorld_BodyPose( world, ground ), from, to );
        moved = joSlide_HoldMotion( ( joWide3 ){ to[0] - from[0], to[1] - from[1], to[2] - from[2] } );
    }
    return moved;
}

joResult joSlide_ReserveRuns( joWorld* world )
{
    return joArray_ReserveSlack(
        &world->slideRuns, &world->memory, world->slideCount, sizeof( joSlideRun ), 0 );
}

// The directions that sides are told by.
static void makeFrame( const joWorld* world, const joSlideDef* def, joSlideRun* run )
{
    float way[3] = { def->up[0], def->up[1], world->space->axisCount > 2 ? def->up[2] : 0.0f };
    joWide3 up = joWide3_Of( way );
    if ( !( joDot3( up, up ) > 0.0 ) )
    {
        const float* gravity = world->def.gravity;
        up = ( joWide3 ){ -(double)gravity[0], -(double)gravity[1],
            world->space->axisCount > 2 ? -(double)gravity[2] : 0.0 };
    }
    run->hasGround = joDot3( up, up ) > 0.0;
    run->up = run->hasGround ? joWide3_Normalize( up ) : ( joWide3 ){ 0.0, 1.0, 0.0 };
    if ( world->space->axisCount == 2 )
    {
        run->right = ( joWide3 ){ run->up.y, -run->up.x, 0.0 };
        run->front = ( joWide3 ){ 0.0, 0.0, 0.0 };
        return;
    }
    const joWide3 axis =
        fabs( run->up.x ) > 0.99 ? ( joWide3 ){ 0.0, 1.0, 0.0 } : ( joWide3 ){ 1.0, 0.0, 0.0 };
    run->right = joWide3_Normalize( joAddScaled3( axis, -joDot3( axis, run->up ), run->up ) );
    run->front = joCross3( run->right, run->up );
}

static void makeMotion( const joWorld* world, const joSlide* row, joSlideRun* run, double dt )
{
    const joBody* record = joWorld_Body( world, row->body );
    const float* velocity = joWorld_BodyVelocity( world, row->body );
    run->start = joSlide_PositionOf( world, joSlide_StartPose( world, row->body ) );
    run->velocity = joSlide_PositionOf( world, velocity );
    run->dt = dt;
    joSlide_MakeTurn( world, run );
    run->carry = ( joWide3 ){ 0.0, 0.0, 0.0 };
    const uint32_t ground = joWorld_FindBody( world, row->state.groundBody );
    if ( row->state.isGrounded && ground != JO_NULL_INDEX )
    {
        run->carry = joSlide_FindCarry( world, ground, run->start );
    }
    run->wish = joSlide_HoldMotion( joAddScaled3( run->carry, dt, run->velocity ) );
    double farthest = fabs( run->start.x );
    farthest = fabs( run->start.y ) > farthest ? fabs( run->start.y ) : farthest;
    farthest = fabs( run->start.z ) > farthest ? fabs( run->start.z ) : farthest;
    const double skin = (double)row->def.skinWidth + 5e-7 * farthest;
    run->skin = skin < (double)JO_MAX_SIZE ? skin : (double)JO_MAX_SIZE;
    // A hair more than the limit, so that what is as steep as that is ground.
    run->leastGround = (double)joCos( row->def.slopeLimit ) - 1e-4;
    const double gravity = record->type == jo_dynamicBody
                               ? joLength3( joWide3_Of( world->def.gravity ) ) * (double)record->gravityScale
                               : 0.0;
    run->leastBounce = 2.0 * fabs( gravity ) * dt;
}

// Bounds that hold wherever the body may get: anywhere within the length of its motion, as it may turn at
// every stop; up to a step, and down after the ground.
static void putProxies( joWorld* world, const joSlide* row, joSlideRun* run )
{
    const joBody* record = joWorld_Body( world, row->body );
    float turned[8];
    memcpy( turned, joWorld_BodyPose( world, row->body ), world->space->poseSize );
    joSlide_WritePosition( world, run->start, turned );
    const uint32_t first = joStep_FirstProxy( world, record->awakeIndex );
    uint32_t proxy = first;
    run->size = 0.0;
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( joWorld_Collider( world, i )->isPlaced )
        {
            joProxies_PutAt( world, proxy, i, turned );
            joProxies_Unite( world, proxy, i, joSlide_StartPose( world, row->body ) );
            const double size = joProxies_Size( world, proxy++ );
            run->size = size > run->size ? size : run->size;
        }
    }
    run->reach = joSlideRun_ReachOf( run, joLength3( run->wish ) );
    run->push = 0.0;
    const double around = 8.0 * run->skin + 2.0 * (double)row->def.stepHeight + 0.1 * run->size +
                          joSlide_FindBulge( world, run );
    const bool isStraight = row->def.maxSlides == 0;
    const double way[3] = { run->wish.x, run->wish.y, run->wish.z };
    double lower[3], upper[3];
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        lower[axis] = around + ( isStraight ? ( way[axis] < 0.0 ? -way[axis] : 0.0 ) : run->reach );
        upper[axis] = around + ( isStraight ? ( way[axis] > 0.0 ? way[axis] : 0.0 ) : run->reach );
    }
    for ( uint32_t i = first; i < proxy; ++i )
    {
        joProxies_Widen( world, i, lower, upper );
    }
}

static void predictBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joSlide* row = joSlide_At( stage->world, i );
        joSlideRun* run = joSlide_RunAt( stage->world, i );
        run->body = row->body;
        run->isTurned = run->isPushed = false;
        run->angle = 0.0;
        run->limit = 1.0;
        if ( joBody_IsSwept( joWorld_Body( stage->world, row->body ) ) )
        {
            makeFrame( stage->world, &row->def, run );
            makeMotion( stage->world, row, run, (double)stage->dt );
            putProxies( stage->world, row, run );
        }
    }
}

void joSlide_Predict( joWorld* world, float dt )
{
    Stage stage = { world, dt };
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, predictBlock, &stage );
}
