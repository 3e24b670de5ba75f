// SPDX-License-Identifier: MIT
// Tests of spheres and capsules against each other in 3D, judged in double precision by what pushing and
// moving does. The numbered cases are faults that other libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/round_judge.h"

#include <math.h>

// What the answers must be good to, with sizes of about one.
#define BOUND 1e-5

typedef struct RoundPair3
{
    joShape3 a, b;
    joTransform3 poseA, poseB;
} RoundPair3;

static uint64_t s_seed;

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 20 : full;
}

static joShape3 sphere( joVec3 center, float radius )
{
    return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { center, radius } };
}

static joShape3 capsule( joVec3 a, joVec3 b, float radius )
{
    return ( joShape3 ){ .kind = jo_capsuleShape3, .capsule = { a, b, radius } };
}

// One of `kind`, about its origin or beside it; now and then without a radius, or without a length.
static joShape3 anyShape( joShapeKind3 kind, uint64_t* random )
{
    uint32_t special = randomBelow( random, 10 );
    float radius = special == 0 ? 0.0f : pairFloatIn( random, 0.1f, 1.0f );
    joVec3 a = pairVectorIn( random, 1.0f ), b = pairVectorIn( random, 1.0f );
    if ( special >= 6 )
    {
        a = ( joVec3 ){ 0.0f, 0.0f, 0.0f };
    }
    return kind == jo_sphereShape3 ? sphere( a, radius ) : capsule( a, special == 1 ? a : b, radius );
}

static joTransform3 anyPose( uint64_t* random, float size )
{
    joVec3 position = pairVectorIn( random, size );
    return ( joTransform3 ){ position, pairAnyRotation( random ) };
}

// Moves B so that the depth is about what is asked, keeping the direction.
static void bringTo( RoundPair3* pair, double depth )
{
    for ( int i = 0; i < 3; ++i )
    {
        RoundCore a = roundMakeCore3( &pair->a, &pair->poseA ), b = roundMakeCore3( &pair->b, &pair->poseB );
        double way[3], length = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            way[k] = b.a[k] + b.b[k] - a.a[k] - a.b[k];
            length += way[k] * way[k];
        }
        double move = ( roundDepth3( &a, &b ) - depth ) / fmax( sqrt( length ), 1e-3 );
        for ( int k = 0; k < 3; ++k )
        {
            ( &pair->poseB.position.x )[k] += (float)( move * way[k] );
        }
    }
}

// Half of them overlapping, a tenth near touching; some parallel, some with crossing cores.
static RoundPair3 anyPair( joShapeKind3 kindA, joShapeKind3 kindB, uint64_t* random )
{
    RoundPair3 pair = { .a = anyShape( kindA, random ), .b = anyShape( kindB, random ) };
    pair.poseA = anyPose( random, 1.2f );
    pair.poseB = anyPose( random, 1.2f );
    uint32_t sort = randomBelow( random, 10 );
    if ( sort == 0 )
    {
        bringTo( &pair, pairFloatIn( random, -1e-4f, 1e-4f ) );
    }
    else if ( sort == 1 && kindA == jo_capsuleShape3 && kindB == jo_capsuleShape3 )
    {
        // Parallel, but for an angle down to nothing.
        pair.b.capsule.a = pair.a.capsule.a;
        pair.b.capsule.b = pair.a.capsule.b;
        float angle = powf( 10.0f, pairFloatIn( random, -9.0f, -1.0f ) );
        joQuat turn = joMakeQuat( pairVectorIn( random, 1.0f ), randomBelow( random, 3 ) ? angle : 0.0f );
        pair.poseB.rotation = joNormalizeQuat( joMultiplyQuats( pair.poseA.rotation, turn ) );
    }
    else if ( sort == 3 && kindA == jo_capsuleShape3 && kindB == jo_capsuleShape3 )
    {
        // Cores that cross at an angle that only small coordinates can have.
        float slope = powf( 10.0f, pairFloatIn( random, -17.0f, -7.0f ) );
        pair.a.capsule.a = ( joVec3 ){ -1.0f, 0.0f, 0.0f };
        pair.a.capsule.b = ( joVec3 ){ 1.0f, 0.0f, 0.0f };
        pair.b.capsule.a = ( joVec3 ){ -1.0f, -slope, 0.0f };
        pair.b.capsule.b = ( joVec3 ){ 1.0f, slope, 0.0f };
        pair.b.capsule.radius = 0.25f;
        pair.poseB = pair.poseA;
    }
    else if ( sort == 2 )
    {
        pair.poseB = pair.poseA; // cores that cross, or centres that coincide, are likelier
        pair.b.capsule.a = pair.a.capsule.a;
    }
    return pair;
}

