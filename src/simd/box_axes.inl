// SPDX-License-Identifier: MIT
// Boxes against boxes in 3D, a pair a lane: the separating axis test over 15 axes (Gottschalk, Lin and
// Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996).
//
// Departs from it in two points. The relative rotation is computed in double and then rounded, entry by
// entry, so that no guess has to be added to its entries to keep nearly parallel edges from deciding
// (narrow_phase/tolerance.h says why); and all axes are compared by depths of unit length, without favour.
// Edge axes are compared by squares, which takes one root instead of nine.
//
// Part of every kernel table, and of the call for one pair (narrow_phase/box_box_3d.c): the same operations
// in the same order, so the same bits.

// Boxes, one a lane.
typedef struct JoBoxLanes
{
    JoFloats rotation[4];
    JoFloats half[3];
    JoFloats position[3];
    JoFloats positionRest[3];
} JoBoxLanes;

// Two boxes in the frame of A. Lengths are scaled: a power of two brings sizes and margin together to 1..2,
// so that no square overflows or vanishes.
typedef struct JoBoxPair
{
    JoFloats halfA[3];
    JoFloats halfB[3];
    JoFloats r[3][3]; // column j is axis j of B
    JoFloats absR[3][3];
    JoFloats t[3];  // the centre of B
    JoFloats tB[3]; // the same in the frame of B
    JoFloats tie;
    JoFloats margin;
    JoFloats unscale; // what brings lengths back
} JoBoxPair;

// The least overlap so far and its axis, with a vector of unit length along it.
typedef struct JoBoxAxis
{
    JoFloats depth;
    JoFloats number;
    JoFloats normal[3];
    JoFloats side; // of B along the vector
} JoBoxAxis;

// Scaled centres are not farther apart than this on an axis: it is apart beyond any margin, and no product of
// it overflows.
#define JO_BOX_FARTHEST 1e6f
// Spheres are larger than they must be by this: more than the rounding of their radii, of a margin, and of
// the distance of their centres.
#define JO_SPHERE_GROWTH 1.00002f
// Sizes below this are not scaled up further.
#define JO_BOX_LEAST_SCALE 0x1p-100f

JO_INLINE void setSizes( const joPlacedBoxes* placed, const uint32_t* indices, uint32_t step,
    const JoFloats quads[8], JoBoxLanes* boxes )
{
    JoFloats rest[4] = { spread( 0.0f ), spread( 0.0f ), spread( 0.0f ) };
    if ( placed->rests != NULL )
    {
        gatherRecordQuads( placed->rests->position, 4, indices, step, 1, 0, rest );
    }
    for ( int i = 0; i < 3; ++i )
    {
        boxes->position[i] = quads[i];
        boxes->positionRest[i] = rest[i];
        boxes->half[i] = quads[4 + i];
    }
}

// The boxes number indices[k * step] of `placed`, k being the lane: all of them; or where they are and how
// large, and then how they are turned.
JO_INLINE void gatherBoxes(
    const joPlacedBoxes* placed, const uint32_t* indices, uint32_t step, JoBoxLanes* boxes )
{
    JoFloats quads[12];
    gatherRecordQuads( placed->boxes->position, JO_BOX_FLOATS, indices, step, 3, JO_BOX_QUADS_APART, quads );
    setSizes( placed, indices, step, quads, boxes );
    for ( int i = 0; i < 4; ++i )
    {
        boxes->rotation[i] = quads[8 + i];
    }
}

JO_INLINE void gatherSizes(
    const joPlacedBoxes* placed, const uint32_t* indices, uint32_t step, JoBoxLanes* boxes )
{
    JoFloats quads[8];
    gatherRecordQuads( placed->boxes->position, JO_BOX_FLOATS, indices, step, 2, JO_BOX_QUADS_APART, quads );
    setSizes( placed, indices, step, quads, boxes );
}

JO_INLINE void gatherRotations(
    const joPlacedBoxes* placed, const uint32_t* indices, uint32_t step, JoBoxLanes* boxes )
{
    gatherRecordQuads( placed->boxes->rotation, JO_BOX_FLOATS, indices, step, 1, 0, boxes->rotation );
}

// a * b - c * d
JO_INLINE JoWide crossTerm( JoWide a, JoWide b, JoWide c, JoWide d )
{
    return subtractWide( multiplyWide( a, b ), multiplyWide( c, d ) );
}

