// SPDX-License-Identifier: MIT
// The picture of `jostle collide`: on the left the two shapes, their contact or nearest points; on the right
// both intervals on each axis, the one that decides first. In 3D the shapes are seen along a direction that
// lies across that axis, so that it runs from left to right.
#include "collide_report.h"
#include "collide_vector.h"
#include "outline_plot.h"

#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1100.0
#define PAGE_HEIGHT 560.0
#define VIEW_LEFT 24.0
#define VIEW_TOP 56.0
#define VIEW_SIZE 480.0
#define LIST_LEFT 540.0
#define BARS_LEFT 730.0
#define BARS_RIGHT 990.0
#define ROW_HEIGHT 21.0
#define MAX_ROWS 22
#define FONT_SIZE 12.0
#define PI 3.14159265358979323846

typedef struct Colour
{
    double red, green, blue;
} Colour;

// Told apart by people who do not see all colours (Okabe and Ito, "Color Universal Design", 2008).
static const Colour shapeColours[2] = { { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 } };
static const Colour contactColour = { 0.00, 0.50, 0.36 };
static const Colour ink = { 0.13, 0.13, 0.13 };
static const Colour faint = { 0.80, 0.80, 0.80 };

typedef struct Picture
{
    const joCollideReport* report;
    const joStudy* study;
    cairo_t* cairo;
    double right[3], up[3]; // of the view
    double center[2];       // of what is seen, along both
    double scale;           // picture units for a unit of length
} Picture;

static void SetColour( const Picture* picture, Colour colour, double opacity )
{
    cairo_set_source_rgba( picture->cairo, colour.red, colour.green, colour.blue, opacity );
}

static void DrawText( const Picture* picture, double x, double y, double share, const char* text )
{
    cairo_text_extents_t extents;
    cairo_text_extents( picture->cairo, text, &extents );
    cairo_move_to( picture->cairo, x - share * extents.x_advance, y );
    cairo_show_text( picture->cairo, text );
}

static void DrawLine( const Picture* picture, const double from[2], const double to[2] )
{
    cairo_new_path( picture->cairo );
    cairo_move_to( picture->cairo, from[0], from[1] );
    cairo_line_to( picture->cairo, to[0], to[1] );
    cairo_stroke( picture->cairo );
}

// --- the view ---------------------------------------------------------------------------------------------

// From where the study measures to the page.
static void ToPage( const Picture* picture, const double point[3], double page[2] )
{
    page[0] = VIEW_LEFT + 0.5 * VIEW_SIZE +
              picture->scale * ( joDotVectors( point, picture->right ) - picture->center[0] );
    page[1] = VIEW_TOP + 0.5 * VIEW_SIZE -
              picture->scale * ( joDotVectors( point, picture->up ) - picture->center[1] );
}

// From the positions of contacts, which are in world space, to where the study measures.
static void FromWorld( const Picture* picture, const double world[3], double point[3] )
{
    const joCollideScene* scene = picture->report->scene;
    const bool isFlat = scene->dimension == 2;
    const joVec3 p = scene->poses3[0].position;
    const joVec2 q = scene->poses2[0].position;
    const double origin[3] = {
        isFlat ? (double)q.x : (double)p.x, isFlat ? (double)q.y : (double)p.y, isFlat ? 0.0 : (double)p.z };
    joSubtractVectors( world, origin, point );
}

static void ChooseView( Picture* picture )
{
    const double x[3] = { 1.0, 0.0, 0.0 }, y[3] = { 0.0, 1.0, 0.0 }, z[3] = { 0.0, 0.0, 1.0 };
    joCopyVector( x, picture->right );
    joCopyVector( y, picture->up );
    if ( picture->report->scene->dimension == 3 && picture->study->axisCount > 0 )
    {
        joCopyVector( picture->study->axes[picture->study->best].direction, picture->right );
        // What is most upright of the directions across the axis.
        const double* hint = fabs( picture->right[1] ) < 0.9 ? y : z;
        joStepVector( hint, -joDotVectors( hint, picture->right ), picture->right, picture->up );
        joNormalizeVector( picture->up, picture->up );
    }
}

