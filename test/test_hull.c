// SPDX-License-Identifier: MIT
// Tests of convex hulls in 3D: that they are the hull of their points, whatever the points.
#include "test_support.h"

#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"

#include <math.h>

static uint64_t s_seed;

#define MAX_POINTS 5000

static joVec3 s_points[MAX_POINTS];

static double heightOver( joVec3 normal, joVec3 p )
{
    return (double)normal.x * (double)p.x + (double)normal.y * (double)p.y + (double)normal.z * (double)p.z;
}

static double largestCoordinate( const joVec3* points, uint32_t count )
{
    float largest = 0.0f;
    for ( uint32_t i = 0; i < count; ++i )
    {
        largest = fmaxf(
            largest, fmaxf( fabsf( points[i].x ), fmaxf( fabsf( points[i].y ), fabsf( points[i].z ) ) ) );
    }
    return (double)largest;
}

static bool isOneOf( joVec3 p, const joVec3* points, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( p.x == points[i].x && p.y == points[i].y && p.z == points[i].z )
        {
            return true;
        }
    }
    return false;
}

// Everything that is promised of a hull of points: sound inside, made of given points, none of them outside;
// and nowhere larger than it must be, since each face has three vertices or more on it.
static void judge( const joHull3* hull, const joVec3* points, uint32_t count )
{
    assert_int_equal( joCheckHull3( hull ), jo_success );
    assert_int_equal( joValidateHull3( hull, joHull3_GetSize( hull ) ), jo_success );
    double tolerance = 5e-7 * largestCoordinate( points, count );
    uint32_t cornerCount = 0;
    for ( uint32_t i = 0; i < joHull3_GetVertexCount( hull ); ++i )
    {
        assert_true( isOneOf( joHull3_GetVertex( hull, i ), points, count ) );
    }
    for ( uint32_t face = 0; face < joHull3_GetFaceCount( hull ); ++face )
    {
        uint8_t vertices[JO_MAX_HULL_VERTICES3];
        joVec3 normal;
        float offset;
        uint32_t corners = joHull3_GetFace( hull, face, vertices, JO_MAX_HULL_VERTICES3, &normal, &offset );
        assert_true( corners >= 3 );
        cornerCount += corners;
        assert_true( fabs( heightOver( normal, normal ) - 1.0 ) < 1e-6 );
        for ( uint32_t i = 0; i < count; ++i )
        {
            double outside = heightOver( normal, points[i] ) - (double)offset;
            if ( !( outside <= 4.0 * tolerance ) )
            {
                fail_msg( "point %u of %u is %g tolerances outside of face %u", i, count, outside / tolerance,
                    face );
            }
        }
        for ( uint32_t i = 0; i < corners; ++i )
        {
            double below = (double)offset - heightOver( normal, joHull3_GetVertex( hull, vertices[i] ) );
            assert_true( below <= 4.0 * tolerance );
        }
    }
    // Each edge is in two faces.
    assert_int_equal( joHull3_GetVertexCount( hull ) + joHull3_GetFaceCount( hull ) - cornerCount / 2, 2 );
}

static joHull3* create( const joVec3* points, uint32_t count )
{
    joHull3* hull = NULL;
    uint32_t bad = 7;
    joResult result = joCreateHull3( points, count, NULL, &hull, &bad );
    if ( result )
    {
        fail_msg( "%s", joResultText( result ) );
    }
    assert_int_equal( bad, JO_NULL_INDEX );
    return hull;
}

static void pointsOnASphereAreAllVertices( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t count = 4; count <= JO_MAX_HULL_VERTICES3; count += kitQuick() ? 50 : 1 )
    {
        hullMakePoints( count % 2 ? hull_ball : hull_egg, count, &random, s_points );
        joHull3* hull = NULL;
        joResult result = joCreateHull3( s_points, count, NULL, &hull, NULL );
        if ( count < 10 && result == jo_errorFlatHull )
        {
            continue;
        }
        assert_int_equal( result, jo_success );
        judge( hull, s_points, count );
        assert_int_equal( joHull3_GetVertexCount( hull ), count );
        joDestroyHull3( hull, NULL );
    }
}

