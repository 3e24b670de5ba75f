// SPDX-License-Identifier: MIT
// Files of boxes that are written: what is in them, and that an error leaves all as it was.
#define _XOPEN_SOURCE 700 // symlink
#include "box_file.h"
#include "jostle/math.h"
#include "reference/temporary_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t seed = 1;

// Boxes of all sorts of floats, each with another mantissa.
static void makeBoxes( float* boxes, uint32_t count, int dimension )
{
    joRandom random = joMakeRandom( seed );
    memset( boxes, 0, count * JO_BOX_FLOATS * sizeof( float ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( int axis = 0; axis < dimension; ++axis )
        {
            float ends[2];
            for ( int side = 0; side < 2; ++side )
            {
                uint32_t word = joRandom_Next( &random );
                word = ( word & 0x7F800000u ) == 0x7F800000u ? word & 0xFF7FFFFFu : word;
                memcpy( &ends[side], &word, 4 );
            }
            float* box = boxes + i * JO_BOX_FLOATS;
            box[axis] = ends[0] < ends[1] ? ends[0] : ends[1];
            box[3 + axis] = ends[0] < ends[1] ? ends[1] : ends[0];
        }
    }
    boxes[0] = -INFINITY;
    boxes[3] = INFINITY;
}

static void writeBoxes( const char* path, joBoxWriterDef def, const float* boxes )
{
    joFileError error;
    joBoxWriter* writer = joCreateBoxWriter( path, &def, &error );
    assert_non_null( writer );
    for ( uint32_t frame = 0; frame < def.frameCount; ++frame )
    {
        assert_true( joBoxWriter_WriteFrame( writer, boxes + frame * def.count * JO_BOX_FLOATS, &error ) );
    }
    assert_true( joBoxWriter_Finish( writer, &error ) );
    joDestroyBoxWriter( writer );
}

#define COUNT 1500 // above a block of the writer

static void whatIsWrittenIsReadBackToTheBit( void** state )
{
    (void)state;
    tempClear();
    static float boxes[3 * COUNT * JO_BOX_FLOATS];
    static const char* const names[] = { "a.txt", "a.txt.gz", "a.bin", "a.bin.gz", "a.broadmark" };
    for ( int round = 0; round < 10; ++round )
    {
        const char* path = tempPath( names[round / 2] );
        int dimension = 2 + round % 2;
        makeBoxes( boxes, 3 * COUNT, dimension );
        joBoxWriterDef def = { .format = joBoxFormatOfName( path ),
            .dimension = dimension,
            .count = COUNT,
            .name = "the name",
            .objectType = "things",
            .world = { 1, 2, 3, 4, 5, 6 } };
        assert_int_equal( def.format, round < 4 ? jo_textBoxes : jo_recordedBoxes );
        def.frameCount = round < 4 ? 1 : 3;
        writeBoxes( path, def, boxes );
        joBoxFile file;
        joFileError error;
        assert_true( joLoadBoxFile( path, 0, &file, &error ) );
        assert_int_equal( file.format, def.format );
        assert_int_equal( file.compressed, strstr( path, ".gz" ) != NULL );
        assert_int_equal( file.dimension, dimension );
        assert_int_equal( file.count, COUNT );
        assert_int_equal( file.frameCount, def.frameCount );
        assert_memory_equal( file.boxes, boxes, def.frameCount * COUNT * JO_BOX_FLOATS * sizeof( float ) );
        assert_string_equal( file.name, round < 4 ? "" : "the name" );
        assert_string_equal( file.objectType, round < 4 ? "" : "things" );
        joFreeBoxFile( &file );
    }
    assert_int_equal( tempCountFiles(), 5 );
}

// A box of size 1 at (x, 0, 0), as little-endian float32 with a zero after each corner.
static void putBox( uint8_t* bytes, float x )
{
    const float floats[8] = { x, 0.0f, 0.0f, 0.0f, x + 1.0f, 1.0f, 1.0f, 0.0f };
    for ( int i = 0; i < 8; ++i )
    {
        uint32_t word;
        memcpy( &word, &floats[i], sizeof word );
        for ( int k = 0; k < 4; ++k )
        {
            bytes[4 * i + k] = (uint8_t)( word >> ( 8 * k ) );
        }
    }
}

static void recordingsAreLaidOutAsBroadmarkWantsThem( void** state )
{
    (void)state;
    // name, type, counts, zeros, the world, two frames, and the last frame again
    uint8_t expected[304 + 3 * 3 * 32] = { 0 };
    memcpy( expected, "scene", 5 );
    memcpy( expected + 128, "cubes", 5 );
    expected[256] = 3;
    expected[260] = 2;
    putBox( expected + 272, -5.0f );
    for ( uint32_t i = 0; i < 9; ++i )
    {
        putBox( expected + 304 + 32 * i, (float)( 10 * ( i % 3 ) + ( i < 3 ? 0 : 1 ) ) );
    }
    joBoxWriterDef def = { .format = jo_recordedBoxes,
        .dimension = 3,
        .count = 3,
        .frameCount = 2,
        .name = "scene",
        .objectType = "cubes",
        .world = { -5, 0, 0, -4, 1, 1 } };
    float boxes[6 * JO_BOX_FLOATS];
    for ( uint32_t i = 0; i < 6; ++i )
    {
        float x = (float)( 10 * ( i % 3 ) + i / 3 );
        const float box[JO_BOX_FLOATS] = { x, 0, 0, x + 1, 1, 1 };
        memcpy( boxes + i * JO_BOX_FLOATS, box, sizeof box );
    }
    writeBoxes( tempPath( "layout.bin" ), def, boxes );
    size_t size;
    uint8_t* bytes = tempRead( tempPath( "layout.bin" ), &size );
    assert_int_equal( size, sizeof expected );
    assert_memory_equal( bytes, expected, size );
    free( bytes );
    // A long name is cut so that its field still ends in a zero.
    char name[200];
    memset( name, 'n', sizeof name );
    name[199] = '\0';
    def.name = name;
    writeBoxes( tempPath( "layout.bin" ), def, boxes );
    joBoxFile file;
    joFileError error;
    assert_true( joLoadBoxFile( tempPath( "layout.bin" ), 0, &file, &error ) );
    assert_int_equal( strlen( file.name ), 127 );
    assert_string_equal( file.objectType, "cubes" );
    joFreeBoxFile( &file );
}

static void writingThatIsNotFinishedLeavesAllAsItWas( void** state )
{
    (void)state;
    tempClear();
    const char* path = tempPath( "kept.txt" );
    tempWrite( path, "1 2 3 4\n", 8 );
    const float box[JO_BOX_FLOATS] = { 0 };
    joBoxWriterDef def = { .format = jo_recordedBoxes, .dimension = 3, .count = 1, .frameCount = 2 };
    joFileError error;
    for ( int written = 0; written < 2; ++written )
    {
        joBoxWriter* writer = joCreateBoxWriter( path, &def, &error );
        assert_non_null( writer );
        assert_int_equal( tempCountFiles(), 2 );
        if ( written > 0 )
        {
            assert_true( joBoxWriter_WriteFrame( writer, box, &error ) );
        }
        assert_false( joBoxWriter_Finish( writer, &error ) );
        joDestroyBoxWriter( writer );
        size_t size;
        uint8_t* bytes = tempRead( path, &size );
        assert_int_equal( size, 8 );
        assert_memory_equal( bytes, "1 2 3 4\n", 8 );
        free( bytes );
        assert_int_equal( tempCountFiles(), 1 );
    }
    joDestroyBoxWriter( NULL );
}

static void frameTooManyIsRefused( void** state )
{
    (void)state;
    const float box[JO_BOX_FLOATS] = { 0 };
    joBoxWriterDef def = { .format = jo_textBoxes, .dimension = 3, .count = 1, .frameCount = 1 };
    joFileError error;
    joBoxWriter* writer = joCreateBoxWriter( tempPath( "one.txt" ), &def, &error );
    assert_non_null( writer );
    assert_true( joBoxWriter_WriteFrame( writer, box, &error ) );
    assert_false( joBoxWriter_WriteFrame( writer, box, &error ) );
    joDestroyBoxWriter( writer );
    def.frameCount = 2;
    assert_null( joCreateBoxWriter( tempPath( "one.txt" ), &def, &error ) );
    def.frameCount = 1;
    def.count = 0;
    assert_null( joCreateBoxWriter( tempPath( "one.txt" ), &def, &error ) );
}

static void placesThatCannotBeWrittenAreNamed( void** state )
{
    (void)state;
    tempClear();
    joBoxWriterDef def = { .format = jo_textBoxes, .dimension = 3, .count = 1, .frameCount = 1 };
    joFileError error;
    assert_null( joCreateBoxWriter( tempPath( "absent/a.txt" ), &def, &error ) );
    assert_non_null( strstr( error.what, "No such file" ) );
    assert_null( joCreateBoxWriter( tempFolder(), &def, &error ) );
    assert_non_null( strstr( error.what, "directory" ) );
    assert_int_equal( tempCountFiles(), 0 );
}

static void fullDisksAreSeen( void** state )
{
    (void)state;
    if ( access( "/dev/full", W_OK ) != 0 )
    {
        skip();
    }
    static float boxes[COUNT * JO_BOX_FLOATS];
    for ( int format = 0; format < 2; ++format )
    {
        // A few boxes fit into the buffer: the failure comes when it is emptied.
        for ( uint32_t count = 1; count <= COUNT; count += COUNT - 1 )
        {
            joBoxWriterDef def = {
                .format = (joBoxFormat)format, .dimension = 3, .count = count, .frameCount = 1 };
            joFileError error = { 0 };
            joBoxWriter* writer = joCreateBoxWriter( "/dev/full", &def, &error );
            assert_non_null( writer );
            bool written =
                joBoxWriter_WriteFrame( writer, boxes, &error ) && joBoxWriter_Finish( writer, &error );
            assert_false( written );
            assert_non_null( strstr( error.what, "No space left" ) );
            joDestroyBoxWriter( writer );
        }
    }
    struct stat status;
    assert_int_equal( stat( "/dev/full", &status ), 0 );
    assert_true( S_ISCHR( status.st_mode ) ); // written to, not replaced
}

static void linksStayAndModesAreKept( void** state )
{
    (void)state;
    tempClear();
    tempWrite( tempPath( "real.txt" ), "x", 1 );
    assert_int_equal( chmod( tempPath( "real.txt" ), 0640 ), 0 );
    assert_int_equal( symlink( "real.txt", tempPath( "link.txt" ) ), 0 );
    const float box[JO_BOX_FLOATS] = { 0 };
    joBoxWriterDef def = { .format = jo_textBoxes, .dimension = 2, .count = 1, .frameCount = 1 };
    writeBoxes( tempPath( "link.txt" ), def, box );
    struct stat status;
    assert_int_equal( lstat( tempPath( "link.txt" ), &status ), 0 );
    assert_true( S_ISLNK( status.st_mode ) );
    assert_int_equal( lstat( tempPath( "real.txt" ), &status ), 0 );
    assert_int_equal( status.st_mode & 0777, 0640 );
    assert_true( status.st_size > 1 );
    mode_t mask = umask( 022 );
    writeBoxes( tempPath( "new.txt" ), def, box );
    umask( mask );
    assert_int_equal( stat( tempPath( "new.txt" ), &status ), 0 );
    assert_int_equal( status.st_mode & 0777, 0644 );
    assert_int_equal( tempCountFiles(), 3 );
}

static void brokenGzipIsRefused( void** state )
{
    (void)state;
    static float boxes[COUNT * JO_BOX_FLOATS];
    makeBoxes( boxes, COUNT, 3 );
    for ( int format = 0; format < 2; ++format )
    {
        joBoxWriterDef def = {
            .format = (joBoxFormat)format, .dimension = 3, .count = COUNT, .frameCount = 1 };
        writeBoxes( tempPath( "whole.gz" ), def, boxes );
        size_t size;
        uint8_t* bytes = tempRead( tempPath( "whole.gz" ), &size );
        assert_true( size > 1000 );
        joBoxFile file;
        joFileError error;
        for ( size_t cut = 2; cut < size; cut += cut < 40 || cut > size - 20 ? 1 : size / 20 )
        {
            tempWrite( tempPath( "cut.gz" ), bytes, cut );
            assert_false( joLoadBoxFile( tempPath( "cut.gz" ), 0, &file, &error ) );
            assert_non_null( strstr( error.what, "gzip" ) );
        }
        bytes[size / 2] ^= 0x55;
        tempWrite( tempPath( "cut.gz" ), bytes, size );
        assert_false( joLoadBoxFile( tempPath( "cut.gz" ), 0, &file, &error ) );
        free( bytes );
    }
}

static void namesSayTheFormat( void** state )
{
    (void)state;
    assert_int_equal( joBoxFormatOfName( "a.bin" ), jo_recordedBoxes );
    assert_int_equal( joBoxFormatOfName( "x/a.broadmark" ), jo_recordedBoxes );
    assert_int_equal( joBoxFormatOfName( "a.bin.gz" ), jo_recordedBoxes );
    assert_int_equal( joBoxFormatOfName( "a.txt" ), jo_textBoxes );
    assert_int_equal( joBoxFormatOfName( "a.txt.gz" ), jo_textBoxes );
    assert_int_equal( joBoxFormatOfName( "bin" ), jo_textBoxes );
    assert_int_equal( joBoxFormatOfName( "" ), jo_textBoxes );
}

int main( int argc, char** argv )
{
    if ( argc > 1 )
    {
        seed = strtoull( argv[1], NULL, 10 );
    }
    printf( "seed %llu\n", (unsigned long long)seed );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( whatIsWrittenIsReadBackToTheBit ),
        cmocka_unit_test( recordingsAreLaidOutAsBroadmarkWantsThem ),
        cmocka_unit_test( writingThatIsNotFinishedLeavesAllAsItWas ),
        cmocka_unit_test( frameTooManyIsRefused ),
        cmocka_unit_test( placesThatCannotBeWrittenAreNamed ),
        cmocka_unit_test( fullDisksAreSeen ),
        cmocka_unit_test( linksStayAndModesAreKept ),
        cmocka_unit_test( brokenGzipIsRefused ),
        cmocka_unit_test( namesSayTheFormat ),
    };
    return cmocka_run_group_tests( tests, tempMakeFolder, tempRemoveFolder );
}
