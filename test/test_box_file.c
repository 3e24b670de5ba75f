// SPDX-License-Identifier: MIT
// Files of boxes: what is read, what is refused and where.
#include "box_file.h"
#include "jostle/math.h"
#include "reference/temporary_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

static uint64_t seed = 1;
static joBoxFile loadText( const char* text )
{
    joBoxFile file;
    joFileError error;
    if ( !joLoadBoxMemory( text, strlen( text ), 0, &file, &error ) )
    {
        fail_msg( "refused: line %d: %s", (int)error.line, error.what );
    }
    assert_int_equal( file.format, jo_textBoxes );
    assert_int_equal( file.frameCount, 1 );
    assert_int_equal( file.keptFrames, 1 );
    return file;
}

static void assertBox(
    const joBoxFile* file, uint64_t index, float lx, float ly, float lz, float ux, float uy, float uz )
{
    const float expected[JO_BOX_FLOATS] = { lx, ly, lz, ux, uy, uz };
    assert_memory_equal( file->boxes + index * JO_BOX_FLOATS, expected, sizeof expected );
}

static void textMayHaveBlanksCommasCommentsAndAHeader( void** state )
{
    (void)state;
    static const char* const texts[] = {
        "1 2 3 4 5 6\n-1 0 0.5 1e1 7 8\n",
        "1,2,3,4,5,6\n-1,0,0.5,1e1,7,8",
        "lower_x lower_y lower_z upper_x upper_y upper_z\n1 2 3 4 5 6\n-1 0 0.5 1e1 7 8\n",
        "\xEF\xBB\xBFx1,y1,z1,x2,y2,z2\r\n1, 2, 3, 4, 5, 6\r\n-1 , 0 , 0.5 , 1e1 , 7 , 8\r\n",
        "# boxes\n\n   \t\n  #\nmin max\n\t1\t2 3, 4 5 6  # first\n#1 2 3\n-1 0 +0.5 10 7 8.\n\n",
        "#\n 1 2 3 4 5 6 #\n# 1,,2\n-1.0e0 -0e5 .5 1E+1 7 8 # nan",
    };
    for ( size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i )
    {
        joBoxFile file = loadText( texts[i] );
        assert_int_equal( file.dimension, 3 );
        assert_int_equal( file.count, 2 );
        assertBox( &file, 0, 1, 2, 3, 4, 5, 6 );
        assert_true( file.boxes[6] == -1.0f && file.boxes[7] == 0.0f && file.boxes[8] == 0.5f );
        assert_true( file.boxes[9] == 10.0f && file.boxes[10] == 7.0f && file.boxes[11] == 8.0f );
        joFreeBoxFile( &file );
    }
}

static void fourNumbersAreABoxInTwoDimensionsWithoutDepth( void** state )
{
    (void)state;
    joBoxFile file = loadText( "1 2 3 4\n5,6,7,8\n" );
    assert_int_equal( file.dimension, 2 );
    assert_int_equal( file.count, 2 );
    assertBox( &file, 0, 1, 2, 0, 3, 4, 0 );
    assertBox( &file, 1, 5, 6, 0, 7, 8, 0 );
    joFreeBoxFile( &file );
}

static void infiniteBoundsAreAllowedOutwards( void** state )
{
    (void)state;
    joBoxFile file = loadText( "-inf 2 3 inf +INF Infinity\n-Infinity -inf -inf 0 0 0\n" );
    assertBox( &file, 0, -INFINITY, 2, 3, INFINITY, INFINITY, INFINITY );
    assertBox( &file, 1, -INFINITY, -INFINITY, -INFINITY, 0, 0, 0 );
    joFreeBoxFile( &file );
}

static void boxesOfNoSizeAndHugeOnesAreAllowed( void** state )
{
    (void)state;
    joBoxFile file = loadText( "-3.4028234e38 1 2 3.4028234e38 1 2\n0 0 0 1e-45 1e-60 0\n" );
    assert_true( file.boxes[0] == -3.4028234e38f && file.boxes[3] == 3.4028234e38f );
    assert_true( file.boxes[9] > 0.0f && file.boxes[10] == 0.0f );
    joFreeBoxFile( &file );
}

typedef struct BadText
{
    const char* text;
    uint64_t line;
    const char* what;
} BadText;

