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

// Pairs of sampled boxes by the distance of their centres, on the axis on which it is largest: bin i holds
// those of less than 2^( i - 126 ), but not of less than half of that.
#define JO_DISTANCE_BINS 256
typedef struct joBoxDistances
{
    uint32_t pairs[JO_DISTANCE_BINS];
    uint32_t sampleCount;
    double share; // boxes that each sampled one stands for
} joBoxDistances;

// Of all sets together, each by its share: some hundred boxes, by number; none if all sets are empty.
void joBoxSample_Take( joBoxSample* sample, const joBoxSet* sets, uint32_t setCount, uint32_t axisCount );

// How far the boxes spread on an axis: nine tenths of them, scaled up; outliers do not count. The sample must
// not be empty; so below.
float joBoxSample_Spread( const joBoxSample* sample, uint32_t axis );

// The median of the boxes' longest extents.
float joBoxSample_MedianExtent( const joBoxSample* sample, uint32_t axisCount );

// O(count^2).
void joBoxSample_MeasureDistances( const joBoxSample* sample, uint32_t axisCount, joBoxDistances* distances );

// The smallest power of two that is at least `least` and within which there are enough pairs to count on, or
// all that there are.
joNearness joBoxDistances_FindNearness( const joBoxDistances* distances, float least );
