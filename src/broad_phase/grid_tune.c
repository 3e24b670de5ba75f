// SPDX-License-Identifier: MIT
// The grid's parameters, from a sample of the boxes. They change the speed, never the answer.
#include "base/float_env.h"
#include "box_sample.h"
#include "grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A tuning is good for so many builds, or until the count has changed by a third.
#define TUNE_BUILDS 64
// Parameters are kept while they cost at most this much more than the best, and the spread has changed by
// less: the cost is flat near its best, and other rows mean other memory.
#define KEEP_COST 1.15f
#define KEEP_SPREAD 1.5f
#define TABLE_RATIO 4.0f
// Cost model, in units of testing one vector: an entry (classified, dealt, sorted, started), and a row.
#define ENTRY_COST 5.0f
#define ROW_COST 40.0f
#define COARSE_COST 6.0f
// Of a cell: what is read of a row for each box in it, at least.
#define QUERY_WINDOW 0.02

// Boxes in a unit of volume around a box, averaged over boxes: in clumps far more than count / volume.
static double densityOf( const joBoxSample* sample, uint32_t axisCount, float unit )
{
    joBoxDistances distances;
    joBoxSample_MeasureDistances( sample, axisCount, &distances );
    joNearness nearness = joBoxDistances_FindNearness( &distances, 2.0f * unit );
    double side = 2.0 * (double)nearness.reach;
    return nearness.neighbours / ( axisCount == 3 ? side * side * side : side * side );
}

static void chooseAxes( joGrid* grid, const float spread[3], uint32_t axisCount )
{
    uint32_t sweepAxis = 0;
    for ( uint32_t axis = 1; axis < axisCount; ++axis )
    {
        sweepAxis = spread[axis] > 1.5f * spread[sweepAxis] ? axis : sweepAxis;
    }
    grid->axes[0] = sweepAxis;
    for ( uint32_t axis = 0, k = 1; axis < 3; ++axis )
    {
        if ( axis != sweepAxis )
        {
            grid->axes[k++] = axis;
        }
    }
}

// Rows that a table has for cells of this size.
static float rowsFor( const joGrid* grid, const float spread[3], float cellSize, uint32_t axisCount )
{
    float rows = 1.0f;
    for ( uint32_t k = 1; k < axisCount; ++k )
    {
        rows *= spread[grid->axes[k]] / cellSize + 1.0f;
    }
    return rows;
}

// What a box costs with cells of this size.
static float costOf( const joGrid* grid, const joBoxSample* sample, const float spread[3], double density,
    float cellSize, uint32_t liveCount )
{
    const uint32_t axisCount = grid->context->axisCount;
    const float lanes = (float)grid->context->kernels->lanes;
    double entries = 0.0, crossSection = 0.0, window = 0.0;
    uint32_t coarse = 0;
    for ( uint32_t i = 0; i < sample->count; ++i )
    {
        float largest = 0.0f;
        double covered = 1.0;
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            float extent = sample->extent[grid->axes[k]][i];
            largest = extent > largest ? extent : largest;
            covered *= k > 0 ? 1.0 + (double)extent / (double)cellSize : 1.0;
        }
        if ( largest > JO_GRID_MAX_EXTENT * cellSize )
        {
            coarse += 1;
            continue;
        }
        entries += covered;
        window += covered * (double)sample->extent[grid->axes[0]][i];
    }
    crossSection = entries / sample->count * (double)( axisCount == 3 ? cellSize * cellSize : cellSize );
    double meanWindow = entries > 0.0 ? window / entries : 0.0;
    // Points meet nobody, so that one row would do; but who asks for what is near them reads on.
    meanWindow = meanWindow > QUERY_WINDOW * (double)cellSize ? meanWindow : QUERY_WINDOW * (double)cellSize;
    double vectors = 0.6 + density * crossSection * meanWindow / (double)lanes;
    double cost = entries / sample->count * ( (double)ENTRY_COST + vectors );
    // A box of a coarser table is looked for by all, and looks at many.
    cost += coarse > 0 ? (double)COARSE_COST + 4.0 * (double)ENTRY_COST * coarse / sample->count : 0.0;
    cost += (double)ROW_COST * (double)rowsFor( grid, spread, cellSize, axisCount ) / liveCount;
    return (float)cost;
}

// `present`: the cell size in use, 0 if there is none.
static float deriveCellSize(
    const joGrid* grid, const joBoxSample* sample, const float spread[3], uint32_t liveCount, float present )
{
    const uint32_t axisCount = grid->context->axisCount;
    float widest = 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        widest = spread[axis] > widest ? spread[axis] : widest;
    }
    float unit = joBoxSample_MedianExtent( sample, axisCount );
    // Points: cells by their spacing.
    float spacing = widest / (float)liveCount;
    unit = unit > spacing ? unit : spacing;
    if ( !( unit > FLT_MIN ) || !( unit < 1e30f ) )
    {
        return unit < 1.0f || !( widest < 1e30f ) ? 1.0f : 1e30f;
    }
    double density = densityOf( sample, axisCount, unit );
    float best = unit, bestCost = INFINITY;
    for ( float cellSize = unit; cellSize < 1e30f; cellSize *= 1.25f )
    {
        float cost = costOf( grid, sample, spread, density, cellSize, liveCount );
        if ( cost < bestCost )
        {
            bestCost = cost;
            best = cellSize;
        }
        if ( cellSize > widest || cost > 4.0f * bestCost )
        {
            break;
        }
    }
    bool keeps =
        present > 0.0f && costOf( grid, sample, spread, density, present, liveCount ) <= KEEP_COST * bestCost;
    return keeps ? present : best;
}

