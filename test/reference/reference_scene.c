// SPDX-License-Identifier: MIT
// Random scenes for the broad phase; see reference_scene.h.
#include "reference_scene.h"

#include <float.h>
#include <math.h>

refRandom refMakeRandom( uint64_t seed, uint64_t stream )
{
    refRandom random = { seed * 0x9E3779B97F4A7C15u + stream };
    random.state = refNext( &random ) ^ ( stream * 0xD1B54A32D192ED03u );
    return random;
}

uint64_t refNext( refRandom* random )
{
    uint64_t z = ( random->state += 0x9E3779B97F4A7C15u );
    z = ( z ^ ( z >> 30 ) ) * 0xBF58476D1CE4E5B9u;
    z = ( z ^ ( z >> 27 ) ) * 0x94D049BB133111EBu;
    return z ^ ( z >> 31 );
}

uint32_t refBelow( refRandom* random, uint32_t bound )
{
    return (uint32_t)( ( ( refNext( random ) >> 32 ) * bound ) >> 32 );
}

double refUnit( refRandom* random )
{
    return (double)( refNext( random ) >> 11 ) * 0x1p-53;
}

double refRange( refRandom* random, double lower, double upper )
{
    return lower + ( upper - lower ) * refUnit( random );
}

bool refChance( refRandom* random, double probability )
{
    return refUnit( random ) < probability;
}

double refFloat( double x )
{
    // Volatile: gcc 12 at -O2 loses the rounding of some members where it makes vectors of them.
    volatile float rounded = (float)fmax( -(double)FLT_MAX, fmin( (double)FLT_MAX, x ) );
    return (double)rounded;
}

const char* refDistributionText( refDistribution distribution )
{
    static const char* const texts[ref_distributionCount] = { "uniform", "clumps", "allEqual", "integers",
        "nested", "mixedSizes", "oneWorldSized", "halfSpaces", "points", "far", "negative", "denormal",
        "cellBorders", "line", "farClusters", "extreme", "slabs", "flat", "halving" };
    return texts[distribution];
}

// The side of the square or cube in which `count` unit boxes have so many neighbours each.
static double sideFor( const refSceneDef* def )
{
    double neighbours = def->neighbours > 0.01 ? def->neighbours : 0.01;
    double volume = (double)def->count * pow( 1.5, def->axisCount ) / neighbours;
    return fmax( pow( volume, 1.0 / def->axisCount ), 1.0 );
}

void refPrepareScene( refSceneDef* def, refRandom* random )
{
    static const double fars[] = { 1e6, 1e9, 1e30, -1e6, -1e9, -1e30 };
    def->side = sideFor( def );
    def->lineAxis = (int)refBelow( random, (uint32_t)def->axisCount + 1 ); // axisCount: the diagonal
    for ( int k = 0; k < 3; ++k )
    {
        def->offset[k] = fars[refBelow( random, 6 )];
        for ( int c = 0; c < 8; ++c )
            def->center[c][k] = refRange( random, -def->side, def->side );
    }
    if ( def->distribution == ref_farClusters )
    {
        double apart = ldexp( 1.0, (int)refBelow( random, 24 ) + 4 );
        for ( int k = 0; k < 3; ++k )
        {
            def->center[0][k] = -apart;
            def->center[1][k] = refChance( random, 0.7 ) ? apart : -apart;
        }
    }
}

static void setBox( refObject* object, const double center[3], const double half[3] )
{
    object->round = false;
    for ( int k = 0; k < 3; ++k )
    {
        double lower = refFloat( center[k] - half[k] );
        double upper = refFloat( center[k] + half[k] );
        object->lower[k] = lower;
        object->upper[k] = upper > lower ? upper : lower;
    }
}

static double bell( refRandom* random )
{
    double sum = 0.0;
    for ( int k = 0; k < 6; ++k )
        sum += refUnit( random );
    return ( sum - 3.0 ) * 1.4;
}

static double side( const refSceneDef* def, refRandom* random, double scale )
{
    return refRange( random, -0.5, 0.5 ) * def->side * scale;
}

static void drawIntegers( const refSceneDef* def, refRandom* random, refObject* object, bool points )
{
    object->round = false;
    uint32_t span = (uint32_t)def->side + 2;
    for ( int k = 0; k < 3; ++k )
    {
        object->lower[k] = (double)refBelow( random, span ) - floor( 0.5 * span );
        object->upper[k] = object->lower[k] + ( points ? 0.0 : (double)refBelow( random, 3 ) );
    }
}

