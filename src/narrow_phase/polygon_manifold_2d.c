// SPDX-License-Identifier: MIT
// The manifold of two convex shapes in 2D by what a kernel found out about them, and the decision about those
// that it left open.
#include "narrow_phase/gjk_2d.h"
#include "narrow_phase/placed_polygon.h"
#include "narrow_phase/tolerance.h"

#include <math.h>

// Names of features in ids: a vertex, or the edge after it.
#define VERTEX_ID 0x01u
#define EDGE_ID 0x81u

// One lane of a block.
typedef struct Lane
{
    const joPlacedPolygon* a;
    const joPlacedPolygon* b;
    const joPlacedPolygon* reference;
    const joPlacedPolygon* incident;
    bool isB; // the reference is B
    uint32_t edge, support;
    uint32_t incidentEdge;
    float slop;
} Lane;

static bool bitOf( uint32_t bits, uint32_t lane )
{
    return bits >> lane & 1;
}

static uint32_t nextOf( const joPlacedPolygon* polygon, uint32_t i )
{
    return i + 1 == polygon->count ? 0 : i + 1;
}

static Lane laneOf(
    const joPlacedPolygon* a, const joPlacedPolygon* b, const joPolygonBlock* block, uint32_t lane )
{
    Lane found = { .a = a,
        .b = b,
        .isB = bitOf( block->isReferenceB, lane ),
        .edge = block->edge[lane],
        .support = block->support[lane],
        .slop = ( a->size + b->size ) * JO_CLIP_SLOP };
    found.reference = found.isB ? b : a;
    found.incident = found.isB ? a : b;
    found.incidentEdge = !bitOf( block->isBefore, lane ) ? found.support
                         : found.support == 0            ? found.incident->count - 1
                                                         : found.support - 1;
    return found;
}

static uint32_t nameFeatures( const Lane* lane, uint32_t ofReference, uint32_t ofIncident )
{
    return lane->isB ? ofIncident | ofReference << 16 : ofReference | ofIncident << 16;
}

// Appends a point, given about the position of A.
static void addPoint( const Lane* lane, float x, float y, float depth, uint32_t id, joManifold2* manifold )
{
    const joPlacedPolygon* a = lane->a;
    manifold->points[manifold->pointCount++] = ( joManifoldPoint2 ){
        { ( x + a->positionRest[0] ) + a->position[0], ( y + a->positionRest[1] ) + a->position[1] }, depth,
        id };
}

static uint32_t nameEnd( const Lane* lane, const joPolygonBlock* block, uint32_t index, uint32_t end )
{
    if ( bitOf( block->isIncident[end], index ) )
    {
        uint32_t vertex = end == 0 ? nextOf( lane->incident, lane->incidentEdge ) : lane->incidentEdge;
        return nameFeatures( lane, EDGE_ID + lane->edge, VERTEX_ID + vertex );
    }
    uint32_t vertex = end == 0 ? lane->edge : nextOf( lane->reference, lane->edge );
    return nameFeatures( lane, VERTEX_ID + vertex, EDGE_ID + lane->incidentEdge );
}

// The points where the edges lie over each other: those at both ends of it.
static void addEnds(
    const Lane* lane, const joPolygonBlock* block, uint32_t index, float margin, joManifold2* manifold )
{
    bool isOne = !( block->common[index] > 0.0f );
    uint32_t deeper = block->endDepth[1][index] > block->endDepth[0][index] ? 1 : 0;
    for ( uint32_t k = 0; k < 2; ++k )
    {
        // In the order of the edge of A, whichever is the reference.
        uint32_t end = lane->isB ? 1 - k : k;
        float depth = block->endDepth[end][index];
        if ( isOne ? end == deeper : depth >= -margin - lane->slop )
        {
            addPoint( lane, block->x[end][index], block->y[end][index], depth,
                nameEnd( lane, block, index, end ), manifold );
        }
    }
}

static void addCorner( const Lane* lane, const joPolygonBlock* block, uint32_t index, joManifold2* manifold )
{
    uint32_t reference =
        bitOf( block->isAtStart, index ) ? lane->edge : nextOf( lane->reference, lane->edge );
    uint32_t incident =
        bitOf( block->isFirst, index ) ? lane->incidentEdge : nextOf( lane->incident, lane->incidentEdge );
    addPoint( lane, block->x[0][index], block->y[0][index], block->endDepth[0][index],
        nameFeatures( lane, VERTEX_ID + reference, VERTEX_ID + incident ), manifold );
}

static float offsetOf( const Lane* lane, int axis )
{
    return ( lane->b->position[axis] - lane->a->position[axis] ) +
           ( lane->b->positionRest[axis] - lane->a->positionRest[axis] );
}

static void widen( const joPlacedPolygon* polygon, float x, float y, joPoints2* points )
{
    points->count = polygon->count;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        points->x[i] = (double)( polygon->vertices[i][0] + x );
        points->y[i] = (double)( polygon->vertices[i][1] + y );
    }
}

static uint32_t nameSide( const joPlacedPolygon* polygon, const uint32_t vertices[2] )
{
    return vertices[0] == vertices[1]                      ? VERTEX_ID + vertices[0]
           : nextOf( polygon, vertices[0] ) == vertices[1] ? EDGE_ID + vertices[0]
                                                           : EDGE_ID + vertices[1];
}

