// SPDX-License-Identifier: MIT
// jostle math: deterministic sin, cos, atan2, exp; seeded random numbers; vectors, rotations, transforms,
// bounds.
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

// A rotation in the plane: cosine and sine of its angle, counter-clockwise from x to y. Zero is none, and is
// refused where a pose is checked.
typedef struct joRot2
{
    float c, s;
} joRot2;

// A rotation in space, as a unit quaternion x i + y j + z k + w. Where the library turns something by a
// quaternion it divides by its length, so that one that has drifted from unit length turns without scaling.
typedef struct joQuat
{
    float x, y, z, w;
} joQuat;

// A pose: a local point p is at rotation * p + position. The transform of a body takes body space to world
// space; others are named by their frames, as transformBtoA.
typedef struct joTransform2
{
    joVec2 position; // world units
    joRot2 rotation;
} joTransform2;

typedef struct joTransform3
{
    joVec3 position; // world units
    joQuat rotation;
} joTransform3;

// An upright box, closed: lower <= upper on each axis.
typedef struct joBounds2
{
    joVec2 lower, upper;
} joBounds2;

typedef struct joBounds3
{
    joVec3 lower, upper;
} joBounds3;

// A straight way in world space. Of origins and directions 2D reads two elements, 3D three.
typedef struct joRay
{
    float origin[3];    // finite
    float direction[3]; // finite, of any length but zero (unless `length` is 0)
    float length;       // world units, >= 0, +inf allowed
} joRay;

// Sine and cosine of an angle in radians, the same bits on every machine and compiler. Any finite angle;
// absolute error below 1e-6 for |angle| <= 1e5. NaN or infinite: NaN.
JO_API float joSin( float radians );
JO_API float joCos( float radians );

// Angle of (x, y) in [-pi, pi], the same bits everywhere, absolute error below 1e-6. (0, 0) gives 0.
JO_API float joAtan2( float y, float x );

// e to the power of x, the same bits everywhere, relative error below 1e-7. Overflow gives +inf, NaN gives
// NaN.
JO_API float joExp( float x );

// Rotations and transforms. Computed in double and rounded once at the end: each result is the float nearest
// the exact one, but for a few units in 2^-50. The same bits everywhere. A rotation of length zero counts as
// none. All are O(1) and thread-safe.
JO_API joRot2 joMakeRot2( float radians );
// `axis` need not be a unit vector; a zero one gives no rotation. Right-handed.
JO_API joQuat joMakeQuat( joVec3 axis, float radians );
JO_API joRot2 joNormalizeRot2( joRot2 r );
JO_API joQuat joNormalizeQuat( joQuat q );
// First b, then a.
JO_API joRot2 joMultiplyRots2( joRot2 a, joRot2 b );
JO_API joQuat joMultiplyQuats( joQuat a, joQuat b );
JO_API joVec2 joRotateVec2( joRot2 r, joVec2 v );
JO_API joVec3 joRotateVec3( joQuat q, joVec3 v );
JO_API joTransform2 joMakeIdentity2( void );
JO_API joTransform3 joMakeIdentity3( void );
JO_API joVec2 joTransformPoint2( joTransform2 t, joVec2 localPoint );
JO_API joVec3 joTransformPoint3( joTransform3 t, joVec3 localPoint );
JO_API joVec2 joInverseTransformPoint2( joTransform2 t, joVec2 worldPoint );
JO_API joVec3 joInverseTransformPoint3( joTransform3 t, joVec3 worldPoint );
// First b, then a: what b places in the frame of a, in a's own frame. Its rotation is normalised.
JO_API joTransform2 joMultiplyTransforms2( joTransform2 a, joTransform2 b );
JO_API joTransform3 joMultiplyTransforms3( joTransform3 a, joTransform3 b );

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
