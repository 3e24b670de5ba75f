// SPDX-License-Identifier: MIT
// Vectors of AVX2: eight floats, eight doubles in two halves. What they can do is listed in kernels.inl.
// Included where the target is switched on.
#pragma once

typedef __m256 JoFloats;

static inline JoFloats spread( float value )
{
    return _mm256_set1_ps( value );
}

static inline JoFloats load( const float* values )
{
    return _mm256_loadu_ps( values );
}

static inline void store( float* out, JoFloats values )
{
    _mm256_storeu_ps( out, values );
}

static inline JoFloats add( JoFloats a, JoFloats b )
{
    return _mm256_add_ps( a, b );
}

static inline JoFloats subtract( JoFloats a, JoFloats b )
{
    return _mm256_sub_ps( a, b );
}

static inline JoFloats multiply( JoFloats a, JoFloats b )
{
    return _mm256_mul_ps( a, b );
}

static inline JoFloats larger( JoFloats a, JoFloats b )
{
    return _mm256_max_ps( a, b );
}

static inline JoFloats smaller( JoFloats a, JoFloats b )
{
    return _mm256_min_ps( a, b );
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
    return _mm256_div_ps( a, b );
}

static inline JoFloats squareRoot( JoFloats a )
{
    return _mm256_sqrt_ps( a );
}

static inline JoFloats absolute( JoFloats a )
{
    return _mm256_and_ps( a, _mm256_castsi256_ps( _mm256_set1_epi32( 0x7FFFFFFF ) ) );
}

// The power of two at or below a normal positive number.
static inline JoFloats powerOfTwo( JoFloats a )
{
    return _mm256_and_ps( a, _mm256_castsi256_ps( _mm256_set1_epi32( 0x7F800000 ) ) );
}

// Of all lanes the largest.
static inline float highestLane( JoFloats a )
{
    const __m128 four = _mm_max_ps( _mm256_castps256_ps128( a ), _mm256_extractf128_ps( a, 1 ) );
    const __m128 pair = _mm_max_ps( four, _mm_movehl_ps( four, four ) );
    return _mm_cvtss_f32( _mm_max_ss( pair, _mm_shuffle_ps( pair, pair, 1 ) ) );
}

typedef __m256 JoMask;

static inline JoMask isLess( JoFloats a, JoFloats b )
{
    return _mm256_cmp_ps( a, b, _CMP_LT_OQ );
}

static inline JoMask bothOf( JoMask a, JoMask b )
{
    return _mm256_and_ps( a, b );
}

static inline JoFloats choose( JoMask mask, JoFloats yes, JoFloats no )
{
    return _mm256_blendv_ps( no, yes, mask );
}

static inline uint32_t lanesOf( JoMask mask )
{
    return (uint32_t)_mm256_movemask_ps( mask );
}

typedef struct JoWide
{
    __m256d low, high;
} JoWide;

static inline JoWide spreadWide( double value )
{
    return ( JoWide ){ _mm256_set1_pd( value ), _mm256_set1_pd( value ) };
}

static inline JoWide widen( JoFloats a )
{
    return ( JoWide ){
        _mm256_cvtps_pd( _mm256_castps256_ps128( a ) ), _mm256_cvtps_pd( _mm256_extractf128_ps( a, 1 ) ) };
}

static inline JoFloats narrow( JoWide a )
{
    return _mm256_insertf128_ps(
        _mm256_castps128_ps256( _mm256_cvtpd_ps( a.low ) ), _mm256_cvtpd_ps( a.high ), 1 );
}

static inline JoWide addWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_add_pd( a.low, b.low ), _mm256_add_pd( a.high, b.high ) };
}

static inline JoWide subtractWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_sub_pd( a.low, b.low ), _mm256_sub_pd( a.high, b.high ) };
}

static inline JoWide multiplyWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_mul_pd( a.low, b.low ), _mm256_mul_pd( a.high, b.high ) };
}

static inline JoWide divideWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_div_pd( a.low, b.low ), _mm256_div_pd( a.high, b.high ) };
}

