// SPDX-License-Identifier: MIT
// Sleep: who falls asleep, who wakes whom, and that what sleeps still reports its contacts and its exits
// truly.
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

#define DT 0.0625f

static joWorld* makeWorld( float sleepTime, float sleepSpeed, kitHeap* heap )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.sleepTime = sleepTime;
    def.sleepSpeed = sleepSpeed;
    if ( heap != NULL )
    {
        def.allocator = kitAllocator( heap );
    }
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

static joContactEvents step( joWorld* world )
{
    joContactEvents events;
    kitRequire( joWorld_Step( world, DT ), "joWorld_Step" );
    kitRequire( joWorld_GetContactEvents( world, jo_perCollider, &events ), "events" );
    assert_true( joWorld_Validate( world ) );
    return events;
}

static bool isAwake( const joWorld* world, joBodyId body )
{
    joBodyDef2 def;
    kitRequire( joWorld_GetBody2( world, body, &def ), "joWorld_GetBody2" );
    return def.isAwake;
}

static void moveTo( joWorld* world, joBodyId body, float x )
{
    const joTransform2 pose = { { x, 0.0f }, { 1.0f, 0.0f } };
    kitRequire( joWorld_SetPose2( world, body, &pose ), "joWorld_SetPose2" );
}

static void bodiesFallAsleepWhenTheyHaveBeenAtRestForLongEnough( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 4.0f * DT, 0.0f, NULL );
    const joBodyId rests = kitAddDisc( world, 0.0f, NULL ), moves = kitAddDisc( world, 10.0f, NULL );
    kitRequire( joWorld_SetVelocity2( world, moves, ( joVec2 ){ 0.001f, 0.0f } ), "velocity" );
    for ( int i = 1; i <= 10; ++i )
    {
        step( world );
        assert_int_equal( isAwake( world, rests ), i < 4 );
        assert_true( isAwake( world, moves ) );
    }
    assert_int_equal( joWorld_GetStats( world ).awakeBodyCount, 1 );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 1 );
    joDestroyWorld( world );
}

static void slowerThanTheSleepSpeedIsAtRestAndLosesItsVelocity( void** state )
{
    (void)state;
    joWorld* world = makeWorld( DT, 0.5f, NULL );
    const joBodyId slow = kitAddDisc( world, 0.0f, NULL ), fast = kitAddDisc( world, 10.0f, NULL );
    const joBodyId spins = kitAddDisc( world, 20.0f, NULL );
    kitRequire( joWorld_SetVelocity2( world, slow, ( joVec2 ){ 0.5f, -0.5f } ), "velocity" );
    kitRequire( joWorld_SetVelocity2( world, fast, ( joVec2 ){ 0.0f, -0.75f } ), "velocity" );
    kitRequire( joWorld_SetAngularVelocity2( world, spins, -0.75f ), "velocity" );
    step( world );
    assert_false( isAwake( world, slow ) );
    assert_true( isAwake( world, fast ) && isAwake( world, spins ) );
    joBodyDef2 def;
    kitRequire( joWorld_GetBody2( world, slow, &def ), "joWorld_GetBody2" );
    assert_true( def.velocity.x == 0.0f && def.velocity.y == 0.0f );
    joDestroyWorld( world );
}

static void infiniteSleepTimeNeverSleepsByItself( void** state )
{
    (void)state;
    joWorld* world = makeWorld( INFINITY, 0.0f, NULL );
    const joBodyId body = kitAddDisc( world, 0.0f, NULL );
    for ( int i = 0; i < 100; ++i )
    {
        step( world );
    }
    assert_true( isAwake( world, body ) );
    kitRequire( joWorld_SetBodyAwake( world, body, false ), "joWorld_SetBodyAwake" );
    step( world );
    assert_false( isAwake( world, body ) );
    joDestroyWorld( world );
}

// Two discs that touch and sleep.
typedef struct Sleepers
{
    joWorld* world;
    joBodyId a, b;
    joColliderId colliderA, colliderB;
} Sleepers;

static Sleepers makeSleepers( void )
{
    Sleepers sleepers = { .world = makeWorld( DT, 0.0f, NULL ) };
    sleepers.a = kitAddDisc( sleepers.world, 0.0f, &sleepers.colliderA );
    sleepers.b = kitAddDisc( sleepers.world, 1.5f, &sleepers.colliderB );
    assert_int_equal( step( sleepers.world ).enterCount, 1 );
    assert_int_equal( joWorld_GetStats( sleepers.world ).sleepingBodyCount, 2 );
    return sleepers;
}

