// SPDX-License-Identifier: MIT
// jo_auto through a life in which the objects become others again and again: pairs and queries are those of
// every pair tried, whatever kind is in use, and whichever allocation fails.
#include "support/query_kit.h"
#include "test_support.h"

#include <stdio.h>

enum
{
    life_few,
    life_many,
    life_rest,
    life_edit,
    life_uneven,
    life_shuffle,
    life_wake,
    life_phases
};

#define LIFE_FRAMES 26

typedef struct Life
{
    kitScene scene;
    refRandom random;
    uint32_t nextKey;
} Life;

static refObject drawObject( Life* life, double side )
{
    double center[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        center[axis] = refRange( &life->random, 0.0, side );
    }
    const double half = 0.5;
    refObject object = kitBox3( life->nextKey++, center[0] - half, center[1] - half, center[2] - half,
        center[0] + half, center[1] + half, center[2] + half );
    return object;
}

static joResult addObjects( Life* life, uint32_t count, double side )
{
    const uint32_t first = life->scene.count;
    for ( uint32_t i = 0; i < count; ++i )
    {
        kitPush( &life->scene, drawObject( life, side ) );
    }
    joResult result = kitAdd(
        life->scene.broadPhase, life->scene.dimension, jo_moving, life->scene.objects + first, count );
    life->scene.count = result ? first : life->scene.count;
    return result;
}

// Those of each `every` objects that are `from` become `to`.
static joResult setMotion( Life* life, uint32_t every, refMotion from, refMotion to )
{
    static uint32_t keys[2000];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < life->scene.count; i += every )
    {
        if ( life->scene.objects[i].motion == from )
        {
            keys[count++] = life->scene.objects[i].key;
        }
    }
    joResult result = joBroadPhase_SetMotion( life->scene.broadPhase, (joMotion)to, keys, count, NULL );
    for ( uint32_t i = 0; i < life->scene.count && result == jo_success; i += every )
    {
        refObject* object = life->scene.objects + i;
        object->motion = object->motion == from ? to : object->motion;
    }
    return result;
}

static void shiftBox( refObject* object, const double shift[3] )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        object->lower[axis] = refFloat( object->lower[axis] + shift[axis] );
        object->upper[axis] = refFloat( object->upper[axis] + shift[axis] );
    }
}

// Moves each `every`th moving object by up to `reach` on each axis.
static joResult moveObjects( Life* life, uint32_t every, double reach )
{
    static refObject moved[2000];
    static uint32_t indices[2000];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < life->scene.count; i += every )
    {
        if ( life->scene.objects[i].motion == ref_moving )
        {
            double shift[3];
            for ( int axis = 0; axis < 3; ++axis )
            {
                shift[axis] = refRange( &life->random, -reach, reach );
            }
            indices[count] = i;
            moved[count] = life->scene.objects[i];
            shiftBox( moved + count++, shift );
        }
    }
    joResult result = kitMove( life->scene.broadPhase, life->scene.dimension, moved, count );
    for ( uint32_t k = 0; k < count && result == jo_success; ++k )
    {
        life->scene.objects[indices[k]] = moved[k];
    }
    return result;
}

// Gives each moving object the box of another one.
static joResult shuffleObjects( Life* life )
{
    static refObject moved[2000];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < life->scene.count; ++i )
    {
        if ( life->scene.objects[i].motion == ref_moving )
        {
            moved[count++] = life->scene.objects[i];
        }
    }
    for ( uint32_t i = count; i > 1; --i )
    {
        const uint32_t j = refBelow( &life->random, i );
        const refObject held = moved[j];
        moved[j] = moved[i - 1];
        moved[i - 1] = held;
        // The keys stay.
        moved[i - 1].key = moved[j].key;
        moved[j].key = held.key;
    }
    joResult result = kitMove( life->scene.broadPhase, life->scene.dimension, moved, count );
    for ( uint32_t i = 0, k = 0; i < life->scene.count && result == jo_success; ++i )
    {
        refObject* object = life->scene.objects + i;
        *object = object->motion == ref_moving ? moved[k++] : *object;
    }
    return result;
}

