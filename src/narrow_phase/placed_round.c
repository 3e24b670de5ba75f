// SPDX-License-Identifier: MIT
// Round shapes placed in the world. Cores are turned in double. They are kept to 48 bits, so that what is
// far from the origin of the world, or of its own body, loses nothing by it, and casts arrive where these
// shapes touch.
#include "narrow_phase/placed_round.h"

#include "math/wide_vectors.h"
#include "narrow_phase/tolerance.h"

const joRoundTolerance joRoundTolerances = { JO_CROSSING_CORES, JO_SIDE_BY_SIDE_SINE_SQ, JO_AXIS_TIE };

// What a float leaves of a value. Not inlined: gcc 12 at -O3 takes the way from double to float and back for
// none where it puts two of them into a vector.
static __attribute__( ( noinline ) ) float restOf( double value )
{
    return (float)( value - (double)(float)value );
}

static void splitFloats( joWide2 v, float floats[2], float rests[2] )
{
    floats[0] = (float)v.x;
    floats[1] = (float)v.y;
    rests[0] = restOf( v.x );
    rests[1] = restOf( v.y );
}

static joPlacedRound2 placeCircle2( const joCircle2* circle, const joTransform2* pose )
{
    joPlacedRound2 placed = { .position = { pose->position.x, pose->position.y }, .radius = circle->radius };
    if ( circle->center.x != 0.0f || circle->center.y != 0.0f )
    {
        joPose2 wide = joWidenPose2( *pose );
        splitFloats( joTurn2( &wide, joWiden2( circle->center ) ), placed.start, placed.startRest );
    }
    return placed;
}

joPlacedRound2 joPlaceRound2( const joShape2* shape, const joTransform2* pose )
{
    if ( shape->kind == jo_circleShape2 )
    {
        return placeCircle2( &shape->circle, pose );
    }
    const joCapsule2* capsule = &shape->capsule;
    joPose2 wide = joWidenPose2( *pose );
    joWide2 along = joSubtract2( joWiden2( capsule->b ), joWiden2( capsule->a ) );
    joPlacedRound2 placed = { .position = { pose->position.x, pose->position.y },
        .radius = capsule->radius,
        .length = (float)joLength2( along ) };
    splitFloats( joTurn2( &wide, joWiden2( capsule->a ) ), placed.start, placed.startRest );
    splitFloats( joTurn2( &wide, along ), placed.along, placed.alongRest );
    return placed;
}

static void splitFloats3( joWide3 v, float floats[3], float rests[3] )
{
    floats[0] = (float)v.x;
    floats[1] = (float)v.y;
    floats[2] = (float)v.z;
    rests[0] = restOf( v.x );
    rests[1] = restOf( v.y );
    rests[2] = restOf( v.z );
}

joPlacedRound3 joPlaceRound3( const joShape3* shape, const joTransform3* pose )
{
    joPlacedRound3 placed = { .position = { pose->position.x, pose->position.y, pose->position.z } };
    const bool isSphere = shape->kind == jo_sphereShape3;
    const joVec3 start = isSphere ? shape->sphere.center : shape->capsule.a;
    placed.radius = isSphere ? shape->sphere.radius : shape->capsule.radius;
    if ( isSphere && start.x == 0.0f && start.y == 0.0f && start.z == 0.0f )
    {
        return placed; // as most spheres are
    }
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    splitFloats3( joTurn3( &rotation, joWiden3( start ) ), placed.start, placed.startRest );
    if ( !isSphere )
    {
        joWide3 along = joSubtract3( joWiden3( shape->capsule.b ), joWiden3( start ) );
        placed.length = (float)joLength3( along );
        splitFloats3( joTurn3( &rotation, along ), placed.along, placed.alongRest );
    }
    return placed;
}
