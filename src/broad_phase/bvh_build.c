// SPDX-License-Identifier: MIT
// jo_bvh: bulk build, from the top down by splits at medians of the centres.
//
// Each node's range is cut at counts of whole leaves, by up to three successive splits on the axis where the
// centres spread most, into up to eight ranges of as many leaves each (within one). Compared to cuts in
// Morton order, leaves are as full as can be and nowhere straddle a fold of the curve; the price, about twice
// the time, is paid only when motion has worn the tree out. Splitting by count ends also where all centres
// are equal, at a depth that depends on the count alone.
//
// Boxes much larger than most would blow up the bounds of the leaves they came into. They go into a subtree
// of their own, and of them those much larger than the others again. That subtree comes first in order, so
// that large boxes look for pairs among the small ones and small ones never look among the large.
#include "base/float_env.h"
#include "bvh.h"

#include <float.h>

// A box is large above this many times the median of the sizes.
#define JO_LARGE_FACTOR 8.0f
#define JO_CLASS_SAMPLE 256
// Fewer boxes than this are not divided into classes.
#define JO_CLASS_MINIMUM 64

// A subtree of at most this many leaves (8192 boxes) is one task.
#define JO_TASK_LEAVES 512

static float joClampFinite( float value )
{
    return value < -FLT_MAX ? -FLT_MAX : value > FLT_MAX ? FLT_MAX : value;
}

static void joFindCentre( const joBoxRecord* record, uint32_t axisCount, float centre[3] )
{
    centre[2] = 0.0f;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        centre[k] = 0.5f * joClampFinite( record->lower[k] ) + 0.5f * joClampFinite( record->upper[k] );
    }
}

// The longest edge.
static float joFindExtent( const joBoxRecord* record, uint32_t axisCount )
{
    float extent = 0.0f;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        float edge = joClampFinite( record->upper[k] - record->lower[k] );
        extent = edge > extent ? edge : extent;
    }
    return extent;
}

// Extents above this are large among these items. At least about the edge of a leaf too, below which a box
// does no harm: in each axis half the centres lie between the quartiles, which tells how densely they lie
// whatever the outliers.
static float joFindLargeLimit(
    const joBvhItem* items, uint32_t count, const joBoxSet* set, uint32_t axisCount )
{
    float sample[4][JO_CLASS_SAMPLE];
    uint32_t sampleCount = count < JO_CLASS_SAMPLE ? count : JO_CLASS_SAMPLE;
    uint32_t step = count / sampleCount;
    uint32_t noise = 1;
    for ( uint32_t i = 0; i < sampleCount; ++i )
    {
        // Not every step-th, which a caller's own regular order could foil.
        noise = noise * 1664525u + 1013904223u;
        const joBvhItem* item = items + i * step + ( noise >> 8 ) % step;
        sample[3][i] = joFindExtent( set->records + item->slot, axisCount );
        for ( uint32_t k = 0; k < 3; ++k )
        {
            sample[k][i] = item->centre[k];
        }
    }
    joBvhSortFloats( sample[3], sampleCount );
    float limit = joClampFinite( JO_LARGE_FACTOR * sample[3][sampleCount / 2] );

    double volume = (double)JO_BVH_LEAF_SIZE / count; // of a leaf, if all lay as densely
    double edge = 0.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        joBvhSortFloats( sample[k], sampleCount );
        double spread = (double)sample[k][sampleCount * 3 / 4] - sample[k][sampleCount / 4];
        volume *= 2.0 * spread;
        edge = spread > edge ? spread : edge;
    }
    // Its root, within a factor of two.
    for ( uint32_t i = 0; i < 64 && edge * edge * ( axisCount == 3 ? edge : 1.0 ) > volume; ++i )
    {
        edge *= 0.5;
    }
    return edge > limit && edge <= FLT_MAX ? (float)edge : limit;
}

// Moves the items whose boxes are above the limit to the end; returns how many are not.
static uint32_t joPartitionLarge(
    joBvhItem* items, uint32_t count, const joBoxSet* set, uint32_t axisCount, float limit )
{
    uint32_t small = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        joBvhItem item = items[i];
        items[i] = items[small];
        items[small] = item;
        small += joFindExtent( set->records + item.slot, axisCount ) <= limit;
    }
    return small;
}

// Classes of sizes: ends[c] is where class c, from the smallest, ends in items.
static uint32_t joFindClasses( joBvhItem* items, uint32_t count, const joBoxSet* set, uint32_t axisCount,
    uint32_t ends[JO_BVH_MAX_CLASSES] )
{
    uint32_t classCount = 0, begin = 0;
    while ( begin < count )
    {
        uint32_t small = count - begin;
        if ( classCount + 1 < JO_BVH_MAX_CLASSES && small >= JO_CLASS_MINIMUM )
        {
            float limit = joFindLargeLimit( items + begin, small, set, axisCount );
            uint32_t kept = joPartitionLarge( items + begin, small, set, axisCount, limit );
            // Where many are large, they are not what spoils it.
            small = small - kept <= small / 4 ? kept : small;
        }
        begin += small;
        ends[classCount++] = begin;
    }
    return classCount;
}

