// SPDX-License-Identifier: MIT
#include "probe.h"
#include "base/float_env.h"

#include <float.h>
#include <math.h>

// Boxes between two looks at whether the probe is done.
#define SCAN_BLOCK 256u
// How many of a block are handed over to a point in order, nearest first.
#define NEAR_ROUNDS 8u

void joProbe_SetLimit( joProbe* probe, float limit )
{
    // What is farther than the largest float counts as being that far.
    probe->limit = limit < FLT_MAX ? limit : INFINITY;
    // Rounded up, and above what squares of the smallest floats lose.
    const double square = (double)limit * (double)limit * ( 1.0 + 0x1p-20 ) + (double)FLT_MIN;
    probe->limitSq = square < (double)FLT_MAX ? (float)square : INFINITY;
}

uint32_t joProbe_Find( const joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end,
    uint32_t* positions, float* nearness )
{
    const joKernels* kernels = probe->kernels;
    const uint32_t which = probe->axisCount - 2;
    switch ( probe->kind )
    {
        case jo_probeBox:
            return kernels->overlapRange[which]( columns, begin, end, probe->bounds, positions );
        case jo_probeRay:
            return kernels->rayRange[which](
                columns, begin, end, &probe->ray, probe->limit, positions, nearness );
        case jo_probePoint:
            return kernels->pointRange[which](
                columns, begin, end, probe->point, probe->limitSq, positions, nearness );
    }
    return 0;
}

// What was found in a block of boxes.
typedef struct Found
{
    uint32_t count;
    uint32_t positions[SCAN_BLOCK + JO_LANE_PADDING];
    float nearness[SCAN_BLOCK + JO_LANE_PADDING];
} Found;

// Hands over the nearest ones of a block, one by one: each may bring the limit so near that the rest need not
// be looked at. What is left in `found` is farther.
static void takeNearest( joProbe* probe, const joBoxColumns* columns, Found* found, uint32_t rounds,
    joProbeOwnsFcn* owns, const void* context )
{
    for ( ; rounds > 0 && found->count > 1 && !probe->done; --rounds )
    {
        uint32_t nearest = 0;
        for ( uint32_t i = 1; i < found->count; ++i )
        {
            nearest = found->nearness[i] < found->nearness[nearest] ? i : nearest;
        }
        if ( joProbe_IsBeyond( probe, found->nearness[nearest] ) )
        {
            found->count = 0;
            return;
        }
        const uint32_t position = found->positions[nearest];
        found->count -= 1;
        found->positions[nearest] = found->positions[found->count];
        found->nearness[nearest] = found->nearness[found->count];
        if ( owns == NULL || owns( context, columns, position ) )
        {
            probe->take( probe, columns->index + position, 1 );
        }
    }
}

static void takeAll(
    joProbe* probe, const joBoxColumns* columns, Found* found, joProbeOwnsFcn* owns, const void* context )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < found->count; ++i )
    {
        const uint32_t position = found->positions[i];
        const bool isBeyond = probe->kind != jo_probeBox && joProbe_IsBeyond( probe, found->nearness[i] );
        if ( !isBeyond && ( owns == NULL || owns( context, columns, position ) ) )
        {
            found->positions[count++] = columns->index[position];
        }
    }
    if ( count > 0 )
    {
        probe->take( probe, found->positions, count );
    }
}

void joProbe_ScanOwned( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end,
    joProbeOwnsFcn* owns, const void* context )
{
    Found found;
    for ( uint32_t first = begin; first < end && !probe->done; first += SCAN_BLOCK )
    {
        const uint32_t last = end - first < SCAN_BLOCK ? end : first + SCAN_BLOCK;
        found.count = joProbe_Find( probe, columns, first, last, found.positions, found.nearness );
        if ( probe->kind != jo_probeBox )
        {
            takeNearest(
                probe, columns, &found, probe->kind == jo_probeRay ? 1 : NEAR_ROUNDS, owns, context );
        }
        if ( found.count > 0 && !probe->done )
        {
            takeAll( probe, columns, &found, owns, context );
        }
    }
}
