// SPDX-License-Identifier: MIT
// Events of the world against plain sets: random operations under every structure and number of threads; and
// the faults of shared/cases.md, 22 to 27, by name.
#include "support/world_kit.h"
#include "support/world_rig.h"
#include "test_support.h"

static uint64_t s_seed;

// Returns the hash of its events; *refusedCount gets how often memory was refused.
static uint64_t runSession(
    const joWorldDef* def, uint64_t seed, uint64_t operations, uint64_t* refusedCount )
{
    const bool failsAtTimes = refusedCount != NULL;
    worldRig* rig = malloc( sizeof( worldRig ) );
    worldRigInit( rig, def, seed );
    rig->failsAtTimes = failsAtTimes;
    for ( uint64_t i = 0; i < operations; ++i )
    {
        worldRigOperate( rig );
    }
    worldRigStep( rig );
    assert_true( joWorld_Validate( rig->world ) );
    // A long one has seen everything.
    assert_true( operations < 2000 || rig->eventCount > operations / 8 );
    assert_true( operations < 2000 || rig->sleeperCount > operations / 100 );
    assert_true( operations < 2000 || rig->loadCount > operations / 100 );
    if ( failsAtTimes )
    {
        *refusedCount += rig->refusedCount;
    }
    const uint64_t hash = rig->hash;
    worldRigFree( rig );
    free( rig );
    return hash;
}

static void randomOperationsGiveTheEventsOfPlainSets( void** state )
{
    (void)state;
    const uint64_t operations = kitEnvironment( "JOSTLE_WORLD_OPERATIONS", kitQuick() ? 5000 : 60000 );
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        joWorldDef def = worldRigDef( dimension );
        runSession( &def, s_seed + (uint64_t)dimension, operations, NULL );
        def.leaveMargin = def.contactMargin = 0.0f;
        def.worldNumber = 255;
        runSession( &def, s_seed + 10 + (uint64_t)dimension, operations, NULL );
    }
}

static void operationsThatRunOutOfMemoryLeaveNoTrace( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        const joWorldDef def = worldRigDef( dimension );
        uint64_t refusedCount = 0;
        // Short ones, since a world that has grown asks for nothing any more.
        for ( uint64_t i = 0; i < ( kitQuick() ? 30u : 150u ); ++i )
        {
            runSession( &def, s_seed + 100 * i + (uint64_t)dimension, 120, &refusedCount );
        }
        assert_true( refusedCount > 100 );
    }
}

static void everyKindAndNumberOfThreadsGivesTheSameEvents( void** state )
{
    (void)state;
    const uint64_t operations = kitQuick() ? 500 : 2000;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        uint64_t expected = 0;
        for ( uint32_t i = 0; i < KIT_VARIANT_COUNT; ++i )
        {
            joWorldDef def = worldRigDef( dimension );
            def.broadPhase = kitDef( &kitVariants[i], dimension );
            def.jobs = kitJobs( 1 + i % 4 );
            const uint64_t hash = runSession( &def, s_seed + 7, operations, NULL );
            expected = i == 0 ? hash : expected;
            assert_int_equal( hash, expected );
        }
    }
}

// --- cases by name: a small world of discs ---

typedef struct Stage
{
    joWorld* world;
    joContactEvents contacts, triggers; // of the last step
} Stage;

static Stage openStage( void )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    Stage stage = { 0 };
    kitRequire( joCreateWorld( &def, &stage.world ), "joCreateWorld" );
    return stage;
}

// A disc of radius 1.
static joBodyId addDisc( Stage* stage, joBodyType type, float x, uint64_t userData, joColliderId* collider )
{
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.type = type;
    def.pose.position.x = x;
    def.userData = userData;
    colliderDef.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 1.0f } };
    kitRequire(
        joWorld_CreateBodies2( stage->world, &def, &colliderDef, &one, &body, collider, NULL ), "create" );
    return body;
}

static void step( Stage* stage )
{
    kitRequire( joWorld_Step( stage->world, 0.01f ), "joWorld_Step" );
    kitRequire( joWorld_GetContactEvents( stage->world, jo_perCollider, &stage->contacts ), "contacts" );
    kitRequire( joWorld_GetTriggerEvents( stage->world, jo_perCollider, &stage->triggers ), "triggers" );
}

