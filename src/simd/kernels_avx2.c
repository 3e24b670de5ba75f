// SPDX-License-Identifier: MIT
// Kernels for AVX2: eight lanes.
#include "base/float_env.h"
#include "kernel_tables.h"

typedef int joKernelsAvx2Unit; // a translation unit is never empty

#if defined( JO_HAVE_X86_KERNELS )

#include "compress_table.h"

#include <immintrin.h>

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2,popcnt,bmi" ) ) ), apply_to = function )
#else
#pragma GCC push_options
#pragma GCC target( "avx2,popcnt,bmi" )
#endif

#define JO_LANES 8
#define JO_KERNEL_ISA jo_isaAvx2
#define JO_KERNEL_TABLE joKernelsAvx2

#include "lanes_avx2.h"

typedef struct JoQuery
{
    __m256 lower[3];
    __m256 upper[3];
} JoQuery;

static inline JoQuery makeQuery( const float box[6], int axisCount )
{
    JoQuery query;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        query.lower[axis] = _mm256_set1_ps( box[axis] );
        query.upper[axis] = _mm256_set1_ps( box[3 + axis] );
    }
    return query;
}

static inline uint32_t overlapLanes(
    const joBoxColumns* columns, uint32_t j, const JoQuery* query, int axisCount )
{
    __m256 hit = _mm256_castsi256_ps( _mm256_set1_epi32( -1 ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        __m256 lower = _mm256_loadu_ps( columns->lower[axis] + j );
        __m256 upper = _mm256_loadu_ps( columns->upper[axis] + j );
        hit = _mm256_and_ps( hit, _mm256_cmp_ps( lower, query->upper[axis], _CMP_LE_OQ ) );
        hit = _mm256_and_ps( hit, _mm256_cmp_ps( upper, query->lower[axis], _CMP_GE_OQ ) );
    }
    return (uint32_t)_mm256_movemask_ps( hit );
}

static inline uint32_t ownerLanes( const uint32_t* index, uint32_t j, uint32_t ownIndex )
{
    __m256i own = _mm256_set1_epi32( (int)ownIndex );
    __m256i both = _mm256_or_si256( _mm256_loadu_si256( (const __m256i*)(const void*)( index + j ) ), own );
    __m256i owner = _mm256_cmpeq_epi32( _mm256_srli_epi32( both, 30 ), _mm256_set1_epi32( 3 ) );
    return (uint32_t)_mm256_movemask_ps( _mm256_castsi256_ps( owner ) );
}

// Moves the lanes whose bits are set to the front.
static inline __m256i compressLanes( __m256i vector, uint32_t lanes )
{
    __m128i packed = _mm_loadl_epi64( (const __m128i*)(const void*)&joCompressTable[lanes] );
    return _mm256_permutevar8x32_epi32( vector, _mm256_cvtepu8_epi32( packed ) );
}

static inline void emitLanes( uint32_t* out, const uint32_t* source, uint32_t j, uint32_t lanes )
{
    __m256i vector = _mm256_loadu_si256( (const __m256i*)(const void*)( source + j ) );
    _mm256_storeu_si256( (__m256i*)(void*)out, compressLanes( vector, lanes ) );
}

static inline void emitPositions( uint32_t* out, uint32_t j, uint32_t lanes )
{
    __m256i positions =
        _mm256_add_epi32( _mm256_set1_epi32( (int)j ), _mm256_setr_epi32( 0, 1, 2, 3, 4, 5, 6, 7 ) );
    _mm256_storeu_si256( (__m256i*)(void*)out, compressLanes( positions, lanes ) );
}

static inline void fillLanes( uint32_t* out, uint32_t value )
{
    _mm256_storeu_si256( (__m256i*)(void*)out, _mm256_set1_epi32( (int)value ) );
}

static inline uint32_t atMostLanes( JoFloats a, JoFloats b )
{
    return (uint32_t)_mm256_movemask_ps( _mm256_cmp_ps( a, b, _CMP_LE_OQ ) );
}

static inline void emitFloats( float* out, JoFloats values, uint32_t lanes )
{
    __m256i packed = compressLanes( _mm256_castps_si256( values ), lanes );
    _mm256_storeu_ps( out, _mm256_castsi256_ps( packed ) );
}

// Four columns of the records that lie one after the other: numbers 0 to 3 of each.
static inline void loadQuads( const float* first, JoFloats columns[4] )
{
    __m256 rows[4]; // k: of the records k and k + 4
    for ( int k = 0; k < 4; ++k )
    {
        const float* row = first + k * JO_RECORD_FLOATS;
        rows[k] = _mm256_insertf128_ps(
            _mm256_castps128_ps256( _mm_loadu_ps( row ) ), _mm_loadu_ps( row + 4 * JO_RECORD_FLOATS ), 1 );
    }
    const __m256 low01 = _mm256_unpacklo_ps( rows[0], rows[1] );
    const __m256 low23 = _mm256_unpacklo_ps( rows[2], rows[3] );
    const __m256 high01 = _mm256_unpackhi_ps( rows[0], rows[1] );
    const __m256 high23 = _mm256_unpackhi_ps( rows[2], rows[3] );
    columns[0] = _mm256_shuffle_ps( low01, low23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[1] = _mm256_shuffle_ps( low01, low23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    columns[2] = _mm256_shuffle_ps( high01, high23, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    columns[3] = _mm256_shuffle_ps( high01, high23, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}

static inline uint32_t markedLanes( const joSieve* sieve, const JoFloats* cells, int axisCount )
{
    __m256i bits = _mm256_setzero_si256();
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        __m256i part = _mm256_and_si256(
            _mm256_cvttps_epi32( cells[axis] ), _mm256_set1_epi32( (int)sieve->mask[axis] ) );
        bits =
            _mm256_or_si256( bits, _mm256_sll_epi32( part, _mm_cvtsi32_si128( (int)sieve->shift[axis] ) ) );
    }
    __m256i words =
        _mm256_i32gather_epi32( (const int*)(const void*)sieve->words, _mm256_srli_epi32( bits, 5 ), 4 );
    // The bit goes where the sign is.
    __m256i left = _mm256_andnot_si256( bits, _mm256_set1_epi32( 31 ) );
    return (uint32_t)_mm256_movemask_ps( _mm256_castsi256_ps( _mm256_sllv_epi32( words, left ) ) );
}

#include "kernels.inl"

#if defined( __clang__ )
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
