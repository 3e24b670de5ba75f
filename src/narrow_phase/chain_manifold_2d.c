// SPDX-License-Identifier: MIT
// Manifolds of a chain: of one segment, and of all that touch a shape along one direction. Where a segment
// and an edge of the shape lie over each other along the normal, the points are the ends of what they share.
#include "narrow_phase/chain_pair_2d.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

// Names of features of the shape in ids: a vertex, or the edge after it.
#define VERTEX_ID 0x01u
#define EDGE_ID 0x81u

// Points of the chain and segments after them are numbered in turn; this many numbers are left by 16 bits of
// an id that is not 0.
#define CHAIN_NAMES 65535u

// A point of a manifold in the frame of the chain.
typedef struct Point
{
    joWide2 at;
    double across; // along a tangent
    double depth;
    uint32_t id;
} Point;

typedef struct Points
{
    Point points[3];
    uint32_t count;
} Points;

// An edge as seen with the normal upwards, from its end on the one side to that on the other.
typedef struct Span
{
    double across[2];
    double height[2];
    uint32_t ends[2], inside; // names
} Span;

static uint32_t nameOfChain( const joChainPair* pair, uint32_t pointOfSegment )
{
    uint32_t point = pair->segment + pointOfSegment;
    point = pair->view.isLoop && point == pair->view.segmentCount ? 0 : point;
    return 1 + (uint32_t)( 2 * (uint64_t)point % CHAIN_NAMES );
}

static uint32_t nameOfSegment( const joChainPair* pair )
{
    return 1 + (uint32_t)( ( 2 * (uint64_t)pair->segment + 1 ) % CHAIN_NAMES );
}

static Span makeSpan( joWide2 from, joWide2 to, joWide2 normal, uint32_t nameFrom, uint32_t nameTo )
{
    // The tangent is to the right of the normal.
    double first = joCross2( from, normal ), last = joCross2( to, normal );
    Span span = {
        { first, last }, { joDot2( from, normal ), joDot2( to, normal ) }, { nameFrom, nameTo }, 0 };
    return last >= first
               ? span
               : ( Span ){ { last, first }, { span.height[1], span.height[0] }, { nameTo, nameFrom }, 0 };
}

static Span spanOfSegment( const joChainPair* pair, joWide2 normal )
{
    Span span = makeSpan(
        ( joWide2 ){ 0.0, 0.0 }, pair->along, normal, nameOfChain( pair, 0 ), nameOfChain( pair, 1 ) );
    span.inside = nameOfSegment( pair );
    return span;
}

static joWide2 vertexOf( const joChainPair* pair, uint32_t i )
{
    return ( joWide2 ){ pair->offset.x + pair->core.x[i], pair->offset.y + pair->core.y[i] };
}

// The edge of the shape that is least steep of the two at its lowest vertex.
static uint32_t findFlattest( const joChainPair* pair, joWide2 normal )
{
    uint32_t count = pair->core.count, flattest = 0;
    double most = -INFINITY;
    for ( uint32_t i = 0; i < count; ++i )
    {
        joWide2 edge = joSubtract2( vertexOf( pair, i + 1 == count ? 0 : i + 1 ), vertexOf( pair, i ) );
        double length = joLength2( edge );
        // Edges run counter-clockwise: below, to the right.
        double along = length > 0.0 ? joCross2( edge, normal ) / length : -INFINITY;
        flattest = along > most ? i : flattest;
        most = joLargerOf( most, along );
    }
    return flattest;
}

static Span spanOfShape( const joChainPair* pair, joWide2 normal, uint32_t edge )
{
    uint32_t next = edge + 1 == pair->core.count ? 0 : edge + 1;
    Span span = makeSpan(
        vertexOf( pair, edge ), vertexOf( pair, next ), normal, VERTEX_ID + edge, VERTEX_ID + next );
    span.inside = EDGE_ID + edge;
    return span;
}

static double heightAt( const Span* span, double across )
{
    double width = span->across[1] - span->across[0];
    double t = width > 0.0 ? ( across - span->across[0] ) / width : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return span->height[0] + t * ( span->height[1] - span->height[0] );
}

