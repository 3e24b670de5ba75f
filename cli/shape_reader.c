// SPDX-License-Identifier: MIT
#include "shape_reader.h"

#include <stdlib.h>
#include <string.h>

// --- poses ------------------------------------------------------------------------------------------------

bool joReadPose3( joJsonReader* reader, const json_t* owner, const char* key, joTransform3* pose )
{
    static const char* const keys[] = { "position", "rotation", NULL };
    *pose = joMakeIdentity3();
    json_t* object = json_object_get( owner, key );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, key, 0 );
    float position[3] = { 0.0f }, rotation[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "position", position, 3, true ) ||
         !joReadMember( reader, object, "rotation", rotation, 4, true ) )
    {
        return false;
    }
    pose->position = ( joVec3 ){ position[0], position[1], position[2] };
    pose->rotation = ( joQuat ){ rotation[0], rotation[1], rotation[2], rotation[3] };
    const joResult result = joCheckTransform3( pose );
    if ( result )
    {
        return joRefuse( reader, "%s", joResultText( result ) );
    }
    joLeaveField( reader );
    return true;
}

bool joReadPose2( joJsonReader* reader, const json_t* owner, const char* key, joTransform2* pose )
{
    static const char* const keys[] = { "position", "rotation", "angle", NULL };
    *pose = joMakeIdentity2();
    json_t* object = json_object_get( owner, key );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, key, 0 );
    float position[2] = { 0.0f }, rotation[2] = { 1.0f, 0.0f }, angle = 0.0f;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "position", position, 2, true ) ||
         !joReadMember( reader, object, "rotation", rotation, 2, true ) ||
         !joReadMember( reader, object, "angle", &angle, 1, true ) )
    {
        return false;
    }
    const bool hasAngle = json_object_get( object, "angle" ) != NULL;
    if ( hasAngle && json_object_get( object, "rotation" ) != NULL )
    {
        return joRefuse( reader, "has a rotation and an angle" );
    }
    pose->position = ( joVec2 ){ position[0], position[1] };
    pose->rotation = hasAngle ? joMakeRot2( angle ) : ( joRot2 ){ rotation[0], rotation[1] };
    const joResult result = joCheckTransform2( pose );
    if ( result )
    {
        return joRefuse( reader, "%s", joResultText( result ) );
    }
    joLeaveField( reader );
    return true;
}

// --- shapes -----------------------------------------------------------------------------------------------

static bool ReadBall( joJsonReader* reader, json_t* object, int dimension, float* center, float* radius )
{
    static const char* const keys[] = { "kind", "pose", "center", "radius", NULL };
    return joCheckKeys( reader, object, keys ) &&
           joReadMember( reader, object, "center", center, (size_t)dimension, true ) &&
           joReadMember( reader, object, "radius", radius, 1, false );
}

// Capsules and segments. `ends`: a, then b.
static bool ReadStick(
    joJsonReader* reader, json_t* object, int dimension, bool hasRadius, float ends[6], float* radius )
{
    static const char* const capsuleKeys[] = { "kind", "pose", "points", "radius", NULL };
    static const char* const segmentKeys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count;
    if ( !joCheckKeys( reader, object, hasRadius ? capsuleKeys : segmentKeys ) ||
         !joReadPoints( reader, object, (size_t)dimension, 2, &points, &count ) )
    {
        return false;
    }
    memcpy( ends, points, 2 * (size_t)dimension * sizeof( float ) );
    free( points );
    return !hasRadius || joReadMember( reader, object, "radius", radius, 1, false );
}

static bool ReadBox3( joJsonReader* reader, json_t* object, joBox3* box )
{
    static const char* const keys[] = { "kind", "pose", "halfExtents", "localPose", NULL };
    float half[3];
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "halfExtents", half, 3, false ) ||
         !joReadPose3( reader, object, "localPose", &box->localPose ) )
    {
        return false;
    }
    box->halfExtents = ( joVec3 ){ half[0], half[1], half[2] };
    return true;
}

