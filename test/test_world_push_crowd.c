// SPDX-License-Identifier: MIT
// Crowds through the world's step: what overlap is left, walls, the slow reference, the same bits whatever
// runs it, and steps that fail.
#include "reference/push_reference.h"
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

static uint64_t s_seed;

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

#define RADIUS 0.5f
#define DT ( 1.0f / 60.0f )

// Discs of radius 0.5 in a walled square, without overlap at the start.
typedef struct Crowd
{
    joWorld* world;
    joPolygon2 walls[4];
    uint32_t count;
    float side;
    joBodyId* ids;
    joTransform2* poses;
    joVec2* velocities;
} Crowd;

static void addWalls( Crowd* crowd, float thickness, float restitution )
{
    for ( int i = 0; i < 4; ++i )
    {
        const bool isUpright = i < 2;
        const float half = 0.5f * thickness, along = 0.5f * crowd->side + thickness;
        const float across = i % 2 == 0 ? -half : crowd->side + half;
        joBodyDef2 def = joDefaultBodyDef2();
        def.type = jo_staticBody;
        def.pose.position =
            isUpright ? ( joVec2 ){ across, 0.5f * crowd->side } : ( joVec2 ){ 0.5f * crowd->side, across };
        crowd->walls[i] = isUpright ? joMakeBox2( half, along ) : joMakeBox2( along, half );
        joColliderDef2 colliderDef = joDefaultColliderDef2();
        colliderDef.shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &crowd->walls[i] };
        colliderDef.material.restitution = restitution;
        joBodyId body = { 0 };
        joColliderId collider = { 0 };
        kitRequire( joWorld_CreateBody2( crowd->world, &def, &body ), "create" );
        kitRequire( joWorld_CreateCollider2( crowd->world, body, &colliderDef, &collider ), "create" );
    }
}

// In place, for shapes point to its walls.
static void makeCrowd( Crowd* crowd, const joWorldDef* def, uint32_t count, float packing, float restitution )
{
    *crowd = ( Crowd ){ .count = count };
    kitRequire( joCreateWorld( def, &crowd->world ), "joCreateWorld" );
    crowd->side = sqrtf( (float)count * 3.14159265f * RADIUS * RADIUS / packing );
    crowd->ids = calloc( count, sizeof( joBodyId ) );
    crowd->poses = calloc( count, sizeof( joTransform2 ) );
    crowd->velocities = calloc( count, sizeof( joVec2 ) );
    assert_true( crowd->ids != NULL && crowd->poses != NULL && crowd->velocities != NULL );
    uint64_t random = s_seed;
    const uint32_t columns = (uint32_t)ceilf( sqrtf( (float)count ) );
    const float cell = crowd->side / (float)columns, room = 0.5f * cell - RADIUS;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t place =
            (uint32_t)( (uint64_t)i * 7919u % count ); // neighbours are far apart in memory
        crowd->poses[i] = ( joTransform2 ){
            { ( (float)( place % columns ) + 0.5f ) * cell + between( &random, -room, room ),
                ( (float)( place / columns ) + 0.5f ) * cell + between( &random, -room, room ) },
            { 1.0f, 0.0f } };
        const float angle = between( &random, 0.0f, 6.2831853f );
        crowd->velocities[i] = ( joVec2 ){ 2.0f * cosf( angle ), 2.0f * sinf( angle ) };
    }
    addWalls( crowd, 2.0f, restitution );
    joBodyDef2 bodyDef = joDefaultBodyDef2();
    bodyDef.response = jo_push;
    joColliderDef2 colliderDef = kitDisc( RADIUS );
    colliderDef.material.restitution = restitution;
    const joBodyColumns columnsOfAll = { .pose = { crowd->poses, sizeof( joTransform2 ) },
        .velocity = { crowd->velocities, sizeof( joVec2 ) },
        .count = count };
    kitRequire(
        joWorld_CreateBodies2( crowd->world, &bodyDef, &colliderDef, &columnsOfAll, crowd->ids, NULL, NULL ),
        "create" );
}