static joResult removeObjects( Life* life, uint32_t count )
{
    static uint32_t keys[2000];
    for ( uint32_t i = 0; i < count; ++i )
    {
        keys[i] = life->scene.objects[i * 3].key;
    }
    joResult result = joBroadPhase_Remove( life->scene.broadPhase, keys, count, NULL );
    for ( uint32_t i = count; i-- > 0 && result == jo_success; )
    {
        life->scene.objects[i * 3] = life->scene.objects[--life->scene.count];
    }
    return result;
}

// What happens in one frame, before the pairs are found. One call that can fail: on failure nothing has
// changed.
static joResult liveFrame( Life* life, int phase, int frame )
{
    switch ( phase )
    {
        case life_few:
            return frame == 0 ? addObjects( life, 60, 4.0 ) : moveObjects( life, 1, 0.05 );
        case life_many:
            return frame == 0 ? addObjects( life, 300, 8.0 ) : moveObjects( life, 1, 0.05 );
        case life_rest:
            return frame == 0 ? setMotion( life, 2, ref_moving, ref_resting ) : moveObjects( life, 1, 0.05 );
        case life_edit:
            return frame % 3 == 0
                       ? addObjects( life, 5, 8.0 )
                       : ( frame % 3 == 1 ? removeObjects( life, 5 ) : moveObjects( life, 7, 2.0 ) );
        case life_uneven:
            return frame == 0 ? addObjects( life, 300, 3000.0 ) : moveObjects( life, 1, 0.05 );
        case life_shuffle:
            return shuffleObjects( life );
        default:
            return frame == 0 ? setMotion( life, 1, ref_resting, ref_moving ) : moveObjects( life, 1, 0.05 );
    }
}

static Life beginLife( int dimension, joJobs* jobs )
{
    static const kitVariant variant = { "auto", jo_auto, 1.0f, 0 };
    Life life = { .random = refMakeRandom( 5, (uint64_t)dimension ) };
    life.scene =
        ( kitScene ){ .variant = &variant, .dimension = dimension, .heldBefore = kitDefaultHeap.liveBytes };
    joBroadPhaseDef def = kitDef( &variant, dimension );
    def.jobs = jobs;
    joResult result = joCreateBroadPhase( &def, &life.scene.broadPhase );
    if ( result )
    {
        assert_int_equal( result, jo_errorOutOfMemory );
        kitDefaultHeap.failAt = kitDefaultHeap.failFrom = 0;
        life.scene.broadPhase = kitCreate( &def );
    }
    return life;
}

static void compareQueries( Life* life, joBroadPhase* plain, kitAnswer answers[2] )
{
    const int dimension = life->scene.dimension;
    const refSceneDef def = { .axisCount = dimension, .count = life->scene.count, .neighbours = 4.0 };
    for ( int i = 0; i < 6; ++i )
    {
        kitQuery query;
        kitDrawQuery( &def, &life->random, life->scene.objects, life->scene.count, &query );
        kitRequire(
            kitAsk( life->scene.broadPhase, dimension, &query, kit_formAll, 4000, answers ), "kitAsk" );
        kitRequire( kitAsk( plain, dimension, &query, kit_formAll, 4000, answers + 1 ), "kitAsk" );
        assert_int_equal( answers[0].count, answers[1].count );
        assert_int_equal( answers[0].present, answers[1].present );
        if ( answers[0].present > 0 )
        {
            assert_memory_equal( answers[0].keys, answers[1].keys, answers[0].present * sizeof( uint32_t ) );
            assert_memory_equal(
                answers[0].distances, answers[1].distances, answers[0].present * sizeof( float ) );
        }
    }
}

static joBroadPhase* makePlain( const Life* life )
{
    joBroadPhaseDef def = kitDef( &kitVariants[0], life->scene.dimension );
    joBroadPhase* plain = kitCreate( &def );
    kitRequire(
        kitAdd( plain, life->scene.dimension, jo_moving, life->scene.objects, life->scene.count ), "kitAdd" );
    return plain;
}

