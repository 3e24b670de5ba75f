// SPDX-License-Identifier: MIT
// Tests of convex shapes in 2D against chains, with a plain loop over all segments as the reference; and that
// the joints within a chain are no obstacle.
#include "test_support.h"

#include "jostle/collide.h"
#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/tolerance.h"
#include "support/broad_phase_kit.h"
#include "support/chain_sets.h"
#include "support/flat_pair_sets.h"

#include <float.h>
#include <math.h>

#define DEPTH_BOUND 1e-5
// Points of a whole chain's manifold are taken for equally deep within JO_LEVEL_DEPTH of the size, 2 or 3
// here.
#define LEVEL_BOUND ( DEPTH_BOUND + 3.0 * JO_LEVEL_DEPTH )
#define MAX_CONTACTS 4096

static uint64_t s_seed;
static ChainPoints s_points;
static joChainContact2 s_contacts[MAX_CONTACTS];

static const joShapeKind2 s_kinds[4] = {
    jo_circleShape2, jo_capsuleShape2, jo_polygonShape2, jo_segmentShape2 };

// A chain and a shape; the shape points into it.
typedef struct Scene
{
    joShape2 chain;
    joTransform2 poseChain;
    FlatPair pair; // the shape is its A
    joShape2* shape;
    joTransform2* poseShape;
    FlatShape reference; // of the shape
} Scene;

static Scene s_scene;

// Of what is to hold for so many when nobody waits: tools/soak.sh.
static uint32_t countOfFull( uint32_t full, uint32_t plain )
{
    return getenv( "JOSTLE_SOAK" ) != NULL ? full : kitQuick() ? plain / 5 : plain;
}

static joVec2 anyPoint( uint64_t* random, float size )
{
    joVec2 point = { flatFloatIn( random, -size, size ), 0.0f };
    point.y = flatFloatIn( random, -size, size );
    return point;
}

