// SPDX-License-Identifier: MIT
// What the tests of query batches share; see batch_rig.h.
#include "batch_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const rigVerbText[rig_verbCount] = { "OverlapBoxes", "OverlapCircles", "CastRaysClosest",
    "CastRaysAny", "CastRaysAll", "CastBoxesClosest", "CastBoxesAny", "CastBoxesAll", "FindNearest" };

bool rigIsList( rigVerb verb )
{
    return verb == rig_overlapBoxes || verb == rig_overlapCircles || verb == rig_raysAll ||
           verb == rig_boxesAll || verb == rig_nearest;
}

size_t rigResultSize( rigVerb verb )
{
    return verb == rig_overlapBoxes || verb == rig_overlapCircles ? sizeof( uint32_t )
           : verb == rig_raysAny || verb == rig_boxesAny          ? sizeof( bool )
                                                                  : sizeof( joHit );
}

// Most start near an object, some far from all.
void rigDrawRows( refRandom* random, const refObject* objects, uint32_t objectCount, rigRow* rows,
    uint32_t count, int dimension )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        rigRow* row = rows + i;
        *row =
            ( rigRow ){ .layer = UINT64_MAX, .mask = UINT64_MAX, .ignoredKey = (uint32_t)refNext( random ) };
        const refObject* near = objectCount > 0 ? objects + refBelow( random, objectCount ) : NULL;
        for ( int axis = 0; axis < dimension; ++axis )
        {
            double center = near == NULL  ? 0.0
                            : near->round ? near->center[axis]
                                          : 0.5 * ( near->lower[axis] + near->upper[axis] );
            center = isfinite( center ) ? center : 0.0;
            row->lower[axis] = (float)( center + refRange( random, -3.0, 3.0 ) );
            row->upper[axis] = row->lower[axis] + (float)refRange( random, 0.0, 2.0 );
            row->direction[axis] = refChance( random, 0.2 ) ? 0.0f : (float)refRange( random, -4.0, 4.0 );
        }
        row->direction[refBelow( random, (uint32_t)dimension )] = refChance( random, 0.5 ) ? 1.0f : -0.25f;
        row->length = refChance( random, 0.1 )   ? 0.0f
                      : refChance( random, 0.1 ) ? 100.0f
                                                 : (float)refRange( random, 0.0, 6.0 );
        row->k = refBelow( random, 8 );
        row->k = refChance( random, 0.05 ) ? UINT32_MAX : row->k;
        if ( near != NULL && refChance( random, 0.5 ) )
        {
            row->ignoredKey = near->key;
        }
        if ( refChance( random, 0.3 ) )
        {
            row->layer = refNext( random ) & 7;
            row->mask = refNext( random ) & 7;
        }
    }
}

// Columns of the member that lies at `first` in the first row.
static joColumn columnOf( const void* first )
{
    return ( joColumn ){ first, sizeof( rigRow ) };
}

static joColumn zColumnOf( const rigQuestions* questions, const float* first )
{
    const bool isAbsent = questions->dimension == 2 && ( questions->style & rig_absentZ ) != 0;
    return isAbsent ? ( joColumn ){ NULL, 0 } : columnOf( first );
}

static joColumn lengthColumnOf( const rigQuestions* questions )
{
    const bool mayBeAbsent = questions->verb != rig_overlapBoxes && questions->verb != rig_overlapCircles;
    if ( mayBeAbsent && ( questions->style & rig_noLength ) != 0 )
    {
        return ( joColumn ){ NULL, 0 };
    }
    return ( joColumn ){
        &questions->rows->length, ( questions->style & rig_oneLength ) != 0 ? 0 : sizeof( rigRow ) };
}

