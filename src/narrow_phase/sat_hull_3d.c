// SPDX-License-Identifier: MIT
// Penetration of two polytopes by separating axes: the faces of both, and the pairs of edges that make a face
// of A - B, found by whether their arcs cross on the Gauss map (Gregorius, "The Separating Axis Test between
// Convex Polyhedra", GDC 2013). One of the two may be a point or a segment, which has no faces.
//
// Departs from it in one point: axes are computed in double from the vertices as they are, so that nearly
// parallel edges need no favour for faces.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/tolerance.h"

#include <math.h>
#include <stddef.h>

#define MAX_EDGES ( 3 * JO_MAX_HULL_VERTICES3 - 6 )

// An edge with the normals of its two faces, in the frame of A. The normals of B's faces are turned round.
typedef struct Arc
{
    double along[3];
    double left[3], right[3];
    uint8_t from, to;
} Arc;

static void turnToA( const joConvexPair* pair, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = pair->rotation[i][0] * v[0] + pair->rotation[i][1] * v[1] + pair->rotation[i][2] * v[2];
    }
}

static void normalOf( const joPolytope* p, uint32_t face, double normal[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        normal[k] = (double)p->planes[face].normal[k];
    }
}

// How deep B is below a face of A, or A below a face of B; `normal` points from A to B.
static void testFaces( const joConvexPair* pair, bool isOfB, joPenetration* best )
{
    const joPolytope* p = isOfB ? &pair->b.polytope : &pair->a.polytope;
    for ( uint32_t face = 0; face < p->faceCount; ++face )
    {
        double own[3], normal[3];
        normalOf( p, face, own );
        if ( isOfB )
        {
            turnToA( pair, own, normal );
            for ( int k = 0; k < 3; ++k )
            {
                normal[k] = -normal[k];
            }
        }
        double length = sqrt( joDotOf3( own, own ) );
        for ( int k = 0; k < 3; ++k )
        {
            normal[k] = ( isOfB ? normal[k] : own[k] ) / length;
        }
        uint32_t onFace = p->edges[p->faceEdges[face]].origin;
        uint32_t a = isOfB ? joFindSupportA( pair, normal ) : onFace;
        uint32_t b = isOfB ? onFace : joFindSupportB( pair, normal );
        joSupportPoint support = joMakeSupport( pair, a, b );
        double depth = joDotOf3( normal, support.w );
        if ( depth < best->depth )
        {
            best->depth = depth;
            joPolytope_GetVertex( &pair->a.polytope, a, best->onA );
            joConvexPair_PointOfB( pair, b, best->onB );
            for ( int k = 0; k < 3; ++k )
            {
                best->normal[k] = normal[k];
                // The vertex of the other is the deepest; what lies above it on the face is the other point.
                best->onA[k] = isOfB ? best->onA[k] : best->onB[k] + depth * normal[k];
                best->onB[k] = isOfB ? best->onA[k] - depth * normal[k] : best->onB[k];
            }
        }
    }
}

// How many arcs there are. A segment has one, which goes all the way round.
static uint32_t countArcs( const joPolytope* p )
{
    return p->edgeCount > 0 ? p->edgeCount / 2 : p->vertexCount == 2 ? 1 : 0;
}

static void makeArc( const joConvexPair* pair, bool isOfB, uint32_t index, Arc* arc )
{
    const joPolytope* p = isOfB ? &pair->b.polytope : &pair->a.polytope;
    bool hasFaces = p->faceCount > 0;
    *arc = ( Arc ){ .from = 0, .to = 1 };
    double own[3][3] = { { 0.0 } }, from[3], to[3]; // along, left, right
    if ( hasFaces )
    {
        const joHullEdge* edge = p->edges + 2 * index;
        arc->from = edge[0].origin;
        arc->to = edge[1].origin;
        normalOf( p, edge[0].face, own[1] );
        normalOf( p, edge[1].face, own[2] );
    }
    joPolytope_GetVertex( p, arc->from, from );
    joPolytope_GetVertex( p, arc->to, to );
    joDifference3( to, from, own[0] );
    if ( isOfB )
    {
        turnToA( pair, own[0], arc->along );
        turnToA( pair, own[1], arc->left );
        turnToA( pair, own[2], arc->right );
    }
    for ( int k = 0; k < 3; ++k )
    {
        arc->along[k] = isOfB ? arc->along[k] : own[0][k];
        arc->left[k] = isOfB ? -arc->left[k] : own[1][k];
        arc->right[k] = isOfB ? -arc->right[k] : own[2][k];
    }
}

