// SPDX-License-Identifier: MIT
// Departs from the paper in two points: the part of the simplex that is nearest to the origin is found by
// looking at its three edges, which in 2D is all; and where that is an edge, normal and distance are those of
// the edge's line, not of the nearest point, which has lost its digits when it is close.
#include "narrow_phase/gjk_2d.h"

#include "narrow_phase/convex_trace.h"

#include <float.h>
#include <math.h>

// Each iteration comes nearer, by another simplex. Met by nothing in the tests, which count.
#define MAX_ITERATIONS 64

// What is gained by less than this share of the coordinates is rounding.
#define LEAST_GAIN 4e-16

// A point of B less one of A.
typedef struct Vertex
{
    double x, y;
    uint32_t a, b;
} Vertex;

// A point, an edge, or a triangle around the origin; and its point nearest to that.
typedef struct Simplex
{
    Vertex vertices[3];
    double weights[3];
    uint32_t count;
    double x, y, distanceSq;
} Simplex;

typedef struct Pair
{
    const joPoints2* a;
    const joPoints2* b;
    double offsetX, offsetY;
    joConvexSteps* steps; // null: nobody asked for them
} Pair;

static Vertex vertexOf( const Pair* pair, uint32_t a, uint32_t b )
{
    return ( Vertex ){
        pair->b->x[b] + pair->offsetX - pair->a->x[a], pair->b->y[b] + pair->offsetY - pair->a->y[a], a, b };
}

// The vertex that lies least far along a direction.
static Vertex findSupport( const Pair* pair, double x, double y )
{
    uint32_t a = 0, b = 0;
    double most = -INFINITY, least = INFINITY;
    for ( uint32_t i = 0; i < pair->a->count; ++i )
    {
        double along = x * pair->a->x[i] + y * pair->a->y[i];
        a = along > most ? i : a;
        most = along > most ? along : most;
    }
    for ( uint32_t i = 0; i < pair->b->count; ++i )
    {
        double along = x * pair->b->x[i] + y * pair->b->y[i];
        b = along < least ? i : b;
        least = along < least ? along : least;
    }
    return vertexOf( pair, a, b );
}

static Simplex pointSimplex( Vertex p )
{
    return ( Simplex ){ { p }, { 1.0 }, 1, p.x, p.y, p.x * p.x + p.y * p.y };
}

static Simplex edgeSimplex( Vertex p, Vertex q )
{
    double x = q.x - p.x, y = q.y - p.y, lengthSq = x * x + y * y;
    double along = -( p.x * x + p.y * y );
    if ( !( along > 0.0 ) )
    {
        return pointSimplex( p );
    }
    if ( along >= lengthSq )
    {
        return pointSimplex( q );
    }
    double t = along / lengthSq, across = p.x * y - p.y * x;
    return ( Simplex ){ { p, q }, { 1.0 - t, t }, 2, across * y / lengthSq, -across * x / lengthSq,
        across * across / lengthSq };
}

static double turnOf( const Vertex* p, const Vertex* q )
{
    return p->x * q->y - p->y * q->x;
}

// What is nearest of the triangle that `added` makes with the simplex.
static Simplex extend( const Simplex* simplex, Vertex added )
{
    const Vertex* v = simplex->vertices;
    if ( simplex->count == 1 )
    {
        return edgeSimplex( v[0], added );
    }
    double first = turnOf( v + 1, &added ), second = turnOf( &added, v ), third = turnOf( v, v + 1 );
    double all = first + second + third;
    bool isInside = all > 0.0   ? first >= 0.0 && second >= 0.0 && third >= 0.0
                    : all < 0.0 ? first <= 0.0 && second <= 0.0 && third <= 0.0
                                : false;
    if ( isInside )
    {
        return ( Simplex ){
            { v[0], v[1], added }, { first / all, second / all, third / all }, 3, 0.0, 0.0, 0.0 };
    }
    Simplex one = edgeSimplex( v[0], added ), other = edgeSimplex( v[1], added );
    return other.distanceSq < one.distanceSq ? other : one;
}