// The rotation of B in the frame of A, as a matrix. Products of the floats of two quaternions are exact in
// double, and terms that cancel stand beside each other: boxes that are turned alike give the identity.
JO_INLINE void relateRotations( const JoFloats rotationA[4], const JoFloats rotationB[4], JoFloats r[3][3] )
{
    const JoWide ax = widen( rotationA[0] ), ay = widen( rotationA[1] ), az = widen( rotationA[2] ),
                 aw = widen( rotationA[3] );
    const JoWide bx = widen( rotationB[0] ), by = widen( rotationB[1] ), bz = widen( rotationB[2] ),
                 bw = widen( rotationB[3] );
    const JoWide x = subtractWide( crossTerm( aw, bx, ax, bw ), crossTerm( ay, bz, az, by ) );
    const JoWide y = subtractWide( crossTerm( aw, by, ay, bw ), crossTerm( az, bx, ax, bz ) );
    const JoWide z = subtractWide( crossTerm( aw, bz, az, bw ), crossTerm( ax, by, ay, bx ) );
    const JoWide w = addWide( addWide( multiplyWide( aw, bw ), multiplyWide( ax, bx ) ),
        addWide( multiplyWide( ay, by ), multiplyWide( az, bz ) ) );
    // Two over the squared length, 1 / ( 1 - e ) as a series: e is so small that a double sees no more of it.
    const JoWide one = spreadWide( 1.0 );
    const JoWide lengthSq = addWide( addWide( multiplyWide( x, x ), multiplyWide( y, y ) ),
        addWide( multiplyWide( z, z ), multiplyWide( w, w ) ) );
    const JoWide e = subtractWide( one, lengthSq );
    const JoWide inverse = addWide( one, addWide( e, multiplyWide( e, e ) ) );
    const JoWide scale = addWide( inverse, inverse );
    const JoWide xs = multiplyWide( x, scale ), ys = multiplyWide( y, scale ), zs = multiplyWide( z, scale );
    const JoWide wx = multiplyWide( w, xs ), wy = multiplyWide( w, ys ), wz = multiplyWide( w, zs );
    const JoWide xx = multiplyWide( x, xs ), xy = multiplyWide( x, ys ), xz = multiplyWide( x, zs );
    const JoWide yy = multiplyWide( y, ys ), yz = multiplyWide( y, zs ), zz = multiplyWide( z, zs );
    r[0][0] = narrow( subtractWide( one, addWide( yy, zz ) ) );
    r[0][1] = narrow( subtractWide( xy, wz ) );
    r[0][2] = narrow( addWide( xz, wy ) );
    r[1][0] = narrow( addWide( xy, wz ) );
    r[1][1] = narrow( subtractWide( one, addWide( xx, zz ) ) );
    r[1][2] = narrow( subtractWide( yz, wx ) );
    r[2][0] = narrow( subtractWide( xz, wy ) );
    r[2][1] = narrow( addWide( yz, wx ) );
    r[2][2] = narrow( subtractWide( one, addWide( xx, yy ) ) );
}

JO_INLINE void cross( const JoFloats a[3], const JoFloats b[3], JoFloats out[3] )
{
    out[0] = subtract( multiply( a[1], b[2] ), multiply( a[2], b[1] ) );
    out[1] = subtract( multiply( a[2], b[0] ), multiply( a[0], b[2] ) );
    out[2] = subtract( multiply( a[0], b[1] ), multiply( a[1], b[0] ) );
}

// v turned by a quaternion, or back: v +- 2 w ( u x v ) + 2 u x ( u x v ).
JO_INLINE void turnLanes( const JoFloats rotation[4], const JoFloats v[3], bool back, JoFloats out[3] )
{
    JoFloats once[3], twice[3];
    cross( rotation, v, once );
    cross( rotation, once, twice );
    for ( int i = 0; i < 3; ++i )
    {
        const JoFloats turned = multiply( rotation[3], once[i] );
        const JoFloats half = back ? subtract( twice[i], turned ) : add( twice[i], turned );
        out[i] = add( v[i], add( half, half ) );
    }
}

JO_INLINE JoFloats sumOf( const JoFloats v[3] )
{
    return add( add( v[0], v[1] ), v[2] );
}

// Of floats: a * x + b * y + c * z.
JO_INLINE JoFloats dotOf( JoFloats a, JoFloats b, JoFloats c, JoFloats x, JoFloats y, JoFloats z )
{
    return add( add( multiply( a, x ), multiply( b, y ) ), multiply( c, z ) );
}

