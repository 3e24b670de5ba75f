// SPDX-License-Identifier: MIT
#include "collide_scene.h"

#include "json_place.h"

#include <errno.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file with two shapes of at most some hundred points is far smaller.
#define MAX_FILE_BYTES ( 1 << 20 )
#define MAX_POINTS 4096

typedef struct Reader
{
    const char* text;
    joCollideScene* scene;
    joJsonPath path; // to what is being read
    joSceneError* error;
} Reader;

// Returns false, for `return Refuse( ... )`.
static bool Refuse( Reader* reader, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
static bool Refuse( Reader* reader, const char* format, ... )
{
    joFindJsonPlace( reader->text, &reader->path, &reader->error->line, &reader->error->column );
    joJsonPath_Format( &reader->path, reader->error->field, sizeof( reader->error->field ) );
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( reader->error->what, sizeof( reader->error->what ), format, arguments );
    va_end( arguments );
    return false;
}

static void Enter( Reader* reader, const char* key, size_t index )
{
    reader->path.steps[reader->path.count++] = ( joJsonStep ){ key, index };
}

static void Leave( Reader* reader )
{
    reader->path.count -= 1;
}

// --- values -----------------------------------------------------------------------------------------------

static bool ReadNumber( Reader* reader, const json_t* value, float* number )
{
    if ( !json_is_number( value ) )
    {
        return Refuse( reader, "not a number" );
    }
    const double wide = json_number_value( value );
    if ( !( fabs( wide ) <= (double)FLT_MAX ) )
    {
        return Refuse( reader, "above what a float can be" );
    }
    *number = (float)wide;
    return true;
}

static bool ReadNumbers( Reader* reader, const json_t* value, float* numbers, size_t count )
{
    if ( !json_is_array( value ) || json_array_size( value ) != count )
    {
        return Refuse( reader, "not an array of %zu numbers", count );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        Enter( reader, NULL, i );
        if ( !ReadNumber( reader, json_array_get( value, i ), numbers + i ) )
        {
            return false;
        }
        Leave( reader );
    }
    return true;
}

// The member must be there, but where `isOptional`, and is then left as it was.
static bool ReadMember(
    Reader* reader, const json_t* object, const char* key, float* numbers, size_t count, bool isOptional )
{
    const json_t* value = json_object_get( object, key );
    if ( value == NULL )
    {
        return isOptional || Refuse( reader, "has no \"%s\"", key );
    }
    Enter( reader, key, 0 );
    // One number stands without brackets.
    if ( count == 1 ? !ReadNumber( reader, value, numbers ) : !ReadNumbers( reader, value, numbers, count ) )
    {
        return false;
    }
    Leave( reader );
    return true;
}

// An array of points, `axisCount` numbers each; `exactly` so many, or, if 0, up to MAX_POINTS. *points is to
// be freed.
static bool ReadPoints(
    Reader* reader, const json_t* object, uint32_t exactly, float** points, uint32_t* count )
{
    const size_t axisCount = (size_t)reader->scene->dimension;
    const json_t* array = json_object_get( object, "points" );
    if ( array == NULL )
    {
        return Refuse( reader, "has no \"points\"" );
    }
    Enter( reader, "points", 0 );
    const size_t size = json_array_size( array );
    if ( !json_is_array( array ) || size > MAX_POINTS || ( exactly > 0 && size != exactly ) )
    {
        return exactly > 0 ? Refuse( reader, "not an array of %u points", exactly )
                           : Refuse( reader, "not an array of up to %d points", MAX_POINTS );
    }
    *points = calloc( size > 0 ? size : 1, axisCount * sizeof( float ) );
    *count = (uint32_t)size;
    bool good = *points != NULL || Refuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    for ( size_t i = 0; i < size && good; ++i )
    {
        Enter( reader, NULL, i );
        good = ReadNumbers( reader, json_array_get( array, i ), *points + axisCount * i, axisCount );
        if ( good )
        {
            Leave( reader );
        }
    }
    if ( !good )
    {
        free( *points );
        *points = NULL;
        return false;
    }
    Leave( reader );
    return true;
}

// Whether all members are among `keys`, which ends with null.
static bool CheckKeys( Reader* reader, json_t* object, const char* const* keys )
{
    if ( !json_is_object( object ) )
    {
        return Refuse( reader, "not an object" );
    }
    const char* key;
    json_t* value;
    json_object_foreach( object, key, value )
    {
        bool isKnown = false;
        char list[128];
        size_t length = 0;
        for ( int i = 0; keys[i] != NULL; ++i )
        {
            isKnown = isKnown || strcmp( keys[i], key ) == 0;
            length += (size_t)snprintf(
                list + length, sizeof( list ) - length, "%s%s", length > 0 ? ", " : "", keys[i] );
        }
        if ( !isKnown )
        {
            Enter( reader, key, 0 );
            return Refuse( reader, "unknown; what may stand here is %s", list );
        }
    }
    return true;
}

// --- poses ------------------------------------------------------------------------------------------------

static bool ReadPose3( Reader* reader, const json_t* owner, const char* key, joTransform3* pose )
{
    static const char* const keys[] = { "position", "rotation", NULL };
    *pose = joMakeIdentity3();
    json_t* object = json_object_get( owner, key );
    if ( object == NULL )
    {
        return true;
    }
    Enter( reader, key, 0 );
    float position[3] = { 0.0f }, rotation[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "position", position, 3, true ) ||
         !ReadMember( reader, object, "rotation", rotation, 4, true ) )
    {
        return false;
    }
    pose->position = ( joVec3 ){ position[0], position[1], position[2] };
    pose->rotation = ( joQuat ){ rotation[0], rotation[1], rotation[2], rotation[3] };
    const joResult result = joCheckTransform3( pose );
    if ( result )
    {
        return Refuse( reader, "%s", joResultText( result ) );
    }
    Leave( reader );
    return true;
}

