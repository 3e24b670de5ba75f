// SPDX-License-Identifier: MIT
// Circles and capsules in 2D, a pair a lane: in closed form, all in double, about the start of A's core.
//
// Two segments in a plane cross, or are nearest at an end of one of them: the best of four ends is taken.
// Pairs whose cores cross are only marked; they are rare, and parted by other means
// (narrow_phase/round_pair_2d.c).
//
// Part of every kernel table, and of the call for one pair: the same operations in the same order, so the
// same bits.

// Parts of a core in feature ids: its ends are vertices 1 and 2, what is between them is an edge.
#define JO_START_PART 1.0
#define JO_END_PART 2.0
#define JO_EDGE_PART 129.0

JO_INLINE JoWide dotWide2( const JoWide a[2], const JoWide b[2] )
{
    return addWide( multiplyWide( a[0], b[0] ), multiplyWide( a[1], b[1] ) );
}

JO_INLINE JoWide crossWide2( const JoWide a[2], const JoWide b[2] )
{
    return subtractWide( multiplyWide( a[0], b[1] ), multiplyWide( a[1], b[0] ) );
}

typedef struct JoRoundPair2
{
    JoWide origin[2];  // the start of A's core in the world
    JoWide between[2]; // from there to the start of B's
    JoWide a[2], b[2]; // along the cores
    JoWide radiusA, radiusB;
    JoWide length; // of both cores together
} JoRoundPair2;

JO_INLINE void gatherFrom( const float* const* rows, int at, JoFloats columns[4] )
{
    const float* quads[JO_LANES];
    for ( int lane = 0; lane < JO_LANES; ++lane )
    {
        quads[lane] = rows[lane] + at;
    }
    gatherQuads( quads, columns );
}

// Two numbers that are each the sum of two floats.
JO_INLINE void gatherSums2( const float* const* rows, int at, JoWide sums[2] )
{
    JoFloats columns[4];
    gatherFrom( rows, at, columns );
    sums[0] = addWide( widen( columns[0] ), widen( columns[2] ) );
    sums[1] = addWide( widen( columns[1] ), widen( columns[3] ) );
}

JO_INLINE void relateRounds2(
    const float* const* rowsA, const float* const* rowsB, joRoundCores cores, JoRoundPair2* p )
{
    JoFloats placeA[4], placeB[4];
    JoWide startA[2], startB[2];
    gatherQuads( rowsA, placeA );
    gatherQuads( rowsB, placeB );
    gatherSums2( rowsA, 4, startA );
    gatherSums2( rowsB, 4, startB );
    for ( int k = 0; k < 2; ++k )
    {
        // The difference is small where the positions are large and alike, and then it is exact.
        const JoWide position = widen( placeA[k] );
        p->origin[k] = addWide( position, startA[k] );
        p->between[k] =
            addWide( subtractWide( widen( placeB[k] ), position ), subtractWide( startB[k], startA[k] ) );
        p->a[k] = p->b[k] = spreadWide( 0.0 );
    }
    p->radiusA = widen( placeA[2] );
    p->radiusB = widen( placeB[2] );
    p->length = addWide( widen( placeA[3] ), widen( placeB[3] ) );
    if ( cores == jo_bothCores )
    {
        gatherSums2( rowsA, 8, p->a );
    }
    if ( cores != jo_noCores )
    {
        gatherSums2( rowsB, 8, p->b );
    }
}

typedef struct JoRoundContact2
{
    JoWide s, t;   // fractions of the cores where they are nearest
    JoWide way[2]; // from the point of A's core to that of B's
    JoWide distance, depth;
    JoWide normal[2];
    uint32_t areCrossing, areAlike; // bits
} JoRoundContact2;

JO_INLINE void takeNearer2(
    const JoRoundPair2* p, JoWide s, JoWide t, JoRoundContact2* contact, JoWide* leastSq )
{
    JoWide way[2];
    for ( int k = 0; k < 2; ++k )
    {
        way[k] =
            subtractWide( addWide( p->between[k], multiplyWide( t, p->b[k] ) ), multiplyWide( s, p->a[k] ) );
    }
    const JoWide distanceSq = dotWide2( way, way );
    const JoWideMask isNearer = isLessWide( distanceSq, *leastSq );
    contact->s = chooseWide( isNearer, s, contact->s );
    contact->t = chooseWide( isNearer, t, contact->t );
    contact->way[0] = chooseWide( isNearer, way[0], contact->way[0] );
    contact->way[1] = chooseWide( isNearer, way[1], contact->way[1] );
    *leastSq = chooseWide( isNearer, distanceSq, *leastSq );
}

// Fractions of a core; one without length is all at its start.
JO_INLINE JoWide fractionOf( JoWide along, JoWide lengthSq )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWide fraction = smallerWide( largerWide( divideWide( along, lengthSq ), zero ), one );
    return chooseWide( isLessWide( zero, lengthSq ), fraction, zero );
}

