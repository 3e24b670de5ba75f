// SPDX-License-Identifier: MIT
// The floating-point environment of computing calls: round to nearest, no flush to zero, no traps. Hosts
// (game engines, audio code) switch flush-to-zero on; a denormal that compares as zero would change answers.
#pragma once

#include <stdint.h>

// Turns contraction to FMA off in this translation unit, for gcc and clang alike. Every source file with
// floating-point arithmetic gets it through this header or through simd/kernels.h.
#if defined( __clang__ )
#pragma STDC FP_CONTRACT OFF
#elif defined( __GNUC__ )
#pragma GCC optimize( "fp-contract=off" )
#endif

typedef struct joFloatEnv
{
    uint64_t saved;
} joFloatEnv;

joFloatEnv joFloatEnv_Enter( void );
void joFloatEnv_Leave( joFloatEnv env );
