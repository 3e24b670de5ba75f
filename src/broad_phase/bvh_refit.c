// SPDX-License-Identifier: MIT
// jo_bvh: bounds of boxes that have moved, from the leaves up, the tree as it is.
#include "base/float_env.h"
#include "bvh.h"

#include <math.h>

#define JO_MAX_LEAF_GROWTH 4.0
#define JO_EDGE_SAMPLE 64
// What an edge of zero is taken as, so that ratios of edges stay finite.
#define JO_MIN_EDGE 1e-30f

// Leaves to a block of work.
#define JO_REFIT_BLOCK 128

void joBvh_InitNode( joBvh* bvh, uint32_t node, uint32_t parent, uint32_t lane )
{
    joBvhNode* n = joBvh_Nodes( bvh ) + node;
    for ( uint32_t i = 0; i < JO_BVH_WIDTH; ++i )
    {
        for ( uint32_t k = 0; k < 3; ++k )
        {
            n->lower[k][i] = INFINITY;
            n->upper[k][i] = -INFINITY;
        }
        n->child[i] = JO_NULL_INDEX;
        n->lastRank[i] = 0;
    }
    joBvh_Links( bvh )[node] = ( joBvhLink ){ parent, lane, 0 };
}

void joBvhLeaf_FindBounds( joBvhLeaf* leaf, uint32_t axisCount )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        float lower = leaf->lower[k][0], upper = leaf->upper[k][0];
        for ( uint32_t i = 1; i < leaf->count; ++i )
        {
            lower = leaf->lower[k][i] < lower ? leaf->lower[k][i] : lower;
            upper = leaf->upper[k][i] > upper ? leaf->upper[k][i] : upper;
        }
        leaf->bounds[k] = lower;
        leaf->bounds[3 + k] = upper;
    }
}

bool joBvh_LoadLeaf( const joBvh* bvh, joBvhLeaf* leaf, const joBoxSet* set )
{
    // Inverted: a dead box among others changes nothing.
    static const joBoxRecord dead = {
        .lower = { INFINITY, INFINITY, INFINITY }, .upper = { -INFINITY, -INFINITY, -INFINITY } };
    uint32_t axisCount = bvh->context->axisCount;
    bool live = true;
    for ( uint32_t i = 0; i < leaf->count; ++i )
    {
        uint32_t slot = leaf->index[i] & JO_INDEX_MASK;
        const joBoxRecord* record = slot < set->count ? set->records + slot : &dead;
        live = live && joBvhIsLive( record );
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            leaf->lower[k][i] = record->lower[k];
            leaf->upper[k][i] = record->upper[k];
        }
    }
    joBvhLeaf_FindBounds( leaf, axisCount );
    return live;
}

void joBvhNode_GetBounds( const joBvhNode* node, uint32_t count, float bounds[6] )
{
    for ( uint32_t k = 0; k < 3; ++k )
    {
        float lower = node->lower[k][0], upper = node->upper[k][0];
        for ( uint32_t i = 1; i < count; ++i )
        {
            lower = node->lower[k][i] < lower ? node->lower[k][i] : lower;
            upper = node->upper[k][i] > upper ? node->upper[k][i] : upper;
        }
        bounds[k] = lower;
        bounds[3 + k] = upper;
    }
}

void joBvhNode_SetBounds( joBvhNode* node, uint32_t lane, const float bounds[6] )
{
    for ( uint32_t k = 0; k < 3; ++k )
    {
        node->lower[k][lane] = bounds[k];
        node->upper[k][lane] = bounds[3 + k];
    }
}

static float joFindLeafGrowth( double edges, double builtEdges )
{
    if ( edges <= builtEdges )
    {
        return edges > 0.0 ? (float)( edges / builtEdges ) : 1.0f;
    }
    return edges < builtEdges * JO_MAX_LEAF_GROWTH ? (float)( edges / builtEdges )
                                                   : (float)JO_MAX_LEAF_GROWTH;
}

typedef struct joRefit
{
    joBvh* bvh;
    const joBoxSet* set;
    bool asBuilt;
} joRefit;

// Boxes lie in memory in the caller's order, which is random in space: ask for them a leaf ahead.
static void joPrefetchBoxes( const joRefit* refit, uint32_t leaf )
{
    const joBvhLeaf* l = joBvh_Leaves( refit->bvh ) + leaf;
    for ( uint32_t i = 0; i < l->count; ++i )
    {
        __builtin_prefetch( refit->set->records + ( l->index[i] & JO_INDEX_MASK ) );
    }
}

static void joRefitLeaves( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    const joRefit* refit = context;
    joBvh* bvh = refit->bvh;
    const uint32_t* order = bvh->leafOrder.data;
    float* growth = bvh->growth.data;
    uint32_t axisCount = bvh->context->axisCount;
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( i + 1 < end )
        {
            joPrefetchBoxes( refit, order[i + 1] );
        }
        joBvhLeaf* leaf = joBvh_Leaves( bvh ) + order[i];
        bool live = joBvh_LoadLeaf( bvh, leaf, refit->set );
        double edges = joBvhEdges( leaf->bounds, axisCount );
        if ( refit->asBuilt )
        {
            leaf->builtEdges = edges;
        }
        growth[i] = live ? joFindLeafGrowth( edges, leaf->builtEdges ) : -1.0f;
        joBvhNode_SetBounds( joBvh_Nodes( bvh ) + leaf->parent, leaf->lane, leaf->bounds );
    }
}

