// SPDX-License-Identifier: MIT
// A rig that drives jo_bvh by its own table, without the front: two sets of boxes with a tree each, and pairs
// checked against every pair tried.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "broad_phase/bvh.h"
#include "broad_phase/kinds.h"
#include "broad_phase/pair_collector_internal.h"
#include "reference/reference_scene.h"

typedef struct bvhHeap
{
    uint64_t allocations;
    uint64_t failAt; // the allocation to fail, from 1; 0: none
} bvhHeap;

// Two sets with a tree each: moving, and still.
typedef struct bvhRig
{
    bvhHeap heap;
    joMemory memory;
    joBroadPhaseDef def;
    joStructureContext context;
    joObjectSet sets[2];
    joBvh trees[2];
    joPairCollector collector;
    refRandom random;
} bvhRig;

// Styles of drawn boxes.
enum
{
    bvh_uniform,
    bvh_mixedSizes,
    bvh_wholeNumbers,
    bvh_points,
    bvh_infinite,
    bvh_styleCount
};

void bvhStartRig( bvhRig* rig, uint32_t axisCount, joJobs* jobs, uint64_t seed );
void bvhEndRig( bvhRig* rig );
joObject bvhMakeBox( const bvhRig* rig, const float center[3], const float half[3] );
joObject bvhMakeCube( const bvhRig* rig, float x, float y, float z, float half );
uint32_t bvhAddBox( bvhRig* rig, int which, joObject object );
void bvhMoveBox( bvhRig* rig, int which, uint32_t slot, joObject object );
bool bvhIsLive( const bvhRig* rig, int which, uint32_t slot );
// Builds and checks the invariants.
void bvhBuild( bvhRig* rig, int which );
uint64_t bvhFindPairs( bvhRig* rig, bool countOnly );
// Tries every pair, in the order of the answer.
void bvhCheckPairs( bvhRig* rig );
float bvhDraw( bvhRig* rig, double lower, double upper );
joObject bvhDrawBox( bvhRig* rig, int style );
void bvhRemoveSome( bvhRig* rig, int which, double share );
// All boxes with their centres in a cube: empties leaves and nodes.
uint32_t bvhRemoveRegion( bvhRig* rig, int which, const float corner[3], float side );
void bvhMoveSome( bvhRig* rig, int which, double share, float step, int style );
