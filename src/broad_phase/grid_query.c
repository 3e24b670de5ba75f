// SPDX-License-Identifier: MIT
// Queries on the grid: table by table, the rows that may hold what is met. A query visits rows by cell, in an
// order of its own: boxes the rows that they cover, rays those that they cross, front to back
// (grid_query_way.c), points rings of rows around them (grid_query_near.c).
//
// Each box once: it stands in every row that it covers, and is handed over from the first of these that the
// query visits, which is found from its coordinates and the query's alone. What stands in a visited row by
// wrapping only has no cell there, and is left to its own.
//
// A query may cross millions of cells, of which the table has a few rows. When it has visited as many as
// there are, all rows are scanned for what is left.
//
// Rows that are sorted (joGrid_Prepare) are read where the query meets them; others from end to end.
#include "grid_query.h"

#include "base/float_env.h"

#include <math.h>

// ---- cells ----

joGridCells joGridQuery_CellsOf( const joGridQuery* query, const joBoxColumns* columns, uint32_t position )
{
    joGridCells cells = { { 0, 0 }, { 0, 0 } };
    for ( uint32_t k = 0; k < 2; ++k )
    {
        if ( query->table->period[k] > 1 )
        {
            const uint32_t axis = joGridQuery_Axis( query, k );
            cells.first[k] = joGridTable_Cell( query->table, columns->lower[axis][position] );
            cells.last[k] = joGridTable_Cell( query->table, columns->upper[axis][position] );
        }
    }
    return cells;
}

void joGridQuery_CellBounds( const joGridQuery* query, int64_t cell, double* lower, double* upper )
{
    // Where joGridTable_Cell clamps, a cell has no end.
    const int64_t clamp = INT64_C( 1 ) << 30;
    const double size = query->cellSize;
    const double slack = ( fabs( (double)cell ) + 1.0 ) * size * 0x1p-22;
    *lower = cell <= -clamp ? -(double)INFINITY : (double)cell * size - slack;
    *upper = cell >= clamp ? (double)INFINITY : (double)( cell + 1 ) * size + slack;
}

// ---- rows ----

// A run of up to JO_ROW_CHUNK entries, turned into columns.
static void visitChunk( joRowScan* scan, const joGrid* grid, uint32_t first, uint32_t count )
{
    const uint32_t axisCount = grid->context->axisCount;
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    float bounds[6][JO_ROW_CHUNK + JO_LANE_PADDING];
    uint32_t index[JO_ROW_CHUNK + JO_LANE_PADDING];
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        const float* from = (const float*)grid->entries.data + first * stride + k;
        for ( uint32_t i = 0; i < count; ++i )
        {
            bounds[k][i] = from[i * stride];
            bounds[3 + k][i] = from[i * stride + axisCount];
        }
        scan->columns.lower[grid->axes[k]] = bounds[k];
        scan->columns.upper[grid->axes[k]] = bounds[3 + k];
    }
    const float* entry = (const float*)grid->entries.data + first * stride;
    for ( uint32_t i = 0; i < count; ++i )
    {
        index[i] = joRowEntry_Index( entry + i * stride, axisCount );
    }
    scan->columns.index = index;
    joProbe_ScanOwned( scan->probe, &scan->columns, 0, count, scan->owns, scan->context );
}

static uint32_t visitUnsorted( joRowScan scan, const joGrid* grid, uint32_t row )
{
    const uint32_t* chunkBefore = grid->chunkBefore.data;
    uint32_t readCount = 0;
    for ( uint32_t part = 0; part < grid->partCount && !scan.probe->done; ++part )
    {
        const uint32_t cursor = ( (const uint32_t*)grid->cursors.data )[(size_t)part * grid->rowCount + row];
        if ( cursor == 0 )
        {
            continue;
        }
        uint32_t chunk = ( cursor - 1 ) / JO_ROW_CHUNK;
        uint32_t count = cursor - chunk * JO_ROW_CHUNK;
        while ( chunk != JO_NULL_INDEX )
        {
            visitChunk( &scan, grid, chunk * JO_ROW_CHUNK, count );
            readCount += count;
            chunk = chunkBefore[chunk];
            count = JO_ROW_CHUNK;
        }
    }
    return readCount;
}

static void visitRow(
    joGridQuery* query, uint32_t row, const joRowWindow* window, joProbeOwnsFcn* owns, const void* context )
{
    const joGrid* grid = query->grid;
    const uint32_t* starts = joGrid_RowStarts( grid );
    query->budget -= 1;
    if ( starts[row] == starts[row + 1] )
    {
        return;
    }
    query->scan.owns = owns;
    query->scan.context = context;
    if ( row >= grid->sortedFrom )
    {
        const uint32_t base = starts[grid->sortedFrom];
        const joRowShape* shape = (const joRowShape*)grid->shapes.data + row;
        query->budget -=
            joRow_ScanSorted( &query->scan, starts[row] - base, starts[row + 1] - base, shape, window );
    }
    else
    {
        query->budget -= visitUnsorted( query->scan, grid, row );
    }
}

