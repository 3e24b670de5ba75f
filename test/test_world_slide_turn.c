// SPDX-License-Identifier: MIT
// Sliding bodies that turn: nothing is ever turned over, in 2D and in 3D. What is said to be in the way is
// looked for in very many parts of a turn.
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define SCENES 120u
#define POSTS 6u
#define PARTS 400u

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

static void stepOnce( joWorld* world )
{
    kitRequire( joWorld_Step( world, 1.0f ), "joWorld_Step" );
    assert_true( joWorld_Validate( world ) );
}

typedef struct Turner
{
    joShape2 shape;
    joTransform2 start;
    float angle; // in a step
    joBodyId body;
    bool hasTurned; // in the step that was
} Turner;

static void addTurner( joWorld* world, Turner* turner, joResponse response )
{
    const joBodyColumns one = { .count = 1 };
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    def.type = response == jo_slide ? jo_dynamicBody : jo_staticBody;
    def.response = response;
    def.pose = turner->start;
    def.angularVelocity = turner->angle;
    colliderDef.shape = turner->shape;
    kitRequire(
        joWorld_CreateBodies2( world, &def, &colliderDef, &one, &turner->body, NULL, NULL ), "create" );
}

static joTransform2 poseAt( const Turner* turner, double part )
{
    joTransform2 pose = turner->start;
    const float angle = turner->hasTurned ? (float)( part * (double)turner->angle ) : 0.0f;
    pose.rotation = joNormalizeRot2( joMultiplyRots2( joMakeRot2( angle ), pose.rotation ) );
    return pose;
}

static double apartAt( const Turner* a, const Turner* b, double part )
{
    const joTransform2 poses[2] = { poseAt( a, part ), poseAt( b, part ) };
    joClosestPoints2 closest;
    kitRequire( joDistance2( &a->shape, &poses[0], &b->shape, &poses[1], NULL, &closest ), "joDistance2" );
    return (double)closest.distance;
}

// The nearest that two come to each other in their turns.
static double nearest( const Turner* a, const Turner* b )
{
    double least = INFINITY;
    for ( uint32_t i = 0; i <= PARTS; ++i )
    {
        least = fmin( least, apartAt( a, b, (double)i / PARTS ) );
    }
    return least;
}

static void readTurns( const joWorld* world, Turner* turners, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        const joTransform2 pose = kitPoseOf( world, turners[i].body );
        turners[i].hasTurned =
            pose.rotation.c != turners[i].start.rotation.c || pose.rotation.s != turners[i].start.rotation.s;
    }
}

// A long thin bar among thin posts.
static void barsTurnOverNothing( void** state )
{
    (void)state;
    uint64_t random = 17;
    uint32_t turned = 0, stopped = 0;
    for ( uint32_t scene = 0; scene < SCENES; ++scene )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        Turner bar = { .shape = scene % 2 == 0 ? kitBox( 1.0f, 0.01f )
                                               : ( joShape2 ){ .kind = jo_capsuleShape2,
                                                     .capsule = { { -0.2f, 0.0f }, { 1.5f, 0.0f }, 0.02f } },
            .start = { { 0.0f, 0.0f }, joMakeRot2( between( &random, -3.0f, 3.0f ) ) },
            .angle = between( &random, -1.0f, 1.0f ) * ( scene % 3 == 0 ? 12.0f : 2.0f ) };
        Turner posts[POSTS];
        addTurner( world, &bar, jo_slide );
        for ( uint32_t i = 0; i < POSTS; )
        {
            const joVec2 at = { between( &random, -2.5f, 2.5f ), between( &random, -2.5f, 2.5f ) };
            posts[i] = ( Turner ){ .shape = kitCircle( 0.02f ), .start = { at, joMakeRot2( 0.0f ) } };
            bar.hasTurned = false;
            if ( apartAt( &bar, &posts[i], 0.0 ) > 0.01 )
            {
                addTurner( world, &posts[i++], jo_detect );
            }
        }
        stepOnce( world );
        readTurns( world, &bar, 1 );
        const bool hasTurned = bar.hasTurned;
        double least = INFINITY;
        bar.hasTurned = true;
        for ( uint32_t i = 0; i < POSTS; ++i )
        {
            least = fmin( least, nearest( &bar, &posts[i] ) );
        }
        // And what has room does turn.
        assert_true( hasTurned ? least > 0.0 : least < 0.002 );
        turned += hasTurned;
        stopped += !hasTurned;
        joBodyDef2 def;
        kitRequire( joWorld_GetBody2( world, bar.body, &def ), "joWorld_GetBody2" );
        assert_true( def.angularVelocity == ( hasTurned ? bar.angle : 0.0f ) );
        joDestroyWorld( world );
    }
    assert_true( turned > SCENES / 6 && stopped > SCENES / 6 );
}

