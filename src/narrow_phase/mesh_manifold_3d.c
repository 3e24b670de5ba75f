// SPDX-License-Identifier: MIT
// Manifolds of a mesh: of one triangle, and of all that touch a shape along one direction.
#include "narrow_phase/mesh_pair_3d.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <string.h>

// Points of triangles are gathered up to this many before they are reduced to four; the corners of a face
// that lies on more than some sixty triangles may be a little off.
#define MAX_CANDIDATES 256

typedef struct Candidates
{
    joManifoldPoint3 points[MAX_CANDIDATES];
    uint32_t count;
} Candidates;

void joFillTriangleManifold(
    const joMeshPair* mesh, const joPenetration* touch, double margin, joManifold3* manifold )
{
    manifold->normal = joLocalDirectionToWorld3( &mesh->pair.a.pose, touch->normal );
    manifold->depth = (float)( touch->depth + mesh->pair.radius );
    joFindConvexContacts( &mesh->pair, touch, margin, manifold );
    // A triangle's edges have the same names in all triangles.
    const uint32_t name = manifold->child = mesh->view.triangles[mesh->triangle].name;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        // Odd, so that it is not 0.
        manifold->points[i].featureId = ( manifold->points[i].featureId * 2 ^ name * 0x9E3779B1u * 2 ) | 1;
    }
}

// Twice the area of a triangle as seen along the normal.
static double areaOf( joWide3 normal, joWide3 a, joWide3 b, joWide3 c )
{
    return joDot3( normal, joCross3( joSubtract3( b, a ), joSubtract3( c, a ) ) );
}

// What a point adds to those that are chosen: distance; area; area outside of the triangle.
static double gainOf(
    const joManifoldPoint3* point, const joManifoldPoint3* chosen, uint32_t count, joWide3 normal )
{
    joWide3 p = joWiden3( point->position ), a = joWiden3( chosen[0].position );
    if ( count == 1 )
    {
        return joLength3( joSubtract3( p, a ) );
    }
    joWide3 b = joWiden3( chosen[1].position );
    if ( count == 2 )
    {
        return fabs( areaOf( normal, a, b, p ) );
    }
    joWide3 c = joWiden3( chosen[2].position );
    double turn = areaOf( normal, a, b, c ) > 0.0 ? -1.0 : 1.0;
    return fmax( turn * areaOf( normal, a, b, p ),
        fmax( turn * areaOf( normal, b, c, p ), turn * areaOf( normal, c, a, p ) ) );
}

// The deepest; of those that are as deep but for rounding, as on a flat floor, the outermost to one side.
static uint32_t findFirst( const Candidates* candidates, double size, joWide3 normal )
{
    joWide3 side = joPerpendicular3( normal ), origin = joWiden3( candidates->points[0].position );
    double deepest = -INFINITY, farthest = -INFINITY;
    uint32_t first = 0;
    for ( uint32_t i = 0; i < candidates->count; ++i )
    {
        deepest = fmax( deepest, (double)candidates->points[i].depth );
    }
    for ( uint32_t i = 0; i < candidates->count; ++i )
    {
        const joManifoldPoint3* point = candidates->points + i;
        double distance = joDot3( joSubtract3( joWiden3( point->position ), origin ), side );
        if ( (double)point->depth >= deepest - JO_LEVEL_DEPTH * size && distance > farthest )
        {
            farthest = distance;
            first = i;
        }
    }
    return first;
}

// Chooses up to four of the candidates, one of the deepest among them.
static void reduce( const Candidates* candidates, double size, joManifold3* manifold )
{
    joWide3 normal = joWiden3( manifold->normal );
    double width = 0.0, leastWidth = 4.0 * (double)JO_CLIP_SLOP * size;
    manifold->points[0] = candidates->points[findFirst( candidates, size, normal )];
    manifold->pointCount = 1;
    while ( manifold->pointCount < JO_MAX_MANIFOLD_POINTS3 )
    {
        uint32_t chosen = manifold->pointCount, best = JO_NULL_INDEX;
        double most = chosen == 1 ? leastWidth : leastWidth * width;
        for ( uint32_t i = 0; i < candidates->count; ++i )
        {
            double gain = gainOf( candidates->points + i, manifold->points, chosen, normal );
            if ( gain > most )
            {
                most = gain;
                best = i;
            }
        }
        if ( best == JO_NULL_INDEX )
        {
            return;
        }
        width = chosen == 1 ? most : width;
        manifold->points[manifold->pointCount++] = candidates->points[best];
    }
}

// Makes room for more points.
static void makeRoom( Candidates* candidates, uint32_t count, double size, joManifold3* manifold )
{
    if ( candidates->count + count > MAX_CANDIDATES )
    {
        reduce( candidates, size, manifold );
        candidates->count = manifold->pointCount;
        memcpy( candidates->points, manifold->points, manifold->pointCount * sizeof( *manifold->points ) );
    }
}