// The squared distance of centres from which on spheres around the boxes are surely apart. The square of a
// sum is at most twice the sum of squares, and that has no root.
JO_INLINE JoFloats reachSqOf( const JoFloats halfA[3], const JoFloats halfB[3] )
{
    const JoFloats radiusSqA = dotOf( halfA[0], halfA[1], halfA[2], halfA[0], halfA[1], halfA[2] );
    const JoFloats radiusSqB = dotOf( halfB[0], halfB[1], halfB[2], halfB[0], halfB[1], halfB[2] );
    return multiply( add( radiusSqA, radiusSqB ), spread( 2.0f * JO_SPHERE_GROWTH ) );
}

// Sizes, and `between`: the centre of B from that of A, in the world; both scaled. Bit k: the pair in lane k
// may touch. Without a margin it may not where spheres around the boxes are apart; then what else is found of
// it means nothing.
JO_INLINE uint32_t relatePositions(
    const JoBoxLanes* a, const JoBoxLanes* b, float margin, float tie, JoBoxPair* p, JoFloats between[3] )
{
    const JoFloats halves = add( sumOf( a->half ), sumOf( b->half ) );
    const JoFloats size = add( halves, spread( margin ) );
    p->unscale = powerOfTwo( larger( size, spread( JO_BOX_LEAST_SCALE ) ) );
    const JoFloats scale = divide( spread( 1.0f ), p->unscale );
    p->tie = multiply( multiply( halves, scale ), spread( tie ) );
    p->margin = multiply( spread( margin ), scale );
    const JoFloats farthest = spread( JO_BOX_FARTHEST ), nearest = spread( -JO_BOX_FARTHEST );
    for ( int i = 0; i < 3; ++i )
    {
        p->halfA[i] = multiply( a->half[i], scale );
        p->halfB[i] = multiply( b->half[i], scale );
        // The difference is small where the positions are large and alike, and then the first part is exact.
        between[i] = add(
            subtract( b->position[i], a->position[i] ), subtract( b->positionRest[i], a->positionRest[i] ) );
        between[i] = smaller( larger( multiply( between[i], scale ), nearest ), farthest );
    }
    if ( margin > 0.0f )
    {
        return JO_ALL_LANES;
    }
    const JoFloats distanceSq =
        dotOf( between[0], between[1], between[2], between[0], between[1], between[2] );
    return ~lanesOf( isLess( reachSqOf( p->halfA, p->halfB ), distanceSq ) ) & JO_ALL_LANES;
}

// B in the frame of A.
JO_INLINE void relateFrames(
    const JoBoxLanes* a, const JoBoxLanes* b, const JoFloats between[3], JoBoxPair* p )
{
    turnLanes( a->rotation, between, true, p->t );
    relateRotations( a->rotation, b->rotation, p->r );
    for ( int i = 0; i < 3; ++i )
    {
        p->tB[i] = dotOf( p->t[0], p->t[1], p->t[2], p->r[0][i], p->r[1][i], p->r[2][i] );
        for ( int j = 0; j < 3; ++j )
        {
            p->absR[i][j] = absolute( p->r[i][j] );
        }
    }
}

// How far the projections onto an axis overlap; negative: a gap.
JO_INLINE JoFloats overlapOnFaceA( const JoBoxPair* p, int i )
{
    const JoFloats radiusB =
        dotOf( p->halfB[0], p->halfB[1], p->halfB[2], p->absR[i][0], p->absR[i][1], p->absR[i][2] );
    return subtract( add( p->halfA[i], radiusB ), absolute( p->t[i] ) );
}

JO_INLINE JoFloats overlapOnFaceB( const JoBoxPair* p, int j )
{
    const JoFloats radiusA =
        dotOf( p->halfA[0], p->halfA[1], p->halfA[2], p->absR[0][j], p->absR[1][j], p->absR[2][j] );
    return subtract( add( p->halfB[j], radiusA ), absolute( p->tB[j] ) );
}

// Edge i of A with edge j of B. The components of their cross product in the frame of A are 0 on axis i,
// -r[last][j] on the next and r[next][j] on the last axis.
typedef struct JoEdgeOverlap
{
    JoFloats overlap; // times the sine of the angle between the edges
    JoFloats sineSq;
    JoFloats center; // of B along the cross product
} JoEdgeOverlap;

