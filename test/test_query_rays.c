// SPDX-License-Identifier: MIT
// Case 32 of the list the project was given: a ray of no length, along an edge, from inside; and faults on
// the borders of floats that the oracle found here. Over every kind of broad phase, on 2 and 3 axes.
#include "support/query_kit.h"

#include <float.h>
#include <math.h>

static const double alongX[3] = { 1.0, 0.0, 0.0 };
static const double alongY[3] = { 0.0, 1.0, 0.0 };

// --- 32 ---------------------------------------------------------------------------------------------------

// Calls the function on one object of each motion, just added and brought up to date.
static void withOne(
    const kitVariant* variant, int dimension, refObject object, void ( *function )( const kitScene* scene ) )
{
    for ( uint32_t motion = 0; motion < 3; ++motion )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        object.motion = (refMotion)motion;
        kitPush( &scene, object );
        kitAddFrom( &scene, 0 );
        function( &scene );
        kitUpdate( &scene );
        function( &scene );
        kitEnd( &scene );
    }
}

static const double below1 = 0x1.fffffep-1; // the float before 1

static kitQuery rayAt( double x, double y, double z, const double direction[3], double length )
{
    return kitAskRay( ( double[3] ){ x, y, z }, direction, length );
}

// The box is 1 to 2 on all axes.
static void raysOfNoLength( const kitScene* scene )
{
    static const double directions[][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { -1, -1, -1 }, { NAN, 0.0, 0.0 },
        { HUGE_VAL, 0.0, 0.0 } }; // which is not looked at
    for ( int k = 0; k < 5; ++k )
    {
        kitExpectHit( scene, rayAt( 1.5, 1.5, 1.5, directions[k], 0.0 ), "inside", 0, 0.0 );
        kitExpectHit( scene, rayAt( 1.0, 1.5, 1.5, directions[k], 0.0 ), "on a face", 0, 0.0 );
        kitExpectHit( scene, rayAt( 2.0, 2.0, 1.5, directions[k], 0.0 ), "on an edge", 0, 0.0 );
        kitExpectHit( scene, rayAt( 1.0, 2.0, 1.0, directions[k], -0.0 ), "on a corner", 0, 0.0 );
        kitExpectNothing( scene, rayAt( below1, 1.5, 1.5, directions[k], 0.0 ), "beside" );
        kitExpectNothing( scene, rayAt( 1.5, 0x1.000002p+1, 1.5, directions[k], 0.0 ), "beside" );
    }
}

static void raysAlongFacesAndEdges( const kitScene* scene )
{
    static const double lengths[] = { 1.0, 1.5, 100.0, (double)FLT_MAX, HUGE_VAL };
    static const double ways[] = { 1.0, 3.0, 1e-30, 1e30, 0x1p-149 };
    for ( int k = 0; k < 5; ++k )
    {
        double forward[3] = { refFloat( ways[k] ), 0.0, -0.0 }, back[3] = { -forward[0], -0.0, 0.0 };
        kitExpectHit( scene, rayAt( 0.0, 1.0, 1.0, forward, lengths[k] ), "along an edge", 0, 1.0 );
        kitExpectHit( scene, rayAt( 0.0, 2.0, 1.0, forward, lengths[k] ), "along an edge", 0, 1.0 );
        kitExpectHit( scene, rayAt( 0.0, 1.5, 2.0, forward, lengths[k] ), "along a face", 0, 1.0 );
        kitExpectHit( scene, rayAt( 3.0, 2.0, 2.0, back, lengths[k] ), "along an edge, back", 0, 1.0 );
        kitExpectNothing( scene, rayAt( 0.0, below1, 1.5, forward, lengths[k] ), "beside a face" );
        kitExpectNothing( scene, rayAt( 3.0, 0x1.000002p+1, 1.5, back, lengths[k] ), "beside a face" );
        kitExpectNothing( scene, rayAt( 0.0, 1.0, 1.0, back, lengths[k] ), "away" );
        kitExpectNothing( scene, rayAt( 3.0, 1.0, 1.0, forward, lengths[k] ), "away" );
    }
    // Through a corner, and past it.
    double slant[3] = { 1.0, -1.0, 0.0 };
    kitExpectHit( scene, rayAt( 0.0, 3.0, 1.5, slant, 9.0 ), "through a corner", 0, sqrt( 2.0 ) );
    kitExpectHit( scene, rayAt( 0.0, 2.0, 1.5, slant, 9.0 ), "touches a corner", 0, sqrt( 2.0 ) );
    kitExpectHit( scene, rayAt( 0.0, 4.0, 1.5, slant, 9.0 ), "touches a corner", 0, sqrt( 8.0 ) );
    kitExpectNothing( scene, rayAt( 0.0, 0x1.fffp+0, 1.5, slant, 9.0 ), "past a corner" );
    kitExpectNothing( scene, rayAt( 0.0, 0x1.0008p+2, 1.5, slant, 9.0 ), "past a corner" );
}

