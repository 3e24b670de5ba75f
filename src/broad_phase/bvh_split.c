// SPDX-License-Identifier: MIT
// jo_bvh: splitting a range of items at a place in their order on one axis.
//
// Selection by quantiles of a sample (after Floyd and Rivest, "Expected time bounds for selection", 1975),
// which reads each item about twice. Departs from it in that after a number of rounds pivots come from
// halving the range of values instead: at most 32 such rounds, so that no input makes it slow.
#include "base/float_env.h"
#include "bvh.h"

#include <string.h>

#define JO_SPLIT_SAMPLE 31
// Below this a range is sorted by insertion.
#define JO_SPLIT_SMALL 24
#define JO_SPLIT_SAMPLED_ROUNDS 12

// A sample of this many tells the axis of widest spread as well as all items would.
#define JO_SPREAD_SAMPLE 4096

static uint32_t joWidestAxis( const joBvhItem* items, uint32_t count, uint32_t axisCount )
{
    float lower[3] = { items[0].centre[0], items[0].centre[1], items[0].centre[2] };
    float upper[3] = { lower[0], lower[1], lower[2] };
    uint32_t step = 1 + count / JO_SPREAD_SAMPLE;
    for ( uint32_t i = 0; i < count; i += step )
    {
        for ( uint32_t k = 0; k < 3; ++k )
        {
            float c = items[i].centre[k];
            lower[k] = c < lower[k] ? c : lower[k];
            upper[k] = c > upper[k] ? c : upper[k];
        }
        if ( count - i <= step )
        {
            break; // i + step may not fit 32 bits
        }
    }
    uint32_t widest = 0;
    for ( uint32_t k = 1; k < axisCount; ++k )
    {
        // In double: centres may be as far apart as floats go.
        if ( (double)upper[k] - lower[k] > (double)upper[widest] - lower[widest] )
        {
            widest = k;
        }
    }
    return widest;
}

static void joSortItems( joBvhItem* items, uint32_t count, uint32_t axis )
{
    for ( uint32_t i = 1; i < count; ++i )
    {
        joBvhItem item = items[i];
        uint32_t j = i;
        for ( ; j > 0 && items[j - 1].centre[axis] > item.centre[axis]; --j )
        {
            items[j] = items[j - 1];
        }
        items[j] = item;
    }
}

// The value that about `left` of `count` items are below.
static float joSampleQuantile( const joBvhItem* items, uint32_t count, uint32_t left, uint32_t axis )
{
    float sample[JO_SPLIT_SAMPLE];
    for ( uint32_t i = 0; i < JO_SPLIT_SAMPLE; ++i )
    {
        sample[i] = items[(uint64_t)i * count / JO_SPLIT_SAMPLE].centre[axis];
    }
    joBvhSortFloats( sample, JO_SPLIT_SAMPLE );
    return sample[(uint64_t)left * JO_SPLIT_SAMPLE / count];
}

// Floats as integers of the same order.
static uint32_t joOrderedBits( float value )
{
    uint32_t bits;
    value += 0.0f; // -0 is 0: they compare as equal, so they must be equal here
    memcpy( &bits, &value, sizeof( bits ) );
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float joFromOrderedBits( uint32_t bits )
{
    float value;
    bits = bits & 0x80000000u ? bits & 0x7FFFFFFFu : ~bits;
    memcpy( &value, &bits, sizeof( value ) );
    return value;
}

// A value above the least and not above the greatest, in the middle of their floats. False: all are equal.
static bool joMiddleValue( const joBvhItem* items, uint32_t count, uint32_t axis, float* middle )
{
    uint32_t low = UINT32_MAX, high = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t bits = joOrderedBits( items[i].centre[axis] );
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    *middle = joFromOrderedBits( low + ( high - low + 1 ) / 2 );
    return low < high;
}

// Moves the items below the pivot to the front; returns how many. Without branches on the values, which could
// not be predicted.
static uint32_t joPartitionItems( joBvhItem* items, uint32_t count, uint32_t axis, float pivot )
{
    uint32_t below = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        joBvhItem item = items[i];
        items[i] = items[below];
        items[below] = item;
        below += item.centre[axis] < pivot;
    }
    return below;
}

void joBvhSplitItems( joBvhItem* items, uint32_t count, uint32_t left, uint32_t axisCount )
{
    uint32_t axis = joWidestAxis( items, count, axisCount );
    for ( uint32_t round = 0; count > JO_SPLIT_SMALL; ++round )
    {
        float pivot;
        if ( round >= JO_SPLIT_SAMPLED_ROUNDS )
        {
            if ( !joMiddleValue( items, count, axis, &pivot ) )
            {
                return; // all equal: any split will do
            }
        }
        else
        {
            pivot = joSampleQuantile( items, count, left, axis );
        }
        uint32_t below = joPartitionItems( items, count, axis, pivot );
        if ( below == 0 )
        {
            // The pivot is the least value, perhaps of many: take these off, by the next value above.
            below = joPartitionItems( items, count, axis, joFromOrderedBits( joOrderedBits( pivot ) + 1 ) );
            if ( below >= left )
            {
                return;
            }
        }
        if ( below == left )
        {
            return;
        }
        if ( below > left )
        {
            count = below;
        }
        else
        {
            items += below;
            count -= below;
            left -= below;
        }
    }
    joSortItems( items, count, axis );
}
