// SPDX-License-Identifier: MIT
#include "reference/mesh_reference.h"

#include <math.h>

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void cornerOf( const ReferenceMesh* mesh, uint32_t triangle, uint32_t corner, double out[3] )
{
    const float* p = mesh->vertices + 3 * (uint64_t)mesh->indices[3 * (uint64_t)triangle + corner];
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = (double)p[k];
    }
}

static void subtract( const double a[3], const double b[3], double out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = a[k] - b[k];
    }
}

// Moeller and Trumbore: the barycentric coordinates of where the ray meets the plane.
double referenceMeshRay(
    const ReferenceMesh* mesh, const double origin[3], const double direction[3], double* doubt )
{
    double nearest = INFINITY;
    *doubt = INFINITY;
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        double a[3], b[3], c[3], ab[3], ac[3], p[3], from[3], q[3];
        cornerOf( mesh, i, 0, a );
        cornerOf( mesh, i, 1, b );
        cornerOf( mesh, i, 2, c );
        subtract( b, a, ab );
        subtract( c, a, ac );
        subtract( origin, a, from );
        cross( direction, ac, p );
        cross( from, ab, q );
        double determinant = dot( ab, p );
        if ( determinant == 0.0 )
        {
            continue;
        }
        double u = dot( from, p ) / determinant, v = dot( direction, q ) / determinant;
        double distance = dot( ac, q ) / determinant;
        double inside = fmin( u, fmin( v, 1.0 - u - v ) );
        if ( distance >= 0.0 )
        {
            *doubt = fmin( *doubt, fabs( inside ) );
        }
        if ( inside >= 0.0 && distance >= 0.0 && distance < nearest )
        {
            nearest = distance;
        }
    }
    return nearest;
}

static double segmentDistance( const double a[3], const double b[3], const double p[3] )
{
    double along[3], from[3];
    subtract( b, a, along );
    subtract( p, a, from );
    double t = fmin( fmax( dot( from, along ) / dot( along, along ), 0.0 ), 1.0 );
    for ( int k = 0; k < 3; ++k )
    {
        from[k] -= t * along[k];
    }
    return sqrt( dot( from, from ) );
}

// The foot on the plane, if it is within the triangle; else the nearest of three segments.
static double triangleDistance( const double a[3], const double b[3], const double c[3], const double p[3] )
{
    double ab[3], bc[3], ca[3], ac[3], normal[3], side[3], from[3];
    subtract( b, a, ab );
    subtract( c, b, bc );
    subtract( a, c, ca );
    subtract( c, a, ac );
    cross( ab, ac, normal );
    const double* corners[3] = { a, b, c };
    const double* edges[3] = { ab, bc, ca };
    bool isInside = true;
    for ( int i = 0; i < 3; ++i )
    {
        subtract( p, corners[i], from );
        cross( normal, edges[i], side );
        isInside = isInside && dot( side, from ) >= 0.0;
    }
    double nearest =
        fmin( segmentDistance( a, b, p ), fmin( segmentDistance( b, c, p ), segmentDistance( c, a, p ) ) );
    subtract( p, a, from );
    return isInside ? fabs( dot( normal, from ) ) / sqrt( dot( normal, normal ) ) : nearest;
}

double referenceMeshDistance( const ReferenceMesh* mesh, const double point[3] )
{
    double nearest = INFINITY;
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        double a[3], b[3], c[3];
        cornerOf( mesh, i, 0, a );
        cornerOf( mesh, i, 1, b );
        cornerOf( mesh, i, 2, c );
        nearest = fmin( nearest, triangleDistance( a, b, c, point ) );
    }
    return nearest;
}
