// SPDX-License-Identifier: MIT
// Tests of spheres and capsules against boxes in 3D, judged in double precision by what pushing and moving
// does. The numbered cases are faults that other libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/round_judge.h"

#include <math.h>

typedef struct Scene
{
    joShape3 round, box;
    joTransform3 poseA, poseB;
} Scene;

static uint64_t s_seed;

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 20 : full;
}

static joShape3 capsule( joVec3 a, joVec3 b, float radius )
{
    return ( joShape3 ){ .kind = jo_capsuleShape3, .capsule = { a, b, radius } };
}

static joShape3 boxOf( float x, float y, float z )
{
    return ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( x, y, z ) };
}

// Half of them overlap; some lie along a face or an edge, or have no radius, or no size on an axis.
static Scene anyScene( bool isSphere, uint64_t* random )
{
    uint32_t special = randomBelow( random, 12 );
    float radius = special == 0 ? 0.0f : pairFloatIn( random, 0.05f, 0.6f );
    joVec3 a = pairVectorIn( random, 1.0f ), b = pairVectorIn( random, 1.0f );
    b = special == 1 ? a : b;
    Scene scene = { .round = capsule( a, b, radius ) };
    scene.box = boxOf( pairFloatIn( random, 0.2f, 1.0f ), pairFloatIn( random, 0.2f, 1.0f ),
        special == 2 ? 0.0f : pairFloatIn( random, 0.2f, 1.0f ) );
    scene.poseA = ( joTransform3 ){ pairVectorIn( random, 0.6f ), pairAnyRotation( random ) };
    scene.poseB = ( joTransform3 ){ pairVectorIn( random, 0.6f ), pairAnyRotation( random ) };
    if ( special == 3 || special == 4 )
    {
        // Along an axis of the box, but for an angle down to nothing.
        float angle = special == 4 ? 0.0f : powf( 10.0f, pairFloatIn( random, -9.0f, -1.0f ) );
        joQuat turn = joMakeQuat( pairVectorIn( random, 1.0f ), angle );
        scene.poseA.rotation = joNormalizeQuat( joMultiplyQuats( scene.poseB.rotation, turn ) );
        scene.round.capsule.b = a;
        ( &scene.round.capsule.b.x )[randomBelow( random, 3 )] += pairFloatIn( random, -2.0f, 2.0f );
    }
    if ( special == 5 )
    {
        scene.box.box.localPose = ( joTransform3 ){ pairVectorIn( random, 1.0f ), pairAnyRotation( random ) };
    }
    if ( isSphere )
    {
        scene.round = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { a, radius } };
    }
    return scene;
}

static joManifold3 collide( const Scene* scene, float margin )
{
    joManifold3 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollide3( &scene->round, &scene->poseA, &scene->box, &scene->poseB, margin, NULL, &manifold ),
        jo_success );
    return manifold;
}

