// SPDX-License-Identifier: MIT
// Levels of detail.
#include "jostle/detail.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <string.h>

joDetail joDefaultDetail( void )
{
    return ( joDetail ){ .measure = jo_detailByDistance, .levelCount = 1, .hysteresis = 0.1f };
}

static joResult checkDetail( const joDetail* detail )
{
    if ( detail->levelCount < 1 || detail->levelCount > JO_MAX_DETAIL_LEVELS )
    {
        return jo_errorBadCount;
    }
    bool isBad = (uint32_t)detail->measure >= jo_detailMeasureCount;
    bool isUnsorted = false, isNotANumber = isnan( detail->hysteresis );
    isBad = isBad || !( detail->hysteresis >= 0.0f && detail->hysteresis <= 1.0f );
    for ( uint32_t i = 0; i + 1 < detail->levelCount; ++i )
    {
        const float value = detail->switchValues[i];
        isNotANumber = isNotANumber || isnan( value );
        isBad = isBad || !( value >= 0.0f && value <= FLT_MAX );
        if ( i > 0 )
        {
            const float last = detail->switchValues[i - 1];
            isUnsorted =
                isUnsorted || !( detail->measure == jo_detailByDistance ? last < value : last > value );
        }
    }
    return isNotANumber ? jo_errorNotANumber
           : isBad      ? jo_errorBadDef
           : isUnsorted ? jo_errorUnsorted
                        : jo_success;
}

joResult joCheckDetail( const joDetail* detail )
{
    return detail == NULL ? jo_errorNullArgument : checkDetail( detail );
}

// Which switch values a value has passed, and which it has not come back past.
static uint32_t pickLevel( const joDetail* detail, float value, uint32_t current )
{
    const bool isDistance = detail->measure == jo_detailByDistance;
    const float back = isDistance ? 1.0f - detail->hysteresis : 1.0f + detail->hysteresis;
    uint32_t finest = 0, coarsest = 0;
    for ( uint32_t i = 0; i + 1 < detail->levelCount; ++i )
    {
        const float there = detail->switchValues[i], returned = there * back;
        finest += isDistance ? value > there : value < there;
        coarsest += isDistance ? value > returned : value < returned;
    }
    if ( isnan( value ) )
    {
        return current < detail->levelCount ? current : 0;
    }
    return current == JO_NULL_INDEX || current < finest ? finest : current > coarsest ? coarsest : current;
}

uint32_t joPickDetail( const joDetail* detail, float value, uint32_t current )
{
    const joFloatEnv env = joFloatEnv_Enter();
    const uint32_t level = pickLevel( detail, value, current );
    joFloatEnv_Leave( env );
    return level;
}

joResult joPickDetails( const joDetail* detail, const joColumn* values, uint32_t count,
    const joMutableColumn* levels, uint64_t* changeCount )
{
    if ( changeCount != NULL )
    {
        *changeCount = 0;
    }
    const bool isNull = detail == NULL || values == NULL || levels == NULL ||
                        ( count > 0 && ( values->data == NULL || levels->data == NULL ) );
    const joResult result = isNull ? jo_errorNullArgument : checkDetail( detail );
    if ( result )
    {
        return JO_MISUSE( result );
    }
    const joFloatEnv env = joFloatEnv_Enter();
    uint64_t changes = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        float value;
        uint32_t* level = (uint32_t*)( (char*)levels->data + i * levels->stride );
        memcpy( &value, (const char*)values->data + i * values->stride, sizeof( value ) );
        const uint32_t picked = pickLevel( detail, value, *level );
        changes += picked != *level;
        *level = picked;
    }
    joFloatEnv_Leave( env );
    if ( changeCount != NULL )
    {
        *changeCount = changes;
    }
    return jo_success;
}

joResult joCheckDetailedShape2( const joDetailedShape2* shape )
{
    joResult result = shape == NULL ? jo_errorNullArgument : checkDetail( &shape->detail );
    for ( uint32_t i = 0; !result && i < shape->detail.levelCount; ++i )
    {
        result = joCheckShape2( shape->shapes[i] );
    }
    return result;
}

joResult joCheckDetailedShape3( const joDetailedShape3* shape )
{
    joResult result = shape == NULL ? jo_errorNullArgument : checkDetail( &shape->detail );
    for ( uint32_t i = 0; !result && i < shape->detail.levelCount; ++i )
    {
        result = joCheckShape3( shape->shapes[i] );
    }
    return result;
}

const joShape2* joPickShape2( const joDetailedShape2* shape, float value, uint32_t* level )
{
    *level = joPickDetail( &shape->detail, value, *level );
    return shape->shapes[*level];
}

const joShape3* joPickShape3( const joDetailedShape3* shape, float value, uint32_t* level )
{
    *level = joPickDetail( &shape->detail, value, *level );
    return shape->shapes[*level];
}
