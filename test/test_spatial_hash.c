// SPDX-License-Identifier: MIT
#include "jostle/math.h"
#include "jostle/spatial_hash.h"
#include "reference/limited_memory.h"
#include "reference/spatial_hash_reference.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_POINTS 4000

static uint64_t seed = 1;

static joSpatialHash* makeHash( int dimension, float cellSize, LimitedMemory* memory )
{
    joSpatialHashDef def = joDefaultSpatialHashDef();
    def.dimension = dimension;
    def.cellSize = cellSize;
    if ( memory != NULL )
    {
        def.allocator = limitedAllocator( memory );
    }
    joSpatialHash* hash = NULL;
    assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_success );
    return hash;
}

static joPoints pointColumns( const ReferencePoint* points, uint32_t count )
{
    const size_t stride = sizeof( ReferencePoint );
    return ( joPoints ){ .x = { &points->position[0], stride },
        .y = { &points->position[1], stride },
        .z = { &points->position[2], stride },
        .value = { &points->value, stride },
        .count = count };
}

static void addStill( joSpatialHash* hash, const ReferencePoint* points, uint32_t count )
{
    const joPoints columns = pointColumns( points, count );
    assert_int_equal( joSpatialHash_AddStill( hash, &columns, NULL ), jo_success );
}

static void addMoving( joSpatialHash* hash, const ReferencePoint* points, uint32_t count )
{
    const joPoints columns = pointColumns( points, count );
    assert_int_equal( joSpatialHash_AddMoving( hash, &columns, NULL ), jo_success );
}

// Both queries at one place against the reference, into a buffer of `capacity`.
static void checkQueries( joSpatialHash* hash, const ReferencePoint* points, uint32_t count, int dimension,
    float cellSize, const float* position, float radius, uint32_t capacity )
{
    static uint32_t wanted[MAX_POINTS];
    static uint32_t got[MAX_POINTS + 1];
    for ( int exact = 0; exact < 2; ++exact )
    {
        const uint32_t wantedCount =
            exact ? referenceQueryRadius( points, count, dimension, position, radius, wanted )
                  : referenceQueryCells( points, count, dimension, cellSize, position, radius, wanted );
        uint64_t gotCount = UINT64_MAX;
        got[capacity] = 0xABCDEF01u;
        const joResult result =
            exact ? joSpatialHash_QueryRadius( hash, position, radius, got, capacity, &gotCount )
                  : joSpatialHash_QueryCells( hash, position, radius, got, capacity, &gotCount );
        assert_int_equal( result, jo_success );
        assert_int_equal( gotCount, wantedCount );
        const uint32_t kept = wantedCount < capacity ? wantedCount : capacity;
        if ( kept > 0 )
        {
            assert_memory_equal( got, wanted, kept * sizeof( uint32_t ) );
        }
        assert_int_equal( got[capacity], 0xABCDEF01u );
    }
}

typedef struct Scene
{
    int dimension;
    float cellSize;
    float origin;
    float side;
    uint32_t count;
    ReferencePoint points[MAX_POINTS];
} Scene;

static float randomCoordinate( joRandom* random, const Scene* scene )
{
    const float x = scene->origin + joRandom_Range( random, 0.0f, scene->side );
    // A quarter on cell borders.
    return joRandom_Below( random, 4 ) == 0 ? floorf( x / scene->cellSize ) * scene->cellSize : x;
}

