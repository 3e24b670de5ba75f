// SPDX-License-Identifier: MIT
// How a scene's bodies come into its world.
#include "scene_bodies.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.28318531f

// --- columns ----------------------------------------------------------------------------------------------

joSceneScratch* joCreateSceneScratch( int dimension )
{
    joSceneScratch* scratch = calloc( 1, sizeof( joSceneScratch ) );
    if ( scratch != NULL )
    {
        scratch->poseSize = dimension == 3 ? sizeof( joTransform3 ) : sizeof( joTransform2 );
        scratch->velocitySize = dimension == 3 ? sizeof( joVec3 ) : sizeof( joVec2 );
    }
    return scratch;
}

void joDestroySceneScratch( joSceneScratch* scratch )
{
    if ( scratch != NULL )
    {
        free( scratch->ids );
        free( scratch->poses );
        free( scratch->velocities );
        free( scratch );
    }
}

static bool Grow( void* array, uint32_t count, size_t size )
{
    void** place = array;
    void* grown = realloc( *place, count * size );
    *place = grown != NULL ? grown : *place;
    return grown != NULL;
}

joResult joSceneScratch_Reserve( joSceneScratch* scratch, uint32_t count )
{
    if ( count <= scratch->capacity )
    {
        return jo_success;
    }
    const uint32_t capacity = count + count / 2 + 16;
    if ( !Grow( &scratch->ids, capacity, sizeof( joBodyId ) ) ||
         !Grow( &scratch->poses, capacity, scratch->poseSize ) ||
         !Grow( &scratch->velocities, capacity, scratch->velocitySize ) )
    {
        return jo_errorOutOfMemory;
    }
    scratch->capacity = capacity;
    return jo_success;
}

joResult joSceneRun_Get( const joSceneRun* run, const joBodyId* ids, uint32_t count )
{
    joSceneScratch* scratch = run->scratch;
    const joResult result = joSceneScratch_Reserve( scratch, count );
    const joMutableBodyColumns columns = { .pose = { scratch->poses, scratch->poseSize },
        .velocity = { scratch->velocities, scratch->velocitySize },
        .count = count };
    return result                       ? result
           : run->scene->dimension == 3 ? joWorld_GetBodies3( run->world, ids, &columns, NULL )
                                        : joWorld_GetBodies2( run->world, ids, &columns, NULL );
}

static joResult SetBodies( joSceneRun* run, const joBodyColumns* columns )
{
    return run->scene->dimension == 3 ? joWorld_SetBodies3( run->world, run->scratch->ids, columns, NULL )
                                      : joWorld_SetBodies2( run->world, run->scratch->ids, columns, NULL );
}

joResult joSceneRun_SetVelocities( joSceneRun* run, uint32_t count )
{
    const joBodyColumns columns = {
        .velocity = { run->scratch->velocities, run->scratch->velocitySize }, .count = count };
    return SetBodies( run, &columns );
}

joResult joSceneRun_SetPoses( joSceneRun* run, uint32_t count )
{
    const joBodyColumns columns = { .pose = { run->scratch->poses, run->scratch->poseSize }, .count = count };
    return SetBodies( run, &columns );
}

// --- places -----------------------------------------------------------------------------------------------

joSceneArea joSceneRun_Scale( const joSceneRun* run, const joSceneArea* area )
{
    joSceneArea scaled;
    for ( int axis = 0; axis < 3; ++axis )
    {
        scaled.lower[axis] = area->lower[axis] * run->scale;
        scaled.upper[axis] = area->upper[axis] * run->scale;
    }
    return scaled;
}

static float Within( float lower, float upper, float share )
{
    const float x = lower + ( upper - lower ) * share;
    return x < upper ? x : upper;
}

// A unit direction, all alike likely.
static void ChooseDirection( int dimension, joRandom* random, float direction[3] )
{
    if ( dimension == 2 )
    {
        const float angle = joRandom_Range( random, 0.0f, TURN );
        direction[0] = joCos( angle );
        direction[1] = joSin( angle );
        return;
    }
    float square = 0.0f;
    while ( !( square > 1e-6f ) )
    {
        square = 0.0f;
        for ( int axis = 0; axis < 3; ++axis )
        {
            direction[axis] = joRandom_Normal( random );
            square += direction[axis] * direction[axis];
        }
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        direction[axis] /= sqrtf( square );
    }
}

static void ChooseRotation( const joSceneRun* run, joRandom* random, uint32_t i )
{
    void* pose = run->scratch->poses + i * run->scratch->poseSize;
    if ( run->scene->dimension == 2 )
    {
        ( (joTransform2*)pose )->rotation = joMakeRot2( joRandom_Range( random, 0.0f, TURN ) );
        return;
    }
    float axis[3];
    ChooseDirection( 3, random, axis );
    ( (joTransform3*)pose )->rotation =
        joMakeQuat( ( joVec3 ){ axis[0], axis[1], axis[2] }, joRandom_Range( random, 0.0f, TURN ) );
}

