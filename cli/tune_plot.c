// SPDX-License-Identifier: MIT
// Two pictures of what `jostle tune` has found, side by side: what the best candidate of each kind costs, by
// what it is spent on; and the same candidates frame by frame, on a logarithmic scale.
#include "tune.h"

#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1160.0
#define PAGE_HEIGHT 520.0
#define TOP 76.0
#define BOTTOM 460.0
#define FONT_SIZE 13.0

typedef struct Colour
{
    double red, green, blue;
} Colour;

// Of kinds; told apart by people who do not see all colours (Okabe and Ito, "Color Universal Design", 2008).
static const Colour kindColours[jo_broadPhaseKindCount] = {
    { 0.35, 0.35, 0.35 },
    { 0.90, 0.62, 0.00 },
    { 0.00, 0.45, 0.70 },
    { 0.80, 0.47, 0.65 },
    { 0.00, 0.62, 0.45 },
    { 0.84, 0.37, 0.00 },
};
static const Colour ink = { 0.13, 0.13, 0.13 };
static const Colour faint = { 0.85, 0.85, 0.85 };

// A panel: where it is on the page, and the range of its values. Values run upwards.
typedef struct Panel
{
    double left, right;
    double lower, upper;
    bool isLogarithmic;
} Panel;

typedef struct Plot
{
    const joTune* tune;
    cairo_t* cairo;
    const joTuneCandidate* shown[jo_broadPhaseKindCount]; // best first
    uint32_t shownCount;
} Plot;

static void SetColour( const Plot* plot, Colour colour, double opacity )
{
    cairo_set_source_rgba( plot->cairo, colour.red, colour.green, colour.blue, opacity );
}

typedef enum Alignment
{
    align_left,
    align_middle,
    align_right
} Alignment;

static void DrawText( const Plot* plot, double x, double y, Alignment alignment, const char* text )
{
    cairo_text_extents_t extents;
    cairo_text_extents( plot->cairo, text, &extents );
    const double share = alignment == align_left ? 0.0 : ( alignment == align_middle ? 0.5 : 1.0 );
    cairo_move_to( plot->cairo, x - share * extents.x_advance, y );
    cairo_show_text( plot->cairo, text );
}

static void DrawLine( const Plot* plot, double x0, double y0, double x1, double y1 )
{
    cairo_new_path( plot->cairo );
    cairo_move_to( plot->cairo, x0, y0 );
    cairo_line_to( plot->cairo, x1, y1 );
    cairo_stroke( plot->cairo );
}

static double Y( const Panel* panel, double value )
{
    const double part = panel->isLogarithmic
                            ? log( value / panel->lower ) / log( panel->upper / panel->lower )
                            : ( value - panel->lower ) / ( panel->upper - panel->lower );
    return BOTTOM - ( BOTTOM - TOP ) * ( part < 0.0 ? 0.0 : ( part > 1.0 ? 1.0 : part ) );
}

static void DrawTick( const Plot* plot, const Panel* panel, double value )
{
    char text[32];
    snprintf( text, sizeof( text ), "%.4g", value );
    const double y = Y( panel, value );
    SetColour( plot, faint, 1.0 );
    DrawLine( plot, panel->left, y, panel->right, y );
    SetColour( plot, ink, 1.0 );
    DrawText( plot, panel->left - 8.0, y + 0.35 * FONT_SIZE, align_right, text );
}

// The largest of 1, 2 and 5 times a power of ten that is not above `value`.
static double RoundDown( double value )
{
    const double decade = pow( 10.0, floor( log10( value ) ) );
    return ( value >= 5.0 * decade ? 5.0 : ( value >= 2.0 * decade ? 2.0 : 1.0 ) ) * decade;
}

static void DrawScale( const Plot* plot, const Panel* panel )
{
    if ( !panel->isLogarithmic )
    {
        const double step = RoundDown( ( panel->upper - panel->lower ) / 4.0 );
        for ( int i = 0; i * step <= panel->upper * 1.0001; ++i )
        {
            DrawTick( plot, panel, i * step );
        }
    }
    else
    {
        const double decade = pow( 10.0, floor( log10( panel->lower ) ) );
        static const double digits[] = { 1.0, 2.0, 5.0 };
        for ( double power = decade; power <= panel->upper; power *= 10.0 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                const double value = digits[k] * power;
                if ( value >= panel->lower * 0.9999 && value <= panel->upper * 1.0001 )
                {
                    DrawTick( plot, panel, value );
                }
            }
        }
    }
    SetColour( plot, ink, 1.0 );
    DrawLine( plot, panel->left, TOP, panel->left, BOTTOM );
    DrawLine( plot, panel->left, BOTTOM, panel->right, BOTTOM );
    DrawText( plot, panel->left - 48.0, TOP - 14.0, align_left, "milliseconds a frame" );
}

