// SPDX-License-Identifier: MIT
// Sliding bodies in steps that fail, within a fixed capacity, and in snapshots.
#include "support/slide_kit.h"
#include "test_support.h"

#define SLIDERS 12

typedef struct Scene
{
    joWorld* world;
    joBodyId platform, tile;
    joBodyId bodies[SLIDERS];
} Scene;

// Bodies that fall on a floor, on each other, and on a platform that moves.
static void makeScene( Scene* scene, const joWorldDef* base )
{
    joWorldDef def = *base;
    def.dimension = 2;
    def.gravity[1] = -10.0f;
    kitRequire( joCreateWorld( &def, &scene->world ), "joCreateWorld" );
    kitAddStatic( scene->world, kitBox( 20.0f, 0.5f ), 0.0f, -0.5f );
    scene->tile = kitAddStatic( scene->world, kitBox( 1.0f, 0.1f ), -4.0f, 2.0f );
    scene->platform =
        kitAddBody( scene->world, jo_kinematicBody, jo_detect, kitBox( 2.0f, 0.25f ), 4.0f, 1.0f );
    const float up[3] = { 0.0f, 1.0f, 0.0f };
    kitRequire( joWorld_SetColliderOneWay( scene->world, kitColliderOf( scene->world, scene->tile ), up ),
        "one-way" );
    for ( int i = 0; i < SLIDERS; ++i )
    {
        const joShape2 shape = i % 2 == 0 ? kitBox( 0.2f, 0.4f ) : kitCircle( 0.3f );
        scene->bodies[i] =
            kitAddSlider( scene->world, shape, (float)i - 5.5f, 2.0f + 0.1f * (float)( i % 3 ) );
        const joVec2 velocity = { (float)( i % 5 ) - 2.0f, 0.0f };
        kitRequire( joWorld_SetVelocity2( scene->world, scene->bodies[i], velocity ), "velocity" );
    }
    const joVec2 velocity = { 1.0f, 2.0f };
    kitRequire( joWorld_SetVelocity2( scene->world, scene->platform, velocity ), "velocity" );
}

static uint64_t hashScene( const Scene* scene )
{
    uint64_t hash = 0;
    for ( int i = 0; i < SLIDERS; ++i )
    {
        const joTransform2 pose = kitPoseOf( scene->world, scene->bodies[i] );
        const joVec2 velocity = kitVelocityOf( scene->world, scene->bodies[i] );
        const joSlideState slide = kitStateOf( scene->world, scene->bodies[i] );
        const uint64_t numbers[4] = { slide.sides, slide.hitCount, slide.isGrounded, slide.groundBody.bits };
        hash = hashBytes( hash, &pose, sizeof( pose ) );
        hash = hashBytes( hash, &velocity, sizeof( velocity ) );
        hash = hashBytes( hash, numbers, sizeof( numbers ) );
        hash = hashBytes( hash, slide.groundNormal, sizeof( slide.groundNormal ) );
        hash = hashBytes( hash, slide.groundVelocity, sizeof( slide.groundVelocity ) );
    }
    return hash;
}

static void stepsThatFailLeaveNoTrace( void** state )
{
    (void)state;
    Scene whole;
    const joWorldDef base = joDefaultWorldDef();
    makeScene( &whole, &base );
    kitStep( whole.world );
    uint32_t failures = 0;
    for ( uint64_t n = 0;; ++n )
    {
        TestAllocator memory = makeTestAllocator();
        joWorldDef def = base;
        Scene scene;
        def.allocator = toAllocator( &memory );
        makeScene( &scene, &def );
        const uint64_t before = hashScene( &scene );
        memory.failAt = memory.calls + n;
        const joResult result = joWorld_Step( scene.world, KIT_DT );
        if ( result == jo_success )
        {
            joDestroyWorld( scene.world );
            assertAllReturned( &memory );
            break;
        }
        failures += 1;
        assert_int_equal( result, jo_errorOutOfMemory );
        assert_int_equal( hashScene( &scene ), before );
        assert_true( joWorld_Validate( scene.world ) );
        memory.failAt = UINT64_MAX;
        kitStep( scene.world );
        assert_int_equal( hashScene( &scene ), hashScene( &whole ) );
        joDestroyWorld( scene.world );
        assertAllReturned( &memory );
    }
    assert_true( failures > 10 );
    joDestroyWorld( whole.world );
}

