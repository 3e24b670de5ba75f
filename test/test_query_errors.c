// SPDX-License-Identifier: MIT
// Bad queries: each gets the documented error, says that nothing is met, and writes nothing else. And queries
// of a broad phase in which nothing is.
#include "support/query_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float inf = HUGE_VALF;
static const float nan1 = NAN;

// Every result that a query may write, with marks that show whether it did.
typedef struct Results
{
    uint32_t keys[4];
    joHit hits[4];
    joHit hit;
    bool isHit;
    uint64_t count;
} Results;

static Results s_results;

static void markResults( void )
{
    memset( &s_results, 0x5A, sizeof s_results );
    s_results.isHit = true;
}

// After an error: nothing is met, and nothing was written to the buffers.
static void expectError( joResult result, joResult expected, const char* what )
{
    if ( result != expected )
        fail_msg( "%s: %s, expected: %s", what, joResultText( result ), joResultText( expected ) );
    Results marked;
    memset( &marked, 0x5A, sizeof marked );
    assert_memory_equal( s_results.keys, marked.keys, sizeof marked.keys );
    assert_memory_equal( s_results.hits, marked.hits, sizeof marked.hits );
}

static void expectCount( joResult result, joResult expected, const char* what )
{
    expectError( result, expected, what );
    if ( s_results.count != 0 )
        fail_msg( "%s: the count is not 0", what );
    markResults();
}

static void expectNotClosest( joResult result, joResult expected, const char* what )
{
    expectError( result, expected, what );
    if ( s_results.hit.key != JO_NULL_INDEX || s_results.hit.distance != inf )
        fail_msg( "%s: a hit is there", what );
    markResults();
}

static void expectNotAny( joResult result, joResult expected, const char* what )
{
    expectError( result, expected, what );
    if ( s_results.isHit )
        fail_msg( "%s: it says hit", what );
    markResults();
}

// One ray in all of its forms.
static void badRay( const joBroadPhase* at, const joRay* ray, const joQueryFilter* filter, joResult expected )
{
    Results* r = &s_results;
    markResults();
    expectNotClosest( joBroadPhase_CastRayClosest( at, ray, filter, &r->hit ), expected, "CastRayClosest" );
    expectNotAny( joBroadPhase_CastRayAny( at, ray, filter, &r->isHit ), expected, "CastRayAny" );
    expectCount( joBroadPhase_CastRayAll( at, ray, filter, r->hits, 4, &r->count ), expected, "CastRayAll" );
}

static void badSweptBox(
    const joBroadPhase* at, const joSweptBox* box, const joQueryFilter* filter, joResult expected )
{
    Results* r = &s_results;
    markResults();
    expectNotClosest( joBroadPhase_CastBoxClosest( at, box, filter, &r->hit ), expected, "CastBoxClosest" );
    expectNotAny( joBroadPhase_CastBoxAny( at, box, filter, &r->isHit ), expected, "CastBoxAny" );
    expectCount( joBroadPhase_CastBoxAll( at, box, filter, r->hits, 4, &r->count ), expected, "CastBoxAll" );
}

static void badBox( const joBroadPhase* at, const float* lower, const float* upper,
    const joQueryFilter* filter, joResult expected )
{
    Results* r = &s_results;
    markResults();
    expectCount(
        joBroadPhase_OverlapBox( at, lower, upper, filter, r->keys, 4, &r->count ), expected, "OverlapBox" );
}

static void badCircle( const joBroadPhase* at, const float* center, float radius, const joQueryFilter* filter,
    joResult expected )
{
    Results* r = &s_results;
    markResults();
    expectCount( joBroadPhase_OverlapCircle( at, center, radius, filter, r->keys, 4, &r->count ), expected,
        "OverlapCircle" );
}

static void badNearest( const joBroadPhase* at, const float* point, float maxDistance,
    const joQueryFilter* filter, joResult expected )
{
    Results* r = &s_results;
    markResults();
    expectCount( joBroadPhase_FindNearest( at, point, 3, maxDistance, filter, r->hits, 4, &r->count ),
        expected, "FindNearest" );
}

// Some boxes about the origin, which any good query there would meet.
static kitScene beginScene( const kitVariant* variant, int dimension, bool isUpdated )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 9; ++i )
    {
        refObject object = i % 2 ? kitBall( i, 0.0, 0.0, 0.0, 2.0 ) : kitBox3( i, -1, -1, -1, 1, 1, 1 );
        object.motion = (refMotion)( i % 3 );
        kitPush( &scene, object );
    }
    kitAddFrom( &scene, 0 );
    if ( isUpdated )
        kitUpdate( &scene );
    return scene;
}

