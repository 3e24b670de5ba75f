// SPDX-License-Identifier: MIT
// Kernels for SSE2: four lanes, part of every x86-64.
#include "base/float_env.h"
#include "kernel_tables.h"

typedef int joKernelsSse2Unit; // a translation unit is never empty

#if defined( JO_HAVE_X86_KERNELS )

#include <emmintrin.h>

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "sse2" ) ) ), apply_to = function )
#else
#pragma GCC push_options
#pragma GCC target( "sse2" )
#endif

#define JO_LANES 4
#define JO_KERNEL_ISA jo_isaSse2
#define JO_KERNEL_TABLE joKernelsSse2

#include "lanes_sse2.h"

typedef struct JoQuery
{
    __m128 lower[3];
    __m128 upper[3];
} JoQuery;

static inline JoQuery makeQuery( const float box[6], int axisCount )
{
    JoQuery query;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        query.lower[axis] = _mm_set1_ps( box[axis] );
        query.upper[axis] = _mm_set1_ps( box[3 + axis] );
    }
    return query;
}

static inline uint32_t overlapLanes(
    const joBoxColumns* columns, uint32_t j, const JoQuery* query, int axisCount )
{
    __m128 hit = _mm_castsi128_ps( _mm_set1_epi32( -1 ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        hit = _mm_and_ps( hit, _mm_cmple_ps( _mm_loadu_ps( columns->lower[axis] + j ), query->upper[axis] ) );
        hit = _mm_and_ps( hit, _mm_cmpge_ps( _mm_loadu_ps( columns->upper[axis] + j ), query->lower[axis] ) );
    }
    return (uint32_t)_mm_movemask_ps( hit );
}

static inline uint32_t ownerLanes( const uint32_t* index, uint32_t j, uint32_t ownIndex )
{
    __m128i both = _mm_or_si128(
        _mm_loadu_si128( (const __m128i*)(const void*)( index + j ) ), _mm_set1_epi32( (int)ownIndex ) );
    __m128i owner = _mm_cmpeq_epi32( _mm_srli_epi32( both, 30 ), _mm_set1_epi32( 3 ) );
    return (uint32_t)_mm_movemask_ps( _mm_castsi128_ps( owner ) );
}

static inline void emitLanes( uint32_t* out, const uint32_t* source, uint32_t j, uint32_t lanes )
{
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        *out++ = source[j + (uint32_t)__builtin_ctz( lanes )];
    }
}

static inline void emitPositions( uint32_t* out, uint32_t j, uint32_t lanes )
{
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        *out++ = j + (uint32_t)__builtin_ctz( lanes );
    }
}

static inline void fillLanes( uint32_t* out, uint32_t value )
{
    _mm_storeu_si128( (__m128i*)(void*)out, _mm_set1_epi32( (int)value ) );
}

static inline uint32_t atMostLanes( JoFloats a, JoFloats b )
{
    return (uint32_t)_mm_movemask_ps( _mm_cmple_ps( a, b ) );
}

static inline void emitFloats( float* out, JoFloats values, uint32_t lanes )
{
    float lane[JO_LANES];
    _mm_storeu_ps( lane, values );
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        *out++ = lane[__builtin_ctz( lanes )];
    }
}

// Four columns of the records that lie one after the other: numbers 0 to 3 of each.
static inline void loadQuads( const float* first, JoFloats columns[4] )
{
    for ( int k = 0; k < 4; ++k )
    {
        columns[k] = _mm_loadu_ps( first + k * JO_RECORD_FLOATS );
    }
    _MM_TRANSPOSE4_PS( columns[0], columns[1], columns[2], columns[3] );
}

static inline uint32_t markedLanes( const joSieve* sieve, const JoFloats* cells, int axisCount )
{
    __m128i bits = _mm_setzero_si128();
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        __m128i part =
            _mm_and_si128( _mm_cvttps_epi32( cells[axis] ), _mm_set1_epi32( (int)sieve->mask[axis] ) );
        bits = _mm_or_si128( bits, _mm_sll_epi32( part, _mm_cvtsi32_si128( (int)sieve->shift[axis] ) ) );
    }
    uint32_t bit[JO_LANES];
    _mm_storeu_si128( (__m128i*)(void*)bit, bits );
    uint32_t lanes = 0;
    for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
    {
        lanes |= ( sieve->words[bit[lane] / 32] >> bit[lane] % 32 & 1 ) << lane;
    }
    return lanes;
}

#include "kernels.inl"

#if defined( __clang__ )
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
