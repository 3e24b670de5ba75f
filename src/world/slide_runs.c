// SPDX-License-Identifier: MIT
// The stages of a step that sliding bodies add: predict, sweep, commit.
#include "world/motion.h"
#include "world/proxies.h"
#include "world/slide.h"

#include <string.h>

#define SLIDE_BLOCK 4u
// Times that bodies in each other's way are stopped earlier; whoever is still in one then stays where it was.
#define LIMIT_ROUNDS 8u

typedef struct Stage
{
    joWorld* world;
    float dt;
} Stage;

// The pose of a collider whose body is in a pose, as the world would make it.
static void placeCollider( const joWorld* world, uint32_t collider, const void* body, void* pose )
{
    if ( joWorld_Collider( world, collider )->hasLocalPose )
    {
        world->space->compose( body, joWorld_LocalPose( world, collider ), pose );
    }
    else
    {
        memcpy( pose, body, world->space->poseSize );
    }
}

static joWide3 positionOf( const joWorld* world, const void* pose )
{
    const float* position = pose; // in front, in poses of both dimensions
    return ( joWide3 ){
        (double)position[0], (double)position[1], world->space->axisCount > 2 ? (double)position[2] : 0.0 };
}

static void writePosition( const joWorld* world, joWide3 position, void* pose )
{
    float* to = pose;
    to[0] = joKeepFinite( position.x );
    to[1] = joKeepFinite( position.y );
    if ( world->space->axisCount > 2 )
    {
        to[2] = joKeepFinite( position.z );
    }
}

static double hold( double x )
{
    return x > JO_MAX_SLIDE_MOTION    ? JO_MAX_SLIDE_MOTION
           : x < -JO_MAX_SLIDE_MOTION ? -JO_MAX_SLIDE_MOTION
                                      : x;
}

static joWide3 holdMotion( joWide3 v )
{
    return ( joWide3 ){ hold( v.x ), hold( v.y ), hold( v.z ) };
}

// Where a body was at the start of the step.
static const void* startPoseOf( const joWorld* world, uint32_t body )
{
    const uint32_t awake = joWorld_Body( world, body )->awakeIndex;
    return awake != JO_NULL_INDEX ? joStep_OldPose( world, awake ) : joWorld_BodyPose( world, body );
}

// With the rotation that it has at the end of the step, unless it may not turn.
static void makeTurnedPose( const joWorld* world, const joSlideRun* run, void* pose )
{
    const void* turned =
        run->isStopped ? startPoseOf( world, run->body ) : joWorld_BodyPose( world, run->body );
    memcpy( pose, turned, world->space->poseSize );
    writePosition( world, run->start, pose );
}

joWide3 joSlide_FindCarry( const joWorld* world, uint32_t ground, joWide3 point )
{
    const joBody* record = joWorld_Body( world, ground );
    joWide3 moved = { 0.0, 0.0, 0.0 };
    if ( record->awakeIndex != JO_NULL_INDEX && record->type != jo_staticBody )
    {
        const double from[3] = { point.x, point.y, point.z };
        double to[3];
        world->space->carry( startPoseOf( world, ground ), joWorld_BodyPose( world, ground ), from, to );
        moved = holdMotion( ( joWide3 ){ to[0] - from[0], to[1] - from[1], to[2] - from[2] } );
    }
    return moved;
}

joResult joSlide_ReserveRuns( joWorld* world )
{
    return joArray_ReserveSlack(
        &world->slideRuns, &world->memory, world->slideCount, sizeof( joSlideRun ), 0 );
}

