// SPDX-License-Identifier: MIT
// Whether contestants answer queries alike. Libraries that compute in float differ in the last bits, and
// where a ray grazes an object the one finds it and the other does not. So answers are compared by distances
// that benchQueryDistance computes, in double, from the keys alone: it does not matter which of two objects
// at one distance is named. What differs, but would be as right if objects and queries were larger or smaller
// by the tolerance, is a close call: it is counted, and not held against anyone. jostle's own answers must be
// the same bits, distances and all.
#pragma once

#include "contestant.h"

// Of the world's side: eight units in the last place of a coordinate at its far end.
#define BENCH_CLOSE_CALL 1e-6

typedef struct benchJudge benchJudge;

typedef struct benchVerdict
{
    bool right;       // if not, stderr says what is wrong
    uint64_t results; // how many answers
    uint64_t closeCalls;
    uint64_t
        hash; // of the answers to the first `hashCount` queries; of a close call, the one it was held against
} benchVerdict;

// The scene is borrowed.
benchJudge* benchCreateJudge( const benchQueryScene* scene );
void benchDestroyJudge( benchJudge* judge );

// What a contestant answered to the first `queryCount` queries, against what others did before; where it is
// the first one, it is kept for the others.
benchVerdict benchJudgeAnswers( benchJudge* judge, const benchContestant* contestant, benchAnswers* answers,
    uint32_t queryCount, uint32_t hashCount );

// Answers for all queries of a scene.
benchAnswers benchMakeAnswers( const benchQueryScene* scene );
void benchFreeAnswers( benchAnswers* answers );
