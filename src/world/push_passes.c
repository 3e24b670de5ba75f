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

#define PAIR_BLOCK 1024u
// Blocks of pairs that follow each other share bodies. So where several workers write to the same bodies they
// get runs of blocks, few enough that two seldom write to one body at a time, and enough to even out.
#define RUNS_PER_WORKER 8u
#define TRACK_BLOCK 1024u

// Pairs and tracks are in no order of memory: so far ahead of its turn, each is asked for.
#define AHEAD 12u

// Spectral radius that the acceleration assumes. Larger leaves less overlap after few passes but throws
// bodies past each other: at 0.85 a hundredth of the crowd reaches the limit, at 0.75 a thousandth.
#define SPECTRAL_RADIUS 0.75

// A find costs about as much as this many passes. Not before so many is it worth to find again for the
// sake of bodies that the limit stopped.
#define PASSES_PER_FIND 8u

typedef enum PairWork
{
    work_measure, // overlaps only
    work_count,   // and contacts
    work_push
} PairWork;

typedef struct PassContext
{
    joPusher* pusher;
    PairWork work;
    double weight; // of Chebyshev's step; 1: plain
    double limit;  // way a body may go from its start
} PassContext;

void joPusher_ClearTallies( joPusher* pusher )
{
    for ( uint32_t i = 0; i < pusher->workerCount; ++i )
    {
        pusher->tallies[i] = ( joPushTally ){ 0 };
    }
}

joPushTally joPusher_JoinTallies( const joPusher* pusher )
{
    joPushTally all = { 0 };
    for ( uint32_t i = 0; i < pusher->workerCount; ++i )
    {
        const joPushTally* one = &pusher->tallies[i];
        all.deepest = one->deepest > all.deepest ? one->deepest : all.deepest;
        all.need = one->need > all.need ? one->need : all.need;
        all.farthestSq = one->farthestSq > all.farthestSq ? one->farthestSq : all.farthestSq;
        all.overlapCount += one->overlapCount;
        all.largestRadius = one->largestRadius > all.largestRadius ? one->largestRadius : all.largestRadius;
        all.held = all.held || one->held;
        all.anyStill = all.anyStill || one->anyStill;
        all.anyBad = all.anyBad || one->anyBad;
    }
    return all;
}

joResult joPusher_ReservePairs( joPusher* pusher, uint64_t pairCount )
{
    joMemory* memory = &pusher->memory;
    joResult result = joArray_ReserveSlack( &pusher->overlaps, memory, pairCount, sizeof( joPair ), 0 );
    if ( result == jo_success && pusher->workerCount > 1 )
    {
        result = joArray_ReserveSlack( &pusher->dealt, memory, pairCount, sizeof( joPair ), 0 );
    }
    if ( result == jo_success )
    {
        // Of each region, and of the pairs across, the last block may not be full.
        result = joArray_ReserveSlack( &pusher->overlapCounts, memory,
            pairCount / PAIR_BLOCK + pusher->workerCount * JO_PUSH_REGIONS_PER_WORKER + 1, sizeof( uint32_t ),
            0 );
    }
    return result;
}

void joPusher_ClearTracks( joPusher* pusher )
{
    const joPushTrack* tracks = pusher->tracks.data;
    joPushSum* sums = pusher->sums.data;
    uint8_t* isTracked = pusher->isTracked.data;
    for ( uint32_t i = 0; i < pusher->trackCount; ++i )
    {
        __builtin_prefetch( &sums[tracks[i + AHEAD < pusher->trackCount ? i + AHEAD : i].slot], 1 );
        sums[tracks[i].slot] = ( joPushSum ){ { 0, 0, 0 }, { 0, 0 } };
        isTracked[tracks[i].slot] = 0;
    }
    pusher->trackCount = 0;
}

// Lists the pairs that overlap; returns how many. Of the near pairs of a usual crowd most do not, in no order
// that a processor could guess: so there is no branch, and what costs is done for the listed alone. In
// double, where neither squares of the smallest floats vanish nor those of the largest overflow.
static inline uint32_t detect(
    const joPushState* states, const joPair* pairs, uint32_t count, joPair* out, int axisCount )
{
    uint32_t found = 0;
    for ( uint32_t p = 0; p < count; ++p )
    {
        const joPair ahead = pairs[p + AHEAD < count ? p + AHEAD : p];
        __builtin_prefetch( &states[ahead.a] );
        __builtin_prefetch( &states[ahead.b] );
        const joPair pair = pairs[p];
        const joPushState* a = &states[pair.a];
        const joPushState* b = &states[pair.b];
        const double reach = (double)a->radius + (double)b->radius;
        double distanceSq = 0.0;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const double difference = (double)a->position[axis] - (double)b->position[axis];
            distanceSq += difference * difference;
        }
        out[found] = pair;
        found += distanceSq < reach * reach;
    }
    return found;
}

