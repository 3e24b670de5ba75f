// SPDX-License-Identifier: MIT
// jostle neighbours: for each object of a broad phase, the sorted keys of those it touches.
//
// The same pairs as those of joBroadPhase_FindPairs, seen from both sides: of a pair (a, b), b is a neighbour
// of a, and a of b. Two static objects are no pair, and so no neighbours.
#pragma once

#include "broad_phase.h"

JO_EXTERN_C_BEGIN

// A row for each object, without neighbours too, in order of the keys ("compressed sparse rows"). With the
// default keys of one SetBoxes or SetCircles, and no other objects, row i is object i.
typedef struct joNeighbours
{
    const uint32_t* keys; // rowCount: the objects, ascending
    const uint64_t*
        offsets; // rowCount + 1: row i is neighbours[offsets[i]] .. neighbours[offsets[i + 1] - 1]
    const uint32_t* neighbours; // offsets[rowCount] keys, ascending within a row
    uint32_t rowCount;          // objects
} joNeighbours;

// The same in the caller's memory: each array gets as much as it has room for, in order.
typedef struct joNeighbourList
{
    uint32_t* keys;             // gets min( rowCapacity, rowCount ); null: not wanted
    uint64_t* offsets;          // gets one more than that, so it needs rowCapacity + 1; null: not wanted
    uint32_t rowCapacity;       // rows
    uint32_t* neighbours;       // gets min( neighbourCapacity, neighbourCount ); null: not wanted
    uint64_t neighbourCapacity; // keys
    uint32_t rowCount;          // out: objects there are
    uint64_t neighbourCount;    // out: neighbours there are in all rows, two a pair
} joNeighbourList;

// Finds all pairs, unless they were found since the last change, and makes the rows from them. They stay
// inside and are valid until the next call that changes the broad phase; asked for again until then, they
// are there at once. O(objects + pairs), by counting, beside the find; over the threads of the broad phase.
// After the first frames no memory is allocated; joBroadPhaseDef.neighbourReserve makes the room at create.
// Errors, after which *neighbours is empty: jo_errorNullArgument, jo_errorOutOfMemory, jo_errorCapacity
// (growth is forbidden, or there are more pairs than pairLimit). One thread at a time per broad phase.
JO_API joResult joBroadPhase_FindNeighbours( joBroadPhase* broadPhase, joNeighbours* neighbours );

// Copies what the last joBroadPhase_FindNeighbours made; the counts are 0 if it failed, or something has
// changed since. O(copied). Errors: jo_errorNullArgument. Any number of threads beside each other.
JO_API joResult joBroadPhase_GetNeighbours( const joBroadPhase* broadPhase, joNeighbourList* list );

// The row of an object, JO_NULL_INDEX if no object has the key. O(log rowCount); at once where row i is
// object i.
JO_API uint32_t joNeighbours_FindRow( const joNeighbours* neighbours, uint32_t key );

JO_EXTERN_C_END
