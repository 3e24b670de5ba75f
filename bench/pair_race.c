// SPDX-License-Identifier: MIT
// A race of pairs of shapes (pair_scene.h): each contestant is asked about the same pairs, frame by frame in
// turn. What it needs of shapes that never move it makes before, untimed. The pairs that it says touch are
// compared with the first one's; where they differ, the truth in double decides, and what is within CLOSE of
// touching is a close call.
#include "race.h"

#include "allocations.h"
#include "base/timer.h"
#include "pair_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FRAMES 9
#define WARM_FRAMES 2
// What jostle must decide rightly, and what others are forgiven.
#define CLOSE 1e-5
#define CLOSE_OF_PEERS 1e-3

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
    benchPairScene* scene;
    benchField field;
    Lane lanes[BENCH_MAX_CONTESTANTS];
    benchTouches first, touches; // of the first contestant in this frame, and of the one that has just run
    uint32_t frames;
    benchRace* race;
} Track;

void benchPushTouchedPair( benchTouches* touches, const benchTouchedPair* touch )
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
    touches->data[touches->count++] = *touch;
}

void benchPushTouch( benchTouches* touches, joPair pair, float depth )
{
    const benchTouchedPair touch = { .pair = pair, .depth = depth };
    benchPushTouchedPair( touches, &touch );
}

static int ComparePairs( const void* a, const void* b )
{
    const joPair one = ( (const benchTouchedPair*)a )->pair, two = ( (const benchTouchedPair*)b )->pair;
    return one.a != two.a ? ( one.a < two.a ? -1 : 1 ) : one.b != two.b ? ( one.b < two.b ? -1 : 1 ) : 0;
}

static double TrueDepth( const Track* track, joPair pair )
{
    return track->scene->family->depth( track->scene, pair.a, pair.b );
}

static bool Complain( const Track* track, uint32_t index, joPair pair, const char* what )
{
    const benchContestant* contestant = &track->field.contestants[index];
    fprintf( stderr, "jostle-bench: WRONG: %s %s, shapes %u and %u: %s; true depth %g\n", contestant->library,
        contestant->kind, pair.a, pair.b, what, TrueDepth( track, pair ) );
    return false;
}

// The first of those that touch, from `i` on.
static uint64_t SkipApart( const benchTouches* touches, uint64_t i )
{
    while ( i < touches->count && touches->data[i].depth < 0.0f )
    {
        ++i;
    }
    return i;
}

// Against the first one's list: both sorted.
static bool CompareTouches( Track* track, uint32_t index )
{
    const benchTouches *a = &track->first, *b = &track->touches;
    Lane* lane = &track->lanes[index];
    const bool isOurs = track->field.contestants[index].ours;
    const double close = isOurs ? CLOSE : CLOSE_OF_PEERS;
    uint32_t forgiven = isOurs ? 0 : track->scene->pairCount / track->scene->family->pairsOfAFault;
    uint64_t i = SkipApart( a, 0 ), j = SkipApart( b, 0 );
    while ( i < a->count || j < b->count )
    {
        const int order = i == a->count ? 1 : j == b->count ? -1 : ComparePairs( a->data + i, b->data + j );
        const joPair pair = order <= 0 ? a->data[i].pair : b->data[j].pair;
        if ( order != 0 && !( fabs( TrueDepth( track, pair ) ) < close ) && forgiven-- == 0 )
        {
            return Complain( track, index, pair, order < 0 ? "missing" : "too many" );
        }
        lane->closeCalls += order != 0;
        i = SkipApart( a, i + ( order <= 0 ) );
        j = SkipApart( b, j + ( order >= 0 ) );
    }
    return true;
}

// Where the truth of depths takes too long to find, the first one's answers have proved themselves, and are
// it. `next` is where the pair is looked for; both lists are sorted. What the first one leaves out counts as
// right.
static double DepthToCompare( const Track* track, const benchTouchedPair* touch, uint64_t* next )
{
    const benchTouches* first = &track->first;
    if ( track->scene->family->check == NULL )
    {
        return TrueDepth( track, touch->pair );
    }
    while ( *next < first->count && ComparePairs( first->data + *next, touch ) < 0 )
    {
        *next += 1;
    }
    const bool isThere = *next < first->count && ComparePairs( first->data + *next, touch ) == 0;
    return (double)( isThere ? first->data[*next].depth : touch->depth );
}