static joTransform2 anyPose( uint64_t* random )
{
    const joVec2 position = anyPoint( random, 5.0f );
    return ( joTransform2 ){ position, joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
}

static void useChain( ChainSort sort, uint32_t count, uint64_t* random )
{
    chainMakePoints( sort, count, random, &s_points );
    s_scene.chain = ( joShape2 ){ .kind = jo_chainShape2, .chain = chainMake( &s_points ) };
    s_scene.poseChain = anyPose( random );
}

static void dropChain( void )
{
    joDestroyChain2( (joChain2*)s_scene.chain.chain, NULL );
}

// Shapes of sizes about 0.5.
static void anyShape( joShapeKind2 kind, uint64_t* random )
{
    flatMakePair( kind, jo_circleShape2, flat_mixed, random, &s_scene.pair );
    s_scene.shape = &s_scene.pair.a;
    s_scene.poseShape = &s_scene.pair.poseA;
}

// At a point of the chain's frame.
static void placeShape( joVec2 local, joRot2 turn )
{
    const joTransform2 within = { local, turn };
    *s_scene.poseShape = joMultiplyTransforms2( s_scene.poseChain, within );
    s_scene.reference = flatMakeShape( s_scene.shape, s_scene.poseShape );
}

static joManifold2 collide( float margin )
{
    joManifold2 manifold, swapped;
    memset( &manifold, 0xCD, sizeof( manifold ) );
    assert_int_equal( joCollide2( &s_scene.chain, &s_scene.poseChain, s_scene.shape, s_scene.poseShape,
                          margin, NULL, &manifold ),
        jo_success );
    assert_int_equal( manifold.status, jo_collideComplete );
    assert_int_equal( joCollide2( s_scene.shape, s_scene.poseShape, &s_scene.chain, &s_scene.poseChain,
                          margin, NULL, &swapped ),
        jo_success );
    assert_true( swapped.depth == manifold.depth && swapped.pointCount == manifold.pointCount );
    assert_true(
        swapped.normal.x == 0.0f - manifold.normal.x && swapped.normal.y == 0.0f - manifold.normal.y );
    for ( uint32_t i = 0; i < manifold.pointCount; ++i )
    {
        const joManifoldPoint2 *a = manifold.points + i, *b = swapped.points + i;
        assert_true( a->featureId == ( b->featureId >> 16 | b->featureId << 16 ) && a->depth == b->depth );
        assert_true( ( a->featureId & 0xFFFFu ) != 0 && a->featureId >> 16 != 0 );
    }
    return manifold;
}

static uint32_t collideAll( float margin )
{
    uint32_t count = 0;
    assert_int_equal( joCollideChain2( s_scene.chain.chain, &s_scene.poseChain, s_scene.shape,
                          s_scene.poseShape, margin, s_contacts, MAX_CONTACTS, &count ),
        jo_success );
    assert_true( count <= MAX_CONTACTS );
    return count;
}

static double separation( void )
{
    return chainReferenceSeparation( &s_points.reference, &s_scene.poseChain, &s_scene.reference );
}

static void checkDistance( double expected )
{
    joClosestPoints2 closest, swapped;
    assert_int_equal(
        joDistance2( &s_scene.chain, &s_scene.poseChain, s_scene.shape, s_scene.poseShape, NULL, &closest ),
        jo_success );
    assert_int_equal(
        joDistance2( s_scene.shape, s_scene.poseShape, &s_scene.chain, &s_scene.poseChain, NULL, &swapped ),
        jo_success );
    assert_int_equal( closest.status, jo_collideComplete );
    assert_true( swapped.distance == closest.distance );
    assert_memory_equal( &swapped.pointA, &closest.pointB, sizeof( joVec2 ) );
    assert_true( fabs( (double)closest.distance - fmax( expected, 0.0 ) ) <= 3e-6 );
    const double ax = (double)closest.pointA.x, ay = (double)closest.pointA.y;
    const double bx = (double)closest.pointB.x, by = (double)closest.pointB.y;
    FlatShape onChain = { .x = { ax }, .y = { ay }, .count = 1 };
    assert_true( flatDistanceToPoint( &s_scene.reference, bx, by ) < DEPTH_BOUND );
    assert_true(
        fabs( chainReferenceSeparation( &s_points.reference, &s_scene.poseChain, &onChain ) ) < DEPTH_BOUND );
    if ( expected > 1e-4 )
    {
        const double nx = (double)closest.normal.x, ny = (double)closest.normal.y;
        assert_true( fabs( hypot( nx, ny ) - 1.0 ) < 1e-6 );
        assert_true( fabs( ( bx - ax ) * nx + ( by - ay ) * ny - expected ) < DEPTH_BOUND );
        assert_true( swapped.normal.x == -closest.normal.x && swapped.normal.y == -closest.normal.y );
    }
    else if ( expected < -1e-4 )
    {
        assert_true( closest.normal.x == 0.0f && closest.normal.y == 0.0f && ax == bx && ay == by );
    }
}

// The manifold of one segment: as deep as the overlap along its normal, its points within the margin, the
// deepest among them.
static void checkContact( const joChainContact2* contact, float margin )
{
    const joManifold2* manifold = &contact->manifold;
    const double nx = (double)manifold->normal.x, ny = (double)manifold->normal.y;
    FlatShape segment = chainReferenceSegment( &s_points.reference, &s_scene.poseChain, contact->segment );
    assert_true( flatSeparation( &segment, &s_scene.reference ) <= (double)margin + DEPTH_BOUND );
    assert_true( fabs( hypot( nx, ny ) - 1.0 ) < 1e-6 );
    const double overlap = chainReferenceOverlap( &segment, &s_scene.reference, nx, ny );
    if ( !( fabs( overlap - (double)manifold->depth ) <= DEPTH_BOUND ) )
    {
        fail_msg( "depth %.9g, along the normal it is %.9g", (double)manifold->depth, overlap );
    }
    assert_in_range( manifold->pointCount, 1, 2 );
    float most = -INFINITY;
    for ( uint32_t k = 0; k < manifold->pointCount; ++k )
    {
        const joManifoldPoint2* point = manifold->points + k;
        most = fmaxf( most, point->depth );
        assert_true( point->depth >= -margin - 2e-6f && point->featureId != 0 );
        // Midway between the surfaces: half its depth within each. Of cores that cross the deepest point may
        // be beyond the segment's end.
        const double half = 0.5 * (double)point->depth;
        const double x = (double)point->position.x, y = (double)point->position.y;
        assert_true( flatDistanceToPoint( &s_scene.reference, x - half * nx, y - half * ny ) < DEPTH_BOUND );
        assert_true( (double)manifold->depth > s_scene.reference.radius - 1e-6 ||
                     flatDistanceToPoint( &segment, x + half * nx, y + half * ny ) <
                         DEPTH_BOUND + 1e-4 * ( s_scene.reference.radius - (double)manifold->depth ) );
    }
    assert_true( fabsf( most - manifold->depth ) <= 2e-6f );
    assert_true(
        manifold->pointCount == 1 || manifold->points[0].featureId != manifold->points[1].featureId );
}

static void checkContacts( float margin, double apart )
{
    const joManifold2 whole = collide( margin );
    const uint32_t count = collideAll( margin );
    if ( fabs( apart - (double)margin ) > DEPTH_BOUND )
    {
        assert_int_equal( whole.pointCount > 0, apart <= (double)margin );
        assert_int_equal( count > 0, apart <= (double)margin );
    }
    float deepest = -INFINITY;
    for ( uint32_t i = 0; i < count; ++i )
    {
        assert_true( i == 0 || s_contacts[i].segment > s_contacts[i - 1].segment );
        checkContact( s_contacts + i, margin );
        deepest = fmaxf( deepest, s_contacts[i].manifold.depth );
        assert_int_equal( s_contacts[i].manifold.child, s_contacts[i].segment );
    }
    if ( count > 0 )
    {
        uint32_t child = 0;
        while ( child < count && s_contacts[child].segment != whole.child )
        {
            ++child;
        }
        assert_true( child < count && s_contacts[child].manifold.depth == whole.depth );
        assert_true( fabsf( whole.depth - deepest ) <= 2e-6f );
        float most = whole.points[0].depth;
        most = whole.pointCount == 2 ? fmaxf( most, whole.points[1].depth ) : most;
        assert_true( fabs( (double)whole.depth - (double)most ) <= LEVEL_BOUND );
        assert_true( whole.pointCount == 1 || whole.points[0].featureId != whole.points[1].featureId );
        // Where the core crosses no segment the nearest one says how deep.
        if ( apart + s_scene.reference.radius > 1e-5 )
        {
            assert_true( fabs( (double)whole.depth + apart ) <= DEPTH_BOUND );
        }
    }
}

static void answersAreThoseOfAPlainLoop( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t touching = 0, total = 0;
    for ( uint32_t i = 0; i < countOfFull( 20000, 200 ); ++i )
    {
        useChain( (ChainSort)( i % chain_sortCount ), 3 + randomBelow( &random, 40 ), &random );
        for ( uint32_t k = 0; k < 20; ++k )
        {
            anyShape( s_kinds[k % 4], &random );
            const joVec2 at = anyPoint( &random, 4.0f );
            placeShape( at, joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) );
            const double apart = separation();
            checkDistance( apart );
            bool overlaps = false;
            assert_int_equal( joOverlap2( s_scene.shape, s_scene.poseShape, &s_scene.chain,
                                  &s_scene.poseChain, NULL, &overlaps ),
                jo_success );
            if ( fabs( apart ) > DEPTH_BOUND )
            {
                // A core that crosses a segment without a radius is 0 apart.
                assert_int_equal( overlaps, apart < 0.0 );
            }
            else if ( apart == 0.0 )
            {
                assert_true( overlaps );
            }
            checkContacts( 0.0f, apart );
            checkContacts( 0.1f, apart );
            total += 1;
            touching += overlaps;
        }
        dropChain();
    }
    assert_in_range( touching, total / 8, total - total / 8 );
}

