// SPDX-License-Identifier: MIT
// Hash map from 32-bit keys to 32-bit values: open addressing, linear probing, deletion by shifting back, so
// that steady insertion and removal neither grows nor slows it.
#pragma once

#include "array.h"

#define JO_KEY_MAP_NONE UINT32_MAX // the value that find returns for an absent key; must not be stored

typedef struct joKeyMap
{
    joArray entries; // { uint32_t key, value; }, value JO_KEY_MAP_NONE: free; capacity a power of two or 0
    uint32_t count;
} joKeyMap;

// Room for `count` entries at a load of at most a half.
joResult joKeyMap_Reserve( joKeyMap* map, joMemory* memory, uint32_t count );
void joKeyMap_Free( joKeyMap* map, joMemory* memory );
uint32_t joKeyMap_Find( const joKeyMap* map, uint32_t key );
// Room must have been reserved. Overwrites the value of a key that is there.
void joKeyMap_Set( joKeyMap* map, uint32_t key, uint32_t value );
// Returns false if the key is not there.
bool joKeyMap_Remove( joKeyMap* map, uint32_t key );
void joKeyMap_Clear( joKeyMap* map ); // keeps the memory
