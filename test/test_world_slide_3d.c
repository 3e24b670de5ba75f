// SPDX-License-Identifier: MIT
// Sliding bodies in 3D: what stops them, ground, and random rooms. Up is y, but for one test.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define GRID 24u

static joWorld* makeWorld( const float gravity[3], joJobs* jobs, joBroadPhaseKind kind )
{
    joWorldDef def = joDefaultWorldDef();
    memcpy( def.gravity, gravity, sizeof( def.gravity ) );
    def.jobs = jobs;
    def.broadPhase.kind = kind;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

static joWorld* makeDownWorld( float gravity )
{
    return makeWorld( ( const float[3] ){ 0.0f, -gravity, 0.0f }, NULL, jo_grid );
}

static joShape3 box( float x, float y, float z )
{
    return ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( x, y, z ) };
}

static joShape3 sphere( float radius )
{
    return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = radius } };
}

static joShape3 capsule( float half, float radius )
{
    return ( joShape3 ){
        .kind = jo_capsuleShape3, .capsule = { { 0.0f, -half, 0.0f }, { 0.0f, half, 0.0f }, radius } };
}

static joShape3 walker( int sort )
{
    return sort == 0 ? box( 0.3f, 0.5f, 0.3f ) : sort == 1 ? sphere( 0.5f ) : capsule( 0.2f, 0.3f );
}

