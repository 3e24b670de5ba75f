// SPDX-License-Identifier: MIT
// Meshes of any triangles, with an allocator that may fail, against a shape and a ray; and blocks with spoilt
// bytes, which the validation has to refuse unless they are safe to use.
#include "fuzz_answers.h"
#include "fuzz_memory.h"
#include "fuzz_shapes_3d.h"

#include "jostle/collide_3d.h"
#include "jostle/mesh_3d.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

#define MAX_CONTACTS 8

// What meets the mesh, whose body is where it is.
typedef struct Visitor
{
    FuzzShape3 shape;
    joTransform3 poseMesh;
    float margin;
    uint32_t capacity; // of contacts
    joRay ray;
} Visitor;

static void takeVisitor( FuzzBytes* bytes, Visitor* visitor )
{
    takeShape3( bytes, &visitor->shape );
    visitor->poseMesh = takeTransform3( bytes );
    visitor->margin = takeSize( bytes );
    visitor->capacity = takeByte( bytes ) % ( MAX_CONTACTS + 1 );
    visitor->ray = takeRay( bytes );
}

static void printTrianglesOfCase( const void* fuzzCase )
{
    fputs( "{ ", stderr );
    printTriangles( fuzzCase );
    fputs( " }\n", stderr );
}

static bool isUnit( joVec3 v )
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return fabs( sqrt( x * x + y * y + z * z ) - 1.0 ) < 1e-5;
}

static void checkContact( const joMeshContact3* contact, uint32_t triangleCount )
{
    const joManifold3* manifold = &contact->manifold;
    require( contact->triangle < triangleCount, "a contact names a triangle" );
    require( manifold->pointCount >= 1 && manifold->pointCount <= JO_MAX_MANIFOLD_POINTS3,
        "a contact has one to four points" );
    require(
        isUnit( manifold->normal ) && isfinite( manifold->depth ), "a contact has a normal and a depth" );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        require( manifold->points[i].featureId != 0, "a feature id is not 0" );
    }
}

static void meetShape( const joMesh3* mesh, const Visitor* visitor )
{
    const uint32_t triangleCount = joMesh3_GetTriangleCount( mesh );
    const joShape3* shape = &visitor->shape.shape;
    const joTransform3 *pose = &visitor->poseMesh, *shapePose = &visitor->shape.pose;
    joMeshContact3 contacts[MAX_CONTACTS], few[MAX_CONTACTS];
    memset( few, 0xCD, sizeof( few ) );
    uint32_t count = 0, again = 0;
    const joResult result =
        joCollideMesh3( mesh, pose, shape, shapePose, visitor->margin, contacts, MAX_CONTACTS, &count );
    require( result == jo_success || count == 0, "no contacts after an error" );
    require( count <= triangleCount, "no triangle has two contacts" );
    for ( uint32_t i = 0; i < count && i < MAX_CONTACTS; ++i )
    {
        checkContact( &contacts[i], triangleCount );
    }
    const uint32_t capacity = visitor->capacity;
    joCollideMesh3( mesh, pose, shape, shapePose, visitor->margin, few, capacity, &again );
    const uint32_t written = count < capacity ? count : capacity;
    require( again == count && memcmp( few, contacts, written * sizeof( few[0] ) ) == 0,
        "a small buffer gets the first contacts, and the count of all" );
    require(
        written == MAX_CONTACTS || few[written].triangle == 0xCDCDCDCDu, "nothing is written beyond it" );
    const joShape3 other = { .kind = jo_meshShape3, .mesh = mesh };
    joManifold3 manifold;
    if ( joCollide3( &other, pose, shape, shapePose, visitor->margin, NULL, &manifold ) == jo_success )
    {
        require( ( count > 0 ) == ( manifold.pointCount > 0 ), "both calls say whether there is a contact" );
    }
}

static void meetRay( const joMesh3* mesh, const Visitor* visitor, joMeshRayHit3* hit )
{
    const joRay* ray = &visitor->ray;
    if ( joCastRayAtMesh3( mesh, &visitor->poseMesh, ray, hit ) || isinf( hit->distance ) )
    {
        require( hit->triangle == JO_NULL_INDEX && isinf( hit->distance ), "no hit is none" );
        return;
    }
    require( hit->triangle < joMesh3_GetTriangleCount( mesh ), "a hit names a triangle" );
    require( hit->distance >= 0.0f && hit->distance <= ray->length, "a hit is on the ray" );
    require( isUnit( hit->normal ), "a hit has a normal" );
}

