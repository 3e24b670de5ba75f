// SPDX-License-Identifier: MIT
// jostle query: what rays, boxes, circles and points meet of the boxes in a file.
#include "program.h"
#include "query_check.h"
#include "question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "query";

static const char help[] =
    "usage: jostle query FILE QUESTION... [options]\n"
    "       jostle query FILE --queries QUESTIONS [options]\n"
    "\n"
    "Asks what is at a place, along a way, or near a point, of the boxes in a file (as for pairs). Boxes "
    "are\n"
    "numbered from 0; touching counts. A hit is a line \"BOX DISTANCE\", by distance, then by number; what "
    "touches\n"
    "a box or a circle is a line \"BOX\", by number. Of nothing the line is \"none\". Of several questions, "
    "each\n"
    "begins with a line \"# QUESTION: COUNT found\".\n"
    "\n"
    "questions, in 3D; in 2D there is no z. Each may be there several times:\n"
    "  --ray X,Y,Z,DX,DY,DZ[,LENGTH]        from a point in a direction, without end if no length is given\n"
    "  --sweep LX,LY,LZ,UX,UY,UZ,DX,DY,DZ[,LENGTH]   a box that moves; the distance is how far until it "
    "touches\n"
    "  --box LX,LY,LZ,UX,UY,UZ              a box: lower corner, upper corner\n"
    "  --circle X,Y,Z,R                     a sphere, in 2D a circle\n"
    "  --nearest X,Y,Z[,K[,DISTANCE]]       the K nearest (1), at most so far away\n"
    "  --queries QUESTIONS                  those of a file, a question a line: ray X Y Z DX DY DZ and so "
    "on, without\n"
    "                                       dashes, numbers between blanks or commas, # begins a comment\n"
    "\n"
    "options:\n"
    "  --closest       of rays and sweeps the first hit only: this is the default\n"
    "  --all           all hits\n"
    "  --any           whether there is one: \"yes\" or \"no\"\n"
    "  --frame K       of a recording, from 0; default 0\n"
    "  --kind KIND     the structure: bruteforce, sweep, grid, tree, bvh or auto; default bvh\n"
    "  --count         print only how many are found; of several questions \"Q COUNT\", a line each, Q from "
    "0\n"
    "  --json          print JSON\n"
    "  --verify        compare with a plain loop over all boxes; the last line is then\n"
    "                  \"verify: missed M, extra E, wrong W\" (with --json on the standard error, and in "
    "the\n"
    "                  member \"verify\"); exits 1 if any is not 0\n"
    "  -h, --help      this text\n";

// A question of the command line, before the dimension is known.
typedef struct Asked
{
    joQuestionKind kind;
    const char* numbers; // null: `path` is a file of them
    const char* path;
} Asked;

typedef struct QueryOptions
{
    const char* path;
    Asked* asked;
    uint32_t askedCount;
    joHitMode mode;
    joBroadPhaseKind kind;
    uint32_t frame;
    bool count;
    bool json;
    bool verify;
} QueryOptions;

typedef struct QueryRun
{
    const QueryOptions* options;
    joBoxFile file;
    const float* boxes;
    joBroadPhase* broadPhase;
    joQuestionList questions;
    joAnswer answer;
    joQueryCheck check;
    joProgress progress;
} QueryRun;

// One code each: the questions come first, in the order of their kinds.
enum
{
    option_queries = jo_questionKindCount,
    option_closest,
    option_all,
    option_any,
    option_frame,
    option_kind,
    option_count,
    option_json,
    option_verify
};

static const struct option options[] = { { "ray", required_argument, NULL, jo_askRay },
    { "sweep", required_argument, NULL, jo_askSweep }, { "box", required_argument, NULL, jo_askBox },
    { "circle", required_argument, NULL, jo_askCircle },
    { "nearest", required_argument, NULL, jo_askNearest },
    { "queries", required_argument, NULL, option_queries }, { "closest", no_argument, NULL, option_closest },
    { "all", no_argument, NULL, option_all }, { "any", no_argument, NULL, option_any },
    { "frame", required_argument, NULL, option_frame }, { "kind", required_argument, NULL, option_kind },
    { "count", no_argument, NULL, option_count }, { "json", no_argument, NULL, option_json },
    { "verify", no_argument, NULL, option_verify }, { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 } };

