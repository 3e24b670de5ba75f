// SPDX-License-Identifier: MIT
// Pairs of the grid: each row with itself, and its boxes with the rows of coarser tables and of still grids.
#include "base/float_env.h"
#include "grid.h"

// Rows that the boxes of one row cover together in another table: up to this many are gone through one by one
// for all boxes at once.
#define BATCH_ROWS 24
// Shorter rows are tested whole.
#define SHORT_ROW 32

typedef struct FindContext
{
    joGrid* moving;
    void* const* still;
    uint32_t stillCount;
    joPairCollector* collector;
} FindContext;

// One row's boxes looking for partners in one table of a grid.
typedef struct Search
{
    const joGrid* target;
    const joGridTable* table;
    joBoxColumns
        boxes; // the looking row's columns, axes as in the target; index with the bits of this search
    uint32_t* begins;
    uint32_t* ends;
    uint32_t* first[2];    // cell coordinates
    uint32_t* count[2];    // rows covered, at most the period
    const uint32_t* index; // of the looking row, with its own owner bits
    joPairSink* sink;
    bool isReversed; // the looking row is of the collector's side b
} Search;

static inline bool isHome( uint32_t index )
{
    return index >= JO_OWNER_BITS;
}

static void coverTable( const Search* search, uint32_t rowCount )
{
    for ( uint32_t k = 0; k < 2; ++k )
    {
        uint32_t period = search->table->period[k];
        for ( uint32_t i = 0; i < rowCount; ++i )
        {
            search->first[k][i] = 0;
            search->count[k][i] = 1;
            if ( period > 1 )
            {
                int32_t first = joGridTable_Cell( search->table, search->boxes.lower[k + 1][i] );
                int32_t last = joGridTable_Cell( search->table, search->boxes.upper[k + 1][i] );
                // Unsigned: cells at both clamps are 2^31 apart.
                uint32_t count = (uint32_t)last - (uint32_t)first + 1;
                search->first[k][i] = (uint32_t)first;
                search->count[k][i] = count <= period / 2 ? count : period;
            }
        }
    }
}

// Owner bit of a box on one axis, in a row that it covers. A box that covers more than half of the period
// stands in all rows and has none: its partners cover at most half, and emit in their own first row.
static inline bool ownsAxis( const Search* search, uint32_t k, uint32_t i, uint32_t row )
{
    uint32_t period = search->table->period[k];
    return period == 1 ||
           ( ( ( row - search->first[k][i] ) & ( period - 1 ) ) == 0 && search->count[k][i] < period );
}

// Boxes [begin, end) of the looking row against one row of the table.
static void searchRow( Search* search, uint32_t begin, uint32_t end, uint32_t row0, uint32_t row1 )
{
    const joGrid* target = search->target;
    const joGridTable* table = search->table;
    const uint32_t* starts = joGrid_RowStarts( target );
    const uint32_t row = table->firstRow + row1 * table->period[0] + row0;
    const uint32_t base = starts[target->sortedFrom];
    const uint32_t rowBegin = starts[row] - base;
    const uint32_t rowEnd = starts[row + 1] - base;
    if ( rowBegin == rowEnd )
    {
        return;
    }
    const float longest = ( (const joRowShape*)target->shapes.data )[row].longest;
    const float* lower = target->sorted.columns.lower[0];
    uint32_t hint = rowBegin; // the boxes are nearly in order themselves
    for ( uint32_t i = begin; i < end; ++i )
    {
        search->begins[i] = rowBegin;
        search->ends[i] = rowBegin;
        bool covers = ( ( row0 - search->first[0][i] ) & ( table->period[0] - 1 ) ) < search->count[0][i] &&
                      ( ( row1 - search->first[1][i] ) & ( table->period[1] - 1 ) ) < search->count[1][i];
        if ( !isHome( search->index[i] ) || !covers )
        {
            continue;
        }
        search->boxes.index[i] = ( search->index[i] & JO_INDEX_MASK ) |
                                 ( ownsAxis( search, 0, i, row0 ) ? JO_OWNER_BIT_0 : 0 ) |
                                 ( ownsAxis( search, 1, i, row1 ) ? JO_OWNER_BIT_1 : 0 );
        search->ends[i] = rowEnd;
        if ( rowEnd - rowBegin > SHORT_ROW )
        {
            float reach = joRow_ReachBack( search->boxes.lower[0][i], longest );
            hint = joRow_LowerBound( lower, rowBegin, rowEnd, hint, reach );
            search->begins[i] = hint;
            search->ends[i] = joRow_UpperBound( lower, search->begins[i], rowEnd, search->boxes.upper[0][i] );
        }
    }
    joJoin join = { .a = &search->boxes,
        .b = &target->sorted.columns,
        .first = begin,
        .last = end,
        .begins = search->begins,
        .ends = search->ends };
    if ( search->isReversed )
    {
        joPairSink_JoinReversed( search->sink, target->context->kernels, target->context->axisCount, &join );
    }
    else
    {
        joPairSink_Join( search->sink, target->context->kernels, target->context->axisCount, &join );
    }
}

