// SPDX-License-Identifier: MIT
// The world's calls: defs, ids, bulk, bad input, motion. Memory is in test_world_room.c,
// events are in test_world_events.c.
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

static void defsOutOfRangeAreRefused( void** state )
{
    (void)state;
    kitHeap heap = { 0 };
    for ( int i = 0; i < 14; ++i )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = i == 0 ? 4 : def.dimension;
        def.gravity[2] = i == 1 ? NAN : i == 2 ? INFINITY : 0.0f;
        def.contactMargin = i == 3 ? 0.1f : i == 4 ? -1.0f : i == 5 ? NAN : 0.0f;
        def.leaveMargin = i == 6 ? INFINITY : i == 7 ? NAN : def.leaveMargin;
        def.worldNumber = i == 8 ? 256 : 0;
        def.allocator.allocate = i == 9 ? kitAllocator( &heap ).allocate : NULL;
        def.internalCookie = i == 10 ? 0 : def.internalCookie;
        def.bodyReserve = i == 11 ? JO_MAX_BODIES + 1 : 0;
        def.broadPhase.kind = i == 12 ? (joBroadPhaseKind)77 : jo_grid;
        def.broadPhase.looseness = i == 13 ? 9.0f : 1.0f;
        joWorld* world = (joWorld*)&def;
        assert_int_equal( joCreateWorld( &def, &world ), i == 12 ? jo_errorUnknownKind : jo_errorBadDef );
        assert_null( world );
    }
}

static void nullArgumentsAreRefused( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    joColliderId collider;
    const joBodyId body = kitAddDisc( world, 0.0f, &collider );
    const joBodyDef2 def = joDefaultBodyDef2();
    const joBodyColumns columns = { .count = 1 };
    uint64_t count = 0;
    bool flag = false;
    joWorldDef worldDef = joDefaultWorldDef();
    joBodyId id;
    joContactEvents events;
    const joResult results[] = { joCreateWorld( NULL, &world ), joCreateWorld( &worldDef, NULL ),
        joWorld_Step( NULL, 1.0f ), joWorld_CreateBody2( world, NULL, &id ),
        joWorld_CreateBody2( world, &def, NULL ), joWorld_CreateBody2( NULL, &def, &id ),
        joWorld_CreateBodies2( world, &def, NULL, NULL, NULL, NULL, NULL ),
        joWorld_CreateCollider2( world, body, NULL, &collider ),
        joWorld_SetBodies2( world, NULL, &columns, NULL ), joWorld_SetBodies2( world, &body, NULL, NULL ),
        joWorld_GetBodies2( world, NULL, NULL, NULL ), joWorld_SetPose2( world, body, NULL ),
        joWorld_GetPose2( world, body, NULL ), joWorld_GetBody2( world, body, NULL ),
        joWorld_GetCollider2( world, collider, NULL, NULL ), joWorld_DestroyBodies( world, NULL, 1, NULL ),
        joWorld_DestroyBody( NULL, body ), joWorld_DestroyCollider( NULL, collider ),
        joWorld_GetContacts( world, body, NULL, 1, &count ),
        joWorld_GetContacts( world, body, NULL, 0, NULL ),
        joWorld_GetColliders( world, body, NULL, 1, &count ), joWorld_GetBodyIds( world, NULL, 1, &count ),
        joWorld_GetContactEvents( world, jo_perBody, NULL ),
        joWorld_GetTriggerEvents( NULL, jo_perBody, &events ),
        joWorld_SetColliderFilter( world, collider, NULL ), joWorld_GetIgnored( NULL, body, body, &flag ),
        joWorld_SetColliderMaterial( world, collider, NULL ),
        joWorld_SetBodyResponse( NULL, body, jo_push, 1.0f ),
        joWorld_SetBodyType( NULL, body, jo_staticBody ),
        joWorld_SetBodyFactors( NULL, body, 1.0f, 0.0f, 0.0f ) };
    for ( size_t i = 0; i < sizeof( results ) / sizeof( results[0] ); ++i )
    {
        assert_int_equal( results[i], jo_errorNullArgument );
    }
    // joCreateWorld has set `world` to null only where there was a def; here it had none.
    assert_non_null( world );
    assert_false( joWorld_Validate( NULL ) );
    assert_null( joWorld_GetBroadPhase( NULL ) );
    joDestroyWorld( world );
    joDestroyWorld( NULL );
}

