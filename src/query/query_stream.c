// SPDX-License-Identifier: MIT
// Rays, or boxes that are swept, taken many at a time: structures test the lanes of all of them together, and
// only what may be met is made a query, to be tested exactly.
//
// What a structure finds waits for a moment: the record of an object is most often not in the cache, and
// while it is fetched the search goes on. So a ray may look a little farther than it need; its answer is the
// same.
#include "base/float_env.h"
#include "query_batch.h"

#include <math.h>

// Fewer rays than one for so many objects hardly ever come to the same node.
#define OBJECTS_PER_RAY 32u

// Candidates that wait.
#define WAITING 16u

// Queries between that whose numbers are read and that whose numbers are asked for.
#define AHEAD 12u

typedef struct Candidate
{
    uint32_t ray;
    uint32_t slot;
} Candidate;

// A worker's.
typedef struct joCastStream
{
    _Alignas( JO_ALIGNMENT ) joRayStream stream; // first: a stream is cast to this
    const joBatchRun* run;
    joQuery query;  // of the candidate that is tested
    uint32_t asked; // the ray that the query was last set to
    uint32_t way;   // of the rays in the stream: a bit for each axis on which they go backward
    Candidate waiting[WAITING];
    uint32_t waitingCount;
    uint32_t numbers[JO_STREAM_RAYS]; // which query each ray is
    _Alignas( JO_ALIGNMENT ) joStreamRay rays[JO_STREAM_RAYS];
    uint32_t scratch[JO_STREAM_SCRATCH];
} joCastStream;

bool joMayStream( const joBatchRun* run )
{
    const joBroadPhase* front = run->front;
    uint64_t objectCount = 0;
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        objectCount += front->sets[set].liveCount;
    }
    const bool canEver = front->kind->queryStream != NULL || front->chooser.isOpen;
    return canEver && ( run->hits != NULL || run->areHits != NULL ) &&
           (uint64_t)run->columns->count * OBJECTS_PER_RAY >= objectCount;
}

bool joCanStream( const joBatchRun* run )
{
    return joMayStream( run ) && run->front->kind->queryStream != NULL;
}

joResult joReserveStreams( joQueryBatch* batch )
{
    return joArray_Reserve( &batch->streams, &batch->memory, batch->workerCount, sizeof( joCastStream ), 0 );
}

void joFreeStreams( joQueryBatch* batch )
{
    joArray_Free( &batch->streams, &batch->memory, sizeof( joCastStream ) );
}

// Makes the ray a query again, as far as it has come.
static void askAgain( joCastStream* cast, uint32_t ray )
{
    const joBatchRun* run = cast->run;
    const uint32_t i = cast->numbers[ray];
    joQuery_SetFrom( &cast->query, run->columns, i );
    cast->query.probe.limit = cast->stream.lanes.rays[ray].limit;
    cast->query.results.mode = run->hits != NULL ? jo_keepClosest : jo_keepNone;
    cast->query.results.hits = run->hits != NULL ? &run->hits[i] : NULL;
    cast->asked = ray;
}

static void testWaiting( joCastStream* cast )
{
    joStreamRay* rays = cast->stream.lanes.rays;
    for ( uint32_t n = 0; n < cast->waitingCount; ++n )
    {
        const Candidate candidate = cast->waiting[n];
        if ( !( rays[candidate.ray].limit >= 0.0f ) )
        {
            continue;
        }
        if ( candidate.ray != cast->asked )
        {
            askAgain( cast, candidate.ray );
        }
        joQuery_Take( &cast->query, &candidate.slot, 1 );
        rays[candidate.ray].limit = cast->query.probe.done ? -1.0f : cast->query.probe.limit;
        if ( cast->query.probe.done )
        {
            cast->run->areHits[cast->numbers[candidate.ray]] = true;
        }
    }
    cast->waitingCount = 0;
}

static void takeCandidates( joRayStream* stream, uint32_t ray, const uint32_t* slots, uint32_t count )
{
    joCastStream* cast = (joCastStream*)(void*)stream;
    const joBoxRecord* records = joObjectSet_Records( cast->query.set );
    for ( uint32_t k = 0; k < count; ++k )
    {
        if ( cast->waitingCount == WAITING )
        {
            testWaiting( cast );
        }
        const uint32_t slot = slots[k] & JO_INDEX_MASK;
        __builtin_prefetch( records + slot );
        cast->waiting[cast->waitingCount++] = ( Candidate ){ ray, slot };
    }
}

// Sixteen boxes at most, of the set's slots that its structure does not speak for.
static void testLeaf( joCastStream* cast, joBvhLeaf* leaf )
{
    joRayStream* stream = &cast->stream;
    uint32_t* list = stream->scratch;
    uint32_t* masks = list + JO_STREAM_RAYS + JO_LANE_PADDING;
    for ( uint32_t ray = 0; ray < stream->count; ++ray )
    {
        list[ray] = ray;
    }
    stream->kernels->meetLeaf[stream->axisCount - 2]( leaf, &stream->lanes, list, stream->count, masks );
    for ( uint32_t ray = 0; ray < stream->count; ++ray )
    {
        for ( uint32_t k = 0; k < leaf->count; ++k )
        {
            if ( masks[ray] >> k & 1 )
            {
                takeCandidates( stream, ray, &leaf->index[k], 1 );
            }
        }
    }
    leaf->count = 0;
}

