// SPDX-License-Identifier: MIT
// The world: create, destroy, ids, room.
#include "world/world.h"

#include "base/assert.h"
#include "world/contacts.h"
#include "world/proxies.h"
#include "world/pusher.h"
#include "world/slide.h"
#include "world/step_push.h"

#include <math.h>
#include <string.h>

#define WORLD_COOKIE 0x6A6F576Fu

joWorldDef joDefaultWorldDef( void )
{
    joWorldDef def;
    memset( &def, 0, sizeof( def ) );
    def.dimension = 3;
    def.leaveMargin = 0.005f;
    def.sleepTime = 0.5f;
    def.fixedStep = 1.0f / 60.0f;
    def.mostDueSteps = 4;
    def.pushIterations = 8;
    def.pushMargin = 0.1f;
    memset( def.layerMeets, 0xFF, sizeof( def.layerMeets ) );
    def.broadPhase = joDefaultBroadPhaseDef();
    def.internalCookie = WORLD_COOKIE;
    return def;
}

static joResult checkDef( const joWorldDef* def )
{
    bool good = def->internalCookie == WORLD_COOKIE;
    good = good && ( def->dimension == 2 || def->dimension == 3 );
    for ( int axis = 0; axis < def->dimension && good; ++axis )
    {
        good = isfinite( def->gravity[axis] );
    }
    good = good && def->contactMargin >= 0.0f && def->contactMargin <= def->leaveMargin;
    good = good && def->leaveMargin <= JO_MAX_SIZE;
    good = good && def->sleepTime > 0.0f && def->sleepSpeed >= 0.0f && isfinite( def->sleepSpeed );
    good = good && def->fixedStep > 0.0f && isfinite( def->fixedStep ) && def->mostDueSteps > 0;
    good = good && def->pushIterations <= JO_MAX_PUSH_ITERATIONS;
    good = good && def->pushMargin >= 0.0f && def->pushMargin <= JO_MAX_SIZE;
    good = good && def->bodyReserve <= JO_MAX_BODIES && def->colliderReserve <= JO_MAX_BODIES;
    good = good && def->slideReserve <= JO_MAX_BODIES;
    good = good && def->worldNumber <= JO_MAX_WORLD_NUMBER;
    return good && joAllocator_IsValid( &def->allocator ) ? jo_success : jo_errorBadDef;
}

static joResult createStages( joWorld* world )
{
    joWorldDef* def = &world->def;
    joBroadPhaseDef* broadPhase = &def->broadPhase;
    broadPhase->dimension = def->dimension;
    broadPhase->jobs = def->jobs;
    broadPhase->allocator = def->allocator;
    broadPhase->objectReserve = def->colliderReserve;
    broadPhase->pairReserve = def->pairReserve;
    broadPhase->fixedCapacity = def->fixedCapacity;
    broadPhase->sortPairs = true;
    joResult result = joCreateBroadPhase( broadPhase, &world->broadPhase );
    if ( result != jo_success )
    {
        return result;
    }
    const uint32_t pairs = def->pairReserve < JO_BLOCK_PAIRS ? def->pairReserve : JO_BLOCK_PAIRS;
    joCollideBatchDef batch = joDefaultCollideBatchDef();
    *( def->dimension == 2 ? &batch.shapeReserve2 : &batch.shapeReserve ) = def->colliderReserve;
    *( def->dimension == 2 ? &batch.pairReserve2 : &batch.pairReserve ) = pairs;
    batch.fixedCapacity = def->fixedCapacity;
    batch.jobs = def->jobs;
    batch.allocator = def->allocator;
    return joCreateCollideBatch( &batch, &world->batch );
}

// The arrays that are plain lists, with the sizes of their elements and what they grow with.
typedef enum Reserve
{
    jo_byBodies,
    jo_byColliders,
    jo_byPairs,
    jo_byBlocks, // of pairs
    jo_byContacts,
    jo_bySlides,
    jo_bySlidePairs,
    jo_reserveCount
} Reserve;

typedef struct List
{
    joArray* array;
    size_t size;
    Reserve reserve;
} List;

#define LIST_COUNT 26

