// SPDX-License-Identifier: MIT
// Proxies: colliders on their way into the broad phase.
#include "world/proxies.h"

#include "base/float_env.h"

#include <math.h>
#include <string.h>

joResult joProxies_Reserve( joWorld* world, uint64_t count )
{
    joResult result = joArray_ReserveSlack( &world->proxies, &world->memory, count, sizeof( joProxy ), 0 );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->proxyFilters, &world->memory, count, sizeof( joProxyFilter ), 0 );
    return result
               ? result
               : joArray_ReserveSlack( &world->proxyPoses, &world->memory, count, world->space->poseSize, 0 );
}

static void* poseAt( const joWorld* world, uint32_t i )
{
    return (char*)world->proxyPoses.data + (size_t)i * world->space->poseSize;
}

// A collider that stands where its body stands has the very bits of its pose. localPose null: identity.
static void compose( const joWorld* world, const void* bodyPose, const void* localPose, void* pose )
{
    if ( localPose != NULL && memcmp( localPose, world->space->identity, world->space->poseSize ) != 0 )
    {
        world->space->compose( bodyPose, localPose, pose );
    }
    else
    {
        joSpace_CopyPose( world->space, pose, bodyPose );
    }
}

// No less than x, and at most a few floats more, without a branch.
static float widen( double x )
{
    const float nearest = (float)x;
    return nearest + ( fabsf( nearest ) * 0x1p-22f + 0x1p-100f );
}

static void put(
    joWorld* world, uint32_t i, uint32_t collider, const void* shape, const void* pose, float pushReach )
{
    joProxy* proxy = (joProxy*)world->proxies.data + i;
    // Half of the margin on each of two is all of it. The difference of two floats in double may round, which
    // is less than widening gives back.
    const double reach = 0.5 * (double)world->def.leaveMargin + (double)pushReach;
    const double radius = world->space->findRadius( shape );
    const float* center = pose;
    if ( radius < 0.0 )
    {
        world->space->computeBounds( shape, pose, proxy->lower, proxy->upper );
    }
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        const double lower = radius < 0.0 ? (double)proxy->lower[axis] : (double)center[axis] - radius;
        const double upper = radius < 0.0 ? (double)proxy->upper[axis] : (double)center[axis] + radius;
        proxy->lower[axis] = -widen( reach - lower );
        proxy->upper[axis] = widen( upper + reach );
    }
    proxy->collider = collider;
}

void joProxies_Put( joWorld* world, uint32_t i, uint32_t collider, const joColliderFilter* filter,
    const void* shape, const void* localPose, const void* bodyPose )
{
    compose( world, bodyPose, localPose, poseAt( world, i ) );
    put( world, i, collider, shape, poseAt( world, i ), 0.0f );
    ( (joProxyFilter*)world->proxyFilters.data )[i] = ( joProxyFilter ){
        UINT64_C( 1 ) << filter->layer, filter->mask & world->def.layerMeets[filter->layer] };
}

static const void* localPoseOf( const joWorld* world, uint32_t collider )
{
    return joWorld_Collider( world, collider )->hasLocalPose ? joWorld_LocalPose( world, collider ) : NULL;
}

void joProxies_MakePose( const joWorld* world, uint32_t collider, const void* bodyPose, void* pose )
{
    compose( world, bodyPose, localPoseOf( world, collider ), pose );
}

void joProxies_PutAt( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose )
{
    joProxies_Put( world, i, collider, &joWorld_Collider( world, collider )->filter,
        joWorld_Shape( world, collider ), localPoseOf( world, collider ), bodyPose );
}

void joProxies_PutInPlace( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose, float reach )
{
    void* pose = joWorld_ColliderPose( world, collider );
    joProxies_MakePose( world, collider, bodyPose, pose );
    put( world, i, collider, joWorld_Shape( world, collider ), pose, reach );
}

void joProxies_PlaceColliders( joWorld* world, uint32_t body )
{
    uint32_t i = joWorld_Body( world, body )->firstCollider;
    for ( ; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( joWorld_Collider( world, i )->isPlaced )
        {
            joProxies_MakePose( world, i, joWorld_BodyPose( world, body ), joWorld_ColliderPose( world, i ) );
        }
    }
}

bool joProxies_IsPlacedRightly( const joWorld* world, uint32_t collider )
{
    joAnyPose pose;
    joFloatEnv env = joFloatEnv_Enter();
    joProxies_MakePose(
        world, collider, joWorld_BodyPose( world, joWorld_Collider( world, collider )->body ), &pose );
    joFloatEnv_Leave( env );
    return memcmp( &pose, joWorld_ColliderPose( world, collider ), world->space->poseSize ) == 0;
}

