// SPDX-License-Identifier: MIT
// What depends on the dimension of a world: 3D.
#include "world/space.h"

#include "base/assert.h"
#include "math/wide_vectors.h"

#include "jostle/hull_3d.h"
#include "narrow_phase/dispatch.h"
#include "narrow_phase/dispatch_3d.h"

#include <math.h>

_Static_assert( (int)jo_shapeKindCount3 <= JO_MAX_SHAPE_KINDS, "the table of kinds that meet is too small" );

static const joTransform3 s_identity = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };

static const size_t s_payloadSizes[jo_shapeKindCount3] = {
    [jo_sphereShape3] = sizeof( joSphere3 ),
    [jo_capsuleShape3] = sizeof( joCapsule3 ),
    [jo_boxShape3] = sizeof( joBox3 ),
    [jo_hullShape3] = 0,
    [jo_halfSpaceShape3] = sizeof( joHalfSpace3 ),
    [jo_meshShape3] = 0,
};

static joResult checkShape( const void* shape )
{
    return joCheckShape3( shape );
}

static joResult checkPose( const void* pose )
{
    return joCheckTransform3( pose );
}

static uint32_t kindOf( const void* shape )
{
    return (uint32_t)( (const joShape3*)shape )->kind;
}

static void compose( const void* body, const void* local, void* pose )
{
    joTransform3* to = pose;
    *to = joMultiplyTransforms3( *(const joTransform3*)body, *(const joTransform3*)local );
    to->position = ( joVec3 ){ joKeepFinite( (double)to->position.x ), joKeepFinite( (double)to->position.y ),
        joKeepFinite( (double)to->position.z ) };
}

static void computeBounds( const void* shape, const void* pose, float lower[3], float upper[3] )
{
    const joBounds3 bounds = joComputeShapeBounds3( shape, *(const joTransform3*)pose );
    lower[0] = bounds.lower.x;
    lower[1] = bounds.lower.y;
    upper[0] = bounds.upper.x;
    upper[1] = bounds.upper.y;
    lower[2] = bounds.lower.z;
    upper[2] = bounds.upper.z;
}

static double findRadius( const void* shapeIn )
{
    const joShape3* shape = shapeIn;
    if ( shape->kind != jo_sphereShape3 )
    {
        return -1.0;
    }
    const joVec3 center = shape->sphere.center;
    return center.x == 0.0f && center.y == 0.0f && center.z == 0.0f ? (double)shape->sphere.radius : -1.0;
}

static bool findRound( const void* shapeIn, const void* pose, float center[3], float* radius )
{
    const joShape3* shape = shapeIn;
    if ( shape->kind != jo_sphereShape3 )
    {
        return false;
    }
    // Usually it is where the collider is, to the bit.
    const joTransform3* where = pose;
    const bool isCentered = findRadius( shape ) >= 0.0;
    const joVec3 place = isCentered ? where->position : joTransformPoint3( *where, shape->sphere.center );
    center[0] = joKeepFinite( (double)place.x );
    center[1] = joKeepFinite( (double)place.y );
    center[2] = joKeepFinite( (double)place.z );
    *radius = shape->sphere.radius;
    return true;
}

static float move( float from, float velocity, float dt )
{
    return joKeepFinite( (double)from + (double)velocity * (double)dt );
}

// Turned about the axis of the angular velocity, by its length, as far as floats go.
static joQuat turn( joQuat rotation, const float* angular, float dt )
{
    double longest = 0.0;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        const double size = fabs( (double)angular[i] );
        longest = size > longest ? size : longest;
    }
    // Whoever does not turn keeps the very bits of the rotation.
    if ( longest == 0.0 )
    {
        return rotation;
    }
    const double x = (double)angular[0] / longest, y = (double)angular[1] / longest,
                 z = (double)angular[2] / longest;
    const float angle = joKeepFinite( sqrt( x * x + y * y + z * z ) * longest * (double)dt );
    const joQuat step = joMakeQuat( ( joVec3 ){ (float)x, (float)y, (float)z }, angle );
    return joNormalizeQuat( joMultiplyQuats( step, rotation ) );
}

