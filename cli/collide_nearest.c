// SPDX-License-Identifier: MIT
#include "collide_nearest.h"

#include "collide_vector.h"

static void Take( joNearest* nearest, const double pointA[3], const double pointB[3] )
{
    double between[3];
    joSubtractVectors( pointB, pointA, between );
    const double distance = joVectorLength( between );
    if ( distance < nearest->distance )
    {
        nearest->distance = distance;
        joCopyVector( pointA, nearest->pointA );
        joCopyVector( pointB, nearest->pointB );
    }
}

// The point of the segment from p to q that is nearest to a point.
static void NearestOnSegment( const double p[3], const double q[3], const double point[3], double out[3] )
{
    double along[3], offset[3];
    joSubtractVectors( q, p, along );
    joSubtractVectors( point, p, offset );
    const double lengthSq = joDotVectors( along, along );
    const double share = lengthSq > 0.0 ? joDotVectors( offset, along ) / lengthSq : 0.0;
    joStepVector( p, share < 0.0 ? 0.0 : ( share > 1.0 ? 1.0 : share ), along, out );
}

// Where the lines of two segments are nearest, if that is inside both.
static void TakeCrossing(
    joNearest* nearest, const double p0[3], const double p1[3], const double q0[3], const double q1[3] )
{
    double u[3], v[3], w[3];
    joSubtractVectors( p1, p0, u );
    joSubtractVectors( q1, q0, v );
    joSubtractVectors( p0, q0, w );
    const double uu = joDotVectors( u, u ), uv = joDotVectors( u, v ), vv = joDotVectors( v, v );
    const double uw = joDotVectors( u, w ), vw = joDotVectors( v, w );
    const double determinant = uu * vv - uv * uv;
    if ( !( determinant > 1e-18 * uu * vv ) )
    {
        return;
    }
    const double s = ( uv * vw - vv * uw ) / determinant, t = ( uu * vw - uv * uw ) / determinant;
    if ( s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 )
    {
        double onP[3], onQ[3];
        joStepVector( p0, s, u, onP );
        joStepVector( q0, t, v, onQ );
        Take( nearest, onP, onQ );
    }
}

// Each point of one core with each edge of the other. `isSwapped`: `points` is B.
static void TakePointsAndEdges(
    joNearest* nearest, const joCore* points, const joCore* edges, bool isSwapped )
{
    for ( uint32_t i = 0; i < points->pointCount; ++i )
    {
        for ( uint32_t k = 0; k < edges->edgeCount; ++k )
        {
            double on[3];
            NearestOnSegment(
                edges->points[edges->edges[k][0]], edges->points[edges->edges[k][1]], points->points[i], on );
            Take( nearest, isSwapped ? on : points->points[i], isSwapped ? points->points[i] : on );
        }
    }
}

// Whether a point is above the inside of a face.
static bool IsOverFace( const joCore* core, uint32_t face, const double point[3] )
{
    const uint32_t start = core->loopStarts[face], end = core->loopStarts[face + 1];
    for ( uint32_t i = start; i < end; ++i )
    {
        const double* from = core->points[core->loops[i]];
        const double* to = core->points[core->loops[i + 1 < end ? i + 1 : start]];
        double edge[3], offset[3], inward[3];
        joSubtractVectors( to, from, edge );
        joSubtractVectors( point, from, offset );
        joCrossVectors( core->loopNormals[face], edge, inward );
        if ( joDotVectors( inward, offset ) < 0.0 )
        {
            return false;
        }
    }
    return true;
}

static void TakePointsAndFaces(
    joNearest* nearest, const joCore* points, const joCore* faces, bool isSwapped )
{
    for ( uint32_t i = 0; i < points->pointCount; ++i )
    {
        const double* point = points->points[i];
        for ( uint32_t face = 0; face < faces->loopCount; ++face )
        {
            if ( IsOverFace( faces, face, point ) )
            {
                const double* normal = faces->loopNormals[face];
                double offset[3], on[3];
                joSubtractVectors( point, faces->points[faces->loops[faces->loopStarts[face]]], offset );
                joStepVector( point, -joDotVectors( offset, normal ), normal, on );
                Take( nearest, isSwapped ? on : point, isSwapped ? point : on );
            }
        }
    }
}

joNearest joFindNearest( const joCore* a, const joCore* b )
{
    joNearest nearest = { .distance = INFINITY };
    for ( uint32_t i = 0; i < a->pointCount; ++i )
    {
        for ( uint32_t k = 0; k < b->pointCount; ++k )
        {
            Take( &nearest, a->points[i], b->points[k] );
        }
    }
    TakePointsAndEdges( &nearest, a, b, false );
    TakePointsAndEdges( &nearest, b, a, true );
    for ( uint32_t i = 0; i < a->edgeCount; ++i )
    {
        for ( uint32_t k = 0; k < b->edgeCount; ++k )
        {
            TakeCrossing( &nearest, a->points[a->edges[i][0]], a->points[a->edges[i][1]],
                b->points[b->edges[k][0]], b->points[b->edges[k][1]] );
        }
    }
    TakePointsAndFaces( &nearest, a, b, false );
    TakePointsAndFaces( &nearest, b, a, true );
    return nearest;
}
