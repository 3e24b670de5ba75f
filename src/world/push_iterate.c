// SPDX-License-Identifier: MIT
// Push apart: from pass to pass. Bodies move by what their contacts added up, accelerated, and are held
// within the limits in which neighbours are known; or neighbours are found again.
#include "pusher.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TRACK_BLOCK 1024u

// Spectral radius that the acceleration assumes. Larger leaves less overlap after few passes but throws
// bodies past each other: at 0.85 a hundredth of the crowd reaches the limit, at 0.75 a thousandth.
#define SPECTRAL_RADIUS 0.75

// A find costs about as much as this many passes. Not before so many is it worth to find again for the
// sake of bodies that the limit stopped.
#define PASSES_PER_FIND 8u

static double distanceSqOf( const float a[3], const float b[3] )
{
    double distanceSq = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double difference = (double)a[axis] - (double)b[axis];
        distanceSq += difference * difference;
    }
    return distanceSq;
}

// Brings `next` back within the limit of the start; `now` is within it already. Aims inside by what rounding
// to float may add, and stays where it is if that is still too far (so far from the origin that floats are as
// coarse as the limit).
static double holdBack( float next[3], const float now[3], const float start[3], double limit )
{
    double largest = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double x = fabs( (double)start[axis] ) + limit;
        largest = x > largest ? x : largest;
    }
    const double factor = ( limit - largest * 0x1p-23 ) / sqrt( distanceSqOf( next, start ) );
    for ( int axis = 0; axis < 3 && factor > 0.0; ++axis )
    {
        const double way = (double)next[axis] - (double)start[axis];
        next[axis] = (float)( (double)start[axis] + way * factor );
    }
    const double heldSq = distanceSqOf( next, start );
    if ( heldSq <= limit * limit )
    {
        return heldSq;
    }
    memcpy( next, now, 3 * sizeof( float ) );
    return distanceSqOf( next, start );
}

void joPusher_HoldBack( joPushState* state, const float start[3], float limit )
{
    if ( distanceSqOf( state->position, start ) > (double)limit * (double)limit )
    {
        holdBack( state->position, start, start, (double)limit );
    }
}

static float clampToFloat( double value )
{
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : (float)value;
}

// Moves the bodies that had a contact since neighbours were found, which are all that had a correction or
// that the acceleration carries on.
static inline void moveRange(
    const joPushPass* pass, uint32_t begin, uint32_t end, joPushTally* tally, int axisCount )
{
    const joPusher* pusher = pass->pusher;
    joPushState* states = pusher->states.data;
    joPushSum* sums = pusher->sums.data;
    joPushTrack* tracks = pusher->tracks.data;
    const uint32_t contactsNow = pusher->contactsNow;
    const double unit = 1.0 / pusher->quantum;
    const float* limits = pusher->limits.data;
    for ( uint32_t k = begin; k < end; ++k )
    {
        const uint32_t ahead = tracks[k + JO_PUSH_AHEAD < end ? k + JO_PUSH_AHEAD : k].slot;
        __builtin_prefetch( &states[ahead], 1 );
        __builtin_prefetch( &sums[ahead], 1 );
        joPushTrack* track = &tracks[k];
        joPushState* state = &states[track->slot];
        joPushSum* sum = &sums[track->slot];
        float next[3] = { 0.0f, 0.0f, 0.0f };
        double waySq = 0.0;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const double now = (double)state->position[axis];
            const double previous = pass->weight == 1.0 ? now : (double)track->previous[axis];
            const double pushed = now + (double)sum->sum[axis] * unit;
            next[axis] = clampToFloat( previous + pass->weight * ( pushed - previous ) );
            const double way = (double)next[axis] - (double)track->start[axis];
            waySq += way * way;
            sum->sum[axis] = 0;
        }
        const double limit = limits != NULL ? (double)limits[track->slot] : pass->limit;
        if ( waySq > limit * limit )
        {
            // In memory of its own, for what is usual to stay in registers.
            float held[3] = { next[0], next[1], next[2] };
            waySq = holdBack( held, state->position, track->start, limit );
            memcpy( next, held, sizeof( next ) );
            // Not for the sake of a trifle: an eighth of the limit is left to the next frame.
            tally->held = tally->held || ( sum->contacts[1 - contactsNow] & JO_PUSH_DEEP ) != 0;
        }
        tally->farthestSq = waySq > tally->farthestSq ? waySq : tally->farthestSq;
        sum->contacts[contactsNow] = 0;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            track->previous[axis] = state->position[axis];
            state->position[axis] = next[axis];
        }
    }
}

