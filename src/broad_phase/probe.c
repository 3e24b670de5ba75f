// SPDX-License-Identifier: MIT
#include "probe.h"
#include "base/float_env.h"

#include <float.h>
#include <math.h>

void joProbe_SetLimit( joProbe* probe, float limit )
{
    // What is farther than the largest float counts as being that far.
    probe->limit = limit < FLT_MAX ? limit : INFINITY;
    // Rounded up, and above what squares of the smallest floats lose.
    const double square = (double)limit * (double)limit * ( 1.0 + 0x1p-20 ) + (double)FLT_MIN;
    probe->limitSq = square < (double)FLT_MAX ? (float)square : INFINITY;
}

uint32_t joProbe_Find(
    const joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end, uint32_t* positions )
{
    float distances[JO_PROBE_BLOCK + JO_LANE_PADDING];
    const joKernels* kernels = probe->kernels;
    const uint32_t which = probe->axisCount - 2;
    switch ( probe->kind )
    {
        case jo_probeBox:
            return kernels->overlapRange[which]( columns, begin, end, probe->bounds, positions );
        case jo_probeRay:
            return kernels->rayRange[which](
                columns, begin, end, &probe->ray, probe->limit, positions, distances );
        case jo_probePoint:
            return kernels->pointRange[which](
                columns, begin, end, probe->point, probe->limitSq, positions, distances );
    }
    return 0;
}

void joProbe_Scan( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end )
{
    uint32_t hits[JO_PROBE_BLOCK + JO_LANE_PADDING];
    for ( uint32_t first = begin; first < end && !probe->done; first += JO_PROBE_BLOCK )
    {
        const uint32_t last = end - first < JO_PROBE_BLOCK ? end : first + JO_PROBE_BLOCK;
        const uint32_t count = joProbe_Find( probe, columns, first, last, hits );
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
