// SPDX-License-Identifier: MIT
// Tests of hulls against hulls, boxes, capsules and spheres in 3D: distance against one with a certificate,
// normal and depth by what pushing does, casts by where they stop. The numbered cases are faults that other
// libraries had.
#include "test_support.h"

#include "jostle/collide.h"
#include "narrow_phase/convex_3d.h"
#include "reference/hull_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"
#include "support/numbered_cases.h"
#include "support/pair_judge.h"

#include <math.h>

// What the answers must be good to, with sizes of about one.
#define DISTANCE_BOUND 3e-6
#define DEPTH_BOUND 1e-5

#define POOL 80

static uint64_t s_seed;
static joHull3* s_pool[POOL];

typedef struct Pair
{
    joShape3 a, b;
    joTransform3 poseA, poseB;
    ReferenceHull refA, refB;
} Pair;

static uint64_t countOf( uint64_t full )
{
    return kitQuick() ? full / 20 : full;
}

// As many as are to be shown, when there is time: see tools/soak.sh.
static uint64_t soakOr( uint64_t full )
{
    return getenv( "JOSTLE_SOAK" ) != NULL ? 300000 : countOf( full );
}

static joShape3 anyShape( joShapeKind3 kind, uint64_t* random )
{
    joShape3 shape = { .kind = kind };
    switch ( kind )
    {
        case jo_sphereShape3:
            shape.sphere = ( joSphere3 ){ pairVectorIn( random, 0.5f ), pairFloatIn( random, 0.0f, 0.6f ) };
            break;
        case jo_capsuleShape3:
            shape.capsule = ( joCapsule3 ){ pairVectorIn( random, 0.6f ), pairVectorIn( random, 0.6f ),
                pairFloatIn( random, 0.0f, 0.5f ) };
            break;
        case jo_boxShape3:
            shape.box = joMakeBox3( pairFloatIn( random, 0.3f, 1.0f ), pairFloatIn( random, 0.3f, 1.0f ),
                pairFloatIn( random, 0.3f, 1.0f ) );
            shape.box.localPose = ( joTransform3 ){ pairVectorIn( random, 0.5f ), pairAnyRotation( random ) };
            break;
        default:
            shape.hull = s_pool[randomBelow( random, POOL )];
            break;
    }
    return shape;
}

// Kinds in turn; half of the pairs are hulls.
static Pair anyPair( uint64_t i, uint64_t* random )
{
    static const joShapeKind3 others[4] = { jo_sphereShape3, jo_capsuleShape3, jo_boxShape3, jo_hullShape3 };
    Pair pair = {
        .a = anyShape( others[i % 8 < 4 ? i % 4 : 3], random ), .b = anyShape( jo_hullShape3, random ) };
    if ( i % 16 >= 8 )
    {
        joShape3 kept = pair.a;
        pair.a = pair.b;
        pair.b = kept;
    }
    pair.poseA = ( joTransform3 ){ pairVectorIn( random, 2.0f ), pairAnyRotation( random ) };
    joVec3 away = pairVectorIn( random, 1.0f );
    pair.poseB.rotation = pairAnyRotation( random );
    pair.poseB.position = ( joVec3 ){
        pair.poseA.position.x + away.x, pair.poseA.position.y + away.y, pair.poseA.position.z + away.z };
    return pair;
}

static void makeReferences( Pair* pair )
{
    hullReferenceMake( &pair->refA, &pair->a, &pair->poseA );
    hullReferenceMake( &pair->refB, &pair->b, &pair->poseB );
}

// Moves B along the least axis so that the two are `gap` apart (negative: in each other).
static void setGap( Pair* pair, double gap )
{
    makeReferences( pair );
    ReferenceDistance distance = hullReferenceDistance( &pair->refA, &pair->refB );
    const double* normal = distance.normal;
    double now = distance.upper;
    ReferenceDepth depth;
    if ( distance.upper < 1e-9 )
    {
        depth = hullReferenceDepth( &pair->refA, &pair->refB );
        normal = depth.normal;
        now = -depth.depth;
    }
    double move = gap - ( now - pair->refA.radius - pair->refB.radius );
    pair->poseB.position.x += (float)( move * normal[0] );
    pair->poseB.position.y += (float)( move * normal[1] );
    pair->poseB.position.z += (float)( move * normal[2] );
    makeReferences( pair );
}

