// SPDX-License-Identifier: MIT
// Memory of one object: the caller's allocator, counted, safe to use from workers.
#if defined( __linux__ ) && !defined( _DEFAULT_SOURCE )
#define _DEFAULT_SOURCE // for madvise
#endif
#include "base/memory.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

// Structures of very many objects are visited in no order of memory. In pages of the usual size nearly every
// visit then waits for the address, too; so of large blocks the whole large pages are asked for as such.
// Where the system has none that does nothing.
static void askForLargePages( void* block, size_t size )
{
#if defined( __linux__ ) && defined( MADV_HUGEPAGE )
    const uintptr_t page = (uintptr_t)2
                           << 20; // smaller than this nothing is asked for; its size need not be right
    const uintptr_t first = ( (uintptr_t)block + page - 1 ) & ~( page - 1 );
    const uintptr_t end = ( (uintptr_t)block + size ) & ~( page - 1 );
    if ( block != NULL && size >= 2 * page && first < end )
    {
        (void)madvise( (void*)first, end - first, MADV_HUGEPAGE );
    }
#else
    (void)block;
    (void)size;
#endif
}

static void* allocateFrom( const joAllocator* allocator, size_t size )
{
    if ( allocator != NULL && allocator->allocate != NULL )
    {
        return allocator->allocate( size, JO_ALIGNMENT, allocator->context );
    }
    // No object is larger; and aligned_alloc wants a multiple of the alignment, which must not wrap round.
    if ( size > SIZE_MAX / 2 )
    {
        return NULL;
    }
    size_t rounded = ( size + JO_ALIGNMENT - 1 ) & ~(size_t)( JO_ALIGNMENT - 1 );
    void* block = aligned_alloc( JO_ALIGNMENT, rounded );
    askForLargePages( block, rounded );
    return block;
}

static void freeTo( const joAllocator* allocator, void* block, size_t size )
{
    if ( allocator != NULL && allocator->deallocate != NULL )
    {
        allocator->deallocate( block, size, JO_ALIGNMENT, allocator->context );
        return;
    }
    free( block );
}

bool joAllocator_IsValid( const joAllocator* allocator )
{
    return allocator == NULL || ( allocator->allocate == NULL ) == ( allocator->deallocate == NULL );
}

joResult joMemory_Init( joMemory* memory, const joAllocator* allocator )
{
    if ( joAllocator_IsValid( allocator ) == false )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    memset( memory, 0, sizeof( *memory ) );
    if ( allocator != NULL )
    {
        memory->allocator = *allocator;
    }
    return pthread_mutex_init( &memory->mutex, NULL ) == 0 ? jo_success : jo_errorOutOfMemory;
}

void joMemory_Destroy( joMemory* memory )
{
    JO_ASSERT( memory->bytes == 0 );
    pthread_mutex_destroy( &memory->mutex );
}

void* joMemory_Allocate( joMemory* memory, size_t size )
{
    if ( size == 0 || memory->fixed )
    {
        return NULL;
    }
    // The lock is held over the caller's allocator, which so need not be safe for threads.
    pthread_mutex_lock( &memory->mutex );
    void* block = allocateFrom( &memory->allocator, size );
    memory->allocationCount += 1;
    if ( block != NULL )
    {
        memory->bytes += size;
    }
    pthread_mutex_unlock( &memory->mutex );
    return block;
}

void joMemory_Free( joMemory* memory, void* block, size_t size )
{
    if ( block == NULL )
    {
        return;
    }
    pthread_mutex_lock( &memory->mutex );
    JO_ASSERT( memory->bytes >= size );
    memory->bytes -= size;
    freeTo( &memory->allocator, block, size );
    pthread_mutex_unlock( &memory->mutex );
}

joResult joMemory_FailResult( const joMemory* memory )
{
    return memory->fixed ? jo_errorCapacity : jo_errorOutOfMemory;
}

void* joAllocateObject( const joAllocator* allocator, size_t size )
{
    void* object = allocateFrom( allocator, size );
    if ( object != NULL )
    {
        memset( object, 0, size );
    }
    return object;
}

void joFreeObject( const joAllocator* allocator, void* object, size_t size )
{
    if ( object != NULL )
    {
        freeTo( allocator, object, size );
    }
}
