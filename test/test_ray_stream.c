// SPDX-License-Identifier: MIT
// Streams of rays: the kernels of every instruction set, how little a stream looks at, and the answers of
// batches in scenes that are chosen to be nasty.
#include "support/batch_rig.h"

#include "broad_phase/bvh.h"
#include "query/query.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float drawBound( refRandom* random )
{
    switch ( refBelow( random, 12 ) )
    {
        case 0:
            return refChance( random, 0.5 ) ? -INFINITY : INFINITY;
        case 1:
            return (float)refRange( random, -3.0, 3.0 ) * 0x1p-140f;
        case 2:
            return (float)refRange( random, -3.0, 3.0 ) * 1e38f;
        default:
            return (float)(int)refBelow( random, 9 ) - 4.0f;
    }
}

static void drawBoxes( refRandom* random, float* rows, uint32_t width )
{
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        for ( uint32_t lane = 0; lane < width; ++lane )
        {
            const float a = drawBound( random );
            const float b = drawBound( random );
            rows[axis * width + lane] = a < b ? a : b;
            rows[( axis + 3 ) * width + lane] = a < b ? b : a;
        }
    }
}

// Rays that all go the same way.
static void drawStream( refRandom* random, joStreamRays* stream, uint32_t count, uint32_t axisCount )
{
    uint32_t way = 0;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        stream->isBackward[axis] = refChance( random, 0.5 );
        way |= ( stream->isBackward[axis] ? 1u : 0u ) << axis;
    }
    for ( uint32_t i = 0; i < count; )
    {
        float lower[3] = { 0 }, upper[3] = { 0 }, direction[3] = { 0 };
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            lower[axis] = (float)refRange( random, -5.0, 5.0 );
            upper[axis] = lower[axis] + ( refChance( random, 0.5 ) ? 0.0f : 1.0f );
            const float size = refChance( random, 0.1 ) ? 1e-33f : (float)refRange( random, 0.1, 2.0 );
            direction[axis] = stream->isBackward[axis] ? -size : refChance( random, 0.2 ) ? 0.0f : size;
        }
        const float length = refChance( random, 0.1 )   ? 0.0f
                             : refChance( random, 0.1 ) ? INFINITY
                                                        : (float)refRange( random, 0.0, 9.0 );
        i += joMakeStreamRay( stream->rays + i, lower, upper, direction, length, axisCount ) == way ? 1 : 0;
    }
}

static void everyInstructionSetMeetsTheSameBoxes( void** state )
{
    (void)state;
    enum
    {
        rayCount = 50
    };
    static joStreamRay rays[rayCount];
    joBvhNode node;
    joBvhLeaf leaf;
    uint64_t metCount = 0;
    memset( &node, 0, sizeof( node ) );
    memset( &leaf, 0, sizeof( leaf ) );
    refRandom random = refMakeRandom( 3, 1 );
    for ( int round = 0; round < ( kitQuick() ? 200 : 3000 ); ++round )
    {
        const uint32_t axisCount = 2 + (uint32_t)( round & 1 );
        joStreamRays stream = { .rays = rays };
        uint32_t list[rayCount + JO_LANE_PADDING] = { 0 };
        const uint32_t count = refBelow( &random, rayCount + 1 );
        drawBoxes( &random, node.lower[0], JO_BVH_WIDTH );
        drawBoxes( &random, leaf.lower[0], JO_BVH_LEAF_SIZE );
        drawStream( &random, &stream, rayCount, axisCount );
        rays[refBelow( &random, rayCount )].limit = -1.0f;
        for ( uint32_t i = 0; i < count; ++i )
        {
            list[i] = refBelow( &random, rayCount );
        }
        uint32_t masks[jo_isaCount][2][rayCount + JO_LANE_PADDING];
        for ( int isa = 0; isa < (int)jo_isaCount; ++isa )
        {
            const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
            if ( kernels == NULL )
            {
                continue;
            }
            uint32_t any[2];
            any[0] = kernels->meetNode[axisCount - 2]( &node, &stream, list, count, masks[isa][0] );
            any[1] = kernels->meetLeaf[axisCount - 2]( &leaf, &stream, list, count, masks[isa][1] );
            uint32_t all[2] = { 0, 0 };
            for ( uint32_t i = 0; i < count; ++i )
            {
                const uint32_t lanes[2] = { masks[isa][0][i] & 0xFF, masks[isa][1][i] & 0xFFFF };
                assert_int_equal( lanes[0], masks[jo_isaScalar][0][i] & 0xFF );
                assert_int_equal( lanes[1], masks[jo_isaScalar][1][i] & 0xFFFF );
                assert_true( rays[list[i]].limit >= 0.0f || ( lanes[0] | lanes[1] ) == 0 );
                all[0] |= lanes[0];
                all[1] |= lanes[1];
                metCount += lanes[1] != 0 ? 1 : 0;
            }
            assert_int_equal( any[0] & 0xFF, all[0] );
            assert_int_equal( any[1] & 0xFFFF, all[1] );
            for ( uint32_t lane = 0; lane < JO_BVH_LEAF_SIZE; ++lane )
            {
                uint32_t picked[rayCount + JO_LANE_PADDING], expected[rayCount];
                uint32_t expectedCount = 0;
                for ( uint32_t i = 0; i < count; ++i )
                {
                    if ( masks[isa][1][i] >> lane & 1 )
                    {
                        expected[expectedCount++] = list[i];
                    }
                }
                assert_int_equal(
                    kernels->pickListed( list, masks[isa][1], count, lane, picked ), expectedCount );
                assert_memory_equal( picked, expected, expectedCount * sizeof( uint32_t ) );
            }
        }
    }
    assert_true( metCount > 1000 );
}

