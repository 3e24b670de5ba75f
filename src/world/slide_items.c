// SPDX-License-Identifier: MIT
// What each sliding body may meet in a step: its candidates, with both shapes where they are at the start,
// and how the other moves.
#include "world/motion.h"
#include "world/proxies.h"
#include "world/slide.h"

#include <string.h>

#define SLIDE_BLOCK 16u

static bool hasFaces( const joWorld* world, uint32_t collider )
{
    return world->space->sortOf( joWorld_Shape( world, collider ) ) == jo_facedSort;
}

static void placeOther( const joWorld* world, const joSlideRun* run, joSlideItem* item )
{
    const joCollider* record = joWorld_Collider( world, item->other );
    const joBody* body = joWorld_Body( world, record->body );
    const void* end = joWorld_ColliderPose( world, item->other );
    memcpy( item->otherPose, end, world->space->poseSize );
    item->motion = item->shift = ( joWide3 ){ 0.0, 0.0, 0.0 };
    if ( body->awakeIndex != JO_NULL_INDEX )
    {
        joProxies_MakePose( world, item->other, joSlide_StartPose( world, record->body ), item->otherPose );
        item->motion =
            joSubtract3( joSlide_PositionOf( world, end ), joSlide_PositionOf( world, item->otherPose ) );
    }
    if ( item->otherRun != JO_NULL_INDEX )
    {
        item->motion = joSlide_RunAt( world, item->otherRun )->wish;
    }
    item->motion = joSlide_HoldMotion( item->motion );
    item->otherTurn =
        item->otherRun == JO_NULL_INDEX ? joSlide_FindAngle( world, record->body, run->dt ) : 0.0;
    if ( item->isOneWay )
    {
        double up[3];
        world->space->rotate( joSlide_StartPose( world, record->body ), record->oneWayUp, up );
        item->oneWayUp = joWide3_Normalize( ( joWide3 ){ up[0], up[1], up[2] } );
    }
}

// When the bounds of the two touch: their places relative to each other.
static void findApart( const joWorld* world, const joSlideRun* run, joSlideItem* item )
{
    const joSpace* space = world->space;
    float ownLower[3], ownUpper[3], otherLower[3], otherUpper[3];
    space->computeBounds( joWorld_Shape( world, item->own ), item->ownPose, ownLower, ownUpper );
    space->computeBounds( joWorld_Shape( world, item->other ), item->otherPose, otherLower, otherUpper );
    const joWide3 other = joSlide_PositionOf( world, item->otherPose );
    const double ownAt[3] = { run->start.x, run->start.y, run->start.z };
    const double otherAt[3] = { other.x, other.y, other.z };
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double shift = ownAt[axis] - otherAt[axis];
        item->lower[axis] = (double)otherLower[axis] - (double)ownUpper[axis] + shift - 2.0 * run->skin;
        item->upper[axis] = (double)otherUpper[axis] - (double)ownLower[axis] + shift + 2.0 * run->skin;
    }
}

void joSlide_PlaceOwn( const joWorld* world, const joSlideRun* run, joSlideItem* item )
{
    float turned[8];
    joSlide_MakeTurnedPose( world, run, turned );
    joProxies_MakePose( world, item->own, turned, item->ownPose );
    item->offset = joSubtract3( joSlide_PositionOf( world, item->ownPose ), run->start );
    findApart( world, run, item );
}

void joSlide_TurnItems( joWorld* world, joSlideRun* run )
{
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        const joSlideRun* other =
            item->otherRun != JO_NULL_INDEX ? joSlide_RunAt( world, item->otherRun ) : NULL;
        if ( other != NULL && other->isTurned )
        {
            float turned[8];
            joSlide_MakeTurnedPose( world, other, turned );
            joProxies_MakePose( world, item->other, turned, item->otherPose );
        }
        if ( run->isTurned || ( other != NULL && other->isTurned ) )
        {
            joSlide_PlaceOwn( world, run, item );
        }
    }
}

static void prepare( joWorld* world, joSlideRun* run )
{
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        const joCollider* own = joWorld_Collider( world, item->own );
        const joCollider* other = joWorld_Collider( world, item->other );
        item->restitution = (double)joWorld_RestitutionOf( world, item->own, item->other );
        item->isMet = false;
        item->isSolid = !own->isTrigger && !other->isTrigger;
        item->isOneWay = other->isOneWay;
        item->isFaced = hasFaces( world, item->own ) && hasFaces( world, item->other );
        item->isCompound = world->space->sortOf( joWorld_Shape( world, item->other ) ) == jo_compoundSort;
        item->otherRun = joSlide_RunOf( world, other->body );
        placeOther( world, run, item );
        joSlide_PlaceOwn( world, run, item );
    }
}

