// SPDX-License-Identifier: MIT
// Tests of src/base: memory, arrays, arena, failing allocations, hooks, texts, floating-point environment.
#include "test_support.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/bit_set.h"
#include "base/float_env.h"
#include "base/id_pool.h"
#include "base/key_map.h"
#include "base/timer.h"

#include <fenv.h>
#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

static uint64_t s_seed;

static uint32_t s_assertCount;

static bool countAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    s_assertCount += 1;
    return false;
}

// --- memory ---

static void memoryIsAlignedAndCounted( void** state )
{
    (void)state;
    TestAllocator test = makeTestAllocator();
    joAllocator allocators[2] = { toAllocator( &test ), { NULL, NULL, NULL } };
    for ( int k = 0; k < 2; ++k )
    {
        joMemory memory;
        assert_int_equal( joMemory_Init( &memory, &allocators[k] ), jo_success );
        void* blocks[9];
        static const size_t sizes[9] = { 1, 63, 64, 65, 100, 4096, 5, 1000000, 7 };
        uint64_t bytes = 0;
        for ( int i = 0; i < 9; ++i )
        {
            blocks[i] = joMemory_Allocate( &memory, sizes[i] );
            assert_non_null( blocks[i] );
            assert_int_equal( (uintptr_t)blocks[i] % JO_ALIGNMENT, 0 );
            memset( blocks[i], i, sizes[i] );
            bytes += sizes[i];
            assert_int_equal( memory.bytes, bytes );
        }
        assert_int_equal( memory.allocationCount, 9 );
        for ( int i = 0; i < 9; ++i )
        {
            joMemory_Free( &memory, blocks[i], sizes[i] );
        }
        joMemory_Free( &memory, NULL, 100 );
        assert_int_equal( memory.bytes, 0 );
        joMemory_Destroy( &memory );
    }
    assert_int_equal( test.calls, 9 );
    assertAllReturned( &test );
}

static void impossibleSizesAreRefused( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    assert_null( joMemory_Allocate( &memory, 0 ) );
    for ( size_t less = 0; less < 130; ++less )
    {
        assert_null( joMemory_Allocate( &memory, SIZE_MAX - less ) );
    }
    assert_int_equal( joMemory_FailResult( &memory ), jo_errorOutOfMemory );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

static void halfAnAllocatorIsABadDef( void** state )
{
    (void)state;
    TestAllocator test = makeTestAllocator();
    joAllocator half = toAllocator( &test );
    half.deallocate = NULL;
    assert_false( joAllocator_IsValid( &half ) );
    joMemory memory;
    s_assertCount = 0;
    joSetAssertFcn( countAssert );
    assert_int_equal( joMemory_Init( &memory, &half ), jo_errorBadDef );
    half = toAllocator( &test );
    half.allocate = NULL;
    assert_int_equal( joMemory_Init( &memory, &half ), jo_errorBadDef );
    joSetAssertFcn( NULL );
#if defined( JO_DEBUG )
    assert_int_equal( s_assertCount, 2 );
#endif
    assert_true( joAllocator_IsValid( NULL ) );
}

static void fixedMemoryRefusesToGrow( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joArray array = { 0 };
    joKeyMap map = { 0 };
    assert_int_equal( joArray_Reserve( &array, &memory, 100, 4, 0 ), jo_success );
    assert_int_equal( joKeyMap_Reserve( &map, &memory, 100 ), jo_success );
    uint64_t held = memory.bytes;
    memory.fixed = true;
    assert_int_equal( joArray_Reserve( &array, &memory, 100, 4, 100 ), jo_success );
    assert_int_equal( joArray_Reserve( &array, &memory, 101, 4, 100 ), jo_errorCapacity );
    assert_int_equal( joKeyMap_Reserve( &map, &memory, 100 ), jo_success );
    assert_int_equal( joKeyMap_Reserve( &map, &memory, 10000 ), jo_errorCapacity );
    assert_int_equal( array.capacity, 100 );
    assert_int_equal( memory.bytes, held );
    joArray_Free( &array, &memory, 4 );
    joKeyMap_Free( &map, &memory );
    joMemory_Destroy( &memory );
}

static void objectsComeZeroed( void** state )
{
    (void)state;
    TestAllocator test = makeTestAllocator();
    joAllocator allocator = toAllocator( &test );
    static const unsigned char zeros[300];
    unsigned char* object = joAllocateObject( &allocator, sizeof( zeros ) );
    assert_non_null( object );
    assert_memory_equal( object, zeros, sizeof( zeros ) );
    joFreeObject( &allocator, object, sizeof( zeros ) );
    joFreeObject( &allocator, NULL, sizeof( zeros ) );
    assertAllReturned( &test );
    object = joAllocateObject( NULL, sizeof( zeros ) );
    assert_memory_equal( object, zeros, sizeof( zeros ) );
    joFreeObject( NULL, object, sizeof( zeros ) );
}

// --- array ---

static void anArrayKeepsItsElementsAndGrowsGeometrically( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joArray array = { 0 };
    for ( uint32_t i = 0; i < 100000; ++i )
    {
        assert_int_equal( joArray_Reserve( &array, &memory, i + 1, sizeof( uint32_t ), i ), jo_success );
        ( (uint32_t*)array.data )[i] = i * 7;
    }
    for ( uint32_t i = 0; i < 100000; ++i )
    {
        assert_int_equal( ( (uint32_t*)array.data )[i], i * 7 );
    }
    // Half again each time: 1.5^29 > 100000, and a few more while the numbers are small.
    assert_true( memory.allocationCount < 40 );
    assert_int_equal( memory.bytes, array.capacity * sizeof( uint32_t ) );
    joArray_Free( &array, &memory, sizeof( uint32_t ) );
    assert_null( array.data );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

static void anArrayThatCannotGrowIsAsBefore( void** state )
{
    (void)state;
    TestAllocator test = makeTestAllocator();
    joAllocator allocator = toAllocator( &test );
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, &allocator ), jo_success );
    joArray array = { 0 };
    assert_int_equal( joArray_Reserve( &array, &memory, 3, 8, 0 ), jo_success );
    memset( array.data, 0x5A, 24 );
    joArray before = array;
    test.failAt = test.calls;
    assert_int_equal( joArray_Reserve( &array, &memory, 4, 8, 3 ), jo_errorOutOfMemory );
    test.failAt = UINT64_MAX;
    // Sizes that do not fit must not wrap round to small ones.
    assert_int_equal( joArray_Reserve( &array, &memory, UINT64_MAX, 8, 3 ), jo_errorOutOfMemory );
    assert_int_equal(
        joArray_Reserve( &array, &memory, ( UINT64_C( 1 ) << 61 ) + 1, 8, 3 ), jo_errorOutOfMemory );
    assert_memory_equal( &array, &before, sizeof( array ) );
    for ( int i = 0; i < 24; ++i )
    {
        assert_int_equal( ( (unsigned char*)array.data )[i], 0x5A );
    }
    joArray_Free( &array, &memory, 8 );
    joMemory_Destroy( &memory );
    assertAllReturned( &test );
}

