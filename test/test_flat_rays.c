// SPDX-License-Identifier: MIT
// Tests of rays at shapes in 2D, against a search along the ray for where it is on the shape's surface.
#include "test_support.h"

#include "jostle/shapes.h"
#include "reference/flat_reference.h"
#include "support/flat_pair_sets.h"

#include <math.h>

static uint64_t s_seed;

static joRayHit2 castAt( const joShape2* shape, const joTransform2* pose, const joRay* ray )
{
    joRayHit2 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal( joCastRayAtShape2( shape, pose, ray, &hit ), jo_success );
    return hit;
}

static void pointOn( const joRay* ray, double distance, double* x, double* y )
{
    double length = hypot( (double)ray->direction[0], (double)ray->direction[1] );
    *x = (double)ray->origin[0] + distance * (double)ray->direction[0] / length;
    *y = (double)ray->origin[1] + distance * (double)ray->direction[1] / length;
}

static double separationAt( const FlatShape* shape, const joRay* ray, double distance )
{
    FlatShape point = { .count = 1 };
    pointOn( ray, distance, &point.x[0], &point.y[0] );
    return flatSeparation( shape, &point );
}

// Along a ray the separation from a convex shape falls, and then rises. Where it is least.
static double findDeepest( const FlatShape* shape, const joRay* ray )
{
    double from = 0.0, to = (double)ray->length;
    for ( int i = 0; i < 120; ++i )
    {
        double third = ( to - from ) / 3.0, first = from + third, second = to - third;
        bool isFalling = separationAt( shape, ray, first ) > separationAt( shape, ray, second );
        from = isFalling ? first : from;
        to = isFalling ? to : second;
    }
    return 0.5 * ( from + to );
}

static double findEntry( const FlatShape* shape, const joRay* ray, double inside )
{
    double from = 0.0, to = inside;
    for ( int i = 0; i < 80 && separationAt( shape, ray, 0.0 ) > 0.0; ++i )
    {
        double middle = 0.5 * ( from + to );
        *( separationAt( shape, ray, middle ) > 0.0 ? &from : &to ) = middle;
    }
    return from;
}

// Whether the ray hits; what it says is right.
static bool judgeRay( const joShape2* shape, const joTransform2* pose, const joRay* ray )
{
    joRayHit2 hit = castAt( shape, pose, ray );
    FlatShape reference = flatMakeShape( shape, pose );
    double deepest = findDeepest( &reference, ray ), least = separationAt( &reference, ray, deepest );
    bool isHit = isfinite( hit.distance ), isThin = shape->kind == jo_segmentShape2;
    assert_true( isHit || least > ( isThin ? -1.0 : -1e-12 ) );
    if ( !isHit )
    {
        assert_true( hit.distance == INFINITY && hit.normal.x == 0.0f && hit.normal.y == 0.0f );
        assert_true( hit.point.x == 0.0f && hit.point.y == 0.0f );
        return false;
    }
    assert_true( least < 1e-12 && hit.distance <= ray->length );
    double x, y, entry = isThin ? deepest : findEntry( &reference, ray, deepest );
    // A graze goes along the surface.
    double graze = isThin ? 1e-6 : least > -1e-9 ? 1e-4 : 0.0;
    assert_true( fabs( (double)hit.distance - entry ) < 1e-6 + graze );
    pointOn( ray, (double)hit.distance, &x, &y );
    assert_true( hypot( (double)hit.point.x - x, (double)hit.point.y - y ) < 2e-6 );
    double n = hypot( (double)hit.normal.x, (double)hit.normal.y );
    assert_true( fabs( n - ( hit.distance > 0.0f ? 1.0 : 0.0 ) ) < 1e-6 );
    assert_true( hit.normal.x * ray->direction[0] + hit.normal.y * ray->direction[1] <= 1e-6f );
    // Out along the normal.
    FlatShape out = {
        .x = { x + 1e-3 * (double)hit.normal.x }, .y = { y + 1e-3 * (double)hit.normal.y }, .count = 1 };
    assert_true( hit.distance == 0.0f || fabs( flatSeparation( &reference, &out ) - 1e-3 ) < 5e-6 );
    return true;
}

