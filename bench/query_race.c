// SPDX-License-Identifier: MIT
// A race of queries: each contestant makes its structure and answers the same queries, frame by frame in
// turn. Making and asking are timed apart. With several threads, single queries are asked from all of them.
#include "race.h"

#include "allocations.h"
#include "base/timer.h"
#include "query_judge.h"

#include <stdio.h>

#define DEFAULT_FRAMES 7
#define MIN_FRAMES 3
#define MAX_FRAMES 4096
// Who is slow answers fewer, but no fewer than this, or all if there are fewer.
#define MIN_QUERIES 100
#define BLOCK 512 // queries that a thread takes at a time

typedef struct Lane
{
    uint32_t queries; // of each frame
    uint64_t* times;
    uint64_t* buildTimes;
    uint32_t measured;
    uint32_t frameLimit;
    uint64_t allocations;
    benchVerdict verdict; // of the last frame
} Lane;

typedef struct Track
{
    const benchOptions* options;
    benchQueryScene* scene;
    benchField field;
    Lane lanes[BENCH_MAX_CONTESTANTS];
    joJobs* jobs[BENCH_MAX_THREADS]; // of options->threads
    benchJudge* judge;
    benchAnswers answers; // of the contestant that has just run
    uint32_t hashCount;
    uint32_t frames;
    benchRace* race;
} Track;

static void OpenJobs( Track* track, const uint32_t* threads, uint32_t threadCount )
{
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        joJobsDef def = joDefaultJobsDef();
        def.workerCount = threads[t];
        if ( joCreateJobs( &def, &track->jobs[t] ) != jo_success )
        {
            fprintf( stderr, "jostle-bench: cannot start %u threads\n", threads[t] );
            exit( 3 );
        }
    }
}

static void AddContestants( Track* track, const uint32_t* threads, uint32_t threadCount )
{
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
        {
            if ( track->options->kinds[kind] )
            {
                benchAddJostleQueries( &track->field, track->scene, (joBroadPhaseKind)kind, threads[t] );
            }
        }
        if ( track->options->peers )
        {
            benchAddQueryPeers( &track->field, track->scene, threads[t] );
        }
    }
    track->frames = track->options->frames > 0 ? track->options->frames : DEFAULT_FRAMES;
    track->frames = track->frames > MAX_FRAMES ? MAX_FRAMES : track->frames;
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        track->lanes[i].times = benchAllocate( track->frames, sizeof( uint64_t ) );
        track->lanes[i].buildTimes = benchAllocate( track->frames, sizeof( uint64_t ) );
    }
}

static void CloseTrack( Track* track )
{
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        free( track->lanes[i].times );
        free( track->lanes[i].buildTimes );
    }
    benchDestroyField( &track->field );
    for ( uint32_t t = 0; t < BENCH_MAX_THREADS; ++t )
    {
        joDestroyJobs( track->jobs[t] );
    }
    benchDestroyJudge( track->judge );
    benchFreeAnswers( &track->answers );
    benchDestroyQueryScene( track->scene );
}

typedef struct Asking
{
    Track* track;
    const benchContestant* contestant;
    bool failed[JO_MAX_WORKERS];
} Asking;

static void AskBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    Asking* asking = context;
    const benchContestant* contestant = asking->contestant;
    Track* track = asking->track;
    asking->failed[worker] |=
        !contestant->answer( contestant->state, track->scene, begin, end, &track->answers );
}

// The first `queryCount` queries. *time gets how long it took.
static bool Ask( Track* track, uint32_t index, uint32_t queryCount, uint64_t* time )
{
    Asking asking = { .track = track, .contestant = &track->field.contestants[index] };
    joJobs* jobs = NULL;
    for ( uint32_t t = 0; t < BENCH_MAX_THREADS && track->jobs[t] != NULL; ++t )
    {
        bool isIt = joJobs_GetWorkerCount( track->jobs[t] ) == asking.contestant->threads;
        jobs = isIt ? track->jobs[t] : jobs;
    }
    const benchContestant* contestant = asking.contestant;
    bool failed = false;
    const uint64_t start = joGetNanoseconds();
    if ( contestant->answerAll != NULL )
    {
        failed = !contestant->answerAll( contestant->state, track->scene, queryCount, &track->answers );
    }
    else
    {
        joParallelFor( jobs, queryCount, BLOCK, AskBlock, &asking );
    }
    *time = joGetNanoseconds() - start;
    if ( contestant->collect != NULL && !failed )
    {
        contestant->collect( contestant->state, track->scene, queryCount, &track->answers );
    }
    for ( uint32_t worker = 0; worker < JO_MAX_WORKERS; ++worker )
    {
        failed |= asking.failed[worker];
    }
    return !failed;
}

static bool Build( Track* track, uint32_t index, uint64_t* time )
{
    const benchContestant* contestant = &track->field.contestants[index];
    const uint64_t start = joGetNanoseconds();
    const bool succeeded = contestant->build( contestant->state, track->scene );
    *time = joGetNanoseconds() - start;
    return succeeded;
}

static bool Fail( Track* track, uint32_t index )
{
    const benchContestant* contestant = &track->field.contestants[index];
    fprintf( stderr, "jostle-bench: %s %s failed\n", contestant->library, contestant->kind );
    track->race->failed = true;
    return false;
}