static void integrate( void* pose, float* velocity, const joMotionStep* step )
{
    joTransform3* body = pose;
    const float dt = step->dt;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        velocity[i] =
            joKeepFinite( (double)move( velocity[i], step->gravity[i], dt ) * (double)step->linearFactor );
        velocity[3 + i] *= step->angularFactor;
    }
    body->position.x = move( body->position.x, velocity[0], dt );
    body->position.y = move( body->position.y, velocity[1], dt );
    body->position.z = move( body->position.z, velocity[2], dt );
    body->rotation = turn( body->rotation, velocity + 3, dt );
}

static joResult setShapes( joCollideBatch* batch, const void* shapes, const void* poses, uint32_t count )
{
    const joPlacedShapes3 placed = {
        .shape = { shapes, sizeof( joShape3 ) }, .pose = { poses, sizeof( joTransform3 ) }, .count = count };
    return joCollideBatch_SetShapes3( batch, &placed, NULL );
}

static joResult collide( joCollideBatch* batch, const joPair* pairs, uint32_t pairCount, float margin,
    uint32_t* hitPairs, void* manifolds, uint64_t* hitCount )
{
    return joCollideBatch_Collide3(
        batch, pairs, pairCount, margin, hitPairs, manifolds, pairCount, hitCount, NULL );
}

static void readManifold( const void* manifolds, uint64_t index, joTouchPoint* touch )
{
    const joManifold3* manifold = (const joManifold3*)manifolds + index;
    JO_ASSERT( manifold->pointCount > 0 );
    const joManifoldPoint3* points = manifold->points;
    const joManifoldPoint3* deepest =
        points + joFindDeepest( &points->depth, sizeof( *points ), manifold->pointCount );
    *touch = ( joTouchPoint ){ { manifold->normal.x, manifold->normal.y, manifold->normal.z },
        { deepest->position.x, deepest->position.y, deepest->position.z }, manifold->depth, .time = 1.0f,
        .child = manifold->child };
}

static joShapeSort sortOf( const void* shape )
{
    switch ( ( (const joShape3*)shape )->kind )
    {
        case jo_sphereShape3:
        case jo_capsuleShape3:
            return jo_roundSort;
        case jo_boxShape3:
        case jo_hullShape3:
            return jo_facedSort;
        case jo_meshShape3:
            return jo_compoundSort;
        default:
            return jo_thinSort;
    }
}

static joSpaceHit hitOf( const joCastHit3* hit )
{
    return ( joSpaceHit ){ .isHit = hit->isHit,
        .fraction = (double)hit->fraction,
        .normal = { hit->normal.x, hit->normal.y, hit->normal.z },
        .point = { hit->point.x, hit->point.y, hit->point.z },
        .depth = hit->depth,
        .child = hit->child };
}

static joSpaceHit cast(
    const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, const double motion[3] )
{
    joCastHit3 hit;
    const joVec3 way = { joKeepFinite( motion[0] ), joKeepFinite( motion[1] ), joKeepFinite( motion[2] ) };
    joCast3( shapeA, poseA, shapeB, poseB, way, NULL, &hit );
    return hitOf( &hit );
}

static joSpaceHit castOut( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB,
    const double motion[3], double along )
{
    joCastHit3 hit;
    const joVec3 way = { joKeepFinite( motion[0] ), joKeepFinite( motion[1] ), joKeepFinite( motion[2] ) };
    joCastOut3( shapeA, poseA, shapeB, poseB, way, along, &hit );
    return hitOf( &hit );
}

static bool touch( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, float margin,
    joTouchPoint* touch )
{
    joManifold3 manifold;
    joCollide3( shapeA, poseA, shapeB, poseB, margin, NULL, &manifold );
    if ( manifold.pointCount > 0 )
    {
        readManifold( &manifold, 0, touch );
    }
    return manifold.pointCount > 0;
}

static double distance(
    const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, float normal[3] )
{
    joClosestPoints3 closest;
    joDistance3( shapeA, poseA, shapeB, poseB, NULL, &closest );
    normal[0] = closest.normal.x;
    normal[1] = closest.normal.y;
    normal[2] = closest.normal.z;
    return (double)closest.distance;
}