static void makeScene( joRandom* random, Scene* scene )
{
    const float cellSizes[] = { 1.0f, 0.1f, 3.7f, 64.0f, 1e-3f };
    const float origins[] = { 0.0f, -5.0f, -1e4f, 1e6f, -3e9f };
    const float sides[] = { 0.0f, 1.0f, 10.0f, 300.0f, 1e9f };
    scene->dimension = 2 + (int)joRandom_Below( random, 2 );
    scene->cellSize = cellSizes[joRandom_Below( random, 5 )];
    scene->origin = origins[joRandom_Below( random, 5 )];
    scene->side = sides[joRandom_Below( random, 5 )];
    const uint32_t sizes[] = { 0, 1, 2, 7, 50, 400, 2000 };
    scene->count = joRandom_Below( random, 2 + sizes[joRandom_Below( random, 7 )] );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            // z of a 2D scene must be ignored, NaN too.
            scene->points[i].position[axis] =
                axis < scene->dimension ? randomCoordinate( random, scene ) : NAN;
        }
        scene->points[i].value = joRandom_Below( random, 3 ) == 0 ? joRandom_Below( random, 10 ) : i;
    }
}

static void checkScene( joRandom* random, joSpatialHash* hash, const Scene* scene )
{
    for ( int query = 0; query < 12; ++query )
    {
        float position[3] = { 0.0f, 0.0f, 0.0f };
        const uint32_t at = joRandom_Below( random, scene->count );
        for ( int axis = 0; axis < scene->dimension; ++axis )
        {
            position[axis] = scene->count > 0 && query % 3 == 0 ? scene->points[at].position[axis]
                                                                : randomCoordinate( random, scene );
        }
        const float radii[] = { 0.0f, 0.5f * scene->cellSize, scene->cellSize, 2.5f * scene->cellSize,
            20.0f * scene->cellSize, 0.3f * scene->side, 1e30f };
        const float radius = radii[joRandom_Below( random, 7 )];
        const uint32_t capacity = query % 4 == 0 ? joRandom_Below( random, 20 ) : MAX_POINTS;
        checkQueries( hash, scene->points, scene->count, scene->dimension, scene->cellSize, position, radius,
            capacity );
    }
}

static void randomScenesGiveWhatLookingAtEveryPointGives( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    static Scene scene;
    for ( int round = 0; round < 1500; ++round )
    {
        makeScene( &random, &scene );
        joSpatialHash* hash = makeHash( scene.dimension, scene.cellSize, NULL );
        // Still and moving, in one piece or in several, asked in between.
        const uint32_t still = joRandom_Below( &random, scene.count + 1 );
        const uint32_t half = joRandom_Below( &random, still + 1 );
        addStill( hash, scene.points, half );
        if ( round % 2 == 0 )
        {
            const float origin[3] = { 0.0f, 0.0f, 0.0f };
            checkQueries( hash, scene.points, half, scene.dimension, scene.cellSize, origin, scene.cellSize,
                MAX_POINTS );
        }
        addMoving( hash, scene.points + still, scene.count - still );
        addStill( hash, scene.points + half, still - half );
        checkScene( &random, hash, &scene );

        joSpatialHash_ClearMoving( hash );
        scene.count = still;
        checkScene( &random, hash, &scene );
        joSpatialHash_Clear( hash );
        scene.count = 0;
        checkScene( &random, hash, &scene );
        joDestroySpatialHash( hash );
    }
}

static void absentValuesAreTheIndexInTheCall( void** state )
{
    (void)state;
    const float x[] = { 0.5f, 9.5f, 0.6f }, y = 0.5f;
    joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
    const joPoints points = { .x = { x, sizeof( float ) }, .y = { &y, 0 }, .count = 3 };
    assert_int_equal( joSpatialHash_AddStill( hash, &points, NULL ), jo_success );
    assert_int_equal( joSpatialHash_AddMoving( hash, &points, NULL ), jo_success );
    const float position[] = { 0.5f, 0.5f };
    uint32_t values[4];
    uint64_t count = 0;
    assert_int_equal( joSpatialHash_QueryCells( hash, position, 0.1f, values, 4, &count ), jo_success );
    const uint32_t wanted[] = { 0, 0, 2, 2 };
    assert_int_equal( count, 4 );
    assert_memory_equal( values, wanted, sizeof( wanted ) );
    joDestroySpatialHash( hash );
}

