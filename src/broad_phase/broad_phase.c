// SPDX-License-Identifier: MIT
// Broad phase: create, destroy, find.
#include "base/assert.h"
#include "base/float_env.h"
#include "front.h"
#include "pair_answer.h"

#include <math.h>
#include <string.h>

#define DEF_COOKIE 0x6A6F4250u

joBroadPhaseDef joDefaultBroadPhaseDef( void )
{
    joBroadPhaseDef def;
    memset( &def, 0, sizeof( def ) );
    def.kind = jo_grid;
    def.dimension = 3;
    def.maxDepth = 10;
    def.leafCapacity = 16;
    def.looseness = 1.0f;
    def.pairLimit = UINT64_C( 1 ) << 27;
    def.sortPairs = true;
    def.internalCookie = DEF_COOKIE;
    return def;
}

static joResult checkDef( const joBroadPhaseDef* def )
{
    bool good = def->internalCookie == DEF_COOKIE;
    good = good && ( def->dimension == 2 || def->dimension == 3 );
    good = good && isfinite( def->cellSize ) && def->cellSize >= 0.0f;
    good = good && def->levels <= JO_MAX_GRID_LEVELS;
    good = good && def->maxDepth >= 1 && def->maxDepth <= JO_MAX_TREE_DEPTH;
    good = good && def->leafCapacity >= 1 && def->leafCapacity <= 1024;
    good = good && def->looseness >= 1.0f && def->looseness <= 2.0f;
    good = good && def->objectReserve <= JO_INDEX_MASK;
    good = good && def->pairLimit >= 1;
    for ( int axis = 0; axis < 3; ++axis )
    {
        good = good && isfinite( def->rootBounds[axis] ) && isfinite( def->rootBounds[3 + axis] );
        good = good && def->rootBounds[axis] <= def->rootBounds[3 + axis];
    }
    return good ? jo_success : jo_errorBadDef;
}

static joResult reserveAll( joBroadPhase* front )
{
    const joBroadPhaseDef* def = &front->def;
    uint32_t count = def->objectReserve;
    joResult result = jo_success;
    for ( int set = 0; set < JO_SET_COUNT && result == jo_success && count > 0; ++set )
    {
        if ( set == JO_SET_MOVING || def->fixedCapacity )
        {
            result = joObjectSet_Reserve( &front->sets[set], count, def->fixedCapacity, def->fixedCapacity );
            if ( result == jo_success )
            {
                result = front->kind->reserve( front->structures[set], count );
            }
        }
    }
    if ( result == jo_success && count > 0 && def->fixedCapacity )
    {
        result = joKeyMap_Reserve( &front->keys, &front->memory, count );
        if ( result == jo_success )
        {
            result = joKeyMap_Reserve( &front->touched, &front->memory, count );
        }
    }
    if ( result == jo_success )
    {
        result = joPairCollector_Reserve( &front->collector, def->pairReserve, def->fixedCapacity );
    }
    if ( result == jo_success && def->fixedCapacity )
    {
        result = joArray_Reserve( &front->table, &front->memory, def->pairReserve, sizeof( joPair ), 0 );
        if ( result == jo_success )
        {
            result = joArray_Reserve( &front->pairs, &front->memory, def->pairReserve, sizeof( joPair ), 0 );
        }
    }
    if ( result == jo_success && def->neighbourReserve > 0 )
    {
        result = joNeighbourStore_Reserve( &front->neighbours, &front->memory, count, def->neighbourReserve );
    }
    return result;
}

static joResult initFront( joBroadPhase* front )
{
    front->context = ( joStructureContext ){
        .memory = &front->memory,
        .jobs = front->def.jobs,
        .workerCount = joJobs_GetWorkerCount( front->def.jobs ),
        .kernels = joGetKernels( NULL ),
        .axisCount = (uint32_t)front->def.dimension,
        .def = &front->chosenDef,
    };
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        joObjectSet_Init( &front->sets[set], &front->memory );
    }
    joResult result = joFront_CreateStructures( front );
    if ( result == jo_success )
    {
        result = joPairCollector_Init( &front->collector, &front->memory, &front->context );
    }
    if ( result == jo_success )
    {
        front->collector.sortPairs = front->def.sortPairs;
        front->collector.pairLimit = front->def.pairLimit;
        result = reserveAll( front );
    }
    front->memory.fixed = front->def.fixedCapacity;
    return result;
}

