// SPDX-License-Identifier: MIT
// Snapshots: whether bytes are one. The checksum finds damage; all that a world then follows without asking
// (indices, lists, flags, numbers) is checked as well, so that bytes which somebody invented do no harm
// either.
#include "world/snapshot.h"

#include "world/bodies.h"
#include "world/sleep.h"

#include <math.h>
#include <stddef.h>

typedef struct Check
{
    const joWorld* world;
    const joSnapshot* snapshot;
    const joShapeTable* shapes;
    uint64_t colliders;  // in lists of bodies so far
    uint32_t awakeCount; // bodies that are listed
    uint32_t sleepingCount;
    uint32_t slideCount; // bodies that slide
} Check;

// A bool that is neither 0 nor 1 must not be read as one.
static bool areFlags( const unsigned char* row, const size_t* offsets, uint32_t count )
{
    bool good = true;
    for ( uint32_t i = 0; i < count; ++i )
    {
        good = good && row[offsets[i]] <= 1;
    }
    return good;
}

static bool readBody( const joSnapshot* snapshot, uint32_t body, joBody* record )
{
    static const size_t flags[] = {
        offsetof( joBody, isEnabled ), offsetof( joBody, isParked ), offsetof( joBody, isMarked ) };
    const uint32_t section = jo_snapBodies + jo_bodyRecord;
    if ( !joSnapshot_IsBody( snapshot, body ) ||
         !areFlags( joSnapshot_Row( snapshot, section, body ), flags, 3 ) )
    {
        return false;
    }
    joSnapshot_Read( snapshot, section, body, record );
    return true;
}

static bool readCollider( const joSnapshot* snapshot, uint32_t collider, joCollider* record )
{
    static const size_t flags[] = { offsetof( joCollider, isTrigger ), offsetof( joCollider, isEnabled ),
        offsetof( joCollider, isPlaced ), offsetof( joCollider, hasLocalPose ),
        offsetof( joCollider, isOneWay ) };
    const uint32_t section = jo_snapColliders + jo_colliderRecord;
    if ( !joSnapshot_IsCollider( snapshot, collider ) ||
         !areFlags( joSnapshot_Row( snapshot, section, collider ), flags, 5 ) )
    {
        return false;
    }
    joSnapshot_Read( snapshot, section, collider, record );
    return true;
}

joResult joSnapshot_ReadShape( const joSpace* space, const joSnapshot* snapshot, const joShapeTable* shapes,
    uint32_t collider, joAnyShape* shape )
{
    uint32_t kind, row;
    memset( shape, 0, sizeof( *shape ) );
    joSnapshot_Read( snapshot, jo_snapColliders + jo_colliderShape, collider, shape );
    memcpy( &kind, shape, sizeof( kind ) );
    if ( kind >= space->kindCount )
    {
        return jo_errorBadSnapshot;
    }
    if ( space->payloadSizes[kind] > 0 )
    {
        return jo_success;
    }
    memcpy( &row, (const char*)shape + space->payloadOffset, sizeof( row ) );
    if ( shapes == NULL || row >= shapes->count || space->kindOf( joShapeTable_Row( shapes, row ) ) != kind )
    {
        return jo_errorUnknownShape;
    }
    memcpy( shape, joShapeTable_Row( shapes, row ), space->shapeSize );
    return jo_success;
}

static joResult checkCollider( Check* check, uint32_t collider )
{
    const joSpace* space = check->world->space;
    joCollider record;
    joBody body;
    joAnyShape shape;
    joAnyPose localPose;
    if ( !readCollider( check->snapshot, collider, &record ) ||
         !readBody( check->snapshot, record.body, &body ) )
    {
        return jo_errorBadSnapshot;
    }
    const joResult result = joSnapshot_ReadShape( space, check->snapshot, check->shapes, collider, &shape );
    if ( result != jo_success )
    {
        return result;
    }
    joSnapshot_Read( check->snapshot, jo_snapColliders + jo_colliderLocalPose, collider, &localPose );
    // What is borrowed has been checked, once a row.
    const joColliderSetup setup =
        joMakeColliderSetup( &record, joSpace_IsBorrowed( space, &shape ) ? NULL : &shape, &localPose );
    const bool isIdentity = memcmp( &localPose, space->identity, space->poseSize ) == 0;
    if ( body.slide != JO_NULL_INDEX && joSlide_CheckShape( check->world, &shape ) != jo_success )
    {
        return jo_errorBadSnapshot;
    }
    const bool good = joCheckColliderSetup( check->world, &setup ) == jo_success &&
                      record.isPlaced == ( record.isEnabled && body.isEnabled ) &&
                      record.hasLocalPose == !isIdentity && record.kind == space->kindOf( &shape );
    return good ? jo_success : jo_errorBadSnapshot;
}

