// SPDX-License-Identifier: MIT
// jostle tune: which structure suits the boxes in a file, or a workload, on this machine.
#include "program.h"
#include "tune.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "tune";

static const char help[] =
    "usage: jostle tune FILE|WORKLOAD [options]\n"
    "\n"
    "Runs every kind of broad phase, and grid and tree over their main parameters, on the frames of a file "
    "(as for\n"
    "pairs) or of a workload (as for gen; ./NAME is a file of that name), and says what they cost on this "
    "machine:\n"
    "to bring the structure up to date, to find all pairs, to answer queries. Candidates take turns in each "
    "frame,\n"
    "in three rounds; what is far behind is dropped after a round. Recommends one and prints its def as C, "
    "and says\n"
    "what jo_auto has chosen and how many times the best's cost its own is (its regret).\n"
    "\n"
    "Boxes that are the same in all frames are given as resting ones, once; the others are set in each "
    "frame.\n"
    "\n"
    "options:\n"
    "  --n N          boxes of a workload; default 10000\n"
    "  --frames F     2 to 100000; default: all of a file, or, of a workload or a file of one frame, which "
    "is "
    "repeated,\n"
    "                 20 to 100 by the number of boxes\n"
    "  --seed S       of a workload, 64 bits; default 1\n"
    "  --queries N    rays, boxes and nearest boxes, so many of each in a frame; default 0\n"
    "  --threads N    1 to 64; default 1\n"
    "  --moving       set all boxes in each frame, those that never change, too\n"
    "  --json         print JSON\n"
    "  --plot FILE    draw cost by kind and by frame, as SVG\n"
    "  -h, --help     this text\n";

