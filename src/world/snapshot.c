// SPDX-License-Identifier: MIT
// Snapshots: what they are made of, and saving. All lists are saved as they lie, free slots included, so that
// a world that was loaded goes on to the same bytes as one that was not.
#include "world/snapshot.h"

#include "base/assert.h"
#include "base/checksum.h"

void joSnapshot_Describe( const joWorld* world, joSnapshot* snapshot )
{
    const joSnapshotHeader* header = &snapshot->header;
    joSnapshotSection* sections = snapshot->sections;
    memset( sections, 0, sizeof( snapshot->sections ) );
    sections[jo_snapBodyIds] = ( joSnapshotSection ){ 0, JO_ID_SLOT_SIZE, header->bodies.slotCount };
    sections[jo_snapColliderIds] = ( joSnapshotSection ){ 0, JO_ID_SLOT_SIZE, header->colliders.slotCount };
    sections[jo_snapAwake] = ( joSnapshotSection ){ 0, sizeof( uint32_t ), header->awakeCount };
    sections[jo_snapIgnored] = ( joSnapshotSection ){ 0, sizeof( joPairSlot ), header->ignored.slotCount };
    sections[jo_snapContactSlots] =
        ( joSnapshotSection ){ 0, sizeof( joPairSlot ), header->contacts.slotCount };
    sections[jo_snapContacts] = ( joSnapshotSection ){ 0, sizeof( joContact ), header->contacts.slotCount };
    sections[jo_snapActive] =
        ( joSnapshotSection ){ 0, sizeof( uint32_t ), header->isActiveSorted ? header->activeCount : 0 };
    sections[jo_snapSlides] = ( joSnapshotSection ){ 0, sizeof( joSlide ), header->slideCount };
    for ( uint32_t i = 0; i < JO_TABLE_COLUMNS; ++i )
    {
        sections[jo_snapBodies + i] =
            ( joSnapshotSection ){ 0, world->bodies.sizes[i], header->bodies.slotCount };
        sections[jo_snapColliders + i] =
            ( joSnapshotSection ){ 0, world->colliders.sizes[i], header->colliders.slotCount };
    }
    // Poses in the world follow from those of the bodies.
    sections[jo_snapColliders + jo_colliderPose].rowSize = 0;
    snapshot->size = sizeof( joSnapshotHeader );
    for ( uint32_t i = 0; i < jo_snapSectionCount; ++i )
    {
        sections[i].offset = snapshot->size;
        snapshot->size += ( sections[i].rowSize * sections[i].count + 7 ) & ~UINT64_C( 7 );
    }
}

uint64_t joSnapshot_HashRowSizes( const joSnapshot* snapshot )
{
    uint64_t hash = 0;
    for ( uint32_t i = 0; i < jo_snapSectionCount; ++i )
    {
        hash = joChecksum( &snapshot->sections[i].rowSize, sizeof( uint64_t ), hash );
    }
    return hash;
}

uint64_t joSnapshot_HashDef( const joWorldDef* def )
{
    const float numbers[] = { def->contactMargin, def->leaveMargin, def->sleepTime, def->sleepSpeed,
        def->fixedStep, def->pushMargin };
    const uint32_t counts[] = { def->mostDueSteps, def->pushIterations, def->worldNumber };
    uint64_t hash = joChecksum( def->gravity, (size_t)def->dimension * sizeof( float ), 0 );
    hash = joChecksum( numbers, sizeof( numbers ), hash );
    hash = joChecksum( counts, sizeof( counts ), hash );
    return joChecksum( def->layerMeets, sizeof( def->layerMeets ), hash );
}

uint64_t joSnapshot_Checksum( const unsigned char* bytes, uint64_t size )
{
    joSnapshotHeader header;
    memcpy( &header, bytes, sizeof( header ) );
    header.checksum = 0;
    return joChecksum( bytes + sizeof( header ), (size_t)( size - sizeof( header ) ),
        joChecksum( &header, sizeof( header ), 0 ) );
}

static joSnapshotIds idsOf( const joIdPool* pool )
{
    return ( joSnapshotIds ){ pool->slotCount, pool->aliveCount, pool->retiredCount, pool->firstFree };
}

static joSnapshotPairs pairsOf( const joPairPool* pool )
{
    return ( joSnapshotPairs ){ pool->slotCount, pool->takenCount, pool->firstFree };
}

