// SPDX-License-Identifier: MIT
// Sliding bodies in 2D: what stops them, and what they do then.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

static void setVelocity( joWorld* world, joBodyId body, float x, float y )
{
    kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ x, y } ), "joWorld_SetVelocity2" );
}

// Case 28.
static void fastBodiesStopAtThinWalls( void** state )
{
    (void)state;
    for ( int sort = 0; sort < 2; ++sort )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        kitAddStatic( world, kitBox( 0.005f, 600.0f ), 50.0f, 0.0f );
        static joBodyId bodies[1000];
        uint64_t random = 7;
        for ( int i = 0; i < 1000; ++i )
        {
            const float y = (float)i - 500.0f + (float)randomBelow( &random, 100 ) * 0.001f;
            const float x = -(float)randomBelow( &random, 1000 ) * 0.1f;
            const joShape2 shape = sort == 0 ? kitCircle( 0.01f ) : kitBox( 0.01f, 0.01f );
            bodies[i] = kitAddGrouped( world, jo_dynamicBody, jo_slide, shape, x, y, 1 );
            const float aside = (float)randomBelow( &random, 100 );
            setVelocity( world, bodies[i], 2000.0f, aside );
        }
        uint64_t enters = 0;
        for ( int step = 0; step < 10; ++step )
        {
            kitStep( world );
            enters += kitEventsOf( world, false ).enterCount;
        }
        assert_int_equal( enters, 1000 );
        for ( int i = 0; i < 1000; ++i )
        {
            const joTransform2 pose = kitPoseOf( world, bodies[i] );
            const joSlideState slide = kitStateOf( world, bodies[i] );
            assert_true( pose.position.x < 49.995f - 0.01f && pose.position.x > 49.97f );
            assert_int_equal( slide.sides, 0 );
            assert_true( kitVelocityOf( world, bodies[i] ).x == 0.0f );
        }
        joDestroyWorld( world );
    }
}

// Case 29.
static void bodiesRunOverFlushTiles( void** state )
{
    (void)state;
    for ( int sort = 0; sort < 2; ++sort )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        for ( int i = 0; i < 60; ++i )
        {
            kitAddStatic( world, kitBox( 0.5f, 0.5f ), (float)i + 0.5f, -0.5f );
        }
        const joBodyId body =
            kitAddSlider( world, sort == 0 ? kitBox( 0.25f, 0.5f ) : kitCircle( 0.5f ), 2.0f, 0.6f );
        for ( int step = 0; step < 30; ++step )
        {
            kitStep( world );
        }
        assert_true( kitStateOf( world, body ).isGrounded );
        float x = kitPoseOf( world, body ).position.x;
        const float y = kitPoseOf( world, body ).position.y;
        for ( int step = 0; step < 600; ++step )
        {
            kitWalk( world, body, 5.0f );
            const joTransform2 pose = kitPoseOf( world, body );
            assert_true( fabsf( pose.position.x - x - 5.0f / 60.0f ) < 1e-5f );
            assert_true( fabsf( pose.position.y - y ) < 3e-5f );
            const joSlideState slide = kitStateOf( world, body );
            assert_true( slide.isGrounded && slide.sides == jo_slideBelow );
            x = pose.position.x;
        }
        joDestroyWorld( world );
    }
}

// Case 28: a thin trigger.
static void fastBodiesEnterThinTriggers( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId gate = kitAddStatic( world, kitBox( 0.005f, 5.0f ), 10.0f, 0.0f );
    kitRequire( joWorld_SetColliderTrigger( world, kitColliderOf( world, gate ), true ), "trigger" );
    const joBodyId body = kitAddSlider( world, kitCircle( 0.01f ), 0.0f, 0.0f );
    setVelocity( world, body, 2000.0f, 0.0f );
    kitStep( world );
    assert_true( kitPoseOf( world, body ).position.x > 33.0f );
    assert_int_equal( kitEventsOf( world, true ).enterCount, 1 );
    assert_int_equal( kitEventsOf( world, true ).enters[0].bodyB.bits, body.bits );
    assert_true( fabsf( kitEventsOf( world, true ).enters[0].point[0] - 9.995f ) < 1e-3f );
    assert_int_equal( kitEventsOf( world, false ).enterCount, 0 );
    kitStep( world );
    assert_int_equal( kitEventsOf( world, true ).enterCount, 0 );
    assert_int_equal( kitEventsOf( world, true ).exitCount, 1 );
    kitStep( world );
    assert_int_equal( kitEventsOf( world, true ).exitCount, 0 );
    joDestroyWorld( world );
}

