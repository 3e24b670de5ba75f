// SPDX-License-Identifier: MIT
// Round shapes as kernels read them, and what kernels tell of pairs of them. A round shape is all that lies
// within its radius of a segment, its core; that of a circle or a sphere is a point.
#pragma once

#include "jostle/base.h"

// The core is turned into the world. Of a circle kernels read no more than the first JO_PLACED_CIRCLE_SIZE
// bytes.
typedef struct joPlacedRound2
{
    float position[2]; // of its body
    float radius;
    float length;       // of the core, before it was turned: so rounding has no say between two of one length
    float start[2];     // of the core, from the position, as a float
    float startRest[2]; // what the float leaves of it: both together are good to 48 bits
    float along[2];     // from there to its end
    float alongRest[2];
} joPlacedRound2;

#define JO_PLACED_CIRCLE_SIZE 32u
#define JO_PLACED_DOT_SIZE 16u

// The same in 3D, and of a sphere the first JO_PLACED_SPHERE_SIZE bytes.
typedef struct joPlacedRound3
{
    float position[3];
    float radius;
    float start[3];
    float length;
    float startRest[4]; // of these and those below the last number is padding
    float along[4];
    float alongRest[4];
} joPlacedRound3;

#define JO_PLACED_SPHERE_SIZE 48u

_Static_assert( sizeof( joPlacedRound2 ) == 48 && sizeof( joPlacedRound3 ) == 80, "quads" );

// How many of a pair of round shapes may have a core with length: B alone, or both. Dots have none, and are
// where their bodies are: of them the first JO_PLACED_DOT_SIZE bytes tell all.
typedef enum joRoundCores
{
    jo_dots = 0,
    jo_noCores,
    jo_coreOfB,
    jo_bothCores
} joRoundCores;

// Pairs that one call of a kernel takes at most.
#define JO_ROUND_BLOCK 16

#define JO_ROUND_RECORD_FLOATS 12

// What kernels find out about a block of pairs: a record each, and bits of what is true of a pair. Those that
// are apart have no meaningful numbers.
typedef struct joRoundBlock
{
    // What a manifold begins with, a joManifold2 or joManifold3, as far as its first point: so it is copied
    // as it stands. Unit normal from A to B; depth; the point, midway between the surfaces, where they are
    // deepest in each other; its depth; its id, the bits of an integer.
    float records[JO_ROUND_BLOCK][JO_ROUND_RECORD_FLOATS];
    uint32_t areCrossing; // 3D: the cores cross, or all but do: numbers have no meaning
    uint32_t areAlike;    // the cores go the same way, or the opposite one: they may touch at two points
} joRoundBlock;

// See narrow_phase/tolerance.h.
typedef struct joRoundTolerance
{
    double crossing; // of the lengths of the cores: nearer than this they all but cross
    double sineSq;   // of the angle of cores that go alike
    double tie;      // of the lengths of the cores: a later way apart is taken if it is better by this
} joRoundTolerance;
