// SPDX-License-Identifier: MIT
// Sine, cosine and arc tangent, the same bits on every machine and compiler.
//
// Everything is computed in double from additions, multiplications and divisions in a fixed order, which IEEE
// 754 defines to the bit, and rounded to float once at the end; the C library's functions differ from one
// system to the next. Where a float may be denormal it is taken apart and put together as an integer, so that
// a host's flush-to-zero mode cannot change a bit. Cody and Waite, "Software Manual for the Elementary
// Functions", 1980; for large angles Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983.
#include "jostle/math.h"

#include "base/float_env.h"

#include <string.h>

#define PI 3.14159265358979323846
#define HALF_PI 1.57079632679489661923
#define QUARTER_PI 0.78539816339744830962
#define TWO_OVER_PI 0.63661977236758134308

// pi/2 in two parts. The first has 33 bits, so its product with a quadrant below 2^20 is exact.
#define HALF_PI_HIGH 0x1.921FB544p+0
#define HALF_PI_LOW 0x1.0B4611A626331p-34
#define CODY_WAITE_LIMIT 0x1.0p+19f

static uint32_t bitsOf( float value )
{
    uint32_t bits;
    memcpy( &bits, &value, sizeof( bits ) );
    return bits;
}

static float fromBits( uint32_t bits )
{
    float value;
    memcpy( &value, &bits, sizeof( value ) );
    return value;
}

// Magnitude of a float as a double, denormals kept.
static double widenMagnitude( uint32_t bits )
{
    bits &= 0x7FFFFFFFu;
    return bits < 0x00800000u ? (double)(int32_t)bits * 0x1.0p-149 : (double)fromBits( bits );
}

// Rounds a magnitude to float, denormals kept, and puts the sign (the top bit of `signBits`) on it.
static float narrowMagnitude( double magnitude, uint32_t signBits )
{
    // Below the smallest normal float, floats are the integers times 2^-149; adding 2^52 rounds to an
    // integer.
    uint32_t bits = magnitude < 0x1.0p-126 ? (uint32_t)( magnitude * 0x1.0p+149 + 0x1.0p+52 - 0x1.0p+52 )
                                           : bitsOf( (float)magnitude );
    return fromBits( bits | ( signBits & 0x80000000u ) );
}

// The Taylor polynomials are good to 7e-12 and 4e-13 on [-pi/4, pi/4], far below the rounding to float
// (3e-8).
static double sinPolynomial( double x )
{
    double s = x * x;
    double p = -1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return x + x * s * p;
}

static double cosPolynomial( double x )
{
    double s = x * x;
    double p = 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    p = p * s - 0.5;
    return 1.0 + s * p;
}

// 2/pi as a binary fraction, 32 bits a word, behind two words of zeros.
static const uint32_t s_twoOverPi[] = {
    0x00000000u,
    0x00000000u,
    0xA2F9836Eu,
    0x4E441529u,
    0xFC2757D1u,
    0xF534DDC0u,
    0xDB629599u,
    0x3C439041u,
};

// Payne and Hanek: for a magnitude m 2^e, m an integer of 24 bits, e >= -32, only those bits of 2/pi matter
// whose product with it is neither a multiple of 4 quadrants nor too small to see. Good to 2^-40 quadrants.
static double reduceLarge( uint32_t bits, uint32_t* quadrant )
{
    uint64_t mantissa = ( bits & 0x007FFFFFu ) | 0x00800000u;
    // Three words of 2/pi from 32 bits before the e-th behind the binary point on: times 2^e, the first is
    // whole quadrants, the others are fractions. What stands before them gives multiples of 2^32 quadrants.
    uint32_t first = ( bits >> 23 ) - 150 + 32; // in the table; at most 136, as bits are finite
    uint32_t word = first / 32;
    uint32_t shift = first % 32;
    uint32_t window[3];
    for ( uint32_t i = 0; i < 3; ++i )
    {
        uint64_t two = (uint64_t)s_twoOverPi[word + i] << 32 | s_twoOverPi[word + i + 1];
        window[i] = (uint32_t)( two >> ( 32 - shift ) );
    }
    uint64_t low = mantissa * window[2];
    uint64_t middle = mantissa * window[1] + ( low >> 32 );
    uint32_t whole = (uint32_t)( mantissa * window[0] + ( middle >> 32 ) );
    uint64_t fraction = middle << 32 | (uint32_t)low;
    // To the nearest quadrant: a fraction of a half or more belongs to the next, and is negative there.
    *quadrant = whole + (uint32_t)( fraction >> 63 );
    return (double)(int64_t)fraction * 0x1.0p-64 * HALF_PI;
}

