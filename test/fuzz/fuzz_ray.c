// SPDX-License-Identifier: MIT
// Rays at any shape, in 2D and 3D: where they say that they enter it the shape begins, and before it there is
// nothing of it.
#include "fuzz_answers.h"
#include "fuzz_shapes_2d.h"
#include "fuzz_shapes_3d.h"

#include "jostle/collide.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

// What a ray met, in either dimension.
typedef struct RayAnswer
{
    joResult result, expected;
    double distance;
    double point[3], normal[3];
} RayAnswer;

// A shape of either dimension, to which a point is asked.
typedef struct Target
{
    int axisCount;
    FuzzShape2 flat;
    FuzzShape3 solid;
    joRay ray;
    double lower[3], upper[3];
} Target;

static void printTarget( const void* fuzzCase )
{
    const Target* target = fuzzCase;
    fputs( "{ ", stderr );
    target->axisCount == 2 ? printShape2( &target->flat ) : printShape3( &target->solid );
    fputs( ",\n  ", stderr );
    printNumbers( "origin", target->ray.origin, target->axisCount );
    fputs( ", ", stderr );
    printNumbers( "direction", target->ray.direction, target->axisCount );
    fprintf( stderr, ", \"length\": %.9g }\n", (double)target->ray.length );
}

static joResult checkRay( const joRay* ray, int axisCount )
{
    bool isFinite = true, isZero = true, isNumber = !isnan( ray->length );
    for ( int i = 0; i < axisCount; ++i )
    {
        isNumber = isNumber && !isnan( ray->origin[i] ) && !isnan( ray->direction[i] );
        isFinite = isFinite && isfinite( ray->origin[i] ) && isfinite( ray->direction[i] );
        isZero = isZero && ray->direction[i] == 0.0f;
    }
    const bool isGood = isFinite && ray->length >= 0.0f && !( isZero && ray->length > 0.0f );
    return !isNumber ? jo_errorNotANumber : isGood ? jo_success : jo_errorBadRay;
}

static RayAnswer ask2( Target* target )
{
    const FuzzShape2* shape = &target->flat;
    joRayHit2 hit;
    RayAnswer answer = { .expected = joCheckShape2( &shape->shape ) };
    answer.expected = answer.expected ? answer.expected : joCheckTransform2( &shape->pose );
    answer.result = joCastRayAtShape2( &shape->shape, &shape->pose, &target->ray, &hit );
    answer.distance = (double)hit.distance;
    const double point[2] = { (double)hit.point.x, (double)hit.point.y };
    const double normal[2] = { (double)hit.normal.x, (double)hit.normal.y };
    memcpy( answer.point, point, sizeof( point ) );
    memcpy( answer.normal, normal, sizeof( normal ) );
    if ( answer.expected == jo_success )
    {
        const joBounds2 bounds = joComputeShapeBounds2( &shape->shape, shape->pose );
        const double ends[4] = {
            (double)bounds.lower.x, (double)bounds.lower.y, (double)bounds.upper.x, (double)bounds.upper.y };
        memcpy( target->lower, ends, 2 * sizeof( double ) );
        memcpy( target->upper, ends + 2, 2 * sizeof( double ) );
    }
    return answer;
}

