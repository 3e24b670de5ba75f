// SPDX-License-Identifier: MIT
// Blocks of pairs of round shapes, part of every kernel table (see kernels.inl).
#include "round_pairs.inl"

// Bits of the pairs that are not farther apart than the margin; in 3D also of those whose cores cross.
JO_INLINE uint32_t collideRoundLanes( const float* const* rowsA, const float* const* rowsB,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, int axisCount,
    joRoundBlock* out, uint32_t first )
{
    JoRoundPair p;
    JoRoundContact contact;
    relateRounds( rowsA, rowsB, cores, axisCount, &p );
    findRoundContact( &p, cores, tolerance, axisCount, &contact );
    const bool areParted = axisCount == 2 && ( contact.areCrossing & JO_ALL_LANES ) != 0;
    if ( isDetailed || areParted )
    {
        findRoundNormal( axisCount, &contact );
    }
    if ( areParted )
    {
        const JoWide still[2] = { spreadWide( 0.0 ), spreadWide( 0.0 ) };
        partCrossing( &p, tolerance, still, &contact );
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
    JoFloats point[3];
    findRoundPoint( &p, &contact, axisCount, point );
    store( out->depth + first, narrow( contact.depth ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        store( out->normal[axis] + first, narrow( contact.normal[axis] ) );
        store( out->point[axis] + first, point[axis] );
    }
    store( out->featureId + first, featureIdOf( &p, &contact, axisCount ) );
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
        const uint32_t lanes =
            collideRoundLanes( rowsA, rowsB, cores, margin, tolerance, isDetailed, axisCount, out, first );
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}

JO_INLINE uint32_t collideRoundsOf( const float* const* a, const float* const* b, uint32_t count,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, int axisCount,
    joRoundBlock* out )
{
    switch ( cores )
    {
        case jo_dots:
            return collideRoundsBody( a, b, count, jo_dots, margin, tolerance, isDetailed, axisCount, out );
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
