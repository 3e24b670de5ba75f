// SPDX-License-Identifier: MIT
// The shapes of queries: what structures look for, and the exact test of one object, in double.
//
// A box against a ray by slabs (Kay and Kajiya, "Ray Tracing Complex Scenes", 1986); a box that is swept is a
// ray against boxes that are larger by its size. A round one that a swept box meets is a point against the
// rounded box, which is taken apart into boxes, cylinders and balls (after Ericson, "Real-Time Collision
// Detection", 2005, 5.5.7, which tells the parts apart by regions; here all are tried).
//
// Where a decision is close, it is made of values that have been rounded to float: what touches by the
// numbers that the caller gave does not come apart by a unit in the last place of a double.
#include "base/float_env.h"
#include "query.h"

#include <float.h>
#include <math.h>

// An axis on which a ray moves by less than this for each unit of its way is taken as one where it stands
// still, at all places that it comes to: the inverse would be beyond floats.
#define FLAT_DIRECTION 1e-30

// Bounds that are nearer to 0 than this are moved outwards by the smallest normal float, which is more than
// denormal products err by.
#define TINY_BOUND 1e-30f

// A hit is one whose rounded distance is within: half a unit in the last place more.
#define ROUNDED_REACH ( 1.0 + 0x1p-23 )

static float roundDistance( double distance )
{
    return distance < (double)FLT_MAX ? (float)distance : FLT_MAX;
}

// Whether a is at most b as far as floats can tell. Beyond the largest they can not.
static bool isAtMost( double a, double b )
{
    return a <= b || ( a <= (double)FLT_MAX && (float)a <= roundDistance( b ) );
}

// At most x, by a few units in the last place. Which way a number rounds is no better than a coin, so there
// is no branch on it: a ray would pay for it on each axis.
static inline float roundDown( double x )
{
    const double kept = x < 2.0 * (double)FLT_MAX ? x : 2.0 * (double)FLT_MAX;
    return (float)( kept - fabs( kept ) * 0x1p-23 - 0x1p-149 ); // beyond floats: infinite
}

static inline float roundUp( double x )
{
    return -roundDown( -x );
}

joResult joQuery_SetFilter( joQuery* query, const joQueryFilter* filter )
{
    if ( filter == NULL )
    {
        return jo_success;
    }
    if ( filter->ignoredKeys == NULL && filter->ignoredCount > 0 )
    {
        return jo_errorNullArgument;
    }
    query->filter = ( joFilter ){ filter->layer, filter->mask };
    query->ignoredKeys = filter->ignoredKeys;
    query->ignoredCount = filter->ignoredCount;
    return jo_success;
}

static float testOverlap( const joQuery* query, const joBoxRecord* record, const joRound* round )
{
    const uint32_t axisCount = query->probe.axisCount;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        if ( record->lower[axis] > query->record.upper[axis] ||
             record->upper[axis] < query->record.lower[axis] )
        {
            return INFINITY;
        }
    }
    return joRoundsTouch( &query->record, &query->round, record, round, axisCount ) ? 0.0f : INFINITY;
}

static void setBounds( joQuery* query )
{
    query->probe.done = false;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        query->probe.bounds[axis] = query->record.lower[axis];
        query->probe.bounds[3 + axis] = query->record.upper[axis];
    }
}

joResult joCheckQueryBox( const float* lower, const float* upper, uint32_t axisCount )
{
    bool isNumber = true;
    bool isUpright = true;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        isNumber = isNumber && !isnan( lower[axis] ) && !isnan( upper[axis] );
        // As objects: at infinity there is no place.
        isUpright =
            isUpright && lower[axis] <= upper[axis] && lower[axis] < INFINITY && upper[axis] > -INFINITY;
    }
    return !isNumber ? jo_errorNotANumber : !isUpright ? jo_errorInvertedBox : jo_success;
}