JO_INLINE JoEdgeOverlap overlapOnEdges( const JoBoxPair* p, int i, int j )
{
    const int nextI = ( i + 1 ) % 3, lastI = ( i + 2 ) % 3, nextJ = ( j + 1 ) % 3, lastJ = ( j + 2 ) % 3;
    const JoFloats radiusA =
        add( multiply( p->halfA[nextI], p->absR[lastI][j] ), multiply( p->halfA[lastI], p->absR[nextI][j] ) );
    const JoFloats radiusB =
        add( multiply( p->halfB[nextJ], p->absR[i][lastJ] ), multiply( p->halfB[lastJ], p->absR[i][nextJ] ) );
    JoEdgeOverlap edges;
    edges.center =
        subtract( multiply( p->t[lastI], p->r[nextI][j] ), multiply( p->t[nextI], p->r[lastI][j] ) );
    edges.overlap = subtract( add( radiusA, radiusB ), absolute( edges.center ) );
    edges.sineSq =
        add( multiply( p->r[nextI][j], p->r[nextI][j] ), multiply( p->r[lastI][j], p->r[lastI][j] ) );
    return edges;
}

JO_INLINE void takeAxis( JoBoxAxis* best, JoMask mask, const JoBoxAxis* axis )
{
    best->depth = choose( mask, axis->depth, best->depth );
    best->number = choose( mask, axis->number, best->number );
    best->side = choose( mask, axis->side, best->side );
    for ( int k = 0; k < 3; ++k )
    {
        best->normal[k] = choose( mask, axis->normal[k], best->normal[k] );
    }
}

// The least of the three faces of A, the first of equal ones.
JO_INLINE JoBoxAxis leastFaceA( const JoBoxPair* p )
{
    const JoFloats zero = spread( 0.0f ), one = spread( 1.0f );
    JoBoxAxis best = { overlapOnFaceA( p, 0 ), zero, { one, zero, zero }, p->t[0] };
    for ( int i = 1; i < 3; ++i )
    {
        const JoBoxAxis axis = { overlapOnFaceA( p, i ), spread( (float)i ),
            { zero, i == 1 ? one : zero, i == 2 ? one : zero }, p->t[i] };
        takeAxis( &best, isLess( axis.depth, best.depth ), &axis );
    }
    return best;
}

JO_INLINE JoBoxAxis leastFaceB( const JoBoxPair* p )
{
    JoBoxAxis best;
    for ( int j = 0; j < 3; ++j )
    {
        const JoBoxAxis axis = { overlapOnFaceB( p, j ), spread( (float)( JO_BOX_FACE_B + j ) ),
            { p->r[0][j], p->r[1][j], p->r[2][j] }, p->tB[j] };
        if ( j == 0 )
        {
            best = axis;
            continue;
        }
        takeAxis( &best, isLess( axis.depth, best.depth ), &axis );
    }
    return best;
}

// The least pair of edges so far. Overlaps squared, with their sign, are over the squared sine in the order
// of the depth.
typedef struct JoLeastEdges
{
    JoFloats overlapSq;
    JoFloats sineSq;
    JoFloats ofA, ofB; // the edges' numbers
} JoLeastEdges;

JO_INLINE void considerEdges( const JoBoxPair* p, int i, int j, float parallelSineSq, JoLeastEdges* least )
{
    const JoEdgeOverlap edges = overlapOnEdges( p, i, j );
    const JoFloats overlapSq = multiply( edges.overlap, absolute( edges.overlap ) );
    const JoMask isLeast =
        bothOf( isLess( multiply( overlapSq, least->sineSq ), multiply( least->overlapSq, edges.sineSq ) ),
            isLess( spread( parallelSineSq ), edges.sineSq ) );
    least->overlapSq = choose( isLeast, overlapSq, least->overlapSq );
    least->sineSq = choose( isLeast, edges.sineSq, least->sineSq );
    least->ofA = choose( isLeast, spread( (float)i ), least->ofA );
    least->ofB = choose( isLeast, spread( (float)j ), least->ofB );
}

// The component of `v` that is `number` + k.
JO_INLINE JoFloats turnedComponent( JoMask isNotFirst, JoMask isThird, const JoFloats v[3], int k )
{
    return choose( isThird, v[( k + 2 ) % 3], choose( isNotFirst, v[( k + 1 ) % 3], v[k] ) );
}

