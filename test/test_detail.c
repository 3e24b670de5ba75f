// SPDX-License-Identifier: MIT
// Tests of levels of detail: which level a value gives, and that it does not flicker.
#include "test_support.h"

#include "jostle/detail.h"

#include <math.h>

static joDetail makeDetail( joDetailMeasure measure, float a, float b )
{
    joDetail detail = joDefaultDetail();
    detail.measure = measure;
    detail.levelCount = 3;
    detail.switchValues[0] = a;
    detail.switchValues[1] = b;
    detail.hysteresis = 0.25f;
    return detail;
}

static void fartherIsCoarser( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    assert_int_equal( joPickDetail( &detail, 0.0f, JO_NULL_INDEX ), 0 );
    assert_int_equal( joPickDetail( &detail, 10.0f, JO_NULL_INDEX ), 0 );
    assert_int_equal( joPickDetail( &detail, 10.5f, JO_NULL_INDEX ), 1 );
    assert_int_equal( joPickDetail( &detail, 100.0f, JO_NULL_INDEX ), 1 );
    assert_int_equal( joPickDetail( &detail, INFINITY, JO_NULL_INDEX ), 2 );
    const joDetail one = joDefaultDetail();
    assert_int_equal( joPickDetail( &one, 1e30f, JO_NULL_INDEX ), 0 );
}

static void lessImportantIsCoarser( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByImportance, 100.0f, 10.0f );
    assert_int_equal( joPickDetail( &detail, 200.0f, JO_NULL_INDEX ), 0 );
    assert_int_equal( joPickDetail( &detail, 100.0f, JO_NULL_INDEX ), 0 );
    assert_int_equal( joPickDetail( &detail, 99.0f, JO_NULL_INDEX ), 1 );
    assert_int_equal( joPickDetail( &detail, 0.0f, JO_NULL_INDEX ), 2 );
    assert_int_equal( joPickDetail( &detail, 110.0f, 1 ), 1 );
    assert_int_equal( joPickDetail( &detail, 125.0f, 1 ), 0 );
    assert_int_equal( joPickDetail( &detail, 12.0f, 2 ), 2 );
    assert_int_equal( joPickDetail( &detail, 12.0f, 1 ), 1 );
}

static void theWayBackIsLonger( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    assert_int_equal( joPickDetail( &detail, 9.0f, 0 ), 0 );
    assert_int_equal( joPickDetail( &detail, 9.0f, 1 ), 1 );
    assert_int_equal( joPickDetail( &detail, 7.5f, 1 ), 0 );
    assert_int_equal( joPickDetail( &detail, 80.0f, 2 ), 2 );
    assert_int_equal( joPickDetail( &detail, 80.0f, 0 ), 1 );
    // Over several levels at once, and from a level that is none.
    assert_int_equal( joPickDetail( &detail, 5.0f, 2 ), 0 );
    assert_int_equal( joPickDetail( &detail, 500.0f, 0 ), 2 );
    assert_int_equal( joPickDetail( &detail, 80.0f, 77 ), 2 );
}

static void whatGoesToAndFroAtASwitchValueChangesOnce( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    uint32_t level = 0, changes = 0;
    for ( int i = 0; i < 100; ++i )
    {
        const uint32_t next = joPickDetail( &detail, i % 2 == 0 ? 10.5f : 9.5f, level );
        changes += next != level;
        level = next;
    }
    assert_int_equal( changes, 1 );
}

static void whatIsNoNumberKeepsItsLevel( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    assert_int_equal( joPickDetail( &detail, NAN, 2 ), 2 );
    assert_int_equal( joPickDetail( &detail, NAN, JO_NULL_INDEX ), 0 );
    assert_int_equal( joPickDetail( &detail, NAN, 3 ), 0 );
}

typedef struct Thing
{
    float distance;
    char name[8];
    uint32_t level;
} Thing;

static void manyArePickedAsOne( void** state )
{
    (void)state;
    const joDetail detail = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    Thing things[100];
    uint32_t expected[100], changes = 0;
    uint64_t random = 7;
    for ( int i = 0; i < 100; ++i )
    {
        things[i] = ( Thing ){ (float)randomBelow( &random, 150 ), "thing", randomBelow( &random, 4 ) };
        expected[i] = joPickDetail( &detail, things[i].distance, things[i].level );
        changes += expected[i] != things[i].level;
    }
    const joColumn values = { &things->distance, sizeof( Thing ) };
    const joMutableColumn levels = { &things->level, sizeof( Thing ) };
    uint64_t changeCount = 0;
    assert_int_equal( joPickDetails( &detail, &values, 100, &levels, &changeCount ), jo_success );
    assert_int_equal( changeCount, changes );
    for ( int i = 0; i < 100; ++i )
    {
        assert_int_equal( things[i].level, expected[i] );
        assert_string_equal( things[i].name, "thing" );
    }
    assert_int_equal( joPickDetails( &detail, &values, 0, &levels, NULL ), jo_success );
}

