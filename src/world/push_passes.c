// SPDX-License-Identifier: MIT
// The passes of push apart: Jacobi iteration on overlaps, accelerated.
//
// After Mueller, Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, and Macklin, Mueller,
// Chentanez and Kim, "Unified Particle Physics for Real-Time Applications", 2014, who average a body's
// corrections so that many at once do not overshoot. Where it departs from them:
// - the average is taken per pair, by the larger number of contacts of the two, so that both sides of a pair
//   are scaled alike and the centre of mass stays where it is; and from two contacts on (overlaps on opposite
//   sides do not add up);
// - Chebyshev's semi-iterative method on top (Wang, "A Chebyshev Semi-Iterative Approach for Accelerating
//   Projective and Position-Based Dynamics", 2015): the same passes leave about half the overlap. In the
//   crowd of benchmarks.md four passes leave 0.012 where plain Jacobi leaves 0.035.
// Why it converges: scaled by 2 / contacts, the plain step has eigenvalues in [-1, 1] (Gershgorin: a pair
// shares bodies with at most contacts(a) + contacts(b) - 2 others, each with weight at most 1 / 2), and there
// Chebyshev's two-step recurrence is stable for any weight below 2.
//
// Why `deepest` holds for all bodies, not only for neighbours: two that are not neighbours were at least
// radiusA + radiusB + margin apart when neighbours were found. While no body has gone farther than margin / 2
// from there, they cannot overlap. So a body is either stopped at that limit, or neighbours are found again.
#include "pusher.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PASS_BLOCK 512u

// Spectral radius that the acceleration assumes. Larger leaves less overlap after few passes but throws
// bodies past each other: at 0.85 a hundredth of the crowd reaches the limit, at 0.75 a thousandth.
#define SPECTRAL_RADIUS 0.75

// A find costs about as much as this many passes. Not before so many is it worth to find again for the
// sake of bodies that the limit stopped.
#define PASSES_PER_FIND 8u

typedef struct PassContext
{
    joPusher* pusher;
    double weight; // of Chebyshev's step; 1: plain
    double limit;  // way a body may go from its start
} PassContext;

void joPusher_ClearTallies( joPusher* pusher )
{
    for ( uint32_t i = 0; i < pusher->workerCount; ++i )
    {
        pusher->tallies[i] = ( joPushTally ){ .firstBad = JO_NULL_INDEX };
    }
}

joPushTally joPusher_JoinTallies( const joPusher* pusher )
{
    joPushTally all = { .firstBad = JO_NULL_INDEX };
    for ( uint32_t i = 0; i < pusher->workerCount; ++i )
    {
        const joPushTally* one = &pusher->tallies[i];
        all.deepest = one->deepest > all.deepest ? one->deepest : all.deepest;
        all.need = one->need > all.need ? one->need : all.need;
        all.farthestSq = one->farthestSq > all.farthestSq ? one->farthestSq : all.farthestSq;
        all.overlapCount += one->overlapCount;
        if ( one->firstBad < all.firstBad )
        {
            all.firstBad = one->firstBad;
            all.badResult = one->badResult;
        }
        all.largestRadius = one->largestRadius > all.largestRadius ? one->largestRadius : all.largestRadius;
        all.held = all.held || one->held;
        all.anyStill = all.anyStill || one->anyStill;
    }
    return all;
}

// Overlap of two bodies; 0 if there is none. difference: from b to a. In double, where neither squares of the
// smallest floats vanish nor those of the largest overflow.
static inline double overlapOf( const joPushState* a, const joPushState* b, double reach, int axisCount,
    double difference[3], double* distance )
{
    double distanceSq = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        difference[axis] = (double)a->position[axis] - (double)b->position[axis];
        distanceSq += difference[axis] * difference[axis];
    }
    if ( distanceSq >= reach * reach )
    {
        return 0.0;
    }
    *distance = sqrt( distanceSq );
    return reach - *distance > 0.0 ? reach - *distance : 0.0;
}