static void twoThatSleepKeepTheirContactAndTellNothing( void** state )
{
    (void)state;
    Sleepers sleepers = makeSleepers();
    for ( int i = 0; i < 3; ++i )
    {
        const joContactEvents events = step( sleepers.world );
        assert_int_equal( events.enterCount + events.stayCount + events.exitCount, 0 );
        joContactEvent contact;
        uint64_t count = 0;
        kitRequire( joWorld_GetContacts( sleepers.world, sleepers.b, &contact, 1, &count ), "contacts" );
        assert_int_equal( count, 1 );
        assert_int_equal( contact.bodyA.bits, sleepers.a.bits );
        assert_int_equal( joWorld_GetStats( sleepers.world ).contactCount, 1 );
    }
    // Awake again it stays, and has not entered anew.
    kitRequire( joWorld_SetBodyAwake( sleepers.world, sleepers.a, true ), "wake" );
    const joContactEvents events = step( sleepers.world );
    assert_true( events.enterCount == 0 && events.stayCount == 1 && events.exitCount == 0 );
    joDestroyWorld( sleepers.world );
}

#define WAYS 10

static joResult change( const Sleepers* sleepers, int way )
{
    joWorld* world = sleepers->world;
    const joShape2 shape = { .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 1.0f } };
    const joTransform2 pose = joMakeIdentity2();
    const joColliderFilter filter = { .mask = UINT64_MAX };
    const joColliderDef2 def = kitDisc( 1.0f );
    joColliderId made;
    switch ( way )
    {
        case 0:
            return joWorld_SetPose2( world, sleepers->a, &pose );
        case 1:
            return joWorld_SetVelocity2( world, sleepers->a, ( joVec2 ){ 0.0f, 0.0f } );
        case 2:
            return joWorld_SetBodyType( world, sleepers->a, jo_kinematicBody );
        case 3:
            return joWorld_SetBodyFactors( world, sleepers->a, 1.0f, 0.0f, 0.0f );
        case 4:
            return joWorld_SetColliderShape2( world, sleepers->colliderA, &shape, NULL );
        case 5:
            return joWorld_SetColliderFilter( world, sleepers->colliderA, &filter );
        case 6:
            return joWorld_SetColliderTrigger( world, sleepers->colliderA, false );
        case 7:
            return joWorld_SetColliderEnabled( world, sleepers->colliderA, true );
        case 8:
            return joWorld_CreateCollider2( world, sleepers->a, &def, &made );
        default:
            return joWorld_SetAngularVelocity2( world, sleepers->a, 0.0f );
    }
}

static void everyChangeWakesItsBodyAndNoOther( void** state )
{
    (void)state;
    for ( int way = 0; way < WAYS; ++way )
    {
        Sleepers sleepers = makeSleepers();
        kitRequire( joWorld_SetBodyUserData( sleepers.world, sleepers.a, 5 ), "user data" );
        assert_false( isAwake( sleepers.world, sleepers.a ) );
        kitRequire( change( &sleepers, way ), "a change" );
        assert_true( isAwake( sleepers.world, sleepers.a ) );
        assert_false( isAwake( sleepers.world, sleepers.b ) );
        const joContactEvents events = step( sleepers.world );
        assert_int_equal( events.stayCount, 1 );
        assert_int_equal( events.enterCount, way == 8 ? 1 : 0 );
        joDestroyWorld( sleepers.world );
    }
}

static void whatEndsAContactOfTwoThatSleepIsTold( void** state )
{
    (void)state;
    for ( int way = 0; way < 6; ++way )
    {
        Sleepers sleepers = makeSleepers();
        joWorld* world = sleepers.world;
        const joColliderFilter none = { .mask = 0 };
        kitRequire( way == 0   ? joWorld_DestroyBody( world, sleepers.a )
                    : way == 1 ? joWorld_DestroyCollider( world, sleepers.colliderA )
                    : way == 2 ? joWorld_SetBodyEnabled( world, sleepers.a, false )
                    : way == 3 ? joWorld_SetColliderEnabled( world, sleepers.colliderA, false )
                    : way == 4 ? joWorld_SetColliderFilter( world, sleepers.colliderA, &none )
                               : joWorld_SetIgnored( world, sleepers.a, sleepers.b, true ),
            "a change" );
        assert_true( joWorld_Validate( world ) );
        const joContactEvents events = step( world );
        assert_int_equal( events.exitCount, 1 );
        assert_int_equal( events.exits[0].bodyA.bits, sleepers.a.bits );
        assert_int_equal( step( world ).exitCount, 0 );
        joDestroyWorld( world );
    }
}

