// SPDX-License-Identifier: MIT
// Planes that a sliding body has met in a step. A motion must not go into any of them; what is taken from it
// for that is as little as can be.
#pragma once

#include "jostle/world_slide.h"
#include "math/wide_vectors.h"

#define JO_SLIDE_PLANES ( JO_MAX_SLIDES + 2u )

typedef struct joSlidePlane
{
    joWide3 normal; // unit
    double speed;   // the plane's own along the normal: a motion must be at least that
    bool isGround;  // a motion into it is lifted along `up`, rather than turned aside
    uint32_t item;  // what it is of
    bool isSteep;   // ground that is too steep: a motion into it must not climb
} joSlidePlane;

typedef struct joSlidePlanes
{
    joSlidePlane planes[JO_SLIDE_PLANES];
    uint32_t count;
} joSlidePlanes;

// Room for JO_SLIDE_PLANES; of more the first is forgotten.
void joSlidePlanes_Add( joSlidePlanes* planes, const joSlidePlane* plane );
// The motion that goes along what it would go into. Zero, if no motion does for all.
joWide3 joSlidePlanes_Solve( const joSlidePlanes* planes, joWide3 motion, joWide3 up );