// Overlaps below this are beyond what floats at these positions can tell, a few units in their last place.
// They are not pushed for, nor counted as contacts: else rounding would decide whether a pair that has just
// been parted gets another pass, with all the motion that carries on.
static inline double resolutionOf( const joPushState* a, const joPushState* b, double reach, int axisCount )
{
    double largest = reach;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const double x = fabs( (double)a->position[axis] );
        const double y = fabs( (double)b->position[axis] );
        largest = x > largest ? x : largest;
        largest = y > largest ? y : largest;
    }
    return largest * 0x1p-21;
}

static inline void measureRange(
    joPusher* pusher, uint32_t begin, uint32_t end, joPushTally* tally, int axisCount )
{
    joPushState* states = joPusher_State( pusher );
    const joPushMass* masses = pusher->masses.data;
    const uint32_t* active = pusher->active.data;
    const uint32_t* offsets = pusher->offsets.data;
    const uint32_t* neighbours = pusher->neighbours.data;
    for ( uint32_t k = begin; k < end; ++k )
    {
        const uint32_t i = active[k];
        uint32_t contacts = 0;
        for ( uint32_t n = offsets[i]; n < offsets[i + 1]; ++n )
        {
            const uint32_t j = neighbours[n];
            const double reach = (double)masses[i].radius + (double)masses[j].radius;
            double difference[3];
            double distance = 0.0;
            const double overlap =
                overlapOf( &states[i], &states[j], reach, axisCount, difference, &distance );
            if ( overlap > 0.0 )
            {
                const double inverseMass = (double)masses[i].inverseMass;
                const double need = overlap * inverseMass / ( inverseMass + (double)masses[j].inverseMass );
                contacts += overlap > resolutionOf( &states[i], &states[j], reach, axisCount );
                tally->deepest = overlap > tally->deepest ? overlap : tally->deepest;
                tally->need = need > tally->need ? need : tally->need;
                tally->overlapCount += 1;
            }
        }
        states[i].contacts = masses[i].inverseMass > 0.0f ? (float)contacts : 0.0f;
    }
}

static void measureBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joPusher* pusher = context;
    joPushTally tally = pusher->tallies[worker];
    if ( pusher->axisCount == 2 )
    {
        measureRange( pusher, begin, end, &tally, 2 );
    }
    else
    {
        measureRange( pusher, begin, end, &tally, 3 );
    }
    pusher->tallies[worker] = tally;
}

joPushTally joPusher_Measure( joPusher* pusher )
{
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->activeCount, PASS_BLOCK, measureBlock, pusher );
    return joPusher_JoinTallies( pusher );
}

typedef struct Gathered
{
    int64_t sum[3]; // in quanta
    uint32_t contacts;
    double deepest;
} Gathered;

// The corrections of all neighbours of slot i.
static inline Gathered gather( const joPusher* pusher, uint32_t i, int axisCount )
{
    const joPushState* states = joPusher_State( pusher );
    const joPushMass* masses = pusher->masses.data;
    const uint32_t* offsets = pusher->offsets.data;
    const uint32_t* neighbours = pusher->neighbours.data;
    const double inverseMass = (double)masses[i].inverseMass;
    Gathered all = { .sum = { 0, 0, 0 } };
    for ( uint32_t n = offsets[i]; n < offsets[i + 1]; ++n )
    {
        const uint32_t j = neighbours[n];
        const double reach = (double)masses[i].radius + (double)masses[j].radius;
        double difference[3];
        double distance = 0.0;
        const double overlap = overlapOf( &states[i], &states[j], reach, axisCount, difference, &distance );
        if ( overlap <= 0.0 || overlap <= resolutionOf( &states[i], &states[j], reach, axisCount ) )
        {
            continue;
        }
        all.contacts += 1;
        all.deepest = overlap > all.deepest ? overlap : all.deepest;
        // The share of this body, and the average over the contacts of the one that has more of them. One
        // division for all, for divisions are what this loop waits for.
        const float most = states[i].contacts > states[j].contacts ? states[i].contacts : states[j].contacts;
        const double average = most > 2.0f ? 0.5 * (double)most : 1.0;
        const double part = ( inverseMass + (double)masses[j].inverseMass ) * average;
        const double amount = overlap * inverseMass * pusher->quantum;
        if ( distance > 0.0 )
        {
            // Truncation towards zero: what a gets is the opposite of what b gets, to the bit.
            const double factor = amount / ( distance * part );
            for ( int axis = 0; axis < axisCount; ++axis )
            {
                all.sum[axis] += (int64_t)( difference[axis] * factor );
            }
        }
        else
        {
            const int64_t quanta = (int64_t)( amount / part );
            all.sum[0] += joPusher_Index( pusher, i ) < joPusher_Index( pusher, j ) ? -quanta : quanta;
        }
    }
    return all;
}

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

