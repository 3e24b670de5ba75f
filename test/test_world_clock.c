// SPDX-License-Identifier: MIT
// A fixed step for frames of any length.
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

static joWorld* makeWorld( float fixedStep, uint32_t mostDueSteps )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.fixedStep = fixedStep;
    def.mostDueSteps = mostDueSteps;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

static uint32_t addTime( joWorld* world, double seconds, double* dropped )
{
    uint32_t due = 99;
    kitRequire( joWorld_AddTime( world, seconds, &due, dropped ), "joWorld_AddTime" );
    return due;
}

static void framesOfAnyLengthMakeAsManyStepsAsTimeHasGoneBy( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.25f, 4 );
    const joBodyId body = kitAddDisc( world, 0.0f, NULL );
    kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ 8.0f, 0.0f } ), "velocity" );
    const double frames[] = { 0.125, 0.0625, 0.0625, 0.5, 0.375, 0.0, 0.875, 0.125 };
    double time = 0.0;
    for ( size_t i = 0; i < sizeof( frames ) / sizeof( frames[0] ); ++i )
    {
        time += frames[i];
        for ( uint32_t due = addTime( world, frames[i], NULL ); due > 0; --due )
        {
            kitRequire( joWorld_StepFixed( world ), "joWorld_StepFixed" );
        }
        const double steps = floor( time / 0.25 );
        assert_true( (double)kitPoseOf( world, body ).position.x == 2.0 * steps );
        assert_true( (double)joWorld_GetWaitingShare( world ) == time / 0.25 - steps );
        assert_int_equal( joWorld_StepFixed( world ), jo_errorBadTimeStep );
    }
    assert_true( joWorld_Validate( world ) );
    joDestroyWorld( world );
}

static void aSlowFrameIsCaughtUpWithOnlySoFarAndSaysWhatItDropped( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 3 );
    double dropped = -1.0;
    assert_int_equal( addTime( world, 1.25, &dropped ), 2 );
    assert_true( dropped == 0.0 );
    assert_int_equal( addTime( world, 10.0, &dropped ), 3 );
    assert_true( dropped == 9.75 );
    // Steps that are not made are still due.
    kitRequire( joWorld_StepFixed( world ), "joWorld_StepFixed" );
    assert_int_equal( addTime( world, 0.25, &dropped ), 2 );
    assert_true( dropped == 0.0 && joWorld_GetWaitingShare( world ) == 2.5f );
    assert_int_equal( addTime( world, 1e308, &dropped ), 3 );
    joDestroyWorld( world );
}

static void badTimesAreRefusedAndNoTimeGoesBy( void** state )
{
    (void)state;
    joWorld* world = makeWorld( 0.5f, 3 );
    const double times[] = { -0.001, -INFINITY, INFINITY, NAN };
    uint32_t due = 7;
    for ( size_t i = 0; i < 4; ++i )
    {
        assert_int_equal( joWorld_AddTime( world, times[i], &due, NULL ),
            i == 3 ? jo_errorNotANumber : jo_errorBadTimeStep );
    }
    assert_int_equal( joWorld_AddTime( world, 1.0, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_AddTime( NULL, 1.0, &due, NULL ), jo_errorNullArgument );
    assert_int_equal( joWorld_StepFixed( NULL ), jo_errorNullArgument );
    assert_true(
        due == 7 && joWorld_GetWaitingShare( world ) == 0.0f && joWorld_GetWaitingShare( NULL ) == 0.0f );
    joDestroyWorld( world );
    joWorldDef def = joDefaultWorldDef();
    const float steps[] = { 0.0f, -1.0f, INFINITY, NAN, 1.0f };
    for ( size_t i = 0; i < 5; ++i )
    {
        def.fixedStep = steps[i];
        def.mostDueSteps = i == 4 ? 0 : 1;
        assert_int_equal( joCreateWorld( &def, &world ), jo_errorBadDef );
    }
}

int main( void )
{
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "frames of any length make as many steps as time has gone by",
            framesOfAnyLengthMakeAsManyStepsAsTimeHasGoneBy ),
        TEST( "a slow frame is caught up with only so far, and says what it dropped",
            aSlowFrameIsCaughtUpWithOnlySoFarAndSaysWhatItDropped ),
        TEST( "bad times are refused and no time goes by", badTimesAreRefusedAndNoTimeGoesBy ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
