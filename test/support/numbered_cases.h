// SPDX-License-Identifier: MIT
// Pairs of boxes on which well-known libraries fail, by the number of the fault. 33: shared axes; 35: a deep
// pair; 36: a gap of 1.6 mm; 37: clipping that loses the deepest vertex.
#pragma once

#include "jostle/math.h"

typedef struct NumberedCase
{
    int number;
    joVec3 halfA;
    joQuat rotationA;
    joVec3 positionA;
    joVec3 halfB;
    joQuat rotationB;
    joVec3 positionB;
    double depth, within; // as reported
} NumberedCase;

#define NUMBERED_CASES 4

extern const NumberedCase numberedCases[NUMBERED_CASES];
