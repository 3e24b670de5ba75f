// SPDX-License-Identifier: MIT
#include "box_sample.h"

#include "base/float_env.h"
#include "box_columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAMPLE_MIN 96
#define SAMPLE_SHARE 64   // one box of so many
#define SPREAD_SAMPLE 96  // of the sample, for percentiles
#define ENOUGH_PAIRS 48   // near pairs within the sample: known to a seventh
#define EXPONENT_SHIFT 23 // of a float

static float finiteExtent( float lower, float upper )
{
    float extent = upper - lower;
    return extent < FLT_MAX ? extent : FLT_MAX;
}

void joBoxSample_Take( joBoxSample* sample, const joBoxSet* sets, uint32_t setCount, uint32_t axisCount )
{
    uint64_t slotCount = 0;
    sample->count = 0;
    sample->liveCount = 0;
    for ( uint32_t i = 0; i < setCount; ++i )
    {
        slotCount += sets[i].count;
        sample->liveCount += sets[i].liveCount;
    }
    uint32_t wanted = sample->liveCount / SAMPLE_SHARE;
    wanted = wanted < SAMPLE_MIN ? SAMPLE_MIN : wanted > JO_SAMPLE_MAX ? JO_SAMPLE_MAX : wanted;
    // Scattered slots: an even stride could fall in step with the order of the objects.
    uint64_t state = 0x9E3779B97F4A7C15u;
    for ( uint32_t attempt = 0; sample->liveCount > 0 && attempt < 4 * wanted && sample->count < wanted;
          ++attempt )
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t slot = ( ( state >> 32 ) * slotCount ) >> 32;
        const joBoxSet* set = sets;
        for ( ; slot >= set->count; ++set )
        {
            slot -= set->count;
        }
        const joBoxRecord* record = set->records + slot;
        if ( !joIsLive( record ) )
        {
            continue;
        }
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            float center = 0.5f * record->lower[axis] + 0.5f * record->upper[axis];
            sample->center[axis][sample->count] = isfinite( center ) ? center : 0.0f;
            sample->extent[axis][sample->count] = finiteExtent( record->lower[axis], record->upper[axis] );
        }
        sample->count += 1;
    }
}

// Of the values times `sign`, the least but so many that are left out.
static float leastBut( const float* values, uint32_t count, float sign, uint32_t leftOut )
{
    float least[SPREAD_SAMPLE];
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float value = sign * values[i];
        if ( kept > leftOut && value >= least[leftOut] )
        {
            continue;
        }
        kept += kept > leftOut ? 0 : 1;
        uint32_t j = kept - 1;
        for ( ; j > 0 && least[j - 1] > value; --j )
        {
            least[j] = least[j - 1];
        }
        least[j] = value;
    }
    return sign * least[leftOut];
}

float joBoxSample_Spread( const joBoxSample* sample, uint32_t axis )
{
    const float* values = sample->center[axis];
    const uint32_t n = sample->count < SPREAD_SAMPLE ? sample->count : SPREAD_SAMPLE;
    float spread = ( leastBut( values, n, -1.0f, n / 20 ) - leastBut( values, n, 1.0f, n / 20 ) ) * 1.1f;
    return spread < FLT_MAX ? spread : FLT_MAX;
}

float joBoxSample_MedianExtent( const joBoxSample* sample, uint32_t axisCount )
{
    float values[SPREAD_SAMPLE];
    uint32_t n = sample->count < SPREAD_SAMPLE ? sample->count : SPREAD_SAMPLE;
    for ( uint32_t i = 0; i < n; ++i )
    {
        values[i] = 0.0f;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            values[i] = sample->extent[axis][i] > values[i] ? sample->extent[axis][i] : values[i];
        }
    }
    joSortFloats( values, n );
    return values[n / 2];
}

void joBoxSample_MeasureDistances( const joBoxSample* sample, uint32_t axisCount, joBoxDistances* distances )
{
    memset( distances, 0, sizeof( *distances ) );
    distances->sampleCount = sample->count;
    distances->share = (double)sample->liveCount / sample->count;
    for ( uint32_t i = 0; i < sample->count; ++i )
    {
        float x = sample->center[0][i];
        float y = sample->center[1][i];
        float z = axisCount == 3 ? sample->center[2][i] : 0.0f;
        for ( uint32_t j = i + 1; j < sample->count; ++j )
        {
            float distance = fabsf( sample->center[0][j] - x );
            float other = fabsf( sample->center[1][j] - y );
            distance = other > distance ? other : distance;
            other = axisCount == 3 ? fabsf( sample->center[2][j] - z ) : 0.0f;
            distance = other > distance ? other : distance;
            uint32_t bits;
            memcpy( &bits, &distance, sizeof( bits ) );
            distances->pairs[bits >> EXPONENT_SHIFT] += 1;
        }
    }
}

joNearness joBoxDistances_FindNearness( const joBoxDistances* distances, float least )
{
    const uint32_t all = distances->sampleCount * ( distances->sampleCount - 1 ) / 2;
    const uint32_t enough = all < ENOUGH_PAIRS ? all : ENOUGH_PAIRS;
    uint32_t near = 0;
    float reach = FLT_MIN;
    for ( uint32_t i = 0; i < JO_DISTANCE_BINS; ++i )
    {
        near += distances->pairs[i];
        if ( reach >= least && near >= enough )
        {
            break;
        }
        reach = reach < 0.5f * FLT_MAX ? 2.0f * reach : reach;
    }
    return ( joNearness ){ reach, 2.0 * near / distances->sampleCount * distances->share };
}
