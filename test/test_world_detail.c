// SPDX-License-Identifier: MIT
// Levels of detail of a world's colliders.
#include "jostle/world_2d.h"
#include "jostle/world_3d.h"
#include "jostle/world_detail.h"
#include "jostle/world_query.h"
#include "jostle/world_slide.h"
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

#define COUNT 4

typedef struct Scene
{
    joWorld* world;
    joBodyId bodies[COUNT];
    joColliderId ids[COUNT];
    uint32_t levels[COUNT];
    joShape2 fine, coarse;
    joDetailedShape2 detailed;
    joDetailedColliders colliders;
} Scene;

// Discs of radius 1 at x = 0, 10, 20, 30 on the x axis; beyond 15 from the nearest point they have radius 3.
static void makeScene( Scene* scene )
{
    *scene = ( Scene ){ .world = kitMakeWorld( 2 ) };
    for ( uint32_t i = 0; i < COUNT; ++i )
    {
        scene->bodies[i] = kitAddDisc( scene->world, 10.0f * (float)i, &scene->ids[i] );
        scene->levels[i] = JO_NULL_INDEX;
    }
    scene->fine = ( joShape2 ){ .kind = jo_circleShape2, .circle = { .radius = 1.0f } };
    scene->coarse = ( joShape2 ){ .kind = jo_circleShape2, .circle = { .radius = 3.0f } };
    scene->detailed = ( joDetailedShape2 ){ joDefaultDetail(), { &scene->fine, &scene->coarse } };
    scene->detailed.detail.levelCount = 2;
    scene->detailed.detail.switchValues[0] = 15.0f;
    scene->colliders = ( joDetailedColliders ){ .collider = { scene->ids, sizeof( joColliderId ) },
        .shapes = { &scene->detailed, 0 },
        .level = { scene->levels, sizeof( uint32_t ) },
        .count = COUNT };
}

static float radiusOf( const Scene* scene, uint32_t i )
{
    joColliderDef2 def;
    kitRequire( joWorld_GetCollider2( scene->world, scene->ids[i], &def, NULL ), "joWorld_GetCollider2" );
    return def.shape.circle.radius;
}

static uint64_t pick( Scene* scene, const joVec2* points, uint32_t count )
{
    const joColumn column = { points, sizeof( joVec2 ) };
    uint64_t changes = 99;
    kitRequire( joWorld_PickDetails( scene->world, &scene->colliders, &column, count, &changes, NULL ),
        "joWorld_PickDetails" );
    assert_true( joWorld_Validate( scene->world ) );
    return changes;
}

static void theNearestPointSaysWhichShape( void** state )
{
    (void)state;
    Scene scene;
    makeScene( &scene );
    const joVec2 points[2] = { { 0.0f, 9.0f }, { 30.0f, -1.0f } };
    const float one[COUNT] = { 1.0f, 1.0f, 3.0f, 3.0f };
    assert_int_equal( pick( &scene, points, 1 ), 2 );
    for ( uint32_t i = 0; i < COUNT; ++i )
    {
        assert_true( radiusOf( &scene, i ) == one[i] && scene.levels[i] == ( one[i] > 1.0f ) );
    }
    // Queries know at once.
    joWorldHit hit;
    uint64_t count = 0;
    const float rim[2] = { 20.0f, 2.9f };
    kitRequire( joWorld_FindNearest( scene.world, rim, 0.1f, NULL, &hit, 1, &count ), "joWorld_FindNearest" );
    assert_true( count == 1 && hit.body.bits == scene.bodies[2].bits );
    assert_int_equal( pick( &scene, points, 1 ), 0 );
    assert_int_equal( pick( &scene, points, 2 ), 2 );
    for ( uint32_t i = 0; i < COUNT; ++i )
    {
        assert_true( radiusOf( &scene, i ) == 1.0f );
    }
    // Nobody looks.
    assert_int_equal( pick( &scene, NULL, 0 ), COUNT );
    assert_true( radiusOf( &scene, 0 ) == 3.0f );
    joDestroyWorld( scene.world );
}

