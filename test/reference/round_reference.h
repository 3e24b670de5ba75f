// SPDX-License-Identifier: MIT
// The slow reference for round shapes, in 2D and 3D: cores and radii in double precision, and a judge of
// normals and depths by what pushing does. Plain; shares no code with the library.
#pragma once

#include "jostle/shapes.h"
#include "reference/sat_reference.h"

// All within `radius` of the segment from a to b, in world space. In 2D z is 0.
typedef struct RoundCore
{
    double a[3], b[3];
    double radius;
} RoundCore;

RoundCore roundMakeCore3( const joShape3* shape, const joTransform3* pose ); // a sphere or a capsule
RoundCore roundMakeCore2( const joShape2* shape, const joTransform2* pose ); // a circle or a capsule
RoundCore roundMoved( const RoundCore* core, const double direction[3], double distance );

// Of a point from the core.
double roundDistanceToPoint( const RoundCore* core, const double point[3] );
// Of two cores from each other; 0 where they cross.
double roundCoreDistance( const RoundCore* a, const RoundCore* b );

// How deep two shapes are in each other; negative: how far they are apart.
double roundDepth3( const RoundCore* a, const RoundCore* b );
double roundDepth2( const RoundCore* a, const RoundCore* b );

// Of a core from a box, by search; and how deep a round shape is in a box.
double roundDistanceToBox( const RoundCore* core, const SatBox* box );
double roundDepthInBox( const RoundCore* core, const SatBox* box );