// Angle = quadrant * pi/2 + result, |result| <= pi/4 (a hair more). For a finite magnitude.
static double reduce( uint32_t bits, uint32_t* quadrant )
{
    bits &= 0x7FFFFFFFu;
    if ( bits >= bitsOf( CODY_WAITE_LIMIT ) )
    {
        return reduceLarge( bits, quadrant );
    }
    double angle = widenMagnitude( bits );
    uint32_t nearest = (uint32_t)( angle * TWO_OVER_PI + 0.5 );
    *quadrant = nearest;
    return angle - (double)nearest * HALF_PI_HIGH - (double)nearest * HALF_PI_LOW;
}

float joSin( float radians )
{
    uint32_t bits = bitsOf( radians );
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if ( magnitude >= 0x7F800000u )
    {
        return fromBits( 0x7FC00000u );
    }
    // Below 2^-12 the sine rounds to the angle; this also keeps denormals out of the arithmetic.
    if ( magnitude < bitsOf( 0x1.0p-12f ) )
    {
        return radians;
    }
    uint32_t quadrant;
    double x = reduce( bits, &quadrant );
    double y = quadrant & 1 ? cosPolynomial( x ) : sinPolynomial( x );
    bool negative = ( quadrant >> 1 & 1 ) != bits >> 31;
    return (float)( negative ? -y : y );
}

float joCos( float radians )
{
    uint32_t bits = bitsOf( radians );
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if ( magnitude >= 0x7F800000u )
    {
        return fromBits( 0x7FC00000u );
    }
    if ( magnitude < bitsOf( 0x1.0p-13f ) )
    {
        return 1.0f;
    }
    uint32_t quadrant;
    double x = reduce( bits, &quadrant );
    double y = quadrant & 1 ? sinPolynomial( x ) : cosPolynomial( x );
    bool negative = ( ( quadrant + 1 ) >> 1 & 1 ) != 0;
    return (float)( negative ? -y : y );
}

// Arc tangent of t in [0, 1].
static double atanUnit( double t )
{
    // Above tan(pi/8), from the angle to pi/4: |t| <= 0.4143 then, where the series is good to 1e-11.
    double offset = 0.0;
    if ( t > 0.41421356237309503 )
    {
        t = ( t - 1.0 ) / ( t + 1.0 );
        offset = QUARTER_PI;
    }
    double s = t * t;
    double p = 1.0 / 25.0;
    p = 1.0 / 23.0 - p * s;
    p = 1.0 / 21.0 - p * s;
    p = 1.0 / 19.0 - p * s;
    p = 1.0 / 17.0 - p * s;
    p = 1.0 / 15.0 - p * s;
    p = 1.0 / 13.0 - p * s;
    p = 1.0 / 11.0 - p * s;
    p = 1.0 / 9.0 - p * s;
    p = 1.0 / 7.0 - p * s;
    p = 1.0 / 5.0 - p * s;
    p = 1.0 / 3.0 - p * s;
    return offset + ( t - t * s * p );
}

float joAtan2( float y, float x )
{
    uint32_t yBits = bitsOf( y );
    uint32_t xBits = bitsOf( x );
    uint32_t yMagnitude = yBits & 0x7FFFFFFFu;
    uint32_t xMagnitude = xBits & 0x7FFFFFFFu;
    if ( yMagnitude > 0x7F800000u || xMagnitude > 0x7F800000u )
    {
        return fromBits( 0x7FC00000u );
    }
    // Magnitudes of floats are in the order of their bits.
    if ( yMagnitude == xMagnitude )
    {
        if ( yMagnitude == 0 )
        {
            return 0.0f;
        }
        // Also both infinite, whose ratio would be NaN.
        yMagnitude = xMagnitude = bitsOf( 1.0f );
    }
    double ay = widenMagnitude( yMagnitude );
    double ax = widenMagnitude( xMagnitude );
    double angle = yMagnitude <= xMagnitude ? atanUnit( ay / ax ) : HALF_PI - atanUnit( ax / ay );
    if ( xBits >> 31 )
    {
        angle = PI - angle;
    }
    return narrowMagnitude( angle, yBits );
}
