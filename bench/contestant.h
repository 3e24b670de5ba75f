// SPDX-License-Identifier: MIT
// What takes part in a race: one library with one structure and one number of threads. An adapter
// (jostle_pairs.c, embree.c, cgal.cpp, ...) fills in a benchContestant for each way of driving its library
// that is worth a row.
#pragma once

#include "box_scene.h"
#include "jostle/broad_phase.h"
#include "jostle/world.h"
#include "query_scene.h"
#include "sleepers_scene.h"

#include <stdlib.h>

JO_EXTERN_C_BEGIN

#define BENCH_MAX_CONTESTANTS 192

// Pairs with a < b, in any order. Of two sets: (bullet, enemy).
typedef struct benchPairList
{
    joPair* data;
    uint64_t count;
    uint64_t capacity;
} benchPairList;

// What every contestant is given, the same memory in each frame.
typedef struct benchScene
{
    const float* boxes;    // count * 6: lower x y z, upper x y z; 2D: z is 0; null in a crowd
    const uint8_t* motion; // count joMotion: jo_moving, or not if the box never moves
    uint32_t count;
    uint32_t stillCount; // boxes that never move. Pairs of two of them are asked of nobody.
    int dimension;
    const struct joCrowd* crowd; // the crowd at its start, else null; each contestant moves a copy of its own
    const struct benchTwoSets* twoSets; // else null; `count` is that of the enemies
} benchScene;

// What a contestant of a race of queries answered: query i in places [i * answersEach, ...) and counts[i].
typedef struct benchAnswers
{
    uint32_t* counts; // of each query; what is found beyond its places is counted, not written
    joHit* hits;      // rays: one; nearest: by distance
    uint32_t* keys;   // overlaps, jostle's in order; else null, as hits is then
} benchAnswers;

// What a contestant of a race of pairs says: the pairs that touch, and if distances are asked may say of the
// others; in any order.
typedef struct benchTouches
{
    benchTouchedPair* data;
    uint64_t count;
    uint64_t capacity;
} benchTouches;

// For those that need no more said: without normal and point.
void benchPushTouch( benchTouches* touches, joPair pair, float depth );
void benchPushTouchedPair( benchTouches* touches, const benchTouchedPair* touch );

typedef struct benchContestant
{
    const char* library;
    char version[32];
    const char* kind; // the structure, and how it is driven
    const char* isa;
    uint32_t threads;
    bool ours;      // jostle itself, on plain arrays
    bool isJostles; // ours, or of jostle's world: allocations are counted, all such rows of a library agree
    bool wholeList; // gives the pairs of two still boxes too; they are left out of the hash
    bool countsMemory; // memory() is there
    void* state;

    // The timed part: brings the structure up to date with the scene and puts all pairs into `pairs`, which
    // is empty but has kept its memory. In a crowd: one step; `pairs` is left alone. False: failed, with a
    // message on stderr.
    bool ( *frame )( void* state, const benchScene* scene, benchPairList* pairs );
    uint64_t ( *memory )( void* state );
    // In a crowd: the positions after the last step.
    void ( *positions )( void* state, double* x, double* y );

    // In a race of queries, instead of frame. `build` makes the structure of the scene's objects from
    // nothing. `answer` answers queries [begin, end); several threads call it at once. `answerAll`, where it
    // is there, is called instead, and uses the contestant's threads itself; `collect`, out of the timed
    // part, then puts what it found into `answers`; null if it did so itself. False: failed, as above.
    bool ( *build )( void* state, const benchQueryScene* scene );
    bool ( *answer )(
        void* state, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers );
    bool ( *answerAll )(
        void* state, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers );
    void ( *collect )(
        void* state, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers );

    // In a race of pairs, instead of frame. `place`, untimed, makes what it needs of shapes that never move;
    // `touch` answers about all pairs of the scene; `collectTouches`, untimed, gives what it found.
    bool ( *place )( void* state, const benchPairScene* scene );
    bool ( *touch )( void* state, const benchPairScene* scene );
    void ( *collectTouches )( void* state, const benchPairScene* scene, benchTouches* touches );

    // In a race of sleepers, besides frame, which makes a step and leaves `pairs` alone: what touches after
    // it, named by user data; how long its stages took; and whether all sleep that should.
    void ( *touching )( void* state, benchPairList* pairs );
    joWorldProfile ( *profile )( void* state );
    bool ( *areAsleep )( void* state );
    void ( *destroy )( void* state );
} benchContestant;

typedef struct benchField
{
    benchContestant contestants[BENCH_MAX_CONTESTANTS];
    uint32_t count;
} benchField;