void joGridQuery_VisitRow( joGridQuery* query, int64_t cell0, int64_t cell1, const joRowWindow* window,
    joProbeOwnsFcn* owns, const void* context )
{
    const joGridTable* table = query->table;
    const uint32_t row0 = (uint32_t)cell0 & ( table->period[0] - 1 );
    const uint32_t row1 = (uint32_t)cell1 & ( table->period[1] - 1 );
    visitRow( query, table->firstRow + row1 * table->period[0] + row0, window, owns, context );
}

void joGridQuery_VisitAll( joGridQuery* query, joProbeOwnsFcn* owns, const void* context )
{
    const joRowWindow window = joRow_WindowOf( query->probe, query->grid->axes[0] );
    const uint32_t rowCount = query->table->period[0] * query->table->period[1];
    for ( uint32_t row = 0; row < rowCount && !query->probe->done; ++row )
    {
        visitRow( query, query->table->firstRow + row, &window, owns, context );
    }
}

// ---- boxes ----

// The row being visited, as the query's own box stands in it: its owner bits. A box is handed over in the row
// that holds the larger of the two lower corners, as pairs are.
static bool ownsInBox( const void* context, const joBoxColumns* columns, uint32_t position )
{
    return ( columns->index[position] | *(const uint32_t*)context ) >= JO_OWNER_BITS;
}

static void queryBox( joGridQuery* query )
{
    const joGridTable* table = query->table;
    const float* bounds = query->probe->bounds;
    int64_t first[2];
    uint32_t count[2];
    for ( uint32_t k = 0; k < 2; ++k )
    {
        const uint32_t axis = joGridQuery_Axis( query, k );
        const int64_t lower = joGridQuery_Cell( query, k, bounds[axis] );
        const int64_t upper = joGridQuery_Cell( query, k, bounds[3 + axis] );
        first[k] = lower > query->extent->cells.first[k] ? lower : query->extent->cells.first[k];
        const int64_t last = upper < query->extent->cells.last[k] ? upper : query->extent->cells.last[k];
        if ( first[k] > last )
        {
            return;
        }
        // More than half of the period: all rows, and then none is the first.
        const int64_t cells = last - first[k] + 1;
        count[k] = cells <= table->period[k] / 2 ? (uint32_t)cells : table->period[k];
    }
    const joRowWindow window = joRow_WindowOf( query->probe, query->grid->axes[0] );
    for ( uint32_t k1 = 0; k1 < count[1]; ++k1 )
    {
        for ( uint32_t k0 = 0; k0 < count[0] && !query->probe->done; ++k0 )
        {
            const uint32_t owned = ( k0 == 0 && count[0] < table->period[0] ? JO_OWNER_BIT_0 : 0 ) |
                                   ( k1 == 0 && count[1] < table->period[1] ? JO_OWNER_BIT_1 : 0 );
            joGridQuery_VisitRow( query, first[0] + k0, first[1] + k1, &window, ownsInBox, &owned );
        }
    }
}

// ---- tables ----

static void queryTable( joGridQuery* query )
{
    switch ( query->probe->kind )
    {
        case jo_probeBox:
            queryBox( query );
            break;
        case jo_probeRay:
            joGridQuery_Ray( query );
            break;
        case jo_probePoint:
            joGridQuery_Point( query );
            break;
    }
}

void joGrid_Query( const void* structure, joProbe* probe )
{
    const joGrid* grid = structure;
    joGridQuery query = { .grid = grid, .probe = probe };
    query.scan = ( joRowScan ){ .probe = probe, .columns = grid->sorted.columns, .axis = grid->axes[0] };
    for ( uint32_t k = 0; k < probe->axisCount; ++k )
    {
        query.scan.columns.lower[grid->axes[k]] = grid->sorted.columns.lower[k];
        query.scan.columns.upper[grid->axes[k]] = grid->sorted.columns.upper[k];
    }
    const uint32_t* starts = joGrid_RowStarts( grid );
    for ( uint32_t t = 0; t < grid->tableCount && grid->liveCount > 0 && !probe->done; ++t )
    {
        const uint32_t firstRow = grid->tables[t].firstRow;
        const uint32_t endRow = t + 1 < grid->tableCount ? grid->tables[t + 1].firstRow : grid->rowCount;
        const uint32_t entryCount = starts[endRow] - starts[firstRow];
        if ( entryCount > 0 )
        {
            query.table = grid->tables + t;
            query.extent = grid->extents + t;
            query.budget = (int64_t)entryCount + ( endRow - firstRow );
            query.cellSize = 1.0 / (double)query.table->inverseCellSize;
            queryTable( &query );
        }
    }
}
