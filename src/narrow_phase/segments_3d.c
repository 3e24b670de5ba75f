// SPDX-License-Identifier: MIT
// Segments in 3D. The closest points follow Ericson, "Real-Time Collision Detection", 2005, 5.1.9, with
// fractions from cross products, which keep their accuracy for nearly parallel segments, and with all four
// ends tried where that is not enough.
#include "narrow_phase/segments_3d.h"

#include <float.h>

// Below this squared sine of their angle the crossing of two lines is less certain than their ends.
#define NEARLY_PARALLEL_SQ 1e-6

// Below this squared sine lines count as parallel: they go apart by less than 1e-9 of their length.
#define PARALLEL_SQ 1e-18

static double clampFraction( double value )
{
    return value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0;
}

double joSegment3_FindNearest( const joSegment3* segment, joWide3 point )
{
    double lengthSq = joDot3( segment->along, segment->along );
    double along = joDot3( joSubtract3( point, segment->start ), segment->along );
    return lengthSq > 0.0 ? clampFraction( along / lengthSq ) : 0.0;
}

static joNearest3 nearestAt( const joSegment3* a, const joSegment3* b, double s, double t )
{
    joNearest3 nearest = { .s = s, .t = t };
    // The difference of the starts first: it is exact where the starts are near each other.
    joWide3 between = joSubtract3( b->start, a->start );
    between = joAddScaled3( between, t, b->along );
    nearest.between = joAddScaled3( between, -s, a->along );
    nearest.distance = joLength3( nearest.between );
    return nearest;
}

static void takeNearer( joNearest3* best, joNearest3 other )
{
    *best = other.distance < best->distance ? other : *best;
}

joNearest3 joFindNearest3( const joSegment3* a, const joSegment3* b )
{
    double lengthSqA = joDot3( a->along, a->along ), lengthSqB = joDot3( b->along, b->along );
    if ( lengthSqA == 0.0 || lengthSqB == 0.0 )
    {
        return nearestAt(
            a, b, joSegment3_FindNearest( a, b->start ), joSegment3_FindNearest( b, a->start ) );
    }
    joWide3 normal = joCross3( a->along, b->along );
    double normalSq = joDot3( normal, normal );
    double scale = lengthSqA * lengthSqB;
    joNearest3 best = { .distance = INFINITY };
    if ( normalSq > scale * PARALLEL_SQ )
    {
        joWide3 between = joSubtract3( b->start, a->start );
        double s = joDot3( joCross3( between, b->along ), normal ) / normalSq;
        double t = joDot3( joCross3( between, a->along ), normal ) / normalSq;
        if ( s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 )
        {
            best = nearestAt( a, b, s, t );
            if ( normalSq > scale * NEARLY_PARALLEL_SQ )
            {
                return best;
            }
        }
    }
    takeNearer( &best, nearestAt( a, b, 0.0, joSegment3_FindNearest( b, a->start ) ) );
    takeNearer( &best, nearestAt( a, b, 1.0, joSegment3_FindNearest( b, joSegment3_At( a, 1.0 ) ) ) );
    takeNearer( &best, nearestAt( a, b, joSegment3_FindNearest( a, b->start ), 0.0 ) );
    takeNearer( &best, nearestAt( a, b, joSegment3_FindNearest( a, joSegment3_At( b, 1.0 ) ), 1.0 ) );
    return best;
}

double joSeparationAlong3( const joSegment3* a, const joSegment3* b, joWide3 direction )
{
    double between = joDot3( joSubtract3( b->start, a->start ), direction );
    return between + fmin( joDot3( b->along, direction ), 0.0 ) - fmax( joDot3( a->along, direction ), 0.0 );
}

static void takeFarther(
    const joSegment3* a, const joSegment3* b, joWide3 direction, joWide3* best, double* separation )
{
    double other = joSeparationAlong3( a, b, direction );
    *best = other > *separation ? direction : *best;
    *separation = fmax( *separation, other );
}

