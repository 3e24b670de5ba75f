// SPDX-License-Identifier: MIT
// What goes wrong where work is cut into blocks, and where sets meet: the first bad box of several blocks,
// many boxes over threads, one object that comes in the frame in which another goes, boxes of two sets that
// just touch.
#include "jostle/broad_phase.h"
#include "jostle/math.h"
#include "support/broad_phase_kit.h"

#include <stdio.h>

// More than three blocks of reading, and enough parts for three threads. Sanitizers make every pair tried
// slow.
#if KIT_SANITIZED
#define BOX_COUNT 17000
#else
#define BOX_COUNT 30000
#endif

static float s_lower[3][BOX_COUNT];
static float s_upper[3][BOX_COUNT];

static joBroadPhase* create( joBroadPhaseKind kind, int dimension, joJobs* jobs )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = dimension;
    def.jobs = jobs;
    joBroadPhase* broadPhase = NULL;
    assert_int_equal( joCreateBroadPhase( &def, &broadPhase ), jo_success );
    return broadPhase;
}

static joJobs* createJobs( uint32_t workerCount )
{
    joJobsDef def = joDefaultJobsDef();
    def.workerCount = workerCount;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &def, &jobs ), jo_success );
    return jobs;
}

static joBoxes boxColumns( uint32_t first, uint32_t count )
{
    const joColumn none = { NULL, 0 };
    joBoxes boxes = { none, none, none, none, none, none, none, none, none, count };
    joColumn* columns[6] = {
        &boxes.lowerX, &boxes.lowerY, &boxes.lowerZ, &boxes.upperX, &boxes.upperY, &boxes.upperZ };
    for ( int k = 0; k < 6; ++k )
    {
        *columns[k] = ( joColumn ){ ( k < 3 ? s_lower[k] : s_upper[k - 3] ) + first, sizeof( float ) };
    }
    return boxes;
}

static void setBox( uint32_t i, float x, float y, float z, float half )
{
    const float center[3] = { x, y, z };
    for ( int axis = 0; axis < 3; ++axis )
    {
        s_lower[axis][i] = center[axis] - half;
        s_upper[axis][i] = center[axis] + half;
    }
}

static uint64_t findPairs( joBroadPhase* broadPhase, const joPair** pairs )
{
    uint64_t count = 0;
    assert_int_equal( joBroadPhase_FindPairs( broadPhase, NULL, 0, &count ), jo_success );
    *pairs = joBroadPhase_ViewPairs( broadPhase, &count );
    return count;
}

// Mixed sizes, in no order in space.
static void makeScene( int dimension )
{
    joRandom random = joMakeRandom( 77 );
    const float side = dimension == 2 ? 100.0f : 20.0f;
    for ( uint32_t i = 0; i < BOX_COUNT; ++i )
    {
        float x = joRandom_Range( &random, -side, side );
        float y = joRandom_Range( &random, -side, side );
        float z = joRandom_Range( &random, -side, side );
        setBox( i, x, y, z, i % 2000 == 0 ? 9.0f : joRandom_Range( &random, 0.1f, 0.6f ) );
    }
}

static void theFirstOfSeveralBadBoxesIsNamed( void** state )
{
    (void)state;
    joJobs* jobs[2] = { NULL, createJobs( 4 ) };
    makeScene( 3 );
    const float good = s_lower[1][9100];
    s_lower[1][9100] = s_upper[1][9100] + 1.0f;
    s_lower[0][16400] = s_upper[0][16400] + 1.0f;
    s_lower[2][BOX_COUNT - 1] = s_upper[2][BOX_COUNT - 1] + 1.0f;
    for ( int k = 0; k < 2; ++k )
    {
        joBroadPhase* broadPhase = create( jo_bruteForce, 3, jobs[k] );
        const joBoxes boxes = boxColumns( 0, BOX_COUNT );
        uint32_t errorIndex = 0;
        assert_int_equal( joBroadPhase_SetBoxes( broadPhase, &boxes, &errorIndex ), jo_errorInvertedBox );
        assert_int_equal( errorIndex, 9100 );
        s_lower[1][9100] = good;
        assert_int_equal( joBroadPhase_SetBoxes( broadPhase, &boxes, &errorIndex ), jo_errorInvertedBox );
        assert_int_equal( errorIndex, 16400 );
        s_lower[1][9100] = s_upper[1][9100] + 1.0f;
        joDestroyBroadPhase( broadPhase );
    }
    joDestroyJobs( jobs[1] );
}

static void manyBoxesOverThreadsGiveThePairsOfOne( void** state )
{
    (void)state;
    joJobs* jobs = createJobs( 3 );
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        makeScene( dimension );
        const joBoxes boxes = boxColumns( 0, BOX_COUNT );
        joBroadPhase* plain = create( KIT_TSAN ? jo_sweep : jo_bruteForce, dimension, NULL );
        assert_int_equal( joBroadPhase_SetBoxes( plain, &boxes, NULL ), jo_success );
        const joPair* expected;
        const uint64_t expectedCount = findPairs( plain, &expected );
        assert_true( expectedCount > BOX_COUNT / 4 );
        for ( int kind = jo_sweep; kind < jo_broadPhaseKindCount; ++kind )
        {
            joBroadPhase* threaded = create( (joBroadPhaseKind)kind, dimension, jobs );
            assert_int_equal( joBroadPhase_SetBoxes( threaded, &boxes, NULL ), jo_success );
            const joPair* found;
            const uint64_t foundCount = findPairs( threaded, &found );
            assert_true( foundCount == expectedCount );
            assert_memory_equal( found, expected, (size_t)expectedCount * sizeof( joPair ) );
            joDestroyBroadPhase( threaded );
        }
        joDestroyBroadPhase( plain );
    }
    joDestroyJobs( jobs );
}

