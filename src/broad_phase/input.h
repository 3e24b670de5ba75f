// SPDX-License-Identifier: MIT
// Reads the caller's columns: checks every element before anything is written.
#pragma once

#include "object_set.h"

// Boxes or circles of a call, whichever pointer is not null.
typedef struct joInput
{
    const joBoxes* boxes;
    const joCircles* circles;
    uint32_t count;
    uint32_t axisCount;
    joColumn key, layer, mask;
    bool hasFilters;
} joInput;

// Exactly one of boxes and circles is not null. jo_errorNullArgument if a needed column is absent,
// jo_errorBadCount.
joResult joMakeInput( joInput* input, const joBoxes* boxes, const joCircles* circles, uint32_t axisCount );

// The first bad element, over all workers; jo_success and JO_NULL_INDEX if there is none.
joResult joCheckInput( const joInput* input, joJobs* jobs, uint32_t* errorIndex );

uint32_t joInput_Key( const joInput* input, uint32_t i );

// Whether all of elements [begin, end) are good.
bool joInput_AreGood( const joInput* input, uint32_t begin, uint32_t end );

// Object i with its key, and with `flags`. Filters absent: all ones.
void joInput_Read( const joInput* input, uint32_t i, uint32_t flags, joObject* object );

// Reads all elements into slots 0 .. count - 1 of arrays, in parallel; rounds and filters may be null.
void joInput_ReadAll( const joInput* input, joJobs* jobs, uint32_t flags, joBoxRecord* records,
    joRound* rounds, joFilter* filters );
