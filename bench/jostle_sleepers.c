// SPDX-License-Identifier: MIT
// jostle's world in the race of the sleepers: bodies that only detect, with a disc each. Sleepers are made
// first, as a level is before what happens in it, and asleep: being touched wakes none of them.
#include "contestant.h"

#include "jostle/jostle.h"
#include "sleepers_scene.h"

#include <stdio.h>

typedef struct SleepersState
{
    joWorld* world;
    joJobs* jobs;
    char name[32];
    uint32_t sleeperCount;
    // Of bodies that are to be made.
    joTransform2* poses;
    joVec2* velocities;
    uint64_t* userData;
    joBodyId* bodies;
} SleepersState;

static void Require( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: sleepers: %s: %s\n", what, joResultText( result ) );
        exit( 3 );
    }
}

static bool Step( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    const SleepersState* state = stateIn;
    (void)scene;
    (void)pairs;
    const joResult result = joWorld_Step( state->world, JO_CROWD_TIME_STEP );
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: sleepers: joWorld_Step: %s\n", joResultText( result ) );
    }
    return result == jo_success;
}

static void GetTouching( void* stateIn, benchPairList* pairs )
{
    const SleepersState* state = stateIn;
    joContactEvents events = { 0 };
    joWorld_GetContactEvents( state->world, jo_perCollider, &events );
    for ( uint64_t i = 0; i < events.enterCount + events.stayCount; ++i )
    {
        const joContactEvent* event =
            i < events.enterCount ? &events.enters[i] : &events.stays[i - events.enterCount];
        benchPushPair( pairs, (uint32_t)event->userDataA, (uint32_t)event->userDataB );
    }
}

static joWorldProfile GetProfile( void* stateIn )
{
    return joWorld_GetProfile( ( (SleepersState*)stateIn )->world );
}

static bool AreAsleep( void* stateIn )
{
    const SleepersState* state = stateIn;
    return joWorld_GetStats( state->world ).sleepingBodyCount == state->sleeperCount;
}

static uint64_t GetMemory( void* stateIn )
{
    return joWorld_GetStats( ( (SleepersState*)stateIn )->world ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    SleepersState* state = stateIn;
    joDestroyWorld( state->world );
    joDestroyJobs( state->jobs );
    free( state );
}

// The first `count` of what the state lists.
static void AddBodies( SleepersState* state, uint32_t count, float radius, bool areAwake )
{
    joBodyDef2 bodyDef = joDefaultBodyDef2();
    bodyDef.isAwake = areAwake;
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    colliderDef.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, radius } };
    const joBodyColumns columns = { .pose = { state->poses, sizeof( joTransform2 ) },
        .velocity = { areAwake ? state->velocities : NULL, sizeof( joVec2 ) },
        .userData = { state->userData, sizeof( uint64_t ) },
        .count = count };
    Require(
        joWorld_CreateBodies2( state->world, &bodyDef, &colliderDef, &columns, state->bodies, NULL, NULL ),
        "joWorld_CreateBodies2" );
}

// The user data of a mover is its number, that of a sleeper follows those of all movers.
static void Populate( SleepersState* state, const benchSleepersScene* scene, benchSleepersLayout layout )
{
    const joCrowd *sleepers = scene->sleepers, *movers = scene->movers;
    const float aside = layout == bench_moversApart ? 2.0f * sleepers->side : 0.0f;
    const uint32_t most = sleepers->count > movers->count ? sleepers->count : movers->count;
    state->poses = benchAllocate( most, sizeof( joTransform2 ) );
    state->velocities = benchAllocate( most, sizeof( joVec2 ) );
    state->userData = benchAllocate( most, sizeof( uint64_t ) );
    state->bodies = benchAllocate( most, sizeof( joBodyId ) );
    for ( uint32_t i = 0; i < sleepers->count; ++i )
    {
        if ( benchSleepersScene_Holds( scene, layout, i ) )
        {
            state->poses[state->sleeperCount] =
                ( joTransform2 ){ { sleepers->x[i] + aside, sleepers->y[i] }, { 1.0f, 0.0f } };
            state->userData[state->sleeperCount++] = (uint64_t)movers->count + i;
        }
    }
    AddBodies( state, state->sleeperCount, sleepers->radius, false );
    for ( uint32_t i = 0; i < movers->count; ++i )
    {
        state->poses[i] = ( joTransform2 ){ { movers->x[i], movers->y[i] }, { 1.0f, 0.0f } };
        state->velocities[i] = ( joVec2 ){ movers->velocityX[i], movers->velocityY[i] };
        state->userData[i] = i;
    }
    AddBodies( state, movers->count, movers->radius, true );
    free( state->poses );
    free( state->velocities );
    free( state->userData );
    free( state->bodies );
}

static uint32_t CountBodies( const benchSleepersScene* scene, benchSleepersLayout layout )
{
    uint32_t count = scene->movers->count;
    for ( uint32_t i = 0; i < scene->sleepers->count; ++i )
    {
        count += benchSleepersScene_Holds( scene, layout, i ) ? 1 : 0;
    }
    return count;
}

void benchAddJostleSleepers( benchField* field, const benchSleepersScene* scene, benchSleepersLayout layout,
    joBroadPhaseKind kind, uint32_t threads )
{
    SleepersState* state = benchAllocate( 1, sizeof( SleepersState ) );
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    if ( threads > 1 )
    {
        Require( joCreateJobs( &jobsDef, &state->jobs ), "joCreateJobs" );
    }
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.broadPhase.kind = kind;
    // Movers may meet each other first in a step that is measured.
    def.bodyReserve = def.colliderReserve = CountBodies( scene, layout );
    def.pairReserve = 4 * scene->movers->count;
    def.contactReserve = 2 * scene->movers->count;
    def.jobs = state->jobs;
    Require( joCreateWorld( &def, &state->world ), "joCreateWorld" );
    Populate( state, scene, layout );
    snprintf( state->name, sizeof( state->name ), "%s %s", joBroadPhaseKindText( kind ),
        benchSleepersLayoutText( layout ) );
    benchContestant* contestant = benchAddJostle( field, state->name, threads );
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->frame = Step;
    contestant->touching = GetTouching;
    contestant->profile = GetProfile;
    contestant->areAsleep = AreAsleep;
    contestant->memory = GetMemory;
    contestant->destroy = Destroy;
}
