// SPDX-License-Identifier: MIT
// Segments of a chain as convex shapes, which directions count between them and a shape, how they touch along
// these, and the way down the hierarchy. GJK says how far the cores are apart; where they cross, separating
// axes say how deep: those of the segment, of its neighbours and of the shape's edges, of which only the ones
// count in whose direction the chain ends. The segment's own normal always does.
#include "narrow_phase/chain_pair_2d.h"

#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/tolerance.h"

static joWide2 coreVertex( const joChainPair* pair, uint32_t i )
{
    return ( joWide2 ){ pair->offset.x + pair->core.x[i], pair->offset.y + pair->core.y[i] };
}

void joMakeChainPair( joChainPair* made, const joPlacedPair2* placed )
{
    made->placed = *placed;
    made->view = joViewChain( placed->b->chain );
    made->frame = joWidenPose2( *placed->poseB );
    made->shape = joToPolygon2( placed->a, &made->own );
    made->radius = (double)made->shape->radius;
    joPose2 world = joPlaceCenter2( made->shape, placed->poseA );
    joPose2 pose = joRelatePoses2( &made->frame, &world );
    made->middle = ( joWide2 ){ pose.position[0], pose.position[1] };
    made->core.count = made->shape->count;
    double lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < made->core.count; ++i )
    {
        joVec2 v = made->shape->vertices[i];
        joWide2 turned = joTurn2( &pose, joSubtract2( joWiden2( v ), joWiden2( made->shape->center ) ) );
        made->core.x[i] = turned.x;
        made->core.y[i] = turned.y;
        lower[0] = joSmallerOf( lower[0], turned.x );
        lower[1] = joSmallerOf( lower[1], turned.y );
        upper[0] = joLargerOf( upper[0], turned.x );
        upper[1] = joLargerOf( upper[1], turned.y );
    }
    for ( int k = 0; k < 2; ++k )
    {
        lower[k] += pose.position[k] - made->radius;
        upper[k] += pose.position[k] + made->radius;
    }
    made->bounds = joRoundBounds2( lower, upper );
}

void joSetSegment( joChainPair* pair, uint32_t segment )
{
    pair->segment = segment;
    pair->start = joWiden2( pair->view.points[segment] );
    pair->along = joSubtract2( joWiden2( pair->view.points[segment + 1] ), pair->start );
    pair->normal = joScale2( 1.0 / joLength2( pair->along ), joTurnLeft2( pair->along ) );
    pair->offset = joSubtract2( pair->middle, pair->start );
    pair->size = 0.5 * joLargerOf( fabs( pair->along.x ), fabs( pair->along.y ) ) +
                 ( (double)pair->shape->extent + pair->radius );
}

joNearest2 joFindNearestOfSegment( const joChainPair* pair )
{
    const joPoints2 segment = { .x = { 0.0, pair->along.x }, .y = { 0.0, pair->along.y }, .count = 2 };
    return joFindNearest2( &segment, &pair->core, pair->offset.x, pair->offset.y );
}

bool joIsOpenSide( const joChainPair* pair, joWide2 direction, bool* isFace )
{
    double rise = joDot2( direction, pair->along );
    *isFace = fabs( rise ) <= JO_FLAT_SURFACE * joLength2( pair->along );
    joWide2 neighbour;
    if ( *isFace || !joFindNeighbour( &pair->view, pair->segment, rise > 0.0, &neighbour ) )
    {
        return true;
    }
    joWide2 end = rise > 0.0 ? joAdd2( pair->start, pair->along ) : pair->start;
    joWide2 beyond = joSubtract2( neighbour, end );
    return joDot2( direction, beyond ) <= JO_FLAT_SURFACE * joLength2( beyond );
}

// The vertex of the shape's core that is least far along a direction.
static uint32_t findLowest( const joChainPair* pair, joWide2 direction )
{
    uint32_t lowest = 0;
    double least = INFINITY;
    for ( uint32_t i = 0; i < pair->core.count; ++i )
    {
        double height = direction.x * pair->core.x[i] + direction.y * pair->core.y[i];
        lowest = height < least ? i : lowest;
        least = joSmallerOf( least, height );
    }
    return lowest;
}

// How deep they are along a unit direction from the segment to the shape, and where.
static joChainTouch touchAlong( const joChainPair* pair, joWide2 direction )
{
    joWide2 onShape = coreVertex( pair, findLowest( pair, direction ) );
    double highest = joLargerOf( 0.0, joDot2( direction, pair->along ) );
    double depth = highest - joDot2( direction, onShape );
    return ( joChainTouch ){
        direction, depth, joAddScaled2( onShape, depth, direction ), onShape, false, JO_NULL_INDEX };
}

// Takes a direction, of any length but zero, if it counts and they are less deep along it.
static void consider( const joChainPair* pair, joWide2 direction, uint32_t shapeEdge, joChainTouch* best )
{
    bool isFace;
    joChainTouch touch = touchAlong( pair, joScale2( 1.0 / joLength2( direction ), direction ) );
    if ( touch.depth < best->depth - (double)JO_AXIS_TIE * pair->size &&
         joIsOpenSide( pair, touch.normal, &isFace ) )
    {
        touch.shapeEdge = shapeEdge;
        *best = touch;
    }
}

