// SPDX-License-Identifier: MIT
#include "collide_scene.h"

#include "collide_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file with two shapes of at most some hundred points is far smaller.
#define MAX_FILE_BYTES ( 1 << 20 )

// --- poses ------------------------------------------------------------------------------------------------

static bool ReadPose3( joSceneReader* reader, const json_t* owner, const char* key, joTransform3* pose )
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

static bool ReadPose2( joSceneReader* reader, const json_t* owner, const char* key, joTransform2* pose )
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

static bool ReadBall( joSceneReader* reader, json_t* object, float* center, float* radius )
{
    static const char* const keys[] = { "kind", "pose", "center", "radius", NULL };
    return joCheckKeys( reader, object, keys ) &&
           joReadMember( reader, object, "center", center, (size_t)reader->scene->dimension, true ) &&
           joReadMember( reader, object, "radius", radius, 1, false );
}

// Capsules and segments. `ends`: a, then b.
static bool ReadStick( joSceneReader* reader, json_t* object, bool hasRadius, float ends[6], float* radius )
{
    static const char* const capsuleKeys[] = { "kind", "pose", "points", "radius", NULL };
    static const char* const segmentKeys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count;
    if ( !joCheckKeys( reader, object, hasRadius ? capsuleKeys : segmentKeys ) ||
         !joReadPoints( reader, object, 2, &points, &count ) )
    {
        return false;
    }
    memcpy( ends, points, 2 * (size_t)reader->scene->dimension * sizeof( float ) );
    free( points );
    return !hasRadius || joReadMember( reader, object, "radius", radius, 1, false );
}

static bool ReadBox3( joSceneReader* reader, json_t* object, joBox3* box )
{
    static const char* const keys[] = { "kind", "pose", "halfExtents", "localPose", NULL };
    float half[3];
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "halfExtents", half, 3, false ) ||
         !ReadPose3( reader, object, "localPose", &box->localPose ) )
    {
        return false;
    }
    box->halfExtents = ( joVec3 ){ half[0], half[1], half[2] };
    return true;
}

static bool ReadHalfSpace( joSceneReader* reader, json_t* object, joHalfSpace3* halfSpace )
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

static bool ReadHull( joSceneReader* reader, json_t* object, int index )
{
    static const char* const keys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count, bad;
    if ( !joCheckKeys( reader, object, keys ) || !joReadPoints( reader, object, 0, &points, &count ) )
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
    result = result ? result : joCreateHull3( corners, count, NULL, &reader->scene->hulls[index], &bad );
    free( corners );
    free( points );
    reader->scene->shapes3[index].hull = reader->scene->hulls[index];
    return !result || joRefusePoint( reader, result, bad );
}

static bool ReadPolygon( joSceneReader* reader, json_t* object, int index )
{
    static const char* const keys[] = { "kind", "pose", "points", "radius", NULL };
    float *points, radius = 0.0f;
    uint32_t count, bad = JO_NULL_INDEX;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "radius", &radius, 1, true ) ||
         !joReadPoints( reader, object, 0, &points, &count ) )
    {
        return false;
    }
    joVec2 corners[JO_SCENE_POINTS];
    for ( uint32_t i = 0; i < count; ++i )
    {
        corners[i] = ( joVec2 ){ points[2 * i], points[2 * i + 1] };
    }
    free( points );
    const joResult result = joMakePolygon2( corners, count, radius, &reader->scene->polygons[index], &bad );
    return !result || joRefusePoint( reader, result, bad );
}

static bool ReadBox2( joSceneReader* reader, json_t* object, joPolygon2* polygon )
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

static bool RefuseKind( joSceneReader* reader, const char* kinds )
{
    joEnterField( reader, "kind", 0 );
    return joRefuse( reader, "not a kind in %dD; the kinds are %s", reader->scene->dimension, kinds );
}