// cases.md 9: an agent a few hundred metres out, cell times prime overflowed. The whole kind: any distance.
static void case9PointsFarOutAreFound( void** state )
{
    (void)state;
    const float distances[] = { 300.0f, 1e5f, 2147483520.0f, 2147483648.0f, 1e10f, 1e20f, 3e38f };
    static ReferencePoint points[3 * 7 * 2];
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        uint32_t count = 0;
        for ( int i = 0; i < 7; ++i )
        {
            for ( int axis = 0; axis < dimension; ++axis )
            {
                for ( float sign = -1.0f; sign <= 1.0f; sign += 2.0f )
                {
                    ReferencePoint* point = &points[count];
                    *point = ( ReferencePoint ){ { 0.25f, -0.25f, 0.5f }, count };
                    point->position[axis] = sign * distances[i];
                    count += 1;
                }
            }
        }
        joSpatialHash* hash = makeHash( dimension, 0.5f, NULL );
        addStill( hash, points, count );
        for ( uint32_t i = 0; i < count; ++i )
        {
            checkQueries( hash, points, count, dimension, 0.5f, points[i].position, 1.0f, MAX_POINTS );
            checkQueries( hash, points, count, dimension, 0.5f, points[i].position, 0.0f, MAX_POINTS );
        }
        joDestroySpatialHash( hash );
    }
}

// cases.md 11: a huge radius covers up to 2^96 cells; they must not be walked.
static void case11AHugeRadiusDoesNotWalkItsCells( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 11 );
    static ReferencePoint points[300];
    for ( uint32_t i = 0; i < 300; ++i )
    {
        points[i] = ( ReferencePoint ){
            { joRandom_Range( &random, -1e6f, 1e6f ), joRandom_Range( &random, -1e6f, 1e6f ),
                joRandom_Range( &random, -1e6f, 1e6f ) },
            i };
    }
    joSpatialHash* hash = makeHash( 3, 1e-3f, NULL );
    addMoving( hash, points, 150 );
    addStill( hash, points + 150, 150 );
    const float position[3] = { -1.0f, 2.0f, 3.0f };
    const float radii[] = { 1e3f, 1e5f, 5e5f, 1e6f, 1e30f, 3e38f };
    for ( int i = 0; i < 6; ++i )
    {
        checkQueries( hash, points, 300, 3, 1e-3f, position, radii[i], MAX_POINTS );
    }
    joDestroySpatialHash( hash );
}

// cases.md 12: cells (1,1,1) and (1,1,-1), or (0,-1) and (-1,-1), shared a key.
static void case12CellsOfMirroredCoordinatesAreNotConfused( void** state )
{
    (void)state;
    // Every cell of a cube around the origin holds one point: each must be found alone.
    static ReferencePoint points[MAX_POINTS];
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        uint32_t count = 0;
        const int depth = dimension == 3 ? 7 : 0;
        for ( int z = -depth; z <= depth; ++z )
        {
            for ( int y = -7; y <= 7; ++y )
            {
                for ( int x = -7; x <= 7; ++x )
                {
                    points[count] =
                        ( ReferencePoint ){ { (float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f }, count };
                    count += 1;
                }
            }
        }
        joSpatialHash* hash = makeHash( dimension, 1.0f, NULL );
        addStill( hash, points, count );
        for ( uint32_t i = 0; i < count; ++i )
        {
            uint32_t value = JO_NULL_INDEX;
            uint64_t found = 0;
            assert_int_equal(
                joSpatialHash_QueryCells( hash, points[i].position, 0.25f, &value, 1, &found ), jo_success );
            assert_int_equal( found, 1 );
            assert_int_equal( value, i );
        }
        assert_int_equal( joSpatialHash_GetStats( hash ).cells, count );
        joDestroySpatialHash( hash );
    }
}

