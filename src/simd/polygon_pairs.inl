// SPDX-License-Identifier: MIT
// Convex polygons with rounding radii in 2D, a pair a lane: separating axes, contact points by clipping.
//
// Where polygons overlap, the shortest way apart is along the normal of an edge of one of them. Where they
// are apart, the edge that sees the largest gap has one of the nearest points on it; if the edge opposite
// comes as near over it that gap is the distance, else two vertices at their near ends are nearest. The first
// of these follows from the Minkowski difference being convex: seen from the origin, which is outside, gaps
// along directions rise to the one of the distance and fall after it. That two vertices are nearest is proved
// each time, by the extents of both along the way between them. Where rounding took the wrong one of edges
// that are all but in one line the proof fails: the pair is marked, and decided by its distance
// (narrow_phase/polygon_manifold_2d.c).
//
// Part of every kernel table, and of the call for one pair (narrow_phase/polygon_pair_2d.c): the same
// operations in the same order, so the same bits.

// Nothing is farther away than this on an axis, so that no product overflows.
#define JO_POLYGON_FARTHEST 1e15f

// Columns of one vertex: x, y, and the normal of its edge.
typedef JoFloats JoVertexLanes[4];

JO_INLINE void gatherAt( const float* const* rows, uint32_t at, JoVertexLanes columns )
{
    const float* quads[JO_LANES];
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        quads[lane] = rows[lane] + at;
    }
    gatherQuads( quads, columns );
}

// x * a + y * b
JO_INLINE JoFloats along( JoFloats x, JoFloats y, JoFloats a, JoFloats b )
{
    return add( multiply( x, a ), multiply( y, b ) );
}

JO_INLINE JoFloats negative( JoFloats a )
{
    return subtract( spread( 0.0f ), a );
}

// Two polygons in the world about the position of A.
typedef struct JoPolygonPair
{
    JoVertexLanes a[JO_PLACED_VERTICES];
    JoVertexLanes b[JO_PLACED_VERTICES];
    JoFloats offset[2]; // of B
    JoFloats radiusA, radiusB;
    JoFloats tie, slop, margin;
} JoPolygonPair;

JO_INLINE void relatePolygons( const float* const* rowsA, const float* const* rowsB, uint32_t vertexCount,
    float margin, const joPolygonTolerance* tolerance, JoPolygonPair* p )
{
    JoFloats placeA[4], placeB[4], sizeA[4], sizeB[4];
    gatherAt( rowsA, 0, placeA );
    gatherAt( rowsB, 0, placeB );
    gatherAt( rowsA, 4, sizeA );
    gatherAt( rowsB, 4, sizeB );
    const JoFloats size = add( sizeA[1], sizeB[1] );
    p->radiusA = sizeA[0];
    p->radiusB = sizeB[0];
    p->tie = multiply( size, spread( tolerance->tie ) );
    p->slop = multiply( size, spread( tolerance->slop ) );
    p->margin = spread( margin );
    for ( int k = 0; k < 2; ++k )
    {
        // The difference is small where the positions are large and alike, and then the first part is exact.
        const JoFloats between =
            add( subtract( placeB[k], placeA[k] ), subtract( placeB[2 + k], placeA[2 + k] ) );
        p->offset[k] =
            smaller( larger( between, spread( -JO_POLYGON_FARTHEST ) ), spread( JO_POLYGON_FARTHEST ) );
    }
    for ( uint32_t i = 0; i < vertexCount; ++i )
    {
        gatherAt( rowsA, JO_PLACED_VERTICES_AT + 4 * i, p->a[i] );
        gatherAt( rowsB, JO_PLACED_VERTICES_AT + 4 * i, p->b[i] );
        p->b[i][0] = add( p->b[i][0], p->offset[0] );
        p->b[i][1] = add( p->b[i][1], p->offset[1] );
    }
}

// How far the other polygon is outside of the line of an edge.
JO_INLINE JoFloats gapOf( const JoFloats* edge, JoVertexLanes* other, uint32_t vertexCount )
{
    JoFloats least = along( edge[2], edge[3], other[0][0], other[0][1] );
    for ( uint32_t i = 1; i < vertexCount; ++i )
    {
        least = smaller( along( edge[2], edge[3], other[i][0], other[i][1] ), least );
    }
    return subtract( least, along( edge[2], edge[3], edge[0], edge[1] ) );
}

