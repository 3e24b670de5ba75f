// SPDX-License-Identifier: MIT
// The exact convex hull of points on an integer grid, as triangles (Barber, Dobkin and Huhdanpaa, "The
// Quickhull Algorithm for Convex Hulls", 1996).
//
// Every question about which side a point is on is answered without rounding. So there are no
// cases in which faces turn inside out or horizons cross themselves, however flat, repeated or nearly
// collinear the points are; what is too fine to matter is merged afterwards, where it can do no harm.
#pragma once

#include "base/float_env.h"

#include <stdbool.h>

// Coordinates go from -JO_HULL_GRID to JO_HULL_GRID.
#define JO_HULL_GRID 0x1p45

typedef struct joHullTriangle
{
    uint32_t vertices[3];  // counter-clockwise seen from outside
    uint32_t neighbors[3]; // triangles across the edges from vertices[i] to vertices[i + 1]
    uint32_t outside;      // head of the list of points above it that no other triangle has
    bool isAlive;
    bool isVisible; // from the point that is being added
} joHullTriangle;

typedef struct joHullBuilder
{
    int64_t ( *grid )[3];
    uint32_t pointCount;
    uint32_t* next;        // of each point in its list
    uint32_t* fanTriangle; // of each point on the horizon: the new triangle that starts there
    joHullTriangle* triangles;
    uint32_t triangleCapacity;
    uint32_t triangleCount; // used at any time, dead ones included
    uint32_t firstDead;     // list of dead triangles, by `outside`
    uint32_t* queue;        // of triangles, as long as their capacity
    uint32_t* horizon;      // pairs: a visible triangle, one of its edges
} joHullBuilder;

// How many triangles there may be at a time, while a point is added.
uint32_t joHullTriangleCapacity( uint32_t pointCount );

// Leaves the hull in `triangles` (those that are alive). False: all points lie in one plane.
bool joHullBuilder_Run( joHullBuilder* builder );
