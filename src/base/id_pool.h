// SPDX-License-Identifier: MIT
// Ids of 64 bits: an index in the low 32, a generation in the high 32. Zero is null. A stale id is refused,
// for ever: a slot whose generations are used up is retired, so that no id is ever given out twice.
#pragma once

#include "array.h"

typedef struct joIdPool
{
    joArray slots;      // of { uint32_t generation, next; }, JO_ID_SLOT_SIZE bytes, see id_pool.c
    uint32_t slotCount; // slots in use so far: indices of living ids are below
    uint32_t aliveCount;
    uint32_t retiredCount;
    uint32_t firstFree; // 1 + index of the slot to reuse first; 0: none
} joIdPool;

// Room for `count` living ids at once. On failure (jo_errorOutOfMemory, jo_errorCapacity) nothing has
// changed.
joResult joIdPool_Reserve( joIdPool* pool, joMemory* memory, uint32_t count );
void joIdPool_Free( joIdPool* pool, joMemory* memory );

// Indices are reused, the last freed first; new ones count up. Fails, with nothing changed and *id 0, with
// jo_errorOutOfMemory or jo_errorCapacity; the latter also when 32 bits of index are used up.
joResult joIdPool_Create( joIdPool* pool, joMemory* memory, uint64_t* id );

// The indices that the next `count` calls of joIdPool_Create will give, as long as nothing else is called.
// Nothing changes, so that a bulk call can fail late without a trace in later ids.
void joIdPool_Peek( const joIdPool* pool, uint32_t count, uint32_t* indices );

// jo_errorStaleId: destroyed before, or never given out.
joResult joIdPool_Destroy( joIdPool* pool, uint64_t id );

bool joIdPool_IsAlive( const joIdPool* pool, uint64_t id );
// The index of a living id; JO_NULL_INDEX of any other.
uint32_t joIdPool_IndexOf( const joIdPool* pool, uint64_t id );
// The living id with this index; 0 if there is none.
uint64_t joIdPool_IdAt( const joIdPool* pool, uint32_t index );

// The bytes of a slot, for copies of whole pools: those of slots.data up to slotCount.
#define JO_ID_SLOT_SIZE 8
// The same as joIdPool_IdAt of such bytes, at any alignment.
uint64_t joIdPool_ReadId( const void* slots, uint32_t slotCount, uint32_t index );
// Whether such bytes are slots of a pool with these counts (`counts->slots` is not looked at). O(slots).
bool joIdPool_CheckSlots( const void* slots, const joIdPool* counts );
