// SPDX-License-Identifier: MIT
// A scene's file: its head, layers, settings of the world, what disturbs it, what is seen of it.
#include "scene_reader.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES ( 1 << 24 )
#define MAX_STEPS 100000000

// --- values -----------------------------------------------------------------------------------------------

bool joReadRange(
    joJsonReader* reader, const json_t* object, const char* key, float lower, float upper, float* number )
{
    if ( !joReadMember( reader, object, key, number, 1, true ) )
    {
        return false;
    }
    const bool isThere = json_object_get( object, key ) != NULL;
    return !isThere || ( *number >= lower && *number <= upper ) ||
           joRefuseMember( reader, key, "not from %g to %g", (double)lower, (double)upper );
}

bool joReadArea(
    joJsonReader* reader, const json_t* owner, const char* key, int dimension, bool must, joSceneArea* area )
{
    static const char* const keys[] = { "lower", "upper", NULL };
    json_t* object = json_object_get( owner, key );
    if ( object == NULL )
    {
        return !must || joRefuse( reader, "has no \"%s\"", key );
    }
    joEnterField( reader, key, 0 );
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "lower", area->lower, (size_t)dimension, false ) ||
         !joReadMember( reader, object, "upper", area->upper, (size_t)dimension, false ) )
    {
        return false;
    }
    for ( int axis = 0; axis < dimension; ++axis )
    {
        // Also so small that what is computed with it stays finite.
        if ( !( area->lower[axis] <= area->upper[axis] && fabsf( area->lower[axis] ) <= JO_MAX_SIZE &&
                 fabsf( area->upper[axis] ) <= JO_MAX_SIZE ) )
        {
            return joRefuse( reader, "lower is above upper, or a number above %g", (double)JO_MAX_SIZE );
        }
    }
    joLeaveField( reader );
    return true;
}

// --- layers -----------------------------------------------------------------------------------------------

static bool FindLayer( joJsonReader* reader, const json_t* value, const joScene* scene, uint32_t* layer )
{
    const char* name = json_string_value( value );
    if ( name == NULL )
    {
        return joRefuse( reader, "not the name of a layer" );
    }
    for ( uint32_t i = 0; i < scene->layerCount; ++i )
    {
        if ( strcmp( scene->layerNames[i], name ) == 0 )
        {
            *layer = i;
            return true;
        }
    }
    return joRefuse( reader, "there is no layer \"%.64s\"", name );
}

bool joReadLayer(
    joJsonReader* reader, const json_t* object, const char* key, const joScene* scene, uint32_t* layer )
{
    const json_t* value = json_object_get( object, key );
    if ( value == NULL )
    {
        return true;
    }
    joEnterField( reader, key, 0 );
    if ( !FindLayer( reader, value, scene, layer ) )
    {
        return false;
    }
    joLeaveField( reader );
    return true;
}

bool joReadLayers(
    joJsonReader* reader, const json_t* object, const char* key, const joScene* scene, uint64_t* layers )
{
    const json_t* array = json_object_get( object, key );
    const char* text = json_string_value( array );
    if ( array == NULL || ( text != NULL && strcmp( text, "all" ) == 0 ) )
    {
        *layers = array != NULL ? UINT64_MAX : *layers;
        return true;
    }
    joEnterField( reader, key, 0 );
    if ( !json_is_array( array ) )
    {
        return joRefuse( reader, "not \"all\" or an array of names of layers" );
    }
    *layers = 0;
    for ( size_t i = 0; i < json_array_size( array ); ++i )
    {
        uint32_t layer = 0;
        joEnterField( reader, NULL, i );
        if ( !FindLayer( reader, json_array_get( array, i ), scene, &layer ) )
        {
            return false;
        }
        *layers |= UINT64_C( 1 ) << layer;
        joLeaveField( reader );
    }
    joLeaveField( reader );
    return true;
}

