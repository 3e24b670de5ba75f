// SPDX-License-Identifier: MIT
// Tests of boxes against boxes in 3D, judged by separating axes in double precision: by what pushing along
// the normal does, not by which axis was found. The numbered cases are faults that other libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "reference/sat_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/numbered_cases.h"
#include "support/pair_judge.h"

#include <float.h>
#include <math.h>

// What the answers must be good to, with sizes of about one.
#define DEPTH_BOUND 1e-5

static uint64_t s_seed;

static bool isFinite3( joVec3 v )
{
    return isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z );
}

static joManifold3 collide( const BoxPair3* pair, float margin )
{
    joManifold3 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollideBoxes3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &manifold ),
        jo_success );
    return manifold;
}

static bool overlaps( const BoxPair3* pair )
{
    bool answer = false;
    assert_int_equal(
        joOverlapBoxes3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &answer ), jo_success );
    return answer;
}

static BoxPair3 swapped( const BoxPair3* pair )
{
    return ( BoxPair3 ){ pair->b, pair->a, pair->poseB, pair->poseA };
}

static double distanceToBody( const void* shape, const double point[3] )
{
    return satDistanceToPoint( shape, point );
}

// Everything that is promised of one pair. `scale`: of the sizes.
static void judge( const BoxPair3* pair, float margin, double scale )
{
    SatBox a = satMakeBox( &pair->a, &pair->poseA ), b = satMakeBox( &pair->b, &pair->poseB );
    SatAnswer truth = satTest( &a, &b );
    double bound = DEPTH_BOUND * scale;
    if ( fabs( truth.depth ) > bound )
    {
        assert_int_equal( overlaps( pair ), truth.depth > 0.0 );
    }
    joManifold3 manifold = collide( pair, margin );
    assert_int_equal( manifold.status, jo_collideComplete );
    // How far boxes are apart past two edges that are all but parallel is not asked of the axis of the two.
    bool isExact = truth.depth > 0.0 || truth.leastSine > 1e-6;
    if ( isExact && fabs( truth.depth + (double)margin ) > bound )
    {
        assert_int_equal( manifold.pointCount > 0, truth.depth > -(double)margin );
    }
    const WideManifold wide = wideManifold3( &manifold );
    if ( manifold.pointCount == 0 )
    {
        return;
    }
    SatVerdict verdict = satJudge( &a, &b, manifold.normal, manifold.depth );
    bool good = verdict.lengthError < 2e-7 && verdict.left <= bound && verdict.excess >= -bound &&
                ( verdict.excess <= bound || !isExact );
    if ( !good )
    {
        fail_msg( "true depth %.9g, returned %.9g: length off by %g, left %g, excess %g, least sine %g",
            truth.depth, (double)manifold.depth, verdict.lengthError, verdict.left, verdict.excess,
            truth.leastSine );
    }
    // How deep the points of what is apart are is not asked: there may be none where boxes are nearest.
    const PointBounds points = { .place = 2.0 * bound,
        .margin = bound,
        .deeper = bound,
        .deepest = truth.depth > bound ? bound : (double)INFINITY,
        .mayBeCorner = true };
    const JudgedShape bodyA = { &a, distanceToBody }, bodyB = { &b, distanceToBody };
    judgeManifoldPoints( &wide, bodyA, bodyB, (double)margin, &points );
}

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 50 : full;
}

static void judgeSet( PairSet set )
{
    for ( uint64_t seed = s_seed; seed < s_seed + 5; ++seed )
    {
        uint64_t random = seed * 1000 + (uint64_t)set;
        uint64_t overlapping = 0, count = countOf( 100000 );
        for ( uint64_t i = 0; i < count; ++i )
        {
            BoxPair3 pair = makePairOfSet( set, &random );
            judge( &pair, i % 2 ? 0.02f : 0.0f, 1.0 );
            overlapping += overlaps( &pair );
        }
        double share = (double)overlapping / (double)count;
        assert_true( set != pairs_mixed || ( share > 0.4 && share < 0.7 ) );
        assert_true( set != pairs_resting || ( share > 0.2 && share < 0.8 ) );
    }
}

static void theSetWithoutOverlapIsRight( void** state )
{
    (void)state;
    judgeSet( pairs_apart );
}

static void theMixedSetIsRight( void** state )
{
    (void)state;
    judgeSet( pairs_mixed );
}

static void theOverlappingSetIsRight( void** state )
{
    (void)state;
    judgeSet( pairs_within );
}

