// SPDX-License-Identifier: MIT
// Bodies that push: who yields, by how much, what becomes of velocities, who is not pushed at all.
#include "jostle/query.h"
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

static joWorld* makeWorld( float margin, uint32_t iterations )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.pushMargin = margin;
    def.pushIterations = iterations;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

typedef struct Thing
{
    float x, y;
    float velocityX, velocityY;
    float mass;        // 0: 1
    float restitution; // of its collider
    joBodyType type;
    joResponse response;
    joColliderFilter filter;
    bool isTrigger;
} Thing;

static joBodyId add( joWorld* world, const Thing* thing, const joShape2* shape )
{
    joBodyDef2 def = joDefaultBodyDef2();
    def.pose.position = ( joVec2 ){ thing->x, thing->y };
    def.velocity = ( joVec2 ){ thing->velocityX, thing->velocityY };
    def.mass = thing->mass > 0.0f ? thing->mass : 1.0f;
    def.type = thing->type;
    def.response = thing->response;
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    colliderDef.shape = *shape;
    colliderDef.material.restitution = thing->restitution;
    colliderDef.isTrigger = thing->isTrigger;
    if ( thing->filter.mask != 0 )
    {
        colliderDef.filter = thing->filter;
    }
    joBodyId body = { 0 };
    joColliderId collider = { 0 };
    kitRequire( joWorld_CreateBody2( world, &def, &body ), "joWorld_CreateBody2" );
    kitRequire( joWorld_CreateCollider2( world, body, &colliderDef, &collider ), "joWorld_CreateCollider2" );
    return body;
}

static const joShape2 s_disc = { .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 0.5f } };

// A disc of radius 0.5 that pushes.
static joBodyId addDisc( joWorld* world, float x, float y, float velocityX, float velocityY )
{
    const Thing thing = { .x = x,
        .y = y,
        .velocityX = velocityX,
        .velocityY = velocityY,
        .type = jo_dynamicBody,
        .response = jo_push };
    return add( world, &thing, &s_disc );
}

static joVec2 positionOf( const joWorld* world, joBodyId body )
{
    return kitPoseOf( world, body ).position;
}

static joVec2 velocityOf( const joWorld* world, joBodyId body )
{
    joBodyDef2 def;
    kitRequire( joWorld_GetBody2( world, body, &def ), "joWorld_GetBody2" );
    return def.velocity;
}

static void step( joWorld* world )
{
    kitRequire( joWorld_Step( world, 1.0f / 64.0f ), "joWorld_Step" );
    assert_true( joWorld_Validate( world ) );
}

static void assertNear( float value, float expected )
{
    if ( !( fabsf( value - expected ) <= 1e-5f ) )
    {
        print_error( "%.9g, not %.9g\n", (double)value, (double)expected );
        fail();
    }
}

static void twoPartByTheirMasses( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 8 );
    const Thing light = { .type = jo_dynamicBody, .response = jo_push, .mass = 1.0f };
    const Thing heavy = { .x = 0.6f, .y = 0.8f, .type = jo_dynamicBody, .response = jo_push, .mass = 3.0f };
    const joShape2 large = { .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 0.7f } };
    const joBodyId a = add( world, &light, &s_disc ), b = add( world, &heavy, &large );
    step( world );
    assertNear( positionOf( world, a ).x, -0.6f * 0.15f );
    assertNear( positionOf( world, a ).y, -0.8f * 0.15f );
    assertNear( positionOf( world, b ).x, 0.6f * 1.05f );
    assertNear( positionOf( world, b ).y, 0.8f * 1.05f );
    joDestroyWorld( world );
}

