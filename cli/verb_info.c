// SPDX-License-Identifier: MIT
// jostle info: what a file of boxes holds.
#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char verb[] = "info";

static const char help[] =
    "usage: jostle info FILE [--json]\n"
    "\n"
    "Says what a file of boxes holds, a text or a Broadmark recording, either perhaps compressed with gzip.\n"
    "Bounds and sides are of all frames, without infinite ones; the density is of the first frame, in the\n"
    "box around its centres: boxes a unit of volume (2D: area), and the volume of all boxes by that of the\n"
    "box. Motion is from frame to frame: how many boxes change, and how far centres move.\n"
    "\n"
    "options:\n"
    "  --json          print JSON\n"
    "  -h, --help      this text\n";

static const char axisNames[] = "xyz";

typedef struct Range
{
    double lower, upper;
    double sum;
    uint64_t count;
} Range;

typedef struct Info
{
    Range bounds[3]; // of lower and upper
    Range sides[3];
    uint64_t infinite; // sides that are
    double density;    // NaN: not defined
    double fill;       // the same
    uint64_t changes;  // boxes that differ from the frame before
    uint32_t still;    // boxes that never change
    Range steps;       // distances of centres that changed
} Info;

static void AddToRange( Range* range, double value )
{
    range->lower = range->count == 0 || value < range->lower ? value : range->lower;
    range->upper = range->count == 0 || value > range->upper ? value : range->upper;
    range->sum += value;
    range->count += 1;
}

static double Mean( const Range* range )
{
    return range->count > 0 ? range->sum / (double)range->count : 0.0;
}

static void MeasureSizes( const joBoxFile* file, Info* info )
{
    uint64_t count = (uint64_t)file->count * file->keptFrames;
    for ( uint64_t i = 0; i < count; ++i )
    {
        const float* box = file->boxes + (size_t)i * JO_BOX_FLOATS;
        for ( int axis = 0; axis < file->dimension; ++axis )
        {
            double lower = (double)box[axis];
            double upper = (double)box[3 + axis];
            if ( isfinite( lower ) )
            {
                AddToRange( &info->bounds[axis], lower );
            }
            if ( isfinite( upper ) )
            {
                AddToRange( &info->bounds[axis], upper );
            }
            if ( isfinite( lower ) && isfinite( upper ) )
            {
                AddToRange( &info->sides[axis], upper - lower );
            }
            else
            {
                info->infinite += 1;
            }
        }
    }
}

// Of the first frame. Boxes with an infinite side are left out.
static void MeasureDensity( const joBoxFile* file, Info* info )
{
    Range centres[3] = { 0 };
    double boxVolume = 0.0;
    uint64_t finite = 0;
    for ( uint32_t i = 0; i < file->count; ++i )
    {
        const float* box = file->boxes + (size_t)i * JO_BOX_FLOATS;
        double volume = 1.0;
        for ( int axis = 0; axis < file->dimension; ++axis )
        {
            volume *= (double)box[3 + axis] - (double)box[axis];
        }
        if ( !isfinite( volume ) )
        {
            continue;
        }
        finite += 1;
        boxVolume += volume;
        for ( int axis = 0; axis < file->dimension; ++axis )
        {
            AddToRange( &centres[axis], 0.5 * ( (double)box[axis] + (double)box[3 + axis] ) );
        }
    }
    double volume = 1.0;
    for ( int axis = 0; axis < file->dimension; ++axis )
    {
        volume *= centres[axis].upper - centres[axis].lower;
    }
    info->density = volume > 0.0 ? (double)finite / volume : NAN;
    info->fill = volume > 0.0 ? boxVolume / volume : NAN;
}

static bool HasChanged( const float* box, const float* last )
{
    for ( int i = 0; i < JO_BOX_FLOATS; ++i )
    {
        if ( box[i] != last[i] )
        {
            return true;
        }
    }
    return false;
}

static void MeasureMotion( const joBoxFile* file, Info* info )
{
    for ( uint32_t i = 0; i < file->count; ++i )
    {
        uint64_t changesBefore = info->changes;
        for ( uint32_t frame = 1; frame < file->keptFrames; ++frame )
        {
            const float* box = joBoxFile_GetFrame( file, frame ) + (size_t)i * JO_BOX_FLOATS;
            const float* last = joBoxFile_GetFrame( file, frame - 1 ) + (size_t)i * JO_BOX_FLOATS;
            if ( !HasChanged( box, last ) )
            {
                continue;
            }
            info->changes += 1;
            double squares = 0.0;
            for ( int axis = 0; axis < file->dimension; ++axis )
            {
                double centre = 0.5 * ( (double)box[axis] + (double)box[3 + axis] );
                double lastCentre = 0.5 * ( (double)last[axis] + (double)last[3 + axis] );
                squares += ( centre - lastCentre ) * ( centre - lastCentre );
            }
            if ( isfinite( squares ) )
            {
                AddToRange( &info->steps, sqrt( squares ) );
            }
        }
        info->still += info->changes == changesBefore ? 1 : 0;
    }
}

static double MovingShare( const joBoxFile* file, const Info* info )
{
    double steps = (double)file->count * ( (double)file->keptFrames - 1.0 );
    return steps > 0.0 ? (double)info->changes / steps : 0.0;
}

static void PrintBounds( int axis, const Range* bounds )
{
    if ( bounds->count > 0 )
    {
        printf( "bounds %c   %.9g to %.9g\n", axisNames[axis], bounds->lower, bounds->upper );
    }
    else
    {
        printf( "bounds %c   all infinite\n", axisNames[axis] );
    }
}

