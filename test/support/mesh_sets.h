// SPDX-License-Identifier: MIT
// Triangle meshes for the tests of the narrow phase, as arrays.
#pragma once

#include "jostle/mesh_3d.h"

#define MESH_SET_MAX_VERTICES 20000
#define MESH_SET_MAX_TRIANGLES 20000

typedef struct MeshArrays
{
    joVec3 vertices[MESH_SET_MAX_VERTICES];
    uint32_t indices[3 * MESH_SET_MAX_TRIANGLES];
    uint32_t vertexCount;
    uint32_t triangleCount;
} MeshArrays;

typedef enum MeshSort
{
    mesh_soup,    // triangles of all sizes anywhere within 2 of the origin, none shares a vertex
    mesh_terrain, // a grid of heights up to 1 over 4 x 4
    mesh_floor,   // the same, flat
    mesh_ball,    // closed, about a sphere of radius 1
    mesh_sortCount
} MeshSort;

// About `count` triangles, at most MESH_SET_MAX_TRIANGLES. `isIndexed`: shared vertices are given once; else
// each triangle has its own.
void meshMakeArrays( MeshSort sort, uint32_t count, bool isIndexed, uint64_t* random, MeshArrays* arrays );

// To be freed with joDestroyMesh3( mesh, NULL ).
joMesh3* meshMake( const MeshArrays* arrays );
