// SPDX-License-Identifier: MIT
#include "reference/limited_memory.h"

#include <stdio.h>
#include <stdlib.h>

// In front of each block, as wide as the widest alignment.
typedef struct BlockHeader
{
    size_t size;
    size_t alignment;
    char padding[64 - 2 * sizeof( size_t )];
} BlockHeader;

static void* limitedAllocate( size_t size, size_t alignment, void* context )
{
    LimitedMemory* memory = context;
    const uint64_t attempt = memory->attempts++;
    if ( attempt == memory->failAt || ( memory->failOn && attempt > memory->failAt ) )
    {
        return NULL;
    }
    if ( alignment > 64 || size == 0 )
    {
        fprintf( stderr, "allocate( %zu, %zu ) is outside the contract\n", size, alignment );
        abort();
    }
    const size_t whole = sizeof( BlockHeader ) + ( size + 63 ) / 64 * 64;
    BlockHeader* header = aligned_alloc( 64, whole );
    if ( header == NULL )
    {
        return NULL;
    }
    header->size = size;
    header->alignment = alignment;
    memory->liveBlocks += 1;
    memory->liveBytes += size;
    return header + 1;
}

static void limitedDeallocate( void* block, size_t size, size_t alignment, void* context )
{
    LimitedMemory* memory = context;
    BlockHeader* header = (BlockHeader*)block - 1;
    if ( header->size != size || header->alignment != alignment )
    {
        fprintf( stderr, "freed as %zu bytes, was given as %zu\n", size, header->size );
        abort();
    }
    memory->liveBlocks -= 1;
    memory->liveBytes -= size;
    free( header );
}

LimitedMemory makeLimitedMemory( uint64_t failAt )
{
    return ( LimitedMemory ){ .failAt = failAt };
}

joAllocator limitedAllocator( LimitedMemory* memory )
{
    return ( joAllocator ){ limitedAllocate, limitedDeallocate, memory };
}
