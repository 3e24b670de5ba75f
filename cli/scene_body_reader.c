// SPDX-License-Identifier: MIT
// The bodies of a scene's file, and its emitters, which are bodies with a number and an area.
#include "scene_reader.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SPEED 1e9f

static bool ReadCollider(
    joJsonReader* reader, json_t* object, const joScene* scene, joSceneCollider* collider )
{
    static const char* const keys[] = {
        "shape", "layer", "mask", "group", "trigger", "restitution", "oneWay", NULL };
    uint64_t group = 0;
    collider->filter.mask = UINT64_MAX;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadLayer( reader, object, "layer", scene, &collider->filter.layer ) ||
         !joReadLayers( reader, object, "mask", scene, &collider->filter.mask ) ||
         !joReadWhole( reader, object, "group", 0, UINT32_MAX, &group ) ||
         !joReadFlag( reader, object, "trigger", &collider->isTrigger ) ||
         !joReadRange( reader, object, "restitution", 0.0f, 1.0f, &collider->material.restitution ) ||
         !joReadMember( reader, object, "oneWay", collider->oneWay, (size_t)scene->dimension, true ) )
    {
        return false;
    }
    collider->filter.group = (uint32_t)group;
    json_t* shape = json_object_get( object, "shape" );
    if ( shape == NULL )
    {
        return joRefuse( reader, "has no \"shape\"" );
    }
    joEnterField( reader, "shape", 0 );
    if ( !joReadShape( reader, shape, scene->dimension, &collider->shape ) )
    {
        return false;
    }
    joLeaveField( reader );
    return true;
}

