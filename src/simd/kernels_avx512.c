// SPDX-License-Identifier: MIT
// Kernels for AVX-512 (F, BW, DQ, VL): sixteen lanes, masks, compress.
#include "base/float_env.h"
#include "kernel_tables.h"

typedef int joKernelsAvx512Unit; // a translation unit is never empty

#if defined( JO_HAVE_X86_KERNELS )

#include <immintrin.h>

#if defined( __clang__ )
#pragma clang attribute push(                                                                                \
    __attribute__( ( target( "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi,bmi2" ) ) ),                     \
    apply_to = function )
#else
#pragma GCC push_options
#pragma GCC target( "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi,bmi2" )
#endif

#define JO_LANES 16
#define JO_KERNEL_ISA jo_isaAvx512
#define JO_KERNEL_TABLE joKernelsAvx512

#include "lanes_avx512.h"

typedef struct JoQuery
{
    __m512 lower[3];
    __m512 upper[3];
} JoQuery;

static inline JoQuery makeQuery( const float box[6], int axisCount )
{
    JoQuery query;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        query.lower[axis] = _mm512_set1_ps( box[axis] );
        query.upper[axis] = _mm512_set1_ps( box[3 + axis] );
    }
    return query;
}

static inline uint32_t overlapLanes(
    const joBoxColumns* columns, uint32_t j, const JoQuery* query, int axisCount )
{
    __mmask16 hit = 0xFFFF;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        hit = _mm512_mask_cmp_ps_mask(
            hit, _mm512_loadu_ps( columns->lower[axis] + j ), query->upper[axis], _CMP_LE_OQ );
        hit = _mm512_mask_cmp_ps_mask(
            hit, _mm512_loadu_ps( columns->upper[axis] + j ), query->lower[axis], _CMP_GE_OQ );
    }
    return hit;
}

static inline uint32_t ownerLanes( const uint32_t* index, uint32_t j, uint32_t ownIndex )
{
    __m512i both = _mm512_or_si512( _mm512_loadu_si512( index + j ), _mm512_set1_epi32( (int)ownIndex ) );
    return _mm512_cmpge_epu32_mask( both, _mm512_set1_epi32( (int)JO_OWNER_BITS ) );
}

// Compresses in a register and stores the whole: a compressing store to memory is many times slower.
static inline void emitLanes( uint32_t* out, const uint32_t* source, uint32_t j, uint32_t lanes )
{
    _mm512_storeu_si512(
        out, _mm512_maskz_compress_epi32( (__mmask16)lanes, _mm512_loadu_si512( source + j ) ) );
}

static inline void emitPositions( uint32_t* out, uint32_t j, uint32_t lanes )
{
    __m512i step = _mm512_setr_epi32( 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 );
    __m512i positions = _mm512_add_epi32( _mm512_set1_epi32( (int)j ), step );
    _mm512_storeu_si512( out, _mm512_maskz_compress_epi32( (__mmask16)lanes, positions ) );
}

static inline void fillLanes( uint32_t* out, uint32_t value )
{
    _mm512_storeu_si512( out, _mm512_set1_epi32( (int)value ) );
}

static inline uint32_t atMostLanes( JoFloats a, JoFloats b )
{
    return _mm512_cmp_ps_mask( a, b, _CMP_LE_OQ );
}

static inline void emitFloats( float* out, JoFloats values, uint32_t lanes )
{
    _mm512_storeu_ps( out, _mm512_maskz_compress_ps( (__mmask16)lanes, values ) );
}

#define JO_HAS_PICK

static uint32_t pickListed(
    const uint32_t* list, const uint32_t* masks, uint32_t count, uint32_t lane, uint32_t* out )
{
    const __m512i bit = _mm512_set1_epi32( (int)( 1u << lane ) );
    uint32_t picked = 0;
    for ( uint32_t i = 0; i < count; i += JO_LANES )
    {
        uint32_t lanes = _mm512_test_epi32_mask( _mm512_loadu_si512( masks + i ), bit );
        lanes &= count - i < JO_LANES ? ( 1u << ( count - i ) ) - 1 : 0xFFFF;
        emitLanes( out + picked, list, i, lanes );
        picked += (uint32_t)_mm_popcnt_u32( lanes );
    }
    return picked;
}

