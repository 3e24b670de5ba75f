// SPDX-License-Identifier: MIT
// How the bodies of a scene come and go, and change, while it runs: what vanishes when it is touched, and the
// random operations of a disturbance.
#include "scene_bodies.h"

#include <string.h>

#define MAX_COLLIDERS 16
#define GROUP_COUNT 4

// --- vanish -----------------------------------------------------------------------------------------------

static void Forget( joSceneGroup* group, uint32_t i )
{
    const uint32_t behind = group->count - i - 1;
    memmove( group->ids + i, group->ids + i + 1, behind * sizeof( joBodyId ) );
    memmove( group->progress + i, group->progress + i + 1, behind * sizeof( uint32_t ) );
    group->count -= 1;
}

// Forgets the bodies of all groups that do not live any more, of those from which something can vanish.
static void ForgetTheDead( joSceneRun* run )
{
    for ( uint32_t g = 0; g < run->scene->bodyCount; ++g )
    {
        joSceneGroup* group = &run->groups[g];
        uint32_t kept = 0;
        for ( uint32_t i = 0; i < group->count && group->source->vanishLayers != 0; ++i )
        {
            if ( joWorld_IsBodyAlive( run->world, group->ids[i] ) )
            {
                group->ids[kept] = group->ids[i];
                group->progress[kept++] = group->progress[i];
            }
        }
        group->count = group->source->vanishLayers != 0 ? kept : group->count;
    }
}

// Bodies' user data is their group, colliders' is their layer.
static joResult VanishIf( joSceneRun* run, joBodyId body, uint64_t group, uint64_t layer )
{
    if ( ( run->scene->bodies[group].vanishLayers >> layer & 1 ) == 0 ||
         !joWorld_IsBodyAlive( run->world, body ) )
    {
        return jo_success;
    }
    run->totals.destroyed += 1;
    return joWorld_DestroyBody( run->world, body );
}

joResult joSceneRun_Vanish( joSceneRun* run )
{
    joResult result = jo_success;
    const uint64_t before = run->totals.destroyed;
    for ( int list = 0; list < 2; ++list )
    {
        joContactEvents events;
        joSceneRun_GetEvents( run, list, &events );
        for ( uint64_t i = 0; i < events.enterCount && !result; ++i )
        {
            const joContactEvent* enter = &events.enters[i];
            result = VanishIf( run, enter->bodyA, enter->userDataA, enter->colliderUserDataB );
            result =
                result ? result : VanishIf( run, enter->bodyB, enter->userDataB, enter->colliderUserDataA );
        }
    }
    if ( run->totals.destroyed > before )
    {
        ForgetTheDead( run );
    }
    return result;
}

// --- disturbance ------------------------------------------------------------------------------------------

typedef enum Operation
{
    jo_create,
    jo_destroy,
    jo_teleport,
    jo_refilter,
    jo_resize,
    jo_operationCount
} Operation;

static joResult Teleport( joSceneRun* run, joBodyId body, const joSceneArea* area )
{
    const joResult result = joSceneScratch_Reserve( run->scratch, 1 );
    if ( result )
    {
        return result;
    }
    joPutAnywhere( run, area, true, &run->random, 0 );
    run->scratch->ids[0] = body;
    return joSceneRun_SetPoses( run, 1 );
}

static joResult Refilter( joSceneRun* run, joColliderId collider )
{
    const uint32_t layerCount = run->scene->layerCount > 0 ? run->scene->layerCount : 1;
    joColliderFilter filter = { .layer = joRandom_Below( &run->random, layerCount ),
        .group = joRandom_Below( &run->random, GROUP_COUNT ) };
    filter.mask = (uint64_t)joRandom_Next( &run->random ) << 32;
    filter.mask |= joRandom_Next( &run->random );
    const joResult result = joWorld_SetColliderFilter( run->world, collider, &filter );
    return result ? result : joWorld_SetColliderUserData( run->world, collider, filter.layer );
}

static joResult Resize( joSceneRun* run, joColliderId collider )
{
    const joSceneDisturbance* disturbance = &run->scene->disturbance;
    if ( disturbance->shapeCount == 0 )
    {
        return jo_success;
    }
    const joFileShape* shape = &disturbance->shapes[joRandom_Below( &run->random, disturbance->shapeCount )];
    return run->scene->dimension == 2
               ? joWorld_SetColliderShape2( run->world, collider, &shape->shape2, NULL )
               : joWorld_SetColliderShape3( run->world, collider, &shape->shape3, NULL );
}

// Of a body of an emitter; there are never more than twice as many of one, nor fewer than half as many, as at
// the beginning.
static joResult Operate( joSceneRun* run, uint32_t g, Operation operation, const joSceneArea* area )
{
    joSceneGroup* group = &run->groups[g];
    const uint32_t usual = joSceneRun_ScaledCount( run, &group->source->emitter );
    if ( operation == jo_create )
    {
        const bool mayGrow = group->count < 2 * usual;
        run->totals.created += mayGrow ? 1 : 0;
        return mayGrow ? joSceneRun_SpawnAnywhere( run, g, area ) : jo_success;
    }
    if ( group->count == 0 )
    {
        return jo_success;
    }
    const uint32_t i = joRandom_Below( &run->random, group->count );
    const joBodyId body = group->ids[i];
    if ( operation == jo_destroy )
    {
        if ( 2 * group->count <= usual )
        {
            return jo_success;
        }
        Forget( group, i );
        run->totals.destroyed += 1;
        return joWorld_DestroyBody( run->world, body );
    }
    if ( operation == jo_teleport )
    {
        return Teleport( run, body, area );
    }
    joColliderId colliders[MAX_COLLIDERS];
    uint64_t count = 0;
    const joResult result = joWorld_GetColliders( run->world, body, colliders, MAX_COLLIDERS, &count );
    if ( result )
    {
        return result;
    }
    const uint32_t k =
        joRandom_Below( &run->random, count < MAX_COLLIDERS ? (uint32_t)count : MAX_COLLIDERS );
    const joResult changed =
        operation == jo_refilter ? Refilter( run, colliders[k] ) : Resize( run, colliders[k] );
    // Who slides keeps its shape where the other one cannot.
    return changed == jo_errorCannotSlide ? jo_success : changed;
}

joResult joSceneRun_Disturb( joSceneRun* run )
{
    const joSceneDisturbance* disturbance = &run->scene->disturbance;
    const joSceneArea area = joSceneRun_Scale( run, &disturbance->area );
    joResult result = jo_success;
    for ( uint32_t i = 0; i < disturbance->perStep && run->scene->bodyCount > 0 && !result; ++i )
    {
        const uint32_t g = joRandom_Below( &run->random, run->scene->bodyCount );
        const Operation operation = (Operation)joRandom_Below( &run->random, jo_operationCount );
        if ( run->groups[g].source->emitter.count > 0 )
        {
            result = Operate( run, g, operation, &area );
        }
    }
    return result;
}