// The largest of these gaps, of equal ones the first, and its edge.
JO_INLINE JoFloats largestGap(
    JoVertexLanes* own, JoVertexLanes* other, uint32_t vertexCount, JoFloats* edge )
{
    JoFloats gap = gapOf( own[0], other, vertexCount );
    *edge = spread( 0.0f );
    for ( uint32_t i = 1; i < vertexCount; ++i )
    {
        const JoFloats next = gapOf( own[i], other, vertexCount );
        const JoMask isLarger = isLess( gap, next );
        gap = choose( isLarger, next, gap );
        *edge = choose( isLarger, spread( (float)i ), *edge );
    }
    return gap;
}

// The pair as seen from the reference edge. Edges and vertices are about the position of A.
typedef struct JoPolygonView
{
    JoMask isB; // the reference is B
    JoFloats gap;
    JoFloats edge;
    JoFloats support;
    JoFloats normal[2]; // of the edge
    JoFloats start[2], end[2];
    JoFloats first[2], last[2]; // of the incident edge, which runs backwards
    JoMask isBefore;
    JoFloats radiusDifference; // of the reference less that of the other
} JoPolygonView;

// Of a vertex of the incident polygon.
JO_INLINE JoFloats heightOf( const JoPolygonPair* p, const JoPolygonView* view, uint32_t i )
{
    return along( view->normal[0], view->normal[1], choose( view->isB, p->a[i][0], p->b[i][0] ),
        choose( view->isB, p->a[i][1], p->b[i][1] ) );
}

// The vertex of the incident polygon that comes nearest to the edge, the first of equal ones.
JO_INLINE JoFloats findSupportVertex(
    const JoPolygonPair* p, const JoPolygonView* view, uint32_t vertexCount )
{
    JoFloats support = spread( 0.0f ), least = heightOf( p, view, 0 );
    for ( uint32_t i = 1; i < vertexCount; ++i )
    {
        const JoFloats height = heightOf( p, view, i );
        const JoMask isNearer = isLess( height, least );
        least = choose( isNearer, height, least );
        support = choose( isNearer, spread( (float)i ), support );
    }
    return support;
}

// Where the vertices with these numbers stand in the rows.
JO_INLINE void rowsAt( const float* const* rows, JoFloats numbers, const float** out )
{
    float at[JO_LANES];
    store( at, numbers );
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        out[lane] = rows[lane] + JO_PLACED_VERTICES_AT + 4 * (uint32_t)at[lane];
    }
}

JO_INLINE void viewPair( const float* const* rowsA, const float* const* rowsB, const JoPolygonPair* p,
    uint32_t vertexCount, JoPolygonView* view )
{
    const float* reference[JO_LANES];
    const float* incident[JO_LANES];
    const uint32_t bits = lanesOf( view->isB );
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        reference[lane] = bits >> lane & 1 ? rowsB[lane] : rowsA[lane];
        incident[lane] = bits >> lane & 1 ? rowsA[lane] : rowsB[lane];
    }
    const float* vertex[JO_LANES];
    JoVertexLanes start, end, before, own, next;
    rowsAt( reference, view->edge, vertex );
    gatherQuads( vertex, start );
    gatherAt( vertex, 4, end );
    view->normal[0] = start[2];
    view->normal[1] = start[3];
    view->support = findSupportVertex( p, view, vertexCount );
    rowsAt( incident, view->support, vertex );
    gatherQuads( vertex, own );
    gatherAt( vertex, 4, next );
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        vertex[lane] -= 4;
    }
    gatherQuads( vertex, before );
    view->isBefore = isLess(
        along( start[2], start[3], before[2], before[3] ), along( start[2], start[3], own[2], own[3] ) );
    const JoFloats zero = spread( 0.0f );
    for ( int k = 0; k < 2; ++k )
    {
        const JoFloats ofReference = choose( view->isB, p->offset[k], zero );
        const JoFloats ofIncident = choose( view->isB, zero, p->offset[k] );
        view->start[k] = add( start[k], ofReference );
        view->end[k] = add( end[k], ofReference );
        view->first[k] = add( choose( view->isBefore, before[k], own[k] ), ofIncident );
        view->last[k] = add( choose( view->isBefore, own[k], next[k] ), ofIncident );
    }
    const JoFloats difference = subtract( p->radiusA, p->radiusB );
    view->radiusDifference = choose( view->isB, negative( difference ), difference );
}

