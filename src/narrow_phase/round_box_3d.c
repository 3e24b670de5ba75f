// SPDX-License-Identifier: MIT
// Spheres and capsules against boxes in 3D, in closed form: the core of the round shape, a segment, against
// the box, in the frame of the box. All in double, from the rounding of the poses to that of the answer.
//
// A core outside of the box is parted along the way between their nearest points. One that crosses it is
// parted along a face of the box, or at right angles to the core and to one of the edges: these are the
// faces of all differences of two points of them, and so there is no other direction to look at.
#include "narrow_phase/box_distance_3d.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>

static const joWide3 s_still = { 0.0, 0.0, 0.0 };

typedef struct BoxPair
{
    joPose3 pose;   // of the box in the frame that is turned as the world and begins at its body
    joWide3 origin; // of that frame, in world space
    double half[3];
    joSegment3 core; // in the frame of the box, as all that follows
    double radius;
} BoxPair;

// What parts them.
typedef enum Separator
{
    separator_way, // between the nearest points
    separator_face,
    separator_edge // at right angles to it and to the core
} Separator;

typedef struct Contact
{
    joNearestToBox3 nearest;
    joWide3 up; // the unit direction that parts them, from the box to the core
    Separator separator;
    int axis; // of the face or the edge
    double depth;
} Contact;

static joWide3 unitOf( int axis )
{
    return ( joWide3 ){ axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0 };
}

static double partOf( joWide3 v, int axis )
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static BoxPair makePair( const joPlacedPair3* placed )
{
    const joBox3* box = &placed->b->box;
    BoxPair pair = { .origin = joWiden3( placed->poseB->position ),
        .half = { (double)box->halfExtents.x, (double)box->halfExtents.y, (double)box->halfExtents.z } };
    joTransform3 turned = { { 0.0f, 0.0f, 0.0f }, placed->poseB->rotation };
    pair.pose = joComposePose3( turned, box->localPose );
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( placed->poseA->rotation ) );
    joWide3 between = joSubtract3( joWiden3( placed->poseA->position ), pair.origin );
    joWide3 center = { pair.pose.position[0], pair.pose.position[1], pair.pose.position[2] };
    bool isSphere = placed->a->kind == jo_sphereShape3;
    joVec3 start = isSphere ? placed->a->sphere.center : placed->a->capsule.a;
    joVec3 end = isSphere ? start : placed->a->capsule.b;
    joWide3 at = joAdd3( joSubtract3( between, center ), joTurn3( &rotation, joWiden3( start ) ) );
    joWide3 along = joTurn3( &rotation, joSubtract3( joWiden3( end ), joWiden3( start ) ) );
    pair.core =
        ( joSegment3 ){ joTurnBack3( &pair.pose.rotation, at ), joTurnBack3( &pair.pose.rotation, along ) };
    pair.radius = (double)( isSphere ? placed->a->sphere.radius : placed->a->capsule.radius );
    return pair;
}

// How far the core is above the box along a unit direction; negative: how deep it is in it.
static double separationAlong( const BoxPair* pair, joWide3 up )
{
    double lowest = joDot3( pair->core.start, up ) + fmin( joDot3( pair->core.along, up ), 0.0 );
    return lowest -
           ( fabs( up.x ) * pair->half[0] + fabs( up.y ) * pair->half[1] + fabs( up.z ) * pair->half[2] );
}

static double sizeOf( const BoxPair* pair )
{
    return pair->half[0] + pair->half[1] + pair->half[2] + joLength3( pair->core.along );
}

static void takeFarther( const BoxPair* pair, Separator separator, int axis, joWide3 up, double tie,
    joWide3 motion, Contact* contact, double* separation )
{
    double length = joLength3( up );
    for ( int sense = 0; sense < 2 && length > 0.0; ++sense )
    {
        joWide3 other = joScale3( ( sense ? -1.0 : 1.0 ) / length, up );
        double along = separationAlong( pair, other );
        if ( along > *separation + tie && joDot3( other, motion ) <= 0.0 )
        {
            *separation = along;
            contact->up = other;
            contact->separator = separator;
            contact->axis = axis;
        }
    }
}

