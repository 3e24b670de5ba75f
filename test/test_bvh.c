// SPDX-License-Identifier: MIT
// jo_bvh by its own table: sequences of edits against every pair tried, and the invariants after each step.
#include "support/bvh_rig.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void editAtRandom( bvhRig* rig, int which, int style )
{
    uint32_t live = rig->sets[which].liveCount;
    float corner[3] = { bvhDraw( rig, -14.0, 6.0 ), bvhDraw( rig, -14.0, 6.0 ), bvhDraw( rig, -14.0, 6.0 ) };
    switch ( refBelow( &rig->random, 8 ) )
    {
        case 0:
            for ( uint32_t n = refBelow( &rig->random, 1 + live / 8 ) + 1; n > 0; --n )
            {
                bvhAddBox( rig, which, bvhDrawBox( rig, style ) );
            }
            break;
        case 1:
            bvhRemoveSome( rig, which, 0.1 );
            break;
        case 2:
            bvhMoveSome( rig, which, 0.1, 0.3f, style );
            break;
        case 3:
            bvhMoveSome( rig, which, 1.0, 0.1f, style );
            break;
        case 4:
            // Everything is said to have changed, and a little of the membership has.
            bvhRemoveSome( rig, which, 0.05 );
            bvhMoveSome( rig, which, 1.0, 0.02f, style );
            bvhAddBox( rig, which, bvhDrawBox( rig, style ) );
            rig->sets[which].allChanged = true;
            break;
        case 5:
            for ( uint32_t n = refBelow( &rig->random, 120 ); n > 0; --n )
            {
                bvhAddBox( rig, which, bvhDrawBox( rig, style ) );
            }
            bvhRemoveSome( rig, which, 0.2 );
            break;
        case 6:
            bvhRemoveRegion( rig, which, corner, 9.0f );
            break;
        default:
            if ( refChance( &rig->random, 0.1 ) )
            {
                bvhRemoveSome( rig, which, 1.0 );
            }
            break;
    }
}

static void runSequences( joJobs* jobs, uint64_t seeds, int steps )
{
    for ( uint64_t seed = 1; seed <= seeds; ++seed )
    {
        bvhRig rig;
        bvhStartRig( &rig, 2 + seed % 2, jobs, seed );
        int style = (int)( seed / 2 % bvh_styleCount );
        for ( uint32_t n = refBelow( &rig.random, 260 ); n > 0; --n )
        {
            bvhAddBox( &rig, 0, bvhDrawBox( &rig, style ) );
        }
        for ( int step = 0; step < steps; ++step )
        {
            bvhBuild( &rig, 0 );
            bvhBuild( &rig, 1 );
            bvhCheckPairs( &rig );
            editAtRandom( &rig, 0, style );
            if ( refChance( &rig.random, 0.3 ) )
            {
                editAtRandom( &rig, 1, style );
            }
        }
        bvhEndRig( &rig );
    }
}

static void any_sequence_of_edits_gives_the_pairs_of_every_pair_tried( void** state )
{
    (void)state;
    runSequences( NULL, 60, 40 );
}

static void several_workers_give_the_same_pairs( void** state )
{
    (void)state;
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = 3;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    runSequences( jobs, 10, 12 );
    joDestroyJobs( jobs );
}

// Twenty thousand boxes are three tasks and more.
static void several_workers_build_the_same_tree( void** state )
{
    (void)state;
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = 3;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    bvhRig one, three;
    bvhStartRig( &one, 3, NULL, 5 );
    bvhStartRig( &three, 3, jobs, 5 );
    for ( uint32_t i = 0; i < 20000; ++i )
    {
        float half = i % 100 == 0 ? 30.0f : 0.5f;
        float center[3] = {
            bvhDraw( &one, 0.0, 34.0 ), bvhDraw( &one, 0.0, 34.0 ), bvhDraw( &one, 0.0, 34.0 ) };
        bvhAddBox( &one, 0, bvhMakeCube( &one, center[0], center[1], center[2], half ) );
        bvhAddBox( &three, 0, bvhMakeCube( &three, center[0], center[1], center[2], half ) );
    }
    bvhBuild( &one, 0 );
    bvhBuild( &three, 0 );
    assert_int_equal( one.trees[0].nodeCount, three.trees[0].nodeCount );
    assert_int_equal( one.trees[0].leafCount, three.trees[0].leafCount );
    assert_memory_equal(
        one.trees[0].nodes.data, three.trees[0].nodes.data, one.trees[0].nodeCount * sizeof( joBvhNode ) );
    for ( uint32_t i = 0; i < one.trees[0].leafCount; ++i )
    {
        const joBvhLeaf* a = joBvh_Leaves( &one.trees[0] ) + i;
        const joBvhLeaf* b = joBvh_Leaves( &three.trees[0] ) + i;
        assert_int_equal( a->count, b->count );
        assert_memory_equal( a->index, b->index, a->count * sizeof( uint32_t ) );
    }
    bvhEndRig( &one );
    bvhEndRig( &three );
    joDestroyJobs( jobs );
}