static bool ReadPose2( Reader* reader, const json_t* owner, const char* key, joTransform2* pose )
{
    static const char* const keys[] = { "position", "rotation", "angle", NULL };
    *pose = joMakeIdentity2();
    json_t* object = json_object_get( owner, key );
    if ( object == NULL )
    {
        return true;
    }
    Enter( reader, key, 0 );
    float position[2] = { 0.0f }, rotation[2] = { 1.0f, 0.0f }, angle = 0.0f;
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "position", position, 2, true ) ||
         !ReadMember( reader, object, "rotation", rotation, 2, true ) ||
         !ReadMember( reader, object, "angle", &angle, 1, true ) )
    {
        return false;
    }
    const bool hasAngle = json_object_get( object, "angle" ) != NULL;
    if ( hasAngle && json_object_get( object, "rotation" ) != NULL )
    {
        return Refuse( reader, "has a rotation and an angle" );
    }
    pose->position = ( joVec2 ){ position[0], position[1] };
    pose->rotation = hasAngle ? joMakeRot2( angle ) : ( joRot2 ){ rotation[0], rotation[1] };
    const joResult result = joCheckTransform2( pose );
    if ( result )
    {
        return Refuse( reader, "%s", joResultText( result ) );
    }
    Leave( reader );
    return true;
}

// --- shapes -----------------------------------------------------------------------------------------------

static bool ReadBall( Reader* reader, json_t* object, float* center, float* radius )
{
    static const char* const keys[] = { "kind", "pose", "center", "radius", NULL };
    return CheckKeys( reader, object, keys ) &&
           ReadMember( reader, object, "center", center, (size_t)reader->scene->dimension, true ) &&
           ReadMember( reader, object, "radius", radius, 1, false );
}