// Two bars that both turn never cross, whatever part of their turns they have made.
static void barsDoNotTurnOverEachOther( void** state )
{
    (void)state;
    uint64_t random = 23;
    uint32_t both = 0, none = 0;
    for ( uint32_t scene = 0; scene < SCENES; ++scene )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        Turner bars[2];
        do
        {
            for ( uint32_t i = 0; i < 2; ++i )
            {
                bars[i] = ( Turner ){ .shape = kitBox( 1.0f, 0.01f ),
                    .start = { { 0.0f, between( &random, -2.0f, 2.0f ) },
                        joMakeRot2( between( &random, -3.0f, 3.0f ) ) },
                    .angle = between( &random, -1.5f, 1.5f ) };
            }
        } while ( apartAt( &bars[0], &bars[1], 0.0 ) < 0.01 );
        addTurner( world, &bars[0], jo_slide );
        addTurner( world, &bars[1], jo_slide );
        stepOnce( world );
        readTurns( world, bars, 2 );
        assert_true( nearest( &bars[0], &bars[1] ) > 0.0 );
        both += bars[0].hasTurned && bars[1].hasTurned;
        none += !bars[0].hasTurned && !bars[1].hasTurned;
        joDestroyWorld( world );
    }
    assert_true( both > SCENES / 10 && none > SCENES / 10 );
}

// What has turned into the way of another stops it, and what has turned out of it does not.
static void whatFliesMeetsWhatHasTurned( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 2; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        const float quarter = 1.5707964f;
        Turner bar = { .shape = kitBox( 1.0f, 0.01f ),
            .start = { { 0.0f, 0.0f }, joMakeRot2( i == 0 ? quarter : 0.0f ) },
            .angle = i == 0 ? -quarter : quarter };
        addTurner( world, &bar, jo_slide );
        const joBodyId body = kitAddSlider( world, kitCircle( 0.05f ), 0.7f, -3.0f );
        kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ 0.0f, 10.0f } ), "velocity" );
        stepOnce( world );
        readTurns( world, &bar, 1 );
        assert_true( bar.hasTurned );
        const float y = kitPoseOf( world, body ).position.y;
        assert_true( i == 0 ? y < -0.06f && y > -0.08f : y == 7.0f );
        joDestroyWorld( world );
    }
}

// A long arm that turns pushes what is in its way before it, be it thin and fast.
static void armsPushWhatTheyTurnInto( void** state )
{
    (void)state;
    const float angles[3] = { 0.1f, 0.7f, 2.0f };
    for ( uint32_t i = 0; i < 24; ++i )
    {
        joWorld* world = kitMakeSlideWorld( 0.0f );
        const float half = i % 2 == 0 ? 0.01f : 0.2f, angle = angles[i / 2 % 3];
        const joBodyId arm =
            kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 6.0f, half ), 0.0f, 0.0f );
        const joBodyId body =
            kitAddSlider( world, i / 6 % 2 == 0 ? kitCircle( 0.5f ) : kitBox( 0.35f, 0.35f ), 2.0f, 1.0f );
        joSlideDef def = joDefaultSlideDef();
        def.maxSlides = i / 12 == 0 ? 4 : 0;
        kitRequire( joWorld_SetSlide( world, body, &def ), "joWorld_SetSlide" );
        kitRequire( joWorld_SetAngularVelocity2( world, arm, angle ), "turn" );
        uint64_t enters = 0;
        for ( float turned = angle; turned < 2.3f; turned += angle )
        {
            joContactEvents events;
            stepOnce( world );
            kitRequire( joWorld_GetContactEvents( world, jo_perBody, &events ), "events" );
            enters += events.enterCount;
            const joVec2 place =
                joInverseTransformPoint2( kitPoseOf( world, arm ), kitPoseOf( world, body ).position );
            assert_true( place.x > 2.0f && place.x < 5.0f && place.y > half + 0.35f );
        }
        assert_int_equal( enters, 1 );
        joDestroyWorld( world );
    }
}

