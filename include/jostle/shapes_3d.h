// SPDX-License-Identifier: MIT
// jostle shapes in 3D. Plain structs of the caller, in the frame of their body. For each kind there are the
// same functions with another name: joCheckSphere3, joComputeSphereBounds3, joComputeSphereVolume3 and so on;
// and ones for a joShape3, which is any of them.
//
// Sizes are world units from 0 to JO_MAX_SIZE. A size of zero is allowed: such a box is a plate, a rod or a
// point, and is met as one. Functions but checks and rays expect what the check lets pass. All are O(1) but
// those of hulls and meshes, the same bits everywhere, and thread-safe.
#pragma once

#include "collide_base.h"

JO_EXTERN_C_BEGIN

// Mass, and how it is spread, in the frame of the body.
typedef struct joMassData3
{
    float mass;    // >= 0
    joVec3 center; // of mass
    // The inertia tensor about the centre of mass, which is symmetric: its diagonal (xx, yy, zz), and what
    // stands beside it (yz, zx, xy). Of shapes with sizes near JO_MAX_SIZE it may be infinite.
    joVec3 inertiaDiagonal;
    joVec3 inertiaProducts;
} joMassData3;

typedef struct joSphere3
{
    joVec3 center; // coordinates up to JO_MAX_SIZE
    float radius;  // 0 to JO_MAX_SIZE
} joSphere3;

// All points within the radius of the segment from a to b, which may be one point.
typedef struct joCapsule3
{
    joVec3 a, b;  // coordinates up to JO_MAX_SIZE
    float radius; // 0 to JO_MAX_SIZE
} joCapsule3;

typedef struct joBox3
{
    joVec3 halfExtents;     // 0 to JO_MAX_SIZE each
    joTransform3 localPose; // of its centre and axes in the frame of the body
} joBox3;

// A convex hull of points.
typedef struct joHull3 joHull3;

// All points p with dot( normal, p ) <= offset, for the unit normal: what lies below a plane. It has no end,
// and no mass.
typedef struct joHalfSpace3
{
    joVec3 normal; // out of it; of any length but zero, which does not matter; coordinates up to JO_MAX_SIZE
    float offset;  // of its plane from the origin of the body along the normal, -JO_MAX_SIZE to JO_MAX_SIZE
} joHalfSpace3;

// Triangles that do not move.
typedef struct joMesh3 joMesh3;

typedef enum joShapeKind3
{
    jo_sphereShape3 = 0,
    jo_capsuleShape3,
    jo_boxShape3,
    jo_hullShape3,
    jo_halfSpaceShape3,
    jo_meshShape3,
    jo_shapeKindCount3
} joShapeKind3;

// Any shape.
typedef struct joShape3
{
    joShapeKind3 kind;
    union
    {
        joSphere3 sphere;
        joCapsule3 capsule;
        joBox3 box;
        const joHull3* hull; // borrowed
        joHalfSpace3 halfSpace;
        const joMesh3* mesh; // borrowed
    };
} joShape3;

// A box around the origin of its body.
JO_API joBox3 joMakeBox3( float halfX, float halfY, float halfZ );

// Checks. Errors of all: jo_errorNullArgument; jo_errorNotANumber; jo_errorBadShape (a size is negative or
// above JO_MAX_SIZE, a coordinate above it, a normal zero). Of boxes: jo_errorBadPose (a coordinate of the
// local pose above JO_MAX_SIZE, a rotation infinite or zero).
JO_API joResult joCheckSphere3( const joSphere3* sphere );
JO_API joResult joCheckCapsule3( const joCapsule3* capsule );
JO_API joResult joCheckBox3( const joBox3* box );
JO_API joResult joCheckHalfSpace3( const joHalfSpace3* halfSpace );
// Also jo_errorBadShape for a kind that is none.
JO_API joResult joCheckShape3( const joShape3* shape );
// A pose as collisions take it. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorBadPose (a position
// infinite, a rotation infinite or zero).
JO_API joResult joCheckTransform3( const joTransform3* pose );

