// SPDX-License-Identifier: MIT
// jostle detail: cheaper shapes for what is far away or of no importance. A thing has shapes from fine to
// coarse, and values at which one gives way to the next; the level for a value is picked with hysteresis, so
// that what moves to and fro at a switch value does not change its shape in each frame.
//
// The levels of many things can be picked in one call and be used as rows of shapes by the caller; nothing
// else in the library knows of levels. All calls are thread-safe and the same bits everywhere.
#pragma once

#include "shapes.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_DETAIL_LEVELS 8

// What the values of a joDetail mean.
typedef enum joDetailMeasure
{
    jo_detailByDistance = 0, // what is farther is coarser: a distance, in any unit
    jo_detailByImportance,   // what is less is coarser: a share of the screen, a rank, anything
    jo_detailMeasureCount
} joDetailMeasure;

// When which level is used. Level 0 is the finest.
typedef struct joDetail
{
    joDetailMeasure measure;
    uint32_t levelCount; // 1 to JO_MAX_DETAIL_LEVELS
    // Level i + 1 begins past switchValues[i]: for a larger value by distance, for a smaller one by
    // importance. The first levelCount - 1 are used: finite, >= 0, rising by distance, falling by importance.
    float switchValues[JO_MAX_DETAIL_LEVELS - 1];
    // To a finer level only when the value has come back past the switch value by this share of it; 0 to 1.
    // Default 0.1.
    float hysteresis;
} joDetail;

JO_API joDetail joDefaultDetail( void ); // one level

// Errors: jo_errorNullArgument; jo_errorNotANumber; jo_errorBadCount (of levels); jo_errorBadDef (a measure
// that is none, a switch value negative or infinite, a hysteresis out of range); jo_errorUnsorted (switch
// values that do not go on as the measure wants).
JO_API joResult joCheckDetail( const joDetail* detail );

// The level for a value, of something that is at level `current` now; JO_NULL_INDEX: it is at none yet. A NaN
// keeps the level, or gives the finest. `detail` as its check lets pass. O(levels).
JO_API uint32_t joPickDetail( const joDetail* detail, float value, uint32_t current );

// The levels of `count` things: `values` is a column of float, `levels` one of uint32_t, which is read (any
// value, as `current` above) and written. *changeCount (may be null): how many have changed. Errors:
// jo_errorNullArgument, and those of joCheckDetail; then no level has changed. O(count * levels), no memory.
JO_API joResult joPickDetails( const joDetail* detail, const joColumn* values, uint32_t count,
    const joMutableColumn* levels, uint64_t* changeCount );

// One thing with its shapes, as many as the detail has levels; borrowed.
typedef struct joDetailedShape2
{
    joDetail detail;
    const joShape2* shapes[JO_MAX_DETAIL_LEVELS];
} joDetailedShape2;

typedef struct joDetailedShape3
{
    joDetail detail;
    const joShape3* shapes[JO_MAX_DETAIL_LEVELS];
} joDetailedShape3;

// Errors: those of joCheckDetail, and of the check of the first shape that fails it; a shape that is null:
// jo_errorNullArgument.
JO_API joResult joCheckDetailedShape2( const joDetailedShape2* shape );
JO_API joResult joCheckDetailedShape3( const joDetailedShape3* shape );

// The shape for a value. *level is read as `current` of joPickDetail, and written.
JO_API const joShape2* joPickShape2( const joDetailedShape2* shape, float value, uint32_t* level );
JO_API const joShape3* joPickShape3( const joDetailedShape3* shape, float value, uint32_t* level );

JO_EXTERN_C_END
