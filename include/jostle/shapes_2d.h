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

// Mass, and how it is spread, in the frame of the body.
typedef struct joMassData2
{
    float mass;    // >= 0
    joVec2 center; // of mass
    float inertia; // about the centre of mass
} joMassData2;

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

// All points within the radius of a convex polygon. Make it with joMakePolygon2 or joMakeBox2; the radius may
// be set afterwards.
typedef struct joPolygon2
{
    joVec2 vertices[JO_MAX_POLYGON_VERTICES]; // counter-clockwise; coordinates up to JO_MAX_SIZE
    joVec2 normals[JO_MAX_POLYGON_VERTICES];  // unit, out of the edge from vertex i to the next
    joVec2 center;                            // of the bounds of the vertices
    float extent;                             // how far a vertex is from the centre on x or on y, at most
    float radius;                             // 0 to JO_MAX_SIZE
    uint32_t count;                           // of vertices, 1 to JO_MAX_POLYGON_VERTICES
} joPolygon2;

// A segment without thickness; it has two sides.
typedef struct joSegment2
{
    joVec2 a, b; // coordinates up to JO_MAX_SIZE
} joSegment2;

// Segments that do not move, each joined to the next.
typedef struct joChain2 joChain2;

typedef enum joShapeKind2
{
    jo_circleShape2 = 0,
    jo_capsuleShape2,
    jo_polygonShape2,
    jo_segmentShape2,
    jo_chainShape2,
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
        const joChain2* chain; // borrowed
    };
} joShape2;

// The convex hull of points, in any order, given back with the leftmost vertex first. Points within it or on
// it, repeated ones, and corners that stand out by less than a millionth of the hull's size, are left out. It
// costs O(points * vertices).
// Errors: jo_errorNullArgument; jo_errorNotANumber, jo_errorBadShape (a coordinate, or the radius, as in the
// checks); jo_errorBadCount (fewer than 3 points, or the hull has too many vertices); jo_errorBadShape (the
// points lie in one line, but for a millionth of its length, or on one spot). *polygon is then as it was.
// *badIndex (may be null): the first bad point, or one vertex too many; JO_NULL_INDEX where it is not for one
// of them.
JO_API joResult joMakePolygon2(
    const joVec2* points, uint32_t count, float radius, joPolygon2* polygon, uint32_t* badIndex );

// A box around the origin of its body, without a radius. Where a half extent is 0 it has two vertices, where
// both are 0 one.
JO_API joPolygon2 joMakeBox2( float halfX, float halfY );

// Checks. Errors of all: jo_errorNullArgument; jo_errorNotANumber; jo_errorBadShape (a size is negative or
// above JO_MAX_SIZE, or a coordinate above it).
JO_API joResult joCheckCircle2( const joCircle2* circle );
JO_API joResult joCheckCapsule2( const joCapsule2* capsule );
// Also jo_errorBadShape for what joMakePolygon2 would not have made: too few or too many vertices, not
// convex, not counter-clockwise, normals that do not belong to the edges.
JO_API joResult joCheckPolygon2( const joPolygon2* polygon );
JO_API joResult joCheckSegment2( const joSegment2* segment );
// Also jo_errorBadShape for a kind that is none.
JO_API joResult joCheckShape2( const joShape2* shape );
// A pose as collisions take it. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorBadPose (a position
// infinite, a rotation infinite or zero).
JO_API joResult joCheckTransform2( const joTransform2* pose );

// The bounds of the shape when its body is in `pose`: rounded outwards, so that they hold all of it, and no
// more than one float larger than they must be.
JO_API joBounds2 joComputeCircleBounds2( const joCircle2* circle, joTransform2 pose );
JO_API joBounds2 joComputeCapsuleBounds2( const joCapsule2* capsule, joTransform2 pose );
JO_API joBounds2 joComputePolygonBounds2( const joPolygon2* polygon, joTransform2 pose );
JO_API joBounds2 joComputeSegmentBounds2( const joSegment2* segment, joTransform2 pose );
JO_API joBounds2 joComputeShapeBounds2( const joShape2* shape, joTransform2 pose );

// Bounds that hold the shape all the way while its body moves straight from one pose to another and turns in
// any way between. Where both poses have the same rotation, it is taken not to turn, and the bounds are the
// least; else they hold every rotation.
JO_API joBounds2 joComputeCircleSweptBounds2( const joCircle2* circle, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputeCapsuleSweptBounds2(
    const joCapsule2* capsule, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputePolygonSweptBounds2(
    const joPolygon2* polygon, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputeSegmentSweptBounds2(
    const joSegment2* segment, joTransform2 from, joTransform2 to );
JO_API joBounds2 joComputeShapeSweptBounds2( const joShape2* shape, joTransform2 from, joTransform2 to );

// A point of the shape that lies farthest in a direction, both in the frame of the body.
JO_API joVec2 joFindPolygonSupport2( const joPolygon2* polygon, joVec2 direction );
JO_API joVec2 joFindSegmentSupport2( const joSegment2* segment, joVec2 direction );

// With its radius.
JO_API float joComputePolygonArea2( const joPolygon2* polygon );
// `density` is mass per area, >= 0. Of a polygon without area the centre is that of its vertices' bounds.
JO_API joMassData2 joComputePolygonMass2( const joPolygon2* polygon, float density );

JO_API float joComputeCircleArea2( const joCircle2* circle );
JO_API float joComputeCapsuleArea2( const joCapsule2* capsule );

// `density` is mass per area, >= 0.
JO_API joMassData2 joComputeCircleMass2( const joCircle2* circle, float density );
JO_API joMassData2 joComputeCapsuleMass2( const joCapsule2* capsule, float density );

// The point that lies farthest in a direction, both in the frame of the body; for a zero direction the
// centre, or the end a.
JO_API joVec2 joFindCircleSupport2( const joCircle2* circle, joVec2 direction );
JO_API joVec2 joFindCapsuleSupport2( const joCapsule2* capsule, joVec2 direction );

// Of any shape, as above. A segment and a chain have neither area nor mass: all is 0.
JO_API float joComputeShapeArea2( const joShape2* shape );
JO_API joMassData2 joComputeShapeMass2( const joShape2* shape, float density );
JO_API joVec2 joFindShapeSupport2( const joShape2* shape, joVec2 direction );

// Where a ray in world space enters a shape. Nothing met: distance +inf, the rest zero.
typedef struct joRayHit2
{
    float distance; // world units along the ray, 0 where it starts within the shape or on its surface
    joVec2 point;   // in world space
    joVec2 normal;  // unit, out of the shape; zero at distance 0
    uint32_t child; // the segment of the chain that is met; of other shapes 0
} joRayHit2;

// A ray of length 0 hits what its origin is in or on; its direction is not looked at. One along an edge hits
// the shape, and so does one that ends on the surface. Segments are met from either side; by a ray in its
// line at its end, with the normal against the ray. The third numbers of the ray are not looked at.
// Errors: jo_errorNullArgument; those of joCheckShape2 and joCheckTransform2; jo_errorNotANumber,
// jo_errorBadRay (an infinite origin, a direction that is zero or infinite, a negative length). *hit is then
// as if nothing was met.
JO_API joResult joCastRayAtShape2(
    const joShape2* shape, const joTransform2* pose, const joRay* ray, joRayHit2* hit );
JO_API joResult joCastRayAtPolygon2(
    const joPolygon2* polygon, const joTransform2* pose, const joRay* ray, joRayHit2* hit );
JO_API joResult joCastRayAtSegment2(
    const joSegment2* segment, const joTransform2* pose, const joRay* ray, joRayHit2* hit );

JO_EXTERN_C_END
