// SPDX-License-Identifier: MIT
// jo_bvh: pairs, leaf by leaf in the tree's own order, so that what one leaf has read is in cache for the
// next.
//
// The bounds of a leaf go down the tree once for its sixteen boxes. Boxes of the leaves met are first tested
// against the leaf's bounds; those few that pass are gathered into columns, which the join reads at full
// width. Where the boxes of a leaf are few and far between (huge ones, or what edits brought together), its
// bounds say little, and each box goes down by itself.
#include "base/float_env.h"
#include "bvh.h"

// Candidates gathered before a join; more joins follow if there are more. On the stack of a worker.
#define JO_CANDIDATES 256

// Leaves to a block of work. Small, because huge boxes stand together and are long work.
#define JO_PAIRS_BLOCK 32

// Nodes and leaves that are yet to be visited where boxes go down by themselves; a power of two. It has to
// hold the sixteen boxes of a leaf; beyond that it only has to be long enough for memory to answer.
#define JO_VISITS 128u

// What a leaf whose bounds are this many times as large as typical costs is looked at closely.
#define JO_SPARSE_RATIO 3.0

typedef struct joCandidates
{
    _Alignas( JO_ALIGNMENT ) float lower[3][JO_CANDIDATES + JO_LANE_PADDING];
    float upper[3][JO_CANDIDATES + JO_LANE_PADDING];
    uint32_t index[JO_CANDIDATES + 2 * JO_LANE_PADDING];
    uint32_t count;
} joCandidates;

typedef struct joBvhQuery
{
    const joKernels* kernels;
    uint32_t axisCount;
    joPairSink* sink;
    const joBvh* tree;   // the one searched
    uint32_t firstRank;  // leaves below this are left out
    joBoxColumns boxes;  // the leaf that asks
    uint32_t begin, end; // of its boxes
    float bounds[6];     // of these
    joCandidates candidates;
} joBvhQuery;

// Vectors that a join of `outer` against `inner` boxes tests.
static uint32_t joCountVectors( const joBvhQuery* query, uint32_t outer, uint32_t inner )
{
    uint32_t lanes = query->kernels->lanes;
    return outer * ( ( inner + lanes - 1 ) / lanes );
}

static void joJoinCandidates( joBvhQuery* query )
{
    joCandidates* c = &query->candidates;
    if ( c->count == 0 )
    {
        return;
    }
    joBoxColumns columns = { .lower = { c->lower[0], c->lower[1], c->lower[2] },
        .upper = { c->upper[0], c->upper[1], c->upper[2] },
        .index = c->index };
    joJoin join = {
        .a = &query->boxes, .b = &columns, .first = query->begin, .last = query->end, .end = c->count };
    // A full leaf fills its vectors, candidates seldom do. Within one set either may be side a.
    uint32_t boxCount = query->end - query->begin;
    if ( query->sink->setB == 0 &&
         joCountVectors( query, c->count, boxCount ) < joCountVectors( query, boxCount, c->count ) )
    {
        join = ( joJoin ){
            .a = &columns, .b = &query->boxes, .last = c->count, .begin = query->begin, .end = query->end };
    }
    joPairSink_Join( query->sink, query->kernels, query->axisCount, &join );
    c->count = 0;
}

static void joVisitLeaf( joBvhQuery* query, const joBvhLeaf* leaf )
{
    joBoxColumns columns = joBvhLeaf_Columns( leaf );
    if ( query->end - query->begin == 1 )
    {
        // The bounds are the box: no need to sift first.
        joJoin join = { .a = &query->boxes,
            .b = &columns,
            .first = query->begin,
            .last = query->end,
            .end = leaf->count };
        joPairSink_Join( query->sink, query->kernels, query->axisCount, &join );
        return;
    }
    uint32_t hits[JO_BVH_LEAF_SIZE + JO_LANE_PADDING];
    uint32_t hitCount =
        query->kernels->overlapRange[query->axisCount - 2]( &columns, 0, leaf->count, query->bounds, hits );
    joCandidates* c = &query->candidates;
    if ( c->count + hitCount > JO_CANDIDATES )
    {
        joJoinCandidates( query );
    }
    for ( uint32_t i = 0; i < hitCount; ++i )
    {
        uint32_t from = hits[i], to = c->count + i;
        for ( uint32_t k = 0; k < query->axisCount; ++k )
        {
            c->lower[k][to] = leaf->lower[k][from];
            c->upper[k][to] = leaf->upper[k][from];
        }
        c->index[to] = leaf->index[from];
    }
    c->count += hitCount;
}

