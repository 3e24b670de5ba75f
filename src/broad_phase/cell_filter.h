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
    uint32_t axisCount;
    // Around the small set. A record is compared as it lies in memory: lower[3] with what follows it, and
    // upper[3] with what follows that; the fourth is compared, too, and does not count.
    float lower[4];
    float upper[4];
    float usual[4]; // extents on each axis for which one point will do
    float inverse[4];
    uint32_t mask[3]; // cell numbers on each axis, less one
    uint32_t shift[3];
    joArray words; // uint64_t
    bool hasCells; // else only the bounds say something
} joCellFilter;

void joCellFilter_Free( joCellFilter* filter, joMemory* memory );

// Room for the cells of so many objects.
joResult joCellFilter_Reserve(
    joCellFilter* filter, joMemory* memory, uint32_t axisCount, uint32_t smallCount );

// A filter that lets everything through.
void joCellFilter_PassAll( joCellFilter* filter, uint32_t axisCount );

// Makes the filter of a small set without free slots, for the objects of large sets. `withCells` false: of
// its bounds alone.
joResult joCellFilter_Make( joCellFilter* filter, joMemory* memory, uint32_t axisCount,
    const joObjectSet* small, const joObjectSet* large, uint32_t largeSetCount, bool withCells );

// Writes those of the `count` slots (null: 0 .. count - 1, from `first` on) whose objects may meet one of the
// small set, in order; returns how many. Free slots never do. `out` needs room for `count`.
uint32_t joCellFilter_Sift( const joCellFilter* filter, const joObjectSet* large, const uint32_t* slots,
    uint32_t first, uint32_t count, uint32_t* out );