// What jostle says of depths is held against the truth; of others the worst is reported.
static bool CompareDepths( Track* track, uint32_t index )
{
    Lane* lane = &track->lanes[index];
    joPair worst = { 0, 0 };
    uint64_t next = 0;
    for ( uint64_t i = 0; i < track->touches.count && track->scene->question != bench_askHits; ++i )
    {
        const benchTouchedPair touch = track->touches.data[i];
        const double truth = DepthToCompare( track, &touch, &next );
        const double error = fabs( (double)touch.depth - truth );
        worst = error > lane->depthError ? touch.pair : worst;
        lane->depthError = error > lane->depthError ? error : lane->depthError;
    }
    const bool isGood = !track->field.contestants[index].ours || lane->depthError <= CLOSE;
    return isGood || Complain( track, index, worst, "depth" );
}

// All of the first one's answers, once, where each can prove itself. Distances are of all pairs.
static bool CheckFirst( Track* track )
{
    const uint32_t pairCount = track->scene->pairCount;
    if ( track->scene->question == bench_askDistances && track->first.count != pairCount )
    {
        return Complain( track, 0, track->scene->pairs[0], "not as many distances as pairs" );
    }
    for ( uint64_t i = 0; i < track->first.count; ++i )
    {
        const char* what = "";
        if ( !track->scene->family->check( track->scene, track->first.data + i, &what ) )
        {
            return Complain( track, 0, track->first.data[i].pair, what );
        }
    }
    return true;
}

// Else: pairs that touch are in the list, and no others.
static bool CompareWithTruth( Track* track )
{
    if ( track->scene->family->check != NULL )
    {
        return CheckFirst( track );
    }
    uint64_t next = 0;
    for ( uint32_t i = 0; i < track->scene->pairCount; ++i )
    {
        const joPair pair = track->scene->pairs[i];
        const bool isIn =
            next < track->first.count && memcmp( &track->first.data[next].pair, &pair, sizeof( pair ) ) == 0;
        const double depth = TrueDepth( track, pair );
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
    uint64_t count = touches->count;
    while ( count > 0 && touches->data[count - 1].depth < 0.0f )
    {
        count -= 1; // of those that touch
    }
    if ( count == 0 || index != track->field.count - 1 )
    {
        return;
    }
    const benchTouchedPair last = touches->data[count - 1];
    if ( track->options->fault == bench_faultDrop )
    {
        touches->data[count - 1] = touches->data[--touches->count];
    }
    if ( track->options->fault == bench_faultDouble )
    {
        benchPushTouchedPair( touches, &last );
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
            benchPushTouchedPair( &track->touches, track->first.data + i );
        }
    }
    isGood = isGood && CompareTouches( track, index ) && ( frame > 0 || CompareDepths( track, index ) );
    track->race->agreed &= isGood;
    lane->hits = 0;
    for ( uint64_t i = SkipApart( &track->touches, 0 ); i < track->touches.count; )
    {
        lane->hits += 1;
        i = SkipApart( &track->touches, i + 1 );
    }
    for ( uint64_t i = SkipApart( &track->first, 0 ); i < track->first.count; )
    {
        const joPair pair = track->first.data[i].pair;
        lane->hash += benchMix( ( (uint64_t)pair.a << 32 | pair.b ) + frame );
        i = SkipApart( &track->first, i + 1 );
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
        if ( track->scene->family->step != NULL )
        {
            track->scene->family->step( track->scene );
        }
    }
}

static void AddContestants( Track* track, const uint32_t* threads, uint32_t threadCount )
{
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        track->scene->family->addContestants( &track->field, track->scene, threads[t], track->options );
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

void benchRunPairRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options )
{
    *race = ( benchRace ){ .workload = workload, .count = count, .agreed = true };
    Track* track = benchAllocate( 1, sizeof( Track ) );
    track->options = options;
    track->race = race;
    track->frames = options->frames > 0 ? options->frames : DEFAULT_FRAMES;
    track->scene = benchCreatePairScene( workload - BENCH_PAIR_RACES, count, options->seed );
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
    benchDestroyPairScene( track->scene );
    free( track->first.data );
    free( track->touches.data );
    free( track );
}
