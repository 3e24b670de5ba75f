// SPDX-License-Identifier: MIT
#include "support/mesh_sets.h"

#include "support/box_pair_sets.h"
#include "test_support.h"

#include <math.h>

static void addTriangle( MeshArrays* arrays, uint32_t a, uint32_t b, uint32_t c )
{
    uint32_t* indices = arrays->indices + 3 * (size_t)arrays->triangleCount++;
    indices[0] = a;
    indices[1] = b;
    indices[2] = c;
}

static void makeSoup( uint32_t count, uint64_t* random, MeshArrays* arrays )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        float size = powf( 10.0f, pairFloatIn( random, -2.0f, 0.0f ) );
        joVec3 at = pairVectorIn( random, 2.0f );
        for ( uint32_t k = 0; k < 3; ++k )
        {
            joVec3 by = pairVectorIn( random, size );
            arrays->vertices[3 * i + k] = ( joVec3 ){ at.x + by.x, at.y + by.y, at.z + by.z };
        }
        addTriangle( arrays, 3 * i, 3 * i + 1, 3 * i + 2 );
    }
    arrays->vertexCount = 3 * count;
}

// A sheet of 2 rows * columns triangles, folded by `place`.
static void makeSheet( uint32_t rows, uint32_t columns, MeshArrays* arrays )
{
    for ( uint32_t i = 0; i < rows * columns; ++i )
    {
        uint32_t corner = i / columns * ( columns + 1 ) + i % columns, above = corner + columns + 1;
        // Diagonals run both ways.
        bool isTurned = i % 3 == 0;
        addTriangle( arrays, corner, corner + 1, isTurned ? above : above + 1 );
        addTriangle( arrays, isTurned ? corner + 1 : corner, above + 1, above );
    }
    arrays->vertexCount = ( rows + 1 ) * ( columns + 1 );
}

static void makeGround( uint32_t count, float height, uint64_t* random, MeshArrays* arrays )
{
    uint32_t side = (uint32_t)sqrtf( 0.5f * (float)count );
    makeSheet( side, side, arrays );
    for ( uint32_t i = 0; i < arrays->vertexCount; ++i )
    {
        float x = 4.0f * (float)( i % ( side + 1 ) ) / (float)side - 2.0f;
        float z = 4.0f * (float)( i / ( side + 1 ) ) / (float)side - 2.0f;
        float y = height == 0.0f ? 0.0f : height * ( sinf( 2.0f * x ) * cosf( 3.0f * z ) );
        arrays->vertices[i] = ( joVec3 ){ x, y + pairFloatIn( random, 0.0f, 0.05f * height ), z };
    }
}

// Triangles at the poles are left out where they would have two corners at one place.
static void makeBall( uint32_t count, MeshArrays* arrays )
{
    uint32_t rings = (uint32_t)sqrtf( 0.25f * (float)count ), around = 2 * rings;
    makeSheet( rings, around, arrays );
    for ( uint32_t i = 0; i < arrays->vertexCount; ++i )
    {
        uint32_t ring = i / ( around + 1 ), step = i % ( around + 1 ) % around;
        bool isPole = ring == 0 || ring == rings;
        float up = 3.14159265f * (float)ring / (float)rings, turn = 6.2831853f * (float)step / (float)around;
        arrays->vertices[i] =
            isPole ? ( joVec3 ){ 0.0f, ring == 0 ? 1.0f : -1.0f, 0.0f }
                   : ( joVec3 ){ sinf( up ) * cosf( turn ), cosf( up ), sinf( up ) * sinf( turn ) };
    }
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < arrays->triangleCount; ++i )
    {
        const uint32_t* t = arrays->indices + 3 * (size_t)i;
        const joVec3* v = arrays->vertices;
        bool isFlat = memcmp( v + t[0], v + t[1], sizeof( *v ) ) == 0 ||
                      memcmp( v + t[1], v + t[2], sizeof( *v ) ) == 0 ||
                      memcmp( v + t[2], v + t[0], sizeof( *v ) ) == 0;
        if ( !isFlat )
        {
            memmove( arrays->indices + 3 * (size_t)kept++, t, 3 * sizeof( *t ) );
        }
    }
    arrays->triangleCount = kept;
}

static void separate( MeshArrays* arrays )
{
    static joVec3 vertices[MESH_SET_MAX_VERTICES];
    memcpy( vertices, arrays->vertices, arrays->vertexCount * sizeof( *vertices ) );
    arrays->vertexCount = 3 * arrays->triangleCount;
    assert_true( arrays->vertexCount <= MESH_SET_MAX_VERTICES );
    for ( uint32_t i = 0; i < arrays->vertexCount; ++i )
    {
        arrays->vertices[i] = vertices[arrays->indices[i]];
        arrays->indices[i] = i;
    }
}

void meshMakeArrays( MeshSort sort, uint32_t count, bool isIndexed, uint64_t* random, MeshArrays* arrays )
{
    arrays->vertexCount = arrays->triangleCount = 0;
    switch ( sort )
    {
        case mesh_soup:
            makeSoup( count, random, arrays );
            break;
        case mesh_terrain:
            makeGround( count, 1.0f, random, arrays );
            break;
        case mesh_floor:
            makeGround( count, 0.0f, random, arrays );
            break;
        default:
            makeBall( count, arrays );
            break;
    }
    if ( !isIndexed )
    {
        separate( arrays );
    }
}

joMesh3* meshMake( const MeshArrays* arrays )
{
    joMesh3* mesh = NULL;
    uint32_t bad = 7;
    joResult result = joCreateMesh3(
        arrays->vertices, arrays->vertexCount, arrays->indices, arrays->triangleCount, NULL, &mesh, &bad );
    if ( result )
    {
        fail_msg( "%s (%u)", joResultText( result ), bad );
    }
    assert_int_equal( bad, JO_NULL_INDEX );
    return mesh;
}