static void raysFromInside( const kitScene* scene )
{
    for ( int k = 0; k < 27; ++k )
    {
        double direction[3] = { k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0 };
        if ( direction[0] == 0.0 && direction[1] == 0.0 )
            continue;
        kitExpectHit( scene, rayAt( 1.25, 1.5, 1.75, direction, 9.0 ), "from inside", 0, 0.0 );
        kitExpectHit( scene, rayAt( 1.25, 1.5, 1.75, direction, 0x1p-149 ), "from inside", 0, 0.0 );
        kitExpectHit( scene, rayAt( 1.0, 1.5, 1.75, direction, HUGE_VAL ), "from a face", 0, 0.0 );
        kitExpectHit( scene, rayAt( 1.0, 2.0, 1.5, direction, 9.0 ), "from an edge", 0, 0.0 );
        kitExpectHit( scene, rayAt( 2.0, 2.0, 2.0, direction, 9.0 ), "from a corner", 0, 0.0 );
    }
}

static void raysThatEndOnAFace( const kitScene* scene )
{
    static const double back[3] = { -1.0, 0.0, 0.0 }, slant[3] = { 3.0, 4.0, 0.0 };
    kitExpectHit( scene, rayAt( 0.0, 1.5, 1.5, alongX, 1.0 ), "ends on a face", 0, 1.0 );
    kitExpectNothing( scene, rayAt( 0.0, 1.5, 1.5, alongX, below1 ), "ends before a face" );
    kitExpectHit( scene, rayAt( 3.0, 1.5, 1.5, back, 1.0 ), "ends on a face", 0, 1.0 );
    kitExpectNothing( scene, rayAt( 3.0, 1.5, 1.5, back, below1 ), "ends before a face" );
    kitExpectHit( scene, rayAt( 0.0, 2.0, 1.0, alongX, 1.0 ), "ends on a corner", 0, 1.0 );
    kitExpectHit( scene, rayAt( -2.0, -3.0, 1.5, slant, 5.0 ), "ends on an edge", 0, 5.0 );
    kitExpectNothing( scene, rayAt( -2.0, -3.0, 1.5, slant, 4.999 ), "ends before an edge" );
    // It ends on it as far as floats can tell.
    kitExpectHit( scene, rayAt( -0x1p-26, 1.5, 1.5, alongX, 1.0 ), "ends on a face, rounded", 0, 1.0 );
    kitExpectNothing( scene, rayAt( -0x1p-22, 1.5, 1.5, alongX, 1.0 ), "ends before a face" );
}