static inline JoWide squareRootWide( JoWide a )
{
    return ( JoWide ){ _mm256_sqrt_pd( a.low ), _mm256_sqrt_pd( a.high ) };
}

static inline JoWide largerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_max_pd( a.low, b.low ), _mm256_max_pd( a.high, b.high ) };
}

static inline JoWide smallerWide( JoWide a, JoWide b )
{
    return ( JoWide ){ _mm256_min_pd( a.low, b.low ), _mm256_min_pd( a.high, b.high ) };
}

typedef struct JoWideMask
{
    __m256d low, high;
} JoWideMask;

static inline JoWideMask isLessWide( JoWide a, JoWide b )
{
    return ( JoWideMask ){
        _mm256_cmp_pd( a.low, b.low, _CMP_LT_OQ ), _mm256_cmp_pd( a.high, b.high, _CMP_LT_OQ ) };
}

static inline JoWide chooseWide( JoWideMask mask, JoWide yes, JoWide no )
{
    return ( JoWide ){
        _mm256_blendv_pd( no.low, yes.low, mask.low ), _mm256_blendv_pd( no.high, yes.high, mask.high ) };
}

static inline uint32_t lanesOfWide( JoWideMask mask )
{
    return (uint32_t)_mm256_movemask_pd( mask.low ) | (uint32_t)_mm256_movemask_pd( mask.high ) << 4;
}

// quads[k]: those of rows k and k + 4.
static inline void transposeQuads( const __m256 quads[4], JoFloats columns[4] )
{
    const __m256 low01 = _mm256_unpacklo_ps( quads[0], quads[1] );
    const __m256 low23 = _mm256_unpacklo_ps( quads[2], quads[3] );
    const __m256 high01 = _mm256_unpackhi_ps( quads[0], quads[1] );
    const __m256 high23 = _mm256_unpackhi_ps( quads[2], quads[3] );
    columns[0] = _mm256_shuffle_ps( low01, low23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[1] = _mm256_shuffle_ps( low01, low23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    columns[2] = _mm256_shuffle_ps( high01, high23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[3] = _mm256_shuffle_ps( high01, high23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}

static inline __m256 joinQuads( const float* a, const float* b )
{
    return _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( a ) ), _mm_loadu_ps( b ), 1 );
}

// Numbers 0 to 3 of each row, as columns.
static inline void gatherQuads( const float* const* rows, JoFloats columns[4] )
{
    __m256 quads[4];
    for ( int k = 0; k < 4; ++k )
    {
        quads[k] = joinQuads( rows[k], rows[k + 4] );
    }
    transposeQuads( quads, columns );
}

// The same of records that lie `stride` floats apart, and of more quads than one, which begin `apart` floats
// one after the other: row k is record number indices[k * step].
static inline void gatherRecordQuads( const float* records, uint32_t stride, const uint32_t* indices,
    uint32_t step, uint32_t quadCount, uint32_t apart, JoFloats* columns )
{
    __m256 quads[JO_MAX_RECORD_QUADS][4];
    for ( uint32_t k = 0; k < 4; ++k )
    {
        const float* a = records + (size_t)indices[k * step] * stride;
        const float* b = records + (size_t)indices[( k + 4 ) * step] * stride;
        for ( uint32_t quad = 0; quad < quadCount; ++quad )
        {
            quads[quad][k] = joinQuads( a + apart * quad, b + apart * quad );
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
    __m256 quads[4]; // k: of the records k and k + 4
    transposeQuads( columns, quads );
    for ( size_t k = 0; k < 4; ++k )
    {
        _mm_storeu_ps( records + k * stride, _mm256_castps256_ps128( quads[k] ) );
        _mm_storeu_ps( records + ( k + 4 ) * stride, _mm256_extractf128_ps( quads[k], 1 ) );
    }
}

// Whole numbers, as the bits of integers.
static inline JoFloats wholeBits( JoFloats a )
{
    return _mm256_castsi256_ps( _mm256_cvttps_epi32( a ) );
}
