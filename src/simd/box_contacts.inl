// SPDX-License-Identifier: MIT
// Contact points of two boxes in 3D, a pair a lane: the face of the incident box that looks most against the
// normal is clipped by the face of the reference box that looks most along it. After box_axes.inl; part of
// what includes that.
//
// As usual, but for two things. Points are carried from one face to the other along the normal, not along the
// reference face's own normal. For a face axis the two are the same. For an edge axis it makes one method of
// two: both edges belong to the two faces, they cross in the projection, and the crossing point, which is the
// deepest, is a vertex of the clipped polygon. So boxes that lie on each other a little askew, where the
// least axis is often the cross product of two nearly parallel edges, get the four points of a face contact
// and keep them while the axis changes.
//
// And the polygon is not cut side by side, which branches at each vertex: in the projection the incident face
// is a parallelogram and the reference face a rectangle, so that all vertices there can be are known: the
// corners of either that lie in the other, and up to two crossings on each edge of the parallelogram (Liang
// and Barsky, "A New Concept and Method for Line Clipping", 1984), which are there only where a corner is
// not.

// A vertex, in the frame of the reference face: on it, and how deep along the normal.
typedef struct JoContactPoint
{
    JoFloats u, v;
    JoFloats depth;
    JoFloats id; // of the two edges that meet there
} JoContactPoint;

#define JO_CORNER_COUNT 4
#define JO_CONTACT_CANDIDATES 12
// Depth of a vertex that is none, and of what is beyond any number.
#define JO_NO_CONTACT -1e30f

// Names of edges in feature ids: those of the incident box from 1, those of the reference box from 17. The
// lower one comes first, so that an id does not depend on the side from which we look.
#define JO_INCIDENT_EDGE 1.0f
#define JO_REFERENCE_EDGE 17.0f
#define JO_SECOND_EDGE 256.0f
#define JO_CORNER_ID 65536.0f

// Which of three axes; the first, where it is neither of these.
typedef struct JoAxisChoice
{
    JoMask isSecond; // unless it is the third
    JoMask isThird;
} JoAxisChoice;

// Two boxes as seen from the one whose face is nearest to the normal. Components are in its frame, turned so
// that the reference face's axis comes first: [0], then the next two axes, u and v.
typedef struct JoContactFrame
{
    JoMask isB; // the reference box
    JoAxisChoice face;
    JoAxisChoice incidentFace;
    JoFloats reference[3]; // half extents
    JoFloats incident[3];  // half extents, along the box's own axes in order
    JoFloats center[3];    // of the incident box
    JoFloats axes[3][3];   // [which][component]
    JoFloats facing[3];    // of each axis along the normal
    JoFloats out[3];       // unit normal, from the reference box to the incident one
    JoFloats plane;        // of the reference face along its axis
    JoFloats slop;
    JoFloats size;
} JoContactFrame;

JO_INLINE JoAxisChoice longestAxis( const JoFloats v[3] )
{
    const JoFloats x = absolute( v[0] ), y = absolute( v[1] );
    JoAxisChoice choice;
    choice.isSecond = isLess( x, y );
    choice.isThird = isLess( choose( choice.isSecond, y, x ), absolute( v[2] ) );
    return choice;
}

// The component of the axis, and those of the next two.
JO_INLINE void turnToAxis( const JoAxisChoice* axis, const JoFloats v[3], JoFloats out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = choose( axis->isThird, v[( k + 2 ) % 3], choose( axis->isSecond, v[( k + 1 ) % 3], v[k] ) );
    }
}

// The other way round.
JO_INLINE void turnFromAxis( const JoAxisChoice* axis, const JoFloats v[3], JoFloats out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = choose( axis->isThird, v[( k + 1 ) % 3], choose( axis->isSecond, v[( k + 2 ) % 3], v[k] ) );
    }
}

JO_INLINE JoFloats longestOf( const JoFloats v[3] )
{
    return larger( larger( absolute( v[0] ), absolute( v[1] ) ), absolute( v[2] ) );
}

