// SPDX-License-Identifier: MIT
// The oracle of queries; see query_reference.h.
#include "query_reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// What a query is after its direction has been made a unit vector.
typedef struct Way
{
    const refQuery* query;
    int axisCount;
    double unit[3];
    int onlyAxis; // the axis that it runs along, or -1
} Way;

static double largerOf( double a, double b )
{
    return a > b ? a : b;
}

static float toFloat( double distance )
{
    // Volatile: gcc 12 at -O2 loses the rounding of some members where it makes vectors of them.
    volatile float rounded = distance < (double)FLT_MAX ? (float)distance : FLT_MAX;
    return rounded;
}

static Way makeWay( const refQuery* query, int axisCount )
{
    Way way = { .query = query, .axisCount = axisCount, .onlyAxis = -1 };
    bool moves = ( query->kind == ref_ray || query->kind == ref_sweptBox ) && query->reach > 0.0;
    double sum = 0.0;
    int moving = 0;
    for ( int k = 0; k < axisCount; ++k )
        sum += query->direction[k] * query->direction[k];
    for ( int k = 0; k < axisCount && moves; ++k )
    {
        way.unit[k] = query->direction[k] / sqrt( sum );
        moving += way.unit[k] != 0.0;
        way.onlyAxis = way.unit[k] != 0.0 ? k : way.onlyAxis;
    }
    way.onlyAxis = moving == 1 ? way.onlyAxis : -1;
    return way;
}

// --- boxes ------------------------------------------------------------------------------------------------

// By the time in which the way is within the box's bounds on every axis. False: never.
static bool reachBox( const Way* way, const refObject* box, double* distance )
{
    double enter = 0.0, leave = HUGE_VAL;
    for ( int k = 0; k < way->axisCount; ++k )
    {
        double toLower = box->lower[k] - way->query->upper[k];
        double toUpper = box->upper[k] - way->query->lower[k];
        double speed = way->unit[k];
        if ( speed == 0.0 && ( toLower > 0.0 || toUpper < 0.0 ) )
            return false;
        if ( speed > 0.0 )
        {
            enter = fmax( enter, toLower / speed );
            leave = fmin( leave, toUpper / speed );
        }
        else if ( speed < 0.0 )
        {
            enter = fmax( enter, toUpper / speed );
            leave = fmin( leave, toLower / speed );
        }
    }
    *distance = enter;
    return enter <= leave || ( enter <= (double)FLT_MAX && toFloat( enter ) <= toFloat( leave ) );
}

// --- rounds -----------------------------------------------------------------------------------------------

// The signed distance from the ball's centre to the query's box after it has gone so far: negative inside. It
// is a convex function of the time, since the distance to a convex set is one; *slope gets a slope of it.
static double gapAt( const Way* way, const refObject* ball, double time, double* slope )
{
    double sum = 0.0, sumSlope = 0.0;
    double inner = -HUGE_VAL, innerSlope = 0.0;
    for ( int k = 0; k < way->axisCount; ++k )
    {
        double shift = time * way->unit[k];
        double below = ( way->query->lower[k] - ball->center[k] ) + shift;
        double above = ( ball->center[k] - way->query->upper[k] ) - shift;
        double gap = below > above ? below : above;
        double gapSlope = below > above ? way->unit[k] : -way->unit[k];
        if ( gap > inner )
        {
            inner = gap;
            innerSlope = gapSlope;
        }
        if ( gap > 0.0 )
        {
            sum += gap * gap;
            sumSlope += gap * gapSlope;
        }
    }
    double distance = sqrt( sum );
    *slope = sum > 0.0 ? sumSlope / distance : innerSlope;
    return sum > 0.0 ? distance : inner;
}

static double largerFinite( double size, double x )
{
    return isfinite( x ) ? largerOf( size, fabs( x ) ) : size;
}

