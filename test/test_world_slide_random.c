// SPDX-License-Identifier: MIT
// Sliding bodies in random rooms in 2D: none ever ends in something solid or beyond a wall; and whatever
// finds pairs, however many threads there are, and in whatever order bodies were made, all ends in the same
// bits.
#include "reference/slide_reference.h"
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define SLIDERS 24
#define OBSTACLES 30
#define ROOM 10.0f
#define SCENES 18u
#define WAYS 40u

typedef struct Room
{
    joWorld* world;
    joShape2 shapes[OBSTACLES + 4 + SLIDERS];
    joBodyId bodies[OBSTACLES + 4 + SLIDERS];
    uint32_t fixed; // of these stand still
    uint32_t count;
} Room;

typedef struct Plan
{
    joBroadPhaseKind kind;
    joJobs* jobs;
    bool isTurned; // bodies are made in the order from behind
} Plan;

static joPolygon2 s_polygons[OBSTACLES + SLIDERS];
static joChain2* s_chain;

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

static joShape2 randomShape( uint64_t* random, uint32_t number, float size, bool isFixed )
{
    const uint32_t sort = randomBelow( random, isFixed ? 6 : 4 );
    const float a = between( random, 0.2f, 1.0f ) * size, b = between( random, 0.2f, 1.0f ) * size;
    joShape2 shape = { .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, a } };
    if ( sort == 1 )
    {
        shape = ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = { { -a, 0.0f }, { a, 0.0f }, 0.5f * b } };
    }
    else if ( sort == 2 || sort == 3 )
    {
        s_polygons[number] = joMakeBox2( a, b );
        joVec2 points[3] = { { -a, -b }, { a, -a }, { 0.0f, b } };
        if ( sort == 3 )
        {
            kitRequire( joMakePolygon2( points, 3, 0.0f, &s_polygons[number], NULL ), "joMakePolygon2" );
        }
        shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &s_polygons[number] };
    }
    else if ( sort == 4 )
    {
        shape = ( joShape2 ){ .kind = jo_segmentShape2, .segment = { { -a, 0.0f }, { a, b } } };
    }
    else if ( sort == 5 )
    {
        shape = ( joShape2 ){ .kind = jo_chainShape2, .chain = s_chain };
    }
    return shape;
}

static joBodyId addBody( joWorld* world, joBodyType type, joResponse response, const joShape2* shape,
    const joTransform2* pose, joVec2 velocity, float restitution )
{
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.type = type;
    def.response = response;
    def.pose = *pose;
    def.velocity = velocity;
    colliderDef.shape = *shape;
    colliderDef.material.restitution = restitution;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

static void makeRoom( Room* room, const Plan* plan, uint64_t seed, float speed, float gravity )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.gravity[1] = -gravity;
    def.broadPhase.kind = plan->kind;
    def.jobs = plan->jobs;
    kitRequire( joCreateWorld( &def, &room->world ), "joCreateWorld" );
    room->fixed = OBSTACLES + 4;
    room->count = room->fixed + SLIDERS;
    joTransform2 poses[OBSTACLES + 4 + SLIDERS];
    joVec2 velocities[OBSTACLES + 4 + SLIDERS] = { { 0.0f, 0.0f } };
    float restitutions[OBSTACLES + 4 + SLIDERS] = { 0.0f };
    uint64_t random = seed;
    for ( uint32_t i = 0; i < room->count; ++i )
    {
        const bool isFixed = i < room->fixed;
        poses[i] = ( joTransform2 ){ { between( &random, -8.0f, 8.0f ), between( &random, -8.0f, 8.0f ) },
            joMakeRot2( between( &random, -3.0f, 3.0f ) ) };
        if ( i < 4 )
        {
            const float side = i % 2 == 0 ? ROOM : -ROOM;
            poses[i] = ( joTransform2 ){ { i < 2 ? side : 0.0f, i < 2 ? 0.0f : side }, { 1.0f, 0.0f } };
            room->shapes[i] = i < 2 ? kitBox( 0.005f, 12.0f ) : kitBox( 12.0f, 0.005f );
            continue;
        }
        room->shapes[i] = randomShape( &random, i - 4, isFixed ? 1.0f : 0.3f, isFixed );
        restitutions[i] = randomBelow( &random, 3 ) == 0 ? between( &random, 0.0f, 1.0f ) : 0.0f;
        if ( !isFixed )
        {
            velocities[i] =
                ( joVec2 ){ between( &random, -speed, speed ), between( &random, -speed, speed ) };
        }
    }
    for ( uint32_t k = 0; k < room->count; ++k )
    {
        const uint32_t i = plan->isTurned ? room->count - 1 - k : k;
        const bool isFixed = i < room->fixed;
        room->bodies[i] = addBody( room->world, isFixed ? jo_staticBody : jo_dynamicBody,
            isFixed ? jo_detect : jo_slide, &room->shapes[i], &poses[i], velocities[i], restitutions[i] );
    }
}

