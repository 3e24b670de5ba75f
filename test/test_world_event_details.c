// SPDX-License-Identifier: MIT
// What events and hits tell besides who: when, on which side, and at which part of a chain or mesh.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

static joBodyId addMoving( joWorld* world, joResponse response, joShape2 shape, joVec2 at, joVec2 velocity )
{
    const joBodyId body = kitAddBody( world, jo_dynamicBody, response, shape, at.x, at.y );
    kitRequire( joWorld_SetVelocity2( world, body, velocity ), "joWorld_SetVelocity2" );
    return body;
}

// 10 units of the 40 of a step, from all four sides; the wall is made before or after the body.
static void aSweepTellsWhenAndOnWhichSide( void** state )
{
    (void)state;
    static const struct
    {
        joVec2 way;
        joSlideSide side;
    } cases[4] = { { { 1.0f, 0.0f }, jo_slideRight }, { { -1.0f, 0.0f }, jo_slideLeft },
        { { 0.0f, 1.0f }, jo_slideAbove }, { { 0.0f, -1.0f }, jo_slideBelow } };
    for ( int i = 0; i < 8; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        const joVec2 way = cases[i % 4].way;
        const float far = 10.5f + 0.1f; // both half sizes
        const bool isWallFirst = i < 4;
        for ( int k = 0; k < 2; ++k )
        {
            if ( ( k == 0 ) == isWallFirst )
            {
                kitAddStatic( world, kitBox( 0.5f, 0.5f ), far * way.x, far * way.y );
            }
            else
            {
                addMoving( world, jo_slide, kitBox( 0.1f, 0.1f ), ( joVec2 ){ 0.0f, 0.0f },
                    ( joVec2 ){ 2400.0f * way.x, 2400.0f * way.y } );
            }
        }
        kitStep( world );
        const joContactEvents events = kitEventsOf( world, false );
        assert_int_equal( events.enterCount, 1 );
        const joContactEvent* event = &events.enters[0];
        assert_true( fabsf( event->time - 0.25f ) < 1e-3f );
        assert_int_equal( isWallFirst ? event->sideB : event->sideA, cases[i % 4].side );
        assert_int_equal( isWallFirst ? event->sideA : event->sideB, 0 );
        assert_int_equal( event->child, 0 );
        // It stands there: the contact goes on, and is as it was when nothing is met on the way.
        kitStep( world );
        assert_int_equal( kitEventsOf( world, false ).stayCount, 1 );
        assert_true( kitEventsOf( world, false ).stays[0].time == 1.0f );
        joDestroyWorld( world );
    }
}

static void aTriggerThatIsPassedTellsWhen( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId gate = kitAddStatic( world, kitBox( 0.01f, 5.0f ), 10.02f, 0.0f );
    kitRequire( joWorld_SetColliderTrigger( world, kitColliderOf( world, gate ), true ), "trigger" );
    addMoving( world, jo_slide, kitCircle( 0.01f ), ( joVec2 ){ 0.0f, 0.0f }, ( joVec2 ){ 1200.0f, 0.0f } );
    kitStep( world );
    const joContactEvents events = kitEventsOf( world, true );
    assert_int_equal( events.enterCount, 1 );
    assert_true( fabsf( events.enters[0].time - 0.5f ) < 1e-3f );
    assert_int_equal( events.enters[0].sideB, jo_slideRight );
    joDestroyWorld( world );
}

// What is not swept counts where it ends.
static void otherBodiesMeetAtTheEnd( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    kitAddStatic( world, kitBox( 0.5f, 0.5f ), 10.0f, 0.0f );
    addMoving( world, jo_detect, kitCircle( 0.5f ), ( joVec2 ){ 0.0f, 0.0f }, ( joVec2 ){ 570.0f, 0.0f } );
    kitStep( world );
    const joContactEvents events = kitEventsOf( world, false );
    assert_int_equal( events.enterCount, 1 );
    assert_true( events.enters[0].time == 1.0f );
    assert_int_equal( events.enters[0].sideA, 0 );
    assert_int_equal( events.enters[0].sideB, 0 );
    joDestroyWorld( world );
}

