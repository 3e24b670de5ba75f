// SPDX-License-Identifier: MIT
// A unit of pairs in 2D: as many as are sorted by kinds together.
#pragma once

#include "narrow_phase/collide_batch.h"

// What is asked about some pairs, and where the answers go: each in the place of its pair. What does not
// touch has zero normals and depths, and no manifold. Only the manifolds of a list of one class, which needs
// no sorting, stand one after the other.
typedef struct joFlatUnit
{
    const joCollideBatch* batch;
    const joPair* pairs;
    uint32_t count; // 1 to JO_BATCH_UNIT
    float margin;
    uint64_t* words; // hit bits, JO_BATCH_UNIT of them
    joVec2* normals; // null, or one a pair
    float* depths;
    joManifold2* manifolds; // null, or one a pair
    uint32_t room;          // manifolds that are written at most, if they stand one after the other
} joFlatUnit;

void joAnswerFlatUnit( const joFlatUnit* unit );
