// SPDX-License-Identifier: MIT
// Tests of chains: making, refusing and checking them, their bounds, support points and rays, against plain
// loops over their points.
#include "test_support.h"

#include "jostle/shapes.h"
#include "support/broad_phase_kit.h"
#include "support/chain_sets.h"
#include "support/flat_pair_sets.h"

#include <math.h>

static uint64_t s_seed;
static ChainPoints s_points;

static joTransform2 anyPose( uint64_t* random )
{
    joTransform2 pose = {
        { flatFloatIn( random, -10.0f, 10.0f ), 0.0f }, joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
    pose.position.y = flatFloatIn( random, -10.0f, 10.0f );
    return pose;
}

static void expectRefused( uint32_t count, bool isLoop, joResult expected, uint32_t expectedBad )
{
    joChain2* chain = (joChain2*)(void*)&s_points;
    uint32_t bad = 7;
    assert_int_equal( joCreateChain2( s_points.points, count, isLoop, NULL, &chain, &bad ), expected );
    assert_null( chain );
    assert_int_equal( bad, expectedBad );
}

static void badPointsAreRefusedWithTheIndex( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    const uint32_t count = 50;
    chainMakePoints( chain_hills, count, &random, &s_points );
    static const struct
    {
        float value;
        joResult expected;
    } values[] = {
        { NAN, jo_errorNotANumber }, { INFINITY, jo_errorBadShape }, { -2e12f, jo_errorBadShape } };
    for ( size_t k = 0; k < sizeof( values ) / sizeof( values[0] ); ++k )
    {
        for ( int axis = 0; axis < 2; ++axis )
        {
            const uint32_t i = randomBelow( &random, count );
            float* at = &s_points.points[i].x + axis;
            const float was = *at;
            *at = values[k].value;
            expectRefused( count, axis == 0, values[k].expected, i );
            *at = was;
        }
    }
    const uint32_t i = 1 + randomBelow( &random, count - 1 );
    const joVec2 was = s_points.points[i];
    s_points.points[i] = s_points.points[i - 1];
    expectRefused( count, false, jo_errorRepeatedPoint, i );
    s_points.points[i] = was;
    const joVec2 last = s_points.points[count - 1];
    s_points.points[count - 1] = s_points.points[0];
    expectRefused( count, true, jo_errorRepeatedPoint, count - 1 );
    joChain2* chain = NULL;
    assert_int_equal( joCreateChain2( s_points.points, count, false, NULL, &chain, NULL ), jo_success );
    joDestroyChain2( chain, NULL );
    s_points.points[count - 1] = last;
    expectRefused( 0, false, jo_errorBadCount, JO_NULL_INDEX );
    expectRefused( 1, false, jo_errorBadCount, JO_NULL_INDEX );
    expectRefused( 2, true, jo_errorBadCount, JO_NULL_INDEX );
    expectRefused( JO_MAX_CHAIN_POINTS2 + 1, false, jo_errorBadCount, JO_NULL_INDEX );
    assert_int_equal( joCreateChain2( NULL, 2, false, NULL, &chain, NULL ), jo_errorNullArgument );
    assert_int_equal( joCreateChain2( s_points.points, 2, false, NULL, NULL, NULL ), jo_errorNullArgument );
    joAllocator half = { .allocate = testAllocate };
    assert_int_equal( joCreateChain2( s_points.points, 2, false, &half, &chain, NULL ), jo_errorBadDef );
}

static void aBlockIsRelocatable( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t count = 3; count <= 3000; count += 1 + count / 4 )
    {
        const ChainSort sort = (ChainSort)( count % chain_sortCount );
        chainMakePoints( sort, count, &random, &s_points );
        joChain2* chain = chainMake( &s_points );
        size_t size = joChain2_GetSize( chain );
        joChain2* moved = aligned_alloc( 64, size );
        assert_non_null( moved );
        memcpy( moved, chain, size );
        joDestroyChain2( chain, NULL );
        assert_int_equal( joCheckChain2( moved ), jo_success );
        assert_int_equal( joValidateChain2( moved, size ), jo_success );
        assert_int_equal(
            joChain2_GetSegmentCount( moved ), chainReferenceSegmentCount( &s_points.reference ) );
        free( moved );
    }
}