// How deep number i is in anything that stands still.
static float depthOf( const Room* room, uint32_t i )
{
    const joTransform2 pose = kitPoseOf( room->world, room->bodies[i] );
    float most = -1.0f;
    for ( uint32_t k = 0; k < room->fixed; ++k )
    {
        const joTransform2 other = kitPoseOf( room->world, room->bodies[k] );
        joManifold2 manifold;
        kitRequire( joCollide2( &room->shapes[k], &other, &room->shapes[i], &pose, 0.1f, NULL, &manifold ),
            "joCollide2" );
        most = manifold.pointCount > 0 && manifold.depth > most ? manifold.depth : most;
    }
    return most;
}

static void bodiesStayOutOfWhatIsSolid( void** state )
{
    (void)state;
    uint64_t random = 11;
    uint32_t seen = 0;
    for ( uint32_t scene = 0; scene < SCENES; ++scene )
    {
        Room room;
        const Plan plan = { jo_grid, NULL, false };
        const float speeds[3] = { 5.0f, 100.0f, 3000.0f };
        makeRoom( &room, &plan, scene, speeds[scene % 3], scene % 2 == 0 ? 10.0f : 0.0f );
        bool isFree[SLIDERS] = { false };
        for ( uint32_t step = 0; step < 60; ++step )
        {
            kitStep( room.world );
            for ( uint32_t i = 0; i < SLIDERS; ++i )
            {
                const uint32_t body = room.fixed + i;
                const joTransform2 pose = kitPoseOf( room.world, room.bodies[body] );
                const float depth = depthOf( &room, body );
                // Once it is out of what it was made in it is never in anything again.
                assert_true( !isFree[i] || depth <= 1e-3f );
                assert_true( fabsf( pose.position.x ) < ROOM && fabsf( pose.position.y ) < ROOM );
                isFree[i] = isFree[i] || depth < 0.0f;
                seen += isFree[i];
                if ( randomBelow( &random, 20 ) == 0 )
                {
                    const float speed = speeds[scene % 3];
                    const joVec2 velocity = {
                        between( &random, -speed, speed ), between( &random, -speed, speed ) };
                    kitRequire( joWorld_SetVelocity2( room.world, room.bodies[body], velocity ), "velocity" );
                }
            }
        }
        joDestroyWorld( room.world );
    }
    assert_true( seen > SCENES * 60 * SLIDERS / 10 * 9 );
}

static uint64_t hashRoom( const Plan* plan, uint64_t seed )
{
    Room room;
    makeRoom( &room, plan, seed, 60.0f, 10.0f );
    uint64_t hash = 0;
    for ( uint32_t step = 0; step < 60; ++step )
    {
        kitStep( room.world );
        for ( uint32_t i = 0; i < room.count; ++i )
        {
            const joTransform2 pose = kitPoseOf( room.world, room.bodies[i] );
            const joVec2 velocity = kitVelocityOf( room.world, room.bodies[i] );
            hash = hashBytes( hash, &pose, sizeof( pose ) );
            hash = hashBytes( hash, &velocity, sizeof( velocity ) );
        }
    }
    joDestroyWorld( room.world );
    return hash;
}

static void neitherThreadsNorKindsNorOrderShow( void** state )
{
    (void)state;
    for ( uint64_t seed = 100; seed < 105; ++seed )
    {
        const Plan first = { jo_bruteForce, NULL, false };
        const uint64_t hash = hashRoom( &first, seed );
        for ( uint32_t threads = 1; threads <= 4; ++threads )
        {
            joJobsDef def = joDefaultJobsDef();
            joJobs* jobs = NULL;
            def.workerCount = threads;
            kitRequire( joCreateJobs( &def, &jobs ), "joCreateJobs" );
            const joBroadPhaseKind kinds[4] = { jo_sweep, jo_grid, jo_tree, jo_bvh };
            const Plan plan = { kinds[threads - 1], jobs, threads % 2 == 0 };
            assert_int_equal( hashRoom( &plan, seed ), hash );
            joDestroyJobs( jobs );
        }
    }
}

