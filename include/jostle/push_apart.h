// SPDX-License-Identifier: MIT
// jostle push apart: moves overlapping discs or balls apart, in place, all at once.
//
// Jacobi iteration: every body gathers the corrections of its neighbours from the positions of the last pass
// and adds them up as whole numbers, so neither threads nor the order of bodies can change a bit. After
// Mueller, Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, with the averaged Jacobi of
// Macklin, Mueller, Chentanez and Kim, "Unified Particle Physics", 2014, accelerated after Wang, "A Chebyshev
// Semi-Iterative Approach for Accelerating Projective and Position-Based Dynamics", 2015.
#pragma once

#include "base.h"
#include "broad_phase.h"

JO_EXTERN_C_BEGIN

typedef struct joPusherDef
{
    int dimension; // 2 or 3; default 2
    // Bodies closer than this (world units, >= 0, finite) are neighbours, so that a push that makes a new
    // overlap sees it in the next pass. Good is the deepest overlap that a frame usually makes: a body goes
    // no farther than half the margin before neighbours are found again, which happens after eight passes, or
    // in each pass where an overlap needs a body to go farther than the margin (with margin 0, always).
    // Default 0.1.
    float margin;
    // Passes. 1..1000, default 4.
    uint32_t iterations;
    // The structure that finds the neighbours. Its dimension, jobs and allocator are taken from here. Default
    // jo_grid.
    joBroadPhaseKind kind;
    uint32_t bodyReserve; // room for so many, and four neighbours (pairs) each, made at create
    bool fixedCapacity;
    joJobs* jobs;
    joAllocator allocator;
    uint32_t internalCookie;
} joPusherDef;

// Discs or balls, columns of float. Positions are read and written.
typedef struct joPushBodies
{
    joMutableColumn x, y, z; // 2D: z ignored
    joColumn radius;         // finite, >= 0
    joColumn inverseMass;    // finite, >= 0; 0 stands still; absent: 1
    uint32_t count;
} joPushBodies;

typedef struct joPushResult
{
    uint64_t pairCount;    // neighbours within the margin before the push
    uint64_t overlapCount; // of these, overlapping before the push
    float deepestBefore;   // deepest overlap before (world units, 0 if none)
    float deepest;         // deepest overlap left, over all bodies, two that stand still excepted
    float farthest;        // the longest way any body was pushed
} joPushResult;

typedef struct joPusher joPusher;

JO_API joPusherDef joDefaultPusherDef( void );
JO_API joResult joCreatePusher( const joPusherDef* def, joPusher** pusher );
JO_API void joDestroyPusher( joPusher* pusher );

// Pushes overlapping bodies apart by their inverse masses. Two bodies with the same centre part along +x (the
// lower index to -x). Ends early when nothing overlaps. `result` may be null. O(n + pairs * iterations),
// beside the finding of neighbours. On an error (index of the first bad body in *errorIndex, may be null) no
// position has changed. Errors: jo_errorWrongDimension, jo_errorNotANumber, jo_errorBadRadius (negative or
// infinite, or an infinite position), jo_errorBadInverseMass, jo_errorNullArgument (a column that is needed
// is absent, or a position's stride is 0), jo_errorBadCount, jo_errorOutOfMemory, jo_errorCapacity.
JO_API joResult joPushApart2(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex );
JO_API joResult joPushApart3(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex );

// The neighbours found by the last push, sorted, as indices of bodies: of the positions before it. Valid
// until the next call. The first call after a push sorts them, O(pairs); null, with the count, if there is no
// memory for that. Null and 0 if there was no push, or it failed.
JO_API const joPair* joPusher_ViewPairs( joPusher* pusher, uint64_t* pairCount );

JO_EXTERN_C_END