static void describeWorld( const joWorld* world, joSnapshot* snapshot )
{
    snapshot->header = ( joSnapshotHeader ){ .mark = JO_SNAPSHOT_MARK,
        .version = JO_SNAPSHOT_VERSION,
        .dimension = (uint32_t)world->def.dimension,
        .def = joSnapshot_HashDef( &world->def ),
        .bodies = idsOf( &world->bodyIds ),
        .colliders = idsOf( &world->colliderIds ),
        .awakeCount = world->awakeCount,
        .contacts = pairsOf( &world->contactSlots ),
        .ignored = pairsOf( &world->ignored ),
        .activeCount = (uint32_t)world->activeCount,
        .isActiveSorted = world->isActiveSorted,
        .slideCount = world->slideCount,
        .waitingSeconds = world->waitingSeconds };
    joSnapshot_Describe( world, snapshot );
    snapshot->header.size = snapshot->size;
    snapshot->header.rowSizes = joSnapshot_HashRowSizes( snapshot );
}

static unsigned char* rowAt(
    unsigned char* bytes, const joSnapshot* snapshot, uint32_t section, uint64_t row )
{
    return bytes + snapshot->sections[section].offset + row * snapshot->sections[section].rowSize;
}

// Rows of the table of shapes by what they point to, in an open hash: places[i] is a row, or JO_NULL_INDEX.
// Without memory for that the table is searched from the start.
typedef struct ShapeRows
{
    const joSpace* space;
    const joShapeTable* table;
    uint32_t* places;
    uint32_t mask; // places - 1; 0: there are none
} ShapeRows;

static const void* pointerOf( const joSpace* space, const void* shape )
{
    const void* pointer;
    memcpy( &pointer, (const char*)shape + space->payloadOffset, sizeof( pointer ) );
    return pointer;
}

static bool isRowOf( const ShapeRows* rows, uint32_t row, const void* shape )
{
    const void* other = joShapeTable_Row( rows->table, row );
    return rows->space->kindOf( other ) == rows->space->kindOf( shape ) &&
           pointerOf( rows->space, other ) == pointerOf( rows->space, shape );
}

// Where the shape's row is named, or would be.
static uint32_t findPlace( const ShapeRows* rows, const void* shape )
{
    const uint64_t address = (uint64_t)(uintptr_t)pointerOf( rows->space, shape );
    uint32_t place = (uint32_t)( joChecksum( &address, sizeof( address ), 0 ) >> 32 ) & rows->mask;
    while ( rows->places[place] != JO_NULL_INDEX && !isRowOf( rows, rows->places[place], shape ) )
    {
        place = ( place + 1 ) & rows->mask;
    }
    return place;
}

static ShapeRows openRows( joWorld* world, const joShapeTable* table )
{
    ShapeRows rows = { .space = world->space, .table = table };
    const uint32_t count = table != NULL ? table->count : 0;
    uint64_t room = 2;
    while ( room < 2 * (uint64_t)count )
    {
        room *= 2;
    }
    if ( count == 0 || room > JO_NULL_INDEX || joWorld_ReserveKeys( world, room ) != jo_success )
    {
        return rows;
    }
    rows.places = world->keys.data;
    rows.mask = (uint32_t)room - 1;
    memset( rows.places, 0xFF, room * sizeof( uint32_t ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const void* shape = joShapeTable_Row( table, i );
        if ( joSpace_IsBorrowed( world->space, shape ) )
        {
            uint32_t* place = rows.places + findPlace( &rows, shape );
            *place = *place == JO_NULL_INDEX ? i : *place;
        }
    }
    return rows;
}

static uint32_t findRow( const ShapeRows* rows, const void* shape )
{
    if ( rows->mask != 0 )
    {
        return rows->places[findPlace( rows, shape )];
    }
    const uint32_t count = rows->table != NULL ? rows->table->count : 0;
    uint32_t row = 0;
    while ( row < count && !isRowOf( rows, row, shape ) )
    {
        ++row;
    }
    return row < count ? row : JO_NULL_INDEX;
}

// Of shapes what they mean, and no more: bytes that a kind does not use are zero.
static joResult writeShapes( joWorld* world, const joSnapshot* snapshot, const joShapeTable* table,
    unsigned char* bytes, joColliderId* unknown )
{
    const joSpace* space = world->space;
    const ShapeRows rows = openRows( world, table );
    for ( uint32_t i = 0; i < world->colliderIds.slotCount; ++i )
    {
        unsigned char* to = rowAt( bytes, snapshot, jo_snapColliders + jo_colliderShape, i );
        memset( to, 0, space->shapeSize );
        if ( joIdPool_IdAt( &world->colliderIds, i ) == 0 )
        {
            continue;
        }
        const void* shape = joWorld_Shape( world, i );
        const uint32_t kind = space->kindOf( shape );
        memcpy( to, &kind, sizeof( kind ) );
        if ( joSpace_IsBorrowed( space, shape ) )
        {
            const uint32_t row = findRow( &rows, shape );
            if ( row == JO_NULL_INDEX )
            {
                *unknown = joWorld_ColliderIdAt( world, i );
                return jo_errorUnknownShape;
            }
            memcpy( to + space->payloadOffset, &row, sizeof( row ) );
        }
        else
        {
            memcpy( to + space->payloadOffset, (const char*)shape + space->payloadOffset,
                space->payloadSizes[kind] );
        }
    }
    return jo_success;
}

static void writeRows(
    const joSnapshot* snapshot, unsigned char* bytes, uint32_t section, const joArray* from )
{
    const joSnapshotSection* at = &snapshot->sections[section];
    if ( at->count > 0 && at->rowSize > 0 )
    {
        memcpy( rowAt( bytes, snapshot, section, 0 ), from->data, (size_t)( at->count * at->rowSize ) );
    }
}

// All columns but the shapes, which have been written. Rows of the dead are saved as they are: what a body
// leaves behind is the same for everyone with the same history.
static void writeTable(
    const joSnapshot* snapshot, unsigned char* bytes, uint32_t first, const joTable* table )
{
    for ( uint32_t i = 0; i < table->columnCount; ++i )
    {
        if ( first + i != jo_snapColliders + jo_colliderShape )
        {
            writeRows( snapshot, bytes, first + i, &table->columns[i] );
        }
    }
}

_Static_assert( sizeof( joSlideState ) == 48, "writeSlides copies every member" );

// Member by member, as the state has padding.
static void writeSlides( const joWorld* world, const joSnapshot* snapshot, unsigned char* bytes )
{
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        const joSlide* from = (const joSlide*)world->slides.data + i;
        joSlide slide;
        memset( &slide, 0, sizeof( slide ) );
        slide.body = from->body;
        slide.def = from->def;
        slide.state.sides = from->state.sides;
        slide.state.hitCount = from->state.hitCount;
        slide.state.isGrounded = from->state.isGrounded;
        slide.state.groundBody = from->state.groundBody;
        memcpy( slide.state.groundNormal, from->state.groundNormal, sizeof( slide.state.groundNormal ) );
        memcpy(
            slide.state.groundVelocity, from->state.groundVelocity, sizeof( slide.state.groundVelocity ) );
        memcpy( rowAt( bytes, snapshot, jo_snapSlides, i ), &slide, sizeof( slide ) );
    }
}

