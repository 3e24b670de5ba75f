// SPDX-License-Identifier: MIT
// jo_auto: what is chosen for which scene, that the choice keeps still, and that changing it changes no
// answer.
#include "broad_phase/front.h"
#include "support/broad_phase_kit.h"
#include "test_support.h"

#include <math.h>
#include <stdio.h>

// --- the choice, from measures --------------------------------------------------------------------------

// Ten thousand boxes that move a little and fill their world evenly.
static joSceneMeasures evenScene( void )
{
    return ( joSceneMeasures ){
        .movingCount = 10000, .elongation = 1.0f, .crowding = 4.0f, .contrast = 1.0f };
}

static joBroadPhaseKind kindOf( joSceneMeasures measures )
{
    return joChooseForTraits( joFindTraits( &measures, 0 ) ).kind;
}

static void eachDescribedSceneGetsItsKind( void** state )
{
    (void)state;
    joSceneMeasures scene = evenScene();
    assert_int_equal( kindOf( scene ), jo_grid );
    scene.movingCount = 1000000;
    assert_int_equal( kindOf( scene ), jo_grid );
    scene.jumpCount = 900000.0f;
    assert_int_equal( kindOf( scene ), jo_grid );

    scene = ( joSceneMeasures ){ .movingCount = 0, .elongation = 1.0f, .crowding = 1.0f, .contrast = 1.0f };
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    scene.movingCount = 100;
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    // Few of many: pairs with the still ones are tried, too.
    scene.stillCount = 20;
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    scene.stillCount = 1000;
    assert_int_equal( kindOf( scene ), jo_bvh );

    scene = evenScene();
    scene.stillCount = 90000;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.jumpCount = 1000.0f;
    assert_int_equal( kindOf( scene ), jo_grid );

    scene = evenScene();
    scene.elongation = 1000.0f;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.turnover = 0.2f;
    assert_int_equal( kindOf( scene ), jo_grid );

    scene = evenScene();
    scene.askedShare = 1.0f;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.jumpCount = 1000.0f;
    assert_int_equal( kindOf( scene ), jo_grid );

    scene = evenScene();
    scene.crowding = 0.0f;
    assert_int_equal( kindOf( scene ), jo_bvh );

    scene = evenScene();
    scene.contrast = 1e6f;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.jumpCount = 5000.0f;
    assert_int_equal( kindOf( scene ), jo_sweep );
    scene.movingCount = 100000;
    assert_int_equal( kindOf( scene ), jo_tree );
}

// A scene whose one measure is `value`; the others are those of an even scene.
typedef joSceneMeasures SceneFcn( float value );

static joSceneMeasures withTries( float value )
{
    joSceneMeasures scene = evenScene();
    scene.movingCount = (uint32_t)sqrt( 2.0 * (double)value );
    return scene;
}

static joSceneMeasures withCount( float value )
{
    joSceneMeasures scene = evenScene();
    scene.movingCount = (uint32_t)value;
    return scene;
}

static joSceneMeasures withJumps( float value )
{
    joSceneMeasures scene = evenScene();
    scene.jumpCount = value;
    return scene;
}

static joSceneMeasures withTurnover( float value )
{
    joSceneMeasures scene = evenScene();
    scene.turnover = value;
    return scene;
}

static joSceneMeasures withStillShare( float value )
{
    joSceneMeasures scene = evenScene();
    scene.stillCount = (uint32_t)( value * 100000.0f );
    scene.movingCount = 100000 - scene.stillCount;
    return scene;
}

static joSceneMeasures withElongation( float value )
{
    joSceneMeasures scene = evenScene();
    scene.elongation = value;
    return scene;
}

static joSceneMeasures withCrowding( float value )
{
    joSceneMeasures scene = evenScene();
    scene.crowding = value;
    return scene;
}

static joSceneMeasures withContrast( float value )
{
    joSceneMeasures scene = evenScene();
    scene.contrast = value;
    return scene;
}

static joSceneMeasures withQueries( float value )
{
    joSceneMeasures scene = evenScene();
    scene.askedShare = value;
    return scene;
}

// enter: where the trait comes; leave: beyond which it stays, on the other side of enter.
typedef struct TraitCase
{
    joTrait trait;
    SceneFcn* scene;
    float enter, leave;
} TraitCase;

