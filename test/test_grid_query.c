// SPDX-License-Identifier: MIT
// jo_grid: queries against brute force.
#include "support/query_rig.h"

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

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( everySceneIsAnsweredAsBruteForceDoes ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
