// SPDX-License-Identifier: MIT
// Boxes that move in the order of their slots. See move_in_place.h.
#include "move_in_place.h"

#include "base/float_env.h"

#include <stdatomic.h>

// Small enough to stay in the first-level cache from one look to the next.
#define MOVE_BLOCK 512u

typedef struct Move
{
    joBroadPhase* front;
    const joInput* input;
    atomic_bool differs;
} Move;

static inline float readFloat( joColumn column, uint32_t i )
{
    return *(const float*)(const void*)( (const char*)column.data + (size_t)i * column.stride );
}

static inline uint32_t keyAt( const joInput* input, uint32_t i )
{
    return input->key.data != NULL ? *(const uint32_t*)(const void*)( (const char*)input->key.data +
                                                                      (size_t)i * input->key.stride )
                                   : i;
}

// The slot of element i; most often the one after that of element i - 1, so that is looked at first.
static inline uint32_t slotOf( const Move* move, uint32_t i, uint32_t guess )
{
    const joObjectSet* moving = &move->front->sets[JO_SET_MOVING];
    const joBoxRecord* records = joObjectSet_Records( moving );
    const uint32_t key = keyAt( move->input, i );
    if ( guess < moving->count && records[guess].key == key && ( records[guess].flags & JO_FLAG_FREE ) == 0 )
    {
        return guess;
    }
    const uint32_t place = joFront_Find( move->front, key );
    return place != JO_KEY_MAP_NONE && JO_PLACE_SET( place ) == JO_SET_MOVING ? JO_PLACE_SLOT( place )
                                                                              : JO_NULL_INDEX;
}

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Move* move = context;
    const joBoxRecord* records = joObjectSet_Records( &move->front->sets[JO_SET_MOVING] );
    (void)worker;
    // A slot that is none is the largest number there is, and whatever comes after it is not above it.
    uint32_t last = begin > 0 ? slotOf( move, begin - 1, JO_NULL_INDEX ) : JO_NULL_INDEX;
    bool differs = !joInput_AreGood( move->input, begin, end );
    for ( uint32_t i = begin; i < end && !differs; ++i )
    {
        const uint32_t slot = slotOf( move, i, last + 1 );
        differs = slot == JO_NULL_INDEX || ( i > 0 && slot <= last ) ||
                  ( records[slot].flags & JO_MOTION_MASK ) != jo_moving;
        last = slot;
    }
    if ( differs )
    {
        atomic_store_explicit( &move->differs, true, memory_order_relaxed );
    }
}

static void moveBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Move* move = context;
    joBoxRecord* records = joObjectSet_Records( &move->front->sets[JO_SET_MOVING] );
    (void)worker;
    const joBoxes boxes = *move->input->boxes;
    const bool isFlat = move->input->axisCount == 2;
    uint32_t slot = JO_NULL_INDEX;
    for ( uint32_t i = begin; i < end; ++i )
    {
        slot = slotOf( move, i, slot + 1 );
        joBoxRecord* record = records + slot;
        record->lower[0] = readFloat( boxes.lowerX, i );
        record->lower[1] = readFloat( boxes.lowerY, i );
        record->lower[2] = isFlat ? 0.0f : readFloat( boxes.lowerZ, i );
        record->upper[0] = readFloat( boxes.upperX, i );
        record->upper[1] = readFloat( boxes.upperY, i );
        record->upper[2] = isFlat ? 0.0f : readFloat( boxes.upperZ, i );
    }
}

bool joFront_MoveInPlace( joBroadPhase* front, const joInput* input )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( input->boxes == NULL || input->hasFilters || moving->hasRounds ||
         !joObjectSet_IsMostOf( moving, input->count ) )
    {
        return false;
    }
    Move move = { front, input, false };
    joParallelFor( front->def.jobs, input->count, MOVE_BLOCK, checkBlock, &move );
    if ( atomic_load_explicit( &move.differs, memory_order_relaxed ) )
    {
        return false;
    }
    joParallelFor( front->def.jobs, input->count, MOVE_BLOCK, moveBlock, &move );
    joObjectSet_ForgetChanges( moving );
    moving->allChanged = true;
    return true;
}
