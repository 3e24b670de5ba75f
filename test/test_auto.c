// SPDX-License-Identifier: MIT
// jo_auto: what is chosen for which scene, that the choice keeps still, and that changing it changes no
// answer.
#include "broad_phase/front.h"
#include "jostle/query_batch.h"
#include "support/broad_phase_kit.h"
#include "test_support.h"

#include <math.h>
#include <stdio.h>

// --- the choice, from measures --------------------------------------------------------------------------

// Ten thousand boxes that move a little and fill their world evenly.
static joSceneMeasures evenScene( void )
{
    return ( joSceneMeasures ){ .movingCount = 10000, .contrast = 1.0f };
}

static joBroadPhaseKind kindOf( joSceneMeasures measures )
{
    return joChooseForTraits( joFindTraits( &measures, 0 ) ).kind;
}

static void eachDescribedSceneGetsItsKind( void** state )
{
    (void)state;
    joSceneMeasures scene = { .contrast = 1.0f };
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    scene.movingCount = 100;
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    scene.stillCount = 20;
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    scene.jumpCount = 100.0f;
    assert_int_equal( kindOf( scene ), jo_bruteForce );
    // Still ones among themselves are pairs, too, and queries look at them.
    scene = ( joSceneMeasures ){ .stillCount = 1000, .contrast = 1.0f };
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.movingCount = 1;
    assert_int_equal( kindOf( scene ), jo_bvh );

    scene = evenScene();
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.movingCount = 1000000;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.contrast = 1e6f;
    assert_int_equal( kindOf( scene ), jo_bvh );
    scene.jumpCount = scene.turnover = -1.0f;
    assert_int_equal( kindOf( scene ), jo_bvh );

    scene = evenScene();
    scene.jumpCount = 1000.0f;
    assert_int_equal( kindOf( scene ), jo_grid );
    scene.stillCount = 90000;
    assert_int_equal( kindOf( scene ), jo_grid );
    scene = evenScene();
    scene.turnover = 0.2f;
    assert_int_equal( kindOf( scene ), jo_grid );

    scene.contrast = 1e6f;
    assert_int_equal( kindOf( scene ), jo_sweep );
    scene.stillCount = 90000;
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

static joSceneMeasures withContrast( float value )
{
    joSceneMeasures scene = evenScene();
    scene.contrast = value;
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
    { jo_traitRestless, withJumps, 4.0f, 2.0f },
    { jo_traitRestless, withTurnover, 0.0201f, 0.0101f },
    { jo_traitUneven, withContrast, 700.0f, 350.0f },
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
    scene.jumpCount = scene.turnover = scene.contrast = 3e9f;
    for ( uint32_t traits = 0; traits < 2 * jo_traitUneven; ++traits )
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
        "bvh, because 10000 moving and 0 still objects keep their places from one update to the next." );
    scene.jumpCount = -1.0f;
    joExplainChoice( &scene, 0, text, sizeof( text ) );
    assert_string_equal(
        text, "bvh, because it is not known yet whether 10000 moving objects keep their places." );
    scene.jumpCount = 300.0f;
    scene.contrast = 900.0f;
    joExplainChoice( &scene, jo_traitRestless | jo_traitUneven, text, sizeof( text ) );
    assert_string_equal( text,
        "sweep, because 300 of 10000 moving objects were elsewhere an update before, so that nothing can be "
        "kept, and where it is crowded it is 900 times as dense as on average." );
    scene.jumpCount = 0.0f;
    scene.turnover = 0.5f;
    joExplainChoice( &scene, jo_traitRestless, text, sizeof( text ) );
    assert_string_equal( text,
        "grid, because 50 % of the moving objects came or went in an update, so that nothing can be kept." );
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

// One half in a place that is a millionth of the world.
static void spreadUnevenly( Scene* scene )
{
    spreadEvenly( scene, 1.0f, 0.5f );
    const float far = scene->dimension == 3 ? 1.0e2f : 1.0e3f, count = (float)scene->count;
    const float side[3] = { far * sqrtf( count ), far * sqrtf( count ), far * count };
    spread( scene, 0, scene->count / 2, 0.5f, side );
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
        expectKind( &scene, count < 100 ? jo_bruteForce : jo_bvh, "even" );
        const uint32_t changes = choiceOf( &scene ).changeCount;
        for ( int frame = 0; frame < 5; ++frame )
        {
            setFrame( &scene );
        }
        assert_int_equal( choiceOf( &scene ).changeCount, changes );
        endScene( &scene );
    }
}