static void case_1_half_spaces_and_a_box_meet( void** state )
{
    (void)state;
    for ( uint32_t axisCount = 2; axisCount <= 3; ++axisCount )
    {
        bvhRig rig;
        bvhStartRig( &rig, axisCount, NULL, 1 );
        bvhAddBox( &rig, 0, bvhMakeCube( &rig, 0.0f, 0.0f, 0.0f, 1.0f ) );
        for ( uint32_t i = 0; i < 100; ++i )
        {
            joObject object = bvhMakeCube( &rig, 0.0f, 0.0f, 0.0f, 0.0f );
            for ( uint32_t k = 0; k < axisCount; ++k )
            {
                object.record.lower[k] = -INFINITY;
                object.record.upper[k] = INFINITY;
            }
            object.record.upper[i % axisCount] = bvhDraw( &rig, -2.0, 2.0 );
            bvhAddBox( &rig, (int)( i % 2 ), object );
            bvhBuild( &rig, 0 );
            bvhBuild( &rig, 1 );
            bvhCheckPairs( &rig );
        }
        rig.sets[0].allChanged = rig.sets[1].allChanged = true;
        rig.trees[0].root = rig.trees[1].root = JO_NULL_INDEX; // in bulk, too
        bvhBuild( &rig, 0 );
        bvhBuild( &rig, 1 );
        bvhCheckPairs( &rig );
        bvhEndRig( &rig );
    }
}

static void case_2_a_large_box_sweeps_over_many_small_ones( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 2 );
    for ( uint32_t i = 0; i < 600; ++i )
    {
        bvhAddBox( &rig, 0,
            bvhMakeCube(
                &rig, bvhDraw( &rig, -20, 20 ), bvhDraw( &rig, -20, 20 ), bvhDraw( &rig, -20, 20 ), 0.5f ) );
    }
    uint32_t large = bvhAddBox( &rig, 0, bvhMakeCube( &rig, -30.0f, 0.0f, 0.0f, 10.0f ) );
    for ( int step = 0; step < 60; ++step )
    {
        bvhMoveBox( &rig, 0, large, bvhMakeCube( &rig, (float)step - 30.0f, 0.0f, 0.0f, 10.0f ) );
        bvhBuild( &rig, 0 );
        bvhCheckPairs( &rig );
    }
    bvhEndRig( &rig );
}

static void case_5_bounds_follow_when_each_box_lies_outside_all_before( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 1 );
    float reach = 1.0f;
    for ( uint32_t i = 0; i < 200; ++i, reach *= 1.2f )
    {
        float x = i % 2 == 0 ? reach : -reach;
        bvhAddBox( &rig, 0, bvhMakeCube( &rig, x, i % 3 == 0 ? reach : 0.0f, -x, reach * 0.4f ) );
        bvhBuild( &rig, 0 );
        bvhCheckPairs( &rig );
    }
    bvhEndRig( &rig );
}

static void case_6_ten_thousand_boxes_one_by_one_lose_no_pair( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 6 );
    for ( uint32_t i = 0; i < 10000; ++i )
    {
        bvhAddBox( &rig, 0,
            bvhMakeCube(
                &rig, bvhDraw( &rig, 0, 27 ), bvhDraw( &rig, 0, 27 ), bvhDraw( &rig, 0, 27 ), 0.5f ) );
        joBoxSet view = joObjectSet_View( &rig.sets[0] );
        assert_int_equal( joBvhKind.build( &rig.trees[0], &view ), jo_success );
        joObjectSet_ForgetChanges( &rig.sets[0] );
    }
    bvhBuild( &rig, 0 );
    assert_in_range( rig.trees[0].depth, 1, 8 );
    bvhCheckPairs( &rig );
    bvhEndRig( &rig );
}

