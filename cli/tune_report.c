// SPDX-License-Identifier: MIT
// What `jostle tune` has found: a table, or JSON.
#include "program.h"
#include "tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "tune";

static const joTuneCandidate* AutoOf( const joTune* tune )
{
    return tune->candidates + tune->autoIndex;
}

// Those that ran to the end by their median, the others after them by their score.
static int CompareCandidates( const void* a, const void* b )
{
    const joTuneCandidate* x = *(joTuneCandidate* const*)a;
    const joTuneCandidate* y = *(joTuneCandidate* const*)b;
    if ( ( x->droppedIn == 0 ) != ( y->droppedIn == 0 ) )
    {
        return x->droppedIn == 0 ? -1 : 1;
    }
    if ( x->score != y->score )
    {
        return x->score < y->score ? -1 : 1;
    }
    return x < y ? -1 : 1;
}

static void SortCandidates( const joTune* tune, const joTuneCandidate** sorted )
{
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        sorted[i] = tune->candidates + i;
    }
    qsort( sorted, tune->candidateCount, sizeof( sorted[0] ), CompareCandidates );
}

static void PrintRow( const joTune* tune, const joTuneCandidate* candidate )
{
    const joTuneTimes* times = &candidate->times;
    const double best = tune->candidates[tune->bestIndex].times.median;
    char build[32] = "-", queries[32] = "-";
    if ( tune->def.queryCount > 0 )
    {
        snprintf( build, sizeof( build ), "%.4g", times->build );
        snprintf( queries, sizeof( queries ), "%.4g", times->queries );
    }
    printf( "%-28s %9s %9.4g %9s %9.3g %9.4g %9.4g %9.4g  %5.2fx\n", candidate->name, build, times->pairs,
        queries, 1e-6 * (double)candidate->memoryBytes, times->median, times->mean, times->worst,
        times->median / best );
}

static void PrintDropped( const joTune* tune, const joTuneCandidate* candidate )
{
    printf( "%-28s %9s %9s %9s %9s %9.4g %9s %9s  %5.2fx  dropped in round %" PRIu32 "\n", candidate->name,
        "", "", "", "", candidate->score, "", "",
        candidate->score / tune->candidates[tune->bestIndex].times.median, candidate->droppedIn );
}

void joPrintTune( const joTune* tune )
{
    const joTuneSource* source = tune->def.source;
    const joTuneCandidate* sorted[JO_TUNE_MAX_CANDIDATES];
    SortCandidates( tune, sorted );
    printf( "%" PRIu32 " boxes in %dD, %" PRIu32 " of them still, %" PRIu64 " pairs a frame; %" PRIu32
            " frames, %s, %" PRIu32 " thread%s\n",
        source->count, source->dimension, source->stillCount, tune->meanPairCount, source->frameCount,
        joIsaText( joGetIsa() ), tune->def.threads, tune->def.threads == 1 ? "" : "s" );
    printf( "milliseconds a frame; memory in megabytes; median: of both halves of the frames; mean: but for "
            "the worst fiftieth\n\n" );
    printf( "%-28s %9s %9s %9s %9s %9s %9s %9s\n", "kind", "build", "pairs", "queries", "memory", "median",
        "mean", "worst" );
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        if ( sorted[i]->droppedIn == 0 )
        {
            PrintRow( tune, sorted[i] );
        }
        else
        {
            PrintDropped( tune, sorted[i] );
        }
    }
    if ( source->count > JO_TUNE_BRUTE_FORCE_LIMIT )
    {
        printf( "bruteforce is left out above %d boxes: it is quadratic\n", JO_TUNE_BRUTE_FORCE_LIMIT );
    }
    char text[512];
    const joTuneCandidate* recommended = tune->candidates + tune->recommendedIndex;
    joFormatDef( &recommended->def, text, sizeof( text ) );
    printf( "\nrecommended: %s\n\n%s\n", recommended->name, text );
    const joBroadPhaseChoice* choice = &AutoOf( tune )->choice;
    printf( "auto chose %s\n", choice->text );
    printf( "auto changed its kind %" PRIu32 " times; its regret is %.2f by median, %.2f by mean\n",
        choice->changeCount, joTune_Regret( tune ), joTune_MeanRegret( tune ) );
}

static json_t* MakeTimes( const joTune* tune, const joTuneCandidate* candidate )
{
    const joTuneTimes* times = &candidate->times;
    json_t* frames = json_array();
    for ( uint32_t frame = 0; frame < tune->def.source->frameCount; ++frame )
    {
        json_array_append_new( frames, joJsonNumber( candidate->frames[frame] ) );
    }
    return json_pack( "{s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "build", times->build, "pairs", times->pairs,
        "queries", times->queries, "median", times->median, "mean", times->mean, "worst", times->worst,
        "frames", frames );
}

static json_t* MakeCandidate( const joTune* tune, const joTuneCandidate* candidate )
{
    const joBroadPhaseDef* def = &candidate->def;
    json_t* object = json_pack( "{s:s, s:s, s:f, s:I, s:I, s:I, s:f, s:I}", "name", candidate->name, "kind",
        joBroadPhaseKindText( def->kind ), "cellSize", (double)def->cellSize, "levels",
        (json_int_t)def->levels, "maxDepth", (json_int_t)def->maxDepth, "leafCapacity",
        (json_int_t)def->leafCapacity, "looseness", (double)def->looseness, "memoryBytes",
        (json_int_t)candidate->memoryBytes );
    if ( candidate->droppedIn != 0 )
    {
        json_object_set_new( object, "droppedInStage", json_integer( (json_int_t)candidate->droppedIn ) );
        json_object_set_new( object, "score", joJsonNumber( candidate->score ) );
    }
    else
    {
        json_object_set_new( object, "milliseconds", MakeTimes( tune, candidate ) );
    }
    return object;
}

bool joPrintTuneJson( const joTune* tune, const char* path )
{
    const joTuneSource* source = tune->def.source;
    const joTuneCandidate* sorted[JO_TUNE_MAX_CANDIDATES];
    SortCandidates( tune, sorted );
    json_t* candidates = json_array();
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        json_array_append_new( candidates, MakeCandidate( tune, sorted[i] ) );
    }
    char text[512];
    const joTuneCandidate* recommended = tune->candidates + tune->recommendedIndex;
    joFormatDef( &recommended->def, text, sizeof( text ) );
    const joBroadPhaseChoice* choice = &AutoOf( tune )->choice;
    json_t* choiceObject =
        json_pack( "{s:s, s:s, s:I, s:f, s:f}", "kind", joBroadPhaseKindText( choice->def.kind ), "reason",
            choice->text, "changes", (json_int_t)choice->changeCount, "regret", joTune_Regret( tune ),
            "meanRegret", joTune_MeanRegret( tune ) );
    json_t* object = json_pack( "{s:o, s:i, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:o, s:s, s:s, s:s, s:o}",
        "input", joJsonString( path ), "dimension", source->dimension, "boxes", (json_int_t)source->count,
        "still", (json_int_t)source->stillCount, "frames", (json_int_t)source->frameCount, "pairs",
        (json_int_t)tune->meanPairCount, "isa", joIsaText( joGetIsa() ), "threads",
        (json_int_t)tune->def.threads, "queries", (json_int_t)tune->def.queryCount, "candidates", candidates,
        "best", tune->candidates[tune->bestIndex].name, "recommended", recommended->name, "def", text, "auto",
        choiceObject );
    const bool good = joPrintJson( verb, object );
    fputc( '\n', stdout );
    return good;
}
