// SPDX-License-Identifier: MIT
// Sliding bodies in 2D under gravity: ground, slopes, steps, one-way and moving platforms.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define PI 3.14159265f

static joBodyId addSlope( joWorld* world, float x, float y, float angle )
{
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.type = jo_staticBody;
    def.pose.rotation = joMakeRot2( angle );
    // The top of the box goes through (x, y).
    def.pose.position = ( joVec2 ){ x + 0.5f * def.pose.rotation.s, y - 0.5f * def.pose.rotation.c };
    colliderDef.shape = kitBox( 20.0f, 0.5f );
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

static void setSlide( joWorld* world, joBodyId body, float slopeLimit, float stepHeight )
{
    joSlideDef def = joDefaultSlideDef();
    def.slopeLimit = slopeLimit;
    def.stepHeight = stepHeight;
    kitRequire( joWorld_SetSlide( world, body, &def ), "joWorld_SetSlide" );
}

static void settle( joWorld* world, joBodyId body )
{
    for ( int step = 0; step < 60; ++step )
    {
        kitStep( world );
    }
    assert_true( kitStateOf( world, body ).isGrounded );
}

static joShape2 shapeOf( int sort )
{
    static const joCapsule2 capsule = { { 0.0f, -0.25f }, { 0.0f, 0.25f }, 0.25f };
    return sort == 0   ? kitBox( 0.25f, 0.5f )
           : sort == 1 ? kitCircle( 0.5f )
                       : ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = capsule };
}

// A slope below the limit is walked up and down at constant speed, and stood on; one above it is a wall.
static void slopesUpToTheLimitAreGround( void** state )
{
    (void)state;
    const float angles[] = { 0.1f, 0.4f, 0.7f, PI / 4.0f, 0.9f, 1.2f };
    for ( int i = 0; i < 18; ++i )
    {
        const float angle = angles[i / 3];
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, kitBox( 20.0f, 0.5f ), -10.0f, -0.5f );
        addSlope( world, 2.0f, 0.0f, angle );
        const joBodyId body = kitAddSlider( world, shapeOf( i % 3 ), -1.0f, 0.55f );
        setSlide( world, body, PI / 4.0f, 0.0f );
        settle( world, body );
        const float start = kitPoseOf( world, body ).position.x;
        for ( int step = 0; step < 120; ++step )
        {
            kitWalk( world, body, 4.0f );
            assert_true( kitStateOf( world, body ).isGrounded );
        }
        const joTransform2 top = kitPoseOf( world, body );
        if ( angle > PI / 4.0f )
        {
            assert_true( top.position.x < 2.0f && top.position.y < 0.6f );
            assert_true( ( kitStateOf( world, body ).sides & jo_slideRight ) != 0 );
            joDestroyWorld( world );
            continue;
        }
        assert_true( fabsf( top.position.x - start - 8.0f ) < 0.02f );
        // Stands there.
        for ( int step = 0; step < 60; ++step )
        {
            kitWalk( world, body, 0.0f );
        }
        assert_true( fabsf( kitPoseOf( world, body ).position.x - top.position.x ) < 1e-4f );
        assert_true( fabsf( kitPoseOf( world, body ).position.y - top.position.y ) < 1e-3f );
        // And down again, without a hop.
        for ( int step = 0; step < 120; ++step )
        {
            kitWalk( world, body, -4.0f );
            assert_true( kitStateOf( world, body ).isGrounded );
        }
        assert_true( fabsf( kitPoseOf( world, body ).position.x - start ) < 0.02f );
        joDestroyWorld( world );
    }
}

static void stepsUpToTheHeightAreWalked( void** state )
{
    (void)state;
    for ( int i = 0; i < 9; ++i )
    {
        const float height = i / 3 == 0 ? 0.1f : i / 3 == 1 ? 0.28f : 0.4f;
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, kitBox( 20.0f, 0.5f ), -10.0f, -0.5f );
        for ( int k = 1; k <= 4; ++k )
        {
            kitAddStatic( world, kitBox( 0.5f, 2.0f ), (float)k + 0.5f, (float)k * height - 2.0f );
        }
        kitAddStatic( world, kitBox( 10.0f, 2.0f ), 15.0f, 4.0f * height - 2.0f );
        const joBodyId body = kitAddSlider( world, shapeOf( i % 3 ), -1.0f, 0.55f );
        setSlide( world, body, PI / 4.0f, 0.3f );
        settle( world, body );
        for ( int step = 0; step < 150; ++step )
        {
            kitWalk( world, body, 4.0f );
            assert_true( kitStateOf( world, body ).isGrounded );
        }
        const joTransform2 pose = kitPoseOf( world, body );
        if ( height > 0.3f )
        {
            assert_true( pose.position.x < 1.0f );
            joDestroyWorld( world );
            continue;
        }
        assert_true( pose.position.x > 8.0f );
        assert_true( fabsf( pose.position.y - 4.0f * height - 0.505f ) < 0.002f );
        // And down again; a box on the ground all the way, what is round rolls off the edges.
        for ( int step = 0; step < 150; ++step )
        {
            kitWalk( world, body, -4.0f );
            assert_true( i % 3 != 0 || kitStateOf( world, body ).isGrounded );
        }
        assert_true( kitPoseOf( world, body ).position.x < 0.0f );
        joDestroyWorld( world );
    }
}

