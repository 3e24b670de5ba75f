// SPDX-License-Identifier: MIT
// The convex polygon in 2D: built from points, checked, its bounds, area, mass and support point.
//
// The hull is found by gift wrapping (Jarvis, "On the Identification of the Convex Hull of a Finite Set of
// Points in the Plane", 1973): a polygon has few corners, and it needs no memory. What rounding may leave
// wrong there, corners that are hardly any, is taken out afterwards.
#include "base/float_env.h"
#include "jostle/shapes_2d.h"
#include "math/rotation.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"

#include <math.h>

// Corners of a hull before those that are hardly any are taken out.
#define MAX_CORNERS 256

// A corner that stands out by less than this share of the hull's size is none. Far above the rounding of
// normals, so that each of those turns on from the last. Tested by: test_polygon_2d, "what is built is
// convex".
#define LEAST_CORNER 1e-6

// How far a normal may be from unit length, and from a right angle to its edge.
#define NORMAL_TOLERANCE 1e-5

static double cross( double ax, double ay, double bx, double by )
{
    return ax * by - ay * bx;
}

typedef struct Hull
{
    const joVec2* points;
    uint32_t corners[MAX_CORNERS]; // indices, counter-clockwise
    uint32_t count;
} Hull;

static double differenceX( const Hull* hull, uint32_t from, uint32_t to )
{
    return (double)hull->points[to].x - (double)hull->points[from].x;
}

static double differenceY( const Hull* hull, uint32_t from, uint32_t to )
{
    return (double)hull->points[to].y - (double)hull->points[from].y;
}

static double distanceSq( const Hull* hull, uint32_t from, uint32_t to )
{
    double x = differenceX( hull, from, to ), y = differenceY( hull, from, to );
    return x * x + y * y;
}

// The corner after `corner`: all points are to the left of the way there. The farthest of those in one line.
static uint32_t wrapNext( const Hull* hull, uint32_t count, uint32_t corner )
{
    uint32_t next = corner;
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( next == corner )
        {
            next = distanceSq( hull, corner, i ) > 0.0 ? i : next;
            continue;
        }
        double turn = cross( differenceX( hull, corner, next ), differenceY( hull, corner, next ),
            differenceX( hull, corner, i ), differenceY( hull, corner, i ) );
        if ( turn < 0.0 ||
             ( turn == 0.0 && distanceSq( hull, corner, i ) > distanceSq( hull, corner, next ) ) )
        {
            next = i;
        }
    }
    return next;
}

// Goes round until it comes to a point again: by rounding that may be another one than the first.
static void wrap( Hull* hull, uint32_t count )
{
    uint32_t corner = 0;
    for ( uint32_t i = 1; i < count; ++i )
    {
        joVec2 p = hull->points[i], least = hull->points[corner];
        corner = p.x < least.x || ( p.x == least.x && p.y < least.y ) ? i : corner;
    }
    hull->count = 0;
    while ( hull->count < MAX_CORNERS )
    {
        for ( uint32_t k = 0; k < hull->count; ++k )
        {
            if ( distanceSq( hull, hull->corners[k], corner ) == 0.0 )
            {
                hull->count -= k;
                for ( uint32_t i = 0; i < hull->count; ++i )
                {
                    hull->corners[i] = hull->corners[i + k];
                }
                return;
            }
        }
        hull->corners[hull->count++] = corner;
        corner = wrapNext( hull, count, corner );
    }
}

// How far a corner stands out from the line between its neighbours.
static double standsOut( const Hull* hull, uint32_t k )
{
    uint32_t before = hull->corners[( k + hull->count - 1 ) % hull->count];
    uint32_t after = hull->corners[( k + 1 ) % hull->count];
    uint32_t corner = hull->corners[k];
    double x = differenceX( hull, before, after ), y = differenceY( hull, before, after );
    double length = sqrt( x * x + y * y );
    return length > 0.0
               ? cross( differenceX( hull, before, corner ), differenceY( hull, before, corner ), x, y ) /
                     length
               : 0.0;
}

// Takes out the corner that stands out least, until all stand out.
static void simplify( Hull* hull, double least )
{
    while ( hull->count >= 3 )
    {
        uint32_t flattest = 0;
        double out = INFINITY;
        for ( uint32_t k = 0; k < hull->count; ++k )
        {
            double own = standsOut( hull, k );
            flattest = own < out ? k : flattest;
            out = joSmallerOf( out, own );
        }
        if ( out > least )
        {
            return;
        }
        hull->count -= 1;
        for ( uint32_t k = flattest; k < hull->count; ++k )
        {
            hull->corners[k] = hull->corners[k + 1];
        }
    }
}

static joVec2 normalOf( joVec2 from, joVec2 to )
{
    double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
    double length = sqrt( x * x + y * y );
    return ( joVec2 ){ (float)( y / length ), (float)( -x / length ) };
}