static const joRay goodRay = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f };
static const joSweptBox goodBox = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f };

// --- numbers ----------------------------------------------------------------------------------------------

static void numbersOfRays( const kitScene* scene )
{
    const joBroadPhase* at = scene->broadPhase;
    for ( int axis = 0; axis < scene->dimension; ++axis )
    {
        static const float bad[] = { HUGE_VALF, -HUGE_VALF };
        for ( int k = 0; k < 2; ++k )
        {
            joRay ray = goodRay;
            ray.origin[axis] = bad[k];
            badRay( at, &ray, NULL, jo_errorBadRay );
            ray = goodRay;
            ray.direction[axis] = bad[k];
            badRay( at, &ray, NULL, jo_errorBadRay );
            joSweptBox box = goodBox;
            box.direction[axis] = bad[k];
            badSweptBox( at, &box, NULL, jo_errorBadRay );
        }
        joRay ray = goodRay;
        ray.origin[axis] = nan1;
        badRay( at, &ray, NULL, jo_errorNotANumber );
        ray = goodRay;
        ray.direction[axis] = nan1;
        badRay( at, &ray, NULL, jo_errorNotANumber );
        joSweptBox box = goodBox;
        box.direction[axis] = nan1;
        badSweptBox( at, &box, NULL, jo_errorNotANumber );
    }
    static const float lengths[] = { -1.0f, -0x1p-149f, -HUGE_VALF, NAN };
    for ( int k = 0; k < 4; ++k )
    {
        joResult expected = k == 3 ? jo_errorNotANumber : jo_errorBadRay;
        joRay ray = goodRay;
        ray.length = lengths[k];
        badRay( at, &ray, NULL, expected );
        joSweptBox box = goodBox;
        box.length = lengths[k];
        badSweptBox( at, &box, NULL, expected );
    }
    // No direction, though there is a length: of 2D the third element is not one.
    static const float tiny[] = { 0x1p-149f, 1.0f, HUGE_VALF };
    for ( int k = 0; k < 3; ++k )
    {
        joRay ray = { { 0.0f, 0.0f, 0.0f }, { 0.0f, -0.0f, scene->dimension == 2 ? 1.0f : 0.0f }, tiny[k] };
        badRay( at, &ray, NULL, jo_errorBadRay );
        joSweptBox box = goodBox;
        memcpy( box.direction, ray.direction, sizeof box.direction );
        box.length = tiny[k];
        badSweptBox( at, &box, NULL, jo_errorBadRay );
    }
}

static void numbersOfBoxes( const kitScene* scene )
{
    const joBroadPhase* at = scene->broadPhase;
    // Inside out, or at infinity, where no place is; as for objects.
    const float bad[][3] = { { 2.0f, 1.0f, jo_errorInvertedBox }, { 0.0f, -0x1p-149f, jo_errorInvertedBox },
        { inf, -inf, jo_errorInvertedBox }, { inf, inf, jo_errorInvertedBox },
        { -inf, -inf, jo_errorInvertedBox }, { nan1, 1.0f, jo_errorNotANumber },
        { 0.0f, nan1, jo_errorNotANumber }, { nan1, nan1, jo_errorNotANumber } };
    for ( int axis = 0; axis < scene->dimension; ++axis )
    {
        for ( int k = 0; k < 8; ++k )
        {
            joSweptBox box = goodBox;
            box.lower[axis] = bad[k][0];
            box.upper[axis] = bad[k][1];
            joResult expected = (joResult)bad[k][2];
            badBox( at, box.lower, box.upper, NULL, expected );
            badSweptBox( at, &box, NULL, expected );
            box.length = 0.0f;
            badSweptBox( at, &box, NULL, expected );
        }
    }
}

static void numbersOfCirclesAndPoints( const kitScene* scene )
{
    const joBroadPhase* at = scene->broadPhase;
    const float good[3] = { 0.0f, 0.0f, 0.0f };
    for ( int axis = 0; axis < scene->dimension; ++axis )
    {
        const float bad[3] = { inf, -inf, nan1 };
        for ( int k = 0; k < 3; ++k )
        {
            float point[3] = { 0.0f, 0.0f, 0.0f };
            point[axis] = bad[k];
            joResult expected = k == 2 ? jo_errorNotANumber : jo_errorBadRadius;
            badCircle( at, point, 1.0f, NULL, expected );
            badNearest( at, point, 1.0f, NULL, expected );
        }
    }
    badCircle( at, good, -1.0f, NULL, jo_errorBadRadius );
    badCircle( at, good, -0x1p-149f, NULL, jo_errorBadRadius );
    badCircle( at, good, inf, NULL, jo_errorBadRadius );
    badCircle( at, good, nan1, NULL, jo_errorNotANumber );
    badNearest( at, good, -1.0f, NULL, jo_errorBadRadius );
    badNearest( at, good, -inf, NULL, jo_errorBadRadius );
    badNearest( at, good, nan1, NULL, jo_errorNotANumber );
}