static void discsMayStandAnywhereOnTheirBodies( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 8 );
    // A quarter turn takes its center to (0, 2).
    joBodyDef2 def = joDefaultBodyDef2();
    def.pose.rotation = ( joRot2 ){ 0.0f, 1.0f };
    def.response = jo_push;
    joColliderDef2 colliderDef = kitDisc( 0.5f );
    colliderDef.shape.circle.center = ( joVec2 ){ 1.0f, 0.0f };
    colliderDef.localPose.position.x = 1.0f;
    joBodyId a = { 0 };
    joColliderId collider = { 0 };
    kitRequire( joWorld_CreateBody2( world, &def, &a ), "create" );
    kitRequire( joWorld_CreateCollider2( world, a, &colliderDef, &collider ), "create" );
    // A trigger beside the disc does not make it less round.
    colliderDef.isTrigger = true;
    colliderDef.shape.circle.radius = 5.0f;
    kitRequire( joWorld_CreateCollider2( world, a, &colliderDef, &collider ), "create" );
    const joBodyId b = addDisc( world, 0.8f, 2.0f, 0.0f, 0.0f );
    step( world );
    assertNear( positionOf( world, a ).x, -0.1f );
    assertNear( positionOf( world, a ).y, 0.0f );
    assertNear( positionOf( world, b ).x, 0.9f );
    assertNear( positionOf( world, b ).y, 2.0f );
    joDestroyWorld( world );
}

static void whoDoesNotPushStands( void** state )
{
    (void)state;
    const Thing still[4] = { { .type = jo_staticBody, .response = jo_push },
        { .type = jo_kinematicBody, .response = jo_push }, { .type = jo_dynamicBody, .response = jo_detect },
        { .type = jo_staticBody, .response = jo_detect } };
    const joPolygon2 box = joMakeBox2( 0.5f, 0.5f );
    const joShape2 shapes[3] = { s_disc, { .kind = jo_polygonShape2, .polygon = &box },
        { .kind = jo_segmentShape2, .segment = { { 0.5f, -3.0f }, { 0.5f, 3.0f } } } };
    for ( int i = 0; i < 12; ++i )
    {
        joWorld* world = makeWorld( 0.5f, 8 );
        const joBodyId stander = add( world, &still[i % 4], &shapes[i / 4] );
        const joBodyId disc = addDisc( world, 0.9f, 0.0f, 0.0f, 0.0f );
        step( world );
        const joTransform2 pose = kitPoseOf( world, stander );
        assert_true( pose.position.x == 0.0f && pose.position.y == 0.0f );
        assertNear( positionOf( world, disc ).x, 1.0f );
        assertNear( positionOf( world, disc ).y, 0.0f );
        joDestroyWorld( world );
    }
}

static void otherShapesPartAlongTheirNormal( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 8 );
    const joPolygon2 box = joMakeBox2( 0.5f, 0.5f );
    const joShape2 boxShape = { .kind = jo_polygonShape2, .polygon = &box };
    const Thing one = { .type = jo_dynamicBody, .response = jo_push, .mass = 1.0f };
    const Thing two = { .x = 0.3f, .y = 0.8f, .type = jo_dynamicBody, .response = jo_push, .mass = 4.0f };
    const Thing away = { .x = 9.0f, .type = jo_dynamicBody, .response = jo_push };
    const joBodyId a = add( world, &one, &boxShape ), b = add( world, &two, &boxShape );
    const joBodyId c = add( world, &away, &boxShape ), d = addDisc( world, 9.9f, 0.2f, 0.0f, 0.0f );
    step( world );
    assertNear( positionOf( world, a ).x, 0.0f );
    assertNear( positionOf( world, a ).y, -0.16f );
    assertNear( positionOf( world, b ).x, 0.3f );
    assertNear( positionOf( world, b ).y, 0.84f );
    assertNear( positionOf( world, c ).x, 8.95f );
    assertNear( positionOf( world, d ).x, 9.95f );
    assertNear( positionOf( world, d ).y, 0.2f );
    joDestroyWorld( world );
}

