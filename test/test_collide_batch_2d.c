// SPDX-License-Identifier: MIT
// Batches of pairs in 2D against the single calls, to the bit: all three sorts of answers, boxes alone and
// all kinds of shapes mixed, with any number of threads, lists that end anywhere; and what is refused.
#include "test_support.h"

#include "narrow_phase/dispatch_2d.h"
#include "support/broad_phase_kit.h"
#include "support/collide_batch_kit.h"
#include "support/flat_pair_sets.h"

#include <float.h>
#include <math.h>

static uint64_t s_seed;

// Of the scene, which points to them.
static joShape2 s_shapes[BATCH_MAX_SHAPES];
static joPolygon2 s_polygons[BATCH_MAX_SHAPES];
static joTransform2 s_poses[BATCH_MAX_SHAPES];

static joVec2 anyPoint( uint64_t* random, float size )
{
    return ( joVec2 ){ flatFloatIn( random, -size, size ), flatFloatIn( random, -size, size ) };
}

// What the shapes of a scene are.
typedef enum SceneSort
{
    onlyBoxes,
    onlyDots, // circles about the origins of their bodies
    onlyCircles,
    onlyCapsules,
    onlyRound,
    onlyThreads,
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

// All within a millionth of their lengths of one line: some touch or cross, and some just do not.
static joCapsule2 anyThread( uint64_t* random )
{
    const float start = flatFloatIn( random, -1.0f, 1.0f ), end = flatFloatIn( random, -1.0f, 1.0f );
    const float height = 3e-8f * (float)randomBelow( random, 4 );
    return ( joCapsule2 ){ { start, height }, { end, randomBelow( random, 4 ) == 0 ? 0.0f : height }, 0.0f };
}

static void makeShape( uint32_t i, uint64_t* random, int sort )
{
    joShape2* shape = s_shapes + i;
    if ( sort == onlyThreads )
    {
        *shape = ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = anyThread( random ) };
        return;
    }
    switch ( sort == onlyBoxes      ? 4
             : sort <= onlyCircles  ? 0
             : sort == onlyCapsules ? 1
             : sort == onlyRound    ? randomBelow( random, 2 )
                                    : randomBelow( random, 8 ) )
    {
        case 0:
            *shape = ( joShape2 ){ .kind = jo_circleShape2,
                .circle = {
                    anyPoint( random, sort == onlyDots ? 0.0f : 0.3f * (float)randomBelow( random, 2 ) ),
                    anyRadius( random ) } };
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
            s_polygons[i] =
                joMakeBox2( flatFloatIn( random, 0.3f, 1.0f ), flatFloatIn( random, 0.3f, 1.0f ) );
            break;
        default:
            s_polygons[i] = flatAnyPolygon( random );
            break;
    }
    *shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = s_polygons + i };
}

static bool canMeet( const BatchScene* scene, joPair pair )
{
    const joShape2 *a = batchShapeOf( scene, pair.a ), *b = batchShapeOf( scene, pair.b );
    return joFindPairFunctions2( a->kind, b->kind )->collide != NULL;
}

static bool overlapPair( const BatchScene* scene, joPair pair )
{
    bool overlaps = false;
    assert_int_equal( joOverlap2( batchShapeOf( scene, pair.a ), batchPoseOf( scene, pair.a ),
                          batchShapeOf( scene, pair.b ), batchPoseOf( scene, pair.b ), NULL, &overlaps ),
        jo_success );
    return overlaps;
}

static uint32_t collidePair( const BatchScene* scene, joPair pair, float margin, void* manifold )
{
    assert_int_equal(
        joCollide2( batchShapeOf( scene, pair.a ), batchPoseOf( scene, pair.a ),
            batchShapeOf( scene, pair.b ), batchPoseOf( scene, pair.b ), margin, NULL, manifold ),
        jo_success );
    return ( (const joManifold2*)manifold )->pointCount;
}

static joResult setShapes( joCollideBatch* batch, const BatchScene* scene, uint32_t* errorIndex )
{
    const joPlacedShapes2 shapes = { scene->shape, scene->pose, scene->shapeCount };
    return joCollideBatch_SetShapes2( batch, &shapes, errorIndex );
}

static joResult findDepths( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
    uint64_t* hitBits, void* normals, float* depths, uint64_t* hitCount )
{
    return joCollideBatch_FindDepths2(
        batch, pairs, pairCount, margin, hitBits, normals, depths, hitCount, NULL );
}

static joResult collideAll( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
    uint32_t* hitPairs, void* manifolds, uint64_t capacity, uint64_t* hitCount )
{
    return joCollideBatch_Collide2(
        batch, pairs, pairCount, margin, hitPairs, manifolds, capacity, hitCount, NULL );
}

