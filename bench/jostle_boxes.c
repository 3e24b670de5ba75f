// SPDX-License-Identifier: MIT
// jostle in the races of boxes, and of what is round in 3D: a batch for all pairs, with the shapes set before
// (as peers have their matrices before) or in the timed part; and one call a pair. obb-world: bounds, a broad
// phase of each kind, a batch.
#include "contestant.h"

#include "box_scene.h"
#include "jostle/collide_batch.h"

#include <stdio.h>

typedef struct State
{
    joJobs* jobs;
    joCollideBatch* batch;
    joBroadPhase* broadPhase; // obb-world
    joBounds3* bounds;
    joPair* pairs; // found
    uint64_t pairCapacity;
    bool setsShapes; // in the timed part
    // Answers.
    uint64_t* bits;
    joVec3* normals;
    float* depths;
    uint32_t* hitPairs;
    joManifold3* manifolds;
    uint64_t hitCount, capacity;
    const joPair* asked;
    uint64_t askedCount;
} State;

static bool SetShapes( State* state, const benchPairScene* scene )
{
    const joPlacedShapes3 shapes = { .shape = { scene->shapes, sizeof( joShape3 ) },
        .pose = { scene->poses, sizeof( joTransform3 ) },
        .count = scene->bodyCount };
    return joCollideBatch_SetShapes3( state->batch, &shapes, NULL ) == jo_success;
}

static bool Place( void* context, const benchPairScene* scene )
{
    State* state = context;
    return state->setsShapes || SetShapes( state, scene );
}

// Room for answers about so many pairs.
static void Reserve( State* state, uint64_t pairCount, benchQuestion question )
{
    if ( pairCount <= state->capacity )
    {
        return;
    }
    state->capacity = pairCount + pairCount / 4;
    free( state->bits );
    free( state->normals );
    free( state->depths );
    free( state->hitPairs );
    free( state->manifolds );
    const bool points = question == bench_askPoints;
    state->bits = benchAllocate( state->capacity / 64 + 1, sizeof( uint64_t ) );
    state->normals = benchAllocate( points ? 0 : state->capacity, sizeof( joVec3 ) );
    state->depths = benchAllocate( points ? 0 : state->capacity, sizeof( float ) );
    state->hitPairs = benchAllocate( points ? state->capacity : 0, sizeof( uint32_t ) );
    state->manifolds = benchAllocate( points ? state->capacity : 0, sizeof( joManifold3 ) );
}

static bool TouchBatch( void* context, const benchPairScene* scene )
{
    State* state = context;
    if ( state->setsShapes && !SetShapes( state, scene ) )
    {
        return false;
    }
    const joPair* pairs = state->asked;
    const uint64_t count = state->askedCount;
    joResult result;
    switch ( scene->question )
    {
        case bench_askHits:
            result =
                joCollideBatch_Overlap3( state->batch, pairs, count, state->bits, &state->hitCount, NULL );
            break;
        case bench_askDepths:
            result = joCollideBatch_FindDepths3( state->batch, pairs, count, 0.0f, state->bits,
                state->normals, state->depths, &state->hitCount, NULL );
            break;
        default:
            result = joCollideBatch_Collide3( state->batch, pairs, count, 0.0f, state->hitPairs,
                state->manifolds, state->capacity, &state->hitCount, NULL );
            break;
    }
    return result == jo_success;
}

static bool TouchSingly( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->hitCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        const joShape3 *a = scene->shapes + pair.a, *b = scene->shapes + pair.b;
        const joTransform3 *poseA = scene->poses + pair.a, *poseB = scene->poses + pair.b;
        bool touches = false;
        joManifold3 manifold;
        if ( scene->question == bench_askHits )
        {
            joOverlapBoxes3( &a->box, poseA, &b->box, poseB, NULL, &touches );
        }
        else if ( scene->family != &benchBoxFamily )
        {
            joCollide3( a, poseA, b, poseB, 0.0f, NULL, &manifold );
            touches = manifold.pointCount > 0;
        }
        else
        {
            joCollideBoxes3( &a->box, poseA, &b->box, poseB, 0.0f, NULL, &manifold );
            touches = manifold.pointCount > 0;
        }
        const uint64_t bit = UINT64_C( 1 ) << ( i % 64 );
        state->bits[i / 64] = touches ? state->bits[i / 64] | bit : state->bits[i / 64] & ~bit;
        if ( touches && scene->question == bench_askDepths )
        {
            state->normals[i] = manifold.normal;
            state->depths[i] = manifold.depth;
        }
        if ( touches && scene->question == bench_askPoints )
        {
            state->hitPairs[state->hitCount] = i;
            state->manifolds[state->hitCount] = manifold;
        }
        state->hitCount += touches;
    }
    return true;
}