static const TraitCase traitCases[] = {
    { jo_traitFew, withTries, 7900.0f, 15700.0f },
    { jo_traitMany, withCount, 20000.0f, 10001.0f },
    { jo_traitRestless, withJumps, 12.0f, 6.0f },
    { jo_traitRestless, withTurnover, 0.0501f, 0.0251f },
    { jo_traitHasStill, withStillShare, 0.041f, 0.021f },
    { jo_traitLong, withElongation, 30.0f, 15.0f },
    { jo_traitSparse, withCrowding, 0.1f, 0.2f },
    { jo_traitUneven, withContrast, 700.0f, 350.0f },
    { jo_traitAsked, withQueries, 0.5f, 0.25f },
};

static void traitsComeAtOneThresholdAndGoAtAnother( void** state )
{
    (void)state;
    for ( size_t i = 0; i < sizeof( traitCases ) / sizeof( traitCases[0] ); ++i )
    {
        const TraitCase* c = traitCases + i;
        const float beyondLeave = c->leave + 0.2f * ( c->leave - c->enter );
        const float within = c->enter - 0.2f * ( c->leave - c->enter );
        const joSceneMeasures in = c->scene( within ), enter = c->scene( c->enter );
        const joSceneMeasures between = c->scene( 0.5f * ( c->enter + c->leave ) );
        const joSceneMeasures leave = c->scene( c->leave ), out = c->scene( beyondLeave );
        const uint32_t trait = (uint32_t)c->trait;
        const uint32_t others = ~trait;
        // Other traits that are present do not matter.
        for ( uint32_t present = 0; present <= 1; ++present )
        {
            const uint32_t absent = present ? others : 0, there = present ? UINT32_MAX : trait;
            assert_int_equal( joFindTraits( &in, absent ) & trait, trait );
            assert_int_equal( joFindTraits( &enter, absent ) & trait, trait );
            assert_int_equal( joFindTraits( &between, absent ) & trait, 0 );
            assert_int_equal( joFindTraits( &between, there ) & trait, trait );
            assert_int_equal( joFindTraits( &leave, there ) & trait, trait );
            assert_int_equal( joFindTraits( &out, there ) & trait, 0 );
            assert_int_equal( joFindTraits( &out, absent ) & trait, 0 );
        }
    }
}

static void motionThatIsNotKnownChangesNothing( void** state )
{
    (void)state;
    joSceneMeasures scene = evenScene();
    scene.jumpCount = scene.turnover = -1.0f;
    assert_int_equal( joFindTraits( &scene, 0 ) & jo_traitRestless, 0 );
    assert_int_equal( joFindTraits( &scene, jo_traitRestless ) & jo_traitRestless, jo_traitRestless );
}

static void theReasonIsASentenceThatNamesTheKind( void** state )
{
    (void)state;
    joSceneMeasures scene = evenScene();
    scene.stillCount = 4000000000u;
    scene.movingCount = 4000000000u;
    scene.jumpCount = scene.turnover = scene.elongation = 3e9f;
    scene.crowding = scene.contrast = 3e9f;
    for ( uint32_t traits = 0; traits < 2 * jo_traitAsked; ++traits )
    {
        char text[JO_CHOICE_TEXT_SIZE], cut[20];
        joExplainChoice( &scene, traits, text, sizeof( text ) );
        const char* name = joBroadPhaseKindText( joChooseForTraits( traits ).kind );
        assert_memory_equal( text, name, strlen( name ) );
        assert_memory_equal( text + strlen( name ), ", because ", 10 );
        assert_int_equal( text[strlen( text ) - 1], '.' );
        joExplainChoice( &scene, traits, cut, sizeof( cut ) );
        assert_int_equal( strlen( cut ), sizeof( cut ) - 1 );
        assert_memory_equal( cut, text, sizeof( cut ) - 1 );
    }
    scene = evenScene();
    char text[JO_CHOICE_TEXT_SIZE];
    joExplainChoice( &scene, 0, text, sizeof( text ) );
    assert_string_equal( text,
        "grid, because 10000 moving objects fill their world evenly, each overlapping about 4 others." );
}

// --- scenes, measured -----------------------------------------------------------------------------------

