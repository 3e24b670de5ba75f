// SPDX-License-Identifier: MIT
// jostle in the races of hulls: one call a pair. The batch is that of jostle_boxes.c.
#include "contestant.h"

typedef struct State
{
    benchTouchedPair* found;
    uint32_t foundCount;
} State;

static bool Place( void* context, const benchPairScene* scene )
{
    (void)context;
    (void)scene;
    return true;
}

static bool Overlap( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->foundCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        bool touches = false;
        if ( joOverlap3( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
                 scene->poses + pair.b, NULL, &touches ) != jo_success )
        {
            return false;
        }
        state->found[state->foundCount] = ( benchTouchedPair ){ .pair = pair };
        state->foundCount += touches;
    }
    return true;
}

static bool Collide( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->foundCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        joManifold3 manifold;
        if ( joCollide3( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
                 scene->poses + pair.b, 0.0f, NULL, &manifold ) != jo_success )
        {
            return false;
        }
        state->found[state->foundCount] =
            ( benchTouchedPair ){ .pair = pair, .depth = manifold.depth, .normal = manifold.normal };
        state->foundCount += manifold.pointCount > 0;
    }
    return true;
}

static bool Distance( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->foundCount = scene->pairCount;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        joClosestPoints3 closest;
        if ( joDistance3( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
                 scene->poses + pair.b, NULL, &closest ) != jo_success )
        {
            return false;
        }
        state->found[i] = ( benchTouchedPair ){
            .pair = pair, .depth = -closest.distance, .normal = closest.normal, .point = closest.pointA };
    }
    return true;
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    (void)scene;
    for ( uint32_t i = 0; i < state->foundCount; ++i )
    {
        benchPushTouchedPair( touches, state->found + i );
    }
}

static void Destroy( void* context )
{
    State* state = context;
    free( state->found );
    free( state );
}

void benchAddJostleHulls( benchField* field, const benchPairScene* scene )
{
    State* state = benchAllocate( 1, sizeof( State ) );
    state->found = benchAllocate( scene->pairCount + 1, sizeof( benchTouchedPair ) );
    benchContestant* contestant = benchAddJostle( field, "single", 1 );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = scene->question == bench_askHits        ? Overlap
                        : scene->question == bench_askDistances ? Distance
                                                                : Collide;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}
