// SPDX-License-Identifier: MIT
// The crowd: 10,000 discs fly about in a walled square, bounce, and are pushed apart in every frame. Prints
// what a step costs, how many pairs it had and the deepest overlap left, and draws the last frame.
#include "jostle/jostle.h"

#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define RADIUS 0.5f
#define SPEED 2.0f
#define TIME_STEP ( 1.0f / 60.0f )
#define PACKING 0.3f
#define TURN 6.2831853f
// Overlaps that are drawn: less than this cannot be seen.
#define VISIBLE 1e-3

#define IMAGE_SIZE 1600
#define IMAGE_BORDER 40.0

typedef struct Disc
{
    float position[2];
    float velocity[2];
} Disc;

typedef struct Options
{
    uint32_t count;
    uint32_t steps;
    uint32_t threads;
    uint64_t seed;
    joBroadPhaseKind kind;
    const char* output;
} Options;

typedef struct Crowd
{
    Disc* discs;
    uint32_t count;
    float side;
} Crowd;

static void printHelp( void )
{
    printf( "usage: crowd [--n COUNT] [--steps COUNT] [--threads COUNT] [--kind KIND] [--seed NUMBER] "
            "[--output FILE]\n"
            "\n"
            "Discs fly about in a walled square and are pushed apart in every frame.\n"
            "  --n COUNT       discs (10000)\n"
            "  --steps COUNT   frames of 1/60 s (600)\n"
            "  --threads COUNT threads (1)\n"
            "  --kind KIND     bruteforce, sweep, grid, tree or bvh (grid)\n"
            "  --seed NUMBER   of the start (1)\n"
            "  --output FILE   picture of the last frame, PNG (build/crowd.png)\n" );
}

static bool readNumber( const char* text, uint64_t least, uint64_t most, uint64_t* number )
{
    char* end = NULL;
    errno = 0;
    *number = strtoull( text, &end, 10 );
    return end != text && *end == 0 && errno == 0 && text[0] != '-' && *number >= least && *number <= most;
}

static bool readOption( const char* name, const char* value, Options* options )
{
    uint64_t number = 0;
    if ( strcmp( name, "--n" ) == 0 && readNumber( value, 1, 10000000, &number ) )
    {
        options->count = (uint32_t)number;
    }
    else if ( strcmp( name, "--steps" ) == 0 && readNumber( value, 1, 1000000, &number ) )
    {
        options->steps = (uint32_t)number;
    }
    else if ( strcmp( name, "--threads" ) == 0 && readNumber( value, 1, JO_MAX_WORKERS, &number ) )
    {
        options->threads = (uint32_t)number;
    }
    else if ( strcmp( name, "--seed" ) == 0 && readNumber( value, 0, UINT64_MAX, &number ) )
    {
        options->seed = number;
    }
    else if ( strcmp( name, "--kind" ) == 0 )
    {
        return joFindBroadPhaseKind( value, &options->kind ) == jo_success;
    }
    else if ( strcmp( name, "--output" ) == 0 || strcmp( name, "-o" ) == 0 )
    {
        options->output = value;
    }
    else
    {
        return false;
    }
    return true;
}

// A jittered grid without overlap, the discs in random order.
static bool makeCrowd( const Options* options, Crowd* crowd )
{
    crowd->count = options->count;
    crowd->side = sqrtf( (float)crowd->count * 0.5f * TURN * RADIUS * RADIUS / PACKING );
    crowd->discs = calloc( crowd->count, sizeof( Disc ) );
    if ( crowd->discs == NULL )
    {
        return false;
    }
    joRandom random = joMakeRandom( options->seed );
    const uint32_t row = (uint32_t)ceilf( sqrtf( (float)crowd->count ) );
    const float spacing = crowd->side / (float)row;
    const float jitter = fmaxf( 0.5f * spacing - RADIUS, 0.0f );
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        const float angle = joRandom_Range( &random, 0.0f, TURN );
        const Disc disc = {
            { ( (float)( i % row ) + 0.5f ) * spacing + joRandom_Range( &random, -jitter, jitter ),
                ( (float)( i / row ) + 0.5f ) * spacing + joRandom_Range( &random, -jitter, jitter ) },
            { SPEED * joCos( angle ), SPEED * joSin( angle ) } };
        const uint32_t place = joRandom_Below( &random, i + 1 );
        crowd->discs[i] = crowd->discs[place];
        crowd->discs[place] = disc;
    }
    return true;
}

