// SPDX-License-Identifier: MIT
// The slow reference for convex shapes in 3D, in double precision: distance with a certificate, and depth by
// all faces and all pairs of edges. Plain; shares no code with the library.
#pragma once

#include "jostle/hull_3d.h"

#define HULL_REFERENCE_EDGES 759

// A core with flat faces, and a radius around it, in world space.
typedef struct ReferenceHull
{
    uint32_t vertexCount, faceCount, edgeCount;
    double vertices[JO_MAX_HULL_VERTICES3][3];
    double normals[JO_MAX_HULL_FACES3][3];
    double offsets[JO_MAX_HULL_FACES3];
    uint32_t edges[HULL_REFERENCE_EDGES][2];
    double sides[HULL_REFERENCE_EDGES][2][3]; // normals of the edge's two faces; zero where there are none
    double radius;
} ReferenceHull;

// A sphere, capsule, box or hull.
void hullReferenceMake( ReferenceHull* made, const joShape3* shape, const joTransform3* pose );
void hullReferenceMove( ReferenceHull* hull, const double by[3] );

typedef struct ReferenceDistance
{
    double upper, lower; // of the distance of the cores: what was found, and what is certain
    double normal[3];    // from A to B; zero where they overlap
} ReferenceDistance;

// Wolfe, "Finding the Nearest Point in a Polytope", 1976.
ReferenceDistance hullReferenceDistance( const ReferenceHull* a, const ReferenceHull* b );

typedef struct ReferenceDepth
{
    double depth;     // of the cores; negative: a gap along the best axis
    double normal[3]; // from A to B
    double second;    // the next least depth along a direction that is more than a hundredth off
} ReferenceDepth;

ReferenceDepth hullReferenceDepth( const ReferenceHull* a, const ReferenceHull* b );

// The overlap along a direction from A to B, radii included; negative: a gap.
double hullReferenceOverlap( const ReferenceHull* a, const ReferenceHull* b, const double direction[3] );

// How far the shapes are apart, radii included; negative: how deep they are in each other.
double hullReferenceSeparation( const ReferenceHull* a, const ReferenceHull* b );

// How far a point is outside of a shape; 0 inside.
double hullReferenceOutside( const ReferenceHull* hull, const double point[3] );
