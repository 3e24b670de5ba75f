// SPDX-License-Identifier: MIT
// Picks the kernel table once, at first use: the best this machine runs, or what JOSTLE_ISA names.
#include "kernels.h"

#include "kernel_tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char* const s_isaNames[jo_isaCount] = { "scalar", "sse2", "avx2", "avx512", "neon", "wasm" };

const char* joIsaText( joIsa isa )
{
    return (unsigned)isa < jo_isaCount ? s_isaNames[isa] : "unknown";
}

const joKernels* joGetKernelsOf( joIsa isa )
{
    if ( isa == jo_isaScalar )
    {
        return &joKernelsScalar;
    }
#if defined( JO_HAVE_X86_KERNELS )
    __builtin_cpu_init();
    if ( isa == jo_isaSse2 && __builtin_cpu_supports( "sse2" ) )
    {
        return &joKernelsSse2;
    }
    if ( isa == jo_isaAvx2 && __builtin_cpu_supports( "avx2" ) && __builtin_cpu_supports( "bmi" ) &&
         __builtin_cpu_supports( "popcnt" ) )
    {
        return &joKernelsAvx2;
    }
    if ( isa == jo_isaAvx512 && __builtin_cpu_supports( "avx512f" ) && __builtin_cpu_supports( "avx512bw" ) &&
         __builtin_cpu_supports( "avx512dq" ) && __builtin_cpu_supports( "avx512vl" ) &&
         __builtin_cpu_supports( "bmi2" ) )
    {
        return &joKernelsAvx512;
    }
#endif
    return NULL;
}

static pthread_once_t s_once = PTHREAD_ONCE_INIT;
static const joKernels* s_kernels = &joKernelsScalar;
static joResult s_result = jo_success;

static void pickKernels( void )
{
    const char* wanted = getenv( "JOSTLE_ISA" );
    bool forced = wanted != NULL && wanted[0] != '\0';
    for ( int isa = jo_isaCount - 1; isa >= 0; --isa )
    {
        const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
        if ( kernels != NULL && ( !forced || strcmp( wanted, s_isaNames[isa] ) == 0 ) )
        {
            s_kernels = kernels;
            return;
        }
    }
    // Only a forced name gets here: never fall back in silence.
    s_result = jo_errorUnsupportedIsa;
}

const joKernels* joGetKernels( joResult* result )
{
    pthread_once( &s_once, pickKernels );
    if ( result != NULL )
    {
        *result = s_result;
    }
    return s_kernels;
}

joIsa joGetIsa( void )
{
    return joGetKernels( NULL )->isa;
}
