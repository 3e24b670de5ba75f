// SPDX-License-Identifier: MIT
// Memory for boxes as columns, in a structure's order.
#pragma once

#include "base/float_env.h"
#include "structure.h"

#include <math.h>

typedef struct joColumnStore
{
    joArray memory; // float: all columns, one after the other
    joBoxColumns columns;
    uint32_t capacity;
} joColumnStore;

// Makes room for `count` boxes and padding; what was in it is lost if it had to grow. 2D: the z columns alias
// the y columns and must not be read.
joResult joColumnStore_Reserve( joColumnStore* store, joMemory* memory, uint32_t axisCount, uint32_t count );
void joColumnStore_Free( joColumnStore* store, joMemory* memory );

// Bytes of columns for `count` boxes in a piece of memory that is cut by hand (scratch of workers): floats.
uint64_t joColumns_FloatCount( uint32_t axisCount, uint64_t count );
// Cuts such a piece.
joBoxColumns joColumns_Cut( float* memory, uint32_t axisCount, uint64_t count );

static inline bool joIsLive( const joBoxRecord* record )
{
    return record->lower[0] <= record->upper[0]; // a free slot holds the empty box
}

static inline void joColumns_Write(
    const joBoxColumns* columns, uint32_t i, const joBoxRecord* record, uint32_t index, uint32_t axisCount )
{
    columns->lower[0][i] = record->lower[0];
    columns->lower[1][i] = record->lower[1];
    columns->upper[0][i] = record->upper[0];
    columns->upper[1][i] = record->upper[1];
    if ( axisCount == 3 )
    {
        columns->lower[2][i] = record->lower[2];
        columns->upper[2][i] = record->upper[2];
    }
    columns->index[i] = index;
}

// Insertion sort, for the small samples from which structures derive their parameters.
void joSortFloats( float* values, uint32_t count );
