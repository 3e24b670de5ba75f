// SPDX-License-Identifier: MIT
// jostle chains in 2D: still outlines, such as ground and walls, with a hierarchy of their own.
//
// A chain is a line of segments without inside, and each segment has two sides that are alike: a shape is
// pushed to the side from which it has come less deep. What lies within a loop and touches no segment does
// not touch the chain. Segments know their neighbours: what slides over them meets the line, never a point
// between two of them that does not stand out. Places where a chain meets itself are not joined.
//
// A chain is one block without pointers: its bytes may be copied, written to a file, and mapped back at any
// address that is a multiple of 64. The same points give the same bytes everywhere.
#pragma once

#include "shapes_2d.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_CHAIN_POINTS2 16777216

// Makes the chain of points in the frame of its body: segment i goes from points[i] to the next; the last one
// of a loop back to points[0]. Coordinates up to JO_MAX_SIZE (absolute). The points are read, not kept.
// `allocator` may be null. *bad (may be null) is the first point that is refused, or JO_NULL_INDEX.
//
// Errors: jo_errorNullArgument; jo_errorBadCount (fewer than 2 points, fewer than 3 of a loop, more than
// JO_MAX_CHAIN_POINTS2); jo_errorBadDef (a half allocator); of a point: jo_errorNotANumber, jo_errorBadShape
// (a coordinate above JO_MAX_SIZE), jo_errorRepeatedPoint (it is where the one before is, or the last of a
// loop where the first is); jo_errorOutOfMemory. *chain is then null.
//
// O(n). A binary hierarchy over the segments in their order: what follows each other is near each other.
JO_API joResult joCreateChain2( const joVec2* points, uint32_t count, bool isLoop,
    const joAllocator* allocator, joChain2** chain, uint32_t* bad );

// `allocator` as it was made with. Null is allowed.
JO_API void joDestroyChain2( joChain2* chain, const joAllocator* allocator );

// A block that this program made needs no more than this check, which is O(1). Errors: jo_errorNullArgument,
// jo_errorBadShape (it is no chain, or one of another version).
JO_API joResult joCheckChain2( const joChain2* chain );

// Whether `size` bytes from elsewhere (64-byte aligned) are a chain that is safe to use: every number finite,
// no point repeated, every segment within its boxes. O(n), no memory. Errors: jo_errorNullArgument,
// jo_errorBadShape.
JO_API joResult joValidateChain2( const void* block, size_t size );

// The bytes of the block.
JO_API size_t joChain2_GetSize( const joChain2* chain );
JO_API uint32_t joChain2_GetSegmentCount( const joChain2* chain );

// As for other shapes: see shapes_2d.h. Expected O(log n); O(1) for bounds where the body turns.
JO_API joBounds2 joComputeChainBounds2( const joChain2* chain, joTransform2 pose );
JO_API joBounds2 joComputeChainSweptBounds2( const joChain2* chain, joTransform2 from, joTransform2 to );
JO_API joVec2 joFindChainSupport2( const joChain2* chain, joVec2 direction );

// Where a ray meets a chain first, from either side. Nothing met: hit.distance +inf, segment JO_NULL_INDEX.
typedef struct joChainRayHit2
{
    joRayHit2 hit;
    uint32_t segment; // of several that are met at one distance the first
} joChainRayHit2;

// As joCastRayAtShape2, and which segment it is. Between two segments that share a point nothing slips
// through. Expected O(log n). Thread-safe, as all is but making and destroying. Errors: those of
// joCastRayAtShape2.
JO_API joResult joCastRayAtChain2(
    const joChain2* chain, const joTransform2* pose, const joRay* ray, joChainRayHit2* hit );

JO_EXTERN_C_END