// Number i of the points whose hull, with a radius around it, a shape is that can slide.
static joVec3 pointOf( const joShape3* shape, uint32_t i )
{
    if ( shape->kind == jo_boxShape3 )
    {
        const joVec3 half = shape->box.halfExtents;
        const joVec3 corner = { ( i & 1 ) != 0 ? half.x : -half.x, ( i & 2 ) != 0 ? half.y : -half.y,
            ( i & 4 ) != 0 ? half.z : -half.z };
        return joTransformPoint3( shape->box.localPose, corner );
    }
    return shape->kind == jo_sphereShape3    ? shape->sphere.center
           : shape->kind == jo_capsuleShape3 ? ( i == 0 ? shape->capsule.a : shape->capsule.b )
                                             : joHull3_GetVertex( shape->hull, i );
}

static double findArm( const void* shapeIn, const void* pose, const double pivot[3], const double axis[3] )
{
    const joShape3* shape = shapeIn;
    const uint32_t count = shape->kind == jo_sphereShape3    ? 1
                           : shape->kind == jo_capsuleShape3 ? 2
                           : shape->kind == jo_boxShape3     ? 8
                                                             : joHull3_GetVertexCount( shape->hull );
    double most = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const joVec3 at = joTransformPoint3( *(const joTransform3*)pose, pointOf( shape, i ) );
        const joWide3 arm = { (double)at.x - pivot[0], (double)at.y - pivot[1], (double)at.z - pivot[2] };
        most = fmax( most, joLength3( joCross3( arm, ( joWide3 ){ axis[0], axis[1], axis[2] } ) ) );
    }
    return most;
}

static void carry( const void* from, const void* to, const double point[3], double carried[3] )
{
    const joTransform3* start = from;
    const joTransform3* end = to;
    const joQuat back = { -start->rotation.x, -start->rotation.y, -start->rotation.z, start->rotation.w };
    const joQuat turn = joMultiplyQuats( end->rotation, back );
    const joVec3 arm = { (float)( point[0] - (double)start->position.x ),
        (float)( point[1] - (double)start->position.y ), (float)( point[2] - (double)start->position.z ) };
    const joVec3 turned = joRotateVec3( turn, arm );
    carried[0] = point[0] + ( (double)end->position.x - (double)start->position.x ) +
                 ( (double)turned.x - (double)arm.x );
    carried[1] = point[1] + ( (double)end->position.y - (double)start->position.y ) +
                 ( (double)turned.y - (double)arm.y );
    carried[2] = point[2] + ( (double)end->position.z - (double)start->position.z ) +
                 ( (double)turned.z - (double)arm.z );
}

static void rotate( const void* pose, const float local[3], double world[3] )
{
    const joVec3 turned =
        joRotateVec3( ( (const joTransform3*)pose )->rotation, ( joVec3 ){ local[0], local[1], local[2] } );
    world[0] = (double)turned.x;
    world[1] = (double)turned.y;
    world[2] = (double)turned.z;
}

static void write( joVec3 v, float to[3] )
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static bool doMeet( uint32_t kindA, uint32_t kindB )
{
    return joFindPairFunctions3( (joShapeKind3)kindA, (joShapeKind3)kindB )->overlap != NULL;
}

static bool castRay( const void* shape, const void* pose, const joRay* ray, joWorldHit* hit )
{
    joRayHit3 found;
    if ( joCastRayAtShape3( shape, pose, ray, &found ) != jo_success || found.distance == INFINITY )
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
           joOverlap3( shapeA, poseA, shapeB, poseB, NULL, &overlaps ) == jo_success && overlaps;
}

static bool findNearest( const void* shape, const void* pose, const float* point, joWorldHit* hit )
{
    joShape3 spot = { .kind = jo_sphereShape3 };
    joClosestPoints3 found;
    joTransform3 place = s_identity;
    spot.sphere = ( joSphere3 ){ .radius = 0.0f };
    place.position = ( joVec3 ){ point[0], point[1], point[2] };
    if ( joDistance3( shape, pose, &spot, &place, NULL, &found ) != jo_success )
    {
        return false;
    }
    hit->distance = found.distance;
    hit->child = found.child;
    write( found.pointA, hit->point );
    write( found.normal, hit->normal );
    return true;
}

const joSpace joSpace3 = {
    .axisCount = 3,
    .angularCount = 3,
    .poseSize = sizeof( joTransform3 ),
    .shapeSize = sizeof( joShape3 ),
    .manifoldSize = sizeof( joManifold3 ),
    .identity = &s_identity,
    .payloadOffset = offsetof( joShape3, sphere ),
    .payloadSizes = s_payloadSizes,
    .kindCount = jo_shapeKindCount3,
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