// Of cores that cross.
static void touchCrossing( const joChainPair* pair, joChainTouch* touch )
{
    joChainTouch left = touchAlong( pair, pair->normal );
    joChainTouch right = touchAlong( pair, joScale2( -1.0, pair->normal ) );
    *touch = right.depth < left.depth ? right : left;
    touch->isFace = true;
    for ( int end = 0; end < 2; ++end )
    {
        joWide2 neighbour;
        if ( joFindNeighbour( &pair->view, pair->segment, end == 1, &neighbour ) )
        {
            joWide2 own = end == 1 ? joAdd2( pair->start, pair->along ) : pair->start;
            joWide2 normal = joTurnLeft2( joSubtract2( neighbour, own ) );
            consider( pair, normal, JO_NULL_INDEX, touch );
            consider( pair, joScale2( -1.0, normal ), JO_NULL_INDEX, touch );
        }
    }
    for ( uint32_t i = 0; i < pair->core.count && pair->core.count > 1; ++i )
    {
        uint32_t next = i + 1 == pair->core.count ? 0 : i + 1;
        joWide2 edge = joSubtract2( coreVertex( pair, next ), coreVertex( pair, i ) );
        if ( joDot2( edge, edge ) > 0.0 )
        {
            consider( pair, joTurnLeft2( edge ), i, touch );
        }
    }
}

// Of vertices that hold the nearest point, the edge between them; JO_NULL_INDEX: it is one vertex.
static uint32_t edgeBetween( const joChainPair* pair, const uint32_t vertices[2] )
{
    uint32_t after = vertices[0] + 1 == pair->core.count ? 0 : vertices[0] + 1;
    return vertices[0] == vertices[1] ? JO_NULL_INDEX : after == vertices[1] ? vertices[0] : vertices[1];
}

bool joTouchSegment( const joChainPair* pair, double margin, joChainTouch* touch, joCollideStatus* status )
{
    joNearest2 nearest = joFindNearestOfSegment( pair );
    if ( nearest.distance > pair->radius + margin )
    {
        return false;
    }
    *status = nearest.isComplete ? *status : jo_collideIterationLimit;
    if ( nearest.distance <= JO_NO_DIRECTION * pair->size )
    {
        touchCrossing( pair, touch );
        return true;
    }
    *touch = ( joChainTouch ){ .normal = { nearest.normal[0], nearest.normal[1] },
        .depth = -nearest.distance,
        .onSegment = { nearest.a[0], nearest.a[1] },
        .onShape = { nearest.b[0], nearest.b[1] },
        .shapeEdge = edgeBetween( pair, nearest.vertices[1] ) };
    if ( !joIsOpenSide( pair, touch->normal, &touch->isFace ) )
    {
        return false;
    }
    if ( touch->isFace )
    {
        // All but the segment's normal: taken for it where the depth is the same. It is not where an edge of
        // the shape, which is all but parallel, goes on beyond the segment's end.
        double side = joDot2( touch->normal, pair->normal ) < 0.0 ? -1.0 : 1.0;
        joChainTouch face = touchAlong( pair, joScale2( side, pair->normal ) );
        touch->isFace = face.depth <= touch->depth + (double)JO_AXIS_TIE * pair->size;
        touch->normal = touch->isFace ? face.normal : touch->normal;
    }
    return true;
}

void joStartChainWalk( joChainWalk* walk, const joChainPair* pair, double margin )
{
    const double lower[2] = { (double)pair->bounds.lower.x - margin, (double)pair->bounds.lower.y - margin };
    const double upper[2] = { (double)pair->bounds.upper.x + margin, (double)pair->bounds.upper.y + margin };
    walk->view = &pair->view;
    walk->bounds = joRoundBounds2( lower, upper );
    walk->stack[0] = joWholeChain( &pair->view );
    walk->count = 1;
    walk->next = walk->end = 0;
}

static bool meetsNode( const joChainNode* node, const joBounds2* bounds )
{
    return node->lower[0] <= bounds->upper.x && node->upper[0] >= bounds->lower.x &&
           node->lower[1] <= bounds->upper.y && node->upper[1] >= bounds->lower.y;
}

static bool meetsSegment( const joVec2* points, const joBounds2* bounds )
{
    joVec2 a = points[0], b = points[1];
    return ( a.x <= bounds->upper.x || b.x <= bounds->upper.x ) &&
           ( a.x >= bounds->lower.x || b.x >= bounds->lower.x ) &&
           ( a.y <= bounds->upper.y || b.y <= bounds->upper.y ) &&
           ( a.y >= bounds->lower.y || b.y >= bounds->lower.y );
}

static bool nextLeaf( joChainWalk* walk )
{
    while ( walk->count > 0 )
    {
        joChainRange range = walk->stack[--walk->count], halves[2];
        if ( !meetsNode( walk->view->nodes + range.node, &walk->bounds ) )
        {
            continue;
        }
        if ( range.count == 1 )
        {
            joSegmentsOfLeaf( walk->view, range.first, &walk->next, &walk->end );
            return true;
        }
        joHalveRange( range, halves );
        walk->stack[walk->count++] = halves[1];
        walk->stack[walk->count++] = halves[0];
    }
    return false;
}

bool joNextSegment( joChainWalk* walk, uint32_t* segment )
{
    do
    {
        while ( walk->next < walk->end )
        {
            *segment = walk->next++;
            if ( meetsSegment( walk->view->points + *segment, &walk->bounds ) )
            {
                return true;
            }
        }
    } while ( nextLeaf( walk ) );
    return false;
}
