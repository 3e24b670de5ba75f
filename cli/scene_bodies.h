// SPDX-License-Identifier: MIT
// The bodies of a run, the same for both dimensions: places and velocities are the first numbers of their
// columns.
#pragma once

#include "scene_run.h"

// Bodies that calls are about, with columns beside them.
typedef struct joSceneScratch
{
    uint32_t capacity;
    joBodyId* ids;
    char* poses;       // joTransform2 or joTransform3
    float* velocities; // joVec2 or joVec3
    size_t poseSize, velocitySize;
} joSceneScratch;

joSceneScratch* joCreateSceneScratch( int dimension );
void joDestroySceneScratch( joSceneScratch* scratch );
joResult joSceneScratch_Reserve( joSceneScratch* scratch, uint32_t count );

static inline float* joPlaceAt( const joSceneScratch* scratch, uint32_t i )
{
    return (float*)(void*)( scratch->poses + i * scratch->poseSize );
}

static inline float* joVelocityAt( const joSceneScratch* scratch, uint32_t i )
{
    return (float*)(void*)( (char*)scratch->velocities + i * scratch->velocitySize );
}

// Poses and velocities of `count` bodies into the scratch.
joResult joSceneRun_Get( const joSceneRun* run, const joBodyId* ids, uint32_t count );
// Those of the scratch's own ids from the scratch.
joResult joSceneRun_SetVelocities( joSceneRun* run, uint32_t count );
joResult joSceneRun_SetPoses( joSceneRun* run, uint32_t count );

// All bodies that a run begins with.
joResult joSceneRun_SpawnAll( joSceneRun* run );
// How many an emitter makes at the scale of the run.
uint32_t joSceneRun_ScaledCount( const joSceneRun* run, const joSceneEmitter* emitter );
// One more of an emitter, anywhere in an area.
joResult joSceneRun_SpawnAnywhere( joSceneRun* run, uint32_t group, const joSceneArea* area );
// Gives element `i` of the scratch a place in an area, and a rotation.
void joPutAnywhere( joSceneRun* run, const joSceneArea* area, bool isTurned, joRandom* random, uint32_t i );

// Before a step: what the bodies of all groups do of themselves.
joResult joSceneRun_Behave( joSceneRun* run );
// After a step: destroys what has begun to touch what it vanishes at.
joResult joSceneRun_Vanish( joSceneRun* run );
// Random operations, before a step.
joResult joSceneRun_Disturb( joSceneRun* run );
