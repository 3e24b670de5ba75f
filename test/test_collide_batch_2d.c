// SPDX-License-Identifier: MIT
// Batches of pairs in 2D against the single calls, to the bit: all three sorts of answers, boxes alone and
// all kinds of shapes mixed, with any number of threads, lists that end anywhere; and what is refused.
#include "test_support.h"

#include "jostle/collide_batch.h"
#include "narrow_phase/dispatch_2d.h"
#include "support/broad_phase_kit.h"
#include "support/flat_pair_sets.h"

#include <float.h>
#include <math.h>

#define MAX_SHAPES 600
#define MAX_PAIRS 5000

static uint64_t s_seed;

typedef struct Scene
{
    joShape2 shapes[MAX_SHAPES];
    joPolygon2 polygons[MAX_SHAPES];
    joTransform2 poses[MAX_SHAPES];
    joPair pairs[MAX_PAIRS];
    joPlacedShapes2 placed;
    uint32_t pairCount;
} Scene;

static joVec2 anyPoint( uint64_t* random, float size )
{
    return ( joVec2 ){ flatFloatIn( random, -size, size ), flatFloatIn( random, -size, size ) };
}

// What the shapes of a scene are.
typedef enum SceneSort
{
    onlyBoxes,
    onlyCircles,
    onlyCapsules,
    onlyRound,
    allKinds
} SceneSort;

// Round shapes are now and then without a radius, or without a length, or lie along an axis.
static float anyRadius( uint64_t* random )
{
    return randomBelow( random, 8 ) == 0 ? 0.0f : flatFloatIn( random, 0.1f, 0.5f );
}

static joCapsule2 anyCapsule( uint64_t* random )
{
    joCapsule2 capsule = { anyPoint( random, 0.5f ), anyPoint( random, 0.5f ), anyRadius( random ) };
    switch ( randomBelow( random, 6 ) )
    {
        case 0:
            capsule.b = capsule.a;
            break;
        case 1:
            capsule.b = ( joVec2 ){ capsule.a.x + 0.5f, capsule.a.y };
            break;
        default:
            break;
    }
    return capsule;
}

static void makeShape( Scene* scene, uint32_t i, uint64_t* random, SceneSort sort )
{
    joShape2* shape = scene->shapes + i;
    switch ( sort == onlyBoxes      ? 4
             : sort == onlyCircles  ? 0
             : sort == onlyCapsules ? 1
             : sort == onlyRound    ? randomBelow( random, 2 )
                                    : randomBelow( random, 8 ) )
    {
        case 0:
            *shape = ( joShape2 ){ .kind = jo_circleShape2,
                .circle = {
                    anyPoint( random, 0.3f * (float)randomBelow( random, 2 ) ), anyRadius( random ) } };
            return;
        case 1:
            *shape = ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = anyCapsule( random ) };
            return;
        case 2:
            *shape = ( joShape2 ){
                .kind = jo_segmentShape2, .segment = { anyPoint( random, 0.9f ), anyPoint( random, 0.9f ) } };
            return;
        case 3:
        case 4:
            scene->polygons[i] =
                joMakeBox2( flatFloatIn( random, 0.3f, 1.0f ), flatFloatIn( random, 0.3f, 1.0f ) );
            break;
        default:
            scene->polygons[i] = flatAnyPolygon( random );
            break;
    }
    *shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = scene->polygons + i };
}

static bool canMeet( const Scene* scene, joPair pair )
{
    const joPairFunctions2* functions =
        joFindPairFunctions2( scene->shapes[pair.a].kind, scene->shapes[pair.b].kind );
    return functions->overlap != NULL && functions->collide != NULL;
}

