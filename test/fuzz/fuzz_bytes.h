// SPDX-License-Identifier: MIT
// What a fuzzer's bytes mean: numbers that are often simple (so that shapes touch exactly, lie in line, and
// have no size) and sometimes anything a float can be.
#pragma once

#include "jostle/math.h"

typedef struct FuzzBytes
{
    const uint8_t* data;
    size_t size;
    size_t at;
} FuzzBytes;

// 0 when there are no more.
uint8_t takeByte( FuzzBytes* bytes );
float takeNumber( FuzzBytes* bytes );
// A number without its sign: what a size needs most of the time. NaN stays NaN.
float takeSize( FuzzBytes* bytes );
joVec2 takeVec2( FuzzBytes* bytes );
joVec3 takeVec3( FuzzBytes* bytes );
joTransform2 takeTransform2( FuzzBytes* bytes );
joTransform3 takeTransform3( FuzzBytes* bytes );
joRay takeRay( FuzzBytes* bytes );

// Takes misuse as what it is, and stops at any other assertion. To be called before the library is.
void watchAsserts( void );
// Stops the fuzzer with what was wrong, after `print` (may be null) has written the case.
void require( bool condition, const char* what );
void setCasePrinter( void ( *print )( const void* fuzzCase ), const void* fuzzCase );
// "name": [numbers], with enough digits to give the same floats again.
void printNumbers( const char* name, const float* numbers, int count );
// "points": [[numbers], ...], with `axisCount` numbers each.
void printPoints( const float* numbers, int axisCount, int count );
