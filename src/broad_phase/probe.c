// SPDX-License-Identifier: MIT
#include "probe.h"
#include "base/float_env.h"

#include <float.h>
#include <math.h>

// Boxes between two looks at whether the probe is done.
#define SCAN_BLOCK 256u

void joProbe_SetLimit( joProbe* probe, float limit )
{
    // What is farther than the largest float counts as being that far.
    probe->limit = limit < FLT_MAX ? limit : INFINITY;
    // Rounded up, and above what squares of the smallest floats lose.
    const double square = (double)limit * (double)limit * ( 1.0 + 0x1p-20 ) + (double)FLT_MIN;
    probe->limitSq = square < (double)FLT_MAX ? (float)square : INFINITY;
}

void joProbe_Scan( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end )
{
    uint32_t hits[SCAN_BLOCK + JO_LANE_PADDING];
    float distances[SCAN_BLOCK + JO_LANE_PADDING];
    const joKernels* kernels = probe->kernels;
    const uint32_t which = probe->axisCount - 2;
    for ( uint32_t first = begin; first < end && !probe->done; first += SCAN_BLOCK )
    {
        const uint32_t last = end - first < SCAN_BLOCK ? end : first + SCAN_BLOCK;
        uint32_t count = 0;
        switch ( probe->kind )
        {
            case jo_probeBox:
                count = kernels->overlapRange[which]( columns, first, last, probe->bounds, hits );
                break;
            case jo_probeRay:
                count = kernels->rayRange[which](
                    columns, first, last, &probe->ray, probe->limit, hits, distances );
                break;
            case jo_probePoint:
                count = kernels->pointRange[which](
                    columns, first, last, probe->point, probe->limitSq, hits, distances );
                break;
        }
        for ( uint32_t i = 0; i < count; ++i )
        {
            hits[i] = columns->index[hits[i]];
        }
        if ( count > 0 )
        {
            probe->take( probe, hits, count );
        }
    }
}