// A contact point each: midway between the surfaces.
typedef struct JoPolygonPoint
{
    JoFloats x, y, depth;
} JoPolygonPoint;

// A point of the incident polygon at a height over the line of the reference edge.
JO_INLINE JoPolygonPoint pointAt( const JoPolygonPair* p, const JoPolygonView* view, const JoFloats normal[2],
    JoFloats x, JoFloats y, JoFloats height )
{
    const JoFloats back = multiply( spread( 0.5f ), subtract( view->radiusDifference, height ) );
    return ( JoPolygonPoint ){ add( x, multiply( back, normal[0] ) ), add( y, multiply( back, normal[1] ) ),
        subtract( add( p->radiusA, p->radiusB ), height ) };
}

// The incident edge over the reference edge.
typedef struct JoPolygonClip
{
    JoFloats firstAlong, lastAlong; // from the start of the reference edge
    JoFloats firstHeight, lastHeight;
    JoFloats length;                    // of the reference edge
    JoFloats common;                    // negative: no part of one is over the other
    JoMask isFirstBeyond, isLastBeyond; // the end of the reference edge, or its start
} JoPolygonClip;

JO_INLINE JoPolygonClip clipEdges( const JoPolygonPair* p, const JoPolygonView* view )
{
    const JoFloats x = view->normal[0], y = view->normal[1], zero = spread( 0.0f );
    const JoFloats first[2] = {
        subtract( view->first[0], view->start[0] ), subtract( view->first[1], view->start[1] ) };
    const JoFloats last[2] = {
        subtract( view->last[0], view->start[0] ), subtract( view->last[1], view->start[1] ) };
    JoPolygonClip clip;
    clip.firstAlong = subtract( multiply( x, first[1] ), multiply( y, first[0] ) );
    clip.lastAlong = subtract( multiply( x, last[1] ), multiply( y, last[0] ) );
    clip.firstHeight = along( x, y, first[0], first[1] );
    clip.lastHeight = along( x, y, last[0], last[1] );
    clip.length = subtract( multiply( x, subtract( view->end[1], view->start[1] ) ),
        multiply( y, subtract( view->end[0], view->start[0] ) ) );
    clip.common = subtract( smaller( clip.firstAlong, clip.length ), larger( clip.lastAlong, zero ) );
    clip.isFirstBeyond = isLess( add( clip.length, p->slop ), clip.firstAlong );
    clip.isLastBeyond = isLess( clip.lastAlong, negative( p->slop ) );
    return clip;
}

// One end of what the edges have in common: a vertex of the incident edge, or what is above a vertex of the
// reference edge.
JO_INLINE JoPolygonPoint findEnd(
    const JoPolygonPair* p, const JoPolygonView* view, const JoPolygonClip* clip, bool isLast )
{
    const JoMask isBeyond = isLast ? clip->isLastBeyond : clip->isFirstBeyond;
    const JoFloats at = isLast ? spread( 0.0f ) : clip->length;
    const JoFloats* vertex = isLast ? view->start : view->end;
    const JoFloats* incident = isLast ? view->last : view->first;
    // Within the edge: one that is all but upright on the reference edge, and past its end by rounding, is
    // met far outside of itself.
    const JoFloats quotient =
        divide( subtract( at, clip->lastAlong ), subtract( clip->firstAlong, clip->lastAlong ) );
    const JoFloats t = smaller( larger( quotient, spread( 0.0f ) ), spread( 1.0f ) );
    const JoFloats cut =
        add( clip->lastHeight, multiply( t, subtract( clip->firstHeight, clip->lastHeight ) ) );
    const JoFloats height = choose( isBeyond, cut, isLast ? clip->lastHeight : clip->firstHeight );
    const JoFloats x = choose( isBeyond, add( vertex[0], multiply( cut, view->normal[0] ) ), incident[0] );
    const JoFloats y = choose( isBeyond, add( vertex[1], multiply( cut, view->normal[1] ) ), incident[1] );
    return pointAt( p, view, view->normal, x, y, height );
}

// Two vertices that may be nearest.
typedef struct JoPolygonCorner
{
    JoMask isAtStart, isFirst;
    JoFloats normal[2]; // unit, from the reference to the other
    JoFloats depth;
    JoPolygonPoint point;
    uint32_t doubtful; // bits: they are not nearest
} JoPolygonCorner;

