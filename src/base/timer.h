// SPDX-License-Identifier: MIT
// Monotonic time.
#pragma once

#include <stdint.h>

// Nanoseconds since some fixed moment. Never goes back. Thread-safe.
uint64_t joGetNanoseconds( void );
