// SPDX-License-Identifier: MIT
// How deep discs of one radius overlap at most, found without anything of jostle's: it judges jostle and
// peers alike.
#pragma once

#include <stdint.h>

// The deepest overlap of two of the discs, 0 if none overlap; -1 if a position is not finite or there is no
// memory. O(count) for discs that are not piled up.
double benchDeepestOverlap( const double* x, const double* y, uint32_t count, double radius );