// The directions that sides are told by.
static void makeFrame( const joWorld* world, const joSlideDef* def, joSlideRun* run )
{
    float way[3] = { def->up[0], def->up[1], world->space->axisCount > 2 ? def->up[2] : 0.0f };
    joWide3 up = joWide3_Of( way );
    if ( !( joDot3( up, up ) > 0.0 ) )
    {
        const float* gravity = world->def.gravity;
        up = ( joWide3 ){ -(double)gravity[0], -(double)gravity[1],
            world->space->axisCount > 2 ? -(double)gravity[2] : 0.0 };
    }
    run->hasGround = joDot3( up, up ) > 0.0;
    run->up = run->hasGround ? joWide3_Normalize( up ) : ( joWide3 ){ 0.0, 1.0, 0.0 };
    if ( world->space->axisCount == 2 )
    {
        run->right = ( joWide3 ){ run->up.y, -run->up.x, 0.0 };
        run->front = ( joWide3 ){ 0.0, 0.0, 0.0 };
        return;
    }
    const joWide3 axis =
        fabs( run->up.x ) > 0.99 ? ( joWide3 ){ 0.0, 1.0, 0.0 } : ( joWide3 ){ 1.0, 0.0, 0.0 };
    run->right = joWide3_Normalize( joAddScaled3( axis, -joDot3( axis, run->up ), run->up ) );
    run->front = joCross3( run->right, run->up );
}

static void makeMotion( const joWorld* world, const joSlide* row, joSlideRun* run, double dt )
{
    const joBody* record = joWorld_Body( world, row->body );
    const float* velocity = joWorld_BodyVelocity( world, row->body );
    const void* start = startPoseOf( world, row->body );
    const void* end = joWorld_BodyPose( world, row->body );
    const size_t positionSize = world->space->axisCount * sizeof( float );
    run->start = positionOf( world, start );
    run->velocity = positionOf( world, velocity );
    run->turns = memcmp( (const char*)start + positionSize, (const char*)end + positionSize,
                     world->space->poseSize - positionSize ) != 0;
    run->carry = ( joWide3 ){ 0.0, 0.0, 0.0 };
    const uint32_t ground = joWorld_FindBody( world, row->state.groundBody );
    if ( row->state.isGrounded && ground != JO_NULL_INDEX )
    {
        run->carry = joSlide_FindCarry( world, ground, run->start );
    }
    run->wish = holdMotion( joAddScaled3( run->carry, dt, run->velocity ) );
    double farthest = fabs( run->start.x );
    farthest = fabs( run->start.y ) > farthest ? fabs( run->start.y ) : farthest;
    farthest = fabs( run->start.z ) > farthest ? fabs( run->start.z ) : farthest;
    const double skin = (double)row->def.skinWidth + 5e-7 * farthest;
    run->skin = skin < (double)JO_MAX_SIZE ? skin : (double)JO_MAX_SIZE;
    // A hair more than the limit, so that what is as steep as that is ground.
    run->leastGround = (double)joCos( row->def.slopeLimit ) - 1e-4;
    const double gravity = record->type == jo_dynamicBody
                               ? joLength3( joWide3_Of( world->def.gravity ) ) * (double)record->gravityScale
                               : 0.0;
    run->leastBounce = 2.0 * fabs( gravity ) * dt;
}

// Bounds that hold wherever the body may get: anywhere within the length of its motion, as it may turn at
// every stop; up to a step, and down after the ground.
static void putProxies( joWorld* world, const joSlide* row, joSlideRun* run )
{
    const joBody* record = joWorld_Body( world, row->body );
    float turned[8];
    makeTurnedPose( world, run, turned );
    const uint32_t first = joStep_FirstProxy( world, record->awakeIndex );
    uint32_t proxy = first;
    run->size = 0.0;
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( joWorld_Collider( world, i )->isPlaced )
        {
            joProxies_PutAt( world, proxy, i, turned );
            joProxies_Unite( world, proxy, i, startPoseOf( world, row->body ) );
            const double size = joProxies_Size( world, proxy++ );
            run->size = size > run->size ? size : run->size;
        }
    }
    const double slope = run->hasGround ? 1.0 / run->leastGround : 1.0;
    run->reach = slope * joLength3( run->wish );
    const double around = 8.0 * run->skin + 2.0 * (double)row->def.stepHeight + 0.1 * run->size;
    const bool isStraight = row->def.maxSlides == 0;
    const double way[3] = { run->wish.x, run->wish.y, run->wish.z };
    double lower[3], upper[3];
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        lower[axis] = around + ( isStraight ? ( way[axis] < 0.0 ? -way[axis] : 0.0 ) : run->reach );
        upper[axis] = around + ( isStraight ? ( way[axis] > 0.0 ? way[axis] : 0.0 ) : run->reach );
    }
    for ( uint32_t i = first; i < proxy; ++i )
    {
        joProxies_Widen( world, i, lower, upper );
    }
}

