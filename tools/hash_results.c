// SPDX-License-Identifier: MIT
// Prints a hash of everything the library computes: a line per subject, the same on every machine, compiler,
// optimisation level, instruction set and number of threads. tools/check_bits.sh compares what builds print.
//
// Exit: 0; 1 if kinds or threads disagree among themselves or a call failed; 3 if JOSTLE_ISA cannot run here.
// --probe: only says whether JOSTLE_ISA can run.
#include "jostle/jostle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_COUNT 1500
#define PAIR_CAPACITY 400000
#define FRAMES 4

typedef struct Scene
{
    const char* name;
    int dimension;
    float lower[3][SCENE_COUNT];
    float upper[3][SCENE_COUNT];
    float center[3][SCENE_COUNT];
    float radius[SCENE_COUNT];
} Scene;

static Scene scene;
static joPair pairs[PAIR_CAPACITY];
static joBroadPhaseChoice choice; // of the last broad phase

static uint64_t hashBytes( uint64_t hash, const void* data, size_t size )
{
    const unsigned char* bytes = data;
    for ( size_t i = 0; i < size; ++i )
    {
        hash = ( hash ^ bytes[i] ) * UINT64_C( 0x100000001b3 );
    }
    return hash;
}

static const uint64_t hashStart = UINT64_C( 0xcbf29ce484222325 );

static void need( joResult result, const char* what )
{
    if ( result == jo_success )
    {
        return;
    }
    fprintf( stderr, "hash_results: %s: %s\n", what, joResultText( result ) );
    exit( result == jo_errorUnsupportedIsa ? 3 : 1 );
}

static void print( const char* subject, const char* detail, uint64_t hash )
{
    printf( "%-12s %-24s %016llx\n", subject, detail, (unsigned long long)hash );
}

static void hashMath( void )
{
    uint64_t hash = hashStart;
    joRandom random = joMakeRandom( 1 );
    for ( int i = 0; i < 20000; ++i )
    {
        float angle =
            i < 10000 ? joRandom_Range( &random, -7.0f, 7.0f ) : joRandom_Range( &random, -1e5f, 1e5f );
        float y = joRandom_Range( &random, -3.0f, 3.0f );
        float results[3] = { joSin( angle ), joCos( angle ), joAtan2( y, angle ) };
        hash = hashBytes( hash, results, sizeof( results ) );
    }
    print( "math", "sin cos atan2", hash );

    hash = hashStart;
    for ( int i = 0; i < 20000; ++i )
    {
        float results[2] = { joRandom_Float( &random ), joRandom_Normal( &random ) };
        uint32_t below = joRandom_Below( &random, 1000003 );
        hash = hashBytes( hashBytes( hash, results, sizeof( results ) ), &below, sizeof( below ) );
    }
    print( "math", "random", hash );
}

// No product is added to anything here: that could be contracted, and the scene would differ, not the
// library.
static void makeScene( const char* name, int dimension, uint64_t seed )
{
    joRandom random = joMakeRandom( seed );
    float side = dimension == 2 ? 39.0f : 14.0f;
    scene.name = name;
    scene.dimension = dimension;
    for ( int i = 0; i < SCENE_COUNT; ++i )
    {
        float half = 0.5f;
        float offset = 0.0f;
        if ( strcmp( name, "mixed" ) == 0 )
        {
            half = i % 300 == 0 ? 10.0f : joRandom_Range( &random, 0.0f, 0.8f );
        }
        else if ( strcmp( name, "far" ) == 0 )
        {
            offset = -10000.0f;
        }
        scene.radius[i] = half;
        for ( int axis = 0; axis < 3; ++axis )
        {
            float center = joRandom_Range( &random, -side, side ) + offset;
            if ( strcmp( name, "lattice" ) == 0 )
            {
                // Whole numbers: many boxes touch exactly, many coincide.
                center = (float)( (int)joRandom_Below( &random, dimension == 2 ? 42 : 12 ) - 8 );
            }
            scene.center[axis][i] = center;
            scene.lower[axis][i] = center - half;
            scene.upper[axis][i] = center + half;
        }
    }
}

