// SPDX-License-Identifier: MIT
// Penetration of two convex cores by expanding a polytope within their Minkowski difference (van den Bergen,
// "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001): the face nearest to the
// origin is pushed out to the support point along its normal until there is nothing beyond it.
//
// All in double. It gives up, and says so, where it meets its cap, or where rounding makes a horizon that is
// no simple ring; separating axes then give the answer.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/convex_trace.h"
#include "narrow_phase/tolerance.h"

#include <math.h>

// Each step adds one point. Hulls that are all but round, one in the centre of the other, may need more.
// Tested by: test_convex, "35: balls within balls come to an end".
#define MAX_POINTS 132
#define MAX_FACES ( 2 * MAX_POINTS )

typedef struct Face
{
    uint16_t points[3];    // counter-clockwise seen from outside
    uint16_t neighbors[3]; // across the edge from points[i] to the next
    double normal[3];      // unit
    bool isVisible;
} Face;

typedef struct Epa
{
    joSupportPoint points[MAX_POINTS];
    Face faces[MAX_FACES];
    double offsets[MAX_FACES]; // of the faces along their normals; infinite: the face is gone
    uint16_t freeFaces[MAX_FACES];
    uint16_t horizon[MAX_FACES][2]; // a visible face, and which of its edges
    uint16_t fanFace[MAX_POINTS];   // of each point: the new face whose edge on the horizon starts there
    uint32_t pointCount, faceCount, freeCount;
    double slop; // what is above a face by less is not
} Epa;

#define NONE UINT16_MAX

static bool makeFace( Epa* epa, uint32_t a, uint32_t b, uint32_t c, uint16_t* made )
{
    if ( epa->freeCount == 0 && epa->faceCount == MAX_FACES )
    {
        return false;
    }
    uint16_t index = epa->freeCount > 0 ? epa->freeFaces[--epa->freeCount] : (uint16_t)epa->faceCount++;
    Face* face = epa->faces + index;
    face->points[0] = (uint16_t)a;
    face->points[1] = (uint16_t)b;
    face->points[2] = (uint16_t)c;
    face->neighbors[0] = face->neighbors[1] = face->neighbors[2] = NONE;
    face->isVisible = false;
    double u[3], v[3], n[3];
    joDifference3( epa->points[b].w, epa->points[a].w, u );
    joDifference3( epa->points[c].w, epa->points[a].w, v );
    joCrossOf3( u, v, n );
    const double lengthSq = joDotOf3( n, n );
    // A face without area has no direction.
    if ( !( lengthSq > 1e-28 * ( joDotOf3( u, u ) * joDotOf3( v, v ) ) ) )
    {
        return false;
    }
    const double inverse = 1.0 / sqrt( lengthSq );
    for ( int k = 0; k < 3; ++k )
    {
        face->normal[k] = n[k] * inverse;
    }
    epa->offsets[index] = joDotOf3( face->normal, epa->points[a].w );
    *made = index;
    return true;
}

static bool growSimplex( const joConvexPair* pair, Epa* epa, const joSimplex* start );

