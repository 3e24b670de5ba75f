// SPDX-License-Identifier: MIT
// Batches of pairs against the single calls, to the bit: all three sorts of answers, boxes alone and all
// kinds of shapes mixed, with any number of threads, lists that end anywhere; and what is refused.
#include "test_support.h"

#include "narrow_phase/dispatch_3d.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/collide_batch_kit.h"

#include <float.h>
#include <math.h>

static uint64_t s_seed;

// Of the scene, which points to them.
static joShape3 s_shapes[BATCH_MAX_SHAPES];
static joTransform3 s_poses[BATCH_MAX_SHAPES];

// What the shapes of a scene are.
typedef enum SceneSort
{
    onlyBoxes,
    onlySmallBoxes, // beside the margin, and not turned: what is apart past corners is nearer along all axes
    onlyDots,       // spheres about the origins of their bodies
    onlySpheres,
    onlyCapsules,
    onlyRound,
    allKinds
} SceneSort;

// Round shapes are now and then without a radius, or without a length, or lie along an axis.
static joCapsule3 anyCapsule( uint64_t* random, float radius )
{
    joCapsule3 capsule = { pairVectorIn( random, 0.5f ), pairVectorIn( random, 0.5f ), radius };
    switch ( randomBelow( random, 6 ) )
    {
        case 0:
            capsule.b = capsule.a;
            break;
        case 1:
            capsule.b = ( joVec3 ){ capsule.a.x + 0.5f, capsule.a.y, capsule.a.z };
            break;
        default:
            break;
    }
    return capsule;
}

static joShape3 anyShape( uint64_t* random, int sort )
{
    const float scale = sort == onlySmallBoxes ? 0.02f : 1.0f;
    const joVec3 sizes = { scale * pairFloatIn( random, 0.3f, 1.0f ),
        scale * pairFloatIn( random, 0.3f, 1.0f ), scale * pairFloatIn( random, 0.3f, 1.0f ) };
    joShape3 shape = { .kind = jo_boxShape3, .box = joMakeBox3( sizes.x, sizes.y, sizes.z ) };
    if ( randomBelow( random, 4 ) == 0 )
    {
        shape.box.localPose = ( joTransform3 ){ pairVectorIn( random, 0.2f ), pairAnyRotation( random ) };
    }
    const float radius = randomBelow( random, 8 ) == 0 ? 0.0f : 0.6f * sizes.x;
    switch ( sort == onlyBoxes || sort == onlySmallBoxes ? 3
             : sort == onlyDots || sort == onlySpheres   ? 0
             : sort == onlyCapsules                      ? 1
             : sort == onlyRound                         ? randomBelow( random, 2 )
                                                         : randomBelow( random, 5 ) )
    {
        case 0:
            return ( joShape3 ){ .kind = jo_sphereShape3,
                .sphere = {
                    pairVectorIn( random, sort == onlyDots ? 0.0f : 0.3f * (float)randomBelow( random, 2 ) ),
                    radius } };
        case 1:
            return ( joShape3 ){ .kind = jo_capsuleShape3, .capsule = anyCapsule( random, radius ) };
        case 2:
            return ( joShape3 ){ .kind = jo_halfSpaceShape3, .halfSpace = { sizes, -1.0f } };
        default:
            return shape;
    }
}

static bool canMeet( const BatchScene* scene, joPair pair )
{
    const joShape3 *a = batchShapeOf( scene, pair.a ), *b = batchShapeOf( scene, pair.b );
    return joFindPairFunctions3( a->kind, b->kind )->collide != NULL;
}

static bool overlapPair( const BatchScene* scene, joPair pair )
{
    bool overlaps = false;
    assert_int_equal( joOverlap3( batchShapeOf( scene, pair.a ), batchPoseOf( scene, pair.a ),
                          batchShapeOf( scene, pair.b ), batchPoseOf( scene, pair.b ), NULL, &overlaps ),
        jo_success );
    return overlaps;
}

static uint32_t collidePair( const BatchScene* scene, joPair pair, float margin, void* manifold )
{
    assert_int_equal(
        joCollide3( batchShapeOf( scene, pair.a ), batchPoseOf( scene, pair.a ),
            batchShapeOf( scene, pair.b ), batchPoseOf( scene, pair.b ), margin, NULL, manifold ),
        jo_success );
    return ( (const joManifold3*)manifold )->pointCount;
}

