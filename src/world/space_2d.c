// SPDX-License-Identifier: MIT
// What depends on the dimension of a world: 2D.
#include "world/space.h"

#include "base/assert.h"
#include "math/wide_vectors.h"
#include "narrow_phase/dispatch.h"
#include "narrow_phase/dispatch_2d.h"

#include <math.h>

_Static_assert( (int)jo_shapeKindCount2 <= JO_MAX_SHAPE_KINDS, "the table of kinds that meet is too small" );

static const joTransform2 s_identity = { { 0.0f, 0.0f }, { 1.0f, 0.0f } };

static const size_t s_payloadSizes[jo_shapeKindCount2] = {
    [jo_circleShape2] = sizeof( joCircle2 ),
    [jo_capsuleShape2] = sizeof( joCapsule2 ),
    [jo_polygonShape2] = 0,
    [jo_segmentShape2] = sizeof( joSegment2 ),
    [jo_chainShape2] = 0,
};

static joResult checkShape( const void* shape )
{
    return joCheckShape2( shape );
}

static joResult checkPose( const void* pose )
{
    return joCheckTransform2( pose );
}

static uint32_t kindOf( const void* shape )
{
    return (uint32_t)( (const joShape2*)shape )->kind;
}

static void compose( const void* body, const void* local, void* pose )
{
    joTransform2* to = pose;
    *to = joMultiplyTransforms2( *(const joTransform2*)body, *(const joTransform2*)local );
    to->position =
        ( joVec2 ){ joKeepFinite( (double)to->position.x ), joKeepFinite( (double)to->position.y ) };
}

static void computeBounds( const void* shape, const void* pose, float lower[3], float upper[3] )
{
    const joBounds2 bounds = joComputeShapeBounds2( shape, *(const joTransform2*)pose );
    lower[0] = bounds.lower.x;
    lower[1] = bounds.lower.y;
    upper[0] = bounds.upper.x;
    upper[1] = bounds.upper.y;
    lower[2] = 0.0f;
    upper[2] = 0.0f;
}

static double findRadius( const void* shapeIn )
{
    const joShape2* shape = shapeIn;
    if ( shape->kind != jo_circleShape2 )
    {
        return -1.0;
    }
    const joVec2 center = shape->circle.center;
    return center.x == 0.0f && center.y == 0.0f ? (double)shape->circle.radius : -1.0;
}

static bool findRound( const void* shapeIn, const void* pose, float center[3], float* radius )
{
    const joShape2* shape = shapeIn;
    if ( shape->kind != jo_circleShape2 )
    {
        return false;
    }
    // Usually it is where the collider is, to the bit.
    const joTransform2* where = pose;
    const bool isCentered = findRadius( shape ) >= 0.0;
    const joVec2 place = isCentered ? where->position : joTransformPoint2( *where, shape->circle.center );
    center[0] = joKeepFinite( (double)place.x );
    center[1] = joKeepFinite( (double)place.y );
    *radius = shape->circle.radius;
    return true;
}

static float move( float from, float velocity, float dt )
{
    return joKeepFinite( (double)from + (double)velocity * (double)dt );
}

static void integrate( void* pose, float* velocity, const joMotionStep* step )
{
    joTransform2* body = pose;
    const float dt = step->dt;
    velocity[0] =
        joKeepFinite( (double)move( velocity[0], step->gravity[0], dt ) * (double)step->linearFactor );
    velocity[1] =
        joKeepFinite( (double)move( velocity[1], step->gravity[1], dt ) * (double)step->linearFactor );
    velocity[2] *= step->angularFactor;
    body->position.x = move( body->position.x, velocity[0], dt );
    body->position.y = move( body->position.y, velocity[1], dt );
    // Whoever does not turn keeps the very bits of the rotation.
    const float angle = joKeepFinite( (double)velocity[2] * (double)dt );
    if ( angle != 0.0f )
    {
        body->rotation = joNormalizeRot2( joMultiplyRots2( joMakeRot2( angle ), body->rotation ) );
    }
}

