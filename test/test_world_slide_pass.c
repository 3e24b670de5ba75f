// SPDX-License-Identifier: MIT
// Nothing passes a sliding body that has been cut short in a step, or that stands, and is then met by
// something fast and thin in the same step: in 2D and in 3D.
#include "reference/way_reference.h"
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define BULLETS 40u
#define POSTS ( BULLETS / 5u )
#define SCENES 36u
#define SKIN 0.005

// A world of either dimension: circles or spheres, and a plate that is thin along y and wider than all else.
typedef struct Arena
{
    joWorld* world;
    uint32_t dimension;
} Arena;

static Arena makeArena( uint32_t dimension, joJobs* jobs, joBroadPhaseKind kind )
{
    Arena arena = { NULL, dimension };
    joWorldDef def = joDefaultWorldDef();
    def.dimension = (int)dimension;
    def.gravity[1] = 0.0f;
    def.jobs = jobs;
    def.broadPhase.kind = kind;
    kitRequire( joCreateWorld( &def, &arena.world ), "joCreateWorld" );
    return arena;
}

typedef struct Ball
{
    joBodyType type;
    joResponse response;
    float radius; // 0: the plate
    float at[3];
    float motion[3]; // in a step
    joColliderFilter filter;
} Ball;

static const joColliderFilter s_all = { .mask = UINT64_MAX };

static joBodyId add( const Arena* arena, const Ball* ball )
{
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    if ( arena->dimension == 2 )
    {
        joBodyDef2 def = joDefaultBodyDef2();
        joColliderDef2 collider = joDefaultColliderDef2();
        def.type = ball->type;
        def.response = ball->response;
        def.pose.position = ( joVec2 ){ ball->at[0], ball->at[1] };
        def.velocity = ( joVec2 ){ ball->motion[0], ball->motion[1] };
        collider.shape = ball->radius > 0.0f ? kitCircle( ball->radius ) : kitBox( 60.0f, 0.005f );
        collider.filter = ball->filter;
        kitRequire(
            joWorld_CreateBodies2( arena->world, &def, &collider, &one, &body, NULL, NULL ), "create" );
        return body;
    }
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 collider = joDefaultColliderDef3();
    def.type = ball->type;
    def.response = ball->response;
    def.pose.position = ( joVec3 ){ ball->at[0], ball->at[1], ball->at[2] };
    def.velocity = ( joVec3 ){ ball->motion[0], ball->motion[1], ball->motion[2] };
    collider.shape = ball->radius > 0.0f
                         ? ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = ball->radius } }
                         : ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 60.0f, 0.005f, 60.0f ) };
    collider.filter = ball->filter;
    kitRequire( joWorld_CreateBodies3( arena->world, &def, &collider, &one, &body, NULL, NULL ), "create" );
    return body;
}

static joBodyId addSlider(
    const Arena* arena, float x, float y, float motionX, float motionY, uint32_t slides )
{
    const Ball ball = { jo_dynamicBody, jo_slide, 0.1f, { x, y, 0.0f }, { motionX, motionY, 0.0f }, s_all };
    const joBodyId body = add( arena, &ball );
    joSlideDef def = joDefaultSlideDef();
    def.maxSlides = slides;
    kitRequire( joWorld_SetSlide( arena->world, body, &def ), "joWorld_SetSlide" );
    return body;
}

static joBodyId addStatic( const Arena* arena, float radius, float x, float y )
{
    const Ball ball = { jo_staticBody, jo_detect, radius, { x, y, 0.0f }, { 0.0f, 0.0f, 0.0f }, s_all };
    return add( arena, &ball );
}

// From -10 up along y.
static joBodyId addPlate( const Arena* arena, float motion )
{
    const Ball ball = {
        jo_kinematicBody, jo_detect, 0.0f, { 0.0f, -10.0f, 0.0f }, { 0.0f, motion, 0.0f }, s_all };
    return add( arena, &ball );
}

// A step of one unit of time: motions are those of a step.
static void stepOnce( const Arena* arena )
{
    kitRequire( joWorld_Step( arena->world, 1.0f ), "joWorld_Step" );
    assert_true( joWorld_Validate( arena->world ) );
}

