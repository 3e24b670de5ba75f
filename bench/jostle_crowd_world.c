// SPDX-License-Identifier: MIT
// jostle's world in the race of the crowd: bodies with a disc each, four walls that stand, a step. Its rows
// are a library of their own, beside the plain arrays of jostle_crowd.c.
#include "contestant.h"

#include "jostle/jostle.h"
#include "workload.h"

#include <stdio.h>

// One pass leaves 0.031 at 100,000 discs, where Chipmunk leaves 0.120: speeds turn back, so that the next
// step is not as deep. The margin is beside the way of a step, a thirtieth.
#define WORLD_MARGIN 0.01f
#define WORLD_ITERATIONS 1

typedef struct WorldState
{
    joWorld* world;
    joJobs* jobs;
    joPolygon2 walls[4];
    joBodyId* bodies;
    joTransform2* poses;
    joVec2* velocities;
    uint32_t count;
} WorldState;

static void Require( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle world: %s: %s\n", what, joResultText( result ) );
        exit( 3 );
    }
}

static bool Step( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    const WorldState* state = stateIn;
    (void)scene;
    (void)pairs;
    Require( joWorld_Step( state->world, JO_CROWD_TIME_STEP ), "joWorld_Step" );
    return true;
}

static void GetPositions( void* stateIn, double* x, double* y )
{
    WorldState* state = stateIn;
    const joMutableBodyColumns columns = {
        .pose = { state->poses, sizeof( joTransform2 ) }, .count = state->count };
    Require( joWorld_GetBodies2( state->world, state->bodies, &columns, NULL ), "joWorld_GetBodies2" );
    for ( uint32_t i = 0; i < state->count; ++i )
    {
        x[i] = (double)state->poses[i].position.x;
        y[i] = (double)state->poses[i].position.y;
    }
}

static uint64_t GetMemory( void* stateIn )
{
    return joWorld_GetStats( ( (WorldState*)stateIn )->world ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    WorldState* state = stateIn;
    joDestroyWorld( state->world );
    joDestroyJobs( state->jobs );
    free( state->bodies );
    free( state->poses );
    free( state->velocities );
    free( state );
}

// Outside of the square: their inner faces are its sides.
static void AddWalls( WorldState* state, float side )
{
    const float half = 2.5f, middle = 0.5f * side, along = middle + 2.0f * half;
    for ( int i = 0; i < 4; ++i )
    {
        const float across = i % 2 == 0 ? -half : side + half;
        joBodyDef2 bodyDef = joDefaultBodyDef2();
        bodyDef.type = jo_staticBody;
        bodyDef.pose.position = i < 2 ? ( joVec2 ){ across, middle } : ( joVec2 ){ middle, across };
        state->walls[i] = i < 2 ? joMakeBox2( half, along ) : joMakeBox2( along, half );
        joColliderDef2 colliderDef = joDefaultColliderDef2();
        colliderDef.shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &state->walls[i] };
        colliderDef.material.restitution = 1.0f;
        joBodyId body;
        joColliderId collider;
        Require( joWorld_CreateBody2( state->world, &bodyDef, &body ), "joWorld_CreateBody2" );
        Require( joWorld_CreateCollider2( state->world, body, &colliderDef, &collider ),
            "joWorld_CreateCollider2" );
    }
}

static void AddDiscs( WorldState* state, const joCrowd* crowd )
{
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        state->poses[i] = ( joTransform2 ){ { crowd->x[i], crowd->y[i] }, { 1.0f, 0.0f } };
        state->velocities[i] = ( joVec2 ){ crowd->velocityX[i], crowd->velocityY[i] };
    }
    joBodyDef2 bodyDef = joDefaultBodyDef2();
    bodyDef.response = jo_push;
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    colliderDef.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, crowd->radius } };
    colliderDef.material.restitution = 1.0f;
    const joBodyColumns columns = { .pose = { state->poses, sizeof( joTransform2 ) },
        .velocity = { state->velocities, sizeof( joVec2 ) },
        .count = crowd->count };
    Require(
        joWorld_CreateBodies2( state->world, &bodyDef, &colliderDef, &columns, state->bodies, NULL, NULL ),
        "joWorld_CreateBodies2" );
}

void benchAddJostleCrowdWorld(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    WorldState* state = benchAllocate( 1, sizeof( WorldState ) );
    const joCrowd* crowd = scene->crowd;
    state->count = crowd->count;
    state->bodies = benchAllocate( crowd->count, sizeof( joBodyId ) );
    state->poses = benchAllocate( crowd->count, sizeof( joTransform2 ) );
    state->velocities = benchAllocate( crowd->count, sizeof( joVec2 ) );
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    if ( threads > 1 )
    {
        Require( joCreateJobs( &jobsDef, &state->jobs ), "joCreateJobs" );
    }
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.broadPhase.kind = kind;
    def.pushMargin = WORLD_MARGIN;
    def.pushIterations = WORLD_ITERATIONS;
    def.bodyReserve = def.colliderReserve = crowd->count + 4;
    def.pairReserve = 2 * crowd->count + 64;
    def.contactReserve = crowd->count / 4 + 64;
    def.jobs = state->jobs;
    Require( joCreateWorld( &def, &state->world ), "joCreateWorld" );
    AddWalls( state, crowd->side );
    AddDiscs( state, crowd );
    benchContestant* contestant = benchAddJostle( field, joBroadPhaseKindText( kind ), threads );
    contestant->library = "jostle world";
    contestant->ours = false;
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->frame = Step;
    contestant->positions = GetPositions;
    contestant->memory = GetMemory;
    contestant->destroy = Destroy;
}
