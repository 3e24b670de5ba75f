// SPDX-License-Identifier: MIT
// The segment in 2D: its check, bounds and support point. It is a capsule of no radius.
#include "base/float_env.h"
#include "jostle/shapes_2d.h"

static joCapsule2 toCapsule( const joSegment2* segment )
{
    return ( joCapsule2 ){ segment->a, segment->b, 0.0f };
}

joResult joCheckSegment2( const joSegment2* segment )
{
    if ( segment == NULL )
    {
        return jo_errorNullArgument;
    }
    joCapsule2 capsule = toCapsule( segment );
    return joCheckCapsule2( &capsule );
}

joBounds2 joComputeSegmentBounds2( const joSegment2* segment, joTransform2 pose )
{
    joCapsule2 capsule = toCapsule( segment );
    return joComputeCapsuleBounds2( &capsule, pose );
}

joBounds2 joComputeSegmentSweptBounds2( const joSegment2* segment, joTransform2 from, joTransform2 to )
{
    joCapsule2 capsule = toCapsule( segment );
    return joComputeCapsuleSweptBounds2( &capsule, from, to );
}

joVec2 joFindSegmentSupport2( const joSegment2* segment, joVec2 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    double x = (double)direction.x, y = (double)direction.y;
    double alongA = x * (double)segment->a.x + y * (double)segment->a.y;
    double alongB = x * (double)segment->b.x + y * (double)segment->b.y;
    joVec2 support = alongB > alongA ? segment->b : segment->a;
    joFloatEnv_Leave( env );
    return support;
}
