// SPDX-License-Identifier: MIT
// Circles and capsules against each other in 2D, in closed form: each is all that lies within its radius of a
// segment, its core; that of a circle is a point. All in double, from shapes placed in the world to the
// rounding of the answer, and about the start of A's core. Where the cores do not cross this is the body of
// the kernels (simd/round_pairs.inl) in one lane, so that batches give the same bits.
#include "math/wide_vectors.h"
#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/placed_round.h"
#include "narrow_phase/segments_3d.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"
#include "simd/kernels.h"
#include "simd/lanes_scalar.h"

#include <float.h>

#define JO_LANES 1
#include "simd/round_pairs.inl"

static const joWide2 s_still = { 0.0, 0.0 };

typedef struct Core
{
    joWide2 start;
    joWide2 along; // from there to its end
    double radius;
} Core;

typedef struct RoundPair
{
    joWide2 origin; // in world space, of all that follows: the start of A's core
    Core a, b;
    double lengthA, lengthB; // of the cores
    bool isLongerB;
    joRoundCores cores;
} RoundPair;

typedef struct Contact
{
    double s, t;     // fractions of the cores where the shapes are nearest, or deepest in each other
    joWide2 between; // from the point of A to that of B
    double distance; // of the cores
    joWide2 normal;
    double depth;
    bool areAlike; // the cores go the same way, or the opposite one
} Contact;

static RoundPair makePair( const joPlacedRound2* a, const joPlacedRound2* b, joRoundCores cores )
{
    JoRoundPair p;
    const float *rowA = a->position, *rowB = b->position;
    relateRounds( &rowA, &rowB, cores, 2, &p );
    return ( RoundPair ){ .origin = { p.origin[0], p.origin[1] },
        .a = { { 0.0, 0.0 }, { p.a[0], p.a[1] }, p.radiusA },
        .b = { { p.between[0], p.between[1] }, { p.b[0], p.b[1] }, p.radiusB },
        .lengthA = p.lengthA,
        .lengthB = p.lengthB,
        .isLongerB = p.lengthB > p.lengthA,
        .cores = cores };
}

static RoundPair placePair( const joPlacedPair2* placed )
{
    joPlacedRound2 a = joPlaceRound2( placed->a, placed->poseA );
    joPlacedRound2 b = joPlaceRound2( placed->b, placed->poseB );
    return makePair( &a, &b, joRoundCoresOf2( placed->a->kind, placed->b->kind ) );
}

static JoRoundPair toLane( const RoundPair* pair )
{
    return ( JoRoundPair ){ .origin = { pair->origin.x, pair->origin.y },
        .between = { pair->b.start.x, pair->b.start.y },
        .a = { pair->a.along.x, pair->a.along.y },
        .b = { pair->b.along.x, pair->b.along.y },
        .radiusA = pair->a.radius,
        .radiusB = pair->b.radius,
        .lengthA = pair->lengthA,
        .lengthB = pair->lengthB };
}

static joWide2 pointOf( const Core* core, double fraction )
{
    return joAddScaled2( core->start, fraction, core->along );
}

// Cores that cross are nearest there.
static void takeCrossing( const RoundPair* pair, Contact* contact )
{
    const Core *a = &pair->a, *b = &pair->b;
    joWide2 between = joSubtract2( b->start, a->start );
    double cross = joCross2( a->along, b->along );
    double s = joCross2( between, b->along ) / cross, t = joCross2( between, a->along ) / cross;
    if ( s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 )
    {
        joWide2 way = joSubtract2( pointOf( b, t ), pointOf( a, s ) );
        double distance = joLength2( way );
        if ( distance < contact->distance )
        {
            contact->s = s;
            contact->t = t;
            contact->between = way;
            contact->distance = distance;
        }
    }
}

static Contact fromLane( const JoRoundContact* lane )
{
    return ( Contact ){ .s = lane->s,
        .t = lane->t,
        .between = { lane->way[0], lane->way[1] },
        .distance = lane->distance,
        .normal = { lane->normal[0], lane->normal[1] },
        .depth = lane->depth,
        .areAlike = lane->areAlike != 0 };
}

// `motion`: of B, where that brought them together; else zero.
static Contact findContact( const RoundPair* pair, joWide2 motion )
{
    JoRoundPair p = toLane( pair );
    JoRoundContact lane;
    findRoundContact( &p, pair->cores, &joRoundTolerances, 2, &lane );
    findRoundNormal( 2, &lane );
    if ( lane.areCrossing & 1 )
    {
        const double way[2] = { motion.x, motion.y };
        partCrossing( &p, &joRoundTolerances, way, &lane );
    }
    return fromLane( &lane );
}

// Where the cores are nearest, which for those that cross is where they do.
static Contact findNearestPoints( const RoundPair* pair )
{
    JoRoundPair p = toLane( pair );
    JoRoundContact lane;
    findRoundContact( &p, pair->cores, &joRoundTolerances, 2, &lane );
    findRoundNormal( 2, &lane );
    Contact contact = fromLane( &lane );
    if ( lane.areCrossing & 1 )
    {
        takeCrossing( pair, &contact );
    }
    return contact;
}

