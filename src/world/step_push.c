// SPDX-License-Identifier: MIT
// Push, as a stage of the step: who stands where, who is whose neighbour, and where all are afterwards.
#include "world/step_push.h"

#include "base/float_env.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/pusher.h"
#include "world/sleep.h"

#include <math.h>
#include <string.h>

#define TRACK_BLOCK 256u
#define LEAST_SLACK 64u
#define WALL_SWEEPS 4u
// The radius of what is not round.
#define NOT_ROUND ( -1.0f )

joResult joPushStage_Create( joWorld* world )
{
    const joWorldDef* def = &world->def;
    joPusherDef pusher = joDefaultPusherDef();
    pusher.dimension = def->dimension;
    pusher.margin = def->pushMargin;
    pusher.iterations = def->pushIterations;
    pusher.jobs = def->jobs;
    pusher.allocator = def->allocator;
    return def->pushIterations > 0 ? joPusher_CreateBare( &pusher, &world->push.pusher ) : jo_success;
}

// Room for so many bodies, and pairs of round ones; keeps what was placed.
static joResult reserve( joWorld* world, uint32_t bodies, uint32_t placed, uint64_t pairs )
{
    joPushStage* push = &world->push;
    joMemory* memory = &push->pusher->memory;
    joResult result = joPusher_ReserveBodies( push->pusher, bodies, placed );
    result = result ? result : joArray_Reserve( &push->slots, memory, bodies, sizeof( joPushSlot ), 0 );
    result = result ? result : joArray_Reserve( &push->sleepers, memory, bodies, sizeof( uint32_t ), 0 );
    result = result ? result : joPusher_ReservePairs( push->pusher, pairs );
    return result ? result
                  : joArray_ReserveSlack(
                        &push->pairs, memory, pairs, sizeof( joPair ), push->pusher->pairCount );
}

// Few planes vary by more than the quarter that arrays grow by beyond need.
static uint64_t withSlack( const joPusher* pusher, uint64_t count )
{
    return pusher->memory.fixed ? count : count + LEAST_SLACK;
}

// Room for so many planes, and for the velocities of so many contacts.
static joResult reserveContacts( joWorld* world, uint64_t planes, uint64_t contacts )
{
    joPushStage* push = &world->push;
    joMemory* memory = &push->pusher->memory;
    joResult result = joArray_ReserveSlack( &push->placePairs, memory, planes, sizeof( joPair ), 0 );
    result = result ? result
                    : joArray_ReserveSlack( &push->pusher->planes, memory, planes, sizeof( joPushPlane ), 0 );
    result =
        result ? result : joArray_ReserveSlack( &push->planeMaterials, memory, planes, sizeof( float ), 0 );
    return result ? result : joArray_ReserveSlack( &push->bounces, memory, contacts, sizeof( joBounce ), 0 );
}

joResult joPushStage_Reserve( joWorld* world )
{
    const joWorldDef* def = &world->def;
    joPushStage* push = &world->push;
    joResult result = jo_success;
    if ( push->pusher != NULL && def->bodyReserve > 0 )
    {
        result = reserve( world, def->bodyReserve, 0, def->pairReserve );
        result = result ? result
                        : joArray_Reserve( &push->links, &push->pusher->memory, def->pairReserve,
                              sizeof( joPushLink ), 0 );
        result = result ? result : reserveContacts( world, def->pairReserve, def->pairReserve );
    }
    if ( push->pusher != NULL )
    {
        push->pusher->memory.fixed = def->fixedCapacity;
    }
    return result;
}

void joPushStage_Free( joWorld* world )
{
    joPushStage* push = &world->push;
    if ( push->pusher != NULL )
    {
        joMemory* memory = &push->pusher->memory;
        joArray_Free( &push->slots, memory, sizeof( joPushSlot ) );
        joArray_Free( &push->sleepers, memory, sizeof( uint32_t ) );
        joArray_Free( &push->pairs, memory, sizeof( joPair ) );
        joArray_Free( &push->links, memory, sizeof( joPushLink ) );
        joArray_Free( &push->placePairs, memory, sizeof( joPair ) );
        joArray_Free( &push->planeMaterials, memory, sizeof( float ) );
        joArray_Free( &push->bounces, memory, sizeof( joBounce ) );
        joDestroyPusher( push->pusher );
    }
}