// Gaps of all sizes from 1e-7 to 1, of both signs.
static double anyGap( uint64_t* random )
{
    double size = pow( 10.0, (double)pairFloatIn( random, -7.0f, 0.0f ) );
    return randomBelow( random, 2 ) ? size : -0.3 * size;
}

static bool overlaps( const Pair* pair )
{
    bool answer = false;
    assert_int_equal(
        joOverlap3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &answer ), jo_success );
    return answer;
}

static joManifold3 collide( const Pair* pair, float margin )
{
    joManifold3 manifold;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal(
        joCollide3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &manifold ), jo_success );
    return manifold;
}

static joClosestPoints3 closestOf( const Pair* pair )
{
    joClosestPoints3 closest;
    memset( &closest, 0xCD, sizeof( closest ) );
    assert_int_equal(
        joDistance3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, NULL, &closest ), jo_success );
    return closest;
}

static double distanceToBody( const void* shape, const double point[3] )
{
    return hullReferenceOutside( shape, point );
}

static JudgedShape bodyOf( const ReferenceHull* hull )
{
    return ( JudgedShape ){ hull, distanceToBody };
}

// How often the reference knows a distance less well than to 1e-9, which is 3,000 times better than is asked.
static uint64_t s_uncertain;

// Returns how far off the distance is.
static double judgeDistance( const Pair* pair )
{
    ReferenceDistance truth = hullReferenceDistance( &pair->refA, &pair->refB );
    s_uncertain += !( truth.upper - truth.lower < 1e-9 );
    if ( !( truth.upper - truth.lower < 1e-7 ) )
    {
        fail_msg( "the reference is not certain: %.12g to %.12g", truth.lower, truth.upper );
    }
    double radii = pair->refA.radius + pair->refB.radius, expected = truth.upper - radii;
    joClosestPoints3 closest = closestOf( pair );
    assert_int_equal( closest.status, jo_collideComplete );
    if ( fabs( expected ) > DEPTH_BOUND && ( expected > 0.0 || truth.upper > 0.0 ) )
    {
        assert_int_equal( overlaps( pair ), expected <= 0.0 );
        assert_int_equal( closest.distance == 0.0f, expected <= 0.0 );
    }
    const WideClosest wide = wideClosest3( &closest );
    judgeClosestPoints(
        &wide, fmax( expected, 0.0 ), bodyOf( &pair->refA ), bodyOf( &pair->refB ), DISTANCE_BOUND, 3e-6 );
    return fabs( (double)closest.distance - fmax( expected, 0.0 ) );
}

static void theDistanceIsThatOfTheReference( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    const uint64_t count = soakOr( 2000 );
    double worst = 0.0;
    for ( uint64_t i = 0; i < count; ++i )
    {
        Pair pair = anyPair( i, &random );
        if ( i % 3 )
        {
            setGap( &pair, anyGap( &random ) );
        }
        makeReferences( &pair );
        worst = fmax( worst, judgeDistance( &pair ) );
    }
    print_message( "%" PRIu64 " distances, the worst %.3g off\n", count, worst );
    assert_true( s_uncertain <= count / 10000 );
}

typedef struct Tally
{
    uint64_t judged, unfinished, wrongSigns, beyond; // beyond: off by more than DEPTH_BOUND
    double worst;
} Tally;

