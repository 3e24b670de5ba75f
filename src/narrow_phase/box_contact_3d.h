// SPDX-License-Identifier: MIT
// Contact points of two boxes in 3D, once their normal and depth are known. All in the frame of the reference
// box, which is centred there and lies along its axes.
#pragma once

#include "base/float_env.h"
#include "jostle/collide.h"

typedef struct joBoxContact
{
    float referenceHalf[3];
    float incidentHalf[3];
    float incidentCenter[3];
    float incidentAxes[3][3]; // [which][component]
    float out[3];             // unit normal, from the reference box to the incident one
    float depth;
    float margin;
    float size; // see tolerance.h
} joBoxContact;

typedef struct joContactPoint
{
    float position[3]; // midway between the surfaces
    float depth;
    uint32_t featureId;
} joContactPoint;

// Returns how many, at least one. `depth` must be at least -margin.
uint32_t joFindBoxContacts( const joBoxContact* contact, joContactPoint points[JO_MAX_MANIFOLD_POINTS3] );
