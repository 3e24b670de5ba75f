// SPDX-License-Identifier: MIT
// Allocation failure at every point of a broad phase's life, and long piles: whatever fails is reported,
// nothing has changed then, and the same call works once there is memory again.
#include "support/broad_phase_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    step_addStatic,
    step_addResting,
    step_addMoving,
    step_find,
    step_moveSome,
    step_park,
    step_findAgain,
    step_wake,
    step_addFew,
    step_remove,
    step_count,
    step_set,
    step_findLast,
    step_settle,
    step_findSettled,
    step_end
};

static refObject drawn( uint32_t key, refMotion motion )
{
    refRandom random = refMakeRandom( 99, key );
    double x = refRange( &random, 0.0, 12.0 ), y = refRange( &random, 0.0, 12.0 );
    refObject object = kitBox3( key, x, y, 0.0, x + 1.0, y + 0.5, 0.5 );
    if ( key % 3 == 1 )
        object = kitBall( key, x, y, 0.25, 0.5 );
    if ( key % 7 == 2 )
        object.mask = 1ull << ( key % 64 );
    object.motion = motion;
    return object;
}

// The two calls of a batch may not both succeed: each step uses one shape only.
static uint32_t pushDrawn( kitScene* next, uint32_t firstKey, uint32_t count, refMotion motion, bool round )
{
    for ( uint32_t key = firstKey; key < firstKey + count; ++key )
    {
        refObject object = drawn( key * 3 + ( round ? 1 : 0 ), motion );
        kitPush( next, object );
    }
    return next->count - count;
}

static uint32_t keysWhere( kitScene* next, refMotion from, refMotion to, uint32_t every, uint32_t* keys )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < next->count; ++i )
    {
        if ( next->objects[i].motion != from || i % every )
            continue;
        next->objects[i].motion = to;
        keys[count++] = next->objects[i].key;
    }
    return count;
}

// Does a step on the broad phase and on `next`, which holds what the oracle is to know if it succeeds.
static joResult runStep( joBroadPhase* broadPhase, int step, kitScene* next )
{
    static uint32_t keys[2000];
    int dimension = next->dimension;
    uint32_t first, count;
    uint64_t pairCount = 77;
    joResult result;
    switch ( step )
    {
        case step_addStatic:
            first = pushDrawn( next, 0, 130, ref_static, false );
            return kitAdd( broadPhase, dimension, jo_static, next->objects + first, 130 );
        case step_addResting:
            first = pushDrawn( next, 1000, 100, ref_resting, true );
            return kitAdd( broadPhase, dimension, jo_resting, next->objects + first, 100 );
        case step_addMoving:
            first = pushDrawn( next, 2000, 150, ref_moving, false );
            return kitAdd( broadPhase, dimension, jo_moving, next->objects + first, 150 );
        case step_addFew:
            first = pushDrawn( next, 3000, 20, ref_resting, true );
            return kitAdd( broadPhase, dimension, jo_resting, next->objects + first, 20 );
        case step_moveSome:
            // Static, resting and moving ones become circles.
            for ( uint32_t i = 0; i < 120; ++i )
            {
                refObject* object = next->objects + 3 * i;
                refObject ball = kitBall( object->key, 0.1 * i, 0.1 * i, 0.0, 0.4 );
                ball.motion = object->motion;
                *object = ball;
                next->objects[3 * i] = ball;
            }
            {
                refObject moved[120];
                for ( uint32_t i = 0; i < 120; ++i )
                    moved[i] = next->objects[3 * i];
                return kitMove( broadPhase, dimension, moved, 120 );
            }
        case step_park:
            count = keysWhere( next, ref_moving, ref_resting, 2, keys );
            return joBroadPhase_SetMotion( broadPhase, jo_resting, keys, count, NULL );
        case step_wake:
            count = keysWhere( next, ref_resting, ref_moving, 3, keys );
            return joBroadPhase_SetMotion( broadPhase, jo_moving, keys, count, NULL );
        case step_settle:
            count = keysWhere( next, ref_moving, ref_static, 2, keys );
            return joBroadPhase_SetMotion( broadPhase, jo_static, keys, count, NULL );
        case step_remove:
            count = 0;
            for ( uint32_t i = 0; i < next->count; i += 4 )
            {
                keys[count++] = next->objects[i].key;
                next->objects[i] = next->objects[--next->count];
            }
            return joBroadPhase_Remove( broadPhase, keys, count, NULL );
        case step_set:
            for ( count = 0, first = 0; first < next->count; ++first )
            {
                if ( next->objects[first].motion != ref_moving )
                    next->objects[count++] = next->objects[first];
            }
            next->count = count;
            first = pushDrawn( next, 5000, 180, ref_moving, false );
            return kitSet( broadPhase, dimension, next->objects + first, 180 );
        case step_count:
            result = joBroadPhase_CountPairs( broadPhase, &pairCount );
            break;
        default:
            result = joBroadPhase_FindPairs( broadPhase, NULL, 0, &pairCount );
            break;
    }
    if ( result && pairCount != 0 )
        fail_msg( "a find that failed says %llu pairs", (unsigned long long)pairCount );
    return result;
}

