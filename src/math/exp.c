// SPDX-License-Identifier: MIT
// e to the power of x, the same bits on every machine: argument reduction by multiples of ln 2 (Cody and
// Waite, "Software Manual for the Elementary Functions", 1980) and the Taylor series, in double, rounded
// once.
#include "base/float_env.h"
#include "jostle/math.h"

#include <math.h>
#include <string.h>

// 2^exponent for -1022 <= exponent <= 1023.
static double PowerOfTwo( int exponent )
{
    uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
    double value;
    memcpy( &value, &bits, sizeof value );
    return value;
}

float joExp( float x )
{
    // The largest float is below e^88.73; the smallest is above e^-104, half of it too.
    if ( !( x < 89.0f ) )
    {
        return x != x ? NAN : INFINITY;
    }
    if ( x < -105.0f )
    {
        return 0.0f;
    }

    const double log2e = 1.4426950408889634;
    // ln 2 in two parts; the first has so many zeros at its end that its product with any k here is exact.
    const double ln2High = 6.93147180369123816490e-01;
    const double ln2Low = 1.90821492927058770002e-10;
    double scaled = (double)x * log2e;
    int k = (int)( scaled < 0.0 ? scaled - 0.5 : scaled + 0.5 );
    double r = ( (double)x - k * ln2High ) - k * ln2Low;

    // |r| <= 0.35: the first term left out, r^13 / 13!, is below 2e-16.
    static const double coefficients[] = { 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
        1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5,
        1.0, 1.0 };
    double sum = 0.0;
    for ( size_t i = 0; i < sizeof coefficients / sizeof coefficients[0]; ++i )
    {
        sum = sum * r + coefficients[i];
    }
    double result = sum * PowerOfTwo( k );
    if ( result < 0x1.0p-126 )
    {
        // A denormal float: an integer times 2^-149, put together as such, so that a host's flush-to-zero
        // mode cannot change it. Adding 2^52 rounds to an integer.
        uint32_t bits = (uint32_t)( result * 0x1.0p+149 + 0x1.0p+52 - 0x1.0p+52 );
        float denormal;
        memcpy( &denormal, &bits, sizeof denormal );
        return denormal;
    }
    return (float)result;
}
