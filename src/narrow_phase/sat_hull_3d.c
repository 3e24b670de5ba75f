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

// So many edges of B are looked at together, with all of A: more would need more of the stack, and that of a
// fiber is small. A hull of 32 vertices has 90.
#define BLOCK_EDGES 96

// An edge with the normals of its two faces, in the frame of A. The normals of B's faces are turned round.
typedef struct Arc
{
    double along[3];
    double left[3], right[3];
    uint8_t from, to;
} Arc;

// The same for a block of edges of B as floats, by columns: which pairs cannot cross is seen of four at a
// time.
typedef float Lanes __attribute__( ( vector_size( 16 ) ) );
typedef int32_t Flags __attribute__( ( vector_size( 16 ) ) );

typedef struct ArcColumns
{
    Lanes along[3][BLOCK_EDGES / 4];
    Lanes left[3][BLOCK_EDGES / 4];
    Lanes right[3][BLOCK_EDGES / 4];
} ArcColumns;

// Of unit vectors: a product of signs that float may see wrong is not smaller than this.
#define UNSURE 1e-6f

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

static void setColumn( Lanes columns[3][BLOCK_EDGES / 4], uint32_t edge, const double v[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        columns[k][edge / 4][edge % 4] = (float)v[k];
    }
}

static void fillColumns( ArcColumns* columns, uint32_t edge, const Arc* arc )
{
    double length = sqrt( joDotOf3( arc->along, arc->along ) ), scale = length > 0.0 ? 1.0 / length : 0.0;
    const double along[3] = { scale * arc->along[0], scale * arc->along[1], scale * arc->along[2] };
    setColumn( columns->along, edge, along );
    setColumn( columns->left, edge, arc->left );
    setColumn( columns->right, edge, arc->right );
}

static inline Lanes dotLanes( Lanes columns[3][BLOCK_EDGES / 4], uint32_t i, const float v[3] )
{
    return columns[0][i] * v[0] + columns[1][i] * v[1] + columns[2][i] * v[2];
}

// Bit k: edge 4 i + k of B may make a face with an edge of A, whose direction has unit length. The arc of B
// crosses the circle of A's edge, that of A the circle of B's edge, and both on the same side; a product of
// zero, which is what there is of an edge without faces, or of lanes without an edge, rules nothing out.
static inline int mayCross(
    ArcColumns* b, uint32_t i, const float along[3], const float left[3], const float right[3] )
{
    const Lanes unsure = { UNSURE, UNSURE, UNSURE, UNSURE };
    Lanes leftB = dotLanes( b->left, i, along ), rightB = dotLanes( b->right, i, along );
    Lanes leftA = dotLanes( b->along, i, left ), rightA = dotLanes( b->along, i, right );
    Flags may = ( leftB * rightB < unsure ) & ( leftA * rightA < unsure ) & ( leftB * leftA < unsure );
    return ( may[0] & 1 ) | ( may[1] & 2 ) | ( may[2] & 4 ) | ( may[3] & 8 );
}

// The same in double, for certain.
static bool cross( const joConvexPair* pair, const Arc* a, const Arc* b )
{
    bool hasFacesA = pair->a.polytope.faceCount > 0, hasFacesB = pair->b.polytope.faceCount > 0;
    double ofB = 0.0, ofA = 0.0;
    if ( ( hasFacesB && !crossesCircle( b, a->along, &ofB ) ) ||
         ( hasFacesA && !crossesCircle( a, b->along, &ofA ) ) )
    {
        return false;
    }
    // Two arcs that cross each other's circles cross on this side of the sphere, or on the other.
    return !hasFacesA || !hasFacesB || ofB * ofA < 0.0;
}

typedef struct Block
{
    Arc arcs[BLOCK_EDGES];
    ArcColumns columns;
    uint32_t count;
} Block;

static void testAgainstBlock(
    const joConvexPair* pair, const Arc* a, Block* block, joPenetration* penetration )
{
    double tie = (double)JO_AXIS_TIE * pair->size, length = sqrt( joDotOf3( a->along, a->along ) );
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    const float along[3] = {
        (float)( scale * a->along[0] ), (float)( scale * a->along[1] ), (float)( scale * a->along[2] ) };
    const float left[3] = { (float)a->left[0], (float)a->left[1], (float)a->left[2] };
    const float right[3] = { (float)a->right[0], (float)a->right[1], (float)a->right[2] };
    for ( uint32_t i = 0; 4 * i < block->count; ++i )
    {
        int may = mayCross( &block->columns, i, along, left, right );
        for ( uint32_t j = 4 * i; may != 0; ++j, may >>= 1 )
        {
            if ( ( may & 1 ) && j < block->count && cross( pair, a, block->arcs + j ) )
            {
                testEdges( pair, a, block->arcs + j, tie, penetration );
            }
        }
    }
}

// The edges of B from the first on.
static void fillBlock( const joConvexPair* pair, uint32_t first, uint32_t countB, Block* block )
{
    static const Arc none;
    block->count = countB - first < BLOCK_EDGES ? countB - first : BLOCK_EDGES;
    for ( uint32_t j = 0; j < block->count; ++j )
    {
        makeArc( pair, true, first + j, block->arcs + j );
        fillColumns( &block->columns, j, block->arcs + j );
    }
    for ( uint32_t j = block->count; j % 4 != 0; ++j )
    {
        fillColumns( &block->columns, j, &none );
    }
}

void joRunSat( const joConvexPair* pair, joPenetration* penetration )
{
    Block block;
    penetration->depth = INFINITY;
    testFaces( pair, false, penetration );
    testFaces( pair, true, penetration );
    uint32_t countA = countArcs( &pair->a.polytope ), countB = countArcs( &pair->b.polytope );
    for ( uint32_t first = 0; first < countB; first += BLOCK_EDGES )
    {
        fillBlock( pair, first, countB, &block );
        for ( uint32_t i = 0; i < countA; ++i )
        {
            Arc a;
            makeArc( pair, false, i, &a );
            testAgainstBlock( pair, &a, &block, penetration );
        }
    }
}