// -1: go on; else the exit code.
static int TakeOption( int code, char** argv, QueryOptions* query )
{
    uint64_t number;
    int exitCode;
    switch ( code )
    {
        case option_closest:
        case option_all:
        case option_any:
            query->mode = (joHitMode)( code - option_closest );
            return -1;
        case option_frame:
            exitCode = joTakeNumber( verb, "--frame", 0, INT32_MAX - 1, &number );
            query->frame = exitCode < 0 ? (uint32_t)number : 0;
            return exitCode;
        case option_kind:
            return joFindBroadPhaseKind( optarg, &query->kind ) ? joUnknownKind( verb, optarg ) : -1;
        case option_count:
            query->count = true;
            return -1;
        case option_json:
            query->json = true;
            return -1;
        case option_verify:
            query->verify = true;
            return -1;
        case 'h':
            return joPrintHelp( verb, help );
        default:
            return joOptionError( verb, argv, code, options );
    }
}

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, QueryOptions* query )
{
    // No more questions than words.
    query->asked = calloc( (size_t)argc, sizeof( Asked ) );
    if ( query->asked == NULL )
    {
        return joFailure( verb, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    opterr = 0;
    int code;
    while ( ( code = getopt_long( argc, argv, ":h", options, NULL ) ) != -1 )
    {
        if ( code <= option_queries )
        {
            const bool isFile = code == option_queries;
            query->asked[query->askedCount++] = ( Asked ){
                isFile ? jo_askRay : (joQuestionKind)code, isFile ? NULL : optarg, isFile ? optarg : NULL };
            continue;
        }
        const int result = TakeOption( code, argv, query );
        if ( result >= 0 )
        {
            return result;
        }
    }
    const int exitCode = joTakeWord( verb, argc, argv, "file", &query->path );
    if ( exitCode < 0 && query->askedCount == 0 )
    {
        return joUsageError( verb, "no question given" );
    }
    return exitCode;
}

static int Load( QueryRun* run )
{
    const QueryOptions* query = run->options;
    joFileError error;
    if ( !joLoadBoxFile( query->path, query->frame + 1, &run->file, &error ) )
    {
        return joFileFailure( verb, query->path, &error );
    }
    if ( query->frame >= run->file.frameCount )
    {
        return joFailure( verb, "%s: has %" PRIu32 " frames; there is none of number %" PRIu32, query->path,
            run->file.frameCount, query->frame );
    }
    run->boxes = joBoxFile_GetFrame( &run->file, query->frame );
    return jo_exitSuccess;
}

// Says what is wrong with a question: the file's line, or the option.
static int FailQuestion( const Asked* asked, const joQuestion* question, const char* what )
{
    if ( asked->path != NULL )
    {
        return joFailure( verb, "%s:%" PRIu64 ": %s", asked->path, question->line, what );
    }
    return joUsageError( verb, "--%s %s: %s", joQuestionKindText( asked->kind ), asked->numbers, what );
}

// Everything that a query can be refused for shows when it is asked of an empty broad phase: before anything
// has been printed.
static int CheckQuestions( QueryRun* run, const Asked* asked, uint32_t first )
{
    for ( uint32_t i = first; i < run->questions.count; ++i )
    {
        const joQuestion* question = &run->questions.data[i];
        const joResult result = joAskQuestion( run->broadPhase, question, run->options->mode, &run->answer );
        if ( result )
        {
            return FailQuestion( asked, question, joResultText( result ) );
        }
    }
    return jo_exitSuccess;
}

static int ReadQuestions( QueryRun* run )
{
    const QueryOptions* query = run->options;
    for ( uint32_t i = 0; i < query->askedCount; ++i )
    {
        const Asked* asked = &query->asked[i];
        const uint32_t first = run->questions.count;
        joQuestion question;
        joFileError error;
        char fault[256];
        if ( asked->path != NULL )
        {
            if ( !joReadQuestions( asked->path, run->file.dimension, &run->questions, &error ) )
            {
                return joFileFailure( verb, asked->path, &error );
            }
        }
        else if ( !joParseQuestion(
                      asked->kind, asked->numbers, run->file.dimension, &question, fault, sizeof fault ) )
        {
            return FailQuestion( asked, NULL, fault );
        }
        else if ( !joAddQuestion( &run->questions, &question ) )
        {
            return joFailure( verb, "%s", joResultText( jo_errorOutOfMemory ) );
        }
        const int code = CheckQuestions( run, asked, first );
        if ( code != jo_exitSuccess )
        {
            return code;
        }
    }
    return jo_exitSuccess;
}

static int CreateBroadPhase( QueryRun* run )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = run->options->kind;
    def.dimension = run->file.dimension;
    const joResult result = joCreateBroadPhase( &def, &run->broadPhase );
    return result ? joFailure( verb, "%s", joResultText( result ) ) : jo_exitSuccess;
}

static int SetBoxes( QueryRun* run )
{
    const joBoxes columns = joViewBoxArray( run->boxes, run->file.count );
    joResult result = joBroadPhase_SetBoxes( run->broadPhase, &columns, NULL );
    if ( !result )
    {
        result = joBroadPhase_Update( run->broadPhase );
    }
    return result ? joFailure( verb, "%s: %s", run->options->path, joResultText( result ) ) : jo_exitSuccess;
}

static bool AnswersYesOrNo( const QueryRun* run, const joQuestion* question )
{
    const bool isWay = question->kind == jo_askRay || question->kind == jo_askSweep;
    return isWay && run->options->mode == jo_anyHit;
}

static void PrintText( const QueryRun* run, uint32_t index )
{
    const joQuestion* question = &run->questions.data[index];
    const joAnswer* answer = &run->answer;
    const bool several = run->questions.count > 1;
    if ( run->options->count )
    {
        several ? printf( "%" PRIu32 " %" PRIu64 "\n", index, answer->count )
                : printf( "%" PRIu64 "\n", answer->count );
        return;
    }
    if ( several )
    {
        char text[JO_QUESTION_TEXT];
        joFormatQuestion( question, run->file.dimension, text );
        printf( "# %s: %" PRIu64 " found\n", text, answer->count );
    }
    if ( AnswersYesOrNo( run, question ) )
    {
        puts( answer->count > 0 ? "yes" : "no" );
        return;
    }
    if ( answer->count == 0 )
    {
        puts( "none" );
    }
    for ( uint64_t i = 0; i < answer->count; ++i )
    {
        answer->hasDistances
            ? printf( "%" PRIu32 " %.9g\n", answer->hits[i].key, (double)answer->hits[i].distance )
            : printf( "%" PRIu32 "\n", answer->keys[i] );
    }
}

static void PrintJson( const QueryRun* run, uint32_t index )
{
    const joQuestion* question = &run->questions.data[index];
    const joAnswer* answer = &run->answer;
    char text[JO_QUESTION_TEXT];
    joFormatQuestion( question, run->file.dimension, text );
    printf(
        "%s\n    { \"question\": \"%s\", \"count\": %" PRIu64, index > 0 ? "," : "", text, answer->count );
    if ( !run->options->count && !AnswersYesOrNo( run, question ) )
    {
        fputs( answer->hasDistances ? ", \"hits\": [" : ", \"keys\": [", stdout );
        for ( uint64_t i = 0; i < answer->count; ++i )
        {
            const char* comma = i > 0 ? "," : "";
            answer->hasDistances ? printf( "%s[%" PRIu32 ",%.9g]", comma, answer->hits[i].key,
                                       (double)answer->hits[i].distance )
                                 : printf( "%s%" PRIu32, comma, answer->keys[i] );
        }
        fputc( ']', stdout );
    }
    fputs( " }", stdout );
}

static bool PrintBegin( const QueryRun* run )
{
    static const char* const modes[] = { "closest", "all", "any" };
    const QueryOptions* query = run->options;
    if ( !query->json )
    {
        return true;
    }
    fputs( "{\n  \"file\": ", stdout );
    if ( !joPrintJson( verb, joJsonString( query->path ) ) )
    {
        return false;
    }
    printf( ",\n  \"dimension\": %d,\n  \"boxes\": %" PRIu32 ",\n  \"frame\": %" PRIu32
            ",\n  \"kind\": \"%s\",\n"
            "  \"isa\": \"%s\",\n  \"mode\": \"%s\",\n  \"questions\": [",
        run->file.dimension, run->file.count, query->frame, joBroadPhaseKindText( query->kind ),
        joIsaText( joGetIsa() ), modes[query->mode] );
    return true;
}

static void PrintEnd( const QueryRun* run )
{
    const joQueryCheck* check = &run->check;
    if ( run->options->json )
    {
        fputs( "\n  ]", stdout );
        if ( run->options->verify )
        {
            printf( ",\n  \"verify\": { \"missed\": %" PRIu64 ", \"extra\": %" PRIu64 ", \"wrong\": %" PRIu64
                    " }",
                check->missed, check->extra, check->wrong );
        }
        fputs( "\n}\n", stdout );
    }
    if ( run->options->verify )
    {
        fprintf( run->options->json ? stderr : stdout,
            "verify: missed %" PRIu64 ", extra %" PRIu64 ", wrong %" PRIu64 "\n", check->missed, check->extra,
            check->wrong );
    }
}

static int AnswerQuestion( QueryRun* run, uint32_t index )
{
    const QueryOptions* query = run->options;
    const joQuestion* question = &run->questions.data[index];
    joResult result = joAskQuestion( run->broadPhase, question, query->mode, &run->answer );
    if ( !result && query->verify )
    {
        result = joCheckAnswer( run->boxes, run->file.count, run->file.dimension, question, query->mode,
            &run->answer, &run->check );
    }
    if ( result )
    {
        return joFailure( verb, "question %" PRIu32 ": %s", index, joResultText( result ) );
    }
    // Both may go to one terminal.
    joProgress_End( &run->progress );
    query->json ? PrintJson( run, index ) : PrintText( run, index );
    if ( ferror( stdout ) )
    {
        joFlushOutput( verb );
        return jo_exitFailure;
    }
    return jo_exitSuccess;
}

static int Answer( QueryRun* run )
{
    if ( !PrintBegin( run ) )
    {
        return jo_exitFailure;
    }
    run->progress = joStartProgress();
    for ( uint32_t i = 0; i < run->questions.count; ++i )
    {
        joProgress_Show( &run->progress, "question %" PRIu32 " of %" PRIu32, i + 1, run->questions.count );
        const int code = AnswerQuestion( run, i );
        if ( code != jo_exitSuccess )
        {
            joProgress_End( &run->progress );
            return code;
        }
    }
    joProgress_End( &run->progress );
    PrintEnd( run );
    const bool right = run->check.missed == 0 && run->check.extra == 0 && run->check.wrong == 0;
    return joFlushOutput( verb ) && right ? jo_exitSuccess : jo_exitFailure;
}

static int Run( QueryRun* run )
{
    static int ( *const stages[] )( QueryRun* ) = { Load, CreateBroadPhase, ReadQuestions, SetBoxes, Answer };
    int code = jo_exitSuccess;
    for ( size_t i = 0; i < sizeof stages / sizeof stages[0] && code == jo_exitSuccess; ++i )
    {
        code = stages[i]( run );
    }
    return code;
}

int joRunQuery( int argc, char** argv )
{
    QueryOptions query = { .kind = jo_bvh };
    int code = ParseOptions( argc, argv, &query );
    if ( code < 0 )
    {
        QueryRun run = { .options = &query };
        code = Run( &run );
        joDestroyBroadPhase( run.broadPhase );
        joFreeQuestions( &run.questions );
        joFreeAnswer( &run.answer );
        joFreeBoxFile( &run.file );
    }
    free( query.asked );
    return code;
}