static joBodyId add( joWorld* world, joBodyType type, joResponse response, joShape3 shape, joVec3 at,
    joQuat turn, uint32_t group )
{
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.type = type;
    def.response = response;
    def.pose = ( joTransform3 ){ at, turn };
    colliderDef.shape = shape;
    colliderDef.filter.group = group;
    kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

static const joQuat s_straight = { 0.0f, 0.0f, 0.0f, 1.0f };

static joBodyId addStatic( joWorld* world, joShape3 shape, float x, float y, float z )
{
    return add( world, jo_staticBody, jo_detect, shape, ( joVec3 ){ x, y, z }, s_straight, 0 );
}

static joBodyId addSlider( joWorld* world, joShape3 shape, float x, float y, float z )
{
    return add( world, jo_dynamicBody, jo_slide, shape, ( joVec3 ){ x, y, z }, s_straight, 0 );
}

static joTransform3 poseOf( const joWorld* world, joBodyId body )
{
    joTransform3 pose = { 0 };
    kitRequire( joWorld_GetPose3( world, body, &pose ), "joWorld_GetPose3" );
    return pose;
}

static joVec3 velocityOf( const joWorld* world, joBodyId body )
{
    joBodyDef3 def;
    kitRequire( joWorld_GetBody3( world, body, &def ), "joWorld_GetBody3" );
    return def.velocity;
}

static void setVelocity( joWorld* world, joBodyId body, float x, float y, float z )
{
    kitRequire( joWorld_SetVelocity3( world, body, ( joVec3 ){ x, y, z } ), "joWorld_SetVelocity3" );
}

static void walk( joWorld* world, joBodyId body, float x, float z )
{
    setVelocity( world, body, x, velocityOf( world, body ).y, z );
    kitStep( world );
}

static void settle( joWorld* world, joBodyId body )
{
    for ( int step = 0; step < 60; ++step )
    {
        kitStep( world );
    }
    assert_true( kitStateOf( world, body ).isGrounded );
}

// Case 28.
static void fastBodiesStopAtThinWalls( void** state )
{
    (void)state;
    for ( int sort = 0; sort < 2; ++sort )
    {
        joWorld* world = makeDownWorld( 0.0f );
        addStatic( world, box( 0.005f, 100.0f, 100.0f ), 50.0f, 0.0f, 0.0f );
        static joBodyId bodies[1000];
        uint64_t random = 5;
        for ( int i = 0; i < 1000; ++i )
        {
            const joVec3 at = { -(float)randomBelow( &random, 1000 ) * 0.1f, (float)( i % 32 ) - 16.0f,
                (float)( i / 32 ) - 16.0f };
            bodies[i] = add( world, jo_dynamicBody, jo_slide,
                sort == 0 ? sphere( 0.01f ) : box( 0.01f, 0.01f, 0.01f ), at, s_straight, 1 );
            setVelocity( world, bodies[i], 2000.0f, (float)randomBelow( &random, 100 ), 7.0f );
        }
        uint64_t enters = 0;
        for ( int step = 0; step < 10; ++step )
        {
            joContactEvents events;
            kitStep( world );
            kitRequire( joWorld_GetContactEvents( world, jo_perCollider, &events ), "events" );
            enters += events.enterCount;
        }
        assert_int_equal( enters, 1000 );
        for ( int i = 0; i < 1000; ++i )
        {
            const float x = poseOf( world, bodies[i] ).position.x;
            assert_true( x < 49.995f - 0.01f && x > 49.97f && velocityOf( world, bodies[i] ).x == 0.0f );
        }
        joDestroyWorld( world );
    }
}

// A plane of squares, each of two triangles, with heights of a function of the place.
static joMesh3* makeGround( float bump )
{
    static joVec3 vertices[( GRID + 1 ) * ( GRID + 1 )];
    static uint32_t indices[6 * GRID * GRID];
    for ( uint32_t i = 0; i < ( GRID + 1 ) * ( GRID + 1 ); ++i )
    {
        const float x = (float)( i % ( GRID + 1 ) ) - 0.5f * (float)GRID,
                    z = (float)( i / ( GRID + 1 ) ) - 0.5f * (float)GRID;
        vertices[i] = ( joVec3 ){ x, bump * joSin( x ) * joCos( z ), z };
    }
    for ( uint32_t i = 0; i < GRID * GRID; ++i )
    {
        const uint32_t at = i / GRID * ( GRID + 1 ) + i % GRID;
        const uint32_t square[6] = { at, at + GRID + 1, at + 1, at + 1, at + GRID + 1, at + GRID + 2 };
        memcpy( indices + 6 * i, square, sizeof( square ) );
    }
    joMesh3* mesh = NULL;
    kitRequire(
        joCreateMesh3( vertices, ( GRID + 1 ) * ( GRID + 1 ), indices, 2 * GRID * GRID, NULL, &mesh, NULL ),
        "joCreateMesh3" );
    return mesh;
}

// Case 29: boxes as tiles, and the triangles of a mesh.
static void bodiesRunOverSeams( void** state )
{
    (void)state;
    joMesh3* mesh = makeGround( 0.0f );
    for ( int i = 0; i < 6; ++i )
    {
        joWorld* world = makeDownWorld( 10.0f );
        if ( i / 3 == 0 )
        {
            addStatic( world, ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh }, 0.0f, 0.0f, 0.0f );
        }
        for ( int k = 0; k < 24 * 24 && i / 3 == 1; ++k )
        {
            addStatic(
                world, box( 0.5f, 0.5f, 0.5f ), (float)( k % 24 ) - 11.5f, -0.5f, (float)( k / 24 ) - 11.5f );
        }
        const joBodyId body = addSlider( world, walker( i % 3 ), -10.0f, 0.6f, -9.0f );
        settle( world, body );
        joVec3 last = poseOf( world, body ).position;
        for ( int step = 0; step < 240; ++step )
        {
            walk( world, body, 5.0f, 3.0f );
            const joVec3 at = poseOf( world, body ).position;
            assert_true( fabsf( at.x - last.x - 5.0f / 60.0f ) < 1e-5f );
            assert_true( fabsf( at.z - last.z - 3.0f / 60.0f ) < 1e-5f );
            assert_true( fabsf( at.y - last.y ) < 2e-5f );
            const joSlideState slide = kitStateOf( world, body );
            assert_true( slide.isGrounded && slide.sides == jo_slideBelow );
            last = at;
        }
        joDestroyWorld( world );
    }
    joDestroyMesh3( mesh, NULL );
}

// Case 29: sides and corners over seams.
// Case 31, of a mesh: what touches it at the start, or has sunk into it, gets out and walks on.
static void whatTouchesAMeshWalksOn( void** state )
{
    (void)state;
    joMesh3* mesh = makeGround( 0.0f );
    static const float depths[4] = { 0.0f, 0.001f, 0.02f, 0.2f };
    for ( int i = 0; i < 12; ++i )
    {
        joWorld* world = makeDownWorld( 10.0f );
        addStatic( world, ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh }, 0.0f, 0.0f, 0.0f );
        const float depth = depths[i / 3];
        const joBodyId body = addSlider( world, walker( i % 3 ), -5.0f, 0.5f - depth, -5.0f );
        joVec3 last = poseOf( world, body ).position;
        for ( int step = 0; step < 60; ++step )
        {
            walk( world, body, 3.0f, 1.0f );
            const joVec3 at = poseOf( world, body ).position;
            assert_true( at.y > last.y - 1e-4f );
            assert_true( step < 4 || fabsf( at.x - last.x - 3.0f / 60.0f ) < 1e-4f );
            last = at;
        }
        assert_true( fabsf( last.y - 0.505f ) < 1e-3f && kitStateOf( world, body ).isGrounded );
        joDestroyWorld( world );
    }
    joDestroyMesh3( mesh, NULL );
}