// The largest of the coordinates that matter, which is what double loses digits of.
static double coordinatesOf( const Way* way, const refObject* ball )
{
    double size = ball->radius;
    for ( int k = 0; k < way->axisCount; ++k )
    {
        size = largerFinite( size, ball->center[k] );
        size = largerFinite( size, way->query->lower[k] );
        size = largerFinite( size, way->query->upper[k] );
    }
    return size;
}

typedef enum Approach
{
    approach_reached,
    approach_never, // *time is when it is nearest, or later
    approach_tooFar
} Approach;

// Where the slope changes its sign, between a time at which it falls and one at which it does not.
static double closestTime( const Way* way, const refObject* ball, double falls, double rises )
{
    for ( int i = 0; i < 200; ++i )
    {
        double slope, middle = 0.5 * ( falls + rises );
        if ( !( middle > falls && middle < rises ) )
            break;
        gapAt( way, ball, middle, &slope );
        if ( slope < 0.0 )
            falls = middle;
        else
            rises = middle;
    }
    return rises;
}

// No less than the least gap between two times: where the tangents at them cross.
static double leastGap( const Way* way, const refObject* ball, double falls, double rises )
{
    double fallingSlope, risingSlope;
    double high = gapAt( way, ball, falls, &fallingSlope );
    double low = gapAt( way, ball, rises, &risingSlope );
    double crossing = ( low - high - risingSlope * ( rises - falls ) ) / ( fallingSlope - risingSlope );
    return high + fallingSlope * crossing;
}

// The first time at which the gap is at most `wanted`: Newton's method from the left. The function lies above
// each of its tangents, so no step goes past the first such time; and where it no longer falls and the gap is
// larger, there is none.
static Approach approach( const Way* way, const refObject* ball, double wanted, double* time )
{
    double reach = way->query->reach;
    double noise = 0x1p-40 * coordinatesOf( way, ball ) + 0x1p-147;
    // The largest float stands for all that is farther, too.
    double tooFar = reach < (double)FLT_MAX ? reach * ( 1.0 + 1e-5 ) + noise : 1e150;
    double before = 0.0, at = 0.0;
    for ( int i = 0; i < 1000; ++i )
    {
        double slope, gap = gapAt( way, ball, at, &slope );
        *time = at;
        if ( gap <= wanted )
            return approach_reached;
        if ( slope >= 0.0 )
        {
            // Mostly it is clear at once that it passes by, and need not be known when it is nearest.
            if ( at > before && leastGap( way, ball, before, at ) > wanted + 1e-5 * ( at + ball->radius ) )
                return approach_never;
            *time = closestTime( way, ball, before, at );
            return gapAt( way, ball, *time, &slope ) <= wanted ? approach_reached : approach_never;
        }
        if ( at >= tooFar )
            return approach_tooFar;
        double next = fmin( at + ( gap - wanted ) / -slope, tooFar );
        if ( next <= at )
            return approach_reached; // as near as double can tell
        before = at;
        at = next;
    }
    return approach_reached;
}

// The last time at which the gap is at most `wanted`, from one at which it is.
static double leavingTime( const Way* way, const refObject* ball, double wanted, double within )
{
    double slope, step = largerOf( within, 0x1p-149 );
    double beyond = within + step;
    for ( int i = 0; i < 2000 && beyond < 1e150 && gapAt( way, ball, beyond, &slope ) <= wanted; ++i )
    {
        within = beyond;
        step *= 2.0;
        beyond += step;
    }
    for ( int i = 0; i < 200; ++i )
    {
        double middle = 0.5 * ( within + beyond );
        if ( !( middle > within && middle < beyond ) )
            break;
        if ( gapAt( way, ball, middle, &slope ) <= wanted )
            within = middle;
        else
            beyond = middle;
    }
    return beyond;
}

// Squared distance from the centre to where the query starts, on all axes but one.
static double gapSqAcross( const Way* way, const refObject* ball, int without )
{
    double sum = 0.0;
    for ( int k = 0; k < way->axisCount; ++k )
    {
        double below = way->query->lower[k] - ball->center[k];
        double above = ball->center[k] - way->query->upper[k];
        double gap = largerOf( largerOf( below, above ), 0.0 );
        sum += k == without ? 0.0 : gap * gap;
    }
    return sum;
}

