// SPDX-License-Identifier: MIT
// Pairs between two broad phases: create, destroy, find. How it works stands in two_sets.h.
#include "two_sets.h"
#include "base/assert.h"
#include "base/float_env.h"
#include "grid.h"
#include "kinds.h"
#include "pair_answer.h"
#include "two_sets.h"

#include <string.h>

#define TWO_SETS_COOKIE 0x74776F73u

// Room made at create in any case.
#define FIRST_PAIRS 1024u
// Up to so many pairs of boxes are tried one by one.
#define TRY_ALL_LIMIT 32768u
// The cell filter is worth its making if the larger side is so many times larger.
#define FILTER_RATIO 4u
// Costs, in nanoseconds or so, for the choice between the two ways: scanning an object, one by one or in a
// row, and, for each object of the smaller side, marking its cells and joining it with what is near. On three
// axes both ways cost nearly twice as much.
#define SCAN_COST 2.2
#define SCAN_ONE_COST 12.0
#define JOIN_COST 200.0

joTwoSetsDef joDefaultTwoSetsDef( void )
{
    return ( joTwoSetsDef ){ .dimension = 3,
        .pairLimit = UINT64_C( 1 ) << 27,
        .sortPairs = true,
        .internalCookie = TWO_SETS_COOKIE };
}

static joResult reserveAll( joTwoSets* twoSets )
{
    const joTwoSetsDef* def = &twoSets->def;
    const uint32_t counts[JO_GATHERED_COUNT] = { def->smallReserve, def->largeReserve };
    joMemory* memory = &twoSets->memory;
    joResult result = joTwoSets_ReserveGather( twoSets );
    for ( int side = 0; side < JO_GATHERED_COUNT && result == jo_success; ++side )
    {
        result = joObjectSet_Reserve(
            &twoSets->gathered[side], counts[side], def->fixedCapacity, def->fixedCapacity );
        if ( result == jo_success && counts[side] > 0 )
        {
            const uint32_t tried = counts[side] < TRY_ALL_LIMIT ? counts[side] : TRY_ALL_LIMIT;
            result =
                joColumnStore_Reserve( &twoSets->columns[side], memory, twoSets->context.axisCount, tried );
        }
    }
    if ( result == jo_success && counts[0] + counts[1] > 0 )
    {
        result = joGrid_ReserveAcross( twoSets->grids[JO_GATHERED_SMALL], counts[JO_GATHERED_SMALL],
            twoSets->grids[JO_GATHERED_LARGE], counts[JO_GATHERED_LARGE] );
    }
    if ( result == jo_success && def->smallReserve > 0 )
    {
        result = joCellFilter_Reserve( &twoSets->filter, memory, def->smallReserve );
    }
    if ( result == jo_success )
    {
        const bool isFew = def->pairReserve < FIRST_PAIRS && !def->fixedCapacity;
        result =
            joPairCollector_Reserve( &twoSets->collector, isFew ? FIRST_PAIRS : def->pairReserve, false );
    }
    return result;
}

static joResult initTwoSets( joTwoSets* twoSets )
{
    const joTwoSetsDef* def = &twoSets->def;
    joMemory* memory = &twoSets->memory;
    twoSets->gridDef = joDefaultBroadPhaseDef();
    twoSets->gridDef.dimension = def->dimension;
    twoSets->gridDef.fixedCapacity = def->fixedCapacity;
    twoSets->context = ( joStructureContext ){
        .memory = memory,
        .jobs = def->jobs,
        .workerCount = joJobs_GetWorkerCount( def->jobs ),
        .kernels = joGetKernels( NULL ),
        .axisCount = (uint32_t)def->dimension,
        .def = &twoSets->gridDef,
    };
    joCellFilter_Init( &twoSets->filter, twoSets->context.kernels, twoSets->context.axisCount );
    for ( int side = 0; side < JO_GATHERED_COUNT; ++side )
    {
        joObjectSet_Init( &twoSets->gathered[side], memory );
        twoSets->grids[side] = joMemory_Allocate( memory, joGridKind.size );
        if ( twoSets->grids[side] == NULL )
        {
            return joMemory_FailResult( memory );
        }
        memset( twoSets->grids[side], 0, joGridKind.size );
        joGridKind.init( twoSets->grids[side], &twoSets->context );
    }
    joResult result = joPairCollector_Init( &twoSets->collector, memory, &twoSets->context );
    twoSets->collector.sortPairs = def->sortPairs;
    twoSets->collector.pairLimit = def->pairLimit;
    if ( result == jo_success )
    {
        result = reserveAll( twoSets );
    }
    memory->fixed = def->fixedCapacity;
    return result;
}

