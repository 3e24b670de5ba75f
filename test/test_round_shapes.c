// SPDX-License-Identifier: MIT
// Tests of spheres, capsules and half-spaces, circles and capsules in 2D: their bounds, mass and
// support points, against points on and in them.
#include "test_support.h"

#include "jostle/shapes.h"
#include "reference/round_reference.h"

#include <math.h>

static uint64_t s_seed;

static float floatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

static joVec3 vectorIn( uint64_t* random, float size )
{
    joVec3 v = { floatIn( random, -size, size ), 0.0f, 0.0f };
    v.y = floatIn( random, -size, size );
    v.z = floatIn( random, -size, size );
    return v;
}

static joTransform3 anyPose3( uint64_t* random )
{
    joVec3 position = vectorIn( random, 10.0f );
    return ( joTransform3 ){
        position, joMakeQuat( vectorIn( random, 1.0f ), floatIn( random, -7.0f, 7.0f ) ) };
}

static joTransform2 anyPose2( uint64_t* random )
{
    joVec3 position = vectorIn( random, 10.0f );
    return ( joTransform2 ){ { position.x, position.y }, joMakeRot2( floatIn( random, -7.0f, 7.0f ) ) };
}

static joCapsule3 anyCapsule3( uint64_t* random )
{
    joVec3 a = vectorIn( random, 2.0f );
    return ( joCapsule3 ){ a, vectorIn( random, 2.0f ), floatIn( random, 0.0f, 2.0f ) };
}

static joTransform3 between3( const joTransform3* from, const joTransform3* to, float t, joQuat turn )
{
    joVec3 a = from->position, b = to->position;
    return ( joTransform3 ){
        { a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) }, turn };
}

#define ROUNDING 1e-5f

// The bounds of a capsule are those of its two ends, each with the radius around it.
static void assertHolds3( joBounds3 bounds, const joCapsule3* capsule, joTransform3 pose, bool isLeast )
{
    joVec3 a = joTransformPoint3( pose, capsule->a ), b = joTransformPoint3( pose, capsule->b );
    for ( int axis = 0; axis < 3; ++axis )
    {
        float lower = fminf( ( &a.x )[axis], ( &b.x )[axis] ) - capsule->radius;
        float upper = fmaxf( ( &a.x )[axis], ( &b.x )[axis] ) + capsule->radius;
        assert_true( ( &bounds.lower.x )[axis] <= lower + ROUNDING );
        assert_true( ( &bounds.upper.x )[axis] >= upper - ROUNDING );
        assert_true( !isLeast || ( &bounds.lower.x )[axis] >= lower - ROUNDING );
        assert_true( !isLeast || ( &bounds.upper.x )[axis] <= upper + ROUNDING );
    }
}

static void boundsIn3DHoldTheShapeAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joCapsule3 capsule = anyCapsule3( &random );
        joTransform3 pose = anyPose3( &random );
        assertHolds3( joComputeCapsuleBounds3( &capsule, pose ), &capsule, pose, true );
        joShape3 shape = { .kind = jo_capsuleShape3, .capsule = capsule };
        assertHolds3( joComputeShapeBounds3( &shape, pose ), &capsule, pose, true );
        capsule.b = capsule.a;
        joSphere3 sphere = { capsule.a, capsule.radius };
        assertHolds3( joComputeSphereBounds3( &sphere, pose ), &capsule, pose, true );
        shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = sphere };
        assertHolds3( joComputeShapeBounds3( &shape, pose ), &capsule, pose, true );
    }
}

static void sweptBoundsIn3DHoldTheShapeAllTheWay( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 5000; ++i )
    {
        joCapsule3 capsule = anyCapsule3( &random );
        joTransform3 from = anyPose3( &random ), to = anyPose3( &random );
        bool turns = i % 2 == 0;
        to.rotation = turns ? to.rotation : from.rotation;
        joShape3 shape = { .kind = jo_capsuleShape3, .capsule = capsule };
        joBounds3 bounds = joComputeShapeSweptBounds3( &shape, from, to );
        for ( int step = 0; step <= 8; ++step )
        {
            joQuat turn = turns ? joMakeQuat( vectorIn( &random, 1.0f ), floatIn( &random, -7.0f, 7.0f ) )
                                : from.rotation;
            joTransform3 pose = between3( &from, &to, (float)step / 8.0f, turn );
            assertHolds3( bounds, &capsule, pose, false );
        }
        if ( !turns )
        {
            // No more than the two ends of the way.
            joBounds3 first = joComputeCapsuleBounds3( &capsule, from );
            joBounds3 last = joComputeCapsuleBounds3( &capsule, to );
            for ( int axis = 0; axis < 3; ++axis )
            {
                assert_true(
                    ( &bounds.lower.x )[axis] == fminf( ( &first.lower.x )[axis], ( &last.lower.x )[axis] ) );
                assert_true(
                    ( &bounds.upper.x )[axis] == fmaxf( ( &first.upper.x )[axis], ( &last.upper.x )[axis] ) );
            }
        }
    }
}

