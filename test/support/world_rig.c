// SPDX-License-Identifier: MIT
#include "support/world_rig.h"

#include "test_support.h"

#include <math.h>

// Few and close together, so that most things that can happen do.
#define MOST_BODIES 28u
#define MOST_COLLIDERS 44u

joWorldDef worldRigDef( int dimension )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = dimension;
    def.gravity[1] = -1.0f;
    def.contactMargin = 0.01f;
    def.leaveMargin = 0.05f;
    def.sleepTime = 0.1f;
    def.layerMeets[2] &= ~( UINT64_C( 1 ) << 3 ); // one row is enough for both
    def.layerMeets[1] &= ~( UINT64_C( 1 ) << 1 );
    return def;
}

void worldRigInit( worldRig* rig, const joWorldDef* def, uint64_t seed )
{
    memset( rig, 0, sizeof( *rig ) );
    joWorldDef own = *def;
    own.allocator = kitAllocator( &rig->heap );
    rig->random = seed;
    kitRequire( joCreateWorld( &own, &rig->world ), "joCreateWorld" );
    modelInit( &rig->model, &own );
    for ( uint32_t i = 0; i < 8; ++i )
    {
        rig->polygons[i] = joMakeBox2( rigSize( rig ), rigSize( rig ) );
        rig->polygonRows[i] = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &rig->polygons[i] };
    }
    rig->saved = malloc( RIG_SNAPSHOT_SIZE );
    rig->savedAgain = malloc( RIG_SNAPSHOT_SIZE );
}

void worldRigFree( worldRig* rig )
{
    joDestroyWorld( rig->world );
    modelFree( &rig->model );
    modelFreeCopy( &rig->savedModel );
    free( rig->saved );
    free( rig->savedAgain );
    assert_int_equal( rig->heap.liveBlocks, 0 );
}

static modelBody* anyBody( worldRig* rig )
{
    for ( uint32_t tries = 0; tries < 64 && rig->model.bodyCount > 0; ++tries )
    {
        modelBody* body = &rig->model.bodies[rigBelow( rig, rig->model.bodyCount )];
        if ( body->isAlive )
        {
            return body;
        }
    }
    return NULL;
}

static modelCollider* anyCollider( worldRig* rig )
{
    for ( uint32_t tries = 0; tries < 64 && rig->model.colliderCount > 0; ++tries )
    {
        modelCollider* collider = &rig->model.colliders[rigBelow( rig, rig->model.colliderCount )];
        if ( collider->isAlive )
        {
            return collider;
        }
    }
    return NULL;
}

// From here to the end of the operation, one allocation may fail, or all from one on.
void rigBeginOperation( worldRig* rig )
{
    rig->operationCount += 1;
    if ( rig->failsAtTimes && rigBelow( rig, 3 ) == 0 )
    {
        const uint64_t at = rig->heap.allocations + 1 + rigBelow( rig, 4 );
        *( rigBelow( rig, 2 ) != 0 ? &rig->heap.failAt : &rig->heap.failFrom ) = at;
    }
}

static void allowMemory( worldRig* rig )
{
    rig->heap.failAt = 0;
    rig->heap.failFrom = 0;
}

// Whether it happened; the only other way to end is for want of memory, and then it has not happened.
bool rigEndOperation( worldRig* rig, joResult result )
{
    allowMemory( rig );
    if ( result == jo_errorOutOfMemory && rig->failsAtTimes )
    {
        rig->refusedCount += 1;
        assert_true( joWorld_Validate( rig->world ) );
        return false;
    }
    kitRequire( result, "an operation" );
    return true;
}

static joBodyType randomType( worldRig* rig )
{
    const uint32_t r = rigBelow( rig, 8 );
    return r < 2 ? jo_staticBody : r < 3 ? jo_kinematicBody : jo_dynamicBody;
}

