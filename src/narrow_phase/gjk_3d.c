// SPDX-License-Identifier: MIT
// Distance of two convex cores (Gilbert, Johnson and Keerthi, "A Fast Procedure for Computing the Distance
// Between Complex Objects in Three-Dimensional Space", 1988), with the signed volumes of Montanari, Petrinic
// and Barbieri ("Improving the GJK Algorithm for Faster and More Reliable Distance Queries Between Convex
// Objects", 2017) for the nearest point of a simplex: which part of it is nearest is read from signs, and
// where signs contradict each other, all parts that may be nearest are measured and the nearest wins. So a
// flat or needle-like simplex costs a little time, and never the answer.
//
// It ends when the distance is known to JO_GJK_TOLERANCE, when a support point comes again, or when rounding
// keeps it from coming nearer. No tolerance is relative to the distance: a gap stays a gap.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/tolerance.h"

#include <math.h>

// Polytopes of 255 vertices need some 20. Tested by: test_convex, "the distance is that of the
// reference", which asks that none meets the cap.
#define MAX_ITERATIONS 128

// A tetrahedron is flat where its volume is less than this share of that of its edges' box.
#define FLAT_VOLUME 1e-13

// A candidate for the nearest part of a simplex.
typedef struct Nearest
{
    double point[3];
    double weights[4]; // by the numbers of the simplex's points; 0: not a part of it
    double distanceSq;
} Nearest;

static void setNearest( Nearest* nearest, const double point[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        nearest->point[k] = point[k];
    }
    nearest->distanceSq = joDotOf3( point, point );
}

static void keepNearer( Nearest* best, const Nearest* candidate )
{
    if ( candidate->distanceSq < best->distanceSq )
    {
        *best = *candidate;
    }
}

static Nearest nearestOfPoint( const joSimplex* simplex, int i )
{
    Nearest nearest = { .weights = { 0.0 } };
    nearest.weights[i] = 1.0;
    setNearest( &nearest, simplex->points[i].w );
    return nearest;
}

static Nearest nearestOfSegment( const joSimplex* simplex, int i, int j )
{
    const double* a = simplex->points[i].w;
    const double* b = simplex->points[j].w;
    double along[3];
    joDifference3( b, a, along );
    double lengthSq = joDotOf3( along, along ), at = -joDotOf3( a, along );
    if ( !( at > 0.0 ) )
    {
        return nearestOfPoint( simplex, i );
    }
    if ( !( at < lengthSq ) )
    {
        return nearestOfPoint( simplex, j );
    }
    Nearest nearest = { .weights = { 0.0 } };
    double share = at / lengthSq;
    nearest.weights[i] = 1.0 - share;
    nearest.weights[j] = share;
    const double point[3] = { a[0] + share * along[0], a[1] + share * along[1], a[2] + share * along[2] };
    setNearest( &nearest, point );
    return nearest;
}

static Nearest nearestOfTriangle( const joSimplex* simplex, int i, int j, int k )
{
    const double* a = simplex->points[i].w;
    const double* b = simplex->points[j].w;
    const double* c = simplex->points[k].w;
    double u[3], v[3], n[3], bc[3], ca[3], ab[3];
    joDifference3( b, a, u );
    joDifference3( c, a, v );
    joCrossOf3( u, v, n );
    double areaSq = joDotOf3( n, n );
    // Signed areas of the triangles that the origin's projection makes with the sides.
    joCrossOf3( b, c, bc );
    joCrossOf3( c, a, ca );
    joCrossOf3( a, b, ab );
    const double areas[3] = { joDotOf3( bc, n ), joDotOf3( ca, n ), joDotOf3( ab, n ) };
    if ( areaSq > 0.0 && areas[0] > 0.0 && areas[1] > 0.0 && areas[2] > 0.0 )
    {
        Nearest nearest = { .weights = { 0.0 } };
        double sum = areas[0] + areas[1] + areas[2], height = joDotOf3( n, a ) / areaSq;
        nearest.weights[i] = areas[0] / sum;
        nearest.weights[j] = areas[1] / sum;
        nearest.weights[k] = areas[2] / sum;
        const double point[3] = { height * n[0], height * n[1], height * n[2] };
        setNearest( &nearest, point );
        return nearest;
    }
    bool isFlat = !( areaSq > 0.0 );
    Nearest best = { .distanceSq = INFINITY };
    const int sides[3][2] = { { j, k }, { k, i }, { i, j } };
    for ( int side = 0; side < 3; ++side )
    {
        if ( isFlat || !( areas[side] > 0.0 ) )
        {
            Nearest candidate = nearestOfSegment( simplex, sides[side][0], sides[side][1] );
            keepNearer( &best, &candidate );
        }
    }
    return best;
}

