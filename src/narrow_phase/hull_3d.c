// SPDX-License-Identifier: MIT
// The convex hull in 3D once it is made: its block, bounds, mass and support point.
#include "narrow_phase/hull_3d.h"

#include "base/assert.h"
#include "base/float_env.h"
#include "math/rotation.h"
#include "narrow_phase/shape_bounds.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES 128

_Static_assert( sizeof( joHull3 ) == HEADER_BYTES, "arrays begin at a cache line" );
_Static_assert( sizeof( joHullEdge ) == 6 && sizeof( joHullPlane ) == 16, "no holes in a block" );

size_t joHullBytes( uint32_t vertexCount, uint32_t faceCount, uint32_t edgeCount )
{
    size_t padded = ( vertexCount + JO_HULL_LANES - 1 ) / JO_HULL_LANES * JO_HULL_LANES;
    size_t bytes = HEADER_BYTES + 3 * padded * sizeof( float ) + faceCount * sizeof( joHullPlane ) +
                   edgeCount * sizeof( joHullEdge ) + ( faceCount + vertexCount ) * sizeof( uint16_t );
    return ( bytes + 63 ) / 64 * 64;
}

joResult joCheckHull3( const joHull3* hull )
{
    return hull == NULL ? jo_errorNullArgument : hull->magic != JO_HULL_MAGIC ? jo_errorBadShape : jo_success;
}

size_t joHull3_GetSize( const joHull3* hull )
{
    return hull->byteCount;
}

uint32_t joHull3_GetVertexCount( const joHull3* hull )
{
    return hull->vertexCount;
}

joVec3 joHull3_GetVertex( const joHull3* hull, uint32_t vertex )
{
    joPolytope view = joViewHull( hull );
    JO_ASSERT( vertex < hull->vertexCount );
    return ( joVec3 ){ view.x[vertex], view.y[vertex], view.z[vertex] };
}

uint32_t joHull3_GetFaceCount( const joHull3* hull )
{
    return hull->faceCount;
}

uint32_t joHull3_GetFace(
    const joHull3* hull, uint32_t face, uint8_t* vertices, uint32_t capacity, joVec3* normal, float* offset )
{
    joPolytope view = joViewHull( hull );
    JO_ASSERT( face < hull->faceCount );
    const joHullPlane* plane = view.planes + face;
    if ( normal != NULL )
    {
        *normal = ( joVec3 ){ plane->normal[0], plane->normal[1], plane->normal[2] };
    }
    if ( offset != NULL )
    {
        *offset = plane->offset;
    }
    uint32_t count = 0, edge = view.faceEdges[face];
    do
    {
        if ( count < capacity )
        {
            vertices[count] = view.edges[edge].origin;
        }
        count += 1;
        edge = view.edges[edge].next;
    } while ( edge != view.faceEdges[face] );
    return count;
}

// Sums of a hull, as tetrahedra from one of its vertices.
typedef struct Integrals
{
    double volume;       // six times
    double first[3];     // 24 times the integral of x, y, z
    double second[3][3]; // 120 times that of the products
} Integrals;

static void addTetrahedron( Integrals* sums, const double a[3], const double b[3], const double c[3] )
{
    double volume = a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) +
                    a[2] * ( b[0] * c[1] - b[1] * c[0] );
    sums->volume += volume;
    for ( int i = 0; i < 3; ++i )
    {
        sums->first[i] += volume * ( a[i] + b[i] + c[i] );
        for ( int j = 0; j < 3; ++j )
        {
            sums->second[i][j] += volume * ( a[i] * a[j] + b[i] * b[j] + c[i] * c[j] +
                                               ( a[i] + b[i] + c[i] ) * ( a[j] + b[j] + c[j] ) );
        }
    }
}

static void vertexFrom( const joPolytope* view, uint32_t vertex, const double origin[3], double out[3] )
{
    joPolytope_GetVertex( view, vertex, out );
    for ( int k = 0; k < 3; ++k )
    {
        out[k] -= origin[k];
    }
}