// The rows that all home boxes cover together on one axis, if they are few: from *first, returns how many.
static uint32_t coverTogether( const Search* search, uint32_t k, uint32_t rowCount, uint32_t* first )
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        if ( isHome( search->index[i] ) )
        {
            int64_t cell = (int32_t)search->first[k][i];
            low = cell < low ? cell : low;
            high = cell + search->count[k][i] > high ? cell + search->count[k][i] : high;
        }
    }
    *first = (uint32_t)(int32_t)( low < high ? low : 0 );
    int64_t count = low < high ? high - low : 0;
    return count < search->table->period[k] ? (uint32_t)count : search->table->period[k];
}

// Whether the rows that all boxes of the looking row cover together hold anything. Most of the rows of a
// coarse table are empty, and this is far cheaper than to find out for each box.
static bool mayMeetAny( const Search* search, uint32_t rowCount )
{
    const joGridTable* table = search->table;
    uint32_t first[2] = { 0, 0 };
    uint32_t count[2] = { 1, 1 };
    for ( uint32_t k = 0; k < 2; ++k )
    {
        if ( table->period[k] == 1 )
        {
            continue;
        }
        const float* lower = search->boxes.lower[k + 1];
        const float* upper = search->boxes.upper[k + 1];
        float low = lower[0], high = upper[0];
        for ( uint32_t i = 1; i < rowCount; ++i )
        {
            low = lower[i] < low ? lower[i] : low;
            high = upper[i] > high ? upper[i] : high;
        }
        first[k] = (uint32_t)joGridTable_Cell( table, low );
        uint32_t rows = (uint32_t)joGridTable_Cell( table, high ) - first[k] + 1;
        count[k] = rows <= table->period[k] ? rows : table->period[k];
    }
    if ( (uint64_t)count[0] * count[1] > BATCH_ROWS )
    {
        return true;
    }
    const uint32_t* starts = joGrid_RowStarts( search->target ) + table->firstRow;
    for ( uint32_t k1 = 0; k1 < count[1]; ++k1 )
    {
        for ( uint32_t k0 = 0; k0 < count[0]; ++k0 )
        {
            uint32_t row = ( ( first[1] + k1 ) & ( table->period[1] - 1 ) ) * table->period[0] +
                           ( ( first[0] + k0 ) & ( table->period[0] - 1 ) );
            if ( starts[row] != starts[row + 1] )
            {
                return true;
            }
        }
    }
    return false;
}

static void searchTable( Search* search, uint32_t rowCount )
{
    if ( !mayMeetAny( search, rowCount ) )
    {
        return;
    }
    coverTable( search, rowCount );
    const uint32_t mask0 = search->table->period[0] - 1;
    const uint32_t mask1 = search->table->period[1] - 1;
    uint32_t first0, first1;
    uint32_t count0 = coverTogether( search, 0, rowCount, &first0 );
    uint32_t count1 = coverTogether( search, 1, rowCount, &first1 );
    if ( (uint64_t)count0 * count1 <= BATCH_ROWS )
    {
        for ( uint32_t k1 = 0; k1 < count1; ++k1 )
        {
            for ( uint32_t k0 = 0; k0 < count0; ++k0 )
            {
                searchRow( search, 0, rowCount, ( first0 + k0 ) & mask0, ( first1 + k1 ) & mask1 );
            }
        }
        return;
    }
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        for ( uint32_t k1 = 0; k1 < search->count[1][i] && isHome( search->index[i] ); ++k1 )
        {
            for ( uint32_t k0 = 0; k0 < search->count[0][i]; ++k0 )
            {
                searchRow( search, i, i + 1, ( search->first[0][i] + k0 ) & mask0,
                    ( search->first[1][i] + k1 ) & mask1 );
            }
        }
    }
}