uint64_t joGrid_RowLimit( uint32_t count )
{
    uint64_t rows = (uint64_t)JO_GRID_MIN_PERIOD * JO_GRID_MIN_PERIOD;
    while ( rows < count / 8 )
    {
        rows *= 2;
    }
    return rows * JO_MAX_GRID_LEVELS + 1;
}

static void setPeriods( joGrid* grid, joGridTable* table, const float spread[3], uint64_t rowLimit )
{
    const uint32_t axisCount = grid->context->axisCount;
    table->period[0] = table->period[1] = 1;
    for ( uint32_t k = 1; k < axisCount; ++k )
    {
        float rows = spread[grid->axes[k]] * table->inverseCellSize;
        uint32_t period = 1;
        // Less than a row and a half: not worth cutting.
        while ( rows > 1.5f && period < 0x10000u && ( period < JO_GRID_MIN_PERIOD || (float)period < rows ) )
        {
            period *= 2;
        }
        table->period[k - 1] = period;
    }
    while ( (uint64_t)table->period[0] * table->period[1] > rowLimit )
    {
        uint32_t larger = table->period[0] >= table->period[1] ? 0 : 1;
        table->period[larger] /= 2;
    }
}

static void makeTables( joGrid* grid, float cellSize, const float spread[3], uint32_t liveCount )
{
    const joBroadPhaseDef* def = grid->context->def;
    uint64_t rowLimit = ( joGrid_RowLimit( liveCount ) - 1 ) / JO_MAX_GRID_LEVELS;
    uint32_t levels = def->levels != 0 ? def->levels : JO_MAX_GRID_LEVELS;
    grid->tableCount = 0;
    grid->rowCount = 0;
    for ( uint32_t level = 0; level < levels && cellSize > 0.0f && cellSize < 1e36f;
          ++level, cellSize *= TABLE_RATIO )
    {
        joGridTable* table = grid->tables + grid->tableCount;
        table->cellSize = cellSize;
        table->inverseCellSize = 1.0f / cellSize;
        table->maxExtent = cellSize * ( levels == 1 ? 8.0f : (float)JO_GRID_MAX_EXTENT );
        setPeriods( grid, table, spread, rowLimit );
        if ( !isfinite( table->inverseCellSize ) )
        {
            continue;
        }
        if ( level > 0 && table->period[0] * table->period[1] == 1 )
        {
            break; // the last table is that, too
        }
        table->firstRow = grid->rowCount;
        grid->rowCount += table->period[0] * table->period[1];
        grid->tableCount += 1;
    }
    joGridTable* last = grid->tables + grid->tableCount++;
    *last = ( joGridTable ){
        .cellSize = cellSize, .inverseCellSize = 0.0f, .maxExtent = INFINITY, .period = { 1, 1 } };
    last->firstRow = grid->rowCount++;
}

void joGrid_Tune( joGrid* grid, const joBoxSet* sets, uint32_t setCount )
{
    uint64_t live = 0;
    for ( uint32_t i = 0; i < setCount; ++i )
    {
        live += sets[i].liveCount;
    }
    live = live < UINT32_MAX ? live : UINT32_MAX;
    bool same = grid->tunedCount != 0 && 3 * live >= 2 * (uint64_t)grid->tunedCount &&
                2 * live <= 3 * (uint64_t)grid->tunedCount;
    if ( same && grid->buildsSinceTune < TUNE_BUILDS )
    {
        grid->buildsSinceTune += 1;
        return;
    }
    const uint32_t axisCount = grid->context->axisCount;
    const uint32_t sweepAxis = grid->axes[0];
    const float present = same ? grid->tables[0].cellSize : 0.0f;
    joBoxSample sample;
    joBoxSample_Take( &sample, sets, setCount, axisCount );
    float spread[3] = { 0.0f, 0.0f, 0.0f };
    bool alike = same;
    for ( uint32_t axis = 0; axis < axisCount && sample.count > 0; ++axis )
    {
        spread[axis] = joBoxSample_Spread( &sample, axis );
        alike = alike && spread[axis] <= KEEP_SPREAD * grid->tunedSpread[axis] &&
                grid->tunedSpread[axis] <= KEEP_SPREAD * spread[axis];
    }
    chooseAxes( grid, spread, axisCount );
    float cellSize = grid->context->def->cellSize;
    if ( !( cellSize > 0.0f ) )
    {
        cellSize = sample.count > 0 ? deriveCellSize( grid, &sample, spread, (uint32_t)live, present ) : 1.0f;
    }
    grid->buildsSinceTune = 0;
    if ( alike && cellSize == present && sweepAxis == grid->axes[0] )
    {
        return;
    }
    makeTables( grid, cellSize, spread, (uint32_t)live );
    grid->tunedCount = live > 0 ? (uint32_t)live : 1;
    memcpy( grid->tunedSpread, spread, sizeof( spread ) );
}