// Half of a turn begins and ends in the same bounds.
static void armsAreMetOutsideOfTheirBounds( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId arm = kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 6.0f, 0.01f ), 0.0f, 0.0f );
    const joBodyId body = kitAddSlider( world, kitCircle( 1.0f ), 0.0f, 2.5f );
    kitRequire( joWorld_SetAngularVelocity2( world, arm, 3.1415927f ), "turn" );
    stepOnce( world );
    const joVec2 place =
        joInverseTransformPoint2( kitPoseOf( world, arm ), kitPoseOf( world, body ).position );
    assert_true( place.y > 1.01f && place.x > 0.0f );
    joDestroyWorld( world );
}

// Who has been stopped by another's way is pushed by an arm as well.
static void armsPushWhatIsCutShort( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId arm = kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 9.0f, 0.01f ), 0.0f, 0.0f );
    joColliderFilter filter = { .layer = 1, .mask = UINT64_MAX };
    const joBodyId stop = kitAddStatic( world, kitCircle( 0.2f ), 4.5f, 1.0f );
    kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, stop ), &filter ), "filter" );
    const joBodyId behind = kitAddSlider( world, kitCircle( 0.3f ), 1.5f, 1.0f ),
                   front = kitAddSlider( world, kitCircle( 0.3f ), 2.5f, 1.0f );
    filter = ( joColliderFilter ){ .mask = 1 };
    kitRequire( joWorld_SetColliderFilter( world, kitColliderOf( world, behind ), &filter ), "filter" );
    kitRequire( joWorld_SetVelocity2( world, behind, ( joVec2 ){ 30.0f, 0.0f } ), "velocity" );
    kitRequire( joWorld_SetVelocity2( world, front, ( joVec2 ){ 30.0f, 0.0f } ), "velocity" );
    kitRequire( joWorld_SetAngularVelocity2( world, arm, 0.8f ), "turn" );
    stepOnce( world );
    const joVec2 place =
        joInverseTransformPoint2( kitPoseOf( world, arm ), kitPoseOf( world, behind ).position );
    assert_true( place.y > 0.31f && place.x < 5.0f );
    joDestroyWorld( world );
}

// Between an arm and what stands still it stays out of what stands still, and is told of the arm.
static void armsAreToldOfWhatTheyPress( void** state )
{
    (void)state;
    joWorld* world = kitMakeSlideWorld( 0.0f );
    const joBodyId arm = kitAddBody( world, jo_kinematicBody, jo_detect, kitBox( 6.0f, 0.01f ), 0.0f, 0.0f );
    kitAddStatic( world, kitBox( 6.0f, 0.5f ), 0.0f, 1.8f );
    const joBodyId body = kitAddSlider( world, kitCircle( 0.5f ), 2.0f, 0.7f );
    kitRequire( joWorld_SetAngularVelocity2( world, arm, 1.5f ), "turn" );
    joContactEvents events;
    stepOnce( world );
    kitRequire( joWorld_GetContactEvents( world, jo_perBody, &events ), "events" );
    bool isTold = false;
    for ( uint64_t i = 0; i < events.enterCount; ++i )
    {
        isTold =
            isTold || ( events.enters[i].bodyA.bits == arm.bits && events.enters[i].bodyB.bits == body.bits );
    }
    assert_true( isTold );
    assert_true( kitPoseOf( world, body ).position.y < 0.8f );
    joDestroyWorld( world );
}