// Whether a point lies over the triangle, or over its edges but for slop.
static bool isOver( const joMeshPair* mesh, const double point[3] )
{
    for ( uint32_t i = 0; i < 3; ++i )
    {
        double corner[3], from[3], side[3];
        const double* edge = mesh->edges[i];
        joPolytope_GetVertex( &mesh->pair.a.polytope, i, corner );
        joDifference3( point, corner, from );
        joCrossOf3( edge, from, side );
        double slop = (double)JO_CLIP_SLOP * mesh->shapeSize * sqrt( joDotOf3( edge, edge ) );
        if ( joDotOf3( side, mesh->normal ) < -slop )
        {
            return false;
        }
    }
    return true;
}

// The shape's vertices over the triangle. They are the corners of what touches a surface, which the reduction
// of each triangle's points may have lost; and have one name wherever they are.
static void gatherVertices( Candidates* candidates, const joMeshPair* mesh, const joPenetration* touch,
    double margin, joManifold3* manifold )
{
    const joConvexPair* pair = &mesh->pair;
    if ( pair->b.polytope.vertexCount == 1 ||
         fabs( joDotOf3( touch->normal, mesh->normal ) ) < JO_SAME_SURFACE )
    {
        return;
    }
    for ( uint32_t i = 0; i < pair->b.polytope.vertexCount; ++i )
    {
        double p[3];
        joConvexPair_PointOfB( pair, i, p );
        // The triangle's first corner is the origin.
        double depth = -joDotOf3( touch->normal, p );
        if ( depth + pair->radius < -margin || !isOver( mesh, p ) )
        {
            continue;
        }
        for ( int k = 0; k < 3; ++k )
        {
            p[k] += 0.5 * ( depth - pair->radius ) * touch->normal[k];
        }
        makeRoom( candidates, 1, mesh->shapeSize, manifold );
        candidates->points[candidates->count++] = ( joManifoldPoint3 ){
            joLocalPointToWorld3( &mesh->pair.a.pose, p ), (float)( depth + pair->radius ), 2 * i + 2 };
    }
}

static void gather( Candidates* candidates, const joMeshPair* mesh, const joPenetration* touch, double margin,
    joManifold3* manifold )
{
    joManifold3 added = { .pointCount = 0 };
    gatherVertices( candidates, mesh, touch, margin, manifold );
    joFillTriangleManifold( mesh, touch, margin, &added );
    makeRoom( candidates, added.pointCount, mesh->shapeSize, manifold );
    memcpy(
        candidates->points + candidates->count, added.points, added.pointCount * sizeof( *added.points ) );
    candidates->count += added.pointCount;
}

// Names of points of two triangles are numbers as if by chance: they hardly ever agree.
static void tellApart( joManifold3* manifold )
{
    for ( uint32_t i = 1; i < manifold->pointCount; ++i )
    {
        for ( uint32_t k = 0; k < i; )
        {
            bool isSame = manifold->points[k].featureId == manifold->points[i].featureId;
            manifold->points[i].featureId += isSame ? 2 : 0;
            k = isSame ? 0 : k + 1;
        }
    }
}

// The deepest triangle; of equally deep ones the first. False: none is within the margin.
static bool findDeepest(
    joMeshPair* mesh, double margin, joPenetration* deepest, joCollideStatus* status, uint32_t* found )
{
    joMeshWalk walk;
    uint32_t triangle;
    *found = JO_NULL_INDEX;
    joStartWalk( &walk, mesh, margin );
    while ( joNextTriangle( &walk, &triangle ) )
    {
        joPenetration touch;
        joSetTriangle( mesh, triangle );
        double tie = (double)JO_AXIS_TIE * mesh->shapeSize;
        if ( joTouchTriangle( mesh, margin, &touch, status ) &&
             ( *found == JO_NULL_INDEX || touch.depth > deepest->depth + tie ) )
        {
            *deepest = touch;
            *found = triangle;
        }
    }
    return *found != JO_NULL_INDEX;
}

void joFillMeshManifold( joMeshPair* mesh, double margin, joManifold3* manifold )
{
    joPenetration deepest, touch;
    joMeshWalk walk;
    Candidates candidates;
    uint32_t first, triangle, touching = 1;
    if ( !findDeepest( mesh, margin, &deepest, &manifold->status, &first ) )
    {
        return;
    }
    joSetTriangle( mesh, first );
    joFillTriangleManifold( mesh, &deepest, margin, manifold );
    candidates.count = 0;
    gather( &candidates, mesh, &deepest, margin, manifold );
    joStartWalk( &walk, mesh, margin );
    while ( joNextTriangle( &walk, &triangle ) )
    {
        joSetTriangle( mesh, triangle );
        if ( triangle != first && joTouchTriangle( mesh, margin, &touch, &manifold->status ) &&
             joDotOf3( touch.normal, deepest.normal ) > JO_SAME_SURFACE )
        {
            gather( &candidates, mesh, &touch, margin, manifold );
            touching += 1;
        }
    }
    if ( touching > 1 )
    {
        reduce( &candidates, mesh->shapeSize, manifold );
        tellApart( manifold );
    }
}