static void callsOfTheOtherDimensionAreRefused( void** state )
{
    (void)state;
    joWorld* flat = kitMakeWorld( 2 );
    joWorld* solid = kitMakeWorld( 3 );
    joColliderId collider;
    const joBodyId body = kitAddDisc( flat, 0.0f, &collider );
    const joBodyDef2 def2 = joDefaultBodyDef2();
    const joBodyDef3 def3 = joDefaultBodyDef3();
    joTransform3 pose = joMakeIdentity3();
    joBodyId id;
    assert_int_equal( joWorld_CreateBody2( solid, &def2, &id ), jo_errorWrongDimension );
    assert_int_equal( joWorld_CreateBody3( flat, &def3, &id ), jo_errorWrongDimension );
    assert_int_equal( joWorld_SetPose3( flat, body, &pose ), jo_errorWrongDimension );
    assert_int_equal( joWorld_GetPose3( flat, body, &pose ), jo_errorWrongDimension );
    assert_int_equal( joWorld_SetColliderShape3( flat, collider, NULL, &pose ), jo_errorWrongDimension );
    joDestroyWorld( flat );
    joDestroyWorld( solid );
}

static void badBodiesAndCollidersAreRefusedAndLeaveTheWorldAsItWas( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyId body = kitAddDisc( world, 0.0f, NULL );
    joBodyId id = { 0 };
    joColliderId collider = { 0 };
    for ( int i = 0; i < 14; ++i )
    {
        joBodyDef2 def = joDefaultBodyDef2();
        def.pose.position.x = i == 0 ? NAN : i == 1 ? INFINITY : 0.0f;
        def.velocity.y = i == 2 ? NAN : i == 3 ? INFINITY : 0.0f;
        def.angularVelocity = i == 4 ? -INFINITY : 0.0f;
        def.type = i == 5 ? jo_bodyTypeCount : jo_dynamicBody;
        def.linearDamping = i == 6 ? -1.0f : 0.0f;
        def.gravityScale = i == 7 ? NAN : 1.0f;
        def.internalCookie = i == 8 ? 0 : def.internalCookie;
        def.pose.rotation = i == 9 ? ( joRot2 ){ 0.0f, 0.0f } : def.pose.rotation;
        def.response = i == 10 ? jo_responseCount : jo_push;
        def.mass = i == 11 ? 0.0f : i == 12 ? INFINITY : i == 13 ? NAN : 1.0f;
        const joResult expected[] = { jo_errorNotANumber, jo_errorBadPose, jo_errorNotANumber,
            jo_errorBadVelocity, jo_errorBadVelocity, jo_errorBadDef, jo_errorBadVelocity, jo_errorNotANumber,
            jo_errorBadDef, jo_errorBadPose, jo_errorBadDef, jo_errorBadMass, jo_errorBadMass,
            jo_errorNotANumber };
        assert_int_equal( joWorld_CreateBody2( world, &def, &id ), expected[i] );
    }
    for ( int i = 0; i < 9; ++i )
    {
        joColliderDef2 def = kitDisc( i == 0 ? NAN : i == 1 ? -1.0f : 1.0f );
        def.filter.layer = i == 2 ? 64 : 0;
        def.localPose.position.y = i == 3 ? 2e12f : 0.0f;
        def.internalCookie = i == 4 ? 0 : def.internalCookie;
        def.shape.kind = i == 5 ? joDefaultColliderDef2().shape.kind : def.shape.kind;
        def.material.restitution = i == 6 ? NAN : i == 7 ? -0.5f : i == 8 ? 1.5f : 1.0f;
        const joResult expected[] = { jo_errorNotANumber, jo_errorBadShape, jo_errorBadDef, jo_errorBadPose,
            jo_errorBadDef, jo_errorBadShape, jo_errorNotANumber, jo_errorBadMaterial, jo_errorBadMaterial };
        assert_int_equal( joWorld_CreateCollider2( world, body, &def, &collider ), expected[i] );
    }
    const joColliderFilter badLayer = { .layer = 64 };
    joColliderId own;
    uint64_t count = 0;
    kitRequire( joWorld_GetColliders( world, body, &own, 1, &count ), "colliders" );
    assert_int_equal( joWorld_SetColliderFilter( world, own, &badLayer ), jo_errorBadDef );
    assert_int_equal( joWorld_SetBodyFactors( world, body, 1.0f, 0.0f, -1.0f ), jo_errorBadVelocity );
    assert_int_equal( joWorld_SetBodyType( world, body, (joBodyType)9 ), jo_errorBadDef );
    const joMaterial badMaterial = { .restitution = 2.0f };
    assert_int_equal( joWorld_SetColliderMaterial( world, own, &badMaterial ), jo_errorBadMaterial );
    assert_int_equal( joWorld_SetBodyResponse( world, body, jo_push, -1.0f ), jo_errorBadMass );
    assert_int_equal( joWorld_SetBodyResponse( world, body, jo_responseCount, 1.0f ), jo_errorBadDef );
    const joWorldStats stats = joWorld_GetStats( world );
    assert_int_equal( stats.bodyCount, 1 );
    assert_int_equal( stats.colliderCount, 1 );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

static void badTimeStepsAreRefusedAndNothingMoves( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyId body = kitAddDisc( world, 0.0f, NULL );
    kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ 1.0f, 0.0f } ), "velocity" );
    const float steps[] = { 0.0f, -1.0f, INFINITY, NAN };
    for ( size_t i = 0; i < 4; ++i )
    {
        assert_int_equal(
            joWorld_Step( world, steps[i] ), i == 3 ? jo_errorNotANumber : jo_errorBadTimeStep );
        assert_true( kitPoseOf( world, body ).position.x == 0.0f );
    }
    joDestroyWorld( world );
}

