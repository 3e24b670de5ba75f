// SPDX-License-Identifier: MIT
// jo_grid: queries against brute force, and how much of the grid they read.
#include "broad_phase/front.h"
#include "broad_phase/grid.h"
#include "support/query_rig.h"

#include <math.h>
#include <stdlib.h>

typedef struct Shape
{
    const char* name;
    float cellSize;
    uint32_t levels;
} Shape;

static const Shape s_shapes[] = {
    { "derived", 0.0f, 0 },
    { "one table, derived cells", 0.0f, 1 },
    { "cells of 1", 1.0f, 0 },
    { "one table, cells of 1", 1.0f, 1 },
    { "cells of 0.01", 0.01f, 3 },
};

static joBroadPhaseDef defOf( const Shape* shape, int dimension )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_grid;
    def.dimension = dimension;
    def.cellSize = shape->cellSize;
    def.levels = shape->levels;
    return def;
}

static void everySceneIsAnsweredAsBruteForceDoes( void** state )
{
    (void)state;
    const uint64_t seed = kitEnvironment( "JOSTLE_SEED", 1 );
    const uint32_t queryCount = kitQuick() ? 60 : 240;
    static const uint32_t counts[] = { 1, 20, 333, 2000 };
    print_message( "seed %llu (JOSTLE_SEED)\n", (unsigned long long)seed );
    for ( int distribution = 0; distribution < ref_distributionCount; ++distribution )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
        {
            refRandom random = refMakeRandom( seed, (uint64_t)( 2 * distribution + dimension ) );
            for ( size_t s = 0; s < sizeof( s_shapes ) / sizeof( s_shapes[0] ); ++s )
            {
                const joBroadPhaseDef def = defOf( s_shapes + s, dimension );
                const refSceneDef scene = { .distribution = (refDistribution)distribution,
                    .axisCount = dimension,
                    .count = counts[refBelow( &random, 4 )],
                    .cellSize = 1.0,
                    .roundShare = refChance( &random, 0.5 ) ? 0.3 : 0.0,
                    .neighbours = 4.0 };
                queryCheckScene( &def, &scene, queryCount, &random, s_shapes[s].name );
            }
        }
    }
}

// Dealt in several parts, each with chunks of its own.
static void sceneThatWasDealtByThreeWorkers( void** state )
{
    (void)state;
    refRandom random = refMakeRandom( kitEnvironment( "JOSTLE_SEED", 1 ), 99 );
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        joBroadPhaseDef def = defOf( s_shapes, dimension );
        def.jobs = kitJobs( 3 );
        const refSceneDef scene = { .distribution = ref_mixedSizes,
            .axisCount = dimension,
            .count = 14000,
            .cellSize = 1.0,
            .neighbours = 2.0 };
        queryCheckScene( &def, &scene, kitQuick() ? 40 : 160, &random, "three workers" );
    }
}

// The cell of a coordinate is that of a rounded product: what lies below a border may have the cell above it.
// A neighbour in the cell below is as near as it is.
static void theNearestIsFoundAcrossABorderThatRoundingMoved( void** state )
{
    (void)state;
    enum
    {
        count = 200
    };
    refObject objects[count];
    for ( uint32_t i = 0; i < count; ++i )
    {
        // Far apart on x, so that rows are cut on y.
        const double border = (double)(float)( ( 1000000 + i ) / 10.0 );
        objects[i] = kitBox2( i, 1000.0 * i, border, 1000.0 * i, border );
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2;
    def.cellSize = 0.1f;
    joBroadPhase* broadPhase = kitCreate( &def );
    kitRequire( kitSet( broadPhase, 2, objects, count ), "set" );
    kitRequire( joBroadPhase_Update( broadPhase ), "Update" );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float place = (float)objects[i].lower[1];
        for ( int steps = -3; steps <= 3; ++steps )
        {
            const float point[3] = { 1000.0f * (float)i, place + (float)steps * 0x1p-7f, 0.0f };
            const float distance = fabsf( point[1] - place );
            joHit hit;
            uint64_t found;
            kitRequire( joBroadPhase_FindNearest( broadPhase, point, 1, distance, NULL, &hit, 1, &found ),
                "FindNearest" );
            assert_int_equal( found, 1 );
            assert_int_equal( hit.key, i );
        }
    }
    joDestroyBroadPhase( broadPhase );
}