static void theRestingSetIsRight( void** state )
{
    (void)state;
    judgeSet( pairs_resting );
}

// B is A turned by ever smaller angles about any axis, beside it, above it, or within it.
static void edgesAtEverySmallAngleAreNoWorse( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 200000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_resting, &random );
        float angle = powf( 10.0f, pairFloatIn( &random, -9.0f, -1.0f ) );
        joQuat turn = joMakeQuat( pairVectorIn( &random, 1.0f ), angle );
        pair.poseB.rotation = joNormalizeQuat( joMultiplyQuats( pair.poseA.rotation, turn ) );
        if ( i % 3 == 0 )
        {
            joVec3 offset = pairVectorIn( &random, 1.5f );
            pair.poseB.position = joTransformPoint3( pair.poseA, offset );
        }
        judge( &pair, 0.02f, 1.0 );
    }
}

// 33: shared axes; 35: a deep pair; 36: a gap of 1.6 mm; 37: clipping that keeps the deepest vertex.
static void theNumberedCasesAreRight( void** state )
{
    (void)state;
    for ( size_t i = 0; i < NUMBERED_CASES; ++i )
    {
        const NumberedCase* numbered = numberedCases + i;
        BoxPair3 pair = { .poseA = { numbered->positionA, numbered->rotationA },
            .poseB = { numbered->positionB, numbered->rotationB } };
        pair.a = joMakeBox3( numbered->halfA.x, numbered->halfA.y, numbered->halfA.z );
        pair.b = joMakeBox3( numbered->halfB.x, numbered->halfB.y, numbered->halfB.z );
        joManifold3 manifold = collide( &pair, 0.01f );
        if ( !( fabs( (double)manifold.depth - numbered->depth ) <= numbered->within ) )
        {
            fail_msg( "case %d: depth %.9g", numbered->number, (double)manifold.depth );
        }
        assert_int_equal( overlaps( &pair ), numbered->depth > 0.0 );
        BoxPair3 other = swapped( &pair );
        judge( &pair, 0.01f, 1.0 );
        judge( &other, 0.01f, 1.0 );
    }
}

// 34: where an edge axis is least, by however little beyond the tie, it is the one.
static void noAxisIsFavoured( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t byEdge = 0, count = countOf( 100000 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_within, &random );
        SatBox a = satMakeBox( &pair.a, &pair.poseA ), b = satMakeBox( &pair.b, &pair.poseB );
        SatAnswer truth = satTest( &a, &b );
        joManifold3 manifold = collide( &pair, 0.0f );
        byEdge += truth.isEdge;
        assert_true( (double)manifold.depth <= truth.depth + DEPTH_BOUND );
    }
    assert_true( byEdge > count / 10 );
}

// 38: and swapping turns the normal round, and changes nothing else.
static void swappingTurnsTheNormalRound( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t compared = 0, samePoints = 0;
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_setCount ), &random );
        SatBox a = satMakeBox( &pair.a, &pair.poseA ), b = satMakeBox( &pair.b, &pair.poseB );
        SatAnswer truth = satTest( &a, &b );
        BoxPair3 other = swapped( &pair );
        joManifold3 one = collide( &pair, 0.02f ), two = collide( &other, 0.02f );
        double along = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            along += ( b.center[k] - a.center[k] ) * truth.normal[k];
        }
        bool isUnique = truth.second - truth.depth > DEPTH_BOUND && along > DEPTH_BOUND;
        if ( one.pointCount == 0 || two.pointCount == 0 || !isUnique )
        {
            continue;
        }
        compared += 1;
        assert_true( (double)one.normal.x * truth.normal[0] + (double)one.normal.y * truth.normal[1] +
                         (double)one.normal.z * truth.normal[2] >
                     0.999999 );
        assert_true( fabsf( one.normal.x + two.normal.x ) + fabsf( one.normal.y + two.normal.y ) +
                         fabsf( one.normal.z + two.normal.z ) <
                     2e-6f );
        assert_true( fabsf( one.depth - two.depth ) < 3e-6f );
        uint32_t same = 0;
        for ( uint32_t k = 0; k < one.pointCount * two.pointCount; ++k )
        {
            const joManifoldPoint3* p = one.points + k / two.pointCount;
            const joManifoldPoint3* q = two.points + k % two.pointCount;
            same += p->featureId == q->featureId && fabsf( p->depth - q->depth ) < 1e-4f &&
                    fabsf( p->position.x - q->position.x ) + fabsf( p->position.y - q->position.y ) +
                            fabsf( p->position.z - q->position.z ) <
                        1e-3f;
        }
        samePoints += same == one.pointCount && same == two.pointCount;
    }
    assert_true( compared > countOf( 100000 ) / 3 );
    // A point at the very margin, or one of two equally good ones, may be another.
    assert_true( samePoints >= compared - compared / 100 );
}