static joSceneMeasures measureNow( const Scene* scene, uint32_t present )
{
    joBoxSet sets[JO_SET_COUNT];
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        sets[set] = joObjectSet_View( &scene->broadPhase->sets[set] );
    }
    const joPlaces places = { .known = false };
    joSceneMeasures measures = joMeasureCounts( scene->count, 0 );
    joMeasureScene( &measures, sets, &places, (uint32_t)scene->dimension, present );
    return measures;
}

static void contrastTellsEvenWorldsFromOthers( void** state )
{
    (void)state;
    for ( uint32_t k = 0; k < 24; ++k )
    {
        // Of all extents, in flat, long and even worlds, in 3D with and without the third axis in use.
        const float half = k < 6 ? 0.0f : 0.25f * (float)( 1u << k / 6 );
        Scene scene = beginScene( 2 + (int)( k % 2 ), 3000, 17 + k );
        spreadEvenly( &scene, k % 6 / 2 == 1 ? 1000.0f : 1.0f, half );
        for ( uint32_t i = 0; i < scene.count && k % 6 / 2 == 2; ++i )
        {
            scene.boxes[6 * i + 2] = -half;
            scene.boxes[6 * i + 5] = half;
        }
        setFrame( &scene );
        const float even = measureNow( &scene, jo_traitRestless ).contrast;
        if ( !( even > 0.6f && even < 1.6f ) )
        {
            fail_msg( "scene %u: %g times as dense where boxes are", k, (double)even );
        }
        spreadUnevenly( &scene );
        setFrame( &scene );
        assert_true( measureNow( &scene, jo_traitRestless ).contrast > 1000.0f );
        // It is not needed, and so not measured, where boxes keep their places.
        assert_true( measureNow( &scene, 0 ).contrast == 1.0f );
        endScene( &scene );
    }
}

// Brute force would find the pairs of the still ones by trying all.
static void stillObjectsAloneAreNotTriedWithEachOther( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 4000, 21 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    const joBoxes boxes = columnsOf( &scene, 0, 4000 );
    kitRequire( joBroadPhase_AddBoxes( scene.broadPhase, jo_resting, &boxes, NULL ), "AddBoxes" );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    expectKind( &scene, jo_bvh, "all rest" );
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
        spreadEvenly( &scene, 1.0f, 0.5f );
        runFrames( &scene, 3, false );
        expectKind( &scene, jo_bvh, "quiet" );
        runFrames( &scene, 70, true );
        expectKind( &scene, jo_grid, "shuffled" );
        const joBroadPhaseChoice choice = choiceOf( &scene );
        assert_non_null( strstr( choice.text, " of 2000 moving objects were elsewhere an update before" ) );
        runFrames( &scene, 100, false );
        expectKind( &scene, jo_bvh, "quiet again" );
        endScene( &scene );
    }
}

// Only then is it looked at how uneven they are; and nobody pays for it for long.
static void whatIsRestlessAndUnevenIsSwept( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        Scene scene = beginScene( dimension, 2000, 36 );
        spreadUnevenly( &scene );
        runFrames( &scene, 2, true );
        expectKind( &scene, jo_bvh, "at first" );
        runFrames( &scene, 1, true );
        expectKind( &scene, jo_sweep, "uneven and shuffled" );
        assert_non_null( strstr( choiceOf( &scene ).text, "where it is crowded it is " ) );
        endScene( &scene );
    }
}

// The number of pairs tells that a restless world has become another.
static void aRestlessWorldThatClumpsIsSweptSoon( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 37 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    runFrames( &scene, 70, true );
    expectKind( &scene, jo_grid, "even and shuffled" );
    spreadUnevenly( &scene );
    runFrames( &scene, 4, true );
    expectKind( &scene, jo_sweep, "clumped for four frames" );
    endScene( &scene );
}