static void badTextIsRefusedWithItsLine( void** state )
{
    (void)state;
    static const BadText bad[] = {
        { "", 0, "empty" },
        { "\n# nothing\n", 3, "without a box" },
        { "x y z u v w\n", 2, "without a box" },
        { "1 2 3 4 5\n", 1, "5 columns" },
        { "# a\n\n7\n", 3, "1 columns" },
        { "1 2 3 4 5 6 7\n", 1, "7 columns" },
        { "1 2 3 4\n\n5 6 7 8 9 10\n", 3, "6 columns, but the boxes of this file have 4, as in line 1" },
        { "#\n1 2 3 4 5 6\n1 2 3 4\n", 3, "have 6, as in line 2" },
        { "1 2 3 4\n1 2 x 4\n", 2, "column 3: \"x\" is not a number" },
        { "1 2 3 4\nlow low up up\n", 2, "column 1: \"low\" is not a number" },
        { "a b c d\ne f g h\n1 2 3 4\n", 2, "column 1: \"e\"" },
        { "1 2 3 4 5 z\n", 1, "column 6: \"z\" is not a number" },
        { "1 2 3 0x10\n", 1, "\"0x10\" is not a number" },
        { "1 2 3 4e\n", 1, "\"4e\" is not a number" },
        { "1 2 3 4;\n", 1, "\"4;\" is not a number" },
        { "1 2 3 --4\n", 1, "\"--4\" is not a number" },
        { "1 2 nan 4\n", 1, "column 3: \"nan\" is not a number (NaN)" },
        { "NaN NaN NaN NaN\n", 1, "column 1: \"NaN\" is not a number (NaN)" },
        { "1 2 3 -nan\n", 1, "(NaN)" },
        { "1 2 nan(3) 4\n", 1, "\"nan(3)\" is not a number" },
        { "1 2 1e39 4\n", 1, "column 3: \"1e39\" is beyond the range of float" },
        { "-1e999 2 3 4\n", 1, "column 1: \"-1e999\" is beyond" },
        { "1 2 0 4\n", 1, "lower x 1 is above upper x 0" },
        { "0 0 0 1 1 1\n0 0 5 1 1 4.5\n", 2, "lower z 5 is above upper z 4.5 (box 1)" },
        { "inf 0 inf 1\n", 1, "lower x is +inf" },
        { "0 -inf 1 -inf\n", 1, "upper y is -inf" },
        { "1,,2,3,4\n", 1, "column 2 is empty" },
        { ",1,2,3,4\n", 1, "column 1 is empty" },
        { "1,2,3,4,\n", 1, "column 5 is empty" },
        { "1 2 3 4\n , \n", 2, "column 1 is empty" },
    };
    for ( size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i )
    {
        joBoxFile file;
        joFileError error;
        assert_false( joLoadBoxMemory( bad[i].text, strlen( bad[i].text ), 0, &file, &error ) );
        if ( error.line != bad[i].line || error.hasByte || strstr( error.what, bad[i].what ) == NULL )
        {
            fail_msg( "%s: line %d: %s", bad[i].text, (int)error.line, error.what );
        }
        assert_null( file.boxes );
    }
}

static void longLinesAndLongTokensAreRefused( void** state )
{
    (void)state;
    char text[20000];
    memset( text, ' ', sizeof text );
    memcpy( text + 10000, "1 2 3 4\n", 8 );
    joBoxFile file;
    joFileError error;
    assert_false( joLoadBoxMemory( text, 10008, 0, &file, &error ) );
    assert_int_equal( error.line, 1 );
    assert_non_null( strstr( error.what, "longer than" ) );
    // But a comment may be of any length.
    memcpy( text, "1 2 3 4 #", 9 );
    memset( text + 10000, 'c', 9000 );
    assert_true( joLoadBoxMemory( text, 19000, 0, &file, &error ) );
    assert_int_equal( file.count, 1 );
    joFreeBoxFile( &file );
    memset( text, '1', 500 );
    memcpy( text + 500, " 2 3 4\n", 7 );
    assert_false( joLoadBoxMemory( text, 507, 0, &file, &error ) );
    assert_int_equal( error.line, 1 );
    assert_non_null( strstr( error.what, "1111...\" is not a number" ) );
}

// A recording of `boxes` boxes in a row from (0, 0, z) on, each of size 1; box k of frame f is moved by f.
typedef struct Recording
{
    uint8_t bytes[8192];
    size_t size;
} Recording;

static void putWord( Recording* recording, uint32_t word )
{
    for ( int i = 0; i < 4; ++i )
    {
        recording->bytes[recording->size++] = (uint8_t)( word >> ( 8 * i ) );
    }
}

static void putFloat( Recording* recording, float value )
{
    uint32_t word;
    memcpy( &word, &value, sizeof word );
    putWord( recording, word );
}