// The same of a circle or sphere about (2, 2, 2) of radius 1.
static void raysAtRounds( const kitScene* scene )
{
    static const double back[3] = { -1.0, 0.0, 0.0 };
    kitExpectHit( scene, rayAt( 0.0, 2.0, 2.0, alongX, 9.0 ), "through the centre", 0, 1.0 );
    kitExpectHit( scene, rayAt( 0.0, 2.0, 2.0, alongX, 1.0 ), "ends on it", 0, 1.0 );
    kitExpectNothing( scene, rayAt( 0.0, 2.0, 2.0, alongX, below1 ), "ends before it" );
    kitExpectHit( scene, rayAt( 0.0, 1.0, 2.0, alongX, 9.0 ), "touches it", 0, 2.0 );
    kitExpectHit( scene, rayAt( 0.0, 3.0, 2.0, alongX, 2.0 ), "touches it at the end", 0, 2.0 );
    kitExpectNothing( scene, rayAt( 0.0, 0x1.fffp-1, 2.0, alongX, 9.0 ), "passes it" );
    kitExpectNothing( scene, rayAt( 0.0, 2.0, 2.0, back, HUGE_VAL ), "away" );
    kitExpectHit( scene, rayAt( 1.0, 2.0, 2.0, back, 9.0 ), "from its surface, away", 0, 0.0 );
    kitExpectHit( scene, rayAt( 2.5, 2.0, 2.0, back, 9.0 ), "from inside", 0, 0.0 );
    kitExpectHit( scene, rayAt( 2.0, 2.0, 2.0, alongX, 0.0 ), "no length, inside", 0, 0.0 );
    kitExpectHit( scene, rayAt( 2.0, 1.0, 2.0, alongX, 0.0 ), "no length, on it", 0, 0.0 );
    kitExpectNothing( scene, rayAt( 2.0, below1, 2.0, alongX, 0.0 ), "no length, beside it" );
    // A swept box comes with a side, an edge or a corner first.
    double lower[3] = { 0.0, 0.0, 1.5 }, upper[3] = { 0.5, 2.5, 2.5 };
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "a side first", 0, 0.5 );
    kitExpectNothing( scene, kitAskSweptBox( lower, upper, alongX, 0.499 ), "a side, too short" );
    upper[1] = 1.0;
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "touched in passing", 0, 1.5 );
    upper[1] = 1.2; // an edge: 0.8 below the centre, so 0.6 beside it
    kitCheckOnly(
        scene, kitAskSweptBox( lower, ( double[3] ){ 0.5, refFloat( 1.2 ), 2.5 }, alongX, 9.0 ), "an edge" );
    upper[1] = 0x1.fffp-1;
    kitExpectNothing( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "passes it" );
}

static void sweptBoxes( const kitScene* scene )
{
    double lower[3] = { -1.0, 1.0, 1.0 }, upper[3] = { 0.0, 3.0, 1.0 };
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "a side first", 0, 1.0 );
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongX, 1.0 ), "ends on a face", 0, 1.0 );
    kitExpectNothing( scene, kitAskSweptBox( lower, upper, alongX, below1 ), "ends before a face" );
    lower[1] = 2.0;
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "slides along a face", 0, 1.0 );
    lower[1] = 0x1.000002p+1;
    kitExpectNothing( scene, kitAskSweptBox( lower, upper, alongX, 9.0 ), "slides beside a face" );
    lower[1] = 2.0;
    upper[0] = 1.0;
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongY, 9.0 ), "starts touching, leaves", 0, 0.0 );
    kitExpectHit( scene, kitAskSweptBox( lower, upper, alongY, 0.0 ), "starts touching, stays", 0, 0.0 );
    double all[2][3] = { { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }, { HUGE_VAL, HUGE_VAL, HUGE_VAL } };
    kitExpectHit( scene, kitAskSweptBox( all[0], all[1], alongX, 9.0 ), "all of space", 0, 0.0 );
    double half[2][3] = { { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }, { -4.0, HUGE_VAL, HUGE_VAL } };
    kitExpectHit( scene, kitAskSweptBox( half[0], half[1], alongX, 9.0 ), "half of space comes", 0, 5.0 );
    kitExpectNothing( scene, kitAskSweptBox( half[0], half[1], alongY, HUGE_VAL ), "half of space stays" );
}

