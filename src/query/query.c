// SPDX-License-Identifier: MIT
// Single queries. Structures hand over candidates; what has changed since they were built is scanned instead.
#include "query.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <math.h>

joQueryFilter joDefaultQueryFilter( void )
{
    return ( joQueryFilter ){ UINT64_MAX, UINT64_MAX, NULL, 0 };
}

static bool isIgnored( const joQuery* query, uint32_t key )
{
    for ( uint32_t i = 0; i < query->ignoredCount; ++i )
    {
        if ( query->ignoredKeys[i] == key )
        {
            return true;
        }
    }
    return false;
}

static bool passesFilter( const joQuery* query, uint32_t slot )
{
    const joFilter* filter = joObjectSet_Filters( query->set ) + slot;
    return ( query->filter.layer & filter->mask ) != 0 && ( query->filter.mask & filter->layer ) != 0;
}

void joQuery_Take( joQuery* query, const uint32_t* slots, uint32_t count )
{
    joProbe* probe = &query->probe;
    const joObjectSet* set = query->set;
    const uint32_t skipped = query->isPending ? JO_FLAG_FREE : JO_FLAG_FREE | JO_FLAG_CHANGED;
    for ( uint32_t i = 0; i < count && !probe->done; ++i )
    {
        const uint32_t slot = slots[i] & JO_INDEX_MASK;
        const joBoxRecord* record = joObjectSet_Records( set ) + slot;
        if ( ( record->flags & skipped ) != 0 || ( set->hasFilters && !passesFilter( query, slot ) ) ||
             isIgnored( query, record->key ) )
        {
            continue;
        }
        const float distance =
            query->test( query, record, set->hasRounds ? joObjectSet_Rounds( set ) + slot : NULL );
        if ( !( distance <= probe->limit ) || distance == INFINITY )
        {
            continue;
        }
        float limit = probe->limit;
        joResultList_Add( &query->results, distance, record->key, &limit );
        if ( limit < probe->limit )
        {
            joProbe_SetLimit( probe, limit );
        }
        probe->done = query->results.mode == jo_keepNone;
    }
}

static void take( joProbe* probe, const uint32_t* slots, uint32_t count )
{
    joQuery_Take( (joQuery*)(void*)probe, slots, count );
}

// All objects of a set whose structure is out of date.
static void scanRecords( joQuery* query )
{
    const float* bounds = query->probe.bounds;
    joQuery_FindBounds( query );
    for ( uint32_t slot = 0; slot < query->set->count && !query->probe.done; ++slot )
    {
        const joBoxRecord* record = joObjectSet_Records( query->set ) + slot;
        bool isNear = true;
        for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
        {
            isNear = isNear && record->lower[axis] <= bounds[3 + axis] && record->upper[axis] >= bounds[axis];
        }
        if ( isNear )
        {
            joQuery_Take( query, &slot, 1 );
        }
    }
}

void joQuery_Run( joQuery* query )
{
    const joBroadPhase* front = query->front;
    query->probe.take = take;
    // Sets without filters are not asked for them: their objects are in all layers and meet all.
    const bool meetsAny = query->filter.layer != 0 && query->filter.mask != 0;
    const bool wantsAny = meetsAny && query->results.wanted > 0;
    for ( int i = 0; i < JO_SET_COUNT && !query->probe.done && wantsAny; ++i )
    {
        query->set = &front->sets[i];
        if ( query->set->liveCount == 0 )
        {
            continue;
        }
        query->isPending = true;
        if ( query->set->allChanged )
        {
            scanRecords( query );
            continue;
        }
        joQuery_Take( query, query->set->changed.data, query->set->changedCount );
        query->isPending = false;
        if ( !query->probe.done )
        {
            if ( front->kind->queryTakesBounds )
            {
                joQuery_FindBounds( query );
            }
            front->kind->query( front->structures[i], &query->probe );
        }
    }
    joResultList_Finish( &query->results );
}

// The list comes by address: a copy of what was written a moment ago would wait for it.
static joResult runInto(
    joQuery* query, const joQueryFilter* filter, const joResultList* results, uint64_t* count )
{
    const joResult result = joQuery_SetFilter( query, filter );
    if ( result == jo_success )
    {
        query->results = *results;
        joQuery_Run( query );
        *count = query->results.count;
    }
    return result;
}

static joResult leave( joFloatEnv env, joResult result )
{
    joFloatEnv_Leave( env );
    return result == jo_success ? result : JO_MISUSE( result );
}

// Before all else: after any error, a null argument too, nothing is met.
static void clearCount( uint64_t* count )
{
    if ( count != NULL )
    {
        *count = 0;
    }
}