uint32_t joPush_FindOnly( const joWorld* world, uint32_t body )
{
    uint32_t only = JO_NULL_INDEX;
    uint32_t i = joWorld_Body( world, body )->firstCollider;
    for ( ; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        const joCollider* collider = joWorld_Collider( world, i );
        if ( collider->isPlaced && !collider->isTrigger )
        {
            if ( only != JO_NULL_INDEX )
            {
                return JO_NULL_INDEX;
            }
            only = i;
        }
    }
    return only;
}

joResult joPush_ReservePlaces( joWorld* world )
{
    return joPusher_ReserveBodies( world->push.pusher, world->awakeCount, 0 );
}

void joPush_Place( joWorld* world, uint32_t slot, uint32_t body, float limit )
{
    const joPusher* pusher = world->push.pusher;
    const joBody* record = joWorld_Body( world, body );
    // In place: a copy would wait for what has just been written in pieces.
    joPushState* state = (joPushState*)pusher->states.data + slot;
    state->position[2] = 0.0f;
    const uint32_t only = joPush_FindOnly( world, body );
    if ( only == JO_NULL_INDEX || !world->space->findRound( joWorld_Shape( world, only ),
                                      joWorld_ColliderPose( world, only ), state->position, &state->radius ) )
    {
        const float* pose = joWorld_BodyPose( world, body );
        const float z = world->space->axisCount == 3 ? pose[2] : 0.0f;
        *state = ( joPushState ){ { pose[0], pose[1], z }, NOT_ROUND };
    }
    const bool isMovable = joBody_IsMovable( record );
    // A division takes longer than all else here.
    const float inverseMass = record->mass == 1.0f ? 1.0f : joKeepFinite( 1.0 / (double)record->mass );
    ( (float*)pusher->inverseMasses.data )[slot] = isMovable ? inverseMass : 0.0f;
    ( (float*)pusher->limits.data )[slot] = isMovable ? limit : 0.0f;
}

joResult joPush_BeginPairs( joWorld* world, uint64_t count )
{
    joPusher* pusher = world->push.pusher;
    if ( !world->push.anyMovable )
    {
        return jo_success;
    }
    pusher->pairCount = 0;
    pusher->largestRadius = 0.0f;
    return joArray_ReserveSlack( &world->push.pairs, &pusher->memory, count, sizeof( joPair ), 0 );
}

static void addPair( joWorld* world, joPair slots )
{
    joPusher* pusher = world->push.pusher;
    const joPushState* states = pusher->states.data;
    const float a = states[slots.a].radius, b = states[slots.b].radius;
    pusher->largestRadius = a > pusher->largestRadius ? a : pusher->largestRadius;
    pusher->largestRadius = b > pusher->largestRadius ? b : pusher->largestRadius;
    ( (joPair*)world->push.pairs.data )[pusher->pairCount++] = slots;
}

void joPush_AskAhead( const joWorld* world, uint32_t body )
{
    const uint32_t slot = joWorld_Body( world, body )->awakeIndex;
    if ( slot != JO_NULL_INDEX )
    {
        __builtin_prefetch( (const joPushState*)world->push.pusher->states.data + slot );
    }
}

bool joPush_TakeApart( joWorld* world, joPair slots )
{
    const joPushState* a = (const joPushState*)world->push.pusher->states.data + slots.a;
    const joPushState* b = (const joPushState*)world->push.pusher->states.data + slots.b;
    if ( a->radius == NOT_ROUND || b->radius == NOT_ROUND )
    {
        return false;
    }
    double distanceSq = 0.0, size = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double x = (double)a->position[axis], y = (double)b->position[axis];
        distanceSq += ( x - y ) * ( x - y );
        size += fabs( x ) + fabs( y );
    }
    const double reach = (double)a->radius + (double)b->radius + (double)world->def.leaveMargin;
    // A few units in the last place of the largest number that either of us has rounded.
    const double most = reach + ( reach + size ) * 0x1p-20;
    if ( distanceSq <= most * most )
    {
        return false;
    }
    addPair( world, slots );
    return true;
}