static void case_6_sorted_squares_over_500_metres_stay_shallow( void** state )
{
    (void)state;
    for ( int oneByOne = 0; oneByOne < 2; ++oneByOne )
    {
        bvhRig rig;
        bvhStartRig( &rig, 2, NULL, 6 );
        for ( uint32_t i = 0; i < 300; ++i )
        {
            bvhAddBox( &rig, 0, bvhMakeCube( &rig, (float)i * ( 500.0f / 300.0f ), 0.0f, 0.0f, 1.0f ) );
            if ( oneByOne )
            {
                bvhBuild( &rig, 0 );
            }
        }
        bvhBuild( &rig, 0 );
        assert_in_range( rig.trees[0].depth, 2, 4 );
        bvhCheckPairs( &rig );
        bvhEndRig( &rig );
    }
}

static void case_7_free_slots_stay_out( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 7 );
    joObject everything = bvhMakeCube( &rig, 0.0f, 0.0f, 0.0f, 0.0f );
    for ( int k = 0; k < 3; ++k )
    {
        everything.record.lower[k] = -INFINITY;
        everything.record.upper[k] = INFINITY;
    }
    for ( uint32_t i = 0; i < 400; ++i )
    {
        bvhAddBox(
            &rig, (int)( i % 2 ), i < 4 ? everything : bvhMakeCube( &rig, (float)i, 0.0f, 0.0f, 0.25f ) );
    }
    bvhBuild( &rig, 0 );
    bvhBuild( &rig, 1 );
    bvhCheckPairs( &rig );
    for ( uint32_t keep = 50; keep > 0; keep /= 2 )
    {
        for ( uint32_t i = keep; i < 200; ++i )
        {
            for ( int which = 0; which < 2; ++which )
            {
                if ( bvhIsLive( &rig, which, i ) )
                {
                    joObjectSet_Remove( &rig.sets[which], i );
                }
            }
        }
        rig.sets[1].allChanged = true;
        bvhBuild( &rig, 0 );
        bvhBuild( &rig, 1 );
        bvhCheckPairs( &rig );
        assert_true( joBvh_GetGrowth( &rig.trees[0] ) >= 0.0 );
    }
    bvhEndRig( &rig );
}

static void case_10_a_box_that_falls_forever( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 10 );
    for ( uint32_t i = 0; i < 100; ++i )
    {
        bvhAddBox( &rig, 0,
            bvhMakeCube( &rig, bvhDraw( &rig, 0, 8 ), bvhDraw( &rig, 0, 8 ), bvhDraw( &rig, 0, 8 ), 0.5f ) );
    }
    float y = -1.0f;
    for ( int step = 0; step < 140; ++step )
    {
        y = y > -FLT_MAX / 4.0f ? y * 2.0f : y;
        bvhMoveBox( &rig, 0, 17, bvhMakeCube( &rig, 4.0f, y, 4.0f, 0.5f ) );
        bvhMoveBox( &rig, 0, 18, bvhMakeCube( &rig, -y, y, y, -y ) );
        bvhBuild( &rig, 0 );
        bvhCheckPairs( &rig );
    }
    joObject gone = bvhMakeCube( &rig, 0.0f, 0.0f, 0.0f, 1.0f );
    gone.record.lower[1] = -INFINITY;
    gone.record.upper[1] = -FLT_MAX;
    bvhMoveBox( &rig, 0, 17, gone );
    bvhBuild( &rig, 0 );
    bvhCheckPairs( &rig );
    bvhEndRig( &rig );
}

static void case_11_one_box_as_large_as_floats_go( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 11 );
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        bvhAddBox( &rig, 0,
            i == 700 ? bvhMakeCube( &rig, 0.0f, 0.0f, 0.0f, FLT_MAX )
                     : bvhMakeCube( &rig, bvhDraw( &rig, 0, 16 ), bvhDraw( &rig, 0, 16 ),
                           bvhDraw( &rig, 0, 16 ), 0.5f ) );
    }
    bvhBuild( &rig, 0 );
    bvhCheckPairs( &rig );
    // The large box costs its own 2000 tests and the root's; it does not spoil the others'.
    assert_in_range( rig.collector.candidatesTested, 2000, 2000 * 60 );
    bvhEndRig( &rig );
}

