// SPDX-License-Identifier: MIT
// Any two shapes in 3D: checked, put in the order of their kinds, and passed to the functions of the pair.
#include "narrow_phase/dispatch_3d.h"

#include "base/assert.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>
#include <math.h>

// By the kinds of A and B, the lower first.
static const joPairFunctions3* const s_pairs[jo_shapeKindCount3][jo_shapeKindCount3] = {
    [jo_sphereShape3][jo_sphereShape3] = &joSphereSphere3,
    [jo_sphereShape3][jo_capsuleShape3] = &joSphereCapsule3,
    [jo_capsuleShape3][jo_capsuleShape3] = &joCapsuleCapsule3,
    [jo_sphereShape3][jo_halfSpaceShape3] = &joHalfSpaceBelow3,
    [jo_capsuleShape3][jo_halfSpaceShape3] = &joHalfSpaceBelow3,
    [jo_boxShape3][jo_halfSpaceShape3] = &joHalfSpaceBelow3,
    [jo_sphereShape3][jo_boxShape3] = &joRoundBox3,
    [jo_capsuleShape3][jo_boxShape3] = &joRoundBox3,
    [jo_sphereShape3][jo_meshShape3] = &joConvexMesh3,
    [jo_capsuleShape3][jo_meshShape3] = &joConvexMesh3,
    [jo_boxShape3][jo_meshShape3] = &joConvexMesh3,
    [jo_hullShape3][jo_meshShape3] = &joConvexMesh3,
    [jo_boxShape3][jo_boxShape3] = &joBoxBox3,
    [jo_sphereShape3][jo_hullShape3] = &joConvexConvex3,
    [jo_capsuleShape3][jo_hullShape3] = &joConvexConvex3,
    [jo_boxShape3][jo_hullShape3] = &joConvexConvex3,
    [jo_hullShape3][jo_hullShape3] = &joConvexConvex3,
    [jo_hullShape3][jo_halfSpaceShape3] = &joHalfSpaceBelow3,
};

static const joPairFunctions3 s_none;

const joPairFunctions3* joFindPairFunctions3( joShapeKind3 a, joShapeKind3 b )
{
    return s_pairs[a][b] != NULL ? s_pairs[a][b] : &s_none;
}

typedef struct Dispatch
{
    joPlacedPair3 pair;
    const joPairFunctions3* functions;
    bool isSwapped; // the pair's A is the caller's B
} Dispatch;

static joResult makeDispatch( Dispatch* dispatch, const joShape3* a, const joTransform3* poseA,
    const joShape3* b, const joTransform3* poseB )
{
    joResult result = joCheckShape3( a );
    result = result ? result : joCheckTransform3( poseA );
    result = result ? result : joCheckShape3( b );
    result = result ? result : joCheckTransform3( poseB );
    if ( result )
    {
        return result;
    }
    dispatch->isSwapped = a->kind > b->kind;
    dispatch->pair = dispatch->isSwapped ? ( joPlacedPair3 ){ b, a, poseB, poseA }
                                         : ( joPlacedPair3 ){ a, b, poseA, poseB };
    dispatch->functions = joFindPairFunctions3( dispatch->pair.a->kind, dispatch->pair.b->kind );
    return jo_success;
}

static joResult overlap( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps )
{
    Dispatch dispatch;
    joResult result = makeDispatch( &dispatch, a, poseA, b, poseB );
    if ( result || dispatch.functions->overlap == NULL )
    {
        return result ? result : jo_errorNoSuchPair;
    }
    *overlaps = dispatch.functions->overlap( &dispatch.pair, cache );
    return jo_success;
}

static void collidePair(
    const Dispatch* dispatch, float margin, joCollideCache* cache, joManifold3* manifold )
{
    dispatch->functions->collide( &dispatch->pair, margin, cache, manifold );
    if ( dispatch->isSwapped )
    {
        manifold->normal = joNegate3( manifold->normal );
    }
}

static joResult collide( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold )
{
    Dispatch dispatch;
    joResult result = makeDispatch( &dispatch, a, poseA, b, poseB );
    result = result ? result : joCheckMargin( margin );
    if ( result || dispatch.functions->collide == NULL )
    {
        return result ? result : jo_errorNoSuchPair;
    }
    collidePair( &dispatch, margin, cache, manifold );
    return jo_success;
}

static joResult distance( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, joClosestPoints3* closest )
{
    Dispatch dispatch;
    joResult result = makeDispatch( &dispatch, a, poseA, b, poseB );
    if ( result || dispatch.functions->distance == NULL )
    {
        return result ? result : jo_errorNoSuchPair;
    }
    dispatch.functions->distance( &dispatch.pair, cache, closest );
    if ( dispatch.isSwapped )
    {
        joVec3 pointA = closest->pointB;
        closest->pointB = closest->pointA;
        closest->pointA = pointA;
        closest->normal = joNegate3( closest->normal );
    }
    return jo_success;
}

// A pair that touches at the start has met.
static bool startsTouching( const Dispatch* dispatch, joCollideCache* cache, joCastHit3* hit )
{
    joManifold3 manifold = { .status = jo_collideComplete };
    collidePair( dispatch, 0.0f, cache, &manifold );
    hit->status = manifold.status;
    if ( manifold.pointCount == 0 )
    {
        return false;
    }
    uint32_t deepest = 0;
    for ( uint32_t i = 1; i < manifold.pointCount; ++i )
    {
        deepest = manifold.points[i].depth > manifold.points[deepest].depth ? i : deepest;
    }
    hit->fraction = 0.0f;
    hit->normal = manifold.normal;
    hit->point = manifold.points[deepest].position;
    hit->depth = manifold.depth;
    hit->isHit = true;
    return true;
}

static joResult cast( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    Dispatch dispatch;
    joResult result = makeDispatch( &dispatch, a, poseA, b, poseB );
    const float numbers[3] = { motion.x, motion.y, motion.z };
    result = result ? result : joCheckNumbers( numbers, 3, FLT_MAX, jo_errorBadRay );
    if ( result || dispatch.functions->cast == NULL )
    {
        return result ? result : jo_errorNoSuchPair;
    }
    if ( startsTouching( &dispatch, cache, hit ) )
    {
        return jo_success;
    }
    dispatch.functions->cast( &dispatch.pair, dispatch.isSwapped ? joNegate3( motion ) : motion, cache, hit );
    if ( dispatch.isSwapped && hit->isHit )
    {
        // That A moves the other way comes to the same, but they meet at another place.
        hit->normal = joNegate3( hit->normal );
        double fraction = (double)hit->fraction;
        hit->point.x = (float)( (double)hit->point.x + fraction * (double)motion.x );
        hit->point.y = (float)( (double)hit->point.y + fraction * (double)motion.y );
        hit->point.z = (float)( (double)hit->point.z + fraction * (double)motion.z );
    }
    return jo_success;
}

joResult joOverlap3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps )
{
    if ( overlaps == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *overlaps = false;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = overlap( a, poseA, b, poseB, cache, overlaps );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joCollide3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold )
{
    if ( manifold == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = collide( a, poseA, b, poseB, margin, cache, manifold );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joDistance3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, joClosestPoints3* closest )
{
    if ( closest == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *closest = ( joClosestPoints3 ){ .distance = INFINITY };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = distance( a, poseA, b, poseB, cache, closest );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joCast3( const joShape3* a, const joTransform3* poseA, const joShape3* b, const joTransform3* poseB,
    joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joCastHit3 ){ .fraction = 1.0f };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = cast( a, poseA, b, poseB, motion, cache, hit );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
