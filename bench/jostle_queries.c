// SPDX-License-Identifier: MIT
// jostle in a race of queries: SetBoxes or SetCircles and Update of an empty broad phase; then single
// queries, one after the other, or all of them in one call of a batch. All parameters are those the library
// derives itself.
#include "contestant.h"

#include "box_array.h"
#include "jostle/query_batch.h"

#include <math.h>
#include <stdio.h>

typedef struct QueryState
{
    joBroadPhase* broadPhase;
    joJobs* jobs;        // null: one thread
    joQueryBatch* batch; // null: single queries
    // What a batch answers, queries one after the other.
    uint64_t* offsets;
    uint32_t* keys;
    joHit* hits;
    char text[32]; // the row's kind
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

static bool CastRayBatch(
    void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    const joRay* rays = scene->rays;
    const joRays columns = { .originX = { &rays->origin[0], sizeof( joRay ) },
        .originY = { &rays->origin[1], sizeof( joRay ) },
        .originZ = { &rays->origin[2], sizeof( joRay ) },
        .directionX = { &rays->direction[0], sizeof( joRay ) },
        .directionY = { &rays->direction[1], sizeof( joRay ) },
        .directionZ = { &rays->direction[2], sizeof( joRay ) },
        .length = { &rays->length, sizeof( joRay ) },
        .count = queryCount };
    return Succeeded(
        joQueryBatch_CastRaysClosest( state->batch, state->broadPhase, &columns, answers->hits, NULL ),
        "cast rays" );
}

static void CollectRays(
    void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    (void)stateIn;
    (void)scene;
    for ( uint32_t i = 0; i < queryCount; ++i )
    {
        answers->counts[i] = answers->hits[i].key != JO_NULL_INDEX ? 1 : 0;
    }
}

static bool OverlapBatch(
    void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    const joBoxes boxes = joViewBoxArray( scene->queryBoxes, queryCount );
    const uint64_t capacity = (uint64_t)scene->queryCount * scene->answersEach;
    uint64_t count;
    (void)answers;
    return Succeeded( joQueryBatch_OverlapBoxes( state->batch, state->broadPhase, &boxes, state->offsets,
                          state->keys, capacity, &count, NULL ),
        "overlap boxes" );
}

static bool FindNearestBatch(
    void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    const size_t stride = 3 * sizeof( float );
    const uint32_t k = BENCH_NEAREST_COUNT;
    const joQueryPoints points = { .x = { scene->points, stride },
        .y = { scene->points + 1, stride },
        .z = { scene->points + 2, stride },
        .k = { &k, 0 },
        .count = queryCount };
    const uint64_t capacity = (uint64_t)scene->queryCount * scene->answersEach;
    uint64_t count;
    (void)answers;
    return Succeeded( joQueryBatch_FindNearest( state->batch, state->broadPhase, &points, state->offsets,
                          state->hits, capacity, &count, NULL ),
        "find nearest" );
}

static void CollectLists(
    void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    const QueryState* state = stateIn;
    for ( uint32_t i = 0; i < queryCount; ++i )
    {
        const uint64_t begin = state->offsets[i];
        const size_t place = (size_t)i * scene->answersEach;
        answers->counts[i] = (uint32_t)( state->offsets[i + 1] - begin );
        for ( uint32_t j = 0; j < answers->counts[i] && j < scene->answersEach; ++j )
        {
            if ( state->keys != NULL )
            {
                answers->keys[place + j] = state->keys[begin + j];
            }
            else
            {
                answers->hits[place + j] = state->hits[begin + j];
            }
        }
    }
}

static uint64_t Memory( void* stateIn )
{
    QueryState* state = stateIn;
    return joBroadPhase_GetStats( state->broadPhase ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    QueryState* state = stateIn;
    joDestroyQueryBatch( state->batch );
    joDestroyBroadPhase( state->broadPhase );
    joDestroyJobs( state->jobs );
    free( state->offsets );
    free( state->keys );
    free( state->hits );
    free( state );
}

static void CreateBatch( QueryState* state, const benchQueryScene* scene )
{
    joQueryBatchDef def = joDefaultQueryBatchDef();
    def.jobs = state->jobs;
    if ( !Succeeded( joCreateQueryBatch( &def, &state->batch ), "create batch" ) )
    {
        exit( 3 );
    }
    const size_t places = (size_t)scene->queryCount * scene->answersEach;
    if ( scene->rays == NULL )
    {
        state->offsets = benchAllocate( (size_t)scene->queryCount + 1, sizeof( uint64_t ) );
    }
    if ( scene->queryBoxes != NULL )
    {
        state->keys = benchAllocate( places, sizeof( uint32_t ) );
    }
    if ( scene->points != NULL )
    {
        state->hits = benchAllocate( places, sizeof( joHit ) );
    }
}

static QueryState* CreateState( joBroadPhaseKind kind, uint32_t threads )
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
    return state;
}

static benchContestant* AddVariant(
    benchField* field, joBroadPhaseKind kind, const char* how, uint32_t threads )
{
    QueryState* state = CreateState( kind, threads );
    snprintf( state->text, sizeof( state->text ), "%s%s", joBroadPhaseKindText( kind ), how );
    benchContestant* contestant = benchAddJostle( field, state->text, threads );
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->build = Build;
    contestant->memory = Memory;
    contestant->destroy = Destroy;
    return contestant;
}

void benchAddJostleQueries(
    benchField* field, const benchQueryScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    benchContestant* single = AddVariant( field, kind, "", threads );
    single->answer = scene->rays != NULL ? CastRays : scene->points != NULL ? FindNearest : OverlapBoxes;

    benchContestant* batch = AddVariant( field, kind, " batch", threads );
    CreateBatch( batch->state, scene );
    batch->answerAll = scene->rays != NULL     ? CastRayBatch
                       : scene->points != NULL ? FindNearestBatch
                                               : OverlapBatch;
    batch->collect = scene->rays != NULL ? CollectRays : CollectLists;
}
