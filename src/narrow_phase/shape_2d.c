// SPDX-License-Identifier: MIT
// Any shape in 2D: each call passes on to that of its kind.
#include "jostle/chain_2d.h"

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
        case jo_chainShape2:
            return joCheckChain2( shape->chain );
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
        case jo_chainShape2:
            return joComputeChainSweptBounds2( shape->chain, from, to );
        case jo_shapeKindCount2:
            break;
    }
    return ( joBounds2 ){ from.position, from.position };
}

float joComputeShapeArea2( const joShape2* shape )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return joComputeCircleArea2( &shape->circle );
        case jo_capsuleShape2:
            return joComputeCapsuleArea2( &shape->capsule );
        case jo_polygonShape2:
            return joComputePolygonArea2( shape->polygon );
        case jo_segmentShape2:
        case jo_chainShape2:
        case jo_shapeKindCount2:
            break;
    }
    return 0.0f;
}

joMassData2 joComputeShapeMass2( const joShape2* shape, float density )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return joComputeCircleMass2( &shape->circle, density );
        case jo_capsuleShape2:
            return joComputeCapsuleMass2( &shape->capsule, density );
        case jo_polygonShape2:
            return joComputePolygonMass2( shape->polygon, density );
        case jo_segmentShape2:
        case jo_chainShape2:
        case jo_shapeKindCount2:
            break;
    }
    return ( joMassData2 ){ .mass = 0.0f };
}

joVec2 joFindShapeSupport2( const joShape2* shape, joVec2 direction )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return joFindCircleSupport2( &shape->circle, direction );
        case jo_capsuleShape2:
            return joFindCapsuleSupport2( &shape->capsule, direction );
        case jo_polygonShape2:
            return joFindPolygonSupport2( shape->polygon, direction );
        case jo_segmentShape2:
            return joFindSegmentSupport2( &shape->segment, direction );
        case jo_chainShape2:
            return joFindChainSupport2( shape->chain, direction );
        case jo_shapeKindCount2:
            break;
    }
    return ( joVec2 ){ 0.0f, 0.0f };
}
