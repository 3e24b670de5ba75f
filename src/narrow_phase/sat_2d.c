// SPDX-License-Identifier: MIT
// Separating axes of two convex polygons, and their contact points.
//
// Where polygons overlap, the shortest way apart is along the normal of an edge of one of them. Where they
// are apart, the edge that sees the largest gap has one of the nearest points on it; if the edge opposite
// overlaps it sideways that gap is the distance, else the nearest points are two vertices at their near ends.
// The first of these two follows from the Minkowski difference being convex: seen from the origin, which is
// outside, gaps along directions rise to the one of the distance and fall after it. That two vertices are
// nearest is proved each time, by the extents of both along the way between them; where rounding chose the
// wrong one of edges that are all but in one line the proof fails, and the distance is found by GJK.
#include "narrow_phase/sat_2d.h"

#include "narrow_phase/tolerance.h"

#include <math.h>

// Names of features in ids: a vertex, or the edge after it.
#define VERTEX_ID 0x01u
#define EDGE_ID 0x81u

// The pair as seen from the edge with the largest gap, or the least overlap.
typedef struct View
{
    const joCore2* reference;
    const joCore2* incident;
    bool isA;         // the reference is A
    uint32_t edge;    // of the reference
    uint32_t support; // the vertex of the incident polygon that comes nearest to it
    float separation;
    float slop;
    float margin;
} View;

static uint32_t nextOf( const joCore2* core, uint32_t i )
{
    return i + 1 == core->count ? 0 : i + 1;
}

static uint32_t beforeOf( const joCore2* core, uint32_t i )
{
    return i == 0 ? core->count - 1 : i - 1;
}

static uint32_t findLeast( const joCore2* core, float x, float y, float* least )
{
    uint32_t vertex = 0;
    *least = x * core->x[0] + y * core->y[0];
    for ( uint32_t i = 1; i < core->count; ++i )
    {
        float along = x * core->x[i] + y * core->y[i];
        vertex = along < *least ? i : vertex;
        *least = along < *least ? along : *least;
    }
    return vertex;
}

// How far the other polygon is outside of the line of an edge.
static float separationOf( const joCore2* core, uint32_t edge, const joCore2* other, uint32_t* support )
{
    float x = core->normalX[edge], y = core->normalY[edge], least;
    *support = findLeast( other, x, y, &least );
    return least - ( x * core->x[edge] + y * core->y[edge] );
}

static void findEdge( View* view )
{
    view->separation = -INFINITY;
    for ( uint32_t i = 0; i < view->reference->count && view->reference->count > 1; ++i )
    {
        uint32_t support;
        float separation = separationOf( view->reference, i, view->incident, &support );
        if ( separation > view->separation )
        {
            view->separation = separation;
            view->edge = i;
            view->support = support;
        }
    }
}

// The edge of the incident polygon at its support vertex that faces the reference edge most.
static uint32_t findIncidentEdge( const View* view, float x, float y )
{
    const joCore2* core = view->incident;
    if ( core->count == 1 )
    {
        return 0;
    }
    uint32_t before = beforeOf( core, view->support );
    float facingBefore = x * core->normalX[before] + y * core->normalY[before];
    float facing = x * core->normalX[view->support] + y * core->normalY[view->support];
    return facingBefore < facing ? before : view->support;
}

static uint32_t nameFeatures( const View* view, uint32_t ofReference, uint32_t ofIncident )
{
    return view->isA ? ofReference | ofIncident << 16 : ofIncident | ofReference << 16;
}

// A point of the incident polygon at a height over the line of the reference edge.
static joFlatPoint makePoint( const View* view, const float normal[2], float x, float y, float height )
{
    float back = 0.5f * ( ( view->reference->radius - view->incident->radius ) - height );
    return ( joFlatPoint ){ .x = x + back * normal[0],
        .y = y + back * normal[1],
        .depth = ( view->reference->radius + view->incident->radius ) - height };
}

static void setNormal( const View* view, const float normal[2], float separation, joFlatContact* contact )
{
    contact->normalX = view->isA ? normal[0] : -normal[0];
    contact->normalY = view->isA ? normal[1] : -normal[1];
    contact->depth = ( view->reference->radius + view->incident->radius ) - separation;
    contact->isComplete = true;
}

static void takePoint( const View* view, joFlatPoint point, joFlatContact* contact )
{
    if ( point.depth >= -view->margin - view->slop )
    {
        contact->points[contact->pointCount++] = point;
    }
}

// The incident edge in the frame of the reference edge: along it from its start, and above it.
typedef struct Clip
{
    uint32_t first, last; // vertices of the incident edge, which runs backwards
    uint32_t incidentEdge;
    float firstAlong, lastAlong;
    float firstHeight, lastHeight;
    float length; // of the reference edge
    float low, high;
} Clip;

