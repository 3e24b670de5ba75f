// SPDX-License-Identifier: MIT
// Sweep and prune: boxes sorted by their lower bound on one axis; the candidates of a box are the run of
// those that start before it ends, tested on the other axes by SIMD. After Baraff, "Dynamic Simulation of
// Non-Penetrating Rigid Bodies", 1992, with a sort from scratch each frame: keys are taken in last frame's
// order, so that a scene that moves little is nearly sorted, and a radix sort stops early when it is.
#include "base/float_env.h"
#include "kinds.h"
#include "row_query.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Boxes of one job.
#define SWEEP_BLOCK 512

typedef struct joSweep
{
    const joStructureContext* context;
    uint32_t axes[3]; // world axis of column axis k; axes[0] is the sweep axis
    uint32_t count;
    joRowShape shape;
    joColumnStore store;
    joArray entries; // float: row entries, in last frame's order
    joArray scratch; // float: one joRowScratch
    uint64_t scratchRow;
    joArray ranges; // uint32_t: ends within; then begins and ends of cross searches
} joSweep;

static void initSweep( void* structure, const joStructureContext* context )
{
    joSweep* sweep = structure;
    sweep->context = context;
}

static void destroySweep( void* structure )
{
    joSweep* sweep = structure;
    joMemory* memory = sweep->context->memory;
    joColumnStore_Free( &sweep->store, memory );
    joArray_Free( &sweep->entries, memory, sizeof( float ) );
    joArray_Free( &sweep->scratch, memory, sizeof( float ) );
    joArray_Free( &sweep->ranges, memory, sizeof( uint32_t ) );
}

static joResult reserveSweep( void* structure, uint32_t count )
{
    joSweep* sweep = structure;
    joMemory* memory = sweep->context->memory;
    uint32_t axisCount = sweep->context->axisCount;
    joResult result = joColumnStore_Reserve( &sweep->store, memory, axisCount, count );
    if ( result == jo_success )
    {
        const uint64_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
        result = joArray_Reserve(
            &sweep->entries, memory, count * stride, sizeof( float ), sweep->count * stride );
    }
    if ( result == jo_success )
    {
        result =
            joArray_Reserve( &sweep->ranges, memory, 3 * ( (uint64_t)count + 1 ), sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success && ( sweep->scratch.data == NULL || count > sweep->scratchRow ) )
    {
        result = joArray_Reserve(
            &sweep->scratch, memory, joRowScratch_FloatCount( axisCount, count ), sizeof( float ), 0 );
        sweep->scratchRow = result == jo_success ? count : sweep->scratchRow;
    }
    return result;
}

// The axis on which centres vary most, by the variance of finite centres; x unless another is clearly wider.
static uint32_t widestAxis( const joBoxSet* set, uint32_t axisCount )
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    double sumSq[3] = { 0.0, 0.0, 0.0 };
    uint32_t stride = set->count / 4096 + 1;
    double count = 0.0;
    for ( uint32_t slot = 0; slot < set->count; slot += stride )
    {
        const joBoxRecord* record = set->records + slot;
        if ( !joIsLive( record ) )
        {
            continue;
        }
        count += 1.0;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            double center = 0.5 * (double)record->lower[axis] + 0.5 * (double)record->upper[axis];
            center = isfinite( center ) ? center : 0.0;
            sum[axis] += center;
            sumSq[axis] += center * center;
        }
    }
    uint32_t widest = 0;
    double best = -1.0;
    for ( uint32_t axis = 0; axis < axisCount && count > 0.0; ++axis )
    {
        double variance = sumSq[axis] / count - ( sum[axis] / count ) * ( sum[axis] / count );
        if ( variance > 1.5 * best )
        {
            best = variance > 0.0 ? variance : 0.0;
            widest = axis;
        }
    }
    return widest;
}

// Whether the entries, of an earlier build, are those of the live slots: then they are rewritten where they
// stand.
static bool refreshEntries( joSweep* sweep, const joBoxSet* set )
{
    const uint32_t axisCount = sweep->context->axisCount;
    float* entry = sweep->entries.data;
    if ( sweep->count != set->liveCount )
    {
        return false;
    }
    for ( uint32_t i = 0; i < sweep->count; ++i, entry += JO_ROW_ENTRY_FLOATS( axisCount ) )
    {
        uint32_t slot = joRowEntry_Index( entry, axisCount ) & JO_INDEX_MASK;
        if ( slot >= set->count || !joIsLive( set->records + slot ) )
        {
            return false;
        }
        joRowEntry_Write( entry, set->records + slot, sweep->axes, axisCount );
    }
    return true;
}

