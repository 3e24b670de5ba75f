// SPDX-License-Identifier: MIT
// Merging of triangles into faces. A face grows from the largest triangle that has none yet, over all that
// hang together with it and whose corners lie within the tolerance of its plane. The plane is one of the
// hull, so that the face is what of the hull lies above a plane just below: on a convex body that has one
// border, and no dents. Where rounding, or a face that grew before, spoils that, the triangles stay as they
// are.
#include "narrow_phase/hull_merge_3d.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void pointOf( const joHullMerge* merge, uint32_t vertex, double p[3] )
{
    joVec3 point = merge->points[merge->source[vertex]];
    p[0] = (double)point.x;
    p[1] = (double)point.y;
    p[2] = (double)point.z;
}

// Twice the area, as a vector along the normal.
static void areaVector( const double a[3], const double b[3], const double c[3], double out[3] )
{
    double u[3], v[3];
    for ( int k = 0; k < 3; ++k )
    {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double distanceOf( const double a[3], const double b[3] )
{
    double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    return sqrt( dot( d, d ) );
}

static void cornersOf( const joHullMerge* merge, uint32_t triangle, double corners[3][3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        pointOf( merge, merge->builder->triangles[triangle].vertices[i], corners[i] );
    }
}

// A triangle is thin if its lowest corner is within the tolerance of the opposite edge, which is *longest.
static bool isThin( const joHullMerge* merge, uint32_t triangle, double area[3], uint32_t* longest )
{
    double corners[3][3], length = -1.0;
    cornersOf( merge, triangle, corners );
    areaVector( corners[0], corners[1], corners[2], area );
    for ( uint32_t i = 0; i < 3; ++i )
    {
        double side = distanceOf( corners[i], corners[( i + 1 ) % 3] );
        *longest = side > length ? i : *longest;
        length = side > length ? side : length;
    }
    return sqrt( dot( area, area ) ) <= merge->tolerance * length;
}

static int compareAreas( const void* one, const void* two )
{
    const joHullArea* a = one;
    const joHullArea* b = two;
    if ( a->area != b->area )
    {
        return a->area > b->area ? -1 : 1;
    }
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static void growFace( joHullMerge* merge, uint32_t seed )
{
    joHullBuilder* builder = merge->builder;
    double corners[3][3], normal[3];
    cornersOf( merge, seed, corners );
    areaVector( corners[0], corners[1], corners[2], normal );
    double bound = merge->tolerance * sqrt( dot( normal, normal ) );
    double offset = dot( normal, corners[0] );
    uint32_t face = merge->faceCount++, count = 0;
    merge->faceOf[seed] = face;
    builder->queue[count++] = seed;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            uint32_t neighbor = builder->triangles[builder->queue[i]].neighbors[k];
            if ( merge->faceOf[neighbor] != NONE )
            {
                continue;
            }
            double area[3];
            uint32_t longest = 0;
            bool isFlat = isThin( merge, neighbor, area, &longest ) || dot( area, normal ) > 0.0;
            cornersOf( merge, neighbor, corners );
            for ( int j = 0; j < 3; ++j )
            {
                isFlat = isFlat && fabs( dot( normal, corners[j] ) - offset ) <= bound;
            }
            if ( isFlat )
            {
                merge->faceOf[neighbor] = face;
                builder->queue[count++] = neighbor;
            }
        }
    }
}

bool joHullMerge_IsBorder( const joHullMerge* merge, uint32_t triangle, uint32_t k )
{
    return merge->faceOf[merge->builder->triangles[triangle].neighbors[k]] != merge->faceOf[triangle];
}

void joHullMerge_Twin( const joHullMerge* merge, uint32_t* triangle, uint32_t* k )
{
    const joHullTriangle* t = merge->builder->triangles + *triangle;
    uint32_t to = t->vertices[( *k + 1 ) % 3];
    *triangle = t->neighbors[*k];
    const joHullTriangle* other = merge->builder->triangles + *triangle;
    *k = other->vertices[0] == to ? 0 : other->vertices[1] == to ? 1 : 2;
}

void joHullMerge_Next( const joHullMerge* merge, uint32_t* triangle, uint32_t* k )
{
    *k = ( *k + 1 ) % 3;
    while ( !joHullMerge_IsBorder( merge, *triangle, *k ) )
    {
        joHullMerge_Twin( merge, triangle, k );
        *k = ( *k + 1 ) % 3;
    }
}

void joHullMerge_FaceNormal( const joHullMerge* merge, uint32_t triangle, uint32_t k, double normal[3] )
{
    uint32_t t = triangle, edge = k;
    double first[3], here[3], after[3];
    pointOf( merge, merge->builder->triangles[t].vertices[edge], first );
    normal[0] = normal[1] = normal[2] = 0.0;
    do
    {
        const joHullTriangle* at = merge->builder->triangles + t;
        pointOf( merge, at->vertices[edge], here );
        pointOf( merge, at->vertices[( edge + 1 ) % 3], after );
        double area[3];
        areaVector( first, here, after, area );
        for ( int i = 0; i < 3; ++i )
        {
            normal[i] += area[i];
        }
        joHullMerge_Next( merge, &t, &edge );
    } while ( t != triangle || edge != k );
    double length = sqrt( dot( normal, normal ) );
    for ( int i = 0; i < 3 && length > 0.0; ++i )
    {
        normal[i] /= length;
    }
}

// Whether the border that begins at an edge has `count` edges, and no dent deeper than the tolerance.
static bool isConvexBorder( const joHullMerge* merge, uint32_t triangle, uint32_t k, uint32_t count )
{
    double normal[3], before[3], here[3], after[3];
    joHullMerge_FaceNormal( merge, triangle, k, normal );
    uint32_t t = triangle, edge = k, walked = 0;
    pointOf( merge, merge->builder->triangles[t].vertices[edge], before );
    do
    {
        pointOf( merge, merge->builder->triangles[t].vertices[( edge + 1 ) % 3], here );
        joHullMerge_Next( merge, &t, &edge );
        pointOf( merge, merge->builder->triangles[t].vertices[( edge + 1 ) % 3], after );
        double area[3];
        areaVector( before, here, after, area );
        if ( dot( area, normal ) < -merge->tolerance * distanceOf( before, after ) )
        {
            return false;
        }
        for ( int i = 0; i < 3; ++i )
        {
            before[i] = here[i];
        }
        walked += 1;
    } while ( t != triangle || edge != k );
    return walked == count;
}

// Takes a face apart whose border is not simple and convex. The triangles of the face are in the queue.
static void keepOrSplit( joHullMerge* merge, uint32_t count )
{
    const uint32_t* triangles = merge->builder->queue;
    uint32_t first = NONE, edge = 0, borderCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( uint32_t k = 0; k < 3; ++k )
        {
            if ( joHullMerge_IsBorder( merge, triangles[i], k ) )
            {
                first = triangles[i];
                edge = k;
                borderCount += 1;
            }
        }
    }
    if ( first != NONE && isConvexBorder( merge, first, edge, borderCount ) )
    {
        return;
    }
    for ( uint32_t i = 1; i < count; ++i )
    {
        merge->faceOf[triangles[i]] = merge->faceCount++;
    }
}