// A spoilt block is refused, or a ray at it still ends.
static void spoiltBlocksAreRefusedOrSafe( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    chainMakePoints( chain_ring, 21, &random, &s_points );
    joChain2* chain = chainMake( &s_points );
    size_t size = joChain2_GetSize( chain );
    unsigned char* block = aligned_alloc( 64, size );
    assert_non_null( block );
    const joTransform2 pose = joMakeIdentity2();
    const joRay ray = { { 0.3f, 5.0f, 0.0f }, { 0.01f, -1.0f, 0.0f }, INFINITY };
    uint32_t refused = 0, total = kitQuick() ? 2000 : 40000;
    for ( uint32_t i = 0; i < total; ++i )
    {
        memcpy( block, chain, size );
        for ( uint32_t k = 0; k < 1 + i % 3; ++k )
        {
            size_t at = nextRandom( &random ) % size;
            block[at] ^= (unsigned char)( 1u << randomBelow( &random, 8 ) );
        }
        joChainRayHit2 hit;
        if ( joValidateChain2( block, size ) )
        {
            refused += 1;
            continue;
        }
        assert_int_equal( joCastRayAtChain2( (const joChain2*)(void*)block, &pose, &ray, &hit ), jo_success );
    }
    assert_true( refused > total / 4 );
    assert_int_equal( joValidateChain2( chain, size - 64 ), jo_errorBadShape );
    assert_int_equal( joValidateChain2( chain, 10 ), jo_errorBadShape );
    assert_int_equal( joValidateChain2( NULL, size ), jo_errorNullArgument );
    memset( block, 0, size );
    assert_int_equal( joCheckChain2( (const joChain2*)(void*)block ), jo_errorBadShape );
    assert_int_equal( joCheckChain2( NULL ), jo_errorNullArgument );
    free( block );
    joDestroyChain2( chain, NULL );
}

// Every box that does not hold what is in it, and every repeated point, is found.
static void wrongBoxesAndRepeatedPointsAreFound( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    chainMakePoints( chain_hills, 30, &random, &s_points );
    joChain2* chain = chainMake( &s_points );
    size_t size = joChain2_GetSize( chain );
    // The points stand behind a header of 64 bytes, the boxes behind the points.
    float* numbers = (float*)(void*)( (char*)chain + 64 );
    const uint32_t boxes = 2 * ( 29 + 3 ) / 4 - 1;
    for ( uint32_t i = 0; i < boxes; ++i )
    {
        for ( uint32_t k = 0; k < 4; ++k )
        {
            float* side = numbers + 60 + 4 * i + k;
            const float was = *side;
            *side += k < 2 ? 1e-5f : -1e-5f;
            assert_int_equal( joValidateChain2( chain, size ), jo_errorBadShape );
            *side = NAN;
            assert_int_equal( joValidateChain2( chain, size ), jo_errorBadShape );
            *side = was;
        }
    }
    assert_int_equal( joValidateChain2( chain, size ), jo_success );
    memcpy( numbers + 8, numbers + 6, 2 * sizeof( float ) );
    assert_int_equal( joValidateChain2( chain, size ), jo_errorBadShape );
    joDestroyChain2( chain, NULL );
}

static void failedAllocationsLeaveNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    chainMakePoints( chain_hills, 100, &random, &s_points );
    TestAllocator test = makeTestAllocator();
    test.failAt = 0;
    joAllocator allocator = toAllocator( &test );
    joChain2* chain;
    assert_int_equal(
        joCreateChain2( s_points.points, 100, false, &allocator, &chain, NULL ), jo_errorOutOfMemory );
    assert_null( chain );
    test.failAt = UINT64_MAX;
    assert_int_equal( joCreateChain2( s_points.points, 100, false, &allocator, &chain, NULL ), jo_success );
    joDestroyChain2( chain, &allocator );
    joDestroyChain2( NULL, &allocator );
    assertAllReturned( &test );
}