static void copyObjects( kitScene* to, const kitScene* from )
{
    to->dimension = from->dimension;
    to->count = 0;
    for ( uint32_t i = 0; i < from->count; ++i )
        kitPush( to, from->objects[i] );
}

static void requireUnchanged( kitScene* scene, int step, uint64_t failing )
{
    char when[100];
    snprintf( when, sizeof when, "step %d after allocation %llu failed", step, (unsigned long long)failing );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        joMotion motion = jo_moving;
        if ( joBroadPhase_Contains( scene->broadPhase, scene->objects[i].key, &motion ) == false ||
             (int)motion != (int)scene->objects[i].motion )
            fail_msg( "%s: key %u is not as it was", when, scene->objects[i].key );
    }
    kitCheckScene( scene, when );
}

// Lives through all steps with the given allocation failing (and, if `all`, every later one until a call has
// failed). False once no allocation was left to fail.
static bool liveWithFailure(
    const kitVariant* variant, int dimension, joJobs* jobs, uint64_t failing, bool all )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    kitHeap* heap = &kitDefaultHeap;
    kitScene scene = { .variant = variant, .dimension = dimension, .heldBefore = heap->liveBytes };
    kitScene next = { .variant = variant, .dimension = dimension };
    def.jobs = jobs;
    heap->allocations = heap->refused = 0;
    heap->failAt = all ? 0 : failing;
    heap->failFrom = all ? failing : 0;
    joResult result = joCreateBroadPhase( &def, &scene.broadPhase );
    if ( result )
    {
        assert_int_equal( result, jo_errorOutOfMemory );
        assert_int_equal( heap->liveBytes, scene.heldBefore );
        heap->failAt = heap->failFrom = 0;
        kitRequire( joCreateBroadPhase( &def, &scene.broadPhase ), "joCreateBroadPhase" );
    }
    for ( int step = 0; step < step_end; ++step )
    {
        copyObjects( &next, &scene );
        result = runStep( scene.broadPhase, step, &next );
        if ( result )
        {
            uint64_t refused = heap->refused;
            heap->failAt = heap->failFrom = 0;
            if ( result != jo_errorOutOfMemory || refused == 0 )
                fail_msg( "%s, step %d: %s", variant->name, step, joResultText( result ) );
            requireUnchanged( &scene, step, failing );
            copyObjects( &next, &scene );
            kitRequire( runStep( scene.broadPhase, step, &next ), "the same call with memory" );
        }
        copyObjects( &scene, &next );
    }
    bool wasReached = heap->refused > 0;
    heap->failAt = heap->failFrom = 0;
    requireUnchanged( &scene, step_end, failing );
    free( next.objects );
    kitEnd( &scene );
    return wasReached;
}

