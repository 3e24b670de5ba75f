// SPDX-License-Identifier: MIT
// Batches of pairs: answers. Pairs are taken in units over the workers; those of a unit are sorted by the
// kinds of their shapes and passed on by kinds.
//
// Manifolds take two passes. The first says which pairs touch; then it is known where each one's manifold
// goes, and the second finds those that have room, with pairs that touch side by side, so that no lane is
// idle.
#include "narrow_phase/collide_batch.h"

#include "base/assert.h"
#include "base/atomic_least.h"
#include "base/float_env.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define KINDS ( jo_shapeKindCount3 * jo_shapeKindCount3 )
#define UNIT_WORDS ( JO_BATCH_UNIT / 64 )
// Manifolds of mixed kinds that are found before they are put in their places.
#define MIXED_BLOCK 16u

typedef struct Run
{
    joCollideBatch* batch;
    const joPair* pairs;
    uint32_t pairCount;
    float margin;
    bool points; // whether pairs touch is what joCollide3 says, not joOverlap3
    uint64_t* words;
    uint32_t* counts; // hits of each unit; then, for the second pass, of all units before it
    joVec3* normals;
    float* depths;
    uint32_t* hitPairs;
    joManifold3* manifolds;
    uint64_t capacity;
    atomic_uint_least32_t firstBad; // index of a pair without an answer; JO_NULL_INDEX: there is none
} Run;

// Pairs by kinds: those of kinds k (of A, times their number, plus of B; A the lower one) from begins[k] on
// to before begins[k + 1].
typedef struct SortedPairs
{
    joPair pairs[JO_BATCH_UNIT];
    uint16_t places[JO_BATCH_UNIT]; // where it was
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t begins[KINDS + 1];
} SortedPairs;

joResult joReserveBatchPairs( joCollideBatch* batch, uint32_t pairCount )
{
    const uint64_t units = ( (uint64_t)pairCount + JO_BATCH_UNIT - 1 ) / JO_BATCH_UNIT;
    joResult result =
        joArray_ReserveSlack( &batch->words, &batch->memory, units * UNIT_WORDS, sizeof( uint64_t ), 0 );
    return result ? result
                  : joArray_ReserveSlack( &batch->counts, &batch->memory, units, sizeof( uint32_t ), 0 );
}

static uint32_t kindsOf( const joCollideBatch* batch, joPair pair, bool* isSwapped )
{
    const uint32_t a = joShapeOf( &batch->shapes, pair.a )->kind;
    const uint32_t b = joShapeOf( &batch->shapes, pair.b )->kind;
    *isSwapped = a > b;
    return a > b ? b * jo_shapeKindCount3 + a : a * jo_shapeKindCount3 + b;
}