// --- arena ---

static void arenaBlocksDoNotOverlap( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joArena arena;
    joArena_Init( &arena, &memory );
    uint64_t random = s_seed;
    for ( int frame = 0; frame < 20; ++frame )
    {
        unsigned char* blocks[200];
        size_t sizes[200];
        for ( uint32_t i = 0; i < 200; ++i )
        {
            sizes[i] = 1 + randomBelow( &random, randomBelow( &random, 10 ) == 0 ? 50000 : 300 );
            blocks[i] = joArena_Allocate( &arena, sizes[i] );
            assert_non_null( blocks[i] );
            assert_int_equal( (uintptr_t)blocks[i] % JO_ALIGNMENT, 0 );
            memset( blocks[i], (int)i, sizes[i] );
        }
        for ( uint32_t i = 0; i < 200; ++i )
        {
            assert_int_equal( blocks[i][0], i );
            assert_int_equal( blocks[i][sizes[i] - 1], i );
        }
        joArena_Reset( &arena );
    }
    assert_null( joArena_Allocate( &arena, 0 ) );
    assert_null( joArena_Allocate( &arena, SIZE_MAX ) );
    joArena_Free( &arena );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

static void aFrameLikeOneBeforeAllocatesNothing( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joArena arena;
    joArena_Init( &arena, &memory );
    static const size_t sizes[6] = { 100, 40000, 64, 90000, 1, 30000 };
    for ( int i = 0; i < 6; ++i )
    {
        assert_non_null( joArena_Allocate( &arena, sizes[i] ) );
    }
    joArena_Reset( &arena );
    uint64_t allocations = memory.allocationCount;
    for ( int frame = 0; frame < 30; ++frame )
    {
        // Each rotation of the order would pack otherwise into several chunks.
        for ( int i = 0; i < 6; ++i )
        {
            assert_non_null( joArena_Allocate( &arena, sizes[( i * 5 + frame ) % 6] ) );
        }
        joArena_Reset( &arena );
    }
    assert_int_equal( memory.allocationCount, allocations );
    joArena_Free( &arena );
    joMemory_Destroy( &memory );
}

static void aReservedArenaLivesInFixedMemory( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joArena arena;
    joArena_Init( &arena, &memory );
    assert_int_equal( joArena_Reserve( &arena, 1000 ), jo_success );
    assert_int_equal( joArena_Reserve( &arena, 100000 ), jo_success );
    memory.fixed = true;
    for ( int frame = 0; frame < 3; ++frame )
    {
        for ( int i = 0; i < 10; ++i )
        {
            assert_non_null( joArena_Allocate( &arena, 9984 ) ); // a multiple of 64: ten are 99840
        }
        assert_null( joArena_Allocate( &arena, 9984 ) );
        assert_int_equal( joArena_Reserve( &arena, 1000000 ), jo_errorCapacity );
        joArena_Reset( &arena );
    }
    joArena_Free( &arena );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

// --- failing allocations ---

// Uses every container; stops at the first failure and returns it.
static joResult useEverything( joMemory* memory )
{
    joArray array = { 0 };
    joKeyMap map = { 0 };
    joBitSet set = { 0 };
    joIdPool pool = { 0 };
    joArena arena;
    joArena_Init( &arena, memory );
    joResult result = jo_success;
    for ( uint32_t i = 0; i < 300 && result == jo_success; ++i )
    {
        uint64_t id;
        uint32_t mapCount = map.count, alive = pool.aliveCount, bits = set.bitCount;
        if ( ( result = joArray_Reserve( &array, memory, i + 1, 4, i ) ) == jo_success )
        {
            ( (uint32_t*)array.data )[i] = i;
            result = joKeyMap_Reserve( &map, memory, i + 1 );
        }
        if ( result == jo_success )
        {
            joKeyMap_Set( &map, i, i );
            result = joBitSet_Resize( &set, memory, ( i + 1 ) * 40 );
            assert_int_equal( set.bitCount, result == jo_success ? ( i + 1 ) * 40 : bits );
        }
        if ( result == jo_success )
        {
            result = joIdPool_Create( &pool, memory, &id );
            assert_int_equal( pool.aliveCount, result == jo_success ? alive + 1 : alive );
            assert_true( ( id != 0 ) == ( result == jo_success ) );
        }
        if ( result == jo_success && joArena_Allocate( &arena, 1000 ) == NULL )
        {
            result = joMemory_FailResult( memory );
        }
        if ( i % 100 == 99 )
        {
            joArena_Reset( &arena );
        }
        // Whatever failed, what was there is still there.
        for ( uint32_t k = 0; k < mapCount; ++k )
        {
            assert_int_equal( joKeyMap_Find( &map, k ), k );
            assert_int_equal( ( (uint32_t*)array.data )[k], k );
        }
    }
    joArena_Free( &arena );
    joIdPool_Free( &pool, memory );
    joBitSet_Free( &set, memory );
    joKeyMap_Free( &map, memory );
    joArray_Free( &array, memory, 4 );
    return result;
}

static void anyAllocationMayFail( void** state )
{
    (void)state;
    uint64_t calls = 1;
    for ( int once = 0; once < 2; ++once )
    {
        for ( uint64_t failAt = 0; failAt <= calls; ++failAt )
        {
            TestAllocator test = makeTestAllocator();
            joAllocator allocator = toAllocator( &test );
            joMemory memory;
            assert_int_equal( joMemory_Init( &memory, &allocator ), jo_success );
            if ( failAt == 0 )
            {
                assert_int_equal( useEverything( &memory ), jo_success );
                calls = test.calls;
                assert_true( calls > 30 );
            }
            test.calls = 0;
            test.failOnce = once == 1;
            test.failAt = failAt;
            joResult result = useEverything( &memory );
            // A failed merge of an arena's chunks alone is survived in silence.
            bool survivable = once == 1 || failAt == calls;
            assert_true( result == jo_errorOutOfMemory || ( result == jo_success && survivable ) );
            assert_int_equal( memory.bytes, 0 );
            joMemory_Destroy( &memory );
            assertAllReturned( &test );
        }
    }
}

// --- hooks, texts, environment ---

static char s_logged[100];
static char s_condition[100];

static void keepLog( const char* message )
{
    snprintf( s_logged, sizeof( s_logged ), "%s", message );
}

static bool keepAssert( const char* condition, const char* file, int line )
{
    snprintf( s_condition, sizeof( s_condition ), "%s %s %d", condition, file, line );
    return true;
}

static void hooksGetWhatIsReported( void** state )
{
    (void)state;
    joSetLogFcn( keepLog );
    joLog( "a message" );
    joSetLogFcn( NULL );
    assert_string_equal( s_logged, "a message" );
    joSetAssertFcn( keepAssert );
    assert_true( joAssertFailed( "x == 1", "file.c", 12 ) );
    joSetAssertFcn( NULL );
    assert_string_equal( s_condition, "x == 1 file.c 12" );
    // The default prints to stderr and goes on.
    assert_false( joAssertFailed( "this line is expected", "test_base.c", 0 ) );
    joLog( "this line is expected, too" );
}

static void everyResultHasASentenceOfItsOwn( void** state )
{
    (void)state;
    const char* unknown = joResultText( jo_resultCount );
    for ( int i = 0; i < (int)jo_resultCount; ++i )
    {
        const char* text = joResultText( (joResult)i );
        assert_true( strlen( text ) > 15 && text[strlen( text ) - 1] == '.' );
        assert_string_not_equal( text, unknown );
        for ( int k = 0; k < i; ++k )
        {
            assert_string_not_equal( text, joResultText( (joResult)k ) );
        }
    }
    assert_string_equal( joResultText( (joResult)1000 ), unknown );
}

static void theVersionIsThatOfTheHeader( void** state )
{
    (void)state;
    char text[40];
    snprintf( text, sizeof( text ), "%d.%d.%d", JO_VERSION_MAJOR, JO_VERSION_MINOR, JO_VERSION_PATCH );
    assert_string_equal( joGetVersionText(), text );
    assert_int_equal(
        joGetVersion(), JO_VERSION_MAJOR * 0x10000 + JO_VERSION_MINOR * 0x100 + JO_VERSION_PATCH );
}

static void theHostsFloatEnvironmentIsSetAsideAndRestored( void** state )
{
    (void)state;
    volatile float one = 1.0f, tiny = 0x1.0p-60f, denormal = 0x1.0p-140f;
    static const int modes[4] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST };
    for ( int i = 0; i < 4; ++i )
    {
        fesetround( modes[i] );
        joFloatEnv env = joFloatEnv_Enter();
        volatile float up = one + tiny, down = one - tiny;
        joFloatEnv_Leave( env );
        int after = fegetround();
        fesetround( FE_TONEAREST );
        assert_true( up == 1.0f && down == 1.0f );
        assert_int_equal( after, modes[i] );
    }
#if defined( __SSE__ )
    // Flush-to-zero and denormals-are-zero on, and all exceptions unmasked but inexact and denormal.
    unsigned before = _mm_getcsr();
    unsigned host = ( before | 0x8040u ) & ~0x0E80u;
    _mm_setcsr( host );
    joFloatEnv env = joFloatEnv_Enter();
    volatile float zero = 0.0f;
    volatile float half = denormal * 0.5f, infinite = one / zero, nothing = zero / zero;
    bool kept = half > zero && denormal > zero;
    joFloatEnv_Leave( env );
    unsigned after = _mm_getcsr();
    _mm_setcsr( before );
    assert_true( kept );
    assert_true( infinite > 1.0f && nothing != nothing );
    assert_int_equal( after, host );
#else
    (void)denormal;
#endif
}

static void timeDoesNotGoBack( void** state )
{
    (void)state;
    uint64_t start = joGetNanoseconds(), last = start;
    for ( int i = 0; i < 1000 || last == start; ++i )
    {
        uint64_t now = joGetNanoseconds();
        assert_true( now >= last );
        last = now;
    }
    assert_true( last - start < UINT64_C( 60000000000 ) );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "memory is aligned and counted", memoryIsAlignedAndCounted ),
        TEST( "impossible sizes are refused", impossibleSizesAreRefused ),
        TEST( "an allocator with one function is a bad def", halfAnAllocatorIsABadDef ),
        TEST( "fixed memory refuses to grow", fixedMemoryRefusesToGrow ),
        TEST( "objects come zeroed", objectsComeZeroed ),
        TEST( "an array keeps its elements and grows geometrically",
            anArrayKeepsItsElementsAndGrowsGeometrically ),
        TEST( "an array that cannot grow is as before", anArrayThatCannotGrowIsAsBefore ),
        TEST( "arena blocks do not overlap", arenaBlocksDoNotOverlap ),
        TEST( "a frame like one before it allocates nothing, in any order",
            aFrameLikeOneBeforeAllocatesNothing ),
        TEST( "a reserved arena lives in fixed memory", aReservedArenaLivesInFixedMemory ),
        TEST( "any allocation may fail", anyAllocationMayFail ),
        TEST( "hooks get what is reported", hooksGetWhatIsReported ),
        TEST( "every result has a sentence of its own", everyResultHasASentenceOfItsOwn ),
        TEST( "the version is that of the header", theVersionIsThatOfTheHeader ),
        TEST( "the host's float environment is set aside and restored",
            theHostsFloatEnvironmentIsSetAsideAndRestored ),
        TEST( "time does not go back", timeDoesNotGoBack ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
