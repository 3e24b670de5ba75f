// SPDX-License-Identifier: MIT
// Any convex shape in 3D as a core with flat faces and a rounding radius: a sphere is a point, a capsule a
// segment, a box or a hull its own core. Two of them in the frame of A.
//
// Points are told apart in float (which vertex is farthest: a mistake costs its rounding, no more); what is
// computed of the chosen ones is in double. So the shapes may be far from each other or from the origin, and
// simplices may be as thin as they like.
#pragma once

#include "math/rotation.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/hull_3d.h"

typedef struct joConvex
{
    joPolytope polytope;
    bool isBox; // vertex numbers are the signs of the axes
    double radius;
    double size;  // as tolerances count it: see tolerance.h
    joPose3 pose; // of the core's frame in the world
    // Where the core of a shape that is no hull lives.
    float columns[3][8];
    joHullPlane planes[6];
} joConvex;

typedef struct joConvexPair
{
    joConvex a, b;
    double rotation[3][3]; // column j is axis j of B in the frame of A
    double position[3];    // the origin of B's core in the frame of A
    double size;
    double radius; // both
} joConvexPair;

// The pair points into itself: it is not to be copied.
void joMakeConvexPair( joConvexPair* pair, const joPlacedPair3* placed );

static inline void joConvexPair_PointOfB( const joConvexPair* pair, uint32_t vertex, double point[3] )
{
    double p[3];
    joPolytope_GetVertex( &pair->b.polytope, vertex, p );
    for ( int i = 0; i < 3; ++i )
    {
        point[i] = pair->rotation[i][0] * p[0] + pair->rotation[i][1] * p[1] + pair->rotation[i][2] * p[2] +
                   pair->position[i];
    }
}

static inline double joDotOf3( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void joCrossOf3( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void joDifference3( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

// The vertex of A that is farthest along a direction, and the vertex of B that is farthest against it; the
// direction in the frame of A. Of equal ones the first.
uint32_t joFindSupportA( const joConvexPair* pair, const double direction[3] );
uint32_t joFindSupportB( const joConvexPair* pair, const double direction[3] );

// A point of the Minkowski difference A - B, and the vertices it comes from.
typedef struct joSupportPoint
{
    double w[3];
    uint8_t vertexA, vertexB;
} joSupportPoint;

joSupportPoint joMakeSupport( const joConvexPair* pair, uint32_t vertexA, uint32_t vertexB );
joSupportPoint joFindSupport( const joConvexPair* pair, const double direction[3] );

typedef struct joSimplex
{
    joSupportPoint points[4];
    double weights[4]; // of the point nearest to the origin
    uint32_t count;
} joSimplex;

// How the cores lie to each other.
typedef struct joGjkAnswer
{
    joSimplex simplex;
    double separation[3]; // the point of A - B nearest to the origin
    double distance;      // 0: they touch or overlap
    bool isBeyond;        // they are farther apart than was asked about; nothing else is known then
    joCollideStatus status;
} joGjkAnswer;

// Gilbert, Johnson and Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects in
// Three-Dimensional Space", 1988. `limit`: farther apart than that (of the cores) need not be known better.
// `answer->simplex` is where it starts, if its count is not 0; only the vertex numbers are used.
void joRunGjk( const joConvexPair* pair, double limit, joGjkAnswer* answer );

// The points of the two cores that are nearest, in the frame of A.
void joSimplex_Witness( const joConvexPair* pair, const joSimplex* simplex, double onA[3], double onB[3] );

// How deep the cores are in each other.
typedef struct joPenetration
{
    double normal[3]; // unit, from A to B, in the frame of A
    double depth;
    double onA[3], onB[3]; // where, on the two surfaces
} joPenetration;

// All faces, and all pairs of edges that make a face of A - B. Never fails; time as the product of the edges.
void joRunSat( const joConvexPair* pair, joPenetration* penetration );

// False: it did not come to an end, or met what rounding makes of a flat start.
bool joRunEpa( const joConvexPair* pair, const joSimplex* start, joPenetration* penetration );

// The points of contact. Depths of the cores; `margin` counts from the rounded surfaces.
void joFindConvexContacts(
    const joConvexPair* pair, const joPenetration* penetration, double margin, joManifold3* manifold );
