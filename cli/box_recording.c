// SPDX-License-Identifier: MIT
// Reader of Broadmark recordings.
#include "box_file_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_END ( JO_RECORDING_HEADER_SIZE + JO_RECORDING_BOX_SIZE )
#define OBJECTS_AT 256
#define FRAMES_AT 260
#define ZEROS_AT 264

static uint32_t DecodeWord( const uint8_t* bytes )
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float DecodeFloat( const uint8_t* bytes )
{
    uint32_t word = DecodeWord( bytes );
    float value;
    memcpy( &value, &word, sizeof value );
    return value;
}

// Box `what` (a printf'd phrase) at byte `at`. The fourth floats must be 0: Broadmark's own reader wants
// that, and it shows early that bytes are not boxes.
static bool DecodeBox( const uint8_t* bytes, uint64_t at, const char* what, float* box, joFileError* error )
{
    for ( int i = 0; i < 3; ++i )
    {
        box[i] = DecodeFloat( bytes + 4 * i );
        box[3 + i] = DecodeFloat( bytes + 16 + 4 * i );
    }
    int member;
    char fault[160];
    if ( joFindBoxFault( box, 3, &member, fault, sizeof fault ) )
    {
        uint64_t offset = (uint64_t)( member < 3 ? 4 * member : 4 * member + 4 );
        return joFailAtByte( error, at + offset, "%s: %s", what, fault );
    }
    for ( int side = 0; side < 2; ++side )
    {
        float fourth = DecodeFloat( bytes + 16 * side + 12 );
        if ( fourth != 0.0f )
        {
            return joFailAtByte( error, at + (uint64_t)( 16 * side + 12 ),
                "%s: the fourth number of its %s corner is not 0", what, side == 0 ? "lower" : "upper" );
        }
    }
    return true;
}

static void DescribeBox( uint64_t box, uint32_t count, char* text, size_t capacity )
{
    snprintf( text, capacity, "box %" PRIu64 " of frame %" PRIu64, box % count, box / count );
}

static bool FailAtSize( joFileError* error, const joBoxFile* file, uint64_t at, const char* what )
{
    return joFailAtByte( error, at,
        "%s: the header says %" PRIu32 " boxes and %" PRIu32
        " frames, so it must hold %d bytes and then %d a box, "
        "of %" PRIu32 " frames or of %" PRIu64,
        what, file->count, file->frameCount, WORLD_END, JO_RECORDING_BOX_SIZE, file->frameCount,
        (uint64_t)file->frameCount + 1 );
}

// Whether a file of this known size holds exactly the frames, or one frame more. The counts are not trusted:
// their product with the size of a box may be above 64 bits.
static bool CheckSize( const joByteSource* source, const joBoxFile* file, joFileError* error )
{
    uint64_t frameBoxes = file->count;
    uint64_t boxes = frameBoxes * file->frameCount; // < 2^62
    uint64_t have = source->size < WORLD_END ? 0 : ( source->size - WORLD_END ) / JO_RECORDING_BOX_SIZE;
    bool whole = source->size >= WORLD_END && ( source->size - WORLD_END ) % JO_RECORDING_BOX_SIZE == 0;
    if ( whole && ( have == boxes || have == boxes + frameBoxes ) )
    {
        return true;
    }
    if ( have < boxes )
    {
        return FailAtSize( error, file, source->size, "the recording is truncated, it ends here" );
    }
    uint64_t end = WORLD_END + boxes * JO_RECORDING_BOX_SIZE;
    if ( have < boxes + frameBoxes )
    {
        return FailAtSize( error, file, end, "the recording is oversized or its extra frame is truncated" );
    }
    end += frameBoxes * JO_RECORDING_BOX_SIZE;
    return FailAtSize( error, file, end, "the recording is oversized, it goes on after its end here" );
}

