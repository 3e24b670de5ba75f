// SPDX-License-Identifier: MIT
// Tests of rays at shapes, against how far points of the ray are from the shape.
#include "test_support.h"

#include "jostle/shapes.h"
#include "reference/round_reference.h"
#include "support/box_pair_sets.h"

#include <math.h>

static uint64_t s_seed;

// How far a point is out of a shape; at most 0 within it.
static double distanceTo( const joShape3* shape, const joTransform3* pose, const double point[3] )
{
    if ( shape->kind == jo_boxShape3 )
    {
        SatBox box = satMakeBox( &shape->box, pose );
        return satDistanceToPoint( &box, point );
    }
    if ( shape->kind == jo_halfSpaceShape3 )
    {
        joVec3 n = joRotateVec3( pose->rotation, shape->halfSpace.normal );
        double length =
            sqrt( (double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z );
        double height = -(double)shape->halfSpace.offset;
        for ( int k = 0; k < 3; ++k )
        {
            height += ( point[k] - (double)( &pose->position.x )[k] ) * (double)( &n.x )[k] / length;
        }
        return height;
    }
    RoundCore core = roundMakeCore3( shape, pose );
    return roundDistanceToPoint( &core, point ) - core.radius;
}

static joShape3 anyShape( uint32_t kind, uint64_t* random )
{
    joVec3 a = pairVectorIn( random, 1.0f ), b = pairVectorIn( random, 1.0f );
    float radius = pairFloatIn( random, 0.05f, 0.7f );
    switch ( kind )
    {
        case 0:
            return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { a, radius } };
        case 1:
            return ( joShape3 ){ .kind = jo_capsuleShape3, .capsule = { a, b, radius } };
        case 2:
            return ( joShape3 ){ .kind = jo_halfSpaceShape3, .halfSpace = { b, radius } };
        default:
            break;
    }
    joBox3 box = joMakeBox3( radius, fabsf( b.x ), fabsf( b.y ) );
    box.localPose = ( joTransform3 ){ a, pairAnyRotation( random ) };
    return ( joShape3 ){ .kind = jo_boxShape3, .box = box };
}

static void along( const joRay* ray, double distance, double out[3] )
{
    double length = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        length += (double)ray->direction[k] * (double)ray->direction[k];
    }
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = (double)ray->origin[k] +
                 ( length > 0.0 ? distance / sqrt( length ) : 0.0 ) * (double)ray->direction[k];
    }
}

static bool judgeRay( const joShape3* shape, const joTransform3* pose, const joRay* ray )
{
    joRayHit3 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal( joCastRayAtShape3( shape, pose, ray, &hit ), jo_success );
    bool isHit = isfinite( hit.distance );
    double point[3], end = isHit ? (double)hit.distance : (double)ray->length;
    for ( int step = 0; step < 32; ++step )
    {
        along( ray, end * (double)step / 32.0, point );
        assert_true( end == 0.0 || distanceTo( shape, pose, point ) > -2e-6 );
    }
    if ( !isHit )
    {
        along( ray, end, point );
        assert_true( distanceTo( shape, pose, point ) > -2e-6 );
        assert_true( hit.normal.x == 0.0f && hit.normal.y == 0.0f && hit.normal.z == 0.0f );
        return false;
    }
    assert_true( hit.distance <= ray->length );
    along( ray, end, point );
    assert_true( distanceTo( shape, pose, point ) < 2e-6 );
    double length = 0.0, against = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        assert_true( fabs( point[k] - (double)( &hit.point.x )[k] ) < 2e-6 );
        double part = (double)( &hit.normal.x )[k];
        length += part * part;
        against += part * (double)ray->direction[k];
        point[k] += 1e-3 * part;
    }
    assert_true( fabs( length - ( hit.distance > 0.0f ? 1.0 : 0.0 ) ) < 1e-6 && against <= 1e-6 );
    // Out along the normal.
    assert_true( hit.distance == 0.0f || fabs( distanceTo( shape, pose, point ) - 1e-3 ) < 5e-6 );
    return true;
}

