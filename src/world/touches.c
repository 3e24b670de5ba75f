// SPDX-License-Identifier: MIT
// Touches: candidates through the narrow phase. A batch places all shapes that it is given, so it gets those
// of this step's candidates only: the cost does not depend on how many colliders there are.
#include "world/contacts.h"
#include "world/slide.h"

#include <string.h>

// Places are a column of their own, for candidates name colliders in no order of memory: so all of them are
// soon in the cache.
joResult joTouches_ReservePlaces( joWorld* world )
{
    const uint32_t count = world->colliderIds.slotCount;
    const joResult result = joArray_Reserve(
        &world->batchPlaces, &world->memory, count, sizeof( uint32_t ), world->batchPlaceCount );
    if ( result == jo_success && world->batchPlaceCount < count )
    {
        memset( (uint32_t*)world->batchPlaces.data + world->batchPlaceCount, 0xFF,
            ( count - world->batchPlaceCount ) * sizeof( uint32_t ) );
        world->batchPlaceCount = count;
    }
    return result;
}

// Candidates may be few among many colliders, anywhere in memory: they are asked for some ahead of their
// turn.
#define AHEAD 24u

// Numbers the colliders of the candidates as they first appear.
static joResult numberColliders( joWorld* world, uint32_t candidateCount, uint32_t* colliderCount )
{
    const joCandidate* candidates = world->candidates[0].data;
    const uint64_t alive = world->colliderIds.aliveCount;
    const uint64_t most = 2 * (uint64_t)candidateCount < alive ? 2 * (uint64_t)candidateCount : alive;
    joResult result = joTouches_ReservePlaces( world );
    result =
        result ? result
               : joArray_ReserveSlack( &world->batchColliders, &world->memory, most, sizeof( uint32_t ), 0 );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->batchPairs, &world->memory, candidateCount, sizeof( joPair ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    uint32_t* colliders = world->batchColliders.data;
    joPair* pairs = world->batchPairs.data;
    uint32_t* placeOf = world->batchPlaces.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < candidateCount; ++i )
    {
        const uint64_t next = candidates[i + AHEAD < candidateCount ? i + AHEAD : i].colliderPair;
        __builtin_prefetch( placeOf + ( next >> 32 ), 1 );
        __builtin_prefetch( placeOf + (uint32_t)next, 1 );
        const uint32_t ends[2] = {
            (uint32_t)( candidates[i].colliderPair >> 32 ), (uint32_t)candidates[i].colliderPair };
        uint32_t places[2];
        for ( uint32_t side = 0; side < 2; ++side )
        {
            uint32_t* place = placeOf + ends[side];
            if ( *place == JO_NULL_INDEX )
            {
                *place = count;
                colliders[count++] = ends[side];
            }
            places[side] = *place;
        }
        pairs[i] = ( joPair ){ places[0], places[1] };
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        placeOf[colliders[i]] = JO_NULL_INDEX;
    }
    *colliderCount = count;
    return jo_success;
}

static joResult placeShapes( joWorld* world, uint32_t count )
{
    const joSpace* space = world->space;
    joResult result = joArray_ReserveSlack( &world->batchShapes, &world->memory, count, space->shapeSize, 0 );
    result = result ? result
                    : joArray_ReserveSlack( &world->batchPoses, &world->memory, count, space->poseSize, 0 );
    if ( result != jo_success )
    {
        return result;
    }
    const uint32_t* colliders = world->batchColliders.data;
    char* shapes = world->batchShapes.data;
    char* poses = world->batchPoses.data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t next = colliders[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch( joWorld_Shape( world, next ) );
        __builtin_prefetch( joWorld_ColliderPose( world, next ) );
        memcpy( shapes + i * space->shapeSize, joWorld_Shape( world, colliders[i] ), space->shapeSize );
        memcpy( poses + i * space->poseSize, joWorld_ColliderPose( world, colliders[i] ), space->poseSize );
    }
    return space->setShapes( world->batch, shapes, poses, count );
}