static void ClearPose( const joSceneRun* run, uint32_t i )
{
    void* pose = run->scratch->poses + i * run->scratch->poseSize;
    if ( run->scene->dimension == 2 )
    {
        *(joTransform2*)pose = joMakeIdentity2();
    }
    else
    {
        *(joTransform3*)pose = joMakeIdentity3();
    }
}

void joPutAnywhere( joSceneRun* run, const joSceneArea* area, bool isTurned, joRandom* random, uint32_t i )
{
    ClearPose( run, i );
    for ( int axis = 0; axis < run->scene->dimension; ++axis )
    {
        joPlaceAt( run->scratch, i )[axis] =
            Within( area->lower[axis], area->upper[axis], joRandom_Float( random ) );
    }
    if ( isTurned )
    {
        ChooseRotation( run, random, i );
    }
}

// The places of a lattice over the area, as few along each axis as do, shuffled: in a program things that are
// near each other in space are seldom so in memory.
static joResult PutOnLattice(
    joSceneRun* run, const joSceneEmitter* emitter, uint32_t count, joRandom* random )
{
    const joSceneArea area = joSceneRun_Scale( run, &emitter->area );
    const int dimension = run->scene->dimension;
    uint32_t side = 1;
    while ( ( dimension == 3 ? (uint64_t)side * side * side : (uint64_t)side * side ) < count )
    {
        side += 1;
    }
    uint32_t* cells = malloc( count * sizeof( uint32_t ) );
    if ( cells == NULL )
    {
        return jo_errorOutOfMemory;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t other = joRandom_Below( random, i + 1 );
        cells[i] = cells[other];
        cells[other] = i;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t cell = cells[i];
        ClearPose( run, i );
        for ( int axis = 0; axis < dimension; ++axis )
        {
            const float offset = emitter->jitter * joRandom_Range( random, -0.5f, 0.5f );
            const float share = ( (float)( cell % side ) + 0.5f + offset ) / (float)side;
            joPlaceAt( run->scratch, i )[axis] = Within( area.lower[axis], area.upper[axis], share );
            cell /= side;
        }
        if ( emitter->isTurned )
        {
            ChooseRotation( run, random, i );
        }
    }
    free( cells );
    return jo_success;
}

// --- bodies -----------------------------------------------------------------------------------------------

static joResult ReserveGroup( joSceneGroup* group, uint32_t count )
{
    if ( count <= group->capacity )
    {
        return jo_success;
    }
    const uint32_t capacity = count + count / 4 + 4;
    if ( !Grow( &group->ids, capacity, sizeof( joBodyId ) ) ||
         !Grow( &group->progress, capacity, sizeof( uint32_t ) ) )
    {
        return jo_errorOutOfMemory;
    }
    group->capacity = capacity;
    return jo_success;
}

static joColliderDef2 ColliderDef2( const joSceneCollider* collider )
{
    joColliderDef2 def = joDefaultColliderDef2();
    def.shape = collider->shape.shape2;
    def.localPose = collider->shape.pose2;
    def.filter = collider->filter;
    def.material = collider->material;
    def.isTrigger = collider->isTrigger;
    def.userData = collider->filter.layer;
    return def;
}

static joColliderDef3 ColliderDef3( const joSceneCollider* collider )
{
    joColliderDef3 def = joDefaultColliderDef3();
    def.shape = collider->shape.shape3;
    def.localPose = collider->shape.pose3;
    def.filter = collider->filter;
    def.material = collider->material;
    def.isTrigger = collider->isTrigger;
    def.userData = collider->filter.layer;
    return def;
}

static joResult MakeOneWay( joSceneRun* run, const joSceneBody* source, joBodyId body )
{
    joColliderId colliders[64];
    uint64_t count = 0;
    joResult result = joWorld_GetColliders( run->world, body, colliders, 64, &count );
    for ( uint32_t k = 0; k < source->colliderCount && k < 64 && !result; ++k )
    {
        const float* up = source->colliders[k].oneWay;
        result = up[0] != 0.0f || up[1] != 0.0f || up[2] != 0.0f
                     ? joWorld_SetColliderOneWay( run->world, colliders[k], up )
                     : jo_success;
    }
    return result;
}

// What no def has: how they slide, which colliders are one-way.
static joResult Finish( joSceneRun* run, const joSceneBody* source, const joBodyId* ids, uint32_t count )
{
    joResult result = source->def2.response == jo_slide
                          ? joWorld_SetSlides( run->world, ids, count, &source->slide, NULL )
                          : jo_success;
    for ( uint32_t i = 0; i < count && !result; ++i )
    {
        result = MakeOneWay( run, source, ids[i] );
    }
    return result;
}