static void raysMeetTheSurfaceFirst( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0;
    for ( uint32_t i = 0; i < 40000; ++i )
    {
        joShape3 shape = anyShape( i % 4, &random );
        joTransform3 pose = { pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        joVec3 from = pairVectorIn( &random, 3.0f ), to = pairVectorIn( &random, 1.0f );
        float scale = pairFloatIn( &random, 0.1f, 3.0f );
        joRay ray = { { from.x, from.y, from.z },
            { scale * ( to.x - from.x ), scale * ( to.y - from.y ), scale * ( to.z - from.z ) },
            pairFloatIn( &random, 0.0f, 6.0f ) };
        ray.length = i % 16 == 0 ? 0.0f : ray.length;
        hits += judgeRay( &shape, &pose, &ray );
    }
    assert_true( hits > 10000 && hits < 35000 );
}

static joRayHit3 castAt( const joShape3* shape, joVec3 origin, joVec3 direction, float length )
{
    joTransform3 pose = joMakeIdentity3();
    joRay ray = { { origin.x, origin.y, origin.z }, { direction.x, direction.y, direction.z }, length };
    joRayHit3 hit;
    assert_int_equal( joCastRayAtShape3( shape, &pose, &ray, &hit ), jo_success );
    return hit;
}

// 32: of no length, along an edge, from inside.
static void specialRaysDoWhatTheHeaderSays( void** state )
{
    (void)state;
    joVec3 zero = { 0.0f, 0.0f, 0.0f }, right = { 1.0f, 0.0f, 0.0f }, far = { 3.0f, 0.0f, 0.0f };
    const joShape3 shapes[] = {
        { .kind = jo_sphereShape3, .sphere = { zero, 1.0f } },
        { .kind = jo_capsuleShape3, .capsule = { { -0.5f, 0.0f, 0.0f }, { 0.5f, 0.0f, 0.0f }, 0.5f } },
        { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 1.0f, 1.0f ) },
        { .kind = jo_halfSpaceShape3, .halfSpace = { right, 1.0f } },
    };
    for ( size_t i = 0; i < 4; ++i )
    {
        // From inside, and from the surface, whatever the direction; of no length.
        assert_true( castAt( shapes + i, zero, right, 5.0f ).distance == 0.0f );
        assert_true( castAt( shapes + i, right, right, 5.0f ).distance == 0.0f );
        assert_true( castAt( shapes + i, zero, zero, 0.0f ).distance == 0.0f );
        assert_true( castAt( shapes + i, right, zero, 0.0f ).distance == 0.0f );
        assert_true( isinf( castAt( shapes + i, far, zero, 0.0f ).distance ) );
        // That ends on the surface, and short of it.
        joVec3 left = { -7.0f, 0.0f, 0.0f };
        joRayHit3 hit = castAt( shapes + i, far, left, 2.0f );
        assert_true( hit.distance == 2.0f && hit.point.x == 1.0f && hit.normal.x == 1.0f );
        assert_true( isinf( castAt( shapes + i, far, left, 1.9999999f ).distance ) );
        assert_true( castAt( shapes + i, far, left, INFINITY ).distance == 2.0f );
    }
    // Along a face and along an edge of the box, and beside it.
    joVec3 alongFace = { 3.0f, 1.0f, 0.5f }, alongEdge = { 3.0f, 1.0f, 1.0f },
           beside = { 3.0f, 1.0000001f, 1.0f };
    joVec3 left = { -1.0f, 0.0f, 0.0f };
    assert_true( castAt( shapes + 2, alongFace, left, 5.0f ).distance == 2.0f );
    assert_true( castAt( shapes + 2, alongEdge, left, 5.0f ).distance == 2.0f );
    assert_true( isinf( castAt( shapes + 2, beside, left, 5.0f ).distance ) );
    // A capsule so long and thin that the side of the ray on which it lies is lost in rounding.
    const joShape3 thread = { .kind = jo_capsuleShape3,
        .capsule = { { 520.0f, 0.0f, 3.1875f }, { 106954752.0f, 0.0f, 0.0f }, 2.85217538e-9f } };
    assert_true( castAt( &thread, zero, right, INFINITY ).normal.x <= 0.0f );
    // From so near that the distance, half of the least float, is none.
    const joShape3 slope = { .kind = jo_halfSpaceShape3, .halfSpace = { { 1.0f, 3.0f, 0.0f }, 0.0f } };
    const joVec3 above = { 0x1p-149f, 0.0f, 0.0f }, down = { -1.0f, -3.0f, 0.0f };
    const joRayHit3 near = castAt( &slope, above, down, 5.0f );
    assert_true( near.distance == 0.0f && near.normal.x == 0.0f && near.normal.y == 0.0f );
}

