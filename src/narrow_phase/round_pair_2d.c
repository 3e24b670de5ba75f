// SPDX-License-Identifier: MIT
// Circle against circle in 2D, in closed form. All in double, from the one rounding of the poses to the one
// of the answer.
#include "math/rotation.h"
#include "narrow_phase/dispatch_2d.h"

#include <float.h>
#include <math.h>

typedef struct RoundPair
{
    double centerA[2]; // in world space
    double radiusA;
    double radiusB;
    double normal[2]; // unit, from A to B
    double distance;  // of the centres
} RoundPair;

static void placeCircle( const joCircle2* circle, const joTransform2* pose, double out[2] )
{
    joPose2 wide = joWidenPose2( *pose );
    const double center[2] = { (double)circle->center.x, (double)circle->center.y };
    joPose2_Apply( &wide, center, out );
}

static double lengthOf( const double v[2] )
{
    return sqrt( v[0] * v[0] + v[1] * v[1] );
}

static RoundPair makePair( const joPlacedPair2* placed )
{
    RoundPair pair = { .radiusA = (double)placed->a->circle.radius,
        .radiusB = (double)placed->b->circle.radius,
        .normal = { 1.0, 0.0 } }; // of equal centres: any direction is as good
    double centerB[2];
    placeCircle( &placed->a->circle, placed->poseA, pair.centerA );
    placeCircle( &placed->b->circle, placed->poseB, centerB );
    const double between[2] = { centerB[0] - pair.centerA[0], centerB[1] - pair.centerA[1] };
    pair.distance = lengthOf( between );
    if ( pair.distance > 0.0 )
    {
        pair.normal[0] = between[0] / pair.distance;
        pair.normal[1] = between[1] / pair.distance;
    }
    return pair;
}

static double depthOf( const RoundPair* pair )
{
    return pair->radiusA + pair->radiusB - pair->distance;
}

// The point at a distance from the centre of A along the normal.
static joVec2 pointAlong( const RoundPair* pair, double distance )
{
    return ( joVec2 ){ (float)( pair->centerA[0] + distance * pair->normal[0] ),
        (float)( pair->centerA[1] + distance * pair->normal[1] ) };
}

static joVec2 normalOf( const RoundPair* pair )
{
    return ( joVec2 ){ (float)pair->normal[0], (float)pair->normal[1] };
}

static bool overlap( const joPlacedPair2* placed, joCollideCache* cache )
{
    (void)cache;
    RoundPair pair = makePair( placed );
    return depthOf( &pair ) >= 0.0;
}

static void collide( const joPlacedPair2* placed, float margin, joCollideCache* cache, joManifold2* manifold )
{
    (void)cache;
    RoundPair pair = makePair( placed );
    double depth = depthOf( &pair );
    if ( depth < -(double)margin )
    {
        return;
    }
    manifold->normal = normalOf( &pair );
    manifold->depth = (float)depth;
    manifold->pointCount = 1;
    manifold->points[0].position = pointAlong( &pair, pair.radiusA - 0.5 * depth );
    manifold->points[0].depth = (float)depth;
    manifold->points[0].featureId = 1;
}

static void distance( const joPlacedPair2* placed, joCollideCache* cache, joClosestPoints2* closest )
{
    (void)cache;
    RoundPair pair = makePair( placed );
    double gap = -depthOf( &pair );
    if ( gap > 0.0 )
    {
        closest->distance = (float)fmin( gap, (double)FLT_MAX );
        closest->normal = normalOf( &pair );
        closest->pointA = pointAlong( &pair, pair.radiusA );
        closest->pointB = pointAlong( &pair, pair.distance - pair.radiusB );
        return;
    }
    // Both hold all points of the line of centres between these two.
    double first = fmax( -pair.radiusA, pair.distance - pair.radiusB );
    double last = fmin( pair.radiusA, pair.distance + pair.radiusB );
    closest->distance = 0.0f;
    closest->pointA = pointAlong( &pair, 0.5 * ( first + last ) );
    closest->pointB = closest->pointA;
}

const joPairFunctions2 joCircleCircle2 = { .overlap = overlap, .collide = collide, .distance = distance };
