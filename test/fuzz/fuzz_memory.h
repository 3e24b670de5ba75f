// SPDX-License-Identifier: MIT
// Blocks of the library's: an allocator that may fail, and copies with spoilt bytes, as from a broken file.
#pragma once

#include "fuzz_bytes.h"

#include "jostle/base.h"

typedef struct FuzzMemory
{
    int calls; // before one fails; negative: none does
    int live;  // blocks that were not given back
} FuzzMemory;

FuzzMemory takeMemory( FuzzBytes* bytes );
joAllocator allocatorOf( FuzzMemory* memory );

// A copy of a block in which up to three bytes are others; seldom cut to *size. To be given to free().
void* takeSpoiltCopy( FuzzBytes* bytes, const void* block, size_t* size );
