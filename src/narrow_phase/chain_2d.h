// SPDX-License-Identifier: MIT
// The inside of a chain's block.
#pragma once

#include "base/float_env.h"
#include "jostle/chain_2d.h"
#include "math/wide_vectors.h"

// The box of the segments of some leaves that follow each other.
typedef struct joChainNode
{
    float lower[2], upper[2];
} joChainNode;

// The header of a block. Behind it the points, one more than there are segments, then the nodes: each before
// its first half, that before the other half.
struct joChain2
{
    uint32_t magic;
    uint32_t segmentCount;
    uint32_t isLoop;
    uint32_t nodeCount;
    uint64_t byteCount;
    double reach; // of the farthest point from the origin
    uint32_t pad[8];
};

#define JO_CHAIN_MAGIC 0x31436F6Au // "joC1": the version is in it

// Segments of a leaf. Two to eight measure alike; fewer take more memory.
#define JO_CHAIN_LEAF 4u

// Of JO_MAX_CHAIN_POINTS2 = 2^24 segments 2^22 leaves, halved 22 times.
#define JO_CHAIN_MAX_DEPTH 24

typedef struct joChainView
{
    const joVec2* points;
    const joChainNode* nodes;
    uint32_t segmentCount;
    bool isLoop;
} joChainView;

size_t joChainBytes( uint32_t segmentCount );
joChainView joViewChain( const joChain2* chain );

// A node with its leaves. They say where its halves are, so that nodes need not.
typedef struct joChainRange
{
    uint32_t node;
    uint32_t first, count; // of leaves
} joChainRange;

static inline uint32_t joCountLeaves( uint32_t segmentCount )
{
    return ( segmentCount + JO_CHAIN_LEAF - 1 ) / JO_CHAIN_LEAF;
}

static inline joChainRange joWholeChain( const joChainView* view )
{
    return ( joChainRange ){ 0, 0, joCountLeaves( view->segmentCount ) };
}

// Of more than one leaf. A half of n leaves has 2 n - 1 nodes.
static inline void joHalveRange( joChainRange range, joChainRange halves[2] )
{
    uint32_t count = ( range.count + 1 ) / 2;
    halves[0] = ( joChainRange ){ range.node + 1, range.first, count };
    halves[1] = ( joChainRange ){ range.node + 2 * count, range.first + count, range.count - count };
}

// The segments of a leaf: from *begin to before *end.
static inline void joSegmentsOfLeaf( const joChainView* view, uint32_t leaf, uint32_t* begin, uint32_t* end )
{
    *begin = leaf * JO_CHAIN_LEAF;
    *end = view->segmentCount - *begin < JO_CHAIN_LEAF ? view->segmentCount : *begin + JO_CHAIN_LEAF;
}

// The point before a segment's first, or after its second. False: the chain ends there.
static inline bool joFindNeighbour( const joChainView* view, uint32_t segment, bool isAfter, joWide2* point )
{
    uint32_t last = view->segmentCount - 1;
    if ( segment == ( isAfter ? last : 0 ) )
    {
        *point = joWiden2( view->points[isAfter ? 1 : last] );
        return view->isLoop;
    }
    *point = joWiden2( view->points[isAfter ? segment + 2 : segment - 1] );
    return true;
}
