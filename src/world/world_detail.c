// SPDX-License-Identifier: MIT
// Levels of detail of colliders: all are looked at first, then the broad phase learns of those whose shape
// becomes another one, which may fail; only then shapes and levels are written.
#include "jostle/world_detail.h"

#include "base/assert.h"
#include "base/column.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/sleep.h"
#include "world/slide.h"
#include "world/world.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Both kinds are a joDetail and pointers to shapes.
#define SHAPES_OFFSET offsetof( joDetailedShape2, shapes )
_Static_assert( SHAPES_OFFSET == offsetof( joDetailedShape3, shapes ), "read alike" );
_Static_assert( sizeof( joDetailedShape2 ) == sizeof( joDetailedShape3 ), "read alike" );

typedef struct Pick
{
    joWorld* world;
    const joDetailedColliders* colliders;
    const joColumn* points;
    uint32_t pointCount;
} Pick;

static uint32_t colliderAt( const Pick* pick, uint32_t i )
{
    joColliderId id;
    memcpy( &id, joColumn_At( pick->colliders->collider, i ), sizeof( id ) );
    return joWorld_FindCollider( pick->world, id );
}

static const void* shapeOfLevel( const void* detailed, uint32_t level )
{
    const void* shape;
    memcpy( &shape, (const char*)detailed + SHAPES_OFFSET + level * sizeof( shape ), sizeof( shape ) );
    return shape;
}

static uint32_t* levelAt( const Pick* pick, uint32_t i )
{
    return joMutableColumn_At( pick->colliders->level, i );
}

static joResult checkPoints( const Pick* pick, uint32_t* bad )
{
    for ( uint32_t i = 0; i < pick->pointCount; ++i )
    {
        const float* at = joColumn_At( *pick->points, i );
        for ( uint32_t axis = 0; axis < pick->world->space->axisCount; ++axis )
        {
            if ( !isfinite( at[axis] ) )
            {
                *bad = i;
                return isnan( at[axis] ) ? jo_errorNotANumber : jo_errorBadPose;
            }
        }
    }
    return jo_success;
}

static joResult checkDetailed( const joWorld* world, const void* detailed )
{
    const joResult result =
        world->def.dimension == 2 ? joCheckDetailedShape2( detailed ) : joCheckDetailedShape3( detailed );
    const joDetail* detail = detailed;
    return result == jo_success && detail->measure != jo_detailByDistance ? jo_errorBadDef : result;
}

// Finds all colliders of a call and checks that none stands there twice; outside of a step their places in
// the batch are free to mark them.
static joResult checkColliders( const Pick* pick, uint32_t* bad )
{
    joResult result = joTouches_ReservePlaces( pick->world );
    uint32_t* places = pick->world->batchPlaces.data;
    uint32_t marked = 0;
    for ( ; marked < pick->colliders->count && result == jo_success; ++marked )
    {
        const uint32_t collider = colliderAt( pick, marked );
        if ( collider == JO_NULL_INDEX || places[collider] != JO_NULL_INDEX )
        {
            result = collider == JO_NULL_INDEX ? jo_errorStaleId : jo_errorDuplicateKey;
            *bad = marked;
            break;
        }
        places[collider] = marked;
    }
    for ( uint32_t i = 0; i < marked; ++i )
    {
        places[colliderAt( pick, i )] = JO_NULL_INDEX;
    }
    const uint32_t details =
        pick->colliders->shapes.stride == 0 && pick->colliders->count > 0 ? 1 : pick->colliders->count;
    for ( uint32_t i = 0; i < details && result == jo_success; ++i )
    {
        result = checkDetailed( pick->world, joColumn_At( pick->colliders->shapes, i ) );
        *bad = result ? i : *bad;
    }
    return result;
}

// Whether all shapes of number i may be had by its collider's body.
static joResult checkSlide( const Pick* pick, uint32_t i )
{
    const joCollider* record = joWorld_Collider( pick->world, colliderAt( pick, i ) );
    const void* detailed = joColumn_At( pick->colliders->shapes, i );
    joResult result = jo_success;
    if ( joWorld_Body( pick->world, record->body )->slide != JO_NULL_INDEX )
    {
        for ( uint32_t level = 0; level < ( (const joDetail*)detailed )->levelCount && !result; ++level )
        {
            result = joSlide_CheckShape( pick->world, shapeOfLevel( detailed, level ) );
        }
    }
    return result;
}

static joResult checkSlides( const Pick* pick, uint32_t* bad )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < pick->colliders->count && result == jo_success; ++i )
    {
        result = checkSlide( pick, i );
        *bad = result ? i : *bad;
    }
    return result;
}

