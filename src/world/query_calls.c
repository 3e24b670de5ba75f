// SPDX-License-Identifier: MIT
// Queries on a world: the calls. Single ones are batches of one; what they give back is cleared first, so
// that after any error nothing is met.
#include "world/world_query.h"

#include "base/assert.h"

#include <math.h>

joWorldQueryFilter joDefaultWorldQueryFilter( void )
{
    return ( joWorldQueryFilter ){ .layer = UINT64_MAX, .mask = UINT64_MAX };
}

static joWorldQueryFilter filterOf( const joWorldQueryFilter* filter )
{
    return filter != NULL ? *filter : joDefaultWorldQueryFilter();
}

// Single queries: what they ask for, one of three.
typedef struct Wanted
{
    joWorldHit* hit;  // closest
    bool* isHit;      // any
    joWorldHit* hits; // all
    uint64_t capacity;
    uint64_t* count;
} Wanted;

// dimension 0: either.
static joResult askOne( const joWorld* world, int dimension, joAskKind kind, const joWorldQueries* query,
    const joWorldQueryFilter* filter, const Wanted* wanted )
{
    joAsk ask = { .world = world, .kind = kind, .queries = query, .filter = filterOf( filter ) };
    uint32_t bad;
    if ( wanted->hit != NULL )
    {
        *wanted->hit = ( joWorldHit ){ .distance = INFINITY };
        ask.hits = wanted->hit;
        ask.capacity = 1;
    }
    else if ( wanted->isHit != NULL )
    {
        *wanted->isHit = false;
        ask.isAny = true;
        ask.areHits = wanted->isHit;
    }
    else if ( wanted->count != NULL )
    {
        *wanted->count = 0;
        ask.hits = wanted->hits;
        ask.capacity = wanted->capacity;
        ask.counts = wanted->count;
    }
    if ( world == NULL || ( wanted->hit == NULL && wanted->isHit == NULL && wanted->count == NULL ) ||
         ( wanted->hits == NULL && wanted->capacity > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( dimension != 0 && world->def.dimension != dimension )
    {
        return JO_MISUSE( jo_errorWrongDimension );
    }
    return joReport( joAsk_Run( &ask, &bad ) );
}

joResult joWorld_CastRayClosest(
    const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter, joWorldHit* hit )
{
    const Wanted wanted = { .hit = hit };
    const joWorldQueries one = { .ray = { ray, 0 }, .count = 1 };
    return askOne( world, 0, jo_askRay, &one, filter, &wanted );
}

joResult joWorld_CastRayAny(
    const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter, bool* isHit )
{
    const Wanted wanted = { .isHit = isHit };
    const joWorldQueries one = { .ray = { ray, 0 }, .count = 1 };
    return askOne( world, 0, jo_askRay, &one, filter, &wanted );
}

joResult joWorld_CastRayAll( const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter,
    joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = { .ray = { ray, 0 }, .count = 1 };
    return askOne( world, 0, jo_askRay, &one, filter, &wanted );
}

joResult joWorld_CastShapeClosest2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    joVec2 motion, const joWorldQueryFilter* filter, joWorldHit* hit )
{
    const Wanted wanted = { .hit = hit };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 2, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_CastShapeAny2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    joVec2 motion, const joWorldQueryFilter* filter, bool* isHit )
{
    const Wanted wanted = { .isHit = isHit };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 2, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_CastShapeAll2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    joVec2 motion, const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 2, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_OverlapAny2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    const joWorldQueryFilter* filter, bool* isHit )
{
    const Wanted wanted = { .isHit = isHit };
    const joWorldQueries one = { .shape = { shape, 0 }, .pose = { pose, 0 }, .count = 1 };
    return askOne( world, 2, jo_askOverlap, &one, filter, &wanted );
}

joResult joWorld_OverlapAll2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = { .shape = { shape, 0 }, .pose = { pose, 0 }, .count = 1 };
    return askOne( world, 2, jo_askOverlap, &one, filter, &wanted );
}