static void boundsHoldTheChainAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t n = 0; n < 200; ++n )
    {
        chainMakePoints( (ChainSort)( n % chain_sortCount ), 3 + n, &random, &s_points );
        joChain2* chain = chainMake( &s_points );
        joShape2 shape = { .kind = jo_chainShape2, .chain = chain };
        assert_int_equal( joCheckShape2( &shape ), jo_success );
        joTransform2 pose = anyPose( &random ), end = anyPose( &random ), turned = anyPose( &random );
        end.rotation = pose.rotation;
        turned.position = end.position;
        joBounds2 still = joComputeShapeBounds2( &shape, pose );
        joBounds2 swept = joComputeShapeSweptBounds2( &shape, pose, end );
        joBounds2 turning = joComputeShapeSweptBounds2( &shape, pose, turned );
        float lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY };
        float sweptLower[2] = { INFINITY, INFINITY }, sweptUpper[2] = { -INFINITY, -INFINITY };
        for ( uint32_t i = 0; i < 3 + n; ++i )
        {
            const joVec2 p = s_points.points[i];
            const joVec2 places[3] = {
                joTransformPoint2( pose, p ), joTransformPoint2( end, p ), joTransformPoint2( turned, p ) };
            for ( int k = 0; k < 2; ++k )
            {
                const float at = ( &places[0].x )[k], last = ( &places[1].x )[k];
                const float other = ( &places[2].x )[k];
                lower[k] = fminf( lower[k], at );
                upper[k] = fmaxf( upper[k], at );
                sweptLower[k] = fminf( sweptLower[k], fminf( at, last ) );
                sweptUpper[k] = fmaxf( sweptUpper[k], fmaxf( at, last ) );
                assert_true( fminf( at, other ) >= ( &turning.lower.x )[k] );
                assert_true( fmaxf( at, other ) <= ( &turning.upper.x )[k] );
            }
        }
        for ( int k = 0; k < 2; ++k )
        {
            // What is turned in float is rounded once more.
            assert_true( fabsf( ( &still.lower.x )[k] - lower[k] ) < 3e-6f );
            assert_true( fabsf( ( &still.upper.x )[k] - upper[k] ) < 3e-6f );
            assert_true( fabsf( ( &swept.lower.x )[k] - sweptLower[k] ) < 3e-6f );
            assert_true( fabsf( ( &swept.upper.x )[k] - sweptUpper[k] ) < 3e-6f );
        }
        joDestroyChain2( chain, NULL );
    }
}

static void theSupportPointIsTheFarthest( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t n = 0; n < 400; ++n )
    {
        const uint32_t count = 3 + randomBelow( &random, 300 );
        chainMakePoints( (ChainSort)( n % chain_sortCount ), count, &random, &s_points );
        joChain2* chain = chainMake( &s_points );
        const joShape2 shape = { .kind = jo_chainShape2, .chain = chain };
        const joVec2 d = { flatFloatIn( &random, -1.0f, 1.0f ), flatFloatIn( &random, -1.0f, 1.0f ) };
        const joVec2 support = joFindShapeSupport2( &shape, d );
        double most = -INFINITY;
        bool isPoint = false;
        for ( uint32_t i = 0; i < count; ++i )
        {
            const joVec2 p = s_points.points[i];
            most = fmax( most, (double)d.x * (double)p.x + (double)d.y * (double)p.y );
            isPoint = isPoint || ( p.x == support.x && p.y == support.y );
        }
        assert_true( isPoint );
        assert_true( (double)d.x * (double)support.x + (double)d.y * (double)support.y == most );
        assert_true( joComputeShapeArea2( &shape ) == 0.0f );
        joMassData2 mass = joComputeShapeMass2( &shape, 1.0f );
        assert_true( mass.mass == 0.0f && mass.inertia == 0.0f );
        joDestroyChain2( chain, NULL );
    }
}