// One step of a circle among polygons, at most 20 units long, against the way in 20,000 steps of a
// thousandth.
static void waysAreThoseOfTheReference( void** state )
{
    (void)state;
    uint64_t random = 3;
    uint32_t agree = 0, hits = 0;
    for ( uint32_t scene = 0; scene < WAYS; ++scene )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        ReferenceWall walls[12];
        const float radius = between( &random, 0.1f, 0.5f );
        for ( uint32_t i = 0; i < 12; ++i )
        {
            const joVec2 half = { between( &random, 0.2f, 2.0f ), between( &random, 0.2f, 2.0f ) };
            const joTransform2 pose = { { between( &random, -8.0f, 8.0f ), between( &random, -8.0f, 8.0f ) },
                joMakeRot2( between( &random, -3.0f, 3.0f ) ) };
            s_polygons[i] = joMakeBox2( half.x, half.y );
            const joShape2 shape = { .kind = jo_polygonShape2, .polygon = &s_polygons[i] };
            addBody( world, jo_staticBody, jo_detect, &shape, &pose, ( joVec2 ){ 0.0f, 0.0f }, 0.0f );
            walls[i].count = 4;
            for ( uint32_t k = 0; k < 4; ++k )
            {
                const joVec2 corner = joTransformPoint2( pose, s_polygons[i].vertices[k] );
                walls[i].points[k][0] = (double)corner.x;
                walls[i].points[k][1] = (double)corner.y;
            }
        }
        double at[2], nearest = 0.0;
        while ( nearest < (double)radius + 0.05 )
        {
            double normal[2];
            at[0] = (double)between( &random, -8.0f, 8.0f );
            at[1] = (double)between( &random, -8.0f, 8.0f );
            nearest = INFINITY;
            for ( uint32_t i = 0; i < 12; ++i )
            {
                nearest = fmin( nearest, referenceWallDistance( &walls[i], at, normal ) );
            }
        }
        const joVec2 motion = { between( &random, -14.0f, 14.0f ), between( &random, -14.0f, 14.0f ) };
        const joTransform2 pose = { { (float)at[0], (float)at[1] }, { 1.0f, 0.0f } };
        const joShape2 circle = kitCircle( radius );
        const joBodyId body = addBody( world, jo_dynamicBody, jo_slide, &circle, &pose, motion, 0.0f );
        joSlideDef def = joDefaultSlideDef();
        def.maxSlides = JO_MAX_SLIDES;
        kitRequire( joWorld_SetSlide( world, body, &def ), "joWorld_SetSlide" );
        kitRequire( joWorld_Step( world, 1.0f ), "joWorld_Step" );
        const double wish[2] = { (double)motion.x, (double)motion.y };
        referenceSlide( walls, 12, (double)radius + 0.005, wish, 4000, at );
        const joVec2 end = kitPoseOf( world, body ).position;
        const double off = hypot( (double)end.x - at[0], (double)end.y - at[1] );
        hits += kitStateOf( world, body ).hitCount > 0;
        agree += off < 0.02;
        joDestroyWorld( world );
    }
    // Where a corner parts two ways the least difference decides.
    assert_true( hits > WAYS / 3 );
    assert_true( agree >= WAYS - WAYS / 20 );
}

static int makeChain( void** state )
{
    (void)state;
    const joVec2 points[5] = {
        { -1.5f, 0.0f }, { -0.5f, 0.3f }, { 0.0f, 0.3f }, { 0.5f, 0.3f }, { 1.0f, -0.6f } };
    return joCreateChain2( points, 5, false, NULL, &s_chain, NULL ) == jo_success ? 0 : -1;
}

static int freeChain( void** state )
{
    (void)state;
    joDestroyChain2( s_chain, NULL );
    return 0;
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "bodies stay out of what is solid", bodiesStayOutOfWhatIsSolid ),
        TEST( "ways are those of the reference", waysAreThoseOfTheReference ),
        TEST( "neither threads, kinds nor order show", neitherThreadsNorKindsNorOrderShow ),
    };
    return cmocka_run_group_tests( tests, makeChain, freeChain );
}
