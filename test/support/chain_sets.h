// SPDX-License-Identifier: MIT
// Chains for the tests of the narrow phase, as points.
#pragma once

#include "reference/chain_reference.h"

#include "jostle/chain_2d.h"

#define CHAIN_SET_MAX_POINTS 20001

typedef enum ChainSort
{
    chain_tangle, // points anywhere within 2 of the origin; crosses itself
    chain_hills,  // heights up to 1 along x, from -4 to 4
    chain_floor,  // the same, flat: y = 0
    chain_ring,   // a loop about a circle of radius 1
    chain_sortCount
} ChainSort;

typedef struct ChainPoints
{
    joVec2 points[CHAIN_SET_MAX_POINTS];
    ReferenceChain reference; // points to them
} ChainPoints;

void chainMakePoints( ChainSort sort, uint32_t count, uint64_t* random, ChainPoints* made );

// To be freed with joDestroyChain2( chain, NULL ).
joChain2* chainMake( const ChainPoints* points );
