// SPDX-License-Identifier: MIT
// Queries on a world: those of the broad phase, with the exact test of a collider in place of that of a box.
// So each structure prunes by what has been met exactly, and nothing need be kept between the two.
//
// A collider is no nearer than its bounds: where the narrow phase says so, which rounding may do, it counts
// as being as near as they are. With that, whatever is pruned by bounds is behind what was met before, in
// every structure alike.
#include "world/world_query.h"

#include "base/atomic_least.h"
#include "base/column.h"
#include "base/float_env.h"
#include "query/query.h"

#include <math.h>
#include <string.h>

#define QUERY_BLOCK 16u

// One query. A joQuery is cast to the one that it is in.
typedef struct WorldQuery
{
    joQuery base;
    joQueryTestFcn* testBox;
    const joAsk* ask;
    uint64_t ignoredBody; // 0: none
    joRay ray;            // casts: the way of the shape
    const void* shape;
    const void* pose;
    const float* motion;
    const float* point;
} WorldQuery;

static const void* elementOf( joColumn column, uint32_t i )
{
    return column.data != NULL ? joColumn_At( column, i ) : NULL;
}

static bool isMet( const WorldQuery* query, const joCollider* collider )
{
    const joWorldQueryFilter* filter = &query->ask->filter;
    if ( filter->skipsTriggers && collider->isTrigger )
    {
        return false;
    }
    if ( filter->ignoredBodyCount == 0 && query->ignoredBody == 0 )
    {
        return true;
    }
    const uint64_t body = joWorld_BodyIdAt( query->ask->world, collider->body ).bits;
    bool isIgnored = body == query->ignoredBody;
    for ( uint32_t i = 0; i < filter->ignoredBodyCount && !isIgnored; ++i )
    {
        isIgnored = filter->ignoredBodies[i].bits == body;
    }
    return !isIgnored;
}

static bool meetCast( const WorldQuery* query, const void* shape, const void* pose, joWorldHit* hit )
{
    const joSpace* space = query->ask->world->space;
    if ( !space->doMeet( space->kindOf( shape ), space->kindOf( query->shape ) ) )
    {
        return false;
    }
    double motion[3] = { 0.0, 0.0, 0.0 };
    for ( uint32_t axis = 0; axis < space->axisCount; ++axis )
    {
        motion[axis] = (double)query->motion[axis];
    }
    const joSpaceHit met = space->cast( shape, pose, query->shape, query->pose, motion );
    hit->fraction = (float)met.fraction;
    hit->distance = (float)( met.fraction * (double)query->ray.length );
    hit->depth = met.depth;
    hit->child = met.child;
    memcpy( hit->point, met.point, sizeof( hit->point ) );
    memcpy( hit->normal, met.normal, sizeof( hit->normal ) );
    return met.isHit;
}

// How the query meets a collider, whose bounds it meets. False: not at all.
static bool meet( const WorldQuery* query, uint32_t collider, joWorldHit* hit )
{
    const joWorld* world = query->ask->world;
    const joSpace* space = world->space;
    const void* shape = joWorld_Shape( world, collider );
    const void* pose = joWorld_ColliderPose( world, collider );
    switch ( query->ask->kind )
    {
        case jo_askRay:
            return space->castRay( shape, pose, &query->ray, hit );
        case jo_askCast:
            return meetCast( query, shape, pose, hit );
        case jo_askOverlap:
            return space->overlap( shape, pose, query->shape, query->pose );
        case jo_askNearest:
            return space->findNearest( shape, pose, query->point, hit );
    }
    return false;
}

static float testCollider( const joQuery* base, const joBoxRecord* record, const joRound* round )
{
    const WorldQuery* query = (const WorldQuery*)(const void*)base;
    joWorldHit hit = { .distance = 0.0f };
    const float near = query->testBox( base, record, round );
    if ( !( near <= base->probe.limit ) ||
         !isMet( query, joWorld_Collider( query->ask->world, record->key ) ) ||
         !meet( query, record->key, &hit ) )
    {
        return INFINITY;
    }
    return hit.distance > near ? hit.distance : near;
}

