// SPDX-License-Identifier: MIT
// jostle collide in 2D. What holds for all calls stands in collide.h.
#pragma once

#include "shapes_2d.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_MANIFOLD_POINTS2 2

typedef struct joManifoldPoint2
{
    joVec2 position; // in world space, midway between the two surfaces along the normal
    // How deep the surfaces are in each other here, along the normal; negative: how far they are apart.
    float depth;
    // Which vertex or edge of A (lower 16 bits) and of B (upper 16 bits) made the point. Differs within a
    // manifold, and stays the same while the shapes move little. Never 0.
    uint32_t featureId;
} joManifoldPoint2;

// How two shapes touch. All zero where they are farther apart than the margin.
typedef struct joManifold2
{
    joVec2 normal; // unit, from A to B
    // Moving B by depth * normal (or A the other way) parts the two, and no shorter way does. Negative: they
    // are this far apart, within the margin.
    float depth;
    joManifoldPoint2 points[JO_MAX_MANIFOLD_POINTS2];
    uint32_t pointCount; // 0: they do not touch
    joCollideStatus status;
    uint32_t child; // the deepest segment of the chain, if one of the two is a chain; else 0
} joManifold2;

// How far two shapes are apart, and where they are nearest.
typedef struct joClosestPoints2
{
    float distance;        // >= 0; 0: they touch or overlap
    joVec2 pointA, pointB; // in world space, on A and on B; where they overlap both are one point of the two
    joVec2 normal;         // unit, from A to B; zero where they overlap
    joCollideStatus status;
    uint32_t child; // the nearest segment of the chain, if one of the two is a chain; else 0
} joClosestPoints2;

// When a moving shape meets another.
typedef struct joCastHit2
{
    float fraction; // of the motion, 0 to 1; 1 where they do not meet
    joVec2 normal;  // unit, from A to B, when they meet; zero where they do not
    joVec2 point;   // in world space, where they touch when they meet; zero where they do not
    float depth;    // how deep they overlap at the start, as joCollide2 says; else 0
    bool isHit;
    joCollideStatus status;
    uint32_t child; // the segment of the chain that is met, if one of the two is a chain; else 0
} joCastHit2;

// All four take any two shapes with their poses, in either order. `cache` may be null.
// Errors: jo_errorNullArgument; those of joCheckShape2 and joCheckTransform2; jo_errorNoSuchPair. After an
// error the answer is that they do not touch: no overlap, no points, no hit, distance +inf.

// *overlaps: whether they touch.
JO_API joResult joOverlap2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, bool* overlaps );

// *manifold: how they touch, or come as near as `margin` (world units, 0 to JO_MAX_SIZE; else
// jo_errorNotANumber, jo_errorBadRadius): then there are 1 or 2 points, the deepest among them, none of them
// farther apart than the margin, but for rounding.
JO_API joResult joCollide2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, float margin, joCollideCache* cache, joManifold2* manifold );

// *closest: how far they are apart, and where they are nearest.
JO_API joResult joDistance2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, joClosestPoints2* closest );

// *hit: when they meet while B moves by `motion` (world units, finite; else jo_errorNotANumber,
// jo_errorBadRay) and turns not, and A stays where it is. Where they touch or overlap at the start they meet
// at fraction 0, whatever the motion, with the normal and depth of joCollide2.
JO_API joResult joCast2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joVec2 motion, joCollideCache* cache, joCastHit2* hit );

// How one segment of a chain touches a shape.
typedef struct joChainContact2
{
    uint32_t segment;     // from this point of joCreateChain2 to the next
    joManifold2 manifold; // normal from the chain to the shape; depth: of the shape and this segment alone
} joChainContact2;

// All segments of a chain that touch a circle, capsule, polygon or segment, or come as near as `margin` (as
// for joCollide2), each with its manifold. A direction counts only where the chain ends along it: of segments
// that share a point which does not stand out, the one over which the shape is has the contact, and none has
// a normal of the point. Segments are two-sided.
//
// The first `capacity` go into `contacts` (null with capacity 0), in the order of the segments; *count gets
// how many there are. Expected O(log n) and what is near; nothing is allocated. Errors: jo_errorNullArgument;
// those of joCheckChain2, joCheckShape2 and joCheckTransform2; jo_errorNotANumber, jo_errorBadRadius
// (margin); jo_errorNoSuchPair (a chain).
JO_API joResult joCollideChain2( const joChain2* chain, const joTransform2* poseChain, const joShape2* shape,
    const joTransform2* poseShape, float margin, joChainContact2* contacts, uint32_t capacity,
    uint32_t* count );

JO_EXTERN_C_END
