// SPDX-License-Identifier: MIT
// jo_bvh: boxes put in, taken out and moved one by one.
//
// After Guttman's R-tree ("R-trees: a dynamic index structure for spatial searching", 1984): down to the
// child whose edges grow least, a full leaf or node splits in two, the root splits into a new level. Departs
// from it in that splits are at the median of the widest axis, and sparse nodes are not merged: when edits
// have thinned the tree out, worn it down or made it too deep, the whole is built anew, at a cost per edit
// that is bounded.
#include "base/assert.h"
#include "base/float_env.h"
#include "bvh.h"

// Edits since the last bulk build beyond which the next is due: this, and half of the boxes.
#define JO_FEW_EDITS 64

// A moved box stays in its leaf while the leaf's edges are not above this many times what they were when
// built.
#define JO_STAY_GROWTH 1.25

static void joSetChild( joBvh* bvh, uint32_t node, uint32_t lane, uint32_t child, const float bounds[6] )
{
    joBvh_Nodes( bvh )[node].child[lane] = child;
    joBvhNode_SetBounds( joBvh_Nodes( bvh ) + node, lane, bounds );
    if ( child & JO_BVH_LEAF_BIT )
    {
        joBvhLeaf* leaf = joBvh_Leaves( bvh ) + ( child & ~JO_BVH_LEAF_BIT );
        leaf->parent = node;
        leaf->lane = lane;
    }
    else
    {
        joBvh_Links( bvh )[child].parent = node;
        joBvh_Links( bvh )[child].lane = lane;
    }
}

static void joGetLane( const joBvhNode* node, uint32_t lane, float bounds[6] )
{
    for ( uint32_t k = 0; k < 3; ++k )
    {
        bounds[k] = node->lower[k][lane];
        bounds[3 + k] = node->upper[k][lane];
    }
}

// Places were reserved beforehand.
static uint32_t joNewNode( joBvh* bvh )
{
    uint32_t node = bvh->freeNode;
    if ( node != JO_NULL_INDEX )
    {
        bvh->freeNode = joBvh_Links( bvh )[node].parent;
    }
    else
    {
        node = bvh->nodeEnd++;
    }
    joBvh_InitNode( bvh, node, JO_NULL_INDEX, 0 );
    ++bvh->nodeCount;
    bvh->orderChanged = true;
    return node;
}

static uint32_t joNewLeaf( joBvh* bvh )
{
    uint32_t leaf = bvh->freeLeaf;
    if ( leaf != JO_NULL_INDEX )
    {
        bvh->freeLeaf = joBvh_Leaves( bvh )[leaf].parent;
    }
    else
    {
        leaf = bvh->leafEnd++;
    }
    joBvh_Leaves( bvh )[leaf] = ( joBvhLeaf ){ .count = 0 };
    ++bvh->leafCount;
    bvh->orderChanged = true;
    return leaf;
}

static void joFreeNode( joBvh* bvh, uint32_t node )
{
    joBvh_Links( bvh )[node] = ( joBvhLink ){ .parent = bvh->freeNode };
    bvh->freeNode = node;
    --bvh->nodeCount;
    bvh->orderChanged = true;
}

static void joFreeLeaf( joBvh* bvh, uint32_t leaf )
{
    joBvh_Leaves( bvh )[leaf].count = 0;
    joBvh_Leaves( bvh )[leaf].parent = bvh->freeLeaf;
    bvh->freeLeaf = leaf;
    --bvh->leafCount;
    bvh->orderChanged = true;
}

// Bounds of a node and all above it from their children; ends where nothing changes.
static void joRefitUp( joBvh* bvh, uint32_t node )
{
    for ( ; node != bvh->root; node = joBvh_Links( bvh )[node].parent )
    {
        joBvhLink link = joBvh_Links( bvh )[node];
        joBvhNode* parent = joBvh_Nodes( bvh ) + link.parent;
        float bounds[6], old[6];
        joBvhNode_GetBounds( joBvh_Nodes( bvh ) + node, link.count, bounds );
        joGetLane( parent, link.lane, old );
        bool same = true;
        for ( uint32_t k = 0; k < 6; ++k )
        {
            same = same && bounds[k] == old[k];
        }
        if ( same )
        {
            return;
        }
        joBvhNode_SetBounds( parent, link.lane, bounds );
    }
}

static void joRefitLeaf( joBvh* bvh, joBvhLeaf* leaf )
{
    joBvhLeaf_FindBounds( leaf, bvh->context->axisCount );
    joBvhNode_SetBounds( joBvh_Nodes( bvh ) + leaf->parent, leaf->lane, leaf->bounds );
    joRefitUp( bvh, leaf->parent );
}

