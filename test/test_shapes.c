// SPDX-License-Identifier: MIT
// Tests of shapes: their checks, bounds, mass and support points, against plain sums over corners and
// samples.
#include "test_support.h"

#include "jostle/shapes.h"

#include <math.h>

static uint64_t s_seed;

static float floatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

static joTransform3 anyPose( uint64_t* random, float size )
{
    joVec3 axis = {
        floatIn( random, -1.0f, 1.0f ), floatIn( random, -1.0f, 1.0f ), floatIn( random, -1.0f, 1.0f ) };
    return ( joTransform3 ){
        { floatIn( random, -size, size ), floatIn( random, -size, size ), floatIn( random, -size, size ) },
        joMakeQuat( axis, floatIn( random, -7.0f, 7.0f ) ) };
}

static joBox3 anyBox( uint64_t* random )
{
    joBox3 box = joMakeBox3(
        floatIn( random, 0.0f, 2.0f ), floatIn( random, 0.0f, 2.0f ), floatIn( random, 0.0f, 2.0f ) );
    box.localPose = anyPose( random, 2.0f );
    return box;
}

// Point of a box at fractions of its half extents, in the frame of the body.
static joVec3 pointOf( const joBox3* box, float x, float y, float z )
{
    joVec3 local = { x * box->halfExtents.x, y * box->halfExtents.y, z * box->halfExtents.z };
    return joTransformPoint3( box->localPose, local );
}

static joVec3 cornerOf( const joBox3* box, int corner )
{
    return pointOf( box, corner & 1 ? 1.0f : -1.0f, corner & 2 ? 1.0f : -1.0f, corner & 4 ? 1.0f : -1.0f );
}

static void badBoxesAndPosesAreRefused( void** state )
{
    (void)state;
    joBox3 good = joMakeBox3( 1.0f, 0.0f, JO_MAX_SIZE );
    assert_int_equal( joCheckBox3( &good ), jo_success );
    assert_int_equal( joCheckBox3( NULL ), jo_errorNullArgument );
    static const struct
    {
        float value;
        joResult asSize, asPosition, asRotation;
    } cases[] = {
        { NAN, jo_errorNotANumber, jo_errorNotANumber, jo_errorNotANumber },
        { INFINITY, jo_errorBadShape, jo_errorBadPose, jo_errorBadPose },
        { -INFINITY, jo_errorBadShape, jo_errorBadPose, jo_errorBadPose },
        { -1e-30f, jo_errorBadShape, jo_success, jo_success },
        { 2.0f * JO_MAX_SIZE, jo_errorBadShape, jo_errorBadPose, jo_success },
        { 0.0f, jo_success, jo_success, jo_success },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        for ( int member = 0; member < 3; ++member )
        {
            joBox3 box = good;
            ( &box.halfExtents.x )[member] = cases[i].value;
            assert_int_equal( joCheckBox3( &box ), cases[i].asSize );
            box = good;
            ( &box.localPose.position.x )[member] = cases[i].value;
            assert_int_equal( joCheckBox3( &box ), cases[i].asPosition );
            box = good;
            ( &box.localPose.rotation.x )[member] = cases[i].value;
            assert_int_equal( joCheckBox3( &box ), cases[i].asRotation );
            assert_int_equal( joCheckTransform3( &box.localPose ), cases[i].asRotation );
        }
    }
    joBox3 unturned = good;
    unturned.localPose.rotation = ( joQuat ){ 0 };
    assert_int_equal( joCheckBox3( &unturned ), jo_errorBadPose );
    joTransform3 far = { { 1e38f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
    assert_int_equal( joCheckTransform3( &far ), jo_success );
    assert_int_equal( joCheckTransform3( NULL ), jo_errorNullArgument );
}

static void boundsHoldAllCornersAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joBox3 box = anyBox( &random );
        joTransform3 pose = anyPose( &random, 10.0f );
        joBounds3 bounds = joComputeBoxBounds3( &box, pose );
        joVec3 lower = { INFINITY, INFINITY, INFINITY }, upper = { -INFINITY, -INFINITY, -INFINITY };
        for ( int corner = 0; corner < 8; ++corner )
        {
            joVec3 p = joTransformPoint3( pose, cornerOf( &box, corner ) );
            for ( int axis = 0; axis < 3; ++axis )
            {
                float x = ( &p.x )[axis];
                ( &lower.x )[axis] = fminf( ( &lower.x )[axis], x );
                ( &upper.x )[axis] = fmaxf( ( &upper.x )[axis], x );
            }
        }
        for ( int axis = 0; axis < 3; ++axis )
        {
            assert_true( fabsf( ( &bounds.lower.x )[axis] - ( &lower.x )[axis] ) < 5e-6f );
            assert_true( fabsf( ( &bounds.upper.x )[axis] - ( &upper.x )[axis] ) < 5e-6f );
        }
    }
}

static void boundsRoundOutwardsAndAreExactWhereTheyCanBe( void** state )
{
    (void)state;
    joBox3 box = joMakeBox3( 1.0f, 0.14f, 0.0f );
    joTransform3 pose = joMakeIdentity3();
    pose.position = ( joVec3 ){ 2.0f, 1e6f, -3.0f };
    joBounds3 bounds = joComputeBoxBounds3( &box, pose );
    assert_true( bounds.lower.x == 1.0f && bounds.upper.x == 3.0f );
    assert_true( bounds.lower.z == -3.0f && bounds.upper.z == -3.0f );
    // The nearest floats, 0.125 from the centre, are both within the box.
    assert_true( bounds.lower.y == 999999.8125f && bounds.upper.y == 1000000.1875f );
}

