// SPDX-License-Identifier: MIT
// The cell filter: every table of kernels that this machine runs against its definition, and the filter as a
// whole: whatever meets the small set passes, and where there is room little else does.
#include "broad_phase/cell_filter.h"
#include "reference/reference_scene.h"
#include "support/broad_phase_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the kernel
// -----------------------------------------------------------------------------------------------

static float drawNumber( refRandom* random )
{
    switch ( refBelow( random, 12 ) )
    {
        case 0:
            return -0.0f;
        case 1:
            return 0x1p-149f * (float)( (int)refBelow( random, 5 ) - 2 );
        case 2:
            return (float)refRange( random, -3e38, 3e38 );
        default:
            return (float)( (int)refBelow( random, 33 ) - 16 ) * 0.5f;
    }
}

static void drawRecord( refRandom* random, joBoxRecord* record )
{
    for ( int k = 0; k < 3; ++k )
    {
        float a = drawNumber( random ), b = drawNumber( random );
        record->lower[k] = refChance( random, 0.05 ) ? -INFINITY : a < b ? a : b;
        record->upper[k] = refChance( random, 0.05 ) ? INFINITY : a < b ? b : a;
    }
    // As a float the key may be anything, not a number too.
    record->key = (uint32_t)refNext( random );
    record->flags = (uint32_t)refNext( random );
    if ( refChance( random, 0.1 ) )
        joMakeFreeRecord( record, record->key );
}

static joSieve drawSieve( refRandom* random, uint32_t* words, uint32_t wordBits, int axisCount )
{
    joSieve sieve = { .words = refChance( random, 0.2 ) ? NULL : words };
    uint32_t left = wordBits, shift = 0;
    for ( int k = 0; k < axisCount; ++k )
    {
        uint32_t bits = k + 1 == axisCount ? left : refBelow( random, left + 1 );
        float a = drawNumber( random ), b = drawNumber( random );
        sieve.lower[k] = refChance( random, 0.3 ) ? -INFINITY : a < b ? a : b;
        sieve.upper[k] = refChance( random, 0.3 ) ? INFINITY : a < b ? b : a;
        sieve.usual[k] = refChance( random, 0.1 ) ? INFINITY : fabsf( drawNumber( random ) );
        sieve.origin[k] = drawNumber( random );
        sieve.inverse[k] = refChance( random, 0.1 ) ? 0.0f : fabsf( drawNumber( random ) );
        sieve.mask[k] = ( 1u << bits ) - 1;
        sieve.shift[k] = shift;
        shift += bits;
        left -= bits;
    }
    for ( uint32_t w = 0; w < 1u << wordBits >> 5; ++w )
        words[w] = (uint32_t)refNext( random );
    return sieve;
}

static bool passes( const joSieve* sieve, const joBoxRecord* record, int axisCount )
{
    bool within = true, usual = true;
    uint32_t bit = 0;
    for ( int k = 0; k < axisCount; ++k )
    {
        within = within && record->lower[k] <= sieve->upper[k] && record->upper[k] >= sieve->lower[k];
        usual = usual && record->upper[k] - record->lower[k] <= sieve->usual[k];
        float cell = ( record->lower[k] - sieve->origin[k] ) * sieve->inverse[k];
        cell = !( cell > 0.0f ) ? 0.0f : cell > JO_SIEVE_LAST ? JO_SIEVE_LAST : cell;
        bit |= ( (uint32_t)cell & sieve->mask[k] ) << sieve->shift[k];
    }
    if ( sieve->words == NULL )
        return within;
    return within && ( !usual || ( sieve->words[bit / 32] >> bit % 32 & 1 ) );
}