// Adds a contestant; the returned place is zeroed but for these. Never null: running out of places is a
// mistake of the bench and ends it.
benchContestant* benchAddContestant(
    benchField* field, const char* library, const char* version, const char* kind );
// One of jostle's, with the instruction set in use.
benchContestant* benchAddJostle( benchField* field, const char* kind, uint32_t threads );
void benchDestroyField( benchField* field );

// Room for at least `capacity` pairs; ends the program if there is no memory for them.
void benchReservePairs( benchPairList* pairs, uint64_t capacity );

// malloc and calloc that end the program with a message instead of returning null.
void* benchAllocate( size_t count, size_t size );

// Adds a pair of two sets.
static inline void benchPushHit( benchPairList* pairs, uint32_t bullet, uint32_t enemy )
{
    if ( pairs->count == pairs->capacity )
    {
        benchReservePairs( pairs, pairs->capacity * 2 + 1 );
    }
    joPair* pair = pairs->data + pairs->count++;
    pair->a = bullet;
    pair->b = enemy;
}

// Adds a pair in whichever order it comes.
static inline void benchPushPair( benchPairList* pairs, uint32_t a, uint32_t b )
{
    benchPushHit( pairs, a < b ? a : b, a < b ? b : a );
}

// Whether two boxes of `boxes` touch, for structures that keep enlarged ones.
static inline bool benchTouch( const float* a, const float* b )
{
    return ( a[0] <= b[3] ) & ( b[0] <= a[3] ) & ( a[1] <= b[4] ) & ( b[1] <= a[4] ) & ( a[2] <= b[5] ) &
           ( b[2] <= a[5] );
}

// The adapters. Each adds its rows for that scene and number of threads, or none if it has nothing there.
// jostle: `kind`; SetBoxes and FindPairs, or joPusher in a crowd.
void benchAddJostlePairs(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleCrowd(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleCrowdWorld(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleTwoSets( benchField* field, joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleSleepers( benchField* field, const benchSleepersScene* scene, benchSleepersLayout layout,
    joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleQueries(
    benchField* field, const benchQueryScene* scene, joBroadPhaseKind kind, uint32_t threads );
void benchAddJostleBoxes( benchField* field, const benchPairScene* scene, uint32_t threads );
void benchAddJostleFlat( benchField* field, const benchPairScene* scene, uint32_t threads );
// A batch of any shapes in 3D, which are set before; hits, or normals and depths.
void benchAddJostleBatch( benchField* field, const benchPairScene* scene, uint32_t threads );
void benchAddJostleHulls( benchField* field, const benchPairScene* scene );
void benchAddJostleWorld(
    benchField* field, const benchPairScene* scene, joBroadPhaseKind kind, uint32_t threads );
void benchAddPlainBoxes( benchField* field, const benchPairScene* scene, uint32_t threads );
// Each peer is there only if it was found when this was built.
void benchAddEmbree( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddCgal( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddBullet( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddEmbreeTwoSets( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddCgalTwoSets( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddChipmunkPairs( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddChipmunkCrowd( benchField* field, const benchScene* scene, uint32_t threads );

void benchAddEmbreeQueries( benchField* field, const benchQueryScene* scene, uint32_t threads );
void benchAddBulletQueries( benchField* field, const benchQueryScene* scene, uint32_t threads );
void benchAddNanoflann( benchField* field, const benchQueryScene* scene, uint32_t threads );
void benchAddCgalNearest( benchField* field, const benchQueryScene* scene, uint32_t threads );

void benchAddOde( benchField* field, const benchPairScene* scene, uint32_t threads );
void benchAddBulletBoxes( benchField* field, const benchPairScene* scene, uint32_t threads );
void benchAddOdeRound( benchField* field, const benchPairScene* scene, uint32_t threads );
void benchAddChipmunkFlat( benchField* field, const benchPairScene* scene, uint32_t threads );

void benchAddLibccd( benchField* field, const benchPairScene* scene );
void benchAddFcl( benchField* field, const benchPairScene* scene );
void benchAddBulletHulls( benchField* field, const benchPairScene* scene );

// All of the peers that this was built with, and their names ("Embree, CGAL"; "none").
void benchAddPeers( benchField* field, const benchScene* scene, uint32_t threads );
void benchAddQueryPeers( benchField* field, const benchQueryScene* scene, uint32_t threads );
const char* benchPeerNames( void );

// All of a race of boxes, and of one of hulls.
void benchAddBoxContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const struct benchOptions* options );
void benchAddHullContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const struct benchOptions* options );
// Of one in 2D, of one of round shapes.
void benchAddFlatContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const struct benchOptions* options );
void benchAddRoundContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const struct benchOptions* options );

JO_EXTERN_C_END
