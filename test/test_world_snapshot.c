// SPDX-License-Identifier: MIT
// Snapshots of the world: a step after a load is the step that would have been; bytes that are none are
// refused.
#include "support/world_kit.h"
#include "support/world_rig.h"
#include "test_support.h"
#include "world/snapshot.h"

static uint64_t s_seed;

// --- steps ---

// Runs random operations; moves to a new world of another kind now and then. Hash of all events, and at last
// of the bytes.
static uint64_t runSession( int dimension, uint64_t seed, uint64_t operations, bool movesHouse )
{
    worldRig* rig = malloc( sizeof( worldRig ) );
    const joWorldDef def = worldRigDef( dimension );
    uint64_t random = seed + 1;
    worldRigInit( rig, &def, seed );
    for ( uint64_t i = 0; i < operations; ++i )
    {
        if ( movesHouse && randomBelow( &random, 4 ) == 0 )
        {
            const joBroadPhaseDef kind =
                kitDef( &kitVariants[randomBelow( &random, KIT_VARIANT_COUNT )], dimension );
            rigChangeWorlds( rig, &kind, kitJobs( 1 + randomBelow( &random, 4 ) ) );
        }
        worldRigOperate( rig );
    }
    worldRigStep( rig );
    // A long one has seen everything.
    assert_true( operations < 2000 || rig->eventCount > operations / 8 );
    assert_true( operations < 2000 || rig->sleeperCount > operations / 100 );
    assert_true( !movesHouse || rig->loadCount > operations / 8 );
    const uint64_t size = rigSave( rig, rig->savedAgain );
    const uint64_t hash = hashBytes( rig->hash, rig->savedAgain, size );
    worldRigFree( rig );
    free( rig );
    return hash;
}

static void stepsAfterLoadsInOtherKindsOfWorldAreTheStepsWithout( void** state )
{
    (void)state;
    const uint64_t operations = kitQuick() ? 300 : 3000;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        const uint64_t seed = s_seed + (uint64_t)dimension;
        assert_int_equal( runSession( dimension, seed, operations, true ),
            runSession( dimension, seed, operations, false ) );
    }
}

// --- a world by hand ---

static joContactEvents eventsOf( const joWorld* world )
{
    joContactEvents events;
    kitRequire( joWorld_GetContactEvents( world, jo_perCollider, &events ), "joWorld_GetContactEvents" );
    return events;
}

static void whatWasDestroyedBeforeASaveExitsAfterTheLoadOnce( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    unsigned char bytes[4096];
    const joBodyId a = kitAddDisc( world, 0.0f, NULL ), b = kitAddDisc( world, 1.5f, NULL );
    kitRequire( joWorld_SetBodyUserData( world, b, 77 ), "user data" );
    kitStepWorld( world );
    kitRequire( joWorld_DestroyBody( world, b ), "destroy" );
    const uint64_t size = kitSaveWorld( world, bytes, sizeof( bytes ) );
    for ( int i = 0; i < 2; ++i )
    {
        kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
        assert_int_equal( eventsOf( world ).enterCount + eventsOf( world ).exitCount, 0 );
        kitStepWorld( world );
        assert_int_equal( eventsOf( world ).exitCount, 1 );
        assert_int_equal( eventsOf( world ).exits[0].bodyA.bits, a.bits );
        assert_int_equal( eventsOf( world ).exits[0].bodyB.bits, b.bits );
        assert_int_equal( eventsOf( world ).exits[0].userDataB, 77 );
        kitStepWorld( world );
        assert_int_equal( eventsOf( world ).exitCount, 0 );
    }
    joDestroyWorld( world );
}

static void idsGivenOutAfterASaveAreUnknownAfterTheLoadAndGivenOutAgain( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    unsigned char bytes[4096];
    const joBodyId first = kitAddDisc( world, 0.0f, NULL ), second = kitAddDisc( world, 5.0f, NULL );
    kitRequire( joWorld_DestroyBody( world, first ), "destroy" );
    const uint64_t size = kitSaveWorld( world, bytes, sizeof( bytes ) );
    joBodyId later[3];
    for ( int i = 0; i < 3; ++i )
    {
        later[i] = kitAddDisc( world, 10.0f, NULL );
    }
    kitRequire( joWorld_DestroyBody( world, second ), "destroy" );
    kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
    assert_true( joWorld_IsBodyAlive( world, second ) );
    assert_false( joWorld_IsBodyAlive( world, first ) );
    for ( int i = 0; i < 3; ++i )
    {
        assert_false( joWorld_IsBodyAlive( world, later[i] ) );
    }
    for ( int i = 0; i < 3; ++i )
    {
        assert_int_equal( kitAddDisc( world, 10.0f, NULL ).bits, later[i].bits );
    }
    joDestroyWorld( world );
}