static uint32_t makeFeatureId( double s, double t )
{
    return (uint32_t)partOf2( s ) | (uint32_t)partOf2( t ) << 16;
}

static joManifoldPoint2 deepestPoint( const RoundPair* pair, const Contact* contact )
{
    JoRoundPair p = toLane( pair );
    const JoRoundContact lane = { .s = contact->s,
        .way = { contact->between.x, contact->between.y },
        .normal = { contact->normal.x, contact->normal.y } };
    JoFloats point[3];
    findRoundPoint( &p, &lane, 2, point );
    return ( joManifoldPoint2 ){
        { point[0], point[1] }, (float)contact->depth, makeFeatureId( contact->s, contact->t ) };
}

static joWide3 inSpace( joWide2 v )
{
    return ( joWide3 ){ v.x, v.y, 0.0 };
}

static bool clipToCore(
    joWide2 x, joWide2 direction, const Core* core, double radius, double* first, double* last )
{
    joSegment3 segment = { inSpace( core->start ), inSpace( core->along ) };
    return joClipLineToCapsule3( inSpace( x ), inSpace( direction ), &segment, radius, first, last );
}

// The point of the surfaces where a point of A's core and one of B's lie over each other. False: it is beyond
// the margin.
static bool makeSidePoint(
    const RoundPair* pair, const Contact* contact, double s, double t, float margin, joManifoldPoint2* point )
{
    joWide2 onA = pointOf( &pair->a, s ), aside = joSubtract2( pointOf( &pair->b, t ), onA );
    double height = joDot2( aside, contact->normal ), radius = pair->a.radius + pair->b.radius;
    aside = joAddScaled2( aside, -height, contact->normal );
    // Of the lines along the normal the one on which two circles about the points are deepest in each other.
    // It may miss a core that has no radius by rounding.
    joWide2 x = joAddScaled2( onA, pair->a.radius / radius, aside );
    double lowest, highest, lastA = 0.0, firstB = height;
    if ( clipToCore( x, contact->normal, &pair->a, pair->a.radius, &lowest, &highest ) )
    {
        lastA = highest;
    }
    if ( clipToCore( x, contact->normal, &pair->b, pair->b.radius, &lowest, &highest ) )
    {
        firstB = lowest;
    }
    *point = ( joManifoldPoint2 ){
        joOffsetToWorld2( pair->origin, joAddScaled2( x, 0.5 * ( lastA + firstB ), contact->normal ) ),
        (float)( lastA - firstB ), makeFeatureId( s, t ) };
    return lastA - firstB >= -(double)margin;
}

// Two capsules side by side touch along a line: its two ends, as seen along the longer core. Returns how many
// there are.
static uint32_t findSidePoints(
    const RoundPair* pair, const Contact* contact, float margin, joManifoldPoint2 points[2] )
{
    const Core* longer = pair->isLongerB ? &pair->b : &pair->a;
    const Core* other = pair->isLongerB ? &pair->a : &pair->b;
    double lengthSq = joDot2( longer->along, longer->along );
    double radius = longer->radius + other->radius;
    if ( !contact->areAlike || radius == 0.0 )
    {
        return 0;
    }
    // The ends of the other core as fractions of the longer one.
    double start = joDot2( joSubtract2( other->start, longer->start ), longer->along ) / lengthSq;
    double rate = joDot2( other->along, longer->along ) / lengthSq, slop = (double)JO_CLIP_SLOP;
    const double ends[2] = { fmin( start, start + rate ), fmax( start, start + rate ) };
    double shared = fmin( ends[1], 1.0 ) - fmax( ends[0], 0.0 );
    if ( !( shared * sqrt( lengthSq ) > JO_SIDE_BY_SIDE_LENGTH * radius ) )
    {
        return 0;
    }
    uint32_t count = 0;
    for ( int side = 0; side < 2; ++side )
    {
        // Ends that lie over each other, but for slop, are both named.
        double own = (double)side, its = ends[side];
        bool isOwn = side == 0 ? its <= own + slop : its >= own - slop;
        bool isIts = side == 0 ? its >= own - slop : its <= own + slop;
        double s = isOwn ? own : its;
        double t = isIts ? ( ( rate > 0.0 ) == ( side == 1 ) ? 1.0 : 0.0 ) : ( own - start ) / rate;
        count += makeSidePoint(
            pair, contact, pair->isLongerB ? t : s, pair->isLongerB ? s : t, margin, points + count );
    }
    return count;
}

static double squareBetween( joVec2 a, joVec2 b )
{
    joWide2 between = joSubtract2( joWiden2( a ), joWiden2( b ) );
    return joDot2( between, between );
}

