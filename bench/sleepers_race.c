// SPDX-License-Identifier: MIT
// A race of sleepers: what a world's step of few movers costs, beside and among very many bodies that sleep.
// Each kind of broad phase has a row for each layout, and is compared with itself: movers alone.
#include "race.h"

#include "allocations.h"
#include "base/timer.h"
#include "sleepers_scene.h"

#include <stdio.h>

#define WARM_FRAMES 20
#define DEFAULT_FRAMES 200
#define MIN_FRAMES 3
#define MAX_FRAMES 4096
// Layouts take turns of so many steps. In a game a world is stepped with the caches as frames leave them;
// here each would find them as the others do, whatever it needs, if turns were one step.
#define TURN 10u

enum
{
    STEP,
    MOTION,
    PAIRS,
    CONTACTS,
    EVENTS,
    STAGE_COUNT
};

typedef struct Lane
{
    uint64_t* times[STAGE_COUNT]; // of the measured frames
    uint64_t* hashes;             // of all frames
    uint32_t ran;
    uint32_t measured;
    uint32_t frameLimit;
    uint64_t allocations;
    uint64_t touching;
} Lane;

typedef struct Track
{
    const benchOptions* options;
    benchRace* race;
    benchSleepersScene* scene;
    benchField field; // of one kind: a contestant for each layout
    Lane lanes[BENCH_MAX_CONTESTANTS];
    uint32_t firstLane; // of the kind
    benchPairList touching;
    uint32_t frames;
} Track;

static void OpenLanes( Track* track )
{
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        Lane* lane = &track->lanes[track->firstLane + i];
        for ( uint32_t stage = 0; stage < STAGE_COUNT; ++stage )
        {
            lane->times[stage] = benchAllocate( track->frames, sizeof( uint64_t ) );
        }
        lane->hashes = benchAllocate( WARM_FRAMES + track->frames, sizeof( uint64_t ) );
        lane->frameLimit = track->frames;
    }
}

static void CloseTrack( Track* track )
{
    for ( uint32_t i = 0; i < track->race->rowCount; ++i )
    {
        for ( uint32_t stage = 0; stage < STAGE_COUNT; ++stage )
        {
            free( track->lanes[i].times[stage] );
        }
        free( track->lanes[i].hashes );
    }
    benchDestroySleepersScene( track->scene );
    free( track->touching.data );
}

static void KeepTimes( Lane* lane, const benchContestant* contestant, uint64_t time )
{
    const joWorldProfile profile = contestant->profile( contestant->state );
    const double stages[STAGE_COUNT] = {
        1e-9 * (double)time, profile.motion, profile.pairs, profile.contacts, profile.events };
    for ( uint32_t stage = 0; stage < STAGE_COUNT; ++stage )
    {
        lane->times[stage][lane->measured] = (uint64_t)( 1e9 * stages[stage] + 0.5 );
    }
    lane->measured += 1;
}

static benchFault FaultNow( const Track* track, uint32_t layout, const Lane* lane )
{
    const bool isNow = lane->ran == WARM_FRAMES && layout == bench_sleepersLayoutCount - 1;
    return isNow ? track->options->fault : bench_noFault;
}

// Of the set of pairs that touch, in any order.
static void HashTouching( Track* track, uint32_t layout, Lane* lane )
{
    const benchContestant* contestant = &track->field.contestants[layout];
    benchPairList* pairs = &track->touching;
    pairs->count = 0;
    contestant->touching( contestant->state, pairs );
    const bool drops = FaultNow( track, layout, lane ) == bench_faultDrop && pairs->count > 0;
    lane->touching = pairs->count - ( drops ? 1 : 0 );
    uint64_t hash = 0;
    for ( uint64_t i = 0; i < lane->touching; ++i )
    {
        hash += benchMix( ( (uint64_t)pairs->data[i].a << 32 | pairs->data[i].b ) + 0x9e3779b97f4a7c15u );
    }
    lane->hashes[lane->ran++] = hash;
}

static bool RunFrame( Track* track, uint32_t layout )
{
    const benchContestant* contestant = &track->field.contestants[layout];
    Lane* lane = &track->lanes[track->firstLane + layout];
    const benchScene noScene = { 0 };
    const bool isMeasured = lane->ran >= WARM_FRAMES;
    if ( isMeasured )
    {
        benchStartCounting();
    }
    const uint64_t start = joGetNanoseconds();
    const bool succeeded = contestant->frame( contestant->state, &noScene, NULL );
    const uint64_t time = joGetNanoseconds() - start;
    if ( FaultNow( track, layout, lane ) == bench_faultAllocate )
    {
        benchReservePairs( &track->touching, track->touching.capacity + 1 );
    }
    if ( isMeasured )
    {
        lane->allocations += benchStopCounting();
        KeepTimes( lane, contestant, time );
    }
    if ( !succeeded )
    {
        track->race->failed = true;
        return false;
    }
    HashTouching( track, layout, lane );
    if ( lane->ran == WARM_FRAMES && track->options->frames == 0 )
    {
        const double affordable = track->options->budget / ( 1e-9 * (double)( time + 1 ) );
        lane->frameLimit = affordable < track->frames ? (uint32_t)affordable : track->frames;
        lane->frameLimit = lane->frameLimit < MIN_FRAMES ? MIN_FRAMES : lane->frameLimit;
    }
    return true;
}

