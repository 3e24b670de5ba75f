// SPDX-License-Identifier: MIT
// Any bytes as the file of a scene: it is refused with a reason and a place, or it is a scene that a world
// takes, and runs.
#include "fuzz_bytes.h"
#include "scene_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

// A scene that has more bodies or colliders is only read.
#define MOST_BODIES 40
#define STEPS 3

static void expect( bool isTrue, const char* what )
{
    if ( !isTrue )
    {
        fprintf( stderr, "fuzz_scene: %s\n", what );
        abort();
    }
}

static void checkError( const char* text, const joJsonError* error )
{
    const size_t lines = 1 + strlen( text );
    expect( error->what[0] != '\0', "refused without a reason" );
    expect( error->line >= 1 && (size_t)error->line <= lines, "refused at a line that there is not" );
    expect( error->column >= 0 && (size_t)error->column <= lines, "refused at a column that there is not" );
    expect( strlen( error->field ) < sizeof( error->field ), "a field without an end" );
}

static uint64_t checkBody( const joScene* scene, const joSceneBody* body )
{
    expect( body->name != NULL && body->colliderCount > 0, "a body without a name or a collider" );
    for ( uint32_t k = 0; k < body->colliderCount; ++k )
    {
        const joSceneCollider* collider = &body->colliders[k];
        const joFileShape* shape = &collider->shape;
        const bool isFlat = scene->dimension == 2;
        expect( shape->dimension == scene->dimension, "a shape of another dimension" );
        expect( ( isFlat ? joCheckShape2( &shape->shape2 ) : joCheckShape3( &shape->shape3 ) ) == jo_success,
            "a shape that is none" );
        expect( ( isFlat ? joCheckTransform2( &shape->pose2 ) : joCheckTransform3( &shape->pose3 ) ) ==
                    jo_success,
            "a pose that is none" );
        expect( collider->filter.layer < JO_MAX_LAYERS, "a layer that there is not" );
        expect( collider->material.restitution >= 0.0f && collider->material.restitution <= 1.0f,
            "a restitution that is none" );
    }
    const uint64_t count = body->emitter.count > 0 ? body->emitter.count : 1;
    return count * body->colliderCount;
}

static void runScene( const joScene* scene )
{
    joSceneRun* run;
    const joSceneRunDef def = { jo_broadPhaseKindCount, NULL, 1.0f };
    expect( joCreateSceneRun( scene, &def, &run ) == jo_success, "a scene that no world takes" );
    uint64_t hash;
    for ( int i = 0; i < STEPS; ++i )
    {
        expect( joSceneRun_Step( run ) == jo_success, "a step fails" );
    }
    expect( joSceneRun_Hash( run, &hash ) == jo_success, "no hash" );
    expect( joWorld_Validate( run->world ), "the world is broken" );
    joDestroySceneRun( run );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    char* text = malloc( size + 1 );
    expect( text != NULL, "no memory" );
    memcpy( text, data, size );
    text[size] = '\0';
    joScene scene;
    joJsonError error;
    if ( !joParseScene( text, &scene, &error ) )
    {
        checkError( text, &error );
    }
    else
    {
        uint64_t count = scene.disturbance.perStep;
        for ( uint32_t i = 0; i < scene.bodyCount; ++i )
        {
            count += checkBody( &scene, &scene.bodies[i] );
        }
        if ( count <= MOST_BODIES )
        {
            runScene( &scene );
        }
        joFreeScene( &scene );
    }
    free( text );
    return 0;
}
