// SPDX-License-Identifier: MIT
// Round shapes in 2D and 3D, a pair a lane: in closed form, all in double, about the start of A's core.
//
// Two segments in space are nearest at an end of one of them, or where their common normal meets both
// (Ericson, "Real-Time Collision Detection", 2005, 5.1.9). Each way that may be the shortest is measured and
// the shortest is taken, so that what rounding makes of nearly parallel ones is no worse than an end. In a
// plane segments that do not cross are nearest at an end; those that do are parted along one of their
// normals.
//
// In space cores that cross are rare: those pairs are only marked, and parted by other means
// (narrow_phase/round_pair_3d.c).
//
// Part of every kernel table, and of the call for one pair: the same operations in the same order, so the
// same bits. `axisCount` is a constant.

// Parts of a core in feature ids: its start, its end, what is between them. In 2D they are named as those of
// polygons are.
#define JO_EDGE_PART2 129.0

JO_INLINE JoWide dotWide( const JoWide* a, const JoWide* b, int axisCount )
{
    const JoWide flat = addWide( multiplyWide( a[0], b[0] ), multiplyWide( a[1], b[1] ) );
    return axisCount == 2 ? flat : addWide( flat, multiplyWide( a[2], b[2] ) );
}

// The component of a cross product along an axis.
JO_INLINE JoWide crossAlong( const JoWide* a, const JoWide* b, int axis )
{
    const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
    return subtractWide( multiplyWide( a[u], b[v] ), multiplyWide( a[v], b[u] ) );
}

JO_INLINE void crossWide( const JoWide a[3], const JoWide b[3], JoWide out[3] )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        out[axis] = crossAlong( a, b, axis );
    }
}

typedef struct JoRoundPair
{
    JoWide origin[3];  // the start of A's core in the world
    JoWide between[3]; // from there to the start of B's
    JoWide a[3], b[3]; // along the cores
    JoWide radiusA, radiusB;
    JoWide lengthA, lengthB; // of the cores
} JoRoundPair;

// The quad of each row that begins at a number.
JO_INLINE void gatherFrom( const float* const* rows, int at, JoFloats columns[4] )
{
    const float* quads[JO_LANES];
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        quads[lane] = rows[lane] + at;
    }
    gatherQuads( quads, columns );
}

// Vectors whose components are each the sum of two floats: in 2D these stand in one quad, in 3D in two, of
// whose first the last number is something else.
JO_INLINE void gatherSums(
    const float* const* rows, int at, int axisCount, JoWide sums[3], JoFloats* something )
{
    JoFloats columns[8];
    gatherFrom( rows, at, columns );
    if ( axisCount == 3 )
    {
        gatherFrom( rows, at + 4, columns + 4 );
    }
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const JoFloats rest = axisCount == 2 ? columns[2 + axis] : columns[4 + axis];
        sums[axis] = addWide( widen( columns[axis] ), widen( rest ) );
    }
    *something = columns[3];
}

// Rows are joPlacedRound2 or joPlacedRound3, their first quads the places; of dots there are only these.
JO_INLINE void relatePlaced( const JoFloats placeA[4], const JoFloats placeB[4], const float* const* rowsA,
    const float* const* rowsB, joRoundCores cores, int axisCount, JoRoundPair* p )
{
    const int startAt = 4, alongAt = axisCount == 2 ? 8 : 12;
    JoFloats lengthA = spread( 0.0f ), lengthB = lengthA, padding;
    JoWide startA[3] = { widen( lengthA ), widen( lengthA ), widen( lengthA ) };
    JoWide startB[3] = { startA[0], startA[0], startA[0] };
    if ( cores != jo_dots )
    {
        gatherSums( rowsA, startAt, axisCount, startA, &lengthA );
        gatherSums( rowsB, startAt, axisCount, startB, &lengthB );
    }
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        // The difference is small where the positions are large and alike, and then it is exact.
        const JoWide position = widen( placeA[axis] );
        p->origin[axis] = addWide( position, startA[axis] );
        p->between[axis] = addWide(
            subtractWide( widen( placeB[axis] ), position ), subtractWide( startB[axis], startA[axis] ) );
        p->a[axis] = p->b[axis] = spreadWide( 0.0 );
    }
    p->radiusA = widen( axisCount == 2 ? placeA[2] : placeA[3] );
    p->radiusB = widen( axisCount == 2 ? placeB[2] : placeB[3] );
    p->lengthA = widen( axisCount == 2 ? placeA[3] : lengthA );
    p->lengthB = widen( axisCount == 2 ? placeB[3] : lengthB );
    if ( cores == jo_bothCores )
    {
        gatherSums( rowsA, alongAt, axisCount, p->a, &padding );
    }
    if ( cores >= jo_coreOfB )
    {
        gatherSums( rowsB, alongAt, axisCount, p->b, &padding );
    }
}