// cases.md 13: steady create and delete made a spatial hash grow without end.
static void case13SteadyAddAndClearDoesNotGrow( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 13 );
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joSpatialHash* hash = makeHash( 2, 1.0f, &memory );
    static ReferencePoint points[1000];
    uint64_t attempts = 0;
    uint64_t bytes = 0;
    for ( uint32_t frame = 0; frame < 300; ++frame )
    {
        // Ever new cells, far from all earlier ones.
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            points[i] = ( ReferencePoint ){ { 1e3f * (float)frame + joRandom_Range( &random, 0.0f, 90.0f ),
                                                joRandom_Range( &random, 0.0f, 90.0f ), 0.0f },
                i };
        }
        if ( frame % 3 == 0 )
        {
            joSpatialHash_Clear( hash );
            addStill( hash, points + 500, 500 );
        }
        joSpatialHash_ClearMoving( hash );
        addMoving( hash, points, 500 );
        uint64_t found = 0;
        assert_int_equal(
            joSpatialHash_QueryCells( hash, points[7].position, 1.0f, NULL, 0, &found ), jo_success );
        assert_true( found > 0 );
        if ( frame == 0 )
        {
            attempts = memory.attempts;
            bytes = joSpatialHash_GetStats( hash ).memoryBytes;
        }
    }
    assert_int_equal( memory.attempts, attempts );
    assert_int_equal( joSpatialHash_GetStats( hash ).memoryBytes, bytes );
    assert_int_equal( joSpatialHash_GetStats( hash ).movingCount, 500 );
    assert_true( joSpatialHash_GetStats( hash ).cells <= 1000 );
    joDestroySpatialHash( hash );
    assert_int_equal( memory.liveBlocks, 0 );
}

// cases.md 18: points that are all equal made a structure split forever.
static void case18EqualPointsAreAllFoundInOneCell( void** state )
{
    (void)state;
    static ReferencePoint points[MAX_POINTS];
    for ( uint32_t i = 0; i < MAX_POINTS; ++i )
    {
        points[i] = ( ReferencePoint ){ { -2.0f, 3.0f, 0.0f }, MAX_POINTS - 1 - i };
    }
    joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
    addMoving( hash, points, MAX_POINTS / 2 );
    addStill( hash, points + MAX_POINTS / 2, MAX_POINTS / 2 );
    checkQueries( hash, points, MAX_POINTS, 2, 1.0f, points[0].position, 0.0f, MAX_POINTS );
    checkQueries( hash, points, MAX_POINTS, 2, 1.0f, points[0].position, 0.0f, 100 );
    assert_int_equal( joSpatialHash_GetStats( hash ).cells, 1 );
    joDestroySpatialHash( hash );
}

// cases.md 19: a cell size that is asked for and then ignored.
static void case19CellSizeIsHonoured( void** state )
{
    (void)state;
    const float cellSizes[] = { 0.25f, 1.0f, 8.0f, 1000.0f };
    const ReferencePoint point = { { 100.0f, 100.0f, 0.0f }, 5 };
    for ( int i = 0; i < 4; ++i )
    {
        const float size = cellSizes[i];
        joSpatialHash* hash = makeHash( 2, size, NULL );
        addStill( hash, &point, 1 );
        assert_true( joSpatialHash_GetStats( hash ).cellSize == size );
        // The cell of the point is found from its ends, and not from beyond them.
        const float lower = floorf( 100.0f / size ) * size;
        const float at[][2] = { { lower, lower }, { nextafterf( lower + size, lower ), lower },
            { nextafterf( lower, lower - size ), lower }, { lower + size, lower },
            { lower, nextafterf( lower, lower - size ) }, { lower, lower + size } };
        for ( int k = 0; k < 6; ++k )
        {
            uint64_t found = 0;
            assert_int_equal( joSpatialHash_QueryCells( hash, at[k], 0.0f, NULL, 0, &found ), jo_success );
            assert_int_equal( found, k < 2 ? 1 : 0 );
        }
        joDestroySpatialHash( hash );
    }
}

