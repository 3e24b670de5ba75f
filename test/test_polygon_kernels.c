// SPDX-License-Identifier: MIT
// Pairs of convex shapes in 2D in the kernels of every instruction set that this machine runs: each gives
// what the call for one pair gives, to the bit, wherever a pair stands in its block.
#include "test_support.h"

#include "jostle/collide.h"
#include "narrow_phase/placed_polygon.h"
#include "simd/kernels.h"
#include "support/broad_phase_kit.h"
#include "support/flat_pair_sets.h"

#include <math.h>

static uint64_t s_seed;

// Some of all sorts: turned alike, on one spot, far out, all but in one line; half of the boxes.
static void makeAnyPair( uint64_t* random, bool onlyBoxes, FlatPair* pair )
{
    static const joShapeKind2 kinds[4] = {
        jo_polygonShape2, jo_polygonShape2, jo_circleShape2, jo_capsuleShape2 };
    joShapeKind2 a = onlyBoxes ? jo_polygonShape2 : kinds[randomBelow( random, 4 )];
    FlatSet set = randomBelow( random, 8 ) ? flat_mixed : flat_resting;
    flatMakePair( a, jo_polygonShape2, set, random, pair );
    if ( onlyBoxes )
    {
        pair->polygonA = joMakeBox2( flatFloatIn( random, 0.2f, 1.0f ), flatFloatIn( random, 0.2f, 1.0f ) );
        pair->polygonB = joMakeBox2( flatFloatIn( random, 0.2f, 1.0f ), flatFloatIn( random, 0.2f, 1.0f ) );
    }
    switch ( randomBelow( random, 8 ) )
    {
        case 0:
            pair->poseB.rotation = pair->poseA.rotation;
            break;
        case 1:
            pair->poseB.position = pair->poseA.position;
            break;
        case 2:
            pair->poseA.position.x += 1e6f;
            pair->poseB.position.x += 1e6f;
            break;
        case 3:
            pair->poseA.position.y = randomBelow( random, 2 ) ? 3e38f : -1e20f;
            pair->poseB.position.y = -3e38f;
            break;
        default:
            break;
    }
}

static void checkLane( const joKernels* kernels, const FlatPair* pair, const joPlacedPolygon* a,
    const joPlacedPolygon* b, float margin, bool touches, const joPolygonBlock* block, uint32_t i )
{
    joManifold2 expected, manifold = { .status = jo_collideComplete };
    assert_int_equal(
        joCollide2( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &expected ), jo_success );
    touches = touches && joFillPolygonManifold( a, b, block, i, margin, &manifold );
    if ( touches != ( expected.pointCount > 0 ) || memcmp( &expected, &manifold, sizeof( expected ) ) != 0 )
    {
        fail_msg( "%s: lane %u touches: %d, depth %.9g, the call for one %.9g", joIsaText( kernels->isa ), i,
            (int)touches, (double)manifold.depth, (double)expected.depth );
    }
}

static void eachLaneGivesWhatTheCallForOneGives( void** state )
{
    const joKernels* kernels = *state;
    uint64_t random = s_seed, hits = 0;
    static FlatPair pairs[JO_POLYGON_BLOCK];
    static joPlacedPolygon placed[2 * JO_POLYGON_BLOCK];
    for ( int round = 0; round < ( kitQuick() ? 300 : 1500 ); ++round )
    {
        const uint32_t count = 1 + randomBelow( &random, JO_POLYGON_BLOCK );
        const float margin = (float)randomBelow( &random, 3 ) * 0.05f;
        const joPlacedPolygon *rowsA[JO_POLYGON_BLOCK], *rowsB[JO_POLYGON_BLOCK];
        uint32_t vertexCount = 1;
        for ( uint32_t i = 0; i < count; ++i )
        {
            makeAnyPair( &random, round % 3 == 0, pairs + i );
            joPlacedPolygon* a = placed + ( count - 1 - i );
            joPlacedPolygon* b = placed + count + i;
            joPlacePolygon( &pairs[i].a, &pairs[i].poseA, JO_PLACED_VERTICES, a );
            joPlacePolygon( &pairs[i].b, &pairs[i].poseB, JO_PLACED_VERTICES, b );
            rowsA[i] = a;
            rowsB[i] = b;
            vertexCount = a->count > vertexCount ? a->count : vertexCount;
            vertexCount = b->count > vertexCount ? b->count : vertexCount;
        }
        joPolygonBlock block;
        memset( &block, 0xCD, sizeof( block ) );
        const uint32_t lanes =
            kernels->collidePolygons( rowsA, rowsB, count, vertexCount, margin, &joFlatTolerance, &block );
        assert_int_equal( (uint64_t)lanes >> count, 0 );
        for ( uint32_t i = 0; i < count; ++i )
        {
            checkLane( kernels, pairs + i, rowsA[i], rowsB[i], margin, lanes >> i & 1, &block, i );
        }
        hits += (uint64_t)__builtin_popcount( lanes );
    }
    assert_true( hits > 300 );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    struct CMUnitTest tests[jo_isaCount];
    size_t count = 0;
    for ( int isa = 0; isa < jo_isaCount; ++isa )
    {
        const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
        if ( kernels != NULL )
        {
            tests[count++] = ( struct CMUnitTest ){ .name = joIsaText( (joIsa)isa ),
                .test_func = eachLaneGivesWhatTheCallForOneGives,
                .initial_state = (void*)(uintptr_t)kernels };
        }
    }
    return _cmocka_run_group_tests( "polygon kernels", tests, count, NULL, NULL );
}