void joGrid_SearchTables( const joGrid* grid, const joBoxColumns* row, uint32_t rowCount,
    joRowScratch* scratch, const joGrid* target, uint32_t firstTable, joPairSink* sink, bool isReversed )
{
    Search search = { .target = target,
        .begins = scratch->query[0],
        .ends = scratch->query[1],
        .first = { scratch->query[2], scratch->query[3] },
        .count = { scratch->query[4], scratch->query[5] },
        .index = row->index,
        .sink = sink,
        .isReversed = isReversed };
    search.boxes.index = scratch->query[6];
    for ( uint32_t k = 0; k < 3; ++k )
    {
        for ( uint32_t own = 0; own < 3; ++own )
        {
            if ( grid->axes[own] == target->axes[k] )
            {
                search.boxes.lower[k] = row->lower[own];
                search.boxes.upper[k] = row->upper[own];
            }
        }
    }
    const uint32_t* starts = joGrid_RowStarts( target );
    for ( uint32_t t = firstTable; t < target->tableCount; ++t )
    {
        uint32_t endRow = t + 1 < target->tableCount ? target->tables[t + 1].firstRow : target->rowCount;
        if ( starts[endRow] > starts[target->tables[t].firstRow] )
        {
            search.table = target->tables + t;
            searchTable( &search, rowCount );
        }
    }
}

uint32_t joGrid_TableOfRow( const joGrid* grid, uint32_t row )
{
    uint32_t t = 0;
    while ( t + 1 < grid->tableCount && grid->tables[t + 1].firstRow <= row )
    {
        ++t;
    }
    return t;
}

joBoxColumns joGrid_SortedRow( const joGrid* grid, uint32_t row )
{
    const uint32_t* starts = joGrid_RowStarts( grid );
    const uint32_t first = starts[row] - starts[grid->sortedFrom];
    const joBoxColumns* columns = &grid->sorted.columns;
    joBoxColumns slice;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        slice.lower[axis] = columns->lower[axis] + first;
        slice.upper[axis] = columns->upper[axis] + first;
    }
    slice.index = columns->index + first;
    return slice;
}

static void findRow( const FindContext* find, uint32_t row, uint32_t worker )
{
    joGrid* grid = find->moving;
    const joStructureContext* context = grid->context;
    const uint32_t* starts = joGrid_RowStarts( grid );
    const uint32_t count = starts[row + 1] - starts[row];
    if ( count == 0 )
    {
        return;
    }
    joRowScratch scratch = joGrid_Scratch( grid, worker );
    joBoxColumns columns = scratch.columns;
    if ( row < grid->sortedFrom )
    {
        // Sorted here and used at once, while it is in the cache.
        uint32_t runCount = joGrid_RowRuns( grid, row, scratch.runs );
        joRow_SortBinned( grid->entries.data, scratch.runs, runCount, count, context->axisCount, &scratch );
    }
    else
    {
        columns = joGrid_SortedRow( grid, row );
        for ( uint32_t i = 0; i < count; ++i )
        {
            scratch.ends[i] = joRow_UpperBound( columns.lower[0], i + 1, count, columns.upper[0][i] );
        }
    }
    joPairSink* sink = joPairCollector_BeginSink( find->collector, worker, 0 );
    joJoin own = {
        .a = &columns, .b = &columns, .first = 0, .last = count, .ends = scratch.ends, .afterSelf = true };
    joPairSink_Join( sink, context->kernels, context->axisCount, &own );
    joGrid_SearchTables(
        grid, &columns, count, &scratch, grid, joGrid_TableOfRow( grid, row ) + 1, sink, false );
    for ( uint32_t k = 0; k < find->stillCount; ++k )
    {
        sink = joPairCollector_BeginSink( find->collector, worker, k + 1 );
        joGrid_SearchTables( grid, &columns, count, &scratch, find->still[k], 0, sink, false );
    }
}

static void findRows( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    for ( uint32_t row = begin; row < end; ++row )
    {
        findRow( context, row, worker );
    }
}

joResult joGrid_FindPairs( void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector )
{
    joGrid* grid = moving;
    for ( uint32_t k = 0; k < stillCount; ++k )
    {
        joResult result = joGrid_SortRows( still[k], 0 );
        if ( result != jo_success )
        {
            return result;
        }
    }
    FindContext find = { grid, still, stillCount, collector };
    if ( grid->liveCount > 0 )
    {
        joParallelFor( grid->context->jobs, grid->rowCount, 0, findRows, &find );
    }
    return jo_success;
}
