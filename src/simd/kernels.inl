// SPDX-License-Identifier: MIT
// The body of every kernel table. The including file defines, for its instruction set:
//   JO_LANES                                    lanes of a vector, at most JO_LANE_PADDING
//   JO_KERNEL_ISA                               its joIsa
//   JO_KERNEL_TABLE                             the name of the exported table
//   JoQuery, makeQuery( box, axisCount )        the query box, broadcast
//   overlapLanes( columns, j, query, axisCount ) bit k: the box at j + k overlaps, on every axis, closed
//   ownerLanes( index, j, ownIndex )            bit k: owner bits of index[j + k] and ownIndex together are
//   all set emitLanes( out, source, j, lanes )          source[j + k] for each set bit k, ascending; may
//   write JO_LANES elements emitPositions( out, j, lanes )              likewise j + k fillLanes( out, value
//   )                     JO_LANES elements
//   JoFloats, spread, load, store, add, subtract, multiply, divide, squareRoot, absolute
//                                               lanes of float, and their arithmetic
//   larger( a, b ), smaller( a, b )             a > b ? a : b and a < b ? a : b: b, where one is not a number
//   roughMultiplyAdd, roughMultiplySubtract     a * b + c, c - a * b, rounded once or twice
//   highestLane( a )                            the largest lane, none of which is not a number
//   powerOfTwo( a )                             the power of two at or below a normal positive number
//   JoMask, isLess, bothOf, choose( mask, yes, no ), lanesOf( mask )     a decision a lane
//   JoWide, spreadWide, widen, narrow, addWide, subtractWide, multiplyWide    lanes of double
//   divideWide, squareRootWide, largerWide, smallerWide, JoWideMask, isLessWide, chooseWide, lanesOfWide
//                                               as those of float
//   gatherQuads( rows, columns )                numbers 0 to 3 of each row, as columns
//   gatherRecordQuads( records, stride, indices, step, quadCount, apart, columns )    the same of records by
//   index scatterQuads( columns, records, stride )    the other way round wholeBits( a ) whole numbers, as
//   the bits of integers atMostLanes( a, b )                         bit k: a <= b emitFloats( out, values,
//   lanes )            as emitLanes, from a vector
// The tables agree to the bit: pairs are found by comparisons alone, and the arithmetic of rays and points is
// one operation at a time, each rounded as IEEE 754 says.

#include <float.h>
#include <math.h>
#include <string.h>

JO_INLINE uint32_t countBits( uint32_t lanes )
{
    return (uint32_t)__builtin_popcount( lanes );
}

#define JO_ALL_LANES ( ( UINT32_C( 1 ) << JO_LANES ) - 1 )

// Bits of the lanes that lie before `end`.
JO_INLINE uint32_t tailLanes( uint32_t j, uint32_t end )
{
    uint32_t left = end - j;
    return left >= JO_LANES ? JO_ALL_LANES : ( 1u << left ) - 1u;
}

JO_INLINE uint32_t overlapRangeBody( const joBoxColumns* columns, uint32_t begin, uint32_t end,
    const float box[6], uint32_t* out, int axisCount )
{
    JoQuery query = makeQuery( box, axisCount );
    uint32_t count = 0;
    for ( uint32_t j = begin; j < end; j += JO_LANES )
    {
        uint32_t lanes = overlapLanes( columns, j, &query, axisCount ) & tailLanes( j, end );
        emitPositions( out + count, j, lanes );
        count += countBits( lanes );
    }
    return count;
}

JO_INLINE uint32_t joinBegin( const joJoin* join, uint32_t i )
{
    return join->afterSelf ? i + 1 : join->begins != NULL ? join->begins[i] : join->begin;
}

JO_INLINE uint32_t joinEnd( const joJoin* join, uint32_t i )
{
    return join->ends != NULL ? join->ends[i] : join->end;
}

JO_INLINE void loadBox( const joBoxColumns* columns, uint32_t i, float box[6], int axisCount )
{
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        box[axis] = columns->lower[axis][i];
        box[3 + axis] = columns->upper[axis][i];
    }
}

JO_INLINE bool joinBody( joJoin* join, joRawPairs* out, int axisCount )
{
    const joBoxColumns a = *join->a;
    const joBoxColumns b = *join->b;
    uint32_t count = out->count;
    const uint32_t full = out->capacity - JO_LANE_PADDING;
    uint32_t i = join->started ? join->i : join->first;
    uint32_t j = join->started ? join->j : ( i < join->last ? joinBegin( join, i ) : 0 );
    while ( i < join->last )
    {
        float box[6];
        loadBox( &a, i, box, axisCount );
        JoQuery query = makeQuery( box, axisCount );
        const uint32_t ownIndex = a.index[i];
        const uint32_t end = joinEnd( join, i );
        for ( ; j < end; j += JO_LANES )
        {
            if ( count > full )
            {
                out->count = count;
                join->i = i;
                join->j = j;
                join->started = true;
                return false;
            }
            uint32_t lanes = overlapLanes( &b, j, &query, axisCount ) & ownerLanes( b.index, j, ownIndex );
            lanes &= tailLanes( j, end );
#if JO_LANES < 16
            if ( lanes == 0 )
            {
                continue;
            }
#endif
            fillLanes( out->a + count, ownIndex );
            emitLanes( out->b + count, b.index, j, lanes );
            count += countBits( lanes );
        }
        ++i;
        j = i < join->last ? joinBegin( join, i ) : 0;
    }
    out->count = count;
    join->i = i;
    join->j = 0;
    join->started = true;
    return true;
}