static void boxesFarAwayHideNoJumps( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 38 );
    const float vast[3] = { 1e9f, 1e9f, 1e9f };
    spreadEvenly( &scene, 1.0f, 0.5f );
    spread( &scene, 0, 60, 0.5f, vast );
    runFrames( &scene, 10, false );
    expectKind( &scene, jo_bvh, "quiet" );
    for ( int frame = 0; frame < 30; ++frame )
    {
        for ( uint32_t i = 60; i < scene.count; ++i )
        {
            swapBoxes( &scene, i, 60 + joRandom_Below( &scene.random, scene.count - 60 ) );
        }
        setFrame( &scene );
    }
    assert_non_null( strstr( choiceOf( &scene ).text, " of 2000 moving objects were elsewhere" ) );
    endScene( &scene );
}

// Measured as one, it would show that nothing has jumped.
static void whatIsTakenOutOfAStillSetIsNoUpdate( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2200, 39 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    uint32_t keys[200];
    for ( uint32_t i = 0; i < 200; ++i )
    {
        keys[i] = 2000 + i;
    }
    joBoxes resting = columnsOf( &scene, 2000, 2200 );
    resting.key = ( joColumn ){ keys, sizeof( uint32_t ) };
    kitRequire( joBroadPhase_AddBoxes( scene.broadPhase, jo_resting, &resting, NULL ), "AddBoxes" );
    kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    for ( uint32_t frame = 0; frame < 100; ++frame )
    {
        for ( uint32_t i = 2000; i > 1; --i )
        {
            swapBoxes( &scene, i - 1, joRandom_Below( &scene.random, i ) );
        }
        const joBoxes moving = columnsOf( &scene, 0, 2000 );
        kitRequire( joBroadPhase_SetBoxes( scene.broadPhase, &moving, NULL ), "SetBoxes" );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
        kitRequire( joBroadPhase_Remove( scene.broadPhase, keys + frame, 1, NULL ), "Remove" );
        kitRequire( joBroadPhase_Update( scene.broadPhase ), "Update" );
    }
    expectKind( &scene, jo_grid, "shuffled" );
    endScene( &scene );
}

static void steadyMotionIsNoJump( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 2000, 33 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    for ( int frame = 0; frame < 150; ++frame )
    {
        // A twentieth of the world a frame: between two measurings all of it, and more.
        for ( uint32_t i = 0; i < scene.count; ++i )
        {
            scene.boxes[6 * i] += 0.8f;
            scene.boxes[6 * i + 3] += 0.8f;
        }
        setFrame( &scene );
        assert_true( scene.broadPhase->chooser.lastMeasures.jumpCount <= 0.0f );
    }
    expectKind( &scene, jo_bvh, "drifting" );
    endScene( &scene );
}

// Neither the number of objects nor that of pairs tells of it.
static void aSuddenChangeIsSeenAtOnce( void** state )
{
    (void)state;
    Scene scene = beginScene( 3, 3000, 35 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    runFrames( &scene, 100, false );
    expectKind( &scene, jo_bvh, "quiet" );
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
    spreadEvenly( &scene, 1.0f, 0.5f );
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
    spreadUnevenly( &scene );
    runFrames( &scene, 3, true );
    joBroadPhaseChoice choice = choiceOf( &scene );
    assert_int_equal( choice.def.kind, jo_sweep );
    joBroadPhase* other = kitCreate( &choice.def );
    joBoxes boxes = columnsOf( &scene, 0, scene.count );
    uint64_t pairCount = 0, expected = 0;
    kitRequire( joBroadPhase_SetBoxes( other, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_FindPairs( other, NULL, 0, &pairCount ), "FindPairs" );
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &expected ), "FindPairs" );
    assert_int_equal( pairCount, expected );
    joBroadPhaseChoice again;
    kitRequire( joBroadPhase_GetChoice( other, &again ), "GetChoice" );
    assert_int_equal( again.def.kind, jo_sweep );
    assert_false( again.isAuto );
    joDestroyBroadPhase( other );
    endScene( &scene );
}

