// SPDX-License-Identifier: MIT
// The columns of a batch of queries: read, checked, set into queries.
#include "base/atomic_least.h"
#include "base/float_env.h"
#include "query_batch.h"

#include <math.h>
#include <string.h>

#define CHECK_BLOCK 4096u

static const float s_zero = 0.0f;
static const float s_infinity = INFINITY;
static const uint64_t s_allLayers = UINT64_MAX;

static joColumn orConstant( joColumn column, const void* value )
{
    return column.data != NULL ? column : ( joColumn ){ value, 0 };
}

// What a shape's own maker has left: z columns are not read in 2D; those of the filter may be absent.
static joResult finishColumns(
    joQueryColumns* columns, const joBroadPhase* front, joColumn layer, joColumn mask, joColumn ignoredKey )
{
    const uint32_t axisCount = front->context.axisCount;
    columns->axisCount = axisCount;
    columns->layer = orConstant( layer, &s_allLayers );
    columns->mask = orConstant( mask, &s_allLayers );
    columns->ignoredKey = ignoredKey;
    if ( columns->count > JO_INDEX_MASK )
    {
        return jo_errorBadCount;
    }
    const uint32_t vectorCount = columns->numberCount / 3;
    for ( uint32_t v = 0; v < vectorCount && axisCount == 2; ++v )
    {
        columns->numbers[3 * v + 2] = ( joColumn ){ &s_zero, 0 };
    }
    bool isComplete = columns->shape != jo_queryPoint || columns->wanted.data != NULL;
    for ( uint32_t k = 0; k < columns->numberCount; ++k )
    {
        isComplete = isComplete && columns->numbers[k].data != NULL;
    }
    return isComplete || columns->count == 0 ? jo_success : jo_errorNullArgument;
}

joResult joMakeBoxColumns( joQueryColumns* columns, const joBoxes* boxes, const joBroadPhase* front )
{
    if ( boxes == NULL || front == NULL )
    {
        return jo_errorNullArgument;
    }
    *columns = ( joQueryColumns ){ .shape = jo_queryBox,
        .count = boxes->count,
        .numberCount = 6,
        .numbers = {
            boxes->lowerX, boxes->lowerY, boxes->lowerZ, boxes->upperX, boxes->upperY, boxes->upperZ } };
    return finishColumns( columns, front, boxes->layer, boxes->mask, boxes->key );
}

joResult joMakeCircleColumns( joQueryColumns* columns, const joCircles* circles, const joBroadPhase* front )
{
    if ( circles == NULL || front == NULL )
    {
        return jo_errorNullArgument;
    }
    *columns = ( joQueryColumns ){ .shape = jo_queryCircle,
        .count = circles->count,
        .numberCount = 4,
        .numbers = { circles->x, circles->y, circles->z, circles->radius } };
    return finishColumns( columns, front, circles->layer, circles->mask, circles->key );
}

joResult joMakeRayColumns( joQueryColumns* columns, const joRays* rays, const joBroadPhase* front )
{
    if ( rays == NULL || front == NULL )
    {
        return jo_errorNullArgument;
    }
    *columns = ( joQueryColumns ){ .shape = jo_queryRay,
        .count = rays->count,
        .numberCount = 7,
        .numbers = { rays->originX, rays->originY, rays->originZ, rays->directionX, rays->directionY,
            rays->directionZ, orConstant( rays->length, &s_infinity ) } };
    return finishColumns( columns, front, rays->layer, rays->mask, rays->ignoredKey );
}

joResult joMakeSweptBoxColumns(
    joQueryColumns* columns, const joSweptBoxes* boxes, const joBroadPhase* front )
{
    if ( boxes == NULL || front == NULL )
    {
        return jo_errorNullArgument;
    }
    *columns = ( joQueryColumns ){ .shape = jo_querySweptBox,
        .count = boxes->count,
        .numberCount = 10,
        .numbers = { boxes->lowerX, boxes->lowerY, boxes->lowerZ, boxes->upperX, boxes->upperY, boxes->upperZ,
            boxes->directionX, boxes->directionY, boxes->directionZ,
            orConstant( boxes->length, &s_infinity ) } };
    return finishColumns( columns, front, boxes->layer, boxes->mask, boxes->ignoredKey );
}

joResult joMakePointColumns( joQueryColumns* columns, const joQueryPoints* points, const joBroadPhase* front )
{
    if ( points == NULL || front == NULL )
    {
        return jo_errorNullArgument;
    }
    *columns = ( joQueryColumns ){ .shape = jo_queryPoint,
        .count = points->count,
        .numberCount = 4,
        .numbers = { points->x, points->y, points->z, orConstant( points->maxDistance, &s_infinity ) },
        .wanted = points->k };
    return finishColumns( columns, front, points->layer, points->mask, points->ignoredKey );
}

static joResult checkNumbers( const joQueryColumns* columns, uint32_t i )
{
    joQueryNumbers numbers;
    joReadNumbers( columns, i, &numbers );
    const uint32_t axisCount = columns->axisCount;
    switch ( columns->shape )
    {
        case jo_queryBox:
            return joCheckQueryBox( numbers.box.lower, numbers.box.upper, axisCount );
        case jo_queryCircle:
            return joCheckQueryCircle( numbers.circle.center, numbers.circle.radius, axisCount );
        case jo_queryRay:
            return joCheckRay( &numbers.ray, axisCount );
        case jo_querySweptBox:
            return joCheckSweptBox( &numbers.swept, axisCount );
        case jo_queryPoint:
            break;
    }
    return joCheckQueryPoint( numbers.circle.center, numbers.circle.radius, axisCount );
}

typedef struct joCheckRun
{
    const joQueryColumns* columns;
    atomic_uint_least32_t firstBad;
} joCheckRun;

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joCheckRun* run = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( checkNumbers( run->columns, i ) != jo_success )
        {
            joAtomic_Lower( &run->firstBad, i );
            return;
        }
    }
}

joResult joCheckColumns( const joQueryColumns* columns, joJobs* jobs, uint32_t* errorIndex )
{
    joCheckRun run = { .columns = columns, .firstBad = JO_NULL_INDEX };
    joParallelFor( jobs, columns->count, CHECK_BLOCK, checkBlock, &run );
    *errorIndex = atomic_load( &run.firstBad );
    if ( *errorIndex == JO_NULL_INDEX )
    {
        return jo_success;
    }
    const joFloatEnv env = joFloatEnv_Enter();
    const joResult result = checkNumbers( columns, *errorIndex );
    joFloatEnv_Leave( env );
    return result;
}

void joQuery_SetFrom( joQuery* query, const joQueryColumns* columns, uint32_t i )
{
    joQueryNumbers numbers;
    joReadNumbers( columns, i, &numbers );
    switch ( columns->shape )
    {
        case jo_queryBox:
            joQuery_SetBox( query, numbers.box.lower, numbers.box.upper );
            break;
        case jo_queryCircle:
            joQuery_SetCircle( query, numbers.circle.center, numbers.circle.radius );
            break;
        case jo_queryRay:
            joQuery_SetRay( query, &numbers.ray );
            break;
        case jo_querySweptBox:
            joQuery_SetSweptBox( query, &numbers.swept );
            break;
        case jo_queryPoint:
            joQuery_SetPoint( query, numbers.circle.center, numbers.circle.radius );
            break;
    }
    query->filter = ( joFilter ){ joReadBits( columns->layer, i ), joReadBits( columns->mask, i ) };
    if ( columns->ignoredKey.data != NULL )
    {
        query->ignoredKeys = joColumn_At( columns->ignoredKey, i );
        query->ignoredCount = 1;
    }
}