// Where B is the reference box: not where the axis is a face of A, where it is one of B, and of edges where
// a face of B is nearer to the normal.
JO_INLINE JoMask chooseReference( const JoBoxAxis* least, const JoFloats normalB[3] )
{
    const JoFloats nearer = subtract( longestOf( normalB ), longestOf( least->normal ) );
    const JoFloats byAxis = choose( isLess( least->number, spread( (float)JO_BOX_FACE_B ) ), spread( -1.0f ),
        choose( isLess( least->number, spread( (float)JO_BOX_EDGES ) ), spread( 1.0f ), nearer ) );
    return isLess( spread( 0.0f ), byAxis );
}

// `least` has been turned to point from A to B.
JO_INLINE void makeContactFrame(
    const JoBoxPair* p, const JoBoxAxis* least, float slop, JoContactFrame* frame )
{
    JoFloats normalB[3], out[3], half[3], center[3];
    for ( int j = 0; j < 3; ++j )
    {
        normalB[j] =
            dotOf( least->normal[0], least->normal[1], least->normal[2], p->r[0][j], p->r[1][j], p->r[2][j] );
    }
    const JoMask isB = chooseReference( least, normalB );
    for ( int j = 0; j < 3; ++j )
    {
        out[j] = choose( isB, subtract( spread( 0.0f ), normalB[j] ), least->normal[j] );
        half[j] = choose( isB, p->halfB[j], p->halfA[j] );
        frame->incident[j] = choose( isB, p->halfA[j], p->halfB[j] );
        center[j] = choose( isB, subtract( spread( 0.0f ), p->tB[j] ), p->t[j] );
    }
    frame->isB = isB;
    frame->face = longestAxis( out );
    turnToAxis( &frame->face, out, frame->out );
    turnToAxis( &frame->face, half, frame->reference );
    turnToAxis( &frame->face, center, frame->center );
    for ( int j = 0; j < 3; ++j )
    {
        JoFloats axis[3];
        for ( int k = 0; k < 3; ++k )
        {
            axis[k] = choose( isB, p->r[j][k], p->r[k][j] );
        }
        turnToAxis( &frame->face, axis, frame->axes[j] );
        frame->facing[j] = dotOf( frame->out[0], frame->out[1], frame->out[2], frame->axes[j][0],
            frame->axes[j][1], frame->axes[j][2] );
    }
    frame->incidentFace = longestAxis( frame->facing );
    frame->plane = choose( isLess( spread( 0.0f ), frame->out[0] ), frame->reference[0],
        subtract( spread( 0.0f ), frame->reference[0] ) );
    frame->size = add( sumOf( p->halfA ), sumOf( p->halfB ) );
    frame->slop = multiply( frame->size, spread( slop ) );
}

// The incident face in the projection: a point and a depth for its middle, and for half of its two sides.
typedef struct JoContactFaces
{
    JoFloats middle[3]; // u, v, depth
    JoFloats side[2][3];
    JoFloats limit[2];       // half of the reference face, and a little
    JoFloats sideName[2][2]; // of the reference face's edges: [u or v][positive]
    JoFloats edgeName[2][2]; // of the incident face's edges: [along which side][on which end of the other]
} JoContactFaces;

// Numbers 4 * axis + the side on the next axis + 2 * that on the one after it, of the edges of a face: those
// along its first axis, and along its second one.
JO_INLINE void nameEdges( const JoAxisChoice* face, JoFloats faceSide, float from, JoFloats names[2][2] )
{
    const JoFloats axes[3] = { spread( from ), spread( from + 4.0f ), spread( from + 8.0f ) };
    JoFloats turned[3];
    turnToAxis( face, axes, turned );
    names[0][0] = add( turned[1], add( faceSide, faceSide ) );
    names[0][1] = add( names[0][0], spread( 1.0f ) );
    names[1][0] = add( turned[2], faceSide );
    names[1][1] = add( names[1][0], spread( 2.0f ) );
}

