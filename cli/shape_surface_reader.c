// SPDX-License-Identifier: MIT
// Meshes and chains.
#include "shape_reader.h"

#include <stdlib.h>

#define MAX_TRIANGLES 4096

bool joRefusePoint( joJsonReader* reader, joResult result, uint32_t bad )
{
    joEnterField( reader, "points", 0 );
    if ( bad != JO_NULL_INDEX )
    {
        joEnterField( reader, NULL, bad );
    }
    return joRefuse( reader, "%s", joResultText( result ) );
}

static bool ReadCorner( joJsonReader* reader, const json_t* value, uint32_t* corner )
{
    const json_int_t number = json_integer_value( value );
    if ( !json_is_integer( value ) || number < 0 || number > INT32_MAX )
    {
        return joRefuse( reader, "not the index of a point" );
    }
    *corner = (uint32_t)number;
    return true;
}

static bool ReadTriangle( joJsonReader* reader, const json_t* value, uint32_t corners[3] )
{
    if ( !json_is_array( value ) || json_array_size( value ) != 3 )
    {
        return joRefuse( reader, "not an array of 3 indices" );
    }
    for ( size_t i = 0; i < 3; ++i )
    {
        joEnterField( reader, NULL, i );
        if ( !ReadCorner( reader, json_array_get( value, i ), corners + i ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    return true;
}

static bool ReadTriangles( joJsonReader* reader, const json_t* object, joSurface* surface )
{
    const json_t* array = json_object_get( object, "triangles" );
    if ( array == NULL )
    {
        return joRefuse( reader, "has no \"triangles\"" );
    }
    joEnterField( reader, "triangles", 0 );
    const size_t count = json_array_size( array );
    if ( !json_is_array( array ) || count == 0 || count > MAX_TRIANGLES )
    {
        return joRefuse( reader, "not an array of 1 to %d triangles", MAX_TRIANGLES );
    }
    surface->parts = calloc( count + 1, 3 * sizeof( *surface->parts ) );
    if ( surface->parts == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        joEnterField( reader, NULL, i );
        if ( !ReadTriangle( reader, json_array_get( array, i ), surface->parts + 3 * i ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    surface->partCount = (uint32_t)count;
    joLeaveField( reader );
    return true;
}

bool joReadMesh3( joJsonReader* reader, json_t* object, joFileShape* shape )
{
    static const char* const keys[] = { "kind", "pose", "points", "triangles", NULL };
    joSurface* surface = &shape->surface;
    uint32_t count, bad = JO_NULL_INDEX;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadPoints( reader, object, 3, 0, &surface->points, &count ) ||
         !ReadTriangles( reader, object, surface ) )
    {
        return false;
    }
    const joVec3* points = (const joVec3*)(const void*)surface->points;
    const joResult result =
        joCreateMesh3( points, count, surface->parts, surface->partCount, NULL, &shape->mesh, &bad );
    shape->shape3.mesh = shape->mesh;
    if ( result == jo_errorBadIndex || result == jo_errorFlatTriangle )
    {
        joEnterField( reader, "triangles", 0 );
        joEnterField( reader, NULL, bad );
        return joRefuse( reader, "%s", joResultText( result ) );
    }
    return !result || joRefusePoint( reader, result, bad );
}

bool joReadChain2( joJsonReader* reader, json_t* object, joFileShape* shape )
{
    static const char* const keys[] = { "kind", "pose", "points", "loop", NULL };
    joSurface* surface = &shape->surface;
    uint32_t count, bad = JO_NULL_INDEX;
    bool isLoop = false;
    if ( !joCheckKeys( reader, object, keys ) || !joReadFlag( reader, object, "loop", &isLoop ) ||
         !joReadPoints( reader, object, 2, 0, &surface->points, &count ) )
    {
        return false;
    }
    const joVec2* points = (const joVec2*)(const void*)surface->points;
    const joResult result = joCreateChain2( points, count, isLoop, NULL, &shape->chain, &bad );
    shape->shape2.chain = shape->chain;
    if ( result )
    {
        return joRefusePoint( reader, result, bad );
    }
    surface->partCount = isLoop ? count : count - 1;
    surface->parts = calloc( surface->partCount, 2 * sizeof( *surface->parts ) );
    if ( surface->parts == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    for ( uint32_t i = 0; i < surface->partCount; ++i )
    {
        surface->parts[2 * i] = i;
        surface->parts[2 * i + 1] = ( i + 1 ) % count;
    }
    return true;
}