// Children of a node whose bounds meet query->bounds, from firstRank on.
static uint32_t joMeetChildren( const joBvhQuery* query, uint32_t reference, uint32_t children[JO_BVH_WIDTH] )
{
    const joBvhNode* node = joBvh_Nodes( query->tree ) + reference;
    joBoxColumns columns = joBvhNode_Columns( node );
    uint32_t hits[JO_BVH_WIDTH + JO_LANE_PADDING];
    const uint32_t hitCount =
        query->kernels->overlapRange[query->axisCount - 2]( &columns, 0, JO_BVH_WIDTH, query->bounds, hits );
    uint32_t count = 0;
    for ( uint32_t i = 0; i < hitCount; ++i )
    {
        children[count] = node->child[hits[i]];
        count += node->lastRank[hits[i]] < query->firstRank ? 0 : 1;
    }
    return count;
}

// All leaves of query->tree, at or below a node or leaf, whose bounds meet query->bounds, from firstRank on.
static void joSearchBelow( joBvhQuery* query, uint32_t reference )
{
    uint32_t stack[JO_BVH_STACK_SIZE];
    uint32_t stackCount = 0;
    stack[stackCount++] = reference;
    while ( stackCount > 0 )
    {
        const uint32_t next = stack[--stackCount];
        if ( next & JO_BVH_LEAF_BIT )
        {
            joVisitLeaf( query, joBvh_Leaves( query->tree ) + ( next & ~JO_BVH_LEAF_BIT ) );
        }
        else
        {
            stackCount += joMeetChildren( query, next, stack + stackCount );
        }
    }
    joJoinCandidates( query );
}

// How many times the typical leaf of the tree a box is, each edge with `margin` typical edges added.
static double joRelativeSize( const joBvh* tree, const float lower[3], const float upper[3], double margin )
{
    double size = 1.0;
    for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
    {
        double ratio = ( (double)upper[k] - (double)lower[k] ) / (double)tree->typicalEdge[k];
        size *= ( ratio < 1e9 ? ratio : 1e9 ) + margin;
    }
    return size;
}

// Whether to search for each box alone. Counts tests: a search meets a leaf for each typical edge, and one
// more; a box alone is tested against all boxes of these leaves, and about 64 bounds on the way; a leaf's
// boxes are all tested against what lies within its bounds, the leaves there being about as dense.
static bool joIsSparse( const joBvh* tree, const joBvhLeaf* leaf )
{
    double whole = joRelativeSize( tree, leaf->bounds, leaf->bounds + 3, 0.0 );
    if ( whole < JO_SPARSE_RATIO )
    {
        return false;
    }
    double single = 0.0;
    for ( uint32_t i = 0; i < leaf->count; ++i )
    {
        float lower[3] = { leaf->lower[0][i], leaf->lower[1][i], leaf->lower[2][i] };
        float upper[3] = { leaf->upper[0][i], leaf->upper[1][i], leaf->upper[2][i] };
        single += 64.0 + JO_BVH_LEAF_SIZE * joRelativeSize( tree, lower, upper, 1.0 );
    }
    return single < 1.5 * JO_BVH_LEAF_SIZE * leaf->count * whole;
}

// The way of a box.
typedef struct joBvhVisit
{
    uint32_t reference;
    uint32_t box;
} joBvhVisit;