JO_INLINE void projectFaces( const JoContactFrame* frame, JoContactFaces* faces )
{
    const JoFloats zero = spread( 0.0f ), one = spread( 1.0f );
    JoFloats half[3], facing[3], axes[3][3]; // [component][the face's axis, its two sides]
    turnToAxis( &frame->incidentFace, frame->incident, half );
    turnToAxis( &frame->incidentFace, frame->facing, facing );
    for ( int k = 0; k < 3; ++k )
    {
        const JoFloats components[3] = { frame->axes[0][k], frame->axes[1][k], frame->axes[2][k] };
        turnToAxis( &frame->incidentFace, components, axes[k] );
    }
    const JoMask isBack = isLess( zero, facing[0] );
    const JoFloats alongFace = choose( isBack, subtract( zero, half[0] ), half[0] );
    const JoFloats inverse = divide( one, frame->out[0] );
    JoFloats middle[3];
    for ( int k = 0; k < 3; ++k )
    {
        middle[k] = add( frame->center[k], multiply( alongFace, axes[k][0] ) );
    }
    const JoFloats depth = multiply( subtract( frame->plane, middle[0] ), inverse );
    faces->middle[0] = add( middle[1], multiply( depth, frame->out[1] ) );
    faces->middle[1] = add( middle[2], multiply( depth, frame->out[2] ) );
    faces->middle[2] = depth;
    for ( int i = 0; i < 2; ++i )
    {
        const JoFloats down = multiply( subtract( zero, multiply( half[1 + i], axes[0][1 + i] ) ), inverse );
        for ( int k = 0; k < 2; ++k )
        {
            faces->side[i][k] =
                add( multiply( half[1 + i], axes[1 + k][1 + i] ), multiply( down, frame->out[1 + k] ) );
        }
        faces->side[i][2] = down;
        faces->limit[i] = add( frame->reference[1 + i], frame->slop );
    }
    // The reference face ends along u where its edge along v is, and the other way round.
    JoFloats names[2][2];
    nameEdges( &frame->face, choose( isLess( zero, frame->out[0] ), one, zero ), JO_REFERENCE_EDGE, names );
    for ( int positive = 0; positive < 2; ++positive )
    {
        faces->sideName[0][positive] = names[1][positive];
        faces->sideName[1][positive] = names[0][positive];
    }
    nameEdges( &frame->incidentFace, choose( isBack, zero, one ), JO_INCIDENT_EDGE, faces->edgeName );
}

JO_INLINE JoFloats idOf( JoFloats one, JoFloats two )
{
    return add( smaller( one, two ), multiply( larger( one, two ), spread( JO_SECOND_EDGE ) ) );
}

// The corners of the incident face that lie over the reference face. [first end + 2 * second end]
JO_INLINE void takeIncidentCorners( const JoContactFaces* faces, JoContactPoint corners[JO_CORNER_COUNT] )
{
    for ( int i = 0; i < JO_CORNER_COUNT; ++i )
    {
        JoFloats at[3];
        for ( int k = 0; k < 3; ++k )
        {
            const JoFloats *first = faces->side[0] + k, *second = faces->side[1] + k;
            at[k] = i / 2 ? add( faces->middle[k], *second ) : subtract( faces->middle[k], *second );
            at[k] = i % 2 ? add( at[k], *first ) : subtract( at[k], *first );
        }
        const JoFloats none = spread( JO_NO_CONTACT );
        const JoFloats depth = choose( isLess( faces->limit[0], absolute( at[0] ) ), none, at[2] );
        corners[i] = ( JoContactPoint ){ at[0], at[1],
            choose( isLess( faces->limit[1], absolute( at[1] ) ), none, depth ),
            idOf( faces->edgeName[0][i / 2], faces->edgeName[1][i % 2] ) };
    }
}

// A direction of edges of the incident face, turned so that it goes up on u and v.
typedef struct JoClipDirection
{
    JoMask isDown[2];
    JoFloats inverse[2]; // of its components' sizes
    JoFloats lowName[2]; // of the reference face's edge that is passed first, on u and v
    JoFloats highName[2];
} JoClipDirection;

