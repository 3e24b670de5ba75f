// SPDX-License-Identifier: MIT
// What the bodies of a scene do of themselves, before each step. Only what changes is set, so that what rests
// may sleep.
#include "scene_bodies.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keeps element `from` of the scratch as element `to`, with its id.
static void Keep( joSceneScratch* scratch, const joSceneGroup* group, uint32_t from, uint32_t to )
{
    scratch->ids[to] = group->ids[from];
    memmove( joPlaceAt( scratch, to ), joPlaceAt( scratch, from ), scratch->poseSize );
    memmove( joVelocityAt( scratch, to ), joVelocityAt( scratch, from ), scratch->velocitySize );
}

// --- bounce and fly ---------------------------------------------------------------------------------------

// Turns round what the next step would carry out of the area, or farther out of it.
static bool Bounce( const joSceneArea* area, int dimension, float dt, const float* place, float* velocity )
{
    bool turns = false;
    for ( int axis = 0; axis < dimension; ++axis )
    {
        const float next = place[axis] + dt * velocity[axis];
        const bool leaves = ( next < area->lower[axis] && velocity[axis] < 0.0f ) ||
                            ( next > area->upper[axis] && velocity[axis] > 0.0f );
        velocity[axis] = leaves ? -velocity[axis] : velocity[axis];
        turns = turns || leaves;
    }
    return turns;
}

static bool Wrap( const joSceneArea* area, int dimension, float* place )
{
    bool wraps = false;
    for ( int axis = 0; axis < dimension; ++axis )
    {
        const float lower = area->lower[axis], upper = area->upper[axis];
        if ( place[axis] < lower || place[axis] > upper )
        {
            const float other =
                place[axis] < lower ? place[axis] + ( upper - lower ) : place[axis] - ( upper - lower );
            // What is farther away than the area is long comes in at its side.
            place[axis] = other < lower ? lower : other > upper ? upper : other;
            wraps = true;
        }
    }
    return wraps;
}

static joResult StayInArea( joSceneRun* run, const joSceneGroup* group )
{
    const joBehaviour* behaviour = &group->source->behaviour;
    const joSceneArea area = joSceneRun_Scale( run, &behaviour->area );
    const int dimension = run->scene->dimension;
    const bool bounces = behaviour->kind == jo_bounceBehaviour;
    joSceneScratch* scratch = run->scratch;
    const joResult result = joSceneRun_Get( run, group->ids, group->count );
    uint32_t changed = 0;
    for ( uint32_t i = 0; i < group->count && !result; ++i )
    {
        float* place = joPlaceAt( scratch, i );
        if ( bounces ? Bounce( &area, dimension, run->scene->timeStep, place, joVelocityAt( scratch, i ) )
                     : Wrap( &area, dimension, place ) )
        {
            Keep( scratch, group, i, changed++ );
        }
    }
    return result         ? result
           : changed == 0 ? jo_success
           : bounces      ? joSceneRun_SetVelocities( run, changed )
                          : joSceneRun_SetPoses( run, changed );
}

// --- chase ------------------------------------------------------------------------------------------------

static bool IsOfLayer( const joSceneBody* body, uint32_t layer )
{
    bool isOfLayer = false;
    for ( uint32_t k = 0; k < body->colliderCount; ++k )
    {
        isOfLayer = isOfLayer || body->colliders[k].filter.layer == layer;
    }
    return isOfLayer;
}

// Places of all bodies with a collider of the layer, three numbers each, to be freed.
static joResult FindTargets( joSceneRun* run, uint32_t layer, float** targets, uint32_t* count )
{
    const size_t placeSize = (size_t)run->scene->dimension * sizeof( float );
    uint32_t capacity = 1;
    for ( uint32_t g = 0; g < run->scene->bodyCount; ++g )
    {
        capacity += IsOfLayer( run->groups[g].source, layer ) ? run->groups[g].count : 0;
    }
    *count = 0;
    *targets = calloc( capacity, 3 * sizeof( float ) );
    joResult result = *targets == NULL ? jo_errorOutOfMemory : jo_success;
    for ( uint32_t g = 0; g < run->scene->bodyCount && !result; ++g )
    {
        const joSceneGroup* group = &run->groups[g];
        if ( IsOfLayer( group->source, layer ) )
        {
            result = joSceneRun_Get( run, group->ids, group->count );
            for ( uint32_t i = 0; i < group->count && !result; ++i )
            {
                memcpy( *targets + 3 * ( *count )++, joPlaceAt( run->scratch, i ), placeSize );
            }
        }
    }
    return result;
}

// Towards the nearest of the targets, the first of those at one distance; still where it has come to it.
static void Chase( const float* targets, uint32_t targetCount, float speed, int dimension, const float* place,
    float* velocity )
{
    float least = INFINITY, way[3] = { 0.0f };
    for ( uint32_t t = 0; t < targetCount; ++t )
    {
        float square = 0.0f, difference[3] = { 0.0f };
        for ( int axis = 0; axis < dimension; ++axis )
        {
            difference[axis] = targets[3 * t + (uint32_t)axis] - place[axis];
            square += difference[axis] * difference[axis];
        }
        if ( square < least )
        {
            least = square;
            memcpy( way, difference, sizeof( way ) );
        }
    }
    const float factor = least > 0.0f && least < INFINITY ? speed / sqrtf( least ) : 0.0f;
    for ( int axis = 0; axis < dimension; ++axis )
    {
        velocity[axis] = factor * way[axis];
    }
}

