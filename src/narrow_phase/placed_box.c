// SPDX-License-Identifier: MIT
// Boxes placed in the world, ready for kernels.
#include "narrow_phase/placed_box.h"

#include "math/rotation.h"
#include "narrow_phase/tolerance.h"

#include <math.h>

// A float quaternion of unit length, but for rounding, is taken as it is.
static void setRotation( joPlacedBox* placed, joQuatDouble q )
{
    double lengthSq = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if ( !( fabs( lengthSq - 1.0 ) <= JO_BOX_LENGTH_ERROR ) )
    {
        q = joQuatDouble_Normalize( q );
    }
    placed->rotation[0] = (float)q.x;
    placed->rotation[1] = (float)q.y;
    placed->rotation[2] = (float)q.z;
    placed->rotation[3] = (float)q.w;
}

// What a float leaves of a value. Not inlined: gcc 12 at -O3 puts two of them into a vector and takes the way
// from double to float and back for none (test_collide_batch, "far out a local pose is as exact as near").
static __attribute__( ( noinline ) ) float restOf( double value )
{
    return (float)( value - (double)(float)value );
}

bool joHasRest( const joBox3* box )
{
    return !joIsIdentity3( box->localPose );
}

void joPlaceBox( const joBox3* box, const joTransform3* pose, joPlacedBox* placed, joBoxRest* rest )
{
    *placed = ( joPlacedBox ){ .half = { box->halfExtents.x, box->halfExtents.y, box->halfExtents.z },
        .position = { pose->position.x, pose->position.y, pose->position.z } };
    *rest = ( joBoxRest ){ .padding = 0 };
    const float* half = placed->half;
    placed->tie = ( half[0] + half[1] + half[2] ) * JO_AXIS_TIE;
    placed->radius = sqrtf( half[0] * half[0] + half[1] * half[1] + half[2] * half[2] ) * JO_RADIUS_GROWTH;
    joQuatDouble q = joWidenQuat( pose->rotation );
    if ( joHasRest( box ) )
    {
        const joVec3 local = box->localPose.position;
        const double at[3] = { (double)local.x, (double)local.y, (double)local.z };
        joMatrix3 rotation = joMatrixOfQuat( q );
        double turned[3];
        joMatrix3_Apply( &rotation, at, turned );
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double position = turned[axis] + (double)placed->position[axis];
            placed->position[axis] = (float)position;
            rest->position[axis] = restOf( position );
        }
        // Squared lengths of products of float quaternions are within the range of a double.
        q = joQuatDouble_Multiply( q, joWidenQuat( box->localPose.rotation ) );
    }
    setRotation( placed, q );
}
