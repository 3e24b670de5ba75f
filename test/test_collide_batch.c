// SPDX-License-Identifier: MIT
// Batches of pairs against the single calls, to the bit: all three sorts of answers, boxes alone and all
// kinds of shapes mixed, with any number of threads, lists that end anywhere; and what is refused.
#include "test_support.h"

#include "jostle/collide_batch.h"
#include "narrow_phase/dispatch_3d.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"

#include <float.h>
#include <math.h>

#define MAX_SHAPES 600
#define MAX_PAIRS 5000

static uint64_t s_seed;

typedef struct Scene
{
    joShape3 shapes[MAX_SHAPES];
    joTransform3 poses[MAX_SHAPES];
    joPair pairs[MAX_PAIRS];
    joPlacedShapes3 placed;
    uint32_t pairCount;
} Scene;

static joShape3 anyShape( uint64_t* random, bool onlyBoxes )
{
    const joVec3 sizes = { pairFloatIn( random, 0.3f, 1.0f ), pairFloatIn( random, 0.3f, 1.0f ),
        pairFloatIn( random, 0.3f, 1.0f ) };
    joShape3 shape = { .kind = jo_boxShape3, .box = joMakeBox3( sizes.x, sizes.y, sizes.z ) };
    if ( randomBelow( random, 4 ) == 0 )
    {
        shape.box.localPose = ( joTransform3 ){ pairVectorIn( random, 0.2f ), pairAnyRotation( random ) };
    }
    switch ( onlyBoxes ? 3 : randomBelow( random, 5 ) )
    {
        case 0:
            return ( joShape3 ){
                .kind = jo_sphereShape3, .sphere = { pairVectorIn( random, 0.3f ), sizes.x } };
        case 1:
            return ( joShape3 ){ .kind = jo_capsuleShape3,
                .capsule = { pairVectorIn( random, 0.5f ), pairVectorIn( random, 0.5f ), sizes.y } };
        case 2:
            return ( joShape3 ){ .kind = jo_halfSpaceShape3, .halfSpace = { sizes, -1.0f } };
        default:
            return shape;
    }
}

static bool canMeet( const Scene* scene, joPair pair )
{
    const joShapeKind3 a = scene->shapes[pair.a].kind, b = scene->shapes[pair.b].kind;
    const joPairFunctions3* functions = joFindPairFunctions3( a < b ? a : b, a < b ? b : a );
    return functions->overlap != NULL && functions->collide != NULL;
}

static void makeScene( Scene* scene, uint64_t* random, bool onlyBoxes, uint32_t pairCount )
{
    const uint32_t count = 2 + randomBelow( random, MAX_SHAPES - 1 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        scene->shapes[i] = anyShape( random, onlyBoxes );
        scene->poses[i] = ( joTransform3 ){ pairVectorIn( random, 1.2f ), pairAnyRotation( random ) };
    }
    scene->shapes[1] = anyShape( random, true ); // so that some two can meet
    scene->placed = ( joPlacedShapes3 ){ .shape = { scene->shapes, sizeof( joShape3 ) },
        .pose = { scene->poses, sizeof( joTransform3 ) },
        .count = count };
    for ( scene->pairCount = 0; scene->pairCount < pairCount; )
    {
        const joPair pair = { randomBelow( random, count ), randomBelow( random, count ) };
        scene->pairs[scene->pairCount] = canMeet( scene, pair ) ? pair : ( joPair ){ 1, 1 };
        scene->pairCount += 1;
    }
}

static joManifold3 expectedOf( const Scene* scene, uint32_t i, float margin )
{
    const joPair pair = scene->pairs[i];
    joManifold3 manifold;
    assert_int_equal( joCollide3( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
                          scene->poses + pair.b, margin, NULL, &manifold ),
        jo_success );
    return manifold;
}

static bool bitOf( const uint64_t* bits, uint32_t i )
{
    return bits[i / 64] >> ( i % 64 ) & 1;
}