static joResult setShapes( joCollideBatch* batch, const void* shapes, const void* poses, uint32_t count )
{
    const joPlacedShapes2 placed = {
        .shape = { shapes, sizeof( joShape2 ) }, .pose = { poses, sizeof( joTransform2 ) }, .count = count };
    return joCollideBatch_SetShapes2( batch, &placed, NULL );
}

static joResult collide( joCollideBatch* batch, const joPair* pairs, uint32_t pairCount, float margin,
    uint32_t* hitPairs, void* manifolds, uint64_t* hitCount )
{
    return joCollideBatch_Collide2(
        batch, pairs, pairCount, margin, hitPairs, manifolds, pairCount, hitCount, NULL );
}

static void readManifold( const void* manifolds, uint64_t index, joTouchPoint* touch )
{
    const joManifold2* manifold = (const joManifold2*)manifolds + index;
    JO_ASSERT( manifold->pointCount > 0 );
    const joManifoldPoint2* points = manifold->points;
    const joManifoldPoint2* deepest =
        points + joFindDeepest( &points->depth, sizeof( *points ), manifold->pointCount );
    *touch = ( joTouchPoint ){ { manifold->normal.x, manifold->normal.y, 0.0f },
        { deepest->position.x, deepest->position.y, 0.0f }, manifold->depth, .time = 1.0f,
        .child = manifold->child };
}

static joShapeSort sortOf( const void* shape )
{
    switch ( ( (const joShape2*)shape )->kind )
    {
        case jo_circleShape2:
        case jo_capsuleShape2:
            return jo_roundSort;
        case jo_polygonShape2:
            return jo_facedSort;
        case jo_chainShape2:
            return jo_compoundSort;
        default:
            return jo_thinSort;
    }
}

static joSpaceHit hitOf( const joCastHit2* hit )
{
    return ( joSpaceHit ){ .isHit = hit->isHit,
        .fraction = (double)hit->fraction,
        .normal = { hit->normal.x, hit->normal.y, 0.0f },
        .point = { hit->point.x, hit->point.y, 0.0f },
        .depth = hit->depth,
        .child = hit->child };
}

static joSpaceHit cast(
    const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, const double motion[3] )
{
    joCastHit2 hit;
    const joVec2 way = { joKeepFinite( motion[0] ), joKeepFinite( motion[1] ) };
    joCast2( shapeA, poseA, shapeB, poseB, way, NULL, &hit );
    return hitOf( &hit );
}

static joSpaceHit castOut( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB,
    const double motion[3], double along )
{
    joCastHit2 hit;
    const joVec2 way = { joKeepFinite( motion[0] ), joKeepFinite( motion[1] ) };
    joCastOut2( shapeA, poseA, shapeB, poseB, way, along, &hit );
    return hitOf( &hit );
}

static bool touch( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, float margin,
    joTouchPoint* touch )
{
    joManifold2 manifold;
    joCollide2( shapeA, poseA, shapeB, poseB, margin, NULL, &manifold );
    if ( manifold.pointCount > 0 )
    {
        readManifold( &manifold, 0, touch );
    }
    return manifold.pointCount > 0;
}

static double distance(
    const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, float normal[3] )
{
    joClosestPoints2 closest;
    joDistance2( shapeA, poseA, shapeB, poseB, NULL, &closest );
    normal[0] = closest.normal.x;
    normal[1] = closest.normal.y;
    normal[2] = 0.0f;
    return (double)closest.distance;
}

static double findArm( const void* shapeIn, const void* pose, const double pivot[3], const double axis[3] )
{
    const joShape2* shape = shapeIn;
    const joVec2 ends[2] = { shape->capsule.a, shape->capsule.b };
    const joVec2* points = shape->kind == jo_circleShape2    ? &shape->circle.center
                           : shape->kind == jo_capsuleShape2 ? ends
                                                             : shape->polygon->vertices;
    const int count = shape->kind == jo_circleShape2    ? 1
                      : shape->kind == jo_capsuleShape2 ? 2
                                                        : (int)shape->polygon->count;
    double most = 0.0;
    (void)axis;
    for ( int i = 0; i < count; ++i )
    {
        const joVec2 at = joTransformPoint2( *(const joTransform2*)pose, points[i] );
        const joWide2 arm = { (double)at.x - pivot[0], (double)at.y - pivot[1] };
        most = fmax( most, joLength2( arm ) );
    }
    return most;
}