static double lengthOf( joVec3 v )
{
    return sqrt( (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z );
}

static double differenceOf( joVec3 a, joVec3 b )
{
    return fabs( (double)a.x - (double)b.x ) + fabs( (double)a.y - (double)b.y ) +
           fabs( (double)a.z - (double)b.z );
}

// How far a point is from the surface of a box, inside or outside.
static double distanceToSurface( const void* shape, const double point[3] )
{
    const SatBox* box = shape;
    double inside = INFINITY;
    for ( int k = 0; k < 3; ++k )
    {
        double along = 0.0;
        for ( int i = 0; i < 3; ++i )
        {
            along += ( point[i] - box->center[i] ) * box->axes[k][i];
        }
        inside = fmin( inside, fabs( box->half[k] - fabs( along ) ) );
    }
    double outside = satDistanceToPoint( box, point );
    return outside > 0.0 ? outside : inside;
}

static double distanceToBody( const void* shape, const double point[3] )
{
    return satDistanceToPoint( shape, point );
}

static void judgeManifold( const Scene* scene, float margin )
{
    RoundCore core = roundMakeCore3( &scene->round, &scene->poseA );
    SatBox box = satMakeBox( &scene->box.box, &scene->poseB );
    double truth = roundDepthInBox( &core, &box );
    bool overlaps = false;
    assert_int_equal(
        joOverlap3( &scene->round, &scene->poseA, &scene->box, &scene->poseB, NULL, &overlaps ), jo_success );
    assert_int_equal( overlaps, collide( scene, 0.0f ).pointCount > 0 );
    assert_true( fabs( truth ) < 1e-8 || overlaps == ( truth > 0.0 ) );
    const joManifold3 answer = collide( scene, margin );
    const WideManifold manifold = wideManifold3( &answer );
    assert_true(
        fabs( truth + (double)margin ) < 1e-7 || ( manifold.pointCount > 0 ) == ( truth > -(double)margin ) );
    if ( manifold.pointCount == 0 )
    {
        return;
    }
    RoundCore pushed = roundMoved( &core, manifold.normal, -manifold.depth );
    double left = roundDepthInBox( &pushed, &box ), excess = manifold.depth - truth;
    if ( !( fabs( wideLength( manifold.normal ) - 1.0 ) < 2e-7 && left <= 2e-6 && fabs( excess ) <= 3e-6 ) )
    {
        fail_msg( "true depth %.9g, returned %.9g, left %g", truth, manifold.depth, left );
    }
    static const PointBounds bounds = { .place = 1e-5, .deeper = 4e-6, .deepest = 1e-5 };
    const JudgedShape boxSurface = { &box, distanceToSurface };
    judgeManifoldPoints( &manifold, roundSurface( &core ), boxSurface, (double)margin, &bounds );
}

static void pushingByTheDepthPartsAndNoShorterWayDoes( void** state )
{
    (void)state;
    uint64_t random = s_seed, touching = 0, count = countOf( 100000 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        Scene scene = anyScene( i % 3 == 0, &random );
        judgeManifold( &scene, i % 2 ? 0.3f : 0.0f );
        touching += collide( &scene, 0.0f ).pointCount > 0;
    }
    assert_true( touching > count / 3 && touching < count * 3 / 4 );
}

static void distancesAreThoseOfTheNearestPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        Scene scene = anyScene( i % 3 == 0, &random );
        RoundCore core = roundMakeCore3( &scene.round, &scene.poseA );
        SatBox box = satMakeBox( &scene.box.box, &scene.poseB );
        double truth = fmax( -roundDepthInBox( &core, &box ), 0.0 );
        joClosestPoints3 closest;
        assert_int_equal(
            joDistance3( &scene.box, &scene.poseB, &scene.round, &scene.poseA, NULL, &closest ), jo_success );
        const WideClosest wide = wideClosest3( &closest );
        const JudgedShape boxBody = { &box, distanceToBody };
        judgeClosestPoints( &wide, truth, boxBody, roundBody( &core ), 1e-6, 1e-6 );
    }
}

