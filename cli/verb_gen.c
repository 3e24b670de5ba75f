// SPDX-License-Identifier: MIT
// jostle gen: writes a workload of boxes to a file.
#define _XOPEN_SOURCE 700 // SIGXFSZ
#include "program.h"
#include "workload.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

static const char verb[] = "gen";

static const char help[] =
    "usage: jostle gen WORKLOAD [--n N] [--frames F] [--seed S] -o FILE\n"
    "\n"
    "Writes a workload of boxes. The same workload, N and seed give the same bytes everywhere.\n"
    "\n"
    "workloads (with or without \"pairs-\"):\n"
    "  pairs-a       3D, boxes of side 1, about 2 pairs a box\n"
    "  pairs-b       3D, sizes log-normal, and a few boxes of side 20\n"
    "  pairs-c       2D, as a\n"
    "  pairs-clumps  3D, in clumps ten times as dense as a, 10,000 from the origin on each axis\n"
    "  pairs-long    3D, as a, in a world 1,000 times longer than wide\n"
    "  pairs-still   2D, as c; nine tenths of the boxes never move\n"
    "  pairs-pile    3D, each box overlaps about 200 others\n"
    "  pairs-change  2D, as c, but a hundredth appears elsewhere in each frame; halfway all fly apart: "
    "distances\n"
    "                and sizes are log-uniform from there on\n"
    "Each frame every centre moves by up to 0.05 on each axis and is reflected at the world.\n"
    "\n"
    "options:\n"
    "  --n N              number of boxes, 1 to 2147483647; default 10000\n"
    "  --frames F         number of frames, 1 to 2147483647; default 1\n"
    "  --seed S           seed, 64 bits; default 1\n"
    "  -o, --output FILE  where to write; - is the standard output\n"
    "  -h, --help         this text\n"
    "\n"
    "FILE becomes a Broadmark recording if its name ends in .bin or .broadmark or if there are several\n"
    "frames (2D boxes then have z 0), else a text with a box a line. Either is compressed if the name\n"
    "ends in .gz. It is written beside its place and put there when complete.\n";

typedef struct GenOptions
{
    joWorkloadKind kind;
    uint32_t count;
    uint32_t frameCount;
    uint64_t seed;
    const char* output;
} GenOptions;

// Set by SIGINT, SIGTERM and SIGHUP, so that the temporary file goes when the user stops the work.
static volatile sig_atomic_t stopSignal;

static void Stop( int signalNumber )
{
    stopSignal = signalNumber;
}

static void CatchStopSignals( void )
{
    struct sigaction action;
    memset( &action, 0, sizeof action );
    action.sa_handler = Stop;
    action.sa_flags = SA_RESTART;
    sigemptyset( &action.sa_mask );
    sigaction( SIGINT, &action, NULL );
    sigaction( SIGTERM, &action, NULL );
    sigaction( SIGHUP, &action, NULL );
    // A file that grows beyond the user's limit shall be an error of the write, not the end.
    action.sa_handler = SIG_IGN;
    sigaction( SIGXFSZ, &action, NULL );
}