// Bits of the pairs whose cores cross.
JO_INLINE uint32_t crossingLanes2( const JoRoundPair2* p, JoWide cross )
{
    const JoWide s = multiplyWide( crossWide2( p->between, p->b ), cross );
    const JoWide t = multiplyWide( crossWide2( p->between, p->a ), cross );
    const JoWide crossSq = multiplyWide( cross, cross ), zero = spreadWide( 0.0 );
    return lanesOfWide( isLessWide( zero, crossSq ) ) &
           ~( lanesOfWide( isLessWide( s, zero ) ) | lanesOfWide( isLessWide( crossSq, s ) ) |
               lanesOfWide( isLessWide( t, zero ) ) | lanesOfWide( isLessWide( crossSq, t ) ) );
}

// What can have no length is not looked at.
JO_INLINE void findRoundContact2(
    const JoRoundPair2* p, joRoundCores cores, const joRoundTolerance* tolerance, JoRoundContact2* contact )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    JoWide leastSq = dotWide2( p->between, p->between );
    contact->s = zero;
    contact->t = zero;
    contact->way[0] = p->between[0];
    contact->way[1] = p->between[1];
    contact->areCrossing = 0;
    contact->areAlike = 0;
    if ( cores != jo_noCores )
    {
        const JoWide lengthSqB = dotWide2( p->b, p->b ), alongB = dotWide2( p->between, p->b );
        takeNearer2( p, zero, fractionOf( subtractWide( zero, alongB ), lengthSqB ), contact, &leastSq );
        if ( cores == jo_bothCores )
        {
            const JoWide lengthSqA = dotWide2( p->a, p->a ), alongA = dotWide2( p->between, p->a );
            const JoWide mixed = dotWide2( p->a, p->b ), cross = crossWide2( p->a, p->b );
            takeNearer2( p, one, fractionOf( subtractWide( mixed, alongB ), lengthSqB ), contact, &leastSq );
            takeNearer2( p, fractionOf( alongA, lengthSqA ), zero, contact, &leastSq );
            takeNearer2( p, fractionOf( addWide( alongA, mixed ), lengthSqA ), one, contact, &leastSq );
            contact->areCrossing = crossingLanes2( p, cross );
            const JoWide most =
                multiplyWide( spreadWide( tolerance->sineSq ), multiplyWide( lengthSqA, lengthSqB ) );
            contact->areAlike = lanesOfWide( isLessWide( multiplyWide( cross, cross ), most ) );
        }
    }
    contact->distance = squareRootWide( leastSq );
    if ( cores != jo_noCores )
    {
        const JoWideMask isFar =
            isLessWide( multiplyWide( spreadWide( tolerance->crossing ), p->length ), contact->distance );
        contact->areCrossing |= ~lanesOfWide( isFar ) & lanesOfWide( isLessWide( zero, p->length ) );
    }
    contact->depth = subtractWide( addWide( p->radiusA, p->radiusB ), contact->distance );
}

JO_INLINE void findRoundNormal2( JoRoundContact2* contact )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWideMask isApart = isLessWide( zero, contact->distance );
    const JoWide inverse = divideWide( one, contact->distance );
    contact->normal[0] = chooseWide( isApart, multiplyWide( contact->way[0], inverse ), one );
    contact->normal[1] = chooseWide( isApart, multiplyWide( contact->way[1], inverse ), zero );
}

// Where the surfaces are deepest in each other, in the world.
JO_INLINE void findRoundPoint2( const JoRoundPair2* p, const JoRoundContact2* contact, JoFloats point[2] )
{
    const JoWide half = spreadWide( 0.5 );
    const JoWide back = multiplyWide( half, subtractWide( p->radiusA, p->radiusB ) );
    for ( int k = 0; k < 2; ++k )
    {
        const JoWide onA = multiplyWide( contact->s, p->a[k] );
        const JoWide middle = addWide( onA, multiplyWide( half, contact->way[k] ) );
        point[k] =
            narrow( addWide( p->origin[k], addWide( middle, multiplyWide( back, contact->normal[k] ) ) ) );
    }
}

JO_INLINE JoWide partOf2( JoWide fraction )
{
    const JoWide zero = spreadWide( 0.0 ), one = spreadWide( 1.0 );
    const JoWide part =
        chooseWide( isLessWide( fraction, one ), spreadWide( JO_EDGE_PART ), spreadWide( JO_END_PART ) );
    return chooseWide( isLessWide( zero, fraction ), part, spreadWide( JO_START_PART ) );
}

// Small enough to be a float.
JO_INLINE JoFloats featureIdOf2( const JoRoundContact2* contact )
{
    return narrow(
        addWide( partOf2( contact->s ), multiplyWide( partOf2( contact->t ), spreadWide( 65536.0 ) ) ) );
}
