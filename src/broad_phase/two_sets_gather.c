// SPDX-License-Identifier: MIT
// Gathers objects from the sets of a broad phase, in blocks over threads: first each block picks its slots,
// then, when it is known where its objects go, copies them. So the order is that of the slots, whoever did
// what. A large set is gone through in pieces, so that what has been picked stays in the cache until it is
// copied.
#include "base/float_env.h"
#include "two_sets.h"

#define GATHER_BLOCK 4096u
// Places more than a quarter more than needed, so that a few objects that come near soon find room, too.
#define GATHER_SLACK 64u
// What a block has picked: a kernel writes some more.
#define PICKED_STRIDE ( GATHER_BLOCK + JO_LANE_PADDING )
// Blocks of a piece, for each worker.
#define PIECE_BLOCKS 16u

typedef struct GatherContext
{
    const joCellFilter* filter;
    const joObjectSet* set;
    const uint32_t* given; // slots to pick from; null: all
    uint32_t first;        // of the piece
    uint32_t count;
    uint32_t* slots;
    uint32_t* counts;
    joObjectSet* gathered;
} GatherContext;

joResult joTwoSets_ReserveGather( joTwoSets* twoSets )
{
    const uint64_t blocks = (uint64_t)PIECE_BLOCKS * twoSets->context.workerCount;
    joMemory* memory = &twoSets->memory;
    joResult result =
        joArray_Reserve( &twoSets->slots, memory, blocks * PICKED_STRIDE, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &twoSets->counts, memory, blocks + 1, sizeof( uint32_t ), 0 );
    }
    return result;
}

uint32_t joTwoSets_RoomFor( const joTwoSets* twoSets, uint32_t count, uint64_t capacity )
{
    const bool grows = count > capacity && !twoSets->memory.fixed && count < JO_INDEX_MASK / 2;
    return grows ? count + count / 4 + GATHER_SLACK : count;
}

static void pickBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const GatherContext* gather = userContext;
    (void)worker;
    for ( uint32_t block = begin; block < end; ++block )
    {
        const uint32_t first = block * GATHER_BLOCK;
        const uint32_t count = gather->count - first < GATHER_BLOCK ? gather->count - first : GATHER_BLOCK;
        gather->counts[block] = joCellFilter_Sift( gather->filter, gather->set, gather->given,
            gather->first + first, count, gather->slots + block * PICKED_STRIDE );
    }
}

static inline void copyObject(
    const joObjectSet* set, uint32_t slot, const joObjectSet* gathered, uint32_t i )
{
    joBoxRecord* record = joObjectSet_Records( gathered ) + i;
    *record = joObjectSet_Records( set )[slot];
    record->flags = jo_moving;
    if ( gathered->hasRounds )
    {
        joObjectSet_Rounds( gathered )[i] =
            set->hasRounds ? joObjectSet_Rounds( set )[slot] : ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
    }
    if ( gathered->hasFilters )
    {
        joObjectSet_Filters( gathered )[i] =
            set->hasFilters ? joObjectSet_Filters( set )[slot] : ( joFilter ){ UINT64_MAX, UINT64_MAX };
    }
}

static void copyBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const GatherContext* gather = userContext;
    (void)worker;
    for ( uint32_t block = begin; block < end; ++block )
    {
        const uint32_t* slots = gather->slots + block * PICKED_STRIDE;
        const uint32_t first = gather->counts[block];
        const uint32_t last = gather->counts[block + 1];
        for ( uint32_t i = first; i < last; ++i )
        {
            copyObject( gather->set, slots[i - first], gather->gathered, i );
        }
    }
}

static joResult gatherPiece( joTwoSets* twoSets, GatherContext* gather )
{
    joObjectSet* gathered = gather->gathered;
    const joObjectSet* set = gather->set;
    const uint32_t blockCount = ( gather->count - 1 ) / GATHER_BLOCK + 1;
    joParallelFor( twoSets->def.jobs, blockCount, 1, pickBlocks, gather );
    uint64_t total = gathered->count;
    for ( uint32_t block = 0; block < blockCount; ++block )
    {
        const uint32_t n = gather->counts[block];
        gather->counts[block] = (uint32_t)total;
        total += n;
    }
    gather->counts[blockCount] = (uint32_t)total;
    if ( total > JO_INDEX_MASK )
    {
        return jo_errorCapacity;
    }
    const joResult result = joObjectSet_Reserve( gathered,
        joTwoSets_RoomFor( twoSets, (uint32_t)total, gathered->records.capacity ), set->hasRounds,
        set->hasFilters );
    if ( result == jo_success )
    {
        joObjectSet_UseColumns( gathered, set->hasRounds, set->hasFilters );
        joParallelFor( twoSets->def.jobs, blockCount, 1, copyBlocks, gather );
        gathered->count = (uint32_t)total;
        gathered->liveCount = (uint32_t)total;
    }
    return result;
}

joResult joTwoSets_GatherNear(
    joTwoSets* twoSets, const joObjectSet* set, const uint32_t* slots, uint32_t count, joObjectSet* gathered )
{
    const uint32_t piece = PIECE_BLOCKS * GATHER_BLOCK * twoSets->context.workerCount;
    joResult result = jo_success;
    for ( uint32_t first = 0; first < count && result == jo_success; )
    {
        const uint32_t length = count - first < piece ? count - first : piece;
        GatherContext gather = { &twoSets->filter, set, slots, first, length, twoSets->slots.data,
            twoSets->counts.data, gathered };
        result = gatherPiece( twoSets, &gather );
        first += length;
    }
    return result;
}

joResult joTwoSets_GatherAll( joTwoSets* twoSets, const joBroadPhase* front, joObjectSet* gathered )
{
    joCellFilter_PassAll( &twoSets->filter );
    joObjectSet_Clear( gathered );
    joResult result = jo_success;
    for ( int i = 0; i < JO_SET_COUNT && result == jo_success; ++i )
    {
        const joObjectSet* set = &front->sets[i];
        if ( set->liveCount > 0 )
        {
            result = joTwoSets_GatherNear( twoSets, set, NULL, set->count, gathered );
        }
    }
    return result;
}
