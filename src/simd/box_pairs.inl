// SPDX-License-Identifier: MIT
// Pairs of boxes in 3D, part of every kernel table (see kernels.inl).
#include "box_axes.inl"
#include "box_contacts.inl"

// A vector's pairs: those from `first` on. Beyond the last one it is repeated, in `padded`.
JO_INLINE const joPair* takePairs(
    const joPair* pairs, uint32_t first, uint32_t count, joPair padded[JO_LANES] )
{
    if ( count - first >= JO_LANES )
    {
        return pairs + first;
    }
    for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
    {
        padded[lane] = pairs[first + lane < count ? first + lane : count - 1];
    }
    return padded;
}

static uint32_t collideBoxes( const joPlacedBoxes* placed, const joPair* pairs, uint32_t count, float margin,
    const joBoxTolerance* tolerance, joBoxBlock* out, joBoxManifolds* manifolds )
{
    uint32_t hits = 0;
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        JoBoxLanes a, b;
        JoBoxPair p;
        JoBoxAxis least;
        JoFloats between[3];
        joPair padded[JO_LANES];
        const joPair* some = takePairs( pairs, first, count, padded );
        gatherBoxes( placed, &some->a, 2, &a );
        gatherBoxes( placed, &some->b, 2, &b );
        uint32_t lanes =
            relatePositions( &a, &b, margin, tolerance->tie, &p, between ) & tailLanes( first, count );
        if ( lanes == 0 )
        {
            continue;
        }
        relateFrames( &a, &b, between, &p );
        lanes &= testAxes( &p, tolerance->parallelSineSq, &least );
        hits |= lanes << first;
        if ( lanes != 0 )
        {
            JoFloats normal[3];
            findNormal( &least, a.rotation, normal );
            storeTouch( &p, &least, normal, first, out );
            if ( manifolds != NULL )
            {
                findContacts( &a, &b, &p, &least, normal, tolerance->slop, first, manifolds );
            }
        }
    }
    return hits;
}

// Whether boxes are not farther apart than a margin, in float, faster than exactly: an answer where one is
// sure, whatever was rounded. Bounds of errors are shares of the size, the sum of all half extents.
//
// Entries of the relative rotation are good to 2e-6, and the spheres do not let centres be farther apart than
// the sizes and the margin: a face's overlap is good to 1e-5 of that, that of edges times their sine too.
#define JO_SURE 2e-5f
// Boxes whose faces overlap by more than the sine of some angle between an edge of A and one of B, times 11,
// and a little, overlap: turned by that angle, which moves no point by more than the sine times 1.6 of the
// size, the edges are parallel, and then faces are all axes there are. (Times 2.75, what sizes and distance
// come to, times 4, for the sum of both sides' changes.)
#define JO_SURE_PER_SINE 11.0f
#define JO_SURE_BESIDE_SINE 2e-4f
// How far two are apart is asked of the axes, which do not know of corners: where no axis parts them by more
// than the margin, A with its half extents grown by the margin overlaps B on all axes, so that the two meet;
// and that radius is longer by up to the square root of three of the margin. This is more, by as much as
// JO_SPHERE_GROWTH.
#define JO_SPHERE_MARGIN 1.7321f
// Lengths below this, or their squares, are too small for floats to tell.
#define JO_SURE_LEAST 1e-30f

// Boxes are asked for this many pairs before they are needed: about as long as memory takes to answer.
#define JO_BOXES_AHEAD 64u

// a * b - c * d
JO_INLINE JoFloats roughCrossTerm( JoFloats a, JoFloats b, JoFloats c, JoFloats d )
{
    return roughMultiplySubtract( c, d, multiply( a, b ) );
}