typedef struct Scene
{
    joBroadPhase* broadPhase;
    int dimension;
    joRandom random;
    uint32_t count;
    float* boxes; // 6 a box
} Scene;

static Scene beginScene( int dimension, uint32_t count, uint64_t seed )
{
    Scene scene = { .dimension = dimension, .count = count, .random = joMakeRandom( seed ) };
    scene.boxes = calloc( count, 6 * sizeof( float ) );
    assert_non_null( scene.boxes );
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_auto;
    def.dimension = dimension;
    scene.broadPhase = kitCreate( &def );
    return scene;
}

static void endScene( Scene* scene )
{
    joDestroyBroadPhase( scene->broadPhase );
    free( scene->boxes );
}

// Cubes of this half extent, their centres uniform in a world of these sides.
static void spread( Scene* scene, uint32_t first, uint32_t last, float half, const float side[3] )
{
    for ( uint32_t i = first; i < last; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            float center = joRandom_Range( &scene->random, 0.0f, side[axis] );
            scene->boxes[6 * i + (uint32_t)axis] = center - half;
            scene->boxes[6 * i + 3 + (uint32_t)axis] = center + half;
        }
    }
}

// Two pairs a box, about, in a world this many times longer than wide.
static void spreadEvenly( Scene* scene, float elongation, float half )
{
    const double volume = ( scene->dimension == 3 ? 2.0 : 1.0 ) * scene->count;
    const float width = (float)pow( volume / (double)elongation, 1.0 / scene->dimension );
    const float side[3] = { elongation * width, width, width };
    spread( scene, 0, scene->count, half, side );
}

static joBoxes columnsOf( const Scene* scene, uint32_t first, uint32_t last )
{
    joBoxes boxes = { .count = last - first };
    joColumn* columns[6] = {
        &boxes.lowerX, &boxes.lowerY, &boxes.lowerZ, &boxes.upperX, &boxes.upperY, &boxes.upperZ };
    for ( size_t k = 0; k < 6; ++k )
    {
        *columns[k] = ( joColumn ){ scene->boxes + 6 * (size_t)first + k, 6 * sizeof( float ) };
    }
    return boxes;
}

static void jiggle( Scene* scene )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            float step = joRandom_Range( &scene->random, -0.02f, 0.02f );
            scene->boxes[6 * i + axis] += step;
            scene->boxes[6 * i + 3 + axis] += step;
        }
    }
}

static void swapBoxes( Scene* scene, uint32_t i, uint32_t j )
{
    for ( uint32_t k = 0; k < 6; ++k )
    {
        float held = scene->boxes[6 * i + k];
        scene->boxes[6 * i + k] = scene->boxes[6 * j + k];
        scene->boxes[6 * j + k] = held;
    }
}

static void shuffle( Scene* scene )
{
    for ( uint32_t i = scene->count; i > 1; --i )
    {
        swapBoxes( scene, i - 1, joRandom_Below( &scene->random, i ) );
    }
}

static joBroadPhaseChoice choiceOf( const Scene* scene )
{
    joBroadPhaseChoice choice;
    kitRequire( joBroadPhase_GetChoice( scene->broadPhase, &choice ), "GetChoice" );
    assert_true( choice.isAuto );
    return choice;
}