// How many children a node above this many leaves has: as few as keep the tree as low as can be.
static uint32_t joChildCount( uint32_t leafCount )
{
    uint32_t below = 1;
    while ( (uint64_t)below * JO_BVH_WIDTH < leafCount )
    {
        below *= JO_BVH_WIDTH;
    }
    return ( leafCount + below - 1 ) / below;
}

// Nodes of a tree of this many leaves. Children differ by at most one leaf, so two calls a level, and at most
// ten levels.
static uint32_t joNodesAbove( uint32_t leafCount )
{
    if ( leafCount <= JO_BVH_WIDTH )
    {
        return 1;
    }
    uint32_t children = joChildCount( leafCount );
    uint32_t less = leafCount / children, more = leafCount % children;
    return 1 + ( children - more ) * joNodesAbove( less ) +
           ( more > 0 ? more * joNodesAbove( less + 1 ) : 0 );
}

static uint32_t joLeavesOf( uint32_t itemCount )
{
    return ( itemCount + JO_BVH_LEAF_SIZE - 1 ) / JO_BVH_LEAF_SIZE;
}

typedef struct joCuts
{
    uint32_t item[JO_BVH_WIDTH + 1];
    uint32_t leaf[JO_BVH_WIDTH + 1];
} joCuts;

// Brings the items of children [begin, end) into their ranges. Depth three at most.
static void joCutChildren(
    joBvhItem* items, const joCuts* cuts, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    if ( end - begin < 2 )
    {
        return;
    }
    uint32_t middle = ( begin + end ) / 2;
    uint32_t first = cuts->item[begin];
    joBvhSplitItems( items + first, cuts->item[end] - first, cuts->item[middle] - first, axisCount );
    joCutChildren( items, cuts, begin, middle, axisCount );
    joCutChildren( items, cuts, middle, end, axisCount );
}

static joBvhTask joTaskOfChild( const joBvhTask* parent, const joCuts* cuts, uint32_t child )
{
    return ( joBvhTask ){ .firstItem = parent->firstItem + cuts->item[child],
        .itemCount = cuts->item[child + 1] - cuts->item[child],
        .leafCount = cuts->leaf[child + 1] - cuts->leaf[child],
        .firstLeaf = parent->firstLeaf + cuts->leaf[child],
        .parent = parent->firstNode,
        .lane = child };
}

static void joFillLeaf( joBvh* bvh, const joBvhTask* task )
{
    joBvhLeaf* leaf = joBvh_Leaves( bvh ) + task->firstLeaf;
    const joBvhItem* items = (const joBvhItem*)bvh->items.data + task->firstItem;
    uint32_t* slotLeaf = bvh->slotLeaf.data;
    *leaf = ( joBvhLeaf ){ .count = task->itemCount, .parent = task->parent, .lane = task->lane };
    for ( uint32_t i = 0; i < task->itemCount; ++i )
    {
        leaf->index[i] = items[i].slot | JO_OWNER_BITS;
        slotLeaf[items[i].slot] = task->firstLeaf;
    }
}

// Builds the subtree of a task at its place; subtrees of at most `taskLeaves` leaves are put off as tasks of
// their own. Calls itself for each level, of which there are at most ten.
static void joBuildSubtree( joBvh* bvh, const joBvhTask* task, uint32_t taskLeaves )
{
    uint32_t axisCount = bvh->context->axisCount;
    uint32_t childCount = joChildCount( task->leafCount );
    joCuts cuts;
    for ( uint32_t i = 0; i <= childCount; ++i )
    {
        cuts.leaf[i] = (uint32_t)( (uint64_t)task->leafCount * i / childCount );
        cuts.item[i] = (uint32_t)( (uint64_t)task->itemCount * cuts.leaf[i] / task->leafCount );
    }
    joCutChildren( (joBvhItem*)bvh->items.data + task->firstItem, &cuts, 0, childCount, axisCount );

    joBvh_InitNode( bvh, task->firstNode, task->parent, task->lane );
    joBvhNode* node = joBvh_Nodes( bvh ) + task->firstNode;
    joBvh_Links( bvh )[task->firstNode].count = childCount;
    uint32_t nextNode = task->firstNode + 1;
    for ( uint32_t i = 0; i < childCount; ++i )
    {
        joBvhTask child = joTaskOfChild( task, &cuts, i );
        node->lastRank[i] = child.firstLeaf + child.leafCount;
        if ( task->leafCount <= JO_BVH_WIDTH )
        {
            node->child[i] = child.firstLeaf | JO_BVH_LEAF_BIT;
            joFillLeaf( bvh, &child );
            continue;
        }
        child.firstNode = nextNode;
        node->child[i] = nextNode;
        nextNode += joNodesAbove( child.leafCount );
        if ( child.leafCount > JO_BVH_TASK_MINIMUM && child.leafCount <= taskLeaves )
        {
            ( (joBvhTask*)bvh->tasks.data )[bvh->taskCount++] = child;
        }
        else
        {
            joBuildSubtree( bvh, &child, taskLeaves );
        }
    }
}

