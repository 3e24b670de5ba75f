// SPDX-License-Identifier: MIT
// The circle and the capsule in 2D: their checks and bounds.
#include "base/float_env.h"
#include "jostle/shapes_2d.h"
#include "math/rotation.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"

#include <math.h>

joResult joCheckCircle2( const joCircle2* circle )
{
    if ( circle == NULL )
    {
        return jo_errorNullArgument;
    }
    const float center[2] = { circle->center.x, circle->center.y };
    return joWorseOf(
        joCheckNumbers( center, 2, JO_MAX_SIZE, jo_errorBadShape ), joCheckSize( circle->radius ) );
}

joResult joCheckCapsule2( const joCapsule2* capsule )
{
    if ( capsule == NULL )
    {
        return jo_errorNullArgument;
    }
    const float ends[4] = { capsule->a.x, capsule->a.y, capsule->b.x, capsule->b.y };
    return joWorseOf(
        joCheckNumbers( ends, 4, JO_MAX_SIZE, jo_errorBadShape ), joCheckSize( capsule->radius ) );
}

static void placePoint( const joTransform2* pose, joVec2 local, double out[2] )
{
    joPose2 wide = joWidenPose2( *pose );
    const double at[2] = { (double)local.x, (double)local.y };
    joPose2_Apply( &wide, at, out );
}

static double lengthOf( joVec2 v )
{
    double x = (double)v.x, y = (double)v.y;
    return sqrt( x * x + y * y );
}

joBounds2 joComputeCircleBounds2( const joCircle2* circle, joTransform2 pose )
{
    return joComputeCircleSweptBounds2( circle, pose, pose );
}

joBounds2 joComputeCircleSweptBounds2( const joCircle2* circle, joTransform2 from, joTransform2 to )
{
    joCapsule2 point = { circle->center, circle->center, circle->radius };
    return joComputeCapsuleSweptBounds2( &point, from, to );
}

joBounds2 joComputeCapsuleBounds2( const joCapsule2* capsule, joTransform2 pose )
{
    return joComputeCapsuleSweptBounds2( capsule, pose, pose );
}

// Bounds over a way on which the body does not turn.
static joBounds2 straightCapsuleBounds(
    const joCapsule2* capsule, const joTransform2* from, const joTransform2* to )
{
    double ends[4][2], lower[2], upper[2], radius = (double)capsule->radius;
    placePoint( from, capsule->a, ends[0] );
    placePoint( from, capsule->b, ends[1] );
    placePoint( to, capsule->a, ends[2] );
    placePoint( to, capsule->b, ends[3] );
    for ( int axis = 0; axis < 2; ++axis )
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
    return joRoundBounds2( lower, upper );
}

joBounds2 joComputeCapsuleSweptBounds2( const joCapsule2* capsule, joTransform2 from, joTransform2 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    double reach = joLargerOf( lengthOf( capsule->a ), lengthOf( capsule->b ) ) + (double)capsule->radius;
    joBounds2 bounds = joHaveSameRotation2( &from, &to ) ? straightCapsuleBounds( capsule, &from, &to )
                                                         : joComputeReachBounds2( &from, &to, reach );
    joFloatEnv_Leave( env );
    return bounds;
}
