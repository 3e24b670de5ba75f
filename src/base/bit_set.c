// SPDX-License-Identifier: MIT
// Bit set.
#include "base/bit_set.h"

#include "base/assert.h"

#include <string.h>

static uint64_t wordCountOf( uint32_t bitCount )
{
    return ( (uint64_t)bitCount + 63 ) / 64;
}

joResult joBitSet_Resize( joBitSet* set, joMemory* memory, uint32_t bitCount )
{
    uint64_t oldWords = wordCountOf( set->bitCount );
    uint64_t newWords = wordCountOf( bitCount );
    joResult result = joArray_Reserve( &set->words, memory, newWords, sizeof( uint64_t ), oldWords );
    if ( result != jo_success )
    {
        return result;
    }
    uint64_t* words = set->words.data;
    if ( newWords > oldWords )
    {
        memset( words + oldWords, 0, (size_t)( newWords - oldWords ) * sizeof( uint64_t ) );
    }
    else if ( bitCount < set->bitCount && bitCount % 64 != 0 )
    {
        words[newWords - 1] &= ( UINT64_C( 1 ) << ( bitCount % 64 ) ) - 1;
    }
    set->bitCount = bitCount;
    return jo_success;
}

void joBitSet_Free( joBitSet* set, joMemory* memory )
{
    joArray_Free( &set->words, memory, sizeof( uint64_t ) );
    set->bitCount = 0;
}

bool joBitSet_Get( const joBitSet* set, uint32_t index )
{
    JO_ASSERT( index < set->bitCount );
    const uint64_t* words = set->words.data;
    return ( words[index / 64] >> ( index % 64 ) & 1 ) != 0;
}

void joBitSet_Set( joBitSet* set, uint32_t index )
{
    JO_ASSERT( index < set->bitCount );
    uint64_t* words = set->words.data;
    words[index / 64] |= UINT64_C( 1 ) << ( index % 64 );
}

void joBitSet_Clear( joBitSet* set, uint32_t index )
{
    JO_ASSERT( index < set->bitCount );
    uint64_t* words = set->words.data;
    words[index / 64] &= ~( UINT64_C( 1 ) << ( index % 64 ) );
}

bool joBitSet_Add( joBitSet* set, uint32_t index )
{
    bool wasClear = joBitSet_Get( set, index ) == false;
    joBitSet_Set( set, index );
    return wasClear;
}

void joBitSet_ClearAll( joBitSet* set )
{
    if ( set->bitCount > 0 )
    {
        memset( set->words.data, 0, (size_t)wordCountOf( set->bitCount ) * sizeof( uint64_t ) );
    }
}

uint32_t joBitSet_Count( const joBitSet* set )
{
    const uint64_t* words = set->words.data;
    uint64_t wordCount = wordCountOf( set->bitCount );
    uint32_t count = 0;
    for ( uint64_t i = 0; i < wordCount; ++i )
    {
        count += (uint32_t)__builtin_popcountll( words[i] );
    }
    return count;
}

uint32_t joBitSet_FindNext( const joBitSet* set, uint32_t from )
{
    if ( from >= set->bitCount )
    {
        return JO_NULL_INDEX;
    }
    const uint64_t* words = set->words.data;
    uint64_t wordCount = wordCountOf( set->bitCount );
    uint64_t i = from / 64;
    uint64_t word = words[i] & ( UINT64_MAX << ( from % 64 ) );
    while ( word == 0 )
    {
        if ( ++i == wordCount )
        {
            return JO_NULL_INDEX;
        }
        word = words[i];
    }
    return (uint32_t)( i * 64 + (uint64_t)__builtin_ctzll( word ) );
}