JO_INLINE JoPolygonCorner findCorner(
    const JoPolygonPair* p, const JoPolygonView* view, const JoPolygonClip* clip, uint32_t vertexCount )
{
    JoPolygonCorner corner;
    const JoFloats zero = spread( 0.0f );
    corner.isAtStart = isLess( choose( view->isBefore, clip->lastAlong, clip->firstAlong ), zero );
    JoFloats own[2], first[2], last[2], other[2];
    for ( int k = 0; k < 2; ++k )
    {
        own[k] = choose( corner.isAtStart, view->start[k], view->end[k] );
        first[k] = subtract( view->first[k], own[k] );
        last[k] = subtract( view->last[k], own[k] );
    }
    // Of two that are equally high over the edge the support vertex may be the farther one.
    corner.isFirst = isLess(
        along( first[0], first[1], first[0], first[1] ), along( last[0], last[1], last[0], last[1] ) );
    JoFloats way[2];
    for ( int k = 0; k < 2; ++k )
    {
        way[k] = choose( corner.isFirst, first[k], last[k] );
        other[k] = choose( corner.isFirst, view->first[k], view->last[k] );
    }
    const JoFloats distance = squareRoot( along( way[0], way[1], way[0], way[1] ) );
    const JoMask isApart = isLess( zero, distance );
    for ( int k = 0; k < 2; ++k )
    {
        corner.normal[k] = choose( isApart, divide( way[k], distance ), view->normal[k] );
    }
    corner.point = pointAt( p, view, corner.normal, other[0], other[1], distance );
    corner.depth = corner.point.depth;
    // From A to B.
    const JoFloats x = choose( view->isB, negative( corner.normal[0] ), corner.normal[0] );
    const JoFloats y = choose( view->isB, negative( corner.normal[1] ), corner.normal[1] );
    JoFloats mostA = along( x, y, p->a[0][0], p->a[0][1] ), leastB = along( x, y, p->b[0][0], p->b[0][1] );
    for ( uint32_t i = 1; i < vertexCount; ++i )
    {
        mostA = larger( along( x, y, p->a[i][0], p->a[i][1] ), mostA );
        leastB = smaller( along( x, y, p->b[i][0], p->b[i][1] ), leastB );
    }
    const JoFloats ofOwn = along( x, y, own[0], own[1] ), ofOther = along( x, y, other[0], other[1] );
    const JoFloats ofA = choose( view->isB, ofOther, ofOwn ), ofB = choose( view->isB, ofOwn, ofOther );
    corner.doubtful = lanesOf( isLess( add( ofA, p->slop ), mostA ) ) |
                      lanesOf( isLess( leastB, subtract( ofB, p->slop ) ) );
    return corner;
}

// One step of Newton's to the inverse of a length that is almost 1; and turned from A to B.
JO_INLINE void storeNormal( const JoPolygonView* view, const JoFloats normal[2], float* x, float* y )
{
    const JoFloats lengthSq = along( normal[0], normal[1], normal[0], normal[1] );
    const JoFloats correction = subtract( spread( 1.5f ), multiply( spread( 0.5f ), lengthSq ) );
    const JoFloats unitX = multiply( normal[0], correction ), unitY = multiply( normal[1], correction );
    store( x, choose( view->isB, negative( unitX ), unitX ) );
    store( y, choose( view->isB, negative( unitY ), unitY ) );
}

JO_INLINE void storeNumbers( JoFloats numbers, uint32_t* out )
{
    float values[JO_LANES];
    store( values, numbers );
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        out[lane] = (uint32_t)values[lane];
    }
}

JO_INLINE void setBits( uint32_t* bits, uint32_t lanes, uint32_t first )
{
    *bits |= lanes << first;
}