// Who runs into another that is stopped, which it had not foreseen, has not met what is behind; on a floor,
// too.
static void whatIsNotReachedIsNotMet( void** state )
{
    (void)state;
    for ( int i = 0; i < 2; ++i )
    {
        joWorld* world = kitMakeSlideWorld( i == 0 ? 0.0f : 10.0f );
        const joVec2 velocity = { 2400.0f, 0.0f };
        const joBodyId wall = kitAddStatic( world, kitBox( 0.5f, 5.0f ), 20.0f, 0.0f );
        const joBodyId stop = kitAddStatic( world, kitBox( 0.5f, 0.5f ), 7.0f, 0.5f );
        kitAddStatic( world, kitBox( 50.0f, 0.5f ), 0.0f, i == 0 ? -50.0f : -0.606f );
        const joBodyId first =
            addMoving( world, jo_slide, kitBox( 0.1f, 0.1f ), ( joVec2 ){ 5.0f, 0.0f }, velocity );
        const joBodyId second =
            addMoving( world, jo_slide, kitBox( 0.1f, 0.1f ), ( joVec2 ){ 0.0f, 0.0f }, velocity );
        joColliderFilter filter = { .layer = 1, .mask = UINT64_MAX };
        kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, stop ), &filter ), "filter" );
        filter = ( joColliderFilter ){ .layer = 0, .mask = 1 };
        kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, second ), &filter ), "filter" );
        const joMaterial bouncy = { .restitution = 1.0f };
        kitRequire( joWorld_SetColliderMaterial( world, kitColliderOf( world, wall ), &bouncy ), "material" );
        kitStep( world );
        const float gap = kitPoseOf( world, first ).position.x - kitPoseOf( world, second ).position.x;
        assert_true( gap > 0.2f && gap < 0.21f );
        const joContactEvents events = kitEventsOf( world, false );
        for ( uint64_t k = 0; k < events.enterCount; ++k )
        {
            assert_true( events.enters[k].bodyA.bits != wall.bits );
        }
        // It has not bounced off it either, and meets what stopped it in the next step.
        assert_true( kitVelocityOf( world, second ).x == 2400.0f );
        assert_int_equal( kitStateOf( world, second ).sides & jo_slideRight, 0 );
        assert_int_equal( kitStateOf( world, second ).isGrounded, i == 1 );
        kitStep( world );
        assert_true( kitVelocityOf( world, second ).x == 0.0f );
        assert_int_equal( kitStateOf( world, second ).sides & jo_slideRight, jo_slideRight );
        joDestroyWorld( world );
    }
}

// Segments from x = 10 to 0, one after the other.
static void aChainTellsWhichSegment( void** state )
{
    (void)state;
    joVec2 points[11];
    for ( int i = 0; i < 11; ++i )
    {
        points[i] = ( joVec2 ){ (float)( 10 - i ), i % 2 == 0 ? 0.0f : 0.05f };
    }
    joChain2* chain = NULL;
    kitRequire( joCreateChain2( points, 11, false, NULL, &chain, NULL ), "joCreateChain2" );
    joWorld* world = kitMakeSlideWorld( 0.0f );
    kitAddStatic( world, ( joShape2 ){ .kind = jo_chainShape2, .chain = chain }, 0.0f, 0.0f );
    for ( uint32_t i = 0; i < 10; ++i )
    {
        const joVec2 at = { 9.5f - (float)i, 3.0f };
        const joResponse response = i % 2 == 0 ? jo_slide : jo_detect;
        addMoving( world, response, kitCircle( 0.1f ), at, ( joVec2 ){ 0.0f, -175.2f } );
        joWorldHit hit;
        uint64_t count;
        const joRay ray = { { at.x, at.y - 0.2f }, { 0.0f, -1.0f }, 5.0f };
        kitRequire( joWorld_CastRayClosest( world, &ray, NULL, &hit ), "ray" );
        assert_int_equal( hit.child, i );
        const joShape2 ball = kitCircle( 0.1f );
        const joTransform2 pose = { { at.x, at.y - 0.3f }, { 1.0f, 0.0f } };
        kitRequire(
            joWorld_CastShapeClosest2( world, &ball, &pose, ( joVec2 ){ 0.0f, -5.0f }, NULL, &hit ), "cast" );
        assert_int_equal( hit.child, i );
        const float near[2] = { at.x, 0.2f };
        kitRequire( joWorld_FindNearest( world, near, 1.0f, NULL, &hit, 1, &count ), "nearest" );
        assert_int_equal( hit.child, i );
    }
    kitStep( world );
    const joContactEvents events = kitEventsOf( world, false );
    assert_int_equal( events.enterCount, 10 );
    for ( uint32_t i = 0; i < 10; ++i )
    {
        assert_int_equal( events.enters[i].child, i );
        assert_int_equal( events.enters[i].sideB, i % 2 == 0 ? jo_slideBelow : 0 );
    }
    joContactEvent contact;
    uint64_t count;
    kitRequire( joWorld_GetContacts( world, events.enters[7].bodyB, &contact, 1, &count ), "contacts" );
    assert_int_equal( contact.child, 7 );
    joDestroyWorld( world );
    joDestroyChain2( chain, NULL );
}

