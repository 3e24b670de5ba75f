// SPDX-License-Identifier: MIT
// The grid: rows of cells. Read this before grid_build.c and grid_pairs.c.
//
// A uniform grid with cubic cells makes a box stand in 8 cells or more and tests each cell's few boxes with
// few lanes in use. Here a cell is as wide as `cellSize` on all axes but one, the sweep axis, and endless on
// that: a row. A box stands in every row it covers; inside a row boxes are in order of their lower bound on
// the sweep axis, and the candidates of a box are the run of those that start before it ends. Long runs, full
// vectors, few copies: the "multiple sweep and prune" of Terdiman (2007), with rows rebuilt every frame by
// counting.
//
// Each pair once: it is emitted in the row that holds the larger of the two lower corners. In a row, an entry
// has one owner bit for each row axis, set if this is the first row of its box on that axis; the row is the
// owner of a pair if on each axis one of the two bits is set. So one OR and one compare of a column tell it,
// in the kernel.
//
// Rows wrap around: row numbers are floored cell coordinates modulo a power of two, so far, negative and
// clustered worlds need no bounds. Boxes that meet by wrapping only are told apart by their coordinates like
// all others. A pair cannot be emitted twice by wrapping, because no box covers more than half of the period.
//
// Boxes of different sizes: tables, each a grid of its own, four times coarser than the one before. A box
// goes to the first table whose cells are large enough for it; the last table has one row and takes what is
// left. Boxes of a table look for partners in its own rows, and in the rows of coarser tables, which are
// sorted exactly for that.
#pragma once

#include "base/float_env.h"
#include "row.h"

// Boxes of a table are at most this many cells long, so they cover at most one row more.
#define JO_GRID_MAX_EXTENT 3
#define JO_GRID_MIN_PERIOD 8
// Entries that arrays get beside a quarter more than a frame needs, so that small scenes, too, settle.
#define JO_GRID_SLACK 64
// Owner bits, by row axis.
#define JO_OWNER_BIT_0 0x40000000u
#define JO_OWNER_BIT_1 0x80000000u

typedef struct joGridTable
{
    float cellSize;
    float inverseCellSize;
    float maxExtent;    // of boxes in this table; +inf in the last
    uint32_t period[2]; // rows on each row axis, powers of two; 1: the axis is not cut
    uint32_t firstRow;  // in the grid's list of rows
} joGridTable;

// Cells on the two row axes, both ends included; not wrapped. 0 on an axis that the table does not cut.
typedef struct joGridCells
{
    int64_t first[2];
    int64_t last[2];
} joGridCells;

// What holds all boxes of a table.
typedef struct joGridExtent
{
    float bounds[6]; // lower x y z, upper x y z, axes as in the world
    joGridCells cells;
} joGridExtent;

typedef struct joGrid
{
    const joStructureContext* context;
    uint32_t axes[3]; // world axis of the row's axis k; axes[0] is the sweep axis
    joGridTable tables[JO_MAX_GRID_LEVELS + 1];
    uint32_t tableCount;
    uint32_t rowCount; // of all tables
    uint32_t liveCount;
    uint32_t levelsUsed;
    uint32_t tunedCount; // objects when the parameters were derived; 0: never
    float tunedSpread[3];
    uint32_t buildsSinceTune;
    joArray entries;     // float: entries, in chunks of JO_ROW_CHUNK; the last is for what finds no room
    joArray chunkBefore; // uint32_t, of each chunk: the one that its row filled before, or JO_NULL_INDEX
    uint32_t chunkCapacity;
    uint32_t chunkCount; // wanted by the last deal
    joArray cursors;     // uint32_t, parts x rowCount: one past the row's last entry; 0: it has none
    uint32_t partCount;  // pieces of the set that were dealt on their own, each into chunks of its own
    joArray rowStarts;   // uint32_t, rowCount + 1: entries in the rows before
    uint32_t largestRow;
    // Rows from here on are sorted exactly in `sorted`, at their entries' positions less those of the rows
    // before.
    uint32_t sortedFrom;
    joColumnStore sorted;
    joArray shapes;  // joRowShape, of each row that is sorted
    bool isPrepared; // for queries: all rows are sorted, and the extents are what the tables hold
    joGridExtent extents[JO_MAX_GRID_LEVELS + 1];
    joArray scratch; // float: a joRowScratch for each worker
    uint64_t scratchFloats;
    uint64_t scratchRow;
} joGrid;

static inline const uint32_t* joGrid_RowStarts( const joGrid* grid )
{
    return (const uint32_t*)grid->rowStarts.data;
}

// Cell coordinates are floored truly and clamped, and so monotone in x.
static inline int32_t joGridTable_Cell( const joGridTable* table, float x )
{
    float cell = x * table->inverseCellSize;
    cell = cell < -0x1p30f ? -0x1p30f : cell;
    cell = cell > 0x1p30f ? 0x1p30f : cell;
    int32_t truncated = (int32_t)cell;
    return truncated - ( (float)truncated > cell ? 1 : 0 );
}

// Rows of all tables together for so many objects, at most.
uint64_t joGrid_RowLimit( uint32_t count );

// Sets axes and tables for the boxes of these sets together, from a sample of them; cheap when nothing much
// has changed. grid_tune.c.
void joGrid_Tune( joGrid* grid, const joBoxSet* sets, uint32_t setCount );

joResult joGrid_ReserveRows( joGrid* grid, uint64_t rowCount );

// Room for sorting rows of up to `rowCapacity` entries, for every worker.
joResult joGrid_ReserveScratch( joGrid* grid, uint64_t rowCapacity );
joRowScratch joGrid_Scratch( const joGrid* grid, uint32_t worker );

// Room for so many chunks of entries; what was in them may be lost.
joResult joGrid_ReserveChunks( joGrid* grid, uint64_t chunkCount );

// The runs of a row's entries; returns how many.
uint32_t joGrid_RowRuns( const joGrid* grid, uint32_t row, joRowRun* runs );

joResult joGrid_Build( void* structure, const joBoxSet* set );
// The same with the axes and tables that it has.
joResult joGrid_BuildRows( joGrid* grid, const joBoxSet* set );

// Sorts the rows of all tables from `table` on.
joResult joGrid_SortRows( joGrid* grid, uint32_t table );

// Sorts all rows, and finds the bounds of the tables.
joResult joGrid_Prepare( void* structure );

// grid_query.c
void joGrid_Query( const void* structure, joProbe* probe );

joResult joGrid_FindPairs(
    void* moving, void* const* still, uint32_t stillCount, joPairCollector* collector );

// The home boxes of a sorted row of `grid` against the tables [firstTable, ...) of another one, or of its
// own. isReversed: the collector's side a is the other one.
void joGrid_SearchTables( const joGrid* grid, const joBoxColumns* row, uint32_t rowCount,
    joRowScratch* scratch, const joGrid* target, uint32_t firstTable, joPairSink* sink, bool isReversed );
uint32_t joGrid_TableOfRow( const joGrid* grid, uint32_t row );
// A row that is sorted exactly.
joBoxColumns joGrid_SortedRow( const joGrid* grid, uint32_t row );

// grid_across.c: room for two grids of so many, that are to have the same tables.
joResult joGrid_ReserveAcross( joGrid* a, uint32_t countA, joGrid* b, uint32_t countB );
// Builds two grids of two sets anew, with the same tables, and finds the pairs between them. Their contexts
// are one; `a` keeps the parameters. `sideB` is what the collector knows b by.
joResult joGrid_FindAcross( joGrid* a, const joBoxSet* setA, joGrid* b, const joBoxSet* setB, uint32_t sideB,
    joPairCollector* collector );
