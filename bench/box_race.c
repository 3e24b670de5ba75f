// SPDX-License-Identifier: MIT
// A race of oriented boxes: each contestant is asked about the same pairs, frame by frame in turn. What it
// needs of boxes that never move it makes before, untimed. The pairs that it says touch are compared with the
// first one's; where they differ, separating axes in double decide, and what is within CLOSE of touching is a
// close call.
#include "race.h"

#include "allocations.h"
#include "base/timer.h"
#include "box_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FRAMES 9
#define WARM_FRAMES 2
// What jostle must decide rightly, and what others are forgiven.
#define CLOSE 1e-5
#define CLOSE_OF_PEERS 1e-3
// ODE misses some pair in a million far from that: one in so many is counted as close, more are an error.
#define PAIRS_OF_A_FAULT 100000

typedef struct Lane
{
    uint64_t* times;
    uint32_t measured;
    uint64_t allocations;
    uint64_t closeCalls;
    uint64_t hits;
    double depthError; // the worst, of the pairs that touch in a frame; -1: no depths are asked
    uint64_t hash;
} Lane;

typedef struct Track
{
    const benchOptions* options;
    benchBoxScene* scene;
    benchField field;
    Lane lanes[BENCH_MAX_CONTESTANTS];
    benchTouches first, touches; // of the first contestant in this frame, and of the one that has just run
    uint32_t frames;
    benchRace* race;
} Track;

void benchPushTouch( benchTouches* touches, joPair pair, float depth )
{
    if ( touches->count == touches->capacity )
    {
        touches->capacity = touches->capacity * 2 + 1024;
        touches->data = realloc( touches->data, (size_t)touches->capacity * sizeof( benchTouchedPair ) );
        if ( touches->data == NULL )
        {
            fprintf( stderr, "jostle-bench: out of memory for pairs\n" );
            exit( 3 );
        }
    }
    touches->data[touches->count++] = ( benchTouchedPair ){ pair, depth };
}

static int ComparePairs( const void* a, const void* b )
{
    const joPair one = ( (const benchTouchedPair*)a )->pair, two = ( (const benchTouchedPair*)b )->pair;
    return one.a != two.a ? ( one.a < two.a ? -1 : 1 ) : one.b != two.b ? ( one.b < two.b ? -1 : 1 ) : 0;
}

static bool Complain( const Track* track, uint32_t index, joPair pair, const char* what )
{
    const benchContestant* contestant = &track->field.contestants[index];
    fprintf( stderr, "jostle-bench: WRONG: %s %s, boxes %u and %u: %s; true depth %g\n", contestant->library,
        contestant->kind, pair.a, pair.b, what, benchBoxDepth( track->scene, pair.a, pair.b, NULL ) );
    return false;
}

