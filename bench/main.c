// SPDX-License-Identifier: MIT
// jostle-bench: jostle and its peers on the same frames, in turn, with their answers compared.
#include "allocations.h"
#include "options.h"
#include "race.h"
#include "report.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Meeting
{
    const benchOptions* options;
    benchReport* report;
    bool right;
    bool failed;
} Meeting;

static void CheckAllocations( Meeting* meeting, const benchRace* race )
{
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        const benchRow* row = &race->rows[i];
        if ( row->countedAllocations && row->allocations > 0 )
        {
            fprintf( stderr, "jostle-bench: ALLOCATES: %s at %u, %s, %u threads: %llu calls in %u frames\n",
                benchWorkloadText( race->workload ), race->count, row->kind, row->threads,
                (unsigned long long)row->allocations, row->frames );
            meeting->right = false;
        }
    }
}

static void Run(
    Meeting* meeting, int workload, uint32_t count, const uint32_t* threads, uint32_t threadCount )
{
    const benchOptions* options = meeting->options;
    if ( isatty( STDERR_FILENO ) )
    {
        fprintf( stderr, "%s at %u ...\n", benchWorkloadText( workload ), count );
    }
    benchRace* race = benchAllocate( 1, sizeof( benchRace ) );
    if ( workload >= BENCH_PAIR_RACES )
    {
        benchRunPairRace( race, workload, count, threads, threadCount, options );
    }
    else if ( workload == BENCH_SLEEPERS )
    {
        benchRunSleepersRace( race, workload, count, threads, threadCount, options );
    }
    else if ( workload >= BENCH_QUERIES )
    {
        benchRunQueryRace( race, workload, count, threads, threadCount, options );
    }
    else
    {
        benchRunRace( race, workload, count, threads, threadCount, options );
    }
    meeting->right &= race->agreed;
    meeting->failed |= race->failed;
    if ( !race->failed )
    {
        benchReportRace( meeting->report, race );
    }
    if ( options->checkAllocations )
    {
        CheckAllocations( meeting, race );
    }
    free( race );
}

static void RunChosen( Meeting* meeting )
{
    const benchOptions* options = meeting->options;
    for ( int workload = 0; workload < BENCH_WORKLOAD_COUNT; ++workload )
    {
        uint32_t defaultSize = workload >= BENCH_PAIR_RACES
                                   ? benchDefaultPairCount( workload - BENCH_PAIR_RACES )
                               : workload == BENCH_SLEEPERS ? 1000000
                               : workload >= BENCH_TWO_SETS ? 100000
                                                            : 10000;
        const uint32_t* sizes = options->sizeCount > 0 ? options->sizes : &defaultSize;
        uint32_t sizeCount = options->sizeCount > 0 ? options->sizeCount : 1;
        for ( uint32_t i = 0; i < sizeCount && options->workloads[workload]; ++i )
        {
            Run( meeting, workload, sizes[i], options->threads, options->threadCount );
        }
    }
}

// Two threads are worth a row where targets ask for them, and where the machine has them.
static uint32_t ThreadsForTable( uint32_t count )
{
    return count >= 100000 && sysconf( _SC_NPROCESSORS_ONLN ) > 1 ? 2 : 1;
}

static void RunTable( Meeting* meeting )
{
    static const uint32_t sizes[] = { 1000, 10000, 100000 };
    static const uint32_t threads[] = { 1, 2 };
    for ( int workload = 0; workload < BENCH_WORKLOAD_COUNT; ++workload )
    {
        for ( uint32_t i = 0; i < sizeof( sizes ) / sizeof( sizes[0] ); ++i )
        {
            bool isIn = workload == jo_pairsPile     ? sizes[i] == joWorkloadDefaultCount( jo_pairsPile )
                        : workload >= BENCH_TWO_SETS ? sizes[i] == 100000
                                                     : true;
            if ( isIn && workload < BENCH_PAIR_RACES && workload != BENCH_SLEEPERS )
            {
                Run( meeting, workload, sizes[i], threads, ThreadsForTable( sizes[i] ) );
            }
        }
    }
}

// The pairs of the table: each at its own size, and obb-all at those of a table that others published.
static void RunBoxes( Meeting* meeting )
{
    static const uint32_t sizes[] = { 100, 300, 500, 1000 };
    static const uint32_t threads[] = { 1, 2 };
    const uint32_t threadCount = ThreadsForTable( 100000 );
    for ( int workload = BENCH_BOXES; workload < BENCH_BOXES + BENCH_OBB_ALL; ++workload )
    {
        Run( meeting, workload, benchDefaultPairCount( workload - BENCH_PAIR_RACES ), threads, threadCount );
    }
    for ( uint32_t i = 0; i < sizeof( sizes ) / sizeof( sizes[0] ); ++i )
    {
        Run( meeting, BENCH_BOXES + BENCH_OBB_ALL, sizes[i], threads, threadCount );
    }
    Run( meeting, BENCH_BOXES + BENCH_OBB_WORLD, 1000, threads, 1 );
    Run( meeting, BENCH_BOXES + BENCH_OBB_WORLD, 10000, threads, 1 );
    Run( meeting, BENCH_BOXES + BENCH_OBB_WORLD, 100000, threads, threadCount );
    for ( int workload = BENCH_FLAT; workload < BENCH_WORKLOAD_COUNT; ++workload )
    {
        Run( meeting, workload, benchDefaultPairCount( workload - BENCH_PAIR_RACES ), threads, threadCount );
    }
}

static void RunMillion( Meeting* meeting )
{
    static const int workloads[] = { jo_pairsA, jo_pairsB, jo_pairsC, BENCH_CROWD, BENCH_SLEEPERS };
    static const uint32_t threads[] = { 1, 2 };
    for ( uint32_t i = 0; i < sizeof( workloads ) / sizeof( workloads[0] ); ++i )
    {
        Run( meeting, workloads[i], 1000000, threads, ThreadsForTable( 1000000 ) );
    }
}

int main( int argumentCount, char** arguments )
{
    benchOptions options;
    benchParse parse = benchParseOptions( argumentCount, arguments, &options );
    if ( parse != bench_parsed )
    {
        return parse == bench_parsedHelp ? 0 : 2;
    }
    if ( options.checkAllocations && !benchCountsAllocations() )
    {
        fprintf( stderr,
            "jostle-bench: this build does not count allocations (it needs glibc and no sanitizers)\n" );
        return 2;
    }
    if ( options.peers && benchPeerNames()[0] == 'n' )
    {
        fprintf( stderr, "jostle-bench: no peers were found when this was built (tools/setup.sh peers)\n" );
    }
    Meeting meeting = { .options = &options, .report = benchOpenReport( options.json ), .right = true };
    RunChosen( &meeting );
    if ( options.table )
    {
        RunTable( &meeting );
        RunBoxes( &meeting );
    }
    if ( options.million )
    {
        RunMillion( &meeting );
    }
    benchCloseReport( meeting.report );
    if ( !meeting.right )
    {
        fprintf( stderr, "jostle-bench: FAILED: see above\n" );
    }
    return meeting.failed ? 3 : ( meeting.right ? 0 : 1 );
}
