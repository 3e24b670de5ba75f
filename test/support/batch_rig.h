// SPDX-License-Identifier: MIT
// What the tests of query batches share: questions as rows, asked as a batch or one by one.
#pragma once

#include "broad_phase_kit.h"

typedef enum rigVerb
{
    rig_overlapBoxes,
    rig_overlapCircles,
    rig_raysClosest,
    rig_raysAny,
    rig_raysAll,
    rig_boxesClosest,
    rig_boxesAny,
    rig_boxesAll,
    rig_nearest,
    rig_verbCount
} rigVerb;

extern const char* const rigVerbText[rig_verbCount];

// One question, whatever the verb: rays, circles and points are at `lower`.
typedef struct rigRow
{
    float lower[3], upper[3];
    float direction[3];
    float length; // radius, greatest distance
    uint32_t k;
    uint32_t ignoredKey;
    uint64_t layer, mask;
} rigRow;

typedef enum rigStyle
{
    rig_plain = 0,
    rig_noFilters = 1, // columns absent
    rig_noIgnored = 2,
    rig_noLength = 4,   // absent where that may be: infinite
    rig_oneLength = 8,  // stride 0: that of the first row
    rig_absentZ = 16,   // in 2D
    rig_styleCount = 32 // all of the above together are below this
} rigStyle;

// What is asked: rows by a verb.
typedef struct rigQuestions
{
    rigVerb verb;
    uint32_t style;
    const rigRow* rows;
    uint32_t count;
    int dimension;
} rigQuestions;

// All answers to them. Memory of its own.
typedef struct rigAnswers
{
    uint64_t* offsets; // lists: count + 1
    void* results;     // keys or hits; or one hit, or one bool, a query
    uint64_t count;    // results
    size_t size;       // of one
} rigAnswers;

bool rigIsList( rigVerb verb );
size_t rigResultSize( rigVerb verb );

// Draws rows around a scene of objects.
void rigDrawRows( refRandom* random, const refObject* objects, uint32_t objectCount, rigRow* rows,
    uint32_t count, int dimension );

// The batch's call. `results` has room for `capacity`; a verb that gives no lists fills it with one a query.
joResult rigAsk( joQueryBatch* batch, const joBroadPhase* broadPhase, const rigQuestions* questions,
    uint64_t* offsets, void* results, uint64_t capacity, uint64_t* resultCount, uint32_t* errorIndex );

// The single calls. Fails the test where one fails.
rigAnswers rigAskOneByOne( const joBroadPhase* broadPhase, const rigQuestions* questions );
void rigFreeAnswers( rigAnswers* answers );

// Asks the batch for everything, and fails the test, saying `what`, where an answer is not the expected one.
void rigCompare( joQueryBatch* batch, const joBroadPhase* broadPhase, const rigQuestions* questions,
    const rigAnswers* expected, const char* what );

joQueryBatch* rigCreateBatch( joJobs* jobs );