// At right angles to both, as well as doubles allow: the rounding of the product of nearly parallel segments
// is turned away from the longer one, and along the shorter it does no harm.
static joWide3 normalOfBoth( joWide3 a, joWide3 b )
{
    joWide3 normal = joCross3( a, b );
    joWide3 longer = joDot3( a, a ) >= joDot3( b, b ) ? a : b;
    double lengthSq = joDot3( longer, longer );
    double lean = lengthSq > 0.0 ? joDot3( normal, longer ) / lengthSq : 0.0;
    normal = joAddScaled3( normal, -lean, longer );
    double length = joLength3( normal );
    return length > 0.0 ? joScale3( 1.0 / length, normal ) : joPerpendicular3( longer );
}

joWide3 joFindSeparation3(
    const joSegment3* a, const joSegment3* b, const joNearest3* nearest, double* separation )
{
    joWide3 best = { 1.0, 0.0, 0.0 };
    if ( nearest->distance > 0.0 )
    {
        best = joScale3( 1.0 / nearest->distance, nearest->between );
    }
    double length = joLength3( a->along ) + joLength3( b->along );
    if ( length == 0.0 || nearest->distance > 1e-6 * length )
    {
        *separation = nearest->distance;
        return best;
    }
    // The way between points that all but coincide has lost its direction. At right angles to both segments
    // is better then; each is judged by what it does.
    *separation = nearest->distance > 0.0 ? joSeparationAlong3( a, b, best ) : -DBL_MAX;
    joWide3 normal = normalOfBoth( a->along, b->along );
    takeFarther( a, b, normal, &best, separation );
    takeFarther( a, b, joScale3( -1.0, normal ), &best, separation );
    return best;
}

// Where x + t * direction is within `radius` of the origin, given both in a plane, or in space, through the
// length of their cross product. The roots are found without subtracting what is nearly equal.
static bool clipToRadius( double xSq, double x_direction, double directionSq, double crossSq, double radius,
    double* first, double* last )
{
    double offsetSq = crossSq / directionSq; // of the line from the centre
    double rest = radius * radius - offsetSq;
    if ( !( rest >= 0.0 ) )
    {
        return false;
    }
    double half = sqrt( rest * directionSq );
    double x = sqrt( xSq );
    double c = ( x - radius ) * ( x + radius );
    // The two roots multiply to c / directionSq.
    if ( x_direction > 0.0 )
    {
        double sum = x_direction + half;
        *first = -sum / directionSq;
        *last = sum > 0.0 ? -c / sum : 0.0;
    }
    else
    {
        double sum = half - x_direction;
        *last = sum / directionSq;
        *first = sum > 0.0 ? c / sum : 0.0;
    }
    // Where the line only touches, rounding may part the two the wrong way.
    *last = fmax( *first, *last );
    return true;
}

static bool clipToSphere(
    joWide3 x, joWide3 direction, joWide3 center, double radius, double* first, double* last )
{
    joWide3 from = joSubtract3( x, center );
    joWide3 cross = joCross3( from, direction );
    return clipToRadius( joDot3( from, from ), joDot3( from, direction ), joDot3( direction, direction ),
        joDot3( cross, cross ), radius, first, last );
}

// The part between the planes through the ends of the core, of `from + t * direction`.
static bool clipToEnds( joWide3 from, joWide3 direction, joWide3 along, double* first, double* last )
{
    double start = joDot3( from, along ), rate = joDot3( direction, along ), end = joDot3( along, along );
    if ( rate == 0.0 )
    {
        return start >= 0.0 && start <= end;
    }
    double atStart = -start / rate, atEnd = ( end - start ) / rate;
    *first = fmax( *first, fmin( atStart, atEnd ) );
    *last = fmin( *last, fmax( atStart, atEnd ) );
    return *first <= *last;
}