static void anyAllocationMayFail( void** state )
{
    const kitVariant* variant = *state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        for ( int all = 0; all < 2; ++all )
        {
            uint64_t failing = 1;
            // Not every one: the first ones, and more and more thinly, most of all under a sanitizer.
            while ( liveWithFailure( variant, dimension, kitJobs( dimension == 3 ? 2 : 1 ), failing, all ) )
                failing += 1 + failing / ( kitQuick() ? 3 : 40 );
            if ( failing < 20 )
                fail_msg( "%s: only %llu allocations", variant->name, (unsigned long long)failing );
        }
    }
}

// All boxes on one spot: slow only because the answer is long. Counted without memory for pairs.
static void aPileIsCountedRight( void** state )
{
    const kitVariant* variant = *state;
    uint32_t count = (uint32_t)kitEnvironment( "JOSTLE_PILE", kitQuick() ? 2000 : 20000 );
    joBroadPhaseDef def = kitDef( variant, 3 );
    float lower = 1.5f, upper = 2.5f;
    joBoxes boxes = { { &lower, 0 }, { &lower, 0 }, { &lower, 0 }, { &upper, 0 }, { &upper, 0 },
        { &upper, 0 }, .count = count };
    uint64_t heldBefore = kitDefaultHeap.liveBytes, pairCount = 0;
    joBroadPhase* broadPhase = kitCreate( &def );
    kitRequire( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_CountPairs( broadPhase, &pairCount ), "CountPairs" );
    assert_int_equal( pairCount, (uint64_t)count * ( count - 1 ) / 2 );
    // Some hundred bytes a box for structures; nothing for pairs.
    uint64_t held = kitDefaultHeap.liveBytes - heldBefore;
    if ( held > 2000ull * count + 4000000 )
        fail_msg( "%s: %llu bytes are held to count", variant->name, (unsigned long long)held );
    joDestroyBroadPhase( broadPhase );
    assert_int_equal( kitDefaultHeap.liveBytes, heldBefore );
}

// More than 2^32 pairs: a count of 32 bits anywhere on the way shows.
static void moreThanFourBillionPairsAreCounted( void** state )
{
    const kitVariant* variant = *state;
    if ( kitQuick() )
        return;
    uint32_t count = 92700; // 4,296,598,650 pairs
    joBroadPhaseDef def = kitDef( variant, 2 );
    float lower = -1.0f, upper = 1.0f;
    joBoxes boxes = { .lowerX = { &lower, 0 },
        .lowerY = { &lower, 0 },
        .upperX = { &upper, 0 },
        .upperY = { &upper, 0 },
        .count = count };
    joBroadPhase* broadPhase = kitCreate( &def );
    uint64_t pairCount = 0;
    kitRequire( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_CountPairs( broadPhase, &pairCount ), "CountPairs" );
    assert_true( pairCount == (uint64_t)count * ( count - 1 ) / 2 );
    joDestroyBroadPhase( broadPhase );
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    static const struct
    {
        const char* name;
        CMUnitTestFunction function;
    } all[] = { { "any allocation may fail", anyAllocationMayFail },
        { "a pile is counted right", aPileIsCountedRight },
        { "more than four billion pairs are counted", moreThanFourBillionPairsAreCounted } };
    enum
    {
        count = sizeof all / sizeof *all
    };
    static char names[KIT_VARIANT_COUNT * count][100];
    struct CMUnitTest tests[KIT_VARIANT_COUNT * count];
    size_t testCount = 0;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        for ( int k = 0; k < count; ++k )
        {
            snprintf( names[testCount], sizeof names[0], "%s: %s", kitVariants[v].name, all[k].name );
            tests[testCount] = ( struct CMUnitTest ){ .name = names[testCount],
                .test_func = all[k].function,
                .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
            testCount += 1;
        }
    }
    return _cmocka_run_group_tests( "memory", tests, testCount, NULL, freeJobs );
}
