// SPDX-License-Identifier: MIT
// The oracle of pairs between two sets, by trying each object of one with each of the other. Shares no code
// with the library.
#pragma once

#include "reference_pairs.h"

// Pairs (key of a, key of b), sorted. However the objects take part: static with static counts.
void refFindPairsBetween(
    const refObject* a, size_t countA, const refObject* b, size_t countB, int axisCount, refPairs* pairs );