static void testPending( joCastStream* cast )
{
    const joObjectSet* set = cast->query.set;
    const uint32_t* changed = set->allChanged ? NULL : set->changed.data;
    const uint32_t count = set->allChanged ? set->count : set->changedCount;
    joBvhLeaf leaf = { .count = 0 };
    for ( uint32_t n = 0; n < count; ++n )
    {
        const uint32_t slot = changed != NULL ? changed[n] : n;
        const joBoxRecord* record = joObjectSet_Records( set ) + slot;
        if ( ( record->flags & JO_FLAG_FREE ) != 0 )
        {
            continue;
        }
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            leaf.lower[axis][leaf.count] = record->lower[axis];
            leaf.upper[axis][leaf.count] = record->upper[axis];
        }
        leaf.index[leaf.count++] = slot;
        if ( leaf.count == JO_BVH_LEAF_SIZE )
        {
            testLeaf( cast, &leaf );
        }
    }
    if ( leaf.count > 0 )
    {
        testLeaf( cast, &leaf );
    }
}

static void runStream( joCastStream* cast )
{
    const joBroadPhase* front = cast->run->front;
    cast->asked = JO_NULL_INDEX;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        cast->stream.lanes.isBackward[axis] = ( cast->way >> axis & 1 ) != 0;
    }
    for ( int i = 0; i < JO_SET_COUNT && cast->stream.count > 0; ++i )
    {
        const joObjectSet* set = &front->sets[i];
        if ( set->liveCount == 0 )
        {
            continue;
        }
        cast->query.set = set;
        cast->query.isPending = true;
        testPending( cast );
        testWaiting( cast );
        cast->query.isPending = false;
        if ( !set->allChanged )
        {
            front->kind->queryStream( front->structures[i], &cast->stream );
            testWaiting( cast );
        }
    }
    cast->stream.count = 0;
}

// Puts a query into the stream; where that is full, or goes another way, it is run first.
static void addRay( joCastStream* cast, uint32_t i )
{
    joRayStream* stream = &cast->stream;
    const joQueryColumns* columns = cast->run->columns;
    if ( stream->count == JO_STREAM_RAYS )
    {
        runStream( cast );
    }
    joQueryNumbers numbers;
    joReadNumbers( columns, i, &numbers );
    joStreamRay* ray = &stream->lanes.rays[stream->count];
    const uint32_t way = columns->shape == jo_queryRay
                             ? joMakeStreamRay( ray, numbers.ray.origin, numbers.ray.origin,
                                   numbers.ray.direction, numbers.ray.length, columns->axisCount )
                             : joMakeStreamRay( ray, numbers.swept.lower, numbers.swept.upper,
                                   numbers.swept.direction, numbers.swept.length, columns->axisCount );
    if ( way != cast->way )
    {
        const joStreamRay first = *ray;
        runStream( cast );
        stream->lanes.rays[0] = first;
        cast->way = way;
    }
    cast->numbers[stream->count++] = i;
}

static void prefetchQuery( const joQueryColumns* columns, uint32_t i )
{
    for ( uint32_t k = 0; k < columns->numberCount; ++k )
    {
        __builtin_prefetch( (const char*)columns->numbers[k].data + (size_t)i * columns->numbers[k].stride );
    }
}

void joStreamBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joBatchRun* run = context;
    joCastStream* cast = (joCastStream*)run->batch->streams.data + worker;
    cast->run = run;
    cast->waitingCount = 0;
    cast->stream.lanes.rays = cast->rays;
    cast->stream.count = 0;
    cast->stream.axisCount = run->columns->axisCount;
    cast->stream.kernels = run->front->context.kernels;
    cast->stream.take = takeCandidates;
    cast->stream.scratch = cast->scratch;
    cast->way = 0;
    joQuery_Begin( &cast->query, run->front, run->columns->shape );
    for ( uint32_t n = begin; n < end; ++n )
    {
        const uint32_t i = joQueryAt( run, n );
        if ( end - n > AHEAD )
        {
            prefetchQuery( run->columns, joQueryAt( run, n + AHEAD ) );
        }
        if ( run->hits != NULL )
        {
            run->hits[i] = ( joHit ){ JO_NULL_INDEX, INFINITY };
        }
        else
        {
            run->areHits[i] = false;
        }
        // Sets without filters are not asked for them: their objects are in all layers and meet all.
        if ( joReadBits( run->columns->layer, i ) != 0 && joReadBits( run->columns->mask, i ) != 0 )
        {
            addRay( cast, i );
        }
    }
    runStream( cast );
}