static void assertCounts( const joContactEvents* events, uint64_t enters, uint64_t stays, uint64_t exits )
{
    assert_int_equal( events->enterCount, enters );
    assert_int_equal( events->stayCount, stays );
    assert_int_equal( events->exitCount, exits );
}

typedef struct Pair
{
    joBodyId a, b;
    joColliderId colliderA, colliderB;
} Pair;

// Two discs that touch and have entered; user data 11 and 22.
static Pair touchingPair( Stage* stage )
{
    Pair pair;
    pair.a = addDisc( stage, jo_dynamicBody, 0.0f, 11, &pair.colliderA );
    pair.b = addDisc( stage, jo_dynamicBody, 1.5f, 22, &pair.colliderB );
    step( stage );
    assertCounts( &stage->contacts, 1, 0, 0 );
    return pair;
}

static void changeTouching( Stage* stage, const Pair* pair, int way )
{
    const joTransform2 away = { { 100.0f, 0.0f }, { 1.0f, 0.0f } };
    const joColliderFilter other = { .layer = 3, .mask = 0 };
    joWorld* world = stage->world;
    const joResult results[] = { way == 0 ? joWorld_DestroyBody( world, pair->b ) : jo_success,
        way == 1 ? joWorld_DestroyCollider( world, pair->colliderB ) : jo_success,
        way == 2 ? joWorld_SetBodyEnabled( world, pair->b, false ) : jo_success,
        way == 3 ? joWorld_SetColliderEnabled( world, pair->colliderB, false ) : jo_success,
        way == 4 ? joWorld_SetColliderFilter( world, pair->colliderB, &other ) : jo_success,
        way == 5 ? joWorld_SetPose2( world, pair->b, &away ) : jo_success,
        way == 6 ? joWorld_SetIgnored( world, pair->a, pair->b, true ) : jo_success,
        way == 7 ? joWorld_SetBodyType( world, pair->a, jo_staticBody ) : jo_success,
        way == 7 ? joWorld_SetBodyType( world, pair->b, jo_staticBody ) : jo_success };
    for ( size_t i = 0; i < sizeof( results ) / sizeof( results[0] ); ++i )
    {
        kitRequire( results[i], "a change" );
    }
}

#define WAYS 8

static void case22WhateverEndsAContactItExitsOnceAndNamesBoth( void** state )
{
    (void)state;
    for ( int way = 0; way < WAYS; ++way )
    {
        Stage stage = openStage();
        const Pair pair = touchingPair( &stage );
        changeTouching( &stage, &pair, way );
        step( &stage );
        assertCounts( &stage.contacts, 0, 0, 1 );
        assert_int_equal( stage.contacts.exits[0].bodyA.bits, pair.a.bits );
        assert_int_equal( stage.contacts.exits[0].bodyB.bits, pair.b.bits );
        assert_int_equal( stage.contacts.exits[0].colliderB.bits, pair.colliderB.bits );
        assert_int_equal( stage.contacts.exits[0].userDataA, 11 );
        assert_int_equal( stage.contacts.exits[0].userDataB, 22 );
        step( &stage );
        assertCounts( &stage.contacts, 0, 0, 0 );
        joDestroyWorld( stage.world );
    }
}

static void case23ColliderThatGoesTheFrameAfterEnterExitsOnceAlsoAsATriggersGuest( void** state )
{
    (void)state;
    for ( int removesTrigger = 0; removesTrigger < 2; ++removesTrigger )
    {
        Stage stage = openStage();
        joColliderId zone, guest;
        addDisc( &stage, jo_staticBody, 0.0f, 1, &zone );
        addDisc( &stage, jo_dynamicBody, 0.5f, 2, &guest );
        kitRequire( joWorld_SetColliderTrigger( stage.world, zone, true ), "trigger" );
        step( &stage );
        assertCounts( &stage.triggers, 1, 0, 0 );
        assertCounts( &stage.contacts, 0, 0, 0 );
        kitRequire( joWorld_DestroyCollider( stage.world, removesTrigger ? zone : guest ), "destroy" );
        assert_int_equal(
            joWorld_DestroyCollider( stage.world, removesTrigger ? zone : guest ), jo_errorStaleId );
        step( &stage );
        assertCounts( &stage.triggers, 0, 0, 1 );
        step( &stage );
        assertCounts( &stage.triggers, 0, 0, 0 );
        joDestroyWorld( stage.world );
    }
}

