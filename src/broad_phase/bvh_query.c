// SPDX-License-Identifier: MIT
// jo_bvh: queries, by the search kernels (simd/search.inl), which stop at every leaf that holds candidates.
// Overlaps go down the tree in any order; rays and points depth first, nearest child first (Hanan Samet,
// "Foundations of Multidimensional and Metric Data Structures", 2006, 4.1), and drop what they left behind
// once the probe's limit has come nearer than it is.
#include "base/float_env.h"
#include "bvh.h"

static uint32_t joSearchOn( joBvhSearch* search, const joProbe* probe, uint32_t* found )
{
    const joKernels* kernels = probe->kernels;
    const uint32_t which = probe->axisCount - 2;
    switch ( probe->kind )
    {
        case jo_probeBox:
            return kernels->searchOverlaps[which]( search, probe->bounds, found );
        case jo_probeRay:
            return kernels->searchRay[which]( search, &probe->ray, probe->limit, found );
        default:
            return kernels->searchPoint[which]( search, probe->point, probe->limitSq, found );
    }
}

void joBvh_Query( const void* structure, joProbe* probe )
{
    const joBvh* bvh = structure;
    if ( bvh->root == JO_NULL_INDEX )
    {
        return;
    }
    joBvhSearch search;
    search.nodes = joBvh_Nodes( bvh );
    search.leaves = joBvh_Leaves( bvh );
    search.stack[0] = bvh->root;
    search.stackCount = 1;
    uint32_t found[JO_BVH_LEAF_SIZE];
    for ( uint32_t count; !probe->done && ( count = joSearchOn( &search, probe, found ) ) > 0; )
    {
        probe->take( probe, found, count );
    }
}
