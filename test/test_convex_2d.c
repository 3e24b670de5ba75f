// SPDX-License-Identifier: MIT
// Tests of polygons and segments against all shapes in 2D, judged in double precision by what pushing along
// the normal does. The numbered cases are faults that other libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "reference/flat_reference.h"
#include "support/broad_phase_kit.h"
#include "support/flat_pair_sets.h"

#include <float.h>
#include <math.h>

// What the answers must be good to, with sizes of about one.
#define DEPTH_BOUND 1e-5
#define DISTANCE_BOUND 3e-6

static uint64_t s_seed;

typedef struct Kinds
{
    joShapeKind2 a, b;
} Kinds;

static const Kinds s_kinds[] = {
    { jo_circleShape2, jo_polygonShape2 },
    { jo_circleShape2, jo_segmentShape2 },
    { jo_capsuleShape2, jo_polygonShape2 },
    { jo_capsuleShape2, jo_segmentShape2 },
    { jo_polygonShape2, jo_polygonShape2 },
    { jo_polygonShape2, jo_segmentShape2 },
    { jo_segmentShape2, jo_segmentShape2 },
};
#define KIND_PAIRS ( sizeof( s_kinds ) / sizeof( s_kinds[0] ) )

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 10 : full;
}

// Of what is to hold for so many when nobody waits: tools/soak.sh.
static uint64_t countOfFull( uint64_t full, uint64_t plain )
{
    return getenv( "JOSTLE_SOAK" ) != NULL ? full : countOf( plain );
}

static joManifold2 collide( const FlatPair* pair, float margin )
{
    joManifold2 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollide2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &manifold ), jo_success );
    return manifold;
}

static bool overlaps( const FlatPair* pair )
{
    bool answer = false;
    assert_int_equal(
        joOverlap2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &answer ), jo_success );
    return answer;
}

static joManifold2 collideSwapped( const FlatPair* pair, float margin )
{
    joManifold2 manifold;
    assert_int_equal(
        joCollide2( &pair->b, &pair->poseB, &pair->a, &pair->poseA, margin, NULL, &manifold ), jo_success );
    return manifold;
}

static float deepestOf( const joManifold2* manifold )
{
    float deepest = -INFINITY;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        deepest = fmaxf( deepest, manifold->points[i].depth );
    }
    return deepest;
}

// Points lie midway between a point of A and one of B, differ, and are within the margin.
static void checkPoints( const FlatShape* a, const FlatShape* b, const joManifold2* manifold, float margin )
{
    assert_in_range( manifold->pointCount, 1, 2 );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        const joManifoldPoint2* point = manifold->points + i;
        double x = 0.5 * (double)point->depth * (double)manifold->normal.x;
        double y = 0.5 * (double)point->depth * (double)manifold->normal.y;
        double px = (double)point->position.x, py = (double)point->position.y;
        double fromA = flatDistanceToPoint( a, px + x, py + y );
        double fromB = flatDistanceToPoint( b, px - x, py - y );
        if ( !( fmax( fromA, fromB ) <= 2.0 * DEPTH_BOUND ) )
        {
            fail_msg( "%d vertices, %d vertices: point %u is %g from A, %g from B, at depth %g of %g",
                a->count, b->count, i, fromA, fromB, (double)point->depth, (double)manifold->depth );
        }
        assert_true( point->depth >= -margin - 1e-5f && point->depth <= manifold->depth + 1e-5f );
        assert_int_not_equal( point->featureId & 0xFFFFu, 0 );
        assert_int_not_equal( point->featureId >> 16, 0 );
    }
    assert_true(
        manifold->pointCount == 1 || manifold->points[0].featureId != manifold->points[1].featureId );
}

// Everything that is promised of one pair.
static void judge( const FlatPair* pair, float margin )
{
    FlatShape a = flatMakeShape( &pair->a, &pair->poseA ), b = flatMakeShape( &pair->b, &pair->poseB );
    double separation = flatSeparation( &a, &b );
    if ( fabs( separation ) > DEPTH_BOUND )
    {
        assert_int_equal( overlaps( pair ), separation < 0.0 );
    }
    joManifold2 manifold = collide( pair, margin );
    assert_int_equal( manifold.status, jo_collideComplete );
    if ( fabs( separation - (double)margin ) > DEPTH_BOUND )
    {
        assert_int_equal( manifold.pointCount > 0, separation < (double)margin );
    }
    if ( manifold.pointCount == 0 )
    {
        static const joManifold2 nothing;
        assert_memory_equal( &manifold, &nothing, sizeof( nothing ) );
        return;
    }
    FlatVerdict verdict = flatJudge( &a, &b, manifold.normal, (double)manifold.depth );
    if ( !( verdict.lengthError < 2e-7 && verdict.left <= DEPTH_BOUND &&
             fabs( verdict.excess ) <= DEPTH_BOUND ) )
    {
        fail_msg( "%s, %s: separation %.9g, depth %.9g: length off by %g, left %g, excess %g",
            flatKindNames[pair->a.kind], flatKindNames[pair->b.kind], separation, (double)manifold.depth,
            verdict.lengthError, verdict.left, verdict.excess );
    }
    checkPoints( &a, &b, &manifold, margin );
    assert_true( fabsf( deepestOf( &manifold ) - manifold.depth ) <= 1e-5f );
}

