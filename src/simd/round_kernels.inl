// SPDX-License-Identifier: MIT
// Blocks of pairs of round shapes, part of every kernel table (see kernels.inl).
#include "round_pairs.inl"

JO_INLINE void storeRecords(
    const JoRoundPair* p, const JoRoundContact* contact, int axisCount, float* records )
{
    JoFloats columns[JO_ROUND_RECORD_FLOATS], point[3];
    const int pointAt = axisCount + 1, idAt = pointAt + axisCount + 1, quadCount = axisCount;
    findRoundPoint( p, contact, axisCount, point );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        columns[axis] = narrow( contact->normal[axis] );
        columns[pointAt + axis] = point[axis];
    }
    columns[axisCount] = columns[idAt - 1] = narrow( contact->depth );
    columns[idAt] = wholeBits( featureIdOf( p, contact, axisCount ) );
    for ( int i = idAt + 1; i < 4 * quadCount; ++i )
    {
        columns[i] = spread( 0.0f );
    }
    for ( int quad = 0; quad < quadCount; ++quad )
    {
        scatterQuads( columns + 4 * quad, records + 4 * quad, JO_ROUND_RECORD_FLOATS );
    }
}

// Bits of the pairs that are not farther apart than the margin; in 3D also of those whose cores cross.
JO_INLINE uint32_t collideRoundLanes( const JoRoundPair* p, joRoundCores cores, float margin,
    const joRoundTolerance* tolerance, bool isDetailed, int axisCount, joRoundBlock* out, uint32_t first )
{
    JoRoundContact contact;
    findRoundContact( p, cores, tolerance, axisCount, &contact );
    const bool areParted = axisCount == 2 && ( contact.areCrossing & JO_ALL_LANES ) != 0;
    if ( isDetailed || areParted )
    {
        findRoundNormal( axisCount, &contact );
    }
    if ( areParted )
    {
        const JoWide still[2] = { spreadWide( 0.0 ), spreadWide( 0.0 ) };
        partCrossing( p, tolerance, still, &contact );
        contact.areCrossing = 0;
    }
    const uint32_t apart = lanesOfWide( isLessWide( contact.depth, spreadWide( -(double)margin ) ) );
    const uint32_t lanes = ( ~apart | contact.areCrossing ) & JO_ALL_LANES;
    out->areCrossing |= ( contact.areCrossing & JO_ALL_LANES ) << first;
    if ( lanes == 0 || !isDetailed )
    {
        return lanes;
    }
    out->areAlike |= ( contact.areAlike & JO_ALL_LANES ) << first;
    storeRecords( p, &contact, axisCount, out->records[first] );
    return lanes;
}

JO_INLINE uint32_t collideRoundsBody( const float* const* a, const float* const* b, uint32_t count,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, int axisCount,
    joRoundBlock* out )
{
    uint32_t hits = 0;
    out->areCrossing = 0;
    out->areAlike = 0;
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        const float* rowsA[JO_LANES];
        const float* rowsB[JO_LANES];
        for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
        {
            const uint32_t i = first + lane < count ? first + lane : count - 1;
            rowsA[lane] = a[i];
            rowsB[lane] = b[i];
        }
        JoRoundPair p;
        relateRounds( rowsA, rowsB, cores, axisCount, &p );
        const uint32_t lanes =
            collideRoundLanes( &p, cores, margin, tolerance, isDetailed, axisCount, out, first );
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}

// Dots cost little more than their memory, so rows are not asked for by pointers.
JO_INLINE uint32_t collideDotsOf( const float* rows, const joPair* pairs, uint32_t count, float margin,
    bool isDetailed, int axisCount, joRoundBlock* out )
{
    uint32_t hits = 0;
    out->areCrossing = 0;
    out->areAlike = 0;
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        const joPair* some = pairs + first;
        joPair last[JO_LANES];
        if ( count - first < JO_LANES )
        {
            for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
            {
                last[lane] = pairs[first + lane < count ? first + lane : count - 1];
            }
            some = last;
        }
        JoFloats a[4], b[4];
        JoRoundPair p;
        gatherRecordQuads( rows, 4, &some->a, 2, 1, 0, a );
        gatherRecordQuads( rows, 4, &some->b, 2, 1, 0, b );
        relatePlaced( a, b, NULL, NULL, jo_dots, axisCount, &p );
        const uint32_t lanes =
            collideRoundLanes( &p, jo_dots, margin, NULL, isDetailed, axisCount, out, first );
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}

static uint32_t collideDots2(
    const float* rows, const joPair* pairs, uint32_t count, float margin, bool isDetailed, joRoundBlock* out )
{
    return collideDotsOf( rows, pairs, count, margin, isDetailed, 2, out );
}

static uint32_t collideDots3(
    const float* rows, const joPair* pairs, uint32_t count, float margin, bool isDetailed, joRoundBlock* out )
{
    return collideDotsOf( rows, pairs, count, margin, isDetailed, 3, out );
}

JO_INLINE uint32_t collideRoundsOf( const float* const* a, const float* const* b, uint32_t count,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, int axisCount,
    joRoundBlock* out )
{
    switch ( cores )
    {
        case jo_noCores:
            return collideRoundsBody(
                a, b, count, jo_noCores, margin, tolerance, isDetailed, axisCount, out );
        case jo_coreOfB:
            return collideRoundsBody(
                a, b, count, jo_coreOfB, margin, tolerance, isDetailed, axisCount, out );
        default:
            return collideRoundsBody(
                a, b, count, jo_bothCores, margin, tolerance, isDetailed, axisCount, out );
    }
}

static uint32_t collideRounds2( const float* const* a, const float* const* b, uint32_t count,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, joRoundBlock* out )
{
    return collideRoundsOf( a, b, count, cores, margin, tolerance, isDetailed, 2, out );
}

static uint32_t collideRounds3( const float* const* a, const float* const* b, uint32_t count,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, joRoundBlock* out )
{
    return collideRoundsOf( a, b, count, cores, margin, tolerance, isDetailed, 3, out );
}