void joFillHullMass( joHull3* hull )
{
    joPolytope view = joViewHull( hull );
    Integrals sums = { 0 };
    double origin[3];
    joPolytope_GetVertex( &view, 0, origin );
    for ( uint32_t face = 0; face < view.faceCount; ++face )
    {
        const joHullEdge* first = view.edges + view.faceEdges[face];
        double a[3], b[3], c[3];
        vertexFrom( &view, first->origin, origin, a );
        const joHullEdge* edge = view.edges + first->next;
        vertexFrom( &view, edge->origin, origin, b );
        for ( edge = view.edges + edge->next; edge != first; edge = view.edges + edge->next )
        {
            vertexFrom( &view, edge->origin, origin, c );
            addTetrahedron( &sums, a, b, c );
            memcpy( b, c, sizeof( b ) );
        }
    }
    double volume = sums.volume / 6.0, center[3], second[3][3];
    hull->volume = (float)volume;
    for ( int i = 0; i < 3; ++i )
    {
        center[i] = sums.first[i] / ( 4.0 * sums.volume );
        hull->center[i] = (float)( center[i] + origin[i] );
    }
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            second[i][j] = sums.second[i][j] / ( 20.0 * sums.volume ) - center[i] * center[j];
        }
    }
    double trace = second[0][0] + second[1][1] + second[2][2];
    for ( int i = 0; i < 3; ++i )
    {
        hull->inertiaDiagonal[i] = (float)( trace - second[i][i] );
        hull->inertiaProducts[i] = (float)-second[( i + 1 ) % 3][( i + 2 ) % 3];
    }
}

float joComputeHullVolume3( const joHull3* hull )
{
    return hull->volume;
}

joMassData3 joComputeHullMass3( const joHull3* hull, float density )
{
    joFloatEnv env = joFloatEnv_Enter();
    double mass = (double)hull->volume * (double)density;
    joMassData3 data = { .mass = (float)mass,
        .center = { hull->center[0], hull->center[1], hull->center[2] },
        .inertiaDiagonal = { (float)( mass * (double)hull->inertiaDiagonal[0] ),
            (float)( mass * (double)hull->inertiaDiagonal[1] ),
            (float)( mass * (double)hull->inertiaDiagonal[2] ) },
        .inertiaProducts = { (float)( mass * (double)hull->inertiaProducts[0] ),
            (float)( mass * (double)hull->inertiaProducts[1] ),
            (float)( mass * (double)hull->inertiaProducts[2] ) } };
    joFloatEnv_Leave( env );
    return data;
}

joVec3 joFindHullSupport3( const joHull3* hull, joVec3 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    joPolytope view = joViewHull( hull );
    uint32_t best = 0;
    double highest = -INFINITY;
    for ( uint32_t i = 0; i < view.vertexCount; ++i )
    {
        double p[3];
        joPolytope_GetVertex( &view, i, p );
        double height = (double)direction.x * p[0] + (double)direction.y * p[1] + (double)direction.z * p[2];
        best = height > highest ? i : best;
        highest = height > highest ? height : highest;
    }
    joFloatEnv_Leave( env );
    return ( joVec3 ){ view.x[best], view.y[best], view.z[best] };
}

joBounds3 joComputeHullBounds3( const joHull3* hull, joTransform3 pose )
{
    return joComputeHullSweptBounds3( hull, pose, pose );
}

// How far the hull reaches from the origin of its body.
static double reachOf( const joPolytope* view )
{
    double farthestSq = 0.0;
    for ( uint32_t i = 0; i < view->vertexCount; ++i )
    {
        double p[3];
        joPolytope_GetVertex( view, i, p );
        farthestSq = joLargerOf( farthestSq, p[0] * p[0] + p[1] * p[1] + p[2] * p[2] );
    }
    return sqrt( farthestSq );
}

joBounds3 joComputeHullSweptBounds3( const joHull3* hull, joTransform3 from, joTransform3 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    joPolytope view = joViewHull( hull );
    joBounds3 bounds;
    if ( !joHaveSameRotation3( &from, &to ) )
    {
        bounds = joComputeReachBounds3( &from, &to, reachOf( &view ) );
        joFloatEnv_Leave( env );
        return bounds;
    }
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( from.rotation ) );
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < view.vertexCount; ++i )
    {
        double p[3], turned[3];
        joPolytope_GetVertex( &view, i, p );
        joMatrix3_Apply( &rotation, p, turned );
        for ( int k = 0; k < 3; ++k )
        {
            lower[k] = joSmallerOf( lower[k], turned[k] );
            upper[k] = joLargerOf( upper[k], turned[k] );
        }
    }
    const float a[3] = { from.position.x, from.position.y, from.position.z };
    const float b[3] = { to.position.x, to.position.y, to.position.z };
    for ( int k = 0; k < 3; ++k )
    {
        lower[k] += joSmallerOf( (double)a[k], (double)b[k] );
        upper[k] += joLargerOf( (double)a[k], (double)b[k] );
    }
    bounds = joRoundBounds3( lower, upper );
    joFloatEnv_Leave( env );
    return bounds;
}