joResult joWorld_CastShapeClosest3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    joVec3 motion, const joWorldQueryFilter* filter, joWorldHit* hit )
{
    const Wanted wanted = { .hit = hit };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 3, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_CastShapeAny3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    joVec3 motion, const joWorldQueryFilter* filter, bool* isHit )
{
    const Wanted wanted = { .isHit = isHit };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 3, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_CastShapeAll3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    joVec3 motion, const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = {
        .shape = { shape, 0 }, .pose = { pose, 0 }, .motion = { &motion, 0 }, .count = 1 };
    return askOne( world, 3, jo_askCast, &one, filter, &wanted );
}

joResult joWorld_OverlapAny3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    const joWorldQueryFilter* filter, bool* isHit )
{
    const Wanted wanted = { .isHit = isHit };
    const joWorldQueries one = { .shape = { shape, 0 }, .pose = { pose, 0 }, .count = 1 };
    return askOne( world, 3, jo_askOverlap, &one, filter, &wanted );
}

joResult joWorld_OverlapAll3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = { .shape = { shape, 0 }, .pose = { pose, 0 }, .count = 1 };
    return askOne( world, 3, jo_askOverlap, &one, filter, &wanted );
}

joResult joWorld_FindNearest( const joWorld* world, const float* point, float maxDistance,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count )
{
    const Wanted wanted = { .hits = hits, .capacity = capacity, .count = count };
    const joWorldQueries one = { .point = { point, 0 }, .maxDistance = { &maxDistance, 0 }, .count = 1 };
    return askOne( world, 0, jo_askNearest, &one, filter, &wanted );
}

static joResult askMany( const joAsk* ask, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = jo_success;
    const bool lacksRoom = ask->isAny ? ask->areHits == NULL : ask->hits == NULL && ask->capacity > 0;
    if ( ask->world == NULL || ask->queries == NULL || ( lacksRoom && ask->queries->count > 0 ) )
    {
        result = jo_errorNullArgument;
    }
    result = result ? result : joAsk_Run( ask, &bad );
    return joReportAt( result, bad, errorIndex );
}

static joResult askForHits( const joWorld* world, joJobs* jobs, joAskKind kind, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex )
{
    const joAsk ask = { .world = world,
        .jobs = jobs,
        .kind = kind,
        .queries = queries,
        .filter = filterOf( filter ),
        .capacity = capacity,
        .hits = hits,
        .counts = counts };
    return askMany( &ask, errorIndex );
}

static joResult askForAny( const joWorld* world, joJobs* jobs, joAskKind kind, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex )
{
    const joAsk ask = { .world = world,
        .jobs = jobs,
        .kind = kind,
        .queries = queries,
        .filter = filterOf( filter ),
        .isAny = true,
        .areHits = areHits };
    return askMany( &ask, errorIndex );
}

joResult joWorld_CastRays( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex )
{
    return askForHits( world, jobs, jo_askRay, queries, filter, capacity, hits, counts, errorIndex );
}

joResult joWorld_CastShapes( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex )
{
    return askForHits( world, jobs, jo_askCast, queries, filter, capacity, hits, counts, errorIndex );
}

joResult joWorld_OverlapShapes( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex )
{
    return askForHits( world, jobs, jo_askOverlap, queries, filter, capacity, hits, counts, errorIndex );
}

joResult joWorld_FindNearestToPoints( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex )
{
    return askForHits( world, jobs, jo_askNearest, queries, filter, capacity, hits, counts, errorIndex );
}

joResult joWorld_CastRaysAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex )
{
    return askForAny( world, jobs, jo_askRay, queries, filter, areHits, errorIndex );
}

joResult joWorld_CastShapesAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex )
{
    return askForAny( world, jobs, jo_askCast, queries, filter, areHits, errorIndex );
}

joResult joWorld_OverlapShapesAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex )
{
    return askForAny( world, jobs, jo_askOverlap, queries, filter, areHits, errorIndex );
}