// Whether the arc between two normals crosses the great circle of directions square to an edge.
static inline bool crossesCircle( const Arc* arc, const double along[3], double* left )
{
    double right = joDotOf3( arc->right, along );
    *left = joDotOf3( arc->left, along );
    return *left * right < 0.0;
}

// The points of two lines that are nearest to each other; the lines are not parallel. `n` is their common
// normal, not of unit length.
static void findCrossing( const double a[3], const double u[3], const double b[3], const double v[3],
    const double n[3], double onA[3], double onB[3] )
{
    double between[3], one[3], other[3], lengthSq = joDotOf3( n, n );
    joDifference3( b, a, between );
    joCrossOf3( between, v, one );
    joCrossOf3( between, u, other );
    double s = joDotOf3( one, n ) / lengthSq, t = joDotOf3( other, n ) / lengthSq;
    for ( int k = 0; k < 3; ++k )
    {
        onA[k] = a[k] + s * u[k];
        onB[k] = b[k] + t * v[k];
    }
}

static void testEdges( const joConvexPair* pair, const Arc* a, const Arc* b, double tie, joPenetration* best )
{
    double n[3], pointA[3], pointB[3], between[3];
    joCrossOf3( a->along, b->along, n );
    double lengthSq = joDotOf3( n, n ),
           edges = joDotOf3( a->along, a->along ) * joDotOf3( b->along, b->along );
    if ( !( lengthSq > (double)JO_PARALLEL_SINE_SQ * edges ) )
    {
        return;
    }
    // Out of A: along the sum of its two normals; of a segment, which has none, against those of B.
    double side =
        joDotOf3( n, a->left ) + joDotOf3( n, a->right ) + joDotOf3( n, b->left ) + joDotOf3( n, b->right );
    double scale = ( side < 0.0 ? -1.0 : 1.0 ) / sqrt( lengthSq );
    joPolytope_GetVertex( &pair->a.polytope, a->from, pointA );
    joConvexPair_PointOfB( pair, b->from, pointB );
    joDifference3( pointA, pointB, between );
    double depth = scale * joDotOf3( n, between );
    if ( depth < best->depth - tie )
    {
        findCrossing( pointA, a->along, pointB, b->along, n, best->onA, best->onB );
        best->depth = depth;
        for ( int k = 0; k < 3; ++k )
        {
            best->normal[k] = scale * n[k];
        }
    }
}

void joRunSat( const joConvexPair* pair, joPenetration* penetration )
{
    Arc arcs[MAX_EDGES]; // of B
    penetration->depth = INFINITY;
    testFaces( pair, false, penetration );
    testFaces( pair, true, penetration );
    double tie = (double)JO_AXIS_TIE * pair->size;
    uint32_t countA = countArcs( &pair->a.polytope ), countB = countArcs( &pair->b.polytope );
    for ( uint32_t j = 0; j < countB; ++j )
    {
        makeArc( pair, true, j, arcs + j );
    }
    bool hasFacesA = pair->a.polytope.faceCount > 0, hasFacesB = pair->b.polytope.faceCount > 0;
    for ( uint32_t i = 0; i < countA; ++i )
    {
        Arc own;
        const Arc* a = &own;
        makeArc( pair, false, i, &own );
        for ( uint32_t j = 0; j < countB; ++j )
        {
            const Arc* b = arcs + j;
            double ofB = 0.0, ofA = 0.0;
            if ( ( hasFacesB && !crossesCircle( b, a->along, &ofB ) ) ||
                 ( hasFacesA && !crossesCircle( a, b->along, &ofA ) ) )
            {
                continue;
            }
            // Two arcs that cross each other's circles cross on this side of the sphere, or on the other.
            if ( !hasFacesA || !hasFacesB || ofB * ofA < 0.0 )
            {
                testEdges( pair, a, b, tie, penetration );
            }
        }
    }
}