static bool ReadHalfSpace( joJsonReader* reader, json_t* object, joHalfSpace3* halfSpace )
{
    static const char* const keys[] = { "kind", "pose", "normal", "offset", NULL };
    float normal[3], offset = 0.0f;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "normal", normal, 3, false ) ||
         !joReadMember( reader, object, "offset", &offset, 1, true ) )
    {
        return false;
    }
    *halfSpace = ( joHalfSpace3 ){ { normal[0], normal[1], normal[2] }, offset };
    return true;
}

static bool ReadHull( joJsonReader* reader, json_t* object, joFileShape* target )
{
    static const char* const keys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count, bad;
    if ( !joCheckKeys( reader, object, keys ) || !joReadPoints( reader, object, 3, 0, &points, &count ) )
    {
        return false;
    }
    joVec3* corners = malloc( ( count + 1 ) * sizeof( joVec3 ) );
    joResult result = corners == NULL ? jo_errorOutOfMemory : jo_success;
    for ( uint32_t i = 0; i < count && !result; ++i )
    {
        corners[i] = ( joVec3 ){ points[3 * i], points[3 * i + 1], points[3 * i + 2] };
    }
    bad = JO_NULL_INDEX;
    result = result ? result : joCreateHull3( corners, count, NULL, &target->hull, &bad );
    free( corners );
    free( points );
    target->shape3.hull = target->hull;
    return !result || joRefusePoint( reader, result, bad );
}

static bool ReadPolygon( joJsonReader* reader, json_t* object, joPolygon2* polygon )
{
    static const char* const keys[] = { "kind", "pose", "points", "radius", NULL };
    float *points, radius = 0.0f;
    uint32_t count, bad = JO_NULL_INDEX;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "radius", &radius, 1, true ) ||
         !joReadPoints( reader, object, 2, 0, &points, &count ) )
    {
        return false;
    }
    joVec2 corners[JO_JSON_POINTS];
    for ( uint32_t i = 0; i < count; ++i )
    {
        corners[i] = ( joVec2 ){ points[2 * i], points[2 * i + 1] };
    }
    free( points );
    const joResult result = joMakePolygon2( corners, count, radius, polygon, &bad );
    return !result || joRefusePoint( reader, result, bad );
}

static bool ReadBox2( joJsonReader* reader, json_t* object, joPolygon2* polygon )
{
    static const char* const keys[] = { "kind", "pose", "halfExtents", "radius", NULL };
    float half[2], radius = 0.0f;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "halfExtents", half, 2, false ) ||
         !joReadMember( reader, object, "radius", &radius, 1, true ) )
    {
        return false;
    }
    if ( !( half[0] >= 0.0f && half[1] >= 0.0f ) )
    {
        joEnterField( reader, "halfExtents", 0 );
        return joRefuse( reader, "%s", joResultText( jo_errorBadShape ) );
    }
    *polygon = joMakeBox2( half[0], half[1] );
    polygon->radius = radius;
    return true;
}

static bool RefuseKind( joJsonReader* reader, int dimension, const char* kinds )
{
    joEnterField( reader, "kind", 0 );
    return joRefuse( reader, "not a kind in %dD; the kinds are %s", dimension, kinds );
}

static bool ReadShape3( joJsonReader* reader, json_t* object, joFileShape* target, const char* kind )
{
    joShape3* shape = &target->shape3;
    float numbers[6] = { 0.0f }, radius = 0.0f;
    bool good;
    if ( strcmp( kind, "sphere" ) == 0 )
    {
        good = ReadBall( reader, object, 3, numbers, &radius );
        shape->kind = jo_sphereShape3;
        shape->sphere = ( joSphere3 ){ { numbers[0], numbers[1], numbers[2] }, radius };
    }
    else if ( strcmp( kind, "capsule" ) == 0 )
    {
        good = ReadStick( reader, object, 3, true, numbers, &radius );
        shape->kind = jo_capsuleShape3;
        shape->capsule = ( joCapsule3 ){
            { numbers[0], numbers[1], numbers[2] }, { numbers[3], numbers[4], numbers[5] }, radius };
    }
    else if ( strcmp( kind, "box" ) == 0 )
    {
        shape->kind = jo_boxShape3;
        good = ReadBox3( reader, object, &shape->box );
    }
    else if ( strcmp( kind, "half-space" ) == 0 )
    {
        shape->kind = jo_halfSpaceShape3;
        good = ReadHalfSpace( reader, object, &shape->halfSpace );
    }
    else if ( strcmp( kind, "hull" ) == 0 )
    {
        shape->kind = jo_hullShape3;
        good = ReadHull( reader, object, target );
    }
    else if ( strcmp( kind, "mesh" ) == 0 )
    {
        shape->kind = jo_meshShape3;
        good = joReadMesh3( reader, object, target );
    }
    else
    {
        return RefuseKind( reader, 3, "sphere, capsule, box, hull, half-space, mesh" );
    }
    const joResult result = good ? joCheckShape3( shape ) : jo_success;
    good = good && ( !result || joRefuse( reader, "%s", joResultText( result ) ) );
    return good && joReadPose3( reader, object, "pose", &target->pose3 );
}

