// SPDX-License-Identifier: MIT
#include "box_columns.h"

static uint64_t paddedCount( uint64_t count )
{
    return ( count + 2 * JO_LANE_PADDING - 1 ) / JO_LANE_PADDING * JO_LANE_PADDING;
}

uint64_t joColumns_FloatCount( uint32_t axisCount, uint64_t count )
{
    return paddedCount( count ) * ( 2 * axisCount + 1 );
}

joBoxColumns joColumns_Cut( float* memory, uint32_t axisCount, uint64_t count )
{
    joBoxColumns columns;
    uint64_t padded = paddedCount( count );
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        uint32_t used = axis < axisCount ? axis : 1;
        columns.lower[axis] = memory + 2 * used * padded;
        columns.upper[axis] = memory + ( 2 * used + 1 ) * padded;
    }
    columns.index = (uint32_t*)(void*)( memory + 2 * axisCount * padded );
    return columns;
}

joResult joColumnStore_Reserve( joColumnStore* store, joMemory* memory, uint32_t axisCount, uint32_t count )
{
    if ( store->memory.data != NULL && count <= store->capacity )
    {
        return jo_success;
    }
    joResult result = joArray_Reserve(
        &store->memory, memory, joColumns_FloatCount( axisCount, count ), sizeof( float ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    // Use all that the array got.
    uint64_t padded = store->memory.capacity / ( 2 * axisCount + 1 ) / JO_LANE_PADDING * JO_LANE_PADDING;
    uint64_t capacity = padded - JO_LANE_PADDING;
    store->capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX;
    store->columns = joColumns_Cut( store->memory.data, axisCount, store->capacity );
    return jo_success;
}

void joColumnStore_Free( joColumnStore* store, joMemory* memory )
{
    joArray_Free( &store->memory, memory, sizeof( float ) );
    store->capacity = 0;
}

void joSortFloats( float* values, uint32_t count )
{
    for ( uint32_t i = 1; i < count; ++i )
    {
        float value = values[i];
        uint32_t j = i;
        for ( ; j > 0 && values[j - 1] > value; --j )
        {
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
}