// A speed of 4 into a wall that is met in this step: what is left of it.
static joVec2 bounceOff( float ofDisc, float ofWall )
{
    joWorld* world = makeWorld( 0.5f, 8 );
    const joPolygon2 box = joMakeBox2( 0.5f, 5.0f );
    const joShape2 wallShape = { .kind = jo_polygonShape2, .polygon = &box };
    const Thing wall = { .type = jo_staticBody, .restitution = ofWall };
    const Thing thing = { .x = 1.03125f,
        .velocityX = -4.0f,
        .velocityY = 3.0f,
        .restitution = ofDisc,
        .type = jo_dynamicBody,
        .response = jo_push };
    add( world, &wall, &wallShape );
    const joBodyId disc = add( world, &thing, &s_disc );
    step( world );
    assertNear( positionOf( world, disc ).x, 1.0f );
    const joVec2 velocity = velocityOf( world, disc );
    joDestroyWorld( world );
    return velocity;
}

static void velocityStopsOrTurnsBackAsTheLargerRestitutionSays( void** state )
{
    (void)state;
    const float expected[4][3] = {
        { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 4.0f }, { 0.25f, 0.5f, 2.0f }, { 0.0f, 0.25f, 1.0f } };
    for ( int i = 0; i < 4; ++i )
    {
        const joVec2 left = bounceOff( expected[i][0], expected[i][1] );
        assertNear( left.x, expected[i][2] );
        assertNear( left.y, 3.0f );
    }
}

static void twoThatMeetKeepTheirMomentum( void** state )
{
    (void)state;
    for ( int elastic = 0; elastic <= 1; ++elastic )
    {
        joWorld* world = makeWorld( 0.5f, 8 );
        Thing left = { .velocityX = 2.0f,
            .velocityY = 1.0f,
            .restitution = (float)elastic,
            .mass = 1.0f,
            .type = jo_dynamicBody,
            .response = jo_push };
        Thing right = left;
        right.x = 1.0f;
        right.velocityX = -1.0f;
        right.mass = 3.0f;
        const joBodyId a = add( world, &left, &s_disc ), b = add( world, &right, &s_disc );
        step( world );
        // The centre of mass moves at -0.25.
        assertNear( velocityOf( world, a ).x, elastic ? -2.5f : -0.25f );
        assertNear( velocityOf( world, b ).x, elastic ? 0.5f : -0.25f );
        assertNear( velocityOf( world, a ).y, 1.0f );
        // What flies apart already is left alone, though it may overlap yet.
        const joVec2 before = velocityOf( world, a );
        step( world );
        assertNear( velocityOf( world, a ).x, before.x );
        joDestroyWorld( world );
    }
}

static void flushTilesStopABodyOnce( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 8 );
    const joPolygon2 tile = joMakeBox2( 0.5f, 0.5f ), wide = joMakeBox2( 1.5f, 0.5f );
    const joShape2 tileShape = { .kind = jo_polygonShape2, .polygon = &tile };
    const joShape2 wideShape = { .kind = jo_polygonShape2, .polygon = &wide };
    for ( int i = -3; i <= 3; ++i )
    {
        const Thing thing = { .x = (float)i, .type = jo_staticBody, .restitution = 1.0f };
        add( world, &thing, &tileShape );
    }
    const Thing lands = { .y = 1.03125f, .velocityY = -4.0f, .type = jo_dynamicBody, .response = jo_push };
    const joBodyId body = add( world, &lands, &wideShape );
    step( world );
    assertNear( positionOf( world, body ).y, 1.0f );
    assertNear( velocityOf( world, body ).y, 4.0f );
    joDestroyWorld( world );
}

static void coincidentCentresPartAlongX( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 2.0f, 8 );
    const joBodyId a = addDisc( world, 3.0f, 4.0f, 0.0f, 0.0f ), b = addDisc( world, 3.0f, 4.0f, 0.0f, 0.0f );
    step( world );
    assertNear( positionOf( world, a ).x, 2.5f );
    assertNear( positionOf( world, b ).x, 3.5f );
    assert_true( positionOf( world, a ).y == 4.0f && positionOf( world, b ).y == 4.0f );
    joDestroyWorld( world );
}