// A pair that overlaps.
typedef struct Contact
{
    double difference[3]; // from b to a
    double distance;
    double reach;
    double overlap; // may be 0 by rounding
} Contact;

static inline Contact contactOf( const joPushState* a, const joPushState* b, int axisCount )
{
    Contact contact = { .reach = (double)a->radius + (double)b->radius };
    double distanceSq = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        contact.difference[axis] = (double)a->position[axis] - (double)b->position[axis];
        distanceSq += contact.difference[axis] * contact.difference[axis];
    }
    contact.distance = sqrt( distanceSq );
    const double overlap = contact.reach - contact.distance;
    contact.overlap = overlap > 0.0 ? overlap : 0.0;
    return contact;
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

// New tracks of one worker, on their way into the list that all share: one by one, the workers would hinder
// each other at its end.
typedef struct TrackBuffer
{
    joPushTrack tracks[64];
    uint32_t count;
} TrackBuffer;

static void flushTracks( joPusher* pusher, TrackBuffer* buffer )
{
    if ( buffer->count > 0 )
    {
        const uint32_t first = __atomic_fetch_add( &pusher->trackCount, buffer->count, __ATOMIC_RELAXED );
        memcpy( (joPushTrack*)pusher->tracks.data + first, buffer->tracks,
            buffer->count * sizeof( joPushTrack ) );
        buffer->count = 0;
    }
}

// Several workers may have pairs of the same body: they add whole numbers, whose sum is the same in any
// order.
static inline void addTo( int64_t* sum, int64_t value, bool shared )
{
    if ( shared )
    {
        __atomic_fetch_add( sum, value, __ATOMIC_RELAXED );
    }
    else
    {
        *sum += value;
    }
}

static inline uint32_t countOne( uint32_t* counter, bool shared )
{
    return shared ? __atomic_fetch_add( counter, 1, __ATOMIC_RELAXED ) : ( *counter )++;
}

// A null buffer: there is only one worker.
static void track( joPusher* pusher, uint32_t slot, TrackBuffer* buffer )
{
    if ( buffer != NULL && buffer->count == sizeof( buffer->tracks ) / sizeof( buffer->tracks[0] ) )
    {
        flushTracks( pusher, buffer );
    }
    const joPushState* state = (const joPushState*)pusher->states.data + slot;
    joPushTrack* made = buffer != NULL ? buffer->tracks + buffer->count++
                                       : (joPushTrack*)pusher->tracks.data + pusher->trackCount++;
    *made = ( joPushTrack ){ slot, { state->position[0], state->position[1], state->position[2] },
        { state->position[0], state->position[1], state->position[2] } };
}

// Counts a contact of a body that moves, in contacts[which]. The first one makes it tracked.
static inline void countContact(
    joPusher* pusher, uint32_t slot, uint32_t which, bool isDeep, bool shared, TrackBuffer* buffer )
{
    uint32_t* counter = &( (joPushSum*)pusher->sums.data )[slot].contacts[which];
    uint8_t* isTracked = (uint8_t*)pusher->isTracked.data + slot;
    const uint32_t before = countOne( counter, shared );
    if ( !shared )
    {
        *counter |= isDeep ? JO_PUSH_DEEP : 0;
    }
    else if ( isDeep )
    {
        __atomic_fetch_or( counter, JO_PUSH_DEEP, __ATOMIC_RELAXED );
    }
    // Only one worker sees the first contact of a pass, so isTracked has one writer and one reader. A single
    // one need not ask, for the processor would guess wrong.
    if ( ( !shared || before == 0 ) && *isTracked == 0 )
    {
        *isTracked = 1;
        track( pusher, slot, buffer );
    }
}

