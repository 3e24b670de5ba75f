// SPDX-License-Identifier: MIT
#include "reference/chain_reference.h"

#include <math.h>

uint32_t chainReferenceSegmentCount( const ReferenceChain* chain )
{
    return chain->isLoop ? chain->pointCount : chain->pointCount - 1;
}

FlatShape chainReferenceSegment( const ReferenceChain* chain, const joTransform2* pose, uint32_t segment )
{
    const joShape2 shape = { .kind = jo_segmentShape2,
        .segment = { chain->points[segment], chain->points[( segment + 1 ) % chain->pointCount] } };
    return flatMakeShape( &shape, pose );
}

double chainReferenceSeparation(
    const ReferenceChain* chain, const joTransform2* pose, const FlatShape* shape )
{
    FlatShape core = *shape;
    core.radius = 0.0;
    double least = INFINITY;
    for ( uint32_t i = 0; i < chainReferenceSegmentCount( chain ); ++i )
    {
        FlatShape segment = chainReferenceSegment( chain, pose, i );
        least = fmin( least, fmax( flatSeparation( &segment, &core ), 0.0 ) );
    }
    return least - shape->radius;
}

double chainReferenceOverlap( const FlatShape* a, const FlatShape* b, double x, double y )
{
    double highest = -INFINITY, lowest = INFINITY;
    for ( int i = 0; i < a->count; ++i )
    {
        highest = fmax( highest, a->x[i] * x + a->y[i] * y );
    }
    for ( int i = 0; i < b->count; ++i )
    {
        lowest = fmin( lowest, b->x[i] * x + b->y[i] * y );
    }
    return highest - lowest + a->radius + b->radius;
}

double chainReferenceRay( const ReferenceChain* chain, const joTransform2* pose, double x, double y,
    double unitX, double unitY, uint32_t* segment, double* doubt )
{
    double first = INFINITY;
    *segment = JO_NULL_INDEX;
    *doubt = INFINITY;
    for ( uint32_t i = 0; i < chainReferenceSegmentCount( chain ); ++i )
    {
        FlatShape ends = chainReferenceSegment( chain, pose, i );
        double side[2], along[2];
        for ( int k = 0; k < 2; ++k )
        {
            side[k] = unitX * ( ends.y[k] - y ) - unitY * ( ends.x[k] - x );
            along[k] = unitX * ( ends.x[k] - x ) + unitY * ( ends.y[k] - y );
            *doubt = fmin( *doubt, fabs( side[k] ) );
        }
        double t = side[0] / ( side[0] - side[1] ), distance = along[0] + t * ( along[1] - along[0] );
        if ( t >= 0.0 && t <= 1.0 && distance >= 0.0 && distance < first )
        {
            first = distance;
            *segment = i;
        }
    }
    return first;
}