// Two discs and two boxes on one spot, made different by `change`: nothing is pushed.
static void assertNoPush( void ( *change )( joWorld* world, joBodyId body, joBodyId other, Thing* thing ) )
{
    const joPolygon2 box = joMakeBox2( 0.5f, 0.5f );
    const joShape2 shapes[2] = { s_disc, { .kind = jo_polygonShape2, .polygon = &box } };
    for ( int i = 0; i < 2; ++i )
    {
        joWorld* world = makeWorld( 0.5f, 8 );
        Thing thing = { .type = jo_dynamicBody, .response = jo_push };
        const joBodyId none = { 0 };
        change( world, none, none, &thing );
        const joBodyId a = add( world, &thing, &shapes[i] );
        thing.x = 0.5f;
        const joBodyId b = add( world, &thing, &shapes[i] );
        change( world, a, b, &thing );
        step( world );
        assert_true( positionOf( world, a ).x == 0.0f && positionOf( world, b ).x == 0.5f );
        joDestroyWorld( world );
    }
}

static void ofLayersThatDoNotMeet( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)world;
    (void)body;
    (void)other;
    thing->filter = ( joColliderFilter ){ .layer = 3, .mask = ~( UINT64_C( 1 ) << 3 ) };
}

static void ofOneGroup( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)world;
    (void)body;
    (void)other;
    thing->filter = ( joColliderFilter ){ .group = 7, .mask = ~UINT64_C( 0 ) };
}

static void ofATrigger( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)body;
    (void)other;
    thing->isTrigger = joWorld_GetStats( world ).bodyCount == 0; // the first one
}

static void beforeATrigger( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)thing;
    if ( body.bits != 0 )
    {
        joColliderId collider = { 0 };
        uint64_t count = 0;
        kitRequire( joWorld_GetColliders( world, other, &collider, 1, &count ), "joWorld_GetColliders" );
        kitRequire( joWorld_SetColliderTrigger( world, collider, true ), "joWorld_SetColliderTrigger" );
    }
}

static void ignored( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)thing;
    if ( body.bits != 0 )
    {
        kitRequire( joWorld_SetIgnored( world, body, other, true ), "joWorld_SetIgnored" );
    }
}

static void disabled( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)body;
    (void)thing;
    if ( other.bits != 0 )
    {
        kitRequire( joWorld_SetBodyEnabled( world, other, false ), "joWorld_SetBodyEnabled" );
    }
}

static void ofBodiesThatOnlyDetect( joWorld* world, joBodyId body, joBodyId other, Thing* thing )
{
    (void)thing;
    if ( body.bits != 0 )
    {
        kitRequire( joWorld_SetBodyResponse( world, body, jo_detect, 1.0f ), "response" );
        kitRequire( joWorld_SetBodyResponse( world, other, jo_detect, 1.0f ), "response" );
    }
}

static void whatDoesNotMeetDoesNotPush( void** state )
{
    (void)state;
    assertNoPush( ofLayersThatDoNotMeet );
    assertNoPush( ofOneGroup );
    assertNoPush( ofATrigger );
    assertNoPush( beforeATrigger );
    assertNoPush( ignored );
    assertNoPush( disabled );
    assertNoPush( ofBodiesThatOnlyDetect );
}

static void noBodyIsPushedBeyondItsLimit( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.25f, 50 );
    // Deep in each other; the second one also moves, by 0.0625.
    const joBodyId a = addDisc( world, 0.0f, 0.0f, 0.0f, 0.0f ), b = addDisc( world, 0.1f, 0.0f, 0.0f, 4.0f );
    step( world );
    const joVec2 at = positionOf( world, a ), bt = positionOf( world, b );
    assertNear( hypotf( at.x, at.y ), 0.125f );
    assertNear( hypotf( bt.x - 0.1f, bt.y - 0.0625f ), 0.1875f );
    joDestroyWorld( world );
}

