// SPDX-License-Identifier: MIT
// Queries on a row: of boxes that are sorted by their lower bound on one axis, only a run can be met.
#pragma once

#include "base/float_env.h"
#include "row.h"

typedef struct joRowScan
{
    joProbe* probe;
    joBoxColumns columns; // column axis k is world axis k
    uint32_t axis;        // the sweep axis, in the world
    joProbeOwnsFcn* owns; // null: all
    const void* context;
} joRowScan;

// What of a sorted row may be met: by boxes and rays what overlaps [lower, upper] on the sweep axis; by
// points what is near, when it is at `distanceSq` or more on the other axes.
typedef struct joRowWindow
{
    float lower;
    float upper;
    double distanceSq;
} joRowWindow;

// Hands over those of the boxes [begin, end), which are sorted, that may be met. Rays go the way they point,
// points outwards, until what is left is beyond the limit. Returns how many it looked at.
uint32_t joRow_ScanSorted(
    const joRowScan* row, uint32_t begin, uint32_t end, const joRowShape* shape, const joRowWindow* window );

// The window of a probe that knows nothing but its bounds.
static inline joRowWindow joRow_WindowOf( const joProbe* probe, uint32_t axis )
{
    return ( joRowWindow ){ probe->bounds[axis], probe->bounds[3 + axis], 0.0 };
}