JO_INLINE void makeDirection(
    const JoContactFaces* faces, const JoFloats side[3], JoClipDirection* direction )
{
    for ( int k = 0; k < 2; ++k )
    {
        const JoMask isDown = isLess( side[k], spread( 0.0f ) );
        direction->isDown[k] = isDown;
        // A length of zero passes no side: see below.
        direction->inverse[k] = divide( spread( 1.0f ), larger( absolute( side[k] ), spread( 1e-12f ) ) );
        direction->lowName[k] = choose( isDown, faces->sideName[k][1], faces->sideName[k][0] );
        direction->highName[k] = choose( isDown, faces->sideName[k][0], faces->sideName[k][1] );
    }
}

// Where an edge of the incident face comes in over the reference face, and where it leaves it again, if it
// lies over it at all. From `middle` it goes one `side` back, to the corner `from`, and one forth, to `to`.
// A side is passed only where the two corners say so, by what the corners' own answers are about, too: so no
// vertex is lost between the two by rounding.
JO_INLINE void crossSides( const JoContactFaces* faces, const JoClipDirection* direction,
    const JoFloats middle[3], const JoFloats side[3], const JoContactPoint* from, const JoContactPoint* to,
    JoFloats edgeName, JoContactPoint* in, JoContactPoint* out )
{
    const JoFloats zero = spread( 0.0f ), none = spread( JO_NO_CONTACT );
    const JoFloats begins[2] = { from->u, from->v }, ends[2] = { to->u, to->v };
    JoFloats low[2], high[2];
    for ( int k = 0; k < 2; ++k )
    {
        const JoMask isDown = direction->isDown[k];
        const JoFloats begin = choose( isDown, subtract( zero, begins[k] ), begins[k] );
        const JoFloats end = choose( isDown, subtract( zero, ends[k] ), ends[k] );
        const JoFloats at = choose( isDown, subtract( zero, middle[k] ), middle[k] );
        const JoFloats limit = faces->limit[k], inverse = direction->inverse[k];
        low[k] = choose( isLess( add( limit, begin ), zero ),
            multiply( subtract( subtract( zero, limit ), at ), inverse ), none );
        high[k] = choose(
            isLess( limit, end ), multiply( subtract( limit, at ), inverse ), subtract( zero, none ) );
    }
    const JoFloats ways[2] = { larger( larger( low[0], low[1] ), spread( -1.0f ) ),
        smaller( smaller( high[0], high[1] ), spread( 1.0f ) ) };
    const JoFloats names[2] = {
        choose( isLess( low[1], low[0] ), direction->lowName[0], direction->lowName[1] ),
        choose( isLess( high[0], high[1] ), direction->highName[0], direction->highName[1] ) };
    const JoMask isOver = isLess( ways[0], ways[1] );
    JoContactPoint* const crossings[2] = { in, out };
    for ( int i = 0; i < 2; ++i )
    {
        const JoFloats depth = add( middle[2], multiply( ways[i], side[2] ) );
        *crossings[i] = ( JoContactPoint ){ add( middle[0], multiply( ways[i], side[0] ) ),
            add( middle[1], multiply( ways[i], side[1] ) ), choose( isOver, depth, none ),
            add( edgeName, multiply( names[i], spread( JO_SECOND_EDGE ) ) ) };
    }
}

// Crossings of both edges at each corner: those along the first side, those along the second one.
JO_INLINE void findCrossings( const JoContactFaces* faces, const JoContactPoint corners[JO_CORNER_COUNT],
    JoContactPoint crossings[2][JO_CORNER_COUNT] )
{
    for ( int i = 0; i < 2; ++i )
    {
        const JoFloats *side = faces->side[i], *other = faces->side[1 - i];
        JoClipDirection direction;
        makeDirection( faces, side, &direction );
        for ( int end = 0; end < 2; ++end )
        {
            JoFloats middle[3];
            for ( int k = 0; k < 3; ++k )
            {
                middle[k] = end ? add( faces->middle[k], other[k] ) : subtract( faces->middle[k], other[k] );
            }
            const int from = i == 0 ? 2 * end : end, to = i == 0 ? from + 1 : from + 2;
            crossSides( faces, &direction, middle, side, corners + from, corners + to,
                faces->edgeName[i][end], crossings[i] + from, crossings[i] + to );
        }
    }
}

