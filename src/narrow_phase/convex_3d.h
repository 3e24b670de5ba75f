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
#include "simd/kernels.h"

#include <math.h>

#if defined( __SSE2__ )
#include <emmintrin.h>
#endif

typedef struct joConvex
{
    joPolytope polytope;
    bool isBox;  // vertex numbers are the signs of the axes
    bool isHull; // columns are filled up
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
    const joKernels* kernels;
    struct joConvexSteps* steps; // where GJK and EPA note what they do; null: nowhere
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

// Hulls of so few vertices are searched here rather than by a kernel.
#define JO_FEW_VERTICES 8

#if defined( __SSE2__ )
static inline __m128 joHeightsOfFour( const joPolytope* p, int first, const __m128 way[3] )
{
    return _mm_add_ps( _mm_add_ps( _mm_mul_ps( way[0], _mm_loadu_ps( p->x + first ) ),
                           _mm_mul_ps( way[1], _mm_loadu_ps( p->y + first ) ) ),
        _mm_mul_ps( way[2], _mm_loadu_ps( p->z + first ) ) );
}
#endif

// As joKernels.findHighest, to the bit, of at most JO_FEW_VERTICES. Searches wait for each other, so what
// counts is the way from the direction to the vertex: wide vectors take longer to come down to one number.
static inline uint32_t joFindHighestOfFew( const joPolytope* p, float dx, float dy, float dz )
{
#if defined( __SSE2__ )
    const __m128 way[3] = { _mm_set1_ps( dx ), _mm_set1_ps( dy ), _mm_set1_ps( dz ) };
    const __m128 low = joHeightsOfFour( p, 0, way ), high = joHeightsOfFour( p, 4, way );
    const __m128 four = _mm_max_ps( low, high );
    const __m128 two = _mm_max_ps( four, _mm_shuffle_ps( four, four, _MM_SHUFFLE( 1, 0, 3, 2 ) ) );
    const __m128 top = _mm_max_ps( two, _mm_shuffle_ps( two, two, _MM_SHUFFLE( 2, 3, 0, 1 ) ) );
    const int lanes = _mm_movemask_ps( _mm_cmple_ps( top, low ) ) |
                      _mm_movemask_ps( _mm_cmple_ps( top, high ) ) << 4 | 1 << 8;
    return (uint32_t)__builtin_ctz( (uint32_t)lanes ) & 7;
#else
    float highest = -INFINITY;
    uint32_t best = 0;
    for ( uint32_t i = 0; i < p->vertexCount; ++i )
    {
        const float height = dx * p->x[i] + dy * p->y[i] + dz * p->z[i];
        best = height > highest ? i : best;
        highest = height > highest ? height : highest;
    }
    return best;
#endif
}

// The vertex of a core that is farthest along a direction in its frame; of equal ones the first.
static inline uint32_t joFindVertex(
    const joKernels* kernels, const joConvex* convex, double x, double y, double z )
{
    if ( convex->isBox )
    {
        return ( x > 0.0 ? 1u : 0u ) | ( y > 0.0 ? 2u : 0u ) | ( z > 0.0 ? 4u : 0u );
    }
    const joPolytope* p = &convex->polytope;
    if ( convex->isHull )
    {
        // Of very short or long directions products would vanish, or be infinite.
        double size = fabs( x ) + fabs( y ) + fabs( z ), scale = 1.0;
        if ( !( size > 1e-12 && size < 1e12 ) )
        {
            scale = size > 0.0 ? 1.0 / size : 0.0;
        }
        if ( p->vertexCount <= JO_FEW_VERTICES )
        {
            return joFindHighestOfFew( p, (float)( x * scale ), (float)( y * scale ), (float)( z * scale ) );
        }
        return kernels->findHighest( p->x, p->y, p->z, p->vertexCount, (float)( x * scale ),
            (float)( y * scale ), (float)( z * scale ) );
    }
    uint32_t best = 0;
    double highest = x * (double)p->x[0] + y * (double)p->y[0] + z * (double)p->z[0];
    for ( uint32_t i = 1; i < p->vertexCount; ++i )
    {
        const double height = x * (double)p->x[i] + y * (double)p->y[i] + z * (double)p->z[i];
        best = height > highest ? i : best;
        highest = height > highest ? height : highest;
    }
    return best;
}

// The vertex of A that is farthest along a direction, and the vertex of B that is farthest against it; the
// direction in the frame of A.
static inline uint32_t joFindSupportA( const joConvexPair* pair, const double d[3] )
{
    return joFindVertex( pair->kernels, &pair->a, d[0], d[1], d[2] );
}

static inline uint32_t joFindSupportB( const joConvexPair* pair, const double d[3] )
{
    const double( *r )[3] = pair->rotation;
    return joFindVertex( pair->kernels, &pair->b, -( r[0][0] * d[0] + r[1][0] * d[1] + r[2][0] * d[2] ),
        -( r[0][1] * d[0] + r[1][1] * d[1] + r[2][1] * d[2] ),
        -( r[0][2] * d[0] + r[1][2] * d[1] + r[2][2] * d[2] ) );
}

// A point of the Minkowski difference A - B, and the vertices it comes from.
typedef struct joSupportPoint
{
    double w[3];
    uint8_t vertexA, vertexB;
} joSupportPoint;

static inline joSupportPoint joMakeSupport( const joConvexPair* pair, uint32_t vertexA, uint32_t vertexB )
{
    joSupportPoint made = { .vertexA = (uint8_t)vertexA, .vertexB = (uint8_t)vertexB };
    double a[3], b[3];
    joPolytope_GetVertex( &pair->a.polytope, vertexA, a );
    joConvexPair_PointOfB( pair, vertexB, b );
    joDifference3( a, b, made.w );
    return made;
}

static inline joSupportPoint joFindSupport( const joConvexPair* pair, const double direction[3] )
{
    return joMakeSupport( pair, joFindSupportA( pair, direction ), joFindSupportB( pair, direction ) );
}

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
void joSimplex_WitnessOnA( const joConvexPair* pair, const joSimplex* simplex, double onA[3] );
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
