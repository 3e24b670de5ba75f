// SPDX-License-Identifier: MIT
// After warm-up a frame allocates nothing: counted by the def's allocator, and by malloc itself, which this
// program replaces (not under sanitizers, which replace it themselves).
#include "support/broad_phase_kit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t s_mallocs;

#if defined( __GLIBC__ ) && !KIT_SANITIZED
#define COUNTS_MALLOC 1

extern void* __libc_malloc( size_t size );
extern void* __libc_calloc( size_t count, size_t size );
extern void* __libc_realloc( void* block, size_t size );
extern void* __libc_memalign( size_t alignment, size_t size );

void* malloc( size_t size )
{
    atomic_fetch_add( &s_mallocs, 1 );
    return __libc_malloc( size );
}

void* calloc( size_t count, size_t size )
{
    atomic_fetch_add( &s_mallocs, 1 );
    return __libc_calloc( count, size );
}

void* realloc( void* block, size_t size )
{
    atomic_fetch_add( &s_mallocs, 1 );
    return __libc_realloc( block, size );
}

void* aligned_alloc( size_t alignment, size_t size )
{
    atomic_fetch_add( &s_mallocs, 1 );
    return __libc_memalign( alignment, size );
}

int posix_memalign( void** block, size_t alignment, size_t size )
{
    atomic_fetch_add( &s_mallocs, 1 );
    *block = __libc_memalign( alignment, size );
    return *block ? 0 : 12;
}
#else
#define COUNTS_MALLOC 0
#endif

#define OBJECTS 2000
#define PERIOD 24
#define WARM_PERIODS 3

typedef struct Crowd
{
    float x[OBJECTS], y[OBJECTS], z[OBJECTS], radius[OBJECTS];
    float upperX[OBJECTS], upperY[OBJECTS], upperZ[OBJECTS];
    uint32_t keys[OBJECTS];
} Crowd;

// Positions come back after each period, so that no new high-water mark excuses an allocation.
static void moveCrowd( Crowd* crowd, int frame )
{
    double turn = 6.283185307179586 * ( frame % PERIOD ) / PERIOD;
    for ( uint32_t i = 0; i < OBJECTS; ++i )
    {
        double speed = 1.0 + i % 5;
        crowd->x[i] = (float)( i % 50 + speed * cos( turn + i ) );
        crowd->y[i] = (float)( i / 50 + speed * sin( turn * ( 1 + i % 2 ) + i ) );
        crowd->z[i] = (float)( i % 3 );
        crowd->radius[i] = 0.6f;
        crowd->upperX[i] = crowd->x[i] + 1.0f;
        crowd->upperY[i] = crowd->y[i] + 1.0f;
        crowd->upperZ[i] = crowd->z[i] + 1.0f;
        crowd->keys[i] = i * 0x9E3779B1u;
    }
}

static joColumn column( const void* data )
{
    return ( joColumn ){ data, 4 };
}

static joBoxes boxesOf( const Crowd* crowd, uint32_t first, uint32_t count )
{
    return ( joBoxes ){ column( crowd->x + first ), column( crowd->y + first ), column( crowd->z + first ),
        column( crowd->upperX + first ), column( crowd->upperY + first ), column( crowd->upperZ + first ),
        .key = column( crowd->keys + first ), .count = count };
}

typedef void FrameFcn( joBroadPhase* broadPhase, const Crowd* crowd, int frame );

static void immediateFrame( joBroadPhase* broadPhase, const Crowd* crowd, int frame )
{
    joBoxes boxes = boxesOf( crowd, 0, OBJECTS );
    if ( frame % 2 )
        boxes.key.data = NULL;
    kitRequire( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "SetBoxes" );
}

static void circlesFrame( joBroadPhase* broadPhase, const Crowd* crowd, int frame )
{
    joCircles circles = { column( crowd->x ), column( crowd->y ), column( crowd->z ), column( crowd->radius ),
        .count = OBJECTS };
    (void)frame;
    kitRequire( joBroadPhase_SetCircles( broadPhase, &circles, NULL ), "SetCircles" );
}

// 600 stand, 400 rest, the others move; some are parked and woken, removed and added again.
static void retainedFrame( joBroadPhase* broadPhase, const Crowd* crowd, int frame )
{
    if ( frame == 0 )
    {
        joBoxes still = boxesOf( crowd, 0, 600 ), resting = boxesOf( crowd, 600, 400 );
        joBoxes moving = boxesOf( crowd, 1000, OBJECTS - 1000 );
        kitRequire( joBroadPhase_AddBoxes( broadPhase, jo_static, &still, NULL ), "Add" );
        kitRequire( joBroadPhase_AddBoxes( broadPhase, jo_resting, &resting, NULL ), "Add" );
        kitRequire( joBroadPhase_AddBoxes( broadPhase, jo_moving, &moving, NULL ), "Add" );
        return;
    }
    // Odd frames park and remove, the next even ones wake and add the same.
    uint32_t first = 1000 + (uint32_t)( ( frame + PERIOD - 1 ) % PERIOD / 2 ) * 20;
    if ( frame % 2 )
    {
        kitRequire( joBroadPhase_SetMotion( broadPhase, jo_resting, crowd->keys + first, 20, NULL ), "park" );
        kitRequire( joBroadPhase_Remove( broadPhase, crowd->keys + 1500, 100, NULL ), "Remove" );
    }
    else
    {
        joBoxes again = boxesOf( crowd, 1500, 100 );
        kitRequire( joBroadPhase_SetMotion( broadPhase, jo_moving, crowd->keys + first, 20, NULL ), "wake" );
        kitRequire( joBroadPhase_AddBoxes( broadPhase, jo_moving, &again, NULL ), "Add" );
    }
    joBoxes moved = boxesOf( crowd, 1700, 300 );
    kitRequire( joBroadPhase_MoveBoxes( broadPhase, &moved, NULL ), "Move" );
}