// The vertices that stand for a corner of the incident face: itself, if it lies over the reference face; else
// where its two edges come in over it. The first takes its place, the second goes to `more`.
JO_INLINE void takeCrossings( const JoContactFaces* faces, JoContactPoint corners[JO_CORNER_COUNT],
    JoContactPoint more[JO_CORNER_COUNT] )
{
    JoContactPoint crossings[2][JO_CORNER_COUNT];
    findCrossings( faces, corners, crossings );
    for ( int i = 0; i < JO_CORNER_COUNT; ++i )
    {
        const JoContactPoint* instead = crossings[0] + i;
        const JoFloats none = spread( JO_NO_CONTACT );
        const JoMask isIn = isLess( none, corners[i].depth );
        corners[i] = ( JoContactPoint ){ choose( isIn, corners[i].u, instead->u ),
            choose( isIn, corners[i].v, instead->v ), choose( isIn, corners[i].depth, instead->depth ),
            choose( isIn, corners[i].id, instead->id ) };
        more[i] = crossings[1][i];
        more[i].depth = choose( isIn, none, more[i].depth );
    }
}

// The corners of the reference face that lie over the incident face.
JO_INLINE void takeReferenceCorners( const JoContactFaces* faces, JoContactPoint corners[JO_CORNER_COUNT] )
{
    const JoFloats *a = faces->side[0], *b = faces->side[1], *c = faces->middle;
    // Of a face without area it is infinite, and what comes of it is not in.
    const JoFloats inverse =
        divide( spread( 1.0f ), subtract( multiply( a[0], b[1] ), multiply( a[1], b[0] ) ) );
    // A little more than in: what lies on an edge is also where edges cross, and doubles are left out later.
    const JoFloats isIn = spread( 1.000001f );
    for ( int i = 0; i < JO_CORNER_COUNT; ++i )
    {
        const JoFloats zero = spread( 0.0f );
        const JoFloats u = i % 2 ? faces->limit[0] : subtract( zero, faces->limit[0] );
        const JoFloats v = i / 2 ? faces->limit[1] : subtract( zero, faces->limit[1] );
        const JoFloats x = subtract( u, c[0] ), y = subtract( v, c[1] );
        const JoFloats alongA = multiply( subtract( multiply( x, b[1] ), multiply( y, b[0] ) ), inverse );
        const JoFloats alongB = multiply( subtract( multiply( y, a[0] ), multiply( x, a[1] ) ), inverse );
        const JoFloats depth = add( add( c[2], multiply( alongA, a[2] ) ), multiply( alongB, b[2] ) );
        corners[i] = ( JoContactPoint ){ u, v,
            choose( bothOf( isLess( absolute( alongA ), isIn ), isLess( absolute( alongB ), isIn ) ), depth,
                spread( JO_NO_CONTACT ) ),
            idOf( faces->sideName[0][i % 2], faces->sideName[1][i / 2] ) };
    }
}

// Where there is one lane only the candidates that are vertices are kept, in order: a branch is cheaper then
// than what follows. Returns how many there are.
JO_INLINE int packPoints( JoContactPoint points[JO_CONTACT_CANDIDATES] )
{
    int count = 0;
    if ( JO_LANES > 1 )
    {
        return JO_CONTACT_CANDIDATES;
    }
    for ( int i = 0; i < JO_CONTACT_CANDIDATES; ++i )
    {
        points[count] = points[i];
        count += lanesOf( isLess( spread( JO_NO_CONTACT ), points[i].depth ) ) != 0;
    }
    return count;
}