static void moveCrowd( Crowd* crowd )
{
    const float upper = crowd->side - RADIUS;
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        Disc* disc = &crowd->discs[i];
        for ( int axis = 0; axis < 2; ++axis )
        {
            const float x = disc->position[axis] + disc->velocity[axis] * TIME_STEP;
            const float speed = disc->velocity[axis];
            disc->velocity[axis] = x < RADIUS ? fabsf( speed ) : x > upper ? -fabsf( speed ) : speed;
            disc->position[axis] = fminf( fmaxf( x, RADIUS ), upper );
        }
    }
}

static double seconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static joResult runCrowd( const Options* options, joJobs* jobs, Crowd* crowd )
{
    joPusherDef def = joDefaultPusherDef();
    def.kind = options->kind;
    def.jobs = jobs;
    joPusher* pusher = NULL;
    joResult result = joCreatePusher( &def, &pusher );

    const float radius = RADIUS;
    const joPushBodies bodies = { .x = { &crowd->discs->position[0], sizeof( Disc ) },
        .y = { &crowd->discs->position[1], sizeof( Disc ) },
        .radius = { &radius, 0 },
        .count = crowd->count };
    joPushResult push = { 0 };
    float deepest = 0.0f;
    double total = 0.0;
    for ( uint32_t step = 1; step <= options->steps && result == jo_success; ++step )
    {
        const double start = seconds();
        moveCrowd( crowd );
        result = joPushApart2( pusher, &bodies, &push, NULL );
        total += seconds() - start;
        deepest = fmaxf( deepest, push.deepest );
        if ( result == jo_success && ( step % 100 == 0 || step == options->steps ) )
        {
            printf( "step %5u: %8.3f ms a step, %llu near pairs, %llu overlap by up to %.4f; left %.4f\n",
                step, 1e3 * total / step, (unsigned long long)push.pairCount,
                (unsigned long long)push.overlapCount, (double)push.deepestBefore, (double)push.deepest );
        }
    }
    if ( result == jo_success )
    {
        printf( "%u discs, %u steps, %u thread%s, %s: %.3f ms a step; deepest overlap ever left %.4f\n",
            crowd->count, options->steps, options->threads, options->threads == 1 ? "" : "s",
            joBroadPhaseKindText( options->kind ), 1e3 * total / options->steps, (double)deepest );
    }
    joDestroyPusher( pusher );
    return result;
}

// Where world is on paper: x right, y up.
typedef struct View
{
    cairo_t* cairo;
    double left, top; // of the paper
    double size;
    double lower[2]; // of the world, what is at the left and the bottom
    double scale;
} View;

static double paperX( const View* view, double x )
{
    return view->left + ( x - view->lower[0] ) * view->scale;
}

static double paperY( const View* view, double y )
{
    return view->top + view->size - ( y - view->lower[1] ) * view->scale;
}

static void traceDisc( const View* view, const Disc* disc )
{
    cairo_new_sub_path( view->cairo );
    cairo_arc( view->cairo, paperX( view, (double)disc->position[0] ),
        paperY( view, (double)disc->position[1] ), (double)RADIUS * view->scale, 0.0, (double)TURN );
}

static void drawCells( const View* view, double cellSize, double width )
{
    cairo_set_source_rgba( view->cairo, 0.75, 0.85, 1.0, 0.25 );
    cairo_set_line_width( view->cairo, width );
    const double extent = view->size / view->scale;
    for ( int axis = 0; axis < 2; ++axis )
    {
        const double first = ceil( view->lower[axis] / cellSize ) * cellSize;
        for ( double line = first; line <= view->lower[axis] + extent; line += cellSize )
        {
            const double x = paperX( view, line );
            const double y = paperY( view, line );
            cairo_move_to( view->cairo, axis == 0 ? x : view->left, axis == 0 ? view->top : y );
            cairo_line_to( view->cairo, axis == 0 ? x : view->left + view->size,
                axis == 0 ? view->top + view->size : y );
        }
    }
    cairo_stroke( view->cairo );
}

// A colour by the way a disc flies: a wheel through teal, blue, violet and sand, that leaves red to the
// overlaps.
static void setDiscColour( const View* view, const Disc* disc )
{
    const double angle = (double)joAtan2( disc->velocity[1], disc->velocity[0] );
    const double warm = 0.5 + 0.5 * cos( angle );
    const double high = 0.5 + 0.5 * sin( angle );
    cairo_set_source_rgb(
        view->cairo, 0.20 + 0.45 * warm * high, 0.50 + 0.28 * high, 0.62 + 0.30 * ( 1.0 - warm ) );
}

static bool isSeen( const View* view, const Disc* disc )
{
    bool seen = true;
    for ( int axis = 0; axis < 2; ++axis )
    {
        const double x = (double)disc->position[axis] - view->lower[axis];
        seen = seen && x > -(double)RADIUS && x < view->size / view->scale + (double)RADIUS;
    }
    return seen;
}

