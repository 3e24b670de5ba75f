// SPDX-License-Identifier: MIT
// Makes a mesh's block: checks the arrays, joins vertices at one place, builds the hierarchy, and lists the
// triangles of each vertex.
#include "base/assert.h"
#include "base/memory.h"
#include "narrow_phase/mesh_3d.h"
#include "narrow_phase/shape_checks.h"

#include <string.h>

typedef struct Scratch
{
    uint32_t* table; // open addressing: a vertex of the caller, or JO_NULL_INDEX
    uint32_t tableMask;
    uint32_t* numbers; // of the caller's vertices in the mesh, or JO_NULL_INDEX
    joVec3* vertices;
    uint32_t vertexCount;
    joMeshTriangle* triangles; // in the caller's order
    joMeshBoxes boxes;
    joMeshNode* nodes;
} Scratch;

static size_t roundUpBytes( size_t bytes )
{
    return ( bytes + 63 ) / 64 * 64;
}

// Where the parts of the scratch memory are. Returns its size.
static size_t layOut( Scratch* scratch, char* memory, uint32_t vertexCount, uint32_t triangleCount )
{
    uint32_t corners = 3 * triangleCount;
    uint32_t most = vertexCount < corners ? vertexCount : corners;
    size_t tableSize = 16;
    while ( tableSize < 2 * (size_t)most )
    {
        tableSize *= 2;
    }
    const size_t sizes[7] = { tableSize * sizeof( uint32_t ), vertexCount * sizeof( uint32_t ),
        most * sizeof( joVec3 ), triangleCount * sizeof( joMeshTriangle ),
        triangleCount * sizeof( joBounds3 ), triangleCount * sizeof( uint32_t ),
        2 * (size_t)triangleCount * sizeof( joMeshNode ) };
    size_t offsets[8] = { 0 };
    for ( int i = 0; i < 7; ++i )
    {
        offsets[i + 1] = offsets[i] + roundUpBytes( sizes[i] );
    }
    if ( memory != NULL )
    {
        scratch->table = (uint32_t*)(void*)memory;
        scratch->tableMask = (uint32_t)( tableSize - 1 );
        memset( scratch->table, 0xFF, sizes[0] );
        scratch->numbers = (uint32_t*)(void*)( memory + offsets[1] );
        memset( scratch->numbers, 0xFF, sizes[1] );
        scratch->vertices = (joVec3*)(void*)( memory + offsets[2] );
        scratch->triangles = (joMeshTriangle*)(void*)( memory + offsets[3] );
        scratch->boxes.bounds = (joBounds3*)(void*)( memory + offsets[4] );
        scratch->boxes.order = (uint32_t*)(void*)( memory + offsets[5] );
        scratch->boxes.count = triangleCount;
        scratch->nodes = (joMeshNode*)(void*)( memory + offsets[6] );
    }
    return offsets[7];
}

bool joIsFlatTriangle( joVec3 a, joVec3 b, joVec3 c )
{
    joWide3 ab = joSubtract3( joWiden3( b ), joWiden3( a ) );
    joWide3 ac = joSubtract3( joWiden3( c ), joWiden3( a ) );
    joWide3 bc = joSubtract3( joWiden3( c ), joWiden3( b ) );
    double longestSq = fmax( joDot3( ab, ab ), fmax( joDot3( ac, ac ), joDot3( bc, bc ) ) );
    return !( joLength3( joCross3( ab, ac ) ) > JO_FLAT_TRIANGLE * longestSq );
}

static joResult checkVertices( const joVec3* vertices, uint32_t vertexCount, uint32_t* bad )
{
    for ( uint32_t i = 0; i < vertexCount; ++i )
    {
        joResult result = joCheckNumbers( &vertices[i].x, 3, JO_MAX_SIZE, jo_errorBadShape );
        if ( result )
        {
            *bad = i;
            return result;
        }
    }
    return jo_success;
}

