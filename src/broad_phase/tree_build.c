// SPDX-License-Identifier: MIT
// Quadtree and octree: building. Linear in the number of items once these are in cell order.
#include "base/float_env.h"
#include "base/radix_sort.h"
#include "broad_phase/tree.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
// Groups a block of the gathering pass.
#define GATHER_BLOCK 64u
// Wrapper levels above the chunks of one node: enough for 2^32 items.
#define MAX_WRAPPERS 11u

// ---- memory ----

// What depends on the number of items alone.
static joResult reserveItems( joTree* tree, uint32_t slots )
{
    joMemory* memory = tree->context->memory;
    uint64_t count = (uint64_t)slots + JO_LANE_PADDING;
    joResult result = jo_success;
    for ( uint32_t k = 0; k < 6 && result == jo_success; ++k )
    {
        if ( k % 3 < tree->context->axisCount )
        {
            result = joArray_Reserve( &tree->bounds[k], memory, count, sizeof( float ), 0 );
        }
    }
    joArray* words[] = { &tree->index, &tree->ends, &tree->next };
    for ( uint32_t k = 0; k < 3 && result == jo_success; ++k )
    {
        result = joArray_Reserve( words[k], memory, count, sizeof( uint32_t ), 0 );
    }
    joArray* keys[] = { &tree->keys, &tree->sorting };
    for ( uint32_t k = 0; k < 2 && result == jo_success; ++k )
    {
        result = joArray_Reserve( keys[k], memory, count, sizeof( joKeyValue ), 0 );
    }
    joArray* bytes[] = { &tree->levels, &tree->common };
    for ( uint32_t k = 0; k < 2 && result == jo_success; ++k )
    {
        result = joArray_Reserve( bytes[k], memory, count, 1, 0 );
    }
    if ( result == jo_success )
    {
        result =
            joArray_Reserve( &tree->scratch, memory, tree->context->workerCount, sizeof( joTreeScratch ), 0 );
    }
    return result;
}

// Entries: one a node, and chunks of at least half a group with a wrapper for every eight.
static uint64_t maxEntries( uint64_t recordCount, uint64_t itemCount )
{
    return recordCount + itemCount / 4 + 2;
}

