// SPDX-License-Identifier: MIT
// Deals boxes into the rows of their table, in one go and over threads: each row fills chunks of its own,
// taken as it needs them from what the last frame needed. When that is not enough the deal only counts, and
// is done again with more.
#include "base/float_env.h"
#include "grid.h"

#include <math.h>
#include <string.h>

#if defined( __SSE2__ )
#include <emmintrin.h>
#endif

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
    // Unsigned: cells at both clamps are 2^31 apart.
    uint32_t count = (uint32_t)joGridTable_Cell( table, upper ) - (uint32_t)first + 1;
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
} BuildContext;

static void partSlots( const BuildContext* build, uint32_t part, uint32_t* first, uint32_t* last )
{
    *first = (uint32_t)( (uint64_t)build->set->count * part / build->grid->partCount );
    *last = (uint32_t)( (uint64_t)build->set->count * ( part + 1 ) / build->grid->partCount );
}

// What the usual box needs of the first table, at hand.
typedef struct FirstTable
{
    joGridTable table;
    float maxExtent;
    uint32_t mask[2];
    uint32_t axis[3];
    bool cut; // both row axes are cut (in 2D: the one)
} FirstTable;

static FirstTable makeFirstTable( const joGrid* grid, uint32_t axisCount )
{
    const joGridTable* table = grid->tables;
    FirstTable first = { *table, table->maxExtent, { table->period[0] - 1, table->period[1] - 1 },
        { grid->axes[0], grid->axes[1], grid->axes[2] },
        table->period[0] > 1 && ( axisCount == 2 || table->period[1] > 1 ) };
    return first;
}

// joGridTable_Cell of four numbers.
static inline void cellsOf( const joGridTable* table, const float x[4], int32_t cells[4] )
{
#if defined( __SSE2__ )
    __m128 cell = _mm_mul_ps( _mm_loadu_ps( x ), _mm_set1_ps( table->inverseCellSize ) );
    cell = _mm_max_ps( cell, _mm_set1_ps( -0x1p30f ) );
    cell = _mm_min_ps( cell, _mm_set1_ps( 0x1p30f ) );
    __m128i truncated = _mm_cvttps_epi32( cell );
    __m128 above = _mm_cmpgt_ps( _mm_cvtepi32_ps( truncated ), cell );
    _mm_storeu_si128( (__m128i*)(void*)cells, _mm_add_epi32( truncated, _mm_castps_si128( above ) ) );
#else
    for ( int i = 0; i < 4; ++i )
    {
        cells[i] = joGridTable_Cell( table, x[i] );
    }
#endif
}

// The usual box stands in the first table, in one or two rows on each axis: its row numbers there, wrapped,
// without a branch that depends on how many. False if it is not such a box, or a free slot.
static inline bool placeUsual( const FirstTable* first, const joBoxRecord* record, uint32_t axisCount,
    uint32_t low[2], uint32_t high[2] )
{
    const uint32_t axis1 = first->axis[1];
    const uint32_t axis2 = axisCount == 3 ? first->axis[2] : first->axis[1];
    const float bounds[4] = {
        record->lower[axis1], record->lower[axis2], record->upper[axis1], record->upper[axis2] };
    int32_t cells[4];
    cellsOf( &first->table, bounds, cells );
    low[0] = (uint32_t)cells[0] & first->mask[0];
    high[0] = (uint32_t)cells[2] & first->mask[0];
    low[1] = axisCount == 3 ? (uint32_t)cells[1] & first->mask[1] : 0;
    high[1] = axisCount == 3 ? (uint32_t)cells[3] & first->mask[1] : 0;
    // At most two rows, so at most two cells long on these axes.
    bool small = (uint32_t)cells[2] - (uint32_t)cells[0] <= 1 && (uint32_t)cells[3] - (uint32_t)cells[1] <= 1;
    return small && record->upper[first->axis[0]] - record->lower[first->axis[0]] <= first->maxExtent &&
           first->cut;
}

// One part's way of handing out places in rows.
typedef struct Dealer
{
    joGrid* grid;
    float* entries;
    uint32_t* chunkBefore;
    uint32_t* cursors;
    uint32_t spareChunk; // of this part alone, overwritten again and again when there are no more chunks
} Dealer;