joResult rigAsk( joQueryBatch* batch, const joBroadPhase* broadPhase, const rigQuestions* questions,
    uint64_t* offsets, void* results, uint64_t capacity, uint64_t* resultCount, uint32_t* errorIndex )
{
    const rigQuestions* q = questions;
    const rigRow* row = q->rows;
    const bool hasFilters = ( q->style & rig_noFilters ) == 0;
    const bool hasIgnored = ( q->style & rig_noIgnored ) == 0;
    const joColumn layer = columnOf( hasFilters ? &row->layer : NULL );
    const joColumn mask = columnOf( hasFilters ? &row->mask : NULL );
    const joColumn ignored = columnOf( hasIgnored ? &row->ignoredKey : NULL );
    const joColumn lower[3] = {
        columnOf( &row->lower[0] ), columnOf( &row->lower[1] ), zColumnOf( q, &row->lower[2] ) };
    const joColumn upper[3] = {
        columnOf( &row->upper[0] ), columnOf( &row->upper[1] ), zColumnOf( q, &row->upper[2] ) };
    const joColumn direction[3] = {
        columnOf( &row->direction[0] ), columnOf( &row->direction[1] ), zColumnOf( q, &row->direction[2] ) };
    const joColumn length = lengthColumnOf( q );
    const joBoxes boxes = {
        lower[0], lower[1], lower[2], upper[0], upper[1], upper[2], ignored, layer, mask, q->count };
    const joCircles circles = { lower[0], lower[1], lower[2], length, ignored, layer, mask, q->count };
    const joRays rays = { lower[0], lower[1], lower[2], direction[0], direction[1], direction[2], length,
        layer, mask, ignored, q->count };
    const joSweptBoxes swept = { lower[0], lower[1], lower[2], upper[0], upper[1], upper[2], direction[0],
        direction[1], direction[2], length, layer, mask, ignored, q->count };
    const joQueryPoints points = {
        lower[0], lower[1], lower[2], columnOf( &row->k ), length, layer, mask, ignored, q->count };
    switch ( q->verb )
    {
        case rig_overlapBoxes:
            return joQueryBatch_OverlapBoxes(
                batch, broadPhase, &boxes, offsets, results, capacity, resultCount, errorIndex );
        case rig_overlapCircles:
            return joQueryBatch_OverlapCircles(
                batch, broadPhase, &circles, offsets, results, capacity, resultCount, errorIndex );
        case rig_raysClosest:
            return joQueryBatch_CastRaysClosest( batch, broadPhase, &rays, results, errorIndex );
        case rig_raysAny:
            return joQueryBatch_CastRaysAny( batch, broadPhase, &rays, results, errorIndex );
        case rig_raysAll:
            return joQueryBatch_CastRaysAll(
                batch, broadPhase, &rays, offsets, results, capacity, resultCount, errorIndex );
        case rig_boxesClosest:
            return joQueryBatch_CastBoxesClosest( batch, broadPhase, &swept, results, errorIndex );
        case rig_boxesAny:
            return joQueryBatch_CastBoxesAny( batch, broadPhase, &swept, results, errorIndex );
        case rig_boxesAll:
            return joQueryBatch_CastBoxesAll(
                batch, broadPhase, &swept, offsets, results, capacity, resultCount, errorIndex );
        default:
            return joQueryBatch_FindNearest(
                batch, broadPhase, &points, offsets, results, capacity, resultCount, errorIndex );
    }
}

static joResult askOne( const joBroadPhase* broadPhase, const rigQuestions* questions, uint32_t i,
    void* results, uint64_t capacity, uint64_t* count )
{
    const rigRow* row = questions->rows + i;
    joQueryFilter filter = joDefaultQueryFilter();
    if ( ( questions->style & rig_noFilters ) == 0 )
    {
        filter.layer = row->layer;
        filter.mask = row->mask;
    }
    if ( ( questions->style & rig_noIgnored ) == 0 )
    {
        filter.ignoredKeys = &row->ignoredKey;
        filter.ignoredCount = 1;
    }
    const joColumn lengths = lengthColumnOf( questions );
    const float length = lengths.data == NULL
                             ? INFINITY
                             : *(const float*)(const void*)( (const char*)lengths.data + i * lengths.stride );
    joRay ray = { .length = length };
    joSweptBox box = { .length = length };
    memcpy( ray.origin, row->lower, sizeof( ray.origin ) );
    memcpy( ray.direction, row->direction, sizeof( ray.direction ) );
    memcpy( box.lower, row->lower, sizeof( box.lower ) );
    memcpy( box.upper, row->upper, sizeof( box.upper ) );
    memcpy( box.direction, row->direction, sizeof( box.direction ) );
    *count = 1;
    switch ( questions->verb )
    {
        case rig_overlapBoxes:
            return joBroadPhase_OverlapBox(
                broadPhase, row->lower, row->upper, &filter, results, capacity, count );
        case rig_overlapCircles:
            return joBroadPhase_OverlapCircle(
                broadPhase, row->lower, length, &filter, results, capacity, count );
        case rig_raysClosest:
            return joBroadPhase_CastRayClosest( broadPhase, &ray, &filter, results );
        case rig_raysAny:
            return joBroadPhase_CastRayAny( broadPhase, &ray, &filter, results );
        case rig_raysAll:
            return joBroadPhase_CastRayAll( broadPhase, &ray, &filter, results, capacity, count );
        case rig_boxesClosest:
            return joBroadPhase_CastBoxClosest( broadPhase, &box, &filter, results );
        case rig_boxesAny:
            return joBroadPhase_CastBoxAny( broadPhase, &box, &filter, results );
        case rig_boxesAll:
            return joBroadPhase_CastBoxAll( broadPhase, &box, &filter, results, capacity, count );
        default:
            return joBroadPhase_FindNearest(
                broadPhase, row->lower, row->k, length, &filter, results, capacity, count );
    }
}

