// SPDX-License-Identifier: MIT
// What must happen in the scenes of scenes/ in which bodies slide: falling boxes, bullets, a character,
// rooms.
#include "scene_stage.h"

#define SKIN 0.005 // the default

static joVec2 placeOf( const Stage* stage, joBodyId id )
{
    return bodyOf( stage, id ).pose.position;
}

static joSlideState slideOf( const Stage* stage, joBodyId id )
{
    joSlideState state;
    kitRequire( joWorld_GetSlideState( stage->run->world, id, &state ), "joWorld_GetSlideState" );
    return state;
}

static uint64_t touchCountOf( const Stage* stage, joBodyId id )
{
    uint64_t count;
    kitRequire( joWorld_GetContacts( stage->run->world, id, NULL, 0, &count ), "joWorld_GetContacts" );
    return count;
}

// How often the body enters, or exits, in the events of the last step.
static uint64_t countFor( joBodyId id, const joContactEvent* events, uint64_t count )
{
    uint64_t found = 0;
    for ( uint64_t i = 0; i < count; ++i )
    {
        found += events[i].bodyA.bits == id.bits || events[i].bodyB.bits == id.bits ? 1 : 0;
    }
    return found;
}

// --- collision_event --------------------------------------------------------------------------------------

// The colours of pictures go by what a body touches.
static void aBoxFallsAndStopsAndAnotherTouchesFromEnterToExit( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "collision_event", 1.0f );
    const joBodyId faller = groupNamed( &stage, "faller" )->ids[0];
    const joBodyId mover = groupNamed( &stage, "mover" )->ids[0];
    bool isIn = false;
    for ( uint32_t step = 0; step < stage.scene.steps; ++step )
    {
        stepStage( &stage );
        joContactEvents gate, ground;
        joSceneRun_GetEvents( stage.run, 0, &ground );
        joSceneRun_GetEvents( stage.run, 1, &gate );
        // The gate is from 2.5 to 3.5, the box half a unit to each side, and leaves at the margin.
        const double x = (double)placeOf( &stage, mover ).x;
        const bool isNow = x + 0.5 >= 2.5 && x - 0.5 <= 3.5 + ( isIn ? 0.005 : 0.0 );
        assert_int_equal( gate.enterCount, isNow && !isIn ? 1 : 0 );
        assert_int_equal( gate.exitCount, isIn && !isNow ? 1 : 0 );
        assert_int_equal( touchCountOf( &stage, mover ), isNow ? 1 : 0 );
        isIn = isNow;
        // Never through the platform, at the height of which its middle is a unit above the origin.
        assert_true( (double)placeOf( &stage, faller ).y > 1.0 );
        assert_int_equal( ground.exitCount, 0 );
    }
    assert_int_equal( stage.ledgers[0].enterCount, 1 );
    assert_int_equal( stage.ledgers[1].enterCount, 1 );
    assert_int_equal( stage.ledgers[1].exitCount, 1 );
    assert_true( fabs( (double)placeOf( &stage, faller ).y - 1.0 ) <= 1.5 * SKIN );
    assert_true( bodyOf( &stage, faller ).velocity.y == 0.0f && slideOf( &stage, faller ).isGrounded );
    assert_true( touchCountOf( &stage, faller ) == 1 );
    closeStage( &stage );
}

// --- bullets_wall -----------------------------------------------------------------------------------------

static void noBulletPassesTheWallAndEachEntersOnce( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "bullets_wall", 1.0f );
    const joSceneGroup* bullets = groupNamed( &stage, "bullet" );
    assert_int_equal( bullets->count, 1000 );
    uint32_t* enters = calloc( bullets->count, sizeof( uint32_t ) );
    assert_non_null( enters );
    for ( uint32_t step = 0; step < stage.scene.steps; ++step )
    {
        stepStage( &stage );
        joContactEvents events;
        joSceneRun_GetEvents( stage.run, 0, &events );
        for ( uint32_t i = 0; i < bullets->count; ++i )
        {
            const joBodyDef2 bullet = bodyOf( &stage, bullets->ids[i] );
            enters[i] += (uint32_t)countFor( bullets->ids[i], events.enters, events.enterCount );
            // Before the wall, which is 0.005 to each side, and after it has been met on the way back.
            assert_true( bullet.pose.position.x < -0.005f - 0.01f );
            assert_true( enters[i] == ( bullet.velocity.x < 0.0f ? 1u : 0u ) );
        }
    }
    for ( uint32_t i = 0; i < bullets->count; ++i )
    {
        assert_int_equal( enters[i], 1 );
        assert_true( fabsf( bodyOf( &stage, bullets->ids[i] ).velocity.x + 2000.0f ) < 0.01f );
    }
    assert_int_equal( stage.ledgers[0].enterCount, bullets->count );
    assert_int_equal( stage.ledgers[0].exitCount, bullets->count );
    free( enters );
    closeStage( &stage );
}

// --- platformer -------------------------------------------------------------------------------------------

