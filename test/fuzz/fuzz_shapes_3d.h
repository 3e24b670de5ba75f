// SPDX-License-Identifier: MIT
// Any shape in 3D, of a fuzzer's bytes.
#pragma once

#include "fuzz_bytes.h"

#include "jostle/shapes_3d.h"

#define FUZZ_MAX_HULL_POINTS 24
#define FUZZ_MAX_VERTICES 40
#define FUZZ_MAX_TRIANGLES 50

// What a mesh is made of.
typedef struct FuzzTriangles
{
    joVec3 vertices[FUZZ_MAX_VERTICES];
    uint32_t indices[3 * FUZZ_MAX_TRIANGLES];
    uint32_t vertexCount, triangleCount;
} FuzzTriangles;

typedef struct FuzzShape3
{
    joShape3 shape; // may point to what follows
    joHull3* hull;  // of the points
    joVec3 points[FUZZ_MAX_HULL_POINTS];
    uint32_t pointCount;
    joMesh3* mesh; // of the triangles
    FuzzTriangles triangles;
    joTransform3 pose;
} FuzzShape3;

// A field of heights, a strip, or any vertices in any order.
void takeTriangles( FuzzBytes* bytes, FuzzTriangles* triangles );
// Where points make no hull, or triangles no mesh, a sphere.
void takeShape3( FuzzBytes* bytes, FuzzShape3* shape );
void dropShape3( FuzzShape3* shape );
// The members of a shape in a file for `jostle collide`, its pose among them.
void printShape3( const FuzzShape3* shape );
void printTriangles( const FuzzTriangles* triangles );