// How the pairs in `lanes` touch, whose edge with the largest gap is found. Returns which still do.
JO_INLINE uint32_t findPolygonContacts( const float* const* rowsA, const float* const* rowsB,
    const JoPolygonPair* p, uint32_t vertexCount, JoPolygonView* view, uint32_t lanes, joPolygonBlock* out,
    uint32_t first )
{
    viewPair( rowsA, rowsB, p, vertexCount, view );
    const JoPolygonClip clip = clipEdges( p, view );
    JoPolygonPoint ends[2] = { findEnd( p, view, &clip, true ), findEnd( p, view, &clip, false ) };
    JoFloats depth = subtract( add( p->radiusA, p->radiusB ), view->gap );
    const JoFloats negativeSlop = negative( p->slop );
    const JoMask isBeside = isLess( clip.common, negativeSlop );
    // Past the end of the reference edge, what is over it may be farther away than the support vertex.
    const JoMask isFarther = isLess( larger( ends[0].depth, ends[1].depth ), subtract( depth, p->slop ) );
    const uint32_t face = ~( lanesOf( isBeside ) | lanesOf( isFarther ) ) & JO_ALL_LANES;
    JoFloats normal[2] = { view->normal[0], view->normal[1] };
    const uint32_t corners = lanes & ~face;
    if ( corners != 0 )
    {
        const JoPolygonCorner corner = findCorner( p, view, &clip, vertexCount );
        const uint32_t unsure = corners & ( corner.doubtful | lanesOf( isLess( view->gap, negativeSlop ) ) );
        const uint32_t apart = lanesOf( isLess( corner.depth, negative( p->margin ) ) );
        lanes &= ~( corners & ~unsure & apart );
        setBits( &out->isUnsure, unsure, first );
        setBits( &out->isAtStart, lanesOf( corner.isAtStart ), first );
        setBits( &out->isFirst, lanesOf( corner.isFirst ), first );
        const JoMask masks[2] = { isBeside, isFarther };
        for ( int k = 0; k < 2; ++k )
        {
            normal[0] = choose( masks[k], corner.normal[0], normal[0] );
            normal[1] = choose( masks[k], corner.normal[1], normal[1] );
            depth = choose( masks[k], corner.depth, depth );
            ends[0].x = choose( masks[k], corner.point.x, ends[0].x );
            ends[0].y = choose( masks[k], corner.point.y, ends[0].y );
            ends[0].depth = choose( masks[k], corner.point.depth, ends[0].depth );
        }
    }
    store( out->depth + first, depth );
    storeNormal( view, normal, out->normal[0] + first, out->normal[1] + first );
    for ( int k = 0; k < 2; ++k )
    {
        store( out->x[k] + first, ends[k].x );
        store( out->y[k] + first, ends[k].y );
        store( out->endDepth[k] + first, ends[k].depth );
    }
    store( out->common + first, subtract( clip.common, multiply( spread( 4.0f ), p->slop ) ) );
    storeNumbers( view->edge, out->edge + first );
    storeNumbers( view->support, out->support + first );
    setBits( &out->isReferenceB, lanesOf( view->isB ), first );
    setBits( &out->isBefore, lanesOf( view->isBefore ), first );
    setBits( &out->isIncident[0], ~lanesOf( clip.isLastBeyond ) & JO_ALL_LANES, first );
    setBits( &out->isIncident[1], ~lanesOf( clip.isFirstBeyond ) & JO_ALL_LANES, first );
    setBits( &out->isFace, face, first );
    return lanes;
}

// The reference edge: the one with the largest gap. Those of A come first, and one of B is taken only where
// it is better by the tie.
JO_INLINE void findReferenceEdge( JoPolygonPair* p, uint32_t vertexCount, JoPolygonView* view )
{
    JoFloats edgeB;
    view->gap = largestGap( p->a, p->b, vertexCount, &view->edge );
    const JoFloats gapB = largestGap( p->b, p->a, vertexCount, &edgeB );
    view->isB = isLess( add( view->gap, p->tie ), gapB );
    view->gap = choose( view->isB, gapB, view->gap );
    view->edge = choose( view->isB, edgeB, view->edge );
}

// Bit k: the pair in lane k is not farther apart than the margin, or it is unsure.
JO_INLINE uint32_t touchPolygons( const float* const* rowsA, const float* const* rowsB,
    const JoPolygonPair* p, uint32_t vertexCount, JoPolygonView* view, joPolygonBlock* out, uint32_t first )
{
    const JoFloats depth = subtract( add( p->radiusA, p->radiusB ), view->gap );
    const uint32_t lanes = ~lanesOf( isLess( depth, negative( p->margin ) ) ) & JO_ALL_LANES;
    if ( lanes == 0 )
    {
        storeNumbers( view->edge, out->edge + first );
        setBits( &out->isReferenceB, lanesOf( view->isB ), first );
        return 0;
    }
    return findPolygonContacts( rowsA, rowsB, p, vertexCount, view, lanes, out, first );
}