typedef struct TuneOptions
{
    const char* input;
    const char* plot;
    uint64_t count, frames, seed, queries, threads; // 0: not given, but for seed and queries
    bool isMoving;
    bool json;
} TuneOptions;

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, TuneOptions* tune )
{
    static const struct option options[] = { { "n", required_argument, NULL, 'n' },
        { "frames", required_argument, NULL, 'f' }, { "seed", required_argument, NULL, 's' },
        { "queries", required_argument, NULL, 'q' }, { "threads", required_argument, NULL, 't' },
        { "moving", no_argument, NULL, 'm' }, { "json", no_argument, NULL, 'j' },
        { "plot", required_argument, NULL, 'p' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    opterr = 0;
    int code, exitCode = -1;
    while ( ( code = getopt_long( argc, argv, ":n:h", options, NULL ) ) != -1 )
    {
        switch ( code )
        {
            case 'n':
                exitCode = joTakeNumber( verb, "--n", 1, JO_WORKLOAD_MAX_COUNT, &tune->count );
                break;
            case 'f':
                exitCode = joTakeNumber( verb, "--frames", 2, 100000, &tune->frames );
                break;
            case 's':
                exitCode = joTakeNumber( verb, "--seed", 0, UINT64_MAX, &tune->seed );
                break;
            case 'q':
                exitCode = joTakeNumber( verb, "--queries", 0, 1000000, &tune->queries );
                break;
            case 't':
                exitCode = joTakeNumber( verb, "--threads", 1, JO_MAX_WORKERS, &tune->threads );
                break;
            case 'm':
                tune->isMoving = true;
                break;
            case 'j':
                tune->json = true;
                break;
            case 'p':
                tune->plot = optarg;
                break;
            case 'h':
                return joPrintHelp( verb, help );
            default:
                return joOptionError( verb, argv, code, options );
        }
    }
    return exitCode < 0 ? joTakeWord( verb, argc, argv, "file or workload", &tune->input ) : exitCode;
}

// So many that medians mean something, so few that nobody goes away.
static uint32_t DefaultFrames( uint32_t count )
{
    const uint32_t frames = 1000000 / count;
    return frames < 20 ? 20 : ( frames > 100 ? 100 : frames );
}

static int OpenFile( const TuneOptions* options, joTuneSource* source )
{
    joBoxFile file;
    joFileError error;
    if ( options->count > 0 )
    {
        return joUsageError( verb, "--n is for workloads, and %s is none", options->input );
    }
    if ( !joLoadBoxFile( options->input, (uint32_t)options->frames, &file, &error ) )
    {
        return joFileFailure( verb, options->input, &error );
    }
    if ( file.frameCount > 1 && options->frames > file.frameCount )
    {
        const uint32_t frameCount = file.frameCount;
        joFreeBoxFile( &file );
        return joFailure(
            verb, "%s: has %" PRIu32 " frames, not %" PRIu64, options->input, frameCount, options->frames );
    }
    uint32_t frames = file.frameCount > 1 ? file.keptFrames : DefaultFrames( file.count );
    frames = options->frames > 0 ? (uint32_t)options->frames : frames;
    return joTuneSource_OpenFile( source, &file, frames, !options->isMoving )
               ? jo_exitSuccess
               : joFailure( verb, "%s", joResultText( jo_errorOutOfMemory ) );
}

static int OpenSource( const TuneOptions* options, joTuneSource* source )
{
    joWorkloadKind kind;
    if ( !joFindWorkloadKind( options->input, &kind ) )
    {
        return OpenFile( options, source );
    }
    const uint32_t count = options->count > 0 ? (uint32_t)options->count : joWorkloadDefaultCount( kind );
    const uint32_t frames = options->frames > 0 ? (uint32_t)options->frames : DefaultFrames( count );
    joResult result =
        joTuneSource_OpenWorkload( source, kind, count, frames, options->seed, !options->isMoving );
    return result == jo_success ? jo_exitSuccess : joFailure( verb, "%s", joResultText( result ) );
}

static volatile sig_atomic_t stopSignal;

static void NoteSignal( int number )
{
    stopSignal = number;
}

static void CatchStopSignals( void )
{
    struct sigaction action = { .sa_handler = NoteSignal };
    sigemptyset( &action.sa_mask );
    sigaction( SIGINT, &action, NULL );
    sigaction( SIGTERM, &action, NULL );
}

static bool ShowProgress( const joTuneProgress* progress, void* context )
{
    joProgress_Show( context,
        "round %" PRIu32 " of %d, frame %" PRIu32 " of %" PRIu32 ", %" PRIu32
        " candidates; about %.0f s left",
        progress->stage, JO_TUNE_STAGES, progress->frame, progress->frameCount, progress->candidateCount,
        progress->secondsLeft );
    return stopSignal == 0;
}

static int Report( const TuneOptions* options, const joTune* tune )
{
    if ( options->plot != NULL )
    {
        joFileError error;
        if ( !joPlotTune( tune, options->input, options->plot, &error ) )
        {
            return joFileFailure( verb, options->plot, &error );
        }
    }
    if ( options->json )
    {
        if ( !joPrintTuneJson( tune, options->input ) )
        {
            return jo_exitFailure;
        }
    }
    else
    {
        joPrintTune( tune );
    }
    return joFlushOutput( verb ) ? jo_exitSuccess : jo_exitFailure;
}

static int Tune( const TuneOptions* options, joTuneSource* source )
{
    joProgress progress = joStartProgress();
    const joTuneDef def = { .source = source,
        .threads = (uint32_t)options->threads,
        .queryCount = (uint32_t)options->queries,
        .progress = ShowProgress,
        .progressContext = &progress };
    joTune* tune = malloc( sizeof( joTune ) );
    if ( tune == NULL )
    {
        return joFailure( verb, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    CatchStopSignals();
    const bool good = joTune_Run( tune, &def );
    joProgress_End( &progress );
    int code;
    if ( good )
    {
        code = Report( options, tune );
    }
    else if ( stopSignal != 0 )
    {
        joFailure( verb, "stopped" );
        code = 128 + (int)stopSignal;
    }
    else
    {
        code = joFailure( verb, "%s: %s", options->input, tune->error );
    }
    joFreeTune( tune );
    free( tune );
    return code;
}

int joRunTune( int argc, char** argv )
{
    TuneOptions options = { .seed = 1, .threads = 1 };
    int code = ParseOptions( argc, argv, &options );
    if ( code >= 0 )
    {
        return code;
    }
    joTuneSource source = { 0 };
    code = OpenSource( &options, &source );
    if ( code == jo_exitSuccess )
    {
        code = Tune( &options, &source );
    }
    joTuneSource_Close( &source );
    return code;
}
