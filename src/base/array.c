// SPDX-License-Identifier: MIT
// Growing array of elements of one size.
#include "base/array.h"

#include "base/assert.h"

#include <string.h>

joResult joArray_Reserve(
    joArray* array, joMemory* memory, uint64_t count, size_t elementSize, uint64_t keep )
{
    JO_ASSERT( keep <= array->capacity );
    if ( count <= array->capacity )
    {
        return jo_success;
    }
    uint64_t capacity = array->capacity + array->capacity / 2;
    if ( capacity < count )
    {
        capacity = count;
    }
    // A size that cannot be expressed cannot be had; the limit leaves room for rounding up in the allocator.
    if ( capacity > ( SIZE_MAX / 2 ) / elementSize )
    {
        return joMemory_FailResult( memory );
    }
    void* data = joMemory_Allocate( memory, (size_t)capacity * elementSize );
    if ( data == NULL )
    {
        return joMemory_FailResult( memory );
    }
    if ( keep > 0 )
    {
        memcpy( data, array->data, (size_t)keep * elementSize );
    }
    joArray_Free( array, memory, elementSize );
    array->data = data;
    array->capacity = capacity;
    return jo_success;
}

void joArray_Free( joArray* array, joMemory* memory, size_t elementSize )
{
    joMemory_Free( memory, array->data, (size_t)array->capacity * elementSize );
    array->data = NULL;
    array->capacity = 0;
}