static joManifold3 collide( const RoundPair3* pair, float margin )
{
    joManifold3 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollide3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &manifold ), jo_success );
    return manifold;
}

static RoundPair3 swapped( const RoundPair3* pair )
{
    return ( RoundPair3 ){ pair->b, pair->a, pair->poseB, pair->poseA };
}

static double lengthOf( joVec3 v )
{
    return sqrt( (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z );
}

static RoundPair coresOf( const RoundPair3* pair )
{
    return ( RoundPair ){
        roundMakeCore3( &pair->a, &pair->poseA ), roundMakeCore3( &pair->b, &pair->poseB ), 3 };
}

static void judgeManifold( const RoundPair3* pair, float margin )
{
    const RoundPair cores = coresOf( pair );
    const joManifold3 touching = collide( pair, 0.0f ), manifold = collide( pair, margin );
    const WideManifold wideTouching = wideManifold3( &touching ), wide = wideManifold3( &manifold );
    bool overlaps = false;
    assert_int_equal(
        joOverlap3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &overlaps ), jo_success );
    roundJudgeManifold( &cores, overlaps, &wideTouching, &wide, (double)margin );
}

static void judgeDistance( const RoundPair3* pair )
{
    const RoundPair cores = coresOf( pair );
    joClosestPoints3 closest;
    memset( &closest, 0xCD, sizeof( closest ) );
    assert_int_equal(
        joDistance3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &closest ), jo_success );
    assert_int_equal( closest.status, jo_collideComplete );
    const WideClosest wide = wideClosest3( &closest );
    roundJudgeDistance( &cores, &wide );
}

static bool judgeCast( const RoundPair3* pair, joVec3 motion )
{
    const RoundPair cores = coresOf( pair );
    const joManifold3 start = collide( pair, 0.0f );
    joCastHit3 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal(
        joCast3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, motion, NULL, &hit ), jo_success );
    double way[3];
    widen3( motion, way );
    const WideManifold wideStart = wideManifold3( &start );
    const WideHit wide = wideHit3( &hit );
    return roundJudgeCast( &cores, way, &wide, &wideStart );
}

static const joShapeKind3 s_kinds[][2] = {
    { jo_sphereShape3, jo_sphereShape3 },
    { jo_sphereShape3, jo_capsuleShape3 },
    { jo_capsuleShape3, jo_sphereShape3 },
    { jo_capsuleShape3, jo_capsuleShape3 },
};

#define KIND_COUNT ( sizeof( s_kinds ) / sizeof( s_kinds[0] ) )

static void pushingByTheDepthPartsAndNoShorterWayDoes( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 400000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        judgeManifold( &pair, i / KIND_COUNT % 2 ? 0.3f : 0.0f );
    }
}

static void distancesAreThoseOfTheNearestPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 400000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        judgeDistance( &pair );
    }
}

static void castsStopWhereTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0, count = countOf( 100000 * KIND_COUNT );
    for ( uint64_t i = 0; i < count; ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        joVec3 offset = pairVectorIn( &random, 4.0f ), to = pairVectorIn( &random, 1.0f );
        pair.poseB.position = joTransformPoint3( pair.poseA, offset );
        joVec3 target = joTransformPoint3( pair.poseA, to );
        float reach = pairFloatIn( &random, 0.2f, 3.0f );
        joVec3 motion = { reach * ( target.x - pair.poseB.position.x ),
            reach * ( target.y - pair.poseB.position.y ), reach * ( target.z - pair.poseB.position.z ) };
        hits += judgeCast( &pair, motion );
    }
    assert_true( hits > count / 3 );
}