static void drawBorders( const refSceneDef* def, refRandom* random, refObject* object )
{
    object->round = false;
    uint32_t span = (uint32_t)fmin( def->side, 1e6 ) + 2;
    for ( int k = 0; k < 3; ++k )
    {
        float ends[2];
        double cell = (double)refBelow( random, span ) - floor( 0.5 * span );
        ends[0] = (float)( cell * def->cellSize );
        ends[1] = (float)( ( cell + (double)refBelow( random, 3 ) ) * def->cellSize );
        for ( int e = 0; e < 2; ++e )
        {
            uint32_t nudge = refBelow( random, 4 );
            if ( nudge < 2 )
                ends[e] = nextafterf( ends[e], nudge == 0 ? -HUGE_VALF : HUGE_VALF );
        }
        object->lower[k] = fmin( (double)ends[0], (double)ends[1] );
        object->upper[k] = fmax( (double)ends[0], (double)ends[1] );
    }
}

static void drawHalving( const refSceneDef* def, refRandom* random, refObject* object )
{
    object->round = false;
    for ( int k = 0; k < 3; ++k )
    {
        int level = (int)refBelow( random, 8 );
        double size = ldexp( 64.0, -level );
        double lower = (double)refBelow( random, 1u << level ) * size - 32.0;
        double upper = lower + ( refChance( random, 0.8 ) ? size : 0.0 );
        object->lower[k] = lower;
        object->upper[k] = upper;
    }
    (void)def;
}

static void drawExtreme( refRandom* random, refObject* object )
{
    static const double values[] = { -(double)FLT_MAX, (double)FLT_MAX, -1e38, 1e38, -3e38, 3e38, 0.0, 1.0,
        -1.0, 1e30, -1e30, 1e20, -2147483648.0, 2147483647.0, 4294967296.0, -4294967296.0, 1e10 };
    object->round = false;
    for ( int k = 0; k < 3; ++k )
    {
        double a = refFloat( values[refBelow( random, 17 )] );
        double b = refChance( random, 0.5 ) ? a : refFloat( values[refBelow( random, 17 )] );
        object->lower[k] = fmin( a, b );
        object->upper[k] = fmax( a, b );
    }
}

static void drawDenormal( refRandom* random, refObject* object )
{
    static const double units[] = { 0x1p-149, 0x1p-149, 0x1p-130, 0x1p-126, 1.0 };
    double unit = units[refBelow( random, 5 )];
    object->round = false;
    for ( int k = 0; k < 3; ++k )
    {
        object->lower[k] = ( (double)refBelow( random, 9 ) - 4.0 ) * unit;
        object->upper[k] = object->lower[k] + (double)refBelow( random, 3 ) * unit;
    }
}

// Where the box of a line lies: along one axis, or along the diagonal.
static void lineCenter( const refSceneDef* def, refRandom* random, double center[3] )
{
    double along = refRange( random, 0.0, (double)def->count / fmax( def->neighbours, 0.1 ) );
    for ( int k = 0; k < 3; ++k )
        center[k] = def->lineAxis == def->axisCount || def->lineAxis == k ? along : 0.25;
}

static void drawRounded( const refSceneDef* def, refRandom* random, refObject* object )
{
    double center[3], half[3];
    uint32_t clump = refBelow( random, def->distribution == ref_farClusters ? 2 : 8 );
    double size = ldexp( 1.0, -(int)refBelow( random, 3 ) );
    for ( int k = 0; k < 3; ++k )
    {
        center[k] = side( def, random, 1.0 );
        half[k] = refRange( random, 0.25, 0.5 ) * size;
        switch ( def->distribution )
        {
            case ref_clumps:
                center[k] = def->center[clump][k] + bell( random ) * def->side * 0.2;
                break;
            case ref_farClusters:
                center[k] += def->center[clump][k];
                break;
            case ref_negative:
                center[k] -= 0.5 * def->side + 1.0;
                break;
            case ref_far:
                // One ulp there is the unit, so that rounding does not pile all up.
                center[k] = def->offset[k] + center[k] * fmax( fabs( def->offset[k] ) * 0x1p-20, 1.0 );
                half[k] *= fmax( fabs( def->offset[k] ) * 0x1p-20, 1.0 );
                break;
            case ref_flat:
                half[k] = def->lineAxis == k ? 0.0 : half[k];
                center[k] = def->lineAxis == k ? (double)refBelow( random, 3 ) : center[k];
                break;
            default:
                break;
        }
    }
    if ( def->distribution == ref_line )
        lineCenter( def, random, center );
    setBox( object, center, half );
}

static void drawNested( const refSceneDef* def, refRandom* random, refObject* object )
{
    uint32_t nest = refBelow( random, def->count / 24 + 1 );
    refRandom place = refMakeRandom( nest, 77 ); // the same for all of this nest
    double size = (double)( 1 + refBelow( random, 12 ) );
    double center[3], half[3];
    for ( int k = 0; k < 3; ++k )
    {
        center[k] = floor( side( def, &place, 8.0 ) );
        half[k] = size;
    }
    setBox( object, center, half );
}