static void sortPairs( const joCollideBatch* batch, const joPair* pairs, uint32_t count, SortedPairs* sorted )
{
    uint8_t kinds[JO_BATCH_UNIT];
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t next[KINDS + 1] = { 0 };
    for ( uint32_t i = 0; i < count; ++i )
    {
        kinds[i] = (uint8_t)kindsOf( batch, pairs[i], &areSwapped[i] );
        next[kinds[i] + 1] += 1;
    }
    for ( uint32_t k = 0; k < KINDS; ++k )
    {
        next[k + 1] = (uint16_t)( next[k + 1] + next[k] );
    }
    memcpy( sorted->begins, next, sizeof( next ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t to = next[kinds[i]]++;
        sorted->pairs[to] = areSwapped[i] ? ( joPair ){ pairs[i].b, pairs[i].a } : pairs[i];
        sorted->places[to] = (uint16_t)i;
        sorted->areSwapped[to] = areSwapped[i];
    }
}

// The pairs of kinds k. False: there are none.
static bool chunkOf( const Run* run, const SortedPairs* sorted, uint32_t k, joPairChunk3* chunk,
    const joBatchFunctions3** functions )
{
    const uint32_t begin = sorted->begins[k];
    *chunk = ( joPairChunk3 ){
        run->batch, sorted->pairs + begin, (uint32_t)( sorted->begins[k + 1] - begin ), run->margin };
    *functions = joFindBatchFunctions3(
        (joShapeKind3)( k / jo_shapeKindCount3 ), (joShapeKind3)( k % jo_shapeKindCount3 ) );
    return chunk->count > 0;
}

// Adding 0 keeps a zero from turning into a negative one.
static joVec3 turnedRound( joVec3 v, bool isSwapped )
{
    return isSwapped ? ( joVec3 ){ 0.0f - v.x, 0.0f - v.y, 0.0f - v.z } : v;
}

static void overlapMixed( const Run* run, const joPair* pairs, uint32_t count, uint64_t* words )
{
    SortedPairs sorted;
    sortPairs( run->batch, pairs, count, &sorted );
    memset( words, 0, joWordCount( count ) * sizeof( uint64_t ) );
    for ( uint32_t k = 0; k < KINDS; ++k )
    {
        joPairChunk3 chunk;
        const joBatchFunctions3* functions;
        uint64_t bits[UNIT_WORDS];
        if ( !chunkOf( run, &sorted, k, &chunk, &functions ) )
        {
            continue;
        }
        functions->overlap( &chunk, run->points, bits );
        for ( uint32_t i = 0; i < chunk.count; ++i )
        {
            const uint32_t place = sorted.places[sorted.begins[k] + i];
            words[place / 64] |= (uint64_t)joGetBit( bits, i ) << ( place % 64 );
        }
    }
}

static void findMixedDepths(
    const Run* run, const joPair* pairs, uint32_t count, uint64_t* words, joVec3* normals, float* depths )
{
    SortedPairs sorted;
    sortPairs( run->batch, pairs, count, &sorted );
    memset( words, 0, joWordCount( count ) * sizeof( uint64_t ) );
    for ( uint32_t k = 0; k < KINDS; ++k )
    {
        joPairChunk3 chunk;
        const joBatchFunctions3* functions;
        uint64_t bits[UNIT_WORDS];
        joVec3 chunkNormals[JO_BATCH_UNIT];
        float chunkDepths[JO_BATCH_UNIT];
        if ( !chunkOf( run, &sorted, k, &chunk, &functions ) )
        {
            continue;
        }
        functions->depths( &chunk, bits, chunkNormals, chunkDepths );
        for ( uint32_t i = 0; i < chunk.count; ++i )
        {
            const uint32_t from = sorted.begins[k] + i, place = sorted.places[from];
            words[place / 64] |= (uint64_t)joGetBit( bits, i ) << ( place % 64 );
            normals[place] = turnedRound( chunkNormals[i], sorted.areSwapped[from] );
            depths[place] = chunkDepths[i];
        }
    }
}

static void collideMixed( const Run* run, const joPair* pairs, uint32_t count, joManifold3* manifolds )
{
    SortedPairs sorted;
    sortPairs( run->batch, pairs, count, &sorted );
    for ( uint32_t k = 0; k < KINDS; ++k )
    {
        joPairChunk3 chunk;
        const joBatchFunctions3* functions;
        chunkOf( run, &sorted, k, &chunk, &functions );
        const uint32_t end = sorted.begins[k + 1];
        for ( uint32_t first = sorted.begins[k]; first < end; first += MIXED_BLOCK )
        {
            joManifold3 found[MIXED_BLOCK];
            chunk.pairs = sorted.pairs + first;
            chunk.count = end - first < MIXED_BLOCK ? end - first : MIXED_BLOCK;
            functions->collide( &chunk, found );
            for ( uint32_t i = 0; i < chunk.count; ++i )
            {
                found[i].normal = turnedRound( found[i].normal, sorted.areSwapped[first + i] );
                manifolds[sorted.places[first + i]] = found[i];
            }
        }
    }
}

static joResult checkPair( const joCollideBatch* batch, joPair pair )
{
    if ( pair.a >= batch->shapes.count || pair.b >= batch->shapes.count )
    {
        return jo_errorUnknownKey;
    }
    bool isSwapped;
    const uint32_t k = kindsOf( batch, pair, &isSwapped );
    const joPairFunctions3* functions = joFindPairFunctions3(
        (joShapeKind3)( k / jo_shapeKindCount3 ), (joShapeKind3)( k % jo_shapeKindCount3 ) );
    return functions->overlap != NULL && functions->collide != NULL ? jo_success : jo_errorNoSuchPair;
}

static uint32_t unitSize( const Run* run, uint32_t unit )
{
    const uint32_t left = run->pairCount - unit * JO_BATCH_UNIT;
    return left < JO_BATCH_UNIT ? left : JO_BATCH_UNIT;
}

// Notes the first pair of a unit that has no answer.
static bool checkUnit( Run* run, uint32_t unit )
{
    const uint32_t first = unit * JO_BATCH_UNIT, count = unitSize( run, unit );
    const joPair* pairs = run->pairs + first;
    if ( run->batch->isComplete && joAreBelow( pairs, count, run->batch->shapes.count ) )
    {
        return true;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( checkPair( run->batch, pairs[i] ) != jo_success )
        {
            joAtomic_Lower( &run->firstBad, first + i );
            return false;
        }
    }
    return true;
}

static void checkUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    for ( uint32_t unit = begin; unit < end; ++unit )
    {
        checkUnit( context, unit );
    }
}