JO_INLINE void relateRounds(
    const float* const* rowsA, const float* const* rowsB, joRoundCores cores, int axisCount, JoRoundPair* p )
{
    JoFloats placeA[4], placeB[4];
    gatherQuads( rowsA, placeA );
    gatherQuads( rowsB, placeB );
    relatePlaced( placeA, placeB, rowsA, rowsB, cores, axisCount, p );
}

typedef struct JoRoundContact
{
    JoWide s, t;   // fractions of the cores where they are nearest
    JoWide way[3]; // from the point of A's core to that of B's
    JoWide distance, depth;
    JoWide normal[3];
    JoWide crossing;                // 1: the cores cross, or all but do; else 0
    uint32_t areCrossing, areAlike; // bits
} JoRoundContact;

JO_INLINE void takeNearer(
    const JoRoundPair* p, JoWide s, JoWide t, int axisCount, JoRoundContact* contact, JoWide* leastSq )
{
    JoWide way[3];
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        way[axis] = subtractWide(
            addWide( p->between[axis], multiplyWide( t, p->b[axis] ) ), multiplyWide( s, p->a[axis] ) );
    }
    const JoWide distanceSq = dotWide( way, way, axisCount );
    const JoWideMask isNearer = isLessWide( distanceSq, *leastSq );
    contact->s = chooseWide( isNearer, s, contact->s );
    contact->t = chooseWide( isNearer, t, contact->t );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        contact->way[axis] = chooseWide( isNearer, way[axis], contact->way[axis] );
    }
    *leastSq = chooseWide( isNearer, distanceSq, *leastSq );
}

// From 0 to 1; 0 where the divisor is.
JO_INLINE JoWide fractionOf( JoWide value, JoWide divisor )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWide fraction = smallerWide( largerWide( divideWide( value, divisor ), zero ), one );
    return chooseWide( isLessWide( zero, divisor ), fraction, zero );
}

// 1 for pairs whose cores cross in a plane, else 0.
JO_INLINE JoWide areCrossingInPlane( const JoRoundPair* p, JoWide cross )
{
    const JoWide s = multiplyWide( crossAlong( p->between, p->b, 2 ), cross );
    const JoWide t = multiplyWide( crossAlong( p->between, p->a, 2 ), cross );
    const JoWide crossSq = multiplyWide( cross, cross ), zero = spreadWide( 0.0 );
    JoWide crossing = chooseWide( isLessWide( zero, crossSq ), spreadWide( 1.0 ), zero );
    crossing = chooseWide( isLessWide( s, zero ), zero, crossing );
    crossing = chooseWide( isLessWide( crossSq, s ), zero, crossing );
    crossing = chooseWide( isLessWide( t, zero ), zero, crossing );
    return chooseWide( isLessWide( crossSq, t ), zero, crossing );
}

// Both shapes have cores.
JO_INLINE void takeNearestOfCores( const JoRoundPair* p, const joRoundTolerance* tolerance, int axisCount,
    JoRoundContact* contact, JoWide* leastSq )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWide lengthSqA = dotWide( p->a, p->a, axisCount ),
                 alongA = dotWide( p->between, p->a, axisCount );
    const JoWide lengthSqB = dotWide( p->b, p->b, axisCount ),
                 alongB = dotWide( p->between, p->b, axisCount );
    const JoWide mixed = dotWide( p->a, p->b, axisCount );
    const JoWide most = multiplyWide( spreadWide( tolerance->sineSq ), multiplyWide( lengthSqA, lengthSqB ) );
    JoWide crossSq;
    takeNearer( p, one, fractionOf( subtractWide( mixed, alongB ), lengthSqB ), axisCount, contact, leastSq );
    takeNearer( p, fractionOf( alongA, lengthSqA ), zero, axisCount, contact, leastSq );
    takeNearer( p, fractionOf( addWide( alongA, mixed ), lengthSqA ), one, axisCount, contact, leastSq );
    if ( axisCount == 2 )
    {
        const JoWide cross = crossAlong( p->a, p->b, 2 );
        crossSq = multiplyWide( cross, cross );
        contact->crossing = areCrossingInPlane( p, cross );
    }
    else
    {
        // Fractions from cross products keep their accuracy for nearly parallel segments. Beyond an end they
        // are taken back to it, and then no nearer than the best for that end.
        JoWide normal[3], side[3];
        crossWide( p->a, p->b, normal );
        crossSq = dotWide( normal, normal, 3 );
        crossWide( p->between, p->b, side );
        const JoWide s = fractionOf( dotWide( side, normal, 3 ), crossSq );
        crossWide( p->between, p->a, side );
        const JoWide t = fractionOf( dotWide( side, normal, 3 ), crossSq );
        takeNearer( p, s, t, 3, contact, leastSq );
    }
    contact->areAlike = lanesOfWide( isLessWide( crossSq, most ) );
}

