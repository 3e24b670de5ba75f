// SPDX-License-Identifier: MIT
// What `jostle collide` finds out by itself about two shapes, to explain the library's answers and to check
// them: every candidate axis, the nearest points by trying all pairs of features, the time of impact by steps
// of the distance. Slow and plain, in double.
#pragma once

#include "collide_core.h"

typedef enum joAxisKind
{
    jo_faceOfA,
    jo_faceOfB,
    jo_edgeOfAAndB,  // perpendicular to an edge of each
    jo_nearestPoints // from the nearest point of A to that of B, of shapes whose cores are apart
} joAxisKind;

typedef struct joAxis
{
    joAxisKind kind;
    uint32_t a, b;       // numbers of the faces or edges
    double direction[3]; // unit, so that B leaves A along it
    joInterval intervalA, intervalB;
    double overlap; // what B must be moved along it to leave A; negative: how far they are apart
} joAxis;

typedef struct joNearest
{
    double distance; // of the cores
    double pointA[3], pointB[3];
} joNearest;

typedef struct joImpact
{
    bool isHit;
    double fraction;
    double normal[3]; // of the axis that parts them when they meet
    // The least distance on the way, and where; where they meet it is 0.
    double leastDistance;
} joImpact;

typedef struct joStudy
{
    const joCollideScene* scene;
    joCore cores[2];
    // Of a mesh or a chain all that follows is of the part that is deepest, or nearest; but the impact is the
    // first of any part. No axes: both have parts.
    int surface; // which of A and B has parts; -1: none
    uint32_t part;
    joAxis* axes;
    uint32_t axisCount;
    uint32_t axisCapacity;
    uint32_t best; // index of the axis of the least overlap; of shapes apart that of the widest gap
    bool areApart;
    joNearest nearest; // of the surfaces, where they are apart
    double size;       // of both, and how far apart they are: what answers are good by a share of
    joImpact impact;   // if the scene has a motion
} joStudy;

// Null: no memory.
joStudy* joCreateStudy( const joCollideScene* scene );
void joDestroyStudy( joStudy* study );

// What B must be moved along a unit direction to leave A, as for an axis. Of a mesh or a chain that of the
// part for which it is nearest to `expected`.
double joStudy_OverlapAlong( const joStudy* study, const double direction[3], double expected );

// "face 3 of A x ..." for people.
void joAxis_Format( const joAxis* axis, int dimension, char* text, size_t capacity );