rigAnswers rigAskOneByOne( const joBroadPhase* broadPhase, const rigQuestions* questions )
{
    rigAnswers answers = { .size = rigResultSize( questions->verb ) };
    uint64_t capacity = 1024;
    answers.offsets = malloc( ( (size_t)questions->count + 1 ) * sizeof( uint64_t ) );
    answers.results = malloc( capacity * answers.size );
    for ( uint32_t i = 0; i < questions->count; ++i )
    {
        answers.offsets[i] = answers.count;
        for ( ;; )
        {
            uint64_t count = 0;
            const uint64_t room = capacity - answers.count;
            kitRequire( askOne( broadPhase, questions, i,
                            (char*)answers.results + answers.count * answers.size, room, &count ),
                rigVerbText[questions->verb] );
            // One more than needed: a verb without a list must find room, too.
            if ( count < room )
            {
                answers.count += count;
                break;
            }
            capacity = 2 * ( capacity + count );
            answers.results = realloc( answers.results, capacity * answers.size );
            assert_non_null( answers.results );
        }
    }
    answers.offsets[questions->count] = answers.count;
    return answers;
}

void rigFreeAnswers( rigAnswers* answers )
{
    free( answers->offsets );
    free( answers->results );
    *answers = ( rigAnswers ){ 0 };
}

void rigCompare( joQueryBatch* batch, const joBroadPhase* broadPhase, const rigQuestions* questions,
    const rigAnswers* expected, const char* what )
{
    const char* verb = rigVerbText[questions->verb];
    // Blocks of exactly the size, so that a sanitizer sees a write beyond.
    uint64_t* offsets = malloc( ( (size_t)questions->count + 1 ) * sizeof( uint64_t ) );
    char* results = malloc( expected->count * expected->size + 1 );
    uint64_t count = 0;
    uint32_t errorIndex = 0;
    memset( results, 0x5A, expected->count * expected->size + 1 );
    kitRequire(
        rigAsk( batch, broadPhase, questions, offsets, results, expected->count, &count, &errorIndex ),
        verb );
    assert_int_equal( errorIndex, JO_NULL_INDEX );
    assert_int_equal( results[expected->count * expected->size], 0x5A );
    for ( uint32_t i = 0; i < questions->count; ++i )
    {
        const uint64_t first = expected->offsets[i];
        const uint64_t last = expected->offsets[i + 1];
        if ( rigIsList( questions->verb ) && ( offsets[i] != first || offsets[i + 1] != last ) )
            fail_msg( "%s, %s of %u: query %u has results %llu to %llu, expected %llu to %llu", what, verb,
                questions->count, i, (unsigned long long)offsets[i], (unsigned long long)offsets[i + 1],
                (unsigned long long)first, (unsigned long long)last );
        if ( memcmp( results + first * expected->size, (char*)expected->results + first * expected->size,
                 ( last - first ) * expected->size ) != 0 )
            fail_msg( "%s, %s of %u: the results of query %u differ", what, verb, questions->count, i );
    }
    if ( rigIsList( questions->verb ) )
    {
        assert_int_equal( count, expected->count );
        assert_int_equal( offsets[questions->count], expected->count );
    }
    free( offsets );
    free( results );
}

joQueryBatch* rigCreateBatch( joJobs* jobs )
{
    joQueryBatchDef def = joDefaultQueryBatchDef();
    def.jobs = jobs;
    def.allocator = kitAllocator( &kitDefaultHeap );
    joQueryBatch* batch = NULL;
    kitRequire( joCreateQueryBatch( &def, &batch ), "joCreateQueryBatch" );
    return batch;
}