static void listArrays( joWorld* world, List lists[LIST_COUNT] )
{
    const joSpace* space = world->space;
    const List all[LIST_COUNT] = { { &world->awake, sizeof( uint32_t ), jo_byBodies },
        { &world->restless, sizeof( uint8_t ), jo_byBodies },
        { &world->contacts, sizeof( joContact ), jo_byContacts },
        { &world->active, sizeof( joActive ), jo_byContacts },
        { &world->activeSpare, sizeof( joActive ), jo_byContacts },
        { &world->lastChanges, sizeof( uint8_t ), jo_byContacts },
        { &world->proxies, sizeof( joProxy ), jo_byColliders },
        { &world->proxyFilters, sizeof( joProxyFilter ), jo_byColliders },
        { &world->proxyPoses, space->poseSize, jo_byColliders },
        { &world->keys, sizeof( uint32_t ), jo_byColliders },
        { &world->batchPlaces, sizeof( uint32_t ), jo_byColliders },
        { &world->batchColliders, sizeof( uint32_t ), jo_byColliders },
        { &world->batchShapes, space->shapeSize, jo_byColliders },
        { &world->batchPoses, space->poseSize, jo_byColliders },
        { &world->candidates[0], sizeof( joCandidate ), jo_byPairs },
        { &world->candidates[1], sizeof( joCandidate ), jo_byPairs },
        { &world->sortItems[0], sizeof( joKeyValue ), jo_byPairs },
        { &world->sortItems[1], sizeof( joKeyValue ), jo_byPairs },
        { &world->batchPairs, sizeof( joPair ), jo_byPairs },
        { &world->touches, sizeof( joTouch ), jo_byPairs },
        { &world->hitPairs, sizeof( uint32_t ), jo_byBlocks },
        { &world->manifolds, space->manifoldSize, jo_byBlocks },
        { &world->slides, sizeof( joSlide ), jo_bySlides },
        { &world->slideRuns, sizeof( joSlideRun ), jo_bySlides },
        { &world->slideItems, sizeof( joSlideItem ), jo_bySlidePairs },
        { &world->slideMet, sizeof( uint32_t ), jo_bySlidePairs } };
    memcpy( lists, all, sizeof( all ) );
}

static joResult reserveAll( joWorld* world )
{
    const joWorldDef* def = &world->def;
    joMemory* memory = &world->memory;
    joResult result = joPairPool_Reserve( &world->contactSlots, memory, def->contactReserve );
    // A step asks for room for every slot that there is, of which a pool makes more than is asked for.
    const uint64_t contacts = world->contactSlots.slots.capacity;
    uint64_t counts[jo_reserveCount];
    counts[jo_byBodies] = def->bodyReserve;
    counts[jo_byColliders] = def->colliderReserve;
    // Active contacts are sorted in the room of candidates.
    counts[jo_byPairs] = def->pairReserve > contacts ? def->pairReserve : contacts;
    counts[jo_byBlocks] = def->pairReserve < JO_BLOCK_PAIRS ? def->pairReserve : JO_BLOCK_PAIRS;
    counts[jo_byContacts] = contacts;
    counts[jo_bySlides] = def->slideReserve;
    // Two that slide stand with both.
    counts[jo_bySlidePairs] = def->slideReserve > 0 ? 2 * (uint64_t)def->pairReserve : 0;
    List lists[LIST_COUNT];
    listArrays( world, lists );
    for ( uint32_t i = 0; i < LIST_COUNT && result == jo_success; ++i )
    {
        result = joArray_Reserve( lists[i].array, memory, counts[lists[i].reserve], lists[i].size, 0 );
    }
    result = result ? result : joWorld_ReserveBodies( world, def->bodyReserve );
    result = result ? result : joWorld_ReserveColliders( world, def->colliderReserve );
    result = result ? result : joTable_Reserve( &world->oldBodies, memory, def->bodyReserve, 0 );
    result = result ? result : joPairPool_Reserve( &world->ignored, memory, def->ignoredReserve );
    result = result ? result : joEvents_Reserve( world, def->contactReserve );
    return result ? result : joPushStage_Reserve( world );
}

