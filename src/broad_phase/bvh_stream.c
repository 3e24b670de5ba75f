// SPDX-License-Identifier: MIT
// jo_bvh: streams of rays. All rays of a stream go down the tree together: a node is loaded once, tested
// against every ray that came to it, and each child gets the list of those that may meet it (John A. Tsakok,
// "Faster Incoherent Rays: Multi-BVH Ray Stream Tracing", 2009). What a ray meets decides no branch, so that
// none is guessed wrongly.
//
// Depth first; children in the order in which rays that point this way come to them, as far as the octant
// they point into tells.
#include "base/float_env.h"
#include "bvh.h"

_Static_assert( JO_STREAM_SCRATCH >= ( 2 * JO_BVH_MAX_DEPTH + 2 ) * ( JO_STREAM_RAYS + JO_LANE_PADDING ),
    "masks and a list for each level, and those of a leaf" );

// Rays that came to a node or leaf, and what is left of the scratch.
typedef struct Visit
{
    const uint32_t* list;
    uint32_t count;
    uint32_t* scratch;
} Visit;

static void visitLeaf( const joBvhLeaf* leaf, joRayStream* stream, Visit visit )
{
    uint32_t* masks = visit.scratch;
    const uint32_t live = ( 1u << leaf->count ) - 1;
    const uint32_t any = stream->kernels->meetLeaf[stream->axisCount - 2](
        leaf, &stream->lanes, visit.list, visit.count, masks );
    if ( ( any & live ) == 0 )
    {
        return;
    }
    for ( uint32_t i = 0; i < visit.count; ++i )
    {
        uint32_t slots[JO_BVH_LEAF_SIZE];
        uint32_t slotCount = 0;
        for ( uint32_t lanes = masks[i] & live; lanes != 0; lanes &= lanes - 1 )
        {
            slots[slotCount++] = leaf->index[__builtin_ctz( lanes )];
        }
        if ( slotCount > 0 )
        {
            stream->take( stream, visit.list[i], slots, slotCount );
        }
    }
}

static void prefetchChild( const joBvh* bvh, uint32_t child )
{
    const bool isLeaf = ( child & JO_BVH_LEAF_BIT ) != 0;
    const char* memory = isLeaf ? (const char*)( joBvh_Leaves( bvh ) + ( child & ~JO_BVH_LEAF_BIT ) )
                                : (const char*)( joBvh_Nodes( bvh ) + child );
    const size_t size = isLeaf ? sizeof( joBvhLeaf ) : sizeof( joBvhNode );
    for ( size_t line = 0; line < size; line += JO_ALIGNMENT )
    {
        __builtin_prefetch( memory + line );
    }
}

// The lanes of `lanes` that are in use, in the order in which the octant comes to their near corners. Returns
// how many.
static uint32_t orderChildren(
    const joBvhNode* node, uint32_t lanes, const joRayStream* stream, uint32_t order[JO_BVH_WIDTH] )
{
    float places[JO_BVH_WIDTH];
    uint32_t count = 0;
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
        if ( node->child[lane] == JO_NULL_INDEX )
        {
            break; // used lanes come first
        }
        float place = 0.0f;
        for ( uint32_t axis = 0; axis < stream->axisCount; ++axis )
        {
            place += stream->lanes.isBackward[axis] ? -node->upper[axis][lane] : node->lower[axis][lane];
        }
        uint32_t k = count++;
        for ( ; k > 0 && places[k - 1] > place; --k )
        {
            places[k] = places[k - 1];
            order[k] = order[k - 1];
        }
        places[k] = place;
        order[k] = lane;
    }
    return count;
}

// As deep as the tree, which is JO_BVH_MAX_DEPTH at most.
static void visitNode( const joBvh* bvh, uint32_t reference, joRayStream* stream, Visit visit )
{
    const joBvhNode* node = joBvh_Nodes( bvh ) + reference;
    uint32_t* masks = visit.scratch;
    uint32_t* list = masks + visit.count + JO_LANE_PADDING;
    const uint32_t any = stream->kernels->meetNode[stream->axisCount - 2](
        node, &stream->lanes, visit.list, visit.count, masks );
    uint32_t order[JO_BVH_WIDTH];
    const uint32_t childCount = orderChildren( node, any & 0xFF, stream, order );
    for ( uint32_t i = 0; i < childCount; ++i )
    {
        prefetchChild( bvh, node->child[order[i]] );
    }
    for ( uint32_t i = 0; i < childCount; ++i )
    {
        const uint32_t child = node->child[order[i]];
        const uint32_t count = stream->kernels->pickListed( visit.list, masks, visit.count, order[i], list );
        const Visit next = { list, count, list + count + JO_LANE_PADDING };
        if ( child & JO_BVH_LEAF_BIT )
        {
            visitLeaf( joBvh_Leaves( bvh ) + ( child & ~JO_BVH_LEAF_BIT ), stream, next );
        }
        else
        {
            visitNode( bvh, child, stream, next );
        }
    }
}

void joBvh_QueryStream( const void* structure, joRayStream* stream )
{
    const joBvh* bvh = structure;
    if ( bvh->root == JO_NULL_INDEX )
    {
        return;
    }
    uint32_t* list = stream->scratch;
    for ( uint32_t i = 0; i < stream->count; ++i )
    {
        list[i] = i;
    }
    visitNode(
        bvh, bvh->root, stream, ( Visit ){ list, stream->count, list + stream->count + JO_LANE_PADDING } );
}