// False: it is surely not met.
static bool reachBall( const Way* way, const refObject* ball, refHit* hit )
{
    double radius = ball->radius;
    *hit = ( refHit ){ .key = ball->key, .isSure = true };
    if ( gapSqAcross( way, ball, -1 ) <= radius * radius )
        return true;
    double reach = way->query->reach;
    double time, slope, other, lowest = 0.0, highest = 0.0;
    Approach first = approach( way, ball, radius, &time );
    if ( reach == 0.0 || ( first == approach_tooFar && reach >= (double)FLT_MAX ) )
        return false;
    double scale = largerOf( time, radius ), coordinates = coordinatesOf( way, ball );
    double fine = 0x1p-23 * scale + 0x1p-50 * coordinates + 0x1p-149;
    double coarse = 1e-6 * scale + 0x1p-45 * coordinates + 0x1p-147;
    if ( approach( way, ball, radius + coarse, &lowest ) != approach_reached )
        return false;

    hit->isSure = approach( way, ball, radius - coarse, &other ) == approach_reached;
    gapAt( way, ball, 0.0, &slope );
    if ( first == approach_reached && way->onlyAxis >= 0 && slope < 0.0 )
        hit->isSure = gapSqAcross( way, ball, way->onlyAxis ) <= radius * radius;
    double slack = hit->isSure ? fine : coarse;
    approach( way, ball, radius + slack, &lowest );
    if ( approach( way, ball, radius - fine, &highest ) != approach_reached )
        highest = leavingTime( way, ball, radius + slack, time );
    hit->nearest = toFloat( lowest * ( 1.0 - 0x1p-23 ) );
    hit->highest = toFloat( highest * ( 1.0 + 0x1p-23 ) + 0x1p-149 );
    hit->isSure = hit->isSure && (double)hit->highest <= reach;
    return (double)hit->nearest <= reach;
}

// --- one object -------------------------------------------------------------------------------------------

static float distanceToPoint( const Way* way, const refObject* object )
{
    double sum = 0.0;
    for ( int k = 0; k < way->axisCount; ++k )
    {
        double at = way->query->lower[k];
        double below = ( object->round ? object->center[k] : object->lower[k] ) - at;
        double above = at - ( object->round ? object->center[k] : object->upper[k] );
        double gap = largerOf( largerOf( below, above ), 0.0 );
        sum += gap * gap;
    }
    return toFloat( largerOf( sqrt( sum ) - ( object->round ? object->radius : 0.0 ), 0.0 ) );
}

static bool overlaps( const Way* way, const refObject* object )
{
    refObject shape = { .round = way->query->kind == ref_overlapCircle, .radius = way->query->radius };
    for ( int k = 0; k < way->axisCount; ++k )
    {
        shape.lower[k] = shape.center[k] = way->query->lower[k];
        shape.upper[k] = way->query->upper[k];
    }
    return refTouch( &shape, object, way->axisCount );
}

static bool meets( const refQuery* query, const refObject* object )
{
    for ( uint32_t i = 0; i < query->ignoredCount; ++i )
    {
        if ( query->ignoredKeys[i] == object->key )
            return false;
    }
    return ( query->layer & object->mask ) != 0 && ( query->mask & object->layer ) != 0;
}

static bool reachObject( const Way* way, const refObject* object, refHit* hit )
{
    *hit = ( refHit ){ .key = object->key, .isSure = true };
    double distance;
    switch ( way->query->kind )
    {
        case ref_overlapBox:
        case ref_overlapCircle:
            return overlaps( way, object );
        case ref_nearest:
            hit->nearest = hit->highest = distanceToPoint( way, object );
            return (double)hit->nearest <= way->query->reach;
        default:
            break;
    }
    if ( object->round )
        return reachBall( way, object, hit );
    if ( reachBox( way, object, &distance ) == false )
        return false;
    hit->nearest = hit->highest = toFloat( distance );
    return (double)hit->nearest <= way->query->reach;
}

