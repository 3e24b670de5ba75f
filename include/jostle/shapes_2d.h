// SPDX-License-Identifier: MIT
// jostle shapes in 2D. Plain structs of the caller, in the frame of their body. For each kind there are the
// same functions with another name: joCheckCircle2, joComputeCircleBounds2 and so on; and ones for a
// joShape2, which is any of them.
//
// Sizes are world units from 0 to JO_MAX_SIZE; a size of zero is allowed. Functions but checks and rays
// expect what the check lets pass. All cost no more than O(vertices), are the same bits everywhere, and
// thread-safe.
#pragma once

#include "collide_base.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_POLYGON_VERTICES 16

typedef struct joCircle2
{
    joVec2 center; // coordinates up to JO_MAX_SIZE
    float radius;  // 0 to JO_MAX_SIZE
} joCircle2;

// All points within the radius of the segment from a to b, which may be one point.
typedef struct joCapsule2
{
    joVec2 a, b;  // coordinates up to JO_MAX_SIZE
    float radius; // 0 to JO_MAX_SIZE
} joCapsule2;

// All points within the radius of a convex polygon.
typedef struct joPolygon2
{
    joVec2 vertices[JO_MAX_POLYGON_VERTICES]; // counter-clockwise
    joVec2 normals[JO_MAX_POLYGON_VERTICES];  // unit, out of the edge from vertex i to the next
    uint32_t count;
    float radius; // 0 to JO_MAX_SIZE
} joPolygon2;

// A segment without thickness; it has two sides.
typedef struct joSegment2
{
    joVec2 a, b; // coordinates up to JO_MAX_SIZE
} joSegment2;

typedef enum joShapeKind2
{
    jo_circleShape2 = 0,
    jo_capsuleShape2,
    jo_polygonShape2,
    jo_segmentShape2,
    jo_shapeKindCount2
} joShapeKind2;

// Any shape.
typedef struct joShape2
{
    joShapeKind2 kind;
    union
    {
        joCircle2 circle;
        joCapsule2 capsule;
        const joPolygon2* polygon; // borrowed
        joSegment2 segment;
    };
} joShape2;

// Checks. Errors of all: jo_errorNullArgument; jo_errorNotANumber; jo_errorBadShape (a size is negative or
// above JO_MAX_SIZE, or a coordinate above it).
JO_API joResult joCheckCircle2( const joCircle2* circle );
JO_API joResult joCheckCapsule2( const joCapsule2* capsule );
// Also jo_errorBadShape for a kind that is none.
JO_API joResult joCheckShape2( const joShape2* shape );
// A pose as collisions take it. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorBadPose (a position
// infinite, a rotation infinite or zero).
JO_API joResult joCheckTransform2( const joTransform2* pose );

// The bounds of the shape when its body is in `pose`: rounded outwards, so that they hold all of it, and no
// more than one float larger than they must be.
JO_API joBounds2 joComputeCircleBounds2( const joCircle2* circle, joTransform2 pose );
JO_API joBounds2 joComputeCapsuleBounds2( const joCapsule2* capsule, joTransform2 pose );
JO_API joBounds2 joComputeShapeBounds2( const joShape2* shape, joTransform2 pose );

// Bounds that hold the shape all the way while its body moves straight from one pose to another and turns in
// any way between. Where both poses have the same rotation, it is taken not to turn, and the bounds are the
// least; else they hold every rotation.
JO_API joBounds2 joComputeCircleSweptBounds2( const joCircle2* circle, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputeCapsuleSweptBounds2(
    const joCapsule2* capsule, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputeShapeSweptBounds2( const joShape2* shape, joTransform2 from, joTransform2 to );

JO_EXTERN_C_END