static void boxesFallStraightOntoSeams( void** state )
{
    (void)state;
    uint64_t random = 9;
    for ( int i = 0; i < 24; ++i )
    {
        joWorld* world = makeDownWorld( 10.0f );
        for ( int k = 0; k < 64; ++k )
        {
            addStatic(
                world, box( 0.5f, 0.5f, 0.5f ), (float)( k % 8 ) - 3.5f, -0.5f, (float)( k / 8 ) - 3.5f );
        }
        // Exactly over a seam, and a hair before it, where corner and corner are nearest.
        const float x = i % 4 == 3 ? 0.74999994f : 0.25f * (float)( i % 4 );
        const float z = i / 4 % 3 == 1 ? 0.74999988f : 0.25f * (float)( i / 4 % 3 );
        const joBodyId body = addSlider( world, box( 0.25f, 0.5f, 0.25f ), x, 2.0f, z );
        setVelocity( world, body, 0.0f, -(float)( i / 12 ) * 500.0f, 0.0f );
        for ( int step = 0; step < 50; ++step )
        {
            kitStep( world );
            assert_true( poseOf( world, body ).position.x == x && poseOf( world, body ).position.z == z );
        }
        assert_true( kitStateOf( world, body ).isGrounded );
        // And fast at a slant: nothing is lost but what goes down.
        for ( int fall = 0; fall < 20; ++fall )
        {
            const float speed = 12.0f * (float)randomBelow( &random, 10 ),
                        down = 3.0f * (float)randomBelow( &random, 50 );
            kitRequire( joWorld_SetPose3(
                            world, body, &( joTransform3 ){ { x - 1.0f, 1.505f, z - 1.0f }, s_straight } ),
                "pose" );
            setVelocity( world, body, speed, -down, 0.5f * speed );
            kitStep( world );
            kitStep( world );
            const joVec3 velocity = velocityOf( world, body );
            assert_true( velocity.x == speed && velocity.z == 0.5f * speed );
        }
        joDestroyWorld( world );
    }
}

static void groundIsWalkedAndWallsAreSlidAlong( void** state )
{
    (void)state;
    for ( int i = 0; i < 9; ++i )
    {
        joWorld* world = makeDownWorld( 10.0f );
        const joQuat turn = joMakeQuat( ( joVec3 ){ 0.0f, 0.0f, 1.0f }, i < 3 ? 0.6f : 1.0f );
        const joVec3 normal = joRotateVec3( turn, ( joVec3 ){ 0.0f, 1.0f, 0.0f } );
        addStatic( world, box( 30.0f, 0.5f, 30.0f ), 0.0f, -0.5f, 0.0f );
        if ( i < 6 )
        {
            add( world, jo_staticBody, jo_detect, box( 20.0f, 0.5f, 20.0f ),
                ( joVec3 ){ 2.0f - 0.5f * normal.x, -0.5f * normal.y, 0.0f }, turn, 0 );
        }
        else
        {
            addStatic( world, box( 0.5f, 2.0f, 20.0f ), 2.5f, 2.0f, 0.0f );
        }
        const joBodyId body = addSlider( world, walker( i % 3 ), -1.0f, 0.55f, 0.0f );
        settle( world, body );
        for ( int step = 0; step < 120; ++step )
        {
            walk( world, body, 4.0f, 2.0f );
            assert_true( kitStateOf( world, body ).isGrounded );
        }
        const joVec3 at = poseOf( world, body ).position;
        // Along a wall at full speed, too.
        assert_true( fabsf( at.z - 4.0f ) < 0.02f );
        if ( i < 3 )
        {
            assert_true( fabsf( at.x - 7.0f ) < 0.02f );
        }
        else
        {
            assert_true( at.x < 2.0f && at.y < 0.6f );
            assert_true( ( kitStateOf( world, body ).sides & jo_slideRight ) != 0 );
        }
        joDestroyWorld( world );
    }
}

