// SPDX-License-Identifier: MIT
// Any two convex shapes in 3D of which one has flat faces: overlap, contact, distance, cast. GJK says how far
// the cores are apart; where they are in each other EPA says how deep, or separating axes.
#include "base/float_env.h"
#include "narrow_phase/convex_3d.h"
#include "narrow_phase/convex_trace.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A cast that closes in by half each time is there after this many; those along flat faces need one or two.
#define MAX_CAST_STEPS 64

// A gap of a pair that is larger than the limit by this share of the size is a gap, though the support points
// on its sides were chosen by floats.
#define SURELY_APART 1e-6

// Says that a cache holds a direction.
#define HAS_DIRECTION 0x706f6c79u

// What is parted along the direction that parted it the last time needs no more looking at. The direction is
// in the frame of A; whatever it is, no pair that touches is parted by the slop along it.
static bool isStillParted( const joConvexPair* pair, double limit, const joCollideCache* cache )
{
    float way[3];
    if ( cache == NULL || cache->data[3] != HAS_DIRECTION )
    {
        return false;
    }
    memcpy( way, cache->data, sizeof( way ) );
    const double out[3] = { (double)way[0], (double)way[1], (double)way[2] };
    const double back[3] = { -out[0], -out[1], -out[2] };
    const double lengthSq = joDotOf3( out, out );
    if ( !( fabs( lengthSq - 1.0 ) < 1e-3 ) )
    {
        return false; // no direction, or not one of ours
    }
    const joSupportPoint support = joFindSupport( pair, back );
    const double gap = joDotOf3( out, support.w );
    return gap > sqrt( lengthSq ) * ( limit + SURELY_APART * pair->size );
}

static void keepDirection( const joGjkAnswer* gjk, joCollideCache* cache )
{
    if ( cache == NULL )
    {
        return;
    }
    *cache = ( joCollideCache ){ { 0 } };
    if ( gjk->isBeyond )
    {
        float way[3];
        const double inverse = 1.0 / gjk->distance;
        for ( int k = 0; k < 3; ++k )
        {
            way[k] = (float)( gjk->separation[k] * inverse );
        }
        memcpy( cache->data, way, sizeof( way ) );
        cache->data[3] = HAS_DIRECTION;
    }
}

// Whether the cores come as near as `limit`; then the answer of GJK says how near.
static bool comeNear( const joConvexPair* pair, double limit, joCollideCache* cache, joGjkAnswer* gjk )
{
    gjk->status = jo_collideComplete;
    if ( isStillParted( pair, limit, cache ) )
    {
        return false;
    }
    gjk->simplex.count = 0;
    joRunGjk( pair, limit, gjk );
    keepDirection( gjk, cache );
    return !gjk->isBeyond && gjk->distance <= limit;
}

static bool overlapConvex( const joPlacedPair3* placed, joCollideCache* cache )
{
    joConvexPair pair;
    joGjkAnswer gjk;
    joMakeConvexPair( &pair, placed );
    return comeNear( &pair, pair.radius, cache, &gjk );
}

// Measured: of two tetrahedra EPA takes four fifths of the time of separating axes, of hulls of 8 vertices
// half, of more ever less. So these are for cores without faces, whose few axes are known at once, for cores
// that touch without a simplex to start from, and for what EPA does not end.
static joContactSource penetrate(
    const joConvexPair* pair, const joGjkAnswer* gjk, joPenetration* penetration )
{
    bool haveFaces = pair->a.polytope.faceCount > 0 && pair->b.polytope.faceCount > 0;
    if ( haveFaces && !( gjk->distance > 0.0 ) && joRunEpa( pair, &gjk->simplex, penetration ) )
    {
        return jo_fromEpa;
    }
    joRunSat( pair, penetration );
    return jo_fromSat;
}

// Of cores that come near.
static joContactSource findPenetration(
    const joConvexPair* pair, const joGjkAnswer* gjk, joPenetration* penetration )
{
    if ( gjk->distance <= JO_NO_DIRECTION * pair->size )
    {
        const joContactSource source = penetrate( pair, gjk, penetration );
        // Rounding may see a gap here that GJK does not: but they touch.
        penetration->depth = penetration->depth > -gjk->distance ? penetration->depth : -gjk->distance;
        return source;
    }
    penetration->depth = -gjk->distance;
    for ( int k = 0; k < 3; ++k )
    {
        penetration->normal[k] = -gjk->separation[k] / gjk->distance;
    }
    joSimplex_Witness( pair, &gjk->simplex, penetration->onA, penetration->onB );
    return jo_fromGjk;
}

