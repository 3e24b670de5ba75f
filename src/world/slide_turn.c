// SPDX-License-Identifier: MIT
// How sliding bodies turn. A turn is taken only if nothing is in its way, which conservative advancement says
// (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, 2.3.2): two that are apart along
// a normal stay so until the points of the one that turns have gone as far along it.
#include "world/motion.h"
#include "world/proxies.h"
#include "world/slide.h"

#include <string.h>

#define FULL_TURN 6.283185307179586
// No point gets farther from where it was than so many arms.
#define FARTHEST 2.0
// A turn along something takes steps of as far as it is away; what takes more is not taken.
#define TURN_STEPS 64u
// Of the size of a body: how far another may turn at its place before it is looked at again; and how often
// that is at most.
#define PART_OF_SIZE 0.25
#define TURN_PARTS 16u
// Of the distance: the rest is for rounding.
#define SURE 0.9
// Of the skin: what is nearer is touched.
#define LEAST_APART 0.1

static joWide3 angularOf( const joWorld* world, uint32_t body )
{
    const float* velocity = joWorld_BodyVelocity( world, body ) + world->space->axisCount;
    return world->space->angularCount == 1 ? ( joWide3 ){ 0.0, 0.0, (double)velocity[0] }
                                           : joWide3_Of( velocity );
}

double joSlide_FindAngle( const joWorld* world, uint32_t body, double dt )
{
    const char* start = joSlide_StartPose( world, body );
    const char* end = joWorld_BodyPose( world, body );
    const size_t position = world->space->axisCount * sizeof( float );
    const bool turns = memcmp( start + position, end + position, world->space->poseSize - position ) != 0;
    return turns ? joLength3( angularOf( world, body ) ) * dt : 0.0;
}

void joSlide_MakeTurn( const joWorld* world, joSlideRun* run )
{
    const joWide3 angular = angularOf( world, run->body );
    const double angle = joSlide_FindAngle( world, run->body, run->dt );
    run->spin = joLength3( angular );
    run->axis = joWide3_Normalize( angular );
    run->angle = angle < FULL_TURN ? angle : FULL_TURN;
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

// A collider after its body has turned for so long.
static void makePose( const joWorld* world, uint32_t collider, double seconds, float pose[8] )
{
    const uint32_t body = joWorld_Collider( world, collider )->body;
    float turned[8], velocity[JO_MAX_VELOCITY] = { 0.0f };
    const joMotionStep step = { .angularFactor = 1.0f, .dt = (float)seconds };
    memcpy( turned, joSlide_StartPose( world, body ), world->space->poseSize );
    memcpy( velocity + world->space->axisCount, joWorld_BodyVelocity( world, body ) + world->space->axisCount,
        world->space->angularCount * sizeof( float ) );
    world->space->integrate( turned, velocity, &step );
    joProxies_MakePose( world, collider, turned, pose );
}

void joSlide_TurnOthers( joWorld* world, const joSlideRun* run, double part )
{
    const size_t position = world->space->axisCount * sizeof( float );
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        if ( item->otherTurn > 0.0 )
        {
            float pose[8];
            makePose( world, item->other, part * run->dt, pose );
            memcpy( (char*)item->otherPose + position, (const char*)pose + position,
                world->space->poseSize - position );
            joSlide_PlaceOwn( world, run, item );
        }
    }
}

uint32_t joSlide_FindTurnParts(
    const joWorld* world, const joSlideRun* run, const joSlideItem* item, joWide3 at )
{
    float lower[3], upper[3];
    world->space->computeBounds( joWorld_Shape( world, item->own ), item->ownPose, lower, upper );
    double thinnest = INFINITY;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        thinnest = fmin( thinnest, (double)upper[axis] - (double)lower[axis] );
    }
    const joWide3 other =
        joAdd3( joSlide_PositionOf( world, item->otherPose ), joAdd3( item->shift, item->motion ) );
    const double arm = joLength3( joSubtract3( at, other ) ) + run->size;
    const double parts = ceil( item->otherTurn * arm / ( PART_OF_SIZE * thinnest ) );
    return parts < (double)TURN_PARTS ? (uint32_t)parts : TURN_PARTS;
}

void joSlide_HoldTurn( joWorld* world, uint32_t i, float dt )
{
    const uint32_t body = ( (const uint32_t*)world->awake.data )[i];
    const double angle = joSlide_FindAngle( world, body, (double)dt );
    uint32_t proxy = joStep_FirstProxy( world, i );
    uint32_t collider = angle > 0.0 ? joWorld_Body( world, body )->firstCollider : JO_NULL_INDEX;
    for ( ; collider != JO_NULL_INDEX; collider = joWorld_Collider( world, collider )->next )
    {
        if ( joWorld_Collider( world, collider )->isPlaced )
        {
            float lower[3], upper[3];
            const void* pose = joWorld_ColliderPose( world, collider );
            const joWide3 at = joSlide_PositionOf( world, pose );
            const double place[3] = { at.x, at.y, at.z };
            world->space->computeBounds( joWorld_Shape( world, collider ), pose, lower, upper );
            double armSq = 0.0;
            for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
            {
                const double far =
                    fmax( place[axis] - (double)lower[axis], (double)upper[axis] - place[axis] );
                armSq += far * far;
            }
            const double bulge = excursion( sqrt( armSq ), angle );
            const double around[3] = { bulge, bulge, bulge };
            joProxies_Widen( world, proxy++, around, around );
        }
    }
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
        makePose( world, item->own, turned / run->spin, pose );
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