static void clipEdge( const View* view, const float normal[2], Clip* clip )
{
    const joCore2* r = view->reference;
    const joCore2* q = view->incident;
    uint32_t start = view->edge, end = nextOf( r, start );
    clip->incidentEdge = findIncidentEdge( view, normal[0], normal[1] );
    clip->first = clip->incidentEdge;
    clip->last = nextOf( q, clip->first );
    float firstX = q->x[clip->first] - r->x[start], firstY = q->y[clip->first] - r->y[start];
    float lastX = q->x[clip->last] - r->x[start], lastY = q->y[clip->last] - r->y[start];
    clip->firstAlong = normal[0] * firstY - normal[1] * firstX;
    clip->lastAlong = normal[0] * lastY - normal[1] * lastX;
    clip->firstHeight = normal[0] * firstX + normal[1] * firstY;
    clip->lastHeight = normal[0] * lastX + normal[1] * lastY;
    clip->length = normal[0] * ( r->y[end] - r->y[start] ) - normal[1] * ( r->x[end] - r->x[start] );
    clip->low = clip->lastAlong > 0.0f ? clip->lastAlong : 0.0f;
    clip->high = clip->firstAlong < clip->length ? clip->firstAlong : clip->length;
}

// One end of what the edges have in common: a vertex of the incident edge, or what is above a vertex of the
// reference edge.
static joFlatPoint findEnd( const View* view, const float normal[2], const Clip* clip, bool isLow )
{
    const joCore2* r = view->reference;
    const joCore2* q = view->incident;
    bool isIncident = isLow ? clip->lastAlong >= -view->slop : clip->firstAlong <= clip->length + view->slop;
    if ( isIncident )
    {
        uint32_t vertex = isLow ? clip->last : clip->first;
        joFlatPoint point = makePoint(
            view, normal, q->x[vertex], q->y[vertex], isLow ? clip->lastHeight : clip->firstHeight );
        point.featureId = nameFeatures( view, EDGE_ID + view->edge, VERTEX_ID + vertex );
        return point;
    }
    uint32_t vertex = isLow ? view->edge : nextOf( r, view->edge );
    float t = ( ( isLow ? 0.0f : clip->length ) - clip->lastAlong ) / ( clip->firstAlong - clip->lastAlong );
    float height = clip->lastHeight + t * ( clip->firstHeight - clip->lastHeight );
    joFlatPoint point = makePoint(
        view, normal, r->x[vertex] + height * normal[0], r->y[vertex] + height * normal[1], height );
    point.featureId = nameFeatures( view, VERTEX_ID + vertex, EDGE_ID + clip->incidentEdge );
    return point;
}

// The points where the edges lie over each other: those at both ends of it.
static void takeEnds( const View* view, const Clip* clip, const joFlatPoint ends[2], joFlatContact* contact )
{
    if ( clip->high - clip->low <= 4.0f * view->slop )
    {
        takePoint( view, ends[ends[1].depth > ends[0].depth], contact );
        return;
    }
    // In the order of the edge of A, whichever is the reference.
    takePoint( view, ends[view->isA ? 0 : 1], contact );
    takePoint( view, ends[view->isA ? 1 : 0], contact );
}

// The support vertex for all.
static void takeSupport( const View* view, const float normal[2], joFlatContact* contact )
{
    const joCore2* q = view->incident;
    contact->points[0] =
        makePoint( view, normal, q->x[view->support], q->y[view->support], view->separation );
    contact->points[0].featureId = nameFeatures( view, EDGE_ID + view->edge, VERTEX_ID + view->support );
    contact->pointCount = 1;
}

static void widen( const joCore2* core, joPoints2* points )
{
    points->count = core->count;
    for ( uint32_t i = 0; i < core->count; ++i )
    {
        points->x[i] = (double)core->x[i];
        points->y[i] = (double)core->y[i];
    }
}

static uint32_t nameSide( const joCore2* core, const uint32_t vertices[2] )
{
    return vertices[0] == vertices[1]                   ? VERTEX_ID + vertices[0]
           : nextOf( core, vertices[0] ) == vertices[1] ? EDGE_ID + vertices[0]
                                                        : EDGE_ID + vertices[1];
}

// False: they are apart by more than the margin.
static bool findByDistance( const View* view, const float edgeNormal[2], joFlatContact* contact )
{
    joPoints2 reference, incident;
    widen( view->reference, &reference );
    widen( view->incident, &incident );
    joNearest2 nearest = joFindNearest2( &reference, &incident, 0.0, 0.0 );
    float distance = (float)nearest.distance;
    const float normal[2] = { distance > 0.0f ? (float)nearest.normal[0] : edgeNormal[0],
        distance > 0.0f ? (float)nearest.normal[1] : edgeNormal[1] };
    setNormal( view, normal, distance, contact );
    contact->points[0] = makePoint( view, normal, (float)nearest.b[0], (float)nearest.b[1], distance );
    contact->points[0].featureId = nameFeatures( view, nameSide( view->reference, nearest.vertices[0] ),
        nameSide( view->incident, nearest.vertices[1] ) );
    contact->pointCount = 1;
    contact->isComplete = nearest.isComplete;
    return contact->depth >= -view->margin;
}