static void collideConvex(
    const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    joConvexPair pair;
    joGjkAnswer gjk;
    joMakeConvexPair( &pair, placed );
    const bool touches = comeNear( &pair, pair.radius + (double)margin, cache, &gjk );
    manifold->status = gjk.status;
    if ( touches )
    {
        joPenetration penetration;
        findPenetration( &pair, &gjk, &penetration );
        manifold->normal = joLocalDirectionToWorld3( &pair.a.pose, penetration.normal );
        manifold->depth = (float)( penetration.depth + pair.radius );
        joFindConvexContacts( &pair, &penetration, (double)margin, manifold );
    }
}

static bool findConvexDepth( const joPlacedPair3* placed, float margin, joVec3* normal, float* depth )
{
    joConvexPair pair;
    joGjkAnswer gjk;
    joMakeConvexPair( &pair, placed );
    const bool touches = comeNear( &pair, pair.radius + (double)margin, NULL, &gjk );
    if ( touches && normal != NULL )
    {
        joPenetration penetration;
        findPenetration( &pair, &gjk, &penetration );
        *normal = joLocalDirectionToWorld3( &pair.a.pose, penetration.normal );
        *depth = (float)( penetration.depth + pair.radius );
    }
    return touches;
}

// Points on the rounded surfaces, or one point in both shapes.
static void findClosest( const joConvexPair* pair, const joGjkAnswer* gjk, joClosestPoints3* closest )
{
    double onA[3], onB[3];
    const double gap = gjk->distance - pair->radius;
    joSimplex_WitnessOnA( pair, &gjk->simplex, onA );
    closest->status = gjk->status;
    if ( gap > 0.0 )
    {
        // The points differ by the separation; then both go out to the surfaces.
        const double inverse = 1.0 / gjk->distance;
        double normal[3];
        for ( int k = 0; k < 3; ++k )
        {
            normal[k] = -gjk->separation[k] * inverse;
            onB[k] = onA[k] - gjk->separation[k] - pair->b.radius * normal[k];
            onA[k] += pair->a.radius * normal[k];
        }
        closest->distance = gap < (double)FLT_MAX ? (float)gap : FLT_MAX;
        closest->pointA = joLocalPointToWorld3( &pair->a.pose, onA );
        closest->pointB = joLocalPointToWorld3( &pair->a.pose, onB );
        closest->normal = joLocalDirectionToWorld3( &pair->a.pose, normal );
        return;
    }
    // Both surfaces are past each other: the middle, but not beyond the cores.
    const double fromA =
        fmin( fmax( 0.5 * ( gjk->distance + pair->a.radius - pair->b.radius ), 0.0 ), gjk->distance );
    for ( int k = 0; k < 3 && gjk->distance > 0.0; ++k )
    {
        onA[k] -= fromA / gjk->distance * gjk->separation[k];
    }
    closest->distance = 0.0f;
    closest->pointA = closest->pointB = joLocalPointToWorld3( &pair->a.pose, onA );
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

void joTraceConvex3( const joPlacedPair3* placed, bool withContact, float margin, joConvexTrace* trace )
{
    joConvexPair pair;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joMakeConvexPair( &pair, placed );
    *trace = ( joConvexTrace ){ .rotation = pair.a.pose.rotation, .radius = pair.radius };
    pair.steps = &trace->gjk;
    joRunGjk( &pair, INFINITY, &gjk );
    trace->end = joFindGjkEnd(
        gjk.status == jo_collideComplete, gjk.distance, JO_GJK_TOLERANCE * pair.size, &trace->gjk );
    trace->distance = gjk.distance;
    trace->pointCount = gjk.simplex.count;
    for ( uint32_t i = 0; i < gjk.simplex.count; ++i )
    {
        trace->points[i][0] = gjk.simplex.points[i].vertexA;
        trace->points[i][1] = gjk.simplex.points[i].vertexB;
    }
    if ( withContact && gjk.distance <= pair.radius + (double)margin )
    {
        joPenetration penetration;
        pair.steps = &trace->epa;
        trace->source = findPenetration( &pair, &gjk, &penetration );
        trace->depth = penetration.depth;
    }
}

const joPairFunctions3 joConvexConvex3 = {
    overlapConvex, collideConvex, joDistanceConvex3, joCastConvex3, findConvexDepth };
