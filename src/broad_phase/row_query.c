// SPDX-License-Identifier: MIT
#include "row_query.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>

// Boxes that a ray or a point looks at before it asks whether it still has to go on.
#define LARGEST_BLOCK 128u
#define POINT_BLOCK 48u

// More than the roundings of a few steps in float, relative to the numbers in them.
#define SLACK 0x1p-20

static void scan( const joRowScan* row, uint32_t begin, uint32_t end )
{
    joProbe_ScanOwned( row->probe, &row->columns, begin, end, row->owns, row->context );
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

// How many boxes to look at before asking where the run ends: about the whole run, if it is short.
static uint32_t blockFor( const joRowShape* shape, float lower, float upper )
{
    const float expected = ( upper - lower ) * shape->density * 1.25f + 8.0f;
    return expected < (float)LARGEST_BLOCK ? ( expected > 8.0f ? (uint32_t)expected : 8u ) : LARGEST_BLOCK;
}

// Boxes from `begin` on, up to those that start above `upper`.
static uint32_t scanUpwards( const joRowScan* row, uint32_t begin, uint32_t end, float upper, uint32_t block )
{
    const joProbe* probe = row->probe;
    const float* starts = row->columns.lower[row->axis];
    uint32_t first = begin;
    while ( first < end && starts[first] <= upper && !probe->done )
    {
        const float limit = probe->limit;
        const uint32_t last = end - first < block ? end : first + block;
        scan( row, first, last );
        first = last;
        block = LARGEST_BLOCK;
        if ( probe->limit < limit && probe->kind == jo_probeRay )
        {
            const float farthest = farthestOf( probe, row->axis );
            upper = farthest < upper ? farthest : upper;
        }
    }
    return first - begin;
}

// Boxes before `end`, down to those that start below `lower` by more than the longest of them.
static uint32_t scanDownwards(
    const joRowScan* row, uint32_t begin, uint32_t end, float lower, uint32_t block, float longest )
{
    const joProbe* probe = row->probe;
    const float* starts = row->columns.lower[row->axis];
    uint32_t last = end;
    while ( last > begin && starts[last - 1] >= lower && !probe->done )
    {
        const float limit = probe->limit;
        const uint32_t first = last - begin < block ? begin : last - block;
        scan( row, first, last );
        last = first;
        block = LARGEST_BLOCK;
        if ( probe->limit < limit )
        {
            const float reach = joRow_ReachBack( farthestOf( probe, row->axis ), longest );
            lower = reach > lower ? reach : lower;
        }
    }
    return end - last;
}

static uint32_t scanOutwards(
    const joRowScan* row, uint32_t begin, uint32_t end, const joRowShape* shape, double distanceSq )
{
    const joProbe* probe = row->probe;
    const float* starts = row->columns.lower[row->axis];
    const double place = (double)probe->point[row->axis];
    uint32_t left = joRow_LowerBound(
        starts, begin, end, begin + joRow_GuessPlace( shape, end - begin, (float)place ), (float)place );
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
            begin = starts[left - 1] < joRow_ReachBack( lower, shape->longest ) ? left : begin;
            const uint32_t count = left - begin < POINT_BLOCK ? left - begin : POINT_BLOCK;
            scan( row, left - count, left );
            left -= count;
        }
        else if ( !isBelow && right < end )
        {
            end = (double)starts[right] > place + reach ? right : end;
            const uint32_t count = end - right < POINT_BLOCK ? end - right : POINT_BLOCK;
            scan( row, right, right + count );
            right += count;
        }
    }
    return right - left;
}

uint32_t joRow_ScanSorted(
    const joRowScan* row, uint32_t begin, uint32_t end, const joRowShape* shape, const joRowWindow* window )
{
    const joProbe* probe = row->probe;
    if ( probe->kind == jo_probePoint )
    {
        return scanOutwards( row, begin, end, shape, window->distanceSq );
    }
    const float* starts = row->columns.lower[row->axis];
    const bool isBackward = probe->kind == jo_probeRay && probe->ray.isBackward[row->axis];
    float lower = window->lower;
    float upper = window->upper;
    if ( probe->kind == jo_probeRay )
    {
        const float farthest = farthestOf( probe, row->axis );
        lower = isBackward && farthest > lower ? farthest : lower;
        upper = !isBackward && farthest < upper ? farthest : upper;
    }
    lower = joRow_ReachBack( lower, shape->longest );
    const uint32_t block = blockFor( shape, lower, upper );
    const uint32_t guess = begin + joRow_GuessPlace( shape, end - begin, isBackward ? upper : lower );
    if ( isBackward )
    {
        const uint32_t last = joRow_UpperBoundNear( starts, begin, end, guess, upper );
        return scanDownwards( row, begin, last, lower, block, shape->longest );
    }
    const uint32_t first = joRow_LowerBound( starts, begin, end, guess, lower );
    return scanUpwards( row, first, end, upper, block );
}