static void aRigidMotionTurnsTheAnswerWithIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_resting ), &random );
        SatBox a = satMakeBox( &pair.a, &pair.poseA ), b = satMakeBox( &pair.b, &pair.poseB );
        SatAnswer truth = satTest( &a, &b );
        joTransform3 motion = { pairVectorIn( &random, 5.0f ), pairAnyRotation( &random ) };
        BoxPair3 moved = pair;
        moved.poseA = joMultiplyTransforms3( motion, pair.poseA );
        moved.poseB = joMultiplyTransforms3( motion, pair.poseB );
        joManifold3 one = collide( &pair, 0.02f ), two = collide( &moved, 0.02f );
        if ( one.pointCount == 0 || two.pointCount == 0 )
        {
            assert_true( truth.depth < -0.02 + DEPTH_BOUND );
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 1e-5f );
        if ( truth.second - truth.depth > DEPTH_BOUND && truth.leastSine > 0.05 )
        {
            joVec3 n = joRotateVec3( motion.rotation, one.normal );
            assert_true(
                fabsf( n.x - two.normal.x ) + fabsf( n.y - two.normal.y ) + fabsf( n.z - two.normal.z ) <
                2e-5f );
        }
    }
}

// Where moving both far away rounds nothing, normal, depth and ids are the same bits, and points are as near
// as floats are there.
static void farFromTheOriginTheAnswerIsTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_setCount ), &random ), far;
        for ( int k = 0; k < 6; ++k )
        {
            float* x = &( k < 3 ? &pair.poseA : &pair.poseB )->position.x + k % 3;
            *x = roundf( *x * 8.0f ) / 8.0f;
        }
        far = pair;
        far.poseA.position.x += 1e6f;
        far.poseB.position.x += 1e6f;
        far.poseA.position.z -= 5e5f;
        far.poseB.position.z -= 5e5f;
        joManifold3 one = collide( &pair, 0.02f ), two = collide( &far, 0.02f );
        assert_memory_equal( &one.normal, &two.normal, sizeof( joVec3 ) );
        assert_true( one.depth == two.depth && one.pointCount == two.pointCount );
        for ( uint32_t k = 0; k < one.pointCount; ++k )
        {
            assert_int_equal( one.points[k].featureId, two.points[k].featureId );
            assert_true( one.points[k].depth == two.points[k].depth );
            assert_true( fabsf( one.points[k].position.x + 1e6f - two.points[k].position.x ) <= 0.0625f );
        }
    }
}

static void aLocalPoseIsThePoseOfTheShapeInItsBody( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 50000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_mixed, &random );
        pair.a.localPose = ( joTransform3 ){ pairVectorIn( &random, 0.3f ), pairAnyRotation( &random ) };
        pair.b.localPose = ( joTransform3 ){ pairVectorIn( &random, 0.3f ), pairAnyRotation( &random ) };
        judge( &pair, 0.02f, 1.0 );
    }
}

// 40: no size on some axes or on all, equal centres, shared axes: judged like all others, and finite.
static void degenerateBoxesGetFiniteRightAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint64_t i = 0; i < countOf( 200000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_setCount ), &random );
        uint32_t zero = randomBelow( &random, 64 );
        for ( uint32_t k = 0; k < 6; ++k )
        {
            float* half = &( k < 3 ? &pair.a : &pair.b )->halfExtents.x + k % 3;
            *half = ( zero >> k & 1 ) ? 0.0f : *half;
        }
        if ( i % 5 == 0 )
        {
            pair.poseB.position = pair.poseA.position;
        }
        if ( i % 7 == 0 )
        {
            pair.poseB.rotation = pair.poseA.rotation;
        }
        if ( i % 11 == 0 )
        {
            pair.b = pair.a;
        }
        judge( &pair, 0.05f, 1.0 );
    }
}

