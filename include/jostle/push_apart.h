// SPDX-License-Identifier: MIT
// jostle push apart: moves overlapping discs or balls apart, in place, all at once.
//
// Jacobi iteration: every body gathers the corrections of its neighbours in key order from the positions of
// the last pass, so neither threads nor order can change a bit.
// After Mueller, Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, with the averaged
// Jacobi of Macklin, Mueller, Chentanez and Kim, "Unified Particle Physics", 2014.
#pragma once

#include "base.h"
#include "broad_phase.h"

JO_EXTERN_C_BEGIN

typedef struct joPusherDef
{
    int dimension; // 2 or 3; default 2
    // Bodies closer than this (world units, >= 0, finite) are neighbours, so that a push that makes a new
    // overlap sees it in the next pass. Default 0.1.
    float margin;
    // Passes. 1..1000, default 4.
    uint32_t iterations;
    // The structure that finds the neighbours. Its dimension, jobs and allocator are taken from here. Default
    // jo_grid.
    joBroadPhaseKind kind;
    uint32_t bodyReserve;
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
// lower index to -x). O(n + pairs * iterations). On an error (index of the first bad body in *errorIndex, may
// be null) no position has changed. Errors: jo_errorWrongDimension, jo_errorNotANumber, jo_errorBadRadius,
// jo_errorBadInverseMass, jo_errorNullArgument, jo_errorOutOfMemory, jo_errorCapacity.
JO_API joResult joPushApart2(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex );
JO_API joResult joPushApart3(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex );

// The neighbours found by the last push, sorted, as indices of bodies: of the positions before it.
JO_API const joPair* joPusher_ViewPairs( const joPusher* pusher, uint64_t* pairCount );

JO_EXTERN_C_END
