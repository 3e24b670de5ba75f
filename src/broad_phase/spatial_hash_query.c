// SPDX-License-Identifier: MIT
// Queries of a spatial hash: walk the cells of a box, or all cells if the box has more, and gather values.
#include "spatial_hash_layer.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <math.h>

typedef struct CellBox
{
    int32_t lower[3];
    int32_t upper[3]; // inclusive
} CellBox;

// Where a query's values go: in any order while there is room, then as a heap of the least ones.
typedef struct Gather
{
    uint32_t* values;
    uint64_t count;
    uint32_t capacity;
    const float* center; // null: all points of a cell; else only those within the radius
    double radiusSq;
} Gather;

static void siftDown( uint32_t* heap, uint32_t count, uint32_t parent )
{
    const uint32_t value = heap[parent];
    for ( uint64_t child = 2 * (uint64_t)parent + 1; child < count; child = 2 * (uint64_t)parent + 1 )
    {
        if ( child + 1 < count && heap[child + 1] > heap[child] )
        {
            child += 1;
        }
        if ( heap[child] <= value )
        {
            break;
        }
        heap[parent] = heap[child];
        parent = (uint32_t)child;
    }
    heap[parent] = value;
}

static void makeHeap( uint32_t* values, uint32_t count )
{
    for ( uint32_t i = count / 2; i-- > 0; )
    {
        siftDown( values, count, i );
    }
}

// In place, for a query allocates nothing: insertion for the usual few values, else heap sort, whose time has
// no bad case.
static void sortValues( uint32_t* values, uint32_t count )
{
    if ( count > 48 )
    {
        makeHeap( values, count );
        for ( uint32_t last = count - 1; last > 0; --last )
        {
            const uint32_t largest = values[0];
            values[0] = values[last];
            values[last] = largest;
            siftDown( values, last, 0 );
        }
        return;
    }
    for ( uint32_t i = 1; i < count; ++i )
    {
        const uint32_t value = values[i];
        uint32_t j = i;
        for ( ; j > 0 && values[j - 1] > value; --j )
        {
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
}

static void gatherValue( Gather* gather, uint32_t value )
{
    if ( gather->count < gather->capacity )
    {
        gather->values[gather->count] = value;
        gather->count += 1;
        return;
    }
    if ( gather->capacity > 0 )
    {
        if ( gather->count == gather->capacity )
        {
            makeHeap( gather->values, gather->capacity );
        }
        if ( value < gather->values[0] )
        {
            gather->values[0] = value;
            siftDown( gather->values, gather->capacity, 0 );
        }
    }
    gather->count += 1;
}

static void gatherPoints( Gather* gather, const joHashPoint* points, uint32_t begin, uint32_t end )
{
    if ( gather->center == NULL )
    {
        for ( uint32_t i = begin; i < end; ++i )
        {
            gatherValue( gather, points[i].value );
        }
        return;
    }
    for ( uint32_t i = begin; i < end; ++i )
    {
        const double dx = (double)points[i].position[0] - (double)gather->center[0];
        const double dy = (double)points[i].position[1] - (double)gather->center[1];
        const double dz = (double)points[i].position[2] - (double)gather->center[2];
        if ( dx * dx + dy * dy + dz * dz <= gather->radiusSq )
        {
            gatherValue( gather, points[i].value );
        }
    }
}

// Cells [lower x, upper x] of one row.
static void gatherRow( Gather* gather, const joPointLayer* layer, const CellBox* box, int32_t y, int32_t z )
{
    const joCellEntry* table = layer->table.data;
    const joHashPoint* points = layer->sorted.data;
    uint32_t base = 0;
    for ( int64_t column = box->lower[0]; column <= box->upper[0]; ++column )
    {
        const int32_t x = (int32_t)column;
        const uint32_t lane = (uint32_t)x & ( JO_BLOCK_CELLS - 1 );
        if ( lane == 0 || column == box->lower[0] )
        {
            base = joBlockSlot( layer, x, y, z );
        }
        uint32_t slot = base + lane;
        while ( table[slot].start != table[slot + 1].start )
        {
            if ( joIsCell( &table[slot], x, y, z ) )
            {
                gatherPoints( gather, points, table[slot].start, table[slot + 1].start );
                break;
            }
            slot = slot + 1 == layer->tableSize ? 0 : slot + 1;
        }
    }
}

static bool isInside( const CellBox* box, const int32_t cell[3] )
{
    bool inside = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        inside = inside && box->lower[axis] <= cell[axis] && cell[axis] <= box->upper[axis];
    }
    return inside;
}

// Cells of the box; in floating point, for there are up to 2^96.
static double countCells( const CellBox* box )
{
    double count = 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        count *= (double)box->upper[axis] - (double)box->lower[axis] + 1.0;
    }
    return count;
}

