// SPDX-License-Identifier: MIT
// Snapshots: loading. First the bytes are checked, then room is made, then the broad phase learns what is
// otherwise; only then, when nothing can fail any more, the world is written. The broad phase is not filled
// anew: of a world that is wound back a few steps most has not moved, and static things never cost again.
#include "world/snapshot.h"

#include "base/assert.h"
#include "world/contacts.h"
#include "world/proxies.h"

// What becomes of a collider in the broad phase. Bits; the index of the collider stands below them.
enum
{
    jo_comes = 1u << JO_ID_INDEX_BITS,
    jo_moves = 2u << JO_ID_INDEX_BITS,
    jo_goes = 4u << JO_ID_INDEX_BITS,
    jo_isUnparked = 8u << JO_ID_INDEX_BITS, // was parked, and must move in the broad phase before it changes
    jo_isParked = 16u << JO_ID_INDEX_BITS   // has come, or has moved, and will be parked
};

typedef struct Load
{
    joWorld* world;
    const joSnapshot* snapshot;
    const joShapeTable* shapes;
    uint32_t changeCount; // in world->batchColliders
} Load;

// How a collider is, or will be, in the broad phase.
typedef struct Placing
{
    bool isPlaced, isParked;
    joCollider record;
    joAnyShape shape;
    joAnyPose localPose, bodyPose;
} Placing;

static void readPlacing( const Load* load, uint32_t collider, Placing* placing )
{
    const joSnapshot* snapshot = load->snapshot;
    placing->isPlaced = false;
    if ( !joSnapshot_IsCollider( snapshot, collider ) )
    {
        return;
    }
    joBody body;
    joSnapshot_Read( snapshot, jo_snapColliders + jo_colliderRecord, collider, &placing->record );
    placing->isPlaced = placing->record.isPlaced;
    if ( placing->isPlaced )
    {
        joSnapshot_Read( snapshot, jo_snapBodies + jo_bodyRecord, placing->record.body, &body );
        placing->isParked = body.isParked;
        joSnapshot_Read( snapshot, jo_snapBodies + jo_bodyPose, placing->record.body, &placing->bodyPose );
        joSnapshot_Read( snapshot, jo_snapColliders + jo_colliderLocalPose, collider, &placing->localPose );
        joSnapshot_ReadShape( load->world->space, snapshot, load->shapes, collider, &placing->shape );
    }
}

// Whether a collider that is placed is so as it will be.
static bool staysAsItIs( const joWorld* world, uint32_t collider, const Placing* placing )
{
    const joCollider* record = joWorld_Collider( world, collider );
    const size_t poseSize = world->space->poseSize;
    return record->filter.layer == placing->record.filter.layer &&
           record->filter.mask == placing->record.filter.mask &&
           memcmp( joWorld_BodyPose( world, record->body ), &placing->bodyPose, poseSize ) == 0 &&
           memcmp( joWorld_LocalPose( world, collider ), &placing->localPose, poseSize ) == 0 &&
           joSpace_IsSameShape( world->space, joWorld_Shape( world, collider ), &placing->shape );
}

static uint32_t changeOf( const Load* load, uint32_t collider )
{
    const joWorld* world = load->world;
    Placing placing;
    readPlacing( load, collider, &placing );
    const bool isAlive = joIdPool_IdAt( &world->colliderIds, collider ) != 0;
    if ( !isAlive || !joWorld_Collider( world, collider )->isPlaced )
    {
        return placing.isPlaced ? jo_comes | ( placing.isParked ? jo_isParked : 0 ) : 0;
    }
    const bool wasParked = joWorld_Body( world, joWorld_Collider( world, collider )->body )->isParked;
    if ( !placing.isPlaced )
    {
        return jo_goes | ( wasParked ? jo_isUnparked : 0 );
    }
    const bool stays = staysAsItIs( world, collider, &placing );
    const bool isUnparked = wasParked && !( stays && placing.isParked );
    const bool isParked = placing.isParked && !( stays && wasParked );
    return ( stays ? 0 : jo_moves ) | ( isUnparked ? jo_isUnparked : 0 ) | ( isParked ? jo_isParked : 0 );
}

