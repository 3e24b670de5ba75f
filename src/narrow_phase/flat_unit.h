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
    // Only if manifolds stand one after the other: how many are written at most, and whose they are (null:
    // not asked), counted from `firstPair`.
    uint32_t room;
    uint32_t* hitPairs;
    uint32_t firstPair;
} joFlatUnit;

void joAnswerFlatUnit( const joFlatUnit* unit );