static void putBox( Recording* recording, float x, float depth )
{
    const float floats[8] = { x, 0.0f, 0.0f, 0.0f, x + 1.0f, 1.0f, depth, 0.0f };
    for ( int i = 0; i < 8; ++i )
    {
        putFloat( recording, floats[i] );
    }
}

static Recording makeRecording( uint32_t count, uint32_t frames, uint32_t framesThere, float depth )
{
    Recording recording = { .size = 256 };
    memcpy( recording.bytes, "scene", 5 );
    memcpy( recording.bytes + 128, "cubes", 5 );
    putWord( &recording, count );
    putWord( &recording, frames );
    putWord( &recording, 0 );
    putWord( &recording, 0 );
    putBox( &recording, -5.0f, depth );
    for ( uint32_t f = 0; f < framesThere; ++f )
    {
        for ( uint32_t k = 0; k < count; ++k )
        {
            putBox( &recording, (float)( 10 * k + f ), depth );
        }
    }
    return recording;
}

static void recordingsWithAndWithoutTheLastFrameTwiceAreRead( void** state )
{
    (void)state;
    for ( uint32_t extra = 0; extra < 2; ++extra )
    {
        Recording recording = makeRecording( 3, 4, 4 + extra, 1.0f );
        joBoxFile file;
        joFileError error;
        assert_true( joLoadBoxMemory( recording.bytes, recording.size, 0, &file, &error ) );
        assert_int_equal( file.format, jo_recordedBoxes );
        assert_int_equal( file.dimension, 3 );
        assert_int_equal( file.count, 3 );
        assert_int_equal( file.frameCount, 4 );
        assert_int_equal( file.keptFrames, 4 );
        assert_string_equal( file.name, "scene" );
        assert_string_equal( file.objectType, "cubes" );
        assert_true( file.world[0] == -5.0f && file.world[3] == -4.0f );
        for ( uint32_t f = 0; f < 4; ++f )
        {
            assert_ptr_equal( joBoxFile_GetFrame( &file, f ), file.boxes + f * 3 * JO_BOX_FLOATS );
            for ( uint32_t k = 0; k < 3; ++k )
            {
                float x = (float)( 10 * k + f );
                assertBox( &file, f * 3 + k, x, 0, 0, x + 1, 1, 1 );
            }
        }
        joFreeBoxFile( &file );
        // Only the first frames: the others are still checked.
        assert_true( joLoadBoxMemory( recording.bytes, recording.size, 2, &file, &error ) );
        assert_int_equal( file.frameCount, 4 );
        assert_int_equal( file.keptFrames, 2 );
        assertBox( &file, 5, 21, 0, 0, 22, 1, 1 );
        joFreeBoxFile( &file );
        recording.bytes[304 + 32 * 11 + 3] = 0x7F; // NaN or huge
        assert_false( joLoadBoxMemory( recording.bytes, recording.size, 2, &file, &error ) );
    }
}

static void recordingsWithoutDepthAreTwoDimensional( void** state )
{
    (void)state;
    Recording recording = makeRecording( 2, 2, 3, 0.0f );
    joBoxFile file;
    joFileError error;
    assert_true( joLoadBoxMemory( recording.bytes, recording.size, 0, &file, &error ) );
    assert_int_equal( file.dimension, 2 );
    joFreeBoxFile( &file );
    // One box with a depth makes it three-dimensional.
    float depth = 2.0f;
    memcpy( recording.bytes + 304 + 32 * 3 + 24, &depth, 4 );
    assert_true( joLoadBoxMemory( recording.bytes, recording.size, 0, &file, &error ) );
    assert_int_equal( file.dimension, 3 );
    joFreeBoxFile( &file );
}

static void assertRefused( const Recording* recording, size_t size, uint64_t byte, const char* what )
{
    joBoxFile file;
    joFileError error = { 0 };
    assert_false( joLoadBoxMemory( recording->bytes, size, 0, &file, &error ) );
    if ( !error.hasByte || error.byte != byte || error.line != 0 || strstr( error.what, what ) == NULL )
    {
        fail_msg( "byte %d (wanted %d): %s (wanted %s)", (int)error.byte, (int)byte, error.what, what );
    }
    assert_null( file.boxes );
    // The same when the size is not known before, as of a gzip file.
    const char* path = tempPath( "bad.gz" );
    gzFile gz = gzopen( path, "wb" );
    assert_non_null( gz );
    assert_int_equal( gzwrite( gz, recording->bytes, (unsigned)size ), size );
    assert_int_equal( gzclose( gz ), Z_OK );
    memset( &error, 0, sizeof error );
    assert_false( joLoadBoxFile( path, 0, &file, &error ) );
    if ( !error.hasByte || error.byte != byte || strstr( error.what, what ) == NULL )
    {
        fail_msg( "gzip: byte %d (wanted %d): %s (wanted %s)", (int)error.byte, (int)byte, error.what, what );
    }
    assert_null( file.boxes );
}

