// SPDX-License-Identifier: MIT
// The linear quadtree and octree: what its files share. tree.c opens with how it works.
#pragma once

#include "base/float_env.h"
#include "broad_phase/box_columns.h"

// Items of an entry: about as many as one or two vectors test at once.
#define JO_TREE_CHUNK 16u
// Items of a group: few enough that it stays small in space, enough to share a traversal.
#define JO_TREE_GROUP 24u
// Groups of chunks under one wrapper.
#define JO_TREE_FANOUT 4u
// Digits of a quantised coordinate. At least JO_MAX_TREE_DEPTH; a float keeps 24.
#define JO_TREE_DIGITS 20u
// Records are read in tree order, which is none in memory: so many items ahead they are asked for. At most
// JO_LANE_PADDING.
#define JO_TREE_AHEAD 12u
// Candidates gathered before they are joined with their group; the positions of one filter call.
#define JO_TREE_CANDIDATES 512u

#define JO_TREE_INLINE static inline __attribute__( ( always_inline ) )

// How coordinates become cells. The cell is monotone in the coordinate: that, and nothing else, is relied on.
typedef struct joTreeRoot
{
    float origin[3];
    float scale[3];   // finest cells (2^JO_TREE_DIGITS an axis) per world unit; 0: the axis does not divide
    float fitting[3]; // loose: 1 / ( ( looseness - 1 ) * root size ): an object of this size fits level 0
} joTreeRoot;

// A node while the tree is made. Records come in reversed pre-order, so a subtree is [mark, its own index].
typedef struct joTreeRecord
{
    uint32_t head, tail; // own items, a list through joTree.next of positions in cell order
    uint32_t own;
    uint32_t total; // own items and all below
    uint32_t mark;
    uint32_t first; // where its items begin in the finished tree: its own, then those below
    uint32_t entry; // of nodes with more than a chunk in all
    uint32_t level;
} joTreeRecord;

// What traversals walk: nodes and chunks of the items of large nodes, in pre-order. An entry's own items are
// [first, first of the next entry); its bounds hold those and all of the entries up to `skip`.
typedef struct joTreeEntry
{
    float lower[3];
    float upper[3];
    uint32_t first;
    uint32_t skip;
} joTreeEntry;

// A run of items, near in space, that goes through the tree together.
typedef struct joTreeGroup
{
    float bounds[6];
    uint32_t first; // items [first, first of the next group)
    uint32_t entry; // the entries it is made of: [entry, start)
    uint32_t start; // where its traversal starts
    uint32_t node;  // strict: the traversal ends where this entry's subtree ends
} joTreeGroup;

typedef struct joTreeScratch
{
    uint32_t hits[JO_TREE_CANDIDATES + JO_LANE_PADDING];
    float bounds[6][JO_TREE_CANDIDATES + JO_LANE_PADDING];
    uint32_t index[JO_TREE_CANDIDATES + JO_LANE_PADDING];
} joTreeScratch;

typedef struct joTree
{
    const joStructureContext* context;
    bool loose;
    bool built;

    joTreeRoot root;
    uint32_t itemCount;
    uint32_t nodeCount;
    uint32_t entryCount;
    uint32_t groupCount;
    uint32_t depth;

    joArray bounds[6]; // float: lower x y z, upper x y z of the items, in tree order
    joArray index;     // uint32_t: slots of the items, owner bits set
    joArray ends;      // uint32_t: an item meets those after it up to here without a traversal

    joArray keys;    // joKeyValue: cell code and slot
    joArray sorting; // joKeyValue: the sort's other half
    joArray levels;  // uint8_t, by slot: the level an item sinks to
    joArray common;  // uint8_t: digits that a position's cell shares with the one before
    joArray next;    // uint32_t
    joArray records; // joTreeRecord
    joArray entries; // joTreeEntry, and one more as an end
    joArray groups;  // joTreeGroup, and one more as an end
    joArray scratch; // joTreeScratch, one a worker

    // For queries: entries by levels, the children of one together.
    bool isPrepared;           // they are those of the last build
    joColumnStore levelBounds; // index: the entry
    joArray children;          // uint32_t: where the children of an entry begin, and one more as an end
} joTree;

JO_TREE_INLINE joBoxColumns joTree_Columns( const joTree* tree )
{
    joBoxColumns columns;
    for ( int k = 0; k < 3; ++k )
    {
        columns.lower[k] = tree->bounds[k].data;
        columns.upper[k] = tree->bounds[k + 3].data;
    }
    columns.index = tree->index.data;
    return columns;
}

// Whether an entry's bounds overlap a box (lower x y z, upper x y z; closed).
JO_TREE_INLINE bool joTreeEntry_Overlaps( const joTreeEntry* entry, const float* box, uint32_t axisCount )
{
    bool apart = false;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        apart |= ( entry->lower[k] > box[k + 3] ) | ( entry->upper[k] < box[k] );
    }
    return !apart;
}

// The finest cell of a coordinate on one axis. Monotone, also for infinite coordinates: comparisons clamp
// before the conversion, and what is not a number (infinity minus infinity) counts as below.
JO_TREE_INLINE uint32_t joTreeCell( const joTreeRoot* root, float x, uint32_t axis )
{
    const float last = (float)( ( 1u << JO_TREE_DIGITS ) - 1u );
    float t = ( x - root->origin[axis] ) * root->scale[axis];
    t = t > 0.0f ? t : 0.0f;
    t = t < last ? t : last;
    return (uint32_t)(int32_t)t;
}

// Where an item stands: its level, and the cell on each axis that orders it (cells of all levels above are
// prefixes).
typedef struct joTreePlace
{
    uint32_t cell[3];
    uint32_t level;
} joTreePlace;

// tree_place.c
joTreeRoot joTree_ChooseRoot( const joTree* tree, const joBoxSet* set );
joTreePlace joTree_Place( const joTree* tree, const joBoxRecord* record );
// Keys, levels and shared digits of all live items, in cell order.
void joTree_SortItems( joTree* tree, const joBoxSet* set );

// tree_build.c
joResult joTree_Reserve( joTree* tree, uint32_t count );
joResult joTree_ReserveLevels( joTree* tree, uint32_t entryCount );
joResult joTree_Build( void* structure, const joBoxSet* set );

// tree_pairs.c
joResult joTree_FindPairs(
    void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector );

// tree_query.c
joResult joTree_Prepare( void* structure );
void joTree_Query( const void* structure, joProbe* probe );

// tree_validate.c
bool joTree_Validate( const void* structure, const joBoxSet* set );
