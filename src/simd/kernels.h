// SPDX-License-Identifier: MIT
// The kernels: one body per family, compiled once per instruction set, reached through one table.
#pragma once

#include "bvh_nodes.h"
#include "placed_boxes.h"
#include "placed_polygons.h"
#include "placed_rounds.h"

// Kernels are large bodies that are inlined as a whole, with constant arguments.
#define JO_INLINE static inline __attribute__( ( always_inline ) )

// Quads of a record that are gathered together, at most.
#define JO_MAX_RECORD_QUADS 3

// Columns may be read up to this many elements past the end a kernel is given: allocate that much more.
#define JO_LANE_PADDING 16

// The two top bits of an index column say in which axes this entry stands in the first row of its box (see
// grid.c). A pair is emitted when the bits of both entries together are all set; structures without rows
// set both bits everywhere.
#define JO_OWNER_BITS 0xC0000000u
#define JO_INDEX_MASK 0x3FFFFFFFu

// Boxes as columns, in the order of a structure. 2D: lower[2] and upper[2] are not read.
typedef struct joBoxColumns
{
    float* lower[3];
    float* upper[3];
    uint32_t* index; // slot in the set, with owner bits
} joBoxColumns;

// Raw pairs as two columns. A kernel stops when fewer than JO_LANE_PADDING places are left, so capacity must
// be at least twice that; the arrays must have room for `capacity`.
typedef struct joRawPairs
{
    uint32_t* a;
    uint32_t* b;
    uint32_t count;
    uint32_t capacity;
} joRawPairs;

// For each i in [first, last) of a: test against j in [begin(i), end(i)) of b; emit ( a->index[i],
// b->index[j] ), owner bits included, for all that overlap on every axis (closed) and pass the owner test.
typedef struct joJoin
{
    const joBoxColumns* a;
    const joBoxColumns* b;
    uint32_t first, last;
    const uint32_t* ends; // end(i) = ends[i]; null: end(i) = end
    uint32_t end;
    const uint32_t* begins; // begin(i) = begins[i]; null: begin(i) = begin
    uint32_t begin;
    bool afterSelf; // begin(i) = i + 1, whatever begin and begins say
    // Where a call stopped because `out` was full; zero both before the first call. `j` 0 with `started`
    // false: at begin(i).
    uint32_t i, j;
    bool started;
} joJoin;

// A ray, or a box that is swept, as the kernels want it. On each axis the near side of a box is met at
// ( near bound - nearOrigin ) * inverse, the far one likewise; `inverse` is infinite on an axis along which
// the ray does not move.
typedef struct joRayLanes
{
    float nearOrigin[3];
    float farOrigin[3];
    float inverse[3];
    bool isBackward[3]; // the near bound is the upper one
} joRayLanes;

// One of many rays that are looked for together, as kernels want it: the origins of joRayLanes, its inverse,
// and its inverse shrunk (see below) for what is near. One line of the cache.
typedef struct joStreamRay
{
    float nearOrigin[3], farOrigin[3];
    float nearInverse[3], farInverse[3];
    float limit; // negative: nothing more is wanted
    uint32_t padding[3];
} joStreamRay;

// Rays that point the same way on each axis.
typedef struct joStreamRays
{
    joStreamRay* rays;
    bool isBackward[3];
} joStreamRays;

// Lower bounds of distances are made smaller by this, which is more than all roundings on the way to them
// together.
#define JO_DISTANCE_SHRINK ( 1.0f - 0x1p-20f )

// What boxes must pass, each known by its lower corner (see broad_phase/cell_filter.h). Its cell on an axis
// is the whole part of ( x - origin ) * inverse, from 0 to JO_SIEVE_LAST; that part of its bit's number that
// lies in `mask` is shifted by `shift`.
typedef struct joSieve
{
    float lower[3]; // what does not reach into these bounds does not pass
    float upper[3];
    float usual[3];        // what is longer on any axis passes, whatever its bit
    const uint32_t* words; // bits; null: only the bounds count
    float origin[3];
    float inverse[3];
    uint32_t mask[3];
    uint32_t shift[3];
} joSieve;

#define JO_SIEVE_LAST 0x1p30f

// Boxes as they lie in records: so many floats from one to the next; lower x y z, upper x y z first.
#define JO_RECORD_FLOATS 8

#define JO_SUPPORT_POINTS 256

