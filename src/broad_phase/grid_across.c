// SPDX-License-Identifier: MIT
// Pairs between two grids. Both have the same tables, so that boxes that meet stand in the same row of the
// two: the rows are sorted side by side, by the same bins, and each box meets a run of the other row. Boxes
// of one grid look for those of coarser tables in the other's, both ways round.
#include "base/float_env.h"
#include "grid.h"
#include "kinds.h"

#include <string.h>

typedef struct AcrossContext
{
    joGrid* grids[2];
    uint32_t sideB;
    joPairCollector* collector;
} AcrossContext;

static uint32_t countEntries( const joGrid* grid, uint32_t firstRow, uint32_t lastRow )
{
    const uint32_t* starts = joGrid_RowStarts( grid );
    return starts[lastRow] - starts[firstRow];
}

// Sorts the row on the sides that are wanted.
static void sortRow( const AcrossContext* across, uint32_t row, const bool wanted[2], joRowSide sides[2] )
{
    const uint32_t axisCount = across->grids[0]->context->axisCount;
    const bool isSorted = row >= across->grids[0]->sortedFrom;
    for ( int k = 0; k < 2; ++k )
    {
        joGrid* grid = across->grids[k];
        joRowSide* side = sides + k;
        if ( !wanted[k] )
        {
            continue;
        }
        if ( isSorted )
        {
            side->columns = joGrid_SortedRow( grid, row );
            continue;
        }
        side->entries = grid->entries.data;
        side->runs = side->scratch->runs;
        side->runCount = joGrid_RowRuns( grid, row, side->scratch->runs );
        if ( !wanted[1 - k] )
        {
            joRow_SortBinned(
                side->entries, side->runs, side->runCount, side->count, axisCount, side->scratch );
            side->columns = side->scratch->columns;
        }
    }
    if ( wanted[0] && wanted[1] && isSorted )
    {
        joRow_RangesOfSorted( &sides[0], &sides[1] );
    }
    else if ( wanted[0] && wanted[1] )
    {
        joRow_SortTogether( &sides[0], &sides[1], axisCount );
    }
}

static void joinRow( const joStructureContext* context, const joRowSide sides[2], joPairSink* sink )
{
    joJoin join = { .a = &sides[0].columns,
        .b = &sides[1].columns,
        .last = sides[0].count,
        .begins = sides[0].begins,
        .ends = sides[0].ends };
    joPairSink_Join( sink, context->kernels, context->axisCount, &join );
    joJoin back = { .a = &sides[1].columns,
        .b = &sides[0].columns,
        .last = sides[1].count,
        .begins = sides[1].begins,
        .ends = sides[1].ends };
    joPairSink_JoinReversed( sink, context->kernels, context->axisCount, &back );
}

static void findRow( const AcrossContext* across, uint32_t row, uint32_t worker )
{
    const joGrid* first = across->grids[0];
    const uint32_t coarser = joGrid_TableOfRow( first, row ) + 1;
    const uint32_t coarserRow =
        coarser < first->tableCount ? first->tables[coarser].firstRow : first->rowCount;
    joRowScratch scratches[2];
    joRowSide sides[2];
    bool looks[2]; // for boxes of coarser tables
    for ( int k = 0; k < 2; ++k )
    {
        scratches[k] = joGrid_Scratch( across->grids[k], worker );
        sides[k] = ( joRowSide ){ .count = countEntries( across->grids[k], row, row + 1 ),
            .scratch = &scratches[k],
            .begins = scratches[k].query[0],
            .ends = scratches[k].query[1] };
        looks[k] = sides[k].count > 0 &&
                   countEntries( across->grids[1 - k], coarserRow, across->grids[1 - k]->rowCount ) > 0;
    }
    const bool meet = sides[0].count > 0 && sides[1].count > 0;
    const bool wanted[2] = { meet || looks[0], meet || looks[1] };
    if ( !wanted[0] && !wanted[1] )
    {
        return;
    }
    sortRow( across, row, wanted, sides );
    joPairSink* sink = joPairCollector_BeginSink( across->collector, worker, across->sideB );
    if ( meet )
    {
        joinRow( first->context, sides, sink );
    }
    for ( int k = 0; k < 2; ++k )
    {
        if ( looks[k] )
        {
            joGrid_SearchTables( across->grids[k], &sides[k].columns, sides[k].count, &scratches[k],
                across->grids[1 - k], coarser, sink, k == 1 );
        }
    }
}

static void findRows( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    for ( uint32_t row = begin; row < end; ++row )
    {
        findRow( context, row, worker );
    }
}

joResult joGrid_ReserveAcross( joGrid* a, uint32_t countA, joGrid* b, uint32_t countB )
{
    joGrid* grids[2] = { a, b };
    const uint32_t counts[2] = { countA, countB };
    // The rows of both, and bins for the longer of two rows.
    const uint64_t rows = joGrid_RowLimit( countA + countB );
    const uint64_t entries = 4 * (uint64_t)( countA > countB ? countA : countB );
    joResult result = jo_success;
    for ( int k = 0; k < 2 && result == jo_success; ++k )
    {
        result = joGridKind.reserve( grids[k], counts[k] );
        if ( result == jo_success )
        {
            result = joGrid_ReserveRows( grids[k], rows );
        }
        if ( result == jo_success )
        {
            result = joGrid_ReserveScratch( grids[k], entries );
        }
    }
    return result;
}

joResult joGrid_FindAcross( joGrid* a, const joBoxSet* setA, joGrid* b, const joBoxSet* setB, uint32_t sideB,
    joPairCollector* collector )
{
    const joBoxSet sets[2] = { *setA, *setB };
    joGrid_Tune( a, sets, 2 );
    memcpy( b->axes, a->axes, sizeof( a->axes ) );
    memcpy( b->tables, a->tables, sizeof( a->tables ) );
    b->tableCount = a->tableCount;
    b->rowCount = a->rowCount;
    joResult result = joGrid_BuildRows( a, setA );
    if ( result == jo_success )
    {
        result = joGrid_BuildRows( b, setB );
    }
    // For the bins of rows that lie side by side.
    const uint32_t largestRow = a->largestRow > b->largestRow ? a->largestRow : b->largestRow;
    if ( result == jo_success )
    {
        result = joGrid_ReserveScratch( a, largestRow );
    }
    if ( result == jo_success )
    {
        result = joGrid_ReserveScratch( b, largestRow );
    }
    if ( result == jo_success )
    {
        AcrossContext across = { { a, b }, sideB, collector };
        joParallelFor( a->context->jobs, a->rowCount, 0, findRows, &across );
    }
    return result;
}
