// SPDX-License-Identifier: MIT
// Whether bytes from elsewhere are a hull.
#include "base/float_env.h"
#include "narrow_phase/hull_3d.h"

#include <math.h>
#include <string.h>

// Vertices may stand out of the plane of their face, or stay below it, by this many tolerances.
#define FLATNESS 8.0

static bool isFiniteBelow( const float* values, uint32_t count, float limit )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( !( fabsf( values[i] ) <= limit ) )
        {
            return false;
        }
    }
    return true;
}

static bool hasValidHeader( const joHull3* hull, size_t size )
{
    return hull->magic == JO_HULL_MAGIC && hull->vertexCount >= 4 &&
           hull->vertexCount <= JO_MAX_HULL_VERTICES3 && hull->faceCount >= 4 &&
           hull->faceCount <= JO_MAX_HULL_FACES3 &&
           hull->edgeCount == 2 * ( hull->vertexCount + hull->faceCount - 2 ) &&
           hull->paddedCount == ( hull->vertexCount + JO_HULL_LANES - 1 ) / JO_HULL_LANES * JO_HULL_LANES &&
           hull->byteCount == size &&
           size == joHullBytes( hull->vertexCount, hull->faceCount, hull->edgeCount ) && hull->size >= 0.0f &&
           hull->size <= 3.1f * JO_MAX_SIZE && hull->tolerance >= 0.0f &&
           hull->tolerance <= JO_MAX_SIZE * 1e-6f && hull->volume >= 0.0f &&
           isFiniteBelow( &hull->volume, 10, INFINITY ) && isFiniteBelow( hull->center, 3, JO_MAX_SIZE );
}

static bool hasValidVertices( const joPolytope* view, float tolerance )
{
    float largest = 0.0f;
    for ( uint32_t i = 0; i < view->paddedCount; ++i )
    {
        uint32_t same = i < view->vertexCount ? i : 0;
        const float p[3] = { view->x[i], view->y[i], view->z[i] };
        if ( !isFiniteBelow( p, 3, JO_MAX_SIZE ) || p[0] != view->x[same] || p[1] != view->y[same] ||
             p[2] != view->z[same] )
        {
            return false;
        }
        largest = fmaxf( largest, fmaxf( fabsf( p[0] ), fmaxf( fabsf( p[1] ), fabsf( p[2] ) ) ) );
    }
    return tolerance <= 1e-6f * largest;
}

// Every edge is in range, in one face, and goes where its twin comes from.
static bool hasValidEdges( const joPolytope* view )
{
    for ( uint32_t i = 0; i < view->edgeCount; ++i )
    {
        const joHullEdge* edge = view->edges + i;
        if ( edge->next >= view->edgeCount || edge->origin >= view->vertexCount ||
             edge->face >= view->faceCount || edge->next == ( i ^ 1 ) )
        {
            return false;
        }
    }
    for ( uint32_t i = 0; i < view->edgeCount; ++i )
    {
        const joHullEdge* next = view->edges + view->edges[i].next;
        if ( next->face != view->edges[i].face || next->origin != view->edges[i ^ 1].origin )
        {
            return false;
        }
    }
    return true;
}

// Walking round all faces, and round all vertices, each edge is met once.
static bool hasValidRings( const joPolytope* view )
{
    uint32_t metInFaces = 0, metRoundVertices = 0;
    for ( uint32_t i = 0; i < view->faceCount; ++i )
    {
        uint32_t first = view->faceEdges[i], edge = first, count = 0;
        if ( first >= view->edgeCount || view->edges[first].face != i )
        {
            return false;
        }
        do
        {
            edge = view->edges[edge].next;
        } while ( ++count <= view->edgeCount && edge != first );
        metInFaces += count;
    }
    for ( uint32_t i = 0; i < view->vertexCount; ++i )
    {
        uint32_t first = view->vertexEdges[i], edge = first, count = 0;
        if ( first >= view->edgeCount || view->edges[first].origin != i )
        {
            return false;
        }
        do
        {
            edge = view->edges[edge ^ 1].next;
        } while ( ++count <= view->edgeCount && edge != first );
        metRoundVertices += count;
    }
    return metInFaces == view->edgeCount && metRoundVertices == view->edgeCount;
}

static bool hasValidPlanes( const joPolytope* view, double slop )
{
    for ( uint32_t i = 0; i < view->faceCount; ++i )
    {
        const joHullPlane* plane = view->planes + i;
        double n[3] = { (double)plane->normal[0], (double)plane->normal[1], (double)plane->normal[2] };
        if ( !( fabs( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0 ) < 1e-5 ) ||
             !isFiniteBelow( &plane->offset, 1, 2.0f * JO_MAX_SIZE ) )
        {
            return false;
        }
        bool isOn[JO_MAX_HULL_VERTICES3] = { false };
        uint32_t edge = view->faceEdges[i];
        do
        {
            isOn[view->edges[edge].origin] = true;
            edge = view->edges[edge].next;
        } while ( edge != view->faceEdges[i] );
        for ( uint32_t j = 0; j < view->vertexCount; ++j )
        {
            double p[3];
            joPolytope_GetVertex( view, j, p );
            double above = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - (double)plane->offset;
            if ( above > slop || ( isOn[j] && above < -slop ) )
            {
                return false;
            }
        }
    }
    return true;
}

joResult joValidateHull3( const void* block, size_t size )
{
    if ( block == NULL )
    {
        return jo_errorNullArgument;
    }
    const joHull3* hull = block;
    if ( size < sizeof( *hull ) || !hasValidHeader( hull, size ) )
    {
        return jo_errorBadShape;
    }
    joFloatEnv env = joFloatEnv_Enter();
    joPolytope view = joViewHull( hull );
    bool isValid = hasValidVertices( &view, hull->tolerance ) && hasValidEdges( &view ) &&
                   hasValidRings( &view ) && hasValidPlanes( &view, FLATNESS * (double)hull->tolerance );
    joFloatEnv_Leave( env );
    return isValid ? jo_success : jo_errorBadShape;
}