bool joProxies_IsBounded( const joWorld* world, uint32_t collider )
{
    float lower[3] = { 0 }, upper[3] = { 0 }, boxLower[3], boxUpper[3];
    joFloatEnv env = joFloatEnv_Enter();
    world->space->computeBounds(
        joWorld_Shape( world, collider ), joWorld_ColliderPose( world, collider ), lower, upper );
    joFloatEnv_Leave( env );
    bool isWithin = joBroadPhase_GetBox( world->broadPhase, collider, boxLower, boxUpper );
    for ( uint32_t axis = 0; axis < world->space->axisCount && isWithin; ++axis )
    {
        isWithin = boxLower[axis] <= lower[axis] && upper[axis] <= boxUpper[axis];
    }
    return isWithin;
}

void joProxies_Unite( joWorld* world, uint32_t i, uint32_t collider, const void* bodyPose )
{
    joProxy* proxy = (joProxy*)world->proxies.data + i;
    const joProxy had = *proxy;
    joAnyPose pose;
    joProxies_MakePose( world, collider, bodyPose, &pose );
    put( world, i, collider, joWorld_Shape( world, collider ), &pose, 0.0f );
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        proxy->lower[axis] = had.lower[axis] < proxy->lower[axis] ? had.lower[axis] : proxy->lower[axis];
        proxy->upper[axis] = had.upper[axis] > proxy->upper[axis] ? had.upper[axis] : proxy->upper[axis];
    }
}

void joProxies_Widen( joWorld* world, uint32_t i, const double lower[3], const double upper[3] )
{
    joProxy* proxy = (joProxy*)world->proxies.data + i;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        proxy->lower[axis] = -widen( lower[axis] - (double)proxy->lower[axis] );
        proxy->upper[axis] = widen( (double)proxy->upper[axis] + upper[axis] );
    }
}

double joProxies_Size( const joWorld* world, uint32_t i )
{
    const joProxy* proxy = (const joProxy*)world->proxies.data + i;
    double size = 0.0;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        const double side = (double)proxy->upper[axis] - (double)proxy->lower[axis];
        size = side > size ? side : size;
    }
    return size;
}

static joBoxes boxesOf( const joWorld* world, uint32_t count, bool withFilters )
{
    const joProxy* first = world->proxies.data;
    const size_t stride = sizeof( joProxy );
    joBoxes boxes = { .count = count };
    if ( count > 0 )
    {
        boxes.lowerX = ( joColumn ){ &first->lower[0], stride };
        boxes.lowerY = ( joColumn ){ &first->lower[1], stride };
        boxes.lowerZ = ( joColumn ){ &first->lower[2], stride };
        boxes.upperX = ( joColumn ){ &first->upper[0], stride };
        boxes.upperY = ( joColumn ){ &first->upper[1], stride };
        boxes.upperZ = ( joColumn ){ &first->upper[2], stride };
        boxes.key = ( joColumn ){ &first->collider, stride };
    }
    if ( count > 0 && withFilters )
    {
        const joProxyFilter* filters = world->proxyFilters.data;
        boxes.layer = ( joColumn ){ &filters->layer, sizeof( joProxyFilter ) };
        boxes.mask = ( joColumn ){ &filters->mask, sizeof( joProxyFilter ) };
    }
    return boxes;
}

joResult joProxies_Add( joWorld* world, joMotion motion, uint32_t count )
{
    const joBoxes boxes = boxesOf( world, count, true );
    return count > 0 ? joBroadPhase_AddBoxes( world->broadPhase, motion, &boxes, NULL ) : jo_success;
}

joResult joProxies_Move( joWorld* world, uint32_t count, bool withFilters )
{
    const joBoxes boxes = boxesOf( world, count, withFilters );
    return count > 0 ? joBroadPhase_MoveBoxes( world->broadPhase, &boxes, NULL ) : jo_success;
}

void joProxies_WritePoses( joWorld* world, uint32_t count )
{
    const joProxy* proxies = world->proxies.data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        memcpy(
            joWorld_ColliderPose( world, proxies[i].collider ), poseAt( world, i ), world->space->poseSize );
    }
}

joResult joProxies_Remove( joWorld* world, uint32_t count )
{
    return count > 0 ? joBroadPhase_Remove( world->broadPhase, world->keys.data, count, NULL ) : jo_success;
}

joResult joProxies_SetMotion( joWorld* world, joMotion motion, uint32_t count )
{
    return count > 0 ? joBroadPhase_SetMotion( world->broadPhase, motion, world->keys.data, count, NULL )
                     : jo_success;
}
