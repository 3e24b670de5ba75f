// SPDX-License-Identifier: MIT
// Any two shapes in 2D: checked, put in the order of their kinds, and passed to the functions of the pair.
#include "narrow_phase/dispatch_2d.h"

#include "base/assert.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>
#include <math.h>

// Of joPairFunctions2, by the kinds of A and B, the lower first.
static const void* const s_pairs[jo_shapeKindCount2][jo_shapeKindCount2] = {
    [jo_circleShape2][jo_circleShape2] = &joRoundRound2,
    [jo_circleShape2][jo_capsuleShape2] = &joRoundRound2,
    [jo_capsuleShape2][jo_capsuleShape2] = &joRoundRound2,
    [jo_circleShape2][jo_polygonShape2] = &joConvexConvex2,
    [jo_circleShape2][jo_segmentShape2] = &joConvexConvex2,
    [jo_capsuleShape2][jo_polygonShape2] = &joConvexConvex2,
    [jo_capsuleShape2][jo_segmentShape2] = &joConvexConvex2,
    [jo_polygonShape2][jo_polygonShape2] = &joConvexConvex2,
    [jo_polygonShape2][jo_segmentShape2] = &joConvexConvex2,
    [jo_segmentShape2][jo_segmentShape2] = &joConvexConvex2,
    [jo_circleShape2][jo_chainShape2] = &joConvexChain2,
    [jo_capsuleShape2][jo_chainShape2] = &joConvexChain2,
    [jo_polygonShape2][jo_chainShape2] = &joConvexChain2,
    [jo_segmentShape2][jo_chainShape2] = &joConvexChain2,
};

static const joPairFunctions2 s_none;

const joPairFunctions2* joFindPairFunctions2( joShapeKind2 a, joShapeKind2 b )
{
    const joPairFunctions2* functions =
        joFindInPairTable( s_pairs[0], jo_shapeKindCount2, (uint32_t)a, (uint32_t)b );
    return functions != NULL ? functions : &s_none;
}

bool joHaveAllFunctions2( uint32_t kinds )
{
    return joHasAllPairs( s_pairs[0], jo_shapeKindCount2, kinds );
}

// A call from entering it to leaving it.
typedef struct Call
{
    joPlacedPair2 pair;
    const joPairFunctions2* functions;
    bool isSwapped; // the pair's A is the caller's B
    joFloatEnv env;
    joResult result;
} Call;

// `rest`: what the check of other arguments says. True: there is an answer. Either way leave it.
static bool enter( Call* call, const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joResult rest )
{
    call->env = joFloatEnv_Enter();
    const joResult checks[] = { joCheckShape2( a ), joCheckTransform2( poseA ), joCheckShape2( b ),
        joCheckTransform2( poseB ), rest };
    call->result = joFirstError( checks, sizeof( checks ) / sizeof( checks[0] ) );
    if ( call->result )
    {
        return false;
    }
    call->isSwapped = a->kind > b->kind;
    call->pair =
        call->isSwapped ? ( joPlacedPair2 ){ b, a, poseB, poseA } : ( joPlacedPair2 ){ a, b, poseA, poseB };
    call->functions = joFindPairFunctions2( a->kind, b->kind );
    call->result = call->functions->collide != NULL ? jo_success : jo_errorNoSuchPair;
    return call->result == jo_success;
}

static joResult leave( const Call* call )
{
    return joLeaveCall( call->env, call->result );
}

static void collide( const Call* call, float margin, joCollideCache* cache, joManifold2* manifold )
{
    call->functions->collide( &call->pair, margin, cache, manifold );
    if ( call->isSwapped )
    {
        joTurnManifold2( manifold );
    }
}

static void turnClosest( joClosestPoints2* closest )
{
    joVec2 pointA = closest->pointB;
    closest->pointB = closest->pointA;
    closest->pointA = pointA;
    closest->normal = joNegate2( closest->normal );
}

// A pair that touches at the start has met.
static bool startsTouching( const Call* call, joCollideCache* cache, joCastHit2* hit )
{
    joManifold2 manifold = { .status = jo_collideComplete };
    collide( call, 0.0f, cache, &manifold );
    hit->status = manifold.status;
    if ( manifold.pointCount > 0 )
    {
        joTakeTouch2( &manifold, hit );
    }
    return hit->isHit;
}

static joVec2 motionOf( const Call* call, joVec2 motion )
{
    return call->isSwapped ? joNegate2( motion ) : motion;
}

static void turnHit( const Call* call, joVec2 motion, joCastHit2* hit )
{
    if ( call->isSwapped && hit->isHit )
    {
        // That A moves the other way comes to the same, but they meet at another place.
        hit->normal = joNegate2( hit->normal );
        hit->point.x = joMoveAlong( hit->point.x, hit->fraction, motion.x );
        hit->point.y = joMoveAlong( hit->point.y, hit->fraction, motion.y );
    }
}

joResult joOverlap2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, bool* overlaps )
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

joResult joCollide2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, float margin, joCollideCache* cache, joManifold2* manifold )
{
    if ( manifold == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *manifold = ( joManifold2 ){ .status = jo_collideComplete };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, joCheckMargin( margin ) ) )
    {
        collide( &call, margin, cache, manifold );
    }
    return leave( &call );
}

joResult joDistance2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, joClosestPoints2* closest )
{
    if ( closest == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *closest = ( joClosestPoints2 ){ .distance = INFINITY };
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

joResult joCast2( const joShape2* a, const joTransform2* poseA, const joShape2* b, const joTransform2* poseB,
    joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joCastHit2 ){ .fraction = 1.0f };
    const float numbers[] = { motion.x, motion.y };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, joCheckNumbers( numbers, 2, FLT_MAX, jo_errorBadRay ) ) &&
         !startsTouching( &call, cache, hit ) )
    {
        call.functions->cast( &call.pair, motionOf( &call, motion ), cache, hit );
        turnHit( &call, motion, hit );
    }
    return leave( &call );
}

joResult joCastOut2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joVec2 motion, double along, joCastHit2* hit )
{
    *hit = ( joCastHit2 ){ .fraction = 1.0f };
    Call call;
    if ( enter( &call, a, poseA, b, poseB, jo_success ) )
    {
        JO_ASSERT( call.functions == &joConvexChain2 );
        joCastOutOfChain( &call.pair, motionOf( &call, motion ), along, hit );
        turnHit( &call, motion, hit );
    }
    return leave( &call );
}