static void joBuildTasks( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    joBvh* bvh = context;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joBvhTask task = ( (const joBvhTask*)bvh->tasks.data )[i];
        joBuildSubtree( bvh, &task, 0 );
    }
}

// Fills bvh->items with the live boxes in order of slots.
static void joCollectItems( joBvh* bvh, const joBoxSet* set )
{
    joBvhItem* items = bvh->items.data;
    uint32_t axisCount = bvh->context->axisCount;
    uint32_t count = 0;
    for ( uint32_t slot = 0; slot < set->count; ++slot )
    {
        if ( joBvhIsLive( set->records + slot ) )
        {
            joFindCentre( set->records + slot, axisCount, items[count].centre );
            items[count++].slot = slot;
        }
    }
    bvh->boxCount = count;
}

// One subtree for each class, large boxes first; a node above them if they are several.
static void joBuildClasses( joBvh* bvh, const uint32_t* ends, uint32_t classCount, uint32_t taskLeaves )
{
    bvh->root = 0;
    uint32_t nextNode = 0, nextLeaf = 0;
    if ( classCount > 1 )
    {
        joBvh_InitNode( bvh, 0, JO_NULL_INDEX, 0 );
        joBvh_Links( bvh )[0].count = classCount;
        nextNode = 1;
    }
    for ( uint32_t lane = 0; lane < classCount; ++lane )
    {
        uint32_t c = classCount - 1 - lane;
        uint32_t begin = c > 0 ? ends[c - 1] : 0;
        joBvhTask task = { .firstItem = begin,
            .itemCount = ends[c] - begin,
            .leafCount = joLeavesOf( ends[c] - begin ),
            .firstNode = nextNode,
            .firstLeaf = nextLeaf,
            .parent = classCount > 1 ? 0 : JO_NULL_INDEX,
            .lane = lane };
        nextLeaf += task.leafCount;
        if ( classCount > 1 )
        {
            joBvh_Nodes( bvh )->child[lane] = nextNode;
            joBvh_Nodes( bvh )->lastRank[lane] = nextLeaf;
        }
        nextNode += joNodesAbove( task.leafCount );
        joBuildSubtree( bvh, &task, taskLeaves );
    }
    bvh->nodeCount = bvh->nodeEnd = nextNode;
    bvh->leafCount = bvh->leafEnd = nextLeaf;
}

// Bulk builds leave everything in depth-first order already.
static void joSetBuiltOrder( joBvh* bvh )
{
    for ( uint32_t i = 0; i < bvh->leafCount; ++i )
    {
        joBvh_Leaves( bvh )[i].rank = i + 1;
        ( (uint32_t*)bvh->leafOrder.data )[i] = i;
    }
    uint32_t* nodeOrder = bvh->nodeOrder.data;
    for ( uint32_t i = 0; i < bvh->nodeCount; ++i )
    {
        nodeOrder[i] = i;
    }
    // The lowest leaf says how many levels there are: leaves of one class are all equally deep.
    bvh->depth = 0;
    for ( uint32_t lane = 0; lane < joBvh_Links( bvh )[bvh->root].count; ++lane )
    {
        uint32_t levels = 1;
        for ( uint32_t child = joBvh_Nodes( bvh )[bvh->root].child[lane]; !( child & JO_BVH_LEAF_BIT );
              ++levels )
        {
            child = joBvh_Nodes( bvh )[child].child[0];
        }
        bvh->depth = levels > bvh->depth ? levels : bvh->depth;
    }
    bvh->orderChanged = false;
    bvh->editCount = 0;
    bvh->wear = 0.0;
}

joResult joBvh_BuildAll( joBvh* bvh, const joBoxSet* set )
{
    joBvh_Clear( bvh );
    joMemory* memory = bvh->context->memory;
    joResult result = joBvh_ReserveSlots( bvh, set->count );
    result =
        result ? result : joArray_ReserveSlack( &bvh->items, memory, set->liveCount, sizeof( joBvhItem ), 0 );
    if ( result )
    {
        joBvh_Clear( bvh );
        return result;
    }
    joCollectItems( bvh, set );
    uint32_t ends[JO_BVH_MAX_CLASSES];
    uint32_t classCount = joFindClasses( bvh->items.data, bvh->boxCount, set, bvh->context->axisCount, ends );
    uint32_t leafCount = 0, nodeCount = 1;
    for ( uint32_t c = 0; c < classCount; ++c )
    {
        uint32_t leaves = joLeavesOf( ends[c] - ( c > 0 ? ends[c - 1] : 0 ) );
        leafCount += leaves;
        nodeCount += joNodesAbove( leaves );
    }
    result = joBvh_ReserveTree( bvh, leafCount, nodeCount );
    if ( result || classCount == 0 )
    {
        joBvh_Clear( bvh );
        return result;
    }
    bvh->taskCount = 0;
    joBuildClasses( bvh, ends, classCount, bvh->context->workerCount > 1 ? JO_TASK_LEAVES : 0 );
    joParallelFor( bvh->context->jobs, bvh->taskCount, 1, joBuildTasks, bvh );
    joSetBuiltOrder( bvh );
    joBvh_Refit( bvh, set, true );
    return jo_success;
}