// cases.md 19: a floor that is wrong for whole numbers.
static void case19WholeNumbersFloorToThemselves( void** state )
{
    (void)state;
    joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
    for ( int whole = -40; whole <= 40; ++whole )
    {
        joSpatialHash_Clear( hash );
        const ReferencePoint point = { { (float)whole, (float)-whole, 0.0f }, 1 };
        addStill( hash, &point, 1 );
        for ( int side = -1; side <= 1; ++side )
        {
            const float position[2] = { (float)( whole + side ) + 0.5f, 0.5f - (float)whole };
            uint64_t found = 0;
            assert_int_equal( joSpatialHash_QueryCells( hash, position, 0.0f, NULL, 0, &found ), jo_success );
            assert_int_equal( found, side == 0 ? 1 : 0 );
        }
    }
    joDestroySpatialHash( hash );
}

// cases.md 19: a query that creates empty cells.
static void case19QueriesAllocateNothingAndCreateNoCells( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 19 );
    static ReferencePoint points[200];
    for ( uint32_t i = 0; i < 200; ++i )
    {
        points[i] = ( ReferencePoint ){
            { joRandom_Range( &random, -9.0f, 9.0f ), joRandom_Range( &random, -9.0f, 9.0f ), 0.0f }, i };
    }
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joSpatialHash* hash = makeHash( 2, 1.0f, &memory );
    addStill( hash, points, 120 );
    addMoving( hash, points + 120, 80 );
    memory.failAt = memory.attempts;
    memory.failOn = true;
    assert_int_equal( joSpatialHash_Update( hash ), jo_success );
    const joSpatialHashStats before = joSpatialHash_GetStats( hash );
    assert_int_equal( before.cells, referenceCountCells( points, 200, 2, 1.0f ) );
    const uint64_t attempts = memory.attempts;
    for ( int query = 0; query < 500; ++query )
    {
        const float position[2] = {
            joRandom_Range( &random, -99.0f, 99.0f ), joRandom_Range( &random, -99.0f, 99.0f ) };
        uint32_t values[10];
        uint64_t found = 0;
        assert_int_equal( joSpatialHash_QueryCells( hash, position, 2.0f, values, 10, &found ), jo_success );
        assert_int_equal( joSpatialHash_QueryRadius( hash, position, 2.0f, values, 10, &found ), jo_success );
    }
    const joSpatialHashStats after = joSpatialHash_GetStats( hash );
    assert_int_equal( after.cells, before.cells );
    assert_int_equal( after.memoryBytes, before.memoryBytes );
    assert_int_equal( memory.attempts, attempts );
    joDestroySpatialHash( hash );
}

// cases.md 19: results cut off at the buffer's end with no sign.
static void case19AFullBufferGetsTheFirstInOrderAndTheNeededCount( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 20 );
    static ReferencePoint points[500];
    for ( uint32_t i = 0; i < 500; ++i )
    {
        points[i] = ( ReferencePoint ){
            { joRandom_Range( &random, -2.0f, 2.0f ), joRandom_Range( &random, -2.0f, 2.0f ), 0.0f },
            joRandom_Next( &random ) };
    }
    joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
    addStill( hash, points, 300 );
    addMoving( hash, points + 300, 200 );
    const float position[2] = { 0.1f, 0.2f };
    const uint32_t capacities[] = { 0, 1, 2, 48, 49, 50, 299, 499, 500, 501 };
    for ( int i = 0; i < 10; ++i )
    {
        checkQueries( hash, points, 500, 2, 1.0f, position, 2.0f, capacities[i] );
    }
    joDestroySpatialHash( hash );
}

