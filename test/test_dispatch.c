// SPDX-License-Identifier: MIT
// Tests of calls on any two shapes: what is refused, what there is no answer for, and that each pair of kinds
// comes to its own functions.
#include "test_support.h"

#include "jostle/collide.h"
#include "jostle/mesh_3d.h"
#include "support/box_pair_sets.h"

#include <math.h>

static uint64_t s_seed;

static joShape3 shapeOfBox( joBox3 box )
{
    return ( joShape3 ){ .kind = jo_boxShape3, .box = box };
}

static joShape3 sphere( float x, float radius )
{
    return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { { x, 0.0f, 0.0f }, radius } };
}

static joShape2 circle( float x, float radius )
{
    return ( joShape2 ){ .kind = jo_circleShape2, .circle = { { x, 0.0f }, radius } };
}

static void boxesAreMetAsBoxes( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 1000; ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_mixed, &random );
        joShape3 a = shapeOfBox( pair.a ), b = shapeOfBox( pair.b );
        joManifold3 expected, manifold;
        bool overlapExpected = false, overlaps = false;
        assert_int_equal(
            joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.02f, NULL, &expected ),
            jo_success );
        assert_int_equal(
            joCollide3( &a, &pair.poseA, &b, &pair.poseB, 0.02f, NULL, &manifold ), jo_success );
        assert_memory_equal( &manifold, &expected, sizeof( manifold ) );
        assert_int_equal(
            joOverlapBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &overlapExpected ),
            jo_success );
        assert_int_equal( joOverlap3( &a, &pair.poseA, &b, &pair.poseB, NULL, &overlaps ), jo_success );
        assert_int_equal( overlaps, overlapExpected );
    }
}

// Each of the four calls in 3D, with what was there before spoilt. Returns the first error; checks that the
// answer is then that nothing touches.
static void assertRefused3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joVec3 motion, joResult expected )
{
    bool overlaps = true;
    joManifold3 manifold, noManifold = { .pointCount = 0 };
    joClosestPoints3 closest = { .distance = 1.0f };
    joCastHit3 hit = { .isHit = true };
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal( joOverlap3( a, poseA, b, poseB, NULL, &overlaps ), expected );
    assert_false( overlaps );
    assert_int_equal( joCollide3( a, poseA, b, poseB, 0.0f, NULL, &manifold ), expected );
    assert_memory_equal( &manifold, &noManifold, sizeof( manifold ) );
    assert_int_equal( joDistance3( a, poseA, b, poseB, NULL, &closest ), expected );
    assert_true( isinf( closest.distance ) );
    assert_int_equal( joCast3( a, poseA, b, poseB, motion, NULL, &hit ), expected );
    assert_true( !hit.isHit && hit.fraction == 1.0f );
}

static void assertRefused2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joVec2 motion, joResult expected )
{
    bool overlaps = true;
    joManifold2 manifold, noManifold = { .pointCount = 0 };
    joClosestPoints2 closest = { .distance = 1.0f };
    joCastHit2 hit = { .isHit = true };
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal( joOverlap2( a, poseA, b, poseB, NULL, &overlaps ), expected );
    assert_false( overlaps );
    assert_int_equal( joCollide2( a, poseA, b, poseB, 0.0f, NULL, &manifold ), expected );
    assert_memory_equal( &manifold, &noManifold, sizeof( manifold ) );
    assert_int_equal( joDistance2( a, poseA, b, poseB, NULL, &closest ), expected );
    assert_true( isinf( closest.distance ) );
    assert_int_equal( joCast2( a, poseA, b, poseB, motion, NULL, &hit ), expected );
    assert_true( !hit.isHit && hit.fraction == 1.0f );
}