static void RunFrames( Track* track )
{
    for ( uint32_t done = 0; done < WARM_FRAMES + track->frames; done += TURN )
    {
        for ( uint32_t layout = 0; layout < track->field.count; ++layout )
        {
            const Lane* lane = &track->lanes[track->firstLane + layout];
            for ( uint32_t i = 0; i < TURN && lane->measured < lane->frameLimit; ++i )
            {
                if ( !RunFrame( track, layout ) )
                {
                    return;
                }
            }
        }
    }
}

// Alone and apart the movers touch each other only; nearby and among, the same sleepers. For all kinds.
static void Compare( Track* track, uint32_t index )
{
    benchRace* race = track->race;
    const uint32_t layout = index % bench_sleepersLayoutCount;
    const uint32_t first = layout < bench_moversNearby ? bench_moversAlone : bench_moversNearby;
    const Lane *a = &track->lanes[first], *b = &track->lanes[index];
    for ( uint32_t f = 0; f < a->ran && f < b->ran; ++f )
    {
        if ( a->hashes[f] != b->hashes[f] )
        {
            fprintf( stderr,
                "jostle-bench: MISMATCH: sleepers at %u, step %u: %s (%u threads) %016llx, %s (%u threads) "
                "%016llx\n",
                race->count, f, race->rows[first].kind, race->rows[first].threads,
                (unsigned long long)a->hashes[f], race->rows[index].kind, race->rows[index].threads,
                (unsigned long long)b->hashes[f] );
            race->agreed = false;
            return;
        }
    }
}

static void FillRow( Track* track, uint32_t layout )
{
    const benchContestant* contestant = &track->field.contestants[layout];
    benchRace* race = track->race;
    Lane* lane = &track->lanes[track->firstLane + layout];
    benchRow* row = &race->rows[track->firstLane + layout];
    *row = benchMakeRow( contestant );
    benchSetTimes( row, lane->times[STEP], lane->measured );
    row->items = track->scene->movers->count;
    row->pairs = lane->touching;
    row->allocations = lane->allocations;
    row->stages = ( benchStages ){ .motionNs = benchMedian( lane->times[MOTION], lane->measured ),
        .pairsNs = benchMedian( lane->times[PAIRS], lane->measured ),
        .contactsNs = benchMedian( lane->times[CONTACTS], lane->measured ),
        .eventsNs = benchMedian( lane->times[EVENTS], lane->measured ) };
    row->ratio = (double)row->medianNs / (double)race->rows[track->firstLane + bench_moversAlone].medianNs;
    if ( !contestant->areAsleep( contestant->state ) )
    {
        fprintf( stderr, "jostle-bench: WRONG: sleepers at %u, %s: not all of them sleep\n", race->count,
            row->kind );
        race->agreed = false;
    }
}

static void RunKind( Track* track, joBroadPhaseKind kind, uint32_t threads )
{
    benchRace* race = track->race;
    track->firstLane = race->rowCount;
    for ( int layout = 0; layout < bench_sleepersLayoutCount; ++layout )
    {
        benchAddJostleSleepers( &track->field, track->scene, (benchSleepersLayout)layout, kind, threads );
    }
    OpenLanes( track );
    race->rowCount += track->field.count;
    RunFrames( track );
    for ( uint32_t layout = 0; layout < track->field.count && !race->failed; ++layout )
    {
        FillRow( track, layout );
        Compare( track, track->firstLane + layout );
    }
    benchDestroyField( &track->field );
}

// Over the frames that all have run, so that rows with the same answers show the same hash.
static void FillHashes( Track* track )
{
    benchRace* race = track->race;
    uint32_t commonFrames = UINT32_MAX;
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        commonFrames = track->lanes[i].ran < commonFrames ? track->lanes[i].ran : commonFrames;
    }
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        for ( uint32_t f = 0; f < commonFrames; ++f )
        {
            race->rows[i].hash = benchMix( race->rows[i].hash + track->lanes[i].hashes[f] );
        }
    }
}

void benchRunSleepersRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options )
{
    *race = ( benchRace ){ .workload = workload, .count = count, .agreed = true };
    Track* track = benchAllocate( 1, sizeof( Track ) );
    track->options = options;
    track->race = race;
    track->frames = options->frames > 0 ? options->frames : DEFAULT_FRAMES;
    track->frames = track->frames > MAX_FRAMES ? MAX_FRAMES : track->frames;
    track->scene = benchCreateSleepersScene( count, WARM_FRAMES + track->frames, options->seed );
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        for ( int kind = 0; kind < jo_broadPhaseKindCount && !race->failed; ++kind )
        {
            // Movers against sleepers are quadratic there, too.
            const bool isLeftOut =
                kind == jo_bruteForce && !options->kindsNamed && count > BENCH_BRUTE_FORCE_LIMIT;
            if ( options->kinds[kind] && !isLeftOut )
            {
                RunKind( track, (joBroadPhaseKind)kind, threads[t] );
            }
        }
    }
    FillHashes( track );
    CloseTrack( track );
    free( track );
}
