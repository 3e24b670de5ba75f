// SPDX-License-Identifier: MIT
// Blocks of pairs of polygons in 2D, part of every kernel table (see kernels.inl).
#include "polygon_pairs.inl"

static uint32_t collidePolygons( const joPlacedPolygon* const* a, const joPlacedPolygon* const* b,
    uint32_t count, uint32_t vertexCount, float margin, const joPolygonTolerance* tolerance,
    joPolygonBlock* out )
{
    // With the number known, loops over so few vertices unroll. What a polygon has not repeats its first
    // vertex.
    const uint32_t loops = vertexCount <= 4 ? 4 : vertexCount <= 8 ? 8 : JO_PLACED_VERTICES;
    uint32_t hits = 0;
    joClearPolygonBits( out );
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
        JoPolygonPair p;
        JoPolygonView view;
        relatePolygons( rowsA, rowsB, loops, margin, tolerance, &p );
        if ( loops == 4 )
        {
            findReferenceEdge( &p, 4, &view );
        }
        else if ( loops == 8 )
        {
            findReferenceEdge( &p, 8, &view );
        }
        else
        {
            findReferenceEdge( &p, JO_PLACED_VERTICES, &view );
        }
        const uint32_t lanes = touchPolygons( rowsA, rowsB, &p, loops, &view, out, first );
        hits |= ( lanes & tailLanes( first, count ) ) << first;
    }
    return hits;
}