// Both are still, so that no structure looks for them by itself.
static void staticBodiesThatChangeMeetWhoSleeps( void** state )
{
    (void)state;
    joWorld* world = makeWorld( DT, 0.0f, NULL );
    const joBodyId sleeper = kitAddDisc( world, 0.0f, NULL );
    step( world );
    assert_false( isAwake( world, sleeper ) );
    const joBodyId wall = kitAddDisc( world, 1.0f, NULL );
    kitRequire( joWorld_SetBodyType( world, wall, jo_staticBody ), "type" );
    assert_int_equal( step( world ).enterCount, 1 ); // made
    assert_int_equal( step( world ).stayCount, 0 );
    moveTo( world, wall, 10.0f );
    assert_int_equal( step( world ).exitCount, 1 );
    moveTo( world, wall, 1.5f );
    assert_int_equal( step( world ).enterCount, 1 );
    moveTo( world, wall, 1.25f );
    assert_int_equal( step( world ).stayCount, 1 );
    kitRequire( joWorld_SetBodyEnabled( world, wall, false ), "off" );
    assert_int_equal( step( world ).exitCount, 1 );
    kitRequire( joWorld_SetBodyEnabled( world, wall, true ), "on" );
    assert_int_equal( step( world ).enterCount, 1 );
    kitRequire( joWorld_DestroyBody( world, wall ), "destroy" );
    assert_int_equal( step( world ).exitCount, 1 );
    assert_false( isAwake( world, sleeper ) );
    joDestroyWorld( world );
}

static void bodiesMadeAsleepTellWhatTheyTouchAndSleepAfterTheFirstStep( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 100.0f, 0.0f, NULL );
    joBodyDef2 def = joDefaultBodyDef2();
    const joColliderDef2 colliderDef = kitDisc( 1.0f );
    const joBodyColumns two = { .count = 2 };
    def.isAwake = false;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &two, NULL, NULL, NULL ), "create" );
    assert_int_equal( step( world ).enterCount, 1 );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 2 );
    joDestroyWorld( world );
}

// Each allocation of a step in which much falls asleep fails once.
static void whoCannotBeParkedForWantOfMemoryStaysAwake( void** state )
{
    (void)state;
    uint32_t lateSleepers = 0;
    for ( uint64_t k = 1; k < 60; ++k )
    {
        kitHeap heap = { 0 };
        joWorld* world = makeWorld( DT, 0.0f, &heap );
        for ( int i = 0; i < 50; ++i )
        {
            kitAddDisc( world, 0.0f, NULL );
        }
        heap.failAt = heap.allocations + k;
        const joResult result = joWorld_Step( world, DT );
        heap.failAt = 0;
        assert_true( joWorld_Validate( world ) );
        assert_true( result == jo_success || result == jo_errorOutOfMemory );
        lateSleepers += result == jo_success && joWorld_GetStats( world ).sleepingBodyCount == 0;
        kitRequire( joWorld_Step( world, DT ), "joWorld_Step" );
        kitRequire( joWorld_Step( world, DT ), "joWorld_Step" );
        assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 50 );
        assert_int_equal( joWorld_GetStats( world ).contactCount, 50 * 49 / 2 );
        joDestroyWorld( world );
    }
    assert_true( lateSleepers > 0 );
}

static void badSleepDefsAreRefused( void** state )
{
    (void)state;
    const float times[] = { 0.0f, -1.0f, NAN }, speeds[] = { -1.0f, NAN, INFINITY };
    for ( int i = 0; i < 6; ++i )
    {
        joWorldDef def = joDefaultWorldDef();
        def.sleepTime = i < 3 ? times[i] : def.sleepTime;
        def.sleepSpeed = i >= 3 ? speeds[i - 3] : 0.0f;
        joWorld* world = NULL;
        assert_int_equal( joCreateWorld( &def, &world ), jo_errorBadDef );
    }
}

int main( void )
{
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "bodies fall asleep when they have been at rest for long enough",
            bodiesFallAsleepWhenTheyHaveBeenAtRestForLongEnough ),
        TEST( "slower than the sleep speed is at rest, and loses its velocity",
            slowerThanTheSleepSpeedIsAtRestAndLosesItsVelocity ),
        TEST( "an infinite sleep time never sleeps by itself", infiniteSleepTimeNeverSleepsByItself ),
        TEST( "case 24: two that sleep keep their contact and tell nothing",
            twoThatSleepKeepTheirContactAndTellNothing ),
        TEST( "every change wakes its body and no other", everyChangeWakesItsBodyAndNoOther ),
        TEST( "what ends a contact of two that sleep is told", whatEndsAContactOfTwoThatSleepIsTold ),
        TEST( "static bodies that change meet who sleeps", staticBodiesThatChangeMeetWhoSleeps ),
        TEST( "bodies made asleep tell what they touch and sleep after the first step",
            bodiesMadeAsleepTellWhatTheyTouchAndSleepAfterTheFirstStep ),
        TEST( "who cannot be parked for want of memory stays awake",
            whoCannotBeParkedForWantOfMemoryStaysAwake ),
        TEST( "bad sleep defs are refused", badSleepDefsAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