static bool ReadShape3( joSceneReader* reader, json_t* object, int index, const char* kind )
{
    joShape3* shape = &reader->scene->shapes3[index];
    float numbers[6] = { 0.0f }, radius = 0.0f;
    bool good;
    if ( strcmp( kind, "sphere" ) == 0 )
    {
        good = ReadBall( reader, object, numbers, &radius );
        shape->kind = jo_sphereShape3;
        shape->sphere = ( joSphere3 ){ { numbers[0], numbers[1], numbers[2] }, radius };
    }
    else if ( strcmp( kind, "capsule" ) == 0 )
    {
        good = ReadStick( reader, object, true, numbers, &radius );
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
        good = ReadHull( reader, object, index );
    }
    else if ( strcmp( kind, "mesh" ) == 0 )
    {
        shape->kind = jo_meshShape3;
        good = joReadMesh3( reader, object, index );
    }
    else
    {
        return RefuseKind( reader, "sphere, capsule, box, hull, half-space, mesh" );
    }
    const joResult result = good ? joCheckShape3( shape ) : jo_success;
    good = good && ( !result || joRefuse( reader, "%s", joResultText( result ) ) );
    return good && ReadPose3( reader, object, "pose", &reader->scene->poses3[index] );
}

static bool ReadShape2( joSceneReader* reader, json_t* object, int index, const char* kind )
{
    joShape2* shape = &reader->scene->shapes2[index];
    float numbers[6] = { 0.0f }, radius = 0.0f;
    bool good;
    if ( strcmp( kind, "circle" ) == 0 )
    {
        good = ReadBall( reader, object, numbers, &radius );
        shape->kind = jo_circleShape2;
        shape->circle = ( joCircle2 ){ { numbers[0], numbers[1] }, radius };
    }
    else if ( strcmp( kind, "capsule" ) == 0 )
    {
        good = ReadStick( reader, object, true, numbers, &radius );
        shape->kind = jo_capsuleShape2;
        shape->capsule = ( joCapsule2 ){ { numbers[0], numbers[1] }, { numbers[2], numbers[3] }, radius };
    }
    else if ( strcmp( kind, "segment" ) == 0 )
    {
        good = ReadStick( reader, object, false, numbers, &radius );
        shape->kind = jo_segmentShape2;
        shape->segment = ( joSegment2 ){ { numbers[0], numbers[1] }, { numbers[2], numbers[3] } };
    }
    else if ( strcmp( kind, "polygon" ) == 0 || strcmp( kind, "box" ) == 0 )
    {
        joPolygon2* polygon = &reader->scene->polygons[index];
        good = kind[0] == 'p' ? ReadPolygon( reader, object, index ) : ReadBox2( reader, object, polygon );
        shape->kind = jo_polygonShape2;
        shape->polygon = polygon;
    }
    else if ( strcmp( kind, "chain" ) == 0 )
    {
        shape->kind = jo_chainShape2;
        good = joReadChain2( reader, object, index );
    }
    else
    {
        return RefuseKind( reader, "circle, capsule, polygon, box, segment, chain" );
    }
    const joResult result = good ? joCheckShape2( shape ) : jo_success;
    good = good && ( !result || joRefuse( reader, "%s", joResultText( result ) ) );
    return good && ReadPose2( reader, object, "pose", &reader->scene->poses2[index] );
}

static bool ReadShape( joSceneReader* reader, const json_t* root, int index )
{
    const char* key = index == 0 ? "a" : "b";
    json_t* object = json_object_get( root, key );
    if ( object == NULL )
    {
        return joRefuse( reader, "has no \"%s\"", key );
    }
    joEnterField( reader, key, 0 );
    const json_t* kind = json_object_get( object, "kind" );
    if ( !json_is_object( object ) )
    {
        return joRefuse( reader, "not an object" );
    }
    if ( kind == NULL )
    {
        return joRefuse( reader, "has no \"kind\"" );
    }
    if ( !json_is_string( kind ) )
    {
        joEnterField( reader, "kind", 0 );
        return joRefuse( reader, "not a string" );
    }
    const char* name = json_string_value( kind );
    if ( reader->scene->dimension == 3 ? !ReadShape3( reader, object, index, name )
                                       : !ReadShape2( reader, object, index, name ) )
    {
        return false;
    }
    joLeaveField( reader );
    return true;
}

// --- the file ---------------------------------------------------------------------------------------------