// The second disc is 14 from the point and stays coarse: it was, and 14 is not better than 15 by a tenth.
static void whatComesBackStaysCoarseForAWhile( void** state )
{
    (void)state;
    Scene scene;
    makeScene( &scene );
    const joVec2 far = { -10.0f, 0.0f }, nearer = { -4.0f, 0.0f }, near = { -3.0f, 0.0f };
    pick( &scene, &far, 1 );
    assert_true( radiusOf( &scene, 1 ) == 3.0f );
    const uint64_t changes = pick( &scene, &nearer, 1 );
    assert_true( changes == 0 && radiusOf( &scene, 1 ) == 3.0f );
    assert_int_equal( pick( &scene, &near, 1 ), 1 );
    assert_true( radiusOf( &scene, 1 ) == 1.0f );
    joDestroyWorld( scene.world );
}

// Coarse discs are larger, and meet their neighbours in the next step, those that sleep too; who keeps its
// shape sleeps on.
static void contactsAreThoseOfTheNewShapes( void** state )
{
    (void)state;
    Scene scene;
    makeScene( &scene );
    for ( uint32_t i = 0; i < COUNT; ++i )
    {
        const joTransform2 pose = { { 5.0f * (float)i, 0.0f }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( scene.world, scene.bodies[i], &pose ), "pose" );
    }
    for ( int i = 0; i < 16; ++i )
    {
        kitRequire( joWorld_Step( scene.world, 0.0625f ), "joWorld_Step" );
    }
    assert_int_equal( joWorld_GetStats( scene.world ).sleepingBodyCount, COUNT );
    const joVec2 point = { 21.0f, 0.0f };
    assert_int_equal( pick( &scene, &point, 1 ), 2 ); // those at 0 and 5
    assert_int_equal( joWorld_GetStats( scene.world ).sleepingBodyCount, 2 );
    kitRequire( joWorld_Step( scene.world, 0.0625f ), "joWorld_Step" );
    joContactEvents events;
    kitRequire( joWorld_GetContactEvents( scene.world, jo_perBody, &events ), "events" );
    assert_int_equal( events.enterCount, 1 );
    assert_true( events.enters[0].bodyA.bits == scene.bodies[0].bits &&
                 events.enters[0].bodyB.bits == scene.bodies[1].bits );
    joDestroyWorld( scene.world );
}

static void aShapeEachInSpaceAndDisabledOnesToo( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 3 );
    joShape3 box = { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 1.0f, 1.0f ) };
    joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    joDetailedShape3 shapes[2] = { { joDefaultDetail(), { &box, &ball } }, { joDefaultDetail(), { &ball } } };
    shapes[0].detail.levelCount = 2;
    shapes[0].detail.switchValues[0] = 4.0f;
    joColliderDef3 def = joDefaultColliderDef3();
    joBodyDef3 bodyDef = joDefaultBodyDef3();
    bodyDef.isEnabled = false;
    def.shape = box;
    joBodyId body;
    joColliderId ids[2];
    kitRequire( joWorld_CreateBody3( world, &bodyDef, &body ), "body" );
    kitRequire( joWorld_CreateCollider3( world, body, &def, &ids[0] ), "collider" );
    kitRequire( joWorld_CreateCollider3( world, body, &def, &ids[1] ), "collider" );
    uint32_t levels[2] = { 0, 7 };
    const joDetailedColliders colliders = { { ids, sizeof( joColliderId ) },
        { shapes, sizeof( joDetailedShape3 ) }, { levels, sizeof( uint32_t ) }, 2 };
    const joVec3 point = { 3.0f, 0.0f, 3.0f };
    const joColumn points = { &point, 0 };
    uint64_t changes = 0;
    kitRequire( joWorld_PickDetails( world, &colliders, &points, 1, &changes, NULL ), "joWorld_PickDetails" );
    assert_true( changes == 2 && levels[0] == 1 && levels[1] == 0 );
    for ( int i = 0; i < 2; ++i )
    {
        kitRequire( joWorld_GetCollider3( world, ids[i], &def, NULL ), "joWorld_GetCollider3" );
        assert_int_equal( def.shape.kind, jo_sphereShape3 );
    }
    kitRequire( joWorld_SetBodyEnabled( world, body, true ), "enable" );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