static inline void measurePairs( joPusher* pusher, const joPair* pairs, uint32_t count, bool countContacts,
    joPushTally* tally, int axisCount, bool shared, TrackBuffer* buffer )
{
    const joPushState* states = pusher->states.data;
    const float* inverseMasses = pusher->inverseMasses.data;
    const joPushSum* sums = pusher->sums.data;
    for ( uint32_t p = 0; p < count; ++p )
    {
        const joPair ahead = pairs[p + AHEAD < count ? p + AHEAD : p];
        __builtin_prefetch( &sums[ahead.a], 1 );
        __builtin_prefetch( &sums[ahead.b], 1 );
        const uint32_t a = pairs[p].a;
        const uint32_t b = pairs[p].b;
        const Contact contact = contactOf( &states[a], &states[b], axisCount );
        tally->deepest = contact.overlap > tally->deepest ? contact.overlap : tally->deepest;
        tally->overlapCount += contact.overlap > 0.0;
        if ( !countContacts )
        {
            continue;
        }
        const double massA = (double)inverseMasses[a];
        const double massB = (double)inverseMasses[b];
        const double need = contact.overlap * ( massA > massB ? massA : massB ) / ( massA + massB );
        tally->need = need > tally->need ? need : tally->need;
        if ( contact.overlap > resolutionOf( &states[a], &states[b], contact.reach, axisCount ) )
        {
            if ( massA > 0.0 )
            {
                countContact( pusher, a, pusher->contactsNow, false, shared, buffer );
            }
            if ( massB > 0.0 )
            {
                countContact( pusher, b, pusher->contactsNow, false, shared, buffer );
            }
        }
    }
}

// What one body of a pair gets. Conversion truncates towards zero: two bodies of the same mass get the
// opposite, to the bit.
static inline void pushBody( joPusher* pusher, uint32_t slot, const double difference[3], double factor,
    bool isDeep, int axisCount, bool shared, TrackBuffer* buffer )
{
    joPushSum* sum = (joPushSum*)pusher->sums.data + slot;
    countContact( pusher, slot, 1 - pusher->contactsNow, isDeep, shared, buffer );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        addTo( &sum->sum[axis], (int64_t)( difference[axis] * factor ), shared );
    }
}

static inline void pushPairs( const PassContext* pass, const joPair* pairs, uint32_t count,
    joPushTally* tally, int axisCount, bool shared, TrackBuffer* buffer )
{
    joPusher* pusher = pass->pusher;
    const joPushState* states = pusher->states.data;
    const float* inverseMasses = pusher->inverseMasses.data;
    const joPushSum* sums = pusher->sums.data;
    const uint32_t now = pusher->contactsNow;
    for ( uint32_t p = 0; p < count; ++p )
    {
        const joPair ahead = pairs[p + AHEAD < count ? p + AHEAD : p];
        __builtin_prefetch( &sums[ahead.a], 1 );
        __builtin_prefetch( &sums[ahead.b], 1 );
        const uint32_t a = pairs[p].a;
        const uint32_t b = pairs[p].b;
        Contact contact = contactOf( &states[a], &states[b], axisCount );
        if ( contact.overlap <= resolutionOf( &states[a], &states[b], contact.reach, axisCount ) )
        {
            continue;
        }
        tally->deepest = contact.overlap > tally->deepest ? contact.overlap : tally->deepest;
        if ( contact.distance == 0.0 )
        {
            contact.difference[0] = joPusher_Index( pusher, a ) < joPusher_Index( pusher, b ) ? -1.0 : 1.0;
            contact.distance = 1.0;
        }
        // The average is over the contacts of the one that has more of them.
        const uint32_t contactsA = sums[a].contacts[now] & ~JO_PUSH_DEEP;
        const uint32_t contactsB = sums[b].contacts[now] & ~JO_PUSH_DEEP;
        const uint32_t most = contactsA > contactsB ? contactsA : contactsB;
        const double massA = (double)inverseMasses[a];
        const double massB = (double)inverseMasses[b];
        const double part = ( massA + massB ) * ( most > 2 ? 0.5 * (double)most : 1.0 );
        const double factor = contact.overlap * pusher->quantum / ( contact.distance * part );
        const bool isDeep = contact.overlap > pass->limit * 0.125;
        if ( massA > 0.0 )
        {
            pushBody( pusher, a, contact.difference, factor * massA, isDeep, axisCount, shared, buffer );
        }
        if ( massB > 0.0 )
        {
            pushBody( pusher, b, contact.difference, -factor * massB, isDeep, axisCount, shared, buffer );
        }
    }
}

// Blocks are numbered through all regions; those of region r begin at regionStarts[r] / PAIR_BLOCK + r, which
// leaves room for the last one of each.
static inline void workOnRange( const PassContext* pass, uint32_t region, uint32_t begin, uint32_t end,
    joPushTally* tally, int axisCount, bool shared, TrackBuffer* buffer )
{
    joPusher* pusher = pass->pusher;
    const uint32_t start = pusher->regionStarts[region];
    for ( uint32_t first = begin; first < end; first += PAIR_BLOCK )
    {
        joPair* overlaps = (joPair*)pusher->overlaps.data + first;
        uint32_t* count = (uint32_t*)pusher->overlapCounts.data + start / PAIR_BLOCK + region +
                          ( first - start ) / PAIR_BLOCK;
        if ( !pusher->detected )
        {
            *count = detect( pusher->states.data, pusher->pairs + first,
                end - first < PAIR_BLOCK ? end - first : PAIR_BLOCK, overlaps, axisCount );
        }
        if ( pass->work == work_push )
        {
            pushPairs( pass, overlaps, *count, tally, axisCount, shared, buffer );
        }
        else
        {
            measurePairs(
                pusher, overlaps, *count, pass->work == work_count, tally, axisCount, shared, buffer );
        }
    }
}

