// SPDX-License-Identifier: MIT
#include "fuzz_shapes_3d.h"

#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"

#include <stdio.h>
#include <string.h>

static void takeHull( FuzzBytes* bytes, FuzzShape3* taken )
{
    taken->pointCount = 4 + takeByte( bytes ) % ( FUZZ_MAX_HULL_POINTS - 3 );
    for ( uint32_t i = 0; i < taken->pointCount; ++i )
    {
        taken->points[i] = takeVec3( bytes );
    }
    joCreateHull3( taken->points, taken->pointCount, NULL, &taken->hull, NULL );
    taken->shape.hull = taken->hull;
}

// Over a grid of unit squares, two triangles each.
static void takeHeights( FuzzBytes* bytes, FuzzTriangles* triangles )
{
    const uint32_t columns = 2 + takeByte( bytes ) % 5u, rows = 2 + takeByte( bytes ) % 5u;
    for ( uint32_t i = 0; i < columns * rows; ++i )
    {
        triangles->vertices[i] =
            ( joVec3 ){ (float)( i % columns ), (float)( i / columns ), takeNumber( bytes ) };
    }
    triangles->vertexCount = columns * rows;
    triangles->triangleCount = 0;
    uint32_t* next = triangles->indices;
    for ( uint32_t i = 0; i + columns < columns * rows; ++i )
    {
        if ( i % columns + 1 < columns )
        {
            const uint32_t corners[6] = { i, i + 1, i + columns, i + 1, i + columns + 1, i + columns };
            memcpy( next, corners, sizeof( corners ) );
            next += 6;
            triangles->triangleCount += 2;
        }
    }
}

void takeTriangles( FuzzBytes* bytes, FuzzTriangles* triangles )
{
    memset( triangles, 0, sizeof( *triangles ) );
    const uint8_t form = takeByte( bytes ) % 4;
    if ( form == 0 )
    {
        takeHeights( bytes, triangles );
        return;
    }
    const uint32_t vertexCount = takeByte( bytes ) % ( FUZZ_MAX_VERTICES + 1u );
    triangles->vertexCount = vertexCount;
    triangles->triangleCount = takeByte( bytes ) % ( FUZZ_MAX_TRIANGLES + 1u );
    for ( uint32_t i = 0; i < vertexCount; ++i )
    {
        triangles->vertices[i] = takeVec3( bytes );
    }
    for ( uint32_t i = 0; i < 3 * triangles->triangleCount && vertexCount > 0; ++i )
    {
        const uint32_t byte = form == 1 ? i / 3 + i % 3 : takeByte( bytes );
        // An index out of range is seldom.
        triangles->indices[i] = byte == 255 ? vertexCount : byte % vertexCount;
    }
}

static void takeMesh( FuzzBytes* bytes, FuzzShape3* taken )
{
    FuzzTriangles* triangles = &taken->triangles;
    takeTriangles( bytes, triangles );
    joCreateMesh3( triangles->vertices, triangles->vertexCount, triangles->indices, triangles->triangleCount,
        NULL, &taken->mesh, NULL );
    taken->shape.mesh = taken->mesh;
}

static void takeBox( FuzzBytes* bytes, joBox3* box )
{
    box->halfExtents.x = takeSize( bytes );
    box->halfExtents.y = takeSize( bytes );
    box->halfExtents.z = takeSize( bytes );
    box->localPose = takeTransform3( bytes );
}

void takeShape3( FuzzBytes* bytes, FuzzShape3* taken )
{
    joShape3* shape = &taken->shape;
    memset( taken, 0, sizeof( *taken ) );
    const uint8_t kind = takeByte( bytes );
    shape->kind = (joShapeKind3)( kind % ( jo_shapeKindCount3 + ( kind > 250 ) ) );
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            shape->sphere.center = takeVec3( bytes );
            shape->sphere.radius = takeSize( bytes );
            break;
        case jo_capsuleShape3:
            shape->capsule.a = takeVec3( bytes );
            shape->capsule.b = takeVec3( bytes );
            shape->capsule.radius = takeSize( bytes );
            break;
        case jo_boxShape3:
            takeBox( bytes, &shape->box );
            break;
        case jo_halfSpaceShape3:
            shape->halfSpace.normal = takeVec3( bytes );
            shape->halfSpace.offset = takeNumber( bytes );
            break;
        case jo_hullShape3:
            takeHull( bytes, taken );
            break;
        case jo_meshShape3:
            takeMesh( bytes, taken );
            break;
        case jo_shapeKindCount3:
            break;
    }
    if ( ( shape->kind == jo_hullShape3 && taken->hull == NULL ) ||
         ( shape->kind == jo_meshShape3 && taken->mesh == NULL ) )
    {
        *shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    }
    taken->pose = takeTransform3( bytes );
}

void dropShape3( FuzzShape3* shape )
{
    joDestroyHull3( shape->hull, NULL );
    joDestroyMesh3( shape->mesh, NULL );
}

void printTriangles( const FuzzTriangles* triangles )
{
    printPoints( &triangles->vertices[0].x, 3, (int)triangles->vertexCount );
    fputs( ", \"indices\": [", stderr );
    for ( uint32_t i = 0; i < 3 * triangles->triangleCount; ++i )
    {
        fprintf( stderr, "%s%u", i > 0 ? ", " : "", triangles->indices[i] );
    }
    fputs( "]", stderr );
}

static void printBox( const joBox3* box )
{
    printNumbers( "halfExtents", &box->halfExtents.x, 3 );
    fputs( ", \"localPose\": { ", stderr );
    printNumbers( "position", &box->localPose.position.x, 3 );
    fputs( ", ", stderr );
    printNumbers( "rotation", &box->localPose.rotation.x, 4 );
    fputs( " }", stderr );
}

void printShape3( const FuzzShape3* taken )
{
    static const char* const kinds[] = { "sphere", "capsule", "box", "hull", "half-space", "mesh", "none" };
    const joShape3* shape = &taken->shape;
    fprintf( stderr, "\"kind\": \"%s\", ", kinds[shape->kind] );
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            printNumbers( "center", &shape->sphere.center.x, 3 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->sphere.radius );
            break;
        case jo_capsuleShape3:
            printPoints( &shape->capsule.a.x, 3, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->capsule.radius );
            break;
        case jo_boxShape3:
            printBox( &shape->box );
            break;
        case jo_halfSpaceShape3:
            printNumbers( "normal", &shape->halfSpace.normal.x, 3 );
            fprintf( stderr, ", \"offset\": %.9g", (double)shape->halfSpace.offset );
            break;
        case jo_hullShape3:
            printPoints( &taken->points[0].x, 3, (int)taken->pointCount );
            break;
        case jo_meshShape3:
            printTriangles( &taken->triangles );
            break;
        case jo_shapeKindCount3:
            break;
    }
    fputs( ",\n    \"pose\": { ", stderr );
    printNumbers( "position", &taken->pose.position.x, 3 );
    fputs( ", ", stderr );
    printNumbers( "rotation", &taken->pose.rotation.x, 4 );
    fputs( " }", stderr );
}