static joResult setShapes( joCollideBatch* batch, const BatchScene* scene, uint32_t* errorIndex )
{
    const joPlacedShapes3 shapes = { scene->shape, scene->pose, scene->shapeCount };
    return joCollideBatch_SetShapes3( batch, &shapes, errorIndex );
}

static joResult findDepths( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
    uint64_t* hitBits, void* normals, float* depths, uint64_t* hitCount )
{
    return joCollideBatch_FindDepths3(
        batch, pairs, pairCount, margin, hitBits, normals, depths, hitCount, NULL );
}

static joResult collideAll( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
    uint32_t* hitPairs, void* manifolds, uint64_t capacity, uint64_t* hitCount )
{
    return joCollideBatch_Collide3(
        batch, pairs, pairCount, margin, hitPairs, manifolds, capacity, hitCount, NULL );
}

static const BatchDimension s_dimension = { sizeof( joVec3 ), sizeof( joManifold3 ), canMeet, overlapPair,
    collidePair, setShapes, joCollideBatch_Overlap3, findDepths, collideAll };

static void makeScene( BatchScene* scene, uint64_t* random, int sort, uint32_t pairCount )
{
    const uint32_t count = 2 + randomBelow( random, BATCH_MAX_SHAPES - 1 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        s_shapes[i] = anyShape( random, sort );
        s_poses[i] = ( joTransform3 ){ pairVectorIn( random, 1.2f ), pairAnyRotation( random ) };
        // In one place, or turned alike, cores cross, and capsules lie side by side.
        if ( i > 0 && randomBelow( random, 4 ) == 0 )
        {
            s_poses[i].rotation = s_poses[i - 1].rotation;
            s_poses[i].position = randomBelow( random, 2 ) ? s_poses[i - 1].position : s_poses[i].position;
        }
        s_poses[i].rotation = sort == onlySmallBoxes ? joMakeIdentity3().rotation : s_poses[i].rotation;
    }
    if ( sort == allKinds )
    {
        s_shapes[1] = anyShape( random, onlyBoxes ); // so that some two can meet
    }
    scene->dimension = &s_dimension;
    scene->shape = ( joColumn ){ s_shapes, sizeof( joShape3 ) };
    scene->pose = ( joColumn ){ s_poses, sizeof( joTransform3 ) };
    scene->shapeCount = count;
    batchTakePairs( scene, random, pairCount );
}

static void boxesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, onlyBoxes, kitQuick() ? 6 : 50, s_seed );
    batchCheckScenes( makeScene, onlySmallBoxes, kitQuick() ? 6 : 10, s_seed );
}

static void mixedShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, allKinds, kitQuick() ? 6 : 60, s_seed );
}

static void roundShapesGetTheAnswersOfTheSingleCalls( void** state )
{
    (void)state;
    batchCheckScenes( makeScene, onlyDots, kitQuick() ? 6 : 10, s_seed );
    batchCheckScenes( makeScene, onlySpheres, kitQuick() ? 6 : 20, s_seed );
    batchCheckScenes( makeScene, onlyCapsules, kitQuick() ? 6 : 20, s_seed );
    batchCheckScenes( makeScene, onlyRound, kitQuick() ? 6 : 20, s_seed );
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
        assert_int_equal( one.pointCount, two.pointCount );
        for ( uint32_t k = 0; k < one.pointCount; ++k )
        {
            assert_true( one.points[k].depth * unit == two.points[k].depth );
            assert_int_equal( one.points[k].featureId, two.points[k].featureId );
        }
    }
}

static void nothingIsAllocatedBelowTheReserves( void** state )
{
    (void)state;
    static BatchScene scene;
    uint64_t random = s_seed;
    makeScene( &scene, &random, onlyBoxes, BATCH_MAX_PAIRS - 1 );
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.shapeReserve = BATCH_MAX_SHAPES;
    def.pairReserve = BATCH_MAX_PAIRS - 1;
    batchCheckReserves( def, &scene );
}

static void badShapesAreRefusedAndNothingChanges( void** state )
{
    (void)state;
    static BatchScene scene, bad;
    static joShape3 shapes[BATCH_MAX_SHAPES];
    static joTransform3 poses[BATCH_MAX_SHAPES];
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
    shapes[0].box.halfExtents.z = -1.0f;
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
    joCollideBatch* batch = batchMake( 1 );
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
        TEST( "round shapes get the answers of the single calls", roundShapesGetTheAnswersOfTheSingleCalls ),
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
