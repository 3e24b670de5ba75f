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

static inline joQuatDouble joWidenQuat( joQuat q )
{
    return ( joQuatDouble ){ (double)q.x, (double)q.y, (double)q.z, (double)q.w };
}

joQuatDouble joQuatDouble_Multiply( joQuatDouble a, joQuatDouble b );
// Unit length; (0, 0, 0, 1) for a zero one.
joQuatDouble joQuatDouble_Normalize( joQuatDouble q );
static inline double joQuatDouble_LengthSq( joQuatDouble q )
{
    return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

// The rotation of q whatever its length; the identity for a zero one.
static inline joMatrix3 joMatrixOfQuat( joQuatDouble q )
{
    // With 2 / |q|^2 in place of 2 this is the matrix of the unit quaternion, without a root.
    double sq = joQuatDouble_LengthSq( q );
    double s = sq > 0.0 ? 2.0 / sq : 0.0;
    double xs = q.x * s, ys = q.y * s, zs = q.z * s;
    double wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
    double xx = q.x * xs, xy = q.x * ys, xz = q.x * zs;
    double yy = q.y * ys, yz = q.y * zs, zz = q.z * zs;
    return ( joMatrix3 ){ {
        { 1.0 - ( yy + zz ), xy - wz, xz + wy },
        { xy + wz, 1.0 - ( xx + zz ), yz - wx },
        { xz - wy, yz + wx, 1.0 - ( xx + yy ) },
    } };
}

// out = m v, and out = transposed m v, which undoes it. `out` is not `v`.
static inline void joMatrix3_Apply( const joMatrix3* m, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = m->m[i][0] * v[0] + m->m[i][1] * v[1] + m->m[i][2] * v[2];
    }
}

static inline void joMatrix3_ApplyInverse( const joMatrix3* m, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = m->m[0][i] * v[0] + m->m[1][i] * v[1] + m->m[2][i] * v[2];
    }
}

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