static void raysOnABox( const kitVariant* variant, int dimension )
{
    refObject box = kitBox3( 0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0 );
    withOne( variant, dimension, box, raysOfNoLength );
    withOne( variant, dimension, box, raysAlongFacesAndEdges );
    withOne( variant, dimension, box, raysFromInside );
    withOne( variant, dimension, box, raysThatEndOnAFace );
    withOne( variant, dimension, box, sweptBoxes );
}

static void raysOnARound( const kitVariant* variant, int dimension )
{
    withOne( variant, dimension, kitBall( 0, 2.0, 2.0, 2.0, 1.0 ), raysAtRounds );
}

// A row of flush tiles: a ray along the seam meets all of them, each where it begins.
static void aRayAlongASeam( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 64; ++i )
    {
        double x = i % 32, y = i / 32;
        kitPush( &scene, kitBox3( i, x, y, 0.0, x + 1.0, y + 1.0, 1.0 ) );
    }
    kitAddFrom( &scene, 0 );
    uint32_t keys[64];
    float distances[64];
    for ( uint32_t i = 0; i < 64; ++i )
    {
        keys[i] = i / 2 + 32 * ( i % 2 );
        distances[i] = 2.0f + (float)( i / 2 );
    }
    for ( int round = 0; round < 2; ++round )
    {
        kitQuery query = rayAt( -2.0, 1.0, 0.0, alongX, HUGE_VAL );
        kitExpect( &scene, &query, "along a seam", keys, distances, 64 );
        query = rayAt( -2.0, 1.0, 1.0, alongX, 17.0 );
        kitExpect( &scene, &query, "along a seam", keys, distances, 32 );
        kitUpdate( &scene );
    }
    kitEnd( &scene );
}

// --- found here -------------------------------------------------------------------------------------------

static void filtersThatMeetNothing( const kitVariant* variant, int dimension )
{
    for ( int layered = 0; layered < 2; ++layered )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        for ( uint32_t i = 0; i < 9; ++i )
            kitPush( &scene, kitBox3( i, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0 ) )->layer =
                layered ? 1u << i : UINT64_MAX;
        kitAddFrom( &scene, 0 );
        for ( int which = 0; which < 2; ++which )
        {
            kitQuery query = kitAskBox( ( double[3] ){ 0 }, ( double[3] ){ 0 } );
            query.noFilter = false;
            *( which ? &query.reference.layer : &query.reference.mask ) = 0;
            kitExpectNothing( &scene, query, "a filter of nothing" );
            query.reference.kind = ref_nearest;
            query.reference.k = 3;
            kitExpectNothing( &scene, query, "a filter of nothing" );
        }
        kitEnd( &scene );
    }
}

static void distancesBeyondFloats( const kitVariant* variant, int dimension )
{
    const double most = (double)FLT_MAX;
    kitScene scene = kitBegin( variant, dimension, NULL );
    kitPush( &scene, kitBox3( 5, most, -1.0, 0.0, most, 1.0, 0.0 ) );
    kitPush( &scene, kitBall( 6, 0.0, refFloat( 3e38 ), 0.0, 0.0 ) );
    kitPush( &scene, kitBall( 7, 0.0, refFloat( -3e38 ), 0.0, most ) );
    kitAddFrom( &scene, 0 );
    double from[3] = { -most, 0.0, 0.0 };
    for ( int round = 0; round < 2; ++round )
    {
        static const double lengths[] = { (double)FLT_MAX, HUGE_VAL };
        for ( int k = 0; k < 2; ++k )
        {
            kitCheckOnly( &scene, kitAskRay( from, alongX, lengths[k] ), "beyond floats" );
            kitCheckOnly( &scene, kitAskNearest( from, 3, lengths[k] ), "beyond floats" );
            kitCheckOnly( &scene, kitAskNearest( from, 1, lengths[k] ), "beyond floats" );
            // Passes the sphere at more than a radius, all of which is beyond floats.
            kitCheckOnly( &scene,
                kitAskRay( ( double[3] ){ refFloat( 3e38 ), refFloat( 3e38 ), 0.0 },
                    ( double[3] ){ 1.0, -1.0, 0.0 }, lengths[k] ),
                "beyond floats" );
        }
        kitUpdate( &scene );
    }
    kitEnd( &scene );
}

