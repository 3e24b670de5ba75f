// SPDX-License-Identifier: MIT
// jostle pairs: the overlapping pairs of the boxes in a file, frame by frame.
#include "pair_check.h"
#include "program.h"

#include "jostle/broad_phase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "pairs";

static const char help[] =
    "usage: jostle pairs FILE [options]\n"
    "\n"
    "Finds all overlapping pairs of the boxes in a file, a text or a Broadmark recording, either perhaps\n"
    "compressed with gzip. Touching counts. Boxes are numbered from 0; a pair is a line \"a b\" with a < b,\n"
    "and pairs are sorted. Of several frames, each begins with a line \"# frame F: COUNT pairs\".\n"
    "\n"
    "options:\n"
    "  --kind KIND     the structure: bruteforce, sweep, grid, tree, bvh or auto;\n"
    "                  default grid\n"
    "  --threads N     1 to 64; default 1\n"
    "  --frames N      only the first N frames of a recording; default all\n"
    "  --count         print only how many pairs there are; of several frames \"F COUNT\", a line each\n"
    "  --json          print JSON\n"
    "  --verify        compare with a plain loop over all pairs of boxes; the last line is then\n"
    "                  \"verify: missed M, extra E, doubled D\" (with --json on the standard error,\n"
    "                  and in the member \"verify\"); exits 1 if any is not 0 or the order is wrong\n"
    "  -h, --help      this text\n";

typedef struct PairsOptions
{
    const char* path;
    joBroadPhaseKind kind;
    uint32_t threads;
    uint32_t frames; // 0: all
    bool count;
    bool json;
    bool verify;
} PairsOptions;