static bool TouchWorld( void* context, const benchPairScene* scene )
{
    State* state = context;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        state->bounds[i] = joComputeBoxBounds3( &scene->shapes[i].box, scene->poses[i] );
    }
    const size_t stride = sizeof( joBounds3 );
    const joBounds3* bounds = state->bounds;
    const joBoxes boxes = { .lowerX = { &bounds->lower.x, stride },
        .lowerY = { &bounds->lower.y, stride },
        .lowerZ = { &bounds->lower.z, stride },
        .upperX = { &bounds->upper.x, stride },
        .upperY = { &bounds->upper.y, stride },
        .upperZ = { &bounds->upper.z, stride },
        .count = scene->bodyCount };
    uint64_t count = 0;
    bool isGood =
        joBroadPhase_SetBoxes( state->broadPhase, &boxes, NULL ) == jo_success &&
        joBroadPhase_FindPairs( state->broadPhase, state->pairs, state->pairCapacity, &count ) == jo_success;
    if ( isGood && count > state->pairCapacity )
    {
        free( state->pairs );
        state->pairCapacity = count + count / 4;
        state->pairs = benchAllocate( state->pairCapacity, sizeof( joPair ) );
        isGood = joBroadPhase_GetPairs( state->broadPhase, 0, state->pairs, state->pairCapacity, &count ) ==
                 jo_success;
    }
    Reserve( state, count, scene->question );
    state->asked = state->pairs;
    state->askedCount = count;
    return isGood && TouchBatch( state, scene );
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    if ( scene->question == bench_askPoints )
    {
        for ( uint64_t k = 0; k < state->hitCount; ++k )
        {
            benchPushTouch( touches, state->asked[state->hitPairs[k]], state->manifolds[k].depth );
        }
        return;
    }
    for ( uint64_t i = 0; i < state->askedCount; ++i )
    {
        if ( state->bits[i / 64] >> ( i % 64 ) & 1 )
        {
            const bool isDepth = scene->question == bench_askDepths;
            const benchTouchedPair touch = { .pair = state->asked[i],
                .depth = isDepth ? state->depths[i] : 0.0f,
                .normal = isDepth ? state->normals[i] : ( joVec3 ){ 0.0f, 0.0f, 0.0f } };
            benchPushTouchedPair( touches, &touch );
        }
    }
}

static void Destroy( void* context )
{
    State* state = context;
    joDestroyCollideBatch( state->batch );
    joDestroyBroadPhase( state->broadPhase );
    joDestroyJobs( state->jobs );
    free( state->bounds );
    free( state->pairs );
    free( state->bits );
    free( state->normals );
    free( state->depths );
    free( state->hitPairs );
    free( state->manifolds );
    free( state );
}

static State* Add( benchField* field, const benchPairScene* scene, const char* kind, uint32_t threads )
{
    State* state = benchAllocate( 1, sizeof( State ) );
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    joCollideBatchDef def = joDefaultCollideBatchDef();
    if ( joCreateJobs( &jobsDef, &state->jobs ) != jo_success ||
         ( def.jobs = state->jobs, joCreateCollideBatch( &def, &state->batch ) != jo_success ) )
    {
        fprintf( stderr, "jostle-bench: jostle cannot make a batch\n" );
        exit( 3 );
    }
    Reserve( state, scene->pairCount, scene->question );
    state->asked = scene->pairs;
    state->askedCount = scene->pairCount;
    state->setsShapes = true;
    benchContestant* contestant = benchAddJostle( field, kind, threads );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = TouchBatch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
    return state;
}

void benchAddJostleBatch( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    Add( field, scene, "batch", threads )->setsShapes = false;
}

void benchAddJostleBoxes( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    const bool moves = scene->velocities != NULL;
    Add( field, scene, "batch", threads )->setsShapes = moves;
    if ( !moves )
    {
        Add( field, scene, "batch, set", threads );
    }
    if ( threads == 1 )
    {
        Add( field, scene, "single", threads );
        field->contestants[field->count - 1].touch = TouchSingly;
    }
}

void benchAddJostleWorld(
    benchField* field, const benchPairScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    State* state = Add( field, scene, joBroadPhaseKindText( kind ), threads );
    field->contestants[field->count - 1].touch = TouchWorld;
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = 3;
    def.jobs = state->jobs;
    if ( joCreateBroadPhase( &def, &state->broadPhase ) != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle cannot make a broad phase\n" );
        exit( 3 );
    }
    state->bounds = benchAllocate( scene->bodyCount, sizeof( joBounds3 ) );
}
