// SPDX-License-Identifier: MIT
// Vectors of AVX-512: sixteen floats, sixteen doubles in two halves. What they can do is listed in
// kernels.inl. Included where the target is switched on.
#pragma once

typedef __m512 JoFloats;

static inline JoFloats spread( float value )
{
    return _mm512_set1_ps( value );
}

static inline JoFloats load( const float* values )
{
    return _mm512_loadu_ps( values );
}

static inline void store( float* out, JoFloats values )
{
    _mm512_storeu_ps( out, values );
}

static inline JoFloats add( JoFloats a, JoFloats b )
{
    return _mm512_add_ps( a, b );
}

static inline JoFloats subtract( JoFloats a, JoFloats b )
{
    return _mm512_sub_ps( a, b );
}

static inline JoFloats multiply( JoFloats a, JoFloats b )
{
    return _mm512_mul_ps( a, b );
}

static inline JoFloats larger( JoFloats a, JoFloats b )
{
    return _mm512_max_ps( a, b );
}

static inline JoFloats smaller( JoFloats a, JoFloats b )
{
    return _mm512_min_ps( a, b );
}

// a * b + c and c - a * b, rounded once or twice: for what is not in an answer.
static inline JoFloats roughMultiplyAdd( JoFloats a, JoFloats b, JoFloats c )
{
    return _mm512_fmadd_ps( a, b, c );
}

static inline JoFloats roughMultiplySubtract( JoFloats a, JoFloats b, JoFloats c )
{
    return _mm512_fnmadd_ps( a, b, c );
}

static inline JoFloats divide( JoFloats a, JoFloats b )
{
    return _mm512_div_ps( a, b );
}

static inline JoFloats squareRoot( JoFloats a )
{
    return _mm512_sqrt_ps( a );
}

static inline JoFloats absolute( JoFloats a )
{
    return _mm512_and_ps( a, _mm512_castsi512_ps( _mm512_set1_epi32( 0x7FFFFFFF ) ) );
}

// The power of two at or below a normal positive number.
static inline JoFloats powerOfTwo( JoFloats a )
{
    return _mm512_and_ps( a, _mm512_castsi512_ps( _mm512_set1_epi32( 0x7F800000 ) ) );
}

// Of all lanes the largest.
static inline float highestLane( JoFloats a )
{
    return _mm512_reduce_max_ps( a );
}

typedef __mmask16 JoMask;

static inline JoMask isLess( JoFloats a, JoFloats b )
{
    return _mm512_cmp_ps_mask( a, b, _CMP_LT_OQ );
}

static inline JoMask bothOf( JoMask a, JoMask b )
{
    return (JoMask)( a & b );
}

static inline JoFloats choose( JoMask mask, JoFloats yes, JoFloats no )
{
    return _mm512_mask_blend_ps( mask, no, yes );
}

static inline uint32_t lanesOf( JoMask mask )
{
    return mask;
}

typedef struct JoWide
{
    __m512d low, high;
} JoWide;

static inline JoWide spreadWide( double value )
{
    return ( JoWide ){ _mm512_set1_pd( value ), _mm512_set1_pd( value ) };
}

static inline JoWide widen( JoFloats a )
{
    return ( JoWide ){
        _mm512_cvtps_pd( _mm512_castps512_ps256( a ) ), _mm512_cvtps_pd( _mm512_extractf32x8_ps( a, 1 ) ) };
}

static inline JoFloats narrow( JoWide a )
{
    return _mm512_insertf32x8(
        _mm512_castps256_ps512( _mm512_cvtpd_ps( a.low ) ), _mm512_cvtpd_ps( a.high ), 1 );
}

static inline JoWide addWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_add_pd( a.low, b.low ), _mm512_add_pd( a.high, b.high ) };
}

static inline JoWide subtractWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_sub_pd( a.low, b.low ), _mm512_sub_pd( a.high, b.high ) };
}

static inline JoWide multiplyWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_mul_pd( a.low, b.low ), _mm512_mul_pd( a.high, b.high ) };
}

static inline JoWide divideWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_div_pd( a.low, b.low ), _mm512_div_pd( a.high, b.high ) };
}

static inline JoWide squareRootWide( JoWide a )
{
    return ( JoWide ){ _mm512_sqrt_pd( a.low ), _mm512_sqrt_pd( a.high ) };
}

static inline JoWide largerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_max_pd( a.low, b.low ), _mm512_max_pd( a.high, b.high ) };
}

static inline JoWide smallerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm512_min_pd( a.low, b.low ), _mm512_min_pd( a.high, b.high ) };
}

typedef struct JoWideMask
{
    __mmask8 low, high;
} JoWideMask;

