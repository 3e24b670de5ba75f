// SPDX-License-Identifier: MIT
// Contact points of two boxes in 3D: the face of the incident box that looks most against the normal is
// clipped by the face of the reference box that looks most along it.
//
// As usual, but for one thing: points are carried from one face to the other along the normal, not along the
// reference face's own normal. For a face axis the two are the same. For an edge axis it makes one method of
// two: both edges belong to the two faces, they cross in the projection, and the crossing point, which is the
// deepest, is a vertex of the clipped polygon. So boxes that lie on each other a little askew, where the
// least axis is often the cross product of two nearly parallel edges, get the four points of a face contact
// and keep them while the axis changes.
#include "narrow_phase/box_contact_3d.h"

#include "base/float_env.h"
#include "narrow_phase/tolerance.h"

#include <math.h>
#include <string.h>

// Four vertices, and each of four sides adds at most one.
#define MAX_VERTICES 8

// Names of edges in feature ids: those of the incident box from 1, those of the reference box from 17.
#define INCIDENT_EDGE 1u
#define REFERENCE_EDGE 17u
#define CORNER_ID 0x10000u

// A vertex of the incident face, projected onto the reference face along the normal.
typedef struct Vertex
{
    float u, v;    // on the reference face
    float depth;   // along the normal
    uint32_t edge; // name of the edge from here to the next vertex
} Vertex;

typedef struct Polygon
{
    Vertex vertices[MAX_VERTICES];
    uint32_t count;
} Polygon;

// The two axes after `axis`, in turn.
static const int s_next[3] = { 1, 2, 0 };
static const int s_last[3] = { 2, 0, 1 };

static float dot( const float a[3], const float b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Not fmaxf, which is a call.
static float largerOf( float a, float b )
{
    return a > b ? a : b;
}

static int longestOf( const float v[3] )
{
    int axis = fabsf( v[1] ) > fabsf( v[0] ) ? 1 : 0;
    return fabsf( v[2] ) > fabsf( v[axis] ) ? 2 : axis;
}

// Number, 0 to 11, of the edge of a box along `axis` on given sides (0 or 1) of the next two axes.
static uint32_t edgeNumber( int axis, uint32_t nextSide, uint32_t lastSide )
{
    return 4u * (uint32_t)axis + nextSide + 2u * lastSide;
}

// The same from the side of one other axis and that of the third.
static uint32_t edgeNumberOf( int axis, int other, uint32_t otherSide, uint32_t thirdSide )
{
    return other == s_next[axis] ? edgeNumber( axis, otherSide, thirdSide )
                                 : edgeNumber( axis, thirdSide, otherSide );
}

// The incident face: its vertices in turn, as points in the frame of the reference box.
static void findIncidentFace( const joBoxContact* contact, float corners[4][3], uint32_t edges[4] )
{
    const float facing[3] = { dot( contact->out, contact->incidentAxes[0] ),
        dot( contact->out, contact->incidentAxes[1] ), dot( contact->out, contact->incidentAxes[2] ) };
    int face = longestOf( facing );
    int first = s_next[face], second = s_last[face];
    uint32_t side = facing[face] > 0.0f ? 0 : 1;
    static const uint32_t firstSide[4] = { 1, 0, 0, 1 };
    static const uint32_t secondSide[4] = { 1, 1, 0, 0 };
    for ( int i = 0; i < 4; ++i )
    {
        float alongFace = side ? contact->incidentHalf[face] : -contact->incidentHalf[face];
        float alongFirst = firstSide[i] ? contact->incidentHalf[first] : -contact->incidentHalf[first];
        float alongSecond = secondSide[i] ? contact->incidentHalf[second] : -contact->incidentHalf[second];
        for ( int k = 0; k < 3; ++k )
        {
            corners[i][k] = contact->incidentCenter[k] + alongFace * contact->incidentAxes[face][k] +
                            alongFirst * contact->incidentAxes[first][k] +
                            alongSecond * contact->incidentAxes[second][k];
        }
        // To the next corner either the first side changes, or the second one.
        bool alongFirstAxis = firstSide[i] != firstSide[( i + 1 ) % 4];
        edges[i] = INCIDENT_EDGE + ( alongFirstAxis ? edgeNumberOf( first, face, side, secondSide[i] )
                                                    : edgeNumberOf( second, face, side, firstSide[i] ) );
    }
}

// Keeps what is on the inner side of one side of the reference face (Sutherland and Hodgman, "Reentrant
// Polygon Clipping", 1974). `sign` times coordinate (u, or v) is at most limit.
static void clip( Polygon* polygon, bool byV, float sign, float limit, uint32_t sideEdge )
{
    float inside[MAX_VERTICES];
    float least = limit;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        inside[i] = limit - sign * ( byV ? polygon->vertices[i].v : polygon->vertices[i].u );
        least = inside[i] < least ? inside[i] : least;
    }
    if ( least >= 0.0f )
    {
        return; // as most sides do, it cuts nothing off
    }
    Vertex out[MAX_VERTICES];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        const uint32_t after = i + 1 == polygon->count ? 0 : i + 1;
        const Vertex* here = polygon->vertices + i;
        const Vertex* next = polygon->vertices + after;
        bool isInside = inside[i] >= 0.0f;
        if ( isInside && count < MAX_VERTICES )
        {
            out[count++] = *here;
        }
        if ( isInside != ( inside[after] >= 0.0f ) && count < MAX_VERTICES )
        {
            float t = inside[i] / ( inside[i] - inside[after] );
            out[count++] = ( Vertex ){
                .u = here->u + t * ( next->u - here->u ),
                .v = here->v + t * ( next->v - here->v ),
                .depth = here->depth + t * ( next->depth - here->depth ),
                .edge = isInside ? sideEdge : here->edge,
            };
        }
    }
    memcpy( polygon->vertices, out, count * sizeof( Vertex ) );
    polygon->count = count;
}

