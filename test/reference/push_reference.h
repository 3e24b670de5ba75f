// SPDX-License-Identifier: MIT
// What push apart must do, written down plainly: all pairs, in double precision, no neighbours, no order.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct ReferenceBody
{
    double position[3];
    double radius;
    double inverseMass;
} ReferenceBody;

// Deepest overlap of two that do not both stand still; 0 if there is none. *overlaps (may be null): how many
// overlap.
double referenceDeepest( const ReferenceBody* bodies, uint32_t count, int axisCount, uint64_t* overlaps );

void referencePush(
    ReferenceBody* bodies, uint32_t count, int axisCount, double margin, uint32_t iterations );
