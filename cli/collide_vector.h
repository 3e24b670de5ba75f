// SPDX-License-Identifier: MIT
// Vectors of three doubles, for the check of `jostle collide`.
#pragma once

#include "base/float_env.h"

#include <math.h>
#include <stdbool.h>

static inline void joCopyVector( const double v[3], double out[3] )
{
    out[0] = v[0];
    out[1] = v[1];
    out[2] = v[2];
}

static inline double joDotVectors( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// `out` may be one of the others in all but the cross product.
static inline void joCrossVectors( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void joAddVectors( const double a[3], const double b[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = a[i] + b[i];
    }
}

static inline void joSubtractVectors( const double a[3], const double b[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = a[i] - b[i];
    }
}

static inline void joScaleVector( double factor, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = factor * v[i];
    }
}

// out = a + factor * v
static inline void joStepVector( const double a[3], double factor, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = a[i] + factor * v[i];
    }
}

static inline double joVectorLength( const double v[3] )
{
    return sqrt( joDotVectors( v, v ) );
}

// False, and zero, where it has no length.
static inline bool joNormalizeVector( const double v[3], double out[3] )
{
    const double length = joVectorLength( v );
    joScaleVector( length > 0.0 ? 1.0 / length : 0.0, v, out );
    return length > 0.0;
}