static void radiusQueryOnRoundedBordersMissesNothing( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 21 );
    for ( int round = 0; round < 4000; ++round )
    {
        // A border of cells at 0, the circle's rounded end on it, a point beyond it by less than the
        // difference to the centre can hold: its rounded distance is the radius.
        const float radius = joRandom_Range( &random, 0.5f, 2.0f );
        const float side = round % 2 == 0 ? 1.0f : -1.0f;
        const float beyond = -side * joRandom_Range( &random, 0.0f, 2e-17f );
        const ReferencePoint points[3] = { { { beyond, 0.0f, 0.0f }, 0 },
            { { -side * 1e-6f, 0.0f, 0.0f }, 1 }, { { side * 1e-6f, 0.0f, 0.0f }, 2 } };
        const float position[2] = { side * radius, 0.0f };
        uint32_t wanted[3];
        assert_int_equal( referenceQueryRadius( points, 3, 2, position, radius, wanted ), 2 );
        joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
        addStill( hash, points, 3 );
        checkQueries( hash, points, 3, 2, 1.0f, position, radius, 3 );
        joDestroySpatialHash( hash );
    }
}

static void badInputIsRefusedWithItsIndexAndNothingChanges( void** state )
{
    (void)state;
    joSpatialHash* hash = makeHash( 3, 1.0f, NULL );
    const ReferencePoint good[2] = { { { 1.0f, 2.0f, 3.0f }, 0 }, { { 1.5f, 2.5f, 3.5f }, 1 } };
    addStill( hash, good, 2 );
    const float bad[] = { NAN, INFINITY, -INFINITY };
    for ( int i = 0; i < 9; ++i )
    {
        ReferencePoint points[4] = { good[0], good[1], good[0], good[1] };
        points[2].position[i % 3] = bad[i / 3];
        const joPoints columns = pointColumns( points, 4 );
        uint32_t index = 0;
        assert_int_equal( joSpatialHash_AddStill( hash, &columns, &index ), jo_errorNotANumber );
        assert_int_equal( index, 2 );
        assert_int_equal( joSpatialHash_AddMoving( hash, &columns, NULL ), jo_errorNotANumber );
    }
    joPoints absent = pointColumns( good, 2 );
    absent.z = ( joColumn ){ NULL, 0 };
    uint32_t index = 0;
    assert_int_equal( joSpatialHash_AddMoving( hash, &absent, &index ), jo_errorNullArgument );
    assert_int_equal( index, JO_NULL_INDEX );
    assert_int_equal( joSpatialHash_AddMoving( hash, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_AddMoving( NULL, &absent, NULL ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_GetStats( hash ).movingCount, 0 );

    const float at[3] = { 1.0f, 2.0f, 3.0f };
    const float nowhere[3] = { 1.0f, 2.0f, NAN };
    const float infinite[3] = { INFINITY, 2.0f, 3.0f };
    uint32_t values[2];
    uint64_t count = 9;
    assert_int_equal(
        joSpatialHash_QueryCells( hash, nowhere, 1.0f, values, 2, &count ), jo_errorNotANumber );
    assert_int_equal( count, 0 );
    assert_int_equal(
        joSpatialHash_QueryRadius( hash, infinite, 1.0f, values, 2, &count ), jo_errorNotANumber );
    assert_int_equal( joSpatialHash_QueryCells( hash, at, NAN, values, 2, &count ), jo_errorNotANumber );
    assert_int_equal( joSpatialHash_QueryCells( hash, at, -1.0f, values, 2, &count ), jo_errorBadRadius );
    assert_int_equal( joSpatialHash_QueryCells( hash, at, INFINITY, values, 2, &count ), jo_errorBadRadius );
    assert_int_equal( joSpatialHash_QueryCells( hash, at, 1.0f, NULL, 2, &count ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_QueryCells( hash, at, 1.0f, values, 2, NULL ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_QueryCells( hash, NULL, 1.0f, values, 2, &count ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_QueryCells( NULL, at, 1.0f, values, 2, &count ), jo_errorNullArgument );
    assert_int_equal( joSpatialHash_Update( NULL ), jo_errorNullArgument );
    checkQueries( hash, good, 2, 3, 1.0f, at, 1.0f, 2 );
    joDestroySpatialHash( hash );
}

static void badDefsAreRefused( void** state )
{
    (void)state;
    joSpatialHash* hash = NULL;
    const float sizes[] = { 0.0f, -1.0f, NAN, INFINITY };
    for ( int i = 0; i < 4; ++i )
    {
        joSpatialHashDef def = joDefaultSpatialHashDef();
        def.cellSize = sizes[i];
        assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_errorBadDef );
    }
    joSpatialHashDef def = joDefaultSpatialHashDef();
    assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_errorBadDef ); // no cell size
    def.cellSize = 1.0f;
    def.dimension = 4;
    assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_errorBadDef );
    def.dimension = 3;
    def.internalCookie = 0;
    assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_errorBadDef );
    assert_int_equal( joCreateSpatialHash( NULL, &hash ), jo_errorNullArgument );
    assert_int_equal( joCreateSpatialHash( &def, NULL ), jo_errorNullArgument );
    assert_null( hash );
    joDestroySpatialHash( NULL );
    joSpatialHash_Clear( NULL );
    joSpatialHash_ClearMoving( NULL );
}

static void failingAllocationLeavesTheHashAsItWas( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 22 );
    static ReferencePoint points[600];
    for ( uint32_t i = 0; i < 600; ++i )
    {
        points[i] = ( ReferencePoint ){
            { joRandom_Range( &random, -9.0f, 9.0f ), joRandom_Range( &random, -9.0f, 9.0f ),
                joRandom_Range( &random, -9.0f, 9.0f ) },
            i };
    }
    const joPoints columns[3] = {
        pointColumns( points, 100 ), pointColumns( points + 100, 200 ), pointColumns( points + 300, 300 ) };
    const float position[3] = { 1.0f, -1.0f, 0.5f };
    uint32_t failures = 0;
    for ( uint64_t k = 0; k < 30; ++k )
    {
        LimitedMemory memory = makeLimitedMemory( k );
        joSpatialHashDef def = joDefaultSpatialHashDef();
        def.dimension = 3;
        def.cellSize = 1.5f;
        def.allocator = limitedAllocator( &memory );
        def.pointReserve = k % 2 == 0 ? 0 : 10;
        joSpatialHash* hash = NULL;
        joResult result = joCreateSpatialHash( &def, &hash );
        if ( result != jo_success )
        {
            assert_int_equal( result, jo_errorOutOfMemory );
            assert_null( hash );
            assert_int_equal( memory.liveBlocks, 0 );
            failures += 1;
            continue;
        }
        uint32_t added = 0;
        for ( int i = 0; i < 3; ++i )
        {
            joResult ( *add )( joSpatialHash*, const joPoints*, uint32_t* ) =
                i == 1 ? joSpatialHash_AddMoving : joSpatialHash_AddStill;
            result = add( hash, &columns[i], NULL );
            if ( result != jo_success )
            {
                failures += 1;
                assert_int_equal( result, jo_errorOutOfMemory );
                checkQueries( hash, points, added, 3, 1.5f, position, 4.0f, 600 );
                assert_int_equal( add( hash, &columns[i], NULL ), jo_success );
            }
            added += columns[i].count;
            if ( k % 3 != 0 )
            {
                checkQueries( hash, points, added, 3, 1.5f, position, 4.0f, 600 );
            }
        }
        checkQueries( hash, points, 600, 3, 1.5f, position, 4.0f, 600 );
        joDestroySpatialHash( hash );
        assert_int_equal( memory.liveBlocks, 0 );
    }
    assert_true( failures > 10 );
}