static void assertHolds2( joBounds2 bounds, const joCapsule2* capsule, joTransform2 pose, bool isLeast )
{
    joVec2 a = joTransformPoint2( pose, capsule->a ), b = joTransformPoint2( pose, capsule->b );
    for ( int axis = 0; axis < 2; ++axis )
    {
        float lower = fminf( ( &a.x )[axis], ( &b.x )[axis] ) - capsule->radius;
        float upper = fmaxf( ( &a.x )[axis], ( &b.x )[axis] ) + capsule->radius;
        assert_true( ( &bounds.lower.x )[axis] <= lower + ROUNDING );
        assert_true( ( &bounds.upper.x )[axis] >= upper - ROUNDING );
        assert_true( !isLeast || ( &bounds.lower.x )[axis] >= lower - ROUNDING );
        assert_true( !isLeast || ( &bounds.upper.x )[axis] <= upper + ROUNDING );
    }
}

static void boundsIn2DHoldTheShapeAllTheWay( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joCapsule3 solid = anyCapsule3( &random );
        joCapsule2 capsule = { { solid.a.x, solid.a.y }, { solid.b.x, solid.b.y }, solid.radius };
        joTransform2 from = anyPose2( &random ), to = anyPose2( &random );
        joShape2 shape = { .kind = jo_capsuleShape2, .capsule = capsule };
        assertHolds2( joComputeShapeBounds2( &shape, from ), &capsule, from, true );
        assertHolds2( joComputeCapsuleBounds2( &capsule, from ), &capsule, from, true );
        to.rotation = i % 2 == 0 ? to.rotation : from.rotation;
        joBounds2 bounds = joComputeShapeSweptBounds2( &shape, from, to );
        joTransform2 middle = {
            { 0.5f * ( from.position.x + to.position.x ), 0.5f * ( from.position.y + to.position.y ) },
            i % 2 == 0 ? joMakeRot2( floatIn( &random, -7.0f, 7.0f ) ) : from.rotation };
        assertHolds2( bounds, &capsule, from, false );
        assertHolds2( bounds, &capsule, middle, false );
        assertHolds2( bounds, &capsule, to, false );
        capsule.b = capsule.a;
        joCircle2 circle = { capsule.a, capsule.radius };
        assertHolds2( joComputeCircleBounds2( &circle, from ), &capsule, from, true );
        shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = circle };
        assertHolds2( joComputeShapeBounds2( &shape, from ), &capsule, from, true );
        to.rotation = from.rotation;
        bounds = joComputeShapeSweptBounds2( &shape, from, to );
        joBounds2 last = joComputeCircleBounds2( &circle, to );
        assert_true( bounds.upper.x >= last.upper.x && bounds.lower.y <= last.lower.y );
    }
}

static void aHalfSpaceHasBoundsOnlyAlongItsNormal( void** state )
{
    (void)state;
    joShape3 ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 2.0f, 0.0f }, 0.5f } };
    joTransform3 pose = joMakeIdentity3(), higher = pose;
    pose.position = ( joVec3 ){ 7.0f, 3.0f, 1.0f };
    higher.position = ( joVec3 ){ 0.0f, 4.0f, 0.0f };
    joBounds3 bounds = joComputeShapeBounds3( &ground, pose );
    assert_true( bounds.upper.y == 3.5f && bounds.lower.y == -INFINITY );
    assert_true( bounds.upper.x == INFINITY && bounds.lower.x == -INFINITY );
    assert_true( bounds.upper.z == INFINITY && bounds.lower.z == -INFINITY );
    bounds = joComputeShapeSweptBounds3( &ground, pose, higher );
    assert_true( bounds.upper.y == 4.5f && bounds.lower.y == -INFINITY );
    // Turned by half a turn about z it is above; by a little it has no end at all.
    pose.rotation = ( joQuat ){ 0.0f, 0.0f, 1.0f, 0.0f };
    bounds = joComputeHalfSpaceBounds3( &ground.halfSpace, pose );
    assert_true( bounds.lower.y == 2.5f && bounds.upper.y == INFINITY );
    pose.rotation = ( joQuat ){ 0.0f, 0.0f, 0.1f, 1.0f };
    bounds = joComputeHalfSpaceBounds3( &ground.halfSpace, pose );
    assert_true( bounds.lower.y == -INFINITY && bounds.upper.y == INFINITY );
    bounds = joComputeHalfSpaceSweptBounds3( &ground.halfSpace, higher, pose );
    assert_true( bounds.lower.y == -INFINITY && bounds.upper.y == INFINITY );
}

