// SPDX-License-Identifier: MIT
// jostle run: a scene, step by step.
#include "program.h"
#include "scene_output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char verb[] = "run";

static const char help[] =
    "usage: jostle run SCENE [options]\n"
    "\n"
    "Runs a scene, a JSON file (docs/scenes.md), and says how long the stages of a step took, what touched,\n"
    "and a hash of how it ended: the same for every number of threads, kind and instruction set.\n"
    "\n"
    "options:\n"
    "  --steps N       how many steps; default what the scene says\n"
    "  --threads N     1 to 64; default 1\n"
    "  --kind KIND     the structure: bruteforce, sweep, grid, tree, bvh or auto; default what the scene "
    "says\n"
    "  --scale F       areas F times as long, with F * F (3D: F * F * F) as many bodies; default 1\n"
    "  --events FILE   write each enter and exit as a line of JSON; - is the standard output\n"
    "  --png FILE      draw how it ended\n"
    "  --frames DIR    draw each step, and the beginning, as DIR/00000.png and so on\n"
    "  --json          print JSON\n"
    "  -h, --help      this text\n"
    "\n"
    "Colours: red what touches, grey what sleeps, dark what is static, blue what else; triggers are "
    "outlined.\n";

typedef struct RunOptions
{
    const char* path;
    const char* events;
    const char* png;
    const char* frames;
    joBroadPhaseKind kind; // jo_broadPhaseKindCount: what the scene says
    uint32_t threads;
    uint32_t steps; // 0: what the scene says
    float scale;
    bool json;
} RunOptions;

static bool ParseScale( const char* text, float* scale )
{
    char* end;
    const float number = strtof( text, &end );
    const bool good = end != text && *end == '\0' && number >= 1e-3f && number <= 1e3f;
    *scale = good ? number : *scale;
    return good;
}

// -1: go on; else the exit code.
static int ParseOption( int code, char** argv, const struct option* options, RunOptions* run )
{
    uint64_t number;
    int exitCode;
    switch ( code )
    {
        case 'n':
            exitCode = joTakeNumber( verb, "--steps", 1, INT32_MAX, &number );
            run->steps = exitCode < 0 ? (uint32_t)number : 0;
            return exitCode;
        case 't':
            exitCode = joTakeNumber( verb, "--threads", 1, JO_MAX_WORKERS, &number );
            run->threads = exitCode < 0 ? (uint32_t)number : 0;
            return exitCode;
        case 'k':
            return joFindBroadPhaseKind( optarg, &run->kind ) ? joUnknownKind( verb, optarg ) : -1;
        case 's':
            return ParseScale( optarg, &run->scale )
                       ? -1
                       : joUsageError( verb, "--scale %s: not a number from 0.001 to 1000", optarg );
        case 'e':
            run->events = optarg;
            return -1;
        case 'p':
            run->png = optarg;
            return -1;
        case 'f':
            run->frames = optarg;
            return -1;
        case 'j':
            run->json = true;
            return -1;
        case 'h':
            return joPrintHelp( verb, help );
        default:
            return joOptionError( verb, argv, code, options );
    }
}

