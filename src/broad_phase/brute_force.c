// SPDX-License-Identifier: MIT
// Brute force: every box against every later one, by SIMD. Fast for few boxes, and the yardstick of the
// others.
#include "base/float_env.h"
#include "box_columns.h"
#include "kinds.h"

#include <string.h>

// Rows of one job. Columns are gone through in tiles, so that many of one frame's rows share a tile in the
// cache.
#define ROW_BLOCK 64
#define TILE 2048

typedef struct joBruteForce
{
    const joStructureContext* context;
    joColumnStore store;
    uint32_t count;
} joBruteForce;

static void initBruteForce( void* structure, const joStructureContext* context )
{
    joBruteForce* brute = structure;
    brute->context = context;
}

static void destroyBruteForce( void* structure )
{
    joBruteForce* brute = structure;
    joColumnStore_Free( &brute->store, brute->context->memory );
}

static joResult reserveBruteForce( void* structure, uint32_t count )
{
    joBruteForce* brute = structure;
    return joColumnStore_Reserve( &brute->store, brute->context->memory, brute->context->axisCount, count );
}

static joResult buildBruteForce( void* structure, const joBoxSet* set )
{
    joBruteForce* brute = structure;
    if ( !set->allChanged && set->changedCount == 0 )
    {
        return jo_success;
    }
    brute->count = 0;
    joResult result = reserveBruteForce( structure, set->liveCount );
    if ( result != jo_success )
    {
        return result;
    }
    for ( uint32_t slot = 0; slot < set->count; ++slot )
    {
        const joBoxRecord* record = set->records + slot;
        if ( joIsLive( record ) )
        {
            joColumns_Write( &brute->store.columns, brute->count++, record, slot | JO_OWNER_BITS,
                brute->context->axisCount );
        }
    }
    return jo_success;
}

typedef struct FindContext
{
    joBruteForce* moving;
    void* const* still;
    uint32_t stillCount;
    joPairCollector* collector;
} FindContext;

static void joinTiles(
    joPairSink* sink, const joStructureContext* context, joJoin* join, uint32_t begin, uint32_t end )
{
    for ( uint32_t tile = begin; tile < end; tile += TILE )
    {
        join->begin = tile;
        join->end = end - tile < TILE ? end : tile + TILE;
        join->started = false;
        joPairSink_Join( sink, context->kernels, context->axisCount, join );
    }
}

static void findRows( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const FindContext* find = userContext;
    const joStructureContext* context = find->moving->context;
    const joBoxColumns* columns = &find->moving->store.columns;
    for ( uint32_t first = begin; first < end; first += ROW_BLOCK )
    {
        uint32_t last = end - first < ROW_BLOCK ? end : first + ROW_BLOCK;
        joPairSink* sink = joPairCollector_BeginSink( find->collector, worker, 0 );
        joJoin own = {
            .a = columns, .b = columns, .first = first, .last = last, .end = last, .afterSelf = true };
        joPairSink_Join( sink, context->kernels, context->axisCount, &own );
        joJoin later = { .a = columns, .b = columns, .first = first, .last = last };
        joinTiles( sink, context, &later, last, find->moving->count );
        for ( uint32_t k = 0; k < find->stillCount; ++k )
        {
            const joBruteForce* still = find->still[k];
            sink = joPairCollector_BeginSink( find->collector, worker, k + 1 );
            joJoin cross = { .a = columns, .b = &still->store.columns, .first = first, .last = last };
            joinTiles( sink, context, &cross, 0, still->count );
        }
    }
}

static joResult findBruteForce(
    void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector )
{
    FindContext find = { moving, still, stillCount, collector };
    joParallelFor( find.moving->context->jobs, find.moving->count, ROW_BLOCK, findRows, &find );
    return jo_success;
}

static void queryBruteForce( const void* structure, joProbe* probe )
{
    const joBruteForce* brute = structure;
    joProbe_Scan( probe, &brute->store.columns, 0, brute->count );
}

static float costQuery( const void* structure )
{
    const joBruteForce* brute = structure;
    return 20.0f + 0.3f * (float)brute->count;
}

static void addBruteForceStats( const void* structure, joBroadPhaseStats* stats )
{
    (void)structure;
    (void)stats;
}

static bool validateBruteForce( const void* structure, const joBoxSet* set )
{
    const joBruteForce* brute = structure;
    uint32_t position = 0;
    for ( uint32_t slot = 0; slot < set->count; ++slot )
    {
        if ( joIsLive( set->records + slot ) )
        {
            if ( position >= brute->count ||
                 brute->store.columns.index[position] != ( slot | JO_OWNER_BITS ) )
            {
                return false;
            }
            position += 1;
        }
    }
    return position == brute->count;
}

const joStructureKind joBruteForceKind = {
    .name = "bruteforce",
    .size = sizeof( joBruteForce ),
    .init = initBruteForce,
    .destroy = destroyBruteForce,
    .reserve = reserveBruteForce,
    .build = buildBruteForce,
    .findPairs = findBruteForce,
    .query = queryBruteForce,
    .queryCost = costQuery,
    .addStats = addBruteForceStats,
    .validate = validateBruteForce,
};