joResult joCheckQueryCircle( const float* center, float radius, uint32_t axisCount )
{
    bool isNumber = !isnan( radius );
    bool isGood = radius >= 0.0f && isfinite( radius );
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        isNumber = isNumber && !isnan( center[axis] );
        isGood = isGood && isfinite( center[axis] );
    }
    return !isNumber ? jo_errorNotANumber : !isGood ? jo_errorBadRadius : jo_success;
}

void joQuery_SetBox( joQuery* query, const float* lower, const float* upper )
{
    for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
    {
        query->record.lower[axis] = lower[axis];
        query->record.upper[axis] = upper[axis];
    }
    query->round.radius = -1.0f;
    setBounds( query );
}

void joQuery_SetCircle( joQuery* query, const float* center, float radius )
{
    for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
    {
        query->round.center[axis] = center[axis];
        // What touches is for the formula to say, as with pairs: the box has room for its roundings.
        const double reach = (double)radius + ( fabs( (double)center[axis] ) + (double)radius ) * 0x1p-22;
        query->record.lower[axis] = roundDown( (double)center[axis] - reach );
        query->record.upper[axis] = roundUp( (double)center[axis] + reach );
    }
    query->round.radius = radius;
    setBounds( query );
}

// Of a point or box that moves from [query->lower, query->upper], against a box. +inf: not met.
static double timeOfBox( const joQuery* query, const double lower[3], const double upper[3] )
{
    double enter = 0.0;
    double leave = (double)INFINITY;
    for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
    {
        const double speed = query->direction[axis];
        double toLower = lower[axis] - query->upper[axis];
        double toUpper = upper[axis] - query->lower[axis];
        // Both without end on this side: they always overlap there.
        toLower = isnan( toLower ) ? -(double)INFINITY : toLower;
        toUpper = isnan( toUpper ) ? (double)INFINITY : toUpper;
        if ( speed == 0.0 )
        {
            if ( toLower > 0.0 || toUpper < 0.0 )
            {
                return (double)INFINITY;
            }
            continue;
        }
        const double first = ( speed > 0.0 ? toLower : toUpper ) / speed;
        const double last = ( speed > 0.0 ? toUpper : toLower ) / speed;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return isAtMost( enter, leave ) ? enter : (double)INFINITY;
}

// When a point, at `toCenter` from the centre of a ball (or a circle, of a cylinder seen along its axis) and
// moving by `speed`, comes to its surface from outside. +inf: never.
static double timeOfBall( const double* toCenter, const double* speed, uint32_t axisCount, double radius )
{
    double along = 0.0;
    double speedSq = 0.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        along += toCenter[k] * speed[k];
        speedSq += speed[k] * speed[k];
    }
    if ( !( along > 0.0 ) )
    {
        return (double)INFINITY;
    }
    const double nearest = along / speedSq;
    double missSq = 0.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        const double miss = toCenter[k] - nearest * speed[k];
        missSq += miss * miss;
    }
    // As floats of lengths, not of squares, which may be beyond floats.
    if ( !isAtMost( sqrt( missSq ), radius ) )
    {
        return (double)INFINITY;
    }
    const double inside = radius * radius - missSq;
    const double time = nearest - ( inside > 0.0 ? sqrt( inside / speedSq ) : 0.0 );
    return time > 0.0 ? time : 0.0;
}

static inline double smallerOf( double a, double b )
{
    return b < a ? b : a;
}