static void freeCrowd( Crowd* crowd )
{
    joDestroyWorld( crowd->world );
    free( crowd->ids );
    free( crowd->poses );
    free( crowd->velocities );
}

static void readCrowd( Crowd* crowd )
{
    const joMutableBodyColumns columns = { .pose = { crowd->poses, sizeof( joTransform2 ) },
        .velocity = { crowd->velocities, sizeof( joVec2 ) },
        .count = crowd->count };
    kitRequire( joWorld_GetBodies2( crowd->world, crowd->ids, &columns, NULL ), "joWorld_GetBodies2" );
}

// By a grid of its own: the deepest overlap of two discs, or of a disc with a wall.
static double deepestOf( const Crowd* crowd )
{
    const uint32_t columns = (uint32_t)crowd->side + 1;
    uint32_t* first = malloc( ( (size_t)columns * columns + crowd->count ) * sizeof( uint32_t ) );
    assert_non_null( first );
    memset( first, 0xFF, (size_t)columns * columns * sizeof( uint32_t ) );
    uint32_t* next = first + (size_t)columns * columns;
    double deepest = 0.0;
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        const double x = (double)crowd->poses[i].position.x, y = (double)crowd->poses[i].position.y;
        const double side = (double)crowd->side, radius = (double)RADIUS;
        deepest = fmax( fmax( deepest, radius - fmin( x, y ) ), fmax( x, y ) + radius - side );
        assert_true( x > 0.0 && x < side && y > 0.0 && y < side );
        const int cellX = (int)x, cellY = (int)y;
        for ( int k = 0; k < 9; ++k )
        {
            const int atX = cellX + k % 3 - 1, atY = cellY + k / 3 - 1;
            uint32_t j = atX < 0 || atY < 0 || atX >= (int)columns || atY >= (int)columns
                             ? JO_NULL_INDEX
                             : first[(uint32_t)atY * columns + (uint32_t)atX];
            for ( ; j != JO_NULL_INDEX; j = next[j] )
            {
                const double distance =
                    hypot( x - (double)crowd->poses[j].position.x, y - (double)crowd->poses[j].position.y );
                deepest = fmax( deepest, 2.0 * radius - distance );
            }
        }
        next[i] = first[(uint32_t)cellY * columns + (uint32_t)cellX];
        first[(uint32_t)cellY * columns + (uint32_t)cellX] = i;
    }
    free( first );
    return deepest;
}

static joWorldDef crowdDef( uint32_t iterations, float margin )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.pushIterations = iterations;
    def.pushMargin = margin;
    return def;
}

static void ofTenThousandDiscsNoneIsLeftInAnother( void** state )
{
    (void)state;
    const joWorldDef def = crowdDef( 24, 0.2f );
    Crowd crowd;
    makeCrowd( &crowd, &def, 10000, 0.3f, 1.0f );
    uint64_t entered = 0;
    for ( int i = 0; i < ( kitQuick() ? 25 : 100 ); ++i )
    {
        kitRequire( joWorld_Step( crowd.world, DT ), "joWorld_Step" );
        readCrowd( &crowd );
        const double deepest = deepestOf( &crowd );
        if ( deepest > 0.01 * (double)RADIUS )
        {
            print_error( "step %d: an overlap of %g\n", i, deepest );
            fail();
        }
        joContactEvents events;
        kitRequire( joWorld_GetContactEvents( crowd.world, jo_perBody, &events ), "events" );
        entered += events.enterCount;
    }
    assert_true( entered > 1000 );
    assert_true( joWorld_Validate( crowd.world ) );
    freeCrowd( &crowd );
}