// ---- how much is read ----

#define UNIFORM_COUNT 20000u

static _Thread_local uint64_t s_readCount;
static const joKernels* s_kernels;

static uint32_t countOverlaps(
    const joBoxColumns* columns, uint32_t begin, uint32_t end, const float box[6], uint32_t* out )
{
    s_readCount += end - begin;
    return s_kernels->overlapRange[1]( columns, begin, end, box, out );
}

static uint32_t countRays( const joBoxColumns* columns, uint32_t begin, uint32_t end, const joRayLanes* ray,
    float limit, uint32_t* out, float* distances )
{
    s_readCount += end - begin;
    return s_kernels->rayRange[1]( columns, begin, end, ray, limit, out, distances );
}

static uint32_t countPoints( const joBoxColumns* columns, uint32_t begin, uint32_t end, const float point[3],
    float limitSq, uint32_t* out, float* distancesSq )
{
    s_readCount += end - begin;
    return s_kernels->pointRange[1]( columns, begin, end, point, limitSq, out, distancesSq );
}

// A grid in 3D whose kernels count what they read.
typedef struct CountingGrid
{
    joKernels kernels;
    joBroadPhase* broadPhase;
} CountingGrid;

// Unit cubes with centres in [offset, offset + side].
static void makeCountingGrid(
    CountingGrid* counting, float cellSize, double offset, double side, bool isUpdated )
{
    s_kernels = joGetKernels( NULL );
    counting->kernels = *s_kernels;
    counting->kernels.overlapRange[1] = countOverlaps;
    counting->kernels.rayRange[1] = countRays;
    counting->kernels.pointRange[1] = countPoints;
    refRandom random = refMakeRandom( 7, 7 );
    refObject* objects = calloc( UNIFORM_COUNT, sizeof( *objects ) );
    assert_non_null( objects );
    for ( uint32_t i = 0; i < UNIFORM_COUNT; ++i )
    {
        double lower[3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            lower[axis] = refFloat( offset + refUnit( &random ) * side - 0.5 );
        }
        objects[i] =
            kitBox3( i, lower[0], lower[1], lower[2], lower[0] + 1.0, lower[1] + 1.0, lower[2] + 1.0 );
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_grid;
    def.cellSize = cellSize;
    counting->broadPhase = kitCreate( &def );
    counting->broadPhase->context.kernels = &counting->kernels;
    kitRequire( kitSet( counting->broadPhase, 3, objects, UNIFORM_COUNT ), "set" );
    uint64_t pairCount;
    kitRequire( isUpdated ? joBroadPhase_Update( counting->broadPhase )
                          : joBroadPhase_CountPairs( counting->broadPhase, &pairCount ),
        "Update" );
    free( objects );
}

static uint64_t readByBox( const CountingGrid* counting, float lower, float upper )
{
    const float low[3] = { lower, lower, lower };
    const float high[3] = { upper, upper, upper };
    uint64_t count;
    s_readCount = 0;
    kitRequire(
        joBroadPhase_OverlapBox( counting->broadPhase, low, high, NULL, NULL, 0, &count ), "Overlap" );
    return s_readCount;
}

static uint64_t readByRay( const CountingGrid* counting, joRay ray )
{
    uint64_t count;
    s_readCount = 0;
    kitRequire( joBroadPhase_CastRayAll( counting->broadPhase, &ray, NULL, NULL, 0, &count ), "CastRayAll" );
    return s_readCount;
}

static uint64_t readByPoint( const CountingGrid* counting, float place, uint32_t k )
{
    const float point[3] = { place, place, place };
    joHit hits[8];
    uint64_t count;
    s_readCount = 0;
    kitRequire( joBroadPhase_FindNearest( counting->broadPhase, point, k, INFINITY, NULL, hits, 8, &count ),
        "FindNearest" );
    return s_readCount;
}

// The entries of all rows.
static uint64_t countEntries( const CountingGrid* counting )
{
    const joGrid* grid = counting->broadPhase->structures[JO_SET_MOVING];
    return joGrid_RowStarts( grid )[grid->rowCount];
}

static void smallQueriesReadLittle( void** state )
{
    (void)state;
    CountingGrid counting;
    makeCountingGrid( &counting, 0.0f, -17.0, 34.0, true );
    for ( float place = -15.0f; place < 15.0f; place += 1.37f )
    {
        assert_in_range( readByBox( &counting, place, place + 0.5f ), 1, UNIFORM_COUNT / 40 );
        const joRay ray = { { place, -place, 3.0f }, { 0.3f, -0.7f, 0.5f }, 2.0f };
        assert_in_range( readByRay( &counting, ray ), 1, UNIFORM_COUNT / 40 );
        const joRay across = {
            { -1000.0f, place - 20.0f, 30.0f - place }, { 1.0f, 0.02f, -0.03f }, INFINITY };
        assert_in_range( readByRay( &counting, across ), 1, UNIFORM_COUNT / 8 );
        assert_in_range( readByPoint( &counting, place, 1 ), 1, UNIFORM_COUNT / 20 );
    }
    const joRay aside = { { -1000.0f, 40.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, INFINITY };
    assert_int_equal( readByRay( &counting, aside ), 0 );
    assert_int_equal( readByBox( &counting, 40.0f, 1e9f ), 0 );
    joDestroyBroadPhase( counting.broadPhase );
}

// Cells that no one could count, in as many rows as the table has.
static void hugeQueriesReadNoMoreThanAll( void** state )
{
    (void)state;
    for ( int isUpdated = 0; isUpdated <= 1; ++isUpdated )
    {
        CountingGrid counting;
        makeCountingGrid( &counting, 1.0f, -1e9, 2e9, isUpdated != 0 );
        const uint64_t all = countEntries( &counting );
        assert_in_range( readByBox( &counting, -INFINITY, INFINITY ), UNIFORM_COUNT, all );
        assert_in_range( readByBox( &counting, -1e38f, 1e30f ), UNIFORM_COUNT, all );
        for ( int axis = 0; axis < 3; ++axis )
        {
            joRay ray = { { -1e12f, -1e12f, -1e12f }, { 1.0f, 1.0f, 1.0f }, INFINITY };
            assert_in_range( readByRay( &counting, ray ), 0, 4 * all );
            ray.direction[axis] = -1.0f;
            ray.origin[axis] = 1e12f;
            assert_in_range( readByRay( &counting, ray ), 0, 4 * all );
            ray.direction[axis] = 1e-20f;
            ray.origin[axis] = 1.0f;
            assert_in_range( readByRay( &counting, ray ), 0, 4 * all );
        }
        assert_in_range( readByPoint( &counting, 1e20f, 8 ), 8, 4 * all );
        assert_in_range( readByPoint( &counting, -1e9f, UINT32_MAX ), UNIFORM_COUNT, 4 * all );
        joDestroyBroadPhase( counting.broadPhase );
    }
}

// ---- sorted rows ----

static void rowsSortedForQueriesGiveTheSamePairs( void** state )
{
    (void)state;
    refRandom random = refMakeRandom( kitEnvironment( "JOSTLE_SEED", 1 ), 5 );
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.dimension = dimension;
        joBroadPhase* broadPhase = kitCreate( &def );
        refSceneDef scene = {
            .distribution = ref_mixedSizes, .axisCount = dimension, .count = 700, .neighbours = 4.0 };
        refPrepareScene( &scene, &random );
        static refObject objects[700];
        for ( uint32_t i = 0; i < scene.count; ++i )
        {
            objects[i] = ( refObject ){
                .key = i, .layer = UINT64_MAX, .mask = UINT64_MAX, .motion = (refMotion)( i % 3 ) };
            refDrawShape( &scene, &random, objects + i );
            kitRequire( kitAdd( broadPhase, dimension, (joMotion)( i % 3 ), objects + i, 1 ), "add" );
        }
        kitRequire( joBroadPhase_Update( broadPhase ), "Update" );
        kitCheck( broadPhase, dimension, objects, scene.count, "sorted rows" );
        joDestroyBroadPhase( broadPhase );
    }
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( everySceneIsAnsweredAsBruteForceDoes ),
        cmocka_unit_test( sceneThatWasDealtByThreeWorkers ),
        cmocka_unit_test( theNearestIsFoundAcrossABorderThatRoundingMoved ),
        cmocka_unit_test( smallQueriesReadLittle ),
        cmocka_unit_test( hugeQueriesReadNoMoreThanAll ),
        cmocka_unit_test( rowsSortedForQueriesGiveTheSamePairs ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
