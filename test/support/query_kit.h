// SPDX-License-Identifier: MIT
// What the tests of queries share: random queries that are nasty for a scene, asking them in every form, and
// comparing answers.
#pragma once

#include "broad_phase_kit.h"
#include "reference/query_reference.h"

#define KIT_IGNORED_KEYS 8

// A query, and what it borrows: it stays where it was drawn.
typedef struct kitQuery
{
    refQuery reference;
    uint32_t ignoredKeys[KIT_IGNORED_KEYS];
    bool noFilter; // ask with a null filter, which the reference's members must allow
    float unread;  // 2D: what stands in the third element of everything
} kitQuery;

typedef enum kitForm
{
    kit_formAll = 0, // room for all
    kit_formFew,     // a buffer that may be too small
    kit_formClosest, // rays and swept boxes: the first
    kit_formAny,     // rays and swept boxes: whether there is one
    kit_formCount
} kitForm;

// Keys and distances, and how many there are in all. Memory is kept for reuse.
typedef struct kitAnswer
{
    uint32_t* keys;
    float* distances; // 0 for overlaps
    joHit* hits;
    uint64_t capacity;
    uint64_t present; // in the arrays
    uint64_t count;
    bool isHit; // kit_formAny
    bool isOverrun;
} kitAnswer;

// A point or vector as it stands in the library's structs: the third element of 2D is not read.
void kitToFloats( const double from[3], int dimension, float unread, float to[3] );
joRay kitToRay( const kitQuery* query, int dimension );
joSweptBox kitToSweptBox( const kitQuery* query, int dimension );

// Draws a query, mostly near the objects: on their corners, edges and faces, along axes, to exact distances.
// `def` says what the scene looks like.
void kitDrawQuery(
    const refSceneDef* def, refRandom* random, const refObject* objects, uint32_t count, kitQuery* query );

// Which forms there are for this kind of query: overlaps and nearest have the first two.
kitForm kitDrawForm( const kitQuery* query, refRandom* random );

// `room`: of the buffer, in the forms that have one.
joResult kitAsk( const joBroadPhase* broadPhase, int dimension, const kitQuery* query, kitForm form,
    uint64_t room, kitAnswer* answer );
void kitFreeAnswer( kitAnswer* answer );

// Whether an answer in some form is what follows from all that is met.
bool kitAgrees( const kitAnswer* answer, kitForm form, uint64_t room, const kitAnswer* all );

void kitPrintQuery( const kitQuery* query, int dimension );