// Each collider says whose it is and who stands before it, so a list that goes round, or into another one,
// is found out.
static bool areCollidersOf( Check* check, uint32_t body, const joBody* record )
{
    uint32_t count = 0, placed = 0, last = JO_NULL_INDEX;
    for ( uint32_t i = record->firstCollider; i != JO_NULL_INDEX; ++count )
    {
        joCollider collider;
        if ( !readCollider( check->snapshot, i, &collider ) || collider.body != body ||
             collider.prev != last )
        {
            return false;
        }
        placed += collider.isPlaced ? 1 : 0;
        last = i;
        i = collider.next;
    }
    check->colliders += count;
    return count == record->colliderCount && placed == record->placedCount && last == record->lastCollider;
}

static bool isListed( const joSnapshot* snapshot, uint32_t body, const joBody* record )
{
    uint32_t listed = JO_NULL_INDEX;
    if ( record->awakeIndex < snapshot->header.awakeCount )
    {
        joSnapshot_Read( snapshot, jo_snapAwake, record->awakeIndex, &listed );
    }
    return listed == body;
}

// Who slides has a row that is its own, and is awake.
static bool isSlideGood( Check* check, uint32_t body, const joBody* record )
{
    static const size_t flags[] = { offsetof( joSlide, state.isGrounded ) };
    if ( record->slide == JO_NULL_INDEX )
    {
        return record->response != jo_slide;
    }
    if ( record->response != jo_slide || record->slide >= check->snapshot->header.slideCount ||
         !areFlags( joSnapshot_Row( check->snapshot, jo_snapSlides, record->slide ), flags, 1 ) )
    {
        return false;
    }
    joSlide slide;
    joSnapshot_Read( check->snapshot, jo_snapSlides, record->slide, &slide );
    check->slideCount += 1;
    return slide.body == body && joSlide_CheckDef( check->world, &slide.def ) == jo_success &&
           !joBody_Sleeps( record );
}

static bool isBodyGood( Check* check, uint32_t body )
{
    const joSpace* space = check->world->space;
    joBody record;
    joAnyPose pose;
    float velocity[JO_MAX_VELOCITY];
    if ( !readBody( check->snapshot, body, &record ) )
    {
        return false;
    }
    joSnapshot_Read( check->snapshot, jo_snapBodies + jo_bodyPose, body, &pose );
    joSnapshot_Read( check->snapshot, jo_snapBodies + jo_bodyVelocity, body, velocity );
    const joBodySetup setup = joMakeBodySetup( space, &record, &pose, velocity );
    const bool listed = isListed( check->snapshot, body, &record );
    check->awakeCount += listed ? 1 : 0;
    check->sleepingCount += joBody_Sleeps( &record ) ? 1 : 0;
    return joCheckBodySetup( check->world, &setup ) == jo_success && !record.isMarked &&
           record.pushSlot == JO_NULL_INDEX && ( listed || record.awakeIndex == JO_NULL_INDEX ) &&
           ( record.isEnabled || !listed ) && ( listed || record.isParked || !record.isEnabled ) &&
           isSlideGood( check, body, &record ) && areCollidersOf( check, body, &record );
}

// The body that stands in a contact's list; JO_NULL_INDEX if it is gone. False: the ids are not of this
// world, or have another index than the pair.
static bool findOwner( const Check* check, const joContact* contact, uint32_t side, uint32_t* owner )
{
    const joSnapshot* snapshot = check->snapshot;
    const uint32_t slotCounts[2] = {
        snapshot->header.bodies.slotCount, snapshot->header.colliders.slotCount };
    const uint32_t shift = side == 0 ? 32 : 0, number = check->world->def.worldNumber << JO_ID_INDEX_BITS;
    const uint32_t indices[2] = {
        (uint32_t)( contact->bodyPair >> shift ), (uint32_t)( contact->colliderPair >> shift ) };
    if ( indices[0] >= slotCounts[0] || (uint32_t)contact->bodies[side] != ( number | indices[0] ) ||
         indices[1] >= slotCounts[1] || (uint32_t)contact->colliders[side] != ( number | indices[1] ) )
    {
        return false;
    }
    const uint64_t living =
        joIdPool_ReadId( joSnapshot_Row( snapshot, jo_snapBodyIds, 0 ), slotCounts[0], indices[0] );
    *owner = living != 0 && living >> 32 == contact->bodies[side] >> 32 ? indices[0] : JO_NULL_INDEX;
    return true;
}