// The script of the scene, in seconds: runs from 0.5, stands under the ledge from 6, jumps at 6.5, goes over
// its edge from 7.6, and to the ferry from 8.9; stands on it from 9.3, and runs on from 13.4.
static void theCharacterRunsJumpsLandsRidesAndStops( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "platformer", 1.0f );
    const joBodyId hero = groupNamed( &stage, "hero" )->ids[0];
    const joBodyId ferry = groupNamed( &stage, "ferry" )->ids[0];
    // Middle of a capsule of half height 0.7 that stands on something that is so high.
    const double onTiles = 0.7, onPlateau = 3.7, onLedge = 5.8;
    double before = 0.0, onFerry = 0.0;
    bool wasAboveLedge = false;
    for ( uint32_t step = 1; step <= stage.scene.steps; ++step )
    {
        stepStage( &stage );
        const double time = step / 60.0, x = (double)placeOf( &stage, hero ).x;
        const double y = (double)placeOf( &stage, hero ).y;
        const joSlideState slide = slideOf( &stage, hero );
        const double way = x - before;
        // On something at all times but in the jump and when it goes over the edge of the ledge.
        const bool mayFly = time < 0.3 || ( time > 6.5 && time < 7.45 ) || ( time > 8.1 && time < 8.7 );
        assert_true( mayFly || slide.isGrounded );
        // Between plateau, ferry and the other side are gaps as narrow as it is round.
        const bool isOverGaps = x > 29.9 && x < 42.1;
        assert_true( y > ( x < 24.0 ? onTiles : onPlateau ) - ( isOverGaps ? 0.05 : 0.0 ) );
        if ( time > 0.55 && time < 5.95 )
        {
            // No seam, step or slope stops it.
            assert_true( fabs( way - 5.0 / 60.0 ) < 1e-3 );
        }
        if ( time > 6.55 && time < 6.8 )
        {
            assert_true( bodyOf( &stage, hero ).velocity.y > 0.0f ); // through the ledge
        }
        wasAboveLedge = wasAboveLedge || y > onLedge + 0.4;
        if ( time > 7.45 && time < 8.1 )
        {
            assert_true( wasAboveLedge && fabs( y - onLedge ) < 2.0 * SKIN );
        }
        if ( time > 9.35 && time < 13.35 )
        {
            const double offset = x - (double)placeOf( &stage, ferry ).x;
            onFerry = time < 9.4 ? offset : onFerry;
            assert_true( fabs( offset - onFerry ) < 1e-3 && slide.groundBody.bits == ferry.bits );
        }
        if ( time > 13.9 && x < 51.5 )
        {
            assert_true( fabs( way - 5.0 / 60.0 ) < 1e-3 );
        }
        before = x;
    }
    // At the wall, of which the side is at 52.
    assert_true( fabs( before - ( 52.0 - 0.3 ) ) < 2.0 * SKIN );
    assert_true( ( slideOf( &stage, hero ).sides & jo_slideRight ) != 0 );
    assert_int_equal( touchCountOf( &stage, hero ), 2 );
    closeStage( &stage );
}

// --- rooms ------------------------------------------------------------------------------------------------

static joBodyDef3 solidOf( const Stage* stage, joBodyId id )
{
    joBodyDef3 def;
    kitRequire( joWorld_GetBody3( stage->run->world, id, &def ), "joWorld_GetBody3" );
    return def;
}

// Within the walls, and not below the floor.
static void expectInTheHouse( const Stage* stage, const joSceneGroup* group )
{
    for ( uint32_t i = 0; i < group->count; ++i )
    {
        const joVec3 place = solidOf( stage, group->ids[i] ).pose.position;
        assert_true( fabsf( place.x ) < 16.0f && fabsf( place.z ) < 8.0f && place.y > 0.2f );
    }
}

static void thingsRestOnTheFloorAndTheDoorTellsWhoPasses( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "rooms", 0.5f );
    const joSceneGroup* things[2] = { groupNamed( &stage, "box" ), groupNamed( &stage, "capsule" ) };
    const uint32_t steps = stepCountOf( &stage, 500 );
    for ( uint32_t step = 0; step < steps; ++step )
    {
        stepStage( &stage );
        expectInTheHouse( &stage, things[0] );
        expectInTheHouse( &stage, things[1] );
    }
    uint64_t passes = 0;
    for ( uint32_t g = 0; g < stage.scene.bodyCount; ++g )
    {
        const joSceneGroup* group = &stage.run->groups[g];
        const bool isThing = group == things[0] || group == things[1];
        const bool isWalker = strcmp( group->source->name, "walker" ) == 0;
        if ( isWalker )
        {
            expectInTheHouse( &stage, group );
        }
        for ( uint32_t i = 0; i < group->count && ( isThing || isWalker ); ++i )
        {
            assert_true( slideOf( &stage, group->ids[i] ).isGrounded );
            assert_true( solidOf( &stage, group->ids[i] ).velocity.y == 0.0f );
            passes += isWalker ? 2 : 0;
        }
    }
    // To the other room and back.
    assert_int_equal( passes, 8 );
    assert_int_equal( stage.ledgers[1].enterCount, passes );
    assert_int_equal( stage.ledgers[1].exitCount, passes );
    closeStage( &stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "collision_event: a box falls and stops; another touches the gate from its enter to its exit",
            aBoxFallsAndStopsAndAnotherTouchesFromEnterToExit ),
        TEST(
            "bullets_wall: no bullet passes, and each enters once", noBulletPassesTheWallAndEachEntersOnce ),
        TEST( "platformer: the character runs, jumps through, lands, rides and stops, and never snags",
            theCharacterRunsJumpsLandsRidesAndStops ),
        TEST( "rooms: things rest on the floor, and the door tells who passes",
            thingsRestOnTheFloorAndTheDoorTellsWhoPasses ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