// Of a segment without neighbours every direction counts.
static void aLoneSegmentIsMetAsASegment( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t touching = 0, total = kitQuick() ? 2000 : 10000;
    for ( uint32_t i = 0; i < total; ++i )
    {
        useChain( chain_tangle, 2, &random );
        const joShape2 segment = {
            .kind = jo_segmentShape2, .segment = { s_points.points[0], s_points.points[1] } };
        anyShape( s_kinds[i % 4], &random );
        placeShape( anyPoint( &random, 1.5f ), joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) );
        joManifold2 expected;
        assert_int_equal( joCollide2( &segment, &s_scene.poseChain, s_scene.shape, s_scene.poseShape, 0.05f,
                              NULL, &expected ),
            jo_success );
        const joManifold2 manifold = collide( 0.05f );
        const double apart = separation();
        if ( fabs( apart - 0.05 ) > DEPTH_BOUND )
        {
            assert_int_equal( manifold.pointCount > 0, expected.pointCount > 0 );
        }
        if ( manifold.pointCount > 0 && expected.pointCount > 0 )
        {
            touching += 1;
            assert_true( fabsf( manifold.depth - expected.depth ) < 5e-6f );
        }
        dropChain();
    }
    assert_in_range( touching, total / 8, total - total / 8 );
}

static void checkNormal( joVec2 normal, joVec2 expected, float bound )
{
    if ( !( fabsf( normal.x - expected.x ) < bound && fabsf( normal.y - expected.y ) < bound ) )
    {
        fail_msg( "normal %g %g instead of %g %g", (double)normal.x, (double)normal.y, (double)expected.x,
            (double)expected.y );
    }
}

// A long box over a short segment, tilted by so little that the segment's normal is as good as its own: but
// not for the depth, since its low end is beyond the segment's.
static void allButFlatIsAsDeepAsItIs( void** state )
{
    (void)state;
    static const joVec2 points[] = { { 0.0f, 0.0f }, { 0.5f, 0.0f } };
    memcpy( s_points.points, points, sizeof( points ) );
    s_points.reference = ( ReferenceChain ){ s_points.points, 2, false };
    s_scene.chain = ( joShape2 ){ .kind = jo_chainShape2, .chain = chainMake( &s_points ) };
    uint64_t random = s_seed;
    anyShape( jo_polygonShape2, &random );
    s_scene.pair.polygonA = joMakeBox2( 3.0f, 0.1f );
    for ( uint32_t i = 0; i < 500; ++i )
    {
        s_scene.poseChain = anyPose( &random );
        const joRot2 tilt = joMakeRot2( flatFloatIn( &random, -1.2e-4f, 1.2e-4f ) );
        placeShape( ( joVec2 ){ 0.25f, 0.1f + flatFloatIn( &random, 0.001f, 0.02f ) }, tilt );
        checkContacts( 0.1f, separation() );
    }
    dropChain();
}

static joCastHit2 castShape( joVec2 localMotion )
{
    joCastHit2 hit;
    const joVec2 motion = joRotateVec2( s_scene.poseChain.rotation, localMotion );
    assert_int_equal(
        joCast2( &s_scene.chain, &s_scene.poseChain, s_scene.shape, s_scene.poseShape, motion, NULL, &hit ),
        jo_success );
    assert_int_equal( hit.status, jo_collideComplete );
    return hit;
}

// Over the inner part of a floor, anywhere over its joints and as deep as no core gets below it: every normal
// is the floor's, also at the end of a cast that nearly grazes it.
static void nothingBumpsOnAFlatFloor( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < ( kitQuick() ? 20u : 100u ); ++i )
    {
        useChain( chain_floor, 10 + randomBelow( &random, 200 ), &random );
        const joVec2 up = joRotateVec2( s_scene.poseChain.rotation, ( joVec2 ){ 0.0f, 1.0f } );
        for ( uint32_t k = 0; k < 60; ++k )
        {
            anyShape( s_kinds[k % 4], &random );
            const float x = flatFloatIn( &random, -1.5f, 1.5f );
            const joRot2 turn = joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) );
            placeShape( ( joVec2 ){ x, 4.0f }, turn );
            const double height = separation();
            const double depth = pow( 10.0, (double)flatFloatIn( &random, -4.0f, -1.3f ) );
            placeShape( ( joVec2 ){ x, (float)( 4.0 - height - depth ) }, turn );
            if ( separation() > 0.0 )
            {
                continue; // something small is all below
            }
            const joManifold2 whole = collide( 0.02f );
            // Something thin is less deep from below.
            const bool isUp = whole.normal.x * up.x + whole.normal.y * up.y > 0.0f;
            const joVec2 out = isUp ? up : ( joVec2 ){ -up.x, -up.y };
            checkNormal( whole.normal, out, 1e-6f );
            assert_true( isUp ? fabs( (double)whole.depth - depth ) < DEPTH_BOUND
                              : (double)whole.depth < depth + DEPTH_BOUND );
            const uint32_t count = collideAll( 0.02f );
            assert_true( count > 0 );
            for ( uint32_t c = 0; c < count; ++c )
            {
                // The normal of an edge of the shape that is all but parallel may be taken.
                checkNormal( s_contacts[c].manifold.normal, out, 1.1e-4f );
            }
            placeShape( ( joVec2 ){ x, (float)( 4.0 - height + 0.01 ) }, turn );
            const joCastHit2 hit = castShape( ( joVec2 ){ flatFloatIn( &random, -0.4f, 0.4f ), -0.03f } );
            assert_true( hit.isHit && fabsf( hit.fraction - 1.0f / 3.0f ) < 1e-3f );
            checkNormal( hit.normal, up, 1e-6f );
        }
        dropChain();
    }
}