static void fillCollider( worldRig* rig, modelCollider* collider, modelBody* body )
{
    collider->body = body;
    collider->isAlive = true;
    collider->isEnabled = rigBelow( rig, 8 ) != 0;
    collider->isTrigger = rigBelow( rig, 4 ) == 0;
    collider->filter = rigFilter( rig );
    collider->userData = nextRandom( &rig->random );
    collider->shape2 = rigShape2( rig );
    collider->shape3 = rigShape3( rig );
    collider->local2 = joMakeIdentity2();
    collider->local3 = joMakeIdentity3();
    if ( rigBelow( rig, 2 ) != 0 )
    {
        collider->local2.position = ( joVec2 ){ rigBetween( rig, -1.0f, 1.0f ), 0.25f };
        collider->local3.position = ( joVec3 ){ rigBetween( rig, -1.0f, 1.0f ), 0.25f, 0.0f };
    }
}

static joResult createBody(
    worldRig* rig, modelBody* body, const modelCollider* collider, joColliderId* made )
{
    const joBodyColumns one = { .count = 1 };
    // Half of them rest, and fall asleep.
    const bool rests = rigBelow( rig, 2 ) != 0;
    const float speed = rests ? 0.0f : rigBetween( rig, -1.0f, 1.0f );
    if ( rig->model.def.dimension == 2 )
    {
        joBodyDef2 def = joDefaultBodyDef2();
        joColliderDef2 colliderDef = joDefaultColliderDef2();
        def.pose = body->pose2;
        def.velocity = ( joVec2 ){ speed, -speed };
        def.type = body->type;
        def.isEnabled = body->isEnabled;
        def.isAwake = body->restTime == 0.0f;
        def.gravityScale = rests ? 0.0f : 1.0f;
        def.userData = body->userData;
        colliderDef.shape = collider->shape2;
        colliderDef.localPose = collider->local2;
        colliderDef.filter = collider->filter;
        colliderDef.isTrigger = collider->isTrigger;
        colliderDef.isEnabled = collider->isEnabled;
        colliderDef.userData = collider->userData;
        return joWorld_CreateBodies2( rig->world, &def, &colliderDef, &one, &body->id, made, NULL );
    }
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    def.pose = body->pose3;
    def.velocity = ( joVec3 ){ speed, -speed, 0.5f * speed };
    def.type = body->type;
    def.isEnabled = body->isEnabled;
    def.isAwake = body->restTime == 0.0f;
    def.gravityScale = rests ? 0.0f : 1.0f;
    def.userData = body->userData;
    colliderDef.shape = collider->shape3;
    colliderDef.localPose = collider->local3;
    colliderDef.filter = collider->filter;
    colliderDef.isTrigger = collider->isTrigger;
    colliderDef.isEnabled = collider->isEnabled;
    colliderDef.userData = collider->userData;
    return joWorld_CreateBodies3( rig->world, &def, &colliderDef, &one, &body->id, made, NULL );
}

static void addBody( worldRig* rig )
{
    if ( rig->model.bodyCount >= MOST_BODIES )
    {
        return;
    }
    modelBody body = { .isAlive = true,
        .isEnabled = rigBelow( rig, 10 ) != 0,
        .type = randomType( rig ),
        .isChanged = true,
        .restTime = rigBelow( rig, 4 ) == 0 ? INFINITY : 0.0f,
        .userData = nextRandom( &rig->random ),
        .pose2 = rigPose2( rig ),
        .pose3 = rigPose3( rig ) };
    modelCollider collider;
    fillCollider( rig, &collider, NULL );
    rigBeginOperation( rig );
    if ( rigEndOperation( rig, createBody( rig, &body, &collider, &collider.id ) ) )
    {
        collider.body = modelAddBody( &rig->model );
        *collider.body = body;
        *modelAddCollider( &rig->model ) = collider;
    }
}

