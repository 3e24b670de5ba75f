// SPDX-License-Identifier: MIT
// Two convex shapes in 2D, one pair: the separating axes and clipped edges of the kernels
// (simd/polygon_pairs.inl) in one lane, so that batches give the same bits; and what a cached edge can save.
#include "narrow_phase/polygon_pair_2d.h"

#include "base/float_env.h"
#include "narrow_phase/placed_polygon.h"
#include "simd/kernels.h"
#include "simd/lanes_scalar.h"

#define JO_LANES 1
#define JO_ALL_LANES 1u
#include "simd/polygon_pairs.inl"

// Whether the edge that decided the last time says alone that they are apart: by more than any other that is
// taken in a tie may say that they touch.
static bool isKnownApart( JoPolygonPair* p, uint32_t countA, uint32_t countB, const joCollideCache* cache )
{
    uint32_t known = cache != NULL ? cache->data[0] - 1 : UINT32_MAX;
    bool isB = known >= JO_PLACED_VERTICES;
    uint32_t edge = known % JO_PLACED_VERTICES;
    if ( known >= 2 * JO_PLACED_VERTICES || edge >= ( isB ? countB : countA ) )
    {
        return false;
    }
    float gap = gapOf( isB ? p->b[edge] : p->a[edge], isB ? p->a : p->b, isB ? countA : countB );
    return ( p->radiusA + p->radiusB ) - gap < -( p->margin + 2.0f * p->tie );
}

bool joCollideConvex2( const joPlacedPair2* pair, float margin, joCollideCache* cache, joManifold2* manifold )
{
    joPlacedPolygon a, b;
    joPlacePolygon( pair->a, pair->poseA, JO_PLACED_VERTICES, &a );
    joPlacePolygon( pair->b, pair->poseB, JO_PLACED_VERTICES, &b );
    const float* rowA = a.position;
    const float* rowB = b.position;
    uint32_t vertexCount = a.count > b.count ? a.count : b.count;
    JoPolygonPair p;
    JoPolygonView view;
    relatePolygons( &rowA, &rowB, vertexCount, margin, &joFlatTolerance, &p );
    if ( isKnownApart( &p, a.count, b.count, cache ) )
    {
        return false;
    }
    joPolygonBlock block;
    joClearPolygonBits( &block );
    findReferenceEdge( &p, vertexCount, &view );
    bool touches = touchPolygons( &rowA, &rowB, &p, vertexCount, &view, &block, 0 ) != 0;
    if ( cache != NULL )
    {
        cache->data[0] = 1 + block.edge[0] + ( block.isReferenceB ? JO_PLACED_VERTICES : 0 );
    }
    return touches && joFillPolygonManifold( &a, &b, &block, 0, margin, manifold );
}
