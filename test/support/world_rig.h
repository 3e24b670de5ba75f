// SPDX-License-Identifier: MIT
// A world and its model side by side: random operations on both, and the comparison after each step.
#pragma once

#include "reference/world_model.h"
#include "support/broad_phase_kit.h"

typedef struct worldRig
{
    joWorld* world;
    modelWorld model;
    kitHeap heap;
    joPolygon2 polygons[8]; // that shapes point to
    joShape2 polygonRows[8];
    unsigned char *saved, *savedAgain; // of RIG_SNAPSHOT_SIZE bytes; savedSize 0: nothing is saved
    uint64_t savedSize;
    modelCopy savedModel;
    uint64_t random;
    bool failsAtTimes; // some operations run out of memory, and must leave no trace
    uint64_t stepCount, operationCount, eventCount, refusedCount;
    uint64_t sleeperCount; // over all steps
    uint64_t loadCount;
    uint64_t hash; // of all events so far
} worldRig;

joWorldDef worldRigDef( int dimension );
// Allocator and jobs (null: one thread) are set here.
void worldRigInit( worldRig* rig, const joWorldDef* def, uint64_t seed );
void worldRigFree( worldRig* rig );

// One random operation, a step now and then.
void worldRigOperate( worldRig* rig );
// A step of both, and all events, contacts of a body and invariants compared. Fails the test if they differ.
void worldRigStep( worldRig* rig );
// An operation that may run out of memory. end: whether it happened; if not, it was for want of memory.
void rigBeginOperation( worldRig* rig );
bool rigEndOperation( worldRig* rig, joResult result );

// Saves and loads (world_rig_snapshot.c).
#define RIG_SNAPSHOT_SIZE ( UINT64_C( 1 ) << 20 )
joShapeTable rigShapes( const worldRig* rig );
uint64_t rigSave( worldRig* rig, unsigned char* bytes );
// Goes on in a new world of this kind and number of threads, made from the bytes of this one.
void rigChangeWorlds( worldRig* rig, const joBroadPhaseDef* broadPhase, joJobs* jobs );
// Saves world and model, or winds both back.
void rigSaveOrLoad( worldRig* rig );

// Random things, all near each other (world_rig_random.c).
uint32_t rigBelow( worldRig* rig, uint32_t bound );
float rigBetween( worldRig* rig, float lower, float upper );
float rigSize( worldRig* rig );
joTransform2 rigPose2( worldRig* rig );
joTransform3 rigPose3( worldRig* rig );
joShape2 rigShape2( worldRig* rig );
joShape3 rigShape3( worldRig* rig );
joColliderFilter rigFilter( worldRig* rig );
