// SPDX-License-Identifier: MIT
// Hash map from 32-bit keys to 32-bit values: open addressing, linear probing, deletion by shifting back
// (Knuth, "The Art of Computer Programming", vol. 3, 6.4, algorithm R).
#include "base/key_map.h"

#include "base/assert.h"

typedef struct Entry
{
    uint32_t key;
    uint32_t value;
} Entry;

// Eight entries fill a cache line. Eight consecutive keys share one, since callers mostly count their keys
// up; the lines themselves are scattered by the top bits of a multiplicative hash, so that no stride of
// keys can pile up more than eight keys on each line in use.
#define KEYS_PER_LINE_BITS 3
#define KEYS_PER_LINE ( 1u << KEYS_PER_LINE_BITS )

static uint64_t homeOf( uint32_t key, uint64_t capacity )
{
    // 2^64 over the golden ratio. capacity >= 2 * KEYS_PER_LINE, so the shift is below 64.
    uint64_t scattered = (uint64_t)( key >> KEYS_PER_LINE_BITS ) * 0x9E3779B97F4A7C15u;
    uint32_t lineBits = (uint32_t)__builtin_ctzll( capacity ) - KEYS_PER_LINE_BITS;
    return ( scattered >> ( 64 - lineBits ) ) << KEYS_PER_LINE_BITS | ( key & ( KEYS_PER_LINE - 1 ) );
}

// Where the key stands, or the free place where it would.
static uint64_t placeOf( const Entry* entries, uint64_t capacity, uint32_t key )
{
    uint64_t mask = capacity - 1;
    uint64_t place = homeOf( key, capacity );
    while ( entries[place].value != JO_KEY_MAP_NONE && entries[place].key != key )
    {
        place = ( place + 1 ) & mask;
    }
    return place;
}

static void clearEntries( Entry* entries, uint64_t capacity )
{
    for ( uint64_t i = 0; i < capacity; ++i )
    {
        entries[i] = ( Entry ){ 0, JO_KEY_MAP_NONE };
    }
}

joResult joKeyMap_Reserve( joKeyMap* map, joMemory* memory, uint32_t count )
{
    uint64_t capacity = 2 * KEYS_PER_LINE;
    while ( capacity / 2 < count )
    {
        capacity *= 2;
    }
    if ( count == 0 || capacity <= map->entries.capacity )
    {
        return jo_success;
    }
    if ( capacity > ( SIZE_MAX / 2 ) / sizeof( Entry ) )
    {
        return joMemory_FailResult( memory );
    }
    Entry* entries = joMemory_Allocate( memory, (size_t)capacity * sizeof( Entry ) );
    if ( entries == NULL )
    {
        return joMemory_FailResult( memory );
    }
    clearEntries( entries, capacity );
    const Entry* old = map->entries.data;
    for ( uint64_t i = 0; i < map->entries.capacity; ++i )
    {
        if ( old[i].value != JO_KEY_MAP_NONE )
        {
            entries[placeOf( entries, capacity, old[i].key )] = old[i];
        }
    }
    joArray_Free( &map->entries, memory, sizeof( Entry ) );
    map->entries.data = entries;
    map->entries.capacity = capacity;
    return jo_success;
}

void joKeyMap_Free( joKeyMap* map, joMemory* memory )
{
    joArray_Free( &map->entries, memory, sizeof( Entry ) );
    map->count = 0;
}

uint32_t joKeyMap_Find( const joKeyMap* map, uint32_t key )
{
    if ( map->count == 0 )
    {
        return JO_KEY_MAP_NONE;
    }
    const Entry* entries = map->entries.data;
    return entries[placeOf( entries, map->entries.capacity, key )].value;
}

void joKeyMap_Set( joKeyMap* map, uint32_t key, uint32_t value )
{
    JO_ASSERT( value != JO_KEY_MAP_NONE && map->entries.capacity > 0 );
    Entry* entries = map->entries.data;
    uint64_t place = placeOf( entries, map->entries.capacity, key );
    if ( entries[place].value == JO_KEY_MAP_NONE )
    {
        // A load above a half was not reserved; a full table would make a search endless.
        JO_ASSERT( map->count < map->entries.capacity / 2 );
        map->count += 1;
    }
    entries[place] = ( Entry ){ key, value };
}

bool joKeyMap_Remove( joKeyMap* map, uint32_t key )
{
    if ( map->count == 0 )
    {
        return false;
    }
    Entry* entries = map->entries.data;
    uint64_t capacity = map->entries.capacity;
    uint64_t mask = capacity - 1;
    uint64_t hole = placeOf( entries, capacity, key );
    if ( entries[hole].value == JO_KEY_MAP_NONE )
    {
        return false;
    }
    // Every later entry of the run whose way from home leads over the hole moves into it, so that no search
    // stops short: no tombstones are left, and steady insertion and removal never fills the table.
    for ( uint64_t next = ( hole + 1 ) & mask; entries[next].value != JO_KEY_MAP_NONE;
          next = ( next + 1 ) & mask )
    {
        uint64_t home = homeOf( entries[next].key, capacity );
        if ( ( ( next - home ) & mask ) >= ( ( next - hole ) & mask ) )
        {
            entries[hole] = entries[next];
            hole = next;
        }
    }
    entries[hole] = ( Entry ){ 0, JO_KEY_MAP_NONE };
    map->count -= 1;
    return true;
}

void joKeyMap_Clear( joKeyMap* map )
{
    if ( map->count > 0 )
    {
        clearEntries( map->entries.data, map->entries.capacity );
        map->count = 0;
    }
}