static void moveBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joPushPass* pass = context;
    joPushTally tally = pass->pusher->tallies[worker];
    if ( pass->pusher->axisCount == 2 )
    {
        moveRange( pass, begin, end, &tally, 2 );
    }
    else
    {
        moveRange( pass, begin, end, &tally, 3 );
    }
    pass->pusher->tallies[worker] = tally;
}

// Moves nothing if nothing overlapped.
static joPushTally runPass( joPusher* pusher, double weight, double limit )
{
    joPushPass pass = { pusher, jo_workPush, weight, limit };
    const joPushTally pushed = joPusher_WorkOnPairs( &pass );
    if ( pushed.deepest == 0.0 )
    {
        return pushed;
    }
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->trackCount, TRACK_BLOCK, moveBlock, &pass );
    pusher->contactsNow = 1 - pusher->contactsNow;
    pusher->detected = false;
    joPushTally tally = joPusher_JoinTallies( pusher );
    tally.deepest = pushed.deepest;
    return tally;
}

// Weight of the pass after one of `weight`, `passes` of which have run.
static double nextWeight( double weight, uint32_t passes )
{
    const double rhoSq = SPECTRAL_RADIUS * SPECTRAL_RADIUS;
    return passes == 1 ? 2.0 / ( 2.0 - rhoSq ) : 4.0 / ( 4.0 - rhoSq * weight );
}

static joResult findAgain( joPusher* pusher, joPushTally* measure )
{
    joResult result = joPusher_KeepView( pusher );
    if ( result == jo_success )
    {
        result = joPusher_FindNeighbours( pusher );
    }
    pusher->foundAgain = true;
    if ( result == jo_success )
    {
        *measure = joPusher_Measure( pusher );
    }
    return result;
}

// The need from which bodies go freely, in limits. One would undo each overlap in one call, but the deepest
// of a large crowd is beyond that in many frames, and a find in each pass for the sake of a few pairs costs
// several times what all else does; at two, such a pair is parted half at least now, and the rest in the next
// call.
#define FREE_NEED 2.0

// Between two finds bodies are stopped at the limit. Where some overlap needs much more (a pile, a teleported
// body, margin 0) they go freely, and neighbours are found again whenever one has gone too far.
joResult joPusher_Iterate( joPusher* pusher, joPushTally before, joPushTally* left )
{
    const double limit = 0.5 * (double)pusher->def.margin;
    double weight = 1.0;
    bool free = before.need > FREE_NEED * limit;
    uint32_t passesSinceFind = 0;
    bool stale = false; // some pairs that are no neighbours may overlap
    bool held = false;
    *left = before;
    for ( uint32_t i = 0; i < pusher->def.iterations && left->deepest > 0.0; ++i )
    {
        if ( stale || ( held && passesSinceFind >= PASSES_PER_FIND ) )
        {
            const joResult result = findAgain( pusher, left );
            if ( result != jo_success )
            {
                return result;
            }
            free = left->need > FREE_NEED * limit;
            passesSinceFind = 0;
            stale = held = false;
            weight = 1.0;
            if ( left->deepest == 0.0 )
            {
                break;
            }
        }
        const joPushTally pass = runPass( pusher, weight, free ? (double)INFINITY : limit );
        if ( pass.deepest == 0.0 )
        {
            // Nothing overlapped before this pass: leave it out, it would only carry on the last one's
            // motion.
            break;
        }
        passesSinceFind += 1;
        weight = nextWeight( weight, passesSinceFind );
        stale = free && pass.farthestSq > limit * limit;
        held = pass.held;
    }
    if ( stale )
    {
        return findAgain( pusher, left );
    }
    const joPushPass measure = { .pusher = pusher, .work = jo_workMeasure };
    *left = joPusher_WorkOnPairs( &measure );
    return jo_success;
}

void joPusher_RunPasses( joPusher* pusher )
{
    double weight = 1.0;
    for ( uint32_t i = 0; i < pusher->def.iterations; ++i )
    {
        const joPushTally pass = runPass( pusher, weight, 0.5 * (double)pusher->def.margin );
        if ( pass.deepest == 0.0 )
        {
            break;
        }
        weight = nextWeight( weight, i + 1 );
    }
}
