// SPDX-License-Identifier: MIT
#include "support/pair_judge.h"

#include "test_support.h"

#include <math.h>

void widen2( joVec2 v, double out[3] )
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = 0.0;
}

void widen3( joVec3 v, double out[3] )
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

double wideDot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double wideLength( const double v[3] )
{
    return sqrt( wideDot( v, v ) );
}

WideManifold wideManifold2( const joManifold2* manifold )
{
    WideManifold wide = { .depth = (double)manifold->depth,
        .pointCount = manifold->pointCount,
        .maxPoints = JO_MAX_MANIFOLD_POINTS2 };
    if ( manifold->pointCount == 0 )
    {
        const joManifold2 nothing = { .status = manifold->status };
        assert_memory_equal( manifold, &nothing, sizeof( nothing ) );
    }
    widen2( manifold->normal, wide.normal );
    for ( uint32_t i = 0; i < manifold->pointCount && i < JO_MAX_MANIFOLD_POINTS2; ++i )
    {
        wide.points[i].depth = (double)manifold->points[i].depth;
        wide.points[i].featureId = manifold->points[i].featureId;
        widen2( manifold->points[i].position, wide.points[i].position );
    }
    return wide;
}

WideManifold wideManifold3( const joManifold3* manifold )
{
    WideManifold wide = { .depth = (double)manifold->depth,
        .pointCount = manifold->pointCount,
        .maxPoints = JO_MAX_MANIFOLD_POINTS3 };
    if ( manifold->pointCount == 0 )
    {
        const joManifold3 nothing = { .status = manifold->status };
        assert_memory_equal( manifold, &nothing, sizeof( nothing ) );
    }
    widen3( manifold->normal, wide.normal );
    for ( uint32_t i = 0; i < manifold->pointCount && i < JO_MAX_MANIFOLD_POINTS3; ++i )
    {
        wide.points[i].depth = (double)manifold->points[i].depth;
        wide.points[i].featureId = manifold->points[i].featureId;
        widen3( manifold->points[i].position, wide.points[i].position );
    }
    return wide;
}

WideClosest wideClosest2( const joClosestPoints2* closest )
{
    WideClosest wide = { .distance = (double)closest->distance };
    widen2( closest->pointA, wide.pointA );
    widen2( closest->pointB, wide.pointB );
    widen2( closest->normal, wide.normal );
    return wide;
}

WideClosest wideClosest3( const joClosestPoints3* closest )
{
    WideClosest wide = { .distance = (double)closest->distance };
    widen3( closest->pointA, wide.pointA );
    widen3( closest->pointB, wide.pointB );
    widen3( closest->normal, wide.normal );
    return wide;
}

WideHit wideHit2( const joCastHit2* hit )
{
    WideHit wide = { (double)hit->fraction, (double)hit->depth, .isHit = hit->isHit };
    widen2( hit->normal, wide.normal );
    widen2( hit->point, wide.point );
    return wide;
}

WideHit wideHit3( const joCastHit3* hit )
{
    WideHit wide = { (double)hit->fraction, (double)hit->depth, .isHit = hit->isHit };
    widen3( hit->normal, wide.normal );
    widen3( hit->point, wide.point );
    return wide;
}

static double distanceOf( JudgedShape shape, const double from[3], double along, const double direction[3] )
{
    double point[3];
    for ( int k = 0; k < 3; ++k )
    {
        point[k] = from[k] + along * direction[k];
    }
    return shape.distance( shape.shape, point );
}

void judgeManifoldPoints(
    const WideManifold* manifold, JudgedShape a, JudgedShape b, double margin, const PointBounds* bounds )
{
    double deepest = -INFINITY;
    assert_in_range( manifold->pointCount, 1, manifold->maxPoints );
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        const WidePoint* point = manifold->points + i;
        double fromA = distanceOf( a, point->position, 0.5 * point->depth, manifold->normal );
        double fromB = distanceOf( b, point->position, -0.5 * point->depth, manifold->normal );
        bool isCorner = bounds->mayBeCorner && manifold->pointCount == 1 && point->depth < -bounds->deeper;
        if ( !( ( isCorner ? fmin( fromA, fromB ) : fmax( fromA, fromB ) ) <= bounds->place ) )
        {
            fail_msg( "point %u of %u, id %u, is %g from A, %g from B, at depth %g of %g", i,
                manifold->pointCount, point->featureId, fromA, fromB, point->depth, manifold->depth );
        }
        assert_true( point->depth >= -margin - bounds->margin );
        assert_true( point->depth <= manifold->depth + bounds->deeper );
        deepest = fmax( deepest, point->depth );
        assert_int_not_equal( point->featureId, 0 );
        for ( uint32_t j = 0; j < i; ++j )
        {
            assert_int_not_equal( point->featureId, manifold->points[j].featureId );
        }
    }
    if ( !( fabs( deepest - manifold->depth ) <= bounds->deepest ) )
    {
        fail_msg( "depth %.9g, deepest point %.9g", manifold->depth, deepest );
    }
}

void judgeClosestPoints(
    const WideClosest* closest, double truth, JudgedShape a, JudgedShape b, double bound, double place )
{
    if ( !( fabs( closest->distance - truth ) <= bound ) )
    {
        fail_msg( "true distance %.9g, returned %.9g", truth, closest->distance );
    }
    assert_true( distanceOf( a, closest->pointA, 0.0, closest->normal ) <= place );
    assert_true( distanceOf( b, closest->pointB, 0.0, closest->normal ) <= place );
    bool isApart = closest->distance > 0.0;
    assert_true( isApart || memcmp( closest->pointA, closest->pointB, sizeof( closest->pointA ) ) == 0 );
    assert_true(
        isApart ? fabs( wideLength( closest->normal ) - 1.0 ) < 2e-7 : wideLength( closest->normal ) == 0.0 );
    for ( int k = 0; k < 3; ++k )
    {
        double reached = closest->pointA[k] + closest->distance * closest->normal[k];
        assert_true( fabs( reached - closest->pointB[k] ) < 2.0 * place );
    }
}

void judgeHitAtStart( const WideHit* hit, const WideManifold* start )
{
    assert_true( hit->isHit && hit->fraction == 0.0 && hit->depth == fmax( start->depth, 0.0 ) );
    for ( int k = 0; k < 3; ++k )
    {
        assert_true( hit->normal[k] == start->normal[k] );
    }
}
