// SPDX-License-Identifier: MIT
// Separating axes in double precision (Gottschalk, Lin and Manocha, "OBBTree", 1996), without any of the
// shortcuts of the library: all axes in world space, each projected in full.
#include "reference/sat_reference.h"

#include <math.h>
#include <string.h>

// Cross products shorter than this are no axes: the edges are parallel, and the faces say all.
#define LEAST_CROSS 1e-9

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// v + 2 w ( u x v ) + 2 u x ( u x v ), for a quaternion ( u, w ) that is first made a unit one.
static void turn( joQuat q, double v[3] )
{
    double u[3] = { (double)q.x, (double)q.y, (double)q.z }, w = (double)q.w;
    double length = sqrt( dot( u, u ) + w * w );
    double once[3], twice[3];
    for ( int i = 0; i < 3; ++i )
    {
        u[i] /= length;
    }
    w /= length;
    cross( u, v, once );
    cross( u, once, twice );
    for ( int i = 0; i < 3; ++i )
    {
        v[i] += 2.0 * w * once[i] + 2.0 * twice[i];
    }
}

SatBox satMakeBox( const joBox3* box, const joTransform3* pose )
{
    SatBox made = {
        .center = { (double)box->localPose.position.x, (double)box->localPose.position.y,
            (double)box->localPose.position.z },
        .axes = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
        .half = { (double)box->halfExtents.x, (double)box->halfExtents.y, (double)box->halfExtents.z },
    };
    for ( int i = 0; i < 3; ++i )
    {
        turn( box->localPose.rotation, made.axes[i] );
        turn( pose->rotation, made.axes[i] );
    }
    turn( pose->rotation, made.center );
    made.center[0] += (double)pose->position.x;
    made.center[1] += (double)pose->position.y;
    made.center[2] += (double)pose->position.z;
    return made;
}

static double radiusAlong( const SatBox* box, const double direction[3] )
{
    double radius = 0.0;
    for ( int i = 0; i < 3; ++i )
    {
        radius += box->half[i] * fabs( dot( box->axes[i], direction ) );
    }
    return radius;
}

double satOverlapAlong( const SatBox* a, const SatBox* b, const double direction[3] )
{
    const double between[3] = {
        b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2] };
    double length = sqrt( dot( direction, direction ) );
    return ( radiusAlong( a, direction ) + radiusAlong( b, direction ) - fabs( dot( between, direction ) ) ) /
           length;
}

static void consider( SatAnswer* answer, const SatBox* a, const SatBox* b, const double axis[3], bool isEdge )
{
    double depth = satOverlapAlong( a, b, axis );
    if ( depth >= answer->depth )
    {
        answer->second = fmin( answer->second, depth );
        return;
    }
    answer->second = answer->depth;
    const double between[3] = {
        b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2] };
    double length = sqrt( dot( axis, axis ) );
    double sign = dot( between, axis ) < 0.0 ? -1.0 : 1.0;
    answer->depth = depth;
    answer->isEdge = isEdge;
    for ( int i = 0; i < 3; ++i )
    {
        answer->normal[i] = sign * axis[i] / length;
    }
}

SatAnswer satTest( const SatBox* a, const SatBox* b )
{
    SatAnswer answer = { .depth = INFINITY, .second = INFINITY, .leastSine = 1.0 };
    for ( int i = 0; i < 3; ++i )
    {
        consider( &answer, a, b, a->axes[i], false );
        consider( &answer, a, b, b->axes[i], false );
    }
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            double axis[3];
            cross( a->axes[i], b->axes[j], axis );
            double sine = sqrt( dot( axis, axis ) );
            answer.leastSine = fmin( answer.leastSine, sine );
            if ( sine > LEAST_CROSS )
            {
                consider( &answer, a, b, axis, true );
            }
        }
    }
    return answer;
}

SatVerdict satJudge( const SatBox* a, const SatBox* b, joVec3 normal, float depth )
{
    const double n[3] = { (double)normal.x, (double)normal.y, (double)normal.z };
    SatBox moved = *b;
    for ( int i = 0; i < 3; ++i )
    {
        moved.center[i] += n[i] * (double)depth;
    }
    return ( SatVerdict ){
        .lengthError = fabs( sqrt( dot( n, n ) ) - 1.0 ),
        .left = satTest( a, &moved ).depth,
        .excess = (double)depth - satTest( a, b ).depth,
    };
}

double satDistanceToPoint( const SatBox* box, const double point[3] )
{
    const double d[3] = { point[0] - box->center[0], point[1] - box->center[1], point[2] - box->center[2] };
    double sq = 0.0;
    for ( int i = 0; i < 3; ++i )
    {
        double outside = fmax( fabs( dot( box->axes[i], d ) ) - box->half[i], 0.0 );
        sq += outside * outside;
    }
    return sqrt( sq );
}
