// SPDX-License-Identifier: MIT
// A probe: what a structure knows of a query. The structure hands over candidates, whose boxes may be met;
// the query (src/query) tests them exactly, filters, and keeps the results. A structure may hand over too
// many, never too few, each slot once.
#pragma once

#include "simd/kernels.h"

#include <float.h>

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

    // What does not overlap this box (lower x y z, upper x y z; closed; may be infinite) is not met. Of boxes
    // always, of rays and points only where the structure asks for it (queryTakesBounds).
    float bounds[6];

    // Rays. `direction` is a unit vector: for the order in which a structure looks, nothing else.
    joRayLanes ray;
    float direction[3];

    float point[3];

    // Rays and points: what is farther is of no interest; what is as far is. It only shrinks, in `take`.
    float limit;
    float limitSq; // points: no less than the square of limit
    bool done;     // nothing more is of interest
};

void joProbe_SetLimit( joProbe* probe, float limit );

// Whether a ray or point may meet something within bounds that hold other boxes; *nearness gets the distance
// of a ray, the squared distance of a point, or less. The arithmetic is that of the kernels, each step of
// which is monotone in the bounds: so what meets a box in a kernel meets all bounds that hold it.
static inline bool joProbe_Meets(
    const joProbe* probe, const float* lower, const float* upper, uint32_t axisCount, float* nearness )
{
    if ( probe->kind == jo_probePoint )
    {
        float sum = 0.0f;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            const float below = lower[axis] - probe->point[axis];
            const float above = probe->point[axis] - upper[axis];
            float gap = below > above ? below : above;
            gap = gap > 0.0f ? gap : 0.0f;
            sum += gap * gap;
        }
        *nearness = sum * JO_DISTANCE_SHRINK;
        return *nearness <= probe->limitSq;
    }
    const joRayLanes* ray = &probe->ray;
    float enter = 0.0f;
    float leave = probe->limit;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const float near = ray->isBackward[axis] ? upper[axis] : lower[axis];
        const float far = ray->isBackward[axis] ? lower[axis] : upper[axis];
        const float first = ( near - ray->nearOrigin[axis] ) * ray->inverse[axis];
        const float last = ( far - ray->farOrigin[axis] ) * ray->inverse[axis];
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    *nearness = ( enter < FLT_MAX ? enter : FLT_MAX ) * JO_DISTANCE_SHRINK;
    return *nearness <= leave;
}

// Whether what is so near (of joProbe_Meets) has become of no interest since.
static inline bool joProbe_IsBeyond( const joProbe* probe, float nearness )
{
    return nearness > ( probe->kind == jo_probePoint ? probe->limitSq : probe->limit );
}

// Positions of what the probe may meet of the columns' boxes [begin, end), and how near it is (as
// joProbe_Meets says; of rays and points), with room for JO_LANE_PADDING more. Returns how many. Axis k of
// the columns must be axis k of the world (rearrange the pointers where it is not).
uint32_t joProbe_Find( const joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end,
    uint32_t* positions, float* nearness );

// Whether this visit hands over the box at a position, which the probe may meet: for structures in which a
// box stands at several.
typedef bool joProbeOwnsFcn( const void* context, const joBoxColumns* columns, uint32_t position );

// Hands over what the probe may meet of the columns' boxes [begin, end), and `owns` (null: all) says.
void joProbe_ScanOwned( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end,
    joProbeOwnsFcn* owns, const void* context );

static inline void joProbe_Scan( joProbe* probe, const joBoxColumns* columns, uint32_t begin, uint32_t end )
{
    joProbe_ScanOwned( probe, columns, begin, end, NULL, NULL );
}

// Many rays, or boxes that are swept, for structures that take them together. They point the same way on each
// axis.
#define JO_STREAM_RAYS 256u
// Numbers that the structure may use as it likes.
#define JO_STREAM_SCRATCH ( 72 * ( JO_STREAM_RAYS + JO_LANE_PADDING ) )

typedef struct joRayStream joRayStream;

// Candidates of one ray, as a probe's. May make its limit smaller, now or later.
typedef void joStreamTakeFcn( joRayStream* stream, uint32_t ray, const uint32_t* slots, uint32_t count );

struct joRayStream
{
    joStreamRays lanes;
    uint32_t count; // rays, at most JO_STREAM_RAYS
    uint32_t axisCount;
    const joKernels* kernels;
    joStreamTakeFcn* take;
    uint32_t* scratch; // JO_STREAM_SCRATCH
};
