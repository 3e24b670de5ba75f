// SPDX-License-Identifier: MIT
// Spheres and capsules against each other in 3D, in closed form: each is all that lies within its radius of a
// segment, its core; that of a sphere is a point. All in double, from shapes placed in the world to the
// rounding of the answer, and about the start of A's core. Where the cores do not cross this is the body of
// the kernels (simd/round_pairs.inl) in one lane, so that batches give the same bits.
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/placed_round.h"
#include "narrow_phase/segments_3d.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"
#include "simd/kernels.h"
#include "simd/lanes_scalar.h"

#include <float.h>

#define JO_LANES 1
#include "simd/round_pairs.inl"

typedef struct RoundPair
{
    joWide3 origin; // in world space, of all that follows: the start of A's core
    joSegment3 a, b;
    double radiusA, radiusB;
    double lengthA, lengthB; // of the cores
    bool isLongerB;
    joRoundCores cores;
} RoundPair;

typedef struct Contact
{
    joNearest3 nearest;
    joWide3 normal;
    double depth;
    bool areAlike; // the cores go the same way, or the opposite one
} Contact;

static joWide3 fromLane( const double v[3] )
{
    return ( joWide3 ){ v[0], v[1], v[2] };
}

static void toLane( joWide3 v, double out[3] )
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static RoundPair makePair( const joPlacedRound3* a, const joPlacedRound3* b, joRoundCores cores )
{
    JoRoundPair p;
    const float *rowA = a->position, *rowB = b->position;
    relateRounds( &rowA, &rowB, cores, 3, &p );
    return ( RoundPair ){ .origin = fromLane( p.origin ),
        .a = { { 0.0, 0.0, 0.0 }, fromLane( p.a ) },
        .b = { fromLane( p.between ), fromLane( p.b ) },
        .radiusA = p.radiusA,
        .radiusB = p.radiusB,
        .lengthA = p.lengthA,
        .lengthB = p.lengthB,
        .isLongerB = p.lengthB > p.lengthA,
        .cores = cores };
}

static RoundPair placePair( const joPlacedPair3* placed )
{
    joPlacedRound3 a = joPlaceRound3( placed->a, placed->poseA );
    joPlacedRound3 b = joPlaceRound3( placed->b, placed->poseB );
    return makePair( &a, &b, joRoundCoresOf3( placed->a->kind, placed->b->kind ) );
}

static JoRoundPair pairToLane( const RoundPair* pair )
{
    JoRoundPair p = { .radiusA = pair->radiusA,
        .radiusB = pair->radiusB,
        .lengthA = pair->lengthA,
        .lengthB = pair->lengthB };
    toLane( pair->origin, p.origin );
    toLane( pair->b.start, p.between );
    toLane( pair->a.along, p.a );
    toLane( pair->b.along, p.b );
    return p;
}

static Contact findContact( const RoundPair* pair )
{
    JoRoundPair p = pairToLane( pair );
    JoRoundContact lane;
    findRoundContact( &p, pair->cores, &joRoundTolerances, 3, &lane );
    findRoundNormal( 3, &lane );
    Contact contact = { .nearest = { lane.s, lane.t, fromLane( lane.way ), lane.distance },
        .normal = fromLane( lane.normal ),
        .depth = lane.depth,
        .areAlike = lane.areAlike != 0 };
    if ( lane.areCrossing & 1 )
    {
        double separation;
        contact.normal = joFindSeparation3( &pair->a, &pair->b, &contact.nearest, &separation );
        contact.depth = pair->radiusA + pair->radiusB - separation;
    }
    return contact;
}

// The longer core comes first in feature ids, so that they do not depend on which is A.
static uint32_t makeFeatureId( uint32_t partOfLonger, uint32_t partOfOther )
{
    return 1 + partOfLonger + 3 * partOfOther;
}

// Where the surfaces are deepest in each other.
static joManifoldPoint3 deepestPoint( const RoundPair* pair, const Contact* contact )
{
    JoRoundPair p = pairToLane( pair );
    JoRoundContact lane = { .s = contact->nearest.s, .t = contact->nearest.t };
    toLane( contact->nearest.between, lane.way );
    toLane( contact->normal, lane.normal );
    JoFloats point[3];
    findRoundPoint( &p, &lane, 3, point );
    return ( joManifoldPoint3 ){
        { point[0], point[1], point[2] }, (float)contact->depth, (uint32_t)featureIdOf( &p, &lane, 3 ) };
}

