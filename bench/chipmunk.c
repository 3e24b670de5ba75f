// SPDX-License-Identifier: MIT
// Chipmunk 7: its spatial indexes alone for pairs in 2D, and a whole cpSpace for the crowd.
//
// Pairs: cpSpatialIndexReindexQuery over the boxes, as cpSpaceStep does; what never moves is in a static
// index. The tree gets a velocity function (as in cpSpace), so that leaves are enlarged by a tenth and most
// stay where they are; the hash gets what its documentation asks for: cells of the mean size of the boxes,
// ten times as many as there are. Candidates are tested by their true boxes in the callback.
//
// The crowd: a body with a circle for each disc, walls of static segments, elasticity 1, no friction, no
// gravity, the default slop and bias; see ITERATIONS.
#include "contestant.h"

#include "workload.h"

#include <chipmunk/chipmunk.h>
#include <stdio.h>
#include <unistd.h>

typedef struct IndexState
{
    cpSpatialIndex* moving;
    cpSpatialIndex* still;
} IndexState;

typedef struct QueryContext
{
    const float* boxes;
    benchPairList* pairs;
} QueryContext;

// Objects in an index are the boxes themselves.
static cpBB GetBB( void* object )
{
    const float* box = object;
    return cpBBNew( box[0], box[1], box[3], box[4] );
}

// No motion is predicted: it is random. That there is a function at all makes the tree enlarge its leaves.
static cpVect GetVelocity( void* object )
{
    (void)object;
    return cpvzero;
}

static cpCollisionID CollectPair( void* objectA, void* objectB, cpCollisionID id, void* data )
{
    const float* a = objectA;
    const float* b = objectB;
    QueryContext* context = data;
    if ( benchTouch( a, b ) )
    {
        benchPushPair( context->pairs, (uint32_t)( ( a - context->boxes ) / 6 ),
            (uint32_t)( ( b - context->boxes ) / 6 ) );
    }
    return id;
}

static bool FrameOfIndex( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    IndexState* state = stateIn;
    QueryContext context = { scene->boxes, pairs };
    cpSpatialIndexReindexQuery( state->moving, CollectPair, &context );
    return true;
}

static void DestroyIndexState( void* stateIn )
{
    IndexState* state = stateIn;
    cpSpatialIndexFree( state->moving );
    cpSpatialIndexFree( state->still );
    free( state );
}

static void FinishIndex( benchField* field, const benchScene* scene, const char* kind, IndexState* state )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        // Chipmunk only reads what the object points to, through GetBB.
        void* object = (void*)(uintptr_t)( scene->boxes + (size_t)i * 6 );
        cpSpatialIndexInsert( scene->motion[i] == jo_moving ? state->moving : state->still, object, i );
    }
    benchContestant* contestant = benchAddContestant( field, "Chipmunk", cpVersionString, kind );
    contestant->state = state;
    contestant->frame = FrameOfIndex;
    contestant->destroy = DestroyIndexState;
}

void benchAddChipmunkPairs( benchField* field, const benchScene* scene, uint32_t threads )
{
    if ( threads != 1 || scene->dimension != 2 )
    {
        return;
    }
    IndexState* tree = benchAllocate( 1, sizeof( IndexState ) );
    tree->still = cpBBTreeNew( GetBB, NULL );
    tree->moving = cpBBTreeNew( GetBB, tree->still );
    cpBBTreeSetVelocityFunc( tree->moving, GetVelocity );
    FinishIndex( field, scene, "bbtree", tree );

    double sum = 0.0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        const float* box = scene->boxes + (size_t)i * 6;
        sum += (double)( box[3] - box[0] ) + (double)( box[4] - box[1] );
    }
    double cell = sum / ( 2.0 * scene->count );
    uint32_t movingCount = scene->count - scene->stillCount;
    IndexState* hash = benchAllocate( 1, sizeof( IndexState ) );
    hash->still = cpSpaceHashNew( cell, (int)( 10 * scene->stillCount + 10 ), GetBB, NULL );
    hash->moving = cpSpaceHashNew( cell, (int)( 10 * movingCount + 10 ), GetBB, hash->still );
    FinishIndex( field, scene, "hash", hash );
}

// The crowd.

// Chipmunk's default.
#define ITERATIONS 10