// 31: and motion away from each other, or none, changes nothing about it.
static void castsThatStartTouchingSayHowTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed, touching = 0;
    for ( uint64_t i = 0; i < countOf( 40000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        uint64_t hits = 0;
        joVec3 motion = pairVectorIn( &random, i % 3 == 0 ? 0.0f : 3.0f );
        hits += judgeCast( &pair, motion );
        touching += hits > 0;
    }
    assert_true( touching > countOf( 40000 ) / 3 );
    // Exactly touching: three, four and five.
    joTransform3 pose = joMakeIdentity3();
    RoundPair3 pair = { sphere( ( joVec3 ){ 0.0f, 0.0f, 0.0f }, 2.0f ),
        sphere( ( joVec3 ){ 3.0f, 4.0f, 0.0f }, 3.0f ), pose, pose };
    joCastHit3 hit;
    joVec3 away = { 3.0f, 4.0f, 0.0f };
    assert_int_equal( joCast3( &pair.a, &pose, &pair.b, &pose, away, NULL, &hit ), jo_success );
    assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth == 0.0f );
    assert_true( hit.normal.x == 0.6f && hit.normal.y == 0.8f && hit.normal.z == 0.0f );
    assert_true( hit.point.x == 1.2f && hit.point.y == 1.6f );
}

// A small and fast one goes through nothing, however far it comes from.
static void fastCastsFromFarAwayGoThroughNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 40000 ); ++i )
    {
        joTransform3 pose = anyPose( &random, 1.0f ), far = joMakeIdentity3();
        joShape3 rod = capsule( pairVectorIn( &random, 1.0f ), pairVectorIn( &random, 1.0f ), 0.01f );
        joShape3 bullet = sphere( ( joVec3 ){ 0.0f, 0.0f, 0.0f }, 0.001f );
        joVec3 middle = { 0.5f * ( rod.capsule.a.x + rod.capsule.b.x ),
            0.5f * ( rod.capsule.a.y + rod.capsule.b.y ), 0.5f * ( rod.capsule.a.z + rod.capsule.b.z ) };
        joVec3 target = joTransformPoint3( pose, middle );
        joVec3 way = pairVectorIn( &random, 1000.0f );
        far.position = ( joVec3 ){ target.x - way.x, target.y - way.y, target.z - way.z };
        way = ( joVec3 ){ 2.0f * ( target.x - far.position.x ), 2.0f * ( target.y - far.position.y ),
            2.0f * ( target.z - far.position.z ) };
        RoundPair3 pair = { rod, bullet, pose, far };
        uint64_t hits = 0;
        hits += judgeCast( &pair, way );
        assert_int_equal( hits, 1 );
        pair = swapped( &pair );
        joVec3 back = { -way.x, -way.y, -way.z };
        hits += judgeCast( &pair, back );
        assert_int_equal( hits, 2 );
    }
}

// So long that the way between them, when they meet, is lost in rounding, but not beside the motion.
static void longRodsMeetAgainstTheMotion( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    const joVec3 east = { 1e6f, 0.0f, 0.0f }, west = { -1e6f, 0.0f, 0.0f };
    const joVec3 north = { 0.0f, 1e6f, 0.0f }, south = { 0.0f, -1e6f, 0.0f };
    for ( uint64_t i = 0; i < countOf( 4000 ); ++i )
    {
        joTransform3 pose = joMakeIdentity3(), above;
        pose.rotation = pairAnyRotation( &random );
        above = pose;
        above.position = joTransformPoint3( pose, ( joVec3 ){ 0.0f, 0.0f, i % 2 == 0 ? 0.5f : -0.5f } );
        const joVec3 motion = {
            -2.0f * above.position.x, -2.0f * above.position.y, -2.0f * above.position.z };
        const RoundPair3 pair = {
            capsule( west, east, 5e-12f ), capsule( south, north, 5e-12f ), pose, above };
        uint64_t hits = 0;
        hits += judgeCast( &pair, motion );
        assert_int_equal( hits, 1 );
    }
}

