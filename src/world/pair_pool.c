// SPDX-License-Identifier: MIT
// Slots for things between two bodies.
#include "world/pair_pool.h"

#include "base/assert.h"

#include <string.h>

joPairPool joMakePairPool( void )
{
    return ( joPairPool ){ .firstFree = JO_NULL_INDEX };
}

joResult joPairPool_Reserve( joPairPool* pool, joMemory* memory, uint64_t count )
{
    const uint64_t needed = pool->takenCount + count;
    // An edge has 32 bits, of which one says the side, and one value is none.
    if ( needed > JO_NULL_INDEX / 2 )
    {
        return jo_errorCapacity;
    }
    return joArray_ReserveSlack( &pool->slots, memory, needed, sizeof( joPairSlot ), pool->slotCount );
}

void joPairPool_Free( joPairPool* pool, joMemory* memory )
{
    joArray_Free( &pool->slots, memory, sizeof( joPairSlot ) );
}

static void attach( joPairPool* pool, uint32_t* heads, uint32_t edge, uint32_t owner )
{
    joPairSlot* slot = joPairPool_At( pool, edge / 2 );
    const uint32_t side = edge & 1, first = heads[owner];
    slot->owners[side] = owner;
    slot->prev[side] = JO_NULL_INDEX;
    slot->next[side] = first;
    if ( first != JO_NULL_INDEX )
    {
        joPairPool_At( pool, first / 2 )->prev[first & 1] = edge;
    }
    heads[owner] = edge;
}

uint32_t joPairPool_Take( joPairPool* pool, uint32_t* heads, uint32_t a, uint32_t b )
{
    uint32_t slot = pool->firstFree;
    if ( slot == JO_NULL_INDEX )
    {
        JO_ASSERT( pool->slotCount < pool->slots.capacity );
        slot = pool->slotCount++;
    }
    else
    {
        pool->firstFree = joPairPool_At( pool, slot )->next[0];
    }
    pool->takenCount += 1;
    joPairPool_At( pool, slot )->isTaken = 1;
    attach( pool, heads, 2 * slot, a );
    attach( pool, heads, 2 * slot + 1, b );
    return slot;
}

void joPairPool_Detach( joPairPool* pool, uint32_t* heads, uint32_t edge )
{
    joPairSlot* slot = joPairPool_At( pool, edge / 2 );
    const uint32_t side = edge & 1, owner = slot->owners[side];
    if ( owner == JO_NULL_INDEX )
    {
        return;
    }
    const uint32_t prev = slot->prev[side], next = slot->next[side];
    if ( prev != JO_NULL_INDEX )
    {
        joPairPool_At( pool, prev / 2 )->next[prev & 1] = next;
    }
    else
    {
        heads[owner] = next;
    }
    if ( next != JO_NULL_INDEX )
    {
        joPairPool_At( pool, next / 2 )->prev[next & 1] = prev;
    }
    slot->owners[side] = JO_NULL_INDEX;
}

void joPairPool_Release( joPairPool* pool, uint32_t* heads, uint32_t slot )
{
    joPairPool_Detach( pool, heads, 2 * slot );
    joPairPool_Detach( pool, heads, 2 * slot + 1 );
    joPairSlot* freed = joPairPool_At( pool, slot );
    freed->isTaken = 0;
    freed->next[0] = pool->firstFree;
    pool->firstFree = slot;
    pool->takenCount -= 1;
}

static joPairSlot readSlot( const void* slots, uint32_t slot )
{
    joPairSlot read;
    memcpy( &read, (const char*)slots + (size_t)slot * sizeof( joPairSlot ), sizeof( read ) );
    return read;
}

static uint32_t readHead( const void* heads, uint32_t body )
{
    uint32_t head;
    memcpy( &head, (const char*)heads + (size_t)body * sizeof( uint32_t ), sizeof( head ) );
    return head;
}

// Whether every slot is taken, or in the list of free ones. *attached gets how many sides stand in a list.
static bool areSlotsGood( const void* slots, const joPairPool* counts, uint64_t* attached )
{
    uint32_t taken = 0, free = 0;
    for ( uint32_t i = 0; i < counts->slotCount; ++i )
    {
        const joPairSlot slot = readSlot( slots, i );
        if ( slot.isTaken > 1 )
        {
            return false;
        }
        taken += slot.isTaken;
        for ( uint32_t side = 0; side < 2 && slot.isTaken; ++side )
        {
            *attached += slot.owners[side] != JO_NULL_INDEX ? 1 : 0;
        }
    }
    for ( uint32_t i = counts->firstFree; i != JO_NULL_INDEX; ++free )
    {
        if ( i >= counts->slotCount || readSlot( slots, i ).isTaken || free == counts->slotCount )
        {
            return false;
        }
        i = readSlot( slots, i ).next[0];
    }
    return taken == counts->takenCount && (uint64_t)taken + free == counts->slotCount;
}

bool joPairPool_Check( const void* slots, const joPairPool* counts, const void* heads, uint32_t bodyCount )
{
    uint64_t attached = 0, reached = 0;
    if ( !areSlotsGood( slots, counts, &attached ) )
    {
        return false;
    }
    for ( uint32_t body = 0; body < bodyCount; ++body )
    {
        uint32_t last = JO_NULL_INDEX;
        for ( uint32_t edge = readHead( heads, body ); edge != JO_NULL_INDEX; ++reached )
        {
            if ( edge / 2 >= counts->slotCount || reached == attached )
            {
                return false;
            }
            const joPairSlot slot = readSlot( slots, edge / 2 );
            if ( !slot.isTaken || slot.owners[edge & 1] != body || slot.prev[edge & 1] != last )
            {
                return false;
            }
            last = edge;
            edge = slot.next[edge & 1];
        }
    }
    return reached == attached;
}

bool joPairPool_Validate( const joPairPool* pool, const uint32_t* heads, uint32_t bodyCount )
{
    return joPairPool_Check( pool->slots.data, pool, heads, bodyCount );
}