// What the incident face has over the reference face, in the projection along the normal.
static void clipFaces( const joBoxContact* contact, int face, Polygon* polygon )
{
    int first = s_next[face], second = s_last[face];
    float corners[4][3];
    uint32_t edges[4];
    findIncidentFace( contact, corners, edges );
    uint32_t side = contact->out[face] > 0.0f ? 1 : 0;
    float plane = side ? contact->referenceHalf[face] : -contact->referenceHalf[face];
    polygon->count = 4;
    for ( int i = 0; i < 4; ++i )
    {
        float depth = ( plane - corners[i][face] ) / contact->out[face];
        polygon->vertices[i] = ( Vertex ){
            .u = corners[i][first] + depth * contact->out[first],
            .v = corners[i][second] + depth * contact->out[second],
            .depth = depth,
            .edge = edges[i],
        };
    }
    float slop = contact->size * JO_CLIP_SLOP;
    for ( uint32_t positive = 0; positive < 2; ++positive )
    {
        float sign = positive ? 1.0f : -1.0f;
        clip( polygon, false, sign, contact->referenceHalf[first] + slop,
            REFERENCE_EDGE + edgeNumberOf( second, face, side, positive ) );
        clip( polygon, true, sign, contact->referenceHalf[second] + slop,
            REFERENCE_EDGE + edgeNumberOf( first, face, side, positive ) );
    }
}

// Twice the area of a triangle on the reference face, with a sign.
static float areaOf( const Vertex* a, const Vertex* b, const Vertex* c )
{
    return ( b->u - a->u ) * ( c->v - a->v ) - ( b->v - a->v ) * ( c->u - a->u );
}

static float distanceSq( const Vertex* a, const Vertex* b )
{
    return ( b->u - a->u ) * ( b->u - a->u ) + ( b->v - a->v ) * ( b->v - a->v );
}