// Positions 0 .. count - 1, sorted by centre on the axis where centres spread most.
static void joOrderByCentre( const double centres[][3], uint32_t count, uint32_t axisCount, uint32_t* order )
{
    uint32_t widest = 0;
    double widestSpread = -1.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        double lower = centres[0][k], upper = centres[0][k];
        for ( uint32_t i = 1; i < count; ++i )
        {
            lower = centres[i][k] < lower ? centres[i][k] : lower;
            upper = centres[i][k] > upper ? centres[i][k] : upper;
        }
        if ( upper - lower > widestSpread )
        {
            widestSpread = upper - lower;
            widest = k;
        }
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t j = i;
        for ( ; j > 0 && centres[order[j - 1]][widest] > centres[i][widest]; --j )
        {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
}

// Twice the centre, infinite bounds taken as far but finite, so that spreads are numbers.
static void joFindCentre( const float bounds[6], uint32_t axisCount, double centre[3] )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        double lower = bounds[k] < -1e38f ? -1e38 : (double)bounds[k];
        double upper = bounds[3 + k] > 1e38f ? 1e38 : (double)bounds[3 + k];
        centre[k] = lower + upper;
    }
}

// Moves the upper half of a full node's children and the new child to a new node, which is returned.
static uint32_t joSplitNode( joBvh* bvh, uint32_t node, uint32_t child, const float bounds[6] )
{
    uint32_t axisCount = bvh->context->axisCount;
    float boxes[JO_BVH_WIDTH + 1][6];
    uint32_t children[JO_BVH_WIDTH + 1];
    double centres[JO_BVH_WIDTH + 1][3];
    uint32_t order[JO_BVH_WIDTH + 1];
    for ( uint32_t i = 0; i <= JO_BVH_WIDTH; ++i )
    {
        if ( i < JO_BVH_WIDTH )
        {
            joGetLane( joBvh_Nodes( bvh ) + node, i, boxes[i] );
            children[i] = joBvh_Nodes( bvh )[node].child[i];
        }
        else
        {
            for ( uint32_t k = 0; k < 6; ++k )
            {
                boxes[i][k] = bounds[k];
            }
            children[i] = child;
        }
        joFindCentre( boxes[i], axisCount, centres[i] );
    }
    joOrderByCentre( (const double( * )[3])centres, JO_BVH_WIDTH + 1, axisCount, order );
    uint32_t other = joNewNode( bvh );
    joBvhLink link = joBvh_Links( bvh )[node];
    joBvh_InitNode( bvh, node, link.parent, link.lane );
    uint32_t kept = ( JO_BVH_WIDTH + 1 ) / 2;
    for ( uint32_t i = 0; i <= JO_BVH_WIDTH; ++i )
    {
        uint32_t target = i < kept ? node : other;
        joSetChild( bvh, target, i < kept ? i : i - kept, children[order[i]], boxes[order[i]] );
    }
    joBvh_Links( bvh )[node].count = kept;
    joBvh_Links( bvh )[other].count = JO_BVH_WIDTH + 1 - kept;
    return other;
}

// Adds a child to a node; full nodes split, up to the root. One turn for each level.
static void joAddChild( joBvh* bvh, uint32_t node, uint32_t child, const float bounds[6] )
{
    float childBounds[6];
    for ( uint32_t k = 0; k < 6; ++k )
    {
        childBounds[k] = bounds[k];
    }
    while ( joBvh_Links( bvh )[node].count == JO_BVH_WIDTH )
    {
        child = joSplitNode( bvh, node, child, childBounds );
        joBvhNode_GetBounds( joBvh_Nodes( bvh ) + child, joBvh_Links( bvh )[child].count, childBounds );
        if ( node == bvh->root )
        {
            float bounds0[6];
            joBvhNode_GetBounds( joBvh_Nodes( bvh ) + node, joBvh_Links( bvh )[node].count, bounds0 );
            bvh->root = joNewNode( bvh );
            joBvh_Links( bvh )[bvh->root].count = 1;
            joSetChild( bvh, bvh->root, 0, node, bounds0 );
            ++bvh->depth;
        }
        else
        {
            joRefitUp( bvh, node );
        }
        node = joBvh_Links( bvh )[node].parent;
    }
    joSetChild( bvh, node, joBvh_Links( bvh )[node].count++, child, childBounds );
    joRefitUp( bvh, node );
}