static void checkOverlaps( joCollideBatch* batch, const Scene* scene )
{
    uint64_t bits[MAX_PAIRS / 64 + 2], hitCount = 1, expectedCount = 0;
    memset( bits, 0xCD, sizeof( bits ) );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, scene->pairs, scene->pairCount, bits, &hitCount, NULL ), jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        bool expected = false;
        joOverlap3( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
            scene->poses + pair.b, NULL, &expected );
        assert_int_equal( bitOf( bits, i ), expected );
        expectedCount += expected;
    }
    assert_int_equal( hitCount, expectedCount );
    const uint32_t words = ( scene->pairCount + 63 ) / 64;
    assert_true( scene->pairCount % 64 == 0 || bits[words - 1] >> ( scene->pairCount % 64 ) == 0 );
    assert_true( bits[words] == 0xCDCDCDCDCDCDCDCD );
}

static void checkDepths( joCollideBatch* batch, const Scene* scene, float margin )
{
    static joVec3 normals[MAX_PAIRS];
    static float depths[MAX_PAIRS];
    uint64_t bits[MAX_PAIRS / 64 + 1], hitCount = 1, expectedCount = 0;
    assert_int_equal( joCollideBatch_FindDepths3( batch, scene->pairs, scene->pairCount, margin, bits,
                          normals, depths, &hitCount, NULL ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joManifold3 expected = expectedOf( scene, i, margin );
        assert_int_equal( bitOf( bits, i ), expected.pointCount > 0 );
        assert_memory_equal( normals + i, &expected.normal, sizeof( joVec3 ) );
        assert_memory_equal( depths + i, &expected.depth, sizeof( float ) );
        expectedCount += expected.pointCount > 0;
    }
    assert_int_equal( hitCount, expectedCount );
}

static void checkManifolds( joCollideBatch* batch, const Scene* scene, float margin, uint64_t capacity )
{
    static uint32_t hitPairs[MAX_PAIRS + 1];
    static joManifold3 manifolds[MAX_PAIRS + 1];
    uint64_t hitCount = 0, k = 0;
    memset( hitPairs, 0xCD, sizeof( hitPairs ) );
    memset( manifolds, 0xCD, sizeof( manifolds ) );
    assert_int_equal( joCollideBatch_Collide3( batch, scene->pairs, scene->pairCount, margin, hitPairs,
                          manifolds, capacity, &hitCount, NULL ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joManifold3 expected = expectedOf( scene, i, margin );
        if ( expected.pointCount > 0 && k++ < capacity )
        {
            assert_int_equal( hitPairs[k - 1], i );
            assert_memory_equal( manifolds + k - 1, &expected, sizeof( expected ) );
        }
    }
    assert_int_equal( hitCount, k );
    // What lies behind is as it was.
    const uint64_t written = k < capacity ? k : capacity;
    assert_true( hitPairs[written] == 0xCDCDCDCD && manifolds[written].pointCount == 0xCDCDCDCD );
}

static joCollideBatch* makeBatch( uint32_t workerCount )
{
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.jobs = kitJobs( workerCount );
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    return batch;
}

static void checkScenes( bool onlyBoxes )
{
    static Scene scene;
    uint64_t random = s_seed;
    joCollideBatch* batches[3] = { makeBatch( 1 ), makeBatch( 2 ), makeBatch( 3 ) };
    for ( int round = 0; round < ( kitQuick() ? 6 : 60 ); ++round )
    {
        static const uint32_t counts[] = { 1, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, MAX_PAIRS };
        const bool isRandom = randomBelow( &random, 2 );
        makeScene( &scene, &random, onlyBoxes,
            isRandom ? 1 + randomBelow( &random, MAX_PAIRS ) : counts[randomBelow( &random, 11 )] );
        joCollideBatch* batch = batches[round % 3];
        assert_int_equal( joCollideBatch_SetShapes3( batch, &scene.placed, NULL ), jo_success );
        const float margin = (float)randomBelow( &random, 3 ) * 0.1f;
        checkOverlaps( batch, &scene );
        checkDepths( batch, &scene, margin );
        checkManifolds( batch, &scene, margin, MAX_PAIRS );
        checkManifolds( batch, &scene, margin, randomBelow( &random, 200 ) );
        checkManifolds( batch, &scene, margin, 0 );
    }
    for ( int i = 0; i < 3; ++i )
    {
        joDestroyCollideBatch( batches[i] );
    }
}

static void boxesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    checkScenes( true );
}

static void mixedShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    checkScenes( false );
}

