// SPDX-License-Identifier: MIT
// How sliding bodies turn. A turn is taken only if nothing is in its way, which conservative advancement says
// (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, 2.3.2): two that are apart along
// a normal stay so until the points of the one that turns have gone as far along it.
#include "world/proxies.h"
#include "world/slide.h"

#include <string.h>

#define FULL_TURN 6.283185307179586
// No point gets farther from where it was than so many arms.
#define FARTHEST 2.0
// A turn along something takes steps of as far as it is away; what takes more is not taken.
#define TURN_STEPS 64u
// Of the distance: the rest is for rounding.
#define SURE 0.9
// Of the skin: what is nearer is touched.
#define LEAST_APART 0.1

void joSlide_MakeTurn( const joWorld* world, joSlideRun* run, double dt )
{
    const float* velocity = joWorld_BodyVelocity( world, run->body ) + world->space->axisCount;
    const void* start = joSlide_StartPose( world, run->body );
    const void* end = joWorld_BodyPose( world, run->body );
    const size_t positionSize = world->space->axisCount * sizeof( float );
    const bool turns = memcmp( (const char*)start + positionSize, (const char*)end + positionSize,
                           world->space->poseSize - positionSize ) != 0;
    const joWide3 angular = world->space->angularCount == 1 ? ( joWide3 ){ 0.0, 0.0, (double)velocity[0] }
                                                            : joWide3_Of( velocity );
    run->spin = joLength3( angular );
    run->axis = joWide3_Normalize( angular );
    run->angle = 0.0;
    if ( turns )
    {
        const double angle = run->spin * dt;
        run->angle = angle < FULL_TURN ? angle : FULL_TURN;
    }
}

static double armOf( const joWorld* world, const joSlideRun* run, uint32_t collider, const float* pose )
{
    const double pivot[3] = { run->start.x, run->start.y, run->start.z };
    const double axis[3] = { run->axis.x, run->axis.y, run->axis.z };
    return world->space->findArm( joWorld_Shape( world, collider ), pose, pivot, axis );
}

// How far from its places at the start a turn may take a point.
static double excursion( double arm, double angle )
{
    return arm * ( angle < FARTHEST ? angle : FARTHEST );
}

double joSlide_FindBulge( const joWorld* world, const joSlideRun* run )
{
    double most = 0.0;
    uint32_t i = run->angle > 0.0 ? joWorld_Body( world, run->body )->firstCollider : JO_NULL_INDEX;
    for ( ; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        float pose[8];
        joProxies_MakePose( world, i, joSlide_StartPose( world, run->body ), pose );
        const double bulge = excursion( armOf( world, run, i, pose ), 0.5 * run->angle );
        most = bulge > most ? bulge : most;
    }
    return most;
}

// The own collider after a part of the turn.
static void makePose(
    const joWorld* world, const joSlideRun* run, uint32_t collider, double angle, float pose[8] )
{
    float body[8], velocity[JO_MAX_VELOCITY] = { 0.0f };
    const joMotionStep step = { .angularFactor = 1.0f, .dt = (float)( angle / run->spin ) };
    memcpy( body, joSlide_StartPose( world, run->body ), world->space->poseSize );
    memcpy( velocity + world->space->axisCount,
        joWorld_BodyVelocity( world, run->body ) + world->space->axisCount,
        world->space->angularCount * sizeof( float ) );
    world->space->integrate( body, velocity, &step );
    joProxies_MakePose( world, collider, body, pose );
}

// How far the bounds of the two are apart at the start, at least.
static double boundsApart( const joWorld* world, const joSlideRun* run, const joSlideItem* item )
{
    const joWide3 other = joSlide_PositionOf( world, item->otherPose );
    const double apart[3] = { run->start.x - other.x, run->start.y - other.y, run->start.z - other.z };
    double most = 0.0;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        most = item->lower[axis] - apart[axis] > most ? item->lower[axis] - apart[axis] : most;
        most = apart[axis] - item->upper[axis] > most ? apart[axis] - item->upper[axis] : most;
    }
    return most;
}

// Of convex shapes the plane between the nearest points parts all of both: only what goes along its normal
// counts. Of a chain or mesh it parts only one of its parts.
static double speedAlong( const joSlideRun* run, const joSlideItem* item, const float normal[3] )
{
    return item->isCompound ? 1.0 : joLength3( joCross3( joWide3_Of( normal ), run->axis ) );
}

static bool isFree( const joWorld* world, const joSlideRun* run, const joSlideItem* item )
{
    const double arm = armOf( world, run, item->own, item->ownPose );
    double bulge = 0.0;
    if ( item->otherRun != JO_NULL_INDEX )
    {
        const joSlideRun* other = joSlide_RunAt( world, item->otherRun );
        bulge = other->angle > 0.0
                    ? excursion( armOf( world, other, item->other, item->otherPose ), other->angle )
                    : 0.0;
    }
    if ( arm == 0.0 || boundsApart( world, run, item ) > excursion( arm, run->angle ) + bulge )
    {
        return true;
    }
    double turned = 0.0;
    for ( uint32_t i = 0; i < TURN_STEPS; ++i )
    {
        float pose[8], normal[3];
        makePose( world, run, item->own, turned, pose );
        const double left = world->space->distance( joWorld_Shape( world, item->other ), item->otherPose,
                                joWorld_Shape( world, item->own ), pose, normal ) -
                            bulge;
        // Who is in a one-way collider is on the way through it.
        if ( !( left > LEAST_APART * run->skin ) )
        {
            return item->isOneWay && i == 0;
        }
        const double speed = arm * speedAlong( run, item, normal );
        if ( speed * ( run->angle - turned ) < SURE * left )
        {
            return true;
        }
        turned += SURE * left / speed;
    }
    return false;
}

bool joSlide_CanTurn( const joWorld* world, const joSlideRun* run )
{
    bool isAllFree = true;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd && isAllFree; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i );
        isAllFree = !item->isSolid || isFree( world, run, item );
    }
    return isAllFree;
}