static void judgeSet( FlatSet set, uint64_t count )
{
    uint64_t random = s_seed + (uint64_t)set;
    FlatPair pair;
    uint64_t overlapping = 0;
    for ( size_t k = 0; k < KIND_PAIRS; ++k )
    {
        for ( uint64_t i = 0; i < count; ++i )
        {
            flatMakePair( s_kinds[k].a, s_kinds[k].b, set, &random, &pair );
            judge( &pair, i % 2 ? 0.05f : 0.0f );
            overlapping += overlaps( &pair );
        }
    }
    double share = (double)overlapping / (double)( count * KIND_PAIRS );
    assert_true( share > 0.15 && share < 0.85 );
}

static void theMixedSetIsRight( void** state )
{
    (void)state;
    judgeSet( flat_mixed, countOfFull( 100000, 12000 ) );
}

static void pairsThatNearlyTouchAreRight( void** state )
{
    (void)state;
    judgeSet( flat_near, countOfFull( 100000, 1500 ) );
}

static void restingPairsAreRight( void** state )
{
    (void)state;
    judgeSet( flat_resting, countOfFull( 100000, 1500 ) );
}

// Sides of three edges that are all but in one line: rounding cannot tell which of them sees the larger gap.
static void edgesAllButInOneLineAreNoWorse( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 3000 ); ++i )
    {
        FlatPair pair;
        joPolygon2* polygons[2] = { &pair.polygonA, &pair.polygonB };
        for ( int k = 0; k < 2; ++k )
        {
            float out = powf( 10.0f, flatFloatIn( &random, -5.0f, -3.0f ) );
            joVec2 points[8] = { { -1.0f, -0.5f }, { 1.0f, -0.5f }, { 1.0f, 0.5f }, { -1.0f, 0.5f },
                { -0.3f, -0.5f - out }, { 0.4f, -0.5f - out }, { 0.3f, 0.5f + out }, { -0.6f, 0.5f + out } };
            assert_int_equal( joMakePolygon2( points, 8, 0.05f * (float)( i % 2 ), polygons[k], NULL ), 0 );
        }
        pair.a = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &pair.polygonA };
        pair.b = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &pair.polygonB };
        pair.poseA = pair.poseB = joMakeIdentity2();
        pair.poseA.rotation = joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) );
        float turn = randomBelow( &random, 2 ) ? powf( 10.0f, flatFloatIn( &random, -7.0f, -3.0f ) ) : 0.0f;
        pair.poseB.rotation = joMultiplyRots2( pair.poseA.rotation, joMakeRot2( turn ) );
        joVec2 aside =
            joRotateVec2( pair.poseA.rotation, ( joVec2 ){ flatFloatIn( &random, -2.2f, 2.2f ), 0.0f } );
        joVec2 above = joRotateVec2( pair.poseA.rotation, ( joVec2 ){ 0.0f, 1.0f } );
        pair.poseB.position = aside;
        flatPlaceAt( &pair, (double)above.x, (double)above.y, (double)flatFloatIn( &random, -0.02f, 0.04f ) );
        judge( &pair, 0.05f );
    }
}

// 38: and swapping turns the normal round and the feature ids, and changes nothing else.
static void swappingTurnsTheNormalRound( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t count = countOfFull( 100000 * KIND_PAIRS, 20000 ), compared = 0, samePoints = 0;
    FlatPair pair;
    for ( uint64_t i = 0; i < count; ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, flat_mixed, &random, &pair );
        joManifold2 one = collide( &pair, 0.05f ), two = collideSwapped( &pair, 0.05f );
        if ( one.pointCount == 0 || two.pointCount == 0 )
        {
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 3e-6f );
        double across =
            (double)one.normal.x * (double)two.normal.y - (double)one.normal.y * (double)two.normal.x;
        double along =
            (double)one.normal.x * (double)two.normal.x + (double)one.normal.y * (double)two.normal.y;
        // Now and then two directions are equally good.
        if ( along > -0.99 || fabs( across ) > 1e-4 )
        {
            continue;
        }
        compared += 1;
        uint32_t same = 0;
        for ( uint32_t k = 0; k < one.pointCount * two.pointCount; ++k )
        {
            const joManifoldPoint2* p = one.points + k / two.pointCount;
            const joManifoldPoint2* q = two.points + k % two.pointCount;
            same += p->featureId == ( q->featureId >> 16 | q->featureId << 16 ) &&
                    fabsf( p->depth - q->depth ) < 1e-4f &&
                    fabsf( p->position.x - q->position.x ) + fabsf( p->position.y - q->position.y ) < 1e-3f;
        }
        samePoints += same == one.pointCount && same == two.pointCount;
    }
    assert_true( compared > count / 5 );
    assert_true( samePoints >= compared - compared / 200 );
}

