// SPDX-License-Identifier: MIT
// Queries on the grid: what its files share. grid_query.c opens with how it works.
#pragma once

#include "base/float_env.h"
#include "grid.h"
#include "row_query.h"

// A query on its way through one table.
typedef struct joGridQuery
{
    const joGrid* grid;
    const joGridTable* table;
    const joGridExtent* extent;
    joProbe* probe;
    // What may still be read, in rows and boxes, before it is cheaper to look at all rows.
    int64_t budget;
    joRowScan scan; // of sorted rows; a copy serves for others
    double cellSize;
} joGridQuery;

// World axis of row axis k.
static inline uint32_t joGridQuery_Axis( const joGridQuery* query, uint32_t k )
{
    return query->grid->axes[k + 1];
}

static inline int64_t joGridQuery_Cell( const joGridQuery* query, uint32_t k, float x )
{
    return query->table->period[k] == 1 ? 0 : joGridTable_Cell( query->table, x );
}

// Cells of the box at a position of columns whose axes are those of the world.
joGridCells joGridQuery_CellsOf( const joGridQuery* query, const joBoxColumns* columns, uint32_t position );

// Where coordinates of a cell lie, or a little more: floored products are inverted, and rounded.
void joGridQuery_CellBounds( const joGridQuery* query, int64_t cell, double* lower, double* upper );

// Hands over, of the row that holds this cell, what `owns` says. Whatever the row holds by wrapping is asked
// for, too. Draws on the budget.
void joGridQuery_VisitRow( joGridQuery* query, int64_t cell0, int64_t cell1, const joRowWindow* window,
    joProbeOwnsFcn* owns, const void* context );

// Likewise, of all rows of the table.
void joGridQuery_VisitAll( joGridQuery* query, joProbeOwnsFcn* owns, const void* context );

// Whether this is the row from which a box is handed over when all rows are visited.
static inline bool joGridQuery_IsHome( const joBoxColumns* columns, uint32_t position )
{
    return columns->index[position] >= JO_OWNER_BITS;
}

// grid_query_way.c, grid_query_near.c
void joGridQuery_Ray( joGridQuery* query );
void joGridQuery_Point( joGridQuery* query );
