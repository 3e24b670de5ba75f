// SPDX-License-Identifier: MIT
// Levels of detail of colliders: all are looked at first, then the broad phase learns of those whose shape
// becomes another one, which may fail; only then shapes and levels are written.
#include "jostle/world_detail.h"

#include "base/assert.h"
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

static const void* rowOf( joColumn column, uint32_t i )
{
    return (const char*)column.data + (size_t)i * column.stride;
}

static uint32_t colliderAt( const Pick* pick, uint32_t i )
{
    joColliderId id;
    memcpy( &id, rowOf( pick->colliders->collider, i ), sizeof( id ) );
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
    const joMutableColumn column = pick->colliders->level;
    return (uint32_t*)( (char*)column.data + (size_t)i * column.stride );
}

static joResult checkPoints( const Pick* pick, uint32_t* bad )
{
    for ( uint32_t i = 0; i < pick->pointCount; ++i )
    {
        const float* at = rowOf( *pick->points, i );
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
    const joDetail* detail = detailed;
    joResult result = joCheckDetail( detail );
    if ( result == jo_success && detail->measure != jo_detailByDistance )
    {
        result = jo_errorBadDef;
    }
    for ( uint32_t level = 0; result == jo_success && level < detail->levelCount; ++level )
    {
        const void* shape = shapeOfLevel( detailed, level );
        result = shape != NULL ? world->space->checkShape( shape ) : jo_errorNullArgument;
    }
    return result;
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
        result = checkDetailed( pick->world, rowOf( pick->colliders->shapes, i ) );
        *bad = result ? i : *bad;
    }
    return result;
}

// Whether all shapes of number i may be had by its collider's body.
static joResult checkSlide( const Pick* pick, uint32_t i )
{
    const joCollider* record = joWorld_Collider( pick->world, colliderAt( pick, i ) );
    const void* detailed = rowOf( pick->colliders->shapes, i );
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
        const float* at = rowOf( *pick->points, i );
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

static uint32_t pickLevel( const Pick* pick, uint32_t i, uint32_t collider )
{
    const float* position = joWorld_BodyPose( pick->world, joWorld_Collider( pick->world, collider )->body );
    return joPickDetail(
        rowOf( pick->colliders->shapes, i ), distanceToNearest( pick, position ), *levelAt( pick, i ) );
}

// The new shape of number i; null: it stays.
static const void* findNewShape( const Pick* pick, uint32_t i, uint32_t collider )
{
    const uint32_t level = pickLevel( pick, i, collider );
    const void* shape = shapeOfLevel( rowOf( pick->colliders->shapes, i ), level );
    return joSpace_IsSameShape( pick->world->space, joWorld_Shape( pick->world, collider ), shape ) ? NULL
                                                                                                    : shape;
}

// Tells the broad phase of the shapes that change. *changeCount: how many they are, in the world's keys the
// indices in the call.
static joResult changeProxies( const Pick* pick, uint32_t* changeCount )
{
    joWorld* world = pick->world;
    const uint32_t count = pick->colliders->count;
    joResult result = joWorld_ReserveKeys( world, count );
    uint32_t* changed = world->keys.data;
    uint32_t changes = 0, placed = 0;
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        if ( findNewShape( pick, i, colliderAt( pick, i ) ) != NULL )
        {
            changed[changes++] = i;
        }
    }
    result = result ? result : joProxies_Reserve( world, changes );
    for ( uint32_t k = 0; k < changes && result == jo_success; ++k )
    {
        const uint32_t collider = colliderAt( pick, changed[k] );
        const joCollider* record = joWorld_Collider( world, collider );
        if ( record->isPlaced )
        {
            joProxies_Put( world, placed++, collider, &record->filter,
                findNewShape( pick, changed[k], collider ),
                record->hasLocalPose ? joWorld_LocalPose( world, collider ) : NULL,
                joWorld_BodyPose( world, record->body ) );
        }
    }
    *changeCount = changes;
    return result ? result : joProxies_Move( world, placed, false );
}

static joResult pickDetails( const Pick* pick, uint64_t* changeCount, uint32_t* bad )
{
    joWorld* world = pick->world;
    uint32_t changes = 0;
    joResult result = checkPoints( pick, bad );
    result = result ? result : checkColliders( pick, bad );
    result = result ? result : checkSlides( pick, bad );
    result = result ? result : changeProxies( pick, &changes );
    if ( result != jo_success )
    {
        return result;
    }
    const uint32_t* changed = world->keys.data;
    for ( uint32_t k = 0; k < changes; ++k )
    {
        const uint32_t collider = colliderAt( pick, changed[k] );
        memcpy( joWorld_Shape( world, collider ), findNewShape( pick, changed[k], collider ),
            world->space->shapeSize );
        joSleep_Wake( world, joWorld_Collider( world, collider )->body );
    }
    for ( uint32_t i = 0; i < pick->colliders->count; ++i )
    {
        *levelAt( pick, i ) = pickLevel( pick, i, colliderAt( pick, i ) );
    }
    *changeCount = changes;
    return jo_success;
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
        result = pickDetails( &pick, &changes, &bad );
        joFloatEnv_Leave( env );
    }
    if ( changeCount != NULL )
    {
        *changeCount = changes;
    }
    return joReportAt( result, bad, errorIndex );
}