// All run for a point outside of the walls, as fast as eight times the margin a step.
static void aCrowdThatPressesOnAWallDoesNotCrossIt( void** state )
{
    (void)state;
    const joWorldDef def = crowdDef( 8, 0.1f );
    Crowd crowd;
    makeCrowd( &crowd, &def, 500, 0.3f, 0.0f );
    for ( int i = 0; i < 120; ++i )
    {
        for ( uint32_t k = 0; k < crowd.count; ++k )
        {
            crowd.velocities[k] = ( joVec2 ){ i < 60 ? -20.0f : -2.0f, i < 60 ? 40.0f : 2.0f };
        }
        const joBodyColumns columns = {
            .velocity = { crowd.velocities, sizeof( joVec2 ) }, .count = crowd.count };
        kitRequire( joWorld_SetBodies2( crowd.world, crowd.ids, &columns, NULL ), "set" );
        kitRequire( joWorld_Step( crowd.world, DT ), "joWorld_Step" );
        readCrowd( &crowd );
        deepestOf( &crowd ); // which sees that all centres are inside
    }
    freeCrowd( &crowd );
}

static void thePushIsThatOfTheReference( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int round = 0; round < 20; ++round )
    {
        const int dimension = 2 + round % 2;
        const float margin = 0.2f;
        const uint32_t iterations = 1 + randomBelow( &random, 8 );
        joWorldDef def = crowdDef( iterations, margin );
        def.dimension = dimension;
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        ReferenceBody bodies[120];
        joBodyId ids[120];
        const uint32_t perRow = dimension == 2 ? 11 : 5;
        for ( uint32_t i = 0; i < 120; ++i )
        {
            // A lattice that is a little too narrow.
            const uint32_t cell[3] = { i % perRow, i / perRow % perRow, i / perRow / perRow };
            const float radius = between( &random, 0.42f, 0.5f ), mass = between( &random, 0.5f, 4.0f );
            const bool isStill = randomBelow( &random, 8 ) == 0;
            float position[3] = { 0.0f, 0.0f, 0.0f };
            for ( int axis = 0; axis < dimension; ++axis )
            {
                position[axis] = 0.85f * (float)( cell[axis] ) + between( &random, -0.02f, 0.02f );
                position[axis] += dimension == 2 && axis == 1 ? (float)( 11 * cell[2] ) : 0.0f;
            }
            bodies[i] = ( ReferenceBody ){ { (double)position[0], (double)position[1], (double)position[2] },
                (double)radius, isStill ? 0.0 : (double)( 1.0f / mass ) };
            joResult result;
            joColliderId collider = { 0 };
            if ( dimension == 2 )
            {
                joBodyDef2 bodyDef = joDefaultBodyDef2();
                bodyDef.pose.position = ( joVec2 ){ position[0], position[1] };
                bodyDef.response = isStill ? jo_detect : jo_push;
                bodyDef.mass = mass;
                const joColliderDef2 colliderDef = kitDisc( radius );
                result = joWorld_CreateBody2( world, &bodyDef, &ids[i] );
                result = result ? result : joWorld_CreateCollider2( world, ids[i], &colliderDef, &collider );
            }
            else
            {
                joBodyDef3 bodyDef = joDefaultBodyDef3();
                bodyDef.pose.position = ( joVec3 ){ position[0], position[1], position[2] };
                bodyDef.response = isStill ? jo_detect : jo_push;
                bodyDef.mass = mass;
                joColliderDef3 colliderDef = joDefaultColliderDef3();
                colliderDef.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = radius } };
                result = joWorld_CreateBody3( world, &bodyDef, &ids[i] );
                result = result ? result : joWorld_CreateCollider3( world, ids[i], &colliderDef, &collider );
            }
            kitRequire( result, "create" );
        }
        kitRequire( joWorld_Step( world, DT ), "joWorld_Step" );
        uint64_t overlaps = 0;
        assert_true( referenceDeepest( bodies, 120, dimension, &overlaps ) > 0.02 && overlaps > 50 );
        referencePush( bodies, 120, dimension, (double)margin, iterations );
        for ( uint32_t i = 0; i < 120; ++i )
        {
            joVec3 at = { 0.0f, 0.0f, 0.0f };
            if ( dimension == 2 )
            {
                const joVec2 flat = kitPoseOf( world, ids[i] ).position;
                at = ( joVec3 ){ flat.x, flat.y, 0.0f };
            }
            else
            {
                joTransform3 pose;
                kitRequire( joWorld_GetPose3( world, ids[i], &pose ), "joWorld_GetPose3" );
                at = pose.position;
            }
            const double* is = bodies[i].position;
            assert_true( fabs( (double)at.x - is[0] ) < 1e-5 && fabs( (double)at.y - is[1] ) < 1e-5 &&
                         fabs( (double)at.z - is[2] ) < 1e-5 );
        }
        joDestroyWorld( world );
    }
}