#define BULK 1000

typedef struct Unit
{
    joTransform2 pose;
    joVec2 velocity;
    float spin;
    uint64_t userData;
    joShape2 shape;
} Unit;

static Unit s_units[BULK];
static joBodyId s_ids[BULK];
static joColliderId s_colliders[BULK];

static joBodyColumns unitColumns( void )
{
    for ( uint32_t i = 0; i < BULK; ++i )
    {
        s_units[i] = ( Unit ){ .pose = { { (float)i, 2.0f * (float)i }, { 0.0f, 1.0f } },
            .velocity = { (float)i, -1.0f },
            .spin = 0.5f * (float)i,
            .userData = 7 * i,
            .shape = { .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 1.0f + (float)i } } };
    }
    return ( joBodyColumns ){ .pose = { &s_units->pose, sizeof( Unit ) },
        .velocity = { &s_units->velocity, sizeof( Unit ) },
        .angularVelocity = { &s_units->spin, sizeof( Unit ) },
        .userData = { &s_units->userData, sizeof( Unit ) },
        .shape = { &s_units->shape, sizeof( Unit ) },
        .count = BULK };
}

static void bulkCallsCarryEveryColumn( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyDef2 def = joDefaultBodyDef2();
    const joColliderDef2 colliderDef = joDefaultColliderDef2(); // its shape is no shape: the column has them
    joBodyColumns columns = unitColumns();
    uint32_t errorIndex = 5;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &columns, s_ids, s_colliders, &errorIndex ),
        "bulk" );
    assert_int_equal( errorIndex, JO_NULL_INDEX );
    static joTransform2 poses[BULK];
    static joVec2 velocities[BULK];
    static float spins[BULK];
    static uint64_t userData[BULK];
    joMutableBodyColumns read = { .pose = { poses, sizeof( joTransform2 ) },
        .velocity = { velocities, sizeof( joVec2 ) },
        .angularVelocity = { spins, sizeof( float ) },
        .userData = { userData, sizeof( uint64_t ) },
        .count = BULK };
    for ( int round = 0; round < 2; ++round )
    {
        kitRequire( joWorld_GetBodies2( world, s_ids, &read, NULL ), "joWorld_GetBodies2" );
        for ( uint32_t i = 0; i < BULK; ++i )
        {
            assert_memory_equal( &poses[i], &s_units[i].pose, sizeof( joTransform2 ) );
            assert_memory_equal( &velocities[i], &s_units[i].velocity, sizeof( joVec2 ) );
            assert_true( spins[i] == s_units[i].spin && userData[i] == s_units[i].userData );
            s_units[i].pose.position.x += 3.0f;
            s_units[i].velocity.x = -1.0f;
            s_units[i].spin = 9.0f;
            s_units[i].userData += 1;
        }
        columns.shape.data = NULL;
        kitRequire( joWorld_SetBodies2( world, s_ids, &columns, NULL ), "joWorld_SetBodies2" );
    }
    joColliderDef2 collider;
    joBodyId owner;
    kitRequire( joWorld_GetCollider2( world, s_colliders[77], &collider, &owner ), "joWorld_GetCollider2" );
    assert_true( collider.shape.circle.radius == 78.0f && owner.bits == s_ids[77].bits );
    static joBodyId listed[BULK];
    uint64_t count = 0;
    kitRequire( joWorld_GetBodyIds( world, listed, 10, &count ), "joWorld_GetBodyIds" );
    assert_int_equal( count, BULK );
    assert_memory_equal( listed, s_ids, 10 * sizeof( joBodyId ) );
    assert_true( joWorld_Validate( world ) );
    kitRequire( joWorld_DestroyBodies( world, s_ids, BULK, NULL ), "joWorld_DestroyBodies" );
    assert_int_equal( joWorld_GetStats( world ).colliderCount, 0 );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

