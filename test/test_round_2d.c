// SPDX-License-Identifier: MIT
// Tests of circles and capsules against each other in 2D, judged in double precision by what pushing and
// moving does. The numbered cases are faults that other libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/round_judge.h"

#include <math.h>

typedef struct RoundPair2
{
    joShape2 a, b;
    joTransform2 poseA, poseB;
} RoundPair2;

static uint64_t s_seed;

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 20 : full;
}

static joVec2 vectorIn( uint64_t* random, float size )
{
    joVec3 v = pairVectorIn( random, size );
    return ( joVec2 ){ v.x, v.y };
}

static joShape2 circle( joVec2 center, float radius )
{
    return ( joShape2 ){ .kind = jo_circleShape2, .circle = { center, radius } };
}

static joShape2 capsule( joVec2 a, joVec2 b, float radius )
{
    return ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = { a, b, radius } };
}

// One of `kind`, about its origin or beside it; now and then without a radius, or without a length.
static joShape2 anyShape( joShapeKind2 kind, uint64_t* random )
{
    uint32_t special = randomBelow( random, 10 );
    float radius = special == 0 ? 0.0f : pairFloatIn( random, 0.1f, 1.0f );
    joVec2 a = vectorIn( random, 1.0f ), b = vectorIn( random, 1.0f );
    if ( special >= 6 )
    {
        a = ( joVec2 ){ 0.0f, 0.0f };
    }
    return kind == jo_circleShape2 ? circle( a, radius ) : capsule( a, special == 1 ? a : b, radius );
}

static joTransform2 anyPose( uint64_t* random, float size )
{
    joVec2 position = vectorIn( random, size );
    return ( joTransform2 ){ position, joMakeRot2( pairFloatIn( random, -4.0f, 4.0f ) ) };
}

// Half of them overlapping; some parallel, some with crossing cores, some within a hair of touching.
static RoundPair2 anyPair( joShapeKind2 kindA, joShapeKind2 kindB, uint64_t* random )
{
    RoundPair2 pair = { .a = anyShape( kindA, random ), .b = anyShape( kindB, random ) };
    pair.poseA = anyPose( random, 1.5f );
    pair.poseB = anyPose( random, 1.5f );
    uint32_t sort = randomBelow( random, 10 );
    if ( sort == 0 && kindA == jo_capsuleShape2 && kindB == jo_capsuleShape2 )
    {
        // Parallel, but for an angle down to nothing.
        pair.b.capsule.a = pair.a.capsule.a;
        pair.b.capsule.b = pair.a.capsule.b;
        float angle = powf( 10.0f, pairFloatIn( random, -9.0f, -1.0f ) );
        joRot2 turn = joMakeRot2( randomBelow( random, 3 ) ? angle : 0.0f );
        pair.poseB.rotation = joNormalizeRot2( joMultiplyRots2( pair.poseA.rotation, turn ) );
    }
    else if ( sort == 1 )
    {
        pair.poseB = pair.poseA; // cores that cross, or centres that coincide, are likelier
    }
    return pair;
}

static joManifold2 collide( const RoundPair2* pair, float margin )
{
    joManifold2 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollide2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &manifold ), jo_success );
    return manifold;
}

static RoundPair2 swapped( const RoundPair2* pair )
{
    return ( RoundPair2 ){ pair->b, pair->a, pair->poseB, pair->poseA };
}

static double lengthOf( joVec2 v )
{
    return sqrt( (double)v.x * (double)v.x + (double)v.y * (double)v.y );
}

static double differenceOf( joVec2 a, joVec2 b )
{
    return fabs( (double)a.x - (double)b.x ) + fabs( (double)a.y - (double)b.y );
}

static RoundPair coresOf( const RoundPair2* pair )
{
    return ( RoundPair ){
        roundMakeCore2( &pair->a, &pair->poseA ), roundMakeCore2( &pair->b, &pair->poseB ), 2 };
}

static void judgeManifold( const RoundPair2* pair, float margin )
{
    const RoundPair cores = coresOf( pair );
    const joManifold2 touching = collide( pair, 0.0f ), manifold = collide( pair, margin );
    const WideManifold wideTouching = wideManifold2( &touching ), wide = wideManifold2( &manifold );
    bool overlaps = false;
    assert_int_equal(
        joOverlap2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &overlaps ), jo_success );
    roundJudgeManifold( &cores, overlaps, &wideTouching, &wide, (double)margin );
}

static void judgeDistance( const RoundPair2* pair )
{
    const RoundPair cores = coresOf( pair );
    joClosestPoints2 closest;
    memset( &closest, 0xCD, sizeof( closest ) );
    assert_int_equal(
        joDistance2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &closest ), jo_success );
    assert_int_equal( closest.status, jo_collideComplete );
    const WideClosest wide = wideClosest2( &closest );
    roundJudgeDistance( &cores, &wide );
}

