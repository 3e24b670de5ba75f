// SPDX-License-Identifier: MIT
// Pairs of boxes in the kernels of every instruction set that this machine runs: each gives what the call for
// one pair gives, to the bit, wherever a pair stands in its block.
#include "test_support.h"

#include "jostle/collide.h"
#include "narrow_phase/placed_box.h"
#include "narrow_phase/tolerance.h"
#include "simd/kernels.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"

static uint64_t s_seed;

// Some of all sorts: turned alike, without size, on one spot, far out.
static BoxPair3 anyPairOf( uint64_t* random )
{
    BoxPair3 pair = makePairOfSet( (PairSet)randomBelow( random, pairs_setCount ), random );
    switch ( randomBelow( random, 12 ) )
    {
        case 0:
            pair.poseB.rotation = pair.poseA.rotation;
            break;
        case 1:
            pair.b.halfExtents = ( joVec3 ){ 0.0f, 0.5f, 0.0f };
            break;
        case 2:
            pair.poseB.position = pair.poseA.position;
            break;
        case 3:
            pair.poseA.position.x += 1e6f;
            pair.poseB.position.x += 1e6f;
            break;
        case 4:
            pair.a.localPose = ( joTransform3 ){ pairVectorIn( random, 0.3f ), pairAnyRotation( random ) };
            break;
        case 5:
            pair.poseA.position.z = randomBelow( random, 2 ) ? 3e38f : -1e20f;
            pair.poseB.position.z = -3e38f;
            break;
        case 6:
            pair.poseA.rotation.x *= 1e-12f;
            pair.poseA.rotation.y *= 1e-12f;
            pair.poseA.rotation.z *= 1e-12f;
            pair.poseA.rotation.w *= 1e-12f;
            break;
        default:
            break;
    }
    return pair;
}

static void checkLane( const joKernels* kernels, const BoxPair3* pair, float margin, bool touches,
    const joBoxBlock* block, const joBoxManifolds* manifolds, uint32_t i )
{
    joManifold3 expected, found = { .status = jo_collideComplete };
    assert_int_equal(
        joCollideBoxes3( &pair->a, &pair->poseA, &pair->b, &pair->poseB, margin, NULL, &expected ),
        jo_success );
    if ( touches )
    {
        joFillBoxManifold( manifolds, i, &found );
    }
    const bool isSame = !touches || ( memcmp( block->rows[i], &found.normal, sizeof( found.normal ) ) == 0 &&
                                        block->rows[i][3] == found.depth );
    if ( !isSame || memcmp( &found, &expected, sizeof( found ) ) != 0 )
    {
        fail_msg( "%s: lane %u: %u points, depth %.9g; the call for one %u, %.9g", joIsaText( kernels->isa ),
            i, found.pointCount, (double)found.depth, expected.pointCount, (double)expected.depth );
    }
}

// What is sure without double is so, and that is most.
static void checkSure( const joKernels* kernels, const BoxPair3* pairs, const joPlacedBoxes* boxes,
    const joPair* indices, uint32_t count, float margin, uint64_t* sure )
{
    uint64_t hits = UINT64_MAX, unsure = UINT64_MAX;
    kernels->siftBoxes( boxes, indices, count, margin, &hits, &unsure );
    assert_true( ( hits | unsure ) >> count == 0 && ( hits & unsure ) == 0 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        joManifold3 manifold;
        joCollideBoxes3(
            &pairs[i].a, &pairs[i].poseA, &pairs[i].b, &pairs[i].poseB, margin, NULL, &manifold );
        if ( !( unsure >> i & 1 ) && ( hits >> i & 1 ) != ( manifold.pointCount > 0 ) )
        {
            fail_msg( "%s: lane %u is sure, and wrong", joIsaText( kernels->isa ), i );
        }
        *sure += !( unsure >> i & 1 );
    }
}

static void eachLaneGivesWhatTheCallForOneGives( void** state )
{
    const joKernels* kernels = *state;
    uint64_t random = s_seed, hits = 0, sure = 0;
    for ( int round = 0; round < ( kitQuick() ? 300 : 10000 ); ++round )
    {
        const uint32_t count = 1 + randomBelow( &random, JO_BOX_BLOCK );
        const float margin = (float)randomBelow( &random, 3 ) * 0.02f;
        BoxPair3 pairs[JO_BOX_BLOCK];
        joPlacedBox boxes[2 * JO_BOX_BLOCK];
        joBoxRest rests[2 * JO_BOX_BLOCK];
        joPair indices[JO_BOX_BLOCK];
        for ( uint32_t i = 0; i < count; ++i )
        {
            pairs[i] = anyPairOf( &random );
            indices[i] = ( joPair ){ count - 1 - i, count + i };
            const joPair at = indices[i];
            joPlaceBox( &pairs[i].a, &pairs[i].poseA, boxes + at.a, rests + at.a );
            joPlaceBox( &pairs[i].b, &pairs[i].poseB, boxes + at.b, rests + at.b );
        }
        const joPlacedBoxes placed = { boxes, rests };
        const joBoxTolerance tolerance = { JO_PARALLEL_SINE_SQ, JO_AXIS_TIE, JO_CLIP_SLOP };
        joBoxBlock block;
        joBoxManifolds manifolds;
        memset( &block, 0xCD, sizeof( block ) );
        memset( &manifolds, 0xCD, sizeof( manifolds ) );
        const uint32_t lanes =
            kernels->collideBoxes( &placed, indices, count, margin, &tolerance, &block, &manifolds );
        assert_int_equal( (uint64_t)lanes >> count, 0 );
        checkSure( kernels, pairs, &placed, indices, count, margin, &sure );
        for ( uint32_t i = 0; i < count; ++i )
        {
            checkLane( kernels, &pairs[i], margin, lanes >> i & 1, &block, &manifolds, i );
        }
        hits += (uint64_t)__builtin_popcount( lanes );
    }
    assert_true( hits > 300 && sure > 2000 );
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
    return _cmocka_run_group_tests( "box kernels", tests, count, NULL, NULL );
}