// The number of objects is as before, but they are not the same ones: an order kept from the last frame is
// stale.
static void oneComesInTheFrameInWhichAnotherGoes( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
    {
        joBroadPhase* broadPhase = create( (joBroadPhaseKind)kind, 3, NULL );
        for ( uint32_t i = 0; i < 200; ++i )
        {
            setBox( i, 2.0f * (float)i, 0.0f, 0.0f, 0.5f );
        }
        joBoxes boxes = boxColumns( 0, 200 );
        assert_int_equal( joBroadPhase_AddBoxes( broadPhase, jo_moving, &boxes, NULL ), jo_success );
        const joPair* pairs;
        assert_true( findPairs( broadPhase, &pairs ) == 0 );

        for ( uint32_t round = 0; round < 20; ++round )
        {
            // Comes onto box 100 + round; goes: box 3 + round, then the guest of the round before.
            const uint32_t guest = 1000 + round, host = 100 + round, gone = 3 + round;
            setBox( 0, 2.0f * (float)host, 0.0f, 0.0f, 0.5f );
            boxes = boxColumns( 0, 1 );
            boxes.key = ( joColumn ){ &guest, sizeof( guest ) };
            assert_int_equal( joBroadPhase_AddBoxes( broadPhase, jo_moving, &boxes, NULL ), jo_success );
            assert_int_equal( joBroadPhase_Remove( broadPhase, &gone, 1, NULL ), jo_success );
            assert_true( findPairs( broadPhase, &pairs ) == round + 1 );
            assert_int_equal( pairs[round].a, host );
            assert_int_equal( pairs[round].b, guest );
            assert_true( joBroadPhase_Validate( broadPhase ) );
        }
        joDestroyBroadPhase( broadPhase );
    }
}

static void checkTouch( joBroadPhaseKind kind, int dimension, int axis, joMotion motion, float side )
{
    // One box at the origin, its neighbour just touching on one axis and sharing all of the others; more
    // boxes of each set far away, enough for the sets to have structures of their own.
    const uint32_t count = 150;
    const uint32_t neighbour = 2 * count;
    setBox( 0, 0.0f, 0.0f, 0.0f, 0.5f );
    for ( uint32_t i = 1; i < neighbour; ++i )
    {
        setBox( i, 100.0f + 2.0f * (float)i, i < count ? 0.0f : 50.0f, 0.0f, 0.5f );
    }
    setBox( count, axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f, 0.5f );
    static uint32_t keys[300];
    for ( uint32_t i = 0; i < neighbour; ++i )
    {
        keys[i] = i;
    }
    joBroadPhase* broadPhase = create( kind, dimension, NULL );
    joBoxes boxes = boxColumns( 0, count );
    boxes.key = ( joColumn ){ keys, sizeof( uint32_t ) };
    assert_int_equal( joBroadPhase_AddBoxes( broadPhase, motion, &boxes, NULL ), jo_success );
    boxes = boxColumns( count, count );
    boxes.key = ( joColumn ){ keys + count, sizeof( uint32_t ) };
    assert_int_equal( joBroadPhase_AddBoxes( broadPhase, jo_moving, &boxes, NULL ), jo_success );
    for ( int frame = 0; frame < 2; ++frame )
    {
        const joPair* pairs;
        if ( findPairs( broadPhase, &pairs ) != 1 || pairs[0].a != 0 || pairs[0].b != count )
        {
            fail_msg( "%s, %d axes: boxes that touch on axis %d, one of motion %d: not one pair",
                joBroadPhaseKindText( kind ), dimension, axis, (int)motion );
        }
    }
    joDestroyBroadPhase( broadPhase );
}

static void boxesOfTwoSetsThatJustTouchAreAPair( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
        {
            for ( int axis = 0; axis < dimension; ++axis )
            {
                for ( int motion = jo_static; motion <= jo_moving; ++motion )
                {
                    checkTouch( (joBroadPhaseKind)kind, dimension, axis, (joMotion)motion, 1.0f );
                    checkTouch( (joBroadPhaseKind)kind, dimension, axis, (joMotion)motion, -1.0f );
                }
            }
        }
    }
}

// More than two blocks of what is copied to the caller.
static void longListsAreCopiedOverThreads( void** state )
{
    (void)state;
    enum
    {
        count = 300,
        pairCount = count * ( count - 1 ) / 2
    };
    static joPair pairs[pairCount];
    joJobs* jobs = createJobs( 3 );
    joBroadPhase* broadPhase = create( jo_grid, 2, jobs );
    for ( uint32_t i = 0; i < count; ++i )
    {
        setBox( i, 0.0f, 0.0f, 0.0f, 1.0f );
    }
    const joBoxes boxes = boxColumns( 0, count );
    uint64_t found = 0;
    assert_int_equal( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), jo_success );
    assert_int_equal( joBroadPhase_FindPairs( broadPhase, pairs, pairCount, &found ), jo_success );
    assert_int_equal( found, pairCount );
    const joPair* next = pairs;
    for ( uint32_t a = 0; a < count; ++a )
    {
        for ( uint32_t b = a + 1; b < count; ++b, ++next )
        {
            assert_true( next->a == a && next->b == b );
        }
    }
    joDestroyBroadPhase( broadPhase );
    joDestroyJobs( jobs );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( theFirstOfSeveralBadBoxesIsNamed ),
        cmocka_unit_test( manyBoxesOverThreadsGiveThePairsOfOne ),
        cmocka_unit_test( longListsAreCopiedOverThreads ),
        cmocka_unit_test( oneComesInTheFrameInWhichAnotherGoes ),
        cmocka_unit_test( boxesOfTwoSetsThatJustTouchAreAPair ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
