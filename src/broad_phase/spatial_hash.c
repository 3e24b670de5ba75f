// SPDX-License-Identifier: MIT
// Spatial hash for points, built anew by a counting sort when points of a kind (still, moving) were added.
//
// After Teschner, Heidelberger, Mueller, Pomeranets and Gross, "Optimized Spatial Hashing for Collision
// Detection of Deformable Objects", 2003. Where it departs from the paper:
// - an entry of the table holds the full coordinates of one cell, and a look-up compares them: cells that
//   hash alike cost a step, never a wrong answer;
// - four cells that follow each other along x share one cache line of the table: only the block of four is
//   hashed. A query of a few cells walks rows along x, so it touches about one line a row;
// - points are stored in the order of the table, and an entry holds only where its points begin: they end
//   where those of the next entry begin. An entry without points is a free one, so cells without points do
//   not exist and a query cannot make any.
#include "spatial_hash_layer.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <math.h>
#include <string.h>

#define SPATIAL_HASH_COOKIE 0x73706861u
// Entries of the table are named by 32 bits, and there are up to two a point.
#define MAX_POINTS ( 1u << 30 )

// Floored truly, then clamped. What makes queries right is that this never falls where the coordinate rises:
// a division by a positive number, rounded, keeps order, and so do floor and clamp. Where the coordinate is a
// float, the cell is also exact up to 2^28: the quotient of two floats differs from a whole number k that it
// is not by at least 2^-24, so rounding to 53 bits cannot carry it over k.
int32_t joCellOf( double coordinate, double cellSize )
{
    const double quotient = coordinate / cellSize;
    if ( quotient <= (double)INT32_MIN )
    {
        return INT32_MIN;
    }
    if ( quotient >= (double)INT32_MAX )
    {
        return INT32_MAX;
    }
    const int32_t truncated = (int32_t)quotient;
    return (double)truncated > quotient ? truncated - 1 : truncated;
}

// First entry of the block of four cells along x that `x` is in.
uint32_t joBlockSlot( const joPointLayer* layer, int32_t x, int32_t y, int32_t z )
{
    // Shifting right floors for negative x too (gcc and clang shift arithmetically).
    const uint32_t block = (uint32_t)( x >> 2 );
    uint32_t hash = block * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^ (uint32_t)z * 0xC2B2AE3Du;
    hash = ( hash ^ hash >> 15 ) * 0x2C1B3C6Du;
    hash = ( hash ^ hash >> 12 ) * 0x297A2D39u;
    const uint64_t blocks = layer->tableSize / JO_BLOCK_CELLS;
    return (uint32_t)( ( hash * blocks ) >> 32 ) * JO_BLOCK_CELLS;
}

// While the table is being counted, `start` is the number of points. Returns the table's size if the table
// would be more than half full, and may become larger.
static uint32_t countPoint( joPointLayer* layer, const int32_t cell[3], uint32_t maxSize )
{
    joCellEntry* table = layer->table.data;
    uint32_t slot =
        joBlockSlot( layer, cell[0], cell[1], cell[2] ) + ( (uint32_t)cell[0] & ( JO_BLOCK_CELLS - 1 ) );
    while ( table[slot].start != 0 )
    {
        if ( joIsCell( &table[slot], cell[0], cell[1], cell[2] ) )
        {
            table[slot].start += 1;
            return slot;
        }
        slot = slot + 1 == layer->tableSize ? 0 : slot + 1;
    }
    if ( 2 * ( layer->cellCount + 1 ) > layer->tableSize && layer->tableSize < maxSize )
    {
        return layer->tableSize;
    }
    memcpy( table[slot].cell, cell, sizeof( table[slot].cell ) );
    table[slot].start = 1;
    layer->cellCount += 1;
    return slot;
}

// Two entries a point, in whole blocks: at most half are in use even if each point has a cell of its own.
static uint32_t fullTableSize( uint32_t count )
{
    return ( 2 * count + JO_BLOCK_CELLS - 1 ) / JO_BLOCK_CELLS * JO_BLOCK_CELLS;
}

