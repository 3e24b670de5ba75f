// SPDX-License-Identifier: MIT
// What joSpatialHash must answer, by looking at every point, in double precision.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct ReferencePoint
{
    float position[3];
    uint32_t value;
} ReferencePoint;

// floor( coordinate / cellSize ), clamped to int32.
int32_t referenceCell( double coordinate, double cellSize );

// Values sorted ascending into `values` (room for `count`); returns how many.
uint32_t referenceQueryCells( const ReferencePoint* points, uint32_t count, int axisCount, float cellSize,
    const float* position, float radius, uint32_t* values );
uint32_t referenceQueryRadius( const ReferencePoint* points, uint32_t count, int axisCount,
    const float* position, float radius, uint32_t* values );
uint32_t referenceCountCells( const ReferencePoint* points, uint32_t count, int axisCount, float cellSize );
