// SPDX-License-Identifier: MIT
// One body's way through a step: out of what it is in, then along its motion, from stop to stop, until the
// step is over; and whether it then stands on ground.
#include "base/assert.h"
#include "world/slide_sweep.h"

#include <string.h>

// What stops a body within so many skins stops it at one place.
#define SEAM 3.0

void joSlideSweep_AddPoint( joSlideSweep* sweep )
{
    joSlideRun* run = sweep->run;
    JO_ASSERT( run->pointCount < JO_SLIDE_POINTS );
    joSlidePoint* point = &run->path[run->pointCount++];
    *point = ( joSlidePoint ){ .position = sweep->at,
        .time = sweep->time,
        .sides = (uint8_t)run->state.sides,
        .hitCount = (uint8_t)run->state.hitCount };
    joSlide_WritePosition( sweep->world, sweep->velocity, point->velocity );
}

static bool isGround( const joSlideRun* run, joWide3 normal )
{
    return run->hasGround && joDot3( normal, run->up ) >= run->leastGround;
}

uint32_t joSlide_FindSide( const joSlideRun* run, joWide3 normal )
{
    const double up = joDot3( normal, run->up );
    const double right = joDot3( normal, run->right ), front = joDot3( normal, run->front );
    if ( up >= JO_SLIDE_LEVEL || isGround( run, normal ) )
    {
        return jo_slideBelow;
    }
    if ( up <= -JO_SLIDE_LEVEL )
    {
        return jo_slideAbove;
    }
    if ( fabs( right ) >= fabs( front ) )
    {
        return right < 0.0 ? jo_slideRight : jo_slideLeft;
    }
    return front < 0.0 ? jo_slideFront : jo_slideBack;
}

// Planes of what the body is no longer at are in nobody's way.
static void dropPlanes( joSlideSweep* sweep )
{
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < sweep->planes.count; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( sweep->world, sweep->planes.planes[i].item );
        joTouchPoint touch;
        if ( joSlide_TouchItem(
                 sweep->world, item, sweep->at, sweep->time, (float)( 2.0 * sweep->run->skin ), &touch ) )
        {
            sweep->planes.planes[kept] = sweep->planes.planes[i];
            sweep->velocityPlanes.planes[kept++] = sweep->velocityPlanes.planes[i];
        }
    }
    sweep->planes.count = sweep->velocityPlanes.count = kept;
}

static joSlidePlane planeOf( const joSlideRun* run, const joSlideItem* item, joWide3 normal, uint32_t number )
{
    const bool grounds = isGround( run, normal );
    const double up = joDot3( normal, run->up );
    const bool isSteep = run->hasGround && !grounds && up > 1e-6 && up < 1.0 - 1e-6;
    return ( joSlidePlane ){ normal, joDot3( item->motion, normal ), grounds, number, isSteep };
}

// Where corner comes down on corner the cast has no one normal. What no longer stops the body once it goes
// along something else that it meets there is a seam: the other one is what stops it.
static void passSeam( const joSlideSweep* sweep, joSlideStop* stop )
{
    const joSlideRun* run = sweep->run;
    const double rest = 1.0 - sweep->time;
    const double first = stop->part;
    joSlideStop best = *stop;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( sweep->world, i );
        const joWide3 normal = joWide3_Normalize( joWide3_Of( item->stop.normal ) );
        if ( i == stop->item || !( ( item->part - first ) * item->reach <= SEAM * run->skin ) )
        {
            continue;
        }
        const joSlideStop found = { .part = first, .normal = normal, .item = i };
        const bool isBetter = best.item == stop->item || joSlideStop_IsBefore( &found, &best, sweep->motion );
        // Normals that are all but the same: the one that is met more squarely.
        if ( joDot3( normal, stop->normal ) > 0.9999 )
        {
            best = joSlideStop_IsBefore( &found, &best, sweep->motion ) ? found : best;
            continue;
        }
        const joSlidePlanes plane = { { planeOf( run, item, normal, i ) }, 1 };
        const joWide3 along = joScale3( rest, joSlidePlanes_Solve( &plane, sweep->motion, run->up ) );
        if ( isBetter &&
             !joSlide_WouldStop( sweep->world, run, stop->item, sweep->at, sweep->time, along, rest ) )
        {
            best = found;
        }
    }
    *stop = best;
}

