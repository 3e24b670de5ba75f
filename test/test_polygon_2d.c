// SPDX-License-Identifier: MIT
// Tests of polygons and segments in 2D: building, checks, bounds, support points.
#include "test_support.h"

#include "jostle/shapes_2d.h"
#include "reference/flat_reference.h"
#include "support/flat_pair_sets.h"

#include <math.h>

static uint64_t s_seed;

static double crossOf( joVec2 a, joVec2 b, joVec2 c )
{
    return ( (double)b.x - (double)a.x ) * ( (double)c.y - (double)a.y ) -
           ( (double)b.y - (double)a.y ) * ( (double)c.x - (double)a.x );
}

static joVec2 vertexOf( const joPolygon2* polygon, uint32_t i )
{
    return polygon->vertices[i % polygon->count];
}

// How far a point is outside of the polygon's edges; negative inside.
static double outsideOf( const joPolygon2* polygon, joVec2 point )
{
    double most = -INFINITY;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        joVec2 a = polygon->vertices[i], b = vertexOf( polygon, i + 1 );
        double length = hypot( (double)b.x - (double)a.x, (double)b.y - (double)a.y );
        most = fmax( most, -crossOf( a, b, point ) / length );
    }
    return most;
}

static void checkBuilt( const joPolygon2* polygon, const joVec2* points, uint32_t count, double size )
{
    assert_int_equal( joCheckPolygon2( polygon ), jo_success );
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        joVec2 a = polygon->vertices[i], b = vertexOf( polygon, i + 1 ), n = polygon->normals[i];
        assert_true( crossOf( a, b, vertexOf( polygon, i + 2 ) ) > 0.0 );
        double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, length = hypot( x, y );
        assert_true( fabs( (double)n.x - y / length ) < 1e-7 && fabs( (double)n.y + x / length ) < 1e-7 );
        bool isPoint = false;
        for ( uint32_t k = 0; k < count; ++k )
        {
            isPoint = isPoint || ( points[k].x == a.x && points[k].y == a.y );
        }
        assert_true( isPoint );
        // The leftmost comes first.
        assert_true( a.x >= polygon->vertices[0].x );
    }
    for ( uint32_t k = 0; k < count; ++k )
    {
        assert_true( outsideOf( polygon, points[k] ) <= 4e-6 * size );
    }
}

static void whatIsBuiltIsConvexAndHoldsAllPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    enum
    {
        most = 60
    };
    uint32_t built = 0;
    for ( int i = 0; i < 20000; ++i )
    {
        joVec2 points[most];
        uint32_t count = 3 + randomBelow( &random, most - 2 );
        float size = powf( 10.0f, flatFloatIn( &random, -3.0f, 3.0f ) );
        float offset = i % 5 == 0 ? 100.0f * size : 0.0f;
        int form = i % 4;
        for ( uint32_t k = 0; k < count; ++k )
        {
            // Any, on a lattice, on few spots, all but in one line.
            joVec2 p = { flatFloatIn( &random, -1.0f, 1.0f ), flatFloatIn( &random, -1.0f, 1.0f ) };
            if ( form == 1 )
            {
                p = ( joVec2 ){ floorf( 3.0f * p.x ), floorf( 3.0f * p.y ) };
            }
            else if ( form == 2 && k >= 5 )
            {
                p = points[k % 5];
                p = ( joVec2 ){ ( p.x - offset ) / size, ( p.y - offset ) / size };
                p.x += flatFloatIn( &random, -1e-6f, 1e-6f );
            }
            else if ( form == 3 )
            {
                p.y = 0.5f * p.x + p.y * powf( 10.0f, flatFloatIn( &random, -8.0f, -2.0f ) );
            }
            points[k] = ( joVec2 ){ offset + size * p.x, offset + size * p.y };
        }
        joPolygon2 polygon;
        uint32_t bad = 7;
        joResult result = joMakePolygon2( points, count, 0.25f, &polygon, &bad );
        if ( result == jo_success )
        {
            built += 1;
            assert_int_equal( bad, JO_NULL_INDEX );
            assert_true( polygon.radius == 0.25f );
            checkBuilt( &polygon, points, count, 2.0 * (double)size );
        }
        else if ( result == jo_errorBadCount )
        {
            assert_in_range( bad, 0, count - 1 );
        }
        else
        {
            assert_int_equal( result, jo_errorBadShape );
            assert_int_equal( bad, JO_NULL_INDEX );
        }
    }
    assert_true( built > 15000 );
}