static void badShapesAndPosesAreRefusedIn3D( void** state )
{
    (void)state;
    joTransform3 good = joMakeIdentity3(), infinite = good, unturned = good, nanPose = good;
    infinite.position.y = INFINITY;
    unturned.rotation.w = 0.0f;
    nanPose.rotation.z = NAN;
    joVec3 still = { 0.0f, 0.0f, 0.0f };
    joShape3 one = sphere( 0.0f, 1.0f );
    const struct
    {
        joShape3 shape;
        joResult expected;
    } shapes[] = {
        { sphere( NAN, 1.0f ), jo_errorNotANumber },
        { sphere( 0.0f, -1.0f ), jo_errorBadShape },
        { sphere( 2e12f, NAN ), jo_errorNotANumber },
        { sphere( 2e12f, 1.0f ), jo_errorBadShape },
        { { .kind = jo_capsuleShape3, .capsule = { .b = { .z = INFINITY } } }, jo_errorBadShape },
        { { .kind = jo_capsuleShape3, .capsule = { .radius = INFINITY } }, jo_errorBadShape },
        { { .kind = jo_halfSpaceShape3, .halfSpace = { .offset = 1.0f } }, jo_errorBadShape },
        { { .kind = jo_halfSpaceShape3, .halfSpace = { { 1.0f, 0.0f, 0.0f }, NAN } }, jo_errorNotANumber },
        { shapeOfBox( joMakeBox3( 1.0f, -1.0f, 1.0f ) ), jo_errorBadShape },
        { { .kind = jo_shapeKindCount3 }, jo_errorBadShape },
    };
    for ( size_t i = 0; i < sizeof( shapes ) / sizeof( shapes[0] ); ++i )
    {
        assert_int_equal( joCheckShape3( &shapes[i].shape ), shapes[i].expected );
        assertRefused3( &shapes[i].shape, &good, &one, &good, still, shapes[i].expected );
        assertRefused3( &one, &good, &shapes[i].shape, &good, still, shapes[i].expected );
    }
    assertRefused3( &one, &infinite, &one, &good, still, jo_errorBadPose );
    assertRefused3( &one, &good, &one, &unturned, still, jo_errorBadPose );
    assertRefused3( &one, &good, &one, &nanPose, still, jo_errorNotANumber );
    assertRefused3( NULL, &good, &one, &good, still, jo_errorNullArgument );
    assertRefused3( &one, NULL, &one, &good, still, jo_errorNullArgument );
    assertRefused3( &one, &good, NULL, &good, still, jo_errorNullArgument );
    assertRefused3( &one, &good, &one, NULL, still, jo_errorNullArgument );
    joCastHit3 hit;
    joVec3 nanMotion = { 0.0f, 0.0f, NAN }, endless = { 0.0f, -INFINITY, 0.0f };
    assert_int_equal( joCast3( &one, &good, &one, &good, nanMotion, NULL, &hit ), jo_errorNotANumber );
    assert_int_equal( joCast3( &one, &good, &one, &good, endless, NULL, &hit ), jo_errorBadRay );
    joManifold3 manifold;
    assert_int_equal( joCollide3( &one, &good, &one, &good, -1.0f, NULL, &manifold ), jo_errorBadRadius );
    assert_int_equal( joCollide3( &one, &good, &one, &good, 2e12f, NULL, &manifold ), jo_errorBadRadius );
    assert_int_equal( joCollide3( &one, &good, &one, &good, NAN, NULL, &manifold ), jo_errorNotANumber );
    assert_int_equal( joOverlap3( &one, &good, &one, &good, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joCollide3( &one, &good, &one, &good, 0.0f, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joDistance3( &one, &good, &one, &good, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joCast3( &one, &good, &one, &good, still, NULL, NULL ), jo_errorNullArgument );
}

static void badShapesAndPosesAreRefusedIn2D( void** state )
{
    (void)state;
    joTransform2 good = joMakeIdentity2(), infinite = good, unturned = good, nanPose = good;
    infinite.position.y = INFINITY;
    unturned.rotation.c = 0.0f;
    nanPose.rotation.s = NAN;
    joVec2 still = { 0.0f, 0.0f };
    joShape2 one = circle( 0.0f, 1.0f );
    const struct
    {
        joShape2 shape;
        joResult expected;
    } shapes[] = {
        { circle( NAN, 1.0f ), jo_errorNotANumber },
        { circle( 0.0f, -1.0f ), jo_errorBadShape },
        { circle( 2e12f, NAN ), jo_errorNotANumber },
        { circle( 2e12f, 1.0f ), jo_errorBadShape },
        { { .kind = jo_capsuleShape2, .capsule = { .b = { .y = INFINITY } } }, jo_errorBadShape },
        { { .kind = jo_capsuleShape2, .capsule = { .radius = INFINITY } }, jo_errorBadShape },
        { { .kind = jo_shapeKindCount2 }, jo_errorBadShape },
    };
    for ( size_t i = 0; i < sizeof( shapes ) / sizeof( shapes[0] ); ++i )
    {
        assert_int_equal( joCheckShape2( &shapes[i].shape ), shapes[i].expected );
        assertRefused2( &shapes[i].shape, &good, &one, &good, still, shapes[i].expected );
        assertRefused2( &one, &good, &shapes[i].shape, &good, still, shapes[i].expected );
    }
    assertRefused2( &one, &infinite, &one, &good, still, jo_errorBadPose );
    assertRefused2( &one, &good, &one, &unturned, still, jo_errorBadPose );
    assertRefused2( &one, &good, &one, &nanPose, still, jo_errorNotANumber );
    assertRefused2( NULL, &good, &one, &good, still, jo_errorNullArgument );
    assertRefused2( &one, NULL, &one, &good, still, jo_errorNullArgument );
    assertRefused2( &one, &good, NULL, &good, still, jo_errorNullArgument );
    assertRefused2( &one, &good, &one, NULL, still, jo_errorNullArgument );
    joCastHit2 hit;
    joVec2 nanMotion = { 0.0f, NAN }, endless = { -INFINITY, 0.0f };
    assert_int_equal( joCast2( &one, &good, &one, &good, nanMotion, NULL, &hit ), jo_errorNotANumber );
    assert_int_equal( joCast2( &one, &good, &one, &good, endless, NULL, &hit ), jo_errorBadRay );
    joManifold2 manifold;
    assert_int_equal( joCollide2( &one, &good, &one, &good, -1.0f, NULL, &manifold ), jo_errorBadRadius );
    assert_int_equal( joCollide2( &one, &good, &one, &good, 2e12f, NULL, &manifold ), jo_errorBadRadius );
    assert_int_equal( joCollide2( &one, &good, &one, &good, NAN, NULL, &manifold ), jo_errorNotANumber );
    assert_int_equal( joOverlap2( &one, &good, &one, &good, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joCollide2( &one, &good, &one, &good, 0.0f, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joDistance2( &one, &good, &one, &good, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joCast2( &one, &good, &one, &good, still, NULL, NULL ), jo_errorNullArgument );
}

// A pair for which there will never be an answer.
static void aPairWithoutAnAnswerIsSaidToBeOne( void** state )
{
    (void)state;
    joTransform3 pose = joMakeIdentity3();
    joShape3 ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 1.0f, 0.0f }, 0.0f } };
    joVec3 down = { 0.0f, -1.0f, 0.0f };
    assertRefused3( &ground, &pose, &ground, &pose, down, jo_errorNoSuchPair );
}

// A point that touches the mesh but for the least length that a float can have.
static void whatTouchesWithinRoundingIsCastWithDepthZero( void** state )
{
    (void)state;
    const joVec3 corners[3] = { { 0.0f, 0.0f, 0x1p-149f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    const uint32_t indices[3] = { 0, 1, 2 };
    joMesh3* mesh;
    assert_int_equal( joCreateMesh3( corners, 3, indices, 1, NULL, &mesh, NULL ), jo_success );
    joTransform3 pose = joMakeIdentity3();
    joShape3 ground = { .kind = jo_meshShape3, .mesh = mesh }, point = sphere( 0.0f, 0.0f );
    joCastHit3 hit;
    assert_int_equal( joCast3( &ground, &pose, &point, &pose, pose.position, NULL, &hit ), jo_success );
    assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth == 0.0f );
    joDestroyMesh3( mesh, NULL );
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
        TEST( "boxes are met as boxes", boxesAreMetAsBoxes ),
        TEST( "bad shapes and poses are refused in 3D", badShapesAndPosesAreRefusedIn3D ),
        TEST( "bad shapes and poses are refused in 2D", badShapesAndPosesAreRefusedIn2D ),
        TEST( "a pair without an answer is said to be one", aPairWithoutAnAnswerIsSaidToBeOne ),
        TEST( "what touches within rounding is cast with depth 0",
            whatTouchesWithinRoundingIsCastWithDepthZero ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