// Any size and any place that is allowed: never NaN.
static void anyAllowedInputGivesFiniteAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const float sizes[] = { 0.0f, 1e-45f, 1e-38f, 1e-20f, 1e-6f, 1.0f, 1e6f, JO_MAX_SIZE };
    static const float places[] = { 0.0f, 1e-45f, 1e-20f, 1.0f, 1e6f, 1e12f, 1e20f, 1e30f, FLT_MAX };
    uint64_t hits = 0;
    for ( uint64_t i = 0; i < countOf( 200000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( pairs_within, &random );
        for ( uint32_t k = 0; k < 6; ++k )
        {
            ( &( k < 3 ? &pair.a : &pair.b )->halfExtents.x )[k % 3] = sizes[randomBelow( &random, 8 )];
            float place = places[randomBelow( &random, i % 2 ? 9 : 4 )];
            ( &( k < 3 ? &pair.poseA : &pair.poseB )->position.x )[k % 3] =
                randomBelow( &random, 2 ) ? place : -place;
        }
        joManifold3 manifold = collide( &pair, i % 3 ? 0.0f : 1.0f );
        hits += manifold.pointCount > 0;
        assert_true( isFinite3( manifold.normal ) && isfinite( manifold.depth ) );
        for ( uint32_t k = 0; k < manifold.pointCount; ++k )
        {
            assert_true( isFinite3( manifold.points[k].position ) && isfinite( manifold.points[k].depth ) );
        }
    }
    assert_true( hits > 0 );
}

static void touchingCountsAndIsExactForAlignedBoxes( void** state )
{
    (void)state;
    BoxPair3 pair = { .a = joMakeBox3( 1.0f, 1.0f, 1.0f ),
        .b = joMakeBox3( 0.5f, 0.5f, 0.5f ),
        .poseA = joMakeIdentity3(),
        .poseB = joMakeIdentity3() };
    pair.poseB.position = ( joVec3 ){ 1.5f, 0.25f, 0.0f };
    assert_true( overlaps( &pair ) );
    joManifold3 manifold = collide( &pair, 0.0f );
    assert_int_equal( manifold.pointCount, 4 );
    assert_true( manifold.depth == 0.0f && manifold.normal.x == 1.0f );
    pair.poseB.position.x = nextafterf( 1.5f, 2.0f );
    assert_false( overlaps( &pair ) );
    assert_int_equal( collide( &pair, 0.0f ).pointCount, 0 );
    assert_int_equal( collide( &pair, 1e-6f ).pointCount, 4 );
    // A hundredth of a millimetre in shapes of a metre is a gap.
    pair.poseB.position.x = 1.5f + 1e-5f;
    assert_false( overlaps( &pair ) );
}

// Apart on three axes: the one point is the nearest corner of B, on whichever side.
static void pastACornerTheNearestOneStands( void** state )
{
    (void)state;
    BoxPair3 pair = { .a = joMakeBox3( 1.0f, 1.0f, 1.0f ),
        .b = joMakeBox3( 0.5f, 0.5f, 0.5f ),
        .poseA = joMakeIdentity3(),
        .poseB = joMakeIdentity3() };
    for ( int i = 0; i < 8; ++i )
    {
        const float x = i & 1 ? 1.0f : -1.0f, y = i & 2 ? 1.0f : -1.0f, z = i & 4 ? 1.0f : -1.0f;
        pair.poseB.position = ( joVec3 ){ x * 1.51f, y * 1.51f, z * 1.51f };
        const joManifold3 manifold = collide( &pair, 0.02f );
        const joVec3 at = manifold.points[0].position;
        assert_int_equal( manifold.pointCount, 1 );
        assert_true( fabsf( manifold.depth + 0.01f ) < 1e-6f && manifold.normal.x == x );
        assert_true( fabsf( at.x - x * 1.005f ) < 1e-6f && fabsf( at.y - y * 1.01f ) < 1e-6f &&
                     fabsf( at.z - z * 1.01f ) < 1e-6f );
    }
}

// Ids as a set, so that their order does not matter.
static void sortedIds( const joManifold3* manifold, uint32_t ids[4] )
{
    memset( ids, 0, 4 * sizeof( uint32_t ) );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        uint32_t k = i;
        for ( ; k > 0 && ids[k - 1] > manifold->points[i].featureId; --k )
        {
            ids[k] = ids[k - 1];
        }
        ids[k] = manifold->points[i].featureId;
    }
}