static joResult save( joWorld* world, joSnapshot* snapshot, const joShapeTable* shapes, unsigned char* bytes,
    joColliderId* unknown )
{
    const joResult result = writeShapes( world, snapshot, shapes, bytes, unknown );
    if ( result != jo_success )
    {
        return result;
    }
    writeRows( snapshot, bytes, jo_snapBodyIds, &world->bodyIds.slots );
    writeRows( snapshot, bytes, jo_snapColliderIds, &world->colliderIds.slots );
    writeRows( snapshot, bytes, jo_snapAwake, &world->awake );
    writeTable( snapshot, bytes, jo_snapBodies, &world->bodies );
    writeTable( snapshot, bytes, jo_snapColliders, &world->colliders );
    writeRows( snapshot, bytes, jo_snapIgnored, &world->ignored.slots );
    writeRows( snapshot, bytes, jo_snapContactSlots, &world->contactSlots.slots );
    writeRows( snapshot, bytes, jo_snapContacts, &world->contacts );
    writeSlides( world, snapshot, bytes );
    for ( uint64_t i = 0; i < snapshot->sections[jo_snapActive].count; ++i )
    {
        memcpy( rowAt( bytes, snapshot, jo_snapActive, i ), &joWorld_Active( world, i )->slot,
            sizeof( uint32_t ) );
    }
    for ( uint32_t i = 0; i < jo_snapSectionCount; ++i )
    {
        const joSnapshotSection* at = &snapshot->sections[i];
        memset( bytes + at->offset + at->rowSize * at->count, 0,
            (size_t)( ( 0 - at->rowSize * at->count ) & UINT64_C( 7 ) ) );
    }
    memcpy( bytes, &snapshot->header, sizeof( snapshot->header ) );
    snapshot->header.checksum = joSnapshot_Checksum( bytes, snapshot->size );
    memcpy( bytes, &snapshot->header, sizeof( snapshot->header ) );
    return jo_success;
}

joResult joWorld_Save( joWorld* world, const joShapeTable* shapes, void* buffer, uint64_t capacity,
    uint64_t* size, joColliderId* collider )
{
    joColliderId unknown = { 0 };
    if ( world == NULL || size == NULL || ( buffer == NULL && capacity > 0 ) ||
         ( shapes != NULL && shapes->shape.data == NULL && shapes->count > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joSnapshot snapshot;
    describeWorld( world, &snapshot );
    *size = snapshot.size;
    joResult result = buffer != NULL && capacity < snapshot.size ? jo_errorCapacity : jo_success;
    if ( result == jo_success && buffer != NULL )
    {
        result = save( world, &snapshot, shapes, buffer, &unknown );
    }
    if ( collider != NULL )
    {
        *collider = unknown;
    }
    return joReport( result );
}