static const BatchDimension s_dimension = { sizeof( joVec2 ), sizeof( joManifold2 ), canMeet, overlapPair,
    collidePair, setShapes, joCollideBatch_Overlap2, findDepths, collideAll };

static void makeScene( BatchScene* scene, uint64_t* random, int sort, uint32_t pairCount )
{
    const uint32_t count = 2 + randomBelow( random, BATCH_MAX_SHAPES - 1 );
    const float far = randomBelow( random, 4 ) == 0 ? 1e5f : 0.0f;
    for ( uint32_t i = 0; i < count; ++i )
    {
        makeShape( i, random, sort );
        s_poses[i] =
            ( joTransform2 ){ anyPoint( random, 1.2f ), joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
        // In one place, or turned alike, cores cross, and capsules lie side by side.
        if ( i > 0 && randomBelow( random, 4 ) == 0 )
        {
            s_poses[i].rotation = s_poses[i - 1].rotation;
            s_poses[i].position = randomBelow( random, 2 ) ? s_poses[i - 1].position : s_poses[i].position;
        }
        s_poses[i].position.x += far;
        s_poses[i] = sort == onlyThreads ? s_poses[0] : s_poses[i];
    }
    if ( sort == allKinds )
    {
        makeShape( 1, random, onlyBoxes ); // so that some two can meet
    }
    scene->dimension = &s_dimension;
    scene->shape = ( joColumn ){ s_shapes, sizeof( joShape2 ) };
    scene->pose = ( joColumn ){ s_poses, sizeof( joTransform2 ) };
    scene->shapeCount = count;
    batchTakePairs( scene, random, pairCount );
}

static void boxesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, onlyBoxes, kitQuick() ? 6 : 30, s_seed );
}

static void mixedShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, allKinds, kitQuick() ? 6 : 30, s_seed );
}

static void roundShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, onlyDots, kitQuick() ? 6 : 10, s_seed );
    batchCheckScenes( makeScene, onlyCircles, kitQuick() ? 6 : 30, s_seed );
    batchCheckScenes( makeScene, onlyCapsules, kitQuick() ? 6 : 30, s_seed );
    batchCheckScenes( makeScene, onlyRound, kitQuick() ? 6 : 30, s_seed );
    batchCheckScenes( makeScene, onlyThreads, kitQuick() ? 6 : 30, s_seed );
}

static void nothingIsAllocatedBelowTheReserves( void** state )
{
    (void)state;
    static BatchScene scene;
    uint64_t random = s_seed;
    makeScene( &scene, &random, onlyBoxes, BATCH_MAX_PAIRS - 1 );
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.shapeReserve2 = BATCH_MAX_SHAPES;
    def.pairReserve2 = BATCH_MAX_PAIRS - 1;
    batchCheckReserves( def, &scene );
}

static void badShapesAreRefusedAndNothingChanges( void** state )
{
    (void)state;
    static BatchScene scene, bad;
    static joShape2 shapes[BATCH_MAX_SHAPES];
    static joTransform2 poses[BATCH_MAX_SHAPES];
    uint64_t random = s_seed;
    joCollideBatch* batch = batchMake( 2 );
    makeScene( &scene, &random, onlyBoxes, 1000 );
    assert_int_equal( setShapes( batch, &scene, NULL ), jo_success );
    memcpy( shapes, s_shapes, sizeof( shapes ) );
    memcpy( poses, s_poses, sizeof( poses ) );
    bad = scene;
    bad.shape.data = shapes;
    bad.pose.data = poses;
    const uint32_t last = bad.shapeCount - 1;
    poses[last].position.x = NAN;
    uint32_t errorIndex = 0;
    assert_int_equal( setShapes( batch, &bad, &errorIndex ), jo_errorNotANumber );
    assert_int_equal( errorIndex, last );
    const joPolygon2 turnedInside = joMakeBox2( 1.0f, -1.0f );
    shapes[0].polygon = &turnedInside;
    assert_int_equal( setShapes( batch, &bad, &errorIndex ), jo_errorBadShape );
    assert_int_equal( errorIndex, 0 );
    bad.pose.data = NULL;
    assert_int_equal( setShapes( batch, &bad, &errorIndex ), jo_errorNullArgument );
    assert_int_equal( errorIndex, JO_NULL_INDEX );
    assert_int_equal( setShapes( NULL, &scene, NULL ), jo_errorNullArgument );
    batchCheckManifolds( batch, &scene, 0.0f, BATCH_MAX_PAIRS );
    joDestroyCollideBatch( batch );
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    static BatchScene scene;
    uint64_t random = s_seed;
    makeScene( &scene, &random, onlyBoxes, 700 );
    batchCheckBadCalls( &scene );
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