// Each with an array of those that it meets. Two meet if either says so.
static bool ReadLayerTable( joJsonReader* reader, const json_t* root, joScene* scene )
{
    json_t* object = json_object_get( root, "layers" );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "layers", 0 );
    if ( !json_is_object( object ) || json_object_size( object ) > JO_MAX_LAYERS )
    {
        return joRefuse( reader, "not an object of up to %d layers", JO_MAX_LAYERS );
    }
    const char* name;
    json_t* value;
    json_object_foreach( object, name, value )
    {
        scene->layerNames[scene->layerCount] = strdup( name );
        if ( scene->layerNames[scene->layerCount] == NULL )
        {
            return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
        }
        scene->layerCount += 1;
    }
    uint64_t* rows = scene->worldDef.layerMeets;
    for ( uint32_t i = 0; i < scene->layerCount; ++i )
    {
        if ( !joReadLayers( reader, object, scene->layerNames[i], scene, &rows[i] ) )
        {
            return false;
        }
    }
    for ( uint32_t i = 0; i < scene->layerCount; ++i )
    {
        for ( uint32_t j = 0; j < scene->layerCount; ++j )
        {
            rows[j] |= ( rows[i] >> j & 1 ) << i;
        }
    }
    joLeaveField( reader );
    return true;
}

// --- the rest ---------------------------------------------------------------------------------------------

static bool ReadWorld( joJsonReader* reader, const json_t* root, joScene* scene )
{
    static const char* const keys[] = { "gravity", "contactMargin", "leaveMargin", "sleepTime", "sleepSpeed",
        "pushMargin", "pushIterations", "kind", NULL };
    json_t* object = json_object_get( root, "world" );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "world", 0 );
    joWorldDef* def = &scene->worldDef;
    const char* kind;
    uint64_t passes = def->pushIterations;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadMember( reader, object, "gravity", def->gravity, (size_t)scene->dimension, true ) ||
         !joReadRange( reader, object, "contactMargin", 0.0f, JO_MAX_SIZE, &def->contactMargin ) ||
         !joReadRange( reader, object, "leaveMargin", 0.0f, JO_MAX_SIZE, &def->leaveMargin ) ||
         !joReadRange( reader, object, "sleepTime", FLT_MIN, FLT_MAX, &def->sleepTime ) ||
         !joReadRange( reader, object, "sleepSpeed", 0.0f, FLT_MAX, &def->sleepSpeed ) ||
         !joReadRange( reader, object, "pushMargin", 0.0f, JO_MAX_SIZE, &def->pushMargin ) ||
         !joReadWhole( reader, object, "pushIterations", 0, 1000, &passes ) ||
         !joReadString( reader, object, "kind", &kind ) )
    {
        return false;
    }
    def->pushIterations = (uint32_t)passes;
    if ( def->leaveMargin < def->contactMargin )
    {
        return joRefuse( reader, "its leaveMargin is below its contactMargin" );
    }
    if ( kind != NULL && joFindBroadPhaseKind( kind, &def->broadPhase.kind ) )
    {
        return joRefuseMember( reader, "kind", "%s", joResultText( jo_errorUnknownKind ) );
    }
    joLeaveField( reader );
    return true;
}

static bool ReadShapes(
    joJsonReader* reader, const json_t* owner, int dimension, joSceneDisturbance* disturbance )
{
    const json_t* array = json_object_get( owner, "shapes" );
    const size_t count = json_array_size( array );
    joEnterField( reader, "shapes", 0 );
    if ( array != NULL && ( !json_is_array( array ) || count > JO_SCENE_BODIES ) )
    {
        return joRefuse( reader, "not an array of up to %d shapes", JO_SCENE_BODIES );
    }
    disturbance->shapes = calloc( count + 1, sizeof( joFileShape ) );
    if ( disturbance->shapes == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        joEnterField( reader, NULL, i );
        disturbance->shapeCount = (uint32_t)i + 1;
        if ( !joReadShape( reader, json_array_get( array, i ), dimension, &disturbance->shapes[i] ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    joLeaveField( reader );
    return true;
}

static bool ReadDisturbance( joJsonReader* reader, const json_t* root, joScene* scene )
{
    static const char* const keys[] = { "perStep", "seed", "area", "shapes", NULL };
    joSceneDisturbance* disturbance = &scene->disturbance;
    json_t* object = json_object_get( root, "disturbance" );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "disturbance", 0 );
    uint64_t perStep = 1;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadWhole( reader, object, "perStep", 1, JO_MAX_BODIES, &perStep ) ||
         !joReadWhole( reader, object, "seed", 0, INT64_MAX, &disturbance->seed ) ||
         !joReadArea( reader, object, "area", scene->dimension, true, &disturbance->area ) ||
         !ReadShapes( reader, object, scene->dimension, disturbance ) )
    {
        return false;
    }
    disturbance->perStep = (uint32_t)perStep;
    joLeaveField( reader );
    return true;
}

static bool ReadView( joJsonReader* reader, const json_t* root, joScene* scene )
{
    static const char* const keys[] = { "from", "lower", "upper", NULL };
    static const char* const sides[] = { "side", "above", NULL };
    joSceneView* view = &scene->view;
    json_t* object = json_object_get( root, "view" );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "view", 0 );
    int side = 0;
    view->isGiven = json_object_get( object, "lower" ) != NULL || json_object_get( object, "upper" ) != NULL;
    if ( !joCheckKeys( reader, object, keys ) || !joReadName( reader, object, "from", sides, &side ) ||
         !joReadMember( reader, object, "lower", view->lower, 2, !view->isGiven ) ||
         !joReadMember( reader, object, "upper", view->upper, 2, !view->isGiven ) )
    {
        return false;
    }
    if ( scene->dimension == 2 && json_object_get( object, "from" ) != NULL )
    {
        return joRefuseMember( reader, "from", "a scene in 2D is seen from one side only" );
    }
    if ( view->isGiven && !( view->lower[0] < view->upper[0] && view->lower[1] < view->upper[1] ) )
    {
        return joRefuse( reader, "its lower is not below its upper" );
    }
    view->isFromAbove = side == 1;
    joLeaveField( reader );
    return true;
}