// The corners of a box, points on its faces and edges and within it, repeated ones; turned, moved and
// rounded.
static void aTurnedBoxOfPointsIsABox( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < ( kitQuick() ? 100 : 2000 ); ++i )
    {
        joTransform3 pose = { pairVectorIn( &random, i % 2 ? 0.0f : 2.0f ), pairAnyRotation( &random ) };
        joVec3 half = { pairFloatIn( &random, 0.1f, 1.0f ), pairFloatIn( &random, 0.1f, 1.0f ),
            pairFloatIn( &random, 0.1f, 1.0f ) };
        uint32_t count = 0, steps = 1 + randomBelow( &random, 5 );
        for ( uint32_t k = 0; k < ( steps + 1 ) * ( steps + 1 ) * ( steps + 1 ); ++k )
        {
            float u = (float)( k % ( steps + 1 ) ) / (float)steps;
            float v = (float)( k / ( steps + 1 ) % ( steps + 1 ) ) / (float)steps;
            float w = (float)( k / ( steps + 1 ) / ( steps + 1 ) ) / (float)steps;
            joVec3 p = {
                half.x * ( 2.0f * u - 1.0f ), half.y * ( 2.0f * v - 1.0f ), half.z * ( 2.0f * w - 1.0f ) };
            s_points[count++] = joTransformPoint3( pose, p );
            if ( randomBelow( &random, 4 ) == 0 )
            {
                s_points[count] = s_points[randomBelow( &random, count )];
                count += 1;
            }
        }
        joHull3* hull = create( s_points, count );
        judge( hull, s_points, count );
        assert_int_equal( joHull3_GetVertexCount( hull ), 8 );
        assert_int_equal( joHull3_GetFaceCount( hull ), 6 );
        float volume = 8.0f * half.x * half.y * half.z;
        assert_true( fabsf( joComputeHullVolume3( hull ) - volume ) < 1e-5f * volume );
        joDestroyHull3( hull, NULL );
    }
}

static void aPrismHasTwoPolygons( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sides = 3; sides <= 127; sides += kitQuick() ? 20 : 1 )
    {
        hullMakePoints( hull_prism, 2 * sides, &random, s_points );
        joHull3* hull = create( s_points, 2 * sides );
        judge( hull, s_points, 2 * sides );
        assert_int_equal( joHull3_GetVertexCount( hull ), 2 * sides );
        assert_int_equal( joHull3_GetFaceCount( hull ), sides + 2 );
        joDestroyHull3( hull, NULL );
    }
}

// Points that lie in few planes, nearly in planes, nearly on each other; on grids; on balls with a flat side.
static uint32_t makeNastyPoints( uint32_t sort, uint64_t* random )
{
    uint32_t count = 4 + randomBelow( random, sort % 2 ? 60 : 400 );
    float noise = powf( 10.0f, pairFloatIn( random, -9.0f, -4.0f ) );
    joTransform3 pose = { pairVectorIn( random, sort % 3 ? 0.0f : 10.0f ), pairAnyRotation( random ) };
    for ( uint32_t i = 0; i < count; ++i )
    {
        joVec3 p = pairVectorIn( random, 1.0f ), jitter = pairVectorIn( random, noise );
        switch ( sort % 7 )
        {
            case 0: // a coarse grid
                p = ( joVec3 ){ roundf( 2.0f * p.x ), roundf( 2.0f * p.y ), roundf( 2.0f * p.z ) };
                break;
            case 1: // near the faces of a cube
                ( &p.x )[i % 3] = i % 2 ? 1.0f : -1.0f;
                break;
            case 2: // near a few spots
                p = ( joVec3 ){
                    p.x < 0.0f ? -1.0f : 1.0f, p.y < 0.0f ? -1.0f : 1.0f, p.z < 0.0f ? -1.0f : 1.0f };
                break;
            case 3: // near the edges of a cube
                ( &p.x )[i % 3] = p.x < 0.0f ? -1.0f : 1.0f;
                ( &p.x )[( i + 1 ) % 3] = p.y < 0.0f ? -1.0f : 1.0f;
                break;
            case 4: // a ball with a flat side, of a radius that comes near the tolerance in flatness
                p = joRotateVec3( pairAnyRotation( random ), ( joVec3 ){ 1.0f, 0.0f, 0.0f } );
                p.z = fminf( p.z, 0.9f );
                break;
            case 5: // a lens: two flat domes
                p.z = ( p.z < 0.0f ? -1.0f : 1.0f ) * ( 0.001f + noise * ( 2.0f - p.x * p.x - p.y * p.y ) );
                break;
            default: // a disc with a rim that is all but round
                p.z = p.z < 0.0f ? -0.2f : 0.2f;
                break;
        }
        p = ( joVec3 ){ p.x + jitter.x, p.y + jitter.y, p.z + jitter.z };
        s_points[i] = sort % 4 == 3 ? p : joTransformPoint3( pose, p );
    }
    return count;
}

