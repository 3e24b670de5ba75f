// SPDX-License-Identifier: MIT
// The workloads: densities as benchmarks ask, worlds that hold them, the same bits everywhere.
#include "jostle/math.h"
#include "workload.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static joWorkload* create( joWorkloadKind kind, uint32_t count, uint64_t seed )
{
    joWorkload* workload = NULL;
    assert_int_equal( joCreateWorkload( kind, count, seed, &workload ), jo_success );
    assert_non_null( workload );
    return workload;
}

static uint64_t countPairs( const joWorkload* workload )
{
    uint64_t pairs = 0;
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        const float* a = workload->boxes + (size_t)i * 6;
        for ( uint32_t j = i + 1; j < workload->count; ++j )
        {
            const float* b = workload->boxes + (size_t)j * 6;
            bool touch = true;
            for ( int axis = 0; axis < workload->dimension; ++axis )
            {
                touch = touch && a[axis] <= b[3 + axis] && b[axis] <= a[3 + axis];
            }
            pairs += touch ? 1 : 0;
        }
    }
    return pairs;
}

// The chance that two uniform centres in [0, side] are within 1.
static double chanceNear( double side )
{
    return ( 2.0 * side - 1.0 ) / ( side * side );
}

// Pairs a box, if centres are uniform in the workload's world and half extents are 0.5.
static double expectedPairs( const joWorkload* workload )
{
    double neighbours = workload->count - 1.0;
    for ( int axis = 0; axis < workload->dimension; ++axis )
    {
        neighbours *= chanceNear( (double)workload->upper[axis] - (double)workload->lower[axis] );
    }
    return neighbours / 2.0;
}

static void assertBetween( double value, double lower, double upper )
{
    if ( !( value >= lower && value <= upper ) )
    {
        fail_msg( "%g is not from %g to %g", value, lower, upper );
    }
}

static void pairsABoxAreAsTheBenchmarksSay( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        joWorkload* workload = create( (joWorkloadKind)kind, 4000, 7 );
        for ( int frame = 0; frame < 3; ++frame )
        {
            double pairs = (double)countPairs( workload ) / workload->count;
            if ( kind == jo_pairsB )
            {
                // 2, and those of the few big boxes.
                assertBetween( pairs, 1.7, 3.0 );
            }
            else if ( kind == jo_pairsClumps )
            {
                // Ten times a's 2 pairs a box, less what is lost because a clump is not much wider than a
                // box.
                assertBetween( pairs, 16.0, 25.0 );
            }
            else
            {
                double expected = expectedPairs( workload );
                assertBetween( pairs, 0.95 * expected, 1.05 * expected );
            }
            joWorkload_Step( workload );
        }
        joDestroyWorkload( workload );
    }
}

static void largeWorldsHoldTwoPairsABox( void** state )
{
    (void)state;
    const joWorkloadKind kinds[] = { jo_pairsA, jo_pairsC, jo_pairsStill };
    for ( size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i )
    {
        joWorkload* workload = create( kinds[i], 100000, 1 );
        assertBetween( expectedPairs( workload ), 1.94, 2.0 );
        joDestroyWorkload( workload );
    }
}

static void boxesOfAPileOverlapTwoHundredOthers( void** state )
{
    (void)state;
    assert_int_equal( joWorkloadDefaultCount( jo_pairsPile ), 10000 );
    joWorkload* workload = create( jo_pairsPile, 10000, 1 );
    assertBetween( 2.0 * expectedPairs( workload ), 199.9, 200.1 );
    joDestroyWorkload( workload );
    // Fewer than that overlap all others.
    workload = create( jo_pairsPile, 150, 1 );
    assert_int_equal( countPairs( workload ), 150 * 149 / 2 );
    joDestroyWorkload( workload );
}

static void assertSide( const joWorkload* workload, int axis, double lower, double side )
{
    assertBetween( (double)workload->lower[axis], lower, lower );
    double given = (double)workload->upper[axis] - (double)workload->lower[axis];
    assertBetween( given, side - 1.0e-3, side + 1.0e-3 );
}