// O(bodies * targets): chases are after few.
static joResult ChaseAll( joSceneRun* run, const joSceneGroup* group )
{
    const joBehaviour* behaviour = &group->source->behaviour;
    float* targets = NULL;
    uint32_t targetCount;
    joResult result = FindTargets( run, behaviour->layer, &targets, &targetCount );
    result = result ? result : joSceneRun_Get( run, group->ids, group->count );
    for ( uint32_t i = 0; i < group->count && !result; ++i )
    {
        Chase( targets, targetCount, behaviour->speed, run->scene->dimension, joPlaceAt( run->scratch, i ),
            joVelocityAt( run->scratch, i ) );
        run->scratch->ids[i] = group->ids[i];
    }
    free( targets );
    return result ? result : joSceneRun_SetVelocities( run, group->count );
}

// --- patrol -----------------------------------------------------------------------------------------------

// True: the point is reached in the next step.
static bool Approach(
    const float* point, float speed, float dt, int dimension, const float* place, float* velocity )
{
    float square = 0.0f;
    for ( int axis = 0; axis < dimension; ++axis )
    {
        velocity[axis] = point[axis] - place[axis];
        square += velocity[axis] * velocity[axis];
    }
    const float distance = sqrtf( square );
    const bool arrives = distance <= speed * dt;
    const float factor = arrives ? 1.0f / dt : speed / distance;
    for ( int axis = 0; axis < dimension; ++axis )
    {
        velocity[axis] *= factor;
    }
    return arrives;
}

static joResult Patrol( joSceneRun* run, joSceneGroup* group )
{
    const joBehaviour* behaviour = &group->source->behaviour;
    const joResult result = joSceneRun_Get( run, group->ids, group->count );
    for ( uint32_t i = 0; i < group->count && !result; ++i )
    {
        uint32_t* next = &group->progress[i];
        const bool arrives = Approach( behaviour->points + 3 * *next, behaviour->speed, run->scene->timeStep,
            run->scene->dimension, joPlaceAt( run->scratch, i ), joVelocityAt( run->scratch, i ) );
        *next = arrives ? ( *next + 1 ) % behaviour->pointCount : *next;
        run->scratch->ids[i] = group->ids[i];
    }
    return result ? result : joSceneRun_SetVelocities( run, group->count );
}

// --- script -----------------------------------------------------------------------------------------------

// What slides jumps from the ground alone, with what the ground adds.
static joResult Jump(
    const joSceneRun* run, const joSceneGroup* group, uint32_t i, float jump, float* velocity )
{
    joSlideState state = { .isGrounded = true };
    const joResult result = group->source->def2.response == jo_slide
                                ? joWorld_GetSlideState( run->world, group->ids[i], &state )
                                : jo_success;
    velocity[1] = !result && state.isGrounded ? jump + state.groundVelocity[1] : velocity[1];
    return result;
}

// Moves as the last input says whose time has come; its velocity along y, which is up, stays but for jumps.
static joResult FollowScript( joSceneRun* run, joSceneGroup* group )
{
    const joBehaviour* behaviour = &group->source->behaviour;
    const double now = (double)run->stepCount * (double)run->scene->timeStep;
    joSceneScratch* scratch = run->scratch;
    joResult result = joSceneRun_Get( run, group->ids, group->count );
    for ( uint32_t i = 0; i < group->count && !result; ++i )
    {
        // How many inputs there have been.
        uint32_t* passed = &group->progress[i];
        float* velocity = joVelocityAt( scratch, i );
        while ( *passed < behaviour->inputCount && (double)behaviour->inputs[*passed].time <= now )
        {
            const float jump = behaviour->inputs[*passed].jump;
            result = jump > 0.0f && !result ? Jump( run, group, i, jump, velocity ) : result;
            *passed += 1;
        }
        for ( int axis = 0; axis<run->scene->dimension&& * passed> 0; ++axis )
        {
            velocity[axis] = axis == 1 ? velocity[1] : behaviour->inputs[*passed - 1].move[axis];
        }
        scratch->ids[i] = group->ids[i];
    }
    return result ? result : joSceneRun_SetVelocities( run, group->count );
}

// --- all --------------------------------------------------------------------------------------------------

joResult joSceneRun_Behave( joSceneRun* run )
{
    joResult result = jo_success;
    for ( uint32_t g = 0; g < run->scene->bodyCount && !result; ++g )
    {
        joSceneGroup* group = &run->groups[g];
        switch ( group->count > 0 ? group->source->behaviour.kind : jo_noBehaviour )
        {
            case jo_bounceBehaviour:
            case jo_flyBehaviour:
                result = StayInArea( run, group );
                break;
            case jo_chaseBehaviour:
                result = ChaseAll( run, group );
                break;
            case jo_patrolBehaviour:
                result = Patrol( run, group );
                break;
            case jo_scriptBehaviour:
                result = FollowScript( run, group );
                break;
            case jo_noBehaviour:
            case jo_behaviourKindCount:
                break;
        }
    }
    return result;
}
