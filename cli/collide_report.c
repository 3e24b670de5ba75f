// SPDX-License-Identifier: MIT
#include "collide_report.h"

#include "collide_trace_report.h"
#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// Of a pair of large hulls there are more axes than anybody reads; JSON has them all.
#define MAX_PRINTED_AXES 200

static const char noAnswer[] = "no answer for this pair of kinds";

// What is printed as zero has no sign.
static double Unsigned( double value )
{
    return fabs( value ) < 5e-7 ? 0.0 : value;
}

static void PrintVector( const double v[3], int dimension )
{
    for ( int i = 0; i < dimension; ++i )
    {
        // Adding 0 turns a negative zero into a positive one.
        printf( "%s%.6g", i > 0 ? " " : "", v[i] + 0.0 );
    }
}

static const char* StatusText( joCollideStatus status )
{
    return status == jo_collideIterationLimit ? ", an iteration met its limit" : "";
}

static void PrintContact( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    const int dimension = report->scene->dimension;
    if ( answers->collideResult )
    {
        printf( "contact    %s\n", noAnswer );
        return;
    }
    if ( answers->pointCount == 0 )
    {
        printf( "contact    none within the margin of %.6g\n", (double)report->scene->margin );
        return;
    }
    fputs( "normal     ", stdout );
    PrintVector( answers->normal, dimension );
    printf( "\ndepth      %.6g%s%s\n", answers->depth, answers->depth < 0.0 ? ", apart" : "",
        StatusText( answers->collideStatus ) );
    for ( uint32_t i = 0; i < answers->pointCount; ++i )
    {
        fputs( "point      ", stdout );
        PrintVector( answers->points[i].position, dimension );
        printf(
            ", depth %.6g, feature %08" PRIx32 "\n", answers->points[i].depth, answers->points[i].featureId );
    }
}

static void PrintDistance( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    if ( answers->distanceResult )
    {
        printf( "distance   %s\n", noAnswer );
        return;
    }
    printf( "distance   %.6g", answers->distance );
    if ( answers->distance > 0.0 )
    {
        fputs( ", from ", stdout );
        PrintVector( answers->pointA, report->scene->dimension );
        fputs( " to ", stdout );
        PrintVector( answers->pointB, report->scene->dimension );
    }
    puts( StatusText( answers->distanceStatus ) );
}

static void PrintImpact( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    if ( !report->scene->hasMotion )
    {
        return;
    }
    if ( answers->castResult )
    {
        printf( "impact     %s\n", noAnswer );
    }
    else if ( !answers->isHit )
    {
        printf( "impact     none%s\n", StatusText( answers->castStatus ) );
    }
    else
    {
        printf( "impact     at %.6g of the motion, at ", answers->fraction );
        PrintVector( answers->hitPoint, report->scene->dimension );
        fputs( ", normal ", stdout );
        PrintVector( answers->hitNormal, report->scene->dimension );
        puts( StatusText( answers->castStatus ) );
    }
}

// --- explained --------------------------------------------------------------------------------------------

static int CompareOverlaps( const void* a, const void* b )
{
    const joAxis *x = *(joAxis*const*)a, *y = *(joAxis*const*)b;
    // In their order where they are equal.
    return x->overlap != y->overlap ? ( x->overlap < y->overlap ? -1 : 1 ) : ( x < y ? -1 : 1 );
}

static void PrintAxis( const joStudy* study, const joAxis* axis, int dimension )
{
    char name[64], direction[64];
    joAxis_Format( axis, dimension, name, sizeof( name ) );
    const double* d = axis->direction;
    if ( dimension == 3 )
    {
        snprintf( direction, sizeof( direction ), "%9.6f %9.6f %9.6f", Unsigned( d[0] ), Unsigned( d[1] ),
            Unsigned( d[2] ) );
    }
    else
    {
        snprintf( direction, sizeof( direction ), "%9.6f %9.6f", Unsigned( d[0] ), Unsigned( d[1] ) );
    }
    const bool isBest = axis == study->axes + study->best;
    const char* mark = isBest ? ( study->areApart ? "  <- widest gap" : "  <- least overlap" )
                              : ( axis->overlap < 0.0 ? "  apart" : "" );
    printf( "  %-22s  %s  %10.6g %10.6g  %10.6g %10.6g  %11.6g%s\n", name, direction, axis->intervalA.lower,
        axis->intervalA.upper, axis->intervalB.lower, axis->intervalB.upper, axis->overlap, mark );
}

