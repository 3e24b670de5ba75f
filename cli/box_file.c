// SPDX-License-Identifier: MIT
#include "box_file.h"

#include "box_file_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int joFileError_Format( const joFileError* error, const char* path, char* text, size_t capacity )
{
    if ( error->line > 0 )
    {
        return snprintf( text, capacity, "%s:%" PRIu64 ": %s", path, error->line, error->what );
    }
    if ( error->hasByte )
    {
        return snprintf( text, capacity, "%s: byte %" PRIu64 ": %s", path, error->byte, error->what );
    }
    return snprintf( text, capacity, "%s: %s", path, error->what );
}

bool joFindBoxFault( const float* box, int axisCount, int* member, char* text, size_t capacity )
{
    static const char* const names[JO_BOX_FLOATS] = {
        "lower x", "lower y", "lower z", "upper x", "upper y", "upper z" };
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        float lower = box[axis];
        float upper = box[3 + axis];
        if ( isnan( lower ) || isnan( upper ) )
        {
            *member = isnan( lower ) ? axis : 3 + axis;
            snprintf( text, capacity, "%s is not a number (NaN)", names[*member] );
            return true;
        }
        if ( lower > upper )
        {
            *member = axis;
            snprintf( text, capacity, "%s %.9g is above %s %.9g", names[axis], (double)lower, names[3 + axis],
                (double)upper );
            return true;
        }
        if ( isinf( lower ) && lower > 0.0f )
        {
            *member = axis;
            snprintf( text, capacity, "%s is +inf; a lower bound may be -inf only", names[axis] );
            return true;
        }
        if ( isinf( upper ) && upper < 0.0f )
        {
            *member = 3 + axis;
            snprintf( text, capacity, "%s is -inf; an upper bound may be +inf only", names[3 + axis] );
            return true;
        }
    }
    return false;
}

bool joGrowBoxes( joBoxFile* file, uint64_t used, uint64_t limit, uint64_t* capacity )
{
    if ( used < *capacity )
    {
        return true;
    }
    uint64_t next = *capacity == 0 ? 1024 : *capacity * 2;
    next = next < limit ? next : limit;
    const size_t boxSize = JO_BOX_FLOATS * sizeof( float );
    if ( next <= used || next > SIZE_MAX / boxSize )
    {
        return false;
    }
    float* boxes = realloc( file->boxes, (size_t)next * boxSize );
    if ( boxes == NULL )
    {
        return false;
    }
    file->boxes = boxes;
    *capacity = next;
    return true;
}

static bool Load( joByteSource* source, uint32_t maxFrames, joBoxFile* file, joFileError* error )
{
    size_t peeked = joByteSource_Peek( source, JO_RECORDING_HEADER_SIZE );
    if ( source->failed )
    {
        return false;
    }
    if ( peeked == 0 )
    {
        return joFail( error, "is empty" );
    }
    size_t headSize = peeked < JO_RECORDING_HEADER_SIZE ? peeked : JO_RECORDING_HEADER_SIZE;
    file->compressed = source->compressed;
    // Every recording has the two zeros at the end of its header; no text has a zero byte.
    if ( memchr( source->buffer + source->begin, 0, headSize ) != NULL )
    {
        return joReadBoxRecording( source, maxFrames, file, error );
    }
    return joReadBoxText( source, file, error );
}

bool joLoadBoxFile( const char* path, uint32_t maxFrames, joBoxFile* file, joFileError* error )
{
    memset( file, 0, sizeof *file );
    joByteSource* source = malloc( sizeof( joByteSource ) );
    if ( source == NULL )
    {
        return joFail( error, "no memory to read it" );
    }
    bool loaded = joByteSource_Open( source, path, error );
    if ( loaded )
    {
        loaded = Load( source, maxFrames, file, error );
        joByteSource_Close( source );
    }
    free( source );
    if ( !loaded )
    {
        joFreeBoxFile( file );
    }
    return loaded;
}

bool joLoadBoxMemory( const void* data, size_t size, uint32_t maxFrames, joBoxFile* file, joFileError* error )
{
    memset( file, 0, sizeof *file );
    joByteSource* source = malloc( sizeof( joByteSource ) );
    if ( source == NULL )
    {
        return joFail( error, "no memory to read it" );
    }
    joByteSource_OpenMemory( source, data, size, error );
    bool loaded = Load( source, maxFrames, file, error );
    free( source );
    if ( !loaded )
    {
        joFreeBoxFile( file );
    }
    return loaded;
}

void joFreeBoxFile( joBoxFile* file )
{
    free( file->boxes );
    memset( file, 0, sizeof *file );
}

const float* joBoxFile_GetFrame( const joBoxFile* file, uint32_t frame )
{
    return file->boxes + (size_t)frame * file->count * JO_BOX_FLOATS;
}
