// SPDX-License-Identifier: MIT
#include "byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool joFail( joFileError* error, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    error->line = 0;
    error->hasByte = false;
    error->byte = 0;
    vsnprintf( error->what, sizeof error->what, format, arguments );
    va_end( arguments );
    return false;
}

bool joFailAtLine( joFileError* error, uint64_t line, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    error->line = line;
    error->hasByte = false;
    error->byte = 0;
    vsnprintf( error->what, sizeof error->what, format, arguments );
    va_end( arguments );
    return false;
}

bool joFailAtByte( joFileError* error, uint64_t byte, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    error->line = 0;
    error->hasByte = true;
    error->byte = byte;
    vsnprintf( error->what, sizeof error->what, format, arguments );
    va_end( arguments );
    return false;
}

bool joByteSource_Open( joByteSource* source, const char* path, joFileError* error )
{
    memset( source, 0, offsetof( joByteSource, buffer ) );
    source->error = error;
    int descriptor = open( path, O_RDONLY );
    if ( descriptor < 0 )
    {
        return joFail( error, "cannot be opened: %s", strerror( errno ) );
    }
    struct stat status;
    if ( fstat( descriptor, &status ) != 0 )
    {
        int reason = errno;
        close( descriptor );
        return joFail( error, "cannot be opened: %s", strerror( reason ) );
    }
    if ( S_ISDIR( status.st_mode ) )
    {
        close( descriptor );
        return joFail( error, "is a directory" );
    }
    source->file = gzdopen( descriptor, "rb" );
    if ( source->file == NULL )
    {
        close( descriptor );
        return joFail( error, "no memory to read it" );
    }
    gzbuffer( source->file, JO_BYTE_SOURCE_BUFFER );
    source->compressed = gzdirect( source->file ) == 0;
    source->sizeKnown = !source->compressed && S_ISREG( status.st_mode );
    source->size = source->sizeKnown ? (uint64_t)status.st_size : 0;
    return true;
}

void joByteSource_OpenMemory( joByteSource* source, const void* data, size_t size, joFileError* error )
{
    memset( source, 0, offsetof( joByteSource, buffer ) );
    source->error = error;
    source->memory = data;
    source->memorySize = size;
    source->sizeKnown = true;
    source->size = size;
}

void joByteSource_Close( joByteSource* source )
{
    if ( source->file != NULL )
    {
        gzclose( source->file );
        source->file = NULL;
    }
}

static void Fail( joByteSource* source )
{
    int code = Z_OK;
    const char* text = gzerror( source->file, &code );
    uint64_t end = source->position + ( source->end - source->begin );
    source->failed = true;
    if ( code == Z_ERRNO )
    {
        joFailAtByte( source->error, end, "cannot be read: %s", strerror( errno ) );
    }
    else if ( code == Z_BUF_ERROR )
    {
        joFailAtByte(
            source->error, end, "the gzip data are truncated: they end after this many bytes of content" );
    }
    else
    {
        joFailAtByte( source->error, end, "the gzip data are damaged: %s", text );
    }
}

size_t joByteSource_Peek( joByteSource* source, size_t wanted )
{
    while ( source->end - source->begin < wanted && !source->atEnd && !source->failed )
    {
        memmove( source->buffer, source->buffer + source->begin, source->end - source->begin );
        source->end -= source->begin;
        source->begin = 0;
        size_t room = JO_BYTE_SOURCE_BUFFER - source->end;
        if ( source->file == NULL )
        {
            size_t got = room < source->memorySize ? room : source->memorySize;
            if ( got > 0 )
            {
                memcpy( source->buffer + source->end, source->memory, got );
                source->memory += got;
                source->memorySize -= got;
                source->end += got;
            }
            source->atEnd = source->memorySize == 0;
            continue;
        }
        int got = gzread( source->file, source->buffer + source->end, (unsigned)room );
        if ( got > 0 )
        {
            source->end += (size_t)got;
        }
        // A file that was cut off gives its last bytes and an error at once.
        int code = Z_OK;
        gzerror( source->file, &code );
        if ( got < 0 || ( (size_t)got < room && code != Z_OK && code != Z_STREAM_END ) )
        {
            Fail( source );
        }
        source->atEnd = got <= 0;
    }
    return source->end - source->begin;
}

size_t joByteSource_Take( joByteSource* source, size_t wanted, const uint8_t** bytes )
{
    size_t got = joByteSource_Peek( source, wanted );
    got = got < wanted ? got : wanted;
    *bytes = source->buffer + source->begin;
    source->begin += got;
    source->position += got;
    return got;
}

int joByteSource_Next( joByteSource* source )
{
    if ( source->begin == source->end && joByteSource_Peek( source, 1 ) == 0 )
    {
        return -1;
    }
    source->position += 1;
    return source->buffer[source->begin++];
}
