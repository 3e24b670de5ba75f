// SPDX-License-Identifier: MIT
// Questions to the boxes of a file: as text, and asked of a broad phase. DIM numbers are a place: 2 or 3.
#pragma once

#include "box_file.h"

#include "jostle/query.h"

typedef enum joQuestionKind
{
    jo_askRay = 0, // origin, direction, [length]
    jo_askSweep,   // lower, upper, direction, [length]: a box that moves
    jo_askBox,     // lower, upper
    jo_askCircle,  // centre, radius
    jo_askNearest, // point, [k, [greatest distance]]
    jo_questionKindCount
} joQuestionKind;

// What is wanted of rays and sweeps.
typedef enum joHitMode
{
    jo_closestHit = 0,
    jo_allHits,
    jo_anyHit
} joHitMode;

typedef struct joQuestion
{
    joQuestionKind kind;
    float lower[3], upper[3]; // the box; origin, centre and point are in both
    float direction[3];
    float reach;   // length (default +inf), radius, greatest distance (default +inf)
    uint32_t k;    // default 1
    uint64_t line; // of the file it was read from; 0: none
} joQuestion;

typedef struct joQuestionList
{
    joQuestion* data;
    uint32_t count, capacity;
} joQuestionList;

// What was found: keys in order, or hits in order. Kept from one question to the next for its memory.
typedef struct joAnswer
{
    bool hasDistances; // hits, else keys
    uint64_t count;    // jo_anyHit: 0 or 1, and neither
    uint32_t* keys;
    joHit* hits;
    uint64_t keyCapacity, hitCapacity;
} joAnswer;

// "ray", "sweep", "box", "circle", "nearest".
const char* joQuestionKindText( joQuestionKind kind );

// Numbers with blanks or commas between them. False: `fault` says why, as a phrase.
bool joParseQuestion( joQuestionKind kind, const char* numbers, int dimension, joQuestion* question,
    char* fault, size_t capacity );
// As it is asked, with the numbers that were left out. `text` has room for JO_QUESTION_TEXT.
#define JO_QUESTION_TEXT 256
void joFormatQuestion( const joQuestion* question, int dimension, char* text );

// Adds to the list. False: no memory.
bool joAddQuestion( joQuestionList* list, const joQuestion* question );
// Adds those of a file, a kind and its numbers a line, comments and gzip as in files of boxes. False: *error
// says why.
bool joReadQuestions( const char* path, int dimension, joQuestionList* list, joFileError* error );
void joFreeQuestions( joQuestionList* list );

// Errors: those of the query, and jo_errorOutOfMemory.
joResult joAskQuestion(
    const joBroadPhase* broadPhase, const joQuestion* question, joHitMode mode, joAnswer* answer );
void joFreeAnswer( joAnswer* answer );