static void addCollider( worldRig* rig )
{
    modelBody* body = anyBody( rig );
    if ( body == NULL || rig->model.colliderCount >= MOST_COLLIDERS )
    {
        return;
    }
    modelCollider collider;
    fillCollider( rig, &collider, body );
    joColliderDef2 def2 = joDefaultColliderDef2();
    joColliderDef3 def3 = joDefaultColliderDef3();
    def2.shape = collider.shape2, def3.shape = collider.shape3;
    def2.localPose = collider.local2, def3.localPose = collider.local3;
    def2.filter = def3.filter = collider.filter;
    def2.isTrigger = def3.isTrigger = collider.isTrigger;
    def2.isEnabled = def3.isEnabled = collider.isEnabled;
    def2.userData = def3.userData = collider.userData;
    rigBeginOperation( rig );
    if ( rigEndOperation( rig, rig->model.def.dimension == 2
                                   ? joWorld_CreateCollider2( rig->world, body->id, &def2, &collider.id )
                                   : joWorld_CreateCollider3( rig->world, body->id, &def3, &collider.id ) ) )
    {
        *modelAddCollider( &rig->model ) = collider;
        modelWake( body );
    }
}

static void destroySome( worldRig* rig )
{
    modelBody* body = anyBody( rig );
    modelCollider* collider = anyCollider( rig );
    rigBeginOperation( rig );
    if ( rigBelow( rig, 2 ) != 0 && collider != NULL )
    {
        if ( rigEndOperation( rig, joWorld_DestroyCollider( rig->world, collider->id ) ) )
        {
            collider->isAlive = false;
            modelWake( collider->body );
        }
    }
    else if ( body != NULL && rigEndOperation( rig, joWorld_DestroyBody( rig->world, body->id ) ) )
    {
        modelKillBody( &rig->model, body );
    }
}

static joResult setPose( worldRig* rig, const modelBody* body, joTransform2 pose2, joTransform3 pose3 )
{
    return rig->model.def.dimension == 2 ? joWorld_SetPose2( rig->world, body->id, &pose2 )
                                         : joWorld_SetPose3( rig->world, body->id, &pose3 );
}

static joResult setVelocity( worldRig* rig, const modelBody* body, float speed )
{
    return rig->model.def.dimension == 2
               ? joWorld_SetVelocity2( rig->world, body->id, ( joVec2 ){ speed, 0.0f } )
               : joWorld_SetVelocity3( rig->world, body->id, ( joVec3 ){ speed, 0.0f, 0.5f * speed } );
}

static void changeBody( worldRig* rig, modelBody* body )
{
    const uint32_t what = rigBelow( rig, 8 );
    const bool flag = rigBelow( rig, 3 ) != 0;
    const joBodyType type = randomType( rig );
    const uint64_t userData = nextRandom( &rig->random );
    modelBody* other = anyBody( rig );
    const float speed = rigBelow( rig, 2 ) != 0 ? rigBetween( rig, -2.0f, 2.0f ) : 0.0f;
    const joTransform2 pose2 = rigPose2( rig );
    const joTransform3 pose3 = rigPose3( rig );
    rigBeginOperation( rig );
    if ( what == 0 && rigEndOperation( rig, setPose( rig, body, pose2, pose3 ) ) )
    {
        body->pose2 = pose2;
        body->pose3 = pose3;
        modelWake( body );
    }
    else if ( what == 1 && rigEndOperation( rig, joWorld_SetBodyType( rig->world, body->id, type ) ) )
    {
        body->type = type;
        modelWake( body );
    }
    else if ( what == 2 && rigEndOperation( rig, joWorld_SetBodyEnabled( rig->world, body->id, flag ) ) )
    {
        if ( body->isEnabled != flag )
        {
            modelWake( body );
        }
        body->isEnabled = flag;
    }
    else if ( what == 3 && rigEndOperation( rig, joWorld_SetBodyUserData( rig->world, body->id, userData ) ) )
    {
        body->userData = userData;
    }
    else if ( what == 4 && other != body &&
              rigEndOperation( rig, joWorld_SetIgnored( rig->world, body->id, other->id, flag ) ) )
    {
        modelSetIgnored( &rig->model, body->id, other->id, flag );
        modelWake( body );
        modelWake( other );
    }
    else if ( what == 5 && rigEndOperation( rig, setVelocity( rig, body, speed ) ) )
    {
        modelWake( body );
    }
    else if ( what == 6 &&
              rigEndOperation( rig, joWorld_SetBodyFactors( rig->world, body->id, 0.0f, 0.0f, 0.0f ) ) )
    {
        modelWake( body );
    }
    else if ( what == 7 && rigEndOperation( rig, joWorld_SetBodyAwake( rig->world, body->id, flag ) ) )
    {
        if ( flag )
        {
            modelWake( body );
        }
        else
        {
            body->restTime = INFINITY;
        }
    }
    allowMemory( rig );
}

