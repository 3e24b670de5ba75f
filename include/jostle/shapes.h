// SPDX-License-Identifier: MIT
// jostle shapes: what can touch. Plain structs of the caller, in the frame of their body.
//
// There is the box in 3D; round shapes, hulls, and the twins in 2D, take the same names with another ending:
// joBox2, joSphere3, joCheckSphere3, joComputeSphereBounds3.
//
// Sizes are world units from 0 to JO_MAX_SIZE. A size of zero is allowed: such a box is a plate, a rod or a
// point, and is met as one. Functions but the check expect what the check lets pass. All are O(1), the same
// bits everywhere, and thread-safe.
#pragma once

#include "math.h"

JO_EXTERN_C_BEGIN

// The largest half extent of a shape, and the largest coordinate of its local pose. Below it no sum or
// product in a collision overflows, and volumes are finite.
#define JO_MAX_SIZE 1e12f

// Mass, and how it is spread, in the frame of the body.
typedef struct joMassData3
{
    float mass;    // >= 0
    joVec3 center; // of mass
    // The inertia tensor about the centre of mass, which is symmetric: its diagonal (xx, yy, zz), and what
    // stands beside it (yz, zx, xy). Of boxes with sizes near JO_MAX_SIZE it may be infinite.
    joVec3 inertiaDiagonal;
    joVec3 inertiaProducts;
} joMassData3;

// A box in 3D.
typedef struct joBox3
{
    joVec3 halfExtents;     // 0 to JO_MAX_SIZE each
    joTransform3 localPose; // of its centre and axes in the frame of the body
} joBox3;

// A box around the origin of its body.
JO_API joBox3 joMakeBox3( float halfX, float halfY, float halfZ );

// Errors: jo_errorNullArgument; jo_errorNotANumber; jo_errorBadShape (a half extent is negative or above
// JO_MAX_SIZE); jo_errorBadPose (a coordinate of the local pose above JO_MAX_SIZE, a rotation infinite or
// zero).
JO_API joResult joCheckBox3( const joBox3* box );

// A pose as collisions take it. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorBadPose.
JO_API joResult joCheckTransform3( const joTransform3* pose );

// The bounds of the box when its body is in `pose`: rounded outwards, so that they hold all of it, and no
// more than one float larger than they must be.
JO_API joBounds3 joComputeBoxBounds3( const joBox3* box, joTransform3 pose );

// Bounds that hold the box all the way while its body moves straight from one pose to another and turns in
// any way between. Where both poses have the same rotation, it is taken not to turn, and the bounds are the
// least; else they hold every rotation.
JO_API joBounds3 joComputeBoxSweptBounds3( const joBox3* box, joTransform3 from, joTransform3 to );

JO_API float joComputeBoxVolume3( const joBox3* box );

// `density` is mass per volume, >= 0.
JO_API joMassData3 joComputeBoxMass3( const joBox3* box, float density );

// The corner that lies farthest in a direction, both in the frame of the body. Of corners that lie equally
// far the one on the positive side of the box's axes.
JO_API joVec3 joFindBoxSupport3( const joBox3* box, joVec3 direction );

JO_EXTERN_C_END