static double overlapOf( const Disc* a, const Disc* b )
{
    const double x = (double)a->position[0] - (double)b->position[0];
    const double y = (double)a->position[1] - (double)b->position[1];
    return 2.0 * (double)RADIUS - sqrt( x * x + y * y );
}

static void drawDiscs( const View* view, const Crowd* crowd )
{
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        if ( isSeen( view, &crowd->discs[i] ) )
        {
            setDiscColour( view, &crowd->discs[i] );
            traceDisc( view, &crowd->discs[i] );
            cairo_fill( view->cairo );
        }
    }
}

// Both discs are washed with red, the more the deeper (a tenth of the radius is all red), and what they have
// in common is red.
static void drawOverlaps( const View* view, const Crowd* crowd, const joPair* pairs, uint64_t pairCount )
{
    for ( uint64_t i = 0; i < pairCount; ++i )
    {
        const Disc* discs[2] = { &crowd->discs[pairs[i].a], &crowd->discs[pairs[i].b] };
        const double overlap = overlapOf( discs[0], discs[1] );
        if ( overlap < VISIBLE || !isSeen( view, discs[0] ) )
        {
            continue;
        }
        const double share = overlap / ( 0.1 * (double)RADIUS );
        cairo_set_source_rgba( view->cairo, 1.0, 0.20, 0.16, 0.25 + 0.75 * ( share < 1.0 ? share : 1.0 ) );
        for ( int k = 0; k < 2; ++k )
        {
            traceDisc( view, discs[k] );
            cairo_fill( view->cairo );
        }
        cairo_save( view->cairo );
        traceDisc( view, discs[0] );
        cairo_clip( view->cairo );
        cairo_set_source_rgb( view->cairo, 1.0, 0.12, 0.08 );
        traceDisc( view, discs[1] );
        cairo_fill( view->cairo );
        cairo_restore( view->cairo );
    }
}

static void traceFrame( const View* view )
{
    cairo_rectangle( view->cairo, view->left, view->top, view->size, view->size );
}

static void drawView(
    const View* view, const Crowd* crowd, const joPair* pairs, uint64_t pairCount, double cellSize )
{
    cairo_save( view->cairo );
    traceFrame( view );
    cairo_clip_preserve( view->cairo );
    cairo_set_source_rgb( view->cairo, 0.075, 0.09, 0.12 );
    cairo_fill( view->cairo );
    drawDiscs( view, crowd );
    drawOverlaps( view, crowd, pairs, pairCount );
    if ( cellSize > 0.0 )
    {
        drawCells( view, cellSize, 1.5 );
    }
    cairo_restore( view->cairo );
    cairo_set_source_rgb( view->cairo, 0.80, 0.84, 0.90 );
    cairo_set_line_width( view->cairo, 3.0 );
    traceFrame( view );
    cairo_stroke( view->cairo );
}

// A part of the picture, enlarged, around the deepest overlap: at 10,000 discs one is ten pixels wide.
static void drawLens(
    const View* whole, const Crowd* crowd, const joPair* pairs, uint64_t pairCount, double cellSize )
{
    double deepest = 0.0;
    double middle[2] = { 0.5 * (double)crowd->side, 0.5 * (double)crowd->side };
    for ( uint64_t i = 0; i < pairCount; ++i )
    {
        const Disc* a = &crowd->discs[pairs[i].a];
        const Disc* b = &crowd->discs[pairs[i].b];
        if ( overlapOf( a, b ) > deepest )
        {
            deepest = overlapOf( a, b );
            middle[0] = 0.5 * (double)( a->position[0] + b->position[0] );
            middle[1] = 0.5 * (double)( a->position[1] + b->position[1] );
        }
    }
    const double extent = 14.0;
    View lens = *whole;
    lens.size = 0.30 * whole->size;
    lens.scale = lens.size / extent;
    for ( int axis = 0; axis < 2; ++axis )
    {
        lens.lower[axis] = middle[axis] - 0.5 * extent;
        lens.lower[axis] = fmax( 0.0, fmin( lens.lower[axis], (double)crowd->side - extent ) );
    }
    // In the corner that is farthest from what it shows.
    const double edge = 0.03 * whole->size;
    const double far = whole->size - lens.size - edge;
    lens.left = whole->left + ( middle[0] > 0.5 * (double)crowd->side ? edge : far );
    lens.top = whole->top + ( middle[1] > 0.5 * (double)crowd->side ? far : edge );

    const double seenSize = extent * whole->scale;
    cairo_set_source_rgb( whole->cairo, 0.80, 0.84, 0.90 );
    cairo_set_line_width( whole->cairo, 3.0 );
    cairo_rectangle( whole->cairo, paperX( whole, lens.lower[0] ), paperY( whole, lens.lower[1] ) - seenSize,
        seenSize, seenSize );
    cairo_stroke( whole->cairo );
    drawView( &lens, crowd, pairs, pairCount, cellSize );
}

