// SPDX-License-Identifier: MIT
// One body's sweep while it goes on.
#pragma once

#include "world/slide.h"
#include "world/slide_planes.h"

// From this cosine on something is above or below rather than at a side.
#define JO_SLIDE_LEVEL 0.7071

typedef struct joSlideSweep
{
    joWorld* world;
    joSlideRun* run;
    const joSlideDef* def;
    joWide3 at;
    double time;
    joWide3 motion;   // of a whole step
    joWide3 velocity; // its own
    double gone;      // how long its way is so far
    joSlidePlanes planes, velocityPlanes;
    bool isStanding;   // it has no motion left but what others push
    bool isOnGround;   // it has met ground in this step, or stood on it
    bool standsOnEdge; // of a step, with ground beyond
} joSlideSweep;

// The way goes on from where the body is.
void joSlideSweep_AddPoint( joSlideSweep* sweep );

// Out of what it starts in, by a part of its size (slide_recover.c).
void joSlideSweep_Recover( joSlideSweep* sweep );
// What does not slide turns at the end of the step, in so small parts that it cannot go over the body: where
// it turns into it, it moves it out.
void joSlideSweep_LeaveTurned( joSlideSweep* sweep );