static void runFrames(
    const kitVariant* variant, int dimension, uint32_t workers, FrameFcn* function, const char* what )
{
    static Crowd crowd;
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.jobs = kitJobs( workers );
    joBroadPhase* broadPhase = kitCreate( &def );
    uint64_t own = 0, mallocs = 0, found = 0;
    for ( int frame = 0; frame < ( WARM_PERIODS + 1 ) * PERIOD; ++frame )
    {
        moveCrowd( &crowd, frame );
        if ( frame == WARM_PERIODS * PERIOD )
        {
            own = kitDefaultHeap.allocations;
            mallocs = s_mallocs;
        }
        function( broadPhase, &crowd, frame );
        kitRequire( joBroadPhase_FindPairs( broadPhase, NULL, 0, &found ), "FindPairs" );
        uint64_t viewed = 0, counted = 0;
        joBroadPhase_ViewPairs( broadPhase, &viewed );
        kitRequire( joBroadPhase_CountPairs( broadPhase, &counted ), "CountPairs" );
        if ( viewed != found || counted != found )
            fail_msg( "%s: %s: counts differ", variant->name, what );
    }
    own = kitDefaultHeap.allocations - own;
    mallocs = s_mallocs - mallocs;
    if ( own || mallocs )
        fail_msg( "%s, %d axes, %u workers, %s: %llu allocations, %llu of malloc, in %d frames after warm-up",
            variant->name, dimension, workers, what, (unsigned long long)own, (unsigned long long)mallocs,
            PERIOD );
    assert_true( found > 0 );
    joDestroyBroadPhase( broadPhase );
}

static void aFrameAllocatesNothingAfterWarmUp( void** state )
{
    const kitVariant* variant = *state;
    for ( int dimension = 2; dimension <= ( kitQuick() ? 2 : 3 ); ++dimension )
    {
        runFrames( variant, dimension, 1, immediateFrame, "boxes set each frame" );
        runFrames( variant, dimension, 1, circlesFrame, "circles set each frame" );
        runFrames( variant, dimension, 1, retainedFrame, "retained objects" );
        runFrames( variant, dimension, 2, circlesFrame, "circles set each frame" );
    }
}

// Warm-up, and frames that see structures derive their parameters anew (the grid does every 64 builds).
#define WAVER_WARM 8
#define WAVER_FRAMES 144

// Scenes that waver without a period, of many sizes: whatever an array's first high-water mark, it must have
// room for the next frames' few entries more.
static void scenesThatWaverSettle( void** state )
{
    const kitVariant* variant = *state;
    static float boxes[OBJECTS][6];
    for ( uint32_t count = 40; count <= OBJECTS; count += count / ( kitQuick() ? 2 : 12 ) )
    {
        joRandom random = joMakeRandom( count );
        const float side = cbrtf( 2.0f * (float)count );
        joBroadPhaseDef def = kitDef( variant, 3 );
        joBroadPhase* broadPhase = kitCreate( &def );
        uint64_t own = 0, mallocs = 0;
        for ( int frame = 0; frame < WAVER_FRAMES; ++frame )
        {
            for ( uint32_t i = 0; i < count; ++i )
            {
                for ( int axis = 0; axis < 3; ++axis )
                {
                    float step = joRandom_Range( &random, -0.05f, 0.05f );
                    float x = frame == 0 ? joRandom_Range( &random, 0.0f, side ) : boxes[i][axis] + step;
                    boxes[i][axis] = x;
                    boxes[i][3 + axis] = x + ( i % 41 == 0 ? 7.0f : 1.0f );
                }
            }
            own = frame == WAVER_WARM ? kitDefaultHeap.allocations : own;
            mallocs = frame == WAVER_WARM ? s_mallocs : mallocs;
            joBoxes input = { .count = count };
            joColumn* columns[] = {
                &input.lowerX, &input.lowerY, &input.lowerZ, &input.upperX, &input.upperY, &input.upperZ };
            for ( int k = 0; k < 6; ++k )
            {
                *columns[k] = ( joColumn ){ boxes[0] + k, sizeof( boxes[0] ) };
            }
            uint64_t found = 0;
            kitRequire( joBroadPhase_SetBoxes( broadPhase, &input, NULL ), "SetBoxes" );
            kitRequire( joBroadPhase_FindPairs( broadPhase, NULL, 0, &found ), "FindPairs" );
        }
        own = kitDefaultHeap.allocations - own;
        mallocs = s_mallocs - mallocs;
        if ( own || mallocs )
            fail_msg( "%s, %u boxes: %llu allocations, %llu of malloc, in frames %d to %d", variant->name,
                count, (unsigned long long)own, (unsigned long long)mallocs, WAVER_WARM, WAVER_FRAMES );
        joDestroyBroadPhase( broadPhase );
    }
}