JO_INLINE void roughRotation( const JoFloats a[4], const JoFloats b[4], JoFloats r[3][3] )
{
    const JoFloats x =
        subtract( roughCrossTerm( a[3], b[0], a[0], b[3] ), roughCrossTerm( a[1], b[2], a[2], b[1] ) );
    const JoFloats y =
        subtract( roughCrossTerm( a[3], b[1], a[1], b[3] ), roughCrossTerm( a[2], b[0], a[0], b[2] ) );
    const JoFloats z =
        subtract( roughCrossTerm( a[3], b[2], a[2], b[3] ), roughCrossTerm( a[0], b[1], a[1], b[0] ) );
    const JoFloats w = roughMultiplyAdd(
        a[3], b[3], roughMultiplyAdd( a[0], b[0], roughMultiplyAdd( a[1], b[1], multiply( a[2], b[2] ) ) ) );
    const JoFloats one = spread( 1.0f );
    const JoFloats x2 = add( x, x ), y2 = add( y, y ), z2 = add( z, z );
    const JoFloats wx = multiply( w, x2 ), wy = multiply( w, y2 ), wz = multiply( w, z2 );
    r[0][0] = roughMultiplySubtract( y, y2, roughMultiplySubtract( z, z2, one ) );
    r[1][1] = roughMultiplySubtract( x, x2, roughMultiplySubtract( z, z2, one ) );
    r[2][2] = roughMultiplySubtract( x, x2, roughMultiplySubtract( y, y2, one ) );
    r[1][0] = roughMultiplyAdd( x, y2, wz );
    r[0][2] = roughMultiplyAdd( x, z2, wy );
    r[2][1] = roughMultiplyAdd( y, z2, wx );
    r[0][1] = subtract( multiply( x, y2 ), wz );
    r[2][0] = subtract( multiply( x, z2 ), wy );
    r[1][2] = subtract( multiply( y, z2 ), wx );
}

JO_INLINE JoFloats roughDot( JoFloats a, JoFloats b, JoFloats c, JoFloats x, JoFloats y, JoFloats z )
{
    return roughMultiplyAdd( a, x, roughMultiplyAdd( b, y, multiply( c, z ) ) );
}

JO_INLINE void roughFrames(
    const JoBoxLanes* a, const JoBoxLanes* b, const JoFloats between[3], JoBoxPair* p )
{
    const JoFloats* u = a->rotation;
    const JoFloats once[3] = { roughCrossTerm( u[1], between[2], u[2], between[1] ),
        roughCrossTerm( u[2], between[0], u[0], between[2] ),
        roughCrossTerm( u[0], between[1], u[1], between[0] ) };
    const JoFloats twice[3] = { roughCrossTerm( u[1], once[2], u[2], once[1] ),
        roughCrossTerm( u[2], once[0], u[0], once[2] ), roughCrossTerm( u[0], once[1], u[1], once[0] ) };
    roughRotation( a->rotation, b->rotation, p->r );
    for ( int i = 0; i < 3; ++i )
    {
        const JoFloats half = roughMultiplySubtract( u[3], once[i], twice[i] );
        p->t[i] = add( between[i], add( half, half ) );
    }
    for ( int i = 0; i < 3; ++i )
    {
        p->halfA[i] = a->half[i];
        p->halfB[i] = b->half[i];
        p->tB[i] = roughDot( p->t[0], p->t[1], p->t[2], p->r[0][i], p->r[1][i], p->r[2][i] );
        for ( int j = 0; j < 3; ++j )
        {
            p->absR[i][j] = absolute( p->r[i][j] );
        }
    }
}

// The least overlap on the six faces.
JO_INLINE JoFloats roughFaces( const JoBoxPair* p )
{
    JoFloats least = spread( FLT_MAX );
    for ( int i = 0; i < 3; ++i )
    {
        const JoFloats radiusB =
            roughDot( p->halfB[0], p->halfB[1], p->halfB[2], p->absR[i][0], p->absR[i][1], p->absR[i][2] );
        const JoFloats radiusA =
            roughDot( p->halfA[0], p->halfA[1], p->halfA[2], p->absR[0][i], p->absR[1][i], p->absR[2][i] );
        least = smaller( subtract( add( p->halfA[i], radiusB ), absolute( p->t[i] ) ), least );
        least = smaller( subtract( add( p->halfB[i], radiusA ), absolute( p->tB[i] ) ), least );
    }
    return least;
}