// --- by kind ----------------------------------------------------------------------------------------------

static void DrawBar(
    const Plot* plot, const Panel* panel, const joTuneCandidate* candidate, double x, double width )
{
    // Dark to light: build, pairs, queries. Medians do not add up; together they are shown as that of the
    // whole.
    const joTuneTimes* times = &candidate->times;
    const double scale = times->median / ( times->build + times->pairs + times->queries );
    const double parts[] = { scale * times->build, scale * times->pairs, scale * times->queries };
    static const double opacities[] = { 1.0, 0.65, 0.35 };
    double from = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        const double bottom = Y( panel, from ), top = Y( panel, from + parts[k] );
        SetColour( plot, kindColours[candidate->def.kind], opacities[k] );
        cairo_rectangle( plot->cairo, x - 0.5 * width, top, width, bottom - top );
        cairo_fill( plot->cairo );
        from += parts[k];
    }
    char text[32];
    snprintf( text, sizeof( text ), "%.3g", candidate->times.median );
    SetColour( plot, ink, 1.0 );
    DrawText( plot, x, Y( panel, from ) - 6.0, align_middle, text );
    DrawText( plot, x, BOTTOM + 20.0, align_middle, joBroadPhaseKindText( candidate->def.kind ) );
}

static void DrawPartsLegend( const Plot* plot, double left )
{
    static const char* const names[] = { "build", "pairs", "queries" };
    static const double opacities[] = { 1.0, 0.65, 0.35 };
    // Without queries all is pairs.
    for ( int k = 0; k < 3 && plot->tune->def.queryCount > 0; ++k )
    {
        const double x = left + 90.0 * k;
        SetColour( plot, ink, opacities[k] );
        cairo_rectangle( plot->cairo, x, BOTTOM + 36.0, 12.0, 12.0 );
        cairo_fill( plot->cairo );
        SetColour( plot, ink, 1.0 );
        DrawText( plot, x + 18.0, BOTTOM + 47.0, align_left, names[k] );
    }
}

static void DrawKinds( const Plot* plot )
{
    Panel panel = { .left = 72.0, .right = 470.0 };
    for ( uint32_t i = 0; i < plot->shownCount; ++i )
    {
        const double median = plot->shown[i]->times.median;
        panel.upper = median > panel.upper ? median : panel.upper;
    }
    panel.upper *= 1.08;
    DrawScale( plot, &panel );
    const double pitch = ( panel.right - panel.left ) / plot->shownCount;
    for ( uint32_t i = 0; i < plot->shownCount; ++i )
    {
        DrawBar( plot, &panel, plot->shown[i], panel.left + ( i + 0.5 ) * pitch, 0.62 * pitch );
    }
    DrawPartsLegend( plot, panel.left );
}

// --- by frame ---------------------------------------------------------------------------------------------

static void DrawFrames( const Plot* plot )
{
    const uint32_t count = plot->tune->def.source->frameCount;
    Panel panel = { .left = 560.0, .right = 980.0, .lower = INFINITY, .isLogarithmic = true };
    for ( uint32_t i = 0; i < plot->shownCount; ++i )
    {
        for ( uint32_t frame = 0; frame < count; ++frame )
        {
            const double value = plot->shown[i]->frames[frame];
            panel.lower = value < panel.lower ? value : panel.lower;
            panel.upper = value > panel.upper ? value : panel.upper;
        }
    }
    panel.lower = RoundDown( panel.lower * 0.95 );
    panel.upper *= 1.05;
    DrawScale( plot, &panel );
    for ( uint32_t i = plot->shownCount; i-- > 0; )
    {
        const joTuneCandidate* candidate = plot->shown[i];
        const bool isAuto = candidate->def.kind == jo_auto;
        SetColour( plot, kindColours[candidate->def.kind], 1.0 );
        cairo_set_line_width( plot->cairo, isAuto ? 2.5 : 1.4 );
        cairo_new_path( plot->cairo );
        for ( uint32_t frame = 0; frame < count; ++frame )
        {
            const double x = panel.left + ( panel.right - panel.left ) * frame / ( count - 1.0 );
            cairo_line_to( plot->cairo, x, Y( &panel, candidate->frames[frame] ) );
        }
        cairo_stroke( plot->cairo );
        // The legend, best first.
        const double y = TOP + 10.0 + 24.0 * i;
        DrawLine( plot, panel.right + 14.0, y - 4.0, panel.right + 36.0, y - 4.0 );
        SetColour( plot, ink, 1.0 );
        DrawText( plot, panel.right + 42.0, y, align_left, joBroadPhaseKindText( candidate->def.kind ) );
    }
    cairo_set_line_width( plot->cairo, 1.0 );
    char text[32];
    snprintf( text, sizeof( text ), "%u", count - 1 );
    DrawText( plot, panel.left, BOTTOM + 20.0, align_middle, "0" );
    DrawText( plot, panel.right, BOTTOM + 20.0, align_middle, text );
    DrawText( plot, 0.5 * ( panel.left + panel.right ), BOTTOM + 20.0, align_middle, "frame" );
}

