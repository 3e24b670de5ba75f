// SPDX-License-Identifier: MIT
// Quadtree and octree: pairs. Each group of items goes once through what comes after it in the order of the
// tree.
#include "base/float_env.h"
#include "broad_phase/tree.h"

// Groups a block of the parallel pass.
#define PAIRS_BLOCK 32u

typedef struct PairsContext
{
    const joTree* moving;
    void* const* still;
    uint32_t stillCount;
    joPairCollector* collector;
} PairsContext;

// One group on its way through a tree.
typedef struct Passage
{
    const joTree* tree; // gone through
    const joKernels* kernels;
    uint32_t axisCount;
    joPairSink* sink;
    joTreeScratch* scratch;
    joBoxColumns columns;    // of the tree
    joBoxColumns candidates; // of the scratch
    uint32_t candidateCount;
    joBoxColumns groupColumns; // of the group's tree
    const joTreeGroup* group;
    uint32_t groupEnd;
} Passage;

static void joinCandidates( Passage* passage )
{
    if ( passage->candidateCount > 0 )
    {
        joJoin join = { .a = &passage->groupColumns,
            .b = &passage->candidates,
            .first = passage->group->first,
            .last = passage->groupEnd,
            .end = passage->candidateCount };
        joPairSink_Join( passage->sink, passage->kernels, passage->axisCount, &join );
        passage->candidateCount = 0;
    }
}

// Items [begin, end) of the tree that overlap the group's bounds become candidates.
static void takeItems( Passage* passage, uint32_t begin, uint32_t end )
{
    uint32_t axisCount = passage->axisCount;
    while ( begin < end )
    {
        uint32_t part = end - begin < JO_TREE_CANDIDATES ? end : begin + JO_TREE_CANDIDATES;
        const uint32_t* hits = passage->scratch->hits;
        uint32_t hitCount = passage->kernels->overlapRange[axisCount - 2](
            &passage->columns, begin, part, passage->group->bounds, passage->scratch->hits );
        if ( passage->candidateCount + hitCount > JO_TREE_CANDIDATES )
        {
            joinCandidates( passage );
        }
        const joBoxColumns* from = &passage->columns;
        const joBoxColumns* to = &passage->candidates;
        uint32_t at = passage->candidateCount;
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            for ( uint32_t i = 0; i < hitCount; ++i )
            {
                to->lower[k][at + i] = from->lower[k][hits[i]];
                to->upper[k][at + i] = from->upper[k][hits[i]];
            }
        }
        for ( uint32_t i = 0; i < hitCount; ++i )
        {
            to->index[at + i] = from->index[hits[i]];
        }
        passage->candidateCount = at + hitCount;
        begin = part;
    }
}

// The group against entries [start, limit) of the tree, and the items of these.
JO_TREE_INLINE void pass( Passage* passage, uint32_t start, uint32_t limit, uint32_t axisCount )
{
    const joTreeEntry* entries = passage->tree->entries.data;
    const float* box = passage->group->bounds;
    // Items of entries that follow each other are one range.
    uint32_t first = 0, last = 0;
    for ( uint32_t e = start; e < limit; )
    {
        const joTreeEntry* entry = entries + e;
        if ( !joTreeEntry_Overlaps( entry, box, axisCount ) )
        {
            e = entry->skip;
            continue;
        }
        if ( entry->first != last )
        {
            takeItems( passage, first, last );
            first = entry->first;
        }
        last = entry[1].first;
        ++e;
    }
    takeItems( passage, first, last );
    joinCandidates( passage );
}

static void passGroup( Passage* passage, uint32_t start, uint32_t limit )
{
    if ( passage->axisCount == 2 )
    {
        pass( passage, start, limit, 2 );
    }
    else
    {
        pass( passage, start, limit, 3 );
    }
}

static Passage beginPassage( const PairsContext* context, const joTree* tree, uint32_t worker, uint32_t setB )
{
    const joTree* moving = context->moving;
    Passage passage = { .tree = tree,
        .kernels = moving->context->kernels,
        .axisCount = moving->context->axisCount,
        .sink = joPairCollector_BeginSink( context->collector, worker, setB ),
        .scratch = (joTreeScratch*)moving->scratch.data + worker,
        .columns = joTree_Columns( tree ),
        .groupColumns = joTree_Columns( moving ) };
    for ( uint32_t k = 0; k < 3; ++k )
    {
        passage.candidates.lower[k] = passage.scratch->bounds[k];
        passage.candidates.upper[k] = passage.scratch->bounds[k + 3];
    }
    passage.candidates.index = passage.scratch->index;
    return passage;
}

// Pairs within the moving tree: near ones of one group or leaf in one join for the whole block, then the
// groups against what comes after them. In a strict tree what is outside the node's own subtree cannot touch
// what sank into a cell of its own: the cell of a coordinate is monotone, so boxes that touch share all cells
// that hold both.
static void findWithin( const PairsContext* context, uint32_t begin, uint32_t end, uint32_t worker )
{
    const joTree* tree = context->moving;
    const joTreeGroup* groups = tree->groups.data;
    const joTreeEntry* entries = tree->entries.data;
    Passage passage = beginPassage( context, tree, worker, 0 );
    joJoin join = { .a = &passage.columns,
        .b = &passage.columns,
        .first = groups[begin].first,
        .last = groups[end].first,
        .ends = tree->ends.data,
        .afterSelf = true };
    joPairSink_Join( passage.sink, passage.kernels, passage.axisCount, &join );
    for ( uint32_t g = begin; g < end; ++g )
    {
        uint32_t limit = tree->loose ? tree->entryCount : entries[groups[g].node].skip;
        if ( groups[g].start < limit )
        {
            passage.group = groups + g;
            passage.groupEnd = groups[g + 1].first;
            passGroup( &passage, groups[g].start, limit );
        }
    }
}

static void findBetween(
    const PairsContext* context, uint32_t set, uint32_t begin, uint32_t end, uint32_t worker )
{
    const joTree* still = context->still[set];
    if ( still->entryCount == 0 )
    {
        return;
    }
    const joTreeGroup* groups = context->moving->groups.data;
    Passage passage = beginPassage( context, still, worker, set + 1 );
    for ( uint32_t g = begin; g < end; ++g )
    {
        passage.group = groups + g;
        passage.groupEnd = groups[g + 1].first;
        passGroup( &passage, 0, still->entryCount );
    }
}

static void findBlock( uint32_t begin, uint32_t end, uint32_t worker, void* pairsContext )
{
    const PairsContext* context = pairsContext;
    findWithin( context, begin, end, worker );
    for ( uint32_t set = 0; set < context->stillCount; ++set )
    {
        findBetween( context, set, begin, end, worker );
    }
}

joResult joTree_FindPairs( void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector )
{
    const joTree* tree = moving;
    PairsContext context = { tree, still, stillCount, collector };
    joParallelFor( tree->context->jobs, tree->groupCount, PAIRS_BLOCK, findBlock, &context );
    return jo_success;
}