// Every box or circle takes one of eight steps; the same for all kinds.
static void moveScene( int frame )
{
    joRandom random = joMakeRandom( (uint64_t)frame + 100 );
    for ( int i = 0; i < SCENE_COUNT; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            float step = joRandom_Range( &random, -0.25f, 0.25f );
            scene.center[axis][i] += step;
            scene.lower[axis][i] = scene.center[axis][i] - scene.radius[i];
            scene.upper[axis][i] = scene.center[axis][i] + scene.radius[i];
        }
    }
}

static joColumn column( const float* data )
{
    return ( joColumn ){ data, sizeof( float ) };
}

static joBoxes sceneBoxes( uint32_t first, uint32_t count, const uint32_t* keys )
{
    joBoxes boxes = { 0 };
    boxes.lowerX = column( scene.lower[0] + first );
    boxes.lowerY = column( scene.lower[1] + first );
    boxes.lowerZ = column( scene.lower[2] + first );
    boxes.upperX = column( scene.upper[0] + first );
    boxes.upperY = column( scene.upper[1] + first );
    boxes.upperZ = column( scene.upper[2] + first );
    boxes.key = ( joColumn ){ keys + first, sizeof( uint32_t ) };
    boxes.count = count;
    return boxes;
}

static joCircles sceneCircles( const uint32_t* keys )
{
    joCircles circles = { 0 };
    circles.x = column( scene.center[0] );
    circles.y = column( scene.center[1] );
    circles.z = column( scene.center[2] );
    circles.radius = column( scene.radius );
    circles.key = ( joColumn ){ keys, sizeof( uint32_t ) };
    circles.count = SCENE_COUNT;
    return circles;
}

static uint64_t hashPairs( uint64_t hash, joBroadPhase* broadPhase )
{
    uint64_t count = 0;
    need( joBroadPhase_FindPairs( broadPhase, pairs, PAIR_CAPACITY, &count ), "find pairs" );
    if ( count > PAIR_CAPACITY )
    {
        fprintf( stderr, "hash_results: %llu pairs in %s\n", (unsigned long long)count, scene.name );
        exit( 1 );
    }
    hash = hashBytes( hash, &count, sizeof( count ) );
    return hashBytes( hash, pairs, (size_t)count * sizeof( joPair ) );
}

static uint64_t hashKind(
    joBroadPhaseKind kind, const char* use, joJobs* jobs, const char* name, int dimension )
{
    // Keys that are not indices, and not in order.
    static uint32_t keys[SCENE_COUNT];
    for ( uint32_t i = 0; i < SCENE_COUNT; ++i )
    {
        keys[i] = ( i * 997u ) % SCENE_COUNT + 7u;
    }
    makeScene( name, dimension, 42 );
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = dimension;
    def.jobs = jobs;
    joBroadPhase* broadPhase = NULL;
    need( joCreateBroadPhase( &def, &broadPhase ), "create broad phase" );
    uint64_t hash = hashStart;
    const uint32_t third = SCENE_COUNT / 3;
    for ( int frame = 0; frame < FRAMES; ++frame )
    {
        if ( strcmp( use, "boxes" ) == 0 )
        {
            joBoxes boxes = sceneBoxes( 0, SCENE_COUNT, keys );
            need( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "set boxes" );
        }
        else if ( strcmp( use, "circles" ) == 0 )
        {
            joCircles circles = sceneCircles( keys );
            need( joBroadPhase_SetCircles( broadPhase, &circles, NULL ), "set circles" );
        }
        else if ( frame == 0 )
        {
            joBoxes boxes[3] = { sceneBoxes( 0, third, keys ), sceneBoxes( third, third, keys ),
                sceneBoxes( 2 * third, third, keys ) };
            need( joBroadPhase_AddBoxes( broadPhase, jo_static, &boxes[0], NULL ), "add static" );
            need( joBroadPhase_AddBoxes( broadPhase, jo_resting, &boxes[1], NULL ), "add resting" );
            need( joBroadPhase_AddBoxes( broadPhase, jo_moving, &boxes[2], NULL ), "add moving" );
        }
        else
        {
            joBoxes boxes = sceneBoxes( 2 * third, third, keys );
            need( joBroadPhase_MoveBoxes( broadPhase, &boxes, NULL ), "move" );
            need( joBroadPhase_SetMotion( broadPhase, jo_moving, keys + third, 50, NULL ), "wake" );
            need( joBroadPhase_SetMotion( broadPhase, jo_resting, keys + 2 * third, 70, NULL ), "park" );
            need( joBroadPhase_Remove( broadPhase, keys + third + 100 + 10 * frame, 10, NULL ), "remove" );
        }
        hash = hashPairs( hash, broadPhase );
        moveScene( frame );
    }
    need( joBroadPhase_GetChoice( broadPhase, &choice ), "get choice" );
    joDestroyBroadPhase( broadPhase );
    return hash;
}