JO_INLINE uint64_t countJoinBody( const joJoin* join, int axisCount )
{
    uint64_t count = 0;
    for ( uint32_t i = join->first; i < join->last; ++i )
    {
        float box[6];
        loadBox( join->a, i, box, axisCount );
        JoQuery query = makeQuery( box, axisCount );
        const uint32_t ownIndex = join->a->index[i];
        const uint32_t end = joinEnd( join, i );
        for ( uint32_t j = joinBegin( join, i ); j < end; j += JO_LANES )
        {
            uint32_t lanes =
                overlapLanes( join->b, j, &query, axisCount ) & ownerLanes( join->b->index, j, ownIndex );
            count += countBits( lanes & tailLanes( j, end ) );
        }
    }
    return count;
}

JO_INLINE uint32_t rayRangeBody( const joBoxColumns* columns, uint32_t begin, uint32_t end,
    const joRayLanes* ray, float limit, uint32_t* out, float* distances, int axisCount )
{
    const float* near[3];
    const float* far[3];
    JoFloats nearOrigin[3], farOrigin[3], inverse[3];
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        near[axis] = ray->isBackward[axis] ? columns->upper[axis] : columns->lower[axis];
        far[axis] = ray->isBackward[axis] ? columns->lower[axis] : columns->upper[axis];
        nearOrigin[axis] = spread( ray->nearOrigin[axis] );
        farOrigin[axis] = spread( ray->farOrigin[axis] );
        inverse[axis] = spread( ray->inverse[axis] );
    }
    const JoFloats shrink = spread( JO_DISTANCE_SHRINK );
    const JoFloats largest = spread( FLT_MAX );
    uint32_t count = 0;
    for ( uint32_t j = begin; j < end; j += JO_LANES )
    {
        JoFloats enter = spread( 0.0f );
        JoFloats leave = spread( limit );
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            // Infinity times 0 is not a number, and then the axis says nothing.
            enter = larger(
                multiply( subtract( load( near[axis] + j ), nearOrigin[axis] ), inverse[axis] ), enter );
            leave = smaller(
                multiply( subtract( load( far[axis] + j ), farOrigin[axis] ), inverse[axis] ), leave );
        }
        // What overflows may be as near as the largest float.
        enter = multiply( smaller( enter, largest ), shrink );
        const uint32_t lanes = atMostLanes( enter, leave ) & tailLanes( j, end );
        emitPositions( out + count, j, lanes );
        emitFloats( distances + count, enter, lanes );
        count += countBits( lanes );
    }
    return count;
}

JO_INLINE uint32_t pointRangeBody( const joBoxColumns* columns, uint32_t begin, uint32_t end,
    const float point[3], float limitSq, uint32_t* out, float* distancesSq, int axisCount )
{
    JoFloats centre[3];
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        centre[axis] = spread( point[axis] );
    }
    const JoFloats limit = spread( limitSq );
    const JoFloats shrink = spread( JO_DISTANCE_SHRINK );
    const JoFloats zero = spread( 0.0f );
    uint32_t count = 0;
    for ( uint32_t j = begin; j < end; j += JO_LANES )
    {
        JoFloats sum = zero;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const JoFloats below = subtract( load( columns->lower[axis] + j ), centre[axis] );
            const JoFloats above = subtract( centre[axis], load( columns->upper[axis] + j ) );
            const JoFloats gap = larger( larger( below, above ), zero );
            sum = add( sum, multiply( gap, gap ) );
        }
        sum = multiply( sum, shrink );
        const uint32_t lanes = atMostLanes( sum, limit ) & tailLanes( j, end );
        emitPositions( out + count, j, lanes );
        emitFloats( distancesSq + count, sum, lanes );
        count += countBits( lanes );
    }
    return count;
}

// Bounds of JO_LANES records that lie one after the other.
typedef struct JoRecords
{
    JoFloats lower[3];
    JoFloats upper[3];
} JoRecords;

JO_INLINE JoRecords loadRecords( const float* first, int axisCount )
{
    JoFloats front[4]; // lower x y z, upper x
    JoFloats back[4];  // upper x y z
    loadQuads( first, front );
    loadQuads( first + 3, back );
    JoRecords records;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        records.lower[axis] = front[axis];
        records.upper[axis] = back[axis];
    }
    return records;
}

