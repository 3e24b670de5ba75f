// SPDX-License-Identifier: MIT
// Deals boxes into the rows of their table, by counting, over threads.
#include "base/float_env.h"
#include "grid.h"

#include <string.h>

#define PART_MIN 4096

// Where a box stands: its table, and the rows it covers there.
typedef struct Placement
{
    const joGridTable* table;
    int32_t first[2];
    uint32_t count[2];
} Placement;

static inline bool coverAxis(
    const joGridTable* table, uint32_t k, float lower, float upper, Placement* placement )
{
    if ( table->period[k] == 1 )
    {
        placement->first[k] = 0;
        placement->count[k] = 1;
        return true;
    }
    int32_t first = joGridTable_Cell( table, lower );
    uint32_t count = (uint32_t)( joGridTable_Cell( table, upper ) - first ) + 1;
    placement->first[k] = first;
    placement->count[k] = count;
    return count <= table->period[k] / 2;
}

static inline Placement placeBox( const joGrid* grid, const joBoxRecord* record, uint32_t axisCount )
{
    Placement placement;
    float extent = 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        float length = record->upper[axis] - record->lower[axis];
        extent = length > extent ? length : extent;
    }
    const uint32_t axis1 = grid->axes[1];
    const uint32_t axis2 = grid->axes[2];
    for ( placement.table = grid->tables;; ++placement.table )
    {
        if ( extent > placement.table->maxExtent )
        {
            continue;
        }
        bool fits = coverAxis( placement.table, 0, record->lower[axis1], record->upper[axis1], &placement );
        if ( axisCount == 3 )
        {
            fits &= coverAxis( placement.table, 1, record->lower[axis2], record->upper[axis2], &placement );
        }
        else
        {
            placement.first[1] = 0;
            placement.count[1] = 1;
        }
        if ( fits ) // always in the last table
        {
            return placement;
        }
    }
}

typedef struct BuildContext
{
    joGrid* grid;
    const joBoxSet* set;
    uint32_t partCount;
} BuildContext;

static void partSlots( const BuildContext* build, uint32_t part, uint32_t* first, uint32_t* last )
{
    *first = (uint32_t)( (uint64_t)build->set->count * part / build->partCount );
    *last = (uint32_t)( (uint64_t)build->set->count * ( part + 1 ) / build->partCount );
}

static inline void countPart( const BuildContext* build, uint32_t part, uint32_t axisCount )
{
    const joGrid* grid = build->grid;
    uint32_t* histogram = (uint32_t*)grid->histograms.data + (size_t)part * grid->rowCount;
    memset( histogram, 0, grid->rowCount * sizeof( uint32_t ) );
    uint32_t begin, end;
    partSlots( build, part, &begin, &end );
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const joBoxRecord* record = build->set->records + slot;
        if ( !joIsLive( record ) )
        {
            continue;
        }
        Placement placement = placeBox( grid, record, axisCount );
        uint32_t* rows = histogram + placement.table->firstRow;
        const uint32_t mask0 = placement.table->period[0] - 1;
        const uint32_t mask1 = placement.table->period[1] - 1;
        for ( uint32_t k1 = 0; k1 < placement.count[1]; ++k1 )
        {
            uint32_t base = ( ( (uint32_t)placement.first[1] + k1 ) & mask1 ) * ( mask0 + 1 );
            for ( uint32_t k0 = 0; k0 < placement.count[0]; ++k0 )
            {
                rows[base + ( ( (uint32_t)placement.first[0] + k0 ) & mask0 )] += 1;
            }
        }
    }
}

static inline void dealPart( const BuildContext* build, uint32_t part, uint32_t axisCount )
{
    const joGrid* grid = build->grid;
    uint32_t* places = (uint32_t*)grid->histograms.data + (size_t)part * grid->rowCount;
    joRowEntry* entries = grid->entries.data;
    const uint32_t axis0 = grid->axes[0];
    const uint32_t axis1 = grid->axes[1];
    const uint32_t axis2 = grid->axes[2];
    uint32_t begin, end;
    partSlots( build, part, &begin, &end );
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const joBoxRecord* record = build->set->records + slot;
        if ( !joIsLive( record ) )
        {
            continue;
        }
        Placement placement = placeBox( grid, record, axisCount );
        joRowEntry entry = {
            { record->lower[axis0], record->lower[axis1], record->lower[axis2] },
            { record->upper[axis0], record->upper[axis1], record->upper[axis2] },
            0,
            0,
        };
        uint32_t* rows = places + placement.table->firstRow;
        const uint32_t mask0 = placement.table->period[0] - 1;
        const uint32_t mask1 = placement.table->period[1] - 1;
        for ( uint32_t k1 = 0; k1 < placement.count[1]; ++k1 )
        {
            uint32_t base = ( ( (uint32_t)placement.first[1] + k1 ) & mask1 ) * ( mask0 + 1 );
            for ( uint32_t k0 = 0; k0 < placement.count[0]; ++k0 )
            {
                uint32_t row = base + ( ( (uint32_t)placement.first[0] + k0 ) & mask0 );
                entry.index = slot | ( k0 == 0 ? 0x40000000u : 0 ) | ( k1 == 0 ? 0x80000000u : 0 );
                entries[rows[row]++] = entry;
            }
        }
    }
}

static void countParts( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        const BuildContext* build = context;
        build->grid->context->axisCount == 2 ? countPart( build, part, 2 ) : countPart( build, part, 3 );
    }
}

