// SPDX-License-Identifier: MIT
// Shapes as cores with a radius, and their support points.
#include "narrow_phase/convex_3d.h"

#include "base/float_env.h"

#include <math.h>

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

static void makeHull( joConvex* convex, const joHull3* hull, const joTransform3* pose )
{
    convex->polytope = joViewHull( hull );
    convex->isHull = true;
    convex->size = (double)hull->size;
    convex->pose.position[0] = (double)pose->position.x;
    convex->pose.position[1] = (double)pose->position.y;
    convex->pose.position[2] = (double)pose->position.z;
    convex->pose.rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
}

static void makeConvex( joConvex* convex, const joShape3* shape, const joTransform3* pose )
{
    convex->radius = 0.0;
    convex->isBox = convex->isHull = false;
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            makeRound( convex, shape->sphere.center, shape->sphere.center, shape->sphere.radius, *pose, 1 );
            break;
        case jo_capsuleShape3:
            makeRound( convex, shape->capsule.a, shape->capsule.b, shape->capsule.radius, *pose, 2 );
            break;
        case jo_boxShape3:
            makeBox( convex, &shape->box, *pose );
            break;
        default:
            makeHull( convex, shape->hull, pose );
            break;
    }
}

void joMakeConvexPair( joConvexPair* pair, const joPlacedPair3* placed )
{
    makeConvex( &pair->a, placed->a, placed->poseA );
    makeConvex( &pair->b, placed->b, placed->poseB );
    pair->kernels = joGetKernels( NULL );
    pair->steps = NULL;
    pair->size = pair->a.size + pair->b.size;
    pair->radius = pair->a.radius + pair->b.radius;
    double( *a )[3] = pair->a.pose.rotation.m;
    double( *b )[3] = pair->b.pose.rotation.m;
    double between[3];
    joDifference3( pair->b.pose.position, pair->a.pose.position, between );
    joMatrix3_ApplyInverse( &pair->a.pose.rotation, between, pair->position );
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            pair->rotation[i][j] = a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
        }
    }
}

void joSimplex_WitnessOnA( const joConvexPair* pair, const joSimplex* simplex, double onA[3] )
{
    onA[0] = onA[1] = onA[2] = 0.0;
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        double a[3];
        joPolytope_GetVertex( &pair->a.polytope, simplex->points[i].vertexA, a );
        for ( int k = 0; k < 3; ++k )
        {
            onA[k] += simplex->weights[i] * a[k];
        }
    }
}

void joSimplex_Witness( const joConvexPair* pair, const joSimplex* simplex, double onA[3], double onB[3] )
{
    joSimplex_WitnessOnA( pair, simplex, onA );
    onB[0] = onB[1] = onB[2] = 0.0;
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        double b[3];
        joConvexPair_PointOfB( pair, simplex->points[i].vertexB, b );
        for ( int k = 0; k < 3; ++k )
        {
            onB[k] += simplex->weights[i] * b[k];
        }
    }
}