#define ROOM 8192

// --- pushed bodies ---

// A crowd that is driven together, some of it sliding; who stands alone falls asleep.
static joWorld* makeCrowd( const joBroadPhaseDef* broadPhase, joJobs* jobs )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.sleepTime = 0.05f;
    def.broadPhase = *broadPhase;
    def.jobs = jobs;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

static void fillCrowd( joWorld* world, uint64_t random )
{
    joColliderDef2 colliderDef = kitDisc( 0.5f );
    const joBodyColumns one = { .count = 1 };
    for ( int i = 0; i < 150; ++i )
    {
        joBodyDef2 def = joDefaultBodyDef2();
        def.response = i % 7 == 3 ? jo_slide : jo_push;
        def.mass = 1.0f + (float)( i % 3 );
        def.type = i % 10 == 0 ? jo_staticBody : jo_dynamicBody;
        def.pose.position.x = 0.01f * (float)randomBelow( &random, 1500 );
        def.pose.position.y = 0.01f * (float)randomBelow( &random, 1500 );
        def.velocity.x = i % 2 == 0 ? 3.0f - 0.4f * def.pose.position.x : 0.0f;
        colliderDef.shape = i % 4 == 1 ? ( joShape2 ){ .kind = jo_capsuleShape2,
                                             .capsule = { { -0.3f, 0.0f }, { 0.3f, 0.0f }, 0.3f } }
                                       : kitDisc( 0.5f ).shape;
        kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "create" );
    }
}

static uint64_t runCrowd( uint64_t seed, bool movesHouse )
{
    static unsigned char bytes[1 << 18];
    uint64_t random = seed, size = 0, sleepers = 0;
    joBroadPhaseDef kind = kitDef( &kitVariants[0], 2 );
    joWorld* world = makeCrowd( &kind, NULL );
    fillCrowd( world, seed );
    for ( int step = 0; step < 40; ++step )
    {
        kitStepWorld( world );
        sleepers += joWorld_GetStats( world ).sleepingBodyCount;
        size = kitSaveWorld( world, bytes, sizeof( bytes ) );
        if ( movesHouse )
        {
            joDestroyWorld( world );
            kind = kitDef( &kitVariants[randomBelow( &random, KIT_VARIANT_COUNT )], 2 );
            world = makeCrowd( &kind, kitJobs( 1 + randomBelow( &random, 4 ) ) );
            kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
        }
    }
    assert_true( sleepers > 100 );
    joDestroyWorld( world );
    return hashBytes( 0, bytes, size );
}

static void crowdThatIsLoadedBetweenItsStepsIsPushedAndSlidesAsEver( void** state )
{
    (void)state;
    for ( uint64_t seed = s_seed; seed < s_seed + ( kitQuick() ? 1 : 8 ); ++seed )
    {
        assert_int_equal( runCrowd( seed, true ), runCrowd( seed, false ) );
    }
}

static void timeThatWaitsForAStepIsSaved( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    unsigned char bytes[512];
    uint32_t due = 0;
    kitRequire( joWorld_AddTime( world, 0.025, &due, NULL ), "joWorld_AddTime" );
    const float share = joWorld_GetWaitingShare( world );
    const uint64_t size = kitSaveWorld( world, bytes, sizeof( bytes ) );
    kitRequire( joWorld_StepFixed( world ), "joWorld_StepFixed" );
    kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
    assert_true( joWorld_GetWaitingShare( world ) == share );
    joDestroyWorld( world );
}

// --- shapes that point to something ---

static joBodyId addShape( joWorld* world, joShape2 shape, float x, joColliderId* collider )
{
    const joBodyColumns one = { .count = 1 };
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    joBodyId body = { 0 };
    def.pose.position.x = x;
    colliderDef.shape = shape;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, &body, collider, NULL ), "create" );
    return body;
}

static joShape2 polygonShape( const joPolygon2* polygon )
{
    return ( joShape2 ){ .kind = jo_polygonShape2, .polygon = polygon };
}