static float distanceToNearest( const Pick* pick, const float* from )
{
    double least = (double)INFINITY;
    for ( uint32_t i = 0; i < pick->pointCount; ++i )
    {
        const float* at = joColumn_At( *pick->points, i );
        double distanceSq = 0.0;
        for ( uint32_t axis = 0; axis < pick->world->space->axisCount; ++axis )
        {
            const double way = (double)at[axis] - (double)from[axis];
            distanceSq += way * way;
        }
        least = distanceSq < least ? distanceSq : least;
    }
    return (float)sqrt( least );
}

// The levels that all will be at, into the world's keys.
static joResult pickLevels( const Pick* pick )
{
    joWorld* world = pick->world;
    const joResult result = joWorld_ReserveKeys( world, pick->colliders->count );
    uint32_t* levels = world->keys.data;
    for ( uint32_t i = 0; i < pick->colliders->count && result == jo_success; ++i )
    {
        const joCollider* record = joWorld_Collider( world, colliderAt( pick, i ) );
        const float distance = distanceToNearest( pick, joWorld_BodyPose( world, record->body ) );
        levels[i] = joPickDetail( joColumn_At( pick->colliders->shapes, i ), distance, *levelAt( pick, i ) );
    }
    return result;
}

// The new shape of number i; null: it stays.
static const void* findNewShape( const Pick* pick, uint32_t i, uint32_t collider )
{
    const joWorld* world = pick->world;
    const uint32_t level = ( (const uint32_t*)world->keys.data )[i];
    const void* shape = shapeOfLevel( joColumn_At( pick->colliders->shapes, i ), level );
    return joSpace_IsSameShape( world->space, joWorld_Shape( world, collider ), shape ) ? NULL : shape;
}

// Tells the broad phase of the shapes that change.
static joResult changeProxies( const Pick* pick )
{
    joWorld* world = pick->world;
    joResult result = joProxies_Reserve( world, pick->colliders->count );
    uint32_t placed = 0;
    for ( uint32_t i = 0; i < pick->colliders->count && result == jo_success; ++i )
    {
        const uint32_t collider = colliderAt( pick, i );
        const joCollider* record = joWorld_Collider( world, collider );
        const void* shape = findNewShape( pick, i, collider );
        if ( shape != NULL && record->isPlaced )
        {
            joProxies_Put( world, placed++, collider, &record->filter, shape,
                record->hasLocalPose ? joWorld_LocalPose( world, collider ) : NULL,
                joWorld_BodyPose( world, record->body ) );
        }
    }
    return result ? result : joProxies_Move( world, placed, false );
}

// Writes shapes and levels; returns how many shapes change.
static uint64_t writeShapes( const Pick* pick )
{
    joWorld* world = pick->world;
    uint64_t changes = 0;
    for ( uint32_t i = 0; i < pick->colliders->count; ++i )
    {
        const uint32_t collider = colliderAt( pick, i );
        const void* shape = findNewShape( pick, i, collider );
        *levelAt( pick, i ) = ( (const uint32_t*)world->keys.data )[i];
        if ( shape != NULL )
        {
            memcpy( joWorld_Shape( world, collider ), shape, world->space->shapeSize );
            joSleep_Wake( world, joWorld_Collider( world, collider )->body );
            changes += 1;
        }
    }
    return changes;
}

joResult joWorld_PickDetails( joWorld* world, const joDetailedColliders* colliders, const joColumn* points,
    uint32_t pointCount, uint64_t* changeCount, uint32_t* errorIndex )
{
    uint64_t changes = 0;
    uint32_t bad = JO_NULL_INDEX;
    joResult result = jo_success;
    if ( world == NULL || colliders == NULL ||
         ( pointCount > 0 && ( points == NULL || points->data == NULL ) ) ||
         ( colliders->count > 0 && ( colliders->collider.data == NULL || colliders->shapes.data == NULL ||
                                       colliders->level.data == NULL ) ) )
    {
        result = jo_errorNullArgument;
    }
    if ( result == jo_success )
    {
        const Pick pick = { world, colliders, points, pointCount };
        const joFloatEnv env = joFloatEnv_Enter();
        result = checkPoints( &pick, &bad );
        result = result ? result : checkColliders( &pick, &bad );
        result = result ? result : checkSlides( &pick, &bad );
        result = result ? result : pickLevels( &pick );
        result = result ? result : changeProxies( &pick );
        changes = result ? 0 : writeShapes( &pick );
        joFloatEnv_Leave( env );
    }
    if ( changeCount != NULL )
    {
        *changeCount = changes;
    }
    return joReportAt( result, bad, errorIndex );
}