static void addPoint( const joChainPair* pair, joWide2 normal, double across, double onChain, double onShape,
    uint32_t id, Points* points )
{
    const joWide2 tangent = { normal.y, -normal.x };
    joWide2 at = joAddScaled2( pair->start, across, tangent );
    at = joAddScaled2( at, 0.5 * ( onChain + onShape ), normal );
    points->points[points->count++] = ( Point ){ at, across, onChain - onShape, id };
}

// The ends of what both spans share, as far as they are within the margin.
static void addEnds( const joChainPair* pair, const joChainTouch* touch, double margin, Points* points )
{
    if ( pair->core.count == 1 )
    {
        return;
    }
    uint32_t edge = touch->isFace ? findFlattest( pair, touch->normal ) : touch->shapeEdge;
    Span chain = spanOfSegment( pair, touch->normal ), shape = spanOfShape( pair, touch->normal, edge );
    double slop = (double)JO_CLIP_SLOP * pair->size;
    double ends[2] = {
        joLargerOf( chain.across[0], shape.across[0] ), joSmallerOf( chain.across[1], shape.across[1] ) };
    if ( !( ends[1] - ends[0] > slop ) )
    {
        return;
    }
    for ( int side = 0; side < 2; ++side )
    {
        // A vertex of the shape that lies over a point of the chain, but for slop, is what is named.
        bool isOfShape = fabs( shape.across[side] - ends[side] ) <= slop;
        uint32_t onChain = isOfShape ? chain.inside : chain.ends[side];
        uint32_t onShape = isOfShape ? shape.ends[side] : shape.inside;
        double chainHeight = heightAt( &chain, ends[side] );
        double shapeHeight = heightAt( &shape, ends[side] ) - pair->radius;
        if ( chainHeight - shapeHeight >= -margin - slop )
        {
            addPoint(
                pair, touch->normal, ends[side], chainHeight, shapeHeight, onChain | onShape << 16, points );
        }
    }
}

static uint32_t nameDeepest( const joChainPair* pair, const joChainTouch* touch )
{
    double along = joDot2( touch->onSegment, pair->along ) / joDot2( pair->along, pair->along );
    uint32_t onChain = along <= (double)JO_CLIP_SLOP         ? nameOfChain( pair, 0 )
                       : along >= 1.0 - (double)JO_CLIP_SLOP ? nameOfChain( pair, 1 )
                                                             : nameOfSegment( pair );
    uint32_t nearest = 0;
    double least = INFINITY;
    for ( uint32_t i = 0; i < pair->core.count; ++i )
    {
        double distance = joLength2( joSubtract2( vertexOf( pair, i ), touch->onShape ) );
        nearest = distance < least ? i : nearest;
        least = joSmallerOf( least, distance );
    }
    bool isVertex = touch->shapeEdge == JO_NULL_INDEX || least <= (double)JO_CLIP_SLOP * pair->size;
    return onChain | ( isVertex ? VERTEX_ID + nearest : EDGE_ID + touch->shapeEdge ) << 16;
}

// The points of one segment: 1 or 2, the deepest among them.
static void findPoints( const joChainPair* pair, const joChainTouch* touch, double margin, Points* points )
{
    points->count = 0;
    if ( touch->isFace || touch->shapeEdge != JO_NULL_INDEX )
    {
        addEnds( pair, touch, margin, points );
    }
    double deepest = -INFINITY;
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        deepest = joLargerOf( deepest, points->points[i].depth );
    }
    if ( touch->depth + pair->radius <= deepest + (double)JO_AXIS_TIE * pair->size )
    {
        return;
    }
    // It takes the place of the one that is nearer to it.
    double across = joCross2( touch->onShape, touch->normal );
    double onShape = joDot2( touch->onShape, touch->normal );
    addPoint( pair, touch->normal, across, onShape + touch->depth, onShape - pair->radius,
        nameDeepest( pair, touch ), points );
    if ( points->count == 3 )
    {
        const Point* p = points->points;
        bool isSecond = fabs( p[1].across - p[2].across ) < fabs( p[0].across - p[2].across );
        points->points[isSecond ? 1 : 0] = p[2];
        points->count = 2;
    }
}

static void takePoint( const joChainPair* pair, const Point* point, joManifold2* manifold )
{
    manifold->points[manifold->pointCount++] = ( joManifoldPoint2 ){
        joLocalPointToWorld2( &pair->frame, point->at.x, point->at.y ), (float)point->depth, point->id };
}