// `motion`: of the round shape, where that brought them together; else zero.
static Contact findContact( const BoxPair* pair, joWide3 motion )
{
    Contact contact = { .nearest = joFindNearestToBox3( &pair->core, pair->half ) };
    double distance = contact.nearest.distance, size = sizeOf( pair ), separation = distance;
    bool isPoint = joDot3( pair->core.along, pair->core.along ) == 0.0;
    if ( distance > ( isPoint ? 0.0 : 1e-6 * size ) )
    {
        contact.up = joScale3( 1.0 / distance, contact.nearest.outward );
    }
    else
    {
        // The way between points that all but coincide has lost its direction. Each one is judged by what it
        // does; of equal ones the first face is taken, the edges then, the way last.
        separation = -DBL_MAX;
        double tie = (double)JO_AXIS_TIE * size;
        for ( int axis = 0; axis < 3; ++axis )
        {
            takeFarther( pair, separator_face, axis, unitOf( axis ), tie, motion, &contact, &separation );
        }
        for ( int axis = 0; axis < 3; ++axis )
        {
            joWide3 cross = joCross3( unitOf( axis ), pair->core.along );
            takeFarther( pair, separator_edge, axis, cross, tie, motion, &contact, &separation );
        }
        takeFarther( pair, separator_way, 0, contact.nearest.outward, tie, motion, &contact, &separation );
    }
    contact.depth = pair->radius - separation;
    return contact;
}

static joVec3 toWorld( const BoxPair* pair, joWide3 point )
{
    joWide3 center = { pair->pose.position[0], pair->pose.position[1], pair->pose.position[2] };
    joWide3 turned = joTurn3( &pair->pose.rotation, point );
    return joOffsetToWorld3( pair->origin, joAdd3( center, turned ) );
}

static joVec3 toWorldNormal( const BoxPair* pair, joWide3 up )
{
    // From A, which is the round one, to B.
    return joNarrow3( joScale3( -1.0, joTurn3( &pair->pose.rotation, up ) ) );
}

// The part of the core over a face of the box, seen along `up`, and what ends it: 0 and 1, its own ends, from
// 2 the sides of the face.
typedef struct Stretch
{
    double ends[2];
    uint32_t names[2];
} Stretch;

static double topOf( const BoxPair* pair, joWide3 up, int face )
{
    return partOf( up, face ) > 0.0 ? pair->half[face] : -pair->half[face];
}

// False: no part of the core is over the face.
static bool clipToFace( const BoxPair* pair, joWide3 up, int face, Stretch* stretch )
{
    // How far the core is above the face along `up`, and how that changes along it.
    double height = ( partOf( pair->core.start, face ) - topOf( pair, up, face ) ) / partOf( up, face );
    double climb = partOf( pair->core.along, face ) / partOf( up, face );
    *stretch = ( Stretch ){ { 0.0, 1.0 }, { 0, 1 } };
    for ( int axis = 0; axis < 3; ++axis )
    {
        double at = partOf( pair->core.start, axis ) - height * partOf( up, axis );
        double rate = partOf( pair->core.along, axis ) - climb * partOf( up, axis );
        double half = pair->half[axis] + (double)JO_CLIP_SLOP * sizeOf( pair );
        if ( axis == face || ( rate == 0.0 && fabs( at ) <= half ) )
        {
            continue;
        }
        if ( rate == 0.0 )
        {
            return false;
        }
        for ( uint32_t side = 0; side < 2; ++side )
        {
            double crossing = ( ( side ? half : -half ) - at ) / rate;
            uint32_t end = ( rate > 0.0 ) == ( side == 1 ) ? 1 : 0;
            if ( end == 0 ? crossing > stretch->ends[0] : crossing < stretch->ends[1] )
            {
                stretch->ends[end] = crossing;
                stretch->names[end] = 2 + 2 * (uint32_t)axis + side;
            }
        }
    }
    return stretch->ends[0] <= stretch->ends[1];
}

// The edge of the box along an axis that lies highest along `up`.
static joSegment3 highestEdge( const BoxPair* pair, joWide3 up, int axis )
{
    double corner[3];
    for ( int k = 0; k < 3; ++k )
    {
        corner[k] = k != axis && partOf( up, k ) > 0.0 ? pair->half[k] : -pair->half[k];
    }
    return ( joSegment3 ){
        { corner[0], corner[1], corner[2] }, joScale3( 2.0 * pair->half[axis], unitOf( axis ) ) };
}

