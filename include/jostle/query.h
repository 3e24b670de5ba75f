// SPDX-License-Identifier: MIT
// jostle queries: ask a broad phase what is at a place, along a way, or near a point.
//
// The same for every kind of broad phase:
// - queries change nothing and allocate nothing, and may run from many threads at once, but not beside a call
//   that changes the broad phase (it is then the caller's to keep them apart);
// - they are true at once after any change. What has changed since the structure was last brought up to date
//   (joBroadPhase_Update, FindPairs, CountPairs) is scanned by every query: O(changed), and O(n) after
//   joBroadPhase_SetBoxes or SetCircles, or when a quarter of the objects has changed. So update before many;
// - boxes are closed, circles and spheres exact: touching counts. Distances are computed in double, with the
//   direction made a unit vector, and rounded to the nearest float (at most FLT_MAX); a hit is one whose
//   rounded distance is at most the length asked for. What a way enters and leaves at one rounded distance it
//   meets;
// - results go into the caller's buffer in a fixed order: by distance, then by key; overlaps by key. Too
//   small a buffer gets the first ones in that order, and the count says how many there are;
// - all coordinates are world units. Of origins, directions and bounds 2D reads two elements, 3D three.
//
// Rays: one that starts inside a box, or on its surface, hits it at distance 0, whatever its direction. One
// of length 0 hits what its origin is in or on; its direction is not looked at. One along a face or an edge
// hits the box, and so does one that ends on a face. The length may be infinite.
//
// Expected cost, of n objects and r results: O(log n + r) for jo_bvh and jo_tree, O(n) for jo_bruteForce and
// jo_sweep; for jo_grid the rows of cells that the query covers.
#pragma once

#include "broad_phase.h"
#include "math.h"

JO_EXTERN_C_BEGIN

// Which objects a query meets: those with ( layer & object's mask ) != 0 and ( mask & object's layer ) != 0
// whose key is not ignored. A null filter meets all.
typedef struct joQueryFilter
{
    uint64_t layer;              // default all ones
    uint64_t mask;               // default all ones
    const uint32_t* ignoredKeys; // borrowed; keys that name nobody are allowed. Default null
    uint32_t ignoredCount;       // default 0; cost is O(ignoredCount) for each object met
} joQueryFilter;

// A box that moves along a straight way.
typedef struct joSweptBox
{
    float lower[3]; // where it starts; finite or -inf
    float upper[3]; // finite or +inf; >= lower
    float direction[3];
    float length;
} joSweptBox;

// An object met. Nothing met: key JO_NULL_INDEX, distance +inf (which no hit has).
typedef struct joHit
{
    uint32_t key;
    float distance;
} joHit;

JO_API joQueryFilter joDefaultQueryFilter( void );

// All calls below: `filter` may be null; `keys` or `hits` may be null with capacity 0; *count gets how many
// there are in all. After an error *count is 0, *isHit false, *hit that nothing is met, and nothing else has
// been written. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorInvertedBox (or one that is all at
// infinity on an axis), jo_errorBadRadius (negative or infinite, or an infinite centre or point),
// jo_errorBadRay (an infinite origin, a direction that is zero or infinite, a negative length).

// The keys of all objects that touch a box; a circle (2D) or sphere (3D). Ascending.
JO_API joResult joBroadPhase_OverlapBox( const joBroadPhase* broadPhase, const float* lower,
    const float* upper, const joQueryFilter* filter, uint32_t* keys, uint64_t capacity, uint64_t* count );
JO_API joResult joBroadPhase_OverlapCircle( const joBroadPhase* broadPhase, const float* center, float radius,
    const joQueryFilter* filter, uint32_t* keys, uint64_t capacity, uint64_t* count );

// The first object that a ray meets; of several at one distance, the one of the lowest key.
JO_API joResult joBroadPhase_CastRayClosest(
    const joBroadPhase* broadPhase, const joRay* ray, const joQueryFilter* filter, joHit* hit );
// Whether a ray meets anything: faster, for lines of sight.
JO_API joResult joBroadPhase_CastRayAny(
    const joBroadPhase* broadPhase, const joRay* ray, const joQueryFilter* filter, bool* isHit );
// All that a ray meets, sorted by distance, then by key.
JO_API joResult joBroadPhase_CastRayAll( const joBroadPhase* broadPhase, const joRay* ray,
    const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count );

// The same for a box that moves. The distance is how far it goes until it touches.
JO_API joResult joBroadPhase_CastBoxClosest(
    const joBroadPhase* broadPhase, const joSweptBox* box, const joQueryFilter* filter, joHit* hit );
JO_API joResult joBroadPhase_CastBoxAny(
    const joBroadPhase* broadPhase, const joSweptBox* box, const joQueryFilter* filter, bool* isHit );
JO_API joResult joBroadPhase_CastBoxAll( const joBroadPhase* broadPhase, const joSweptBox* box,
    const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count );

// The k objects nearest to a point and at most maxDistance (>= 0, +inf allowed; negative: jo_errorBadRadius)
// away, sorted by distance, then by key. The distance is 0 for an object that contains the point. *count gets
// min( k, how many there are ). k may be 0, or more than there are objects.
JO_API joResult joBroadPhase_FindNearest( const joBroadPhase* broadPhase, const float* point, uint32_t k,
    float maxDistance, const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count );

JO_EXTERN_C_END