// A hair over the floor, as a mover that keeps a skin goes: it meets nothing.
static void whatSlidesOverAFlatFloorMeetsNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const joVec2 corners[4] = { { -0.2f, 0.0f }, { 0.2f, 0.0f }, { 0.2f, 0.5f }, { -0.2f, 0.5f } };
    for ( uint32_t i = 0; i < 200; ++i )
    {
        useChain( chain_floor, 10 + randomBelow( &random, 200 ), &random );
        s_scene.poseChain = joMakeIdentity2();
        for ( uint32_t k = 0; k < 4; ++k )
        {
            anyShape( s_kinds[k], &random );
            joPolygon2* polygon = &s_scene.pair.polygonA;
            assert_int_equal( joMakePolygon2( corners, 4, 0.0f, polygon, NULL ), jo_success );
            const joShape2 shapes[4] = { { .kind = jo_circleShape2, .circle = { { 0.0f, 0.25f }, 0.25f } },
                { .kind = jo_capsuleShape2, .capsule = { { 0.0f, 0.25f }, { 0.0f, 0.75f }, 0.25f } },
                { .kind = jo_polygonShape2, .polygon = polygon },
                { .kind = jo_segmentShape2, .segment = { { 0.0f, 0.0f }, { 0.1f, 0.5f } } } };
            *s_scene.shape = shapes[k];
            // Down to far below the slop of casts, and what rounding leaves of a gap.
            const float gap = powf( 10.0f, flatFloatIn( &random, -14.0f, -4.0f ) );
            const float x = flatFloatIn( &random, -1.5f, 1.5f );
            placeShape( ( joVec2 ){ x, gap }, ( joRot2 ){ 1.0f, 0.0f } );
            if ( separation() <= 0.0 )
            {
                continue; // rounding has closed it
            }
            assert_int_equal( collide( 0.0f ).pointCount, 0 );
            const joCastHit2 hit = castShape( ( joVec2 ){ x < 0.0f ? 2.0f : -2.0f, 0.0f } );
            assert_true( !hit.isHit && hit.fraction == 1.0f );
        }
        dropChain();
    }
}

// However many segments it lies on, the two points are the corners of the box, and keep their names while
// these stay over their segments.
static void aBoxOnAFloorHasTwoPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < 400; ++i )
    {
        useChain( chain_floor, 4 + 3 * i, &random );
        anyShape( jo_polygonShape2, &random );
        s_scene.pair.polygonA = joMakeBox2( 0.5f, 0.2f );
        s_scene.pair.polygonA.radius = i % 2 ? 0.1f : 0.0f;
        const float x = flatFloatIn( &random, -2.0f, 2.0f );
        const float half = 0.2f + s_scene.pair.polygonA.radius;
        placeShape( ( joVec2 ){ x, half - 0.005f }, ( joRot2 ){ 1.0f, 0.0f } );
        const joManifold2 manifold = collide( 0.0f );
        assert_int_equal( manifold.pointCount, 2 );
        float sides[2];
        for ( uint32_t k = 0; k < 2; ++k )
        {
            assert_true( fabsf( manifold.points[k].depth - 0.005f ) < 1e-5f );
            const joVec2 local = joInverseTransformPoint2( *s_scene.poseShape, manifold.points[k].position );
            sides[k] = local.x;
            assert_true( fabsf( fabsf( local.x ) - 0.5f ) < 1e-4f && fabsf( local.y + half ) < 1e-2f );
        }
        assert_true( sides[0] * sides[1] < 0.0f );
        assert_true( manifold.points[0].featureId != manifold.points[1].featureId );
        const joVec2 jitter = anyPoint( &random, 1e-6f );
        placeShape( ( joVec2 ){ x + jitter.x, half - 0.005f + jitter.y }, ( joRot2 ){ 1.0f, 0.0f } );
        const joManifold2 moved = collide( 0.0f );
        uint32_t same = 0;
        for ( uint32_t k = 0; k < 2; ++k )
        {
            same += moved.points[k].featureId == manifold.points[k].featureId;
        }
        assert_true( same == 2 || i > 100 ); // many joints: one may come between
        dropChain();
    }
}

// A ridge, a valley, a wall's end: where the chain does stand out it is met.
static void jointsThatStandOutAreMet( void** state )
{
    (void)state;
    static const joVec2 points[] = {
        { -2.0f, 1.0f }, { -1.0f, 0.0f }, { 0.0f, 1.0f }, { 1.0f, 0.0f }, { 2.0f, 0.0f } };
    memcpy( s_points.points, points, sizeof( points ) );
    s_points.reference = ( ReferenceChain ){ s_points.points, 5, false };
    s_scene.chain = ( joShape2 ){ .kind = jo_chainShape2, .chain = chainMake( &s_points ) };
    s_scene.poseChain = joMakeIdentity2();
    uint64_t random = s_seed;
    anyShape( jo_circleShape2, &random );
    *s_scene.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 0.5f } };
    const float slope = 0.70710678f;
    const struct
    {
        joVec2 at;
        joVec2 normal;
        float depth;
        uint32_t count; // of segments that touch
    } cases[] = {
        { { 0.0f, 1.4f }, { 0.0f, 1.0f }, 0.1f, 2 },                        // on the ridge
        { { 0.3f, 1.3f }, { slope, slope }, 0.5f - 0.3f * 1.41421356f, 2 }, // beside it, of both still
        { { 0.0f, 0.4f }, { -slope, -slope }, 0.5f - 0.6f * slope, 2 },     // below: both flanks
        { { -1.0f, 0.6f }, { slope, slope }, 0.5f - 0.6f * slope, 2 },      // in the valley
        { { 2.3f, 0.0f }, { 1.0f, 0.0f }, 0.2f, 1 },                        // at its end
        { { 1.6f, 0.4f }, { 0.0f, 1.0f }, 0.1f, 1 },                        // on the flat
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        placeShape( cases[i].at, ( joRot2 ){ 1.0f, 0.0f } );
        const joManifold2 manifold = collide( 0.0f );
        assert_int_equal( collideAll( 0.0f ), cases[i].count );
        assert_true( fabsf( manifold.depth - cases[i].depth ) < 2e-6f );
        assert_int_equal( manifold.pointCount, 1 );
        joVec2 normal = manifold.normal;
        normal.x =
            i == 3 || i == 2 ? ( cases[i].normal.x < 0.0f ? -1.0f : 1.0f ) * fabsf( normal.x ) : normal.x;
        checkNormal( normal, cases[i].normal, 1e-6f );
    }
    dropChain();
}

