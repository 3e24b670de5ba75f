// SPDX-License-Identifier: MIT
// Push apart: reads the bodies, has neighbours found and passes run, and writes back where bodies went. The
// caller's memory is written only when nothing can fail any more.
#include "jostle/push_apart.h"

#include "base/assert.h"
#include "base/float_env.h"
#include "base/radix_sort.h"
#include "pusher.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PUSHER_COOKIE 0x70757368u
#define BODY_BLOCK 4096u
#define MAX_BODIES ( 1u << 29 )
// Pairs a body that are reserved with bodyReserve.
#define RESERVED_PAIRS 4u

#define STILL_LAYER 1u
#define MOVING_LAYER 2u

joPusherDef joDefaultPusherDef( void )
{
    return ( joPusherDef ){
        .dimension = 2, .margin = 0.1f, .iterations = 4, .kind = jo_grid, .internalCookie = PUSHER_COOKIE };
}

static joResult reserveBodies( joPusher* pusher, uint32_t count )
{
    const struct
    {
        joArray* array;
        size_t elementSize;
    } arrays[] = { { &pusher->order, sizeof( uint32_t ) }, { &pusher->sortItems[0], sizeof( joKeyValue ) },
        { &pusher->sortItems[1], sizeof( joKeyValue ) }, { &pusher->states[0], sizeof( joPushState ) },
        { &pusher->states[1], sizeof( joPushState ) }, { &pusher->starts, sizeof( joPushState ) },
        { &pusher->masses, sizeof( joPushMass ) }, { &pusher->reaches, sizeof( float ) },
        { &pusher->filters, sizeof( joPushFilter ) }, { &pusher->active, sizeof( uint32_t ) } };
    const uint64_t oldRoom = pusher->order.capacity;
    joResult result = jo_success;
    for ( size_t i = 0; i < sizeof( arrays ) / sizeof( arrays[0] ) && result == jo_success; ++i )
    {
        result = joArray_Reserve( arrays[i].array, &pusher->memory, count, arrays[i].elementSize, 0 );
    }
    if ( result == jo_success )
    {
        result =
            joArray_Reserve( &pusher->offsets, &pusher->memory, (uint64_t)count + 1, sizeof( uint32_t ), 0 );
    }
    if ( pusher->order.capacity != oldRoom )
    {
        pusher->ordered = 0;
    }
    return result;
}

static joResult reservePairs( joPusher* pusher, uint64_t pairCount )
{
    joMemory* memory = &pusher->memory;
    joResult result = joArray_Reserve( &pusher->neighbours, memory, 2 * pairCount, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &pusher->view, memory, pairCount, sizeof( joPair ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &pusher->viewScratch, memory, 2 * pairCount, sizeof( uint64_t ), 0 );
    }
    return result;
}

static joResult initPusher( joPusher* pusher )
{
    const joPusherDef* def = &pusher->def;
    joBroadPhaseDef broadPhaseDef = joDefaultBroadPhaseDef();
    broadPhaseDef.kind = def->kind;
    broadPhaseDef.dimension = def->dimension;
    broadPhaseDef.objectReserve = def->bodyReserve;
    broadPhaseDef.pairReserve = (uint64_t)RESERVED_PAIRS * def->bodyReserve;
    broadPhaseDef.fixedCapacity = def->fixedCapacity;
    broadPhaseDef.jobs = def->jobs;
    broadPhaseDef.allocator = def->allocator;
    joResult result = joCreateBroadPhase( &broadPhaseDef, &pusher->broadPhase );
    if ( result == jo_success && def->bodyReserve > 0 )
    {
        result = reserveBodies( pusher, def->bodyReserve );
    }
    if ( result == jo_success && def->bodyReserve > 0 )
    {
        result = reservePairs( pusher, broadPhaseDef.pairReserve );
    }
    pusher->memory.fixed = def->fixedCapacity;
    return result;
}