static void raysMeetWhatAPlainLoopMeets( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t hits = 0, total = 0;
    for ( uint32_t n = 0; n < 100; ++n )
    {
        const uint32_t count = 3 + randomBelow( &random, 200 );
        chainMakePoints( (ChainSort)( n % chain_sortCount ), count, &random, &s_points );
        joChain2* chain = chainMake( &s_points );
        const joTransform2 pose = anyPose( &random );
        for ( uint32_t i = 0; i < 50; ++i )
        {
            const joVec2 local = { flatFloatIn( &random, -3.0f, 3.0f ), flatFloatIn( &random, -3.0f, 3.0f ) };
            const joVec2 from = joTransformPoint2( pose, local );
            const joVec2 d = { flatFloatIn( &random, -1.0f, 1.0f ), flatFloatIn( &random, -1.0f, 1.0f ) };
            joRay ray = { { from.x, from.y, NAN }, { d.x, d.y, NAN }, flatFloatIn( &random, 0.5f, 6.0f ) };
            const double length = hypot( (double)d.x, (double)d.y );
            uint32_t segment;
            double doubt, expected = chainReferenceRay( &s_points.reference, &pose, (double)from.x,
                              (double)from.y, (double)d.x / length, (double)d.y / length, &segment, &doubt );
            if ( doubt < 1e-9 || fabs( expected - (double)ray.length ) < 1e-6 )
            {
                continue;
            }
            joChainRayHit2 hit;
            assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, &hit ), jo_success );
            total += 1;
            if ( expected > (double)ray.length )
            {
                assert_true( hit.hit.distance == INFINITY && hit.segment == JO_NULL_INDEX );
                assert_true( hit.hit.normal.x == 0.0f && hit.hit.normal.y == 0.0f );
                continue;
            }
            hits += 1;
            assert_int_equal( hit.segment, segment );
            assert_true( fabs( (double)hit.hit.distance - expected ) < 1e-6 );
            const FlatShape met = chainReferenceSegment( &s_points.reference, &pose, segment );
            const double x = met.x[1] - met.x[0], y = met.y[1] - met.y[0];
            const double nx = (double)hit.hit.normal.x, ny = (double)hit.hit.normal.y;
            assert_true( fabs( hypot( nx, ny ) - 1.0 ) < 1e-6 );
            assert_true( fabs( nx * x + ny * y ) < 1e-6 * hypot( x, y ) );
            assert_true( nx * (double)d.x + ny * (double)d.y < 0.0 );
            const joShape2 shape = { .kind = jo_chainShape2, .chain = chain };
            joRayHit2 same;
            assert_int_equal( joCastRayAtShape2( &shape, &pose, &ray, &same ), jo_success );
            assert_memory_equal( &same, &hit.hit, sizeof( same ) );
            assert_int_equal( same.child, hit.segment != JO_NULL_INDEX ? hit.segment : 0 );
        }
        joDestroyChain2( chain, NULL );
    }
    assert_true( hits > total / 4 && hits < total - total / 20 );
}

static joChainRayHit2 castAt( const joChain2* chain, float x, float y, float dx, float dy, float length )
{
    const joTransform2 pose = joMakeIdentity2();
    const joRay ray = { { x, y, 0.0f }, { dx, dy, 0.0f }, length };
    joChainRayHit2 hit;
    assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, &hit ), jo_success );
    return hit;
}

// 32: along a segment, at the point of two, from a point of it, of no length.
static void specialRaysDoWhatTheHeaderSays( void** state )
{
    (void)state;
    static const joVec2 points[] = {
        { 0.0f, 0.0f }, { 1.0f, 0.0f }, { 2.0f, 0.0f }, { 2.0f, 1.0f }, { 3.0f, 1.0f }, { 4.0f, 1.0f } };
    joChain2* chain = NULL;
    assert_int_equal( joCreateChain2( points, 6, false, NULL, &chain, NULL ), jo_success );
    // Down on each point: the first of its segments.
    joChainRayHit2 hit = castAt( chain, 1.0f, 3.0f, 0.0f, -2.0f, 10.0f );
    assert_true( hit.hit.distance == 3.0f && hit.segment == 0 && hit.hit.normal.y == 1.0f );
    hit = castAt( chain, 3.0f, 3.0f, 0.0f, -2.0f, 10.0f );
    assert_true( hit.hit.distance == 2.0f && hit.segment == 3 );
    hit = castAt( chain, 2.0f, 3.0f, 0.0f, -2.0f, 10.0f );
    assert_true( hit.hit.distance == 2.0f && hit.segment == 2 && hit.hit.normal.y == 1.0f );
    // Along segments, from outside, from inside, the other way.
    hit = castAt( chain, -2.0f, 0.0f, 1.0f, 0.0f, 10.0f );
    assert_true( hit.hit.distance == 2.0f && hit.segment == 0 && hit.hit.normal.x == -1.0f );
    assert_true( castAt( chain, 0.5f, 0.0f, 1.0f, 0.0f, 10.0f ).hit.distance == 0.0f );
    assert_true( castAt( chain, -2.0f, 0.0f, -1.0f, 0.0f, 10.0f ).hit.distance == INFINITY );
    // From a point of it in any direction, and of no length.
    hit = castAt( chain, 1.5f, 0.0f, 0.3f, 0.7f, 10.0f );
    assert_true( hit.hit.distance == 0.0f && hit.segment == 1 && hit.hit.normal.y == 0.0f );
    hit = castAt( chain, 4.0f, 1.0f, 0.0f, 0.0f, 0.0f );
    assert_true( hit.hit.distance == 0.0f && hit.segment == 4 );
    assert_true( castAt( chain, 4.0f, 1.5f, 0.0f, 0.0f, 0.0f ).hit.distance == INFINITY );
    // That ends on it, and short of it.
    assert_true( castAt( chain, 0.5f, 3.0f, 0.0f, -1.0f, 3.0f ).hit.distance == 3.0f );
    assert_true( castAt( chain, 0.5f, 3.0f, 0.0f, -1.0f, 2.9999998f ).hit.distance == INFINITY );
    joDestroyChain2( chain, NULL );
}

