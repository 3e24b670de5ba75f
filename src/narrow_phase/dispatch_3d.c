// SPDX-License-Identifier: MIT
// Any two shapes in 3D: checked, put in the order of their kinds, and passed to the functions of the pair.
#include "narrow_phase/dispatch_3d.h"

#include "base/assert.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>
#include <math.h>

// Of joPairFunctions3, by the kinds of A and B, the lower first.
static const void* const s_pairs[jo_shapeKindCount3][jo_shapeKindCount3] = {
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
    const joPairFunctions3* functions =
        joFindInPairTable( s_pairs[0], jo_shapeKindCount3, (uint32_t)a, (uint32_t)b );
    return functions != NULL ? functions : &s_none;
}

bool joHaveAllFunctions3( uint32_t kinds )
{
    return joHasAllPairs( s_pairs[0], jo_shapeKindCount3, kinds );
}

// A call from entering it to leaving it.
typedef struct Call
{
    joPlacedPair3 pair;
    const joPairFunctions3* functions;
    bool isSwapped; // the pair's A is the caller's B
    joFloatEnv env;
    joResult result;
} Call;

// `rest`: what the check of other arguments says. True: there is an answer. Either way leave it.
static bool enter( Call* call, const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joResult rest )
{
    call->env = joFloatEnv_Enter();
    const joResult checks[] = { joCheckShape3( a ), joCheckTransform3( poseA ), joCheckShape3( b ),
        joCheckTransform3( poseB ), rest };
    call->result = joFirstError( checks, sizeof( checks ) / sizeof( checks[0] ) );
    if ( call->result )
    {
        return false;
    }
    call->isSwapped = a->kind > b->kind;
    call->pair =
        call->isSwapped ? ( joPlacedPair3 ){ b, a, poseB, poseA } : ( joPlacedPair3 ){ a, b, poseA, poseB };
    call->functions = joFindPairFunctions3( a->kind, b->kind );
    call->result = call->functions->collide != NULL ? jo_success : jo_errorNoSuchPair;
    return call->result == jo_success;
}

static joResult leave( const Call* call )
{
    return joLeaveCall( call->env, call->result );
}

static void collide( const Call* call, float margin, joCollideCache* cache, joManifold3* manifold )
{
    call->functions->collide( &call->pair, margin, cache, manifold );
    if ( call->isSwapped )
    {
        manifold->normal = joNegate3( manifold->normal );
    }
}

static void turnClosest( joClosestPoints3* closest )
{
    joVec3 pointA = closest->pointB;
    closest->pointB = closest->pointA;
    closest->pointA = pointA;
    closest->normal = joNegate3( closest->normal );
}

// A pair that touches at the start has met.
static bool startsTouching( const Call* call, joCollideCache* cache, joCastHit3* hit )
{
    joManifold3 manifold = { .status = jo_collideComplete };
    collide( call, 0.0f, cache, &manifold );
    hit->status = manifold.status;
    if ( manifold.pointCount > 0 )
    {
        joTakeTouch3( &manifold, hit );
    }
    return hit->isHit;
}

static joVec3 motionOf( const Call* call, joVec3 motion )
{
    return call->isSwapped ? joNegate3( motion ) : motion;
}

static void turnHit( const Call* call, joVec3 motion, joCastHit3* hit )
{
    if ( call->isSwapped && hit->isHit )
    {
        // That A moves the other way comes to the same, but they meet at another place.
        hit->normal = joNegate3( hit->normal );
        hit->point.x = joMoveAlong( hit->point.x, hit->fraction, motion.x );
        hit->point.y = joMoveAlong( hit->point.y, hit->fraction, motion.y );
        hit->point.z = joMoveAlong( hit->point.z, hit->fraction, motion.z );
    }
}

joResult joOverlap3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps )
{
    if ( overlaps == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    Call call;
    *overlaps =
        enter( &call, a, poseA, b, poseB, jo_success ) && call.functions->overlap( &call.pair, cache );
    return leave( &call );
}

joResult joCollide3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold )
{
    if ( manifold == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, joCheckMargin( margin ) ) )
    {
        collide( &call, margin, cache, manifold );
    }
    return leave( &call );
}

joResult joDistance3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joCollideCache* cache, joClosestPoints3* closest )
{
    if ( closest == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *closest = ( joClosestPoints3 ){ .distance = INFINITY };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, jo_success ) )
    {
        call.functions->distance( &call.pair, cache, closest );
        if ( call.isSwapped )
        {
            turnClosest( closest );
        }
    }
    return leave( &call );
}

joResult joCast3( const joShape3* a, const joTransform3* poseA, const joShape3* b, const joTransform3* poseB,
    joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joCastHit3 ){ .fraction = 1.0f };
    const float numbers[] = { motion.x, motion.y, motion.z };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, joCheckNumbers( numbers, 3, FLT_MAX, jo_errorBadRay ) ) &&
         !startsTouching( &call, cache, hit ) )
    {
        call.functions->cast( &call.pair, motionOf( &call, motion ), cache, hit );
        turnHit( &call, motion, hit );
    }
    return leave( &call );
}

joResult joCastOut3( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, joVec3 motion, double along, joCastHit3* hit )
{
    *hit = ( joCastHit3 ){ .fraction = 1.0f };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, jo_success ) )
    {
        JO_ASSERT( call.functions == &joConvexMesh3 );
        joCastOutOfMesh( &call.pair, motionOf( &call, motion ), along, hit );
        turnHit( &call, motion, hit );
    }
    return leave( &call );
}
