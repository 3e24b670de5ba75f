// SPDX-License-Identifier: MIT
// The nodes and leaves of jo_bvh (broad_phase/bvh.h), as kernels read them, and a search that kernels go on
// with.
#pragma once

#include "jostle/base.h"

#define JO_BVH_WIDTH 8
#define JO_BVH_LEAF_SIZE 16
// In a child reference: this is a leaf.
#define JO_BVH_LEAF_BIT 0x80000000u

// Levels of nodes, root included. A bulk build of 2^30 boxes needs 10 (and one more to join the size
// classes); edits that would exceed this end in a bulk build. So a stack of this size cannot overflow: going
// down, each level leaves at most width - 1 siblings behind.
#define JO_BVH_MAX_DEPTH 32
#define JO_BVH_STACK_SIZE ( JO_BVH_MAX_DEPTH * ( JO_BVH_WIDTH - 1 ) + JO_BVH_WIDTH )

// Children as columns. Kernels may read JO_LANE_PADDING places beyond the eight: that ends inside the node.
typedef struct joBvhNode
{
    float lower[3][JO_BVH_WIDTH];
    float upper[3][JO_BVH_WIDTH];
    uint32_t child[JO_BVH_WIDTH];    // JO_NULL_INDEX: unused lane; used lanes come first
    uint32_t lastRank[JO_BVH_WIDTH]; // highest rank of a leaf below; 0: unused lane
} joBvhNode;

// Boxes as columns, with owner bits in `index`. Kernels may read JO_LANE_PADDING places beyond the sixteen:
// that ends inside the leaf.
typedef struct joBvhLeaf
{
    float lower[3][JO_BVH_LEAF_SIZE];
    float upper[3][JO_BVH_LEAF_SIZE];
    uint32_t index[JO_BVH_LEAF_SIZE];
    float bounds[6];   // lower x y z, upper x y z; tight
    uint32_t count;    // 1..JO_BVH_LEAF_SIZE
    uint32_t parent;   // of a free leaf: the next free one
    uint32_t lane;     // in the parent
    uint32_t rank;     // from 1
    double builtEdges; // sum of the edges of the bounds when membership last changed: what growth is measured
                       // against
    uint32_t padding[4]; // to 512 bytes
} joBvhLeaf;

_Static_assert( sizeof( joBvhNode ) == 256, "a node is four cache lines" );
_Static_assert( sizeof( joBvhLeaf ) == 512, "a leaf is eight cache lines" );

// A search on its way. Children that are left for later, the next one on top: bits of the distance (which is
// not negative, so that they are in its order) in the upper half, reference in the lower.
typedef struct joBvhSearch
{
    const joBvhNode* nodes;
    const joBvhLeaf* leaves;
    uint32_t stackCount;
    uint64_t stack[JO_BVH_STACK_SIZE];
} joBvhSearch;