// Against the sum over a fine lattice of points.
static void massAndInertiaAreThoseOfTheirPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 12; ++i )
    {
        joCapsule3 capsule = anyCapsule3( &random );
        capsule.radius += 0.2f;
        capsule.b = i % 3 == 0 ? capsule.a : capsule.b;
        joSphere3 sphere = { capsule.a, capsule.radius };
        joShape3 shape = { .kind = jo_capsuleShape3, .capsule = capsule };
        joTransform3 pose = joMakeIdentity3();
        RoundCore core = roundMakeCore3( &shape, &pose );
        joBounds3 bounds = joComputeShapeBounds3( &shape, pose );
        joMassData3 data =
            i % 3 == 0 ? joComputeSphereMass3( &sphere, 2.0f ) : joComputeCapsuleMass3( &capsule, 2.0f );
        float volume = i % 3 == 0 ? joComputeSphereVolume3( &sphere ) : joComputeCapsuleVolume3( &capsule );
        enum
        {
            steps = 60
        };
        double sums[7] = { 0 }, cell = 1.0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            cell *= (double)( ( &bounds.upper.x )[axis] - ( &bounds.lower.x )[axis] ) / steps;
        }
        for ( int k = 0; k < steps * steps * steps; ++k )
        {
            const int index[3] = { k % steps, k / steps % steps, k / steps / steps };
            double p[3], d[3];
            for ( int axis = 0; axis < 3; ++axis )
            {
                double lower = (double)( &bounds.lower.x )[axis], upper = (double)( &bounds.upper.x )[axis];
                p[axis] = lower + ( upper - lower ) * ( (double)index[axis] + 0.5 ) / steps;
                d[axis] = p[axis] - (double)( &data.center.x )[axis];
            }
            double mass = roundDistanceToPoint( &core, p ) <= core.radius ? 2.0 * cell : 0.0;
            const double terms[7] = { 1.0, d[1] * d[1] + d[2] * d[2], d[0] * d[0] + d[2] * d[2],
                d[0] * d[0] + d[1] * d[1], -d[1] * d[2], -d[2] * d[0], -d[0] * d[1] };
            for ( int term = 0; term < 7; ++term )
            {
                sums[term] += mass * terms[term];
            }
        }
        assert_true( fabs( (double)data.mass - sums[0] ) < 0.01 * sums[0] );
        assert_true( fabsf( data.mass - 2.0f * volume ) < 1e-4f * data.mass );
        for ( int axis = 0; axis < 3; ++axis )
        {
            double scale = sums[1] + sums[2] + sums[3];
            assert_true( fabs( (double)( &data.inertiaDiagonal.x )[axis] - sums[1 + axis] ) < 0.01 * scale );
            assert_true( fabs( (double)( &data.inertiaProducts.x )[axis] - sums[4 + axis] ) < 0.01 * scale );
        }
    }
}

