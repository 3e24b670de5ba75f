// SPDX-License-Identifier: MIT
// Tests of sine, cosine, arc tangent, exponential and the random numbers: against the C library in double,
// and against fixed hashes, so that a compiler or machine that gives other bits is found out.
#include "test_support.h"

#include "base/float_env.h"
#include "jostle/math.h"

#include <math.h>
#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

#define PI 3.14159265358979323846

static uint64_t s_seed;

static float floatOf( uint32_t bits )
{
    float value;
    memcpy( &value, &bits, sizeof( value ) );
    return value;
}

// Any finite float, all exponents alike.
static float anyFloat( uint64_t* random )
{
    float value;
    do
    {
        value = floatOf( (uint32_t)nextRandom( random ) );
    } while ( !isfinite( value ) );
    return value;
}

static float floatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

// Half a unit in the last place of a result up to 1 is 3e-8: the double inside is far better than that.
static void checkSinCos( float x )
{
    float s = joSin( x ), c = joCos( x );
    if ( !( fabs( (double)s - sin( (double)x ) ) < 3.1e-8 && fabs( (double)c - cos( (double)x ) ) < 3.1e-8 ) )
    {
        fail_msg( "x %a: sin %a (%a), cos %a (%a)", (double)x, (double)s, sin( (double)x ), (double)c,
            cos( (double)x ) );
    }
    // Small results are good to their own last place, near every zero.
    if ( !( fabs( (double)s - sin( (double)x ) ) <= 7e-8 * fabs( sin( (double)x ) ) + 1e-11 &&
             fabs( (double)c - cos( (double)x ) ) <= 7e-8 * fabs( cos( (double)x ) ) + 1e-11 ) )
    {
        fail_msg( "x %a: sin %a, cos %a lack relative accuracy", (double)x, (double)s, (double)c );
    }
}

static void sineAndCosineAreAccurateForAnyAngle( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 200000; ++i )
    {
        checkSinCos( floatIn( &random, -7.0f, 7.0f ) );
        checkSinCos( floatIn( &random, -1e5f, 1e5f ) );
        checkSinCos( floatIn( &random, -1e7f, 1e7f ) );
        checkSinCos( anyFloat( &random ) );
    }
    // Next to multiples of pi/4, and where one way of reducing gives over to the other.
    for ( int k = -20000; k <= 20000; ++k )
    {
        float x = (float)( k * ( PI / 4.0 ) );
        checkSinCos( x );
        checkSinCos( nextafterf( x, INFINITY ) );
        checkSinCos( nextafterf( x, -INFINITY ) );
        checkSinCos( 0x1.0p+19f + (float)k * 0.0625f );
        checkSinCos( -0x1.0p+23f + (float)k );
    }
    checkSinCos( 0x1.fffffep+127f );
    checkSinCos( 0x1.0p-12f );
    checkSinCos( 0x1.fffffep-13f );
    checkSinCos( 0x1.0p-13f );
    checkSinCos( 0x1.fffffep-14f );
}

static void noAngleHasNoSine( void** state )
{
    (void)state;
    static const float bad[3] = { INFINITY, -INFINITY, NAN };
    for ( int i = 0; i < 3; ++i )
    {
        assert_true( isnan( joSin( bad[i] ) ) && isnan( joCos( bad[i] ) ) );
        assert_true( isnan( joAtan2( NAN, bad[i] ) ) && isnan( joAtan2( bad[i], NAN ) ) );
    }
    assert_true( joSin( 0.0f ) == 0.0f && joCos( 0.0f ) == 1.0f );
    assert_true( signbit( joSin( -0.0f ) ) );
}

static void checkAtan2( float y, float x )
{
    double angle = joAtan2( y, x ), expected = atan2( (double)y, (double)x );
    if ( !( fabs( angle - expected ) < 1.25e-7 &&
             fabs( angle - expected ) <= 7e-8 * fabs( expected ) + 0x1p-149 ) )
    {
        fail_msg( "y %a, x %a: %a instead of %a", (double)y, (double)x, angle, expected );
    }
}

