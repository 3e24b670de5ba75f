// SPDX-License-Identifier: MIT
// Counts calls of malloc and its relatives in the whole process, from any thread, by standing in front of
// glibc's.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether calls are counted at all: not with another C library than glibc, nor with sanitizers, which do the
// same.
bool benchCountsAllocations( void );

// Calls between these two, on all threads.
void benchStartCounting( void );
uint64_t benchStopCounting( void );