typedef struct joKernels
{
    joIsa isa;
    uint32_t lanes;
    // Positions j in [begin, end) whose box overlaps `box` (lower x y z, upper x y z; closed) go to `out`,
    // ascending; returns how many. `out` needs room for end - begin + JO_LANE_PADDING. One for 2 and one for
    // 3 axes: [axisCount - 2].
    uint32_t ( *overlapRange[2] )(
        const joBoxColumns* columns, uint32_t begin, uint32_t end, const float box[6], uint32_t* out );
    // Likewise the boxes that a ray meets within `limit`; `distances` get how far it goes until then, or
    // less, never more. No box that is met is left out.
    uint32_t ( *rayRange[2] )( const joBoxColumns* columns, uint32_t begin, uint32_t end,
        const joRayLanes* ray, float limit, uint32_t* out, float* distances );
    // Likewise the boxes whose squared distance from a point is at most limitSq; `distancesSq` get that or
    // less. The empty box is at the distance infinity, which an infinite limit does not leave out.
    uint32_t ( *pointRange[2] )( const joBoxColumns* columns, uint32_t begin, uint32_t end,
        const float point[3], float limitSq, uint32_t* out, float* distancesSq );
    // Likewise the records that pass a sieve.
    uint32_t ( *sieve[2] )(
        const float* records, uint32_t begin, uint32_t end, const joSieve* sieve, uint32_t* out );
    // Go on with a search until a leaf has boxes that may be met, by the arithmetic of the ranges above:
    // their indices go to `found`, which needs room for JO_BVH_LEAF_SIZE; returns how many. 0: the search is
    // over. Of rays and points the nearer of two children of a node comes first, and what is beyond the
    // limit, which may have come nearer since the last call, is left out.
    uint32_t ( *searchOverlaps[2] )( joBvhSearch* search, const float box[6], uint32_t* found );
    uint32_t ( *searchRay[2] )( joBvhSearch* search, const joRayLanes* ray, float limit, uint32_t* found );
    uint32_t ( *searchPoint[2] )( joBvhSearch* search, const float point[3], float limitSq, uint32_t* found );
    // Which boxes of a node or leaf, those of unused lanes too, each of the `count` listed rays may meet
    // within its limit, as bits; returns the bits of all together.
    uint32_t ( *meetNode[2] )( const joBvhNode* node, const joStreamRays* stream, const uint32_t* list,
        uint32_t count, uint32_t* masks );
    uint32_t ( *meetLeaf[2] )( const joBvhLeaf* leaf, const joStreamRays* stream, const uint32_t* list,
        uint32_t count, uint32_t* masks );
    // Those of a list whose mask has the lane's bit go to `out`, in order; returns how many. Lists and masks
    // may be read, and `out` be written, JO_LANE_PADDING beyond their end.
    uint32_t ( *pickListed )(
        const uint32_t* list, const uint32_t* masks, uint32_t count, uint32_t lane, uint32_t* out );
    // Which of `count` pairs of boxes (at most JO_BOX_BLOCK) are not farther apart than `margin` (>= 0), as
    // bits, and how they touch. `manifolds` may be null; those that are apart have no meaningful ones.
    uint32_t ( *collideBoxes )( const joPlacedBoxes* boxes, const joPair* pairs, uint32_t count, float margin,
        const joBoxTolerance* tolerance, joBoxBlock* out, joBoxManifolds* manifolds );
    // Which of any number of pairs are not farther apart than `margin`, as bits, the first one in the lowest
    // bit of the first word; all words are written. `hits` are those that surely are not, `unsure` those of
    // which only collideBoxes can tell. Tables may differ in what they are sure of, but are never wrong.
    void ( *siftBoxes )( const joPlacedBoxes* boxes, const joPair* pairs, uint32_t count, float margin,
        uint64_t* hits, uint64_t* unsure );
    // As collideBoxes, of convex shapes in 2D, all with room for `vertexCount` vertices; pairs that are
    // unsure count as such.
    uint32_t ( *collidePolygons )( const joPlacedPolygon* const* a, const joPlacedPolygon* const* b,
        uint32_t count, uint32_t vertexCount, float margin, const joPolygonTolerance* tolerance,
        joPolygonBlock* out );
    // Likewise of round shapes, in rows that are joPlacedRound2 or joPlacedRound3: one for 2 and one for 3
    // axes; in 3D pairs whose cores cross count as such. Of dots there is another kernel. Without
    // `isDetailed` only these bits are told.
    uint32_t ( *collideRounds[2] )( const float* const* a, const float* const* b, uint32_t count,
        joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed,
        joRoundBlock* out );
    // The same where all shapes are dots, whose rows stand one after the other.
    uint32_t ( *collideDots[2] )( const float* rows, const joPair* pairs, uint32_t count, float margin,
        bool isDetailed, joRoundBlock* out );
    // Which of `count` points, at most JO_SUPPORT_POINTS, lies highest along a direction: x dx + y dy + z dz
    // in float, of equal ones the first. Columns are read up to the next multiple of JO_LANE_PADDING; there
    // stands the first point again.
    uint32_t ( *findHighest )(
        const float* x, const float* y, const float* z, uint32_t count, float dx, float dy, float dz );
    // Runs a join until it is done (true) or `out` is full (false: empty it and call again).
    bool ( *join[2] )( joJoin* join, joRawPairs* out );
    // As join, but only counts.
    uint64_t ( *countJoin[2] )( const joJoin* join );
} joKernels;

// The table of joGetIsa(). *result (may be null) gets jo_errorUnsupportedIsa if JOSTLE_ISA cannot be
// honoured.
const joKernels* joGetKernels( joResult* result );
// The table of one instruction set, null if this build or machine lacks it. For tests.
const joKernels* joGetKernelsOf( joIsa isa );