// Takes a child out of a node; nodes left empty go too. The root is not: builds come here for a quarter of
// the boxes at most.
static void joRemoveChild( joBvh* bvh, uint32_t node, uint32_t lane )
{
    for ( ;; )
    {
        joBvhNode* n = joBvh_Nodes( bvh ) + node;
        joBvhLink link = joBvh_Links( bvh )[node];
        uint32_t last = link.count - 1;
        if ( last == 0 )
        {
            JO_ASSERT( node != bvh->root );
            joFreeNode( bvh, node );
            node = link.parent;
            lane = link.lane;
            continue;
        }
        if ( lane != last ) // else the lane's child is free already, and its links with it
        {
            float bounds[6];
            joGetLane( n, last, bounds );
            joSetChild( bvh, node, lane, n->child[last], bounds );
        }
        n->child[last] = JO_NULL_INDEX;
        n->lastRank[last] = 0;
        joBvh_Links( bvh )[node].count = last;
        joRefitUp( bvh, node );
        return;
    }
}

static void joStoreBox(
    joBvhLeaf* leaf, uint32_t i, const joBoxRecord* record, uint32_t slot, uint32_t axisCount )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        leaf->lower[k][i] = record->lower[k];
        leaf->upper[k][i] = record->upper[k];
    }
    leaf->index[i] = slot | JO_OWNER_BITS;
}

static void joAppendBox( joBvh* bvh, uint32_t leaf, const joBoxRecord* record, uint32_t slot )
{
    joBvhLeaf* l = joBvh_Leaves( bvh ) + leaf;
    joStoreBox( l, l->count++, record, slot, bvh->context->axisCount );
    ( (uint32_t*)bvh->slotLeaf.data )[slot] = leaf;
}

// Divides a full leaf and one more box between the leaf and a new one.
static void joSplitLeaf( joBvh* bvh, uint32_t leaf, const joBoxRecord* record, uint32_t slot )
{
    uint32_t axisCount = bvh->context->axisCount;
    joBoxRecord boxes[JO_BVH_LEAF_SIZE + 1];
    uint32_t slots[JO_BVH_LEAF_SIZE + 1];
    double centres[JO_BVH_LEAF_SIZE + 1][3];
    uint32_t order[JO_BVH_LEAF_SIZE + 1];
    uint32_t other = joNewLeaf( bvh );
    joBvhLeaf* l = joBvh_Leaves( bvh ) + leaf;
    for ( uint32_t i = 0; i <= JO_BVH_LEAF_SIZE; ++i )
    {
        float bounds[6] = { 0.0f };
        boxes[i] = *record;
        slots[i] = slot;
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            if ( i < JO_BVH_LEAF_SIZE )
            {
                boxes[i].lower[k] = l->lower[k][i];
                boxes[i].upper[k] = l->upper[k][i];
                slots[i] = l->index[i] & JO_INDEX_MASK;
            }
            bounds[k] = boxes[i].lower[k];
            bounds[3 + k] = boxes[i].upper[k];
        }
        joFindCentre( bounds, axisCount, centres[i] );
    }
    joOrderByCentre( (const double( * )[3])centres, JO_BVH_LEAF_SIZE + 1, axisCount, order );
    l->count = 0;
    for ( uint32_t i = 0; i <= JO_BVH_LEAF_SIZE; ++i )
    {
        joAppendBox( bvh, i <= JO_BVH_LEAF_SIZE / 2 ? leaf : other, boxes + order[i], slots[order[i]] );
    }
    joBvhLeaf* o = joBvh_Leaves( bvh ) + other;
    joBvhLeaf_FindBounds( o, axisCount );
    o->builtEdges = joBvhEdges( o->bounds, axisCount );
    joRefitLeaf( bvh, l );
    l->builtEdges = joBvhEdges( l->bounds, axisCount );
    joAddChild( bvh, l->parent, other | JO_BVH_LEAF_BIT, o->bounds );
}

// The leaf for a box: down to the child whose edges grow least; of equals the smallest, then the first.
static uint32_t joChooseLeaf( const joBvh* bvh, const joBoxRecord* record )
{
    uint32_t axisCount = bvh->context->axisCount;
    uint32_t ref = bvh->root;
    while ( !( ref & JO_BVH_LEAF_BIT ) )
    {
        const joBvhNode* node = joBvh_Nodes( bvh ) + ref;
        uint32_t best = 0;
        double bestGrowth = 0.0, bestEdges = 0.0;
        for ( uint32_t lane = 0; lane < joBvh_Links( bvh )[ref].count; ++lane )
        {
            float bounds[6], grown[6];
            joGetLane( node, lane, bounds );
            for ( uint32_t k = 0; k < 3; ++k )
            {
                grown[k] = record->lower[k] < bounds[k] ? record->lower[k] : bounds[k];
                grown[3 + k] = record->upper[k] > bounds[3 + k] ? record->upper[k] : bounds[3 + k];
            }
            double edges = joBvhEdges( bounds, axisCount );
            double growth = joBvhEdges( grown, axisCount ) - edges;
            if ( lane == 0 || growth < bestGrowth || ( growth == bestGrowth && edges < bestEdges ) )
            {
                best = lane;
                bestGrowth = growth;
                bestEdges = edges;
            }
        }
        ref = node->child[best];
    }
    return ref & ~JO_BVH_LEAF_BIT;
}