// Whether no vertex of either is nearer to the other along the normal than these two.
static bool areNearest( const View* view, const float normal[2], uint32_t reference, uint32_t incident )
{
    const joCore2* r = view->reference;
    const joCore2* q = view->incident;
    float least, most;
    findLeast( q, normal[0], normal[1], &least );
    findLeast( r, -normal[0], -normal[1], &most );
    most = -most;
    return least >= ( normal[0] * q->x[incident] + normal[1] * q->y[incident] ) - view->slop &&
           most <= ( normal[0] * r->x[reference] + normal[1] * r->y[reference] ) + view->slop;
}

static float distanceSq( const joCore2* a, uint32_t i, const joCore2* b, uint32_t j )
{
    float x = b->x[j] - a->x[i], y = b->y[j] - a->y[i];
    return x * x + y * y;
}

// Two vertices are nearest. False: they are apart by more than the margin.
static bool findCorner(
    const View* view, const float edgeNormal[2], const Clip* clip, joFlatContact* contact )
{
    const joCore2* r = view->reference;
    const joCore2* q = view->incident;
    float supportAlong = view->support == clip->first ? clip->firstAlong : clip->lastAlong;
    uint32_t reference = supportAlong < 0.0f ? view->edge : nextOf( r, view->edge );
    // Of two that are equally high over the edge the support may be the farther one.
    uint32_t incident = distanceSq( r, reference, q, clip->first ) < distanceSq( r, reference, q, clip->last )
                            ? clip->first
                            : clip->last;
    float x = q->x[incident] - r->x[reference], y = q->y[incident] - r->y[reference];
    float distance = sqrtf( x * x + y * y );
    const float normal[2] = {
        distance > 0.0f ? x / distance : edgeNormal[0], distance > 0.0f ? y / distance : edgeNormal[1] };
    if ( !areNearest( view, normal, reference, incident ) )
    {
        return findByDistance( view, edgeNormal, contact );
    }
    setNormal( view, normal, distance, contact );
    contact->points[0] = makePoint( view, normal, q->x[incident], q->y[incident], distance );
    contact->points[0].featureId = nameFeatures( view, VERTEX_ID + reference, VERTEX_ID + incident );
    contact->pointCount = 1;
    return contact->depth >= -view->margin;
}

// Two points. Where they coincide any normal is as good as another.
static bool findPoints( const View* view, joFlatContact* contact )
{
    static const float anyNormal[2] = { 1.0f, 0.0f };
    const Clip clip = { .length = 0.0f };
    return findCorner( view, anyNormal, &clip, contact );
}

static bool findContact( const View* view, joFlatContact* contact )
{
    contact->pointCount = 0;
    const float normal[2] = { view->reference->normalX[view->edge], view->reference->normalY[view->edge] };
    Clip clip;
    clipEdge( view, normal, &clip );
    bool isOver = clip.high >= clip.low - view->slop;
    joFlatPoint ends[2];
    if ( isOver )
    {
        ends[0] = findEnd( view, normal, &clip, true );
        ends[1] = findEnd( view, normal, &clip, false );
    }
    float depth = ( view->reference->radius + view->incident->radius ) - view->separation;
    // Past the end of the reference edge, what the edges have in common is farther away than the support
    // vertex.
    bool isFace = isOver && fmaxf( ends[0].depth, ends[1].depth ) >= depth - view->slop;
    if ( !isFace && view->separation >= -view->slop )
    {
        return findCorner( view, normal, &clip, contact );
    }
    setNormal( view, normal, view->separation, contact );
    if ( isFace )
    {
        takeEnds( view, &clip, ends, contact );
    }
    if ( contact->pointCount == 0 )
    {
        takeSupport( view, normal, contact );
    }
    return true;
}

// Whether the edge that decided the last time says alone that they are apart.
static bool isKnownApart( const joCore2* a, const joCore2* b, float margin, const joCollideCache* cache )
{
    uint32_t known = cache != NULL ? cache->data[0] - 1 : UINT32_MAX, support;
    const joCore2* core = known < JO_MAX_POLYGON_VERTICES ? a : b;
    uint32_t edge = known % JO_MAX_POLYGON_VERTICES;
    if ( known >= 2 * JO_MAX_POLYGON_VERTICES || edge >= core->count || core->count == 1 )
    {
        return false;
    }
    return ( a->radius + b->radius ) - separationOf( core, edge, core == a ? b : a, &support ) < -margin;
}

bool joFindFlatContact( const joCore2* a, const joCore2* b, float size, float margin, joCollideCache* cache,
    joFlatContact* contact )
{
    if ( isKnownApart( a, b, margin, cache ) )
    {
        return false;
    }
    View view = { .reference = a, .incident = b, .isA = true, .slop = size * JO_CLIP_SLOP, .margin = margin };
    View other = view;
    other.reference = b;
    other.incident = a;
    other.isA = false;
    findEdge( &view );
    findEdge( &other );
    view = other.separation > view.separation + size * JO_AXIS_TIE ? other : view;
    if ( cache != NULL )
    {
        cache->data[0] = 1 + view.edge + ( view.isA ? 0 : JO_MAX_POLYGON_VERTICES );
    }
    if ( view.separation == -INFINITY )
    {
        return findPoints( &view, contact );
    }
    return ( a->radius + b->radius ) - view.separation >= -margin && findContact( &view, contact );
}