static void ChooseScale( Picture* picture )
{
    double lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY };
    for ( int k = 0; k < 2; ++k )
    {
        const joCore* core = &picture->study->cores[k];
        for ( uint32_t i = 0; i < core->pointCount; ++i )
        {
            const double at[2] = { joDotVectors( core->points[i], picture->right ),
                joDotVectors( core->points[i], picture->up ) };
            for ( int axis = 0; axis < 2; ++axis )
            {
                lower[axis] = fmin( lower[axis], at[axis] - core->radius );
                upper[axis] = fmax( upper[axis], at[axis] + core->radius );
            }
        }
    }
    const double size = fmax( upper[0] - lower[0], upper[1] - lower[1] );
    const bool isSeen = isfinite( size ) && size > 0.0;
    picture->scale = isSeen ? 0.88 * VIEW_SIZE / size : 1.0;
    picture->center[0] = isfinite( size ) ? 0.5 * ( lower[0] + upper[0] ) : 0.0;
    picture->center[1] = isfinite( size ) ? 0.5 * ( lower[1] + upper[1] ) : 0.0;
}

// --- shapes -----------------------------------------------------------------------------------------------

static void DrawHalfSpace( const Picture* picture, int index )
{
    const joCore* core = &picture->study->cores[index];
    const double n[2] = {
        joDotVectors( core->normals[0], picture->right ), joDotVectors( core->normals[0], picture->up ) };
    double foot[3], page[2];
    joScaleVector( core->offset, core->normals[0], foot );
    ToPage( picture, foot, page );
    // A rectangle far larger than the page; the clip cuts it.
    const double far = 4.0 * PAGE_WIDTH;
    const double along[2] = { n[1] * far, n[0] * far }, down[2] = { -n[0] * far, n[1] * far };
    cairo_new_path( picture->cairo );
    cairo_move_to( picture->cairo, page[0] - along[0], page[1] - along[1] );
    cairo_line_to( picture->cairo, page[0] + along[0], page[1] + along[1] );
    cairo_line_to( picture->cairo, page[0] + along[0] + down[0], page[1] + along[1] + down[1] );
    cairo_line_to( picture->cairo, page[0] - along[0] + down[0], page[1] - along[1] + down[1] );
    cairo_close_path( picture->cairo );
}

// All parts of a mesh or a chain; the one that decides is drawn over them.
static void DrawParts( const Picture* picture, int index )
{
    const joCollideScene* scene = picture->study->scene;
    SetColour( picture, shapeColours[index], 0.5 );
    cairo_set_line_width( picture->cairo, 0.8 );
    for ( uint32_t part = 0; part < scene->surfaces[index].partCount; ++part )
    {
        joCore core;
        joMakeCore( scene, index, part, &core );
        for ( uint32_t i = 0; i < core.edgeCount; ++i )
        {
            double from[2], to[2];
            ToPage( picture, core.points[core.edges[i][0]], from );
            ToPage( picture, core.points[core.edges[i][1]], to );
            DrawLine( picture, from, to );
        }
    }
}

static void DrawShape( const Picture* picture, int index )
{
    DrawParts( picture, index );
    const joCore* core = &picture->study->cores[index];
    const Colour colour = shapeColours[index];
    if ( core->isHalfSpace )
    {
        DrawHalfSpace( picture, index );
    }
    else
    {
        double points[JO_CORE_POINTS][2], outline[2 * JO_CORE_POINTS + 2][2];
        for ( uint32_t i = 0; i < core->pointCount; ++i )
        {
            ToPage( picture, core->points[i], points[i] );
        }
        const uint32_t count = joFindOutline( points, core->pointCount, outline );
        joTraceRounded( picture->cairo, outline, count, fmax( core->radius * picture->scale, 0.5 ) );
    }
    SetColour( picture, colour, 0.14 );
    cairo_fill_preserve( picture->cairo );
    SetColour( picture, colour, 1.0 );
    cairo_set_line_width( picture->cairo, 1.6 );
    cairo_stroke( picture->cairo );
    // What is inside the outline: edges, and the core of what has a radius.
    cairo_set_line_width( picture->cairo, 0.6 );
    SetColour( picture, colour, 0.7 );
    for ( uint32_t i = 0; i < core->edgeCount; ++i )
    {
        double from[2], to[2];
        ToPage( picture, core->points[core->edges[i][0]], from );
        ToPage( picture, core->points[core->edges[i][1]], to );
        DrawLine( picture, from, to );
    }
}

// --- contact ----------------------------------------------------------------------------------------------

static void DrawDot( const Picture* picture, const double page[2] )
{
    cairo_new_path( picture->cairo );
    cairo_arc( picture->cairo, page[0], page[1], 3.5, 0.0, 2.0 * PI );
    cairo_fill( picture->cairo );
}

static void DrawArrow( const Picture* picture, const double from[2], const double to[2] )
{
    DrawLine( picture, from, to );
    const double angle = atan2( to[1] - from[1], to[0] - from[0] );
    for ( int side = -1; side <= 1; side += 2 )
    {
        const double barb[2] = {
            to[0] - 8.0 * cos( angle + 0.45 * side ), to[1] - 8.0 * sin( angle + 0.45 * side ) };
        DrawLine( picture, to, barb );
    }
}

