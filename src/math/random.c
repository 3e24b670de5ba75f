// SPDX-License-Identifier: MIT
// Seeded random numbers: PCG32, and a normal distribution with the same bits everywhere.
#include "base/float_env.h"
#include "jostle/math.h"

#include <math.h>
#include <string.h>

// The stream of the reference implementation's demonstration, so that its published numbers test ours.
#define STREAM 54u

joRandom joMakeRandom( uint64_t seed )
{
    joRandom random = { 0, STREAM << 1 | 1u };
    joRandom_Next( &random );
    random.state += seed;
    joRandom_Next( &random );
    return random;
}

uint32_t joRandom_Next( joRandom* random )
{
    uint64_t state = random->state;
    random->state = state * 6364136223846793005u + random->increment;
    uint32_t shifted = (uint32_t)( ( state >> 18 ^ state ) >> 27 );
    uint32_t rotation = (uint32_t)( state >> 59 );
    return shifted >> rotation | shifted << ( ( 32 - rotation ) & 31 );
}

uint32_t joRandom_Below( joRandom* random, uint32_t bound )
{
    if ( bound == 0 )
    {
        return 0;
    }
    // 2^32 mod bound numbers are refused, so that each remainder has equally many left.
    uint32_t threshold = ( 0u - bound ) % bound;
    for ( ;; )
    {
        uint32_t number = joRandom_Next( random );
        if ( number >= threshold )
        {
            return number % bound;
        }
    }
}

float joRandom_Float( joRandom* random )
{
    return (float)( joRandom_Next( random ) >> 8 ) * 0x1.0p-24f;
}

float joRandom_Range( joRandom* random, float lower, float upper )
{
    // In double, as the width of the range may be above the largest float; 32 random bits, as a wide range
    // has more floats than 2^24.
    double fraction = (double)joRandom_Next( random ) * ( 1.0 / 4294967295.0 );
    double value = (double)lower + ( (double)upper - (double)lower ) * fraction;
    float rounded = (float)value;
    return rounded < lower ? lower : rounded > upper ? upper : rounded;
}

// Natural logarithm of a positive normal double, to about 1e-12, from operations that IEEE 754 defines to the
// bit: x = m 2^e, m in [sqrt 1/2, sqrt 2), ln m = 2 artanh( ( m - 1 ) / ( m + 1 ) ), by its series.
static double logOf( double x )
{
    uint64_t bits;
    memcpy( &bits, &x, sizeof( bits ) );
    int32_t exponent = (int32_t)( bits >> 52 ) - 1023;
    bits = ( bits & 0x000FFFFFFFFFFFFFu ) | 0x3FF0000000000000u;
    double m;
    memcpy( &m, &bits, sizeof( m ) );
    if ( m > 1.4142135623730951 )
    {
        m *= 0.5;
        exponent += 1;
    }
    double z = ( m - 1.0 ) / ( m + 1.0 );
    double s = z * z;
    double p = 1.0 / 13.0;
    p = p * s + 1.0 / 11.0;
    p = p * s + 1.0 / 9.0;
    p = p * s + 1.0 / 7.0;
    p = p * s + 1.0 / 5.0;
    p = p * s + 1.0 / 3.0;
    p = p * s + 1.0;
    return (double)exponent * 0.69314718055994530942 + 2.0 * z * p;
}

float joRandom_Normal( joRandom* random )
{
    // A point in the unit circle, by rejection. Halves off the grid, so that it is never the centre. The
    // second number that the method gives is not kept: the generator's state stays two words.
    double u, s;
    do
    {
        u = ( (double)(int32_t)joRandom_Next( random ) + 0.5 ) * 0x1.0p-31;
        double v = ( (double)(int32_t)joRandom_Next( random ) + 0.5 ) * 0x1.0p-31;
        s = u * u + v * v;
    } while ( s >= 1.0 );
    return (float)( u * sqrt( -2.0 * logOf( s ) / s ) );
}