static void drawSizes( const refSceneDef* def, refRandom* random, refObject* object )
{
    double center[3], half[3];
    // Few are huge where there are many, or the answer is as long as count squared.
    bool few = def->count > 400 && refChance( random, 0.995 );
    double size = ldexp( refRange( random, 0.5, 1.0 ), (int)refBelow( random, few ? 21 : 41 ) - 20 );
    for ( int k = 0; k < 3; ++k )
    {
        center[k] = side( def, random, 1.0 );
        half[k] = size * refRange( random, 0.5, 1.0 );
    }
    setBox( object, center, half );
}

static void drawSpecial( const refSceneDef* def, refRandom* random, refObject* object )
{
    double rare = def->count > 400 ? 0.002 : 0.1;
    drawRounded( def, random, object );
    if ( refChance( random, rare ) == false )
        return;
    double big = def->side * refRange( random, 0.5, 8.0 );
    int axis = (int)refBelow( random, (uint32_t)def->axisCount );
    for ( int k = 0; k < 3; ++k )
    {
        bool infinite = def->distribution == ref_halfSpaces;
        if ( def->distribution == ref_slabs && k != axis )
            continue;
        if ( infinite == false || refChance( random, 0.5 ) )
            object->lower[k] = infinite ? -HUGE_VAL : refFloat( object->lower[k] - big );
        if ( infinite == false || refChance( random, 0.5 ) )
            object->upper[k] = infinite ? HUGE_VAL : refFloat( object->upper[k] + big );
    }
}

static void makeRound( refRandom* random, refObject* object, int axisCount )
{
    for ( int k = 0; k < axisCount; ++k )
    {
        if ( isinf( object->lower[k] ) || isinf( object->upper[k] ) )
            return;
    }
    double radius = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        bool present = k < axisCount;
        double middle = 0.5 * ( object->lower[k] + object->upper[k] );
        object->center[k] = present ? refFloat( refChance( random, 0.5 ) ? middle : object->lower[k] ) : 0.0;
        radius = fmax( radius, present ? 0.5 * ( object->upper[k] - object->lower[k] ) : 0.0 );
    }
    object->round = true;
    object->radius = refFloat( refChance( random, 0.1 ) ? 0.0 : radius );
}

void refDrawShape( const refSceneDef* def, refRandom* random, refObject* object )
{
    switch ( def->distribution )
    {
        case ref_allEqual:
            setBox( object, ( double[3] ){ 1.5, -2.5, 0.0 }, ( double[3] ){ 0.5, 0.5, 0.5 } );
            break;
        case ref_integers:
        case ref_points:
            drawIntegers( def, random, object, def->distribution == ref_points );
            break;
        case ref_nested:
            drawNested( def, random, object );
            break;
        case ref_mixedSizes:
            drawSizes( def, random, object );
            break;
        case ref_oneWorldSized:
        case ref_halfSpaces:
        case ref_slabs:
            drawSpecial( def, random, object );
            break;
        case ref_denormal:
            drawDenormal( random, object );
            break;
        case ref_cellBorders:
            drawBorders( def, random, object );
            break;
        case ref_extreme:
            drawExtreme( random, object );
            break;
        case ref_halving:
            drawHalving( def, random, object );
            break;
        default:
            drawRounded( def, random, object );
            break;
    }
    if ( refChance( random, def->roundShare ) )
        makeRound( random, object, def->axisCount );
}

void refDrawLayers( const refSceneDef* def, refRandom* random, refObject* object )
{
    object->layer = UINT64_MAX;
    object->mask = UINT64_MAX;
    if ( def->layerCount == 0 )
        return;
    // The top layers, so that a filter that keeps 32 bits is found out.
    uint32_t shift = 64 - def->layerCount;
    object->layer = 1ull << ( shift + refBelow( random, def->layerCount ) );
    object->mask = ( refNext( random ) | refNext( random ) ) & ( UINT64_MAX << shift );
    if ( refChance( random, 0.05 ) )
        object->layer = 0;
}

void refJitter( const refSceneDef* def, refRandom* random, refObject* object )
{
    bool whole = def->distribution == ref_integers || def->distribution == ref_points ||
                 def->distribution == ref_nested || def->distribution == ref_halving;
    for ( int k = 0; k < 3; ++k )
    {
        double size = object->round ? object->radius : object->upper[k] - object->lower[k];
        double step = isfinite( size ) ? size * refRange( random, -0.5, 0.5 ) : refRange( random, -1.0, 1.0 );
        if ( whole )
            step = (double)refBelow( random, 3 ) - 1.0;
        object->center[k] = refFloat( object->center[k] + step );
        if ( object->round )
            continue;
        // An infinite bound stays: refFloat would make it finite.
        if ( isfinite( object->lower[k] ) )
            object->lower[k] = refFloat( object->lower[k] + step );
        if ( isfinite( object->upper[k] ) )
            object->upper[k] = refFloat( object->upper[k] + step );
        object->upper[k] = fmax( object->upper[k], object->lower[k] );
    }
    if ( def->axisCount == 2 )
        object->center[2] = 0.0;
}
