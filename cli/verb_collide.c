// SPDX-License-Identifier: MIT
// jostle collide: how two shapes touch, why, and whether that is true.
#include "collide_report.h"
#include "program.h"

static const char verb[] = "collide";

static const char help[] =
    "usage: jostle collide FILE.json [options]\n"
    "\n"
    "Says how two shapes in their poses touch: overlap, normal, depth and points of contact, distance, and, "
    "if "
    "the\n"
    "file has a motion, when B meets A. What the library has no answer for is said to have none.\n"
    "\n"
    "The same is found by plain double arithmetic that tries all axes, and compared: where the library is "
    "off "
    "by\n"
    "more than rounding there is a warning, and the exit code is 1.\n"
    "\n"
    "options:\n"
    "  --explain       list every axis that may part them, with both projections and their overlap, and the\n"
    "                  steps of GJK and EPA where they answer\n"
    "  --svg FILE      draw shapes, contact and projections\n"
    "  --json          print JSON\n"
    "  -h, --help      this text\n"
    "\n"
    "A file holds an object:\n"
    "  dimension       2 or 3\n"
    "  a, b            the shapes: \"kind\", what its size is, and perhaps \"pose\"\n"
    "  margin          for the contact, default 0\n"
    "  motion          of B, an array of numbers; none: no time of impact\n"
    "  about           a text\n"
    "Kinds: 3D    sphere (center, radius), capsule (points, radius), box (halfExtents, localPose),\n"
    "             hull (points), half-space (normal, offset), mesh (points, triangles)\n"
    "       2D    circle (center, radius), capsule (points, radius), polygon (points, radius),\n"
    "             box (halfExtents, radius), segment (points), chain (points, loop)\n"
    "A pose has a position and a rotation: x, y, z, w of a quaternion; in 2D cosine and sine, or an angle.\n";

typedef struct CollideOptions
{
    const char* input;
    const char* svg;
    bool explains;
    bool json;
} CollideOptions;

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, CollideOptions* collide )
{
    static const struct option options[] = { { "explain", no_argument, NULL, 'e' },
        { "svg", required_argument, NULL, 's' }, { "json", no_argument, NULL, 'j' },
        { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    opterr = 0;
    int code;
    while ( ( code = getopt_long( argc, argv, ":h", options, NULL ) ) != -1 )
    {
        switch ( code )
        {
            case 'e':
                collide->explains = true;
                break;
            case 's':
                collide->svg = optarg;
                break;
            case 'j':
                collide->json = true;
                break;
            case 'h':
                return joPrintHelp( verb, help );
            default:
                return joOptionError( verb, argv, code, options );
        }
    }
    return joTakeWord( verb, argc, argv, "file", &collide->input );
}

static int Report( const CollideOptions* options, const joCollideReport* report )
{
    bool good = true;
    if ( options->json )
    {
        good = joPrintCollideJson( report );
    }
    else
    {
        joPrintCollide( report );
    }
    joFileError error;
    if ( options->svg != NULL && !joPlotCollide( report, options->svg, &error ) )
    {
        return joFileFailure( verb, options->svg, &error );
    }
    if ( !good || !joFlushOutput( verb ) )
    {
        return jo_exitFailure;
    }
    for ( int i = 0; i < report->complaints->count; ++i )
    {
        joFailure( verb, "%s: warning: %s", options->input, report->complaints->texts[i] );
    }
    return report->complaints->count > 0 ? jo_exitFailure : jo_exitSuccess;
}

int joRunCollide( int argc, char** argv )
{
    CollideOptions options = { 0 };
    int code = ParseOptions( argc, argv, &options );
    if ( code >= 0 )
    {
        return code;
    }
    joCollideScene scene;
    joJsonError error;
    if ( !joLoadCollideScene( options.input, &scene, &error ) )
    {
        return joJsonFailure( verb, options.input, &error );
    }
    joStudy* study = joCreateStudy( &scene );
    if ( study == NULL )
    {
        code = joFailure( verb, "%s", joResultText( jo_errorOutOfMemory ) );
    }
    else
    {
        joAnswers answers;
        joComplaints complaints;
        joConvexTrace trace;
        joFindAnswers( &scene, &answers );
        joCompareAnswers( study, &answers, &complaints );
        const joCollideReport report = { .scene = &scene,
            .answers = &answers,
            .study = study,
            .complaints = &complaints,
            .trace = joTraceScene( &scene, &trace ) ? &trace : NULL,
            .explains = options.explains };
        code = Report( &options, &report );
    }
    joDestroyStudy( study );
    joFreeCollideScene( &scene );
    return code;
}