static uint32_t countSlots( const Load* load )
{
    const uint32_t now = load->world->colliderIds.slotCount;
    const uint32_t then = load->snapshot->header.colliders.slotCount;
    return now > then ? now : then;
}

static joResult listChanges( Load* load )
{
    joWorld* world = load->world;
    uint64_t room = 0;
    for ( uint32_t i = 0; i < countSlots( load ); ++i )
    {
        const uint32_t change = changeOf( load, i );
        if ( change != 0 )
        {
            const joResult result = joArray_ReserveSlack(
                &world->batchColliders, &world->memory, room + 1, sizeof( uint32_t ), room );
            if ( result != jo_success )
            {
                return result;
            }
            ( (uint32_t*)world->batchColliders.data )[room++] = change | i;
        }
    }
    load->changeCount = (uint32_t)room;
    joResult result = joWorld_ReserveKeys( world, room );
    return result ? result : joProxies_Reserve( world, room );
}

// The colliders of such a change, in world->keys.
static uint32_t listKeys( const Load* load, uint32_t change )
{
    const uint32_t* changes = load->world->batchColliders.data;
    uint32_t* keys = load->world->keys.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < load->changeCount; ++i )
    {
        if ( ( changes[i] & change ) != 0 )
        {
            keys[count++] = changes[i] & JO_ID_INDEX_MASK;
        }
    }
    return count;
}

static uint32_t fillProxies( const Load* load, uint32_t change )
{
    const uint32_t count = listKeys( load, change );
    const uint32_t* keys = load->world->keys.data;
    joFloatEnv env = joFloatEnv_Enter();
    for ( uint32_t i = 0; i < count; ++i )
    {
        Placing placing;
        readPlacing( load, keys[i], &placing );
        joProxies_Put( load->world, i, keys[i], &placing.record.filter, &placing.shape,
            placing.record.hasLocalPose ? &placing.localPose : NULL, &placing.bodyPose );
    }
    joFloatEnv_Leave( env );
    return count;
}

// The order makes it whole or nothing: unparking may want memory, and parking again may not; adding may; all
// that follows is about objects that move, which the broad phase has room for.
static joResult changeBroadPhase( const Load* load )
{
    joWorld* world = load->world;
    joResult result = joProxies_SetMotion( world, jo_moving, listKeys( load, jo_isUnparked ) );
    if ( result != jo_success )
    {
        return result;
    }
    uint32_t count = fillProxies( load, jo_comes );
    result = joProxies_Add( world, jo_moving, count );
    if ( result != jo_success )
    {
        const joResult back = joProxies_SetMotion( world, jo_static, listKeys( load, jo_isUnparked ) );
        JO_ASSERT( back == jo_success );
        (void)back;
        return result;
    }
    joProxies_WritePoses( world, count );
    count = fillProxies( load, jo_moves );
    result = joProxies_Move( world, count, true );
    joProxies_WritePoses( world, count );
    result = result ? result : joProxies_Remove( world, listKeys( load, jo_goes ) );
    result = result ? result : joProxies_SetMotion( world, jo_static, listKeys( load, jo_isParked ) );
    JO_ASSERT( result == jo_success );
    return jo_success;
}

static uint32_t moreThan( uint32_t count, uint32_t there )
{
    return count > there ? count - there : 0;
}

static joResult makeRoom( joWorld* world, const joSnapshotHeader* header )
{
    joMemory* memory = &world->memory;
    joResult result =
        joWorld_ReserveBodies( world, moreThan( header->bodies.slotCount, world->bodyIds.aliveCount ) );
    result = result ? result
                    : joWorld_ReserveColliders(
                          world, moreThan( header->colliders.slotCount, world->colliderIds.aliveCount ) );
    result = result ? result
                    : joPairPool_Reserve( &world->ignored, memory,
                          moreThan( header->ignored.slotCount, world->ignored.takenCount ) );
    result = result ? result : joSlide_Reserve( world, moreThan( header->slideCount, world->slideCount ) );
    return result ? result
                  : joContacts_Reserve(
                        world, moreThan( header->contacts.slotCount, world->contactSlots.takenCount ) );
}

static void readRows( const joSnapshot* snapshot, uint32_t section, void* to )
{
    const joSnapshotSection* at = &snapshot->sections[section];
    if ( at->count > 0 && at->rowSize > 0 )
    {
        memcpy( to, joSnapshot_Row( snapshot, section, 0 ), (size_t)( at->count * at->rowSize ) );
    }
}

