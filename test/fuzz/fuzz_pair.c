// SPDX-License-Identifier: MIT
#include "fuzz_pair.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct PairCase
{
    const FuzzDimension* dimension;
    const void* pair;
    joVec3 motion;
    float margin;
} PairCase;

// As a file for `jostle collide`.
static void printCase( const void* fuzzCase )
{
    const PairCase* pairCase = fuzzCase;
    const int axisCount = pairCase->dimension->axisCount;
    for ( int i = 0; i < 2; ++i )
    {
        fprintf( stderr, "%s\"%s\": { ", i == 0 ? "{ " : "  ", i == 0 ? "a" : "b" );
        pairCase->dimension->print( pairCase->pair, i );
        fputs( " },\n", stderr );
    }
    fputs( "  ", stderr );
    printNumbers( "motion", &pairCase->motion.x, axisCount );
    fprintf( stderr, ", \"margin\": %.9g, \"dimension\": %d }\n", (double)pairCase->margin, axisCount );
}

static FuzzCase describe( const PairCase* pairCase )
{
    const FuzzDimension* dimension = pairCase->dimension;
    const joVec3 motion = pairCase->motion;
    FuzzCase fuzzCase = { .maxPoints = dimension->maxPoints,
        .isBadMargin = !( pairCase->margin >= 0.0f && pairCase->margin <= JO_MAX_SIZE ),
        .isBadMotion = !isfinite( motion.x ) || !isfinite( motion.y ) || !isfinite( motion.z ),
        .margin = (double)pairCase->margin,
        .motionLength = hypot( hypot( (double)motion.x, (double)motion.y ), (double)motion.z ) };
    const joResult results[2] = {
        dimension->check( pairCase->pair, 0 ), dimension->check( pairCase->pair, 1 ) };
    fuzzCase.expected = results[0] ? results[0] : results[1];
    if ( fuzzCase.expected == jo_success )
    {
        double lower[2][3], upper[2][3];
        for ( int i = 0; i < 2; ++i )
        {
            dimension->bound( pairCase->pair, i, lower[i], upper[i] );
            for ( int axis = 0; axis < dimension->axisCount; ++axis )
            {
                require( lower[i][axis] <= upper[i][axis], "bounds are not inside out" );
            }
        }
        fuzzCase.tolerance = toleranceOfBounds(
            (const double( * )[3])lower, (const double( * )[3])upper, dimension->axisCount );
    }
    return fuzzCase;
}

static joCollideCache takeCache( FuzzBytes* bytes )
{
    joCollideCache cache;
    for ( int i = 0; i < 4; ++i )
    {
        // Small numbers are what caches hold; and a few of any sort.
        const uint32_t byte = takeByte( bytes );
        cache.data[i] = byte > 200 ? byte * 0x01010101u : byte % 64;
    }
    return cache;
}

void fuzzPair( const FuzzDimension* dimension, const void* pair, FuzzBytes* bytes )
{
    PairCase pairCase = { .dimension = dimension, .pair = pair };
    pairCase.motion.x = takeNumber( bytes );
    pairCase.motion.y = takeNumber( bytes );
    pairCase.motion.z = dimension->axisCount == 3 ? takeNumber( bytes ) : 0.0f;
    pairCase.margin = takeSize( bytes );
    setCasePrinter( printCase, &pairCase );
    const FuzzCase fuzzCase = describe( &pairCase );
    const joVec3 motion = pairCase.motion, back = { -motion.x, -motion.y, -motion.z };
    joCollideCache cache = takeCache( bytes );
    const FuzzAnswers answers = dimension->ask( pair, 0, motion, pairCase.margin, NULL );
    const FuzzAnswers cached = dimension->ask( pair, 0, motion, pairCase.margin, &cache );
    const FuzzAnswers swapped = dimension->ask( pair, 1, back, pairCase.margin, NULL );
    checkAnswers( &fuzzCase, &answers );
    checkSwapped( &fuzzCase, &answers, &swapped );
    // What is checked first, A or B, is what is reported.
    FuzzCase swappedCase = fuzzCase;
    const joResult result = dimension->check( pair, 1 );
    swappedCase.expected = result ? result : dimension->check( pair, 0 );
    checkAnswers( &swappedCase, &swapped );
    require( memcmp( &answers, &cached, sizeof( answers ) ) == 0, "a cache changes nothing" );
}