// Body poses and local poses far out: what a float leaves of a position counts.
static void farOutALocalPoseIsAsExactAsNear( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 2000; ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_mixed, &random );
        pair.a.localPose = ( joTransform3 ){ pairVectorIn( &random, 0.3f ), pairAnyRotation( &random ) };
        pair.b.localPose = ( joTransform3 ){ pairVectorIn( &random, 0.3f ), pairAnyRotation( &random ) };
        for ( int k = 0; k < 6; ++k )
        {
            float* x = &( k < 3 ? &pair.poseA : &pair.poseB )->position.x + k % 3;
            *x = roundf( *x * 64.0f ) / 64.0f;
        }
        joManifold3 near, far;
        joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.02f, NULL, &near );
        pair.poseA.position.y += 65536.0f;
        pair.poseB.position.y += 65536.0f;
        joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.02f, NULL, &far );
        const bool isSure = near.depth > -0.01f && far.depth > -0.01f && near.pointCount > 0;
        assert_true( !isSure || fabsf( near.depth - far.depth ) < 2e-6f );
    }
}

// In other units, which are a power of two of ours, all is the same to the bit.
static void unitsDoNotMatter( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 5000; ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_setCount ), &random );
        BoxPair3 other = pair;
        const float unit = ldexpf( 1.0f, i % 3 == 0 ? -70 : i % 3 == 1 ? 35 : -33 );
        for ( int k = 0; k < 3; ++k )
        {
            ( &other.a.halfExtents.x )[k] *= unit;
            ( &other.b.halfExtents.x )[k] *= unit;
            ( &other.poseA.position.x )[k] *= unit;
            ( &other.poseB.position.x )[k] *= unit;
        }
        joManifold3 one, two;
        joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.0f, NULL, &one );
        joCollideBoxes3( &other.a, &other.poseA, &other.b, &other.poseB, 0.0f, NULL, &two );
        assert_memory_equal( &one.normal, &two.normal, sizeof( joVec3 ) );
        assert_true( one.depth * unit == two.depth );
        // Areas of contact are squares, which a float has no more of in the smallest unit.
        assert_true( one.pointCount == two.pointCount || i % 3 == 0 );
    }
}

