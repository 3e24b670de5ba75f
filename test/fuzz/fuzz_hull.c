// SPDX-License-Identifier: MIT
// Hulls of any points, with an allocator that may fail; and blocks with spoilt bytes, which the validation
// has to refuse unless they are safe to use.
#include "fuzz_bytes.h"
#include "fuzz_memory.h"

#include "jostle/hull_3d.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

#define MAX_POINTS 300

typedef struct Points
{
    joVec3 points[MAX_POINTS];
    uint32_t count;
} Points;

// New points, and ones that repeat others, lie between two of them, or on a circle around the last one.
static void takePoints( FuzzBytes* bytes, Points* points )
{
    points->count = 0;
    while ( bytes->at < bytes->size && points->count < MAX_POINTS )
    {
        const uint8_t form = takeByte( bytes );
        const uint32_t count = points->count;
        joVec3* point = &points->points[points->count++];
        const joVec3 p = count > 0 ? points->points[takeByte( bytes ) % count] : takeVec3( bytes );
        const joVec3 q = count > 1 ? points->points[count - 1] : p;
        *point = p;
        if ( form % 8 < 4 )
        {
            *point = takeVec3( bytes );
        }
        else if ( form % 8 < 6 )
        {
            const float share = (float)takeByte( bytes ) / 128.0f;
            *point = ( joVec3 ){
                p.x + share * ( q.x - p.x ), p.y + share * ( q.y - p.y ), p.z + share * ( q.z - p.z ) };
        }
        else if ( form % 8 == 6 )
        {
            const float angle = 0.0245436926f * (float)takeByte( bytes );
            *point = ( joVec3 ){ q.x + joCos( angle ), q.y + joSin( angle ), q.z };
        }
    }
}

static void printPointsOfCase( const void* fuzzCase )
{
    const Points* points = fuzzCase;
    printPoints( &points->points[0].x, 3, (int)points->count );
    fputc( '\n', stderr );
}

static double along( joVec3 a, joVec3 b )
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static double largestCoordinate( const Points* points )
{
    double largest = 0.0;
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        const joVec3 p = points->points[i];
        largest =
            fmax( largest, fmax( fabs( (double)p.x ), fmax( fabs( (double)p.y ), fabs( (double)p.z ) ) ) );
    }
    return largest;
}

static bool isAmong( const Points* points, joVec3 vertex )
{
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        const joVec3 p = points->points[i];
        if ( p.x == vertex.x && p.y == vertex.y && p.z == vertex.z )
        {
            return true;
        }
    }
    return false;
}

// What may be asked of any hull that passes its validation.
static void useHull( const joHull3* hull )
{
    const uint32_t vertexCount = joHull3_GetVertexCount( hull );
    require( vertexCount >= 4 && vertexCount <= JO_MAX_HULL_VERTICES3, "a hull has 4 to 255 vertices" );
    uint32_t corners = 0;
    const uint32_t faceCount = joHull3_GetFaceCount( hull );
    for ( uint32_t face = 0; face < faceCount; ++face )
    {
        uint8_t vertices[JO_MAX_HULL_VERTICES3];
        joVec3 normal;
        float offset;
        const uint32_t count =
            joHull3_GetFace( hull, face, vertices, JO_MAX_HULL_VERTICES3, &normal, &offset );
        require( count >= 3 && count <= vertexCount, "a face has three vertices or more" );
        require( fabs( along( normal, normal ) - 1.0 ) < 1e-5, "the normal of a face is a unit vector" );
        corners += count;
        for ( uint32_t i = 0; i < count; ++i )
        {
            require( vertices[i] < vertexCount, "a face is of vertices" );
        }
    }
    require( vertexCount + faceCount == corners / 2 + 2, "vertices, edges and faces add up (Euler)" );
    const joTransform3 turned = { { 1.0f, 2.0f, 3.0f }, { 0.5f, 0.5f, -0.5f, 0.5f } };
    const joBounds3 bounds = joComputeHullSweptBounds3( hull, joMakeIdentity3(), turned );
    require( bounds.lower.x <= bounds.upper.x, "bounds are not inside out" );
    require( joComputeHullVolume3( hull ) >= 0.0f, "a volume is not negative" );
    require( joComputeHullMass3( hull, 1.0f ).mass >= 0.0f, "a mass is not negative" );
}

static void checkHull( const Points* points, const joHull3* hull )
{
    require( joCheckHull3( hull ) == jo_success, "a hull that was made passes its check" );
    require( joValidateHull3( hull, joHull3_GetSize( hull ) ) == jo_success,
        "a hull that was made passes its validation" );
    useHull( hull );
    // Four of the hull's tolerances, and the rounding of a plane to float.
    const double tolerance = ( 4.0 * 5e-7 + 2e-7 ) * largestCoordinate( points );
    for ( uint32_t face = 0; face < joHull3_GetFaceCount( hull ); ++face )
    {
        joVec3 normal;
        float offset;
        joHull3_GetFace( hull, face, NULL, 0, &normal, &offset );
        for ( uint32_t i = 0; i < points->count; ++i )
        {
            require( along( normal, points->points[i] ) - (double)offset <= tolerance,
                "no point is outside of the hull" );
        }
    }
    for ( uint32_t i = 0; i < joHull3_GetVertexCount( hull ); ++i )
    {
        const joVec3 vertex = joHull3_GetVertex( hull, i );
        require( isAmong( points, vertex ), "the vertices are points" );
        const joVec3 support = joFindHullSupport3( hull, vertex );
        require( along( support, vertex ) >= along( vertex, vertex ) * ( 1.0 - 1e-6 ),
            "a support point is not nearer than a vertex" );
    }
}

static void spoilHull( FuzzBytes* bytes, const joHull3* hull )
{
    size_t size = joHull3_GetSize( hull );
    void* block = takeSpoiltCopy( bytes, hull, &size );
    if ( joValidateHull3( block, size ) == jo_success )
    {
        useHull( block );
    }
    free( block );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    // What spoils comes first, so that the points can be all the rest.
    FuzzBytes spoil = { data, size < 16 ? size : 16, 0 };
    bytes.at = spoil.size;
    FuzzMemory memory = takeMemory( &spoil );
    const joAllocator allocator = allocatorOf( &memory );
    Points points;
    takePoints( &bytes, &points );
    setCasePrinter( printPointsOfCase, &points );
    joHull3* hull = (joHull3*)&points;
    uint32_t badPoint = 0;
    const joResult result = joCreateHull3( points.points, points.count, &allocator, &hull, &badPoint );
    require( ( result == jo_success ) == ( hull != NULL ), "there is a hull or an error" );
    require( badPoint == JO_NULL_INDEX || badPoint < points.count, "the bad point is a point" );
    if ( hull != NULL )
    {
        checkHull( &points, hull );
        spoilHull( &spoil, hull );
        joDestroyHull3( hull, &allocator );
    }
    require( memory.live == 0, "all memory was given back" );
    return 0;
}
