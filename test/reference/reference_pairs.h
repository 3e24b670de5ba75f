// SPDX-License-Identifier: MIT
// The oracle of the broad phase: which objects touch, found slowly and plainly, in double precision. Shares
// no code with the library, not even a header.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum refMotion
{
    ref_static = 0,
    ref_resting,
    ref_moving
} refMotion;

// A box, or (round) a circle or sphere. All numbers are floats widened to double.
typedef struct refObject
{
    bool round;
    double lower[3], upper[3]; // box only
    double center[3], radius;  // round only
    uint32_t key;
    uint64_t layer, mask;
    refMotion motion;
} refObject;

typedef struct refPair
{
    uint32_t a, b;
} refPair;

typedef struct refPairs
{
    refPair* data;
    size_t count, capacity;
} refPairs;

// Whether the shapes touch. Closed: touching counts.
bool refTouch( const refObject* a, const refObject* b, int axisCount );

// Whether layers and masks let them meet, and not both are static.
bool refMeet( const refObject* a, const refObject* b );

// All pairs by trying each; sorted by a, then b.
void refFindPairsByAll( const refObject* objects, size_t count, int axisCount, refPairs* pairs );

// The same by sorting on one axis, for scenes that are too large for the above. Tested against it.
void refFindPairsBySweep( const refObject* objects, size_t count, int axisCount, refPairs* pairs );

// One of the two by count.
void refFindPairs( const refObject* objects, size_t count, int axisCount, refPairs* pairs );

void refAddPair( refPairs* pairs, uint32_t a, uint32_t b );
void refSortPairs( refPairs* pairs );
void refFreePairs( refPairs* pairs );