static int BadWorkload( const char* name )
{
    char list[256];
    size_t length = 0;
    for ( int i = 0; i < jo_workloadKindCount; ++i )
    {
        length += (size_t)snprintf( list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
            joWorkloadKindText( (joWorkloadKind)i ) );
    }
    return joUsageError( verb, "unknown workload %s; the workloads are %s", name, list );
}

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, GenOptions* gen )
{
    static const struct option options[] = { { "n", required_argument, NULL, 'n' },
        { "frames", required_argument, NULL, 'f' }, { "seed", required_argument, NULL, 's' },
        { "output", required_argument, NULL, 'o' }, { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 } };
    uint64_t count = 0;
    uint64_t frameCount = 1;
    gen->seed = 1;
    opterr = 0;
    int code, exitCode = -1;
    while ( exitCode < 0 && ( code = getopt_long( argc, argv, ":n:o:h", options, NULL ) ) != -1 )
    {
        switch ( code )
        {
            case 'n':
                exitCode = joTakeNumber( verb, "--n", 1, JO_WORKLOAD_MAX_COUNT, &count );
                break;
            case 'f':
                exitCode = joTakeNumber( verb, "--frames", 1, INT32_MAX, &frameCount );
                break;
            case 's':
                exitCode = joTakeNumber( verb, "--seed", 0, UINT64_MAX, &gen->seed );
                break;
            case 'o':
                gen->output = optarg;
                break;
            case 'h':
                return joPrintHelp( verb, help );
            default:
                return joOptionError( verb, argv, code, options );
        }
    }
    const char* name;
    exitCode = exitCode < 0 ? joTakeWord( verb, argc, argv, "workload", &name ) : exitCode;
    if ( exitCode >= 0 )
    {
        return exitCode;
    }
    if ( !joFindWorkloadKind( name, &gen->kind ) )
    {
        return BadWorkload( name );
    }
    if ( gen->output == NULL )
    {
        return joUsageError( verb, "no file given; say -o FILE" );
    }
    gen->count = count > 0 ? (uint32_t)count : joWorkloadDefaultCount( gen->kind );
    gen->frameCount = (uint32_t)frameCount;
    return -1;
}

static int WriteFrames( const GenOptions* gen, joWorkload* workload, joBoxWriter* writer )
{
    joFileError error;
    joProgress progress = joStartProgress();
    for ( uint32_t frame = 0; frame < gen->frameCount; ++frame )
    {
        if ( frame > 0 )
        {
            joWorkload_Step( workload );
        }
        joProgress_Show( &progress, "writing frame %" PRIu32 " of %" PRIu32, frame + 1, gen->frameCount );
        if ( !joBoxWriter_WriteFrame( writer, workload->boxes, &error ) )
        {
            joProgress_End( &progress );
            return joFileFailure( verb, gen->output, &error );
        }
        if ( stopSignal != 0 )
        {
            joProgress_End( &progress );
            joFailure( verb, "stopped; nothing was written" );
            return 128 + (int)stopSignal;
        }
    }
    joProgress_End( &progress );
    if ( !joBoxWriter_Finish( writer, &error ) )
    {
        return joFileFailure( verb, gen->output, &error );
    }
    return jo_exitSuccess;
}

int joRunGen( int argc, char** argv )
{
    GenOptions gen = { 0 };
    int code = ParseOptions( argc, argv, &gen );
    if ( code >= 0 )
    {
        return code;
    }
    joWorkload* workload;
    joResult result = joCreateWorkload( gen.kind, gen.count, gen.seed, &workload );
    if ( result )
    {
        return joFailure( verb, "%s", joResultText( result ) );
    }
    workload->changeFrame = gen.frameCount > 1 ? gen.frameCount / 2 : JO_WORKLOAD_CHANGE_FRAME;
    char name[JO_RECORDING_TEXT_SIZE];
    snprintf( name, sizeof name, "jostle %s n %" PRIu32 " seed %" PRIu64, joWorkloadKindText( gen.kind ),
        gen.count, gen.seed );
    joBoxWriterDef def = {
        .format = gen.frameCount > 1 ? jo_recordedBoxes : joBoxFormatOfName( gen.output ),
        .dimension = workload->dimension,
        .count = gen.count,
        .frameCount = gen.frameCount,
        .name = name,
        .objectType = "boxes",
    };
    joWorkload_GetBounds( workload, def.world );
    CatchStopSignals();
    joFileError error;
    joBoxWriter* writer = joCreateBoxWriter( gen.output, &def, &error );
    code = writer == NULL ? joFileFailure( verb, gen.output, &error ) : WriteFrames( &gen, workload, writer );
    joDestroyBoxWriter( writer );
    joDestroyWorkload( workload );
    return code;
}