static bool judgeCast( const RoundPair2* pair, joVec2 motion )
{
    const RoundPair cores = coresOf( pair );
    const joManifold2 start = collide( pair, 0.0f );
    joCastHit2 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal(
        joCast2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, motion, NULL, &hit ), jo_success );
    double way[3];
    widen2( motion, way );
    const WideManifold wideStart = wideManifold2( &start );
    const WideHit wide = wideHit2( &hit );
    return roundJudgeCast( &cores, way, &wide, &wideStart );
}

static const joShapeKind2 s_kinds[][2] = {
    { jo_circleShape2, jo_circleShape2 },
    { jo_circleShape2, jo_capsuleShape2 },
    { jo_capsuleShape2, jo_circleShape2 },
    { jo_capsuleShape2, jo_capsuleShape2 },
};

#define KIND_COUNT ( sizeof( s_kinds ) / sizeof( s_kinds[0] ) )

static RoundPair2 pairNumber( uint64_t i, uint64_t* random )
{
    return anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], random );
}

static void circlesTouchWhereTheirRadiiMeet( void** state )
{
    (void)state;
    // Of 3, 4 and 5, all of which are exact.
    RoundPair2 pair = { circle( ( joVec2 ){ 1.0f, 1.0f }, 2.0f ), circle( ( joVec2 ){ 4.0f, 5.0f }, 3.0f ),
        joMakeIdentity2(), joMakeIdentity2() };
    joManifold2 manifold = collide( &pair, 0.0f );
    assert_true( manifold.pointCount == 1 && manifold.depth == 0.0f );
    assert_true( manifold.normal.x == 0.6f && manifold.normal.y == 0.8f );
    assert_true( manifold.points[0].position.x == 2.2f && manifold.points[0].position.y == 2.6f );
    // A quarter apart.
    pair.b.circle.radius = 2.75f;
    assert_int_equal( collide( &pair, 0.0f ).pointCount, 0 );
    manifold = collide( &pair, 0.25f );
    assert_true( manifold.pointCount == 1 && manifold.points[0].depth == -0.25f );
}

static void pushingByTheDepthPartsAndNoShorterWayDoes( void** state )
{
    (void)state;
    uint64_t random = s_seed, touching = 0, count = countOf( 400000 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        judgeManifold( &pair, i / KIND_COUNT % 2 ? 0.3f : 0.0f );
        touching += collide( &pair, 0.0f ).pointCount > 0;
    }
    assert_true( touching > count / 3 && touching < count * 3 / 4 );
}

static void distancesAreThoseOfTheNearestPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 400000 ); ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        judgeDistance( &pair );
    }
}

static void castsStopWhereTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0, count = countOf( 100000 * KIND_COUNT );
    for ( uint64_t i = 0; i < count; ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        pair.poseB.position = joTransformPoint2( pair.poseA, vectorIn( &random, 4.0f ) );
        joVec2 target = joTransformPoint2( pair.poseA, vectorIn( &random, 1.0f ) );
        float reach = pairFloatIn( &random, 0.2f, 3.0f );
        joVec2 motion = {
            reach * ( target.x - pair.poseB.position.x ), reach * ( target.y - pair.poseB.position.y ) };
        hits += judgeCast( &pair, motion );
    }
    assert_true( hits > count / 3 );
}

// 31: and motion away from each other, or none, changes nothing about it.
static void castsThatStartTouchingSayHowTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0;
    for ( uint64_t i = 0; i < countOf( 40000 ); ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        hits += judgeCast( &pair, vectorIn( &random, i % 3 == 0 ? 0.0f : 1.0f ) );
    }
    assert_true( hits > countOf( 40000 ) / 3 );
    RoundPair2 pair = { circle( ( joVec2 ){ 0.0f, 0.0f }, 2.0f ), circle( ( joVec2 ){ 3.0f, 4.0f }, 3.0f ),
        joMakeIdentity2(), joMakeIdentity2() };
    joCastHit2 hit;
    joVec2 away = { 3.0f, 4.0f };
    assert_int_equal( joCast2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, away, NULL, &hit ), jo_success );
    assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth == 0.0f );
    assert_true( hit.normal.x == 0.6f && hit.normal.y == 0.8f );
    assert_true( hit.point.x == 1.2f && hit.point.y == 1.6f );
}