joResult joCreateBroadPhase( const joBroadPhaseDef* def, joBroadPhase** broadPhase )
{
    if ( def == NULL || broadPhase == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *broadPhase = NULL;
    joResult result = checkDef( def );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    if ( joBroadPhaseKindText( def->kind ) == NULL )
    {
        return JO_MISUSE( jo_errorUnknownKind );
    }
    joGetKernels( &result );
    if ( result != jo_success )
    {
        return result;
    }
    if ( ( def->allocator.allocate == NULL ) != ( def->allocator.deallocate == NULL ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joBroadPhase* front = joAllocateObject( &def->allocator, sizeof( joBroadPhase ) );
    if ( front == NULL )
    {
        return jo_errorOutOfMemory;
    }
    front->def = *def;
    result = joMemory_Init( &front->memory, &def->allocator );
    if ( result == jo_success )
    {
        result = initFront( front );
    }
    if ( result != jo_success )
    {
        joDestroyBroadPhase( front );
        return result;
    }
    *broadPhase = front;
    return jo_success;
}

void joDestroyBroadPhase( joBroadPhase* front )
{
    if ( front == NULL )
    {
        return;
    }
    joMemory* memory = &front->memory;
    joFront_DestroyStructures( front );
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        joObjectSet_Free( &front->sets[set] );
    }
    joPairCollector_Free( &front->collector );
    joKeyMap_Free( &front->keys, memory );
    joKeyMap_Free( &front->touched, memory );
    joArray_Free( &front->table, memory, sizeof( joPair ) );
    joArray_Free( &front->pairs, memory, sizeof( joPair ) );
    joNeighbourStore_Free( &front->neighbours, memory );
    joAllocator allocator = front->def.allocator;
    joMemory_Destroy( memory );
    joFreeObject( &allocator, front, sizeof( joBroadPhase ) );
}

static joResult update( joBroadPhase* front )
{
    joResult result = joFront_Settle( front, false );
    if ( result == jo_success )
    {
        joFront_Compact( front );
        joFront_Choose( front );
        result = joFront_UpdateStructures( front );
    }
    return result;
}

joResult joBroadPhase_Update( joBroadPhase* broadPhase )
{
    if ( broadPhase == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = update( broadPhase );
    for ( int i = 0; i < JO_SET_COUNT && broadPhase->kind->prepare != NULL && result == jo_success; ++i )
    {
        result = broadPhase->kind->prepare( broadPhase->structures[i] );
    }
    joFloatEnv_Leave( env );
    return result;
}

static void clearUntabled( joBroadPhase* front )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    for ( uint32_t i = 0; i < moving->count && front->untabledCount > 0; ++i )
    {
        joBoxRecord* record = joObjectSet_Records( moving ) + i;
        if ( ( record->flags & JO_FLAG_UNTABLED ) != 0 )
        {
            record->flags &= ~JO_FLAG_UNTABLED;
            front->untabledCount -= 1;
        }
    }
}

static joResult find( joBroadPhase* front, bool countOnly )
{
    joResult result = update( front );
    if ( result == jo_success )
    {
        result = joFront_PrepareTable( front );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joCollectorSides sides = {
        &front->sets[JO_SET_MOVING], { &front->sets[JO_SET_MOVING] }, false, jo_lowerKeyFirst };
    void* still[2];
    uint32_t stillCount = 0;
    for ( int i = JO_SET_STATIC; i <= JO_SET_RESTING; ++i )
    {
        if ( front->sets[i].liveCount > 0 )
        {
            still[stillCount++] = front->structures[i];
            sides.b[stillCount] = &front->sets[i];
        }
    }
    joPairCollector_Begin( &front->collector, &sides, countOnly );
    result = front->kind->findPairs( front->structures[JO_SET_MOVING], still, stillCount, &front->collector );
    joResult endResult = joPairCollector_End( &front->collector );
    result = result == jo_success ? endResult : result;
    front->candidatesTested += front->collector.candidatesTested;
    if ( result == jo_success )
    {
        result = joFront_ExtendTable( front );
    }
    if ( result == jo_success )
    {
        clearUntabled( front );
        front->pairCount = front->collector.pairCount + front->tableCount;
        front->chooser.pairCount = front->pairCount;
        front->answerCount = 0;
        if ( !countOnly )
        {
            result = joFront_MergeAnswer( front );
        }
    }
    return result;
}

static joResult findOrCount( joBroadPhase* front, bool countOnly )
{
    front->answer = NULL;
    front->answerCount = 0;
    front->pairCount = 0;
    front->answerHolds = false;
    front->candidatesTested = 0;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = find( front, countOnly );
    joFloatEnv_Leave( env );
    if ( result != jo_success )
    {
        front->answerCount = 0;
        front->pairCount = 0;
        front->tableDirty = true;
    }
    front->answerHolds = result == jo_success && !countOnly;
    return result;
}

joResult joFront_FindPairs( joBroadPhase* front )
{
    return findOrCount( front, false );
}

static joPairAnswer viewAnswer( const joBroadPhase* front )
{
    return ( joPairAnswer ){ front->answer, front->answerCount, front->pairCount };
}

joResult joBroadPhase_FindPairs(
    joBroadPhase* broadPhase, joPair* pairs, uint64_t capacity, uint64_t* pairCount )
{
    if ( broadPhase == NULL || pairCount == NULL || ( pairs == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *pairCount = 0;
    joResult result = findOrCount( broadPhase, false );
    if ( result != jo_success )
    {
        return result;
    }
    const joPairAnswer answer = viewAnswer( broadPhase );
    *pairCount = answer.foundCount;
    return joPairAnswer_Give( &answer, broadPhase->def.jobs, pairs, capacity );
}

joResult joBroadPhase_CountPairs( joBroadPhase* broadPhase, uint64_t* pairCount )
{
    if ( broadPhase == NULL || pairCount == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *pairCount = 0;
    joResult result = findOrCount( broadPhase, true );
    if ( result == jo_success )
    {
        *pairCount = broadPhase->pairCount;
    }
    return result;
}

joResult joBroadPhase_GetPairs(
    const joBroadPhase* broadPhase, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied )
{
    if ( broadPhase == NULL || copied == NULL || ( pairs == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joPairAnswer answer = viewAnswer( broadPhase );
    return joPairAnswer_Copy( &answer, first, pairs, capacity, copied );
}

const joPair* joBroadPhase_ViewPairs( const joBroadPhase* broadPhase, uint64_t* pairCount )
{
    if ( broadPhase == NULL || pairCount == NULL )
    {
        return NULL;
    }
    *pairCount = broadPhase->answerCount;
    return broadPhase->answer;
}

joBroadPhaseStats joBroadPhase_GetStats( const joBroadPhase* broadPhase )
{
    joBroadPhaseStats stats;
    memset( &stats, 0, sizeof( stats ) );
    if ( broadPhase == NULL )
    {
        return stats;
    }
    uint32_t counts[JO_SET_COUNT];
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        counts[i] = broadPhase->sets[i].liveCount;
        broadPhase->kind->addStats( broadPhase->structures[i], &stats );
    }
    const joObjectSet* moving = &broadPhase->sets[JO_SET_MOVING];
    for ( uint32_t i = 0; broadPhase->stillInMoving > 0 && i < moving->count; ++i )
    {
        uint32_t flags = joObjectSet_Records( moving )[i].flags;
        if ( ( flags & JO_FLAG_FREE ) == 0 && ( flags & JO_MOTION_MASK ) != jo_moving )
        {
            counts[flags & JO_MOTION_MASK] += 1;
            counts[JO_SET_MOVING] -= 1;
        }
    }
    stats.staticCount = counts[jo_static];
    stats.restingCount = counts[jo_resting];
    stats.movingCount = counts[jo_moving];
    stats.memoryBytes = broadPhase->memory.bytes + sizeof( joBroadPhase );
    stats.allocationCount = broadPhase->memory.allocationCount + 1;
    stats.candidatesTested = broadPhase->candidatesTested;
    stats.pairCount = broadPhase->pairCount;
    stats.restingPairCount = broadPhase->pairCount > 0 ? broadPhase->tableCount : 0;
    return stats;
}
