// SPDX-License-Identifier: MIT
// How one triangle of a mesh touches a convex shape. GJK says how far the cores are apart; where they are in
// each other, separating axes say how deep: those of the triangle and of the surface around it, those of the
// shape's faces, and those of pairs of edges, of which only the ones count in whose direction the surface
// ends (see mesh_pair_3d.h). The triangle's own normal always does.
#include "base/float_env.h"
#include "narrow_phase/mesh_pair_3d.h"
#include "narrow_phase/tolerance.h"

#include <math.h>
#include <string.h>

typedef struct Search
{
    const joMeshPair* mesh;
    joPenetration* best;
    double tie;
} Search;

static void addScaled( const double a[3], double s, const double b[3], double out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = a[k] + s * b[k];
    }
}

static void copy( const double from[3], double to[3] )
{
    memcpy( to, from, 3 * sizeof( *to ) );
}

static double highestOfTriangle( const joMeshPair* mesh, const double direction[3], double point[3] )
{
    double highest = -INFINITY;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        double p[3];
        joPolytope_GetVertex( &mesh->pair.a.polytope, i, p );
        double height = joDotOf3( direction, p );
        if ( height > highest )
        {
            highest = height;
            copy( p, point );
        }
    }
    return highest;
}

// Takes a unit direction from the triangle to the shape, if it counts and they are less deep along it.
// `onB` is a point of the shape that is farthest against it.
static void consider( const Search* search, const double direction[3], const double onB[3] )
{
    double corner[3];
    double depth = highestOfTriangle( search->mesh, direction, corner ) - joDotOf3( direction, onB );
    bool isFace;
    if ( depth < search->best->depth - search->tie && joIsOpenDirection( search->mesh, direction, &isFace ) &&
         !isFace )
    {
        search->best->depth = depth;
        copy( direction, search->best->normal );
        copy( onB, search->best->onB );
        addScaled( onB, depth, direction, search->best->onA );
    }
}

// The normals of the triangle's neighbours, at its edges and at its corners, to both sides.
static void considerNeighbours( const Search* search )
{
    const joMeshView* view = &search->mesh->view;
    for ( uint32_t corner = 0; corner < 3; ++corner )
    {
        uint32_t vertex = view->triangles[search->mesh->triangle].vertices[corner];
        for ( uint32_t i = view->vertexStarts[vertex]; i < view->vertexStarts[vertex + 1]; ++i )
        {
            uint32_t other = view->vertexTriangles[i];
            joWide3 a = joMeshView_Vertex( view, other, 0 );
            joWide3 n = joCross3( joSubtract3( joMeshView_Vertex( view, other, 1 ), a ),
                joSubtract3( joMeshView_Vertex( view, other, 2 ), a ) );
            double length = joLength3( n );
            for ( int side = 0; side < 2 && other != search->mesh->triangle; ++side )
            {
                double scale = ( side ? -1.0 : 1.0 ) / length, onB[3];
                const double direction[3] = { scale * n.x, scale * n.y, scale * n.z };
                joConvexPair_PointOfB(
                    &search->mesh->pair, joFindSupportB( &search->mesh->pair, direction ), onB );
                consider( search, direction, onB );
            }
        }
    }
}

static void turnFromB( const joConvexPair* pair, const double v[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = pair->rotation[i][0] * v[0] + pair->rotation[i][1] * v[1] + pair->rotation[i][2] * v[2];
    }
}

// Out of the shape, in the frame of A; unit.
static void faceNormalOf( const joConvexPair* pair, uint32_t face, double normal[3] )
{
    const float* own = pair->b.polytope.planes[face].normal;
    const double n[3] = { (double)own[0], (double)own[1], (double)own[2] };
    turnFromB( pair, n, normal );
    double length = sqrt( joDotOf3( normal, normal ) );
    for ( int k = 0; k < 3; ++k )
    {
        normal[k] /= length;
    }
}

static void considerFaces( const Search* search )
{
    const joConvexPair* pair = &search->mesh->pair;
    const joPolytope* b = &pair->b.polytope;
    for ( uint32_t face = 0; face < b->faceCount; ++face )
    {
        double normal[3], onB[3];
        faceNormalOf( pair, face, normal );
        const double direction[3] = { -normal[0], -normal[1], -normal[2] };
        joConvexPair_PointOfB( pair, b->edges[b->faceEdges[face]].origin, onB );
        consider( search, direction, onB );
    }
}

