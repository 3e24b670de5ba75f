// SPDX-License-Identifier: MIT
// What a query has found so far: the first ones in order, in the caller's buffer, and the count of all. Once
// the buffer is full it is a heap with the last one in order on top (Williams, "Algorithm 232: Heapsort",
// 1964), so that neither memory nor the order in which objects are found matters.
#include "base/float_env.h"
#include "query.h"

#include <math.h>
#include <string.h>

// Lists of up to so many are sorted by insertion.
#define INSERTION_LIMIT 16u

// Distances are not negative, so their bits are in their order.
static inline uint64_t orderOf( float distance, uint32_t key )
{
    uint32_t bits;
    memcpy( &bits, &distance, sizeof( bits ) );
    return (uint64_t)bits << 32 | key;
}

static inline uint64_t readOrder( const joResultList* list, uint64_t i )
{
    return list->mode == jo_keepKeys ? list->keys[i] : orderOf( list->hits[i].distance, list->hits[i].key );
}

static inline void writeOrder( const joResultList* list, uint64_t i, uint64_t order )
{
    if ( list->mode == jo_keepKeys )
    {
        list->keys[i] = (uint32_t)order;
        return;
    }
    const uint32_t bits = (uint32_t)( order >> 32 );
    list->hits[i].key = (uint32_t)order;
    memcpy( &list->hits[i].distance, &bits, sizeof( bits ) );
}

// Puts `order` into the hole at `i` of a heap of `count`, which sinks to where it belongs.
static void sink( const joResultList* list, uint64_t i, uint64_t count, uint64_t order )
{
    for ( ;; )
    {
        uint64_t child = 2 * i + 1;
        if ( child >= count )
        {
            break;
        }
        uint64_t childOrder = readOrder( list, child );
        if ( child + 1 < count )
        {
            const uint64_t other = readOrder( list, child + 1 );
            child += other > childOrder ? 1 : 0;
            childOrder = other > childOrder ? other : childOrder;
        }
        if ( childOrder <= order )
        {
            break;
        }
        writeOrder( list, i, childOrder );
        i = child;
    }
    writeOrder( list, i, order );
}

static void makeHeap( joResultList* list, uint64_t count )
{
    for ( uint64_t i = count / 2; i-- > 0; )
    {
        sink( list, i, count, readOrder( list, i ) );
    }
    list->isHeap = true;
}

static void addToList( joResultList* list, float distance, uint32_t key, float* limit )
{
    const uint64_t room = list->capacity < list->wanted ? list->capacity : list->wanted;
    const uint64_t order = orderOf( distance, key );
    list->count += 1;
    if ( list->count <= room )
    {
        writeOrder( list, list->count - 1, order );
    }
    else if ( room > 0 )
    {
        if ( !list->isHeap )
        {
            makeHeap( list, room );
        }
        if ( order < readOrder( list, 0 ) )
        {
            sink( list, 0, room, order );
        }
    }
    // Farther ones need not even be counted once all that are wanted are there.
    if ( room == list->wanted && list->count >= room && room > 0 )
    {
        if ( !list->isHeap )
        {
            makeHeap( list, room );
        }
        *limit = list->hits[0].distance;
    }
}

void joResultList_Add( joResultList* list, float distance, uint32_t key, float* limit )
{
    switch ( list->mode )
    {
        case jo_keepNone:
            list->count = 1;
            break;
        case jo_keepClosest:
            if ( orderOf( distance, key ) < orderOf( list->hits[0].distance, list->hits[0].key ) )
            {
                list->hits[0] = ( joHit ){ key, distance };
                list->count = 1;
                *limit = distance;
            }
            break;
        case jo_keepKeys:
        case jo_keepHits:
            addToList( list, distance, key, limit );
            break;
    }
}

void joResultList_Finish( joResultList* list )
{
    list->count = list->count < list->wanted ? list->count : list->wanted;
    if ( list->mode != jo_keepKeys && list->mode != jo_keepHits )
    {
        return;
    }
    const uint64_t kept = list->count < list->capacity ? list->count : list->capacity;
    if ( kept <= INSERTION_LIMIT )
    {
        for ( uint64_t i = 1; i < kept; ++i )
        {
            const uint64_t order = readOrder( list, i );
            uint64_t k = i;
            for ( ; k > 0 && readOrder( list, k - 1 ) > order; --k )
            {
                writeOrder( list, k, readOrder( list, k - 1 ) );
            }
            writeOrder( list, k, order );
        }
        return;
    }
    if ( !list->isHeap )
    {
        makeHeap( list, kept );
    }
    for ( uint64_t last = kept - 1; last > 0; --last )
    {
        const uint64_t order = readOrder( list, last );
        writeOrder( list, last, readOrder( list, 0 ) );
        sink( list, 0, last, order );
    }
}