// The first place of another chunk, for a row whose cursor stands at the end of one, or at 0.
static uint32_t openChunk( const Dealer* dealer, uint32_t cursor )
{
    uint32_t chunk = __atomic_fetch_add( &dealer->grid->chunkCount, 1, __ATOMIC_RELAXED );
    if ( chunk >= dealer->grid->chunkCapacity )
    {
        return dealer->spareChunk * JO_ROW_CHUNK;
    }
    dealer->chunkBefore[chunk] = cursor == 0 ? JO_NULL_INDEX : cursor / JO_ROW_CHUNK - 1;
    return chunk * JO_ROW_CHUNK;
}

// Puts an entry with this index into a row.
static inline void dealEntry(
    const Dealer* dealer, uint32_t row, float* entry, uint32_t index, uint32_t axisCount )
{
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    uint32_t cursor = dealer->cursors[row];
    if ( cursor % JO_ROW_CHUNK == 0 )
    {
        cursor = openChunk( dealer, cursor );
    }
    dealer->cursors[row] = cursor + 1;
    float* place = dealer->entries + cursor * stride;
    // Rows are written at many places in turn: the line after this one is asked for before it is needed.
    __builtin_prefetch( place + 16, 1 );
    joRowEntry_SetIndex( entry, index, axisCount );
    memcpy( place, entry, stride * sizeof( float ) );
}

// The general case: any table, any number of rows.
static void dealBox(
    const Dealer* dealer, const joBoxRecord* record, uint32_t slot, float* entry, uint32_t axisCount )
{
    Placement placement = placeBox( dealer->grid, record, axisCount );
    const uint32_t mask0 = placement.table->period[0] - 1;
    const uint32_t mask1 = placement.table->period[1] - 1;
    for ( uint32_t k1 = 0; k1 < placement.count[1]; ++k1 )
    {
        uint32_t base = ( ( (uint32_t)placement.first[1] + k1 ) & mask1 ) * ( mask0 + 1 );
        for ( uint32_t k0 = 0; k0 < placement.count[0]; ++k0 )
        {
            uint32_t row = base + ( ( (uint32_t)placement.first[0] + k0 ) & mask0 );
            uint32_t index = slot | ( k0 == 0 ? JO_OWNER_BIT_0 : 0 ) | ( k1 == 0 ? JO_OWNER_BIT_1 : 0 );
            dealEntry( dealer, placement.table->firstRow + row, entry, index, axisCount );
        }
    }
}