// The overlap on a pair of edges, times their sine.
JO_INLINE JoFloats roughEdges( const JoBoxPair* p, int i, int j )
{
    const int nextI = ( i + 1 ) % 3, lastI = ( i + 2 ) % 3, nextJ = ( j + 1 ) % 3, lastJ = ( j + 2 ) % 3;
    const JoFloats center = roughCrossTerm( p->t[lastI], p->r[nextI][j], p->t[nextI], p->r[lastI][j] );
    const JoFloats radiusA = roughMultiplyAdd(
        p->halfA[nextI], p->absR[lastI][j], multiply( p->halfA[lastI], p->absR[nextI][j] ) );
    const JoFloats radii = roughMultiplyAdd(
        p->halfB[nextJ], p->absR[i][lastJ], roughMultiplyAdd( p->halfB[lastJ], p->absR[i][nextJ], radiusA ) );
    return subtract( radii, absolute( center ) );
}

JO_INLINE JoFloats roughLeastEdges( const JoBoxPair* p )
{
    const JoFloats one =
        smaller( roughEdges( p, 0, 0 ), smaller( roughEdges( p, 0, 1 ), roughEdges( p, 0, 2 ) ) );
    const JoFloats two =
        smaller( roughEdges( p, 1, 0 ), smaller( roughEdges( p, 1, 1 ), roughEdges( p, 1, 2 ) ) );
    const JoFloats three =
        smaller( roughEdges( p, 2, 0 ), smaller( roughEdges( p, 2, 1 ), roughEdges( p, 2, 2 ) ) );
    return smaller( one, smaller( two, three ) );
}

// The least sine of an angle between an edge of A and one of B.
JO_INLINE JoFloats roughLeastSine( const JoBoxPair* p )
{
    JoFloats least = spread( 1.0f );
    for ( int i = 0; i < 3; ++i )
    {
        const int next = ( i + 1 ) % 3, last = ( i + 2 ) % 3;
        for ( int j = 0; j < 3; ++j )
        {
            const JoFloats sq =
                roughMultiplyAdd( p->r[next][j], p->r[next][j], multiply( p->r[last][j], p->r[last][j] ) );
            least = smaller( sq, least );
        }
    }
    return squareRoot( least );
}

// Whether spheres around the boxes, with the margin, touch. `between`: the centre of B from that of A.
JO_INLINE uint32_t touchSpheres( const JoBoxLanes* a, const JoBoxLanes* b, float margin, JoFloats between[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        between[i] = add(
            subtract( b->position[i], a->position[i] ), subtract( b->positionRest[i], a->positionRest[i] ) );
    }
    JoFloats reachSq = larger( reachSqOf( a->half, b->half ), spread( JO_SURE_LEAST ) );
    if ( margin > 0.0f )
    {
        const JoFloats reach = add( squareRoot( reachSq ), spread( JO_SPHERE_MARGIN * margin ) );
        reachSq = multiply( reach, reach );
    }
    const JoFloats distanceSq =
        roughDot( between[0], between[1], between[2], between[0], between[1], between[2] );
    return ~lanesOf( isLess( reachSq, distanceSq ) ) & JO_ALL_LANES;
}

// Bits of `lanes`, pairs whose spheres touch, that surely touch; *unsure gets those that may.
JO_INLINE uint32_t touchRoughly( const JoBoxLanes* a, const JoBoxLanes* b, const JoFloats between[3],
    float margin, uint32_t lanes, uint32_t* unsure )
{
    JoBoxPair p;
    roughFrames( a, b, between, &p );
    const JoFloats size = add( add( sumOf( a->half ), sumOf( b->half ) ), spread( margin ) );
    const JoFloats sure = larger( multiply( size, spread( JO_SURE ) ), spread( JO_SURE_LEAST ) );
    const JoFloats apart = subtract( spread( -margin ), sure );
    const JoFloats faces = roughFaces( &p );
    lanes &= ~lanesOf( isLess( faces, apart ) );
    *unsure = 0;
    if ( lanes == 0 )
    {
        return 0;
    }
    // Of edges times their sine, which is at most 1: so the margin counts in full where they are surely
    // apart, and for nothing where they surely touch.
    const JoFloats edges = roughLeastEdges( &p );
    lanes &= ~lanesOf( isLess( edges, apart ) );
    uint32_t hits = lanes & lanesOf( isLess( sure, smaller( add( faces, spread( margin ) ), edges ) ) );
    if ( hits != lanes )
    {
        const JoFloats enough = roughMultiplyAdd(
            roughLeastSine( &p ), spread( JO_SURE_PER_SINE ), spread( JO_SURE_BESIDE_SINE ) );
        hits |= lanes & lanesOf( isLess( larger( multiply( enough, size ), sure ), faces ) );
    }
    *unsure = lanes & ~hits;
    return hits;
}