// Returns whether all kinds, with one thread and with three, gave the same.
static bool hashBroadPhase( joJobs* jobs )
{
    static const char* const names[] = { "uniform", "mixed", "far", "lattice" };
    static const char* const uses[] = { "boxes", "circles", "retained" };
    bool agree = true;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        for ( size_t use = 0; use < 3; ++use )
        {
            for ( size_t name = 0; name < 4; ++name )
            {
                char detail[64];
                snprintf( detail, sizeof( detail ), "%s %dd %s", uses[use], dimension, names[name] );
                uint64_t expected = hashKind( jo_bruteForce, uses[use], NULL, names[name], dimension );
                print( "broad-phase", detail, expected );
                for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
                {
                    for ( int threaded = kind == jo_bruteForce; threaded < 2; ++threaded )
                    {
                        uint64_t hash = hashKind( (joBroadPhaseKind)kind, uses[use], threaded ? jobs : NULL,
                            names[name], dimension );
                        if ( hash != expected )
                        {
                            fprintf( stderr, "hash_results: %s: %s%s gives other pairs than brute force\n",
                                detail, joBroadPhaseKindText( (joBroadPhaseKind)kind ),
                                threaded ? ", threads," : "" );
                            agree = false;
                        }
                    }
                    if ( kind == jo_auto )
                    {
                        print( "choice", detail, hashBytes( hashStart, choice.text, strlen( choice.text ) ) );
                    }
                }
            }
        }
    }
    return agree;
}

static uint64_t hashPush( int dimension, joJobs* jobs )
{
    makeScene( "mixed", dimension, 5 );
    joPusherDef def = joDefaultPusherDef();
    def.dimension = dimension;
    def.jobs = jobs;
    joPusher* pusher = NULL;
    need( joCreatePusher( &def, &pusher ), "create pusher" );
    joPushBodies bodies = { 0 };
    bodies.x = ( joMutableColumn ){ scene.center[0], sizeof( float ) };
    bodies.y = ( joMutableColumn ){ scene.center[1], sizeof( float ) };
    bodies.z = ( joMutableColumn ){ scene.center[2], sizeof( float ) };
    bodies.radius = column( scene.radius );
    bodies.count = SCENE_COUNT;
    uint64_t hash = hashStart;
    for ( int frame = 0; frame < FRAMES; ++frame )
    {
        joPushResult result;
        joResult code = dimension == 2 ? joPushApart2( pusher, &bodies, &result, NULL )
                                       : joPushApart3( pusher, &bodies, &result, NULL );
        need( code, "push apart" );
        for ( int axis = 0; axis < dimension; ++axis )
        {
            hash = hashBytes( hash, scene.center[axis], sizeof( scene.center[axis] ) );
        }
        float measures[3] = { result.deepestBefore, result.deepest, result.farthest };
        hash = hashBytes( hash, measures, sizeof( measures ) );
        hash = hashBytes( hash, &result.overlapCount, sizeof( result.overlapCount ) );
    }
    joDestroyPusher( pusher );
    return hash;
}