// 39: points in one line; and repeated ones, and fewer than a polygon needs.
static void pointsThatMakeNoPolygonAreRefused( void** state )
{
    (void)state;
    static const joVec2 inLine[4] = { { 0, 0 }, { 10, 10 }, { 5, 5 }, { 3, 3 } };
    static const joVec2 repeated[5] = { { 1, 2 }, { 1, 2 }, { 4, 6 }, { 4, 6 }, { 1, 2 } };
    static const joVec2 oneSpot[3] = { { 1, 2 }, { 1, 2 }, { 1, 2 } };
    static const joVec2 flat[4] = { { 0, 0 }, { 1000, 0 }, { 500, 5e-4f }, { 200, -1e-4f } };
    joPolygon2 polygon, before;
    memset( &polygon, 0xCD, sizeof( polygon ) );
    before = polygon;
    uint32_t bad = 7;
    assert_int_equal( joMakePolygon2( inLine, 4, 0.0f, &polygon, &bad ), jo_errorBadShape );
    assert_int_equal( joMakePolygon2( repeated, 5, 0.0f, &polygon, &bad ), jo_errorBadShape );
    assert_int_equal( joMakePolygon2( oneSpot, 3, 0.0f, &polygon, &bad ), jo_errorBadShape );
    assert_int_equal( joMakePolygon2( flat, 4, 0.0f, &polygon, &bad ), jo_errorBadShape );
    assert_int_equal( bad, JO_NULL_INDEX );
    assert_int_equal( joMakePolygon2( inLine, 2, 0.0f, &polygon, &bad ), jo_errorBadCount );
    assert_int_equal( joMakePolygon2( NULL, 3, 0.0f, &polygon, NULL ), jo_errorNullArgument );
    assert_int_equal( joMakePolygon2( inLine, 4, 0.0f, NULL, NULL ), jo_errorNullArgument );
    assert_memory_equal( &polygon, &before, sizeof( before ) );
}

static void badPointsAreNamed( void** state )
{
    (void)state;
    static const struct
    {
        float value;
        joResult asCoordinate, asRadius;
    } cases[] = {
        { NAN, jo_errorNotANumber, jo_errorNotANumber },
        { INFINITY, jo_errorBadShape, jo_errorBadShape },
        { -2.0f * JO_MAX_SIZE, jo_errorBadShape, jo_errorBadShape },
        { -1e-30f, jo_success, jo_errorBadShape },
        { JO_MAX_SIZE, jo_success, jo_success },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        joVec2 points[4] = { { -1.0f, -1.0f }, { 1.0f, -1.0f }, { 1.0f, 1.0f }, { -1.0f, 2.0f } };
        joPolygon2 polygon;
        uint32_t bad = 7;
        assert_int_equal( joMakePolygon2( points, 4, cases[i].value, &polygon, &bad ), cases[i].asRadius );
        assert_int_equal( bad, JO_NULL_INDEX );
        points[2].y = cases[i].value;
        points[3].x = cases[i].value;
        assert_int_equal( joMakePolygon2( points, 4, 0.0f, &polygon, &bad ), cases[i].asCoordinate );
        assert_int_equal( bad, cases[i].asCoordinate ? 2 : JO_NULL_INDEX );
        joSegment2 segment = { { 0.0f, 0.0f }, { 1.0f, cases[i].value } };
        assert_int_equal( joCheckSegment2( &segment ), cases[i].asCoordinate );
    }
}

static void sixteenVerticesAreAllowedAndNoMore( void** state )
{
    (void)state;
    for ( uint32_t count = 16; count <= 300; count += count == 16 ? 1 : 283 )
    {
        joVec2 points[300];
        for ( uint32_t i = 0; i < count; ++i )
        {
            float angle = 6.2831853f * (float)i / (float)count;
            points[i] = ( joVec2 ){ 2.0f * cosf( angle ), sinf( angle ) };
        }
        joPolygon2 polygon;
        uint32_t bad = 7;
        joResult result = joMakePolygon2( points, count, 0.0f, &polygon, &bad );
        assert_int_equal( result, count == 16 ? jo_success : jo_errorBadCount );
        assert_true( count == 16 ? polygon.count == 16 && bad == JO_NULL_INDEX : bad < count );
    }
}

