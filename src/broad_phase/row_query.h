// SPDX-License-Identifier: MIT
// Queries on a row: of boxes that are sorted by their lower bound on one axis, only a run can be met.
#pragma once

#include "row.h"

// Whether this visit hands over the box at a position that the probe may meet. Grids have a box in several
// rows.
typedef bool joRowOwnsFcn( const void* context, const joBoxColumns* columns, uint32_t position );

typedef struct joRowScan
{
    joProbe* probe;
    joBoxColumns columns; // column axis k is world axis k
    uint32_t axis;        // the sweep axis, in the world
    joRowOwnsFcn* owns;   // null: all
    const void* context;
} joRowScan;

// Hands over those of the boxes [begin, end), in whatever order they are. Returns how many it looked at, as
// does the other.
uint32_t joRow_ScanAll( const joRowScan* scan, uint32_t begin, uint32_t end );

// What of a sorted row may be met: by boxes and rays what overlaps [lower, upper] on the sweep axis; by
// points what is near, when it is at `distanceSq` or more on the other axes.
typedef struct joRowWindow
{
    float lower;
    float upper;
    double distanceSq;
} joRowWindow;

// Hands over those of the boxes [begin, end), which are sorted, that may be met. None is longer than
// `longest` on the sweep axis. Rays go the way they point, points outwards, until what is left is beyond the
// limit.
uint32_t joRow_ScanSorted(
    const joRowScan* scan, uint32_t begin, uint32_t end, float longest, const joRowWindow* window );

// The window of a probe that knows nothing but its bounds.
static inline joRowWindow joRow_WindowOf( const joProbe* probe, uint32_t axis )
{
    return ( joRowWindow ){ probe->bounds[axis], probe->bounds[3 + axis], 0.0 };
}
