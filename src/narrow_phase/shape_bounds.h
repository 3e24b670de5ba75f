// SPDX-License-Identifier: MIT
// What bounds of shapes share: computed in double, rounded outwards once.
#pragma once

#include "base/float_env.h" // before any arithmetic: clang contracts what stands before it
#include "jostle/shapes.h"

// Not fmin and fmax, which may return either of -0 and 0.
static inline double joSmallerOf( double a, double b )
{
    return b < a ? b : a;
}

static inline double joLargerOf( double a, double b )
{
    return b > a ? b : a;
}

// The largest float that is not above `value`.
float joRoundDown( double value );

joBounds2 joRoundBounds2( const double lower[2], const double upper[2] );
joBounds3 joRoundBounds3( const double lower[3], const double upper[3] );

bool joHaveSameRotation2( const joTransform2* a, const joTransform2* b );
bool joHaveSameRotation3( const joTransform3* a, const joTransform3* b );

// Bounds of what is at most `reach` from the origin of its body, while that goes from one place to another:
// however it turns.
joBounds2 joComputeReachBounds2( const joTransform2* from, const joTransform2* to, double reach );
joBounds3 joComputeReachBounds3( const joTransform3* from, const joTransform3* to, double reach );