static void whatIsNoPolygonIsRefused( void** state )
{
    (void)state;
    joPolygon2 good = joMakeBox2( 1.0f, 2.0f ), bad;
    assert_int_equal( joCheckPolygon2( &good ), jo_success );
    assert_int_equal( joCheckPolygon2( NULL ), jo_errorNullArgument );
    for ( int i = 0; i < 11; ++i )
    {
        bad = good;
        switch ( i )
        {
            case 0: // not convex
                bad.vertices[2] = ( joVec2 ){ -0.5f, 0.0f };
                break;
            case 1: // clockwise
                bad.vertices[1] = good.vertices[3];
                bad.vertices[3] = good.vertices[1];
                break;
            case 2:
                bad.normals[1].x = 0.5f;
                break;
            case 3:
                bad.normals[1] = ( joVec2 ){ -1.0f, 0.0f };
                break;
            case 4:
                bad.count = 0;
                break;
            case 5:
                bad.count = JO_MAX_POLYGON_VERTICES + 1;
                break;
            case 6:
                bad.radius = -1.0f;
                break;
            case 7:
                bad.center.x = 3.0f;
                break;
            case 8:
                bad.extent = 1.0f;
                break;
            case 9: // repeated
                bad.vertices[1] = bad.vertices[0];
                break;
            default: // a vertex less, but the normals of four
                bad.count = 3;
                break;
        }
        if ( joCheckPolygon2( &bad ) != jo_errorBadShape )
        {
            fail_msg( "fault %d is let pass", i );
        }
    }
    // Goes round twice.
    bad = ( joPolygon2 ){ .count = 5, .extent = 1.0f };
    for ( int i = 0; i < 5; ++i )
    {
        float angle = 2.5132741f * (float)i, middle = angle + 1.2566371f;
        bad.vertices[i] = ( joVec2 ){ cosf( angle ), sinf( angle ) };
        bad.normals[i] = ( joVec2 ){ cosf( middle ), sinf( middle ) };
    }
    assert_int_equal( joCheckPolygon2( &bad ), jo_errorBadShape );
    good.radius = NAN;
    assert_int_equal( joCheckPolygon2( &good ), jo_errorNotANumber );
}

static joTransform2 anyPose( uint64_t* random )
{
    return ( joTransform2 ){ { flatFloatIn( random, -9.0f, 9.0f ), flatFloatIn( random, -9.0f, 9.0f ) },
        joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
}

static void boundsHoldAllOfItAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 5000; ++i )
    {
        joPolygon2 polygon = flatAnyPolygon( &random );
        joShape2 shape = { .kind = jo_polygonShape2, .polygon = &polygon };
        joTransform2 from = anyPose( &random ), to = anyPose( &random );
        bool turns = i % 2 == 0;
        to.rotation = turns ? to.rotation : from.rotation;
        joBounds2 bounds = joComputeShapeBounds2( &shape, from );
        joBounds2 swept = joComputeShapeSweptBounds2( &shape, from, to );
        joBounds2 all = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
        for ( uint32_t k = 0; k < polygon.count; ++k )
        {
            joVec2 p = joTransformPoint2( from, polygon.vertices[k] );
            all.lower = ( joVec2 ){ fminf( all.lower.x, p.x ), fminf( all.lower.y, p.y ) };
            all.upper = ( joVec2 ){ fmaxf( all.upper.x, p.x ), fmaxf( all.upper.y, p.y ) };
            for ( int step = 0; step <= 4; ++step )
            {
                float t = 0.25f * (float)step;
                joTransform2 between = turns ? anyPose( &random ) : from;
                between.position = ( joVec2 ){ from.position.x + t * ( to.position.x - from.position.x ),
                    from.position.y + t * ( to.position.y - from.position.y ) };
                p = joTransformPoint2( between, polygon.vertices[k] );
                float r = polygon.radius;
                assert_true( p.x - r >= swept.lower.x - 5e-6f && p.x + r <= swept.upper.x + 5e-6f );
                assert_true( p.y - r >= swept.lower.y - 5e-6f && p.y + r <= swept.upper.y + 5e-6f );
            }
        }
        assert_true( fabsf( all.lower.x - polygon.radius - bounds.lower.x ) < 5e-6f );
        assert_true( fabsf( all.lower.y - polygon.radius - bounds.lower.y ) < 5e-6f );
        assert_true( fabsf( all.upper.x + polygon.radius - bounds.upper.x ) < 5e-6f );
        assert_true( fabsf( all.upper.y + polygon.radius - bounds.upper.y ) < 5e-6f );
    }
    joSegment2 segment = { { 1.0f, 2.0f }, { 3.0f, -1.0f } };
    joBounds2 bounds = joComputeSegmentBounds2( &segment, joMakeIdentity2() );
    assert_true( bounds.lower.x == 1.0f && bounds.lower.y == -1.0f );
    assert_true( bounds.upper.x == 3.0f && bounds.upper.y == 2.0f );
}