static void carry( const void* from, const void* to, const double point[3], double carried[3] )
{
    const joTransform2* start = from;
    const joTransform2* end = to;
    const double x = point[0] - (double)start->position.x, y = point[1] - (double)start->position.y;
    const double c = (double)start->rotation.c, s = (double)start->rotation.s;
    const double localX = c * x + s * y, localY = c * y - s * x;
    const double endC = (double)end->rotation.c, endS = (double)end->rotation.s;
    carried[0] = endC * localX - endS * localY + (double)end->position.x;
    carried[1] = endS * localX + endC * localY + (double)end->position.y;
    carried[2] = 0.0;
}

static void rotate( const void* pose, const float local[3], double world[3] )
{
    const joVec2 turned =
        joRotateVec2( ( (const joTransform2*)pose )->rotation, ( joVec2 ){ local[0], local[1] } );
    world[0] = (double)turned.x;
    world[1] = (double)turned.y;
    world[2] = 0.0;
}

static void write( joVec2 v, float to[3] )
{
    to[0] = v.x;
    to[1] = v.y;
}

static bool doMeet( uint32_t kindA, uint32_t kindB )
{
    return joFindPairFunctions2( (joShapeKind2)kindA, (joShapeKind2)kindB )->overlap != NULL;
}

static bool castRay( const void* shape, const void* pose, const joRay* ray, joWorldHit* hit )
{
    joRayHit2 found;
    if ( joCastRayAtShape2( shape, pose, ray, &found ) != jo_success || found.distance == INFINITY )
    {
        return false;
    }
    hit->distance = found.distance;
    hit->child = found.child;
    write( found.point, hit->point );
    write( found.normal, hit->normal );
    return true;
}

static bool overlap( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB )
{
    bool overlaps = false;
    return doMeet( kindOf( shapeA ), kindOf( shapeB ) ) &&
           joOverlap2( shapeA, poseA, shapeB, poseB, NULL, &overlaps ) == jo_success && overlaps;
}

static bool findNearest( const void* shape, const void* pose, const float* point, joWorldHit* hit )
{
    joShape2 spot = { .kind = jo_circleShape2 };
    joClosestPoints2 found;
    joTransform2 place = s_identity;
    spot.circle = ( joCircle2 ){ .radius = 0.0f };
    place.position = ( joVec2 ){ point[0], point[1] };
    if ( joDistance2( shape, pose, &spot, &place, NULL, &found ) != jo_success )
    {
        return false;
    }
    hit->distance = found.distance;
    hit->child = found.child;
    write( found.pointA, hit->point );
    write( found.normal, hit->normal );
    return true;
}

const joSpace joSpace2 = {
    .axisCount = 2,
    .angularCount = 1,
    .poseSize = sizeof( joTransform2 ),
    .shapeSize = sizeof( joShape2 ),
    .manifoldSize = sizeof( joManifold2 ),
    .identity = &s_identity,
    .payloadOffset = offsetof( joShape2, circle ),
    .payloadSizes = s_payloadSizes,
    .kindCount = jo_shapeKindCount2,
    .checkShape = checkShape,
    .checkPose = checkPose,
    .kindOf = kindOf,
    .compose = compose,
    .computeBounds = computeBounds,
    .findRadius = findRadius,
    .findRound = findRound,
    .integrate = integrate,
    .setShapes = setShapes,
    .collide = collide,
    .readManifold = readManifold,
    .sortOf = sortOf,
    .cast = cast,
    .castOut = castOut,
    .touch = touch,
    .distance = distance,
    .findArm = findArm,
    .carry = carry,
    .rotate = rotate,
    .castRay = castRay,
    .doMeet = doMeet,
    .overlap = overlap,
    .findNearest = findNearest,
};
