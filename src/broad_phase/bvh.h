// SPDX-License-Identifier: MIT
// The bounding-volume hierarchy of jo_bvh: nodes of eight children, leaves of up to sixteen boxes.
//
// Layout: a node is four cache lines of columns that one SIMD test reads; a leaf is eight, its boxes as
// columns in the order the kernels want. After a bulk build, nodes and leaves lie in depth-first order, so
// that neighbours in space are neighbours in memory.
//
// Ranks: leaves are numbered from 1 in depth-first order; a child carries the highest rank below it. A pair
// of leaves is visited from the lower rank only, and a subtree of only lower ranks is pruned at its top. An
// unused lane has rank 0, so that it is never entered, whatever the query (an infinite box overlaps even an
// inverted one).
#pragma once

#include "base/float_env.h"
#include "simd/bvh_nodes.h"
#include "structure.h"

// Bulk builds put boxes that are far larger than most into subtrees of their own, at most this many in all.
#define JO_BVH_MAX_CLASSES 4

// Subtrees of more leaves than this may be built as tasks of their own.
#define JO_BVH_TASK_MINIMUM 64

// What only edits and refits need of a node.
typedef struct joBvhLink
{
    uint32_t parent; // JO_NULL_INDEX: root. Of a free node: the next free one
    uint32_t lane;   // in the parent
    uint32_t count;  // children
} joBvhLink;

// A box on its way into the tree.
typedef struct joBvhItem
{
    float centre[3];
    uint32_t slot;
} joBvhItem;

// A range of items that becomes a subtree at places known beforehand, on any thread.
typedef struct joBvhTask
{
    uint32_t firstItem, itemCount;
    uint32_t leafCount;
    uint32_t firstNode, firstLeaf;
    uint32_t parent, lane; // parent JO_NULL_INDEX: the root
} joBvhTask;

typedef struct joBvh
{
    const joStructureContext* context;
    joArray nodes;     // joBvhNode
    joArray links;     // joBvhLink, beside nodes
    joArray leaves;    // joBvhLeaf
    joArray leafOrder; // uint32_t: leaf of rank i + 1
    joArray nodeOrder; // uint32_t: nodes, parents before children
    joArray
        growth; // float, by rank - 1: edges of a leaf now to when it was built; negative: holds a dead box
    joArray slotLeaf; // uint32_t: leaf of each slot, JO_NULL_INDEX if it has none
    joArray items;    // joBvhItem, for bulk builds
    joArray tasks;    // joBvhTask, for bulk builds
    uint32_t root;    // a node; JO_NULL_INDEX: empty
    uint32_t nodeCount, nodeEnd, freeNode;
    uint32_t leafCount, leafEnd, freeLeaf;
    uint32_t slotCount; // entries of slotLeaf in use
    uint32_t boxCount;
    uint32_t taskCount;
    uint32_t depth;       // levels of nodes, at most (removals do not lower it)
    uint32_t editCount;   // boxes put in or taken out since the last bulk build
    double wear;          // what searches have lost to growth of the leaves since then, see bvh.c
    bool orderChanged;    // leaves or nodes came or went since ranks were given
    float typicalEdge[3]; // median edges of a sample of leaves, > 0
} joBvh;

static inline joBvhNode* joBvh_Nodes( const joBvh* bvh )
{
    return bvh->nodes.data;
}

static inline joBvhLink* joBvh_Links( const joBvh* bvh )
{
    return bvh->links.data;
}

static inline joBvhLeaf* joBvh_Leaves( const joBvh* bvh )
{
    return bvh->leaves.data;
}

static inline uint32_t joBvh_LeafOf( const joBvh* bvh, uint32_t slot )
{
    return slot < bvh->slotCount ? ( (const uint32_t*)bvh->slotLeaf.data )[slot] : JO_NULL_INDEX;
}

// A free slot holds an inverted box.
static inline bool joBvhIsLive( const joBoxRecord* record )
{
    return record->lower[0] <= record->upper[0];
}

static inline joBoxColumns joBvhNode_Columns( const joBvhNode* node )
{
    joBvhNode* n = (joBvhNode*)(uintptr_t)node; // kernels only read
    return ( joBoxColumns ){ .lower = { n->lower[0], n->lower[1], n->lower[2] },
        .upper = { n->upper[0], n->upper[1], n->upper[2] },
        .index = n->child };
}

static inline joBoxColumns joBvhLeaf_Columns( const joBvhLeaf* leaf )
{
    joBvhLeaf* l = (joBvhLeaf*)(uintptr_t)leaf; // kernels only read
    return ( joBoxColumns ){ .lower = { l->lower[0], l->lower[1], l->lower[2] },
        .upper = { l->upper[0], l->upper[1], l->upper[2] },
        .index = l->index };
}