static void theSupportPointIsTheFarthest( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 5000; ++i )
    {
        joPolygon2 polygon = flatAnyPolygon( &random );
        joVec2 d = { flatFloatIn( &random, -1.0f, 1.0f ), flatFloatIn( &random, -1.0f, 1.0f ) };
        joVec2 support = joFindPolygonSupport2( &polygon, d );
        float farthest = -INFINITY;
        for ( uint32_t k = 0; k < polygon.count; ++k )
        {
            farthest = fmaxf( farthest, polygon.vertices[k].x * d.x + polygon.vertices[k].y * d.y );
        }
        float along = support.x * d.x + support.y * d.y;
        assert_true( fabsf( along - farthest - polygon.radius * hypotf( d.x, d.y ) ) < 3e-6f );
        assert_true( fabs( outsideOf( &polygon, support ) ) <= (double)polygon.radius + 1e-6 );
    }
    joSegment2 segment = { { 1.0f, 2.0f }, { 3.0f, -1.0f } };
    joVec2 support = joFindSegmentSupport2( &segment, ( joVec2 ){ 0.1f, 1.0f } );
    assert_true( support.x == 1.0f && support.y == 2.0f );
}

// Against the sum over a fine lattice of points.
static void massAndInertiaAreThoseOfItsPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    enum
    {
        steps = 160
    };
    for ( int i = 0; i < 12; ++i )
    {
        joPolygon2 polygon = flatAnyPolygon( &random );
        polygon = i == 0 ? joMakeBox2( 0.0f, 0.7f ) : i == 1 ? joMakeBox2( 0.0f, 0.0f ) : polygon;
        polygon.radius = i % 3 == 2 ? 0.0f : flatFloatIn( &random, 0.1f, 0.5f );
        joTransform2 pose = joMakeIdentity2();
        joShape2 shape = { .kind = jo_polygonShape2, .polygon = &polygon };
        joMassData2 data = joComputePolygonMass2( &polygon, 3.0f );
        assert_true( fabsf( data.mass - 3.0f * joComputePolygonArea2( &polygon ) ) < 1e-5f );
        FlatShape flat = flatMakeShape( &shape, &pose );
        joBounds2 bounds = joComputePolygonBounds2( &polygon, pose );
        double width = (double)bounds.upper.x - (double)bounds.lower.x;
        double height = (double)bounds.upper.y - (double)bounds.lower.y;
        double cell = width * height / (double)( steps * steps ), sums[4] = { 0 };
        for ( int k = 0; k < steps * steps; ++k )
        {
            double x = (double)bounds.lower.x + ( (double)( k % steps ) + 0.5 ) / (double)steps * width;
            double y = (double)bounds.lower.y + ( (double)( k / steps ) + 0.5 ) / (double)steps * height;
            if ( flatDistanceToPoint( &flat, x, y ) == 0.0 )
            {
                sums[0] += cell;
                sums[1] += cell * x;
                sums[2] += cell * y;
                double fromX = x - (double)data.center.x, fromY = y - (double)data.center.y;
                sums[3] += cell * ( fromX * fromX + fromY * fromY );
            }
        }
        double mass = (double)data.mass;
        assert_true( fabs( mass - 3.0 * sums[0] ) < 0.01 * mass );
        assert_true( fabs( (double)data.center.x - sums[1] / sums[0] ) < 2e-3 );
        assert_true( fabs( (double)data.center.y - sums[2] / sums[0] ) < 2e-3 );
        assert_true( fabs( (double)data.inertia - 3.0 * sums[3] ) < 0.02 * (double)data.inertia );
    }
}

