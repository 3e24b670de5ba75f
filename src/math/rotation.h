// SPDX-License-Identifier: MIT
// Rotations and poses in double, for computing in float what is exact to the float: products of float
// quaternions in double lose nothing that a float could show.
#pragma once

#include "base/float_env.h" // before any arithmetic: clang contracts what stands before it
#include "jostle/math.h"

// m[row][column]; the columns are the axes of the turned frame.
typedef struct joMatrix3
{
    double m[3][3];
} joMatrix3;

typedef struct joPose3
{
    double position[3];
    joMatrix3 rotation;
} joPose3;

typedef struct joQuatDouble
{
    double x, y, z, w;
} joQuatDouble;

joQuatDouble joWidenQuat( joQuat q );
joQuatDouble joQuatDouble_Multiply( joQuatDouble a, joQuatDouble b );
// Unit length; (0, 0, 0, 1) for a zero one.
joQuatDouble joQuatDouble_Normalize( joQuatDouble q );
// The rotation of q whatever its length; the identity for a zero one.
joMatrix3 joMatrixOfQuat( joQuatDouble q );

// out = m v, and out = transposed m v, which undoes it. `out` is not `v`.
void joMatrix3_Apply( const joMatrix3* m, const double v[3], double out[3] );
void joMatrix3_ApplyInverse( const joMatrix3* m, const double v[3], double out[3] );

// As most local poses are.
bool joIsIdentity3( joTransform3 t );
// Where something stands that has a pose in the frame of a body.
joPose3 joComposePose3( joTransform3 body, joTransform3 local );

// Where B stands in the frame of A.
joPose3 joRelatePoses3( const joPose3* a, const joPose3* b );

typedef struct joPose2
{
    double position[2];
    double c, s; // of unit length
} joPose2;

// A rotation of length zero counts as none.
joPose2 joWidenPose2( joTransform2 t );
joPose2 joRelatePoses2( const joPose2* a, const joPose2* b );
void joPose2_Apply( const joPose2* pose, const double localPoint[2], double out[2] );