// A box that has sunk into a wall across a joint is pushed out of the wall, not along it.
static void whatCrossesAWallIsPushedOutOfIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        useChain( chain_floor, 20 + randomBelow( &random, 100 ), &random );
        s_scene.poseChain = joMakeIdentity2();
        anyShape( jo_polygonShape2, &random );
        s_scene.pair.polygonA = joMakeBox2( 0.01f, 0.8f ); // far less deep to the side
        const float y = flatFloatIn( &random, -0.6f, 0.6f );
        placeShape( ( joVec2 ){ flatFloatIn( &random, -1.5f, 1.5f ), y }, ( joRot2 ){ 1.0f, 0.0f } );
        const joManifold2 manifold = collide( 0.0f );
        checkNormal( manifold.normal, ( joVec2 ){ 0.0f, y < 0.0f ? -1.0f : 1.0f }, 1e-6f );
        assert_true( fabsf( manifold.depth - ( 0.8f - fabsf( y ) ) ) < 1e-5f );
        dropChain();
    }
}

static double separationAt( joVec2 motion, double fraction )
{
    FlatShape moved = s_scene.reference;
    flatMove( &moved, fraction * (double)motion.x, fraction * (double)motion.y );
    return chainReferenceSeparation( &s_points.reference, &s_scene.poseChain, &moved );
}

// Whether it meets; and it does not go through, nor into the chain.
static bool judgeCast( joVec2 motion )
{
    joCastHit2 hit, swapped;
    assert_int_equal(
        joCast2( &s_scene.chain, &s_scene.poseChain, s_scene.shape, s_scene.poseShape, motion, NULL, &hit ),
        jo_success );
    assert_int_equal( joCast2( s_scene.shape, s_scene.poseShape, &s_scene.chain, &s_scene.poseChain,
                          ( joVec2 ){ -motion.x, -motion.y }, NULL, &swapped ),
        jo_success );
    assert_int_equal( hit.status, jo_collideComplete );
    assert_true( swapped.isHit == hit.isHit && swapped.fraction == hit.fraction );
    const double start = separationAt( motion, 0.0 ), end = hit.isHit ? (double)hit.fraction : 1.0;
    const double rounding = 1.2e-7 * hypot( (double)motion.x, (double)motion.y );
    if ( start <= DEPTH_BOUND )
    {
        // Without a radius all that crosses is 0 apart.
        const bool touches = collide( 0.0f ).pointCount > 0;
        assert_true( !touches || ( hit.isHit && hit.fraction == 0.0f ) );
        return hit.isHit;
    }
    for ( int step = 0; step < 64; ++step )
    {
        assert_true( separationAt( motion, end * step / 64.0 ) > ( step == 0 ? 0.0 : -1e-6 ) );
        assert_true( s_scene.reference.radius > 0.0 || separationAt( motion, end * step / 64.0 ) > 0.0 );
    }
    const double last = separationAt( motion, end );
    assert_true( last > -1e-6 - rounding && ( !hit.isHit || last < DEPTH_BOUND + rounding ) );
    if ( hit.isHit )
    {
        assert_true( hit.normal.x * motion.x + hit.normal.y * motion.y < 1e-3f );
        assert_true( fabsf( hypotf( hit.normal.x, hit.normal.y ) - 1.0f ) < 1e-6f );
        FlatShape moved = s_scene.reference;
        flatMove( &moved, end * (double)motion.x, end * (double)motion.y );
        assert_true( flatDistanceToPoint( &moved, (double)hit.point.x, (double)hit.point.y ) <
                     2.0 * DEPTH_BOUND + rounding );
        const FlatShape child = chainReferenceSegment( &s_points.reference, &s_scene.poseChain, hit.child );
        assert_true( flatSeparation( &child, &moved ) < DEPTH_BOUND + rounding );
    }
    else
    {
        assert_true( hit.fraction == 1.0f && hit.normal.x == 0.0f && hit.normal.y == 0.0f );
    }
    return hit.isHit;
}

static void castsEndWhereTheyTouch( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t hits = 0, total = 0;
    for ( uint32_t i = 0; i < countOfFull( 33334, 150 ); ++i )
    {
        useChain( (ChainSort)( i % chain_sortCount ), 3 + randomBelow( &random, 20 ), &random );
        for ( uint32_t k = 0; k < 12; ++k )
        {
            anyShape( s_kinds[k % 4], &random );
            placeShape( anyPoint( &random, 3.0f ), joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) );
            total += 1;
            hits += judgeCast( anyPoint( &random, 4.0f ) );
        }
        dropChain();
    }
    assert_true( hits > total / 6 && hits < total - total / 6 );
    print_message( "%u of %u casts meet\n", hits, total );
}