static void judgeDepth( const Pair* pair, float margin, Tally* tally )
{
    double truth = -hullReferenceSeparation( &pair->refA, &pair->refB );
    const joManifold3 answer = collide( pair, margin );
    const WideManifold manifold = wideManifold3( &answer );
    tally->judged += 1;
    tally->unfinished += answer.status != jo_collideComplete;
    if ( fabs( truth ) > DEPTH_BOUND )
    {
        tally->wrongSigns += overlaps( pair ) != ( truth > 0.0 );
    }
    if ( manifold.pointCount == 0 )
    {
        assert_true( truth <= -(double)margin + DEPTH_BOUND );
        return;
    }
    assert_true( fabs( wideLength( manifold.normal ) - 1.0 ) < 2e-7 );
    double left = hullReferenceOverlap( &pair->refA, &pair->refB, manifold.normal ) - manifold.depth;
    double error = fmax( left, manifold.depth - truth );
    tally->worst = fmax( tally->worst, error );
    tally->beyond += error > DEPTH_BOUND;
    if ( !( error <= 1e-3 ) )
    {
        fail_msg( "depth %.9g, true %.9g, left %.9g", manifold.depth, truth, left );
    }
    static const PointBounds bounds = { .place = 2e-5, .margin = 1e-5, .deeper = 1e-5, .deepest = 2e-5 };
    judgeManifoldPoints( &manifold, bodyOf( &pair->refA ), bodyOf( &pair->refB ), (double)margin, &bounds );
}

static void theDepthIsTheLeast( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    Tally tally = { 0 };
    uint64_t count = soakOr( 1200 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        Pair pair = anyPair( i, &random );
        if ( i % 3 )
        {
            setGap( &pair, anyGap( &random ) );
        }
        makeReferences( &pair );
        judgeDepth( &pair, i % 2 ? 0.02f : 0.0f, &tally );
    }
    print_message( "%" PRIu64 " depths, the worst %.3g off, %" PRIu64 " of them by more than 1e-5\n",
        tally.judged, tally.worst, tally.beyond );
    assert_int_equal( tally.unfinished, 0 );
    assert_int_equal( tally.wrongSigns, 0 );
    assert_true( tally.beyond <= tally.judged / 1000 );
}