JO_INLINE void markPlaces( uint64_t* words, const uint32_t* places, uint32_t lanes )
{
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t place = places[__builtin_ctz( lanes )];
        words[place / 64] |= UINT64_C( 1 ) << ( place % 64 );
    }
}

// Pairs at the first `count` places.
JO_INLINE void siftPlaces( const joPlacedBoxes* placed, const joPair* pairs, const uint32_t* places,
    uint32_t count, float margin, uint64_t* hits, uint64_t* unsure )
{
    joPair some[JO_LANES];
    for ( uint32_t i = 0; i < JO_LANES; ++i )
    {
        some[i] = pairs[places[i < count ? i : count - 1]];
    }
    JoBoxLanes a, b;
    JoFloats between[3];
    gatherBoxes( placed, &some->a, 2, &a );
    gatherBoxes( placed, &some->b, 2, &b );
    const uint32_t lanes = touchSpheres( &a, &b, margin, between ) & tailLanes( 0, count );
    uint32_t doubts;
    markPlaces( hits, places, touchRoughly( &a, &b, between, margin, lanes, &doubts ) );
    markPlaces( unsure, places, doubts );
}

// Of B alone: lists are sorted by a, as a rule, and what comes one after the other comes on its own.
JO_INLINE void prefetchPairs( const joPlacedBox* boxes, const joPair* pairs, uint32_t begin, uint32_t count )
{
    if ( begin + JO_LANES <= count )
    {
        for ( uint32_t i = 0; i < JO_LANES; ++i )
        {
            __builtin_prefetch( boxes + pairs[begin + i].b );
        }
    }
}

// Spheres first. Where few of a vector's pairs are left after them, these wait until there is a whole vector.
static void siftBoxes( const joPlacedBoxes* placed, const joPair* pairs, uint32_t count, float margin,
    uint64_t* hits, uint64_t* unsure )
{
    uint32_t waiting[3 * JO_LANES], waitingCount = 0;
    memset( hits, 0, ( count + 63 ) / 64 * sizeof( uint64_t ) );
    memset( unsure, 0, ( count + 63 ) / 64 * sizeof( uint64_t ) );
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        JoBoxLanes a, b;
        JoFloats between[3];
        joPair padded[JO_LANES];
        const joPair* some = takePairs( pairs, first, count, padded );
        prefetchPairs( placed->boxes, pairs, first + JO_BOXES_AHEAD, count );
        gatherSizes( placed, &some->a, 2, &a );
        gatherSizes( placed, &some->b, 2, &b );
        const uint32_t lanes = touchSpheres( &a, &b, margin, between ) & tailLanes( first, count );
        if ( 2 * countBits( lanes ) > JO_LANES )
        {
            uint32_t doubts;
            gatherRotations( placed, &some->a, 2, &a );
            gatherRotations( placed, &some->b, 2, &b );
            const uint32_t touching = touchRoughly( &a, &b, between, margin, lanes, &doubts );
            hits[first / 64] |= (uint64_t)touching << ( first % 64 );
            unsure[first / 64] |= (uint64_t)doubts << ( first % 64 );
            continue;
        }
        emitPositions( waiting + waitingCount, first, lanes );
        waitingCount += countBits( lanes );
        if ( waitingCount >= JO_LANES )
        {
            waitingCount -= JO_LANES;
            siftPlaces( placed, pairs, waiting + waitingCount, JO_LANES, margin, hits, unsure );
        }
    }
    if ( waitingCount > 0 )
    {
        siftPlaces( placed, pairs, waiting, waitingCount, margin, hits, unsure );
    }
}