#define JO_HAS_EIGHT

typedef __m256 JoEight;

static inline JoEight spreadEight( float value )
{
    return _mm256_set1_ps( value );
}

static inline JoEight loadEight( const float* values )
{
    return _mm256_loadu_ps( values );
}

static inline JoEight addEight( JoEight a, JoEight b )
{
    return _mm256_add_ps( a, b );
}

static inline JoEight subtractEight( JoEight a, JoEight b )
{
    return _mm256_sub_ps( a, b );
}

static inline JoEight multiplyEight( JoEight a, JoEight b )
{
    return _mm256_mul_ps( a, b );
}

static inline JoEight largerEight( JoEight a, JoEight b )
{
    return _mm256_max_ps( a, b );
}

static inline JoEight smallerEight( JoEight a, JoEight b )
{
    return _mm256_min_ps( a, b );
}

static inline uint32_t atMostEight( JoEight a, JoEight b )
{
    return _mm256_cmp_ps_mask( a, b, _CMP_LE_OQ );
}

static inline void storeEight( float* out, JoEight values )
{
    _mm256_storeu_ps( out, values );
}

// Four columns of the records that lie one after the other: numbers 0 to 3 of each.
static inline void loadQuads( const float* first, JoFloats columns[4] )
{
    __m512 rows[4]; // k: of the records k, k + 4, k + 8 and k + 12
    for ( int k = 0; k < 4; ++k )
    {
        const float* row = first + k * JO_RECORD_FLOATS;
        rows[k] = _mm512_castps128_ps512( _mm_loadu_ps( row ) );
        rows[k] = _mm512_insertf32x4( rows[k], _mm_loadu_ps( row + 4 * JO_RECORD_FLOATS ), 1 );
        rows[k] = _mm512_insertf32x4( rows[k], _mm_loadu_ps( row + 8 * JO_RECORD_FLOATS ), 2 );
        rows[k] = _mm512_insertf32x4( rows[k], _mm_loadu_ps( row + 12 * JO_RECORD_FLOATS ), 3 );
    }
    const __m512 low01 = _mm512_unpacklo_ps( rows[0], rows[1] );
    const __m512 low23 = _mm512_unpacklo_ps( rows[2], rows[3] );
    const __m512 high01 = _mm512_unpackhi_ps( rows[0], rows[1] );
    const __m512 high23 = _mm512_unpackhi_ps( rows[2], rows[3] );
    columns[0] = _mm512_shuffle_ps( low01, low23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[1] = _mm512_shuffle_ps( low01, low23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    columns[2] = _mm512_shuffle_ps( high01, high23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[3] = _mm512_shuffle_ps( high01, high23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}

static inline uint32_t markedLanes( const joSieve* sieve, const JoFloats* cells, int axisCount )
{
    __m512i bits = _mm512_setzero_si512();
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        __m512i part = _mm512_and_si512(
            _mm512_cvttps_epi32( cells[axis] ), _mm512_set1_epi32( (int)sieve->mask[axis] ) );
        bits =
            _mm512_or_si512( bits, _mm512_sll_epi32( part, _mm_cvtsi32_si128( (int)sieve->shift[axis] ) ) );
    }
    // Where nothing is optimised this is a macro, with a conversion of its own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
    __m512i words = _mm512_i32gather_epi32( _mm512_srli_epi32( bits, 5 ), sieve->words, 4 );
#pragma GCC diagnostic pop
    __m512i own =
        _mm512_sllv_epi32( _mm512_set1_epi32( 1 ), _mm512_and_si512( bits, _mm512_set1_epi32( 31 ) ) );
    return _mm512_test_epi32_mask( words, own );
}

#include "kernels.inl"

#if defined( __clang__ )
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
