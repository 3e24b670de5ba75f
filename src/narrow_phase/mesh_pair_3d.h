// SPDX-License-Identifier: MIT
// A convex shape against the triangles of a mesh, one by one. Each triangle is a convex shape with two faces,
// met as hulls are; but only along directions in which the surface ends.
//
// Of a surface that goes on beyond an edge, the edge and its corners are no obstacle: a box that slides over
// a floor of many triangles would else bump into the edges between them. So a direction from a triangle to
// the shape counts only if no triangle around the triangle's outermost points along it reaches farther: these
// directions are the part of the Gauss map of the surface that belongs to the triangle. A shape whose nearest
// direction from a triangle does not count is nearer to the triangle's neighbour.
#pragma once

#include "narrow_phase/convex_3d.h"
#include "narrow_phase/mesh_3d.h"

typedef struct joMeshPair
{
    // A is the triangle, in a frame parallel to the mesh's around its first vertex; B is the shape. It points
    // into itself: not to be copied.
    joConvexPair pair;
    joMeshView view;
    uint32_t triangle;
    double meshPosition[3];  // of the mesh in the world
    double shapePosition[3]; // of the shape's core in the frame of the mesh
    double shapeSize;
    double edges[3][3]; // from each corner to the next
    double normal[3];   // unit, of the triangle
    float columns[3][JO_HULL_LANES];
    joHullPlane planes[2];
    joBounds3 bounds; // of the shape in the frame of the mesh, rounded outwards
} joMeshPair;

// Of a placed pair of a shape and a mesh.
void joMakeMeshPair( joMeshPair* made, const joPlacedPair3* placed );

// Makes A this triangle.
void joSetTriangle( joMeshPair* pair, uint32_t triangle );

// Whether the surface ends at the triangle along a unit direction. *isFace: the direction is that of the
// triangle's normal, or against it, but for JO_FLAT_SURFACE.
bool joIsOpenDirection( const joMeshPair* pair, const double direction[3], bool* isFace );

// How the triangle touches the shape along the directions that count. False: it is farther away than the
// margin, or a neighbour is nearer.
bool joTouchTriangle( joMeshPair* pair, double margin, joPenetration* touch, joCollideStatus* status );

// The triangles whose boxes meet some bounds, one after the other, always in the same order.
typedef struct joMeshWalk
{
    const joMeshView* view;
    joBounds3 bounds;
    uint32_t stack[JO_MESH_MAX_DEPTH + 1];
    uint32_t count;
    uint32_t next, end; // triangles of a leaf
} joMeshWalk;

// Within `margin` of the shape.
void joStartWalk( joMeshWalk* walk, const joMeshPair* pair, double margin );
bool joNextTriangle( joMeshWalk* walk, uint32_t* triangle );

// The manifold of one triangle, whose normal points from the mesh to the shape.
void joFillTriangleManifold(
    const joMeshPair* pair, const joPenetration* touch, double margin, joManifold3* manifold );
// That of the mesh: of the deepest triangle, with the points of all whose normal is the same.
void joFillMeshManifold( joMeshPair* pair, double margin, joManifold3* manifold );
