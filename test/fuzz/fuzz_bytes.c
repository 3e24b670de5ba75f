// SPDX-License-Identifier: MIT
#include "fuzz_bytes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t takeByte( FuzzBytes* bytes )
{
    return bytes->at < bytes->size ? bytes->data[bytes->at++] : 0;
}

static int takeSigned( FuzzBytes* bytes )
{
    const int byte = takeByte( bytes );
    return byte < 128 ? byte : byte - 256;
}

static float takeRaw( FuzzBytes* bytes )
{
    uint32_t bits = 0;
    for ( int i = 0; i < 4; ++i )
    {
        bits = bits << 8 | takeByte( bytes );
    }
    float number;
    memcpy( &number, &bits, sizeof( number ) );
    return number;
}

// On the borders of what is allowed, and of what a float can be.
static float takeSpecial( FuzzBytes* bytes )
{
    static const float specials[] = { 0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, -0x1p-126f, 1e-20f, 1e-7f, 1e12f,
        -1e12f, 1.0001e12f, 1e6f, -1e6f, 16777216.0f, FLT_MAX, -FLT_MAX, 1e20f, -1e30f, INFINITY, -INFINITY,
        NAN, 0.70710678f, 1.0f + FLT_EPSILON, 1.0f - 0.5f * FLT_EPSILON };
    return specials[takeByte( bytes ) % ( sizeof( specials ) / sizeof( specials[0] ) )];
}

float takeNumber( FuzzBytes* bytes )
{
    const uint8_t form = takeByte( bytes );
    switch ( form % 16 )
    {
        case 0:
            return 0.0f;
        case 1:
            return takeRaw( bytes );
        case 2:
            return takeSpecial( bytes );
        case 3: // of any magnitude
        {
            const float mantissa = (float)takeSigned( bytes );
            return ldexpf( mantissa, takeSigned( bytes ) / 3 );
        }
        case 4: // beside a simple one
        {
            const float simple = (float)takeSigned( bytes ) / 16.0f;
            return nextafterf( simple, form < 128 ? INFINITY : -INFINITY );
        }
        case 5:
        case 6:
        case 7:
        case 8: // fine
        {
            const int high = takeSigned( bytes );
            return (float)( high * 256 + takeByte( bytes ) ) / 8192.0f;
        }
        default:
            return (float)takeSigned( bytes ) / 16.0f;
    }
}

float takeSize( FuzzBytes* bytes )
{
    const float number = takeNumber( bytes );
    // One negative size in so many that the check for it is met, and the rest is not starved.
    return number < 0.0f && number != -3.0f ? -number : number;
}

joVec2 takeVec2( FuzzBytes* bytes )
{
    joVec2 v;
    v.x = takeNumber( bytes );
    v.y = takeNumber( bytes );
    return v;
}

joVec3 takeVec3( FuzzBytes* bytes )
{
    joVec3 v;
    v.x = takeNumber( bytes );
    v.y = takeNumber( bytes );
    v.z = takeNumber( bytes );
    return v;
}

// Steps of a 24th of a turn, or any angle.
static float takeAngle( FuzzBytes* bytes, bool isSimple )
{
    return isSimple ? 0.26179939f * (float)takeByte( bytes ) : takeNumber( bytes );
}

joTransform2 takeTransform2( FuzzBytes* bytes )
{
    joTransform2 pose = joMakeIdentity2();
    const uint8_t form = takeByte( bytes ) % 8;
    if ( form == 1 )
    {
        pose.rotation.c = takeNumber( bytes );
        pose.rotation.s = takeNumber( bytes );
    }
    else if ( form > 1 )
    {
        pose.rotation = joMakeRot2( takeAngle( bytes, form < 5 ) );
    }
    pose.position = takeVec2( bytes );
    return pose;
}

joTransform3 takeTransform3( FuzzBytes* bytes )
{
    joTransform3 pose = joMakeIdentity3();
    const uint8_t form = takeByte( bytes ) % 8;
    if ( form == 1 )
    {
        const joVec3 v = takeVec3( bytes );
        pose.rotation = ( joQuat ){ v.x, v.y, v.z, takeNumber( bytes ) };
    }
    else if ( form > 1 )
    {
        const joVec3 axis = takeVec3( bytes );
        pose.rotation = joMakeQuat( axis, takeAngle( bytes, form < 5 ) );
    }
    pose.position = takeVec3( bytes );
    return pose;
}

joRay takeRay( FuzzBytes* bytes )
{
    joRay ray;
    for ( int i = 0; i < 3; ++i )
    {
        ray.origin[i] = takeNumber( bytes );
        ray.direction[i] = takeNumber( bytes );
    }
    // Most are long enough to meet something.
    const uint8_t form = takeByte( bytes );
    ray.length = form < 128 ? INFINITY : takeSize( bytes );
    return ray;
}

static bool isNoMisuse( const char* condition, const char* file, int line )
{
    const bool isMisuse = strncmp( condition, "misuse: ", 8 ) == 0;
    if ( !isMisuse )
    {
        fprintf( stderr, "%s:%d: assertion failed: %s\n", file, line, condition );
    }
    return !isMisuse;
}

void watchAsserts( void )
{
    joSetAssertFcn( isNoMisuse );
}

static void ( *s_print )( const void* fuzzCase );
static const void* s_case;

void setCasePrinter( void ( *print )( const void* fuzzCase ), const void* fuzzCase )
{
    s_print = print;
    s_case = fuzzCase;
}

static void printArray( const float* numbers, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        fprintf( stderr, "%s%.9g", i > 0 ? ", " : "[", (double)numbers[i] );
    }
    fputs( "]", stderr );
}

void printNumbers( const char* name, const float* numbers, int count )
{
    fprintf( stderr, "\"%s\": ", name );
    printArray( numbers, count );
}

void printPoints( const float* numbers, int axisCount, int count )
{
    fputs( "\"points\": [", stderr );
    for ( int i = 0; i < count; ++i )
    {
        fputs( i > 0 ? ", " : "", stderr );
        printArray( numbers + i * axisCount, axisCount );
    }
    fputs( "]", stderr );
}

void require( bool condition, const char* what )
{
    if ( !condition )
    {
        fprintf( stderr, "not so: %s\n", what );
        if ( s_print != NULL )
        {
            s_print( s_case );
        }
        abort();
    }
}