static void badNumbersAreRefused( const kitVariant* variant, int dimension )
{
    for ( int isUpdated = 0; isUpdated < 2; ++isUpdated )
    {
        kitScene scene = beginScene( variant, dimension, isUpdated );
        numbersOfRays( &scene );
        numbersOfBoxes( &scene );
        numbersOfCirclesAndPoints( &scene );
        kitEnd( &scene );
    }
}

// --- pointers ---------------------------------------------------------------------------------------------

static void nullsOfCasts( const joBroadPhase* at )
{
    Results* r = &s_results;
    const joResult null = jo_errorNullArgument;
    badRay( NULL, &goodRay, NULL, null );
    badRay( at, NULL, NULL, null );
    badSweptBox( NULL, &goodBox, NULL, null );
    badSweptBox( at, NULL, NULL, null );
    expectCount( joBroadPhase_CastRayAll( at, &goodRay, NULL, NULL, 4, &r->count ), null, "CastRayAll" );
    expectCount( joBroadPhase_CastBoxAll( at, &goodBox, NULL, NULL, 4, &r->count ), null, "CastBoxAll" );
    expectError( joBroadPhase_CastRayClosest( at, &goodRay, NULL, NULL ), null, "CastRayClosest" );
    expectError( joBroadPhase_CastRayAny( at, &goodRay, NULL, NULL ), null, "CastRayAny" );
    expectError( joBroadPhase_CastRayAll( at, &goodRay, NULL, r->hits, 4, NULL ), null, "CastRayAll" );
    expectError( joBroadPhase_CastBoxClosest( at, &goodBox, NULL, NULL ), null, "CastBoxClosest" );
    expectError( joBroadPhase_CastBoxAny( at, &goodBox, NULL, NULL ), null, "CastBoxAny" );
    expectError( joBroadPhase_CastBoxAll( at, &goodBox, NULL, r->hits, 4, NULL ), null, "CastBoxAll" );
}

static void nullsAreRefused( const kitVariant* variant, int dimension )
{
    kitScene scene = beginScene( variant, dimension, true );
    const joBroadPhase* at = scene.broadPhase;
    Results* r = &s_results;
    const joResult null = jo_errorNullArgument;
    const float zero[3] = { 0.0f, 0.0f, 0.0f };
    nullsOfCasts( at );
    badBox( NULL, zero, zero, NULL, null );
    badBox( at, NULL, zero, NULL, null );
    badBox( at, zero, NULL, NULL, null );
    badCircle( NULL, zero, 1.0f, NULL, null );
    badCircle( at, NULL, 1.0f, NULL, null );
    badNearest( NULL, zero, 1.0f, NULL, null );
    badNearest( at, NULL, 1.0f, NULL, null );
    expectCount( joBroadPhase_OverlapBox( at, zero, zero, NULL, NULL, 4, &r->count ), null, "OverlapBox" );
    expectCount( joBroadPhase_OverlapCircle( at, zero, 1.0f, NULL, NULL, 4, &r->count ), null, "Circle" );
    expectCount( joBroadPhase_FindNearest( at, zero, 3, 1.0f, NULL, NULL, 4, &r->count ), null, "Nearest" );
    expectError( joBroadPhase_OverlapBox( at, zero, zero, NULL, r->keys, 4, NULL ), null, "OverlapBox" );
    expectError( joBroadPhase_OverlapCircle( at, zero, 1.0f, NULL, r->keys, 4, NULL ), null, "Circle" );
    expectError( joBroadPhase_FindNearest( at, zero, 3, 1.0f, NULL, r->hits, 4, NULL ), null, "Nearest" );

    // Keys to ignore that are not there.
    joQueryFilter filter = joDefaultQueryFilter();
    filter.ignoredCount = 1;
    badRay( at, &goodRay, &filter, null );
    badSweptBox( at, &goodBox, &filter, null );
    badBox( at, zero, zero, &filter, null );
    badCircle( at, zero, 1.0f, &filter, null );
    badNearest( at, zero, 1.0f, &filter, null );
    kitEnd( &scene );
}