static void DrawContact( const Picture* picture )
{
    const joAnswers* answers = picture->report->answers;
    SetColour( picture, contactColour, 1.0 );
    cairo_set_line_width( picture->cairo, 1.6 );
    for ( uint32_t i = 0; i < answers->pointCount; ++i )
    {
        double point[3], tip[3], page[2], pageTip[2];
        FromWorld( picture, answers->points[i].position, point );
        joStepVector( point, 45.0 / picture->scale, answers->normal, tip );
        ToPage( picture, point, page );
        ToPage( picture, tip, pageTip );
        DrawDot( picture, page );
        DrawArrow( picture, page, pageTip );
    }
    if ( answers->pointCount == 0 && !answers->distanceResult && answers->distance > 0.0 )
    {
        double pointA[3], pointB[3], from[2], to[2];
        FromWorld( picture, answers->pointA, pointA );
        FromWorld( picture, answers->pointB, pointB );
        ToPage( picture, pointA, from );
        ToPage( picture, pointB, to );
        DrawDot( picture, from );
        DrawDot( picture, to );
        DrawLine( picture, from, to );
    }
}

static void DrawView( Picture* picture )
{
    cairo_save( picture->cairo );
    cairo_rectangle( picture->cairo, VIEW_LEFT, VIEW_TOP, VIEW_SIZE, VIEW_SIZE );
    cairo_clip( picture->cairo );
    ChooseView( picture );
    ChooseScale( picture );
    DrawShape( picture, 0 );
    DrawShape( picture, 1 );
    DrawContact( picture );
    cairo_restore( picture->cairo );
    SetColour( picture, faint, 1.0 );
    cairo_set_line_width( picture->cairo, 1.0 );
    cairo_rectangle( picture->cairo, VIEW_LEFT, VIEW_TOP, VIEW_SIZE, VIEW_SIZE );
    cairo_stroke( picture->cairo );
    for ( int k = 0; k < 2; ++k )
    {
        SetColour( picture, shapeColours[k], 1.0 );
        DrawText( picture, VIEW_LEFT + 8.0 + 18.0 * k, VIEW_TOP + 18.0, 0.0, k == 0 ? "A" : "B" );
    }
}

// --- projections ------------------------------------------------------------------------------------------

static int CompareOverlaps( const void* a, const void* b )
{
    const joAxis *x = *(joAxis*const*)a, *y = *(joAxis*const*)b;
    return x->overlap != y->overlap ? ( x->overlap < y->overlap ? -1 : 1 ) : ( x < y ? -1 : 1 );
}

static void DrawBar(
    const Picture* picture, const joInterval* interval, double y, int index, double lower, double scale )
{
    const double from = fmax( BARS_LEFT + ( interval->lower - lower ) * scale, BARS_LEFT );
    const double to = fmin( BARS_LEFT + ( interval->upper - lower ) * scale, BARS_RIGHT );
    SetColour( picture, shapeColours[index], 0.75 );
    cairo_rectangle( picture->cairo, from, y, fmax( to - from, 1.0 ), 5.0 );
    cairo_fill( picture->cairo );
}

static void DrawRow( const Picture* picture, const joAxis* axis, double y, double lower, double scale )
{
    const bool isBest = axis == picture->study->axes + picture->study->best;
    char text[64];
    joAxis_Format( axis, picture->report->scene->dimension, text, sizeof( text ) );
    SetColour( picture, isBest ? contactColour : ink, 1.0 );
    DrawText( picture, LIST_LEFT, y + 9.0, 0.0, text );
    snprintf( text, sizeof( text ), "%.5g", axis->overlap );
    DrawText( picture, PAGE_WIDTH - 24.0, y + 9.0, 1.0, text );
    DrawBar( picture, &axis->intervalA, y, 0, lower, scale );
    DrawBar( picture, &axis->intervalB, y + 6.0, 1, lower, scale );
}