static void badElementsOfBulkCallsAreNamedAndNothingChanges( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyDef2 def = joDefaultBodyDef2();
    const joColliderDef2 colliderDef = kitDisc( 1.0f );
    const joBodyColumns columns = unitColumns();
    uint32_t bad = 0;
    s_units[500].pose.position.y = NAN;
    assert_int_equal(
        joWorld_CreateBodies2( world, &def, &colliderDef, &columns, NULL, NULL, &bad ), jo_errorNotANumber );
    assert_int_equal( bad, 500 );
    s_units[500].pose.position.y = 0.0f;
    s_units[499].shape.circle.radius = -1.0f;
    assert_int_equal(
        joWorld_CreateBodies2( world, &def, &colliderDef, &columns, NULL, NULL, &bad ), jo_errorBadShape );
    assert_int_equal( bad, 499 );
    assert_int_equal( joWorld_GetStats( world ).bodyCount, 0 );
    s_units[499].shape.circle.radius = 1.0f;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &columns, s_ids, NULL, NULL ), "create" );
    s_units[0].pose.position.x = 55.0f;
    s_units[999].velocity.x = INFINITY;
    assert_int_equal( joWorld_SetBodies2( world, s_ids, &columns, &bad ), jo_errorBadVelocity );
    assert_int_equal( bad, 999 );
    s_units[999].velocity.x = 0.0f;
    s_ids[998] = s_ids[3];
    assert_int_equal( joWorld_SetBodies2( world, s_ids, &columns, &bad ), jo_errorDuplicateKey );
    assert_int_equal( bad, 998 );
    assert_int_equal( joWorld_DestroyBodies( world, s_ids, BULK, &bad ), jo_errorDuplicateKey );
    s_ids[998].bits = 0;
    assert_int_equal( joWorld_SetBodies2( world, s_ids, &columns, &bad ), jo_errorStaleId );
    assert_int_equal( joWorld_DestroyBodies( world, s_ids, BULK, &bad ), jo_errorStaleId );
    joMutableBodyColumns read = { .count = BULK };
    assert_int_equal( joWorld_GetBodies2( world, s_ids, &read, &bad ), jo_errorStaleId );
    assert_int_equal( bad, 998 );
    assert_int_equal( joWorld_GetStats( world ).bodyCount, BULK );
    assert_true( kitPoseOf( world, s_ids[0] ).position.x == 0.0f );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

