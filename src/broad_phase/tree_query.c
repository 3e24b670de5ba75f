// SPDX-License-Identifier: MIT
// Quadtree and octree: queries. The entries of a tree stand in pre-order, so that children of one do not
// stand together. For queries they are laid out once more (joTree_Prepare), by levels: the children of an
// entry are a run of columns, which a kernel tests at once. Rays and points go to what is nearest first,
// depth first, so that what is behind the first hits is not looked at. A tree that has not been prepared is
// walked in pre-order.
#include "base/assert.h"
#include "base/float_env.h"
#include "broad_phase/tree.h"

// Entries with so many items in all are scanned whole: cheaper than to go through what is below.
#define WHOLE_LIMIT 32u
// Children of an entry, at most: below a node there are eight nodes and fewer than 14 chunks or wrappers
// (addChunks in tree_build.c), below a wrapper four groups of two chunks.
#define CHILDREN_LIMIT 22u
// Entries that wait, at most: all children of one are pushed at once. A path has up to JO_MAX_TREE_DEPTH + 1
// nodes and then 11 wrappers.
#define WAITING_LIMIT ( ( JO_MAX_TREE_DEPTH + 1 + 11 ) * CHILDREN_LIMIT )

// ---- by levels ----

static void addToLevels( const joTree* tree, uint32_t place, uint32_t entry )
{
    const joBoxColumns* columns = &tree->levelBounds.columns;
    const joTreeEntry* from = (const joTreeEntry*)tree->entries.data + entry;
    for ( uint32_t k = 0; k < tree->context->axisCount; ++k )
    {
        columns->lower[k][place] = from->lower[k];
        columns->upper[k][place] = from->upper[k];
    }
    columns->index[place] = entry;
}

// Where the items of an entry and of all below it end.
static uint32_t endOfItems( const joTreeEntry* entries, uint32_t entry )
{
    return entries[entries[entry].skip].first;
}

// The root, then the children of each entry in turn.
static void layOutByLevels( joTree* tree )
{
    const joTreeEntry* entries = tree->entries.data;
    const uint32_t* entryAt = tree->levelBounds.columns.index;
    uint32_t* children = tree->children.data;
    uint32_t count = 1;
    addToLevels( tree, 0, 0 );
    for ( uint32_t place = 0; place < count; ++place )
    {
        const uint32_t parent = entryAt[place];
        children[place] = count;
        const bool isWhole = endOfItems( entries, parent ) - entries[parent].first <= WHOLE_LIMIT;
        for ( uint32_t e = parent + 1; e < entries[parent].skip && !isWhole; e = entries[e].skip )
        {
            addToLevels( tree, count++, e );
        }
        JO_ASSERT( count - children[place] <= CHILDREN_LIMIT );
    }
    children[count] = count;
}

joResult joTree_Prepare( void* structure )
{
    joTree* tree = structure;
    if ( tree->isPrepared || tree->entryCount == 0 )
    {
        return jo_success;
    }
    joResult result = joTree_ReserveLevels( tree, tree->entryCount );
    if ( result == jo_success )
    {
        layOutByLevels( tree );
        tree->isPrepared = true;
    }
    return result;
}

// An entry that waits to be looked at.
typedef struct Waiting
{
    uint32_t place;
    float nearness; // of joProbe_Find
} Waiting;

typedef struct Walk
{
    joProbe* probe;
    const joBoxColumns* bounds;
    uint32_t count;
    Waiting waiting[WAITING_LIMIT]; // the next one last
} Walk;

// Pushes those of the entries at [begin, end) that the probe meets.
static void pushChildren( Walk* walk, uint32_t begin, uint32_t end )
{
    uint32_t places[CHILDREN_LIMIT + JO_LANE_PADDING];
    float nearness[CHILDREN_LIMIT + JO_LANE_PADDING];
    const uint32_t found = joProbe_Find( walk->probe, walk->bounds, begin, end, places, nearness );
    JO_ASSERT( walk->count + found <= WAITING_LIMIT );
    const uint32_t base = walk->count;
    for ( uint32_t i = 0; i < found; ++i )
    {
        uint32_t at = walk->count++;
        if ( walk->probe->kind == jo_probeBox )
        {
            walk->waiting[at] = ( Waiting ){ places[i], 0.0f };
            continue;
        }
        for ( ; at > base && walk->waiting[at - 1].nearness < nearness[i]; --at )
        {
            walk->waiting[at] = walk->waiting[at - 1];
        }
        walk->waiting[at] = ( Waiting ){ places[i], nearness[i] };
    }
}

static void walkByLevels( const joTree* tree, joProbe* probe )
{
    const joBoxColumns items = joTree_Columns( tree );
    const joTreeEntry* entries = tree->entries.data;
    const uint32_t* children = tree->children.data;
    Walk walk;
    walk.probe = probe;
    walk.bounds = &tree->levelBounds.columns;
    walk.count = 0;
    pushChildren( &walk, 0, 1 );
    while ( walk.count > 0 && !probe->done )
    {
        const Waiting next = walk.waiting[--walk.count];
        if ( probe->kind != jo_probeBox && joProbe_IsBeyond( probe, next.nearness ) )
        {
            continue;
        }
        const uint32_t entry = walk.bounds->index[next.place];
        const uint32_t begin = children[next.place];
        const uint32_t end = children[next.place + 1];
        joProbe_Scan( probe, &items, entries[entry].first,
            begin < end ? entries[entry + 1].first : endOfItems( entries, entry ) );
        if ( begin < end )
        {
            pushChildren( &walk, begin, end );
        }
    }
}

// ---- in pre-order ----

static bool meetsEntry( const joProbe* probe, const joTreeEntry* entry )
{
    float nearness;
    return probe->kind == jo_probeBox
               ? joTreeEntry_Overlaps( entry, probe->bounds, probe->axisCount )
               : joProbe_Meets( probe, entry->lower, entry->upper, probe->axisCount, &nearness );
}

static void walkInOrder( const joTree* tree, joProbe* probe )
{
    const joTreeEntry* entries = tree->entries.data;
    const joBoxColumns items = joTree_Columns( tree );
    // Items of entries that follow each other are one range.
    uint32_t first = 0, last = 0;
    for ( uint32_t e = 0; e < tree->entryCount && !probe->done; )
    {
        const joTreeEntry* entry = entries + e;
        if ( !meetsEntry( probe, entry ) )
        {
            e = entry->skip;
            continue;
        }
        if ( entry->first != last )
        {
            joProbe_Scan( probe, &items, first, last );
            first = entry->first;
        }
        last = entry[1].first;
        ++e;
    }
    joProbe_Scan( probe, &items, first, last );
}

void joTree_Query( const void* structure, joProbe* probe )
{
    const joTree* tree = structure;
    if ( tree->isPrepared )
    {
        walkByLevels( tree, probe );
    }
    else
    {
        walkInOrder( tree, probe );
    }
}