static bool hashPushApart( joJobs* jobs )
{
    bool agree = true;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        uint64_t hash = hashPush( dimension, NULL );
        print( "push-apart", dimension == 2 ? "2d" : "3d", hash );
        if ( hash != hashPush( dimension, jobs ) )
        {
            fprintf( stderr, "hash_results: push apart in %dd depends on threads\n", dimension );
            agree = false;
        }
    }
    return agree;
}

static void hashSpatialHash( int dimension )
{
    makeScene( "uniform", dimension, 9 );
    joSpatialHashDef def = joDefaultSpatialHashDef();
    def.dimension = dimension;
    def.cellSize = 1.3f;
    joSpatialHash* spatialHash = NULL;
    need( joCreateSpatialHash( &def, &spatialHash ), "create spatial hash" );
    joPoints points = { 0 };
    points.x = column( scene.center[0] );
    points.y = column( scene.center[1] );
    points.z = column( scene.center[2] );
    points.count = SCENE_COUNT / 2;
    need( joSpatialHash_AddStill( spatialHash, &points, NULL ), "add still" );
    points.x.data = scene.center[0] + SCENE_COUNT / 2;
    need( joSpatialHash_AddMoving( spatialHash, &points, NULL ), "add moving" );
    uint64_t hash = hashStart;
    for ( int i = 0; i < SCENE_COUNT; i += 3 )
    {
        static uint32_t values[SCENE_COUNT];
        float position[3] = { scene.center[0][i], scene.center[1][i], scene.center[2][i] };
        uint64_t count = 0;
        need( joSpatialHash_QueryCells( spatialHash, position, 2.0f, values, SCENE_COUNT, &count ),
            "query cells" );
        hash = hashBytes( hash, values, (size_t)count * sizeof( uint32_t ) );
        need( joSpatialHash_QueryRadius( spatialHash, position, 2.5f, values, SCENE_COUNT, &count ),
            "query radius" );
        hash = hashBytes( hash, values, (size_t)count * sizeof( uint32_t ) );
    }
    joDestroySpatialHash( spatialHash );
    print( "spatial-hash", dimension == 2 ? "2d" : "3d", hash );
}

static void hashDiff( void )
{
    makeScene( "mixed", 3, 11 );
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    joBroadPhase* broadPhase = NULL;
    need( joCreateBroadPhase( &def, &broadPhase ), "create broad phase" );
    joPairTrackerDef trackerDef = joDefaultPairTrackerDef();
    joPairTracker* tracker = NULL;
    need( joCreatePairTracker( &trackerDef, &tracker ), "create pair tracker" );
    static uint32_t keys[SCENE_COUNT];
    for ( uint32_t i = 0; i < SCENE_COUNT; ++i )
    {
        keys[i] = i;
    }
    uint64_t hash = hashStart;
    for ( int frame = 0; frame < FRAMES; ++frame )
    {
        joBoxes boxes = sceneBoxes( 0, SCENE_COUNT, keys );
        need( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "set boxes" );
        uint64_t count = 0;
        need( joBroadPhase_FindPairs( broadPhase, NULL, 0, &count ), "find pairs" );
        const joPair* found = joBroadPhase_ViewPairs( broadPhase, &count );
        joPairChanges changes;
        need( joPairTracker_Update( tracker, found, count, &changes, NULL ), "update tracker" );
        hash = hashBytes( hash, changes.enters, (size_t)changes.enterCount * sizeof( joPair ) );
        hash = hashBytes( hash, changes.stays, (size_t)changes.stayCount * sizeof( joPair ) );
        hash = hashBytes( hash, changes.exits, (size_t)changes.exitCount * sizeof( joPair ) );
        moveScene( frame );
    }
    joDestroyPairTracker( tracker );
    joDestroyBroadPhase( broadPhase );
    print( "pair-diff", "enter stay exit", hash );
}

