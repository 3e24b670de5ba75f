// SPDX-License-Identifier: MIT
// Shapes as cores with a radius, and their support points.
#include "narrow_phase/convex_3d.h"

#include "base/float_env.h"

#include <math.h>
#include <string.h>

// A box as a polytope: vertex i is on the positive side of axis k if bit k of i is set; its faces are -x, x,
// -y, y, -z, z.
static const joHullEdge s_boxEdges[24] = { { 2, 4, 0, 0 }, { 17, 6, 0, 5 }, { 4, 6, 0, 0 }, { 20, 2, 0, 3 },
    { 6, 2, 0, 0 }, { 23, 0, 0, 4 }, { 0, 0, 0, 0 }, { 18, 4, 0, 2 }, { 10, 1, 0, 1 }, { 19, 3, 0, 4 },
    { 12, 3, 0, 1 }, { 22, 7, 0, 3 }, { 14, 7, 0, 1 }, { 21, 5, 0, 5 }, { 8, 5, 0, 1 }, { 16, 1, 0, 2 },
    { 7, 5, 0, 2 }, { 13, 4, 0, 5 }, { 15, 0, 0, 2 }, { 5, 1, 0, 4 }, { 11, 6, 0, 3 }, { 1, 7, 0, 5 },
    { 3, 3, 0, 3 }, { 9, 2, 0, 4 } };
static const uint16_t s_boxFaceEdges[6] = { 0, 8, 15, 3, 23, 17 };
static const uint16_t s_boxVertexEdges[8] = { 5, 8, 3, 9, 0, 13, 1, 11 };

static void setVertex( joConvex* convex, uint32_t vertex, joVec3 point )
{
    convex->columns[0][vertex] = point.x;
    convex->columns[1][vertex] = point.y;
    convex->columns[2][vertex] = point.z;
}

static void useColumns( joConvex* convex, uint32_t count )
{
    convex->polytope = ( joPolytope ){ .x = convex->columns[0],
        .y = convex->columns[1],
        .z = convex->columns[2],
        .vertexCount = count,
        .paddedCount = count };
}

static void makeBox( joConvex* convex, const joBox3* box, joTransform3 pose )
{
    const float half[3] = { box->halfExtents.x, box->halfExtents.y, box->halfExtents.z };
    for ( uint32_t i = 0; i < 8; ++i )
    {
        setVertex( convex, i,
            ( joVec3 ){
                i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2] } );
    }
    useColumns( convex, 8 );
    for ( int face = 0; face < 6; ++face )
    {
        convex->planes[face] = ( joHullPlane ){ .offset = half[face / 2] };
        convex->planes[face].normal[face / 2] = face % 2 ? 1.0f : -1.0f;
    }
    convex->polytope.planes = convex->planes;
    convex->polytope.edges = s_boxEdges;
    convex->polytope.faceEdges = s_boxFaceEdges;
    convex->polytope.vertexEdges = s_boxVertexEdges;
    convex->polytope.faceCount = 6;
    convex->polytope.edgeCount = 24;
    convex->isBox = true;
    convex->size = (double)half[0] + (double)half[1] + (double)half[2];
    convex->pose = joComposePose3( pose, box->localPose );
}

static double lengthOf( joVec3 v )
{
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt( x * x + y * y + z * z );
}

// A round shape's core lies in a frame around one of its points: so nothing is lost to the distance from the
// origin of the body.
static void makeRound( joConvex* convex, joVec3 a, joVec3 b, float radius, joTransform3 pose, uint32_t count )
{
    joTransform3 local = { a, { 0.0f, 0.0f, 0.0f, 1.0f } };
    joVec3 along = { b.x - a.x, b.y - a.y, b.z - a.z };
    setVertex( convex, 0, ( joVec3 ){ 0.0f, 0.0f, 0.0f } );
    setVertex( convex, 1, along );
    useColumns( convex, count );
    convex->radius = (double)radius;
    convex->size = (double)radius + lengthOf( along );
    convex->pose = joComposePose3( pose, local );
}

static void makeConvex( joConvex* convex, const joShape3* shape, joTransform3 pose )
{
    convex->radius = 0.0;
    convex->isBox = false;
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            makeRound( convex, shape->sphere.center, shape->sphere.center, shape->sphere.radius, pose, 1 );
            break;
        case jo_capsuleShape3:
            makeRound( convex, shape->capsule.a, shape->capsule.b, shape->capsule.radius, pose, 2 );
            break;
        case jo_boxShape3:
            makeBox( convex, &shape->box, pose );
            break;
        default:
            convex->polytope = joViewHull( shape->hull );
            convex->size = (double)shape->hull->size;
            convex->pose = joComposePose3( pose, joMakeIdentity3() );
            break;
    }
}

void joMakeConvexPair( joConvexPair* pair, const joPlacedPair3* placed )
{
    makeConvex( &pair->a, placed->a, *placed->poseA );
    makeConvex( &pair->b, placed->b, *placed->poseB );
    pair->size = pair->a.size + pair->b.size;
    pair->radius = pair->a.radius + pair->b.radius;
    double between[3];
    joDifference3( pair->b.pose.position, pair->a.pose.position, between );
    joMatrix3_ApplyInverse( &pair->a.pose.rotation, between, pair->position );
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            double entry = 0.0;
            for ( int k = 0; k < 3; ++k )
            {
                entry += pair->a.pose.rotation.m[k][i] * pair->b.pose.rotation.m[k][j];
            }
            pair->rotation[i][j] = entry;
        }
    }
}

