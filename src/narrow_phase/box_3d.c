// SPDX-License-Identifier: MIT
// The box in 3D: its check, bounds, mass and support point.
#include "base/float_env.h"
#include "jostle/shapes.h"
#include "math/rotation.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"

#include <math.h>

joBox3 joMakeBox3( float halfX, float halfY, float halfZ )
{
    return ( joBox3 ){ { halfX, halfY, halfZ }, joMakeIdentity3() };
}

joResult joCheckBox3( const joBox3* box )
{
    if ( box == NULL )
    {
        return jo_errorNullArgument;
    }
    const float half[3] = { box->halfExtents.x, box->halfExtents.y, box->halfExtents.z };
    bool isGood = true;
    for ( int i = 0; i < 3; ++i )
    {
        if ( isnan( half[i] ) )
        {
            return jo_errorNotANumber;
        }
        isGood = isGood && half[i] >= 0.0f && half[i] <= JO_MAX_SIZE;
    }
    joResult result = joCheckPoseWithin3( &box->localPose, JO_MAX_SIZE );
    return result == jo_errorNotANumber || isGood ? result : jo_errorBadShape;
}

// Half of a box's size along a world axis: the sum of what its three half extents reach along it.
static double extentAlong( const joBox3* box, const joPose3* pose, int axis )
{
    const double* row = pose->rotation.m[axis];
    return fabs( row[0] ) * (double)box->halfExtents.x + fabs( row[1] ) * (double)box->halfExtents.y +
           fabs( row[2] ) * (double)box->halfExtents.z;
}

joBounds3 joComputeBoxBounds3( const joBox3* box, joTransform3 pose )
{
    return joComputeBoxSweptBounds3( box, pose, pose );
}

// Bounds over a way on which the body does not turn.
static joBounds3 straightBounds( const joBox3* box, const joTransform3* from, const joTransform3* to )
{
    double lower[3], upper[3];
    joPose3 first = joComposePose3( *from, box->localPose );
    joPose3 last = joComposePose3( *to, box->localPose );
    for ( int axis = 0; axis < 3; ++axis )
    {
        double extent = extentAlong( box, &first, axis );
        lower[axis] = joSmallerOf( first.position[axis], last.position[axis] ) - extent;
        upper[axis] = joLargerOf( first.position[axis], last.position[axis] ) + extent;
    }
    return joRoundBounds3( lower, upper );
}

// However the body turns about its origin, no point of the box is farther from that than this.
static double reachOf( const joBox3* box )
{
    joVec3 at = box->localPose.position, half = box->halfExtents;
    double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    double hx = (double)half.x, hy = (double)half.y, hz = (double)half.z;
    return sqrt( x * x + y * y + z * z ) + sqrt( hx * hx + hy * hy + hz * hz );
}

joBounds3 joComputeBoxSweptBounds3( const joBox3* box, joTransform3 from, joTransform3 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    joBounds3 bounds = joHaveSameRotation3( &from, &to )
                           ? straightBounds( box, &from, &to )
                           : joComputeReachBounds3( &from, &to, reachOf( box ) );
    joFloatEnv_Leave( env );
    return bounds;
}

static double volumeOf( const joBox3* box )
{
    return 8.0 * (double)box->halfExtents.x * (double)box->halfExtents.y * (double)box->halfExtents.z;
}

float joComputeBoxVolume3( const joBox3* box )
{
    joFloatEnv env = joFloatEnv_Enter();
    float volume = (float)volumeOf( box );
    joFloatEnv_Leave( env );
    return volume;
}

joMassData3 joComputeBoxMass3( const joBox3* box, float density )
{
    joFloatEnv env = joFloatEnv_Enter();
    double mass = volumeOf( box ) * (double)density;
    double xx = (double)box->halfExtents.x * (double)box->halfExtents.x;
    double yy = (double)box->halfExtents.y * (double)box->halfExtents.y;
    double zz = (double)box->halfExtents.z * (double)box->halfExtents.z;
    // About the box's own axes: mass / 12 times the sum of two squared sides.
    const double own[3] = { mass / 3.0 * ( yy + zz ), mass / 3.0 * ( xx + zz ), mass / 3.0 * ( xx + yy ) };
    joMatrix3 r = joMatrixOfQuat( joWidenQuat( box->localPose.rotation ) );
    double inertia[3][3];
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            inertia[i][j] = r.m[i][0] * own[0] * r.m[j][0] + r.m[i][1] * own[1] * r.m[j][1] +
                            r.m[i][2] * own[2] * r.m[j][2];
        }
    }
    joMassData3 data = {
        .mass = (float)mass,
        .center = box->localPose.position,
        .inertiaDiagonal = { (float)inertia[0][0], (float)inertia[1][1], (float)inertia[2][2] },
        .inertiaProducts = { (float)inertia[1][2], (float)inertia[2][0], (float)inertia[0][1] },
    };
    joFloatEnv_Leave( env );
    return data;
}

joVec3 joFindBoxSupport3( const joBox3* box, joVec3 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( box->localPose.rotation ) );
    const double d[3] = { (double)direction.x, (double)direction.y, (double)direction.z };
    double local[3], corner[3], point[3];
    joMatrix3_ApplyInverse( &rotation, d, local );
    const float half[3] = { box->halfExtents.x, box->halfExtents.y, box->halfExtents.z };
    for ( int i = 0; i < 3; ++i )
    {
        corner[i] = local[i] >= 0.0 ? (double)half[i] : -(double)half[i];
    }
    joMatrix3_Apply( &rotation, corner, point );
    joVec3 support = { (float)( point[0] + (double)box->localPose.position.x ),
        (float)( point[1] + (double)box->localPose.position.y ),
        (float)( point[2] + (double)box->localPose.position.z ) };
    joFloatEnv_Leave( env );
    return support;
}
