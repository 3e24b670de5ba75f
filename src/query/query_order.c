// SPDX-License-Identifier: MIT
// In which order the queries of a batch are taken: those that start near each other together, along the curve
// of Morton, in segments that are sorted each for itself, by any worker.
#include "base/float_env.h"
#include "query_batch.h"

#include <math.h>

// Smaller batches are taken as they are.
#define ORDER_MINIMUM 64u

// Bits of a cell on each axis, in 2 and 3 dimensions, and with one for the way on each axis above them: so
// that the sort has two digits.
static const uint32_t s_cellBits[2] = { 11, 7 };
static const uint32_t s_cellBitsByWay[2] = { 10, 6 };

// Starts that a segment is measured by, and how many of them, at either end, may be far out.
#define SAMPLE 64u
#define OUTLIERS 4u
_Static_assert( ORDER_MINIMUM >= SAMPLE, "a segment has at least as many queries as are sampled" );

// The cells of a segment, on one axis.
typedef struct Cells
{
    float origin;
    float scale;
    float last;
} Cells;

static inline float readStart( const joQueryColumns* columns, uint32_t axis, uint32_t i )
{
    const float lower = joReadNumber( columns, axis, i );
    if ( columns->shape != jo_queryBox && columns->shape != jo_querySweptBox )
    {
        return lower;
    }
    return 0.5f * lower + 0.5f * joReadNumber( columns, 3 + axis, i );
}

// From a sample, without its outliers: one start that is far out must not put all others into one cell.
static Cells measureCells(
    const joQueryColumns* columns, uint32_t axis, uint32_t begin, uint32_t end, uint32_t cellBits )
{
    float sample[SAMPLE];
    const uint32_t step = ( end - begin ) / SAMPLE;
    for ( uint32_t n = 0; n < SAMPLE; ++n )
    {
        const float start = readStart( columns, axis, begin + n * step );
        uint32_t k = n;
        for ( ; k > 0 && sample[k - 1] > start; --k )
        {
            sample[k] = sample[k - 1];
        }
        sample[k] = start;
    }
    const float lower = sample[OUTLIERS];
    const float upper = sample[SAMPLE - 1 - OUTLIERS];
    const float cellCount = (float)( 1u << cellBits );
    // The sample's ends lie a little inside those of all.
    const float margin = ( upper - lower ) * ( 1.5f * (float)OUTLIERS / (float)SAMPLE );
    const float scale = cellCount / ( ( upper - lower ) + 2.0f * margin );
    return ( Cells ){ lower - margin, scale > 0.0f && scale < INFINITY ? scale : 0.0f, cellCount - 1.0f };
}

static inline uint32_t cellOf( Cells cells, float start )
{
    const float cell = ( start - cells.origin ) * cells.scale;
    // Not a number: an infinite start, or all in one place.
    return !( cell > 0.0f ) ? 0 : cell < cells.last ? (uint32_t)cell : (uint32_t)cells.last;
}

// Puts one zero bit, or two, behind each of the lowest 11, or 10, bits.
static inline uint32_t spreadBits( uint32_t bits, uint32_t axisCount )
{
    if ( axisCount == 2 )
    {
        bits = ( bits | bits << 8 ) & 0x00FF00FFu;
        bits = ( bits | bits << 4 ) & 0x0F0F0F0Fu;
        bits = ( bits | bits << 2 ) & 0x33333333u;
        return ( bits | bits << 1 ) & 0x55555555u;
    }
    bits = ( bits | bits << 16 ) & 0x030000FFu;
    bits = ( bits | bits << 8 ) & 0x0300F00Fu;
    bits = ( bits | bits << 4 ) & 0x030C30C3u;
    return ( bits | bits << 2 ) & 0x09249249u;
}

typedef struct OrderRun
{
    joQueryBatch* batch;
    const joQueryColumns* columns;
    uint32_t segmentSize; // at most
    uint32_t segmentCount;
    bool byWay;
} OrderRun;

// A bit for each axis on which a ray goes backward.
static uint32_t wayOf( const joQueryColumns* columns, uint32_t i )
{
    const uint32_t first = columns->shape == jo_queryRay ? 3 : 6;
    uint32_t way = 0;
    for ( uint32_t axis = 0; axis < columns->axisCount; ++axis )
    {
        way |= ( joReadNumber( columns, first + axis, i ) < 0.0f ? 1u : 0u ) << axis;
    }
    return way;
}

static void orderSegment( const OrderRun* run, uint32_t begin, uint32_t end, joKeyValue* items )
{
    const joQueryColumns* columns = run->columns;
    const uint32_t axisCount = columns->axisCount;
    const uint32_t cellBits = run->byWay ? s_cellBitsByWay[axisCount - 2] : s_cellBits[axisCount - 2];
    uint32_t* order = run->batch->order.data;
    Cells cells[3];
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        cells[axis] = measureCells( columns, axis, begin, end, cellBits );
    }
    for ( uint32_t i = begin; i < end; ++i )
    {
        uint32_t key = run->byWay ? wayOf( columns, i ) << ( axisCount * cellBits ) : 0;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            const uint32_t cell = cellOf( cells[axis], readStart( columns, axis, i ) );
            key |= spreadBits( cell, axisCount ) << axis;
        }
        items[i - begin] = ( joKeyValue ){ key, i };
    }
    const joKeyValue* sorted = joRadixSort_KeyValues( items, items + run->segmentSize, end - begin );
    for ( uint32_t i = begin; i < end; ++i )
    {
        order[i] = sorted[i - begin].value;
    }
}

static void orderSegments( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const OrderRun* run = context;
    joKeyValue* items = (joKeyValue*)run->batch->sortItems.data + (size_t)worker * 2 * run->segmentSize;
    for ( uint32_t segment = begin; segment < end; ++segment )
    {
        const uint64_t count = run->columns->count;
        const uint32_t first = (uint32_t)( count * segment / run->segmentCount );
        const uint32_t last = (uint32_t)( count * ( segment + 1 ) / run->segmentCount );
        orderSegment( run, first, last, items );
    }
}

joResult joReserveOrder( joQueryBatch* batch, uint32_t count )
{
    const joResult result = joArray_Reserve( &batch->order, &batch->memory, count, sizeof( uint32_t ), 0 );
    const uint32_t segmentSize = count < JO_ORDER_SEGMENT ? count : JO_ORDER_SEGMENT;
    // One segment is the first worker's; of several any worker may take any.
    const uint64_t itemCount =
        (uint64_t)2 * segmentSize * ( count <= JO_ORDER_SEGMENT ? 1 : batch->workerCount );
    return result != jo_success
               ? result
               : joArray_Reserve( &batch->sortItems, &batch->memory, itemCount, sizeof( joKeyValue ), 0 );
}

joResult joOrderQueries( joBatchRun* run, bool byWay )
{
    joQueryBatch* batch = run->batch;
    const uint32_t count = run->columns->count;
    run->order = NULL;
    if ( count < ORDER_MINIMUM )
    {
        return jo_success;
    }
    const joResult result = joReserveOrder( batch, count );
    if ( result == jo_success )
    {
        const uint32_t segmentCount = count / JO_ORDER_SEGMENT + ( count % JO_ORDER_SEGMENT != 0 );
        OrderRun order = {
            batch, run->columns, count < JO_ORDER_SEGMENT ? count : JO_ORDER_SEGMENT, segmentCount, byWay };
        joParallelFor( batch->jobs, segmentCount, 1, orderSegments, &order );
        run->order = batch->order.data;
    }
    return result;
}
