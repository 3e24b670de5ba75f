// SPDX-License-Identifier: MIT
#include "allocations.h"

#include <stdatomic.h>
#include <stdlib.h>

// Off but for jostle's timed part, so that peers that allocate much pay one predicted branch a call and no
// more.
static atomic_bool counting;
static atomic_uint_fast64_t callCount;

void benchStartCounting( void )
{
    atomic_store( &callCount, 0 );
    atomic_store( &counting, true );
}

uint64_t benchStopCounting( void )
{
    atomic_store( &counting, false );
    return atomic_load( &callCount );
}

#if defined( __GLIBC__ ) && !defined( BENCH_SANITIZED )

#include <errno.h>
#include <malloc.h>

// glibc's own allocator under the names that a program may not replace.
void* __libc_malloc( size_t size );
void* __libc_calloc( size_t count, size_t size );
void* __libc_realloc( void* memory, size_t size );
void* __libc_memalign( size_t alignment, size_t size );
void __libc_free( void* memory );

static inline void Count( void )
{
    if ( atomic_load_explicit( &counting, memory_order_relaxed ) )
    {
        atomic_fetch_add_explicit( &callCount, 1, memory_order_relaxed );
    }
}

bool benchCountsAllocations( void )
{
    return true;
}

void* malloc( size_t size )
{
    Count();
    return __libc_malloc( size );
}

void* calloc( size_t count, size_t size )
{
    Count();
    return __libc_calloc( count, size );
}

void* realloc( void* memory, size_t size )
{
    Count();
    return __libc_realloc( memory, size );
}

void* memalign( size_t alignment, size_t size )
{
    Count();
    return __libc_memalign( alignment, size );
}

void* aligned_alloc( size_t alignment, size_t size )
{
    Count();
    return __libc_memalign( alignment, size );
}

int posix_memalign( void** memory, size_t alignment, size_t size )
{
    Count();
    if ( alignment % sizeof( void* ) != 0 || alignment == 0 || ( alignment & ( alignment - 1 ) ) != 0 )
    {
        return EINVAL;
    }
    void* allocated = __libc_memalign( alignment, size );
    if ( allocated == NULL )
    {
        return ENOMEM;
    }
    *memory = allocated;
    return 0;
}

// A call of free is counted too: in a steady state there is neither.
void free( void* memory )
{
    if ( memory != NULL )
    {
        Count();
    }
    __libc_free( memory );
}

#else

bool benchCountsAllocations( void )
{
    return false;
}

#endif
