// SPDX-License-Identifier: MIT
// Rays at shapes in 2D. Each shape is a polygon of 1 to 16 vertices with a radius: from outside a ray meets
// what is round about one of its edges first. All in double and relative to the position of the shape's body;
// distances are rounded once, at the end, and what counts as a hit is decided by the rounded one, as in
// queries.
#include "narrow_phase/shape_rays_2d.h"

#include "base/assert.h"
#include "narrow_phase/convex_2d.h"
#include "narrow_phase/segments_3d.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>

// Vertices about the start of the ray.
typedef struct Outline
{
    joWide2 center;
    double reach; // no point of the shape is farther from its centre
    joWide2 vertices[JO_MAX_POLYGON_VERTICES];
    uint32_t count;
    double radius;
} Outline;

joFlatRay joMakeFlatRay( const joRay* ray )
{
    joWide2 along = { (double)ray->direction[0], (double)ray->direction[1] };
    double length = joLength2( along );
    return ( joFlatRay ){ .origin = { (double)ray->origin[0], (double)ray->origin[1] },
        .unit = length > 0.0 ? joScale2( 1.0 / length, along ) : along,
        .length = ray->length };
}

// Of an edge that rounding puts behind the start: whether the start is on the side from which the ray comes.
// For polygons it is by the sign of this product that the start counts as outside.
static bool isAheadWithinRounding( joWide2 a, joWide2 b, bool comesFromLeft, double distance )
{
    return distance > -1e-9 * ( joLength2( a ) + joLength2( b ) ) && joCross2( a, b ) != 0.0 &&
           ( joCross2( a, b ) > 0.0 ) == comesFromLeft;
}

void joCrossEdge2( const joFlatRay* ray, joWide2 a, joWide2 b, joFlatHit* hit )
{
    if ( joCross2( a, b ) == 0.0 && joDot2( a, b ) <= 0.0 )
    {
        *hit = ( joFlatHit ){ .distance = 0.0 };
        return;
    }
    double sideA = joCross2( ray->unit, a ), sideB = joCross2( ray->unit, b );
    double alongA = joDot2( ray->unit, a ), alongB = joDot2( ray->unit, b );
    bool isMoving = joDot2( ray->unit, ray->unit ) > 0.0;
    if ( !isMoving || ( sideA > 0.0 && sideB > 0.0 ) || ( sideA < 0.0 && sideB < 0.0 ) )
    {
        return;
    }
    double distance;
    joWide2 out;
    if ( sideA == sideB )
    {
        // It lies in the ray's line, and is met at the nearer of its ends.
        bool isStarted = ( alongA <= 0.0 ) != ( alongB <= 0.0 );
        distance = isStarted ? 0.0 : fmin( alongA, alongB );
        out = joScale2( -1.0, ray->unit );
    }
    else
    {
        distance = alongA + ( alongB - alongA ) * ( sideA / ( sideA - sideB ) );
        joWide2 left = joTurnLeft2( joSubtract2( b, a ) );
        out = joScale2( ( joDot2( left, ray->unit ) > 0.0 ? -1.0 : 1.0 ) / joLength2( left ), left );
    }
    if ( ( distance >= 0.0 || isAheadWithinRounding( a, b, sideB > sideA, distance ) ) &&
         distance < hit->distance )
    {
        *hit = ( joFlatHit ){ fmax( distance, 0.0 ), out };
    }
}

static joSegment3 inSpace( joWide2 a, joWide2 b )
{
    return ( joSegment3 ){ { a.x, a.y, 0.0 }, { b.x - a.x, b.y - a.y, 0.0 } };
}

// Where the ray enters what is within a radius of an edge. It starts outside of that.
static void enterRound( const joFlatRay* ray, joWide2 a, joWide2 b, double radius, joFlatHit* hit )
{
    joSegment3 core = inSpace( a, b );
    joWide3 unit = { ray->unit.x, ray->unit.y, 0.0 }, zero = { 0.0, 0.0, 0.0 };
    double first, last;
    if ( !joClipLineToCapsule3( zero, unit, &core, radius, &first, &last ) || last < 0.0 )
    {
        return;
    }
    first = fmax( first, 0.0 );
    if ( first < hit->distance )
    {
        joWide3 at = joScale3( first, unit );
        joWide3 out = joSubtract3( at, joSegment3_At( &core, joSegment3_FindNearest( &core, at ) ) );
        double length = joLength3( out );
        out = length > 0.0 ? joScale3( 1.0 / length, out ) : joScale3( -1.0, unit );
        // As long as what has been rounded on the way to there.
        out = joMeetAgainst3( out, joScale3( joLength2( a ) + joLength2( b ), unit ), radius );
        *hit = ( joFlatHit ){ first, { out.x, out.y } };
    }
}

static bool isNear( joWide2 a, joWide2 b, double radius )
{
    joSegment3 core = inSpace( a, b );
    joWide3 zero = { 0.0, 0.0, 0.0 };
    return joLength3( joSegment3_At( &core, joSegment3_FindNearest( &core, zero ) ) ) <= radius;
}