static void staleAndForeignIdsAreRefused( void** state )
{
    (void)state;
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.worldNumber = 1;
    joWorld* other = NULL;
    kitRequire( joCreateWorld( &def, &other ), "joCreateWorld" );
    joWorld* world = kitMakeWorld( 2 );
    joColliderId collider, foreignCollider;
    const joBodyId foreign = kitAddDisc( other, 0.0f, &foreignCollider );
    const joBodyId body = kitAddDisc( world, 0.0f, &collider );
    const joBodyId ids[] = {
        foreign, { 0 }, { body.bits + 1 }, { body.bits + ( UINT64_C( 1 ) << 32 ) }, { UINT64_MAX } };
    joBodyDef2 bodyDef;
    joContactEvent contact;
    uint64_t count = 0;
    bool flag = false;
    for ( size_t i = 0; i < sizeof( ids ) / sizeof( ids[0] ); ++i )
    {
        assert_false( joWorld_IsBodyAlive( world, ids[i] ) );
        assert_int_equal( joWorld_DestroyBody( world, ids[i] ), jo_errorStaleId );
        assert_int_equal( joWorld_GetBody2( world, ids[i], &bodyDef ), jo_errorStaleId );
        assert_int_equal( joWorld_SetBodyType( world, ids[i], jo_staticBody ), jo_errorStaleId );
        assert_int_equal( joWorld_SetBodyUserData( world, ids[i], 1 ), jo_errorStaleId );
        assert_int_equal( joWorld_SetBodyFactors( world, ids[i], 1.0f, 0.0f, 0.0f ), jo_errorStaleId );
        assert_int_equal( joWorld_SetBodyResponse( world, ids[i], jo_push, 1.0f ), jo_errorStaleId );
        assert_int_equal( joWorld_SetVelocity2( world, ids[i], ( joVec2 ){ 0.0f, 0.0f } ), jo_errorStaleId );
        assert_int_equal( joWorld_SetAngularVelocity2( world, ids[i], 0.0f ), jo_errorStaleId );
        assert_int_equal( joWorld_GetContacts( world, ids[i], &contact, 1, &count ), jo_errorStaleId );
        assert_int_equal( joWorld_SetIgnored( world, body, ids[i], true ), jo_errorStaleId );
        assert_int_equal( joWorld_GetIgnored( world, ids[i], body, &flag ), jo_errorStaleId );
    }
    assert_int_equal( joWorld_SetColliderTrigger( world, foreignCollider, true ), jo_errorStaleId );
    assert_int_equal( joWorld_SetIgnored( world, body, body, true ), jo_errorDuplicateKey );
    kitRequire( joWorld_DestroyBody( world, body ), "destroy" );
    assert_false( joWorld_IsColliderAlive( world, collider ) );
    assert_int_equal( joWorld_SetColliderShape2( world, collider, NULL, NULL ), jo_errorStaleId );
    assert_int_equal( joWorld_SetColliderUserData( world, collider, 1 ), jo_errorStaleId );
    assert_int_equal( joWorld_SetColliderEnabled( world, collider, true ), jo_errorStaleId );
    assert_true( joWorld_IsBodyAlive( other, foreign ) );
    joDestroyWorld( world );
    joDestroyWorld( other );
}

