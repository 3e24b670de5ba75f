// SPDX-License-Identifier: MIT
#include "support/round_judge.h"

#include "test_support.h"

#include <math.h>

static double distanceToSurface( const void* shape, const double point[3] )
{
    const RoundCore* core = shape;
    return fabs( roundDistanceToPoint( core, point ) - core->radius );
}

static double distanceToBody( const void* shape, const double point[3] )
{
    const RoundCore* core = shape;
    return fmax( roundDistanceToPoint( core, point ) - core->radius, 0.0 );
}

JudgedShape roundSurface( const RoundCore* core )
{
    return ( JudgedShape ){ core, distanceToSurface };
}

JudgedShape roundBody( const RoundCore* core )
{
    return ( JudgedShape ){ core, distanceToBody };
}

double roundPairDepth( const RoundPair* pair )
{
    return pair->axisCount == 2 ? roundDepth2( &pair->a, &pair->b ) : roundDepth3( &pair->a, &pair->b );
}

static RoundPair moved( const RoundPair* pair, const double direction[3], double distance )
{
    return ( RoundPair ){ pair->a, roundMoved( &pair->b, direction, distance ), pair->axisCount };
}

// Without a look at whether the cores cross.
static double depthOfSurfaces( const RoundPair* pair )
{
    return pair->a.radius + pair->b.radius - roundCoreDistance( &pair->a, &pair->b );
}

void roundJudgeManifold( const RoundPair* pair, bool overlaps, const WideManifold* touching,
    const WideManifold* manifold, double margin )
{
    static const PointBounds bounds = { .place = 1e-5, .deeper = 2e-6, .deepest = 1e-5 };
    double truth = roundPairDepth( pair );
    assert_int_equal( overlaps, touching->pointCount > 0 );
    assert_true( fabs( truth ) < 1e-9 || overlaps == ( truth > 0.0 ) );
    assert_true( fabs( truth + margin ) < 1e-7 || ( manifold->pointCount > 0 ) == ( truth > -margin ) );
    if ( manifold->pointCount == 0 )
    {
        return;
    }
    RoundPair pushed = moved( pair, manifold->normal, manifold->depth );
    double left = depthOfSurfaces( &pushed ), excess = manifold->depth - truth;
    // Two cores without radii that were parted just so may lie in each other by rounding: then by little.
    RoundPair farther = moved( pair, manifold->normal, manifold->depth + 2e-6 );
    bool isParted = left <= 1e-6 && roundPairDepth( &farther ) <= 0.0;
    double most = pair->axisCount == 2 ? 3e-6 : 1e-6;
    if ( !( fabs( wideLength( manifold->normal ) - 1.0 ) < 2e-7 && isParted && fabs( excess ) <= most ) )
    {
        fail_msg( "true depth %.9g, returned %.9g, left %g", truth, manifold->depth, left );
    }
    judgeManifoldPoints( manifold, roundSurface( &pair->a ), roundSurface( &pair->b ), margin, &bounds );
}

void roundJudgeDistance( const RoundPair* pair, const WideClosest* closest )
{
    double truth = fmax( -roundPairDepth( pair ), 0.0 );
    judgeClosestPoints( closest, truth, roundBody( &pair->a ), roundBody( &pair->b ), 1e-6, 1e-6 );
}

bool roundJudgeCast(
    const RoundPair* pair, const double way[3], const WideHit* hit, const WideManifold* start )
{
    if ( start->pointCount > 0 )
    {
        judgeHitAtStart( hit, start );
        return true;
    }
    enum
    {
        steps = 32
    };
    double deepest = -INFINITY, bound = 1e-6 * ( 1.0 + wideLength( way ) );
    for ( int step = 0; step <= steps; ++step )
    {
        RoundPair there = moved( pair, way, hit->fraction * (double)step / (double)steps );
        deepest = fmax( deepest, depthOfSurfaces( &there ) );
    }
    RoundPair last = moved( pair, way, hit->fraction );
    double depth = depthOfSurfaces( &last );
    if ( !( deepest <= 1e-3 * bound && ( !hit->isHit || depth >= -bound ) ) )
    {
        fail_msg( "cast to %.9g, hit %d: deepest before %g, depth there %g", hit->fraction, hit->isHit,
            deepest, depth );
    }
    assert_true( hit->depth == 0.0 );
    if ( !hit->isHit )
    {
        assert_true( hit->fraction == 1.0 && wideLength( hit->normal ) == 0.0 );
        return false;
    }
    assert_true( distanceToSurface( &last.a, hit->point ) < 2e-6 + bound );
    assert_true( distanceToSurface( &last.b, hit->point ) < 2e-6 + bound );
    assert_true( fabs( wideLength( hit->normal ) - 1.0 ) < 2e-7 );
    assert_true( wideDot( hit->normal, way ) <= bound );
    RoundPair apart = moved( &last, hit->normal, 1e-3 );
    assert_true( roundPairDepth( &apart ) < 0.0 );
    return true;
}