// Whether an edge of the shape is farthest out along a direction: neither of its faces goes on rising from
// it.
static bool isOutermost(
    const joConvexPair* pair, uint32_t edge, const double along[3], const double outwards[3] )
{
    const joHullEdge* halves = pair->b.polytope.edges + edge;
    for ( uint32_t half = 0; half < 2; ++half )
    {
        double normal[3], inwards[3];
        faceNormalOf( pair, halves[half].face, normal );
        joCrossOf3( normal, along, inwards );
        if ( ( half ? -1.0 : 1.0 ) * joDotOf3( inwards, outwards ) > 0.0 )
        {
            return false;
        }
    }
    return true;
}

// An edge of the shape from one vertex to another with each edge of the triangle. `edge`: the first of its
// halves; JO_NULL_INDEX: the shape is a segment.
static void considerEdge( const Search* search, uint32_t from, uint32_t to, uint32_t edge )
{
    const joConvexPair* pair = &search->mesh->pair;
    double start[3], end[3], along[3];
    joConvexPair_PointOfB( pair, from, start );
    joConvexPair_PointOfB( pair, to, end );
    joDifference3( end, start, along );
    for ( int i = 0; i < 3; ++i )
    {
        double n[3];
        const double* own = search->mesh->edges[i];
        joCrossOf3( own, along, n );
        double lengthSq = joDotOf3( n, n );
        if ( !( lengthSq > (double)JO_PARALLEL_SINE_SQ * joDotOf3( own, own ) * joDotOf3( along, along ) ) )
        {
            continue;
        }
        // The triangle must not rise from its edge.
        double rise = joDotOf3( n, search->mesh->edges[( i + 1 ) % 3] );
        double scale = ( rise > 0.0 ? -1.0 : 1.0 ) / sqrt( lengthSq );
        const double direction[3] = { scale * n[0], scale * n[1], scale * n[2] };
        const double outwards[3] = { -direction[0], -direction[1], -direction[2] };
        if ( edge == JO_NULL_INDEX || isOutermost( pair, edge, along, outwards ) )
        {
            consider( search, direction, start );
        }
    }
}

static void considerEdges( const Search* search )
{
    const joPolytope* b = &search->mesh->pair.b.polytope;
    if ( b->vertexCount == 2 )
    {
        considerEdge( search, 0, 1, JO_NULL_INDEX );
    }
    for ( uint32_t edge = 0; edge < b->edgeCount; edge += 2 )
    {
        considerEdge( search, b->edges[edge].origin, b->edges[edge + 1].origin, edge );
    }
}

// The triangle's own normal, to the side to which they are less deep.
static void takeFace( const joMeshPair* mesh, joPenetration* touch )
{
    touch->depth = INFINITY;
    for ( int side = 0; side < 2; ++side )
    {
        double onB[3], scale = side ? -1.0 : 1.0;
        const double direction[3] = {
            scale * mesh->normal[0], scale * mesh->normal[1], scale * mesh->normal[2] };
        joConvexPair_PointOfB( &mesh->pair, joFindSupportB( &mesh->pair, direction ), onB );
        // Its corner 0 is the origin.
        double depth = -joDotOf3( direction, onB );
        if ( depth < touch->depth )
        {
            touch->depth = depth;
            copy( direction, touch->normal );
            copy( onB, touch->onB );
            addScaled( onB, depth, direction, touch->onA );
        }
    }
}

bool joTouchTriangle( joMeshPair* mesh, double margin, joPenetration* touch, joCollideStatus* status )
{
    const joConvexPair* pair = &mesh->pair;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joRunGjk( pair, pair->radius + margin, &gjk );
    if ( gjk.isBeyond || gjk.distance > pair->radius + margin )
    {
        return false;
    }
    *status = gjk.status != jo_collideComplete ? gjk.status : *status;
    if ( gjk.distance <= JO_NO_DIRECTION * pair->size )
    {
        takeFace( mesh, touch );
        const Search search = { mesh, touch, (double)JO_AXIS_TIE * pair->size };
        considerNeighbours( &search );
        considerFaces( &search );
        considerEdges( &search );
        return true;
    }
    bool isFace;
    for ( int k = 0; k < 3; ++k )
    {
        touch->normal[k] = -gjk.separation[k] / gjk.distance;
    }
    if ( !joIsOpenDirection( mesh, touch->normal, &isFace ) )
    {
        return false;
    }
    if ( isFace )
    {
        double side = joDotOf3( touch->normal, mesh->normal ) < 0.0 ? -1.0 : 1.0;
        for ( int k = 0; k < 3; ++k )
        {
            touch->normal[k] = side * mesh->normal[k];
        }
    }
    touch->depth = -gjk.distance;
    joSimplex_Witness( pair, &gjk.simplex, touch->onA, touch->onB );
    return true;
}