static void noPointIsLeftOutside( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t made = 0, total = kitQuick() ? 200 : 6000;
    for ( uint32_t i = 0; i < total; ++i )
    {
        uint32_t count = makeNastyPoints( i, &random );
        joHull3* hull = NULL;
        joResult result = joCreateHull3( s_points, count, NULL, &hull, NULL );
        assert_true(
            result == jo_success || result == jo_errorFlatHull || result == jo_errorTooManyVertices );
        if ( result == jo_success )
        {
            made += 1;
            judge( hull, s_points, count );
        }
        joDestroyHull3( hull, NULL );
    }
    assert_true( made > total / 2 );
}

static void manyPointsMakeAHull( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < MAX_POINTS; ++i )
    {
        s_points[i] = pairVectorIn( &random, 1.0f );
    }
    joHull3* hull = create( s_points, MAX_POINTS );
    judge( hull, s_points, MAX_POINTS );
    joDestroyHull3( hull, NULL );
}

// 40: points that lie on each other, on a line, in a plane; and a body that is too thin to have two sides.
static void flatPointsAreRefused( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sort = 0; sort < 400; ++sort )
    {
        uint32_t count = 4 + randomBelow( &random, 40 );
        joQuat turn = pairAnyRotation( &random );
        joVec3 at = pairVectorIn( &random, 1.0f );
        for ( uint32_t i = 0; i < count; ++i )
        {
            joVec3 p = pairVectorIn( &random, 1.0f );
            p.z = sort % 4 == 3 ? 1e-6f * p.z : 0.0f;
            p.y = sort % 4 == 1 ? 0.0f : p.y;
            p = sort % 4 == 0 ? ( joVec3 ){ 0.0f, 0.0f, 0.0f } : p;
            p = joTransformPoint3( ( joTransform3 ){ at, turn }, p );
            s_points[i] = p;
        }
        joHull3* hull = (joHull3*)s_points;
        assert_int_equal( joCreateHull3( s_points, count, NULL, &hull, NULL ), jo_errorFlatHull );
        assert_null( hull );
    }
}

static void tooManyCornersAreRefused( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    hullMakePoints( hull_ball, 256, &random, s_points );
    joHull3* hull;
    assert_int_equal( joCreateHull3( s_points, 256, NULL, &hull, NULL ), jo_errorTooManyVertices );
    assert_null( hull );
    hull = create( s_points, 255 );
    joDestroyHull3( hull, NULL );
}