static joHull3* makeBoxHull( joVec3 half )
{
    joVec3 corners[8];
    for ( int i = 0; i < 8; ++i )
    {
        corners[i] =
            ( joVec3 ){ i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
    }
    joHull3* hull = NULL;
    assert_int_equal( joCreateHull3( corners, 8, NULL, &hull, NULL ), jo_success );
    return hull;
}

// 33: shared axes; 35: a deep pair that comes to an end; 36: a gap of 1.6 mm; 37: clipping that keeps the
// deepest vertex. As hulls, and as a box and a hull.
static void theNumberedCasesAreRight( void** state )
{
    (void)state;
    for ( size_t i = 0; i < 2 * NUMBERED_CASES; ++i )
    {
        const NumberedCase* numbered = numberedCases + i / 2;
        joHull3* hulls[2] = { makeBoxHull( numbered->halfA ), makeBoxHull( numbered->halfB ) };
        Pair pair = { .a = { .kind = jo_hullShape3, .hull = hulls[0] },
            .b = { .kind = jo_hullShape3, .hull = hulls[1] },
            .poseA = { numbered->positionA, numbered->rotationA },
            .poseB = { numbered->positionB, numbered->rotationB } };
        if ( i % 2 )
        {
            pair.a = ( joShape3 ){ .kind = jo_boxShape3,
                .box = joMakeBox3( numbered->halfA.x, numbered->halfA.y, numbered->halfA.z ) };
        }
        makeReferences( &pair );
        joManifold3 manifold = collide( &pair, 0.01f );
        if ( !( fabs( (double)manifold.depth - numbered->depth ) <= numbered->within ) )
        {
            fail_msg( "case %d: depth %.9g", numbered->number, (double)manifold.depth );
        }
        assert_int_equal( overlaps( &pair ), numbered->depth > 0.0 );
        Tally tally = { 0 };
        judgeDepth( &pair, 0.01f, &tally );
        assert_true( tally.beyond == 0 && tally.wrongSigns == 0 && tally.unfinished == 0 );
        judgeDistance( &pair );
        joDestroyHull3( hulls[0], NULL );
        joDestroyHull3( hulls[1], NULL );
    }
}

// Both ways to a depth give the same one; and EPA comes to an end by itself, nearly always.
static void separatingAxesAndEpaAgree( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t compared = 0, unended = 0;
    for ( uint64_t i = 0; i < countOf( 2000 ); ++i )
    {
        Pair pair = anyPair( 4 + i % 4, &random );
        pair.a = i % 3 ? pair.a : anyShape( jo_boxShape3, &random );
        setGap( &pair, -fabs( anyGap( &random ) ) );
        joPlacedPair3 placed = { &pair.a, &pair.b, &pair.poseA, &pair.poseB };
        joConvexPair convex;
        joMakeConvexPair( &convex, &placed );
        joGjkAnswer gjk = { .simplex = { .count = 0 } };
        joRunGjk( &convex, INFINITY, &gjk );
        joPenetration bySat, byEpa;
        if ( gjk.distance > 0.0 )
        {
            continue;
        }
        compared += 1;
        if ( !joRunEpa( &convex, &gjk.simplex, &byEpa ) )
        {
            unended += 1;
            continue;
        }
        joRunSat( &convex, &bySat );
        if ( !( fabs( bySat.depth - byEpa.depth ) <= 2e-6 ) )
        {
            fail_msg( "separating axes %.9g, EPA %.9g", bySat.depth, byEpa.depth );
        }
    }
    assert_true( compared > countOf( 2000 ) / 2 && unended <= compared / 100 );
}

// 35: balls in the centre of each other, whose least depth many faces share: EPA meets its cap, and
// separating axes answer.
static void ballsWithinBallsComeToAnEnd( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3* hull = hullMake( hull_ball, 255, &random );
    Tally tally = { 0 };
    for ( int i = 0; i < ( kitQuick() ? 2 : 12 ); ++i )
    {
        Pair pair = { .a = { .kind = jo_hullShape3, .hull = hull },
            .b = { .kind = jo_hullShape3, .hull = hull },
            .poseA = { pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) } };
        pair.poseB = pair.poseA;
        pair.poseB.rotation = i % 2 ? pairAnyRotation( &random ) : pair.poseA.rotation;
        makeReferences( &pair );
        judgeDepth( &pair, 0.0f, &tally );
    }
    assert_true( tally.unfinished == 0 && tally.beyond == 0 );
    joDestroyHull3( hull, NULL );
}

// Of cubes, whose faces fit: on touching, just apart, and a little in each other; four points each.
static void touchingCounts( void** state )
{
    (void)state;
    joHull3* cube = makeBoxHull( ( joVec3 ){ 0.5f, 0.5f, 0.5f } );
    for ( int i = 0; i < 6; ++i )
    {
        Pair pair = { .a = { .kind = jo_hullShape3, .hull = cube },
            .b = { .kind = jo_hullShape3, .hull = cube },
            .poseA = joMakeIdentity3(),
            .poseB = joMakeIdentity3() };
        static const float offsets[3] = { 1.0f, 1.00001f, 0.99999f };
        ( &pair.poseB.position.x )[i / 2] = i % 2 ? 0.25f : 0.0f;
        for ( int k = 0; k < 3; ++k )
        {
            ( &pair.poseB.position.x )[( i / 2 + 1 ) % 3] = offsets[k];
            assert_int_equal( overlaps( &pair ), k != 1 );
            joManifold3 manifold = collide( &pair, 0.0f );
            assert_int_equal( manifold.pointCount, k != 1 ? 4 : 0 );
            assert_true( fabsf( manifold.depth - ( k == 2 ? 1e-5f : 0.0f ) ) < 1e-6f );
            assert_int_equal( collide( &pair, 0.01f ).pointCount, 4 );
            assert_true( k == 1 ? closestOf( &pair ).distance > 9e-6f : closestOf( &pair ).distance == 0.0f );
        }
    }
    joDestroyHull3( cube, NULL );
}

