// SPDX-License-Identifier: MIT
// The functions of a pair of kinds in 3D, as dispatch_3d.c calls them: on checked input, within the
// floating-point environment, with a->kind <= b->kind, and with the answer already set to "they do not
// touch". They answer in world space, with normals from A to B.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_3d.h"
#include "narrow_phase/dispatch.h"

typedef struct joPlacedPair3
{
    const joShape3* a;
    const joShape3* b;
    const joTransform3* poseA;
    const joTransform3* poseB;
} joPlacedPair3;

// Adding 0 keeps a zero from turning into a negative one.
static inline joVec3 joNegate3( joVec3 v )
{
    return ( joVec3 ){ 0.0f - v.x, 0.0f - v.y, 0.0f - v.z };
}

// The caches may be null, and hold anything.
typedef bool joOverlapPairFcn3( const joPlacedPair3* pair, joCollideCache* cache );
typedef void joCollidePairFcn3(
    const joPlacedPair3* pair, float margin, joCollideCache* cache, joManifold3* manifold );
typedef void joDistancePairFcn3(
    const joPlacedPair3* pair, joCollideCache* cache, joClosestPoints3* closest );
// Of a pair that does not touch at the start, as the collide function of the pair says. B moves.
typedef void joCastPairFcn3(
    const joPlacedPair3* pair, joVec3 motion, joCollideCache* cache, joCastHit3* hit );

// Whether the collide function finds points; and where it does, if `normal` and `depth` are not null, its
// normal and depth. They are left alone where it does not.
typedef bool joDepthPairFcn3( const joPlacedPair3* pair, float margin, joVec3* normal, float* depth );

// The first four, or none.
typedef struct joPairFunctions3
{
    joOverlapPairFcn3* overlap;
    joCollidePairFcn3* collide;
    joDistancePairFcn3* distance;
    joCastPairFcn3* cast;
    joDepthPairFcn3* depth; // null: it would cost no less than collide
} joPairFunctions3;

// A pair that touches at the start has met as its manifold says.
static inline void joTakeTouch3( const joManifold3* manifold, joCastHit3* hit )
{
    const joManifoldPoint3* points = manifold->points;
    *hit = ( joCastHit3 ){ .normal = manifold->normal,
        .point = points[joFindDeepest( &points->depth, sizeof( *points ), manifold->pointCount )].position,
        .depth = manifold->depth > 0.0f ? manifold->depth : 0.0f, // apart by no more than rounding: 0
        .isHit = true,
        .status = manifold->status,
        .child = manifold->child };
}

// As joCast3, of a convex shape and a mesh that touch at the start: a touched triangle of the mesh stops only
// what goes into it, by more than a share `along` of the motion.
joResult joCastOut3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joVec3 motion, double along, joCastHit3* hit );

// Of two kinds in any order. Never null; without functions where there is no such pair.
const joPairFunctions3* joFindPairFunctions3( joShapeKind3 a, joShapeKind3 b );
// Whether any two of the kinds, whose bits are set, have functions.
bool joHaveAllFunctions3( uint32_t kinds );

extern const joPairFunctions3 joSphereSphere3;
extern const joPairFunctions3 joSphereCapsule3;
extern const joPairFunctions3 joCapsuleCapsule3;
extern const joPairFunctions3 joBoxBox3;
extern const joPairFunctions3 joConvexConvex3; // one of them a box or a hull
joDistancePairFcn3 joDistanceConvex3;
joCastPairFcn3 joCastConvex3;
extern const joPairFunctions3 joHalfSpaceBelow3; // of a sphere, a capsule, a box or a hull
extern const joPairFunctions3 joRoundBox3;       // a sphere or a capsule, and a box
extern const joPairFunctions3 joConvexMesh3;     // of a sphere, a capsule, a box or a hull
// The cast of a pair that touches at the start: a touched triangle stops only what goes into it, by more than
// a share `along` of the motion.
void joCastOutOfMesh( const joPlacedPair3* placed, joVec3 motion, double along, joCastHit3* hit );