static void fixedCapacityNeedsNoMore( void** state )
{
    (void)state;
    TestAllocator memory = makeTestAllocator();
    joWorldDef def = joDefaultWorldDef();
    Scene scene, free;
    makeScene( &free, &def );
    def.allocator = toAllocator( &memory );
    def.bodyReserve = def.colliderReserve = 32;
    def.pairReserve = 200;
    def.contactReserve = 64;
    def.slideReserve = SLIDERS;
    def.fixedCapacity = true;
    makeScene( &scene, &def );
    kitStep( scene.world );
    kitStep( free.world );
    const uint64_t calls = memory.calls;
    for ( int step = 0; step < 100; ++step )
    {
        kitStep( scene.world );
        kitStep( free.world );
    }
    assert_int_equal( memory.calls, calls );
    assert_int_equal( hashScene( &scene ), hashScene( &free ) );
    // One more than there is room for.
    joSetAssertFcn( kitGoOn );
    assert_int_equal(
        joWorld_SetBodyResponse( scene.world, scene.platform, jo_slide, 1.0f ), jo_errorCapacity );
    joSetAssertFcn( NULL );
    assert_true( joWorld_Validate( scene.world ) );
    joDestroyWorld( scene.world );
    joDestroyWorld( free.world );
}

static void snapshotsHoldWhatSlides( void** state )
{
    (void)state;
    Scene scene;
    const joWorldDef base = joDefaultWorldDef();
    makeScene( &scene, &base );
    joShape2 shapes[5] = { kitBox( 20.0f, 0.5f ), kitBox( 1.0f, 0.1f ), kitBox( 2.0f, 0.25f ),
        kitBox( 0.2f, 0.4f ), kitBox( 7.0f, 7.0f ) };
    const joShapeTable table = { .shape = { shapes, sizeof( joShape2 ) }, .count = 5 };
    joSlideDef def = joDefaultSlideDef();
    def.stepHeight = 0.25f;
    kitRequire( joWorld_SetSlide( scene.world, scene.bodies[3], &def ), "joWorld_SetSlide" );
    for ( int round = 0; round < 10; ++round )
    {
        for ( int step = 0; step < 7; ++step )
        {
            kitStep( scene.world );
        }
        static uint64_t bytes[8192], again[8192];
        uint64_t size = 0, sizeAgain = 0;
        kitRequire(
            joWorld_Save( scene.world, &table, bytes, sizeof( bytes ), &size, NULL ), "joWorld_Save" );
        const uint64_t before = hashScene( &scene );
        kitStep( scene.world );
        kitStep( scene.world );
        const uint64_t after = hashScene( &scene );
        // One slides no more, and another one is gone meanwhile.
        kitRequire(
            joWorld_SetBodyResponse( scene.world, scene.bodies[round], jo_detect, 1.0f ), "response" );
        kitRequire( joWorld_DestroyBody( scene.world, scene.bodies[11 - round] ), "destroy" );
        kitStep( scene.world );
        kitRequire( joWorld_Load( scene.world, &table, bytes, size ), "joWorld_Load" );
        assert_true( joWorld_Validate( scene.world ) );
        assert_int_equal( hashScene( &scene ), before );
        kitRequire(
            joWorld_Save( scene.world, &table, again, sizeof( again ), &sizeAgain, NULL ), "joWorld_Save" );
        assert_int_equal( sizeAgain, size );
        assert_memory_equal( again, bytes, size );
        kitStep( scene.world );
        kitStep( scene.world );
        assert_int_equal( hashScene( &scene ), after );
        kitRequire( joWorld_GetSlide( scene.world, scene.bodies[3], &def ), "joWorld_GetSlide" );
        assert_true( def.stepHeight == 0.25f );
    }
    joDestroyWorld( scene.world );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "steps that fail leave no trace", stepsThatFailLeaveNoTrace ),
        TEST( "a fixed capacity needs no more", fixedCapacityNeedsNoMore ),
        TEST( "snapshots hold what slides", snapshotsHoldWhatSlides ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