joResult joCreateTwoSets( const joTwoSetsDef* def, joTwoSets** twoSets )
{
    if ( def == NULL || twoSets == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *twoSets = NULL;
    if ( def->internalCookie != TWO_SETS_COOKIE || ( def->dimension != 2 && def->dimension != 3 ) ||
         def->smallReserve > JO_INDEX_MASK || def->largeReserve > JO_INDEX_MASK || def->pairLimit < 1 ||
         !joAllocator_IsValid( &def->allocator ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joResult result;
    joGetKernels( &result );
    if ( result != jo_success )
    {
        return result;
    }
    joTwoSets* made = joAllocateObject( &def->allocator, sizeof( joTwoSets ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    made->def = *def;
    result = joMemory_Init( &made->memory, &def->allocator );
    if ( result == jo_success )
    {
        result = initTwoSets( made );
    }
    if ( result != jo_success )
    {
        joDestroyTwoSets( made );
        return result;
    }
    *twoSets = made;
    return jo_success;
}

void joDestroyTwoSets( joTwoSets* twoSets )
{
    if ( twoSets == NULL )
    {
        return;
    }
    joMemory* memory = &twoSets->memory;
    for ( int side = 0; side < JO_GATHERED_COUNT; ++side )
    {
        if ( twoSets->grids[side] != NULL )
        {
            joGridKind.destroy( twoSets->grids[side] );
            joMemory_Free( memory, twoSets->grids[side], joGridKind.size );
            joObjectSet_Free( &twoSets->gathered[side] );
            joColumnStore_Free( &twoSets->columns[side], memory );
        }
    }
    joCellFilter_Free( &twoSets->filter, memory );
    joArray_Free( &twoSets->slots, memory, sizeof( uint32_t ) );
    joArray_Free( &twoSets->counts, memory, sizeof( uint32_t ) );
    joPairCollector_Free( &twoSets->collector );
    joAllocator allocator = twoSets->def.allocator;
    joMemory_Destroy( memory );
    joFreeObject( &allocator, twoSets, sizeof( joTwoSets ) );
}

static uint32_t countLive( const joBroadPhase* front )
{
    uint32_t count = 0;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        count += front->sets[i].liveCount;
    }
    return count;
}

static joResult fillColumns( joTwoSets* twoSets, int side )
{
    const joObjectSet* set = &twoSets->gathered[side];
    const uint32_t axisCount = twoSets->context.axisCount;
    joColumnStore* store = &twoSets->columns[side];
    joResult result = joColumnStore_Reserve(
        store, &twoSets->memory, axisCount, joTwoSets_RoomFor( twoSets, set->count, store->capacity ) );
    for ( uint32_t i = 0; i < set->count && result == jo_success; ++i )
    {
        joColumns_Write( &store->columns, i, joObjectSet_Records( set ) + i, i | JO_OWNER_BITS, axisCount );
    }
    return result;
}

// The two gathered sets.
static joResult joinGathered( joTwoSets* twoSets )
{
    const joObjectSet* small = &twoSets->gathered[JO_GATHERED_SMALL];
    const joObjectSet* large = &twoSets->gathered[JO_GATHERED_LARGE];
    joResult result = jo_success;
    if ( (uint64_t)small->count * large->count <= TRY_ALL_LIMIT )
    {
        for ( int side = 0; side < JO_GATHERED_COUNT && result == jo_success; ++side )
        {
            result = fillColumns( twoSets, side );
        }
        if ( result == jo_success )
        {
            joJoin join = { .a = &twoSets->columns[JO_GATHERED_SMALL].columns,
                .b = &twoSets->columns[JO_GATHERED_LARGE].columns,
                .last = small->count,
                .end = large->count };
            joPairSink_Join( joPairCollector_BeginSink( &twoSets->collector, 0, JO_SIDE_GATHERED ),
                twoSets->context.kernels, twoSets->context.axisCount, &join );
        }
        return result;
    }
    const joBoxSet smallView = joObjectSet_View( small );
    const joBoxSet largeView = joObjectSet_View( large );
    return joGrid_FindAcross( twoSets->grids[JO_GATHERED_SMALL], &smallView,
        twoSets->grids[JO_GATHERED_LARGE], &largeView, JO_SIDE_GATHERED, &twoSets->collector );
}

static double joinCost( uint32_t smallCount, uint32_t largeCount )
{
    return JOIN_COST * ( smallCount < largeCount ? smallCount : largeCount );
}

// Whether to look the smaller side up in the structure of a set, rather than to scan the set.
static bool isSearched( const joBroadPhase* front, int setIndex, uint32_t smallCount )
{
    const joObjectSet* set = &front->sets[setIndex];
    const joStructureKind* kind = front->kind;
    if ( set->liveCount == 0 || set->allChanged || kind->query == NULL )
    {
        return false;
    }
    const double searchCost = (double)kind->queryCost( front->structures[setIndex] ) * smallCount +
                              SCAN_ONE_COST * set->changedCount + joinCost( smallCount, set->changedCount );
    return searchCost < SCAN_COST * set->count + joinCost( smallCount, set->count );
}

// Gathers what is to be joined of the larger side; searched[i]: set i is to be searched.
static joResult gatherLarge( joTwoSets* twoSets, const joBroadPhase* front, bool searched[JO_SET_COUNT] )
{
    const joObjectSet* small = &twoSets->gathered[JO_GATHERED_SMALL];
    joObjectSet* large = &twoSets->gathered[JO_GATHERED_LARGE];
    joTwoSetsStats* stats = &twoSets->stats;
    uint32_t scannedCount = 0;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        const joObjectSet* set = &front->sets[i];
        searched[i] = small->count > 0 && isSearched( front, i, small->count );
        scannedCount += searched[i] ? set->changedCount : set->count;
        stats->searchedCount += searched[i] ? set->liveCount : 0;
    }
    joObjectSet_Clear( large );
    if ( small->count == 0 || scannedCount == 0 )
    {
        return jo_success;
    }
    joResult result = joCellFilter_Make( &twoSets->filter, &twoSets->memory, small, front->sets, JO_SET_COUNT,
        scannedCount / FILTER_RATIO >= small->count );
    for ( int i = 0; i < JO_SET_COUNT && result == jo_success; ++i )
    {
        const joObjectSet* set = &front->sets[i];
        const uint32_t* slots = searched[i] ? set->changed.data : NULL;
        result =
            joTwoSets_GatherNear( twoSets, set, slots, searched[i] ? set->changedCount : set->count, large );
    }
    stats->scannedCount = scannedCount;
    stats->nearCount = large->count;
    return result;
}

static joResult find( joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b, bool countOnly )
{
    const bool isASmall = countLive( a ) <= countLive( b );
    const joBroadPhase* largeFront = isASmall ? b : a;
    joObjectSet* small = &twoSets->gathered[JO_GATHERED_SMALL];
    const joObjectSet* large = &twoSets->gathered[JO_GATHERED_LARGE];
    bool searched[JO_SET_COUNT];
    joResult result = joTwoSets_GatherAll( twoSets, isASmall ? a : b, small );
    if ( result == jo_success )
    {
        result = gatherLarge( twoSets, largeFront, searched );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joCollectorSides sides = { .a = small,
        .b = { &largeFront->sets[0], &largeFront->sets[1], &largeFront->sets[2], large },
        .keyOrder = isASmall ? jo_keyOfAFirst : jo_keyOfBFirst };
    joPairCollector_Begin( &twoSets->collector, &sides, countOnly );
    for ( uint32_t i = 0; i < JO_SET_COUNT; ++i )
    {
        if ( searched[i] )
        {
            joTwoSets_Search( twoSets, largeFront, i );
        }
    }
    result = joinGathered( twoSets );
    const joResult endResult = joPairCollector_End( &twoSets->collector );
    return result == jo_success ? endResult : result;
}

static joResult findOrCount(
    joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b, bool countOnly, uint64_t* pairCount )
{
    *pairCount = 0;
    twoSets->holds = false;
    twoSets->stats = ( joTwoSetsStats ){ 0 };
    if ( a->def.dimension != twoSets->def.dimension || b->def.dimension != twoSets->def.dimension )
    {
        return JO_MISUSE( jo_errorWrongDimension );
    }
    joFloatEnv env = joFloatEnv_Enter();
    const joResult result = find( twoSets, a, b, countOnly );
    joFloatEnv_Leave( env );
    if ( result == jo_success )
    {
        twoSets->holds = !countOnly;
        twoSets->stats.pairCount = twoSets->collector.pairCount;
        twoSets->stats.candidatesTested = twoSets->collector.candidatesTested;
        *pairCount = twoSets->collector.pairCount;
    }
    return result;
}

static joPairAnswer viewAnswer( const joTwoSets* twoSets )
{
    const joPairCollector* collector = &twoSets->collector;
    return twoSets->holds
               ? ( joPairAnswer ){ collector->sorted.data, collector->sortedCount, collector->pairCount }
               : ( joPairAnswer ){ NULL, 0, 0 };
}

joResult joTwoSets_FindPairs( joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b, joPair* pairs,
    uint64_t capacity, uint64_t* pairCount )
{
    if ( twoSets == NULL || a == NULL || b == NULL || pairCount == NULL || ( pairs == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joResult result = findOrCount( twoSets, a, b, false, pairCount );
    if ( result != jo_success )
    {
        return result;
    }
    const joPairAnswer answer = viewAnswer( twoSets );
    return joPairAnswer_Give( &answer, twoSets->def.jobs, pairs, capacity );
}

joResult joTwoSets_CountPairs(
    joTwoSets* twoSets, const joBroadPhase* a, const joBroadPhase* b, uint64_t* pairCount )
{
    if ( twoSets == NULL || a == NULL || b == NULL || pairCount == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    return findOrCount( twoSets, a, b, true, pairCount );
}

joResult joTwoSets_GetPairs(
    const joTwoSets* twoSets, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied )
{
    if ( twoSets == NULL || copied == NULL || ( pairs == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joPairAnswer answer = viewAnswer( twoSets );
    return joPairAnswer_Copy( &answer, first, pairs, capacity, copied );
}

const joPair* joTwoSets_ViewPairs( const joTwoSets* twoSets, uint64_t* pairCount )
{
    if ( twoSets == NULL || pairCount == NULL )
    {
        return NULL;
    }
    const joPairAnswer answer = viewAnswer( twoSets );
    *pairCount = answer.keptCount;
    return answer.pairs;
}

joTwoSetsStats joTwoSets_GetStats( const joTwoSets* twoSets )
{
    if ( twoSets == NULL )
    {
        return ( joTwoSetsStats ){ 0 };
    }
    joTwoSetsStats stats = twoSets->stats;
    stats.memoryBytes = twoSets->memory.bytes + sizeof( joTwoSets );
    stats.allocationCount = twoSets->memory.allocationCount + 1;
    return stats;
}