// How squarely a motion goes into what is touched, at most.
static double findInto( joVec2 motion )
{
    const uint32_t count = collideAll( 0.0f );
    const double length = hypot( (double)motion.x, (double)motion.y );
    double most = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const joVec2 normal = s_contacts[i].manifold.normal; // from the chain to the shape
        const double into =
            -( (double)normal.x * (double)motion.x + (double)normal.y * (double)motion.y ) / length;
        most = fmax( most, into );
    }
    return most;
}

static double apartAt( uint32_t segment, joVec2 motion, double fraction )
{
    const FlatShape reference = chainReferenceSegment( &s_points.reference, &s_scene.poseChain, segment );
    FlatShape moved = s_scene.reference;
    flatMove( &moved, fraction * (double)motion.x, fraction * (double)motion.y );
    return flatSeparation( &reference, &moved );
}

// How squarely the shape then goes into a segment, from the side on which its middle is.
static double goesIn( uint32_t segment, joVec2 motion, double fraction )
{
    const FlatShape line = chainReferenceSegment( &s_points.reference, &s_scene.poseChain, segment );
    const FlatShape* shape = &s_scene.reference;
    double x = fraction * (double)motion.x - line.x[0], y = fraction * (double)motion.y - line.y[0];
    for ( int i = 0; i < shape->count; ++i )
    {
        x += shape->x[i] / shape->count;
        y += shape->y[i] / shape->count;
    }
    const double nx = line.y[0] - line.y[1], ny = line.x[1] - line.x[0];
    const double side = nx * x + ny * y < 0.0 ? -1.0 : 1.0;
    const double along = nx * (double)motion.x + ny * (double)motion.y;
    return -side * along / ( hypot( nx, ny ) * hypot( (double)motion.x, (double)motion.y ) );
}

static double apartFrom( uint32_t segment )
{
    return apartAt( segment, ( joVec2 ){ 0.0f, 0.0f }, 0.0 );
}

// What touches at the start stops at once at what it goes into, and else where it meets a segment that it did
// not touch.
static void castsOutSeeWhatIsNotTouched( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t stops = 0, hits = 0, leaves = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 1000u : 4000u ); ++i )
    {
        useChain( (ChainSort)( i % chain_sortCount ), 3 + randomBelow( &random, 20 ), &random );
        anyShape( s_kinds[i % 4], &random );
        placeShape( anyPoint( &random, 2.0f ), joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) );
        const joVec2 motion = anyPoint( &random, 3.0f );
        const double into = findInto( motion );
        const joManifold2 touch = collide( 0.0f );
        // Deep in a segment its side is not that of the middle.
        if ( touch.pointCount == 0 || touch.depth > 0.2f || fabs( into - 0.001 ) < 1e-5 )
        {
            dropChain();
            continue;
        }
        joCastHit2 hit;
        assert_int_equal( joCastOut2( &s_scene.chain, &s_scene.poseChain, s_scene.shape, s_scene.poseShape,
                              motion, 0.001, &hit ),
            jo_success );
        const double length = hypot( (double)motion.x, (double)motion.y );
        const double against =
            (double)hit.normal.x * (double)motion.x + (double)hit.normal.y * (double)motion.y;
        assert_true( into < 0.001 || ( hit.isHit && hit.fraction == 0.0f ) );
        assert_true( into < 0.001 || fabs( against + into * length ) < 1e-5 );
        stops += into >= 0.001;
        const double end = hit.isHit ? (double)hit.fraction : 1.0;
        const uint32_t segments = chainReferenceSegmentCount( &s_points.reference );
        for ( uint32_t k = 0; k < segments && into < 0.001; ++k )
        {
            assert_true( apartFrom( k ) > 0.0 || !hit.isHit || hit.child != k );
            for ( int step = 0; step <= 32 && apartFrom( k ) > 1e-6; ++step )
            {
                const double apart = apartAt( k, motion, end * step / 32.0 );
                // What has sunk into one segment may go on into the next one of the same surface, but no
                // deeper.
                assert_true( apart > -1e-6 || goesIn( k, motion, end * step / 32.0 ) < 1e-3 );
                assert_true( step < 32 || !hit.isHit || hit.child != k || apart < DEPTH_BOUND );
            }
        }
        hits += into < 0.001 && hit.isHit;
        leaves += into < 0.001 && !hit.isHit;
        dropChain();
    }
    print_message( "%u stop at once, %u meet another segment, %u leave\n", stops, hits, leaves );
    assert_true( stops > 20 && hits > 5 && leaves > 15 );
}

// A spike that goes exactly into the corner of a valley, from all sides, meets it.
static void aSpikeIntoACornerMeetsIt( void** state )
{
    (void)state;
    static const joVec2 points[] = { { -2.0f, 0.0f }, { 0.0f, 0.0f }, { 0.0f, 2.0f } };
    memcpy( s_points.points, points, sizeof( points ) );
    s_points.reference = ( ReferenceChain ){ s_points.points, 3, false };
    s_scene.chain = ( joShape2 ){ .kind = jo_chainShape2, .chain = chainMake( &s_points ) };
    uint64_t random = s_seed;
    anyShape( jo_segmentShape2, &random );
    for ( uint32_t i = 0; i < 20000; ++i )
    {
        s_scene.poseChain = joMakeIdentity2();
        s_scene.poseChain.rotation = joMakeRot2( i % 2 ? flatFloatIn( &random, -4.0f, 4.0f ) : 0.0f );
        const float x = flatFloatIn( &random, 0.01f, 1.0f ), y = flatFloatIn( &random, 0.01f, 1.0f );
        const joVec2 from = { -x, y };
        s_scene.shape->segment = ( joSegment2 ){ { 0.0f, 0.0f }, from };
        placeShape( from, ( joRot2 ){ 1.0f, 0.0f } );
        const joCastHit2 hit = castShape( ( joVec2 ){ 2.0f * x, -2.0f * y } );
        assert_true( hit.isHit && fabsf( hit.fraction - 0.5f ) < 1e-4f );
    }
    dropChain();
}

