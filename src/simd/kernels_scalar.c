// SPDX-License-Identifier: MIT
// Kernels in plain C: for machines without a vector table, and the reference of the others.
#include "base/float_env.h"
#include "kernel_tables.h"
#include "lanes_scalar.h"

#define JO_LANES 1
#define JO_KERNEL_ISA jo_isaScalar
#define JO_KERNEL_TABLE joKernelsScalar

typedef struct JoQuery
{
    float lower[3];
    float upper[3];
} JoQuery;

static inline JoQuery makeQuery( const float box[6], int axisCount )
{
    JoQuery query = { { 0 }, { 0 } };
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        query.lower[axis] = box[axis];
        query.upper[axis] = box[3 + axis];
    }
    return query;
}

static inline uint32_t overlapLanes(
    const joBoxColumns* columns, uint32_t j, const JoQuery* query, int axisCount )
{
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        if ( columns->lower[axis][j] > query->upper[axis] || columns->upper[axis][j] < query->lower[axis] )
        {
            return 0;
        }
    }
    return 1;
}

static inline uint32_t ownerLanes( const uint32_t* index, uint32_t j, uint32_t ownIndex )
{
    return ( index[j] | ownIndex ) >= JO_OWNER_BITS ? 1 : 0;
}

static inline void emitLanes( uint32_t* out, const uint32_t* source, uint32_t j, uint32_t lanes )
{
    (void)lanes;
    *out = source[j];
}

static inline void emitPositions( uint32_t* out, uint32_t j, uint32_t lanes )
{
    (void)lanes;
    *out = j;
}

static inline void fillLanes( uint32_t* out, uint32_t value )
{
    *out = value;
}

static inline uint32_t atMostLanes( JoFloats a, JoFloats b )
{
    return a <= b ? 1 : 0;
}

static inline void emitFloats( float* out, JoFloats values, uint32_t lanes )
{
    (void)lanes;
    *out = values;
}

// Four columns of the records that lie one after the other: numbers 0 to 3 of each.
static inline void loadQuads( const float* first, JoFloats columns[4] )
{
    for ( int k = 0; k < 4; ++k )
    {
        columns[k] = first[k];
    }
}

// Cells of one bit each; whether the bit is set.
static inline uint32_t markedLanes( const joSieve* sieve, const JoFloats* cells, int axisCount )
{
    uint32_t bit = 0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        bit |= ( (uint32_t)(int32_t)cells[axis] & sieve->mask[axis] ) << sieve->shift[axis];
    }
    return sieve->words[bit / 32] >> bit % 32 & 1;
}

#include "kernels.inl"
