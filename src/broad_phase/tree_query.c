// SPDX-License-Identifier: MIT
// Quadtree and octree: queries. A box takes all entries in order, and jumps over those that it does not meet.
// Rays and points go to what is nearest first, so that what is behind the first hits is not looked at: depth
// first, the entries below one sorted by how far they are.
#include "base/assert.h"
#include "base/float_env.h"
#include "broad_phase/tree.h"

// Entries that wait, at most. All below one are pushed at once: below a node there are eight nodes and fewer
// than 14 chunks or wrappers (joTree_Build's addChunks), below a wrapper four groups of two chunks. A path
// has up to JO_MAX_TREE_DEPTH + 1 nodes and then 11 wrappers.
#define WAITING_LIMIT ( ( JO_MAX_TREE_DEPTH + 1 ) * ( 8 + 14 ) + 11 * 8 )

static void queryBox( const joTree* tree, joProbe* probe )
{
    const joTreeEntry* entries = tree->entries.data;
    const joBoxColumns columns = joTree_Columns( tree );
    // Items of entries that follow each other are one range.
    uint32_t first = 0, last = 0;
    for ( uint32_t e = 0; e < tree->entryCount && !probe->done; )
    {
        const joTreeEntry* entry = entries + e;
        if ( !joTreeEntry_Overlaps( entry, probe->bounds, probe->axisCount ) )
        {
            e = entry->skip;
            continue;
        }
        if ( entry->first != last )
        {
            joProbe_Scan( probe, &columns, first, last );
            first = entry->first;
        }
        last = entry[1].first;
        ++e;
    }
    joProbe_Scan( probe, &columns, first, last );
}

// An entry that waits to be looked at.
typedef struct Waiting
{
    uint32_t entry;
    float nearness; // of joProbe_Meets
} Waiting;

typedef struct Walk
{
    const joTree* tree;
    joBoxColumns columns;
    joProbe* probe;
    uint32_t waitingCount;
    Waiting waiting[WAITING_LIMIT]; // the next one last
} Walk;

// Pushes those of the entries [begin, end), and not of the ones below them, that the probe meets.
JO_TREE_INLINE void pushEntries( Walk* walk, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    const joTreeEntry* entries = walk->tree->entries.data;
    const uint32_t base = walk->waitingCount;
    for ( uint32_t e = begin; e < end; e = entries[e].skip )
    {
        float nearness;
        if ( !joProbe_Meets( walk->probe, entries[e].lower, entries[e].upper, axisCount, &nearness ) )
        {
            continue;
        }
        JO_ASSERT( walk->waitingCount < WAITING_LIMIT );
        uint32_t place = walk->waitingCount++;
        for ( ; place > base && walk->waiting[place - 1].nearness < nearness; --place )
        {
            walk->waiting[place] = walk->waiting[place - 1];
        }
        walk->waiting[place] = ( Waiting ){ e, nearness };
    }
}

JO_TREE_INLINE void queryNearFirst( const joTree* tree, joProbe* probe, uint32_t axisCount )
{
    const joTreeEntry* entries = tree->entries.data;
    Walk walk;
    walk.tree = tree;
    walk.columns = joTree_Columns( tree );
    walk.probe = probe;
    walk.waitingCount = 0;
    pushEntries( &walk, 0, tree->entryCount, axisCount );
    while ( walk.waitingCount > 0 && !probe->done )
    {
        const Waiting next = walk.waiting[--walk.waitingCount];
        if ( joProbe_IsBeyond( probe, next.nearness ) )
        {
            continue;
        }
        joProbe_Scan( probe, &walk.columns, entries[next.entry].first, entries[next.entry + 1].first );
        pushEntries( &walk, next.entry + 1, entries[next.entry].skip, axisCount );
    }
}

void joTree_Query( const void* structure, joProbe* probe )
{
    const joTree* tree = structure;
    if ( probe->kind == jo_probeBox )
    {
        queryBox( tree, probe );
    }
    else if ( probe->axisCount == 2 )
    {
        queryNearFirst( tree, probe, 2 );
    }
    else
    {
        queryNearFirst( tree, probe, 3 );
    }
}