joResult joCreatePusher( const joPusherDef* def, joPusher** pusher )
{
    if ( def == NULL || pusher == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *pusher = NULL;
    if ( def->internalCookie != PUSHER_COOKIE || ( def->dimension != 2 && def->dimension != 3 ) ||
         !( def->margin >= 0.0f && isfinite( def->margin ) ) || def->iterations < 1 ||
         def->iterations > 1000 || def->bodyReserve > MAX_BODIES ||
         ( def->allocator.allocate == NULL ) != ( def->allocator.deallocate == NULL ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joPusher* made = joAllocateObject( &def->allocator, sizeof( joPusher ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    made->def = *def;
    made->axisCount = (uint32_t)def->dimension;
    made->workerCount = joJobs_GetWorkerCount( def->jobs );
    joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joPusher ) );
        return result;
    }
    result = initPusher( made );
    if ( result != jo_success )
    {
        joDestroyPusher( made );
        return result;
    }
    *pusher = made;
    return jo_success;
}

void joDestroyPusher( joPusher* pusher )
{
    if ( pusher == NULL )
    {
        return;
    }
    joMemory* memory = &pusher->memory;
    const joAllocator allocator = pusher->def.allocator;
    joDestroyBroadPhase( pusher->broadPhase );
    joArray_Free( &pusher->order, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->sortItems[0], memory, sizeof( joKeyValue ) );
    joArray_Free( &pusher->sortItems[1], memory, sizeof( joKeyValue ) );
    joArray_Free( &pusher->states[0], memory, sizeof( joPushState ) );
    joArray_Free( &pusher->states[1], memory, sizeof( joPushState ) );
    joArray_Free( &pusher->starts, memory, sizeof( joPushState ) );
    joArray_Free( &pusher->masses, memory, sizeof( joPushMass ) );
    joArray_Free( &pusher->reaches, memory, sizeof( float ) );
    joArray_Free( &pusher->filters, memory, sizeof( joPushFilter ) );
    joArray_Free( &pusher->offsets, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->neighbours, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->active, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->view, memory, sizeof( joPair ) );
    joArray_Free( &pusher->viewScratch, memory, sizeof( uint64_t ) );
    joMemory_Destroy( memory );
    joFreeObject( &allocator, pusher, sizeof( joPusher ) );
}

typedef struct BodyContext
{
    joPusher* pusher;
    const joPushBodies* bodies;
} BodyContext;

static float readFloat( joColumn column, uint32_t index, float absent )
{
    return column.data != NULL
               ? *(const float*)(const void*)( (const char*)column.data + index * column.stride )
               : absent;
}

static float* elementOf( joMutableColumn column, uint32_t index )
{
    return (float*)(void*)( (char*)column.data + index * column.stride );
}

static joResult checkBody( const joPushBodies* bodies, uint32_t axisCount, uint32_t index )
{
    const joMutableColumn columns[3] = { bodies->x, bodies->y, bodies->z };
    const float radius = readFloat( bodies->radius, index, 0.0f );
    const float inverseMass = readFloat( bodies->inverseMass, index, 1.0f );
    bool isNumber = !isnan( radius ) && !isnan( inverseMass );
    bool isFinite = true;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const float x = *elementOf( columns[axis], index );
        isNumber = isNumber && !isnan( x );
        isFinite = isFinite && isfinite( x );
    }
    if ( !isNumber )
    {
        return jo_errorNotANumber;
    }
    if ( !isFinite || radius < 0.0f || !isfinite( radius ) )
    {
        return jo_errorBadRadius;
    }
    return inverseMass >= 0.0f && isfinite( inverseMass ) ? jo_success : jo_errorBadInverseMass;
}

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const BodyContext* body = context;
    joPushTally tally = body->pusher->tallies[worker];
    for ( uint32_t i = begin; i < end && i < tally.firstBad; ++i )
    {
        const joResult result = checkBody( body->bodies, body->pusher->axisCount, i );
        if ( result != jo_success )
        {
            tally.firstBad = i;
            tally.badResult = result;
        }
        tally.anyStill = tally.anyStill || readFloat( body->bodies->inverseMass, i, 1.0f ) == 0.0f;
    }
    body->pusher->tallies[worker] = tally;
}

// The proof in push_passes.c needs all that are closer than the margin: the sum that was rounded to the
// nearest float must not be below the true one.
static float roundUp( float sum )
{
    const float above = sum * ( 1.0f + 2.0f * FLT_EPSILON ) + FLT_TRUE_MIN;
    return above < FLT_MAX ? above : FLT_MAX;
}

// Copies the bodies into slots.
static void readBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const BodyContext* body = context;
    joPusher* pusher = body->pusher;
    const joMutableColumn columns[3] = { body->bodies->x, body->bodies->y, body->bodies->z };
    joPushTally tally = pusher->tallies[worker];
    const float halfMargin = 0.5f * pusher->def.margin;
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const uint32_t index = joPusher_Index( pusher, slot );
        joPushState state = { { 0.0f, 0.0f, 0.0f }, 0.0f };
        for ( uint32_t axis = 0; axis < pusher->axisCount; ++axis )
        {
            state.position[axis] = *elementOf( columns[axis], index );
        }
        const joPushMass mass = { readFloat( body->bodies->radius, index, 0.0f ),
            readFloat( body->bodies->inverseMass, index, 1.0f ) };
        ( (joPushState*)pusher->states[0].data )[slot] = state;
        ( (joPushState*)pusher->states[1].data )[slot] = state;
        ( (joPushMass*)pusher->masses.data )[slot] = mass;
        ( (float*)pusher->reaches.data )[slot] = roundUp( mass.radius + halfMargin );
        if ( pusher->anyStill )
        {
            ( (joPushFilter*)pusher->filters.data )[slot] =
                mass.inverseMass == 0.0f ? ( joPushFilter ){ STILL_LAYER, MOVING_LAYER }
                                         : ( joPushFilter ){ MOVING_LAYER, STILL_LAYER | MOVING_LAYER };
        }
        tally.largestRadius = mass.radius > tally.largestRadius ? mass.radius : tally.largestRadius;
    }
    pusher->tallies[worker] = tally;
}