// Out of a ring through its points, however it is turned.
static void nothingSlipsThroughBetweenSegments( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    chainMakePoints( chain_ring, 400, &random, &s_points );
    joChain2* chain = chainMake( &s_points );
    for ( uint32_t i = 0; i < 20000; ++i )
    {
        const joTransform2 pose = { { 0.0f, 0.0f }, joMakeRot2( flatFloatIn( &random, -4.0f, 4.0f ) ) };
        const joVec2 p = joTransformPoint2( pose, s_points.points[randomBelow( &random, 400 )] );
        const joRay ray = { { 0.0f, 0.0f, 0.0f }, { p.x, p.y, 0.0f }, 2.0f };
        joChainRayHit2 hit;
        assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, &hit ), jo_success );
        assert_true( fabsf( hit.hit.distance - hypotf( p.x, p.y ) ) < 1e-4f );
    }
    joDestroyChain2( chain, NULL );
}

static void badRaysAreRefused( void** state )
{
    (void)state;
    static const joVec2 points[] = { { 0.0f, 0.0f }, { 1.0f, 0.0f } };
    joChain2* chain = NULL;
    assert_int_equal( joCreateChain2( points, 2, false, NULL, &chain, NULL ), jo_success );
    joTransform2 pose = joMakeIdentity2();
    joRay ray = { { 0.5f, 1.0f, 0.0f }, { 0.0f, -1.0f, 0.0f }, 2.0f };
    joChainRayHit2 hit = { .segment = 0 };
    assert_int_equal( joCastRayAtChain2( NULL, &pose, &ray, &hit ), jo_errorNullArgument );
    assert_int_equal( hit.segment, JO_NULL_INDEX );
    assert_int_equal( joCastRayAtChain2( chain, NULL, &ray, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtChain2( chain, &pose, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, NULL ), jo_errorNullArgument );
    ray.length = NAN;
    assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, &hit ), jo_errorNotANumber );
    ray.length = -1.0f;
    assert_int_equal( joCastRayAtChain2( chain, &pose, &ray, &hit ), jo_errorBadRay );
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
        TEST( "bad points are refused with the index", badPointsAreRefusedWithTheIndex ),
        TEST( "a block is relocatable", aBlockIsRelocatable ),
        TEST( "spoilt blocks are refused or safe", spoiltBlocksAreRefusedOrSafe ),
        TEST( "wrong boxes and repeated points are found", wrongBoxesAndRepeatedPointsAreFound ),
        TEST( "failed allocations leave nothing", failedAllocationsLeaveNothing ),
        TEST( "bounds hold the chain and no more", boundsHoldTheChainAndNoMore ),
        TEST( "the support point is the farthest", theSupportPointIsTheFarthest ),
        TEST( "rays meet what a plain loop meets", raysMeetWhatAPlainLoopMeets ),
        TEST( "32: special rays do what the header says", specialRaysDoWhatTheHeaderSays ),
        TEST( "nothing slips through between segments", nothingSlipsThroughBetweenSegments ),
        TEST( "bad rays are refused", badRaysAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
