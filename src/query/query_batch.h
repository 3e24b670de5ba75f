// SPDX-License-Identifier: MIT
// Batches of queries, inside.
//
// query_batch.c is the calls; query_columns.c reads and checks what the caller gave; query_order.c says in
// which order queries are taken; query_stream.c takes rays together; query_lists.c answers queries with lists
// of results, and query_store.c keeps the lists. The order is of speed alone: each answer has a place of its
// own.
#pragma once

#include "base/array.h"
#include "base/column.h"
#include "base/float_env.h"
#include "base/radix_sort.h"
#include "jostle/query_batch.h"
#include "query.h"

#include <stdatomic.h>

// The numbers of the shape with most of them, a swept box.
#define JO_MAX_QUERY_NUMBERS 10

// Queries of a call, whatever their shape. Absent columns have become constant ones, but the ignored key.
typedef struct joQueryColumns
{
    joQueryShape shape;
    uint32_t axisCount;
    uint32_t count;
    uint32_t numberCount;
    // float: lower x y z, upper x y z; center x y z, radius; point x y z, greatest distance; or as in joRay
    // or joSweptBox.
    joColumn numbers[JO_MAX_QUERY_NUMBERS];
    joColumn wanted; // points: k
    joColumn layer, mask, ignoredKey;
} joQueryColumns;

// query_columns.c: jo_errorNullArgument if the queries or the broad phase are null, or a column that is
// needed is absent; jo_errorBadCount.
joResult joMakeBoxColumns( joQueryColumns* columns, const joBoxes* boxes, const joBroadPhase* front );
joResult joMakeCircleColumns( joQueryColumns* columns, const joCircles* circles, const joBroadPhase* front );
joResult joMakeRayColumns( joQueryColumns* columns, const joRays* rays, const joBroadPhase* front );
joResult joMakeSweptBoxColumns(
    joQueryColumns* columns, const joSweptBoxes* boxes, const joBroadPhase* front );
joResult joMakePointColumns(
    joQueryColumns* columns, const joQueryPoints* points, const joBroadPhase* front );
// Checks all numbers. The first bad query, over all workers, is *errorIndex.
joResult joCheckColumns( const joQueryColumns* columns, joJobs* jobs, uint32_t* errorIndex );
// Sets a query to number i. It was begun with the columns' shape; the columns were found good.
void joQuery_SetFrom( joQuery* query, const joQueryColumns* columns, uint32_t i );

static inline float joReadNumber( const joQueryColumns* columns, uint32_t number, uint32_t i )
{
    return *(const float*)joColumn_At( columns->numbers[number], i );
}

// One query's numbers, as its shape names them.
typedef union joQueryNumbers
{
    float all[JO_MAX_QUERY_NUMBERS];
    joRay ray;
    joSweptBox swept;
    struct
    {
        float lower[3];
        float upper[3];
    } box;
    struct
    {
        float center[3];
        float radius; // of a point: the greatest distance
    } circle;
} joQueryNumbers;

static inline void joReadNumbers( const joQueryColumns* columns, uint32_t i, joQueryNumbers* numbers )
{
    for ( uint32_t k = 0; k < columns->numberCount; ++k )
    {
        numbers->all[k] = joReadNumber( columns, k, i );
    }
}

static inline uint64_t joReadBits( joColumn column, uint32_t i )
{
    return *(const uint64_t*)joColumn_At( column, i );
}

static inline uint32_t joReadWanted( const joQueryColumns* columns, uint32_t i )
{
    return *(const uint32_t*)joColumn_At( columns->wanted, i );
}

// What a worker has for itself; lines of its own.
typedef struct joBatchWorker
{
    _Alignas( JO_ALIGNMENT ) joArray results; // lists not in the store yet, 8 bytes a result
    uint64_t used;
    uint64_t largest; // results of the query that had most
} joBatchWorker;

// Slabs of 8 bytes a result: the first of JO_FIRST_SLAB, each further one as large as those before it
// together, so that a place says which slab it is in and nothing moves when the store grows.
#define JO_FIRST_SLAB 8192u
#define JO_MAX_SLABS 48u