// Moves B by up to `step`, turns it by up to that, many times: the normal and the ids stay.
static void staysTheSame( BoxPair3 pair, float step, uint32_t pointCount, uint64_t* random )
{
    joManifold3 first = collide( &pair, 0.02f );
    uint32_t ids[4], now[4];
    assert_int_equal( first.pointCount, pointCount );
    sortedIds( &first, ids );
    for ( int frame = 0; frame < 100; ++frame )
    {
        BoxPair3 moved = pair;
        joVec3 by = pairVectorIn( random, step );
        moved.poseB.position.x += by.x;
        moved.poseB.position.y += by.y;
        moved.poseB.position.z += by.z;
        joQuat turn = joMakeQuat( pairVectorIn( random, 1.0f ), pairFloatIn( random, -step, step ) );
        moved.poseB.rotation = joNormalizeQuat( joMultiplyQuats( moved.poseB.rotation, turn ) );
        joManifold3 manifold = collide( &moved, 0.02f );
        sortedIds( &manifold, now );
        assert_memory_equal( now, ids, sizeof( ids ) );
        assert_true( manifold.normal.x * first.normal.x + manifold.normal.y * first.normal.y +
                         manifold.normal.z * first.normal.z >
                     0.999f );
    }
}

static void featureIdsStayWhileABoxRestsOnAnother( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 200; ++i )
    {
        BoxPair3 pair = { .a = joMakeBox3( 1.0f, 1.0f, 0.5f ), .b = joMakeBox3( 0.4f, 0.5f, 0.6f ) };
        pair.poseA = ( joTransform3 ){ pairVectorIn( &random, 5.0f ), pairAnyRotation( &random ) };
        joVec3 above = { pairFloatIn( &random, -0.3f, 0.3f ), pairFloatIn( &random, -0.3f, 0.3f ), 1.1f };
        joQuat about = joMakeQuat( ( joVec3 ){ 0.0f, 0.0f, 1.0f }, pairFloatIn( &random, -0.3f, 0.3f ) );
        pair.poseB.position = joTransformPoint3( pair.poseA, above );
        pair.poseB.rotation = joMultiplyQuats( pair.poseA.rotation, about );
        staysTheSame( pair, 1e-3f, 4, &random );
    }
}

// Faces that fit on each other, and axes that are equal in truth: only the tolerances keep the last bit from
// deciding.
static void equalBoxesInAStackKeepTheirFeatureIds( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 200; ++i )
    {
        BoxPair3 pair = { .a = joMakeBox3( 0.7f, 0.5f, 0.6f ), .b = joMakeBox3( 0.7f, 0.5f, 0.6f ) };
        pair.poseA = ( joTransform3 ){ pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        pair.poseB.position = joTransformPoint3( pair.poseA, ( joVec3 ){ 0.0f, 0.0f, 1.199f } );
        pair.poseB.rotation = pair.poseA.rotation;
        staysTheSame( pair, 1e-7f, 4, &random );
    }
}

// The faces of A and of B are equally good but for what a turn by some 1e-7 makes of them, and nearly
// parallel edges too: the first are taken, each time. B is the larger one, so its face would be better by a
// hair more often than not, and the ids would be others with it.
static void alignedBoxesKeepTheirAxis( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 200; ++i )
    {
        BoxPair3 pair = { .a = joMakeBox3( 0.4f, 0.3f, 0.6f ), .b = joMakeBox3( 0.7f, 0.5f, 0.6f ) };
        pair.poseA = ( joTransform3 ){ pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        pair.poseB.position = joTransformPoint3( pair.poseA, ( joVec3 ){ 0.1f, -0.05f, 1.199f } );
        pair.poseB.rotation = pair.poseA.rotation;
        staysTheSame( pair, 4e-7f, 4, &random );
    }
}

static void aCacheChangesOnlyTheSpeed( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joCollideCache kept = { { 0 } };
    for ( uint64_t i = 0; i < countOf( 100000 ); ++i )
    {
        BoxPair3 pair = makePairOfSet( (PairSet)( i % pairs_setCount ), &random );
        joManifold3 expected = collide( &pair, 0.01f ), manifold;
        joCollideCache any = {
            { randomBelow( &random, 18 ), (uint32_t)nextRandom( &random ), 0, UINT32_MAX } };
        joCollideCache* caches[2] = { &any, &kept };
        for ( int k = 0; k < 2; ++k )
        {
            for ( int again = 0; again < 2; ++again )
            {
                joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, 0.01f, caches[k], &manifold );
                assert_memory_equal( &manifold, &expected, sizeof( manifold ) );
                assert_in_range( caches[k]->data[0], 0, 15 );
            }
            bool answer = false;
            joOverlapBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, caches[k], &answer );
            assert_int_equal( answer, overlaps( &pair ) );
        }
    }
}

