// SPDX-License-Identifier: MIT
// Writer of box files, text and recordings.
#define _XOPEN_SOURCE 700 // realpath
#include "byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BOXES 1024

struct joBoxWriter
{
    joBoxWriterDef def;
    gzFile file;
    char* target;    // what the temporary file will replace; null: written to directly
    char* temporary; // null: none
    uint32_t framesWritten;
    uint8_t block[BLOCK_BOXES * JO_RECORDING_BOX_SIZE];
};

static bool EndsWith( const char* text, size_t length, const char* end )
{
    size_t endLength = strlen( end );
    return length >= endLength && memcmp( text + length - endLength, end, endLength ) == 0;
}

static bool IsGzipName( const char* path )
{
    return EndsWith( path, strlen( path ), ".gz" );
}

joBoxFormat joBoxFormatOfName( const char* path )
{
    size_t length = strlen( path );
    length -= IsGzipName( path ) ? 3 : 0;
    bool recording = EndsWith( path, length, ".bin" ) || EndsWith( path, length, ".broadmark" );
    return recording ? jo_recordedBoxes : jo_textBoxes;
}

static bool CheckDef( const joBoxWriterDef* def, joFileError* error )
{
    bool text = def->format == jo_textBoxes;
    if ( def->count == 0 || ( !text && def->count > INT32_MAX ) )
    {
        return joFail( error, "cannot hold that number of boxes" );
    }
    if ( def->frameCount == 0 || ( text ? def->frameCount > 1 : def->frameCount > INT32_MAX ) )
    {
        return joFail( error,
            text ? "a text has one frame; several need a recording" : "cannot hold that number of frames" );
    }
    return true;
}

// Opens the temporary file beside the target. -1: error set.
static int OpenTemporary( joBoxWriter* writer, const char* path, const struct stat* old, joFileError* error )
{
    // A symbolic link stays, and what it points to is replaced.
    writer->target = old != NULL ? realpath( path, NULL ) : strdup( path );
    static const char suffix[] = ".tmp-XXXXXX";
    size_t size = writer->target == NULL ? 0 : strlen( writer->target ) + sizeof suffix;
    char* temporary = size == 0 ? NULL : malloc( size );
    if ( temporary == NULL )
    {
        joFail( error, "cannot be written: %s", strerror( errno ) );
        return -1;
    }
    snprintf( temporary, size, "%s%s", writer->target, suffix );
    int descriptor = mkstemp( temporary );
    if ( descriptor < 0 )
    {
        joFail( error, "cannot be written: %s", strerror( errno ) );
        free( temporary );
        return -1;
    }
    writer->temporary = temporary;
    mode_t mask = umask( 0 );
    umask( mask );
    if ( fchmod( descriptor, old != NULL ? old->st_mode & 0777 : 0666 & ~mask ) != 0 )
    {
        joFail( error, "cannot be written: %s", strerror( errno ) );
        close( descriptor );
        return -1;
    }
    return descriptor;
}

static int OpenOutput( joBoxWriter* writer, const char* path, joFileError* error )
{
    struct stat status;
    int descriptor;
    if ( strcmp( path, "-" ) == 0 )
    {
        descriptor = dup( STDOUT_FILENO );
    }
    else if ( stat( path, &status ) == 0 )
    {
        if ( S_ISREG( status.st_mode ) )
        {
            return OpenTemporary( writer, path, &status, error );
        }
        // A device or a pipe must be written to, not replaced.
        descriptor = open( path, O_WRONLY );
    }
    else
    {
        return OpenTemporary( writer, path, NULL, error );
    }
    if ( descriptor < 0 )
    {
        joFail( error, "cannot be written: %s", strerror( errno ) );
    }
    return descriptor;
}

static bool FailWrite( joBoxWriter* writer, joFileError* error )
{
    int code = Z_OK;
    const char* text = gzerror( writer->file, &code );
    return joFail( error, "cannot be written: %s", code == Z_ERRNO ? strerror( errno ) : text );
}

