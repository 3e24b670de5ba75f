// SPDX-License-Identifier: MIT
// Snapshots of the world: bytes that are none, or are of another world, are refused, and the world is as it
// was.
#include "support/world_kit.h"
#include "test_support.h"
#include "world/snapshot.h"

#define ROOM 8192

static uint64_t s_seed;

// Bodies that touch, sleep, ignore each other, stand still and have several colliders, one of them gone.
static joWorld* makeVillage( joWorldDef def )
{
    joWorld* world = NULL;
    def.dimension = 2;
    def.sleepTime = 0.05f;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    joBodyId bodies[9];
    const joColliderDef2 colliderDef = kitDisc( 0.75f );
    for ( int i = 0; i < 9; ++i )
    {
        joColliderId collider;
        bodies[i] = kitAddDisc( world, 1.5f * (float)i, NULL );
        if ( i % 2 == 0 )
        {
            kitRequire( joWorld_CreateCollider2( world, bodies[i], &colliderDef, &collider ), "collider" );
        }
        if ( i % 3 == 0 )
        {
            kitRequire( joWorld_SetVelocity2( world, bodies[i], ( joVec2 ){ 1.0f, (float)i } ), "velocity" );
        }
    }
    kitRequire( joWorld_SetBodyType( world, bodies[1], jo_staticBody ), "type" );
    kitRequire( joWorld_SetBodyEnabled( world, bodies[7], false ), "enabled" );
    kitRequire( joWorld_SetIgnored( world, bodies[3], bodies[4], true ), "ignored" );
    for ( int i = 0; i < 4; ++i )
    {
        kitStepWorld( world );
    }
    kitRequire( joWorld_DestroyBody( world, bodies[5] ), "destroy" );
    assert_true( joWorld_GetStats( world ).sleepingBodyCount > 0 );
    return world;
}

static void assertRefused( joWorld* world, const unsigned char* bytes, uint64_t size, const void* before )
{
    unsigned char after[ROOM];
    const joResult result = joWorld_Load( world, NULL, bytes, size );
    assert_true( result == jo_errorBadSnapshot || result == jo_errorSnapshotVersion );
    assert_memory_equal( before, after, kitSaveWorld( world, after, ROOM ) );
}

static void whatIsCutOffOrDamagedIsRefused( void** state )
{
    (void)state;
    joWorld* world = makeVillage( joDefaultWorldDef() );
    unsigned char bytes[ROOM], before[ROOM];
    uint64_t random = s_seed;
    const uint64_t size = kitSaveWorld( world, bytes, ROOM - 1 );
    kitStepWorld( world );
    kitSaveWorld( world, before, ROOM );
    for ( uint64_t i = 0; i < size; ++i )
    {
        assertRefused( world, bytes, i, before );
        const unsigned char kept = bytes[i];
        bytes[i] ^= (unsigned char)( 1 + randomBelow( &random, 255 ) );
        assertRefused( world, bytes, size, before );
        bytes[i] = kept;
    }
    bytes[size] = 0;
    assertRefused( world, bytes, size + 1, before );
    kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
    joDestroyWorld( world );
}

// One number is replaced by another that may stand there, and the checksum is made to fit.
static void invent( unsigned char* bytes, uint64_t size, uint64_t* random )
{
    const uint64_t at = randomBelow( random, (uint32_t)( size / 4 ) ) * 4;
    const uint32_t values[] = { 0, 1, 2, 3, 7, 12, 13, JO_NULL_INDEX, JO_NULL_INDEX - 1, 0x7FC00000u,
        0x7F800000u, 1u << 24, 0x01010101u };
    uint32_t value = values[randomBelow( random, sizeof( values ) / sizeof( values[0] ) )];
    if ( randomBelow( random, 3 ) == 0 )
    {
        bytes[at + randomBelow( random, 4 )] = (unsigned char)randomBelow( random, 256 );
    }
    else
    {
        if ( randomBelow( random, 3 ) == 0 )
        {
            memcpy( &value, bytes + randomBelow( random, (uint32_t)( size / 4 ) ) * 4, sizeof( value ) );
        }
        memcpy( bytes + at, &value, sizeof( value ) );
    }
    const uint64_t checksum = joSnapshot_Checksum( bytes, size );
    memcpy( bytes + offsetof( joSnapshotHeader, checksum ), &checksum, sizeof( checksum ) );
}

