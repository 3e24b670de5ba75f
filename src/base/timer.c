// SPDX-License-Identifier: MIT
// Monotonic time.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "base/timer.h"

#include <time.h>

uint64_t joGetNanoseconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
