// SPDX-License-Identifier: MIT
// Vectors of SSE2: four floats, four doubles in two halves. What they can do is listed in kernels.inl.
// Included where the target is switched on.
#pragma once

typedef __m128 JoFloats;

static inline JoFloats spread( float value )
{
    return _mm_set1_ps( value );
}

static inline JoFloats load( const float* values )
{
    return _mm_loadu_ps( values );
}

static inline void store( float* out, JoFloats values )
{
    _mm_storeu_ps( out, values );
}

static inline JoFloats add( JoFloats a, JoFloats b )
{
    return _mm_add_ps( a, b );
}

static inline JoFloats subtract( JoFloats a, JoFloats b )
{
    return _mm_sub_ps( a, b );
}

static inline JoFloats multiply( JoFloats a, JoFloats b )
{
    return _mm_mul_ps( a, b );
}

static inline JoFloats larger( JoFloats a, JoFloats b )
{
    return _mm_max_ps( a, b );
}

static inline JoFloats smaller( JoFloats a, JoFloats b )
{
    return _mm_min_ps( a, b );
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
    return _mm_div_ps( a, b );
}

static inline JoFloats squareRoot( JoFloats a )
{
    return _mm_sqrt_ps( a );
}

static inline JoFloats absolute( JoFloats a )
{
    return _mm_and_ps( a, _mm_castsi128_ps( _mm_set1_epi32( 0x7FFFFFFF ) ) );
}

// The power of two at or below a normal positive number.
static inline JoFloats powerOfTwo( JoFloats a )
{
    return _mm_and_ps( a, _mm_castsi128_ps( _mm_set1_epi32( 0x7F800000 ) ) );
}

// Of all lanes the largest.
static inline float highestLane( JoFloats a )
{
    const __m128 pair = _mm_max_ps( a, _mm_movehl_ps( a, a ) );
    return _mm_cvtss_f32( _mm_max_ss( pair, _mm_shuffle_ps( pair, pair, 1 ) ) );
}

typedef __m128 JoMask;

static inline JoMask isLess( JoFloats a, JoFloats b )
{
    return _mm_cmplt_ps( a, b );
}

static inline JoMask bothOf( JoMask a, JoMask b )
{
    return _mm_and_ps( a, b );
}

static inline JoFloats choose( JoMask mask, JoFloats yes, JoFloats no )
{
    return _mm_or_ps( _mm_and_ps( mask, yes ), _mm_andnot_ps( mask, no ) );
}

static inline uint32_t lanesOf( JoMask mask )
{
    return (uint32_t)_mm_movemask_ps( mask );
}

typedef struct JoWide
{
    __m128d low, high;
} JoWide;

static inline JoWide spreadWide( double value )
{
    return ( JoWide ){ _mm_set1_pd( value ), _mm_set1_pd( value ) };
}

static inline JoWide widen( JoFloats a )
{
    return ( JoWide ){ _mm_cvtps_pd( a ), _mm_cvtps_pd( _mm_movehl_ps( a, a ) ) };
}

static inline JoFloats narrow( JoWide a )
{
    return _mm_movelh_ps( _mm_cvtpd_ps( a.low ), _mm_cvtpd_ps( a.high ) );
}

static inline JoWide addWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_add_pd( a.low, b.low ), _mm_add_pd( a.high, b.high ) };
}

static inline JoWide subtractWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_sub_pd( a.low, b.low ), _mm_sub_pd( a.high, b.high ) };
}

static inline JoWide multiplyWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_mul_pd( a.low, b.low ), _mm_mul_pd( a.high, b.high ) };
}

static inline JoWide divideWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_div_pd( a.low, b.low ), _mm_div_pd( a.high, b.high ) };
}

static inline JoWide squareRootWide( JoWide a )
{
    return ( JoWide ){ _mm_sqrt_pd( a.low ), _mm_sqrt_pd( a.high ) };
}

static inline JoWide largerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_max_pd( a.low, b.low ), _mm_max_pd( a.high, b.high ) };
}

static inline JoWide smallerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm_min_pd( a.low, b.low ), _mm_min_pd( a.high, b.high ) };
}

typedef struct JoWideMask
{
    __m128d low, high;
} JoWideMask;

static inline JoWideMask isLessWide( JoWide a, JoWide b )
{
    return ( JoWideMask ){ _mm_cmplt_pd( a.low, b.low ), _mm_cmplt_pd( a.high, b.high ) };
}

static inline JoWide chooseWide( JoWideMask mask, JoWide yes, JoWide no )
{
    return ( JoWide ){ _mm_or_pd( _mm_and_pd( mask.low, yes.low ), _mm_andnot_pd( mask.low, no.low ) ),
        _mm_or_pd( _mm_and_pd( mask.high, yes.high ), _mm_andnot_pd( mask.high, no.high ) ) };
}

static inline uint32_t lanesOfWide( JoWideMask mask )
{
    return (uint32_t)_mm_movemask_pd( mask.low ) | (uint32_t)_mm_movemask_pd( mask.high ) << 2;
}

// Numbers 0 to 3 of each row, as columns.
static inline void gatherQuads( const float* const* rows, JoFloats columns[4] )
{
    for ( int k = 0; k < 4; ++k )
    {
        columns[k] = _mm_loadu_ps( rows[k] );
    }
    _MM_TRANSPOSE4_PS( columns[0], columns[1], columns[2], columns[3] );
}

// The same of records that lie `stride` floats apart, and of more quads than one, which begin `apart` floats
// one after the other: row k is record number indices[k * step].
static inline void gatherRecordQuads( const float* records, uint32_t stride, const uint32_t* indices,
    uint32_t step, uint32_t quadCount, uint32_t apart, JoFloats* columns )
{
    for ( uint32_t quad = 0; quad < quadCount; ++quad )
    {
        JoFloats* out = columns + 4 * quad;
        for ( uint32_t k = 0; k < 4; ++k )
        {
            out[k] = _mm_loadu_ps( records + (size_t)indices[k * step] * stride + apart * quad );
        }
        _MM_TRANSPOSE4_PS( out[0], out[1], out[2], out[3] );
    }
}

// Numbers 0 to 3 of each record that lie `stride` floats apart, from columns.
static inline void scatterQuads( const JoFloats columns[4], float* records, uint32_t stride )
{
    __m128 rows[4] = { columns[0], columns[1], columns[2], columns[3] };
    _MM_TRANSPOSE4_PS( rows[0], rows[1], rows[2], rows[3] );
    for ( size_t k = 0; k < 4; ++k )
    {
        _mm_storeu_ps( records + k * stride, rows[k] );
    }
}

// Whole numbers, as the bits of integers.
static inline JoFloats wholeBits( JoFloats a )
{
    return _mm_castsi128_ps( _mm_cvttps_epi32( a ) );
}
