// SPDX-License-Identifier: MIT
#include "scene_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

// A name in quotes, with what must be escaped. Of no name nothing is written.
static void WriteName( const joSceneRun* run, const char* key, uint64_t group, FILE* file )
{
    const char* name = run->scene->bodies[group].name;
    json_t* string = name[0] != '\0' ? json_string( name ) : NULL;
    char* text = string != NULL ? json_dumps( string, JSON_ENCODE_ANY ) : NULL;
    if ( text != NULL )
    {
        fprintf( file, ",\"%s\":%s", key, text );
    }
    free( text );
    json_decref( string );
}

static void WriteNumbers( const char* key, const float* numbers, int count, FILE* file )
{
    fprintf( file, ",\"%s\":[", key );
    for ( int i = 0; i < count; ++i )
    {
        fprintf( file, "%s%.9g", i > 0 ? "," : "", (double)numbers[i] );
    }
    fputc( ']', file );
}

static void WriteList(
    const joSceneRun* run, const char* what, const joContactEvent* events, uint64_t count, FILE* file )
{
    const int dimension = run->scene->dimension;
    for ( uint64_t i = 0; i < count; ++i )
    {
        const joContactEvent* event = &events[i];
        fprintf( file,
            "{\"step\":%" PRIu64 ",\"event\":\"%s\",\"trigger\":%s,\"bodyA\":%" PRIu64 ",\"bodyB\":%" PRIu64
            ",\"colliderA\":%" PRIu64 ",\"colliderB\":%" PRIu64,
            run->stepCount, what, event->isTrigger ? "true" : "false", event->bodyA.bits, event->bodyB.bits,
            event->colliderA.bits, event->colliderB.bits );
        WriteName( run, "nameA", event->userDataA, file );
        WriteName( run, "nameB", event->userDataB, file );
        WriteNumbers( "normal", event->normal, dimension, file );
        WriteNumbers( "point", event->point, dimension, file );
        fprintf( file, ",\"depth\":%.9g,\"time\":%.9g,\"child\":%" PRIu32 ",\"sideA\":%u,\"sideB\":%u}\n",
            (double)event->depth, (double)event->time, event->child, event->sideA, event->sideB );
    }
}

void joWriteSceneEvents( const joSceneRun* run, FILE* file )
{
    for ( int list = 0; list < 2; ++list )
    {
        joContactEvents events;
        joSceneRun_GetEvents( run, list, &events );
        WriteList( run, "enter", events.enters, events.enterCount, file );
        WriteList( run, "exit", events.exits, events.exitCount, file );
    }
}