// The part of a line within the cylinder round about the core, between its ends.
static bool clipToCylinder(
    joWide3 x, joWide3 direction, const joSegment3* core, double radius, double* first, double* last )
{
    joWide3 from = joSubtract3( x, core->start );
    double length = joLength3( core->along );
    joWide3 unit = joScale3( 1.0 / length, core->along );
    // Turned by a quarter about the core, which changes no length: what of both is at right angles to it.
    joWide3 q = joCross3( from, unit ), v = joCross3( direction, unit );
    double vSq = joDot3( v, v ), qSq = joDot3( q, q );
    *first = -INFINITY;
    *last = INFINITY;
    bool passes = vSq <= PARALLEL_SQ * joDot3( direction, direction ) ? qSq <= radius * radius : true;
    if ( vSq > PARALLEL_SQ * joDot3( direction, direction ) )
    {
        double cross = joDot3( joCross3( q, v ), unit );
        passes = clipToRadius( qSq, joDot3( q, v ), vSq, cross * cross, radius, first, last );
    }
    return passes && clipToEnds( from, direction, core->along, first, last );
}

bool joClipLineToCapsule3(
    joWide3 x, joWide3 direction, const joSegment3* core, double radius, double* first, double* last )
{
    double from, to;
    *first = INFINITY;
    *last = -INFINITY;
    // A capsule is convex: what lies between two of its points is in it.
    for ( int end = 0; end < 2; ++end )
    {
        joWide3 center = joSegment3_At( core, (double)end );
        if ( clipToSphere( x, direction, center, radius, &from, &to ) )
        {
            *first = fmin( *first, from );
            *last = fmax( *last, to );
        }
    }
    if ( joDot3( core->along, core->along ) > 0.0 &&
         clipToCylinder( x, direction, core, radius, &from, &to ) )
    {
        *first = fmin( *first, from );
        *last = fmax( *last, to );
    }
    return *first <= *last;
}

bool joClipRayToParallelogram3(
    joWide3 x, joWide3 direction, joWide3 u, joWide3 v, double radius, double* first )
{
    joWide3 normal = joCross3( u, v );
    double normalSq = joDot3( normal, normal );
    if ( !( normalSq > PARALLEL_SQ * joDot3( u, u ) * joDot3( v, v ) ) )
    {
        return false;
    }
    normal = normalOfBoth( u, v );
    double height = joDot3( x, normal ), rate = joDot3( direction, normal );
    if ( height < 0.0 )
    {
        height = -height;
        rate = -rate;
    }
    if ( height < radius || rate >= 0.0 )
    {
        return false;
    }
    *first = ( height - radius ) / -rate;
    joWide3 at = joAddScaled3( x, *first, direction ), cross = joCross3( u, v );
    double alongU = joDot3( joCross3( at, v ), cross ) / normalSq;
    double alongV = joDot3( joCross3( u, at ), cross ) / normalSq;
    return alongU >= 0.0 && alongU <= 1.0 && alongV >= 0.0 && alongV <= 1.0;
}

joWide3 joTurnAgainst3( const joSegment3* a, const joSegment3* b, joWide3 direction, joWide3 motion )
{
    joWide3 other = joScale3( -1.0, direction );
    double length = joLength3( a->along ) + joLength3( b->along );
    bool isAsGood =
        joSeparationAlong3( a, b, other ) >= joSeparationAlong3( a, b, direction ) - 1e-12 * length;
    return isAsGood && joDot3( direction, motion ) > 0.0 ? other : direction;
}

joWide3 joMeetAgainst3( joWide3 normal, joWide3 motion, double radius )
{
    double length = joLength3( motion );
    bool isLost = radius <= 1e-12 * length && joDot3( normal, motion ) > 0.0;
    return isLost ? joScale3( -1.0 / length, motion ) : normal;
}

float joRoundFraction( double fraction )
{
    float nearest = (float)fraction;
    return (double)nearest > fraction ? nextafterf( nearest, 0.0f ) : nearest;
}
