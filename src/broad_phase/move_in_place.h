// SPDX-License-Identifier: MIT
// The usual call of MoveBoxes, frame after frame: very many moving boxes, in the order of their slots.
#pragma once

#include "front.h"
#include "input.h"

// Moves them over threads, without a look at the key map, and without a mark for keys that stand twice: slots
// that ascend are different ones. False: it is not such a call, or some element is bad, and nothing has
// changed.
bool joFront_MoveInPlace( joBroadPhase* front, const joInput* input );