static void everyTableSieves( void** state )
{
    (void)state;
    refRandom random = refMakeRandom( kitEnvironment( "JOSTLE_SEED", 77 ), 1 );
    static uint32_t words[1u << 10];
    uint32_t tables = 0;
    for ( int isa = 0; isa < jo_isaCount; ++isa )
    {
        const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
        if ( kernels == NULL )
            continue;
        tables += 1;
        for ( uint32_t run = 0; run < ( kitQuick() ? 300u : 3000u ); ++run )
        {
            const int axisCount = 2 + (int)( run % 2 );
            const uint32_t count = refBelow( &random, 70 );
            // Exactly as many as there are: a sanitizer sees a read beyond them.
            joBoxRecord* records = malloc( ( count + 1 ) * sizeof( joBoxRecord ) );
            uint32_t* out = malloc( ( count + JO_LANE_PADDING ) * sizeof( uint32_t ) );
            assert_true( records && out );
            for ( uint32_t i = 0; i < count; ++i )
                drawRecord( &random, records + i );
            records = realloc( records, count ? count * sizeof( joBoxRecord ) : 1 );
            const joSieve sieve = drawSieve( &random, words, 5 + refBelow( &random, 11 ), axisCount );
            const uint32_t begin = refBelow( &random, count + 1 );
            const uint32_t end = begin + refBelow( &random, count - begin + 1 );
            const float* floats = (const float*)(const void*)records;
            uint32_t found = kernels->sieve[axisCount - 2]( floats, begin, end, &sieve, out );
            uint32_t expected = 0;
            for ( uint32_t i = begin; i < end; ++i )
            {
                if ( !passes( &sieve, records + i, axisCount ) )
                    continue;
                if ( expected >= found || out[expected] != i )
                    fail_msg( "%s, run %u: record %u of [%u, %u) does not pass", joIsaText( (joIsa)isa ), run,
                        i, begin, end );
                expected += 1;
            }
            if ( found != expected )
                fail_msg( "%s, run %u: %u pass, not %u", joIsaText( (joIsa)isa ), run, found, expected );
            free( records );
            free( out );
        }
    }
    assert_true( tables > 0 );
}

// --- the filter
// -----------------------------------------------------------------------------------------------

typedef struct Rig
{
    joMemory memory;
    joCellFilter filter;
    joObjectSet small, large;
    uint32_t* out;
} Rig;

static void openRig( Rig* rig, int axisCount, uint32_t smallCount, uint32_t largeCount )
{
    memset( rig, 0, sizeof *rig );
    joAllocator allocator = kitAllocator( &kitDefaultHeap );
    kitRequire( joMemory_Init( &rig->memory, &allocator ), "joMemory_Init" );
    joCellFilter_Init( &rig->filter, joGetKernels( NULL ), (uint32_t)axisCount );
    joObjectSet_Init( &rig->small, &rig->memory );
    joObjectSet_Init( &rig->large, &rig->memory );
    kitRequire( joObjectSet_Reserve( &rig->small, smallCount, false, false ), "Reserve" );
    kitRequire( joObjectSet_Reserve( &rig->large, largeCount, false, false ), "Reserve" );
    rig->out = malloc( ( largeCount + JO_LANE_PADDING ) * sizeof( uint32_t ) );
    assert_non_null( rig->out );
}

static void closeRig( Rig* rig )
{
    joCellFilter_Free( &rig->filter, &rig->memory );
    joObjectSet_Free( &rig->small );
    joObjectSet_Free( &rig->large );
    joMemory_Destroy( &rig->memory );
    free( rig->out );
}

static void insertDrawn( joObjectSet* set, const refSceneDef* draw, refRandom* random )
{
    refObject object = { .key = 0 };
    refDrawShape( draw, random, &object );
    joObject inserted = { .record = { .flags = jo_moving }, .round = { .radius = -1.0f } };
    for ( int k = 0; k < draw->axisCount; ++k )
    {
        inserted.record.lower[k] = (float)object.lower[k];
        inserted.record.upper[k] = (float)object.upper[k];
    }
    joObjectSet_Insert( set, &inserted );
}

static bool overlaps( const joBoxRecord* a, const joBoxRecord* b, int axisCount )
{
    for ( int k = 0; k < axisCount; ++k )
    {
        if ( a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k] )
            return false;
    }
    return true;
}

static void requireNoneLost( const Rig* rig, uint32_t passed, int axisCount, const char* what )
{
    uint32_t at = 0;
    for ( uint32_t i = 0; i < rig->large.count; ++i )
    {
        const joBoxRecord* record = joObjectSet_Records( &rig->large ) + i;
        bool has = at < passed && rig->out[at] == i;
        at += has ? 1 : 0;
        if ( has && ( record->flags & JO_FLAG_FREE ) != 0 )
            fail_msg( "%s: free slot %u passes", what, i );
        for ( uint32_t k = 0; k < rig->small.count && !has; ++k )
        {
            const joBoxRecord* other = joObjectSet_Records( &rig->small ) + k;
            if ( ( record->flags & JO_FLAG_FREE ) == 0 && overlaps( record, other, axisCount ) )
                fail_msg( "%s: slot %u meets box %u, and does not pass", what, i, k );
        }
    }
    assert_int_equal( at, passed );
}