static joRay rayFrom( joVec2 from, joVec2 to, float scale, float length )
{
    return ( joRay ){
        { from.x, from.y, NAN }, { scale * ( to.x - from.x ), scale * ( to.y - from.y ), NAN }, length };
}

static joVec2 anyPoint( uint64_t* random, float size )
{
    joVec2 point = { flatFloatIn( random, -size, size ), 0.0f };
    point.y = flatFloatIn( random, -size, size );
    return point;
}

static void raysMeetTheSurfaceFirst( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0, count = 8000;
    FlatPair pair;
    for ( uint64_t i = 0; i < count; ++i )
    {
        joShapeKind2 kind = i % 4 == 0   ? jo_circleShape2
                            : i % 4 == 1 ? jo_capsuleShape2
                            : i % 4 == 2 ? jo_polygonShape2
                                         : jo_segmentShape2;
        flatMakePair( kind, kind, flat_mixed, &random, &pair );
        joVec2 at = pair.poseA.position, from = anyPoint( &random, 3.0f ), to = anyPoint( &random, 1.0f );
        joRay ray =
            rayFrom( ( joVec2 ){ at.x + from.x, at.y + from.y }, ( joVec2 ){ at.x + to.x, at.y + to.y },
                flatFloatIn( &random, 0.1f, 3.0f ), flatFloatIn( &random, 0.0f, 6.0f ) );
        hits += judgeRay( &pair.a, &pair.poseA, &ray );
    }
    assert_true( hits > count / 4 && hits < count - count / 8 );
}

static joRayHit2 castThrough( const FlatPair* pair, joVec2 from, joVec2 target )
{
    joRay ray = rayFrom( from, target, 1.0f, 100.0f );
    joRayHit2 hit = castAt( &pair->a, &pair->poseA, &ray );
    // The other way, and short of it.
    ray.direction[0] = -ray.direction[0];
    ray.direction[1] = -ray.direction[1];
    assert_true( castAt( &pair->a, &pair->poseA, &ray ).distance == INFINITY );
    ray = rayFrom( from, target, 1.0f, hypotf( target.x - from.x, target.y - from.y ) - 3.0f );
    assert_true( castAt( &pair->a, &pair->poseA, &ray ).distance == INFINITY );
    return hit;
}

static const float s_thin[3] = { 0.0f, 1e-20f, 1e-9f };

static void nothingSlipsThroughPolygons( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( int i = 0; i < 10000; ++i )
    {
        flatMakePair( jo_polygonShape2, jo_circleShape2, flat_mixed, &random, &pair );
        pair.polygonA.radius = s_thin[i % 3];
        joVec2 middle = { 0.0f, 0.0f };
        for ( uint32_t k = 0; k < pair.polygonA.count; ++k )
        {
            middle.x += pair.polygonA.vertices[k].x / (float)pair.polygonA.count;
            middle.y += pair.polygonA.vertices[k].y / (float)pair.polygonA.count;
        }
        joVec2 from = anyPoint( &random, 3.0f ), target = joTransformPoint2( pair.poseA, middle );
        from.x += 20.0f;
        float distance = hypotf( target.x - from.x, target.y - from.y );
        assert_true( castThrough( &pair, from, target ).distance <= distance );
        // Through a corner and the middle, which no rounding keeps apart.
        pair.polygonA = joMakeBox2( flatFloatIn( &random, 0.1f, 1.0f ), flatFloatIn( &random, 0.1f, 1.0f ) );
        pair.polygonA.radius = s_thin[i % 3];
        pair.poseA = joMakeIdentity2();
        joVec2 corner = pair.polygonA.vertices[randomBelow( &random, 4 )];
        from = ( joVec2 ){ 64.0f * corner.x, 64.0f * corner.y };
        distance = 63.0f * hypotf( corner.x, corner.y );
        middle = ( joVec2 ){ 0.0f, 0.0f };
        assert_true( fabsf( castThrough( &pair, from, middle ).distance - distance ) < 1e-4f );
    }
}

