// SPDX-License-Identifier: MIT
// Contact points of two convex shapes, once normal and depth are known: a face of one, or its whole core if
// that is a segment, is clipped by a face of the other in the projection along the normal. See also
// box_contact_3d.c, which is the same for what boxes know beforehand.
//
// The faces are looked for where the shapes touch, around the vertex that is farthest along the normal: of
// all faces of a hull the one that looks most along the normal may be elsewhere.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/tolerance.h"

#include <math.h>

// Two faces of a hull have fewer than this many sides together, and each side of the one adds at most one
// corner to the other.
#define MAX_VERTICES ( 2 * JO_MAX_HULL_VERTICES3 + 2 )

// Names of edges in feature ids, 11 bits each: of the incident shape from 1, of the reference shape from
// 1025.
#define INCIDENT_EDGE 1u
#define SEGMENT_SIDE 1000u // of an incident shape that counts as a segment
#define REFERENCE_EDGE 1025u
#define NAME_BITS 11
#define WITNESS_ID ( 1u << 22 )

// Faces that look farther away from the normal than this cosine do not stand for a contact.
#define LEAST_FACING 0.1

typedef struct Vertex
{
    double u, v; // on the reference face
    double depth;
    uint32_t edge; // name of the edge from here to the next vertex
} Vertex;

typedef struct Polygon
{
    Vertex vertices[MAX_VERTICES];
    uint32_t count;
} Polygon;

// One of the two shapes, seen in the frame of A.
typedef struct Side
{
    const joConvexPair* pair;
    const joPolytope* polytope;
    bool isB;
    double out[3];   // the normal, out of this shape
    uint32_t vertex; // farthest along it
    uint32_t face;
    double facing; // cosine of the face's normal with `out`; -1: no face
} Side;

static void pointOf( const Side* side, uint32_t vertex, double point[3] )
{
    if ( side->isB )
    {
        joConvexPair_PointOfB( side->pair, vertex, point );
        return;
    }
    joPolytope_GetVertex( side->polytope, vertex, point );
}

static void normalOf( const Side* side, uint32_t face, double normal[3] )
{
    const float* own = side->polytope->planes[face].normal;
    double n[3] = { (double)own[0], (double)own[1], (double)own[2] };
    double length = sqrt( joDotOf3( n, n ) );
    for ( int i = 0; i < 3; ++i )
    {
        const double* row = side->pair->rotation[i];
        normal[i] = ( side->isB ? row[0] * n[0] + row[1] * n[1] + row[2] * n[2] : n[i] ) / length;
    }
}

// How many vertices of a face are as far out as any, up to two.
static uint32_t countOutermost( const Side* side, uint32_t face, double highest )
{
    uint32_t count = 0, first = side->polytope->faceEdges[face], edge = first;
    do
    {
        double p[3];
        pointOf( side, side->polytope->edges[edge].origin, p );
        count += joDotOf3( p, side->out ) >= highest - (double)JO_CLIP_SLOP * side->pair->size;
        edge = side->polytope->edges[edge].next;
    } while ( edge != first && count < 2 );
    return count;
}

// Faces of a box without thickness are no faces: they have an edge without length.
static bool isFace( const Side* side, uint32_t face )
{
    uint32_t first = side->polytope->faceEdges[face], edge = first;
    do
    {
        const joHullEdge* next = side->polytope->edges + side->polytope->edges[edge].next;
        double from[3], to[3];
        joPolytope_GetVertex( side->polytope, side->polytope->edges[edge].origin, from );
        joPolytope_GetVertex( side->polytope, next->origin, to );
        if ( from[0] == to[0] && from[1] == to[1] && from[2] == to[2] )
        {
            return false;
        }
        edge = side->polytope->edges[edge].next;
    } while ( edge != first );
    return true;
}

// Of the faces around the outermost vertex one that has an edge as far out, if there is any, and that looks
// most along the normal.
static Side makeSide( const joConvexPair* pair, bool isB, const double normal[3] )
{
    Side side = {
        .pair = pair, .polytope = isB ? &pair->b.polytope : &pair->a.polytope, .isB = isB, .facing = -1.0 };
    for ( int k = 0; k < 3; ++k )
    {
        side.out[k] = isB ? -normal[k] : normal[k];
    }
    if ( side.polytope->faceCount == 0 )
    {
        return side;
    }
    side.vertex = isB ? joFindSupportB( pair, normal ) : joFindSupportA( pair, normal );
    double p[3];
    pointOf( &side, side.vertex, p );
    double highest = joDotOf3( p, side.out );
    uint32_t first = side.polytope->vertexEdges[side.vertex], edge = first, most = 0;
    do
    {
        double faceNormal[3];
        uint32_t face = side.polytope->edges[edge].face, count = countOutermost( &side, face, highest );
        normalOf( &side, face, faceNormal );
        double facing = joDotOf3( faceNormal, side.out );
        bool isBetter = count > most || ( count == most && facing > side.facing );
        if ( isBetter && isFace( &side, face ) )
        {
            most = count;
            side.face = face;
            side.facing = facing;
        }
        edge = side.polytope->edges[edge ^ 1].next;
    } while ( edge != first );
    return side;
}