static float clampToFloat( double value )
{
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : (float)value;
}

static inline void passRange(
    const PassContext* pass, uint32_t begin, uint32_t end, joPushTally* tally, int axisCount )
{
    joPusher* pusher = pass->pusher;
    const joPushState* states = joPusher_State( pusher );
    joPushState* nextStates = pusher->states[1 - pusher->current].data;
    const joPushState* starts = pusher->starts.data;
    const joPushMass* masses = pusher->masses.data;
    const uint32_t* active = pusher->active.data;
    const double unit = 1.0 / pusher->quantum;
    for ( uint32_t k = begin; k < end; ++k )
    {
        const uint32_t i = active[k];
        if ( masses[i].inverseMass == 0.0f )
        {
            nextStates[i] = states[i];
            continue;
        }
        const Gathered all = gather( pusher, i, axisCount );
        tally->deepest = all.deepest > tally->deepest ? all.deepest : tally->deepest;
        joPushState next = { .contacts = (float)all.contacts };
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const double now = (double)states[i].position[axis];
            const double previous = pass->weight == 1.0 ? now : (double)nextStates[i].position[axis];
            const double pushed = now + (double)all.sum[axis] * unit;
            next.position[axis] = clampToFloat( previous + pass->weight * ( pushed - previous ) );
        }
        double waySq = distanceSqOf( next.position, starts[i].position );
        if ( waySq > pass->limit * pass->limit )
        {
            waySq = holdBack( next.position, states[i].position, starts[i].position, pass->limit );
            // Not for the sake of a trifle: an eighth of the limit is left to the next frame.
            tally->held = tally->held || all.deepest > pass->limit * 0.125;
        }
        tally->farthestSq = waySq > tally->farthestSq ? waySq : tally->farthestSq;
        nextStates[i] = next;
    }
}

static void passBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const PassContext* pass = context;
    joPushTally tally = pass->pusher->tallies[worker];
    if ( pass->pusher->axisCount == 2 )
    {
        passRange( pass, begin, end, &tally, 2 );
    }
    else
    {
        passRange( pass, begin, end, &tally, 3 );
    }
    pass->pusher->tallies[worker] = tally;
}

static joPushTally runPass( joPusher* pusher, double weight, double limit )
{
    PassContext pass = { pusher, weight, limit };
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->activeCount, PASS_BLOCK, passBlock, &pass );
    return joPusher_JoinTallies( pusher );
}

// Weight of the pass after one of `weight`, `passes` of which have run.
static double nextWeight( double weight, uint32_t passes )
{
    const double rhoSq = SPECTRAL_RADIUS * SPECTRAL_RADIUS;
    return passes == 1 ? 2.0 / ( 2.0 - rhoSq ) : 4.0 / ( 4.0 - rhoSq * weight );
}

static joResult findAgain( joPusher* pusher, joPushTally* measure )
{
    // A body without neighbours from here on is in no pass any more: both states must have it where it is.
    memcpy( pusher->states[1 - pusher->current].data, joPusher_State( pusher ),
        (size_t)pusher->count * sizeof( joPushState ) );
    joResult result = joPusher_KeepView( pusher );
    if ( result == jo_success )
    {
        result = joPusher_FindNeighbours( pusher );
    }
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
        pusher->current = 1 - pusher->current;
        passesSinceFind += 1;
        weight = nextWeight( weight, passesSinceFind );
        stale = free && pass.farthestSq > limit * limit;
        held = pass.held;
    }
    if ( stale )
    {
        return findAgain( pusher, left );
    }
    *left = joPusher_Measure( pusher );
    return jo_success;
}
