// SPDX-License-Identifier: MIT
// A sample of boxes, and what it tells of all of them: where they are, how large, how close together. What is
// derived from it (the grid's parameters, the kind that jo_auto chooses) changes the speed, never the answer.
// The same boxes in the same slots give the same sample on every machine.
#pragma once

#include "structure.h"

#define JO_SAMPLE_MAX 512

typedef struct joBoxSample
{
    uint32_t count;
    uint32_t liveCount;             // boxes of the sets it was taken of
    float center[3][JO_SAMPLE_MAX]; // infinite ones as 0
    float extent[3][JO_SAMPLE_MAX]; // infinite ones as FLT_MAX
} joBoxSample;

// How close together boxes are: as many as `neighbours` have, on average, their centres within `reach` of a
// box's on each axis, itself not counted.
typedef struct joNearness
{
    float reach;
    double neighbours;
} joNearness;

// Of all sets together, each by its share: some hundred boxes, by number; none if all sets are empty.
void joBoxSample_Take( joBoxSample* sample, const joBoxSet* sets, uint32_t setCount, uint32_t axisCount );

// How far the boxes spread on an axis: nine tenths of them, scaled up; outliers do not count. The sample must
// not be empty; so below.
float joBoxSample_Spread( const joBoxSample* sample, uint32_t axis );

// The median of the boxes' longest extents.
float joBoxSample_MedianExtent( const joBoxSample* sample, uint32_t axisCount );

// `unit`: the reach to begin with is twice this; it is widened until there are enough neighbours to count, or
// it is `widest`.
joNearness joBoxSample_FindNearness(
    const joBoxSample* sample, uint32_t axisCount, float unit, float widest );
