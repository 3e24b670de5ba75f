// SPDX-License-Identifier: MIT
#include "report.h"

#include "environment.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct benchReport
{
    json_t* rows; // null: a table
    bool headed;
};

benchReport* benchOpenReport( bool json )
{
    benchReport* report = benchAllocate( 1, sizeof( benchReport ) );
    report->rows = json ? json_array() : NULL;
    return report;
}

// Times in ms with four digits that mean something.
static void FormatMs( char* text, size_t size, uint64_t ns )
{
    double ms = (double)ns * 1e-6;
    int decimals = ms < 1.0 ? 4 : ( ms < 10.0 ? 3 : ( ms < 100.0 ? 2 : 1 ) );
    snprintf( text, size, "%.*f", decimals, ms );
}

static void PrintTableRow( const benchRace* race, const benchRow* row )
{
    char median[32], minimum[32], ratio[32] = "-", allocations[32] = "-", bytes[32] = "-", last[80] = "";
    FormatMs( median, sizeof( median ), row->medianNs );
    FormatMs( minimum, sizeof( minimum ), row->minNs );
    if ( row->ratio > 0.0 )
    {
        snprintf( ratio, sizeof( ratio ), "%.2f", row->ratio );
    }
    if ( row->countedAllocations )
    {
        snprintf( allocations, sizeof( allocations ), "%" PRIu64, row->allocations );
    }
    if ( row->memory > 0 )
    {
        snprintf( bytes, sizeof( bytes ), "%.0f", (double)row->memory / race->count );
    }
    if ( row->buildNs > 0 )
    {
        char build[32];
        FormatMs( build, sizeof( build ), row->buildNs );
        snprintf( last, sizeof( last ), "  %8u %9s %6" PRIu64, row->items, build, row->closeCalls );
    }
    if ( row->deepest >= 0.0 )
    {
        snprintf( last, sizeof( last ), race->workload == BENCH_CROWD ? "  %.4f" : "  %.1e", row->deepest );
    }
    if ( race->workload == BENCH_SLEEPERS )
    {
        snprintf( last, sizeof( last ), "  %8" PRIu64 " %8.1f %8.1f %8.1f %8.1f", row->pairs,
            1e-3 * (double)row->stages.motionNs, 1e-3 * (double)row->stages.pairsNs,
            1e-3 * (double)row->stages.contactsNs, 1e-3 * (double)row->stages.eventsNs );
    }
    printf( "%-19s %8u  %-9s %-7s %-18s %-7s %2u %4u  %10s %10s %8.1f %7s %5s %6s  %016" PRIx64 "%s\n",
        benchWorkloadText( race->workload ), race->count, row->library, row->version, row->kind,
        row->isa[0] != '\0' ? row->isa : "-", row->threads, row->frames, median, minimum,
        benchNsPerItem( row ), ratio, allocations, bytes, row->hash, last );
}

// The fastest row of a library with so many threads, or null. A null library: of jostle.
static const benchRow* FindBest( const benchRace* race, const char* library, uint32_t threads )
{
    const benchRow* best = NULL;
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        const benchRow* row = &race->rows[i];
        bool counts =
            row->threads == threads && ( library == NULL ? row->ours : strcmp( row->library, library ) == 0 );
        best = counts && ( best == NULL || benchNsPerItem( row ) < benchNsPerItem( best ) ) ? row : best;
    }
    return best;
}

// The best of each library against the best of jostle, a line for each number of threads.
static void PrintBest( const benchRace* race )
{
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        uint32_t threads = race->rows[i].threads;
        const benchRow* ours = FindBest( race, NULL, threads );
        const benchRow* oursAlone = FindBest( race, NULL, 1 );
        if ( ours != &race->rows[i] )
        {
            continue;
        }
        char median[32];
        FormatMs( median, sizeof( median ), ours->medianNs );
        printf( "# %u thread%s: jostle %s %s ms", threads, threads == 1 ? "" : "s", ours->kind, median );
        if ( ours->items != race->count && race->workload < BENCH_PAIR_RACES )
        {
            printf( " for %u queries", ours->items );
        }
        if ( threads > 1 && oursAlone != NULL )
        {
            printf( " (%.2fx one thread)", benchNsPerItem( oursAlone ) / benchNsPerItem( ours ) );
        }
        for ( uint32_t j = 0; j < race->rowCount; ++j )
        {
            const benchRow* row = &race->rows[j];
            if ( !row->ours && row == FindBest( race, row->library, threads ) )
            {
                printf( ", %s %s %.2fx", row->library, row->kind, row->ratio );
            }
        }
        putchar( '\n' );
    }
}

// A line for each kind: with sleepers against without.
static void PrintSleepers( const benchRace* race )
{
    for ( uint32_t i = 0; i + bench_sleepersLayoutCount <= race->rowCount; i += bench_sleepersLayoutCount )
    {
        const benchRow* rows = &race->rows[i];
        const benchRow* among = &rows[bench_moversAmong];
        printf( "# %u thread%s: %s %.4f ms, apart %.2fx, among %.2fx; among is %.2fx nearby\n", rows->threads,
            rows->threads == 1 ? "" : "s", rows->kind, 1e-6 * (double)rows->medianNs,
            rows[bench_moversApart].ratio, among->ratio, among->ratio / rows[bench_moversNearby].ratio );
    }
}