static bool ReadHead( joJsonReader* reader, json_t* root, joScene* scene )
{
    static const char* const keys[] = { "about", "dimension", "steps", "timeStep", "world", "layers",
        "bodies", "emitters", "disturbance", "view", NULL };
    uint64_t dimension = 0, steps = 600;
    const char* about;
    scene->timeStep = 1.0f / 60.0f;
    if ( !joCheckKeys( reader, root, keys ) || !joReadWhole( reader, root, "dimension", 2, 3, &dimension ) ||
         !joReadWhole( reader, root, "steps", 1, MAX_STEPS, &steps ) ||
         !joReadRange( reader, root, "timeStep", 1e-6f, 1e3f, &scene->timeStep ) ||
         !joReadString( reader, root, "about", &about ) )
    {
        return false;
    }
    if ( dimension == 0 )
    {
        return joRefuse( reader, "has no \"dimension\"" );
    }
    scene->dimension = (int)dimension;
    scene->steps = (uint32_t)steps;
    scene->worldDef = joDefaultWorldDef();
    scene->worldDef.dimension = scene->dimension;
    scene->about = about != NULL ? strdup( about ) : NULL;
    return about == NULL || scene->about != NULL ||
           joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
}

bool joParseScene( const char* text, joScene* scene, joJsonError* error )
{
    joJsonReader reader = { .text = text, .error = error };
    *scene = ( joScene ){ 0 };
    *error = ( joJsonError ){ 0 };
    json_t* root = joParseJson( &reader );
    const bool good = root != NULL && ReadHead( &reader, root, scene ) &&
                      ReadLayerTable( &reader, root, scene ) && ReadWorld( &reader, root, scene ) &&
                      joReadSceneBodies( &reader, root, scene ) && ReadDisturbance( &reader, root, scene ) &&
                      ReadView( &reader, root, scene );
    json_decref( root );
    if ( !good )
    {
        joFreeScene( scene );
    }
    return good;
}

bool joLoadScene( const char* path, joScene* scene, joJsonError* error )
{
    *error = ( joJsonError ){ 0 };
    char* text = joReadJsonText( path, MAX_FILE_BYTES, error );
    const bool good = text != NULL && joParseScene( text, scene, error );
    free( text );
    return good;
}

void joFreeScene( joScene* scene )
{
    free( scene->about );
    for ( uint32_t i = 0; i < scene->layerCount; ++i )
    {
        free( scene->layerNames[i] );
    }
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        joSceneBody* body = &scene->bodies[i];
        for ( uint32_t k = 0; k < body->colliderCount; ++k )
        {
            joFreeFileShape( &body->colliders[k].shape );
        }
        free( body->colliders );
        free( body->behaviour.points );
        free( body->behaviour.inputs );
        free( body->name );
    }
    free( scene->bodies );
    for ( uint32_t i = 0; i < scene->disturbance.shapeCount; ++i )
    {
        joFreeFileShape( &scene->disturbance.shapes[i] );
    }
    free( scene->disturbance.shapes );
    *scene = ( joScene ){ 0 };
}