static void worldsHaveTheSidesTheBenchmarksSay( void** state )
{
    (void)state;
    const uint32_t counts[] = { 1, 999, 100000 };
    for ( size_t c = 0; c < 3; ++c )
    {
        double n = counts[c];
        double a = cbrt( 2.0 * n );
        double b = cbrt( 2.0 * n * JO_PAIRS_B_MEAN_CUBE );
        double width = cbrt( 2.0 * n / 1000.0 );
        const double sides[jo_workloadKindCount] = { a, b, sqrt( n ), a, width, sqrt( n ), 0.0 };
        for ( int kind = 0; kind < jo_pairsPile; ++kind )
        {
            joWorkload* workload = create( (joWorkloadKind)kind, counts[c], 1 );
            double lower = kind == jo_pairsClumps ? -10000.0 : 0.0;
            assert_int_equal( workload->dimension, kind == jo_pairsC || kind == jo_pairsStill ? 2 : 3 );
            for ( int axis = 0; axis < workload->dimension; ++axis )
            {
                double side = kind == jo_pairsLong && axis == 0 ? 1000.0 * width : sides[kind];
                assertSide( workload, axis, lower, side );
            }
            joDestroyWorkload( workload );
        }
    }
}

static void sizesOfBAreLogNormalWithAFewBigOnes( void** state )
{
    (void)state;
    const double h1 = 0.5 * exp( 0.32 ), h2 = 0.25 * exp( 1.28 ), h3 = 0.125 * exp( 2.88 );
    assertBetween( JO_PAIRS_B_MEAN_CUBE - ( 2.0 * h3 + 6.0 * h2 * h1 ), -1.0e-6, 1.0e-6 );

    joWorkload* workload = create( jo_pairsB, 20000, 3 );
    double sum = 0.0, sumOfLogs = 0.0, sumOfSquares = 0.0;
    uint32_t bigCount = 0, bigInSecondHalf = 0;
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        double half = (double)workload->halves[i];
        if ( half == 10.0 )
        {
            bigCount += 1;
            bigInSecondHalf += i >= workload->count / 2 ? 1 : 0;
            continue;
        }
        double z = log( half / 0.5 ) / 0.8;
        sum += half;
        sumOfLogs += z;
        sumOfSquares += z * z;
    }
    double n = workload->count - bigCount;
    assert_int_equal( bigCount, 20 );
    assertBetween( bigInSecondHalf, 3.0, 17.0 );
    assertBetween( sum / n, 0.97 * h1, 1.03 * h1 );
    assertBetween( sumOfLogs / n, -0.03, 0.03 );
    assertBetween( sumOfSquares / n, 0.97, 1.03 );
    joDestroyWorkload( workload );

    const uint32_t counts[] = { 1, 2, 3, 100, 5000 };
    const uint32_t bigCounts[] = { 1, 2, 3, 3, 5 };
    for ( size_t c = 0; c < 5; ++c )
    {
        workload = create( jo_pairsB, counts[c], 3 );
        bigCount = 0;
        for ( uint32_t i = 0; i < workload->count; ++i )
        {
            bigCount += workload->halves[i] == 10.0f ? 1 : 0;
        }
        assert_int_equal( bigCount, bigCounts[c] );
        joDestroyWorkload( workload );
    }
}

static void assertBoxes( const joWorkload* workload )
{
    float bounds[6];
    joWorkload_GetBounds( workload, bounds );
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        const float* box = workload->boxes + (size_t)i * 6;
        const float* centre = workload->centres + (size_t)i * 3;
        for ( int axis = 0; axis < 3; ++axis )
        {
            bool used = axis < workload->dimension;
            assert_true( box[axis] == ( used ? centre[axis] - workload->halves[i] : 0.0f ) );
            assert_true( box[3 + axis] == ( used ? centre[axis] + workload->halves[i] : 0.0f ) );
            assert_true( centre[axis] >= workload->lower[axis] && centre[axis] <= workload->upper[axis] );
            assert_true( box[axis] >= bounds[axis] && box[3 + axis] <= bounds[3 + axis] );
        }
    }
}

