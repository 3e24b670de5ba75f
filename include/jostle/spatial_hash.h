// SPDX-License-Identifier: MIT
// jostle spatial hash: the small classic, for points in 2D or 3D.
//
// Points live in cells of a fixed size. Cell coordinates are floored truly (negative ones too), clamped to
// int32 and compared in full, so different cells are never confused. After Teschner, Heidelberger, Mueller,
// Pomeranets and Gross, "Optimized Spatial Hashing for Collision Detection of Deformable Objects", 2003; it
// departs from that paper in comparing full cell coordinates.
#pragma once

#include "base.h"

JO_EXTERN_C_BEGIN

typedef struct joSpatialHashDef
{
    int dimension;         // 2 or 3; default 2
    float cellSize;        // side of a cell in world units; finite, > 0. No default: must be set.
    uint32_t pointReserve; // room for this many still and this many moving points, made at create
    bool fixedCapacity;    // true: growth beyond the reserve fails with jo_errorCapacity
    joAllocator allocator;
    uint32_t internalCookie;
} joSpatialHashDef;

// Points as columns of float (2D: z ignored), finite; `value` is the caller's uint32_t, absent: the index.
typedef struct joPoints
{
    joColumn x, y, z;
    joColumn value;
    uint32_t count;
} joPoints;

typedef struct joSpatialHash joSpatialHash;

JO_API joSpatialHashDef joDefaultSpatialHashDef( void );
JO_API joResult joCreateSpatialHash( const joSpatialHashDef* def, joSpatialHash** hash );
JO_API void joDestroySpatialHash( joSpatialHash* hash );

// Forget all points, or only the moving ones. Memory is kept.
JO_API void joSpatialHash_Clear( joSpatialHash* hash );
JO_API void joSpatialHash_ClearMoving( joSpatialHash* hash );

// Add points that stay until Clear, or moving ones that stay until ClearMoving. Amortised O(count).
// Errors, with the first bad element's index in *errorIndex (may be null): jo_errorNotANumber (NaN or
// infinite), jo_errorNullArgument, jo_errorOutOfMemory, jo_errorCapacity. On error nothing was added.
JO_API joResult joSpatialHash_AddStill( joSpatialHash* hash, const joPoints* points, uint32_t* errorIndex );
JO_API joResult joSpatialHash_AddMoving( joSpatialHash* hash, const joPoints* points, uint32_t* errorIndex );

// Values of all points in the cells that the box position +- radius touches (a point of such a cell may
// be farther than radius: this is the raw cell query), sorted ascending by value. The first `capacity` in
// order go to `values`, *count gets how many there are. Allocates nothing, creates no cells. Position:
// `dimension` floats. Any number of threads may query at once while no thread changes the hash, once
// joSpatialHash_Update ran after the last change; a query on a hash that was changed since brings it up to
// date itself, and is then a change. Time: the cells of the box, or all in use if those are fewer; sorting
// the values. Errors, *count is then 0: jo_errorNullArgument, jo_errorNotANumber (position NaN or infinite,
// radius NaN), jo_errorBadRadius (negative or infinite).
JO_API joResult joSpatialHash_QueryCells( joSpatialHash* hash, const float* position, float radius,
    uint32_t* values, uint32_t capacity, uint64_t* count );

// As QueryCells, but only points within the closed distance `radius` of the position (by squared distance in
// double).
JO_API joResult joSpatialHash_QueryRadius( joSpatialHash* hash, const float* position, float radius,
    uint32_t* values, uint32_t capacity, uint64_t* count );

// Sorts points into cells, anew for each kind (still, moving) that was added to: O(points of that kind).
// Called by queries when needed. Cannot run out of memory: AddStill and AddMoving made room.
JO_API joResult joSpatialHash_Update( joSpatialHash* hash );

typedef struct joSpatialHashStats
{
    uint32_t stillCount, movingCount;
    uint32_t cells; // cells with at least one point, as of the last update or query
    uint64_t memoryBytes;
    float cellSize;
} joSpatialHashStats;

JO_API joSpatialHashStats joSpatialHash_GetStats( const joSpatialHash* hash );

JO_EXTERN_C_END