joResult joBroadPhase_OverlapBox( const joBroadPhase* broadPhase, const float* lower, const float* upper,
    const joQueryFilter* filter, uint32_t* keys, uint64_t capacity, uint64_t* count )
{
    clearCount( count );
    if ( broadPhase == NULL || lower == NULL || upper == NULL || count == NULL ||
         ( keys == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = joCheckQueryBox( lower, upper, broadPhase->context.axisCount );
    if ( result == jo_success )
    {
        joQuery query;
        joQuery_Begin( &query, broadPhase, jo_queryBox );
        joQuery_SetBox( &query, lower, upper );
        const joResultList results = joMakeKeyList( keys, capacity );
        result = runInto( &query, filter, &results, count );
    }
    return leave( env, result );
}

joResult joBroadPhase_OverlapCircle( const joBroadPhase* broadPhase, const float* center, float radius,
    const joQueryFilter* filter, uint32_t* keys, uint64_t capacity, uint64_t* count )
{
    clearCount( count );
    if ( broadPhase == NULL || center == NULL || count == NULL || ( keys == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = joCheckQueryCircle( center, radius, broadPhase->context.axisCount );
    if ( result == jo_success )
    {
        joQuery query;
        joQuery_Begin( &query, broadPhase, jo_queryCircle );
        joQuery_SetCircle( &query, center, radius );
        const joResultList results = joMakeKeyList( keys, capacity );
        result = runInto( &query, filter, &results, count );
    }
    return leave( env, result );
}

// A ray or a swept box: one of the two is null.
static joResult cast( const joBroadPhase* broadPhase, const joRay* ray, const joSweptBox* box,
    const joQueryFilter* filter, const joResultList* results, uint64_t* count )
{
    joFloatEnv env = joFloatEnv_Enter();
    const uint32_t axisCount = broadPhase->context.axisCount;
    joResult result = ray != NULL ? joCheckRay( ray, axisCount ) : joCheckSweptBox( box, axisCount );
    if ( result == jo_success )
    {
        joQuery query;
        joQuery_Begin( &query, broadPhase, ray != NULL ? jo_queryRay : jo_querySweptBox );
        if ( ray != NULL )
        {
            joQuery_SetRay( &query, ray );
        }
        else
        {
            joQuery_SetSweptBox( &query, box );
        }
        result = runInto( &query, filter, results, count );
    }
    return leave( env, result );
}

static joResult castClosest( const joBroadPhase* broadPhase, const joRay* ray, const joSweptBox* box,
    const joQueryFilter* filter, joHit* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joResultList results = joMakeClosest( hit );
    if ( broadPhase == NULL || ( ray == NULL && box == NULL ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    uint64_t count;
    return cast( broadPhase, ray, box, filter, &results, &count );
}

static joResult castAny( const joBroadPhase* broadPhase, const joRay* ray, const joSweptBox* box,
    const joQueryFilter* filter, bool* isHit )
{
    if ( isHit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *isHit = false;
    if ( broadPhase == NULL || ( ray == NULL && box == NULL ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    uint64_t count = 0;
    const joResultList results = joMakeAny();
    const joResult result = cast( broadPhase, ray, box, filter, &results, &count );
    *isHit = count > 0;
    return result;
}

static joResult castAll( const joBroadPhase* broadPhase, const joRay* ray, const joSweptBox* box,
    const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count )
{
    clearCount( count );
    if ( broadPhase == NULL || ( ray == NULL && box == NULL ) || count == NULL ||
         ( hits == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joResultList results = joMakeHitList( hits, capacity, UINT64_MAX );
    return cast( broadPhase, ray, box, filter, &results, count );
}

joResult joBroadPhase_CastRayClosest(
    const joBroadPhase* broadPhase, const joRay* ray, const joQueryFilter* filter, joHit* hit )
{
    return castClosest( broadPhase, ray, NULL, filter, hit );
}

joResult joBroadPhase_CastRayAny(
    const joBroadPhase* broadPhase, const joRay* ray, const joQueryFilter* filter, bool* isHit )
{
    return castAny( broadPhase, ray, NULL, filter, isHit );
}

joResult joBroadPhase_CastRayAll( const joBroadPhase* broadPhase, const joRay* ray,
    const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count )
{
    return castAll( broadPhase, ray, NULL, filter, hits, capacity, count );
}

joResult joBroadPhase_CastBoxClosest(
    const joBroadPhase* broadPhase, const joSweptBox* box, const joQueryFilter* filter, joHit* hit )
{
    return castClosest( broadPhase, NULL, box, filter, hit );
}

joResult joBroadPhase_CastBoxAny(
    const joBroadPhase* broadPhase, const joSweptBox* box, const joQueryFilter* filter, bool* isHit )
{
    return castAny( broadPhase, NULL, box, filter, isHit );
}

joResult joBroadPhase_CastBoxAll( const joBroadPhase* broadPhase, const joSweptBox* box,
    const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count )
{
    return castAll( broadPhase, NULL, box, filter, hits, capacity, count );
}

joResult joBroadPhase_FindNearest( const joBroadPhase* broadPhase, const float* point, uint32_t k,
    float maxDistance, const joQueryFilter* filter, joHit* hits, uint64_t capacity, uint64_t* count )
{
    clearCount( count );
    if ( broadPhase == NULL || point == NULL || count == NULL || ( hits == NULL && capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = joCheckQueryPoint( point, maxDistance, broadPhase->context.axisCount );
    if ( result == jo_success )
    {
        joQuery query;
        joQuery_Begin( &query, broadPhase, jo_queryPoint );
        joQuery_SetPoint( &query, point, maxDistance );
        const joResultList results = joMakeHitList( hits, capacity, k );
        result = runInto( &query, filter, &results, count );
    }
    return leave( env, result );
}