static void whatIsReadIsWhatWasMade( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 3 );
    joBodyDef3 def = joDefaultBodyDef3(), read;
    def.pose = ( joTransform3 ){ { 1.0f, 2.0f, 3.0f }, { 0.0f, 0.0f, 2.0f, 0.0f } };
    def.velocity = ( joVec3 ){ 4.0f, 5.0f, 6.0f };
    def.angularVelocity = ( joVec3 ){ 7.0f, 8.0f, 9.0f };
    def.type = jo_kinematicBody;
    def.isEnabled = false;
    def.gravityScale = 0.5f;
    def.linearDamping = 0.25f;
    def.angularDamping = 0.125f;
    def.response = jo_slide;
    def.mass = 3.0f;
    def.userData = 99;
    joBodyId body;
    kitRequire( joWorld_CreateBody3( world, &def, &body ), "create" );
    kitRequire( joWorld_GetBody3( world, body, &read ), "read" );
    assert_memory_equal( &read, &def, sizeof( def ) );
    joColliderDef3 colliderDef = joDefaultColliderDef3(), readCollider;
    colliderDef.shape = ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 2.0f, 3.0f ) };
    colliderDef.localPose.position.y = 8.0f;
    colliderDef.filter = ( joColliderFilter ){ .layer = 63, .group = 5, .mask = 12 };
    colliderDef.isTrigger = true;
    colliderDef.isEnabled = false;
    colliderDef.material.restitution = 0.75f;
    colliderDef.userData = 98;
    kitRequire( joWorld_SetBodyResponse( world, body, jo_push, 4.0f ), "response" );
    kitRequire( joWorld_GetBody3( world, body, &read ), "read" );
    assert_true( read.response == jo_push && read.mass == 4.0f );
    joColliderId colliders[2], listed[2];
    joBodyId owner;
    kitRequire( joWorld_CreateCollider3( world, body, &colliderDef, &colliders[0] ), "collider" );
    kitRequire( joWorld_CreateCollider3( world, body, &colliderDef, &colliders[1] ), "collider" );
    kitRequire( joWorld_GetCollider3( world, colliders[0], &readCollider, &owner ), "read" );
    assert_int_equal( owner.bits, body.bits );
    assert_true( readCollider.shape.box.halfExtents.z == 3.0f && readCollider.localPose.position.y == 8.0f );
    assert_memory_equal( &readCollider.filter, &colliderDef.filter, sizeof( joColliderFilter ) );
    assert_true( readCollider.isTrigger && !readCollider.isEnabled && readCollider.userData == 98 );
    assert_true( readCollider.material.restitution == 0.75f );
    const joMaterial material = { .restitution = 0.5f };
    kitRequire( joWorld_SetColliderMaterial( world, colliders[0], &material ), "material" );
    kitRequire( joWorld_GetCollider3( world, colliders[0], &readCollider, NULL ), "read" );
    assert_true( readCollider.material.restitution == 0.5f );
    uint64_t count = 0;
    kitRequire( joWorld_GetColliders( world, body, listed, 2, &count ), "colliders" );
    assert_int_equal( count, 2 );
    assert_memory_equal( listed, colliders, sizeof( listed ) );
    kitRequire( joWorld_DestroyCollider( world, colliders[0] ), "destroy" );
    kitRequire( joWorld_GetColliders( world, body, listed, 2, &count ), "colliders" );
    assert_true( count == 1 && listed[0].bits == colliders[1].bits );
    joDestroyWorld( world );
}