static bool WriteBytes( joBoxWriter* writer, const void* bytes, size_t size, joFileError* error )
{
    // Blocks are far below the 2 GiB that gzwrite takes at once.
    if ( size > 0 && gzwrite( writer->file, bytes, (unsigned)size ) != (int)size )
    {
        return FailWrite( writer, error );
    }
    return true;
}

static void EncodeWord( uint8_t* bytes, uint32_t word )
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)( word >> 8 );
    bytes[2] = (uint8_t)( word >> 16 );
    bytes[3] = (uint8_t)( word >> 24 );
}

static void EncodeBox( uint8_t* bytes, const float* box )
{
    for ( int i = 0; i < JO_BOX_FLOATS; ++i )
    {
        uint32_t word;
        memcpy( &word, &box[i], sizeof word );
        EncodeWord( bytes + ( i < 3 ? 4 * i : 4 * i + 4 ), word );
    }
    EncodeWord( bytes + 12, 0 );
    EncodeWord( bytes + 28, 0 );
}

static void CopyText( uint8_t* field, const char* text )
{
    size_t length = text == NULL ? 0 : strlen( text );
    length = length < JO_RECORDING_TEXT_SIZE ? length : JO_RECORDING_TEXT_SIZE - 1;
    if ( length > 0 )
    {
        memcpy( field, text, length );
    }
}

static bool WriteRecordingHeader( joBoxWriter* writer, joFileError* error )
{
    uint8_t header[JO_RECORDING_HEADER_SIZE + JO_RECORDING_BOX_SIZE] = { 0 };
    CopyText( header, writer->def.name );
    CopyText( header + JO_RECORDING_TEXT_SIZE, writer->def.objectType );
    EncodeWord( header + 256, writer->def.count );
    EncodeWord( header + 260, writer->def.frameCount );
    EncodeBox( header + JO_RECORDING_HEADER_SIZE, writer->def.world );
    return WriteBytes( writer, header, sizeof header, error );
}

static bool WriteComment( joBoxWriter* writer, const char* text, joFileError* error )
{
    if ( text == NULL || text[0] == '\0' )
    {
        return true;
    }
    char line[256];
    int length = snprintf( line, sizeof line, "# %s", text );
    length = length < (int)sizeof line - 1 ? length : (int)sizeof line - 2;
    for ( int i = 0; i < length; ++i )
    {
        // A line end in the text would end the comment; a zero byte cannot be there.
        line[i] = line[i] == '\n' || line[i] == '\r' ? ' ' : line[i];
    }
    line[length++] = '\n';
    return WriteBytes( writer, line, (size_t)length, error );
}

static bool WriteTextHeader( joBoxWriter* writer, joFileError* error )
{
    const char* names = writer->def.dimension == 2 ? "lower_x lower_y upper_x upper_y\n"
                                                   : "lower_x lower_y lower_z upper_x upper_y upper_z\n";
    return WriteComment( writer, writer->def.name, error ) &&
           WriteComment( writer, writer->def.objectType, error ) &&
           WriteBytes( writer, names, strlen( names ), error );
}

joBoxWriter* joCreateBoxWriter( const char* path, const joBoxWriterDef* def, joFileError* error )
{
    if ( !CheckDef( def, error ) )
    {
        return NULL;
    }
    joBoxWriter* writer = calloc( 1, sizeof( joBoxWriter ) );
    if ( writer == NULL )
    {
        joFail( error, "no memory to write it" );
        return NULL;
    }
    writer->def = *def;
    int descriptor = OpenOutput( writer, path, error );
    if ( descriptor < 0 )
    {
        joDestroyBoxWriter( writer );
        return NULL;
    }
    // T: as it is, without compression.
    writer->file = gzdopen( descriptor, IsGzipName( path ) ? "wb" : "wbT" );
    if ( writer->file == NULL )
    {
        joFail( error, "no memory to write it" );
        close( descriptor );
        joDestroyBoxWriter( writer );
        return NULL;
    }
    gzbuffer( writer->file, JO_BYTE_SOURCE_BUFFER );
    bool written = def->format == jo_textBoxes ? WriteTextHeader( writer, error )
                                               : WriteRecordingHeader( writer, error );
    // The texts are the caller's and may go.
    writer->def.name = NULL;
    writer->def.objectType = NULL;
    if ( !written )
    {
        joDestroyBoxWriter( writer );
        return NULL;
    }
    return writer;
}