static void case_18_equal_boxes_split_by_count( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 2, NULL, 18 );
    for ( uint32_t i = 0; i < 3000; ++i )
    {
        bvhAddBox( &rig, 0, bvhMakeCube( &rig, 7.0f, -3.0f, 0.0f, 0.0f ) );
    }
    bvhBuild( &rig, 0 );
    assert_in_range( rig.trees[0].depth, 3, 3 );
    assert_int_equal( bvhFindPairs( &rig, true ), UINT64_C( 3000 ) * 2999 / 2 );
    for ( uint32_t i = 0; i < 600; ++i )
    {
        bvhAddBox( &rig, 1, bvhMakeCube( &rig, 7.0f, -3.0f, 0.0f, 0.0f ) );
        bvhBuild( &rig, 1 );
    }
    assert_int_equal( bvhFindPairs( &rig, true ), UINT64_C( 3000 ) * 2999 / 2 + 3000 * 600 );
    bvhEndRig( &rig );
}

static void case_13_steady_create_and_delete_takes_no_more_memory( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 13 );
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        bvhAddBox( &rig, 0, bvhDrawBox( &rig, bvh_uniform ) );
    }
    assert_int_equal( joBvhKind.reserve( &rig.trees[0], 1000 ), jo_success );
    bvhBuild( &rig, 0 );
    bvhFindPairs( &rig, true );
    rig.memory.fixed = true;
    for ( uint32_t step = 0; step < 1500; ++step )
    {
        for ( uint32_t n = 0; n < 20; ++n )
        {
            joObjectSet_Remove( &rig.sets[0], ( step * 20 + n ) % 1000 );
        }
        for ( uint32_t n = 0; n < 20; ++n )
        {
            bvhAddBox( &rig, 0, bvhDrawBox( &rig, step % 3 == 0 ? bvh_mixedSizes : bvh_uniform ) );
        }
        joBoxSet view = joObjectSet_View( &rig.sets[0] );
        assert_int_equal( joBvhKind.build( &rig.trees[0], &view ), jo_success );
        joObjectSet_ForgetChanges( &rig.sets[0] );
    }
    bvhBuild( &rig, 0 );
    bvhEndRig( &rig );
}

static void whole_leaves_and_nodes_go_and_come_back( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 20 );
    for ( uint32_t i = 0; i < 3000; ++i )
    {
        bvhAddBox( &rig, 0, bvhDrawBox( &rig, bvh_uniform ) );
    }
    bvhBuild( &rig, 0 );
    for ( int round = 0; round < 12; ++round )
    {
        uint32_t nodeCount = rig.trees[0].nodeCount, leafEnd = rig.trees[0].leafEnd;
        float corner[3] = { round % 2 == 0 ? -12.0f : -2.0f, -12.0f, round % 4 < 2 ? -12.0f : -2.0f };
        uint32_t gone = bvhRemoveRegion( &rig, 0, corner, 13.0f );
        assert_in_range( gone, 300, 3000 / 4 );
        bvhBuild( &rig, 0 );
        assert_true( rig.trees[0].leafCount < leafEnd );
        assert_true( round > 0 || rig.trees[0].nodeCount < nodeCount );
        bvhCheckPairs( &rig );
        for ( uint32_t i = 0; i < gone; ++i )
        {
            float center[3] = { corner[0], corner[1], corner[2] }, half[3] = { 0.5f, 0.4f, 0.3f };
            for ( int k = 0; k < 3; ++k )
            {
                center[k] += bvhDraw( &rig, 0.0, 13.0 );
            }
            bvhAddBox( &rig, 0, bvhMakeBox( &rig, center, half ) );
        }
        bvhBuild( &rig, 0 );
        bvhCheckPairs( &rig );
    }
    joBroadPhaseStats stats = { .depth = 1 };
    joBvhKind.addStats( &rig.trees[0], &stats );
    assert_int_equal( stats.cells, rig.trees[0].nodeCount + rig.trees[0].leafCount );
    assert_in_range( stats.depth, 3, 5 );
    bvhEndRig( &rig );
}

static void frames_in_steady_state_allocate_nothing( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 14 );
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        bvhAddBox( &rig, 0, bvhDrawBox( &rig, bvh_uniform ) );
    }
    bvhBuild( &rig, 0 );
    bvhFindPairs( &rig, true );
    uint64_t before = rig.heap.allocations;
    for ( int frame = 0; frame < 40; ++frame )
    {
        bvhMoveSome( &rig, 0, 1.0, 0.2f, bvh_uniform );
        bvhBuild( &rig, 0 );
        bvhFindPairs( &rig, true );
    }
    assert_int_equal( rig.heap.allocations, before );
    bvhEndRig( &rig );
}

