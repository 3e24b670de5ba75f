// SPDX-License-Identifier: MIT
// Triangles of a mesh as convex shapes, which directions count between them and a shape, and the way down the
// hierarchy.
#include "narrow_phase/mesh_pair_3d.h"

#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/tolerance.h"

// A triangle as a polytope: face 0 counter-clockwise, face 1 the other way round.
static const joHullEdge s_edges[6] = {
    { 2, 0, 0, 0 }, { 5, 1, 0, 1 }, { 4, 1, 0, 0 }, { 1, 2, 0, 1 }, { 0, 2, 0, 0 }, { 3, 0, 0, 1 } };
static const uint16_t s_faceEdges[2] = { 0, 1 };
static const uint16_t s_vertexEdges[3] = { 0, 2, 4 };

static void findBounds( joMeshPair* made )
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < made->pair.b.polytope.vertexCount; ++i )
    {
        double p[3];
        joConvexPair_PointOfB( &made->pair, i, p );
        for ( int k = 0; k < 3; ++k )
        {
            lower[k] = joSmallerOf( lower[k], p[k] - made->pair.b.radius );
            upper[k] = joLargerOf( upper[k], p[k] + made->pair.b.radius );
        }
    }
    made->bounds = joRoundBounds3( lower, upper );
}

void joMakeMeshPair( joMeshPair* made, const joPlacedPair3* placed )
{
    // The mesh's frame is that of a point at its origin.
    const joShape3 origin = { .kind = jo_sphereShape3, .sphere = { .radius = 0.0f } };
    const joPlacedPair3 turned = { &origin, placed->a, placed->poseB, placed->poseA };
    joMakeConvexPair( &made->pair, &turned );
    made->view = joViewMesh( placed->b->mesh );
    made->shapeSize = made->pair.b.size;
    for ( int k = 0; k < 3; ++k )
    {
        made->meshPosition[k] = made->pair.a.pose.position[k];
        made->shapePosition[k] = made->pair.position[k];
    }
    made->pair.a.polytope = ( joPolytope ){ .x = made->columns[0],
        .y = made->columns[1],
        .z = made->columns[2],
        .planes = made->planes,
        .edges = s_edges,
        .faceEdges = s_faceEdges,
        .vertexEdges = s_vertexEdges,
        .vertexCount = 3,
        .paddedCount = JO_HULL_LANES,
        .faceCount = 2,
        .edgeCount = 6 };
    findBounds( made );
}

void joSetTriangle( joMeshPair* pair, uint32_t triangle )
{
    double corners[3][3], largest = 0.0;
    pair->triangle = triangle;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        joVec3 p = pair->view.vertices[pair->view.triangles[triangle].vertices[i]];
        corners[i][0] = (double)p.x;
        corners[i][1] = (double)p.y;
        corners[i][2] = (double)p.z;
    }
    for ( int k = 0; k < 3; ++k )
    {
        for ( uint32_t i = 0; i < JO_HULL_LANES; ++i )
        {
            pair->columns[k][i] = (float)( corners[i < 3 ? i : 0][k] - corners[0][k] );
        }
        for ( uint32_t i = 0; i < 3; ++i )
        {
            pair->edges[i][k] = (double)pair->columns[k][( i + 1 ) % 3] - (double)pair->columns[k][i];
        }
        largest += fmax( fabs( pair->edges[0][k] ), fabs( pair->edges[2][k] ) );
        pair->pair.position[k] = pair->shapePosition[k] - corners[0][k];
    }
    joCrossOf3( pair->edges[0], pair->edges[1], pair->normal );
    double length = sqrt( joDotOf3( pair->normal, pair->normal ) );
    double turned[3];
    joMatrix3_Apply( &pair->pair.a.pose.rotation, corners[0], turned );
    for ( int k = 0; k < 3; ++k )
    {
        pair->normal[k] /= length;
        pair->planes[0].normal[k] = (float)pair->normal[k];
        pair->planes[1].normal[k] = -(float)pair->normal[k];
        pair->pair.a.pose.position[k] = pair->meshPosition[k] + turned[k];
    }
    pair->pair.a.size = largest;
    pair->pair.size = largest + pair->shapeSize;
}