// The hierarchy of a long chain leads to the same answers.
static void aLongChainHasTheSameAnswers( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t touching = 0;
    for ( uint32_t n = 0; n < 4; ++n )
    {
        useChain( (ChainSort)( 1 + n % 3 ), 3000 + 1000 * n, &random );
        for ( uint32_t k = 0; k < 40; ++k )
        {
            anyShape( s_kinds[k % 4], &random );
            placeShape( anyPoint( &random, 3.0f ), joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) );
            const double apart = separation();
            checkDistance( apart );
            checkContacts( 0.01f, apart );
            touching += apart < 0.0;
            if ( apart > DEPTH_BOUND && k % 8 == 0 )
            {
                judgeCast( anyPoint( &random, 2.0f ) );
            }
        }
        dropChain();
    }
    assert_true( touching > 5 );
}

static void aRigidMotionTurnsTheAnswerWithIt( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        useChain( i % 2 ? chain_hills : chain_ring, 12, &random );
        anyShape( s_kinds[i % 4], &random );
        const joVec2 at = anyPoint( &random, 1.5f );
        const joRot2 turn = joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) );
        s_scene.poseChain = joMakeIdentity2();
        placeShape( at, turn );
        const joManifold2 before = collide( 0.0f );
        s_scene.poseChain = anyPose( &random );
        placeShape( at, turn );
        const joManifold2 after = collide( 0.0f );
        const double apart = separation();
        if ( fabs( apart ) > DEPTH_BOUND )
        {
            assert_int_equal( before.pointCount > 0, after.pointCount > 0 );
        }
        if ( before.pointCount > 0 && after.pointCount > 0 )
        {
            assert_true( fabsf( before.depth - after.depth ) < 5e-6f );
        }
        dropChain();
    }
}

static void aSmallBufferGetsTheFirst( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    useChain( chain_tangle, 60, &random );
    anyShape( jo_circleShape2, &random );
    *s_scene.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, 1.0f } };
    placeShape( ( joVec2 ){ 0.1f, 0.2f }, ( joRot2 ){ 1.0f, 0.0f } );
    const uint32_t all = collideAll( 0.0f );
    uint32_t count = 0;
    assert_true( all > 3 );
    joChainContact2 few[3], spoilt;
    memset( few, 0xCD, sizeof( few ) );
    spoilt = few[2];
    for ( uint32_t capacity = 0; capacity <= 2; capacity += 2 )
    {
        assert_int_equal( joCollideChain2( s_scene.chain.chain, &s_scene.poseChain, s_scene.shape,
                              s_scene.poseShape, 0.0f, capacity > 0 ? few : NULL, capacity, &count ),
            jo_success );
        assert_int_equal( count, all );
    }
    assert_memory_equal( few, s_contacts, 2 * sizeof( few[0] ) );
    assert_memory_equal( few + 2, &spoilt, sizeof( spoilt ) );
    dropChain();
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    useChain( chain_floor, 20, &random );
    anyShape( jo_circleShape2, &random );
    const joTransform2 pose = joMakeIdentity2();
    const joShape2* chain = &s_scene.chain;
    const joChain2* own = chain->chain;
    const joShape2* shape = s_scene.shape;
    uint32_t count = 7;
    bool overlaps;
    joManifold2 manifold;
    joClosestPoints2 closest;
    joCastHit2 hit;
    assert_int_equal( joOverlap2( chain, &pose, chain, &pose, NULL, &overlaps ), jo_errorNoSuchPair );
    assert_int_equal( joCollide2( chain, &pose, chain, &pose, 0.0f, NULL, &manifold ), jo_errorNoSuchPair );
    assert_int_equal( joDistance2( chain, &pose, chain, &pose, NULL, &closest ), jo_errorNoSuchPair );
    assert_int_equal( joCast2( chain, &pose, chain, &pose, pose.position, NULL, &hit ), jo_errorNoSuchPair );
    assert_int_equal(
        joCollideChain2( own, &pose, chain, &pose, 0.0f, NULL, 0, &count ), jo_errorNoSuchPair );
    assert_int_equal( count, 0 );
    const struct
    {
        const joChain2* chain;
        const joTransform2* pose;
        const joShape2* shape;
        float margin;
        joChainContact2* contacts;
        uint32_t* count;
        joResult expected;
    } cases[] = {
        { own, &pose, shape, 0.0f, NULL, &count, jo_errorNullArgument },
        { own, &pose, shape, 0.0f, s_contacts, NULL, jo_errorNullArgument },
        { NULL, &pose, shape, 0.0f, s_contacts, &count, jo_errorNullArgument },
        { own, NULL, shape, 0.0f, s_contacts, &count, jo_errorNullArgument },
        { own, &pose, NULL, 0.0f, s_contacts, &count, jo_errorNullArgument },
        { own, &pose, shape, -1.0f, s_contacts, &count, jo_errorBadRadius },
        { own, &pose, shape, NAN, s_contacts, &count, jo_errorNotANumber },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        assert_int_equal( joCollideChain2( cases[i].chain, cases[i].pose, cases[i].shape, &pose,
                              cases[i].margin, cases[i].contacts, 1, cases[i].count ),
            cases[i].expected );
    }
    dropChain();
}

#define BATCH_SHAPES 60