// --plant: of the last contestant, the last answer to the first query that has one is not there, or is
// exchanged with that of the second.
static void Plant( Track* track, uint32_t index )
{
    benchAnswers* answers = &track->answers;
    const size_t each = track->scene->answersEach;
    uint32_t queries[2];
    uint32_t found = 0;
    for ( uint32_t i = 0; i < track->lanes[index].queries && found < 2; ++i )
    {
        queries[found] = i;
        found += answers->counts[i] > 0 ? 1 : 0;
    }
    if ( index != track->field.count - 1 || found < 2 )
    {
        return;
    }
    const size_t a = queries[0] * each + answers->counts[queries[0]] - 1;
    const size_t b = queries[1] * each + answers->counts[queries[1]] - 1;
    if ( track->options->fault == bench_faultDrop )
    {
        answers->counts[queries[0]] -= 1;
    }
    if ( track->options->fault == bench_faultSwap && answers->hits != NULL )
    {
        const joHit hit = answers->hits[a];
        answers->hits[a] = answers->hits[b];
        answers->hits[b] = hit;
    }
    if ( track->options->fault == bench_faultSwap && answers->keys != NULL )
    {
        const uint32_t key = answers->keys[a];
        answers->keys[a] = answers->keys[b];
        answers->keys[b] = key;
    }
}

static void Judge( Track* track, uint32_t index )
{
    Lane* lane = &track->lanes[index];
    lane->verdict = benchJudgeAnswers(
        track->judge, &track->field.contestants[index], &track->answers, lane->queries, track->hashCount );
    track->race->agreed &= lane->verdict.right;
}

// Finds out how many queries a contestant can answer in half of its budget, ten times as many at each try,
// and how many frames in all of it.
static bool WarmUp( Track* track, uint32_t index )
{
    Lane* lane = &track->lanes[index];
    const benchOptions* options = track->options;
    const uint32_t all = track->scene->queryCount;
    const bool askAll = options->queries > 0 || all <= MIN_QUERIES;
    uint64_t buildTime, time;
    lane->queries = askAll ? all : MIN_QUERIES;
    if ( !Build( track, index, &buildTime ) || !Ask( track, index, lane->queries, &time ) )
    {
        return Fail( track, index );
    }
    while ( lane->queries < all )
    {
        const uint32_t more = lane->queries > all / 10 ? all : lane->queries * 10;
        if ( (double)time * 1e-9 / lane->queries * more > 0.5 * options->budget )
        {
            break;
        }
        lane->queries = more;
        if ( !Ask( track, index, lane->queries, &time ) )
        {
            return Fail( track, index );
        }
    }
    const double affordable = options->budget / ( (double)( time + buildTime ) * 1e-9 + 1e-9 );
    lane->frameLimit = affordable < track->frames ? (uint32_t)affordable : track->frames;
    lane->frameLimit = lane->frameLimit < MIN_FRAMES ? MIN_FRAMES : lane->frameLimit;
    lane->frameLimit = options->frames > 0 ? track->frames : lane->frameLimit;
    Judge( track, index );
    return true;
}

static bool RunFrame( Track* track, uint32_t index )
{
    Lane* lane = &track->lanes[index];
    const bool count = track->field.contestants[index].ours;
    bool succeeded = Build( track, index, &lane->buildTimes[lane->measured] );
    if ( count )
    {
        benchStartCounting();
    }
    succeeded = succeeded && Ask( track, index, lane->queries, &lane->times[lane->measured] );
    if ( count )
    {
        lane->allocations += benchStopCounting();
    }
    if ( !succeeded )
    {
        return Fail( track, index );
    }
    if ( lane->measured++ == 0 )
    {
        Plant( track, index );
    }
    Judge( track, index );
    return true;
}

static bool RunAll( Track* track )
{
    track->hashCount = UINT32_MAX;
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        if ( !WarmUp( track, i ) )
        {
            return false;
        }
        track->hashCount =
            track->lanes[i].queries < track->hashCount ? track->lanes[i].queries : track->hashCount;
    }
    for ( uint32_t frame = 0; frame < track->frames; ++frame )
    {
        // Each frame another one goes first.
        for ( uint32_t i = 0; i < track->field.count; ++i )
        {
            const uint32_t index = ( i + frame ) % track->field.count;
            const bool retired = track->lanes[index].measured == track->lanes[index].frameLimit;
            if ( !retired && !RunFrame( track, index ) )
            {
                return false;
            }
        }
    }
    return true;
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
        row->buildNs = benchMedian( lane->buildTimes, lane->measured );
        row->items = lane->queries;
        row->hash = lane->verdict.hash;
        row->pairs = lane->verdict.results;
        row->closeCalls = lane->verdict.closeCalls;
        row->allocations = lane->allocations;
    }
    benchSetRatios( race );
}

void benchRunQueryRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options )
{
    *race = ( benchRace ){ .workload = workload, .count = count, .agreed = true };
    const benchQueryWorkload queryWorkload = (benchQueryWorkload)( workload - BENCH_QUERIES );
    const uint32_t queryCount =
        options->queries > 0 ? options->queries : benchDefaultQueryCount( queryWorkload );
    Track* track = benchAllocate( 1, sizeof( Track ) );
    track->options = options;
    track->race = race;
    track->scene = benchCreateQueryScene( queryWorkload, count, queryCount, options->seed );
    track->judge = benchCreateJudge( track->scene );
    track->answers = benchMakeAnswers( track->scene );
    OpenJobs( track, threads, threadCount );
    AddContestants( track, threads, threadCount );
    if ( RunAll( track ) && track->field.count > 0 )
    {
        FillRows( track );
    }
    CloseTrack( track );
    free( track );
}
