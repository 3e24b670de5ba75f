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
    bool flushesDenormals; // set it to ask in this floating-point mode of the host
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

// Queries with numbers of one's own, that meet all. `at`, `direction`: three numbers, floats.
kitQuery kitAskBox( const double lower[3], const double upper[3] );
kitQuery kitAskCircle( const double center[3], double radius );
kitQuery kitAskRay( const double origin[3], const double direction[3], double length );
kitQuery kitAskSweptBox(
    const double lower[3], const double upper[3], const double direction[3], double length );
kitQuery kitAskNearest( const double point[3], uint32_t k, double maxDistance );

// Asks in every form and compares with the reference; fails with the query and `when`. Gives all that is met,
// to be freed.
kitAnswer kitCheckQuery( const kitScene* scene, const kitQuery* query, const char* when );

// Likewise, and that exactly these keys are met, at these distances (null: not looked at).
void kitExpect( const kitScene* scene, const kitQuery* query, const char* when, const uint32_t* keys,
    const float* distances, uint64_t count );

// The same in short: brings the scene up to date; checks against the reference alone; expects keys, one hit,
// or nothing.
void kitUpdate( kitScene* scene );
void kitCheckOnly( const kitScene* scene, kitQuery query, const char* when );
void kitExpectKeys(
    const kitScene* scene, kitQuery query, const char* when, const uint32_t* keys, uint64_t count );
void kitExpectHit( const kitScene* scene, kitQuery query, const char* when, uint32_t key, double distance );
void kitExpectNothing( const kitScene* scene, kitQuery query, const char* when );
