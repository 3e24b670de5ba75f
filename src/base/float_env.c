// SPDX-License-Identifier: MIT
// The floating-point environment of computing calls. Round to nearest, denormals kept, exceptions masked:
// what the C standard calls the default, and what the kernels' answers are defined in.
#include "base/float_env.h"

#if defined( __SSE__ )

#include <xmmintrin.h>

// All exceptions masked, round to nearest, flush-to-zero and denormals-are-zero off, no flags raised.
#define MXCSR_DEFAULT 0x1F80u
// The raised flags: left alone where nothing else differs, as writing the register stalls the pipeline.
#define MXCSR_FLAGS 0x003Fu

joFloatEnv joFloatEnv_Enter( void )
{
    uint32_t saved = _mm_getcsr();
    if ( ( saved & ~MXCSR_FLAGS ) != MXCSR_DEFAULT )
    {
        _mm_setcsr( MXCSR_DEFAULT );
    }
    return ( joFloatEnv ){ saved };
}

void joFloatEnv_Leave( joFloatEnv env )
{
    // Elsewhere than in the default mode the flags come back as they were, too: with exceptions unmasked, a
    // flag that our arithmetic raised must not reach the host. In it a raised flag does nothing, and is left,
    // as functions of the C library leave it: to read the register waits for all arithmetic before it, which
    // would keep a short call, like a ray, from overlapping with the next.
    uint32_t saved = (uint32_t)env.saved;
    if ( ( saved & ~MXCSR_FLAGS ) != MXCSR_DEFAULT )
    {
        _mm_setcsr( saved );
    }
}

#elif defined( __aarch64__ )

joFloatEnv joFloatEnv_Enter( void )
{
    uint64_t saved;
    __asm__ volatile( "mrs %0, fpcr" : "=r"( saved ) );
    // Zero is round to nearest, no flush to zero, no default NaN, no traps.
    if ( saved != 0 )
    {
        uint64_t zero = 0;
        __asm__ volatile( "msr fpcr, %0" : : "r"( zero ) : "memory" );
    }
    return ( joFloatEnv ){ saved };
}

void joFloatEnv_Leave( joFloatEnv env )
{
    if ( env.saved != 0 )
    {
        __asm__ volatile( "msr fpcr, %0" : : "r"( env.saved ) : "memory" );
    }
}

#else

#include <fenv.h>

joFloatEnv joFloatEnv_Enter( void )
{
    int saved = fegetround();
#if defined( FE_TONEAREST )
    if ( saved != FE_TONEAREST )
    {
        fesetround( FE_TONEAREST );
    }
#endif
    return ( joFloatEnv ){ (uint64_t)(int64_t)saved };
}

void joFloatEnv_Leave( joFloatEnv env )
{
    fesetround( (int)(int64_t)env.saved );
}

#endif
