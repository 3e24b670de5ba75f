// SPDX-License-Identifier: MIT
#include "query_check.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static float RoundDistance( double distance )
{
    return distance < (double)FLT_MAX ? (float)distance : FLT_MAX;
}

// How far a point or a box, which both have bounds, goes until it touches a box: the last of the times at
// which it comes between the box's bounds on an axis, if that is before the first at which it leaves them.
static float WayTo( const float* box, int axisCount, const joQuestion* question )
{
    double direction[3] = { 0.0, 0.0, 0.0 };
    double sum = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        sum += (double)question->direction[axis] * (double)question->direction[axis];
    }
    double enter = 0.0;
    double leave = HUGE_VAL;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        direction[axis] = question->reach > 0.0f ? (double)question->direction[axis] / sqrt( sum ) : 0.0;
        const double ahead = (double)box[axis] - (double)question->upper[axis];
        const double behind = (double)box[3 + axis] - (double)question->lower[axis];
        if ( direction[axis] == 0.0 && ( ahead > 0.0 || behind < 0.0 ) )
        {
            return INFINITY;
        }
        if ( direction[axis] != 0.0 )
        {
            const bool isForward = direction[axis] > 0.0;
            enter = fmax( enter, ( isForward ? ahead : behind ) / direction[axis] );
            leave = fmin( leave, ( isForward ? behind : ahead ) / direction[axis] );
        }
    }
    // Beyond floats all distances round to one, which would decide nothing.
    const bool isMet =
        enter <= leave || ( enter <= (double)FLT_MAX && RoundDistance( enter ) <= RoundDistance( leave ) );
    return isMet && enter < HUGE_VAL ? RoundDistance( enter ) : INFINITY;
}

// From the bounds of a point or a box; squares, whose roots need not be taken to compare them.
static double SquareOfGap( const float* box, int axisCount, const joQuestion* question )
{
    double sum = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const double ahead = (double)box[axis] - (double)question->upper[axis];
        const double behind = (double)question->lower[axis] - (double)box[3 + axis];
        const double gap = fmax( 0.0, fmax( ahead, behind ) );
        sum += gap * gap;
    }
    return sum;
}

// +inf: the box does not belong to the answer.
static float DistanceTo( const float* box, int axisCount, const joQuestion* question )
{
    const double reach = (double)question->reach;
    float distance = INFINITY;
    switch ( question->kind )
    {
        case jo_askRay:
        case jo_askSweep:
            distance = WayTo( box, axisCount, question );
            break;
        case jo_askNearest:
            distance = RoundDistance( sqrt( SquareOfGap( box, axisCount, question ) ) );
            break;
        case jo_askBox:
            return SquareOfGap( box, axisCount, question ) == 0.0 ? 0.0f : INFINITY;
        default:
            return SquareOfGap( box, axisCount, question ) <= reach * reach ? 0.0f : INFINITY;
    }
    return distance <= question->reach ? distance : INFINITY;
}

static int CompareHits( const void* left, const void* right )
{
    const joHit* a = left;
    const joHit* b = right;
    if ( a->distance != b->distance )
    {
        return a->distance < b->distance ? -1 : 1;
    }
    return a->key < b->key ? -1 : a->key > b->key;
}

static int CompareKeys( const void* left, const void* right )
{
    const joHit* a = left;
    const joHit* b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

// Both lists in order of their keys, to tell what is in one and not in the other.
static void CompareSets(
    joHit* wanted, uint64_t wantedCount, joHit* given, uint64_t givenCount, joQueryCheck* check )
{
    qsort( wanted, (size_t)wantedCount, sizeof( joHit ), CompareKeys );
    qsort( given, (size_t)givenCount, sizeof( joHit ), CompareKeys );
    uint64_t i = 0;
    uint64_t j = 0;
    while ( i < wantedCount || j < givenCount )
    {
        const bool isMissed = j == givenCount || ( i < wantedCount && wanted[i].key < given[j].key );
        const bool isExtra = !isMissed && ( i == wantedCount || given[j].key < wanted[i].key );
        check->missed += isMissed ? 1 : 0;
        check->extra += isExtra ? 1 : 0;
        check->wrong += !isMissed && !isExtra && wanted[i].distance != given[j].distance ? 1 : 0;
        i += isExtra ? 0 : 1;
        j += isMissed ? 0 : 1;
    }
}

// `wanted` in order; both lists are sorted anew.
static void CompareLists(
    joHit* wanted, uint64_t wantedCount, joHit* given, uint64_t givenCount, joQueryCheck* check )
{
    joQueryCheck found = { 0 };
    uint64_t misplaced = 0;
    for ( uint64_t i = 0; i < wantedCount && i < givenCount; ++i )
    {
        misplaced += wanted[i].key != given[i].key ? 1 : 0;
    }
    CompareSets( wanted, wantedCount, given, givenCount, &found );
    const bool isOther = found.missed > 0 || found.extra > 0 || found.wrong > 0;
    check->missed += found.missed;
    check->extra += found.extra;
    check->wrong += isOther ? found.wrong : misplaced;
}

static uint64_t FindWanted( const float* boxes, uint32_t count, int axisCount, const joQuestion* question,
    joHitMode mode, joHit* wanted )
{
    uint64_t wantedCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float distance = DistanceTo( boxes + (size_t)i * JO_BOX_FLOATS, axisCount, question );
        if ( distance < INFINITY )
        {
            wanted[wantedCount++] = ( joHit ){ i, distance };
        }
    }
    qsort( wanted, (size_t)wantedCount, sizeof( joHit ), CompareHits );
    const bool isWay = question->kind == jo_askRay || question->kind == jo_askSweep;
    uint64_t limit = isWay && mode != jo_allHits ? 1 : UINT64_MAX;
    limit = question->kind == jo_askNearest ? question->k : limit;
    return wantedCount < limit ? wantedCount : limit;
}

joResult joCheckAnswer( const float* boxes, uint32_t count, int axisCount, const joQuestion* question,
    joHitMode mode, const joAnswer* answer, joQueryCheck* check )
{
    joHit* wanted = malloc( (size_t)count * sizeof( joHit ) );
    joHit* given = malloc( (size_t)( answer->count + 1 ) * sizeof( joHit ) );
    if ( wanted == NULL || given == NULL )
    {
        free( wanted );
        free( given );
        return jo_errorOutOfMemory;
    }
    const uint64_t wantedCount = FindWanted( boxes, count, axisCount, question, mode, wanted );
    const bool isWay = question->kind == jo_askRay || question->kind == jo_askSweep;
    if ( isWay && mode == jo_anyHit )
    {
        check->missed += wantedCount > answer->count ? 1 : 0;
        check->extra += wantedCount < answer->count ? 1 : 0;
    }
    else
    {
        for ( uint64_t i = 0; i < answer->count; ++i )
        {
            given[i] = answer->hasDistances ? answer->hits[i] : ( joHit ){ answer->keys[i], 0.0f };
        }
        CompareLists( wanted, wantedCount, given, answer->count, check );
    }
    free( wanted );
    free( given );
    return jo_success;
}
