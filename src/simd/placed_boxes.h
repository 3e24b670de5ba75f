// SPDX-License-Identifier: MIT
// Boxes in 3D as kernels read them, and what kernels tell of pairs of them.
#pragma once

#include "jostle/base.h"

// A box in the world. Pairs stream them from memory: ten floats and no more. Quads from a multiple of
// JO_BOX_QUADS_APART on hold position, half extents and rotation.
typedef struct joPlacedBox
{
    float position[3]; // of the centre
    float half[3];     // half extents
    float rotation[4]; // quaternion x y z w, of unit length to JO_BOX_LENGTH_ERROR
} joPlacedBox;

#define JO_BOX_FLOATS 10
#define JO_BOX_QUADS_APART 3
_Static_assert( sizeof( joPlacedBox ) == JO_BOX_FLOATS * sizeof( float ), "no padding" );

// What the floats leave of a box's position: both together are good to 48 bits. Zero for a box without a
// local pose.
typedef struct joBoxRest
{
    float position[3];
    uint32_t padding;
} joBoxRest;

// Boxes that pairs name by index.
typedef struct joPlacedBoxes
{
    const joPlacedBox* boxes;
    const joBoxRest* rests; // null: all are zero
} joPlacedBoxes;

// How far the squared length of a rotation may be from 1: little more than the rounding of four floats.
#define JO_BOX_LENGTH_ERROR 0x1p-22

// Pairs that one call of a kernel takes at most.
#define JO_BOX_BLOCK 16

// Axes by number: faces of A, faces of B, edge i of A with edge j of B.
#define JO_BOX_FACE_B 3
#define JO_BOX_EDGES 6
#define JO_BOX_AXIS_COUNT 15

// See narrow_phase/tolerance.h.
typedef struct joBoxTolerance
{
    float parallelSineSq;
    float tie;
    float slop;
} joBoxTolerance;

// What kernels find out about a block of pairs: the unit normal from A to B, and the depth along it. Those
// that are apart have no meaningful numbers.
typedef struct joBoxBlock
{
    float rows[JO_BOX_BLOCK][4];
} joBoxBlock;

#define JO_MAX_BOX_POINTS 4

// Manifolds as records: normal, depth, four times a position, a depth and a feature id, then how many points
// there are, and zeros (joManifold3, which is without the last one). The first point is the deepest.
#define JO_BOX_RECORD_FLOATS 28

typedef struct joBoxManifolds
{
    float records[JO_BOX_BLOCK][JO_BOX_RECORD_FLOATS];
} joBoxManifolds;