#define ROW_BOXES 100000
#define ROW_STRIDE 38197 // has no divisor in common with ROW_BOXES
#define ROW_FRAMES 6

// Of ROW_BOXES boxes in a row, `pairCount` touch the next one: the first ones, or some all over the row.
static uint64_t findRowPairs( joBroadPhase* broadPhase, uint32_t pairCount, bool isScattered )
{
    static float lower[ROW_BOXES], upper[ROW_BOXES];
    static const float zero = 0.0f;
    uint32_t place = 0;
    for ( uint32_t i = 0; i < ROW_BOXES; ++i )
    {
        const uint32_t scattered = (uint32_t)( ( i + 1 ) * (uint64_t)ROW_STRIDE % ROW_BOXES );
        const uint32_t rank = isScattered ? ROW_BOXES - 1 - scattered : i; // the last one's is the last
        lower[i] = (float)place;
        upper[i] = lower[i] + 1.0f;
        place += rank < pairCount ? 1 : 2;
    }
    joBoxes boxes = { column( lower ), { &zero, 0 }, { &zero, 0 }, column( upper ), { &zero, 0 },
        { &zero, 0 }, .count = ROW_BOXES };
    uint64_t found = 0;
    kitRequire( joBroadPhase_SetBoxes( broadPhase, &boxes, NULL ), "SetBoxes" );
    kitRequire( joBroadPhase_FindPairs( broadPhase, NULL, 0, &found ), "FindPairs" );
    return found;
}

// Whatever the number of pairs, a few more or less in the next frame find room: no array is made larger at
// some threshold of its own.
static void aFewPairsMoreFindRoom( void** state )
{
    const bool isScattered = *state != NULL;
    for ( uint32_t pairCount = 1000; pairCount < ROW_BOXES - ROW_BOXES / 16;
          pairCount += pairCount / ( kitQuick() ? 6 : 24 ) )
    {
        joBroadPhaseDef def = kitDef( &kitVariants[0], 2 );
        def.kind = jo_sweep;
        joBroadPhase* broadPhase = kitCreate( &def );
        assert_int_equal( findRowPairs( broadPhase, pairCount, isScattered ), pairCount );
        const uint64_t before = joBroadPhase_GetStats( broadPhase ).allocationCount;
        for ( uint32_t frame = 1; frame < ROW_FRAMES; ++frame )
        {
            const uint32_t step = frame * ( pairCount / 64 );
            findRowPairs( broadPhase, frame % 2 == 0 ? pairCount + step : pairCount - step, isScattered );
        }
        const uint64_t after = joBroadPhase_GetStats( broadPhase ).allocationCount;
        if ( after != before )
            fail_msg( "%llu allocations after a frame of %u pairs", (unsigned long long)( after - before ),
                pairCount );
        joDestroyBroadPhase( broadPhase );
    }
}

static void mallocIsCountedHere( void** state )
{
    (void)state;
    uint64_t before = s_mallocs;
    void* volatile block = malloc( 10 );
    free( block );
#if COUNTS_MALLOC
    assert_int_equal( s_mallocs, before + 1 );
#else
    assert_int_equal( s_mallocs, before );
    print_message( "malloc itself is not counted in this build\n" );
#endif
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    static char names[2 * KIT_VARIANT_COUNT][100];
    struct CMUnitTest tests[2 * KIT_VARIANT_COUNT + 3] = {
        { .name = "malloc is counted here", .test_func = mallocIsCountedHere },
        { .name = "a few pairs more or less find room, however many there are",
            .test_func = aFewPairsMoreFindRoom },
        { .name = "a few scattered pairs more or less find room, however many there are",
            .test_func = aFewPairsMoreFindRoom,
            .initial_state = names } };
    size_t count = 3;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        snprintf(
            names[v], sizeof names[v], "%s: a frame allocates nothing after warm-up", kitVariants[v].name );
        tests[count] = ( struct CMUnitTest ){ .name = names[v],
            .test_func = aFrameAllocatesNothingAfterWarmUp,
            .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
        count += 1;
        char* name = names[KIT_VARIANT_COUNT + v];
        snprintf(
            name, sizeof names[0], "%s: scenes that waver settle, whatever their size", kitVariants[v].name );
        tests[count] = ( struct CMUnitTest ){ .name = name,
            .test_func = scenesThatWaverSettle,
            .initial_state = (void*)(uintptr_t)( kitVariants + v ) };
        count += 1;
    }
    return _cmocka_run_group_tests( "allocations", tests, count, NULL, freeJobs );
}
