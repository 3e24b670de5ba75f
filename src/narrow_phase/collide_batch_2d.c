// SPDX-License-Identifier: MIT
// Batches of pairs in 2D. Pairs are taken in units over the workers (flat_unit.c).
//
// A kernel finds manifolds at once with what touches, so that a second pass would do all again. Where shapes
// are of one class and there is one worker, they go straight to where they belong. Else they are found in
// places of their own, those of some units at a time, and then moved together.
#include "narrow_phase/collide_batch.h"

#include "base/assert.h"
#include "base/float_env.h"
#include "narrow_phase/flat_unit.h"

#include <math.h>
#include <string.h>

#define UNIT_WORDS ( JO_BATCH_UNIT / 64 )

// Units for each worker that are answered before their manifolds are moved.
#define UNITS_AHEAD 4u

joResult joCollideBatch_SetShapes2(
    joCollideBatch* batch, const joPlacedShapes2* shapes, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    if ( batch == NULL || shapes == NULL ||
         ( shapes->count > 0 && ( shapes->shape.data == NULL || shapes->pose.data == NULL ) ) )
    {
        return joReportAt( jo_errorNullArgument, bad, errorIndex );
    }
    joFloatEnv env = joFloatEnv_Enter();
    const joResult result = joFlatShapes_Set( &batch->flat, &batch->memory, batch->jobs, shapes, &bad );
    joFloatEnv_Leave( env );
    return joReportAt( result, bad, errorIndex );
}

typedef struct Run
{
    joCollideBatch* batch;
    const joPair* pairs;
    uint32_t pairCount;
    float margin;
    uint64_t* words;
    uint32_t* counts; // hits of each unit; then of all units before it
    joVec2* normals;  // null, or a place for each pair
    float* depths;
    bool isDirect;       // manifolds are found where they belong, one unit at a time
    joManifold2* places; // null, or for those of the units from firstUnit on
    uint32_t room;       // in there for a unit
    uint32_t firstUnit;
    uint32_t* hitPairs;
    joManifold2* manifolds;
    uint64_t capacity;
} Run;

static void answerUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Run* run = context;
    (void)worker;
    for ( uint32_t i = run->firstUnit + begin; i < run->firstUnit + end; ++i )
    {
        const uint32_t first = i * JO_BATCH_UNIT, left = run->pairCount - first;
        const size_t place = (size_t)( i - run->firstUnit ) * JO_BATCH_UNIT;
        const joFlatUnit unit = { .batch = run->batch,
            .pairs = run->pairs + first,
            .count = left < JO_BATCH_UNIT ? left : JO_BATCH_UNIT,
            .margin = run->margin,
            .words = run->words + (size_t)i * UNIT_WORDS,
            .normals = run->normals != NULL ? run->normals + first : NULL,
            .depths = run->normals != NULL ? run->depths + first : NULL,
            .manifolds = run->places != NULL ? run->places + place : NULL,
            .room = run->room,
            .hitPairs = run->isDirect && run->places != NULL
                            ? run->hitPairs + ( run->places - run->manifolds )
                            : NULL,
            .firstPair = first };
        joAnswerFlatUnit( &unit );
        uint32_t hits = 0;
        for ( uint32_t k = 0; k < UNIT_WORDS; ++k )
        {
            hits += (uint32_t)__builtin_popcountll( unit.words[k] );
        }
        run->counts[i] = hits;
    }
}

// Moves the manifolds of units to where they belong, and says whose they are.
static void moveUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Run* run = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const uint32_t unit = run->firstUnit + i;
        const uint64_t* words = run->words + (size_t)unit * UNIT_WORDS;
        const joManifold2* from = run->places + (size_t)i * JO_BATCH_UNIT;
        const bool isMixed = run->batch->flat.isMixed;
        const uint64_t offset = run->counts[unit];
        uint64_t to = offset;
        for ( uint32_t k = 0; k < UNIT_WORDS; ++k )
        {
            for ( uint64_t bits = words[k]; bits != 0 && to < run->capacity; bits &= bits - 1 )
            {
                const uint32_t place = 64 * k + (uint32_t)__builtin_ctzll( bits );
                run->hitPairs[to] = unit * JO_BATCH_UNIT + place;
                if ( isMixed )
                {
                    run->manifolds[to] = from[place];
                }
                to += 1;
            }
        }
        if ( !isMixed && to > offset )
        {
            memcpy( run->manifolds + offset, from, (size_t)( to - offset ) * sizeof( joManifold2 ) );
        }
    }
}

static uint32_t unitCountOf( uint32_t pairCount )
{
    return (uint32_t)( ( (uint64_t)pairCount + JO_BATCH_UNIT - 1 ) / JO_BATCH_UNIT );
}

static uint32_t unitsAtATime( const joCollideBatch* batch, uint32_t pairCount )
{
    const uint32_t units = unitCountOf( pairCount ), workers = joJobs_GetWorkerCount( batch->jobs );
    const uint32_t most = workers > 1 ? UNITS_AHEAD * workers : 1;
    return units < most ? units : most;
}