// Squares side by side, of two triangles each.
static void aMeshTellsWhichTriangle( void** state )
{
    (void)state;
    joVec3 vertices[18];
    uint32_t indices[48];
    for ( uint32_t i = 0; i < 9; ++i )
    {
        const float high = i % 2 == 0 ? 0.0f : 0.1f;
        vertices[2 * i] = ( joVec3 ){ (float)i, high, 0.0f };
        vertices[2 * i + 1] = ( joVec3 ){ (float)i, high, 1.0f };
    }
    for ( uint32_t i = 0; i < 8; ++i )
    {
        const uint32_t square[6] = { 2 * i, 2 * i + 1, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 2 };
        memcpy( indices + 6 * i, square, sizeof( square ) );
    }
    joMesh3* mesh = NULL;
    kitRequire( joCreateMesh3( vertices, 18, indices, 16, NULL, &mesh, NULL ), "joCreateMesh3" );
    joWorldDef worldDef = joDefaultWorldDef();
    memset( worldDef.gravity, 0, sizeof( worldDef.gravity ) );
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &worldDef, &world ), "joCreateWorld" );
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    const joBodyColumns one = { .count = 1 };
    def.type = jo_staticBody;
    colliderDef.shape = ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh };
    kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "mesh" );
    def.type = jo_dynamicBody;
    def.velocity.y = -60.0f;
    colliderDef.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 0.05f } };
    for ( uint32_t i = 0; i < 16; ++i )
    {
        // The first triangle of a square has the larger z.
        const joVec3 at = { (float)( i / 2 ) + 0.5f, 1.05f, i % 2 == 0 ? 0.75f : 0.25f };
        def.response = i % 3 == 0 ? jo_slide : jo_detect;
        def.pose.position = at;
        kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "ball" );
        joWorldHit hit;
        uint64_t count;
        const joRay ray = { { at.x, 0.9f, at.z }, { 0.0f, -1.0f, 0.0f }, 2.0f };
        kitRequire( joWorld_CastRayClosest( world, &ray, NULL, &hit ), "ray" );
        assert_int_equal( hit.child, i );
        const joTransform3 pose = { { at.x, 0.9f, at.z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        kitRequire( joWorld_CastShapeClosest3(
                        world, &colliderDef.shape, &pose, ( joVec3 ){ 0.0f, -2.0f, 0.0f }, NULL, &hit ),
            "cast" );
        assert_int_equal( hit.child, i );
        const float near[3] = { at.x, 0.2f, at.z };
        kitRequire( joWorld_FindNearest( world, near, 0.5f, NULL, &hit, 1, &count ), "nearest" );
        assert_int_equal( hit.child, i );
    }
    kitStep( world );
    const joContactEvents events = kitEventsOf( world, false );
    assert_int_equal( events.enterCount, 16 );
    for ( uint32_t i = 0; i < 16; ++i )
    {
        assert_int_equal( events.enters[i].child, i );
    }
    joDestroyWorld( world );
    joDestroyMesh3( mesh, NULL );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "a sweep tells when and on which side", aSweepTellsWhenAndOnWhichSide ),
        TEST( "a trigger that is passed tells when", aTriggerThatIsPassedTellsWhen ),
        TEST( "other bodies meet at the end", otherBodiesMeetAtTheEnd ),
        TEST( "what is not reached is not met", whatIsNotReachedIsNotMet ),
        TEST( "a chain tells which segment", aChainTellsWhichSegment ),
        TEST( "a mesh tells which triangle", aMeshTellsWhichTriangle ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