static void nothingSlipsThroughSegments( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( int i = 0; i < 10000; ++i )
    {
        flatMakePair( jo_segmentShape2, jo_circleShape2, flat_mixed, &random, &pair );
        joVec2 a = joTransformPoint2( pair.poseA, pair.a.segment.a );
        joVec2 b = joTransformPoint2( pair.poseA, pair.a.segment.b );
        float t = flatFloatIn( &random, 0.01f, 0.99f );
        joVec2 target = { a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ) };
        joVec2 from = anyPoint( &random, 3.0f );
        from.x += 20.0f;
        float across = ( b.x - a.x ) * ( target.y - from.y ) - ( b.y - a.y ) * ( target.x - from.x );
        if ( fabsf( across ) < 1.0f )
        {
            continue; // short, or seen from its end: the rounding of the target decides
        }
        float distance = hypotf( target.x - from.x, target.y - from.y );
        assert_true( fabsf( castThrough( &pair, from, target ).distance - distance ) < 1e-3f );
    }
}

// 32: of no length, along an edge, from inside.
static void specialRaysDoWhatTheHeaderSays( void** state )
{
    (void)state;
    joVec2 zero = { 0.0f, 0.0f }, right = { 1.0f, 0.0f }, far = { 3.0f, 0.0f }, left = { -7.0f, 0.0f };
    joPolygon2 box = joMakeBox2( 1.0f, 1.0f ), rounded = joMakeBox2( 0.75f, 0.75f );
    joPolygon2 needle = joMakeBox2( 1.0f, 0.0f ), point = joMakeBox2( 0.0f, 0.0f );
    rounded.radius = 0.25f;
    point.radius = 1.0f;
    const joShape2 shapes[] = {
        { .kind = jo_circleShape2, .circle = { zero, 1.0f } },
        { .kind = jo_capsuleShape2, .capsule = { { -0.5f, 0.0f }, { 0.5f, 0.0f }, 0.5f } },
        { .kind = jo_polygonShape2, .polygon = &box },
        { .kind = jo_polygonShape2, .polygon = &rounded },
        { .kind = jo_polygonShape2, .polygon = &needle },
        { .kind = jo_polygonShape2, .polygon = &point },
        { .kind = jo_segmentShape2, .segment = { { -1.0f, 0.0f }, { 1.0f, 0.0f } } },
        { .kind = jo_segmentShape2, .segment = { { 1.0f, 0.0f }, { -1.0f, 0.0f } } },
    };
    const joTransform2 pose = joMakeIdentity2();
    for ( size_t i = 0; i < sizeof( shapes ) / sizeof( shapes[0] ); ++i )
    {
        const joShape2* shape = shapes + i;
        // From inside, and from the surface, whatever the direction; of no length.
        const joVec2 within[2] = { zero, right };
        for ( int k = 0; k < 2; ++k )
        {
            joRay ray = { { within[k].x, within[k].y, 0.0f }, { 1.0f, 0.0f, 0.0f }, 5.0f };
            joRayHit2 hit = castAt( shape, &pose, &ray );
            assert_true( hit.distance == 0.0f && hit.normal.x == 0.0f && hit.normal.y == 0.0f );
            assert_true( hit.point.x == within[k].x && hit.point.y == within[k].y );
            ray.direction[0] = -0.5f;
            ray.direction[1] = 3.0f;
            assert_true( castAt( shape, &pose, &ray ).distance == 0.0f );
            ray = ( joRay ){ { within[k].x, within[k].y, 0.0f }, { 0.0f, 0.0f, 0.0f }, 0.0f };
            assert_true( castAt( shape, &pose, &ray ).distance == 0.0f );
        }
        joRay still = { { far.x, far.y, 0.0f }, { 0.0f, 0.0f, 0.0f }, 0.0f };
        assert_true( castAt( shape, &pose, &still ).distance == INFINITY );
        // That ends on the surface, and short of it; whose line meets it behind the start.
        joRay ray = { { far.x, far.y, 0.0f }, { left.x, left.y, 0.0f }, 2.0f };
        joRayHit2 hit = castAt( shape, &pose, &ray );
        assert_true( hit.distance == 2.0f && hit.point.x == 1.0f && hit.normal.x == 1.0f );
        ray.length = 1.9999999f;
        assert_true( castAt( shape, &pose, &ray ).distance == INFINITY );
        ray.length = INFINITY;
        assert_true( castAt( shape, &pose, &ray ).distance == 2.0f );
        ray.direction[0] = 7.0f;
        assert_true( castAt( shape, &pose, &ray ).distance == INFINITY );
    }
}