static bool ReadHead( joSceneReader* reader, json_t* root )
{
    static const char* const keys[] = { "about", "dimension", "a", "b", "margin", "motion", NULL };
    joCollideScene* scene = reader->scene;
    float dimension = 0.0f;
    if ( !joCheckKeys( reader, root, keys ) ||
         !joReadMember( reader, root, "dimension", &dimension, 1, false ) )
    {
        return false;
    }
    scene->dimension = dimension == 3.0f ? 3 : 2;
    if ( dimension != 2.0f && dimension != 3.0f )
    {
        joEnterField( reader, "dimension", 0 );
        return joRefuse( reader, "not 2 or 3" );
    }
    const json_t* about = json_object_get( root, "about" );
    if ( about != NULL && !json_is_string( about ) )
    {
        joEnterField( reader, "about", 0 );
        return joRefuse( reader, "not a string" );
    }
    if ( !joReadMember( reader, root, "margin", &scene->margin, 1, true ) )
    {
        return false;
    }
    if ( !( scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE ) )
    {
        joEnterField( reader, "margin", 0 );
        return joRefuse( reader, "%s", joResultText( jo_errorBadRadius ) );
    }
    float motion[3] = { 0.0f };
    scene->hasMotion = json_object_get( root, "motion" ) != NULL;
    if ( !joReadMember( reader, root, "motion", motion, (size_t)scene->dimension, true ) )
    {
        return false;
    }
    scene->motion2 = ( joVec2 ){ motion[0], motion[1] };
    scene->motion3 = ( joVec3 ){ motion[0], motion[1], motion[2] };
    scene->about = about != NULL ? strdup( json_string_value( about ) ) : NULL;
    return about == NULL || scene->about != NULL ||
           joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
}

static bool Parse( const char* text, joCollideScene* scene, joSceneError* error )
{
    joSceneReader reader = { .text = text, .scene = scene, .error = error };
    json_error_t bad;
    json_t* root = json_loads( text, JSON_REJECT_DUPLICATES, &bad );
    if ( root == NULL )
    {
        error->line = bad.line;
        error->column = bad.column;
        snprintf( error->what, sizeof( error->what ), "%s", bad.text );
        return false;
    }
    const bool good =
        ReadHead( &reader, root ) && ReadShape( &reader, root, 0 ) && ReadShape( &reader, root, 1 );
    json_decref( root );
    return good;
}

static bool FailFile( joSceneError* error, const char* what )
{
    snprintf( error->what, sizeof( error->what ), "%s", what );
    return false;
}

// The whole file, with a zero at the end; null: *error says why.
static char* ReadText( const char* path, joSceneError* error )
{
    FILE* file = fopen( path, "rb" );
    char* text = file != NULL ? malloc( MAX_FILE_BYTES + 1 ) : NULL;
    if ( text == NULL )
    {
        FailFile( error, strerror( errno ) );
    }
    else
    {
        const size_t size = fread( text, 1, MAX_FILE_BYTES + 1, file );
        const bool good = !ferror( file );
        const bool isText = good && size <= MAX_FILE_BYTES && memchr( text, '\0', size ) == NULL;
        if ( !isText )
        {
            FailFile( error, !good                   ? strerror( errno )
                             : size > MAX_FILE_BYTES ? "larger than a mebibyte"
                                                     : "not a text" );
            free( text );
            text = NULL;
        }
        else
        {
            text[size] = '\0';
        }
    }
    if ( file != NULL )
    {
        fclose( file );
    }
    return text;
}

bool joLoadCollideScene( const char* path, joCollideScene* scene, joSceneError* error )
{
    *scene = ( joCollideScene ){ 0 };
    *error = ( joSceneError ){ 0 };
    char* text = ReadText( path, error );
    const bool good = text != NULL && Parse( text, scene, error );
    if ( !good )
    {
        joFreeCollideScene( scene );
    }
    free( text );
    return good;
}

void joFreeCollideScene( joCollideScene* scene )
{
    free( scene->about );
    for ( int i = 0; i < 2; ++i )
    {
        joDestroyHull3( scene->hulls[i], NULL );
        joDestroyMesh3( scene->meshes[i], NULL );
        joDestroyChain2( scene->chains[i], NULL );
        free( scene->surfaces[i].points );
        free( scene->surfaces[i].parts );
    }
    *scene = ( joCollideScene ){ 0 };
}
