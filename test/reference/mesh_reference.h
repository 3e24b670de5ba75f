// SPDX-License-Identifier: MIT
// Meshes the slow and plain way, in double: through all triangles, in the frame of the mesh.
#pragma once

#include <stdbool.h>
#include <stdint.h>

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

// How far a point is from the mesh.
double referenceMeshDistance( const ReferenceMesh* mesh, const double point[3] );