static uint32_t slotOf( joWorld* world, uint32_t body )
{
    joPusher* pusher = world->push.pusher;
    joBody* record = joWorld_Body( world, body );
    if ( record->awakeIndex != JO_NULL_INDEX )
    {
        return record->awakeIndex;
    }
    if ( record->pushSlot == JO_NULL_INDEX )
    {
        record->pushSlot = pusher->count++;
        ( (uint32_t*)pusher->order.data )[record->pushSlot] = body;
        ( (joPushSlot*)world->push.slots.data )[record->pushSlot].wakes = false;
        joPush_Place( world, record->pushSlot, body, 0.0f );
    }
    return record->pushSlot;
}

static joResult addLink( joWorld* world, uint32_t candidate, joPair slots, uint32_t* count )
{
    joPushStage* push = &world->push;
    const joResult result = joArray_Reserve( &push->links, &push->pusher->memory,
        withSlack( push->pusher, *count + 1 ), sizeof( joPushLink ), *count );
    if ( result == jo_success )
    {
        ( (joPushLink*)push->links.data )[( *count )++] = ( joPushLink ){ slots, candidate };
    }
    return result;
}

// Makes slots of the bodies that are not awake, pairs of the round ones, and links of the others.
static joResult findNeighbours( joWorld* world, uint32_t candidateCount, uint32_t* linkCount )
{
    const joCandidate* candidates = world->candidates[0].data;
    const joPushState* states = world->push.pusher->states.data;
    joResult result = jo_success;
    for ( uint32_t i = 0; i < candidateCount && result == jo_success; ++i )
    {
        if ( !candidates[i].pushes )
        {
            continue;
        }
        const uint32_t a = slotOf( world, (uint32_t)( candidates[i].bodyPair >> 32 ) );
        const uint32_t b = slotOf( world, (uint32_t)candidates[i].bodyPair );
        if ( states[a].radius != NOT_ROUND && states[b].radius != NOT_ROUND )
        {
            addPair( world, ( joPair ){ a, b } );
        }
        else
        {
            result = addLink( world, i, ( joPair ){ a, b }, linkCount );
        }
    }
    return result;
}

// The plane of a link; returns the deepest that it may come to overlap.
static double makePlane( joWorld* world, const joPushLink* link, const joTouchPoint* touch )
{
    joPushStage* push = &world->push;
    joPusher* pusher = push->pusher;
    const float* limits = pusher->limits.data;
    const double reach = (double)limits[link->slots.a] + (double)limits[link->slots.b];
    if ( (double)touch->depth + reach < 0.0 )
    {
        return 0.0; // cannot come to overlap
    }
    const joPushState* a = (const joPushState*)pusher->states.data + link->slots.a;
    const joPushState* b = (const joPushState*)pusher->states.data + link->slots.b;
    double depth = (double)touch->depth;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        ( (joPushSlot*)push->slots.data )[link->slots.a].start[axis] = a->position[axis];
        ( (joPushSlot*)push->slots.data )[link->slots.b].start[axis] = b->position[axis];
        depth += ( (double)b->position[axis] - (double)a->position[axis] ) * (double)touch->normal[axis];
    }
    const joCandidate* candidate = (const joCandidate*)world->candidates[0].data + link->candidate;
    ( (float*)push->planeMaterials.data )[pusher->planeCount] = joWorld_RestitutionOf(
        world, (uint32_t)( candidate->colliderPair >> 32 ), (uint32_t)candidate->colliderPair );
    ( (joPushPlane*)pusher->planes.data )[pusher->planeCount++] = ( joPushPlane ){
        link->slots.a, link->slots.b, { touch->normal[0], touch->normal[1], touch->normal[2] }, depth };
    return (double)touch->depth + reach;
}