// --- the page ---------------------------------------------------------------------------------------------

static int CompareMedians( const void* a, const void* b )
{
    const joTuneCandidate* x = *(joTuneCandidate* const*)a;
    const joTuneCandidate* y = *(joTuneCandidate* const*)b;
    return ( x->times.median > y->times.median ) - ( x->times.median < y->times.median );
}

// The best of each kind that ran to the end.
static void ChooseShown( Plot* plot )
{
    const joTune* tune = plot->tune;
    for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
    {
        const joTuneCandidate* best = NULL;
        for ( uint32_t i = 0; i < tune->candidateCount; ++i )
        {
            const joTuneCandidate* candidate = tune->candidates + i;
            if ( (int)candidate->def.kind == kind && candidate->droppedIn == 0 &&
                 ( best == NULL || candidate->times.median < best->times.median ) )
            {
                best = candidate;
            }
        }
        if ( best != NULL )
        {
            plot->shown[plot->shownCount++] = best;
        }
    }
    qsort( plot->shown, plot->shownCount, sizeof( plot->shown[0] ), CompareMedians );
}

static void DrawPage( Plot* plot, const char* title )
{
    cairo_set_source_rgb( plot->cairo, 1.0, 1.0, 1.0 );
    cairo_paint( plot->cairo );
    cairo_set_line_width( plot->cairo, 1.0 );
    cairo_set_line_join( plot->cairo, CAIRO_LINE_JOIN_ROUND );
    cairo_select_font_face( plot->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL );
    cairo_set_font_size( plot->cairo, 16.0 );
    SetColour( plot, ink, 1.0 );
    char text[160];
    snprintf( text, sizeof( text ), "%.60s: %u boxes in %dD, %s, %u thread%s. The best of each kind", title,
        plot->tune->def.source->count, plot->tune->def.source->dimension, joIsaText( joGetIsa() ),
        plot->tune->def.threads, plot->tune->def.threads == 1 ? "" : "s" );
    DrawText( plot, 24.0, 32.0, align_left, text );
    cairo_set_font_size( plot->cairo, FONT_SIZE );
    DrawKinds( plot );
    DrawFrames( plot );
}

static cairo_status_t WriteBytes( void* file, const unsigned char* bytes, unsigned int count )
{
    return fwrite( bytes, 1, count, file ) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool Draw( const joTune* tune, const char* title, FILE* file )
{
    cairo_surface_t* surface =
        cairo_svg_surface_create_for_stream( WriteBytes, file, PAGE_WIDTH, PAGE_HEIGHT );
    Plot plot = { .tune = tune, .cairo = cairo_create( surface ) };
    ChooseShown( &plot );
    DrawPage( &plot, title );
    cairo_surface_finish( surface );
    const bool good = cairo_status( plot.cairo ) == CAIRO_STATUS_SUCCESS &&
                      cairo_surface_status( surface ) == CAIRO_STATUS_SUCCESS;
    cairo_destroy( plot.cairo );
    cairo_surface_destroy( surface );
    return good;
}

static bool FailPlot( joFileError* error, const char* what )
{
    *error = ( joFileError ){ 0 };
    snprintf( error->what, sizeof( error->what ), "cannot be written: %s", what );
    return false;
}

bool joPlotTune( const joTune* tune, const char* title, const char* path, joFileError* error )
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
        good = Draw( tune, title, file );
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
