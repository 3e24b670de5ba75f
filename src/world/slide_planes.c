// SPDX-License-Identifier: MIT
// Motions along planes: along one of them if that does for all, else along the edge of two, else none.
#include "world/slide_planes.h"

// Of the motion: what is less into a plane is rounding.
#define SLOP 1e-9
// Planes whose normals have a sine below the root of this have no edge.
#define LEAST_EDGE 1e-8

void joSlidePlanes_Add( joSlidePlanes* planes, const joSlidePlane* plane )
{
    if ( planes->count == JO_SLIDE_PLANES )
    {
        planes->count -= 1;
        for ( uint32_t i = 0; i < planes->count; ++i )
        {
            planes->planes[i] = planes->planes[i + 1];
        }
    }
    planes->planes[planes->count++] = *plane;
}

static joWide3 alongOne( const joSlidePlane* plane, joWide3 motion, joWide3 up )
{
    const double into = plane->speed - joDot3( motion, plane->normal );
    if ( !( into > 0.0 ) )
    {
        return motion;
    }
    if ( plane->isGround )
    {
        return joAddScaled3( motion, into / joDot3( up, plane->normal ), up );
    }
    const joWide3 aside = joAddScaled3( motion, into, plane->normal );
    const double rises = joDot3( motion, up );
    if ( !plane->isSteep || joDot3( aside, up ) <= ( rises > 0.0 ? rises : 0.0 ) )
    {
        return aside;
    }
    // As a wall stops it; and what then still falls goes down along the slope.
    const double tilt = joDot3( plane->normal, up );
    joWide3 wall = joAddScaled3( plane->normal, -tilt, up );
    wall = joScale3( 1.0 / joLength3( wall ), wall );
    const double intoWall = -joDot3( motion, wall );
    const joWide3 stopped = intoWall > 0.0 ? joAddScaled3( motion, intoWall, wall ) : motion;
    const double left = plane->speed - joDot3( stopped, plane->normal );
    return left > 0.0 ? joAddScaled3( stopped, left, plane->normal ) : stopped;
}

static bool doesForAll( const joSlidePlanes* planes, joWide3 motion, double slop )
{
    for ( uint32_t i = 0; i < planes->count; ++i )
    {
        if ( joDot3( motion, planes->planes[i].normal ) < planes->planes[i].speed - slop )
        {
            return false;
        }
    }
    return true;
}

// Along the edge of both, which keep their speeds. False: they have none.
static bool alongEdge( const joSlidePlane* a, const joSlidePlane* b, joWide3 motion, joWide3* along )
{
    const joWide3 edge = joCross3( a->normal, b->normal );
    const double sineSq = joDot3( edge, edge ), cosine = joDot3( a->normal, b->normal );
    if ( sineSq < LEAST_EDGE )
    {
        return false;
    }
    const double partA = ( a->speed - cosine * b->speed ) / sineSq;
    const double partB = ( b->speed - cosine * a->speed ) / sineSq;
    *along = joScale3( joDot3( motion, edge ) / sineSq, edge );
    *along = joAddScaled3( *along, partA, a->normal );
    *along = joAddScaled3( *along, partB, b->normal );
    return true;
}

joWide3 joSlidePlanes_Solve( const joSlidePlanes* planes, joWide3 motion, joWide3 up )
{
    double slop = joLength3( motion );
    for ( uint32_t i = 0; i < planes->count; ++i )
    {
        slop += fabs( planes->planes[i].speed );
    }
    slop *= SLOP;
    // The last that was met first: it is what stops the motion now.
    for ( uint32_t i = planes->count; i > 0; --i )
    {
        const joWide3 along = alongOne( &planes->planes[i - 1], motion, up );
        if ( doesForAll( planes, along, slop ) )
        {
            return along;
        }
    }
    for ( uint32_t i = planes->count; i > 1; --i )
    {
        for ( uint32_t k = i - 1; k > 0; --k )
        {
            joWide3 along;
            if ( alongEdge( &planes->planes[i - 1], &planes->planes[k - 1], motion, &along ) &&
                 doesForAll( planes, along, slop ) )
            {
                return along;
            }
        }
    }
    return ( joWide3 ){ 0.0, 0.0, 0.0 };
}