// A frame with all boxes moving.
static void setFrame( Scene* scene )
{
    joBoxes boxes = columnsOf( scene, 0, scene->count );
    uint64_t pairCount;
    kitRequire( joBroadPhase_SetBoxes( scene->broadPhase, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_FindPairs( scene->broadPhase, NULL, 0, &pairCount ), "FindPairs" );
}

static void expectKind( Scene* scene, joBroadPhaseKind kind, const char* what )
{
    const joBroadPhaseChoice choice = choiceOf( scene );
    if ( choice.def.kind != kind )
    {
        fail_msg( "%s, %d axes, %u boxes: %s", what, scene->dimension, scene->count, choice.text );
    }
}

static void aSceneGetsItsKindAtItsFirstUpdate( void** state )
{
    (void)state;
    static const uint32_t counts[] = { 20, 300, 1000, 5000, 40000 };
    for ( uint32_t k = 0; k < 10; ++k )
    {
        const uint32_t count = counts[k / 2];
        Scene scene = beginScene( 2 + (int)( k % 2 ), count, 11 );
        spreadEvenly( &scene, 1.0f, 0.5f );
        setFrame( &scene );
        expectKind( &scene, count < 100 ? jo_bruteForce : jo_grid, "even" );
        endScene( &scene );

        scene = beginScene( 2 + (int)( k % 2 ), count, 12 );
        spreadEvenly( &scene, 400.0f, 0.5f );
        setFrame( &scene );
        expectKind( &scene, count < 100 ? jo_bruteForce : jo_bvh, "long" );
        endScene( &scene );

        scene = beginScene( 2 + (int)( k % 2 ), count, 13 );
        spreadEvenly( &scene, 1.0f, 0.0f );
        setFrame( &scene );
        expectKind( &scene, count < 100 ? jo_bruteForce : jo_bvh, "points" );
        endScene( &scene );

        // One half in a place that is a millionth of the world.
        scene = beginScene( 2 + (int)( k % 2 ), count, 14 );
        spreadEvenly( &scene, 1.0f, 0.5f );
        const float far = scene.dimension == 3 ? 1.0e2f : 1.0e3f;
        const float side[3] = {
            far * sqrtf( (float)count ), far * sqrtf( (float)count ), far * (float)count };
        spread( &scene, 0, count / 2, 0.5f, side );
        setFrame( &scene );
        expectKind( &scene, count < 100 ? jo_bruteForce : jo_bvh, "uneven" );
        endScene( &scene );
    }
}

static uint64_t countPairs( Scene* scene )
{
    uint64_t pairCount;
    setFrame( scene );
    kitRequire( joBroadPhase_FindPairs( scene->broadPhase, NULL, 0, &pairCount ), "FindPairs" );
    return pairCount;
}

static void crowdingIsNearTheNumberOfOverlaps( void** state )
{
    (void)state;
    for ( uint32_t k = 0; k < 24; ++k )
    {
        // Of all extents, in flat, long and even worlds, in 3D with and without the third axis in use.
        const float half = 0.25f * (float)( 1u << k / 6 );
        Scene scene = beginScene( 2 + (int)( k % 2 ), 3000, 17 + k );
        spreadEvenly( &scene, k % 6 / 2 == 1 ? 1000.0f : 1.0f, half );
        for ( uint32_t i = 0; i < scene.count && k % 6 / 2 == 2; ++i )
        {
            scene.boxes[6 * i + 2] = -half;
            scene.boxes[6 * i + 5] = half;
        }
        const double expected = 2.0 * (double)countPairs( &scene ) / scene.count;
        joBoxSet sets[JO_SET_COUNT];
        for ( int set = 0; set < JO_SET_COUNT; ++set )
        {
            sets[set] = joObjectSet_View( &scene.broadPhase->sets[set] );
        }
        const joPlaces places = { .known = false };
        joSceneMeasures measures = joMeasureCounts( scene.count, 0 );
        joMeasureScene( &measures, sets, &places, (uint32_t)scene.dimension );
        if ( !( (double)measures.crowding < 2.0 * expected && (double)measures.crowding > expected / 2.0 ) )
        {
            fail_msg( "scene %u: a box overlaps %g others, not %g", k, expected, (double)measures.crowding );
        }
        assert_true( measures.contrast > 0.6f && measures.contrast < 1.6f );
        endScene( &scene );
    }
}

static void stillObjectsMakeAHierarchy( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 4000, 21 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    uint32_t keys[400];
    for ( uint32_t i = 0; i < 400; ++i )
    {
        keys[i] = i;
    }
    joBoxes boxes = columnsOf( &scene, 0, 4000 );
    kitRequire( joBroadPhase_AddBoxes( scene.broadPhase, jo_moving, &boxes, NULL ), "AddBoxes" );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    expectKind( &scene, jo_grid, "all move" );
    kitRequire( joBroadPhase_SetMotion( scene.broadPhase, jo_resting, keys, 400, NULL ), "SetMotion" );
    for ( int frame = 0; frame < 80; ++frame )
    {
        jiggle( &scene );
        joBoxes moved = columnsOf( &scene, 400, 4000 );
        uint32_t movedKeys[3600];
        for ( uint32_t i = 0; i < 3600; ++i )
        {
            movedKeys[i] = 400 + i;
        }
        moved.key = ( joColumn ){ movedKeys, sizeof( uint32_t ) };
        kitRequire( joBroadPhase_MoveBoxes( scene.broadPhase, &moved, NULL ), "MoveBoxes" );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    }
    expectKind( &scene, jo_bvh, "a tenth rests" );
    assert_int_equal( choiceOf( &scene ).changeCount, 2 );
    endScene( &scene );
}

static void runFrames( Scene* scene, int frames, bool shuffled )
{
    for ( int frame = 0; frame < frames; ++frame )
    {
        jiggle( scene );
        if ( shuffled )
        {
            shuffle( scene );
        }
        setFrame( scene );
    }
}

static void slotsThatDoNotKeepTheirPlacesMakeAGrid( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        Scene scene = beginScene( dimension, 2000, 31 );
        spreadEvenly( &scene, 400.0f, 0.5f );
        runFrames( &scene, 3, false );
        expectKind( &scene, jo_bvh, "long" );
        runFrames( &scene, 70, true );
        expectKind( &scene, jo_grid, "long and shuffled" );
        const joBroadPhaseChoice choice = choiceOf( &scene );
        assert_non_null( strstr( choice.text, " of 2000 moving objects were elsewhere an update before" ) );
        runFrames( &scene, 100, false );
        expectKind( &scene, jo_bvh, "long again" );
        endScene( &scene );
    }
}