joResult joTree_Reserve( joTree* tree, uint32_t count )
{
    // A node has items of its own, or two nodes below: fewer than twice as many nodes as items. Room for that
    // many, not for as many as a frame happens to have: their number may double at once (in a loose tree,
    // when the root grows and all boxes change their level), and a frame must not allocate for it. Memory
    // that is never written is not the machine's.
    joMemory* memory = tree->context->memory;
    uint64_t nodes = 2ull * count + 1;
    joResult result = reserveItems( tree, count );
    if ( result == jo_success )
    {
        uint64_t records = nodes + JO_MAX_TREE_DEPTH + 1;
        result = joArray_Reserve( &tree->records, memory, records, sizeof( joTreeRecord ), 0 );
    }
    if ( result == jo_success )
    {
        result =
            joArray_Reserve( &tree->entries, memory, maxEntries( nodes, count ), sizeof( joTreeEntry ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &tree->groups, memory, (uint64_t)count + 1, sizeof( joTreeGroup ), 0 );
    }
    if ( result == jo_success && !memory->fixed && tree->context->def->fixedCapacity )
    {
        result = joTree_ReserveLevels( tree, (uint32_t)maxEntries( nodes, count ) );
    }
    return result;
}

joResult joTree_ReserveLevels( joTree* tree, uint32_t entryCount )
{
    joMemory* memory = tree->context->memory;
    const joResult result =
        joColumnStore_Reserve( &tree->levelBounds, memory, tree->context->axisCount, entryCount );
    return result == jo_success
               ? joArray_Reserve( &tree->children, memory, (uint64_t)entryCount + 1, sizeof( uint32_t ), 0 )
               : result;
}

// ---- nodes ----

// The path of nodes that are open while the items are walked from the last to the first. A node is closed
// when the walk leaves its cell, after all below it: records come in reversed pre-order.
typedef struct OpenNode
{
    uint32_t head, tail;
    uint32_t own, total;
    uint32_t children;
    uint32_t mark;
} OpenNode;

typedef struct NodeWalk
{
    joTree* tree;
    joTreeRecord* records;
    uint32_t recordCount;
    uint32_t splitAbove; // strict: leafCapacity; loose: 0, no node takes in what is below
    int deepest;         // open level, -1: none
    OpenNode path[JO_MAX_TREE_DEPTH + 1];
} NodeWalk;

// Takes the items of all nodes below into the node, which becomes a leaf.
static void takeInSubtree( NodeWalk* walk, OpenNode* node )
{
    uint32_t* next = walk->tree->next.data;
    while ( walk->recordCount > node->mark )
    {
        const joTreeRecord* below = walk->records + --walk->recordCount;
        if ( below->own == 0 )
        {
            continue;
        }
        if ( node->own == 0 )
        {
            node->head = below->head;
        }
        else
        {
            next[node->tail] = below->head;
        }
        node->tail = below->tail;
        node->own += below->own;
    }
    node->children = 0;
}

static void closeNode( NodeWalk* walk )
{
    OpenNode* node = walk->path + walk->deepest;
    if ( node->children > 0 && node->total <= walk->splitAbove )
    {
        takeInSubtree( walk, node );
    }
    uint32_t nodes = node->children;
    // A node with nothing but one child is left out; the child stands for it.
    if ( node->own > 0 || node->children > 1 )
    {
        walk->records[walk->recordCount++] = ( joTreeRecord ){ .head = node->head,
            .tail = node->tail,
            .own = node->own,
            .total = node->total,
            .mark = node->mark,
            .level = (uint32_t)walk->deepest };
        nodes = 1;
    }
    if ( walk->deepest > 0 )
    {
        node[-1].total += node->total;
        node[-1].children += nodes;
    }
    walk->deepest -= 1;
}

static uint32_t makeNodes( joTree* tree )
{
    const joKeyValue* keys = tree->keys.data;
    const uint8_t* common = tree->common.data;
    const uint8_t* levels = tree->levels.data;
    uint32_t* next = tree->next.data;
    NodeWalk walk = { .tree = tree, .deepest = -1, .records = tree->records.data };
    walk.splitAbove = tree->loose ? 0 : tree->context->def->leafCapacity;
    for ( uint32_t i = tree->itemCount; i-- > 0; )
    {
        int shared = i + 1 < tree->itemCount ? common[i + 1] : -1;
        while ( walk.deepest > shared )
        {
            closeNode( &walk );
        }
        int level = levels[keys[i].value];
        while ( walk.deepest < level )
        {
            walk.deepest += 1;
            walk.path[walk.deepest] = ( OpenNode ){ .mark = walk.recordCount };
        }
        OpenNode* node = walk.path + level;
        next[i] = node->head;
        node->tail = node->own == 0 ? i : node->tail;
        node->head = i;
        node->own += 1;
        node->total += 1;
    }
    while ( walk.deepest >= 0 )
    {
        closeNode( &walk );
    }
    return walk.recordCount;
}

// ---- entries and groups ----

typedef struct Layout
{
    joTree* tree;
    joTreeEntry* entries;
    joTreeGroup* groups;
    uint32_t entryCount, groupCount, itemCount;
    // The entry of the node whose children the last group may still take in; NONE: none.
    uint32_t family;
    // Nodes whose subtree is not complete.
    uint32_t open[JO_MAX_TREE_DEPTH + 1];
    uint32_t openCount;
} Layout;

static uint32_t addEntry( Layout* layout )
{
    layout->entries[layout->entryCount] = ( joTreeEntry ){ .lower = { INFINITY, INFINITY, INFINITY },
        .upper = { -INFINITY, -INFINITY, -INFINITY },
        .first = layout->itemCount };
    return layout->entryCount++;
}

// Moves `count` items of a node's list to the end of the tree's order; returns the rest of the list.
static uint32_t addItems( Layout* layout, uint32_t position, uint32_t count )
{
    const joKeyValue* keys = layout->tree->keys.data;
    const uint32_t* next = layout->tree->next.data;
    uint32_t* index = (uint32_t*)layout->tree->index.data + layout->itemCount;
    uint32_t* ends = (uint32_t*)layout->tree->ends.data + layout->itemCount;
    uint32_t end = layout->itemCount + count;
    for ( uint32_t i = 0; i < count; ++i )
    {
        index[i] = keys[position].value | JO_OWNER_BITS;
        ends[i] = end;
        position = next[position];
    }
    layout->itemCount = end;
    return position;
}

// Starts a group with an entry that has just been added.
static joTreeGroup* addGroup( Layout* layout, uint32_t entry, uint32_t node )
{
    joTreeGroup* group = layout->groups + layout->groupCount++;
    *group = ( joTreeGroup ){
        .first = layout->entries[entry].first, .entry = entry, .start = entry + 1, .node = node };
    layout->family = NONE;
    return group;
}

// All items of the group, or of one entry, meet each other without a traversal.
static void setEnds( Layout* layout, uint32_t first )
{
    uint32_t* ends = layout->tree->ends.data;
    for ( uint32_t i = first; i < layout->itemCount; ++i )
    {
        ends[i] = layout->itemCount;
    }
}

// How many items from `position` on to take, [least, most], so that the last is followed by the farthest jump
// of the curve: a run across a jump has large bounds.
static uint32_t cutAtJump( const joTree* tree, uint32_t position, uint32_t least, uint32_t most )
{
    const joKeyValue* keys = tree->keys.data;
    const uint32_t* next = tree->next.data;
    uint32_t best = most, farthest = 0;
    for ( uint32_t count = 1; count <= most; ++count )
    {
        uint32_t after = next[position];
        uint32_t jump = keys[position].key ^ keys[after].key;
        if ( count >= least && jump >= farthest )
        {
            farthest = jump;
            best = count;
        }
        position = after;
    }
    return best;
}

// One group of items of a large node, in one or two chunks. Returns the rest of the list.
static uint32_t addChunkedGroup( Layout* layout, uint32_t node, uint32_t position, uint32_t size )
{
    uint32_t first = layout->itemCount;
    uint32_t part = size;
    if ( size > JO_TREE_CHUNK )
    {
        uint32_t least = size - JO_TREE_CHUNK > JO_TREE_CHUNK / 2 ? size - JO_TREE_CHUNK : JO_TREE_CHUNK / 2;
        part = cutAtJump( layout->tree, position, least, JO_TREE_CHUNK );
    }
    uint32_t entry = addEntry( layout );
    layout->entries[entry].skip = entry + 1;
    joTreeGroup* group = addGroup( layout, entry, node );
    position = addItems( layout, position, part );
    if ( part < size )
    {
        entry = addEntry( layout );
        layout->entries[entry].skip = entry + 1;
        group->start = entry + 1;
        position = addItems( layout, position, size - part );
    }
    setEnds( layout, first );
    return position;
}

// The items of a node that has many, as chunks with bounds of their own under wrappers of wrappers: items
// that lie across the planes of a large node must not meet all others that do.
static void addChunks( Layout* layout, const joTreeRecord* record )
{
    uint32_t wrappers[MAX_WRAPPERS];
    uint64_t widths[MAX_WRAPPERS];
    uint32_t wrapperCount = 0;
    uint32_t groups = record->own / JO_TREE_GROUP; // about
    for ( uint64_t width = JO_TREE_FANOUT; width < groups; width *= JO_TREE_FANOUT )
    {
        widths[wrapperCount++] = width;
    }
    uint32_t position = record->head;
    uint32_t left = record->own;
    for ( uint32_t g = 0; left > 0; ++g )
    {
        for ( uint32_t k = 0; k < wrapperCount && g > 0 && g % widths[k] == 0; ++k )
        {
            layout->entries[wrappers[k]].skip = layout->entryCount;
        }
        for ( uint32_t k = wrapperCount; k-- > 0; )
        {
            if ( g % widths[k] == 0 )
            {
                wrappers[k] = addEntry( layout );
            }
        }
        uint32_t size = left <= JO_TREE_GROUP
                            ? left
                            : cutAtJump( layout->tree, position, JO_TREE_GROUP / 2, JO_TREE_GROUP );
        position = addChunkedGroup( layout, record->entry, position, size );
        left -= size;
    }
    for ( uint32_t k = 0; k < wrapperCount; ++k )
    {
        layout->entries[wrappers[k]].skip = layout->entryCount;
    }
}

// A subtree with few items in all stands as one entry: its nodes would cost more to go through than its
// items. It joins the group of its siblings before it, or, loose, of its parent, while these are few:
// together they share one traversal. Strict: siblings cannot touch, so that they meet only other trees
// together.
static void addBundle( Layout* layout, joTreeRecord* record, uint32_t parent )
{
    joTree* tree = layout->tree;
    joTreeRecord* last = (joTreeRecord*)tree->records.data + record->mark;
    uint32_t entry = addEntry( layout );
    uint32_t first = layout->itemCount;
    layout->entries[entry].skip = entry + 1;
    for ( joTreeRecord* node = record; node >= last; --node )
    {
        node->first = layout->itemCount;
        addItems( layout, node->head, node->own );
        tree->depth = node->level > tree->depth ? node->level : tree->depth;
    }
    setEnds( layout, first );
    // There is a last group where there is a family.
    bool joins = parent != NONE && layout->family == parent &&
                 layout->itemCount - layout->groups[layout->groupCount - 1].first <= JO_TREE_GROUP;
    joTreeGroup* group = joins ? layout->groups + layout->groupCount - 1 : addGroup( layout, entry, entry );
    group->start = entry + 1;
    layout->family = parent;
    if ( joins && tree->loose )
    {
        setEnds( layout, group->first );
    }
}

static void closeEntry( Layout* layout )
{
    const joTreeRecord* records = layout->tree->records.data;
    layout->entries[records[layout->open[--layout->openCount]].entry].skip = layout->entryCount;
}

static void layOut( joTree* tree, uint32_t recordCount )
{
    Layout layout = {
        .tree = tree, .entries = tree->entries.data, .groups = tree->groups.data, .family = NONE };
    joTreeRecord* records = tree->records.data;
    for ( uint32_t r = recordCount; r-- > 0; )
    {
        joTreeRecord* record = records + r;
        while ( layout.openCount > 0 && r < records[layout.open[layout.openCount - 1]].mark )
        {
            closeEntry( &layout );
        }
        uint32_t parent = layout.openCount > 0 ? records[layout.open[layout.openCount - 1]].entry : NONE;
        if ( record->total <= JO_TREE_CHUNK )
        {
            addBundle( &layout, record, parent );
            r = record->mark;
            continue;
        }
        record->entry = addEntry( &layout );
        record->first = layout.itemCount;
        layout.open[layout.openCount++] = r;
        tree->depth = record->level > tree->depth ? record->level : tree->depth;
        if ( record->own > JO_TREE_CHUNK )
        {
            addChunks( &layout, record );
        }
        else if ( record->own > 0 )
        {
            addGroup( &layout, record->entry, record->entry );
            addItems( &layout, record->head, record->own );
            layout.family = tree->loose ? record->entry : NONE;
        }
    }
    while ( layout.openCount > 0 )
    {
        closeEntry( &layout );
    }
    layout.entries[layout.entryCount] =
        ( joTreeEntry ){ .first = layout.itemCount, .skip = layout.entryCount };
    layout.groups[layout.groupCount] =
        ( joTreeGroup ){ .first = layout.itemCount, .entry = layout.entryCount };
    for ( uint32_t i = 0; i < JO_LANE_PADDING; ++i )
    {
        ( (uint32_t*)tree->index.data )[layout.itemCount + i] = JO_OWNER_BITS; // gathering looks ahead
    }
    tree->nodeCount = recordCount;
    tree->entryCount = layout.entryCount;
    tree->groupCount = layout.groupCount;
}

// ---- bounds ----

JO_TREE_INLINE void addBounds(
    float lower[3], float upper[3], const float otherLower[3], const float otherUpper[3] )
{
    for ( uint32_t k = 0; k < 3; ++k )
    {
        lower[k] = otherLower[k] < lower[k] ? otherLower[k] : lower[k];
        upper[k] = otherUpper[k] > upper[k] ? otherUpper[k] : upper[k];
    }
}

typedef struct GatherContext
{
    joTree* tree;
    const joBoxRecord* records;
} GatherContext;

JO_TREE_INLINE void gatherEntry(
    const joBoxColumns* columns, joTreeEntry* entry, const joBoxRecord* records, uint32_t axisCount )
{
    for ( uint32_t i = entry[0].first; i < entry[1].first; ++i )
    {
        __builtin_prefetch( records + ( columns->index[i + JO_TREE_AHEAD] & JO_INDEX_MASK ) );
        const joBoxRecord* record = records + ( columns->index[i] & JO_INDEX_MASK );
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            columns->lower[k][i] = record->lower[k];
            columns->upper[k][i] = record->upper[k];
        }
        addBounds( entry->lower, entry->upper, record->lower, record->upper );
    }
}