static void arcTangentIsAccurateForAnyPoint( void** state )
{
    (void)state;
    uint64_t random = s_seed + 1;
    for ( int i = 0; i < 300000; ++i )
    {
        checkAtan2( floatIn( &random, -1.0f, 1.0f ), floatIn( &random, -1.0f, 1.0f ) );
        checkAtan2( anyFloat( &random ), anyFloat( &random ) );
        // Denormals in, denormals out.
        float tiny = floatOf( (uint32_t)nextRandom( &random ) & 0x807FFFFFu );
        float tiny2 = floatOf( (uint32_t)nextRandom( &random ) & 0x807FFFFFu );
        if ( tiny != 0.0f && tiny2 != 0.0f )
        {
            checkAtan2( tiny, tiny2 );
            checkAtan2( tiny, floatIn( &random, 0.5f, 100.0f ) );
            checkAtan2( 1.0f, tiny );
        }
    }
    static const float special[8] = {
        1.0f, -1.0f, INFINITY, -INFINITY, 2.0f, -0x1.0p-149f, 0x1.fffffep+127f, -3.0f };
    for ( int i = 0; i < 8; ++i )
    {
        for ( int k = 0; k < 8; ++k )
        {
            checkAtan2( special[i], special[k] );
        }
        checkAtan2( 0.0f, special[i] );
        checkAtan2( -0.0f, special[i] );
        checkAtan2( special[i], 0.0f );
    }
    assert_true(
        joAtan2( 0.0f, 0.0f ) == 0.0f && joAtan2( -0.0f, -0.0f ) == 0.0f && joAtan2( 0.0f, -0.0f ) == 0.0f );
    assert_true( joAtan2( 0.0f, -1.0f ) == (float)PI && joAtan2( -0.0f, -1.0f ) == -(float)PI );
}

static void theExponentialIsAccurate( void** state )
{
    (void)state;
    uint64_t random = s_seed + 3;
    for ( int i = 0; i < 300000; ++i )
    {
        // One unit in the last place, down to the denormals; infinite where the largest float is passed.
        float x = i % 2 == 0 ? floatIn( &random, -110.0f, 95.0f ) : floatIn( &random, -3.0f, 3.0f );
        double y = (double)joExp( x ), expected = exp( (double)x );
        bool beyond = expected >= 0x1.ffffffp+127;
        if ( beyond ? y != HUGE_VAL : !( fabs( y - expected ) <= 6.1e-8 * expected + 0x1.0p-150 ) )
        {
            fail_msg( "exp of %a: %a instead of %a", (double)x, y, expected );
        }
    }
    assert_true( joExp( 0.0f ) == 1.0f && joExp( -INFINITY ) == 0.0f && joExp( INFINITY ) == INFINITY );
    assert_true( joExp( 0x1.fffffep+127f ) == INFINITY && joExp( -0x1.fffffep+127f ) == 0.0f );
    assert_true( isnan( joExp( NAN ) ) );
}

// A million values of each function over all ranges. Not seeded: the hash is fixed.
static uint64_t hashOfFunctions( void )
{
    uint64_t random = 1, hash = 0xcbf29ce484222325u;
    for ( uint32_t i = 0; i < 1000000; ++i )
    {
        // Made from bits alone, so that the arguments are beyond doubt: all exponents, or near 1, or in
        // 2^1..2^17.
        uint32_t bits = (uint32_t)nextRandom( &random ), bits2 = (uint32_t)nextRandom( &random );
        if ( i % 4 != 0 )
        {
            uint32_t exponent = i % 4 == 1 ? 126 : 128 + i % 17;
            bits = ( bits & 0x807FFFFFu ) | exponent << 23;
            bits2 = ( bits2 & 0x807FFFFFu ) | ( exponent - i % 3 ) << 23;
        }
        float results[4] = { joSin( floatOf( bits ) ), joCos( floatOf( bits ) ), joExp( floatOf( bits ) ),
            joAtan2( floatOf( bits ), floatOf( bits2 ) ) };
        hash = hashBytes( hash, results, sizeof( results ) );
    }
    return hash;
}

