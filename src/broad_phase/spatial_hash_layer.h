// SPDX-License-Identifier: MIT
// What building (spatial_hash.c) and asking (spatial_hash_query.c) a spatial hash share.
#pragma once

#include "base/array.h"
#include "base/float_env.h"
#include "jostle/spatial_hash.h"

// Cells that follow each other along x and share a cache line of the table.
#define JO_BLOCK_CELLS 4u

typedef struct joHashPoint
{
    float position[3]; // 2D: z is 0
    uint32_t value;
} joHashPoint;

typedef struct joCellEntry
{
    int32_t cell[3];
    uint32_t start; // of its points; they end at the next entry's start
} joCellEntry;

// All points of a kind. Room for sorting them is made when they are added, so that an update cannot fail.
typedef struct joPointLayer
{
    joArray added;  // joHashPoint, in the order they came
    joArray sorted; // joHashPoint, by entry; valid if not dirty
    joArray slots;  // uint32_t, entry of each added point
    joArray table;  // joCellEntry, tableSize of them and one behind the last
    uint32_t count;
    uint32_t tableSize; // a multiple of JO_BLOCK_CELLS; 0: nothing is sorted
    uint32_t cellCount;
    bool dirty;
} joPointLayer;

struct joSpatialHash
{
    joMemory memory;
    joPointLayer still;
    joPointLayer moving;
    float cellSize;
    int axisCount;
};

// The cell of a coordinate; never falls where the coordinate rises.
int32_t joCellOf( double coordinate, double cellSize );

// First entry of the block of cells along x that `x` is in. The layer's tableSize is not 0.
uint32_t joBlockSlot( const joPointLayer* layer, int32_t x, int32_t y, int32_t z );

static inline bool joIsCell( const joCellEntry* entry, int32_t x, int32_t y, int32_t z )
{
    return entry->cell[0] == x && entry->cell[1] == y && entry->cell[2] == z;
}

// Sorts what was added since the last call into cells. Cannot fail: room was made when it was added.
void joSpatialHash_SortAdded( joSpatialHash* hash );