static void makeScene( Scene* scene, uint64_t* random, SceneSort sort, uint32_t pairCount )
{
    const uint32_t count = 2 + randomBelow( random, MAX_SHAPES - 1 );
    const float far = randomBelow( random, 4 ) == 0 ? 1e5f : 0.0f;
    for ( uint32_t i = 0; i < count; ++i )
    {
        makeShape( scene, i, random, sort );
        scene->poses[i] =
            ( joTransform2 ){ anyPoint( random, 1.2f ), joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
        // In one place, or turned alike, cores cross, and capsules lie side by side.
        if ( i > 0 && randomBelow( random, 4 ) == 0 )
        {
            scene->poses[i].rotation = scene->poses[i - 1].rotation;
            scene->poses[i].position =
                randomBelow( random, 2 ) ? scene->poses[i - 1].position : scene->poses[i].position;
        }
        scene->poses[i].position.x += far;
    }
    if ( sort == allKinds )
    {
        makeShape( scene, 1, random, onlyBoxes ); // so that some two can meet
    }
    scene->placed = ( joPlacedShapes2 ){ .shape = { scene->shapes, sizeof( joShape2 ) },
        .pose = { scene->poses, sizeof( joTransform2 ) },
        .count = count };
    for ( scene->pairCount = 0; scene->pairCount < pairCount; )
    {
        const joPair pair = { randomBelow( random, count ), randomBelow( random, count ) };
        scene->pairs[scene->pairCount] = canMeet( scene, pair ) ? pair : ( joPair ){ 1, 1 };
        scene->pairCount += 1;
    }
}

static joManifold2 expectedOf( const Scene* scene, uint32_t i, float margin )
{
    const joPair pair = scene->pairs[i];
    joManifold2 manifold;
    assert_int_equal( joCollide2( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
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
        joCollideBatch_Overlap2( batch, scene->pairs, scene->pairCount, bits, &hitCount, NULL ), jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        bool expected = false;
        joOverlap2( scene->shapes + pair.a, scene->poses + pair.a, scene->shapes + pair.b,
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
    static joVec2 normals[MAX_PAIRS];
    static float depths[MAX_PAIRS];
    uint64_t bits[MAX_PAIRS / 64 + 1], hitCount = 1, expectedCount = 0;
    assert_int_equal( joCollideBatch_FindDepths2( batch, scene->pairs, scene->pairCount, margin, bits,
                          normals, depths, &hitCount, NULL ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joManifold2 expected = expectedOf( scene, i, margin );
        assert_int_equal( bitOf( bits, i ), expected.pointCount > 0 );
        assert_memory_equal( normals + i, &expected.normal, sizeof( joVec2 ) );
        assert_memory_equal( depths + i, &expected.depth, sizeof( float ) );
        expectedCount += expected.pointCount > 0;
    }
    assert_int_equal( hitCount, expectedCount );
}

static void checkManifolds( joCollideBatch* batch, const Scene* scene, float margin, uint64_t capacity )
{
    static uint32_t hitPairs[MAX_PAIRS + 1];
    static joManifold2 manifolds[MAX_PAIRS + 1];
    uint64_t hitCount = 0, k = 0;
    memset( hitPairs, 0xCD, sizeof( hitPairs ) );
    memset( manifolds, 0xCD, sizeof( manifolds ) );
    assert_int_equal( joCollideBatch_Collide2( batch, scene->pairs, scene->pairCount, margin, hitPairs,
                          manifolds, capacity, &hitCount, NULL ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joManifold2 expected = expectedOf( scene, i, margin );
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

static void checkScenes( SceneSort sort )
{
    static Scene scene;
    uint64_t random = s_seed;
    joCollideBatch* batches[3] = { makeBatch( 1 ), makeBatch( 2 ), makeBatch( 3 ) };
    for ( int round = 0; round < ( kitQuick() ? 6 : 30 ); ++round )
    {
        static const uint32_t counts[] = { 1, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, MAX_PAIRS };
        const bool isRandom = randomBelow( &random, 2 );
        makeScene( &scene, &random, sort,
            isRandom ? 1 + randomBelow( &random, MAX_PAIRS ) : counts[randomBelow( &random, 11 )] );
        joCollideBatch* batch = batches[round % 3];
        assert_int_equal( joCollideBatch_SetShapes2( batch, &scene.placed, NULL ), jo_success );
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
    checkScenes( onlyBoxes );
}

static void mixedShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    checkScenes( allKinds );
}

static void roundShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    checkScenes( onlyCircles );
    checkScenes( onlyCapsules );
    checkScenes( onlyRound );
}

static void nothingIsAllocatedBelowTheReserves( void** state )
{
    (void)state;
    static Scene scene;
    static uint32_t hitPairs[MAX_PAIRS];
    static joManifold2 manifolds[MAX_PAIRS];
    uint64_t random = s_seed, hitCount = 7;
    TestAllocator counter = { .failAt = UINT64_MAX };
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.allocator = toAllocator( &counter );
    def.shapeReserve2 = MAX_SHAPES;
    def.pairReserve2 = MAX_PAIRS - 1;
    def.fixedCapacity = true;
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    const uint64_t before = counter.calls;
    makeScene( &scene, &random, onlyBoxes, MAX_PAIRS - 1 );
    assert_int_equal( joCollideBatch_SetShapes2( batch, &scene.placed, NULL ), jo_success );
    checkManifolds( batch, &scene, 0.0f, MAX_PAIRS );
    assert_int_equal( counter.calls, before );
    // More than a unit beyond the reserve.
    static joPair many[2 * MAX_PAIRS];
    assert_int_equal( joCollideBatch_Collide2(
                          batch, many, 2 * MAX_PAIRS, 0.0f, hitPairs, manifolds, MAX_PAIRS, &hitCount, NULL ),
        jo_errorCapacity );
    assert_int_equal( hitCount, 0 );
    scene.placed.shape.stride = scene.placed.pose.stride = 0;
    scene.placed.count = 10 * MAX_SHAPES;
    assert_int_equal( joCollideBatch_SetShapes2( batch, &scene.placed, NULL ), jo_errorCapacity );
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
    makeScene( &scene, &random, onlyBoxes, 1000 );
    assert_int_equal( joCollideBatch_SetShapes2( batch, &scene.placed, NULL ), jo_success );
    static Scene bad;
    bad = scene;
    bad.placed.shape.data = bad.shapes;
    bad.placed.pose.data = bad.poses;
    const uint32_t last = bad.placed.count - 1;
    bad.poses[last].position.x = NAN;
    uint32_t errorIndex = 0;
    assert_int_equal( joCollideBatch_SetShapes2( batch, &bad.placed, &errorIndex ), jo_errorNotANumber );
    assert_int_equal( errorIndex, last );
    bad.polygons[0] = joMakeBox2( 1.0f, -1.0f );
    bad.shapes[0].polygon = bad.polygons;
    assert_int_equal( joCollideBatch_SetShapes2( batch, &bad.placed, &errorIndex ), jo_errorBadShape );
    assert_int_equal( errorIndex, 0 );
    bad.placed.pose.data = NULL;
    assert_int_equal( joCollideBatch_SetShapes2( batch, &bad.placed, &errorIndex ), jo_errorNullArgument );
    assert_int_equal( errorIndex, JO_NULL_INDEX );
    assert_int_equal( joCollideBatch_SetShapes2( NULL, &scene.placed, NULL ), jo_errorNullArgument );
    checkManifolds( batch, &scene, 0.0f, MAX_PAIRS );
    joDestroyCollideBatch( batch );
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    static Scene scene;
    uint64_t random = s_seed, bits[MAX_PAIRS / 64 + 1], hitCount = 5;
    uint32_t errorIndex = 0;
    joVec2 normals[2];
    float depths[2];
    joCollideBatch* batch = makeBatch( 1 );
    assert_int_equal( joCollideBatch_Overlap2( batch, NULL, 0, NULL, &hitCount, NULL ), jo_success );
    assert_int_equal( joCollideBatch_Overlap2( batch, NULL, 0, bits, &hitCount, NULL ), jo_success );
    assert_int_equal( hitCount, 0 );
    makeScene( &scene, &random, onlyBoxes, 700 );
    assert_int_equal( joCollideBatch_SetShapes2( batch, &scene.placed, NULL ), jo_success );
    scene.pairs[400].b = scene.placed.count;
    scene.pairs[600].a = UINT32_MAX;
    hitCount = 5;
    assert_int_equal( joCollideBatch_Overlap2( batch, scene.pairs, 700, bits, &hitCount, &errorIndex ),
        jo_errorUnknownKey );
    assert_true( errorIndex == 400 && hitCount == 0 );
    assert_int_equal(
        joCollideBatch_Overlap2( batch, NULL, 1, bits, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap2( batch, scene.pairs, 1, NULL, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap2( batch, scene.pairs, 1, bits, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBatch_Overlap2( batch, scene.pairs, UINT64_C( 1 ) << 32, bits, &hitCount, NULL ),
        jo_errorBadCount );
    assert_int_equal(
        joCollideBatch_FindDepths2( batch, scene.pairs, 2, NAN, NULL, normals, depths, &hitCount, NULL ),
        jo_errorNotANumber );
    assert_int_equal(
        joCollideBatch_FindDepths2( batch, scene.pairs, 2, -1.0f, NULL, normals, depths, &hitCount, NULL ),
        jo_errorBadRadius );
    assert_int_equal(
        joCollideBatch_FindDepths2( batch, scene.pairs, 2, 0.0f, NULL, normals, NULL, &hitCount, NULL ),
        jo_errorNullArgument );
    assert_int_equal( joCollideBatch_Collide2( batch, scene.pairs, 2, 0.0f, NULL, NULL, 1, &hitCount, NULL ),
        jo_errorNullArgument );
    joDestroyCollideBatch( batch );
    joCollideBatchDef def = { 0 };
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_errorBadDef );
    assert_int_equal( joCreateCollideBatch( NULL, &batch ), jo_errorNullArgument );
    joDestroyCollideBatch( NULL );
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
        TEST( "nothing is allocated below the reserves", nothingIsAllocatedBelowTheReserves ),
        TEST( "round shapes get the answers of the single calls", roundShapesGetTheAnswersOfTheSingleCalls ),
        TEST( "bad shapes are refused and nothing changes", badShapesAreRefusedAndNothingChanges ),
        TEST( "bad calls are refused", badCallsAreRefused ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
