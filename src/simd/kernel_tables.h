// SPDX-License-Identifier: MIT
// The tables that this build has. NEON and WebAssembly get a file each beside these.
#pragma once

#include "kernels.h"

#if ( defined( __x86_64__ ) || defined( __i386__ ) ) && !defined( JOSTLE_SCALAR_ONLY )
#define JO_HAVE_X86_KERNELS 1
extern const joKernels joKernelsSse2;
extern const joKernels joKernelsAvx2;
extern const joKernels joKernelsAvx512;
#endif
extern const joKernels joKernelsScalar;
