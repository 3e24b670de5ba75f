// SPDX-License-Identifier: MIT
// Push apart: reads the bodies, has neighbours found and passes run, and writes back where bodies went. The
// caller's memory is written only when nothing can fail any more.
#include "jostle/push_apart.h"

#include "base/assert.h"
#include "base/column.h"
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

joResult joPusher_ReserveBodies( joPusher* pusher, uint32_t count, uint32_t keep )
{
    const struct
    {
        joArray* array;
        size_t elementSize;
        uint32_t keep;
    } arrays[] = { { &pusher->order, sizeof( uint32_t ), 0 }, { &pusher->sums, sizeof( joPushSum ), 0 },
        { &pusher->tracks, sizeof( joPushTrack ), 0 }, { &pusher->isTracked, sizeof( uint8_t ), 0 },
        { &pusher->states, sizeof( joPushState ), keep }, { &pusher->inverseMasses, sizeof( float ), keep },
        // Of those that find their neighbours:
        { &pusher->sortItems[0], sizeof( joKeyValue ), 0 },
        { &pusher->sortItems[1], sizeof( joKeyValue ), 0 }, { &pusher->reaches, sizeof( float ), 0 },
        { &pusher->filters, sizeof( joPushFilter ), 0 },
        // Of those that do not:
        { &pusher->limits, sizeof( float ), keep } };
    joPusher_ClearTracks( pusher );
    const uint64_t oldRoom = pusher->order.capacity;
    const uint64_t oldSums = pusher->sums.capacity;
    const uint64_t oldFlags = pusher->isTracked.capacity;
    joResult result = jo_success;
    for ( size_t i = 0; i < sizeof( arrays ) / sizeof( arrays[0] ) && result == jo_success; ++i )
    {
        const bool isUsed = i < 6 || ( i < 10 ) == ( pusher->broadPhase != NULL );
        result = joArray_Reserve( arrays[i].array, &pusher->memory, isUsed ? count : 0, arrays[i].elementSize,
            isUsed ? arrays[i].keep : 0 );
    }
    if ( pusher->order.capacity != oldRoom )
    {
        pusher->ordered = 0;
    }
    if ( pusher->sums.capacity != oldSums )
    {
        memset( pusher->sums.data, 0, pusher->sums.capacity * sizeof( joPushSum ) );
    }
    if ( pusher->isTracked.capacity != oldFlags )
    {
        memset( pusher->isTracked.data, 0, pusher->isTracked.capacity );
    }
    return result;
}

static joResult reserveView( joPusher* pusher, uint64_t pairCount )
{
    joMemory* memory = &pusher->memory;
    const joResult result = joArray_Reserve( &pusher->view, memory, pairCount, sizeof( joPair ), 0 );
    return result != jo_success
               ? result
               : joArray_Reserve( &pusher->viewScratch, memory, 2 * pairCount, sizeof( uint64_t ), 0 );
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
    broadPhaseDef.sortPairs = false; // whole sums are the same in any order
    broadPhaseDef.jobs = def->jobs;
    broadPhaseDef.allocator = def->allocator;
    joResult result = joCreateBroadPhase( &broadPhaseDef, &pusher->broadPhase );
    if ( result == jo_success && def->bodyReserve > 0 )
    {
        result = joPusher_ReserveBodies( pusher, def->bodyReserve, 0 );
    }
    if ( result == jo_success && def->bodyReserve > 0 )
    {
        result = joPusher_ReservePairs( pusher, broadPhaseDef.pairReserve );
    }
    if ( result == jo_success && def->bodyReserve > 0 )
    {
        result = reserveView( pusher, broadPhaseDef.pairReserve );
    }
    pusher->memory.fixed = def->fixedCapacity;
    return result;
}

joResult joPusher_CreateBare( const joPusherDef* def, joPusher** pusher )
{
    joPusher* made = joAllocateObject( &def->allocator, sizeof( joPusher ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    made->def = *def;
    made->axisCount = (uint32_t)def->dimension;
    made->workerCount = joJobs_GetWorkerCount( def->jobs );
    const joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joPusher ) );
        return result;
    }
    *pusher = made;
    return jo_success;
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
    joPusher* made = NULL;
    joResult result = joPusher_CreateBare( def, &made );
    if ( result != jo_success )
    {
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
    joArray_Free( &pusher->states, memory, sizeof( joPushState ) );
    joArray_Free( &pusher->inverseMasses, memory, sizeof( float ) );
    joArray_Free( &pusher->reaches, memory, sizeof( float ) );
    joArray_Free( &pusher->filters, memory, sizeof( joPushFilter ) );
    joArray_Free( &pusher->sums, memory, sizeof( joPushSum ) );
    joArray_Free( &pusher->tracks, memory, sizeof( joPushTrack ) );
    joArray_Free( &pusher->isTracked, memory, sizeof( uint8_t ) );
    joArray_Free( &pusher->limits, memory, sizeof( float ) );
    joArray_Free( &pusher->planes, memory, sizeof( joPushPlane ) );
    joArray_Free( &pusher->overlaps, memory, sizeof( joPair ) );
    joArray_Free( &pusher->overlapCounts, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->dealt, memory, sizeof( joPair ) );
    joArray_Free( &pusher->regionCounts, memory, sizeof( uint32_t ) );
    joArray_Free( &pusher->view, memory, sizeof( joPair ) );
    joArray_Free( &pusher->viewScratch, memory, sizeof( uint64_t ) );
    joMemory_Destroy( memory );
    joFreeObject( &allocator, pusher, sizeof( joPusher ) );
}