static bool drawCrowd(
    const Crowd* crowd, const joPair* pairs, uint64_t pairCount, double cellSize, const char* output )
{
    cairo_surface_t* surface = cairo_image_surface_create( CAIRO_FORMAT_RGB24, IMAGE_SIZE, IMAGE_SIZE );
    cairo_t* cairo = cairo_create( surface );
    cairo_set_source_rgb( cairo, 0.045, 0.055, 0.075 );
    cairo_paint( cairo );
    View view = {
        .cairo = cairo, .left = IMAGE_BORDER, .top = IMAGE_BORDER, .size = IMAGE_SIZE - 2.0 * IMAGE_BORDER };
    view.scale = view.size / (double)crowd->side;
    drawView( &view, crowd, pairs, pairCount, cellSize );
    if ( crowd->count > 2000 )
    {
        drawLens( &view, crowd, pairs, pairCount, cellSize );
    }
    const cairo_status_t status = cairo_surface_write_to_png( surface, output );
    if ( status != CAIRO_STATUS_SUCCESS )
    {
        fprintf( stderr, "crowd: %s: %s\n", output, cairo_status_to_string( status ) );
    }
    cairo_destroy( cairo );
    cairo_surface_destroy( surface );
    return status == CAIRO_STATUS_SUCCESS;
}

// Finds what overlaps in the last frame, and draws it.
static bool drawLastFrame( const Options* options, const Crowd* crowd )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2;
    def.kind = options->kind;
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( &def, &broadPhase );
    const float radius = RADIUS;
    const joCircles circles = { .x = { &crowd->discs->position[0], sizeof( Disc ) },
        .y = { &crowd->discs->position[1], sizeof( Disc ) },
        .radius = { &radius, 0 },
        .count = crowd->count };
    uint64_t pairCount = 0;
    if ( result == jo_success )
    {
        result = joBroadPhase_SetCircles( broadPhase, &circles, NULL );
    }
    if ( result == jo_success )
    {
        result = joBroadPhase_FindPairs( broadPhase, NULL, 0, &pairCount );
    }
    bool drawn = false;
    if ( result == jo_success )
    {
        const joPair* pairs = joBroadPhase_ViewPairs( broadPhase, &pairCount );
        const double cellSize = (double)joBroadPhase_GetStats( broadPhase ).cellSize;
        drawn = drawCrowd( crowd, pairs, pairCount, cellSize, options->output );
    }
    else
    {
        fprintf( stderr, "crowd: %s\n", joResultText( result ) );
    }
    joDestroyBroadPhase( broadPhase );
    if ( drawn )
    {
        printf( "picture: %s\n", options->output );
    }
    return drawn;
}

int main( int argc, char** argv )
{
    Options options = { .count = 10000, .steps = 600, .threads = 1, .seed = 1, .kind = jo_grid };
    for ( int i = 1; i < argc; i += 2 )
    {
        if ( strcmp( argv[i], "--help" ) == 0 || strcmp( argv[i], "-h" ) == 0 )
        {
            printHelp();
            return 0;
        }
        if ( i + 1 == argc || !readOption( argv[i], argv[i + 1], &options ) )
        {
            fprintf( stderr, "crowd: bad option: %s %s\nTry crowd --help.\n", argv[i],
                i + 1 < argc ? argv[i + 1] : "" );
            return 2;
        }
    }
    if ( options.output == NULL )
    {
        options.output = "build/crowd.png";
        mkdir( "build", 0777 ); // if it is there already, so much the better
    }

    Crowd crowd = { 0 };
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = options.threads;
    joJobs* jobs = NULL;
    joResult result = makeCrowd( &options, &crowd ) ? jo_success : jo_errorOutOfMemory;
    if ( result == jo_success )
    {
        result = joCreateJobs( &jobsDef, &jobs );
    }
    if ( result == jo_success )
    {
        result = runCrowd( &options, jobs, &crowd );
    }
    if ( result != jo_success )
    {
        fprintf( stderr, "crowd: %s\n", joResultText( result ) );
    }
    const bool good = result == jo_success && drawLastFrame( &options, &crowd );
    joDestroyJobs( jobs );
    free( crowd.discs );
    return good ? 0 : 1;
}