// One point for all, a distance along the normal from a point of A's polygon. False: too far apart.
static bool addMiddle( const Lane* lane, const double onA[2], const double normal[2], double distance,
    uint32_t id, float margin, joManifold2* manifold )
{
    double radiusA = (double)lane->a->radius, radiusB = (double)lane->b->radius;
    double middle = 0.5 * ( radiusA + ( distance - radiusB ) );
    float depth = (float)( radiusA + radiusB - distance );
    if ( depth < -margin )
    {
        return false;
    }
    manifold->normal = ( joVec2 ){ (float)normal[0], (float)normal[1] };
    manifold->depth = depth;
    addPoint( lane, (float)( onA[0] + middle * normal[0] ), (float)( onA[1] + middle * normal[1] ), depth, id,
        manifold );
    return true;
}

// An edge and a vertex of the other polygon, of those that overlap by the least way.
typedef struct Touch
{
    double gap; // negative
    double normal[2];
    uint32_t edge, vertex;
    bool isB; // the edge is one of B
} Touch;

static void findDeepest( const joPoints2* own, const joPoints2* other, bool isB, Touch* touch )
{
    for ( uint32_t i = 0; i < own->count && own->count > 1; ++i )
    {
        uint32_t next = i + 1 == own->count ? 0 : i + 1;
        double x = own->y[next] - own->y[i], y = own->x[i] - own->x[next], length = sqrt( x * x + y * y );
        double least = INFINITY;
        for ( uint32_t k = 0; k < other->count; ++k )
        {
            double height = ( x * ( other->x[k] - own->x[i] ) + y * ( other->y[k] - own->y[i] ) ) / length;
            least = height < least ? height : least;
        }
        // Vertices may fall together where the other body is far larger: such an edge has no direction.
        if ( length > 0.0 && least > touch->gap )
        {
            *touch = ( Touch ){ least, { x / length, y / length }, i, 0, isB };
        }
    }
}

// Of the vertices that are equally deep behind the edge, the one that is not beside it, or the least.
static void findVertex( const joPoints2* own, const joPoints2* other, double slop, Touch* touch )
{
    uint32_t next = touch->edge + 1 == own->count ? 0 : touch->edge + 1;
    double x = touch->normal[0], y = touch->normal[1], leastBeside = INFINITY;
    double length = x * ( own->y[next] - own->y[touch->edge] ) - y * ( own->x[next] - own->x[touch->edge] );
    for ( uint32_t k = 0; k < other->count; ++k )
    {
        double fromX = other->x[k] - own->x[touch->edge], fromY = other->y[k] - own->y[touch->edge];
        double at = x * fromY - y * fromX;
        double beside = at < 0.0 ? -at : at > length ? at - length : 0.0;
        if ( x * fromX + y * fromY <= touch->gap + slop && beside < leastBeside )
        {
            leastBeside = beside;
            touch->vertex = k;
        }
    }
}

static bool decideOverlap(
    const Lane* lane, const joPoints2* a, const joPoints2* b, float margin, joManifold2* manifold )
{
    Touch touch = { .gap = -INFINITY, .normal = { 1.0, 0.0 } };
    findDeepest( a, b, false, &touch );
    findDeepest( b, a, true, &touch );
    if ( touch.gap == -INFINITY )
    {
        // Two points on one spot.
        const double onA[2] = { a->x[0], a->y[0] };
        return addMiddle( lane, onA, touch.normal, 0.0, VERTEX_ID | VERTEX_ID << 16, margin, manifold );
    }
    const joPoints2* other = touch.isB ? a : b;
    findVertex( touch.isB ? b : a, other, (double)lane->slop, &touch );
    double onA[2] = { other->x[touch.vertex], other->y[touch.vertex] };
    for ( int k = 0; k < 2; ++k )
    {
        touch.normal[k] = touch.isB ? -touch.normal[k] : touch.normal[k];
        onA[k] = touch.isB ? onA[k] : onA[k] - touch.gap * touch.normal[k];
    }
    uint32_t edge = EDGE_ID + touch.edge, vertex = VERTEX_ID + touch.vertex;
    uint32_t id = touch.isB ? vertex | edge << 16 : edge | vertex << 16;
    return addMiddle( lane, onA, touch.normal, touch.gap, id, margin, manifold );
}

// What is nearest by the distance, in double; and where they overlap, by the edges.
static bool decide( const Lane* lane, float margin, joManifold2* manifold )
{
    joPoints2 a, b;
    widen( lane->a, 0.0f, 0.0f, &a );
    widen( lane->b, offsetOf( lane, 0 ), offsetOf( lane, 1 ), &b );
    joNearest2 nearest = joFindNearest2( &a, &b, 0.0, 0.0 );
    manifold->status = nearest.isComplete ? jo_collideComplete : jo_collideIterationLimit;
    if ( !( nearest.distance > 0.0 ) )
    {
        return decideOverlap( lane, &a, &b, margin, manifold );
    }
    uint32_t id = nameSide( lane->a, nearest.vertices[0] ) | nameSide( lane->b, nearest.vertices[1] ) << 16;
    return addMiddle( lane, nearest.a, nearest.normal, nearest.distance, id, margin, manifold );
}

bool joFillPolygonManifold( const joPlacedPolygon* a, const joPlacedPolygon* b, const joPolygonBlock* block,
    uint32_t lane, float margin, joManifold2* manifold )
{
    const Lane found = laneOf( a, b, block, lane );
    if ( bitOf( block->isUnsure, lane ) )
    {
        return decide( &found, margin, manifold );
    }
    manifold->normal = ( joVec2 ){ block->normal[0][lane], block->normal[1][lane] };
    manifold->depth = block->depth[lane];
    if ( bitOf( block->isFace, lane ) )
    {
        addEnds( &found, block, lane, margin, manifold );
    }
    else
    {
        addCorner( &found, block, lane, manifold );
    }
    return true;
}
