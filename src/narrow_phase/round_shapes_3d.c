// SPDX-License-Identifier: MIT
// The sphere and the capsule in 3D, and the half-space: their checks and bounds.
#include "base/float_env.h"
#include "jostle/shapes_3d.h"
#include "math/rotation.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"

#include <math.h>

joResult joCheckSphere3( const joSphere3* sphere )
{
    if ( sphere == NULL )
    {
        return jo_errorNullArgument;
    }
    const float center[3] = { sphere->center.x, sphere->center.y, sphere->center.z };
    return joWorseOf(
        joCheckNumbers( center, 3, JO_MAX_SIZE, jo_errorBadShape ), joCheckSize( sphere->radius ) );
}

joResult joCheckCapsule3( const joCapsule3* capsule )
{
    if ( capsule == NULL )
    {
        return jo_errorNullArgument;
    }
    const float ends[6] = {
        capsule->a.x, capsule->a.y, capsule->a.z, capsule->b.x, capsule->b.y, capsule->b.z };
    return joWorseOf(
        joCheckNumbers( ends, 6, JO_MAX_SIZE, jo_errorBadShape ), joCheckSize( capsule->radius ) );
}

joResult joCheckHalfSpace3( const joHalfSpace3* halfSpace )
{
    if ( halfSpace == NULL )
    {
        return jo_errorNullArgument;
    }
    joVec3 n = halfSpace->normal;
    const float numbers[4] = { n.x, n.y, n.z, halfSpace->offset };
    joResult result = joCheckNumbers( numbers, 4, JO_MAX_SIZE, jo_errorBadShape );
    bool isZero = n.x == 0.0f && n.y == 0.0f && n.z == 0.0f;
    return joWorseOf( result, isZero ? jo_errorBadShape : jo_success );
}

static void placePoint( const joTransform3* pose, joVec3 local, double out[3] )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    const double at[3] = { (double)local.x, (double)local.y, (double)local.z };
    joMatrix3_Apply( &rotation, at, out );
    out[0] += (double)pose->position.x;
    out[1] += (double)pose->position.y;
    out[2] += (double)pose->position.z;
}

static double lengthOf( joVec3 v )
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt( x * x + y * y + z * z );
}

joBounds3 joComputeSphereBounds3( const joSphere3* sphere, joTransform3 pose )
{
    return joComputeSphereSweptBounds3( sphere, pose, pose );
}

joBounds3 joComputeSphereSweptBounds3( const joSphere3* sphere, joTransform3 from, joTransform3 to )
{
    joCapsule3 point = { sphere->center, sphere->center, sphere->radius };
    return joComputeCapsuleSweptBounds3( &point, from, to );
}

joBounds3 joComputeCapsuleBounds3( const joCapsule3* capsule, joTransform3 pose )
{
    return joComputeCapsuleSweptBounds3( capsule, pose, pose );
}

// Bounds over a way on which the body does not turn.
static joBounds3 straightCapsuleBounds(
    const joCapsule3* capsule, const joTransform3* from, const joTransform3* to )
{
    double ends[4][3], lower[3], upper[3], radius = (double)capsule->radius;
    placePoint( from, capsule->a, ends[0] );
    placePoint( from, capsule->b, ends[1] );
    placePoint( to, capsule->a, ends[2] );
    placePoint( to, capsule->b, ends[3] );
    for ( int axis = 0; axis < 3; ++axis )
    {
        double least = ends[0][axis], most = ends[0][axis];
        for ( int end = 1; end < 4; ++end )
        {
            least = joSmallerOf( least, ends[end][axis] );
            most = joLargerOf( most, ends[end][axis] );
        }
        lower[axis] = least - radius;
        upper[axis] = most + radius;
    }
    return joRoundBounds3( lower, upper );
}

joBounds3 joComputeCapsuleSweptBounds3( const joCapsule3* capsule, joTransform3 from, joTransform3 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    double reach = joLargerOf( lengthOf( capsule->a ), lengthOf( capsule->b ) ) + (double)capsule->radius;
    joBounds3 bounds = joHaveSameRotation3( &from, &to ) ? straightCapsuleBounds( capsule, &from, &to )
                                                         : joComputeReachBounds3( &from, &to, reach );
    joFloatEnv_Leave( env );
    return bounds;
}

joBounds3 joComputeHalfSpaceBounds3( const joHalfSpace3* halfSpace, joTransform3 pose )
{
    return joComputeHalfSpaceSweptBounds3( halfSpace, pose, pose );
}

joBounds3 joComputeHalfSpaceSweptBounds3( const joHalfSpace3* halfSpace, joTransform3 from, joTransform3 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    joVec3 n = halfSpace->normal;
    const double local[3] = { (double)n.x, (double)n.y, (double)n.z };
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( from.rotation ) );
    double normal[3], lower[3], upper[3];
    joMatrix3_Apply( &rotation, local, normal );
    bool turns = !joHaveSameRotation3( &from, &to );
    for ( int axis = 0; axis < 3; ++axis )
    {
        // It ends on an axis only where its normal lies on that.
        bool isAlong = !turns && normal[( axis + 1 ) % 3] == 0.0 && normal[( axis + 2 ) % 3] == 0.0;
        double side = normal[axis] > 0.0 ? 1.0 : -1.0, at = side * (double)halfSpace->offset;
        double first = (double)( &from.position.x )[axis] + at, last = (double)( &to.position.x )[axis] + at;
        upper[axis] = isAlong && side > 0.0 ? joLargerOf( first, last ) : INFINITY;
        lower[axis] = isAlong && side < 0.0 ? joSmallerOf( first, last ) : -INFINITY;
    }
    joBounds3 bounds = joRoundBounds3( lower, upper );
    joFloatEnv_Leave( env );
    return bounds;
}
