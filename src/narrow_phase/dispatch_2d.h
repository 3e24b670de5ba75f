// SPDX-License-Identifier: MIT
// The functions of a pair of kinds in 2D, as dispatch_2d.c calls them: on checked input, within the
// floating-point environment, with a->kind <= b->kind, and with the answer already set to "they do not
// touch". They answer in world space, with normals from A to B.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_2d.h"
#include "narrow_phase/dispatch.h"

typedef struct joPlacedPair2
{
    const joShape2* a;
    const joShape2* b;
    const joTransform2* poseA;
    const joTransform2* poseB;
} joPlacedPair2;

// Adding 0 keeps a zero from turning into a negative one.
static inline joVec2 joNegate2( joVec2 v )
{
    return ( joVec2 ){ 0.0f - v.x, 0.0f - v.y };
}

// As it is with A and B swapped.
static inline void joTurnManifold2( joManifold2* manifold )
{
    manifold->normal = joNegate2( manifold->normal );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        const uint32_t id = manifold->points[i].featureId;
        manifold->points[i].featureId = id >> 16 | id << 16;
    }
}

// The caches may be null, and hold anything.
typedef bool joOverlapPairFcn2( const joPlacedPair2* pair, joCollideCache* cache );
typedef void joCollidePairFcn2(
    const joPlacedPair2* pair, float margin, joCollideCache* cache, joManifold2* manifold );
typedef void joDistancePairFcn2(
    const joPlacedPair2* pair, joCollideCache* cache, joClosestPoints2* closest );
// Of a pair that does not touch at the start, as the collide function of the pair says. B moves.
typedef void joCastPairFcn2(
    const joPlacedPair2* pair, joVec2 motion, joCollideCache* cache, joCastHit2* hit );

// All four, or none.
typedef struct joPairFunctions2
{
    joOverlapPairFcn2* overlap;
    joCollidePairFcn2* collide;
    joDistancePairFcn2* distance;
    joCastPairFcn2* cast;
} joPairFunctions2;

extern const joPairFunctions2 joRoundRound2; // of circles and capsules
// Of convex shapes, one of them a polygon or a segment.
extern const joPairFunctions2 joConvexConvex2;
extern const joPairFunctions2 joConvexChain2; // of a convex shape and a chain
// The cast of a pair that touches at the start: a touched segment stops only what goes into it, by more than
// a share `along` of the motion.
void joCastOutOfChain( const joPlacedPair2* placed, joVec2 motion, double along, joCastHit2* hit );

// A pair that touches at the start has met as its manifold says.
static inline void joTakeTouch2( const joManifold2* manifold, joCastHit2* hit )
{
    const joManifoldPoint2* points = manifold->points;
    *hit = ( joCastHit2 ){ .normal = manifold->normal,
        .point = points[joFindDeepest( &points->depth, sizeof( *points ), manifold->pointCount )].position,
        .depth = manifold->depth > 0.0f ? manifold->depth : 0.0f, // apart by no more than rounding: 0
        .isHit = true,
        .status = manifold->status,
        .child = manifold->child };
}

// As joCast2, of a convex shape and a chain that touch at the start: a touched segment of the chain stops
// only what goes into it, by more than a share `along` of the motion.
joResult joCastOut2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joVec2 motion, double along, joCastHit2* hit );

// Of two kinds in any order. Never null; without functions where there is no such pair.
const joPairFunctions2* joFindPairFunctions2( joShapeKind2 a, joShapeKind2 b );
// Whether any two of the kinds, whose bits are set, have functions.
bool joHaveAllFunctions2( uint32_t kinds );
