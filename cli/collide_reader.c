// SPDX-License-Identifier: MIT
#include "collide_reader.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool joRefuse( joSceneReader* reader, const char* format, ... )
{
    joFindJsonPlace( reader->text, &reader->path, &reader->error->line, &reader->error->column );
    joJsonPath_Format( &reader->path, reader->error->field, sizeof( reader->error->field ) );
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( reader->error->what, sizeof( reader->error->what ), format, arguments );
    va_end( arguments );
    return false;
}

void joEnterField( joSceneReader* reader, const char* key, size_t index )
{
    reader->path.steps[reader->path.count++] = ( joJsonStep ){ key, index };
}

void joLeaveField( joSceneReader* reader )
{
    reader->path.count -= 1;
}

// --- values -----------------------------------------------------------------------------------------------

static bool ReadNumber( joSceneReader* reader, const json_t* value, float* number )
{
    if ( !json_is_number( value ) )
    {
        return joRefuse( reader, "not a number" );
    }
    const double wide = json_number_value( value );
    if ( !( fabs( wide ) <= (double)FLT_MAX ) )
    {
        return joRefuse( reader, "above what a float can be" );
    }
    *number = (float)wide;
    return true;
}

static bool ReadNumbers( joSceneReader* reader, const json_t* value, float* numbers, size_t count )
{
    if ( !json_is_array( value ) || json_array_size( value ) != count )
    {
        return joRefuse( reader, "not an array of %zu numbers", count );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        joEnterField( reader, NULL, i );
        if ( !ReadNumber( reader, json_array_get( value, i ), numbers + i ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    return true;
}

bool joReadMember( joSceneReader* reader, const json_t* object, const char* key, float* numbers, size_t count,
    bool isOptional )
{
    const json_t* value = json_object_get( object, key );
    if ( value == NULL )
    {
        return isOptional || joRefuse( reader, "has no \"%s\"", key );
    }
    joEnterField( reader, key, 0 );
    // One number stands without brackets.
    if ( count == 1 ? !ReadNumber( reader, value, numbers ) : !ReadNumbers( reader, value, numbers, count ) )
    {
        return false;
    }
    joLeaveField( reader );
    return true;
}

bool joReadPoints(
    joSceneReader* reader, const json_t* object, uint32_t exactly, float** points, uint32_t* count )
{
    const size_t axisCount = (size_t)reader->scene->dimension;
    const json_t* array = json_object_get( object, "points" );
    if ( array == NULL )
    {
        return joRefuse( reader, "has no \"points\"" );
    }
    joEnterField( reader, "points", 0 );
    const size_t size = json_array_size( array );
    if ( !json_is_array( array ) || size > JO_SCENE_POINTS || ( exactly > 0 && size != exactly ) )
    {
        return exactly > 0 ? joRefuse( reader, "not an array of %u points", exactly )
                           : joRefuse( reader, "not an array of up to %d points", JO_SCENE_POINTS );
    }
    *points = calloc( size > 0 ? size : 1, axisCount * sizeof( float ) );
    *count = (uint32_t)size;
    bool good = *points != NULL || joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    for ( size_t i = 0; i < size && good; ++i )
    {
        joEnterField( reader, NULL, i );
        good = ReadNumbers( reader, json_array_get( array, i ), *points + axisCount * i, axisCount );
        if ( good )
        {
            joLeaveField( reader );
        }
    }
    if ( !good )
    {
        free( *points );
        *points = NULL;
        return false;
    }
    joLeaveField( reader );
    return true;
}

bool joCheckKeys( joSceneReader* reader, json_t* object, const char* const* keys )
{
    if ( !json_is_object( object ) )
    {
        return joRefuse( reader, "not an object" );
    }
    const char* key;
    json_t* value;
    json_object_foreach( object, key, value )
    {
        bool isKnown = false;
        char list[128];
        size_t length = 0;
        for ( int i = 0; keys[i] != NULL; ++i )
        {
            isKnown = isKnown || strcmp( keys[i], key ) == 0;
            length += (size_t)snprintf(
                list + length, sizeof( list ) - length, "%s%s", length > 0 ? ", " : "", keys[i] );
        }
        if ( !isKnown )
        {
            joEnterField( reader, key, 0 );
            return joRefuse( reader, "unknown; what may stand here is %s", list );
        }
    }
    return true;
}

bool joRefusePoint( joSceneReader* reader, joResult result, uint32_t bad )
{
    joEnterField( reader, "points", 0 );
    if ( bad != JO_NULL_INDEX )
    {
        joEnterField( reader, NULL, bad );
    }
    return joRefuse( reader, "%s", joResultText( result ) );
}