static joBodyId add3( joWorld* world, joShape3 shape, const joTransform3* pose, joVec3 angular, bool slides )
{
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    def.type = slides ? jo_dynamicBody : jo_staticBody;
    def.response = slides ? jo_slide : jo_detect;
    def.pose = *pose;
    def.angularVelocity = angular;
    colliderDef.shape = shape;
    kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

static joWorld* makeWorld3( float gravity )
{
    joWorldDef def = joDefaultWorldDef();
    def.gravity[1] = -gravity;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

static bool hasTurned3( const joWorld* world, joBodyId body, joQuat from )
{
    joTransform3 pose;
    kitRequire( joWorld_GetPose3( world, body, &pose ), "joWorld_GetPose3" );
    return memcmp( &pose.rotation, &from, sizeof( from ) ) != 0;
}

static joQuat turnBy( joVec3 angular, double part )
{
    const double length =
        sqrt( (double)angular.x * (double)angular.x + (double)angular.y * (double)angular.y +
              (double)angular.z * (double)angular.z );
    return joMakeQuat( angular, (float)( part * length ) );
}

// The same in 3D, where the arm also goes up while it turns.
static void armsPushBalls( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        joWorld* world = makeWorld3( 0.0f );
        const joShape3 blade = { .kind = jo_boxShape3, .box = joMakeBox3( 6.0f, 0.01f, 1.0f ) };
        joTransform3 pose = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joBodyId arm = add3( world, blade, &pose, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, false );
        kitRequire( joWorld_SetBodyType( world, arm, jo_kinematicBody ), "type" );
        kitRequire( joWorld_SetAngularVelocity3( world, arm, ( joVec3 ){ 0.0f, 0.0f, 1.0f } ), "turn" );
        kitRequire(
            joWorld_SetVelocity3( world, arm, ( joVec3 ){ 0.0f, 1.5f * (float)i, 0.0f } ), "velocity" );
        pose.position = ( joVec3 ){ 2.0f, 1.0f, 0.3f };
        const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 0.5f } };
        const joBodyId body = add3( world, ball, &pose, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, true );
        stepOnce( world );
        joTransform3 turned;
        kitRequire( joWorld_GetPose3( world, arm, &turned ), "joWorld_GetPose3" );
        kitRequire( joWorld_GetPose3( world, body, &pose ), "joWorld_GetPose3" );
        const joVec3 place = joInverseTransformPoint3( turned, pose.position );
        assert_true( place.y > 0.51f && place.x > 0.0f );
        joDestroyWorld( world );
    }
}

static void bladesTurnOverNothing( void** state )
{
    (void)state;
    uint64_t random = 29;
    uint32_t turned = 0, stopped = 0;
    for ( uint32_t scene = 0; scene < SCENES; ++scene )
    {
        joWorld* world = makeWorld3( 0.0f );
        const joShape3 blade = { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 0.3f, 0.01f ) };
        const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 0.02f } };
        const joVec3 angular = { between( &random, -2.0f, 2.0f ), between( &random, -2.0f, 2.0f ),
            between( &random, -2.0f, 2.0f ) };
        const joTransform3 start = {
            { 0.0f, 0.0f, 0.0f }, joMakeQuat( ( joVec3 ){ between( &random, -1.0f, 1.0f ), 1.0f, 0.0f },
                                      between( &random, -3.0f, 3.0f ) ) };
        const joBodyId body = add3( world, blade, &start, angular, true );
        double least = INFINITY;
        for ( uint32_t i = 0; i < 3 * POSTS; ++i )
        {
            const joTransform3 at = { { between( &random, -1.2f, 1.2f ), between( &random, -1.2f, 1.2f ),
                                          between( &random, -1.2f, 1.2f ) },
                { 0.0f, 0.0f, 0.0f, 1.0f } };
            joClosestPoints3 closest;
            kitRequire( joDistance3( &blade, &start, &ball, &at, NULL, &closest ), "joDistance3" );
            if ( closest.distance < 0.01f )
            {
                continue;
            }
            add3( world, ball, &at, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, false );
            for ( uint32_t k = 0; k <= PARTS / 4; ++k )
            {
                joTransform3 pose = start;
                pose.rotation =
                    joNormalizeQuat( joMultiplyQuats( turnBy( angular, 4.0 * k / PARTS ), start.rotation ) );
                kitRequire( joDistance3( &blade, &pose, &ball, &at, NULL, &closest ), "joDistance3" );
                least = fmin( least, (double)closest.distance );
            }
        }
        stepOnce( world );
        const bool hasTurned = hasTurned3( world, body, start.rotation );
        assert_true( hasTurned ? least > 0.0 : least < 0.02 );
        turned += hasTurned;
        stopped += !hasTurned;
        joDestroyWorld( world );
    }
    assert_true( turned > SCENES / 10 && stopped > SCENES / 6 );
}