static void case23TriggerThatIsOneNoLongerExitsThereAndEntersHere( void** state )
{
    (void)state;
    Stage stage = openStage();
    const Pair pair = touchingPair( &stage );
    for ( int i = 0; i < 4; ++i )
    {
        const bool isTrigger = i % 2 == 0;
        kitRequire( joWorld_SetColliderTrigger( stage.world, pair.colliderA, isTrigger ), "trigger" );
        step( &stage );
        assertCounts( &stage.triggers, isTrigger ? 1 : 0, 0, isTrigger ? 0 : 1 );
        assertCounts( &stage.contacts, isTrigger ? 0 : 1, 0, isTrigger ? 1 : 0 );
        step( &stage );
        assertCounts( &stage.triggers, 0, isTrigger ? 1 : 0, 0 );
        assertCounts( &stage.contacts, 0, isTrigger ? 0 : 1, 0 );
    }
    joDestroyWorld( stage.world );
}

// Awake at first, then asleep: never an exit, and always among what the body touches.
static void case24RestingOnAStillBodyGoesOnAndARemovedBodyIsGoneAfterOneStep( void** state )
{
    (void)state;
    Stage stage = openStage();
    const joBodyId ground = addDisc( &stage, jo_staticBody, 0.0f, 1, NULL );
    const joBodyId body = addDisc( &stage, jo_dynamicBody, 2.0f, 2, NULL );
    step( &stage );
    assertCounts( &stage.contacts, 1, 0, 0 );
    for ( int i = 0; i < 100; ++i )
    {
        const bool isAsleep = joWorld_GetStats( stage.world ).sleepingBodyCount == 1;
        assert_true( isAsleep ? i > 40 : i < 60 );
        step( &stage );
        assertCounts( &stage.contacts, 0, isAsleep ? 0 : 1, 0 );
        uint64_t count = 0;
        kitRequire( joWorld_GetContacts( stage.world, body, NULL, 0, &count ), "joWorld_GetContacts" );
        assert_int_equal( count, 1 );
    }
    kitRequire( joWorld_DestroyBody( stage.world, ground ), "destroy" );
    step( &stage );
    assertCounts( &stage.contacts, 0, 0, 1 );
    step( &stage );
    assertCounts( &stage.contacts, 0, 0, 0 );
    joDestroyWorld( stage.world );
}

static void case24WhatTremblesWithinTheMarginStays( void** state )
{
    (void)state;
    Stage stage = openStage();
    addDisc( &stage, jo_staticBody, 0.0f, 1, NULL );
    const joBodyId body = addDisc( &stage, jo_dynamicBody, 2.0f, 2, NULL );
    step( &stage );
    assertCounts( &stage.contacts, 1, 0, 0 );
    const float gaps[] = { 0.004f, -0.001f, 0.003f, 0.0f };
    for ( size_t i = 0; i < 4; ++i )
    {
        const joTransform2 pose = { { 2.0f + gaps[i], 0.0f }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( stage.world, body, &pose ), "pose" );
        step( &stage );
        assertCounts( &stage.contacts, 0, 1, 0 );
    }
    // Past the margin it leaves; to enter again it must touch.
    const float ways[] = { 0.006f, 0.004f, 0.0f };
    for ( size_t i = 0; i < 3; ++i )
    {
        const joTransform2 pose = { { 2.0f + ways[i], 0.0f }, { 1.0f, 0.0f } };
        kitRequire( joWorld_SetPose2( stage.world, body, &pose ), "pose" );
        step( &stage );
        assertCounts( &stage.contacts, i == 2, 0, i == 0 );
    }
    joDestroyWorld( stage.world );
}