// The middle of the vertices, and how far they reach from it.
static void findCenter( joPolygon2* polygon )
{
    joVec2 lower = polygon->vertices[0], upper = lower;
    for ( uint32_t i = 1; i < polygon->count; ++i )
    {
        joVec2 v = polygon->vertices[i];
        lower = ( joVec2 ){ v.x < lower.x ? v.x : lower.x, v.y < lower.y ? v.y : lower.y };
        upper = ( joVec2 ){ v.x > upper.x ? v.x : upper.x, v.y > upper.y ? v.y : upper.y };
    }
    polygon->center = ( joVec2 ){ 0.5f * ( lower.x + upper.x ), 0.5f * ( lower.y + upper.y ) };
    polygon->extent = 0.0f;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        float x = fabsf( polygon->vertices[i].x - polygon->center.x );
        float y = fabsf( polygon->vertices[i].y - polygon->center.y );
        float reach = x > y ? x : y;
        polygon->extent = reach > polygon->extent ? reach : polygon->extent;
    }
}

static joResult checkPoints( const joVec2* points, uint32_t count, uint32_t* badIndex )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float values[2] = { points[i].x, points[i].y };
        joResult result = joCheckNumbers( values, 2, JO_MAX_SIZE, jo_errorBadShape );
        if ( result )
        {
            *badIndex = i;
            return result;
        }
    }
    return jo_success;
}

static double sizeOf( const joVec2* points, uint32_t count )
{
    double size = 0.0;
    for ( uint32_t i = 1; i < count; ++i )
    {
        size = joLargerOf( size, fabs( (double)points[i].x - (double)points[0].x ) );
        size = joLargerOf( size, fabs( (double)points[i].y - (double)points[0].y ) );
    }
    return size;
}

static joResult makePolygon(
    const joVec2* points, uint32_t count, float radius, joPolygon2* polygon, uint32_t* badIndex )
{
    joResult result = checkPoints( points, count, badIndex );
    result = result ? result : joCheckSize( radius );
    if ( result )
    {
        return result;
    }
    if ( count < 3 )
    {
        return jo_errorBadCount;
    }
    Hull hull = { .points = points };
    wrap( &hull, count );
    simplify( &hull, LEAST_CORNER * sizeOf( points, count ) );
    if ( hull.count < 3 )
    {
        return jo_errorBadShape;
    }
    if ( hull.count > JO_MAX_POLYGON_VERTICES )
    {
        *badIndex = hull.corners[JO_MAX_POLYGON_VERTICES];
        return jo_errorBadCount;
    }
    *polygon = ( joPolygon2 ){ .count = hull.count, .radius = radius };
    for ( uint32_t i = 0; i < hull.count; ++i )
    {
        polygon->vertices[i] = points[hull.corners[i]];
        polygon->normals[i] = normalOf( polygon->vertices[i], points[hull.corners[( i + 1 ) % hull.count]] );
    }
    findCenter( polygon );
    return jo_success;
}

joResult joMakePolygon2(
    const joVec2* points, uint32_t count, float radius, joPolygon2* polygon, uint32_t* badIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = points == NULL || polygon == NULL ? jo_errorNullArgument : jo_success;
    if ( !result )
    {
        joFloatEnv env = joFloatEnv_Enter();
        result = makePolygon( points, count, radius, polygon, &bad );
        joFloatEnv_Leave( env );
    }
    if ( badIndex != NULL )
    {
        *badIndex = bad;
    }
    return result;
}

joPolygon2 joMakeBox2( float halfX, float halfY )
{
    joPolygon2 box = { .extent = halfX > halfY ? halfX : halfY };
    if ( halfX != 0.0f && halfY != 0.0f )
    {
        return ( joPolygon2 ){
            .vertices = { { -halfX, -halfY }, { halfX, -halfY }, { halfX, halfY }, { -halfX, halfY } },
            .normals = { { 0.0f, -1.0f }, { 1.0f, 0.0f }, { 0.0f, 1.0f }, { -1.0f, 0.0f } },
            .count = 4,
            .extent = box.extent,
        };
    }
    box.vertices[0] = ( joVec2 ){ 0.0f - halfX, 0.0f - halfY };
    box.count = 1;
    if ( halfX != 0.0f || halfY != 0.0f )
    {
        box.vertices[1] = ( joVec2 ){ halfX, halfY };
        box.normals[0] = halfX != 0.0f ? ( joVec2 ){ 0.0f, -1.0f } : ( joVec2 ){ 1.0f, 0.0f };
        box.normals[1] = halfX != 0.0f ? ( joVec2 ){ 0.0f, 1.0f } : ( joVec2 ){ -1.0f, 0.0f };
        box.count = 2;
    }
    return box;
}

// Of directions in the order of their angle from that of x, whether it is in the second half.
static bool isLower( joVec2 direction )
{
    return direction.y < 0.0f || ( direction.y == 0.0f && direction.x < 0.0f );
}

