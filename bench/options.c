// SPDX-License-Identifier: MIT
#include "options.h"

#include "contestant.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char helpText[] =
    "usage: jostle-bench WORKLOAD... [options]\n"
    "       jostle-bench --table [--million] [options]\n"
    "\n"
    "Runs workloads on jostle and, with --peers, on other libraries, frame by frame in turn, and checks that "
    "all find\n"
    "the same. Pairs: each frame the structure is brought up to date and the complete list of pairs is "
    "produced. Queries:\n"
    "each frame the structure is made from nothing, and then, timed apart, many queries are answered.\n"
    "\n"
    "workloads: pairs-a pairs-b pairs-c pairs-clumps pairs-long pairs-still pairs-pile; crowd; "
    "two-sets; sleepers;\n"
    "           queries: rays-boxes rays-spheres overlaps-boxes overlaps-spheres nearest-points "
    "nearest-boxes;\n"
    "           oriented boxes: boxes-hits-mixed and the like (hits, depth, points; apart, mixed, within, "
    "rest), "
    "obb-all,\n"
    "           obb-world; in 2D: flat-circles flat-capsules flat-boxes flat-polygons; in 3D: "
    "round-spheres\n"
    "           round-mixed round-capsules; convex hulls: hulls-hits-8 and the like (hits, distance, depth; "
    "8, 32,\n"
    "           128 vertices); or several that begin alike (pairs, rays, boxes, boxes-hits), or all\n"
    "\n"
    "  --n N[,N...]        how many objects; 100k and 1M are understood (default 10000; two-sets and queries "
    "100k,\n"
    "                      boxes, flat and round 500k pairs, hulls 100k, obb-all 1000;\n"
    "                      of two-sets the enemies, to whom come a fiftieth as many bullets; sleepers 1M, "
    "to whom come\n"
    "                      a thousandth as many movers)\n"
    "  --threads T[,T...]  1 to 64 (default 1)\n"
    "  --kind K[,K...]     bruteforce, sweep, grid, tree, bvh, auto; or all (default), which leaves brute "
    "force "
    "out above\n"
    "                      20,000 objects\n"
    "  --peers             the other libraries too, as far as they were found when this was built\n"
    "  --frames F          measured frames (default: from the size, and fewer for what is slow)\n"
    "  --queries Q         of the workloads of queries: how many (default 1M rays, 100k others, and fewer "
    "for "
    "what is\n"
    "                      slow); a frame asks them all\n"
    "  --seed S            of the workload (default 1)\n"
    "  --json              an array of rows instead of the table\n"
    "  --check-allocations exit with 1 if jostle allocates in a measured frame\n"
    "  --plant FAULT       drop, double, swap, overlap or allocate: plants it into one answer, to see it "
    "caught (tests)\n"
    "  --table             the published table: every workload at 1,000, 10,000 and 100,000 (the pile at "
    "10,000), one\n"
    "                      thread, and two at 100,000\n"
    "  --million           pairs-a, -b, -c, the crowd and the sleepers at 1,000,000; alone or after --table\n"
    "  --help              this\n"
    "\n"
    "exit: 0 all agree, 1 a wrong answer or an allocation, 2 bad usage, 3 no memory or a library failed\n";

const char* benchWorkloadText( int workload )
{
    if ( workload >= BENCH_PAIR_RACES )
    {
        return benchPairWorkloadText( workload - BENCH_PAIR_RACES );
    }
    if ( workload >= BENCH_QUERIES )
    {
        return benchQueryWorkloadText( (benchQueryWorkload)( workload - BENCH_QUERIES ) );
    }
    if ( workload == BENCH_TWO_SETS || workload == BENCH_SLEEPERS )
    {
        return workload == BENCH_TWO_SETS ? "two-sets" : "sleepers";
    }
    return workload == BENCH_CROWD ? "crowd" : joWorkloadKindText( (joWorkloadKind)workload );
}

static benchParse Fail( const char* message, const char* what )
{
    fprintf( stderr, "jostle-bench: %s '%s' (--help says what there is)\n", message, what );
    return bench_parseFailed;
}

// A whole number from 1 to `most`, k and M as thousands and millions, ended by a comma or the text's end.
static bool ParseNumber( const char** text, uint64_t most, uint64_t* number )
{
    if ( !isdigit( (unsigned char)**text ) )
    {
        return false;
    }
    char* end;
    errno = 0;
    unsigned long long value = strtoull( *text, &end, 10 );
    uint64_t factor = *end == 'k' ? 1000 : ( *end == 'M' ? 1000000 : 1 );
    end += factor > 1 ? 1 : 0;
    if ( errno != 0 || value > most / factor || ( *end != '\0' && *end != ',' ) )
    {
        return false;
    }
    *number = value * factor;
    *text = *end == ',' ? end + 1 : end;
    return true;
}

static bool ParseNumbers(
    const char* text, uint64_t most, uint32_t* numbers, uint32_t capacity, uint32_t* count )
{
    *count = 0;
    do
    {
        uint64_t number;
        if ( *count == capacity || !ParseNumber( &text, most, &number ) || number == 0 )
        {
            return false;
        }
        numbers[( *count )++] = (uint32_t)number;
    } while ( *text != '\0' );
    return true;
}

// Names of kinds as the library has them, in any case.
static bool ParseKind( const char* name, size_t length, benchOptions* options )
{
    for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
    {
        const char* known = joBroadPhaseKindText( (joBroadPhaseKind)kind );
        size_t same = 0;
        while ( same < length && known[same] != '\0' &&
                tolower( (unsigned char)known[same] ) == tolower( (unsigned char)name[same] ) )
        {
            same += 1;
        }
        if ( same == length && known[same] == '\0' )
        {
            options->kinds[kind] = true;
            return true;
        }
    }
    return false;
}

