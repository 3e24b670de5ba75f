// SPDX-License-Identifier: MIT
#include "collide_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file with two shapes of at most some hundred points is far smaller.
#define MAX_FILE_BYTES ( 1 << 20 )

static bool ReadShape( joJsonReader* reader, const json_t* root, joCollideScene* scene, int index )
{
    const char* key = index == 0 ? "a" : "b";
    json_t* object = json_object_get( root, key );
    if ( object == NULL )
    {
        return joRefuse( reader, "has no \"%s\"", key );
    }
    joEnterField( reader, key, 0 );
    joFileShape shape;
    if ( !joReadShape( reader, object, scene->dimension, &shape ) )
    {
        joFreeFileShape( &shape );
        return false;
    }
    scene->shapes2[index] = shape.shape2;
    scene->poses2[index] = shape.pose2;
    scene->shapes3[index] = shape.shape3;
    scene->poses3[index] = shape.pose3;
    scene->chains[index] = shape.chain;
    scene->hulls[index] = shape.hull;
    scene->meshes[index] = shape.mesh;
    scene->surfaces[index] = shape.surface;
    if ( shape.polygon != NULL )
    {
        scene->polygons[index] = *shape.polygon;
        scene->shapes2[index].polygon = &scene->polygons[index];
        free( shape.polygon );
    }
    joLeaveField( reader );
    return true;
}

static bool ReadHead( joJsonReader* reader, json_t* root, joCollideScene* scene )
{
    static const char* const keys[] = { "about", "dimension", "a", "b", "margin", "motion", NULL };
    float dimension = 0.0f;
    if ( !joCheckKeys( reader, root, keys ) ||
         !joReadMember( reader, root, "dimension", &dimension, 1, false ) )
    {
        return false;
    }
    scene->dimension = dimension == 3.0f ? 3 : 2;
    if ( dimension != 2.0f && dimension != 3.0f )
    {
        return joRefuseMember( reader, "dimension", "not 2 or 3" );
    }
    const char* about;
    if ( !joReadString( reader, root, "about", &about ) ||
         !joReadMember( reader, root, "margin", &scene->margin, 1, true ) )
    {
        return false;
    }
    if ( !( scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE ) )
    {
        return joRefuseMember( reader, "margin", "%s", joResultText( jo_errorBadRadius ) );
    }
    float motion[3] = { 0.0f };
    scene->hasMotion = json_object_get( root, "motion" ) != NULL;
    if ( !joReadMember( reader, root, "motion", motion, (size_t)scene->dimension, true ) )
    {
        return false;
    }
    scene->motion2 = ( joVec2 ){ motion[0], motion[1] };
    scene->motion3 = ( joVec3 ){ motion[0], motion[1], motion[2] };
    scene->about = about != NULL ? strdup( about ) : NULL;
    return about == NULL || scene->about != NULL ||
           joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
}

static bool Parse( const char* text, joCollideScene* scene, joJsonError* error )
{
    joJsonReader reader = { .text = text, .error = error };
    json_t* root = joParseJson( &reader );
    const bool good = root != NULL && ReadHead( &reader, root, scene ) &&
                      ReadShape( &reader, root, scene, 0 ) && ReadShape( &reader, root, scene, 1 );
    json_decref( root );
    return good;
}

bool joLoadCollideScene( const char* path, joCollideScene* scene, joJsonError* error )
{
    *scene = ( joCollideScene ){ 0 };
    *error = ( joJsonError ){ 0 };
    char* text = joReadJsonText( path, MAX_FILE_BYTES, error );
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