// Chooses up to four vertices that stand for all within the margin: the deepest one, which a reduction must
// never lose; the farthest from it; the farthest from the line through both; and the one that adds the
// largest triangle to these. What adds nothing beyond rounding is left out. Bit i of the answer: vertex i.
static uint32_t reduce( const joBoxContact* contact, const Polygon* polygon )
{
    const Vertex* v = polygon->vertices;
    float tie = contact->size * JO_AXIS_TIE;
    float leastWidth = contact->size * ( 4.0f * JO_CLIP_SLOP );
    // The deepest has the depth of the pair, but for rounding, and that is within the margin.
    float least = -contact->margin - contact->size * JO_CLIP_SLOP;
    uint32_t usable = 0;
    int deepest = -1;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        if ( v[i].depth >= least )
        {
            usable |= 1u << i;
            deepest = deepest < 0 || v[i].depth > v[deepest].depth + tie ? (int)i : deepest;
        }
    }
    if ( deepest < 0 )
    {
        return 0;
    }
    int farthest = -1;
    float best = leastWidth * leastWidth;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        float distance = distanceSq( v + deepest, v + i );
        if ( ( usable >> i & 1 ) && distance > best )
        {
            best = distance;
            farthest = (int)i;
        }
    }
    if ( farthest < 0 )
    {
        return 1u << deepest;
    }
    float leastArea = leastWidth * sqrtf( best );
    float side = 0.0f;
    int third = -1;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        float area = areaOf( v + deepest, v + farthest, v + i );
        if ( ( usable >> i & 1 ) && fabsf( area ) > largerOf( fabsf( side ), leastArea ) )
        {
            side = area;
            third = (int)i;
        }
    }
    if ( third < 0 )
    {
        return 1u << deepest | 1u << farthest;
    }
    // Turned so that the triangle is seen counter-clockwise, a vertex outside of an edge is on its right.
    float turn = side > 0.0f ? 1.0f : -1.0f;
    float gain = leastArea;
    int fourth = -1;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        float outside = largerOf( -turn * areaOf( v + deepest, v + farthest, v + i ),
            largerOf( -turn * areaOf( v + farthest, v + third, v + i ),
                -turn * areaOf( v + third, v + deepest, v + i ) ) );
        if ( ( usable >> i & 1 ) && outside > gain )
        {
            gain = outside;
            fourth = (int)i;
        }
    }
    uint32_t three = 1u << deepest | 1u << farthest | 1u << third;
    return fourth < 0 ? three : three | 1u << fourth;
}

// Where faces do not face each other (the boxes are apart, past an edge or a corner) the nearest corner
// stands for all.
static void takeCorner( const joBoxContact* contact, joContactPoint* point )
{
    uint32_t corner = 0;
    for ( int k = 0; k < 3; ++k )
    {
        point->position[k] = contact->incidentCenter[k] + 0.5f * contact->depth * contact->out[k];
    }
    for ( int i = 0; i < 3; ++i )
    {
        float facing = dot( contact->out, contact->incidentAxes[i] );
        if ( fabsf( facing ) < JO_CLIP_SLOP )
        {
            // Both corners of this edge are equally near along the normal: the one beside the reference box.
            facing = dot( contact->incidentCenter, contact->incidentAxes[i] );
        }
        bool positive = facing < 0.0f;
        float along = positive ? contact->incidentHalf[i] : -contact->incidentHalf[i];
        corner |= (uint32_t)positive << i;
        for ( int k = 0; k < 3; ++k )
        {
            point->position[k] += along * contact->incidentAxes[i][k];
        }
    }
    point->depth = contact->depth;
    point->featureId = CORNER_ID | corner;
}

uint32_t joFindBoxContacts( const joBoxContact* contact, joContactPoint points[JO_MAX_MANIFOLD_POINTS3] )
{
    int face = longestOf( contact->out );
    Polygon polygon;
    clipFaces( contact, face, &polygon );
    uint32_t chosen = reduce( contact, &polygon );
    if ( chosen == 0 )
    {
        takeCorner( contact, points );
        return 1;
    }
    float plane = contact->out[face] > 0.0f ? contact->referenceHalf[face] : -contact->referenceHalf[face];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < polygon.count; ++i )
    {
        if ( !( chosen >> i & 1 ) )
        {
            continue;
        }
        const Vertex* vertex = polygon.vertices + i;
        uint32_t before = polygon.vertices[i == 0 ? polygon.count - 1 : i - 1].edge;
        joContactPoint* point = points + count++;
        point->position[face] = plane;
        point->position[s_next[face]] = vertex->u;
        point->position[s_last[face]] = vertex->v;
        for ( int k = 0; k < 3; ++k )
        {
            point->position[k] -= 0.5f * vertex->depth * contact->out[k];
        }
        point->depth = vertex->depth;
        // A vertex is where two edges meet; which of them comes first depends on the side we look from.
        point->featureId = before < vertex->edge ? before | vertex->edge << 8 : vertex->edge | before << 8;
    }
    return count;
}