static void DrawProjections( const Picture* picture )
{
    const joStudy* study = picture->study;
    const joAxis** order = malloc( ( study->axisCount + 1 ) * sizeof( joAxis* ) );
    if ( order == NULL )
    {
        return; // the picture says less, and still says it right
    }
    double lower = INFINITY, upper = -INFINITY;
    for ( uint32_t i = 0; i < study->axisCount; ++i )
    {
        const joAxis* axis = order[i] = study->axes + i;
        const double ends[4] = {
            axis->intervalA.lower, axis->intervalA.upper, axis->intervalB.lower, axis->intervalB.upper };
        for ( int k = 0; k < 4; ++k )
        {
            lower = isfinite( ends[k] ) ? fmin( lower, ends[k] ) : lower;
            upper = isfinite( ends[k] ) ? fmax( upper, ends[k] ) : upper;
        }
    }
    qsort( order, study->axisCount, sizeof( order[0] ), CompareOverlaps );
    const double scale = upper > lower ? ( BARS_RIGHT - BARS_LEFT ) / ( upper - lower ) : 1.0;
    const uint32_t shown = study->axisCount < MAX_ROWS ? study->axisCount : MAX_ROWS;
    char text[96];
    snprintf( text, sizeof( text ), "axes: %u of %u", shown, study->axisCount );
    SetColour( picture, ink, 1.0 );
    DrawText( picture, LIST_LEFT, VIEW_TOP + 4.0, 0.0, text );
    DrawText( picture, PAGE_WIDTH - 24.0, VIEW_TOP + 4.0, 1.0, "overlap" );
    for ( uint32_t i = 0; i < shown; ++i )
    {
        DrawRow( picture, order[i], VIEW_TOP + 18.0 + ROW_HEIGHT * i, lower, scale );
    }
    free( order );
}

// --- the page ---------------------------------------------------------------------------------------------

static void DrawTitle( const Picture* picture )
{
    const joAnswers* answers = picture->report->answers;
    const char* about = picture->report->scene->about;
    char text[160];
    int length =
        snprintf( text, sizeof( text ), "%.70s%s", about != NULL ? about : "", about != NULL ? ": " : "" );
    char* rest = text + length;
    const size_t room = sizeof( text ) - (size_t)length;
    if ( answers->pointCount > 0 )
    {
        snprintf( rest, room, "depth %.6g, %u point%s", answers->depth, answers->pointCount,
            answers->pointCount == 1 ? "" : "s" );
    }
    else if ( picture->study->areApart )
    {
        snprintf( rest, room, "apart by %.6g", picture->study->nearest.distance );
    }
    else
    {
        snprintf( rest, room, "no contact" );
    }
    cairo_set_font_size( picture->cairo, 15.0 );
    SetColour( picture, ink, 1.0 );
    DrawText( picture, VIEW_LEFT, 34.0, 0.0, text );
    cairo_set_font_size( picture->cairo, FONT_SIZE );
}

static void DrawPage( Picture* picture )
{
    cairo_set_source_rgb( picture->cairo, 1.0, 1.0, 1.0 );
    cairo_paint( picture->cairo );
    cairo_set_line_join( picture->cairo, CAIRO_LINE_JOIN_ROUND );
    cairo_select_font_face( picture->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL );
    DrawTitle( picture );
    DrawView( picture );
    DrawProjections( picture );
}

static cairo_status_t WriteBytes( void* file, const unsigned char* bytes, unsigned int count )
{
    return fwrite( bytes, 1, count, file ) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool Draw( const joCollideReport* report, FILE* file )
{
    cairo_surface_t* surface =
        cairo_svg_surface_create_for_stream( WriteBytes, file, PAGE_WIDTH, PAGE_HEIGHT );
    Picture picture = { .report = report, .study = report->study, .cairo = cairo_create( surface ) };
    DrawPage( &picture );
    cairo_surface_finish( surface );
    const bool good = cairo_status( picture.cairo ) == CAIRO_STATUS_SUCCESS &&
                      cairo_surface_status( surface ) == CAIRO_STATUS_SUCCESS;
    cairo_destroy( picture.cairo );
    cairo_surface_destroy( surface );
    return good;
}

static bool FailPlot( joFileError* error, const char* what )
{
    *error = ( joFileError ){ 0 };
    snprintf( error->what, sizeof( error->what ), "cannot be written: %s", what );
    return false;
}

bool joPlotCollide( const joCollideReport* report, const char* path, joFileError* error )
{
    static const char suffix[] = ".tmp";
    const size_t size = strlen( path ) + sizeof( suffix );
    char* temporary = malloc( size );
    if ( temporary == NULL )
    {
        return FailPlot( error, strerror( ENOMEM ) );
    }
    snprintf( temporary, size, "%s%s", path, suffix );
    FILE* file = fopen( temporary, "wb" );
    bool good = file != NULL || FailPlot( error, strerror( errno ) );
    if ( good )
    {
        errno = 0;
        good = Draw( report, file );
        good = fclose( file ) == 0 && good;
        good = good && rename( temporary, path ) == 0;
        if ( !good )
        {
            FailPlot( error, errno != 0 ? strerror( errno ) : "the drawing failed" );
            remove( temporary );
        }
    }
    free( temporary );
    return good;
}
