// SPDX-License-Identifier: MIT
// Rays at shapes in 3D. All in double and relative to the position of the shape's body; distances are
// rounded once, at the end, and what counts as a hit is decided by the rounded one, as in queries.
#include "base/assert.h"
#include "jostle/mesh_3d.h"
#include "narrow_phase/hull_3d.h"
#include "narrow_phase/segments_3d.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>

typedef struct WideRay
{
    joWide3 start; // from the position of the body
    joWide3 unit;  // zero where the ray has no direction
    float length;
} WideRay;

static WideRay makeRay( const joRay* ray, joWide3 position )
{
    joWide3 origin = { (double)ray->origin[0], (double)ray->origin[1], (double)ray->origin[2] };
    joWide3 way = { (double)ray->direction[0], (double)ray->direction[1], (double)ray->direction[2] };
    double length = joLength3( way );
    return ( WideRay ){
        joSubtract3( origin, position ), length > 0.0 ? joScale3( 1.0 / length, way ) : way, ray->length };
}

// The hit at a distance along the ray, with an outward normal; within the shape the distance is 0 and there
// is no normal.
static void setHit( const joRay* ray, const WideRay* wide, double distance, joWide3 normal, joRayHit3* hit )
{
    float rounded = (float)fmin( distance, (double)FLT_MAX );
    if ( !( rounded <= wide->length ) )
    {
        return;
    }
    hit->distance = rounded;
    hit->normal = rounded > 0.0f ? joNarrow3( normal ) : ( joVec3 ){ 0.0f, 0.0f, 0.0f };
    hit->point.x = (float)( (double)ray->origin[0] + distance * wide->unit.x );
    hit->point.y = (float)( (double)ray->origin[1] + distance * wide->unit.y );
    hit->point.z = (float)( (double)ray->origin[2] + distance * wide->unit.z );
}

static void castAtCore(
    const joRay* ray, const WideRay* wide, const joSegment3* core, double radius, joRayHit3* hit )
{
    joWide3 zero = { 0.0, 0.0, 0.0 };
    joWide3 from =
        joSubtract3( wide->start, joSegment3_At( core, joSegment3_FindNearest( core, wide->start ) ) );
    double first, last;
    if ( joLength3( from ) <= radius )
    {
        setHit( ray, wide, 0.0, zero, hit );
        return;
    }
    if ( joDot3( wide->unit, wide->unit ) == 0.0 ||
         !joClipLineToCapsule3( wide->start, wide->unit, core, radius, &first, &last ) || last < 0.0 )
    {
        return;
    }
    first = fmax( first, 0.0 );
    joWide3 at = joAddScaled3( wide->start, first, wide->unit );
    joWide3 out = joSubtract3( at, joSegment3_At( core, joSegment3_FindNearest( core, at ) ) );
    double length = joLength3( out );
    out = length > 0.0 ? joScale3( 1.0 / length, out ) : joScale3( -1.0, wide->unit );
    // As long as what has been rounded on the way to there.
    joWide3 way = joScale3( joLength3( wide->start ) + joLength3( core->along ) + first, wide->unit );
    setHit( ray, wide, first, joMeetAgainst3( out, way, radius ), hit );
}

static void castAtCapsule(
    const joCapsule3* capsule, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    WideRay wide = makeRay( ray, joWiden3( pose->position ) );
    joWide3 along = joSubtract3( joWiden3( capsule->b ), joWiden3( capsule->a ) );
    joSegment3 core = { joTurn3( &rotation, joWiden3( capsule->a ) ), joTurn3( &rotation, along ) };
    castAtCore( ray, &wide, &core, (double)capsule->radius, hit );
}

static void castAtHalfSpace(
    const joHalfSpace3* halfSpace, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    WideRay wide = makeRay( ray, joWiden3( pose->position ) );
    joWide3 up = joTurn3( &rotation, joWiden3( halfSpace->normal ) );
    up = joScale3( 1.0 / joLength3( up ), up );
    double height = joDot3( wide.start, up ) - (double)halfSpace->offset, rate = joDot3( wide.unit, up );
    if ( height <= 0.0 )
    {
        setHit( ray, &wide, 0.0, ( joWide3 ){ 0.0, 0.0, 0.0 }, hit );
    }
    else if ( rate < 0.0 )
    {
        setHit( ray, &wide, height / -rate, up, hit );
    }
}