// A trigger that is left exits in the step that leaves it.
static void leftTriggersExitAtOnce( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId gate = kitAddStatic( world, kitBox( 1.0f, 1.0f ), 0.0f, 0.0f );
    kitRequire( joWorld_SetColliderTrigger( world, kitColliderOf( world, gate ), true ), "trigger" );
    const joBodyId body = kitAddSlider( world, kitCircle( 0.1f ), 0.0f, 0.0f );
    kitStep( world );
    assert_int_equal( kitEventsOf( world, true ).enterCount, 1 );
    setVelocity( world, body, 600.0f, 0.0f );
    kitStep( world );
    assert_true( kitPoseOf( world, body ).position.x > 9.9f );
    assert_int_equal( kitEventsOf( world, true ).exitCount, 1 );
    joDestroyWorld( world );
}

// A bullet that is gone again at the end of the step has touched.
static void bulletsBounce( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId wall = kitAddStatic( world, kitBox( 0.005f, 5.0f ), 5.0f, 0.0f );
    const joMaterial material = { 0.5f };
    kitRequire( joWorld_SetColliderMaterial( world, kitColliderOf( world, wall ), &material ), "material" );
    const joBodyId body = kitAddSlider( world, kitCircle( 0.1f ), 0.0f, 0.0f );
    setVelocity( world, body, 600.0f, 60.0f );
    kitStep( world );
    // 4.89 there at full speed, what is left of the step back at half of it.
    const joTransform2 pose = kitPoseOf( world, body );
    assert_true( fabsf( pose.position.x - ( 4.89f - 0.5f * ( 10.0f - 4.89f ) ) ) < 0.01f );
    assert_true( fabsf( pose.position.y - 1.0f ) < 1e-4f );
    assert_true( fabsf( kitVelocityOf( world, body ).x + 300.0f ) < 1e-3f );
    assert_true( kitVelocityOf( world, body ).y == 60.0f );
    assert_int_equal( kitStateOf( world, body ).sides, jo_slideRight );
    const joContactEvents events = kitEventsOf( world, false );
    assert_int_equal( events.enterCount, 1 );
    // A is the wall, which was made first.
    assert_true( events.enters[0].normal[0] == -1.0f && events.enters[0].depth == 0.0f );
    assert_true( fabsf( events.enters[0].point[0] - 4.995f ) < 0.01f );
    kitStep( world );
    assert_int_equal( kitEventsOf( world, false ).exitCount, 1 );
    joDestroyWorld( world );
}

// Case 31: who starts in something is moved out of it, slowly, and keeps its velocity.
static void overlapsAreLeftSlowly( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    kitAddStatic( world, kitBox( 5.0f, 5.0f ), 0.0f, 0.0f );
    const joBodyId body = kitAddSlider( world, kitBox( 0.5f, 0.5f ), 0.0f, 5.1f );
    float y = 5.1f;
    for ( int step = 0; step < 20; ++step )
    {
        kitStep( world );
        const float next = kitPoseOf( world, body ).position.y;
        assert_true( next >= y && next - y < 0.15f );
        y = next;
    }
    assert_true( fabsf( y - 5.505f ) < 1e-4f );
    assert_true( kitVelocityOf( world, body ).y == 0.0f );
    joDestroyWorld( world );
}

