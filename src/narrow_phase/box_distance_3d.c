// SPDX-License-Identifier: MIT
// A segment and a box in 3D.
//
// The squared distance from a box of a point that runs along a line is convex, and a parabola between those
// up to six places where the point crosses the plane of a face: each axis adds the square of how far the
// point is outside on it. So the least one, and the first place as near as a radius, are found by going
// through the parabolas in order.
#include "narrow_phase/box_distance_3d.h"

// 0, 1, and the crossings between them.
#define MAX_PLACES 8

typedef struct Way
{
    double at[3];    // where it starts
    double along[3]; // from there to its end
    double half[3];
    double places[MAX_PLACES]; // ascending
    int count;
} Way;

// How far outside the point is on an axis, with the sign of its side; 0 inside.
static double outsideOn( const Way* way, int axis, double t )
{
    double x = way->at[axis] + t * way->along[axis], half = way->half[axis];
    return x > half ? x - half : x < -half ? x + half : 0.0;
}

static void addPlace( Way* way, double t )
{
    int i = way->count++;
    for ( ; i > 0 && way->places[i - 1] > t; --i )
    {
        way->places[i] = way->places[i - 1];
    }
    way->places[i] = t;
}

static Way makeWay( joWide3 at, joWide3 along, const double half[3] )
{
    Way way = {
        { at.x, at.y, at.z }, { along.x, along.y, along.z }, { half[0], half[1], half[2] }, { 0.0 }, 0 };
    addPlace( &way, 0.0 );
    addPlace( &way, 1.0 );
    for ( int crossing = 0; crossing < 6; ++crossing )
    {
        int axis = crossing / 2;
        double to = ( crossing % 2 ? half[axis] : -half[axis] ) - way.at[axis];
        double t = way.along[axis] != 0.0 ? to / way.along[axis] : 0.0;
        if ( t > 0.0 && t < 1.0 )
        {
            addPlace( &way, t );
        }
    }
    return way;
}

// The parabola between two places: the parts of the way, and of where it is at the first place, on the axes
// on which the point is outside.
typedef struct Parabola
{
    joWide3 outside;
    joWide3 along;
} Parabola;

static Parabola parabolaAt( const Way* way, double from, double to )
{
    double outside[3], along[3], middle = 0.5 * ( from + to );
    for ( int axis = 0; axis < 3; ++axis )
    {
        double side = outsideOn( way, axis, middle );
        bool isOutside = side != 0.0;
        double face = side > 0.0 ? way->half[axis] : -way->half[axis];
        outside[axis] = isOutside ? way->at[axis] + from * way->along[axis] - face : 0.0;
        along[axis] = isOutside ? way->along[axis] : 0.0;
    }
    return ( Parabola ){ { outside[0], outside[1], outside[2] }, { along[0], along[1], along[2] } };
}

joNearestToBox3 joFindNearestToBox3( const joSegment3* segment, const double half[3] )
{
    Way way = makeWay( segment->start, segment->along, half );
    double s = 1.0;
    for ( int i = 0; i + 1 < way.count; ++i )
    {
        double from = way.places[i], to = way.places[i + 1];
        Parabola parabola = parabolaAt( &way, from, to );
        double curvature = joDot3( parabola.along, parabola.along );
        double slope = joDot3( parabola.outside, parabola.along );
        if ( curvature == 0.0 )
        {
            // As near all the way.
            s = 0.5 * ( from + to );
            break;
        }
        double lowest = from - slope / curvature;
        if ( lowest <= to )
        {
            s = fmax( lowest, from );
            break;
        }
    }
    if ( joDot3( segment->along, segment->along ) == 0.0 )
    {
        s = 0.0;
    }
    joNearestToBox3 nearest = { .s = s };
    nearest.outward =
        ( joWide3 ){ outsideOn( &way, 0, s ), outsideOn( &way, 1, s ), outsideOn( &way, 2, s ) };
    nearest.distance = joLength3( nearest.outward );
    return nearest;
}

// The first root of the parabola at or above 0, as a distance from its start. False: none.
static bool findRoot( const Parabola* parabola, double radius, double* root )
{
    double outside = joLength3( parabola->outside );
    double excess = ( outside - radius ) * ( outside + radius );
    *root = 0.0;
    if ( excess <= 0.0 )
    {
        return true;
    }
    double curvature = joDot3( parabola->along, parabola->along );
    double slope = joDot3( parabola->outside, parabola->along );
    if ( slope >= 0.0 )
    {
        return false;
    }
    joWide3 cross = joCross3( parabola->outside, parabola->along );
    double rest = radius * radius * curvature - joDot3( cross, cross );
    if ( !( rest >= 0.0 ) )
    {
        return false;
    }
    *root = excess / ( sqrt( rest ) - slope );
    return true;
}

bool joClipRayToRoundedBox3(
    joWide3 x, joWide3 direction, const double half[3], double radius, double* first )
{
    Way way = makeWay( x, direction, half );
    for ( int i = 0; i + 1 < way.count; ++i )
    {
        double from = way.places[i], to = way.places[i + 1], root;
        Parabola parabola = parabolaAt( &way, from, to );
        if ( findRoot( &parabola, radius, &root ) && from + root <= to )
        {
            *first = from + root;
            return true;
        }
    }
    return false;
}
