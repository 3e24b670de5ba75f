// SPDX-License-Identifier: MIT
// What the calls on any two shapes share in 2D and 3D.
#pragma once

#include "base/assert.h"
#include "base/float_env.h"

#include <stddef.h>

// Of checks, the first that failed.
static inline joResult joFirstError( const joResult* results, uint32_t count )
{
    joResult first = jo_success;
    for ( uint32_t i = 0; i < count; ++i )
    {
        first = first ? first : results[i];
    }
    return first;
}

// In a table of kindCount x kindCount entries by the kinds of A and B, the lower first.
static inline const void* joFindInPairTable(
    const void* const* table, uint32_t kindCount, uint32_t a, uint32_t b )
{
    return a <= b ? table[a * kindCount + b] : table[b * kindCount + a];
}

// Whether it has an entry for any two of the kinds, whose bits are set.
static inline bool joHasAllPairs( const void* const* table, uint32_t kindCount, uint32_t kinds )
{
    for ( uint32_t i = 0; i < kindCount * kindCount; ++i )
    {
        const uint32_t a = i / kindCount, b = i % kindCount;
        if ( ( kinds >> a & kinds >> b & 1 ) && joFindInPairTable( table, kindCount, a, b ) == NULL )
        {
            return false;
        }
    }
    return true;
}

// Ends a call that has entered the library's floating-point environment, and tells of misuse.
static inline joResult joLeaveCall( joFloatEnv env, joResult result )
{
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

// Which of the points of a manifold is deepest; of several the first. `depth` is that of the first point, and
// `stride` the size of a point.
static inline uint32_t joFindDeepest( const float* depth, size_t stride, uint32_t count )
{
    uint32_t deepest = 0;
    float most = *depth;
    for ( uint32_t i = 1; i < count; ++i )
    {
        float next = *(const float*)( (const char*)depth + i * stride );
        deepest = next > most ? i : deepest;
        most = next > most ? next : most;
    }
    return deepest;
}

// A coordinate of what has gone a part of a motion.
static inline float joMoveAlong( float start, float fraction, float motion )
{
    return (float)( (double)start + (double)fraction * (double)motion );
}