// Chains go through a batch pair by pair, beside pairs that have kernels.
static void aBatchSaysTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    useChain( chain_hills, 50, &random );
    static joShape2 shapes[BATCH_SHAPES];
    static joPolygon2 polygons[BATCH_SHAPES];
    static joTransform2 poses[BATCH_SHAPES];
    static joPair pairs[BATCH_SHAPES * BATCH_SHAPES];
    static uint32_t hitPairs[BATCH_SHAPES * BATCH_SHAPES];
    static joManifold2 manifolds[BATCH_SHAPES * BATCH_SHAPES];
    uint32_t pairCount = 0;
    for ( uint32_t i = 0; i < BATCH_SHAPES; ++i )
    {
        anyShape( s_kinds[i % 4], &random );
        shapes[i] = *s_scene.shape;
        polygons[i] = s_scene.pair.polygonA;
        if ( shapes[i].kind == jo_polygonShape2 )
        {
            shapes[i].polygon = polygons + i;
        }
        shapes[i] = i == 7 ? s_scene.chain : shapes[i];
        poses[i] = ( joTransform2 ){ anyPoint( &random, i == 7 ? 1.0f : 3.0f ), joMakeRot2( (float)i ) };
        for ( uint32_t k = 0; k < i; ++k )
        {
            pairs[pairCount++] = i % 2 ? ( joPair ){ i, k } : ( joPair ){ k, i };
        }
    }
    const joPlacedShapes2 placed = {
        { shapes, sizeof( shapes[0] ) }, { poses, sizeof( poses[0] ) }, BATCH_SHAPES };
    joCollideBatchDef def = joDefaultCollideBatchDef();
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    assert_int_equal( joCollideBatch_SetShapes2( batch, &placed, NULL ), jo_success );
    uint64_t count = 0, next = 0, ofChain = 0;
    assert_int_equal( joCollideBatch_Collide2( batch, pairs, pairCount, 0.01f, hitPairs, manifolds,
                          BATCH_SHAPES * BATCH_SHAPES, &count, NULL ),
        jo_success );
    for ( uint32_t i = 0; i < pairCount; ++i )
    {
        joManifold2 manifold;
        const joPair p = pairs[i];
        assert_int_equal(
            joCollide2( shapes + p.a, poses + p.a, shapes + p.b, poses + p.b, 0.01f, NULL, &manifold ),
            jo_success );
        if ( manifold.pointCount > 0 )
        {
            assert_true( next < count && hitPairs[next] == i );
            assert_memory_equal( manifolds + next, &manifold, sizeof( manifold ) );
            ofChain += p.a == 7 || p.b == 7;
            next += 1;
        }
    }
    assert_true( next == count && ofChain > 0 && count > ofChain );
    // Two chains have no answer.
    shapes[8] = s_scene.chain;
    assert_int_equal( joCollideBatch_SetShapes2( batch, &placed, NULL ), jo_success );
    uint32_t bad = JO_NULL_INDEX;
    const joPair chains[2] = { { 0, 7 }, { 8, 7 } };
    assert_int_equal(
        joCollideBatch_Collide2( batch, chains, 2, 0.01f, hitPairs, manifolds, 2, &count, &bad ),
        jo_errorNoSuchPair );
    assert_int_equal( bad, 1 );
    joDestroyCollideBatch( batch );
    dropChain();
}

// Of a chain with more points than ids have numbers, the two ends of a box that is longer than it.
static void namesDifferOnTheLongestChain( void** state )
{
    (void)state;
    enum
    {
        count = 65536
    };
    joVec2* points = malloc( count * sizeof( *points ) );
    assert_non_null( points );
    for ( uint32_t i = 0; i < count; ++i )
    {
        points[i] = ( joVec2 ){ (float)i, 0.0f };
    }
    joChain2* chain = NULL;
    assert_int_equal( joCreateChain2( points, count, false, NULL, &chain, NULL ), jo_success );
    free( points );
    const joShape2 own = { .kind = jo_chainShape2, .chain = chain };
    joPolygon2 box = joMakeBox2( 1e5f, 1.0f );
    const joShape2 shape = { .kind = jo_polygonShape2, .polygon = &box };
    const joTransform2 pose = joMakeIdentity2();
    const joTransform2 above = { { 32768.0f, 1.0f }, { 1.0f, 0.0f } };
    joManifold2 manifold;
    assert_int_equal( joCollide2( &own, &pose, &shape, &above, 0.0f, NULL, &manifold ), jo_success );
    assert_int_equal( manifold.pointCount, 2 );
    assert_true( fabsf( manifold.points[0].position.x - manifold.points[1].position.x ) == 65535.0f );
    assert_true( manifold.points[0].featureId != manifold.points[1].featureId );
    joDestroyChain2( chain, NULL );
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
        TEST( "answers are those of a plain loop", answersAreThoseOfAPlainLoop ),
        TEST( "a lone segment is met as a segment", aLoneSegmentIsMetAsASegment ),
        TEST( "all but flat is as deep as it is", allButFlatIsAsDeepAsItIs ),
        TEST( "nothing bumps on a flat floor", nothingBumpsOnAFlatFloor ),
        TEST( "what slides over a flat floor meets nothing", whatSlidesOverAFlatFloorMeetsNothing ),
        TEST( "a box on a floor has two points", aBoxOnAFloorHasTwoPoints ),
        TEST( "joints that stand out are met", jointsThatStandOutAreMet ),
        TEST( "what crosses a wall is pushed out of it", whatCrossesAWallIsPushedOutOfIt ),
        TEST( "28, 31: casts end where they touch", castsEndWhereTheyTouch ),
        TEST( "casts out see what is not touched", castsOutSeeWhatIsNotTouched ),
        TEST( "a spike into a corner meets it", aSpikeIntoACornerMeetsIt ),
        TEST( "a long chain has the same answers", aLongChainHasTheSameAnswers ),
        TEST( "a rigid motion turns the answer with it", aRigidMotionTurnsTheAnswerWithIt ),
        TEST( "a small buffer gets the first", aSmallBufferGetsTheFirst ),
        TEST( "bad calls are refused", badCallsAreRefused ),
        TEST( "a batch says the same", aBatchSaysTheSame ),
        TEST( "names differ on the longest chain", namesDifferOnTheLongestChain ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