static inline void dealPart( const BuildContext* build, uint32_t part, uint32_t axisCount )
{
    joGrid* grid = build->grid;
    const FirstTable table = makeFirstTable( grid, axisCount );
    Dealer dealer = { grid, grid->entries.data, grid->chunkBefore.data,
        (uint32_t*)grid->cursors.data + (size_t)part * grid->rowCount, grid->chunkCapacity + part };
    memset( dealer.cursors, 0, grid->rowCount * sizeof( uint32_t ) );
    uint32_t begin, end;
    partSlots( build, part, &begin, &end );
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const joBoxRecord* record = build->set->records + slot;
        float entry[JO_ROW_ENTRY_FLOATS( 3 )];
        joRowEntry_Write( entry, record, grid->axes, axisCount );
        uint32_t low[2], high[2];
        if ( placeUsual( &table, record, axisCount, low, high ) )
        {
            const uint32_t stride = table.mask[0] + 1;
            dealEntry( &dealer, low[1] * stride + low[0], entry, slot | JO_OWNER_BITS, axisCount );
            if ( high[0] != low[0] )
            {
                dealEntry( &dealer, low[1] * stride + high[0], entry, slot | JO_OWNER_BIT_1, axisCount );
            }
            if ( axisCount == 3 && high[1] != low[1] )
            {
                dealEntry( &dealer, high[1] * stride + low[0], entry, slot | JO_OWNER_BIT_0, axisCount );
                if ( high[0] != low[0] )
                {
                    dealEntry( &dealer, high[1] * stride + high[0], entry, slot, axisCount );
                }
            }
        }
        else if ( joIsLive( record ) )
        {
            dealBox( &dealer, record, slot, entry, axisCount );
        }
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

// Deals all boxes; again if there were too few chunks.
static joResult deal( joGrid* grid, const joBoxSet* set )
{
    BuildContext build = { grid, set };
    joResult result = joGrid_ReserveChunks( grid, 0 );
    while ( result == jo_success )
    {
        grid->chunkCount = 0;
        joParallelFor( grid->context->jobs, grid->partCount, 1, dealParts, &build );
        if ( grid->chunkCount <= grid->chunkCapacity )
        {
            break;
        }
        // Entries waver a little, and every row of a part may begin a chunk more.
        uint64_t slack = grid->chunkCount / 4 + (uint64_t)grid->rowCount * grid->partCount;
        result =
            joGrid_ReserveChunks( grid, grid->chunkCount + ( grid->context->memory->fixed ? 0 : slack ) );
    }
    return result;
}

// How many entries the rows have. False if there are more than 32 bits can name.
static bool countRows( joGrid* grid )
{
    uint32_t* starts = grid->rowStarts.data;
    const uint32_t* chunkBefore = grid->chunkBefore.data;
    uint64_t total = 0;
    grid->largestRow = 0;
    for ( uint32_t row = 0; row < grid->rowCount; ++row )
    {
        starts[row] = (uint32_t)total;
        uint64_t count = 0;
        for ( uint32_t part = 0; part < grid->partCount; ++part )
        {
            uint32_t cursor = ( (const uint32_t*)grid->cursors.data )[(size_t)part * grid->rowCount + row];
            if ( cursor > 0 )
            {
                uint32_t chunk = ( cursor - 1 ) / JO_ROW_CHUNK;
                count += cursor - chunk * JO_ROW_CHUNK;
                while ( ( chunk = chunkBefore[chunk] ) != JO_NULL_INDEX )
                {
                    count += JO_ROW_CHUNK;
                }
            }
        }
        grid->largestRow = count > grid->largestRow ? (uint32_t)count : grid->largestRow;
        total += count;
    }
    starts[grid->rowCount] = (uint32_t)total;
    return total <= UINT32_MAX - JO_LANE_PADDING;
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

// The cells of the tables' bounds.
static void setExtentCells( joGrid* grid )
{
    for ( uint32_t t = 0; t < grid->tableCount; ++t )
    {
        const joGridTable* table = grid->tables + t;
        joGridExtent* extent = grid->extents + t;
        for ( uint32_t k = 0; k < 2; ++k )
        {
            const uint32_t axis = grid->axes[k + 1];
            const bool isCut = table->period[k] > 1;
            extent->cells.first[k] = isCut ? joGridTable_Cell( table, extent->bounds[axis] ) : 0;
            extent->cells.last[k] = isCut ? joGridTable_Cell( table, extent->bounds[3 + axis] ) : 0;
        }
    }
}

static void forgetExtents( joGrid* grid )
{
    grid->isPrepared = false;
    for ( uint32_t t = 0; t < grid->tableCount; ++t )
    {
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            grid->extents[t].bounds[axis] = -INFINITY;
            grid->extents[t].bounds[3 + axis] = INFINITY;
        }
    }
    setExtentCells( grid );
}

joResult joGrid_BuildRows( joGrid* grid, const joBoxSet* set )
{
    joMemory* memory = grid->context->memory;
    grid->liveCount = 0;
    forgetExtents( grid );
    grid->partCount = set->count / PART_MIN + 1;
    grid->partCount =
        grid->partCount < grid->context->workerCount ? grid->partCount : grid->context->workerCount;
    joResult result = joArray_Reserve( &grid->rowStarts, memory, grid->rowCount + 1, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve(
            &grid->cursors, memory, (uint64_t)grid->rowCount * grid->partCount, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        result = deal( grid, set );
    }
    if ( result == jo_success )
    {
        result = countRows( grid ) ? joGrid_ReserveScratch( grid, grid->largestRow ) : jo_errorOutOfMemory;
    }
    if ( result != jo_success )
    {
        forgetTables( grid );
        return result;
    }
    grid->liveCount = set->liveCount;
    countLevels( grid );
    grid->sortedFrom = grid->rowCount;
    return joGrid_SortRows( grid, 1 );
}

joResult joGrid_Build( void* structure, const joBoxSet* set )
{
    joGrid* grid = structure;
    if ( !set->allChanged && set->changedCount == 0 && grid->rowCount > 0 )
    {
        return jo_success;
    }
    joGrid_Tune( grid, set, 1 );
    return joGrid_BuildRows( grid, set );
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
        if ( starts[row] == starts[row + 1] )
        {
            continue;
        }
        uint32_t runCount = joGrid_RowRuns( grid, row, scratch.runs );
        const joRowShape shape = joRow_SortExact( grid->entries.data, scratch.runs, runCount,
            starts[row + 1] - starts[row], grid->context->axisCount, &scratch, &grid->sorted.columns,
            starts[row] - starts[sort->firstRow] );
        ( (joRowShape*)grid->shapes.data )[row] = shape;
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
    joResult result = joArray_Reserve( &grid->shapes, memory, grid->rowCount, sizeof( joRowShape ), 0 );
    if ( result == jo_success )
    {
        bool grows =
            !memory->fixed && ( grid->sorted.memory.data == NULL || entryCount > grid->sorted.capacity );
        uint32_t slack = grows && entryCount < UINT32_MAX / 2 ? entryCount / 4 + JO_GRID_SLACK : 0;
        result = joColumnStore_Reserve( &grid->sorted, memory, grid->context->axisCount, entryCount + slack );
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

// The least of a column, or the largest; in lanes, as the compiler likes it.
static float extremeOf( const float* values, uint32_t count, bool isLeast )
{
    float lanes[16];
    for ( uint32_t lane = 0; lane < 16; ++lane )
    {
        lanes[lane] = isLeast ? INFINITY : -INFINITY;
    }
    for ( uint32_t i = 0; i < count; i += 16 )
    {
        // The last ones are looked at again.
        const float* from = values + ( i + 16 <= count || count < 16 ? i : count - 16 );
        const uint32_t laneCount = count < 16 ? count : 16;
        for ( uint32_t lane = 0; lane < laneCount; ++lane )
        {
            const bool isBetter = isLeast ? from[lane] < lanes[lane] : from[lane] > lanes[lane];
            lanes[lane] = isBetter ? from[lane] : lanes[lane];
        }
    }
    for ( uint32_t lane = 1; lane < 16; ++lane )
    {
        const bool isBetter = isLeast ? lanes[lane] < lanes[0] : lanes[lane] > lanes[0];
        lanes[0] = isBetter ? lanes[lane] : lanes[0];
    }
    return lanes[0];
}

static void measureTables( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    joGrid* grid = context;
    const uint32_t* starts = joGrid_RowStarts( grid );
    for ( uint32_t i = begin; i < end; ++i )
    {
        const uint32_t t = i / 6, side = i % 6, axis = side % 3;
        const uint32_t endRow = t + 1 < grid->tableCount ? grid->tables[t + 1].firstRow : grid->rowCount;
        const uint32_t first = starts[grid->tables[t].firstRow];
        const joBoxColumns* columns = &grid->sorted.columns;
        const float* values = ( side < 3 ? columns->lower[axis] : columns->upper[axis] ) + first;
        // 2D has no such column.
        grid->extents[t].bounds[3 * ( side / 3 ) + grid->axes[axis]] =
            axis < grid->context->axisCount ? extremeOf( values, starts[endRow] - first, side < 3 ) : 0.0f;
    }
}

joResult joGrid_Prepare( void* structure )
{
    joGrid* grid = structure;
    if ( grid->isPrepared || grid->liveCount == 0 )
    {
        return jo_success;
    }
    const joResult result = joGrid_SortRows( grid, 0 );
    if ( result == jo_success )
    {
        joParallelFor( grid->context->jobs, 6 * grid->tableCount, 1, measureTables, grid );
        setExtentCells( grid );
        grid->isPrepared = true;
    }
    return result;
}