JO_INLINE JoFloats largestOfFour( const JoFloats keys[4] )
{
    return larger( larger( keys[0], keys[1] ), larger( keys[2], keys[3] ) );
}

JO_INLINE JoFloats largestKey( const JoFloats keys[JO_CONTACT_CANDIDATES], int count )
{
    if ( JO_LANES > 1 )
    {
        return larger(
            larger( largestOfFour( keys ), largestOfFour( keys + 4 ) ), largestOfFour( keys + 8 ) );
    }
    JoFloats largest = keys[0];
    for ( int i = 1; i < count; ++i )
    {
        largest = larger( largest, keys[i] );
    }
    return largest;
}

// The first one whose key is not less than `least`.
JO_INLINE JoContactPoint firstPoint( const JoContactPoint points[JO_CONTACT_CANDIDATES],
    const JoFloats keys[JO_CONTACT_CANDIDATES], JoFloats least, int count )
{
    JoContactPoint first = points[count - 1];
    for ( int i = count - 2; i >= 0; --i )
    {
        const JoMask isBefore = isLess( keys[i], least );
        first.u = choose( isBefore, first.u, points[i].u );
        first.v = choose( isBefore, first.v, points[i].v );
        first.depth = choose( isBefore, first.depth, points[i].depth );
        first.id = choose( isBefore, first.id, points[i].id );
    }
    return first;
}

// Twice the area of the triangle of the origin and two points, with a sign.
JO_INLINE JoFloats areaOf( JoFloats u, JoFloats v, const JoContactPoint* point )
{
    return subtract( multiply( u, point->v ), multiply( v, point->u ) );
}

// Up to four vertices that stand for all within the margin: the deepest one, which a reduction must never
// lose; the farthest from it; the farthest from the line through both; and the one that adds the largest
// triangle to these. What adds nothing beyond rounding is left out. *count: how many; 0 where no vertex is
// within the margin. All are then seen from the deepest one; what is not within the margin is put upon it,
// where it adds nothing.
JO_INLINE void reducePoints( JoContactPoint points[JO_CONTACT_CANDIDATES], const JoContactFrame* frame,
    JoFloats margin, JoFloats tie, JoContactPoint chosen[JO_MAX_BOX_POINTS], JoFloats* count )
{
    const JoFloats zero = spread( 0.0f ), one = spread( 1.0f );
    const JoFloats leastWidth = multiply( frame->slop, spread( 4.0f ) );
    // The deepest has the depth of the pair, but for rounding, and that is within the margin.
    const JoFloats least = subtract( subtract( zero, margin ), frame->slop );
    const int packed = packPoints( points ), candidates = packed > 0 ? packed : 1;
    JoFloats keys[JO_CONTACT_CANDIDATES], areas[JO_CONTACT_CANDIDATES];
    for ( int i = 0; i < candidates; ++i )
    {
        keys[i] = points[i].depth;
    }
    const JoFloats deepest = largestKey( keys, candidates );
    chosen[0] = firstPoint( points, keys, subtract( deepest, tie ), candidates );
    for ( int i = 0; i < candidates; ++i )
    {
        const JoMask isBeyond = isLess( points[i].depth, least );
        points[i].u = choose( isBeyond, zero, subtract( points[i].u, chosen[0].u ) );
        points[i].v = choose( isBeyond, zero, subtract( points[i].v, chosen[0].v ) );
        keys[i] = add( multiply( points[i].u, points[i].u ), multiply( points[i].v, points[i].v ) );
    }
    const JoFloats farthest = largestKey( keys, candidates );
    chosen[1] = firstPoint( points, keys, farthest, candidates );
    for ( int i = 0; i < candidates; ++i )
    {
        areas[i] = areaOf( chosen[1].u, chosen[1].v, points + i );
        keys[i] = absolute( areas[i] );
    }
    const JoFloats widest = largestKey( keys, candidates );
    chosen[2] = firstPoint( points, keys, widest, candidates );
    // Turned so that the triangle is seen clockwise, a vertex outside of an edge is on its left.
    const JoMask isTurned = isLess( zero, areaOf( chosen[1].u, chosen[1].v, chosen + 2 ) );
    const JoFloats turn = choose( isTurned, spread( -1.0f ), one );
    const JoFloats u = multiply( turn, subtract( chosen[2].u, chosen[1].u ) );
    const JoFloats v = multiply( turn, subtract( chosen[2].v, chosen[1].v ) );
    const JoFloats backU = subtract( zero, multiply( turn, chosen[2].u ) );
    const JoFloats backV = subtract( zero, multiply( turn, chosen[2].v ) );
    const JoFloats edge = areaOf( u, v, chosen + 1 );
    for ( int i = 0; i < candidates; ++i )
    {
        keys[i] = larger( multiply( turn, areas[i] ),
            larger( subtract( areaOf( u, v, points + i ), edge ), areaOf( backU, backV, points + i ) ) );
    }
    const JoFloats outermost = largestKey( keys, candidates );
    chosen[3] = firstPoint( points, keys, outermost, candidates );
    const JoFloats leastArea = multiply( leastWidth, squareRoot( farthest ) );
    const JoMask hasSecond = isLess( multiply( leastWidth, leastWidth ), farthest );
    const JoMask hasThird = bothOf( hasSecond, isLess( leastArea, widest ) );
    const JoMask hasFourth = bothOf( hasThird, isLess( leastArea, outermost ) );
    *count = choose( hasFourth, spread( 4.0f ),
        choose( hasThird, spread( 3.0f ), choose( hasSecond, spread( 2.0f ), one ) ) );
    *count = choose( isLess( deepest, least ), zero, *count );
    for ( int i = 1; i < JO_MAX_BOX_POINTS; ++i )
    {
        chosen[i].u = add( chosen[i].u, chosen[0].u );
        chosen[i].v = add( chosen[i].v, chosen[0].v );
    }
}