// 38: and a rigid motion of both turns the answer with it.
static void swappingAndMovingTurnTheAnswer( void** state )
{
    (void)state;
    uint64_t random = s_seed, compared = 0;
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        RoundPair2 pair = pairNumber( i, &random ), other = swapped( &pair ), moved = pair;
        joTransform2 motion = anyPose( &random, 5.0f );
        moved.poseA = joMultiplyTransforms2( motion, pair.poseA );
        moved.poseB = joMultiplyTransforms2( motion, pair.poseB );
        RoundCore a = roundMakeCore2( &pair.a, &pair.poseA ), b = roundMakeCore2( &pair.b, &pair.poseB );
        joManifold2 one = collide( &pair, 0.3f ), two = collide( &other, 0.3f );
        joManifold2 three = collide( &moved, 0.3f );
        if ( fabs( roundDepth2( &a, &b ) + 0.3 ) < 1e-5 )
        {
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 3e-6f && fabsf( one.depth - three.depth ) < 6e-6f );
        assert_int_equal( one.pointCount > 0, three.pointCount > 0 );
        // Of two of one length it matters which comes first.
        bool isSame = memcmp( &pair.a.capsule, &pair.b.capsule, 2 * sizeof( joVec2 ) ) == 0;
        if ( isSame || one.pointCount == 0 || roundCoreDistance( &a, &b ) < 0.05 )
        {
            continue;
        }
        compared += 1;
        joVec2 turned = { -two.normal.x, -two.normal.y };
        assert_true( differenceOf( one.normal, turned ) < 1e-6 );
        assert_true( differenceOf( joRotateVec2( motion.rotation, one.normal ), three.normal ) < 1e-4 );
        assert_int_equal( one.pointCount, two.pointCount );
        if ( one.pointCount == 1 )
        {
            uint32_t id = two.points[0].featureId;
            assert_int_equal( one.points[0].featureId, id >> 16 | id << 16 );
            assert_true( differenceOf( one.points[0].position, two.points[0].position ) < 1e-5 );
        }
    }
    assert_true( compared > countOf( 100000 ) / 5 );
}

static void farFromTheOriginTheAnswerIsTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        for ( int k = 0; k < 4; ++k )
        {
            float* x = &( k < 2 ? &pair.poseA : &pair.poseB )->position.x + k % 2;
            *x = roundf( *x * 8.0f ) / 8.0f;
        }
        RoundPair2 far = pair;
        far.poseA.position.x += 1e6f;
        far.poseB.position.x += 1e6f;
        joManifold2 one = collide( &pair, 0.3f ), two = collide( &far, 0.3f );
        assert_memory_equal( &one.normal, &two.normal, sizeof( joVec2 ) );
        assert_true( one.depth == two.depth && one.pointCount == two.pointCount );
        for ( uint32_t k = 0; k < one.pointCount; ++k )
        {
            assert_int_equal( one.points[k].featureId, two.points[k].featureId );
        }
    }
}

// 40: crossing cores, coincident centres, no radius, no length.
static void degenerateShapesGetFiniteRightAnswers( void** state )
{
    (void)state;
    joVec2 zero = { 0.0f, 0.0f }, left = { -1.0f, 0.0f }, right = { 1.0f, 0.0f };
    joVec2 below = { 0.0f, -1.0f }, above = { 0.0f, 2.0f };
    const joShape2 shapes[] = {
        circle( zero, 0.5f ),
        circle( zero, 0.0f ),
        capsule( left, right, 0.5f ),
        capsule( below, above, 0.25f ),
        capsule( zero, zero, 0.5f ),
        capsule( left, right, 0.0f ),
        capsule( below, above, 0.0f ),
        capsule( zero, zero, 0.0f ),
        capsule( right, left, 0.5f ),
        capsule( zero, right, 0.25f ),
    };
    size_t count = sizeof( shapes ) / sizeof( shapes[0] );
    for ( size_t i = 0; i < count * count; ++i )
    {
        RoundPair2 pair = { shapes[i / count], shapes[i % count], joMakeIdentity2(), joMakeIdentity2() };
        judgeManifold( &pair, 0.0f );
        judgeDistance( &pair );
        assert_true( collide( &pair, 0.0f ).pointCount >= 1 );
        assert_true( judgeCast( &pair, right ) );
        // The same, come from the side, but for what is thinner than rounding.
        pair.poseB.position = ( joVec2 ){ 7.0f, 0.0f };
        joVec2 back = { -14.0f, 0.0f };
        assert_true( judgeCast( &pair, back ) );
    }
}