static bool ReadShape2( joJsonReader* reader, json_t* object, joFileShape* target, const char* kind )
{
    joShape2* shape = &target->shape2;
    float numbers[6] = { 0.0f }, radius = 0.0f;
    bool good;
    if ( strcmp( kind, "circle" ) == 0 )
    {
        good = ReadBall( reader, object, 2, numbers, &radius );
        shape->kind = jo_circleShape2;
        shape->circle = ( joCircle2 ){ { numbers[0], numbers[1] }, radius };
    }
    else if ( strcmp( kind, "capsule" ) == 0 )
    {
        good = ReadStick( reader, object, 2, true, numbers, &radius );
        shape->kind = jo_capsuleShape2;
        shape->capsule = ( joCapsule2 ){ { numbers[0], numbers[1] }, { numbers[2], numbers[3] }, radius };
    }
    else if ( strcmp( kind, "segment" ) == 0 )
    {
        good = ReadStick( reader, object, 2, false, numbers, &radius );
        shape->kind = jo_segmentShape2;
        shape->segment = ( joSegment2 ){ { numbers[0], numbers[1] }, { numbers[2], numbers[3] } };
    }
    else if ( strcmp( kind, "polygon" ) == 0 || strcmp( kind, "box" ) == 0 )
    {
        joPolygon2* polygon = target->polygon = malloc( sizeof( joPolygon2 ) );
        good = polygon != NULL || joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
        good = good && ( kind[0] == 'p' ? ReadPolygon( reader, object, polygon )
                                        : ReadBox2( reader, object, polygon ) );
        shape->kind = jo_polygonShape2;
        shape->polygon = polygon;
    }
    else if ( strcmp( kind, "chain" ) == 0 )
    {
        shape->kind = jo_chainShape2;
        good = joReadChain2( reader, object, target );
    }
    else
    {
        return RefuseKind( reader, 2, "circle, capsule, polygon, box, segment, chain" );
    }
    const joResult result = good ? joCheckShape2( shape ) : jo_success;
    good = good && ( !result || joRefuse( reader, "%s", joResultText( result ) ) );
    return good && joReadPose2( reader, object, "pose", &target->pose2 );
}

bool joReadShape( joJsonReader* reader, json_t* object, int dimension, joFileShape* shape )
{
    *shape = ( joFileShape ){ .dimension = dimension };
    if ( !json_is_object( object ) )
    {
        return joRefuse( reader, "not an object" );
    }
    const char* kind;
    if ( !joReadString( reader, object, "kind", &kind ) )
    {
        return false;
    }
    if ( kind == NULL )
    {
        return joRefuse( reader, "has no \"kind\"" );
    }
    return dimension == 3 ? ReadShape3( reader, object, shape, kind )
                          : ReadShape2( reader, object, shape, kind );
}

void joFreeFileShape( joFileShape* shape )
{
    joDestroyHull3( shape->hull, NULL );
    joDestroyMesh3( shape->mesh, NULL );
    joDestroyChain2( shape->chain, NULL );
    free( shape->polygon );
    free( shape->surface.points );
    free( shape->surface.parts );
    *shape = ( joFileShape ){ 0 };
}
