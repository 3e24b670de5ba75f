// SPDX-License-Identifier: MIT
// Spheres and capsules against each other in 3D, in closed form: each is all that lies within its radius of a
// segment, its core; that of a sphere is a point. All in double, from the rounding of the poses to that of
// the answer, and relative to the position of A's body.
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/segments_3d.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>

typedef struct RoundPair
{
    joWide3 origin; // in world space, of all that follows
    joSegment3 a, b;
    double radiusA, radiusB;
    bool isLongerB; // the core of B
} RoundPair;

typedef struct Contact
{
    joNearest3 nearest;
    joWide3 normal;
    double depth;
} Contact;

static joWide3 turn( joQuat q, joVec3 v )
{
    if ( v.x == 0.0f && v.y == 0.0f && v.z == 0.0f )
    {
        return ( joWide3 ){ 0.0, 0.0, 0.0 }; // as most centres of spheres are
    }
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( q ) );
    return joTurn3( &rotation, joWiden3( v ) );
}

static void placeShape( const joShape3* shape, joQuat rotation, joWide3 at, joSegment3* core, double* radius )
{
    if ( shape->kind == jo_sphereShape3 )
    {
        *core = ( joSegment3 ){ .start = joAdd3( at, turn( rotation, shape->sphere.center ) ) };
        *radius = (double)shape->sphere.radius;
        return;
    }
    joWide3 start = turn( rotation, shape->capsule.a ), end = turn( rotation, shape->capsule.b );
    *core = ( joSegment3 ){ joAdd3( at, start ), joSubtract3( end, start ) };
    *radius = (double)shape->capsule.radius;
}

// Before it is turned, so that rounding has no say between two of one length.
static double lengthSqOf( const joShape3* shape )
{
    if ( shape->kind == jo_sphereShape3 )
    {
        return 0.0;
    }
    joWide3 along = joSubtract3( joWiden3( shape->capsule.b ), joWiden3( shape->capsule.a ) );
    return joDot3( along, along );
}

static RoundPair makePair( const joPlacedPair3* placed )
{
    RoundPair pair = { .origin = joWiden3( placed->poseA->position ) };
    joWide3 zero = { 0.0, 0.0, 0.0 };
    joWide3 between = joSubtract3( joWiden3( placed->poseB->position ), pair.origin );
    placeShape( placed->a, placed->poseA->rotation, zero, &pair.a, &pair.radiusA );
    placeShape( placed->b, placed->poseB->rotation, between, &pair.b, &pair.radiusB );
    pair.isLongerB = lengthSqOf( placed->b ) > lengthSqOf( placed->a );
    return pair;
}

static Contact findContact( const RoundPair* pair )
{
    Contact contact = { .nearest = joFindNearest3( &pair->a, &pair->b ) };
    double separation;
    contact.normal = joFindSeparation3( &pair->a, &pair->b, &contact.nearest, &separation );
    contact.depth = pair->radiusA + pair->radiusB - separation;
    return contact;
}

// Which part of a core a fraction of it is: one of its ends, or what is between them.
static uint32_t partOf( double fraction )
{
    return fraction == 0.0 ? 0 : fraction == 1.0 ? 1 : 2;
}

// The longer core comes first in feature ids, so that they do not depend on which is A.
static uint32_t makeFeatureId( bool isSwapped, uint32_t partA, uint32_t partB )
{
    return 1 + ( isSwapped ? partB + 3 * partA : partA + 3 * partB );
}

// Where the surfaces are deepest in each other.
static joManifoldPoint3 deepestPoint( const RoundPair* pair, const Contact* contact )
{
    const joNearest3* nearest = &contact->nearest;
    joWide3 middle = joAddScaled3( joSegment3_At( &pair->a, nearest->s ), 0.5, nearest->between );
    middle = joAddScaled3( middle, 0.5 * ( pair->radiusA - pair->radiusB ), contact->normal );
    return ( joManifoldPoint3 ){ joOffsetToWorld3( pair->origin, middle ), (float)contact->depth,
        makeFeatureId( pair->isLongerB, partOf( nearest->s ), partOf( nearest->t ) ) };
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
    point->featureId = makeFeatureId( false, isOwn ? side : 2, isOther ? otherEnd : 2 );
    return makeSidePoint( pair, contact, isSwapped ? t : s, isSwapped ? s : t, margin, point );
}

// Two capsules side by side touch along a line: its two ends. Returns how many there are.
static uint32_t findSidePoints(
    const RoundPair* pair, const Contact* contact, float margin, joManifoldPoint3 points[2] )
{
    bool isSwapped = pair->isLongerB;
    const joSegment3* longer = isSwapped ? &pair->b : &pair->a;
    const joSegment3* other = isSwapped ? &pair->a : &pair->b;
    double lengthSq = joDot3( longer->along, longer->along ), otherSq = joDot3( other->along, other->along );
    joWide3 cross = joCross3( longer->along, other->along );
    double radius = pair->radiusA + pair->radiusB;
    if ( otherSq == 0.0 || joDot3( cross, cross ) > JO_SIDE_BY_SIDE_SINE_SQ * lengthSq * otherSq ||
         radius == 0.0 )
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

static bool overlap( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    RoundPair pair = makePair( placed );
    return findContact( &pair ).depth >= 0.0;
}

static void collide( const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    RoundPair pair = makePair( placed );
    Contact contact = findContact( &pair );
    if ( contact.depth < -(double)margin )
    {
        return;
    }
    manifold->normal = joNarrow3( contact.normal );
    manifold->depth = (float)contact.depth;
    joManifoldPoint3 deepest = deepestPoint( &pair, &contact ), sides[2];
    uint32_t sideCount = findSidePoints( &pair, &contact, margin, sides );
    double size = pair.radiusA + pair.radiusB + joLength3( pair.a.along ) + joLength3( pair.b.along );
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

static void distance( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    RoundPair pair = makePair( placed );
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
    RoundPair pair = makePair( placed );
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