typedef struct BodyContext
{
    joPusher* pusher;
    const joPushBodies* bodies;
    joMutableColumn positions[3];
    joColumn radius;
    joColumn inverseMass; // never absent
} BodyContext;

static BodyContext contextOf( joPusher* pusher, const joPushBodies* bodies )
{
    static const float one = 1.0f;
    return ( BodyContext ){ pusher, bodies, { bodies->x, bodies->y, bodies->z }, bodies->radius,
        bodies->inverseMass.data != NULL ? bodies->inverseMass : ( joColumn ){ &one, 0 } };
}

static inline float readFloat( joColumn column, uint32_t index )
{
    return *(const float*)joColumn_At( column, index );
}

static inline float* elementOf( joMutableColumn column, uint32_t index )
{
    return joMutableColumn_At( column, index );
}

static joResult checkBody( const BodyContext* body, uint32_t index )
{
    const float radius = readFloat( body->radius, index );
    const float inverseMass = readFloat( body->inverseMass, index );
    bool isNumber = !isnan( radius ) && !isnan( inverseMass );
    bool isFinite = true;
    for ( uint32_t axis = 0; axis < body->pusher->axisCount; ++axis )
    {
        const float x = *elementOf( body->positions[axis], index );
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

// The first of the caller's bodies that is bad, when one is known to be.
static joResult findBadBody( const BodyContext* body, uint32_t* errorIndex )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < body->bodies->count && result == jo_success; ++i )
    {
        result = checkBody( body, i );
        *errorIndex = i;
    }
    return result;
}

// The proof in push_passes.c needs all that are closer than the margin: the sum that was rounded to the
// nearest float must not be below the true one.
static inline float roundUp( float sum )
{
    const float above = sum * ( 1.0f + 2.0f * FLT_EPSILON ) + FLT_TRUE_MIN;
    return above < FLT_MAX ? above : FLT_MAX;
}

// Copies bodies into slots, and sees whether all are good. The caller's are in any order: what is read here
// comes from all over the memory, and this loop has no branch for the processor to ask ahead.
static inline void readRange( const BodyContext* body, const uint32_t* order, uint32_t begin, uint32_t end,
    joPushTally* tally, uint32_t axisCount )
{
    const joPusher* pusher = body->pusher;
    joPushState* states = pusher->states.data;
    float* inverseMasses = pusher->inverseMasses.data;
    float* reaches = pusher->reaches.data;
    const float halfMargin = 0.5f * pusher->def.margin;
    const joMutableColumn x = body->positions[0];
    const joMutableColumn y = body->positions[1];
    const joMutableColumn z = axisCount == 3 ? body->positions[2] : ( joMutableColumn ){ NULL, 0 };
    const joColumn radii = body->radius;
    const joColumn masses = body->inverseMass;
    float largestRadius = 0.0f;
    bool allGood = true;
    bool anyStill = false;
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        const uint32_t index = order != NULL ? order[slot] : slot;
        joPushState state = {
            { *elementOf( x, index ), *elementOf( y, index ), 0.0f }, readFloat( radii, index ) };
        state.position[2] = axisCount == 3 ? *elementOf( z, index ) : 0.0f;
        const float inverseMass = readFloat( masses, index );
        states[slot] = state;
        inverseMasses[slot] = inverseMass;
        reaches[slot] = roundUp( state.radius + halfMargin );
        // Of what is not finite, the difference with itself is not a number.
        const float difference = ( state.position[0] - state.position[0] ) +
                                 ( state.position[1] - state.position[1] ) +
                                 ( state.position[2] - state.position[2] );
        allGood &= ( difference == 0.0f ) & ( state.radius >= 0.0f ) & ( state.radius <= FLT_MAX ) &
                   ( inverseMass >= 0.0f ) & ( inverseMass <= FLT_MAX );
        anyStill |= inverseMass == 0.0f;
        largestRadius = state.radius > largestRadius ? state.radius : largestRadius;
    }
    tally->largestRadius = largestRadius > tally->largestRadius ? largestRadius : tally->largestRadius;
    tally->anyBad = tally->anyBad || !allGood;
    tally->anyStill = tally->anyStill || anyStill;
}

