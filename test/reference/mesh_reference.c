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

// The rotation of a quaternion of any length, applied to a point.
static void place( const joTransform3* pose, const double local[3], double out[3] )
{
    double q[4] = { (double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z,
        (double)pose->rotation.w };
    double length = sqrt( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] ), once[3], twice[3];
    for ( int k = 0; k < 4; ++k )
    {
        q[k] /= length;
    }
    cross( q, local, once );
    cross( q, once, twice );
    const double at[3] = { (double)pose->position.x, (double)pose->position.y, (double)pose->position.z };
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = local[k] + 2.0 * ( q[3] * once[k] + twice[k] ) + at[k];
    }
}

void referenceMeshTriangle(
    const ReferenceMesh* mesh, const joTransform3* pose, uint32_t triangle, ReferenceHull* made )
{
    made->vertexCount = 3;
    made->faceCount = made->edgeCount = 0;
    made->radius = 0.0;
    for ( uint32_t corner = 0; corner < 3; ++corner )
    {
        double local[3];
        cornerOf( mesh, triangle, corner, local );
        place( pose, local, made->vertices[corner] );
    }
}

double referenceMeshSeparation(
    const ReferenceMesh* mesh, const joTransform3* pose, const ReferenceHull* shape, uint32_t* triangle )
{
    static ReferenceHull made;
    double nearest = INFINITY;
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        referenceMeshTriangle( mesh, pose, i, &made );
        double distance = hullReferenceDistance( &made, shape ).upper - shape->radius;
        if ( distance < nearest )
        {
            nearest = distance;
            if ( triangle != NULL )
            {
                *triangle = i;
            }
        }
    }
    return nearest;
}