static RayAnswer ask3( Target* target )
{
    const FuzzShape3* shape = &target->solid;
    joRayHit3 hit;
    RayAnswer answer = { .expected = joCheckShape3( &shape->shape ) };
    answer.expected = answer.expected ? answer.expected : joCheckTransform3( &shape->pose );
    answer.result = joCastRayAtShape3( &shape->shape, &shape->pose, &target->ray, &hit );
    answer.distance = (double)hit.distance;
    const double point[3] = { (double)hit.point.x, (double)hit.point.y, (double)hit.point.z };
    const double normal[3] = { (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z };
    memcpy( answer.point, point, sizeof( point ) );
    memcpy( answer.normal, normal, sizeof( normal ) );
    if ( answer.expected == jo_success )
    {
        const joBounds3 bounds = joComputeShapeBounds3( &shape->shape, shape->pose );
        const double ends[6] = { (double)bounds.lower.x, (double)bounds.lower.y, (double)bounds.lower.z,
            (double)bounds.upper.x, (double)bounds.upper.y, (double)bounds.upper.z };
        memcpy( target->lower, ends, 3 * sizeof( double ) );
        memcpy( target->upper, ends + 3, 3 * sizeof( double ) );
    }
    return answer;
}

// How deep a point, rounded to float, is in the shape; negative: how far it is from it.
static double depthOf( const Target* target, const double point[3] )
{
    if ( target->axisCount == 2 )
    {
        const joShape2 dot = { .kind = jo_circleShape2 };
        joTransform2 pose = joMakeIdentity2();
        pose.position = ( joVec2 ){ (float)point[0], (float)point[1] };
        joManifold2 manifold;
        joClosestPoints2 closest;
        const FuzzShape2* shape = &target->flat;
        joCollide2( &shape->shape, &shape->pose, &dot, &pose, 0.0f, NULL, &manifold );
        joDistance2( &shape->shape, &shape->pose, &dot, &pose, NULL, &closest );
        return manifold.pointCount > 0 ? (double)manifold.depth : -(double)closest.distance;
    }
    const joShape3 dot = { .kind = jo_sphereShape3 };
    joTransform3 pose = joMakeIdentity3();
    pose.position = ( joVec3 ){ (float)point[0], (float)point[1], (float)point[2] };
    joManifold3 manifold;
    joClosestPoints3 closest;
    const FuzzShape3* shape = &target->solid;
    joCollide3( &shape->shape, &shape->pose, &dot, &pose, 0.0f, NULL, &manifold );
    joDistance3( &shape->shape, &shape->pose, &dot, &pose, NULL, &closest );
    return manifold.pointCount > 0 ? (double)manifold.depth : -(double)closest.distance;
}

static double lengthOf( const double v[3] )
{
    return sqrt( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
}

// The ray, widened. The unit of a ray without direction is zero.
typedef struct WideRay
{
    double origin[3], unit[3];
} WideRay;

static WideRay widenRay( const Target* target )
{
    WideRay wide = { .origin = { 0.0 } };
    double direction[3] = { 0.0 };
    for ( int i = 0; i < target->axisCount; ++i )
    {
        wide.origin[i] = (double)target->ray.origin[i];
        direction[i] = (double)target->ray.direction[i];
    }
    const double length = lengthOf( direction );
    for ( int i = 0; i < target->axisCount && length > 0.0; ++i )
    {
        wide.unit[i] = direction[i] / length;
    }
    return wide;
}

// No point of the ray up to `end` is in the shape: looked at where it is nearest to the middle of its bounds,
// at its start, and half way.
static void checkWayBefore( const Target* target, const WideRay* ray, double end, double tolerance )
{
    double middle = 0.0;
    for ( int i = 0; i < target->axisCount; ++i )
    {
        const double center = 0.5 * ( target->lower[i] + target->upper[i] );
        middle += isfinite( center ) ? ( center - ray->origin[i] ) * ray->unit[i] : 0.0;
    }
    middle = fmax( 0.0, fmin( middle, end ) );
    const double places[3] = { 0.0, middle, 0.5 * middle };
    for ( int k = 0; k < 3; ++k )
    {
        double point[3], largest = 0.0;
        for ( int i = 0; i < 3; ++i )
        {
            point[i] = ray->origin[i] + places[k] * ray->unit[i];
            largest = fmax( largest, fabs( point[i] ) );
        }
        require( !( depthOf( target, point ) > tolerance + 4.0 * (double)FLT_EPSILON * largest ),
            "there is nothing of the shape before the ray enters it" );
    }
}

static void checkHit( const Target* target, const WideRay* ray, const RayAnswer* answer, double tolerance )
{
    const bool isInside = answer->distance == 0.0;
    require(
        answer->distance >= 0.0 && answer->distance <= (double)target->ray.length, "a hit is on the ray" );
    require( isInside ? lengthOf( answer->normal ) == 0.0 : fabs( lengthOf( answer->normal ) - 1.0 ) < 1e-5,
        "a hit has a normal, but where the ray starts inside" );
    double away[3], largest = 0.0, slope = 0.0;
    for ( int i = 0; i < 3; ++i )
    {
        away[i] = answer->point[i] - ( ray->origin[i] + answer->distance * ray->unit[i] );
        largest = fmax( largest, fmax( fabs( answer->point[i] ), fabs( ray->origin[i] ) ) );
        slope += answer->normal[i] * ray->unit[i];
    }
    if ( largest < 1e30 )
    {
        const double rounding = 4.0 * (double)FLT_EPSILON * largest;
        require( lengthOf( away ) <= tolerance + rounding, "a hit's point is on the ray" );
        require( slope <= 1e-5, "a normal looks against the ray" );
        const double depth = depthOf( target, answer->point );
        require( depth >= -tolerance - rounding, "the shape begins where the ray enters it" );
        require( isInside || depth <= tolerance + rounding, "the ray enters the shape at its surface" );
    }
}

static void checkAnswer( const Target* target, const RayAnswer* answer )
{
    const joResult rayResult = checkRay( &target->ray, target->axisCount );
    const joResult expected = answer->expected ? answer->expected : rayResult;
    require( answer->result == expected ||
                 ( expected == jo_success && target->axisCount == 3 && answer->result == jo_errorNoSuchPair ),
        "the result of a ray" );
    if ( answer->result || isinf( answer->distance ) )
    {
        require( isinf( answer->distance ) && lengthOf( answer->point ) == 0.0 &&
                     lengthOf( answer->normal ) == 0.0,
            "no hit is none" );
    }
    if ( answer->result )
    {
        return;
    }
    const WideRay ray = widenRay( target );
    double lower[2][3], upper[2][3];
    memcpy( lower[0], target->lower, sizeof( lower[0] ) );
    memcpy( upper[0], target->upper, sizeof( upper[0] ) );
    memcpy( lower[1], ray.origin, sizeof( lower[1] ) );
    memcpy( upper[1], isinf( answer->distance ) ? ray.origin : answer->point, sizeof( upper[1] ) );
    const double tolerance =
        toleranceOfBounds( (const double( * )[3])lower, (const double( * )[3])upper, target->axisCount );
    if ( !isinf( answer->distance ) )
    {
        checkHit( target, &ray, answer, tolerance );
    }
    if ( answer->distance > 0.0 && tolerance < 1e20 )
    {
        checkWayBefore( target, &ray, fmin( answer->distance, (double)target->ray.length ), tolerance );
    }
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    Target target;
    memset( &target, 0, sizeof( target ) );
    target.axisCount = 2 + takeByte( &bytes ) % 2;
    target.ray = takeRay( &bytes );
    target.axisCount == 2 ? takeShape2( &bytes, &target.flat ) : takeShape3( &bytes, &target.solid );
    setCasePrinter( printTarget, &target );
    const RayAnswer answer = target.axisCount == 2 ? ask2( &target ) : ask3( &target );
    checkAnswer( &target, &answer );
    if ( target.axisCount == 3 )
    {
        dropShape3( &target.solid );
    }
    return 0;
}