static void workAlone( const PassContext* pass, uint32_t region, uint32_t begin, uint32_t end,
    uint32_t worker, TrackBuffer* buffer )
{
    joPushTally tally = pass->pusher->tallies[worker];
    if ( pass->pusher->axisCount == 2 )
    {
        workOnRange( pass, region, begin, end, &tally, 2, false, buffer );
    }
    else
    {
        workOnRange( pass, region, begin, end, &tally, 3, false, buffer );
    }
    pass->pusher->tallies[worker] = tally;
}

// Whole regions: nobody else writes to their bodies meanwhile.
static void workOnRegions( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const PassContext* pass = context;
    const uint32_t* starts = pass->pusher->regionStarts;
    TrackBuffer buffer;
    buffer.count = 0;
    for ( uint32_t region = begin; region < end; ++region )
    {
        workAlone( pass, region, starts[region], starts[region + 1], worker, &buffer );
    }
    flushTracks( pass->pusher, &buffer );
}

// Blocks of the pairs across regions, by several workers.
static void workAcross( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const PassContext* pass = context;
    const joPusher* pusher = pass->pusher;
    const uint32_t start = pusher->regionStarts[pusher->regionCount];
    const uint32_t first = start + begin * PAIR_BLOCK;
    const uint32_t last =
        ( pusher->pairCount - start ) / PAIR_BLOCK < end ? pusher->pairCount : start + end * PAIR_BLOCK;
    joPushTally tally = pusher->tallies[worker];
    TrackBuffer buffer;
    buffer.count = 0;
    if ( pusher->axisCount == 2 )
    {
        workOnRange( pass, pusher->regionCount, first, last, &tally, 2, true, &buffer );
    }
    else
    {
        workOnRange( pass, pusher->regionCount, first, last, &tally, 3, true, &buffer );
    }
    flushTracks( pass->pusher, &buffer );
    pass->pusher->tallies[worker] = tally;
}

static joPushTally workOnPairs( const PassContext* pass )
{
    joPusher* pusher = pass->pusher;
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->regionCount, 1, workOnRegions, (void*)pass );
    const uint32_t start = pusher->regionStarts[pusher->regionCount];
    const uint32_t count = pusher->pairCount - start;
    if ( pusher->workerCount == 1 || count <= PAIR_BLOCK )
    {
        workAlone( pass, pusher->regionCount, start, pusher->pairCount, 0, NULL );
    }
    else
    {
        const uint32_t blockCount = ( count + PAIR_BLOCK - 1 ) / PAIR_BLOCK;
        const uint32_t run = blockCount / ( pusher->workerCount * RUNS_PER_WORKER ) + 1;
        joParallelFor( pusher->def.jobs, blockCount, run, workAcross, (void*)pass );
    }
    pusher->detected = true;
    return joPusher_JoinTallies( pusher );
}

joPushTally joPusher_Measure( joPusher* pusher )
{
    const PassContext pass = { .pusher = pusher, .work = work_count };
    return workOnPairs( &pass );
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

// Moves the bodies that had a contact since neighbours were found, which are all that had a correction or
// that the acceleration carries on.
static inline void moveRange(
    const PassContext* pass, uint32_t begin, uint32_t end, joPushTally* tally, int axisCount )
{
    const joPusher* pusher = pass->pusher;
    joPushState* states = pusher->states.data;
    joPushSum* sums = pusher->sums.data;
    joPushTrack* tracks = pusher->tracks.data;
    const uint32_t contactsNow = pusher->contactsNow;
    const double unit = 1.0 / pusher->quantum;
    const double limitSq = pass->limit * pass->limit;
    for ( uint32_t k = begin; k < end; ++k )
    {
        const uint32_t ahead = tracks[k + AHEAD < end ? k + AHEAD : k].slot;
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
        if ( waySq > limitSq )
        {
            // In memory of its own, for what is usual to stay in registers.
            float held[3] = { next[0], next[1], next[2] };
            waySq = holdBack( held, state->position, track->start, pass->limit );
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
    const PassContext* pass = context;
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
    PassContext pass = { pusher, work_push, weight, limit };
    const joPushTally pushed = workOnPairs( &pass );
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
    const PassContext measure = { .pusher = pusher, .work = work_measure };
    *left = workOnPairs( &measure );
    return jo_success;
}
