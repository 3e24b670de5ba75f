// SPDX-License-Identifier: MIT
// Bit set over indices [0, bitCount).
#pragma once

#include "array.h"

typedef struct joBitSet
{
    joArray words; // of uint64_t; bits at bitCount and above are clear
    uint32_t bitCount;
} joBitSet;

// Changes how many bits there are. Bits that come in are clear; the others stay. On failure nothing has
// changed.
joResult joBitSet_Resize( joBitSet* set, joMemory* memory, uint32_t bitCount );
void joBitSet_Free( joBitSet* set, joMemory* memory );

// index < bitCount.
bool joBitSet_Get( const joBitSet* set, uint32_t index );
void joBitSet_Set( joBitSet* set, uint32_t index );
void joBitSet_Clear( joBitSet* set, uint32_t index );
// Sets the bit; returns whether it was clear.
bool joBitSet_Add( joBitSet* set, uint32_t index );

void joBitSet_ClearAll( joBitSet* set );
uint32_t joBitSet_Count( const joBitSet* set );
// The first set bit at `from` or above (any value); JO_NULL_INDEX if there is none.
uint32_t joBitSet_FindNext( const joBitSet* set, uint32_t from );
