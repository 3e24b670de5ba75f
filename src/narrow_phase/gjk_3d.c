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
#include "narrow_phase/convex_trace.h"
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
    bool isThere = false;
    for ( uint32_t i = 0; i < simplex->count; ++i )
    {
        isThere |= ( simplex->points[i].vertexA == vertexA ) & ( simplex->points[i].vertexB == vertexB );
    }
    return isThere;
}

// What a new support point makes of a simplex: a part of it that has the point in it.
typedef struct Part
{
    Nearest* nearest; // weights by the numbers of the points below
    const joSupportPoint* points[4];
    uint32_t count;
} Part;

// Of `s`, `a` and `b` the first `count` make the part; the others are there to be copied.
static void keepPart( Part* best, const joSupportPoint* s, const joSupportPoint* a, const joSupportPoint* b,
    uint32_t count, const double weights[3], const double point[3] )
{
    const double distanceSq = joDotOf3( point, point );
    Nearest* nearest = best->nearest;
    if ( distanceSq < nearest->distanceSq )
    {
        best->points[0] = s;
        best->points[1] = a;
        best->points[2] = b;
        best->count = count;
        nearest->distanceSq = distanceSq;
        for ( int k = 0; k < 3; ++k )
        {
            nearest->point[k] = point[k];
            nearest->weights[k] = weights[k];
        }
    }
}

JO_INLINE void trySegment( Part* best, const joSupportPoint* s, const joSupportPoint* a )
{
    double along[3];
    joDifference3( a->w, s->w, along );
    const double lengthSq = joDotOf3( along, along ), at = -joDotOf3( s->w, along );
    const double share = !( at > 0.0 ) ? 0.0 : at < lengthSq ? at / lengthSq : 1.0;
    const double weights[3] = { 1.0 - share, share, 0.0 };
    const double point[3] = {
        s->w[0] + share * along[0], s->w[1] + share * along[1], s->w[2] + share * along[2] };
    keepPart( best, s, a, s, share > 0.0 ? 2 : 1, weights, point );
}

JO_INLINE void tryTriangle(
    Part* best, const joSupportPoint* s, const joSupportPoint* a, const joSupportPoint* b )
{
    double u[3], v[3], n[3], bs[3], sa[3];
    joDifference3( a->w, s->w, u );
    joDifference3( b->w, s->w, v );
    joCrossOf3( u, v, n );
    joCrossOf3( b->w, s->w, bs );
    joCrossOf3( s->w, a->w, sa );
    const double areaSq = joDotOf3( n, n ), ofA = joDotOf3( bs, n ), ofB = joDotOf3( sa, n );
    // One branch for all three: that is foreseen better than each of them.
    if ( ( ofA > 0.0 ) & ( ofB > 0.0 ) & ( ofA + ofB < areaSq ) )
    {
        const double inverse = 1.0 / areaSq, height = joDotOf3( n, s->w ) * inverse;
        const double weights[3] = { ( areaSq - ofA - ofB ) * inverse, ofA * inverse, ofB * inverse };
        const double point[3] = { height * n[0], height * n[1], height * n[2] };
        keepPart( best, s, a, b, 3, weights, point );
        return;
    }
    if ( !( ofA > 0.0 ) )
    {
        trySegment( best, s, b );
    }
    if ( !( ofB > 0.0 ) )
    {
        trySegment( best, s, a );
    }
}

// The three faces of a tetrahedron at the new point; or all of it, with the origin inside.
static void tryTetrahedron( Part* best, const joSupportPoint* s, const joSupportPoint* a,
    const joSupportPoint* b, const joSupportPoint* c )
{
    double ab[3], bc[3], ca[3];
    joCrossOf3( a->w, b->w, ab );
    joCrossOf3( b->w, c->w, bc );
    joCrossOf3( c->w, a->w, ca );
    double volumes[4] = {
        joDotOf3( a->w, bc ), -joDotOf3( s->w, bc ), -joDotOf3( s->w, ca ), -joDotOf3( s->w, ab ) };
    const double sign = volumes[0] + volumes[1] + volumes[2] + volumes[3] < 0.0 ? -1.0 : 1.0;
    uint32_t faces = 0; // the origin is beyond; most often one
    for ( uint32_t i = 1; i < 4; ++i )
    {
        faces |= sign * volumes[i] > 0.0 ? 0u : 1u << i;
    }
    const bool isInside = faces == 0;
    const joSupportPoint* const around[5] = { a, b, c, a, b };
    for ( ; faces != 0; faces &= faces - 1 )
    {
        const int i = __builtin_ctz( faces );
        tryTriangle( best, s, around[i], around[i + 1] );
    }
    if ( !isInside || !( sign * volumes[0] > 0.0 ) )
    {
        return;
    }
    // Of a needle the sum is all rounding: only this is good enough to tell that it is not flat.
    double u[3], v[3], w[3], cross[3];
    joDifference3( a->w, s->w, u );
    joDifference3( b->w, s->w, v );
    joDifference3( c->w, s->w, w );
    joCrossOf3( u, v, cross );
    const double volume = joDotOf3( cross, w );
    const double edgesSq = joDotOf3( u, u ) * joDotOf3( v, v ) * joDotOf3( w, w );
    if ( sign * volume > 0.0 && volume * volume > FLAT_VOLUME * FLAT_VOLUME * edgesSq )
    {
        const joSupportPoint* const points[4] = { s, a, b, c };
        const double inverse = 1.0 / volume;
        best->count = 4;
        *best->nearest = ( Nearest ){ .distanceSq = 0.0 };
        for ( int i = 0; i < 4; ++i )
        {
            best->points[i] = points[i];
            best->nearest->weights[i] = volumes[i] * inverse;
        }
    }
}

