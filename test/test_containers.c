// SPDX-License-Identifier: MIT
// Tests of the key map, the bit set and the id pool: each against a plain table.
#include "test_support.h"

#include "base/bit_set.h"
#include "base/id_pool.h"
#include "base/key_map.h"

static uint64_t s_seed;

// --- key map ---

#define KEY_UNIVERSE 500

// Keys that are dense, far apart, at both ends, and multiples of large powers of two.
static uint32_t keyOf( uint32_t i )
{
    static const uint32_t strides[5] = { 1, 4096, 1u << 20, 0xFFFFFFFFu, 0x9E3779B1u };
    return i / 5 * strides[i % 5] + ( i % 5 ) * 1000;
}

static void aKeyMapDoesAsAPlainTableDoes( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    uint64_t random = s_seed;
    joKeyMap map = { 0 };
    static uint32_t keys[KEY_UNIVERSE], model[KEY_UNIVERSE];
    for ( uint32_t i = 0; i < KEY_UNIVERSE; ++i )
    {
        keys[i] = keyOf( i );
        model[i] = JO_KEY_MAP_NONE;
        assert_int_equal( joKeyMap_Find( &map, keys[i] ), JO_KEY_MAP_NONE );
        assert_false( joKeyMap_Remove( &map, keys[i] ) );
    }
    uint32_t count = 0;
    for ( int step = 0; step < 200000; ++step )
    {
        // Fills and empties in turn, so that all loads occur.
        bool filling = step / 3000 % 2 == 0;
        uint32_t i = randomBelow( &random, KEY_UNIVERSE );
        if ( randomBelow( &random, 4 ) == 0 ? filling : !filling )
        {
            assert_true( joKeyMap_Remove( &map, keys[i] ) == ( model[i] != JO_KEY_MAP_NONE ) );
            count -= model[i] != JO_KEY_MAP_NONE;
            model[i] = JO_KEY_MAP_NONE;
        }
        else
        {
            count += model[i] == JO_KEY_MAP_NONE;
            model[i] = (uint32_t)step;
            assert_int_equal( joKeyMap_Reserve( &map, &memory, count ), jo_success );
            joKeyMap_Set( &map, keys[i], model[i] );
        }
        assert_int_equal( map.count, count );
        if ( step % 1009 == 0 )
        {
            for ( uint32_t k = 0; k < KEY_UNIVERSE; ++k )
            {
                assert_int_equal( joKeyMap_Find( &map, keys[k] ), model[k] );
            }
        }
    }
    joKeyMap_Clear( &map );
    assert_int_equal( map.count, 0 );
    for ( uint32_t k = 0; k < KEY_UNIVERSE; ++k )
    {
        assert_int_equal( joKeyMap_Find( &map, keys[k] ), JO_KEY_MAP_NONE );
    }
    joKeyMap_Free( &map, &memory );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

// The longest run of used places: a search takes no more steps.
static uint32_t longestRun( const joKeyMap* map )
{
    const uint32_t* entries = map->entries.data;
    uint32_t run = 0, longest = 0;
    for ( uint64_t i = 0; i < 2 * map->entries.capacity; ++i )
    {
        run = entries[2 * ( i % map->entries.capacity ) + 1] != JO_KEY_MAP_NONE ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void steadyCreateAndDeleteNeitherGrowsNorSlows( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joKeyMap map = { 0 };
    assert_int_equal( joKeyMap_Reserve( &map, &memory, 1000 ), jo_success );
    uint64_t capacity = map.entries.capacity;
    uint32_t longest = 0;
    for ( uint32_t i = 0; i < 1000000; ++i )
    {
        assert_int_equal( joKeyMap_Reserve( &map, &memory, map.count + 1 ), jo_success );
        joKeyMap_Set( &map, i * 3, i );
        if ( i >= 999 )
        {
            assert_true( joKeyMap_Remove( &map, ( i - 999 ) * 3 ) );
        }
        if ( i % 10007 == 0 )
        {
            uint32_t run = longestRun( &map );
            longest = run > longest ? run : longest;
        }
    }
    assert_int_equal( map.count, 999 );
    assert_int_equal( map.entries.capacity, capacity );
    assert_int_equal( memory.allocationCount, 1 );
    assert_true( longest < 300 );
    joKeyMap_Free( &map, &memory );
    joMemory_Destroy( &memory );
}

static void noStrideOfKeysPilesUp( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    for ( uint32_t shift = 0; shift <= 20; ++shift )
    {
        joKeyMap map = { 0 };
        assert_int_equal( joKeyMap_Reserve( &map, &memory, 4096 ), jo_success );
        for ( uint32_t i = 0; i < 4096; ++i )
        {
            joKeyMap_Set( &map, i << shift, i );
        }
        assert_int_equal( map.count, 4096 );
        assert_true( longestRun( &map ) < 400 );
        joKeyMap_Free( &map, &memory );
    }
    joMemory_Destroy( &memory );
}

// --- bit set ---

static void aBitSetDoesAsAPlainTableDoes( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    uint64_t random = s_seed;
    joBitSet set = { 0 };
    static bool model[400];
    uint32_t size = 0;
    for ( int step = 0; step < 20000; ++step )
    {
        uint32_t action = randomBelow( &random, 100 );
        if ( action < 2 || size == 0 )
        {
            uint32_t newSize = randomBelow( &random, 401 );
            assert_int_equal( joBitSet_Resize( &set, &memory, newSize ), jo_success );
            for ( uint32_t i = newSize; i < 400; ++i )
            {
                model[i] = false;
            }
            size = newSize;
            continue;
        }
        uint32_t i = randomBelow( &random, size );
        if ( action < 30 )
        {
            joBitSet_Set( &set, i );
            model[i] = true;
        }
        else if ( action < 60 )
        {
            assert_true( joBitSet_Add( &set, i ) == !model[i] );
            model[i] = true;
        }
        else if ( action < 99 )
        {
            joBitSet_Clear( &set, i );
            model[i] = false;
        }
        else
        {
            joBitSet_ClearAll( &set );
            memset( model, 0, sizeof( model ) );
        }
        assert_true( joBitSet_Get( &set, i ) == model[i] );
        uint32_t count = 0, next = JO_NULL_INDEX;
        uint32_t from = randomBelow( &random, 450 );
        for ( uint32_t k = 400; k-- > 0; )
        {
            count += model[k];
            next = model[k] && k >= from ? k : next;
        }
        assert_int_equal( joBitSet_Count( &set ), count );
        assert_int_equal( joBitSet_FindNext( &set, from ), next );
    }
    joBitSet_Free( &set, &memory );
    assert_int_equal( joBitSet_FindNext( &set, 0 ), JO_NULL_INDEX );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

// --- ids ---

#define PEEKED 5

// What the next calls will give is asked for some in advance, once it is not known any more.
static void peekAtIds( const joIdPool* pool, uint32_t expected[PEEKED], uint32_t* count, uint32_t* at )
{
    if ( *count == 0 || *at == *count )
    {
        joIdPool_Peek( pool, PEEKED, expected );
        *count = PEEKED;
        *at = 0;
    }
}

static void onlyLivingIdsAreAccepted( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    uint64_t random = s_seed;
    joIdPool pool = { 0 };
    static uint64_t ids[20000]; // every id ever given out
    static bool alive[20000];
    uint32_t given = 0, living = 0, peak = 0;
    uint32_t expected[PEEKED], expectedCount = 0, expectedAt = 0;
    assert_false( joIdPool_IsAlive( &pool, 0 ) );
    for ( int step = 0; step < 40000; ++step )
    {
        // Mostly young ids, which mostly live.
        uint32_t back = randomBelow( &random, 8 ) == 0 ? given : given < 100 ? given : 100;
        uint32_t i = given > 0 ? given - 1 - randomBelow( &random, back ) : 0;
        if ( given < 20000 && ( given == 0 || randomBelow( &random, 2 ) == 0 ) )
        {
            peekAtIds( &pool, expected, &expectedCount, &expectedAt );
            assert_int_equal( joIdPool_Create( &pool, &memory, &ids[given] ), jo_success );
            assert_int_equal( expected[expectedAt++], (uint32_t)ids[given] );
            assert_true( ids[given] != 0 );
            alive[given] = true;
            given += 1;
            living += 1;
            peak = living > peak ? living : peak;
        }
        else
        {
            assert_int_equal( joIdPool_Destroy( &pool, ids[i] ), alive[i] ? jo_success : jo_errorStaleId );
            expectedCount = alive[i] ? 0 : expectedCount;
            living -= alive[i];
            alive[i] = false;
        }
        assert_int_equal( pool.aliveCount, living );
        i = randomBelow( &random, given );
        assert_true( joIdPool_IsAlive( &pool, ids[i] ) == alive[i] );
        uint32_t index = joIdPool_IndexOf( &pool, ids[i] );
        assert_true( alive[i] ? index == (uint32_t)ids[i] : index == JO_NULL_INDEX );
        assert_true( alive[i] == ( joIdPool_IdAt( &pool, (uint32_t)ids[i] ) == ids[i] ) );
        // Never given out: a generation ahead, an index beyond.
        assert_int_equal( joIdPool_Destroy( &pool, ids[i] + ( UINT64_C( 40000 ) << 32 ) ), jo_errorStaleId );
        assert_int_equal( joIdPool_Destroy( &pool, ids[i] | 0x7FFFFFFFu ), jo_errorStaleId );
    }
    for ( uint32_t i = 0; i < given; ++i )
    {
        assert_true( joIdPool_IsAlive( &pool, ids[i] ) == alive[i] );
    }
    // Slots are reused before new ones are opened.
    assert_int_equal( pool.slotCount, peak );
    assert_true( peak < given / 2 );
    joIdPool_Free( &pool, &memory );
    assert_int_equal( memory.bytes, 0 );
    joMemory_Destroy( &memory );
}

static void noIdIsGivenOutTwiceWhenGenerationsRunOut( void** state )
{
    (void)state;
    joMemory memory;
    assert_int_equal( joMemory_Init( &memory, NULL ), jo_success );
    joIdPool pool = { 0 };
    uint64_t first, second, other;
    assert_int_equal( joIdPool_Create( &pool, &memory, &first ), jo_success );
    assert_int_equal( joIdPool_Destroy( &pool, first ), jo_success );
    // As if four billion ids had lived in the slot; see the layout in id_pool.h.
    ( (uint32_t*)pool.slots.data )[0] = UINT32_MAX;
    assert_int_equal( joIdPool_Create( &pool, &memory, &second ), jo_success );
    assert_int_equal( second >> 32, UINT32_MAX );
    assert_int_equal( (uint32_t)second, (uint32_t)first );
    assert_int_equal( joIdPool_Destroy( &pool, second ), jo_success );
    assert_int_equal( joIdPool_Destroy( &pool, second ), jo_errorStaleId );
    for ( int i = 0; i < 10; ++i )
    {
        assert_int_equal( joIdPool_Create( &pool, &memory, &other ), jo_success );
        assert_true( (uint32_t)other != (uint32_t)first );
    }
    assert_false( joIdPool_IsAlive( &pool, first ) );
    assert_false( joIdPool_IsAlive( &pool, second ) );
    assert_int_equal( pool.retiredCount, 1 );
    // The retired slot does not eat into what was reserved.
    assert_int_equal( joIdPool_Reserve( &pool, &memory, 1000 ), jo_success );
    memory.fixed = true;
    for ( int i = 10; i < 1000; ++i )
    {
        assert_int_equal( joIdPool_Create( &pool, &memory, &other ), jo_success );
    }
    joIdPool_Free( &pool, &memory );
    joMemory_Destroy( &memory );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "a key map does as a plain table does", aKeyMapDoesAsAPlainTableDoes ),
        TEST( "case 13: steady create and delete neither grows nor slows a key map",
            steadyCreateAndDeleteNeitherGrowsNorSlows ),
        TEST( "no stride of keys piles up", noStrideOfKeysPilesUp ),
        TEST( "a bit set does as a plain table does", aBitSetDoesAsAPlainTableDoes ),
        TEST( "only living ids are accepted", onlyLivingIdsAreAccepted ),
        TEST( "no id is given out twice when generations run out", noIdIsGivenOutTwiceWhenGenerationsRunOut ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