// `least`: how far the two are apart along the way to the simplex's point.
static void noteStep( joConvexSteps* steps, const Simplex* simplex, const Vertex* added, double least )
{
    joConvexStep* step = joAddConvexStep( steps );
    if ( step == NULL )
    {
        return;
    }
    *step = ( joConvexStep ){ .direction = { simplex->x, simplex->y },
        .vertexA = (uint8_t)added->a,
        .vertexB = (uint8_t)added->b,
        .pointCount = simplex->count,
        .lower = least,
        .upper = sqrt( simplex->distanceSq ) };
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        step->points[i][0] = (uint8_t)simplex->vertices[i].a;
        step->points[i][1] = (uint8_t)simplex->vertices[i].b;
    }
}

static Simplex findSimplex( const Pair* pair, bool* isComplete )
{
    Simplex simplex = pointSimplex( vertexOf( pair, 0, 0 ) );
    *isComplete = true;
    for ( int i = 0; i < MAX_ITERATIONS; ++i )
    {
        if ( simplex.distanceSq == 0.0 )
        {
            return simplex;
        }
        Vertex added = findSupport( pair, simplex.x, simplex.y );
        if ( pair->steps != NULL )
        {
            double along = simplex.x * added.x + simplex.y * added.y;
            noteStep( pair->steps, &simplex, &added, along / sqrt( simplex.distanceSq ) );
        }
        double gain = simplex.distanceSq - ( simplex.x * added.x + simplex.y * added.y );
        double size = fabs( added.x ) + fabs( added.y ) + fabs( simplex.x ) + fabs( simplex.y );
        if ( !( gain > LEAST_GAIN * size * sqrt( simplex.distanceSq ) ) )
        {
            return simplex;
        }
        Simplex next = extend( &simplex, added );
        if ( !( next.distanceSq < simplex.distanceSq ) )
        {
            return simplex;
        }
        simplex = next;
    }
    *isComplete = false;
    return simplex;
}

static void findPoints( const Pair* pair, const Simplex* simplex, joNearest2* nearest )
{
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        const Vertex* v = simplex->vertices + i;
        nearest->a[0] += simplex->weights[i] * pair->a->x[v->a];
        nearest->a[1] += simplex->weights[i] * pair->a->y[v->a];
        nearest->b[0] += simplex->weights[i] * ( pair->b->x[v->b] + pair->offsetX );
        nearest->b[1] += simplex->weights[i] * ( pair->b->y[v->b] + pair->offsetY );
    }
    const Vertex* last = simplex->vertices + ( simplex->count > 1 ? 1 : 0 );
    nearest->vertices[0][0] = simplex->vertices[0].a;
    nearest->vertices[0][1] = last->a;
    nearest->vertices[1][0] = simplex->vertices[0].b;
    nearest->vertices[1][1] = last->b;
}

static joNearest2 findNearest( const Pair* pair )
{
    joNearest2 nearest = { .distance = 0.0 };
    Simplex simplex = findSimplex( pair, &nearest.isComplete );
    findPoints( pair, &simplex, &nearest );
    const Vertex* v = simplex.vertices;
    if ( simplex.count == 1 )
    {
        nearest.distance = sqrt( v->x * v->x + v->y * v->y );
        nearest.normal[0] = nearest.distance > 0.0 ? v->x / nearest.distance : 0.0;
        nearest.normal[1] = nearest.distance > 0.0 ? v->y / nearest.distance : 0.0;
    }
    else if ( simplex.count == 2 )
    {
        double x = v[1].x - v[0].x, y = v[1].y - v[0].y, length = sqrt( x * x + y * y );
        double across = turnOf( v, v + 1 );
        double side = across > 0.0 ? 1.0 : across < 0.0 ? -1.0 : 0.0;
        nearest.distance = fabs( across ) / length;
        nearest.normal[0] = side * y / length;
        nearest.normal[1] = -side * x / length;
    }
    return nearest;
}

joNearest2 joFindNearest2( const joPoints2* a, const joPoints2* b, double offsetX, double offsetY )
{
    Pair pair = { a, b, offsetX, offsetY, NULL };
    return findNearest( &pair );
}

joNearest2 joTraceNearest2( const joPoints2* a, const joPoints2* b, joConvexSteps* steps )
{
    Pair pair = { a, b, 0.0, 0.0, steps };
    return findNearest( &pair );
}