// Where faces do not face each other (the boxes are apart, past an edge or a corner) the nearest corner of
// the incident box stands for all.
JO_INLINE void takeNearestCorner( const JoContactFrame* frame, float slop, JoFloats depth, JoMask isNeeded,
    JoContactPoint* point, JoFloats local[3] )
{
    const JoFloats zero = spread( 0.0f );
    const JoFloats way = multiply( spread( 0.5f ), depth );
    JoFloats id = spread( JO_CORNER_ID ), corner[3];
    for ( int k = 0; k < 3; ++k )
    {
        corner[k] = add( frame->center[k], multiply( way, frame->out[k] ) );
    }
    for ( int i = 0; i < 3; ++i )
    {
        const JoFloats* axis = frame->axes[i];
        // Where both corners of an edge are equally near along the normal: the one beside the reference box.
        const JoFloats beside =
            dotOf( frame->center[0], frame->center[1], frame->center[2], axis[0], axis[1], axis[2] );
        const JoMask isPositive = isLess(
            choose( isLess( absolute( frame->facing[i] ), spread( slop ) ), beside, frame->facing[i] ),
            zero );
        const JoFloats along = choose( isPositive, frame->incident[i], subtract( zero, frame->incident[i] ) );
        id = choose( isPositive, add( id, spread( (float)( 1 << i ) ) ), id );
        for ( int k = 0; k < 3; ++k )
        {
            corner[k] = add( corner[k], multiply( along, axis[k] ) );
        }
    }
    point->depth = choose( isNeeded, depth, point->depth );
    point->id = choose( isNeeded, id, point->id );
    for ( int k = 0; k < 3; ++k )
    {
        local[k] = choose( isNeeded, corner[k], local[k] );
    }
}