static inline JoWideMask isLessWide( JoWide a, JoWide b )
{
    return ( JoWideMask ){
        _mm512_cmp_pd_mask( a.low, b.low, _CMP_LT_OQ ), _mm512_cmp_pd_mask( a.high, b.high, _CMP_LT_OQ ) };
}

static inline JoWide chooseWide( JoWideMask mask, JoWide yes, JoWide no )
{
    return ( JoWide ){ _mm512_mask_blend_pd( mask.low, no.low, yes.low ),
        _mm512_mask_blend_pd( mask.high, no.high, yes.high ) };
}

static inline uint32_t lanesOfWide( JoWideMask mask )
{
    return (uint32_t)mask.low | (uint32_t)mask.high << 8;
}

// quads[k]: those of rows k, k + 4, k + 8 and k + 12.
static inline void transposeQuads( const __m512 quads[4], JoFloats columns[4] )
{
    const __m512 low01 = _mm512_unpacklo_ps( quads[0], quads[1] );
    const __m512 low23 = _mm512_unpacklo_ps( quads[2], quads[3] );
    const __m512 high01 = _mm512_unpackhi_ps( quads[0], quads[1] );
    const __m512 high23 = _mm512_unpackhi_ps( quads[2], quads[3] );
    columns[0] = _mm512_shuffle_ps( low01, low23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[1] = _mm512_shuffle_ps( low01, low23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    columns[2] = _mm512_shuffle_ps( high01, high23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[3] = _mm512_shuffle_ps( high01, high23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}

static inline __m512 joinQuads( const float* a, const float* b, const float* c, const float* d )
{
    __m512 quads = _mm512_castps128_ps512( _mm_loadu_ps( a ) );
    quads = _mm512_insertf32x4( quads, _mm_loadu_ps( b ), 1 );
    quads = _mm512_insertf32x4( quads, _mm_loadu_ps( c ), 2 );
    return _mm512_insertf32x4( quads, _mm_loadu_ps( d ), 3 );
}

// Numbers 0 to 3 of each row, as columns.
static inline void gatherQuads( const float* const* rows, JoFloats columns[4] )
{
    __m512 quads[4];
    for ( int k = 0; k < 4; ++k )
    {
        quads[k] = joinQuads( rows[k], rows[k + 4], rows[k + 8], rows[k + 12] );
    }
    transposeQuads( quads, columns );
}

// The same of records that lie `stride` floats apart, and of more quads than one, which begin `apart` floats
// one after the other: row k is record number indices[k * step].
static inline void gatherRecordQuads( const float* records, uint32_t stride, const uint32_t* indices,
    uint32_t step, uint32_t quadCount, uint32_t apart, JoFloats* columns )
{
    __m512 quads[JO_MAX_RECORD_QUADS][4];
    for ( uint32_t k = 0; k < 4; ++k )
    {
        const float* a = records + (size_t)indices[k * step] * stride;
        const float* b = records + (size_t)indices[( k + 4 ) * step] * stride;
        const float* c = records + (size_t)indices[( k + 8 ) * step] * stride;
        const float* d = records + (size_t)indices[( k + 12 ) * step] * stride;
        for ( uint32_t quad = 0; quad < quadCount; ++quad )
        {
            quads[quad][k] =
                joinQuads( a + apart * quad, b + apart * quad, c + apart * quad, d + apart * quad );
        }
    }
    for ( uint32_t quad = 0; quad < quadCount; ++quad )
    {
        transposeQuads( quads[quad], columns + 4 * quad );
    }
}

// Numbers 0 to 3 of each record that lie `stride` floats apart, from columns.
static inline void scatterQuads( const JoFloats columns[4], float* records, uint32_t stride )
{
    __m512 quads[4]; // k: of the records k, k + 4, k + 8 and k + 12
    transposeQuads( columns, quads );
    for ( size_t k = 0; k < 4; ++k )
    {
        _mm_storeu_ps( records + k * stride, _mm512_castps512_ps128( quads[k] ) );
        _mm_storeu_ps( records + ( k + 4 ) * stride, _mm512_extractf32x4_ps( quads[k], 1 ) );
        _mm_storeu_ps( records + ( k + 8 ) * stride, _mm512_extractf32x4_ps( quads[k], 2 ) );
        _mm_storeu_ps( records + ( k + 12 ) * stride, _mm512_extractf32x4_ps( quads[k], 3 ) );
    }
}

// Whole numbers, as the bits of integers.
static inline JoFloats wholeBits( JoFloats a )
{
    return _mm512_castsi512_ps( _mm512_cvttps_epi32( a ) );
}