// Nearer to a face than the rounding of a distance along it.
static void raysFromBesideAFaceEnterIt( void** state )
{
    (void)state;
    static const float heights[4] = { 0x1p-149f, 1e-30f, 1e-21f, 1e-18f };
    uint64_t random = s_seed;
    const joTransform2 pose = joMakeIdentity2();
    for ( int i = 0; i < 4000; ++i )
    {
        const joVec2 corners[3] = { { flatFloatIn( &random, -9.0f, -1.0f ), 0.0f },
            { flatFloatIn( &random, 1.0f, 99.0f ), 0.0f }, { 0.0f, flatFloatIn( &random, 1.0f, 9.0f ) } };
        joPolygon2 triangle;
        assert_int_equal( joMakePolygon2( corners, 3, 0.0f, &triangle, NULL ), jo_success );
        const joShape2 shape = { .kind = jo_polygonShape2, .polygon = &triangle };
        const joVec2 from = { flatFloatIn( &random, -0.5f, 0.5f ), -heights[i % 4] };
        const joVec2 to = { flatFloatIn( &random, -0.3f, 0.3f ), 0.5f };
        const joRay ray = rayFrom( from, to, 1.0f, 100.0f );
        assert_true( castAt( &shape, &pose, &ray ).distance < 1e-6f );
    }
}

// So far away that its corners are one in a double.
static void raysBesideATinyPolygonMissIt( void** state )
{
    (void)state;
    const joTransform2 pose = joMakeIdentity2();
    for ( float size = 1e-40f; size < 1e-3f; size *= 10.0f )
    {
        const joPolygon2 box = joMakeBox2( size, 0.5f * size );
        const joShape2 shape = { .kind = jo_polygonShape2, .polygon = &box };
        const joVec2 from = { -5.375f, 1.25f }, beside = { 1.0f, 1.25f }, center = { 0.0f, 0.0f };
        joRay ray = rayFrom( from, beside, 1.0f, 100.0f );
        assert_true( isinf( castAt( &shape, &pose, &ray ).distance ) );
        ray = rayFrom( from, center, 1.0f, 100.0f );
        const joRayHit2 hit = castAt( &shape, &pose, &ray );
        assert_true( isinf( hit.distance ) || ( hit.distance > 5.5f && hit.distance < 5.6f ) );
    }
}

static void raysAlongAnEdgeHitIt( void** state )
{
    (void)state;
    joPolygon2 box = joMakeBox2( 1.0f, 1.0f ), rounded = joMakeBox2( 0.75f, 0.75f );
    rounded.radius = 0.25f;
    const joTransform2 pose = joMakeIdentity2();
    const joShape2 sharp = { .kind = jo_polygonShape2, .polygon = &box };
    const joShape2 round = { .kind = jo_polygonShape2, .polygon = &rounded };
    joRay along = { { 3.0f, 1.0f, 0.0f }, { -1.0f, 0.0f, 0.0f }, 5.0f };
    joRayHit2 hit = castAt( &sharp, &pose, &along );
    assert_true( hit.distance == 2.0f && hit.normal.x == 1.0f && hit.normal.y == 0.0f );
    assert_true( fabsf( castAt( &round, &pose, &along ).distance - 2.25f ) < 1e-6f );
    along.origin[1] = 1.0000001f;
    assert_true( castAt( &sharp, &pose, &along ).distance == INFINITY );
    assert_true( castAt( &round, &pose, &along ).distance == INFINITY );
    // Over a corner.
    joRay corner = { { 0.0f, 2.0f, 0.0f }, { 1.0f, -1.0f, 0.0f }, 5.0f };
    hit = castAt( &sharp, &pose, &corner );
    assert_true( hit.point.x == 1.0f && hit.point.y == 1.0f && hit.normal.y == 1.0f );
    // Within a segment's line, from both ends and from inside; and beside it.
    const joShape2 segment = { .kind = jo_segmentShape2, .segment = { { -1.0f, 1.0f }, { 1.0f, 1.0f } } };
    along.origin[1] = 1.0f;
    hit = castAt( &segment, &pose, &along );
    assert_true( hit.distance == 2.0f && hit.normal.x == 1.0f && hit.normal.y == 0.0f );
    along.origin[0] = -3.0f;
    assert_true( castAt( &segment, &pose, &along ).distance == INFINITY );
    along.origin[0] = 0.5f;
    assert_true( castAt( &segment, &pose, &along ).distance == 0.0f );
    // At its very end, from above and below.
    for ( int side = -1; side <= 1; side += 2 )
    {
        joRay down = { { 1.0f, 1.0f + (float)side, 0.0f }, { 0.0f, (float)-side, 0.0f }, 5.0f };
        hit = castAt( &segment, &pose, &down );
        assert_true( hit.distance == 1.0f && hit.normal.y == (float)side && hit.normal.x == 0.0f );
        down.origin[0] = 1.0000001f;
        assert_true( castAt( &segment, &pose, &down ).distance == INFINITY );
    }
}