static void bodiesMoveByTheirType( void** state )
{
    (void)state;
    joWorldDef worldDef = joDefaultWorldDef();
    worldDef.dimension = 2;
    worldDef.gravity[1] = -8.0f;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &worldDef, &world ), "joCreateWorld" );
    joBodyId bodies[5];
    for ( int i = 0; i < 5; ++i )
    {
        joBodyDef2 def = joDefaultBodyDef2();
        def.velocity.x = 2.0f;
        def.angularVelocity = i == 2 ? 0.0f : 1.0f;
        def.type = i < 3 ? (joBodyType)i : jo_dynamicBody;
        def.linearDamping = i == 3 ? 2.0f : 0.0f;
        def.angularDamping = i == 3 ? 2.0f : 0.0f;
        def.gravityScale = i == 3 ? 0.0f : 1.0f;
        def.isEnabled = i != 4;
        def.pose.rotation = ( joRot2 ){ 0.6f, 0.8f };
        kitRequire( joWorld_CreateBody2( world, &def, &bodies[i] ), "create" );
    }
    kitRequire( joWorld_Step( world, 0.5f ), "joWorld_Step" );
    const float x[] = { 0.0f, 1.0f, 1.0f, 0.5f, 0.0f }, y[] = { 0.0f, 0.0f, -2.0f, 0.0f, 0.0f };
    const float turns[] = { 0.0f, 0.5f, 0.0f, 0.25f, 0.0f };
    for ( int i = 0; i < 5; ++i )
    {
        const joTransform2 pose = kitPoseOf( world, bodies[i] );
        assert_true( pose.position.x == x[i] && pose.position.y == y[i] );
        const joRot2 rotation = joMultiplyRots2( joMakeRot2( turns[i] ), ( joRot2 ){ 0.6f, 0.8f } );
        assert_true(
            fabsf( pose.rotation.c - rotation.c ) < 1e-6f && fabsf( pose.rotation.s - rotation.s ) < 1e-6f );
        // Who does not turn keeps the very bits.
        assert_true( turns[i] != 0.0f || pose.rotation.s == 0.8f );
    }
    assert_int_equal( joWorld_GetStats( world ).awakeBodyCount, 3 );
    joDestroyWorld( world );
}

static void bodiesTurnInSpace( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 3 );
    joBodyDef3 def = joDefaultBodyDef3();
    def.angularVelocity = ( joVec3 ){ 0.0f, 0.0f, 0.5f };
    joBodyId body;
    kitRequire( joWorld_CreateBody3( world, &def, &body ), "create" );
    for ( int i = 0; i < 8; ++i )
    {
        kitRequire( joWorld_Step( world, 0.25f ), "joWorld_Step" );
    }
    joTransform3 pose;
    kitRequire( joWorld_GetPose3( world, body, &pose ), "pose" );
    const joQuat expected = joMakeQuat( ( joVec3 ){ 0.0f, 0.0f, 1.0f }, 1.0f );
    assert_true(
        fabsf( pose.rotation.z - expected.z ) < 1e-6f && fabsf( pose.rotation.w - expected.w ) < 1e-6f );
    // However fast: finite, and of unit length.
    kitRequire( joWorld_SetAngularVelocity3( world, body, ( joVec3 ){ 3e38f, 3e38f, -3e38f } ), "spin" );
    kitRequire( joWorld_Step( world, 100.0f ), "joWorld_Step" );
    kitRequire( joWorld_GetPose3( world, body, &pose ), "pose" );
    const joQuat q = pose.rotation;
    assert_true( fabsf( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f ) < 1e-5f );
    joDestroyWorld( world );
}

static void case10WhatFallsForEverStopsWhereFloatsEnd( void** state )
{
    (void)state;
    for ( uint32_t kind = 0; kind < KIT_VARIANT_COUNT; ++kind )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.gravity[1] = -1e38f;
        def.broadPhase = kitDef( &kitVariants[kind], 2 );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joColliderId collider;
        const joBodyId body = kitAddDisc( world, 3.4e38f, &collider );
        kitAddDisc( world, 0.0f, NULL );
        joTransform2 local = joMakeIdentity2();
        local.position.x = 1e12f;
        kitRequire( joWorld_SetColliderShape2( world, collider, NULL, &local ), "shape" );
        for ( int i = 0; i < 20; ++i )
        {
            kitRequire( joWorld_Step( world, 1.0f ), "joWorld_Step" );
        }
        assert_true(
            isfinite( kitPoseOf( world, body ).position.y ) && kitPoseOf( world, body ).position.y < -3e38f );
        assert_true( joWorld_Validate( world ) );
        joDestroyWorld( world );
    }
}