// Discs, boxes, bodies of two discs, triggers, walls, of several masses, some asleep, some set moving again.
static uint64_t hashOfMixedScene( joJobs* jobs, const kitVariant* variant, int steps )
{
    joWorldDef def = crowdDef( 6, 0.15f );
    def.broadPhase = kitDef( variant, 2 );
    def.jobs = jobs;
    def.sleepTime = 0.1f;
    def.sleepSpeed = 0.2f;
    Crowd crowd;
    makeCrowd( &crowd, &def, 2000, 0.5f, 0.5f );
    uint64_t random = s_seed;
    const joPolygon2 box = joMakeBox2( 0.4f, 0.3f );
    for ( uint32_t i = 0; i < 600; ++i )
    {
        joBodyDef2 bodyDef = joDefaultBodyDef2();
        bodyDef.response = i % 5 == 0 ? jo_detect : jo_push;
        bodyDef.mass = between( &random, 0.5f, 5.0f );
        bodyDef.linearDamping = 1.0f;
        bodyDef.velocity = ( joVec2 ){ between( &random, -3.0f, 3.0f ), between( &random, -3.0f, 3.0f ) };
        bodyDef.pose.position = ( joVec2 ){
            between( &random, 1.0f, crowd.side - 1.0f ), between( &random, 1.0f, crowd.side - 1.0f ) };
        joBodyId body = { 0 };
        kitRequire( joWorld_CreateBody2( crowd.world, &bodyDef, &body ), "create" );
        for ( uint32_t k = 0; k < 1 + i % 2; ++k )
        {
            joColliderDef2 colliderDef = kitDisc( 0.3f );
            colliderDef.localPose.position.x = 0.4f * (float)k;
            colliderDef.isTrigger = i % 7 == 0;
            if ( i % 3 == 0 )
            {
                colliderDef.shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &box };
            }
            joColliderId collider = { 0 };
            kitRequire( joWorld_CreateCollider2( crowd.world, body, &colliderDef, &collider ), "create" );
        }
    }
    uint64_t hash = 0;
    for ( int i = 0; i < steps; ++i )
    {
        kitRequire( joWorld_Step( crowd.world, DT ), "joWorld_Step" );
        readCrowd( &crowd );
        hash = hashBytes( hash, crowd.poses, crowd.count * sizeof( joTransform2 ) );
        hash = hashBytes( hash, crowd.velocities, crowd.count * sizeof( joVec2 ) );
    }
    assert_true( joWorld_Validate( crowd.world ) );
    freeCrowd( &crowd );
    return hash;
}

static void theBitsAreTheSameForThreadsAndKinds( void** state )
{
    (void)state;
    const int steps = kitQuick() ? 5 : 20;
    const uint64_t expected = hashOfMixedScene( NULL, &kitVariants[0], steps );
    for ( uint32_t i = 1; i < ( KIT_TSAN ? 1 : KIT_VARIANT_COUNT ); ++i )
    {
        assert_int_equal( hashOfMixedScene( NULL, &kitVariants[i], steps ), expected );
    }
    for ( uint32_t workers = 2; workers <= 4; ++workers )
    {
        assert_int_equal(
            hashOfMixedScene( kitJobs( workers ), &kitVariants[workers % KIT_VARIANT_COUNT], steps ),
            expected );
    }
}