static uint64_t runUnits( Run* run )
{
    joJobs* jobs = run->batch->jobs;
    const uint32_t units = unitCountOf( run->pairCount ),
                   atATime = unitsAtATime( run->batch, run->pairCount );
    uint64_t total = 0;
    for ( run->firstUnit = 0; run->firstUnit < units; run->firstUnit += atATime )
    {
        const uint32_t left = units - run->firstUnit, count = left < atATime ? left : atATime;
        // What has no room any more is only counted.
        const uint64_t room = total < run->capacity ? run->capacity - total : 0;
        run->room = room < JO_BATCH_UNIT ? (uint32_t)room : JO_BATCH_UNIT;
        run->places = room == 0       ? NULL
                      : run->isDirect ? run->manifolds + total
                                      : (joManifold2*)run->batch->manifolds2.data;
        joParallelFor( jobs, count, 1, answerUnits, run );
        for ( uint32_t unit = run->firstUnit; unit < run->firstUnit + count; ++unit )
        {
            const uint32_t hits = run->counts[unit];
            run->counts[unit] = (uint32_t)total;
            total += hits;
        }
        if ( run->places != NULL && !run->isDirect )
        {
            joParallelFor( jobs, count, 1, moveUnits, run );
        }
    }
    return total;
}

static joResult checkPair( const joFlatShapes* flat, joPair pair )
{
    if ( pair.a >= flat->shapes.count || pair.b >= flat->shapes.count )
    {
        return jo_errorUnknownKey;
    }
    const joShape2 *a = joShapeOf2( &flat->shapes, pair.a ), *b = joShapeOf2( &flat->shapes, pair.b );
    return joFindPairFunctions2( a->kind, b->kind )->collide != NULL ? jo_success : jo_errorNoSuchPair;
}

static joResult checkPairs(
    const joFlatShapes* flat, const joPair* pairs, uint32_t pairCount, uint32_t* errorIndex )
{
    const bool isGood = flat->isComplete && joAreBelow( pairs, pairCount, flat->shapes.count );
    for ( uint32_t i = 0; i < pairCount && !isGood; ++i )
    {
        const joResult result = checkPair( flat, pairs[i] );
        if ( result != jo_success )
        {
            *errorIndex = i;
            return result;
        }
    }
    return jo_success;
}

static joResult reservePairs( joCollideBatch* batch, uint32_t pairCount, bool findsManifolds )
{
    const uint64_t places = findsManifolds ? (uint64_t)unitsAtATime( batch, pairCount ) * JO_BATCH_UNIT : 0;
    const joResult result = joReserveBatchPairs( batch, pairCount );
    return result ? result
                  : joArray_Reserve( &batch->manifolds2, &batch->memory, places, sizeof( joManifold2 ), 0 );
}

joResult joReserveBatch2( joCollideBatch* batch, uint32_t shapeCount, uint32_t pairCount )
{
    const joResult result = joFlatShapes_Reserve( &batch->flat, &batch->memory, shapeCount );
    return result ? result : reservePairs( batch, pairCount, true );
}

static joResult prepare( Run* run, const joPair* pairs, uint64_t pairCount, uint32_t* errorIndex )
{
    if ( run->batch == NULL || ( pairs == NULL && pairCount > 0 ) )
    {
        return jo_errorNullArgument;
    }
    if ( pairCount > UINT32_MAX )
    {
        return jo_errorBadCount;
    }
    if ( !( run->margin >= 0.0f && run->margin <= JO_MAX_SIZE ) )
    {
        return isnan( run->margin ) ? jo_errorNotANumber : jo_errorBadRadius;
    }
    run->pairs = pairs;
    run->pairCount = (uint32_t)pairCount;
    joResult result = checkPairs( &run->batch->flat, pairs, run->pairCount, errorIndex );
    run->isDirect = !run->batch->flat.isMixed && joJobs_GetWorkerCount( run->batch->jobs ) <= 1;
    return result ? result : reservePairs( run->batch, run->pairCount, run->capacity > 0 && !run->isDirect );
}

static joResult answer( Run* run, const joPair* pairs, uint64_t pairCount, bool hasPlaces, uint64_t* hitBits,
    uint64_t* hitCount, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = hitCount == NULL || !hasPlaces ? jo_errorNullArgument : jo_success;
    if ( hitCount != NULL )
    {
        *hitCount = 0;
    }
    joFloatEnv env = joFloatEnv_Enter();
    result = result ? result : prepare( run, pairs, pairCount, &bad );
    if ( result == jo_success )
    {
        run->words = run->batch->words.data;
        run->counts = run->batch->counts.data;
        *hitCount = runUnits( run );
        if ( hitBits != NULL && pairCount > 0 )
        {
            memcpy( hitBits, run->words, ( (size_t)pairCount + 63 ) / 64 * sizeof( uint64_t ) );
        }
    }
    joFloatEnv_Leave( env );
    return joReportAt( result, bad, errorIndex );
}

joResult joCollideBatch_Overlap2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex )
{
    Run run = { .batch = batch };
    const bool hasPlaces = hitBits != NULL || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_FindDepths2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint64_t* hitBits, joVec2* normals, float* depths, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch, .margin = margin, .normals = normals, .depths = depths };
    const bool hasPlaces = ( normals != NULL && depths != NULL ) || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_Collide2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint32_t* hitPairs, joManifold2* manifolds, uint64_t capacity, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch,
        .margin = margin,
        .hitPairs = hitPairs,
        .manifolds = manifolds,
        .capacity = capacity };
    const bool hasPlaces = ( hitPairs != NULL && manifolds != NULL ) || capacity == 0;
    return answer( &run, pairs, pairCount, hasPlaces, NULL, hitCount, errorIndex );
}
