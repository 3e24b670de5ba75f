// SPDX-License-Identifier: MIT
// Shared by the readers of box files.
#pragma once

#include "byte_source.h"

// Reads the rest of the source into *file. False: error set; what *file has is freed by the caller.
bool joReadBoxText( joByteSource* source, joBoxFile* file, joFileError* error );
bool joReadBoxRecording( joByteSource* source, uint32_t maxFrames, joBoxFile* file, joFileError* error );

// What is wrong with a box, as a phrase such as "lower x is NaN"; `member` gets which of the 6 floats it is.
// False if nothing is.
bool joFindBoxFault( const float* box, int axisCount, int* member, char* text, size_t capacity );

// Makes room for another box in file->boxes, which has room for *capacity and holds `used`; never for more
// than `limit`. False: out of memory, and the array is as before.
bool joGrowBoxes( joBoxFile* file, uint64_t used, uint64_t limit, uint64_t* capacity );
