// SPDX-License-Identifier: MIT
// jostle in the races of pairs in 2D: as in those of boxes (jostle_boxes.c), for contact points.
#include "contestant.h"

#include "jostle/collide_batch.h"
#include "pair_scene.h"

#include <stdio.h>

typedef struct State
{
    joJobs* jobs;
    joCollideBatch* batch;
    bool setsShapes; // in the timed part
    uint32_t* hitPairs;
    joManifold2* manifolds;
    uint64_t hitCount;
} State;

static bool SetShapes( State* state, const benchPairScene* scene )
{
    const joPlacedShapes2 shapes = { .shape = { scene->shapes2, sizeof( joShape2 ) },
        .pose = { scene->poses2, sizeof( joTransform2 ) },
        .count = scene->bodyCount };
    return joCollideBatch_SetShapes2( state->batch, &shapes, NULL ) == jo_success;
}

static bool Place( void* context, const benchPairScene* scene )
{
    State* state = context;
    return state->setsShapes || SetShapes( state, scene );
}

static bool TouchBatch( void* context, const benchPairScene* scene )
{
    State* state = context;
    return ( !state->setsShapes || SetShapes( state, scene ) ) &&
           joCollideBatch_Collide2( state->batch, scene->pairs, scene->pairCount, 0.0f, state->hitPairs,
               state->manifolds, scene->pairCount, &state->hitCount, NULL ) == jo_success;
}

static bool TouchSingly( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->hitCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        joManifold2* manifold = state->manifolds + state->hitCount;
        joCollide2( scene->shapes2 + pair.a, scene->poses2 + pair.a, scene->shapes2 + pair.b,
            scene->poses2 + pair.b, 0.0f, NULL, manifold );
        state->hitPairs[state->hitCount] = i;
        state->hitCount += manifold->pointCount > 0;
    }
    return true;
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    for ( uint64_t k = 0; k < state->hitCount; ++k )
    {
        benchPushTouch( touches, scene->pairs[state->hitPairs[k]], state->manifolds[k].depth );
    }
}

static void Destroy( void* context )
{
    State* state = context;
    joDestroyCollideBatch( state->batch );
    joDestroyJobs( state->jobs );
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
    // Single calls write one more than what touches.
    state->hitPairs = benchAllocate( (size_t)scene->pairCount + 1, sizeof( uint32_t ) );
    state->manifolds = benchAllocate( (size_t)scene->pairCount + 1, sizeof( joManifold2 ) );
    benchContestant* contestant = benchAddJostle( field, kind, threads );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = TouchBatch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
    return state;
}

void benchAddJostleFlat( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    Add( field, scene, "batch", threads );
    Add( field, scene, "batch, set", threads )->setsShapes = true;
    if ( threads == 1 )
    {
        Add( field, scene, "single", threads );
        field->contestants[field->count - 1].touch = TouchSingly;
    }
}
