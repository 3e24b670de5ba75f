// SPDX-License-Identifier: MIT
// Convex shapes in 2D placed in the world, ready for kernels, and the manifold of two that touch.
#pragma once

#include "base/float_env.h"
#include "jostle/collide_2d.h"
#include "simd/placed_polygons.h"

// Of any kind of shape. `shape` and `pose` have been checked. Of *placed there need be only as much as the
// first `vertexRoom` vertices, and one that repeats the first, take.
void joPlacePolygon(
    const joShape2* shape, const joTransform2* pose, uint32_t vertexRoom, joPlacedPolygon* placed );
// The same with room for more vertices.
void joWidenPlacedPolygon( const joPlacedPolygon* from, uint32_t vertexRoom, joPlacedPolygon* placed );

// The tolerances that all kernels are given.
extern const joPolygonTolerance joFlatTolerance;

// How two shapes touch, by what a kernel found out about them in a lane. False: they are farther apart than
// the margin, which an unsure pair may be; the manifold is then left as it is.
bool joFillPolygonManifold( const joPlacedPolygon* a, const joPlacedPolygon* b, const joPolygonBlock* block,
    uint32_t lane, float margin, joManifold2* manifold );