// Against places before the hit: the distance is convex in time, so what goes through has to be deep just
// before it.
static bool judgeCast( const Scene* scene, joVec3 motion, bool isSwapped )
{
    RoundCore core = roundMakeCore3( &scene->round, &scene->poseA );
    SatBox box = satMakeBox( &scene->box.box, &scene->poseB );
    joCastHit3 hit;
    joResult result =
        isSwapped ? joCast3( &scene->box, &scene->poseB, &scene->round, &scene->poseA, motion, NULL, &hit )
                  : joCast3( &scene->round, &scene->poseA, &scene->box, &scene->poseB, motion, NULL, &hit );
    assert_int_equal( result, jo_success );
    joManifold3 start = collide( scene, 0.0f );
    if ( start.pointCount > 0 )
    {
        float turn = isSwapped ? -1.0f : 1.0f;
        joVec3 normal = { turn * start.normal.x, turn * start.normal.y, turn * start.normal.z };
        assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth == start.depth );
        assert_true( differenceOf( hit.normal, normal ) == 0.0 );
        return true;
    }
    // The way of the round shape, as the box sees it.
    double way[3], toward = 0.0, deepest = -INFINITY, bound = 1e-6 * ( 1.0 + lengthOf( motion ) );
    widen3( motion, way );
    static const double parts[] = { 0.2, 0.4, 0.6, 0.8, 0.9, 0.99, 0.999, 1.0 };
    RoundCore last = core;
    for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
    {
        last = roundMoved( &core, way, ( isSwapped ? parts[i] : -parts[i] ) * (double)hit.fraction );
        deepest = fmax( deepest, core.radius - roundDistanceToBox( &last, &box ) );
    }
    double depth = core.radius - roundDistanceToBox( &last, &box );
    bool isThin = core.radius == 0.0; // through what is thin a search finds no depth
    if ( !( deepest <= ( isThin ? 1e-9 : 1e-3 * bound ) && ( !hit.isHit || depth >= -bound ) ) )
    {
        fail_msg( "cast to %.9g, hit %d: deepest before %g, there %g", (double)hit.fraction, hit.isHit,
            deepest, depth );
    }
    assert_true( hit.depth == 0.0f && ( hit.isHit || hit.fraction == 1.0f ) );
    if ( hit.isHit )
    {
        double point[3], normal[3];
        widen3( hit.point, point );
        widen3( hit.normal, normal );
        const RoundCore* at = isSwapped ? &last : &core;
        assert_true( fabs( roundDistanceToPoint( at, point ) - core.radius ) < 2e-6 + bound );
        assert_true( fabs( lengthOf( hit.normal ) - 1.0 ) < 2e-7 );
        toward = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2];
        assert_true( toward <= bound );
        RoundCore apart = roundMoved( &last, normal, isSwapped ? 1e-3 : -1e-3 );
        assert_true( roundDepthInBox( &apart, &box ) < 0.0 );
    }
    return hit.isHit;
}

static void castsStopWhereTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0, count = countOf( 100000 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        Scene scene = anyScene( i % 3 == 0, &random );
        joVec3 offset = pairVectorIn( &random, 4.0f ), to = pairVectorIn( &random, 1.0f );
        bool isSwapped = i / 2 % 2;
        joTransform3* moving = isSwapped ? &scene.poseA : &scene.poseB;
        const joTransform3* still = isSwapped ? &scene.poseB : &scene.poseA;
        moving->position = joTransformPoint3( *still, offset );
        joVec3 target = joTransformPoint3( *still, to );
        float reach = pairFloatIn( &random, 0.2f, 3.0f );
        joVec3 motion = { reach * ( target.x - moving->position.x ),
            reach * ( target.y - moving->position.y ), reach * ( target.z - moving->position.z ) };
        hits += judgeCast( &scene, motion, isSwapped );
    }
    assert_true( hits > count / 3 );
}

// 31
static void castsThatStartTouchingSayHowTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0;
    for ( uint64_t i = 0; i < countOf( 30000 ); ++i )
    {
        Scene scene = anyScene( i % 3 == 0, &random );
        hits += judgeCast( &scene, pairVectorIn( &random, i % 5 == 0 ? 0.0f : 0.5f ), i % 2 );
    }
    assert_true( hits > countOf( 30000 ) / 3 );
    // A ball that stands on a table, and is lifted.
    joShape3 table = boxOf( 1.0f, 0.5f, 1.0f );
    joShape3 ball = { .kind = jo_sphereShape3, .sphere = { { 0.0f, 0.0f, 0.0f }, 0.25f } };
    joTransform3 under = joMakeIdentity3(), above = under;
    above.position.y = 0.75f;
    joVec3 up = { 0.0f, 1.0f, 0.0f };
    joCastHit3 hit;
    assert_int_equal( joCast3( &table, &under, &ball, &above, up, NULL, &hit ), jo_success );
    assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth == 0.0f && hit.normal.y == 1.0f );
    assert_true( hit.point.y == 0.5f );
}

