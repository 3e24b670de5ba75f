// SPDX-License-Identifier: MIT
// jo_bvh: checks every invariant, by a walk over the tree.
#include "base/float_env.h"
#include "bvh.h"

typedef struct joBvhCheck
{
    const joBvh* bvh;
    const joBoxSet* set;
    bool current; // the set has not changed since the build
    uint32_t rank;
    uint32_t nodeCount;
    uint32_t boxCount;
} joBvhCheck;

static bool joBoundsContain( const float bounds[6], float lower, float upper, uint32_t axis )
{
    return bounds[axis] <= lower && upper <= bounds[3 + axis];
}

static bool joCheckBox( const joBvhCheck* check, const joBvhLeaf* leaf, uint32_t i )
{
    uint32_t slot = leaf->index[i] & JO_INDEX_MASK;
    bool good = ( leaf->index[i] & JO_OWNER_BITS ) == JO_OWNER_BITS && slot < check->bvh->slotCount &&
                joBvh_Leaves( check->bvh ) + joBvh_LeafOf( check->bvh, slot ) == leaf;
    if ( good && check->current )
    {
        good = slot < check->set->count;
    }
    for ( uint32_t k = 0; good && k < check->bvh->context->axisCount; ++k )
    {
        good = joBoundsContain( leaf->bounds, leaf->lower[k][i], leaf->upper[k][i], k );
        if ( good && check->current )
        {
            const joBoxRecord* record = check->set->records + slot;
            good = record->lower[k] == leaf->lower[k][i] && record->upper[k] == leaf->upper[k][i];
        }
    }
    // A slot that stands twice in one leaf; in two leaves it would fail above.
    for ( uint32_t j = 0; good && j < i; ++j )
    {
        good = leaf->index[j] != leaf->index[i];
    }
    return good;
}

static bool joCheckLeaf( joBvhCheck* check, uint32_t leaf, uint32_t parent, uint32_t lane )
{
    const joBvhLeaf* l = joBvh_Leaves( check->bvh ) + leaf;
    const joBvhNode* node = joBvh_Nodes( check->bvh ) + parent;
    bool good = leaf < check->bvh->leafEnd && l->parent == parent && l->lane == lane && l->count > 0 &&
                l->count <= JO_BVH_LEAF_SIZE && l->rank == ++check->rank &&
                check->rank <= check->bvh->leafCount &&
                ( (const uint32_t*)check->bvh->leafOrder.data )[l->rank - 1] == leaf &&
                node->lastRank[lane] == l->rank;
    for ( uint32_t k = 0; good && k < check->bvh->context->axisCount; ++k )
    {
        good = node->lower[k][lane] == l->bounds[k] && node->upper[k][lane] == l->bounds[3 + k];
    }
    for ( uint32_t i = 0; good && i < l->count; ++i )
    {
        good = joCheckBox( check, l, i );
    }
    check->boxCount += l->count;
    return good;
}

static bool joCheckNode( joBvhCheck* check, uint32_t node )
{
    const joBvh* bvh = check->bvh;
    const joBvhNode* n = joBvh_Nodes( bvh ) + node;
    joBvhLink link = joBvh_Links( bvh )[node];
    bool good = node < bvh->nodeEnd && link.count > 0 && link.count <= JO_BVH_WIDTH &&
                ++check->nodeCount <= bvh->nodeCount;
    for ( uint32_t lane = link.count; good && lane < JO_BVH_WIDTH; ++lane )
    {
        good = n->child[lane] == JO_NULL_INDEX && n->lastRank[lane] == 0;
    }
    if ( !good || node == bvh->root )
    {
        return good && link.parent == JO_NULL_INDEX;
    }
    const joBvhNode* parent = joBvh_Nodes( bvh ) + link.parent;
    float bounds[6];
    joBvhNode_GetBounds( n, link.count, bounds );
    for ( uint32_t k = 0; good && k < bvh->context->axisCount; ++k )
    {
        good = parent->lower[k][link.lane] == bounds[k] && parent->upper[k][link.lane] == bounds[3 + k];
    }
    return good && parent->child[link.lane] == node &&
           parent->lastRank[link.lane] == n->lastRank[link.count - 1];
}

// Depth first: leaves must come in the order of their ranks.
static bool joCheckTree( joBvhCheck* check )
{
    const joBvh* bvh = check->bvh;
    struct
    {
        uint32_t node, lane;
    } path[JO_BVH_MAX_DEPTH];
    uint32_t depth = 1;
    path[0].node = bvh->root;
    path[0].lane = 0;
    if ( !joCheckNode( check, bvh->root ) )
    {
        return false;
    }
    while ( depth > 0 )
    {
        uint32_t node = path[depth - 1].node, lane = path[depth - 1].lane++;
        if ( lane == joBvh_Links( bvh )[node].count )
        {
            --depth;
            continue;
        }
        uint32_t child = joBvh_Nodes( bvh )[node].child[lane];
        if ( child & JO_BVH_LEAF_BIT )
        {
            if ( !joCheckLeaf( check, child & ~JO_BVH_LEAF_BIT, node, lane ) )
            {
                return false;
            }
            continue;
        }
        if ( depth == bvh->depth || depth == JO_BVH_MAX_DEPTH || joBvh_Links( bvh )[child].parent != node ||
             joBvh_Links( bvh )[child].lane != lane || !joCheckNode( check, child ) )
        {
            return false;
        }
        path[depth].node = child;
        path[depth++].lane = 0;
    }
    return true;
}

bool joBvh_Validate( const void* structure, const joBoxSet* set )
{
    const joBvh* bvh = structure;
    joBvhCheck check = { .bvh = bvh, .set = set, .current = !set->allChanged && set->changedCount == 0 };
    if ( bvh->root == JO_NULL_INDEX )
    {
        return bvh->nodeCount == 0 && bvh->leafCount == 0 && bvh->boxCount == 0 &&
               ( !check.current || set->liveCount == 0 );
    }
    if ( !joCheckTree( &check ) || check.nodeCount != bvh->nodeCount || check.rank != bvh->leafCount ||
         check.boxCount != bvh->boxCount )
    {
        return false;
    }
    // Each box of the tree is held by the leaf its slot names: as many slots with a leaf as boxes means each
    // once.
    uint32_t held = 0;
    for ( uint32_t slot = 0; slot < bvh->slotCount; ++slot )
    {
        held += joBvh_LeafOf( bvh, slot ) != JO_NULL_INDEX;
    }
    return held == bvh->boxCount && ( !check.current || bvh->boxCount == set->liveCount );
}
