// SPDX-License-Identifier: MIT
// Any shape in 2D: each call passes on to that of its kind.
#include "jostle/shapes_2d.h"

joResult joCheckShape2( const joShape2* shape )
{
    if ( shape == NULL )
    {
        return jo_errorNullArgument;
    }
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return joCheckCircle2( &shape->circle );
        case jo_capsuleShape2:
            return joCheckCapsule2( &shape->capsule );
        case jo_polygonShape2:
            return joCheckPolygon2( shape->polygon );
        case jo_segmentShape2:
            return joCheckSegment2( &shape->segment );
        case jo_shapeKindCount2:
            break;
    }
    return jo_errorBadShape;
}

joBounds2 joComputeShapeBounds2( const joShape2* shape, joTransform2 pose )
{
    return joComputeShapeSweptBounds2( shape, pose, pose );
}

joBounds2 joComputeShapeSweptBounds2( const joShape2* shape, joTransform2 from, joTransform2 to )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return joComputeCircleSweptBounds2( &shape->circle, from, to );
        case jo_capsuleShape2:
            return joComputeCapsuleSweptBounds2( &shape->capsule, from, to );
        case jo_polygonShape2:
            return joComputePolygonSweptBounds2( shape->polygon, from, to );
        case jo_segmentShape2:
            return joComputeSegmentSweptBounds2( &shape->segment, from, to );
        case jo_shapeKindCount2:
            break;
    }
    return ( joBounds2 ){ from.position, from.position };
}