static void sweptBoundsHoldTheBoxAllTheWay( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 5000; ++i )
    {
        joBox3 box = anyBox( &random );
        joTransform3 from = anyPose( &random, 10.0f ), to = anyPose( &random, 10.0f );
        bool turns = i % 2 == 0;
        to.rotation = turns ? to.rotation : from.rotation;
        joBounds3 bounds = joComputeBoxSweptBounds3( &box, from, to );
        for ( int k = 0; k <= 8; ++k )
        {
            float t = (float)k / 8.0f;
            joTransform3 between = turns ? anyPose( &random, 0.0f ) : from;
            between.position = ( joVec3 ){ from.position.x + t * ( to.position.x - from.position.x ),
                from.position.y + t * ( to.position.y - from.position.y ),
                from.position.z + t * ( to.position.z - from.position.z ) };
            for ( int corner = 0; corner < 8; ++corner )
            {
                joVec3 p = joTransformPoint3( between, cornerOf( &box, corner ) );
                for ( int axis = 0; axis < 3; ++axis )
                {
                    assert_true( ( &p.x )[axis] >= ( &bounds.lower.x )[axis] - 5e-6f );
                    assert_true( ( &p.x )[axis] <= ( &bounds.upper.x )[axis] + 5e-6f );
                }
            }
        }
    }
}

// Against the sum over a fine lattice of points, which tends to the integral as its step squared.
static void massAndInertiaAreThoseOfItsPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20; ++i )
    {
        joBox3 box = anyBox( &random );
        joMassData3 data = joComputeBoxMass3( &box, 3.0f );
        float volume = joComputeBoxVolume3( &box );
        assert_true(
            fabsf( volume - 8.0f * box.halfExtents.x * box.halfExtents.y * box.halfExtents.z ) < 1e-5f );
        assert_true( fabsf( data.mass - 3.0f * volume ) < 1e-4f );
        assert_memory_equal( &data.center, &box.localPose.position, sizeof( joVec3 ) );
        double sums[6] = { 0 };
        enum
        {
            steps = 24
        };
        for ( int k = 0; k < steps * steps * steps; ++k )
        {
            const int index[3] = { k % steps, k / steps % steps, k / steps / steps };
            float f[3];
            for ( int axis = 0; axis < 3; ++axis )
            {
                f[axis] = ( 2.0f * (float)index[axis] + 1.0f ) / (float)steps - 1.0f;
            }
            joVec3 p = pointOf( &box, f[0], f[1], f[2] );
            double x = (double)( p.x - data.center.x ), y = (double)( p.y - data.center.y );
            double z = (double)( p.z - data.center.z );
            const double terms[6] = { y * y + z * z, x * x + z * z, x * x + y * y, -y * z, -z * x, -x * y };
            for ( int term = 0; term < 6; ++term )
            {
                sums[term] += terms[term] * (double)data.mass / (double)( steps * steps * steps );
            }
        }
        double scale = sums[0] + sums[1] + sums[2] + 1e-6;
        for ( int axis = 0; axis < 3; ++axis )
        {
            double diagonal = (double)( &data.inertiaDiagonal.x )[axis];
            double product = (double)( &data.inertiaProducts.x )[axis];
            assert_true( fabs( diagonal - sums[axis] ) < 4e-3 * scale );
            assert_true( fabs( product - sums[3 + axis] ) < 4e-3 * scale );
        }
    }
}

static void theSupportPointIsTheFarthestCorner( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joBox3 box = anyBox( &random );
        joVec3 d = { floatIn( &random, -1.0f, 1.0f ), floatIn( &random, -1.0f, 1.0f ),
            floatIn( &random, -1.0f, 1.0f ) };
        joVec3 support = joFindBoxSupport3( &box, d );
        float farthest = -INFINITY, nearestCorner = INFINITY;
        for ( int corner = 0; corner < 8; ++corner )
        {
            joVec3 p = cornerOf( &box, corner );
            farthest = fmaxf( farthest, p.x * d.x + p.y * d.y + p.z * d.z );
            float gap = fabsf( p.x - support.x ) + fabsf( p.y - support.y ) + fabsf( p.z - support.z );
            nearestCorner = fminf( nearestCorner, gap );
        }
        assert_true( fabsf( support.x * d.x + support.y * d.y + support.z * d.z - farthest ) < 5e-6f );
        assert_true( nearestCorner < 3e-6f );
    }
    joBox3 box = joMakeBox3( 1.0f, 2.0f, 3.0f );
    joVec3 corner = joFindBoxSupport3( &box, ( joVec3 ){ 0.0f, -1.0f, 0.0f } );
    assert_true( corner.x == 1.0f && corner.y == -2.0f && corner.z == 3.0f );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "bad boxes and poses are refused", badBoxesAndPosesAreRefused ),
        TEST( "bounds hold all corners and no more", boundsHoldAllCornersAndNoMore ),
        TEST( "bounds round outwards and are exact where they can be",
            boundsRoundOutwardsAndAreExactWhereTheyCanBe ),
        TEST( "swept bounds hold the box all the way", sweptBoundsHoldTheBoxAllTheWay ),
        TEST( "mass and inertia are those of its points", massAndInertiaAreThoseOfItsPoints ),
        TEST( "the support point is the farthest corner", theSupportPointIsTheFarthestCorner ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
