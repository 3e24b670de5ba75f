// SPDX-License-Identifier: MIT
// The workloads of queries: what is asked, of which objects. Seeded: the same count and seed give the same
// bits everywhere. 3D; objects and queries stand in no order in memory.
#pragma once

#include "jostle/query.h"

JO_EXTERN_C_BEGIN

typedef enum benchQueryWorkload
{
    bench_raysBoxes =
        0, // the nearest hit of rays of a tenth of the world's side, random origins and directions
    bench_raysSpheres,
    bench_overlapsBoxes, // the objects that touch cubes, about four of them each
    bench_overlapsSpheres,
    bench_nearestPoints, // the BENCH_NEAREST_COUNT nearest to points
    bench_nearestBoxes,
    bench_queryWorkloadCount
} benchQueryWorkload;

#define BENCH_QUERY_FILL 0.02 // of the world's volume, overlaps counted twice; points as boxes
#define BENCH_NEAREST_COUNT 8

typedef struct benchQueryScene
{
    benchQueryWorkload workload;
    uint32_t count;
    uint32_t queryCount;
    float side;           // of the world, a cube from 0; all centres, origins and points are in it
    const float* boxes;   // count * 6: lower x y z, upper x y z; of spheres too
    const float* spheres; // count * 4: x y z radius, 0 of points; null: the objects are boxes
    // What is asked, queryCount of one of these; the others are null.
    const joRay* rays;       // of unit length as far as floats have it
    const float* queryBoxes; // * 6: lower x y z, upper x y z
    const float* points;     // * 3
    uint32_t answersEach;    // places for answers that a query has
} benchQueryScene;

// "rays-boxes" and so on.
const char* benchQueryWorkloadText( benchQueryWorkload workload );
uint32_t benchDefaultQueryCount( benchQueryWorkload workload );

// Ends the program if there is no memory.
benchQueryScene* benchCreateQueryScene(
    benchQueryWorkload workload, uint32_t count, uint32_t queryCount, uint64_t seed );
void benchDestroyQueryScene( benchQueryScene* scene );

// How far until a query meets an object (0 for overlaps), +inf if it does not, with object and query made
// larger by `grow` (or smaller, if it is negative) on all sides; in double, the same for the keys of all
// contestants.
double benchQueryDistance( const benchQueryScene* scene, uint32_t query, uint32_t key, double grow );

JO_EXTERN_C_END