// 38: and a rigid motion of both turns the answer with it.
static void swappingAndMovingTurnTheAnswer( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        Scene scene = anyScene( i % 3 == 0, &random ), moved = scene;
        joTransform3 motion = { pairVectorIn( &random, 5.0f ), pairAnyRotation( &random ) };
        moved.poseA = joMultiplyTransforms3( motion, scene.poseA );
        moved.poseB = joMultiplyTransforms3( motion, scene.poseB );
        joManifold3 one = collide( &scene, 0.3f ), two = collide( &moved, 0.3f ), other;
        assert_int_equal(
            joCollide3( &scene.box, &scene.poseB, &scene.round, &scene.poseA, 0.3f, NULL, &other ),
            jo_success );
        joVec3 turned = { -other.normal.x, -other.normal.y, -other.normal.z };
        assert_true( differenceOf( one.normal, turned ) == 0.0 && one.depth == other.depth );
        assert_memory_equal( one.points, other.points, sizeof( one.points ) );
        if ( one.pointCount == 0 || two.pointCount == 0 )
        {
            // Both, or the one that is just within the margin.
            assert_true( one.depth + two.depth == 0.0f || one.depth + two.depth < -0.3f + 1e-5f );
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 5e-6f );
        RoundCore core = roundMakeCore3( &scene.round, &scene.poseA );
        SatBox box = satMakeBox( &scene.box.box, &scene.poseB );
        if ( roundDistanceToBox( &core, &box ) > 0.05 )
        {
            assert_true( differenceOf( joRotateVec3( motion.rotation, one.normal ), two.normal ) < 1e-4 );
        }
    }
}

// 40: a box of no size is met as a plate, a rod or a point; a core in the middle of a box leaves it.
static void degenerateShapesGetFiniteRightAnswers( void** state )
{
    (void)state;
    joVec3 zero = { 0.0f, 0.0f, 0.0f }, left = { -1.0f, 0.0f, 0.0f }, right = { 1.0f, 0.0f, 0.0f };
    const joShape3 rounds[] = {
        capsule( left, right, 0.5f ),
        capsule( left, right, 0.0f ),
        capsule( zero, zero, 0.25f ),
        capsule( zero, zero, 0.0f ),
        { .kind = jo_sphereShape3, .sphere = { zero, 0.5f } },
        { .kind = jo_sphereShape3, .sphere = { zero, 0.0f } },
        capsule( zero, right, 0.5f ),
    };
    const joShape3 boxes[] = { boxOf( 1.0f, 1.0f, 1.0f ), boxOf( 1.0f, 0.0f, 1.0f ),
        boxOf( 2.0f, 0.0f, 0.0f ), boxOf( 0.0f, 0.0f, 2.0f ), boxOf( 0.0f, 0.0f, 0.0f ) };
    const joVec3 offsets[] = { zero, left, right, { 0.5f, 0.25f, 0.0f }, { 0.0f, 0.75f, 0.0f } };
    for ( size_t i = 0; i < 7 * 5 * 5; ++i )
    {
        Scene scene = { rounds[i % 7], boxes[i / 7 % 5], joMakeIdentity3(), joMakeIdentity3() };
        scene.poseA.position = offsets[i / 35];
        judgeManifold( &scene, 0.5f );
        // From above.
        scene.poseA.position.y += 5.0f;
        joVec3 down = { 0.0f, -10.0f, 0.0f }, up = { 0.0f, 10.0f, 0.0f };
        (void)judgeCast( &scene, down, true );
        (void)judgeCast( &scene, up, false );
    }
}

