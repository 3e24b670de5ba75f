// SPDX-License-Identifier: MIT
// Slots for things between two bodies (contacts, ignored pairs), each in the lists of both: doubly linked, so
// that it leaves both at once, wherever it stands. A slot keeps its number as long as it is taken.
//
// A body's list starts in a column of the caller's, `heads`, by body index: an edge, or JO_NULL_INDEX. An
// edge is 2 * slot + side.
#pragma once

#include "base/array.h"

typedef struct joPairSlot
{
    uint32_t owners[2]; // body indices; JO_NULL_INDEX: that side stands in no list
    uint32_t
        next[2]; // edges of the same owner; JO_NULL_INDEX at the ends. Free: next[0] is the next free slot
    uint32_t prev[2];
    uint32_t isTaken; // 0 or 1; of this size, so that there is no padding
} joPairSlot;

typedef struct joPairPool
{
    joArray slots; // joPairSlot
    uint32_t slotCount, takenCount;
    uint32_t firstFree; // slot, or JO_NULL_INDEX
} joPairPool;

joPairPool joMakePairPool( void );
// Room for `count` more slots. On failure (jo_errorOutOfMemory, jo_errorCapacity) nothing has changed.
joResult joPairPool_Reserve( joPairPool* pool, joMemory* memory, uint64_t count );
void joPairPool_Free( joPairPool* pool, joMemory* memory );

// Puts a slot into the lists of both. Room must be there.
uint32_t joPairPool_Take( joPairPool* pool, uint32_t* heads, uint32_t a, uint32_t b );
// Takes an edge out of its owner's list; one that is in none is left alone.
void joPairPool_Detach( joPairPool* pool, uint32_t* heads, uint32_t edge );
// Detaches both sides and frees the slot.
void joPairPool_Release( joPairPool* pool, uint32_t* heads, uint32_t slot );

static inline joPairSlot* joPairPool_At( const joPairPool* pool, uint32_t slot )
{
    return (joPairSlot*)pool->slots.data + slot;
}

static inline uint32_t joPairPool_Next( const joPairPool* pool, uint32_t edge )
{
    return joPairPool_At( pool, edge / 2 )->next[edge & 1];
}

// The body at the other end; JO_NULL_INDEX if that side is in no list.
static inline uint32_t joPairPool_Other( const joPairPool* pool, uint32_t edge )
{
    return joPairPool_At( pool, edge / 2 )->owners[~edge & 1];
}

// Whether lists and slots agree; the owners' indices are below `bodyCount`.
bool joPairPool_Validate( const joPairPool* pool, const uint32_t* heads, uint32_t bodyCount );
// The same of bytes that are to become a pool with these counts (`counts->slots` is not looked at) and heads,
// at any alignment and with anything in them.
bool joPairPool_Check( const void* slots, const joPairPool* counts, const void* heads, uint32_t bodyCount );
