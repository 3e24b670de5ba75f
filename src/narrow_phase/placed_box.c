// SPDX-License-Identifier: MIT
// Boxes placed in the world, ready for kernels.
#include "narrow_phase/placed_box.h"

#include "math/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double lengthSqOf( joQuat q )
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return ( x * x + y * y ) + ( z * z + w * w );
}

// Of unit length, but for rounding.
static bool isUnit( double lengthSq )
{
    return fabs( lengthSq - 1.0 ) <= JO_BOX_LENGTH_ERROR;
}

bool joIsPlainBox( const joBox3* box, const joTransform3* pose )
{
    static const joTransform3 none = { .rotation = { .w = 1.0f } };
    const joVec3 half = box->halfExtents, at = pose->position;
    const bool isSized = ( half.x >= 0.0f ) & ( half.y >= 0.0f ) & ( half.z >= 0.0f ) &
                         ( half.x <= JO_MAX_SIZE ) & ( half.y <= JO_MAX_SIZE ) & ( half.z <= JO_MAX_SIZE );
    const bool isSomewhere =
        ( fabsf( at.x ) <= FLT_MAX ) & ( fabsf( at.y ) <= FLT_MAX ) & ( fabsf( at.z ) <= FLT_MAX );
    const bool isTurned = isUnit( lengthSqOf( pose->rotation ) );
    const bool isCentred = memcmp( &box->localPose, &none, sizeof( none ) ) == 0;
    return isSized & isSomewhere & isTurned & isCentred;
}

// A float quaternion of unit length is taken as it is.
static void setRotation( joPlacedBox* placed, joQuatDouble q )
{
    if ( !isUnit( ( q.x * q.x + q.y * q.y ) + ( q.z * q.z + q.w * q.w ) ) )
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

static void placeLocally( const joBox3* box, const joTransform3* pose, joPlacedBox* placed, joBoxRest* rest )
{
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

void joPlaceBox( const joBox3* box, const joTransform3* pose, joPlacedBox* placed, joBoxRest* rest )
{
    const joVec3 half = box->halfExtents, at = pose->position;
    const joQuat q = pose->rotation;
    *placed = ( joPlacedBox ){
        .position = { at.x, at.y, at.z },
        .half = { half.x, half.y, half.z },
        .rotation = { q.x, q.y, q.z, q.w },
    };
    *rest = ( joBoxRest ){ .padding = 0 };
    if ( !joIsPlainBox( box, pose ) )
    {
        placeLocally( box, pose, placed, rest );
    }
}
