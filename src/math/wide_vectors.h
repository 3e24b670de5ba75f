// SPDX-License-Identifier: MIT
// Vectors in double, by value: for closed forms that are computed in double from the rounding of the input to
// that of the answer.
#pragma once

#include "base/float_env.h" // before any arithmetic: clang contracts what stands before it
#include "math/rotation.h"

#include <math.h>

typedef struct joWide2
{
    double x, y;
} joWide2;

typedef struct joWide3
{
    double x, y, z;
} joWide3;

static inline joWide2 joWiden2( joVec2 v )
{
    return ( joWide2 ){ (double)v.x, (double)v.y };
}

static inline joVec2 joNarrow2( joWide2 v )
{
    return ( joVec2 ){ (float)v.x, (float)v.y };
}

static inline joWide2 joAdd2( joWide2 a, joWide2 b )
{
    return ( joWide2 ){ a.x + b.x, a.y + b.y };
}

static inline joWide2 joSubtract2( joWide2 a, joWide2 b )
{
    return ( joWide2 ){ a.x - b.x, a.y - b.y };
}

static inline joWide2 joScale2( double s, joWide2 v )
{
    return ( joWide2 ){ s * v.x, s * v.y };
}

// a + s b
static inline joWide2 joAddScaled2( joWide2 a, double s, joWide2 b )
{
    return ( joWide2 ){ a.x + s * b.x, a.y + s * b.y };
}

static inline double joDot2( joWide2 a, joWide2 b )
{
    return a.x * b.x + a.y * b.y;
}

// Twice the area that the two span, positive where b is to the left of a.
static inline double joCross2( joWide2 a, joWide2 b )
{
    return a.x * b.y - a.y * b.x;
}

static inline double joLength2( joWide2 v )
{
    return sqrt( joDot2( v, v ) );
}

// What a turn by a quarter, counter-clockwise, makes of v.
static inline joWide2 joTurnLeft2( joWide2 v )
{
    return ( joWide2 ){ -v.y, v.x };
}

static inline joWide2 joTurn2( const joPose2* pose, joWide2 v )
{
    return ( joWide2 ){ pose->c * v.x - pose->s * v.y, pose->s * v.x + pose->c * v.y };
}

static inline joWide3 joWiden3( joVec3 v )
{
    return ( joWide3 ){ (double)v.x, (double)v.y, (double)v.z };
}

static inline joVec3 joNarrow3( joWide3 v )
{
    return ( joVec3 ){ (float)v.x, (float)v.y, (float)v.z };
}

static inline joWide3 joAdd3( joWide3 a, joWide3 b )
{
    return ( joWide3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline joWide3 joSubtract3( joWide3 a, joWide3 b )
{
    return ( joWide3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline joWide3 joScale3( double s, joWide3 v )
{
    return ( joWide3 ){ s * v.x, s * v.y, s * v.z };
}

// a + s b
static inline joWide3 joAddScaled3( joWide3 a, double s, joWide3 b )
{
    return ( joWide3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double joDot3( joWide3 a, joWide3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline joWide3 joCross3( joWide3 a, joWide3 b )
{
    return ( joWide3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double joLength3( joWide3 v )
{
    return sqrt( joDot3( v, v ) );
}

static inline joWide3 joTurn3( const joMatrix3* m, joWide3 v )
{
    return ( joWide3 ){ m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z,
        m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z,
        m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z };
}

// Undoes joTurn3.
static inline joWide3 joTurnBack3( const joMatrix3* m, joWide3 v )
{
    return ( joWide3 ){ m->m[0][0] * v.x + m->m[1][0] * v.y + m->m[2][0] * v.z,
        m->m[0][1] * v.x + m->m[1][1] * v.y + m->m[2][1] * v.z,
        m->m[0][2] * v.x + m->m[1][2] * v.y + m->m[2][2] * v.z };
}

// A unit vector at right angles to v, the same for the same v; (1, 0, 0) for zero.
static inline joWide3 joPerpendicular3( joWide3 v )
{
    double x = fabs( v.x ), y = fabs( v.y ), z = fabs( v.z );
    joWide3 axis = x <= y && x <= z ? ( joWide3 ){ 1.0, 0.0, 0.0 }
                   : y <= z         ? ( joWide3 ){ 0.0, 1.0, 0.0 }
                                    : ( joWide3 ){ 0.0, 0.0, 1.0 };
    joWide3 perpendicular = joCross3( v, axis );
    double length = joLength3( perpendicular );
    return length > 0.0 ? joScale3( 1.0 / length, perpendicular ) : axis;
}