static void badInputIsRefusedAndNothingTouches( void** state )
{
    (void)state;
    BoxPair3 good = { joMakeBox3( 1.0f, 1.0f, 1.0f ), joMakeBox3( 1.0f, 1.0f, 1.0f ), joMakeIdentity3(),
        joMakeIdentity3() };
    static const joManifold3 nothing;
    static const float bad[3] = { NAN, INFINITY, -1.0f };
    for ( int which = 0; which < 9; ++which )
    {
        BoxPair3 pair = good;
        float margin = 0.0f;
        float* members[3] = { which < 2 ? &pair.a.halfExtents.y : &pair.b.halfExtents.z,
            &( which % 2 ? &pair.poseA : &pair.poseB )->position.x, &margin };
        *members[which / 3] = bad[which % 3];
        if ( which == 5 )
        {
            pair.poseB.rotation = ( joQuat ){ 0 }; // a position may be negative
        }
        joResult expected = which % 3 == 0 ? jo_errorNotANumber
                            : which < 3    ? jo_errorBadShape
                            : which < 6    ? jo_errorBadPose
                                           : jo_errorBadRadius;
        joManifold3 manifold;
        memset( &manifold, 0xCD, sizeof( manifold ) );
        assert_int_equal(
            joCollideBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, margin, NULL, &manifold ),
            expected );
        assert_memory_equal( &manifold, &nothing, sizeof( nothing ) );
        bool answer = true;
        if ( which < 6 )
        {
            assert_int_equal(
                joOverlapBoxes3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, NULL, &answer ), expected );
            assert_false( answer );
        }
    }
    bool answer = true;
    joManifold3 manifold;
    assert_int_equal(
        joOverlapBoxes3( &good.a, NULL, &good.b, &good.poseB, NULL, &answer ), jo_errorNullArgument );
    assert_int_equal(
        joOverlapBoxes3( NULL, &good.poseA, &good.b, &good.poseB, NULL, &answer ), jo_errorNullArgument );
    assert_int_equal(
        joOverlapBoxes3( &good.a, &good.poseA, &good.b, &good.poseB, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideBoxes3( &good.a, &good.poseA, &good.b, NULL, 0.0f, NULL, &manifold ), jo_errorNullArgument );
    assert_int_equal( joCollideBoxes3( &good.a, &good.poseA, &good.b, &good.poseB, 0.0f, NULL, NULL ),
        jo_errorNullArgument );
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
        TEST( "the set without overlap is right", theSetWithoutOverlapIsRight ),
        TEST( "the mixed set is right", theMixedSetIsRight ),
        TEST( "the overlapping set is right", theOverlappingSetIsRight ),
        TEST( "the resting set is right", theRestingSetIsRight ),
        TEST( "edges at every small angle are no worse", edgesAtEverySmallAngleAreNoWorse ),
        TEST( "33, 35, 36, 37: the numbered cases are right", theNumberedCasesAreRight ),
        TEST( "34: no axis is favoured", noAxisIsFavoured ),
        TEST( "38: swapping turns the normal round", swappingTurnsTheNormalRound ),
        TEST( "a rigid motion turns the answer with it", aRigidMotionTurnsTheAnswerWithIt ),
        TEST( "far from the origin the answer is the same", farFromTheOriginTheAnswerIsTheSame ),
        TEST( "a local pose is the pose of the shape in its body", aLocalPoseIsThePoseOfTheShapeInItsBody ),
        TEST( "40: degenerate boxes get finite right answers", degenerateBoxesGetFiniteRightAnswers ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
        TEST( "touching counts and is exact for aligned boxes", touchingCountsAndIsExactForAlignedBoxes ),
        TEST( "past a corner the nearest one stands", pastACornerTheNearestOneStands ),
        TEST( "feature ids stay while a box rests on another", featureIdsStayWhileABoxRestsOnAnother ),
        TEST( "equal boxes in a stack keep their feature ids", equalBoxesInAStackKeepTheirFeatureIds ),
        TEST( "aligned boxes keep their axis", alignedBoxesKeepTheirAxis ),
        TEST( "a cache changes only the speed", aCacheChangesOnlyTheSpeed ),
        TEST( "bad input is refused and nothing touches", badInputIsRefusedAndNothingTouches ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