// Asks the narrow phase again for the links, as far as bodies may be pushed.
static joResult findPlanes( joWorld* world, uint32_t linkCount, double* deepest )
{
    const joSpace* space = world->space;
    const joPushLink* links = world->push.links.data;
    joPair* places = world->push.placePairs.data;
    uint32_t* hitPairs = world->hitPairs.data;
    joResult result = jo_success;
    for ( uint32_t i = 0; i < linkCount; ++i )
    {
        places[i] = ( (const joPair*)world->batchPairs.data )[links[i].candidate];
    }
    for ( uint32_t first = 0; first < linkCount && result == jo_success; first += JO_BLOCK_PAIRS )
    {
        const uint32_t left = linkCount - first;
        uint64_t hits = 0;
        result = space->collide( world->batch, places + first, left < JO_BLOCK_PAIRS ? left : JO_BLOCK_PAIRS,
            world->def.pushMargin, hitPairs, world->manifolds.data, &hits );
        for ( uint64_t i = 0; i < hits && result == jo_success; ++i )
        {
            joTouchPoint touch;
            space->readManifold( world->manifolds.data, i, &touch );
            const double most = makePlane( world, links + first + hitPairs[i], &touch );
            *deepest = most > *deepest ? most : *deepest;
        }
    }
    return result;
}

static bool mayWake( const joWorld* world, uint32_t slot )
{
    const joBody* record = joWorld_Body( world, joPusher_Index( world->push.pusher, slot ) );
    return record->response == jo_push && joBody_Sleeps( record );
}

static void noteSleepers( joWorld* world, uint32_t a, uint32_t b )
{
    joPushStage* push = &world->push;
    const uint32_t ends[2] = { a, b };
    for ( uint32_t side = 0; side < 2; ++side )
    {
        joPushSlot* slot = (joPushSlot*)push->slots.data + ends[side];
        if ( mayWake( world, ends[side] ) && !slot->wakes )
        {
            slot->wakes = true;
            ( (uint32_t*)push->sleepers.data )[push->sleeperCount++] =
                joPusher_Index( push->pusher, ends[side] );
        }
    }
}

// Who sleeps and is pushed: few, and none where nobody sleeps.
static void findSleepers( joWorld* world )
{
    const joPusher* pusher = world->push.pusher;
    const joPushPlane* planes = pusher->planes.data;
    for ( uint32_t i = 0; i < pusher->pairCount && world->sleepingCount > 0; ++i )
    {
        if ( joPusher_Overlaps( pusher, pusher->pairs[i] ) )
        {
            noteSleepers( world, pusher->pairs[i].a, pusher->pairs[i].b );
        }
    }
    for ( uint32_t i = 0; i < pusher->planeCount && world->sleepingCount > 0; ++i )
    {
        if ( joPusher_IsPressed( pusher, planes + i ) )
        {
            noteSleepers( world, planes[i].a, planes[i].b );
        }
    }
}

// Who stands has the last word: a crowd that presses on a wall does not press anyone through it, though then
// overlaps are left. Each body by itself, its planes in turn, within its limit.
static void keepOffWalls( joWorld* world )
{
    joPusher* pusher = world->push.pusher;
    const joPushPlane* planes = pusher->planes.data;
    const joPushSlot* slots = world->push.slots.data;
    const float* inverseMasses = pusher->inverseMasses.data;
    const float* limits = pusher->limits.data;
    joPushState* states = pusher->states.data;
    for ( uint32_t i = 0; i < WALL_SWEEPS * pusher->planeCount; ++i )
    {
        const joPushPlane* plane = planes + i % pusher->planeCount;
        const bool isA = inverseMasses[plane->b] == 0.0f;
        if ( ( isA || inverseMasses[plane->a] == 0.0f ) && joPusher_IsPressed( pusher, plane ) )
        {
            const uint32_t slot = isA ? plane->a : plane->b;
            joPusher_LeavePlane( pusher, plane, isA );
            joPusher_HoldBack( states + slot, slots[slot].start, limits[slot] );
        }
    }
}