static void boundShape( const WorldQuery* query, float bounds[2][3] )
{
    memset( bounds, 0, 6 * sizeof( float ) );
    query->ask->world->space->computeBounds( query->shape, query->pose, bounds[0], bounds[1] );
}

// The way of a shape, as a ray without an origin.
static joRay wayOf( const joSpace* space, const float* motion )
{
    joRay way = { .length = 0.0f };
    double lengthSq = 0.0;
    for ( uint32_t axis = 0; axis < space->axisCount; ++axis )
    {
        way.direction[axis] = motion[axis];
        lengthSq += (double)motion[axis] * (double)motion[axis];
    }
    way.length = joKeepFinite( sqrt( lengthSq ) );
    return way;
}

static void setCast( WorldQuery* query )
{
    float bounds[2][3];
    joSweptBox box;
    boundShape( query, bounds );
    query->ray = wayOf( query->ask->world->space, query->motion );
    memcpy( box.lower, bounds[0], sizeof( box.lower ) );
    memcpy( box.upper, bounds[1], sizeof( box.upper ) );
    memcpy( box.direction, query->ray.direction, sizeof( box.direction ) );
    box.length = query->ray.length;
    joQuery_SetSweptBox( &query->base, &box );
}

static void setQuery( WorldQuery* query, uint32_t i )
{
    static const joQueryShape s_shapes[] = { [jo_askRay] = jo_queryRay,
        [jo_askCast] = jo_querySweptBox,
        [jo_askOverlap] = jo_queryBox,
        [jo_askNearest] = jo_queryPoint };
    const joAsk* ask = query->ask;
    const joWorldQueries* queries = ask->queries;
    float bounds[2][3];
    joQuery_Begin( &query->base, ask->world->broadPhase, s_shapes[ask->kind] );
    query->shape = elementOf( queries->shape, i );
    query->pose = elementOf( queries->pose, i );
    query->motion = elementOf( queries->motion, i );
    query->point = elementOf( queries->point, i );
    switch ( ask->kind )
    {
        case jo_askRay:
            query->ray = *(const joRay*)elementOf( queries->ray, i );
            joQuery_SetRay( &query->base, &query->ray );
            break;
        case jo_askCast:
            setCast( query );
            break;
        case jo_askOverlap:
            boundShape( query, bounds );
            joQuery_SetBox( &query->base, bounds[0], bounds[1] );
            break;
        case jo_askNearest:
            joQuery_SetPoint( &query->base, query->point,
                queries->maxDistance.data != NULL ? *(const float*)elementOf( queries->maxDistance, i )
                                                  : INFINITY );
            break;
    }
    query->testBox = query->base.test;
    query->base.test = testCollider;
    const uint64_t* layer = elementOf( queries->layer, i );
    const uint64_t* mask = elementOf( queries->mask, i );
    const joBodyId* ignored = elementOf( queries->ignoredBody, i );
    query->base.filter =
        ( joFilter ){ layer != NULL ? *layer : ask->filter.layer, mask != NULL ? *mask : ask->filter.mask };
    query->ignoredBody = ignored != NULL ? ignored->bits : 0;
}

static void fillHit( const WorldQuery* query, joHit found, joWorldHit* hit )
{
    const joWorld* world = query->ask->world;
    const joCollider* collider = joWorld_Collider( world, found.key );
    meet( query, found.key, hit );
    hit->distance = found.distance;
    hit->body = joWorld_BodyIdAt( world, collider->body );
    hit->collider = joWorld_ColliderIdAt( world, found.key );
    hit->userData = joWorld_Body( world, collider->body )->userData;
    hit->colliderUserData = collider->userData;
}

