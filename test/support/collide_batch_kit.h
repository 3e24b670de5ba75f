// SPDX-License-Identifier: MIT
// Batches of pairs against the single calls, to the bit: what tests of 2D and 3D share. What differs stands
// in a table of functions.
#pragma once

#include "jostle/collide_batch.h"

#define BATCH_MAX_SHAPES 600
#define BATCH_MAX_PAIRS 5000

typedef struct BatchDimension BatchDimension;

// Shapes with poses, of the test, and a list of their pairs.
typedef struct BatchScene
{
    const BatchDimension* dimension;
    joColumn shape, pose;
    uint32_t shapeCount;
    joPair pairs[BATCH_MAX_PAIRS];
    uint32_t pairCount;
} BatchScene;

struct BatchDimension
{
    size_t vectorSize;   // of a normal
    size_t manifoldSize; // which starts with the normal and the depth
    bool ( *canMeet )( const BatchScene* scene, joPair pair );
    // The single calls. `collide` returns how many points there are.
    bool ( *overlap )( const BatchScene* scene, joPair pair );
    uint32_t ( *collide )( const BatchScene* scene, joPair pair, float margin, void* manifold );
    // The calls of a batch.
    joResult ( *setShapes )( joCollideBatch* batch, const BatchScene* scene, uint32_t* errorIndex );
    joResult ( *overlapAll )( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
        uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex );
    joResult ( *findDepths )( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
        uint64_t* hitBits, void* normals, float* depths, uint64_t* hitCount );
    joResult ( *collideAll )( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount, float margin,
        uint32_t* hitPairs, void* manifolds, uint64_t capacity, uint64_t* hitCount );
};

const void* batchShapeOf( const BatchScene* scene, uint32_t i );
const void* batchPoseOf( const BatchScene* scene, uint32_t i );

// Pairs of any two shapes that can meet; (1, 1) for others.
void batchTakePairs( BatchScene* scene, uint64_t* random, uint32_t pairCount );

joCollideBatch* batchMake( uint32_t workerCount );
void batchCheckManifolds( joCollideBatch* batch, const BatchScene* scene, float margin, uint64_t capacity );

// Makes a scene of the sort that `sort` stands for in the test.
typedef void BatchSceneFcn( BatchScene* scene, uint64_t* random, int sort, uint32_t pairCount );

// All answers of many scenes of a sort, for one and more threads, lists that end anywhere, small buffers.
void batchCheckScenes( BatchSceneFcn* makeScene, int sort, int sceneCount, uint64_t seed );
// `def` reserves the most shapes and all pairs but one; beyond the reserves there is no room. `scene`: of all
// but one pairs.
void batchCheckReserves( joCollideBatchDef def, BatchScene* scene );
// What is wrong with the pairs or the arguments. `scene`: of 700 pairs.
void batchCheckBadCalls( BatchScene* scene );
