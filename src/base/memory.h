// SPDX-License-Identifier: MIT
// Memory of one object: the caller's allocator, counted, safe to use from workers.
#pragma once

#include "jostle/base.h"

#include <pthread.h>

// Every block is aligned to this: a cache line, and the widest vector.
#define JO_ALIGNMENT 64

typedef struct joMemory
{
    joAllocator allocator;
    pthread_mutex_t mutex; // workers may grow their own buffers at the same time
    uint64_t bytes;        // held now
    uint64_t allocationCount;
    bool fixed; // growth is refused (fixedCapacity, after the reserves were made)
} joMemory;

// Whether both functions are set or neither is; null is valid. For the checks of a def, before the object
// exists.
bool joAllocator_IsValid( const joAllocator* allocator );

// allocator null or both its members null: the C library's. jo_errorBadDef if only one member is set.
joResult joMemory_Init( joMemory* memory, const joAllocator* allocator );
void joMemory_Destroy( joMemory* memory );

// null if there is no memory, if memory->fixed, or if size is 0. Uninitialised.
void* joMemory_Allocate( joMemory* memory, size_t size );
void joMemory_Free( joMemory* memory, void* block, size_t size );

// Why an allocation failed: jo_errorCapacity if growth is refused, else jo_errorOutOfMemory.
joResult joMemory_FailResult( const joMemory* memory );

// For opaque objects, which are allocated before they have a joMemory: zeroed, null if there is no memory.
void* joAllocateObject( const joAllocator* allocator, size_t size );
void joFreeObject( const joAllocator* allocator, void* object, size_t size );