static bool ReadHeader( joByteSource* source, joBoxFile* file, joFileError* error )
{
    const uint8_t* bytes;
    size_t got = joByteSource_Take( source, WORLD_END, &bytes );
    if ( source->failed )
    {
        return false;
    }
    if ( got < JO_RECORDING_HEADER_SIZE )
    {
        return joFailAtByte( error, got,
            "not text (it has a zero byte), and too short for a recording, which begins "
            "with %d bytes of header",
            WORLD_END );
    }
    memcpy( file->name, bytes, JO_RECORDING_TEXT_SIZE );
    memcpy( file->objectType, bytes + JO_RECORDING_TEXT_SIZE, JO_RECORDING_TEXT_SIZE );
    for ( uint32_t at = ZEROS_AT; at < JO_RECORDING_HEADER_SIZE; at += 4 )
    {
        if ( DecodeWord( bytes + at ) != 0 )
        {
            return joFailAtByte( error, at,
                "neither text (it has a zero byte) nor a recording (this word of its "
                "header is not 0)" );
        }
    }
    file->count = DecodeWord( bytes + OBJECTS_AT );
    file->frameCount = DecodeWord( bytes + FRAMES_AT );
    if ( file->count == 0 || file->count > INT32_MAX )
    {
        return joFailAtByte( error, OBJECTS_AT,
            "the header says %" PRId32 " boxes; there must be at least one", (int32_t)file->count );
    }
    if ( file->frameCount == 0 || file->frameCount > INT32_MAX )
    {
        return joFailAtByte( error, FRAMES_AT,
            "the header says %" PRId32 " frames; there must be at least one", (int32_t)file->frameCount );
    }
    if ( source->sizeKnown && !CheckSize( source, file, error ) )
    {
        return false;
    }
    if ( got < WORLD_END )
    {
        return FailAtSize( error, file, got, "the recording is truncated, it ends here" );
    }
    return DecodeBox(
        bytes + JO_RECORDING_HEADER_SIZE, JO_RECORDING_HEADER_SIZE, "the world box", file->world, error );
}

// Reads `count` boxes, the first of which is number `first`; keeps those below `keep`. *flat is cleared by a
// box with a z that is not 0. *whole: all were there.
static bool ReadBoxes( joByteSource* source, joBoxFile* file, uint64_t first, uint64_t count, uint64_t keep,
    uint64_t* capacity, bool* flat, bool* whole, joFileError* error )
{
    *whole = false;
    for ( uint64_t i = first; i < first + count; ++i )
    {
        uint64_t at = source->position;
        const uint8_t* bytes;
        size_t got = joByteSource_Take( source, JO_RECORDING_BOX_SIZE, &bytes );
        if ( source->failed )
        {
            return false;
        }
        if ( got < JO_RECORDING_BOX_SIZE )
        {
            return true;
        }
        float box[JO_BOX_FLOATS];
        if ( !DecodeBox( bytes, at, "", box, error ) )
        {
            char what[80];
            DescribeBox( i, file->count, what, sizeof what );
            return DecodeBox( bytes, at, what, box, error );
        }
        *flat = *flat && box[2] == 0.0f && box[5] == 0.0f;
        if ( i < keep )
        {
            if ( !joGrowBoxes( file, i, keep, capacity ) )
            {
                return joFailAtByte( error, at, "no memory for more than %" PRIu64 " boxes", i );
            }
            memcpy( file->boxes + (size_t)i * JO_BOX_FLOATS, box, sizeof box );
        }
    }
    *whole = true;
    return true;
}

bool joReadBoxRecording( joByteSource* source, uint32_t maxFrames, joBoxFile* file, joFileError* error )
{
    file->format = jo_recordedBoxes;
    if ( !ReadHeader( source, file, error ) )
    {
        return false;
    }
    file->keptFrames = maxFrames == 0 || maxFrames > file->frameCount ? file->frameCount : maxFrames;
    uint64_t boxes = (uint64_t)file->count * file->frameCount;
    uint64_t keep = (uint64_t)file->count * file->keptFrames;
    uint64_t capacity = 0;
    bool flat = true;
    bool whole;
    if ( !ReadBoxes( source, file, 0, boxes, keep, &capacity, &flat, &whole, error ) )
    {
        return false;
    }
    uint64_t end = source->position;
    if ( !whole )
    {
        return FailAtSize( error, file, end, "the recording is truncated, it ends here" );
    }
    if ( joByteSource_Peek( source, 1 ) > 0 )
    {
        if ( !ReadBoxes( source, file, boxes, file->count, keep, &capacity, &flat, &whole, error ) )
        {
            return false;
        }
        if ( !whole )
        {
            return FailAtSize(
                error, file, end, "the recording is oversized or its extra frame is truncated" );
        }
        if ( joByteSource_Peek( source, 1 ) > 0 )
        {
            return FailAtSize(
                error, file, source->position, "the recording is oversized, it goes on after its end here" );
        }
    }
    if ( source->failed )
    {
        return false;
    }
    file->dimension = flat ? 2 : 3;
    return true;
}