static void case4QueriesAreRightAtOnceAfterEveryCall( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBroadPhase* broadPhase = joWorld_GetBroadPhase( world );
    const joRay ray = { .origin = { -50.0f, 0.0f }, .direction = { 1.0f, 0.0f }, .length = 100.0f };
    bool isHit = true;
    kitRequire( joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit ), "ray" );
    assert_false( isHit );
    joColliderId collider;
    const joBodyId body = kitAddDisc( world, 0.0f, &collider );
    kitRequire( joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit ), "ray" );
    assert_true( isHit );
    for ( int way = 0; way < 8; ++way )
    {
        const bool isThere = way % 2 != 0;
        const joTransform2 pose = { { 0.0f, isThere ? 0.0f : 30.0f }, { 1.0f, 0.0f } };
        joTransform2 local = joMakeIdentity2();
        local.position.y = pose.position.y;
        kitRequire( way < 2   ? joWorld_SetPose2( world, body, &pose )
                    : way < 4 ? joWorld_SetBodyEnabled( world, body, isThere )
                    : way < 6 ? joWorld_SetColliderEnabled( world, collider, isThere )
                              : joWorld_SetColliderShape2( world, collider, NULL, &local ),
            "a change" );
        kitRequire( joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit ), "ray" );
        assert_int_equal( isHit, isThere );
    }
    kitRequire( joWorld_DestroyBody( world, body ), "destroy" );
    kitRequire( joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit ), "ray" );
    assert_false( isHit );
    joDestroyWorld( world );
}

static void ignoredPairsGoWithTheirBodies( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyId a = kitAddDisc( world, 0.0f, NULL ), b = kitAddDisc( world, 0.5f, NULL ),
                   c = kitAddDisc( world, 1.0f, NULL );
    bool isIgnored = false;
    kitRequire( joWorld_SetIgnored( world, a, b, true ), "ignore" );
    kitRequire( joWorld_SetIgnored( world, b, a, true ), "ignore twice" );
    kitRequire( joWorld_SetIgnored( world, c, b, true ), "ignore" );
    kitRequire( joWorld_GetIgnored( world, b, a, &isIgnored ), "ignored" );
    assert_true( isIgnored );
    kitRequire( joWorld_GetIgnored( world, a, c, &isIgnored ), "ignored" );
    assert_false( isIgnored );
    assert_true( joWorld_Validate( world ) );
    kitRequire( joWorld_DestroyBody( world, b ), "destroy" );
    const joBodyId heir = kitAddDisc( world, 0.5f, NULL );
    kitRequire( joWorld_GetIgnored( world, a, heir, &isIgnored ), "ignored" );
    assert_false( isIgnored );
    joContactEvents events;
    kitRequire( joWorld_Step( world, 0.1f ), "step" );
    kitRequire( joWorld_GetContactEvents( world, jo_perBody, &events ), "events" );
    assert_int_equal( events.enterCount, 3 );
    joDestroyWorld( world );
}

int main( void )
{
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "defs out of range are refused", defsOutOfRangeAreRefused ),
        TEST( "null arguments are refused", nullArgumentsAreRefused ),
        TEST( "calls of the other dimension are refused", callsOfTheOtherDimensionAreRefused ),
        TEST( "bad bodies and colliders are refused and leave the world as it was",
            badBodiesAndCollidersAreRefusedAndLeaveTheWorldAsItWas ),
        TEST( "bad time steps are refused and nothing moves", badTimeStepsAreRefusedAndNothingMoves ),
        TEST( "bulk calls carry every column", bulkCallsCarryEveryColumn ),
        TEST( "bad elements of bulk calls are named and nothing changes",
            badElementsOfBulkCallsAreNamedAndNothingChanges ),
        TEST( "stale and foreign ids are refused", staleAndForeignIdsAreRefused ),
        TEST( "what is read is what was made", whatIsReadIsWhatWasMade ),
        TEST( "bodies move by their type", bodiesMoveByTheirType ),
        TEST( "bodies turn in space", bodiesTurnInSpace ),
        TEST( "case 10: what falls for ever stops where floats end",
            case10WhatFallsForEverStopsWhereFloatsEnd ),
        TEST(
            "case 4: queries are right at once after every call", case4QueriesAreRightAtOnceAfterEveryCall ),
        TEST( "ignored pairs go with their bodies", ignoredPairsGoWithTheirBodies ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
