// SPDX-License-Identifier: MIT
// jo_tree: a linear quadtree (2 axes) or octree (3), after Gargantini, "An effective way to represent
// quadtrees" (1982), with the loose cells of Ulrich, "Loose octrees" (Game Programming Gems, 2000).
//
// Nothing is inserted: a build finds the level and cell of every box by arithmetic (tree_place.c), sorts the
// boxes by cell along the Z-order curve, and walks them once to find the nodes (tree_build.c). Strict: a box
// sinks as deep as one cell holds both its ends, and a node that has, with all below, at most leafCapacity
// boxes keeps them; so equal points end at maxDepth, or in one leaf. Loose: the level follows from the size,
// the cell from the centre.
//
// A node's own boxes are one range, and so are all boxes of a subtree, and all its nodes: a traversal is a
// loop over an array in pre-order that jumps over what it does not meet. It needs no stack and so cannot
// overflow one. What is jumped over is decided by the true bounds of the boxes, not by cells: objects outside
// the root's bounds (they fall to the cells at its border), infinite ones and rounding cannot lose a pair.
// Nodes with many boxes of their own, as a strict tree has at its top, keep these in spatial order too, in
// chunks with bounds.
#include "broad_phase/tree.h"
#include "base/radix_sort.h"
#include "broad_phase/kinds.h"

static void initTree( void* structure, const joStructureContext* context )
{
    joTree* tree = structure;
    tree->context = context;
    tree->loose = context->def->looseness > 1.0f;
}

static void destroyTree( void* structure )
{
    joTree* tree = structure;
    joMemory* memory = tree->context->memory;
    for ( int k = 0; k < 6; ++k )
    {
        joArray_Free( &tree->bounds[k], memory, sizeof( float ) );
    }
    joArray_Free( &tree->index, memory, sizeof( uint32_t ) );
    joArray_Free( &tree->ends, memory, sizeof( uint32_t ) );
    joArray_Free( &tree->next, memory, sizeof( uint32_t ) );
    joArray_Free( &tree->keys, memory, sizeof( joKeyValue ) );
    joArray_Free( &tree->sorting, memory, sizeof( joKeyValue ) );
    joArray_Free( &tree->levels, memory, 1 );
    joArray_Free( &tree->common, memory, 1 );
    joArray_Free( &tree->records, memory, sizeof( joTreeRecord ) );
    joArray_Free( &tree->entries, memory, sizeof( joTreeEntry ) );
    joArray_Free( &tree->groups, memory, sizeof( joTreeGroup ) );
    joArray_Free( &tree->scratch, memory, sizeof( joTreeScratch ) );
    joColumnStore_Free( &tree->levelBounds, memory );
    joArray_Free( &tree->children, memory, sizeof( uint32_t ) );
}

static joResult reserveTree( void* structure, uint32_t count )
{
    return joTree_Reserve( structure, count );
}

static float costQuery( const void* structure )
{
    (void)structure;
    return 650.0f;
}

static void addTreeStats( const void* structure, joBroadPhaseStats* stats )
{
    const joTree* tree = structure;
    stats->cells += tree->nodeCount;
    stats->depth = tree->depth > stats->depth ? tree->depth : stats->depth;
}

const joStructureKind joTreeKind = {
    .name = "tree",
    .size = sizeof( joTree ),
    .init = initTree,
    .destroy = destroyTree,
    .reserve = reserveTree,
    .build = joTree_Build,
    .findPairs = joTree_FindPairs,
    .prepare = joTree_Prepare,
    .query = joTree_Query,
    .queryCost = costQuery,
    .addStats = addTreeStats,
    .validate = joTree_Validate,
};
