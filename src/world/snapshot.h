// SPDX-License-Identifier: MIT
// The bytes of a world. A header, then sections of rows, each section at a multiple of 8 bytes. Every row of
// bodies, colliders and contacts goes as it lies in memory, so that what is added to them is saved without a
// word here; left out are only the columns that follow from the rest (see joSnapshot_Describe).
#pragma once

#include "base/column.h"
#include "world/slide.h"

#include "jostle/world_snapshot.h"

#include <string.h>

// "\1jostleW" as bytes on a machine whose low bytes come first.
#define JO_SNAPSHOT_MARK UINT64_C( 0x57656C74736F6A01 )
// Another number whenever rows of the same sizes come to mean something else.
#define JO_SNAPSHOT_VERSION 2u

typedef struct joSnapshotIds
{
    uint32_t slotCount, aliveCount, retiredCount, firstFree; // as in joIdPool
} joSnapshotIds;

typedef struct joSnapshotPairs
{
    uint32_t slotCount, takenCount, firstFree; // as in joPairPool
} joSnapshotPairs;

typedef struct joSnapshotHeader
{
    uint64_t mark; // what it is, and in which order of bytes
    uint32_t version;
    uint32_t dimension;
    uint64_t size;     // of all, in bytes
    uint64_t checksum; // of all, with a zero here
    uint64_t rowSizes; // a hash of the sizes of all rows
    uint64_t def;      // a hash of what must be the same in the def
    joSnapshotIds bodies, colliders;
    joSnapshotPairs contacts, ignored;
    uint32_t awakeCount;
    uint32_t activeCount;
    uint32_t isActiveSorted;
    uint32_t slideCount;
    double waitingSeconds;
} joSnapshotHeader;

enum
{
    jo_snapBodyIds, // slots of the pools
    jo_snapColliderIds,
    jo_snapAwake,        // uint32_t, in the order of the list
    jo_snapIgnored,      // joPairSlot, all there ever were at once
    jo_snapContactSlots, // the same
    jo_snapContacts,     // joContact, by slot
    jo_snapActive, // uint32_t, slots of active contacts in the order of their list; if they are not in order,
                   // which no one sees, none
    jo_snapSlides, // joSlide, in the order of the list
    jo_snapBodies, // the columns of the table, by index
    jo_snapColliders = jo_snapBodies + JO_TABLE_COLUMNS, // the same; shapes with the row for the pointer
    jo_snapSectionCount = jo_snapColliders + JO_TABLE_COLUMNS
};

typedef struct joSnapshotSection
{
    uint64_t offset, rowSize, count; // rowSize 0: is left out
} joSnapshotSection;

typedef struct joSnapshot
{
    joSnapshotHeader header;
    joSnapshotSection sections[jo_snapSectionCount];
    uint64_t size;
    const unsigned char* bytes;
} joSnapshot;

// Fills sections and size from the counts of the header.
void joSnapshot_Describe( const joWorld* world, joSnapshot* snapshot );
uint64_t joSnapshot_HashRowSizes( const joSnapshot* snapshot );
uint64_t joSnapshot_HashDef( const joWorldDef* def );
// Of all bytes, with the checksum itself taken for zero.
uint64_t joSnapshot_Checksum( const unsigned char* bytes, uint64_t size );

// Whether a world may be made of the bytes; fills all of *snapshot. *sleepingCount gets how many bodies are
// asleep in it.
joResult joSnapshot_Check( const joWorld* world, const joShapeTable* shapes, const void* bytes, uint64_t size,
    joSnapshot* snapshot, uint32_t* sleepingCount );

static inline const unsigned char* joSnapshot_Row(
    const joSnapshot* snapshot, uint32_t section, uint64_t row )
{
    const joSnapshotSection* at = &snapshot->sections[section];
    return snapshot->bytes + at->offset + row * at->rowSize;
}

static inline const void* joShapeTable_Row( const joShapeTable* table, uint32_t row )
{
    return joColumn_At( table->shape, row );
}

// Rows may lie at any alignment.
static inline void joSnapshot_Read( const joSnapshot* snapshot, uint32_t section, uint64_t row, void* to )
{
    memcpy( to, joSnapshot_Row( snapshot, section, row ), snapshot->sections[section].rowSize );
}

static inline bool joSnapshot_IsBody( const joSnapshot* snapshot, uint32_t body )
{
    return joIdPool_ReadId(
               joSnapshot_Row( snapshot, jo_snapBodyIds, 0 ), snapshot->header.bodies.slotCount, body ) != 0;
}

static inline bool joSnapshot_IsCollider( const joSnapshot* snapshot, uint32_t collider )
{
    return joIdPool_ReadId( joSnapshot_Row( snapshot, jo_snapColliderIds, 0 ),
               snapshot->header.colliders.slotCount, collider ) != 0;
}

// A shape of a snapshot, with the pointer of its row. Errors: jo_errorBadSnapshot, jo_errorUnknownShape.
joResult joSnapshot_ReadShape( const joSpace* space, const joSnapshot* snapshot, const joShapeTable* shapes,
    uint32_t collider, joAnyShape* shape );