// Where the core is deepest in the box, or nearest to it: a fraction of it.
static double findDeepest( const BoxPair* pair, const Contact* contact )
{
    if ( contact->separator == separator_way )
    {
        return contact->nearest.s;
    }
    if ( contact->separator == separator_edge )
    {
        joSegment3 edge = highestEdge( pair, contact->up, contact->axis );
        return joFindNearest3( &pair->core, &edge ).s;
    }
    Stretch stretch;
    bool isOver = clipToFace( pair, contact->up, contact->axis, &stretch );
    uint32_t lower = joDot3( pair->core.along, contact->up ) < 0.0 ? 1 : 0;
    return isOver ? stretch.ends[lower] : (double)lower;
}

// The corner, edge or face of the box that lies highest along `up`.
static uint32_t nameFeature( joWide3 up )
{
    uint32_t name = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double part = partOf( up, axis );
        name = 3 * name + ( part > 0.0 ? 2 : part < 0.0 ? 0 : 1 );
    }
    return name;
}

static joManifoldPoint3 deepestPoint( const BoxPair* pair, const Contact* contact )
{
    double s = findDeepest( pair, contact );
    joWide3 middle =
        joAddScaled3( joSegment3_At( &pair->core, s ), 0.5 * contact->depth - pair->radius, contact->up );
    uint32_t end = s == 0.0 ? 0 : s == 1.0 ? 1 : 2;
    return ( joManifoldPoint3 ){
        toWorld( pair, middle ), (float)contact->depth, 1 + end + 3 * nameFeature( contact->up ) };
}

// A capsule that lies along a face touches it along a line: its two ends. Returns how many there are.
static uint32_t findSidePoints(
    const BoxPair* pair, const Contact* contact, float margin, joManifoldPoint3 points[2] )
{
    joWide3 up = contact->up;
    int face = fabs( up.y ) > fabs( up.x ) ? 1 : 0;
    face = fabs( up.z ) > fabs( partOf( up, face ) ) ? 2 : face;
    double length = joLength3( pair->core.along ), slope = joDot3( pair->core.along, up );
    double lean = 1.0 - partOf( up, face ) * partOf( up, face );
    Stretch stretch;
    if ( lean > JO_SIDE_BY_SIDE_SINE_SQ || slope * slope > JO_SIDE_BY_SIDE_SINE_SQ * length * length ||
         !clipToFace( pair, up, face, &stretch ) ||
         !( ( stretch.ends[1] - stretch.ends[0] ) * length > JO_SIDE_BY_SIDE_LENGTH * pair->radius ) )
    {
        return 0;
    }
    uint32_t count = 0, upper = partOf( up, face ) > 0.0 ? 1 : 0;
    for ( int end = 0; end < 2; ++end )
    {
        joWide3 x = joSegment3_At( &pair->core, stretch.ends[end] );
        double top = ( topOf( pair, up, face ) - partOf( x, face ) ) / partOf( up, face );
        double lowest, highest, bottom = -pair->radius;
        if ( joClipLineToCapsule3( x, up, &pair->core, pair->radius, &lowest, &highest ) )
        {
            bottom = lowest;
        }
        if ( top - bottom >= -(double)margin )
        {
            uint32_t name = 0x100 + ( 2 * (uint32_t)face + upper ) * 8 + stretch.names[end];
            points[count++] =
                ( joManifoldPoint3 ){ toWorld( pair, joAddScaled3( x, 0.5 * ( top + bottom ), up ) ),
                    (float)( top - bottom ), name };
        }
    }
    return count;
}

static bool overlap( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    BoxPair pair = makePair( placed );
    return findContact( &pair, s_still ).depth >= 0.0;
}

