// SPDX-License-Identifier: MIT
// What bounds of shapes share.
#include "narrow_phase/shape_bounds.h"

#include <math.h>

float joRoundDown( double value )
{
    float nearest = (float)value;
    return (double)nearest > value ? nextafterf( nearest, -INFINITY ) : nearest;
}

static float roundUp( double value )
{
    return -joRoundDown( -value );
}

joBounds2 joRoundBounds2( const double lower[2], const double upper[2] )
{
    return ( joBounds2 ){
        { joRoundDown( lower[0] ), joRoundDown( lower[1] ) }, { roundUp( upper[0] ), roundUp( upper[1] ) } };
}

joBounds3 joRoundBounds3( const double lower[3], const double upper[3] )
{
    return ( joBounds3 ){ { joRoundDown( lower[0] ), joRoundDown( lower[1] ), joRoundDown( lower[2] ) },
        { roundUp( upper[0] ), roundUp( upper[1] ), roundUp( upper[2] ) } };
}

bool joHaveSameRotation2( const joTransform2* a, const joTransform2* b )
{
    return a->rotation.c == b->rotation.c && a->rotation.s == b->rotation.s;
}

bool joHaveSameRotation3( const joTransform3* a, const joTransform3* b )
{
    return a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && a->rotation.w == b->rotation.w;
}

static void spread( double a, double b, double reach, double* lower, double* upper )
{
    *lower = joSmallerOf( a, b ) - reach;
    *upper = joLargerOf( a, b ) + reach;
}

joBounds2 joComputeReachBounds2( const joTransform2* from, const joTransform2* to, double reach )
{
    double lower[2], upper[2];
    spread( (double)from->position.x, (double)to->position.x, reach, &lower[0], &upper[0] );
    spread( (double)from->position.y, (double)to->position.y, reach, &lower[1], &upper[1] );
    return joRoundBounds2( lower, upper );
}

joBounds3 joComputeReachBounds3( const joTransform3* from, const joTransform3* to, double reach )
{
    double lower[3], upper[3];
    spread( (double)from->position.x, (double)to->position.x, reach, &lower[0], &upper[0] );
    spread( (double)from->position.y, (double)to->position.y, reach, &lower[1], &upper[1] );
    spread( (double)from->position.z, (double)to->position.z, reach, &lower[2], &upper[2] );
    return joRoundBounds3( lower, upper );
}
