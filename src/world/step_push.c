// SPDX-License-Identifier: MIT
// Push, as a stage of the step: who stands where, who is whose neighbour, and where all are afterwards.
#include "world/step_push.h"

#include "base/float_env.h"
#include "world/contacts.h"
#include "world/motion.h"
#include "world/proxies.h"
#include "world/pusher.h"
#include "world/sleep.h"

#include <math.h>
#include <string.h>

#define TRACK_BLOCK 256u
#define LEAST_SLACK 64u
#define WALL_SWEEPS 4u

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

// Room for so many bodies, and pairs of round ones.
static joResult reserve( joWorld* world, uint32_t bodies, uint64_t pairs )
{
    joPushStage* push = &world->push;
    joPusher* pusher = push->pusher;
    joMemory* memory = &pusher->memory;
    joResult result = joPusher_ReserveBodies( pusher, bodies );
    result = result ? result : joArray_Reserve( &pusher->limits, memory, bodies, sizeof( float ), 0 );
    result = result ? result : joArray_Reserve( &push->slots, memory, bodies, sizeof( joPushSlot ), 0 );
    result = result ? result : joArray_Reserve( &push->sleepers, memory, bodies, sizeof( uint32_t ), 0 );
    result = result ? result : joPusher_ReservePairs( pusher, pairs );
    return result ? result : joArray_ReserveSlack( &push->pairs, memory, pairs, sizeof( joPair ), 0 );
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
        result = reserve( world, def->bodyReserve, def->pairReserve );
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

// The collider of a body that has, triggers aside, only this one and is round; else JO_NULL_INDEX.
static uint32_t findRound( const joWorld* world, const joBody* body, joPushState* state )
{
    uint32_t found = JO_NULL_INDEX;
    for ( uint32_t i = body->firstCollider; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        const joCollider* collider = joWorld_Collider( world, i );
        if ( !collider->isPlaced || collider->isTrigger )
        {
            continue;
        }
        if ( found != JO_NULL_INDEX ||
             !world->space->findRound( joWorld_Shape( world, i ), joWorld_ColliderPose( world, i ),
                 state->position, &state->radius ) )
        {
            return JO_NULL_INDEX;
        }
        found = i;
    }
    return found;
}

static void makeSlot( joWorld* world, uint32_t body, uint32_t slot )
{
    joPusher* pusher = world->push.pusher;
    joBody* record = joWorld_Body( world, body );
    const float* pose = joWorld_BodyPose( world, body );
    const float* velocity = joWorld_BodyVelocity( world, body );
    joPushState* state = (joPushState*)pusher->states.data + slot;
    joPushSlot* made = (joPushSlot*)world->push.slots.data + slot;
    *state = ( joPushState ){ { 0.0f, 0.0f, 0.0f }, 0.0f };
    *made = ( joPushSlot ){ .restitution = 0.0f };
    const uint32_t round = findRound( world, record, state );
    made->isRound = round != JO_NULL_INDEX;
    if ( made->isRound )
    {
        made->restitution = joWorld_Collider( world, round )->material.restitution;
    }
    else
    {
        *state = ( joPushState ){ { pose[0], pose[1], world->space->axisCount == 3 ? pose[2] : 0.0f }, 0.0f };
    }
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        made->start[axis] = state->position[axis];
        made->velocity[axis] = velocity[axis];
    }
    const bool isMovable = joBody_IsMovable( record );
    const double inverseMass = isMovable ? 1.0 / (double)record->mass : 0.0;
    ( (float*)pusher->inverseMasses.data )[slot] = joKeepFinite( inverseMass );
    ( (float*)pusher->limits.data )[slot] =
        isMovable ? joPushLimit( world, joStep_OldPose( world, record->awakeIndex ), pose ) : 0.0f;
    pusher->largestRadius = state->radius > pusher->largestRadius ? state->radius : pusher->largestRadius;
    ( (uint32_t*)pusher->order.data )[slot] = body;
    record->pushSlot = slot;
}