// Room for a split of a leaf and of every node above it, and of the root. False if a bulk build is due, or on
// failure.
static bool joMakeRoom( joBvh* bvh, uint32_t boxCount, joResult* result )
{
    uint32_t leafCount = bvh->leafCount + 1, nodeCount = bvh->nodeCount + bvh->depth + 2;
    if ( leafCount > joBvhLeafLimit( boxCount ) || nodeCount > joBvhNodeLimit( boxCount ) ||
         bvh->depth + 1 > JO_BVH_MAX_DEPTH || bvh->editCount > JO_FEW_EDITS + boxCount / 2 )
    {
        return false;
    }
    // Free places count too: as many as there ever were, less those in use.
    *result = joBvh_ReserveTree( bvh, leafCount > bvh->leafEnd ? leafCount : bvh->leafEnd,
        nodeCount > bvh->nodeEnd ? nodeCount : bvh->nodeEnd );
    return *result == jo_success;
}

bool joBvh_Insert( joBvh* bvh, const joBoxSet* set, uint32_t slot, joResult* result )
{
    if ( !joMakeRoom( bvh, set->liveCount, result ) )
    {
        return false;
    }
    const joBoxRecord* record = set->records + slot;
    ++bvh->editCount;
    ++bvh->boxCount;
    uint32_t leaf = joChooseLeaf( bvh, record );
    joBvhLeaf* l = joBvh_Leaves( bvh ) + leaf;
    if ( l->count == JO_BVH_LEAF_SIZE )
    {
        joSplitLeaf( bvh, leaf, record, slot );
        return true;
    }
    joAppendBox( bvh, leaf, record, slot );
    joRefitLeaf( bvh, l );
    // What a new member adds is no growth by motion.
    double edges = joBvhEdges( l->bounds, bvh->context->axisCount );
    l->builtEdges = edges > l->builtEdges ? edges : l->builtEdges;
    return true;
}

static uint32_t joFindInLeaf( const joBvhLeaf* leaf, uint32_t slot )
{
    uint32_t i = 0;
    while ( ( leaf->index[i] & JO_INDEX_MASK ) != slot )
    {
        ++i;
    }
    return i;
}

void joBvh_Remove( joBvh* bvh, uint32_t slot )
{
    uint32_t leaf = joBvh_LeafOf( bvh, slot );
    joBvhLeaf* l = joBvh_Leaves( bvh ) + leaf;
    uint32_t i = joFindInLeaf( l, slot ), last = l->count - 1;
    for ( uint32_t k = 0; k < 3; ++k )
    {
        l->lower[k][i] = l->lower[k][last];
        l->upper[k][i] = l->upper[k][last];
    }
    l->index[i] = l->index[last];
    l->count = last;
    ( (uint32_t*)bvh->slotLeaf.data )[slot] = JO_NULL_INDEX;
    ++bvh->editCount;
    --bvh->boxCount;
    if ( last > 0 )
    {
        joRefitLeaf( bvh, l );
        return;
    }
    uint32_t parent = l->parent, lane = l->lane;
    joFreeLeaf( bvh, leaf );
    joRemoveChild( bvh, parent, lane );
}

bool joBvh_Move( joBvh* bvh, const joBoxSet* set, uint32_t slot, joResult* result )
{
    uint32_t axisCount = bvh->context->axisCount;
    joBvhLeaf* leaf = joBvh_Leaves( bvh ) + joBvh_LeafOf( bvh, slot );
    joStoreBox( leaf, joFindInLeaf( leaf, slot ), set->records + slot, slot, axisCount );
    joBvhLeaf_FindBounds( leaf, axisCount );
    if ( joBvhEdges( leaf->bounds, axisCount ) <= leaf->builtEdges * JO_STAY_GROWTH )
    {
        joRefitLeaf( bvh, leaf );
        return true;
    }
    joBvh_Remove( bvh, slot );
    return joBvh_Insert( bvh, set, slot, result );
}