static void aRigidMotionTurnsTheAnswerWithIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t count = countOfFull( 100000 * KIND_PAIRS, 20000 ), compared = 0, sameNormal = 0;
    FlatPair pair;
    for ( uint64_t i = 0; i < count; ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, flat_mixed, &random, &pair );
        joTransform2 motion = { { flatFloatIn( &random, -5.0f, 5.0f ), flatFloatIn( &random, -5.0f, 5.0f ) },
            joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) };
        joManifold2 one = collide( &pair, 0.05f );
        pair.poseA = joMultiplyTransforms2( motion, pair.poseA );
        pair.poseB = joMultiplyTransforms2( motion, pair.poseB );
        joManifold2 two = collide( &pair, 0.05f );
        if ( one.pointCount == 0 || two.pointCount == 0 )
        {
            assert_true(
                one.pointCount == two.pointCount || fabsf( fminf( one.depth, two.depth ) + 0.05f ) < 1e-5f );
            continue;
        }
        compared += 1;
        joVec2 n = joRotateVec2( motion.rotation, one.normal );
        assert_true( fabsf( one.depth - two.depth ) < 1e-5f );
        sameNormal += fabsf( n.x - two.normal.x ) + fabsf( n.y - two.normal.y ) < 1e-4f;
    }
    assert_true( compared > count / 5 && sameNormal >= compared - compared / 500 );
}

// Where moving both far away rounds nothing, normal, depth and ids are the same bits.
static void farFromTheOriginTheAnswerIsTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( uint64_t i = 0; i < countOf( 20000 ); ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, flat_mixed, &random, &pair );
        joVec2* positions[2] = { &pair.poseA.position, &pair.poseB.position };
        for ( int k = 0; k < 2; ++k )
        {
            positions[k]->x = roundf( positions[k]->x * 8.0f ) / 8.0f;
            positions[k]->y = roundf( positions[k]->y * 8.0f ) / 8.0f;
        }
        joManifold2 one = collide( &pair, 0.05f );
        for ( int k = 0; k < 2; ++k )
        {
            positions[k]->x += 1e6f;
            positions[k]->y -= 5e5f;
        }
        joManifold2 two = collide( &pair, 0.05f );
        assert_int_equal( one.pointCount, two.pointCount );
        assert_true( fabsf( one.depth - two.depth ) <= 2e-6f );
        assert_true( fabsf( one.normal.x - two.normal.x ) + fabsf( one.normal.y - two.normal.y ) <= 1e-5f );
        for ( uint32_t k = 0; k < one.pointCount; ++k )
        {
            assert_true( fabsf( one.points[k].position.x + 1e6f - two.points[k].position.x ) < 0.15f );
        }
    }
}

static void distancesAndNearestPointsAreRight( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( uint64_t i = 0; i < countOf( 30000 ); ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, i % 8 ? flat_mixed : flat_near, &random, &pair );
        FlatShape a = flatMakeShape( &pair.a, &pair.poseA ), b = flatMakeShape( &pair.b, &pair.poseB );
        double separation = flatSeparation( &a, &b );
        joClosestPoints2 closest;
        assert_int_equal(
            joDistance2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &closest ), jo_success );
        assert_int_equal( closest.status, jo_collideComplete );
        if ( !( fabs( (double)closest.distance - fmax( separation, 0.0 ) ) <= DISTANCE_BOUND ) )
        {
            fail_msg( "%s, %s: distance %.9g, true %.9g", flatKindNames[kinds.a], flatKindNames[kinds.b],
                (double)closest.distance, separation );
        }
        double ax = (double)closest.pointA.x, ay = (double)closest.pointA.y;
        double bx = (double)closest.pointB.x, by = (double)closest.pointB.y;
        assert_true( flatDistanceToPoint( &a, ax, ay ) <= DISTANCE_BOUND );
        assert_true( flatDistanceToPoint( &b, bx, by ) <= DISTANCE_BOUND );
        assert_true( fabs( hypot( bx - ax, by - ay ) - (double)closest.distance ) <= DISTANCE_BOUND );
        if ( closest.distance > 0.0f )
        {
            FlatVerdict verdict = flatJudge( &a, &b, closest.normal, -(double)closest.distance );
            assert_true( verdict.lengthError < 2e-7 && verdict.left <= DEPTH_BOUND );
            FlatVerdict away = flatJudge( &a, &b, closest.normal, 1.0 );
            assert_true( away.left <= -1.0 - separation + DEPTH_BOUND );
        }
        else
        {
            assert_true( closest.normal.x == 0.0f && closest.normal.y == 0.0f );
        }
    }
}

