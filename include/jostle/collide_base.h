// SPDX-License-Identifier: MIT
// jostle collide base: what shapes and collisions in 2D and 3D share.
#pragma once

#include "math.h"

JO_EXTERN_C_BEGIN

// The largest size of a shape (half extent, radius, coordinate of a vertex), and the largest coordinate of a
// local pose. Below it no sum or product in a collision overflows, and volumes are finite but for a few near
// it.
#define JO_MAX_SIZE 1e12f

// How an answer was found.
typedef enum joCollideStatus
{
    jo_collideComplete = 0,
    // An iteration met its cap: the answer is the best so far. Round shapes and boxes need no iterations.
    jo_collideIterationLimit
} joCollideStatus;

// What a call found out about a pair that may shorten the next call for it. Zero: nothing is known. It
// changes only the speed: any content gives the same answer, to the bit. Give it on with its pair, A and B in
// the same order. Used for overlap and contact of boxes, of polygons, and of a hull with anything convex,
// while they stay apart; distances and casts ignore it.
typedef struct joCollideCache
{
    uint32_t data[4]; // private
} joCollideCache;

JO_EXTERN_C_END