// Axes on the reference face, and its plane.
typedef struct Plane
{
    double u[3], v[3], normal[3], origin[3];
} Plane;

static Plane makePlane( const Side* reference )
{
    Plane plane;
    normalOf( reference, reference->face, plane.normal );
    pointOf( reference, reference->polytope->edges[reference->polytope->faceEdges[reference->face]].origin,
        plane.origin );
    int least = fabs( plane.normal[1] ) < fabs( plane.normal[0] ) ? 1 : 0;
    least = fabs( plane.normal[2] ) < fabs( plane.normal[least] ) ? 2 : least;
    double axis[3] = { 0.0, 0.0, 0.0 };
    axis[least] = 1.0;
    joCrossOf3( axis, plane.normal, plane.u );
    double length = sqrt( joDotOf3( plane.u, plane.u ) );
    for ( int k = 0; k < 3; ++k )
    {
        plane.u[k] /= length;
    }
    joCrossOf3( plane.normal, plane.u, plane.v );
    return plane;
}

static Vertex project( const Plane* plane, const Side* reference, const double p[3], uint32_t edge )
{
    double from[3];
    joDifference3( p, plane->origin, from );
    double depth = -joDotOf3( plane->normal, from ) / joDotOf3( plane->normal, reference->out );
    for ( int k = 0; k < 3; ++k )
    {
        from[k] += depth * reference->out[k];
    }
    return ( Vertex ){ joDotOf3( plane->u, from ), joDotOf3( plane->v, from ), depth, edge };
}

// A segment as a polygon of two sides that are one, and two that are points.
static void makeSegment( const Plane* plane, const Side* reference, const Side* incident, uint32_t from,
    uint32_t to, Polygon* polygon )
{
    double p[3];
    const uint32_t corners[4] = { from, to, to, from };
    for ( uint32_t i = 0; i < 4; ++i )
    {
        pointOf( incident, corners[i], p );
        polygon->vertices[i] = project( plane, reference, p, SEGMENT_SIDE + i );
    }
    polygon->count = 4;
}

// Of the edges from the outermost vertex the one that leads least away from there: what touches of a blade.
// Edges without length, which boxes without thickness have, lead nowhere.
static void makeRidge( const Plane* plane, const Side* reference, const Side* incident, Polygon* polygon )
{
    const joPolytope* polytope = incident->polytope;
    uint32_t first = polytope->vertexEdges[incident->vertex], edge = first, to = incident->vertex;
    double highest = -INFINITY, from[3];
    pointOf( incident, incident->vertex, from );
    do
    {
        double p[3], along[3];
        uint32_t end = polytope->edges[edge ^ 1].origin;
        pointOf( incident, end, p );
        joDifference3( p, from, along );
        double length = sqrt( joDotOf3( along, along ) );
        double rise = length > 0.0 ? joDotOf3( along, incident->out ) / length : -INFINITY;
        to = rise > highest ? end : to;
        highest = rise > highest ? rise : highest;
        edge = polytope->edges[edge ^ 1].next;
    } while ( edge != first );
    makeSegment( plane, reference, incident, incident->vertex, to, polygon );
}

// The incident face. Of one that is seen nearly from the side an edge: what is off the plane of the face by
// the tolerance of a hull would be far off along the normal.
static void makePolygon( const Plane* plane, const Side* reference, const Side* incident, Polygon* polygon )
{
    double p[3];
    polygon->count = 0;
    if ( incident->polytope->faceCount == 0 )
    {
        makeSegment( plane, reference, incident, 0, 1, polygon );
        return;
    }
    if ( incident->facing < LEAST_FACING )
    {
        makeRidge( plane, reference, incident, polygon );
        return;
    }
    uint32_t first = incident->polytope->faceEdges[incident->face], edge = first;
    do
    {
        pointOf( incident, incident->polytope->edges[edge].origin, p );
        polygon->vertices[polygon->count++] = project( plane, reference, p, INCIDENT_EDGE + edge / 2 );
        edge = incident->polytope->edges[edge].next;
    } while ( edge != first );
}

