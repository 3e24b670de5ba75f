// SPDX-License-Identifier: MIT
// The slow reference for round shapes.
#include "reference/round_reference.h"

#include <math.h>

static void place3( const joTransform3* pose, joVec3 local, double out[3] )
{
    double x = (double)pose->rotation.x, y = (double)pose->rotation.y, z = (double)pose->rotation.z,
           w = (double)pose->rotation.w;
    double length = sqrt( x * x + y * y + z * z + w * w );
    const double q[3] = { x / length, y / length, z / length };
    w /= length;
    const double v[3] = { (double)local.x, (double)local.y, (double)local.z };
    // v + 2 w ( q x v ) + 2 q x ( q x v )
    const double u[3] = { q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0] };
    out[0] = v[0] + 2.0 * ( w * u[0] + q[1] * u[2] - q[2] * u[1] ) + (double)pose->position.x;
    out[1] = v[1] + 2.0 * ( w * u[1] + q[2] * u[0] - q[0] * u[2] ) + (double)pose->position.y;
    out[2] = v[2] + 2.0 * ( w * u[2] + q[0] * u[1] - q[1] * u[0] ) + (double)pose->position.z;
}

static void place2( const joTransform2* pose, joVec2 local, double out[3] )
{
    double c = (double)pose->rotation.c, s = (double)pose->rotation.s, length = sqrt( c * c + s * s );
    out[0] = ( c * (double)local.x - s * (double)local.y ) / length + (double)pose->position.x;
    out[1] = ( s * (double)local.x + c * (double)local.y ) / length + (double)pose->position.y;
    out[2] = 0.0;
}

RoundCore roundMakeCore3( const joShape3* shape, const joTransform3* pose )
{
    bool isSphere = shape->kind == jo_sphereShape3;
    RoundCore core = { .radius = (double)( isSphere ? shape->sphere.radius : shape->capsule.radius ) };
    place3( pose, isSphere ? shape->sphere.center : shape->capsule.a, core.a );
    place3( pose, isSphere ? shape->sphere.center : shape->capsule.b, core.b );
    return core;
}

RoundCore roundMakeCore2( const joShape2* shape, const joTransform2* pose )
{
    bool isCircle = shape->kind == jo_circleShape2;
    RoundCore core = { .radius = (double)( isCircle ? shape->circle.radius : shape->capsule.radius ) };
    place2( pose, isCircle ? shape->circle.center : shape->capsule.a, core.a );
    place2( pose, isCircle ? shape->circle.center : shape->capsule.b, core.b );
    return core;
}

RoundCore roundMoved( const RoundCore* core, const double direction[3], double distance )
{
    RoundCore moved = *core;
    for ( int k = 0; k < 3; ++k )
    {
        moved.a[k] += distance * direction[k];
        moved.b[k] += distance * direction[k];
    }
    return moved;
}

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract( const double a[3], const double b[3], double out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = a[k] - b[k];
    }
}

double roundDistanceToPoint( const RoundCore* core, const double point[3] )
{
    double along[3], to[3];
    subtract( core->b, core->a, along );
    subtract( point, core->a, to );
    double lengthSq = dot( along, along );
    double s = lengthSq > 0.0 ? fmin( fmax( dot( to, along ) / lengthSq, 0.0 ), 1.0 ) : 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        to[k] -= s * along[k];
    }
    return sqrt( dot( to, to ) );
}

// Of two segments whose lines are nearest within both of them. Infinite: they are not.
static double distanceWithin( const RoundCore* a, const RoundCore* b )
{
    double u[3], v[3], w[3];
    subtract( a->b, a->a, u );
    subtract( b->b, b->a, v );
    subtract( a->a, b->a, w );
    double uu = dot( u, u ), uv = dot( u, v ), vv = dot( v, v ), uw = dot( u, w ), vw = dot( v, w );
    double determinant = uu * vv - uv * uv;
    if ( !( determinant > 1e-12 * uu * vv ) )
    {
        return INFINITY; // the ends say it as well
    }
    double s = ( uv * vw - vv * uw ) / determinant, t = ( uu * vw - uv * uw ) / determinant;
    if ( s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0 )
    {
        return INFINITY;
    }
    for ( int k = 0; k < 3; ++k )
    {
        w[k] += s * u[k] - t * v[k];
    }
    return sqrt( dot( w, w ) );
}

double roundCoreDistance( const RoundCore* a, const RoundCore* b )
{
    double ofA = fmin( roundDistanceToPoint( b, a->a ), roundDistanceToPoint( b, a->b ) );
    double ofB = fmin( roundDistanceToPoint( a, b->a ), roundDistanceToPoint( a, b->b ) );
    return fmin( fmin( ofA, ofB ), distanceWithin( a, b ) );
}

