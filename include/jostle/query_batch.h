// SPDX-License-Identifier: MIT
// jostle query batches: many queries of one sort in one call, over threads.
//
// The answers are those of the single calls of query.h, bit for bit, in the caller's order of queries,
// whatever the number of threads. A batch is faster than its queries one by one: it takes those together that
// start near each other (along the curve of G. M. Morton, "A Computer Oriented Geodetic Data Base", 1966), so
// that what one has loaded serves the next; and rays for the first hit, or any, go down the tree of jo_bvh
// many at a time (after John A. Tsakok, "Faster Incoherent Rays: Multi-BVH Ray Stream Tracing", 2009).
//
// A joQueryBatch holds scratch memory and the last results. It changes nothing in a broad phase, so several
// threads may ask one broad phase at the same time, each through a batch of its own (with joJobs of its own,
// or none). One thread at a time per batch.
//
// Queries are columns, as all massive input is; `count` elements in each column present, 2D ignores z. Each
// may have
// - layer, mask (uint64_t; absent: all ones): which objects it meets, as in joQueryFilter;
// - an ignored key (uint32_t; absent: none): the object of this key it does not meet, such as the shooter.
#pragma once

#include "query.h"

JO_EXTERN_C_BEGIN

typedef struct joQueryBatchDef
{
    // Room made at create, so that batches of up to so many queries, with up to so many results in all, never
    // allocate. Default 0. A query takes 20 bytes, a result 16 to 32 and 8 more for each worker; beside that
    // a worker takes 16 bytes for each of the first 262,144 queries, and 100 KiB.
    uint32_t queryReserve;
    uint64_t resultReserve;
    // true: growth beyond the reserves fails with jo_errorCapacity. Default false.
    bool fixedCapacity;
    // Null (default): one thread. Borrowed: must outlive the batch. Need not be the broad phase's.
    joJobs* jobs;
    joAllocator allocator;
    // Set by joDefaultQueryBatchDef.
    uint32_t internalCookie;
} joQueryBatchDef;

// Rays. Numbers are as in joRay.
typedef struct joRays
{
    joColumn originX, originY, originZ;
    joColumn directionX, directionY, directionZ;
    joColumn length; // absent: infinite
    joColumn layer, mask, ignoredKey;
    uint32_t count;
} joRays;

// Boxes that move. Numbers are as in joSweptBox.
typedef struct joSweptBoxes
{
    joColumn lowerX, lowerY, lowerZ, upperX, upperY, upperZ;
    joColumn directionX, directionY, directionZ;
    joColumn length; // absent: infinite
    joColumn layer, mask, ignoredKey;
    uint32_t count;
} joSweptBoxes;

// Points, whose nearest objects are wanted.
typedef struct joQueryPoints
{
    joColumn x, y, z;
    joColumn k;           // uint32_t: how many are wanted
    joColumn maxDistance; // float, >= 0; absent: infinite
    joColumn layer, mask, ignoredKey;
    uint32_t count;
} joQueryPoints;

typedef struct joQueryBatch joQueryBatch;

JO_API joQueryBatchDef joDefaultQueryBatchDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorOutOfMemory. The def is copied.
JO_API joResult joCreateQueryBatch( const joQueryBatchDef* def, joQueryBatch** batch );

// Null is allowed.
JO_API void joDestroyQueryBatch( joQueryBatch* batch );

// All calls below: the expected cost is that of the single queries and O(count). All numbers are checked
// before the first query is answered. Errors are those of the single call, and jo_errorBadCount (count above
// 2^30 - 1), jo_errorNullArgument (a column that is needed is absent), jo_errorOutOfMemory, jo_errorCapacity.
// `errorIndex` may be null; on an error that a query causes it gets the index of the first bad one, on any
// other JO_NULL_INDEX. On any error nothing has been written to the caller's arrays. The batch keeps the last
// results, but for jo_errorOutOfMemory and jo_errorCapacity, after which it has none.
//
// Calls with one answer a query fill arrays of `count` elements. Those with lists:
// - `offsets` (null allowed) gets count + 1 numbers: the results of query i are those from offsets[i] on to
//   before offsets[i + 1], in the order of the single call;
// - `keys` or `hits` (null allowed with capacity 0) gets the first ones, up to `capacity`, and *resultCount
//   how many there are in all, of all queries;
// - all of them are kept in the batch until its next call of this sort: GetKeys, GetHits and the views give
//   them without asking again.

// The keys of all objects that touch boxes; circles (2D) or spheres (3D). `key`: the ignored keys.
JO_API joResult joQueryBatch_OverlapBoxes( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joBoxes* boxes, uint64_t* offsets, uint32_t* keys, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex );
JO_API joResult joQueryBatch_OverlapCircles( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joCircles* circles, uint64_t* offsets, uint32_t* keys, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex );

// The first object that each ray meets; of nothing met see joHit. hits[count].
JO_API joResult joQueryBatch_CastRaysClosest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joRays* rays, joHit* hits, uint32_t* errorIndex );
// Whether each ray meets anything. areHits[count].
JO_API joResult joQueryBatch_CastRaysAny( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joRays* rays, bool* areHits, uint32_t* errorIndex );
// All that each ray meets.
JO_API joResult joQueryBatch_CastRaysAll( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joRays* rays, uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex );

// The same for boxes that move.
JO_API joResult joQueryBatch_CastBoxesClosest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, joHit* hits, uint32_t* errorIndex );
JO_API joResult joQueryBatch_CastBoxesAny( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, bool* areHits, uint32_t* errorIndex );
JO_API joResult joQueryBatch_CastBoxesAll( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joSweptBoxes* boxes, uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex );

// The k objects nearest to each point, at most maxDistance away.
JO_API joResult joQueryBatch_FindNearest( joQueryBatch* batch, const joBroadPhase* broadPhase,
    const joQueryPoints* points, uint64_t* offsets, joHit* hits, uint64_t capacity, uint64_t* resultCount,
    uint32_t* errorIndex );

// Copies results [first, first + capacity) of the last call; *copied gets how many. 0 if its results were of
// the other sort, or not lists. O(copied + log count). Errors: jo_errorNullArgument.
JO_API joResult joQueryBatch_GetKeys(
    const joQueryBatch* batch, uint64_t first, uint32_t* keys, uint64_t capacity, uint64_t* copied );
JO_API joResult joQueryBatch_GetHits(
    const joQueryBatch* batch, uint64_t first, joHit* hits, uint64_t capacity, uint64_t* copied );

// The offsets of the last call: queryCount + 1 of them. Null, and 0 queries, if its results were not lists.
// Valid until the next call.
JO_API const uint64_t* joQueryBatch_ViewOffsets( const joQueryBatch* batch, uint32_t* queryCount );

// All results of the last call in one piece, valid until the next. The first view after a call puts them
// together, O(results); null, with the count, if there is no memory for that. Null and 0 if its results were
// of the other sort, or not lists.
JO_API const uint32_t* joQueryBatch_ViewKeys( joQueryBatch* batch, uint64_t* resultCount );
JO_API const joHit* joQueryBatch_ViewHits( joQueryBatch* batch, uint64_t* resultCount );

JO_EXTERN_C_END
