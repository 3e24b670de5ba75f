// SPDX-License-Identifier: MIT
// The oracle of neighbours: for each object, in order of the keys, the sorted keys of those it touches, by
// trying all others. Shares no code with the library.
#pragma once

#include "reference_pairs.h"

typedef struct refNeighbours
{
    uint32_t* keys;       // count
    uint64_t* offsets;    // count + 1
    uint32_t* neighbours; // offsets[count]
    size_t count;
} refNeighbours;

refNeighbours refFindNeighbours( const refObject* objects, size_t count, int axisCount );
void refFreeNeighbours( refNeighbours* neighbours );