static uint32_t slotOf( joWorld* world, uint32_t body )
{
    joPusher* pusher = world->push.pusher;
    if ( joWorld_Body( world, body )->pushSlot == JO_NULL_INDEX )
    {
        makeSlot( world, body, pusher->count++ );
    }
    return joWorld_Body( world, body )->pushSlot;
}

// Whether two colliders push each other.
static bool arePushing( const joWorld* world, const joCandidate* candidate )
{
    return ( joBody_IsMovable( joWorld_Body( world, (uint32_t)( candidate->bodyPair >> 32 ) ) ) ||
               joBody_IsMovable( joWorld_Body( world, (uint32_t)candidate->bodyPair ) ) ) &&
           !joWorld_Collider( world, (uint32_t)( candidate->colliderPair >> 32 ) )->isTrigger &&
           !joWorld_Collider( world, (uint32_t)candidate->colliderPair )->isTrigger;
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

// Makes slots of the bodies, pairs of the round ones, and links of the others.
static joResult findNeighbours( joWorld* world, uint32_t candidateCount, uint32_t* linkCount )
{
    joPushStage* push = &world->push;
    joPusher* pusher = push->pusher;
    const joCandidate* candidates = world->candidates[0].data;
    const joPushSlot* slots = push->slots.data;
    joPair* pairs = push->pairs.data;
    joResult result = jo_success;
    for ( uint32_t i = 0; i < candidateCount && result == jo_success; ++i )
    {
        if ( !arePushing( world, candidates + i ) )
        {
            continue;
        }
        const uint32_t a = slotOf( world, (uint32_t)( candidates[i].bodyPair >> 32 ) );
        const uint32_t b = slotOf( world, (uint32_t)candidates[i].bodyPair );
        if ( slots[a].isRound && slots[b].isRound )
        {
            pairs[pusher->pairCount++] = ( joPair ){ a, b };
        }
        else
        {
            result = addLink( world, i, ( joPair ){ a, b }, linkCount );
        }
    }
    return result;
}

static float restitutionOf( const joWorld* world, uint64_t colliderPair )
{
    const float a = joWorld_Collider( world, (uint32_t)( colliderPair >> 32 ) )->material.restitution;
    const float b = joWorld_Collider( world, (uint32_t)colliderPair )->material.restitution;
    return a > b ? a : b;
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
        depth += ( (double)b->position[axis] - (double)a->position[axis] ) * (double)touch->normal[axis];
    }
    const joCandidate* candidate = (const joCandidate*)world->candidates[0].data + link->candidate;
    ( (float*)push->planeMaterials.data )[pusher->planeCount] =
        restitutionOf( world, candidate->colliderPair );
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
            joProxies_PlaceColliders( world, body );
        }
    }
}

// Forgets the slots.
static void forget( joWorld* world )
{
    joPusher* pusher = world->push.pusher;
    joPusher_ClearTracks( pusher );
    for ( uint32_t i = 0; i < pusher->count; ++i )
    {
        joWorld_Body( world, joPusher_Index( pusher, i ) )->pushSlot = JO_NULL_INDEX;
    }
    pusher->count = 0;
}

static joResult prepare( joWorld* world, uint32_t candidateCount )
{
    joPusher* pusher = world->push.pusher;
    const uint64_t alive = world->bodyIds.aliveCount;
    const uint64_t most = 2 * (uint64_t)candidateCount < alive ? 2 * (uint64_t)candidateCount : alive;
    uint32_t linkCount = 0;
    double deepest = 0.0;
    pusher->count = pusher->pairCount = pusher->planeCount = 0;
    pusher->regionCount = pusher->regionStarts[0] = 0;
    pusher->largestRadius = 0.0f;
    pusher->detected = false;
    joResult result = reserve( world, (uint32_t)most, candidateCount );
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
    if ( pusher == NULL || candidateCount == 0 || !world->push.anyMovable )
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
