// SPDX-License-Identifier: MIT
#include "narrow_phase/convex_trace.h"

#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"

joConvexStep* joAddConvexStep( joConvexSteps* steps )
{
    return steps->count < JO_MAX_CONVEX_STEPS ? &steps->steps[steps->count++] : NULL;
}

void joNoteConvexStep( joConvexSteps* steps, const double direction[3], const joSupportPoint* support,
    const joSupportPoint* points, uint32_t pointCount, double lower, double upper )
{
    joConvexStep* step = joAddConvexStep( steps );
    if ( step == NULL )
    {
        return;
    }
    *step = ( joConvexStep ){ .vertexA = support->vertexA,
        .vertexB = support->vertexB,
        .pointCount = pointCount,
        .lower = lower,
        .upper = upper };
    for ( int k = 0; k < 3; ++k )
    {
        step->direction[k] = direction[k];
    }
    for ( uint32_t i = 0; i < pointCount; ++i )
    {
        step->points[i][0] = points[i].vertexA;
        step->points[i][1] = points[i].vertexB;
    }
}

static bool hasPoint( const joConvexStep* step )
{
    bool found = false;
    for ( uint32_t i = 0; i < step->pointCount; ++i )
    {
        found |= step->points[i][0] == step->vertexA && step->points[i][1] == step->vertexB;
    }
    return found;
}

joGjkEnd joFindGjkEnd( bool isComplete, double distance, double tolerance, const joConvexSteps* steps )
{
    if ( !isComplete )
    {
        return jo_gjkLimit;
    }
    if ( distance == 0.0 || steps->count == 0 )
    {
        return jo_gjkTouching;
    }
    const joConvexStep* last = &steps->steps[steps->count - 1];
    if ( last->upper - last->lower <= tolerance )
    {
        return jo_gjkKnown;
    }
    return hasPoint( last ) ? jo_gjkRepeated : jo_gjkNotNearer;
}