// Points of a manifold in the world, midway between the surfaces. `rotation`, `position` and `rest` are those
// of the reference box. The position is added in double: what the box is turned by is no larger than the
// pair, but the position may be.
JO_INLINE void placePoint( const JoContactFrame* frame, const JoFloats local[3], JoFloats unscale,
    const JoBoxLanes* reference, JoFloats world[3] )
{
    JoFloats turned[3], scaled[3], point[3];
    turnFromAxis( &frame->face, local, turned );
    for ( int k = 0; k < 3; ++k )
    {
        scaled[k] = multiply( turned[k], unscale );
    }
    turnLanes( reference->rotation, scaled, false, point );
    for ( int k = 0; k < 3; ++k )
    {
        world[k] = narrow( addWide( addWide( widen( point[k] ), widen( reference->positionRest[k] ) ),
            widen( reference->position[k] ) ) );
    }
}

// Manifolds as records. Numbers of `columns` are those of the record in order; what lies between the points'
// count and their number is zero.
JO_INLINE void storeManifolds(
    const JoFloats columns[JO_BOX_RECORD_FLOATS], uint32_t first, joBoxManifolds* out )
{
    for ( int quad = 0; quad < JO_BOX_RECORD_FLOATS; quad += 4 )
    {
        scatterQuads( columns + quad, out->records[first] + quad, JO_BOX_RECORD_FLOATS );
    }
}

// Finds the contact points of pairs that touch. `least` has been turned to point from A to B, and `normal` is
// it in the world. Manifolds go to the places from `first` on of `out`.
JO_INLINE void findContacts( const JoBoxLanes* a, const JoBoxLanes* b, const JoBoxPair* p,
    const JoBoxAxis* least, const JoFloats normal[3], float slop, uint32_t first, joBoxManifolds* out )
{
    const JoFloats zero = spread( 0.0f );
    JoContactFrame frame;
    JoContactFaces faces;
    JoContactPoint points[JO_CONTACT_CANDIDATES], chosen[JO_MAX_BOX_POINTS];
    JoFloats count;
    makeContactFrame( p, least, slop, &frame );
    projectFaces( &frame, &faces );
    takeIncidentCorners( &faces, points );
    takeCrossings( &faces, points, points + JO_CORNER_COUNT );
    takeReferenceCorners( &faces, points + JO_CONTACT_CANDIDATES - JO_CORNER_COUNT );
    reducePoints( points, &frame, p->margin, p->tie, chosen, &count );
    JoBoxLanes reference;
    JoFloats record[JO_BOX_RECORD_FLOATS];
    reference.rotation[3] = choose( frame.isB, b->rotation[3], a->rotation[3] );
    for ( int k = 0; k < 3; ++k )
    {
        reference.rotation[k] = choose( frame.isB, b->rotation[k], a->rotation[k] );
        reference.position[k] = choose( frame.isB, b->position[k], a->position[k] );
        reference.positionRest[k] = choose( frame.isB, b->positionRest[k], a->positionRest[k] );
        record[k] = normal[k];
    }
    record[3] = multiply( least->depth, p->unscale );
    const JoMask isCorner = isLess( count, spread( 1.0f ) );
    count = choose( isCorner, spread( 1.0f ), count );
    for ( int i = 0; i < JO_MAX_BOX_POINTS; ++i )
    {
        const JoFloats way = multiply( spread( 0.5f ), chosen[i].depth );
        JoFloats local[3] = { subtract( frame.plane, multiply( way, frame.out[0] ) ),
            subtract( chosen[i].u, multiply( way, frame.out[1] ) ),
            subtract( chosen[i].v, multiply( way, frame.out[2] ) ) };
        if ( i == 0 && lanesOf( isCorner ) != 0 )
        {
            takeNearestCorner( &frame, slop, least->depth, isCorner, chosen, local );
        }
        JoFloats* point = record + 4 + 5 * i;
        placePoint( &frame, local, p->unscale, &reference, point );
        point[3] = multiply( chosen[i].depth, p->unscale );
        point[4] = wholeBits( chosen[i].id );
        const JoMask isThere = isLess( spread( (float)i ), count );
        for ( int k = 0; k < 5; ++k )
        {
            point[k] = choose( isThere, point[k], zero );
        }
    }
    record[24] = wholeBits( count );
    record[25] = record[26] = record[27] = zero;
    storeManifolds( record, first, out );
}