// The edges (3D) that run along `axis`, and their ends.
static double timeOfCorners( const joQuery* query, const double center[3], double radius )
{
    const uint32_t axisCount = query->probe.axisCount;
    double time = (double)INFINITY;
    for ( uint32_t corner = 0; corner < 1u << axisCount; ++corner )
    {
        double toCenter[3] = { 0.0, 0.0, 0.0 };
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            toCenter[axis] =
                center[axis] - ( ( corner >> axis & 1 ) ? query->upper[axis] : query->lower[axis] );
        }
        if ( isfinite( toCenter[0] ) && isfinite( toCenter[1] ) && isfinite( toCenter[2] ) )
        {
            time = smallerOf( time, timeOfBall( toCenter, query->direction, axisCount, radius ) );
        }
        for ( uint32_t axis = 0; axis < axisCount && axisCount == 3; ++axis )
        {
            const uint32_t b = ( axis + 1 ) % 3;
            const uint32_t c = ( axis + 2 ) % 3;
            if ( ( corner >> axis & 1 ) || !isfinite( toCenter[b] ) || !isfinite( toCenter[c] ) )
            {
                continue; // an edge has two ends, and is tried once
            }
            const double across[2] = { toCenter[b], toCenter[c] };
            const double speed[2] = { query->direction[b], query->direction[c] };
            const double met = timeOfBall( across, speed, 2, radius );
            const double place = center[axis] - met * query->direction[axis];
            if ( met < (double)INFINITY && place >= query->lower[axis] && place <= query->upper[axis] )
            {
                time = smallerOf( time, met );
            }
        }
    }
    return time;
}

static double timeOfRound( const joQuery* query, const joRound* round )
{
    const uint32_t axisCount = query->probe.axisCount;
    const double radius = (double)round->radius;
    double center[3] = { 0.0, 0.0, 0.0 };
    double gapSq = 0.0;
    bool isPoint = true;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        center[axis] = (double)round->center[axis];
        const double below = query->lower[axis] - center[axis];
        const double above = center[axis] - query->upper[axis];
        const double gap = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        gapSq += gap * gap;
        isPoint = isPoint && query->lower[axis] == query->upper[axis];
    }
    if ( gapSq <= radius * radius )
    {
        return 0.0;
    }
    if ( isPoint )
    {
        // Corners, edges and sides are all in one place.
        double toCenter[3] = { 0.0, 0.0, 0.0 };
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            toCenter[axis] = center[axis] - query->lower[axis];
        }
        return timeOfBall( toCenter, query->direction, axisCount, radius );
    }
    double time = timeOfCorners( query, center, radius );
    for ( uint32_t side = 0; side < axisCount; ++side )
    {
        double lower[3] = { center[0], center[1], center[2] };
        double upper[3] = { center[0], center[1], center[2] };
        lower[side] -= radius;
        upper[side] += radius;
        time = smallerOf( time, timeOfBox( query, lower, upper ) );
    }
    return time;
}

static float testWay( const joQuery* query, const joBoxRecord* record, const joRound* round )
{
    double time;
    if ( round != NULL && round->radius >= 0.0f )
    {
        time = timeOfRound( query, round );
    }
    else
    {
        double lower[3], upper[3];
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            lower[axis] = (double)record->lower[axis];
            upper[axis] = (double)record->upper[axis];
        }
        time = timeOfBox( query, lower, upper );
    }
    return time < (double)INFINITY ? roundDistance( time ) : INFINITY;
}

static float awayFrom( float bound, float direction )
{
    return fabsf( bound ) < TINY_BOUND ? bound + direction * FLT_MIN : bound;
}

// What is met within the limit lies in `bounds`, on an axis on which the way goes on by `speed` for each
// unit.
static void boundWay( double lower, double upper, double speed, float limit, float bounds[2] )
{
    // Without end is as far as to where no float comes, and makes no NaN of a direction of 0.
    const double reach = ( (double)limit < 1e150 ? (double)limit : 1e150 ) * ROUNDED_REACH;
    const double half = 0.5 * speed * reach;
    bounds[0] = roundDown( lower + ( half - fabs( half ) ) );
    bounds[1] = roundUp( upper + ( half + fabs( half ) ) );
}

// Where the near and the far side of a box are measured from. Which way a ray points is no better than a
// coin: no branches on it.
static inline void setOrigins( const float sides[2], bool isBackward, float* nearOrigin, float* farOrigin )
{
    const float ends[2] = { awayFrom( sides[0], -1.0f ), awayFrom( sides[1], 1.0f ) };
    *nearOrigin = ends[!isBackward];
    *farOrigin = ends[isBackward];
}