static void predictBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joSlide* row = joSlide_At( stage->world, i );
        joSlideRun* run = joSlide_RunAt( stage->world, i );
        run->body = row->body;
        run->isStopped = false;
        if ( joBody_IsSwept( joWorld_Body( stage->world, row->body ) ) )
        {
            makeFrame( stage->world, &row->def, run );
            makeMotion( stage->world, row, run, (double)stage->dt );
            putProxies( stage->world, row, run );
        }
    }
}

void joSlide_Predict( joWorld* world, float dt )
{
    Stage stage = { world, dt };
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, predictBlock, &stage );
}

static bool hasFaces( const joWorld* world, uint32_t collider )
{
    return world->space->sortOf( joWorld_Shape( world, collider ) ) == jo_facedSort;
}

static void placeOther( const joWorld* world, joSlideItem* item )
{
    const joCollider* record = joWorld_Collider( world, item->other );
    const joBody* body = joWorld_Body( world, record->body );
    const void* end = joWorld_ColliderPose( world, item->other );
    memcpy( item->otherPose, end, world->space->poseSize );
    item->motion = item->shift = ( joWide3 ){ 0.0, 0.0, 0.0 };
    if ( body->awakeIndex != JO_NULL_INDEX )
    {
        placeCollider( world, item->other, startPoseOf( world, record->body ), item->otherPose );
        item->motion = joSubtract3( positionOf( world, end ), positionOf( world, item->otherPose ) );
    }
    if ( item->otherRun != JO_NULL_INDEX )
    {
        item->motion = joSlide_RunAt( world, item->otherRun )->wish;
    }
    item->motion = holdMotion( item->motion );
    if ( item->isOneWay )
    {
        double up[3];
        world->space->rotate( startPoseOf( world, record->body ), record->oneWayUp, up );
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
    const joWide3 other = positionOf( world, item->otherPose );
    const double ownAt[3] = { run->start.x, run->start.y, run->start.z };
    const double otherAt[3] = { other.x, other.y, other.z };
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double shift = ownAt[axis] - otherAt[axis];
        item->lower[axis] = (double)otherLower[axis] - (double)ownUpper[axis] + shift - 2.0 * run->skin;
        item->upper[axis] = (double)otherUpper[axis] - (double)ownLower[axis] + shift + 2.0 * run->skin;
    }
}

static void placeOwn( const joWorld* world, const joSlideRun* run, joSlideItem* item )
{
    float turned[8];
    makeTurnedPose( world, run, turned );
    placeCollider( world, item->own, turned, item->ownPose );
    item->offset = joSubtract3( positionOf( world, item->ownPose ), run->start );
    findApart( world, run, item );
}

void joSlide_StopTurning( joWorld* world, joSlideRun* run )
{
    run->isStopped = true;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        placeOwn( world, run, joSlide_ItemAt( world, i ) );
    }
}

static void prepare( joWorld* world, joSlideRun* run )
{
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        const joCollider* own = joWorld_Collider( world, item->own );
        const joCollider* other = joWorld_Collider( world, item->other );
        const joBody* body = joWorld_Body( world, other->body );
        const float restitution = own->material.restitution > other->material.restitution
                                      ? own->material.restitution
                                      : other->material.restitution;
        item->restitution = (double)restitution;
        item->isMet = false;
        item->isSolid = !own->isTrigger && !other->isTrigger;
        item->isOneWay = other->isOneWay;
        item->isFaced = hasFaces( world, item->own ) && hasFaces( world, item->other );
        item->isCompound = world->space->sortOf( joWorld_Shape( world, item->other ) ) == jo_compoundSort;
        item->otherRun = joBody_IsSwept( body ) ? body->slide : JO_NULL_INDEX;
        placeOther( world, item );
        placeOwn( world, run, item );
    }
}

