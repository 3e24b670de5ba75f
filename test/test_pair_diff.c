// SPDX-License-Identifier: MIT
#include "jostle/math.h"
#include "jostle/pair_diff.h"
#include "reference/limited_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_PAIRS 600
#define ID_COUNT 24

static uint64_t seed = 1;

// The naive reference: a set as a table of flags.
typedef struct PairSet
{
    bool has[ID_COUNT][ID_COUNT];
} PairSet;

static PairSet randomSet( joRandom* random, uint32_t chance )
{
    PairSet set = { 0 };
    for ( uint32_t a = 0; a < ID_COUNT; ++a )
    {
        for ( uint32_t b = a + 1; b < ID_COUNT; ++b )
        {
            set.has[a][b] = joRandom_Below( random, 100 ) < chance;
        }
    }
    return set;
}

// Pairs in order that are in `in` and whose presence in `other` is `wanted`. Ids are spread over 32 bits.
static uint64_t listSet( const PairSet* in, const PairSet* other, bool wanted, joPair* pairs )
{
    uint64_t count = 0;
    for ( uint32_t a = 0; a < ID_COUNT; ++a )
    {
        for ( uint32_t b = a + 1; b < ID_COUNT; ++b )
        {
            if ( in->has[a][b] && other->has[a][b] == wanted )
            {
                pairs[count++] = ( joPair ){ a * 178956970u, b * 178956970u };
            }
        }
    }
    return count;
}

static void assertPairs( const joPair* pairs, uint64_t count, const joPair* wanted, uint64_t wantedCount )
{
    assert_int_equal( count, wantedCount );
    if ( count > 0 )
    {
        assert_memory_equal( pairs, wanted, count * sizeof( joPair ) );
    }
}

static void randomListsGiveWhatSetsGive( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( seed );
    static joPair last[MAX_PAIRS], current[MAX_PAIRS], wanted[MAX_PAIRS];
    static joPair out[3][MAX_PAIRS];
    for ( int round = 0; round < 2000; ++round )
    {
        const PairSet before = randomSet( &random, joRandom_Below( &random, 101 ) );
        const PairSet now = randomSet( &random, joRandom_Below( &random, 101 ) );
        const uint64_t lastCount = listSet( &before, &before, true, last );
        const uint64_t currentCount = listSet( &now, &now, true, current );
        joPairList enter = { out[0], MAX_PAIRS, 7 };
        joPairList stay = { out[1], MAX_PAIRS, 7 };
        joPairList exit = { out[2], MAX_PAIRS, 7 };
        assert_int_equal(
            joDiffPairs( last, lastCount, current, currentCount, &enter, &stay, &exit, NULL ), jo_success );
        assertPairs( enter.pairs, enter.count, wanted, listSet( &now, &before, false, wanted ) );
        assertPairs( stay.pairs, stay.count, wanted, listSet( &now, &before, true, wanted ) );
        assertPairs( exit.pairs, exit.count, wanted, listSet( &before, &now, false, wanted ) );
    }
}

static void emptyListsAreAllEntersOrAllExits( void** state )
{
    (void)state;
    const joPair pairs[] = { { 0, 1 }, { 0, 2 }, { 5, 6 } };
    joPair out[3][3];
    joPairList enter = { out[0], 3, 9 }, stay = { out[1], 3, 9 }, exit = { out[2], 3, 9 };

    assert_int_equal( joDiffPairs( NULL, 0, NULL, 0, &enter, &stay, &exit, NULL ), jo_success );
    assert_int_equal( enter.count + stay.count + exit.count, 0 );

    assert_int_equal( joDiffPairs( NULL, 0, pairs, 3, &enter, &stay, &exit, NULL ), jo_success );
    assertPairs( enter.pairs, enter.count, pairs, 3 );
    assert_int_equal( stay.count + exit.count, 0 );

    assert_int_equal( joDiffPairs( pairs, 3, NULL, 0, &enter, &stay, &exit, NULL ), jo_success );
    assertPairs( exit.pairs, exit.count, pairs, 3 );
    assert_int_equal( enter.count + stay.count, 0 );

    assert_int_equal( joDiffPairs( pairs, 3, pairs, 3, &enter, &stay, &exit, NULL ), jo_success );
    assertPairs( stay.pairs, stay.count, pairs, 3 );
    assert_int_equal( enter.count + exit.count, 0 );
}

