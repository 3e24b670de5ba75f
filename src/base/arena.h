// SPDX-License-Identifier: MIT
// Linear arena: memory for one frame, given out by moving a mark, taken back all at once.
#pragma once

#include "memory.h"

typedef struct joArenaChunk joArenaChunk;

typedef struct joArena
{
    joMemory* memory;
    joArenaChunk* newest; // the largest; older ones hang behind it
    uint64_t capacity;    // bytes that can be given out, over all chunks
} joArena;

// Allocates nothing yet.
void joArena_Init( joArena* arena, joMemory* memory );
void joArena_Free( joArena* arena );

// Makes room so that `bytes` can be given out between two resets without allocating, each block rounded up to
// JO_ALIGNMENT. On failure (jo_errorOutOfMemory, jo_errorCapacity) the arena is as before.
joResult joArena_Reserve( joArena* arena, uint64_t bytes );

// `size` bytes aligned to JO_ALIGNMENT, uninitialised, valid until the next reset. Null if size is 0 or there
// is no memory; joMemory_FailResult says why. What was given out before stays valid either way.
void* joArena_Allocate( joArena* arena, size_t size );

// Takes everything back; keeps the memory. If the frame needed several chunks, they become one that holds
// them all, so that any frame that needs no more than the largest before it allocates nothing, in whatever
// order it asks.
void joArena_Reset( joArena* arena );
