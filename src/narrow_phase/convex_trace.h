// SPDX-License-Identifier: MIT
// What GJK and EPA do with a pair, step by step, for people who ask why. Nobody pays for it who does not ask.
#pragma once

#include "math/rotation.h"
#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/dispatch_3d.h"

struct joSupportPoint;

// More than either of the two ever takes; what comes after is not kept.
#define JO_MAX_CONVEX_STEPS 136

typedef struct joConvexStep
{
    double direction[3]; // along which a support point of A - B was looked for, of any length; in 2D z is 0
    uint8_t vertexA, vertexB;
    // What it had before: GJK's simplex, EPA's nearest face, as vertices of A and of B.
    uint8_t points[4][2];
    uint32_t pointCount;
    // What is then known of GJK's distance, of EPA's depth.
    double lower, upper;
} joConvexStep;

typedef struct joConvexSteps
{
    joConvexStep steps[JO_MAX_CONVEX_STEPS];
    uint32_t count;
} joConvexSteps;

// Null: there is no room.
joConvexStep* joAddConvexStep( joConvexSteps* steps );
void joNoteConvexStep( joConvexSteps* steps, const double direction[3], const struct joSupportPoint* support,
    const struct joSupportPoint* points, uint32_t pointCount, double lower, double upper );

// Why GJK ended.
typedef enum joGjkEnd
{
    jo_gjkTouching,  // the simplex holds the origin
    jo_gjkKnown,     // the distance is known to JO_GJK_TOLERANCE
    jo_gjkRepeated,  // the simplex has the support point already
    jo_gjkNotNearer, // rounding lets nothing come nearer
    jo_gjkLimit      // the cap
} joGjkEnd;

// Of a run without a limit to the distance.
joGjkEnd joFindGjkEnd( bool isComplete, double distance, double tolerance, const joConvexSteps* steps );

// What normal and depth of a contact are from.
typedef enum joContactSource
{
    jo_noContact, // they do not come near
    jo_fromGjk,   // the way between the cores
    jo_fromEpa,
    jo_fromSat
} joContactSource;

typedef struct joConvexTrace
{
    joMatrix3 rotation; // of A's core; directions are in its frame
    double radius;      // of both: distances and depths are those of the cores
    joGjkEnd end;
    double distance;
    uint8_t points[4][2]; // GJK's last simplex; none of shapes in 2D that touch
    uint32_t pointCount;
    joContactSource source;
    double depth;      // negative: a gap; 0 if there is no contact
    joConvexSteps gjk; // without a limit to the distance
    joConvexSteps epa; // if EPA was asked; another source: it gave up
} joConvexTrace;

// Of a pair that joConvexConvex3 answers, or joDistanceConvex3: then depths are found another way, and
// `withContact` is false. To be called as those are: see dispatch_3d.h.
void joTraceConvex3( const joPlacedPair3* placed, bool withContact, float margin, joConvexTrace* trace );

// Of a pair that joConvexConvex2 answers: its distance, since contacts in 2D are by separating axes.
void joTraceConvex2( const joPlacedPair2* placed, joConvexTrace* trace );