static void initTables( joWorld* world )
{
    const joSpace* space = world->def.dimension == 2 ? &joSpace2 : &joSpace3;
    const size_t velocitySize = ( space->axisCount + space->angularCount ) * sizeof( float );
    const size_t bodySizes[jo_bodyColumnCount] = {
        space->poseSize, velocitySize, sizeof( joBody ), sizeof( uint32_t ), sizeof( uint32_t ) };
    const size_t colliderSizes[jo_colliderColumnCount] = {
        space->shapeSize, space->poseSize, space->poseSize, sizeof( joCollider ) };
    const size_t oldSizes[3] = { space->poseSize, velocitySize, sizeof( uint32_t ) };
    world->space = space;
    world->bodies = joMakeTable( bodySizes, jo_bodyColumnCount );
    world->colliders = joMakeTable( colliderSizes, jo_colliderColumnCount );
    world->oldBodies = joMakeTable( oldSizes, 3 );
    world->ignored = joMakePairPool();
    world->contactSlots = joMakePairPool();
    world->isActiveSorted = true;
    for ( uint32_t i = 0; i < space->kindCount * space->kindCount; ++i )
    {
        const uint32_t a = i / space->kindCount, b = i % space->kindCount;
        world->kindsMeet[a][b] = space->doMeet( a, b );
    }
}

joResult joCreateWorld( const joWorldDef* def, joWorld** world )
{
    if ( def == NULL || world == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *world = NULL;
    joResult result = checkDef( def );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    joWorld* made = joAllocateObject( &def->allocator, sizeof( joWorld ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    made->def = *def;
    result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joWorld ) );
        return result;
    }
    initTables( made );
    result = createStages( made );
    result = result ? result : joPushStage_Create( made );
    result = result ? result : reserveAll( made );
    if ( result != jo_success )
    {
        joDestroyWorld( made );
        return result;
    }
    made->memory.fixed = def->fixedCapacity;
    *world = made;
    return jo_success;
}

void joDestroyWorld( joWorld* world )
{
    if ( world == NULL )
    {
        return;
    }
    joMemory* memory = &world->memory;
    const joAllocator allocator = memory->allocator;
    joDestroyCollideBatch( world->batch );
    joDestroyBroadPhase( world->broadPhase );
    joPushStage_Free( world );
    List lists[LIST_COUNT];
    listArrays( world, lists );
    for ( uint32_t i = 0; i < LIST_COUNT; ++i )
    {
        joArray_Free( lists[i].array, memory, lists[i].size );
    }
    joTable_Free( &world->bodies, memory );
    joTable_Free( &world->colliders, memory );
    joTable_Free( &world->oldBodies, memory );
    joPairPool_Free( &world->ignored, memory );
    joPairPool_Free( &world->contactSlots, memory );
    joEvents_Free( world );
    joIdPool_Free( &world->bodyIds, memory );
    joIdPool_Free( &world->colliderIds, memory );
    joMemory_Destroy( memory );
    joFreeObject( &allocator, world, sizeof( joWorld ) );
}

// An id without the number of the world; 0 if it is of another one.
static uint64_t poolIdOf( const joWorld* world, uint64_t bits )
{
    const uint64_t number = (uint64_t)world->def.worldNumber << JO_ID_INDEX_BITS;
    const uint64_t mask = (uint64_t)JO_MAX_WORLD_NUMBER << JO_ID_INDEX_BITS;
    return ( bits & mask ) == number ? bits & ~mask : 0;
}

uint32_t joWorld_FindBody( const joWorld* world, joBodyId id )
{
    return joIdPool_IndexOf( &world->bodyIds, poolIdOf( world, id.bits ) );
}

uint32_t joWorld_FindCollider( const joWorld* world, joColliderId id )
{
    return joIdPool_IndexOf( &world->colliderIds, poolIdOf( world, id.bits ) );
}

joBodyId joWorld_BodyIdAt( const joWorld* world, uint32_t body )
{
    const uint64_t number = (uint64_t)world->def.worldNumber << JO_ID_INDEX_BITS;
    return ( joBodyId ){ joIdPool_IdAt( &world->bodyIds, body ) | number };
}

