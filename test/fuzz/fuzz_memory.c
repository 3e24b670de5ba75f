// SPDX-License-Identifier: MIT
#include "fuzz_memory.h"

#include <stdlib.h>
#include <string.h>

static void* allocate( size_t size, size_t alignment, void* context )
{
    FuzzMemory* memory = context;
    if ( memory->calls-- == 0 )
    {
        return NULL;
    }
    require( alignment <= 64 && size > 0, "the allocator is asked as it may be" );
    memory->live += 1;
    return aligned_alloc( 64, ( size + 63 ) / 64 * 64 );
}

static void deallocate( void* block, size_t size, size_t alignment, void* context )
{
    (void)size;
    (void)alignment;
    ( (FuzzMemory*)context )->live -= 1;
    free( block );
}

FuzzMemory takeMemory( FuzzBytes* bytes )
{
    const uint8_t calls = takeByte( bytes );
    return ( FuzzMemory ){ .calls = calls < 16 ? calls : -1 };
}

joAllocator allocatorOf( FuzzMemory* memory )
{
    return ( joAllocator ){ allocate, deallocate, memory };
}

void* takeSpoiltCopy( FuzzBytes* bytes, const void* block, size_t* size )
{
    uint8_t* copy = aligned_alloc( 64, ( *size + 63 ) / 64 * 64 );
    memcpy( copy, block, *size );
    const int count = takeByte( bytes ) % 4;
    for ( int i = 0; i < count; ++i )
    {
        const size_t at = (size_t)takeByte( bytes ) | (size_t)takeByte( bytes ) << 8;
        copy[at % *size] = takeByte( bytes );
    }
    *size = takeByte( bytes ) == 255 ? *size / 2 : *size;
    return copy;
}