// What may be asked of any mesh that passes its validation.
static void useMesh( const joMesh3* mesh, const Visitor* visitor )
{
    const joBounds3 bounds = joComputeMeshBounds3( mesh, joMakeIdentity3() );
    require( bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y &&
                 bounds.lower.z <= bounds.upper.z,
        "bounds are not inside out" );
    require( joMesh3_GetTriangleCount( mesh ) > 0 && joMesh3_GetVertexCount( mesh ) >= 3,
        "a mesh has a triangle" );
    joMeshRayHit3 hit;
    meetRay( mesh, visitor, &hit );
    meetShape( mesh, visitor );
}

// The hit is that of one of the triangles alone, and none is hit before.
static void compareRays( const FuzzTriangles* triangles, const joMesh3* mesh, const Visitor* visitor )
{
    joMeshRayHit3 hit, first = { .distance = INFINITY, .triangle = JO_NULL_INDEX };
    meetRay( mesh, visitor, &hit );
    for ( uint32_t i = 0; i < triangles->triangleCount; ++i )
    {
        joMesh3* one = NULL;
        joMeshRayHit3 own;
        const joResult result = joCreateMesh3(
            triangles->vertices, triangles->vertexCount, triangles->indices + 3 * i, 1, NULL, &one, NULL );
        require( result == jo_success, "a triangle of a mesh is a mesh" );
        meetRay( one, visitor, &own );
        joDestroyMesh3( one, NULL );
        first = own.distance < first.distance ? own : first;
    }
    require( hit.distance == first.distance, "a ray meets the first triangle" );
}

static void checkMesh( const FuzzTriangles* triangles, const joMesh3* mesh, const Visitor* visitor )
{
    require( joCheckMesh3( mesh ) == jo_success, "a mesh that was made passes its check" );
    require( joValidateMesh3( mesh, joMesh3_GetSize( mesh ) ) == jo_success,
        "a mesh that was made passes its validation" );
    require( joMesh3_GetTriangleCount( mesh ) == triangles->triangleCount, "all triangles are there" );
    require( joMesh3_GetVertexCount( mesh ) <= triangles->vertexCount, "no vertex is new" );
    const joBounds3 bounds = joComputeMeshBounds3( mesh, joMakeIdentity3() );
    for ( uint32_t i = 0; i < 3 * triangles->triangleCount; ++i )
    {
        const joVec3 v = triangles->vertices[triangles->indices[i]];
        require( v.x >= bounds.lower.x && v.x <= bounds.upper.x && v.y >= bounds.lower.y &&
                     v.y <= bounds.upper.y && v.z >= bounds.lower.z && v.z <= bounds.upper.z,
            "the bounds hold all vertices" );
    }
    useMesh( mesh, visitor );
    compareRays( triangles, mesh, visitor );
}

static void spoilMesh( FuzzBytes* bytes, const joMesh3* mesh, const Visitor* visitor )
{
    size_t size = joMesh3_GetSize( mesh );
    void* block = takeSpoiltCopy( bytes, mesh, &size );
    if ( joValidateMesh3( block, size ) == jo_success )
    {
        useMesh( block, visitor );
    }
    free( block );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    // What spoils comes first, so that the triangles can be all the rest.
    FuzzBytes spoil = { data, size < 16 ? size : 16, 0 };
    FuzzBytes bytes = { data, size, spoil.size };
    FuzzMemory memory = takeMemory( &spoil );
    const joAllocator allocator = allocatorOf( &memory );
    Visitor visitor;
    takeVisitor( &bytes, &visitor );
    FuzzTriangles triangles;
    takeTriangles( &bytes, &triangles );
    setCasePrinter( printTrianglesOfCase, &triangles );
    joMesh3* mesh = (joMesh3*)&triangles;
    uint32_t bad = 0;
    const joResult result = joCreateMesh3( triangles.vertices, triangles.vertexCount, triangles.indices,
        triangles.triangleCount, &allocator, &mesh, &bad );
    require( ( result == jo_success ) == ( mesh != NULL ), "there is a mesh or an error" );
    require( bad == JO_NULL_INDEX || bad < triangles.vertexCount || bad < triangles.triangleCount,
        "what is bad is a vertex or a triangle" );
    if ( mesh != NULL )
    {
        checkMesh( &triangles, mesh, &visitor );
        spoilMesh( &spoil, mesh, &visitor );
        joDestroyMesh3( mesh, &allocator );
    }
    require( memory.live == 0, "all memory was given back" );
    dropShape3( &visitor.shape );
    return 0;
}