static void joAskForBox( joBvhQuery* query, const joBvhLeaf* leaf, uint32_t box )
{
    query->begin = box;
    query->end = box + 1;
    for ( uint32_t k = 0; k < query->axisCount; ++k )
    {
        query->bounds[k] = leaf->lower[k][box];
        query->bounds[3 + k] = leaf->upper[k][box];
    }
}

// Each box of the leaf alone. In a large tree what one of them comes to is in no cache, so they take turns:
// what a visit leads to is asked of memory, and visited when those before it have been.
static void joSearchForBoxes( joBvhQuery* query, const joBvhLeaf* leaf )
{
    joBvhVisit visits[JO_VISITS];
    uint32_t first = 0, end = 0; // both count up; places are their low bits
    for ( uint32_t i = 0; i < leaf->count; ++i )
    {
        visits[end++] = ( joBvhVisit ){ query->tree->root, i };
    }
    for ( ; first != end; ++first )
    {
        const joBvhVisit visit = visits[first % JO_VISITS];
        joAskForBox( query, leaf, visit.box );
        if ( ( visit.reference & JO_BVH_LEAF_BIT ) != 0 || end - first + JO_BVH_WIDTH > JO_VISITS )
        {
            joSearchBelow( query, visit.reference );
            continue;
        }
        uint32_t children[JO_BVH_WIDTH];
        const uint32_t count = joMeetChildren( query, visit.reference, children );
        for ( uint32_t i = 0; i < count; ++i )
        {
            joBvh_Prefetch( query->tree, children[i] );
            visits[end++ % JO_VISITS] = ( joBvhVisit ){ children[i], visit.box };
        }
    }
}

static void joSearchForLeaf( joBvhQuery* query, const joBvhLeaf* leaf )
{
    query->boxes = joBvhLeaf_Columns( leaf );
    if ( !joIsSparse( query->tree, leaf ) )
    {
        query->begin = 0;
        query->end = leaf->count;
        for ( uint32_t k = 0; k < 6; ++k )
        {
            query->bounds[k] = leaf->bounds[k];
        }
        joSearchBelow( query, query->tree->root );
        return;
    }
    joSearchForBoxes( query, leaf );
}

typedef struct joBvhPairs
{
    const joBvh* moving;
    void* const* still;
    uint32_t stillCount;
    joPairCollector* collector;
} joBvhPairs;

static void joFindPairsOfLeaves( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joBvhPairs* pairs = context;
    const joBvh* moving = pairs->moving;
    const uint32_t* order = moving->leafOrder.data;
    joBvhQuery query;
    query.kernels = moving->context->kernels;
    query.axisCount = moving->context->axisCount;
    query.candidates.count = 0;

    query.sink = joPairCollector_BeginSink( pairs->collector, worker, 0 );
    query.tree = moving;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joBvhLeaf* leaf = joBvh_Leaves( moving ) + order[i];
        joBoxColumns columns = joBvhLeaf_Columns( leaf );
        joJoin join = {
            .a = &columns, .b = &columns, .last = leaf->count, .end = leaf->count, .afterSelf = true };
        joPairSink_Join( query.sink, query.kernels, query.axisCount, &join );
        query.firstRank = leaf->rank + 1;
        joSearchForLeaf( &query, leaf );
    }

    query.firstRank = 1;
    for ( uint32_t s = 0; s < pairs->stillCount; ++s )
    {
        query.tree = pairs->still[s];
        if ( query.tree->root == JO_NULL_INDEX )
        {
            continue;
        }
        query.sink = joPairCollector_BeginSink( pairs->collector, worker, s + 1 );
        for ( uint32_t i = begin; i < end; ++i )
        {
            joSearchForLeaf( &query, joBvh_Leaves( moving ) + order[i] );
        }
    }
}

joResult joBvh_FindPairs( void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector )
{
    const joBvh* bvh = moving;
    if ( bvh->root != JO_NULL_INDEX )
    {
        joBvhPairs pairs = { bvh, still, stillCount, collector };
        joParallelFor( bvh->context->jobs, bvh->leafCount, JO_PAIRS_BLOCK, joFindPairsOfLeaves, &pairs );
    }
    return jo_success;
}
