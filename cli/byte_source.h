// SPDX-License-Identifier: MIT
// Bytes of a file, a gzip file or a piece of memory, one after the other.
#pragma once

#include "box_file.h"

#include <zlib.h>

#define JO_BYTE_SOURCE_BUFFER 65536

typedef struct joByteSource
{
    gzFile file;           // null: memory
    const uint8_t* memory; // what is left of it
    size_t memorySize;
    bool compressed;
    bool sizeKnown; // of a plain file and of memory; not of a pipe or what gzip will give
    uint64_t size;
    uint64_t position; // of the next byte
    bool atEnd;        // the buffer holds all that is left
    bool failed;       // *error is set
    joFileError* error;
    size_t begin, end; // what the buffer holds
    uint8_t buffer[JO_BYTE_SOURCE_BUFFER];
} joByteSource;

bool joByteSource_Open( joByteSource* source, const char* path, joFileError* error );
void joByteSource_OpenMemory( joByteSource* source, const void* data, size_t size, joFileError* error );
void joByteSource_Close( joByteSource* source );

// How many of the next bytes are in buffer[begin ...]: `wanted` (at most the buffer's size) or more, fewer
// only at the end or on a failure.
size_t joByteSource_Peek( joByteSource* source, size_t wanted );
// Takes up to `wanted` bytes, at most the buffer's size; points *bytes to them; returns how many.
size_t joByteSource_Take( joByteSource* source, size_t wanted, const uint8_t** bytes );

// The next byte; -1 at the end or on a failure.
int joByteSource_Next( joByteSource* source );

// Sets error->what as printf does, and the position. Return false.
bool joFail( joFileError* error, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
bool joFailAtLine( joFileError* error, uint64_t line, const char* format, ... )
    __attribute__( ( format( printf, 3, 4 ) ) );
bool joFailAtByte( joFileError* error, uint64_t byte, const char* format, ... )
    __attribute__( ( format( printf, 3, 4 ) ) );
