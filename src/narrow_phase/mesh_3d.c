// SPDX-License-Identifier: MIT
// The triangle mesh once it is made: its block, bounds, and whether bytes from elsewhere are one.
#include "narrow_phase/mesh_3d.h"

#include "narrow_phase/shape_bounds.h"

#define HEADER_BYTES 64

_Static_assert( sizeof( joMesh3 ) == HEADER_BYTES, "arrays begin at a cache line" );
_Static_assert( sizeof( joMeshNode ) == 32 && sizeof( joMeshTriangle ) == 16, "no holes in a block" );

size_t joMeshBytes( uint32_t vertexCount, uint32_t triangleCount, uint32_t nodeCount )
{
    size_t bytes = HEADER_BYTES + nodeCount * sizeof( joMeshNode ) +
                   triangleCount * ( sizeof( joMeshTriangle ) + 3 * sizeof( uint32_t ) ) +
                   vertexCount * ( sizeof( joVec3 ) + sizeof( uint32_t ) ) + sizeof( uint32_t );
    return ( bytes + 63 ) / 64 * 64;
}

joMeshView joViewMesh( const joMesh3* mesh )
{
    joMeshView view = { .nodes = (const joMeshNode*)(const void*)( (const char*)mesh + HEADER_BYTES ) };
    view.triangles = (const joMeshTriangle*)(const void*)( view.nodes + mesh->nodeCount );
    view.vertices = (const joVec3*)(const void*)( view.triangles + mesh->triangleCount );
    view.vertexStarts = (const uint32_t*)(const void*)( view.vertices + mesh->vertexCount );
    view.vertexTriangles = view.vertexStarts + mesh->vertexCount + 1;
    return view;
}

joResult joCheckMesh3( const joMesh3* mesh )
{
    return mesh == NULL ? jo_errorNullArgument : mesh->magic != JO_MESH_MAGIC ? jo_errorBadShape : jo_success;
}

size_t joMesh3_GetSize( const joMesh3* mesh )
{
    return (size_t)mesh->byteCount;
}

uint32_t joMesh3_GetTriangleCount( const joMesh3* mesh )
{
    return mesh->triangleCount;
}

uint32_t joMesh3_GetVertexCount( const joMesh3* mesh )
{
    return mesh->vertexCount;
}

joBounds3 joComputeMeshBounds3( const joMesh3* mesh, joTransform3 pose )
{
    return joComputeMeshSweptBounds3( mesh, pose, pose );
}

joBounds3 joComputeMeshSweptBounds3( const joMesh3* mesh, joTransform3 from, joTransform3 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    joMeshView view = joViewMesh( mesh );
    joBounds3 bounds;
    if ( !joHaveSameRotation3( &from, &to ) )
    {
        bounds = joComputeReachBounds3( &from, &to, mesh->reach );
        joFloatEnv_Leave( env );
        return bounds;
    }
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( from.rotation ) );
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
    {
        joWide3 turned = joTurn3( &rotation, joWiden3( view.vertices[i] ) );
        const double at[3] = { turned.x, turned.y, turned.z };
        for ( int k = 0; k < 3; ++k )
        {
            lower[k] = joSmallerOf( lower[k], at[k] );
            upper[k] = joLargerOf( upper[k], at[k] );
        }
    }
    for ( int k = 0; k < 3; ++k )
    {
        double a = (double)( &from.position.x )[k], b = (double)( &to.position.x )[k];
        lower[k] += joSmallerOf( a, b );
        upper[k] += joLargerOf( a, b );
    }
    bounds = joRoundBounds3( lower, upper );
    joFloatEnv_Leave( env );
    return bounds;
}
