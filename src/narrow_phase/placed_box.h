// SPDX-License-Identifier: MIT
// Boxes placed in the world, ready for kernels, and the manifold of two that touch.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_3d.h"
#include "simd/placed_boxes.h"

// Whether what floats leave of its position may be other than zero.
bool joHasRest( const joBox3* box );

// `box` and `pose` have been checked.
void joPlaceBox( const joBox3* box, const joTransform3* pose, joPlacedBox* placed, joBoxRest* rest );

// How two boxes touch, as a kernel found out: one lane of a joBoxBlock.
typedef struct joBoxTouch
{
    float depth;
    int axis;
    float normal[3]; // unit, from A to B, in the frame of A
    float worldNormal[3];
    float r[3][3]; // column j is axis j of B in the frame of A
    float t[3];    // the centre of B in the frame of A
} joBoxTouch;

void joFillBoxManifold(
    const joPlacedBoxes* placed, joPair pair, const joBoxTouch* touch, float margin, joManifold3* manifold );
