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
#include "push_contact.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Blocks of pairs that follow each other share bodies. So where several workers write to the same bodies they
// get runs of blocks, few enough that two seldom write to one body at a time, and enough to even out.
#define RUNS_PER_WORKER 8u

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
            pairCount / JO_PUSH_PAIR_BLOCK + pusher->workerCount * JO_PUSH_REGIONS_PER_WORKER + 1,
            sizeof( uint32_t ), 0 );
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
        __builtin_prefetch(
            &sums[tracks[i + JO_PUSH_AHEAD < pusher->trackCount ? i + JO_PUSH_AHEAD : i].slot], 1 );
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
        const joPair ahead = pairs[p + JO_PUSH_AHEAD < count ? p + JO_PUSH_AHEAD : p];
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

bool joPusher_Overlaps( const joPusher* pusher, joPair pair )
{
    const joPushState* a = (const joPushState*)pusher->states.data + pair.a;
    const joPushState* b = (const joPushState*)pusher->states.data + pair.b;
    const Contact contact = contactOf( a, b, 3 );
    return contact.overlap > resolutionOf( a, b, contact.reach, 3 );
}

static inline void measurePairs( joPusher* pusher, const joPair* pairs, uint32_t count, bool countContacts,
    joPushTally* tally, int axisCount, bool shared, TrackBuffer* buffer )
{
    const joPushState* states = pusher->states.data;
    const float* inverseMasses = pusher->inverseMasses.data;
    const joPushSum* sums = pusher->sums.data;
    for ( uint32_t p = 0; p < count; ++p )
    {
        const joPair ahead = pairs[p + JO_PUSH_AHEAD < count ? p + JO_PUSH_AHEAD : p];
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
                countContact( pusher, a, pusher->contactsNow, 1, false, shared, buffer );
            }
            if ( massB > 0.0 )
            {
                countContact( pusher, b, pusher->contactsNow, 1, false, shared, buffer );
            }
        }
    }
}

static inline void pushPairs( const joPushPass* pass, const joPair* pairs, uint32_t count, joPushTally* tally,
    int axisCount, bool shared, TrackBuffer* buffer )
{
    joPusher* pusher = pass->pusher;
    const joPushState* states = pusher->states.data;
    const float* inverseMasses = pusher->inverseMasses.data;
    const joPushSum* sums = pusher->sums.data;
    const uint32_t now = pusher->contactsNow;
    for ( uint32_t p = 0; p < count; ++p )
    {
        const joPair ahead = pairs[p + JO_PUSH_AHEAD < count ? p + JO_PUSH_AHEAD : p];
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
            countContact( pusher, a, 1 - now, 1, isDeep, shared, buffer );
            pushBody( pusher, a, contact.difference, factor * massA, axisCount, shared );
        }
        if ( massB > 0.0 )
        {
            countContact( pusher, b, 1 - now, 1, isDeep, shared, buffer );
            pushBody( pusher, b, contact.difference, -factor * massB, axisCount, shared );
        }
    }
}

// Blocks are numbered through all regions; those of region r begin at regionStarts[r] / JO_PUSH_PAIR_BLOCK +
// r, which leaves room for the last one of each.
static inline void workOnRange( const joPushPass* pass, uint32_t region, uint32_t begin, uint32_t end,
    joPushTally* tally, int axisCount, bool shared, TrackBuffer* buffer )
{
    joPusher* pusher = pass->pusher;
    const uint32_t start = pusher->regionStarts[region];
    for ( uint32_t first = begin; first < end; first += JO_PUSH_PAIR_BLOCK )
    {
        joPair* overlaps = (joPair*)pusher->overlaps.data + first;
        uint32_t* count = (uint32_t*)pusher->overlapCounts.data + start / JO_PUSH_PAIR_BLOCK + region +
                          ( first - start ) / JO_PUSH_PAIR_BLOCK;
        if ( !pusher->detected )
        {
            *count = detect( pusher->states.data, pusher->pairs + first,
                end - first < JO_PUSH_PAIR_BLOCK ? end - first : JO_PUSH_PAIR_BLOCK, overlaps, axisCount );
        }
        if ( pass->work == jo_workPush )
        {
            pushPairs( pass, overlaps, *count, tally, axisCount, shared, buffer );
        }
        else
        {
            measurePairs(
                pusher, overlaps, *count, pass->work == jo_workCount, tally, axisCount, shared, buffer );
        }
    }
}

static void workAlone( const joPushPass* pass, uint32_t region, uint32_t begin, uint32_t end, uint32_t worker,
    TrackBuffer* buffer )
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
    const joPushPass* pass = context;
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
    const joPushPass* pass = context;
    const joPusher* pusher = pass->pusher;
    const uint32_t start = pusher->regionStarts[pusher->regionCount];
    const uint32_t first = start + begin * JO_PUSH_PAIR_BLOCK;
    const uint32_t last = ( pusher->pairCount - start ) / JO_PUSH_PAIR_BLOCK < end
                              ? pusher->pairCount
                              : start + end * JO_PUSH_PAIR_BLOCK;
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

joPushTally joPusher_WorkOnPairs( const joPushPass* pass )
{
    joPusher* pusher = pass->pusher;
    joPusher_ClearTallies( pusher );
    joParallelFor( pusher->def.jobs, pusher->regionCount, 1, workOnRegions, (void*)pass );
    const uint32_t start = pusher->regionStarts[pusher->regionCount];
    const uint32_t count = pusher->pairCount - start;
    if ( pusher->workerCount == 1 || count <= JO_PUSH_PAIR_BLOCK )
    {
        workAlone( pass, pusher->regionCount, start, pusher->pairCount, 0, NULL );
    }
    else
    {
        const uint32_t blockCount = ( count + JO_PUSH_PAIR_BLOCK - 1 ) / JO_PUSH_PAIR_BLOCK;
        const uint32_t run = blockCount / ( pusher->workerCount * RUNS_PER_WORKER ) + 1;
        joParallelFor( pusher->def.jobs, blockCount, run, workAcross, (void*)pass );
    }
    pusher->detected = true;
    joPusher_WorkOnPlanes( pass );
    return joPusher_JoinTallies( pusher );
}

joPushTally joPusher_Measure( joPusher* pusher )
{
    const joPushPass pass = { .pusher = pusher, .work = jo_workCount };
    return joPusher_WorkOnPairs( &pass );
}