static void stepsAreWalked( void** state )
{
    (void)state;
    for ( int i = 0; i < 6; ++i )
    {
        const float height = i < 3 ? 0.25f : 0.4f;
        joWorld* world = makeDownWorld( 10.0f );
        addStatic( world, box( 30.0f, 0.5f, 30.0f ), 0.0f, -0.5f, 0.0f );
        addStatic( world, box( 5.0f, 0.5f * height, 5.0f ), 6.0f, 0.5f * height, 0.0f );
        const joBodyId body = addSlider( world, walker( i % 3 ), -1.0f, 0.55f, 0.0f );
        joSlideDef def = joDefaultSlideDef();
        def.stepHeight = 0.3f;
        kitRequire( joWorld_SetSlide( world, body, &def ), "joWorld_SetSlide" );
        settle( world, body );
        for ( int step = 0; step < 90; ++step )
        {
            walk( world, body, 4.0f, 1.0f );
            assert_true( kitStateOf( world, body ).isGrounded );
        }
        const joVec3 at = poseOf( world, body ).position;
        assert_true( height > 0.3f ? at.x < 1.0f : fabsf( at.y - height - 0.505f ) < 0.002f && at.x > 4.9f );
        joDestroyWorld( world );
    }
}

// Case 30.
static void platformsCarryAndLetThrough( void** state )
{
    (void)state;
    for ( int i = 0; i < 3; ++i )
    {
        joWorld* world = makeDownWorld( 10.0f );
        const joBodyId disc = add( world, jo_kinematicBody, jo_detect, box( 3.0f, 0.25f, 3.0f ),
            ( joVec3 ){ 0.0f, 0.0f, 0.0f }, s_straight, 0 );
        joColliderId collider;
        uint64_t count;
        kitRequire( joWorld_GetColliders( world, disc, &collider, 1, &count ), "colliders" );
        const float up[3] = { 0.0f, 1.0f, 0.0f };
        kitRequire( joWorld_SetColliderOneWay( world, collider, up ), "one-way" );
        // Up through it first.
        const joBodyId body = addSlider( world, walker( i ), 1.0f, -1.0f, 0.5f );
        setVelocity( world, body, 0.0f, 9.0f, 0.0f );
        for ( int step = 0; step < 150; ++step )
        {
            kitStep( world );
        }
        assert_true( kitStateOf( world, body ).isGrounded );
        assert_true( fabsf( poseOf( world, body ).position.y - 0.755f ) < 1e-3f );
        // It turns and rises, and takes along who stands on it.
        kitRequire( joWorld_SetAngularVelocity3( world, disc, ( joVec3 ){ 0.0f, 1.0f, 0.0f } ), "turn" );
        setVelocity( world, disc, 2.0f, 1.0f, 0.0f );
        for ( int step = 0; step < 120; ++step )
        {
            kitStep( world );
            const joVec3 on =
                joInverseTransformPoint3( poseOf( world, disc ), poseOf( world, body ).position );
            assert_true( fabsf( on.x - 1.0f ) < 2e-3f && fabsf( on.z - 0.5f ) < 2e-3f );
            assert_true( fabsf( on.y - 0.755f ) < 2e-3f );
            assert_true( kitStateOf( world, body ).groundBody.bits == disc.bits );
        }
        joDestroyWorld( world );
    }
}

static void sidesAreToldByUp( void** state )
{
    (void)state;
    // Gravity along -z: right is x, and front is right x up, which is -y.
    const float down[3] = { 0.0f, 0.0f, -10.0f };
    const joVec3 walls[4] = {
        { 3.0f, 0.0f, 0.0f }, { -3.0f, 0.0f, 0.0f }, { 0.0f, 3.0f, 0.0f }, { 0.0f, -3.0f, 0.0f } };
    const uint32_t sides[4] = { jo_slideRight, jo_slideLeft, jo_slideBack, jo_slideFront };
    for ( int i = 0; i < 4; ++i )
    {
        joWorld* world = makeWorld( down, NULL, jo_bvh );
        addStatic( world, box( 10.0f, 10.0f, 0.5f ), 0.0f, 0.0f, -0.5f );
        addStatic( world, box( 1.0f, 1.0f, 2.0f ), walls[i].x, walls[i].y, 0.0f );
        const joBodyId body = addSlider( world, sphere( 0.5f ), 0.0f, 0.0f, 0.6f );
        settle( world, body );
        setVelocity( world, body, 100.0f * walls[i].x, 100.0f * walls[i].y, 0.0f );
        kitStep( world );
        assert_int_equal( kitStateOf( world, body ).sides, sides[i] | jo_slideBelow );
        joDestroyWorld( world );
    }
}