static void areaAndInertiaInThePlaneAreThoseOfTheirPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 12; ++i )
    {
        joCapsule3 solid = anyCapsule3( &random );
        joCapsule2 capsule = { { solid.a.x, solid.a.y }, { solid.b.x, solid.b.y }, solid.radius + 0.2f };
        capsule.b = i % 3 == 0 ? capsule.a : capsule.b;
        joCircle2 circle = { capsule.a, capsule.radius };
        joShape2 shape = { .kind = jo_capsuleShape2, .capsule = capsule };
        joTransform2 pose = joMakeIdentity2();
        RoundCore core = roundMakeCore2( &shape, &pose );
        joBounds2 bounds = joComputeShapeBounds2( &shape, pose );
        joMassData2 data =
            i % 3 == 0 ? joComputeCircleMass2( &circle, 2.0f ) : joComputeCapsuleMass2( &capsule, 2.0f );
        float area = i % 3 == 0 ? joComputeCircleArea2( &circle ) : joComputeCapsuleArea2( &capsule );
        enum
        {
            steps = 300
        };
        double width = (double)( bounds.upper.x - bounds.lower.x ) / steps;
        double height = (double)( bounds.upper.y - bounds.lower.y ) / steps, mass = 0.0, inertia = 0.0;
        for ( int k = 0; k < steps * steps; ++k )
        {
            const double p[3] = { (double)bounds.lower.x + width * ( k % steps + 0.5 ),
                (double)bounds.lower.y + height * ( k / steps + 0.5 ), 0.0 };
            double x = p[0] - (double)data.center.x, y = p[1] - (double)data.center.y;
            double part = roundDistanceToPoint( &core, p ) <= core.radius ? 2.0 * width * height : 0.0;
            mass += part;
            inertia += part * ( x * x + y * y );
        }
        assert_true( fabs( (double)data.mass - mass ) < 0.01 * mass );
        assert_true( fabsf( data.mass - 2.0f * area ) < 1e-4f * data.mass );
        assert_true( fabs( (double)data.inertia - inertia ) < 0.01 * inertia );
    }
}

static void theSupportPointIsTheFarthest( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 10000; ++i )
    {
        joCapsule3 capsule = anyCapsule3( &random );
        joVec3 d = vectorIn( &random, 1.0f );
        float length = sqrtf( d.x * d.x + d.y * d.y + d.z * d.z );
        joVec3 p = joFindCapsuleSupport3( &capsule, d );
        float atA = capsule.a.x * d.x + capsule.a.y * d.y + capsule.a.z * d.z;
        float atB = capsule.b.x * d.x + capsule.b.y * d.y + capsule.b.z * d.z;
        float farthest = fmaxf( atA, atB ) + capsule.radius * length;
        assert_true( fabsf( p.x * d.x + p.y * d.y + p.z * d.z - farthest ) < 5e-6f );
        joSphere3 sphere = { capsule.a, capsule.radius };
        p = joFindSphereSupport3( &sphere, d );
        assert_true( fabsf( p.x * d.x + p.y * d.y + p.z * d.z - atA - capsule.radius * length ) < 5e-6f );
        joCapsule2 flat = { { capsule.a.x, capsule.a.y }, { capsule.b.x, capsule.b.y }, capsule.radius };
        joVec2 e = { d.x, d.y }, q = joFindCapsuleSupport2( &flat, e );
        farthest = fmaxf( flat.a.x * e.x + flat.a.y * e.y, flat.b.x * e.x + flat.b.y * e.y ) +
                   flat.radius * sqrtf( e.x * e.x + e.y * e.y );
        assert_true( fabsf( q.x * e.x + q.y * e.y - farthest ) < 5e-6f );
        joCircle2 circle = { flat.a, flat.radius };
        q = joFindCircleSupport2( &circle, e );
        farthest = flat.a.x * e.x + flat.a.y * e.y + flat.radius * sqrtf( e.x * e.x + e.y * e.y );
        assert_true( fabsf( q.x * e.x + q.y * e.y - farthest ) < 5e-6f );
    }
    joSphere3 sphere = { { 1.0f, 2.0f, 3.0f }, 4.0f };
    joVec3 none = { 0.0f, 0.0f, 0.0f }, center = joFindSphereSupport3( &sphere, none );
    assert_memory_equal( &center, &sphere.center, sizeof( joVec3 ) );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "bounds in 3D hold the shape and no more", boundsIn3DHoldTheShapeAndNoMore ),
        TEST( "swept bounds in 3D hold the shape all the way", sweptBoundsIn3DHoldTheShapeAllTheWay ),
        TEST( "bounds in 2D hold the shape all the way", boundsIn2DHoldTheShapeAllTheWay ),
        TEST( "mass and inertia are those of their points", massAndInertiaAreThoseOfTheirPoints ),
        TEST( "area and inertia in the plane are those of their points",
            areaAndInertiaInThePlaneAreThoseOfTheirPoints ),
        TEST( "the support point is the farthest", theSupportPointIsTheFarthest ),
        TEST( "a half-space has bounds only along its normal", aHalfSpaceHasBoundsOnlyAlongItsNormal ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