static bool PrintAxes( const joCollideReport* report )
{
    const joStudy* study = report->study;
    const int dimension = report->scene->dimension;
    const joAxis** order = malloc( ( study->axisCount + 1 ) * sizeof( joAxis* ) );
    if ( order == NULL )
    {
        return false;
    }
    for ( uint32_t i = 0; i < study->axisCount; ++i )
    {
        order[i] = study->axes + i;
    }
    uint32_t shown = study->axisCount;
    if ( shown > MAX_PRINTED_AXES )
    {
        qsort( order, shown, sizeof( order[0] ), CompareOverlaps );
        shown = MAX_PRINTED_AXES;
    }
    printf( "axes       %" PRIu32 "%s", study->axisCount,
        shown < study->axisCount ? ", here those of the least overlap" : "" );
    if ( study->surface >= 0 && study->axisCount > 0 )
    {
        printf( " of %s %" PRIu32 " of %s", dimension == 3 ? "triangle" : "segment", study->part,
            study->surface == 0 ? "A" : "B" );
    }
    puts( "; measured from the position of A, directed from A to B" );
    printf( "  %-22s  %-*s  %21s  %21s  %11s\n", "", dimension == 3 ? 29 : 19, "direction", "A from and to",
        "B from and to", "overlap" );
    for ( uint32_t i = 0; i < shown; ++i )
    {
        PrintAxis( study, order[i], dimension );
    }
    free( order );
    return true;
}

static void PrintCheck( const joCollideReport* report )
{
    const joStudy* study = report->study;
    if ( study->axisCount == 0 )
    {
        puts( "check      none for this pair" );
        return;
    }
    const joAnswers* answers = report->answers;
    const char* word = report->complaints->count > 0 ? "does not agree" : "agrees";
    if ( answers->overlapResult && answers->collideResult && answers->distanceResult )
    {
        word = "has nothing to compare";
    }
    if ( study->areApart )
    {
        printf( "check      %s: all axes in double: apart by %.6g", word, study->nearest.distance );
    }
    else
    {
        printf(
            "check      %s: all axes in double: overlap by %.6g", word, study->axes[study->best].overlap );
    }
    if ( report->scene->hasMotion )
    {
        printf( study->impact.isHit ? ", impact at %.6g" : ", no impact", study->impact.fraction );
    }
    putchar( '\n' );
}

void joPrintCollide( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    if ( report->scene->about != NULL )
    {
        printf( "about      %s\n", report->scene->about );
    }
    printf( "overlap    %s\n", answers->overlapResult ? noAnswer : ( answers->overlaps ? "yes" : "no" ) );
    PrintContact( report );
    PrintDistance( report );
    PrintImpact( report );
    if ( report->explains && !PrintAxes( report ) )
    {
        puts( "axes       no memory to sort them" );
    }
    if ( report->explains && report->trace != NULL )
    {
        joPrintTrace( report->trace, report->scene->dimension );
    }
    PrintCheck( report );
}

// --- JSON -------------------------------------------------------------------------------------------------

static json_t* VectorToJson( const double v[3], int dimension )
{
    json_t* array = json_array();
    for ( int i = 0; i < dimension; ++i )
    {
        json_array_append_new( array, joJsonNumber( v[i] + 0.0 ) );
    }
    return array;
}

static json_t* IntervalToJson( const joInterval* interval )
{
    return json_pack( "[o, o]", joJsonNumber( interval->lower ), joJsonNumber( interval->upper ) );
}

static json_t* ContactToJson( const joAnswers* answers, int dimension )
{
    if ( answers->collideResult )
    {
        return json_null();
    }
    json_t* points = json_array();
    for ( uint32_t i = 0; i < answers->pointCount; ++i )
    {
        const joAnswerPoint* point = &answers->points[i];
        json_array_append_new(
            points, json_pack( "{s:o, s:f, s:I}", "position", VectorToJson( point->position, dimension ),
                        "depth", point->depth, "feature", (json_int_t)point->featureId ) );
    }
    return json_pack( "{s:o, s:f, s:b, s:o}", "normal", VectorToJson( answers->normal, dimension ), "depth",
        answers->depth, "complete", (int)( answers->collideStatus == jo_collideComplete ), "points", points );
}

