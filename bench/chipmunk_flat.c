// SPDX-License-Identifier: MIT
// Chipmunk 7 in the races of pairs in 2D: cpCollide, which its space calls for each pair that its index
// finds, on shapes of a body each that cpShapeCacheBB has placed before. The space keeps an id for each pair,
// from which its GJK goes on in the next step: so does the row `warm`.
#include "contestant.h"

#include "pair_scene.h"

#include <chipmunk/chipmunk_private.h>

typedef struct Touched
{
    joPair pair;
    float depth;
} Touched;

typedef struct State
{
    cpBody** bodies;
    cpShape** shapes;
    uint32_t bodyCount;
    cpCollisionID* ids; // of each pair; null: all start cold
    struct cpContact ( *contacts )[CP_MAX_CONTACTS_PER_ARBITER];
    Touched* found;
    uint64_t foundCount;
} State;

static bool Place( void* context, const benchPairScene* scene )
{
    const State* state = context;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform2* pose = scene->poses2 + i;
        cpBodySetPosition( state->bodies[i], cpv( (double)pose->position.x, (double)pose->position.y ) );
        cpBodySetAngle( state->bodies[i], cpfatan2( (double)pose->rotation.s, (double)pose->rotation.c ) );
        cpShapeCacheBB( state->shapes[i] );
    }
    return true;
}

static bool Touch( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->foundCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        const cpShape *a = state->shapes[pair.a], *b = state->shapes[pair.b];
        struct cpContact* contacts = state->contacts[state->foundCount];
        const struct cpCollisionInfo info =
            cpCollide( a, b, state->ids != NULL ? state->ids[i] : 0, contacts );
        if ( state->ids != NULL )
        {
            state->ids[i] = info.id;
        }
        if ( info.count > 0 )
        {
            double depth = 0.0;
            for ( int k = 0; k < info.count; ++k )
            {
                depth = cpfmax( depth, cpvdot( cpvsub( contacts[k].r1, contacts[k].r2 ), info.n ) );
            }
            state->found[state->foundCount++] = ( Touched ){ pair, (float)depth };
        }
    }
    return true;
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    (void)scene;
    for ( uint64_t k = 0; k < state->foundCount; ++k )
    {
        benchPushTouch( touches, state->found[k].pair, state->found[k].depth );
    }
}

static void Destroy( void* context )
{
    State* state = context;
    for ( uint32_t i = 0; i < state->bodyCount; ++i )
    {
        cpShapeFree( state->shapes[i] );
        cpBodyFree( state->bodies[i] );
    }
    free( state->bodies );
    free( state->shapes );
    free( state->ids );
    free( state->contacts );
    free( state->found );
    free( state );
}

static cpShape* MakeShape( cpBody* body, const joShape2* shape )
{
    if ( shape->kind == jo_circleShape2 )
    {
        return cpCircleShapeNew( body, (double)shape->circle.radius, cpvzero );
    }
    if ( shape->kind == jo_capsuleShape2 )
    {
        const joCapsule2* capsule = &shape->capsule;
        return cpSegmentShapeNew( body, cpv( (double)capsule->a.x, (double)capsule->a.y ),
            cpv( (double)capsule->b.x, (double)capsule->b.y ), (double)capsule->radius );
    }
    cpVect vertices[JO_MAX_POLYGON_VERTICES];
    const joPolygon2* polygon = shape->polygon;
    for ( uint32_t k = 0; k < polygon->count; ++k )
    {
        vertices[k] = cpv( (double)polygon->vertices[k].x, (double)polygon->vertices[k].y );
    }
    return cpPolyShapeNewRaw( body, (int)polygon->count, vertices, (double)polygon->radius );
}

static void Add( benchField* field, const benchPairScene* scene, const char* kind, bool isWarm )
{
    State* state = benchAllocate( 1, sizeof( State ) );
    state->bodyCount = scene->bodyCount;
    state->bodies = benchAllocate( scene->bodyCount, sizeof( cpBody* ) );
    state->shapes = benchAllocate( scene->bodyCount, sizeof( cpShape* ) );
    state->ids = isWarm ? benchAllocate( scene->pairCount, sizeof( cpCollisionID ) ) : NULL;
    // The one that does not touch writes there, too.
    state->contacts = benchAllocate( (size_t)scene->pairCount + 1, sizeof( *state->contacts ) );
    state->found = benchAllocate( scene->pairCount, sizeof( Touched ) );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        state->bodies[i] = cpBodyNew( 1.0, 1.0 );
        state->shapes[i] = MakeShape( state->bodies[i], scene->shapes2 + i );
    }
    benchContestant* contestant = benchAddContestant( field, "Chipmunk", cpVersionString, kind );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}

void benchAddChipmunkFlat( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    Add( field, scene, "cpCollide", false );
    // Circles have no GJK.
    if ( scene->shapes2[0].kind != jo_circleShape2 )
    {
        Add( field, scene, "cpCollide warm", true );
    }
}
