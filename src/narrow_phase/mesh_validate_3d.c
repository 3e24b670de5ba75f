// SPDX-License-Identifier: MIT
// Whether bytes from elsewhere are a mesh.
#include "narrow_phase/mesh_3d.h"

static bool hasValidHeader( const joMesh3* mesh, size_t size )
{
    return mesh->magic == JO_MESH_MAGIC && mesh->triangleCount > 0 &&
           mesh->triangleCount <= JO_MAX_MESH_TRIANGLES3 && mesh->vertexCount >= 3 &&
           mesh->vertexCount <= 3 * mesh->triangleCount && mesh->nodeCount > 0 &&
           mesh->nodeCount < 2 * mesh->triangleCount && mesh->byteCount == size &&
           size == joMeshBytes( mesh->vertexCount, mesh->triangleCount, mesh->nodeCount );
}

static bool hasValidVertices( const joMesh3* mesh, const joMeshView* view )
{
    for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
    {
        joVec3 p = view->vertices[i];
        bool isFinite =
            fabsf( p.x ) <= JO_MAX_SIZE && fabsf( p.y ) <= JO_MAX_SIZE && fabsf( p.z ) <= JO_MAX_SIZE;
        if ( !isFinite || !( joLength3( joWiden3( p ) ) <= mesh->reach ) )
        {
            return false;
        }
    }
    return mesh->reach <= 2.0 * (double)JO_MAX_SIZE;
}

static bool hasValidTriangles( const joMesh3* mesh, const joMeshView* view )
{
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        const uint32_t* v = view->triangles[i].vertices;
        if ( v[0] >= mesh->vertexCount || v[1] >= mesh->vertexCount || v[2] >= mesh->vertexCount ||
             view->triangles[i].name >= mesh->triangleCount ||
             joIsFlatTriangle( view->vertices[v[0]], view->vertices[v[1]], view->vertices[v[2]] ) )
        {
            return false;
        }
    }
    return true;
}

// Each vertex lists triangles that it is a corner of, each once and upwards; as there are as many places in
// the lists as corners, it lists all.
static bool hasValidLists( const joMesh3* mesh, const joMeshView* view )
{
    const uint32_t* starts = view->vertexStarts;
    if ( starts[0] != 0 || starts[mesh->vertexCount] != 3 * mesh->triangleCount )
    {
        return false;
    }
    for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
    {
        if ( starts[i + 1] < starts[i] || starts[i + 1] > 3 * mesh->triangleCount )
        {
            return false;
        }
        for ( uint32_t k = starts[i]; k < starts[i + 1]; ++k )
        {
            uint32_t triangle = view->vertexTriangles[k];
            if ( triangle >= mesh->triangleCount ||
                 ( k > starts[i] && triangle <= view->vertexTriangles[k - 1] ) )
            {
                return false;
            }
            const uint32_t* v = view->triangles[triangle].vertices;
            if ( v[0] != i && v[1] != i && v[2] != i )
            {
                return false;
            }
        }
    }
    return true;
}

static bool isWithin( const float* lower, const float* upper, const joMeshNode* node )
{
    for ( int k = 0; k < 3; ++k )
    {
        if ( !( lower[k] >= node->lower[k] && upper[k] <= node->upper[k] ) )
        {
            return false;
        }
    }
    return true;
}

static bool isValidLeaf( const joMeshView* view, const joMeshNode* node )
{
    for ( uint32_t i = 0; i < 3 * node->count; ++i )
    {
        const joMeshTriangle* triangle = view->triangles + node->first + i / 3;
        const float* p = &view->vertices[triangle->vertices[i % 3]].x;
        if ( !isWithin( p, p, node ) )
        {
            return false;
        }
    }
    return true;
}

// Walks the hierarchy as its builder made it, first child first: nodes and triangles come in order, which
// also rules out loops.
static bool hasValidNodes( const joMesh3* mesh, const joMeshView* view )
{
    uint32_t stack[JO_MESH_MAX_DEPTH + 1], stackCount = 1, nextNode = 1, nextTriangle = 0;
    stack[0] = 0;
    while ( stackCount > 0 )
    {
        const joMeshNode* node = view->nodes + stack[--stackCount];
        if ( node->count > 0 )
        {
            if ( node->first != nextTriangle || node->count > mesh->triangleCount - nextTriangle ||
                 node->count > JO_MESH_MAX_LEAF || !isValidLeaf( view, node ) )
            {
                return false;
            }
            nextTriangle += node->count;
            continue;
        }
        if ( node->first != nextNode || mesh->nodeCount - nextNode < 2 ||
             stackCount + 2 > JO_MESH_MAX_DEPTH + 1 )
        {
            return false;
        }
        for ( uint32_t child = 0; child < 2; ++child )
        {
            const joMeshNode* inner = view->nodes + nextNode + child;
            if ( !isWithin( inner->lower, inner->upper, node ) )
            {
                return false;
            }
        }
        stack[stackCount++] = nextNode + 1;
        stack[stackCount++] = nextNode;
        nextNode += 2;
    }
    return nextNode == mesh->nodeCount && nextTriangle == mesh->triangleCount;
}

joResult joValidateMesh3( const void* block, size_t size )
{
    if ( block == NULL )
    {
        return jo_errorNullArgument;
    }
    const joMesh3* mesh = block;
    if ( size < sizeof( *mesh ) || !hasValidHeader( mesh, size ) )
    {
        return jo_errorBadShape;
    }
    joFloatEnv env = joFloatEnv_Enter();
    joMeshView view = joViewMesh( mesh );
    bool isValid = hasValidVertices( mesh, &view ) && hasValidTriangles( mesh, &view ) &&
                   hasValidLists( mesh, &view ) && hasValidNodes( mesh, &view );
    joFloatEnv_Leave( env );
    return isValid ? jo_success : jo_errorBadShape;
}