static void whoSleepsStandsAStepAndWakesByBeingPushed( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 8 );
    const joBodyId sleeper = addDisc( world, 0.0f, 0.0f, 0.0f, 0.0f );
    const joBodyId apart = addDisc( world, 5.0f, 0.0f, 0.0f, 0.0f );
    kitRequire( joWorld_SetBodyAwake( world, sleeper, false ), "sleep" );
    kitRequire( joWorld_SetBodyAwake( world, apart, false ), "sleep" );
    step( world );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 2 );
    const joBodyId mover = addDisc( world, 0.9f, 0.0f, 0.0f, 0.0f );
    step( world );
    assert_true( positionOf( world, sleeper ).x == 0.0f );
    assertNear( positionOf( world, mover ).x, 1.0f );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 1 );
    // Now both yield.
    const joTransform2 pose = { { 0.8f, 0.0f }, { 1.0f, 0.0f } };
    kitRequire( joWorld_SetPose2( world, mover, &pose ), "joWorld_SetPose2" );
    step( world );
    assertNear( positionOf( world, sleeper ).x, -0.1f );
    assertNear( positionOf( world, mover ).x, 0.9f );
    // At rest, at last, though touching, both sleep for good.
    for ( int i = 0; i < 40; ++i )
    {
        step( world );
    }
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 3 );
    joDestroyWorld( world );
}

static void whoIsPushedIsAwake( void** state )
{
    (void)state;
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.sleepTime = 1.0f / 64.0f;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    addDisc( world, 0.0f, 0.0f, 0.0f, 0.0f );
    addDisc( world, 0.75f, 0.0f, 0.0f, 0.0f );
    addDisc( world, 5.0f, 0.0f, 0.0f, 0.0f );
    step( world );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 1 );
    for ( int i = 0; i < 10; ++i )
    {
        step( world );
    }
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 3 );
    joDestroyWorld( world );
}

static void queriesRightAfterTheStepFindWhatWasPushed( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 2.0f, 8 );
    joBodyId discs[64];
    for ( int i = 0; i < 64; ++i )
    {
        discs[i] = addDisc( world, 0.3f * (float)( i % 8 ), 0.3f * (float)( i / 8 ), 0.0f, 0.0f );
    }
    const joQueryFilter filter = joDefaultQueryFilter();
    for ( int k = 0; k < 4; ++k )
    {
        step( world );
        for ( int i = 0; i < 64; ++i )
        {
            const joVec2 at = positionOf( world, discs[i] );
            const float edges[4][2] = { { at.x - 0.499f, at.y }, { at.x + 0.499f, at.y },
                { at.x, at.y - 0.499f }, { at.x, at.y + 0.499f } };
            for ( int edge = 0; edge < 4; ++edge )
            {
                uint32_t keys[64];
                uint64_t count = 0;
                bool isFound = false;
                kitRequire( joBroadPhase_OverlapBox( joWorld_GetBroadPhase( world ), edges[edge], edges[edge],
                                &filter, keys, 64, &count ),
                    "joBroadPhase_OverlapBox" );
                for ( uint64_t n = 0; n < count; ++n )
                {
                    isFound = isFound || keys[n] == (uint32_t)i;
                }
                assert_true( isFound );
            }
        }
    }
    joDestroyWorld( world );
}