#define FIXED 26u
#define BODIES ( FIXED + 16u )

typedef struct Room
{
    joWorld* world;
    joShape3 shapes[BODIES];
    joBodyId bodies[BODIES];
} Room;

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

static joShape3 randomShape( uint64_t* random, float size, const joMesh3* mesh )
{
    const float a = size * between( random, 0.2f, 1.0f ), b = size * between( random, 0.2f, 1.0f );
    switch ( randomBelow( random, mesh != NULL ? 4 : 3 ) )
    {
        case 0:
            return sphere( a );
        case 1:
            return capsule( a, b );
        case 2:
            return box( a, b, size * between( random, 0.2f, 1.0f ) );
        default:
            return ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh };
    }
}

static void makeRoom(
    Room* room, uint64_t seed, float speed, const joMesh3* mesh, joJobs* jobs, joBroadPhaseKind kind )
{
    uint64_t random = seed;
    room->world = makeWorld( ( const float[3] ){ 0.0f, seed % 2 == 0 ? -10.0f : 0.0f, 0.0f }, jobs, kind );
    for ( uint32_t i = 0; i < BODIES; ++i )
    {
        const bool isFixed = i < FIXED;
        joVec3 at = { between( &random, -6.0f, 6.0f ), between( &random, -6.0f, 6.0f ),
            between( &random, -6.0f, 6.0f ) };
        joQuat turn =
            joMakeQuat( ( joVec3 ){ between( &random, -1.0f, 1.0f ), 1.0f, between( &random, -1.0f, 1.0f ) },
                between( &random, -3.0f, 3.0f ) );
        room->shapes[i] = randomShape( &random, isFixed ? 1.5f : 0.4f, i == 6 ? mesh : NULL );
        if ( i < 6 )
        {
            const float side = i % 2 == 0 ? 8.0f : -8.0f;
            at = ( joVec3 ){ i / 2 == 0 ? side : 0.0f, i / 2 == 1 ? side : 0.0f, i / 2 == 2 ? side : 0.0f };
            turn = s_straight;
            room->shapes[i] =
                box( i / 2 == 0 ? 0.005f : 9.0f, i / 2 == 1 ? 0.005f : 9.0f, i / 2 == 2 ? 0.005f : 9.0f );
        }
        if ( i == 6 )
        {
            room->shapes[i] = ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh };
            at = ( joVec3 ){ 0.0f, -3.0f, 0.0f };
            turn = s_straight;
        }
        room->bodies[i] = add( room->world, isFixed ? jo_staticBody : jo_dynamicBody,
            isFixed ? jo_detect : jo_slide, room->shapes[i], at, turn, 0 );
        if ( !isFixed )
        {
            setVelocity( room->world, room->bodies[i], between( &random, -speed, speed ),
                between( &random, -speed, speed ), between( &random, -speed, speed ) );
        }
        if ( !isFixed && seed % 3 == 2 )
        {
            const joVec3 spin = { between( &random, -20.0f, 20.0f ), between( &random, -20.0f, 20.0f ),
                between( &random, -20.0f, 20.0f ) };
            kitRequire(
                joWorld_SetAngularVelocity3( room->world, room->bodies[i], spin ), "angular velocity" );
        }
    }
}

static float depthOf( const Room* room, uint32_t i )
{
    const joTransform3 pose = poseOf( room->world, room->bodies[i] );
    float most = -1.0f;
    for ( uint32_t k = 0; k < FIXED; ++k )
    {
        const joTransform3 other = poseOf( room->world, room->bodies[k] );
        joManifold3 manifold;
        kitRequire( joCollide3( &room->shapes[k], &other, &room->shapes[i], &pose, 0.1f, NULL, &manifold ),
            "joCollide3" );
        most = manifold.pointCount > 0 && manifold.depth > most ? manifold.depth : most;
    }
    return most;
}