// Gives each point its entry. False: the table was too small.
static bool countPoints(
    joPointLayer* layer, uint32_t tableSize, uint32_t maxSize, double cellSize, int axisCount )
{
    const joHashPoint* points = layer->added.data;
    uint32_t* slots = layer->slots.data;
    memset( layer->table.data, 0, ( (size_t)tableSize + 1 ) * sizeof( joCellEntry ) );
    layer->tableSize = tableSize;
    layer->cellCount = 0;
    for ( uint32_t i = 0; i < layer->count; ++i )
    {
        int32_t cell[3] = { 0, 0, 0 };
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            cell[axis] = joCellOf( (double)points[i].position[axis], cellSize );
        }
        slots[i] = countPoint( layer, cell, maxSize );
        if ( slots[i] == tableSize )
        {
            return false;
        }
    }
    return true;
}

// Counting sort by cell. The table is as large as the occupied cells need, not the points, so that many
// points in few cells keep it in the cache: it starts at what the last update needed, and doubles.
static void sortLayer( joPointLayer* layer, double cellSize, int axisCount )
{
    layer->dirty = false;
    if ( layer->count == 0 )
    {
        layer->tableSize = 0;
        layer->cellCount = 0;
        return;
    }
    const uint32_t maxSize = fullTableSize( layer->count );
    uint32_t guess = layer->cellCount + layer->cellCount / 4;
    guess = guess > layer->count / 16 + 16 ? guess : layer->count / 16 + 16;
    uint32_t tableSize = guess < layer->count ? fullTableSize( guess ) : maxSize;
    while ( !countPoints( layer, tableSize, maxSize, cellSize, axisCount ) )
    {
        tableSize = tableSize < maxSize / 2 ? 2 * tableSize : maxSize;
    }

    joCellEntry* table = layer->table.data;
    uint32_t end = 0;
    for ( uint32_t slot = 0; slot < tableSize; ++slot )
    {
        end += table[slot].start;
        table[slot].start = end;
    }
    table[tableSize].start = end;

    const joHashPoint* points = layer->added.data;
    const uint32_t* slots = layer->slots.data;
    joHashPoint* sorted = layer->sorted.data;
    for ( uint32_t i = layer->count; i-- > 0; )
    {
        table[slots[i]].start -= 1;
        sorted[table[slots[i]].start] = points[i];
    }
}

static joResult reserveLayer( joPointLayer* layer, joMemory* memory, uint32_t count )
{
    const uint64_t tableSize = (uint64_t)fullTableSize( count ) + 1;
    joResult result = joArray_Reserve( &layer->added, memory, count, sizeof( joHashPoint ), layer->count );
    if ( result == jo_success )
    {
        // What is sorted stays valid if a later reserve fails.
        const uint64_t keep =
            layer->tableSize > 0 ? ( (joCellEntry*)layer->table.data )[layer->tableSize].start : 0;
        result = joArray_Reserve( &layer->sorted, memory, count, sizeof( joHashPoint ), keep );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &layer->slots, memory, count, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        const uint64_t keep = layer->tableSize > 0 ? (uint64_t)layer->tableSize + 1 : 0;
        result = joArray_Reserve( &layer->table, memory, tableSize, sizeof( joCellEntry ), keep );
    }
    return result;
}

static void clearLayer( joPointLayer* layer )
{
    layer->count = 0;
    layer->tableSize = 0;
    layer->dirty = false;
    // cellCount stays: it is the guess for the next table.
}

static void freeLayer( joPointLayer* layer, joMemory* memory )
{
    joArray_Free( &layer->added, memory, sizeof( joHashPoint ) );
    joArray_Free( &layer->sorted, memory, sizeof( joHashPoint ) );
    joArray_Free( &layer->slots, memory, sizeof( uint32_t ) );
    joArray_Free( &layer->table, memory, sizeof( joCellEntry ) );
}

joSpatialHashDef joDefaultSpatialHashDef( void )
{
    return ( joSpatialHashDef ){ .dimension = 2, .internalCookie = SPATIAL_HASH_COOKIE };
}