static void changeCollider( worldRig* rig, modelCollider* collider )
{
    const uint32_t what = rigBelow( rig, 5 );
    modelCollider next;
    fillCollider( rig, &next, collider->body );
    joWorld* world = rig->world;
    rigBeginOperation( rig );
    if ( what == 0 &&
         rigEndOperation( rig, joWorld_SetColliderEnabled( world, collider->id, next.isEnabled ) ) )
    {
        collider->isEnabled = next.isEnabled;
        modelWake( collider->body );
    }
    else if ( what == 1 &&
              rigEndOperation( rig, joWorld_SetColliderTrigger( world, collider->id, next.isTrigger ) ) )
    {
        collider->isTrigger = next.isTrigger;
        modelWake( collider->body );
    }
    else if ( what == 2 &&
              rigEndOperation( rig, joWorld_SetColliderFilter( world, collider->id, &next.filter ) ) )
    {
        collider->filter = next.filter;
        modelWake( collider->body );
    }
    else if ( what == 3 &&
              rigEndOperation( rig, joWorld_SetColliderUserData( world, collider->id, next.userData ) ) )
    {
        collider->userData = next.userData;
    }
    else if ( what == 4 &&
              rigEndOperation(
                  rig, rig->model.def.dimension == 2
                           ? joWorld_SetColliderShape2( world, collider->id, &next.shape2, &next.local2 )
                           : joWorld_SetColliderShape3( world, collider->id, &next.shape3, &next.local3 ) ) )
    {
        collider->shape2 = next.shape2;
        collider->shape3 = next.shape3;
        collider->local2 = next.local2;
        collider->local3 = next.local3;
        modelWake( collider->body );
    }
    allowMemory( rig );
}

// Ids of the dead are refused, and leave no trace.
static void useStaleIds( worldRig* rig )
{
    for ( uint32_t i = 0; i < rig->model.bodyCount; ++i )
    {
        const modelBody* body = &rig->model.bodies[i];
        assert_int_equal( joWorld_IsBodyAlive( rig->world, body->id ), body->isAlive );
        if ( !body->isAlive )
        {
            assert_int_equal( joWorld_SetBodyEnabled( rig->world, body->id, false ), jo_errorStaleId );
            assert_int_equal( joWorld_DestroyBody( rig->world, body->id ), jo_errorStaleId );
        }
    }
    for ( uint32_t i = 0; i < rig->model.colliderCount; ++i )
    {
        const modelCollider* collider = &rig->model.colliders[i];
        assert_int_equal( joWorld_IsColliderAlive( rig->world, collider->id ), collider->isAlive );
        if ( !collider->isAlive )
        {
            assert_int_equal( joWorld_DestroyCollider( rig->world, collider->id ), jo_errorStaleId );
        }
    }
}

void worldRigOperate( worldRig* rig )
{
    const uint32_t what = rigBelow( rig, 15 );
    modelBody* body = anyBody( rig );
    modelCollider* collider = anyCollider( rig );
    if ( what < 3 )
    {
        addBody( rig );
    }
    else if ( what < 4 )
    {
        addCollider( rig );
    }
    else if ( what < 6 )
    {
        destroySome( rig );
    }
    else if ( what < 9 && body != NULL )
    {
        changeBody( rig, body );
    }
    else if ( what < 12 && collider != NULL )
    {
        changeCollider( rig, collider );
    }
    else if ( what < 13 )
    {
        worldRigStep( rig );
    }
    else if ( what < 14 )
    {
        rigSaveOrLoad( rig );
    }
    else
    {
        useStaleIds( rig );
    }
}