// 38: and a rigid motion of both turns the answer with it, far from the origin too.
static void swappingAndMovingChangeNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t compared = 0, count = countOf( 600 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        Pair pair = anyPair( i, &random );
        setGap( &pair, anyGap( &random ) * 0.1 );
        ReferenceDepth truth = hullReferenceDepth( &pair.refA, &pair.refB );
        joManifold3 one = collide( &pair, 0.02f );
        Pair other = { .a = pair.b, .b = pair.a, .poseA = pair.poseB, .poseB = pair.poseA };
        joManifold3 two = collide( &other, 0.02f );
        joTransform3 motion = { pairVectorIn( &random, 10.0f ), pairAnyRotation( &random ) };
        Pair moved = { .a = pair.a,
            .b = pair.b,
            .poseA = joMultiplyTransforms3( motion, pair.poseA ),
            .poseB = joMultiplyTransforms3( motion, pair.poseB ) };
        joManifold3 three = collide( &moved, 0.02f );
        if ( one.pointCount == 0 || two.pointCount == 0 || three.pointCount == 0 )
        {
            continue;
        }
        assert_true( fabsf( one.depth - two.depth ) < 3e-6f && fabsf( one.depth - three.depth ) < 1e-5f );
        // Near touching the direction of a gap is no better than the poses.
        if ( truth.second - truth.depth < 1e-4 || fabs( truth.depth ) < 1e-3 )
        {
            continue;
        }
        compared += 1;
        joVec3 turned = joRotateVec3( motion.rotation, one.normal );
        for ( int k = 0; k < 3; ++k )
        {
            assert_true( fabsf( ( &one.normal.x )[k] + ( &two.normal.x )[k] ) < 1e-5f );
            assert_true( fabsf( ( &turned.x )[k] - ( &three.normal.x )[k] ) < 2e-3f );
        }
    }
    assert_true( compared > count / 8 );
}

// The separation at a fraction of the motion of B.
static double separationAt( const Pair* pair, joVec3 motion, double fraction )
{
    ReferenceHull moved = pair->refB;
    double by[3];
    widen3( motion, by );
    for ( int k = 0; k < 3; ++k )
    {
        by[k] *= fraction;
    }
    hullReferenceMove( &moved, by );
    return hullReferenceSeparation( &pair->refA, &moved );
}

// The least separation on the way, which is a convex function of the fraction while it is not negative.
static double leastSeparation( const Pair* pair, joVec3 motion )
{
    double from = 0.0, to = 1.0;
    for ( int i = 0; i < 40; ++i )
    {
        double one = from + ( to - from ) / 3.0, other = to - ( to - from ) / 3.0;
        bool isLeft = separationAt( pair, motion, one ) < separationAt( pair, motion, other );
        to = isLeft ? other : to;
        from = isLeft ? from : one;
    }
    return separationAt( pair, motion, 0.5 * ( from + to ) );
}

