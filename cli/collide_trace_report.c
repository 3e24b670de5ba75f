// SPDX-License-Identifier: MIT
#include "collide_trace_report.h"

#include "program.h"

#include <inttypes.h>
#include <math.h>

// What is printed as zero has no sign.
static double Unsigned( double value )
{
    return fabs( value ) < 5e-7 ? 0.0 : value;
}

static void PrintPoints( const uint8_t points[4][2], uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        printf( " A%u-B%u", points[i][0], points[i][1] );
    }
    putchar( '\n' );
}

static void PrintSteps( const joConvexSteps* steps, int dimension, const char* points )
{
    printf( "  %4s  %-*s  %-8s  %11s %11s  %s\n", "", dimension == 3 ? 29 : 19, "direction", "support",
        "at least", "at most", points );
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        const joConvexStep* step = &steps->steps[i];
        char support[16];
        snprintf( support, sizeof( support ), "A%u B%u", step->vertexA, step->vertexB );
        printf( "  %4" PRIu32 " ", i + 1 );
        for ( int k = 0; k < dimension; ++k )
        {
            printf( " %9.6f", Unsigned( step->direction[k] ) );
        }
        printf( "  %-8s  %11.6g %11.6g ", support, Unsigned( step->lower ), Unsigned( step->upper ) );
        PrintPoints( step->points, step->pointCount );
    }
}

static const char* SourceText( const joConvexTrace* trace )
{
    switch ( trace->source )
    {
        case jo_fromGjk:
            return "contact    along the way that GJK finds between the cores";
        case jo_fromEpa:
            return "contact    from EPA's last face, beyond which nothing lies";
        case jo_fromSat:
            return trace->epa.count > 0 ? "contact    from the axis of least overlap: EPA gave up"
                                        : "contact    from the axis of least overlap";
        case jo_noContact:
            break;
    }
    return NULL;
}

void joPrintTrace( const joConvexTrace* trace, int dimension )
{
    const char* cores = trace->radius > 0.0 ? " of the cores" : "";
    printf( "gjk        %" PRIu32 " steps, distance%s %.6g: %s\n", trace->gjk.count, cores, trace->distance,
        joGjkEnd_Text( trace->end ) );
    PrintSteps( &trace->gjk, dimension, "simplex" );
    if ( trace->pointCount > 0 )
    {
        fputs( "  last simplex", stdout );
        PrintPoints( trace->points, trace->pointCount );
    }
    if ( trace->epa.count > 0 )
    {
        printf( "epa        %" PRIu32 " steps%s\n", trace->epa.count,
            trace->source == jo_fromEpa ? "" : ", without an end" );
        PrintSteps( &trace->epa, dimension, "nearest face" );
    }
    const char* source = SourceText( trace );
    if ( source != NULL )
    {
        puts( source );
    }
}

// --- JSON -------------------------------------------------------------------------------------------------

static json_t* PointsToJson( const uint8_t points[4][2], uint32_t count )
{
    json_t* array = json_array();
    for ( uint32_t i = 0; i < count; ++i )
    {
        json_array_append_new( array, json_pack( "[i, i]", (int)points[i][0], (int)points[i][1] ) );
    }
    return array;
}

static json_t* StepsToJson( const joConvexSteps* steps, int dimension )
{
    json_t* array = json_array();
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        const joConvexStep* step = &steps->steps[i];
        json_t* direction = json_array();
        for ( int k = 0; k < dimension; ++k )
        {
            json_array_append_new( direction, joJsonNumber( step->direction[k] + 0.0 ) );
        }
        json_array_append_new(
            array, json_pack( "{s:o, s:[i, i], s:o, s:o, s:o}", "direction", direction, "support",
                       (int)step->vertexA, (int)step->vertexB, "points",
                       PointsToJson( step->points, step->pointCount ), "atLeast", joJsonNumber( step->lower ),
                       "atMost", joJsonNumber( step->upper ) ) );
    }
    return array;
}

bool joTraceToJson( const joConvexTrace* trace, int dimension, json_t* object )
{
    json_t* gjk = json_pack( "{s:s, s:o, s:o, s:o}", "end", joGjkEnd_Text( trace->end ), "distance",
        joJsonNumber( trace->distance ), "points", PointsToJson( trace->points, trace->pointCount ), "steps",
        StepsToJson( &trace->gjk, dimension ) );
    return json_object_set_new( object, "gjk", gjk ) == 0 &&
           json_object_set_new( object, "epa", StepsToJson( &trace->epa, dimension ) ) == 0 &&
           json_object_set_new(
               object, "contactFrom", json_string( joContactSource_Name( trace->source ) ) ) == 0;
}
