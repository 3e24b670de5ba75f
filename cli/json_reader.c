// SPDX-License-Identifier: MIT
#include "json_reader.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the file ---------------------------------------------------------------------------------------------

static void FailFile( joJsonError* error, const char* what )
{
    snprintf( error->what, sizeof( error->what ), "%s", what );
}

char* joReadJsonText( const char* path, size_t limit, joJsonError* error )
{
    FILE* file = fopen( path, "rb" );
    char* text = file != NULL ? malloc( limit + 1 ) : NULL;
    if ( text == NULL )
    {
        FailFile( error, strerror( errno ) );
    }
    else
    {
        const size_t size = fread( text, 1, limit + 1, file );
        const bool good = !ferror( file );
        const bool isText = good && size <= limit && memchr( text, '\0', size ) == NULL;
        if ( size > limit )
        {
            snprintf( error->what, sizeof( error->what ), "larger than %zu bytes", limit );
        }
        else if ( !isText )
        {
            FailFile( error, good ? "not a text" : strerror( errno ) );
        }
        if ( !isText )
        {
            free( text );
            text = NULL;
        }
        else
        {
            text[size] = '\0';
        }
    }
    if ( file != NULL )
    {
        fclose( file );
    }
    return text;
}

json_t* joParseJson( joJsonReader* reader )
{
    json_error_t bad;
    json_t* root = json_loads( reader->text, JSON_REJECT_DUPLICATES, &bad );
    if ( root == NULL )
    {
        reader->error->line = bad.line;
        reader->error->column = bad.column;
        snprintf( reader->error->what, sizeof( reader->error->what ), "%s", bad.text );
    }
    return root;
}

// --- what is wrong, and where -----------------------------------------------------------------------------

static bool Refuse( joJsonReader* reader, const char* format, va_list arguments )
{
    joFindJsonPlace( reader->text, &reader->path, &reader->error->line, &reader->error->column );
    joJsonPath_Format( &reader->path, reader->error->field, sizeof( reader->error->field ) );
    vsnprintf( reader->error->what, sizeof( reader->error->what ), format, arguments );
    return false;
}

bool joRefuse( joJsonReader* reader, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    Refuse( reader, format, arguments );
    va_end( arguments );
    return false;
}

bool joRefuseMember( joJsonReader* reader, const char* key, const char* format, ... )
{
    va_list arguments;
    joEnterField( reader, key, 0 );
    va_start( arguments, format );
    Refuse( reader, format, arguments );
    va_end( arguments );
    return false;
}

void joEnterField( joJsonReader* reader, const char* key, size_t index )
{
    reader->path.steps[reader->path.count++] = ( joJsonStep ){ key, index };
}

void joLeaveField( joJsonReader* reader )
{
    reader->path.count -= 1;
}

// --- values -----------------------------------------------------------------------------------------------

static bool ReadNumber( joJsonReader* reader, const json_t* value, float* number )
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

static bool ReadNumbers( joJsonReader* reader, const json_t* value, float* numbers, size_t count )
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

bool joReadMember( joJsonReader* reader, const json_t* object, const char* key, float* numbers, size_t count,
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

bool joReadWhole( joJsonReader* reader, const json_t* object, const char* key, uint64_t lower, uint64_t upper,
    uint64_t* number )
{
    const json_t* value = json_object_get( object, key );
    const json_int_t whole = json_integer_value( value );
    if ( value == NULL )
    {
        return true;
    }
    if ( !json_is_integer( value ) || whole < 0 || (uint64_t)whole < lower || (uint64_t)whole > upper )
    {
        return joRefuseMember( reader, key, "not a whole number from %llu to %llu", (unsigned long long)lower,
            (unsigned long long)upper );
    }
    *number = (uint64_t)whole;
    return true;
}

bool joReadFlag( joJsonReader* reader, const json_t* object, const char* key, bool* flag )
{
    const json_t* value = json_object_get( object, key );
    if ( value != NULL && !json_is_boolean( value ) )
    {
        return joRefuseMember( reader, key, "not true or false" );
    }
    *flag = value != NULL ? json_is_true( value ) : *flag;
    return true;
}

bool joReadString( joJsonReader* reader, const json_t* object, const char* key, const char** text )
{
    const json_t* value = json_object_get( object, key );
    *text = json_string_value( value );
    return value == NULL || *text != NULL || joRefuseMember( reader, key, "not a string" );
}

// The names, with commas between them.
static void ListNames( const char* const* names, char* list, size_t capacity )
{
    size_t length = 0;
    list[0] = '\0';
    for ( int i = 0; names[i] != NULL && length < capacity; ++i )
    {
        const int added =
            snprintf( list + length, capacity - length, "%s%s", length > 0 ? ", " : "", names[i] );
        length += added > 0 ? (size_t)added : 0;
    }
}

static int FindName( const char* const* names, const char* name )
{
    for ( int i = 0; names[i] != NULL; ++i )
    {
        if ( strcmp( names[i], name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

bool joReadName(
    joJsonReader* reader, const json_t* object, const char* key, const char* const* names, int* place )
{
    const char* name;
    if ( !joReadString( reader, object, key, &name ) )
    {
        return false;
    }
    const int found = name != NULL ? FindName( names, name ) : *place;
    if ( name != NULL && found < 0 )
    {
        char list[320];
        ListNames( names, list, sizeof( list ) );
        return joRefuseMember( reader, key, "unknown; it may be %s", list );
    }
    *place = found;
    return true;
}

bool joReadPoints( joJsonReader* reader, const json_t* object, size_t axisCount, uint32_t exactly,
    float** points, uint32_t* count )
{
    const json_t* array = json_object_get( object, "points" );
    if ( array == NULL )
    {
        return joRefuse( reader, "has no \"points\"" );
    }
    joEnterField( reader, "points", 0 );
    const size_t size = json_array_size( array );
    if ( !json_is_array( array ) || size > JO_JSON_POINTS || ( exactly > 0 && size != exactly ) )
    {
        return exactly > 0 ? joRefuse( reader, "not an array of %u points", exactly )
                           : joRefuse( reader, "not an array of up to %d points", JO_JSON_POINTS );
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

bool joCheckKeys( joJsonReader* reader, json_t* object, const char* const* keys )
{
    if ( !json_is_object( object ) )
    {
        return joRefuse( reader, "not an object" );
    }
    const char* key;
    json_t* value;
    json_object_foreach( object, key, value )
    {
        if ( FindName( keys, key ) < 0 )
        {
            char list[320];
            ListNames( keys, list, sizeof( list ) );
            return joRefuseMember( reader, key, "unknown; what may stand here is %s", list );
        }
    }
    return true;
}