// The first collider of each body in one call with it, the others one by one.
static joResult Create( joSceneRun* run, uint32_t groupIndex, const joBodyColumns* columns )
{
    joSceneGroup* group = &run->groups[groupIndex];
    const joSceneBody* source = group->source;
    const bool isFlat = run->scene->dimension == 2;
    joResult result = ReserveGroup( group, group->count + columns->count );
    joBodyId* ids = group->ids + group->count;
    joBodyDef2 def2 = source->def2;
    joBodyDef3 def3 = source->def3;
    def2.userData = def3.userData = groupIndex;
    const joColliderDef2 first2 = ColliderDef2( source->colliders );
    const joColliderDef3 first3 = ColliderDef3( source->colliders );
    if ( !result )
    {
        result = isFlat ? joWorld_CreateBodies2( run->world, &def2, &first2, columns, ids, NULL, NULL )
                        : joWorld_CreateBodies3( run->world, &def3, &first3, columns, ids, NULL, NULL );
    }
    for ( uint32_t k = 1; k < source->colliderCount && !result; ++k )
    {
        const joColliderDef2 def = ColliderDef2( &source->colliders[k] );
        const joColliderDef3 other = ColliderDef3( &source->colliders[k] );
        for ( uint32_t i = 0; i < columns->count && !result; ++i )
        {
            joColliderId collider;
            result = isFlat ? joWorld_CreateCollider2( run->world, ids[i], &def, &collider )
                            : joWorld_CreateCollider3( run->world, ids[i], &other, &collider );
        }
    }
    result = result ? result : Finish( run, source, ids, columns->count );
    if ( !result )
    {
        memset( group->progress + group->count, 0, columns->count * sizeof( uint32_t ) );
        group->count += columns->count;
    }
    return result;
}

static joBodyColumns SpawnColumns( const joSceneRun* run, const joSceneEmitter* emitter, uint32_t count )
{
    joBodyColumns columns = { .pose = { run->scratch->poses, run->scratch->poseSize }, .count = count };
    if ( emitter->speeds[1] > 0.0f )
    {
        columns.velocity = ( joColumn ){ run->scratch->velocities, run->scratch->velocitySize };
    }
    return columns;
}

static void ChooseVelocity( joSceneRun* run, const joSceneEmitter* emitter, joRandom* random, uint32_t i )
{
    float direction[3];
    ChooseDirection( run->scene->dimension, random, direction );
    const float speed = joRandom_Range( random, emitter->speeds[0], emitter->speeds[1] );
    for ( int axis = 0; axis < run->scene->dimension; ++axis )
    {
        joVelocityAt( run->scratch, i )[axis] = speed * direction[axis];
    }
}

uint32_t joSceneRun_ScaledCount( const joSceneRun* run, const joSceneEmitter* emitter )
{
    double count = (double)emitter->count;
    for ( int axis = 0; axis < run->scene->dimension; ++axis )
    {
        count *= (double)run->scale;
    }
    return count < 1.0 ? 1 : count > (double)JO_MAX_BODIES ? JO_MAX_BODIES : (uint32_t)count;
}

static joResult Emit( joSceneRun* run, uint32_t groupIndex )
{
    const joSceneEmitter* emitter = &run->groups[groupIndex].source->emitter;
    const uint32_t count = joSceneRun_ScaledCount( run, emitter );
    joRandom random = joMakeRandom( emitter->seed );
    const joSceneArea area = joSceneRun_Scale( run, &emitter->area );
    joResult result = joSceneScratch_Reserve( run->scratch, count );
    if ( !result && emitter->isLattice )
    {
        result = PutOnLattice( run, emitter, count, &random );
    }
    for ( uint32_t i = 0; i < count && !result; ++i )
    {
        if ( !emitter->isLattice )
        {
            joPutAnywhere( run, &area, emitter->isTurned, &random, i );
        }
        ChooseVelocity( run, emitter, &random, i );
    }
    const joBodyColumns columns = SpawnColumns( run, emitter, count );
    return result ? result : Create( run, groupIndex, &columns );
}

joResult joSceneRun_SpawnAll( joSceneRun* run )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < run->scene->bodyCount && !result; ++i )
    {
        const joBodyColumns one = { .count = 1 };
        result = run->groups[i].source->emitter.count > 0 ? Emit( run, i ) : Create( run, i, &one );
    }
    return result;
}

joResult joSceneRun_SpawnAnywhere( joSceneRun* run, uint32_t groupIndex, const joSceneArea* area )
{
    const joSceneEmitter* emitter = &run->groups[groupIndex].source->emitter;
    const joResult result = joSceneScratch_Reserve( run->scratch, 1 );
    if ( result )
    {
        return result;
    }
    joPutAnywhere( run, area, emitter->isTurned, &run->random, 0 );
    ChooseVelocity( run, emitter, &run->random, 0 );
    const joBodyColumns columns = SpawnColumns( run, emitter, 1 );
    return Create( run, groupIndex, &columns );
}
