// SPDX-License-Identifier: MIT
// Tests of rotations and transforms: against plain formulas in double, and that what is composed can be
// undone.
#include "test_support.h"

#include "jostle/math.h"

#include <math.h>

static uint64_t s_seed;

static float floatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

static joVec3 vectorIn( uint64_t* random, float size )
{
    return ( joVec3 ){
        floatIn( random, -size, size ), floatIn( random, -size, size ), floatIn( random, -size, size ) };
}

static double length3( joVec3 v )
{
    return sqrt( (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z );
}

static double distance3( joVec3 a, joVec3 b )
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt( x * x + y * y + z * z );
}

static joTransform3 anyTransform3( uint64_t* random )
{
    joVec3 axis = vectorIn( random, 1.0f );
    return ( joTransform3 ){ vectorIn( random, 10.0f ), joMakeQuat( axis, floatIn( random, -7.0f, 7.0f ) ) };
}

static joTransform2 anyTransform2( uint64_t* random )
{
    return ( joTransform2 ){ { floatIn( random, -10.0f, 10.0f ), floatIn( random, -10.0f, 10.0f ) },
        joMakeRot2( floatIn( random, -7.0f, 7.0f ) ) };
}

// Rodrigues' formula: another way to turn a vector about an axis.
static void aQuaternionTurnsAsItsAxisAndAngleSay( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joVec3 axis = vectorIn( &random, 3.0f ), v = vectorIn( &random, 1.0f );
        float angle = floatIn( &random, -7.0f, 7.0f );
        double length = length3( axis );
        double k[3] = { (double)axis.x / length, (double)axis.y / length, (double)axis.z / length };
        double p[3] = { (double)v.x, (double)v.y, (double)v.z };
        double c = cos( (double)angle ), s = sin( (double)angle );
        double dot = k[0] * p[0] + k[1] * p[1] + k[2] * p[2];
        joVec3 expected = {
            (float)( p[0] * c + ( k[1] * p[2] - k[2] * p[1] ) * s + k[0] * dot * ( 1.0 - c ) ),
            (float)( p[1] * c + ( k[2] * p[0] - k[0] * p[2] ) * s + k[1] * dot * ( 1.0 - c ) ),
            (float)( p[2] * c + ( k[0] * p[1] - k[1] * p[0] ) * s + k[2] * dot * ( 1.0 - c ) ),
        };
        joVec3 turned = joRotateVec3( joMakeQuat( axis, angle ), v );
        assert_true( distance3( turned, expected ) < 1e-6 );
    }
}

static void aQuaternionOfAnyLengthTurnsWithoutScaling( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 2000; ++i )
    {
        joQuat q = joMakeQuat( vectorIn( &random, 1.0f ), floatIn( &random, -7.0f, 7.0f ) );
        joQuat scaled = { 4.0f * q.x, 4.0f * q.y, 4.0f * q.z, 4.0f * q.w };
        joVec3 v = vectorIn( &random, 1.0f );
        assert_true( distance3( joRotateVec3( q, v ), joRotateVec3( scaled, v ) ) < 2e-7 );
        assert_true( fabs( length3( joRotateVec3( scaled, v ) ) - length3( v ) ) < 2e-7 );
        joQuat unit = joNormalizeQuat( scaled );
        assert_true( fabsf( unit.x - q.x ) + fabsf( unit.w - q.w ) < 3e-7f );
    }
    joVec3 v = { 1.0f, 2.0f, 3.0f };
    assert_true( distance3( joRotateVec3( ( joQuat ){ 0 }, v ), v ) == 0.0 );
    assert_true( joNormalizeQuat( ( joQuat ){ 0 } ).w == 1.0f );
    assert_true( joMakeQuat( ( joVec3 ){ 0 }, 1.0f ).w == 1.0f );
    assert_true( joNormalizeRot2( ( joRot2 ){ 0 } ).c == 1.0f );
    assert_true( joNormalizeRot2( ( joRot2 ){ 0.0f, 5.0f } ).s == 1.0f );
}

static void transformsAreUndoneAndComposed( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joTransform3 a = anyTransform3( &random ), b = anyTransform3( &random );
        joVec3 p = vectorIn( &random, 10.0f );
        assert_true( distance3( joInverseTransformPoint3( a, joTransformPoint3( a, p ) ), p ) < 5e-6 );
        joVec3 twice = joTransformPoint3( a, joTransformPoint3( b, p ) );
        assert_true( distance3( joTransformPoint3( joMultiplyTransforms3( a, b ), p ), twice ) < 1e-5 );
        joVec3 turned = joRotateVec3( joMultiplyQuats( a.rotation, b.rotation ), p );
        assert_true( distance3( turned, joRotateVec3( a.rotation, joRotateVec3( b.rotation, p ) ) ) < 1e-5 );
    }
    joVec3 p = { 1.5f, -2.5f, 1e-30f };
    assert_true( distance3( joTransformPoint3( joMakeIdentity3(), p ), p ) == 0.0 );
}

static void transformsOfThePlaneAreUndoneAndComposed( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 20000; ++i )
    {
        joTransform2 a = anyTransform2( &random ), b = anyTransform2( &random );
        joVec2 p = { floatIn( &random, -10.0f, 10.0f ), floatIn( &random, -10.0f, 10.0f ) };
        joVec2 back = joInverseTransformPoint2( a, joTransformPoint2( a, p ) );
        assert_true( hypot( (double)back.x - (double)p.x, (double)back.y - (double)p.y ) < 5e-6 );
        joVec2 twice = joTransformPoint2( a, joTransformPoint2( b, p ) );
        joVec2 once = joTransformPoint2( joMultiplyTransforms2( a, b ), p );
        assert_true( hypot( (double)once.x - (double)twice.x, (double)once.y - (double)twice.y ) < 1e-5 );
        joVec2 turned = joRotateVec2( joMultiplyRots2( a.rotation, b.rotation ), p );
        joVec2 turnedTwice = joRotateVec2( a.rotation, joRotateVec2( b.rotation, p ) );
        assert_true( hypot( (double)turned.x - (double)turnedTwice.x,
                         (double)turned.y - (double)turnedTwice.y ) < 1e-5 );
    }
    // A quarter turn takes x to y.
    joVec2 y = joRotateVec2( ( joRot2 ){ 0.0f, 1.0f }, ( joVec2 ){ 1.0f, 0.0f } );
    assert_true( y.x == 0.0f && y.y == 1.0f );
    joVec2 p = { 3.0f, 4.0f };
    joVec2 same = joTransformPoint2( joMakeIdentity2(), p );
    assert_true( same.x == p.x && same.y == p.y );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "a quaternion turns as its axis and angle say", aQuaternionTurnsAsItsAxisAndAngleSay ),
        TEST( "a quaternion of any length turns without scaling", aQuaternionOfAnyLengthTurnsWithoutScaling ),
        TEST( "transforms are undone and composed", transformsAreUndoneAndComposed ),
        TEST( "transforms of the plane are undone and composed", transformsOfThePlaneAreUndoneAndComposed ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