static void whatSomebodyInventedIsRefusedOrIsAWorld( void** state )
{
    (void)state;
    unsigned char bytes[ROOM], invented[ROOM], before[ROOM], after[ROOM];
    joWorld* world = makeVillage( joDefaultWorldDef() );
    uint64_t random = s_seed;
    const uint64_t size = kitSaveWorld( world, bytes, ROOM );
    uint32_t refused = 0, taken = 0;
    for ( int i = 0; i < ( kitQuick() ? 2000 : 8000 ); ++i )
    {
        const uint64_t sizeBefore = kitSaveWorld( world, before, ROOM );
        memcpy( invented, bytes, size );
        invent( invented, size, &random );
        const joResult result = joWorld_Load( world, NULL, invented, size );
        if ( result == jo_success )
        {
            taken += 1;
            assert_true( joWorld_Validate( world ) );
            assert_int_equal( kitSaveWorld( world, after, ROOM ), size );
            kitStepWorld( world );
            assert_true( joWorld_Validate( world ) );
        }
        else
        {
            refused += 1;
            assert_true( result == jo_errorBadSnapshot || result == jo_errorSnapshotVersion ||
                         result == jo_errorSnapshotDef || result == jo_errorUnknownShape );
            assert_int_equal( kitSaveWorld( world, after, ROOM ), sizeBefore );
            assert_memory_equal( before, after, sizeBefore );
        }
    }
    assert_true( refused > 100 && taken > 100 );
    joDestroyWorld( world );
}

static void snapshotOfAnotherDefIsRefused( void** state )
{
    (void)state;
    joWorld* world = makeVillage( joDefaultWorldDef() );
    unsigned char bytes[ROOM];
    const uint64_t size = kitSaveWorld( world, bytes, ROOM );
    for ( int i = 0; i < 13; ++i )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = i == 0 ? 3 : 2;
        def.sleepTime = i == 1 ? 0.1f : 0.05f;
        def.gravity[1] = i == 2 ? 1.0f : 0.0f;
        def.contactMargin = i == 3 ? 0.001f : 0.0f;
        def.leaveMargin = i == 4 ? 0.01f : def.leaveMargin;
        def.sleepSpeed = i == 5 ? 0.1f : 0.0f;
        def.worldNumber = i == 6 ? 1 : 0;
        def.layerMeets[9] = i == 7 ? 1 : UINT64_MAX;
        def.fixedStep = i == 8 ? 0.01f : def.fixedStep;
        def.mostDueSteps = i == 9 ? 3 : def.mostDueSteps;
        def.pushIterations = i == 10 ? 3 : def.pushIterations;
        def.pushMargin = i == 11 ? 0.2f : def.pushMargin;
        // Neither the structure nor what 2D does not look at matter.
        def.broadPhase.kind = jo_bvh;
        def.gravity[2] = 5.0f;
        joWorld* other = NULL;
        kitRequire( joCreateWorld( &def, &other ), "joCreateWorld" );
        assert_int_equal(
            joWorld_Load( other, NULL, bytes, size ), i == 12 ? jo_success : jo_errorSnapshotDef );
        assert_true( joWorld_GetStats( other ).bodyCount == ( i == 12 ? 8u : 0u ) );
        joDestroyWorld( other );
    }
    // A later version, whose bytes may be anything.
    bytes[offsetof( joSnapshotHeader, version )] += 1;
    assert_int_equal( joWorld_Load( world, NULL, bytes, size ), jo_errorSnapshotVersion );
    joDestroyWorld( world );
}

// Lists of free slots that go round, which random bytes hardly make.
static void listsOfFreeSlotsThatGoRoundAreFoundOut( void** state )
{
    (void)state;
    joPairSlot slots[3] = { { .next = { 2 } }, { .next = { JO_NULL_INDEX } }, { .next = { 1 } } };
    const joPairPool counts = { .slotCount = 3, .firstFree = 0 };
    assert_true( joPairPool_Check( slots, &counts, NULL, 0 ) );
    slots[1].next[0] = 0;
    assert_false( joPairPool_Check( slots, &counts, NULL, 0 ) );

    // Generations and 1 + the next one.
    uint32_t ids[3][2] = { { 1, 3 }, { 1, 0 }, { 1, 2 } };
    const joIdPool pool = { .slotCount = 3, .firstFree = 1 };
    assert_true( joIdPool_CheckSlots( ids, &pool ) );
    ids[1][1] = 1;
    assert_false( joIdPool_CheckSlots( ids, &pool ) );
    ids[1][1] = 0;
    ids[2][0] = 0; // an id that would be null
    assert_false( joIdPool_CheckSlots( ids, &pool ) );
}

