// SPDX-License-Identifier: MIT
// Rows: boxes sorted by their lower bound on one axis, the sweep axis, for the sweep and for the rows of the
// grid.
#pragma once

#include "base/float_env.h"
#include "base/radix_sort.h"
#include "box_columns.h"

#include <string.h>

// A box in a row: lower bounds, then upper bounds, then the index (slot, with owner bits) as its bits; 5
// floats in 2D, 7 in 3D, one after the other. Axis 0 is the sweep axis, whatever that is in the world.
#define JO_ROW_ENTRY_FLOATS( axisCount ) ( 2 * ( axisCount ) + 1 )

static inline void joRowEntry_Write(
    float* entry, const joBoxRecord* record, const uint32_t axes[3], uint32_t axisCount )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        entry[k] = record->lower[axes[k]];
        entry[axisCount + k] = record->upper[axes[k]];
    }
}

static inline void joRowEntry_SetIndex( float* entry, uint32_t index, uint32_t axisCount )
{
    memcpy( entry + 2 * axisCount, &index, sizeof( index ) );
}

static inline uint32_t joRowEntry_Index( const float* entry, uint32_t axisCount )
{
    uint32_t index;
    memcpy( &index, entry + 2 * axisCount, sizeof( index ) );
    return index;
}

// Entries [first, first + count) of an array. A row's entries lie in several runs.
typedef struct joRowRun
{
    uint32_t first;
    uint32_t count;
} joRowRun;

// One worker's memory for sorting a row of up to `capacity` entries.
typedef struct joRowScratch
{
    joBoxColumns columns; // of the row being worked on
    uint32_t* ends;       // of entry i: the candidates are [i + 1, ends[i])
    uint32_t* bins;       // JO_ROW_BINS( capacity ) + 1
    joKeyValue* keys;     // 2 x capacity
    joRowRun* runs;       // room for JO_ROW_RUNS( capacity )
    uint32_t* query[7];   // of each entry, when the row's boxes look for partners in other rows
} joRowScratch;

// Entries of a full run of the grid, and runs that a row of so many entries may have.
#define JO_ROW_CHUNK 32
#define JO_ROW_RUNS( capacity ) ( ( capacity ) / JO_ROW_CHUNK + JO_MAX_WORKERS + 1 )

// Memory for one worker, in floats, for rows of up to `capacity` entries; and how to cut it.
uint64_t joRowScratch_FloatCount( uint32_t axisCount, uint64_t capacity );
joRowScratch joRowScratch_Cut( float* memory, uint32_t axisCount, uint64_t capacity );

// Sorts the `count` entries of all runs into scratch->columns by bins of the lower bound, finely enough that
// a bin rarely holds two, and fills scratch->ends. Within a bin the order is that of the entries. Where many
// share a bin it sorts exactly instead.
void joRow_SortBinned( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch );

// What a search in a sorted row wants to know.
typedef struct joRowShape
{
    float longest; // extent on the sweep axis, rounded up
    float lowest;  // lower bound of the first box
    float density; // boxes per unit of lower bound
} joRowShape;

// Sorts into `columns` from position `first`, exactly by lower bound.
joRowShape joRow_SortExact( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch, const joBoxColumns* columns, uint32_t first );

// One of two rows that lie side by side, the boxes of which are to meet each other.
typedef struct joRowSide
{
    const float* entries;
    const joRowRun* runs;
    uint32_t runCount;
    uint32_t count;
    joRowScratch* scratch; // with room for bins for the longer of the two
    joBoxColumns columns;  // sorted
    // Of each box, the run of those of the other row that may meet it and, of a, begin no earlier than it
    // does; of b, begin later: so that two boxes meet once.
    uint32_t* begins;
    uint32_t* ends;
} joRowSide;

// Sorts both as joRow_SortBinned does, by the same bins, and finds the runs.
void joRow_SortTogether( joRowSide* a, joRowSide* b, uint32_t axisCount );

// Finds the runs of rows that are sorted exactly: columns and count are given.
void joRow_RangesOfSorted( joRowSide* a, joRowSide* b );

// First position in [begin, end) of the ascending `lower` with lower[p] > bound; fast if it is near `begin`.
uint32_t joRow_UpperBound( const float* lower, uint32_t begin, uint32_t end, float bound );

// Likewise; fast if it is near `hint`, in [begin, end].
uint32_t joRow_UpperBoundNear( const float* lower, uint32_t begin, uint32_t end, uint32_t hint, float bound );

// First position with lower[p] >= bound; fast if it is near `hint`, in [begin, end].
uint32_t joRow_LowerBound( const float* lower, uint32_t begin, uint32_t end, uint32_t hint, float bound );

// About where a bound has its place among the `count` lower bounds of a row: there if they are spread evenly.
static inline uint32_t joRow_GuessPlace( const joRowShape* shape, uint32_t count, float bound )
{
    const float place = ( bound - shape->lowest ) * shape->density;
    return place > 0.0f ? ( place < (float)count ? (uint32_t)place : count ) : 0;
}

// A bound such that a box of at most `longest` extent that starts before it ends before `lower`.
float joRow_ReachBack( float lower, float longest );