static void raysInThePlaneMeetCirclesAndCapsules( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0;
    for ( uint32_t i = 0; i < 40000; ++i )
    {
        joVec3 a = pairVectorIn( &random, 1.0f ), b = pairVectorIn( &random, 1.0f );
        float radius = pairFloatIn( &random, 0.05f, 0.7f );
        joShape2 shape = { .kind = jo_circleShape2, .circle = { { a.x, a.y }, radius } };
        if ( i % 2 )
        {
            shape =
                ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = { { a.x, a.y }, { b.x, b.y }, radius } };
        }
        joTransform2 pose = { { b.y, b.z }, joMakeRot2( pairFloatIn( &random, -4.0f, 4.0f ) ) };
        joVec3 from = pairVectorIn( &random, 3.0f ), to = pairVectorIn( &random, 1.0f );
        joRay ray = { { from.x, from.y, NAN }, { to.x - from.x, to.y - from.y, NAN },
            pairFloatIn( &random, 0.0f, 6.0f ) };
        joRayHit2 hit;
        assert_int_equal( joCastRayAtShape2( &shape, &pose, &ray, &hit ), jo_success );
        RoundCore core = roundMakeCore2( &shape, &pose );
        double end = isfinite( hit.distance ) ? (double)hit.distance : (double)ray.length, point[3];
        ray.origin[2] = ray.direction[2] = 0.0f;
        for ( int step = 0; step < 32; ++step )
        {
            along( &ray, end * (double)step / 32.0, point );
            assert_true( end == 0.0 || roundDistanceToPoint( &core, point ) - core.radius > -2e-6 );
        }
        if ( isfinite( hit.distance ) )
        {
            hits += 1;
            const double at[3] = { (double)hit.point.x + 1e-3 * (double)hit.normal.x,
                (double)hit.point.y + 1e-3 * (double)hit.normal.y, 0.0 };
            double out = roundDistanceToPoint( &core, at ) - core.radius;
            assert_true( hit.distance == 0.0f ? out <= 2e-6 : fabs( out - 1e-3 ) < 5e-6 );
        }
    }
    assert_true( hits > 10000 && hits < 35000 );
}

static void badRaysAreRefused( void** state )
{
    (void)state;
    joShape3 shape = { .kind = jo_sphereShape3, .sphere = { { 0.0f, 0.0f, 0.0f }, 1.0f } };
    joTransform3 pose = joMakeIdentity3();
    const struct
    {
        joRay ray;
        joResult expected;
    } cases[] = {
        { { { NAN, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f }, jo_errorNotANumber },
        { { { 0.0f, INFINITY, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, INFINITY }, 1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, NAN }, 1.0f }, jo_errorNotANumber },
        { { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, -1.0f }, jo_errorBadRay },
        { { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, NAN }, jo_errorNotANumber },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        joRayHit3 hit = { .distance = 0.0f };
        assert_int_equal( joCastRayAtShape3( &shape, &pose, &cases[i].ray, &hit ), cases[i].expected );
        assert_true( isinf( hit.distance ) );
    }
    joRayHit3 hit;
    assert_int_equal( joCastRayAtShape3( &shape, &pose, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtShape3( &shape, &pose, &cases[0].ray, NULL ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtShape3( NULL, &pose, &cases[0].ray, &hit ), jo_errorNullArgument );
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
        TEST( "32: special rays do what the header says", specialRaysDoWhatTheHeaderSays ),
        TEST( "rays in the plane meet circles and capsules", raysInThePlaneMeetCirclesAndCapsules ),
        TEST( "bad rays are refused", badRaysAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