joColliderId joWorld_ColliderIdAt( const joWorld* world, uint32_t collider )
{
    const uint64_t number = (uint64_t)world->def.worldNumber << JO_ID_INDEX_BITS;
    return ( joColliderId ){ joIdPool_IdAt( &world->colliderIds, collider ) | number };
}

joResult joWorld_CheckCall( const joWorld* world, int dimension, bool hasArguments )
{
    if ( world == NULL || !hasArguments )
    {
        return jo_errorNullArgument;
    }
    return world->def.dimension == dimension ? jo_success : jo_errorWrongDimension;
}

// Indices stay below what an id has room for: retired ones are never used again.
static joResult reserveIds( joIdPool* pool, joMemory* memory, uint32_t count )
{
    const uint64_t needed = (uint64_t)pool->aliveCount + pool->retiredCount + count;
    return needed > JO_MAX_BODIES ? jo_errorCapacity
                                  : joIdPool_Reserve( pool, memory, pool->aliveCount + count );
}

joResult joWorld_ReserveBodies( joWorld* world, uint32_t count )
{
    joMemory* memory = &world->memory;
    joResult result = reserveIds( &world->bodyIds, memory, count );
    // As many rows as there are ids, so that an index is always one of a row.
    const uint64_t rows = world->bodyIds.slots.capacity;
    result = result ? result : joTable_Reserve( &world->bodies, memory, rows, world->bodyIds.slotCount );
    return result ? result
                  : joArray_Reserve( &world->awake, memory, rows, sizeof( uint32_t ), world->awakeCount );
}

joResult joWorld_ReserveColliders( joWorld* world, uint32_t count )
{
    joMemory* memory = &world->memory;
    joResult result = reserveIds( &world->colliderIds, memory, count );
    return result ? result
                  : joTable_Reserve( &world->colliders, memory, world->colliderIds.slots.capacity,
                        world->colliderIds.slotCount );
}

joResult joWorld_ReserveKeys( joWorld* world, uint64_t count )
{
    return joArray_ReserveSlack( &world->keys, &world->memory, count, sizeof( uint32_t ), 0 );
}

void joWorld_AddAwake( joWorld* world, uint32_t body )
{
    world->anyParked = world->anyParked || joWorld_Body( world, body )->isParked;
    ( (uint32_t*)world->awake.data )[world->awakeCount] = body;
    joWorld_Body( world, body )->awakeIndex = world->awakeCount++;
}

void joWorld_RemoveAwake( joWorld* world, uint32_t body )
{
    uint32_t* awake = world->awake.data;
    const uint32_t place = joWorld_Body( world, body )->awakeIndex;
    if ( place != JO_NULL_INDEX )
    {
        const uint32_t last = awake[--world->awakeCount];
        awake[place] = last;
        joWorld_Body( world, last )->awakeIndex = place;
        joWorld_Body( world, body )->awakeIndex = JO_NULL_INDEX;
    }
}

joWorldStats joWorld_GetStats( const joWorld* world )
{
    if ( world == NULL )
    {
        return ( joWorldStats ){ 0 };
    }
    const joBroadPhaseStats broadPhase = joBroadPhase_GetStats( world->broadPhase );
    const joMemory* push = world->push.pusher != NULL ? &world->push.pusher->memory : NULL;
    return ( joWorldStats ){ .bodyCount = world->bodyIds.aliveCount,
        .colliderCount = world->colliderIds.aliveCount,
        .awakeBodyCount = world->awakeCount,
        .sleepingBodyCount = world->sleepingCount,
        .pairCount = world->pairCount,
        .contactCount = world->contactSlots.takenCount,
        .memoryBytes = world->memory.bytes + broadPhase.memoryBytes + ( push != NULL ? push->bytes : 0 ),
        .allocationCount = world->memory.allocationCount + broadPhase.allocationCount +
                           ( push != NULL ? push->allocationCount : 0 ) };
}

const joBroadPhase* joWorld_GetBroadPhase( const joWorld* world )
{
    return world != NULL ? world->broadPhase : NULL;
}