// No distance is larger than the largest float, so that is as good as without end.
static inline float limitOf( float length )
{
    return length >= FLT_MAX ? INFINITY : length;
}

// `size` is the length of `direction`.
static void setRayLanes( joQuery* query, const float* lower, const float* upper, const float* direction,
    double size, float length )
{
    joProbe* probe = &query->probe;
    probe->limit = limitOf( length );
    for ( uint32_t axis = 0; axis < probe->axisCount; ++axis )
    {
        const double speed = query->direction[axis];
        float sides[2] = { lower[axis], upper[axis] };
        float inverse = (float)( size / (double)direction[axis] );
        if ( fabs( speed ) < FLAT_DIRECTION )
        {
            boundWay( query->lower[axis], query->upper[axis], speed, probe->limit, sides );
            inverse = INFINITY;
        }
        const bool isBackward = inverse < 0.0f;
        setOrigins( sides, isBackward, &probe->ray.nearOrigin[axis], &probe->ray.farOrigin[axis] );
        probe->ray.inverse[axis] = inverse;
        probe->ray.isBackward[axis] = isBackward;
        probe->direction[axis] = (float)speed;
    }
}

uint32_t joMakeStreamRay( joStreamRay* ray, const float* lower, const float* upper, const float* direction,
    float length, uint32_t axisCount )
{
    double lengthSq = 0.0;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        lengthSq += (double)direction[axis] * (double)direction[axis];
    }
    const double size = sqrt( lengthSq );
    uint32_t way = 0;
    ray->limit = limitOf( length );
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const double component = length > 0.0f ? (double)direction[axis] : 0.0;
        float sides[2] = { lower[axis], upper[axis] };
        float inverse = (float)( size / component );
        if ( component == 0.0 || fabs( component ) < FLAT_DIRECTION * size )
        {
            const double speed = component == 0.0 ? 0.0 : component / size;
            boundWay( (double)lower[axis], (double)upper[axis], speed, ray->limit, sides );
            inverse = INFINITY;
        }
        const bool isBackward = inverse < 0.0f;
        setOrigins( sides, isBackward, &ray->nearOrigin[axis], &ray->farOrigin[axis] );
        ray->nearInverse[axis] = inverse * JO_DISTANCE_SHRINK;
        ray->farInverse[axis] = inverse;
        way |= ( isBackward ? 1u : 0u ) << axis;
    }
    return way;
}

static joResult checkWay( const float* direction, float length, uint32_t axisCount )
{
    bool isNumber = !isnan( length );
    double lengthSq = 0.0;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        isNumber = isNumber && ( length == 0.0f || !isnan( direction[axis] ) );
        lengthSq += (double)direction[axis] * (double)direction[axis];
    }
    const bool isGood = length == 0.0f || ( length > 0.0f && lengthSq > 0.0 && isfinite( lengthSq ) );
    return !isNumber ? jo_errorNotANumber : !isGood ? jo_errorBadRay : jo_success;
}

joResult joCheckRay( const joRay* ray, uint32_t axisCount )
{
    bool isFinite = true;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        if ( isnan( ray->origin[axis] ) )
        {
            return jo_errorNotANumber;
        }
        isFinite = isFinite && isfinite( ray->origin[axis] );
    }
    const joResult result = checkWay( ray->direction, ray->length, axisCount );
    return result == jo_success && !isFinite ? jo_errorBadRay : result;
}

joResult joCheckSweptBox( const joSweptBox* box, uint32_t axisCount )
{
    const joResult result = joCheckQueryBox( box->lower, box->upper, axisCount );
    return result != jo_success ? result : checkWay( box->direction, box->length, axisCount );
}

static void setWay(
    joQuery* query, const float* lower, const float* upper, const float* direction, float length )
{
    const uint32_t axisCount = query->probe.axisCount;
    double lengthSq = 0.0;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        query->lower[axis] = (double)lower[axis];
        query->upper[axis] = (double)upper[axis];
        lengthSq += (double)direction[axis] * (double)direction[axis];
    }
    const double size = sqrt( lengthSq );
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        query->direction[axis] = length > 0.0f ? (double)direction[axis] / size : 0.0;
    }
    query->probe.done = false;
    setRayLanes( query, lower, upper, direction, size, length );
}