// What can have no length is not looked at.
JO_INLINE void findRoundContact( const JoRoundPair* p, joRoundCores cores, const joRoundTolerance* tolerance,
    int axisCount, JoRoundContact* contact )
{
    const JoWide zero = spreadWide( 0.0 );
    JoWide leastSq = dotWide( p->between, p->between, axisCount );
    contact->s = zero;
    contact->t = zero;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        contact->way[axis] = p->between[axis];
        contact->normal[axis] = spreadWide( axis == 0 ? 1.0 : 0.0 );
    }
    contact->crossing = zero;
    contact->areCrossing = 0;
    contact->areAlike = 0;
    if ( cores >= jo_coreOfB )
    {
        const JoWide lengthSqB = dotWide( p->b, p->b, axisCount );
        const JoWide back = subtractWide( zero, dotWide( p->between, p->b, axisCount ) );
        takeNearer( p, zero, fractionOf( back, lengthSqB ), axisCount, contact, &leastSq );
    }
    if ( cores == jo_bothCores )
    {
        takeNearestOfCores( p, tolerance, axisCount, contact, &leastSq );
    }
    contact->distance = squareRootWide( leastSq );
    if ( cores >= jo_coreOfB )
    {
        const JoWide length = addWide( p->lengthA, p->lengthB ), one = spreadWide( 1.0 );
        const JoWideMask isFar =
            isLessWide( multiplyWide( spreadWide( tolerance->crossing ), length ), contact->distance );
        const JoWide near = chooseWide( isLessWide( zero, length ), one, contact->crossing );
        contact->crossing = chooseWide( isFar, contact->crossing, near );
        contact->areCrossing = lanesOfWide( isLessWide( zero, contact->crossing ) );
    }
    contact->depth = subtractWide( addWide( p->radiusA, p->radiusB ), contact->distance );
}

JO_INLINE void findRoundNormal( int axisCount, JoRoundContact* contact )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWideMask isApart = isLessWide( zero, contact->distance );
    const JoWide inverse = divideWide( one, contact->distance );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const JoWide none = axis == 0 ? one : zero;
        contact->normal[axis] = chooseWide( isApart, multiplyWide( contact->way[axis], inverse ), none );
    }
}

