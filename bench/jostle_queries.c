// SPDX-License-Identifier: MIT
// jostle in a race of queries: SetBoxes or SetCircles and Update into an empty broad phase; single queries,
// one after the other. All parameters are those the library derives itself.
#include "contestant.h"

#include "box_array.h"

#include <math.h>
#include <stdio.h>

typedef struct QueryState
{
    joBroadPhase* broadPhase;
    joJobs* jobs; // null: one thread
} QueryState;

static bool Succeeded( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle: %s: %s\n", what, joResultText( result ) );
    }
    return result == jo_success;
}

static bool Build( void* stateIn, const benchQueryScene* scene )
{
    QueryState* state = stateIn;
    const size_t stride = 4 * sizeof( float );
    // Updated while it is empty, so that no structure is kept to be refitted.
    joBroadPhase_Clear( state->broadPhase );
    joResult result = joBroadPhase_Update( state->broadPhase );
    if ( !Succeeded( result, "update" ) )
    {
        return false;
    }
    if ( scene->spheres != NULL )
    {
        const joCircles circles = { .x = { scene->spheres, stride },
            .y = { scene->spheres + 1, stride },
            .z = { scene->spheres + 2, stride },
            .radius = { scene->spheres + 3, stride },
            .count = scene->count };
        result = joBroadPhase_SetCircles( state->broadPhase, &circles, NULL );
    }
    else
    {
        const joBoxes boxes = joViewBoxArray( scene->boxes, scene->count );
        result = joBroadPhase_SetBoxes( state->broadPhase, &boxes, NULL );
    }
    return Succeeded( result, "set objects" ) &&
           Succeeded( joBroadPhase_Update( state->broadPhase ), "update" );
}

static bool CastRays(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joHit* hit = answers->hits + i;
        const joResult result = joBroadPhase_CastRayClosest( state->broadPhase, scene->rays + i, NULL, hit );
        if ( !Succeeded( result, "cast ray" ) )
        {
            return false;
        }
        answers->counts[i] = hit->key != JO_NULL_INDEX ? 1 : 0;
    }
    return true;
}

static bool OverlapBoxes(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const float* box = scene->queryBoxes + (size_t)i * 6;
        uint32_t* keys = answers->keys + (size_t)i * scene->answersEach;
        uint64_t count;
        const joResult result = joBroadPhase_OverlapBox(
            state->broadPhase, box, box + 3, NULL, keys, scene->answersEach, &count );
        if ( !Succeeded( result, "overlap box" ) )
        {
            return false;
        }
        answers->counts[i] = (uint32_t)count;
    }
    return true;
}

static bool FindNearest(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joHit* hits = answers->hits + (size_t)i * scene->answersEach;
        uint64_t count;
        const joResult result = joBroadPhase_FindNearest( state->broadPhase, scene->points + (size_t)i * 3,
            BENCH_NEAREST_COUNT, INFINITY, NULL, hits, scene->answersEach, &count );
        if ( !Succeeded( result, "find nearest" ) )
        {
            return false;
        }
        answers->counts[i] = (uint32_t)count;
    }
    return true;
}

static uint64_t Memory( void* stateIn )
{
    QueryState* state = stateIn;
    return joBroadPhase_GetStats( state->broadPhase ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    QueryState* state = stateIn;
    joDestroyBroadPhase( state->broadPhase );
    joDestroyJobs( state->jobs );
    free( state );
}

void benchAddJostleQueries(
    benchField* field, const benchQueryScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    QueryState* state = benchAllocate( 1, sizeof( QueryState ) );
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    if ( threads > 1 && !Succeeded( joCreateJobs( &jobsDef, &state->jobs ), "create jobs" ) )
    {
        exit( 3 );
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = 3;
    def.jobs = state->jobs;
    if ( !Succeeded( joCreateBroadPhase( &def, &state->broadPhase ), "create" ) )
    {
        exit( 3 );
    }
    benchContestant* contestant =
        benchAddContestant( field, "jostle", joGetVersionText(), joBroadPhaseKindText( kind ) );
    contestant->isa = joIsaText( joGetIsa() );
    contestant->threads = threads;
    contestant->ours = true;
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->build = Build;
    contestant->answer = scene->rays != NULL ? CastRays : scene->points != NULL ? FindNearest : OverlapBoxes;
    contestant->memory = Memory;
    contestant->destroy = Destroy;
}