static void shapesAreWhatStandsInTheRowAtTheLoad( void** state )
{
    (void)state;
    joPolygon2 here[2] = { joMakeBox2( 1.0f, 1.0f ), joMakeBox2( 2.0f, 2.0f ) };
    const joPolygon2 there[2] = { here[0], here[1] };
    const joShape2 rowsHere[3] = { { .kind = jo_circleShape2, .circle = { .radius = 1.0f } },
        polygonShape( &here[0] ), polygonShape( &here[1] ) };
    const joShape2 rowsThere[3] = { rowsHere[0], polygonShape( &there[0] ), polygonShape( &there[1] ) };
    joShapeTable table = { { rowsHere, sizeof( joShape2 ) }, 3 };
    joWorld *world = kitMakeWorld( 2 ), *other = kitMakeWorld( 2 );
    unsigned char bytes[ROOM];
    uint64_t size = 0;
    joColliderId colliders[2], unknown;
    addShape( world, rowsHere[2], 0.0f, &colliders[0] );
    addShape( world, rowsHere[1], 2.5f, &colliders[1] );

    table.count = 2; // the second one is missing
    assert_int_equal( joWorld_Save( world, &table, bytes, ROOM, &size, &unknown ), jo_errorUnknownShape );
    assert_int_equal( unknown.bits, colliders[0].bits );
    assert_int_equal( joWorld_Save( world, NULL, bytes, ROOM, &size, NULL ), jo_errorUnknownShape );
    table.count = 3;
    kitRequire( joWorld_Save( world, &table, bytes, ROOM, &size, &unknown ), "joWorld_Save" );
    assert_int_equal( unknown.bits, 0 );

    table.count = 2;
    assert_int_equal( joWorld_Load( other, &table, bytes, size ), jo_errorUnknownShape );
    assert_int_equal( joWorld_Load( other, NULL, bytes, size ), jo_errorUnknownShape );
    table = ( joShapeTable ){ { rowsHere, 0 }, 3 }; // all rows are circles
    assert_int_equal( joWorld_Load( other, &table, bytes, size ), jo_errorUnknownShape );
    const joShape2 bad[3] = { rowsHere[0], rowsHere[1], polygonShape( NULL ) };
    table = ( joShapeTable ){ { bad, sizeof( joShape2 ) }, 3 };
    assert_int_equal( joWorld_Load( other, &table, bytes, size ), jo_errorNullArgument );
    assert_int_equal( joWorld_GetStats( other ).bodyCount, 0 );

    table = ( joShapeTable ){ { rowsThere, sizeof( joShape2 ) }, 3 };
    kitRequire( joWorld_Load( other, &table, bytes, size ), "joWorld_Load" );
    joColliderDef2 def;
    kitRequire( joWorld_GetCollider2( other, colliders[0], &def, NULL ), "collider" );
    assert_ptr_equal( def.shape.polygon, &there[1] );
    kitRequire( joWorld_GetCollider2( other, colliders[1], &def, NULL ), "collider" );
    assert_ptr_equal( def.shape.polygon, &there[0] );
    joDestroyWorld( world );
    memset( here, 0xFF, sizeof( here ) ); // nothing of it is looked at any more
    kitStepWorld( other );
    assert_int_equal( eventsOf( other ).enterCount, 1 );
    joDestroyWorld( other );
}

// More rows than any list of what was used last holds, in an order that is not that of the colliders.
static void manyRowsAreFoundWithAndWithoutMemory( void** state )
{
    (void)state;
    enum
    {
        ROWS = 600
    };
    static joPolygon2 polygons[ROWS];
    static joShape2 rows[ROWS];
    static unsigned char bytes[1 << 20];
    for ( int fails = 0; fails < 2; ++fails )
    {
        kitHeap heap = { 0 };
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.allocator = kitAllocator( &heap );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joColliderId colliders[ROWS];
        for ( uint32_t i = 0; i < ROWS; ++i )
        {
            polygons[i] = joMakeBox2( 1.0f, 1.0f );
            rows[i] = polygonShape( &polygons[i] );
        }
        for ( uint32_t i = 0; i < ROWS; ++i )
        {
            addShape( world, rows[i * 7 % ROWS], 4.0f * (float)i, &colliders[i] );
        }
        const joShapeTable table = { { rows, sizeof( joShape2 ) }, ROWS };
        uint64_t size = 0;
        heap.failFrom = fails ? heap.allocations + 1 : 0;
        kitRequire( joWorld_Save( world, &table, bytes, sizeof( bytes ), &size, NULL ), "joWorld_Save" );
        heap.failFrom = 0;
        kitRequire( joWorld_Load( world, &table, bytes, size ), "joWorld_Load" );
        for ( uint32_t i = 0; i < ROWS; ++i )
        {
            joColliderDef2 made;
            kitRequire( joWorld_GetCollider2( world, colliders[i], &made, NULL ), "collider" );
            assert_ptr_equal( made.shape.polygon, &polygons[i * 7 % ROWS] );
        }
        joDestroyWorld( world );
    }
}

// --- room ---

