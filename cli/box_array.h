// SPDX-License-Identifier: MIT
// Boxes as the program and the bench keep them: a plain array of 6 floats a box, lower x y z then upper
// x y z. In 2D both z are 0, so that the same array can be read with 2 axes or with 3.
#pragma once

#include "jostle/broad_phase.h"

#define JO_BOX_FLOATS 6

// The array as columns, without a copy: keys are the indices, all layers meet.
joBoxes joViewBoxArray( const float* boxes, uint32_t count );