static void gatherGroups( uint32_t begin, uint32_t end, uint32_t worker, void* gatherContext )
{
    (void)worker;
    const GatherContext* context = gatherContext;
    const joTree* tree = context->tree;
    joTreeEntry* entries = tree->entries.data;
    joTreeGroup* groups = tree->groups.data;
    joBoxColumns columns = joTree_Columns( tree );
    for ( uint32_t g = begin; g < end; ++g )
    {
        joTreeGroup* group = groups + g;
        for ( uint32_t k = 0; k < 3; ++k )
        {
            group->bounds[k] = INFINITY;
            group->bounds[k + 3] = -INFINITY;
        }
        for ( uint32_t e = group->entry; e < group->start; ++e )
        {
            if ( tree->context->axisCount == 2 )
            {
                gatherEntry( &columns, entries + e, context->records, 2 );
            }
            else
            {
                gatherEntry( &columns, entries + e, context->records, 3 );
            }
            addBounds( group->bounds, group->bounds + 3, entries[e].lower, entries[e].upper );
        }
    }
}

// From the last entry to the first: all below an entry are complete before it.
static void uniteBounds( joTree* tree )
{
    joTreeEntry* entries = tree->entries.data;
    for ( uint32_t e = tree->entryCount; e-- > 0; )
    {
        joTreeEntry* entry = entries + e;
        for ( uint32_t below = e + 1; below < entry->skip; below = entries[below].skip )
        {
            addBounds( entry->lower, entry->upper, entries[below].lower, entries[below].upper );
        }
    }
}

// ---- build ----

joResult joTree_Build( void* structure, const joBoxSet* set )
{
    joTree* tree = structure;
    if ( tree->built && !set->allChanged && set->changedCount == 0 )
    {
        return jo_success;
    }
    tree->built = false;
    tree->isPrepared = false;
    tree->itemCount = tree->nodeCount = tree->entryCount = tree->groupCount = tree->depth = 0;
    if ( set->liveCount > 0 )
    {
        joResult result = joTree_Reserve( tree, set->count );
        if ( result )
        {
            return result;
        }
        tree->root = joTree_ChooseRoot( tree, set );
        joTree_SortItems( tree, set );
        uint32_t recordCount = makeNodes( tree );
        layOut( tree, recordCount );
        GatherContext context = { tree, set->records };
        joParallelFor( tree->context->jobs, tree->groupCount, GATHER_BLOCK, gatherGroups, &context );
        uniteBounds( tree );
    }
    tree->built = true;
    return jo_success;
}