static void fixedCapacityRefusesToGrow( void** state )
{
    (void)state;
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joSpatialHashDef def = joDefaultSpatialHashDef();
    def.cellSize = 1.0f;
    def.pointReserve = 64;
    def.fixedCapacity = true;
    def.allocator = limitedAllocator( &memory );
    joSpatialHash* hash = NULL;
    assert_int_equal( joCreateSpatialHash( &def, &hash ), jo_success );
    const uint64_t attempts = memory.attempts;
    static ReferencePoint points[2000];
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        points[i] = ( ReferencePoint ){ { 3.0f * (float)i, 0.5f, 0.0f }, i };
    }
    addStill( hash, points, 64 );
    addMoving( hash, points + 64, 64 );
    const joPoints more = pointColumns( points, 2000 );
    assert_int_equal( joSpatialHash_AddMoving( hash, &more, NULL ), jo_errorCapacity );
    checkQueries( hash, points, 128, 2, 1.0f, points[70].position, 20.0f, 100 );
    assert_int_equal( memory.attempts, attempts );
    joDestroySpatialHash( hash );
}

typedef struct QueryTask
{
    joSpatialHash* hash;
    const float* position;
    uint32_t values[200];
    uint64_t count;
} QueryTask;

static void* runQueries( void* context )
{
    QueryTask* task = context;
    for ( int i = 0; i < 200; ++i )
    {
        joSpatialHash_QueryRadius( task->hash, task->position, 3.0f, task->values, 200, &task->count );
    }
    return NULL;
}