// One that is not active is between two that are there and not awake.
static bool isContactGood( const Check* check, uint32_t slot, const joPairSlot* links, uint32_t* activeCount )
{
    static const size_t flags[] = { offsetof( joContact, isTrigger ), offsetof( joContact, isActive ) };
    const joSnapshot* snapshot = check->snapshot;
    joContact contact;
    if ( !areFlags( joSnapshot_Row( snapshot, jo_snapContacts, slot ), flags, 2 ) )
    {
        return false;
    }
    joSnapshot_Read( snapshot, jo_snapContacts, slot, &contact );
    *activeCount += contact.isActive ? 1 : 0;
    bool good = contact.bodyPair >> 32 < ( contact.bodyPair & UINT32_MAX );
    for ( uint32_t side = 0; side < 2 && good; ++side )
    {
        uint32_t owner;
        joBody record;
        good = findOwner( check, &contact, side, &owner ) && links->owners[side] == owner;
        if ( good && !contact.isActive )
        {
            good = readBody( snapshot, owner, &record ) && record.awakeIndex == JO_NULL_INDEX;
        }
    }
    return good;
}

// In order, so none stands there twice.
static bool isActiveGood( const joSnapshot* snapshot )
{
    joContact last = { 0 };
    for ( uint32_t i = 0; i < snapshot->sections[jo_snapActive].count; ++i )
    {
        uint32_t slot;
        joPairSlot links = { 0 };
        joContact contact = { 0 };
        joSnapshot_Read( snapshot, jo_snapActive, i, &slot );
        if ( slot < snapshot->header.contacts.slotCount )
        {
            joSnapshot_Read( snapshot, jo_snapContactSlots, slot, &links );
        }
        if ( links.isTaken )
        {
            joSnapshot_Read( snapshot, jo_snapContacts, slot, &contact );
        }
        if ( !contact.isActive || contact.bodyPair < last.bodyPair ||
             ( contact.bodyPair == last.bodyPair && contact.colliderPair <= last.colliderPair ) )
        {
            return false;
        }
        last = contact;
    }
    return true;
}

static bool isPoolGood(
    const joSnapshot* snapshot, const joSnapshotPairs* pairs, uint32_t slots, uint32_t heads )
{
    const joPairPool counts = {
        .slotCount = pairs->slotCount, .takenCount = pairs->takenCount, .firstFree = pairs->firstFree };
    return joPairPool_Check( joSnapshot_Row( snapshot, slots, 0 ), &counts,
        joSnapshot_Row( snapshot, heads, 0 ), snapshot->header.bodies.slotCount );
}

static bool arePairsGood( const Check* check )
{
    const joSnapshot* snapshot = check->snapshot;
    const joSnapshotHeader* header = &snapshot->header;
    uint32_t activeCount = 0;
    bool good =
        isPoolGood( snapshot, &header->contacts, jo_snapContactSlots, jo_snapBodies + jo_bodyContacts ) &&
        isPoolGood( snapshot, &header->ignored, jo_snapIgnored, jo_snapBodies + jo_bodyIgnored );
    for ( uint32_t i = 0; i < header->contacts.slotCount && good; ++i )
    {
        joPairSlot links;
        joSnapshot_Read( snapshot, jo_snapContactSlots, i, &links );
        good = !links.isTaken || isContactGood( check, i, &links, &activeCount );
    }
    for ( uint32_t i = 0; i < header->ignored.slotCount && good; ++i )
    {
        joPairSlot links;
        joSnapshot_Read( snapshot, jo_snapIgnored, i, &links );
        good = !links.isTaken ||
               ( links.owners[0] != links.owners[1] && joSnapshot_IsBody( snapshot, links.owners[0] ) &&
                   joSnapshot_IsBody( snapshot, links.owners[1] ) );
    }
    return good && activeCount == header->activeCount && isActiveGood( snapshot );
}