static void every_allocation_that_fails_leaves_an_empty_or_a_whole_tree( void** state )
{
    (void)state;
    bool failed = true;
    for ( uint64_t k = 1; failed; ++k )
    {
        bvhRig rig;
        bvhStartRig( &rig, 3, NULL, 15 );
        failed = false;
        uint64_t before = 0; // allocations of builds
        for ( uint32_t i = 0; i < 300; ++i )
        {
            bvhAddBox( &rig, 0, bvhDrawBox( &rig, bvh_uniform ) );
            joBoxSet view = joObjectSet_View( &rig.sets[0] );
            uint64_t start = rig.heap.allocations;
            rig.heap.failAt = k > before ? start + k - before : 0;
            joResult result = joBvhKind.build( &rig.trees[0], &view );
            rig.heap.failAt = 0;
            before += rig.heap.allocations - start;
            joObjectSet_ForgetChanges( &rig.sets[0] );
            if ( result != jo_success )
            {
                assert_int_equal( result, jo_errorOutOfMemory );
                assert_false( failed );
                failed = true;
                rig.sets[0].allChanged = true;
                bvhBuild( &rig, 0 );
                bvhCheckPairs( &rig );
            }
        }
        assert_true( failed == ( k <= before ) );
        bvhBuild( &rig, 0 );
        bvhCheckPairs( &rig );
        bvhEndRig( &rig );
        assert_true( failed || k > 20 );
    }
}

// Refits alone would leave every leaf as large as the world.
static void motion_that_mixes_all_boxes_does_not_wear_the_tree_out( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 16 );
    for ( uint32_t i = 0; i < 4000; ++i )
    {
        bvhAddBox( &rig, 0,
            bvhMakeCube(
                &rig, bvhDraw( &rig, 0, 20 ), bvhDraw( &rig, 0, 20 ), bvhDraw( &rig, 0, 20 ), 0.5f ) );
    }
    for ( int frame = 0; frame < 30; ++frame )
    {
        for ( uint32_t i = 0; i < 4000; ++i )
        {
            joObject object = bvhMakeCube(
                &rig, bvhDraw( &rig, 0, 20 ), bvhDraw( &rig, 0, 20 ), bvhDraw( &rig, 0, 20 ), 0.5f );
            if ( frame % 10 != 9 )
            {
                object = joObjectSet_Get( &rig.sets[0], i );
                float by = bvhDraw( &rig, -0.2, 0.2 );
                object.record.lower[frame % 3] += by;
                object.record.upper[frame % 3] += by;
            }
            bvhMoveBox( &rig, 0, i, object );
        }
        bvhBuild( &rig, 0 );
        bvhFindPairs( &rig, true );
        assert_in_range( rig.collector.candidatesTested, 4000, 4000 * 60 );
    }
    bvhEndRig( &rig );
}

// Large boxes among small ones would each blow up a leaf, and a leaf of large ones covers everything: both
// double the tests.
static void a_few_large_boxes_do_not_spoil_the_search_of_the_others( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 21 );
    for ( uint32_t i = 0; i < 8000; ++i )
    {
        float half = i % 30 == 0 ? 8.0f : 0.2f;
        bvhAddBox( &rig, 0,
            bvhMakeCube(
                &rig, bvhDraw( &rig, 0, 40 ), bvhDraw( &rig, 0, 40 ), bvhDraw( &rig, 0, 40 ), half ) );
    }
    bvhBuild( &rig, 0 );
    bvhCheckPairs( &rig );
    assert_in_range( rig.collector.candidatesTested, 8000, 8000 * 50 );
    bvhEndRig( &rig );
}

static void splits_put_no_greater_centre_on_the_left( void** state )
{
    (void)state;
    refRandom random = refMakeRandom( 17, 0 );
    for ( int round = 0; round < 2000; ++round )
    {
        joBvhItem items[900];
        uint32_t count = 2 + refBelow( &random, 898 ), left = 1 + refBelow( &random, count - 1 );
        uint32_t distinct = 1 + refBelow( &random, 1u << refBelow( &random, 20 ) );
        int style = (int)refBelow( &random, 5 );
        uint8_t seen[900] = { 0 };
        for ( uint32_t i = 0; i < count; ++i )
        {
            float x = (float)refBelow( &random, distinct );
            x = style == 1 ? (float)i : style == 2 ? (float)( count - i ) : x;
            x = style == 3 ? (float)ldexp( i % 2 == 0 ? 1.0 : -1.0, (int)refBelow( &random, 250 ) - 125 ) : x;
            x = style == 4 && refChance( &random, 0.1 ) ? ( i % 2 == 0 ? -FLT_MAX : FLT_MAX ) : x;
            items[i] = ( joBvhItem ){ { 0.0f, x, 0.0f }, i };
        }
        joBvhSplitItems( items, count, left, 3 );
        float greatest = -FLT_MAX;
        for ( uint32_t i = 0; i < count; ++i )
        {
            float x = items[i].centre[1];
            assert_true( i < left || x >= greatest );
            greatest = i < left && x > greatest ? x : greatest;
            assert_true( items[i].slot < count && !seen[items[i].slot] );
            seen[items[i].slot] = 1;
        }
    }
}

