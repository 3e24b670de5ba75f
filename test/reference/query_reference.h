// SPDX-License-Identifier: MIT
// The oracle of queries: what each asks for, found by looking at every object, in double precision, from the
// definitions in jostle/query.h. Shares no code with the library, not even a header.
//
// What must be equal bit for bit: overlaps; rays and swept boxes against boxes; distances from a point. For a
// ray or a swept box against a circle or sphere the reference takes another way than the library (it walks
// along the convex distance function), and two ways of rounding are both right. There
// - the distance may be off by what a change of the radius by 2^-23 of the way or the radius (the larger one)
//   makes of it: a unit or two in the last place, unless the round is grazed;
// - whether it is met is undecided if a change of the radius by 1e-6 of the same would decide otherwise.
// To both is added what double loses of the coordinates, and a unit of the smallest floats. A ray along an
// axis is the exception: whether it meets has an exact answer then, and it is demanded.
#pragma once

#include "reference_pairs.h"

typedef enum refQueryKind
{
    ref_overlapBox = 0,
    ref_overlapCircle,
    ref_ray,
    ref_sweptBox,
    ref_nearest,
    ref_queryKindCount
} refQueryKind;

// All numbers are floats widened to double.
typedef struct refQuery
{
    refQueryKind kind;
    double lower[3], upper[3]; // the box; where a centre, an origin or a point is meant, both are that
    double radius;             // ref_overlapCircle
    double direction[3];       // ref_ray, ref_sweptBox
    double reach;              // ref_ray, ref_sweptBox: length; ref_nearest: greatest distance
    uint32_t k;                // ref_nearest
    uint64_t layer, mask;
    const uint32_t* ignoredKeys;
    uint32_t ignoredCount;
} refQuery;

// An object that is met, or may be.
typedef struct refHit
{
    uint32_t key;
    bool isSure;            // false: undecided
    float nearest, highest; // a distance from one to the other is right; the same where bits are demanded
} refHit;

typedef struct refHits
{
    refHit* data; // sorted by distance, then key
    size_t count, capacity;
    size_t undecidedCount;
} refHits;

// For ref_nearest the first k.
void refAsk( const refQuery* query, const refObject* objects, size_t count, int axisCount, refHits* hits );
void refFreeHits( refHits* hits );

// What is wrong with an answer.
typedef struct refFault
{
    const char* text; // null: nothing
    uint32_t key;     // of the object that it is about
} refFault;

// Of `keys` and `distances` (null: all are 0), which are `count`.
refFault refFindFault( const refHits* hits, const uint32_t* keys, const float* distances, size_t count );