static void nothingThatMeetsTheSmallSetIsLost( void** state )
{
    (void)state;
    const uint64_t seed = kitEnvironment( "JOSTLE_SEED", 20260303 );
    for ( uint32_t index = 0; index < ( kitQuick() ? 300u : 3000u ); ++index )
    {
        refRandom random = refMakeRandom( seed, index );
        const uint32_t smallCount = 1 + refBelow( &random, 40 );
        const uint32_t largeCount = 1 + refBelow( &random, 400 );
        refSceneDef draw = { .distribution = (refDistribution)( index % ref_distributionCount ),
            .axisCount = refChance( &random, 0.5 ) ? 2 : 3,
            .count = smallCount + largeCount,
            .cellSize = 1.0,
            .neighbours = 1.0 };
        refPrepareScene( &draw, &random );
        Rig rig;
        openRig( &rig, draw.axisCount, smallCount, largeCount );
        for ( uint32_t i = 0; i < smallCount; ++i )
            insertDrawn( &rig.small, &draw, &random );
        for ( uint32_t i = 0; i < largeCount; ++i )
            insertDrawn( &rig.large, &draw, &random );
        for ( uint32_t i = 0; i < largeCount; i += 7 )
            joObjectSet_Remove( &rig.large, i );
        char what[120];
        snprintf( what, sizeof what, "%s, JOSTLE_SEED=%llu, scene %u",
            refDistributionText( draw.distribution ), (unsigned long long)seed, index );
        for ( int withCells = 0; withCells < 2; ++withCells )
        {
            kitRequire( joCellFilter_Make( &rig.filter, &rig.memory, &rig.small, &rig.large, 1, withCells ),
                "joCellFilter_Make" );
            uint32_t passed = joCellFilter_Sift( &rig.filter, &rig.large, NULL, 0, rig.large.count, rig.out );
            requireNoneLost( &rig, passed, draw.axisCount, what );
            // Slot by slot it says the same.
            uint32_t* again = malloc( ( largeCount + JO_LANE_PADDING ) * sizeof( uint32_t ) );
            uint32_t* slots = malloc( largeCount * sizeof( uint32_t ) );
            assert_true( again && slots );
            for ( uint32_t i = 0; i < largeCount; ++i )
                slots[i] = i;
            assert_int_equal(
                joCellFilter_Sift( &rig.filter, &rig.large, slots, 0, rig.large.count, again ), passed );
            assert_memory_equal( again, rig.out, passed * sizeof( uint32_t ) );
            free( again );
            free( slots );
        }
        closeRig( &rig );
    }
}

// Where the small set fills little of the world, little passes: else the filter would be right and of no use.
static void mostOfWhatIsElsewhereIsSiftedOut( void** state )
{
    (void)state;
    const struct
    {
        int axisCount;
        double side, offset;
    } cases[] = { { 2, 1000.0, 0.0 }, { 2, 1000.0, -3e5 }, { 3, 100.0, 0.0 }, { 3, 1e6, 1e7 } };
    for ( uint32_t k = 0; k < 4; ++k )
    {
        Rig rig;
        openRig( &rig, cases[k].axisCount, 500, 20000 );
        refRandom random = refMakeRandom( 5, k );
        const double size = cases[k].side / 1000.0;
        for ( uint32_t i = 0; i < 20500; ++i )
        {
            joObject object = { .record = { .flags = jo_moving }, .round = { .radius = -1.0f } };
            // One in twenty is several times as long on one axis.
            double stretch = i % 20 == 0 ? 5.0 : 1.0;
            for ( int axis = 0; axis < cases[k].axisCount; ++axis )
            {
                double x = cases[k].offset + refRange( &random, 0.0, cases[k].side );
                object.record.lower[axis] = (float)x;
                object.record.upper[axis] = (float)( x + size * ( axis == 1 ? stretch : 1.0 ) );
            }
            joObjectSet_Insert( i < 500 ? &rig.small : &rig.large, &object );
        }
        kitRequire( joCellFilter_Make( &rig.filter, &rig.memory, &rig.small, &rig.large, 1, true ),
            "joCellFilter_Make" );
        uint32_t passed = joCellFilter_Sift( &rig.filter, &rig.large, NULL, 0, 20000, rig.out );
        requireNoneLost( &rig, passed, cases[k].axisCount, "elsewhere" );
        if ( passed > 20000 / 30 )
            fail_msg( "case %u: %u of 20,000 pass", k, passed );
        closeRig( &rig );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( everyTableSieves ),
        cmocka_unit_test( nothingThatMeetsTheSmallSetIsLost ),
        cmocka_unit_test( mostOfWhatIsElsewhereIsSiftedOut ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