// Cases 10 and 11.
static void hugeSpeedsAndTimesEnd( void** state )
{
    (void)state;
    const float speeds[3] = { 1e10f, 1e30f, 3e38f };
    for ( int i = 0; i < 6; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, kitBox( 0.5f, 100.0f ), 10.0f, 0.0f );
        kitAddStatic( world, kitBox( 100.0f, 0.5f ), 0.0f, -10.0f );
        const joBodyId body =
            kitAddSlider( world, i < 3 ? kitBox( 0.5f, 0.5f ) : kitCircle( 0.5f ), 0.0f, 0.0f );
        setVelocity( world, body, speeds[i % 3], 0.0f );
        kitStep( world );
        joTransform2 pose = kitPoseOf( world, body );
        assert_true( pose.position.x < 9.0f && pose.position.x > 8.9f );
        kitRequire( joWorld_Step( world, 1e30f ), "joWorld_Step" );
        pose = kitPoseOf( world, body );
        assert_true( pose.position.y > -9.0f && pose.position.y < -8.9f );
        assert_true( kitStateOf( world, body ).isGrounded );
        // And away, for ever.
        setVelocity( world, body, -3e38f, 3e38f );
        kitRequire( joWorld_Step( world, 3e38f ), "joWorld_Step" );
        kitStep( world );
        assert_true( joWorld_Validate( world ) );
        joDestroyWorld( world );
    }
}

// A thin fast wall takes with it what stands in its way; between it and another one that stands still.
static void fastWallsPushWhatStands( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    kitAddStatic( world, kitBox( 0.005f, 5.0f ), 20.0f, 0.0f );
    const joBodyId wall =
        kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 0.005f, 5.0f ), -10.0f, 0.0f );
    const joBodyId body = kitAddSlider( world, kitCircle( 0.5f ), 0.0f, 0.0f );
    setVelocity( world, wall, 1500.0f, 0.0f );
    kitStep( world );
    const float x = kitPoseOf( world, body ).position.x, at = kitPoseOf( world, wall ).position.x;
    assert_true( fabsf( at - 15.0f ) < 1e-4f && fabsf( x - at - 0.51f ) < 1e-3f );
    assert_int_equal( kitStateOf( world, body ).sides, jo_slideLeft );
    assert_true( kitVelocityOf( world, body ).x == 0.0f );
    // Pressed: what stands still wins.
    kitStep( world );
    assert_true( fabsf( kitPoseOf( world, body ).position.x - 19.49f ) < 1e-3f );
    joDestroyWorld( world );
}

static void slidingBodiesNeverPassEachOther( void** state )
{
    (void)state;
    const float speeds[4][2] = { { 600.0f, -600.0f }, { 600.0f, 0.0f }, { 900.0f, 300.0f }, { 5.0f, -1.0f } };
    for ( int i = 0; i < 8; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        const joShape2 shape = i < 4 ? kitCircle( 0.1f ) : kitBox( 0.1f, 0.1f );
        const joBodyId a = kitAddSlider( world, shape, 0.0f, 0.0f ),
                       b = kitAddSlider( world, shape, 1.0f, 0.0f );
        // The one in front is stopped by something that the other does not see.
        joColliderFilter filter = { .layer = 1, .mask = UINT64_MAX };
        const joBodyId stop = kitAddStatic( world, kitBox( 0.1f, 0.1f ), 2.0f, 0.0f );
        kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, stop ), &filter ), "filter" );
        filter = ( joColliderFilter ){ .mask = 1 };
        kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, a ), &filter ), "filter" );
        setVelocity( world, a, speeds[i % 4][0], 0.0f );
        setVelocity( world, b, speeds[i % 4][1], 0.0f );
        uint64_t enters = 0;
        for ( int step = 0; step < 30; ++step )
        {
            kitStep( world );
            const float xa = kitPoseOf( world, a ).position.x, xb = kitPoseOf( world, b ).position.x;
            assert_true( xb - xa > 0.2f );
            const joContactEvents events = kitEventsOf( world, false );
            for ( uint64_t k = 0; k < events.enterCount; ++k )
            {
                enters += events.enters[k].bodyA.bits == a.bits && events.enters[k].bodyB.bits == b.bits;
            }
        }
        assert_int_equal( enters, 1 );
        assert_true( kitPoseOf( world, b ).position.x - kitPoseOf( world, a ).position.x < 0.22f );
        joDestroyWorld( world );
    }
}

