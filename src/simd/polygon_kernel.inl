// SPDX-License-Identifier: MIT
// Blocks of pairs of polygons in 2D, part of every kernel table (see kernels.inl).
#include "polygon_pairs.inl"

static uint32_t collidePolygons( const joPlacedPolygon* records, const joPair* pairs, uint32_t count,
    uint32_t vertexCount, float margin, const joPolygonTolerance* tolerance, joPolygonBlock* out )
{
    uint32_t hits = 0;
    joClearPolygonBits( out );
    for ( uint32_t first = 0; first < count; first += JO_LANES )
    {
        const float* rowsA[JO_LANES];
        const float* rowsB[JO_LANES];
        for ( uint32_t lane = 0; lane < JO_LANES; ++lane )
        {
            const joPair* pair = pairs + ( first + lane < count ? first + lane : count - 1 );
            rowsA[lane] = records[pair->a].position;
            rowsB[lane] = records[pair->b].position;
        }
        // With the number known, loops over so few vertices unroll.
        const uint32_t lanes =
            vertexCount <= 4 ? collidePolygonLanes( rowsA, rowsB, 4, margin, tolerance, out, first )
            : vertexCount <= 8
                ? collidePolygonLanes( rowsA, rowsB, 8, margin, tolerance, out, first )
                : collidePolygonLanes( rowsA, rowsB, JO_PLACED_VERTICES, margin, tolerance, out, first );
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}