void joQuery_SetRay( joQuery* query, const joRay* ray )
{
    setWay( query, ray->origin, ray->origin, ray->direction, ray->length );
}

void joQuery_SetSweptBox( joQuery* query, const joSweptBox* box )
{
    setWay( query, box->lower, box->upper, box->direction, box->length );
}

static float testDistance( const joQuery* query, const joBoxRecord* record, const joRound* round )
{
    const bool isRound = round != NULL && round->radius >= 0.0f;
    double sum = 0.0;
    for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
    {
        const double lower = (double)( isRound ? round->center[axis] : record->lower[axis] );
        const double upper = (double)( isRound ? round->center[axis] : record->upper[axis] );
        const double below = lower - query->lower[axis];
        const double above = query->lower[axis] - upper;
        const double gap = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        sum += gap * gap;
    }
    const double distance = sqrt( sum ) - ( isRound ? (double)round->radius : 0.0 );
    return roundDistance( distance > 0.0 ? distance : 0.0 );
}

joResult joCheckQueryPoint( const float* point, float maxDistance, uint32_t axisCount )
{
    bool isNumber = !isnan( maxDistance );
    bool isGood = maxDistance >= 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        isNumber = isNumber && !isnan( point[axis] );
        isGood = isGood && isfinite( point[axis] );
    }
    return !isNumber ? jo_errorNotANumber : !isGood ? jo_errorBadRadius : jo_success;
}

void joQuery_SetPoint( joQuery* query, const float* point, float maxDistance )
{
    joProbe_SetLimit( &query->probe, maxDistance );
    for ( uint32_t axis = 0; axis < query->probe.axisCount; ++axis )
    {
        query->lower[axis] = query->upper[axis] = (double)point[axis];
        query->probe.point[axis] = point[axis];
    }
    query->probe.done = false;
}

void joQuery_FindBounds( joQuery* query )
{
    joProbe* probe = &query->probe;
    const double reach = (double)probe->limit * ROUNDED_REACH;
    for ( uint32_t axis = 0; axis < probe->axisCount; ++axis )
    {
        if ( probe->kind == jo_probeRay )
        {
            float bounds[2];
            boundWay( query->lower[axis], query->upper[axis], query->direction[axis], probe->limit, bounds );
            probe->bounds[axis] = bounds[0];
            probe->bounds[3 + axis] = bounds[1];
        }
        else if ( probe->kind == jo_probePoint )
        {
            probe->bounds[axis] = roundDown( query->lower[axis] - reach );
            probe->bounds[3 + axis] = roundUp( query->upper[axis] + reach );
        }
    }
}

void joQuery_Begin( joQuery* query, const joBroadPhase* front, joQueryShape shape )
{
    static const struct
    {
        joProbeKind kind;
        joQueryTestFcn* test;
    } s_shapes[] = {
        [jo_queryBox] = { jo_probeBox, testOverlap },
        [jo_queryCircle] = { jo_probeBox, testOverlap },
        [jo_queryRay] = { jo_probeRay, testWay },
        [jo_querySweptBox] = { jo_probeRay, testWay },
        [jo_queryPoint] = { jo_probePoint, testDistance },
    };
    // What is not set here, Set and Run set, or nobody reads.
    query->probe.kind = s_shapes[shape].kind;
    query->probe.axisCount = front->context.axisCount;
    query->probe.kernels = front->context.kernels;
    query->probe.limit = query->probe.limitSq = INFINITY;
    query->probe.done = false;
    query->front = front;
    query->test = s_shapes[shape].test;
    query->record = ( joBoxRecord ){ 0 };
    query->filter = ( joFilter ){ UINT64_MAX, UINT64_MAX };
    query->ignoredKeys = NULL;
    query->ignoredCount = 0;
}