static void collideRounds( const RoundPair* pair, float margin, joManifold2* manifold )
{
    Contact contact = findContact( pair, s_still );
    if ( contact.depth < -(double)margin )
    {
        return;
    }
    manifold->normal = joNarrow2( contact.normal );
    manifold->depth = (float)contact.depth;
    manifold->pointCount = findSidePoints( pair, &contact, margin, manifold->points );
    double size = pair->a.radius + pair->b.radius + joLength2( pair->a.along ) + joLength2( pair->b.along );
    double deepest = -INFINITY;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        deepest = fmax( deepest, (double)manifold->points[i].depth );
    }
    if ( contact.depth <= deepest + (double)JO_AXIS_TIE * size )
    {
        return;
    }
    // The deepest point takes the place of the one that is nearer to it.
    joManifoldPoint2 point = deepestPoint( pair, &contact );
    uint32_t place = 0;
    if ( manifold->pointCount == 2 )
    {
        place = squareBetween( manifold->points[1].position, point.position ) <
                        squareBetween( manifold->points[0].position, point.position )
                    ? 1
                    : 0;
    }
    manifold->points[place] = point;
    manifold->pointCount = manifold->pointCount == 2 ? 2 : 1;
}

void joCollideRounds2( const joPlacedRound2* a, const joPlacedRound2* b, joRoundCores cores, float margin,
    joManifold2* manifold )
{
    RoundPair pair = makePair( a, b, cores );
    collideRounds( &pair, margin, manifold );
}

static bool overlap( const joPlacedPair2* placed, joCollideCache* cache )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    return findContact( &pair, s_still ).depth >= 0.0;
}

static void collide( const joPlacedPair2* placed, float margin, joCollideCache* cache, joManifold2* manifold )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    collideRounds( &pair, margin, manifold );
}

static void distance( const joPlacedPair2* placed, joCollideCache* cache, joClosestPoints2* closest )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    Contact contact = findNearestPoints( &pair );
    joWide2 onA = pointOf( &pair.a, contact.s );
    double radiusA = pair.a.radius, radiusB = pair.b.radius, length = contact.distance;
    joWide2 way = length > 0.0 ? joScale2( 1.0 / length, contact.between ) : ( joWide2 ){ 1.0, 0.0 };
    double gap = -findContact( &pair, s_still ).depth;
    if ( gap > 0.0 )
    {
        closest->distance = (float)fmin( gap, (double)FLT_MAX );
        closest->normal = joNarrow2( way );
        closest->pointA = joOffsetToWorld2( pair.origin, joAddScaled2( onA, radiusA, way ) );
        closest->pointB = joOffsetToWorld2( pair.origin, joAddScaled2( onA, length - radiusB, way ) );
        return;
    }
    // Both hold all between these two along the way from core to core.
    double first = fmax( -radiusA, length - radiusB ), last = fmin( radiusA, length + radiusB );
    closest->distance = 0.0f;
    closest->pointA = joOffsetToWorld2( pair.origin, joAddScaled2( onA, 0.5 * ( first + last ), way ) );
    closest->pointB = closest->pointA;
}

// When B, moving by `motion`, comes as near to A as their radii: the start of B's core, seen from that of
// A's, goes along a ray, and is met where this enters what lies round about a side of the parallelogram of
// all differences of two points of the cores.
static bool castCores( const RoundPair* pair, joWide2 motion, double* fraction )
{
    joWide2 start = joSubtract2( pair->b.start, pair->a.start ), zero = { 0.0, 0.0 };
    joWide2 back = joScale2( -1.0, pair->b.along );
    const Core sides[4] = { { zero, pair->a.along, 0.0 }, { zero, back, 0.0 }, { back, pair->a.along, 0.0 },
        { pair->a.along, back, 0.0 } };
    bool hasLengthA = joDot2( pair->a.along, pair->a.along ) > 0.0;
    bool hasLengthB = joDot2( pair->b.along, pair->b.along ) > 0.0;
    *fraction = INFINITY;
    for ( int i = 0; i < 4; ++i )
    {
        // Of a parallelogram without width one side is all.
        bool isNeeded = hasLengthA && hasLengthB ? true : i == ( hasLengthB ? 1 : 0 );
        double first, last;
        if ( isNeeded &&
             clipToCore( start, motion, &sides[i], pair->a.radius + pair->b.radius, &first, &last ) &&
             last >= 0.0 )
        {
            *fraction = fmin( *fraction, fmax( first, 0.0 ) );
        }
    }
    return *fraction <= 1.0;
}

static void cast( const joPlacedPair2* placed, joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    joWide2 way = joWiden2( motion );
    double fraction;
    if ( joDot2( way, way ) == 0.0 || !castCores( &pair, way, &fraction ) )
    {
        return;
    }
    pair.b.start = joAddScaled2( pair.b.start, fraction, way );
    Contact contact = findContact( &pair, way );
    joWide3 normal =
        joMeetAgainst3( inSpace( contact.normal ), inSpace( way ), pair.a.radius + pair.b.radius );
    contact.normal = ( joWide2 ){ normal.x, normal.y };
    hit->isHit = true;
    hit->fraction = joRoundFraction( fraction );
    hit->normal = joNarrow2( contact.normal );
    hit->point = joOffsetToWorld2(
        pair.origin, joAddScaled2( pointOf( &pair.a, contact.s ), pair.a.radius, contact.normal ) );
}

const joPairFunctions2 joRoundRound2 = { overlap, collide, distance, cast };