static void prepareBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joWorld* world = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        prepare( world, joSlide_RunAt( world, i ) );
    }
}

void joSlide_PrepareItems( joWorld* world )
{
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, prepareBlock, world );
}

static uint32_t runOf( const joWorld* world, uint32_t collider )
{
    return joSlide_RunOf( world, joWorld_Collider( world, collider )->body );
}

// Candidates by the bodies that slide; one of two such bodies stands with both.
joResult joSlide_ListItems( joWorld* world, uint32_t candidateCount )
{
    const joCandidate* candidates = world->candidates[0].data;
    uint64_t count = 0;
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        joSlide_RunAt( world, i )->itemBegin = joSlide_RunAt( world, i )->itemEnd = 0;
    }
    for ( uint32_t i = 0; i < 2 * candidateCount; ++i )
    {
        const uint64_t pair = candidates[i / 2].colliderPair;
        const uint32_t run = runOf( world, (uint32_t)( i % 2 == 0 ? pair >> 32 : pair ) );
        if ( run != JO_NULL_INDEX )
        {
            joSlide_RunAt( world, run )->itemEnd += 1;
            count += 1;
        }
    }
    joResult result = count > UINT32_MAX ? jo_errorCapacity : jo_success;
    result =
        result ? result
               : joArray_ReserveSlack( &world->slideItems, &world->memory, count, sizeof( joSlideItem ), 0 );
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->slideMet, &world->memory, candidateCount, sizeof( uint32_t ), 0 );
    uint32_t begin = 0;
    for ( uint32_t i = 0; i < world->slideCount && result == jo_success; ++i )
    {
        joSlideRun* run = joSlide_RunAt( world, i );
        const uint32_t own = run->itemEnd;
        run->itemBegin = run->itemEnd = begin;
        begin += own;
    }
    for ( uint32_t i = 0; i < 2 * candidateCount && result == jo_success; ++i )
    {
        const uint64_t pair = candidates[i / 2].colliderPair;
        const uint32_t ends[2] = { (uint32_t)( pair >> 32 ), (uint32_t)pair };
        const uint32_t run = runOf( world, ends[i % 2] );
        if ( run != JO_NULL_INDEX )
        {
            *joSlide_ItemAt( world, joSlide_RunAt( world, run )->itemEnd++ ) =
                ( joSlideItem ){ .candidate = i / 2,
                    .run = run,
                    .own = ends[i % 2],
                    .other = ends[1 - i % 2],
                    .isFirst = i % 2 == 0 };
        }
    }
    world->slideItemCount = (uint32_t)count;
    return result;
}

// How far others can push the body, with something beside it that it must get round. None that slides does.
static double findPush( const joWorld* world, const joSlideRun* run )
{
    double fastest = 0.0;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i );
        const double arm =
            joLength3( joSubtract3( run->start, joSlide_PositionOf( world, item->otherPose ) ) ) + run->size;
        const double speed = ( 1.0 + item->restitution ) * joLength3( item->motion ) + item->otherTurn * arm;
        const bool pushes = item->isSolid && item->otherRun == JO_NULL_INDEX;
        fastest = pushes && speed > fastest ? speed : fastest;
    }
    return joSlideRun_ReachOf( run, 2.0 * fastest );
}

joResult joSlide_Widen( joWorld* world, uint32_t candidateCount, bool* isWider )
{
    *isWider = world->anySlideTurns = false;
    const joResult result = joSlide_ListItems( world, candidateCount );
    if ( result != jo_success )
    {
        return result;
    }
    joSlide_PrepareItems( world );
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        joSlideRun* run = joSlide_RunAt( world, i );
        const joBody* record = joWorld_Body( world, joSlide_At( world, i )->body );
        if ( !joBody_IsSwept( record ) )
        {
            continue;
        }
        world->anySlideTurns = world->anySlideTurns || run->angle > 0.0;
        const double push = findPush( world, run ), more = push - run->push;
        if ( more > 1e-3 * run->reach + run->skin )
        {
            const double wider[3] = { more, more, more };
            const uint32_t first = joStep_FirstProxy( world, record->awakeIndex );
            for ( uint32_t k = 0; k < record->placedCount; ++k )
            {
                joProxies_Widen( world, first + k, wider, wider );
            }
            run->reach += more;
            run->push = push;
            *isWider = true;
        }
    }
    return *isWider ? joStep_MoveAgain( world ) : jo_success;
}
