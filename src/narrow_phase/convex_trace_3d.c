// SPDX-License-Identifier: MIT
#include "narrow_phase/convex_trace_3d.h"

#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/tolerance.h"

void joNoteConvexStep( joConvexSteps* steps, const double direction[3], const joSupportPoint* support,
    const joSupportPoint* points, uint32_t pointCount, double lower, double upper )
{
    if ( steps->count == JO_MAX_CONVEX_STEPS )
    {
        return;
    }
    joConvexStep* step = steps->steps + steps->count++;
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

joGjkEnd joFindGjkEnd( const joConvexPair* pair, const joGjkAnswer* gjk, const joConvexSteps* steps )
{
    if ( gjk->status == jo_collideIterationLimit )
    {
        return jo_gjkLimit;
    }
    if ( gjk->distance == 0.0 )
    {
        return jo_gjkTouching;
    }
    const joConvexStep* last = &steps->steps[steps->count - 1];
    if ( last->upper - last->lower <= JO_GJK_TOLERANCE * pair->size )
    {
        return jo_gjkKnown;
    }
    return hasPoint( last ) ? jo_gjkRepeated : jo_gjkNotNearer;
}