static void compareList(
    worldRig* rig, const char* name, const joContactEvent* events, uint64_t count, const modelList* expected )
{
    bool isSame = count == expected->count;
    for ( uint64_t i = 0; i < count && isSame; ++i )
    {
        isSame = modelIsSameEvent( events + i, expected->events + i );
    }
    if ( !isSame )
    {
        print_error( "%s differ in step %" PRIu64 ": %" PRIu64 " there, %u expected\n", name, rig->stepCount,
            count, expected->count );
    }
    assert_true( isSame );
    rig->eventCount += count;
    for ( uint64_t i = 0; i < count; ++i )
    {
        rig->hash = hashBytes( rig->hash, &events[i].bodyA, 2 * sizeof( joBodyId ) );
        rig->hash = hashBytes( rig->hash, events[i].point, sizeof( events[i].point ) );
    }
}

static void compareEvents( worldRig* rig )
{
    for ( int isTrigger = 0; isTrigger < 2; ++isTrigger )
    {
        for ( int granularity = 0; granularity < 2; ++granularity )
        {
            joContactEvents events;
            kitRequire( isTrigger
                            ? joWorld_GetTriggerEvents( rig->world, (joGranularity)granularity, &events )
                            : joWorld_GetContactEvents( rig->world, (joGranularity)granularity, &events ),
                "events" );
            const modelList* expected = rig->model.lists[isTrigger][granularity];
            compareList( rig, "enters", events.enters, events.enterCount, &expected[model_enters] );
            compareList( rig, "stays", events.stays, events.stayCount, &expected[model_stays] );
            compareList( rig, "exits", events.exits, events.exitCount, &expected[model_exits] );
        }
    }
}

// Into a buffer of any size: the first ones in order, and how many there are.
static void compareContacts( worldRig* rig )
{
    static joContactEvent contacts[64], expected[MODEL_MAX];
    const modelBody* body = anyBody( rig );
    if ( body == NULL )
    {
        return;
    }
    const uint64_t capacity = rigBelow( rig, 8 );
    uint64_t count = 0;
    kitRequire(
        joWorld_GetContacts( rig->world, body->id, contacts, capacity, &count ), "joWorld_GetContacts" );
    assert_int_equal( count, modelGetContacts( &rig->model, body->id, expected ) );
    for ( uint64_t i = 0; i < count && i < capacity; ++i )
    {
        assert_true( modelIsSameEvent( contacts + i, expected + i ) );
    }
}

static bool sleeps( const worldRig* rig, const modelBody* body )
{
    joBodyDef2 def2;
    joBodyDef3 def3;
    if ( rig->model.def.dimension == 2 )
    {
        return joWorld_GetBody2( rig->world, body->id, &def2 ) == jo_success && !def2.isAwake;
    }
    return joWorld_GetBody3( rig->world, body->id, &def3 ) == jo_success && !def3.isAwake;
}

static void compareSleepers( worldRig* rig )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < rig->model.bodyCount; ++i )
    {
        modelBody* body = &rig->model.bodies[i];
        const bool isAsleep = sleeps( rig, body );
        if ( rig->failsAtTimes && !isAsleep )
        {
            body->isAsleep = false; // who cannot be parked for want of memory stays awake
        }
        assert_int_equal( isAsleep, body->isAsleep && body->isEnabled );
        count += isAsleep ? 1 : 0;
    }
    assert_int_equal( joWorld_GetStats( rig->world ).sleepingBodyCount, count );
    rig->sleeperCount += count;
}

void worldRigStep( worldRig* rig )
{
    rig->stepCount += 1;
    compareContacts( rig );
    const float dt = rigBetween( rig, 0.001f, 0.05f );
    rigBeginOperation( rig );
    if ( !rigEndOperation( rig, joWorld_Step( rig->world, dt ) ) )
    {
        compareEvents( rig ); // those of the step before are still there
        kitRequire( joWorld_Step( rig->world, dt ), "joWorld_Step once more" );
    }
    assert_true( modelStep( &rig->model, rig->world, dt ) );
    compareEvents( rig );
    compareContacts( rig );
    compareSleepers( rig );
    if ( rig->stepCount % 16 == 0 )
    {
        assert_true( joWorld_Validate( rig->world ) );
    }
}
