// SPDX-License-Identifier: MIT
// A segment and a box in 3D, in the frame of the box: how far the one is from the other, in closed form. All
// in double.
#pragma once

#include "narrow_phase/segments_3d.h"

typedef struct joNearestToBox3
{
    double s;        // fraction of the segment where it is nearest; of a part of it, in the middle of that
    double distance; // 0: it touches the box
    joWide3 outward; // from the nearest point of the box to that of the segment
} joNearestToBox3;

joNearestToBox3 joFindNearestToBox3( const joSegment3* segment, const double half[3] );

// Where the ray x + t * direction, t from 0 to 1, comes as near to the box as `radius`. False: nowhere.
bool joClipRayToRoundedBox3(
    joWide3 x, joWide3 direction, const double half[3], double radius, double* first );
