// SPDX-License-Identifier: MIT
// The inside of a mesh's block.
#pragma once

#include "base/float_env.h"
#include "jostle/mesh_3d.h"
#include "math/wide_vectors.h"

// Boxes of triangles, 32 bytes. The two children of an inner node stand side by side, behind it.
typedef struct joMeshNode
{
    float lower[3];
    uint32_t first; // triangle of a leaf, child of an inner node
    float upper[3];
    uint32_t count; // of triangles; 0: an inner node
} joMeshNode;

typedef struct joMeshTriangle
{
    uint32_t vertices[3];
    uint32_t name; // its index in the caller's array
} joMeshTriangle;

// The header of a block. Behind it, each where the one before ends: nodes, triangles in the order of the
// leaves, vertices, the first of each vertex's triangles (one more than there are vertices), the triangles of
// each vertex.
struct joMesh3
{
    uint32_t magic;
    uint32_t vertexCount;
    uint32_t triangleCount;
    uint32_t nodeCount;
    uint64_t byteCount;
    double reach; // of the farthest vertex from the origin
    uint32_t pad[8];
};

#define JO_MESH_MAGIC 0x314D6F6Au // "joM1": the version is in it

// No way from the root to a leaf has more nodes: halving by the heuristic stops before, and what is left is
// halved by count.
#define JO_MESH_MAX_DEPTH 60
#define JO_MESH_MAX_LEAF 4

typedef struct joMeshView
{
    const joMeshNode* nodes;
    const joMeshTriangle* triangles;
    const joVec3* vertices;
    const uint32_t* vertexStarts;
    const uint32_t* vertexTriangles;
} joMeshView;

size_t joMeshBytes( uint32_t vertexCount, uint32_t triangleCount, uint32_t nodeCount );
joMeshView joViewMesh( const joMesh3* mesh );

// A height of a triangle over its longest side of at most this share of that side is none.
#define JO_FLAT_TRIANGLE 1e-7

bool joIsFlatTriangle( joVec3 a, joVec3 b, joVec3 c );

static inline joWide3 joMeshView_Vertex( const joMeshView* view, uint32_t triangle, uint32_t corner )
{
    return joWiden3( view->vertices[view->triangles[triangle].vertices[corner]] );
}

// What the hierarchy is built from: the bounds of each triangle, and the order that leaves put them into.
typedef struct joMeshBoxes
{
    joBounds3* bounds; // by triangle
    uint32_t* order;   // filled with 0, 1, 2 ...; sorted by leaves
    uint32_t count;
} joMeshBoxes;

// `nodes` has room for 2 count - 1. Returns how many there are.
uint32_t joBuildMeshNodes( joMeshBoxes* boxes, joMeshNode* nodes );
