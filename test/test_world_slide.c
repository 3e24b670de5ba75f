// SPDX-License-Identifier: MIT
// Sliding bodies in 2D: what stops them, and what they do then.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

static joContactEvents eventsOf( const joWorld* world, bool isTrigger )
{
    joContactEvents events = { 0 };
    kitRequire( isTrigger ? joWorld_GetTriggerEvents( world, jo_perCollider, &events )
                          : joWorld_GetContactEvents( world, jo_perCollider, &events ),
        "events" );
    return events;
}

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
            enters += eventsOf( world, false ).enterCount;
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
            assert_true( fabsf( pose.position.y - y ) < 1e-5f );
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
    assert_int_equal( eventsOf( world, true ).enterCount, 1 );
    assert_int_equal( eventsOf( world, true ).enters[0].bodyB.bits, body.bits );
    assert_true( fabsf( eventsOf( world, true ).enters[0].point[0] - 9.995f ) < 1e-3f );
    assert_int_equal( eventsOf( world, false ).enterCount, 0 );
    kitStep( world );
    assert_int_equal( eventsOf( world, true ).enterCount, 0 );
    assert_int_equal( eventsOf( world, true ).exitCount, 1 );
    kitStep( world );
    assert_int_equal( eventsOf( world, true ).exitCount, 0 );
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
    assert_int_equal( eventsOf( world, true ).enterCount, 1 );
    setVelocity( world, body, 600.0f, 0.0f );
    kitStep( world );
    assert_true( kitPoseOf( world, body ).position.x > 9.9f );
    assert_int_equal( eventsOf( world, true ).exitCount, 1 );
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
    const joContactEvents events = eventsOf( world, false );
    assert_int_equal( events.enterCount, 1 );
    // A is the wall, which was made first.
    assert_true( events.enters[0].normal[0] == -1.0f && events.enters[0].depth == 0.0f );
    assert_true( fabsf( events.enters[0].point[0] - 4.995f ) < 0.01f );
    kitStep( world );
    assert_int_equal( eventsOf( world, false ).exitCount, 1 );
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

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "case 28: fast bodies stop at thin walls", fastBodiesStopAtThinWalls ),
        TEST( "case 28: fast bodies enter thin triggers", fastBodiesEnterThinTriggers ),
        TEST( "a trigger that is left exits at once", leftTriggersExitAtOnce ),
        TEST( "bullets bounce, and have touched", bulletsBounce ),
        TEST( "case 31: overlaps are left slowly", overlapsAreLeftSlowly ),
        TEST( "cases 10, 11: huge speeds and times end", hugeSpeedsAndTimesEnd ),
        TEST( "case 29: bodies run over flush tiles", bodiesRunOverFlushTiles ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
