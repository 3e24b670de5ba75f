// SPDX-License-Identifier: MIT
// Any two shapes in 2D: checked, put in the order of their kinds, and passed to the functions of the pair.
#include "narrow_phase/dispatch_2d.h"

#include "base/assert.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>
#include <math.h>

// By the kinds of A and B, the lower first.
static const joPairFunctions2* const s_pairs[jo_shapeKindCount2][jo_shapeKindCount2] = {
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
};

static const joPairFunctions2 s_none;

const joPairFunctions2* joFindPairFunctions2( joShapeKind2 a, joShapeKind2 b )
{
    const joPairFunctions2* functions = a <= b ? s_pairs[a][b] : s_pairs[b][a];
    return functions != NULL ? functions : &s_none;
}

typedef struct Dispatch
{
    joPlacedPair2 pair;
    const joPairFunctions2* functions;
    bool isSwapped; // the pair's A is the caller's B
} Dispatch;

static joResult makeDispatch( Dispatch* dispatch, const joShape2* a, const joTransform2* poseA,
    const joShape2* b, const joTransform2* poseB )
{
    joResult result = joCheckShape2( a );
    result = result ? result : joCheckTransform2( poseA );
    result = result ? result : joCheckShape2( b );
    result = result ? result : joCheckTransform2( poseB );
    if ( result )
    {
        return result;
    }
    dispatch->isSwapped = a->kind > b->kind;
    dispatch->pair = dispatch->isSwapped ? ( joPlacedPair2 ){ b, a, poseB, poseA }
                                         : ( joPlacedPair2 ){ a, b, poseA, poseB };
    dispatch->functions = joFindPairFunctions2( a->kind, b->kind );
    return jo_success;
}

// Adding 0 keeps a zero from turning into a negative one.
static joVec2 negate( joVec2 v )
{
    return ( joVec2 ){ 0.0f - v.x, 0.0f - v.y };
}

static joResult overlap( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, bool* overlaps )
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
    const Dispatch* dispatch, float margin, joCollideCache* cache, joManifold2* manifold )
{
    dispatch->functions->collide( &dispatch->pair, margin, cache, manifold );
    if ( !dispatch->isSwapped )
    {
        return;
    }
    manifold->normal = negate( manifold->normal );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        uint32_t id = manifold->points[i].featureId;
        manifold->points[i].featureId = id >> 16 | id << 16;
    }
}

static joResult collide( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, float margin, joCollideCache* cache, joManifold2* manifold )
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

static joResult distance( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, joClosestPoints2* closest )
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
        joVec2 pointA = closest->pointB;
        closest->pointB = closest->pointA;
        closest->pointA = pointA;
        closest->normal = negate( closest->normal );
    }
    return jo_success;
}

// A pair that touches at the start has met.
static bool startsTouching( const Dispatch* dispatch, joCollideCache* cache, joCastHit2* hit )
{
    joManifold2 manifold = { .status = jo_collideComplete };
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

static joResult cast( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    Dispatch dispatch;
    joResult result = makeDispatch( &dispatch, a, poseA, b, poseB );
    const float numbers[2] = { motion.x, motion.y };
    result = result ? result : joCheckNumbers( numbers, 2, FLT_MAX, jo_errorBadRay );
    if ( result || dispatch.functions->cast == NULL )
    {
        return result ? result : jo_errorNoSuchPair;
    }
    if ( startsTouching( &dispatch, cache, hit ) )
    {
        return jo_success;
    }
    dispatch.functions->cast( &dispatch.pair, dispatch.isSwapped ? negate( motion ) : motion, cache, hit );
    if ( dispatch.isSwapped && hit->isHit )
    {
        // That A moves the other way comes to the same, but they meet at another place.
        hit->normal = negate( hit->normal );
        double fraction = (double)hit->fraction;
        hit->point.x = (float)( (double)hit->point.x + fraction * (double)motion.x );
        hit->point.y = (float)( (double)hit->point.y + fraction * (double)motion.y );
    }
    return jo_success;
}

joResult joOverlap2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, bool* overlaps )
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

joResult joCollide2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, float margin, joCollideCache* cache, joManifold2* manifold )
{
    if ( manifold == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *manifold = ( joManifold2 ){ .status = jo_collideComplete };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = collide( a, poseA, b, poseB, margin, cache, manifold );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joDistance2( const joShape2* a, const joTransform2* poseA, const joShape2* b,
    const joTransform2* poseB, joCollideCache* cache, joClosestPoints2* closest )
{
    if ( closest == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *closest = ( joClosestPoints2 ){ .distance = INFINITY };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = distance( a, poseA, b, poseB, cache, closest );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joCast2( const joShape2* a, const joTransform2* poseA, const joShape2* b, const joTransform2* poseB,
    joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joCastHit2 ){ .fraction = 1.0f };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = cast( a, poseA, b, poseB, motion, cache, hit );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
