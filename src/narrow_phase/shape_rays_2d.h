// SPDX-License-Identifier: MIT
// Rays in 2D, in double, about their own start.
#pragma once

#include "jostle/chain_2d.h"
#include "math/wide_vectors.h"

typedef struct joFlatRay
{
    joWide2 origin; // in world space
    joWide2 unit;   // zero where the ray has no direction
    float length;
} joFlatRay;

typedef struct joFlatHit
{
    double distance; // +inf: none so far
    joWide2 normal;
} joFlatHit;

// `ray` has been checked.
joFlatRay joMakeFlatRay( const joRay* ray );

// Where the ray meets the edge between two points, given about its start, if that is nearer than *hit: at 0
// where it starts on it. On
// which side of it a point lies is the same number for all edges that end there: so nothing slips through
// between two that share a point.
void joCrossEdge2( const joFlatRay* ray, joWide2 a, joWide2 b, joFlatHit* hit );

// As joCastRayAtChain2, of what has been checked.
void joCastRayInto2( const joChain2* chain, const joTransform2* pose, const joRay* ray, joChainRayHit2* hit );

// Leaves *hit as it is where nothing was met, or only past the end of the ray. At distance 0 there is no
// normal.
void joTakeFlatHit( const joFlatRay* ray, const joFlatHit* found, joRayHit2* hit );
