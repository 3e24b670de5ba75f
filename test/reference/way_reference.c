// SPDX-License-Identifier: MIT
#include "reference/way_reference.h"

#include "base/float_env.h"

#include <math.h>

static void placeAt( const ReferenceWay* way, double time, double place[3] )
{
    const double gone = time < way->part ? time / way->part : 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        place[axis] = way->from[axis] + gone * ( way->to[axis] - way->from[axis] );
    }
}

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Where both go straight on.
static double partDistance( const ReferenceWay* a, const ReferenceWay* b, double begin, double end )
{
    double fromA[3], fromB[3], toA[3], toB[3], apart[3], way[3];
    placeAt( a, begin, fromA );
    placeAt( b, begin, fromB );
    placeAt( a, end, toA );
    placeAt( b, end, toB );
    for ( int axis = 0; axis < 3; ++axis )
    {
        apart[axis] = fromA[axis] - fromB[axis];
        way[axis] = toA[axis] - toB[axis] - apart[axis];
    }
    const double length = dot( way, way );
    double part = length > 0.0 ? -dot( apart, way ) / length : 0.0;
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    for ( int axis = 0; axis < 3; ++axis )
    {
        apart[axis] += part * way[axis];
    }
    return sqrt( dot( apart, apart ) );
}

double referenceWaysDistance( const ReferenceWay* a, const ReferenceWay* b )
{
    const double first = fmin( a->part, b->part ), last = fmax( a->part, b->part );
    const double early = partDistance( a, b, 0.0, first ), late = partDistance( a, b, first, last );
    return fmin( early, fmin( late, partDistance( a, b, last, 1.0 ) ) );
}