static void shapesThatCannotSlideAreRefused( void** state )
{
    (void)state;
    joSetAssertFcn( kitGoOn );
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joShape2 segment = { .kind = jo_segmentShape2, .segment = { { 0.0f, 0.0f }, { 1.0f, 0.0f } } };
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    joColliderId collider;
    colliderDef.shape = segment;
    const joBodyId body = kitAddSlider( world, kitCircle( 1.0f ), 0.0f, 0.0f );
    assert_int_equal( joWorld_CreateCollider2( world, body, &colliderDef, &collider ), jo_errorCannotSlide );
    assert_int_equal( joWorld_SetColliderShape2( world, kitColliderOf( world, body ), &segment, NULL ),
        jo_errorCannotSlide );
    joBodyDef2 def = joDefaultBodyDef2();
    def.response = jo_slide;
    const joShape2 shapes[2] = { kitCircle( 1.0f ), segment };
    const joBodyColumns columns = { .shape = { shapes, sizeof( joShape2 ) }, .count = 2 };
    uint32_t bad = 0;
    joBodyId bodies[2];
    assert_int_equal( joWorld_CreateBodies2( world, &def, &colliderDef, &columns, bodies, NULL, &bad ),
        jo_errorCannotSlide );
    assert_int_equal( bad, 1 );
    const joBodyId other = kitAddStatic( world, segment, 5.0f, 0.0f );
    assert_int_equal( joWorld_SetBodyResponse( world, other, jo_slide, 1.0f ), jo_errorCannotSlide );
    assert_int_equal( joWorld_GetStats( world ).bodyCount, 2 );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
    joSetAssertFcn( NULL );
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    joSetAssertFcn( kitGoOn );
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId body = kitAddSlider( world, kitCircle( 1.0f ), 0.0f, 0.0f );
    const joBodyId wall = kitAddStatic( world, kitCircle( 1.0f ), 5.0f, 0.0f );
    const joColliderId collider = kitColliderOf( world, wall );
    joSlideState slides[2];
    const joMutableColumn column = { slides, sizeof( slides[0] ) };
    const joBodyId both[2] = { body, wall };
    uint32_t bad = 0;
    for ( int i = 0; i < 12; ++i )
    {
        joSlideDef def = joDefaultSlideDef();
        def.skinWidth = i == 0 ? 0.0f : i == 1 ? NAN : i == 2 ? INFINITY : 0.01f;
        def.slopeLimit = i == 3 ? -0.1f : i == 4 ? 1.5f : i == 5 ? NAN : 1.0f;
        def.stepHeight = i == 6 ? -1.0f : i == 7 ? NAN : 0.0f;
        def.maxSlides = i == 8 ? JO_MAX_SLIDES + 1 : 0;
        def.up[1] = i == 9 ? NAN : 0.0f;
        def.internalCookie = i == 10 ? 0 : def.internalCookie;
        assert_int_equal( joWorld_SetSlide( world, body, &def ), i == 11 ? jo_success : jo_errorBadDef );
    }
    joSlideDef def = joDefaultSlideDef();
    kitRequire( joWorld_GetSlide( world, body, &def ), "joWorld_GetSlide" );
    assert_true( def.skinWidth == 0.01f && def.slopeLimit == 1.0f && def.maxSlides == 0 );
    const float nan[3] = { NAN, 0.0f, 0.0f }, infinite[3] = { 0.0f, INFINITY, 0.0f },
                up[3] = { 0.0f, 2.0f, 0.0f };
    float got[3];
    assert_int_equal( joWorld_SetSlides( world, both, 2, &def, &bad ), jo_errorNotSliding );
    assert_int_equal( bad, 1 );
    assert_int_equal( joWorld_GetSlideStates( world, both, column, 2, &bad ), jo_errorNotSliding );
    assert_int_equal( joWorld_SetSlide( world, ( joBodyId ){ 77 }, &def ), jo_errorStaleId );
    assert_int_equal( joWorld_SetSlide( world, body, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_GetSlide( NULL, body, &def ), jo_errorNullArgument );
    assert_int_equal( joWorld_GetSlideState( world, body, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_SetColliderOneWay( world, collider, nan ), jo_errorNotANumber );
    assert_int_equal( joWorld_SetColliderOneWay( world, collider, infinite ), jo_errorBadDef );
    assert_int_equal( joWorld_SetColliderOneWay( NULL, collider, up ), jo_errorNullArgument );
    assert_int_equal( joWorld_SetColliderOneWay( world, ( joColliderId ){ 77 }, up ), jo_errorStaleId );
    kitRequire( joWorld_SetColliderOneWay( world, collider, up ), "one-way" );
    kitRequire( joWorld_GetColliderOneWay( world, collider, got ), "one-way" );
    assert_true( got[0] == 0.0f && got[1] == 2.0f && got[2] == 0.0f );
    // What it was is forgotten with the response.
    kitRequire( joWorld_SetBodyResponse( world, body, jo_detect, 1.0f ), "response" );
    assert_int_equal( joWorld_GetSlide( world, body, &def ), jo_errorNotSliding );
    kitRequire( joWorld_SetBodyResponse( world, body, jo_slide, 1.0f ), "response" );
    kitRequire( joWorld_GetSlide( world, body, &def ), "joWorld_GetSlide" );
    assert_int_equal( def.maxSlides, 4 );
    kitStep( world );
    kitRequire( joWorld_DestroyBody( world, body ), "destroy" );
    kitStep( world );
    joDestroyWorld( world );
    joSetAssertFcn( NULL );
}

// Case 29: what falls with its side over a seam falls straight, and stands still; corner on corner, too.
static void boxesFallStraightOntoSeams( void** state )
{
    (void)state;
    for ( int i = 0; i < 12; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        for ( int k = 0; k < 12; ++k )
        {
            kitAddStatic( world, kitBox( 0.5f, 0.5f ), (float)k + 0.5f, -0.5f );
        }
        // Exactly over a seam, and a hair before it, where corner and corner are nearest.
        const float x = i % 3 == 0 ? 5.0f : i % 3 == 1 ? 4.75f : 0.74999994f;
        const joBodyId body = kitAddSlider( world, kitBox( 0.25f, 0.5f ), x, 2.0f );
        setVelocity( world, body, 0.0f,
            i / 3 == 0   ? 0.0f
            : i / 3 == 1 ? -30.0f
            : i / 3 == 2 ? -300.0f
                         : -2000.0f );
        for ( int step = 0; step < 60; ++step )
        {
            kitStep( world );
            assert_true( kitPoseOf( world, body ).position.x == x );
        }
        assert_true( kitStateOf( world, body ).isGrounded && kitVelocityOf( world, body ).x == 0.0f );
        // And fast at a slant, so that its corner comes down on a corner.
        const float speed = 60.0f + 60.0f * (float)( i % 3 );
        kitRequire(
            joWorld_SetPose2( world, body, &( joTransform2 ){ { x + 1.0f, 1.505f }, { 1.0f, 0.0f } } ),
            "pose" );
        setVelocity( world, body, speed, -60.0f );
        kitStep( world );
        assert_true( kitVelocityOf( world, body ).x == speed && kitVelocityOf( world, body ).y == 0.0f );
        assert_true( fabsf( kitPoseOf( world, body ).position.x - ( x + 1.0f + speed / 60.0f ) ) < 1e-4f );
        joDestroyWorld( world );
    }
}

// Case 29: corners that come down on corners of flush tiles, to the last bits: nothing is lost but what goes
// down.
static void cornersOnCornersAreNoObstacle( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    for ( int k = -4; k < 5; ++k )
    {
        kitAddStatic( world, kitBox( 0.5f, 0.5f ), (float)k + 0.5f, -0.5f );
    }
    const joBodyId body = kitAddSlider( world, kitBox( 0.25f, 0.5f ), 0.0f, 2.0f );
    uint64_t random = 17;
    for ( int i = 0; i < 10000; ++i )
    {
        const float seam = (float)randomBelow( &random, 3 ) - 1.0f;
        const float side = randomBelow( &random, 2 ) == 0 ? 0.25f : -0.25f;
        const float height = (float)randomBelow( &random, 100 ) * 0.01f;
        const float down = 0.1f + (float)randomBelow( &random, 1000 ) * 0.2f;
        const float aside =
            randomBelow( &random, 2 ) == 0 ? 0.0f : ( (float)randomBelow( &random, 200 ) - 100.0f ) * 0.1f;
        const float off = ( (float)randomBelow( &random, 41 ) - 20.0f ) * 6e-8f;
        const joTransform2 pose = {
            { seam + side + off - aside * height / down, 0.505f + height }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( world, body, &pose ), "joWorld_SetPose2" );
        setVelocity( world, body, aside, -down );
        kitRequire( joWorld_Step( world, KIT_DT ), "joWorld_Step" );
        assert_true( kitVelocityOf( world, body ).x == aside );
    }
    joDestroyWorld( world );
}

// Case 29: chains, and segments end to end.
static void bodiesRunOverJoints( void** state )
{
    (void)state;
    joVec2 points[41];
    for ( int i = 0; i < 41; ++i )
    {
        points[i] = ( joVec2 ){ (float)( 40 - i ), 0.0f };
    }
    joChain2* chain = NULL;
    kitRequire( joCreateChain2( points, 41, false, NULL, &chain, NULL ), "joCreateChain2" );
    for ( int i = 0; i < 6; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        if ( i / 3 == 0 )
        {
            kitAddStatic( world, ( joShape2 ){ .kind = jo_chainShape2, .chain = chain }, 0.0f, 0.0f );
        }
        for ( int k = 0; k < 40 && i / 3 == 1; ++k )
        {
            const joShape2 piece = {
                .kind = jo_segmentShape2, .segment = { { 0.0f, 0.0f }, { 1.0f, 0.0f } } };
            kitAddStatic( world, piece, (float)k, 0.0f );
        }
        const joCapsule2 capsule = { { 0.0f, -0.2f }, { 0.0f, 0.2f }, 0.3f };
        const joShape2 shape = i % 3 == 0   ? kitBox( 0.25f, 0.5f )
                               : i % 3 == 1 ? kitCircle( 0.5f )
                                            : ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = capsule };
        const joBodyId body = kitAddSlider( world, shape, 2.0f, 0.52f );
        for ( int step = 0; step < 30; ++step )
        {
            kitStep( world );
        }
        float x = kitPoseOf( world, body ).position.x;
        for ( int step = 0; step < 400; ++step )
        {
            kitWalk( world, body, 5.0f );
            const joVec2 at = kitPoseOf( world, body ).position;
            assert_true( fabsf( at.x - x - 5.0f / 60.0f ) < 1e-5f && fabsf( at.y - 0.505f ) < 1e-4f );
            assert_int_equal( kitStateOf( world, body ).sides, jo_slideBelow );
            x = at.x;
        }
        joDestroyWorld( world );
    }
    joDestroyChain2( chain, NULL );
}

// Case 31, of a chain: what touches it at the start, or has sunk into it, walks on and gets out; in a corner
// it stays on its side of both.
static void whatTouchesAChainWalksOn( void** state )
{
    (void)state;
    joVec2 points[22];
    points[0] = ( joVec2 ){ 20.0f, 3.0f };
    for ( int i = 0; i <= 20; ++i )
    {
        points[i + 1] = ( joVec2 ){ (float)( 20 - i ), 0.0f };
    }
    joChain2* chain = NULL;
    kitRequire( joCreateChain2( points, 22, false, NULL, &chain, NULL ), "joCreateChain2" );
    static const float depths[4] = { 0.0f, 0.001f, 0.02f, 0.3f };
    for ( int i = 0; i < 24; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, ( joShape2 ){ .kind = jo_chainShape2, .chain = chain }, 0.0f, 0.0f );
        const joCapsule2 capsule = { { 0.0f, -0.2f }, { 0.0f, 0.2f }, 0.3f };
        const joShape2 shape = i % 3 == 0   ? kitBox( 0.3f, 0.5f )
                               : i % 3 == 1 ? kitCircle( 0.5f )
                                            : ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = capsule };
        const float half = i % 3 == 1 ? 0.5f : 0.3f;
        const bool isInCorner = i >= 12;
        const float depth = ( isInCorner ? 0.5f : 1.0f ) * depths[i / 3 % 4];
        const float start = isInCorner ? 20.0f - half + depth : 2.0f;
        const joBodyId body = kitAddSlider( world, shape, start, 0.5f - depth );
        for ( int step = 0; step < 60; ++step )
        {
            kitWalk( world, body, 3.0f );
            assert_true( kitPoseOf( world, body ).position.y > 0.5f - depth - 1e-4f );
            assert_true( kitPoseOf( world, body ).position.x < 20.0f - half + depth + 1e-4f );
        }
        const joVec2 at = kitPoseOf( world, body ).position;
        assert_true( fabsf( at.y - 0.505f ) < 1e-3f && kitStateOf( world, body ).isGrounded );
        assert_true( fabsf( at.x - ( isInCorner ? 20.0f - half - 0.005f : 5.0f ) ) < 1e-2f );
        joDestroyWorld( world );
    }
    joDestroyChain2( chain, NULL );
}