// Capsules and segments. `ends`: a, then b.
static bool ReadStick( Reader* reader, json_t* object, bool hasRadius, float ends[6], float* radius )
{
    static const char* const capsuleKeys[] = { "kind", "pose", "points", "radius", NULL };
    static const char* const segmentKeys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count;
    if ( !CheckKeys( reader, object, hasRadius ? capsuleKeys : segmentKeys ) ||
         !ReadPoints( reader, object, 2, &points, &count ) )
    {
        return false;
    }
    memcpy( ends, points, 2 * (size_t)reader->scene->dimension * sizeof( float ) );
    free( points );
    return !hasRadius || ReadMember( reader, object, "radius", radius, 1, false );
}

static bool RefusePoint( Reader* reader, joResult result, uint32_t bad )
{
    Enter( reader, "points", 0 );
    if ( bad != JO_NULL_INDEX )
    {
        Enter( reader, NULL, bad );
    }
    return Refuse( reader, "%s", joResultText( result ) );
}

static bool ReadBox3( Reader* reader, json_t* object, joBox3* box )
{
    static const char* const keys[] = { "kind", "pose", "halfExtents", "localPose", NULL };
    float half[3];
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "halfExtents", half, 3, false ) ||
         !ReadPose3( reader, object, "localPose", &box->localPose ) )
    {
        return false;
    }
    box->halfExtents = ( joVec3 ){ half[0], half[1], half[2] };
    return true;
}

static bool ReadHalfSpace( Reader* reader, json_t* object, joHalfSpace3* halfSpace )
{
    static const char* const keys[] = { "kind", "pose", "normal", "offset", NULL };
    float normal[3], offset = 0.0f;
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "normal", normal, 3, false ) ||
         !ReadMember( reader, object, "offset", &offset, 1, true ) )
    {
        return false;
    }
    *halfSpace = ( joHalfSpace3 ){ { normal[0], normal[1], normal[2] }, offset };
    return true;
}

static bool ReadHull( Reader* reader, json_t* object, int index )
{
    static const char* const keys[] = { "kind", "pose", "points", NULL };
    float* points;
    uint32_t count, bad;
    if ( !CheckKeys( reader, object, keys ) || !ReadPoints( reader, object, 0, &points, &count ) )
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
    return !result || RefusePoint( reader, result, bad );
}

static bool ReadPolygon( Reader* reader, json_t* object, int index )
{
    static const char* const keys[] = { "kind", "pose", "points", "radius", NULL };
    float *points, radius = 0.0f;
    uint32_t count, bad = JO_NULL_INDEX;
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "radius", &radius, 1, true ) ||
         !ReadPoints( reader, object, 0, &points, &count ) )
    {
        return false;
    }
    joVec2 corners[MAX_POINTS];
    for ( uint32_t i = 0; i < count; ++i )
    {
        corners[i] = ( joVec2 ){ points[2 * i], points[2 * i + 1] };
    }
    free( points );
    const joResult result = joMakePolygon2( corners, count, radius, &reader->scene->polygons[index], &bad );
    return !result || RefusePoint( reader, result, bad );
}

static bool ReadBox2( Reader* reader, json_t* object, joPolygon2* polygon )
{
    static const char* const keys[] = { "kind", "pose", "halfExtents", "radius", NULL };
    float half[2], radius = 0.0f;
    if ( !CheckKeys( reader, object, keys ) || !ReadMember( reader, object, "halfExtents", half, 2, false ) ||
         !ReadMember( reader, object, "radius", &radius, 1, true ) )
    {
        return false;
    }
    if ( !( half[0] >= 0.0f && half[1] >= 0.0f ) )
    {
        Enter( reader, "halfExtents", 0 );
        return Refuse( reader, "%s", joResultText( jo_errorBadShape ) );
    }
    *polygon = joMakeBox2( half[0], half[1] );
    polygon->radius = radius;
    return true;
}

static bool RefuseKind( Reader* reader, const char* kinds )
{
    Enter( reader, "kind", 0 );
    return Refuse( reader, "not a kind in %dD; the kinds are %s", reader->scene->dimension, kinds );
}