static void ballsLieOnWhatStandsIn3D( void** state )
{
    (void)state;
    joWorldDef def = joDefaultWorldDef();
    def.gravity[1] = -10.0f;
    def.sleepSpeed = 0.01f;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    const joShape3 floors[2] = { { .kind = jo_boxShape3, .box = joMakeBox3( 3.0f, 1.0f, 3.0f ) },
        { .kind = jo_halfSpaceShape3, .halfSpace = { .normal = { 0.0f, 1.0f, 0.0f }, .offset = 1.0f } } };
    joBodyId balls[2];
    for ( int i = 0; i < 2; ++i )
    {
        joBodyDef3 bodyDef = joDefaultBodyDef3();
        joColliderDef3 colliderDef = joDefaultColliderDef3();
        colliderDef.filter.group = 0;
        colliderDef.filter.mask = UINT64_C( 1 ) << i;
        colliderDef.filter.layer = (uint32_t)i;
        bodyDef.type = jo_staticBody;
        colliderDef.shape = floors[i];
        joBodyId floor = { 0 };
        joColliderId collider = { 0 };
        kitRequire( joWorld_CreateBody3( world, &bodyDef, &floor ), "create" );
        kitRequire( joWorld_CreateCollider3( world, floor, &colliderDef, &collider ), "create" );
        bodyDef.type = jo_dynamicBody;
        bodyDef.response = jo_push;
        bodyDef.pose.position = ( joVec3 ){ 0.5f, 2.0f, 0.25f };
        bodyDef.velocity = ( joVec3 ){ 0.0f, 0.0f, 0.0f };
        colliderDef.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 0.5f } };
        kitRequire( joWorld_CreateBody3( world, &bodyDef, &balls[i] ), "create" );
        kitRequire( joWorld_CreateCollider3( world, balls[i], &colliderDef, &collider ), "create" );
    }
    for ( int i = 0; i < 120; ++i )
    {
        step( world );
    }
    for ( int i = 0; i < 2; ++i )
    {
        joTransform3 pose;
        kitRequire( joWorld_GetPose3( world, balls[i], &pose ), "joWorld_GetPose3" );
        assertNear( pose.position.x, 0.5f );
        assertNear( pose.position.y, 1.5f );
        assertNear( pose.position.z, 0.25f );
    }
    joDestroyWorld( world );
}

static void badSettingsAreRefused( void** state )
{
    (void)state;
    const float margins[3] = { -0.1f, NAN, INFINITY };
    joSetAssertFcn( kitGoOn );
    joWorld* world = NULL;
    for ( int i = 0; i < 4; ++i )
    {
        joWorldDef def = joDefaultWorldDef();
        def.pushMargin = i < 3 ? margins[i] : 0.1f;
        def.pushIterations = i < 3 ? 8 : JO_MAX_PUSH_ITERATIONS + 1;
        assert_int_equal( joCreateWorld( &def, &world ), jo_errorBadDef );
    }
    joSetAssertFcn( NULL );
    // No passes: no push.
    world = makeWorld( 0.1f, 0 );
    const joBodyId a = addDisc( world, 0.0f, 0.0f, 0.0f, 0.0f );
    addDisc( world, 0.5f, 0.0f, 0.0f, 0.0f );
    step( world );
    assert_true( positionOf( world, a ).x == 0.0f );
    joDestroyWorld( world );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "two part by their masses", twoPartByTheirMasses ),
        TEST( "discs may stand anywhere on their bodies", discsMayStandAnywhereOnTheirBodies ),
        TEST( "who does not push stands", whoDoesNotPushStands ),
        TEST( "other shapes part along their normal", otherShapesPartAlongTheirNormal ),
        TEST( "velocity stops or turns back as the larger restitution says",
            velocityStopsOrTurnsBackAsTheLargerRestitutionSays ),
        TEST( "two that meet keep their momentum", twoThatMeetKeepTheirMomentum ),
        TEST( "flush tiles stop a body once", flushTilesStopABodyOnce ),
        TEST( "coincident centres part along x", coincidentCentresPartAlongX ),
        TEST( "what does not meet does not push", whatDoesNotMeetDoesNotPush ),
        TEST( "no body is pushed beyond its limit", noBodyIsPushedBeyondItsLimit ),
        TEST( "who is pushed is awake", whoIsPushedIsAwake ),
        TEST(
            "who sleeps stands a step and wakes by being pushed", whoSleepsStandsAStepAndWakesByBeingPushed ),
        TEST(
            "queries right after the step find what was pushed", queriesRightAfterTheStepFindWhatWasPushed ),
        TEST( "balls lie on what stands in 3D", ballsLieOnWhatStandsIn3D ),
        TEST( "bad settings are refused", badSettingsAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