static bool ParseKinds( const char* text, benchOptions* options )
{
    bool all = strcmp( text, "all" ) == 0;
    options->kindsNamed = !all;
    for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
    {
        options->kinds[kind] = all;
    }
    while ( !all )
    {
        size_t length = strcspn( text, "," );
        if ( !ParseKind( text, length, options ) )
        {
            return false;
        }
        if ( text[length] == '\0' )
        {
            break;
        }
        text += length + 1;
    }
    return true;
}

// A workload, or several that begin alike: "rays" for rays-boxes and rays-spheres.
static bool ParseWorkload( const char* name, benchOptions* options )
{
    bool all = strcmp( name, "all" ) == 0;
    size_t length = strlen( name );
    bool found = false;
    for ( int i = 0; i < BENCH_WORKLOAD_COUNT; ++i )
    {
        const char* known = benchWorkloadText( i );
        bool begins =
            strncmp( name, known, length ) == 0 && ( known[length] == '\0' || known[length] == '-' );
        if ( all || ( begins && length > 0 ) )
        {
            options->workloads[i] = true;
            found = true;
        }
    }
    return found;
}

static bool ParseSwitch( const char* name, benchOptions* options )
{
    struct
    {
        const char* name;
        bool* value;
    } switches[] = {
        { "--peers", &options->peers },
        { "--json", &options->json },
        { "--table", &options->table },
        { "--million", &options->million },
        { "--check-allocations", &options->checkAllocations },
    };
    for ( size_t i = 0; i < sizeof( switches ) / sizeof( switches[0] ); ++i )
    {
        if ( strcmp( name, switches[i].name ) == 0 )
        {
            *switches[i].value = true;
            return true;
        }
    }
    return false;
}

static bool ParseFault( const char* name, benchOptions* options )
{
    static const char* const names[bench_faultCount] = {
        "none", "drop", "double", "swap", "overlap", "allocate" };
    for ( int i = 0; i < bench_faultCount; ++i )
    {
        if ( strcmp( name, names[i] ) == 0 )
        {
            options->fault = (benchFault)i;
            return true;
        }
    }
    return false;
}

// An option with a value. *known says whether there is one of that name.
static bool ParseValue( const char* name, const char* value, benchOptions* options, bool* known )
{
    *known = true;
    uint64_t number;
    if ( strcmp( name, "--n" ) == 0 )
    {
        return ParseNumbers(
            value, JO_WORKLOAD_MAX_COUNT, options->sizes, BENCH_MAX_SIZES, &options->sizeCount );
    }
    if ( strcmp( name, "--threads" ) == 0 )
    {
        return ParseNumbers(
            value, JO_MAX_WORKERS, options->threads, BENCH_MAX_THREADS, &options->threadCount );
    }
    if ( strcmp( name, "--kind" ) == 0 )
    {
        return ParseKinds( value, options );
    }
    if ( strcmp( name, "--frames" ) == 0 && ParseNumber( &value, 1000000, &number ) && number > 0 &&
         *value == '\0' )
    {
        options->frames = (uint32_t)number;
        return true;
    }
    if ( strcmp( name, "--queries" ) == 0 && ParseNumber( &value, JO_WORKLOAD_MAX_COUNT, &number ) &&
         number > 0 && *value == '\0' )
    {
        options->queries = (uint32_t)number;
        return true;
    }
    if ( strcmp( name, "--seed" ) == 0 && ParseNumber( &value, UINT64_MAX, &number ) && *value == '\0' )
    {
        options->seed = number;
        return true;
    }
    if ( strcmp( name, "--plant" ) == 0 )
    {
        return ParseFault( value, options );
    }
    *known =
        strcmp( name, "--frames" ) == 0 || strcmp( name, "--queries" ) == 0 || strcmp( name, "--seed" ) == 0;
    return false;
}

static benchParse ParseArguments(
    int argumentCount, char** arguments, benchOptions* options, bool* anyWorkload )
{
    for ( int i = 1; i < argumentCount; ++i )
    {
        const char* argument = arguments[i];
        if ( strcmp( argument, "--help" ) == 0 || strcmp( argument, "-h" ) == 0 )
        {
            fputs( helpText, stdout );
            return bench_parsedHelp;
        }
        if ( argument[0] != '-' )
        {
            if ( !ParseWorkload( argument, options ) )
            {
                return Fail( "unknown workload", argument );
            }
            *anyWorkload = true;
            continue;
        }
        if ( ParseSwitch( argument, options ) )
        {
            continue;
        }
        bool known;
        const char* value = i + 1 < argumentCount ? arguments[i + 1] : "";
        if ( !ParseValue( argument, value, options, &known ) )
        {
            return known ? Fail( *value == '\0' ? "a value is missing after" : "bad value after", argument )
                         : Fail( "unknown option", argument );
        }
        i += 1;
    }
    return bench_parsed;
}

benchParse benchParseOptions( int argumentCount, char** arguments, benchOptions* options )
{
    *options = ( benchOptions ){ .threads = { 1 }, .threadCount = 1, .seed = 1, .budget = 2.0 };
    ParseKinds( "all", options );
    bool anyWorkload = false;
    benchParse parse = ParseArguments( argumentCount, arguments, options, &anyWorkload );
    if ( parse != bench_parsed )
    {
        return parse;
    }
    bool fixedSet = options->table || options->million;
    options->budget = fixedSet ? 1.0 : options->budget;
    if ( fixedSet && ( anyWorkload || options->sizeCount > 0 ) )
    {
        return Fail( "takes no workload and no --n:", options->table ? "--table" : "--million" );
    }
    if ( !fixedSet && !anyWorkload )
    {
        fputs( helpText, stderr );
        return bench_parseFailed;
    }
    return bench_parsed;
}