// The separation along the motion, which is a convex function, at its least.
static double leastSeparation( const FlatShape* a, const FlatShape* b, joVec2 motion, double until )
{
    double first = 0.0, last = until;
    FlatShape moved;
    for ( int i = 0; i < 60; ++i )
    {
        double t[2] = { first + ( last - first ) / 3.0, last - ( last - first ) / 3.0 }, separation[2];
        for ( int k = 0; k < 2; ++k )
        {
            moved = *b;
            flatMove( &moved, t[k] * (double)motion.x, t[k] * (double)motion.y );
            separation[k] = flatSeparation( a, &moved );
        }
        *( separation[0] < separation[1] ? &last : &first ) = t[separation[0] < separation[1]];
    }
    moved = *b;
    flatMove( &moved, last * (double)motion.x, last * (double)motion.y );
    return flatSeparation( a, &moved );
}

// The least of fine steps on the way.
static double walk( const FlatShape* a, const FlatShape* b, joVec2 motion, double until )
{
    double least = INFINITY;
    const int steps = (int)countOfFull( 200, 16 );
    for ( int i = 0; i <= steps; ++i )
    {
        FlatShape moved = *b;
        double t = until * (double)i / (double)steps;
        flatMove( &moved, t * (double)motion.x, t * (double)motion.y );
        least = fmin( least, flatSeparation( a, &moved ) );
    }
    return least;
}

static void judgeCast( const FlatPair* pair, joVec2 motion, uint64_t* hits )
{
    FlatShape a = flatMakeShape( &pair->a, &pair->poseA ), b = flatMakeShape( &pair->b, &pair->poseB );
    joCastHit2 hit;
    assert_int_equal(
        joCast2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, motion, NULL, &hit ), jo_success );
    assert_int_equal( hit.status, jo_collideComplete );
    *hits += hit.isHit;
    if ( !hit.isHit )
    {
        assert_true( hit.fraction == 1.0f );
        double least = fmin( leastSeparation( &a, &b, motion, 1.0 ), walk( &a, &b, motion, 1.0 ) );
        if ( !( least >= -DEPTH_BOUND ) )
        {
            fail_msg( "%s, %s: through, %g deep", flatKindNames[pair->a.kind], flatKindNames[pair->b.kind],
                -least );
        }
        return;
    }
    assert_true( hit.fraction >= 0.0f && hit.fraction <= 1.0f );
    FlatShape met = b;
    flatMove( &met, (double)hit.fraction * (double)motion.x, (double)hit.fraction * (double)motion.y );
    double start = flatSeparation( &a, &b ), separation = flatSeparation( &a, &met );
    if ( hit.fraction == 0.0f && start <= 0.0 )
    {
        // As joCollide2 has it.
        joManifold2 manifold = collide( pair, 0.0f );
        assert_true(
            manifold.pointCount == 0 || ( hit.depth == manifold.depth && hit.normal.x == manifold.normal.x &&
                                            hit.normal.y == manifold.normal.y ) );
        assert_true( manifold.pointCount > 0 || start > -DEPTH_BOUND );
        return;
    }
    // The fraction is a float.
    double rounding = 1.2e-7 * hypot( (double)motion.x, (double)motion.y );
    if ( !( fabs( separation ) <= DEPTH_BOUND + rounding && separation >= -1e-6 ) )
    {
        fail_msg( "%s, %s: met at a separation of %g", flatKindNames[pair->a.kind],
            flatKindNames[pair->b.kind], separation );
    }
    FlatVerdict verdict = flatJudge( &a, &met, hit.normal, 0.0 );
    assert_true( verdict.lengthError < 2e-7 && hit.depth >= 0.0f );
    // Not before: the separation falls all the way there.
    assert_true( leastSeparation( &a, &b, motion, (double)hit.fraction ) >= separation - DEPTH_BOUND );
    assert_true( walk( &a, &b, motion, (double)hit.fraction ) >= separation - DEPTH_BOUND );
    double px = (double)hit.point.x, py = (double)hit.point.y;
    assert_true( flatDistanceToPoint( &a, px, py ) <= DEPTH_BOUND );
    assert_true( flatDistanceToPoint( &met, px, py ) <= 2.0 * DEPTH_BOUND + rounding );
    // The normal parts them: moving on along it takes B away as far as it goes.
    assert_true( flatJudge( &a, &met, hit.normal, 1.0 ).left <= -1.0 + 3.0 * DEPTH_BOUND );
}

