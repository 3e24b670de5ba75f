// SPDX-License-Identifier: MIT
// Blocks of pairs of round shapes, part of every kernel table (see kernels.inl).
#include "round_pairs_2d.inl"

// Bits of the pairs that are not farther apart than the margin, or whose cores cross.
JO_INLINE uint32_t collideRoundLanes2( const float* const* rowsA, const float* const* rowsB,
    joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed, joRoundBlock2* out,
    uint32_t first )
{
    JoRoundPair2 p;
    JoRoundContact2 contact;
    relateRounds2( rowsA, rowsB, cores, &p );
    findRoundContact2( &p, cores, tolerance, &contact );
    const uint32_t apart = lanesOfWide( isLessWide( contact.depth, spreadWide( -(double)margin ) ) );
    const uint32_t lanes = ( ~apart | contact.areCrossing ) & JO_ALL_LANES;
    out->areCrossing |= ( contact.areCrossing & JO_ALL_LANES ) << first;
    if ( lanes == 0 || !isDetailed )
    {
        return lanes;
    }
    out->areAlike |= ( contact.areAlike & JO_ALL_LANES ) << first;
    findRoundNormal2( &contact );
    JoFloats point[2];
    findRoundPoint2( &p, &contact, point );
    store( out->depth + first, narrow( contact.depth ) );
    for ( int k = 0; k < 2; ++k )
    {
        store( out->normal[k] + first, narrow( contact.normal[k] ) );
        store( out->point[k] + first, point[k] );
    }
    store( out->featureId + first, featureIdOf2( &contact ) );
    return lanes;
}

static uint32_t collideRounds2( const joPlacedRound2* const* a, const joPlacedRound2* const* b,
    uint32_t count, joRoundCores cores, float margin, const joRoundTolerance* tolerance, bool isDetailed,
    joRoundBlock2* out )
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
            rowsA[lane] = a[i]->position;
            rowsB[lane] = b[i]->position;
        }
        uint32_t lanes;
        switch ( cores )
        {
            case jo_noCores:
                lanes =
                    collideRoundLanes2( rowsA, rowsB, jo_noCores, margin, tolerance, isDetailed, out, first );
                break;
            case jo_coreOfB:
                lanes =
                    collideRoundLanes2( rowsA, rowsB, jo_coreOfB, margin, tolerance, isDetailed, out, first );
                break;
            default:
                lanes = collideRoundLanes2(
                    rowsA, rowsB, jo_bothCores, margin, tolerance, isDetailed, out, first );
                break;
        }
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}