// --- room ---

static void bufferThatIsTooSmallIsLeftAloneAndTheSizeIsTold( void** state )
{
    (void)state;
    joWorld* world = makeVillage( joDefaultWorldDef() );
    unsigned char bytes[ROOM];
    memset( bytes, 0xAB, ROOM );
    uint64_t size = 0, again = 0;
    kitRequire( joWorld_Save( world, NULL, NULL, 0, &size, NULL ), "joWorld_Save" );
    assert_int_equal( joWorld_Save( world, NULL, bytes, size - 1, &again, NULL ), jo_errorCapacity );
    assert_int_equal( again, size );
    for ( int i = 0; i < ROOM; ++i )
    {
        assert_int_equal( bytes[i], 0xAB );
    }
    kitRequire( joWorld_Save( world, NULL, bytes, size, &again, NULL ), "joWorld_Save" );
    assert_int_equal( bytes[size], 0xAB );
    joDestroyWorld( world );
}

static void fixedCapacityTakesWhatFitsAndRefusesTheRest( void** state )
{
    (void)state;
    joWorldDef def = joDefaultWorldDef();
    joWorld* world = makeVillage( def );
    unsigned char bytes[ROOM];
    const uint64_t size = kitSaveWorld( world, bytes, ROOM );
    joDestroyWorld( world );
    def.dimension = 2;
    def.sleepTime = 0.05f;
    def.fixedCapacity = true;
    def.bodyReserve = 9;
    def.colliderReserve = 14;
    def.ignoredReserve = 1;
    def.pairReserve = def.contactReserve = 32;
    for ( int i = 0; i < 5; ++i )
    {
        joWorldDef tight = def;
        tight.bodyReserve -= i == 0 ? 1 : 0;
        tight.colliderReserve -= i == 1 ? 1 : 0;
        tight.ignoredReserve -= i == 2 ? 1 : 0;
        tight.contactReserve = i == 3 ? 1 : 32;
        kitRequire( joCreateWorld( &tight, &world ), "joCreateWorld" );
        // Other bodies are in the way, and go.
        for ( int k = 0; k < 8; ++k )
        {
            kitAddDisc( world, 100.0f + 5.0f * (float)k, NULL );
        }
        assert_int_equal( joWorld_Load( world, NULL, bytes, size ), i < 4 ? jo_errorCapacity : jo_success );
        assert_true( joWorld_Validate( world ) );
        kitStepWorld( world );
        joDestroyWorld( world );
    }
}

static void whatIsNullIsRefused( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    unsigned char bytes[512];
    uint64_t size = 0;
    const joShapeTable none = { { NULL, 0 }, 1 };
    assert_int_equal( joWorld_Save( NULL, NULL, bytes, 512, &size, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_Save( world, NULL, NULL, 512, &size, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_Save( world, NULL, bytes, 512, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_Save( world, &none, bytes, 512, &size, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_Load( NULL, NULL, bytes, 512 ), jo_errorNullArgument );
    assert_int_equal( joWorld_Load( world, NULL, NULL, 512 ), jo_errorNullArgument );
    assert_int_equal( joWorld_Load( world, &none, bytes, 512 ), jo_errorNullArgument );
    assert_int_equal( joWorld_Load( world, NULL, NULL, 0 ), jo_errorBadSnapshot );
    // A world of nothing is a world.
    size = kitSaveWorld( world, bytes, sizeof( bytes ) );
    kitAddDisc( world, 0.0f, NULL );
    kitRequire( joWorld_Load( world, NULL, bytes, size ), "joWorld_Load" );
    assert_int_equal( joWorld_GetStats( world ).bodyCount, 0 );
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "what is cut off or damaged is refused", whatIsCutOffOrDamagedIsRefused ),
        TEST( "what somebody invented is refused, or is a world", whatSomebodyInventedIsRefusedOrIsAWorld ),
        TEST( "a snapshot of another def is refused", snapshotOfAnotherDefIsRefused ),
        TEST( "a buffer that is too small is left alone, and the size is told",
            bufferThatIsTooSmallIsLeftAloneAndTheSizeIsTold ),
        TEST( "fixed capacity takes what fits and refuses the rest",
            fixedCapacityTakesWhatFitsAndRefusesTheRest ),
        TEST( "what is null is refused", whatIsNullIsRefused ),
        TEST( "lists of free slots that go round are found out", listsOfFreeSlotsThatGoRoundAreFoundOut ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