static void badCallsChangeNothing( void** state )
{
    (void)state;
    Scene scene;
    makeScene( &scene );
    const joDetailedColliders good = scene.colliders;
    const joVec2 bad[3] = { { 100.0f, 0.0f }, { INFINITY, 0.0f }, { 0.0f, NAN } };
    const joColumn points = { bad, sizeof( joVec2 ) };
    const joColumn second = { bad + 2, sizeof( joVec2 ) };
    joColliderId stale[COUNT] = { scene.ids[0], scene.ids[1], { 12345678901 }, scene.ids[3] };
    joColliderId twice[COUNT] = { scene.ids[0], scene.ids[1], scene.ids[2], scene.ids[1] };
    joDetailedShape2 byImportance = scene.detailed, empty = scene.detailed;
    byImportance.detail.measure = jo_detailByImportance;
    empty.shapes[1] = NULL;
    joDetailedColliders columns[4] = { good, good, good, good };
    columns[0].collider.data = stale;
    columns[1].collider.data = twice;
    columns[2].shapes.data = &byImportance;
    columns[3].shapes.data = &empty;
    const joResult results[4] = {
        jo_errorStaleId, jo_errorDuplicateKey, jo_errorBadDef, jo_errorNullArgument };
    const uint32_t indices[4] = { 2, 3, 0, 0 };
    uint32_t index = 0;
    for ( int i = 0; i < 4; ++i )
    {
        assert_int_equal(
            joWorld_PickDetails( scene.world, &columns[i], &points, 1, NULL, &index ), results[i] );
        assert_int_equal( index, indices[i] );
    }
    assert_int_equal( joWorld_PickDetails( scene.world, &good, &points, 2, NULL, &index ), jo_errorBadPose );
    assert_int_equal( index, 1 );
    assert_int_equal(
        joWorld_PickDetails( scene.world, &good, &second, 1, NULL, &index ), jo_errorNotANumber );
    assert_int_equal(
        joWorld_PickDetails( scene.world, NULL, &points, 1, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_PickDetails( scene.world, &good, NULL, 1, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_PickDetails( NULL, &good, &points, 1, NULL, NULL ), jo_errorNullArgument );
    // A segment is no shape that slides.
    scene.coarse = ( joShape2 ){ .kind = jo_segmentShape2, .segment = { { 0.0f, 0.0f }, { 1.0f, 0.0f } } };
    kitRequire( joWorld_SetBodyResponse( scene.world, scene.bodies[3], jo_slide, 1.0f ), "response" );
    assert_int_equal(
        joWorld_PickDetails( scene.world, &good, &points, 1, NULL, &index ), jo_errorCannotSlide );
    assert_int_equal( index, 3 );
    for ( uint32_t i = 0; i < COUNT; ++i )
    {
        assert_true( radiusOf( &scene, i ) == 1.0f && scene.levels[i] == JO_NULL_INDEX );
    }
    assert_true( joWorld_Validate( scene.world ) );
    joDestroyWorld( scene.world );
}

int main( void )
{
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "the nearest point says which shape", theNearestPointSaysWhichShape ),
        TEST( "what comes back stays coarse for a while", whatComesBackStaysCoarseForAWhile ),
        TEST( "contacts are those of the new shapes", contactsAreThoseOfTheNewShapes ),
        TEST( "a shape each, in space, and disabled ones too", aShapeEachInSpaceAndDisabledOnesToo ),
        TEST( "bad calls change nothing", badCallsChangeNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
