// SPDX-License-Identifier: MIT
// The four calls for pairs of convex shapes in 2D of which one is a polygon or a segment. Touching and
// contact points by separating axes; distances by GJK; casts by advancing B as far as the nearest points
// allow, again and again. The distance is a convex function of the way, so that these steps are Newton's from
// one side: they never go past the root, and each but those of a graze doubles the digits (Mirtich,
// "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, has the idea, as conservative advancement).
#include "narrow_phase/convex_2d.h"
#include "narrow_phase/convex_trace.h"
#include "narrow_phase/polygon_pair_2d.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>
#include <math.h>

// A graze, where each step halves the gap, takes some forty.
#define MAX_CAST_STEPS 64

static bool overlap( const joPlacedPair2* placed, joCollideCache* cache )
{
    joManifold2 manifold = { .pointCount = 0 };
    return joCollideConvex2( placed, 0.0f, cache, &manifold );
}

static void collide( const joPlacedPair2* placed, float margin, joCollideCache* cache, joManifold2* manifold )
{
    joCollideConvex2( placed, margin, cache, manifold );
}

static void distance( const joPlacedPair2* placed, joCollideCache* cache, joClosestPoints2* closest )
{
    (void)cache;
    joConvexPair2 pair;
    joPoints2 a, b;
    joPlaceConvexPair2( placed, &pair );
    joMakePoints2( &pair, &a, &b );
    joNearest2 nearest = joFindNearest2( &a, &b, 0.0, 0.0 );
    double radiusA = (double)pair.a->radius, radiusB = (double)pair.b->radius;
    double gap = nearest.distance - ( radiusA + radiusB );
    closest->status = nearest.isComplete ? jo_collideComplete : jo_collideIterationLimit;
    // Along the normal from the nearest point of A's core.
    double alongA = radiusA, alongB = nearest.distance - radiusB;
    if ( gap > 0.0 )
    {
        closest->distance = (float)fmin( gap, (double)FLT_MAX );
        closest->normal = joLocalDirectionToWorld2( &pair.frame, nearest.normal[0], nearest.normal[1] );
    }
    else
    {
        // The middle of what both hold of the way between the cores.
        closest->distance = 0.0f;
        alongA = alongB = 0.5 * ( fmax( 0.0, alongB ) + fmin( radiusA, nearest.distance ) );
    }
    closest->pointA = joLocalPointToWorld2(
        &pair.frame, nearest.a[0] + alongA * nearest.normal[0], nearest.a[1] + alongA * nearest.normal[1] );
    closest->pointB = joLocalPointToWorld2(
        &pair.frame, nearest.a[0] + alongB * nearest.normal[0], nearest.a[1] + alongB * nearest.normal[1] );
}

// Of shapes that touch, but for rounding: whether they are to move into each other. Which side of an edge a
// vertex on it is on cannot be told of the nearest points, but of all vertices.
static bool startsInto( const joPlacedPair2* placed, const joConvexPair2* pair, double moveX, double moveY,
    double margin, joNearest2* nearest )
{
    joManifold2 manifold = { .pointCount = 0 };
    if ( !joCollideConvex2( placed, pair->size * JO_CLIP_SLOP + (float)margin, NULL, &manifold ) )
    {
        return false;
    }
    double x = (double)manifold.normal.x, y = (double)manifold.normal.y;
    nearest->normal[0] = pair->frame.c * x + pair->frame.s * y;
    nearest->normal[1] = pair->frame.c * y - pair->frame.s * x;
    return nearest->normal[0] * moveX + nearest->normal[1] * moveY < 0.0;
}

