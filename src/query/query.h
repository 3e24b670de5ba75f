// SPDX-License-Identifier: MIT
// One query on its way: its shape for the structures (a probe), its exact tests, its filter, its results.
//
// query_shape.c makes it from what the caller gave, query_results.c keeps what it finds, query.c runs it.
#pragma once

#include "base/float_env.h"
#include "broad_phase/front.h"
#include "jostle/query.h"

#include <math.h>

typedef struct joQuery joQuery;

// How far until the object is met (0 for overlaps); +inf: it is not. Null round: a box.
typedef float joQueryTestFcn( const joQuery* query, const joBoxRecord* record, const joRound* round );

typedef enum joResultMode
{
    jo_keepKeys, // in order of key
    jo_keepHits, // in order of distance, then key
    jo_keepClosest,
    jo_keepNone // whether there is any
} joResultMode;

typedef struct joResultList
{
    joResultMode mode;
    uint32_t* keys; // jo_keepKeys
    joHit* hits;    // jo_keepHits; jo_keepClosest: one
    uint64_t capacity;
    uint64_t wanted; // nearest: k; else all
    uint64_t count;  // found, beyond `capacity` and `wanted` too
    bool isHeap;
} joResultList;

struct joQuery
{
    joProbe probe; // first: a probe is cast to its query
    const joBroadPhase* front;
    const joObjectSet* set; // the candidates are of
    bool isPending;         // they are of its pending list
    joQueryTestFcn* test;

    joBoxRecord record; // overlaps: the query as an object
    joRound round;
    double lower[3], upper[3]; // rays, sweeps and points: where they start
    double direction[3];       // a unit vector; 0 if the length is

    joFilter filter;
    const uint32_t* ignoredKeys;
    uint32_t ignoredCount;

    joResultList results;
};

typedef enum joQueryShape
{
    jo_queryBox,
    jo_queryCircle,
    jo_queryRay,
    jo_querySweptBox,
    jo_queryPoint
} joQueryShape;

// query_shape.c: Check the numbers, Begin once, then Set, as often as there are queries of that shape. Only
// numbers that have been found good may be set.
joResult joCheckQueryBox( const float* lower, const float* upper, uint32_t axisCount );
joResult joCheckQueryCircle( const float* center, float radius, uint32_t axisCount );
joResult joCheckRay( const joRay* ray, uint32_t axisCount );
joResult joCheckSweptBox( const joSweptBox* box, uint32_t axisCount );
joResult joCheckQueryPoint( const float* point, float maxDistance, uint32_t axisCount );
void joQuery_Begin( joQuery* query, const joBroadPhase* front, joQueryShape shape );
void joQuery_SetBox( joQuery* query, const float* lower, const float* upper );
void joQuery_SetCircle( joQuery* query, const float* center, float radius );
void joQuery_SetRay( joQuery* query, const joRay* ray );
void joQuery_SetSweptBox( joQuery* query, const joSweptBox* box );
void joQuery_SetPoint( joQuery* query, const float* point, float maxDistance );
// Sets the probe's bounds. Those of boxes are always there, others cost as much as the rest of Set.
void joQuery_FindBounds( joQuery* query );
// What alone structures need of a ray (whose lower and upper are its origin) or a box that is swept, where
// many are looked for together. Returns a bit for each axis on which it goes backward.
uint32_t joMakeStreamRay( joStreamRay* ray, const float* lower, const float* upper, const float* direction,
    float length, uint32_t axisCount );
// Null: all objects.
joResult joQuery_SetFilter( joQuery* query, const joQueryFilter* filter );

// Inline, as a list that is copied a moment after it was written waits for that.
static inline joResultList joMakeKeyList( uint32_t* keys, uint64_t capacity )
{
    return ( joResultList ){ .mode = jo_keepKeys, .keys = keys, .capacity = capacity, .wanted = UINT64_MAX };
}

static inline joResultList joMakeHitList( joHit* hits, uint64_t capacity, uint64_t wanted )
{
    return ( joResultList ){ .mode = jo_keepHits, .hits = hits, .capacity = capacity, .wanted = wanted };
}

static inline joResultList joMakeClosest( joHit* hit )
{
    *hit = ( joHit ){ JO_NULL_INDEX, INFINITY };
    return ( joResultList ){ .mode = jo_keepClosest, .hits = hit, .capacity = 1, .wanted = 1 };
}

static inline joResultList joMakeAny( void )
{
    return ( joResultList ){ .mode = jo_keepNone, .wanted = 1 };
}

// query_results.c
// Adds an object. *limit gets smaller when what is farther can no longer matter.
void joResultList_Add( joResultList* list, float distance, uint32_t key, float* limit );
// Sorts what is kept.
void joResultList_Finish( joResultList* list );

// query.c: runs it to the end, results sorted. The floating-point environment must have been entered.
void joQuery_Run( joQuery* query );
// Tests candidates of query->set, and keeps those that are met. May make the limit smaller, or set done.
void joQuery_Take( joQuery* query, const uint32_t* slots, uint32_t count );