static bool ReadColliders(
    joJsonReader* reader, const json_t* object, const joScene* scene, joSceneBody* body )
{
    const json_t* array = json_object_get( object, "colliders" );
    const size_t count = json_array_size( array );
    if ( array == NULL )
    {
        return joRefuse( reader, "has no \"colliders\"" );
    }
    joEnterField( reader, "colliders", 0 );
    if ( !json_is_array( array ) || count == 0 || count > JO_SCENE_BODIES )
    {
        return joRefuse( reader, "not an array of 1 to %d colliders", JO_SCENE_BODIES );
    }
    body->colliders = calloc( count, sizeof( joSceneCollider ) );
    if ( body->colliders == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        joEnterField( reader, NULL, i );
        body->colliderCount = (uint32_t)i + 1;
        if ( !ReadCollider( reader, json_array_get( array, i ), scene, &body->colliders[i] ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    joLeaveField( reader );
    return true;
}

// --- motion -----------------------------------------------------------------------------------------------

// What the defs of both dimensions have alike.
typedef struct BodySetup
{
    int type;
    int response;
    bool isAwake;
    float gravityScale, linearDamping, angularDamping, mass;
    float velocity[3], angularVelocity[3];
} BodySetup;

static bool ReadSetup( joJsonReader* reader, const json_t* object, int dimension, BodySetup* setup )
{
    static const char* const types[] = { "static", "kinematic", "dynamic", NULL };
    static const char* const responses[] = { "detect", "push", "slide", NULL };
    return joReadName( reader, object, "type", types, &setup->type ) &&
           joReadName( reader, object, "response", responses, &setup->response ) &&
           joReadFlag( reader, object, "awake", &setup->isAwake ) &&
           joReadRange( reader, object, "gravityScale", -FLT_MAX, FLT_MAX, &setup->gravityScale ) &&
           joReadRange( reader, object, "damping", 0.0f, FLT_MAX, &setup->linearDamping ) &&
           joReadRange( reader, object, "angularDamping", 0.0f, FLT_MAX, &setup->angularDamping ) &&
           joReadRange( reader, object, "mass", FLT_MIN, FLT_MAX, &setup->mass ) &&
           joReadMember( reader, object, "velocity", setup->velocity, (size_t)dimension, true ) &&
           joReadMember(
               reader, object, "angularVelocity", setup->angularVelocity, dimension == 3 ? 3 : 1, true );
}

static void FillDefs( const BodySetup* setup, joSceneBody* body )
{
    body->def2.type = body->def3.type = (joBodyType)setup->type;
    body->def2.response = body->def3.response = (joResponse)setup->response;
    body->def2.isAwake = body->def3.isAwake = setup->isAwake;
    body->def2.gravityScale = body->def3.gravityScale = setup->gravityScale;
    body->def2.linearDamping = body->def3.linearDamping = setup->linearDamping;
    body->def2.angularDamping = body->def3.angularDamping = setup->angularDamping;
    body->def2.mass = body->def3.mass = setup->mass;
    body->def2.velocity = ( joVec2 ){ setup->velocity[0], setup->velocity[1] };
    body->def2.angularVelocity = setup->angularVelocity[0];
    body->def3.velocity = ( joVec3 ){ setup->velocity[0], setup->velocity[1], setup->velocity[2] };
    body->def3.angularVelocity =
        ( joVec3 ){ setup->angularVelocity[0], setup->angularVelocity[1], setup->angularVelocity[2] };
}

static bool ReadSlide( joJsonReader* reader, const json_t* owner, int dimension, joSlideDef* slide )
{
    static const char* const keys[] = { "skinWidth", "slopeLimit", "stepHeight", "maxSlides", "up", NULL };
    json_t* object = json_object_get( owner, "slide" );
    uint64_t maxSlides = slide->maxSlides;
    if ( object == NULL )
    {
        return true;
    }
    joEnterField( reader, "slide", 0 );
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadRange( reader, object, "skinWidth", FLT_MIN, JO_MAX_SIZE, &slide->skinWidth ) ||
         !joReadRange( reader, object, "slopeLimit", 0.0f, JO_MAX_SLOPE_LIMIT, &slide->slopeLimit ) ||
         !joReadRange( reader, object, "stepHeight", 0.0f, JO_MAX_SIZE, &slide->stepHeight ) ||
         !joReadWhole( reader, object, "maxSlides", 0, JO_MAX_SLIDES, &maxSlides ) ||
         !joReadMember( reader, object, "up", slide->up, (size_t)dimension, true ) )
    {
        return false;
    }
    slide->maxSlides = (uint32_t)maxSlides;
    joLeaveField( reader );
    return true;
}

// What is swept has an extent on all sides.
static bool CanSlide( int dimension, const joFileShape* shape )
{
    return dimension == 2 ? shape->shape2.kind != jo_segmentShape2 && shape->shape2.kind != jo_chainShape2
                          : shape->shape3.kind != jo_halfSpaceShape3 && shape->shape3.kind != jo_meshShape3;
}

static bool CheckSliding( joJsonReader* reader, int dimension, const joSceneBody* body )
{
    const bool slides = body->def2.response == jo_slide && body->def2.type != jo_staticBody;
    for ( uint32_t k = 0; k < body->colliderCount && slides; ++k )
    {
        if ( !CanSlide( dimension, &body->colliders[k].shape ) )
        {
            joEnterField( reader, "colliders", 0 );
            joEnterField( reader, NULL, k );
            return joRefuseMember( reader, "shape", "%s", joResultText( jo_errorCannotSlide ) );
        }
    }
    return true;
}

// --- bodies -----------------------------------------------------------------------------------------------

static bool ReadName( joJsonReader* reader, const json_t* object, joSceneBody* body )
{
    const char* name;
    if ( !joReadString( reader, object, "name", &name ) )
    {
        return false;
    }
    body->name = strdup( name != NULL ? name : "" );
    return body->name != NULL || joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
}

static bool ReadBody( joJsonReader* reader, const json_t* object, const joScene* scene, joSceneBody* body )
{
    body->def2 = joDefaultBodyDef2();
    body->def3 = joDefaultBodyDef3();
    body->slide = joDefaultSlideDef();
    BodySetup setup = { .type = jo_dynamicBody, .isAwake = true, .gravityScale = 1.0f, .mass = 1.0f };
    if ( !ReadName( reader, object, body ) || !ReadSetup( reader, object, scene->dimension, &setup ) ||
         !ReadSlide( reader, object, scene->dimension, &body->slide ) ||
         !joReadLayers( reader, object, "vanishAt", scene, &body->vanishLayers ) ||
         !( scene->dimension == 3 ? joReadPose3( reader, object, "pose", &body->def3.pose )
                                  : joReadPose2( reader, object, "pose", &body->def2.pose ) ) ||
         !ReadColliders( reader, object, scene, body ) ||
         !joReadBehaviour( reader, object, scene, &body->behaviour ) )
    {
        return false;
    }
    FillDefs( &setup, body );
    return CheckSliding( reader, scene->dimension, body );
}

static bool ReadSingleBody( joJsonReader* reader, json_t* object, const joScene* scene, joSceneBody* body )
{
    static const char* const keys[] = { "name", "type", "response", "slide", "awake", "gravityScale",
        "damping", "angularDamping", "mass", "velocity", "angularVelocity", "vanishAt", "pose", "colliders",
        "behaviour", NULL };
    return joCheckKeys( reader, object, keys ) && ReadBody( reader, object, scene, body );
}

static bool ReadEmitter( joJsonReader* reader, json_t* object, const joScene* scene, joSceneBody* body )
{
    // Where its bodies are is its own affair: it has no pose.
    static const char* const keys[] = { "name", "type", "response", "slide", "awake", "gravityScale",
        "damping", "angularDamping", "mass", "velocity", "angularVelocity", "vanishAt", "colliders",
        "behaviour", "count", "seed", "area", "place", "jitter", "turned", "speed", NULL };
    static const char* const places[] = { "anywhere", "lattice", NULL };
    joSceneEmitter* emitter = &body->emitter;
    uint64_t count = 0;
    int place = 0;
    emitter->seed = 1;
    if ( !joCheckKeys( reader, object, keys ) ||
         !joReadWhole( reader, object, "count", 1, JO_MAX_BODIES, &count ) ||
         !joReadWhole( reader, object, "seed", 0, INT64_MAX, &emitter->seed ) ||
         !joReadArea( reader, object, "area", scene->dimension, true, &emitter->area ) ||
         !joReadName( reader, object, "place", places, &place ) ||
         !joReadRange( reader, object, "jitter", 0.0f, 1.0f, &emitter->jitter ) ||
         !joReadFlag( reader, object, "turned", &emitter->isTurned ) ||
         !joReadMember( reader, object, "speed", emitter->speeds, 2, true ) )
    {
        return false;
    }
    if ( count == 0 )
    {
        return joRefuse( reader, "has no \"count\"" );
    }
    if ( !( 0.0f <= emitter->speeds[0] && emitter->speeds[0] <= emitter->speeds[1] &&
             emitter->speeds[1] <= MAX_SPEED ) )
    {
        return joRefuseMember( reader, "speed",
            "not two numbers from 0 to %g, the first not above the second", (double)MAX_SPEED );
    }
    emitter->count = (uint32_t)count;
    emitter->isLattice = place == 1;
    return ReadBody( reader, object, scene, body );
}

typedef bool ReadBodyFcn( joJsonReader* reader, json_t* object, const joScene* scene, joSceneBody* body );

static bool ReadList(
    joJsonReader* reader, const json_t* root, const char* key, joScene* scene, ReadBodyFcn* read )
{
    const json_t* array = json_object_get( root, key );
    joEnterField( reader, key, 0 );
    for ( size_t i = 0; i < json_array_size( array ); ++i )
    {
        joEnterField( reader, NULL, i );
        joSceneBody* body = &scene->bodies[scene->bodyCount++];
        if ( !read( reader, json_array_get( array, i ), scene, body ) )
        {
            return false;
        }
        joLeaveField( reader );
    }
    joLeaveField( reader );
    return true;
}

bool joReadSceneBodies( joJsonReader* reader, const json_t* root, joScene* scene )
{
    static const char* const keys[] = { "bodies", "emitters" };
    size_t count = 0;
    for ( int i = 0; i < 2; ++i )
    {
        const json_t* array = json_object_get( root, keys[i] );
        if ( array != NULL && ( !json_is_array( array ) || json_array_size( array ) > JO_SCENE_BODIES ) )
        {
            return joRefuseMember( reader, keys[i], "not an array of up to %d objects", JO_SCENE_BODIES );
        }
        count += json_array_size( array );
    }
    scene->bodies = calloc( count + 1, sizeof( joSceneBody ) );
    if ( scene->bodies == NULL )
    {
        return joRefuse( reader, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    return ReadList( reader, root, "bodies", scene, ReadSingleBody ) &&
           ReadList( reader, root, "emitters", scene, ReadEmitter );
}
