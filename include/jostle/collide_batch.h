// SPDX-License-Identifier: MIT
// jostle collide batch: how the pairs of a list touch, many at a time and over threads.
//
// Shapes and poses are columns; a pair is two indices into them, as a broad phase gives it. SetShapes takes
// what has moved, once a frame: it checks every shape and pose, and places boxes in the world, so that a pair
// costs no more than what is its own. Then lists of pairs are asked, as many as are wanted.
//
// The answers are those of the single calls of collide_3d.h, bit for bit, whatever the order of the pairs,
// the number of threads and the instruction set. Pairs of boxes, and of spheres and capsules, run in SIMD; a
// list of mixed kinds is sorted by kinds of pairs, some thousand at a time. Lists sorted by a, as a broad
// phase gives them, find their shapes in the cache.
//
// A joCollideBatch holds scratch memory and no answers. One thread at a time per batch.
#pragma once

#include "collide_2d.h"
#include "collide_3d.h"
#include "jobs.h"

JO_EXTERN_C_BEGIN

typedef struct joCollideBatchDef
{
    // Room made at create, so that so many shapes and pairs never allocate. Default 0. A shape takes 136
    // bytes, a pair a fifth of one.
    uint32_t shapeReserve;
    uint32_t pairReserve;
    // The same for shapes and pairs in 2D. Room is made for the largest shapes: 328 bytes each; a pair takes
    // a fifth of one.
    uint32_t shapeReserve2;
    uint32_t pairReserve2;
    // true: growth beyond the reserves fails with jo_errorCapacity. Default false.
    bool fixedCapacity;
    // Null (default): one thread. Borrowed: must outlive the batch.
    joJobs* jobs;
    joAllocator allocator;
    // Set by joDefaultCollideBatchDef.
    uint32_t internalCookie;
} joCollideBatchDef;

// `count` elements in both columns. A stride of 0 gives all bodies one shape.
typedef struct joPlacedShapes3
{
    joColumn shape; // joShape3
    joColumn pose;  // joTransform3
    uint32_t count;
} joPlacedShapes3;

typedef struct joCollideBatch joCollideBatch;

JO_API joCollideBatchDef joDefaultCollideBatchDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorOutOfMemory, jo_errorUnsupportedIsa. The def is
// copied.
JO_API joResult joCreateCollideBatch( const joCollideBatchDef* def, joCollideBatch** batch );

// Null is allowed.
JO_API void joDestroyCollideBatch( joCollideBatch* batch );

// The shapes that pairs name from now on. Their memory is borrowed until the next call, or the batch's end,
// and must not change until then. O(count). Errors: jo_errorNullArgument; those of joCheckShape3 and
// joCheckTransform3, with the index of the first bad one in *errorIndex (null allowed; JO_NULL_INDEX on any
// other error); jo_errorOutOfMemory, jo_errorCapacity. After an error the batch has the shapes that it had.
JO_API joResult joCollideBatch_SetShapes3(
    joCollideBatch* batch, const joPlacedShapes3* shapes, uint32_t* errorIndex );

// Calls below: O(pairCount); all pairs are checked before the first is answered.
// - `hitBits` gets one bit a pair, the first one in the lowest bit: ( pairCount + 63 ) / 64 words, all
// written.
// - *hitCount gets how many pairs touch.
// Errors: jo_errorNullArgument; jo_errorBadCount (pairCount above 2^32 - 1); jo_errorUnknownKey (an index is
// not below the count of shapes) and jo_errorNoSuchPair, with the number of the first bad pair in *errorIndex
// (null allowed); jo_errorNotANumber, jo_errorBadRadius (of the margin); jo_errorOutOfMemory,
// jo_errorCapacity. After an error nothing has been written but *hitCount, which is 0, and *errorIndex.

// Which pairs touch, as joOverlap3 says.
JO_API joResult joCollideBatch_Overlap3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex );

// Which pairs touch, or come as near as `margin`, along which normal and how deep: pairCount normals and
// depths, those of joCollide3, zero where they do not. `hitBits` may be null.
JO_API joResult joCollideBatch_FindDepths3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint64_t* hitBits, joVec3* normals, float* depths, uint64_t* hitCount,
    uint32_t* errorIndex );

// The manifolds of the pairs that touch, or come as near as `margin`, in the order of the list: manifolds[k]
// is that of pairs[hitPairs[k]]. The first ones, up to `capacity`, are found and written; *hitCount gets how
// many there are in all. With capacity 0 both arrays may be null.
JO_API joResult joCollideBatch_Collide3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint32_t* hitPairs, joManifold3* manifolds, uint64_t capacity, uint64_t* hitCount,
    uint32_t* errorIndex );

// The same in 2D; a batch may have shapes of both, beside each other. All pairs run in SIMD, those of one
// kind or of about as many vertices side by side.
typedef struct joPlacedShapes2
{
    joColumn shape; // joShape2
    joColumn pose;  // joTransform2
    uint32_t count;
} joPlacedShapes2;

// As joCollideBatch_SetShapes3. What is placed is kept for the calls below: 32 bytes of a circle (16,
// if all shapes are circles about the origins of their bodies), 48 of a capsule, 128, 192 or 320 of a polygon
// of up to 4, 8 or 16 vertices. The polygons that shapes point to must stay as they are, too.
JO_API joResult joCollideBatch_SetShapes2(
    joCollideBatch* batch, const joPlacedShapes2* shapes, uint32_t* errorIndex );

JO_API joResult joCollideBatch_Overlap2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex );

JO_API joResult joCollideBatch_FindDepths2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint64_t* hitBits, joVec2* normals, float* depths, uint64_t* hitCount,
    uint32_t* errorIndex );

JO_API joResult joCollideBatch_Collide2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint32_t* hitPairs, joManifold2* manifolds, uint64_t capacity, uint64_t* hitCount,
    uint32_t* errorIndex );

JO_EXTERN_C_END
