// SPDX-License-Identifier: MIT
// Lines of numbers: what the readers of texts share.
#pragma once

#include "byte_source.h"

#define JO_TEXT_LINE_CAPACITY 4096 // without comments

typedef struct joTextLine
{
    char text[JO_TEXT_LINE_CAPACITY]; // without the comment
    size_t length;
    uint64_t number; // from 1; 0 before the first one
} joTextLine;

typedef enum joNumberKind
{
    jo_numberGood,
    jo_numberText,   // not a number at all
    jo_numberNan,    // NaN in letters
    jo_numberBeyond, // outside of float
} joNumberKind;

bool joIsBlank( char c );

void joSkipByteOrderMark( joByteSource* source );

// The next line that says something. False at the end, or with *failed and *error set.
bool joReadTextLine( joByteSource* source, joTextLine* line, bool* failed, joFileError* error );

// A decimal number or an infinity. *value is set if it is good or beyond.
joNumberKind joParseFloat( const char* token, size_t length, float* value );