// Asks memory for a node, or for what searches for boxes read of a leaf.
static inline void joBvh_Prefetch( const joBvh* bvh, uint32_t child )
{
    if ( child & JO_BVH_LEAF_BIT )
    {
        const joBvhLeaf* leaf = joBvh_Leaves( bvh ) + ( child & ~JO_BVH_LEAF_BIT );
        for ( uint32_t k = 0; k < bvh->context->axisCount; ++k )
        {
            __builtin_prefetch( leaf->lower[k] );
            __builtin_prefetch( leaf->upper[k] );
        }
        __builtin_prefetch( leaf->index );
        __builtin_prefetch( &leaf->count );
        return;
    }
    const char* node = (const char*)( joBvh_Nodes( bvh ) + child );
    for ( size_t line = 0; line < sizeof( joBvhNode ); line += JO_ALIGNMENT )
    {
        __builtin_prefetch( node + line );
    }
}

// bvh.c: the ground the others stand on.

// How many leaves and nodes a tree of this many boxes may have before a bulk build; it needs about half.
uint32_t joBvhLeafLimit( uint32_t boxCount );
uint32_t joBvhNodeLimit( uint32_t boxCount );
// No boxes; keeps the memory.
void joBvh_Clear( joBvh* bvh );
// Room for this many leaves and nodes, with what goes with them. Keeps the tree.
joResult joBvh_ReserveTree( joBvh* bvh, uint32_t leafCount, uint32_t nodeCount );
// Entries of slotLeaf for slots [0, count); new ones have no leaf.
joResult joBvh_ReserveSlots( joBvh* bvh, uint32_t count );
// Sum of the edges; infinite bounds are taken as the largest finite ones, so that no NaN can come of them.
double joBvhEdges( const float bounds[6], uint32_t axisCount );
// Sorts in place, without memory of its own.
void joBvhSortFloats( float* values, uint32_t count );

// bvh_split.c: rearranges items so that no centre of the first `left` ones on the axis where centres spread
// most is above one of the others'. O(count), whatever the values. 0 < left < count.
void joBvhSplitItems( joBvhItem* items, uint32_t count, uint32_t left, uint32_t axisCount );

// bvh_build.c: builds anew from all live boxes. On failure the tree is empty.
joResult joBvh_BuildAll( joBvh* bvh, const joBoxSet* set );

// bvh_edit.c: single boxes. Ranks must be given anew before the next query (joBvh_Renumber).
// False: a bulk build is due instead (too many edits, too deep, too sparse); the tree is still valid, without
// the box. *result gets a failure of memory (then false too). Insert: the slot must have no leaf.
bool joBvh_Insert( joBvh* bvh, const joBoxSet* set, uint32_t slot, joResult* result );
void joBvh_Remove( joBvh* bvh, uint32_t slot );
// A box that has changed: stays in its leaf where that is good enough, else goes out and in again.
bool joBvh_Move( joBvh* bvh, const joBoxSet* set, uint32_t slot, joResult* result );

// bvh_refit.c

// An empty node, all lanes unused.
void joBvh_InitNode( joBvh* bvh, uint32_t node, uint32_t parent, uint32_t lane );
// Loads the boxes of a leaf's slots and finds its bounds. False: at least one is dead, bounds are not valid.
bool joBvh_LoadLeaf( const joBvh* bvh, joBvhLeaf* leaf, const joBoxSet* set );
// Bounds from the leaf's columns.
void joBvhLeaf_FindBounds( joBvhLeaf* leaf, uint32_t axisCount );
void joBvhNode_GetBounds( const joBvhNode* node, uint32_t count, float bounds[6] );
void joBvhNode_SetBounds( joBvhNode* node, uint32_t lane, const float bounds[6] );
// Loads all boxes and finds all bounds, the order of the leaves kept. `asBuilt`: growth is measured from here
// on. False: a leaf holds a dead box; the tree is not valid until such boxes are out and this was called
// again.
bool joBvh_Refit( joBvh* bvh, const joBoxSet* set, bool asBuilt );
// Gives ranks in depth-first order. The tree must be valid otherwise.
void joBvh_Renumber( joBvh* bvh );
// Mean growth of the leaves since they were built, each counted up to 4.
double joBvh_GetGrowth( const joBvh* bvh );

// bvh_pairs.c
joResult joBvh_FindPairs( void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector );

// bvh_query.c
void joBvh_Query( const void* structure, joProbe* probe );

// bvh_stream.c
void joBvh_QueryStream( const void* structure, joRayStream* stream );

// bvh_validate.c
bool joBvh_Validate( const void* structure, const joBoxSet* set );