// The point of the surfaces where the longer core, at a fraction of it, lies over the other one, at a
// fraction of that. False: there is none, or it is beyond the margin.
static bool makeSidePoint(
    const RoundPair* pair, const Contact* contact, double s, double t, float margin, joManifoldPoint3* point )
{
    joWide3 onA = joSegment3_At( &pair->a, s ), aside = joSubtract3( joSegment3_At( &pair->b, t ), onA );
    double height = joDot3( aside, contact->normal ), radius = pair->radiusA + pair->radiusB;
    aside = joAddScaled3( aside, -height, contact->normal );
    if ( joDot3( aside, aside ) > radius * radius )
    {
        return false;
    }
    // Of the lines along the normal the one on which two circles about the points are deepest in each other.
    // It may miss a core that has no radius by rounding.
    joWide3 x = joAddScaled3( onA, pair->radiusA / radius, aside );
    double lowest, highest, lastA = 0.0, firstB = height;
    if ( joClipLineToCapsule3( x, contact->normal, &pair->a, pair->radiusA, &lowest, &highest ) )
    {
        lastA = highest;
    }
    if ( joClipLineToCapsule3( x, contact->normal, &pair->b, pair->radiusB, &lowest, &highest ) )
    {
        firstB = lowest;
    }
    if ( lastA - firstB < -(double)margin )
    {
        return false;
    }
    point->position =
        joOffsetToWorld3( pair->origin, joAddScaled3( x, 0.5 * ( lastA + firstB ), contact->normal ) );
    point->depth = (float)( lastA - firstB );
    return true;
}

// Where one of two capsules side by side ends over the other one: at the lower end of what they share along
// the longer core, or at the upper one. The ends of the other core are at fractions its[2] of the longer one.
// False: there is no such point, or it is beyond the margin.
static bool makeEndPoint( const RoundPair* pair, const Contact* contact, uint32_t side, const double its[2],
    float margin, joManifoldPoint3* point )
{
    double slop = (double)JO_CLIP_SLOP, own = (double)side;
    uint32_t otherEnd = ( its[1] > its[0] ) == ( side == 1 ) ? 1 : 0;
    double other = its[otherEnd];
    // Ends that lie over each other, but for slop, are both named.
    bool isOwn = side == 0 ? other <= own + slop : other >= own - slop;
    bool isOther = side == 0 ? other >= own - slop : other <= own + slop;
    double s = isOther ? other : own;
    double t = isOther ? (double)otherEnd : ( own - its[0] ) / ( its[1] - its[0] );
    bool isSwapped = pair->isLongerB;
    point->featureId = makeFeatureId( isOwn ? side : 2, isOther ? otherEnd : 2 );
    return makeSidePoint( pair, contact, isSwapped ? t : s, isSwapped ? s : t, margin, point );
}

// Two capsules side by side touch along a line: its two ends. Returns how many there are.
static uint32_t findSidePoints(
    const RoundPair* pair, const Contact* contact, float margin, joManifoldPoint3 points[2] )
{
    bool isSwapped = pair->isLongerB;
    const joSegment3* longer = isSwapped ? &pair->b : &pair->a;
    const joSegment3* other = isSwapped ? &pair->a : &pair->b;
    double lengthSq = joDot3( longer->along, longer->along );
    double radius = pair->radiusA + pair->radiusB;
    if ( !contact->areAlike || radius == 0.0 )
    {
        return 0;
    }
    double its[2];
    its[0] = joDot3( joSubtract3( other->start, longer->start ), longer->along ) / lengthSq;
    its[1] = its[0] + joDot3( other->along, longer->along ) / lengthSq;
    double shared = fmin( 1.0, fmax( its[0], its[1] ) ) - fmax( 0.0, fmin( its[0], its[1] ) );
    if ( !( shared * sqrt( lengthSq ) > JO_SIDE_BY_SIDE_LENGTH * radius ) )
    {
        return 0;
    }
    uint32_t count = 0;
    count += makeEndPoint( pair, contact, 0, its, margin, points + count );
    count += makeEndPoint( pair, contact, 1, its, margin, points + count );
    return count;
}

static void collideRounds( const RoundPair* pair, float margin, joManifold3* manifold )
{
    Contact contact = findContact( pair );
    if ( contact.depth < -(double)margin )
    {
        return;
    }
    manifold->normal = joNarrow3( contact.normal );
    manifold->depth = (float)contact.depth;
    joManifoldPoint3 deepest = deepestPoint( pair, &contact ), sides[2];
    uint32_t sideCount = findSidePoints( pair, &contact, margin, sides );
    double size = pair->radiusA + pair->radiusB + joLength3( pair->a.along ) + joLength3( pair->b.along );
    bool isDeeper = true;
    for ( uint32_t i = 0; i < sideCount; ++i )
    {
        isDeeper = isDeeper && contact.depth > (double)sides[i].depth + (double)JO_AXIS_TIE * size;
    }
    if ( isDeeper )
    {
        manifold->points[manifold->pointCount++] = deepest;
    }
    for ( uint32_t i = 0; i < sideCount; ++i )
    {
        if ( !isDeeper || sides[i].featureId != deepest.featureId )
        {
            manifold->points[manifold->pointCount++] = sides[i];
        }
    }
}