// Case 30.
static void oneWayPlatformsAreJumpedThrough( void** state )
{
    (void)state;
    for ( int i = 0; i < 3; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, kitBox( 20.0f, 0.5f ), 0.0f, -0.5f );
        for ( int k = 0; k < 8; ++k )
        {
            const joBodyId tile = kitAddStatic( world, kitBox( 0.5f, 0.1f ), (float)k - 3.5f, 2.0f );
            kitRequire( joWorld_SetColliderOneWay(
                            world, kitColliderOf( world, tile ), ( const float[3] ){ 0.0f, 1.0f, 0.0f } ),
                "one-way" );
        }
        const joBodyId body = kitAddSlider( world, shapeOf( i ), -3.0f, 0.55f );
        settle( world, body );
        kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ 1.0f, 9.0f } ), "jump" );
        float highest = 0.0f;
        for ( int step = 0; step < 120; ++step )
        {
            kitStep( world );
            const float y = kitPoseOf( world, body ).position.y;
            highest = y > highest ? y : highest;
            assert_true( ( kitStateOf( world, body ).sides & ~(uint32_t)jo_slideBelow ) == 0 );
        }
        assert_true( highest > 4.0f );
        assert_true( kitStateOf( world, body ).isGrounded );
        assert_true( fabsf( kitPoseOf( world, body ).position.y - 2.605f ) < 1e-4f );
        // Walks along it, and off it.
        for ( int step = 0; step < 180; ++step )
        {
            kitWalk( world, body, 3.0f );
        }
        assert_true( fabsf( kitPoseOf( world, body ).position.y - 0.505f ) < 1e-4f );
        joDestroyWorld( world );
    }
}

// Case 30.
static void movingPlatformsCarry( void** state )
{
    (void)state;
    for ( int i = 0; i < 12; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        const joBodyId platform =
            kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 2.0f, 0.25f ), 0.0f, 0.0f );
        const bool isOneWay = i % 2 == 1;
        kitRequire( joWorld_SetColliderOneWay( world, kitColliderOf( world, platform ),
                        ( const float[3] ){ 0.0f, isOneWay ? 1.0f : 0.0f, 0.0f } ),
            "one-way" );
        const joBodyId body = kitAddSlider( world, shapeOf( i % 3 ), 0.5f, 0.8f );
        settle( world, body );
        const joVec2 ways[2] = { { 3.0f, 0.0f }, { 0.5f, 6.0f } };
        for ( int step = 0; step < 240; ++step )
        {
            const joVec2 way = ways[i / 6];
            const float sign = step / 40 % 2 == 0 ? 1.0f : -1.0f;
            kitRequire(
                joWorld_SetVelocity2( world, platform, ( joVec2 ){ sign * way.x, sign * way.y } ), "v" );
            kitStep( world );
            const joVec2 on = kitPoseOf( world, body ).position,
                         under = kitPoseOf( world, platform ).position;
            assert_true( fabsf( on.x - under.x - 0.5f ) < 1e-3f );
            assert_true( fabsf( on.y - under.y - 0.755f ) < 2e-3f );
            const joSlideState slide = kitStateOf( world, body );
            assert_true( slide.isGrounded && slide.groundBody.bits == platform.bits );
            assert_true( fabsf( slide.groundVelocity[0] - sign * way.x ) < 1e-3f );
            assert_true( fabsf( slide.groundVelocity[1] - sign * way.y ) < 1e-3f );
        }
        joDestroyWorld( world );
    }
}

static void ceilingsStopJumpsAndWallsStopWalks( void** state )
{
    (void)state;
    for ( int i = 0; i < 3; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 10.0f );
        kitAddStatic( world, kitBox( 20.0f, 0.5f ), 0.0f, -0.5f );
        kitAddStatic( world, kitBox( 20.0f, 0.5f ), 0.0f, 2.5f );
        kitAddStatic( world, kitBox( 0.5f, 2.0f ), 5.0f, 1.0f );
        kitAddStatic( world, kitBox( 0.5f, 2.0f ), -5.0f, 1.0f );
        const joBodyId body = kitAddSlider( world, shapeOf( i ), 0.0f, 0.55f );
        settle( world, body );
        kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ 0.0f, 100.0f } ), "jump" );
        kitStep( world );
        assert_int_equal( kitStateOf( world, body ).sides, jo_slideAbove );
        assert_true( kitVelocityOf( world, body ).y == 0.0f && !kitStateOf( world, body ).isGrounded );
        settle( world, body );
        for ( int step = 0; step < 100; ++step )
        {
            kitWalk( world, body, 6.0f );
        }
        assert_int_equal( kitStateOf( world, body ).sides, jo_slideRight | jo_slideBelow );
        for ( int step = 0; step < 150; ++step )
        {
            kitWalk( world, body, -6.0f );
        }
        assert_int_equal( kitStateOf( world, body ).sides, jo_slideLeft | jo_slideBelow );
        joDestroyWorld( world );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "slopes up to the limit are ground", slopesUpToTheLimitAreGround ),
        TEST( "steps up to the height are walked", stepsUpToTheHeightAreWalked ),
        TEST( "case 30: one-way platforms are jumped through", oneWayPlatformsAreJumpedThrough ),
        TEST( "case 30: moving platforms carry", movingPlatformsCarry ),
        TEST( "ceilings stop jumps, walls stop walks", ceilingsStopJumpsAndWallsStopWalks ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