static void gatherLayer( Gather* gather, const joPointLayer* layer, const CellBox* box )
{
    if ( layer->tableSize == 0 )
    {
        return;
    }
    const joCellEntry* table = layer->table.data;
    // A box of more cells than the table has entries: ask each entry instead.
    if ( countCells( box ) > (double)layer->tableSize )
    {
        for ( uint32_t slot = 0; slot < layer->tableSize; ++slot )
        {
            if ( table[slot].start != table[slot + 1].start && isInside( box, table[slot].cell ) )
            {
                gatherPoints( gather, layer->sorted.data, table[slot].start, table[slot + 1].start );
            }
        }
        return;
    }
    for ( int64_t z = box->lower[2]; z <= box->upper[2]; ++z )
    {
        for ( int64_t y = box->lower[1]; y <= box->upper[1]; ++y )
        {
            gatherRow( gather, layer, box, (int32_t)y, (int32_t)z );
        }
    }
}

static joResult checkQuery( const joSpatialHash* hash, const float* position, float radius,
    const uint32_t* values, uint32_t capacity )
{
    if ( hash == NULL || position == NULL || ( values == NULL && capacity > 0 ) )
    {
        return jo_errorNullArgument;
    }
    for ( int axis = 0; axis < hash->axisCount; ++axis )
    {
        if ( !isfinite( position[axis] ) )
        {
            return jo_errorNotANumber;
        }
    }
    if ( isnan( radius ) )
    {
        return jo_errorNotANumber;
    }
    return radius >= 0.0f && isfinite( radius ) ? jo_success : jo_errorBadRadius;
}

static joResult query( joSpatialHash* hash, const float* position, float radius, bool exact, uint32_t* values,
    uint32_t capacity, uint64_t* count )
{
    if ( count == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *count = 0;
    const joResult result = checkQuery( hash, position, radius, values, capacity );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }

    const joFloatEnv env = joFloatEnv_Enter();
    joSpatialHash_SortAdded( hash );
    float center[3] = { 0.0f, 0.0f, 0.0f };
    CellBox box = { { 0, 0, 0 }, { 0, 0, 0 } };
    for ( int axis = 0; axis < hash->axisCount; ++axis )
    {
        center[axis] = position[axis];
        const double middle = (double)position[axis];
        // A point whose rounded distance is the radius may lie outside the rounded box by a few parts in 2^53
        // of the numbers involved (test: radiusQueryOnRoundedBordersMissesNothing).
        const double slack = exact ? 1e-15 * ( fabs( middle ) + (double)radius ) : 0.0;
        box.lower[axis] = joCellOf( middle - (double)radius - slack, (double)hash->cellSize );
        box.upper[axis] = joCellOf( middle + (double)radius + slack, (double)hash->cellSize );
    }
    Gather gather = { .values = values,
        .capacity = capacity,
        .center = exact ? center : NULL,
        .radiusSq = (double)radius * (double)radius };
    gatherLayer( &gather, &hash->still, &box );
    gatherLayer( &gather, &hash->moving, &box );
    joFloatEnv_Leave( env );

    sortValues( values, (uint32_t)( gather.count < capacity ? gather.count : capacity ) );
    *count = gather.count;
    return jo_success;
}

joResult joSpatialHash_QueryCells( joSpatialHash* hash, const float* position, float radius, uint32_t* values,
    uint32_t capacity, uint64_t* count )
{
    return query( hash, position, radius, false, values, capacity, count );
}

joResult joSpatialHash_QueryRadius( joSpatialHash* hash, const float* position, float radius,
    uint32_t* values, uint32_t capacity, uint64_t* count )
{
    return query( hash, position, radius, true, values, capacity, count );
}

// Cells of the moving points that no still point is in.
static uint32_t countMovingOnlyCells( const joSpatialHash* hash )
{
    const joPointLayer* still = &hash->still;
    const joPointLayer* moving = &hash->moving;
    const joCellEntry* table = moving->table.data;
    uint32_t count = 0;
    for ( uint32_t slot = 0; slot < moving->tableSize; ++slot )
    {
        if ( table[slot].start != table[slot + 1].start )
        {
            const int32_t* cell = table[slot].cell;
            const CellBox box = { { cell[0], cell[1], cell[2] }, { cell[0], cell[1], cell[2] } };
            Gather gather = { 0 };
            gatherLayer( &gather, still, &box );
            count += gather.count == 0;
        }
    }
    return count;
}

joSpatialHashStats joSpatialHash_GetStats( const joSpatialHash* hash )
{
    if ( hash == NULL )
    {
        return ( joSpatialHashStats ){ 0 };
    }
    const uint32_t stillCells = hash->still.tableSize > 0 ? hash->still.cellCount : 0;
    return ( joSpatialHashStats ){ .stillCount = hash->still.count,
        .movingCount = hash->moving.count,
        .cells = stillCells + countMovingOnlyCells( hash ),
        .memoryBytes = hash->memory.bytes + sizeof( joSpatialHash ),
        .cellSize = hash->cellSize };
}