// The bounds of the shape when its body is in `pose`: rounded outwards, so that they hold all of it, and no
// more than one float larger than they must be. Those of a half-space are infinite where it has no end.
JO_API joBounds3 joComputeSphereBounds3( const joSphere3* sphere, joTransform3 pose );
JO_API joBounds3 joComputeCapsuleBounds3( const joCapsule3* capsule, joTransform3 pose );
JO_API joBounds3 joComputeBoxBounds3( const joBox3* box, joTransform3 pose );
JO_API joBounds3 joComputeHalfSpaceBounds3( const joHalfSpace3* halfSpace, joTransform3 pose );
JO_API joBounds3 joComputeShapeBounds3( const joShape3* shape, joTransform3 pose );

// Bounds that hold the shape all the way while its body moves straight from one pose to another and turns in
// any way between. Where both poses have the same rotation, it is taken not to turn, and the bounds are the
// least; else they hold every rotation.
JO_API joBounds3 joComputeSphereSweptBounds3( const joSphere3* sphere, joTransform3 from, joTransform3 to );
JO_API joBounds3 joComputeCapsuleSweptBounds3(
    const joCapsule3* capsule, joTransform3 from, joTransform3 to );
JO_API joBounds3 joComputeBoxSweptBounds3( const joBox3* box, joTransform3 from, joTransform3 to );
JO_API joBounds3 joComputeHalfSpaceSweptBounds3(
    const joHalfSpace3* halfSpace, joTransform3 from, joTransform3 to );
JO_API joBounds3 joComputeShapeSweptBounds3( const joShape3* shape, joTransform3 from, joTransform3 to );

JO_API float joComputeSphereVolume3( const joSphere3* sphere );
JO_API float joComputeCapsuleVolume3( const joCapsule3* capsule );
JO_API float joComputeBoxVolume3( const joBox3* box );

// `density` is mass per volume, >= 0.
JO_API joMassData3 joComputeSphereMass3( const joSphere3* sphere, float density );
JO_API joMassData3 joComputeCapsuleMass3( const joCapsule3* capsule, float density );
JO_API joMassData3 joComputeBoxMass3( const joBox3* box, float density );

// The corner that lies farthest in a direction, both in the frame of the body. Of corners that lie equally
// far the one on the positive side of the box's axes.
JO_API joVec3 joFindBoxSupport3( const joBox3* box, joVec3 direction );
// Of a sphere and a capsule the point; for a zero direction the centre, or the end a.
JO_API joVec3 joFindSphereSupport3( const joSphere3* sphere, joVec3 direction );
JO_API joVec3 joFindCapsuleSupport3( const joCapsule3* capsule, joVec3 direction );

// Of any shape: what the calls of its kind say. A mesh and a half-space have neither volume nor mass: 0. Of a
// mesh the support is the vertex that lies farthest, of equal ones the first, O(vertices); of a half-space
// the point of its surface nearest to the origin of its body, whatever the direction.
JO_API float joComputeShapeVolume3( const joShape3* shape );
JO_API joMassData3 joComputeShapeMass3( const joShape3* shape, float density );
JO_API joVec3 joFindShapeSupport3( const joShape3* shape, joVec3 direction );

// Where a ray in world space enters a shape. Nothing met: distance +inf, the rest zero.
typedef struct joRayHit3
{
    float distance; // world units along the ray, 0 where it starts within the shape or on its surface
    joVec3 point;   // in world space
    joVec3 normal;  // unit, out of the shape; zero at distance 0
    uint32_t child; // the triangle of the mesh that is met; of other shapes 0
} joRayHit3;

// A ray of length 0 hits what its origin is in or on; its direction is not looked at. One along a face or an
// edge hits the box, and so does one that ends on the surface. Errors: jo_errorNullArgument; those of
// joCheckShape3 and joCheckTransform3; jo_errorNotANumber, jo_errorBadRay (an infinite origin, a direction
// that is zero or infinite, a negative length). Of a hull the faces are what counts, within its tolerance:
// O(faces). A mesh has no inside: as joCastRayAtMesh3.
JO_API joResult joCastRayAtShape3(
    const joShape3* shape, const joTransform3* pose, const joRay* ray, joRayHit3* hit );

JO_EXTERN_C_END