// Sorts the entries into the columns, and takes over their order to start from next time.
static void sortSweep( joSweep* sweep )
{
    const uint32_t axisCount = sweep->context->axisCount;
    float* entry = sweep->entries.data;
    joRowScratch scratch = joRowScratch_Cut( sweep->scratch.data, axisCount, sweep->scratchRow );
    joRowRun run = { 0, sweep->count };
    sweep->shape =
        joRow_SortExact( entry, &run, 1, sweep->count, axisCount, &scratch, &sweep->store.columns, 0 );
    const joBoxColumns* columns = &sweep->store.columns;
    for ( uint32_t i = 0; i < sweep->count; ++i, entry += JO_ROW_ENTRY_FLOATS( axisCount ) )
    {
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            entry[k] = columns->lower[k][i];
            entry[axisCount + k] = columns->upper[k][i];
        }
        joRowEntry_SetIndex( entry, columns->index[i], axisCount );
    }
}

static joResult buildSweep( void* structure, const joBoxSet* set )
{
    joSweep* sweep = structure;
    if ( !set->allChanged && set->changedCount == 0 )
    {
        return jo_success;
    }
    joResult result = reserveSweep( structure, set->liveCount );
    if ( result != jo_success )
    {
        sweep->count = 0;
        return result;
    }
    uint32_t axisCount = sweep->context->axisCount;
    uint32_t axis = widestAxis( set, axisCount );
    sweep->axes[0] = axis;
    sweep->axes[1] = axis == 0 ? 1 : 0;
    sweep->axes[2] = axis == 2 ? 1 : 2;
    if ( !refreshEntries( sweep, set ) )
    {
        float* entry = sweep->entries.data;
        sweep->count = 0;
        for ( uint32_t slot = 0; slot < set->count; ++slot )
        {
            if ( joIsLive( set->records + slot ) )
            {
                joRowEntry_Write( entry, set->records + slot, sweep->axes, axisCount );
                joRowEntry_SetIndex( entry, slot | JO_OWNER_BITS, axisCount );
                entry += JO_ROW_ENTRY_FLOATS( axisCount );
                sweep->count += 1;
            }
        }
    }
    sortSweep( sweep );
    return jo_success;
}

// Sorts a still sweep on the axis of the moving one, if it is on another: once, for the moving one keeps its
// axis.
static void turnSweep( joSweep* still, const joSweep* moving )
{
    if ( still->axes[0] == moving->axes[0] )
    {
        return;
    }
    const uint32_t axisCount = still->context->axisCount;
    float* entry = still->entries.data;
    for ( uint32_t i = 0; i < still->count; ++i, entry += JO_ROW_ENTRY_FLOATS( axisCount ) )
    {
        float old[JO_ROW_ENTRY_FLOATS( 3 )];
        memcpy( old, entry, 2 * axisCount * sizeof( float ) );
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            for ( uint32_t own = 0; own < axisCount; ++own )
            {
                if ( still->axes[own] == moving->axes[k] )
                {
                    entry[k] = old[own];
                    entry[axisCount + k] = old[axisCount + own];
                }
            }
        }
    }
    memcpy( still->axes, moving->axes, sizeof( still->axes ) );
    sortSweep( still );
}

typedef struct FindContext
{
    joSweep* moving;
    void* const* still;
    uint32_t stillCount;
    joPairCollector* collector;
} FindContext;

static void sweepWithin( const FindContext* find, uint32_t begin, uint32_t end, joPairSink* sink )
{
    const joSweep* sweep = find->moving;
    const joStructureContext* context = sweep->context;
    const joBoxColumns* columns = &sweep->store.columns;
    uint32_t* ends = sweep->ranges.data;
    for ( uint32_t i = begin; i < end; ++i )
    {
        ends[i] = joRow_UpperBound( columns->lower[0], i + 1, sweep->count, columns->upper[0][i] );
    }
    joJoin join = {
        .a = columns, .b = columns, .first = begin, .last = end, .ends = ends, .afterSelf = true };
    joPairSink_Join( sink, context->kernels, context->axisCount, &join );
}