// The velocity that something has along a normal, to a body that has its own relative to what carries it.
static double carriedBy( const joSlideSweep* sweep, const joSlideItem* item, joWide3 normal )
{
    return ( joDot3( item->motion, normal ) - joDot3( sweep->run->carry, normal ) ) / sweep->run->dt;
}

static void addPlane( joSlideSweep* sweep, const joSlideStop* stop )
{
    const joSlideItem* item = joSlide_ItemAt( sweep->world, stop->item );
    const double carried = carriedBy( sweep, item, stop->normal );
    const joSlidePlane plane = planeOf( sweep->run, item, stop->normal, stop->item );
    // Ground stops what falls, and leaves what walks.
    joSlidePlane still = plane;
    still.normal = plane.isGround ? sweep->run->up : stop->normal;
    still.speed = carried < 0.0 ? carried : 0.0;
    still.isGround = false;
    joSlidePlanes_Add( &sweep->planes, &plane );
    joSlidePlanes_Add( &sweep->velocityPlanes, &still );
    sweep->isOnGround = sweep->isOnGround || plane.isGround;
}

// What becomes of motion and velocity at a stop.
static void deflect( joSlideSweep* sweep, const joSlideStop* stop )
{
    const joSlideRun* run = sweep->run;
    joSlideItem* item = joSlide_ItemAt( sweep->world, stop->item );
    const joWide3 normal = stop->normal;
    if ( item->otherRun != JO_NULL_INDEX )
    {
        joSlide_StopOther( item, normal, sweep->time );
    }
    const double into = carriedBy( sweep, item, normal ) - joDot3( sweep->velocity, normal );
    if ( item->restitution > 0.0 && into > run->leastBounce )
    {
        const double back = 1.0 + item->restitution;
        const double speed = joDot3( item->motion, normal );
        sweep->velocity = joAddScaled3( sweep->velocity, back * into, normal );
        sweep->motion =
            joAddScaled3( sweep->motion, back * ( speed - joDot3( sweep->motion, normal ) ), normal );
        sweep->planes.count = sweep->velocityPlanes.count = 0;
        return;
    }
    dropPlanes( sweep );
    addPlane( sweep, stop );
    sweep->motion = joSlidePlanes_Solve( &sweep->planes, sweep->motion, run->up );
    sweep->velocity = joSlidePlanes_Solve( &sweep->velocityPlanes, sweep->velocity, run->up );
}

static void note( joSlideSweep* sweep, const joSlideStop* stop )
{
    sweep->run->state.sides |= joSlide_FindSide( sweep->run, stop->normal );
    sweep->run->state.hitCount += 1;
    joSlide_NoteMet( sweep->world, sweep->run, stop, sweep->time );
}

static void standOn( joSlideSweep* sweep, const joSlideStop* stop )
{
    joSlideState* state = &sweep->run->state;
    const joSlideItem* item = joSlide_ItemAt( sweep->world, stop->item );
    const uint32_t ground = joWorld_Collider( sweep->world, item->other )->body;
    const joWide3 carry =
        joScale3( 1.0 / sweep->run->dt, joSlide_FindCarry( sweep->world, ground, sweep->at ) );
    state->sides |= jo_slideBelow;
    state->isGrounded = true;
    state->groundBody = joWorld_BodyIdAt( sweep->world, ground );
    memcpy( state->groundNormal, item->stop.normal, sizeof( state->groundNormal ) );
    state->groundVelocity[0] = joKeepFinite( carry.x );
    state->groundVelocity[1] = joKeepFinite( carry.y );
    state->groundVelocity[2] = joKeepFinite( carry.z );
}