static void placeOf( const Arena* arena, joBodyId body, double place[3] )
{
    joTransform2 two;
    joTransform3 three;
    place[2] = 0.0;
    if ( arena->dimension == 2 )
    {
        kitRequire( joWorld_GetPose2( arena->world, body, &two ), "joWorld_GetPose2" );
        place[0] = (double)two.position.x;
        place[1] = (double)two.position.y;
        return;
    }
    kitRequire( joWorld_GetPose3( arena->world, body, &three ), "joWorld_GetPose3" );
    place[0] = (double)three.position.x;
    place[1] = (double)three.position.y;
    place[2] = (double)three.position.z;
}

static double heightOf( const Arena* arena, joBodyId body )
{
    double place[3];
    placeOf( arena, body, place );
    return place[1];
}

// Whether the contact of two bodies began in the last step.
static bool hasEntered( const Arena* arena, joBodyId a, joBodyId b )
{
    joContactEvents events;
    kitRequire( joWorld_GetContactEvents( arena->world, jo_perBody, &events ), "events" );
    for ( uint64_t i = 0; i < events.enterCount; ++i )
    {
        const joContactEvent* event = &events.enters[i];
        if ( ( event->bodyA.bits == a.bits && event->bodyB.bits == b.bits ) ||
             ( event->bodyA.bits == b.bits && event->bodyB.bits == a.bits ) )
        {
            return true;
        }
    }
    return false;
}

// It has flown into a post early in the step; then the plate comes.
static void whatHasNoSlidesLeftIsPushed( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 12; ++i )
    {
        const Arena arena = makeArena( 2 + i % 2, NULL, jo_grid );
        addStatic( &arena, 0.5f, 2.0f, 0.0f );
        const joBodyId body = addSlider( &arena, 0.0f, 0.0f, 30.0f, 0.0f, i / 2 % 3 );
        const joBodyId plate = addPlate( &arena, i / 6 == 0 ? 20.0f : 400.0f );
        stepOnce( &arena );
        assert_true( hasEntered( &arena, body, plate ) );
        assert_true( heightOf( &arena, body ) > heightOf( &arena, plate ) + 0.1 );
        joDestroyWorld( arena.world );
    }
}

// Two that fly into each other stop there; then the plate comes.
static void whatIsCutShortIsPushed( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 12; ++i )
    {
        const Arena arena = makeArena( 2 + i % 2, NULL, jo_grid );
        // What stops the second of them is not seen by the first, which so does not know that it stops.
        const Ball stop = { jo_staticBody, jo_detect, 0.2f, { 3.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f },
            { .layer = 1, .mask = UINT64_MAX } };
        add( &arena, &stop );
        Ball ball = {
            jo_dynamicBody, jo_slide, 0.1f, { 0.0f, 0.0f, 0.0f }, { 30.0f, 0.0f, 0.0f }, { .mask = 1 } };
        joBodyId pair[2] = { add( &arena, &ball ) };
        pair[1] = addSlider( &arena, 1.0f, 0.0f, 30.0f, 0.0f, 4 );
        joSlideDef def = joDefaultSlideDef();
        def.maxSlides = i / 2 % 3;
        kitRequire( joWorld_SetSlides( arena.world, pair, 2, &def, NULL ), "joWorld_SetSlides" );
        const joBodyId plate = addPlate( &arena, i / 6 == 0 ? 20.0f : 400.0f );
        stepOnce( &arena );
        for ( uint32_t k = 0; k < 2; ++k )
        {
            assert_true( hasEntered( &arena, pair[k], plate ) );
            assert_true( heightOf( &arena, pair[k] ) > heightOf( &arena, plate ) + 0.1 );
        }
        joDestroyWorld( arena.world );
    }
}

// Between the plate and what stands still: it is passed, and told of it.
static void whatIsHemmedTouchesWhatGoesThroughIt( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 8; ++i )
    {
        const Arena arena = makeArena( 2 + i % 2, NULL, jo_grid );
        addStatic( &arena, 0.0f, 0.0f, 3.0f );
        const joBodyId body = addSlider( &arena, 0.0f, 0.0f, 0.0f, 30.0f, i / 2 * 2 );
        const joBodyId plate = addPlate( &arena, 20.0f );
        stepOnce( &arena );
        assert_true( hasEntered( &arena, body, plate ) );
        assert_true( heightOf( &arena, body ) < 3.0 - 0.1 && heightOf( &arena, body ) > 2.8 );
        joDestroyWorld( arena.world );
    }
}

