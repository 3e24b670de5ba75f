// SPDX-License-Identifier: MIT
// Meshes the slow and plain way, in double: through all triangles, in the frame of the mesh.
#pragma once

#include "reference/hull_reference.h"

typedef struct ReferenceMesh
{
    const float* vertices; // three numbers each
    const uint32_t* indices;
    uint32_t triangleCount;
} ReferenceMesh;

// How far a ray goes until it meets the mesh; +inf: it does not. `direction` is a unit vector. *doubt: by how
// little, relative to the triangle, the ray passed or met the nearest edge of any triangle in doubt.
double referenceMeshRay(
    const ReferenceMesh* mesh, const double origin[3], const double direction[3], double* doubt );

// How far a shape (see hull_reference.h) is from the nearest triangle, its radius included; negative: how far
// a triangle is within its radius of the core, which it may cross. *triangle (may be null): the nearest one.
double referenceMeshSeparation(
    const ReferenceMesh* mesh, const joTransform3* pose, const ReferenceHull* shape, uint32_t* triangle );

// A triangle as a shape in world space.
void referenceMeshTriangle(
    const ReferenceMesh* mesh, const joTransform3* pose, uint32_t triangle, ReferenceHull* made );