// Four floats at a time, which every machine has: gcc and clang make of it what there is, and each lane is
// rounded as it would be alone.
typedef float Lanes __attribute__( ( vector_size( 16 ) ) );
typedef int32_t Numbers __attribute__( ( vector_size( 16 ) ) );

static inline Lanes load( const float* from )
{
    Lanes lanes;
    memcpy( &lanes, from, sizeof( lanes ) );
    return lanes;
}

// The highest vertex of columns that are filled up: each lane keeps its first best, and of the lanes the
// first best wins.
static uint32_t findInColumns( const joPolytope* p, float dx, float dy, float dz )
{
    const Lanes x = { dx, dx, dx, dx }, y = { dy, dy, dy, dy }, z = { dz, dz, dz, dz };
    const Numbers four = { 4, 4, 4, 4 };
    Numbers number = { 0, 1, 2, 3 }, at = number;
    Lanes best = x * load( p->x ) + y * load( p->y ) + z * load( p->z );
    for ( uint32_t i = 4; i < p->vertexCount; i += 4 )
    {
        Lanes height = x * load( p->x + i ) + y * load( p->y + i ) + z * load( p->z + i );
        Numbers isHigher = height > best;
        number += four;
        best = (Lanes)( ( (Numbers)height & isHigher ) | ( (Numbers)best & ~isHigher ) );
        at = ( number & isHigher ) | ( at & ~isHigher );
    }
    float highest = best[0];
    for ( int k = 1; k < 4; ++k )
    {
        highest = best[k] > highest ? best[k] : highest;
    }
    int32_t first = INT32_MAX;
    for ( int k = 0; k < 4; ++k )
    {
        int32_t candidate = best[k] == highest ? at[k] : INT32_MAX;
        first = candidate < first ? candidate : first;
    }
    // What fills the columns up is the first vertex, which stands before it.
    return (uint32_t)first;
}

static uint32_t findVertex( const joConvex* convex, double x, double y, double z )
{
    if ( convex->isBox )
    {
        return ( x > 0.0 ? 1u : 0u ) | ( y > 0.0 ? 2u : 0u ) | ( z > 0.0 ? 4u : 0u );
    }
    const joPolytope* p = &convex->polytope;
    if ( p->vertexCount > 2 )
    {
        // Of very short or long directions products would vanish, or be infinite.
        double size = fabs( x ) + fabs( y ) + fabs( z ), scale = 1.0;
        if ( !( size > 1e-12 && size < 1e12 ) )
        {
            scale = size > 0.0 ? 1.0 / size : 0.0;
        }
        return findInColumns( p, (float)( x * scale ), (float)( y * scale ), (float)( z * scale ) );
    }
    bool isSecond =
        p->vertexCount == 2 && x * (double)p->x[1] + y * (double)p->y[1] + z * (double)p->z[1] > 0.0;
    return isSecond ? 1 : 0;
}

uint32_t joFindSupportA( const joConvexPair* pair, const double d[3] )
{
    return findVertex( &pair->a, d[0], d[1], d[2] );
}

uint32_t joFindSupportB( const joConvexPair* pair, const double d[3] )
{
    const double( *r )[3] = pair->rotation;
    return findVertex( &pair->b, -( r[0][0] * d[0] + r[1][0] * d[1] + r[2][0] * d[2] ),
        -( r[0][1] * d[0] + r[1][1] * d[1] + r[2][1] * d[2] ),
        -( r[0][2] * d[0] + r[1][2] * d[1] + r[2][2] * d[2] ) );
}

joSupportPoint joMakeSupport( const joConvexPair* pair, uint32_t vertexA, uint32_t vertexB )
{
    joSupportPoint made = { .vertexA = (uint8_t)vertexA, .vertexB = (uint8_t)vertexB };
    double a[3], b[3];
    joPolytope_GetVertex( &pair->a.polytope, vertexA, a );
    joConvexPair_PointOfB( pair, vertexB, b );
    joDifference3( a, b, made.w );
    return made;
}

joSupportPoint joFindSupport( const joConvexPair* pair, const double direction[3] )
{
    return joMakeSupport( pair, joFindSupportA( pair, direction ), joFindSupportB( pair, direction ) );
}

void joSimplex_Witness( const joConvexPair* pair, const joSimplex* simplex, double onA[3], double onB[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        onA[k] = onB[k] = 0.0;
    }
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        double a[3], b[3];
        joPolytope_GetVertex( &pair->a.polytope, simplex->points[i].vertexA, a );
        joConvexPair_PointOfB( pair, simplex->points[i].vertexB, b );
        for ( int k = 0; k < 3; ++k )
        {
            onA[k] += simplex->weights[i] * a[k];
            onB[k] += simplex->weights[i] * b[k];
        }
    }
}