// 28, 31: and those that start touching or overlapping meet at once.
static void castsStopBeforeTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( size_t k = 0; k < KIND_PAIRS; ++k )
    {
        uint64_t hits = 0, count = countOfFull( 100000, 500 );
        for ( uint64_t i = 0; i < count; ++i )
        {
            flatMakePair( s_kinds[k].a, s_kinds[k].b, (FlatSet)( i % 3 ), &random, &pair );
            joVec2 motion = { flatFloatIn( &random, -6.0f, 6.0f ), flatFloatIn( &random, -6.0f, 6.0f ) };
            if ( i % 4 == 0 )
            {
                // Far away, and fast, towards about where A is.
                pair.poseB.position.x -= 100.0f * motion.x;
                pair.poseB.position.y -= 100.0f * motion.y;
                motion = ( joVec2 ){ 200.0f * motion.x, 200.0f * motion.y };
            }
            judgeCast( &pair, motion, &hits );
        }
        assert_true( hits > count / 4 && hits < count - count / 20 );
        print_message( "%s, %s: %" PRIu64 " of %" PRIu64 " casts meet\n", flatKindNames[s_kinds[k].a],
            flatKindNames[s_kinds[k].b], hits, count );
    }
}

// 31: touching exactly is a hit at once, whichever way it goes; a hair apart is one only towards each other.
static void castsThatStartTouchingMeetAtOnce( void** state )
{
    (void)state;
    joPolygon2 box = joMakeBox2( 0.5f, 0.5f );
    joShape2 shape = { .kind = jo_polygonShape2, .polygon = &box };
    joTransform2 a = joMakeIdentity2(), b = joMakeIdentity2();
    static const joVec2 motions[3] = { { -1.0f, 0.0f }, { 1.0f, 0.0f }, { 0.0f, 0.0f } };
    for ( int gap = 0; gap < 2; ++gap )
    {
        b.position.x = gap ? 1.0f + FLT_EPSILON : 1.0f;
        for ( int i = 0; i < 3; ++i )
        {
            joCastHit2 hit;
            assert_int_equal( joCast2( &shape, &a, &shape, &b, motions[i], NULL, &hit ), jo_success );
            assert_int_equal( hit.isHit, gap == 0 || i == 0 );
            assert_true( hit.isHit ? hit.fraction <= 2e-7f : hit.fraction == 1.0f );
            assert_true( hit.depth == 0.0f );
            assert_true( hit.normal.x == ( hit.isHit ? 1.0f : 0.0f ) && hit.normal.y == 0.0f );
        }
    }
}

// A line that lies across the end of another, however it is turned, and moves over it: rounding decides
// whether they touch at the start, but they meet.
static void aLineOnTheEndOfAnotherMeetsIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joPolygon2 lines[2] = { joMakeBox2( 1.0f, 0.0f ), joMakeBox2( 0.0f, 1.0f ) };
    joShape2 a = { .kind = jo_polygonShape2, .polygon = lines }, b = a;
    b.polygon = lines + 1;
    for ( int i = 0; i < 2000; ++i )
    {
        joTransform2 poseA = joMakeIdentity2(), poseB = { { -1.0f, 0.0f }, { 1.0f, 0.0f } };
        poseB.rotation = joMakeRot2( flatFloatIn( &random, -1.5f, 1.5f ) );
        joCastHit2 hit;
        assert_int_equal(
            joCast2( &a, &poseA, &b, &poseB, ( joVec2 ){ 2.0f, 0.0f }, NULL, &hit ), jo_success );
        assert_true( hit.isHit && hit.fraction < 1e-6f && hit.normal.x < 0.0f );
    }
}

static void touchingCountsAndIsExactForAlignedBoxes( void** state )
{
    (void)state;
    joPolygon2 box = joMakeBox2( 0.5f, 0.25f );
    FlatPair pair = { .a = { .kind = jo_polygonShape2, .polygon = &box },
        .b = { .kind = jo_polygonShape2, .polygon = &box },
        .poseA = joMakeIdentity2(),
        .poseB = joMakeIdentity2() };
    pair.poseA.position = ( joVec2 ){ 1000.0f, -3.0f };
    pair.poseB.position = ( joVec2 ){ 1000.25f, -2.5f };
    joManifold2 manifold = collide( &pair, 0.0f );
    assert_true( overlaps( &pair ) && manifold.pointCount == 2 && manifold.depth == 0.0f );
    assert_true( manifold.normal.x == 0.0f && manifold.normal.y == 1.0f );
    // From right to left, as the upper edge of A runs.
    assert_true( manifold.points[1].position.x == 999.75f && manifold.points[1].position.y == -2.75f );
    assert_true( manifold.points[0].position.x == 1000.5f && manifold.points[0].depth == 0.0f );
    pair.poseB.position.y = nextafterf( -2.5f, 0.0f );
    assert_false( overlaps( &pair ) );
    // Corner to corner.
    pair.poseB.position = ( joVec2 ){ 1001.0f, -2.5f };
    assert_true( overlaps( &pair ) && collide( &pair, 0.0f ).pointCount == 1 );
    pair.poseB.position.x = nextafterf( 1001.0f, 2000.0f );
    assert_false( overlaps( &pair ) );
}