static joResult readBodies( joPusher* pusher, const joPushBodies* bodies, uint32_t* errorIndex )
{
    BodyContext context = { pusher, bodies };
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, bodies->count, BODY_BLOCK, checkBlock, &context );
    const joPushTally tally = joPusher_JoinTallies( pusher );
    if ( tally.firstBad != JO_NULL_INDEX )
    {
        *errorIndex = tally.firstBad;
        return JO_MISUSE( tally.badResult );
    }
    const joResult result = reserveBodies( pusher, bodies->count );
    if ( result != jo_success )
    {
        return result;
    }
    pusher->count = bodies->count;
    pusher->anyStill = tally.anyStill;
    joPusher_ChooseOrder( pusher, bodies );
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, bodies->count, BODY_BLOCK, readBlock, &context );
    pusher->largestRadius = joPusher_JoinTallies( pusher ).largestRadius;
    pusher->current = 0;
    return jo_success;
}

// Writes back where the bodies that have neighbours went.
static void writeBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const BodyContext* body = context;
    const joPusher* pusher = body->pusher;
    const joPushState* states = joPusher_State( pusher );
    const joMutableColumn columns[3] = { body->bodies->x, body->bodies->y, body->bodies->z };
    joPushTally tally = body->pusher->tallies[worker];
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const uint32_t index = joPusher_Index( pusher, slot );
        double waySq = 0.0;
        for ( uint32_t axis = 0; axis < pusher->axisCount; ++axis )
        {
            float* x = elementOf( columns[axis], index );
            const double way = (double)states[slot].position[axis] - (double)*x;
            waySq += way * way;
            if ( way != 0.0 )
            {
                *x = states[slot].position[axis];
            }
        }
        tally.farthestSq = waySq > tally.farthestSq ? waySq : tally.farthestSq;
    }
    body->pusher->tallies[worker] = tally;
}

static joResult push(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex )
{
    // What the last push found is gone, whatever comes.
    pusher->count = 0;
    pusher->viewCopied = false;
    joResult error = readBodies( pusher, bodies, errorIndex );
    if ( error == jo_success )
    {
        error = joPusher_FindNeighbours( pusher );
    }
    if ( error != jo_success )
    {
        pusher->count = 0;
        return error;
    }
    uint64_t pairCount = 0;
    joBroadPhase_ViewPairs( pusher->broadPhase, &pairCount );
    const joPushTally before = joPusher_Measure( pusher );
    joPushTally left;
    error = joPusher_Iterate( pusher, before, &left );
    if ( error != jo_success )
    {
        pusher->count = 0;
        return error;
    }
    BodyContext context = { pusher, bodies };
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, bodies->count, BODY_BLOCK, writeBlock, &context );
    const joPushTally written = joPusher_JoinTallies( pusher );
    *result = ( joPushResult ){ .pairCount = pairCount,
        .overlapCount = before.overlapCount / 2,
        .deepestBefore = (float)before.deepest,
        .deepest = (float)left.deepest,
        .farthest = (float)sqrt( written.farthestSq ) };
    return jo_success;
}

static joResult checkAndPush( joPusher* pusher, uint32_t axisCount, const joPushBodies* bodies,
    joPushResult* result, uint32_t* errorIndex )
{
    uint32_t ignoredIndex;
    joPushResult ignoredResult;
    errorIndex = errorIndex != NULL ? errorIndex : &ignoredIndex;
    result = result != NULL ? result : &ignoredResult;
    *errorIndex = JO_NULL_INDEX;
    if ( pusher == NULL || bodies == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( pusher->axisCount != axisCount )
    {
        return JO_MISUSE( jo_errorWrongDimension );
    }
    if ( bodies->count > MAX_BODIES )
    {
        return JO_MISUSE( jo_errorBadCount );
    }
    const joMutableColumn columns[3] = { bodies->x, bodies->y, bodies->z };
    for ( uint32_t axis = 0; axis < axisCount && bodies->count > 0; ++axis )
    {
        // A constant cannot be written.
        if ( columns[axis].data == NULL || columns[axis].stride == 0 || bodies->radius.data == NULL )
        {
            return JO_MISUSE( jo_errorNullArgument );
        }
    }
    if ( bodies->count == 0 )
    {
        pusher->count = 0;
        *result = ( joPushResult ){ 0 };
        return jo_success;
    }
    const joFloatEnv env = joFloatEnv_Enter();
    const joResult error = push( pusher, bodies, result, errorIndex );
    joFloatEnv_Leave( env );
    return error;
}

joResult joPushApart2(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex )
{
    return checkAndPush( pusher, 2, bodies, result, errorIndex );
}

joResult joPushApart3(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex )
{
    return checkAndPush( pusher, 3, bodies, result, errorIndex );
}