static void badPointsAreRefusedWithTheirIndex( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const float bad[4] = { NAN, INFINITY, -INFINITY, 1.0001e12f };
    for ( uint32_t i = 0; i < 12; ++i )
    {
        hullMakePoints( hull_ball, 20, &random, s_points );
        ( &s_points[5 + i].x )[i % 3] = bad[i % 4];
        s_points[19].x = NAN;
        joHull3* hull;
        uint32_t index = 0;
        assert_int_equal( joCreateHull3( s_points, 20, NULL, &hull, &index ),
            i % 4 == 0 ? jo_errorNotANumber : jo_errorBadShape );
        assert_int_equal( index, 5 + i );
        assert_null( hull );
    }
    joHull3* hull;
    assert_int_equal( joCreateHull3( NULL, 20, NULL, &hull, NULL ), jo_errorNullArgument );
    assert_int_equal( joCreateHull3( s_points, 20, NULL, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joCreateHull3( s_points, 3, NULL, &hull, NULL ), jo_errorBadCount );
    assert_int_equal(
        joCreateHull3( s_points, JO_MAX_HULL_POINTS3 + 1, NULL, &hull, NULL ), jo_errorBadCount );
    joAllocator half = { testAllocate, NULL, NULL };
    hullMakePoints( hull_ball, 20, &random, s_points );
    assert_int_equal( joCreateHull3( s_points, 20, &half, &hull, NULL ), jo_errorBadDef );
    assert_int_equal( joCheckHull3( NULL ), jo_errorNullArgument );
    joDestroyHull3( NULL, NULL );
}

static void sizesAtTheLimitsMakeHulls( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const float scales[4] = { 1e12f, 1e-12f, 1e-30f, 1e-37f };
    for ( int i = 0; i < 4; ++i )
    {
        hullMakePoints( hull_ball, 60, &random, s_points );
        for ( uint32_t k = 0; k < 60; ++k )
        {
            s_points[k] =
                ( joVec3 ){ scales[i] * s_points[k].x, scales[i] * s_points[k].y, scales[i] * s_points[k].z };
        }
        joHull3* hull = create( s_points, 60 );
        judge( hull, s_points, 60 );
        assert_int_equal( joHull3_GetVertexCount( hull ), 60 );
        joMassData3 mass = joComputeHullMass3( hull, 1.0f );
        assert_true( isfinite( mass.mass ) && isfinite( mass.center.x ) );
        joDestroyHull3( hull, NULL );
    }
}

static void aBlockIsRelocatableAndTheSameEachTime( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sort = 0; sort < hull_sortCount; ++sort )
    {
        hullMakePoints( (HullSort)sort, 100, &random, s_points );
        joHull3* one = create( s_points, 100 );
        joHull3* two = create( s_points, 100 );
        size_t size = joHull3_GetSize( one );
        assert_int_equal( size, joHull3_GetSize( two ) );
        assert_memory_equal( one, two, size );
        joHull3* moved = aligned_alloc( 64, size );
        assert_non_null( moved );
        memcpy( moved, one, size );
        memset( one, 0, size );
        assert_int_equal( joValidateHull3( moved, size ), jo_success );
        judge( moved, s_points, 100 );
        free( one ); // its size is gone
        free( moved );
        joDestroyHull3( two, NULL );
    }
}