typedef struct Commit
{
    joWorld* world;
    float dt;
} Commit;

static void commitBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Commit* commit = context;
    joWorld* world = commit->world;
    const joPusher* pusher = world->push.pusher;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joPushTrack* track = (const joPushTrack*)pusher->tracks.data + i;
        const joPushState* state = (const joPushState*)pusher->states.data + track->slot;
        const uint32_t body = joPusher_Index( pusher, track->slot );
        float* pose = joWorld_BodyPose( world, body );
        bool isMoved = false;
        for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
        {
            const double way = (double)state->position[axis] - (double)track->start[axis];
            pose[axis] = joKeepFinite( (double)pose[axis] + way );
            isMoved = isMoved || way != 0.0;
        }
        if ( isMoved )
        {
            // The last stage adds the time of this step: so long it has been at rest if it rests now.
            joWorld_Body( world, body )->restTime = -commit->dt;
            ( (uint8_t*)world->restless.data )[track->slot] = 0;
            joProxies_PlaceColliders( world, body );
        }
    }
}

// Forgets the slots.
static void forget( joWorld* world )
{
    joPusher* pusher = world->push.pusher;
    joPusher_ClearTracks( pusher );
    for ( uint32_t i = world->awakeCount; i < pusher->count; ++i )
    {
        joWorld_Body( world, joPusher_Index( pusher, i ) )->pushSlot = JO_NULL_INDEX;
    }
    pusher->count = 0;
}

static joResult prepare( joWorld* world, uint32_t candidateCount )
{
    joPusher* pusher = world->push.pusher;
    const uint64_t others = world->bodyIds.aliveCount - world->awakeCount;
    const uint64_t most = 2 * (uint64_t)candidateCount < others ? 2 * (uint64_t)candidateCount : others;
    uint32_t linkCount = 0;
    double deepest = 0.0;
    pusher->count = world->awakeCount;
    pusher->planeCount = 0;
    pusher->regionCount = pusher->regionStarts[0] = 0;
    pusher->detected = false;
    joResult result = reserve( world, world->awakeCount + (uint32_t)most, world->awakeCount,
        (uint64_t)pusher->pairCount + candidateCount );
    if ( result == jo_success )
    {
        memcpy( pusher->order.data, world->awake.data, world->awakeCount * sizeof( uint32_t ) );
    }
    result = result ? result : findNeighbours( world, candidateCount, &linkCount );
    result = result ? result
                    : reserveContacts( world, withSlack( pusher, linkCount ),
                          withSlack( pusher, (uint64_t)pusher->pairCount + linkCount ) );
    result = result ? result : findPlanes( world, linkCount, &deepest );
    const double widest = 2.0 * (double)pusher->largestRadius;
    pusher->pairs = world->push.pairs.data;
    joPusher_SetQuantum(
        pusher, widest > deepest ? widest : deepest, 2 * ( (uint64_t)pusher->pairCount + linkCount ) );
    return result;
}

joResult joStep_Push( joWorld* world, uint32_t candidateCount, float dt )
{
    joPusher* pusher = world->push.pusher;
    world->push.sleeperCount = 0;
    if ( !world->push.anyMovable || ( candidateCount == 0 && pusher->pairCount == 0 ) )
    {
        return jo_success;
    }
    const joResult result = prepare( world, candidateCount );
    if ( result == jo_success )
    {
        findSleepers( world );
        joPusher_Measure( pusher );
        joBounce_List( world );
        joPusher_RunPasses( pusher );
        keepOffWalls( world );
        Commit commit = { world, dt };
        joParallelFor( world->def.jobs, pusher->trackCount, TRACK_BLOCK, commitBlock, &commit );
        joPusher_ClearTracks( pusher );
        joBounce_Run( world );
    }
    forget( world );
    return result;
}

void joStep_WakePushed( joWorld* world )
{
    for ( uint32_t i = 0; i < world->push.sleeperCount; ++i )
    {
        joSleep_Wake( world, ( (const uint32_t*)world->push.sleepers.data )[i] );
    }
}
