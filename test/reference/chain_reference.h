// SPDX-License-Identifier: MIT
// Chains the slow and plain way, in double: through all segments. Shares no code with the library.
#pragma once

#include "reference/flat_reference.h"

typedef struct ReferenceChain
{
    const joVec2* points;
    uint32_t pointCount;
    bool isLoop;
} ReferenceChain;

uint32_t chainReferenceSegmentCount( const ReferenceChain* chain );

// A segment as a shape in world space.
FlatShape chainReferenceSegment( const ReferenceChain* chain, const joTransform2* pose, uint32_t segment );

// How far a shape is from the nearest segment, its radius included; negative: how far a segment is within its
// radius of the core, which it may cross.
double chainReferenceSeparation(
    const ReferenceChain* chain, const joTransform2* pose, const FlatShape* shape );

// How far two shapes overlap along a unit normal from the first to the other.
double chainReferenceOverlap( const FlatShape* a, const FlatShape* b, double x, double y );

// Where the
// ray from (x, y) along a unit direction first meets a segment; +inf: nowhere. *doubt: how near, as a length,
// it passes any end of a segment.
double chainReferenceRay( const ReferenceChain* chain, const joTransform2* pose, double x, double y,
    double unitX, double unitY, uint32_t* segment, double* doubt );