// Against the first one's list: both sorted.
static bool CompareTouches( Track* track, uint32_t index )
{
    const benchTouches *a = &track->first, *b = &track->touches;
    Lane* lane = &track->lanes[index];
    const bool isOurs = track->field.contestants[index].ours;
    const double close = isOurs ? CLOSE : CLOSE_OF_PEERS;
    uint32_t forgiven = isOurs ? 0 : track->scene->pairCount / PAIRS_OF_A_FAULT;
    for ( uint64_t i = 0, j = 0; i < a->count || j < b->count; )
    {
        const int order = i == a->count ? 1 : j == b->count ? -1 : ComparePairs( a->data + i, b->data + j );
        const joPair pair = order <= 0 ? a->data[i].pair : b->data[j].pair;
        if ( order != 0 && !( fabs( benchBoxDepth( track->scene, pair.a, pair.b, NULL ) ) < close ) &&
             forgiven-- == 0 )
        {
            return Complain( track, index, pair, order < 0 ? "missing" : "too many" );
        }
        lane->closeCalls += order != 0;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

// What jostle says of depths is held against double; of others the worst is reported.
static bool CompareDepths( Track* track, uint32_t index )
{
    Lane* lane = &track->lanes[index];
    joPair worst = { 0, 0 };
    for ( uint64_t i = 0; i < track->touches.count && track->scene->question != bench_askHits; ++i )
    {
        const benchTouchedPair touch = track->touches.data[i];
        const double truth = benchBoxDepth( track->scene, touch.pair.a, touch.pair.b, NULL );
        const double error = fabs( (double)touch.depth - truth );
        worst = error > lane->depthError ? touch.pair : worst;
        lane->depthError = error > lane->depthError ? error : lane->depthError;
    }
    const bool isGood = !track->field.contestants[index].ours || lane->depthError <= CLOSE;
    return isGood || Complain( track, index, worst, "depth" );
}

// All of the first one's answers, once: pairs that touch are in the list, and no others.
static bool CompareWithTruth( Track* track )
{
    uint64_t next = 0;
    for ( uint32_t i = 0; i < track->scene->pairCount; ++i )
    {
        const joPair pair = track->scene->pairs[i];
        const bool isIn =
            next < track->first.count && memcmp( &track->first.data[next].pair, &pair, sizeof( pair ) ) == 0;
        const double depth = benchBoxDepth( track->scene, pair.a, pair.b, NULL );
        if ( fabs( depth ) >= CLOSE && isIn != ( depth > 0.0 ) )
        {
            return Complain( track, 0, pair, isIn ? "too many" : "missing" );
        }
        next += isIn;
    }
    return true;
}

static void Plant( Track* track, uint32_t index )
{
    benchTouches* touches = &track->touches;
    const bool isLast = index == track->field.count - 1 && touches->count > 0;
    if ( isLast && track->options->fault == bench_faultDrop )
    {
        touches->count -= 1;
    }
    if ( isLast && track->options->fault == bench_faultDouble )
    {
        const benchTouchedPair last = touches->data[touches->count - 1];
        benchPushTouch( touches, last.pair, last.depth );
    }
}

static void Judge( Track* track, uint32_t index, uint32_t frame )
{
    const benchContestant* contestant = &track->field.contestants[index];
    Lane* lane = &track->lanes[index];
    track->touches.count = 0;
    contestant->collectTouches( contestant->state, track->scene, &track->touches );
    Plant( track, index );
    qsort( track->touches.data, track->touches.count, sizeof( benchTouchedPair ), ComparePairs );
    bool isGood = true;
    if ( index == 0 )
    {
        const benchTouches other = track->first;
        track->first = track->touches;
        track->touches = other;
        isGood = frame > 0 || CompareWithTruth( track );
        track->touches.count = 0;
        for ( uint64_t i = 0; i < track->first.count; ++i )
        {
            benchPushTouch( &track->touches, track->first.data[i].pair, track->first.data[i].depth );
        }
    }
    isGood = isGood && CompareTouches( track, index ) && ( frame > 0 || CompareDepths( track, index ) );
    track->race->agreed &= isGood;
    lane->hits = track->touches.count;
    for ( uint64_t i = 0; i < track->first.count; ++i )
    {
        const joPair pair = track->first.data[i].pair;
        lane->hash += benchMix( ( (uint64_t)pair.a << 32 | pair.b ) + frame );
    }
}

static bool RunFrame( Track* track, uint32_t index, uint32_t frame )
{
    const benchContestant* contestant = &track->field.contestants[index];
    Lane* lane = &track->lanes[index];
    const bool isMeasured = frame >= WARM_FRAMES;
    const bool moves = track->scene->velocities != NULL;
    bool succeeded = contestant->place( contestant->state, track->scene );
    if ( contestant->ours && isMeasured )
    {
        benchStartCounting();
    }
    const uint64_t start = joGetNanoseconds();
    succeeded = succeeded && contestant->touch( contestant->state, track->scene );
    const uint64_t time = joGetNanoseconds() - start;
    if ( contestant->ours && isMeasured )
    {
        lane->allocations += benchStopCounting();
    }
    if ( !succeeded )
    {
        fprintf( stderr, "jostle-bench: %s %s failed\n", contestant->library, contestant->kind );
        track->race->failed = true;
        return false;
    }
    if ( isMeasured )
    {
        lane->times[lane->measured++] = time;
    }
    if ( moves || frame == 0 )
    {
        Judge( track, index, frame );
    }
    return true;
}

static void RunFrames( Track* track )
{
    for ( uint32_t frame = 0; frame < track->frames + WARM_FRAMES; ++frame )
    {
        // In turn, and the first one first: the others are judged by its answers.
        for ( uint32_t i = 0; i < track->field.count; ++i )
        {
            if ( !RunFrame( track, i, frame ) )
            {
                return;
            }
        }
        benchStepBoxScene( track->scene );
    }
}

static void AddContestants( Track* track, const uint32_t* threads, uint32_t threadCount )
{
    const benchBoxScene* scene = track->scene;
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        if ( scene->pairs != NULL )
        {
            benchAddJostleBoxes( &track->field, scene, threads[t] );
        }
        for ( int kind = 0; kind < jo_broadPhaseKindCount && scene->pairs == NULL; ++kind )
        {
            const bool isLeftOut = kind == jo_bruteForce && !track->options->kindsNamed &&
                                   scene->count > BENCH_BRUTE_FORCE_LIMIT;
            if ( track->options->kinds[kind] && !isLeftOut )
            {
                benchAddJostleWorld( &track->field, scene, (joBroadPhaseKind)kind, threads[t] );
            }
        }
        benchAddPlainBoxes( &track->field, scene, threads[t] );
        if ( track->options->peers )
        {
            benchAddBoxPeers( &track->field, scene, threads[t] );
        }
    }
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        track->lanes[i].times = benchAllocate( track->frames, sizeof( uint64_t ) );
        track->lanes[i].depthError = -1.0;
    }
}

static void FillRows( Track* track )
{
    benchRace* race = track->race;
    race->rowCount = track->field.count;
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        Lane* lane = &track->lanes[i];
        benchRow* row = &race->rows[i];
        *row = benchMakeRow( &track->field.contestants[i] );
        benchSetTimes( row, lane->times, lane->measured );
        row->items = track->scene->pairs != NULL ? track->scene->pairCount : track->scene->count;
        row->hash = lane->hash;
        row->pairs = lane->hits;
        row->closeCalls = lane->closeCalls;
        row->allocations = lane->allocations;
        row->deepest = lane->depthError;
    }
    benchSetRatios( race );
}

void benchRunBoxRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options )
{
    *race = ( benchRace ){ .workload = workload, .count = count, .agreed = true };
    Track* track = benchAllocate( 1, sizeof( Track ) );
    track->options = options;
    track->race = race;
    track->frames = options->frames > 0 ? options->frames : DEFAULT_FRAMES;
    track->scene = benchCreateBoxScene( workload - BENCH_BOXES, count, options->seed );
    AddContestants( track, threads, threadCount );
    RunFrames( track );
    if ( !race->failed && track->field.count > 0 )
    {
        FillRows( track );
    }
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        free( track->lanes[i].times );
    }
    benchDestroyField( &track->field );
    benchDestroyBoxScene( track->scene );
    free( track->first.data );
    free( track->touches.data );
    free( track );
}