// Whoever walks turns on the ground, and beside a wall if it is round.
static void walkersTurnWhereTheyStand( void** state )
{
    (void)state;
    for ( uint32_t sort = 0; sort < 4; ++sort )
    {
        joWorld* world = makeWorld3( 10.0f );
        const joTransform3 floor = { { 0.0f, -0.5f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const float half = sort == 1 ? 0.5f : 0.3f;
        // Where the last one stands there is none.
        const joTransform3 wall = {
            { half + ( sort < 3 ? 0.51f : 3.0f ), 2.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joTransform3 start = { { 0.0f, 0.505f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joVec3 still = { 0.0f, 0.0f, 0.0f };
        const joShape3 shapes[3] = {
            { .kind = jo_capsuleShape3, .capsule = { { 0.0f, -0.2f, 0.0f }, { 0.0f, 0.2f, 0.0f }, 0.3f } },
            { .kind = jo_sphereShape3, .sphere = { .radius = 0.5f } },
            { .kind = jo_boxShape3, .box = joMakeBox3( 0.3f, 0.5f, 0.3f ) } };
        add3( world, ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 9.0f, 0.5f, 9.0f ) }, &floor,
            still, false );
        add3( world, ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 0.5f, 2.0f, 9.0f ) }, &wall,
            still, false );
        const joBodyId body =
            add3( world, shapes[sort < 3 ? sort : 2], &start, ( joVec3 ){ 0.0f, 100.0f, 0.0f }, true );
        for ( uint32_t step = 0; step < 30; ++step )
        {
            kitStep( world );
        }
        joBodyDef3 def;
        kitRequire( joWorld_GetBody3( world, body, &def ), "joWorld_GetBody3" );
        // The box would turn a corner into the wall.
        assert_true( def.angularVelocity.y == ( sort == 2 ? 0.0f : 100.0f ) );
        assert_true( hasTurned3( world, body, start.rotation ) == ( sort != 2 ) );
        assert_true( kitStateOf( world, body ).isGrounded );
        joDestroyWorld( world );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "bars turn over nothing", barsTurnOverNothing ),
        TEST( "bars do not turn over each other", barsDoNotTurnOverEachOther ),
        TEST( "what flies meets what has turned", whatFliesMeetsWhatHasTurned ),
        TEST( "arms push what they turn into", armsPushWhatTheyTurnInto ),
        TEST( "what an arm presses is told", armsAreToldOfWhatTheyPress ),
        TEST( "arms are met outside of their bounds", armsAreMetOutsideOfTheirBounds ),
        TEST( "arms push what is cut short", armsPushWhatIsCutShort ),
        TEST( "arms push balls", armsPushBalls ),
        TEST( "blades turn over nothing", bladesTurnOverNothing ),
        TEST( "walkers turn where they stand", walkersTurnWhereTheyStand ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
