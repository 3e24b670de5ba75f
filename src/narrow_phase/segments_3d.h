// SPDX-License-Identifier: MIT
// Segments in 3D, the cores of round shapes: where two of them are nearest, along which direction they are
// farthest apart, and how a line passes through what is round about one. All in double. A segment without
// length is a point.
#pragma once

#include "math/wide_vectors.h"

typedef struct joSegment3
{
    joWide3 start;
    joWide3 along; // from there to its end
} joSegment3;

static inline joWide3 joSegment3_At( const joSegment3* segment, double fraction )
{
    return joAddScaled3( segment->start, fraction, segment->along );
}

// Where the segment is nearest to a point, as a fraction of it.
double joSegment3_FindNearest( const joSegment3* segment, joWide3 point );

typedef struct joNearest3
{
    double s, t;     // fractions of A and of B, 0 to 1
    joWide3 between; // from the point of A to that of B
    double distance; // its length
} joNearest3;

joNearest3 joFindNearest3( const joSegment3* a, const joSegment3* b );

// How far apart two segments are along a unit direction from A to B; negative: how far they overlap.
double joSeparationAlong3( const joSegment3* a, const joSegment3* b, joWide3 direction );

// The unit direction from A to B along which two segments are farthest apart. *separation: how far they are,
// which is their distance, or 0 where they cross. `nearest` is where they are nearest.
joWide3 joFindSeparation3(
    const joSegment3* a, const joSegment3* b, const joNearest3* nearest, double* separation );

// The part of the line x + t * direction within `radius` of a segment: from *first to *last, as t. False:
// none. `direction` is not zero.
bool joClipLineToCapsule3(
    joWide3 x, joWide3 direction, const joSegment3* core, double radius, double* first, double* last );

// Where the ray x + t * direction, t >= 0, comes as near as `radius` to the parallelogram from the origin
// along `u` and `v`, while it is over the inside of that. False: nowhere. For its sides there are capsules.
bool joClipRayToParallelogram3(
    joWide3 x, joWide3 direction, joWide3 u, joWide3 v, double radius, double* first );

// The direction of two segments that meet, turned against the motion of B where either sense is as good.
joWide3 joTurnAgainst3( const joSegment3* a, const joSegment3* b, joWide3 direction, joWide3 motion );

// The normal with which something comes to lie `radius` from a core, against the motion that brought it
// there. Without a radius that could be seen beside the motion, the way between the two has no direction of
// its own: then it is that of the motion.
joWide3 joMeetAgainst3( joWide3 normal, joWide3 motion, double radius );

// A fraction as a float that is no larger: what moves by it does not go too far.
float joRoundFraction( double fraction );
