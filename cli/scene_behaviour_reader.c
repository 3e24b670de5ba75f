// SPDX-License-Identifier: MIT
// What the bodies of a scene's file do of themselves.
#include "scene_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SPEED 1e9f

static bool ReadPatrol( joJsonReader* reader, const json_t* object, int dimension, joBehaviour* behaviour )
{
    float* points;
    uint32_t count;
    if ( !joReadPoints( reader, object, (size_t)dimension, 0, &points, &count ) )
    {
        return false;
    }
    behaviour->points = calloc( count + 1, 3 * sizeof( float ) );
    for ( uint32_t i = 0; i < count && behaviour->points != NULL; ++i )
    {
        memcpy(
            behaviour->points + 3 * i, points + (size_t)dimension * i, (size_t)dimension * sizeof( float ) );
    }
    free( points );
    behaviour->pointCount = count;
    return behaviour->points == NULL ? joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) )
           : count == 0              ? joRefuseMember( reader, "points", "it has none" )
                                     : true;
}

static bool ReadInput( joJsonReader* reader, json_t* object, int dimension, joSceneInput* input )
{
    static const char* const keys[] = { "time", "move", "jump", NULL };
    return joCheckKeys( reader, object, keys ) &&
           joReadRange( reader, object, "time", 0.0f, 1e9f, &input->time ) &&
           joReadMember( reader, object, "move", input->move, (size_t)dimension, true ) &&
           joReadRange( reader, object, "jump", 0.0f, MAX_SPEED, &input->jump );
}

// What an input does not say is as in the one before it; a jump is not repeated.
static bool ReadScript( joJsonReader* reader, const json_t* object, int dimension, joBehaviour* behaviour )
{
    const json_t* array = json_object_get( object, "inputs" );
    const size_t count = json_array_size( array );
    if ( array == NULL || !json_is_array( array ) || count == 0 || count > JO_JSON_POINTS )
    {
        return joRefuse( reader, "\"inputs\" is not an array of 1 to %d inputs", JO_JSON_POINTS );
    }
    behaviour->inputs = calloc( count, sizeof( joSceneInput ) );
    if ( behaviour->inputs == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    joEnterField( reader, "inputs", 0 );
    for ( size_t i = 0; i < count; ++i )
    {
        joSceneInput* input = &behaviour->inputs[i];
        *input = i > 0 ? input[-1] : *input;
        input->jump = 0.0f;
        joEnterField( reader, NULL, i );
        if ( !ReadInput( reader, json_array_get( array, i ), dimension, input ) )
        {
            return false;
        }
        if ( i > 0 && input->time < input[-1].time )
        {
            return joRefuseMember( reader, "time", "before that of the input before it" );
        }
        joLeaveField( reader );
    }
    behaviour->inputCount = (uint32_t)count;
    joLeaveField( reader );
    return true;
}

static bool ReadChase(
    joJsonReader* reader, const json_t* object, const joScene* scene, joBehaviour* behaviour )
{
    if ( json_object_get( object, "layer" ) == NULL )
    {
        return joRefuse( reader, "has no \"layer\"" );
    }
    return joReadLayer( reader, object, "layer", scene, &behaviour->layer );
}

static bool ReadSpeed( joJsonReader* reader, const json_t* object, joBehaviour* behaviour )
{
    if ( json_object_get( object, "speed" ) == NULL )
    {
        return joRefuse( reader, "has no \"speed\"" );
    }
    return joReadRange( reader, object, "speed", 0.0f, MAX_SPEED, &behaviour->speed );
}

bool joReadBehaviour(
    joJsonReader* reader, const json_t* owner, const joScene* scene, joBehaviour* behaviour )
{
    static const char* const kinds[] = { "none", "bounce", "fly", "chase", "patrol", "script", NULL };
    static const char* const keys[][5] = { { "kind", NULL }, { "kind", "area", NULL },
        { "kind", "area", NULL }, { "kind", "layer", "speed", NULL }, { "kind", "points", "speed", NULL },
        { "kind", "inputs", NULL } };
    json_t* object = json_object_get( owner, "behaviour" );
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "behaviour", 0 );
    if ( !json_is_object( object ) )
    {
        return joRefuse( reader, "not an object" );
    }
    int kind = -1;
    if ( !joReadName( reader, object, "kind", kinds, &kind ) )
    {
        return false;
    }
    if ( kind < 0 )
    {
        return joRefuse( reader, "has no \"kind\"" );
    }
    behaviour->kind = (joBehaviourKind)kind;
    bool good = joCheckKeys( reader, object, keys[kind] );
    switch ( behaviour->kind )
    {
        case jo_bounceBehaviour:
        case jo_flyBehaviour:
            good = good && joReadArea( reader, object, "area", scene->dimension, true, &behaviour->area );
            break;
        case jo_chaseBehaviour:
            good = good && ReadChase( reader, object, scene, behaviour ) &&
                   ReadSpeed( reader, object, behaviour );
            break;
        case jo_patrolBehaviour:
            good = good && ReadSpeed( reader, object, behaviour ) &&
                   ReadPatrol( reader, object, scene->dimension, behaviour );
            break;
        case jo_scriptBehaviour:
            good = good && ReadScript( reader, object, scene->dimension, behaviour );
            break;
        case jo_noBehaviour:
        case jo_behaviourKindCount:
            break;
    }
    if ( good )
    {
        joLeaveField( reader );
    }
    return good;
}
