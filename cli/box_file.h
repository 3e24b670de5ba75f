// SPDX-License-Identifier: MIT
// Files of boxes: text, and the binary recordings of Broadmark (Serpa and Rodrigues, "Broadmark: A Testing
// Framework for Broad-Phase Collision Detection Algorithms", 2019). Either may be compressed with gzip.
//
// Text: a box a line, 4 numbers (2D) or 6 (3D), lower then upper, between blanks or commas; lines that are
// empty or begin with # say nothing, and so does what follows a # in a line; the first line may be a header
// without numbers.
// "-inf" is allowed as a lower bound and "inf" as an upper one.
//
// Recording, little-endian: 128 bytes name, 128 bytes object type, int32 objects, int32 frames, two int32
// zeros, the world box, then the frames' boxes; each box lower x y z 0, upper x y z 0 as float32. After the
// world box stand objects * frames boxes or objects * ( frames + 1 ): Broadmark's own reader wants the
// latter, so the last frame is written twice. A recording whose z are all 0 is 2D.
//
// A file is what it holds, whatever its name: a zero byte in the first 272 makes it a recording.
#pragma once

#include "box_array.h"

#define JO_RECORDING_TEXT_SIZE 128
#define JO_RECORDING_HEADER_SIZE 272 // without the world box
#define JO_RECORDING_BOX_SIZE 32

// What is wrong with a file, and where.
typedef struct joFileError
{
    uint64_t line; // of a text, from 1; 0: none
    bool hasByte;
    uint64_t byte; // of a recording, from 0; of a compressed file: after decompression
    char what[400];
} joFileError;

// PATH:LINE: what, PATH: byte BYTE: what, or PATH: what, without a newline. Returns what snprintf does.
int joFileError_Format( const joFileError* error, const char* path, char* text, size_t capacity );

typedef enum joBoxFormat
{
    jo_textBoxes = 0,
    jo_recordedBoxes
} joBoxFormat;

typedef struct joBoxFile
{
    joBoxFormat format;
    bool compressed;
    int dimension;                               // 2 or 3
    uint32_t count;                              // boxes a frame, > 0
    uint32_t frameCount;                         // frames in the file, > 0; text: 1
    uint32_t keptFrames;                         // frames in memory, the first ones
    float* boxes;                                // keptFrames * count boxes of JO_BOX_FLOATS, see box_array.h
    float world[JO_BOX_FLOATS];                  // recordings: as the header says; text: zero
    char name[JO_RECORDING_TEXT_SIZE + 1];       // recordings; text: empty
    char objectType[JO_RECORDING_TEXT_SIZE + 1]; // recordings; text: empty
} joBoxFile;

// Reads and checks the whole file and keeps the first maxFrames frames (0: all). Memory is asked for only as
// far as the file has shown to have the boxes for it. False: *error says why, and *file is empty (free it or
// not).
bool joLoadBoxFile( const char* path, uint32_t maxFrames, joBoxFile* file, joFileError* error );
// The same of a file that is in memory, not compressed.
bool joLoadBoxMemory(
    const void* data, size_t size, uint32_t maxFrames, joBoxFile* file, joFileError* error );
void joFreeBoxFile( joBoxFile* file );
// frame < keptFrames.
const float* joBoxFile_GetFrame( const joBoxFile* file, uint32_t frame );

typedef struct joBoxWriterDef
{
    joBoxFormat format;
    int dimension;
    uint32_t count;             // boxes a frame; recordings: at most INT32_MAX
    uint32_t frameCount;        // text: 1; recordings: 1 .. INT32_MAX
    float world[JO_BOX_FLOATS]; // recordings
    const char* name;           // recordings: at most 127 bytes are written; text: a comment. May be null
    const char* objectType;     // the same
} joBoxWriterDef;

typedef struct joBoxWriter joBoxWriter;

// jo_recordedBoxes if the name ends in .bin or .broadmark, each perhaps followed by .gz; else jo_textBoxes.
joBoxFormat joBoxFormatOfName( const char* path );

// Writes into a temporary file beside `path`, which takes its place when all is written: on any error `path`
// is as it was before and nothing is left behind. Compresses if the name ends in .gz. "-" is the standard
// output; it and devices are written to directly. Null: *error says why.
joBoxWriter* joCreateBoxWriter( const char* path, const joBoxWriterDef* def, joFileError* error );
// Exactly def.frameCount times. False: *error says why; the writer can only be destroyed.
bool joBoxWriter_WriteFrame( joBoxWriter* writer, const float* boxes, joFileError* error );
// Completes the file. False: *error says why. The writer must be destroyed either way.
bool joBoxWriter_Finish( joBoxWriter* writer, joFileError* error );
// A file that was not finished is removed. Null is allowed.
void joDestroyBoxWriter( joBoxWriter* writer );