static void centresMoveByAtMostATwentiethAndStayInTheWorld( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_pairsChange; ++kind )
    {
        joWorkload* workload = create( (joWorkloadKind)kind, 300, 5 );
        size_t size = 300 * 3 * sizeof( float );
        float* last = malloc( size );
        assert_non_null( last );
        double farthest = 0.0, sum = 0.0;
        // Half a step of a float at 10,000.
        double rounding = kind == jo_pairsClumps ? 5.0e-4 : 5.0e-6;
        for ( uint32_t frame = 1; frame <= 60; ++frame )
        {
            memcpy( last, workload->centres, size );
            joWorkload_Step( workload );
            assert_int_equal( workload->frame, frame );
            assertBoxes( workload );
            for ( uint32_t i = 0; i < 300 * 3; ++i )
            {
                double step = (double)workload->centres[i] - (double)last[i];
                farthest = fabs( step ) > farthest ? fabs( step ) : farthest;
                sum += step;
                assert_true( workload->motion[i / 3] == jo_moving || step == 0.0 );
            }
        }
        assertBetween( farthest, 0.0495, 0.05 + rounding );
        assertBetween( sum / ( 60 * 300 * workload->dimension ), -0.001, 0.001 );
        free( last );
        joDestroyWorkload( workload );
    }
}

// How many centres have moved on some axis by more than a step.
static uint32_t countJumps( const joWorkload* workload, const float* last )
{
    uint32_t jumps = 0;
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        float x = workload->centres[3 * i] - last[3 * i], y = workload->centres[3 * i + 1] - last[3 * i + 1];
        jumps += fabsf( x ) > 0.0505f || fabsf( y ) > 0.0505f ? 1 : 0;
    }
    return jumps;
}

static void changeIsAsCWithGuestsThenFliesApart( void** state )
{
    (void)state;
    const uint32_t n = 2000;
    joWorkload* workload = create( jo_pairsChange, n, 5 );
    assert_int_equal( workload->dimension, 2 );
    assert_int_equal( workload->changeFrame, JO_WORKLOAD_CHANGE_FRAME );
    workload->changeFrame = 8;
    float* last = malloc( n * 3 * sizeof( float ) );
    assert_non_null( last );
    for ( uint32_t frame = 1; frame < 14; ++frame )
    {
        memcpy( last, workload->centres, n * 3 * sizeof( float ) );
        joWorkload_Step( workload );
        assertBoxes( workload );
        const uint32_t jumps = countJumps( workload, last );
        if ( frame < 8 )
        {
            assertSide( workload, 0, 0.0, sqrt( n ) );
            assertBetween( jumps, 17.0, 20.0 );
        }
        else if ( frame == 8 )
        {
            assertBetween( jumps, 0.99 * n, n );
        }
        else
        {
            // Half a step of a float at 32,768 is 0.002.
            assertBetween( jumps, 0.0, 0.05 * n );
        }
    }
    // A fourth of the sizes to each fourth of their logarithms, and about the same overlaps for all.
    uint32_t fourths[4] = { 0 };
    for ( uint32_t i = 0; i < n; ++i )
    {
        double logarithm = log( (double)workload->halves[i] * sqrt( n ) / 2.0 );
        assertBetween( logarithm, -1.0e-3, 9.0 + 1.0e-3 );
        fourths[(int)( logarithm < 8.999 ? fabs( logarithm ) / 2.25 : 3.0 )] += 1;
    }
    for ( int k = 0; k < 4; ++k )
    {
        assertBetween( fourths[k], 0.2 * n, 0.3 * n );
    }
    assertBetween( (double)countPairs( workload ) / n, 0.5, 3.0 );
    free( last );
    joDestroyWorkload( workload );
}

static void nineTenthsOfStillNeverMove( void** state )
{
    (void)state;
    joWorkload* workload = create( jo_pairsStill, 1000, 5 );
    assert_int_equal( workload->stillCount, 900 );
    uint32_t still = 0, stillInFirstHalf = 0;
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        assert_true( workload->motion[i] == jo_resting || workload->motion[i] == jo_moving );
        still += workload->motion[i] == jo_resting ? 1 : 0;
        stillInFirstHalf += workload->motion[i] == jo_resting && i < 500 ? 1 : 0;
    }
    assert_int_equal( still, 900 );
    assertBetween( stillInFirstHalf, 420.0, 480.0 );
    joDestroyWorkload( workload );
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        workload = create( (joWorkloadKind)kind, 10, 5 );
        assert_int_equal( workload->stillCount, kind == jo_pairsStill ? 9 : 0 );
        joDestroyWorkload( workload );
    }
}