static void PrintSides( int axis, const Range* side )
{
    if ( side->count > 0 )
    {
        printf( "side %c     least %.6g, mean %.6g, greatest %.6g\n", axisNames[axis], side->lower,
            Mean( side ), side->upper );
    }
    else
    {
        printf( "side %c     all infinite\n", axisNames[axis] );
    }
}

static void PrintText( const char* path, const joBoxFile* file, const Info* info )
{
    const char* format = file->format == jo_textBoxes ? "text" : "recording";
    printf( "file       %s\nformat     %s%s\n", path, format, file->compressed ? ", gzip" : "" );
    if ( file->format == jo_recordedBoxes )
    {
        printf( "name       %s\nobjects    %s\n", file->name, file->objectType );
    }
    printf( "dimension  %d\nboxes      %" PRIu32 "\nframes     %" PRIu32 "\n", file->dimension, file->count,
        file->frameCount );
    for ( int axis = 0; axis < file->dimension; ++axis )
    {
        PrintBounds( axis, &info->bounds[axis] );
    }
    for ( int axis = 0; axis < file->dimension; ++axis )
    {
        PrintSides( axis, &info->sides[axis] );
    }
    if ( info->infinite > 0 )
    {
        printf( "infinite   %" PRIu64 " sides\n", info->infinite );
    }
    const char* unit = file->dimension == 2 ? "area" : "volume";
    if ( isnan( info->density ) )
    {
        printf( "density    none: the centres span no %s\n", unit );
    }
    else
    {
        printf( "density    %.6g boxes a unit of %s; filled %.6g\n", info->density, unit, info->fill );
    }
    if ( file->frameCount > 1 )
    {
        printf( "motion     %.4g %% of the boxes change a frame; %" PRIu32
                " never do; centres move %.6g on average, "
                "at most %.6g\n",
            100.0 * MovingShare( file, info ), info->still, Mean( &info->steps ), info->steps.upper );
    }
}

// null if there is nothing in it.
static json_t* RangeToJson( const Range* range )
{
    if ( range->count == 0 )
    {
        return json_null();
    }
    return json_pack( "{s:o, s:o, s:o}", "least", joJsonNumber( range->lower ), "mean",
        joJsonNumber( Mean( range ) ), "greatest", joJsonNumber( range->upper ) );
}

static json_t* BoundToJson( const Range* bounds, bool upper )
{
    return bounds->count > 0 ? joJsonNumber( upper ? bounds->upper : bounds->lower ) : json_null();
}

static json_t* MakeJson( const char* path, const joBoxFile* file, const Info* info )
{
    json_t* lower = json_array();
    json_t* upper = json_array();
    json_t* sides = json_array();
    for ( int axis = 0; axis < file->dimension; ++axis )
    {
        json_array_append_new( lower, BoundToJson( &info->bounds[axis], false ) );
        json_array_append_new( upper, BoundToJson( &info->bounds[axis], true ) );
        json_array_append_new( sides, RangeToJson( &info->sides[axis] ) );
    }
    json_t* json = json_pack( "{s:o, s:s, s:b, s:o, s:o, s:i, s:I, s:I, s:{s:o, s:o}, s:o, s:I, s:o, s:o}",
        "file", joJsonString( path ), "format", file->format == jo_textBoxes ? "text" : "recording", "gzip",
        (int)file->compressed, "name", joJsonString( file->name ), "objectType",
        joJsonString( file->objectType ), "dimension", file->dimension, "boxes", (json_int_t)file->count,
        "frames", (json_int_t)file->frameCount, "bounds", "lower", lower, "upper", upper, "sides", sides,
        "infiniteSides", (json_int_t)info->infinite, "density", joJsonNumber( info->density ), "fill",
        joJsonNumber( info->fill ) );
    json_t* motion = json_pack( "{s:o, s:I, s:o}", "movingShare", joJsonNumber( MovingShare( file, info ) ),
        "stillBoxes", (json_int_t)info->still, "distance", RangeToJson( &info->steps ) );
    if ( json == NULL || motion == NULL || json_object_set_new( json, "motion", motion ) != 0 )
    {
        json_decref( json );
        return NULL;
    }
    return json;
}

// -1: go on; else the exit code.
static int ParseOptions( int argc, char** argv, bool* json, const char** path )
{
    static const struct option options[] = {
        { "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
    opterr = 0;
    int code;
    while ( ( code = getopt_long( argc, argv, ":h", options, NULL ) ) != -1 )
    {
        switch ( code )
        {
            case 'j':
                *json = true;
                break;
            case 'h':
                return joPrintHelp( verb, help );
            default:
                return joOptionError( verb, argv, code, options );
        }
    }
    return joTakeWord( verb, argc, argv, "file", path );
}

int joRunInfo( int argc, char** argv )
{
    bool json = false;
    const char* path = NULL;
    int code = ParseOptions( argc, argv, &json, &path );
    if ( code >= 0 )
    {
        return code;
    }
    joBoxFile file;
    joFileError error;
    if ( !joLoadBoxFile( path, 0, &file, &error ) )
    {
        return joFileFailure( verb, path, &error );
    }
    Info info = { 0 };
    MeasureSizes( &file, &info );
    MeasureDensity( &file, &info );
    MeasureMotion( &file, &info );
    bool printed = true;
    if ( json )
    {
        printed = joPrintJson( verb, MakeJson( path, &file, &info ) );
        if ( printed )
        {
            putchar( '\n' );
        }
    }
    else
    {
        PrintText( path, &file, &info );
    }
    joFreeBoxFile( &file );
    return printed && joFlushOutput( verb ) ? jo_exitSuccess : jo_exitFailure;
}
