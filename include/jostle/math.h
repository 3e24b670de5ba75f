// SPDX-License-Identifier: MIT
// jostle math: deterministic sin, cos, atan2, exp; seeded random numbers; vectors.
#pragma once

#include "base.h"

JO_EXTERN_C_BEGIN

typedef struct joVec2
{
    float x, y;
} joVec2;

typedef struct joVec3
{
    float x, y, z;
} joVec3;

// Sine and cosine of an angle in radians, the same bits on every machine and compiler. Any finite angle;
// absolute error below 1e-6 for |angle| <= 1e5. NaN or infinite: NaN.
JO_API float joSin( float radians );
JO_API float joCos( float radians );

// Angle of (x, y) in [-pi, pi], the same bits everywhere, absolute error below 1e-6. (0, 0) gives 0.
JO_API float joAtan2( float y, float x );

// e to the power of x, the same bits everywhere, relative error below 1e-7. Overflow gives +inf, NaN gives
// NaN.
JO_API float joExp( float x );

// Seeded random numbers: PCG32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms for Random Number Generation", 2014). The same seed gives the same numbers everywhere.
typedef struct joRandom
{
    uint64_t state;
    uint64_t increment;
} joRandom;

JO_API joRandom joMakeRandom( uint64_t seed );
JO_API uint32_t joRandom_Next( joRandom* random );
// Uniform in [0, bound), without bias. bound 0 gives 0.
JO_API uint32_t joRandom_Below( joRandom* random, uint32_t bound );
// Uniform in [0, 1), a multiple of 2^-24.
JO_API float joRandom_Float( joRandom* random );
// Uniform in [lower, upper].
JO_API float joRandom_Range( joRandom* random, float lower, float upper );
// Standard normal, by the polar method of Marsaglia, 1964, with deterministic logarithm: the same bits
// everywhere.
JO_API float joRandom_Normal( joRandom* random );

JO_EXTERN_C_END