// A spoilt block is refused, or all that is asked of it still ends.
static void spoiltBlocksAreRefusedOrSafe( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3* hull = hullMake( hull_cone, 30, &random );
    size_t size = joHull3_GetSize( hull );
    unsigned char* block = aligned_alloc( 64, size );
    assert_non_null( block );
    uint32_t refused = 0, total = kitQuick() ? 2000 : 40000;
    for ( uint32_t i = 0; i < total; ++i )
    {
        memcpy( block, hull, size );
        for ( uint32_t k = 0; k < 1 + i % 3; ++k )
        {
            block[nextRandom( &random ) % size] ^= (unsigned char)( 1u << randomBelow( &random, 8 ) );
        }
        if ( joValidateHull3( block, size ) )
        {
            refused += 1;
            continue;
        }
        const joHull3* passed = (const joHull3*)(void*)block;
        for ( uint32_t face = 0; face < joHull3_GetFaceCount( passed ); ++face )
        {
            uint8_t vertices[JO_MAX_HULL_VERTICES3];
            joVec3 normal;
            float offset;
            uint32_t count =
                joHull3_GetFace( passed, face, vertices, JO_MAX_HULL_VERTICES3, &normal, &offset );
            assert_in_range( count, 3, JO_MAX_HULL_VERTICES3 );
            for ( uint32_t k = 0; k < joHull3_GetVertexCount( passed ); ++k )
            {
                joVec3 vertex = joHull3_GetVertex( passed, k );
                assert_true( heightOver( normal, vertex ) - (double)offset <= 1e-5 );
            }
        }
    }
    assert_true( refused > total / 4 );
    assert_int_equal( joValidateHull3( block, size - 64 ), jo_errorBadShape );
    assert_int_equal( joValidateHull3( block, 10 ), jo_errorBadShape );
    assert_int_equal( joValidateHull3( NULL, size ), jo_errorNullArgument );
    memset( block, 0, size );
    assert_int_equal( joCheckHull3( (const joHull3*)(void*)block ), jo_errorBadShape );
    free( block );
    joDestroyHull3( hull, NULL );
}

static void failedAllocationsLeaveNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    hullMakePoints( hull_ball, 40, &random, s_points );
    for ( uint64_t k = 0;; ++k )
    {
        TestAllocator test = makeTestAllocator();
        test.failAt = k;
        joAllocator allocator = toAllocator( &test );
        joHull3* hull;
        joResult result = joCreateHull3( s_points, 40, &allocator, &hull, NULL );
        if ( result == jo_success )
        {
            joDestroyHull3( hull, &allocator );
            assertAllReturned( &test );
            assert_int_equal( k, 2 );
            return;
        }
        assert_int_equal( result, jo_errorOutOfMemory );
        assert_null( hull );
        assertAllReturned( &test );
    }
}

static void near( float value, double expected, double bound )
{
    if ( !( fabs( (double)value - expected ) <= bound ) )
    {
        fail_msg( "%.9g, expected %.9g", (double)value, expected );
    }
}

static void massIsThatOfTheBox( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 200; ++i )
    {
        joBox3 box = joMakeBox3( pairFloatIn( &random, 0.1f, 1.0f ), pairFloatIn( &random, 0.1f, 1.0f ),
            pairFloatIn( &random, 0.1f, 1.0f ) );
        box.localPose = ( joTransform3 ){ pairVectorIn( &random, 2.0f ), pairAnyRotation( &random ) };
        for ( uint32_t k = 0; k < 8; ++k )
        {
            joVec3 corner = { k & 1 ? box.halfExtents.x : -box.halfExtents.x,
                k & 2 ? box.halfExtents.y : -box.halfExtents.y,
                k & 4 ? box.halfExtents.z : -box.halfExtents.z };
            s_points[k] = joTransformPoint3( box.localPose, corner );
        }
        joHull3* hull = create( s_points, 8 );
        joMassData3 mass = joComputeHullMass3( hull, 3.0f ), expected = joComputeBoxMass3( &box, 3.0f );
        double bound = 1e-5 * (double)expected.mass;
        near( mass.mass, (double)expected.mass, bound );
        near( mass.center.x, (double)expected.center.x, 1e-5 );
        near( mass.center.y, (double)expected.center.y, 1e-5 );
        near( mass.center.z, (double)expected.center.z, 1e-5 );
        near( mass.inertiaDiagonal.x, (double)expected.inertiaDiagonal.x, bound );
        near( mass.inertiaDiagonal.y, (double)expected.inertiaDiagonal.y, bound );
        near( mass.inertiaDiagonal.z, (double)expected.inertiaDiagonal.z, bound );
        near( mass.inertiaProducts.x, (double)expected.inertiaProducts.x, bound );
        near( mass.inertiaProducts.y, (double)expected.inertiaProducts.y, bound );
        near( mass.inertiaProducts.z, (double)expected.inertiaProducts.z, bound );
        joDestroyHull3( hull, NULL );
    }
}