static int ParseOptions( int argc, char** argv, RunOptions* run )
{
    static const struct option options[] = { { "steps", required_argument, NULL, 'n' },
        { "threads", required_argument, NULL, 't' }, { "kind", required_argument, NULL, 'k' },
        { "scale", required_argument, NULL, 's' }, { "events", required_argument, NULL, 'e' },
        { "png", required_argument, NULL, 'p' }, { "frames", required_argument, NULL, 'f' },
        { "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    *run = ( RunOptions ){ .kind = jo_broadPhaseKindCount, .threads = 1, .scale = 1.0f };
    opterr = 0;
    int code;
    while ( ( code = getopt_long( argc, argv, ":h", options, NULL ) ) != -1 )
    {
        const int exitCode = ParseOption( code, argv, options, run );
        if ( exitCode >= 0 )
        {
            return exitCode;
        }
    }
    return joTakeWord( verb, argc, argv, "scene", &run->path );
}

// --- what is said -----------------------------------------------------------------------------------------

typedef struct Report
{
    const RunOptions* options;
    const joSceneRun* run;
    uint64_t hash;
    uint32_t bodies, colliders, awake; // at the end
} Report;

// The stages and their milliseconds a step, of the whole step too.
#define STAGE_COUNT 8
static void ListStages( const Report* report, const char* names[STAGE_COUNT], double times[STAGE_COUNT] )
{
    const joSceneTotals* totals = &report->run->totals;
    const double factor = 1e3 / (double)report->run->stepCount;
    const struct
    {
        const char* name;
        double seconds;
    } stages[STAGE_COUNT] = { { "step", totals->step }, { "motion", totals->profile.motion },
        { "pairs", totals->profile.pairs }, { "sweep", totals->profile.sweep },
        { "contacts", totals->profile.contacts }, { "events", totals->profile.events },
        { "push", totals->profile.push }, { "behaviours", totals->behaviours } };
    for ( int i = 0; i < STAGE_COUNT; ++i )
    {
        names[i] = stages[i].name;
        times[i] = factor * stages[i].seconds;
    }
}

static const char* KindOf( const Report* report )
{
    const joBroadPhaseKind kind = report->options->kind;
    return joBroadPhaseKindText(
        kind == jo_broadPhaseKindCount ? report->run->scene->worldDef.broadPhase.kind : kind );
}

static void PrintText( const Report* report )
{
    const joSceneRun* run = report->run;
    const joSceneTotals* totals = &run->totals;
    const char* names[STAGE_COUNT];
    double times[STAGE_COUNT];
    ListStages( report, names, times );
    printf( "%s: %dD, %" PRIu64 " steps of %g s, %s, %" PRIu32 " thread%s, %s\n", report->options->path,
        run->scene->dimension, run->stepCount, (double)run->scene->timeStep, KindOf( report ),
        report->options->threads, report->options->threads == 1 ? "" : "s", joIsaText( joGetIsa() ) );
    printf( "bodies      %" PRIu32 ", %" PRIu32 " awake, with %" PRIu32 " colliders; created %" PRIu64
            ", destroyed %" PRIu64 "\n",
        report->bodies, report->awake, report->colliders, totals->created, totals->destroyed );
    printf( "at the end  %" PRIu64 " pairs, %" PRIu64 " touch\n", totals->pairs, totals->contacts );
    for ( int list = 0; list < 2; ++list )
    {
        printf( "%s  %" PRIu64 " enter, %" PRIu64 " stay, %" PRIu64 " exit\n",
            list == 0 ? "contacts  " : "triggers  ", totals->enters[list], totals->stays[list],
            totals->exits[list] );
    }
    for ( int i = 0; i < STAGE_COUNT; ++i )
    {
        printf( "%-10s  %.4f ms a step\n", names[i], times[i] );
    }
    printf( "hash        %016" PRIx64 ", of all events %016" PRIx64 "\n", report->hash, run->eventHash );
}

static json_t* JsonOfEvents( const joSceneTotals* totals, int list )
{
    return json_pack( "{s:I, s:I, s:I}", "enters", (json_int_t)totals->enters[list], "stays",
        (json_int_t)totals->stays[list], "exits", (json_int_t)totals->exits[list] );
}

static bool PrintJson( const Report* report )
{
    const joSceneRun* run = report->run;
    const joSceneTotals* totals = &run->totals;
    const char* names[STAGE_COUNT];
    double times[STAGE_COUNT];
    ListStages( report, names, times );
    json_t* stages = json_object();
    for ( int i = 0; i < STAGE_COUNT; ++i )
    {
        json_object_set_new( stages, names[i], json_real( times[i] ) );
    }
    char hash[17], eventHash[17];
    snprintf( hash, sizeof( hash ), "%016" PRIx64, report->hash );
    snprintf( eventHash, sizeof( eventHash ), "%016" PRIx64, run->eventHash );
    json_t* value = json_pack( "{s:o, s:i, s:I, s:f, s:s, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, "
                               "s:o, s:o, s:s, s:s}",
        "scene", joJsonString( report->options->path ), "dimension", run->scene->dimension, "steps",
        (json_int_t)run->stepCount, "timeStep", (double)run->scene->timeStep, "kind", KindOf( report ),
        "threads", (json_int_t)report->options->threads, "isa", joIsaText( joGetIsa() ), "bodies",
        (json_int_t)report->bodies, "awake", (json_int_t)report->awake, "colliders",
        (json_int_t)report->colliders, "created", (json_int_t)totals->created, "destroyed",
        (json_int_t)totals->destroyed, "pairs", (json_int_t)totals->pairs, "touching",
        (json_int_t)totals->contacts, "contacts", JsonOfEvents( totals, 0 ), "triggers",
        JsonOfEvents( totals, 1 ), "millisecondsAStep", stages, "hash", hash, "eventHash", eventHash );
    const bool good = joPrintJson( verb, value );
    putchar( '\n' );
    return good;
}

static int PrintReport( const RunOptions* options, const joSceneRun* run )
{
    const joWorldStats stats = joWorld_GetStats( run->world );
    Report report = { options, run, 0, stats.bodyCount, stats.colliderCount, stats.awakeBodyCount };
    const joResult result = joSceneRun_Hash( run, &report.hash );
    if ( result )
    {
        return joFailure( verb, "%s: %s", options->path, joResultText( result ) );
    }
    if ( !options->json )
    {
        PrintText( &report );
    }
    else if ( !PrintJson( &report ) )
    {
        return jo_exitFailure;
    }
    return joFlushOutput( verb ) ? jo_exitSuccess : jo_exitFailure;
}

// --- the run ----------------------------------------------------------------------------------------------

static int DrawFrame( const RunOptions* options, const joSceneRun* run )
{
    char path[4096];
    joFileError error;
    const int length =
        snprintf( path, sizeof( path ), "%s/%05" PRIu64 ".png", options->frames, run->stepCount );
    if ( length < 0 || (size_t)length >= sizeof( path ) )
    {
        return joFailure( verb, "--frames: the name is too long" );
    }
    return joPlotScene( run, path, &error ) ? jo_exitSuccess : joFileFailure( verb, path, &error );
}

static int StepAll( const RunOptions* options, joSceneRun* run, FILE* events )
{
    const uint32_t steps = options->steps > 0 ? options->steps : run->scene->steps;
    joProgress progress = joStartProgress();
    int code = options->frames != NULL ? DrawFrame( options, run ) : jo_exitSuccess;
    for ( uint32_t step = 1; step <= steps && code == jo_exitSuccess; ++step )
    {
        const joResult result = joSceneRun_Step( run );
        if ( result )
        {
            joProgress_End( &progress );
            return joFailure( verb, "%s: step %" PRIu32 ": %s", options->path, step, joResultText( result ) );
        }
        if ( events != NULL )
        {
            joWriteSceneEvents( run, events );
        }
        code = options->frames != NULL ? DrawFrame( options, run ) : jo_exitSuccess;
        joProgress_Show( &progress, "step %" PRIu32 " of %" PRIu32 ", %" PRIu64 " touch", step, steps,
            run->totals.contacts );
    }
    joProgress_End( &progress );
    return code;
}

static int FailWith( const char* path )
{
    return joFailure( verb, "%s: %s", path, strerror( errno ) );
}

static int StepWithEvents( const RunOptions* options, joSceneRun* run )
{
    const bool isOutput = options->events != NULL && strcmp( options->events, "-" ) == 0;
    FILE* file = options->events == NULL ? NULL : isOutput ? stdout : fopen( options->events, "w" );
    if ( options->events != NULL && file == NULL )
    {
        return FailWith( options->events );
    }
    int code = StepAll( options, run, file );
    errno = 0;
    const bool isBad = file != NULL && ferror( file );
    if ( file != NULL && !isOutput && ( fclose( file ) != 0 || isBad ) && code == jo_exitSuccess )
    {
        code = FailWith( options->events );
    }
    return code;
}

static int RunScene( const RunOptions* options, const joScene* scene )
{
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = options->threads;
    joJobs* jobs = NULL;
    joSceneRun* run = NULL;
    joResult result = joCreateJobs( &jobsDef, &jobs );
    const joSceneRunDef def = { options->kind, jobs, options->scale };
    result = result ? result : joCreateSceneRun( scene, &def, &run );
    int code = result ? joFailure( verb, "%s: %s", options->path, joResultText( result ) )
                      : StepWithEvents( options, run );
    joFileError error;
    if ( code == jo_exitSuccess && options->png != NULL && !joPlotScene( run, options->png, &error ) )
    {
        code = joFileFailure( verb, options->png, &error );
    }
    code = code == jo_exitSuccess ? PrintReport( options, run ) : code;
    joDestroySceneRun( run );
    joDestroyJobs( jobs );
    return code;
}

int joRunRun( int argc, char** argv )
{
    RunOptions options;
    int code = ParseOptions( argc, argv, &options );
    if ( code >= 0 )
    {
        return code;
    }
    joScene scene;
    joJsonError error;
    if ( !joLoadScene( options.path, &scene, &error ) )
    {
        return joJsonFailure( verb, options.path, &error );
    }
    if ( options.frames != NULL && mkdir( options.frames, 0777 ) != 0 && errno != EEXIST )
    {
        code = FailWith( options.frames );
    }
    else
    {
        code = RunScene( &options, &scene );
    }
    joFreeScene( &scene );
    return code;
}