static void prepareBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joSlideRun* run = joSlide_RunAt( stage->world, i );
        if ( joBody_IsSwept( joWorld_Body( stage->world, run->body ) ) )
        {
            prepare( stage->world, run );
        }
    }
}

static void sweepBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joSlideRun* run = joSlide_RunAt( stage->world, i );
        if ( joBody_IsSwept( joWorld_Body( stage->world, run->body ) ) )
        {
            joSlide_SweepBody( stage->world, i, stage->dt );
        }
    }
}

// Ends of ways are written, and what was passed on them is noted.
static void endBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    joWorld* world = stage->world;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joSlideRun* run = joSlide_RunAt( world, i );
        if ( !joBody_IsSwept( joWorld_Body( world, run->body ) ) )
        {
            continue;
        }
        joSlide_MeetTriggers( world, i );
        void* pose = joWorld_BodyPose( world, run->body );
        if ( run->isStopped )
        {
            memcpy( pose, startPoseOf( world, run->body ), world->space->poseSize );
        }
        writePosition( world, joSlide_PlaceAt( run, run->limit ), pose );
        float* velocity = joWorld_BodyVelocity( world, run->body );
        writePosition( world, run->velocity, velocity );
        for ( uint32_t k = 0; k < world->space->angularCount && run->isStopped; ++k )
        {
            velocity[world->space->axisCount + k] = 0.0f;
        }
    }
}

static uint32_t runOf( const joWorld* world, uint32_t collider )
{
    const joBody* body = joWorld_Body( world, joWorld_Collider( world, collider )->body );
    return joBody_IsSwept( body ) ? body->slide : JO_NULL_INDEX;
}

// Candidates by the bodies that slide; one of two such bodies stands with both.
static joResult listItems( joWorld* world, uint32_t candidateCount )
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

typedef struct Limits
{
    joWorld* world;
    bool isLast;
} Limits;

static void limitBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Limits* limits = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joSlideRun* run = joSlide_RunAt( limits->world, i );
        run->nextLimit = run->limit;
        if ( joBody_IsSwept( joWorld_Body( limits->world, run->body ) ) )
        {
            const double limit = joSlide_FindLimit( limits->world, i );
            run->nextLimit = limit < run->limit && limits->isLast ? 0.0 : limit;
        }
    }
}

// Sliding bodies did not see where each other got to, but where each wanted to. Where two ways meet both end;
// and again, until none do. Each round looks at the ways of the round before: no order can show.
static void limitWays( joWorld* world )
{
    bool isChanged = true;
    for ( uint32_t round = 0; isChanged; ++round )
    {
        Limits limits = { world, round >= LIMIT_ROUNDS };
        joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, limitBlock, &limits );
        isChanged = false;
        for ( uint32_t i = 0; i < world->slideCount; ++i )
        {
            joSlideRun* run = joSlide_RunAt( world, i );
            isChanged = isChanged || run->nextLimit < run->limit;
            run->limit = run->nextLimit;
        }
    }
}

// How far the body may get, with all that can push it.
static double findReach( const joWorld* world, const joSlideRun* run )
{
    double fastest = 0.0;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i );
        const double speed = ( 1.0 + item->restitution ) * joLength3( item->motion );
        fastest = item->isSolid && speed > fastest ? speed : fastest;
    }
    const double slope = run->hasGround ? 1.0 / run->leastGround : 1.0;
    return slope * ( joLength3( run->wish ) + fastest );
}

