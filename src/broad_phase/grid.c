// SPDX-License-Identifier: MIT
// The grid's table of functions. What it is stands in grid.h.
#include "grid.h"

#include "kinds.h"

static void initGrid( void* structure, const joStructureContext* context )
{
    joGrid* grid = structure;
    grid->context = context;
}

static void destroyGrid( void* structure )
{
    joGrid* grid = structure;
    joMemory* memory = grid->context->memory;
    joArray_Free( &grid->entries, memory, sizeof( float ) );
    joArray_Free( &grid->rowStarts, memory, sizeof( uint32_t ) );
    joArray_Free( &grid->chunkBefore, memory, sizeof( uint32_t ) );
    joArray_Free( &grid->cursors, memory, sizeof( uint32_t ) );
    joColumnStore_Free( &grid->sorted, memory );
    joArray_Free( &grid->shapes, memory, sizeof( joRowShape ) );
    joArray_Free( &grid->scratch, memory, sizeof( float ) );
}

joResult joGrid_ReserveScratch( joGrid* grid, uint64_t rowCapacity )
{
    if ( grid->scratch.data != NULL && rowCapacity <= grid->scratchRow )
    {
        return jo_success;
    }
    rowCapacity += grid->context->memory->fixed ? 0 : rowCapacity / 4 + JO_GRID_SLACK;
    uint64_t floats = joRowScratch_FloatCount( grid->context->axisCount, rowCapacity );
    joResult result = joArray_Reserve(
        &grid->scratch, grid->context->memory, floats * grid->context->workerCount, sizeof( float ), 0 );
    if ( result == jo_success )
    {
        grid->scratchFloats = floats;
        grid->scratchRow = rowCapacity;
    }
    return result;
}

joRowScratch joGrid_Scratch( const joGrid* grid, uint32_t worker )
{
    return joRowScratch_Cut( (float*)grid->scratch.data + worker * grid->scratchFloats,
        grid->context->axisCount, grid->scratchRow );
}

joResult joGrid_ReserveRows( joGrid* grid, uint64_t rowCount )
{
    joMemory* memory = grid->context->memory;
    joResult result = joArray_Reserve( &grid->rowStarts, memory, rowCount + 1, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve(
            &grid->cursors, memory, rowCount * grid->context->workerCount, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &grid->shapes, memory, rowCount, sizeof( joRowShape ), 0 );
    }
    return result;
}

static joResult reserveGrid( void* structure, uint32_t count )
{
    joGrid* grid = structure;
    joMemory* memory = grid->context->memory;
    // Derived cells give between one and three entries a box.
    uint64_t entryCount = 4 * (uint64_t)count;
    uint64_t rows = joGrid_RowLimit( count );
    joResult result =
        joGrid_ReserveChunks( grid, entryCount / JO_ROW_CHUNK + rows * grid->context->workerCount );
    if ( result == jo_success )
    {
        result = joGrid_ReserveRows( grid, rows );
    }
    if ( result == jo_success && memory->fixed == false && grid->context->def->fixedCapacity )
    {
        result = joColumnStore_Reserve( &grid->sorted, memory, grid->context->axisCount, 4 * count );
    }
    if ( result == jo_success )
    {
        result = joGrid_ReserveScratch( grid, entryCount );
    }
    return result;
}

// Rows that are not sorted are gone through.
static float costQuery( const void* structure )
{
    const joGrid* grid = structure;
    const uint32_t rows = grid->tableCount > 1 ? grid->tables[1].firstRow : grid->rowCount;
    const float usualRow = rows > 0 ? (float)joGrid_RowStarts( grid )[rows] / (float)rows : 0.0f;
    return grid->isPrepared ? 320.0f : 320.0f + 8.0f * usualRow;
}

static void addGridStats( const void* structure, joBroadPhaseStats* stats )
{
    const joGrid* grid = structure;
    if ( grid->liveCount == 0 )
    {
        return;
    }
    stats->cells += grid->rowCount;
    stats->depth = grid->levelsUsed > stats->depth ? grid->levelsUsed : stats->depth;
    if ( stats->cellSize == 0.0f || grid->tables[0].cellSize < stats->cellSize )
    {
        stats->cellSize = grid->tables[0].cellSize;
    }
}

joResult joGrid_ReserveChunks( joGrid* grid, uint64_t chunkCount )
{
    if ( grid->entries.data != NULL && chunkCount <= grid->chunkCapacity )
    {
        return jo_success;
    }
    // Entries are named by 32 bits; one chunk more for each part is for what finds no room.
    const uint32_t spareCount = grid->context->workerCount;
    if ( chunkCount >= UINT32_MAX / JO_ROW_CHUNK - spareCount )
    {
        return jo_errorOutOfMemory;
    }
    joMemory* memory = grid->context->memory;
    joResult result = joArray_Reserve( &grid->chunkBefore, memory, chunkCount, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &grid->entries, memory,
            ( chunkCount + spareCount ) * JO_ROW_CHUNK * JO_ROW_ENTRY_FLOATS( grid->context->axisCount ),
            sizeof( float ), 0 );
    }
    grid->chunkCapacity = result == jo_success ? (uint32_t)chunkCount : grid->chunkCapacity;
    return result;
}