// One after the other: compilers may evaluate arguments and initialisers in any order.
static joVec3 anyVector( joRandom* random, float lower, float upper )
{
    joVec3 vector;
    vector.x = joRandom_Range( random, lower, upper );
    vector.y = joRandom_Range( random, lower, upper );
    vector.z = joRandom_Range( random, lower, upper );
    return vector;
}

static joQuat anyRotation( joRandom* random )
{
    const joVec3 axis = anyVector( random, -1.0f, 1.0f );
    return joMakeQuat( axis, joRandom_Range( random, -3.0f, 3.0f ) );
}

// Boxes at all depths and angles, a third of them nearly parallel.
static void hashCollide( void )
{
    uint64_t hash = hashStart, boundsHash = hashStart;
    joRandom random = joMakeRandom( 13 );
    for ( int i = 0; i < 20000; ++i )
    {
        joBox3 boxes[2];
        joTransform3 poses[2];
        for ( int k = 0; k < 2; ++k )
        {
            const joVec3 halfExtents = anyVector( &random, 0.3f, 1.0f );
            boxes[k] = joMakeBox3( halfExtents.x, halfExtents.y, halfExtents.z );
            boxes[k].localPose.position.x = joRandom_Range( &random, -0.1f, 0.1f );
            poses[k].position = anyVector( &random, -1.0f, 1.0f );
            poses[k].rotation = anyRotation( &random );
        }
        if ( i % 3 == 0 )
        {
            joQuat little =
                joMakeQuat( ( joVec3 ){ 1.0f, 1.0f, 0.0f }, joRandom_Range( &random, -0.02f, 0.02f ) );
            poses[1].rotation = joMultiplyQuats( poses[0].rotation, little );
        }
        joManifold3 manifold;
        need(
            joCollideBoxes3( boxes, poses, boxes + 1, poses + 1, 0.02f, NULL, &manifold ), "collide boxes" );
        hash = hashBytes( hash, &manifold, sizeof( manifold ) );
        joBounds3 bounds = joComputeBoxSweptBounds3( boxes, poses[0], poses[i % 2] );
        boundsHash = hashBytes( boundsHash, &bounds, sizeof( bounds ) );
    }
    print( "collide", "boxes 3D", hash );
    print( "collide", "bounds 3D", boundsHash );
}

#define FLAT_COUNT 600

// Polygons and segments in 2D: one by one, and in batches by the kernels.
static void hashFlat( joJobs* jobs )
{
    static joPolygon2 polygons[FLAT_COUNT];
    static joShape2 shapes[FLAT_COUNT];
    static joTransform2 poses[FLAT_COUNT];
    static joPair flatPairs[FLAT_COUNT - 1];
    static joManifold2 manifolds[FLAT_COUNT];
    static uint32_t hitPairs[FLAT_COUNT];
    joRandom random = joMakeRandom( 11 );
    for ( uint32_t i = 0; i < FLAT_COUNT; ++i )
    {
        joVec2 points[8];
        for ( uint32_t k = 0; k < 8; ++k )
        {
            points[k].x = joRandom_Range( &random, -1.0f, 1.0f );
            points[k].y = joRandom_Range( &random, -1.0f, 1.0f );
        }
        float radius = i % 3 == 0 ? 0.125f : 0.0f;
        need( joMakePolygon2( points, 3 + i % 6, radius, polygons + i, NULL ), "make polygon" );
        shapes[i] = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = polygons + i };
        if ( i % 8 == 7 )
        {
            shapes[i] = ( joShape2 ){ .kind = jo_segmentShape2, .segment = { points[0], points[1] } };
        }
        poses[i].position.x = joRandom_Range( &random, -1.0f, 1.0f );
        poses[i].position.y = joRandom_Range( &random, -1.0f, 1.0f );
        poses[i].rotation = joMakeRot2( joRandom_Range( &random, -4.0f, 4.0f ) );
    }
    uint64_t hash = hashStart, hitCount = 0;
    for ( uint32_t i = 0; i + 1 < FLAT_COUNT; ++i )
    {
        joPair pair = { i, i + 1 };
        flatPairs[i] = pair;
        joClosestPoints2 closest;
        joCastHit2 hit;
        const joVec2 motion = { 1.5f, -0.5f };
        need( joDistance2( shapes + i, poses + i, shapes + i + 1, poses + i + 1, NULL, &closest ),
            "distance in 2D" );
        need( joCast2( shapes + i, poses + i, shapes + i + 1, poses + i + 1, motion, NULL, &hit ),
            "cast in 2D" );
        const float numbers[6] = {
            closest.distance, closest.pointA.x, closest.pointB.y, hit.fraction, hit.normal.x, hit.point.y };
        hash = hashBytes( hash, numbers, sizeof( numbers ) );
    }
    print( "collide", "distance, cast 2D", hash );
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.jobs = jobs;
    joCollideBatch* batch = NULL;
    need( joCreateCollideBatch( &def, &batch ), "create collide batch" );
    const joPlacedShapes2 placed = {
        { shapes, sizeof( joShape2 ) }, { poses, sizeof( joTransform2 ) }, FLAT_COUNT };
    need( joCollideBatch_SetShapes2( batch, &placed, NULL ), "set shapes in 2D" );
    need( joCollideBatch_Collide2(
              batch, flatPairs, FLAT_COUNT - 1, 0.0625f, hitPairs, manifolds, FLAT_COUNT, &hitCount, NULL ),
        "collide in 2D" );
    hash = hashBytes( hashStart, hitPairs, (size_t)hitCount * sizeof( uint32_t ) );
    hash = hashBytes( hash, manifolds, (size_t)hitCount * sizeof( joManifold2 ) );
    print( "collide", "batch 2D", hash );
    joDestroyCollideBatch( batch );
}

