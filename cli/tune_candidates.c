// SPDX-License-Identifier: MIT
// What `jostle tune` tries: every kind as it is by default, then grid and tree over their main parameters.
#include "tune.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void Add( joTune* tune, const joBroadPhaseDef* def, const char* format, ... )
    __attribute__( ( format( printf, 3, 4 ) ) );

static void Add( joTune* tune, const joBroadPhaseDef* def, const char* format, ... )
{
    joTuneCandidate* candidate = tune->candidates + tune->candidateCount++;
    candidate->def = *def;
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( candidate->name, sizeof( candidate->name ), format, arguments );
    va_end( arguments );
}

static void AddGrids( joTune* tune, joBroadPhaseDef def )
{
    static const float factors[] = { 0.5f, 0.7f, 1.0f, 1.4f, 2.0f, 2.8f };
    static const uint32_t levels[] = { 1, 2, 0 };
    def.kind = jo_grid;
    for ( size_t f = 0; f < sizeof( factors ) / sizeof( factors[0] ); ++f )
    {
        for ( size_t l = 0; l < sizeof( levels ) / sizeof( levels[0] ); ++l )
        {
            if ( factors[f] == 1.0f && levels[l] == 0 )
            {
                continue; // as derived
            }
            // As it will be written, so that the def as C is this very one.
            char text[32];
            snprintf( text, sizeof( text ), "%.4g", (double)( factors[f] * tune->derivedCellSize ) );
            sscanf( text, "%f", &def.cellSize );
            def.levels = levels[l];
            Add( tune, &def, "grid %s, levels %s", text,
                levels[l] == 0 ? "derived" : ( levels[l] == 1 ? "1" : "2" ) );
        }
    }
}

static void AddTrees( joTune* tune, joBroadPhaseDef def )
{
    static const uint32_t depths[] = { 6, 10, 14 };
    static const uint32_t capacities[] = { 8, 32, 64 };
    static const float loosenesses[] = { 1.5f, 2.0f };
    const joBroadPhaseDef plain = def;
    def.kind = jo_tree;
    for ( size_t k = 0; k < sizeof( capacities ) / sizeof( capacities[0] ); ++k )
    {
        def.leafCapacity = capacities[k];
        Add( tune, &def, "tree, leaves of %u", def.leafCapacity );
    }
    def.leafCapacity = plain.leafCapacity;
    for ( size_t k = 0; k < sizeof( depths ) / sizeof( depths[0] ); ++k )
    {
        def.maxDepth = depths[k];
        if ( depths[k] != plain.maxDepth )
        {
            Add( tune, &def, "tree, depth %u", def.maxDepth );
        }
        for ( size_t l = 0; l < sizeof( loosenesses ) / sizeof( loosenesses[0] ); ++l )
        {
            joBroadPhaseDef loose = def;
            loose.looseness = loosenesses[l];
            Add( tune, &loose, "tree, depth %u, loose %.1f", loose.maxDepth, (double)loose.looseness );
        }
    }
}

void joTune_AddCandidates( joTune* tune )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = tune->def.source->dimension;
    def.jobs = tune->jobs;
    // In the order of preference where several cost the same.
    static const joBroadPhaseKind kinds[] = { jo_grid, jo_bvh, jo_sweep, jo_tree, jo_bruteForce, jo_auto };
    for ( size_t k = 0; k < sizeof( kinds ) / sizeof( kinds[0] ); ++k )
    {
        if ( kinds[k] == jo_bruteForce && tune->def.source->count > JO_TUNE_BRUTE_FORCE_LIMIT )
        {
            continue;
        }
        def.kind = kinds[k];
        tune->autoIndex = kinds[k] == jo_auto ? tune->candidateCount : tune->autoIndex;
        Add( tune, &def, "%s", joBroadPhaseKindText( kinds[k] ) );
    }
    AddGrids( tune, def );
    AddTrees( tune, def );
}

static size_t AddLine( char* text, size_t capacity, size_t length, const char* format, ... )
    __attribute__( ( format( printf, 4, 5 ) ) );

static size_t AddLine( char* text, size_t capacity, size_t length, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    int added = length < capacity ? vsnprintf( text + length, capacity - length, format, arguments ) : 0;
    va_end( arguments );
    return length + (size_t)( added > 0 ? added : 0 );
}

void joFormatDef( const joBroadPhaseDef* def, char* text, size_t capacity )
{
    static const char* const kinds[jo_broadPhaseKindCount] = {
        "jo_bruteForce", "jo_sweep", "jo_grid", "jo_tree", "jo_bvh", "jo_auto" };
    const joBroadPhaseDef plain = joDefaultBroadPhaseDef();
    size_t length = AddLine( text, capacity, 0, "joBroadPhaseDef def = joDefaultBroadPhaseDef();\n" );
    if ( def->dimension != plain.dimension )
    {
        length = AddLine( text, capacity, length, "def.dimension = %d;\n", def->dimension );
    }
    length = AddLine( text, capacity, length, "def.kind = %s;\n", kinds[def->kind] );
    if ( def->cellSize != plain.cellSize )
    {
        char number[32];
        snprintf( number, sizeof( number ), "%.9g", (double)def->cellSize );
        length = AddLine( text, capacity, length, "def.cellSize = %s%sf;\n", number,
            strpbrk( number, ".e" ) == NULL ? ".0" : "" );
    }
    if ( def->levels != plain.levels )
    {
        length = AddLine( text, capacity, length, "def.levels = %u;\n", def->levels );
    }
    if ( def->maxDepth != plain.maxDepth )
    {
        length = AddLine( text, capacity, length, "def.maxDepth = %u;\n", def->maxDepth );
    }
    if ( def->leafCapacity != plain.leafCapacity )
    {
        length = AddLine( text, capacity, length, "def.leafCapacity = %u;\n", def->leafCapacity );
    }
    if ( def->looseness != plain.looseness )
    {
        AddLine( text, capacity, length, "def.looseness = %.1ff;\n", (double)def->looseness );
    }
}
