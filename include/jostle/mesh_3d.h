// SPDX-License-Identifier: MIT
// jostle triangle meshes in 3D: still surfaces, such as ground and buildings, with a hierarchy of their own.
//
// A mesh is a surface without inside, and each triangle has two sides that are alike: a shape is pushed to
// the side from which it has come less deep, and the order of a triangle's vertices does not matter. What
// lies within a closed mesh and touches no triangle does not touch the mesh.
//
// Vertices at exactly one place are one vertex, however often the arrays give it. Triangles that share an
// edge know of each other: what slides over them meets the surface, never an edge between two of them that
// does not stand out. An edge along which vertices of other triangles lie (a T-junction) is not shared.
//
// A mesh is one block without pointers: its bytes may be copied, written to a file, and mapped back at any
// address that is a multiple of 64. The same arrays give the same bytes everywhere.
#pragma once

#include "shapes_3d.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_MESH_TRIANGLES3 16777216

// Makes the mesh of triangles in the frame of its body: triangle i has the vertices indices[3 i] to
// indices[3 i + 2]. Coordinates up to JO_MAX_SIZE (absolute). The arrays are read, not kept; vertices of no
// triangle are left out. `allocator` may be null. *bad (may be null) is the first vertex or triangle that is
// refused, or JO_NULL_INDEX.
//
// Errors: jo_errorNullArgument; jo_errorBadCount (no vertex, no triangle, more than JO_MAX_MESH_TRIANGLES3);
// jo_errorBadDef (a half allocator); of a vertex: jo_errorNotANumber, jo_errorBadShape (a coordinate above
// JO_MAX_SIZE); of a triangle: jo_errorBadIndex, jo_errorFlatTriangle (its height is at most 1e-7 of its
// longest side); jo_errorOutOfMemory. *mesh is then null.
//
// Expected O(n log n) time. A binary hierarchy, split where the binned surface area heuristic says (Wald, "On
// fast Construction of SAH-based Bounding Volume Hierarchies", 2007).
JO_API joResult joCreateMesh3( const joVec3* vertices, uint32_t vertexCount, const uint32_t* indices,
    uint32_t triangleCount, const joAllocator* allocator, joMesh3** mesh, uint32_t* bad );

// `allocator` as it was made with. Null is allowed.
JO_API void joDestroyMesh3( joMesh3* mesh, const joAllocator* allocator );

// A block that this program made needs no more than this check, which is O(1). Errors: jo_errorNullArgument,
// jo_errorBadShape (it is no mesh, or one of another version).
JO_API joResult joCheckMesh3( const joMesh3* mesh );

// Whether `size` bytes from elsewhere (64-byte aligned) are a mesh that is safe to use: every index in range,
// every number finite, every triangle in the hierarchy once and within its boxes. O(triangles), no memory.
// Errors: jo_errorNullArgument, jo_errorBadShape.
JO_API joResult joValidateMesh3( const void* block, size_t size );

// The bytes of the block.
JO_API size_t joMesh3_GetSize( const joMesh3* mesh );
JO_API uint32_t joMesh3_GetTriangleCount( const joMesh3* mesh );
// Of different vertices.
JO_API uint32_t joMesh3_GetVertexCount( const joMesh3* mesh );

// As for other shapes: see shapes_3d.h. O(vertices), but where the body turns O(1).
JO_API joBounds3 joComputeMeshBounds3( const joMesh3* mesh, joTransform3 pose );
JO_API joBounds3 joComputeMeshSweptBounds3( const joMesh3* mesh, joTransform3 from, joTransform3 to );

// Where a ray meets a mesh first. Nothing met: distance +inf, triangle JO_NULL_INDEX, normal zero.
typedef struct joMeshRayHit3
{
    float distance;    // world units
    joVec3 normal;     // unit, of the triangle, on the side that the ray comes from
    uint32_t triangle; // as joCreateMesh3 was given it
} joMeshRayHit3;

// *hit: the first triangle that a ray meets, from either side; of several at one distance the first in the
// arrays. Triangles are closed: between two that share an edge nothing slips through. One that the ray lies
// in is not met, but by its neighbours. A ray of length 0 meets nothing.
// Errors: jo_errorNullArgument, jo_errorBadShape, those of joCheckTransform3, jo_errorNotANumber,
// jo_errorBadRay (see joRay). Expected O(log n). Thread-safe, as all is but making and destroying.
JO_API joResult joCastRayAtMesh3(
    const joMesh3* mesh, const joTransform3* pose, const joRay* ray, joMeshRayHit3* hit );

JO_EXTERN_C_END
