// SPDX-License-Identifier: MIT
// The grid's parameters, from a sample of the boxes. They change the speed, never the answer.
#include "base/float_env.h"
#include "grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAMPLE_MAX 512
#define SAMPLE_MIN 96
#define SPREAD_SAMPLE 96 // of these, for percentiles
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

typedef struct Sample
{
    uint32_t count;
    float center[3][SAMPLE_MAX];
    float extent[3][SAMPLE_MAX];
} Sample;

static float finiteExtent( float lower, float upper )
{
    float extent = upper - lower;
    return extent < FLT_MAX ? extent : FLT_MAX;
}

static void takeSample( Sample* sample, const joBoxSet* set, uint32_t axisCount )
{
    uint32_t wanted = set->liveCount / 64;
    wanted = wanted < SAMPLE_MIN ? SAMPLE_MIN : wanted > SAMPLE_MAX ? SAMPLE_MAX : wanted;
    sample->count = 0;
    // Scattered slots: an even stride could fall in step with the order of the objects.
    uint64_t state = 0x9E3779B97F4A7C15u;
    for ( uint32_t attempt = 0; set->liveCount > 0 && attempt < 4 * wanted && sample->count < wanted;
          ++attempt )
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const joBoxRecord* record = set->records + (uint32_t)( ( ( state >> 32 ) * set->count ) >> 32 );
        if ( !joIsLive( record ) )
        {
            continue;
        }
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            float center = 0.5f * record->lower[axis] + 0.5f * record->upper[axis];
            sample->center[axis][sample->count] = isfinite( center ) ? center : 0.0f;
            sample->extent[axis][sample->count] = finiteExtent( record->lower[axis], record->upper[axis] );
        }
        sample->count += 1;
    }
}

// How far the boxes spread on an axis: nine tenths of them, scaled up; outliers do not count.
static float spreadOf( const float* centers, uint32_t count )
{
    float values[SPREAD_SAMPLE];
    uint32_t n = count < SPREAD_SAMPLE ? count : SPREAD_SAMPLE;
    memcpy( values, centers, n * sizeof( float ) );
    joSortFloats( values, n );
    float spread = ( values[n - 1 - n / 20] - values[n / 20] ) * 1.1f;
    return spread < FLT_MAX ? spread : FLT_MAX;
}

static float medianExtent( const Sample* sample, uint32_t axisCount )
{
    float values[SPREAD_SAMPLE];
    uint32_t n = sample->count < SPREAD_SAMPLE ? sample->count : SPREAD_SAMPLE;
    for ( uint32_t i = 0; i < n; ++i )
    {
        values[i] = 0.0f;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            values[i] = sample->extent[axis][i] > values[i] ? sample->extent[axis][i] : values[i];
        }
    }
    joSortFloats( values, n );
    return values[n / 2];
}

// Boxes in a unit of volume around a box, averaged over boxes: in clumps far more than count / volume. Counts
// the pairs of sampled centres that are near each other, near being widened until there are enough.
static double densityOf(
    const Sample* sample, uint32_t liveCount, uint32_t axisCount, float unit, float widest )
{
    double share = (double)liveCount / sample->count;
    for ( float reach = 2.0f * unit;; reach *= 2.0f )
    {
        uint32_t near = 0;
        for ( uint32_t i = 0; i < sample->count; ++i )
        {
            float x = sample->center[0][i];
            float y = sample->center[1][i];
            float z = axisCount == 3 ? sample->center[2][i] : 0.0f;
            for ( uint32_t j = i + 1; j < sample->count; ++j )
            {
                bool isNear =
                    fabsf( sample->center[0][j] - x ) <= reach && fabsf( sample->center[1][j] - y ) <= reach;
                near += isNear && ( axisCount == 2 || fabsf( sample->center[2][j] - z ) <= reach ) ? 1 : 0;
            }
        }
        if ( near >= 48 || !( reach < widest ) )
        {
            double side = 2.0 * (double)reach;
            double volume = axisCount == 3 ? side * side * side : side * side;
            return 2.0 * near / sample->count * share / volume;
        }
    }
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
static float costOf( const joGrid* grid, const Sample* sample, const float spread[3], double density,
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
    double vectors = 0.6 + density * crossSection * meanWindow / (double)lanes;
    double cost = entries / sample->count * ( (double)ENTRY_COST + vectors );
    // A box of a coarser table is looked for by all, and looks at many.
    cost += coarse > 0 ? (double)COARSE_COST + 4.0 * (double)ENTRY_COST * coarse / sample->count : 0.0;
    cost += (double)ROW_COST * (double)rowsFor( grid, spread, cellSize, axisCount ) / liveCount;
    return (float)cost;
}

// `present`: the cell size in use, 0 if there is none.
static float deriveCellSize(
    const joGrid* grid, const Sample* sample, const float spread[3], uint32_t liveCount, float present )
{
    const uint32_t axisCount = grid->context->axisCount;
    float widest = 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        widest = spread[axis] > widest ? spread[axis] : widest;
    }
    float unit = medianExtent( sample, axisCount );
    // Points: cells by their spacing.
    float spacing = widest / (float)liveCount;
    unit = unit > spacing ? unit : spacing;
    if ( !( unit > FLT_MIN ) || !( unit < 1e30f ) )
    {
        return unit < 1.0f || !( widest < 1e30f ) ? 1.0f : 1e30f;
    }
    double density = densityOf( sample, liveCount, axisCount, unit, widest );
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

void joGrid_Tune( joGrid* grid, const joBoxSet* set )
{
    uint64_t live = set->liveCount;
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
    Sample sample;
    takeSample( &sample, set, axisCount );
    float spread[3] = { 0.0f, 0.0f, 0.0f };
    bool alike = same;
    for ( uint32_t axis = 0; axis < axisCount && sample.count > 0; ++axis )
    {
        spread[axis] = spreadOf( sample.center[axis], sample.count );
        alike = alike && spread[axis] <= KEEP_SPREAD * grid->tunedSpread[axis] &&
                grid->tunedSpread[axis] <= KEEP_SPREAD * spread[axis];
    }
    chooseAxes( grid, spread, axisCount );
    float cellSize = grid->context->def->cellSize;
    if ( !( cellSize > 0.0f ) )
    {
        cellSize = sample.count > 0 ? deriveCellSize( grid, &sample, spread, set->liveCount, present ) : 1.0f;
    }
    grid->buildsSinceTune = 0;
    if ( alike && cellSize == present && sweepAxis == grid->axes[0] )
    {
        return;
    }
    makeTables( grid, cellSize, spread, set->liveCount );
    grid->tunedCount = set->liveCount > 0 ? set->liveCount : 1;
    memcpy( grid->tunedSpread, spread, sizeof( spread ) );
}