uint32_t joGrid_RowRuns( const joGrid* grid, uint32_t row, joRowRun* runs )
{
    const uint32_t* chunkBefore = grid->chunkBefore.data;
    uint32_t runCount = 0;
    for ( uint32_t part = 0; part < grid->partCount; ++part )
    {
        uint32_t cursor = ( (const uint32_t*)grid->cursors.data )[(size_t)part * grid->rowCount + row];
        if ( cursor == 0 )
        {
            continue;
        }
        uint32_t chunk = ( cursor - 1 ) / JO_ROW_CHUNK;
        runs[runCount++] = ( joRowRun ){ chunk * JO_ROW_CHUNK, cursor - chunk * JO_ROW_CHUNK };
        while ( ( chunk = chunkBefore[chunk] ) != JO_NULL_INDEX )
        {
            runs[runCount++] = ( joRowRun ){ chunk * JO_ROW_CHUNK, JO_ROW_CHUNK };
        }
    }
    return runCount;
}

// Every live slot has exactly one entry with both owner bits, and entries hold the boxes of their slots.
static bool validateEntry( const joGrid* grid, const float* entry, const joBoxSet* set, uint32_t* homes )
{
    const uint32_t axisCount = grid->context->axisCount;
    const uint32_t index = joRowEntry_Index( entry, axisCount );
    const uint32_t slot = index & JO_INDEX_MASK;
    if ( slot >= set->count || !joIsLive( set->records + slot ) )
    {
        return false;
    }
    *homes += index >= JO_OWNER_BITS ? 1 : 0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        uint32_t axis = grid->axes[k];
        if ( entry[k] != set->records[slot].lower[axis] ||
             entry[axisCount + k] != set->records[slot].upper[axis] )
        {
            return false;
        }
    }
    return true;
}

// Rows that have been sorted are, and none of their boxes is longer than said or beyond the table's bounds.
static bool validateSorted( const joGrid* grid, uint32_t table )
{
    const uint32_t* starts = joGrid_RowStarts( grid );
    const uint32_t axisCount = grid->context->axisCount;
    const joBoxColumns* columns = &grid->sorted.columns;
    const uint32_t endRow = table + 1 < grid->tableCount ? grid->tables[table + 1].firstRow : grid->rowCount;
    for ( uint32_t row = grid->tables[table].firstRow; row < endRow && row >= grid->sortedFrom; ++row )
    {
        const uint32_t begin = starts[row] - starts[grid->sortedFrom];
        const uint32_t end = starts[row + 1] - starts[grid->sortedFrom];
        for ( uint32_t i = begin; i < end; ++i )
        {
            const float length = columns->upper[0][i] - columns->lower[0][i];
            bool isRight = length <= ( (const joRowShape*)grid->shapes.data )[row].longest &&
                           ( i == begin || columns->lower[0][i - 1] <= columns->lower[0][i] );
            for ( uint32_t k = 0; k < axisCount; ++k )
            {
                isRight = isRight && columns->lower[k][i] >= grid->extents[table].bounds[grid->axes[k]] &&
                          columns->upper[k][i] <= grid->extents[table].bounds[3 + grid->axes[k]];
            }
            if ( !isRight )
            {
                return false;
            }
        }
    }
    return true;
}

static bool validateGrid( const void* structure, const joBoxSet* set )
{
    const joGrid* grid = structure;
    uint32_t homes = 0;
    for ( uint32_t row = 0; row < grid->rowCount && set->liveCount > 0; ++row )
    {
        joRowRun* runs = joGrid_Scratch( grid, 0 ).runs;
        uint32_t runCount = joGrid_RowRuns( grid, row, runs );
        for ( uint32_t r = 0; r < runCount; ++r )
        {
            for ( uint32_t i = 0; i < runs[r].count; ++i )
            {
                const size_t stride = JO_ROW_ENTRY_FLOATS( grid->context->axisCount );
                const float* entry = (const float*)grid->entries.data + ( runs[r].first + i ) * stride;
                if ( !validateEntry( grid, entry, set, &homes ) )
                {
                    return false;
                }
            }
        }
    }
    for ( uint32_t table = 0; table < grid->tableCount && set->liveCount > 0; ++table )
    {
        if ( !validateSorted( grid, table ) )
        {
            return false;
        }
    }
    return homes == set->liveCount && grid->liveCount == set->liveCount;
}

const joStructureKind joGridKind = {
    .name = "grid",
    .size = sizeof( joGrid ),
    .init = initGrid,
    .destroy = destroyGrid,
    .reserve = reserveGrid,
    .build = joGrid_Build,
    .findPairs = joGrid_FindPairs,
    .prepare = joGrid_Prepare,
    .query = joGrid_Query,
    .queryCost = costQuery,
    .queryTakesBounds = true,
    .addStats = addGridStats,
    .validate = validateGrid,
};