static void orderInMemoryIsRandomInSpace( void** state )
{
    (void)state;
    const uint32_t n = 4000;
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        joWorkload* workload = create( (joWorkloadKind)kind, n, 9 );
        const float* c = workload->centres;
        double next = 0.0, any = 0.0;
        joRandom random = joMakeRandom( 4 );
        for ( uint32_t i = 0; i + 1 < n; ++i )
        {
            uint32_t j = joRandom_Below( &random, n );
            next += fabs( (double)c[3 * i] - (double)c[3 * i + 3] );
            any += fabs( (double)c[3 * i] - (double)c[3 * j] );
        }
        assertBetween( next / any, 0.9, 1.1 );
        joDestroyWorkload( workload );
    }
}

static void anyCountWorks( void** state )
{
    (void)state;
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        for ( uint32_t n = 1; n <= 40; ++n )
        {
            joWorkload* workload = create( (joWorkloadKind)kind, n, n );
            for ( int frame = 0; frame < 5; ++frame )
            {
                assertBoxes( workload );
                joWorkload_Step( workload );
            }
            joDestroyWorkload( workload );
        }
    }
}

static uint64_t addHash( uint64_t hash, const void* data, size_t size )
{
    const uint8_t* bytes = data;
    for ( size_t i = 0; i < size; ++i )
    {
        hash = ( hash ^ bytes[i] ) * 1099511628211u;
    }
    return hash;
}

static uint64_t hashFrames( joWorkloadKind kind, uint64_t seed )
{
    joWorkload* workload = create( kind, 1000, seed );
    uint64_t hash = 14695981039346656037u;
    for ( int frame = 0; frame < 4; ++frame )
    {
        hash = addHash( hash, workload->boxes, 1000 * 6 * sizeof( float ) );
        hash = addHash( hash, workload->motion, 1000 );
        joWorkload_Step( workload );
    }
    joDestroyWorkload( workload );
    return hash;
}

static void sameSeedGivesTheSameBitsOnEveryMachine( void** state )
{
    (void)state;
    static const uint64_t golden[jo_workloadKindCount] = { 0x058f423a765a3180u, 0x627f5e4ce5401a40u,
        0xd62755c560e0c024u, 0x55c5d60aa4068b9du, 0x08009132f12d8843u, 0x44d926569f556011u,
        0x9f59aaf6ee25b7d2u, 0xc3ecb115e26bd14du };
    bool right = true;
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        uint64_t hash = hashFrames( (joWorkloadKind)kind, 1 );
        printf( "%s 0x%016llx\n", joWorkloadKindText( (joWorkloadKind)kind ), (unsigned long long)hash );
        right = right && hash == golden[kind];
        assert_true( hash == hashFrames( (joWorkloadKind)kind, 1 ) );
        assert_true( hash != hashFrames( (joWorkloadKind)kind, 2 ) );
    }
    assert_true( right );
}

static void workloadsHaveNamesWithAndWithoutPairs( void** state )
{
    (void)state;
    const char* const names[] = { "a", "b", "c", "clumps", "long", "still", "pile", "change" };
    for ( int i = 0; i < jo_workloadKindCount; ++i )
    {
        char name[32];
        snprintf( name, sizeof name, "pairs-%s", names[i] );
        assert_string_equal( joWorkloadKindText( (joWorkloadKind)i ), name );
        joWorkloadKind kind = jo_workloadKindCount;
        assert_true( joFindWorkloadKind( names[i], &kind ) && (int)kind == i );
        kind = jo_workloadKindCount;
        assert_true( joFindWorkloadKind( name, &kind ) && (int)kind == i );
    }
    joWorkloadKind kind = jo_pairsLong;
    assert_false( joFindWorkloadKind( "pairs-", &kind ) );
    assert_false( joFindWorkloadKind( "", &kind ) );
    assert_false( joFindWorkloadKind( "pairs-ab", &kind ) );
    assert_int_equal( kind, jo_pairsLong );
    assert_null( joWorkloadKindText( jo_workloadKindCount ) );
}