// How far a probe goes before it stops.
static joWide3 reach(
    const joSlideSweep* sweep, joWide3 from, double time, joWide3 way, double duration, double* part )
{
    joSlideStop stop = { .part = 1.0 };
    joSlide_Probe( sweep->world, sweep->run, from, time, way, duration, &stop );
    *part = stop.part;
    return joAddScaled3( from, stop.part, way );
}

// How high a stop is above the lowest of the bounds of what is stopped, with the body at its place.
static double heightOf( const joSlideSweep* sweep, const joSlideStop* stop )
{
    const joSlideItem* item = joSlide_ItemAt( sweep->world, stop->item );
    const joWide3 up = sweep->run->up;
    float lower[3], upper[3];
    sweep->world->space->computeBounds(
        joWorld_Shape( sweep->world, item->own ), item->ownPose, lower, upper );
    const joWide3 foot = { (double)( up.x > 0.0 ? lower[0] : upper[0] ),
        (double)( up.y > 0.0 ? lower[1] : upper[1] ), (double)( up.z > 0.0 ? lower[2] : upper[2] ) };
    const joWide3 moved = joSubtract3( sweep->at, sweep->run->start );
    return joDot3( joSubtract3( joWide3_Of( item->stop.point ), joAdd3( foot, moved ) ), up );
}

// Whether there is ground below a place, no farther down than it has been raised; *at is above it then.
static bool findLanding(
    const joSlideSweep* sweep, double time, double raised, joWide3* at, joSlideStop* stop )
{
    const joSlideRun* run = sweep->run;
    const joWide3 down = joScale3( -( raised + 2.0 * run->skin ), run->up );
    if ( !joSlide_Probe( sweep->world, sweep->run, *at, time, down, 0.0, stop ) )
    {
        return false;
    }
    *at = joAddScaled3( *at, stop->part, down );
    // What is round may stand on the edge of what is higher.
    return isGround( run, stop->normal ) &&
           heightOf( sweep, stop ) <= (double)sweep->def->stepHeight + 2.0 * run->skin;
}

// What stops a walk may be a step: up, on, and down again, each of them swept.
static bool stepUp( joSlideSweep* sweep, joSlideStop* stop )
{
    joSlideRun* run = sweep->run;
    const double rest = 1.0 - sweep->time;
    const bool rises = joDot3( sweep->velocity, run->up ) * sweep->run->dt > 0.1 * run->skin;
    const joWide3 level =
        joScale3( rest, joAddScaled3( sweep->motion, -joDot3( sweep->motion, run->up ), run->up ) );
    if ( !( sweep->def->stepHeight > 0.0f ) || !sweep->isOnGround || rises || isGround( run, stop->normal ) ||
         !( joDot3( level, stop->normal ) < 0.0 ) )
    {
        return false;
    }
    double raised, on;
    const joWide3 up = joScale3( (double)sweep->def->stepHeight, run->up );
    const joWide3 high = reach( sweep, sweep->at, sweep->time, up, 0.0, &raised );
    const joWide3 above = reach( sweep, high, sweep->time, level, rest, &on );
    const double time = sweep->time + on * rest;
    if ( !( on * joLength3( level ) > 1e-3 * run->skin ) )
    {
        return false;
    }
    raised *= (double)sweep->def->stepHeight;
    joWide3 end = above;
    joSlideStop landing;
    const bool lands = findLanding( sweep, time, raised, &end, &landing );
    if ( !lands )
    {
        // What is round stands on the edge at first: there must be ground where it gets to.
        double ahead;
        joWide3 beyond =
            reach( sweep, above, time, joScale3( 0.5 * run->size, joWide3_Normalize( level ) ), 0.0, &ahead );
        if ( !findLanding( sweep, time, raised, &beyond, &landing ) ||
             joDot3( joSubtract3( beyond, sweep->at ), run->up ) < run->skin )
        {
            return false;
        }
    }
    sweep->at = high;
    joSlideSweep_AddPoint( sweep );
    sweep->at = above;
    sweep->time = time;
    joSlideSweep_AddPoint( sweep );
    sweep->at = end;
    joSlideSweep_AddPoint( sweep );
    const double falls = joDot3( sweep->velocity, run->up );
    sweep->velocity = joAddScaled3( sweep->velocity, falls < 0.0 ? -falls : 0.0, run->up );
    sweep->standsOnEdge = !lands;
    *stop = landing;
    return true;
}

