// SPDX-License-Identifier: MIT
#include "pair_answer.h"

#include <string.h>

#define COPY_BLOCK 16384u

typedef struct CopyContext
{
    const joPair* from;
    joPair* to;
    uint64_t count;
} CopyContext;

static void copyBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const CopyContext* copy = userContext;
    (void)worker;
    uint64_t first = (uint64_t)begin * COPY_BLOCK;
    uint64_t last = (uint64_t)end * COPY_BLOCK < copy->count ? (uint64_t)end * COPY_BLOCK : copy->count;
    memcpy( copy->to + first, copy->from + first, ( last - first ) * sizeof( joPair ) );
}

joResult joPairAnswer_Give( const joPairAnswer* answer, joJobs* jobs, joPair* pairs, uint64_t capacity )
{
    uint64_t copied = answer->keptCount < capacity ? answer->keptCount : capacity;
    CopyContext copy = { answer->pairs, pairs, copied };
    joParallelFor( jobs, (uint32_t)( ( copied + COPY_BLOCK - 1 ) / COPY_BLOCK ), 1, copyBlocks, &copy );
    // The buffer had room for pairs that were beyond the limit: say that they are missing.
    return copied < capacity && copied < answer->foundCount ? jo_errorCapacity : jo_success;
}

joResult joPairAnswer_Copy(
    const joPairAnswer* answer, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied )
{
    uint64_t wanted = first < answer->foundCount ? answer->foundCount - first : 0;
    wanted = wanted < capacity ? wanted : capacity;
    uint64_t kept = first < answer->keptCount ? answer->keptCount - first : 0;
    *copied = kept < wanted ? kept : wanted;
    if ( *copied > 0 )
    {
        memcpy( pairs, answer->pairs + first, *copied * sizeof( joPair ) );
    }
    return *copied < wanted ? jo_errorCapacity : jo_success;
}