// Still boxes sorted on the same axis: each moving box meets those that start within it, and those within
// which it starts. The second is a sweep over the still boxes that can reach the block.
static void sweepAcross(
    const FindContext* find, const joSweep* still, uint32_t begin, uint32_t end, joPairSink* sink )
{
    const joSweep* sweep = find->moving;
    const joStructureContext* context = sweep->context;
    const joBoxColumns* own = &sweep->store.columns;
    const joBoxColumns* other = &still->store.columns;
    const float* starts = other->lower[0];
    uint32_t* begins = (uint32_t*)sweep->ranges.data + ( sweep->ranges.capacity / 3 );
    uint32_t* ends = begins + ( sweep->ranges.capacity / 3 );
    for ( uint32_t i = begin; i < end; ++i )
    {
        uint32_t hint = i > begin ? begins[i - 1] : 0;
        begins[i] = joRow_LowerBound( starts, 0, still->count, hint, own->lower[0][i] );
        ends[i] = joRow_UpperBound( starts, begins[i], still->count, own->upper[0][i] );
    }
    joJoin within = { .a = own, .b = other, .first = begin, .last = end, .begins = begins, .ends = ends };
    joPairSink_Join( sink, context->kernels, context->axisCount, &within );
    // Still boxes that start before a box of the block does, and end after that: each against the run of
    // those boxes.
    const float first = own->lower[0][begin];
    uint32_t last = joRow_LowerBound( starts, 0, still->count, 0, own->lower[0][end - 1] );
    for ( uint32_t j = 0; j < last; ++j )
    {
        if ( other->upper[0][j] >= first )
        {
            uint32_t from = joRow_UpperBound( own->lower[0], begin, end, starts[j] );
            uint32_t to = joRow_UpperBound( own->lower[0], from, end, other->upper[0][j] );
            joJoin across = { .a = other, .b = own, .first = j, .last = j + 1, .begin = from, .end = to };
            joPairSink_JoinReversed( sink, context->kernels, context->axisCount, &across );
        }
    }
}

static void findBlock( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const FindContext* find = userContext;
    for ( uint32_t first = begin; first < end; first += SWEEP_BLOCK )
    {
        uint32_t last = end - first < SWEEP_BLOCK ? end : first + SWEEP_BLOCK;
        sweepWithin( find, first, last, joPairCollector_BeginSink( find->collector, worker, 0 ) );
        for ( uint32_t k = 0; k < find->stillCount; ++k )
        {
            sweepAcross( find, find->still[k], first, last,
                joPairCollector_BeginSink( find->collector, worker, k + 1 ) );
        }
    }
}

static joResult findSweep( void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector )
{
    FindContext find = { moving, still, stillCount, collector };
    for ( uint32_t k = 0; k < stillCount && find.moving->count > 0; ++k )
    {
        turnSweep( still[k], moving );
    }
    joParallelFor( find.moving->context->jobs, find.moving->count, SWEEP_BLOCK, findBlock, &find );
    return jo_success;
}

static void querySweep( const void* structure, joProbe* probe )
{
    const joSweep* sweep = structure;
    const uint32_t axis = sweep->axes[0];
    joRowScan scan = { .probe = probe, .columns = sweep->store.columns, .axis = axis };
    for ( uint32_t k = 0; k < sweep->context->axisCount; ++k )
    {
        scan.columns.lower[sweep->axes[k]] = sweep->store.columns.lower[k];
        scan.columns.upper[sweep->axes[k]] = sweep->store.columns.upper[k];
    }
    const joRowWindow window = joRow_WindowOf( probe, axis );
    joRow_ScanSorted( &scan, 0, sweep->count, &sweep->shape, &window );
}

static float costQuery( const void* structure )
{
    const joSweep* sweep = structure;
    return 250.0f + 0.0015f * (float)sweep->count;
}

static void addSweepStats( const void* structure, joBroadPhaseStats* stats )
{
    const joSweep* sweep = structure;
    stats->cells = sweep->count > 0 ? 1 : stats->cells;
}

static bool validateSweep( const void* structure, const joBoxSet* set )
{
    const joSweep* sweep = structure;
    const joBoxColumns* columns = &sweep->store.columns;
    if ( sweep->count != set->liveCount )
    {
        return false;
    }
    for ( uint32_t i = 0; i < sweep->count; ++i )
    {
        uint32_t slot = columns->index[i] & JO_INDEX_MASK;
        if ( slot >= set->count || columns->index[i] < JO_OWNER_BITS ||
             columns->lower[0][i] != set->records[slot].lower[sweep->axes[0]] ||
             ( i > 0 && columns->lower[0][i - 1] > columns->lower[0][i] ) )
        {
            return false;
        }
    }
    return true;
}

const joStructureKind joSweepKind = {
    .name = "sweep",
    .size = sizeof( joSweep ),
    .init = initSweep,
    .destroy = destroySweep,
    .reserve = reserveSweep,
    .build = buildSweep,
    .findPairs = findSweep,
    .query = querySweep,
    .queryCost = costQuery,
    .queryTakesBounds = true,
    .addStats = addSweepStats,
    .validate = validateSweep,
};