static void case25BodyOfSeveralShapesEntersOncePerBody( void** state )
{
    (void)state;
    Stage stage = openStage();
    joColliderId first, second;
    const joBodyId body = addDisc( &stage, jo_dynamicBody, 0.0f, 1, &first );
    addDisc( &stage, jo_staticBody, 1.0f, 2, NULL );
    joColliderDef2 def = joDefaultColliderDef2();
    def.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.5f }, 1.0f } };
    kitRequire( joWorld_CreateCollider2( stage.world, body, &def, &second ), "collider" );
    joContactEvents perBody;
    step( &stage );
    assertCounts( &stage.contacts, 2, 0, 0 );
    kitRequire( joWorld_GetContactEvents( stage.world, jo_perBody, &perBody ), "events" );
    assertCounts( &perBody, 1, 0, 0 );
    // One shape less is an exit of shapes, not of bodies.
    kitRequire( joWorld_DestroyCollider( stage.world, first ), "destroy" );
    step( &stage );
    assertCounts( &stage.contacts, 0, 1, 1 );
    kitRequire( joWorld_GetContactEvents( stage.world, jo_perBody, &perBody ), "events" );
    assertCounts( &perBody, 0, 1, 0 );
    kitRequire( joWorld_DestroyCollider( stage.world, second ), "destroy" );
    step( &stage );
    kitRequire( joWorld_GetContactEvents( stage.world, jo_perBody, &perBody ), "events" );
    assertCounts( &perBody, 0, 0, 1 );
    joDestroyWorld( stage.world );
}

static void case26EventsAreThoseOfTheStepThatMakesThemTouch( void** state )
{
    (void)state;
    Stage stage = openStage();
    addDisc( &stage, jo_staticBody, 0.0f, 1, NULL );
    const joBodyId body = addDisc( &stage, jo_dynamicBody, 2.4f, 2, NULL );
    kitRequire( joWorld_SetVelocity2( stage.world, body, ( joVec2 ){ -30.0f, 0.0f } ), "velocity" );
    step( &stage ); // 2.1
    assertCounts( &stage.contacts, 0, 0, 0 );
    step( &stage ); // 1.8
    assertCounts( &stage.contacts, 1, 0, 0 );
    assert_true( stage.contacts.enters[0].depth > 0.19f && stage.contacts.enters[0].depth < 0.21f );
    kitRequire( joWorld_SetVelocity2( stage.world, body, ( joVec2 ){ 30.0f, 0.0f } ), "velocity" );
    step( &stage ); // 2.1
    assertCounts( &stage.contacts, 0, 0, 1 );
    // A teleport counts at once.
    const joTransform2 onto = { { 0.5f, 0.0f }, { 1.0f, 0.0f } };
    kitRequire( joWorld_SetPose2( stage.world, body, &onto ), "pose" );
    step( &stage );
    assertCounts( &stage.contacts, 1, 0, 0 );
    joDestroyWorld( stage.world );
}

static void case27ReusedIndexIsAnotherBody( void** state )
{
    (void)state;
    Stage stage = openStage();
    const Pair pair = touchingPair( &stage );
    kitRequire( joWorld_DestroyBody( stage.world, pair.b ), "destroy" );
    joColliderId collider;
    const joBodyId heir = addDisc( &stage, jo_dynamicBody, 1.5f, 33, &collider );
    assert_int_equal( heir.bits & 0xFFFFFF, pair.b.bits & 0xFFFFFF );
    assert_true( heir.bits != pair.b.bits );
    for ( int granularity = 0; granularity < 2; ++granularity )
    {
        joContactEvents events;
        if ( granularity == 0 )
        {
            step( &stage );
        }
        kitRequire( joWorld_GetContactEvents( stage.world, (joGranularity)granularity, &events ), "events" );
        assertCounts( &events, 1, 0, 1 );
        assert_int_equal( events.exits[0].bodyB.bits, pair.b.bits );
        assert_int_equal( events.exits[0].userDataB, 22 );
        assert_int_equal( events.exits[0].colliderB.bits, pair.colliderB.bits );
        assert_int_equal( events.enters[0].bodyB.bits, heir.bits );
        assert_int_equal( events.enters[0].userDataB, 33 );
        assert_int_equal( events.enters[0].colliderB.bits, collider.bits );
    }
    joDestroyWorld( stage.world );
}