#define ROW_COUNT 4096u

// A stream that counts what it is handed, and knows how far each ray of a row of boxes goes.
typedef struct Counter
{
    joRayStream stream;
    float start[JO_STREAM_RAYS];
    float sign;
    uint64_t taken;
} Counter;

static void countTaken( joRayStream* stream, uint32_t ray, const uint32_t* slots, uint32_t count )
{
    Counter* counter = (Counter*)(void*)stream;
    for ( uint32_t k = 0; k < count; ++k )
    {
        // Box i is [i, i + 0.5].
        const float near = (float)( slots[k] & JO_INDEX_MASK ) + ( counter->sign > 0.0f ? 0.0f : 0.5f );
        const float distance = fmaxf( ( near - counter->start[ray] ) * counter->sign, 0.0f );
        joStreamRay* lanes = &stream->lanes.rays[ray];
        lanes->limit = distance < lanes->limit ? distance : lanes->limit;
        counter->taken += 1;
    }
}

static void littleIsLookedAtBehindTheNearest( void** state )
{
    (void)state;
    static refObject objects[ROW_COUNT];
    for ( uint32_t i = 0; i < ROW_COUNT; ++i )
    {
        objects[i] = kitBox3( i, i, 0, 0, i + 0.5, 1, 1 );
        objects[i].motion = ref_moving;
    }
    joBroadPhaseDef def = kitDef( &kitVariants[0], 3 );
    def.kind = jo_bvh;
    joBroadPhase* broadPhase = kitCreate( &def );
    kitRequire( kitSet( broadPhase, 3, objects, ROW_COUNT ), "Set" );
    kitRequire( joBroadPhase_Update( broadPhase ), "Update" );
    static joStreamRay rays[JO_STREAM_RAYS];
    static uint32_t scratch[JO_STREAM_SCRATCH];
    for ( int backward = 0; backward < 2; ++backward )
    {
        Counter counter = { .sign = backward ? -1.0f : 1.0f };
        counter.stream = ( joRayStream ){ .lanes = { rays, { backward != 0, false, false } },
            .count = JO_STREAM_RAYS,
            .axisCount = 3,
            .kernels = joGetKernels( NULL ),
            .take = countTaken,
            .scratch = scratch };
        for ( uint32_t i = 0; i < JO_STREAM_RAYS; ++i )
        {
            const float origin[3] = {
                8.75f + (float)( i * ( ROW_COUNT - 16 ) / JO_STREAM_RAYS ), 0.5f, 0.5f };
            const float direction[3] = { counter.sign, 0.0f, 0.0f };
            counter.start[i] = origin[0];
            joMakeStreamRay( rays + i, origin, origin, direction, 5000.0f, 3 );
        }
        broadPhase->kind->queryStream( broadPhase->structures[JO_SET_MOVING], &counter.stream );
        for ( uint32_t i = 0; i < JO_STREAM_RAYS; ++i )
        {
            assert_true( rays[i].limit == 0.25f );
        }
        assert_in_range( counter.taken, JO_STREAM_RAYS, 2 * JO_BVH_LEAF_SIZE * JO_STREAM_RAYS );
    }
    joDestroyBroadPhase( broadPhase );
}

// Along x, and on the other axes so little that only a way of the length of the largest floats shows it.
static void aRayThatHardlyMovesOnAnAxisIsNotLost( void** state )
{
    (void)state;
    enum
    {
        rowCount = 100
    };
    joBroadPhaseDef def = kitDef( &kitVariants[0], 2 );
    def.kind = jo_bvh;
    kitScene scene = kitBegin( &kitVariants[0], 2, &def );
    for ( uint32_t i = 0; i < 40; ++i )
    {
        const double y = 0.02 * ( (double)i - 20.0 );
        kitPush( &scene, kitBox2( i, 2e38, refFloat( y ), 3e38, refFloat( y + 0.01 ) ) );
    }
    kitAddFrom( &scene, 0 );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    rigRow rows[rowCount];
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        rows[i] = ( rigRow ){ .direction = { 1.0f, ( (float)i - 50.0f ) * 2e-41f }, .length = FLT_MAX };
    }
    const rigQuestions questions = { rig_raysClosest, rig_noFilters | rig_noIgnored, rows, rowCount, 2 };
    rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
    uint32_t hitCount = 0;
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        hitCount += ( (joHit*)expected.results )[i].key != JO_NULL_INDEX ? 1 : 0;
    }
    assert_true( hitCount > 40 );
    joQueryBatch* batch = rigCreateBatch( NULL );
    rigCompare( batch, scene.broadPhase, &questions, &expected, "hardly moves" );
    rigFreeAnswers( &expected );
    joDestroyQueryBatch( batch );
    kitEnd( &scene );
}