// A box half as long as an edge, on its middle: the points are the ends of the box.
static void whatLiesOnAnEdgeTouchesAtTwoPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 2000; ++i )
    {
        FlatPair pair;
        pair.polygonA = flatAnyPolygon( &random );
        pair.a = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &pair.polygonA };
        pair.poseA = ( joTransform2 ){ { 1.0f, -2.0f }, joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) };
        const joPolygon2* polygon = &pair.polygonA;
        uint32_t edge = randomBelow( &random, polygon->count );
        joVec2 from = polygon->vertices[edge], to = polygon->vertices[( edge + 1 ) % polygon->count];
        joVec2 n = polygon->normals[edge];
        float half = 0.25f * hypotf( to.x - from.x, to.y - from.y ), up = polygon->radius + 0.1f;
        pair.polygonB = joMakeBox2( half, 0.1f );
        pair.b = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &pair.polygonB };
        joTransform2 local = {
            { 0.5f * ( from.x + to.x ) + up * n.x, 0.5f * ( from.y + to.y ) + up * n.y }, { n.y, -n.x } };
        pair.poseB = joMultiplyTransforms2( pair.poseA, local );
        joManifold2 one = collide( &pair, 0.01f ), two = collideSwapped( &pair, 0.01f );
        assert_true( one.pointCount == 2 && two.pointCount == 2 && fabsf( one.depth ) < 3e-6f );
        joVec2 p = one.points[0].position, q = one.points[1].position;
        assert_true( fabsf( hypotf( p.x - q.x, p.y - q.y ) - 2.0f * half ) < 1e-5f );
    }
}

static void featureIdsStayWhileABoxRestsOnAnother( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joPolygon2 box = joMakeBox2( 0.5f, 0.5f );
    FlatPair pair = { .a = { .kind = jo_polygonShape2, .polygon = &box },
        .b = { .kind = jo_polygonShape2, .polygon = &box },
        .poseA = joMakeIdentity2() };
    uint32_t ids[2] = { 0 };
    for ( int i = 0; i < 2000; ++i )
    {
        // The box below is as wide as that on it, so that each jitter takes another edge as the reference.
        pair.poseB.position = ( joVec2 ){
            0.25f + flatFloatIn( &random, -1e-4f, 1e-4f ), 1.0f + flatFloatIn( &random, -1e-3f, 1e-3f ) };
        pair.poseB.rotation = joMakeRot2( flatFloatIn( &random, -1e-3f, 1e-3f ) );
        joManifold2 manifold = collide( &pair, 0.01f );
        assert_int_equal( manifold.pointCount, 2 );
        for ( int k = 0; k < 2; ++k )
        {
            ids[k] = i == 0 ? manifold.points[k].featureId : ids[k];
            assert_int_equal( manifold.points[k].featureId, ids[k] );
        }
    }
}

// 40, and more: what has no size on some axis is met as what it is.
static void degenerateShapesGetFiniteRightAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joPolygon2 boxes[4] = { joMakeBox2( 0.0f, 0.0f ), joMakeBox2( 1.0f, 0.0f ), joMakeBox2( 0.0f, 1.0f ),
        joMakeBox2( 1.0f, 0.5f ) };
    joShape2 shapes[8] = {
        { .kind = jo_circleShape2, .circle = { { 0.5f, 0.0f }, 0.0f } },
        { .kind = jo_capsuleShape2, .capsule = { { 0.5f, 0.0f }, { 0.5f, 0.0f }, 0.25f } },
        { .kind = jo_segmentShape2, .segment = { { -0.5f, 0.0f }, { -0.5f, 0.0f } } },
        { .kind = jo_segmentShape2, .segment = { { -0.5f, 0.0f }, { 0.5f, 0.0f } } },
    };
    for ( int i = 0; i < 4; ++i )
    {
        shapes[4 + i] = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = boxes + i };
        assert_int_equal( joCheckPolygon2( boxes + i ), jo_success );
    }
    for ( int i = 0; i < 8 * 8 * 60; ++i )
    {
        FlatPair pair = { .a = shapes[i % 8],
            .b = shapes[i / 8 % 8],
            .poseA = joMakeIdentity2(),
            .poseB = joMakeIdentity2() };
        bool isRound = pair.a.kind < jo_polygonShape2 && pair.b.kind < jo_polygonShape2;
        if ( isRound )
        {
            continue; // test_round_2d's
        }
        // On each other, in one line, at a right angle, or anyhow.
        pair.poseB.position.x = (float)( (int)randomBelow( &random, 9 ) - 4 ) * 0.5f;
        pair.poseB.position.y = randomBelow( &random, 2 ) ? flatFloatIn( &random, -1.0f, 1.0f ) : 0.0f;
        uint32_t turn = randomBelow( &random, 3 );
        pair.poseB.rotation = turn == 0   ? ( joRot2 ){ 1.0f, 0.0f }
                              : turn == 1 ? ( joRot2 ){ 0.0f, 1.0f }
                                          : joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) );
        judge( &pair, 0.3f );
        joClosestPoints2 closest;
        FlatShape a = flatMakeShape( &pair.a, &pair.poseA ), b = flatMakeShape( &pair.b, &pair.poseB );
        joDistance2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &closest );
        assert_true( fabs( (double)closest.distance - fmax( flatSeparation( &a, &b ), 0.0 ) ) < 1e-6 );
        uint64_t hits = 0;
        judgeCast( &pair, ( joVec2 ){ 2.0f, 0.0f }, &hits );
    }
}

static void anyAllowedInputGivesFiniteAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( uint64_t i = 0; i < countOf( 30000 ); ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, flat_mixed, &random, &pair );
        float scales[2];
        for ( int k = 0; k < 2; ++k )
        {
            scales[k] = powf( 10.0f, flatFloatIn( &random, -30.0f, 11.0f ) );
            joShape2* shape = k ? &pair.b : &pair.a;
            joPolygon2* polygon = k ? &pair.polygonB : &pair.polygonA;
            if ( shape->kind == jo_polygonShape2 )
            {
                *polygon = joMakeBox2( scales[k], scales[k] * flatFloatIn( &random, 0.0f, 1.0f ) );
                polygon->radius = randomBelow( &random, 2 ) ? scales[1 - k] : 0.0f;
            }
            else
            {
                float* members = shape->kind == jo_segmentShape2 ? &shape->segment.a.x : &shape->capsule.a.x;
                for ( int m = 0; m < 4; ++m )
                {
                    members[m] *= scales[k];
                }
            }
        }
        pair.poseB.position.x *= scales[randomBelow( &random, 2 )];
        joManifold2 manifold = collide( &pair, scales[0] );
        assert_true( isfinite( manifold.depth ) && isfinite( manifold.normal.x + manifold.normal.y ) );
        assert_true( manifold.pointCount == 0 ||
                     fabsf( hypotf( manifold.normal.x, manifold.normal.y ) - 1.0f ) < 1e-6f );
        for ( uint32_t k = 0; k < manifold.pointCount; ++k )
        {
            assert_true( isfinite( manifold.points[k].position.x + manifold.points[k].position.y ) );
            assert_true( isfinite( manifold.points[k].depth ) );
        }
        joClosestPoints2 closest;
        joDistance2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &closest );
        assert_true( isfinite( closest.distance ) && closest.status == jo_collideComplete );
        assert_true( isfinite( closest.pointA.x + closest.pointB.y + closest.normal.x ) );
        joCastHit2 hit;
        joVec2 motion = { scales[0], -scales[1] };
        joCast2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit );
        assert_true( hit.fraction >= 0.0f && hit.fraction <= 1.0f && hit.status == jo_collideComplete );
        assert_true( isfinite( hit.normal.x + hit.normal.y ) && isfinite( hit.point.x + hit.point.y ) );
    }
}

static void aCacheChangesOnlyTheSpeed( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joCollideCache kept = { { 0 } };
    FlatPair pair;
    for ( uint64_t i = 0; i < countOf( 20000 ); ++i )
    {
        Kinds kinds = s_kinds[i % KIND_PAIRS];
        flatMakePair( kinds.a, kinds.b, flat_mixed, &random, &pair );
        joManifold2 expected = collide( &pair, 0.01f ), manifold;
        joCollideCache any = {
            { randomBelow( &random, 36 ), (uint32_t)nextRandom( &random ), 0, UINT32_MAX } };
        joCollideCache* caches[2] = { &any, &kept };
        for ( int k = 0; k < 4; ++k )
        {
            joCollide2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.01f, caches[k % 2], &manifold );
            assert_memory_equal( &manifold, &expected, sizeof( manifold ) );
        }
        bool answer = false;
        joOverlap2( &pair.a, &pair.poseA, &pair.b, &pair.poseB, &kept, &answer );
        assert_int_equal( answer, overlaps( &pair ) );
    }
}