// Both senses are as good for two rods that have come to lie on each other: the one against the motion is
// told.
static void rodsThatFallOnEachOtherMeetAgainstTheMotion( void** state )
{
    (void)state;
    joVec2 a = { -1.0f, 0.0f }, b = { 1.0f, 0.0f };
    for ( int i = 0; i < 4; ++i )
    {
        float side = i % 2 ? 1.0f : -1.0f;
        RoundPair2 pair = { capsule( a, b, 0.0f ), i < 2 ? capsule( a, b, 0.0f ) : capsule( b, a, 0.0f ),
            joMakeIdentity2(), { { 0.25f, 3.0f * side }, { 1.0f, 0.0f } } };
        joVec2 motion = { 0.5f, -6.0f * side };
        joCastHit2 hit;
        assert_int_equal(
            joCast2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit ), jo_success );
        assert_true( hit.isHit && hit.fraction == 0.5f );
        assert_true( hit.normal.x == 0.0f && hit.normal.y == side );
    }
}

static void capsulesSideBySideTouchAtTwoPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 20000 ); ++i )
    {
        // B lies on A, shifted along it, and rocks a little.
        float radius = pairFloatIn( &random, 0.1f, 0.5f );
        float shift = i % 3 ? pairFloatIn( &random, -1.4f, 1.4f ) : 0.0f;
        joVec2 a = { -1.0f, 0.0f }, b = { 1.0f, 0.0f };
        RoundPair2 pair = { capsule( a, b, radius ), i % 2 ? capsule( a, b, 0.2f ) : capsule( b, a, 0.2f ),
            anyPose( &random, 3.0f ), joMakeIdentity2() };
        joVec2 offset = { shift, radius + 0.2f - 0.01f };
        pair.poseB.position = joTransformPoint2( pair.poseA, offset );
        joRot2 turn = joMakeRot2( ( i % 3 ? 1.0f : 0.1f ) * pairFloatIn( &random, -2e-3f, 2e-3f ) );
        pair.poseB.rotation = joNormalizeRot2( joMultiplyRots2( pair.poseA.rotation, turn ) );
        judgeManifold( &pair, 0.02f );
        joManifold2 manifold = collide( &pair, 0.02f );
        assert_int_equal( manifold.pointCount, 2 );
        double spread = differenceOf( manifold.points[0].position, manifold.points[1].position );
        assert_true( spread > ( 2.0 - fabs( (double)shift ) ) * 0.99 );
        // Moved by next to nothing it keeps its ids.
        pair.poseB.position.x += 2e-7f;
        joManifold2 moved = collide( &pair, 0.02f );
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
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        RoundPair2 pair = pairNumber( i, &random );
        joVec2 motion = vectorIn( &random, places[randomBelow( &random, 6 )] );
        for ( int side = 0; side < 2; ++side )
        {
            joShape2* shape = side ? &pair.b : &pair.a;
            float size = sizes[randomBelow( &random, 8 )], place = places[randomBelow( &random, 6 )];
            joVec2 at = vectorIn( &random, size ), end = vectorIn( &random, size );
            *shape = shape->kind == jo_circleShape2 ? circle( at, size ) : capsule( at, end, size );
            ( side ? &pair.poseB : &pair.poseA )->position = vectorIn( &random, place );
        }
        joManifold2 manifold = collide( &pair, 1.0f );
        joClosestPoints2 closest;
        joCastHit2 hit;
        assert_int_equal(
            joDistance2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &closest ), jo_success );
        assert_int_equal(
            joCast2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit ), jo_success );
        assert_true( isfinite( manifold.depth ) && isfinite( lengthOf( manifold.normal ) ) );
        assert_true( closest.distance >= 0.0f && isfinite( closest.distance ) );
        assert_true( isfinite( lengthOf( closest.normal ) ) );
        assert_true( hit.fraction >= 0.0f && hit.fraction <= 1.0f );
        assert_true( manifold.pointCount == 0 || fabs( lengthOf( manifold.normal ) - 1.0 ) < 1e-6 );
        assert_true( !hit.isHit || fabs( lengthOf( hit.normal ) - 1.0 ) < 1e-6 );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "circles touch where their radii meet", circlesTouchWhereTheirRadiiMeet ),
        TEST(
            "pushing by the depth parts and no shorter way does", pushingByTheDepthPartsAndNoShorterWayDoes ),
        TEST( "distances are those of the nearest points", distancesAreThoseOfTheNearestPoints ),
        TEST( "casts stop where they touch", castsStopWhereTheyTouch ),
        TEST( "31: casts that start touching say how they touch", castsThatStartTouchingSayHowTheyTouch ),
        TEST( "38: swapping and moving turn the answer", swappingAndMovingTurnTheAnswer ),
        TEST( "far from the origin the answer is the same", farFromTheOriginTheAnswerIsTheSame ),
        TEST( "40: degenerate shapes get finite right answers", degenerateShapesGetFiniteRightAnswers ),
        TEST( "rods that fall on each other meet against the motion",
            rodsThatFallOnEachOtherMeetAgainstTheMotion ),
        TEST( "capsules side by side touch at two points", capsulesSideBySideTouchAtTwoPoints ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
