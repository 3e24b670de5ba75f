// SPDX-License-Identifier: MIT
// The world's memory: allocations that fail, fixed capacity, steps that allocate nothing; profile and stats.
#include "support/world_kit.h"
#include "test_support.h"

static void createUnderFailingAllocationLeaksNothing( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        joResult result = jo_errorOutOfMemory;
        for ( uint64_t k = 1; result != jo_success; ++k )
        {
            kitHeap heap = { .failAt = k };
            joWorldDef def = joDefaultWorldDef();
            def.dimension = dimension;
            def.bodyReserve = def.colliderReserve = def.pairReserve = def.contactReserve = 100;
            def.ignoredReserve = 10;
            def.allocator = kitAllocator( &heap );
            joWorld* world = NULL;
            result = joCreateWorld( &def, &world );
            assert_true( result == jo_success ? k > 30 : result == jo_errorOutOfMemory && world == NULL );
            joDestroyWorld( world );
            assert_int_equal( heap.liveBlocks, 0 );
        }
    }
}

static void createThatFailsLeavesNoTraceInLaterIds( void** state )
{
    (void)state;
    for ( uint64_t k = 1; k < 40; ++k )
    {
        kitHeap heap = { 0 };
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.allocator = kitAllocator( &heap );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        const joBodyId first = kitAddDisc( world, 0.0f, NULL ), second = kitAddDisc( world, 9.0f, NULL );
        kitRequire( joWorld_DestroyBody( world, first ), "destroy" );
        const joBodyDef2 bodyDef = joDefaultBodyDef2();
        const joColliderDef2 colliderDef = kitDisc( 1.0f );
        const joBodyColumns many = { .count = 100 };
        heap.failAt = heap.allocations + k;
        const joResult result =
            joWorld_CreateBodies2( world, &bodyDef, &colliderDef, &many, NULL, NULL, NULL );
        heap.failAt = 0;
        assert_true( joWorld_Validate( world ) );
        if ( result != jo_success )
        {
            assert_int_equal( result, jo_errorOutOfMemory );
            const joBodyId next = kitAddDisc( world, 0.0f, NULL );
            assert_int_equal( next.bits, first.bits + ( UINT64_C( 1 ) << 32 ) );
            assert_int_equal( kitAddDisc( world, 0.0f, NULL ).bits, second.bits + 1 );
        }
        joDestroyWorld( world );
    }
}

static void fixedCapacityRefusesAStepThatNeedsMoreAndTheWorldIsAsBefore( void** state )
{
    (void)state;
    for ( uint32_t kind = 0; kind < KIT_VARIANT_COUNT; ++kind )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.broadPhase = kitDef( &kitVariants[kind], 2 );
        def.bodyReserve = def.colliderReserve = 8;
        def.pairReserve = 20;
        def.contactReserve = 3;
        def.fixedCapacity = true;
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joBodyId bodies[8];
        for ( int i = 0; i < 8; ++i )
        {
            bodies[i] = kitAddDisc( world, 10.0f * (float)i, NULL );
        }
        const joBodyDef2 bodyDef = joDefaultBodyDef2();
        joBodyId ninth;
        assert_int_equal( joWorld_CreateBody2( world, &bodyDef, &ninth ), jo_errorCapacity );
        // Three on one spot make three contacts, four make six.
        const joTransform2 pose = { { 0.25f, 0.0f }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( world, bodies[1], &pose ), "pose" );
        kitRequire( joWorld_SetPose2( world, bodies[2], &pose ), "pose" );
        kitRequire( joWorld_Step( world, 0.1f ), "joWorld_Step" );
        kitRequire( joWorld_SetPose2( world, bodies[3], &pose ), "pose" );
        kitRequire( joWorld_SetVelocity2( world, bodies[7], ( joVec2 ){ 50.0f, 0.0f } ), "velocity" );
        joContactEvents events;
        for ( int i = 0; i < 2; ++i )
        {
            assert_int_equal( joWorld_Step( world, 0.1f ), jo_errorCapacity );
            assert_true( joWorld_Validate( world ) );
            assert_true( kitPoseOf( world, bodies[7] ).position.x == 70.0f );
            // Queries find it there, too.
            const joRay ray = { .origin = { 70.0f, -9.0f }, .direction = { 0.0f, 1.0f }, .length = 20.0f };
            bool isHit = false;
            kitRequire(
                joBroadPhase_CastRayAny( joWorld_GetBroadPhase( world ), &ray, NULL, &isHit ), "ray" );
            assert_true( isHit );
            kitRequire( joWorld_GetContactEvents( world, jo_perCollider, &events ), "events" );
            assert_int_equal( events.enterCount, 3 );
        }
        const joTransform2 away = { { 30.0f, 0.0f }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( world, bodies[3], &away ), "pose" );
        kitRequire( joWorld_Step( world, 0.1f ), "joWorld_Step" );
        kitRequire( joWorld_GetContactEvents( world, jo_perCollider, &events ), "events" );
        assert_int_equal( events.stayCount, 3 );
        joDestroyWorld( world );
    }
}

