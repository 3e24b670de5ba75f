// SPDX-License-Identifier: MIT
// jo_bvh: queries. Overlaps go down the tree in any order. Rays and points go depth first, nearest child
// first (Hanan Samet, "Foundations of Multidimensional and Metric Data Structures", 2006, 4.1), and drop what
// they left behind once the probe's limit has come nearer than it is.
#include "base/float_env.h"
#include "bvh.h"

// A child left for later.
typedef struct joBvhVisit
{
    float distance; // until its bounds are met, or less; of points the square
    uint32_t child;
} joBvhVisit;

static void joQueryLeaf( const joBvh* bvh, joProbe* probe, uint32_t child )
{
    const joBvhLeaf* leaf = joBvh_Leaves( bvh ) + ( child & ~JO_BVH_LEAF_BIT );
    joBoxColumns columns = joBvhLeaf_Columns( leaf );
    joProbe_Scan( probe, &columns, 0, leaf->count );
}

static void joQueryOverlaps( const joBvh* bvh, joProbe* probe )
{
    uint32_t stack[JO_BVH_STACK_SIZE];
    uint32_t stackCount = 0;
    stack[stackCount++] = bvh->root;
    while ( stackCount > 0 && !probe->done )
    {
        const joBvhNode* node = joBvh_Nodes( bvh ) + stack[--stackCount];
        joBoxColumns columns = joBvhNode_Columns( node );
        uint32_t hits[JO_BVH_WIDTH + JO_LANE_PADDING];
        uint32_t hitCount = probe->kernels->overlapRange[probe->axisCount - 2](
            &columns, 0, JO_BVH_WIDTH, probe->bounds, hits );
        for ( uint32_t i = 0; i < hitCount && !probe->done; ++i )
        {
            const uint32_t child = node->child[hits[i]];
            if ( node->lastRank[hits[i]] == 0 )
            {
                continue; // unused
            }
            if ( child & JO_BVH_LEAF_BIT )
            {
                joQueryLeaf( bvh, probe, child );
            }
            else
            {
                stack[stackCount++] = child;
            }
        }
    }
}

// Which children of a node a ray or point is to visit, the farthest first. Returns how many.
static uint32_t joFindVisits( const joBvhNode* node, const joProbe* probe, joBvhVisit* visits )
{
    const joKernels* kernels = probe->kernels;
    const uint32_t which = probe->axisCount - 2;
    joBoxColumns columns = joBvhNode_Columns( node );
    uint32_t hits[JO_BVH_WIDTH + JO_LANE_PADDING];
    float distances[JO_BVH_WIDTH + JO_LANE_PADDING];
    const uint32_t hitCount = probe->kind == jo_probeRay
                                  ? kernels->rayRange[which]( &columns, 0, JO_BVH_WIDTH, &probe->ray,
                                        probe->limit, hits, distances )
                                  : kernels->pointRange[which]( &columns, 0, JO_BVH_WIDTH, probe->point,
                                        probe->limitSq, hits, distances );
    uint32_t count = 0;
    for ( uint32_t i = 0; i < hitCount; ++i )
    {
        if ( node->lastRank[hits[i]] == 0 )
        {
            continue; // unused
        }
        uint32_t k = count++;
        for ( ; k > 0 && visits[k - 1].distance < distances[i]; --k )
        {
            visits[k] = visits[k - 1];
        }
        visits[k] = ( joBvhVisit ){ distances[i], node->child[hits[i]] };
    }
    return count;
}

static void joQueryNearestFirst( const joBvh* bvh, joProbe* probe )
{
    joBvhVisit stack[JO_BVH_STACK_SIZE];
    uint32_t stackCount = 0;
    stack[stackCount++] = ( joBvhVisit ){ 0.0f, bvh->root };
    while ( stackCount > 0 && !probe->done )
    {
        const joBvhVisit visit = stack[--stackCount];
        // What is as far as the limit may hold a hit as far, of a lower key.
        if ( visit.distance > ( probe->kind == jo_probeRay ? probe->limit : probe->limitSq ) )
        {
            continue;
        }
        if ( visit.child & JO_BVH_LEAF_BIT )
        {
            joQueryLeaf( bvh, probe, visit.child );
        }
        else
        {
            stackCount += joFindVisits( joBvh_Nodes( bvh ) + visit.child, probe, stack + stackCount );
        }
    }
}

void joBvh_Query( const void* structure, joProbe* probe )
{
    const joBvh* bvh = structure;
    if ( bvh->root == JO_NULL_INDEX )
    {
        return;
    }
    if ( probe->kind == jo_probeBox )
    {
        joQueryOverlaps( bvh, probe );
    }
    else
    {
        joQueryNearestFirst( bvh, probe );
    }
}
