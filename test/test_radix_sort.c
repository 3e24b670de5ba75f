// SPDX-License-Identifier: MIT
// Tests of the radix sort against the C library's sort. A value is the place in the input, so that the order
// by key, then value, is the one stable order.
#include "test_support.h"

#include "base/radix_sort.h"

#define MAX_COUNT 70000

static uint64_t s_seed;
static joKeyValue s_items[MAX_COUNT], s_scratch[MAX_COUNT], s_expected[MAX_COUNT];
static uint64_t s_keys[MAX_COUNT], s_keyScratch[MAX_COUNT], s_expectedKeys[MAX_COUNT];

static int compareItems( const void* a, const void* b )
{
    const joKeyValue* x = a;
    const joKeyValue* y = b;
    if ( x->key != y->key )
    {
        return x->key < y->key ? -1 : 1;
    }
    return x->value < y->value ? -1 : x->value > y->value;
}

static int compareKeys( const void* a, const void* b )
{
    uint64_t x = *(const uint64_t*)a;
    uint64_t y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

// Sorts the first `count` of s_items by both, and compares.
static void checkItems( uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        s_items[i].value = i;
    }
    memcpy( s_expected, s_items, sizeof( s_items ) );
    qsort( s_expected, count, sizeof( s_expected[0] ), compareItems );
    memset( s_scratch, 0xEE, sizeof( s_scratch ) );
    joKeyValue* sorted = joRadixSort_KeyValues( s_items, s_scratch, count );
    assert_true( sorted == s_items || sorted == s_scratch );
    assert_memory_equal( sorted, s_expected, count * sizeof( s_expected[0] ) );
    // Nothing behind the end of either was touched.
    static const joKeyValue untouched = { 0xEEEEEEEEu, 0xEEEEEEEEu };
    if ( count < MAX_COUNT )
    {
        assert_memory_equal( &s_scratch[count], &untouched, sizeof( untouched ) );
        assert_memory_equal( &s_items[count], &s_expected[count], sizeof( untouched ) );
    }
}

static void checkKeys( uint64_t count )
{
    memcpy( s_expectedKeys, s_keys, sizeof( s_keys ) );
    qsort( s_expectedKeys, count, sizeof( s_expectedKeys[0] ), compareKeys );
    memset( s_keyScratch, 0xEE, sizeof( s_keyScratch ) );
    uint64_t* sorted = joRadixSort_Keys64( s_keys, s_keyScratch, count );
    assert_true( sorted == s_keys || sorted == s_keyScratch );
    assert_memory_equal( sorted, s_expectedKeys, count * sizeof( s_expectedKeys[0] ) );
    if ( count < MAX_COUNT )
    {
        assert_true( s_keyScratch[count] == 0xEEEEEEEEEEEEEEEEu );
        assert_true( s_keys[count] == s_expectedKeys[count] );
    }
}

static void randomKeysOfAnyWidthAreSortedStably( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static const uint32_t counts[] = { 0, 1, 2, 3, 7, 64, 255, 256, 257, 1000, 5000 };
    for ( uint32_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ); ++c )
    {
        // Every position and width of the bits that differ, others random but the same for all.
        for ( uint32_t low = 0; low < 32; low += 3 )
        {
            for ( uint32_t width = 1; low + width <= 32; width += 4 )
            {
                uint32_t mask = (uint32_t)( ( ( UINT64_C( 1 ) << width ) - 1 ) << low );
                uint32_t same = (uint32_t)nextRandom( &random ) & ~mask;
                for ( uint32_t i = 0; i < counts[c] + 1; ++i )
                {
                    s_items[i].key = same | ( (uint32_t)nextRandom( &random ) & mask );
                }
                checkItems( counts[c] );
            }
        }
    }
}

static void keysWithAnyBitsDifferingAreSorted( void** state )
{
    (void)state;
    uint64_t random = s_seed + 1;
    for ( int round = 0; round < 600; ++round )
    {
        uint32_t count = randomBelow( &random, 600 );
        // Few differing bits, far apart, or runs with holes: the digits are laid around them.
        uint64_t mask = nextRandom( &random ) & nextRandom( &random );
        mask &= round % 3 == 0 ? nextRandom( &random ) & nextRandom( &random ) : UINT64_MAX;
        mask = round % 7 == 0 ? UINT64_MAX >> randomBelow( &random, 64 ) : mask;
        mask = round % 11 == 0 ? UINT64_MAX << randomBelow( &random, 64 ) : mask;
        uint64_t same = nextRandom( &random ) & ~mask;
        for ( uint32_t i = 0; i < count + 1; ++i )
        {
            s_keys[i] = same | ( nextRandom( &random ) & mask );
            s_items[i].key = (uint32_t)s_keys[i] ^ (uint32_t)( s_keys[i] >> 32 );
        }
        checkKeys( count );
        checkItems( count );
    }
}

static void sortedReversedAndEqualKeysAreSorted( void** state )
{
    (void)state;
    static const uint32_t counts[] = { 0, 1, 2, 3, 100, 2047, 2048, 2049, MAX_COUNT };
    for ( uint32_t c = 0; c < sizeof( counts ) / sizeof( counts[0] ); ++c )
    {
        for ( int shape = 0; shape < 6; ++shape )
        {
            uint32_t count = counts[c];
            for ( uint32_t i = 0; i < MAX_COUNT; ++i )
            {
                uint32_t keys[6] = {
                    i, count - i, 77, i / 10, ( count - i ) / 10, i == count - 1 ? 0 : i + 1 };
                s_items[i].key = keys[shape];
                s_keys[i] = (uint64_t)keys[shape] << 20;
            }
            checkItems( count );
            checkKeys( count );
        }
    }
}

static void sortedInputStaysWhereItIs( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        s_items[i] = ( joKeyValue ){ i / 3, i };
        s_keys[i] = i / 3;
    }
    s_scratch[0].key = 12345;
    s_keyScratch[0] = 12345;
    assert_ptr_equal( joRadixSort_KeyValues( s_items, s_scratch, 1000 ), s_items );
    assert_ptr_equal( joRadixSort_Keys64( s_keys, s_keyScratch, 1000 ), s_keys );
    assert_int_equal( s_scratch[0].key, 12345 );
    assert_int_equal( s_keyScratch[0], 12345 );
    // Out of order at the very end, and at the very beginning.
    s_items[999].key = 0;
    checkItems( 1000 );
    s_keys[0] = 5000;
    checkKeys( 1000 );
}

static void packedPairsAreSorted( void** state )
{
    (void)state;
    uint64_t random = s_seed + 2;
    static const uint32_t bounds[] = { 2, 1000, 2048, 2049, 1u << 17, 1u << 20, 1u << 22, UINT32_MAX };
    for ( uint32_t b = 0; b < sizeof( bounds ) / sizeof( bounds[0] ); ++b )
    {
        for ( uint32_t i = 0; i < 20000; ++i )
        {
            s_keys[i] = (uint64_t)randomBelow( &random, bounds[b] ) << 32 | randomBelow( &random, bounds[b] );
        }
        checkKeys( 20000 );
    }
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "random keys of any width are sorted stably", randomKeysOfAnyWidthAreSortedStably ),
        TEST( "keys with any bits differing are sorted", keysWithAnyBitsDifferingAreSorted ),
        TEST( "sorted, reversed and equal keys are sorted", sortedReversedAndEqualKeysAreSorted ),
        TEST( "sorted input stays where it is", sortedInputStaysWhereItIs ),
        TEST( "pairs packed into 64 bits are sorted", packedPairsAreSorted ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
