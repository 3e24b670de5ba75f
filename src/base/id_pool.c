// SPDX-License-Identifier: MIT
// Ids with generations.
#include "base/id_pool.h"

#include "base/assert.h"

#include <string.h>

// In `next`: the slot's id is alive, or the slot is retired. Any other value: 1 + the next free index, or 0.
#define SLOT_ALIVE UINT32_MAX
#define SLOT_RETIRED ( UINT32_MAX - 1 )
// Indices stay below the marks, with one to spare for "1 +".
#define MAX_SLOTS ( UINT32_MAX - 2 )

typedef struct Slot
{
    uint32_t generation; // of the living id, or of the next one. Never 0, so that no id is null.
    uint32_t next;
} Slot;

_Static_assert( sizeof( Slot ) == JO_ID_SLOT_SIZE, "slots have no padding" );

static uint64_t makeId( uint32_t index, uint32_t generation )
{
    return (uint64_t)generation << 32 | index;
}

joResult joIdPool_Reserve( joIdPool* pool, joMemory* memory, uint32_t count )
{
    // Retired slots hold no ids any more, but stand in the way.
    uint64_t needed = (uint64_t)count + pool->retiredCount;
    if ( needed > MAX_SLOTS )
    {
        return jo_errorCapacity;
    }
    return joArray_Reserve( &pool->slots, memory, needed, sizeof( Slot ), pool->slotCount );
}

void joIdPool_Free( joIdPool* pool, joMemory* memory )
{
    joArray_Free( &pool->slots, memory, sizeof( Slot ) );
    *pool = ( joIdPool ){ 0 };
}

joResult joIdPool_Create( joIdPool* pool, joMemory* memory, uint64_t* id )
{
    *id = 0;
    if ( pool->firstFree == 0 )
    {
        if ( pool->slotCount == MAX_SLOTS )
        {
            return jo_errorCapacity;
        }
        joResult result = joArray_Reserve(
            &pool->slots, memory, (uint64_t)pool->slotCount + 1, sizeof( Slot ), pool->slotCount );
        if ( result != jo_success )
        {
            return result;
        }
        ( (Slot*)pool->slots.data )[pool->slotCount] = ( Slot ){ 1, 0 };
        pool->slotCount += 1;
        pool->firstFree = pool->slotCount;
    }
    uint32_t index = pool->firstFree - 1;
    Slot* slot = (Slot*)pool->slots.data + index;
    pool->firstFree = slot->next;
    slot->next = SLOT_ALIVE;
    pool->aliveCount += 1;
    *id = makeId( index, slot->generation );
    return jo_success;
}

void joIdPool_Peek( const joIdPool* pool, uint32_t count, uint32_t* indices )
{
    uint32_t free = pool->firstFree;
    uint32_t fresh = pool->slotCount;
    for ( uint32_t i = 0; i < count; ++i )
    {
        indices[i] = free != 0 ? free - 1 : fresh++;
        free = free != 0 ? ( (const Slot*)pool->slots.data )[free - 1].next : 0;
    }
}

joResult joIdPool_Destroy( joIdPool* pool, uint64_t id )
{
    uint32_t index = joIdPool_IndexOf( pool, id );
    if ( index == JO_NULL_INDEX )
    {
        return jo_errorStaleId;
    }
    Slot* slot = (Slot*)pool->slots.data + index;
    pool->aliveCount -= 1;
    if ( slot->generation == UINT32_MAX )
    {
        slot->next = SLOT_RETIRED;
        pool->retiredCount += 1;
        return jo_success;
    }
    slot->generation += 1;
    slot->next = pool->firstFree;
    pool->firstFree = index + 1;
    return jo_success;
}

bool joIdPool_IsAlive( const joIdPool* pool, uint64_t id )
{
    return joIdPool_IndexOf( pool, id ) != JO_NULL_INDEX;
}

uint32_t joIdPool_IndexOf( const joIdPool* pool, uint64_t id )
{
    uint32_t index = (uint32_t)id;
    if ( index >= pool->slotCount )
    {
        return JO_NULL_INDEX;
    }
    const Slot* slot = (const Slot*)pool->slots.data + index;
    return slot->next == SLOT_ALIVE && slot->generation == (uint32_t)( id >> 32 ) ? index : JO_NULL_INDEX;
}

static uint64_t livingId( Slot slot, uint32_t index )
{
    return slot.next == SLOT_ALIVE ? makeId( index, slot.generation ) : 0;
}

uint64_t joIdPool_IdAt( const joIdPool* pool, uint32_t index )
{
    return index < pool->slotCount ? livingId( ( (const Slot*)pool->slots.data )[index], index ) : 0;
}

static Slot readSlot( const void* slots, uint32_t index )
{
    Slot slot;
    memcpy( &slot, (const char*)slots + (size_t)index * sizeof( Slot ), sizeof( Slot ) );
    return slot;
}

uint64_t joIdPool_ReadId( const void* slots, uint32_t slotCount, uint32_t index )
{
    return index < slotCount ? livingId( readSlot( slots, index ), index ) : 0;
}

bool joIdPool_CheckSlots( const void* slots, const joIdPool* counts )
{
    uint32_t alive = 0, retired = 0, free = 0;
    for ( uint32_t i = 0; i < counts->slotCount; ++i )
    {
        const Slot slot = readSlot( slots, i );
        if ( slot.generation == 0 )
        {
            return false;
        }
        alive += slot.next == SLOT_ALIVE ? 1 : 0;
        retired += slot.next == SLOT_RETIRED ? 1 : 0;
    }
    for ( uint32_t next = counts->firstFree; next != 0; ++free )
    {
        // A list that goes round is longer than there are slots.
        if ( next > counts->slotCount || free == counts->slotCount )
        {
            return false;
        }
        next = readSlot( slots, next - 1 ).next;
    }
    return alive == counts->aliveCount && retired == counts->retiredCount &&
           (uint64_t)alive + retired + free == counts->slotCount;
}