static void setWord( Recording* recording, size_t at, uint32_t word )
{
    size_t size = recording->size;
    recording->size = at;
    putWord( recording, word );
    recording->size = size;
}

static void setFloat( Recording* recording, size_t at, float value )
{
    memcpy( recording->bytes + at, &value, 4 );
}

static void badBoxesOfRecordingsAreRefusedWithTheirByte( void** state )
{
    (void)state;
    const Recording good = makeRecording( 3, 4, 5, 1.0f );
    const size_t box7 = 304 + 32 * 7;
    Recording bad = good;
    setFloat( &bad, box7 + 4, NAN );
    assertRefused( &bad, bad.size, box7 + 4, "box 1 of frame 2: lower y is not a number" );
    bad = good;
    setFloat( &bad, box7 + 24, NAN );
    assertRefused( &bad, bad.size, box7 + 24, "upper z is not a number" );
    bad = good;
    setFloat( &bad, box7, 1000.0f );
    assertRefused( &bad, bad.size, box7, "lower x 1000 is above upper x 13" );
    bad = good;
    setFloat( &bad, box7 + 12, 1.0f );
    assertRefused( &bad, bad.size, box7 + 12, "box 1 of frame 2: the fourth number of its lower corner" );
    bad = good;
    setFloat( &bad, box7 + 28, NAN );
    assertRefused( &bad, bad.size, box7 + 28, "fourth number of its upper corner" );
    bad = good;
    setFloat( &bad, 304 + 32 * 14, 1000.0f ); // in the frame that stands twice
    assertRefused( &bad, bad.size, 304 + 32 * 14, "box 2 of frame 4" );
    bad = good;
    setFloat( &bad, 272 + 8, NAN );
    assertRefused( &bad, bad.size, 280, "the world box: lower z" );
    bad = good;
    setFloat( &bad, box7 + 16, INFINITY );
    joBoxFile file;
    joFileError error;
    assert_true( joLoadBoxMemory( bad.bytes, bad.size, 0, &file, &error ) );
    joFreeBoxFile( &file );
}

static void badHeadersAreRefusedWithTheirByte( void** state )
{
    (void)state;
    const Recording good = makeRecording( 3, 4, 5, 1.0f );
    Recording bad = good;
    setWord( &bad, 256, 0 );
    assertRefused( &bad, bad.size, 256, "0 boxes" );
    setWord( &bad, 256, UINT32_MAX );
    assertRefused( &bad, bad.size, 256, "-1 boxes" );
    bad = good;
    setWord( &bad, 260, 0 );
    assertRefused( &bad, bad.size, 260, "0 frames" );
    setWord( &bad, 260, 0x80000000u );
    assertRefused( &bad, bad.size, 260, "-2147483648 frames" );
    bad = good;
    setWord( &bad, 264, 1 );
    assertRefused( &bad, bad.size, 264, "neither text" );
    bad = good;
    setWord( &bad, 268, 256 );
    assertRefused( &bad, bad.size, 268, "neither text" );
}

static void everyOtherLengthIsRefused( void** state )
{
    (void)state;
    const Recording good = makeRecording( 3, 2, 4, 1.0f ); // one frame more than may be
    const size_t two = 304 + 32 * 6, three = two + 32 * 3;
    joBoxFile file;
    joFileError error;
    for ( size_t size = 6; size <= good.size; ++size )
    {
        if ( size == two || size == three )
        {
            assert_true( joLoadBoxMemory( good.bytes, size, 0, &file, &error ) );
            joFreeBoxFile( &file );
        }
        else if ( size < 272 )
        {
            assertRefused( &good, size, size, "too short for a recording" );
        }
        else if ( size < two )
        {
            assertRefused( &good, size, size, "truncated" );
        }
        else
        {
            assertRefused( &good, size, size < three ? two : three, "oversized" );
        }
    }
}

static void hugeCountsAreRefusedWithoutAskingForTheirMemory( void** state )
{
    (void)state;
    Recording bad = makeRecording( 3, 2, 3, 1.0f );
    setWord( &bad, 256, INT32_MAX );
    setWord( &bad, 260, INT32_MAX );
    assertRefused( &bad, bad.size, bad.size, "truncated" );
    // 2^31 boxes of 2^28 frames are 2^64 bytes: a 64-bit product of them is a small number.
    setWord( &bad, 256, 0x40000000u );
    setWord( &bad, 260, 0x20000000u );
    assertRefused( &bad, bad.size, bad.size, "truncated" );
    setWord( &bad, 260, 1 );
    assertRefused( &bad, bad.size, bad.size, "truncated" );
}