static void addTouch( joWorld* world, uint32_t i, const joTouchPoint* point, uint32_t* touchCount )
{
    const joCandidate* candidate = (const joCandidate*)world->candidates[0].data + i;
    joTouch* touch = (joTouch*)world->touches.data + *touchCount;
    *touch = ( joTouch ){ .bodyPair = candidate->bodyPair,
        .colliderPair = candidate->colliderPair,
        .touch = *point,
        .slot = JO_NULL_INDEX };
    touch->isTrigger = joWorld_Collider( world, (uint32_t)( touch->colliderPair >> 32 ) )->isTrigger ||
                       joWorld_Collider( world, (uint32_t)touch->colliderPair )->isTrigger;
    joSlide_FindMargins( world, touch, &touch->contactMargin, &touch->leaveMargin );
    joSlide_FindSides( world, touch );
    *touchCount += 1;
}

// What was met on the way, and is at the end no nearer than `depth`, touches with depth 0.
static void addMet( joWorld* world, uint32_t i, uint32_t* touchCount )
{
    const joSlideItem* item = joSlide_FindMet( world, i );
    if ( item != NULL )
    {
        joTouchPoint point = item->met;
        for ( uint32_t axis = 0; axis < 3 && item->isFirst; ++axis )
        {
            point.normal[axis] = -point.normal[axis];
        }
        point.depth = 0.0f;
        point.time = (float)item->metTime;
        addTouch( world, i, &point, touchCount );
    }
}

// Whether a pair that the narrow phase found counts, and is not better told of by how it was met.
static bool isTouch( const joWorld* world, uint32_t i, joTouchPoint* point )
{
    const joSlideItem* met = joSlide_FindMet( world, i );
    if ( met == NULL )
    {
        return true;
    }
    point->time = (float)met->metTime;
    joTouch touch = { .bodyPair = ( (const joCandidate*)world->candidates[0].data )[i].bodyPair };
    float contact, leave;
    joSlide_FindMargins( world, &touch, &contact, &leave );
    return point->depth >= -contact;
}

// Answers of candidates [first, first + count), behind the touches that there are.
static joResult collideBlock( joWorld* world, uint32_t first, uint32_t count, uint32_t* touchCount )
{
    const joSpace* space = world->space;
    uint32_t* hitPairs = world->hitPairs.data;
    uint64_t hits = 0;
    joResult result = space->collide( world->batch, (const joPair*)world->batchPairs.data + first, count,
        joSlide_FindLargestMargin( world ), hitPairs, world->manifolds.data, &hits );
    const uint64_t most = world->slideCount > 0 ? count : hits;
    result = result ? result
                    : joArray_ReserveSlack( &world->touches, &world->memory, *touchCount + most,
                          sizeof( joTouch ), *touchCount );
    if ( result != jo_success )
    {
        return result;
    }
    uint32_t next = 0; // candidate behind the last hit
    for ( uint64_t i = 0; i < hits; ++i )
    {
        for ( ; next < hitPairs[i] && world->slideCount > 0; ++next )
        {
            addMet( world, first + next, touchCount );
        }
        joTouchPoint point;
        space->readManifold( world->manifolds.data, i, &point );
        if ( isTouch( world, first + hitPairs[i], &point ) )
        {
            addTouch( world, first + hitPairs[i], &point, touchCount );
        }
        else
        {
            addMet( world, first + hitPairs[i], touchCount );
        }
        next = hitPairs[i] + 1;
    }
    for ( ; next < count && world->slideCount > 0; ++next )
    {
        addMet( world, first + next, touchCount );
    }
    return jo_success;
}

joResult joStep_FindTouches( joWorld* world, uint32_t candidateCount, uint32_t* touchCount )
{
    *touchCount = 0;
    uint32_t colliderCount = 0;
    const uint32_t block = candidateCount < JO_BLOCK_PAIRS ? candidateCount : JO_BLOCK_PAIRS;
    joResult result = numberColliders( world, candidateCount, &colliderCount );
    result = result ? result : placeShapes( world, colliderCount );
    result = result ? result
                    : joArray_ReserveSlack( &world->hitPairs, &world->memory, block, sizeof( uint32_t ), 0 );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->manifolds, &world->memory, block, world->space->manifoldSize, 0 );
    for ( uint32_t first = 0; first < candidateCount && result == jo_success; first += JO_BLOCK_PAIRS )
    {
        const uint32_t left = candidateCount - first;
        result = collideBlock( world, first, left < JO_BLOCK_PAIRS ? left : JO_BLOCK_PAIRS, touchCount );
    }
    return result;
}