// A distance that rounds to the length, though what lies there is outside the bounds of the exact way.
static void hitsThatRoundToTheLength( const kitVariant* variant, int dimension )
{
    for ( uint32_t motion = 0; motion < 3; ++motion )
    {
        kitScene scene = kitBegin( variant, dimension, NULL );
        kitPush( &scene, kitBox3( 3, 0x1p-25, -1.0, -1.0, 9.0, 1.0, 1.0 ) )->motion = (refMotion)motion;
        kitAddFrom( &scene, 0 );
        for ( int round = 0; round < 2; ++round )
        {
            kitExpectHit( &scene, rayAt( -1.0, 0.0, 0.0, alongX, 1.0 ), "rounds to the length", 3, 1.0 );
            kitExpectHit(
                &scene, kitAskNearest( ( double[3] ){ -1.0, 0.0, 0.0 }, 1, 1.0 ), "rounds to it", 3, 1.0 );
            kitExpectNothing( &scene, rayAt( -1.0, 0.0, 0.0, alongX, below1 ), "does not" );
            kitUpdate( &scene );
        }
        kitEnd( &scene );
    }
}

// Circles touch by the formula, whatever their boxes round to: as in pairs.
static void circlesTouchByTheFormula( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    kitPush( &scene, kitBox3( 1, -9.0, -5.0, -1.0, -8.0, -2.0, 1.0 ) );
    kitPush( &scene, kitBall( 2, 0.0, -5.0, 0.0, 1.0 ) );
    kitAddFrom( &scene, 0 );
    double far = refFloat( 1e30 );
    for ( int round = 0; round < 2; ++round )
    {
        kitExpectKeys(
            &scene, kitAskCircle( ( double[3] ){ 0.0, far, 0.0 }, far ), "huge", ( uint32_t[] ){ 1, 2 }, 2 );
        kitExpectKeys(
            &scene, kitAskCircle( ( double[3] ){ 0.0, 3.0, 0.0 }, 7.0 ), "exact", ( uint32_t[] ){ 2 }, 1 );
        kitUpdate( &scene );
    }
    kitEnd( &scene );
}

// --- all of them ------------------------------------------------------------------------------------------

typedef void CaseFcn( const kitVariant* variant, int dimension );

static const struct
{
    const char* name;
    CaseFcn* function;
} cases[] = {
    { "case 32: rays of no length, along edges and faces, from inside, to a face", raysOnABox },
    { "case 32: rays and swept boxes on circles and spheres", raysOnARound },
    { "case 32: a ray along a seam meets both sides", aRayAlongASeam },
    { "a filter without a layer or without a mask meets nothing", filtersThatMeetNothing },
    { "distances beyond floats count as the largest", distancesBeyondFloats },
    { "a distance that rounds to the length is within it", hitsThatRoundToTheLength },
    { "query circles touch by the formula, whatever their boxes round to", circlesTouchByTheFormula },
};

#define CASE_COUNT ( sizeof cases / sizeof *cases )

static void everyKind( void** state )
{
    CaseFcn* function = cases[(uintptr_t)*state].function;
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
            function( kitVariants + k, dimension );
    }
}

int main( void )
{
    struct CMUnitTest tests[CASE_COUNT];
    for ( size_t k = 0; k < CASE_COUNT; ++k )
    {
        tests[k] = ( struct CMUnitTest ){
            .name = cases[k].name, .test_func = everyKind, .initial_state = (void*)(uintptr_t)k };
    }
    return cmocka_run_group_tests( tests, NULL, NULL );
}