// The tetrahedron to begin with, which holds the origin.
static bool makeStart( const joConvexPair* pair, Epa* epa, const joSimplex* start )
{
    if ( !growSimplex( pair, epa, start ) )
    {
        return false;
    }
    double u[3], v[3], w[3], cross[3];
    joDifference3( epa->points[1].w, epa->points[0].w, u );
    joDifference3( epa->points[2].w, epa->points[0].w, v );
    joDifference3( epa->points[3].w, epa->points[0].w, w );
    joCrossOf3( u, v, cross );
    bool isAbove = joDotOf3( cross, w ) > 0.0;
    uint32_t b = isAbove ? 2 : 1, c = isAbove ? 1 : 2;
    const uint32_t corners[4][3] = { { 0, b, c }, { b, 0, 3 }, { c, b, 3 }, { 0, c, 3 } };
    static const uint16_t neighbors[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    for ( int i = 0; i < 4; ++i )
    {
        uint16_t made;
        if ( !makeFace( epa, corners[i][0], corners[i][1], corners[i][2], &made ) )
        {
            return false;
        }
        for ( int k = 0; k < 3; ++k )
        {
            epa->faces[i].neighbors[k] = neighbors[i][k];
        }
        // The origin is within, or on a face, but for rounding.
        if ( epa->offsets[i] < -epa->slop )
        {
            return false;
        }
    }
    return true;
}

// Where the cores only touch, or the origin is on a face or an edge of the simplex, GJK leaves fewer than
// four points. More are looked for square to what there is.
static bool growSimplex( const joConvexPair* pair, Epa* epa, const joSimplex* start )
{
    epa->pointCount = start->count;
    for ( uint32_t i = 0; i < start->count; ++i )
    {
        epa->points[i] = start->points[i];
    }
    if ( epa->pointCount == 4 )
    {
        return true;
    }
    if ( epa->pointCount != 3 )
    {
        return false;
    }
    double u[3], v[3], n[3], to[3], best = 0.0;
    joDifference3( epa->points[1].w, epa->points[0].w, u );
    joDifference3( epa->points[2].w, epa->points[0].w, v );
    joCrossOf3( u, v, n );
    for ( int side = 0; side < 2; ++side )
    {
        const double direction[3] = { side ? -n[0] : n[0], side ? -n[1] : n[1], side ? -n[2] : n[2] };
        joSupportPoint support = joFindSupport( pair, direction );
        joDifference3( support.w, epa->points[0].w, to );
        double height = fabs( joDotOf3( to, n ) );
        if ( height > best )
        {
            best = height;
            epa->points[3] = support;
        }
    }
    epa->pointCount = 4;
    return best > 0.0;
}

static uint16_t findNearest( const Epa* epa )
{
    uint16_t nearest = 0;
    for ( uint16_t i = 1; i < epa->faceCount; ++i )
    {
        nearest = epa->offsets[i] < epa->offsets[nearest] ? i : nearest;
    }
    return nearest;
}

// Visible faces that hang together, from the first; their rim into the horizon. They die.
static uint32_t openUp( Epa* epa, uint16_t first, const double eye[3] )
{
    uint16_t queue[MAX_FACES];
    uint32_t count = 0, edges = 0;
    queue[count++] = first;
    epa->faces[first].isVisible = true;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( uint16_t k = 0; k < 3; ++k )
        {
            uint16_t neighbor = epa->faces[queue[i]].neighbors[k];
            Face* face = epa->faces + neighbor;
            if ( face->isVisible )
            {
                continue;
            }
            if ( joDotOf3( face->normal, eye ) > epa->offsets[neighbor] + epa->slop )
            {
                face->isVisible = true;
                queue[count++] = neighbor;
            }
            else
            {
                epa->horizon[edges][0] = queue[i];
                epa->horizon[edges++][1] = k;
            }
        }
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        epa->offsets[queue[i]] = INFINITY;
        epa->freeFaces[epa->freeCount++] = queue[i];
    }
    return edges;
}

// New faces from the horizon to the last point. False: no room, no area, or no simple ring.
static bool closeUp( Epa* epa, uint32_t edges )
{
    uint32_t eye = epa->pointCount - 1;
    uint16_t rim[MAX_FACES][3], made[MAX_FACES]; // from, to, what is beyond
    for ( uint32_t i = 0; i < epa->pointCount; ++i )
    {
        epa->fanFace[i] = NONE;
    }
    for ( uint32_t i = 0; i < edges; ++i )
    {
        const Face* old = epa->faces + epa->horizon[i][0];
        uint16_t k = epa->horizon[i][1];
        rim[i][0] = old->points[k];
        rim[i][1] = old->points[( k + 1 ) % 3];
        rim[i][2] = old->neighbors[k];
    }
    for ( uint32_t i = 0; i < edges; ++i )
    {
        if ( !makeFace( epa, rim[i][0], rim[i][1], eye, made + i ) || epa->fanFace[rim[i][0]] != NONE )
        {
            return false;
        }
        epa->fanFace[rim[i][0]] = made[i];
        Face* beyond = epa->faces + rim[i][2];
        for ( int k = 0; k < 3; ++k )
        {
            if ( beyond->points[k] == rim[i][1] && beyond->points[( k + 1 ) % 3] == rim[i][0] )
            {
                beyond->neighbors[k] = made[i];
            }
        }
        epa->faces[made[i]].neighbors[0] = rim[i][2];
    }
    for ( uint32_t i = 0; i < edges; ++i )
    {
        uint16_t after = epa->fanFace[rim[i][1]];
        if ( after == NONE )
        {
            return false;
        }
        epa->faces[made[i]].neighbors[1] = after;
        epa->faces[after].neighbors[2] = made[i];
    }
    return true;
}

