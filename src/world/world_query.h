// SPDX-License-Identifier: MIT
// Queries on a world, whatever they ask: single ones are batches of one.
#pragma once

#include "world/world.h"

#include "jostle/world_query.h"

typedef enum joAskKind
{
    jo_askRay,
    jo_askCast,
    jo_askOverlap,
    jo_askNearest
} joAskKind;

// What is asked, and where the answers go.
typedef struct joAsk
{
    const joWorld* world;
    joJobs* jobs;
    joAskKind kind;
    const joWorldQueries* queries;
    joWorldQueryFilter filter;
    uint64_t capacity; // hits of a query
    joWorldHit* hits;
    uint64_t* counts; // null: no more than the first ones are wanted
    bool isAny;       // whether there are any, nothing else
    bool* areHits;
} joAsk;

// *bad gets the first query that is none. Then, and on any other error, nothing has been written.
joResult joAsk_Run( const joAsk* ask, uint32_t* bad );
