// SPDX-License-Identifier: MIT
// jostle collide in 3D. What holds for all calls stands in collide.h.
#pragma once

#include "shapes_3d.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_MANIFOLD_POINTS3 4

typedef struct joManifoldPoint3
{
    joVec3 position; // in world space, midway between the two surfaces along the normal
    // How deep the surfaces are in each other here, along the normal; negative: how far they are apart.
    float depth;
    // Which vertices and edges made the point. Differs within a manifold, stays the same while the shapes
    // move little, and does not depend on which of the two is A, unless they are as large as each other.
    // Never 0.
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
    uint32_t child; // the deepest triangle of the mesh, if one of the two is a mesh; else 0
} joManifold3;

// How far two shapes are apart, and where they are nearest.
typedef struct joClosestPoints3
{
    float distance;        // >= 0; 0: they touch or overlap
    joVec3 pointA, pointB; // in world space, on A and on B; where they overlap both are one point of the two
    joVec3 normal;         // unit, from A to B; zero where they overlap
    joCollideStatus status;
    uint32_t child; // the nearest triangle of the mesh, if one of the two is a mesh; else 0
} joClosestPoints3;

// When a moving shape meets another.
typedef struct joCastHit3
{
    float fraction; // of the motion, 0 to 1; 1 where they do not meet
    joVec3 normal;  // unit, from A to B, when they meet; zero where they do not
    joVec3 point;   // in world space, where they touch when they meet; zero where they do not
    float depth;    // how deep they overlap at the start, as joCollide3 says; else 0
    bool isHit;
    joCollideStatus status;
    uint32_t child; // the triangle of the mesh that is met, if one of the two is a mesh; else 0
} joCastHit3;

// All four take any two shapes with their poses, in either order. `cache` may be null. They need less than 48
// KB of stack, whatever the shapes, and allocate nothing.
// Errors: jo_errorNullArgument; those of joCheckShape3 and joCheckTransform3; jo_errorNoSuchPair. After an
// error the answer is that they do not touch: no overlap, no points, no hit, distance +inf.

// *overlaps: whether they touch.
JO_API joResult joOverlap3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps );

// *manifold: how they touch, or come as near as `margin` (world units, 0 to JO_MAX_SIZE; else
// jo_errorNotANumber, jo_errorBadRadius): then there are 1 to 4 points, the deepest among them, none of them
// farther apart than the margin, but for rounding.
JO_API joResult joCollide3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold );

// *closest: how far they are apart, and where they are nearest.
JO_API joResult joDistance3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, joClosestPoints3* closest );

// *hit: when they meet while B moves by `motion` (world units, finite; else jo_errorNotANumber,
// jo_errorBadRay) and turns not, and A stays where it is. Where they touch or overlap at the start they meet
// at fraction 0, whatever the motion, with the normal and depth of joCollide3.
JO_API joResult joCast3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joVec3 motion, joCollideCache* cache, joCastHit3* hit );

// How one triangle of a mesh touches a shape.
typedef struct joMeshContact3
{
    uint32_t triangle;    // as joCreateMesh3 was given it
    joManifold3 manifold; // normal from the mesh to the shape; depth: of the shape and this triangle alone
} joMeshContact3;

// All triangles of a mesh that touch a sphere, capsule, box or hull, or come as near as `margin` (as for
// joCollide3), each with its manifold. A direction counts only where the surface ends along it: of triangles
// that share an edge which does not stand out, the one over which the shape is has the contact, and none has
// the normal of the edge. Triangles are two-sided.
//
// The first `capacity` go into `contacts` (null with capacity 0), in an order that depends on the mesh only;
// *count gets how many there are. Expected O(log n) and what is near; nothing is allocated.
// Errors: jo_errorNullArgument; those of joCheckMesh3, joCheckShape3 and joCheckTransform3;
// jo_errorNotANumber, jo_errorBadRadius (margin); jo_errorNoSuchPair (a half-space, a mesh).
JO_API joResult joCollideMesh3( const joMesh3* mesh, const joTransform3* poseMesh, const joShape3* shape,
    const joTransform3* poseShape, float margin, joMeshContact3* contacts, uint32_t capacity,
    uint32_t* count );

// The same for two boxes, without the way through a table.
//
// Separating axes, 15 of them (Gottschalk, Lin and Manocha, "OBBTree: A Hierarchical Structure for Rapid
// Interference Detection", 1996); the points by clipping one box's face against the other's along the normal.
JO_API joResult joOverlapBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps );
JO_API joResult joCollideBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold );

JO_EXTERN_C_END