static void threadsMayQueryAtOnceAfterAnUpdate( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed + 23 );
    static ReferencePoint points[1000];
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        points[i] = ( ReferencePoint ){
            { joRandom_Range( &random, -9.0f, 9.0f ), joRandom_Range( &random, -9.0f, 9.0f ), 0.0f }, i };
    }
    joSpatialHash* hash = makeHash( 2, 1.0f, NULL );
    addStill( hash, points, 500 );
    addMoving( hash, points + 500, 500 );
    assert_int_equal( joSpatialHash_Update( hash ), jo_success );
    QueryTask tasks[3];
    pthread_t threads[3];
    for ( int i = 0; i < 3; ++i )
    {
        tasks[i] = ( QueryTask ){ .hash = hash, .position = points[i].position };
        assert_int_equal( pthread_create( &threads[i], NULL, runQueries, &tasks[i] ), 0 );
    }
    for ( int i = 0; i < 3; ++i )
    {
        pthread_join( threads[i], NULL );
        uint32_t wanted[1000];
        const uint32_t count = referenceQueryRadius( points, 1000, 2, tasks[i].position, 3.0f, wanted );
        assert_int_equal( tasks[i].count, count );
        assert_true( count > 0 && count <= 200 );
        assert_memory_equal( tasks[i].values, wanted, count * sizeof( uint32_t ) );
    }
    joDestroySpatialHash( hash );
}

static bool goOn( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

int main( int argc, char** argv )
{
    if ( argc > 1 )
    {
        seed = strtoull( argv[1], NULL, 10 );
    }
    printf( "seed %llu\n", (unsigned long long)seed );
    joSetAssertFcn( goOn ); // misuse is tested: it must not stop a debug build
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( randomScenesGiveWhatLookingAtEveryPointGives ),
        cmocka_unit_test( absentValuesAreTheIndexInTheCall ),
        cmocka_unit_test( case9PointsFarOutAreFound ),
        cmocka_unit_test( case11AHugeRadiusDoesNotWalkItsCells ),
        cmocka_unit_test( case12CellsOfMirroredCoordinatesAreNotConfused ),
        cmocka_unit_test( case13SteadyAddAndClearDoesNotGrow ),
        cmocka_unit_test( case18EqualPointsAreAllFoundInOneCell ),
        cmocka_unit_test( case19CellSizeIsHonoured ),
        cmocka_unit_test( case19WholeNumbersFloorToThemselves ),
        cmocka_unit_test( case19QueriesAllocateNothingAndCreateNoCells ),
        cmocka_unit_test( case19AFullBufferGetsTheFirstInOrderAndTheNeededCount ),
        cmocka_unit_test( radiusQueryOnRoundedBordersMissesNothing ),
        cmocka_unit_test( badInputIsRefusedWithItsIndexAndNothingChanges ),
        cmocka_unit_test( badDefsAreRefused ),
        cmocka_unit_test( failingAllocationLeavesTheHashAsItWas ),
        cmocka_unit_test( fixedCapacityRefusesToGrow ),
        cmocka_unit_test( threadsMayQueryAtOnceAfterAnUpdate ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