static void collide( const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    BoxPair pair = makePair( placed );
    Contact contact = findContact( &pair, s_still );
    if ( contact.depth < -(double)margin )
    {
        return;
    }
    manifold->normal = toWorldNormal( &pair, contact.up );
    manifold->depth = (float)contact.depth;
    manifold->pointCount = findSidePoints( &pair, &contact, margin, manifold->points );
    double tie = (double)JO_AXIS_TIE * ( sizeOf( &pair ) + pair.radius );
    bool isDeeper = true;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        isDeeper = isDeeper && contact.depth > (double)manifold->points[i].depth + tie;
    }
    if ( isDeeper )
    {
        manifold->points[manifold->pointCount++] = deepestPoint( &pair, &contact );
    }
}

static void distance( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    BoxPair pair = makePair( placed );
    Contact contact = findContact( &pair, s_still );
    joWide3 onCore = joSegment3_At( &pair.core, contact.nearest.s );
    closest->pointB = toWorld( &pair, joSubtract3( onCore, contact.nearest.outward ) );
    if ( contact.depth < 0.0 )
    {
        closest->distance = (float)fmin( -contact.depth, (double)FLT_MAX );
        closest->normal = toWorldNormal( &pair, contact.up );
        closest->pointA = toWorld( &pair, joAddScaled3( onCore, -pair.radius, contact.up ) );
        return;
    }
    // The point of the box is within the radius of the core.
    closest->distance = 0.0f;
    closest->pointA = closest->pointB;
}

// When the core, moving by `way`, comes as near to the box as its radius: an end of it to anything, or what
// is between them to a corner or to an edge. (To a face its ends come first.)
static bool castCore( const BoxPair* pair, joWide3 way, double* fraction )
{
    const joSegment3* core = &pair->core;
    joWide3 ends[2] = { core->start, joSegment3_At( core, 1.0 ) };
    bool isPoint = joDot3( core->along, core->along ) == 0.0;
    double first, last;
    *fraction = INFINITY;
    for ( int end = 0; end < ( isPoint ? 1 : 2 ); ++end )
    {
        if ( joClipRayToRoundedBox3( ends[end], way, pair->half, pair->radius, &first ) )
        {
            *fraction = fmin( *fraction, first );
        }
    }
    for ( int corner = 0; corner < 8 && !isPoint; ++corner )
    {
        joWide3 at = { corner & 1 ? pair->half[0] : -pair->half[0],
            corner & 2 ? pair->half[1] : -pair->half[1], corner & 4 ? pair->half[2] : -pair->half[2] };
        if ( joClipLineToCapsule3( at, joScale3( -1.0, way ), core, pair->radius, &first, &last ) &&
             last >= 0.0 )
        {
            *fraction = fmin( *fraction, fmax( first, 0.0 ) );
        }
        for ( int axis = 0; axis < 3; ++axis )
        {
            // Each edge from its lower corner.
            joWide3 edge = joScale3( 2.0 * pair->half[axis], unitOf( axis ) );
            if ( !( corner >> axis & 1 ) && joClipRayToParallelogram3( joSubtract3( core->start, at ), way,
                                                edge, joScale3( -1.0, core->along ), pair->radius, &first ) )
            {
                *fraction = fmin( *fraction, first );
            }
        }
    }
    return *fraction <= 1.0;
}

static void cast( const joPlacedPair3* placed, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    (void)cache;
    BoxPair pair = makePair( placed );
    // The box moves; to it the round shape goes the other way.
    joWide3 way = joTurnBack3( &pair.pose.rotation, joScale3( -1.0, joWiden3( motion ) ) );
    double fraction;
    if ( joDot3( way, way ) == 0.0 || !castCore( &pair, way, &fraction ) )
    {
        return;
    }
    joSegment3 atStart = pair.core;
    pair.core.start = joAddScaled3( atStart.start, fraction, way );
    Contact contact = findContact( &pair, way );
    contact.up = joMeetAgainst3( contact.up, way, pair.radius );
    hit->isHit = true;
    hit->fraction = joRoundFraction( fraction );
    hit->normal = toWorldNormal( &pair, contact.up );
    // The round shape stays where it is.
    joWide3 onCore = joSegment3_At( &atStart, findDeepest( &pair, &contact ) );
    hit->point = toWorld( &pair, joAddScaled3( onCore, -pair.radius, contact.up ) );
}

const joPairFunctions3 joRoundBox3 = { overlap, collide, distance, cast, NULL };
