// SPDX-License-Identifier: MIT
// Vectors of one lane: plain C. What the vectors of all instruction sets can do is listed in kernels.inl.
#pragma once

#include "jostle/base.h"

#include <math.h>

typedef float JoFloats;

static inline JoFloats spread( float value )
{
    return value;
}

static inline JoFloats load( const float* values )
{
    return *values;
}

static inline void store( float* out, JoFloats values )
{
    *out = values;
}

static inline JoFloats add( JoFloats a, JoFloats b )
{
    return a + b;
}

static inline JoFloats subtract( JoFloats a, JoFloats b )
{
    return a - b;
}

static inline JoFloats multiply( JoFloats a, JoFloats b )
{
    return a * b;
}

static inline JoFloats larger( JoFloats a, JoFloats b )
{
    return a > b ? a : b;
}

static inline JoFloats smaller( JoFloats a, JoFloats b )
{
    return a < b ? a : b;
}

// a * b + c and c - a * b, rounded once or twice: for what is not in an answer.
static inline JoFloats roughMultiplyAdd( JoFloats a, JoFloats b, JoFloats c )
{
    return add( multiply( a, b ), c );
}

static inline JoFloats roughMultiplySubtract( JoFloats a, JoFloats b, JoFloats c )
{
    return subtract( c, multiply( a, b ) );
}

static inline JoFloats divide( JoFloats a, JoFloats b )
{
    return a / b;
}

static inline JoFloats squareRoot( JoFloats a )
{
    return sqrtf( a );
}

static inline JoFloats absolute( JoFloats a )
{
    return fabsf( a );
}

// The power of two at or below a normal positive number.
static inline JoFloats powerOfTwo( JoFloats a )
{
    union
    {
        float value;
        uint32_t bits;
    } both = { a };
    both.bits &= 0x7F800000u;
    return both.value;
}

// Of all lanes the largest.
static inline float highestLane( JoFloats a )
{
    return a;
}

typedef bool JoMask;

static inline JoMask isLess( JoFloats a, JoFloats b )
{
    return a < b;
}

static inline JoMask bothOf( JoMask a, JoMask b )
{
    return a && b;
}

static inline JoFloats choose( JoMask mask, JoFloats yes, JoFloats no )
{
    return mask ? yes : no;
}

static inline uint32_t lanesOf( JoMask mask )
{
    return mask ? 1 : 0;
}

typedef double JoWide;

static inline JoWide spreadWide( double value )
{
    return value;
}

static inline JoWide widen( JoFloats a )
{
    return (double)a;
}

static inline JoFloats narrow( JoWide a )
{
    return (float)a;
}

static inline JoWide addWide( JoWide a, JoWide b )
{
    return a + b;
}

static inline JoWide subtractWide( JoWide a, JoWide b )
{
    return a - b;
}

static inline JoWide multiplyWide( JoWide a, JoWide b )
{
    return a * b;
}

static inline JoWide divideWide( JoWide a, JoWide b )
{
    return a / b;
}

static inline JoWide squareRootWide( JoWide a )
{
    return sqrt( a );
}

static inline JoWide largerWide( JoWide a, JoWide b )
{
    return a > b ? a : b;
}

static inline JoWide smallerWide( JoWide a, JoWide b )
{
    return a < b ? a : b;
}

typedef bool JoWideMask;

static inline JoWideMask isLessWide( JoWide a, JoWide b )
{
    return a < b;
}

static inline JoWide chooseWide( JoWideMask mask, JoWide yes, JoWide no )
{
    return mask ? yes : no;
}

static inline uint32_t lanesOfWide( JoWideMask mask )
{
    return mask ? 1 : 0;
}

// Numbers 0 to 3 of each row, as columns.
static inline void gatherQuads( const float* const* rows, JoFloats columns[4] )
{
    for ( int k = 0; k < 4; ++k )
    {
        columns[k] = rows[0][k];
    }
}

// The same of records that lie `stride` floats apart, and of more quads than one, which begin `apart` floats
// one after the other: row k is record number indices[k * step].
static inline void gatherRecordQuads( const float* records, uint32_t stride, const uint32_t* indices,
    uint32_t step, uint32_t quadCount, uint32_t apart, JoFloats* columns )
{
    (void)step;
    for ( uint32_t k = 0; k < 4 * quadCount; ++k )
    {
        columns[k] = records[(size_t)indices[0] * stride + apart * ( k / 4 ) + k % 4];
    }
}

// Numbers 0 to 3 of each record that lie `stride` floats apart, from columns.
static inline void scatterQuads( const JoFloats columns[4], float* records, uint32_t stride )
{
    (void)stride;
    for ( int k = 0; k < 4; ++k )
    {
        records[k] = columns[k];
    }
}

// Whole numbers, as the bits of integers.
static inline JoFloats wholeBits( JoFloats a )
{
    union
    {
        uint32_t bits;
        float value;
    } both = { (uint32_t)a };
    return both.value;
}