static void massIsExactWhereItCanBe( void** state )
{
    (void)state;
    joPolygon2 box = joMakeBox2( 2.0f, 1.0f ), point = joMakeBox2( 0.0f, 0.0f );
    joMassData2 data = joComputePolygonMass2( &box, 0.5f );
    assert_true( data.mass == 4.0f && data.center.x == 0.0f && data.inertia == 20.0f / 3.0f );
    point.radius = 2.0f;
    data = joComputePolygonMass2( &point, 1.0f );
    assert_true( fabsf( data.mass - 12.566371f ) < 2e-6f && fabsf( data.inertia - 25.132741f ) < 4e-6f );
    // The corners of a rounded box make a circle.
    box.radius = 1.0f;
    assert_true( fabsf( joComputePolygonArea2( &box ) - ( 8.0f + 12.0f + 3.14159265f ) ) < 4e-6f );
    point.radius = 0.0f;
    data = joComputePolygonMass2( &point, 1.0f );
    assert_true( data.mass == 0.0f && data.inertia == 0.0f && data.center.x == 0.0f );
}

static void anyShapeHasTheMassOfItsKind( void** state )
{
    (void)state;
    joPolygon2 polygon = joMakeBox2( 2.0f, 0.5f );
    const joShape2 shapes[4] = {
        { .kind = jo_circleShape2, .circle = { { 1.0f, 2.0f }, 0.5f } },
        { .kind = jo_capsuleShape2, .capsule = { { -1.0f, 0.0f }, { 1.0f, 3.0f }, 0.25f } },
        { .kind = jo_polygonShape2, .polygon = &polygon },
        { .kind = jo_segmentShape2, .segment = { { -1.0f, 0.0f }, { 1.0f, 3.0f } } },
    };
    const float areas[4] = { joComputeCircleArea2( &shapes[0].circle ),
        joComputeCapsuleArea2( &shapes[1].capsule ), joComputePolygonArea2( &polygon ), 0.0f };
    const joMassData2 masses[4] = { joComputeCircleMass2( &shapes[0].circle, 3.0f ),
        joComputeCapsuleMass2( &shapes[1].capsule, 3.0f ), joComputePolygonMass2( &polygon, 3.0f ),
        { .mass = 0.0f } };
    const joVec2 d = { 1.0f, 0.5f };
    const joVec2 supports[4] = { joFindCircleSupport2( &shapes[0].circle, d ),
        joFindCapsuleSupport2( &shapes[1].capsule, d ), joFindPolygonSupport2( &polygon, d ),
        joFindSegmentSupport2( &shapes[3].segment, d ) };
    for ( int i = 0; i < 4; ++i )
    {
        joMassData2 mass = joComputeShapeMass2( shapes + i, 3.0f );
        joVec2 support = joFindShapeSupport2( shapes + i, d );
        assert_true( joComputeShapeArea2( shapes + i ) == areas[i] );
        assert_memory_equal( &mass, masses + i, sizeof( mass ) );
        assert_memory_equal( &support, supports + i, sizeof( support ) );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "what is built is convex and holds all points", whatIsBuiltIsConvexAndHoldsAllPoints ),
        TEST( "39: points that make no polygon are refused", pointsThatMakeNoPolygonAreRefused ),
        TEST( "bad points are named", badPointsAreNamed ),
        TEST( "sixteen vertices are allowed and no more", sixteenVerticesAreAllowedAndNoMore ),
        TEST( "what is no polygon is refused", whatIsNoPolygonIsRefused ),
        TEST( "bounds hold all of it and no more", boundsHoldAllOfItAndNoMore ),
        TEST( "mass and inertia are those of its points", massAndInertiaAreThoseOfItsPoints ),
        TEST( "mass is exact where it can be", massIsExactWhereItCanBe ),
        TEST( "the support point is the farthest", theSupportPointIsTheFarthest ),
        TEST( "any shape has the mass of its kind", anyShapeHasTheMassOfItsKind ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
