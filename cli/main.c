// SPDX-License-Identifier: MIT
// The jostle program: one verb a file.
#include "program.h"

#include "jostle/jostle.h"

#include <string.h>

typedef struct Verb
{
    const char* name;
    int ( *run )( int argc, char** argv );
    const char* summary;
} Verb;

static const Verb verbs[] = {
    { "pairs", joRunPairs, "list or count the overlapping pairs of the boxes in a file" },
    { "query", joRunQuery, "what rays, boxes, circles and points meet of the boxes in a file" },
    { "gen", joRunGen, "write a workload of boxes to a file" },
    { "info", joRunInfo, "say what a file of boxes holds" },
    { "collide", joRunCollide, "how two shapes touch, and why" },
    { "run", joRunRun, "run a scene of bodies, and say what touched" },
    { "tune", joRunTune, "find the kind of broad phase that suits the boxes of a file, on this machine" },
};

#define VERB_COUNT ( sizeof verbs / sizeof verbs[0] )

static void PrintHelp( FILE* file )
{
    fputs(
        "usage: jostle VERB ...\n"
        "\n"
        "Finds which of very many boxes overlap, what is at a place, and how two shapes touch; runs scenes.\n"
        "\n"
        "verbs:\n",
        file );
    for ( size_t i = 0; i < VERB_COUNT; ++i )
    {
        fprintf( file, "  %-8s %s\n", verbs[i].name, verbs[i].summary );
    }
    fputs( "\n"
           "jostle VERB --help   says how to use a verb\n"
           "jostle --version     prints the version\n"
           "\n"
           "Exit codes: 0 success, 1 a file, the memory or a check failed, 2 the command line is wrong.\n"
           "The environment variable JOSTLE_ISA (scalar, sse2, avx2, avx512) forces an instruction set.\n",
        file );
}

int main( int argc, char** argv )
{
    if ( argc < 2 )
    {
        PrintHelp( stderr );
        return jo_exitUsage;
    }
    const char* word = argv[1];
    if ( strcmp( word, "--help" ) == 0 || strcmp( word, "-h" ) == 0 )
    {
        PrintHelp( stdout );
        return joFlushOutput( "" ) ? jo_exitSuccess : jo_exitFailure;
    }
    if ( strcmp( word, "--version" ) == 0 )
    {
        printf( "jostle %s\n", joGetVersionText() );
        return joFlushOutput( "" ) ? jo_exitSuccess : jo_exitFailure;
    }
    for ( size_t i = 0; i < VERB_COUNT; ++i )
    {
        if ( strcmp( word, verbs[i].name ) == 0 )
        {
            return verbs[i].run( argc - 1, argv + 1 );
        }
    }
    const char* what = word[0] == '-' ? "option" : "verb";
    return joUsageError(
        "", "unknown %s %s; the verbs are pairs, query, gen, info, collide, run and tune", what, word );
}