// Not farther than the bounds in which all that is in the way has been found: returns which part of the rest
// of the step can be gone. What is pushed goes as it is pushed as far as it can, anything else more slowly.
static double holdReach( joSlideSweep* sweep, double rest )
{
    const double left = sweep->run->reach - sweep->gone, wanted = rest * joLength3( sweep->motion );
    const double part = wanted > left && sweep->gone > 0.0 ? ( left > 0.0 ? left / wanted : 0.0 ) : 1.0;
    if ( !sweep->isStanding )
    {
        sweep->motion = joScale3( part, sweep->motion );
    }
    return sweep->isStanding ? part : 1.0;
}

// For the rest of the step it stands, but for what pushes it. For that there is always some way left.
static void stand( joSlideSweep* sweep )
{
    const joWide3 none = { 0.0, 0.0, 0.0 };
    const double left = sweep->run->reach - sweep->run->push;
    sweep->gone = sweep->isStanding || sweep->gone > left ? sweep->gone : left;
    sweep->isStanding = true;
    sweep->motion = joSlidePlanes_Solve( &sweep->planes, none, sweep->run->up );
}

// What becomes of it at a stop.
static void turnAt( joSlideSweep* sweep, joSlideStop* stop, bool isLast )
{
    joSlideRun* run = sweep->run;
    const uint32_t sides = run->state.sides, hitCount = run->state.hitCount;
    note( sweep, stop );
    const bool stepsUp = !sweep->isStanding && stepUp( sweep, stop );
    if ( stepsUp )
    {
        run->state.sides = sides;
        run->state.hitCount = hitCount;
        sweep->planes.count = sweep->velocityPlanes.count = 0;
        if ( sweep->standsOnEdge )
        {
            standOn( sweep, stop );
        }
    }
    else
    {
        deflect( sweep, stop );
    }
    if ( stepsUp || isLast )
    {
        // What it has bounced off is behind its velocity, but goes on into a body that stands.
        if ( sweep->planes.count == 0 )
        {
            addPlane( sweep, stop );
        }
        stand( sweep );
    }
}

static void slide( joSlideSweep* sweep )
{
    joSlideRun* run = sweep->run;
    uint32_t pushes = 0;
    for ( uint32_t turns = 0; sweep->time < 1.0 && pushes <= JO_SLIDE_PUSHES && joSlideRun_HasRoom( run );
          ++turns )
    {
        const double rest = 1.0 - sweep->time;
        const double most = holdReach( sweep, rest );
        const joWide3 way = joScale3( rest, sweep->motion );
        joSlideStop stop = { .part = 1.0 };
        bool isStopped = joSlide_Probe( sweep->world, run, sweep->at, sweep->time, way, rest, &stop );
        isStopped = isStopped && stop.part <= most;
        const double part = isStopped ? stop.part : most;
        sweep->at = joAddScaled3( sweep->at, part, way );
        sweep->gone += part * joLength3( way );
        sweep->time = isStopped || most < 1.0 ? sweep->time + part * rest : 1.0;
        joSlideSweep_AddPoint( sweep );
        if ( !isStopped )
        {
            break;
        }
        passSeam( sweep, &stop );
        pushes += sweep->isStanding;
        turnAt( sweep, &stop, sweep->isStanding || turns >= sweep->def->maxSlides );
    }
    run->isHemmed = sweep->time < 1.0;
    if ( run->isHemmed )
    {
        sweep->time = 1.0;
        joSlideSweep_AddPoint( sweep );
    }
}