void joHullMerge_FindFaces( joHullMerge* merge )
{
    joHullBuilder* builder = merge->builder;
    uint32_t aliveCount = 0;
    for ( uint32_t i = 0; i < builder->triangleCount; ++i )
    {
        merge->faceOf[i] = NONE;
        if ( builder->triangles[i].isAlive )
        {
            double corners[3][3], area[3];
            cornersOf( merge, i, corners );
            areaVector( corners[0], corners[1], corners[2], area );
            merge->areas[aliveCount++] = ( joHullArea ){ dot( area, area ), i };
        }
    }
    qsort( merge->areas, aliveCount, sizeof( merge->areas[0] ), compareAreas );
    merge->faceCount = 0;
    for ( uint32_t i = 0; i < aliveCount; ++i )
    {
        if ( merge->faceOf[merge->areas[i].triangle] == NONE )
        {
            growFace( merge, merge->areas[i].triangle );
        }
    }
    // Whether a border is simple shows only when all faces have grown. The queue gets each face's triangles,
    // found as they were.
    for ( uint32_t i = 0; i < aliveCount; ++i )
    {
        uint32_t seed = merge->areas[i].triangle, count = 1;
        if ( builder->triangles[seed].isVisible )
        {
            continue;
        }
        builder->queue[0] = seed;
        builder->triangles[seed].isVisible = true; // seen
        for ( uint32_t j = 0; j < count; ++j )
        {
            for ( uint32_t k = 0; k < 3; ++k )
            {
                uint32_t neighbor = builder->triangles[builder->queue[j]].neighbors[k];
                if ( !builder->triangles[neighbor].isVisible &&
                     merge->faceOf[neighbor] == merge->faceOf[seed] )
                {
                    builder->triangles[neighbor].isVisible = true;
                    builder->queue[count++] = neighbor;
                }
            }
        }
        keepOrSplit( merge, count );
    }
}