void joCollideRounds3( const joPlacedRound3* a, const joPlacedRound3* b, joRoundCores cores, float margin,
    joManifold3* manifold )
{
    RoundPair pair = makePair( a, b, cores );
    collideRounds( &pair, margin, manifold );
}

static bool overlap( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    return findContact( &pair ).depth >= 0.0;
}

static void collide( const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    collideRounds( &pair, margin, manifold );
}

static void distance( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    Contact contact = findContact( &pair );
    joWide3 onA = joSegment3_At( &pair.a, contact.nearest.s );
    if ( contact.depth < 0.0 )
    {
        joWide3 onB = joAdd3( onA, contact.nearest.between );
        closest->distance = (float)fmin( -contact.depth, (double)FLT_MAX );
        closest->normal = joNarrow3( contact.normal );
        closest->pointA = joOffsetToWorld3( pair.origin, joAddScaled3( onA, pair.radiusA, contact.normal ) );
        closest->pointB = joOffsetToWorld3( pair.origin, joAddScaled3( onB, -pair.radiusB, contact.normal ) );
        return;
    }
    // Both hold all between these two along the way from core to core.
    double length = contact.nearest.distance;
    double first = fmax( -pair.radiusA, length - pair.radiusB );
    double last = fmin( pair.radiusA, length + pair.radiusB );
    joWide3 way = length > 0.0 ? joScale3( 1.0 / length, contact.nearest.between ) : contact.normal;
    closest->distance = 0.0f;
    closest->pointA = joOffsetToWorld3( pair.origin, joAddScaled3( onA, 0.5 * ( first + last ), way ) );
    closest->pointB = closest->pointA;
}

// When B, moving by `motion`, comes as near to A as `radius`: the start of B's core, seen from that of A's,
// goes along a ray, and is met where this enters what lies within the radius of the parallelogram of all
// differences of two points of the cores.
static bool castCores(
    const joSegment3* a, const joSegment3* b, double radius, joWide3 motion, double* fraction )
{
    joWide3 start = joSubtract3( b->start, a->start ), zero = { 0.0, 0.0, 0.0 };
    joWide3 back = joScale3( -1.0, b->along );
    const joSegment3 sides[4] = {
        { zero, a->along }, { zero, back }, { back, a->along }, { a->along, back } };
    bool hasLengthA = joDot3( a->along, a->along ) > 0.0, hasLengthB = joDot3( b->along, b->along ) > 0.0;
    double first, last;
    *fraction = INFINITY;
    for ( int i = 0; i < 4; ++i )
    {
        // Of a parallelogram without width one side is all.
        bool isNeeded = hasLengthA && hasLengthB ? true : i == ( hasLengthB ? 1 : 0 );
        if ( isNeeded && joClipLineToCapsule3( start, motion, &sides[i], radius, &first, &last ) &&
             last >= 0.0 )
        {
            *fraction = fmin( *fraction, fmax( first, 0.0 ) );
        }
    }
    if ( joClipRayToParallelogram3( start, motion, a->along, back, radius, &first ) )
    {
        *fraction = fmin( *fraction, first );
    }
    return *fraction <= 1.0;
}

static void cast( const joPlacedPair3* placed, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    (void)cache;
    RoundPair pair = placePair( placed );
    joWide3 way = joWiden3( motion );
    double fraction;
    if ( joDot3( way, way ) == 0.0 ||
         !castCores( &pair.a, &pair.b, pair.radiusA + pair.radiusB, way, &fraction ) )
    {
        return;
    }
    pair.b.start = joAddScaled3( pair.b.start, fraction, way );
    Contact contact = findContact( &pair );
    joWide3 onA = joSegment3_At( &pair.a, contact.nearest.s );
    joWide3 normal = joTurnAgainst3( &pair.a, &pair.b, contact.normal, way );
    normal = joMeetAgainst3( normal, way, pair.radiusA + pair.radiusB );
    hit->isHit = true;
    hit->fraction = joRoundFraction( fraction );
    hit->normal = joNarrow3( normal );
    hit->point = joOffsetToWorld3( pair.origin, joAddScaled3( onA, pair.radiusA, normal ) );
}

const joPairFunctions3 joSphereSphere3 = { overlap, collide, distance, cast, NULL };
const joPairFunctions3 joSphereCapsule3 = { overlap, collide, distance, cast, NULL };
const joPairFunctions3 joCapsuleCapsule3 = { overlap, collide, distance, cast, NULL };