// distanceSq 0, and all four weights, if the origin is inside.
static Nearest nearestOfTetrahedron( const joSimplex* simplex )
{
    static const int faces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    double volumes[4], cross[3], u[3], v[3], w[3];
    for ( int i = 0; i < 4; ++i )
    {
        const double* a = simplex->points[faces[i][0]].w;
        joCrossOf3( simplex->points[faces[i][1]].w, simplex->points[faces[i][2]].w, cross );
        volumes[i] = joDotOf3( a, cross );
    }
    joDifference3( simplex->points[1].w, simplex->points[0].w, u );
    joDifference3( simplex->points[2].w, simplex->points[0].w, v );
    joDifference3( simplex->points[3].w, simplex->points[0].w, w );
    joCrossOf3( u, v, cross );
    double volume = joDotOf3( cross, w );
    double edges = sqrt( joDotOf3( u, u ) * joDotOf3( v, v ) * joDotOf3( w, w ) );
    bool isFlat = !( fabs( volume ) > FLAT_VOLUME * edges );
    double sign = volume < 0.0 ? -1.0 : 1.0;
    Nearest best = { .distanceSq = INFINITY };
    bool isInside = !isFlat;
    for ( int i = 0; i < 4; ++i )
    {
        if ( isFlat || !( sign * volumes[i] > 0.0 ) )
        {
            isInside = false;
            Nearest candidate = nearestOfTriangle( simplex, faces[i][0], faces[i][1], faces[i][2] );
            keepNearer( &best, &candidate );
        }
    }
    if ( isInside )
    {
        best = ( Nearest ){ .distanceSq = 0.0 };
        for ( int i = 0; i < 4; ++i )
        {
            best.weights[i] = volumes[i] / volume;
        }
    }
    return best;
}

// The point of a simplex nearest to the origin, and the simplex without the points that it does not need.
static Nearest reduce( const joSimplex* simplex, joSimplex* reduced )
{
    Nearest nearest = simplex->count == 1   ? nearestOfPoint( simplex, 0 )
                      : simplex->count == 2 ? nearestOfSegment( simplex, 0, 1 )
                      : simplex->count == 3 ? nearestOfTriangle( simplex, 0, 1, 2 )
                                            : nearestOfTetrahedron( simplex );
    reduced->count = 0;
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        if ( nearest.weights[i] > 0.0 )
        {
            reduced->points[reduced->count] = simplex->points[i];
            reduced->weights[reduced->count++] = nearest.weights[i];
        }
    }
    return nearest;
}

static bool holds( const joSimplex* simplex, uint32_t vertexA, uint32_t vertexB )
{
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        if ( simplex->points[i].vertexA == vertexA && simplex->points[i].vertexB == vertexB )
        {
            return true;
        }
    }
    return false;
}

static Nearest start( const joConvexPair* pair, joSimplex* simplex, joSimplex* reduced )
{
    if ( simplex->count == 0 )
    {
        double toA[3] = { -pair->position[0], -pair->position[1], -pair->position[2] };
        const double any[3] = { 1.0, 0.0, 0.0 };
        bool isZero = toA[0] == 0.0 && toA[1] == 0.0 && toA[2] == 0.0;
        const double* away = isZero ? any : toA;
        const double toB[3] = { -away[0], -away[1], -away[2] };
        simplex->points[0] = joFindSupport( pair, toB );
        simplex->count = 1;
    }
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        simplex->points[i] = joMakeSupport( pair, simplex->points[i].vertexA, simplex->points[i].vertexB );
    }
    return reduce( simplex, reduced );
}

void joRunGjk( const joConvexPair* pair, double limit, joGjkAnswer* answer )
{
    // The simplex is in one of the two; the other gets the next.
    joSimplex simplices[2];
    uint32_t which = 0;
    Nearest nearest = start( pair, &answer->simplex, simplices );
    double tolerance = JO_GJK_TOLERANCE * pair->size, touching = JO_TOUCHING * pair->size;
    answer->isBeyond = false;
    answer->status = jo_collideIterationLimit;
    for ( int i = 0; i < MAX_ITERATIONS; ++i )
    {
        joSimplex* simplex = simplices + which;
        if ( nearest.distanceSq <= touching * touching )
        {
            answer->status = jo_collideComplete;
            nearest.distanceSq = 0.0;
            break;
        }
        const double against[3] = { -nearest.point[0], -nearest.point[1], -nearest.point[2] };
        joSupportPoint support = joFindSupport( pair, against );
        // Nothing of A - B comes nearer to the origin than this, along the nearest point.
        double distance = sqrt( nearest.distanceSq );
        double bound = joDotOf3( nearest.point, support.w ) / distance;
        answer->isBeyond = bound > limit;
        if ( answer->isBeyond || distance - bound <= tolerance ||
             holds( simplex, support.vertexA, support.vertexB ) )
        {
            answer->status = jo_collideComplete;
            break;
        }
        simplex->points[simplex->count++] = support;
        Nearest next = reduce( simplex, simplices + ( which ^ 1 ) );
        if ( !( next.distanceSq < nearest.distanceSq ) )
        {
            simplex->count -= 1;
            answer->status = jo_collideComplete;
            break;
        }
        nearest = next;
        which ^= 1;
    }
    answer->simplex = simplices[which];
    answer->distance = sqrt( nearest.distanceSq );
    for ( int k = 0; k < 3; ++k )
    {
        answer->separation[k] = nearest.distanceSq > 0.0 ? nearest.point[k] : 0.0;
    }
}