static bool ReadShape3( Reader* reader, json_t* object, int index, const char* kind )
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
    else
    {
        return RefuseKind( reader, "sphere, capsule, box, hull, half-space" );
    }
    const joResult result = good ? joCheckShape3( shape ) : jo_success;
    good = good && ( !result || Refuse( reader, "%s", joResultText( result ) ) );
    return good && ReadPose3( reader, object, "pose", &reader->scene->poses3[index] );
}

static bool ReadShape2( Reader* reader, json_t* object, int index, const char* kind )
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
    else
    {
        return RefuseKind( reader, "circle, capsule, polygon, box, segment" );
    }
    const joResult result = good ? joCheckShape2( shape ) : jo_success;
    good = good && ( !result || Refuse( reader, "%s", joResultText( result ) ) );
    return good && ReadPose2( reader, object, "pose", &reader->scene->poses2[index] );
}

static bool ReadShape( Reader* reader, const json_t* root, int index )
{
    const char* key = index == 0 ? "a" : "b";
    json_t* object = json_object_get( root, key );
    if ( object == NULL )
    {
        return Refuse( reader, "has no \"%s\"", key );
    }
    Enter( reader, key, 0 );
    const json_t* kind = json_object_get( object, "kind" );
    if ( !json_is_object( object ) )
    {
        return Refuse( reader, "not an object" );
    }
    if ( kind == NULL )
    {
        return Refuse( reader, "has no \"kind\"" );
    }
    if ( !json_is_string( kind ) )
    {
        Enter( reader, "kind", 0 );
        return Refuse( reader, "not a string" );
    }
    const char* name = json_string_value( kind );
    if ( reader->scene->dimension == 3 ? !ReadShape3( reader, object, index, name )
                                       : !ReadShape2( reader, object, index, name ) )
    {
        return false;
    }
    Leave( reader );
    return true;
}

// --- the file ---------------------------------------------------------------------------------------------

static bool ReadHead( Reader* reader, json_t* root )
{
    static const char* const keys[] = { "about", "dimension", "a", "b", "margin", "motion", NULL };
    joCollideScene* scene = reader->scene;
    float dimension = 0.0f;
    if ( !CheckKeys( reader, root, keys ) || !ReadMember( reader, root, "dimension", &dimension, 1, false ) )
    {
        return false;
    }
    scene->dimension = dimension == 3.0f ? 3 : 2;
    if ( dimension != 2.0f && dimension != 3.0f )
    {
        Enter( reader, "dimension", 0 );
        return Refuse( reader, "not 2 or 3" );
    }
    const json_t* about = json_object_get( root, "about" );
    if ( about != NULL && !json_is_string( about ) )
    {
        Enter( reader, "about", 0 );
        return Refuse( reader, "not a string" );
    }
    if ( !ReadMember( reader, root, "margin", &scene->margin, 1, true ) )
    {
        return false;
    }
    if ( !( scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE ) )
    {
        Enter( reader, "margin", 0 );
        return Refuse( reader, "%s", joResultText( jo_errorBadRadius ) );
    }
    float motion[3] = { 0.0f };
    scene->hasMotion = json_object_get( root, "motion" ) != NULL;
    if ( !ReadMember( reader, root, "motion", motion, (size_t)scene->dimension, true ) )
    {
        return false;
    }
    scene->motion2 = ( joVec2 ){ motion[0], motion[1] };
    scene->motion3 = ( joVec3 ){ motion[0], motion[1], motion[2] };
    scene->about = about != NULL ? strdup( json_string_value( about ) ) : NULL;
    return about == NULL || scene->about != NULL ||
           Refuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
}

static bool Parse( const char* text, joCollideScene* scene, joSceneError* error )
{
    Reader reader = { .text = text, .scene = scene, .error = error };
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
    joDestroyHull3( scene->hulls[0], NULL );
    joDestroyHull3( scene->hulls[1], NULL );
    *scene = ( joCollideScene ){ 0 };
}