// In a plane, cores that cross, or all but do, are parted at right angles to one of them; where the way
// between them still has a direction it may be better. Each is judged by what it does, both ways; none goes
// along `motion`. Replaces what is known of those pairs.
JO_INLINE void partCrossing(
    const JoRoundPair* p, const joRoundTolerance* tolerance, const JoWide motion[2], JoRoundContact* contact )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 ), none = spreadWide( -INFINITY );
    const JoWide tie = multiplyWide( spreadWide( tolerance->tie ), addWide( p->lengthA, p->lengthB ) );
    const JoWide directions[3][2] = { { subtractWide( zero, p->a[1] ), p->a[0] },
        { subtractWide( zero, p->b[1] ), p->b[0] }, { contact->way[0], contact->way[1] } };
    JoWide separation = spreadWide( -DBL_MAX ), normal[2] = { one, zero }, best = spreadWide( 2.0 );
    for ( int k = 0; k < 3; ++k )
    {
        const JoWide size = squareRootWide( dotWide( directions[k], directions[k], 2 ) );
        for ( int side = 0; side < 2; ++side )
        {
            const JoWide scale = divideWide( spreadWide( side == 0 ? 1.0 : -1.0 ), size );
            const JoWide direction[2] = {
                multiplyWide( scale, directions[k][0] ), multiplyWide( scale, directions[k][1] ) };
            JoWide along = addWide( dotWide( p->between, direction, 2 ),
                subtractWide( smallerWide( dotWide( p->b, direction, 2 ), zero ),
                    largerWide( dotWide( p->a, direction, 2 ), zero ) ) );
            along = chooseWide( isLessWide( zero, size ), along, none );
            along = chooseWide( isLessWide( zero, dotWide( direction, motion, 2 ) ), none, along );
            const JoWideMask isBetter = isLessWide( addWide( separation, tie ), along );
            separation = chooseWide( isBetter, along, separation );
            normal[0] = chooseWide( isBetter, direction[0], normal[0] );
            normal[1] = chooseWide( isBetter, direction[1], normal[1] );
            best = chooseWide( isBetter, spreadWide( (double)k ), best );
        }
    }
    // Deepest is an end of the core along whose side the normal does not go.
    const JoWide t0 = chooseWide( isLessWide( dotWide( p->b, normal, 2 ), zero ), one, zero );
    const JoWide s1 = chooseWide( isLessWide( zero, dotWide( p->a, normal, 2 ) ), one, zero );
    const JoWide toEnd[2] = { addWide( p->between[0], multiplyWide( t0, p->b[0] ) ),
        addWide( p->between[1], multiplyWide( t0, p->b[1] ) ) };
    const JoWide fromEnd[2] = { subtractWide( multiplyWide( s1, p->a[0] ), p->between[0] ),
        subtractWide( multiplyWide( s1, p->a[1] ), p->between[1] ) };
    const JoWide s0 = fractionOf( dotWide( toEnd, p->a, 2 ), dotWide( p->a, p->a, 2 ) );
    const JoWide t1 = fractionOf( dotWide( fromEnd, p->b, 2 ), dotWide( p->b, p->b, 2 ) );
    const JoWideMask isOfA = isLessWide( best, spreadWide( 0.5 ) ),
                     isWay = isLessWide( spreadWide( 1.5 ), best );
    const JoWideMask isCrossing = isLessWide( zero, contact->crossing );
    const JoWide s = chooseWide( isOfA, s0, chooseWide( isWay, contact->s, s1 ) );
    const JoWide t = chooseWide( isOfA, t0, chooseWide( isWay, contact->t, t1 ) );
    contact->s = chooseWide( isCrossing, s, contact->s );
    contact->t = chooseWide( isCrossing, t, contact->t );
    for ( int axis = 0; axis < 2; ++axis )
    {
        const JoWide onB = addWide( p->between[axis], multiplyWide( contact->t, p->b[axis] ) );
        const JoWide way = subtractWide( onB, multiplyWide( contact->s, p->a[axis] ) );
        contact->way[axis] = chooseWide( isCrossing, way, contact->way[axis] );
        contact->normal[axis] = chooseWide( isCrossing, normal[axis], contact->normal[axis] );
    }
    const JoWide depth = subtractWide( addWide( p->radiusA, p->radiusB ), separation );
    contact->depth = chooseWide( isCrossing, depth, contact->depth );
}

// Where the surfaces are deepest in each other, in the world.
JO_INLINE void findRoundPoint(
    const JoRoundPair* p, const JoRoundContact* contact, int axisCount, JoFloats point[3] )
{
    const JoWide half = spreadWide( 0.5 );
    const JoWide back = multiplyWide( half, subtractWide( p->radiusA, p->radiusB ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const JoWide onA = multiplyWide( contact->s, p->a[axis] );
        const JoWide middle = addWide( onA, multiplyWide( half, contact->way[axis] ) );
        point[axis] = narrow(
            addWide( p->origin[axis], addWide( middle, multiplyWide( back, contact->normal[axis] ) ) ) );
    }
}

// Of the start, of the end, of what is between.
JO_INLINE JoWide partOf( JoWide fraction, double start, double end, double edge )
{
    const JoWide part =
        chooseWide( isLessWide( fraction, spreadWide( 1.0 ) ), spreadWide( edge ), spreadWide( end ) );
    return chooseWide( isLessWide( spreadWide( 0.0 ), fraction ), part, spreadWide( start ) );
}

JO_INLINE JoWide partOf2( JoWide fraction )
{
    return partOf( fraction, 1.0, 2.0, JO_EDGE_PART2 );
}

JO_INLINE JoWide partOf3( JoWide fraction )
{
    return partOf( fraction, 0.0, 1.0, 2.0 );
}

// Small enough to be a float. In 3D the longer core comes first, so that ids do not depend on which is A.
JO_INLINE JoFloats featureIdOf( const JoRoundPair* p, const JoRoundContact* contact, int axisCount )
{
    if ( axisCount == 2 )
    {
        return narrow(
            addWide( partOf2( contact->s ), multiplyWide( partOf2( contact->t ), spreadWide( 65536.0 ) ) ) );
    }
    const JoWideMask isLongerB = isLessWide( p->lengthA, p->lengthB );
    const JoWide a = partOf3( contact->s ), b = partOf3( contact->t );
    const JoWide first = chooseWide( isLongerB, b, a ), second = chooseWide( isLongerB, a, b );
    return narrow(
        addWide( spreadWide( 1.0 ), addWide( first, multiplyWide( second, spreadWide( 3.0 ) ) ) ) );
}