static joResult checkTriangles( const joVec3* vertices, uint32_t vertexCount, const uint32_t* indices,
    uint32_t triangleCount, uint32_t* bad )
{
    for ( uint32_t i = 0; i < triangleCount; ++i )
    {
        const uint32_t* corners = indices + 3 * (size_t)i;
        *bad = i;
        if ( corners[0] >= vertexCount || corners[1] >= vertexCount || corners[2] >= vertexCount )
        {
            return jo_errorBadIndex;
        }
        if ( joIsFlatTriangle( vertices[corners[0]], vertices[corners[1]], vertices[corners[2]] ) )
        {
            return jo_errorFlatTriangle;
        }
    }
    *bad = JO_NULL_INDEX;
    return jo_success;
}

static uint32_t hashOf( const joVec3* vertex )
{
    uint32_t bits[3], hash = 0;
    memcpy( bits, vertex, sizeof( bits ) );
    for ( int k = 0; k < 3; ++k )
    {
        hash = ( hash ^ bits[k] ) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

// The number in the mesh of a vertex of the caller: that of the first one at its place. Numbers go up as
// triangles need them.
static uint32_t numberOf( Scratch* scratch, const joVec3* vertices, uint32_t index )
{
    if ( scratch->numbers[index] != JO_NULL_INDEX )
    {
        return scratch->numbers[index];
    }
    // Adding 0 makes a negative zero a positive one.
    joVec3 at = { vertices[index].x + 0.0f, vertices[index].y + 0.0f, vertices[index].z + 0.0f };
    uint32_t slot = hashOf( &at ) & scratch->tableMask;
    while ( scratch->table[slot] != JO_NULL_INDEX )
    {
        uint32_t number = scratch->table[slot];
        if ( memcmp( scratch->vertices + number, &at, sizeof( at ) ) == 0 )
        {
            scratch->numbers[index] = number;
            return number;
        }
        slot = ( slot + 1 ) & scratch->tableMask;
    }
    scratch->table[slot] = scratch->numbers[index] = scratch->vertexCount;
    scratch->vertices[scratch->vertexCount] = at;
    return scratch->vertexCount++;
}

static void fillTriangles( Scratch* scratch, const joVec3* vertices, const uint32_t* indices )
{
    for ( uint32_t i = 0; i < scratch->boxes.count; ++i )
    {
        joMeshTriangle* triangle = scratch->triangles + i;
        joBounds3* bounds = scratch->boxes.bounds + i;
        triangle->name = i;
        scratch->boxes.order[i] = i;
        for ( int corner = 0; corner < 3; ++corner )
        {
            triangle->vertices[corner] =
                numberOf( scratch, vertices, indices[3 * (size_t)i + (size_t)corner] );
            const float* at = &scratch->vertices[triangle->vertices[corner]].x;
            for ( int k = 0; k < 3; ++k )
            {
                float* lower = &bounds->lower.x + k;
                float* upper = &bounds->upper.x + k;
                *lower = corner == 0 || at[k] < *lower ? at[k] : *lower;
                *upper = corner == 0 || at[k] > *upper ? at[k] : *upper;
            }
        }
    }
}

// The triangles of each vertex, by counting sort.
static void fillVertexTriangles( const joMesh3* mesh, uint32_t* starts, uint32_t* lists )
{
    const joMeshTriangle* triangles = joViewMesh( mesh ).triangles;
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        for ( int corner = 0; corner < 3; ++corner )
        {
            starts[triangles[i].vertices[corner] + 1] += 1;
        }
    }
    for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
    {
        starts[i + 1] += starts[i];
    }
    // From behind, which leaves the starts one too far on: each has moved down by its own count.
    for ( uint32_t i = mesh->triangleCount; i-- > 0; )
    {
        for ( int corner = 0; corner < 3; ++corner )
        {
            lists[--starts[triangles[i].vertices[corner] + 1]] = i;
        }
    }
    memmove( starts, starts + 1, mesh->vertexCount * sizeof( *starts ) );
    starts[mesh->vertexCount] = 3 * mesh->triangleCount;
}

static joMesh3* makeBlock( const Scratch* scratch, uint32_t nodeCount, const joAllocator* allocator )
{
    uint32_t triangleCount = scratch->boxes.count;
    size_t size = joMeshBytes( scratch->vertexCount, triangleCount, nodeCount );
    joMesh3* mesh = joAllocateObject( allocator, size );
    if ( mesh == NULL )
    {
        return NULL;
    }
    *mesh = ( joMesh3 ){ .magic = JO_MESH_MAGIC,
        .vertexCount = scratch->vertexCount,
        .triangleCount = triangleCount,
        .nodeCount = nodeCount,
        .byteCount = size };
    joMeshView view = joViewMesh( mesh );
    memcpy( (void*)view.nodes, scratch->nodes, nodeCount * sizeof( joMeshNode ) );
    joMeshTriangle* triangles = (joMeshTriangle*)(void*)view.triangles;
    for ( uint32_t i = 0; i < triangleCount; ++i )
    {
        triangles[i] = scratch->triangles[scratch->boxes.order[i]];
    }
    memcpy( (void*)view.vertices, scratch->vertices, scratch->vertexCount * sizeof( joVec3 ) );
    for ( uint32_t i = 0; i < scratch->vertexCount; ++i )
    {
        mesh->reach = fmax( mesh->reach, joLength3( joWiden3( scratch->vertices[i] ) ) );
    }
    fillVertexTriangles( mesh, (uint32_t*)(void*)view.vertexStarts, (uint32_t*)(void*)view.vertexTriangles );
    return mesh;
}

static joResult create( const joVec3* vertices, uint32_t vertexCount, const uint32_t* indices,
    uint32_t triangleCount, const joAllocator* allocator, joMesh3** mesh, uint32_t* bad )
{
    if ( vertices == NULL || indices == NULL )
    {
        return jo_errorNullArgument;
    }
    if ( vertexCount == 0 || triangleCount == 0 || triangleCount > JO_MAX_MESH_TRIANGLES3 )
    {
        return jo_errorBadCount;
    }
    if ( !joAllocator_IsValid( allocator ) )
    {
        return jo_errorBadDef;
    }
    joResult result = checkVertices( vertices, vertexCount, bad );
    result = result ? result : checkTriangles( vertices, vertexCount, indices, triangleCount, bad );
    if ( result )
    {
        return result;
    }
    Scratch scratch = { .vertexCount = 0 };
    size_t size = layOut( &scratch, NULL, vertexCount, triangleCount );
    char* memory = joAllocateObject( allocator, size );
    if ( memory == NULL )
    {
        return jo_errorOutOfMemory;
    }
    layOut( &scratch, memory, vertexCount, triangleCount );
    fillTriangles( &scratch, vertices, indices );
    uint32_t nodeCount = joBuildMeshNodes( &scratch.boxes, scratch.nodes );
    *mesh = makeBlock( &scratch, nodeCount, allocator );
    joFreeObject( allocator, memory, size );
    return *mesh == NULL ? jo_errorOutOfMemory : jo_success;
}

joResult joCreateMesh3( const joVec3* vertices, uint32_t vertexCount, const uint32_t* indices,
    uint32_t triangleCount, const joAllocator* allocator, joMesh3** mesh, uint32_t* bad )
{
    uint32_t badIndex = JO_NULL_INDEX;
    if ( mesh == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *mesh = NULL;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = create( vertices, vertexCount, indices, triangleCount, allocator, mesh, &badIndex );
    joFloatEnv_Leave( env );
    if ( bad != NULL )
    {
        *bad = badIndex;
    }
    return result && result != jo_errorOutOfMemory ? JO_MISUSE( result ) : result;
}

void joDestroyMesh3( joMesh3* mesh, const joAllocator* allocator )
{
    if ( mesh != NULL )
    {
        joFreeObject( allocator, mesh, (size_t)mesh->byteCount );
    }
}