static uint64_t hashOf( Crowd* crowd )
{
    readCrowd( crowd );
    const uint64_t hash = hashBytes( 0, crowd->poses, crowd->count * sizeof( joTransform2 ) );
    return hashBytes( hash, crowd->velocities, crowd->count * sizeof( joVec2 ) );
}

static void aStepThatFailsHasPushedNothing( void** state )
{
    (void)state;
    joWorldDef def = crowdDef( 4, 0.1f );
    Crowd twin;
    makeCrowd( &twin, &def, 300, 0.3f, 1.0f );
    for ( int i = 0; i < 30; ++i )
    {
        kitRequire( joWorld_Step( twin.world, DT ), "joWorld_Step" );
    }
    const uint64_t expected = hashOf( &twin );
    freeCrowd( &twin );
    kitHeap heap = { 0 };
    def.allocator = kitAllocator( &heap );
    Crowd crowd;
    makeCrowd( &crowd, &def, 300, 0.3f, 1.0f );
    uint32_t refused = 0;
    for ( int i = 0; i < 30; ++i )
    {
        for ( uint64_t k = 1;; ++k )
        {
            const uint64_t before = hashOf( &crowd );
            heap.failAt = heap.allocations + k;
            const joResult result = joWorld_Step( crowd.world, DT );
            heap.failAt = 0;
            if ( result == jo_success )
            {
                break;
            }
            assert_int_equal( result, jo_errorOutOfMemory );
            assert_int_equal( hashOf( &crowd ), before );
            assert_true( joWorld_Validate( crowd.world ) );
            refused += 1;
        }
    }
    assert_true( refused > 40 );
    assert_int_equal( hashOf( &crowd ), expected );
    freeCrowd( &crowd );
    assert_int_equal( heap.liveBlocks, 0 );
}

static void steadyPushesAllocateNothing( void** state )
{
    (void)state;
    for ( int isFixed = 0; isFixed <= 1; ++isFixed )
    {
        kitHeap heap = { 0 };
        joWorldDef def = crowdDef( 4, 0.1f );
        def.allocator = kitAllocator( &heap );
        def.fixedCapacity = isFixed;
        def.bodyReserve = def.colliderReserve = 504;
        def.pairReserve = def.contactReserve = 3000;
        Crowd crowd;
        makeCrowd( &crowd, &def, 500, 0.3f, 1.0f );
        uint64_t allocations = heap.allocations;
        for ( int i = 0; i < 200; ++i )
        {
            // Structures of the broad phase grow in the first steps, if they may.
            allocations = !isFixed && i == 20 ? heap.allocations : allocations;
            kitRequire( joWorld_Step( crowd.world, DT ), "joWorld_Step" );
        }
        assert_int_equal( heap.allocations, allocations );
        assert_true( joWorld_GetProfile( crowd.world ).push > 0.0 );
        freeCrowd( &crowd );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "of ten thousand discs none is left in another",
            KIT_WITHOUT_THREADS( ofTenThousandDiscsNoneIsLeftInAnother ) ),
        TEST( "a crowd that presses on a wall does not cross it",
            KIT_WITHOUT_THREADS( aCrowdThatPressesOnAWallDoesNotCrossIt ) ),
        TEST( "the push is that of the reference", thePushIsThatOfTheReference ),
        TEST( "the bits are the same for threads and kinds", theBitsAreTheSameForThreadsAndKinds ),
        TEST( "a step that fails has pushed nothing", aStepThatFailsHasPushedNothing ),
        TEST( "steady pushes allocate nothing", KIT_WITHOUT_THREADS( steadyPushesAllocateNothing ) ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