// How far B can go until it meets A. False: it never does, or only past the end of the motion.
static bool advance( const joPlacedPair2* placed, const joConvexPair2* pair, double moveX, double moveY,
    double* fraction, joNearest2* nearest, bool* isComplete )
{
    joPoints2 a, b;
    joMakePoints2( pair, &a, &b );
    double length = sqrt( moveX * moveX + moveY * moveY );
    double radius = (double)pair->a->radius + (double)pair->b->radius;
    double enough = JO_CAST_SLOP * (double)pair->size + JO_CAST_MOTION_SLOP * length;
    *fraction = 0.0;
    *nearest = ( joNearest2 ){ .distance = 0.0 };
    for ( int i = 0; i < MAX_CAST_STEPS; ++i )
    {
        joNearest2 last = *nearest;
        *nearest = joFindNearest2( &a, &b, *fraction * moveX, *fraction * moveY );
        *isComplete = nearest->isComplete;
        if ( nearest->distance <= enough && i == 0 )
        {
            return startsInto( placed, pair, moveX, moveY, enough, nearest );
        }
        double gap = nearest->distance - radius;
        double speed = -( nearest->normal[0] * moveX + nearest->normal[1] * moveY );
        bool isNear = gap <= enough;
        if ( isNear && i > 0 )
        {
            // At the root rounding may have put B on the other side.
            nearest->normal[0] = speed > 0.0 ? nearest->normal[0] : last.normal[0];
            nearest->normal[1] = speed > 0.0 ? nearest->normal[1] : last.normal[1];
            return true;
        }
        if ( !( speed > 0.0 ) || *fraction * speed + gap > speed + enough )
        {
            return false;
        }
        if ( isNear )
        {
            return true;
        }
        *fraction = fmin( *fraction + gap / speed, 1.0 );
    }
    *isComplete = false;
    return true;
}

static void cast( const joPlacedPair2* placed, joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    (void)cache;
    joConvexPair2 pair;
    joPlaceConvexPair2( placed, &pair );
    double x = (double)motion.x, y = (double)motion.y;
    double moveX = pair.frame.c * x + pair.frame.s * y, moveY = pair.frame.c * y - pair.frame.s * x;
    double fraction;
    joNearest2 nearest;
    bool isComplete;
    hit->isHit = advance( placed, &pair, moveX, moveY, &fraction, &nearest, &isComplete );
    hit->status = isComplete ? jo_collideComplete : jo_collideIterationLimit;
    if ( !hit->isHit )
    {
        return;
    }
    double radiusA = (double)pair.a->radius;
    hit->fraction = joRoundDown( fraction );
    hit->normal = joLocalDirectionToWorld2( &pair.frame, nearest.normal[0], nearest.normal[1] );
    hit->point = joLocalPointToWorld2(
        &pair.frame, nearest.a[0] + radiusA * nearest.normal[0], nearest.a[1] + radiusA * nearest.normal[1] );
}

void joTraceConvex2( const joPlacedPair2* placed, joConvexTrace* trace )
{
    joConvexPair2 pair;
    joPoints2 a, b;
    joPlaceConvexPair2( placed, &pair );
    joMakePoints2( &pair, &a, &b );
    const double c = pair.frame.c, s = pair.frame.s;
    *trace = ( joConvexTrace ){ .rotation = { { { c, -s, 0.0 }, { s, c, 0.0 }, { 0.0, 0.0, 1.0 } } },
        .radius = (double)pair.a->radius + (double)pair.b->radius };
    const joNearest2 nearest = joTraceNearest2( &a, &b, &trace->gjk );
    trace->distance = nearest.distance;
    const uint32_t( *const v )[2] = nearest.vertices;
    trace->pointCount = nearest.distance == 0.0 ? 0 : v[0][0] == v[0][1] && v[1][0] == v[1][1] ? 1 : 2;
    for ( uint32_t i = 0; i < trace->pointCount; ++i )
    {
        trace->points[i][0] = (uint8_t)v[0][i];
        trace->points[i][1] = (uint8_t)v[1][i];
    }
    trace->end = joFindGjkEnd(
        nearest.isComplete, nearest.distance, JO_GJK_TOLERANCE * (double)pair.size, &trace->gjk );
}

const joPairFunctions2 joConvexConvex2 = {
    .overlap = overlap, .collide = collide, .distance = distance, .cast = cast };
