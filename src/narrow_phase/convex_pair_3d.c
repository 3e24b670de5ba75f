// SPDX-License-Identifier: MIT
// Any two convex shapes in 3D of which one has flat faces: overlap, contact, distance, cast. GJK says how far
// the cores are apart; where they are in each other EPA says how deep, or separating axes.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>
#include <math.h>

// A cast that closes in by half each time is there after this many; those along flat faces need one or two.
#define MAX_CAST_STEPS 64

static bool overlapConvex( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    joConvexPair pair;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joMakeConvexPair( &pair, placed );
    joRunGjk( &pair, pair.radius, &gjk );
    return !gjk.isBeyond && gjk.distance <= pair.radius;
}

// Measured: of two tetrahedra EPA takes four fifths of the time of separating axes, of hulls of 8 vertices
// half, of more ever less. So these are for cores without faces, whose few axes are known at once, for cores
// that touch without a simplex to start from, and for what EPA does not end.
static void penetrate( const joConvexPair* pair, const joGjkAnswer* gjk, joPenetration* penetration )
{
    bool haveFaces = pair->a.polytope.faceCount > 0 && pair->b.polytope.faceCount > 0;
    if ( !haveFaces || gjk->distance > 0.0 || !joRunEpa( pair, &gjk->simplex, penetration ) )
    {
        joRunSat( pair, penetration );
    }
}

// False: they are farther apart than the margin.
static bool findPenetration(
    const joConvexPair* pair, double margin, joPenetration* penetration, joCollideStatus* status )
{
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joRunGjk( pair, pair->radius + margin, &gjk );
    *status = gjk.status;
    if ( gjk.isBeyond || gjk.distance > pair->radius + margin )
    {
        return false;
    }
    if ( gjk.distance <= JO_NO_DIRECTION * pair->size )
    {
        penetrate( pair, &gjk, penetration );
        return penetration->depth >= -pair->radius - margin;
    }
    penetration->depth = -gjk.distance;
    for ( int k = 0; k < 3; ++k )
    {
        penetration->normal[k] = -gjk.separation[k] / gjk.distance;
    }
    joSimplex_Witness( pair, &gjk.simplex, penetration->onA, penetration->onB );
    return true;
}

static void collideConvex(
    const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    joConvexPair pair;
    joPenetration penetration;
    joMakeConvexPair( &pair, placed );
    if ( findPenetration( &pair, (double)margin, &penetration, &manifold->status ) )
    {
        manifold->normal = joLocalDirectionToWorld3( &pair.a.pose, penetration.normal );
        manifold->depth = (float)( penetration.depth + pair.radius );
        joFindConvexContacts( &pair, &penetration, (double)margin, manifold );
    }
}

// Points on the rounded surfaces, or one point in both shapes.
static void findClosest( const joConvexPair* pair, const joGjkAnswer* gjk, joClosestPoints3* closest )
{
    double onA[3], onB[3], normal[3] = { 0.0, 0.0, 0.0 };
    joSimplex_Witness( pair, &gjk->simplex, onA, onB );
    double gap = gjk->distance - pair->radius;
    closest->status = gjk->status;
    closest->distance = gap > 0.0 ? (float)fmin( gap, (double)FLT_MAX ) : 0.0f;
    for ( int k = 0; k < 3 && gjk->distance > 0.0; ++k )
    {
        normal[k] = -gjk->separation[k] / gjk->distance;
    }
    double fromA = pair->a.radius, fromB = pair->b.radius;
    if ( !( gap > 0.0 ) )
    {
        // Both surfaces are past each other: the middle, but not beyond the cores.
        fromA = fmin( fmax( 0.5 * ( gjk->distance + pair->a.radius - pair->b.radius ), 0.0 ), gjk->distance );
        fromB = gjk->distance - fromA;
    }
    for ( int k = 0; k < 3; ++k )
    {
        onA[k] += fromA * normal[k];
        onB[k] -= fromB * normal[k];
    }
    closest->pointA = joLocalPointToWorld3( &pair->a.pose, onA );
    closest->pointB = gap > 0.0 ? joLocalPointToWorld3( &pair->a.pose, onB ) : closest->pointA;
    if ( gap > 0.0 )
    {
        closest->normal = joLocalDirectionToWorld3( &pair->a.pose, normal );
    }
}

void joDistanceConvex3( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    joConvexPair pair;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joMakeConvexPair( &pair, placed );
    joRunGjk( &pair, INFINITY, &gjk );
    findClosest( &pair, &gjk, closest );
}

// Conservative advancement (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996): along a
// straight motion the distance of two convex shapes is a convex function of time, and this is Newton's method
// on it, which comes from the side of the start and never goes beyond.
void joCastConvex3( const joPlacedPair3* placed, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    (void)cache;
    joConvexPair pair;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joMakeConvexPair( &pair, placed );
    const double world[3] = { (double)motion.x, (double)motion.y, (double)motion.z };
    double local[3], start[3], fraction = 0.0, tolerance = JO_CAST_TOLERANCE * pair.size;
    joMatrix3_ApplyInverse( &pair.a.pose.rotation, world, local );
    for ( int k = 0; k < 3; ++k )
    {
        start[k] = pair.position[k];
    }
    if ( !( joDotOf3( local, local ) > 0.0 ) )
    {
        return; // as little as they touch now
    }
    hit->status = jo_collideIterationLimit;
    // Should they touch at once, B comes from where the motion says.
    joVec3 normal =
        joLocalDirectionToWorld3( &pair.a.pose, ( const double[3] ){ -local[0], -local[1], -local[2] } );
    for ( int i = 0; i < MAX_CAST_STEPS; ++i )
    {
        joRunGjk( &pair, INFINITY, &gjk );
        joClosestPoints3 closest = { .distance = 0.0f };
        double gap = gjk.distance - pair.radius;
        // How fast they come nearer: a unit of `fraction` is the whole motion.
        double speed = gjk.distance > 0.0 ? joDotOf3( gjk.separation, local ) / gjk.distance : INFINITY;
        if ( gjk.distance > JO_NO_DIRECTION * pair.size )
        {
            const double toB[3] = { -gjk.separation[0], -gjk.separation[1], -gjk.separation[2] };
            normal = joLocalDirectionToWorld3( &pair.a.pose, toB );
        }
        if ( gap <= tolerance && speed > 0.0 )
        {
            findClosest( &pair, &gjk, &closest );
            hit->isHit = true;
            hit->fraction = joRoundDown( fraction ); // so that B stays on its side
            hit->point = closest.pointA;
            hit->normal = normal;
            hit->status = gjk.status;
            return;
        }
        fraction += gap / speed;
        if ( !( speed > 0.0 ) || fraction > 1.0 )
        {
            hit->status = gjk.status;
            return;
        }
        for ( int k = 0; k < 3; ++k )
        {
            pair.position[k] = start[k] + fraction * local[k];
        }
    }
}

const joPairFunctions3 joConvexConvex3 = { overlapConvex, collideConvex, joDistanceConvex3, joCastConvex3 };