#define WORLD_BODIES 600
#define WORLD_QUERIES 200

// What rays and boxes meet in a world, and its whole state.
static uint64_t hashAnswers( joWorld* world, joJobs* jobs, uint64_t hash )
{
    static joRay rays[WORLD_QUERIES];
    static joTransform3 poses[WORLD_QUERIES];
    static joWorldHit hits[4 * WORLD_QUERIES];
    static unsigned char bytes[1 << 20];
    const joShape3 box = { .kind = jo_boxShape3, .box = joMakeBox3( 0.25f, 0.5f, 0.75f ) };
    const joVec3 motion = { 5.0f, 1.0f, -2.0f };
    joRandom random = joMakeRandom( 12 );
    for ( uint32_t i = 0; i < WORLD_QUERIES; ++i )
    {
        poses[i] = ( joTransform3 ){ anyVector( &random, -8.0f, 8.0f ), anyRotation( &random ) };
        const joVec3 origin = poses[i].position, direction = anyVector( &random, -1.0f, 1.0f );
        rays[i] =
            ( joRay ){ { origin.x, origin.y, origin.z }, { direction.x, direction.y, direction.z }, 20.0f };
    }
    const joWorldQueries queries = { .ray = { rays, sizeof( joRay ) },
        .shape = { &box, 0 },
        .pose = { poses, sizeof( joTransform3 ) },
        .motion = { &motion, 0 },
        .count = WORLD_QUERIES };
    need( joWorld_CastRays( world, jobs, &queries, NULL, 2, hits, NULL, NULL ), "cast rays" );
    need(
        joWorld_CastShapes( world, jobs, &queries, NULL, 2, hits + 2 * WORLD_QUERIES, NULL, NULL ), "cast" );
    for ( uint32_t i = 0; i < 4 * WORLD_QUERIES; ++i )
    {
        hash = hashBytes( hash, hits + i, offsetof( joWorldHit, normal ) + sizeof( hits->normal ) );
    }
    uint64_t size;
    need( joWorld_Save( world, NULL, bytes, sizeof( bytes ), &size, NULL ), "save world" );
    return hashBytes( hash, bytes, size );
}