static void joRefitNodes( joBvh* bvh )
{
    const uint32_t* order = bvh->nodeOrder.data;
    for ( uint32_t i = bvh->nodeCount; i-- > 1; ) // but for the root
    {
        joBvhLink link = joBvh_Links( bvh )[order[i]];
        float bounds[6];
        joBvhNode_GetBounds( joBvh_Nodes( bvh ) + order[i], link.count, bounds );
        joBvhNode_SetBounds( joBvh_Nodes( bvh ) + link.parent, link.lane, bounds );
    }
}

// The median, so that a few huge leaves do not count.
static void joFindTypicalEdge( joBvh* bvh )
{
    float sample[JO_EDGE_SAMPLE];
    uint32_t count = bvh->leafCount < JO_EDGE_SAMPLE ? bvh->leafCount : JO_EDGE_SAMPLE;
    const uint32_t* order = bvh->leafOrder.data;
    for ( uint32_t k = 0; k < bvh->context->axisCount; ++k )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            const joBvhLeaf* leaf = joBvh_Leaves( bvh ) + order[(uint64_t)i * bvh->leafCount / count];
            float edge = leaf->bounds[3 + k] - leaf->bounds[k];
            sample[i] = edge > JO_MIN_EDGE ? edge : JO_MIN_EDGE;
        }
        joBvhSortFloats( sample, count );
        bvh->typicalEdge[k] = sample[count / 2];
    }
}

double joBvh_GetGrowth( const joBvh* bvh )
{
    // In order of ranks, so that threads cannot show in the sum, nor in when trees are built.
    const float* growth = bvh->growth.data;
    double sum = 0.0;
    for ( uint32_t i = 0; i < bvh->leafCount; ++i )
    {
        sum += (double)growth[i];
    }
    return bvh->leafCount > 0 ? sum / bvh->leafCount : 1.0;
}

bool joBvh_Refit( joBvh* bvh, const joBoxSet* set, bool asBuilt )
{
    joRefit refit = { bvh, set, asBuilt };
    joParallelFor( bvh->context->jobs, bvh->leafCount, JO_REFIT_BLOCK, joRefitLeaves, &refit );
    joRefitNodes( bvh );
    joFindTypicalEdge( bvh );
    const float* growth = bvh->growth.data;
    for ( uint32_t i = 0; i < bvh->leafCount; ++i )
    {
        if ( growth[i] < 0.0f )
        {
            return false;
        }
    }
    return true;
}

void joBvh_Renumber( joBvh* bvh )
{
    uint32_t stack[JO_BVH_STACK_SIZE];
    uint32_t stackCount = 0, leafCount = 0, nodeCount = 0;
    uint32_t* leafOrder = bvh->leafOrder.data;
    uint32_t* nodeOrder = bvh->nodeOrder.data;
    float* growth = bvh->growth.data;
    if ( bvh->root != JO_NULL_INDEX )
    {
        stack[stackCount++] = bvh->root;
    }
    while ( stackCount > 0 )
    {
        uint32_t ref = stack[--stackCount];
        if ( ref & JO_BVH_LEAF_BIT )
        {
            joBvhLeaf* leaf = joBvh_Leaves( bvh ) + ( ref & ~JO_BVH_LEAF_BIT );
            double edges = joBvhEdges( leaf->bounds, bvh->context->axisCount );
            growth[leafCount] = joFindLeafGrowth( edges, leaf->builtEdges );
            leafOrder[leafCount++] = ref & ~JO_BVH_LEAF_BIT;
            leaf->rank = leafCount;
            continue;
        }
        nodeOrder[nodeCount++] = ref;
        for ( uint32_t lane = joBvh_Links( bvh )[ref].count; lane-- > 0; )
        {
            stack[stackCount++] = joBvh_Nodes( bvh )[ref].child[lane];
        }
    }
    while ( nodeCount-- > 0 )
    {
        joBvhNode* node = joBvh_Nodes( bvh ) + nodeOrder[nodeCount];
        for ( uint32_t lane = 0; lane < joBvh_Links( bvh )[nodeOrder[nodeCount]].count; ++lane )
        {
            uint32_t child = node->child[lane];
            // The last child's last leaf is the last of all.
            node->lastRank[lane] =
                child & JO_BVH_LEAF_BIT
                    ? joBvh_Leaves( bvh )[child & ~JO_BVH_LEAF_BIT].rank
                    : joBvh_Nodes( bvh )[child].lastRank[joBvh_Links( bvh )[child].count - 1];
        }
    }
    bvh->orderChanged = false;
    joFindTypicalEdge( bvh );
}