static void steadyMotionIsNoJump( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 33 );
    spreadEvenly( &scene, 400.0f, 0.5f );
    for ( int frame = 0; frame < 150; ++frame )
    {
        // A hundredth of the world a frame: between two measurings a third of it.
        for ( uint32_t i = 0; i < scene.count; ++i )
        {
            scene.boxes[6 * i] += 8.0f;
            scene.boxes[6 * i + 3] += 8.0f;
        }
        setFrame( &scene );
    }
    expectKind( &scene, jo_bvh, "drifting" );
    endScene( &scene );
}

static void queriesMakeAHierarchy( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 34 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    runFrames( &scene, 3, false );
    expectKind( &scene, jo_grid, "no queries" );
    for ( int frame = 0; frame < 80; ++frame )
    {
        const joRay ray = { .direction = { 1.0f, 1.0f, 1.0f }, .length = 5.0f };
        joHit hit;
        kitRequire( joBroadPhase_CastRayClosest( scene.broadPhase, &ray, NULL, &hit ), "CastRayClosest" );
        runFrames( &scene, 1, false );
    }
    expectKind( &scene, jo_bvh, "a ray a frame" );
    assert_non_null( strstr( choiceOf( &scene ).text, "queries follow upon " ) );
    runFrames( &scene, 150, false );
    expectKind( &scene, jo_grid, "no queries again" );
    endScene( &scene );
}

// Neither the number of objects nor that of pairs tells of it.
static void aSuddenChangeIsSeenAtOnce( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 3000, 35 );
    spreadEvenly( &scene, 100.0f, 0.5f );
    runFrames( &scene, 100, false );
    expectKind( &scene, jo_bvh, "long" );
    runFrames( &scene, 3, true );
    expectKind( &scene, jo_grid, "shuffled for three frames" );
    runFrames( &scene, 100, true );
    const uint32_t changes = choiceOf( &scene ).changeCount;
    runFrames( &scene, 3, false );
    expectKind( &scene, jo_bvh, "quiet for three frames" );
    assert_int_equal( choiceOf( &scene ).changeCount, changes + 1 );
    endScene( &scene );
}

static void objectsThatComeAndGoMakeAGrid( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 32 );
    spreadEvenly( &scene, 400.0f, 0.5f );
    for ( uint32_t frame = 0; frame < 50; ++frame )
    {
        uint64_t pairCount;
        joBoxes boxes = columnsOf( &scene, 0, frame % 2 ? 2000 : 1800 );
        kitRequire( joBroadPhase_SetBoxes( scene.broadPhase, &boxes, NULL ), "SetBoxes" );
        kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &pairCount ), "FindPairs" );
    }
    expectKind( &scene, jo_grid, "a tenth comes and goes" );
    assert_non_null( strstr( choiceOf( &scene ).text, "came or went" ) );
    endScene( &scene );
}