// Towards each other, past each other, apart; starting in each other, or nearly touching.
static void castsStopWhereTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint64_t hits = 0, misses = 0, starts = 0, count = countOf( 1200 );
    for ( uint64_t i = 0; i < count; ++i )
    {
        Pair pair = anyPair( i, &random );
        setGap( &pair, i % 4 ? fabs( anyGap( &random ) ) : anyGap( &random ) );
        joVec3 motion = pairVectorIn( &random, i % 5 ? 3.0f : 50.0f );
        joCastHit3 hit;
        assert_int_equal(
            joCast3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit ), jo_success );
        assert_int_equal( hit.status, jo_collideComplete );
        double start = separationAt( &pair, motion, 0.0 );
        if ( start < -DEPTH_BOUND )
        {
            assert_true( hit.isHit && hit.fraction == 0.0f && hit.depth > 0.0f );
            starts += 1;
            continue;
        }
        if ( !hit.isHit )
        {
            misses += 1;
            assert_true( hit.fraction == 1.0f && hit.normal.x == 0.0f );
            assert_true( start < DEPTH_BOUND || leastSeparation( &pair, motion ) > -DEPTH_BOUND );
            continue;
        }
        hits += 1;
        double at = separationAt( &pair, motion, (double)hit.fraction );
        // The fraction is a float: of a long motion its last place is as much.
        double bound = DEPTH_BOUND + 1e-7 * (double)( i % 5 ? 0.0f : 90.0f );
        if ( !( fabs( at ) <= bound ) )
        {
            fail_msg( "they stop %g apart, at %.9g", at, (double)hit.fraction );
        }
        for ( int k = 0; k < 4; ++k )
        {
            double before = (double)hit.fraction * 0.25 * k;
            assert_true( separationAt( &pair, motion, before ) >= -DEPTH_BOUND );
        }
        double point[3], n[3];
        widen3( hit.point, point );
        widen3( hit.normal, n );
        assert_true( hullReferenceOutside( &pair.refA, point ) <= 2e-5 );
        assert_true( fabs( sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] ) - 1.0 ) < 1e-6 );
    }
    assert_true( hits > count / 8 && misses > count / 8 && starts > count / 20 );
}