// The broad phase keeps its hits where the caller's will stand: these are larger, so they are written from
// the last one on.
static void answer( WorldQuery* query, uint32_t i )
{
    const joAsk* ask = query->ask;
    setQuery( query, i );
    if ( ask->isAny )
    {
        query->base.results = joMakeAny();
        joQuery_Run( &query->base );
        ask->areHits[i] = query->base.results.count > 0;
        return;
    }
    const bool countsAll = ask->counts != NULL && ask->kind != jo_askNearest;
    joWorldHit* hits = ask->capacity > 0 ? ask->hits + i * ask->capacity : NULL;
    query->base.results =
        joMakeHitList( (joHit*)(void*)hits, ask->capacity, countsAll ? UINT64_MAX : ask->capacity );
    joQuery_Run( &query->base );
    const uint64_t count = query->base.results.count;
    for ( uint64_t k = ask->counts != NULL && count < ask->capacity ? count : ask->capacity; k > 0; --k )
    {
        joWorldHit hit = { .distance = k > count ? INFINITY : 0.0f };
        if ( k <= count )
        {
            joHit found;
            memcpy( &found, (const char*)hits + ( k - 1 ) * sizeof( joHit ), sizeof( found ) );
            fillHit( query, found, &hit );
        }
        memcpy( hits + k - 1, &hit, sizeof( hit ) );
    }
    if ( ask->counts != NULL )
    {
        ask->counts[i] = count;
    }
}

static void answerBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    WorldQuery query;
    query.ask = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        answer( &query, i );
    }
}

static joResult checkMotion( const joSpace* space, const float* motion )
{
    joResult result = jo_success;
    for ( uint32_t axis = 0; axis < space->axisCount; ++axis )
    {
        if ( isnan( motion[axis] ) )
        {
            return jo_errorNotANumber;
        }
        result = isinf( motion[axis] ) ? jo_errorBadRay : result;
    }
    return result;
}

static joResult checkQuery( const joAsk* ask, uint32_t i )
{
    const joSpace* space = ask->world->space;
    const joWorldQueries* queries = ask->queries;
    if ( ask->kind == jo_askRay )
    {
        return joCheckRay( elementOf( queries->ray, i ), space->axisCount );
    }
    if ( ask->kind == jo_askNearest )
    {
        const float* most = elementOf( queries->maxDistance, i );
        return joCheckQueryPoint(
            elementOf( queries->point, i ), most != NULL ? *most : INFINITY, space->axisCount );
    }
    joResult result = space->checkShape( elementOf( queries->shape, i ) );
    result = result ? result : space->checkPose( elementOf( queries->pose, i ) );
    return result || ask->kind == jo_askOverlap ? result
                                                : checkMotion( space, elementOf( queries->motion, i ) );
}

typedef struct CheckRun
{
    const joAsk* ask;
    atomic_uint_least32_t firstBad;
} CheckRun;

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    CheckRun* run = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( checkQuery( run->ask, i ) != jo_success )
        {
            joAtomic_Lower( &run->firstBad, i );
            return;
        }
    }
}

static bool hasColumns( const joAsk* ask )
{
    const joWorldQueries* queries = ask->queries;
    switch ( ask->kind )
    {
        case jo_askRay:
            return queries->ray.data != NULL;
        case jo_askCast:
            return queries->shape.data != NULL && queries->pose.data != NULL && queries->motion.data != NULL;
        case jo_askOverlap:
            return queries->shape.data != NULL && queries->pose.data != NULL;
        case jo_askNearest:
            return queries->point.data != NULL;
    }
    return false;
}

joResult joAsk_Run( const joAsk* ask, uint32_t* bad )
{
    const uint32_t count = ask->queries->count;
    *bad = JO_NULL_INDEX;
    if ( ( count > 0 && !hasColumns( ask ) ) ||
         ( ask->filter.ignoredBodies == NULL && ask->filter.ignoredBodyCount > 0 ) )
    {
        return jo_errorNullArgument;
    }
    joFloatEnv env = joFloatEnv_Enter();
    CheckRun check = { .ask = ask, .firstBad = JO_NULL_INDEX };
    joParallelFor( ask->jobs, count, 0, checkBlock, &check );
    *bad = (uint32_t)check.firstBad;
    const joResult result = *bad == JO_NULL_INDEX ? jo_success : checkQuery( ask, *bad );
    if ( result == jo_success )
    {
        joParallelFor( ask->jobs, count, QUERY_BLOCK, answerBlock, (void*)(uintptr_t)ask );
    }
    joFloatEnv_Leave( env );
    return result;
}