// Each frame is one side of the threshold, then the other, with all the measuring that may bring.
static void aSceneThatSwingsForEverChangesEverMoreRarely( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 600, 41 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    uint32_t changes[2];
    for ( uint32_t frame = 0; frame < 3000; ++frame )
    {
        joBoxes boxes = columnsOf( &scene, 0, frame / 40 % 2 ? 600 : 60 );
        kitRequire( joBroadPhase_SetBoxes( scene.broadPhase, &boxes, NULL ), "SetBoxes" );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
        changes[frame / 1500] = choiceOf( &scene ).changeCount;
    }
    assert_true( changes[0] >= 4 && changes[0] <= 16 );
    assert_true( changes[1] - changes[0] <= 4 );
    endScene( &scene );
}

static void aSceneThatWaversAtABorderChangesOnce( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 150, 42 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    for ( uint32_t frame = 0; frame < 2000; ++frame )
    {
        // 105 boxes: 5,500 pairs; 145: 10,500.
        joBoxes boxes = columnsOf( &scene, 0, 105 + joRandom_Below( &scene.random, 41 ) );
        kitRequire( joBroadPhase_SetBoxes( scene.broadPhase, &boxes, NULL ), "SetBoxes" );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    }
    assert_true( choiceOf( &scene ).changeCount <= 2 );
    endScene( &scene );
}

static void otherKindsSayThatTheCallerChose( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_auto; ++kind )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.kind = (joBroadPhaseKind)kind;
        def.cellSize = 3.0f;
        def.looseness = 1.25f;
        joBroadPhase* broadPhase = kitCreate( &def );
        joBroadPhaseChoice choice;
        memset( &choice, 0xEE, sizeof( choice ) );
        assert_int_equal( joBroadPhase_GetChoice( broadPhase, &choice ), jo_success );
        assert_false( choice.isAuto );
        assert_int_equal( choice.changeCount, 0 );
        assert_int_equal( choice.def.kind, kind );
        assert_true( choice.def.cellSize == 3.0f && choice.def.looseness == 1.25f );
        char expected[64];
        snprintf( expected, sizeof( expected ), "%s, because the caller chose it.",
            joBroadPhaseKindText( (joBroadPhaseKind)kind ) );
        assert_string_equal( choice.text, expected );
        assert_int_equal( joBroadPhase_GetChoice( NULL, &choice ), jo_errorNullArgument );
        assert_int_equal( joBroadPhase_GetChoice( broadPhase, NULL ), jo_errorNullArgument );
        joDestroyBroadPhase( broadPhase );
    }
}

static void theChosenDefGivesTheSameWithoutChoosing( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 3000, 51 );
    spreadEvenly( &scene, 500.0f, 0.5f );
    runFrames( &scene, 3, false );
    joBroadPhaseChoice choice = choiceOf( &scene );
    assert_int_equal( choice.def.kind, jo_bvh );
    joBroadPhase* other = kitCreate( &choice.def );
    joBoxes boxes = columnsOf( &scene, 0, scene.count );
    uint64_t pairCount = 0, expected = 0;
    kitRequire( joBroadPhase_SetBoxes( other, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_FindPairs( other, NULL, 0, &pairCount ), "FindPairs" );
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &expected ), "FindPairs" );
    assert_int_equal( pairCount, expected );
    joBroadPhaseChoice again;
    kitRequire( joBroadPhase_GetChoice( other, &again ), "GetChoice" );
    assert_int_equal( again.def.kind, jo_bvh );
    assert_false( again.isAuto );
    joDestroyBroadPhase( other );
    endScene( &scene );
}