static void takeTouch( const joChainPair* pair, const joChainTouch* touch, joManifold2* manifold )
{
    manifold->normal = joLocalDirectionToWorld2( &pair->frame, touch->normal.x, touch->normal.y );
    manifold->depth = (float)( touch->depth + pair->radius );
    manifold->pointCount = 0;
}

// Points of a chain that is longer than there are names may have one.
static void tellApart( joManifold2* manifold )
{
    if ( manifold->pointCount == 2 && manifold->points[0].featureId == manifold->points[1].featureId )
    {
        manifold->points[1].featureId ^= 1u << 31;
    }
}

void joFillSegmentManifold(
    const joChainPair* pair, const joChainTouch* touch, double margin, joManifold2* manifold )
{
    Points points;
    takeTouch( pair, touch, manifold );
    manifold->child = pair->segment;
    findPoints( pair, touch, margin, &points );
    for ( uint32_t i = 0; i < points.count; ++i )
    {
        takePoint( pair, points.points + i, manifold );
    }
}

// The deepest segment, the manifold's child; of equally deep ones the first. False: none is within the
// margin.
static bool findDeepest(
    joChainPair* pair, double margin, joChainTouch* deepest, joManifold2* manifold, double* tie )
{
    joChainWalk walk;
    uint32_t segment;
    bool isFound = false;
    joStartChainWalk( &walk, pair, margin );
    while ( joNextSegment( &walk, &segment ) )
    {
        joChainTouch touch;
        joSetSegment( pair, segment );
        if ( joTouchSegment( pair, margin, &touch, &manifold->status ) &&
             ( !isFound || touch.depth > deepest->depth + (double)JO_AXIS_TIE * pair->size ) )
        {
            *deepest = touch;
            manifold->child = segment;
            *tie = (double)JO_AXIS_TIE * pair->size;
            isFound = true;
        }
    }
    return isFound;
}

// The outermost points to both sides of all that is gathered; and of those that are as deep as any, but for
// rounding, the outermost to one side.
typedef struct Outermost
{
    Point first, last, deep;
    bool hasAny, hasDeep;
} Outermost;

// All are measured along one tangent, from the middle of the shape.
static void gather(
    const joChainPair* pair, const Points* points, joWide2 normal, double level, Outermost* outermost )
{
    for ( uint32_t i = 0; i < points->count; ++i )
    {
        Point p = points->points[i];
        p.across = joCross2( joSubtract2( p.at, pair->middle ), normal );
        outermost->first = !outermost->hasAny || p.across < outermost->first.across ? p : outermost->first;
        outermost->last = !outermost->hasAny || p.across > outermost->last.across ? p : outermost->last;
        outermost->hasAny = true;
        if ( p.depth >= level && ( !outermost->hasDeep || p.across < outermost->deep.across ) )
        {
            outermost->deep = p;
            outermost->hasDeep = true;
        }
    }
}

void joFillChainManifold( joChainPair* pair, double margin, joManifold2* manifold )
{
    joChainTouch deepest = { .depth = 0.0 }, touch;
    joChainWalk walk;
    uint32_t segment;
    double tie = 0.0, size = (double)pair->shape->extent + pair->radius;
    if ( !findDeepest( pair, margin, &deepest, manifold, &tie ) )
    {
        return;
    }
    double level = deepest.depth + pair->radius - ( JO_LEVEL_DEPTH * size + tie );
    Outermost outermost = { .hasAny = false };
    takeTouch( pair, &deepest, manifold );
    joStartChainWalk( &walk, pair, margin );
    while ( joNextSegment( &walk, &segment ) )
    {
        Points points;
        joSetSegment( pair, segment );
        if ( joTouchSegment( pair, margin, &touch, &manifold->status ) &&
             joDot2( touch.normal, deepest.normal ) > JO_SAME_SURFACE )
        {
            findPoints( pair, &touch, margin, &points );
            gather( pair, &points, deepest.normal, level, &outermost );
        }
    }
    // The deepest, and the one that is farthest from it.
    takePoint( pair, &outermost.deep, manifold );
    double before = outermost.deep.across - outermost.first.across;
    double after = outermost.last.across - outermost.deep.across;
    if ( joLargerOf( before, after ) > 4.0 * (double)JO_CLIP_SLOP * size )
    {
        takePoint( pair, before > after ? &outermost.first : &outermost.last, manifold );
    }
    tellApart( manifold );
}