static void dealParts( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        const BuildContext* build = context;
        build->grid->context->axisCount == 2 ? dealPart( build, part, 2 ) : dealPart( build, part, 3 );
    }
}

// Counts become places. Returns the number of entries; more than 32 bits can name is an error of the caller.
static uint64_t placeRows( joGrid* grid, uint32_t partCount )
{
    uint32_t* starts = grid->rowStarts.data;
    uint32_t* histograms = grid->histograms.data;
    uint64_t place = 0;
    grid->largestRow = 0;
    for ( uint32_t row = 0; row < grid->rowCount; ++row )
    {
        uint64_t start = place;
        starts[row] = (uint32_t)start;
        for ( uint32_t part = 0; part < partCount; ++part )
        {
            uint32_t* counter = histograms + (size_t)part * grid->rowCount + row;
            uint32_t n = *counter;
            *counter = (uint32_t)place;
            place += n;
        }
        uint32_t size = (uint32_t)( place - start );
        grid->largestRow = size > grid->largestRow ? size : grid->largestRow;
    }
    starts[grid->rowCount] = (uint32_t)place;
    return place;
}

static void countLevels( joGrid* grid )
{
    const uint32_t* starts = joGrid_RowStarts( grid );
    grid->levelsUsed = 0;
    for ( uint32_t t = 0; t < grid->tableCount; ++t )
    {
        uint32_t end = t + 1 < grid->tableCount ? grid->tables[t + 1].firstRow : grid->rowCount;
        grid->levelsUsed += starts[end] > starts[grid->tables[t].firstRow] ? 1 : 0;
    }
}

// After a failure: no rows, and the tables, which name rows, are derived anew.
static void forgetTables( joGrid* grid )
{
    grid->rowCount = 0;
    grid->tunedCount = 0;
}

joResult joGrid_Build( void* structure, const joBoxSet* set )
{
    joGrid* grid = structure;
    joMemory* memory = grid->context->memory;
    if ( !set->allChanged && set->changedCount == 0 && grid->rowCount > 0 )
    {
        return jo_success;
    }
    joGrid_Tune( grid, set );
    grid->liveCount = 0;
    uint32_t partCount = set->count / PART_MIN + 1;
    partCount = partCount < grid->context->workerCount ? partCount : grid->context->workerCount;
    joResult result = joArray_Reserve( &grid->rowStarts, memory, grid->rowCount + 1, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve(
            &grid->histograms, memory, (uint64_t)grid->rowCount * partCount, sizeof( uint32_t ), 0 );
    }
    if ( result != jo_success )
    {
        forgetTables( grid );
        return result;
    }
    BuildContext build = { grid, set, partCount };
    joParallelFor( grid->context->jobs, partCount, 1, countParts, &build );
    uint64_t entryCount = placeRows( grid, partCount );
    result = entryCount <= UINT32_MAX - JO_LANE_PADDING
                 ? joArray_ReserveSlack( &grid->entries, memory, entryCount, sizeof( joRowEntry ), 0 )
                 : jo_errorOutOfMemory;
    if ( result == jo_success )
    {
        result = joGrid_ReserveScratch( grid, grid->largestRow );
    }
    if ( result != jo_success )
    {
        forgetTables( grid );
        return result;
    }
    joParallelFor( grid->context->jobs, partCount, 1, dealParts, &build );
    grid->liveCount = set->liveCount;
    countLevels( grid );
    grid->sortedFrom = grid->rowCount;
    return joGrid_SortRows( grid, 1 );
}

typedef struct SortContext
{
    joGrid* grid;
    uint32_t firstRow;
} SortContext;

static void sortRows( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const SortContext* sort = context;
    joGrid* grid = sort->grid;
    const uint32_t* starts = joGrid_RowStarts( grid );
    joRowScratch scratch = joGrid_Scratch( grid, worker );
    for ( uint32_t i = begin; i < end; ++i )
    {
        uint32_t row = sort->firstRow + i;
        const joRowEntry* entries = (const joRowEntry*)grid->entries.data + starts[row];
        float longest = joRow_SortExact( entries, starts[row + 1] - starts[row], grid->context->axisCount,
            &scratch, &grid->sorted.columns, starts[row] - starts[sort->firstRow] );
        ( (float*)grid->longest.data )[row] = longest;
    }
}

joResult joGrid_SortRows( joGrid* grid, uint32_t table )
{
    joMemory* memory = grid->context->memory;
    uint32_t firstRow = table < grid->tableCount ? grid->tables[table].firstRow : grid->rowCount;
    if ( firstRow >= grid->sortedFrom )
    {
        return jo_success;
    }
    const uint32_t* starts = joGrid_RowStarts( grid );
    uint32_t entryCount = starts[grid->rowCount] - starts[firstRow];
    joResult result = joArray_Reserve( &grid->longest, memory, grid->rowCount, sizeof( float ), 0 );
    if ( result == jo_success )
    {
        result = joColumnStore_Reserve( &grid->sorted, memory, grid->context->axisCount, entryCount );
    }
    if ( result != jo_success )
    {
        return result;
    }
    SortContext sort = { grid, firstRow };
    joParallelFor( grid->context->jobs, grid->rowCount - firstRow, 0, sortRows, &sort );
    grid->sortedFrom = firstRow;
    return jo_success;
}