static void badArgumentsAreRefused( void** state )
{
    (void)state;
    joWorkload* workload = (joWorkload*)&workload;
    assert_int_equal( joCreateWorkload( jo_pairsA, 0, 1, &workload ), jo_errorBadCount );
    assert_null( workload );
    assert_int_equal(
        joCreateWorkload( jo_pairsA, (uint32_t)INT32_MAX + 1, 1, &workload ), jo_errorBadCount );
    assert_int_equal( joCreateWorkload( jo_workloadKindCount, 1, 1, &workload ), jo_errorUnknownKind );
    assert_int_equal( joCreateWorkload( jo_pairsA, 1, 1, NULL ), jo_errorNullArgument );
    assert_int_equal( joCreateWorkloadByName( "heap", 1, 1, &workload ), jo_errorUnknownKind );
    assert_int_equal( joCreateWorkloadByName( NULL, 1, 1, &workload ), jo_errorNullArgument );
    assert_null( workload );
    joDestroyWorkload( NULL );
    joCrowd* crowd = (joCrowd*)&crowd;
    assert_int_equal( joCreateCrowd( 0, 1, &crowd ), jo_errorBadCount );
    assert_null( crowd );
    assert_int_equal( joCreateCrowd( 1, 1, NULL ), jo_errorNullArgument );
    joDestroyCrowd( NULL );
}

static void crowdStartsPackedAndWithoutOverlap( void** state )
{
    (void)state;
    for ( uint32_t n = 1; n <= 2000; n = n < 60 ? n + 1 : n * 2 )
    {
        joCrowd* crowd = NULL;
        assert_int_equal( joCreateCrowd( n, n, &crowd ), jo_success );
        double side = (double)crowd->side;
        assertBetween( n * 3.14159265358979 * 0.25 / ( side * side ), 0.2999, 0.3001 );
        for ( uint32_t i = 0; i < n; ++i )
        {
            double x = (double)crowd->x[i], y = (double)crowd->y[i];
            assertBetween( x, 0.5, side - 0.5 );
            assertBetween( y, 0.5, side - 0.5 );
            assertBetween(
                hypot( (double)crowd->velocityX[i], (double)crowd->velocityY[i] ), 1.9999, 2.0001 );
            for ( uint32_t j = 0; j < i; ++j )
            {
                assert_true( hypot( x - (double)crowd->x[j], y - (double)crowd->y[j] ) > 1.0 );
            }
        }
        joDestroyCrowd( crowd );
    }
}

static void crowdIsShuffledAndFliesInAllDirections( void** state )
{
    (void)state;
    const uint32_t n = 4000;
    joCrowd* crowd = NULL;
    assert_int_equal( joCreateCrowd( n, 1, &crowd ), jo_success );
    double next = 0.0, any = 0.0, sumX = 0.0, sumY = 0.0;
    joRandom random = joMakeRandom( 4 );
    for ( uint32_t i = 0; i + 1 < n; ++i )
    {
        uint32_t j = joRandom_Below( &random, n );
        next += hypot( (double)( crowd->x[i] - crowd->x[i + 1] ), (double)( crowd->y[i] - crowd->y[i + 1] ) );
        any += hypot( (double)( crowd->x[i] - crowd->x[j] ), (double)( crowd->y[i] - crowd->y[j] ) );
        sumX += (double)crowd->velocityX[i];
        sumY += (double)crowd->velocityY[i];
    }
    assertBetween( next / any, 0.95, 1.05 );
    assertBetween( sumX / n, -0.1, 0.1 );
    assertBetween( sumY / n, -0.1, 0.1 );
    joDestroyCrowd( crowd );
}

