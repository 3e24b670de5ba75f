// SPDX-License-Identifier: MIT
// jostle in the race of the crowd: move, bounce at the walls, find all overlaps, push apart.
#include "contestant.h"

#include "jostle/push_apart.h"
#include "workload.h"

#include <stdio.h>
#include <string.h>

// The fewest passes that surely leave no deeper overlap than Chipmunk does. The deepest after any of 60
// frames: at 1,000 and 100,000 discs Chipmunk leaves 0.108 and 0.128, jostle with 2 passes 0.073 and 0.121
// (too near), with 3 passes 0.044 and 0.073. The margin is twice the way that a body is pushed in nearly all
// frames, so that neighbours are found once a frame.
#define CROWD_MARGIN 0.14f
#define CROWD_ITERATIONS 3

typedef struct CrowdState
{
    joCrowd crowd; // a copy: x, y and velocities are its own
    joPusher* pusher;
    joJobs* jobs;
} CrowdState;

static bool Succeeded( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle: %s: %s\n", what, joResultText( result ) );
    }
    return result == jo_success;
}

static bool Step( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    CrowdState* state = stateIn;
    (void)scene;
    (void)pairs;
    joCrowd_Move( &state->crowd, JO_CROWD_TIME_STEP );
    joPushBodies bodies = {
        .x = { state->crowd.x, sizeof( float ) },
        .y = { state->crowd.y, sizeof( float ) },
        .radius = { &state->crowd.radius, 0 },
        .count = state->crowd.count,
    };
    joPushResult result;
    return Succeeded( joPushApart2( state->pusher, &bodies, &result, NULL ), "push apart" );
}

static void GetPositions( void* stateIn, double* x, double* y )
{
    CrowdState* state = stateIn;
    for ( uint32_t i = 0; i < state->crowd.count; ++i )
    {
        x[i] = (double)state->crowd.x[i];
        y[i] = (double)state->crowd.y[i];
    }
}

static void Destroy( void* stateIn )
{
    CrowdState* state = stateIn;
    joDestroyPusher( state->pusher );
    joDestroyJobs( state->jobs );
    free( state->crowd.x );
    free( state->crowd.y );
    free( state->crowd.velocityX );
    free( state->crowd.velocityY );
    free( state );
}

static float* Copy( const float* values, uint32_t count )
{
    float* copy = benchAllocate( count, sizeof( float ) );
    memcpy( copy, values, count * sizeof( float ) );
    return copy;
}

void benchAddJostleCrowd(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    CrowdState* state = benchAllocate( 1, sizeof( CrowdState ) );
    const joCrowd* crowd = scene->crowd;
    state->crowd = *crowd;
    state->crowd.x = Copy( crowd->x, crowd->count );
    state->crowd.y = Copy( crowd->y, crowd->count );
    state->crowd.velocityX = Copy( crowd->velocityX, crowd->count );
    state->crowd.velocityY = Copy( crowd->velocityY, crowd->count );

    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    if ( threads > 1 && !Succeeded( joCreateJobs( &jobsDef, &state->jobs ), "create jobs" ) )
    {
        exit( 3 );
    }
    joPusherDef def = joDefaultPusherDef();
    def.dimension = 2;
    def.margin = CROWD_MARGIN;
    def.iterations = CROWD_ITERATIONS;
    def.kind = kind;
    def.bodyReserve = crowd->count;
    def.jobs = state->jobs;
    if ( !Succeeded( joCreatePusher( &def, &state->pusher ), "create pusher" ) )
    {
        exit( 3 );
    }
    benchContestant* contestant = benchAddJostle( field, joBroadPhaseKindText( kind ), threads );
    contestant->state = state;
    contestant->frame = Step;
    contestant->positions = GetPositions;
    contestant->destroy = Destroy;
}
