// SPDX-License-Identifier: MIT
// From the frames in which pairs are computed, in double, to floats in world space: rounded once, at the end.
// An offset has the axes of the world and starts at an origin of the pair's; a local point has the axes of a
// pose, and so has a local direction, of any length but zero, which becomes a unit normal.
#pragma once

#include "math/wide_vectors.h"

static inline joVec2 joOffsetToWorld2( joWide2 origin, joWide2 offset )
{
    return joNarrow2( joAdd2( origin, offset ) );
}

static inline joVec3 joOffsetToWorld3( joWide3 origin, joWide3 offset )
{
    return joNarrow3( joAdd3( origin, offset ) );
}

static inline joVec2 joLocalPointToWorld2( const joPose2* pose, double x, double y )
{
    const double local[2] = { x, y };
    double world[2];
    joPose2_Apply( pose, local, world );
    return ( joVec2 ){ (float)world[0], (float)world[1] };
}

static inline joVec3 joLocalPointToWorld3( const joPose3* pose, const double local[3] )
{
    double world[3];
    joMatrix3_Apply( &pose->rotation, local, world );
    return ( joVec3 ){ (float)( world[0] + pose->position[0] ), (float)( world[1] + pose->position[1] ),
        (float)( world[2] + pose->position[2] ) };
}

static inline joVec2 joLocalDirectionToWorld2( const joPose2* pose, double x, double y )
{
    joWide2 world = joTurn2( pose, ( joWide2 ){ x, y } );
    double length = joLength2( world );
    return ( joVec2 ){ (float)( world.x / length ), (float)( world.y / length ) };
}

static inline joVec3 joLocalDirectionToWorld3( const joPose3* pose, const double local[3] )
{
    joWide3 world = joTurn3( &pose->rotation, ( joWide3 ){ local[0], local[1], local[2] } );
    double length = joLength3( world );
    return ( joVec3 ){
        (float)( world.x / length ), (float)( world.y / length ), (float)( world.z / length ) };
}