static void whatHappensAndIsUndoneBetweenTwoStepsMakesNoEvent( void** state )
{
    (void)state;
    Stage stage = openStage();
    const Pair pair = touchingPair( &stage );
    const joTransform2 away = { { 100.0f, 0.0f }, { 1.0f, 0.0f } }, back = { { 1.5f, 0.0f }, { 1.0f, 0.0f } };
    kitRequire( joWorld_SetPose2( stage.world, pair.b, &away ), "pose" );
    kitRequire( joWorld_SetPose2( stage.world, pair.b, &back ), "pose" );
    kitRequire( joWorld_SetBodyEnabled( stage.world, pair.a, false ), "off" );
    kitRequire( joWorld_SetBodyEnabled( stage.world, pair.a, true ), "on" );
    step( &stage );
    assertCounts( &stage.contacts, 0, 1, 0 );
    joDestroyWorld( stage.world );
}

// The table of docs/world.md: rows and columns are types, and every kind of trigger.
static void tableOfWhoReportsWhatHolds( void** state )
{
    (void)state;
    for ( int cell = 0; cell < 3 * 3 * 4; ++cell )
    {
        const joBodyType a = (joBodyType)( cell % 3 ), b = (joBodyType)( cell / 3 % 3 );
        const bool isTriggerA = cell / 9 % 2 != 0, isTriggerB = cell / 18 != 0;
        Stage stage = openStage();
        joColliderId colliderA, colliderB;
        addDisc( &stage, a, 0.0f, 1, &colliderA );
        addDisc( &stage, b, 0.5f, 2, &colliderB );
        kitRequire( joWorld_SetColliderTrigger( stage.world, colliderA, isTriggerA ), "trigger" );
        kitRequire( joWorld_SetColliderTrigger( stage.world, colliderB, isTriggerB ), "trigger" );
        step( &stage );
        const bool meets = a != jo_staticBody || b != jo_staticBody;
        const bool isTrigger = isTriggerA || isTriggerB;
        assertCounts( &stage.contacts, meets && !isTrigger, 0, 0 );
        assertCounts( &stage.triggers, meets && isTrigger, 0, 0 );
        joDestroyWorld( stage.world );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "random operations give the events of plain sets", randomOperationsGiveTheEventsOfPlainSets ),
        TEST( "operations that run out of memory leave no trace", operationsThatRunOutOfMemoryLeaveNoTrace ),
        TEST( "every kind and number of threads gives the same events",
            everyKindAndNumberOfThreadsGivesTheSameEvents ),
        TEST( "case 22: whatever ends a contact, it exits once and names both",
            case22WhateverEndsAContactItExitsOnceAndNamesBoth ),
        TEST( "case 23: a collider that goes the frame after its enter exits once, also as a trigger's guest",
            case23ColliderThatGoesTheFrameAfterEnterExitsOnceAlsoAsATriggersGuest ),
        TEST( "case 23: a trigger that is one no longer exits there and enters here",
            case23TriggerThatIsOneNoLongerExitsThereAndEntersHere ),
        TEST( "case 24: resting on a still body goes on, and a removed body is gone after one step",
            case24RestingOnAStillBodyGoesOnAndARemovedBodyIsGoneAfterOneStep ),
        TEST( "case 24: what trembles within the margin stays", case24WhatTremblesWithinTheMarginStays ),
        TEST( "case 25: a body of several shapes enters once per body",
            case25BodyOfSeveralShapesEntersOncePerBody ),
        TEST( "case 26: events are those of the step that makes them touch",
            case26EventsAreThoseOfTheStepThatMakesThemTouch ),
        TEST( "case 27: a reused index is another body", case27ReusedIndexIsAnotherBody ),
        TEST( "what happens and is undone between two steps makes no event",
            whatHappensAndIsUndoneBetweenTwoStepsMakesNoEvent ),
        TEST( "the table of who reports what holds", tableOfWhoReportsWhatHolds ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