// Rays and boxes that begin, end or run on faces of objects, among others.
static void drawNastyRows( refRandom* random, const refObject* objects, uint32_t objectCount, rigRow* rows,
    uint32_t count, int dimension )
{
    rigDrawRows( random, objects, objectCount, rows, count, dimension );
    for ( uint32_t i = 0; i < count; ++i )
    {
        rigRow* row = rows + i;
        const refObject* object = objects + refBelow( random, objectCount );
        for ( int axis = 0; axis < dimension && refChance( random, 0.7 ); ++axis )
        {
            const double sides[2] = {
                object->round ? object->center[axis] - object->radius : object->lower[axis],
                object->round ? object->center[axis] + object->radius : object->upper[axis] };
            const float side = (float)sides[refBelow( random, 2 )];
            row->lower[axis] = isfinite( side ) ? side : row->lower[axis];
            row->upper[axis] = row->lower[axis] + ( refChance( random, 0.5 ) ? 0.0f : 1.0f );
            row->direction[axis] = refChance( random, 0.5 ) ? 0.0f : refChance( random, 0.5 ) ? 1.0f : -1.0f;
        }
        bool hasDirection = false;
        for ( int axis = 0; axis < dimension; ++axis )
        {
            hasDirection = hasDirection || row->direction[axis] != 0.0f;
        }
        row->direction[0] = hasDirection ? row->direction[0] : -1e-20f;
        row->length = refChance( random, 0.1 )   ? FLT_MAX
                      : refChance( random, 0.1 ) ? (float)fabs( object->upper[0] - object->lower[0] )
                                                 : row->length;
        row->length = isfinite( row->length ) ? row->length : 1.0f;
    }
}

static void nastyScenesAreAnsweredAsBySingleRays( void** state )
{
    (void)state;
    enum
    {
        objectCount = 300,
        rowCount = 900
    };
    static rigRow rows[rowCount];
    static const rigVerb verbs[] = { rig_raysClosest, rig_raysAny, rig_boxesClosest, rig_boxesAny };
    for ( int k = 0; k < 2 * (int)ref_distributionCount; ++k )
    {
        const int dimension = 2 + k % 2;
        refRandom random = refMakeRandom( 29, (uint64_t)k );
        refSceneDef draw = { .distribution = (refDistribution)( k / 2 ),
            .axisCount = dimension,
            .count = objectCount,
            .cellSize = 1.0,
            .roundShare = 0.3,
            .neighbours = 2.0,
            .layerCount = k % 3 == 0 ? 2 : 0 };
        joBroadPhaseDef def = kitDef( &kitVariants[0], dimension );
        def.kind = jo_bvh;
        kitScene scene = kitBegin( &kitVariants[0], dimension, &def );
        refPrepareScene( &draw, &random );
        for ( uint32_t i = 0; i < objectCount; ++i )
        {
            refObject object = { .key = i * 7919u, .motion = (refMotion)( i % 3 ) };
            refDrawShape( &draw, &random, &object );
            refDrawLayers( &draw, &random, &object );
            kitPush( &scene, object );
        }
        kitAddFrom( &scene, 0 );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
        // Some change afterwards, and some are gone.
        for ( uint32_t i = 0; i < objectCount; i += 7 )
        {
            refObject moved = scene.objects[( i + 5 ) % objectCount];
            moved.key = scene.objects[i].key;
            if ( i % 2 == 0 )
            {
                kitRequire( kitMove( scene.broadPhase, dimension, &moved, 1 ), "Move" );
            }
            else
            {
                kitRequire( joBroadPhase_Remove( scene.broadPhase, &moved.key, 1, NULL ), "Remove" );
            }
        }
        drawNastyRows( &random, scene.objects, objectCount, rows, rowCount, dimension );
        joQueryBatch* batch = rigCreateBatch( kitJobs( 1 + (uint32_t)k % 2 ) );
        for ( uint32_t v = 0; v < 4; ++v )
        {
            const rigQuestions questions = {
                verbs[v], v % 2 == 0 ? rig_plain : rig_noLength, rows, rowCount, dimension };
            rigAnswers expected = rigAskOneByOne( scene.broadPhase, &questions );
            rigCompare(
                batch, scene.broadPhase, &questions, &expected, refDistributionText( draw.distribution ) );
            rigFreeAnswers( &expected );
        }
        joDestroyQueryBatch( batch );
        kitEnd( &scene );
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
        cmocka_unit_test( everyInstructionSetMeetsTheSameBoxes ),
        cmocka_unit_test( littleIsLookedAtBehindTheNearest ),
        cmocka_unit_test( aRayThatHardlyMovesOnAnAxisIsNotLost ),
        cmocka_unit_test( nastyScenesAreAnsweredAsBySingleRays ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