// A row of discs, of which each touches the next: awake, asleep, and awake again.
static void reservesOfAnySizeAreRoomForAsMuch( void** state )
{
    (void)state;
    for ( uint32_t contacts = 1; contacts < 24; ++contacts )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.bodyReserve = def.colliderReserve = contacts + 1;
        def.pairReserve = def.contactReserve = contacts;
        def.fixedCapacity = true;
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joBodyId bodies[24];
        for ( uint32_t i = 0; i <= contacts; ++i )
        {
            bodies[i] = kitAddDisc( world, 1.75f * (float)i, NULL );
        }
        for ( int step = 0; step < 4; ++step )
        {
            kitRequire( joWorld_Step( world, 0.3f ), "joWorld_Step" );
            assert_int_equal( joWorld_GetStats( world ).contactCount, contacts );
            const bool sleeps = step % 2 != 0;
            assert_int_equal( joWorld_GetStats( world ).awakeBodyCount, sleeps ? 0 : contacts + 1 );
            for ( uint32_t i = contacts + 1; i > 0 && sleeps; --i )
            {
                kitRequire( joWorld_SetBodyAwake( world, bodies[i - 1], true ), "awake" );
            }
        }
        joDestroyWorld( world );
    }
}

static void steadyStepsAllocateNothing( void** state )
{
    (void)state;
    for ( uint32_t kind = 0; kind < KIT_VARIANT_COUNT; ++kind )
    {
        kitHeap heap = { 0 };
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.broadPhase = kitDef( &kitVariants[kind], 2 );
        def.allocator = kitAllocator( &heap );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joBodyId bodies[400];
        for ( int i = 0; i < 400; ++i )
        {
            bodies[i] = kitAddDisc( world, 1.5f * (float)( i % 20 ), NULL );
        }
        uint64_t allocations = 0, events = 0;
        for ( int step = 0; step < 120; ++step )
        {
            // Half of them swing through the others and back, over and over.
            allocations = step == 80 ? heap.allocations : allocations;
            for ( int i = 0; i < 400; i += 2 )
            {
                const joTransform2 pose = {
                    { 1.5f * (float)( i % 20 ) + 0.5f * (float)( step % 4 ), 1.5f * (float)( i / 20 ) },
                    { 1.0f, 0.0f } };
                kitRequire( joWorld_SetPose2( world, bodies[i], &pose ), "pose" );
            }
            kitRequire( joWorld_Step( world, 0.01f ), "joWorld_Step" );
            joContactEvents changes;
            kitRequire( joWorld_GetContactEvents( world, jo_perBody, &changes ), "events" );
            events += step >= 80 ? changes.enterCount + changes.exitCount : 0;
        }
        assert_int_equal( heap.allocations, allocations );
        assert_true( events > 1000 );
        joDestroyWorld( world );
    }
}

static void profileAndStatsTellOfTheLastStep( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    kitAddDisc( world, 0.0f, NULL );
    kitAddDisc( world, 1.0f, NULL );
    kitAddDisc( world, 50.0f, NULL );
    kitRequire( joWorld_Step( world, 0.1f ), "joWorld_Step" );
    const joWorldStats stats = joWorld_GetStats( world );
    assert_true( stats.bodyCount == 3 && stats.colliderCount == 3 && stats.awakeBodyCount == 3 );
    assert_true( stats.pairCount == 1 && stats.contactCount == 1 && stats.memoryBytes > 1000 );
    const joWorldProfile profile = joWorld_GetProfile( world );
    assert_true( profile.motion + profile.pairs + profile.contacts + profile.events > 0.0 );
    assert_true( joWorld_GetProfile( NULL ).motion == 0.0 && joWorld_GetStats( NULL ).bodyCount == 0 );
    joDestroyWorld( world );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "create under failing allocation leaks nothing", createUnderFailingAllocationLeaksNothing ),
        TEST( "a create that fails leaves no trace in later ids", createThatFailsLeavesNoTraceInLaterIds ),
        TEST( "fixed capacity refuses a step that needs more, and the world is as before",
            fixedCapacityRefusesAStepThatNeedsMoreAndTheWorldIsAsBefore ),
        TEST( "reserves of any size are room for as much", reservesOfAnySizeAreRoomForAsMuch ),
        TEST( "steady steps allocate nothing", steadyStepsAllocateNothing ),
        TEST( "profile and stats tell of the last step", profileAndStatsTellOfTheLastStep ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