static void boundsHoldTheHullAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 300; ++i )
    {
        joHull3* hull = hullMake( (HullSort)( i % hull_sortCount ), hullAnyCount( &random ), &random );
        joTransform3 from = { pairVectorIn( &random, 5.0f ), pairAnyRotation( &random ) };
        joTransform3 to = {
            pairVectorIn( &random, 5.0f ), i % 2 ? from.rotation : pairAnyRotation( &random ) };
        joBounds3 bounds = joComputeHullBounds3( hull, from );
        joBounds3 swept = joComputeHullSweptBounds3( hull, from, to );
        for ( int axis = 0; axis < 3; ++axis )
        {
            float lower = INFINITY, upper = -INFINITY, otherLower = INFINITY, otherUpper = -INFINITY;
            for ( uint32_t k = 0; k < joHull3_GetVertexCount( hull ); ++k )
            {
                joVec3 p = joTransformPoint3( from, joHull3_GetVertex( hull, k ) );
                joVec3 q = joTransformPoint3( to, joHull3_GetVertex( hull, k ) );
                lower = fminf( lower, ( &p.x )[axis] );
                upper = fmaxf( upper, ( &p.x )[axis] );
                otherLower = fminf( otherLower, ( &q.x )[axis] );
                otherUpper = fmaxf( otherUpper, ( &q.x )[axis] );
            }
            float lowest = ( &bounds.lower.x )[axis], highest = ( &bounds.upper.x )[axis];
            assert_true( lowest <= lower && lowest >= lower - 1e-6f );
            assert_true( highest >= upper && highest <= upper + 1e-6f );
            float sweptLower = ( &swept.lower.x )[axis], sweptUpper = ( &swept.upper.x )[axis];
            float least = fminf( lower, otherLower ), most = fmaxf( upper, otherUpper );
            assert_true( sweptLower <= least && ( i % 2 == 0 || sweptLower >= least - 1e-6f ) );
            assert_true( sweptUpper >= most && ( i % 2 == 0 || sweptUpper <= most + 1e-6f ) );
        }
        joDestroyHull3( hull, NULL );
    }
}

static void theSupportPointIsTheFarthestVertex( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 300; ++i )
    {
        joHull3* hull = hullMake( (HullSort)( i % hull_sortCount ), hullAnyCount( &random ), &random );
        joVec3 direction = pairVectorIn( &random, 1.0f );
        double height = heightOver( direction, joFindHullSupport3( hull, direction ) );
        for ( uint32_t k = 0; k < joHull3_GetVertexCount( hull ); ++k )
        {
            assert_true( heightOver( direction, joHull3_GetVertex( hull, k ) ) <= height );
        }
        joDestroyHull3( hull, NULL );
    }
}

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
        TEST( "points on a sphere are all vertices", pointsOnASphereAreAllVertices ),
        TEST( "a turned box of points is a box", aTurnedBoxOfPointsIsABox ),
        TEST( "a prism has two polygons", aPrismHasTwoPolygons ),
        TEST( "no point is left outside", noPointIsLeftOutside ),
        TEST( "many points make a hull", manyPointsMakeAHull ),
        TEST( "40: flat points are refused", flatPointsAreRefused ),
        TEST( "too many corners are refused", tooManyCornersAreRefused ),
        TEST( "bad points are refused with their index", badPointsAreRefusedWithTheirIndex ),
        TEST( "sizes at the limits make hulls", sizesAtTheLimitsMakeHulls ),
        TEST( "a block is relocatable and the same each time", aBlockIsRelocatableAndTheSameEachTime ),
        TEST( "spoilt blocks are refused or safe", spoiltBlocksAreRefusedOrSafe ),
        TEST( "failed allocations leave nothing", failedAllocationsLeaveNothing ),
        TEST( "mass is that of the box", massIsThatOfTheBox ),
        TEST( "bounds hold the hull and no more", boundsHoldTheHullAndNoMore ),
        TEST( "the support point is the farthest vertex", theSupportPointIsTheFarthestVertex ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
