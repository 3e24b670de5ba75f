// SPDX-License-Identifier: MIT
// jostle convex hulls in 3D: the smallest convex body around points, up to 255 of its corners.
//
// A hull is one block without pointers: its bytes may be copied, written to a file, and mapped back at any
// address that is a multiple of 64. The same points in the same order give the same bytes everywhere.
//
// A hull is good to its tolerance, 5e-7 times the largest coordinate (absolute) of the points. What a corner
// stands out by less is not kept, and faces whose planes differ by less are one: a cube of triangles, turned
// and rounded to float, is a hull of eight vertices and six faces. No point is outside of the hull by more
// than four tolerances, and none of its vertices is new. Points that repeat, or lie on a face or an edge, are
// allowed. A body thinner than eight tolerances is no hull: flat, straight and single points are refused
// (jo_errorFlatHull). Give a capsule or a box for those.
#pragma once

#include "shapes_3d.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_HULL_VERTICES3 255
#define JO_MAX_HULL_FACES3 506      // 2 v - 4
#define JO_MAX_HULL_POINTS3 1048576 // as input

// Makes the hull of points, in the frame of its body; coordinates up to JO_MAX_SIZE (absolute). The points
// are read, not kept. `allocator` may be null. *badPoint (may be null) is the first point that is refused, or
// JO_NULL_INDEX.
//
// Errors: jo_errorNullArgument; jo_errorBadCount (fewer than 4 points, more than JO_MAX_HULL_POINTS3);
// jo_errorNotANumber and jo_errorBadShape (a coordinate is NaN, or above JO_MAX_SIZE); jo_errorFlatHull;
// jo_errorTooManyVertices (more corners than JO_MAX_HULL_VERTICES3); jo_errorBadDef (a half allocator);
// jo_errorOutOfMemory. *hull is then null.
//
// Expected O(n log n) time, some 270 bytes a point of scratch. Quickhull (Barber, Dobkin and Huhdanpaa, "The
// Quickhull Algorithm for Convex Hulls", 1996), with exact arithmetic on points rounded to a grid of 2^46
// steps on each axis, so that no input can confuse it; faces are merged afterwards.
JO_API joResult joCreateHull3( const joVec3* points, uint32_t pointCount, const joAllocator* allocator,
    joHull3** hull, uint32_t* badPoint );

// `allocator` as it was made with. Null is allowed.
JO_API void joDestroyHull3( joHull3* hull, const joAllocator* allocator );

// A block that this program made needs no more than this check, which is O(1). Errors: jo_errorNullArgument,
// jo_errorBadShape (it is no hull, or one of another version).
JO_API joResult joCheckHull3( const joHull3* hull );

// Whether `size` bytes from elsewhere (64-byte aligned) are a hull that is safe to use: every index in range,
// every number finite, every edge with its twin, every face convex within tolerance. O(vertices * faces).
// Errors: jo_errorNullArgument, jo_errorBadShape.
JO_API joResult joValidateHull3( const void* block, size_t size );

// The bytes of the block.
JO_API size_t joHull3_GetSize( const joHull3* hull );

JO_API uint32_t joHull3_GetVertexCount( const joHull3* hull );
JO_API joVec3 joHull3_GetVertex( const joHull3* hull, uint32_t vertex );
JO_API uint32_t joHull3_GetFaceCount( const joHull3* hull );
// The vertices of a face, counter-clockwise seen from outside: the first ones up to capacity. Returns how
// many the face has. *normal (may be null) is the unit normal, outwards, *offset (may be null) the distance
// of its plane along it.
JO_API uint32_t joHull3_GetFace(
    const joHull3* hull, uint32_t face, uint8_t* vertices, uint32_t capacity, joVec3* normal, float* offset );

JO_API joBounds3 joComputeHullBounds3( const joHull3* hull, joTransform3 pose );
JO_API joBounds3 joComputeHullSweptBounds3( const joHull3* hull, joTransform3 from, joTransform3 to );
JO_API float joComputeHullVolume3( const joHull3* hull );
JO_API joMassData3 joComputeHullMass3( const joHull3* hull, float density );
// The vertex that lies farthest in a direction, both in the frame of the body; of equal ones the first.
JO_API joVec3 joFindHullSupport3( const joHull3* hull, joVec3 direction );

JO_EXTERN_C_END