// Spinning bodies of three shapes fly through each other: poses and events of some steps.
static uint64_t hashWorldOf( joBroadPhaseKind kind, joJobs* jobs )
{
    joWorldDef def = joDefaultWorldDef();
    def.gravity[1] = -9.81f;
    def.broadPhase.kind = kind;
    def.jobs = jobs;
    joWorld* world = NULL;
    need( joCreateWorld( &def, &world ), "create world" );
    joRandom random = joMakeRandom( 11 );
    for ( uint32_t i = 0; i < WORLD_BODIES; ++i )
    {
        joBodyDef3 body = joDefaultBodyDef3();
        joColliderDef3 collider = joDefaultColliderDef3();
        const joBodyColumns one = { .count = 1 };
        body.type = i % 8 == 0 ? jo_staticBody : jo_dynamicBody;
        body.pose = ( joTransform3 ){ anyVector( &random, -6.0f, 6.0f ), anyRotation( &random ) };
        body.velocity = anyVector( &random, -3.0f, 3.0f );
        body.angularVelocity = anyVector( &random, -3.0f, 3.0f );
        body.linearDamping = 0.25f;
        collider.shape.kind = (joShapeKind3)( i % 3 );
        if ( i % 3 == 2 )
            collider.shape.box = joMakeBox3( 0.5f, 0.75f, 0.25f );
        else if ( i % 3 == 1 )
            collider.shape.capsule = ( joCapsule3 ){ { -0.5f, 0.0f, 0.0f }, { 0.5f, 0.0f, 0.0f }, 0.25f };
        else
            collider.shape.sphere.radius = 0.5f;
        collider.isTrigger = i % 5 == 0;
        need( joWorld_CreateBodies3( world, &body, &collider, &one, NULL, NULL, NULL ), "create body" );
    }
    uint64_t hash = hashStart;
    for ( int step = 0; step < 12; ++step )
    {
        joContactEvents events[2];
        need( joWorld_Step( world, 1.0f / 30.0f ), "step" );
        need( joWorld_GetContactEvents( world, jo_perCollider, &events[0] ), "contact events" );
        need( joWorld_GetTriggerEvents( world, jo_perBody, &events[1] ), "trigger events" );
        for ( uint64_t i = 0; i < events[0].enterCount + events[1].exitCount; ++i )
        {
            const bool enters = i < events[0].enterCount;
            const joContactEvent* event =
                enters ? &events[0].enters[i] : &events[1].exits[i - events[0].enterCount];
            hash = hashBytes( hash, event, offsetof( joContactEvent, isTrigger ) ); // the rest is padding
        }
    }
    hash = hashAnswers( world, jobs, hash );
    joDestroyWorld( world );
    return hash;
}

static bool hashWorld( joJobs* jobs )
{
    const uint64_t hash = hashWorldOf( jo_bruteForce, NULL );
    bool agree = true;
    for ( int kind = 1; kind < jo_broadPhaseKindCount; ++kind )
    {
        agree = hashWorldOf( (joBroadPhaseKind)kind, jobs ) == hash && agree;
    }
    print( "world", agree ? "3D, all kinds" : "3D, kinds differ", hash );
    return agree;
}

int main( int argc, char** argv )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    joBroadPhase* broadPhase = NULL;
    need( joCreateBroadPhase( &def, &broadPhase ), "JOSTLE_ISA" );
    joDestroyBroadPhase( broadPhase );
    fprintf( stderr, "isa %s\n", joIsaText( joGetIsa() ) );
    if ( argc > 1 && strcmp( argv[1], "--probe" ) == 0 )
    {
        return 0;
    }

    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = 3;
    joJobs* jobs = NULL;
    need( joCreateJobs( &jobsDef, &jobs ), "create jobs" );
    hashMath();
    bool agree = hashBroadPhase( jobs );
    agree = hashPushApart( jobs ) && agree;
    hashSpatialHash( 2 );
    hashSpatialHash( 3 );
    hashDiff();
    hashCollide();
    hashFlat( jobs );
    agree = hashWorld( jobs ) && agree;
    joDestroyJobs( jobs );
    return agree ? 0 : 1;
}