static void theCallsOfTheKindsSayTheSame( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    FlatPair pair;
    for ( int i = 0; i < 2000; ++i )
    {
        flatMakePair( jo_polygonShape2, jo_segmentShape2, flat_mixed, &random, &pair );
        joVec2 from = anyPoint( &random, 6.0f );
        joRay ray = rayFrom( from, pair.poseA.position, 1.0f, 20.0f );
        joRayHit2 expected = castAt( &pair.a, &pair.poseA, &ray ), hit;
        assert_int_equal( joCastRayAtPolygon2( pair.a.polygon, &pair.poseA, &ray, &hit ), jo_success );
        assert_memory_equal( &hit, &expected, sizeof( hit ) );
        expected = castAt( &pair.b, &pair.poseB, &ray );
        assert_int_equal( joCastRayAtSegment2( &pair.b.segment, &pair.poseB, &ray, &hit ), jo_success );
        assert_memory_equal( &hit, &expected, sizeof( hit ) );
    }
    joRayHit2 hit;
    joRay ray = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f };
    assert_int_equal( joCastRayAtPolygon2( NULL, &pair.poseA, &ray, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtSegment2( NULL, &pair.poseA, &ray, &hit ), jo_errorNullArgument );
}

static void badRaysAreRefused( void** state )
{
    (void)state;
    joShape2 shape = { .kind = jo_segmentShape2, .segment = { { -1.0f, 0.0f }, { 1.0f, 0.0f } } };
    joTransform2 pose = joMakeIdentity2();
    const struct
    {
        joRay ray;
        joResult expected;
    } cases[] = {
        { { { NAN, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f }, jo_errorNotANumber },
        { { { 0.0f, INFINITY, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, -INFINITY, 0.0f }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, -1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, NAN }, jo_errorNotANumber },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        joRayHit2 hit = { .distance = 0.0f };
        assert_int_equal( joCastRayAtShape2( &shape, &pose, &cases[i].ray, &hit ), cases[i].expected );
        assert_true( hit.distance == INFINITY );
    }
    joRayHit2 hit;
    joRay ray = { { 0.0f, 1.0f, 0.0f }, { 0.0f, -1.0f, 0.0f }, 2.0f };
    assert_int_equal( joCastRayAtShape2( &shape, &pose, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtShape2( &shape, &pose, &ray, NULL ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtShape2( NULL, &pose, &ray, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtShape2( &shape, NULL, &ray, &hit ), jo_errorNullArgument );
    pose.rotation = ( joRot2 ){ 0.0f, 0.0f };
    assert_int_equal( joCastRayAtShape2( &shape, &pose, &ray, &hit ), jo_errorBadPose );
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
        TEST( "rays meet the surface first", raysMeetTheSurfaceFirst ),
        TEST( "nothing slips through polygons", nothingSlipsThroughPolygons ),
        TEST( "nothing slips through segments", nothingSlipsThroughSegments ),
        TEST( "32: special rays do what the header says", specialRaysDoWhatTheHeaderSays ),
        TEST( "rays from beside a face enter it", raysFromBesideAFaceEnterIt ),
        TEST( "rays beside a tiny polygon miss it", raysBesideATinyPolygonMissIt ),
        TEST( "32: rays along an edge hit it", raysAlongAnEdgeHitIt ),
        TEST( "the calls of the kinds say the same", theCallsOfTheKindsSayTheSame ),
        TEST( "bad rays are refused", badRaysAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