static void readIds( const joSnapshot* snapshot, uint32_t section, const joSnapshotIds* ids, joIdPool* pool )
{
    readRows( snapshot, section, pool->slots.data );
    pool->slotCount = ids->slotCount;
    pool->aliveCount = ids->aliveCount;
    pool->retiredCount = ids->retiredCount;
    pool->firstFree = ids->firstFree;
}

static void readTables( const Load* load )
{
    joWorld* world = load->world;
    const joSnapshot* snapshot = load->snapshot;
    readIds( snapshot, jo_snapBodyIds, &snapshot->header.bodies, &world->bodyIds );
    readIds( snapshot, jo_snapColliderIds, &snapshot->header.colliders, &world->colliderIds );
    for ( uint32_t i = 0; i < JO_TABLE_COLUMNS; ++i )
    {
        readRows( snapshot, jo_snapBodies + i, world->bodies.columns[i].data );
        if ( i != jo_colliderShape )
        {
            readRows( snapshot, jo_snapColliders + i, world->colliders.columns[i].data );
        }
    }
    for ( uint32_t i = 0; i < snapshot->header.colliders.slotCount; ++i )
    {
        joAnyShape shape;
        if ( joSnapshot_IsCollider( snapshot, i ) )
        {
            joSnapshot_ReadShape( world->space, snapshot, load->shapes, i, &shape );
            memcpy( joWorld_Shape( world, i ), &shape, world->space->shapeSize );
        }
    }
    readRows( snapshot, jo_snapSlides, world->slides.data );
    world->slideCount = snapshot->header.slideCount;
    readRows( snapshot, jo_snapAwake, world->awake.data );
    world->awakeCount = snapshot->header.awakeCount;
    world->anyParked = true;
}

static void readPool(
    const joSnapshot* snapshot, uint32_t section, const joSnapshotPairs* pairs, joPairPool* pool )
{
    readRows( snapshot, section, pool->slots.data );
    pool->slotCount = pairs->slotCount;
    pool->takenCount = pairs->takenCount;
    pool->firstFree = pairs->firstFree;
}

static void readPairs( joWorld* world, const joSnapshot* snapshot )
{
    const joSnapshotHeader* header = &snapshot->header;
    readPool( snapshot, jo_snapIgnored, &header->ignored, &world->ignored );
    readPool( snapshot, jo_snapContactSlots, &header->contacts, &world->contactSlots );
    readRows( snapshot, jo_snapContacts, world->contacts.data );
    world->isActiveSorted = header->isActiveSorted != 0;
    world->anyReplaced = true; // of what was destroyed before the save some may not have been told
    world->activeCount = 0;
    const uint32_t count = world->isActiveSorted ? header->activeCount : header->contacts.slotCount;
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t slot = i;
        if ( world->isActiveSorted )
        {
            joSnapshot_Read( snapshot, jo_snapActive, i, &slot );
        }
        if ( joPairPool_At( &world->contactSlots, slot )->isTaken &&
             joWorld_Contact( world, slot )->isActive )
        {
            joWorld_AppendActive( world, slot );
        }
    }
}

joResult joWorld_Load( joWorld* world, const joShapeTable* shapes, const void* snapshot, uint64_t size )
{
    if ( world == NULL || ( snapshot == NULL && size > 0 ) ||
         ( shapes != NULL && shapes->shape.data == NULL && shapes->count > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joSnapshot read;
    uint32_t sleepingCount = 0;
    Load load = { .world = world, .snapshot = &read, .shapes = shapes };
    joResult result = joSnapshot_Check( world, shapes, snapshot, size, &read, &sleepingCount );
    result = result ? result : makeRoom( world, &read.header );
    result = result ? result : listChanges( &load );
    result = result ? result : changeBroadPhase( &load );
    if ( result == jo_success )
    {
        readTables( &load );
        readPairs( world, &read );
        world->sleepingCount = sleepingCount;
        world->waitingSeconds = read.header.waitingSeconds;
        joEvents_Clear( world );
        world->pairCount = 0;
        world->profile = ( joWorldProfile ){ 0 };
    }
    return joReport( result );
}
