// SPDX-License-Identifier: MIT
// The cell filter: of the many objects of a large set, which may meet any of a small one? Says so by one look
// at a bit map, in a few nanoseconds, and reads the large set once from end to end.
//
// A uniform grid over the small set, one bit a cell, far finer than what a grid of lists could afford. An
// object of the large set is known by one point, its lower corner; so each box of the small set marks all
// cells in which the lower corner of a box that meets it can be: its own, and before those as far as the
// boxes of the large set are long. How long they usually are is known from a sample; a longer one is looked
// up at several points, no farther apart than that.
//
// Cell numbers wrap around, as in the grid (grid.h), so neither the world's size nor its shape matters. A bit
// that another cell has set, by wrapping, or a huge box of the small set, lets too many through: that costs
// time, but never loses a pair. When half of the bits are set, it is left out.
#pragma once

#include "object_set.h"

typedef struct joCellFilter
{
    const joKernels* kernels;
    uint32_t axisCount;
    joSieve sieve; // without words: only its bounds say something
    joArray words; // uint32_t
} joCellFilter;

void joCellFilter_Init( joCellFilter* filter, const joKernels* kernels, uint32_t axisCount );
void joCellFilter_Free( joCellFilter* filter, joMemory* memory );

// Room for the cells of so many objects.
joResult joCellFilter_Reserve( joCellFilter* filter, joMemory* memory, uint32_t smallCount );

// Makes it one that lets everything through.
void joCellFilter_PassAll( joCellFilter* filter );

// Makes it the filter of a small set without free slots, for the objects of large sets. `withCells` false: of
// the small set's bounds alone.
joResult joCellFilter_Make( joCellFilter* filter, joMemory* memory, const joObjectSet* small,
    const joObjectSet* large, uint32_t largeSetCount, bool withCells );

// Writes those of the `count` slots from `first` on (of an array; null: of all) whose objects may meet one of
// the small set, in order; returns how many. Free slots never do. `out` needs room for `count` +
// JO_LANE_PADDING.
uint32_t joCellFilter_Sift( const joCellFilter* filter, const joObjectSet* large, const uint32_t* slots,
    uint32_t first, uint32_t count, uint32_t* out );