// Against the ground what counts is the lowest vertex, which is among the points; a cube that stands has
// four.
static void theGroundMeetsTheLowestCorners( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3* cube = makeBoxHull( ( joVec3 ){ 0.5f, 0.5f, 0.5f } );
    for ( uint64_t i = 0; i < countOf( 4000 ); ++i )
    {
        Pair pair = { .a = { .kind = jo_hullShape3, .hull = i % 4 ? s_pool[i % POOL] : cube },
            .b = { .kind = jo_halfSpaceShape3 } };
        pair.b.halfSpace =
            ( joHalfSpace3 ){ pairVectorIn( &random, 2.0f ), pairFloatIn( &random, -1.0f, 1.0f ) };
        pair.poseB = ( joTransform3 ){ pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        pair.poseA = ( joTransform3 ){ pairVectorIn( &random, 1.5f ), pairAnyRotation( &random ) };
        if ( i % 4 == 0 )
        {
            pair.b.halfSpace = ( joHalfSpace3 ){ { 0.0f, 0.0f, 1.0f }, 0.0f };
            pair.poseA =
                joMultiplyTransforms3( pair.poseB, ( joTransform3 ){ { 0.3f, 0.1f, 0.49f },
                                                       joMakeQuat( ( joVec3 ){ 0.0f, 0.0f, 1.0f }, 0.4f ) } );
        }
        hullReferenceMake( &pair.refA, &pair.a, &pair.poseA );
        double up[3], at[3], depth = -INFINITY;
        widen3( joRotateVec3( pair.poseB.rotation, pair.b.halfSpace.normal ), up );
        widen3( pair.poseB.position, at );
        double length = sqrt( up[0] * up[0] + up[1] * up[1] + up[2] * up[2] );
        for ( uint32_t k = 0; k < pair.refA.vertexCount; ++k )
        {
            const double* v = pair.refA.vertices[k];
            double height =
                ( up[0] * ( v[0] - at[0] ) + up[1] * ( v[1] - at[1] ) + up[2] * ( v[2] - at[2] ) ) / length;
            depth = fmax( depth, (double)pair.b.halfSpace.offset - height );
        }
        joManifold3 manifold = collide( &pair, 0.05f );
        if ( fabs( depth ) > 1e-5 )
        {
            assert_int_equal( overlaps( &pair ), depth > 0.0 );
        }
        assert_true( fabs( (double)closestOf( &pair ).distance - fmax( -depth, 0.0 ) ) < 2e-6 );
        assert_true( manifold.pointCount > 0 ? depth > -0.05001 : depth < -0.04999 );
        float deepest = -INFINITY;
        for ( uint32_t k = 0; k < manifold.pointCount; ++k )
        {
            const joManifoldPoint3* point = manifold.points + k;
            double onA[3];
            for ( int axis = 0; axis < 3; ++axis )
            {
                onA[axis] = (double)( &point->position.x )[axis] +
                            0.5 * (double)point->depth * (double)( &manifold.normal.x )[axis];
            }
            assert_true( hullReferenceOutside( &pair.refA, onA ) < 5e-6 );
            deepest = fmaxf( deepest, point->depth );
            for ( uint32_t j = 0; j < k; ++j )
            {
                assert_int_not_equal( point->featureId, manifold.points[j].featureId );
            }
        }
        assert_true( manifold.pointCount == 0 || fabs( (double)deepest - depth ) < 3e-6 );
        assert_true( i % 4 || manifold.pointCount == 4 );
    }
    joDestroyHull3( cube, NULL );
}

// 40: plates, rods and points, as boxes and as capsules and spheres without a radius. The reference gets a
// box that is as thick as the bound allows.
static void degenerateShapesGetFiniteRightAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    Tally tally = { 0 };
    for ( uint64_t i = 0; i < countOf( 800 ); ++i )
    {
        Pair pair = anyPair( 4, &random );
        pair.a = anyShape( (joShapeKind3)( i % 3 ), &random );
        if ( pair.a.kind == jo_boxShape3 )
        {
            float* half = &pair.a.box.halfExtents.x;
            half[0] = 1e-7f;
            half[1] = i % 2 ? 1e-7f : half[1];
            half[2] = i % 4 == 3 ? 1e-7f : half[2];
        }
        pair.a.capsule.radius = pair.a.kind == jo_capsuleShape3 ? 0.0f : pair.a.capsule.radius;
        pair.a.sphere.radius = pair.a.kind == jo_sphereShape3 ? 0.0f : pair.a.sphere.radius;
        pair.a.capsule.b = pair.a.kind == jo_capsuleShape3 && i % 2 ? pair.a.capsule.a : pair.a.capsule.b;
        setGap( &pair, anyGap( &random ) );
        float* half = &pair.a.box.halfExtents.x;
        for ( int k = 0; k < 3 && pair.a.kind == jo_boxShape3; ++k )
        {
            half[k] = half[k] == 1e-7f ? 0.0f : half[k];
        }
        judgeDepth( &pair, 0.02f, &tally );
        judgeDistance( &pair );
    }
    assert_true( tally.beyond == 0 && tally.wrongSigns == 0 && tally.unfinished == 0 );
}

static void anyAllowedInputGivesFiniteAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joVec3 points[20];
    hullMakePoints( hull_ball, 20, &random, points );
    joHull3* hulls[2] = { NULL, NULL };
    for ( int i = 0; i < 2; ++i )
    {
        for ( int k = 0; k < 60; ++k )
        {
            ( &points[0].x )[k] *= i ? 1e12f : 1e-30f;
        }
        assert_int_equal( joCreateHull3( points, 20, NULL, &hulls[i], NULL ), jo_success );
        // From the smallest to about one, for the next.
        for ( int k = 0; k < 60; ++k )
        {
            ( &points[0].x )[k] *= i ? 1.0f : 1e30f;
        }
    }
    static const float places[5] = { 0.0f, 1e-30f, 1.0f, 1e12f, 3e38f };
    for ( uint64_t i = 0; i < 2000; ++i )
    {
        Pair pair = anyPair( i, &random );
        pair.a = i % 2 ? pair.a : ( joShape3 ){ .kind = jo_hullShape3, .hull = hulls[i / 2 % 2] };
        pair.b = i % 3 ? pair.b : ( joShape3 ){ .kind = jo_hullShape3, .hull = hulls[i / 3 % 2] };
        for ( int k = 0; k < 3; ++k )
        {
            ( &pair.poseA.position.x )[k] = places[randomBelow( &random, 5 )];
            ( &pair.poseB.position.x )[k] = -places[randomBelow( &random, 5 )];
        }
        joManifold3 manifold = collide( &pair, 0.01f );
        joClosestPoints3 closest = closestOf( &pair );
        joCastHit3 hit;
        joVec3 motion = { places[randomBelow( &random, 5 )], -places[randomBelow( &random, 5 )], 3e38f };
        assert_int_equal(
            joCast3( &pair.a, &pair.poseA, &pair.b, &pair.poseB, motion, NULL, &hit ), jo_success );
        const float values[] = { manifold.depth, manifold.normal.x, manifold.normal.y, manifold.normal.z,
            manifold.points[0].position.x, manifold.points[0].depth, closest.distance, closest.normal.x,
            closest.normal.y, closest.normal.z, closest.pointA.x, closest.pointB.x, hit.fraction,
            hit.normal.x, hit.normal.y, hit.normal.z, hit.point.x };
        for ( size_t k = 0; k < sizeof( values ) / sizeof( values[0] ); ++k )
        {
            if ( !isfinite( values[k] ) )
            {
                fail_msg( "pair %" PRIu64 ": value %zu is %g", i, k, (double)values[k] );
            }
        }
    }
    joDestroyHull3( hulls[0], NULL );
    joDestroyHull3( hulls[1], NULL );
}

static bool ignoreAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

static int makePool( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        s_pool[i] = hullMake( (HullSort)( i % hull_sortCount ), hullAnyCount( &random ), &random );
    }
    return 0;
}

static int freePool( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        joDestroyHull3( s_pool[i], NULL );
    }
    return 0;
}

// A point on a corner of a hull, which rounding may take for touching or not.
static void aCastWithoutMotionHasNoBadNormal( void** state )
{
    (void)state;
    const joVec3 corners[4] = {
        { 0.0f, 0.0f, 7.875f }, { 7.875f, 0.25f, 7.9375f }, { 3.125f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    joHull3* hull = NULL;
    assert_int_equal( joCreateHull3( corners, 4, NULL, &hull, NULL ), jo_success );
    const joShape3 a = { .kind = jo_hullShape3, .hull = hull };
    const joShape3 b = { .kind = jo_sphereShape3 };
    const joTransform3 pose = joMakeIdentity3();
    joCastHit3 hit;
    assert_int_equal(
        joCast3( &a, &pose, &b, &pose, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, NULL, &hit ), jo_success );
    const joVec3 n = hit.normal;
    assert_true( hit.isHit ? fabsf( n.x * n.x + n.y * n.y + n.z * n.z - 1.0f ) < 1e-5f : n.x == 0.0f );
    joDestroyHull3( hull, NULL );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( ignoreAssert );
    const struct CMUnitTest tests[] = {
        TEST( "the distance is that of the reference", theDistanceIsThatOfTheReference ),
        TEST( "the depth is the least", theDepthIsTheLeast ),
        TEST( "33, 35, 36, 37: the numbered cases are right", theNumberedCasesAreRight ),
        TEST( "separating axes and EPA agree", separatingAxesAndEpaAgree ),
        TEST( "35: balls within balls come to an end", ballsWithinBallsComeToAnEnd ),
        TEST( "touching counts", touchingCounts ),
        TEST( "38: swapping and moving change nothing", swappingAndMovingChangeNothing ),
        TEST( "the ground meets the lowest corners", theGroundMeetsTheLowestCorners ),
        TEST( "40: degenerate shapes get finite right answers", degenerateShapesGetFiniteRightAnswers ),
        TEST( "any allowed input gives finite answers", anyAllowedInputGivesFiniteAnswers ),
        TEST( "a cast without motion has no bad normal", aCastWithoutMotionHasNoBadNormal ),
        TEST( "casts stop where they touch", castsStopWhereTheyTouch ),
    };
    return cmocka_run_group_tests( tests, makePool, freePool );
}