// Keeps what is to the left of a line, and corners that are right of it by no more than the slop (Sutherland
// and Hodgman, "Reentrant Polygon Clipping", 1974). The line goes from a in a unit direction. Sides are cut
// at the line itself: beyond a sharp corner the slop of two lines would add up to far more.
static void clip(
    const Polygon* in, Polygon* out, const Vertex* a, const double direction[2], double slop, uint32_t name )
{
    out->count = 0;
    for ( uint32_t i = 0; i < in->count; ++i )
    {
        const Vertex* here = in->vertices + i;
        const Vertex* next = in->vertices + ( i + 1 == in->count ? 0 : i + 1 );
        double inside = direction[0] * ( here->v - a->v ) - direction[1] * ( here->u - a->u );
        double nextInside = direction[0] * ( next->v - a->v ) - direction[1] * ( next->u - a->u );
        bool isInside = inside >= -slop;
        if ( isInside && out->count < MAX_VERTICES )
        {
            out->vertices[out->count++] = *here;
        }
        if ( isInside != ( nextInside >= -slop ) && out->count < MAX_VERTICES )
        {
            double t = fmin( fmax( inside / ( inside - nextInside ), 0.0 ), 1.0 );
            out->vertices[out->count++] = ( Vertex ){
                .u = here->u + t * ( next->u - here->u ),
                .v = here->v + t * ( next->v - here->v ),
                .depth = here->depth + t * ( next->depth - here->depth ),
                .edge = isInside ? name : here->edge,
            };
        }
    }
}

// What the incident side has over the reference face. Returns which of the two buffers has it.
static Polygon* clipFaces( const Plane* plane, const Side* reference, Polygon buffers[2] )
{
    const joPolytope* p = reference->polytope;
    uint32_t first = p->faceEdges[reference->face], edge = first, which = 0;
    double slop = (double)JO_CLIP_SLOP * reference->pair->size;
    do
    {
        double corner[3];
        uint32_t next = p->edges[edge].next;
        pointOf( reference, p->edges[edge].origin, corner );
        Vertex a = project( plane, reference, corner, 0 );
        pointOf( reference, p->edges[next].origin, corner );
        Vertex b = project( plane, reference, corner, 0 );
        double du = b.u - a.u, dv = b.v - a.v, length = sqrt( du * du + dv * dv );
        if ( length > 0.0 )
        {
            const double direction[2] = { du / length, dv / length };
            clip( buffers + which, buffers + ( which ^ 1 ), &a, direction, slop, REFERENCE_EDGE + edge / 2 );
            which ^= 1;
        }
        edge = next;
    } while ( edge != first );
    return buffers + which;
}

static double areaOf( const Vertex* a, const Vertex* b, const Vertex* c )
{
    return ( b->u - a->u ) * ( c->v - a->v ) - ( b->v - a->v ) * ( c->u - a->u );
}

// What the next point adds, by how many there are: depth, distance from the first, area with two, and outside
// of three. `turn`: the sign of the area of these.
static double gainOf( const Polygon* polygon, const uint32_t* chosen, uint32_t count, const Vertex* v )
{
    const Vertex* all = polygon->vertices;
    if ( count == 0 )
    {
        return v->depth;
    }
    if ( count == 1 )
    {
        double du = v->u - all[chosen[0]].u, dv = v->v - all[chosen[0]].v;
        return sqrt( du * du + dv * dv );
    }
    const Vertex* a = all + chosen[0];
    const Vertex* b = all + chosen[1];
    if ( count == 2 )
    {
        return fabs( areaOf( a, b, v ) );
    }
    const Vertex* c = all + chosen[2];
    double turn = areaOf( a, b, c ) > 0.0 ? -1.0 : 1.0;
    return fmax( turn * areaOf( a, b, v ), fmax( turn * areaOf( b, c, v ), turn * areaOf( c, a, v ) ) );
}