// How many faces meet in the vertex where edge k of a triangle begins.
static uint32_t countFacesAround( const joHullMerge* merge, uint32_t triangle, uint32_t k )
{
    uint32_t t = triangle, edge = k, count = 0;
    do
    {
        count += joHullMerge_IsBorder( merge, t, edge );
        joHullMerge_Twin( merge, &t, &edge );
        edge = ( edge + 1 ) % 3;
    } while ( t != triangle );
    return count;
}

// A face of nothing but a thin triangle has no direction: the corner that makes it goes, which is near the
// opposite edge. But not with one end of that edge, which the triangle of another corner nearby may ask for:
// the ends are held for this round. False: there is no such face.
static bool dropThinCorner( const joHullMerge* merge, uint32_t triangle, joHullPointState* states )
{
    double area[3];
    uint32_t longest = 0;
    if ( !isThin( merge, triangle, area, &longest ) )
    {
        return false;
    }
    for ( uint32_t k = 0; k < 3; ++k )
    {
        if ( !joHullMerge_IsBorder( merge, triangle, k ) )
        {
            return false;
        }
    }
    const uint32_t* vertices = merge->builder->triangles[triangle].vertices;
    joHullPointState* corner = states + vertices[( longest + 2 ) % 3];
    joHullPointState* ends[2] = { states + vertices[longest], states + vertices[( longest + 1 ) % 3] };
    if ( *corner == joHullPoint_needed && *ends[0] != joHullPoint_dropped && *ends[1] != joHullPoint_dropped )
    {
        *corner = joHullPoint_dropped;
        *ends[0] = *ends[1] = joHullPoint_held;
    }
    return true;
}

uint32_t joHullMerge_FindCorners( const joHullMerge* merge, joHullPointState* states, bool* isFinal )
{
    const joHullBuilder* builder = merge->builder;
    uint32_t needed = 0;
    *isFinal = true;
    for ( uint32_t i = 0; i < builder->pointCount; ++i )
    {
        states[i] = joHullPoint_dropped;
    }
    for ( uint32_t i = 0; i < builder->triangleCount; ++i )
    {
        for ( uint32_t k = 0; k < 3 && builder->triangles[i].isAlive; ++k )
        {
            bool isCorner = countFacesAround( merge, i, k ) >= 3;
            states[builder->triangles[i].vertices[k]] = isCorner ? joHullPoint_needed : joHullPoint_dropped;
            *isFinal = *isFinal && isCorner;
        }
    }
    for ( uint32_t i = 0; i < builder->triangleCount; ++i )
    {
        if ( builder->triangles[i].isAlive && dropThinCorner( merge, i, states ) )
        {
            *isFinal = false;
        }
    }
    for ( uint32_t i = 0; i < builder->pointCount; ++i )
    {
        needed += states[i] != joHullPoint_dropped;
    }
    return needed;
}