static double differenceOf( joVec3 a, joVec3 b )
{
    return fabs( (double)a.x - (double)b.x ) + fabs( (double)a.y - (double)b.y ) +
           fabs( (double)a.z - (double)b.z );
}

// 38: and swapping turns the normal round, and changes nothing else.
static void swappingTurnsTheNormalRound( void** state )
{
    (void)state;
    uint64_t random = s_seed, compared = 0;
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        RoundPair3 other = swapped( &pair );
        RoundCore a = roundMakeCore3( &pair.a, &pair.poseA ), b = roundMakeCore3( &pair.b, &pair.poseB );
        joManifold3 one = collide( &pair, 0.3f ), two = collide( &other, 0.3f );
        bool isSame = memcmp( &pair.a.capsule, &pair.b.capsule, 2 * sizeof( joVec3 ) ) == 0;
        if ( isSame || one.pointCount == 0 || two.pointCount == 0 || roundCoreDistance( &a, &b ) < 0.01 )
        {
            continue;
        }
        compared += 1;
        joVec3 turned = { -two.normal.x, -two.normal.y, -two.normal.z };
        double along = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            along += ( b.a[k] + b.b[k] - a.a[k] - a.b[k] ) * (double)( &one.normal.x )[k];
        }
        assert_true( pair.a.kind != jo_sphereShape3 || pair.b.kind != jo_sphereShape3 || along > 0.0 );
        assert_true( differenceOf( one.normal, turned ) < 1e-6 && fabsf( one.depth - two.depth ) < 1e-6f );
        joClosestPoints3 near, far;
        assert_int_equal(
            joDistance3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &near ), jo_success );
        assert_int_equal(
            joDistance3( &other.a, &other.poseA, &other.b, &other.poseB, NULL, &far ), jo_success );
        assert_true( fabsf( near.distance - far.distance ) < 1e-6f );
        bool isUnique = one.pointCount == 1;
        assert_true( !isUnique || differenceOf( near.pointA, far.pointB ) < 1e-4 );
        assert_int_equal( one.pointCount, two.pointCount );
        for ( uint32_t k = 0; isUnique && k < one.pointCount; ++k )
        {
            assert_int_equal( one.points[k].featureId, two.points[k].featureId );
            assert_true( differenceOf( one.points[k].position, two.points[k].position ) < 1e-4 );
        }
    }
    assert_true( compared > countOf( 100000 ) / 4 );
}

static void aRigidMotionTurnsTheAnswerWithIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        RoundPair3 moved = pair;
        joTransform3 motion = anyPose( &random, 5.0f );
        moved.poseA = joMultiplyTransforms3( motion, pair.poseA );
        moved.poseB = joMultiplyTransforms3( motion, pair.poseB );
        RoundCore a = roundMakeCore3( &pair.a, &pair.poseA ), b = roundMakeCore3( &pair.b, &pair.poseB );
        joManifold3 one = collide( &pair, 0.3f ), two = collide( &moved, 0.3f );
        if ( one.pointCount == 0 || two.pointCount == 0 )
        {
            assert_true( roundDepth3( &a, &b ) < -0.3 + BOUND );
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 5e-6f );
        if ( roundCoreDistance( &a, &b ) > 0.05 )
        {
            assert_true( differenceOf( joRotateVec3( motion.rotation, one.normal ), two.normal ) < 1e-4 );
        }
    }
}