// Up to four vertices that stand for all within the margin: the deepest, the farthest from it, the farthest
// from the line through both, and the one that adds the largest triangle. Returns how many.
static uint32_t reduce( const Polygon* polygon, double leastDepth, double size, uint32_t chosen[4] )
{
    double tie = size * (double)JO_AXIS_TIE, leastWidth = size * ( 4.0 * (double)JO_CLIP_SLOP );
    uint32_t count = 0;
    double width = 0.0;
    while ( count < JO_MAX_MANIFOLD_POINTS3 )
    {
        uint32_t best = JO_NULL_INDEX;
        double most = count == 0 ? -INFINITY : count == 1 ? leastWidth : leastWidth * width;
        for ( uint32_t i = 0; i < polygon->count; ++i )
        {
            double gain = gainOf( polygon, chosen, count, polygon->vertices + i );
            // The first of equally deep ones, so that the last bit does not choose.
            bool isBetter = gain > most + ( count == 0 && best != JO_NULL_INDEX ? tie : 0.0 );
            if ( polygon->vertices[i].depth >= leastDepth && isBetter )
            {
                most = gain;
                best = i;
            }
        }
        if ( best == JO_NULL_INDEX )
        {
            break;
        }
        width = count == 1 ? most : width;
        chosen[count++] = best;
    }
    return count;
}

static void addPoint(
    const joConvexPair* pair, const double local[3], double depth, uint32_t featureId, joManifold3* manifold )
{
    double world[3];
    joMatrix3_Apply( &pair->a.pose.rotation, local, world );
    joManifoldPoint3* point = manifold->points + manifold->pointCount++;
    point->position = ( joVec3 ){ (float)( world[0] + pair->a.pose.position[0] ),
        (float)( world[1] + pair->a.pose.position[1] ), (float)( world[2] + pair->a.pose.position[2] ) };
    point->depth = (float)( depth + pair->radius );
    point->featureId = featureId;
}

// Midway between the surfaces, from the nearest points of the cores.
static void addWitness( const joConvexPair* pair, const joPenetration* p, joManifold3* manifold )
{
    double middle[3];
    for ( int k = 0; k < 3; ++k )
    {
        middle[k] = 0.5 * ( p->onA[k] + p->onB[k] + ( pair->a.radius - pair->b.radius ) * p->normal[k] );
    }
    addPoint( pair, middle, p->depth, WITNESS_ID, manifold );
}

static void addVertices( const Plane* plane, const Side* reference, const Polygon* polygon,
    const uint32_t* chosen, uint32_t count, joManifold3* manifold )
{
    const joConvexPair* pair = reference->pair;
    double bulge = reference->isB ? pair->b.radius - pair->a.radius : pair->a.radius - pair->b.radius;
    for ( uint32_t i = 0; i < count && manifold->pointCount < JO_MAX_MANIFOLD_POINTS3; ++i )
    {
        const Vertex* vertex = polygon->vertices + chosen[i];
        uint32_t before = polygon->vertices[chosen[i] == 0 ? polygon->count - 1 : chosen[i] - 1].edge;
        double local[3];
        for ( int k = 0; k < 3; ++k )
        {
            local[k] = plane->origin[k] + vertex->u * plane->u[k] + vertex->v * plane->v[k] +
                       0.5 * ( bulge - vertex->depth ) * reference->out[k];
        }
        uint32_t id =
            before < vertex->edge ? before | vertex->edge << NAME_BITS : vertex->edge | before << NAME_BITS;
        addPoint( pair, local, vertex->depth, id, manifold );
    }
}

void joFindConvexContacts(
    const joConvexPair* pair, const joPenetration* penetration, double margin, joManifold3* manifold )
{
    Side a = makeSide( pair, false, penetration->normal ), b = makeSide( pair, true, penetration->normal );
    bool isA = a.facing >= b.facing - (double)JO_AXIS_TIE;
    const Side* reference = isA ? &a : &b;
    const Side* incident = isA ? &b : &a;
    bool isPoint = a.polytope->vertexCount == 1 || b.polytope->vertexCount == 1;
    manifold->pointCount = 0;
    if ( isPoint || reference->facing < LEAST_FACING )
    {
        addWitness( pair, penetration, manifold );
        return;
    }
    Polygon buffers[2];
    Plane plane = makePlane( reference );
    makePolygon( &plane, reference, incident, buffers );
    const Polygon* polygon = clipFaces( &plane, reference, buffers );
    uint32_t chosen[4];
    double slop = (double)JO_CLIP_SLOP * pair->size;
    uint32_t count = reduce( polygon, -margin - pair->radius - slop, pair->size, chosen );
    // The two faces may leave out what is deepest, where they are not those of the two features that touch.
    if ( count == 0 || polygon->vertices[chosen[0]].depth < penetration->depth - 4.0 * slop )
    {
        addWitness( pair, penetration, manifold );
    }
    addVertices( &plane, reference, polygon, chosen, count, manifold );
}