typedef struct SpaceState
{
    cpSpace* space;
    cpBody** bodies;
    cpShape** shapes;
    uint32_t count;
    cpShape* walls[4];
} SpaceState;

static bool StepSpace( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    SpaceState* state = stateIn;
    (void)scene;
    (void)pairs;
    cpSpaceStep( state->space, (cpFloat)JO_CROWD_TIME_STEP );
    return true;
}

static void GetPositions( void* stateIn, double* x, double* y )
{
    SpaceState* state = stateIn;
    for ( uint32_t i = 0; i < state->count; ++i )
    {
        cpVect position = cpBodyGetPosition( state->bodies[i] );
        x[i] = position.x;
        y[i] = position.y;
    }
}

static void DestroySpaceState( void* stateIn )
{
    SpaceState* state = stateIn;
    // The space goes first: taking a million shapes out one by one would only keep its tree in order.
    cpSpaceFree( state->space );
    for ( int i = 0; i < 4; ++i )
    {
        cpShapeFree( state->walls[i] );
    }
    for ( uint32_t i = 0; i < state->count; ++i )
    {
        cpShapeFree( state->shapes[i] );
        cpBodyFree( state->bodies[i] );
    }
    free( state->bodies );
    free( state->shapes );
    free( state );
}

static void AddWalls( SpaceState* state, double side )
{
    // Thick, and outside of the square: their inner faces are its sides.
    const double thickness = 5.0;
    cpVect corners[4] = { { -thickness, -thickness }, { side + thickness, -thickness },
        { side + thickness, side + thickness }, { -thickness, side + thickness } };
    for ( int i = 0; i < 4; ++i )
    {
        state->walls[i] = cpSegmentShapeNew(
            cpSpaceGetStaticBody( state->space ), corners[i], corners[( i + 1 ) % 4], thickness );
        cpShapeSetElasticity( state->walls[i], 1.0 );
        cpSpaceAddShape( state->space, state->walls[i] );
    }
}

// Debian's Chipmunk is built with assertions and greets on stdout, once; stdout is for rows.
static cpSpace* CreateSpaceQuietly( void )
{
    fflush( stdout );
    int output = dup( STDOUT_FILENO );
    if ( output < 0 || dup2( STDERR_FILENO, STDOUT_FILENO ) < 0 )
    {
        perror( "jostle-bench: stdout" );
        exit( 3 );
    }
    cpSpace* space = cpSpaceNew();
    fflush( stdout );
    dup2( output, STDOUT_FILENO );
    close( output );
    return space;
}

static void AddSpace( benchField* field, const joCrowd* crowd, const char* kind, bool useHash )
{
    SpaceState* state = benchAllocate( 1, sizeof( SpaceState ) );
    state->space = CreateSpaceQuietly();
    state->count = crowd->count;
    state->bodies = benchAllocate( crowd->count, sizeof( cpBody* ) );
    state->shapes = benchAllocate( crowd->count, sizeof( cpShape* ) );
    cpSpaceSetIterations( state->space, ITERATIONS );
    double radius = (double)crowd->radius;
    if ( useHash )
    {
        cpSpaceUseSpatialHash( state->space, 2.0 * radius, (int)( 10 * crowd->count ) );
    }
    AddWalls( state, (double)crowd->side );
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        cpBody* body = cpBodyNew( 1.0, cpMomentForCircle( 1.0, 0.0, radius, cpvzero ) );
        cpBodySetPosition( body, cpv( (double)crowd->x[i], (double)crowd->y[i] ) );
        cpBodySetVelocity( body, cpv( (double)crowd->velocityX[i], (double)crowd->velocityY[i] ) );
        cpShape* shape = cpCircleShapeNew( body, radius, cpvzero );
        cpShapeSetElasticity( shape, 1.0 );
        cpSpaceAddBody( state->space, body );
        cpSpaceAddShape( state->space, shape );
        state->bodies[i] = body;
        state->shapes[i] = shape;
    }
    benchContestant* contestant = benchAddContestant( field, "Chipmunk", cpVersionString, kind );
    contestant->state = state;
    contestant->frame = StepSpace;
    contestant->positions = GetPositions;
    contestant->destroy = DestroySpaceState;
}

void benchAddChipmunkCrowd( benchField* field, const benchScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    AddSpace( field, scene->crowd, "bbtree", false );
    AddSpace( field, scene->crowd, "hash", true );
}