// Where moving both far away rounds nothing, normal, depth and ids are the same bits.
static void farFromTheOriginTheAnswerIsTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        for ( int k = 0; k < 6; ++k )
        {
            float* x = &( k < 3 ? &pair.poseA : &pair.poseB )->position.x + k % 3;
            *x = roundf( *x * 8.0f ) / 8.0f;
        }
        RoundPair3 far = pair;
        far.poseA.position.x += 1e6f;
        far.poseB.position.x += 1e6f;
        joManifold3 one = collide( &pair, 0.3f ), two = collide( &far, 0.3f );
        assert_memory_equal( &one.normal, &two.normal, sizeof( joVec3 ) );
        assert_true( one.depth == two.depth && one.pointCount == two.pointCount );
        for ( uint32_t k = 0; k < one.pointCount; ++k )
        {
            assert_int_equal( one.points[k].featureId, two.points[k].featureId );
            assert_true( one.points[k].depth == two.points[k].depth );
        }
    }
}

// 40: crossing cores, coincident centres, no radius, no length.
static void degenerateShapesGetFiniteRightAnswers( void** state )
{
    (void)state;
    joVec3 zero = { 0.0f, 0.0f, 0.0f }, left = { -1.0f, 0.0f, 0.0f }, right = { 1.0f, 0.0f, 0.0f };
    joVec3 below = { 0.0f, -1.0f, 0.0f }, above = { 0.0f, 1.0f, 0.0f };
    joShape3 shapes[] = {
        sphere( zero, 0.5f ),
        sphere( zero, 0.0f ),
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
    joTransform3 pose = joMakeIdentity3();
    for ( size_t i = 0; i < count * count; ++i )
    {
        RoundPair3 pair = { shapes[i / count], shapes[i % count], pose, pose };
        float radiusA = pair.a.kind == jo_sphereShape3 ? pair.a.sphere.radius : pair.a.capsule.radius;
        float radiusB = pair.b.kind == jo_sphereShape3 ? pair.b.sphere.radius : pair.b.capsule.radius;
        judgeManifold( &pair, 0.0f );
        judgeDistance( &pair );
        joManifold3 manifold = collide( &pair, 0.0f );
        assert_true( manifold.pointCount >= 1 && manifold.depth == radiusA + radiusB );
        uint64_t hits = 0;
        hits += judgeCast( &pair, right );
        assert_int_equal( hits, 1 );
        // The same, come from the side.
        pair.poseB.position = ( joVec3 ){ 0.0f, 0.0f, 5.0f };
        joVec3 down = { 0.0f, 0.0f, -10.0f };
        hits += judgeCast( &pair, down );
        assert_int_equal( hits, 2 );
    }
}

static void capsulesSideBySideTouchAtTwoPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 20000 ); ++i )
    {
        // B lies on A, shifted along it, and rocks a little.
        float radius = pairFloatIn( &random, 0.1f, 0.5f ), shift = pairFloatIn( &random, -1.4f, 1.4f );
        joVec3 a = { -1.0f, 0.0f, 0.0f }, b = { 1.0f, 0.0f, 0.0f };
        RoundPair3 pair = { capsule( a, b, radius ), i % 2 ? capsule( a, b, 0.2f ) : capsule( b, a, 0.2f ),
            anyPose( &random, 3.0f ), joMakeIdentity3() };
        joVec3 offset = { shift, 0.0f, radius + 0.2f - 0.01f };
        pair.poseB.position = joTransformPoint3( pair.poseA, offset );
        float angle = pairFloatIn( &random, 0.0f, 2e-3f );
        joVec3 axis = pairVectorIn( &random, 1.0f );
        pair.poseB.rotation =
            joNormalizeQuat( joMultiplyQuats( pair.poseA.rotation, joMakeQuat( axis, angle ) ) );
        judgeManifold( &pair, 0.02f );
        joManifold3 manifold = collide( &pair, 0.02f );
        assert_true( manifold.pointCount == 2 || manifold.pointCount == 3 );
        // The two ends are as far from each other as what the two share along A.
        double spread = 0.0;
        for ( uint32_t k = 0; k < manifold.pointCount * manifold.pointCount; ++k )
        {
            joVec3 one = manifold.points[k / manifold.pointCount].position;
            joVec3 other = manifold.points[k % manifold.pointCount].position;
            spread = fmax( spread, differenceOf( one, other ) );
        }
        assert_true( spread > ( 2.0 - fabs( (double)shift ) ) * 0.99 );
        // Moved by next to nothing it keeps its ids.
        pair.poseB.position.x += 1e-7f;
        joManifold3 moved = collide( &pair, 0.02f );
        assert_int_equal( moved.pointCount, manifold.pointCount );
        for ( uint32_t k = 0; k < moved.pointCount; ++k )
        {
            assert_int_equal( moved.points[k].featureId, manifold.points[k].featureId );
        }
    }
}