static void validate_sees_each_kind_of_damage( void** state )
{
    (void)state;
    bvhRig rig;
    bvhStartRig( &rig, 3, NULL, 19 );
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        bvhAddBox( &rig, 0, bvhDrawBox( &rig, bvh_uniform ) );
    }
    bvhBuild( &rig, 0 );
    joBoxSet view = joObjectSet_View( &rig.sets[0] );
    joBvh* tree = &rig.trees[0];
    joBvhLeaf* leaf = joBvh_Leaves( tree ) + 20;
    joBvhNode* root = joBvh_Nodes( tree ) + tree->root;
    uint32_t* words[] = { &leaf->parent, &leaf->lane, &leaf->rank, &leaf->count, &leaf->index[3],
        &root->child[1], &root->lastRank[0], (uint32_t*)tree->leafOrder.data + 5, &tree->boxCount,
        &tree->leafCount, &tree->nodeCount, (uint32_t*)tree->slotLeaf.data + 9,
        &joBvh_Links( tree )[root->child[1]].parent, &joBvh_Links( tree )[tree->root].count };
    for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
    {
        uint32_t kept = *words[i];
        *words[i] = kept == 1 ? 2 : kept - 1;
        assert_false( joBvhKind.validate( tree, &view ) );
        *words[i] = kept;
        assert_true( joBvhKind.validate( tree, &view ) );
    }
    float* numbers[] = { &leaf->bounds[1], &leaf->bounds[5], &leaf->lower[0][2], &leaf->upper[2][2],
        &root->lower[0][1], &root->upper[1][0] };
    for ( size_t i = 0; i < sizeof( numbers ) / sizeof( numbers[0] ); ++i )
    {
        float kept = *numbers[i];
        *numbers[i] = kept + 0.25f;
        assert_false( joBvhKind.validate( tree, &view ) );
        *numbers[i] = kept;
    }
    assert_true( joBvhKind.validate( tree, &view ) );
    bvhEndRig( &rig );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( any_sequence_of_edits_gives_the_pairs_of_every_pair_tried ),
        cmocka_unit_test( several_workers_give_the_same_pairs ),
        cmocka_unit_test( several_workers_build_the_same_tree ),
        cmocka_unit_test( case_1_half_spaces_and_a_box_meet ),
        cmocka_unit_test( case_2_a_large_box_sweeps_over_many_small_ones ),
        cmocka_unit_test( case_5_bounds_follow_when_each_box_lies_outside_all_before ),
        cmocka_unit_test( case_6_ten_thousand_boxes_one_by_one_lose_no_pair ),
        cmocka_unit_test( case_6_sorted_squares_over_500_metres_stay_shallow ),
        cmocka_unit_test( case_7_free_slots_stay_out ),
        cmocka_unit_test( case_10_a_box_that_falls_forever ),
        cmocka_unit_test( case_11_one_box_as_large_as_floats_go ),
        cmocka_unit_test( case_13_steady_create_and_delete_takes_no_more_memory ),
        cmocka_unit_test( case_18_equal_boxes_split_by_count ),
        cmocka_unit_test( whole_leaves_and_nodes_go_and_come_back ),
        cmocka_unit_test( frames_in_steady_state_allocate_nothing ),
        cmocka_unit_test( every_allocation_that_fails_leaves_an_empty_or_a_whole_tree ),
        cmocka_unit_test( motion_that_mixes_all_boxes_does_not_wear_the_tree_out ),
        cmocka_unit_test( a_few_large_boxes_do_not_spoil_the_search_of_the_others ),
        cmocka_unit_test( splits_put_no_greater_centre_on_the_left ),
        cmocka_unit_test( validate_sees_each_kind_of_damage ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