// Whether edge i goes along its normal, turned by a right angle; and the normals turn on. `turns`: how many
// of the normals come after the direction of x, seen from the one before.
static bool isGoodEdge( const joPolygon2* polygon, uint32_t i, int* turns )
{
    uint32_t next = i + 1 == polygon->count ? 0 : i + 1;
    joVec2 from = polygon->vertices[i], to = polygon->vertices[next];
    joVec2 n = polygon->normals[i], m = polygon->normals[next];
    double nx = (double)n.x, ny = (double)n.y, mx = (double)m.x, my = (double)m.y;
    double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
    double slack = NORMAL_TOLERANCE * sqrt( x * x + y * y );
    double along = x * -ny + y * nx;
    *turns += isLower( n ) && !isLower( m );
    return fabs( nx * nx + ny * ny - 1.0 ) <= NORMAL_TOLERANCE && fabs( x * nx + y * ny ) <= slack &&
           along > 0.0 && ( polygon->count == 2 || cross( nx, ny, mx, my ) > 0.0 );
}

static joResult checkPolygon( const joPolygon2* polygon )
{
    uint32_t count = polygon->count;
    if ( count == 0 || count > JO_MAX_POLYGON_VERTICES )
    {
        return jo_errorBadShape;
    }
    const float rest[4] = { polygon->center.x, polygon->center.y, polygon->extent, polygon->radius };
    joResult result =
        joCheckNumbers( &polygon->vertices[0].x, (int)( 2 * count ), JO_MAX_SIZE, jo_errorBadShape );
    result = joWorseOf(
        result, joCheckNumbers( &polygon->normals[0].x, (int)( 2 * count ), 2.0f, jo_errorBadShape ) );
    result = joWorseOf( result, joCheckNumbers( rest, 4, JO_MAX_SIZE, jo_errorBadShape ) );
    result = joWorseOf( result, joCheckSize( polygon->radius ) );
    if ( result )
    {
        return result;
    }
    bool isGood = polygon->extent >= 0.0f;
    int turns = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        isGood = ( count == 1 || isGoodEdge( polygon, i, &turns ) ) && isGood;
        joVec2 v = polygon->vertices[i];
        isGood = isGood && fabsf( v.x - polygon->center.x ) <= polygon->extent * 1.00001f &&
                 fabsf( v.y - polygon->center.y ) <= polygon->extent * 1.00001f;
    }
    return isGood && turns == ( count == 1 ? 0 : 1 ) ? jo_success : jo_errorBadShape;
}

joResult joCheckPolygon2( const joPolygon2* polygon )
{
    if ( polygon == NULL )
    {
        return jo_errorNullArgument;
    }
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = checkPolygon( polygon );
    joFloatEnv_Leave( env );
    return result;
}

joBounds2 joComputePolygonBounds2( const joPolygon2* polygon, joTransform2 pose )
{
    return joComputePolygonSweptBounds2( polygon, pose, pose );
}

static joBounds2 straightBounds( const joPolygon2* polygon, joTransform2 from, joTransform2 to )
{
    joPose2 pose = joWidenPose2( from );
    double lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY };
    pose.position[0] = pose.position[1] = 0.0;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        const double local[2] = { (double)polygon->vertices[i].x, (double)polygon->vertices[i].y };
        double turned[2];
        joPose2_Apply( &pose, local, turned );
        for ( int axis = 0; axis < 2; ++axis )
        {
            lower[axis] = joSmallerOf( lower[axis], turned[axis] );
            upper[axis] = joLargerOf( upper[axis], turned[axis] );
        }
    }
    const double first[2] = { (double)from.position.x, (double)from.position.y };
    const double last[2] = { (double)to.position.x, (double)to.position.y };
    for ( int axis = 0; axis < 2; ++axis )
    {
        lower[axis] = joSmallerOf( first[axis], last[axis] ) + ( lower[axis] - (double)polygon->radius );
        upper[axis] = joLargerOf( first[axis], last[axis] ) + ( upper[axis] + (double)polygon->radius );
    }
    return joRoundBounds2( lower, upper );
}

joBounds2 joComputePolygonSweptBounds2( const joPolygon2* polygon, joTransform2 from, joTransform2 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    double reach = 0.0;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        double x = (double)polygon->vertices[i].x, y = (double)polygon->vertices[i].y;
        reach = joLargerOf( reach, sqrt( x * x + y * y ) );
    }
    joBounds2 bounds = joHaveSameRotation2( &from, &to )
                           ? straightBounds( polygon, from, to )
                           : joComputeReachBounds2( &from, &to, reach + (double)polygon->radius );
    joFloatEnv_Leave( env );
    return bounds;
}

joVec2 joFindPolygonSupport2( const joPolygon2* polygon, joVec2 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    double x = (double)direction.x, y = (double)direction.y, length = sqrt( x * x + y * y );
    uint32_t farthest = 0;
    double most = -INFINITY;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        double along = x * (double)polygon->vertices[i].x + y * (double)polygon->vertices[i].y;
        farthest = along > most ? i : farthest;
        most = joLargerOf( most, along );
    }
    double beyond = length > 0.0 ? (double)polygon->radius / length : 0.0;
    joVec2 support = { (float)( (double)polygon->vertices[farthest].x + x * beyond ),
        (float)( (double)polygon->vertices[farthest].y + y * beyond ) };
    joFloatEnv_Leave( env );
    return support;
}
