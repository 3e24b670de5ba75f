// SPDX-License-Identifier: MIT
// Linear arena.
#include "base/arena.h"

#include "base/assert.h"

// Smallest chunk: a frame's odds and ends should not come as a chain of tiny blocks.
#define MIN_CHUNK_BYTES ( 16u * 1024u )

// The header takes one alignment unit in front of the bytes, so that these stay aligned.
struct joArenaChunk
{
    joArenaChunk* older;
    size_t capacity; // bytes behind the header, a multiple of JO_ALIGNMENT
    size_t used;
};

_Static_assert( sizeof( joArenaChunk ) <= JO_ALIGNMENT, "the header has one alignment unit" );

static joArenaChunk* allocateChunk( joMemory* memory, uint64_t capacity )
{
    if ( capacity > SIZE_MAX / 2 )
    {
        return NULL;
    }
    joArenaChunk* chunk = joMemory_Allocate( memory, JO_ALIGNMENT + (size_t)capacity );
    if ( chunk != NULL )
    {
        *chunk = ( joArenaChunk ){ NULL, (size_t)capacity, 0 };
    }
    return chunk;
}

static uint64_t roundUp( uint64_t size )
{
    return ( size + JO_ALIGNMENT - 1 ) & ~(uint64_t)( JO_ALIGNMENT - 1 );
}

void joArena_Init( joArena* arena, joMemory* memory )
{
    *arena = ( joArena ){ memory, NULL, 0 };
}

void joArena_Free( joArena* arena )
{
    while ( arena->newest != NULL )
    {
        joArenaChunk* chunk = arena->newest;
        arena->newest = chunk->older;
        joMemory_Free( arena->memory, chunk, JO_ALIGNMENT + chunk->capacity );
    }
    arena->capacity = 0;
}

static joResult addChunk( joArena* arena, uint64_t capacity )
{
    joArenaChunk* chunk = allocateChunk( arena->memory, capacity );
    if ( chunk == NULL )
    {
        return joMemory_FailResult( arena->memory );
    }
    chunk->older = arena->newest;
    arena->newest = chunk;
    arena->capacity += capacity;
    return jo_success;
}

joResult joArena_Reserve( joArena* arena, uint64_t bytes )
{
    if ( bytes > SIZE_MAX / 2 )
    {
        return joMemory_FailResult( arena->memory );
    }
    uint64_t needed = roundUp( bytes );
    if ( needed == 0 || ( arena->newest != NULL && arena->newest->capacity >= needed ) )
    {
        return jo_success;
    }
    // All in one chunk: blocks may not straddle two.
    joArenaChunk* replaced = arena->newest;
    joResult result = addChunk( arena, needed );
    if ( result == jo_success && replaced != NULL && replaced->used == 0 && replaced->older == NULL )
    {
        arena->newest->older = NULL;
        arena->capacity -= replaced->capacity;
        joMemory_Free( arena->memory, replaced, JO_ALIGNMENT + replaced->capacity );
    }
    return result;
}

void* joArena_Allocate( joArena* arena, size_t size )
{
    if ( size == 0 || size > SIZE_MAX / 2 )
    {
        return NULL;
    }
    uint64_t needed = roundUp( size );
    // The newest has room but in the frame that sets a new mark; each is at least as large as all before it
    // together, so there are few.
    joArenaChunk* chunk = arena->newest;
    while ( chunk != NULL && chunk->capacity - chunk->used < needed )
    {
        chunk = chunk->older;
    }
    if ( chunk == NULL )
    {
        uint64_t capacity = arena->capacity > MIN_CHUNK_BYTES ? arena->capacity : MIN_CHUNK_BYTES;
        if ( addChunk( arena, needed > capacity ? needed : capacity ) != jo_success )
        {
            return NULL;
        }
        chunk = arena->newest;
    }
    void* block = (char*)chunk + JO_ALIGNMENT + chunk->used;
    chunk->used += (size_t)needed;
    return block;
}

void joArena_Reset( joArena* arena )
{
    if ( arena->newest != NULL && arena->newest->older != NULL )
    {
        // If there is no memory for one chunk, the several go on.
        uint64_t capacity = arena->capacity;
        joArenaChunk* merged = allocateChunk( arena->memory, capacity );
        if ( merged != NULL )
        {
            joArena_Free( arena );
            arena->newest = merged;
            arena->capacity = capacity;
        }
    }
    for ( joArenaChunk* chunk = arena->newest; chunk != NULL; chunk = chunk->older )
    {
        chunk->used = 0;
    }
}
