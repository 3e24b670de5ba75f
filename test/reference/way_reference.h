// SPDX-License-Identifier: MIT
// How near two round bodies come to each other in a step in which each goes straight up to some part of it,
// and stands from then on: in double, exactly but for rounding.
#pragma once

typedef struct ReferenceWay
{
    double from[3], to[3]; // centres; 2D: z is 0
    double part;           // of the step, 0 to 1: when it stands
} ReferenceWay;

// The least distance of their centres.
double referenceWaysDistance( const ReferenceWay* a, const ReferenceWay* b );