static void nothingIsAllocatedBelowTheReserves( void** state )
{
    (void)state;
    static Scene scene;
    static uint32_t hitPairs[MAX_PAIRS];
    static joManifold3 manifolds[MAX_PAIRS];
    uint64_t random = s_seed, hitCount = 7;
    TestAllocator counter = { .failAt = UINT64_MAX };
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.allocator = toAllocator( &counter );
    def.shapeReserve = MAX_SHAPES;
    def.pairReserve = MAX_PAIRS - 1;
    def.fixedCapacity = true;
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    const uint64_t before = counter.calls;
    makeScene( &scene, &random, true, MAX_PAIRS - 1 );
    assert_int_equal( joCollideBatch_SetShapes3( batch, &scene.placed, NULL ), jo_success );
    checkManifolds( batch, &scene, 0.0f, MAX_PAIRS );
    assert_int_equal( counter.calls, before );
    // More than a unit beyond the reserve.
    makeScene( &scene, &random, true, MAX_PAIRS );
    scene.pairCount = MAX_PAIRS;
    static joPair many[2 * MAX_PAIRS];
    assert_int_equal( joCollideBatch_Collide3(
                          batch, many, 2 * MAX_PAIRS, 0.0f, hitPairs, manifolds, MAX_PAIRS, &hitCount, NULL ),
        jo_errorCapacity );
    assert_int_equal( hitCount, 0 );
    scene.placed.shape.stride = scene.placed.pose.stride = 0;
    scene.placed.count = 10 * MAX_SHAPES;
    assert_int_equal( joCollideBatch_SetShapes3( batch, &scene.placed, NULL ), jo_errorCapacity );
    assert_int_equal( counter.calls, before );
    joDestroyCollideBatch( batch );
    assert_int_equal( counter.liveBlocks, 0 );
    for ( uint64_t failAt = 0; failAt < before; ++failAt )
    {
        counter = ( TestAllocator ){ .failAt = failAt };
        assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_errorOutOfMemory );
        assert_true( batch == NULL && counter.liveBlocks == 0 );
    }
}

static void badShapesAreRefusedAndNothingChanges( void** state )
{
    (void)state;
    static Scene scene;
    uint64_t random = s_seed;
    joCollideBatch* batch = makeBatch( 2 );
    makeScene( &scene, &random, true, 1000 );
    assert_int_equal( joCollideBatch_SetShapes3( batch, &scene.placed, NULL ), jo_success );
    static Scene bad;
    bad = scene;
    bad.placed.shape.data = bad.shapes;
    bad.placed.pose.data = bad.poses;
    const uint32_t last = bad.placed.count - 1;
    bad.poses[last].position.x = NAN;
    uint32_t errorIndex = 0;
    assert_int_equal( joCollideBatch_SetShapes3( batch, &bad.placed, &errorIndex ), jo_errorNotANumber );
    assert_int_equal( errorIndex, last );
    bad.shapes[0].box.halfExtents.z = -1.0f;
    assert_int_equal( joCollideBatch_SetShapes3( batch, &bad.placed, &errorIndex ), jo_errorBadShape );
    assert_int_equal( errorIndex, 0 );
    bad.placed.pose.data = NULL;
    assert_int_equal( joCollideBatch_SetShapes3( batch, &bad.placed, &errorIndex ), jo_errorNullArgument );
    assert_int_equal( errorIndex, JO_NULL_INDEX );
    assert_int_equal( joCollideBatch_SetShapes3( NULL, &scene.placed, NULL ), jo_errorNullArgument );
    checkManifolds( batch, &scene, 0.0f, MAX_PAIRS );
    joDestroyCollideBatch( batch );
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    static Scene scene;
    uint64_t random = s_seed, bits[MAX_PAIRS / 64 + 1], hitCount = 5;
    uint32_t errorIndex = 0;
    joVec3 normals[2];
    float depths[2];
    joCollideBatch* batch = makeBatch( 1 );
    assert_int_equal( joCollideBatch_Overlap3( batch, NULL, 0, NULL, &hitCount, NULL ), jo_success );
    assert_int_equal( joCollideBatch_Overlap3( batch, NULL, 0, bits, &hitCount, NULL ), jo_success );
    assert_int_equal( hitCount, 0 );
    makeScene( &scene, &random, true, 700 );
    assert_int_equal( joCollideBatch_SetShapes3( batch, &scene.placed, NULL ), jo_success );
    scene.pairs[699].b = scene.placed.count;
    assert_int_equal( joCollideBatch_Overlap3( batch, scene.pairs, 700, bits, &hitCount, &errorIndex ),
        jo_errorUnknownKey );
    assert_int_equal( errorIndex, 699 );
    scene.pairs[600].a = scene.placed.count;
    assert_int_equal( joCollideBatch_Overlap3( batch, scene.pairs, 700, bits, &hitCount, &errorIndex ),
        jo_errorUnknownKey );
    assert_int_equal( errorIndex, 600 );
    scene.pairs[400].b = UINT32_MAX;
    hitCount = 5;
    assert_int_equal( joCollideBatch_Overlap3( batch, scene.pairs, 700, bits, &hitCount, &errorIndex ),
        jo_errorUnknownKey );
    assert_true( errorIndex == 400 && hitCount == 0 );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, NULL, 1, bits, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, scene.pairs, 1, NULL, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, scene.pairs, 1, bits, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, scene.pairs, UINT64_C( 1 ) << 32, bits, &hitCount, NULL ),
        jo_errorBadCount );
    assert_int_equal(
        joCollideBatch_FindDepths3( batch, scene.pairs, 2, NAN, NULL, normals, depths, &hitCount, NULL ),
        jo_errorNotANumber );
    assert_int_equal(
        joCollideBatch_FindDepths3( batch, scene.pairs, 2, -1.0f, NULL, normals, depths, &hitCount, NULL ),
        jo_errorBadRadius );
    assert_int_equal(
        joCollideBatch_FindDepths3( batch, scene.pairs, 2, 0.0f, NULL, normals, NULL, &hitCount, NULL ),
        jo_errorNullArgument );
    assert_int_equal( joCollideBatch_Collide3( batch, scene.pairs, 2, 0.0f, NULL, NULL, 1, &hitCount, NULL ),
        jo_errorNullArgument );
    joDestroyCollideBatch( batch );
    joCollideBatchDef def = { 0 };
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_errorBadDef );
    assert_int_equal( joCreateCollideBatch( NULL, &batch ), jo_errorNullArgument );
    joDestroyCollideBatch( NULL );
}