joResult joSlide_Widen( joWorld* world, uint32_t candidateCount, bool* isWider )
{
    *isWider = false;
    const joResult result = listItems( world, candidateCount );
    if ( result != jo_success )
    {
        return result;
    }
    Stage stage = { world, 0.0f };
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, prepareBlock, &stage );
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        joSlideRun* run = joSlide_RunAt( world, i );
        const joSlide* row = joSlide_At( world, i );
        const joBody* record = joWorld_Body( world, row->body );
        if ( !joBody_IsSwept( record ) || row->def.maxSlides == 0 )
        {
            continue;
        }
        const double reach = findReach( world, run ), more = reach - run->reach;
        if ( more > 1e-3 * run->reach + run->skin )
        {
            const double wider[3] = { more, more, more };
            const uint32_t first = joStep_FirstProxy( world, record->awakeIndex );
            for ( uint32_t k = 0; k < record->placedCount; ++k )
            {
                joProxies_Widen( world, first + k, wider, wider );
            }
            run->reach = reach;
            *isWider = true;
        }
    }
    return *isWider ? joStep_MoveAgain( world ) : jo_success;
}

joResult joSlide_Sweep( joWorld* world, uint32_t candidateCount, float dt )
{
    Stage stage = { world, dt };
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, sweepBlock, &stage );
    limitWays( world );
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, endBlock, &stage );
    uint32_t* met = world->slideMet.data;
    for ( uint32_t i = 0; i < candidateCount; ++i )
    {
        met[i] = JO_NULL_INDEX;
    }
    for ( uint32_t i = world->slideItemCount; i > 0; --i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i - 1 );
        // Of two bodies that slide the first says how.
        if ( item->isMet && ( met[item->candidate] == JO_NULL_INDEX || item->isFirst ) )
        {
            met[item->candidate] = i - 1;
        }
    }
    return joStep_Settle( world );
}

void joSlide_Commit( joWorld* world )
{
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        joSlide* row = joSlide_At( world, i );
        const bool isSwept = joBody_IsSwept( joWorld_Body( world, row->body ) );
        memset( &row->state, 0, sizeof( row->state ) );
        if ( isSwept )
        {
            memcpy( &row->state, &joSlide_RunAt( world, i )->state, sizeof( row->state ) );
        }
    }
}

const joSlideItem* joSlide_FindMet( const joWorld* world, uint32_t candidate )
{
    const uint32_t item =
        world->slideCount > 0 ? ( (const uint32_t*)world->slideMet.data )[candidate] : JO_NULL_INDEX;
    return item != JO_NULL_INDEX ? joSlide_ItemAt( world, item ) : NULL;
}

// Bodies stop at their skin, but for rounding.
static float contactReach( double skin )
{
    return (float)( 1.5 * skin );
}

static float leaveReach( double skin )
{
    return (float)( 2.5 * skin );
}

void joSlide_FindMargins( const joWorld* world, const joTouch* touch, float* contact, float* leave )
{
    *contact = world->def.contactMargin;
    *leave = world->def.leaveMargin;
    const uint32_t bodies[2] = { (uint32_t)( touch->bodyPair >> 32 ), (uint32_t)touch->bodyPair };
    for ( uint32_t side = 0; side < 2 && world->slideCount > 0 && !touch->isTrigger; ++side )
    {
        const joBody* record = joWorld_Body( world, bodies[side] );
        if ( joBody_IsSwept( record ) )
        {
            const double skin = joSlide_RunAt( world, record->slide )->skin;
            *contact = contactReach( skin ) > *contact ? contactReach( skin ) : *contact;
            *leave = leaveReach( skin ) > *leave ? leaveReach( skin ) : *leave;
        }
    }
}

float joSlide_FindLargestMargin( const joWorld* world )
{
    float most = world->def.leaveMargin;
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        const joSlideRun* run = joSlide_RunAt( world, i );
        if ( joBody_IsSwept( joWorld_Body( world, run->body ) ) )
        {
            most = leaveReach( run->skin ) > most ? leaveReach( run->skin ) : most;
        }
    }
    return most < JO_MAX_SIZE ? most : JO_MAX_SIZE;
}