JO_INLINE uint32_t sieveBody(
    const float* records, uint32_t begin, uint32_t end, const joSieve* shared, uint32_t* out, int axisCount )
{
    const joSieve sieve = *shared; // so that writing to `out` need not be taken for a change of it
    const JoFloats zero = spread( 0.0f );
    const JoFloats last = spread( JO_SIEVE_LAST );
    uint32_t count = 0;
    for ( uint32_t j = begin; j < end; j += JO_LANES )
    {
        const float* first = records + (size_t)j * JO_RECORD_FLOATS;
        float copy[JO_LANES * JO_RECORD_FLOATS];
        if ( end - j < JO_LANES )
        {
            memset( copy, 0, sizeof( copy ) );
            memcpy( copy, first, (size_t)( end - j ) * JO_RECORD_FLOATS * sizeof( float ) );
            first = copy;
        }
        const JoRecords boxes = loadRecords( first, axisCount );
        uint32_t within = tailLanes( j, end );
        uint32_t usual = UINT32_MAX;
        JoFloats cells[3] = { zero, zero, zero };
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const JoFloats lower = boxes.lower[axis];
            const JoFloats upper = boxes.upper[axis];
            within &= atMostLanes( lower, spread( sieve.upper[axis] ) );
            within &= atMostLanes( spread( sieve.lower[axis] ), upper );
            usual &= atMostLanes( subtract( upper, lower ), spread( sieve.usual[axis] ) );
            const JoFloats cell =
                multiply( subtract( lower, spread( sieve.origin[axis] ) ), spread( sieve.inverse[axis] ) );
            // In this order infinity times 0, which is not a number, gives 0.
            cells[axis] = smaller( larger( cell, zero ), last );
        }
        if ( sieve.words != NULL )
        {
            within &= markedLanes( &sieve, cells, axisCount ) | ~usual;
        }
        emitPositions( out + count, j, within );
        count += countBits( within );
    }
    return count;
}

static uint32_t sieve2(
    const float* records, uint32_t begin, uint32_t end, const joSieve* sieve, uint32_t* out )
{
    return sieveBody( records, begin, end, sieve, out, 2 );
}

static uint32_t sieve3(
    const float* records, uint32_t begin, uint32_t end, const joSieve* sieve, uint32_t* out )
{
    return sieveBody( records, begin, end, sieve, out, 3 );
}

static uint32_t overlapRange2(
    const joBoxColumns* columns, uint32_t begin, uint32_t end, const float box[6], uint32_t* out )
{
    return overlapRangeBody( columns, begin, end, box, out, 2 );
}

static uint32_t overlapRange3(
    const joBoxColumns* columns, uint32_t begin, uint32_t end, const float box[6], uint32_t* out )
{
    return overlapRangeBody( columns, begin, end, box, out, 3 );
}

static uint32_t rayRange2( const joBoxColumns* columns, uint32_t begin, uint32_t end, const joRayLanes* ray,
    float limit, uint32_t* out, float* distances )
{
    return rayRangeBody( columns, begin, end, ray, limit, out, distances, 2 );
}

static uint32_t rayRange3( const joBoxColumns* columns, uint32_t begin, uint32_t end, const joRayLanes* ray,
    float limit, uint32_t* out, float* distances )
{
    return rayRangeBody( columns, begin, end, ray, limit, out, distances, 3 );
}

static uint32_t pointRange2( const joBoxColumns* columns, uint32_t begin, uint32_t end, const float point[3],
    float limitSq, uint32_t* out, float* distancesSq )
{
    return pointRangeBody( columns, begin, end, point, limitSq, out, distancesSq, 2 );
}

static uint32_t pointRange3( const joBoxColumns* columns, uint32_t begin, uint32_t end, const float point[3],
    float limitSq, uint32_t* out, float* distancesSq )
{
    return pointRangeBody( columns, begin, end, point, limitSq, out, distancesSq, 3 );
}

static bool join2( joJoin* join, joRawPairs* out )
{
    return joinBody( join, out, 2 );
}

static bool join3( joJoin* join, joRawPairs* out )
{
    return joinBody( join, out, 3 );
}

static uint64_t countJoin2( const joJoin* join )
{
    return countJoinBody( join, 2 );
}

static uint64_t countJoin3( const joJoin* join )
{
    return countJoinBody( join, 3 );
}

#include "box_pairs.inl"
#include "polygon_kernel.inl"
#include "round_kernels.inl"
#include "search.inl"
#include "stream.inl"
#include "support.inl"

const joKernels JO_KERNEL_TABLE = {
    .isa = JO_KERNEL_ISA,
    .lanes = JO_LANES,
    .overlapRange = { overlapRange2, overlapRange3 },
    .rayRange = { rayRange2, rayRange3 },
    .pointRange = { pointRange2, pointRange3 },
    .searchOverlaps = { searchOverlaps2, searchOverlaps3 },
    .searchRay = { searchRay2, searchRay3 },
    .searchPoint = { searchPoint2, searchPoint3 },
    .sieve = { sieve2, sieve3 },
    .meetNode = { meetNode2, meetNode3 },
    .meetLeaf = { meetLeaf2, meetLeaf3 },
    .pickListed = pickListed,
    .collideBoxes = collideBoxes,
    .siftBoxes = siftBoxes,
    .collidePolygons = collidePolygons,
    .collideRounds = { collideRounds2, collideRounds3 },
    .collideDots = { collideDots2, collideDots3 },
    .findHighest = findHighest,
    .join = { join2, join3 },
    .countJoin = { countJoin2, countJoin3 },
};
