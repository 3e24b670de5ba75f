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
        const JoBoxPair p = relateBoxes( &a, &b, spread( margin ) );
        const uint32_t lanes = testAxes( &p, parallelSineSq, &least ) & tailLanes( first, count );
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