static void whateverTheKindTheAnswersAreRight( void** state )
{
    (void)state;
    for ( int run = 0; run < 4; ++run )
    {
        const int dimension = 2 + run % 2;
        Life life = beginLife( dimension, kitJobs( run < 2 ? 1 : 3 ) );
        kitAnswer answers[2] = { { 0 }, { 0 } };
        uint32_t kinds = 0;
        for ( int phase = 0; phase < life_phases; ++phase )
        {
            for ( int frame = 0; frame < LIFE_FRAMES; ++frame )
            {
                char when[64];
                snprintf( when, sizeof( when ), "phase %d, frame %d", phase, frame );
                kitRequire( liveFrame( &life, phase, frame ), when );
                joBroadPhase* plain = makePlain( &life );
                // Before the update and after it.
                const bool isAsked = frame % 9 == 8;
                for ( int i = 0; i < 2; ++i )
                {
                    if ( isAsked )
                    {
                        compareQueries( &life, plain, answers );
                    }
                    kitCheckScene( &life.scene, when );
                }
                joDestroyBroadPhase( plain );
                joBroadPhaseChoice choice;
                kitRequire( joBroadPhase_GetChoice( life.scene.broadPhase, &choice ), "GetChoice" );
                kinds |= 1u << choice.def.kind;
            }
        }
        // It has changed at least twice; which kinds it takes is the rule's, and tested in test_auto.c.
        assert_true( __builtin_popcount( kinds ) >= 3 );
        kitFreeAnswer( answers );
        kitFreeAnswer( answers + 1 );
        kitEnd( &life.scene );
    }
}

// Lives through it with one allocation failing, or all from there on until a call has failed; a quarter of
// the frames is enough to see every change. Returns whether there was such an allocation.
static bool liveWithFailure( uint64_t failing, bool all, uint64_t* quietFailures )
{
    kitHeap* heap = &kitDefaultHeap;
    heap->allocations = heap->refused = 0;
    heap->failAt = all ? 0 : failing;
    heap->failFrom = all ? failing : 0;
    Life life = beginLife( 3, NULL );
    for ( int phase = 0; phase < life_phases; ++phase )
    {
        for ( int frame = 0; frame < LIFE_FRAMES; ++frame )
        {
            const refRandom random = life.random;
            const uint32_t nextKey = life.nextKey;
            if ( liveFrame( &life, phase, frame ) != jo_success )
            {
                heap->failAt = heap->failFrom = 0;
                life.random = random;
                life.nextKey = nextKey;
                kitRequire( liveFrame( &life, phase, frame ), "the same call with memory" );
            }
            const uint64_t refused = heap->refused;
            uint64_t pairCount;
            joResult result = joBroadPhase_FindPairs( life.scene.broadPhase, NULL, 0, &pairCount );
            *quietFailures += result == jo_success && heap->refused > refused ? 1 : 0;
            if ( result != jo_success )
            {
                assert_int_equal( result, jo_errorOutOfMemory );
                heap->failAt = heap->failFrom = 0;
            }
            if ( frame % 5 == 0 || heap->refused > refused )
            {
                const uint64_t failFrom = heap->failFrom;
                heap->failFrom = 0;
                kitCheckScene( &life.scene, "with failing memory" );
                heap->failFrom = failFrom;
            }
        }
    }
    const bool wasReached = heap->refused > 0;
    heap->failAt = heap->failFrom = 0;
    kitEnd( &life.scene );
    return wasReached;
}

static void withoutMemoryForAChangeTheOldKindGoesOn( void** state )
{
    (void)state;
    uint64_t quietFailures = 0;
    for ( int all = 0; all < 2; ++all )
    {
        uint64_t failing = 1;
        while ( liveWithFailure( failing, all, &quietFailures ) )
        {
            failing += 1 + failing / ( kitQuick() ? 3 : 40 );
        }
        assert_true( failing > 100 );
    }
    // Some of them hit a change of the kind, or the notes of it, and nobody has noticed.
    assert_true( quietFailures > 0 );
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
        TEST( "whatever the kind, the answers are right", whateverTheKindTheAnswersAreRight ),
        TEST( "without memory for a change the old kind goes on", withoutMemoryForAChangeTheOldKindGoesOn ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