// Equal capsules, one on the other, jitter by less than a float shows.
static void equalCapsulesInAStackKeepTheirIds( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joVec3 a = { -1.0f, 0.0f, 0.0f }, b = { 1.0f, 0.0f, 0.0f };
    RoundPair3 pair = { capsule( a, b, 0.5f ), capsule( a, b, 0.5f ), joMakeIdentity3(), joMakeIdentity3() };
    pair.poseB.position.z = 0.99f;
    joManifold3 first = collide( &pair, 0.0f );
    assert_int_equal( first.pointCount, 2 );
    for ( int i = 0; i < 10000; ++i )
    {
        pair.poseB.position = pairVectorIn( &random, 5e-7f );
        pair.poseB.position.z += 0.99f;
        joVec3 axis = pairVectorIn( &random, 1.0f );
        pair.poseB.rotation = joMakeQuat( axis, 1e-7f );
        joManifold3 manifold = collide( &pair, 0.0f );
        assert_int_equal( manifold.pointCount, 2 );
        assert_int_equal( manifold.points[0].featureId, first.points[0].featureId );
        assert_int_equal( manifold.points[1].featureId, first.points[1].featureId );
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
        RoundPair3 pair = anyPair( s_kinds[i % KIND_COUNT][0], s_kinds[i % KIND_COUNT][1], &random );
        joVec3 motion = pairVectorIn( &random, places[randomBelow( &random, 6 )] );
        for ( int side = 0; side < 2; ++side )
        {
            joShape3* shape = side ? &pair.b : &pair.a;
            float size = sizes[randomBelow( &random, 8 )], place = places[randomBelow( &random, 6 )];
            joVec3 at = pairVectorIn( &random, size ), end = pairVectorIn( &random, size );
            *shape = shape->kind == jo_sphereShape3 ? sphere( at, size ) : capsule( at, end, size );
            ( side ? &pair.poseB : &pair.poseA )->position = pairVectorIn( &random, place );
        }
        joManifold3 manifold = collide( &pair, 1.0f );
        joClosestPoints3 closest;
        joCastHit3 hit;
        assert_int_equal(
            joDistance3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &closest ), jo_success );
        assert_int_equal(
            joCast3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit ), jo_success );
        assert_true( isfinite( manifold.depth ) && isfinite( lengthOf( manifold.normal ) ) );
        assert_true( closest.distance >= 0.0f && isfinite( closest.distance ) );
        assert_true( isfinite( lengthOf( closest.normal ) ) );
        assert_true( hit.fraction >= 0.0f && hit.fraction <= 1.0f && isfinite( lengthOf( hit.normal ) ) );
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
        TEST( "fast casts from far away go through nothing", fastCastsFromFarAwayGoThroughNothing ),
        TEST( "long rods meet against the motion", longRodsMeetAgainstTheMotion ),
        TEST( "38: swapping turns the normal round", swappingTurnsTheNormalRound ),
        TEST( "a rigid motion turns the answer with it", aRigidMotionTurnsTheAnswerWithIt ),
        TEST( "far from the origin the answer is the same", farFromTheOriginTheAnswerIsTheSame ),
        TEST( "40: degenerate shapes get finite right answers", degenerateShapesGetFiniteRightAnswers ),
        TEST( "capsules side by side touch at two points", capsulesSideBySideTouchAtTwoPoints ),
        TEST( "equal capsules in a stack keep their ids", equalCapsulesInAStackKeepTheirIds ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