static void crowdBouncesAtTheWalls( void** state )
{
    (void)state;
    joCrowd* crowd = NULL;
    assert_int_equal( joCreateCrowd( 100, 1, &crowd ), jo_success );
    float side = crowd->side;
    const float values[3][4] = {
        // x, velocity before, x and velocity after half a second
        { 0.75f, -2.0f, 1.25f, 2.0f },             // flies into the lower wall
        { side - 1.0f, 2.0f, side - 1.0f, -2.0f }, // into the upper one
        { -3.0f, 2.0f, 3.0f, 2.0f },               // was pushed out, flies back already
    };
    for ( int k = 0; k < 3; ++k )
    {
        crowd->x[k] = crowd->y[k] = values[k][0];
        crowd->velocityX[k] = crowd->velocityY[k] = values[k][1];
    }
    float freeX = crowd->x[50] = 5.0f;
    float freeVelocity = crowd->velocityX[50];
    joCrowd_Move( crowd, 0.5f );
    for ( int k = 0; k < 3; ++k )
    {
        assert_true( crowd->x[k] == values[k][2] && crowd->y[k] == values[k][2] );
        assert_true( crowd->velocityX[k] == values[k][3] && crowd->velocityY[k] == values[k][3] );
    }
    assert_true( crowd->x[50] == freeX + 0.5f * freeVelocity && crowd->velocityX[50] == freeVelocity );
    // Far outside: no reflection brings it back; it is put at the wall.
    crowd->x[7] = 1.0e6f;
    for ( int frame = 0; frame < 300; ++frame )
    {
        joCrowd_Move( crowd, JO_CROWD_TIME_STEP );
        for ( int i = 0; i < 100; ++i )
        {
            assert_true( crowd->x[i] >= 0.5f && crowd->x[i] <= side - 0.5f );
            assert_true( crowd->y[i] >= 0.5f && crowd->y[i] <= side - 0.5f );
        }
    }
    joDestroyCrowd( crowd );
}

static void crowdOfTheSameSeedIsTheSameBits( void** state )
{
    (void)state;
    joCrowd* crowd = NULL;
    assert_int_equal( joCreateCrowd( 1000, 1, &crowd ), jo_success );
    for ( int frame = 0; frame < 100; ++frame )
    {
        joCrowd_Move( crowd, JO_CROWD_TIME_STEP );
    }
    uint64_t hash = 14695981039346656037u;
    hash = addHash( hash, crowd->x, 4000 );
    hash = addHash( hash, crowd->y, 4000 );
    hash = addHash( hash, crowd->velocityX, 4000 );
    hash = addHash( hash, crowd->velocityY, 4000 );
    printf( "crowd 0x%016llx\n", (unsigned long long)hash );
    assert_true( hash == 0x026cb0c4fc1a2063u );
    joDestroyCrowd( crowd );
}

static void exponentialIsAsGoodAsFloatCanBe( void** state )
{
    (void)state;
    for ( int i = -8700; i <= 8872; ++i )
    {
        float x = (float)i / 100.0f;
        double exact = exp( (double)x );
        assertBetween( (double)joExp( x ) / exact, 1.0 - 6.1e-8, 1.0 + 6.1e-8 );
    }
    assert_true( joExp( 0.0f ) == 1.0f );
    assert_true( joExp( 89.0f ) == INFINITY && joExp( INFINITY ) == INFINITY && joExp( 88.73f ) == INFINITY );
    assert_true( joExp( -104.0f ) == 0.0f && joExp( -1.0e30f ) == 0.0f && joExp( -INFINITY ) == 0.0f );
    assert_true( joExp( -103.0f ) > 0.0f ); // the smallest denormal
    assert_true( isnan( joExp( NAN ) ) );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( pairsABoxAreAsTheBenchmarksSay ),
        cmocka_unit_test( largeWorldsHoldTwoPairsABox ),
        cmocka_unit_test( boxesOfAPileOverlapTwoHundredOthers ),
        cmocka_unit_test( worldsHaveTheSidesTheBenchmarksSay ),
        cmocka_unit_test( sizesOfBAreLogNormalWithAFewBigOnes ),
        cmocka_unit_test( centresMoveByAtMostATwentiethAndStayInTheWorld ),
        cmocka_unit_test( changeIsAsCWithGuestsThenFliesApart ),
        cmocka_unit_test( nineTenthsOfStillNeverMove ),
        cmocka_unit_test( orderInMemoryIsRandomInSpace ),
        cmocka_unit_test( anyCountWorks ),
        cmocka_unit_test( sameSeedGivesTheSameBitsOnEveryMachine ),
        cmocka_unit_test( workloadsHaveNamesWithAndWithoutPairs ),
        cmocka_unit_test( badArgumentsAreRefused ),
        cmocka_unit_test( crowdStartsPackedAndWithoutOverlap ),
        cmocka_unit_test( crowdIsShuffledAndFliesInAllDirections ),
        cmocka_unit_test( crowdBouncesAtTheWalls ),
        cmocka_unit_test( crowdOfTheSameSeedIsTheSameBits ),
        cmocka_unit_test( exponentialIsAsGoodAsFloatCanBe ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