#define FUNCTIONS_HASH 0xa8fbe8ccdaa68f65u

static void theBitsAreTheSameEverywhere( void** state )
{
    (void)state;
    uint64_t hash = hashOfFunctions();
    if ( hash != FUNCTIONS_HASH )
    {
        fail_msg( "hash of sin, cos, exp, atan2: 0x%016" PRIx64, hash );
    }
}

static void theHostsFlushToZeroChangesNoBit( void** state )
{
    (void)state;
#if defined( __SSE__ )
    unsigned before = _mm_getcsr();
    _mm_setcsr( before | 0x8040u );
    uint64_t hash = hashOfFunctions();
    _mm_setcsr( before );
    assert_true( hash == FUNCTIONS_HASH );
#elif defined( __aarch64__ )
    uint64_t before;
    __asm__ volatile( "mrs %0, fpcr" : "=r"( before ) );
    __asm__ volatile( "msr fpcr, %0" : : "r"( before | UINT64_C( 1 ) << 24 ) : "memory" );
    uint64_t hash = hashOfFunctions();
    __asm__ volatile( "msr fpcr, %0" : : "r"( before ) : "memory" );
    assert_true( hash == FUNCTIONS_HASH );
#else
    skip();
#endif
}

static void randomNumbersAreThoseOfThePcgReference( void** state )
{
    (void)state;
    // Output of pcg32-demo of the reference implementation: seed 42, stream 54.
    static const uint32_t published[6] = {
        0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e };
    joRandom random = joMakeRandom( 42 );
    for ( int i = 0; i < 6; ++i )
    {
        assert_int_equal( joRandom_Next( &random ), published[i] );
    }
}

#define RANDOM_HASH 0xa8126dffd7f63f26u

static void theRandomStreamIsTheSameEverywhere( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( 7 );
    uint64_t hash = 0xcbf29ce484222325u;
    for ( uint32_t i = 0; i < 1000000; ++i )
    {
        uint32_t number = joRandom_Below( &random, i * 4001 );
        float numbers[3] = { joRandom_Float( &random ), joRandom_Range( &random, -3.0f, (float)i ),
            joRandom_Normal( &random ) };
        hash = hashBytes( hash, &number, sizeof( number ) );
        hash = hashBytes( hash, numbers, sizeof( numbers ) );
    }
    if ( hash != RANDOM_HASH )
    {
        fail_msg( "hash of the random stream: 0x%016" PRIx64, hash );
    }
}

static void numbersBelowABoundAreUniform( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed );
    assert_int_equal( joRandom_Below( &random, 0 ), 0 );
    assert_int_equal( joRandom_Below( &random, 1 ), 0 );
    uint32_t counts[7] = { 0 };
    for ( int i = 0; i < 700000; ++i )
    {
        uint32_t number = joRandom_Below( &random, 7 );
        assert_true( number < 7 );
        counts[number] += 1;
    }
    for ( int i = 0; i < 7; ++i )
    {
        // The standard deviation is 293: six of them.
        assert_in_range( counts[i], 100000 - 1758, 100000 + 1758 );
    }
    // With a plain remainder, the lower third would come up twice as often as the rest.
    uint32_t lower = 0;
    for ( int i = 0; i < 300000; ++i )
    {
        lower += joRandom_Below( &random, 0xC0000000u ) < 0x40000000u;
    }
    assert_in_range( lower, 100000 - 1550, 100000 + 1550 );
}