static void castAtBox( const joBox3* box, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    joTransform3 turned = { { 0.0f, 0.0f, 0.0f }, pose->rotation };
    joPose3 place = joComposePose3( turned, box->localPose );
    WideRay wide = makeRay( ray, joWiden3( pose->position ) );
    joWide3 center = { place.position[0], place.position[1], place.position[2] };
    joWide3 start = joTurnBack3( &place.rotation, joSubtract3( wide.start, center ) );
    joWide3 unit = joTurnBack3( &place.rotation, wide.unit );
    const double starts[3] = { start.x, start.y, start.z }, units[3] = { unit.x, unit.y, unit.z };
    const double half[3] = {
        (double)box->halfExtents.x, (double)box->halfExtents.y, (double)box->halfExtents.z };
    double first = 0.0, last = INFINITY, normal[3] = { 0.0, 0.0, 0.0 };
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( units[axis] == 0.0 )
        {
            last = fabs( starts[axis] ) <= half[axis] ? last : -1.0;
            continue;
        }
        double side = units[axis] > 0.0 ? -1.0 : 1.0; // of the face where the ray comes in
        double in = ( side * half[axis] - starts[axis] ) / units[axis];
        double out = ( -side * half[axis] - starts[axis] ) / units[axis];
        last = fmin( last, out );
        if ( in > first )
        {
            first = in;
            normal[0] = normal[1] = normal[2] = 0.0;
            normal[axis] = side;
        }
    }
    if ( first <= last )
    {
        joWide3 outward = joTurn3( &place.rotation, ( joWide3 ){ normal[0], normal[1], normal[2] } );
        setHit( ray, &wide, first, outward, hit );
    }
}

// Where the ray comes in through the planes of the faces (Cyrus and Beck, "Generalized Two- and Three-
// Dimensional Clipping", 1978): the last one that it comes in by, if it has not gone out before.
static void castAtHull( const joHull3* hull, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    const joPolytope view = joViewHull( hull );
    const joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    const WideRay wide = makeRay( ray, joWiden3( pose->position ) );
    const joWide3 start = joTurnBack3( &rotation, wide.start ), unit = joTurnBack3( &rotation, wide.unit );
    double first = 0.0, last = INFINITY;
    joWide3 outward = { 0.0, 0.0, 0.0 };
    for ( uint32_t face = 0; face < view.faceCount; ++face )
    {
        const float* n = view.planes[face].normal;
        const joWide3 normal = { (double)n[0], (double)n[1], (double)n[2] };
        const double rate = joDot3( normal, unit );
        const double height = joDot3( normal, start ) - (double)view.planes[face].offset;
        const double at = -height / rate;
        if ( rate == 0.0 )
        {
            last = height <= 0.0 ? last : -1.0;
        }
        else if ( rate > 0.0 )
        {
            last = at < last ? at : last;
        }
        else if ( at > first )
        {
            first = at;
            outward = normal;
        }
    }
    if ( first <= last )
    {
        outward = joTurn3( &rotation, outward );
        const double length = joLength3( outward );
        outward = length > 0.0 ? joScale3( 1.0 / length, outward ) : outward;
        setHit( ray, &wide, first, outward, hit );
    }
}

static joResult castAtMesh( const joMesh3* mesh, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    joMeshRayHit3 found;
    const joResult result = joCastRayAtMesh3( mesh, pose, ray, &found );
    if ( !result && found.triangle != JO_NULL_INDEX )
    {
        const WideRay wide = makeRay( ray, joWiden3( pose->position ) );
        setHit( ray, &wide, (double)found.distance, joWiden3( found.normal ), hit );
        hit->child = found.triangle;
    }
    return result;
}

static joResult castAtShape(
    const joShape3* shape, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    joResult result = joCheckShape3( shape );
    result = result ? result : joCheckTransform3( pose );
    result = result ? result : joCheckShapeRay( ray, 3 );
    if ( result )
    {
        return result;
    }
    switch ( shape->kind )
    {
        case jo_sphereShape3:
        {
            joCapsule3 point = { shape->sphere.center, shape->sphere.center, shape->sphere.radius };
            castAtCapsule( &point, pose, ray, hit );
            return jo_success;
        }
        case jo_capsuleShape3:
            castAtCapsule( &shape->capsule, pose, ray, hit );
            return jo_success;
        case jo_boxShape3:
            castAtBox( &shape->box, pose, ray, hit );
            return jo_success;
        case jo_halfSpaceShape3:
            castAtHalfSpace( &shape->halfSpace, pose, ray, hit );
            return jo_success;
        case jo_hullShape3:
            castAtHull( shape->hull, pose, ray, hit );
            return jo_success;
        case jo_meshShape3:
            return castAtMesh( shape->mesh, pose, ray, hit );
        case jo_shapeKindCount3:
            break;
    }
    return jo_errorBadShape;
}

joResult joCastRayAtShape3(
    const joShape3* shape, const joTransform3* pose, const joRay* ray, joRayHit3* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joRayHit3 ){ .distance = INFINITY };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = castAtShape( shape, pose, ray, hit );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
