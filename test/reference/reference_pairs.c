// SPDX-License-Identifier: MIT
// The oracle of the broad phase; see reference_pairs.h.
#include "reference_pairs.h"

#include <math.h>
#include <stdlib.h>

static double distanceToInterval( double x, double lower, double upper )
{
    return x < lower ? lower - x : x > upper ? x - upper : 0.0;
}

static bool roundTouchesBox( const refObject* ball, const refObject* box, int axisCount )
{
    double sum = 0.0;
    for ( int k = 0; k < axisCount; ++k )
    {
        double d = distanceToInterval( ball->center[k], box->lower[k], box->upper[k] );
        sum += d * d;
    }
    return sum <= ball->radius * ball->radius;
}

bool refTouch( const refObject* a, const refObject* b, int axisCount )
{
    if ( a->round && b->round )
    {
        double sum = 0.0;
        for ( int k = 0; k < axisCount; ++k )
        {
            double d = a->center[k] - b->center[k];
            sum += d * d;
        }
        double reach = a->radius + b->radius;
        return sum <= reach * reach;
    }
    if ( a->round )
        return roundTouchesBox( a, b, axisCount );
    if ( b->round )
        return roundTouchesBox( b, a, axisCount );
    for ( int k = 0; k < axisCount; ++k )
    {
        if ( a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k] )
            return false;
    }
    return true;
}

bool refMeet( const refObject* a, const refObject* b )
{
    if ( a->motion == ref_static && b->motion == ref_static )
        return false;
    return ( a->layer & b->mask ) != 0 && ( b->layer & a->mask ) != 0;
}

void refAddPair( refPairs* pairs, uint32_t a, uint32_t b )
{
    if ( pairs->count == pairs->capacity )
    {
        pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 256;
        pairs->data = realloc( pairs->data, pairs->capacity * sizeof( refPair ) );
        if ( pairs->data == NULL )
            abort();
    }
    pairs->data[pairs->count++] = a < b ? ( refPair ){ a, b } : ( refPair ){ b, a };
}

static int comparePairs( const void* left, const void* right )
{
    const refPair* p = left;
    const refPair* q = right;
    if ( p->a != q->a )
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

void refSortPairs( refPairs* pairs )
{
    if ( pairs->count > 1 )
        qsort( pairs->data, pairs->count, sizeof( refPair ), comparePairs );
}

void refFreePairs( refPairs* pairs )
{
    free( pairs->data );
    *pairs = ( refPairs ){ 0 };
}

void refFindPairsByAll( const refObject* objects, size_t count, int axisCount, refPairs* pairs )
{
    pairs->count = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        for ( size_t j = i + 1; j < count; ++j )
        {
            if ( refMeet( objects + i, objects + j ) && refTouch( objects + i, objects + j, axisCount ) )
                refAddPair( pairs, objects[i].key, objects[j].key );
        }
    }
    refSortPairs( pairs );
}

typedef struct Interval
{
    double lower, upper;
    size_t object;
} Interval;

// What an object covers on an axis, widened by more than the rounding of refTouch for round ones.
static Interval intervalOf( const refObject* object, size_t index, int axis )
{
    if ( object->round == false )
        return ( Interval ){ object->lower[axis], object->upper[axis], index };
    double c = object->center[axis];
    double reach = object->radius + 1e-12 * ( object->radius + fabs( c ) );
    return ( Interval ){ c - reach, c + reach, index };
}

static int compareIntervals( const void* left, const void* right )
{
    const Interval* p = left;
    const Interval* q = right;
    return p->lower < q->lower ? -1 : p->lower > q->lower;
}

// How many intervals of a sorted list begin at or below `upper`.
static size_t countBelow( const Interval* intervals, size_t count, double upper )
{
    size_t first = 0, last = count;
    while ( first < last )
    {
        size_t middle = ( first + last ) / 2;
        if ( intervals[middle].lower <= upper )
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static double sortAxis( const refObject* objects, size_t count, int axis, Interval* intervals )
{
    for ( size_t i = 0; i < count; ++i )
        intervals[i] = intervalOf( objects + i, i, axis );
    qsort( intervals, count, sizeof( Interval ), compareIntervals );
    double candidates = 0.0;
    for ( size_t i = 0; i < count; ++i )
        candidates += (double)( countBelow( intervals, count, intervals[i].upper ) - i );
    return candidates;
}

void refFindPairsBySweep( const refObject* objects, size_t count, int axisCount, refPairs* pairs )
{
    pairs->count = 0;
    if ( count == 0 )
        return;
    Interval* intervals = malloc( count * sizeof( Interval ) );
    if ( intervals == NULL )
        abort();
    int best = 0;
    double bestCandidates = HUGE_VAL;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        double candidates = sortAxis( objects, count, axis, intervals );
        if ( candidates < bestCandidates )
        {
            bestCandidates = candidates;
            best = axis;
        }
    }
    sortAxis( objects, count, best, intervals );
    for ( size_t i = 0; i < count; ++i )
    {
        const refObject* a = objects + intervals[i].object;
        for ( size_t j = i + 1; j < count && intervals[j].lower <= intervals[i].upper; ++j )
        {
            const refObject* b = objects + intervals[j].object;
            if ( refMeet( a, b ) && refTouch( a, b, axisCount ) )
                refAddPair( pairs, a->key, b->key );
        }
    }
    free( intervals );
    refSortPairs( pairs );
}

void refFindPairs( const refObject* objects, size_t count, int axisCount, refPairs* pairs )
{
    if ( count <= 400 )
        refFindPairsByAll( objects, count, axisCount, pairs );
    else
        refFindPairsBySweep( objects, count, axisCount, pairs );
}