// Two half-spaces have no end: there is no answer, and it is said of which pair.
static void pairsWithoutAnAnswerAreRefused( void** state )
{
    (void)state;
    joShape3 shapes[2] = { { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 1.0f, 1.0f ) },
        { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 1.0f, 0.0f }, 0.0f } } };
    joTransform3 pose = joMakeIdentity3();
    const joPlacedShapes3 placed = {
        .shape = { shapes, sizeof( joShape3 ) }, .pose = { &pose, 0 }, .count = 2 };
    const joPair pairs[3] = { { 0, 0 }, { 0, 0 }, { 1, 1 } };
    joCollideBatch* batch = makeBatch( 1 );
    uint64_t bits = 0, hitCount = 0;
    uint32_t errorIndex = 0;
    assert_int_equal( joCollideBatch_SetShapes3( batch, &placed, NULL ), jo_success );
    assert_int_equal( joCollideBatch_Overlap3( batch, pairs, 2, &bits, &hitCount, NULL ), jo_success );
    assert_int_equal( hitCount, 2 );
    assert_int_equal(
        joCollideBatch_Overlap3( batch, pairs, 3, &bits, &hitCount, &errorIndex ), jo_errorNoSuchPair );
    assert_int_equal( errorIndex, 2 );
    joDestroyCollideBatch( batch );
}

// What misuse reports is tested by its result here, not shown.
static bool ignoreAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( ignoreAssert );
    const struct CMUnitTest tests[] = {
        TEST( "boxes get the answers of the single calls", boxesGetTheAnswersOfTheSingleCalls ),
        TEST( "mixed shapes get the answers of the single calls", mixedShapesGetTheAnswersOfTheSingleCalls ),
        TEST( "far out a local pose is as exact as near", farOutALocalPoseIsAsExactAsNear ),
        TEST( "units do not matter", unitsDoNotMatter ),
        TEST( "nothing is allocated below the reserves", nothingIsAllocatedBelowTheReserves ),
        TEST( "bad shapes are refused and nothing changes", badShapesAreRefusedAndNothingChanges ),
        TEST( "bad calls are refused", badCallsAreRefused ),
        TEST( "pairs without an answer are refused", pairsWithoutAnAnswerAreRefused ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