// An edge that stands all but upright on what it touches is cut within itself.
static void aPointAtTheEndOfASegmentIsTouchedThere( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joShape2 segment = { .kind = jo_segmentShape2, .segment = { { 1.0f, 0.0f }, { 0.0f, 0.0f } } };
        joShape2 point = { .kind = jo_circleShape2 };
        joTransform2 pose = joMakeIdentity2(), pointPose = joMakeIdentity2();
        pose.rotation.s = 1e-9f * (float)( randomBelow( &random, 4001 ) ) - 2e-6f;
        pointPose.position.x = 1e-10f * (float)( randomBelow( &random, 4001 ) ) - 2e-7f;
        pointPose.position.y = 1e-10f * (float)( randomBelow( &random, 4001 ) ) - 2e-7f;
        joManifold2 manifold;
        assert_int_equal(
            joCollide2( &segment, &pose, &point, &pointPose, 1e-4f, NULL, &manifold ), jo_success );
        assert_int_equal( manifold.pointCount, 1 );
        assert_true( fabsf( manifold.points[0].depth ) < 1e-5f );
        assert_true( fabsf( manifold.points[0].position.x ) < 1e-5f );
    }
}

// Whose short edges vanish in the rounding of its position.
static void aNeedleInABoxIsTouched( void** state )
{
    (void)state;
    joPolygon2 needlePolygon = joMakeBox2( 5.68434189e-11f, 3.16870117f );
    joPolygon2 boxPolygon = joMakeBox2( 7.375f, 4.8125f );
    joShape2 needle = { .kind = jo_polygonShape2, .polygon = &needlePolygon };
    joShape2 box = { .kind = jo_polygonShape2, .polygon = &boxPolygon };
    joTransform2 needlePose = joMakeIdentity2(), boxPose = joMakeIdentity2();
    needlePose.position.x = -6.375f;
    needlePose.position.y = -6.375f;
    joManifold2 manifold;
    assert_int_equal( joCollide2( &needle, &needlePose, &box, &boxPose, 0.0f, NULL, &manifold ), jo_success );
    assert_true( manifold.pointCount > 0 && manifold.depth == 1.0f && manifold.normal.x == 1.0f );
    assert_int_equal( joCollide2( &box, &boxPose, &needle, &needlePose, 0.0f, NULL, &manifold ), jo_success );
    assert_true( manifold.pointCount > 0 && manifold.depth == 1.0f && manifold.normal.x == -1.0f );
}

// Two edges that see next to the same gap, one of them none: whichever is known.
static void aCacheChangesNothingInATie( void** state )
{
    (void)state;
    joShape2 a = {
        .kind = jo_segmentShape2, .segment = { { 1.40129846e-45f, 0.0f }, { 0.407836914f, 0.8125f } } };
    joShape2 b = { .kind = jo_segmentShape2, .segment = { { -2.3125f, -2.3125f }, { 2.375f, -3.78125f } } };
    joTransform2 poseA = { { -2.3125f, -2.3125f }, { 0.99602133f, 0.0891150236f } };
    joTransform2 poseB = joMakeIdentity2();
    bool expected = false, overlaps = false;
    assert_int_equal( joOverlap2( &a, &poseA, &b, &poseB, NULL, &expected ), jo_success );
    for ( uint32_t known = 0; known < 64; ++known )
    {
        joCollideCache cache = { { known } };
        assert_int_equal( joOverlap2( &a, &poseA, &b, &poseB, &cache, &overlaps ), jo_success );
        assert_int_equal( overlaps, expected );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "the mixed set is right", theMixedSetIsRight ),
        TEST( "pairs that nearly touch are right", pairsThatNearlyTouchAreRight ),
        TEST( "resting pairs are right", restingPairsAreRight ),
        TEST( "edges all but in one line are no worse", edgesAllButInOneLineAreNoWorse ),
        TEST( "38: swapping turns the normal round", swappingTurnsTheNormalRound ),
        TEST( "a rigid motion turns the answer with it", aRigidMotionTurnsTheAnswerWithIt ),
        TEST( "far from the origin the answer is the same", farFromTheOriginTheAnswerIsTheSame ),
        TEST( "distances and nearest points are right", distancesAndNearestPointsAreRight ),
        TEST( "28, 31: casts stop before they touch", castsStopBeforeTheyTouch ),
        TEST( "31: casts that start touching meet at once", castsThatStartTouchingMeetAtOnce ),
        TEST( "31: a line on the end of another meets it", aLineOnTheEndOfAnotherMeetsIt ),
        TEST( "touching counts and is exact for aligned boxes", touchingCountsAndIsExactForAlignedBoxes ),
        TEST( "what lies on an edge touches at two points", whatLiesOnAnEdgeTouchesAtTwoPoints ),
        TEST( "feature ids stay while a box rests on another", featureIdsStayWhileABoxRestsOnAnother ),
        TEST( "40: degenerate shapes get finite right answers", degenerateShapesGetFiniteRightAnswers ),
        TEST( "a point at the end of a segment is touched there", aPointAtTheEndOfASegmentIsTouchedThere ),
        TEST( "a needle in a box is touched", aNeedleInABoxIsTouched ),
        TEST( "a cache changes nothing in a tie", aCacheChangesNothingInATie ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
        TEST( "a cache changes only the speed", aCacheChangesOnlyTheSpeed ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
