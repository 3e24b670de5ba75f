// SPDX-License-Identifier: MIT
// Boxes placed in the world, ready for kernels, and the manifold of two that touch.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_3d.h"
#include "simd/placed_boxes.h"

// Whether all is right with a box and its pose and needs no work: sizes and position are numbers in their
// range, the rotation is a unit one, and there is no local pose. Most are; this says so without a branch.
// Others may be right, too, and are asked joCheckBox3 and joCheckTransform3.
bool joIsPlainBox( const joBox3* box, const joTransform3* pose );

// Whether what floats leave of its position may be other than zero.
bool joHasRest( const joBox3* box );

// `box` and `pose` have been checked.
void joPlaceBox( const joBox3* box, const joTransform3* pose, joPlacedBox* placed, joBoxRest* rest );

// The manifold of the pair in a lane, which touches.
void joFillBoxManifold( const joBoxManifolds* manifolds, uint32_t lane, joManifold3* manifold );