static bool WriteTextFrame( joBoxWriter* writer, const float* boxes, joFileError* error )
{
    int axisCount = writer->def.dimension;
    for ( uint32_t i = 0; i < writer->def.count; ++i )
    {
        const float* box = boxes + (size_t)i * JO_BOX_FLOATS;
        char line[JO_BOX_FLOATS * 24 + 2];
        int length = 0;
        for ( int side = 0; side < 2; ++side )
        {
            for ( int axis = 0; axis < axisCount; ++axis )
            {
                // 9 digits give back the same float.
                length += snprintf( line + length, sizeof line - (size_t)length,
                    length == 0 ? "%.9g" : " %.9g", (double)box[3 * side + axis] );
            }
        }
        line[length++] = '\n';
        if ( !WriteBytes( writer, line, (size_t)length, error ) )
        {
            return false;
        }
    }
    return true;
}

static bool WriteRecordedFrame( joBoxWriter* writer, const float* boxes, joFileError* error )
{
    uint32_t count = writer->def.count;
    for ( uint32_t begin = 0; begin < count; begin += BLOCK_BOXES )
    {
        uint32_t blockCount = count - begin < BLOCK_BOXES ? count - begin : BLOCK_BOXES;
        for ( uint32_t i = 0; i < blockCount; ++i )
        {
            EncodeBox(
                writer->block + i * JO_RECORDING_BOX_SIZE, boxes + ( (size_t)begin + i ) * JO_BOX_FLOATS );
        }
        if ( !WriteBytes( writer, writer->block, blockCount * JO_RECORDING_BOX_SIZE, error ) )
        {
            return false;
        }
    }
    return true;
}

bool joBoxWriter_WriteFrame( joBoxWriter* writer, const float* boxes, joFileError* error )
{
    const joBoxWriterDef* def = &writer->def;
    if ( writer->framesWritten == def->frameCount )
    {
        return joFail( error, "has all its %u frames already", (unsigned)def->frameCount );
    }
    writer->framesWritten += 1;
    if ( def->format == jo_textBoxes )
    {
        return WriteTextFrame( writer, boxes, error );
    }
    // Broadmark's own reader wants the last frame twice.
    bool last = writer->framesWritten == def->frameCount;
    return WriteRecordedFrame( writer, boxes, error ) &&
           ( !last || WriteRecordedFrame( writer, boxes, error ) );
}

bool joBoxWriter_Finish( joBoxWriter* writer, joFileError* error )
{
    if ( writer->framesWritten != writer->def.frameCount )
    {
        return joFail( error, "only %u of %u frames were written", (unsigned)writer->framesWritten,
            (unsigned)writer->def.frameCount );
    }
    if ( gzflush( writer->file, Z_FINISH ) != Z_OK )
    {
        return FailWrite( writer, error );
    }
    int code = gzclose( writer->file );
    writer->file = NULL;
    if ( code != Z_OK )
    {
        return joFail( error, "cannot be written: %s", code == Z_ERRNO ? strerror( errno ) : "zlib failed" );
    }
    if ( writer->temporary != NULL )
    {
        if ( rename( writer->temporary, writer->target ) != 0 )
        {
            return joFail( error, "cannot be written: %s", strerror( errno ) );
        }
        free( writer->temporary );
        writer->temporary = NULL;
    }
    return true;
}

void joDestroyBoxWriter( joBoxWriter* writer )
{
    if ( writer == NULL )
    {
        return;
    }
    if ( writer->file != NULL )
    {
        gzclose( writer->file );
    }
    if ( writer->temporary != NULL )
    {
        unlink( writer->temporary );
    }
    free( writer->temporary );
    free( writer->target );
    free( writer );
}
