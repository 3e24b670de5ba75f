// SPDX-License-Identifier: MIT
#include "row_query.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>

// Boxes that a ray or a point looks at before it asks whether it still has to go on.
#define RAY_BLOCK 128u
#define POINT_BLOCK 48u

// More than the roundings of a few steps in float, relative to the numbers in them.
#define SLACK 0x1p-20

static void scanBlock( const joRowScan* scan, uint32_t begin, uint32_t end )
{
    uint32_t hits[JO_PROBE_BLOCK + JO_LANE_PADDING];
    const uint32_t hitCount = joProbe_Find( scan->probe, &scan->columns, begin, end, hits );
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < hitCount; ++i )
    {
        if ( scan->owns == NULL || scan->owns( scan->context, &scan->columns, hits[i] ) )
        {
            hits[kept++] = scan->columns.index[hits[i]];
        }
    }
    if ( kept > 0 )
    {
        scan->probe->take( scan->probe, hits, kept );
    }
}

uint32_t joRow_ScanAll( const joRowScan* scan, uint32_t begin, uint32_t end )
{
    uint32_t first = begin;
    while ( first < end && !scan->probe->done )
    {
        const uint32_t last = end - first < JO_PROBE_BLOCK ? end : first + JO_PROBE_BLOCK;
        scanBlock( scan, first, last );
        first = last;
    }
    return first - begin;
}

// How far a ray comes on the sweep axis within its limit; farther by what is lost by rounding.
static float farthestOf( const joProbe* probe, uint32_t axis )
{
    const bool isBackward = probe->ray.isBackward[axis];
    const float end = isBackward ? -INFINITY : INFINITY;
    if ( !isfinite( probe->ray.inverse[axis] ) || !isfinite( probe->limit ) )
    {
        return end;
    }
    const double start = (double)probe->ray.nearOrigin[axis];
    const double way = (double)probe->direction[axis] * (double)probe->limit;
    const double slack = ( fabs( start ) + fabs( way ) ) * SLACK;
    const double farthest = start + way + ( isBackward ? -slack : slack );
    return fabs( farthest ) < (double)FLT_MAX ? (float)farthest : end;
}

static uint32_t scanAlong( const joRowScan* scan, uint32_t begin, uint32_t end, float longest )
{
    const joProbe* probe = scan->probe;
    const float* starts = scan->columns.lower[scan->axis];
    const bool isBackward = probe->ray.isBackward[scan->axis];
    float limit = INFINITY;
    uint32_t readCount = 0;
    while ( begin < end && !probe->done )
    {
        if ( probe->limit < limit )
        {
            limit = probe->limit;
            const float farthest = farthestOf( probe, scan->axis );
            if ( isBackward )
            {
                begin = joRow_LowerBound( starts, begin, end, end, joRow_ReachBack( farthest, longest ) );
            }
            else
            {
                end = joRow_UpperBound( starts, begin, end, farthest );
            }
        }
        const uint32_t count = end - begin < RAY_BLOCK ? end - begin : RAY_BLOCK;
        const uint32_t first = isBackward ? end - count : begin;
        scanBlock( scan, first, first + count );
        begin += isBackward ? 0 : count;
        end -= isBackward ? count : 0;
        readCount += count;
    }
    return readCount;
}

static uint32_t scanOutwards(
    const joRowScan* scan, uint32_t begin, uint32_t end, float longest, double distanceSq )
{
    const joProbe* probe = scan->probe;
    const float* starts = scan->columns.lower[scan->axis];
    const double place = (double)probe->point[scan->axis];
    uint32_t left = joRow_LowerBound( starts, begin, end, begin + ( end - begin ) / 2, (float)place );
    uint32_t right = left;
    for ( bool isBelow = true; ( left > begin || right < end ) && !probe->done; isBelow = !isBelow )
    {
        const double reachSq = (double)probe->limitSq - distanceSq;
        if ( reachSq < 0.0 )
        {
            break;
        }
        const double reach = sqrt( reachSq );
        if ( isBelow && left > begin )
        {
            const double nearest = place - reach;
            const float lower = nearest > -(double)FLT_MAX ? (float)nearest : -INFINITY;
            begin = starts[left - 1] < joRow_ReachBack( lower, longest ) ? left : begin;
            const uint32_t count = left - begin < POINT_BLOCK ? left - begin : POINT_BLOCK;
            scanBlock( scan, left - count, left );
            left -= count;
        }
        else if ( !isBelow && right < end )
        {
            end = (double)starts[right] > place + reach ? right : end;
            const uint32_t count = end - right < POINT_BLOCK ? end - right : POINT_BLOCK;
            scanBlock( scan, right, right + count );
            right += count;
        }
    }
    return right - left;
}

uint32_t joRow_ScanSorted(
    const joRowScan* scan, uint32_t begin, uint32_t end, float longest, const joRowWindow* window )
{
    if ( scan->probe->kind == jo_probePoint )
    {
        return scanOutwards( scan, begin, end, longest, window->distanceSq );
    }
    const float* starts = scan->columns.lower[scan->axis];
    begin = joRow_LowerBound( starts, begin, end, begin, joRow_ReachBack( window->lower, longest ) );
    end = joRow_UpperBound( starts, begin, end, window->upper );
    return scan->probe->kind == jo_probeRay ? scanAlong( scan, begin, end, longest )
                                            : joRow_ScanAll( scan, begin, end );
}