// Whether the start of the ray is within the shape or on its surface.
static bool startsWithin( const Outline* outline )
{
    bool isLeft = outline->count > 2;
    for ( uint32_t i = 0; i < outline->count; ++i )
    {
        joWide2 a = outline->vertices[i], b = outline->vertices[i + 1 == outline->count ? 0 : i + 1];
        isLeft = isLeft && joCross2( a, b ) >= 0.0;
        if ( isNear( a, b, outline->radius ) )
        {
            return true;
        }
    }
    return isLeft;
}

static Outline makeOutline( const joShape2* shape, const joTransform2* pose, const joFlatRay* ray )
{
    joPolygon2 own;
    const joPolygon2* polygon = joToPolygon2( shape, &own );
    joPose2 turn = joWidenPose2( *pose );
    joWide2 start = joSubtract2( ray->origin, joWiden2( pose->position ) );
    Outline outline = { .count = polygon->count, .radius = (double)polygon->radius };
    for ( uint32_t i = 0; i < outline.count; ++i )
    {
        outline.vertices[i] = joSubtract2( joTurn2( &turn, joWiden2( polygon->vertices[i] ) ), start );
    }
    outline.center = joSubtract2( joTurn2( &turn, joWiden2( polygon->center ) ), start );
    outline.reach = 1.5 * (double)polygon->extent + outline.radius;
    return outline;
}

void joTakeFlatHit( const joFlatRay* ray, const joFlatHit* found, joRayHit2* hit )
{
    float rounded = (float)fmin( found->distance, (double)FLT_MAX );
    if ( isinf( found->distance ) || !( rounded <= ray->length ) )
    {
        return;
    }
    hit->distance = rounded;
    hit->point = joNarrow2( joAddScaled2( ray->origin, found->distance, ray->unit ) );
    hit->normal = rounded > 0.0f ? joNarrow2( found->normal ) : ( joVec2 ){ 0.0f, 0.0f };
}

static void castAtConvex( const joShape2* shape, const joTransform2* pose, const joRay* ray, joRayHit2* hit )
{
    joFlatRay flat = joMakeFlatRay( ray );
    Outline outline = makeOutline( shape, pose, &flat );
    joFlatHit found = { .distance = INFINITY };
    uint32_t edges = outline.count == 2 ? 1 : outline.count; // both sides are the same
    // From far away a small polygon has no inside and no outside.
    if ( joLength2( outline.center ) <= outline.reach && startsWithin( &outline ) )
    {
        found.distance = 0.0;
        edges = 0;
    }
    bool isMoving = joDot2( flat.unit, flat.unit ) > 0.0;
    for ( uint32_t i = 0; i < edges; ++i )
    {
        joWide2 a = outline.vertices[i], b = outline.vertices[i + 1 == outline.count ? 0 : i + 1];
        if ( outline.radius > 0.0 && isMoving )
        {
            enterRound( &flat, a, b, outline.radius, &found );
        }
        // A radius that is nothing beside the distance is lost in rounding. Polygons are met at edges that
        // face the ray.
        if ( outline.count < 3 || joCross2( joSubtract2( b, a ), flat.unit ) > 0.0 )
        {
            joCrossEdge2( &flat, a, b, &found );
        }
    }
    joTakeFlatHit( &flat, &found, hit );
}

static joResult castAtShape(
    const joShape2* shape, const joTransform2* pose, const joRay* ray, joRayHit2* hit )
{
    joResult result = joCheckShape2( shape );
    result = result ? result : joCheckTransform2( pose );
    result = result ? result : joCheckShapeRay( ray, 2 );
    if ( !result && shape->kind == jo_chainShape2 )
    {
        joChainRayHit2 chainHit = { .hit = *hit };
        joCastRayInto2( shape->chain, pose, ray, &chainHit );
        *hit = chainHit.hit;
    }
    else if ( !result )
    {
        castAtConvex( shape, pose, ray, hit );
    }
    return result;
}

joResult joCastRayAtShape2(
    const joShape2* shape, const joTransform2* pose, const joRay* ray, joRayHit2* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joRayHit2 ){ .distance = INFINITY };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = castAtShape( shape, pose, ray, hit );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joCastRayAtPolygon2(
    const joPolygon2* polygon, const joTransform2* pose, const joRay* ray, joRayHit2* hit )
{
    const joShape2 shape = { .kind = jo_polygonShape2, .polygon = polygon };
    return joCastRayAtShape2( &shape, pose, ray, hit );
}

joResult joCastRayAtSegment2(
    const joSegment2* segment, const joTransform2* pose, const joRay* ray, joRayHit2* hit )
{
    joShape2 shape = { .kind = jo_segmentShape2 };
    if ( segment != NULL )
    {
        shape.segment = *segment;
    }
    return joCastRayAtShape2( segment != NULL ? &shape : NULL, pose, ray, hit );
}