static void aFixedCapacityIsChosenForOnce( void** state )
{
    (void)state;
    static const uint32_t reserves[] = { 50, 2000 };
    static const joBroadPhaseKind kinds[] = { jo_bruteForce, jo_grid };
    for ( int k = 0; k < 2; ++k )
    {
        Scene scene = beginScene( 3, reserves[k], 61 );
        joDestroyBroadPhase( scene.broadPhase );
        TestAllocator test = makeTestAllocator();
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.kind = jo_auto;
        def.objectReserve = reserves[k];
        def.pairReserve = 20 * reserves[k];
        def.fixedCapacity = true;
        def.allocator = toAllocator( &test );
        scene.broadPhase = kitCreate( &def );
        const uint64_t calls = test.calls;
        expectKind( &scene, kinds[k], "fixed" );
        assert_non_null( strstr( choiceOf( &scene ).text, "chosen at create for up to" ) );
        // Long worlds would have a hierarchy.
        spreadEvenly( &scene, 500.0f, 0.5f );
        runFrames( &scene, 40, false );
        expectKind( &scene, kinds[k], "fixed and long" );
        assert_int_equal( test.calls, calls );
        endScene( &scene );
        assertAllReturned( &test );
    }
}

static void aReserveIsMadeForTheFirstChoice( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 62 );
    joDestroyBroadPhase( scene.broadPhase );
    TestAllocator test = makeTestAllocator();
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_auto;
    def.objectReserve = 2000;
    def.allocator = toAllocator( &test );
    scene.broadPhase = kitCreate( &def );
    expectKind( &scene, jo_grid, "reserved" );
    assert_non_null( strstr( choiceOf( &scene ).text, "until there are objects to measure" ) );
    spreadEvenly( &scene, 1.0f, 0.5f );
    setFrame( &scene );
    assert_int_equal( choiceOf( &scene ).changeCount, 0 );
    endScene( &scene );
    assertAllReturned( &test );
}

static void threadsDoNotShowInTheChoice( void** state )
{
    (void)state;
    char texts[2][JO_CHOICE_TEXT_SIZE];
    uint32_t changes[2];
    for ( uint32_t k = 0; k < 2; ++k )
    {
        Scene scene = beginScene( 3, 3000, 71 );
        joDestroyBroadPhase( scene.broadPhase );
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.kind = jo_auto;
        def.jobs = kitJobs( k == 0 ? 1 : 3 );
        scene.broadPhase = kitCreate( &def );
        spreadEvenly( &scene, 100.0f, 0.5f );
        runFrames( &scene, 20, false );
        runFrames( &scene, 40, true );
        const joBroadPhaseChoice choice = choiceOf( &scene );
        memcpy( texts[k], choice.text, sizeof( choice.text ) );
        changes[k] = choice.changeCount;
        endScene( &scene );
    }
    assert_string_equal( texts[0], texts[1] );
    assert_int_equal( changes[0], changes[1] );
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
        TEST( "each described scene gets its kind", eachDescribedSceneGetsItsKind ),
        TEST( "traits come at one threshold and go at another", traitsComeAtOneThresholdAndGoAtAnother ),
        TEST( "motion that is not known changes nothing", motionThatIsNotKnownChangesNothing ),
        TEST( "the reason is a sentence that names the kind", theReasonIsASentenceThatNamesTheKind ),
        TEST( "a scene gets its kind at its first update", aSceneGetsItsKindAtItsFirstUpdate ),
        TEST( "crowding is near the number of overlaps", crowdingIsNearTheNumberOfOverlaps ),
        TEST( "still objects make a hierarchy", stillObjectsMakeAHierarchy ),
        TEST( "slots that do not keep their places make a grid", slotsThatDoNotKeepTheirPlacesMakeAGrid ),
        TEST( "steady motion is no jump", steadyMotionIsNoJump ),
        TEST( "queries make a hierarchy", queriesMakeAHierarchy ),
        TEST( "a sudden change is seen at once", aSuddenChangeIsSeenAtOnce ),
        TEST( "objects that come and go make a grid", objectsThatComeAndGoMakeAGrid ),
        TEST( "a scene that swings for ever changes ever more rarely",
            aSceneThatSwingsForEverChangesEverMoreRarely ),
        TEST( "a scene that wavers at a border changes once", aSceneThatWaversAtABorderChangesOnce ),
        TEST( "other kinds say that the caller chose", otherKindsSayThatTheCallerChose ),
        TEST( "the chosen def gives the same without choosing", theChosenDefGivesTheSameWithoutChoosing ),
        TEST( "a fixed capacity is chosen for once", aFixedCapacityIsChosenForOnce ),
        TEST( "a reserve is made for the first choice", aReserveIsMadeForTheFirstChoice ),
        TEST( "threads do not show in the choice", threadsDoNotShowInTheChoice ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