static uint64_t sizeWith( int dimension, uint32_t bodyCount, bool hasColliders )
{
    joWorld* world = kitMakeWorld( dimension );
    const joBodyDef2 bodyDef2 = joDefaultBodyDef2();
    const joBodyDef3 bodyDef3 = joDefaultBodyDef3();
    const joColliderDef2 colliderDef2 = kitDisc( 1.0f );
    joColliderDef3 colliderDef3 = joDefaultColliderDef3();
    colliderDef3.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    const joBodyColumns many = { .count = bodyCount };
    kitRequire( dimension == 2 ? joWorld_CreateBodies2( world, &bodyDef2, hasColliders ? &colliderDef2 : NULL,
                                     &many, NULL, NULL, NULL )
                               : joWorld_CreateBodies3( world, &bodyDef3, hasColliders ? &colliderDef3 : NULL,
                                     &many, NULL, NULL, NULL ),
        "create" );
    uint64_t size = 0;
    kitRequire( joWorld_Save( world, NULL, NULL, 0, &size, NULL ), "joWorld_Save" );
    joDestroyWorld( world );
    return size;
}

// The numbers of world_snapshot.h.
static void sizesAreAtMostWhatIsSaid( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        const uint64_t most = dimension == 2 ? 128 : 160;
        const uint64_t empty = sizeWith( dimension, 0, false ), bodies = sizeWith( dimension, 1000, false );
        const uint64_t colliders = sizeWith( dimension, 1000, true );
        print_message( "%dD: %g bytes a body, %g a collider, %g besides\n", dimension,
            (double)( bodies - empty ) / 1000.0, (double)( colliders - bodies ) / 1000.0, (double)empty );
        assert_true( empty <= 256 && bodies - empty <= 1000 * most && colliders - bodies <= 1000 * most );
        assert_true( sizeof( joContact ) + sizeof( joPairSlot ) + sizeof( uint32_t ) <= 160 );
        assert_true( sizeof( joPairSlot ) <= 32 && sizeof( joSlide ) <= 96 );
    }
}

// Five steps back and five again, as a game does whose players' moves come late.
static void windingBackAllocatesNothingInASteadyState( void** state )
{
    (void)state;
    enum
    {
        DEPTH = 5,
        BODIES = 200
    };
    static unsigned char saves[DEPTH][1 << 17];
    for ( uint32_t kind = 0; kind < KIT_VARIANT_COUNT; kind += kitQuick() ? 3 : 1 )
    {
        kitHeap heap = { 0 };
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.broadPhase = kitDef( &kitVariants[kind], 2 );
        def.allocator = kitAllocator( &heap );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        joBodyId bodies[BODIES];
        for ( int i = 0; i < BODIES; ++i )
        {
            bodies[i] = kitAddDisc( world, 1.9f * (float)i, NULL );
        }
        uint64_t sizes[DEPTH], allocations = 0;
        for ( int frame = 0; frame < 40; ++frame )
        {
            allocations = frame == 20 ? heap.allocations : allocations;
            for ( int i = 0; i < BODIES; i += 3 )
            {
                const joVec2 velocity = { 10.0f * (float)( ( frame + i ) % 3 - 1 ), 0.0f };
                kitRequire( joWorld_SetVelocity2( world, bodies[i], velocity ), "velocity" );
            }
            for ( int step = 0; step < DEPTH; ++step )
            {
                sizes[step] = kitSaveWorld( world, saves[step], sizeof( saves[step] ) );
                kitStepWorld( world );
            }
            kitRequire( joWorld_Load( world, NULL, saves[0], sizes[0] ), "joWorld_Load" );
            for ( int step = 0; step < DEPTH; ++step )
            {
                static unsigned char again[1 << 17];
                assert_int_equal( kitSaveWorld( world, again, sizeof( again ) ), sizes[step] );
                assert_memory_equal( again, saves[step], sizes[step] );
                kitStepWorld( world );
            }
        }
        assert_int_equal( heap.allocations, allocations );
        joDestroyWorld( world );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "steps after loads in other kinds of world are the steps without",
            stepsAfterLoadsInOtherKindsOfWorldAreTheStepsWithout ),
        TEST( "what was destroyed before a save exits after the load, once",
            whatWasDestroyedBeforeASaveExitsAfterTheLoadOnce ),
        TEST( "ids given out after a save are unknown after the load, and given out again",
            idsGivenOutAfterASaveAreUnknownAfterTheLoadAndGivenOutAgain ),
        TEST( "a crowd that is loaded between its steps is pushed and slides as ever",
            crowdThatIsLoadedBetweenItsStepsIsPushedAndSlidesAsEver ),
        TEST( "time that waits for a step is saved", timeThatWaitsForAStepIsSaved ),
        TEST( "shapes are what stands in the row at the load", shapesAreWhatStandsInTheRowAtTheLoad ),
        TEST( "many rows are found with and without memory", manyRowsAreFoundWithAndWithoutMemory ),
        TEST( "sizes are at most what is said", sizesAreAtMostWhatIsSaid ),
        TEST( "winding back allocates nothing in a steady state", windingBackAllocatesNothingInASteadyState ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