static void bodiesStayOutOfWhatIsSolid( void** state )
{
    (void)state;
    joMesh3* mesh = makeGround( 0.5f );
    uint32_t seen = 0;
    for ( uint32_t scene = 0; scene < 20; ++scene )
    {
        Room room;
        const float speed = scene % 2 == 0 ? 10.0f : 1000.0f;
        makeRoom( &room, scene, speed, mesh, NULL, jo_grid );
        uint64_t random = scene;
        bool isFree[BODIES] = { false };
        bool isAbove[BODIES];
        for ( uint32_t step = 0; step < 40; ++step )
        {
            kitStep( room.world );
            for ( uint32_t i = FIXED; i < BODIES; ++i )
            {
                const joVec3 at = poseOf( room.world, room.bodies[i] ).position;
                const float depth = depthOf( &room, i );
                assert_true( !isFree[i] || depth <= 1e-3f );
                assert_true( fabsf( at.x ) < 8.0f && fabsf( at.y ) < 8.0f && fabsf( at.z ) < 8.0f );
                // The ground, which has no inside, is not passed either.
                const bool above = at.y > -3.0f + 0.5f * joSin( at.x ) * joCos( at.z );
                isAbove[i] = isFree[i] ? isAbove[i] : above;
                assert_true( !isFree[i] || above == isAbove[i] );
                isFree[i] = isFree[i] || depth < 0.0f;
                seen += isFree[i];
                if ( randomBelow( &random, 15 ) == 0 )
                {
                    setVelocity( room.world, room.bodies[i], between( &random, -speed, speed ),
                        between( &random, -speed, speed ), between( &random, -speed, speed ) );
                }
            }
        }
        joDestroyWorld( room.world );
    }
    assert_true( seen > 20 * 40 * ( BODIES - FIXED ) / 10 * 9 );
    joDestroyMesh3( mesh, NULL );
}

static uint64_t hashRoom( uint64_t seed, const joMesh3* mesh, joJobs* jobs, joBroadPhaseKind kind )
{
    Room room;
    uint64_t hash = 0;
    makeRoom( &room, seed, 40.0f, mesh, jobs, kind );
    // Bodies enough for several blocks of all that a step runs over.
    for ( int i = 0; i < 300; ++i )
    {
        add( room.world, jo_dynamicBody, jo_detect, sphere( 0.2f ),
            ( joVec3 ){ 20.0f + (float)i, 0.0f, 0.0f }, s_straight, 0 );
    }
    for ( uint32_t step = 0; step < 30; ++step )
    {
        kitStep( room.world );
        for ( uint32_t i = FIXED; i < BODIES; ++i )
        {
            const joTransform3 pose = poseOf( room.world, room.bodies[i] );
            const joVec3 velocity = velocityOf( room.world, room.bodies[i] );
            hash = hashBytes( hash, &pose, sizeof( pose ) );
            hash = hashBytes( hash, &velocity, sizeof( velocity ) );
        }
    }
    joDestroyWorld( room.world );
    return hash;
}

static void neitherThreadsNorKindsShow( void** state )
{
    (void)state;
    joMesh3* mesh = makeGround( 0.5f );
    const joBroadPhaseKind kinds[4] = { jo_sweep, jo_grid, jo_tree, jo_bvh };
    for ( uint32_t threads = 1; threads <= 4; ++threads )
    {
        joJobs* jobs = kitJobs( threads );
        assert_int_equal(
            hashRoom( 50, mesh, jobs, kinds[threads - 1] ), hashRoom( 50, mesh, NULL, jo_bruteForce ) );
        joDestroyJobs( jobs );
    }
    joDestroyMesh3( mesh, NULL );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "case 28: fast bodies stop at thin walls", KIT_WITHOUT_THREADS( fastBodiesStopAtThinWalls ) ),
        TEST( "case 29: bodies run over seams", KIT_WITHOUT_THREADS( bodiesRunOverSeams ) ),
        TEST( "case 31: what touches a mesh walks on", KIT_WITHOUT_THREADS( whatTouchesAMeshWalksOn ) ),
        TEST( "case 29: boxes fall straight onto seams", KIT_WITHOUT_THREADS( boxesFallStraightOntoSeams ) ),
        TEST( "ground is walked, walls are slid along",
            KIT_WITHOUT_THREADS( groundIsWalkedAndWallsAreSlidAlong ) ),
        TEST( "steps are walked", KIT_WITHOUT_THREADS( stepsAreWalked ) ),
        TEST( "case 30: platforms carry, and let through", platformsCarryAndLetThrough ),
        TEST( "sides are told by up", sidesAreToldByUp ),
        TEST( "bodies stay out of what is solid", KIT_WITHOUT_THREADS( bodiesStayOutOfWhatIsSolid ) ),
        TEST( "neither threads nor kinds show", neitherThreadsNorKindsShow ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