// The point nearest to the origin of a simplex that has got a point, if it is nearer than it was: true. Then
// it lies on a part that has the new point, since that was farthest against the last nearest one. So nothing
// else is looked at, and where rounding deceives, nothing nearer is found.
static bool growSimplex(
    const joSimplex* simplex, const joSupportPoint* support, Nearest* nearest, joSimplex* grown )
{
    Part part = { nearest, { support, support, support, support }, 0 };
    const joSupportPoint* old = simplex->points;
    if ( simplex->count == 1 )
    {
        trySegment( &part, support, old );
    }
    else if ( simplex->count == 2 )
    {
        tryTriangle( &part, support, old, old + 1 );
    }
    else
    {
        tryTetrahedron( &part, support, old, old + 1, old + 2 );
    }
    if ( part.count == 0 )
    {
        return false;
    }
    // All of what a simplex without the origin in it may have: to copy too much costs less than to count.
    for ( uint32_t i = 0; i < 3; ++i )
    {
        grown->points[i] = *part.points[i];
        grown->weights[i] = nearest->weights[i];
    }
    if ( part.count == 4 )
    {
        grown->points[3] = *part.points[3];
        grown->weights[3] = nearest->weights[3];
    }
    grown->count = part.count;
    return true;
}

// The same with all parts of the simplex measured.
static bool growWithCare(
    joSimplex* simplex, const joSupportPoint* support, Nearest* nearest, joSimplex* grown )
{
    simplex->points[simplex->count++] = *support;
    const Nearest next = reduce( simplex, grown );
    simplex->count -= 1;
    const bool isNearer = next.distanceSq < nearest->distanceSq;
    *nearest = isNearer ? next : *nearest;
    return isNearer;
}

static Nearest start( const joConvexPair* pair, joSimplex* simplex, joSimplex* reduced )
{
    if ( simplex->count == 0 )
    {
        const double any[3] = { -1.0, 0.0, 0.0 };
        const double* toB = pair->position;
        bool isZero = toB[0] == 0.0 && toB[1] == 0.0 && toB[2] == 0.0;
        reduced->points[0] = joFindSupport( pair, isZero ? any : toB );
        reduced->weights[0] = 1.0;
        reduced->count = 1;
        Nearest nearest;
        setNearest( &nearest, reduced->points[0].w );
        return nearest;
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
        joSimplex *simplex = simplices + which, *grown = simplices + ( which ^ 1 );
        if ( nearest.distanceSq <= touching * touching )
        {
            answer->status = jo_collideComplete;
            nearest.distanceSq = 0.0;
            break;
        }
        const double against[3] = { -nearest.point[0], -nearest.point[1], -nearest.point[2] };
        const joSupportPoint support = joFindSupport( pair, against );
        // Nothing of A - B comes nearer to the origin than this by the distance, along the nearest point.
        const double bound = joDotOf3( nearest.point, support.w ), left = nearest.distanceSq - bound;
        answer->isBeyond = bound > 0.0 && bound * bound > limit * limit * nearest.distanceSq;
        if ( pair->steps != NULL )
        {
            const double distance = sqrt( nearest.distanceSq );
            joNoteConvexStep(
                pair->steps, against, &support, simplex->points, simplex->count, bound / distance, distance );
        }
        if ( answer->isBeyond || !( left > 0.0 ) ||
             left * left <= tolerance * tolerance * nearest.distanceSq ||
             holds( simplex, support.vertexA, support.vertexB ) ||
             !( growSimplex( simplex, &support, &nearest, grown ) ||
                 growWithCare( simplex, &support, &nearest, grown ) ) )
        {
            answer->status = jo_collideComplete;
            break;
        }
        which ^= 1;
    }
    answer->simplex = simplices[which];
    answer->distance = sqrt( nearest.distanceSq );
    for ( int k = 0; k < 3; ++k )
    {
        answer->separation[k] = nearest.distanceSq > 0.0 ? nearest.point[k] : 0.0;
    }
}