static void badDetailsAreRefused( void** state )
{
    (void)state;
    const joDetail good = makeDetail( jo_detailByDistance, 10.0f, 100.0f );
    assert_int_equal( joCheckDetail( &good ), jo_success );
    assert_int_equal( joCheckDetail( NULL ), jo_errorNullArgument );
    joDetail bad[9];
    for ( int i = 0; i < 9; ++i )
    {
        bad[i] = good;
    }
    bad[0].levelCount = 0;
    bad[1].levelCount = JO_MAX_DETAIL_LEVELS + 1;
    bad[2].measure = jo_detailMeasureCount;
    bad[3].hysteresis = 1.5f;
    bad[4].switchValues[0] = -1.0f;
    bad[5].switchValues[1] = INFINITY;
    bad[6].switchValues[1] = NAN;
    bad[7].switchValues[1] = 10.0f;
    bad[8].measure = jo_detailByImportance;
    static const joResult expected[9] = { jo_errorBadCount, jo_errorBadCount, jo_errorBadDef, jo_errorBadDef,
        jo_errorBadDef, jo_errorBadDef, jo_errorNotANumber, jo_errorUnsorted, jo_errorUnsorted };
    float value = 1000.0f;
    uint32_t level = 0;
    const joColumn values = { &value, sizeof( value ) };
    const joMutableColumn levels = { &level, sizeof( level ) };
    for ( int i = 0; i < 9; ++i )
    {
        assert_int_equal( joCheckDetail( &bad[i] ), expected[i] );
        assert_int_equal( joPickDetails( &bad[i], &values, 1, &levels, NULL ), expected[i] );
        assert_int_equal( level, 0 );
    }
    assert_int_equal( joPickDetails( &good, NULL, 1, &levels, NULL ), jo_errorNullArgument );
    assert_int_equal( joPickDetails( &good, &values, 1, NULL, NULL ), jo_errorNullArgument );
}

static void shapesAreGivenByLevel( void** state )
{
    (void)state;
    const joShape3 fine = { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 1.0f, 1.0f ) };
    const joShape3 coarse = { .kind = jo_sphereShape3, .sphere = { .radius = 1.5f } };
    joDetailedShape3 detailed = { joDefaultDetail(), { &fine, &coarse } };
    detailed.detail.levelCount = 2;
    detailed.detail.switchValues[0] = 50.0f;
    assert_int_equal( joCheckDetailedShape3( &detailed ), jo_success );
    uint32_t level = JO_NULL_INDEX;
    assert_ptr_equal( joPickShape3( &detailed, 10.0f, &level ), &fine );
    assert_ptr_equal( joPickShape3( &detailed, 51.0f, &level ), &coarse );
    assert_ptr_equal( joPickShape3( &detailed, 49.0f, &level ), &coarse );
    assert_int_equal( level, 1 );
    detailed.shapes[1] = NULL;
    assert_int_equal( joCheckDetailedShape3( &detailed ), jo_errorNullArgument );

    const joShape2 circle = { .kind = jo_circleShape2, .circle = { .radius = 1.0f } };
    const joShape2 bad = { .kind = jo_circleShape2, .circle = { .radius = -1.0f } };
    joDetailedShape2 detailed2 = { detailed.detail, { &circle, &bad } };
    level = 0;
    assert_ptr_equal( joPickShape2( &detailed2, 60.0f, &level ), &bad );
    assert_int_equal( joCheckDetailedShape2( &detailed2 ), jo_errorBadShape );
    assert_int_equal( joCheckDetailedShape2( NULL ), jo_errorNullArgument );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "farther is coarser", fartherIsCoarser ),
        TEST( "less important is coarser", lessImportantIsCoarser ),
        TEST( "the way back is longer", theWayBackIsLonger ),
        TEST( "what goes to and fro at a switch value changes once",
            whatGoesToAndFroAtASwitchValueChangesOnce ),
        TEST( "what is no number keeps its level", whatIsNoNumberKeepsItsLevel ),
        TEST( "many are picked as one", manyArePickedAsOne ),
        TEST( "bad details are refused", badDetailsAreRefused ),
        TEST( "shapes are given by level", shapesAreGivenByLevel ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