static void fullListGetsTheFirstInOrderAndTheNeededCount( void** state )
{
    (void)state;
    const joPair last[] = { { 0, 1 }, { 0, 3 }, { 1, 2 }, { 2, 3 }, { 4, 5 } };
    const joPair current[] = { { 0, 2 }, { 0, 3 }, { 1, 3 }, { 2, 3 }, { 3, 4 } };
    const joPair sentinel = { 77, 77 };
    joPair enters[2] = { sentinel, sentinel }, stays[2] = { sentinel, sentinel };
    joPairList enter = { enters, 1, 0 }, stay = { stays, 1, 0 }, exit = { NULL, 0, 0 };
    assert_int_equal( joDiffPairs( last, 5, current, 5, &enter, &stay, &exit, NULL ), jo_success );
    assert_int_equal( enter.count, 3 );
    assert_memory_equal( &enters[0], &current[0], sizeof( joPair ) );
    assert_memory_equal( &enters[1], &sentinel, sizeof( joPair ) );
    assert_int_equal( stay.count, 2 );
    assert_memory_equal( &stays[0], &current[1], sizeof( joPair ) );
    assert_memory_equal( &stays[1], &sentinel, sizeof( joPair ) );
    assert_int_equal( exit.count, 3 );
}

static void nullListsAreLeftOut( void** state )
{
    (void)state;
    const joPair last[] = { { 0, 1 } };
    const joPair current[] = { { 0, 2 } };
    joPair entered;
    joPairList enter = { &entered, 1, 0 };
    assert_int_equal( joDiffPairs( last, 1, current, 1, &enter, NULL, NULL, NULL ), jo_success );
    assert_int_equal( enter.count, 1 );
    assert_int_equal( joDiffPairs( last, 1, current, 1, NULL, NULL, NULL, NULL ), jo_success );
}

