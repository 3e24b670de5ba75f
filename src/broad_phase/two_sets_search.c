// SPDX-License-Identifier: MIT
// Looks the smaller side up in a structure of the larger one that is up to date.
#include "two_sets.h"

#define SEARCH_BLOCK 64u

typedef struct SearchContext
{
    joTwoSets* twoSets;
    const joBroadPhase* front;
    uint32_t setIndex;
} SearchContext;

// One object on its way through the structure.
typedef struct Search
{
    joProbe probe; // first: a probe is cast to its search
    const joBoxRecord* records;
    uint32_t slot; // of the smaller side
    joPairSink* sink;
} Search;

static void take( joProbe* probe, const uint32_t* slots, uint32_t count )
{
    const Search* search = (const Search*)(const void*)probe;
    joRawPairs* raw = &search->sink->raw;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t slot = slots[i] & JO_INDEX_MASK;
        const joBoxRecord* record = search->records + slot;
        // What has changed since is scanned.
        bool touches = ( record->flags & ( JO_FLAG_FREE | JO_FLAG_CHANGED ) ) == 0;
        for ( uint32_t axis = 0; axis < probe->axisCount; ++axis )
        {
            touches = touches && record->lower[axis] <= probe->bounds[3 + axis] &&
                      record->upper[axis] >= probe->bounds[axis];
        }
        if ( !touches )
        {
            continue;
        }
        if ( raw->count == raw->capacity )
        {
            joPairSink_Flush( search->sink );
        }
        raw->a[raw->count] = search->slot;
        raw->b[raw->count] = slot;
        raw->count += 1;
    }
    search->sink->candidatesTested += count;
}

static void searchBlock( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const SearchContext* context = userContext;
    const joBroadPhase* front = context->front;
    const joObjectSet* small = &context->twoSets->gathered[JO_GATHERED_SMALL];
    Search search = {
        .probe = { .kind = jo_probeBox,
            .axisCount = front->context.axisCount,
            .kernels = front->context.kernels,
            .take = take },
        .records = joObjectSet_Records( &front->sets[context->setIndex] ),
        .sink = joPairCollector_BeginSink( &context->twoSets->collector, worker, context->setIndex ),
    };
    joProbe_SetLimit( &search.probe, INFINITY );
    for ( search.slot = begin; search.slot < end; ++search.slot )
    {
        const joBoxRecord* record = joObjectSet_Records( small ) + search.slot;
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            search.probe.bounds[axis] = record->lower[axis];
            search.probe.bounds[3 + axis] = record->upper[axis];
        }
        front->kind->query( front->structures[context->setIndex], &search.probe );
    }
}

void joTwoSets_Search( joTwoSets* twoSets, const joBroadPhase* front, uint32_t setIndex )
{
    SearchContext context = { twoSets, front, setIndex };
    joParallelFor(
        twoSets->def.jobs, twoSets->gathered[JO_GATHERED_SMALL].count, SEARCH_BLOCK, searchBlock, &context );
}
