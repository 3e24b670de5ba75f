// SPDX-License-Identifier: MIT
// What a race of pairs is about (pair_race.c): shapes in poses, the pairs of them that are asked about, what
// is asked, and the truth. A family is a set of such workloads: oriented boxes (box_scene.h), and others.
#pragma once

#include "jostle/collide.h"
#include "jostle/hull_3d.h"

JO_EXTERN_C_BEGIN

struct benchField;
struct benchOptions;
struct benchPairFamily;

typedef enum benchQuestion
{
    bench_askHits = 0,
    bench_askDepths,   // and normals
    bench_askPoints,   // of contact
    bench_askDistances // of those that do not touch, with normals
} benchQuestion;

// What a contestant says about a pair, a < b.
typedef struct benchTouchedPair
{
    joPair pair;
    // 0 where only hits are asked. Negative: they do not touch, and are this far apart; for distances only.
    float depth;
    joVec3 normal, point; // 3D, from A to B, and on A; for workloads whose truth is checked, else unused
} benchTouchedPair;

typedef struct benchPairScene
{
    const struct benchPairFamily* family;
    int workload; // of the family
    benchQuestion question;
    uint32_t count; // pairs; or, of obb, boxes
    uint32_t bodyCount;
    // In 3D the first two, in 2D the others.
    joShape3* shapes;
    joTransform3* poses;
    joShape2* shapes2;
    joTransform2* poses2;
    joPolygon2* polygons; // of the shapes in 2D that are some
    // Hulls: each of few is that of many bodies, and the shapes point to it.
    joHull3** hulls;
    uint32_t hullCount;
    uint32_t* hullOfBody;
    joVec3* velocities; // what moves, in 3D: a frame's way; else null
    joQuat* spins;      // a frame's turn
    joPair* pairs;      // a < b, sorted; null where they are to be found
    uint32_t pairCount;
    float side; // of the world of what moves, a cube from 0
} benchPairScene;

typedef struct benchPairFamily
{
    int workloadCount;
    const char* ( *text )( int workload );
    uint32_t ( *defaultCount )( int workload ); // when the user does not say
    // Fills in a scene whose family, workload and count are set. Seeded: the same bits everywhere. Ends the
    // program if there is no memory.
    void ( *create )( benchPairScene* scene, uint64_t seed );
    void ( *step )( benchPairScene* scene ); // null: nothing moves
    // How deep two shapes are in each other; negative: at least so far apart. In double, and owes nothing to
    // jostle.
    double ( *depth )( const benchPairScene* scene, uint32_t a, uint32_t b );
    // Null; or, where the truth takes too long to ask it of all pairs, tells of one answer of jostle's
    // whether it proves itself. `what` says what is wrong.
    bool ( *check )( const benchPairScene* scene, const benchTouchedPair* touch, const char** what );
    // One pair in so many that others get wrong by far is counted as close; more are an error.
    uint32_t pairsOfAFault;
    void ( *addContestants )( struct benchField* field, const benchPairScene* scene, uint32_t threads,
        const struct benchOptions* options );
} benchPairFamily;

extern const benchPairFamily benchBoxFamily;
#define BENCH_FLAT_WORKLOAD_COUNT 4
extern const benchPairFamily benchFlatFamily; // flat_scene.c
#define BENCH_ROUND_WORKLOAD_COUNT 3
extern const benchPairFamily benchRoundFamily; // round_scene.c
extern const benchPairFamily benchHullFamily;

// The workloads of all families, one after the other.
const char* benchPairWorkloadText( int workload );
uint32_t benchDefaultPairCount( int workload );

benchPairScene* benchCreatePairScene( int workload, uint32_t count, uint64_t seed );
void benchDestroyPairScene( benchPairScene* scene );

JO_EXTERN_C_END