static void aCapsuleOnABoxTouchesAtTwoPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 20000 ); ++i )
    {
        float shift = pairFloatIn( &random, -1.4f, 1.4f );
        joVec3 a = { -1.0f, 0.0f, 0.0f }, b = { 1.0f, 0.0f, 0.0f };
        Scene scene = { capsule( a, b, 0.25f ), boxOf( 1.0f, 0.5f, 0.5f ), joMakeIdentity3(),
            { pairVectorIn( &random, 3.0f ), pairAnyRotation( &random ) } };
        joVec3 offset = { shift, 0.5f + 0.25f - 0.01f, 0.1f };
        scene.poseA.position = joTransformPoint3( scene.poseB, offset );
        joQuat turn = joMakeQuat( pairVectorIn( &random, 1.0f ), pairFloatIn( &random, 0.0f, 2e-3f ) );
        scene.poseA.rotation = joNormalizeQuat( joMultiplyQuats( scene.poseB.rotation, turn ) );
        judgeManifold( &scene, 0.02f );
        joManifold3 manifold = collide( &scene, 0.02f );
        assert_int_equal( manifold.pointCount, 2 );
        double length = differenceOf( manifold.points[0].position, manifold.points[1].position );
        assert_true( length > ( 2.0 - fabs( (double)shift ) ) * 0.99 );
        scene.poseB.position.x += 1e-7f;
        joManifold3 moved = collide( &scene, 0.02f );
        assert_int_equal( moved.pointCount, 2 );
        assert_int_equal( moved.points[0].featureId, manifold.points[0].featureId );
        assert_int_equal( moved.points[1].featureId, manifold.points[1].featureId );
    }
}

static void anyAllowedInputGivesFiniteAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const float sizes[] = { 0.0f, 1e-38f, 1e-20f, 1e-3f, 1.0f, 1e3f, 1e7f, JO_MAX_SIZE };
    static const float places[] = { 0.0f, 1e-30f, 1.0f, 1e6f, 1e20f, 3e38f };
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        float size = sizes[randomBelow( &random, 8 )];
        Scene scene = { capsule( pairVectorIn( &random, size ), pairVectorIn( &random, size ), size ),
            boxOf( sizes[randomBelow( &random, 8 )], sizes[randomBelow( &random, 8 )],
                sizes[randomBelow( &random, 8 )] ),
            { pairVectorIn( &random, places[randomBelow( &random, 6 )] ), pairAnyRotation( &random ) },
            { pairVectorIn( &random, places[randomBelow( &random, 6 )] ), pairAnyRotation( &random ) } };
        joManifold3 manifold = collide( &scene, 1.0f );
        joClosestPoints3 closest;
        joCastHit3 hit;
        joVec3 motion = pairVectorIn( &random, places[randomBelow( &random, 6 )] );
        assert_int_equal(
            joDistance3( &scene.round, &scene.poseA, &scene.box, &scene.poseB, NULL, &closest ), jo_success );
        assert_int_equal(
            joCast3( &scene.round, &scene.poseA, &scene.box, &scene.poseB, motion, NULL, &hit ), jo_success );
        assert_true( isfinite( manifold.depth ) && isfinite( lengthOf( manifold.normal ) ) );
        assert_true( closest.distance >= 0.0f && isfinite( closest.distance ) );
        assert_true( hit.fraction >= 0.0f && hit.fraction <= 1.0f );
        assert_true( manifold.pointCount == 0 || fabs( lengthOf( manifold.normal ) - 1.0 ) < 1e-6 );
        assert_true( !hit.isHit || fabs( lengthOf( hit.normal ) - 1.0 ) < 1e-6 );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST(
            "pushing by the depth parts and no shorter way does", pushingByTheDepthPartsAndNoShorterWayDoes ),
        TEST( "distances are those of the nearest points", distancesAreThoseOfTheNearestPoints ),
        TEST( "casts stop where they touch", castsStopWhereTheyTouch ),
        TEST( "31: casts that start touching say how they touch", castsThatStartTouchingSayHowTheyTouch ),
        TEST( "38: swapping and moving turn the answer", swappingAndMovingTurnTheAnswer ),
        TEST( "40: degenerate shapes get finite right answers", degenerateShapesGetFiniteRightAnswers ),
        TEST( "a capsule on a box touches at two points", aCapsuleOnABoxTouchesAtTwoPoints ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