typedef enum joKeptResults
{
    jo_keptNone,
    jo_keptKeys,
    jo_keptHits
} joKeptResults;

struct joQueryBatch
{
    joMemory memory;
    joJobs* jobs;
    joBatchWorker* workers;
    uint32_t workerCount;

    joArray streams;   // joCastStream, by worker
    joArray order;     // uint32_t: which query is taken n-th
    joArray sortItems; // joKeyValue: scratch of the sort, by worker

    // The store: lists lie in any order, each in one piece of places.
    _Atomic( void* ) slabs[JO_MAX_SLABS];
    atomic_uint_fast64_t used; // places given out
    pthread_mutex_t slabMutex;
    atomic_bool failed; // a worker found no memory

    // The last results.
    joKeptResults kept;
    uint32_t queryCount;
    joArray places;  // uint64_t by query: where its list lies in the store
    joArray offsets; // uint64_t by query, and one more
    joArray view;    // all results in one piece, 8 bytes a result, if isViewed
    bool isViewed;
};

// A batch under way.
typedef struct joBatchRun
{
    joQueryBatch* batch;
    const joBroadPhase* front;
    const joQueryColumns* columns;
    const uint32_t* order; // null: as they are
    joHit* hits;           // closest: by query
    bool* areHits;         // any: by query
} joBatchRun;

// The query that is taken n-th.
static inline uint32_t joQueryAt( const joBatchRun* run, uint32_t n )
{
    return run->order != NULL ? run->order[n] : n;
}

// Queries that are put in order together. Small enough for their sort to stay near the processor; the larger,
// the nearer are neighbours in it.
#define JO_ORDER_SEGMENT 262144u

// query_order.c: sets run->order. `byWay`: rays that point the same way on each axis together.
joResult joOrderQueries( joBatchRun* run, bool byWay );
// Room for ordering so many queries.
joResult joReserveOrder( joQueryBatch* batch, uint32_t count );

// query_stream.c: rays and swept boxes, closest or any, many at a time, where the structure can, and where
// they are dense enough among the objects for that to pay.
bool joCanStream( const joBatchRun* run );
// Whether it can, or could with another structure, which jo_auto may take at any time.
bool joMayStream( const joBatchRun* run );
// Room for the streams of all workers.
joResult joReserveStreams( joQueryBatch* batch );
void joFreeStreams( joQueryBatch* batch );
// A joParallelForFcn over the order, of a joBatchRun.
void joStreamBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context );

// query_lists.c: answers all queries; their lists are in the store, batch->kept of the right sort before, and
// the offsets are set. On failure no results are kept.
joResult joListResults( joBatchRun* run );
joResult joReserveLists( joQueryBatch* batch, uint32_t queryCount );
// Makes what the workers have as large as the largest list that was met by any, so that none need grow again,
// whichever lists it will meet.
joResult joReserveWorkers( joQueryBatch* batch, uint64_t largest );
// Queries that a worker takes at a time.
uint32_t joBlockSize( const joQueryBatch* batch, uint32_t count );

// query_store.c
joResult joReserveStore( joQueryBatch* batch, uint64_t resultCount );
// Results that the store has room for.
uint64_t joStoreCapacity( const joQueryBatch* batch );
void joFreeStore( joQueryBatch* batch );
// Copies `count` results of joResultSize into new places; the first of them is *place. False: no memory.
bool joStoreResults( joQueryBatch* batch, const void* results, uint64_t count, uint64_t* place );
// Copies results [first, first + count) in the order of queries, which must exist.
void joGatherResults( const joQueryBatch* batch, uint64_t first, uint64_t count, void* to );

static inline size_t joResultSize( const joQueryBatch* batch )
{
    return batch->kept == jo_keptKeys ? sizeof( uint32_t ) : sizeof( joHit );
}

static inline uint64_t joResultCount( const joQueryBatch* batch )
{
    return batch->kept == jo_keptNone ? 0 : ( (const uint64_t*)batch->offsets.data )[batch->queryCount];
}