// --- what is allowed --------------------------------------------------------------------------------------

static void nothingIsNoError( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    const double zero[3] = { 0.0, 0.0, 0.0 }, one[3] = { 1.0, 1.0, 1.0 };
    for ( int round = 0; round < 4; ++round )
    {
        const char* when = "empty";
        kitExpectNothing( &scene, kitAskBox( zero, one ), when );
        kitExpectNothing( &scene, kitAskCircle( zero, 1e30 ), when );
        kitExpectNothing( &scene, kitAskRay( zero, one, HUGE_VAL ), when );
        kitExpectNothing( &scene, kitAskSweptBox( zero, one, one, HUGE_VAL ), when );
        kitExpectNothing( &scene, kitAskNearest( zero, 3, HUGE_VAL ), when );
        kitExpectNothing( &scene,
            kitAskBox( ( double[3] ){ -HUGE_VAL, -HUGE_VAL, -HUGE_VAL },
                ( double[3] ){ HUGE_VAL, HUGE_VAL, HUGE_VAL } ),
            when );
        kitUpdate( &scene );
        if ( round == 1 ) // all that was is gone again
        {
            refObject object = kitBox3( 3, 0, 0, 0, 1, 1, 1 );
            kitRequire( kitAdd( scene.broadPhase, dimension, jo_moving, &object, 1 ), "Add" );
            kitUpdate( &scene );
            kitRequire( joBroadPhase_Remove( scene.broadPhase, &object.key, 1, NULL ), "Remove" );
        }
        if ( round == 2 )
            joBroadPhase_Clear( scene.broadPhase );
    }
    kitEnd( &scene );
}

static void aNullBufferCounts( const kitVariant* variant, int dimension )
{
    kitScene scene = beginScene( variant, dimension, true );
    const joBroadPhase* at = scene.broadPhase;
    const float zero[3] = { 0.0f, 0.0f, 0.0f };
    uint64_t count = 77;
    kitRequire( joBroadPhase_OverlapBox( at, zero, zero, NULL, NULL, 0, &count ), "OverlapBox" );
    assert_int_equal( count, 9 );
    count = 77;
    kitRequire( joBroadPhase_OverlapCircle( at, zero, 0.0f, NULL, NULL, 0, &count ), "OverlapCircle" );
    assert_int_equal( count, 9 );
    count = 77;
    kitRequire( joBroadPhase_CastRayAll( at, &goodRay, NULL, NULL, 0, &count ), "CastRayAll" );
    assert_int_equal( count, 9 );
    count = 77;
    kitRequire( joBroadPhase_CastBoxAll( at, &goodBox, NULL, NULL, 0, &count ), "CastBoxAll" );
    assert_int_equal( count, 9 );
    count = 77;
    kitRequire( joBroadPhase_FindNearest( at, zero, 4, inf, NULL, NULL, 0, &count ), "FindNearest" );
    assert_int_equal( count, 4 );
    kitEnd( &scene );
}

static void theDefaultFilterMeetsAll( void** state )
{
    (void)state;
    joQueryFilter filter = joDefaultQueryFilter();
    assert_true( filter.layer == UINT64_MAX && filter.mask == UINT64_MAX );
    assert_true( filter.ignoredKeys == NULL && filter.ignoredCount == 0 );
}

// --- all of them ------------------------------------------------------------------------------------------

typedef void CaseFcn( const kitVariant* variant, int dimension );

static void runCase( CaseFcn* function )
{
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
            function( kitVariants + k, dimension );
    }
}

static void badNumbers( void** state )
{
    (void)state;
    runCase( badNumbersAreRefused );
}

static void nulls( void** state )
{
    (void)state;
    runCase( nullsAreRefused );
}

static void emptyOnes( void** state )
{
    (void)state;
    runCase( nothingIsNoError );
}

static void nullBuffers( void** state )
{
    (void)state;
    runCase( aNullBufferCounts );
}

// Misuse is reported through the assert hook in debug builds; here it is wanted.
static bool silentAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

int main( void )
{
    joSetAssertFcn( silentAssert );
    const struct CMUnitTest tests[] = {
        { "bad numbers get the documented error and write nothing", badNumbers, NULL, NULL, NULL },
        { "null pointers are refused and nothing is written", nulls, NULL, NULL, NULL },
        { "a broad phase in which nothing is meets nothing", emptyOnes, NULL, NULL, NULL },
        { "a null buffer of capacity 0 counts", nullBuffers, NULL, NULL, NULL },
        { "the default filter meets all", theDefaultFilterMeetsAll, NULL, NULL, NULL },
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
