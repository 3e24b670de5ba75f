// SPDX-License-Identifier: MIT
// Contact of two convex polygons with rounding radii: separating axes and clipped edges.
#pragma once

#include "narrow_phase/convex_2d.h"

// In the frame of the pair.
typedef struct joFlatPoint
{
    float x, y; // midway between the surfaces
    float depth;
    uint32_t featureId;
} joFlatPoint;

typedef struct joFlatContact
{
    float normalX, normalY; // unit but for rounding, from A to B
    float depth;
    joFlatPoint points[JO_MAX_MANIFOLD_POINTS2];
    uint32_t pointCount; // at least 1
    bool isComplete;
} joFlatContact;

// False: apart by more than the margin; `contact` is then not set. `size` as in tolerance.h.
bool joFindFlatContact( const joCore2* a, const joCore2* b, float size, float margin, joCollideCache* cache,
    joFlatContact* contact );