// The least of the nine pairs of edges that are not parallel; of none, the depth is beyond all others.
JO_INLINE JoBoxAxis leastEdges( const JoBoxPair* p, float parallelSineSq )
{
    const JoFloats zero = spread( 0.0f ), one = spread( 1.0f );
    JoLeastEdges least = { spread( 1e18f ), one, zero, zero };
    for ( int i = 0; i < 3; ++i )
    {
        considerEdges( p, i, 0, parallelSineSq, &least );
        considerEdges( p, i, 1, parallelSineSq, &least );
        considerEdges( p, i, 2, parallelSineSq, &least );
    }
    // The edge of B, and its cross product with that of A; all by the root of the squares.
    const JoFloats inverse = divide( one, squareRoot( least.sineSq ) );
    const JoMask isSecondB = isLess( spread( 0.5f ), least.ofB ),
                 isThirdB = isLess( spread( 1.5f ), least.ofB );
    const JoMask isSecondA = isLess( spread( 0.5f ), least.ofA ),
                 isThirdA = isLess( spread( 1.5f ), least.ofA );
    JoFloats edge[3];
    JoBoxAxis axis;
    for ( int k = 0; k < 3; ++k )
    {
        edge[k] = multiply( turnedComponent( isSecondB, isThirdB, p->r[k], 0 ), inverse );
    }
    // 0 on A's axis, minus the last component on the next one, the next component on the last one.
    axis.normal[0] = choose( isThirdA, subtract( zero, edge[1] ), choose( isSecondA, edge[2], zero ) );
    axis.normal[1] = choose( isThirdA, edge[0], choose( isSecondA, zero, subtract( zero, edge[2] ) ) );
    axis.normal[2] = choose( isThirdA, zero, choose( isSecondA, subtract( zero, edge[0] ), edge[1] ) );
    axis.side = dotOf( axis.normal[0], axis.normal[1], axis.normal[2], p->t[0], p->t[1], p->t[2] );
    const JoFloats size = multiply( squareRoot( absolute( least.overlapSq ) ), inverse );
    axis.depth = choose( isLess( least.overlapSq, zero ), subtract( zero, size ), size );
    axis.number =
        add( spread( (float)JO_BOX_EDGES ), add( multiply( least.ofA, spread( 3.0f ) ), least.ofB ) );
    return axis;
}

// Bit k: the pair in lane k is not farther apart than the margin; `least` is then the axis of least overlap.
// A later one (faces of A, faces of B, edges) is taken only where it is better by the tie.
JO_INLINE uint32_t testAxes( const JoBoxPair* p, float parallelSineSq, JoBoxAxis* least )
{
    const JoFloats apart = subtract( spread( 0.0f ), p->margin );
    *least = leastFaceA( p );
    const JoBoxAxis faceB = leastFaceB( p );
    const uint32_t lanes =
        ~( lanesOf( isLess( least->depth, apart ) ) | lanesOf( isLess( faceB.depth, apart ) ) ) &
        JO_ALL_LANES;
    if ( lanes == 0 )
    {
        takeAxis( least, isLess( faceB.depth, least->depth ), &faceB );
        return 0;
    }
    takeAxis( least, isLess( faceB.depth, subtract( least->depth, p->tie ) ), &faceB );
    const JoBoxAxis edges = leastEdges( p, parallelSineSq );
    takeAxis( least, isLess( edges.depth, subtract( least->depth, p->tie ) ), &edges );
    return lanes & ~lanesOf( isLess( edges.depth, apart ) );
}

// Turns the axis, a unit vector in the frame of A, so that it points from A to B; `world` gets it in the
// world, of unit length to the last place of a float.
JO_INLINE void findNormal( JoBoxAxis* axis, const JoFloats rotationA[4], JoFloats world[3] )
{
    const JoFloats zero = spread( 0.0f );
    const JoMask isBehind = isLess( axis->side, zero );
    for ( int k = 0; k < 3; ++k )
    {
        axis->normal[k] = choose( isBehind, subtract( zero, axis->normal[k] ), axis->normal[k] );
    }
    turnLanes( rotationA, axis->normal, false, world );
    // One step of Newton's to the inverse of a length that is almost 1.
    const JoFloats lengthSq = dotOf( world[0], world[1], world[2], world[0], world[1], world[2] );
    const JoFloats correction = subtract( spread( 1.5f ), multiply( spread( 0.5f ), lengthSq ) );
    for ( int k = 0; k < 3; ++k )
    {
        world[k] = multiply( world[k], correction );
    }
}

// The normal in the world, and the depth, of the lanes from `first` on.
JO_INLINE void storeTouch(
    const JoBoxPair* p, const JoBoxAxis* least, const JoFloats normal[3], uint32_t first, joBoxBlock* out )
{
    const JoFloats columns[4] = { normal[0], normal[1], normal[2], multiply( least->depth, p->unscale ) };
    scatterQuads( columns, out->rows[first], 4 );
}
