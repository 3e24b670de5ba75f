// SPDX-License-Identifier: MIT
// Pairs of boxes in 3D, part of every kernel table (see kernels.inl).
#include "box_axes.inl"

// Boxes of the pairs at `pairs` and after it, a lane each; lanes from `left` on repeat the last one.
JO_INLINE void gatherPairs(
    const joPlacedBox* records, const joPair* pairs, uint32_t left, JoBoxLanes* a, JoBoxLanes* b )
{
    const float* rowsA[JO_LANES];
    const float* rowsB[JO_LANES];
    for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
    {
        const joPair* pair = pairs + ( lane < left ? lane : left - 1 );
        rowsA[lane] = records[pair->a].rotation;
        rowsB[lane] = records[pair->b].rotation;
    }
    *a = gatherBoxes( rowsA );
    *b = gatherBoxes( rowsB );
}

static uint32_t collideBoxes( const joPlacedBox* records, const joPair* pairs, uint32_t count, float margin,
    float parallelSineSq, joBoxBlock* out )
{
    uint32_t hits = 0;
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        JoBoxLanes a, b;
        JoBoxAxis least;
        gatherPairs( records, pairs + first, count - first, &a, &b );
        JoBoxPair p;
        JoFloats between[3];
        uint32_t lanes = relatePositions( &a, &b, margin, &p, between ) & tailLanes( first, count );
        if ( lanes == 0 )
        {
            continue;
        }
        relateFrames( &a, &b, between, &p );
        lanes &= testAxes( &p, parallelSineSq, &least );
        hits |= lanes << first;
        if ( lanes == 0 )
        {
            continue;
        }
        store( out->depth + first, multiply( least.depth, p.unscale ) );
        store( out->axis + first, least.number );
        JoFloats world[3];
        findNormal( &least, a.rotation, world );
        for ( int i = 0; i < 3; ++i )
        {
            store( out->normal[i] + first, least.normal[i] );
            store( out->worldNormal[i] + first, world[i] );
            store( out->t[i] + first, multiply( p.t[i], p.unscale ) );
            for ( int j = 0; j < 3; ++j )
            {
                store( out->r[i][j] + first, p.r[i][j] );
            }
        }
    }
    return hits;
}

// Whether boxes overlap, in float, faster than exactly: an answer where one is sure, whatever was rounded.
// All lengths are scaled, so the bounds of errors are numbers (see box_axes.inl for what is computed).
//
// Entries of the relative rotation are good to 2e-6, and the spheres do not let centres be farther apart than
// the sizes: a face's overlap is good to 1e-5, that of edges times their sine to 2e-5.
#define JO_SURE 3e-5f
// Boxes whose faces overlap by more than the sine of some angle between an edge of A and one of B, times 22,
// and a little, overlap: turned by that angle, which moves no point by more than the sine times 1.6 of the
// size, the edges are parallel, and then faces are all axes there are. (Times 5.5, what sizes and distance
// come to, times 4, for the sum of both sides' changes.)
#define JO_SURE_PER_SINE 22.0f
#define JO_SURE_BESIDE_SINE 2e-4f

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
    JoFloats least = spread( 2.0f );
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

static uint32_t overlapBoxes(
    const joPlacedBox* boxes, const joPair* pairs, uint32_t count, uint32_t* unsure )
{
    const JoFloats sure = spread( JO_SURE ), surelyNot = spread( -JO_SURE );
    uint32_t hits = 0;
    *unsure = 0;
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        JoBoxLanes a, b;
        JoBoxPair p;
        JoFloats between[3];
        gatherPairs( boxes, pairs + first, count - first, &a, &b );
        uint32_t lanes = relatePositions( &a, &b, 0.0f, &p, between ) & tailLanes( first, count );
        if ( lanes == 0 )
        {
            continue;
        }
        roughFrames( &a, &b, between, &p );
        const JoFloats faces = roughFaces( &p );
        lanes &= ~lanesOf( isLess( faces, surelyNot ) );
        if ( lanes == 0 )
        {
            continue;
        }
        const JoFloats edges = roughLeastEdges( &p );
        lanes &= ~lanesOf( isLess( edges, surelyNot ) );
        uint32_t isHit = lanes & lanesOf( isLess( sure, smaller( faces, edges ) ) );
        if ( isHit != lanes )
        {
            const JoFloats enough = roughMultiplyAdd(
                roughLeastSine( &p ), spread( JO_SURE_PER_SINE ), spread( JO_SURE_BESIDE_SINE ) );
            isHit |= lanes & lanesOf( isLess( enough, faces ) );
        }
        hits |= isHit << first;
        *unsure |= ( lanes & ~isHit ) << first;
    }
    return hits;
}
