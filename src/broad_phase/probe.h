// SPDX-License-Identifier: MIT
// A probe: what a structure knows of a query. The structure hands over candidates, whose boxes may be met;
// the query (src/query) tests them exactly, filters, and keeps the results. A structure may hand over too
// many, never too few, each slot once.
#pragma once

#include "simd/kernels.h"

typedef enum joProbeKind
{
    jo_probeBox,  // what overlaps `bounds`
    jo_probeRay,  // what `ray` meets within `limit`: a ray, or a box that is swept
    jo_probePoint // what is at most `limit` from `point`
} joProbeKind;

typedef struct joProbe joProbe;

// Candidates, as slots; bits above JO_INDEX_MASK are ignored. May make the probe's limit smaller, or set
// done.
typedef void joProbeTakeFcn( joProbe* probe, const uint32_t* slots, uint32_t count );

struct joProbe
{
    joProbeKind kind;
    uint32_t axisCount;
    const joKernels* kernels;
    joProbeTakeFcn* take;

    // Whatever the kind: what does not overlap this box (lower x y z, upper x y z; closed; may be infinite)
    // is not met. A ray's holds all of its way, a point's all within its first limit.
    float bounds[6];

    // Rays. `start` is where the way begins (of a swept box the centre), `direction` a unit vector: for the
    // order in which a structure looks, nothing else.
    joRayLanes ray;
    float start[3];
    float direction[3];

    float point[3];

    // Rays and points: what is farther is of no interest; what is as far is. It only shrinks, in `take`.
    float limit;
    float limitSq; // points: no less than the square of limit
    bool done;     // nothing more is of interest
};

void joProbe_SetLimit( joProbe* probe, float limit );

// Hands over what the probe may meet of the columns' boxes [begin, end). Axis k of the columns must be axis k
// of the world (rearrange the pointers where it is not).
void joProbe_Scan( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end );