// Whether a vertex of the mesh is higher along a direction than one at the height of a corner; by more than
// what counts as flat.
static bool isHigher( const joMeshPair* pair, uint32_t vertex, uint32_t corner, const double direction[3] )
{
    joVec3 from = pair->view.vertices[corner], to = pair->view.vertices[vertex];
    const double along[3] = {
        (double)to.x - (double)from.x, (double)to.y - (double)from.y, (double)to.z - (double)from.z };
    return joDotOf3( direction, along ) > JO_FLAT_SURFACE * sqrt( joDotOf3( along, along ) );
}

static bool hasVertex( const joMeshTriangle* triangle, uint32_t vertex )
{
    return triangle->vertices[0] == vertex || triangle->vertices[1] == vertex ||
           triangle->vertices[2] == vertex;
}

// Whether no triangle that has both vertices reaches higher than the first of them. Both may be the same.
static bool endsAt( const joMeshPair* pair, uint32_t vertex, uint32_t other, const double direction[3] )
{
    const joMeshView* view = &pair->view;
    for ( uint32_t i = view->vertexStarts[vertex]; i < view->vertexStarts[vertex + 1]; ++i )
    {
        const joMeshTriangle* triangle = view->triangles + view->vertexTriangles[i];
        if ( view->vertexTriangles[i] == pair->triangle || !hasVertex( triangle, other ) )
        {
            continue;
        }
        for ( int corner = 0; corner < 3; ++corner )
        {
            uint32_t third = triangle->vertices[corner];
            if ( third != vertex && third != other && isHigher( pair, third, vertex, direction ) )
            {
                return false;
            }
        }
    }
    return true;
}

bool joIsOpenDirection( const joMeshPair* pair, const double direction[3], bool* isFace )
{
    double heights[3] = { 0.0 };
    uint32_t top = 0, outermost[3] = { 0 }, count = 0;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        double p[3];
        joPolytope_GetVertex( &pair->pair.a.polytope, i, p );
        heights[i] = joDotOf3( direction, p );
        top = heights[i] > heights[top] ? i : top;
    }
    const uint32_t* vertices = pair->view.triangles[pair->triangle].vertices;
    for ( uint32_t i = 0; i < 3; ++i )
    {
        // The edge between the two is that of the lower one of them, or of the other.
        const double* edge = pair->edges[( i + 1 ) % 3 == top ? i : top];
        bool isLevel = heights[top] - heights[i] <= JO_FLAT_SURFACE * sqrt( joDotOf3( edge, edge ) );
        if ( i == top || isLevel )
        {
            outermost[count++] = vertices[i];
        }
    }
    *isFace = count == 3;
    return count == 3 || endsAt( pair, outermost[0], outermost[count - 1], direction );
}

void joStartWalk( joMeshWalk* walk, const joMeshPair* pair, double margin )
{
    double lower[3], upper[3];
    for ( int k = 0; k < 3; ++k )
    {
        lower[k] = (double)( &pair->bounds.lower.x )[k] - margin;
        upper[k] = (double)( &pair->bounds.upper.x )[k] + margin;
    }
    walk->view = &pair->view;
    walk->bounds = joRoundBounds3( lower, upper );
    walk->stack[0] = 0;
    walk->count = 1;
    walk->next = walk->end = 0;
}

static bool meets( const joMeshNode* node, const joBounds3* bounds )
{
    return node->lower[0] <= bounds->upper.x && node->upper[0] >= bounds->lower.x &&
           node->lower[1] <= bounds->upper.y && node->upper[1] >= bounds->lower.y &&
           node->lower[2] <= bounds->upper.z && node->upper[2] >= bounds->lower.z;
}

bool joNextTriangle( joMeshWalk* walk, uint32_t* triangle )
{
    while ( walk->next == walk->end )
    {
        if ( walk->count == 0 )
        {
            return false;
        }
        const joMeshNode* node = walk->view->nodes + walk->stack[--walk->count];
        if ( !meets( node, &walk->bounds ) )
        {
            continue;
        }
        if ( node->count > 0 )
        {
            walk->next = node->first;
            walk->end = node->first + node->count;
            continue;
        }
        walk->stack[walk->count++] = node->first + 1;
        walk->stack[walk->count++] = node->first;
    }
    *triangle = walk->next++;
    return true;
}