static void PrintTable( benchReport* report, const benchRace* race )
{
    if ( !report->headed )
    {
        printf( "jostle-bench: %s, %s, %s, commit %s; peers: %s\n", benchCompiler(), benchFlags(), benchCpu(),
            benchCommit(), benchPeerNames() );
        printf(
            "ratio: the row's median over that of jostle's best kind with as many threads (sleepers: of its "
            "own kind alone); malloc: calls "
            "in all "
            "measured frames; bytes: held, an object; deepest: overlap left; close: answers that differ by "
            "rounding\n" );
        report->headed = true;
    }
    printf( "\n%-19s %8s  %-9s %-7s %-18s %-7s %2s %4s  %10s %10s %8s %7s %5s %6s  %-16s%s\n", "workload",
        "n", "library", "version", "kind", "isa", "t", "frm", "median ms", "min ms", "ns/item", "ratio",
        "malloc", "bytes", "hash",
        race->workload == BENCH_CROWD        ? "  deepest"
        : race->workload >= BENCH_PAIR_RACES ? "  depth off"
        : race->workload >= BENCH_QUERIES    ? "   queries  build ms  close"
        : race->workload == BENCH_SLEEPERS   ? "  touching  motion    pairs contacts   events (us)"
                                             : "" );
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        PrintTableRow( race, &race->rows[i] );
    }
    if ( race->workload == BENCH_SLEEPERS )
    {
        PrintSleepers( race );
    }
    else
    {
        PrintBest( race );
    }
    fflush( stdout );
}

static json_t* OptionalNumber( bool present, uint64_t number )
{
    return present ? json_integer( (json_int_t)number ) : json_null();
}

static json_t* MakeJsonRow( const benchRace* race, const benchRow* row )
{
    char hash[32];
    snprintf( hash, sizeof( hash ), "%016" PRIx64, row->hash );
    json_t* object = json_object();
    json_object_set_new( object, "workload", json_string( benchWorkloadText( race->workload ) ) );
    json_object_set_new( object, "n", json_integer( race->count ) );
    json_object_set_new( object, "library", json_string( row->library ) );
    json_object_set_new( object, "version", json_string( row->version ) );
    json_object_set_new( object, "kind", json_string( row->kind ) );
    json_object_set_new( object, "isa", row->isa[0] != '\0' ? json_string( row->isa ) : json_null() );
    json_object_set_new( object, "threads", json_integer( row->threads ) );
    json_object_set_new( object, "frames", json_integer( row->frames ) );
    json_object_set_new( object, "median_ns", json_integer( (json_int_t)row->medianNs ) );
    json_object_set_new( object, "min_ns", json_integer( (json_int_t)row->minNs ) );
    json_object_set_new( object, "ns_per_item", json_real( benchNsPerItem( row ) ) );
    json_object_set_new( object, "ratio", row->ratio > 0.0 ? json_real( row->ratio ) : json_null() );
    json_object_set_new( object, "hash", json_string( hash ) );
    if ( race->workload == BENCH_CROWD )
    {
        json_object_set_new( object, "deepest", json_real( row->deepest ) );
    }
    else if ( race->workload >= BENCH_PAIR_RACES )
    {
        json_object_set_new( object, "items", json_integer( row->items ) );
        json_object_set_new( object, "hits", json_integer( (json_int_t)row->pairs ) );
        json_object_set_new( object, "close_calls", json_integer( (json_int_t)row->closeCalls ) );
        json_object_set_new( object, "depth_error", json_real( row->deepest ) );
    }
    else if ( race->workload >= BENCH_QUERIES )
    {
        json_object_set_new( object, "queries", json_integer( row->items ) );
        json_object_set_new( object, "answers", json_integer( (json_int_t)row->pairs ) );
        json_object_set_new( object, "close_calls", json_integer( (json_int_t)row->closeCalls ) );
        json_object_set_new( object, "build_ns", json_integer( (json_int_t)row->buildNs ) );
    }
    else if ( race->workload == BENCH_SLEEPERS )
    {
        json_object_set_new( object, "movers", json_integer( row->items ) );
        json_object_set_new( object, "touching", json_integer( (json_int_t)row->pairs ) );
        json_object_set_new( object, "motion_ns", json_integer( (json_int_t)row->stages.motionNs ) );
        json_object_set_new( object, "pairs_ns", json_integer( (json_int_t)row->stages.pairsNs ) );
        json_object_set_new( object, "contacts_ns", json_integer( (json_int_t)row->stages.contactsNs ) );
        json_object_set_new( object, "events_ns", json_integer( (json_int_t)row->stages.eventsNs ) );
    }
    else
    {
        json_object_set_new( object, "pairs", json_integer( (json_int_t)row->pairs ) );
    }
    json_object_set_new( object, "allocations", OptionalNumber( row->countedAllocations, row->allocations ) );
    json_object_set_new( object, "memory_bytes", OptionalNumber( row->memory > 0, row->memory ) );
    json_object_set_new( object, "compiler", json_string( benchCompiler() ) );
    json_object_set_new( object, "flags", json_string( benchFlags() ) );
    json_object_set_new( object, "cpu", json_string( benchCpu() ) );
    json_object_set_new( object, "commit", json_string( benchCommit() ) );
    return object;
}

void benchReportRace( benchReport* report, const benchRace* race )
{
    if ( report->rows == NULL )
    {
        PrintTable( report, race );
        return;
    }
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        json_array_append_new( report->rows, MakeJsonRow( race, &race->rows[i] ) );
    }
}

void benchCloseReport( benchReport* report )
{
    if ( report->rows != NULL )
    {
        json_dumpf( report->rows, stdout, JSON_INDENT( 1 ) );
        putchar( '\n' );
        json_decref( report->rows );
    }
    free( report );
}