static void floatsStayInTheirRangeAndAreUniform( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 1 );
    double sum = 0.0, sumSq = 0.0;
    for ( int i = 0; i < 1000000; ++i )
    {
        float x = joRandom_Float( &random );
        assert_true( x >= 0.0f && x < 1.0f && x * 0x1.0p+24f == floorf( x * 0x1.0p+24f ) );
        sum += (double)x;
        sumSq += (double)x * (double)x;
    }
    // Standard deviations of the means: 2.9e-4 and 3e-4.
    assert_true( fabs( sum / 1e6 - 0.5 ) < 1.8e-3 );
    assert_true( fabs( sumSq / 1e6 - 1.0 / 3.0 ) < 1.8e-3 );
    static const float ends[6][2] = { { -1.0f, 1.0f }, { 0.0f, 0.0f },
        { -0x1.fffffep+127f, 0x1.fffffep+127f }, { 1.0f, 0x1.000002p+0f }, { 16777216.0f, 16777218.0f },
        { -2.5f, -2.0f } };
    for ( int e = 0; e < 6; ++e )
    {
        bool low = false, high = false;
        for ( int i = 0; i < 10000; ++i )
        {
            float x = joRandom_Range( &random, ends[e][0], ends[e][1] );
            assert_true( x >= ends[e][0] && x <= ends[e][1] );
            low |= (double)x <= 0.51 * (double)ends[e][0] + 0.49 * (double)ends[e][1];
            high |= (double)x >= 0.49 * (double)ends[e][0] + 0.51 * (double)ends[e][1];
        }
        assert_true( low && high );
    }
}

static void normalNumbersAreNormal( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 2 );
    double sum = 0.0, sumSq = 0.0, sumCubed = 0.0, sumFourth = 0.0;
    uint32_t within = 0, beyond = 0;
    for ( int i = 0; i < 1000000; ++i )
    {
        double x = (double)joRandom_Normal( &random );
        assert_true( isfinite( x ) );
        sum += x;
        sumSq += x * x;
        sumCubed += x * x * x;
        sumFourth += x * x * x * x;
        within += fabs( x ) < 1.0;
        beyond += fabs( x ) > 3.0;
    }
    // Six standard deviations each.
    assert_true( fabs( sum / 1e6 ) < 6e-3 );
    assert_true( fabs( sumSq / 1e6 - 1.0 ) < 8.5e-3 );
    assert_true( fabs( sumCubed / 1e6 ) < 2.4e-2 );
    assert_true( fabs( sumFourth / 1e6 - 3.0 ) < 6e-2 );
    assert_in_range( within, 682689 - 2800, 682689 + 2800 );
    assert_in_range( beyond, 2700 - 312, 2700 + 312 );
}

static void seedsGiveStreamsOfTheirOwn( void** state )
{
    (void)state;
    static uint32_t firsts[2000];
    for ( uint64_t seed = 0; seed < 2000; ++seed )
    {
        joRandom random = joMakeRandom( seed ), same = joMakeRandom( seed );
        firsts[seed] = joRandom_Next( &random );
        assert_int_equal( joRandom_Next( &same ), firsts[seed] );
        uint32_t equal = 0;
        for ( uint64_t k = 0; k < seed; ++k )
        {
            equal += firsts[k] == firsts[seed];
        }
        assert_true( equal <= 1 );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "sine and cosine are accurate for any angle", sineAndCosineAreAccurateForAnyAngle ),
        TEST( "what is not an angle has no sine", noAngleHasNoSine ),
        TEST( "arc tangent is accurate for any point", arcTangentIsAccurateForAnyPoint ),
        TEST( "the exponential is accurate", theExponentialIsAccurate ),
        TEST( "the bits are the same everywhere", theBitsAreTheSameEverywhere ),
        TEST( "the host's flush to zero changes no bit", theHostsFlushToZeroChangesNoBit ),
        TEST( "random numbers are those of the PCG reference", randomNumbersAreThoseOfThePcgReference ),
        TEST( "the random stream is the same everywhere", theRandomStreamIsTheSameEverywhere ),
        TEST( "numbers below a bound are uniform", numbersBelowABoundAreUniform ),
        TEST( "floats stay in their range and are uniform", floatsStayInTheirRangeAndAreUniform ),
        TEST( "normal numbers are normal", normalNumbersAreNormal ),
        TEST( "seeds give streams of their own", seedsGiveStreamsOfTheirOwn ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