static void garbageIsRefusedOrGivesGoodBoxes( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    static const char text[] = "# c\nx y z u v w\n1 2 3 4 5 6\n1,2,3,4,5,6\n-inf 0 0 inf 1e3 1\n";
    const Recording recording = makeRecording( 3, 2, 3, 1.0f );
    for ( int round = 0; round < 20000; ++round )
    {
        Recording bad = recording;
        if ( round % 2 == 0 )
        {
            bad.size = sizeof text - 1;
            memcpy( bad.bytes, text, bad.size );
        }
        uint32_t changes = 1 + joRandom_Below( &random, 6 );
        for ( uint32_t i = 0; i < changes; ++i )
        {
            uint32_t begin = round % 4 == 1 ? 256 : 0;
            uint32_t at = begin + joRandom_Below( &random, (uint32_t)bad.size - begin );
            static const char letters[] = "0123456789+-.,eEinfa# \t\n\r\"x";
            bool letter = round % 2 == 0 && joRandom_Below( &random, 8 ) != 0;
            uint32_t byte = letter ? (uint32_t)letters[joRandom_Below( &random, sizeof letters - 1 )]
                                   : joRandom_Next( &random ) >> 24;
            bad.bytes[at] = (uint8_t)byte;
        }
        joBoxFile file;
        joFileError error;
        if ( !joLoadBoxMemory( bad.bytes, bad.size, 0, &file, &error ) )
        {
            assert_true( error.what[0] != '\0' );
            continue;
        }
        for ( uint64_t i = 0; i < (uint64_t)file.count * file.keptFrames; ++i )
        {
            const float* box = file.boxes + i * JO_BOX_FLOATS;
            assert_true( box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5] );
        }
        joFreeBoxFile( &file );
    }
}

static void filesThatCannotBeReadAreNamed( void** state )
{
    (void)state;
    joBoxFile file;
    joFileError error;
    assert_false( joLoadBoxFile( tempPath( "absent" ), 0, &file, &error ) );
    assert_non_null( strstr( error.what, "No such file" ) );
    assert_false( joLoadBoxFile( tempFolder(), 0, &file, &error ) );
    assert_non_null( strstr( error.what, "directory" ) );
    tempWrite( tempPath( "empty" ), "", 0 );
    assert_false( joLoadBoxFile( tempPath( "empty" ), 0, &file, &error ) );
    assert_string_equal( error.what, "is empty" );

    char text[200];
    joFileError_Format( &error, "a/b", text, sizeof text );
    assert_string_equal( text, "a/b: is empty" );
    error.line = 12;
    joFileError_Format( &error, "a/b", text, sizeof text );
    assert_string_equal( text, "a/b:12: is empty" );
    error.line = 0;
    error.hasByte = true;
    joFileError_Format( &error, "a/b", text, sizeof text );
    assert_string_equal( text, "a/b: byte 0: is empty" );
}

int main( int argc, char** argv )
{
    if ( argc > 1 )
    {
        seed = strtoull( argv[1], NULL, 10 );
    }
    printf( "seed %llu\n", (unsigned long long)seed );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( textMayHaveBlanksCommasCommentsAndAHeader ),
        cmocka_unit_test( fourNumbersAreABoxInTwoDimensionsWithoutDepth ),
        cmocka_unit_test( infiniteBoundsAreAllowedOutwards ),
        cmocka_unit_test( boxesOfNoSizeAndHugeOnesAreAllowed ),
        cmocka_unit_test( badTextIsRefusedWithItsLine ),
        cmocka_unit_test( longLinesAndLongTokensAreRefused ),
        cmocka_unit_test( recordingsWithAndWithoutTheLastFrameTwiceAreRead ),
        cmocka_unit_test( recordingsWithoutDepthAreTwoDimensional ),
        cmocka_unit_test( badBoxesOfRecordingsAreRefusedWithTheirByte ),
        cmocka_unit_test( badHeadersAreRefusedWithTheirByte ),
        cmocka_unit_test( everyOtherLengthIsRefused ),
        cmocka_unit_test( hugeCountsAreRefusedWithoutAskingForTheirMemory ),
        cmocka_unit_test( garbageIsRefusedOrGivesGoodBoxes ),
        cmocka_unit_test( filesThatCannotBeReadAreNamed ),
    };
    return cmocka_run_group_tests( tests, tempMakeFolder, tempRemoveFolder );
}