// The first pass: which pairs touch; or all answers, if they have places of their own. What is written
// where the caller sees it has been checked before; else a unit is checked while it is in the cache.
static void testUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Run* run = context;
    const joBatchFunctions3* only = run->batch->onlyFunctions;
    (void)worker;
    for ( uint32_t unit = begin; unit < end; ++unit )
    {
        if ( run->normals == NULL && !checkUnit( run, unit ) )
        {
            continue;
        }
        const uint32_t first = unit * JO_BATCH_UNIT, count = unitSize( run, unit );
        const joPairChunk3 all = { run->batch, run->pairs + first, count, run->margin };
        uint64_t* words = run->words + (size_t)unit * UNIT_WORDS;
        if ( run->normals != NULL )
        {
            only != NULL
                ? only->depths( &all, words, run->normals + first, run->depths + first )
                : findMixedDepths( run, all.pairs, count, words, run->normals + first, run->depths + first );
        }
        else
        {
            only != NULL ? only->overlap( &all, run->points, words )
                         : overlapMixed( run, all.pairs, count, words );
        }
        uint32_t hits = 0;
        for ( uint32_t i = 0; i < joWordCount( count ); ++i )
        {
            hits += (uint32_t)__builtin_popcountll( words[i] );
        }
        run->counts[unit] = hits;
    }
}

// The second pass: the manifolds of those that touch and have room.
static void collideUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Run* run = context;
    const joBatchFunctions3* only = run->batch->onlyFunctions;
    (void)worker;
    for ( uint32_t unit = begin; unit < end; ++unit )
    {
        const uint64_t offset = run->counts[unit];
        const uint64_t* words = run->words + (size_t)unit * UNIT_WORDS;
        joPair pairs[JO_BATCH_UNIT];
        uint32_t count = 0;
        for ( uint32_t i = 0; i < joWordCount( unitSize( run, unit ) ); ++i )
        {
            for ( uint64_t bits = words[i]; bits != 0 && offset + count < run->capacity; bits &= bits - 1 )
            {
                const uint32_t pair = unit * JO_BATCH_UNIT + 64 * i + (uint32_t)__builtin_ctzll( bits );
                run->hitPairs[offset + count] = pair;
                pairs[count++] = run->pairs[pair];
            }
        }
        const joPairChunk3 all = { run->batch, pairs, count, run->margin };
        if ( count > 0 )
        {
            only != NULL ? only->collide( &all, run->manifolds + offset )
                         : collideMixed( run, pairs, count, run->manifolds + offset );
        }
    }
}

static joResult checkRun( const Run* run, const joPair* pairs, uint64_t pairCount )
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
    return joReserveBatchPairs( run->batch, (uint32_t)pairCount );
}

// *hitCount and, if there are, manifolds; or what is wrong with the first bad pair.
static joResult finishRun( Run* run, uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex )
{
    const uint32_t units = (uint32_t)( ( (uint64_t)run->pairCount + JO_BATCH_UNIT - 1 ) / JO_BATCH_UNIT );
    uint64_t total = 0;
    atomic_init( &run->firstBad, JO_NULL_INDEX );
    if ( run->normals != NULL )
    {
        joParallelFor( run->batch->jobs, units, 1, checkUnits, run );
    }
    if ( atomic_load( &run->firstBad ) == JO_NULL_INDEX )
    {
        joParallelFor( run->batch->jobs, units, 1, testUnits, run );
    }
    *errorIndex = atomic_load( &run->firstBad );
    if ( *errorIndex != JO_NULL_INDEX )
    {
        return checkPair( run->batch, run->pairs[*errorIndex] );
    }
    for ( uint32_t unit = 0; unit < units; ++unit )
    {
        const uint32_t hits = run->counts[unit];
        run->counts[unit] = (uint32_t)total;
        total += hits;
    }
    if ( run->capacity > 0 )
    {
        joParallelFor( run->batch->jobs, units, 1, collideUnits, run );
    }
    if ( hitBits != NULL && run->pairCount > 0 )
    {
        memcpy( hitBits, run->words, ( (size_t)run->pairCount + 63 ) / 64 * sizeof( uint64_t ) );
    }
    *hitCount = total;
    return jo_success;
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
    result = result ? result : checkRun( run, pairs, pairCount );
    if ( result == jo_success )
    {
        run->pairs = pairs;
        run->pairCount = (uint32_t)pairCount;
        run->words = run->batch->words.data;
        run->counts = run->batch->counts.data;
        result = finishRun( run, hitBits, hitCount, &bad );
    }
    joFloatEnv_Leave( env );
    return joReportAt( result, bad, errorIndex );
}

joResult joCollideBatch_Overlap3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex )
{
    Run run = { .batch = batch };
    const bool hasPlaces = hitBits != NULL || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_FindDepths3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint64_t* hitBits, joVec3* normals, float* depths, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch, .margin = margin, .points = true, .normals = normals, .depths = depths };
    const bool hasPlaces = ( normals != NULL && depths != NULL ) || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_Collide3( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint32_t* hitPairs, joManifold3* manifolds, uint64_t capacity, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch,
        .margin = margin,
        .points = true,
        .hitPairs = hitPairs,
        .manifolds = manifolds,
        .capacity = capacity };
    const bool hasPlaces = ( hitPairs != NULL && manifolds != NULL ) || capacity == 0;
    return answer( &run, pairs, pairCount, hasPlaces, NULL, hitCount, errorIndex );
}