static void aFixedCapacityIsChosenForOnce( void** state )
{
    (void)state;
    static const uint32_t reserves[] = { 50, 2000 };
    static const joBroadPhaseKind kinds[] = { jo_bruteForce, jo_bvh };
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
        // Elsewhere in each frame: else there would be a grid.
        spreadEvenly( &scene, 1.0f, 0.5f );
        runFrames( &scene, 40, true );
        expectKind( &scene, kinds[k], "fixed and shuffled" );
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
    expectKind( &scene, jo_bvh, "reserved" );
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
        spreadEvenly( &scene, 1.0f, 0.5f );
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

// The kinds need different memory to answer a batch; that must not show in a frame of a scene that settles.
static void aChangeCostsABatchOfQueriesNoMemory( void** state )
{
    (void)state;
    static joHit hits[600];
    Scene scene = beginScene( 3, 2000, 63 );
    spreadEvenly( &scene, 1.0f, 0.5f );
    runFrames( &scene, 5, true );
    expectKind( &scene, jo_grid, "shuffled" );
    TestAllocator test = makeTestAllocator();
    joQueryBatchDef def = joDefaultQueryBatchDef();
    def.allocator = toAllocator( &test );
    joQueryBatch* batch = NULL;
    kitRequire( joCreateQueryBatch( &def, &batch ), "CreateQueryBatch" );
    const float one = 1.0f, ten = 10.0f, zero = 0.0f;
    const joColumn zeros = { &zero, 0 };
    const joRays columns = { .originX = zeros,
        .originY = zeros,
        .originZ = zeros,
        .directionX = { &one, 0 },
        .directionY = { &one, 0 },
        .directionZ = { &one, 0 },
        .length = { &ten, 0 },
        .count = 600 };
    kitRequire( joQueryBatch_CastRaysClosest( batch, scene.broadPhase, &columns, hits, NULL ), "CastRays" );
    const uint64_t calls = test.calls;
    runFrames( &scene, 100, false );
    expectKind( &scene, jo_bvh, "quiet" );
    kitRequire( joQueryBatch_CastRaysClosest( batch, scene.broadPhase, &columns, hits, NULL ), "CastRays" );
    assert_int_equal( test.calls, calls );
    joDestroyQueryBatch( batch );
    assertAllReturned( &test );
    endScene( &scene );
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
        TEST( "contrast tells even worlds from others", contrastTellsEvenWorldsFromOthers ),
        TEST(
            "still objects alone are not tried with each other", stillObjectsAloneAreNotTriedWithEachOther ),
        TEST( "slots that do not keep their places make a grid", slotsThatDoNotKeepTheirPlacesMakeAGrid ),
        TEST( "what is restless and uneven is swept", whatIsRestlessAndUnevenIsSwept ),
        TEST( "a restless world that clumps is swept soon", aRestlessWorldThatClumpsIsSweptSoon ),
        TEST( "boxes far away hide no jumps", boxesFarAwayHideNoJumps ),
        TEST( "what is taken out of a still set is no update", whatIsTakenOutOfAStillSetIsNoUpdate ),
        TEST( "steady motion is no jump", steadyMotionIsNoJump ),
        TEST( "a sudden change is seen at once", aSuddenChangeIsSeenAtOnce ),
        TEST( "objects that come and go make a grid", objectsThatComeAndGoMakeAGrid ),
        TEST( "a scene that swings for ever changes ever more rarely",
            aSceneThatSwingsForEverChangesEverMoreRarely ),
        TEST( "a scene that wavers at a border changes once", aSceneThatWaversAtABorderChangesOnce ),
        TEST( "other kinds say that the caller chose", otherKindsSayThatTheCallerChose ),
        TEST( "the chosen def gives the same without choosing", theChosenDefGivesTheSameWithoutChoosing ),
        TEST( "a fixed capacity is chosen for once", aFixedCapacityIsChosenForOnce ),
        TEST( "a reserve is made for the first choice", aReserveIsMadeForTheFirstChoice ),
        TEST( "a change costs a batch of queries no memory", aChangeCostsABatchOfQueriesNoMemory ),
        TEST( "threads do not show in the choice", threadsDoNotShowInTheChoice ),
    };
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
