// SPDX-License-Identifier: MIT
// A scene under way in a test: every event is checked against those before it.
#pragma once

#include "scene_run.h"
#include "support/broad_phase_kit.h"
#include "support/event_ledger.h"
#include "test_support.h"

#include <math.h>

// Scenes whole, not small variants of them.
static inline bool isSoak( void )
{
    return getenv( "JOSTLE_SOAK" ) != NULL;
}

typedef struct Stage
{
    joScene scene;
    joSceneRun* run;
    eventLedger ledgers[2]; // contacts, triggers
} Stage;

static inline void loadScene( const char* name, joScene* scene )
{
    char path[256];
    joJsonError error;
    snprintf( path, sizeof( path ), "scenes/%s.json", name );
    if ( !joLoadScene( path, scene, &error ) )
    {
        fail_msg( "%s:%d:%d: %s: %s", path, error.line, error.column, error.field, error.what );
    }
}

// `scale` of the small variant.
static inline void openStage( Stage* stage, const char* name, float scale )
{
    *stage = ( Stage ){ .ledgers = { { .wereAllAwake = true }, { .wereAllAwake = true } } };
    loadScene( name, &stage->scene );
    const joSceneRunDef def = { jo_broadPhaseKindCount, NULL, isSoak() ? 1.0f : scale };
    kitRequire( joCreateSceneRun( &stage->scene, &def, &stage->run ), "joCreateSceneRun" );
}

static inline void stepStage( Stage* stage )
{
    kitRequire( joSceneRun_Step( stage->run ), "joSceneRun_Step" );
    const joWorldStats stats = joWorld_GetStats( stage->run->world );
    for ( int list = 0; list < 2; ++list )
    {
        joContactEvents events;
        joSceneRun_GetEvents( stage->run, list, &events );
        ledgerTake( &stage->ledgers[list], &events, stats.sleepingBodyCount == 0 );
    }
    assert_int_equal( stage->ledgers[0].count + stage->ledgers[1].count, stage->run->totals.contacts );
}

static inline void closeStage( Stage* stage )
{
    assert_true( joWorld_Validate( stage->run->world ) );
    ledgerFree( &stage->ledgers[0] );
    ledgerFree( &stage->ledgers[1] );
    joDestroySceneRun( stage->run );
    joFreeScene( &stage->scene );
}

// As many as the scene says; of a small variant no more than `few`.
static inline uint32_t stepCountOf( const Stage* stage, uint32_t few )
{
    return isSoak() || few > stage->scene.steps ? stage->scene.steps : few;
}

static inline const joSceneGroup* groupNamed( const Stage* stage, const char* name )
{
    for ( uint32_t g = 0; g < stage->scene.bodyCount; ++g )
    {
        if ( strcmp( stage->scene.bodies[g].name, name ) == 0 )
        {
            return &stage->run->groups[g];
        }
    }
    fail_msg( "no body is named %s", name );
    return NULL;
}

static inline joBodyDef2 bodyOf( const Stage* stage, joBodyId id )
{
    joBodyDef2 def;
    kitRequire( joWorld_GetBody2( stage->run->world, id, &def ), "joWorld_GetBody2" );
    return def;
}

static inline double distanceOf( joVec2 a, joVec2 b )
{
    return hypot( (double)a.x - (double)b.x, (double)a.y - (double)b.y );
}