// Weights of a face's corners for the point of its plane that is nearest to the origin. Returns the least,
// as a share of the area: negative where that point is outside of the face.
static double weigh( const Epa* epa, const Face* face, const double onPlane[3], double weights[3] )
{
    double sum = 0.0, least = INFINITY;
    for ( int i = 0; i < 3; ++i )
    {
        double u[3], v[3], n[3];
        joDifference3( epa->points[face->points[( i + 1 ) % 3]].w, onPlane, u );
        joDifference3( epa->points[face->points[( i + 2 ) % 3]].w, onPlane, v );
        joCrossOf3( u, v, n );
        weights[i] = joDotOf3( n, face->normal );
        sum += weights[i];
    }
    for ( int i = 0; i < 3; ++i )
    {
        weights[i] = sum > 0.0 ? weights[i] / sum : 1.0 / 3.0;
        least = weights[i] < least ? weights[i] : least;
    }
    return least;
}

// The answer from the nearest face and the support along its normal. Faces of A - B with more than three
// corners are several here, in one plane: the witnesses are from that which has the nearest point.
static void finish( const joConvexPair* pair, const Epa* epa, uint16_t nearest, const joSupportPoint* support,
    joPenetration* penetration )
{
    const Face* face = epa->faces + nearest;
    const double tolerance = JO_EPA_TOLERANCE * pair->size;
    double onPlane[3], weights[3];
    for ( int k = 0; k < 3; ++k )
    {
        penetration->normal[k] = face->normal[k];
        onPlane[k] = epa->offsets[nearest] * face->normal[k];
    }
    penetration->depth = joDotOf3( face->normal, support->w );
    double most = weigh( epa, face, onPlane, weights );
    for ( uint16_t i = 0; i < epa->faceCount && most < 0.0; ++i )
    {
        double other[3];
        const Face* candidate = epa->faces + i;
        const double least = epa->offsets[i] - epa->offsets[nearest] <= tolerance
                                 ? weigh( epa, candidate, onPlane, other )
                                 : -INFINITY;
        if ( least > most )
        {
            most = least;
            face = candidate;
            weights[0] = other[0];
            weights[1] = other[1];
            weights[2] = other[2];
        }
    }
    joSimplex simplex = { .count = 3 };
    double sum = 0.0;
    for ( int i = 0; i < 3; ++i )
    {
        simplex.points[i] = epa->points[face->points[i]];
        simplex.weights[i] = weights[i] > 0.0 ? weights[i] : 0.0;
        sum += simplex.weights[i];
    }
    for ( int i = 0; i < 3; ++i )
    {
        simplex.weights[i] /= sum;
    }
    joSimplex_Witness( pair, &simplex, penetration->onA, penetration->onB );
}

static void noteStep(
    const joConvexPair* pair, const Epa* epa, uint16_t nearest, const joSupportPoint* support )
{
    const Face* face = epa->faces + nearest;
    joSupportPoint corners[3];
    for ( int i = 0; i < 3; ++i )
    {
        corners[i] = epa->points[face->points[i]];
    }
    joNoteConvexStep( pair->steps, face->normal, support, corners, 3, epa->offsets[nearest],
        joDotOf3( face->normal, support->w ) );
}

bool joRunEpa( const joConvexPair* pair, const joSimplex* start, joPenetration* penetration )
{
    Epa epa;
    epa.pointCount = epa.faceCount = epa.freeCount = 0;
    epa.slop = JO_TOUCHING * pair->size;
    if ( !makeStart( pair, &epa, start ) )
    {
        return false;
    }
    double tolerance = JO_EPA_TOLERANCE * pair->size;
    for ( ;; )
    {
        uint16_t nearest = findNearest( &epa );
        const Face* face = epa.faces + nearest;
        joSupportPoint support = joFindSupport( pair, face->normal );
        if ( pair->steps != NULL )
        {
            noteStep( pair, &epa, nearest, &support );
        }
        if ( joDotOf3( face->normal, support.w ) - epa.offsets[nearest] <= tolerance )
        {
            finish( pair, &epa, nearest, &support, penetration );
            return true;
        }
        if ( epa.pointCount == MAX_POINTS )
        {
            return false;
        }
        epa.points[epa.pointCount++] = support;
        uint32_t edges = openUp( &epa, nearest, support.w );
        if ( !closeUp( &epa, edges ) )
        {
            return false;
        }
    }
}