typedef struct Swarm
{
    Arena arena;
    uint32_t bullets, count; // the others are posts
    joBodyId bodies[BULLETS + POSTS];
    double radii[BULLETS + POSTS];
    double wishes[BULLETS + POSTS]; // how far, squared
    ReferenceWay ways[BULLETS + POSTS];
} Swarm;

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

// Bullets that fly at each other and at posts, from places that are free, each much farther than all of them
// are apart: half of the ways meet another.
static void makeSwarm(
    Swarm* swarm, uint32_t dimension, uint64_t seed, uint32_t bullets, joJobs* jobs, joBroadPhaseKind kind )
{
    uint64_t random = seed;
    swarm->bullets = bullets;
    swarm->count = bullets + bullets / 5;
    swarm->arena = makeArena( dimension, jobs, kind );
    const float area = dimension == 2 ? 4.0f : 1.6f;
    for ( uint32_t i = 0; i < swarm->count; )
    {
        const bool isPost = i >= bullets;
        Ball ball = { isPost ? jo_staticBody : jo_dynamicBody, isPost ? jo_detect : jo_slide,
            between( &random, 0.02f, 0.3f ), { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, s_all };
        const float length = isPost ? 0.0f : between( &random, 0.0f, 10.0f );
        ReferenceWay* way = &swarm->ways[i];
        *way = ( ReferenceWay ){ .part = 1.0 };
        swarm->wishes[i] = 0.0;
        bool isFree = true;
        for ( uint32_t axis = 0; axis < dimension; ++axis )
        {
            ball.at[axis] = between( &random, -area, area );
            ball.motion[axis] = length * ( between( &random, -area, area ) - ball.at[axis] );
            way->from[axis] = way->to[axis] = (double)ball.at[axis];
            swarm->wishes[i] += (double)ball.motion[axis] * (double)ball.motion[axis];
        }
        for ( uint32_t k = 0; k < i && isFree; ++k )
        {
            const double apart = (double)ball.radius + swarm->radii[k] + 2.0 * SKIN;
            isFree = referenceWaysDistance( way, &swarm->ways[k] ) > apart;
        }
        if ( !isFree )
        {
            continue;
        }
        swarm->radii[i] = (double)ball.radius;
        swarm->bodies[i] = add( &swarm->arena, &ball );
        joSlideDef def = joDefaultSlideDef();
        def.maxSlides = 0;
        if ( !isPost )
        {
            kitRequire( joWorld_SetSlide( swarm->arena.world, swarm->bodies[i], &def ), "joWorld_SetSlide" );
        }
        i += 1;
    }
}

// Where each has got to, and when: they go straight.
static uint32_t readWays( Swarm* swarm )
{
    uint32_t stopped = 0;
    for ( uint32_t i = 0; i < swarm->count; ++i )
    {
        ReferenceWay* way = &swarm->ways[i];
        double end[3], gone = 0.0;
        placeOf( &swarm->arena, swarm->bodies[i], end );
        for ( int axis = 0; axis < 3; ++axis )
        {
            gone += ( end[axis] - way->from[axis] ) * ( end[axis] - way->from[axis] );
            way->to[axis] = end[axis];
        }
        way->part = swarm->wishes[i] > 0.0 ? fmin( sqrt( gone / swarm->wishes[i] ), 1.0 ) : 1.0;
        stopped += way->part < 0.999;
    }
    return stopped;
}

static void noWaysOfASwarmMeet( void** state )
{
    (void)state;
    uint32_t stopped = 0;
    for ( uint32_t i = 0; i < 2 * SCENES; ++i )
    {
        Swarm swarm;
        makeSwarm( &swarm, 2 + i % 2, i / 2, BULLETS, NULL, jo_grid );
        stepOnce( &swarm.arena );
        stopped += readWays( &swarm );
        for ( uint32_t a = 0; a < swarm.bullets; ++a )
        {
            for ( uint32_t b = a + 1; b < swarm.count; ++b )
            {
                const double apart = referenceWaysDistance( &swarm.ways[a], &swarm.ways[b] );
                assert_true( apart > swarm.radii[a] + swarm.radii[b] );
            }
        }
        joDestroyWorld( swarm.arena.world );
    }
    assert_true( stopped > SCENES * BULLETS );
}

static double apartAtEnd( const Swarm* swarm, uint32_t a, uint32_t b )
{
    ReferenceWay ways[2] = { { .part = 1.0 }, { .part = 1.0 } };
    placeOf( &swarm->arena, swarm->bodies[a], ways[0].to );
    placeOf( &swarm->arena, swarm->bodies[b], ways[1].to );
    memcpy( ways[0].from, ways[0].to, sizeof( ways[0].to ) );
    memcpy( ways[1].from, ways[1].to, sizeof( ways[1].to ) );
    return referenceWaysDistance( &ways[0], &ways[1] );
}

// A plate comes up through the swarm, and takes everything with it that can get out of its way.
static void aPlatePassesNoneOfASwarmUntold( void** state )
{
    (void)state;
    uint32_t pushed = 0;
    for ( uint32_t i = 0; i < 2 * SCENES; ++i )
    {
        Swarm swarm;
        makeSwarm( &swarm, 2 + i % 2, 1000 + i / 2, BULLETS / 4, NULL, jo_grid );
        const joBodyId plate = addPlate( &swarm.arena, i / 2 % 2 == 0 ? 15.0f : 300.0f );
        stepOnce( &swarm.arena );
        const double height = heightOf( &swarm.arena, plate );
        for ( uint32_t k = 0; k < swarm.bullets; ++k )
        {
            const bool isBelow = heightOf( &swarm.arena, swarm.bodies[k] ) < height;
            assert_true( !isBelow || hasEntered( &swarm.arena, swarm.bodies[k], plate ) );
            pushed += !isBelow;
            for ( uint32_t b = 0; b < k; ++b )
            {
                assert_true( apartAtEnd( &swarm, k, b ) > swarm.radii[k] + swarm.radii[b] );
            }
        }
        joDestroyWorld( swarm.arena.world );
    }
    // Those that are not are between it and another that does not yield.
    assert_true( pushed > 2 * SCENES * BULLETS / 4 * 8 / 10 );
}

static uint64_t hashSwarm( uint32_t dimension, joJobs* jobs, joBroadPhaseKind kind )
{
    Swarm swarm;
    makeSwarm( &swarm, dimension, 7, BULLETS, jobs, kind );
    addPlate( &swarm.arena, 15.0f );
    uint64_t hash = 0;
    for ( uint32_t step = 0; step < 3; ++step )
    {
        stepOnce( &swarm.arena );
        for ( uint32_t k = 0; k < swarm.bullets; ++k )
        {
            double place[3];
            placeOf( &swarm.arena, swarm.bodies[k], place );
            hash = hashBytes( hash, place, sizeof( place ) );
        }
    }
    joDestroyWorld( swarm.arena.world );
    return hash;
}

static void neitherThreadsNorKindsShow( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 4; ++i )
    {
        const joBroadPhaseKind kinds[4] = { jo_sweep, jo_grid, jo_tree, jo_bvh };
        joJobs* jobs = kitJobs( 1 + i );
        const uint32_t dimension = 2 + i % 2;
        assert_int_equal(
            hashSwarm( dimension, jobs, kinds[i] ), hashSwarm( dimension, NULL, jo_bruteForce ) );
        joDestroyJobs( jobs );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "what has no slides left is pushed", whatHasNoSlidesLeftIsPushed ),
        TEST( "what is cut short is pushed", whatIsCutShortIsPushed ),
        TEST( "what is hemmed touches what goes through it", whatIsHemmedTouchesWhatGoesThroughIt ),
        TEST( "no ways of a swarm meet", noWaysOfASwarmMeet ),
        TEST( "a plate passes none of a swarm untold", aPlatePassesNoneOfASwarmUntold ),
        TEST( "neither threads nor kinds show", neitherThreadsNorKindsShow ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