static bool goOn( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

static void unsortedOrDoubledInputIsRefusedWithItsIndex( void** state )
{
    (void)state;
    const joPair good[] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    const joPair unsortedA[] = { { 0, 1 }, { 2, 3 }, { 1, 9 } };
    const joPair unsortedB[] = { { 0, 1 }, { 0, 5 }, { 0, 4 } };
    const joPair doubled[] = { { 0, 1 }, { 0, 1 }, { 0, 4 } };
    const struct
    {
        const joPair* last;
        const joPair* current;
        uint64_t index;
    } cases[] = { { unsortedA, good, 2 }, { unsortedB, good, 2 }, { doubled, good, 1 },
        { good, unsortedA, 5 }, { good, unsortedB, 5 }, { good, doubled, 4 }, { doubled, unsortedA, 1 } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        joPair out[3] = { { 8, 9 }, { 8, 9 }, { 8, 9 } };
        const joPair untouched[3] = { { 8, 9 }, { 8, 9 }, { 8, 9 } };
        joPairList enter = { out, 3, 2 }, stay = { out, 3, 2 }, exit = { out, 3, 2 };
        uint64_t index = 0;
        assert_int_equal( joDiffPairs( cases[i].last, 3, cases[i].current, 3, &enter, &stay, &exit, &index ),
            jo_errorUnsorted );
        assert_int_equal( index, cases[i].index );
        assert_int_equal( enter.count, 2 );
        assert_int_equal( stay.count, 2 );
        assert_int_equal( exit.count, 2 );
        assert_memory_equal( out, untouched, sizeof( out ) );
    }
}

static void nullArgumentsAreRefused( void** state )
{
    (void)state;
    const joPair pair = { 0, 1 };
    joPairList bad = { NULL, 1, 3 };
    uint64_t index = 0;
    assert_int_equal( joDiffPairs( NULL, 1, &pair, 1, NULL, NULL, NULL, &index ), jo_errorNullArgument );
    assert_true( index == UINT64_MAX );
    assert_int_equal( joDiffPairs( &pair, 1, NULL, 1, NULL, NULL, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joDiffPairs( &pair, 1, &pair, 1, &bad, NULL, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joDiffPairs( &pair, 1, &pair, 1, NULL, &bad, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joDiffPairs( &pair, 1, &pair, 1, NULL, NULL, &bad, NULL ), jo_errorNullArgument );
    assert_int_equal( bad.count, 3 );

    joPairTrackerDef def = joDefaultPairTrackerDef();
    joPairTracker* tracker = NULL;
    assert_int_equal( joCreatePairTracker( NULL, &tracker ), jo_errorNullArgument );
    assert_int_equal( joCreatePairTracker( &def, NULL ), jo_errorNullArgument );
    def.internalCookie = 0;
    assert_int_equal( joCreatePairTracker( &def, &tracker ), jo_errorBadDef );
    assert_null( tracker );
    joDestroyPairTracker( NULL );
}

// cases.md 17: ids (141, 194) and (143, 192) hashed alike elsewhere, and their contacts merged.
static void case17PairsThatHashAlikeStayApart( void** state )
{
    (void)state;
    const joPair first[] = { { 141, 194 } };
    const joPair second[] = { { 143, 192 } };
    const joPair both[] = { { 141, 194 }, { 143, 192 } };
    joPair out[3][2];
    joPairList enter = { out[0], 2, 0 }, stay = { out[1], 2, 0 }, exit = { out[2], 2, 0 };

    assert_int_equal( joDiffPairs( first, 1, second, 1, &enter, &stay, &exit, NULL ), jo_success );
    assertPairs( enter.pairs, enter.count, second, 1 );
    assertPairs( exit.pairs, exit.count, first, 1 );
    assert_int_equal( stay.count, 0 );

    assert_int_equal( joDiffPairs( both, 2, second, 1, &enter, &stay, &exit, NULL ), jo_success );
    assert_int_equal( enter.count, 0 );
    assertPairs( stay.pairs, stay.count, second, 1 );
    assertPairs( exit.pairs, exit.count, first, 1 );

    // The whole kind: swapped halves, equal sums, equal xors, the ends of the range.
    const joPair last[] = { { 0, 3 }, { 1, 0x80000000u }, { 0x7fffffffu, 0x80000000u } };
    const joPair current[] = { { 0, 0xffffffffu }, { 1, 2 }, { 0x80000000u, 0xfffffffeu } };
    joPair all[2][3];
    joPairList entered = { all[0], 3, 0 }, exited = { all[1], 3, 0 };
    assert_int_equal( joDiffPairs( last, 3, current, 3, &entered, &stay, &exited, NULL ), jo_success );
    assertPairs( entered.pairs, entered.count, current, 3 );
    assertPairs( exited.pairs, exited.count, last, 3 );
    assert_int_equal( stay.count, 0 );
}

// Follows a run of frames by the events alone.
static void applyChanges( PairSet* known, const joPairChanges* changes )
{
    for ( uint64_t i = 0; i < changes->stayCount; ++i )
    {
        assert_true( known->has[changes->stays[i].a / 178956970u][changes->stays[i].b / 178956970u] );
    }
    for ( uint64_t i = 0; i < changes->exitCount; ++i )
    {
        bool* has = &known->has[changes->exits[i].a / 178956970u][changes->exits[i].b / 178956970u];
        assert_true( *has );
        *has = false;
    }
    for ( uint64_t i = 0; i < changes->enterCount; ++i )
    {
        bool* has = &known->has[changes->enters[i].a / 178956970u][changes->enters[i].b / 178956970u];
        assert_false( *has );
        *has = true;
    }
}

static void trackerUnderFailingAllocationLosesNoEvent( void** state )
{
    (void)state;
    static joPair pairs[MAX_PAIRS];
    uint32_t failures = 0;
    for ( uint64_t k = 0; k < 40; ++k )
    {
        LimitedMemory memory = makeLimitedMemory( k );
        joPairTrackerDef def = joDefaultPairTrackerDef();
        def.allocator = limitedAllocator( &memory );
        joPairTracker* tracker = NULL;
        const joResult made = joCreatePairTracker( &def, &tracker );
        if ( made != jo_success )
        {
            assert_int_equal( made, jo_errorOutOfMemory );
            assert_null( tracker );
            assert_int_equal( memory.liveBlocks, 0 );
            failures += 1;
            continue;
        }
        joRandom random = joMakeRandom( seed + k );
        PairSet known = { 0 };
        for ( uint32_t frame = 0; frame < 12; ++frame )
        {
            const PairSet now = randomSet( &random, 8 * frame );
            const uint64_t count = listSet( &now, &now, true, pairs );
            joPairChanges changes = { 0 };
            joResult result = joPairTracker_Update( tracker, pairs, count, &changes, NULL );
            if ( result != jo_success )
            {
                assert_int_equal( result, jo_errorOutOfMemory );
                failures += 1;
                // Half of the failed frames are tried again, the others lost: the next one must tell all.
                if ( k % 2 == 0 )
                {
                    continue;
                }
                result = joPairTracker_Update( tracker, pairs, count, &changes, NULL );
                assert_int_equal( result, jo_success );
            }
            applyChanges( &known, &changes );
            assert_memory_equal( &known, &now, sizeof( known ) );
        }
        joDestroyPairTracker( tracker );
        assert_int_equal( memory.liveBlocks, 0 );
    }
    assert_true( failures > 8 );
}

static void trackerRefusesUnsortedPairsAndKeepsTheLastFrame( void** state )
{
    (void)state;
    const joPairTrackerDef def = joDefaultPairTrackerDef();
    joPairTracker* tracker = NULL;
    assert_int_equal( joCreatePairTracker( &def, &tracker ), jo_success );
    const joPair first[] = { { 0, 1 }, { 3, 4 } };
    const joPair bad[] = { { 0, 1 }, { 7, 8 }, { 7, 8 } };
    joPairChanges changes;
    uint64_t index = 0;
    assert_int_equal( joPairTracker_Update( tracker, first, 2, &changes, &index ), jo_success );
    assertPairs( changes.enters, changes.enterCount, first, 2 );
    assert_int_equal( joPairTracker_Update( tracker, bad, 3, &changes, &index ), jo_errorUnsorted );
    assert_int_equal( index, 2 );
    assert_int_equal( joPairTracker_Update( tracker, first, 1, &changes, &index ), jo_success );
    assertPairs( changes.stays, changes.stayCount, first, 1 );
    assertPairs( changes.exits, changes.exitCount, first + 1, 1 );
    assert_int_equal( changes.enterCount, 0 );
    // What the tracker gave out may be given back to it.
    assert_int_equal( joPairTracker_Update( tracker, changes.stays, 1, &changes, &index ), jo_success );
    assertPairs( changes.stays, changes.stayCount, first, 1 );
    assert_int_equal( joPairTracker_Update( NULL, first, 2, &changes, NULL ), jo_errorNullArgument );
    assert_int_equal( joPairTracker_Update( tracker, first, 2, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joPairTracker_Update( tracker, NULL, 2, &changes, NULL ), jo_errorNullArgument );
    joDestroyPairTracker( tracker );
}

static void trackerOfFixedCapacityRefusesToGrowAndLosesNothing( void** state )
{
    (void)state;
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joPairTrackerDef def = joDefaultPairTrackerDef();
    def.pairReserve = 100;
    def.fixedCapacity = true;
    def.allocator = limitedAllocator( &memory );
    joPairTracker* tracker = NULL;
    assert_int_equal( joCreatePairTracker( &def, &tracker ), jo_success );
    const uint64_t attempts = memory.attempts;
    static joPair pairs[1000];
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        pairs[i] = ( joPair ){ i, i + 1 };
    }
    joPairChanges changes;
    for ( uint32_t frame = 0; frame < 10; ++frame )
    {
        assert_int_equal(
            joPairTracker_Update( tracker, pairs + 50 * frame, 100, &changes, NULL ), jo_success );
        assert_int_equal( changes.enterCount, frame == 0 ? 100 : 50 );
        assert_int_equal( joPairTracker_Update( tracker, pairs, 1000, &changes, NULL ), jo_errorCapacity );
    }
    assert_int_equal( memory.attempts, attempts );
    assert_int_equal( joPairTracker_Update( tracker, NULL, 0, &changes, NULL ), jo_success );
    assertPairs( changes.exits, changes.exitCount, pairs + 450, 100 );
    joDestroyPairTracker( tracker );
    assert_int_equal( memory.liveBlocks, 0 );
}

static void steadyFramesAllocateNothing( void** state )
{
    (void)state;
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joPairTrackerDef def = joDefaultPairTrackerDef();
    def.allocator = limitedAllocator( &memory );
    joPairTracker* tracker = NULL;
    assert_int_equal( joCreatePairTracker( &def, &tracker ), jo_success );
    static joPair pairs[2000];
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        pairs[i] = ( joPair ){ i, i + 1 };
    }
    joPairChanges changes;
    uint64_t attempts = 0;
    for ( uint32_t frame = 0; frame < 100; ++frame )
    {
        attempts = frame == 4 ? memory.attempts : attempts;
        assert_int_equal(
            joPairTracker_Update( tracker, pairs + 10 * frame, 1000, &changes, NULL ), jo_success );
    }
    assert_int_equal( memory.attempts, attempts );
    joDestroyPairTracker( tracker );
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
        cmocka_unit_test( randomListsGiveWhatSetsGive ),
        cmocka_unit_test( emptyListsAreAllEntersOrAllExits ),
        cmocka_unit_test( fullListGetsTheFirstInOrderAndTheNeededCount ),
        cmocka_unit_test( nullListsAreLeftOut ),
        cmocka_unit_test( unsortedOrDoubledInputIsRefusedWithItsIndex ),
        cmocka_unit_test( nullArgumentsAreRefused ),
        cmocka_unit_test( case17PairsThatHashAlikeStayApart ),
        cmocka_unit_test( trackerUnderFailingAllocationLosesNoEvent ),
        cmocka_unit_test( trackerRefusesUnsortedPairsAndKeepsTheLastFrame ),
        cmocka_unit_test( trackerOfFixedCapacityRefusesToGrowAndLosesNothing ),
        cmocka_unit_test( steadyFramesAllocateNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
