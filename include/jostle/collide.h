// SPDX-License-Identifier: MIT
// jostle collide: whether, where and how deep two shapes touch.
//
// There are boxes in 3D; other pairs of kinds take the same form: joOverlap..3 and joCollide..3 with two
// shapes and their poses, and the twins in 2D, with joManifold2 of up to two points.
//
// The same for all:
// - shapes are closed: what touches overlaps, with depth 0;
// - a relative pose is computed in double. So the answer is as good far from the origin as near it, but for
// the
//   positions of contact points, which are floats in world space. The normal is good to 1e-6, the depth to
//   1e-6 of the sizes of the shapes (the sum of their half extents) and their distance; see
//   src/narrow_phase/tolerance.h;
// - swapping A and B turns the normal round, and changes all else by no more than rounding, where one
//   direction is better than all others. Where several are equally good the first in a fixed order is taken:
//   faces of A, faces of B, edges. So give the pairs of a list in one order, the lower key first;
// - degenerate shapes (no size on some axes, or on all), parallel edges and equal centres give finite
// answers;
// - a bad shape or pose is refused, and the answer is that nothing touches;
// - calls keep no state, allocate nothing, cost O(1), are thread-safe and give the same bits everywhere.
#pragma once

#include "shapes.h"

JO_EXTERN_C_BEGIN

// How an answer was found.
typedef enum joCollideStatus
{
    jo_collideComplete = 0,
    // An iteration met its cap: the answer is the best so far. Boxes need no iterations.
    jo_collideIterationLimit
} joCollideStatus;

#define JO_MAX_MANIFOLD_POINTS3 4

typedef struct joManifoldPoint3
{
    joVec3 position; // in world space, midway between the two surfaces along the normal
    // How deep the surfaces are in each other here, along the normal; negative: how far they are apart.
    float depth;
    // Which vertices and edges made the point. Differs within a manifold, stays the same while the shapes
    // move little, and does not depend on which of the two is A. Never 0.
    uint32_t featureId;
} joManifoldPoint3;

// How two shapes touch. All zero where they are farther apart than the margin.
typedef struct joManifold3
{
    joVec3 normal; // unit, from A to B
    // Moving B by depth * normal (or A the other way) parts the two, and no shorter way does. Negative: along
    // the normal they are this far apart, within the margin; their distance is at least that.
    float depth;
    joManifoldPoint3 points[JO_MAX_MANIFOLD_POINTS3];
    uint32_t pointCount; // 0: they do not touch
    joCollideStatus status;
} joManifold3;

// What a call found out about a pair that may shorten the next call for it. Zero: nothing is known. It
// changes only the speed: any content gives the same answer, to the bit. Give it on with its pair, A and B in
// the same order.
typedef struct joCollideCache
{
    uint32_t data[4]; // private
} joCollideCache;

// *overlaps: whether two boxes touch. `cache` may be null.
// Errors: jo_errorNullArgument, and those of joCheckBox3 and joCheckTransform3; *overlaps is then false.
JO_API joResult joOverlapBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps );

// *manifold: how two boxes touch, or come as near as `margin` (world units, 0 to JO_MAX_SIZE): then there are
// 1 to 4 points, the deepest among them, none of them farther apart than the margin, but for rounding.
// `cache` may be null.
//
// Separating axes, 15 of them (Gottschalk, Lin and Manocha, "OBBTree: A Hierarchical Structure for Rapid
// Interference Detection", 1996); the points by clipping one box's face against the other's along the normal.
// Errors: jo_errorNullArgument; jo_errorBadRadius (of the margin); those of joCheckBox3 and
// joCheckTransform3. The manifold is then all zero.
JO_API joResult joCollideBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold );

JO_EXTERN_C_END