joResult joCreateSpatialHash( const joSpatialHashDef* def, joSpatialHash** hash )
{
    if ( def == NULL || hash == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hash = NULL;
    if ( def->internalCookie != SPATIAL_HASH_COOKIE || ( def->dimension != 2 && def->dimension != 3 ) ||
         !( def->cellSize > 0.0f && isfinite( def->cellSize ) ) || def->pointReserve > MAX_POINTS ||
         ( def->allocator.allocate == NULL ) != ( def->allocator.deallocate == NULL ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joSpatialHash* made = joAllocateObject( &def->allocator, sizeof( joSpatialHash ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joSpatialHash ) );
        return result;
    }
    made->cellSize = def->cellSize;
    made->axisCount = def->dimension;
    if ( def->pointReserve > 0 )
    {
        result = reserveLayer( &made->still, &made->memory, def->pointReserve );
        result =
            result == jo_success ? reserveLayer( &made->moving, &made->memory, def->pointReserve ) : result;
    }
    if ( result != jo_success )
    {
        joDestroySpatialHash( made );
        return result;
    }
    made->memory.fixed = def->fixedCapacity;
    *hash = made;
    return jo_success;
}

void joDestroySpatialHash( joSpatialHash* hash )
{
    if ( hash == NULL )
    {
        return;
    }
    const joAllocator allocator = hash->memory.allocator;
    freeLayer( &hash->still, &hash->memory );
    freeLayer( &hash->moving, &hash->memory );
    joMemory_Destroy( &hash->memory );
    joFreeObject( &allocator, hash, sizeof( joSpatialHash ) );
}

void joSpatialHash_Clear( joSpatialHash* hash )
{
    if ( hash != NULL )
    {
        clearLayer( &hash->still );
        clearLayer( &hash->moving );
    }
}

void joSpatialHash_ClearMoving( joSpatialHash* hash )
{
    if ( hash != NULL )
    {
        clearLayer( &hash->moving );
    }
}

static float readFloat( joColumn column, uint32_t index )
{
    return *(const float*)(const void*)( (const char*)column.data + index * column.stride );
}

static joResult addPoints(
    joSpatialHash* hash, joPointLayer* layer, const joPoints* points, uint32_t* errorIndex )
{
    const joColumn columns[3] = { points->x, points->y, points->z };
    for ( int axis = 0; axis < hash->axisCount; ++axis )
    {
        if ( columns[axis].data == NULL && points->count > 0 )
        {
            return JO_MISUSE( jo_errorNullArgument );
        }
    }
    if ( points->count > MAX_POINTS - layer->count )
    {
        return JO_MISUSE( jo_errorBadCount );
    }
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        for ( int axis = 0; axis < hash->axisCount; ++axis )
        {
            if ( !isfinite( readFloat( columns[axis], i ) ) )
            {
                *errorIndex = i;
                return JO_MISUSE( jo_errorNotANumber );
            }
        }
    }
    if ( points->count == 0 )
    {
        return jo_success;
    }
    const joResult result = reserveLayer( layer, &hash->memory, layer->count + points->count );
    if ( result != jo_success )
    {
        return result;
    }
    joHashPoint* added = (joHashPoint*)layer->added.data + layer->count;
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        joHashPoint point = { .value = i };
        for ( int axis = 0; axis < hash->axisCount; ++axis )
        {
            point.position[axis] = readFloat( columns[axis], i );
        }
        if ( points->value.data != NULL )
        {
            const char* value = (const char*)points->value.data + i * points->value.stride;
            point.value = *(const uint32_t*)(const void*)value;
        }
        added[i] = point;
    }
    layer->count += points->count;
    layer->dirty = true;
    return jo_success;
}

static joResult checkAndAdd( joSpatialHash* hash, bool still, const joPoints* points, uint32_t* errorIndex )
{
    uint32_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = JO_NULL_INDEX;
    if ( hash == NULL || points == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return addPoints( hash, still ? &hash->still : &hash->moving, points, errorIndex );
}

joResult joSpatialHash_AddStill( joSpatialHash* hash, const joPoints* points, uint32_t* errorIndex )
{
    return checkAndAdd( hash, true, points, errorIndex );
}

joResult joSpatialHash_AddMoving( joSpatialHash* hash, const joPoints* points, uint32_t* errorIndex )
{
    return checkAndAdd( hash, false, points, errorIndex );
}

void joSpatialHash_SortAdded( joSpatialHash* hash )
{
    if ( hash->still.dirty )
    {
        sortLayer( &hash->still, (double)hash->cellSize, hash->axisCount );
    }
    if ( hash->moving.dirty )
    {
        sortLayer( &hash->moving, (double)hash->cellSize, hash->axisCount );
    }
}

joResult joSpatialHash_Update( joSpatialHash* hash )
{
    if ( hash == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joFloatEnv env = joFloatEnv_Enter();
    joSpatialHash_SortAdded( hash );
    joFloatEnv_Leave( env );
    return jo_success;
}