// Case 32, for bodies instead of rays: no motion, along an edge, from inside.
static void standingGrazingAndInsideAreTold( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    kitAddStatic( world, kitBox( 1.0f, 1.0f ), 0.0f, 0.0f );
    const joBodyId standing = kitAddSlider( world, kitCircle( 0.5f ), 3.0f, 0.0f );
    // Just beside it: nothing is in the way, and nothing is met.
    const joBodyId grazing = kitAddSlider( world, kitCircle( 0.5f ), -5.0f, 1.51f );
    const joBodyId inside = kitAddSlider( world, kitBox( 0.1f, 0.1f ), 0.2f, 0.0f );
    setVelocity( world, grazing, 600.0f, 0.0f );
    setVelocity( world, inside, 60.0f, 0.0f );
    kitStep( world );
    assert_true( kitPoseOf( world, standing ).position.x == 3.0f );
    assert_int_equal( kitStateOf( world, standing ).hitCount, 0 );
    assert_true( fabsf( kitPoseOf( world, grazing ).position.x - 5.0f ) < 1e-5f );
    assert_int_equal( kitStateOf( world, grazing ).hitCount, 0 );
    // Who is inside may leave on the side to which it is nearest.
    assert_true( kitPoseOf( world, inside ).position.x > 1.1f );
    assert_true( kitVelocityOf( world, inside ).x == 60.0f );
    joDestroyWorld( world );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "case 28: fast bodies stop at thin walls", fastBodiesStopAtThinWalls ),
        TEST( "case 28: fast bodies enter thin triggers", fastBodiesEnterThinTriggers ),
        TEST( "a trigger that is left exits at once", leftTriggersExitAtOnce ),
        TEST( "bullets bounce, and have touched", bulletsBounce ),
        TEST( "case 31: overlaps are left slowly", overlapsAreLeftSlowly ),
        TEST( "cases 10, 11: huge speeds and times end", hugeSpeedsAndTimesEnd ),
        TEST( "fast walls push what stands", fastWallsPushWhatStands ),
        TEST( "sliding bodies never pass each other", slidingBodiesNeverPassEachOther ),
        TEST( "shapes that cannot slide are refused", shapesThatCannotSlideAreRefused ),
        TEST( "bad calls are refused", badCallsAreRefused ),
        TEST( "case 29: boxes fall straight onto seams", boxesFallStraightOntoSeams ),
        TEST( "case 29: corners on corners are no obstacle", cornersOnCornersAreNoObstacle ),
        TEST( "case 29: bodies run over joints", bodiesRunOverJoints ),
        TEST( "case 31: what touches a chain walks on", whatTouchesAChainWalksOn ),
        TEST( "case 32: standing, grazing, inside", standingGrazingAndInsideAreTold ),
        TEST( "case 29: bodies run over flush tiles", bodiesRunOverFlushTiles ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