// --- all of them ------------------------------------------------------------------------------------------

static int compareHits( const void* left, const void* right )
{
    const refHit* p = left;
    const refHit* q = right;
    if ( p->nearest != q->nearest )
        return p->nearest < q->nearest ? -1 : 1;
    return p->key < q->key ? -1 : p->key > q->key;
}

void refAsk( const refQuery* query, const refObject* objects, size_t count, int axisCount, refHits* hits )
{
    Way way = makeWay( query, axisCount );
    hits->count = hits->undecidedCount = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        refHit hit;
        if ( meets( query, objects + i ) == false || reachObject( &way, objects + i, &hit ) == false )
            continue;
        if ( hits->count == hits->capacity )
        {
            hits->capacity = 2 * hits->capacity + 64;
            hits->data = realloc( hits->data, hits->capacity * sizeof( refHit ) );
            if ( hits->data == NULL )
                abort();
        }
        hits->data[hits->count++] = hit;
        hits->undecidedCount += hit.isSure == false;
    }
    if ( hits->count > 1 )
        qsort( hits->data, hits->count, sizeof( refHit ), compareHits );
    if ( query->kind == ref_nearest && hits->count > query->k )
        hits->count = query->k;
}

void refFreeHits( refHits* hits )
{
    free( hits->data );
    *hits = ( refHits ){ 0 };
}

static bool areEqual( const refHits* hits, const uint32_t* keys, const float* distances, size_t count )
{
    bool same = hits->count == count;
    for ( size_t i = 0; i < count && same; ++i )
    {
        const refHit* hit = hits->data + i;
        same = hit->key == keys[i] && hit->nearest == hit->highest &&
               hit->nearest == ( distances ? distances[i] : 0.0f );
    }
    return same;
}

static int compareKeys( const void* left, const void* right )
{
    const refHit* p = left;
    const refHit* q = right;
    return p->key < q->key ? -1 : p->key > q->key;
}

// Of the i-th of an answer; null hit: it should not be there.
static const char* findFault( const refHit* hit, const uint32_t* keys, const float* distances, size_t i )
{
    float distance = distances ? distances[i] : 0.0f;
    if ( hit == NULL )
        return "it is there and is not met";
    if ( !( distance >= hit->nearest && distance <= hit->highest ) )
        return "its distance is wrong";
    if ( i > 0 && distances && distances[i - 1] > distance )
        return "it is less far than the one before it";
    if ( i > 0 && ( distances == NULL || distances[i - 1] == distance ) && keys[i - 1] >= keys[i] )
        return "it is as far as the one before it, and its key is not larger";
    return NULL;
}

refFault refFindFault( const refHits* hits, const uint32_t* keys, const float* distances, size_t count )
{
    refFault fault = { 0 };
    if ( areEqual( hits, keys, distances, count ) )
        return fault;
    refHit* byKey = malloc( ( hits->count + 1 ) * sizeof( refHit ) );
    bool* isFound = calloc( hits->count + 1, sizeof( bool ) );
    if ( byKey == NULL || isFound == NULL )
        abort();
    for ( size_t i = 0; i < hits->count; ++i )
        byKey[i] = hits->data[i];
    qsort( byKey, hits->count, sizeof( refHit ), compareKeys );
    for ( size_t i = 0; i < count && fault.text == NULL; ++i )
    {
        refHit wanted = { .key = keys[i] };
        const refHit* hit = bsearch( &wanted, byKey, hits->count, sizeof( refHit ), compareKeys );
        fault = ( refFault ){ findFault( hit, keys, distances, i ), keys[i] };
        if ( hit != NULL )
            isFound[hit - byKey] = true;
    }
    for ( size_t i = 0; i < hits->count && fault.text == NULL; ++i )
    {
        if ( byKey[i].isSure && isFound[i] == false )
            fault = ( refFault ){ "it is met and is not there", byKey[i].key };
    }
    free( byKey );
    free( isFound );
    return fault;
}