static json_t* DistanceToJson( const joAnswers* answers, int dimension )
{
    if ( answers->distanceResult )
    {
        return json_null();
    }
    return json_pack( "{s:o, s:o, s:o, s:o, s:b}", "distance", joJsonNumber( answers->distance ), "pointA",
        VectorToJson( answers->pointA, dimension ), "pointB", VectorToJson( answers->pointB, dimension ),
        "normal", VectorToJson( answers->distanceNormal, dimension ), "complete",
        (int)( answers->distanceStatus == jo_collideComplete ) );
}

static json_t* ImpactToJson( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    const int dimension = report->scene->dimension;
    if ( !report->scene->hasMotion || answers->castResult )
    {
        return json_null();
    }
    return json_pack( "{s:b, s:f, s:o, s:o, s:f, s:b}", "hit", (int)answers->isHit, "fraction",
        answers->fraction, "point", VectorToJson( answers->hitPoint, dimension ), "normal",
        VectorToJson( answers->hitNormal, dimension ), "depth", answers->hitDepth, "complete",
        (int)( answers->castStatus == jo_collideComplete ) );
}

static json_t* AxesToJson( const joCollideReport* report )
{
    const joStudy* study = report->study;
    json_t* axes = json_array();
    for ( uint32_t i = 0; i < study->axisCount; ++i )
    {
        const joAxis* axis = &study->axes[i];
        char name[64];
        joAxis_Format( axis, report->scene->dimension, name, sizeof( name ) );
        json_array_append_new(
            axes, json_pack( "{s:s, s:o, s:o, s:o, s:o, s:b}", "axis", name, "direction",
                      VectorToJson( axis->direction, report->scene->dimension ), "a",
                      IntervalToJson( &axis->intervalA ), "b", IntervalToJson( &axis->intervalB ), "overlap",
                      joJsonNumber( axis->overlap ), "best", (int)( i == study->best ) ) );
    }
    return axes;
}

static json_t* CheckToJson( const joCollideReport* report )
{
    const joStudy* study = report->study;
    if ( study->axisCount == 0 )
    {
        return json_null();
    }
    json_t* complaints = json_array();
    for ( int i = 0; i < report->complaints->count; ++i )
    {
        json_array_append_new( complaints, joJsonString( report->complaints->texts[i] ) );
    }
    return json_pack( "{s:o, s:f, s:o, s:o}", "overlap", joJsonNumber( study->axes[study->best].overlap ),
        "tolerance", report->complaints->tolerance, "impact",
        report->scene->hasMotion && study->impact.isHit ? json_real( study->impact.fraction ) : json_null(),
        "disagreements", complaints );
}

bool joPrintCollideJson( const joCollideReport* report )
{
    const joAnswers* answers = report->answers;
    const int dimension = report->scene->dimension;
    json_t* json = json_pack( "{s:i, s:o, s:o, s:o, s:o, s:o}", "dimension", dimension, "overlap",
        answers->overlapResult ? json_null() : json_boolean( answers->overlaps ), "contact",
        ContactToJson( answers, dimension ), "distance", DistanceToJson( answers, dimension ), "impact",
        ImpactToJson( report ), "check", CheckToJson( report ) );
    bool good = json != NULL;
    if ( good && report->scene->about != NULL )
    {
        good = json_object_set_new( json, "about", joJsonString( report->scene->about ) ) == 0;
    }
    if ( good && report->explains )
    {
        good = json_object_set_new( json, "axes", AxesToJson( report ) ) == 0;
    }
    if ( good && report->explains && report->trace != NULL )
    {
        good = joTraceToJson( report->trace, dimension, json );
    }
    if ( good && report->explains && report->study->surface >= 0 && report->study->axisCount > 0 )
    {
        good = json_object_set_new( json, "part", json_integer( (json_int_t)report->study->part ) ) == 0;
    }
    if ( !good )
    {
        json_decref( json );
        json = NULL;
    }
    good = joPrintJson( "collide", json );
    if ( good )
    {
        putchar( '\n' );
    }
    return good;
}