static bool areIdsGood( const joSnapshot* snapshot, uint32_t section, const joSnapshotIds* ids )
{
    const joIdPool counts = { .slotCount = ids->slotCount,
        .aliveCount = ids->aliveCount,
        .retiredCount = ids->retiredCount,
        .firstFree = ids->firstFree };
    return joIdPool_CheckSlots( joSnapshot_Row( snapshot, section, 0 ), &counts );
}

// Of rows that may be asked for, before any collider is.
static joResult checkTable( const joWorld* world, const joShapeTable* shapes )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; shapes != NULL && i < shapes->count && result == jo_success; ++i )
    {
        const void* shape = joShapeTable_Row( shapes, i );
        result = joSpace_IsBorrowed( world->space, shape ) ? world->space->checkShape( shape ) : jo_success;
    }
    return result;
}

static joResult checkRows( Check* check )
{
    const joSnapshot* snapshot = check->snapshot;
    const joSnapshotHeader* header = &snapshot->header;
    if ( !areIdsGood( snapshot, jo_snapBodyIds, &header->bodies ) ||
         !areIdsGood( snapshot, jo_snapColliderIds, &header->colliders ) )
    {
        return jo_errorBadSnapshot;
    }
    joResult result = checkTable( check->world, check->shapes );
    for ( uint32_t i = 0; i < header->colliders.slotCount && result == jo_success; ++i )
    {
        result = joSnapshot_IsCollider( snapshot, i ) ? checkCollider( check, i ) : jo_success;
    }
    for ( uint32_t i = 0; i < header->bodies.slotCount && result == jo_success; ++i )
    {
        const bool good = !joSnapshot_IsBody( snapshot, i ) || isBodyGood( check, i );
        result = good ? jo_success : jo_errorBadSnapshot;
    }
    if ( result == jo_success )
    {
        const bool good = check->colliders == header->colliders.aliveCount &&
                          check->awakeCount == header->awakeCount &&
                          check->slideCount == header->slideCount && arePairsGood( check );
        result = good ? jo_success : jo_errorBadSnapshot;
    }
    return result;
}

// Counts that are not what they say give a size that is not the one of the bytes.
static joResult checkHeader( const joWorld* world, joSnapshot* snapshot, uint64_t size )
{
    const joSnapshotHeader* header = &snapshot->header;
    if ( header->mark != JO_SNAPSHOT_MARK )
    {
        return jo_errorBadSnapshot;
    }
    if ( header->version != JO_SNAPSHOT_VERSION )
    {
        return jo_errorSnapshotVersion;
    }
    if ( header->size != size || joSnapshot_Checksum( snapshot->bytes, size ) != header->checksum )
    {
        return jo_errorBadSnapshot;
    }
    if ( header->dimension != (uint32_t)world->def.dimension )
    {
        return jo_errorSnapshotDef;
    }
    joSnapshot_Describe( world, snapshot );
    if ( header->rowSizes != joSnapshot_HashRowSizes( snapshot ) )
    {
        return jo_errorSnapshotVersion;
    }
    if ( header->def != joSnapshot_HashDef( &world->def ) )
    {
        return jo_errorSnapshotDef;
    }
    const bool good = snapshot->size == size && header->bodies.slotCount <= JO_MAX_BODIES &&
                      header->colliders.slotCount <= JO_MAX_BODIES &&
                      header->awakeCount <= header->bodies.aliveCount && header->isActiveSorted <= 1 &&
                      header->waitingSeconds >= 0.0 && isfinite( header->waitingSeconds );
    return good ? jo_success : jo_errorBadSnapshot;
}

joResult joSnapshot_Check( const joWorld* world, const joShapeTable* shapes, const void* bytes, uint64_t size,
    joSnapshot* snapshot, uint32_t* sleepingCount )
{
    if ( size < sizeof( joSnapshotHeader ) )
    {
        return jo_errorBadSnapshot;
    }
    snapshot->bytes = bytes;
    memcpy( &snapshot->header, bytes, sizeof( joSnapshotHeader ) );
    joResult result = checkHeader( world, snapshot, size );
    Check check = { .world = world, .snapshot = snapshot, .shapes = shapes };
    result = result ? result : checkRows( &check );
    *sleepingCount = check.sleepingCount;
    return result;
}