// Whether it stands on ground at the end; what stood there before, and does not jump, follows it down.
static void findGround( joSlideSweep* sweep )
{
    joSlideRun* run = sweep->run;
    const double rising = joDot3( sweep->velocity, run->up ) * sweep->run->dt;
    if ( !run->hasGround || sweep->standsOnEdge || rising > 0.1 * run->skin )
    {
        return;
    }
    const joWide3 gone = joSubtract3( sweep->at, run->path[0].position );
    const joWide3 level = joAddScaled3( gone, -joDot3( gone, run->up ), run->up );
    const double slope = sqrt( 1.0 - run->leastGround * run->leastGround ) / run->leastGround;
    const double follow =
        sweep->isOnGround ? (double)sweep->def->stepHeight + slope * joLength3( level ) : 0.0;
    const joWide3 down = joScale3( -( follow + 1.5 * run->skin ), run->up );
    joSlideStop stop;
    if ( !joSlide_Probe( sweep->world, run, sweep->at, 1.0, down, 0.0, &stop ) ||
         !isGround( run, stop.normal ) )
    {
        return;
    }
    if ( sweep->isOnGround )
    {
        sweep->at = joAddScaled3( sweep->at, stop.part, down );
        joSlideSweep_AddPoint( sweep );
    }
    standOn( sweep, &stop );
}

void joSlide_SweepBody( joWorld* world, uint32_t number )
{
    const joSlide* row = joSlide_At( world, number );
    joSlideRun* run = joSlide_RunAt( world, number );
    joSlideSweep sweep = { .world = world,
        .run = run,
        .def = &row->def,
        .at = run->start,
        .motion = run->wish,
        .velocity = run->velocity,
        .isOnGround = row->state.isGrounded };
    memset( &run->state, 0, sizeof( run->state ) );
    run->pointCount = 0;
    run->limit = 1.0;
    run->isHemmed = run->isPushed = false;
    joSlideSweep_AddPoint( &sweep );
    joSlideSweep_Recover( &sweep );
    slide( &sweep );
    joSlideSweep_LeaveTurned( &sweep );
    findGround( &sweep );
    run->velocity = sweep.velocity;
}

// Velocity and what has been met, as they are at the limit of the way.
static void takeLimit( joSlideRun* run )
{
    const joSlidePoint* point = joSlide_PointAt( run, run->limit );
    run->velocity = joWide3_Of( point->velocity );
    memset( &run->state, 0, sizeof( run->state ) );
    run->state.sides = point->sides;
    run->state.hitCount = point->hitCount;
}

void joSlide_EndAtLimit( joWorld* world, uint32_t number )
{
    joSlideRun* run = joSlide_RunAt( world, number );
    if ( run->limit >= 1.0 )
    {
        return;
    }
    takeLimit( run );
    joSlideSweep sweep = { .world = world,
        .run = run,
        .def = &joSlide_At( world, number )->def,
        .at = joSlide_PlaceAt( run, run->limit ),
        .time = 1.0,
        .velocity = run->velocity };
    findGround( &sweep );
}

// Leaves of the way what is gone at its limit; returns how long that is.
static double cutWay( joSlideRun* run, joWide3 at )
{
    double gone = 0.0;
    uint32_t kept = 1;
    while ( kept < run->pointCount && run->path[kept].time < run->limit )
    {
        gone += joLength3( joSubtract3( run->path[kept].position, run->path[kept - 1].position ) );
        kept += 1;
    }
    run->pointCount = kept;
    return gone + joLength3( joSubtract3( at, run->path[kept - 1].position ) );
}

void joSlide_PushOn( joWorld* world, uint32_t number )
{
    const joSlide* row = joSlide_At( world, number );
    joSlideRun* run = joSlide_RunAt( world, number );
    const bool wasOnGround = run->state.isGrounded;
    takeLimit( run );
    joSlideSweep sweep = { .world = world,
        .run = run,
        .def = &row->def,
        .at = joSlide_PlaceAt( run, run->limit ),
        .time = run->limit,
        .velocity = run->velocity,
        .isOnGround = wasOnGround };
    joSlide_ForgetMet( world, run );
    sweep.gone = cutWay( run, sweep.at );
    run->limit = 1.0;
    joSlideSweep_AddPoint( &sweep );
    stand( &sweep );
    slide( &sweep );
    joSlideSweep_LeaveTurned( &sweep );
    findGround( &sweep );
    run->velocity = sweep.velocity;
}