double roundDepth3( const RoundCore* a, const RoundCore* b )
{
    // Cores that cross are parted at right angles to both, by the radii alone.
    return a->radius + b->radius - roundCoreDistance( a, b );
}

// How far the cores overlap along a direction in the plane; negative: a gap.
static double overlapAlong2( const RoundCore* a, const RoundCore* b, double x, double y )
{
    double length = sqrt( x * x + y * y );
    double mostA = fmax( a->a[0] * x + a->a[1] * y, a->b[0] * x + a->b[1] * y );
    double leastB = fmin( b->a[0] * x + b->a[1] * y, b->b[0] * x + b->b[1] * y );
    return length > 0.0 ? ( mostA - leastB ) / length : INFINITY;
}

// On which side of the line of a core a point lies.
static double sideOf2( const RoundCore* core, const double p[3] )
{
    return ( core->b[0] - core->a[0] ) * ( p[1] - core->a[1] ) -
           ( core->b[1] - core->a[1] ) * ( p[0] - core->a[0] );
}

double roundDepth2( const RoundCore* a, const RoundCore* b )
{
    double distance = roundCoreDistance( a, b ), radius = a->radius + b->radius;
    bool isCrossing =
        sideOf2( a, b->a ) * sideOf2( a, b->b ) < 0.0 && sideOf2( b, a->a ) * sideOf2( b, a->b ) < 0.0;
    if ( distance > 1e-12 && !isCrossing )
    {
        return radius - distance;
    }
    // Cores that cross lie on each other along all directions, least along one at right angles to a core.
    double least = INFINITY;
    for ( int which = 0; which < 4; ++which )
    {
        const RoundCore* core = which < 2 ? a : b;
        double x = core->a[1] - core->b[1], y = core->b[0] - core->a[0], sign = which % 2 ? -1.0 : 1.0;
        least = fmin( least, overlapAlong2( a, b, sign * x, sign * y ) );
    }
    return radius + ( isfinite( least ) ? fmax( least, 0.0 ) : 0.0 );
}

double roundDistanceToBox( const RoundCore* core, const SatBox* box )
{
    // The distance is convex along the core.
    double from = 0.0, to = 1.0, least = INFINITY;
    for ( int i = 0; i < 60; ++i )
    {
        double values[2];
        for ( int side = 0; side < 2; ++side )
        {
            double s = from + ( to - from ) * ( side ? 0.6 : 0.4 ), point[3];
            for ( int k = 0; k < 3; ++k )
            {
                point[k] = core->a[k] + s * ( core->b[k] - core->a[k] );
            }
            values[side] = satDistanceToPoint( box, point );
            least = fmin( least, values[side] );
        }
        double third = 0.4 * ( to - from );
        if ( values[0] <= values[1] )
        {
            to -= third;
        }
        else
        {
            from += third;
        }
    }
    return fmin( least, fmin( satDistanceToPoint( box, core->a ), satDistanceToPoint( box, core->b ) ) );
}

// How far the core overlaps the box along a direction; infinite for none.
static double overlapWithBox( const RoundCore* core, const SatBox* box, const double direction[3] )
{
    double length = sqrt( dot( direction, direction ) ), reach = 0.0, a[3], b[3];
    subtract( core->a, box->center, a );
    subtract( core->b, box->center, b );
    for ( int k = 0; k < 3; ++k )
    {
        reach += box->half[k] * fabs( dot( box->axes[k], direction ) );
    }
    double least = fmin( dot( a, direction ), dot( b, direction ) );
    double most = fmax( dot( a, direction ), dot( b, direction ) );
    return length > 1e-9 ? fmin( reach - least, reach + most ) / length : INFINITY;
}

double roundDepthInBox( const RoundCore* core, const SatBox* box )
{
    double distance = roundDistanceToBox( core, box );
    if ( distance > 1e-9 )
    {
        return core->radius - distance;
    }
    double least = INFINITY, along[3];
    subtract( core->b, core->a, along );
    for ( int k = 0; k < 3; ++k )
    {
        const double* axis = box->axes[k];
        const double cross[3] = { axis[1] * along[2] - axis[2] * along[1],
            axis[2] * along[0] - axis[0] * along[2], axis[0] * along[1] - axis[1] * along[0] };
        least = fmin( least, overlapWithBox( core, box, axis ) );
        least = fmin( least, overlapWithBox( core, box, cross ) );
    }
    return core->radius + fmax( least, 0.0 );
}