typedef struct PairsRun
{
    const PairsOptions* options;
    joBoxFile file;
    joJobs* jobs;
    joBroadPhase* broadPhase;
    joPairCheck check;
    joProgress progress;
    uint32_t frame;
} PairsRun;

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, PairsOptions* pairs )
{
    static const struct option options[] = { { "kind", required_argument, NULL, 'k' },
        { "threads", required_argument, NULL, 't' }, { "frames", required_argument, NULL, 'f' },
        { "count", no_argument, NULL, 'c' }, { "json", no_argument, NULL, 'j' },
        { "verify", no_argument, NULL, 'v' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    uint64_t threads = 1;
    uint64_t frames = 0;
    opterr = 0;
    int code, exitCode = -1;
    while ( exitCode < 0 && ( code = getopt_long( argc, argv, ":h", options, NULL ) ) != -1 )
    {
        switch ( code )
        {
            case 'k':
                if ( joFindBroadPhaseKind( optarg, &pairs->kind ) )
                {
                    return joUnknownKind( verb, optarg );
                }
                break;
            case 't':
                exitCode = joTakeNumber( verb, "--threads", 1, JO_MAX_WORKERS, &threads );
                break;
            case 'f':
                exitCode = joTakeNumber( verb, "--frames", 1, INT32_MAX, &frames );
                break;
            case 'c':
                pairs->count = true;
                break;
            case 'j':
                pairs->json = true;
                break;
            case 'v':
                pairs->verify = true;
                break;
            case 'h':
                return joPrintHelp( verb, help );
            default:
                return joOptionError( verb, argv, code, options );
        }
    }
    pairs->threads = (uint32_t)threads;
    pairs->frames = (uint32_t)frames;
    return exitCode < 0 ? joTakeWord( verb, argc, argv, "file", &pairs->path ) : exitCode;
}

static int Load( PairsRun* run )
{
    const PairsOptions* options = run->options;
    joFileError error;
    if ( !joLoadBoxFile( options->path, options->frames, &run->file, &error ) )
    {
        return joFileFailure( verb, options->path, &error );
    }
    if ( options->frames > run->file.frameCount )
    {
        return joFailure( verb, "%s: has %" PRIu32 " frames, not %" PRIu32, options->path,
            run->file.frameCount, options->frames );
    }
    return jo_exitSuccess;
}

static int CreateBroadPhase( PairsRun* run )
{
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = run->options->threads;
    joResult result = joCreateJobs( &jobsDef, &run->jobs );
    if ( !result )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.kind = run->options->kind;
        def.dimension = run->file.dimension;
        def.jobs = run->jobs;
        result = joCreateBroadPhase( &def, &run->broadPhase );
    }
    return result ? joFailure( verb, "%s", joResultText( result ) ) : jo_exitSuccess;
}

static int FailFrame( const PairsRun* run, joResult result )
{
    return joFailure(
        verb, "%s: frame %" PRIu32 ": %s", run->options->path, run->frame, joResultText( result ) );
}

// What comes before the frames' pairs.
static bool PrintBegin( const PairsRun* run )
{
    if ( !run->options->json )
    {
        return true;
    }
    fputs( "{\n  \"file\": ", stdout );
    if ( !joPrintJson( verb, joJsonString( run->options->path ) ) )
    {
        return false;
    }
    printf( ",\n  \"dimension\": %d,\n  \"boxes\": %" PRIu32 ",\n  \"kind\": \"%s\",\n  \"isa\": \"%s\",\n"
            "  \"threads\": %" PRIu32 ",\n  \"frames\": [",
        run->file.dimension, run->file.count, joBroadPhaseKindText( run->options->kind ),
        joIsaText( joGetIsa() ), run->options->threads );
    return true;
}

static void PrintFrame( PairsRun* run, const joPair* pairs, uint64_t pairCount )
{
    // Both may go to one terminal.
    joProgress_End( &run->progress );
    bool onlyCount = run->options->count;
    bool several = run->file.keptFrames > 1;
    if ( run->options->json )
    {
        printf( "%s\n    { \"frame\": %" PRIu32 ", \"count\": %" PRIu64, run->frame > 0 ? "," : "",
            run->frame, pairCount );
        if ( !onlyCount )
        {
            fputs( ", \"pairs\": [", stdout );
            for ( uint64_t i = 0; i < pairCount; ++i )
            {
                printf( "%s[%" PRIu32 ",%" PRIu32 "]", i > 0 ? "," : "", pairs[i].a, pairs[i].b );
            }
            fputc( ']', stdout );
        }
        fputs( " }", stdout );
    }
    else if ( onlyCount && several )
    {
        printf( "%" PRIu32 " %" PRIu64 "\n", run->frame, pairCount );
    }
    else if ( onlyCount )
    {
        printf( "%" PRIu64 "\n", pairCount );
    }
    else
    {
        if ( several )
        {
            printf( "# frame %" PRIu32 ": %" PRIu64 " pairs\n", run->frame, pairCount );
        }
        for ( uint64_t i = 0; i < pairCount; ++i )
        {
            printf( "%" PRIu32 " %" PRIu32 "\n", pairs[i].a, pairs[i].b );
        }
    }
}

static void PrintEnd( const PairsRun* run )
{
    const joPairCheck* check = &run->check;
    if ( run->options->json )
    {
        fputs( "\n  ]", stdout );
        if ( run->options->verify )
        {
            printf( ",\n  \"verify\": { \"missed\": %" PRIu64 ", \"extra\": %" PRIu64
                    ", \"doubled\": %" PRIu64 ", \"sorted\": %s }",
                check->missed, check->extra, check->doubled, check->unsorted ? "false" : "true" );
        }
        fputs( "\n}\n", stdout );
    }
    if ( run->options->verify )
    {
        fprintf( run->options->json ? stderr : stdout,
            "verify: missed %" PRIu64 ", extra %" PRIu64 ", doubled %" PRIu64 "\n", check->missed,
            check->extra, check->doubled );
    }
}

static void ShowCheckProgress( uint32_t row, uint32_t rowCount, void* context )
{
    PairsRun* run = context;
    joProgress_Show( &run->progress,
        "frame %" PRIu32 " of %" PRIu32 ": verifying box %" PRIu32 " of %" PRIu32, run->frame + 1,
        run->file.keptFrames, row, rowCount );
}

static int VerifyFrame( PairsRun* run, const float* boxes, const joPair* pairs, uint64_t pairCount )
{
    bool wasUnsorted = run->check.unsorted;
    joResult result = joCheckPairs(
        boxes, run->file.count, run->file.dimension, pairs, pairCount, ShowCheckProgress, run, &run->check );
    if ( result )
    {
        return FailFrame( run, result );
    }
    if ( run->check.unsorted && !wasUnsorted )
    {
        joProgress_End( &run->progress );
        joFailure( verb, "frame %" PRIu32 ": the pairs are not in order", run->frame );
    }
    return jo_exitSuccess;
}

static int RunFrame( PairsRun* run )
{
    const PairsOptions* options = run->options;
    const float* boxes = joBoxFile_GetFrame( &run->file, run->frame );
    joBoxes columns = joViewBoxArray( boxes, run->file.count );
    uint32_t errorIndex;
    joResult result = joBroadPhase_SetBoxes( run->broadPhase, &columns, &errorIndex );
    if ( result )
    {
        return FailFrame( run, result );
    }
    uint64_t pairCount;
    if ( options->count && !options->verify )
    {
        result = joBroadPhase_CountPairs( run->broadPhase, &pairCount );
        if ( result )
        {
            return FailFrame( run, result );
        }
        PrintFrame( run, NULL, pairCount );
        return jo_exitSuccess;
    }
    result = joBroadPhase_FindPairs( run->broadPhase, NULL, 0, &pairCount );
    if ( result )
    {
        return FailFrame( run, result );
    }
    uint64_t kept;
    const joPair* pairs = joBroadPhase_ViewPairs( run->broadPhase, &kept );
    if ( kept < pairCount )
    {
        return joFailure( verb,
            "%s: frame %" PRIu32 " has %" PRIu64 " pairs, more than the %" PRIu64
            " that are listed at most; use --count without --verify",
            options->path, run->frame, pairCount, kept );
    }
    PrintFrame( run, pairs, pairCount );
    return options->verify ? VerifyFrame( run, boxes, pairs, pairCount ) : jo_exitSuccess;
}

static int Run( PairsRun* run )
{
    int code = Load( run );
    if ( code == jo_exitSuccess )
    {
        code = CreateBroadPhase( run );
    }
    if ( code != jo_exitSuccess )
    {
        return code;
    }
    run->progress = joStartProgress();
    if ( !PrintBegin( run ) )
    {
        return jo_exitFailure;
    }
    for ( run->frame = 0; run->frame < run->file.keptFrames; ++run->frame )
    {
        joProgress_Show(
            &run->progress, "frame %" PRIu32 " of %" PRIu32, run->frame + 1, run->file.keptFrames );
        code = RunFrame( run );
        if ( code == jo_exitSuccess && ferror( stdout ) )
        {
            joFlushOutput( verb );
            code = jo_exitFailure;
        }
        if ( code != jo_exitSuccess )
        {
            joProgress_End( &run->progress );
            return code;
        }
    }
    joProgress_End( &run->progress );
    PrintEnd( run );
    const joPairCheck* check = &run->check;
    bool right = check->missed == 0 && check->extra == 0 && check->doubled == 0 && !check->unsorted;
    return joFlushOutput( verb ) && right ? jo_exitSuccess : jo_exitFailure;
}

int joRunPairs( int argc, char** argv )
{
    PairsOptions options = { .kind = jo_grid };
    int code = ParseOptions( argc, argv, &options );
    if ( code >= 0 )
    {
        return code;
    }
    PairsRun run = { .options = &options };
    code = Run( &run );
    joDestroyBroadPhase( run.broadPhase );
    joDestroyJobs( run.jobs );
    joFreeBoxFile( &run.file );
    return code;
}
