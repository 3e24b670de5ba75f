// SPDX-License-Identifier: MIT
// A scene under way: its bodies in a world, what they do of themselves, and what came of it. No input and no
// output: the bench and the tests run scenes by this too. The same scene and scale give the same bits for
// every number of threads, instruction set and kind of broad phase.
#pragma once

#include "scene.h"

typedef struct joSceneRunDef
{
    joBroadPhaseKind kind; // jo_broadPhaseKindCount: what the scene says
    joJobs* jobs;          // null: one thread
    // Areas are so many times as long, and emitters make this to the power of the dimension as many bodies
    // (at least one). > 0, finite; 1 is the scene as it stands.
    float scale;
} joSceneRunDef;

// The living bodies that one body or emitter of the scene has made. Their user data is the group's index, and
// that of their colliders the layer.
typedef struct joSceneGroup
{
    const joSceneBody* source;
    joBodyId* ids;      // in the order in which they were made
    uint32_t* progress; // of each: the point it goes to, or the input that holds
    uint32_t count, capacity;
} joSceneGroup;

// Of all steps together.
typedef struct joSceneTotals
{
    uint64_t pairs, contacts;               // of the last step
    uint64_t enters[2], stays[2], exits[2]; // of pairs of colliders; 0: contacts, 1: those with a trigger
    uint64_t created, destroyed;            // bodies, but for those that the scene begins with
    double behaviours, step;                // seconds
    joWorldProfile profile;                 // seconds, by stage
} joSceneTotals;

typedef struct joSceneRun
{
    const joScene* scene; // borrowed
    joWorld* world;
    joSceneGroup* groups; // as many as the scene has bodies and emitters
    float scale;
    uint64_t stepCount;
    joSceneTotals totals;
    uint64_t eventHash; // of all enters and exits, in their order
    joRandom random;    // of the disturbance
    // Room for the bodies of one group at a time.
    struct joSceneScratch* scratch;
} joSceneRun;

// Errors: those of the calls that make worlds and bodies; jo_errorBadDef (scale).
joResult joCreateSceneRun( const joScene* scene, const joSceneRunDef* def, joSceneRun** run );
void joDestroySceneRun( joSceneRun* run );

// What the bodies do of themselves, a step of the world, what vanishes. After an error the run may only be
// destroyed.
joResult joSceneRun_Step( joSceneRun* run );

// The events of the last step per pair of colliders. `list` 0: without, 1: with a trigger.
void joSceneRun_GetEvents( const joSceneRun* run, int list, joContactEvents* events );

#define JO_SCENE_HASH_START UINT64_C( 0xcbf29ce484222325 )

// Of the state: ids, poses, velocities, whether asleep, and contacts of all bodies.
joResult joSceneRun_Hash( const joSceneRun* run, uint64_t* hash );
uint64_t joHashEvents( uint64_t hash, const joContactEvent* events, uint64_t count );

// An area of the scene at the scale of the run.
joSceneArea joSceneRun_Scale( const joSceneRun* run, const joSceneArea* area );