static void readBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const BodyContext* body = context;
    const uint32_t* order = body->pusher->inOrder ? NULL : body->pusher->order.data;
    joPushTally tally = body->pusher->tallies[worker];
    if ( body->pusher->axisCount == 2 )
    {
        readRange( body, order, begin, end, &tally, 2 );
    }
    else
    {
        readRange( body, order, begin, end, &tally, 3 );
    }
    body->pusher->tallies[worker] = tally;
}

// Two that stand still are no pair.
static void filterBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    const joPusher* pusher = context;
    const float* inverseMasses = pusher->inverseMasses.data;
    joPushFilter* filters = pusher->filters.data;
    for ( uint32_t slot = begin; slot < end; ++slot )
    {
        filters[slot] = inverseMasses[slot] == 0.0f
                            ? ( joPushFilter ){ STILL_LAYER, MOVING_LAYER }
                            : ( joPushFilter ){ MOVING_LAYER, STILL_LAYER | MOVING_LAYER };
    }
}

static joResult readBodies( joPusher* pusher, const joPushBodies* bodies, uint32_t* errorIndex )
{
    BodyContext context = contextOf( pusher, bodies );
    const joResult result = joPusher_ReserveBodies( pusher, bodies->count, 0 );
    if ( result != jo_success )
    {
        return result;
    }
    joPusher_ChooseOrder( pusher, bodies );
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, bodies->count, BODY_BLOCK, readBlock, &context );
    const joPushTally tally = joPusher_JoinTallies( pusher );
    if ( tally.anyBad )
    {
        return JO_MISUSE( findBadBody( &context, errorIndex ) );
    }
    pusher->count = bodies->count;
    pusher->anyStill = tally.anyStill;
    pusher->largestRadius = tally.largestRadius;
    if ( tally.anyStill )
    {
        joParallelFor( pusher->def.jobs, bodies->count, BODY_BLOCK, filterBlock, pusher );
    }
    return jo_success;
}

// Writes back where one body went; returns the square of its way.
static inline double writeBody( const BodyContext* body, uint32_t slot )
{
    const joPusher* pusher = body->pusher;
    const joPushState* state = (const joPushState*)pusher->states.data + slot;
    const uint32_t index = joPusher_Index( pusher, slot );
    double waySq = 0.0;
    for ( uint32_t axis = 0; axis < pusher->axisCount; ++axis )
    {
        float* x = elementOf( body->positions[axis], index );
        const double way = (double)state->position[axis] - (double)*x;
        waySq += way * way;
        if ( way != 0.0 )
        {
            *x = state->position[axis];
        }
    }
    return waySq;
}

static void writeBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const BodyContext* body = context;
    const joPushTrack* tracks = body->pusher->foundAgain ? NULL : body->pusher->tracks.data;
    joPushTally tally = body->pusher->tallies[worker];
    for ( uint32_t i = begin; i < end; ++i )
    {
        const double waySq = writeBody( body, tracks != NULL ? tracks[i].slot : i );
        tally.farthestSq = waySq > tally.farthestSq ? waySq : tally.farthestSq;
    }
    body->pusher->tallies[worker] = tally;
}

// Returns the square of the longest way. Only what had a contact since neighbours were found can have moved;
// if they were found twice, all are looked at.
static double writeBodies( joPusher* pusher, const joPushBodies* bodies )
{
    BodyContext context = contextOf( pusher, bodies );
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->foundAgain ? pusher->count : pusher->trackCount, BODY_BLOCK,
        writeBlock, &context );
    return joPusher_JoinTallies( pusher ).farthestSq;
}

static joResult push(
    joPusher* pusher, const joPushBodies* bodies, joPushResult* result, uint32_t* errorIndex )
{
    // What the last push found is gone, whatever comes.
    pusher->count = 0;
    pusher->viewCopied = false;
    pusher->foundAgain = false;
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
    const uint32_t pairCount = pusher->pairCount;
    const joPushTally before = joPusher_Measure( pusher );
    joPushTally left;
    error = joPusher_Iterate( pusher, before, &left );
    if ( error != jo_success )
    {
        pusher->count = 0;
        return error;
    }
    const double farthestSq = writeBodies( pusher, bodies );
    *result = ( joPushResult ){ .pairCount = pairCount,
        .overlapCount = before.overlapCount,
        .deepestBefore = (float)before.deepest,
        .deepest = (float)left.deepest,
        .farthest = (float)sqrt( farthestSq ) };
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
