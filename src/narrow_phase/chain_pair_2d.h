// SPDX-License-Identifier: MIT
// A convex shape against the segments of a chain, one by one: the twin of mesh_pair_3d.h. Each segment is met
// as a convex shape with two sides, but only along directions in which the chain ends: one counts only if
// nothing that is joined to the segment's outermost point along it reaches farther. So what slides over a
// joint that does not stand out never bumps into it. A shape whose nearest direction from a segment does not
// count is nearer to the segment's neighbour.
#pragma once

#include "narrow_phase/chain_2d.h"
#include "narrow_phase/convex_2d.h"

typedef struct joChainPair
{
    joPlacedPair2 placed; // the shape, the chain
    joChainView view;
    joPose2 frame; // of the chain, in which all that follows is
    joPolygon2 own;
    const joPolygon2* shape;
    joPoints2 core; // of the shape, about its middle
    joWide2 middle;
    double radius;
    joBounds2 bounds; // of the shape, rounded outwards

    // The segment, with points about its start.
    uint32_t segment;
    joWide2 start;
    joWide2 along;
    joWide2 normal; // unit, to the left
    joWide2 offset; // of the middle of the shape
    double size;    // of the segment and the shape; see tolerance.h
} joChainPair;

// Of a placed pair of a shape and a chain. It may point into itself: not to be copied.
void joMakeChainPair( joChainPair* made, const joPlacedPair2* placed );
void joSetSegment( joChainPair* pair, uint32_t segment );

// How the segment and the shape's core are nearest.
joNearest2 joFindNearestOfSegment( const joChainPair* pair );

// Whether the chain ends at the segment along a unit direction. *isFace: the direction is at right angles to
// the segment, but for JO_FLAT_SURFACE.
bool joIsOpenSide( const joChainPair* pair, joWide2 direction, bool* isFace );

// How a segment touches the core of the shape.
typedef struct joChainTouch
{
    joWide2 normal; // unit, from the segment to the shape
    double depth;
    joWide2 onSegment, onShape; // about the start of the segment
    bool isFace;                // the normal is the segment's
    uint32_t shapeEdge;         // or that of this edge of the shape, turned round; else JO_NULL_INDEX
} joChainTouch;

// Along the directions that count. False: it is farther away than the margin, or a neighbour is nearer.
bool joTouchSegment( const joChainPair* pair, double margin, joChainTouch* touch, joCollideStatus* status );

// The segments whose boxes meet some bounds, one after the other, in their order.
typedef struct joChainWalk
{
    const joChainView* view;
    joBounds2 bounds;
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count;
    uint32_t next, end; // segments of a leaf
} joChainWalk;

// Within `margin` of the shape.
void joStartChainWalk( joChainWalk* walk, const joChainPair* pair, double margin );
bool joNextSegment( joChainWalk* walk, uint32_t* segment );

// The manifold of one segment, whose normal points from the chain to the shape, and feature ids have the
// chain's part below. `touch` is of the segment that is set.
void joFillSegmentManifold(
    const joChainPair* pair, const joChainTouch* touch, double margin, joManifold2* manifold );
// That of the chain: of the deepest segment, with points of all whose normal is the same.
void joFillChainManifold( joChainPair* pair, double margin, joManifold2* manifold );
